//! `cargo bench -p turnstone-games [-- FILTER]`: the rates of the kernel and of every game, in CPU
//! time, best of several chunks. `turnstone bench` measures the same work and prints more.

use cpu_time::ThreadTime;

const CHUNKS: usize = 8;

fn main() {
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let all = turnstone_games::benches().into_iter().chain(turnstone_games::games().benches());
    for bench in all.filter(|bench| bench.name.contains(&filter)) {
        let mut work = (bench.prepare)();
        work(); // warm the buffers
        let best = (0..CHUNKS).map(|_| seconds_per_unit(&mut work)).fold(f64::INFINITY, f64::min);
        println!("{:36} {:>14.0} {}/s  {:>10.1} ns each", bench.name, 1.0 / best, bench.unit, best * 1e9);
    }
}

fn seconds_per_unit(work: &mut dyn FnMut() -> u64) -> f64 {
    let start = ThreadTime::now();
    let units = work();
    start.elapsed().as_secs_f64() / units.max(1) as f64
}
