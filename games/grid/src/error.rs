//! What is wrong with an input: a stable code, where, and what to do.

use std::fmt;

/// A refused world, level, action or file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[{code}] {place}{message}")]
pub struct GridError {
    /// Stable, for programs: `NO_AGENT`, `BAD_DIRECTION`, …
    pub code: &'static str,
    /// Where it is wrong, e.g. entity and field; may be empty.
    pub place: Place,
    /// What is wrong and what to do, for people.
    pub message: String,
}

/// The entity and field an error is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The entity's id, if one is to blame.
    pub entity: Option<i64>,
    /// The field or component, if one is to blame.
    pub field: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.entity, &self.field) {
            (Some(entity), Some(field)) => write!(f, "entity {entity}, {field}: "),
            (Some(entity), None) => write!(f, "entity {entity}: "),
            (None, Some(field)) => write!(f, "{field}: "),
            (None, None) => Ok(()),
        }
    }
}

impl GridError {
    /// An error without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, place: Place::default(), message: message.into() }
    }

    /// The same error, blamed on a field.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.place.field = Some(field.into());
        self
    }

    /// The same error, blamed on an entity.
    pub fn entity(mut self, entity: i64) -> Self {
        self.place.entity = Some(entity);
        self
    }
}

/// `x` is unknown, and what is nearest to it, or what there is.
pub(crate) fn unknown(name: &str, known: &[&str]) -> String {
    format!("`{name}` is unknown{}", turnstone_content::hint(name, known.iter().copied()))
}

/// Shorthand for results with a [`GridError`].
pub type Result<T, E = GridError> = std::result::Result<T, E>;

impl From<GridError> for turnstone::Rejection {
    fn from(error: GridError) -> Self {
        turnstone::Rejection::new(error.code, format!("{}{}", error.place, error.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_told() {
        assert!(unknown("montser", &["monster", "wall"]).contains("did you mean `monster`?"));
        assert_eq!(
            unknown("xyzzy", &["monster", "wall"]),
            "`xyzzy` is unknown; expected one of monster, wall"
        );
    }
}
