//! Pictures: a plan of what is drawn where, shapes of our own, and pixels.

mod plan;

pub use plan::{CellPlan, Drawing, Plan};
