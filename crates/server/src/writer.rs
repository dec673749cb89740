//! One thread appends for all matches: what comes while it writes is written together, in one durable step.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};

use crate::metrics::Metrics;
use crate::store::{Append, Store, StoreError};

/// The most appends in one step.
const GROUP: usize = 1024;

struct Job {
    part: Append,
    done: oneshot::Sender<Result<u64, StoreError>>,
}

/// The door to the thread that appends.
#[derive(Clone)]
pub struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the thread. It ends when the last door is dropped and everything is written.
    pub fn start(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Writer {
        let (queue, jobs) = mpsc::channel(2 * GROUP);
        std::thread::spawn(move || write(&*store, jobs, &metrics));
        Writer { queue }
    }

    /// Appends; it is durable when this returns.
    ///
    /// # Errors
    /// As the store says.
    pub async fn append(&self, part: Append) -> Result<u64, StoreError> {
        self.begin(part).await?.done().await
    }

    /// Begins to append: whoever asks has time for something else until it is done.
    ///
    /// # Errors
    /// If the server is closing.
    pub async fn begin(&self, part: Append) -> Result<Writing, StoreError> {
        let (done, answer) = oneshot::channel();
        self.queue.send(Job { part, done }).await.map_err(|_| closing())?;
        Ok(Writing(answer))
    }
}

/// An append under way.
#[derive(Debug)]
pub struct Writing(oneshot::Receiver<Result<u64, StoreError>>);

impl Writing {
    /// Waits until it is durable; gives how many lines there are.
    ///
    /// # Errors
    /// As the store says.
    pub async fn done(self) -> Result<u64, StoreError> {
        self.0.await.map_err(|_| closing())?
    }
}

fn closing() -> StoreError {
    StoreError::Unavailable("the server is closing".to_owned())
}

fn write(store: &dyn Store, mut jobs: mpsc::Receiver<Job>, metrics: &Metrics) {
    while let Some(first) = jobs.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(job) = jobs.try_recv()
        {
            group.push(job);
        }
        let (parts, answers): (Vec<Append>, Vec<_>) =
            group.into_iter().map(|job| (job.part, job.done)).unzip();
        let started = Instant::now();
        let done = store.append(&parts);
        metrics.commits.observe(started.elapsed());
        let lines = parts.iter().map(|part| part.lines.len() as u64).sum();
        metrics.lines.add(lines);
        for (done, answer) in done.into_iter().zip(answers) {
            if matches!(done, Err(StoreError::Unavailable(_))) {
                metrics.storage_errors.add(1);
            }
            // Who does not wait any more finds it in the store.
            let _ = answer.send(done);
        }
    }
}
