//! A built-in bot in a process of its own, so that it can be held to limits as programs are: both ends of the lines
//! between it and the arena.
//!
//! First comes one object with the match as far as it was played, and the bot says `"ready"`. Then, and at each of its
//! turns, come the inputs that were sent since, and it says what it chooses. It is trusted as it is in the arena's own
//! process: it has the whole match and looks at it through its seat's eyes. Its lots follow from the match, so it plays
//! what it would play there.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnstone_table::{Games, Seat, Source, Table, Viewer, bot_seed};

use crate::Trouble;

/// The program that runs a built-in bot apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Helper {
    /// What starts it, for a shell.
    pub command: String,
    /// What overlays the content that is built in.
    pub content: Vec<Source>,
}

impl Helper {
    /// From the words that start it.
    pub fn new(words: &[String], content: &[Source]) -> Self {
        let command = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        Helper { command, content: content.to_vec() }
    }
}

/// A word that a shell leaves as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub bot: String,
    pub content: Vec<Source>,
    pub file: String,
}

/// What was sent in a match, in order, as its file tells it.
pub(crate) fn sent(file: &str) -> Vec<Value> {
    let lines = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|mut line| line.get_mut("input").map(Value::take)).collect()
}

/// Plays a seat of a tournament that is played elsewhere, until there are no more lines.
///
/// # Errors
/// If the lines are not those of an arena with the same games, content and rules.
pub fn play_apart(games: Games, lines: impl BufRead, mut answers: impl Write) -> Result<(), Trouble> {
    let mut lines = lines.lines();
    let Some(first) = lines.next() else { return Ok(()) };
    let mut table = sit(games, &serde_json::from_str(&first?)?)?;
    writeln!(answers, "\"ready\"")?;
    loop {
        writeln!(answers, "{}", choice(&*table))?;
        answers.flush()?;
        let Some(line) = lines.next() else { return Ok(()) };
        for input in serde_json::from_str::<Vec<Value>>(&line?)? {
            table.act(&input)?;
        }
    }
}

fn sit(games: Games, task: &Task) -> Result<Box<dyn Table>, Trouble> {
    let refused = |error: &dyn std::fmt::Display| Trouble::new("BAD_TASK", error.to_string());
    let mut table = games.load(&task.file, &task.content).map_err(|error| refused(&error))?;
    let seed = bot_seed(table.seed());
    // It is asked at its own turns only, and where anybody may act: there a bot of every seat must sit.
    for seat in 0..table.seats().len() as Seat {
        table.seat_bot(seat, &task.bot, seed)?;
    }
    Ok(table)
}

/// The line that says what the bot chooses; who finds nothing to do gives up.
fn choice(table: &dyn Table) -> Value {
    let number = table.bot_choice();
    match number.and_then(|number| table.inputs(Viewer::All).into_iter().nth(number)) {
        Some(input) => json!({ "input": input }),
        None => json!({ "command": "quit" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use turnstone_table::Opening;
    use turnstone_table::testing::GAMES;

    /// What the bot says to these lines.
    fn said(lines: &str) -> Result<Vec<Value>, Trouble> {
        let mut answers = Vec::new();
        play_apart(GAMES, lines.as_bytes(), &mut answers)?;
        let text = String::from_utf8(answers).unwrap();
        Ok(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    #[test]
    fn it_plays_what_it_would_play_at_the_table() {
        let host = GAMES.find("pebbles").unwrap();
        let mut table = host.open(&Opening { seed: 5, ..Opening::default() }).unwrap();
        let seed = bot_seed(table.seed());
        (0..2).for_each(|seat| table.seat_bot(seat, "random", seed).unwrap());
        let file = table.unsaved().unwrap();
        let task = Task { bot: "random".to_owned(), content: Vec::new(), file };
        let (mut lines, mut expected) = (serde_json::to_string(&task).unwrap(), vec![Value::from("ready")]);
        for turn in 0..4 {
            let number = table.bot_choice().unwrap();
            if table.actor() == Some(0) {
                expected.push(json!({ "input": table.inputs(Viewer::All)[number] }));
                lines += &if turn == 0 {
                    "\n".to_owned()
                } else {
                    format!("{}\n", Value::from(sent(&table.unsaved().unwrap())))
                };
            }
            table.choose(number).unwrap();
        }
        assert!(expected.len() > 2);
        assert_eq!(said(&lines).unwrap(), expected);
    }

    #[test]
    fn lines_of_something_else_are_refused() {
        assert_eq!(said("").unwrap(), Vec::<Value>::new());
        let task = json!({ "bot": "random", "content": [], "file": "no match" }).to_string();
        assert_eq!(said(&task).unwrap_err().code, "BAD_TASK");
        assert_eq!(said("{}").unwrap_err().code, "FILE");
    }

    #[test]
    fn a_shell_leaves_words_as_they_are() {
        let words = ["/a b/c'd", "$HOME"].map(str::to_owned);
        let helper = Helper::new(&words, &[]);
        let output =
            Command::new("sh").args(["-c", &format!("printf '%s\\n' {}", helper.command)]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "/a b/c'd\n$HOME\n");
    }
}
