//! Prints the rate of every benchmark, per second of processor time where the system tells it:
//! `cargo run --release --example rates [FILTER]`.

use std::time::{Duration, Instant};

/// Nanoseconds this process has been on a processor, or nothing where that cannot be known.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    for bench in turnstone_grid::bench::benches().into_iter().filter(|bench| bench.name.contains(&filter)) {
        let mut work = (bench.prepare)();
        work();
        let (start, before, mut units) = (Instant::now(), processor_time(), 0);
        while start.elapsed() < Duration::from_millis(2_000) {
            units += work();
        }
        let wall = start.elapsed().as_nanos() as u64;
        let spent = before.and_then(|before| Some(processor_time()? - before)).unwrap_or(wall);
        let rate = units as f64 / spent.max(1) as f64 * 1e9;
        println!("{:28} {:>12.0} {}/s", bench.name, rate, bench.unit);
    }
}
