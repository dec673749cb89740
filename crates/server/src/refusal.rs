//! Why something was not done, for whoever asked: a code, a sentence, and when to try again.

use serde_json::{Value, json};
use turnstone_table::Rejection;

use crate::store::StoreError;

/// A refusal with a stable code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[{code}] {text}")]
pub struct Refusal {
    /// For programs.
    pub code: String,
    /// For people.
    pub text: String,
    /// When it may be tried again, if that helps.
    pub retry_ms: Option<u64>,
}

/// The longest text that is sent back; what comes from outside is not repeated at length.
const LONGEST: usize = 500;

impl Refusal {
    /// A refusal.
    #[cold]
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        let mut text: String = text.into();
        if let Some((at, _)) = text.char_indices().nth(LONGEST) {
            text.truncate(at);
            text.push('…');
        }
        Refusal { code: code.to_owned(), text, retry_ms: None }
    }

    /// Trying again after that time helps.
    #[must_use]
    pub fn retry(self, after_ms: u64) -> Self {
        Refusal { retry_ms: Some(after_ms), ..self }
    }

    /// As it is sent.
    pub fn json(&self) -> Value {
        let mut told = json!({ "code": self.code, "text": self.text });
        if let Some(after) = self.retry_ms {
            told["retry_ms"] = after.into();
        }
        told
    }

    /// The HTTP status that goes with the code.
    pub fn status(&self) -> u16 {
        match self.code.as_str() {
            "NO_TOKEN" | "BAD_TOKEN" => 401,
            "NOT_YOURS" | "NOT_HOST" | "NOT_SEATED" | "NO_WATCHING" | "NO_PRACTICE" | "MUTED" | "REMOVED"
            | "ORIGIN" => 403,
            "NO_MATCH" | "NO_SUCH_MOMENT" | "NO_SUCH_OFFER" | "NO_SUCH_NUMBER" | "NOT_FOUND" => 404,
            "SEAT_TAKEN" | "USED_INVITATION" | "STALE" | "OVER" | "PAUSED" | "FROZEN" | "NO_PARTNER"
            | "NAME_TAKEN" | "NO_CLOCK" | "NOT_PAUSED" | "NOT_AWAY" | "NOT_OVER" => 409,
            "TOO_LONG" => 413,
            "TOO_MANY" | "TOO_FAST" => 429,
            "FAILED" => 500,
            "BUSY" | "STORAGE" | "CLOSING" => 503,
            _ => 400,
        }
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        let told = rejection.to_string();
        let bare = told.strip_prefix(&format!("[{}] ", rejection.code())).unwrap_or(&told);
        Refusal::new(rejection.code(), bare)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict { .. } => Refusal::new("STALE", "another server was quicker: look again"),
            other => {
                let text = format!("it could not be saved, and nothing was done: {other}");
                Refusal::new("STORAGE", text).retry(1000)
            }
        }
    }
}

/// Something in what was sent is not as it must be.
pub fn malformed(text: impl Into<String>) -> Refusal {
    Refusal::new("MALFORMED", text)
}
