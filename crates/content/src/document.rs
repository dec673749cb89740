//! A content file, section by section.

use serde::de::DeserializeOwned;

use crate::node::{Node, Tree, parse};
use crate::place::{Place, Problem};
use crate::{hint, read};

/// What a file says under one name: `[kind.id]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<T> {
    /// The name as typed.
    pub id: String,
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub value: T,
}

/// A content file whose sections are taken one after the other; what nobody takes is a mistake. An entry with a
/// mistake is reported and left out, and the others are read all the same.
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
        let rows = match self.section(kind) {
            Some(Node { value: Tree::Table(rows), .. }) => rows.as_slice(),
            Some(other) => {
                let found = other.value.kind();
                problems.push(Problem::new(&other.place, format!("expected `[{kind}.NAME]`, found {found}")));
                &[]
            }
            None => &[],
        };
        let mut entries = Vec::new();
        for (id, place, node) in rows {
            match read(node) {
                Ok(value) => entries.push(Entry { id: id.clone(), place: place.clone(), value }),
                Err(problem) => problems.push(problem),
            }
        }
        entries
    }

    /// The items of a list of tables, `[[kind]]`, in the order of the file.
    pub fn items<T: DeserializeOwned>(&mut self, kind: &'static str, problems: &mut Vec<Problem>) -> Vec<T> {
        let nodes = match self.section(kind) {
            Some(Node { value: Tree::List(nodes), .. }) => nodes.as_slice(),
            Some(other) => {
                let found = other.value.kind();
                problems.push(Problem::new(&other.place, format!("expected `[[{kind}]]`, found {found}")));
                &[]
            }
            None => &[],
        };
        let read_one = |node| read(node).map_err(|problem| problems.push(problem)).ok();
        nodes.iter().filter_map(read_one).collect()
    }

    /// A section that is one value, if the file has it.
    pub fn value<T: DeserializeOwned>(
        &mut self,
        key: &'static str,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let node = self.section(key)?;
        read(node).map_err(|problem| problems.push(problem)).ok()
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
        let items = file.items::<Beast>("swarm", &mut problems).len();
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
