//! `games`: what there is to play.

use std::io::Write;

use anyhow::Result;
use serde_json::json;
use turnstone_table::{Games, Host, Named, Offer};

use crate::Ended;
use crate::args;
use crate::out::{Out, TITLE};

/// Lists games with their set-ups, rulesets and bots.
pub fn run(args: &args::Games, games: Games) -> Result<Ended> {
    let wanted = |host: &&&dyn Host| args.game.as_deref().is_none_or(|name| name == host.name());
    let chosen: Vec<&dyn Host> = games.all().iter().filter(wanted).copied().collect();
    let mut out = Out::new();
    if args.json {
        let all: Vec<_> = chosen
            .iter()
            .map(|host| {
                json!({
                    "name": host.name(), "about": host.about(), "rulesets": host.rulesets(),
                    "setups": host.setups(), "bots": host.bots(), "levels": host.levels(),
                    "settings": host.options(),
                })
            })
            .collect();
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        for host in chosen {
            print(host, args.game.is_some(), &mut out)?;
        }
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// One game; alone also with its options.
fn print(host: &dyn Host, alone: bool, out: &mut Out) -> Result<()> {
    writeln!(out, "{}  {}", out.paint(TITLE, host.name()), host.about())?;
    let lists = [
        ("set-ups", host.setups()),
        ("rulesets", host.rulesets()),
        ("bots", host.bots()),
        ("levels", host.levels()),
    ];
    for (what, list) in lists {
        let width = list.iter().map(|named| named.id.chars().count()).max().unwrap_or(0);
        for (i, Named { id, about }) in list.iter().enumerate() {
            let what = if i == 0 { what } else { "" };
            writeln!(out, "  {what:<9} {id:<width$}  {about}")?;
        }
    }
    for offer in host.options().iter().filter(|_| alone) {
        print_option(offer, out)?;
    }
    writeln!(out)?;
    Ok(())
}

/// One setting: what it is, for which set-ups, and what may be answered.
fn print_option(offer: &Offer, out: &mut Out) -> Result<()> {
    let Offer { setting, setups } = offer;
    let only = if setups.is_empty() { String::new() } else { format!(" (for {})", brief(setups)) };
    writeln!(out, "  {} {}{only}", out.paint(TITLE, format!("--{}", setting.id)), setting.about)?;
    let width = setting.choices().iter().map(|named| named.id.chars().count()).max().unwrap_or(0);
    for Named { id, about } in setting.choices() {
        writeln!(out, "            {id:<width$}  {about}")?;
    }
    if setting.choices().is_empty() {
        writeln!(out, "            {}", setting.allowed())?;
    }
    Ok(())
}

/// The first few of a list.
pub fn brief(names: &[String]) -> String {
    match names.len() {
        0..=4 => names.join(", "),
        many => format!("{} and {} more", names[..3].join(", "), many - 3),
    }
}
