//! From a seed to a run, number by number as in the original.
//!
//! A seed text decides Neow's offers, the maps, the fights, the order of relics and, together with what
//! the player does, every reward. [`Fate`] holds all of it as plain data; its methods are the draws.
//!
//! ```
//! use turnstone_spire::seeds::{Fate, Rules, RunSetup, Tables, seed_from_text};
//! let setup = RunSetup {
//!     seed: seed_from_text("1").unwrap(),
//!     character: Tables::embedded().characters.find("ironclad").unwrap(),
//!     ascension: 0,
//!     rules: Rules::Original,
//! };
//! let fate = Fate::new(Tables::embedded(), setup);
//! let first = fate.fights.monsters.iter().map(|fight| Tables::embedded().fights.name(*fight));
//! assert!(first.take(3).eq(["cultist", "jaw_worm", "small_slimes"]));
//! ```
//!
//! Words: a *stream* is one source of numbers with a counter; a *pool* is a shuffled list of relics; a
//! *fight* is a group of monsters; *rules* are the original's or those of the simulator behind the
//! recorded files, which differ in a dozen named places.

#[cfg(test)]
mod bench;
mod change;
mod entry;
mod fate;
mod fights;
mod holder;
mod ids;
mod java;
mod map;
mod names;
mod neow;
mod relics;
mod rewards;
mod shared;
mod shop;
mod stream;
mod tables;
mod text;
mod unknown;

pub use change::FateChange;
pub use entry::EventDetail;
pub use fate::{Fate, RunSetup};
pub use fights::Fights;
pub use holder::{DeckCard, Holder};
pub(crate) use ids::GiftNo;
pub use ids::{CardNo, CharacterNo, EventNo, FightNo, PotionNo, Rarity, RelicNo, Rules, Tier};
pub use java::{Java, java_shuffle};
pub use map::{BOSS_ROW, Burning, HEIGHT, Map, MapSteps, Node, OUT, Place, Room, columns};
pub(crate) use map::{PATHS, WIDTH};
pub use names::Names;
pub use neow::{NeowGift, NeowOption};
pub(crate) use relics::RelicPools;
pub use relics::{End, Pool};
pub(crate) use rewards::POTION_CHANCE;
pub use rewards::{CardOdds, CardOffer, Chest, ChestSize, OfferedCard};
pub(crate) use shared::Shared;
pub use shop::{ShopCard, ShopRelic, Stock, price, removal_price};
pub use stream::{Stream, Streams};
pub(crate) use tables::Hardship;
pub use tables::{Entry, Tables};
pub use text::{read_seed, seed_from_text, seed_to_text};
pub(crate) use unknown::Misses;
pub use unknown::UnknownRelics;
