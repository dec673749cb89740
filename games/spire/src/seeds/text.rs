//! Seeds as players write them: base 35, digits and letters without O.

pub use turnstone_host::seed::{read_seed, seed_from_text, seed_to_text};
