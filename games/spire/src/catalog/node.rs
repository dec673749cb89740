//! TOML with places: every value knows its file, line and column, so that each mistake in content can be
//! reported where it stands, together with the nearest valid name.

use std::fmt;
use toml::de::{DeTable, DeValue};

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file's name as the author knows it.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A mistake in a content file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What is wrong and what to write instead.
    pub message: String,
}

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

/// Turns byte offsets of one file into places.
struct Lines<'a> {
    file: &'a str,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(file: &'a str, text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { file, text, starts }
    }

    fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Place { file: self.file.to_string(), line: line as u32, column: column as u32 + 1 }
    }

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

impl Problem {
    /// A key that must be there is not.
    pub(super) fn lack(place: &Place, key: &str) -> Self {
        Problem { place: place.clone(), message: format!("the key `{key}`{LACKS}") }
    }

    /// Whether it is that a key is not there.
    pub(super) fn is_lack(&self) -> bool {
        self.message.ends_with(LACKS)
    }
}

const LACKS: &str = " is missing";

/// The candidate nearest to `word`, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + word.chars().count() / 3;
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "; did you mean `x`?" or the list of what is allowed.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(found) => format!("; did you mean `{found}`?"),
        None => {
            let mut all: Vec<&str> = candidates.into_iter().collect();
            if all.is_empty() {
                return "; there is none at all".to_owned();
            }
            all.sort_unstable();
            all.dedup();
            let more = if all.len() > 24 { ", …" } else { "" };
            all.truncate(24);
            format!("; expected one of {}{more}", all.join(", "))
        }
    }
}

/// Edit distance with transpositions of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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

    #[test]
    fn the_nearest_name_is_close_or_none() {
        assert_eq!(nearest("atack", ["attack", "block"]), Some("attack"));
        assert_eq!(nearest("energy_gain", ["attack", "block"]), None);
    }
}
