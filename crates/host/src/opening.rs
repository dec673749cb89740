//! How a match is to be opened, as data. Games open no files: whoever stands outermost reads them and
//! hands their texts over, so that nothing a player wishes for can reach into a disk.

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
}
