//! A player who looks ahead: of the ways to play a turn that look best he plays each on, many times, in worlds that look
//! like the one he sees, and takes the one that came out best. He thinks anew at every choice, so that what dice and fog
//! have shown meanwhile counts, and has nothing in mind from one to the next.

mod arms;
mod trials;
mod ways;

use self::trials::{Trials, WON};
use self::ways::{Deed, Turn, Way};
use super::tactics;
use crate::action::{Action, Verb};
use crate::catalog::Catalog;
use crate::game::Skirmish;
use crate::stage::BodyId;
use crate::state::State;
use turnstone::dice::Lots;
use turnstone::{Input, InputOf, Position};
use turnstone_host::halving::{Budget, Tried, halving};
use turnstone_host::{Bot, Sight, Weighed, Why, tell_line};

/// Fights that are played on for each choice, if nobody says how many.
pub const USUAL: usize = 100;
/// And at most.
const MOST: usize = 1_000_000;
/// Ways that are played on.
const WAYS: usize = 12;
/// Of these, with the same deed.
const ALIKE: usize = 3;
/// Worlds that they are tried in.
const WORLDS: usize = 64;
/// What a look at first sight counts beside the tries: few tries tell less than it does.
const AT_FIRST_SIGHT: f64 = 1_000.0;
/// A difference that is not worth finding out: a fifth of a percent.
const SLACK: i32 = WON / 500;

/// A player who looks ahead, the better the more he tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tactician {
    /// Fights that are played on for each choice.
    pub fights: usize,
}

/// A turn, as it might be played.
struct Plan {
    actions: Vec<Action>,
    /// How good it looks at first sight.
    score: f64,
}

/// What was chosen, and what was weighed on the way.
struct Choice {
    best: usize,
    options: Vec<Weighed>,
    line: Vec<InputOf<Skirmish>>,
}

impl Tactician {
    /// By its name: `tactician`, or `tactician:N` for one who plays on N fights at each choice.
    pub fn named(name: &str) -> Option<Tactician> {
        let fights = match name.strip_prefix("tactician")? {
            "" => USUAL,
            rest => rest.strip_prefix(':')?.parse().ok().filter(|fights| (1..=MOST).contains(fights))?,
        };
        Some(Tactician { fights })
    }

