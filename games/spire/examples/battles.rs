//! Prints the rates of the battle benchmarks: `cargo run --release -p turnstone-spire --example battles`.

/// Nanoseconds this thread was on a processor, where the system tells; else none.
fn on_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0)
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for bench in turnstone_spire::bench::battles() {
        if !bench.name.contains(&wanted) {
            continue;
        }
        let mut work = (bench.prepare)();
        work();
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = on_cpu();
            let units: u64 = (0..10).map(|_| work()).sum();
            best = best.min((on_cpu() - start) / 1e9 / units as f64);
        }
        let facts = bench.facts.map(|facts| facts()).unwrap_or_default();
        println!("{:44} {:>12.0} {}/s  {:?}", bench.name, 1.0 / best, bench.unit, facts);
    }
}
