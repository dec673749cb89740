//! Content files for any game: every value knows its file, line and column, so that each mistake is told where it
//! stands, all of them at once, with the nearest valid name.
//!
//! ```
//! use serde::Deserialize;
//! use turnstone_content::Document;
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Beast {
//!     legs: u8,
//! }
//!
//! let text = "[beast.spider]\nlegs = 8\n[beast.snail]\nlges = 1\n[beats.worm]\nlegs = 0\n";
//! let mut problems = Vec::new();
//! let mut file = Document::read("zoo.toml", text, &mut problems);
//! let beasts = file.entries::<Beast>("beast", &mut problems);
//! file.finish(&mut problems);
//!
//! assert_eq!((beasts.len(), beasts[0].id.as_str(), beasts[0].value.legs), (1, "spider", 8));
//! let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
//! assert_eq!(told, [
//!     "zoo.toml:4:1: unknown key `lges`; did you mean `legs`?",
//!     "zoo.toml:5:2: unknown key `beats` in this file; did you mean `beast`?",
//! ]);
//! ```

mod document;
mod embedded;
mod json;
mod near;
mod node;
mod place;
mod typed;

pub use document::{Document, Entry, Limits};
pub use embedded::embedded;
pub use json::json_place;
pub use near::{distance, hint, nearest};
pub use node::{Fields, Node, Tree, parse};
pub use place::{Place, Problem, in_order};
pub use typed::{read, read_all};
