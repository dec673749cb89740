//! Copies that cost nothing until they are written to.

use std::fmt::{Debug, Formatter};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is shared by copies of a state until one of them writes: fights copy the state often and
/// never change the tower, and a draw looks at a copy of everything to change one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared<T>(Arc<Held<T>>);

/// A value, and what it looks like without its secrets, if anybody has looked since it was written to.
struct Held<T> {
    value: T,
    blank: OnceLock<Shared<T>>,
}

impl<T: Debug> Debug for Held<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Held<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Held<T> {}

impl<T: Clone> Clone for Held<T> {
    /// A copy is made to be written to.
    fn clone(&self) -> Self {
        Held::new(self.value.clone())
    }
}

impl<T> Held<T> {
    fn new(value: T) -> Self {
        Held { value, blank: OnceLock::new() }
    }
}

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared(Arc::new(Held::new(value)))
    }

    /// Whether two are still one: neither was written to since they were copied.
    pub(crate) fn is_one(a: &Self, b: &Self) -> bool {
        Arc::ptr_eq(&a.0, &b.0)
    }
}

impl<T: Clone> Shared<T> {
    /// The value, to write to.
    pub fn edit(&mut self) -> &mut T {
        let held = Arc::make_mut(&mut self.0);
        held.blank.take();
        &mut held.value
    }

    /// The value without its secrets, for which all copies ask `blank` but once until one is written to: players look
    /// more often than there is anything new. The same `blank` every time.
    pub(crate) fn blanked(&self, blank: impl FnOnce(&mut T)) -> Shared<T> {
        let made = self.0.blank.get_or_init(|| {
            let mut copy = self.0.value.clone();
            blank(&mut copy);
            Shared::new(copy)
        });
        made.clone()
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.edit()
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Shared::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_to_is_blanked_anew() {
        let mut one = Shared::new((1, 7));
        let other = one.clone();
        let blanked = |shared: &Shared<(i32, i32)>| shared.blanked(|value| value.1 = 0);
        assert!(Shared::is_one(&blanked(&one), &blanked(&other)));
        one.edit().0 = 2;
        assert_eq!((*blanked(&one), *blanked(&other)), ((2, 0), (1, 0)));
        // Nobody else holds it now, so that it is written to in place.
        one.edit().0 = 3;
        assert_eq!((*one, *blanked(&one)), ((3, 7), (3, 0)));
    }
}
