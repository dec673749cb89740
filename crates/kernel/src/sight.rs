//! How much of a fact a viewer may know.

use crate::fact::{Fact, FactOf, Pending};
use crate::position::{LiveOf, fold};
use crate::seen::Seen;
use crate::told::Told;
use crate::view::Viewer;

/// How much of a fact a viewer may know.
pub(crate) enum Glimpse {
    /// All of it.
    Whole,
    /// Only this much, in words.
    Part(String),
    /// Not even that it happened.
    Hidden,
}

/// Folds a fact and says how much of it the viewer may know.
pub(crate) fn glimpse<G: Seen + Told>(
    game: &G,
    live: &mut LiveOf<G>,
    fact: &FactOf<G>,
    viewer: Viewer,
) -> Glimpse {
    let before = live.state.clone();
    match redact_fact(game, live, fact, viewer) {
        Some(seen) if seen == *fact => Glimpse::Whole,
        Some(Fact::Event(seen)) => {
            let all = |event| game.tells_all(&before, &live.state, event, &seen, viewer);
            match fact.event().is_some_and(all) {
                true => Glimpse::Whole,
                false => Glimpse::Part(game.tell(&live.state, &seen, &[])),
            }
        }
        Some(Fact::Asked(asked)) => {
            Glimpse::Part(format!("asked: {}", game.tell_question(&live.state, &asked.question)))
        }
        Some(Fact::Answered(_) | Fact::ActionRejected { .. }) | None => Glimpse::Hidden,
    }
}

/// Folds a fact and gives back what the viewer may see of it.
pub(crate) fn redact_fact<G: Seen>(
    game: &G,
    live: &mut LiveOf<G>,
    fact: &FactOf<G>,
    viewer: Viewer,
) -> Option<FactOf<G>> {
    let asked = live.pending.as_ref().map(|pending| pending.seat);
    let before = live.state.clone();
    fold(game, live, fact);
    match fact {
        Fact::Event(event) => game.redact(&before, &live.state, event, viewer).map(Fact::Event),
        Fact::Asked(pending) => {
            let question = game.redact_question(&before, pending.seat, &pending.question, viewer)?;
            Some(Fact::Asked(Pending { seat: pending.seat, question }))
        }
        Fact::Answered(_) => asked.is_none_or(|seat| viewer.may_see(seat)).then(|| fact.clone()),
        Fact::ActionRejected { .. } => (viewer == Viewer::All).then(|| fact.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;
    use crate::fact::Input;
    use crate::position::Position;
    use crate::reject::Rejection;

    #[test]
    fn what_was_refused_is_for_the_referee() {
        let rejection = Box::new(Rejection::new("TOO_MANY", "there are not so many"));
        let fact: FactOf<Nim> = Fact::ActionRejected { input: Input::Act(3), rejection };
        let seen = |viewer| {
            let mut live = Position::<Nim>::new(2).live().clone();
            let seen = redact_fact(&Nim, &mut live, &fact, viewer);
            assert_eq!((live.state, live.serial), (2, 1), "it is counted, and nothing else");
            seen
        };
        assert_eq!(seen(Viewer::All), Some(fact.clone()));
        assert_eq!((seen(Viewer::Seat(0)), seen(Viewer::Spectator)), (None, None));
    }
}
