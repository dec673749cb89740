//! Prints the rates of this game's benchmarks whose names hold the given words, without building the rest:
//! `cargo run --release -p turnstone-spire --example spire_rates -- jaw_worm run/`.

use turnstone_host::{Bench, Hosted};
use turnstone_spire::game::Spire;

/// Seconds this thread was on a processor, where the system tells; else none.
fn on_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Units per second, the best of several runs of a quarter of a second.
fn rate(bench: &Bench) -> f64 {
    let mut work = (bench.prepare)();
    work();
    let run = |work: &mut dyn FnMut() -> u64| {
        let (start, mut units) = (on_cpu(), 0);
        while on_cpu() - start < 0.25 {
            units += work();
        }
        units as f64 / (on_cpu() - start)
    };
    (0..7).map(|_| run(&mut work)).fold(0.0, f64::max)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for bench in <Spire as Hosted>::benches().iter().filter(|bench| wanted(&bench.name)) {
        let facts = bench.facts.map(|facts| facts()).unwrap_or_default();
        let facts: Vec<String> = facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let rate = rate(bench);
        let parts = bench.parts.map(|(name, count)| format!("{:>12.0} {name}/s", rate * count()));
        println!(
            "{:44} {rate:>12.0} {}/s {} {}",
            bench.name,
            bench.unit,
            parts.unwrap_or_default(),
            facts.join(", ")
        );
    }
}
