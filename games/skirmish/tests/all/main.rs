//! All tests of the game in one program: it is linked once.

mod ends;
mod fog;
mod formats;
mod oracles;
mod play;
mod robust;
mod schema;
mod tactician;
