//! The Universal Chess Interface, so that chess programs can drive the plain
//! game and its variants, and `perft` for the command line.
//!
//! The loop is synchronous and holds no clock: times given with `go` become
//! numbers of positions, so that the same commands give the same answers.

use crate::bots::{Budget, Found, search};
use crate::error::BadInput;
use crate::plain::{Move, Position, Variant, divide, perft};
use std::io::{self, BufRead, Write};

/// Positions that a millisecond is worth.
const NODES_PER_MILLISECOND: u64 = 300;
const USUAL_NODES: u64 = 1_000_000;

/// Reads UCI commands until `quit` or the end of input.
///
/// ```
/// let commands = "uci\nposition startpos moves e2e4\ngo depth 2\nquit\n";
/// let mut answers = Vec::new();
/// turnstone_chess::uci::run(commands.as_bytes(), &mut answers)?;
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.contains("uciok") && answers.contains("bestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Only those of reading and writing; bad commands are answered with `info string`.
pub fn run(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut engine = Engine::new();
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            break;
        }
        engine.command(&words, &mut output)?;
        output.flush()?;
    }
    Ok(())
}

struct Engine {
    variant: Variant,
    chess960: bool,
    position: Position,
    /// Keys of the positions before, for repetitions.
    history: Vec<u64>,
}

impl Engine {
    fn new() -> Engine {
        let variant = Variant::Standard;
        Engine { variant, chess960: false, position: Position::start(variant), history: Vec::new() }
    }

    fn variant(&self) -> Variant {
        if self.chess960 && self.variant == Variant::Standard { Variant::Chess960 } else { self.variant }
    }

    fn command(&mut self, words: &[&str], output: &mut impl Write) -> io::Result<()> {
        let result = match words {
            ["uci", ..] => return introduce(output),
            ["isready", ..] => return writeln!(output, "readyok"),
            ["ucinewgame", ..] => {
                self.position = Position::start(self.variant());
                self.history.clear();
                Ok(())
            }
            ["setoption", rest @ ..] => self.set_option(rest),
            ["position", rest @ ..] => self.set_position(rest),
            ["go", "perft", depth, ..] => return self.go_perft(depth, output),
            ["go", rest @ ..] => return self.go(rest, output),
            ["d", ..] => return writeln!(output, "{}", self.position.to_fen()),
            ["stop" | "ponderhit" | "debug" | "register", ..] | [] => Ok(()),
            [other, ..] => Err(BadInput::new("uci.command", other, "This command is not known.")),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => writeln!(output, "info string {error}"),
        }
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let value = words.iter().position(|word| *word == "value").map(|at| words[at + 1..].join(" "));
        let value = value.unwrap_or_default();
        match words.get(1).map(|name| name.to_ascii_lowercase()).as_deref() {
            Some("uci_variant") => {
                self.variant = Variant::from_name(&value)
                    .ok_or_else(|| BadInput::new("uci.variant", &value, "This variant is not known."))?;
            }
            Some("uci_chess960") => self.chess960 = value.eq_ignore_ascii_case("true"),
            _ => return Ok(()),
        }
        self.position = Position::start(self.variant());
        self.history.clear();
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut position = match words.first() {
            Some(&"startpos") => Position::start(self.variant()),
            Some(&"fen") => Position::from_fen(&words[1..at].join(" "), self.variant())?,
            _ => {
                return Err(BadInput::new(
                    "uci.position",
                    "",
                    "Write 'position startpos' or 'position fen …'.",
                ));
            }
        };
        let mut history = Vec::new();
        for text in words.iter().skip(at + 1) {
            let mv = position.parse_uci(text)?;
            history.push(crate::bots::Node::key(&position));
            position.play_unchecked(&mv);
        }
        (self.position, self.history) = (position, history);
        Ok(())
    }

    fn go_perft(&self, depth: &str, output: &mut impl Write) -> io::Result<()> {
        let depth: u32 = depth.parse().unwrap_or(1).clamp(1, 20);
        write!(output, "{}", perft_report(&self.position, depth, true))
    }

