//! Skirmish.

pub mod dice;
pub mod document;
pub mod hash;
pub mod json;
pub mod profile;

pub use document::Document;
pub use profile::Profile;
