//! `protocol`: JSON lines on standard input and output.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, anyhow};
use serde_json::Value;
use turnstone_table::Games;
use turnstone_table::protocol::Door;

use crate::Ended;
use crate::args;
use crate::files::write_whole;
use crate::out::Out;
use crate::play::{bot_named, bot_seed, open, opening, seat_named};

/// Speaks until `quit` or the end of the input.
pub fn run(args: &args::Protocol, games: Games) -> Result<Ended> {
    let (host, wanted) = opening(&args.opening, games)?;
    let mut table = open(host, &wanted, &args.opening.wishes)?;
    let seat = args.seat.as_deref().map(|text| seat_named(&*table, text)).transpose()?;
    for text in &args.bots {
        let (at, name) = bot_named(&*table, text)?;
        let at =
            at.with_context(|| format!("[USAGE] say which seat \"{name}\" is to play: --bot SEAT={name}"))?;
        let seed = bot_seed(&*table);
        table.seat_bot(at, name, seed).map_err(|refusal| anyhow!(refusal))?;
    }
    let mut door = Door::new(table, seat).map_err(|refusal| anyhow!(refusal))?;
    converse(&mut door)?;
    if let Some(path) = &args.save {
        write_whole(path, &door.table().save().map_err(|refusal| anyhow!(refusal))?)?;
    }
    Ok(Ended::Well)
}

fn converse(door: &mut Door) -> Result<()> {
    let mut out = Out::new();
    send(door.greet(), &mut out)?;
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    while door.is_open() {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        send(door.hear(&String::from_utf8_lossy(&line)), &mut out)?;
    }
    Ok(())
}

fn send(lines: Vec<Value>, out: &mut Out) -> Result<()> {
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}
