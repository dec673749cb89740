//! Narration: every fact in one sentence, with the numbers that made it.

use crate::action::{Action, Id, Side, Verb};
use crate::catalog::AbilityKind;
use crate::dice::total;
use crate::effect::{Effect, Listener, Strike};
use crate::event::{AbilityUsed, Attacked, Event, Winner};
use crate::rules::known;
use crate::rules::limits::Limit;
use crate::sight::{acting, as_acted};
use crate::sound::fits;
use crate::stage::{AbilityId, BodyId, ConditionId};
use crate::state::State;
use turnstone::Rejection;

pub(crate) fn name(state: &State, body: BodyId) -> &str {
    state.stage.figures.get(usize::from(body)).map_or("somebody", |f| &f.called)
}

pub(crate) fn word(state: &State, condition: ConditionId) -> &str {
    state.stage.conditions.get(usize::from(condition)).map_or("a condition", |c| c)
}

pub(crate) fn ability_name(state: &State, ability: AbilityId) -> &str {
    state.stage.rules.abilities.get(usize::from(ability)).map_or("an ability", |def| &def.name)
}

/// `+ 2` or `− 1`, or nothing for 0.
fn signed(n: i64) -> String {
    match n {
        0 => String::new(),
        n if n < 0 => format!(" − {}", n.unsigned_abs()),
        n => format!(" + {n}"),
    }
}

/// One sentence about a fact; `state` is the one after it.
pub fn event(state: &State, event: &Event) -> String {
    if !fits(state, event) {
        return "Something happened that has no place in this match.".to_string();
    }
    match event {
        Event::Moved { body, path } => {
            let steps = path.len();
            let plural = if steps == 1 { "" } else { "s" };
            let (x, y) = path.last().map_or((0, 0), |c| (c.x, c.y));
            format!("{} walks {steps} step{plural} to {x},{y}.", name(state, *body))
        }
        Event::Glimpsed { body, seen } => {
            let (x, y) = seen.last().map_or((0, 0), |c| (c.x, c.y));
            format!("{} is glimpsed at {x},{y}.", name(state, *body))
        }
        Event::Halted { body, cell } => {
            format!("{} stops before {},{}: the way is not free.", name(state, *body), cell.x, cell.y)
        }
        Event::Shoved { corpse, to } => {
            format!("The corpse of {} is shoved back to {},{}.", name(state, *corpse), to.x, to.y)
        }
        Event::Attacked(attacked) => attack(state, attacked),
        Event::AbilityUsed(used) => ability(state, used),
        Event::Defended { body, healed } => {
            let breath = if *healed > 0 { format!(" and regains {healed}") } else { String::new() };
            format!("{} raises a guard{breath}: {}.", name(state, *body), health(state, *body))
        }
        Event::InitiativeRolled { order, .. } => {
            let places: Vec<String> =
                order.iter().map(|(b, roll)| format!("{} {roll}", name(state, *b))).collect();
            format!("Initiative! {}. Round 1 begins.", places.join(", "))
        }
        Event::TurnEnded { from, to, round } => {
            format!("{} is done; round {round}, {} is next.", name(state, *from), name(state, *to))
        }
        Event::TurnPassed { to, round, .. } => match to {
            Some(to) => format!("Round {round}, {} is next.", name(state, *to)),
            None => format!("Round {round}: something stirs out of sight."),
        },
        Event::ConditionExpired { body, condition } => {
            format!("{} is no longer {}.", name(state, *body), word(state, *condition))
        }
        Event::ConditionDamage { body, condition, dice, hp, .. } => {
            let (who, what) = (name(state, *body), word(state, *condition));
            format!("{who} suffers {} from {what}: {}.", total(dice), outcome(state, *body, *hp))
        }
        Event::CombatEnded { winner } => match winner {
            Winner::Players => "The fight is over: the heroes hold the field.".to_string(),
            Winner::Npcs => "The fight is over: the heroes have fallen.".to_string(),
            Winner::None => "The fight is over, and nobody is left standing.".to_string(),
        },
        Event::Warned { limit, left } => warning(*limit, *left),
        Event::Drawn { limit: Limit::Calm } => "Nobody can get at anybody: the fight is drawn.".to_string(),
        Event::Drawn { limit: Limit::Rounds } => "Both sides are spent: the fight is drawn.".to_string(),
        Event::Drawn { limit: Limit::Stroll } => "Nobody is here to be met: the walk is over.".to_string(),
        Event::Surrendered { side: Side::Players } => "The heroes lay down their arms.".to_string(),
        Event::Surrendered { side: Side::Npcs } => "The foes lay down their arms.".to_string(),
        Event::SeedSet { seed } => format!("The dice are seeded anew with {seed:?}."),
    }
}

