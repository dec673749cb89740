//! What a draw changed: the part of an event that says where chance stands now.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::{Drift, Fate};
use super::fights::Fights;
use super::ids::{CardNo, EventNo, RelicNo, Tier};
use super::map::Map;
use super::shared::Shared;
use super::stream::{Stream, Streams};
use super::unknown::EventLists;

/// The difference between two moments of a [`Fate`]: new counters, what left its pool or list, new chances.
///
/// ```
/// use turnstone_spire::seeds::{CharacterNo, Fate, FateChange, Rules, RunSetup, Tables};
/// let setup = RunSetup { seed: 7, character: CharacterNo(0), ascension: 3, rules: Rules::Original };
/// let before = Fate::new(Tables::embedded(), setup);
/// let mut after = before.clone();
/// after.potion_drop(Tables::embedded(), after.potion_chance(), 1);
/// let change = FateChange::between(&before, &after);
/// let mut folded = before;
/// change.apply(&mut folded);
/// assert_eq!(folded, after);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FateChange {
    /// Streams that moved, by their place in [`Streams`].
    #[serde(skip_serializing_if = "SmallVec::is_empty")]
    pub streams: SmallVec<[(u8, Stream); 2]>,
    /// Chances that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// Relics that left their pools.
    #[serde(skip_serializing_if = "SmallVec::is_empty")]
    pub relics: SmallVec<[RelicNo; 4]>,
    /// Events that left their lists.
    #[serde(skip_serializing_if = "SmallVec::is_empty")]
    pub events: SmallVec<[EventNo; 2]>,
    /// Fights met: normal, elite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<(u8, u8)>,
    /// The memory game's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colorless: Option<Vec<CardNo>>,
    /// Everything of a new act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Box<NewAct>>,
}

/// What an act brings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NewAct {
    /// Its number.
    pub act: u8,
    /// Its map.
    pub map: Map,
    /// Its fights.
    pub fights: Fights,
    /// Its events.
    pub events: EventLists,
}

impl FateChange {
    /// What changed.
    pub fn between(before: &Fate, after: &Fate) -> FateChange {
        let fights = (after.fights.monsters_met, after.fights.elites_met);
        let new_lists =
            before.act != after.act || before.fights.monsters.len() != after.fights.monsters.len();
        let act = new_lists.then(|| {
            Box::new(NewAct {
                act: after.act,
                map: *after.map,
                fights: (*after.fights).clone(),
                events: (*after.events).clone(),
            })
        });
        FateChange {
            streams: moved_streams(&before.streams, &after.streams),
            drift: (before.drift != after.drift).then_some(after.drift),
            relics: gone_relics(before, after),
            events: if act.is_some() { SmallVec::new() } else { gone_events(&before.events, &after.events) },
            met: (fights != (before.fights.monsters_met, before.fights.elites_met)).then_some(fights),
            colorless: (before.colorless != after.colorless).then(|| after.colorless.clone()),
            act,
        }
    }

    /// What changed, if only streams can have.
    pub(crate) fn of_streams(before: &Streams, after: &Streams) -> FateChange {
        FateChange { streams: moved_streams(before, after), ..FateChange::default() }
    }

    /// Writes the change.
    pub fn apply(&self, fate: &mut Fate) {
        let mut streams = streams_mut(&mut fate.streams);
        for (place, new) in &self.streams {
            if let Some(stream) = streams.get_mut(usize::from(*place)) {
                **stream = *new;
            }
        }
        if let Some(drift) = self.drift {
            fate.drift = drift;
        }
        self.relics.iter().for_each(|r| fate.relics.forget(*r));
        self.events.iter().for_each(|e| fate.events.forget(*e));
        if let Some((monsters, elites)) = self.met {
            (fate.fights.monsters_met, fate.fights.elites_met) = (monsters, elites);
        }
        if let Some(colorless) = &self.colorless {
            fate.colorless.clone_from(colorless);
        }
        if let Some(act) = &self.act {
            fate.act = act.act;
            *fate.map = act.map;
            *fate.fights = act.fights.clone();
            *fate.events = act.events.clone();
        }
    }
}

fn streams(s: &Streams) -> [&Stream; 13] {
    [
        &s.neow,
        &s.monster,
        &s.relic,
        &s.treasure,
        &s.potion,
        &s.card,
        &s.merchant,
        &s.event,
        &s.misc,
        &s.shuffle,
        &s.card_random,
        &s.ai,
        &s.monster_hp,
    ]
}

fn streams_mut(s: &mut Streams) -> [&mut Stream; 13] {
    [
        &mut s.neow,
        &mut s.monster,
        &mut s.relic,
        &mut s.treasure,
        &mut s.potion,
        &mut s.card,
        &mut s.merchant,
        &mut s.event,
        &mut s.misc,
        &mut s.shuffle,
        &mut s.card_random,
        &mut s.ai,
        &mut s.monster_hp,
    ]
}

/// All are compared before any is copied: which of them moved is different every time.
fn moved_streams(before: &Streams, after: &Streams) -> SmallVec<[(u8, Stream); 2]> {
    let (old, new) = (streams(before), streams(after));
    let mut left =
        (0..old.len()).fold(0_u16, |moved, place| moved | u16::from(old[place].differs(new[place])) << place);
    let mut moved = SmallVec::with_capacity(left.count_ones() as usize);
    while left != 0 {
        let place = left.trailing_zeros();
        moved.push((place as u8, *new[place as usize]));
        left &= left - 1;
    }
    moved
}

fn gone_relics(before: &Fate, after: &Fate) -> SmallVec<[RelicNo; 4]> {
    let mut gone = SmallVec::new();
    if Shared::is_one(&before.relics, &after.relics) {
        return gone;
    }
    for &tier in Tier::ALL {
        let (old, new) = (before.relics.pool(tier), after.relics.pool(tier));
        gone.extend(gone_of(old, new));
    }
    gone
}

fn gone_events(before: &Shared<EventLists>, after: &Shared<EventLists>) -> SmallVec<[EventNo; 2]> {
    if Shared::is_one(before, after) {
        return SmallVec::new();
    }
    let act = gone_of(&before.act, &after.act);
    let shrines = gone_of(&before.shrines, &after.shrines);
    act.chain(shrines).chain(gone_of(&before.one_time, &after.one_time)).collect()
}

/// What left a list. Nothing changes places, so both can be walked side by side.
fn gone_of<'l, T: Copy + PartialEq>(old: &'l [T], new: &'l [T]) -> impl Iterator<Item = T> + 'l {
    let old = if old.len() == new.len() { &[] } else { old };
    let mut left = new.iter().peekable();
    old.iter().filter(move |entry| left.next_if_eq(entry).is_none()).copied()
}
