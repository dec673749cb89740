//! A match in progress.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use serde_json::Value;
use turnstone_table::{Moment, Table as Inner, Viewer};

use crate::{host, json, malformed, opening, refused, unloaded};

/// A match in progress. The Python class around it turns JSON into values.
#[pyclass(frozen, module = "turnstone_games._native")]
pub struct Table(Mutex<Box<dyn Inner>>);

impl Table {
    fn lock(&self) -> MutexGuard<'_, Box<dyn Inner>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who looks: nobody in particular sees everything, -1 is a spectator, others are seats.
pub(crate) fn viewer(seat: Option<i16>) -> Viewer {
    match seat.map(u8::try_from) {
        None => Viewer::All,
        Some(Ok(seat)) => Viewer::Seat(seat),
        Some(Err(_)) => Viewer::Spectator,
    }
}

#[pymethods]
impl Table {
    #[staticmethod]
    fn open(py: Python<'_>, game: &str, opened: &str) -> PyResult<Self> {
        let (host, opening) = (host(game)?, opening(opened)?);
        let table = py.detach(|| host.open(&opening)).map_err(refused)?;
        Ok(Table(Mutex::new(table)))
    }

    #[staticmethod]
    fn load(py: Python<'_>, file: &str, opened: &str) -> PyResult<Self> {
        let over = opening(opened)?.content;
        let table = py.detach(|| turnstone_games::games().load(file, &over)).map_err(unloaded)?;
        Ok(Table(Mutex::new(table)))
    }

    fn game(&self) -> &'static str {
        self.lock().game()
    }
    fn seed(&self) -> u64 {
        self.lock().seed()
    }
    fn ruleset(&self) -> PyResult<String> {
        json(&self.lock().ruleset())
    }
    fn seats(&self) -> Vec<String> {
        self.lock().seats()
    }
    fn actor(&self) -> Option<u8> {
        self.lock().actor()
    }
    fn outcome(&self) -> PyResult<String> {
        json(&self.lock().outcome())
    }
    fn inputs(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().inputs(viewer(seat)))
    }
    fn act(&self, input: &str) -> PyResult<u32> {
        let input: Value = serde_json::from_str(input).map_err(malformed)?;
        self.lock().act(&input).map(number).map_err(refused)
    }
    fn act_from(&self, seat: u8, input: &str) -> PyResult<u32> {
        let input: Value = serde_json::from_str(input).map_err(malformed)?;
        self.lock().act_from(seat, &input).map(number).map_err(refused)
    }
    fn choose(&self, place: usize) -> PyResult<u32> {
        self.lock().choose(place).map(number).map_err(refused)
    }
    fn choose_from(&self, seat: u8, place: usize) -> PyResult<u32> {
        self.lock().choose_from(seat, place).map(number).map_err(refused)
    }
    fn parse(&self, text: &str) -> PyResult<Option<String>> {
        self.lock().parse(text).map(|input| json(&input)).transpose()
    }
    fn question(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().question(viewer(seat)))
    }
    fn view(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().view(viewer(seat)))
    }
    fn scene(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().scene(viewer(seat)))
    }
    fn log(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().log(viewer(seat)))
    }
    fn news(&self, moment: u32, seat: Option<i16>) -> PyResult<String> {
        let table = self.lock();
        json(&table.news(known(&**table, moment)?, viewer(seat)))
    }
    fn explain(&self, moment: Option<u32>, seat: Option<i16>) -> PyResult<String> {
        let table = self.lock();
        let moment = moment.map(|moment| known(&**table, moment)).transpose()?;
        Ok(table.explain(moment.unwrap_or_else(|| table.here()), viewer(seat)).to_string())
    }
    fn undo(&self) -> bool {
        self.lock().undo()
    }
    fn redo(&self) -> bool {
        self.lock().redo()
    }
    fn jump(&self, moment: u32) -> PyResult<()> {
        self.lock().jump(moment).map_err(refused)
    }
    fn here(&self) -> u32 {
        number(self.lock().here())
    }
    fn moments(&self) -> u32 {
        self.lock().moments()
    }
    fn branches(&self, seat: Option<i16>) -> PyResult<String> {
        json(&self.lock().branches(viewer(seat)))
    }
    fn save(&self) -> PyResult<String> {
        self.lock().save().map_err(refused)
    }
    fn digest(&self) -> String {
        self.lock().digest().to_string()
    }
    fn tally(&self) -> PyResult<String> {
        json(&self.lock().tally())
    }
    fn fork(&self) -> Self {
        Table(Mutex::new(self.lock().fork()))
    }
    fn seat_bot(&self, seat: u8, name: &str, seed: u64) -> PyResult<()> {
        self.lock().seat_bot(seat, name, seed).map_err(refused)
    }
    fn bot_choice(&self, py: Python<'_>) -> Option<usize> {
        let thinking = self.lock().think()?;
        Some(py.detach(thinking))
    }
}

fn number(moment: Moment) -> u32 {
    moment
}

fn known(table: &dyn Inner, moment: u32) -> PyResult<Moment> {
    if moment < table.moments() {
        return Ok(moment);
    }
    let text = format!("there is no moment {moment}: there are {}", table.moments());
    Err(refused(turnstone_table::Rejection::new("UNKNOWN_MOMENT", text)))
}