/// What is told when a limit is near.
pub(crate) fn warning(limit: Limit, left: u16) -> String {
    let plural = if left == 1 { "" } else { "s" };
    match limit {
        Limit::Calm => format!("Unless blood is drawn, the fight is drawn in {left} round{plural}."),
        Limit::Rounds => format!("The fight is drawn in {left} round{plural}."),
        Limit::Stroll => format!("After {left} more action{plural} the peace is over."),
    }
}

fn health(state: &State, body: BodyId) -> String {
    format!("{} of {} hit points", state.body(body).hp, state.stage.figure(body).hp_max)
}

fn outcome(state: &State, body: BodyId, hp: i64) -> String {
    if hp == 0 {
        return format!("{} falls dead", name(state, body));
    }
    format!("{hp} of {} hit points left", state.stage.figure(body).hp_max)
}

fn attack(state: &State, event: &Attacked) -> String {
    let (who, whom) = (name(state, event.attacker), name(state, event.target));
    let first = total(&event.first);
    let (raw, rolled) = match &event.second {
        Some(second) => (first.min(total(second)), format!("the lower of {first} and {}", total(second))),
        None => (first, first.to_string()),
    };
    let ac = state.stage.figure(event.target).ac;
    let to_hit = if event.attack == 0 {
        rolled
    } else {
        format!("{rolled}{} = {}", signed(event.attack), raw.saturating_add(event.attack))
    };
    let against = if event.ac == 0 {
        format!("{ac}")
    } else {
        format!("{ac}{} = {}", signed(event.ac), ac.saturating_add(event.ac))
    };
    if !event.hit {
        return format!("{who} strikes at {whom} and misses: {to_hit} against AC {against}.");
    }
    let left = outcome(state, event.target, event.hp);
    format!("{who} hits {whom}: {to_hit} against AC {against}, {} damage; {left}.", event.damage)
}

fn ability(state: &State, event: &AbilityUsed) -> String {
    let def = state.stage.ability_def(event.ability);
    let (who, whom) = (name(state, event.caster), name(state, event.target));
    let whom = if event.caster == event.target { "themself" } else { whom };
    if def.kind == AbilityKind::Heal {
        let max = state.stage.figure(event.target).hp_max;
        return format!(
            "{who} uses {} on {whom}: heals up to {}, now {} of {max} hit points.",
            def.name,
            total(&event.dice),
            event.hp
        );
    }
    let roll = total(&event.attack);
    let bonus = if def.bonus == 0 {
        String::new()
    } else {
        format!("{} = {}", signed(def.bonus), roll.saturating_add(def.bonus))
    };
    let ac = state.stage.figure(event.target).ac;
    if !event.hit {
        return format!("{who} uses {} on {whom} and misses: {roll}{bonus} against AC {ac}.", def.name);
    }
    let left = outcome(state, event.target, event.hp);
    let mark = event.applied.map_or(String::new(), |c| format!("; {whom} is {}", word(state, c)));
    format!(
        "{who} hits {whom} with {}: {roll}{bonus} against AC {ac}, {} damage; {left}{mark}.",
        def.name,
        total(&event.dice)
    )
}

/// A few words about an effect.
pub fn effect(state: &State, effect: &Effect) -> String {
    match effect {
        Effect::Walk { body, .. } => format!("{} walks", name(state, *body)),
        Effect::Halt { body, .. } => format!("{} stops", name(state, *body)),
        Effect::Shove { corpse, .. } => format!("the corpse of {} is shoved back", name(state, *corpse)),
        Effect::Strike(strike) => self::strike(state, strike),
        Effect::Cast { caster, target, ability } => {
            let what = &state.stage.ability_def(*ability).name;
            format!("{} uses {what} on {}", name(state, *caster), name(state, *target))
        }
        Effect::Defend { body } => format!("{} defends", name(state, *body)),
        Effect::Muster => "everybody rolls initiative".to_string(),
        Effect::Pass { from, to, .. } => {
            format!("the turn passes from {} to {}", name(state, *from), name(state, *to))
        }
        Effect::Expire { body, condition } => {
            format!("{} ends on {}", word(state, *condition), name(state, *body))
        }
        Effect::Harm { body, condition } => {
            format!("{} hurts {}", word(state, *condition), name(state, *body))
        }
        Effect::EndCombat => "the fight ends".to_string(),
        Effect::Warn { limit, left } => warning(*limit, *left),
        Effect::Draw { .. } => "the match is drawn".to_string(),
        Effect::Surrender { side } => format!("{} surrender", side.name()),
        Effect::Reseed { .. } => "the dice are seeded anew".to_string(),
    }
}

