//! The pen of [`Game::express`](crate::Game::express): no write without its event.

use std::ops::Deref;

/// The state, to be read freely and written once, with the event that says what is written.
///
/// ```
/// # use turnstone::Pen;
/// let mut state = 4;
/// let pen = Pen::new(&mut state);
/// assert_eq!(*pen, 4);
/// let (now, written) = pen.write(2, |state, event| *state -= event);
/// assert_eq!((*now, *written.event()), (2, 2));
/// ```
pub struct Pen<'a, S, V> {
    state: &'a mut S,
    event: std::marker::PhantomData<fn() -> V>,
}

/// An event that was written.
#[must_use = "what was written has happened: give it to the kernel"]
pub struct Written<V>(V);

impl<'a, S, V> Pen<'a, S, V> {
    /// A pen for that state.
    #[inline]
    pub fn new(state: &'a mut S) -> Self {
        Pen { state, event: std::marker::PhantomData }
    }

    /// Writes an event. `apply` is the rules' own writer; gives the state after it.
    #[inline(always)]
    pub fn write(self, event: V, apply: impl FnOnce(&mut S, &V)) -> (&'a S, Written<V>) {
        apply(self.state, &event);
        (self.state, Written(event))
    }

    /// Writes an event that is made last: first `apply` writes the state, then `follow` looks at what it became. For
    /// facts whose parts are at hand: one that is made where it stays is not moved about while the others work.
    ///
    /// ```
    /// # use turnstone::Pen;
    /// let mut state = 4;
    /// let written = Pen::new(&mut state).write_first(|state| *state -= 2, |now| assert_eq!(*now, 2), || 2);
    /// assert_eq!((state, *written.event()), (2, 2));
    /// ```
    #[inline(always)]
    pub fn write_first(
        self,
        apply: impl FnOnce(&mut S),
        follow: impl FnOnce(&S),
        event: impl FnOnce() -> V,
    ) -> Written<V> {
        apply(self.state);
        follow(self.state);
        Written(event())
    }

    /// A pen for a part of the state, for a game inside a game; `None` if there is no such part.
    #[inline]
    pub fn within<T, U>(self, part: impl FnOnce(&mut S) -> Option<&mut T>) -> Option<Pen<'a, T, U>> {
        part(self.state).map(Pen::new)
    }
}

impl<S, V> Deref for Pen<'_, S, V> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        self.state
    }
}

impl<V> Written<V> {
    /// The event.
    #[inline]
    pub fn event(&self) -> &V {
        &self.0
    }

    /// The same event as another game calls it, for a game inside a game.
    #[inline]
    pub fn map<U>(self, outer: impl FnOnce(V) -> U) -> Written<U> {
        Written(outer(self.0))
    }

    #[inline]
    pub(crate) fn into_event(self) -> V {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pen_for_a_part_writes_that_part_and_there_is_none_for_what_is_not_there() {
        let mut state = (1, Some(4));
        let pen: Pen<'_, _, u8> = Pen::new(&mut state);
        let part: Pen<'_, i32, u8> = pen.within(|(_, part)| part.as_mut()).expect("the part is there");
        let (now, written) = part.write(3, |part, event| *part -= i32::from(*event));
        assert_eq!((*now, written.map(u32::from).into_event()), (1, 3u32));
        assert_eq!(state, (1, Some(1)));
        let mut without: (i32, Option<i32>) = (1, None);
        let pen: Pen<'_, _, u8> = Pen::new(&mut without);
        assert!(pen.within::<i32, u8>(|(_, part)| part.as_mut()).is_none());
    }
}
