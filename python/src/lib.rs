//! The native half of the Python package: a thin shell around tables and batches. Everything structured crosses as
//! JSON, everything that is stepped crosses as numpy arrays that are filled in place while Python is let go.

mod arena;
mod lanes;
mod table;

use std::process::ExitCode;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde_json::Value;
use turnstone_table::{LoadError, Opening, Rejection, Source, read_seed};

create_exception!(
    turnstone_games,
    TurnstoneError,
    PyException,
    "Something the engine refused. `code` names the reason for ever, `message` says it in words."
);

/// A refusal as an exception.
fn refused(rejection: Rejection) -> PyErr {
    TurnstoneError::new_err((rejection.code().to_owned(), rejection.to_string()))
}

/// A match file that was not accepted, as an exception.
fn unloaded(error: LoadError) -> PyErr {
    TurnstoneError::new_err((error.code().to_owned(), error.to_string()))
}

fn malformed(text: impl std::fmt::Display) -> PyErr {
    TurnstoneError::new_err(("MALFORMED".to_owned(), text.to_string()))
}

fn json<T: serde::Serialize>(value: &T) -> PyResult<String> {
    serde_json::to_string(value).map_err(malformed)
}

/// An opening from its JSON: `{"setup", "ruleset", "seed", "wishes", "content", "files"}`.
fn opening(text: &str) -> PyResult<Opening> {
    let value: Value = serde_json::from_str(text).map_err(malformed)?;
    let texts = |name: &str| -> Vec<(String, String)> {
        let list = value[name].as_array().cloned().unwrap_or_default();
        let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
        list.iter().filter_map(pair).collect()
    };
    let sources = |name: &str| texts(name).into_iter().map(|(name, text)| Source::new(name, text)).collect();
    let seed = match &value["seed"] {
        Value::Null => 0,
        Value::String(text) => read_seed(text).map_err(malformed)?,
        number => {
            number.as_u64().ok_or_else(|| malformed("a seed is a number from 0 to 2^64 - 1, or a text"))?
        }
    };
    Ok(Opening {
        ruleset: Some(value["ruleset"].clone()).filter(|ruleset| !ruleset.is_null()),
        content: sources("content"),
        setup: value["setup"].as_str().map(str::to_owned),
        wishes: texts("wishes"),
        files: sources("files"),
        seed,
        ..Opening::default()
    })
}

fn host(name: &str) -> PyResult<&'static dyn turnstone_table::Host> {
    let games = turnstone_games::games();
    games.find(name).ok_or_else(|| {
        let known = games.names().collect::<Vec<_>>().join(", ");
        refused(Rejection::new("UNKNOWN_GAME", format!("there is no game \"{name}\"; there are: {known}")))
    })
}

/// What a game offers, as JSON: its rulesets, set-ups, settings and bots.
#[pyfunction]
fn describe_game(name: &str) -> PyResult<String> {
    let host = host(name)?;
    json(&serde_json::json!({
        "name": host.name(), "about": host.about(), "rulesets": host.rulesets(), "setups": host.setups(),
        "settings": host.options(), "bots": host.bots(),
    }))
}

/// The names of the games.
#[pyfunction]
fn games() -> Vec<&'static str> {
    turnstone_games::games().names().collect()
}

/// Folds and reruns a match file; gives what it held, as JSON.
#[pyfunction]
fn verify(py: Python<'_>, file: &str, content: &str) -> PyResult<String> {
    let over = opening(content)?.content;
    let verified = py
        .detach(|| turnstone_games::games().host_of_file(file)?.verify(file.as_bytes(), &over, &mut |_| ()));
    json(&verified.map_err(unloaded)?)
}

/// Does what the program does with these words; gives its exit code. `call` are the words that start it.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<String>, call: Vec<String>) -> u8 {
    let mut program = turnstone_games::program();
    program.call = call;
    let code = py.detach(|| program.run(words));
    (0..=2).find(|known| ExitCode::from(*known) == code).unwrap_or(2)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TurnstoneError", module.py().get_type::<TurnstoneError>())?;
    module.add_class::<arena::Arena>()?;
    module.add_class::<lanes::Lanes>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(describe_game, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(lanes::rehearse, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
