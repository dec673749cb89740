//! `play` and `resume`.

use std::io::{self, IsTerminal};

use anyhow::Result;

use crate::Ended;
use crate::args;
use crate::lines::Typed;
use crate::out::Out;
use crate::play::{Play, daily_seed, open, opening, seat_bots};
use crate::store::Store;
use crate::{plain, screen};

/// Starts a match and plays it.
pub fn run(args: &args::Play, store: &Store) -> Result<Ended> {
    let (host, mut wanted) = opening(&args.opening, store.games)?;
    if args.daily {
        wanted.seed = daily_seed();
    }
    let mut table = open(host, &wanted, &args.opening.wishes)?;
    seat_bots(host, &mut *table, args)?;
    let slot = (!args.no_save).then(|| store.fresh(host.name()));
    let mut play = Play::new(table, slot, args.opening.content.clone());
    play.sign();
    if args.opening.seed.is_none() && !args.daily {
        play.hide_seed();
    }
    if let Some(control) = args.clock {
        play.set_clock(control)?;
    }
    sit_down(play, store, args.plain)
}

/// Goes on with a saved match.
pub fn resume(args: &args::Resume, store: &Store) -> Result<Ended> {
    let path = store.find(args.file.as_deref())?;
    sit_down(Play::load(&path, args.content.clone(), store.games)?, store, args.plain)
}

/// The screen on a terminal, lines otherwise.
pub fn sit_down(mut play: Play, store: &Store, lines: bool) -> Result<Ended> {
    if lines || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let mut out = Out::new();
        match play.clock {
            Some(_) => plain::play(&mut play, store, &mut Typed::new(), &mut out)?,
            None => plain::play(&mut play, store, &mut io::stdin().lock(), &mut out)?,
        }
    } else {
        screen::play(play, store)?;
    }
    Ok(Ended::Well)
}
