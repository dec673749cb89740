//! The state of a run around its fights: where the player stands and what lies before him.

use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::effect::StepAt;
use super::plan::HandMade;
pub(crate) use crate::seeds::Shared;
use crate::seeds::{
    CardNo, CardOffer, CharacterNo, Chest, EventDetail, EventNo, Fate, FightNo, Place, PotionNo, RelicNo,
    Room, Rules, RunSetup, Stock, Tables,
};
use crate::state;

/// The tower around a fight, or nothing, if the fight is all there is. Whoever asks about the tower of such a fight
/// finds one in which nothing has happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Around(Option<Shared<Tower>>);

/// The tower of a fight of its own.
static NOWHERE: LazyLock<Tower> = LazyLock::new(|| {
    let setup = RunSetup { seed: 0, character: CharacterNo(0), ascension: 0, rules: Rules::Original };
    Tower::new(Fate::new(Tables::embedded(), setup))
});

impl Around {
    /// Inside this tower.
    pub fn new(tower: Tower) -> Self {
        Around(Some(Shared::new(tower)))
    }

    /// Whether there is no tower.
    #[inline]
    pub(crate) fn is_nowhere(&self) -> bool {
        self.0.is_none()
    }

    /// The same without what a climber may not know.
    pub(crate) fn blanked(&self, blank: fn(&mut Tower)) -> Self {
        Around(self.0.as_ref().map(|tower| tower.blanked(blank)))
    }

    /// The tower, to write to.
    pub fn edit(&mut self) -> &mut Tower {
        self.0.get_or_insert_with(|| Shared::new(NOWHERE.clone())).edit()
    }
}

impl Deref for Around {
    type Target = Tower;

    fn deref(&self) -> &Tower {
        match &self.0 {
            Some(tower) => tower,
            None => &NOWHERE,
        }
    }
}

impl DerefMut for Around {
    fn deref_mut(&mut self) -> &mut Tower {
        self.edit()
    }
}

/// The three keys to the last act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// From a campfire, in place of resting.
    Ruby,
    /// From a burning elite.
    Emerald,
    /// From a chest, in place of its relic.
    Sapphire,
}

/// What kind of fight it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FightKind {
    /// Normal.
    Monster,
    /// Elite.
    Elite,
    /// The boss.
    Boss,
    /// Begun by an event, which says what it pays.
    Event(StepAt),
}

/// The fight being fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighting {
    /// Which.
    pub fight: FightNo,
    /// What kind.
    pub kind: FightKind,
}

/// One thing on a reward screen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// Gold.
    Gold(u32),
    /// Gold that a thief had taken.
    StolenGold(u32),
    /// A relic.
    Relic(RelicNo),
    /// A potion.
    Potion(PotionNo),
    /// One of these cards.
    Cards(CardOffer),
    /// A key. The sapphire one takes the place of the relic before it.
    Key(Key),
}

/// A shop with what is left in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shop {
    /// The stock as it was made.
    pub stock: Stock,
    /// Cards sold, one bit each.
    pub cards_sold: u8,
    /// Relics sold, one bit each.
    pub relics_sold: u8,
    /// Potions sold, one bit each.
    pub potions_sold: u8,
    /// A card was removed here.
    pub removed: bool,
}

/// An event under way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EventScreen {
    /// Which.
    pub event: EventNo,
    /// The node it stands at.
    pub node: u8,
    /// What was drawn on entry.
    pub detail: Option<EventDetail>,
    /// Most hit points on entry: the event's fractions are taken of them, whatever it adds on the way.
    pub max_hp: i16,
    /// The event's three variables.
    pub counts: [u8; 3],
    /// Relics drawn by the event.
    pub relics: SmallVec<[RelicNo; 2]>,
    /// Cells of the memory game that are open, one bit each, and tries left.
    pub open: u16,
    /// Tries left in the memory game.
    pub tries: u8,
}

impl EventScreen {
    /// Whether a cell of the memory game is face up: found, or the first of a try.
    pub fn shows(&self, cell: usize) -> bool {
        self.open >> cell & 1 == 1 || usize::from(self.counts[0]) == cell + 1
    }
}

/// What the player looks at; no screen at all is the map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// Neow and his offers.
    Neow,
    /// An event.
    Event(EventScreen),
    /// Rewards to take or leave.
    Rewards(Vec<Reward>),
    /// Three relics to take one of.
    BossChest([RelicNo; 3]),
    /// A campfire.
    Rest,
    /// A chest that is still closed.
    Chest(Chest),
    /// A shop.
    Shop(Box<Shop>),
}

/// How far an act is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// On the way to the boss.
    #[default]
    Climbing,
    /// The boss is beaten; so many fights of the two at ascension 20 are done.
    BossBeaten(u8),
    /// The boss chest was reached.
    Chest,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Dead.
    Died,
    /// The third act was won.
    Won,
    /// The heart was beaten.
    Heart,
}

