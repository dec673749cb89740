//! Prints the kernel's benchmarks by wall time. `turnstone bench` measures with care.
fn main() {
    for bench in turnstone_samples::benches()
        .into_iter()
        .filter(|b| std::env::args().nth(1).is_none_or(|f| b.name.contains(&f)))
    {
        let mut work = (bench.prepare)();
        work();
        let mut best = f64::INFINITY;
        for _ in 0..12 {
            let start = std::time::Instant::now();
            let units = work();
            best = best.min(start.elapsed().as_secs_f64() / units as f64);
        }
        println!("{:28} {:8.1} ns per {}", bench.name, best * 1e9, bench.unit);
    }
}
