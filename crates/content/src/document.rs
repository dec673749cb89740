//! A content file, section by section.

use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;

use crate::node::{Node, Tree, parse};
use crate::place::{Place, Problem};
use crate::{hint, read_all};

/// What a file says under one name: `[kind.id]`.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// The name as typed; of an item in a list its key `id`.
    pub id: String,
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub value: T,
    /// The same as written, for the place of each key.
    pub node: Node,
}

impl<T> Entry<T> {
    /// Where the value of a key stands; where the entry stands, if it does not have the key.
    pub fn at(&self, key: &str) -> &Place {
        self.node.get(key).map_or(&self.place, |node| &node.place)
    }
}

/// The numbers that are possible: key, least and most.
pub type Limits = [(&'static str, RangeInclusive<i64>)];

/// A content file whose sections are taken one after the other; what nobody takes is a mistake. An entry with a
/// mistake is reported and left out, unless it is a number beyond its limits, and the others are read all the same.
#[derive(Debug)]
pub struct Document {
    rows: Vec<(String, Place, Node)>,
    asked: Vec<&'static str>,
}

impl Document {
    /// Parses a file; of one that is no TOML nothing is there to be taken.
    pub fn read(file: &str, text: &str, problems: &mut Vec<Problem>) -> Self {
        let rows = match parse(file, text) {
            Ok(Node { value: Tree::Table(rows), .. }) => rows,
            Ok(_) => Vec::new(),
            Err(problem) => {
                problems.push(problem);
                Vec::new()
            }
        };
        Document { rows, asked: Vec::new() }
    }

    /// The entries of a kind, in the order of the file.
    pub fn entries<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Vec<Entry<T>> {
        self.entries_within(kind, &[], problems)
    }

    /// The same, with the numbers that are possible.
    pub fn entries_within<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        limits: &Limits,
        problems: &mut Vec<Problem>,
    ) -> Vec<Entry<T>> {
        let rows = match self.section(kind) {
            Some(Node { value: Tree::Table(rows), .. }) => rows.as_slice(),
            Some(other) => {
                let found = other.value.kind();
                problems.push(Problem::new(&other.place, format!("expected `[{kind}.NAME]`, found {found}")));
                &[]
            }
            None => &[],
        };
        rows.iter().filter_map(|(id, place, node)| entry(id, place, node, limits, problems)).collect()
    }

    /// The items of a list of tables, `[[kind]]`, in the order of the file.
    pub fn items<T: DeserializeOwned>(
        &mut self,
        kind: &'static str,
        limits: &Limits,
        problems: &mut Vec<Problem>,
    ) -> Vec<Entry<T>> {
        let nodes = match self.section(kind) {
            Some(Node { value: Tree::List(nodes), .. }) => nodes.as_slice(),
            Some(other) => {
                let found = other.value.kind();
                problems.push(Problem::new(&other.place, format!("expected `[[{kind}]]`, found {found}")));
                &[]
            }
            None => &[],
        };
        let mut items: Vec<Entry<T>> = Vec::new();
        for node in nodes {
            let (id, place) = node.texts("id").into_iter().next().unwrap_or(("", &node.place));
            let Some(item) = entry(id, place, node, limits, problems) else { continue };
            // Tables cannot be written twice; items can.
            match items.iter().find(|known| known.id == id && !id.is_empty()) {
                Some(first) => {
                    let message = format!("the {kind} `{id}` is already written at {}", first.place);
                    problems.push(Problem::new(place, message));
                }
                None => items.push(item),
            }
        }
        items
    }

    /// A section that is one value, if the file has it.
    pub fn value<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        self.value_within(key, &[], problems)
    }

    /// The same, with the numbers that are possible.
    pub fn value_within<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        limits: &Limits,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        checked(self.section(key)?, limits, problems)
    }

    /// A section as written.
    pub fn node(&self, key: &str) -> Option<&Node> {
        self.rows.iter().find(|(name, ..)| name == key).map(|(.., node)| node)
    }

    /// Reports the sections that nobody asked for.
    pub fn finish(self, problems: &mut Vec<Problem>) {
        for (name, place, _) in &self.rows {
            if !self.asked.contains(&name.as_str()) {
                let near = hint(name, self.asked.iter().copied());
                problems.push(Problem::new(place, format!("unknown key `{name}` in this file{near}")));
            }
        }
    }

    fn section(&mut self, key: &'static str) -> Option<&Node> {
        self.asked.push(key);
        self.rows.iter().find(|(name, ..)| name == key).map(|(.., node)| node)
    }
}

