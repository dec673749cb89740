//! All tests of the game in one program: it is linked once.

mod agents;
mod oracles;
mod readers;
