//! `play` and `resume`.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Result, anyhow};

use super::replay::watch;
use crate::Ended;
use crate::args;
use crate::lines::Typed;
use crate::out::Out;
use crate::play::{Play, bot_seed, daily_seed, open, opening, seat_bots};
use crate::store::{Store, read_note};
use crate::{plain, screen};

/// Starts a match and plays it.
pub fn run(args: &args::Play, store: &Store) -> Result<Ended> {
    let (host, mut wanted) = opening(&args.opening, store.games)?;
    if args.daily {
        wanted.seed = daily_seed();
        let asked = host.daily(&wanted);
        wanted.wishes.extend(asked);
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
    let play = match args.as_played {
        false => Play::load(&path, args.content.clone(), store.games)?,
        true => branch(args, &path, store)?,
    };
    sit_down(play, store, args.plain)
}

/// A match of its own that goes on from one whose rules may have changed since.
fn branch(args: &args::Resume, path: &Path, store: &Store) -> Result<Play> {
    let note = read_note(path);
    let content = args.content.clone().or(note.content);
    let mut watched = watch(path, content.as_deref(), store)?;
    if let Some(moment) = args.at {
        watched.jump(moment).map_err(|refusal| anyhow!(refusal))?;
    }
    let mut table = watched.branch().map_err(|refusal| anyhow!(refusal))?;
    for (seat, name) in &note.bots {
        table.seat_bot(*seat, name, bot_seed(&*table)).map_err(|refusal| anyhow!(refusal))?;
    }
    eprintln!(
        "From moment {} of {} on this is a match of its own, by today's rules; the old one stays as it is.",
        watched.here(),
        path.display()
    );
    let slot = store.fresh(table.game());
    let mut play = Play::new(table, Some(slot), content);
    if note.seed_drawn {
        play.hide_seed();
    }
    play.about = note.about;
    Ok(play)
}

/// The screen on a terminal, lines otherwise.
pub fn sit_down(mut play: Play, store: &Store, lines: bool) -> Result<Ended> {
    if let differs @ [_, ..] = play.table.differs() {
        eprintln!(
            "This match was played by other rules or content: {}. Today's play it the same so far; it goes on by \
             them, and its file will say so.",
            differs.join(", ")
        );
    }
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
