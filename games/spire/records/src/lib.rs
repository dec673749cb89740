//! Records of Spire, read and compared with its rules: combats of the recorded engine, numbers of the original, visits
//! of the map, seeds with all that they unroll to, and runs of the real game.
//!
//! [`conform()`] takes a file of any of these kinds; a program hands it to the table beside the game.
//!
//! ```
//! let record = r#"{"id":"x","in":{"base":21,"dexterity":5,"frail":true,"no_block":false},
//!                  "kind":"card_block","out":{"block":19}}"#;
//! let result = turnstone_spire_records::conform("numbers.json", record, &[])?;
//! assert_eq!((result.passed, result.failures.len()), (1, 0));
//! # Ok::<(), turnstone::Rejection>(())
//! ```

mod conform;
pub mod fights;
mod map_trace;
mod real_game;
pub mod seeds;

pub use conform::conform;
