//! The same chain reactions through the listener queue, the interceptor stack
//! and the frozen recursion: what they count and how long they take.

mod engines;

use engines::{BLOCKS, Queue, frozen, stack};
use std::time::Instant;

const CAP: u64 = 3_000_000;

fn main() {
    println!(
        "{:<11} {:>22} {:>12} {:>16} {:>12} {:>22} {:>12}",
        "bombs", "queue applied/stale", "µs", "stack applied/real", "µs", "frozen events", "µs"
    );
    for block in BLOCKS {
        let queue = Queue::new(block);
        let ((applied, stale), queue_time) = best(|| queue.run());
        let ((stacked, real), stack_time) = best(|| stack(block));
        let (recursion, frozen_time) = best(|| frozen(block, CAP));
        let recursion = recursion.map_or(format!("> {CAP}"), |(events, _)| events.to_string());
        println!(
            "{:<11} {:>22} {queue_time:>12.1} {:>16} {stack_time:>12.1} {recursion:>22} {frozen_time:>12.1}",
            block.name(),
            format!("{applied}/{stale}"),
            format!("{stacked}/{real}")
        );
    }
}

/// The result and the shortest of several times in microseconds.
fn best<T>(work: impl Fn() -> T) -> (T, f64) {
    let mut result = work();
    let mut shortest = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        result = work();
        shortest = shortest.min(start.elapsed().as_secs_f64() * 1e6);
    }
    (result, shortest)
}
