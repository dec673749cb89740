//! The `turnstone` command. See `turnstone help`.

mod args;
mod clock;
mod commands;
mod fault;
mod files;
mod lines;
mod out;
mod plain;
mod play;
mod render;
mod screen;
mod store;

use std::process::ExitCode;

use clap::Parser;

use crate::fault::Manner;

/// How a command that could be carried out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All is well: exit code 0.
    Well,
    /// A check failed: exit code 1.
    Failed,
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let manner = Manner::of(&arguments);
    let cli = match args::Cli::try_parse_from(args::hand_on_options(arguments)) {
        Ok(cli) => cli,
        Err(error) => return manner.tell_usage(&error),
    };
    match commands::run(cli) {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Failed) => ExitCode::from(1),
        // Whoever read our output has read enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => manner.tell_failure(&error),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
