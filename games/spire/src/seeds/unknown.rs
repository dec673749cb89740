//! Unknown rooms: what they turn out to be, and which event comes.

use crate::floats::grown_chance;
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
    pub(crate) shrines: SmallVec<[EventNo; 6]>,
    /// Events that come once per run.
    pub(crate) one_time: SmallVec<[EventNo; 14]>,
}

impl EventLists {
    pub(super) fn new(tables: &Tables, act: u8, ascension: u8, rules: Rules) -> Self {
        let shown = |e: &EventNo| {
            let last = tables.facts(*e).and_then(|facts| facts.allowed.below_ascension);
            last.is_none_or(|last| ascension < last)
        };
        let mut lists = EventLists {
            act: SmallVec::new(),
            shrines: SmallVec::new(),
            one_time: tables.one_time.iter().copied().filter(shown).collect(),
        };
        lists.enter_act(tables, act, rules);
        lists
    }

    pub(super) fn enter_act(&mut self, tables: &Tables, act: u8, rules: Rules) {
        let known =
            |e: &EventNo| rules.original() || tables.facts(*e).is_none_or(|facts| facts.allowed.simulator);
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

/// Chances at first, in percent.
const MONSTER_START: i32 = 10;
const SHOP_START: i32 = 3;
const TREASURE_START: i32 = 2;

impl Misses {
    /// The chances in whole percents: fight, shop, chest.
    pub fn percents(&self) -> [i32; 3] {
        [
            grown_chance(MONSTER_START, self.monster),
            grown_chance(SHOP_START, self.shop),
            grown_chance(TREASURE_START, self.treasure),
        ]
    }

    /// The same as shares of a hundred: what comes first leaves less for the others. No shop comes after a shop.
    pub(crate) fn shares(&self, after_shop: bool) -> [i32; 3] {
        let [fight, shop, chest] = self.percents();
        let mut left = 100;
        [fight, if after_shop { 0 } else { shop }, chest].map(|percent| {
            let share = percent.min(left);
            left -= share;
            share
        })
    }

    fn note(&mut self, room: Room) {
        let count = |misses: u8, hit: bool| if hit { 0 } else { misses.saturating_add(1) };
        self.monster = count(self.monster, room == Room::Monster);
        self.shop = count(self.shop, room == Room::Shop);
        self.treasure = count(self.treasure, room == Room::Treasure);
    }
}

/// Relics that change unknown rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnknownRelics {
    /// Tiny Chest's count reached: this room is a treasure.
    pub(crate) treasure_due: bool,
    /// Juzu Bracelet: no fights.
    pub(crate) no_fights: bool,
}

impl Fate {
    /// What an unknown room turns out to be. `after_shop`: the room just left was a shop.
    pub fn resolve_unknown(&mut self, after_shop: bool, relics: UnknownRelics) -> Room {
        let k = self.streams.event.float().in_percent();
        let [monster, shop, treasure] = self.drift.unknown.shares(after_shop);
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
        let shrine_first = copy.chance(25) && shrines_left;
        let shrine = if shrine_first { self.draw_shrine(tables, holder, &mut copy) } else { None };
        // Shrines may be left of which none is allowed now.
        let event = match shrine {
            Some(shrine) => shrine,
            None => self.draw_act_event(tables, holder, &mut copy)?,
        };
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
    use crate::catalog::words::CardType;
    use crate::seeds::bench::{NOBODY, floating, original, relic, run};
    use crate::seeds::holder::DeckCard;
    use crate::seeds::{Misses, Streams};

    fn event(name: &str) -> EventNo {
        Tables::embedded().events.find(name).unwrap_or_else(|| panic!("no event {name}"))
    }

    /// What comes of a float just below so many hundredths, and the misses after it.
    fn resolved(hundredths: u8, after_shop: bool, relics: UnknownRelics) -> (Room, [i32; 3]) {
        let mut fate = original();
        fate.drift.unknown = Misses { monster: 1, shop: 1, treasure: 1 };
        let from = u32::from(hundredths) * 10;
        fate.streams.event = floating(from + 1, from + 9);
        let room = fate.resolve_unknown(after_shop, relics);
        assert_eq!(fate.streams.event.counter(), 1);
        (room, fate.drift.unknown.percents())
    }

    #[test]
    fn unknown_rooms_turn_out_by_shifting_odds() {
        let none = UnknownRelics::default();
        // Chances are 20, 6 and 4 percent here; what comes up starts anew, the others grow.
        assert_eq!(resolved(19, false, none), (Room::Monster, [10, 9, 6]));
        assert_eq!(resolved(20, false, none), (Room::Shop, [30, 3, 6]));
        assert_eq!(resolved(25, false, none), (Room::Shop, [30, 3, 6]));
        assert_eq!(resolved(26, false, none), (Room::Treasure, [30, 9, 2]));
        assert_eq!(resolved(29, false, none), (Room::Treasure, [30, 9, 2]));
        assert_eq!(resolved(30, false, none), (Room::Event, [30, 9, 6]));
        assert_eq!(resolved(20, true, none), (Room::Treasure, [30, 9, 2]), "no shop after a shop");
        let juzu = UnknownRelics { no_fights: true, ..none };
        assert_eq!(resolved(19, false, juzu), (Room::Event, [10, 9, 6]), "the chance of a fight starts anew");
        let chest = UnknownRelics { treasure_due: true, ..none };
        assert_eq!(resolved(99, false, chest), (Room::Treasure, [30, 9, 2]));
    }

    #[test]
    fn events_are_offered_when_they_are_allowed() {
        let bane = DeckCard {
            card: Tables::embedded().cards.find("ascenders_bane").expect("a card"),
            kind: CardType::Curse,
            basic: false,
            removable_curse: false,
        };
        let regret = DeckCard { removable_curse: true, ..bane };
        let (two, idol) = ([relic("anchor"), relic("lantern")], [relic("golden_idol")]);
        let act = |act| Holder { act, gold: 200, relics: &two, ..NOBODY };
        for (name, holder, allowed) in [
            ("dead_adventurer", Holder { floor: 6, ..NOBODY }, false),
            ("dead_adventurer", Holder { floor: 7, ..NOBODY }, true),
            ("hypnotizing_colored_mushrooms", Holder { floor: 6, ..NOBODY }, false),
            ("hypnotizing_colored_mushrooms", Holder { floor: 7, ..NOBODY }, true),
            ("the_cleric", Holder { gold: 34, ..NOBODY }, false),
            ("the_cleric", Holder { gold: 35, ..NOBODY }, true),
            ("old_beggar", Holder { gold: 74, ..NOBODY }, false),
            ("old_beggar", Holder { gold: 75, ..NOBODY }, true),
            ("the_moai_head", Holder { hp: 41, ..NOBODY }, false),
            ("the_moai_head", Holder { hp: 40, ..NOBODY }, true),
            ("the_moai_head", Holder { relics: &idol, ..NOBODY }, true),
            ("colosseum", Holder { row: 7, ..NOBODY }, false),
            ("colosseum", Holder { row: 8, ..NOBODY }, true),
            ("the_divine_fountain", NOBODY, false),
            ("the_divine_fountain", Holder { deck: &[bane], ..NOBODY }, false),
            ("the_divine_fountain", Holder { deck: &[regret], ..NOBODY }, true),
            ("designer_in_spire", act(1), false),
            ("designer_in_spire", act(2), true),
            ("designer_in_spire", act(3), true),
            ("designer_in_spire", Holder { gold: 74, ..act(2) }, false),
            ("duplicator", act(1), false),
            ("duplicator", act(2), true),
            ("duplicator", act(3), true),
            ("face_trader", act(1), true),
            ("face_trader", act(2), true),
            ("face_trader", act(3), false),
            ("knowing_skull", act(1), false),
            ("knowing_skull", Holder { hp: 12, ..act(2) }, false),
            ("knowing_skull", Holder { hp: 13, ..act(2) }, true),
            ("knowing_skull", act(3), false),
            ("nloth", Holder { relics: &two[..1], ..act(2) }, false),
            ("nloth", act(2), true),
            ("nloth", act(3), false),
            ("the_joust", Holder { gold: 49, ..act(2) }, false),
            ("the_joust", act(2), true),
            ("the_joust", act(1), false),
            ("the_woman_in_blue", Holder { gold: 49, ..NOBODY }, false),
            ("the_woman_in_blue", Holder { gold: 50, ..NOBODY }, true),
            ("secret_portal", act(2), false),
            ("secret_portal", act(3), true),
            ("big_fish", NOBODY, true),
        ] {
            let met = holder.may_meet(Tables::embedded(), event(name));
            assert_eq!(met, allowed, "{name}: {holder:?}");
        }
    }

    #[test]
    fn lists_depend_on_ascension_and_rules() {
        let lists = |ascension, rules| (*run(ascension, rules).events).clone();
        let note = event("note_for_yourself");
        assert!(lists(14, Rules::Original).one_time.contains(&note));
        assert!(!lists(15, Rules::Original).one_time.contains(&note));
        let pairs = event("match_and_keep");
        assert!(lists(0, Rules::Original).shrines.contains(&pairs));
        assert!(!lists(0, Rules::Simulator).shrines.contains(&pairs));
        for (rules, offered) in [(Rules::Original, true), (Rules::Simulator, false)] {
            let mut fate = run(0, rules);
            fate.next_act(Tables::embedded());
            assert_eq!(fate.events.act.contains(&event("colosseum")), offered);
        }
    }

    #[test]
    fn the_choice_of_an_event_draws_on_a_copy_and_takes_it_off_its_list() {
        for seed in 0..100 {
            let mut fate = original();
            fate.streams = Streams::new(seed);
            let before = fate.streams.event;
            let shrine = { before }.chance(25);
            let met = fate.choose_event(Tables::embedded(), &NOBODY).expect("an event");
            assert_eq!(fate.streams.event, before);
            let lists = &fate.events;
            assert!(
                ![&lists.act[..], &lists.shrines, &lists.one_time].iter().any(|list| list.contains(&met))
            );
            let of_the_act = Tables::embedded().act(1).events.contains(&met);
            assert_eq!(of_the_act, !shrine, "one in four is a shrine");
        }
    }

    #[test]
    fn a_used_up_list_gives_way_to_the_other() {
        let mut fate = original();
        (fate.events.edit().act, fate.streams.event) = (SmallVec::new(), floating(500, 1000));
        let before = fate.streams.event;
        let met = fate.choose_event(Tables::embedded(), &NOBODY).expect("a shrine");
        assert!(!Tables::embedded().act(1).events.contains(&met));
        assert_eq!(fate.streams.event, before);
        let mut fate = run(0, Rules::Simulator);
        (fate.events.edit().act, fate.streams.event) = (SmallVec::new(), before);
        fate.choose_event(Tables::embedded(), &NOBODY).expect("a shrine");
        assert_eq!(fate.streams.event.counter(), 1, "the simulator moves the real stream here");
        let mut fate = original();
        let lists = fate.events.edit();
        (lists.shrines, lists.one_time) = (SmallVec::new(), SmallVec::from_slice(&[event("nloth")]));
        fate.streams.event = floating(0, 250);
        let met = fate.choose_event(Tables::embedded(), &NOBODY);
        assert!(
            met.is_some_and(|met| Tables::embedded().act(1).events.contains(&met)),
            "no shrine is allowed"
        );
    }

    #[test]
    fn percents_show_single_precision_rounding() {
        let row = |start, n: u8| (0..n).map(|m| grown_chance(start, m)).collect::<Vec<_>>();
        assert_eq!(row(MONSTER_START, 10), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
        assert_eq!(row(SHOP_START, 14), [3, 6, 9, 12, 14, 18, 21, 24, 26, 29, 33, 36, 39, 42]);
        assert_eq!(row(TREASURE_START, 14), [2, 4, 6, 8, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27]);
    }
}
