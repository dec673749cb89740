//! Prints the rate of every benchmark: `cargo run --release --example rates [FILTER]`.

use std::time::{Duration, Instant};

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    for bench in turnstone_grid::bench::benches().into_iter().filter(|bench| bench.name.contains(&filter)) {
        let mut work = (bench.prepare)();
        let mut best = 0.0_f64;
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(1_500) {
            let begun = Instant::now();
            let units = work() as f64;
            best = best.max(units / begun.elapsed().as_secs_f64());
        }
        println!("{:28} {:>12.0} {}/s", bench.name, best, bench.unit);
    }
}
