//! Players that are programs.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, Off, Position, Resolver};
use turnstone_host::{Bot, Sight, Weighed, Why, tell_line};

use crate::action::Action;
use crate::game::Grid;
use crate::solve::{Solution, mark, solve_from};
use crate::state::State;

/// Does anything that is allowed.
pub struct Random;

impl Bot<Grid> for Random {
    fn choose(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> usize {
        // Giving up is allowed, but no way to play.
        let inputs = sight.inputs();
        let steps = inputs.iter().take_while(|input| !matches!(input, Input::Act(Action::Resign { .. })));
        lots.index(steps.count()).unwrap_or(0)
    }
}

/// Looks for a shortest way to win and follows it; where there is none in sight it wanders.
#[derive(Default)]
pub struct Solver {
    mind: Mind,
}

/// What the solver knows of a match from one choice to the next.
#[derive(Default, Serialize, Deserialize)]
struct Mind {
    /// What to do next, each with the mark of the moment in which that is right: what was done meanwhile, by a slip or
    /// by others, leads elsewhere.
    plan: VecDeque<(u64, Action)>,
    /// Nothing was found: the turn at which looking again makes sense.
    look_again: Option<i64>,
    /// How often nothing was found.
    failures: u32,
}

/// Turns until it looks again if there was nothing; twice as many every time.
const PAUSE: i64 = 10;

/// Moments a bot looks at before it moves: enough for every level that comes with the game.
pub(crate) const SIGHT: usize = 250_000;

impl Mind {
    /// What the plan says for this moment.
    fn follow(&mut self, mark: u64) -> Option<Action> {
        let place = self.plan.iter().position(|(at, _)| *at == mark);
        self.plan.drain(..place.unwrap_or(self.plan.len()));
        self.plan.pop_front().map(|(_, action)| action)
    }

