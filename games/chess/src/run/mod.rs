//! The roguelike run: three acts of a branching map with fights, elites, shops,
//! events and bosses. You lead White; every fight is a match of this game, and
//! every random step comes from the seed and is in the log.

mod fight;
mod fits;
mod map;
mod meeting;
mod offer;
pub(crate) mod relic;
mod rules;
mod scene;
mod words;

pub use map::{Node, NodeKind};
pub use offer::Offer;
pub(crate) use words::{coins, kind_text};

use crate::ability::{AbilityId, Stack};
use crate::at::At;
use crate::catalog::{Catalog, MapEventId, ROWS_MAX, RelicId};
use crate::color::Color;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::state::known;
use crate::tile::Tile;
use serde::{Deserialize, Serialize};
use turnstone::Outcome;
use turnstone::dice::{Dice, Stream};

/// The dice of the run; fights themselves roll none.
const STREAM: Stream = Stream::named("chess/run");

/// How a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSetup {
    /// How many acts, from 1 to 3.
    pub acts: u8,
    /// Added to every enemy's budget, from 0 to 10.
    pub difficulty: u8,
    /// A seed of its own, such as the day's; the match's seed is not used then.
    pub daily: Option<u64>,
}

impl Default for RunSetup {
    fn default() -> RunSetup {
        RunSetup { acts: 3, difficulty: 0, daily: None }
    }
}

/// The seed of a day's run, the same for everybody: year, month and day as one number.
pub const fn daily_seed(day: u32) -> u64 {
    (day as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x7475_726e_7374_6f6e
}

/// Where the run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// On the map: choose where to go.
    Map,
    /// In a fight.
    Fight,
    /// After a fight: take one of the rewards.
    Reward,
    /// In a shop.
    Shop,
    /// At a map event.
    Event(MapEventId),
    /// The last boss has fallen.
    Won,
    /// A fight was lost.
    Lost,
}

/// One of your pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// What it is.
    pub kind: Kind,
    /// Its abilities, outermost first.
    pub layers: Stack,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The seed of its dice.
    pub seed: u64,
    /// How often they were rolled.
    pub rolled: u64,
    /// How it was started.
    pub setup: RunSetup,
    /// Where it is.
    pub phase: Phase,
    /// The act, from 1.
    pub act: u8,
    /// The map of the act.
    pub map: Vec<Node>,
    /// Which node of the map you are on.
    pub here: Option<u8>,
    /// Was the fight there lost and survived? Then it can only be fought again.
    pub retry: bool,
    /// Was the fight there drawn? A second draw loses it.
    #[serde(default)]
    pub drawn: bool,
    /// Fights won, plus one.
    pub round: u8,
    /// Your money.
    pub money: i32,
    /// Your pieces; the king is first.
    pub roster: Vec<Member>,
    /// What changes the rules for you.
    pub relics: Vec<RelicId>,
    /// What can be taken or bought now.
    pub offers: Vec<Offer>,
}

/// A step between fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunAction {
    /// Go to a node of the map.
    Travel(u8),
    /// Take or buy an offer.
    Take(u8),
    /// Take or buy an ability for a member of the roster.
    Give {
        /// Which offer.
        offer: u8,
        /// For whom.
        member: u8,
    },
    /// Sell a member of the roster.
    Sell(u8),
    /// Accept what a map event proposes.
    Accept,
    /// Go back to the map.
    Leave,
}

/// A proposed step of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEffect {
    /// Go to a node.
    Travel(u8),
    /// Set up the fight of the node.
    Fight,
    /// Open the shop of the node.
    Shop,
    /// Open the event of the node.
    Event,
    /// Take or buy an offer, for a member or for nobody.
    Take(u8, Option<u8>),
    /// Sell a member.
    Sell(u8),
    /// Accept a map event.
    Accept,
    /// Do one of the things that a map event does.
    Do {
        /// Which event.
        event: MapEventId,
        /// Which of its deeds.
        deed: u8,
    },
    /// Leave for the map.
    Leave,
    /// Go on to the next act.
    NextAct,
    /// The fight is over; stands for one of those that follow.
    FightOver,
    /// A fight is won.
    Win,
    /// A fight comes to nothing.
    Stall,
    /// A fight is lost, and the run with it.
    Lose,
    /// A fight is lost, and a relic breaks in place of the run.
    Survive(RelicId),
    /// The last boss falls.
    Finish,
}

/// A piece on the board of a fight that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stand {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub owner: Color,
    /// Where it stands.
    pub at: At,
    /// Its abilities, outermost first.
    pub layers: Stack,
}

