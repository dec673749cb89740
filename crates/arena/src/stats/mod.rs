//! What counts say, and how sure one may be: shares, pairs, sequential tests, ratings, survival.
//!
//! Everything here is a pure function of counts; sums run in the order given, so that a report is the
//! same on every machine and for any number of threads.

mod beta;
mod cycle;
mod mean;
mod normal;
mod paired;
mod penta;
mod rating;
mod share;
mod sprt;
mod student;
mod survival;

pub use cycle::{Cycle, cycles};
pub use mean::Mean;
pub(crate) use mean::{Bundles, Sum};
pub use normal::{Z95, phi, quantile};
pub use paired::{Paired, mcnemar};
pub use penta::{ELO, Penta};
pub use rating::{GameScore, Rated, Ratings};
pub use share::{Share, benjamini_hochberg, two_shares};
pub use sprt::{Model, Sprt, State, Verdict};
pub use survival::{Step, Survival, log_rank};
