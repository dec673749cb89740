//! Small worlds played in a few words, for the tests of rules.

use std::sync::Arc;

use turnstone::{Input, Match, Told, Trace};

use crate::action::{Action, Deed};
use crate::game::{Grid, Setup};
use crate::geometry::Point;
use crate::level::LevelFile;
use crate::ruleset::{Profile, Ruleset};
use crate::world::{Slot, World};

/// A match on a small level, and what was told of it.
pub(crate) struct Trial {
    played: Match<Grid, Trace<Grid>>,
    /// One sentence per fact since the last call of [`Trial::plays`].
    pub told: Vec<String>,
}

impl Trial {
    /// A level as text, header lines first, under the default rules; the floor is free.
    pub fn new(text: &str) -> Self {
        Self::under(Profile::SEED, text)
    }

    /// The same under another profile.
    pub fn under(profile: Profile, text: &str) -> Self {
        let level = LevelFile::from_text(&format!("floor: 0\n{text}")).unwrap().to_level().unwrap();
        let game = Arc::new(Grid::new(Ruleset::of(profile)));
        let played = Match::new(game, Setup::World(level.to_document()), 0).unwrap();
        Self { played, told: Vec::new() }
    }

    /// Plays deeds by name, separated by spaces.
    pub fn plays(mut self, deeds: &str) -> Self {
        self.told.clear();
        for name in deeds.split_whitespace() {
            let deed = Deed::named(name).unwrap();
            let moment = self.played.act(Input::Act(Action::step(deed))).unwrap();
            let events = self.played.entries(moment).iter().filter_map(|entry| entry.fact.event());
            let (game, state) = (self.played.game(), self.played.state());
            self.told.extend(events.map(|event| game.tell(state, event, &[])));
        }
        self
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.played.state().world
    }

    /// The agent.
    pub fn agent(&self) -> Slot {
        self.world().first_agent().unwrap()
    }

    /// Where the agent is.
    pub fn here(&self) -> (i32, i32) {
        self.of(self.agent())
    }

    /// The first thing of that look.
    pub fn find(&self, look: &str) -> Slot {
        let is = |slot: &Slot| self.world().cast.look(*slot).is_some_and(|found| found.name == look);
        self.world().entities().find(is).unwrap()
    }

    /// Where the first thing of that look is.
    pub fn place(&self, look: &str) -> (i32, i32) {
        self.of(self.find(look))
    }

    fn of(&self, slot: Slot) -> (i32, i32) {
        self.world().point(slot).map(|Point { x, y }| (x, y)).unwrap()
    }

    /// The notes of the last action, in words.
    pub fn notes(&self) -> Vec<String> {
        let (game, state) = (self.played.game(), self.played.state());
        let notes = self.played.notes(self.played.here());
        notes.map(|(_, note)| game.tell_note(state, note)).collect()
    }

    /// Whether a sentence that was told contains these words.
    pub fn tells(&self, words: &str) -> bool {
        self.told.iter().any(|sentence| sentence.contains(words))
    }
}
