//! Many worlds that step together, in numpy arrays that are made once and filled in place.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use serde_json::{Value, json};
use turnstone_gym::{
    Actions, Autoreset, Buffer, Buffers, Episode, Finals, Frame, Illegal, Lanes as Inner, OFFERS, Plan,
    Taste, Which,
};
use turnstone_table::Rejection;

use crate::{malformed, opening, refused};

/// The numbers of one observation, small and larger.
type Both<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i16>>);

/// One set of arrays: what a step leaves to be seen.
struct Set {
    buffer: Buffer,
    bytes: Py<PyArray2<u8>>,
    words: Py<PyArray2<i16>>,
    mask: Py<PyArray2<bool>>,
    offered: Py<PyArray1<u32>>,
    seats: Py<PyArray1<u8>>,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    illegal: Py<PyArray1<bool>>,
    final_bytes: Py<PyArray2<u8>>,
    final_words: Py<PyArray2<i16>>,
}

impl Set {
    /// The same arrays, held once more.
    fn again(&self, py: Python<'_>) -> Set {
        macro_rules! held {
            ($($name:ident)*) => { Set { buffer: self.buffer, $($name: self.$name.clone_ref(py)),* } };
        }
        held!(bytes words mask offered seats rewards terminated truncated illegal final_bytes final_words)
    }
}

/// Somebody else writes to these arrays at this very moment.
fn in_use(_: numpy::BorrowError) -> PyErr {
    let text =
        "another thread is stepping these worlds into the same arrays: let one thread step them at a time";
    refused(Rejection::new("IN_USE", text))
}

/// Many worlds that step together.
#[pyclass(frozen, module = "turnstone_games._native")]
pub struct Lanes {
    inner: Mutex<Box<dyn Inner>>,
    sets: Mutex<Vec<Set>>,
}

fn plan(text: &str) -> PyResult<Plan> {
    let value: Value = serde_json::from_str(text).map_err(malformed)?;
    let number = |name: &str| value[name].as_u64().unwrap_or_default();
    let word = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let parts = value["parts"].as_array().into_iter().flatten();
    let parts = parts.filter_map(|part| part.as_str().map(str::to_owned)).collect();
    let unknown = |what: &str, known: &str| {
        let text = format!("{what} \"{}\" is not known; there are: {known}", word(what));
        refused(Rejection::new("UNKNOWN_OPTION", text))
    };
    Ok(Plan {
        lanes: number("lanes") as usize,
        threads: number("threads").max(1) as usize,
        seed: number("seed"),
        seat: value["seat"].as_u64().map(|seat| seat.min(255) as u8),
        opponent: word("opponent"),
        actions: match word("actions").as_str() {
            "fixed" => Actions::Fixed,
            "offered" => Actions::Offered(value["offers"].as_u64().map_or(OFFERS, |offers| offers as usize)),
            _ => return Err(unknown("actions", "fixed, offered")),
        },
        autoreset: match word("autoreset").as_str() {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            _ => return Err(unknown("autoreset", "next_step, same_step, disabled")),
        },
        illegal: match word("illegal").as_str() {
            "penalty" => Illegal::Penalty,
            "raise" => Illegal::Refuse,
            "random" => Illegal::Random,
            _ => return Err(unknown("illegal", "penalty, raise, random")),
        },
        illegal_reward: value["illegal_reward"].as_f64().unwrap_or_default() as f32,
        time_limit: number("time_limit").min(u32::MAX.into()) as u32,
        history: number("history") as usize,
        record: number("record") as usize,
        taste: Taste { observe: word("observe"), reward: word("reward"), parts },
    })
}

impl Lanes {
    fn lock(&self) -> MutexGuard<'_, Box<dyn Inner>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills a set of arrays by whatever is done to the worlds, with Python let go meanwhile.
    fn fill(
        &self,
        py: Python<'_>,
        set: usize,
        work: impl FnOnce(&mut dyn Inner, &mut Frame, Buffer) -> Result<(), Rejection> + Send,
    ) -> PyResult<()> {
        // Nothing is held but the arrays themselves while Python is let go: who waited for it would hold Python, and
        // we would wait for that.
        let sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let found = sets.get(set).map(|set| set.again(py));
        drop(sets);
        let Some(set) = found else { return Err(malformed("there is no such set of arrays")) };
        macro_rules! open {
            ($($name:ident)*) => { $(let mut $name = set.$name.bind(py).try_readwrite().map_err(in_use)?;)* };
        }
        open!(bytes words mask offered seats rewards terminated truncated illegal final_bytes final_words);
        let mut frame = Frame {
            bytes: bytes.as_slice_mut()?,
            words: words.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            offered: offered.as_slice_mut()?,
            seats: seats.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            illegal: illegal.as_slice_mut()?,
            finals: Some(Finals { bytes: final_bytes.as_slice_mut()?, words: final_words.as_slice_mut()? }),
        };
        let (inner, buffer) = (&self.inner, set.buffer);
        let done = py.detach(move || {
            let mut lanes = inner.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut **lanes, &mut frame, buffer)
        });
        done.map_err(refused)
    }
}

