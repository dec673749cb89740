//! Unknown rooms: what they turn out to be, and which event comes.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{EventNo, Rules};
use super::map::Room;
use super::stream::Stream;
use super::tables::Tables;

/// The event lists of a run; an event leaves its list when it is met.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EventLists {
    /// Events of this act.
    pub act: SmallVec<[EventNo; 13]>,
    /// Shrines of this act.
    pub shrines: SmallVec<[EventNo; 6]>,
    /// Events that come once per run.
    pub one_time: SmallVec<[EventNo; 14]>,
}

impl EventLists {
    pub(super) fn new(tables: &Tables, act: u8, ascension: u8, rules: Rules) -> Self {
        let hidden = |e: &EventNo| ascension >= 15 && tables.below_ascension_15.contains(e);
        let mut lists = EventLists {
            act: SmallVec::new(),
            shrines: SmallVec::new(),
            one_time: tables.one_time.iter().copied().filter(|e| !hidden(e)).collect(),
        };
        lists.enter_act(tables, act, rules);
        lists
    }

    pub(super) fn enter_act(&mut self, tables: &Tables, act: u8, rules: Rules) {
        let known = |e: &EventNo| rules.original() || !tables.not_in_simulator.contains(e);
        let lists = tables.act(act);
        self.act = lists.events.iter().copied().filter(known).collect();
        self.shrines = lists.shrines.iter().copied().filter(known).collect();
    }

    pub(super) fn forget(&mut self, event: EventNo) {
        self.act.retain(|e| *e != event);
        self.shrines.retain(|e| *e != event);
        self.one_time.retain(|e| *e != event);
    }
}

/// How often in a row an unknown room was not a fight, a shop, a chest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Misses {
    /// Fights.
    pub monster: u8,
    /// Shops.
    pub shop: u8,
    /// Chests.
    pub treasure: u8,
}

const MONSTER_START: f32 = 0.1;
const SHOP_START: f32 = 0.03;
const TREASURE_START: f32 = 0.02;

impl Misses {
    /// The chances in whole percents: fight, shop, chest.
    pub fn percents(&self) -> [i32; 3] {
        [
            percent(MONSTER_START, self.monster),
            percent(SHOP_START, self.shop),
            percent(TREASURE_START, self.treasure),
        ]
    }

    fn note(&mut self, room: Room) {
        let count = |misses: u8, hit: bool| if hit { 0 } else { misses.saturating_add(1) };
        self.monster = count(self.monster, room == Room::Monster);
        self.shop = count(self.shop, room == Room::Shop);
        self.treasure = count(self.treasure, room == Room::Treasure);
    }
}

/// The start value added up in single precision: rounding shows in the whole percents.
fn percent(start: f32, misses: u8) -> i32 {
    let mut chance = start;
    for _ in 0..misses {
        chance += start;
    }
    (chance * 100.0_f32) as i32
}

/// Relics that change unknown rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnknownRelics {
    /// Tiny Chest's count reached: this room is a treasure.
    pub treasure_due: bool,
    /// Juzu Bracelet: no fights.
    pub no_fights: bool,
}

impl Fate {
    /// What an unknown room turns out to be. `after_shop`: the room just left was a shop.
    pub fn resolve_unknown(&mut self, after_shop: bool, relics: UnknownRelics) -> Room {
        let k = (self.streams.event.float() * 100.0_f32) as i32;
        let [monster, shop, treasure] = self.drift.unknown.percents();
        let shop = if after_shop { 0 } else { shop };
        let rolled = match k {
            _ if relics.treasure_due => Room::Treasure,
            k if k < monster => Room::Monster,
            k if k < monster + shop => Room::Shop,
            k if k < monster + shop + treasure => Room::Treasure,
            _ => Room::Event,
        };
        self.drift.unknown.note(rolled);
        if rolled == Room::Monster && relics.no_fights { Room::Event } else { rolled }
    }

    /// Which event comes; `None` only if every list is used up.
    ///
    /// The choice is drawn on a copy: the stream itself does not move.
    pub fn choose_event(&mut self, tables: &Tables, holder: &Holder<'_>) -> Option<EventNo> {
        let mut copy = self.streams.event;
        let shrines_left = !(self.events.shrines.is_empty() && self.events.one_time.is_empty());
        let shrine_first = copy.chance(0.25) && shrines_left;
        let chosen = if shrine_first {
            self.draw_shrine(tables, holder, &mut copy)
        } else {
            self.draw_act_event(tables, holder, &mut copy)
        };
        let event = chosen?;
        self.events.forget(event);
        Some(event)
    }

    fn draw_shrine(&self, tables: &Tables, holder: &Holder<'_>, stream: &mut Stream) -> Option<EventNo> {
        let one_time = self.events.one_time.iter().filter(|e| holder.may_meet(tables, **e));
        let candidates: SmallVec<[EventNo; 20]> =
            self.events.shrines.iter().chain(one_time).copied().collect();
        pick(&candidates, stream)
    }

    fn draw_act_event(&mut self, tables: &Tables, holder: &Holder<'_>, copy: &mut Stream) -> Option<EventNo> {
        let act = self.events.act.iter().copied();
        let candidates: SmallVec<[EventNo; 16]> = act.filter(|e| holder.may_meet(tables, *e)).collect();
        if let Some(event) = pick(&candidates, copy) {
            return Some(event);
        }
        if self.rules.original() {
            return self.draw_shrine(tables, holder, copy);
        }
        // The simulator lets the real stream move in this one case.
        let mut real = self.streams.event;
        let event = self.draw_shrine(tables, holder, &mut real);
        self.streams.event = real;
        event
    }
}

fn pick(candidates: &[EventNo], stream: &mut Stream) -> Option<EventNo> {
    if candidates.is_empty() { None } else { Some(candidates[stream.index(candidates.len())]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_show_single_precision_rounding() {
        let row = |start, n: u8| (0..n).map(|m| percent(start, m)).collect::<Vec<_>>();
        assert_eq!(row(MONSTER_START, 10), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(row(SHOP_START, 14), [3, 6, 9, 12, 14, 18, 21, 24, 26, 29, 33, 36, 39, 42]);
        assert_eq!(row(TREASURE_START, 14), [2, 4, 6, 8, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27]);
    }
}
