//! Content: cards, powers, relics, potions, orbs, stances, monsters, encounters and characters as data.
//!
//! `content/README.md` is the author's manual. The words are listed in [`words`], numbers and conditions in
//! [`expr`], verbs in [`verb`], hooks in [`hook`], the kinds of entries in [`defs`]; [`load`] puts it together.

pub mod acts;
mod aim;
pub mod compile;
pub mod defs;
pub mod events;
pub mod expr;
pub mod face;
pub mod gifts;
pub mod hook;
pub mod kind;
pub mod load;
pub mod manual;
pub mod maps;
pub mod read;
pub mod ready;
pub mod schema;
pub mod verb;
pub mod words;

pub use load::{Content, Sources};
pub use turnstone_content::{Place, Problem};
