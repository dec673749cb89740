//! Seeds: a fixed stroll through the run they unroll to, that stroll as text, and records of it.

mod conform;
mod example;
mod record;
mod report;
mod walk;

pub use conform::{
    Divergence, SeedRecord, act_of, ascension_of, character_of, compare_at, conform_seed_record, entries,
    require, seed_of, seed_record_kind,
};
pub use record::{map_record, record_name};
pub use report::{ActReport, SeedReport, seed_report};
pub use walk::{ActWalk, Beginner, Content, Rewards, Step, walk};
