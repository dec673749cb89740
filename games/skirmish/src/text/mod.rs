//! The text front end: sentence → intent → plan → actions.
//!
//! Every stage gives inert data; only the rules decide what happens.

pub mod intent;
pub mod model_output;
pub mod names;
pub mod parser;
pub mod planner;
mod words;

pub use intent::Intent;
pub use parser::parse;
pub use planner::{IntentPlan, plan};
