//! One file for each command.

mod arena;
mod balance;
mod bench;
#[cfg(feature = "server")]
mod bot;
mod conform;
mod content;
pub mod explain;
pub mod games;
mod history;
mod menu;
mod new;
mod play;
mod protocol;
mod replay;
mod run;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod stress;
#[cfg(test)]
mod tests;
mod verify;

use std::io::Write;

use anyhow::Result;
use clap::{ArgMatches, FromArgMatches};

use crate::args::{self, Cli, Command};
use crate::out::Out;
use crate::store::Store;
use crate::{Ended, Program};

/// Does what was asked.
pub fn run(program: &Program, matches: &ArgMatches) -> Result<Ended> {
    let games = program.games;
    let store = Store::new(matches.get_one("data").cloned(), games);
    if let Some((name, rest)) = matches.subcommand()
        && let Some(tool) = program.tools.iter().find(|tool| tool.command().get_name() == name)
    {
        return tool.run(rest, &store);
    }
    match Cli::from_arg_matches(matches)?.command {
        None => menu::run(&store),
        Some(Command::Play(args)) => play::run(&args, &store),
        Some(Command::Resume(args)) => play::resume(&args, &store),
        Some(Command::History(args)) => history::run(&args, games, &store),
        Some(Command::Run(args)) => run::run(&args, games),
        Some(Command::Arena(args)) => arena::run(&args, program),
        Some(Command::Balance(args)) => balance::run(&args, games),
        Some(Command::Replay(args)) => replay::run(&args, &store),
        Some(Command::Verify(args)) => verify::run(&args, &store),
        Some(Command::Explain(args)) => explain::run(&args, &store),
        Some(Command::Conform(args)) => conform::run(&args, games),
        Some(Command::Protocol(args)) => protocol::run(&args, games),
        #[cfg(feature = "server")]
        Some(Command::Serve(args)) => serve::run(&args, &store),
        #[cfg(feature = "server")]
        Some(Command::Bot(args)) => bot::run(&args, games),
        #[cfg(feature = "server")]
        Some(Command::Stress(args)) => stress::run(&args, program),
        Some(Command::Bench(args)) => bench::run(&args, program),
        Some(Command::Games(args)) => games::run(&args, games),
        Some(Command::Content(args)) => content::run(&args, games),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::PlayApart) => arena::play_apart(games),
        Some(Command::Man) => man(program),
        Some(Command::Completions { shell }) => completions(program, shell),
    }
}

fn man(program: &Program) -> Result<Ended> {
    let mut out = Out::new();
    let command = args::command_with_options(program, None, &[]);
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let page = clap_mangen::Man::new(sub.clone().bin_name(format!("turnstone {}", sub.get_name())));
        page.render_synopsis_section(&mut out)?;
        page.render_description_section(&mut out)?;
        page.render_options_section(&mut out)?;
        page.render_extra_section(&mut out)?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

fn completions(program: &Program, shell: clap_complete::Shell) -> Result<Ended> {
    let mut text = Vec::new();
    clap_complete::generate(
        shell,
        &mut args::command_with_options(program, None, &[]),
        "turnstone",
        &mut text,
    );
    let mut out = Out::new();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Ended::Well)
}
