//! The command line, for any games: play, replay, verify, explain, measure. See `turnstone help`.
//!
//! A program is a list of games and this:
//!
//! ```no_run
//! use std::process::ExitCode;
//! use turnstone_table::{Games, Of};
//! # use turnstone_table::testing::Pebbles as MyGame;
//!
//! fn main() -> ExitCode {
//!     turnstone_cli::main(Games::new(&[&Of::<MyGame>::HOST]))
//! }
//! ```
//!
//! Games with commands of their own hand them in as [`Tool`]s of a [`Program`].

mod args;
mod asides;
mod clock;
mod commands;
mod fault;
pub mod files;
mod journal;
mod lines;
mod memory;
pub mod out;
mod plain;
mod play;
mod progress;
mod render;
mod screen;
pub mod store;

use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use turnstone_table::{Bench, Games};

use crate::fault::Manner;
use crate::store::Store;

/// A program: its games, and what it has besides.
pub struct Program {
    /// The games, in the order of the menu.
    pub games: Games,
    /// Commands of single games.
    pub tools: &'static [&'static dyn Tool],
    /// Benchmarks besides those of the games.
    pub benches: fn() -> Vec<Bench>,
    /// The words that start this program, where the file that runs is another's, such as an interpreter; otherwise
    /// none.
    pub call: Vec<String>,
}

/// A command of one game.
pub trait Tool: Sync {
    /// What can be typed.
    fn command(&self) -> clap::Command;

    /// Does it.
    ///
    /// # Errors
    /// Why it could not be done; a `[CODE]` in the text is told as the code.
    fn run(&self, matches: &ArgMatches, store: &Store) -> Result<Ended>;
}

/// A tool whose arguments are parsed into `A`.
pub struct ToolOf<A>(pub fn(&A, &Store) -> Result<Ended>);

impl<A: CommandFactory + FromArgMatches> Tool for ToolOf<A> {
    fn command(&self) -> clap::Command {
        A::command()
    }

    fn run(&self, matches: &ArgMatches, store: &Store) -> Result<Ended> {
        (self.0)(&A::from_arg_matches(matches)?, store)
    }
}

/// How a command that could be carried out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All is well: exit code 0.
    Well,
    /// A check failed: exit code 1.
    Failed,
}

/// A program of these games and nothing else: parses the command line, does what it says, and gives
/// the exit code.
pub fn main(games: Games) -> ExitCode {
    Program::of(games).main()
}

impl Program {
    /// These games and nothing else.
    pub fn of(games: Games) -> Self {
        Program { games, tools: &[], benches: Vec::new, call: Vec::new() }
    }

    /// The words that start this program once more, as a process of its own.
    pub(crate) fn again(&self) -> std::io::Result<Vec<String>> {
        if self.call.is_empty() {
            return Ok(vec![std::env::current_exe()?.to_string_lossy().into_owned()]);
        }
        Ok(self.call.clone())
    }

    /// Parses the command line, does what it says, and gives the exit code.
    pub fn main(&self) -> ExitCode {
        self.run(std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect())
    }

    /// Does what these words say, the first of which is the program's name, and gives the exit code.
    pub fn run(&self, arguments: Vec<String>) -> ExitCode {
        let manner = Manner::of(&arguments);
        let command = if args::wants_help(&arguments) {
            let command = args::command_with_options(
                self,
                args::game_named(self, &arguments),
                &args::content_named(&arguments),
            );
            args::called(command, program_name(&arguments))
        } else {
            args::command(self)
        };
        let arguments = args::hand_on_options(&command, args::without_idle_json(&command, arguments));
        let matches = match command.try_get_matches_from(arguments) {
            Ok(matches) => matches,
            Err(error) => return manner.tell_usage(&error),
        };
        match commands::run(self, &matches) {
            Ok(Ended::Well) => ExitCode::SUCCESS,
            Ok(Ended::Failed) => ExitCode::from(1),
            // Whoever read our output has read enough.
            Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
            Err(error) => match error.downcast_ref::<clap::Error>() {
                Some(error) => manner.tell_usage(error),
                None => manner.tell_failure(&error),
            },
        }
    }
}

/// What the program was called by.
fn program_name(arguments: &[String]) -> &str {
    let path = arguments.first().map(|word| std::path::Path::new(word.as_str()));
    path.and_then(|path| path.file_stem()?.to_str()).unwrap_or("turnstone")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
