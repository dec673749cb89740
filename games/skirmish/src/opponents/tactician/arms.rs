//! What everybody can do to everybody, in numbers: chances, harm, and what a figure is worth for it.

use crate::catalog::{AbilityKind, DiceDef};
use crate::effect::{Effect, Strike};
use crate::listeners::weigh;
use crate::rules::{ability, attack};
use crate::stage::{AbilityId, BodyId, Edge};
use crate::state::State;

/// How some dice may fall.
struct Odds {
    /// The chance of so much or more.
    at_least: Vec<f64>,
    /// What they come to on average if no more than so much counts.
    capped: Vec<f64>,
}

impl Odds {
    fn of(dice: DiceDef) -> Odds {
        let (count, sides) = (usize::from(dice.count), usize::from(dice.sides.max(1)));
        let mut chances = vec![1.0];
        for _ in 0..count {
            chances = one_more(&chances, sides);
        }
        Odds::new(&chances)
    }

    fn flat(number: i64) -> Odds {
        let number = number.clamp(0, 1000) as usize;
        let chances: Vec<f64> = (0..=number).map(|n| f64::from(u8::from(n == number))).collect();
        Odds::new(&chances)
    }

    /// From the chance of every sum.
    fn new(chances: &[f64]) -> Odds {
        let mut at_least = chances.to_vec();
        for n in (0..at_least.len().saturating_sub(1)).rev() {
            at_least[n] += at_least[n + 1];
        }
        let mut capped = at_least.clone();
        capped[0] = 0.0;
        for n in 1..capped.len() {
            capped[n] += capped[n - 1];
        }
        Odds { at_least, capped }
    }

    fn at_least(&self, number: i64) -> f64 {
        if number <= 0 {
            return 1.0;
        }
        self.at_least.get(usize::try_from(number).unwrap_or(usize::MAX)).copied().unwrap_or(0.0)
    }

    fn capped(&self, most: i64) -> f64 {
        let most = usize::try_from(most).unwrap_or(0).min(self.capped.len() - 1);
        self.capped[most]
    }

    fn mean(&self) -> f64 {
        self.capped(i64::MAX)
    }
}

/// The chances of every sum with one die more.
fn one_more(chances: &[f64], sides: usize) -> Vec<f64> {
    let mut sums = vec![0.0; chances.len() + sides];
    let mut window = 0.0;
    for (sum, slot) in sums.iter_mut().enumerate().skip(1) {
        window += chances.get(sum - 1).copied().unwrap_or(0.0);
        if sum > sides {
            window -= chances.get(sum - 1 - sides).copied().unwrap_or(0.0);
        }
        *slot = (window / sides as f64).max(0.0);
    }
    sums
}

/// One way to use an action on somebody.
pub(super) struct Arm {
    /// `None` for a plain attack.
    pub ability: Option<AbilityId>,
    pub heals: bool,
    pub range: i64,
    /// What the condition that a hit brings is worth, as a share of its bearer.
    pub lasting: f64,
    dice: Odds,
}

/// What is to be expected of one use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Blow {
    /// The chance of a hit.
    pub hit: f64,
    /// Hit points that it takes, or gives, on average.
    pub harm: f64,
    /// The chance of a death.
    pub kill: f64,
}

/// Everybody's arms, and what that makes of them.
pub(super) struct Arms {
    to_hit: Odds,
    of: Vec<Vec<Arm>>,
    /// Hit points that a figure takes from its foes in a turn, on average; the mean of all is one.
    worth: Vec<f64>,
    /// How many blows it takes to hit it once.
    tough: Vec<f64>,
}

/// What an action less of a foe is worth, and worse blows of it.
const STUN: f64 = 0.3;
const POISON: f64 = 0.1;
/// What a healed hit point is worth, measured by one taken.
const HEALING: f64 = 0.7;

impl Arms {
    pub fn new(state: &State) -> Arms {
        let stage = &state.stage;
        let of = stage.bodies().map(|body| arms_of(state, body)).collect();
        let to_hit = Odds::of(stage.rules.module.attack);
        let mut arms = Arms { to_hit, of, worth: Vec::new(), tough: Vec::new() };
        let creatures: Vec<BodyId> = stage.creature_ids().collect();
        let danger: Vec<f64> = creatures.iter().map(|body| arms.danger(state, *body)).collect();
        let mean = (danger.iter().sum::<f64>() / danger.len().max(1) as f64).max(0.01);
        arms.tough = creatures.iter().map(|body| arms.toughness(state, *body)).collect();
        arms.worth = danger.into_iter().map(|danger| danger / mean).collect();
        arms
    }

    /// The arms of a figure.
    pub fn of(&self, body: BodyId) -> &[Arm] {
        &self.of[usize::from(body)]
    }

    /// What it does in a turn; one for an average figure.
    pub fn worth(&self, body: BodyId) -> f64 {
        self.worth[usize::from(body)]
    }

    /// How many blows it takes to hit it once.
    pub fn tough(&self, body: BodyId) -> f64 {
        self.tough[usize::from(body)]
    }

    /// What is to be expected of an arm against a foe.
    pub fn blow(&self, state: &State, body: BodyId, foe: BodyId, arm: &Arm) -> Blow {
        let hp = state.body(foe).hp;
        if arm.heals {
            let missing = state.stage.figure(foe).hp_max.saturating_sub(hp);
            return Blow { hit: 1.0, harm: arm.dice.capped(missing), kill: 0.0 };
        }
        let (needed, twice, added) = match arm.ability {
            Some(ability) => (ability::needed(state, foe, ability), false, 0),
            None => {
                let strike = strike(state, body, foe);
                (attack::needed(state, &strike), strike.disadvantage, strike.damage)
            }
        };
        let once = self.to_hit.at_least(needed);
        let hit = if twice { once * once } else { once };
        let rest = hp.saturating_sub(added);
        let harm = added.clamp(0, hp.max(0)) as f64 + arm.dice.capped(rest);
        Blow { hit, harm: hit * harm, kill: hit * arm.dice.at_least(rest) }
    }

