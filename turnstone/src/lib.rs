//! The four games of this repository, as one list, with the tools that only one of them has.
//!
//! This is the only place that knows all games. Everything else, the table and the command line
//! included, takes the list as a value; a program with other games is as short as this one.

mod args;
mod commands;
mod searches;
pub mod tools;

use std::process::ExitCode;

use turnstone_chess::Chess;
use turnstone_cli::Program;
use turnstone_grid::Grid;
#[cfg(feature = "learners")]
use turnstone_gym::Gym;
use turnstone_host::Bench;
use turnstone_skirmish::Skirmish;
use turnstone_spire::Spire;
use turnstone_table::{Games, Host, Of};

/// Every game there is, in the order in which a menu shows them. Adding a game is one line here.
///
/// Never inlined: every crate that did would compile the tables of all games a second time.
#[inline(never)]
pub fn games() -> Games {
    Games::new(&GAMES)
}

static GAMES: [&dyn Host; 4] = [&SKIRMISH, &CHESS, &GRID, &SPIRE];

// Golden records are read by crates of their own, which only this program and tests need.
static SKIRMISH: Of<Skirmish> = Of::reading(turnstone_skirmish_records::conform);
static CHESS: Of<Chess> = Of::reading(turnstone_chess_records::conform);
static GRID: Of<Grid> = Of::reading(turnstone_grid_records::conform);
static SPIRE: Of<Spire> = Of::reading(turnstone_spire_records::conform);

/// The same games as environments for learners.
#[cfg(feature = "learners")]
#[inline(never)]
pub fn gyms() -> &'static [&'static dyn Gym] {
    &GYMS
}

#[cfg(feature = "learners")]
static GYMS: [&dyn Gym; 4] = [
    &turnstone_gym::Of::<Skirmish>::GYM,
    &turnstone_gym::Of::<Chess>::GYM,
    &turnstone_gym::Of::<Grid>::GYM,
    &turnstone_gym::Of::<Spire>::GYM,
];

/// The program: the games, their tools, and the benchmarks of the kernel and of searching.
pub fn program() -> Program {
    Program { tools: &commands::TOOLS, benches, ..Program::of(games()) }
}

/// What is measured besides the benchmarks of the games.
pub fn benches() -> Vec<Bench> {
    turnstone_samples::benches().into_iter().chain(searches::benches()).collect()
}

/// Parses the command line, does what it says, and gives the exit code.
pub fn main() -> ExitCode {
    program().main()
}

/// The code on the first page of the documents is tested.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
