//! Names and their numbers.

use std::collections::BTreeMap;

/// A two-way list of names: number to name and back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<String>,
    numbers: BTreeMap<String, u16>,
}

impl Names {
    /// A list: the numbers are the positions.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let numbers = names.iter().enumerate().map(|(number, name)| (name.clone(), number as u16)).collect();
        Names { names, numbers }
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
