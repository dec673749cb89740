//! `explain`: why things happened in a match.

use std::io::Write;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use turnstone_table::{Moment, Reasons, Table, Viewer};

use crate::Ended;
use crate::args;
use crate::files::{read_bytes, read_content};
use crate::out::Out;
use crate::render;
use crate::store::Store;

/// Prints the tree of causes of one action or of all.
pub fn run(args: &args::Explain, store: &Store) -> Result<Ended> {
    let path = store.find(Some(&args.file))?;
    let file = read_bytes(&path)?;
    let table = store
        .games
        .load(&file, &read_content(args.content.as_deref())?)
        .with_context(|| format!("cannot explain {}", path.display()))?;
    if let Some(number) = &args.number {
        return tell_number(table, number, args);
    }
    let moments = wanted(&*table, args)?;
    let mut out = Out::new();
    if moments.is_empty() && !args.json {
        writeln!(out, "{}", elsewhere(&*table))?;
    }
    for moment in moments {
        let explained = table.explain(moment, Viewer::All);
        let reasons = args.bot.as_ref().map(|bot| table.why(moment, bot)).transpose();
        let reasons = reasons.map_err(|refusal| anyhow!(refusal))?;
        if args.json {
            let mut told = json!({ "moment": moment, "lines": explained.lines });
            if let Some(reasons) = reasons {
                told["why"] = json!(reasons);
            }
            writeln!(out, "{told}")?;
        } else {
            render::moment(&mut out, moment, &explained)?;
            for line in reasons.iter().flat_map(reasons_told) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// How a number came about.
fn tell_number(mut table: Box<dyn Table>, number: &str, args: &args::Explain) -> Result<Ended> {
    if let Some(&[moment]) = args.input.is_some().then(|| wanted(&*table, args)).transpose()?.as_deref() {
        table.jump(moment).map_err(|refusal| anyhow!(refusal))?;
    }
    let Some(story) = table.story(number, &table.line(), Viewer::All) else {
        let numbers = table.scene(Viewer::All).numbers();
        let names: Vec<&str> = numbers.iter().map(|number| number.name.as_str()).collect();
        let others = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let earlier = match last_shown(&mut *table, number)? {
            Some(moment) => format!("; it was shown until input {moment}: add --input {moment}"),
            None => String::new(),
        };
        bail!("[NO_SUCH_NUMBER] no number {number:?} is shown there; there are: {others}{earlier}")
    };
    let mut out = Out::new();
    if args.json {
        writeln!(out, "{}", json!(story))?;
    } else {
        render::explanation(&mut out, &story.told(|moment| moment))?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// The last moment of the line at which a number was shown.
fn last_shown(table: &mut dyn Table, number: &str) -> Result<Option<usize>> {
    for (input, moment) in table.line().into_iter().enumerate().rev() {
        table.jump(moment).map_err(|refusal| anyhow!(refusal))?;
        if table.scene(Viewer::All).number(number).is_some() {
            return Ok(Some(input));
        }
    }
    Ok(None)
}

/// Where there is something to explain, if the match stands where nothing was played.
fn elsewhere(table: &dyn Table) -> String {
    let last = table.moments() - 1;
    if last == 0 {
        return "Nothing was played in this match.".to_owned();
    }
    let mut text = format!(
        "The match stands at its beginning. What was played there is explained by --input 1 to {last}:"
    );
    for branch in table.branches(Viewer::All) {
        text +=
            &format!("\n  --input {:<5} the last of {} played: {}", branch.tip, branch.length, branch.last);
    }
    text
}

/// What a bot weighed, best first, and what it expects, in lines.
pub fn reasons_told(reasons: &Reasons) -> Vec<String> {
    let Reasons { bot, chosen, played, options, line, .. } = reasons;
    let agrees =
        if chosen == played { "as it was played".to_owned() } else { format!("played was: {played}") };
    let mut told = vec![format!("{bot} chooses: {chosen} ({agrees})")];
    let tried: u64 = options.iter().map(|(_, visits, _)| visits).sum();
    for (label, visits, value) in options.iter().filter(|(_, visits, _)| *visits > 0).take(8) {
        let share = 100.0 * *visits as f64 / tried.max(1) as f64;
        told.push(format!("  {visits:>8} tries ({share:4.1} %)  worth {value:.3}  {label}"));
    }
    if line.len() > 1 || tried == 0 && !line.is_empty() {
        told.push(format!("  it expects: {}", line.join(", ")));
    }
    told
}

fn wanted(table: &dyn Table, args: &args::Explain) -> Result<Vec<Moment>> {
    let line = table.line();
    if let Some(moment) = args.input {
        if moment == 0 || moment >= table.moments() {
            bail!("[NO_SUCH_INPUT] there is no input {moment}: there are 1 to {}", table.moments() - 1);
        }
        return Ok(vec![moment]);
    }
    let Some(event) = args.at else { return Ok(line[1..].to_vec()) };
    let holds = |moment: &&Moment| {
        let (first, count) = table.facts(**moment);
        **moment != 0 && event >= first && ((event - first) as usize) < count
    };
    match line.iter().find(holds) {
        Some(moment) => Ok(vec![*moment]),
        None => {
            let last = line.last().map_or(0, |&moment| {
                let (first, count) = table.facts(moment);
                first as usize + count
            });
            bail!(
                "[NO_SUCH_EVENT] there is no event #{event} on the line of play: there are {last}, counted from 0"
            )
        }
    }
}
