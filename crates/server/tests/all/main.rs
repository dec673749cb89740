//! All tests of the server in one program: it is linked once.

mod faults;
mod folder;
mod server;
mod stores;
