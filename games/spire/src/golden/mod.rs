//! Golden records: combats of the recorded engine, and numbers of the original.

pub mod compare;
pub mod load;
pub mod numbers;
pub mod trace;
