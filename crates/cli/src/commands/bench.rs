//! `bench`: rates in CPU time of one thread, best and median of several runs.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cpu_time::ThreadTime;
use serde::Serialize;
use turnstone_table::Bench;

use crate::args;
use crate::out::{FAINT, Out, TITLE, grouped, spinner};
use crate::{Ended, Program};

/// Every bench is measured in this many runs.
const RUNS: usize = 7;

#[derive(Debug, Serialize)]
struct Measured {
    name: String,
    unit: String,
    about: String,
    /// Units per second of CPU time, the best run.
    best: f64,
    /// Units per second of CPU time, the median run.
    median: f64,
    /// Nanoseconds for one unit in the best run.
    nanoseconds: f64,
    /// What a unit consists of, and how many of these were done per second in the best run.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<(&'static str, f64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<(String, String)>,
}

/// Measures those that fit the filter.
pub fn run(args: &args::Bench, program: &Program) -> Result<Ended> {
    if !(args.seconds.is_finite() && args.seconds > 0.0) {
        bail!("[BAD_NUMBER] --seconds must be a positive number, not {}", args.seconds);
    }
    let filter = args.filter.as_deref().unwrap_or_default();
    let all = (program.benches)().into_iter().chain(program.games.benches());
    let chosen: Vec<Bench> = all.filter(|bench| bench.name.contains(filter)).collect();
    if chosen.is_empty() {
        bail!(
            "[UNKNOWN_BENCHMARK] no benchmark has \"{filter}\" in its name; `turnstone bench --list` shows them all"
        );
    }
    let mut out = Out::new();
    if args.list {
        for bench in chosen {
            writeln!(out, "{:<40} {}", bench.name, bench.about)?;
        }
        return finish(out);
    }
    let mut all = Vec::new();
    for (index, bench) in chosen.iter().enumerate() {
        let wheel = spinner(&bench.name);
        let measured = measure(bench, Duration::from_secs_f64(args.seconds));
        wheel.finish_and_clear();
        if args.json {
            all.push(measured);
        } else {
            print(&measured, index == 0, &mut out)?;
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    }
    finish(out)
}

fn finish(mut out: Out) -> Result<Ended> {
    out.flush()?;
    Ok(Ended::Well)
}

fn measure(bench: &Bench, time: Duration) -> Measured {
    let mut work = (bench.prepare)();
    work(); // warm up: caches, lazily built tables
    let mut rates: Vec<f64> = (0..RUNS).map(|_| rate(&mut work, time / RUNS as u32)).collect();
    rates.sort_by(f64::total_cmp);
    let (best, median) = (rates[RUNS - 1], rates[RUNS / 2]);
    Measured {
        name: bench.name.clone(),
        unit: bench.unit.to_owned(),
        about: bench.about.clone(),
        best,
        median,
        nanoseconds: 1e9 / best,
        parts: bench.parts.map(|(name, count)| (name, best * count())),
        facts: bench.facts.map(|facts| facts()).unwrap_or_default(),
    }
}

/// Units per second of CPU time over about that long.
fn rate(work: &mut Box<dyn FnMut() -> u64>, time: Duration) -> f64 {
    let (start, deadline) = (ThreadTime::now(), Instant::now() + 4 * time);
    let mut units = 0;
    loop {
        units += work();
        let spent = start.elapsed();
        // A thread that is not given the CPU must not wait for its CPU time for ever.
        if spent >= time || (Instant::now() >= deadline && !spent.is_zero()) {
            return units as f64 / spent.as_secs_f64();
        }
    }
}

fn print(measured: &Measured, first: bool, out: &mut Out) -> Result<()> {
    if first {
        let head = format!("{:<38} {:>14} {:>14} {:>11}", "per second and core", "best", "median", "ns each");
        writeln!(out, "{}", out.paint(TITLE, head))?;
    }
    let Measured { name, unit, best, median, nanoseconds, .. } = measured;
    let (best, median) = (grouped(*best as u64), grouped(*median as u64));
    writeln!(out, "{name:<38} {best:>14} {median:>14} {nanoseconds:>11.1}  {unit}")?;
    // What a unit is, and what was in it.
    let parts = measured.parts.map(|(name, rate)| format!("{} {name}/s", grouped(rate as u64)));
    let facts = measured.facts.iter().map(|(name, value)| format!("{name} {value}"));
    let about = measured.about.trim_end_matches('.').to_owned();
    let told: Vec<String> = std::iter::once(about).chain(parts).chain(facts).collect();
    writeln!(out, "{}", out.paint(FAINT, format!("    {}", told.join(", "))))?;
    out.flush()?;
    Ok(())
}
