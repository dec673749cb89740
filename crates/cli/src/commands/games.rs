//! `games`: what there is to play.

use std::io::Write;

use anyhow::Result;
use serde_json::json;
use turnstone_table::{Games, Host, Named};

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
                    "setups": host.setups(), "bots": host.bots(),
                    "settings": host.setups().first().map(|setup| host.settings(&setup.id)),
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

/// One game; alone also with its settings.
fn print(host: &dyn Host, alone: bool, out: &mut Out) -> Result<()> {
    writeln!(out, "{}  {}", out.paint(TITLE, host.name()), host.about())?;
    let setups = host.setups();
    let first = setups.first().filter(|_| alone).map(|setup| host.settings(&setup.id));
    let settings: Vec<_> = first.into_iter().flatten().collect();
    let mut lists = vec![("set-ups", setups), ("rulesets", host.rulesets()), ("bots", host.bots())];
    lists.extend(settings.iter().map(|setting| (setting.id.as_str(), setting.choices.clone())));
    for (what, list) in lists {
        let width = list.iter().map(|named| named.id.chars().count()).max().unwrap_or(0);
        for (i, Named { id, about }) in list.iter().enumerate() {
            let what = if i == 0 { what } else { "" };
            writeln!(out, "  {what:<9} {id:<width$}  {about}")?;
        }
    }
    writeln!(out)?;
    Ok(())
}
