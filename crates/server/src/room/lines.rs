//! What the lines of the store say: records, and the lines of a match file between them.

use serde::Deserialize;
use turnstone_table::{Games, Host, LoadError, Moment, Table};

use crate::record::{FILE, How, Record};
use crate::refusal::Refusal;

/// What a line of a match file does, as far as it must be known here.
#[derive(Deserialize)]
struct Step {
    n: Option<Moment>,
    go: Option<Moment>,
    how: Option<How>,
}

/// The step that a line of a match file takes; none for header, start, terms and closing.
pub fn step(line: &str) -> Option<(Moment, How)> {
    if !line.starts_with("{\"n\"") && !line.starts_with("{\"go\"") {
        return None;
    }
    let step: Step = serde_json::from_str(line).ok()?;
    match (step.n, step.go) {
        (Some(moment), _) => Some((moment, How::Input)),
        (None, Some(moment)) => Some((moment, step.how.unwrap_or(How::Jump))),
        (None, None) => None,
    }
}

/// Whether a line of a match file says that the match was over there.
pub(super) fn finishes(line: &str) -> bool {
    line.starts_with("{\"closed\":\"finished\"")
}

pub(super) fn host_of(games: Games, name: &str) -> Result<&'static dyn Host, Refusal> {
    games.find(name).ok_or_else(|| {
        let known: Vec<&str> = games.names().collect();
        Refusal::new("UNKNOWN_GAME", format!("there is no game \"{name}\"; there are: {}", known.join(", ")))
    })
}

/// The game of that name.
///
/// # Errors
/// If there is none.
pub fn find_game(games: Games, name: &str) -> Result<&'static dyn Host, Refusal> {
    host_of(games, name)
}

pub(super) fn read_record(line: &str) -> Result<Record, String> {
    let text = line.strip_prefix(crate::record::RECORD).ok_or("a line is no record")?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

pub(super) fn file_of(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines.iter().filter_map(|line| line.strip_prefix(FILE)) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The table, and why it cannot go on if today's rules play it otherwise.
pub(super) fn read_table(host: &dyn Host, file: &str) -> Result<(Box<dyn Table>, Option<LoadError>), String> {
    match host.load(file.as_bytes(), &[]) {
        Ok(table) => Ok((table, None)),
        Err(error) => match host.watch(file.as_bytes(), &[]) {
            Ok((table, _)) => Ok((table, Some(error))),
            Err(_) => Err(error.to_string()),
        },
    }
}

/// What everybody may know of why a match cannot go on: where, and a code. The values that differ are nobody's to see.
pub(super) fn frozen_text(error: &LoadError) -> String {
    let place = match error {
        LoadError::Diverged { divergence, .. } | LoadError::OldFacts { divergence, .. } => {
            format!("line {} of its file, ", divergence.line)
        }
        LoadError::UnknownGame { .. }
        | LoadError::Refused(_)
        | LoadError::Header(_)
        | LoadError::OtherRules { .. }
        | LoadError::OtherContent { .. }
        | LoadError::OtherNames { .. } => String::new(),
    };
    format!("today's rules play this match otherwise ({place}{})", error.code())
}
