//! Work on several threads, with the results in their order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does `one` for every number below `count` on so many threads. The results are in the order of the numbers, whoever
/// was finished first. A panic of the work is a panic here.
pub fn in_order<T: Send>(count: u64, threads: usize, one: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = threads.clamp(1, 1024).min(usize::try_from(count).unwrap_or(1024).max(1));
    if threads == 1 {
        return (0..count).map(one).collect();
    }
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            own.push((number, one(number)));
        }
        if let Ok(mut done) = done.lock() {
            done.append(&mut own);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_stand_in_their_order() {
        for threads in [1, 2, 3, 64] {
            assert_eq!(
                in_order(100, threads, |number| number * number),
                (0..100).map(|n| n * n).collect::<Vec<_>>()
            );
            assert!(in_order(0, threads, |number| number).is_empty());
        }
    }
}