fn entry<T: DeserializeOwned>(
    id: &str,
    place: &Place,
    node: &Node,
    limits: &Limits,
    problems: &mut Vec<Problem>,
) -> Option<Entry<T>> {
    let value = checked(node, limits, problems)?;
    Some(Entry { id: id.to_owned(), place: place.clone(), value, node: node.clone() })
}

/// Reads a node with the numbers that are possible. Of two mistakes in one place the number's is told: it says what
/// would be right. What has but such a number is read on with it, so that whoever uses it can tell what else is wrong.
fn checked<T: DeserializeOwned>(node: &Node, limits: &Limits, problems: &mut Vec<Problem>) -> Option<T> {
    let mut wrong = Vec::new();
    node.within(limits, &mut wrong);
    let read = read_all(node).map(Some).unwrap_or_else(|more: Vec<Problem>| {
        let known: Vec<Place> = wrong.iter().map(|problem| problem.place.clone()).collect();
        wrong.extend(more.into_iter().filter(|problem| !known.contains(&problem.place)));
        None
    });
    wrong.sort_by_key(|problem| (problem.place.line, problem.place.column));
    problems.append(&mut wrong);
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Beast {
        legs: u8,
    }

    fn told(text: &str) -> (usize, Vec<String>) {
        let mut problems = Vec::new();
        let mut file = Document::read("zoo.toml", text, &mut problems);
        let count = file.entries::<Beast>("beast", &mut problems).len();
        let items = file.items::<Beast>("swarm", &[], &mut problems).len();
        let one = file.value::<u8>("keepers", &mut problems).is_some();
        file.finish(&mut problems);
        (count + items + usize::from(one), problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_section_is_read_and_every_mistake_is_told() {
        let sound = "keepers = 2\n[beast.cat]\nlegs = 4\n[[swarm]]\nlegs = 6\n[[swarm]]\nlegs = 6\n";
        assert_eq!(told(sound), (4, vec![]));
        let wrong =
            "keepers = 300\nbird = 1\n[beast.cat]\nlegs = \"four\"\n[beast.dog]\n[[swarm]]\nlegs = -1\n";
        let (count, problems) = told(wrong);
        assert_eq!(count, 0);
        assert_eq!(
            problems,
            [
                "zoo.toml:4:8: invalid type: string \"four\", expected u8",
                "zoo.toml:5:1: the key `legs` is missing",
                "zoo.toml:7:8: invalid value: integer `-1`, expected u8",
                "zoo.toml:1:11: invalid value: integer `300`, expected u8",
                "zoo.toml:2:1: unknown key `bird` in this file; expected one of beast, keepers, swarm",
            ]
        );
    }

    #[test]
    fn numbers_that_are_not_possible_and_names_written_twice_are_told() {
        let mut problems = Vec::new();
        let text = "[[swarm]]\nid = \"ant\"\nlegs = 300\n[[swarm]]\nid = \"bee\"\n[[swarm]]\nid = \"bee\"\n\
                    [beast.cat]\nlegs = 0\ntail = { length = 99 }\n";
        let mut file = Document::read("zoo.toml", text, &mut problems);
        let limits = [("legs", 1..=8), ("tail.length", 0..=9)];
        file.items::<std::collections::BTreeMap<String, serde::de::IgnoredAny>>(
            "swarm",
            &limits,
            &mut problems,
        );
        let read = file.entries_within::<Beast>("beast", &limits, &mut problems);
        assert!(read.is_empty());
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "zoo.toml:3:8: expected a number from 1 to 8, found 300",
                "zoo.toml:7:6: the swarm `bee` is already written at zoo.toml:5:6",
                "zoo.toml:9:8: expected a number from 1 to 8, found 0",
                "zoo.toml:10:1: unknown key `tail`; expected one of legs",
                "zoo.toml:10:19: expected a number from 0 to 9, found 99",
            ]
        );
    }

    #[test]
    fn a_section_of_another_shape_is_told() {
        let (_, problems) = told("beast = 3\nswarm = {}\n");
        assert_eq!(
            problems,
            [
                "zoo.toml:1:9: expected `[beast.NAME]`, found an integer",
                "zoo.toml:2:9: expected `[[swarm]]`, found a table",
            ]
        );
        assert_eq!(told("[beast").1.len(), 1);
    }
}
