//! TOML with places.

use std::ops::RangeInclusive;

use toml::de::{DeTable, DeValue};

use crate::near::hint;
use crate::place::{Lines, Place, Problem};

/// A TOML value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Tree,
    /// Where it stands.
    pub place: Place,
}

/// The value of a [`Node`]; tables keep the order of the file.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A string.
    Text(String),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// An array.
    List(Vec<Node>),
    /// A table: key, its place, value.
    Table(Vec<(String, Place, Node)>),
}

impl Tree {
    /// What an author would call this kind of value.
    pub fn kind(&self) -> &'static str {
        match self {
            Tree::Text(_) => "a string",
            Tree::Int(_) => "an integer",
            Tree::Float(_) => "a decimal number",
            Tree::Bool(_) => "true or false",
            Tree::List(_) => "an array",
            Tree::Table(_) => "a table",
        }
    }
}

impl Node {
    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.row(key).map(|(.., node)| node)
    }

    /// Where a key stands, if this is a table that has it.
    pub fn key(&self, key: &str) -> Option<&Place> {
        self.row(key).map(|(_, place, _)| place)
    }

    /// Reports the numbers that are none of those that are possible: keys with the least and the most. A path such as
    /// `alter.price` leads into tables.
    pub fn within(&self, limits: &[(&str, RangeInclusive<i64>)], problems: &mut Vec<Problem>) {
        for (path, range) in limits {
            let found = path.split('.').try_fold(self, |node, key| node.get(key));
            let Some(Node { value: Tree::Int(number), place }) = found else { continue };
            if !range.contains(number) {
                problems.push(Problem::beyond(place, range, *number));
            }
        }
    }

    /// The texts of a key that holds a list of them, or one, each with its place.
    pub fn texts(&self, key: &str) -> Vec<(&str, &Place)> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let items = match &node.value {
            Tree::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let texts = items.iter().filter_map(|item| match &item.value {
            Tree::Text(name) => Some((name.as_str(), &item.place)),
            _ => None,
        });
        texts.collect()
    }

    /// Where a word stands: the first text in here that is the word, or has it among its own.
    pub fn spot(&self, word: &str) -> Option<Place> {
        match &self.value {
            Tree::Text(text) if text == word => Some(self.place.clone()),
            Tree::Text(text) => {
                let parts = text.split([' ', ':', ',']).any(|part| part == word);
                let before = text.find(word).filter(|_| parts && !word.is_empty())?;
                // Behind the quotation mark.
                Some(self.place.right(1 + text[..before].chars().count()))
            }
            Tree::List(items) => items.iter().find_map(|item| item.spot(word)),
            Tree::Table(rows) => rows.iter().find_map(|(.., node)| node.spot(word)),
            Tree::Int(_) | Tree::Float(_) | Tree::Bool(_) => None,
        }
    }

    fn row(&self, key: &str) -> Option<&(String, Place, Node)> {
        match &self.value {
            Tree::Table(rows) => rows.iter().find(|(name, ..)| name == key),
            _ => None,
        }
    }
}

/// Parses one file.
///
/// # Errors
/// The syntax error of the TOML reader, with its place.
pub fn parse(file: &str, text: &str) -> Result<Node, Problem> {
    let lines = Lines::new(file, text);
    match DeTable::parse(text) {
        Ok(table) => Ok(lines.table(table.get_ref(), table.span().start)),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            Err(Problem { place: lines.place(at), message: error.message().to_string() })
        }
    }
}

impl Lines<'_> {
    fn table(&self, table: &DeTable<'_>, at: usize) -> Node {
        let mut rows: Vec<_> = table.iter().collect();
        rows.sort_by_key(|(key, _)| key.span().start);
        let rows = rows
            .into_iter()
            .map(|(key, value)| {
                let place = self.place(key.span().start);
                (key.get_ref().to_string(), place, self.value(value.get_ref(), value.span().start))
            })
            .collect();
        Node { value: Tree::Table(rows), place: self.place(at) }
    }

    fn value(&self, value: &DeValue<'_>, at: usize) -> Node {
        let tree = match value {
            DeValue::String(text) => Tree::Text(text.to_string()),
            DeValue::Integer(number) => Tree::Int(
                i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).unwrap_or(i64::MAX),
            ),
            DeValue::Float(number) => Tree::Float(number.as_str().parse().unwrap_or(0.0)),
            DeValue::Boolean(flag) => Tree::Bool(*flag),
            DeValue::Datetime(date) => Tree::Text(date.to_string()),
            DeValue::Array(list) => {
                Tree::List(list.iter().map(|item| self.value(item.get_ref(), item.span().start)).collect())
            }
            DeValue::Table(table) => return self.table(table, at),
        };
        Node { value: tree, place: self.place(at) }
    }
}

/// Reads one table key by key; what nobody asked for is reported by [`Fields::finish`].
pub struct Fields<'a> {
    rows: &'a [(String, Place, Node)],
    asked: Vec<&'static str>,
    /// The table's place.
    pub place: Place,
}

impl<'a> Fields<'a> {
    /// Opens a table; anything else is a problem.
    pub fn open(node: &'a Node, problems: &mut Vec<Problem>) -> Option<Self> {
        match &node.value {
            Tree::Table(rows) => Some(Fields { rows, asked: Vec::new(), place: node.place.clone() }),
            other => {
                problems.push(Problem {
                    place: node.place.clone(),
                    message: format!("expected a table, found {}", other.kind()),
                });
                None
            }
        }
    }

    /// The value of a key, if it is there.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        self.rows.iter().find(|(name, ..)| name == key).map(|(.., node)| node)
    }

    /// The first row whose key is one of `keys`.
    pub fn first_of(&mut self, keys: &[&'static str]) -> Option<(&'static str, &'a Node)> {
        self.asked.extend_from_slice(keys);
        self.rows
            .iter()
            .find_map(|(name, _, node)| keys.iter().find(|key| *key == name).map(|key| (*key, node)))
    }

    /// All keys of the table.
    pub fn keys(&self) -> impl Iterator<Item = (&'a str, &'a Place, &'a Node)> + use<'a> {
        self.rows.iter().map(|(name, place, node)| (name.as_str(), place, node))
    }

    /// Reports every key that was never asked for.
    pub fn finish(self, what: &str, problems: &mut Vec<Problem>) {
        for (name, place, _) in self.rows {
            if !self.asked.contains(&name.as_str()) {
                let message =
                    format!("unknown key `{name}` in {what}{}", hint(name, self.asked.iter().copied()));
                problems.push(Problem { place: place.clone(), message });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_columns_from_one() {
        let node = parse("a.toml", "[card.x]\ncost = 1\ndo = [{ attack = 6 }]\n").unwrap();
        let Tree::Table(rows) = &node.value else { panic!() };
        let Tree::Table(cards) = &rows[0].2.value else { panic!() };
        let Tree::Table(fields) = &cards[0].2.value else { panic!() };
        assert_eq!((fields[1].0.as_str(), fields[1].1.line, fields[1].1.column), ("do", 3, 1));
        assert_eq!((fields[1].2.place.line, fields[1].2.place.column), (3, 6));
    }
}
