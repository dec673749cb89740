//! Numbers as the reference engine drew them: wind and mazes depend on them
//! bit for bit. Everything new uses the kernel's dice instead.

mod mt19937;
mod tuple_hash;

pub use mt19937::Mt19937;
pub use tuple_hash::hash_pair;
