//! The game's own benchmarks: random games, plain moves and bomb chains
//! through the kernel. Best of several chunks of CPU-bound work.

use std::time::{Duration, Instant};
use turnstone_chess::Chess;
use turnstone_host::Hosted as _;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for bench in Chess::benches().into_iter().filter(|bench| bench.name.contains(&filter)) {
        let mut work = (bench.prepare)();
        let (mut best, started) = (0.0f64, Instant::now());
        while started.elapsed() < Duration::from_secs(2) {
            let chunk = Instant::now();
            let units = work();
            best = best.max(units as f64 / chunk.elapsed().as_secs_f64());
        }
        println!("{:<28} {:>14.0} {}/s", bench.name, best, bench.unit);
    }
}
