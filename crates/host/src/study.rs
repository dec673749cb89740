//! What a game tells to whoever looks at many matches of it: what choices are about, and which changes of a set-up are
//! worth a try.

use serde::{Deserialize, Serialize};
use turnstone::Seat;

/// What an input is about: a card that is taken, an option of an event, an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Of which kind: `card`.
    pub kind: &'static str,
    /// Which.
    pub name: String,
    /// What it can be compared with, to see what it does by itself.
    pub against: Against,
}

/// What a choice is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// With nothing here: it is only counted.
    Nothing,
    /// With declining, which is the input of that number.
    Input(usize),
    /// With the other topics of its kind that are offered now.
    Rivals,
}

impl Topic {
    /// Something that is only counted here.
    pub fn counted(kind: &'static str, name: impl Into<String>) -> Self {
        Topic { kind, name: name.into(), against: Against::Nothing }
    }

    /// Something to be compared with the others of its kind.
    pub fn rival(kind: &'static str, name: impl Into<String>) -> Self {
        Topic { kind, name: name.into(), against: Against::Rivals }
    }

    /// Something that can be declined by the input of that number.
    pub fn declined_by(kind: &'static str, name: impl Into<String>, input: usize) -> Self {
        Topic { kind, name: name.into(), against: Against::Input(input) }
    }
}

/// A small change of a set-up: a piece more, an ability less. Played with and without it on the same seeds, it shows
/// what the thing is worth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Graft {
    /// Whose worth it is that is looked at.
    pub seat: Seat,
    /// Of which kind: `ability`.
    pub kind: String,
    /// Which.
    pub name: String,
    /// The thing is taken away, not added: its worth is what is lost.
    pub removes: bool,
}

impl Graft {
    /// A thing that a seat gets.
    pub fn adding(seat: Seat, kind: &str, name: impl Into<String>) -> Self {
        Graft { seat, kind: kind.to_owned(), name: name.into(), removes: false }
    }

    /// A thing that a seat loses.
    pub fn removing(seat: Seat, kind: &str, name: impl Into<String>) -> Self {
        Graft { seat, kind: kind.to_owned(), name: name.into(), removes: true }
    }
}
