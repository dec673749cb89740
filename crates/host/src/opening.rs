//! How a match is to be opened, as data. Games open no files: whoever stands outermost reads them and
//! hands their texts over, so that nothing a player wishes for can reach into a disk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A text with the name that messages call it by: a file that somebody else has read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// A path or name; its ending tells what is in it.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Source {
    /// A name and a text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }
}

/// How a match is to be opened.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Which rules: a name of [`Hosted::rulesets`](crate::Hosted::rulesets), or what a match file's
    /// header holds.
    pub ruleset: Option<Value>,
    /// Content that overlays what is built in, in order; a game passes over endings it has no use for.
    pub content: Vec<Source>,
    /// Which set-up: a name of [`Hosted::setups`](crate::Hosted::setups), a text in the game's own
    /// notation, or the name of one of `files`.
    pub setup: Option<String>,
    /// Further wishes, such as `difficulty=hard`; each game declares its own.
    pub wishes: Vec<(String, String)>,
    /// Texts that the set-up and the wishes may name, such as a level of one's own.
    pub files: Vec<Source>,
    /// The seed of the dice.
    pub seed: u64,
    /// How things are numbered, by a match file's header: a game whose facts name entries of its content by number
    /// numbers them so, and what is not named there behind them. So content that has grown since renumbers nothing.
    pub numbering: Numbering,
}

/// For every kind of thing that facts name by number, the names in the order of the numbers.
pub type Numbering = BTreeMap<String, Vec<String>>;

/// Puts entries of a kind in the order of a numbering; what it does not name stays behind, as it was.
pub fn number<T>(numbering: &Numbering, kind: &str, entries: &mut [T], id: impl Fn(&T) -> &str) {
    let Some(names) = numbering.get(kind) else { return };
    let mut places = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        places.entry(name.as_str()).or_insert(place);
    }
    entries.sort_by_key(|entry| places.get(id(entry)).copied().unwrap_or(usize::MAX));
}

impl Opening {
    /// The text of the file of that name, if it was handed over.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|file| file.name == name).map(|file| file.text.as_str())
    }

    /// The set-up in words: the text of the file that it names, or else itself.
    pub fn setup_text(&self) -> Option<&str> {
        let setup = self.setup.as_deref()?;
        Some(self.file(setup).unwrap_or(setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_up_is_the_file_it_names_or_itself() {
        let files = vec![Source::new("a.txt", "the text"), Source::new("b.txt", "another")];
        let opening =
            |setup: &str| Opening { setup: Some(setup.into()), files: files.clone(), ..Opening::default() };
        assert_eq!(opening("a.txt").setup_text(), Some("the text"));
        assert_eq!(opening("start").setup_text(), Some("start"));
        assert_eq!(Opening::default().setup_text(), None);
    }

    #[test]
    fn what_a_numbering_does_not_name_comes_behind() {
        let numbering =
            Numbering::from([("card".into(), vec!["c".into(), "gone".into(), "a".into(), "c".into()])]);
        let mut cards = vec!["a", "aa", "b", "c"];
        number(&numbering, "card", &mut cards, |card| card);
        assert_eq!(cards, ["c", "a", "aa", "b"]);
        number(&numbering, "relic", &mut cards, |card| card);
        assert_eq!(cards, ["c", "a", "aa", "b"], "a kind that is not numbered stays as it is");
    }
}
