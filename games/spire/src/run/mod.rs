//! The whole run, from Neow to the heart.

pub mod script;
