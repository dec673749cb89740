//! Refusals: a code for programs, a sentence for people, and nothing else changed.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A stable, upper-case word that names why something was refused, such as `NOT_YOUR_TURN`.
pub type Code = Cow<'static, str>;

/// The kernel's own codes. Games add theirs.
pub mod code {
    /// The input is no action of this game, or names things that do not exist.
    pub const MALFORMED: &str = "MALFORMED";
    /// A question waits: only an answer to it is accepted now.
    pub const QUESTION_PENDING: &str = "QUESTION_PENDING";
    /// An answer arrived although nothing was asked.
    pub const NOTHING_ASKED: &str = "NOTHING_ASKED";
    /// The answer is not among those offered.
    pub const NOT_AN_ANSWER: &str = "NOT_AN_ANSWER";
    /// The action set off more effects than the ruleset allows.
    pub const EFFECT_BUDGET: &str = "EFFECT_BUDGET";
    /// Replacements of replacements went deeper than the ruleset allows.
    pub const REPLACEMENT_BUDGET: &str = "REPLACEMENT_BUDGET";
    /// The stored position contradicts itself.
    pub const BROKEN_POSITION: &str = "BROKEN_POSITION";
    /// What waits behind this question is not known: the match can be watched here, not played on.
    pub const ONLY_WATCHED: &str = "ONLY_WATCHED";
    /// Nothing to go back or forward to.
    pub const NO_SUCH_MOMENT: &str = "NO_SUCH_MOMENT";
}

/// One reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// For programs: stable over releases.
    pub code: Code,
    /// For people: what is wrong and, where possible, what to do.
    pub text: String,
}

/// Why an action, a state or an answer was refused. A refusal is data, never a panic.
///
/// ```
/// use turnstone::Rejection;
/// let refusal = Rejection::new("NOT_YOUR_TURN", "it is White's turn");
/// assert_eq!(refusal.code(), "NOT_YOUR_TURN");
/// assert_eq!(refusal.to_string(), "[NOT_YOUR_TURN] it is White's turn");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// At least one reason, the first one deciding.
    pub reasons: Vec<Reason>,
    /// For an exhausted budget: the repeating cycle of effects and listeners, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<String>,
}

impl Rejection {
    /// A refusal for one reason.
    #[cold]
    pub fn new(code: impl Into<Code>, text: impl Into<String>) -> Self {
        let reason = Reason { code: code.into(), text: text.into() };
        Rejection { reasons: vec![reason], cycle: Vec::new() }
    }

    /// A refusal for several reasons, or `Ok` if there are none.
    ///
    /// # Errors
    /// The refusal, when `reasons` is not empty.
    pub fn collect(reasons: Vec<Reason>) -> Result<(), Self> {
        if reasons.is_empty() { Ok(()) } else { Err(Rejection { reasons, cycle: Vec::new() }) }
    }

    /// The deciding code.
    pub fn code(&self) -> &str {
        self.reasons.first().map_or(code::MALFORMED, |reason| &reason.code)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}[{}] {}", reason.code, reason.text)?;
        }
        if !self.cycle.is_empty() {
            write!(f, " (repeating: {})", self.cycle.join(" → "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejection {}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(code: &'static str, text: &str) -> Reason {
        Reason { code: code.into(), text: text.to_owned() }
    }

    #[test]
    fn reasons_that_were_collected_refuse_and_none_do_not() {
        assert_eq!(Rejection::collect(Vec::new()), Ok(()));
        let reasons = vec![reason("TOO_FAR", "it is out of reach"), reason("TIRED", "it has acted")];
        let refusal = Rejection::collect(reasons.clone()).unwrap_err();
        assert_eq!((refusal.code(), &refusal.reasons), ("TOO_FAR", &reasons));
    }

    #[test]
    fn a_refusal_says_every_reason_and_what_repeats() {
        let reasons = vec![reason("TOO_FAR", "it is out of reach"), reason("TIRED", "it has acted")];
        let mut refusal = Rejection { reasons, cycle: Vec::new() };
        assert_eq!(refusal.to_string(), "[TOO_FAR] it is out of reach; [TIRED] it has acted");
        refusal.cycle = vec!["Ping".to_owned(), "Pong".to_owned()];
        let repeating = "[TOO_FAR] it is out of reach; [TIRED] it has acted (repeating: Ping → Pong)";
        assert_eq!(refusal.to_string(), repeating);
    }
}
