//! Records of chess, read and compared with its rules: traces of recorded games, and perft tables.
//!
//! [`conform`] takes a file of either kind; a program hands it to the table beside the game.
//!
//! ```
//! let table = r#"{"positions": [{"id": "start", "variant": "standard", "nodes": {"1": 20, "2": 400},
//!                 "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}]}"#;
//! let result = turnstone_chess_records::conform("perft.json", table, &[])?;
//! assert_eq!((result.passed, result.failures.len()), (1, 0));
//! # Ok::<(), turnstone::Rejection>(())
//! ```

mod names;
mod perft;
mod recorded;
mod replay;

use turnstone::Rejection;
use turnstone_chess::BadInput;
use turnstone_host::Conformity;

use crate::perft::PerftFile;
use crate::recorded::Trace;

/// What differs: the place, and both values.
type Divergence = (String, String);

/// What to check, and how far.
#[derive(Clone, Copy)]
struct Options {
    /// Traces: 1 state, 2 also legal moves and status, 3 also events, 4 also sources.
    level: u8,
    /// Perft: the greatest number of leaves counted for one position and depth.
    max_nodes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { level: 3, max_nodes: 3_000_000 }
    }
}

impl Options {
    fn read(pairs: &[(String, String)]) -> Result<Options, BadInput> {
        let mut options = Options::default();
        for (name, value) in pairs {
            let wrong = || {
                BadInput::new(
                    "conform.option",
                    name,
                    format!("'{value}' is no value for {name}; write a number."),
                )
            };
            match name.as_str() {
                "level" => options.level = value.parse().map_err(|_| wrong())?,
                "max-nodes" | "max_nodes" => options.max_nodes = value.parse().map_err(|_| wrong())?,
                _ => {
                    let reason = format!("There is no option {name}; known are level and max-nodes.");
                    return Err(BadInput::new("conform.option", name, reason));
                }
            }
        }
        Ok(options)
    }
}

/// Checks a file of golden records: traces (JSON Lines) or a perft table (JSON).
///
/// # Errors
/// If the file is neither, or an option is not understood.
pub fn conform(name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let options = Options::read(options)?;
    let nothing = || BadInput::new("conform.record", name, "There is no record in this file.");
    if let Ok(table) = serde_json::from_str::<PerftFile>(text) {
        if table.is_empty() {
            return Err(nothing().into());
        }
        return Ok(perft::check(&table, options.max_nodes));
    }
    if text.trim().is_empty() {
        return Err(nothing().into());
    }
    let mut result = Conformity::new("traces");
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let trace: Trace = serde_json::from_str(line).map_err(|error| {
            let place = format!("{name}:{}", number + 1);
            BadInput::new("conform.record", place, format!("This line is no recorded trace: {error}."))
        })?;
        result.count(trace.id.clone(), replay::check(&trace, options.level));
    }
    Ok(result)
}