    fn think(&self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> Choice {
        let seen = sight.seen();
        let state = seen.state();
        let active = state.combat.active.filter(|_| state.combat.fighting);
        let Some(body) = active.filter(|_| sight.inputs().len() > 1) else {
            return Choice::of(sight, &[], &[], 0);
        };
        let mut trials = Trials::new(sight.game(), state, lots);
        let plans = match state.hostiles(body).next() {
            Some(_) => self.plans(state, body, &mut trials),
            // Whoever sees nobody looks around, as the presets do.
            None => vec![look_around(state, body, lots)],
        };
        let mut worlds: Vec<Position<Skirmish>> = vec![sight.sample(lots)];
        let mut scratch = worlds[0].clone();
        let (best, tried) = halving(plans.len(), Budget::of(self.fights, SLACK), |plan, number| {
            let world = number % WORLDS;
            while worlds.len() <= world {
                worlds.push(sight.sample(lots));
            }
            scratch.clone_from(&worlds[world]);
            let (value, turns) = trials.play(&mut scratch, &plans[plan].actions, sight.seat(), number);
            (value + (AT_FIRST_SIGHT * plans[plan].score) as i32, turns)
        });
        Choice::of(sight, &plans, &tried, best)
    }

    /// The plans that are worth playing on, the best looking first; not too many of one kind.
    fn plans(&self, state: &State, body: BodyId, trials: &mut Trials<'_>) -> Vec<Plan> {
        let turn = Turn::new(state, body, &trials.arms);
        let mut ways: Vec<Way> = turn.all(&mut trials.far);
        ways.sort_by(|a, b| b.score.total_cmp(&a.score));
        let (mut plans, mut deeds): (Vec<Plan>, Vec<Deed>) = (Vec::new(), Vec::new());
        for way in ways {
            if plans.len() == WAYS.min(self.fights) {
                break;
            }
            if deeds.iter().filter(|deed| **deed == way.deed).count() == ALIKE {
                continue;
            }
            if let Some(actions) = turn.actions(&way) {
                plans.push(Plan { actions, score: way.score });
                deeds.push(way.deed);
            }
        }
        plans
    }
}

impl Choice {
    /// The first input of the best plan; without one the fight begins, or the turn ends.
    fn of(sight: &Sight<'_, Skirmish>, plans: &[Plan], tried: &[Tried], best: usize) -> Choice {
        let inputs = sight.inputs();
        let first = |plan: &Plan| plan.actions.first().and_then(|action| number_of(inputs, action));
        let mut options = vec![Weighed::default(); inputs.len()];
        for (plan, tried) in plans.iter().zip(tried).filter(|(_, tried)| tried.tries > 0) {
            let Some(option) = first(plan).and_then(|number| options.get_mut(number)) else { continue };
            let besides = AT_FIRST_SIGHT * plan.score;
            let value = (tried.sum as f64 / tried.tries as f64 - besides) / f64::from(WON);
            option.visits += tried.tries.unsigned_abs();
            option.value = option.value.max(value.clamp(0.0, 1.0));
        }
        let chosen = plans.get(best).and_then(|plan| Some((first(plan)?, plan)));
        let (best, rest) =
            chosen.map_or((begin(inputs), &[][..]), |(first, plan)| (first, &plan.actions[1..]));
        let line =
            inputs.get(best).cloned().into_iter().chain(rest.iter().cloned().map(Input::Act)).collect();
        Choice { best, options, line }
    }
}

/// What the strongest preset would do.
fn look_around(state: &State, body: BodyId, lots: &mut Lots) -> Plan {
    let preset = Catalog::built_in().difficulty("deadly");
    Plan { actions: tactics::plan(state, body, &preset, lots), score: 0.0 }
}

/// Where there is nothing to weigh: the fight begins, or the turn ends.
fn begin(inputs: &[InputOf<Skirmish>]) -> usize {
    let is = |input: &InputOf<Skirmish>| matches!(input, Input::Act(a) if matches!(a.verb, Verb::RollInitiative | Verb::EndTurn { .. }));
    inputs.iter().position(is).unwrap_or(0)
}

/// The number of the input that an action is: of walks to the same cell, the listed one.
fn number_of(inputs: &[InputOf<Skirmish>], action: &Action) -> Option<usize> {
    let goal = |action: &Action| match &action.verb {
        Verb::Move { entity, path } => path.last().map(|step| (entity.clone(), *step)),
        _ => None,
    };
    let wanted = goal(action);
    let same = |input: &InputOf<Skirmish>| match input {
        Input::Act(listed) if wanted.is_some() => goal(listed) == wanted,
        Input::Act(listed) => listed == action,
        Input::Choose(never) => match *never {},
    };
    inputs.iter().position(same)
}

impl Bot<Skirmish> for Tactician {
    fn choose(&mut self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> usize {
        self.think(sight, lots).best
    }

    /// What it means to do in this turn, and what came of each beginning that it tried.
    fn why(&mut self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> Option<Why> {
        let Choice { best, options, line } = self.think(sight, lots);
        Some(Why { best, options, line: tell_line(sight, &line, lots) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::board::Cell;
    use crate::document::{CombatMode, EntityDoc};
    use crate::fixture::table;
    use turnstone::{Game as _, Off, Resolver};
    use turnstone_host::bot_lots;

    #[test]
    fn a_name_says_how_much_it_tries() {
        assert_eq!(Tactician::named("tactician").map(|one| one.fights), Some(USUAL));
        assert_eq!(Tactician::named("tactician:40").map(|one| one.fights), Some(40));
        for wrong in
            ["tactician:", "tactician:0", "tactician:x", "tactician40", "tactic", "tactician:9999999999"]
        {
            assert_eq!(Tactician::named(wrong), None, "{wrong}");
        }
    }

    /// The yard in a fight, with Ada to act.
    fn yard(change: impl FnOnce(&mut Document)) -> State {
        table(|d| {
            d.combat.mode = CombatMode::Combat;
            d.combat.round = 1;
            d.combat.active_entity_id = Some("ada".into());
            d.combat.initiative_order = ["ada", "wolf", "imp", "bram"].map(str::to_string).to_vec();
            change(d);
        })
    }

    /// What it does in Ada's turn, and how the yard looks then.
    fn ada(state: State, seed: u64) -> (Vec<Action>, State) {
        let (game, mut position) = (Skirmish::default(), Position::<Skirmish>::new(state));
        let mut done = Vec::new();
        while position.state().combat.active == Some(0) && game.outcome(position.state()).is_none() {
            let inputs = position.inputs(&game);
            let sight = Sight::new(&game, &position, 0, &inputs);
            let chosen = Tactician { fights: 60 }.choose(&sight, &mut bot_lots(seed, 0, done.len() as u32));
            let Input::Act(action) = inputs[chosen].clone();
            Resolver::default().act(&game, &mut position, &inputs[chosen], &mut Off).unwrap();
            done.push(action);
        }
        (done, position.state().clone())
    }

    fn put(entity: &mut EntityDoc, (x, y): (i64, i64), hp: i64) {
        (entity.position.x, entity.position.y) = (x, y);
        entity.stats.hp_current = hp;
    }

    #[test]
    fn it_kills_who_can_be_killed() {
        for seed in 0..4 {
            let (done, _) = ada(
                yard(|d| {
                    put(&mut d.entities.npcs[0], (2, 2), 20);
                    put(&mut d.entities.npcs[1], (1, 3), 1);
                }),
                seed,
            );
            let kill = Action::attack(&"ada".into(), &"imp".into());
            assert!(done.contains(&kill), "seed {seed}: {done:?}");
        }
    }

    #[test]
    fn it_goes_where_a_kill_is() {
        for seed in 0..4 {
            let (done, _) = ada(yard(|d| put(&mut d.entities.npcs[1], (5, 4), 1)), seed);
            let kill = Action::attack(&"ada".into(), &"imp".into());
            assert!(matches!(done[0].verb, Verb::Move { .. }) && done[1] == kill, "seed {seed}: {done:?}");
        }
    }

    #[test]
    fn it_heals_whom_it_can_help_while_no_foe_is_near() {
        for seed in 0..4 {
            let (done, _) = ada(
                yard(|d| {
                    d.entities.players[0].abilities = Some(vec!["healing_word".into()]);
                    d.entities.players[1].stats.hp_current = 3;
                    put(&mut d.entities.npcs[0], (8, 0), 20);
                    put(&mut d.entities.npcs[1], (8, 6), 20);
                }),
                seed,
            );
            let heal = Action::use_ability(&"ada".into(), &"healing_word".into(), &"bram".into());
            assert!(done.contains(&heal), "seed {seed}: {done:?}");
        }
    }

    #[test]
    fn it_flees_from_blows_that_it_would_not_live_through() {
        for seed in 0..4 {
            let (done, after) = ada(
                yard(|d| {
                    put(&mut d.entities.players[0], (1, 2), 1);
                    d.entities.players[0].stats.ac = 2;
                    put(&mut d.entities.players[1], (8, 6), 20);
                    for (npc, cell) in d.entities.npcs.iter_mut().zip([(2, 2), (1, 1)]) {
                        put(npc, cell, 20);
                        npc.stats.movement_speed = 1;
                    }
                }),
                seed,
            );
            // A foe walks one cell, which is no slanting one, and strikes whoever is beside it then.
            let walks = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
            let strikes = |foe: BodyId| {
                let Cell { x, y } = after.cell(foe);
                walks.iter().any(|(right, down)| {
                    let aside = (i32::from(x) + right - i32::from(after.cell(0).x)).abs();
                    aside.max((i32::from(y) + down - i32::from(after.cell(0).y)).abs()) <= 1
                })
            };
            assert!(!strikes(2) && !strikes(3), "seed {seed}: {done:?}");
        }
    }
}
