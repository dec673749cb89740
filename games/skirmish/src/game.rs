//! The game on the kernel: each hook hands over to the mechanic it concerns.

use crate::Profile;
use crate::action::{Action, Side, Verb};
use crate::apply;
use crate::catalog::Catalog;
use crate::effect::{Effect, Listener};
use crate::event::{Event, Winner};
use crate::reason::{self, Reason};
use crate::rules::{
    ability, attack, code, combat_end, conditions, defend, initiative, limits, refuse, surrender, turn, walk,
};
use crate::setup::Setup;
use crate::state::State;
use crate::{legal, listeners, sight, sound, tell, view};
use serde_json::Value;
use std::sync::Arc;
use turnstone::{
    Expanded, Game, ListenersOf, Never, NoteOf, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen,
    Settled, Told, Verdict, Viewer,
};

/// The seat of the heroes.
pub const HEROES: Seat = 0;
/// The seat of their opponents.
pub const FOES: Seat = 1;

/// Skirmish: the rules, and the content they use.
#[derive(Clone, Debug)]
pub struct Skirmish {
    /// Conditions, abilities, monsters, presets.
    pub catalog: Arc<Catalog>,
    /// The name of the ruleset, for the headers of match files.
    pub ruleset: String,
}

impl Default for Skirmish {
    fn default() -> Self {
        Skirmish { catalog: Catalog::built_in(), ruleset: Profile::default().name().to_string() }
    }
}

