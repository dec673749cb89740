//! A tournament whose units are played anywhere, in any order, and written here.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use turnstone_arena::{Plan, Progress, Report, Results, Tournament, Trouble};

use crate::{TurnstoneError, host, malformed, opening};

/// A tournament file, ready to be played.
#[pyclass(frozen, module = "turnstone_games._native")]
pub struct Arena {
    tournament: Tournament,
    results: Mutex<Option<Results>>,
}

fn troubled(trouble: Trouble) -> PyErr {
    TurnstoneError::new_err((trouble.code.clone(), trouble.to_string()))
}

fn told(results: &Results) -> (u64, bool) {
    let Progress { done, .. } = results.progress();
    (done, results.over())
}

impl Arena {
    fn lock(&self) -> MutexGuard<'_, Option<Results>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Arena {
    /// From the text of the file, an opening with content and files that set-ups name, and the words that start a program
    /// which runs built-in bots apart.
    #[new]
    fn new(py: Python<'_>, plan: &str, opened: &str, helper: Vec<String>) -> PyResult<Self> {
        let (plan, opening) = (Plan::read(plan).map_err(troubled)?, opening(opened)?);
        let host = host(&plan.game)?;
        let opened =
            py.detach(|| Tournament::with_helper(plan, host, &opening.content, &opening.files, &helper));
        Ok(Arena { tournament: opened.map_err(troubled)?, results: Mutex::new(None) })
    }

    /// What set-ups and options say in a tournament file, where files may be named.
    #[staticmethod]
    fn named(plan: &str) -> PyResult<Vec<String>> {
        let plan = Plan::read(plan).map_err(troubled)?;
        Ok(plan.setups.into_iter().chain(plan.options.into_values()).collect())
    }

    /// The same for everybody who plays units of this tournament.
    fn mark(&self) -> String {
        self.tournament.mark()
    }

    /// How many units there are.
    fn units(&self) -> u64 {
        self.tournament.units()
    }

    /// Plays one unit; gives its line.
    fn play(&self, py: Python<'_>, number: u64) -> PyResult<String> {
        py.detach(|| self.tournament.play(number)).map_err(troubled)
    }

    /// Opens a results file; gives how many units it holds, and whether nothing is left to play.
    fn begin(&self, path: &str) -> PyResult<(u64, bool)> {
        let mut open = self.lock();
        // What is open already is let go first: it may be this very file.
        *open = None;
        let results = self.tournament.results(Path::new(path)).map_err(troubled)?;
        let so_far = told(&results);
        *open = Some(results);
        Ok(so_far)
    }

    /// Takes the line of a unit; gives the same.
    fn hear(&self, line: &str) -> PyResult<(u64, bool)> {
        let mut open = self.lock();
        let results = open.as_mut().ok_or_else(|| malformed("no results file is open"))?;
        results.hear(line).map_err(troubled)?;
        Ok(told(results))
    }

    /// Ends writing; gives the report, as files by their names.
    fn close(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String)>> {
        let results = self.lock().take().ok_or_else(|| malformed("no results file is open"))?;
        let files = py.detach(|| Report::new(self.tournament.plan(), &results.close()?).files());
        Ok(files.map_err(troubled)?.into())
    }
}
