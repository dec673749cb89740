//! One file for each command.

mod bench;
mod conform;
mod content;
mod explain;
mod games;
mod history;
mod menu;
mod play;
mod protocol;
mod replay;
mod run;
mod tools;
mod verify;

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;

use crate::Ended;
use crate::args::{Cli, Command};
use crate::out::Out;
use crate::store::Store;

/// Does what was asked.
pub fn run(cli: Cli) -> Result<Ended> {
    let store = Store::new(cli.data);
    match cli.command {
        None => menu::run(&store),
        Some(Command::Play(args)) => play::run(&args, &store),
        Some(Command::Resume(args)) => play::resume(&args, &store),
        Some(Command::History(args)) => history::run(&args, &store),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Replay(args)) => replay::run(&args, &store),
        Some(Command::Verify(args)) => verify::run(&args, &store),
        Some(Command::Explain(args)) => explain::run(&args, &store),
        Some(Command::Conform(args)) => conform::run(&args),
        Some(Command::Protocol(args)) => protocol::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Content(args)) => content::run(&args),
        Some(Command::Perft(args)) => tools::perft(&args),
        Some(Command::Uci) => tools::uci(),
        Some(Command::Chess(args)) => tools::chess(&args, &store),
        Some(Command::Grid(args)) => tools::grid(&args),
        Some(Command::Spire(args)) => tools::spire(&args),
        Some(Command::Man) => man(),
        Some(Command::Completions { shell }) => completions(shell),
    }
}

fn man() -> Result<Ended> {
    let mut out = Out::new();
    clap_mangen::Man::new(Cli::command()).render(&mut out)?;
    for sub in Cli::command().get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let page = clap_mangen::Man::new(sub.clone().bin_name(format!("turnstone {}", sub.get_name())));
        page.render_synopsis_section(&mut out)?;
        page.render_description_section(&mut out)?;
        page.render_options_section(&mut out)?;
        page.render_extra_section(&mut out)?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

fn completions(shell: clap_complete::Shell) -> Result<Ended> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "turnstone", &mut text);
    let mut out = Out::new();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Ended::Well)
}