impl Game for Skirmish {
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = Never;
    type Answer = Never;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        setup.start(&self.catalog, seed)
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        sound::check(state)
    }

    /// Judged by what the acting side sees: to it, the unseen do not exist.
    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        if state.stage.rules.house.is_some() && self.outcome(state).is_some() {
            return refuse(code::MATCH_OVER, "the match is over");
        }
        let seen = sight::as_acted(state);
        let state = &*seen;
        let modern = state.stage.is_modern();
        match &action.verb {
            Verb::Move { entity, path } => walk::check(state, entity, path),
            Verb::Attack { attacker, target } => attack::check(state, attacker, target),
            Verb::EndTurn { entity } => turn::check(state, entity),
            Verb::RollInitiative => initiative::check(state),
            Verb::Surrender { .. } => surrender::check(state),
            Verb::Malformed { why, .. } => refuse(code::INVALID_ACTION, &**why),
            _ if !modern => refuse(code::INVALID_ACTION, "the profile mir-1.4 has no such action"),
            Verb::Defend { entity } => defend::check(state, entity),
            Verb::UseAbility { caster, ability, target } => ability::check(state, caster, ability, target),
            Verb::SetSeed { .. } => Ok(()),
        }
    }

    fn open(&self, state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        let effect = match &action.verb {
            Verb::Move { entity, path } => return walk::open(state, entity, path, out),
            Verb::Attack { attacker, target } => attack::open(state, attacker, target),
            Verb::EndTurn { entity } => turn::open(state, entity),
            Verb::RollInitiative => Some(Effect::Muster),
            Verb::Defend { entity } => defend::open(state, entity),
            Verb::UseAbility { caster, ability, target } => ability::open(state, caster, ability, target),
            Verb::Surrender { side } => {
                let side = side.unwrap_or_else(|| Side::of(sight::acting(state)));
                Some(Effect::Surrender { side })
            }
            Verb::SetSeed { seed } => Some(Effect::Reseed { seed: seed.clone() }),
            Verb::Malformed { .. } => None,
        };
        if let Some(effect) = effect {
            out.last(effect);
        }
    }

    fn expand(&self, state: &State, effect: &Effect, out: &mut ProposalsOf<Self>) -> Expanded<Effect> {
        match effect {
            Effect::Walk { body, path } if sight::binds(state) => walk::expand(state, *body, path, out),
            Effect::Strike(strike) => {
                reason::opened(state, strike, out.notes());
                Expanded::Keep
            }
            _ => Expanded::Keep,
        }
    }

    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        listeners::before_listeners(state, effect, heard);
    }

    fn before(
        &self,
        listener: Listener,
        state: &State,
        effect: &mut Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        listeners::before(listener, state, effect, out)
    }

    fn settle(&self, state: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settled<Event, Never> {
        let event = match effect {
            Effect::Walk { body, path } => walk::settle(state, *body, path),
            Effect::Shove { walker, corpse, to } => walk::settle_shove(state, *walker, *corpse, *to),
            Effect::Halt { body, cell } => walk::settle_halt(state, *body, *cell),
            Effect::Strike(strike) => attack::settle(state, strike, notes),
            Effect::Cast { caster, target, ability } => {
                ability::settle(state, (*caster, *target), *ability, notes)
            }
            Effect::Defend { body } => defend::settle(state, *body, notes),
            Effect::Muster => initiative::settle(state, notes),
            Effect::Pass { from, to, round } => turn::settle(state, *from, *to, *round),
            Effect::Expire { body, condition } => conditions::settle_expire(state, *body, *condition),
            Effect::Harm { body, condition } => conditions::settle_harm(state, *body, *condition, notes),
            Effect::EndCombat => combat_end::settle(state),
            Effect::Warn { limit, left } => Some(Event::Warned { limit: *limit, left: *left }),
            Effect::Draw { limit } => limits::settle(state, *limit),
            Effect::Surrender { side } => surrender::settle(state, *side),
            Effect::Reseed { seed } => Some(Event::SeedSet { seed: seed.clone() }),
        };
        event.map_or(Settled::Stale, Settled::Event)
    }

    fn apply(&self, state: &mut State, event: &Event) {
        apply::apply(state, event);
    }

    fn fits(&self, state: &State, event: &Event) -> bool {
        sound::fits(state, event)
    }

    fn idle(&self, state: &State, out: &mut ProposalsOf<Self>) {
        if combat_end::due(state) {
            out.last(Effect::EndCombat);
        } else if self.outcome(state).is_none()
            && let Some(effect) = limits::due(state)
        {
            out.last(effect);
        }
    }

    fn tell_listener(&self, state: &State, listener: Listener) -> String {
        tell::listener(state, listener)
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        if self.outcome(state).is_none() {
            legal::list(&sight::as_acted(state), out);
        }
    }

    fn canonical(&self, state: &State, action: &Action) -> Option<Action> {
        if self.outcome(state).is_some() {
            return None;
        }
        legal::canonical(&sight::as_acted(state), action)
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        if self.outcome(state).is_some() {
            return None;
        }
        Some(sight::acting(state))
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        // A map with one side only is a walk, not a fight.
        let walk = state.stage.players == 0 || state.stage.npcs == 0;
        let fallen = || combat_end::winner(state).filter(|_| !walk);
        Some(match state.ended.or_else(fallen)? {
            Winner::Players => Outcome::Won(HEROES),
            Winner::Npcs => Outcome::Won(FOES),
            Winner::None => Outcome::Drawn,
        })
    }
}

impl Seen for Skirmish {
    fn hides(&self, state: &State, viewer: Viewer) -> bool {
        state.stage.document.map.fog_of_war_enabled && viewer != Viewer::All
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        view::view(state, viewer)
    }

    fn redact(&self, before: &State, after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        view::redact(before, after, event, viewer)
    }

    fn tells_all(&self, before: &State, after: &State, event: &Event, seen: &Event, viewer: Viewer) -> bool {
        view::tells_all(before, after, event, seen, viewer)
    }
}

impl Told for Skirmish {
    fn tell(&self, state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        tell::event(state, event)
    }

    fn tell_effect(&self, state: &State, effect: &Effect) -> String {
        tell::effect(state, effect)
    }

    fn tell_note(&self, state: &State, note: &NoteOf<Self>) -> String {
        reason::tell(state, note)
    }

    fn tell_alteration(&self, state: &State, listener: Listener, before: &Effect, after: &Effect) -> String {
        tell::alteration(state, listener, before, after)
    }

    fn tell_action(&self, state: &State, action: &Action) -> String {
        tell::action(state, action)
    }
}