/// A fact of the run, with everything that chance has decided. Those for which dice were rolled also carry
/// the dice's new counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEvent {
    /// Arrived at a node.
    Travelled(u8),
    /// A fight was set up.
    FightBegan {
        /// How many squares the board has on a side.
        side: u8,
        /// Everybody's place.
        pieces: Vec<Stand>,
        /// The tiles that are not standard.
        tiles: Vec<(At, Tile)>,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A shop opened.
    ShopOpened {
        /// What it sells.
        offers: Vec<Offer>,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A map event was met.
    EventMet {
        /// Which one.
        event: MapEventId,
        /// The dice's new counter.
        rolled: u64,
    },
    /// An offer was taken, for a member or for nobody.
    Taken {
        /// Which offer.
        offer: u8,
        /// For whom.
        member: Option<u8>,
        /// What was paid.
        paid: i32,
        /// What it was.
        what: Offer,
    },
    /// A member was sold.
    Sold {
        /// Who.
        member: u8,
        /// What it was.
        kind: Kind,
        /// What was paid for it.
        price: i32,
    },
    /// A map event was accepted.
    Accepted {
        /// Which one.
        event: MapEventId,
    },
    /// Coins were paid.
    Paid {
        /// How many.
        coins: i32,
    },
    /// Coins were earned.
    Earned {
        /// How many.
        coins: i32,
    },
    /// A coin was tossed.
    Tossed {
        /// Did it fall well?
        won: bool,
        /// What money there is now.
        money: i32,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A member received an ability.
    Blessed {
        /// Who.
        member: u8,
        /// Which ability.
        ability: AbilityId,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A piece joined the roster.
    Joined {
        /// What it is.
        kind: Kind,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A member became another kind.
    Became {
        /// Who.
        member: u8,
        /// What it was.
        from: Kind,
        /// What it is.
        to: Kind,
    },
    /// Left for the map.
    Left,
    /// A fight was won.
    FightWon {
        /// The prize.
        money: i32,
        /// The rewards, one of which may be taken.
        offers: Vec<Offer>,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A fight was lost, and a relic broke instead of the run.
    Survived {
        /// Which relic.
        relic: RelicId,
    },
    /// A fight came to nothing; it must be fought again, and a second draw would lose it.
    Stalled,
    /// A boss fell: a new act, and its map.
    ActBegan {
        /// Which act.
        act: u8,
        /// Its map.
        map: Vec<Node>,
        /// The dice's new counter.
        rolled: u64,
    },
    /// The run is won.
    RunWon,
    /// The run is lost.
    RunLost,
}

impl Run {
    /// Is a fight on?
    pub fn is_fighting(&self) -> bool {
        self.phase == Phase::Fight
    }

    /// Is the run over?
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Won | Phase::Lost)
    }

    /// How the run ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Won => Some(Outcome::Won(0)),
            Phase::Lost => Some(Outcome::Lost),
            _ => None,
        }
    }

    /// Has this relic been found?
    pub fn has(&self, relic: RelicId) -> bool {
        self.relics.contains(&relic)
    }

    /// The node you are on.
    pub fn node(&self) -> Option<&Node> {
        self.map.get(usize::from(self.here?))
    }

    /// The nodes you can go to, by number.
    pub fn reachable(&self) -> Vec<u8> {
        if let (true, Some(here)) = (self.retry, self.here) {
            return vec![here];
        }
        let open = |(i, node): (usize, &Node)| {
            let reached = match self.node() {
                None => node.row == 0,
                Some(here) => node.row == here.row + 1 && here.leads_to(node.column),
            };
            reached.then_some(i as u8)
        };
        self.map.iter().enumerate().filter_map(open).collect()
    }

    /// Could a run really be so? Asked of states that come from outside.
    pub(crate) fn check(&self, catalog: &Catalog) -> Result<(), BadInput> {
        let nodes =
            self.map.len() < 256 && self.map.iter().all(|node| node.row <= ROWS_MAX as u8 && node.column < 3);
        let here = self.here.is_none_or(|here| usize::from(here) < self.map.len());
        let numbers = (1..=3).contains(&self.act)
            && (1..=3).contains(&self.setup.acts)
            && self.setup.difficulty <= 10
            && self.round >= 1
            && self.money.abs() < 1_000_000;
        if !nodes || !here || !numbers || self.roster.len() > 64 || self.offers.len() > 64 {
            return Err(BadInput::new("run.state", "run", "This is no state that a run can be in."));
        }
        for member in &self.roster {
            known(catalog, member.kind, &member.layers, "roster")?;
        }
        if !self.offers.iter().all(|offer| offer.is_known(catalog)) {
            return Err(BadInput::new("run.offer", "offers", "This offer names nothing in the catalog."));
        }
        let event = match self.phase {
            Phase::Event(event) => catalog.map_event(event).is_some(),
            Phase::Map | Phase::Fight | Phase::Reward | Phase::Shop | Phase::Won | Phase::Lost => true,
        };
        if !event || !self.relics.iter().all(|relic| catalog.relic(*relic).is_some()) {
            return Err(BadInput::new(
                "run.name",
                "run",
                "A relic or event of this run is not in the catalog.",
            ));
        }
        Ok(())
    }

    fn dice(&self) -> Dice {
        Dice::new(self.seed, STREAM, self.rolled)
    }
}
