//! The kernel's promises as oracles that take any game, a set-up and seeds.
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::doc::Nim;
//! use turnstone_testkit::{Plan, prove};
//!
//! prove(&Arc::new(Nim), |seed| 5 + seed as u32 % 20, Plan { cases: 8, ..Plan::default() });
//! ```
//!
//! [`prove`] plays random scripts and asks every oracle of every one. A failing script is shrunk to a
//! minimal one, which is printed as a match file together with its seed. A single oracle can be asked
//! by itself: see [`oracles`].

mod bless;
pub mod forge;
pub mod golden;
pub mod kernel;
pub mod mutate;
pub mod oracles;
mod script;
pub mod secrets;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use turnstone::digest::Digest;
use turnstone::file;
use turnstone::{Game, Match, Seen, Told};

pub use bless::bless;
use kernel::{Kernel, Sound};
use oracles::{Oracle, Trial, Word};
pub use script::{Script, Scripted};

/// How much to prove.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Random scripts to play.
    pub cases: u32,
    /// Inputs in a script, at most.
    pub steps: usize,
    /// The seed from which scripts and match seeds are drawn. A failure names it.
    pub seed: u64,
    /// At how many moments of a script the costly oracles look (all inputs tried, saved and loaded).
    pub probes: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { cases: 24, steps: 60, seed: 1, probes: 12 }
    }
}

/// Proves every promise on random scripts, or panics with the smallest script that breaks one.
///
/// # Panics
/// If a promise is broken: with the oracle's name, what it saw, the seed, and a match file.
pub fn prove<G: Seen + Told>(game: &Arc<G>, setup: impl Fn(u64) -> G::Setup, plan: Plan) {
    let mut key = [7u8; 32];
    key[..8].copy_from_slice(&plan.seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    let config =
        Config { cases: plan.cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let scripts = (any::<u32>(), vec(any::<u16>(), 0..=plan.steps));
    let result = runner.run(&scripts, |(seed, picks)| {
        let script = Script::new(Arc::clone(game), setup(u64::from(seed)), u64::from(seed), picks);
        ask_all(&script, plan).map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(reason, (seed, picks))) = result {
        let seed = u64::from(seed);
        let script = Script::new(Arc::clone(game), setup(seed), seed, picks);
        panic!("{}", report(&script, plan, reason.message()));
    }
    if let Err(TestError::Abort(reason)) = result {
        panic!("the proof was given up: {reason}");
    }
}

/// Asks every oracle of one script.
///
/// # Errors
/// The first promise that is broken, and how.
pub fn ask_all<G: Seen + Told>(script: &Script<G>, plan: Plan) -> Result<(), String> {
    let played = script.play().map_err(|refusal| format!("the set-up is refused: {refusal}"))?;
    let trial = Trial { script, played: &played, plan, kernel: &Sound };
    for (name, oracle) in oracles::all::<G, Sound>() {
        ask(oracle, &trial).map_err(|text| format!("{name}: {text}"))?;
    }
    Ok(())
}

/// Asks one oracle. A panic is told like any other broken promise, so that its script is shrunk too.
///
/// # Errors
/// How the promise is broken.
pub fn ask<G: Game, K: Kernel<G>>(oracle: Oracle<G, K>, trial: &Trial<'_, G, K>) -> Word {
    let asked = catch_unwind(AssertUnwindSafe(|| oracle(trial)));
    asked.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a word"))
}

fn report<G: Seen + Told>(script: &Script<G>, plan: Plan, reason: &str) -> String {
    let mut text = format!("{reason}\nplan seed {}, match seed {}\n", plan.seed, script.seed);
    let _ = writeln!(text, "set-up {:?}", script.setup);
    match script.play() {
        Ok(played) => {
            let _ = writeln!(text, "the smallest match that shows it:\n{}", match_file(script, &played.game));
        }
        Err(refusal) => {
            let _ = writeln!(text, "the set-up is refused: {refusal}");
        }
    }
    text
}

/// The match file of a script, with a header that names no game.
pub fn match_file<G: Game>(script: &Script<G>, game: &Match<G>) -> String {
    let (setup, seed) = (script.setup.clone(), script.seed);
    let header = file::Header::new("test", serde_json::Value::Null, Digest([0; 16]), setup, seed);
    file::write(&header, game).unwrap_or_else(|error| error.to_string())
}
