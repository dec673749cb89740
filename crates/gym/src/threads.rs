//! Threads that are made when they are first needed, and anew in a process that was forked: there the old ones are
//! gone, and whoever waited for them would wait for ever.
//!
//! Whoever asks works, too. To wake a thread takes about as long as a tenth of a usual step, so work is not handed
//! out beforehand: who is awake takes what nobody has taken. And who has nothing left to do stays awake for a moment:
//! mostly the next step comes at once.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use turnstone::Rejection;

/// The threads of a batch.
pub(crate) struct Threads {
    wanted: usize,
    /// How often work was handed out.
    calls: Arc<AtomicUsize>,
    /// In which process they were made.
    made: Option<(u32, Arc<ThreadPool>)>,
}

impl Threads {
    pub fn new(wanted: usize) -> Self {
        Threads { wanted, calls: Arc::default(), made: None }
    }

    /// Does every job once, on this thread and on others. The work is told the number of the worker, below the number
    /// of threads, and that of the job.
    pub fn share<J: Send>(
        &mut self,
        jobs: &mut [J],
        work: impl Fn(usize, usize, &mut J) + Sync,
    ) -> Result<(), Rejection> {
        self.share_as(Help::Others, jobs, work)
    }

    /// The same, but every worker does what is his, and nothing else.
    pub fn share_strictly<J: Send>(
        &mut self,
        jobs: &mut [J],
        work: impl Fn(usize, usize, &mut J) + Sync,
    ) -> Result<(), Rejection> {
        self.share_as(Help::Nobody, jobs, work)
    }

    fn share_as<J: Send>(
        &mut self,
        help: Help,
        jobs: &mut [J],
        work: impl Fn(usize, usize, &mut J) + Sync,
    ) -> Result<(), Rejection> {
        match self.pool()?.filter(|_| jobs.len() > 1) {
            Some(pool) => {
                self.calls.fetch_add(1, Ordering::Release);
                share(&pool, help, jobs, work);
                linger(&pool, &self.calls);
            }
            None => jobs.iter_mut().enumerate().for_each(|(number, job)| work(0, number, job)),
        }
        Ok(())
    }

    /// The threads besides the caller's own; `None` if that is enough.
    fn pool(&mut self) -> Result<Option<Arc<ThreadPool>>, Rejection> {
        if self.wanted < 2 {
            return Ok(None);
        }
        let process = std::process::id();
        if let Some((maker, pool)) = &self.made
            && *maker == process
        {
            return Ok(Some(Arc::clone(pool)));
        }
        if let Some(stale) = self.made.take() {
            // Dropping it would wake threads that are not there, through locks that may be held for ever.
            std::mem::forget(stale);
        }
        let built = rayon::ThreadPoolBuilder::new().num_threads(self.wanted - 1).build();
        let pool = Arc::new(built.map_err(|error| Rejection::new("NO_THREADS", error.to_string()))?);
        self.made = Some((process, Arc::clone(&pool)));
        Ok(Some(pool))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(made) = self.made.take().filter(|(maker, _)| *maker != std::process::id()) {
            std::mem::forget(made);
        }
    }
}

/// Counts a job as done, also one that panics.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Looks at a counter, some fifty microseconds of them, before one sleeps.
const GLANCES: u32 = 2_000;

/// Keeps the threads awake until there is work again, some hundred microseconds at most.
fn linger(pool: &ThreadPool, calls: &Arc<AtomicUsize>) {
    let (calls, now) = (Arc::clone(calls), calls.load(Ordering::Acquire));
    pool.spawn_broadcast(move |_| {
        for _ in 0..2 * GLANCES {
            if calls.load(Ordering::Acquire) != now {
                break;
            }
            std::hint::spin_loop();
        }
    });
}

/// Whom a worker helps that has done its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Help {
    Others,
    Nobody,
}

/// What a worker has still to do, and whether it has begun.
struct Due {
    jobs: Range<usize>,
    begun: bool,
}

impl Due {
    /// The next of one's own.
    fn next(due: &Mutex<Due>) -> Option<usize> {
        let mut due = locked(due);
        due.begun = true;
        due.jobs.next()
    }

