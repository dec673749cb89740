//! Notes: why a number is what it is, written down by whoever makes or changes it, when he does.

use serde::{Deserialize, Serialize};

/// Who made or changed a number, from what, to what. The notes of an event stand in the order in which the
/// number came about: the last one holds what it became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note<W> {
    /// Who, and which number of the event, in the game's own terms.
    pub who: W,
    /// What it was before; `None` for who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// What it became.
    pub to: i64,
}

/// Where the notes on one effect are left. Nobody reads them when nothing is recorded; then leaving one does
/// nothing.
///
/// ```
/// # use turnstone::{Note, Notes};
/// let mut notes = Notes::wanted();
/// notes.made("Strike", 6);
/// notes.changed("Strength", 6, 8);
/// assert_eq!(notes.list()[1], Note { who: "Strength", from: Some(6), to: 8 });
///
/// let mut nobody_reads = Notes::unwanted();
/// nobody_reads.made("Strike", 6);
/// assert!(nobody_reads.list().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Notes<W> {
    wanted: bool,
    list: Vec<Note<W>>,
}

impl<W> Notes<W> {
    /// Keeps what is left.
    pub fn wanted() -> Self {
        Notes { wanted: true, list: Vec::new() }
    }

    /// Keeps nothing.
    pub fn unwanted() -> Self {
        Notes { wanted: false, list: Vec::new() }
    }

    /// An empty sheet, kept or not as these are: for the reasons of something that is yet to be proposed. See
    /// [`Proposals::because`](crate::Proposals::because).
    #[inline]
    pub fn sheet(&self) -> Self {
        Notes { wanted: self.wanted, list: Vec::new() }
    }

    /// Whether anybody will read them: ask before doing work for a note.
    #[inline]
    pub fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// A number was made.
    #[inline]
    pub fn made(&mut self, who: W, to: impl Into<i64>) {
        if self.wanted {
            self.list.push(Note { who, from: None, to: to.into() });
        }
    }

    /// A number was changed. If it stayed the same there is nothing to say.
    #[inline]
    pub fn changed(&mut self, who: W, from: impl Into<i64>, to: impl Into<i64>) {
        if self.wanted {
            let (from, to) = (from.into(), to.into());
            if from != to {
                self.list.push(Note { who, from: Some(from), to });
            }
        }
    }

    /// What was left so far, in order.
    pub fn list(&self) -> &[Note<W>] {
        &self.list
    }

    #[inline]
    pub(crate) fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
        self.list.clear();
    }

    #[inline]
    pub(crate) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// Takes over notes that were left elsewhere.
    pub(crate) fn extend(&mut self, notes: impl IntoIterator<Item = Note<W>>) {
        self.list.extend(notes);
    }

    pub(crate) fn into_list(self) -> Vec<Note<W>> {
        self.list
    }

    /// Forgets those left before the first `count`.
    pub(crate) fn forget_first(&mut self, count: usize) {
        self.list.drain(..count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_kept_only_where_somebody_reads_them() {
        for (mut notes, wanted) in [(Notes::wanted(), true), (Notes::unwanted(), false)] {
            assert_eq!((notes.are_wanted(), notes.sheet().are_wanted()), (wanted, wanted));
            notes.made("Strike", 6);
            notes.changed("Strength", 6, 8);
            notes.changed("Luck", 8, 8);
            assert_eq!(notes.list().len(), if wanted { 2 } else { 0 }, "what stays the same is no note");
        }
    }

    #[test]
    fn the_first_are_forgotten_and_the_others_stay_in_order() {
        let mut notes = Notes::wanted();
        "abc".chars().for_each(|who| notes.made(who, 1));
        notes.forget_first(2);
        assert_eq!(notes.list(), [Note { who: 'c', from: None, to: 1 }]);
    }
}