/// Numbers of worlds.
fn places(numbers: &[i64]) -> PyResult<Vec<usize>> {
    let place = |number: &i64| {
        let text = || format!("worlds are counted from 0, and there is no {number}");
        usize::try_from(*number).map_err(|_| refused(Rejection::new("UNKNOWN_LANE", text())))
    };
    numbers.iter().map(place).collect()
}

/// What every world does in a step of a rehearsal: a function of its number and the step.
fn lot(lane: usize, step: usize, among: usize) -> usize {
    (lane * 7_919 + step * 104_729) % among.max(1)
}

/// The same worlds, played in Rust alone for so many steps: the digest they come to, and the seconds it took. In every
/// step world `i` takes number `(7919 i + 104729 step) mod n` of its `n` allowed actions, in their order, or of all
/// there are if `blind`. Tests and measurements compare with it.
#[pyfunction]
pub fn rehearse(
    py: Python<'_>,
    game: &str,
    opened: &str,
    wanted: &str,
    steps: usize,
    blind: bool,
) -> PyResult<(String, f64)> {
    let mut lanes = open(py, game, opened, wanted)?;
    let played = py.detach(move || {
        let (count, numbers, lengths) = (lanes.plan().lanes, lanes.numbers(), lanes.lengths());
        let mut sets = [0, 1].map(|_| (Buffers::new(count, lengths), lanes.buffer()));
        let (first, shown) = &mut sets[1];
        lanes.observe(&mut first.frame(), Some(*shown))?;
        let mut actions = vec![0; count];
        let begun = std::time::Instant::now();
        for step in 0..steps {
            for (lane, action) in actions.iter_mut().enumerate() {
                *action = if blind {
                    lot(lane, step, numbers) as i64
                } else {
                    let mask = &sets[(step + 1) % 2].0.mask[lane * numbers..][..numbers];
                    let many = mask.iter().filter(|allowed| **allowed).count();
                    let mut allowed = mask.iter().enumerate().filter(|(_, allowed)| **allowed);
                    allowed.nth(lot(lane, step, many)).map_or(0, |(number, _)| number as i64)
                };
            }
            let (buffers, shown) = &mut sets[step % 2];
            lanes.step(&actions, &mut buffers.frame(), Some(*shown))?;
        }
        Ok((lanes.digest().to_string(), begun.elapsed().as_secs_f64()))
    });
    played.map_err(refused)
}

fn open(py: Python<'_>, game: &str, opened: &str, wanted: &str) -> PyResult<Box<dyn Inner>> {
    let (opening, plan) = (opening(opened)?, plan(wanted)?);
    let gyms = turnstone_games::gyms();
    let Some(gym) = gyms.iter().find(|gym| gym.name() == game) else {
        let known: Vec<&str> = gyms.iter().map(|gym| gym.name()).collect();
        let text = format!("there is no game \"{game}\"; there are: {}", known.join(", "));
        return Err(refused(Rejection::new("UNKNOWN_GAME", text)));
    };
    py.detach(|| gym.open(&opening, plan)).map_err(refused)
}

fn told(episode: &Episode) -> PyResult<String> {
    crate::json(&json!({
        "seed": episode.seed, "number": episode.number, "ending": episode.ending, "steps": episode.steps,
        "total": episode.total,
    }))
}

#[pymethods]
impl Lanes {
    #[new]
    fn new(py: Python<'_>, game: &str, opened: &str, wanted: &str) -> PyResult<Self> {
        let inner = open(py, game, opened, wanted)?;
        Ok(Lanes { inner: Mutex::new(inner), sets: Mutex::new(Vec::new()) })
    }

    /// What observations and numbers are like, as JSON.
    fn spec(&self) -> PyResult<String> {
        let lanes = self.lock();
        crate::json(&json!({
            "lanes": lanes.plan().lanes, "numbers": lanes.numbers(), "parts": lanes.parts(),
            "seats": lanes.seats(), "history": lanes.plan().history,
            "bytes": lanes.lengths().bytes, "words": lanes.lengths().words,
        }))
    }

    /// Takes a set of arrays, which stay the caller's: observations of small and of larger numbers, mask, offered,
    /// seats, rewards, terminated, truncated, illegal, and the last observations of both sorts. Steps and looks name a
    /// set by how many were taken before it.
    #[allow(clippy::too_many_arguments)]
    fn lend(
        &self,
        bytes: Py<PyArray2<u8>>,
        words: Py<PyArray2<i16>>,
        mask: Py<PyArray2<bool>>,
        offered: Py<PyArray1<u32>>,
        seats: Py<PyArray1<u8>>,
        rewards: Py<PyArray1<f32>>,
        terminated: Py<PyArray1<bool>>,
        truncated: Py<PyArray1<bool>>,
        illegal: Py<PyArray1<bool>>,
        final_bytes: Py<PyArray2<u8>>,
        final_words: Py<PyArray2<i16>>,
    ) {
        let buffer = self.lock().buffer();
        let set = Set {
            buffer,
            bytes,
            words,
            mask,
            offered,
            seats,
            rewards,
            terminated,
            truncated,
            illegal,
            final_bytes,
            final_words,
        };
        self.sets.lock().unwrap_or_else(PoisonError::into_inner).push(set);
    }

