//! A player who looks ahead: in fights he plans his turns and plays them on, between fights he tries in fights
//! what a card, an upgrade or a relic would do for him. All that he knows is what he sees; the rest is drawn by lot.

mod between;
mod trials;
mod turns;

use smallvec::SmallVec;
use turnstone::dice::Lots;
use turnstone::{Input, InputOf, Position};
use turnstone_host::halving::Tried;
use turnstone_host::{Bot, Sight, Weighed, Why, tell_line};

use super::bots::{Heuristic, fight_answer};
use crate::action::Deed;
use crate::catalog::words::Rank;
use crate::game::Spire;
use crate::question::{Answer, Asked, Reply};

/// Fights that are played on for each choice, if nobody says how many.
const USUAL: usize = 400;
/// And at most.
const MOST: usize = 1_000_000;

/// A player who looks ahead, the farther the more he tries.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Climber {
    /// Fights that are played on for each choice in a fight; twice as many against elites, four times against bosses,
    /// where most climbs end.
    pub fights: usize,
    /// Fights that are fought for each choice between fights.
    pub(crate) trials: usize,
    /// What is left of the line that was chosen, from its end, and how the world looks if it still fits: nothing new is
    /// seen on the way, so there is nothing to think over.
    plan: Vec<InputOf<Spire>>,
    expected: Option<u64>,
}

/// What was chosen, and what was weighed on the way.
struct Choice {
    best: usize,
    /// The number of an input, and what its tries came to: the best of those that begin with it.
    weighed: Vec<(usize, Weighed)>,
    line: Vec<InputOf<Spire>>,
}

impl Choice {
    /// That input, with nothing weighed.
    fn new(best: usize) -> Self {
        Choice { best, weighed: Vec::new(), line: Vec::new() }
    }

    /// Another way that begins with an input.
    fn weigh(&mut self, input: usize, tried: Tried, value: f64) {
        let visits = tried.tries.unsigned_abs();
        match self.weighed.iter_mut().find(|(known, _)| *known == input) {
            Some((_, known)) => {
                known.visits += visits;
                known.value = known.value.max(value);
            }
            None => self.weighed.push((input, Weighed { visits, value })),
        }
    }
}

impl Bot<Spire> for Climber {
    fn choose(&mut self, sight: &Sight<'_, Spire>, lots: &mut Lots) -> usize {
        self.think(sight, lots).best
    }

    fn why(&mut self, sight: &Sight<'_, Spire>, lots: &mut Lots) -> Option<Why> {
        let Choice { best, weighed, line } = self.think(sight, lots);
        let mut options = vec![Weighed::default(); sight.inputs().len()];
        weighed.into_iter().for_each(|(input, one)| options[input] = one);
        let alone = sight.inputs().get(best).cloned().into_iter().collect();
        let line = if line.is_empty() { alone } else { line };
        Some(Why { best, options, line: tell_line(sight, &line, lots) })
    }

    /// A line ends with the turn.
    fn stretch(&self, sight: &Sight<'_, Spire>) -> Option<u64> {
        is_fight(sight.inputs()).then(|| sight.seen().state().combat.counts.turn.into())
    }

    fn mind(&self) -> Option<String> {
        let expected = self.expected.filter(|_| !self.plan.is_empty())?;
        serde_json::to_string(&(expected, &self.plan)).ok()
    }

    fn recall(&mut self, mind: Option<&str>) {
        let mind = mind.and_then(|mind| serde_json::from_str(mind).ok());
        (self.expected, self.plan) = mind.map_or_else(Default::default, |(key, plan)| (Some(key), plan));
    }
}

/// Whether these are sent in a fight.
fn is_fight(inputs: &[InputOf<Spire>]) -> bool {
    let of_fight =
        |input: &InputOf<Spire>| matches!(input, Input::Act(Deed::Fight(_)) | Input::Choose(Reply::Fight(_)));
    inputs.iter().any(of_fight)
}

impl Climber {
    /// By its name: `climber`, or `climber:N` for one who plays on N fights at each choice.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let fights = match name.strip_prefix("climber")? {
            "" => USUAL,
            rest => rest.strip_prefix(':')?.parse().ok().filter(|fights| (1..=MOST).contains(fights))?,
        };
        Some(Climber { fights, trials: (fights * 3 / 4).max(1), plan: Vec::new(), expected: None })
    }

    fn think(&mut self, sight: &Sight<'_, Spire>, lots: &mut Lots) -> Choice {
        match sight.inputs() {
            [] | [_] => Choice::new(0),
            // Nothing but waiting is left: the way out stands behind the end of the turn.
            [Input::Act(Deed::Fight(_)), Input::Act(Deed::Run(_))] => Choice::new(1),
            inputs if is_fight(inputs) => self.fight(sight, lots),
            _ => between::choose(sight, self.trials, lots),
        }
    }

    fn fight(&mut self, sight: &Sight<'_, Spire>, lots: &mut Lots) -> Choice {
        let (world, mut planner) = (sight.sample(lots), turns::Planner::new(sight.game()));
        if self.expected != Some(turns::key(&world)) {
            self.plan.clear();
        }
        let next = self.plan.pop();
        let planned = next.and_then(|next| sight.inputs().iter().position(|input| *input == next));
        let choice = match planned {
            Some(number) => Choice::new(number),
            None => {
                let times = match world.state().combat.rank {
                    rank if rank >= Rank::Boss as u8 => 4,
                    rank if rank >= Rank::Elite as u8 => 2,
                    _ => 1,
                };
                let choice = planner.choose(sight, world.clone(), times * self.fights, lots);
                self.plan = choice.line.iter().skip(1).rev().cloned().collect();
                choice
            }
        };
        let sent = sight.inputs().get(choice.best).filter(|_| !self.plan.is_empty());
        self.expected = sent.and_then(|input| planner.after(&world, input));
        choice
    }
}

/// What a simple player would do, by the number of the input; cards are parted with and taken by their worth.
fn quick(game: &Spire, position: &Position<Spire>, inputs: &[InputOf<Spire>]) -> usize {
    let Some(Asked::Fight(question)) = position.pending().map(|pending| &pending.question) else {
        return Heuristic::default().pick(game, position, inputs);
    };
    let answers: SmallVec<[Answer; 16]> = inputs.iter().filter_map(fight_answer).collect();
    game.greedy_answer(position.state(), question, &answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_how_far_it_looks() {
        assert_eq!(Climber::named("climber").map(|climber| climber.fights), Some(USUAL));
        assert_eq!(Climber::named("climber:40").map(|one| (one.fights, one.trials)), Some((40, 30)));
        for wrong in ["climber:", "climber:0", "climber:x", "climber40", "climb", "climber:9999999999"] {
            assert_eq!(Climber::named(wrong), None, "{wrong}");
        }
    }
}
