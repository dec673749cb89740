//! `balance`: what many matches say about a game.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use rayon::prelude::*;
use serde_json::json;
use turnstone_arena::balance::Balance;
use turnstone_table::{Games, Opening, Plan, Query, Studied, Venue};

use crate::Ended;
use crate::args;
use crate::files::{read_content, write_whole};
use crate::out::{Out, progress};
use crate::play::{bot_named, opening, venue};

/// Plays, looks, and reports.
pub fn run(args: &args::Balance, games: Games) -> Result<Ended> {
    let (host, wanted) = opening(&args.opening, games)?;
    let hall = venue(host, &wanted, &args.opening.wishes)?;
    let plan = plan(&*hall, &wanted, host.bots().first().map_or("", |bot| &bot.id), args)?;
    let studied = study(&*hall, wanted.seed, &plan, args)?;
    let balance = Balance::new(host.name(), &studied, args.measure.as_deref(), args.least);
    let other = match &args.compare {
        None => None,
        Some(dir) => {
            let other = Opening { content: read_content(Some(dir))?, ..wanted.clone() };
            let hall = venue(host, &other, &args.opening.wishes)?;
            let studied = study(&*hall, other.seed, &plan, args)?;
            Some(Balance::new(host.name(), &studied, Some(&balance.measure), args.least))
        }
    };
    report(&balance, other.as_ref(), args)?;
    Ok(Ended::Well)
}

fn plan(hall: &dyn Venue, wanted: &Opening, weakest: &str, args: &args::Balance) -> Result<Plan> {
    let table = hall.open(wanted.seed).map_err(|refusal| anyhow!(refusal))?;
    let mut plan = Plan { bot: weakest.to_owned(), seats: Vec::new(), max_inputs: args.max_inputs };
    for text in &args.bots {
        match bot_named(&*table, text)? {
            (Some(seat), name) => plan.seats.push((seat, name.to_owned())),
            (None, name) => plan.bot = name.to_owned(),
        }
    }
    Ok(plan)
}

/// Every match by itself, on all threads; the order of the results is that of the seeds.
fn study(hall: &dyn Venue, first: u64, plan: &Plan, args: &args::Balance) -> Result<Vec<Studied>> {
    let bar = progress(args.games, "games");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0)).build()?;
    let query = Query {
        begins: args.choices.clone().unwrap_or_default(),
        until: args.until.clone(),
        against: args.against.clone(),
        forks: args.forks,
    };
    let one = |index: u64| -> Result<Studied> {
        let seed = first.wrapping_add(index);
        let studied = hall.study(seed, plan, &query);
        bar.inc(1);
        studied.map_err(|refusal| anyhow!(refusal))
    };
    let studied = pool.install(|| (0..args.games).into_par_iter().map(one).collect());
    bar.finish_and_clear();
    studied
}

fn report(balance: &Balance, other: Option<&Balance>, args: &args::Balance) -> Result<()> {
    let comparison = other.map(|other| balance.compare(other));
    let whole = json!({ "balance": balance, "other": other, "comparison": comparison });
    if let Some(dir) = &args.report {
        std::fs::create_dir_all(dir)?;
        write_whole(&dir.join("report.json"), &(serde_json::to_string_pretty(&whole)? + "\n"))?;
        write_whole(&dir.join("report.csv"), &balance.csv())?;
        write_whole(&dir.join("things.csv"), &balance.things_csv())?;
        write_whole(&dir.join("report.html"), &balance.html(other.zip(comparison.as_ref())))?;
    }
    let mut out = Out::new();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &whole)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", balance.text())?;
        if let Some(comparison) = &comparison {
            write!(out, "\n{}", comparison.text(&balance.measure))?;
        }
        if let Some(dir) = &args.report {
            writeln!(out, "{}", page(dir))?;
        }
    }
    out.flush()?;
    Ok(())
}

fn page(dir: &Path) -> String {
    dir.join("report.html").display().to_string()
}
