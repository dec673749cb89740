//! From a seed to a run, number by number as in the original.
//!
//! A seed text decides Neow's offers, the maps, the fights, the order of relics and, together with what
//! the player does, every reward. [`Fate`] holds all of it as plain data; its methods are the draws.
//!
//! ```
//! use turnstone_spire::seeds::{Rules, RunSetup, Tables, seed_from_text, seed_report};
//! let setup = RunSetup {
//!     seed: seed_from_text("1").unwrap(),
//!     character: Tables::embedded().characters.find("ironclad").unwrap(),
//!     ascension: 0,
//!     rules: Rules::Original,
//! };
//! let report = seed_report(setup);
//! assert_eq!(report.acts[0].fights[..3], ["cultist", "jaw_worm", "small_slimes"]);
//! println!("{report}");
//! ```
//!
//! Words: a *stream* is one source of numbers with a counter; a *pool* is a shuffled list of relics; a
//! *fight* is a group of monsters; *rules* are the original's or those of the simulator behind the
//! recorded files, which differ in a dozen named places. [`walk()`] is the fixed stroll through a run that
//! the records describe; `conform` compares records with it.

#[cfg(test)]
mod bench;
mod change;
mod conform;
mod entry;
mod example;
mod fate;
mod fights;
mod holder;
mod ids;
mod java;
mod map;
mod names;
mod neow;
mod record;
mod relics;
mod report;
mod rewards;
mod shared;
mod shop;
mod stream;
mod tables;
mod text;
mod unknown;
mod walk;

pub use change::FateChange;
pub use conform::{
    Divergence, SeedRecord, act_of, ascension_of, character_of, compare_at, conform_seed_record, entries,
    require, seed_of, seed_record_kind,
};
pub use entry::EventDetail;
pub use fate::{Drift, Fate, RunSetup};
pub use fights::Fights;
pub use holder::{DeckCard, Holder};
pub use ids::{CardNo, CharacterNo, EventNo, FightNo, PotionNo, Rarity, RelicNo, Rules, Tier};
pub use java::{Java, java_shuffle};
pub use map::{
    BOSS_ROW, Burning, ENDING_BOSS_ROW, HEIGHT, Map, Node, OUT, Place, Room, WIDTH, columns, half_up,
};
pub use names::Names;
pub use neow::{Bonus, Drawback, NeowGift, NeowOption};
pub use record::{map_record, record_name};
pub use relics::{End, Pool, RelicPools};
pub use report::{ActReport, SeedReport, seed_report};
pub use rewards::{CardOdds, CardOffer, Chest, ChestSize, OfferedCard, RARITY_OFFSET_START};
pub use shared::Shared;
pub use shop::{ShopCard, ShopPotion, ShopRelic, Stock, price, removal_price};
pub use stream::{Stream, Streams};
pub use tables::{ActTables, Appears, CharacterTables, Entry, RollList, Tables};
pub use text::{SeedTextError, seed_from_text, seed_to_text};
pub use unknown::{EventLists, Misses, UnknownRelics};
pub use walk::{ActWalk, Beginner, Content, Rewards, Step, first_hp, walk};