/// What is counted for the score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Normal fights won.
    pub fights: u16,
    /// Elites beaten, by act.
    pub elites: [u8; 4],
    /// Bosses beaten.
    pub bosses: u8,
    /// Elites beaten without a wound from them.
    pub(crate) elites_unharmed: u8,
    /// Bosses beaten without a wound from them.
    pub(crate) bosses_unharmed: u8,
    /// The damage of the hardest attack.
    pub(crate) hardest_blow: i16,
    /// The most cards played in one turn.
    pub(crate) cards_in_a_turn: u8,
    /// Unknown rooms seen.
    pub unknown: u8,
    /// Gold gained.
    pub gold_gained: u32,
    /// Gold at the start of the fight.
    pub(crate) gold_before: i32,
}

impl Tally {
    /// Takes over what a fight counted; `gold` is what the player has after it.
    pub fn note(&mut self, counts: &state::Counts, gold: i32) {
        self.hardest_blow = self.hardest_blow.max(counts.hardest_blow);
        self.cards_in_a_turn = self.cards_in_a_turn.max(counts.most_played);
        let gained = (gold - self.gold_before).max(0) as u32;
        self.gold_gained = self.gold_gained.saturating_add(gained);
    }

    /// Counts a fight that was won.
    pub(crate) fn beat(&mut self, kind: FightKind, act: u8, harmed: bool) {
        let unharmed = u8::from(!harmed);
        match kind {
            FightKind::Elite => {
                self.elites[usize::from(act).clamp(1, 4) - 1] += 1;
                self.elites_unharmed += unharmed;
            }
            FightKind::Boss => {
                self.bosses += 1;
                self.bosses_unharmed += unharmed;
            }
            _ => self.fights += 1,
        }
    }
}

/// The tower around the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tower {
    /// Everything the seed decides.
    pub fate: Fate,
    /// Where on the map; nowhere before the first room of an act.
    pub place: Option<Place>,
    /// The way through this act.
    pub path: SmallVec<[Place; 16]>,
    /// What the room really was.
    pub room: Option<Room>,
    /// How far the act is.
    pub progress: Progress,
    /// The hand-made map, if the run is on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_made: Option<Shared<HandMade>>,
    /// What the player looks at, the last on top.
    pub screens: SmallVec<[Screen; 2]>,
    /// The fight being fought.
    pub fighting: Option<Fighting>,
    /// Gold that thieves of the last fight gave back.
    pub stolen: u32,
    /// Keys found, one bit each.
    pub keys: u8,
    /// Cards the merchant removed.
    pub(crate) removals: u8,
    /// Cards on offer in a question.
    pub offer: Vec<CardNo>,
    /// The answer to the question that waits.
    pub answer: Option<u16>,
    /// Counted for the score.
    pub tally: Tally,
    /// A sandbox, in which an operator may change things.
    #[serde(default)]
    pub sandbox: bool,
    /// How it ended.
    pub end: Option<End>,
    /// The fight that was lost.
    pub killer: Option<FightNo>,
}

impl Tower {
    /// A tower that nobody has set foot in.
    pub fn new(fate: Fate) -> Self {
        Tower {
            fate,
            place: None,
            path: SmallVec::new(),
            room: None,
            progress: Progress::Climbing,
            hand_made: None,
            screens: SmallVec::new(),
            fighting: None,
            stolen: 0,
            keys: 0,
            removals: 0,
            offer: Vec::new(),
            answer: None,
            tally: Tally::default(),
            sandbox: false,
            end: None,
            killer: None,
        }
    }

    /// Whether a key was found.
    pub fn has_key(&self, key: Key) -> bool {
        self.keys >> (key as u8) & 1 == 1
    }

    /// All three keys.
    pub fn has_all_keys(&self) -> bool {
        self.keys & 7 == 7
    }

    /// What the player looks at.
    pub fn screen(&self) -> Option<&Screen> {
        self.screens.last()
    }

    /// The event on top, if it is one.
    pub fn event(&self) -> Option<&EventScreen> {
        match self.screens.iter().rev().find(|s| matches!(s, Screen::Event(_))) {
            Some(Screen::Event(event)) => Some(event),
            _ => None,
        }
    }

    /// The event on top, to write to.
    pub fn event_mut(&mut self) -> Option<&mut EventScreen> {
        match self.screens.iter_mut().rev().find(|s| matches!(s, Screen::Event(_))) {
            Some(Screen::Event(event)) => Some(event),
            _ => None,
        }
    }

    /// The room on the map where the player stands.
    pub(crate) fn shown_room(&self) -> Option<Room> {
        self.place.and_then(|p| self.fate.map.node(p).room)
    }

    /// Whether a boss waits on this map.
    pub(crate) fn has_boss(&self) -> bool {
        self.hand_made.is_none() || self.fate.map.nodes().any(|(_, node)| node.room == Some(Room::Boss))
    }

    /// Whether the player is in a last room of a hand-made map.
    pub(crate) fn at_end_of_map(&self) -> bool {
        let last = |p: Place| p.y >= self.fate.boss_row() || self.fate.map.node(p).leads_out();
        self.hand_made.is_some() && self.room.is_some() && self.place.is_some_and(last)
    }

    /// Whether the player stands on the burning elite.
    pub(crate) fn at_burning_elite(&self) -> bool {
        let burning = self.fate.map.burning.map(|(p, _)| p);
        burning.is_some() && burning == self.place && !self.has_key(Key::Emerald)
    }
}
