//! All tests of the game in one program: it is linked once.

mod agreement;
mod chains;
mod endings;
mod fog;
mod oracles;
mod peers;
mod perft;
mod positions;
mod robust;
mod runs;
mod words;