    /// Steps every world by one number each.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>, set: usize) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.fill(py, set, |lanes, frame, buffer| lanes.step(actions, frame, Some(buffer)))
    }

    /// Steps the only world there is; gives reward, terminated, truncated, illegal, how many inputs are offered, and
    /// the seat.
    fn step_one(
        &self,
        py: Python<'_>,
        action: i64,
        set: usize,
    ) -> PyResult<(f32, bool, bool, bool, u32, u8)> {
        let mut told = (0.0, false, false, false, 0, 0);
        let seen = &mut told;
        self.fill(py, set, move |lanes, frame, buffer| {
            lanes.step(&[action], frame, Some(buffer))?;
            *seen = (
                frame.rewards[0],
                frame.terminated[0],
                frame.truncated[0],
                frame.illegal[0],
                frame.offered[0],
                frame.seats[0],
            );
            Ok(())
        })?;
        Ok(told)
    }

    /// Writes all worlds as they are.
    fn observe(&self, py: Python<'_>, set: usize) -> PyResult<()> {
        self.fill(py, set, |lanes, frame, buffer| lanes.observe(frame, Some(buffer)))
    }

    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        py.detach(|| self.lock().reset(seed)).map_err(refused)
    }
    #[pyo3(signature = (lane, seed = None))]
    fn begin_again(&self, lane: usize, seed: Option<u64>) -> PyResult<()> {
        self.lock().begin_again(lane, seed).map_err(refused)
    }
    fn copy_lanes(
        &self,
        py: Python<'_>,
        source: PyReadonlyArray1<'_, i64>,
        target: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let [from, to] = [places(source.as_slice()?)?, places(target.as_slice()?)?];
        py.detach(|| self.lock().copy_lanes(&from, &to)).map_err(refused)
    }
    fn save(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        py.detach(|| self.lock().save()).map_err(refused)
    }
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let saved = saved.to_vec();
        py.detach(|| self.lock().restore(&saved)).map_err(refused)
    }
    fn forget(&self) {
        self.lock().forget();
    }
    fn match_file(&self, lane: usize, ended: bool, episode: Option<u64>) -> PyResult<String> {
        let which = match (episode, ended) {
            (Some(number), _) => Which::Number(number),
            (None, true) => Which::Last,
            (None, false) => Which::Present,
        };
        self.lock().match_file(lane, which).map_err(refused)
    }
    fn describe(&self, lane: usize, number: usize) -> PyResult<Option<String>> {
        self.lock().describe(lane, number).map_err(refused)
    }
    /// What a number stands for in general.
    fn meaning(&self, number: usize) -> PyResult<String> {
        self.lock().meaning(number).map_err(refused)
    }
    /// The episode that ended in the latest step, as JSON.
    fn finished(&self, lane: usize) -> PyResult<Option<String>> {
        let lanes = self.lock();
        lanes.finished(lane).map_err(refused)?.map(told).transpose()
    }
    /// The episode that ended last, as JSON.
    fn last(&self, lane: usize) -> PyResult<String> {
        self.lock().last(lane).map_err(refused).and_then(told)
    }
    fn progress(&self, lane: usize) -> PyResult<(u64, u64, u32)> {
        self.lock().progress(lane).map_err(refused)
    }
    fn standing(&self, lane: usize, seat: u8) -> PyResult<f32> {
        self.lock().standing(lane, seat).map_err(refused)
    }
    /// What a seat sees of a world: its small and its larger numbers.
    fn see<'py>(&self, py: Python<'py>, lane: usize, seat: u8) -> PyResult<Both<'py>> {
        let (bytes, words) = self.lock().see(lane, seat).map_err(refused)?;
        Ok((PyArray1::from_vec(py, bytes), PyArray1::from_vec(py, words)))
    }
    /// What is shown of a world as it is now, as JSON.
    fn scene(&self, lane: usize, seat: Option<i16>) -> PyResult<String> {
        let scene = self.lock().scene(lane, crate::table::viewer(seat)).map_err(refused)?;
        crate::json(&scene)
    }
    /// An allowed action for every world, by lots that follow from this seed.
    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut lanes = self.lock();
        let mut out = vec![0; lanes.plan().lanes];
        lanes.sample(seed, &mut out).map_err(refused)?;
        Ok(PyArray1::from_vec(py, out))
    }
    fn digest(&self) -> String {
        self.lock().digest().to_string()
    }
}
