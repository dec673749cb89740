//! Where the simulator behind the fights with dice does otherwise than the game, and nothing in a record says so.
//!
//! Such a step is compared in all other respects, and the record ends there: what follows from another state says
//! nothing about the rules. Who reads the records is told where and why.

use serde_json::{Value, json};

/// What a step of a record did, here and there.
pub(super) struct Step<'a> {
    /// The action, as recorded.
    pub action: &'a Value,
    /// The recorded state before it.
    pub before: &'a Value,
    /// Our state after it, in the words of the record.
    pub ours: &'a Value,
    /// Places in the hand of the cards that the step upgraded.
    pub upgraded: &'a [usize],
    /// The hits on monsters that still stand: their place, the damage, and the HP that were lost.
    pub hits: &'a [(usize, i16, i16)],
}

/// A departure: what the game does, and how the recorded state after the step would read then.
type Departure = (&'static str, fn(&Step<'_>, &mut Value));

const DEPARTURES: [Departure; 6] = [
    ("upgrading a card keeps what the fight has made of its cost", upgraded_costs),
    ("Enlightenment does not raise the cost of a card that costs nothing this turn", enlightenment),
    ("an attack for 0 takes nothing from the intangible", intangible),
    ("Angry answers only hits that take HP", angry),
    ("one who lies half dead gets no powers", half_dead),
    ("No Draw on one who has it already spends no Artifact", no_draw),
];

/// The departures that explain how the recorded state differs from ours, and that state as the game has it.
pub(super) fn explain(step: &Step<'_>, theirs: &Value) -> (Vec<&'static str>, Value) {
    let mut state = theirs.clone();
    let changes = |&(told, mend): &Departure| {
        let before = state.clone();
        mend(step, &mut state);
        (state != before).then_some(told)
    };
    let told = DEPARTURES.iter().filter_map(changes).collect();
    (told, state)
}

fn upgraded_costs(step: &Step<'_>, theirs: &mut Value) {
    for &place in step.upgraded {
        take_cost(step.ours, theirs, place);
    }
}

fn enlightenment(step: &Step<'_>, theirs: &mut Value) {
    if !step.action["card"].as_str().is_some_and(|card| card.starts_with("enlightenment")) {
        return;
    }
    let hand = step.ours["hand"].as_array().map_or(0, Vec::len);
    for place in 0..hand {
        if step.ours["hand"][place].as_str().is_some_and(|card| card.ends_with("/0")) {
            take_cost(step.ours, theirs, place);
        }
    }
}

fn intangible(step: &Step<'_>, theirs: &mut Value) {
    for &(place, damage, _) in step.hits {
        if damage == 0 && !theirs["monsters"][place]["powers"]["intangible"].is_null() {
            take(step.ours, theirs, place, "hp");
        }
    }
}

fn angry(step: &Step<'_>, theirs: &mut Value) {
    for &(place, _, lost) in step.hits {
        if lost == 0 && !theirs["monsters"][place]["powers"]["angry"].is_null() {
            take(step.ours, theirs, place, "powers");
        }
    }
}

fn half_dead(step: &Step<'_>, theirs: &mut Value) {
    let count = |state: &Value| state["monsters"].as_array().map_or(0, Vec::len);
    if count(step.before) != count(theirs) {
        return;
    }
    for place in 0..count(theirs) {
        if step.before["monsters"][place]["half_dead"] == true {
            take(step.ours, theirs, place, "powers");
        }
    }
}

fn no_draw(step: &Step<'_>, theirs: &mut Value) {
    let had = |power: &str| !step.before["powers"][power].is_null();
    let kept = &step.ours["powers"]["artifact"];
    if had("no_draw") && had("artifact") && !kept.is_null() {
        theirs["powers"]["artifact"] = kept.clone();
    }
}

/// Reads a hand card's cost as ours is, if it is the same card.
fn take_cost(ours: &Value, theirs: &mut Value, place: usize) {
    let name = |card: &Value| card.as_str().and_then(|card| card.split('/').next()).map(str::to_owned);
    let (mine, there) = (&ours["hand"][place], &theirs["hand"][place]);
    if name(mine).is_some() && name(mine) == name(there) {
        theirs["hand"][place] = mine.clone();
    }
}

/// Reads one thing about a monster as ours is, if the record has that monster.
fn take(ours: &Value, theirs: &mut Value, place: usize, key: &str) {
    let mine = ours["monsters"][place].get(key).cloned().unwrap_or_else(|| json!(null));
    if let Some(monster) = theirs["monsters"].get_mut(place) {
        monster[key] = mine;
    }
}
