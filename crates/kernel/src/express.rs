//! The short way under scrutiny: debug builds take it and the long way, and compare.

use crate::game::{Expanded, Game, NotesOf, ProposalsOf, Settled};
use crate::listeners::Listeners;
use crate::proposals::Lane;

/// One short way in so many is compared, unless all are.
const SAMPLE: u32 = 64;

/// Compares what [`Game::express`] did with what the single steps do. It looks only in debug builds.
pub(crate) struct Scrutiny<G: Game> {
    interval: u32,
    count: u32,
    /// State and notes before the short way that is being compared.
    before: Option<(G::State, NotesOf<G>)>,
}

impl<G: Game> Default for Scrutiny<G> {
    fn default() -> Self {
        Scrutiny { interval: SAMPLE, count: 0, before: None }
    }
}

impl<G: Game> Scrutiny<G> {
    /// Looks at every short way.
    pub fn every() -> Self {
        Scrutiny { interval: 1, ..Scrutiny::default() }
    }

    /// Before the short way.
    pub fn look(&mut self, state: &G::State, notes: &NotesOf<G>) {
        self.count = self.count.wrapping_add(1);
        self.before = self.count.is_multiple_of(self.interval).then(|| (state.clone(), notes.clone()));
    }

    /// After it.
    ///
    /// # Panics
    /// If the short way is another way: a fault of the game's.
    pub fn compare(
        &mut self,
        game: &G,
        effect: &G::Effect,
        event: Option<&G::Event>,
        state: &G::State,
        out: &ProposalsOf<G>,
    ) {
        let Some((before, notes)) = self.before.take() else { return };
        let Some(event) = event else {
            assert!(before == *state, "{effect:?}: express wrote and did not say what happened");
            assert!(out.is_empty(), "{effect:?}: express proposed and did not say what happened");
            return;
        };
        let long = LongWay::of(game, before, effect, notes);
        assert!(long.event == *event, "{effect:?}: express gives {event:?}, the steps {:?}", long.event);
        assert!(long.state == *state, "{effect:?}: express and the steps lead to different states");
        assert!(long.out.notes.list() == out.notes.list(), "{effect:?}: express notes something else");
        assert!(
            proposed::<G>(&long.out) == proposed::<G>(out),
            "{effect:?}: express proposes something else than the steps"
        );
        assert!(
            long.out.withdrawals() == out.withdrawals(),
            "{effect:?}: express withdraws something else than the steps"
        );
    }
}

/// What the single steps make of an effect that nobody hears of before.
struct LongWay<G: Game> {
    event: G::Event,
    state: G::State,
    out: ProposalsOf<G>,
}

impl<G: Game> LongWay<G> {
    fn of(game: &G, mut state: G::State, effect: &G::Effect, notes: NotesOf<G>) -> Self {
        let mut out = ProposalsOf::<G>::default();
        out.notes = notes;
        let concrete = match game.expand(&state, effect, &mut out) {
            Expanded::Keep => effect.clone(),
            Expanded::To(other) => other,
            Expanded::Into | Expanded::Nothing => panic!("{effect:?} stands for others and was expressed"),
        };
        assert!(out.is_empty(), "{effect:?} proposes when it expands and was expressed");
        let mut ears = Listeners::default();
        game.before_listeners(&state, &concrete, &mut ears);
        assert!(ears.is_empty(), "{effect:?} is heard of before it happens and was expressed");
        let Settled::Event(event) = game.settle(&state, &concrete, &mut out.notes) else {
            panic!("{effect:?} does not settle and was expressed");
        };
        game.apply(&mut state, &event);
        game.follow(&state, &event, &mut out);
        LongWay { event, state, out }
    }
}

fn proposed<G: Game>(out: &ProposalsOf<G>) -> Vec<(Lane, G::Effect)> {
    out.effects().map(|(lane, effect)| (lane, effect.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;

    /// What the scrutiny says of a short way of Nim that takes three and then `more`.
    fn looked_at(more: impl Fn(&mut ProposalsOf<Nim>)) {
        let mut scrutiny = Scrutiny::<Nim>::every();
        let mut state = Nim.start(&9, 0).expect("nine heaps");
        scrutiny.look(&state, &NotesOf::<Nim>::unwanted());
        let mut out = ProposalsOf::<Nim>::default();
        let effect = 3;
        let Settled::Event(event) = Nim.settle(&state, &effect, &mut out.notes) else { panic!("it settles") };
        Nim.apply(&mut state, &event);
        Nim.follow(&state, &event, &mut out);
        more(&mut out);
        scrutiny.compare(&Nim, &effect, Some(&event), &state, &out);
    }

    #[test]
    fn a_short_way_that_is_the_long_way_passes() {
        looked_at(|_| {});
    }

    #[test]
    #[should_panic(expected = "withdraws something else")]
    fn a_short_way_that_withdraws_more_is_noticed() {
        looked_at(|out| out.withdraw_all());
    }

    #[test]
    #[should_panic(expected = "proposes something else")]
    fn a_short_way_that_proposes_more_is_noticed() {
        looked_at(|out| {
            out.last(1);
        });
    }
}