    fn go(&mut self, words: &[&str], output: &mut impl Write) -> io::Result<()> {
        let budget = self.budget(words);
        let position = self.position;
        let mut lines = Vec::new();
        let found = search(&mut self.position, budget, &self.history, |found| {
            lines.push(info(&position, found));
            true
        });
        for line in lines {
            writeln!(output, "{line}")?;
        }
        match found {
            Some(found) => writeln!(output, "bestmove {}", position.to_uci(&found.best)),
            None => writeln!(output, "bestmove (none)"),
        }
    }

    /// Depth, positions, or a share of the time that is left.
    fn budget(&self, words: &[&str]) -> Budget {
        let number = |name: &str| -> Option<u64> {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        let (time, more) = self.position.turn().pick(("wtime", "winc"), ("btime", "binc"));
        let share = number(time).map(|left| left / 40 + number(more).unwrap_or(0) / 2);
        let milliseconds = number("movetime").or(share);
        let nodes = number("nodes")
            .or(milliseconds.map(|ms| ms.saturating_mul(NODES_PER_MILLISECOND).max(500)))
            .unwrap_or(if words.contains(&"depth") { u64::MAX / 4 } else { USUAL_NODES });
        let depth = number("depth").unwrap_or(64).clamp(1, 64) as u32;
        Budget { nodes, depth }
    }
}

fn introduce(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "id name Turnstone {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(output, "id author the Turnstone authors")?;
    writeln!(output, "option name UCI_Chess960 type check default false")?;
    let variants: Vec<String> = Variant::ALL
        .into_iter()
        .filter(|variant| *variant != Variant::Chess960)
        .map(|variant| format!("var {}", variant.name()))
        .collect();
    writeln!(output, "option name UCI_Variant type combo default chess {}", variants.join(" "))?;
    writeln!(output, "uciok")
}

fn info(position: &Position, found: &Found<Move>) -> String {
    let mut line = Vec::new();
    let mut here = *position;
    for mv in &found.line {
        line.push(here.to_uci(mv));
        here.play_unchecked(mv);
    }
    let Found { depth, score, nodes, .. } = found;
    format!("info depth {depth} score {} nodes {nodes} pv {}", score_text(*score), line.join(" "))
}

fn score_text(score: i32) -> String {
    let won = crate::bots::WON;
    if score.abs() < won - 1000 {
        return format!("cp {score}");
    }
    let plies = won - score.abs();
    format!("mate {}", score.signum() * (plies + 1) / 2)
}

/// What the command `perft` prints: each move's share if asked, then the sum.
pub fn perft_report(position: &Position, depth: u32, by_move: bool) -> String {
    if !by_move || depth == 0 {
        return format!("{}\n", perft(position, depth));
    }
    let shares = divide(position, depth);
    let sum: u64 = shares.iter().map(|(_, nodes)| nodes).sum();
    let lines: Vec<String> =
        shares.iter().map(|(mv, nodes)| format!("{}: {nodes}\n", position.to_uci(mv))).collect();
    format!("{}\nNodes searched: {sum}\n", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(commands: &str) -> String {
        let mut out = Vec::new();
        run(commands.as_bytes(), &mut out).expect("a buffer takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn it_finds_a_mate_in_one() {
        let text = answers("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 3\n");
        assert!(text.contains("score mate 1") && text.ends_with("bestmove a1a8\n"), "{text}");
    }

    #[test]
    fn variants_are_options() {
        let text =
            answers("setoption name UCI_Variant value racingkings\nposition startpos\nd\ngo perft 2\n");
        assert!(
            text.starts_with(Variant::RacingKings.start_fen()) && text.contains("searched: 421"),
            "{text}"
        );
    }

    #[test]
    fn mistakes_are_answered_not_fatal() {
        let text = answers("fly\nposition startpos moves e2e5\nposition fen 8/8 w\nisready\n");
        assert_eq!(text.matches("info string").count(), 3, "{text}");
        assert!(text.ends_with("readyok\n"));
    }

    #[test]
    fn a_finished_game_has_no_best_move() {
        let text = answers("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1\ngo depth 2\n");
        assert_eq!(text, "bestmove (none)\n");
    }
}