    /// What somebody else may take: from the far end, and not the last one of who is at work, because its worlds are
    /// nearer to him.
    fn spare(due: &Mutex<Due>) -> Option<usize> {
        let mut due = locked(due);
        if due.begun && due.jobs.len() < 2 { None } else { due.jobs.next_back() }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn share<J: Send>(pool: &ThreadPool, help: Help, jobs: &mut [J], work: impl Fn(usize, usize, &mut J) + Sync) {
    let (count, workers) = (jobs.len(), pool.current_num_threads() + 1);
    let left = AtomicUsize::new(count);
    let slots: Vec<Mutex<Option<&mut J>>> = jobs.iter_mut().map(|job| Mutex::new(Some(job))).collect();
    let bounds = |worker: usize| worker * count / workers;
    let due = |worker| Mutex::new(Due { jobs: bounds(worker)..bounds(worker + 1), begun: false });
    let dues: Vec<Mutex<Due>> = (0..workers).map(due).collect();
    let run = |worker: usize| {
        // Everybody begins with the same jobs every time, whose worlds he has at hand, and helps others then.
        let own = std::iter::from_fn(|| Due::next(&dues[worker]));
        let helped = if help == Help::Others { workers } else { 1 };
        let others = (1..helped).map(|step| &dues[(worker + step) % workers]);
        let spared = others.flat_map(|due| std::iter::from_fn(|| Due::spare(due)));
        for number in own.chain(spared) {
            if let Some(job) = locked(&slots[number]).take() {
                let _done = Done(&left);
                work(worker, number, job);
            }
        }
    };
    pool.in_place_scope(|scope| {
        for helper in 1..workers {
            let run = &run;
            scope.spawn(move |_| run(helper));
        }
        run(0);
        // What is still being done is done soon: to sleep and be woken would take longer, unless somebody has to wait
        // for a core.
        for _ in 0..GLANCES {
            if left.load(Ordering::Acquire) == 0 {
                break;
            }
            std::hint::spin_loop();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_by_any_number_of_threads() {
        for wanted in [0, 1, 2, 3, 8] {
            let mut threads = Threads::new(wanted);
            for count in [0, 1, 2, 7, 100] {
                let mut jobs = vec![0; count];
                threads.share(&mut jobs, |_, number, job| *job += number + 1).unwrap();
                assert!(jobs.iter().enumerate().all(|(number, job)| *job == number + 1), "{wanted}, {count}");
            }
        }
    }

    #[test]
    fn who_works_strictly_does_his_own_and_nothing_else() {
        for wanted in [1, 2, 3, 8] {
            let mut jobs = vec![usize::MAX; 24];
            Threads::new(wanted).share_strictly(&mut jobs, |worker, _, job| *job = worker).unwrap();
            let own: Vec<usize> = (0..wanted).flat_map(|worker| vec![worker; 24 / wanted]).collect();
            assert_eq!(jobs, own);
        }
    }

    #[test]
    fn the_last_job_of_who_is_at_work_is_left_to_him_and_all_of_who_has_not_begun_are_taken() {
        let due = Mutex::new(Due { jobs: 0..4, begun: false });
        assert_eq!(Due::spare(&due), Some(3));
        assert_eq!(Due::next(&due), Some(0));
        assert_eq!((Due::spare(&due), Due::spare(&due)), (Some(2), None));
        assert_eq!((Due::next(&due), Due::next(&due)), (Some(1), None));
        let idle = Mutex::new(Due { jobs: 7..8, begun: false });
        assert_eq!((Due::spare(&idle), Due::spare(&idle)), (Some(7), None));
    }

    #[test]
    fn a_job_that_panics_is_told_to_who_asked() {
        for wanted in [1, 2, 3] {
            let told = std::panic::catch_unwind(|| {
                Threads::new(wanted).share(&mut [0; 9], |_, number, _| assert_ne!(number, 8)).ok();
            });
            assert!(told.is_err(), "{wanted}");
        }
    }
}
