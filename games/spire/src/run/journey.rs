//! The game as the rules of the way between fights see it.

use std::ops::Deref;

use super::rulebook::Rulebook;
use crate::game::Spire;

/// The rules of the way, with what they look up at hand: the [`Rulebook`], and catalog and evaluator of the game.
#[derive(Clone, Copy, Debug)]
pub struct Journey<'g> {
    pub(super) game: &'g Spire,
}

impl Deref for Journey<'_> {
    type Target = Rulebook;

    fn deref(&self) -> &Rulebook {
        &self.game.rulebook
    }
}

impl Spire {
    /// The rules of the way between fights.
    pub fn journey(&self) -> Journey<'_> {
        Journey { game: self }
    }
}
