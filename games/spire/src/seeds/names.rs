//! Names and their numbers.

use std::collections::BTreeMap;

use super::tables::TableError;

/// A two-way list of names: number to name and back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    kind: &'static str,
    names: Vec<String>,
    numbers: BTreeMap<String, u16>,
    closed: bool,
}

impl Names {
    /// An empty list that numbers names as they are met.
    pub fn open(kind: &'static str) -> Self {
        Names { kind, ..Names::default() }
    }

    /// A finished list: the numbers are the positions, other names are errors.
    pub fn closed<S: Into<String>>(kind: &'static str, names: impl IntoIterator<Item = S>) -> Self {
        let mut list = Names::open(kind);
        for name in names {
            list.push(name.into());
        }
        list.closed = true;
        list
    }

    fn push(&mut self, name: String) -> u16 {
        let number = self.names.len() as u16;
        self.numbers.insert(name.clone(), number);
        self.names.push(name);
        number
    }

    pub(super) fn number<T: From<u16>>(&mut self, name: &str) -> Result<T, TableError> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(T::from(number));
        }
        if self.closed {
            return Err(TableError::Unknown { kind: self.kind, name: name.to_owned() });
        }
        Ok(T::from(self.push(name.to_owned())))
    }

    pub(super) fn numbers<T: From<u16>>(&mut self, names: &[String]) -> Result<Vec<T>, TableError> {
        names.iter().map(|name| self.number(name)).collect()
    }

    /// The number of a name.
    pub fn find<T: From<u16>>(&self, name: &str) -> Option<T> {
        self.numbers.get(name).map(|&n| T::from(n))
    }

    /// The name of a number; "?" for a number out of range.
    pub fn name(&self, number: impl Into<usize>) -> &str {
        self.names.get(number.into()).map_or("?", String::as_str)
    }

    /// All names, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.iter().map(String::as_str)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
