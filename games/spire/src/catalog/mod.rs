//! Content: cards, powers, relics, potions, orbs, stances, monsters, encounters and characters as data.
//!
//! `content/README.md` is the author's manual. The words are listed in [`words`], numbers and conditions in
//! [`expr`], verbs in [`verb`], hooks in `hook.rs`, the kinds of entries in [`defs`]; `load.rs` puts it together.

pub(crate) mod acts;
mod aim;
pub mod compile;
pub mod defs;
pub mod events;
pub mod expr;
pub mod face;
pub(crate) mod gifts;
pub(crate) mod hook;
pub(crate) mod kind;
pub(crate) mod load;
#[cfg(test)]
mod manual;
pub mod maps;
pub(crate) mod read;
pub(crate) mod ready;
pub mod schema;
pub mod verb;
pub mod words;

pub use load::{Content, Sources};
pub use turnstone_content::{Place, Problem};