    /// Hit points that it takes from somebody, or gives back, in a turn, with what it can do every turn.
    fn danger(&self, state: &State, body: BodyId) -> f64 {
        let stage = &state.stage;
        let foes = if stage.player_ids().contains(&body) { stage.npc_ids() } else { stage.player_ids() };
        let count = foes.len().max(1) as f64;
        let every_turn = |arm: &&Arm| arm.ability.is_none_or(|a| stage.ability_def(a).cooldown <= 1);
        let worth = |arm: &Arm| match arm.heals {
            true => HEALING * arm.dice.mean(),
            false => {
                foes.clone().map(|foe| self.chance(state, body, foe, arm)).sum::<f64>() / count
                    * arm.dice.mean()
            }
        };
        self.of(body).iter().filter(every_turn).map(worth).fold(0.0, f64::max)
    }

    fn toughness(&self, state: &State, body: BodyId) -> f64 {
        let stage = &state.stage;
        let foes = if stage.player_ids().contains(&body) { stage.npc_ids() } else { stage.player_ids() };
        let count = foes.len().max(1) as f64;
        let plain = |foe: BodyId| self.of(foe).first().map_or(0.5, |arm| self.chance(state, foe, body, arm));
        1.0 / (foes.map(plain).sum::<f64>() / count).clamp(0.05, 1.0)
    }

    /// The chance of a hit, whatever conditions there are now.
    fn chance(&self, state: &State, body: BodyId, foe: BodyId, arm: &Arm) -> f64 {
        let needed = match arm.ability {
            Some(ability) => ability::needed(state, foe, ability),
            None => attack::needed(state, &attack::plain(state, body, foe)),
        };
        self.to_hit.at_least(needed)
    }
}

/// A strike with all that adds to it. Most often nothing does.
fn strike(state: &State, body: BodyId, foe: BodyId) -> Strike {
    let (plain, masks) = (attack::plain(state, body, foe), state.stage.masks);
    let conditions = state.body(body).mask & masks.attack | state.body(foe).mask & masks.ac;
    if conditions == 0 && state.stage.rules.edge == Edge::default() {
        return plain;
    }
    match weigh(state, Effect::Strike(plain)) {
        Effect::Strike(strike) => strike,
        _ => plain,
    }
}

/// A plain attack first, then what a figure knows.
fn arms_of(state: &State, body: BodyId) -> Vec<Arm> {
    let stage = &state.stage;
    if !stage.creature_ids().contains(&body) {
        return Vec::new();
    }
    let figure = stage.figure(body);
    let dice = match attack::weapon(state, body) {
        Some(dice) => Odds::of(dice),
        None => Odds::flat(stage.rules.module.flat_damage.unwrap_or(0)),
    };
    let range = if stage.is_modern() { figure.reach } else { i64::MAX };
    let mut arms = vec![Arm { ability: None, heals: false, range, lasting: 0.0, dice }];
    if stage.is_modern() {
        arms.extend(figure.abilities.iter().map(|ability| {
            let def = stage.ability_def(*ability);
            Arm {
                ability: Some(*ability),
                heals: def.kind == AbilityKind::Heal,
                range: def.range,
                lasting: lasting(state, *ability),
                dice: Odds::of(def.dice),
            }
        }));
    }
    arms
}

fn lasting(state: &State, ability: AbilityId) -> f64 {
    let name = state.stage.ability_def(ability).applies.as_deref();
    let condition = name.and_then(|name| state.stage.condition(name));
    condition
        .and_then(|condition| state.stage.condition_def(condition))
        .map_or(0.0, |def| if def.cannot_act { STUN } else { POISON })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::modern;

    #[test]
    fn dice_fall_as_they_do() {
        let odds = Odds::of(DiceDef::new(2, 6));
        assert!((odds.at_least(2) - 1.0).abs() < 1e-9 && (odds.at_least(12) - 1.0 / 36.0).abs() < 1e-9);
        assert!((odds.at_least(7) - 21.0 / 36.0).abs() < 1e-9);
        assert_eq!(odds.at_least(13), 0.0);
        assert!((odds.mean() - 7.0).abs() < 1e-9);
        // Of two hit points two are taken by any throw.
        assert!((odds.capped(2) - 2.0).abs() < 1e-9);
        assert_eq!(
            (Odds::flat(4).at_least(4), Odds::flat(4).at_least(5), Odds::flat(4).mean()),
            (1.0, 0.0, 4.0)
        );
    }

    #[test]
    fn a_blow_is_expected_to_do_what_it_does() {
        let state = modern(|d| d.entities.npcs[0].stats.hp_current = 3);
        let arms = Arms::new(&state);
        let blow = arms.blow(&state, 0, 2, &arms.of(0)[0]);
        // 12 or more of 20; then 1, 2 or at most 3 hit points, and 3 or more of 6.
        assert!((blow.hit - 0.45).abs() < 1e-9);
        assert!((blow.kill - 0.45 * 4.0 / 6.0).abs() < 1e-9);
        assert!((blow.harm - 0.45 * (1.0 + 2.0 + 4.0 * 3.0) / 6.0).abs() < 1e-9);
        let poisoned = modern(|d| d.entities.players[0].conditions.push("poisoned".into()));
        assert!((arms.blow(&poisoned, 0, 2, &arms.of(0)[0]).hit - 0.45 * 0.45).abs() < 1e-9);
    }
}
