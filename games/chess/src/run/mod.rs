//! The roguelike run: three acts of a branching map with fights, elites, shops,
//! events and bosses. You lead White; every fight is a match of this game, and
//! every random step comes from the seed and is in the log.

mod fight;
mod map;
mod offer;
mod rules;
mod scene;
mod words;

pub use map::{Node, NodeKind};
pub use offer::{Offer, Relic};
pub(crate) use words::kind_text;

use crate::ability::Stack;
use crate::catalog::Catalog;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::state::known;
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
    /// At a map event, by its number.
    Event(u8),
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
    pub relics: Vec<Relic>,
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
    Take(u8, u8),
    /// Sell a member.
    Sell(u8),
    /// Accept a map event.
    Accept,
    /// Leave for the map.
    Leave,
    /// Go on to the next act.
    NextAct,
    /// The fight is over.
    FightOver,
}

/// A fact of the run. Those that rolled carry the dice's new counter; what was
/// rolled follows from the seed and the counter before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunEvent {
    /// Arrived at a node.
    Travelled(u8),
    /// A fight was set up.
    FightBegan {
        /// The dice's new counter.
        rolled: u64,
    },
    /// A shop opened.
    ShopOpened {
        /// The dice's new counter.
        rolled: u64,
    },
    /// A map event was met.
    EventMet {
        /// Which one.
        event: u8,
        /// The dice's new counter.
        rolled: u64,
    },
    /// An offer was taken, for a member or for nobody.
    Taken {
        /// Which offer.
        offer: u8,
        /// For whom; 255 for nobody.
        member: u8,
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
        event: u8,
        /// The member it changed; 255 for nobody.
        member: u8,
        /// Did the coin fall well, if one was tossed?
        won: bool,
        /// What money there is now.
        money: i32,
        /// The dice's new counter.
        rolled: u64,
    },
    /// Left for the map.
    Left,
    /// A fight was won.
    FightWon {
        /// The prize.
        money: i32,
        /// The dice's new counter.
        rolled: u64,
    },
    /// A fight was lost, and a relic broke instead of the run.
    Survived,
    /// A fight came to nothing; it must be fought again, and a second draw would lose it.
    Stalled,
    /// A boss fell: a new act, and its map.
    ActBegan {
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
    pub fn has(&self, relic: Relic) -> bool {
        self.relics.contains(&relic)
    }

    /// How many pieces the roster can hold.
    pub fn roster_limit(&self) -> usize {
        if self.has(Relic::Barracks) { 16 } else { 12 }
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
        let nodes = self.map.iter().all(|node| node.row <= map::ROWS && node.column < 3);
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
        for offer in &self.offers {
            let sound = match offer {
                Offer::Piece(kind) => usize::from(kind.0) < catalog.pieces.len(),
                Offer::Ability(ability) => usize::from(ability.0) < catalog.abilities.len(),
                Offer::Relic(_) | Offer::Money(0..=1000) => true,
                Offer::Money(_) => false,
            };
            if !sound {
                return Err(BadInput::new("run.offer", "offers", "This offer names nothing in the catalog."));
            }
        }
        Ok(())
    }

    fn dice(&self) -> Dice {
        Dice::new(self.seed, STREAM, self.rolled)
    }
}
