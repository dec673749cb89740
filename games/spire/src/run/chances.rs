//! Chances on the way, and why each is what it is: what an unknown room turns out to be, what a fight leaves, what an
//! event risks. The rules roll against the same numbers.
//!
//! Those of potions and rare cards are hidden from the player, as in the original: whoever may see everything can ask.

use super::journey::Journey;
use crate::catalog::compile::{Num, Op, Program};
use crate::catalog::words::{Prevent, Stage};
use crate::seeds::{CardOdds, RelicNo, Room, UnknownRelics};
use crate::state::State;

/// Something that may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// The next unknown room is such a room: a fight, a shop, a chest.
    Unknown(Room),
    /// A fight leaves a potion.
    Potion,
    /// A card of such a reward is rare.
    Rare(CardOdds),
    /// A card of a reward that is not rare is upgraded.
    Upgraded,
}

/// A chance in percent, with a line for whoever made it what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// Percent.
    pub percent: i32,
    /// `at first: 10`, `Golden Idol: 10 → 12`; what nobody changed needs no reason.
    pub why: Vec<String>,
}

impl Odds {
    fn first(percent: i32) -> Odds {
        Odds { percent, why: Vec::new() }
    }

    fn to(&mut self, who: &str, percent: i32) {
        if percent == self.percent {
            return;
        }
        if self.why.is_empty() {
            self.why.push(format!("at first: {}", self.percent));
        }
        self.why.push(format!("{who}: {} → {percent}", self.percent));
        self.percent = percent;
    }

    /// No chance is less than none or more than certain.
    fn bounded(mut self) -> Odds {
        self.to("there is no more", self.percent.clamp(0, 100));
        self
    }
}

impl Journey<'_> {
    /// How likely something is, and why.
    pub fn odds(&self, s: &State, chance: Chance) -> Odds {
        match chance {
            Chance::Unknown(room) => self.unknown_odds(s, room),
            Chance::Potion => {
                let mut odds = Odds::first(crate::seeds::POTION_CHANCE);
                odds.to("fights with one and without", s.tower.fate.potion_chance());
                self.by_relics(s, Stage::PotionChance, &mut odds);
                odds.bounded()
            }
            Chance::Rare(CardOdds::Boss) => Odds::first(100),
            Chance::Rare(kind) => {
                let (rare, _) = kind.bounds();
                let mut odds = Odds::first(rare);
                self.altering(s, Stage::RareChance, 1, |place, factor| {
                    odds.to(&self.relic_at(s, place), rare * factor);
                });
                let waited = odds.percent - i32::from(s.tower.fate.drift.rarity_offset);
                odds.to("cards that were offered so far", waited);
                odds.bounded()
            }
            Chance::Upgraded => {
                let (usual, now) = s.tower.fate.upgrade_percents(&self.tables);
                let mut odds = Odds::first(usual);
                odds.to(&format!("ascension {}", s.run.ascension), now);
                odds
            }
        }
    }

    fn by_relics(&self, s: &State, stage: Stage, odds: &mut Odds) {
        self.altering(s, stage, odds.percent, |place, number| odds.to(&self.relic_at(s, place), number));
    }

    fn relic_at(&self, s: &State, place: u8) -> String {
        let relic = s.run.relics.get(usize::from(place));
        relic.map_or_else(String::new, |owned| self.relic_name(RelicNo(owned.id)))
    }

    /// What changes unknown rooms: a chest that is due, fights that are none.
    pub(super) fn unknown_relics(&self, s: &State) -> UnknownRelics {
        UnknownRelics {
            treasure_due: self.altered(s, Stage::TreasureDue, 0) > 0,
            no_fights: self.prevents(s, Prevent::QuestionFight),
        }
    }

    fn unknown_odds(&self, s: &State, room: Room) -> Odds {
        let (fate, after_shop) = (&s.tower.fate, s.tower.room == Some(Room::Shop));
        let of = |shares: [i32; 3]| match room {
            Room::Monster => shares[0],
            Room::Shop => shares[1],
            Room::Treasure => shares[2],
            Room::Event | Room::Elite | Room::Rest | Room::Boss => 100 - shares.iter().sum::<i32>(),
        };
        let mut odds = Odds::first(of(crate::seeds::Misses::default().shares(false)));
        odds.to("unknown rooms so far", of(fate.drift.unknown.shares(false)));
        odds.to("no shop after a shop", of(fate.drift.unknown.shares(after_shop)));
        let relics = self.unknown_relics(s);
        if relics.treasure_due {
            let mut due = String::new();
            self.altering(s, Stage::TreasureDue, 0, |place, _| due = self.relic_at(s, place));
            odds.to(&due, of([0, 0, 100]));
        } else if relics.no_fights {
            let stops = |owned: &&crate::state::OwnedRelic| {
                self.ward(s, RelicNo(owned.id), Prevent::QuestionFight, None).is_some()
            };
            let who = s.run.relics.iter().find(stops).map(|owned| self.relic_name(RelicNo(owned.id)));
            let [_, shop, treasure] = fate.drift.unknown.shares(after_shop);
            odds.to(&who.unwrap_or_default(), of([0, shop, treasure]));
        }
        odds
    }

    /// What an unknown room may turn out to be, in words, with the reasons.
    pub(crate) fn unknown_words(&self, s: &State) -> String {
        let all = [
            ("a fight", Room::Monster),
            ("a shop", Room::Shop),
            ("a chest", Room::Treasure),
            ("an event", Room::Event),
        ];
        let mut lines = Vec::new();
        for (what, room) in all {
            let odds = self.odds(s, Chance::Unknown(room));
            lines.push(format!("{what}: {} %", odds.percent));
            lines.extend(odds.why.iter().map(|line| format!("{what} · {line}")));
        }
        lines.join("\n")
    }

    /// The chances that the steps of an event take, with the reasons of those that are not as they are at first.
    pub fn event_odds(&self, s: &State, program: Program) -> Vec<Odds> {
        let mut found = Vec::new();
        for op in self.steps(program) {
            let within: &[Program] = match op {
                Op::Chance { percent, hit, miss } => {
                    found.push(self.percent_odds(s, program, *percent));
                    &[*hit, *miss]
                }
                Op::SearchFinds { percent } => {
                    found.push(self.percent_odds(s, program, *percent));
                    &[]
                }
                Op::If { then, otherwise, .. } => &[*then, *otherwise],
                Op::Repeat { program, .. } => &[*program],
                Op::OneOf { lists } => lists,
                _ => &[],
            };
            found.extend(within.iter().flat_map(|inner| self.event_odds(s, *inner)));
        }
        found
    }

    fn percent_odds(&self, s: &State, program: Program, percent: Num) -> Odds {
        let value = |s: &State| self.game.num(percent, &self.within(s, program, 0)).clamp(0, 100);
        let mut anew = s.clone();
        if let Some(event) = anew.tower.edit().event_mut() {
            event.counts = [0; 3];
        }
        let mut lowest = anew.clone();
        lowest.run.ascension = 0;
        let mut odds = Odds::first(value(&lowest));
        odds.to(&format!("ascension {}", s.run.ascension), value(&anew));
        odds.to("what was tried here before", value(s));
        odds
    }

    /// The reasons of an option's chances, a line each.
    pub(super) fn event_odds_words(&self, s: &State, program: Program) -> String {
        let told = self.event_odds(s, program).into_iter().flat_map(|odds| odds.why);
        told.map(|line| format!("chance · {line}")).collect::<Vec<_>>().join("\n")
    }
}
