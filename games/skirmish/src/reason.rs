//! Why a number is what it is: who made or changed it. Left as notes beside the fact, and told by `explain`.

use crate::dice::total;
use crate::effect::Strike;
use crate::stage::{AbilityId, BodyId, ConditionId};
use crate::state::State;
use crate::tell;
use serde::{Deserialize, Serialize};
use turnstone::{Note, Notes};

/// Which number of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// What the roll to hit comes to.
    ToHit,
    /// The armour class that it is held against.
    ArmourClass,
    /// The damage.
    Damage,
    /// The hit points that are given back.
    Healing,
    /// The hit points that are left.
    HitPoints,
    /// What was rolled for initiative.
    Initiative,
}

/// Who made or changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// What somebody has by himself.
    Figure(BodyId),
    /// A condition of somebody's.
    Condition(BodyId, ConditionId),
    /// An ability.
    Ability(AbilityId),
    /// The difficulty.
    Difficulty,
    /// The dice.
    Dice,
    /// The lower of two rolls.
    LowerRoll,
    /// The rules give it.
    Rule,
    /// The blow, or the cure.
    Deed,
    /// There is no more, or no less.
    Limit,
}

/// Who made or changed which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Which number.
    pub of: Number,
    /// Who.
    pub by: Source,
}

impl Number {
    /// This number, made or changed by somebody.
    pub const fn by(self, by: Source) -> Reason {
        Reason { of: self, by }
    }

    const fn name(self) -> &'static str {
        match self {
            Number::ToHit => "to hit",
            Number::ArmourClass => "armour class",
            Number::Damage => "damage",
            Number::Healing => "healing",
            Number::HitPoints => "hit points",
            Number::Initiative => "initiative",
        }
    }
}

/// Notes what an attack begins with, before anybody adds to it.
pub(crate) fn opened(state: &State, strike: &Strike, notes: &mut Notes<Reason>) {
    if notes.are_wanted() {
        notes.made(Number::ToHit.by(Source::Figure(strike.attacker)), strike.attack);
        let ac = state.stage.figure(strike.target).ac.saturating_add(strike.ac);
        notes.made(Number::ArmourClass.by(Source::Figure(strike.target)), ac);
    }
}

/// Notes what somebody added to an attack on its way.
pub(crate) fn altered(state: &State, by: Source, from: &Strike, to: &Strike, notes: &mut Notes<Reason>) {
    if notes.are_wanted() {
        let ac = state.stage.figure(from.target).ac;
        notes.changed(Number::ToHit.by(by), from.attack, to.attack);
        notes.changed(Number::ArmourClass.by(by), ac.saturating_add(from.ac), ac.saturating_add(to.ac));
        notes.changed(Number::Damage.by(by), from.damage, to.damage);
    }
}

/// Notes what the dice added to a roll to hit.
pub(crate) fn rolled(bonus: i64, first: &[u16], second: Option<&[u16]>, notes: &mut Notes<Reason>) {
    if notes.are_wanted() {
        let shown = bonus.saturating_add(total(first));
        notes.changed(Number::ToHit.by(Source::Dice), bonus, shown);
        if let Some(second) = second {
            let lower = bonus.saturating_add(total(second).min(total(first)));
            notes.changed(Number::ToHit.by(Source::LowerRoll), shown, lower);
        }
    }
}

/// Notes that hit points are lost or gained.
pub(crate) fn hit_points(from: i64, to: i64, notes: &mut Notes<Reason>) {
    notes.changed(Number::HitPoints.by(Source::Deed), from, to);
}

/// A note in words: `armour class 14 → 16: dodging on Gruk`.
pub(crate) fn tell(state: &State, note: &Note<Reason>) -> String {
    let Reason { of, by } = note.who;
    let who = match by {
        Source::Figure(body) => tell::name(state, body).to_string(),
        Source::Condition(body, condition) => {
            format!("{} on {}", tell::word(state, condition), tell::name(state, body))
        }
        Source::Ability(ability) => tell::ability_name(state, ability).to_string(),
        Source::Difficulty => "the difficulty".to_string(),
        Source::Dice => "the dice".to_string(),
        Source::LowerRoll => "the lower of two rolls".to_string(),
        Source::Rule => "the rules".to_string(),
        Source::Deed => match of {
            Number::HitPoints if note.from.is_some_and(|from| from < note.to) => "the cure".to_string(),
            _ => "the blow".to_string(),
        },
        Source::Limit => "as far as it goes".to_string(),
    };
    match note.from {
        Some(from) => format!("{} {from} → {}: {who}", of.name(), note.to),
        None => format!("{} {}: {who}", of.name(), note.to),
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Action;
    use crate::fixture::{modern, world};
    use crate::game::Skirmish;
    use crate::state::State;
    use crate::{Profile, Setup};
    use serde_json::{Value, json};
    use std::sync::Arc;
    use turnstone::{Input, Match, Position};

    /// What is told of how the numbers of an action came about.
    fn reasons(state: State, action: Value) -> Vec<String> {
        let game = Arc::new(Skirmish::default());
        let setup = Setup::state(Profile::Mir023, serde_json::to_value(world()).unwrap());
        let mut played: Match<Skirmish> =
            Match::from_position(Arc::clone(&game), setup, 1, Position::new(state)).unwrap();
        let moment = played.act(Input::Act(Action::from_json(&action))).unwrap();
        played.notes(moment).map(|(_, note)| super::tell(played.state(), note)).collect()
    }

    #[test]
    fn an_attack_says_where_every_number_comes_from() {
        let state = modern(|d| {
            d.entities.npcs[0].position.x = 2;
            d.entities.npcs[0].stats.ac = 3;
            d.entities.npcs[0].conditions.push("dodging".into());
        });
        let told = reasons(state, json!({"type": "ATTACK", "attackerId": "ada", "targetId": "wolf"}));
        let has =
            |start: &str, end: &str| told.iter().any(|line| line.starts_with(start) && line.ends_with(end));
        assert!(has("to hit ", ": Ada") && has("to hit ", ": the dice"), "{told:?}");
        assert!(
            has("armour class 3: ", "Wolf") && has("armour class 3 → 5: dodging on ", "Wolf"),
            "{told:?}"
        );
        let hit = told.iter().any(|line| line.starts_with("hit points"));
        assert_eq!(hit, has("damage ", ": the dice"), "{told:?}");
    }

    #[test]
    fn healing_says_how_far_it_goes() {
        let state = modern(|d| {
            d.entities.players[0].stats.hp_current = d.entities.players[0].stats.hp_max - 1;
        });
        let told = reasons(state, json!({"type": "DEFEND", "entityId": "ada"}));
        assert_eq!(told[0], "healing 2: the rules");
        assert_eq!(told[1], "healing 2 → 1: as far as it goes");
        assert!(told[2].starts_with("hit points ") && told[2].ends_with(": the cure"), "{told:?}");
    }
}
