//! Threads that are made when they are first needed, and anew in a process that was forked: there the old ones are
//! gone, and whoever waited for them would wait for ever.

use std::sync::Arc;

use rayon::ThreadPool;
use turnstone::Rejection;

/// The threads of a batch.
pub(crate) struct Threads {
    wanted: usize,
    /// In which process they were made.
    made: Option<(u32, Arc<ThreadPool>)>,
}

impl Threads {
    pub fn new(wanted: usize) -> Self {
        Threads { wanted, made: None }
    }

    /// The threads; `None` if the caller's own is enough.
    pub fn pool(&mut self) -> Result<Option<Arc<ThreadPool>>, Rejection> {
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
        let built = rayon::ThreadPoolBuilder::new().num_threads(self.wanted).build();
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