    fn look(&mut self, game: &Grid, state: &State) {
        let turn = state.world.live.turn;
        if self.look_again.is_some_and(|again| turn < again) {
            return;
        }
        match solve_from(game, state, SIGHT).solution {
            Solution::Won(actions) => self.plan = marked(game, state, actions),
            Solution::Impossible | Solution::GaveUp => {
                let pause = PAUSE.saturating_mul(1 << self.failures.min(32));
                (self.look_again, self.failures) = (Some(turn.saturating_add(pause)), self.failures + 1);
            }
        }
    }
}

/// Every action of a way with the mark of the moment before it.
fn marked(game: &Grid, state: &State, actions: Vec<Action>) -> VecDeque<(u64, Action)> {
    let (mut position, mut resolver) = (Position::<Grid>::new(state.clone()), Resolver::<Grid>::default());
    let mut plan = VecDeque::with_capacity(actions.len());
    for action in actions {
        let input = Input::Act(action.clone());
        plan.push_back((mark(position.state()), action));
        if resolver.act_unchecked(game, &mut position, &input, &mut Off).is_err() {
            break;
        }
    }
    plan
}

impl Solver {
    /// The input it chooses, and whether that is part of a way to win.
    fn decide(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> (usize, Option<Action>) {
        let position = sight.seen();
        let mark = mark(position.state());
        let wanted = self.mind.follow(mark).or_else(|| {
            self.mind.look(sight.game(), position.state());
            self.mind.follow(mark)
        });
        let place = wanted.as_ref().and_then(|wanted| {
            sight.inputs().iter().position(|input| matches!(input, Input::Act(action) if action == wanted))
        });
        match place {
            Some(place) => (place, wanted),
            None => (Random.choose(sight, lots), None),
        }
    }
}

impl Bot<Grid> for Solver {
    fn choose(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> usize {
        self.decide(sight, lots).0
    }

    /// The rest of its way.
    fn why(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> Option<Why> {
        let (best, first) = self.decide(sight, lots);
        let mut options = vec![Weighed::default(); sight.inputs().len()];
        let Some(first) = first else {
            return Some(Why { best, options, line: vec!["it sees no way to win, and wanders".to_owned()] });
        };
        options[best] = Weighed { visits: 1, value: 1.0 };
        let rest = self.mind.plan.iter().map(|(_, action)| action.clone());
        let line: Vec<_> = std::iter::once(first).chain(rest).map(Input::Act).collect();
        Some(Why { best, options, line: tell_line(sight, &line, lots) })
    }

    /// A way leads to the end, and where none was found it counts how often.
    fn stretch(&self, _sight: &Sight<'_, Grid>) -> Option<u64> {
        Some(0)
    }

    fn mind(&self) -> Option<String> {
        let empty = self.mind.plan.is_empty() && self.mind.look_again.is_none();
        (!empty).then(|| serde_json::to_string(&self.mind).ok()).flatten()
    }

    fn recall(&mut self, mind: Option<&str>) {
        self.mind = mind.and_then(|mind| serde_json::from_str(mind).ok()).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;
    use crate::action::Deed;
    use crate::catalog::Catalog;
    use crate::geometry::Direction;
    use crate::moves::gust;
    use crate::secrets::in_wind;
    use turnstone::{Game as _, Match, Outcome, Trace};
    use turnstone_host::{Hosted, Opening, Player, bot_lots};

    fn open(level: &str) -> Match<Grid, Trace<Grid>> {
        let opening = Opening { setup: Some(level.to_owned()), ..Opening::default() };
        let (game, setup) = Grid::open_table(&opening).unwrap();
        Match::new(game, setup, 1).unwrap()
    }

    #[test]
    fn it_wins_every_level_of_the_game_at_its_par() {
        let levels = Catalog::built_in().levels().filter_map(|(name, file)| Some((name, file.par?)));
        for (name, par) in levels {
            let mut played = open(name);
            let mut bot: Player<Grid> = Player::named("solver", 0, 1).unwrap();
            while played.outcome().is_none() {
                let inputs = played.inputs();
                let chosen = bot.choose(played.game(), played.position(), &inputs, played.depth());
                played.act(inputs[chosen].clone()).unwrap();
            }
            assert!(played.state().world.live.win, "{name}");
            // In the wind it does not know what comes.
            let windy = played.state().world.cast.seed.is_some();
            assert!(windy || i64::from(played.depth()) == par, "{name}: {} and not {par}", played.depth());
        }
    }

    type Known = BTreeMap<(i32, i32, i64), f64>;

    /// How often the best play without knowledge of the wind wins from there, by cell and turn, through the rules.
    fn best(game: &Grid, position: &Position<Grid>, known: &mut Known) -> f64 {
        let world = &position.state().world;
        let at = world.point(world.first_agent().unwrap()).unwrap();
        let moment = (at.x, at.y, world.live.turn);
        if let Some(worth) = known.get(&moment) {
            return *worth;
        }
        let seed = |drift| (0..).find(|seed| gust(Some(*seed), moment.2).drift == drift).unwrap();
        let drifts = Direction::ALL.map(|drift| (Some(drift), 0.3 / 4.0));
        let winds: Vec<(i64, f64)> =
            drifts.into_iter().chain([(None, 0.7)]).map(|(drift, often)| (seed(drift), often)).collect();
        let mut worth = 0.0_f64;
        for deed in [Deed::Up, Deed::Down, Deed::Left, Deed::Right, Deed::Wait] {
            let mut mean = 0.0;
            for (seed, often) in &winds {
                let mut next = position.with_state(in_wind(position.state(), Some(*seed)));
                let input = Input::Act(Action::step(deed));
                Resolver::<Grid>::default().act(game, &mut next, &input, &mut Off).unwrap();
                let live = &next.state().world.live;
                let over = live.win || live.lose;
                mean += often * if over { f64::from(u8::from(live.win)) } else { best(game, &next, known) };
            }
            worth = worth.max(mean);
        }
        known.insert(moment, worth);
        worth
    }

    /// What it does not know costs it nothing: wherever it goes it passes five cells beside the lava.
    #[test]
    #[ignore = "half a minute; .ci/long runs it"]
    fn in_the_wind_it_wins_as_often_as_one_can() {
        let (opened, winds) = (open("15-gusty-ledge"), 200);
        let game: &Grid = opened.game();
        let best = best(game, opened.position(), &mut BTreeMap::new());
        let won = |seed: i64| {
            let mut position = opened.position().with_state(in_wind(opened.position().state(), Some(seed)));
            let mut bot: Player<Grid> = Player::named("solver", 0, 1).unwrap();
            for moment in 0.. {
                if let Some(outcome) = game.outcome(position.state()) {
                    return outcome == Outcome::Won(0);
                }
                let inputs = position.inputs(game);
                let chosen = bot.choose(game, &position, &inputs, moment);
                Resolver::default().act(game, &mut position, &inputs[chosen], &mut Off).unwrap();
            }
            unreachable!()
        };
        let share = (1000..1000 + winds).filter(|seed| won(*seed)).count() as f64 / winds as f64;
        let deviation = (best * (1.0 - best) / winds as f64).sqrt();
        println!("it wins {share} of {winds} winds, where {best} ± {deviation} can be won");
        assert!((share - best).abs() < 3.0 * deviation, "{share} of {best} ± {deviation}");
    }

    /// All that the first can do is tried: the second is at the exit with its fifth step, and nobody is there with fewer.
    #[test]
    fn the_race_is_won_by_the_second_whatever_the_first_does() {
        let opened = open("23-the-race");
        let game: &Grid = opened.game();
        let mut row = vec![opened.position().clone()];
        let mut looked_at = 0;
        for depth in 0..10 {
            let (mut known, mut following) = (HashSet::new(), Vec::new());
            for position in row {
                let inputs = position.inputs(game);
                let tried: Vec<usize> = match position.actor(game).unwrap() {
                    0 => (0..inputs.len()).collect(),
                    seat => {
                        let mut bot: Player<Grid> = Player::named("solver", seat, 1).unwrap();
                        vec![bot.choose(game, &position, &inputs, depth)]
                    }
                };
                for chosen in tried {
                    let mut next = position.clone();
                    Resolver::default().act(game, &mut next, &inputs[chosen], &mut Off).unwrap();
                    match game.outcome(next.state()) {
                        Some(outcome) => assert_eq!(outcome, Outcome::Won(1)),
                        None if known.insert(mark(next.state())) => following.push(next),
                        None => {}
                    }
                }
            }
            looked_at += following.len();
            row = following;
        }
        assert!(row.is_empty() && looked_at > 50, "{} of {looked_at} are not over", row.len());
    }

    #[test]
    fn it_says_what_it_is_up_to() {
        let played = open("25-marching-orders");
        let (inputs, mut solver) = (played.inputs(), Solver::default());
        let sight = Sight::new(&**played.game(), played.position(), 0, &inputs);
        let why = solver.why(&sight, &mut bot_lots(1, 0, 0)).unwrap();
        assert_eq!(why.best, Solver::default().choose(&sight, &mut bot_lots(1, 0, 0)));
        assert!(why.line.len() > 3 && why.options[why.best].visits == 1, "{why:?}");
    }

    #[test]
    fn a_plan_is_dropped_where_it_does_not_apply_and_survives_being_written_down() {
        let mut played = open("01-first-steps");
        let mut solver = Solver::default();
        for step in 0..4 {
            let inputs = played.inputs();
            let sight = Sight::new(&**played.game(), played.position(), 0, &inputs);
            let fresh = Solver::default().choose(&sight, &mut bot_lots(1, 0, step));
            let mut again = Solver::default();
            again.recall(solver.mind().as_deref());
            assert_eq!(again.choose(&sight, &mut bot_lots(1, 0, step)), fresh);
            let chosen = solver.choose(&sight, &mut bot_lots(1, 0, step));
            assert_eq!(chosen, fresh, "step {step}");
            // In the second step something else is done than was planned.
            let done = if step == 1 { (chosen + 1) % 4 } else { chosen };
            played.act(inputs[done].clone()).unwrap();
        }
        solver.recall(Some("nonsense"));
        assert!(solver.mind().is_none());
    }
}
