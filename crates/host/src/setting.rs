//! What a player may choose when a match is opened. A game declares each setting once; help, menu,
//! lists, man page and completions are made from that.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Something with a name and a sentence about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name, as typed.
    pub id: String,
    /// One sentence.
    pub about: String,
}

impl Named {
    /// A name and a sentence.
    pub fn new(id: impl Into<String>, about: impl Into<String>) -> Self {
        Named { id: id.into(), about: about.into() }
    }
}

/// Something a player may choose when a match is opened, besides rules and set-up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The wish it becomes in an [`Opening`](crate::Opening); `--ID` on the command line.
    pub id: String,
    /// What a menu asks: `how hard?`
    pub question: String,
    /// One sentence, for help.
    pub about: String,
    /// What may be answered.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What may be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// One of these, the usual one first.
    Choices(Vec<Named>),
    /// A whole number.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// Without a wish.
        usual: i64,
    },
    /// Words in the game's own notation.
    Words {
        /// What stands without a wish; empty for nothing.
        usual: String,
    },
}

impl Setting {
    fn new(id: &str, question: &str, about: &str, answer: Answer) -> Self {
        Setting { id: id.to_owned(), question: question.to_owned(), about: about.to_owned(), answer }
    }

    /// One of several, the usual one first.
    pub fn choice(id: &str, question: &str, about: &str, choices: Vec<Named>) -> Self {
        Setting::new(id, question, about, Answer::Choices(choices))
    }

    /// A number.
    pub fn number(id: &str, question: &str, about: &str, range: RangeInclusive<i64>, usual: i64) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Setting::new(id, question, about, Answer::Number { min, max, usual })
    }

    /// Words in the game's own notation.
    pub fn words(id: &str, question: &str, about: &str, usual: &str) -> Self {
        Setting::new(id, question, about, Answer::Words { usual: usual.to_owned() })
    }

    /// What stands without a wish.
    pub fn usual(&self) -> String {
        match &self.answer {
            Answer::Choices(choices) => choices.first().map(|choice| choice.id.clone()).unwrap_or_default(),
            Answer::Number { usual, .. } => usual.to_string(),
            Answer::Words { usual } => usual.clone(),
        }
    }

    /// The choices, if it has any.
    pub fn choices(&self) -> &[Named] {
        match &self.answer {
            Answer::Choices(choices) => choices,
            Answer::Number { .. } | Answer::Words { .. } => &[],
        }
    }

    /// Whether this may be answered, as far as the declaration can tell.
    pub fn allows(&self, value: &str) -> bool {
        match &self.answer {
            Answer::Choices(choices) => choices.iter().any(|choice| choice.id == value),
            Answer::Number { min, max, .. } => {
                value.parse::<i64>().is_ok_and(|number| (*min..=*max).contains(&number))
            }
            Answer::Words { .. } => true,
        }
    }

    /// What may be answered, in words: `one of easy, normal`, `a number from 0 to 20`.
    pub fn allowed(&self) -> String {
        match &self.answer {
            Answer::Choices(choices) => {
                let known: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
                format!("one of {}", known.join(", "))
            }
            Answer::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Answer::Words { usual } if usual.is_empty() => "a text".to_owned(),
            Answer::Words { usual } => format!("a text such as {usual}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_knows_its_answers() {
        let hard = Setting::choice("hard", "how?", "", vec![Named::new("no", ""), Named::new("yes", "")]);
        assert_eq!((hard.usual().as_str(), hard.allows("yes"), hard.allows("maybe")), ("no", true, false));
        assert_eq!(hard.allowed(), "one of no, yes");
        let level = Setting::number("level", "which?", "", 0..=20, 3);
        assert_eq!((level.usual().as_str(), level.allows("20"), level.allows("21")), ("3", true, false));
        assert!(!level.allows("many") && level.choices().is_empty());
        let deck = Setting::words("deck", "which?", "", "");
        assert_eq!((deck.allows("anything"), deck.allowed().as_str()), (true, "a text"));
    }

    #[test]
    fn programs_read_the_answer_beside_the_name() {
        let level = serde_json::to_value(Setting::number("level", "which?", "How deep.", 0..=20, 3)).unwrap();
        assert_eq!(level["number"]["max"], 20);
        assert_eq!((&level["id"], &level["about"]), (&"level".into(), &"How deep.".into()));
    }
}
