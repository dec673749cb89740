//! What went wrong, for people or for programs: always with a stable code.

use std::process::ExitCode;

use clap::error::ErrorKind;
use serde_json::json;

use crate::out::paint_error;

/// The code of everything that clap refuses: an unknown flag, a missing argument.
const USAGE: &str = "USAGE";
/// The code of what the machine refuses: a full disk, a directory that may not be written.
const FAILED: &str = "FAILED";

/// How faults are told: as text, or as one JSON object if that is what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Text,
    Json,
}

/// The code of a failure.
pub fn code_of(error: &anyhow::Error) -> String {
    code_in(&format!("{error:#}")).unwrap_or(FAILED).to_owned()
}

impl Manner {
    /// The manner that a command line asks for.
    pub fn of(arguments: &[String]) -> Self {
        let words = arguments.iter().skip(1).take_while(|word| *word != "--");
        if words.into_iter().any(|word| word == "--json") { Manner::Json } else { Manner::Text }
    }

    /// Tells that the command line was not understood; help and version are no faults and are printed.
    pub fn tell_usage(self, error: &clap::Error) -> ExitCode {
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            // Whoever reads it may have read enough.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        self.tell(USAGE, usage_text(error).trim_end());
        ExitCode::from(2)
    }

    /// Tells why a command could not be carried out.
    pub fn tell_failure(self, error: &anyhow::Error) -> ExitCode {
        let text = format!("{error:#}");
        let code = code_of(error);
        // The code stands in front, wherever in the chain of causes it came from.
        self.tell(&code, &text.replacen(&format!("[{code}] "), "", 1));
        ExitCode::from(2)
    }

    fn tell(self, code: &str, text: &str) {
        match self {
            Manner::Text => eprintln!("{} [{code}] {text}", paint_error("error:")),
            Manner::Json => eprintln!("{}", json!({ "error": { "code": code, "text": text } })),
        }
    }
}

/// What clap says of a line that it does not understand.
pub fn usage_text(error: &clap::Error) -> String {
    let told = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => format!("more words are needed\n\n{told}"),
        _ => {
            let told = told.strip_prefix("error: ").unwrap_or(&told);
            // So the standard library speaks of -1 and of words alike.
            told.replace("invalid digit found in string", "write a whole number, not below 0")
        }
    }
}

/// The first `[CODE]` in a text.
fn code_in(text: &str) -> Option<&str> {
    text.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(code, _)| code).find(|code| {
        code.len() > 2
            && code.chars().all(|letter| letter.is_ascii_uppercase() || "_0123456789".contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_code_counts_and_other_brackets_do_not() {
        assert_eq!(code_in("cannot go on: [NO_SUCH_FILE] there is [NONE]"), Some("NO_SUCH_FILE"));
        assert_eq!(code_in("card [1] of [a] [B]"), None);
        assert_eq!(code_in("an open [BRACKET"), None);
    }

    #[test]
    fn json_is_asked_for_by_its_option_alone() {
        let manner = |line: &str| Manner::of(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(manner("turnstone verify --json x"), Manner::Json);
        assert_eq!(manner("turnstone verify -- --json"), Manner::Text);
    }
}
