//! All tests of the program in one: it is linked once.

mod arena;
mod balance;
mod commands;
mod every_match_ends;
mod hosts;
mod layers;
mod matches;
mod new;
mod numbers;
mod resume;
mod secrets;
mod sockets;
mod tools;
mod transcripts;
