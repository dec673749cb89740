//! Who is meant by a word: selectors and names.

use crate::stage::BodyId;
use crate::state::State;

/// Whoever acts when nobody is named: the active entity in combat, else the first player.
pub fn default_subject(state: &State) -> Option<BodyId> {
    let active = state.combat.active.filter(|_| state.combat.fighting);
    active.or_else(|| state.stage.player_ids().next())
}

/// The one meant by a word, as seen by `subject`.
pub fn resolve(state: &State, word: &str, subject: Option<BodyId>) -> Option<BodyId> {
    match word {
        "active" => default_subject(state),
        "self" => subject,
        "nearest_hostile" => nearest(state, subject?, state.hostiles(subject?)),
        "weakest_hostile" => state.hostiles(subject?).min_by_key(|b| state.body(*b).hp),
        "strongest_hostile" => strongest(state, subject?),
        "most_injured_ally" => most_injured(state, subject?),
        "nearest_ally" => nearest(state, subject?, state.allies(subject?)),
        name => by_name(state, name),
    }
}

/// The nearest, diagonals counting one; the first wins ties.
fn nearest(state: &State, from: BodyId, among: impl Iterator<Item = BodyId>) -> Option<BodyId> {
    among.min_by_key(|b| state.cell(from).chebyshev(state.cell(*b)))
}

fn strongest(state: &State, subject: BodyId) -> Option<BodyId> {
    // `max_by_key` would let the last win ties.
    state.hostiles(subject).min_by_key(|b| -state.body(*b).hp)
}

/// The ally with the lowest share of its hit points; the first wins ties.
pub fn most_injured(state: &State, subject: BodyId) -> Option<BodyId> {
    let mut best: Option<BodyId> = None;
    for body in state.allies(subject) {
        if best.is_none_or(|known| share_less(state, body, known)) {
            best = Some(body);
        }
    }
    best
}

fn share_less(state: &State, a: BodyId, b: BodyId) -> bool {
    let part = |x: BodyId, y: BodyId| i128::from(state.body(x).hp) * i128::from(state.stage.figure(y).hp_max);
    part(a, b) < part(b, a)
}

/// What one of several is called, or its letters; exact id or name, then part of a name, then a whole word of it, then part of an id.
fn by_name(state: &State, name: &str) -> Option<BodyId> {
    let wanted = name.trim().to_lowercase();
    let wanted = wanted.strip_prefix("the ").unwrap_or(&wanted).trim();
    if wanted.is_empty() {
        return None;
    }
    let name = |b: BodyId| state.stage.figure(b).name.to_lowercase();
    let id = |b: BodyId| state.stage.figure(b).id.to_lowercase();
    let creatures = || state.stage.creature_ids().filter(|b| !state.is_absent(*b));
    let own = |b: BodyId| {
        let figure = state.stage.figure(b);
        figure.called.to_lowercase() == wanted || figure.called != figure.name && &*figure.mark == wanted
    };
    let exact = creatures().find(|b| id(*b) == wanted || name(*b) == wanted);
    let exact = creatures().find(|b| own(*b)).or(exact);
    let part = || creatures().find(|b| name(*b).contains(wanted));
    let word =
        || creatures().find(|b| name(*b).split_whitespace().any(|w| wanted.split(' ').any(|x| x == w)));
    let fragment = || creatures().find(|b| id(*b).contains(wanted));
    exact.or_else(part).or_else(word).or_else(fragment)
}
