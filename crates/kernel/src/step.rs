//! One step inside an input, as recorders are told of it.

use crate::cause::Cause;
use crate::game::{Expanded, Game, Settled, Verdict};
use crate::position::LiveOf;

/// One step, as the kernel tells it.
pub enum Step<'a, G: Game> {
    /// The action opened: what it proposed waits now.
    Opened,
    /// Nothing waited, and the game was asked for more.
    Idled,
    /// The next effect was taken from queue or agenda.
    Taken(&'a G::Effect, Cause<G::Listener>),
    /// The effect was made concrete.
    Expanded(&'a Expanded<G::Effect>),
    /// A listener was heard before it happened; the effect as it is after that.
    Before(G::Listener, Verdict, &'a G::Effect),
    /// The effect was settled.
    Settled(&'a Settled<G::Event, G::Question>),
    /// The event was written: the live state after it.
    Applied(&'a G::Event, &'a LiveOf<G>),
    /// The rules proposed what follows from it.
    Followed(&'a G::Event),
    /// A listener was heard after it happened.
    After(G::Listener, &'a G::Event),
    /// What was proposed became part of what waits.
    Queued,
}
