//! All tests of the server in one program: it is linked once.

mod faults;
mod folder;
mod knowing;
mod limits;
mod page;
mod server;
mod stores;
mod upkeep;
