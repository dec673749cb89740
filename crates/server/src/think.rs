//! A bounded pool of threads for whatever takes longer than a moment: bots, forecasts, reviews.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
    most: usize,
}

/// The door to the pool.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Pool {
    /// So many threads (0: one less than there are cores), and at most `most` jobs that wait.
    pub fn start(threads: usize, most: usize) -> Pool {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores.saturating_sub(1).max(1) } else { threads };
        let shared = Arc::new(Shared { queue: Mutex::default(), more: Condvar::new(), most });
        for _ in 0..threads {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || {
                while let Some(job) = shared.next() {
                    // A game that fails in a thought must not take the pool along.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                }
            });
        }
        Pool { shared }
    }

    /// Has it done by and by, first come first served. Says whether there was room for it.
    pub fn submit(&self, job: impl FnOnce() + Send + 'static) -> bool {
        let mut queue = self.shared.queue();
        if queue.closed || queue.jobs.len() >= self.shared.most {
            return false;
        }
        queue.jobs.push_back(Box::new(job));
        drop(queue);
        self.shared.more.notify_one();
        true
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.shared.queue().jobs.len()
    }

    /// Forgets what waits; the threads end.
    pub fn close(&self) {
        let mut queue = self.shared.queue();
        queue.closed = true;
        queue.jobs.clear();
        drop(queue);
        self.shared.more.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn jobs_run_a_full_pool_says_so_and_a_panic_does_no_harm() {
        let pool = Pool::start(1, 2);
        let (held, hold) = channel::<()>();
        let (told, hear) = channel();
        let begun = told.clone();
        assert!(pool.submit(move || {
            begun.send(0).unwrap();
            let _ = hold.recv();
        }));
        assert_eq!(hear.recv().unwrap(), 0);
        assert!(pool.submit(|| panic!("a thought that fails")));
        assert!(pool.submit(move || told.send(1).unwrap()));
        assert!(!pool.submit(|| ()), "two wait already");
        held.send(()).unwrap();
        assert_eq!(hear.recv().unwrap(), 1);
        pool.close();
        assert!(!pool.submit(|| ()));
    }
}