fn strike(state: &State, strike: &Strike) -> String {
    let twice = if strike.disadvantage { ", lower of two rolls" } else { "" };
    let die = state.stage.rules.module.attack;
    format!(
        "{} attacks {}: {die}{} against AC {}{}{twice}",
        name(state, strike.attacker),
        name(state, strike.target),
        signed(strike.attack),
        state.stage.figure(strike.target).ac,
        signed(strike.ac),
    )
}

/// The name of a listener.
pub fn listener(state: &State, listener: Listener) -> String {
    match listener {
        Listener::Modifier { body, condition } | Listener::Hurts { body, condition } => {
            format!("{} on {}", word(state, condition), name(state, body))
        }
        Listener::Edge => "the difficulty".to_string(),
        Listener::RunsOut { body } => format!("conditions running out on {}", name(state, body)),
        Listener::RunsOutFirst { body } => format!("guard running out on {}", name(state, body)),
    }
}

/// What a listener changed: `+2 on the roll: blessed on Ada`.
pub fn alteration(state: &State, by: Listener, before: &Effect, after: &Effect) -> String {
    let who = listener(state, by);
    let (Effect::Strike(from), Effect::Strike(to)) = (before, after) else {
        return format!("{who}: {} → {}", effect(state, before), effect(state, after));
    };
    let mut parts = Vec::new();
    let changes = [
        ("on the roll", to.attack - from.attack),
        ("on armour class", to.ac - from.ac),
        ("on damage", to.damage - from.damage),
    ];
    for (what, change) in changes.into_iter().filter(|(_, c)| *c != 0) {
        parts.push(format!("{change:+} {what}"));
    }
    if to.disadvantage && !from.disadvantage {
        parts.push("disadvantage: the lower of two rolls".to_string());
    }
    if parts.is_empty() {
        parts.push("no change".to_string());
    }
    format!("{}: {who}", parts.join(", "))
}

/// One sentence about a refusal.
pub fn rejection(state: &State, refused: &Action, rejection: &Rejection) -> String {
    let why = rejection.reasons.first().map_or("no reason given", |r| r.text.as_str());
    format!("Refused: {} ({why}).", action(state, refused))
}

/// An action in a player's words. Whom the side that sent it does not see keeps the id that it sent.
pub fn action(state: &State, action: &Action) -> String {
    let seen = as_acted(state);
    let called = |id: &Id| {
        let body = known(&seen, id);
        body.map_or_else(|| id.to_string(), |b| name(state, b).to_string())
    };
    // One of several of a name is found on the board by its letters.
    let pointed = |id: &Id| match known(&seen, id).map(|b| state.stage.figure(b)) {
        Some(figure) if figure.called != figure.name => format!("{} ({})", figure.called, figure.mark),
        _ => called(id),
    };
    match &action.verb {
        Verb::Move { entity, path } => {
            let goal = path.last().map_or(String::new(), |s| format!(" to {},{}", s.x, s.y));
            format!("{} walks{goal}", called(entity))
        }
        Verb::Attack { attacker, target } => match (known(&seen, attacker), known(&seen, target)) {
            (Some(a), Some(t)) if own_side(state, a, t) => {
                format!("{} attacks a friend: {}", called(attacker), pointed(target))
            }
            _ => format!("{} attacks {}", called(attacker), pointed(target)),
        },
        Verb::EndTurn { entity } => format!("{} ends the turn", called(entity)),
        Verb::RollInitiative => "roll initiative".to_string(),
        Verb::Defend { entity } => format!("{} defends", called(entity)),
        Verb::UseAbility { caster, ability, target } => {
            let known = ability.text().and_then(|id| state.stage.ability(id));
            let what =
                known.map_or_else(|| ability.to_string(), |a| state.stage.ability_def(a).name.to_string());
            format!("{} uses {what} on {}", called(caster), pointed(target))
        }
        Verb::Surrender { side } => {
            let side = side.unwrap_or_else(|| Side::of(acting(state)));
            format!("{} surrender", side.name())
        }
        Verb::SetSeed { seed } => format!("seed the dice with {seed:?}"),
        Verb::Malformed { .. } => "something that is no action".to_string(),
    }
}

/// Whether two creatures stand on one side.
pub(crate) fn own_side(state: &State, one: BodyId, other: BodyId) -> bool {
    let creatures = state.stage.creature_ids();
    state.stage.kind(one) == state.stage.kind(other) && creatures.contains(&one) && creatures.contains(&other)
}
