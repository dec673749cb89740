//! Solving: the shortest way to win, found by trying the real rules breadth
//! first. Two moments are the same if everything but turn and score is.

use std::collections::{HashSet, VecDeque};

use smallvec::SmallVec;
use turnstone::{Input, Off, Position, Resolver};

use crate::action::{Action, Deed};
use crate::component::Mask;
use crate::game::{Grid, active};
use crate::label::Company;
use crate::moves::MoveRule;
use crate::objective::{Condition, Objective};
use crate::ruleset::Order;
use crate::state::State;
use crate::world::{Slot, World};

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// A shortest way to win. Of equally short ways it is the first in the order in which inputs are tried, so the
    /// rest of it is what a search from the middle of it finds.
    Won(Vec<Action>),
    /// There is no way.
    Impossible,
    /// More than the allowed number of moments would have to be looked at.
    GaveUp,
}

/// A search result and how much was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// What was found.
    pub solution: Solution,
    /// Different moments seen.
    pub seen: usize,
}

/// Searches a shortest way to win: for the only agent, for all who take turns, or for all who act together or as they
/// like. Of rivals, whoever is to move wins while the others wait.
///
/// ```
/// use turnstone_grid::{Grid, solve::{Solution, solve}};
/// use turnstone_grid::action::{Action, Deed};
/// use turnstone_grid::level::LevelFile;
/// let level = LevelFile::from_text("name: Right\n\n@.E\n")?.to_level()?;
/// let found = solve(&Grid::default(), &level.to_world()?, 1_000);
/// assert_eq!(found.solution, Solution::Won(vec![Action::step(Deed::Right); 2]));
/// # Ok::<(), turnstone_grid::error::GridError>(())
/// ```
pub fn solve(game: &Grid, world: &World, seen_max: usize) -> Solved {
    solve_from(game, &game.begin(world.clone()), seen_max)
}

/// As [`solve`], from the middle of a match.
pub fn solve_from(game: &Grid, state: &State, seen_max: usize) -> Solved {
    let rivals = state.world.cast.company == Company::Rivals;
    let mut search = Search {
        seen: HashSet::from([key(state)]),
        nodes: vec![(usize::MAX, Action::step(Deed::Wait))],
        row: VecDeque::from([(0, Position::new(state.clone()))]),
        resolver: Resolver::default(),
        champion: game.expected(state).filter(|_| rivals),
    };
    let solution = search.run(game, seen_max);
    Solved { solution, seen: search.seen.len() }
}

struct Search {
    seen: HashSet<Box<[u8]>>,
    /// For every moment seen, the one before it and what was done between.
    nodes: Vec<(usize, Action)>,
    row: VecDeque<(usize, Position<Grid>)>,
    resolver: Resolver<Grid>,
    /// Of rivals, the one who is to win.
    champion: Option<Slot>,
}

impl Search {
    /// Whether a deed of an agent is worth a try. Rivals of the one who is to win stand by.
    fn is_tried(&self, world: &World, agent: Slot, deed: Deed) -> bool {
        match self.champion {
            Some(champion) if champion != agent => deed == Deed::Wait,
            _ => is_sensible(world, agent, deed),
        }
    }

    /// What is worth a try.
    fn list(&self, game: &Grid, state: &State, out: &mut Vec<Action>) {
        out.clear();
        let (world, expected) = (&state.world, game.expected(state));
        match game.rules.order {
            Order::Rotation => self.list_steps(world, expected, None, out),
            Order::Anyone => {
                for agent in active(world) {
                    let named = (Some(agent) != expected).then(|| world.cast.id(agent));
                    self.list_steps(world, Some(agent), named, out);
                }
            }
            Order::Together => self.list_together(world, out),
        }
    }

    fn list_steps(&self, world: &World, agent: Option<Slot>, named: Option<u32>, out: &mut Vec<Action>) {
        let Some(slot) = agent else { return };
        let tried = Deed::ALL.into_iter().filter(|deed| self.is_tried(world, slot, *deed));
        out.extend(tried.map(|deed| Action::Step { deed, agent: named }));
    }

    /// Every deed of one with every deed of the others.
    fn list_together(&self, world: &World, out: &mut Vec<Action>) {
        let mut rows: Vec<SmallVec<[(u32, Deed); 4]>> = vec![SmallVec::new()];
        for agent in active(world) {
            let tried: Vec<Deed> =
                Deed::ALL.into_iter().filter(|deed| self.is_tried(world, agent, *deed)).collect();
            let id = world.cast.id(agent);
            let longer = |row: &SmallVec<[(u32, Deed); 4]>, deed: Deed| {
                row.iter().copied().chain([(id, deed)]).collect::<SmallVec<_>>()
            };
            rows = rows.iter().flat_map(|row| tried.iter().map(move |deed| longer(row, *deed))).collect();
        }
        let somebody = rows.into_iter().filter(|deeds| !deeds.is_empty());
        out.extend(somebody.map(|deeds| Action::Together { deeds }));
    }

    fn is_won(&self, state: &State) -> bool {
        state.world.live.win && self.champion.is_none_or(|champion| champion == state.winner)
    }

    fn run(&mut self, game: &Grid, seen_max: usize) -> Solution {
        let mut next: Option<Position<Grid>> = None;
        let mut tries = Vec::new();
        while let Some((number, position)) = self.row.pop_front() {
            if self.is_won(position.state()) {
                return Solution::Won(self.way_to(number));
            }
            self.list(game, position.state(), &mut tries);
            for action in tries.drain(..) {
                // One copy is tried again and again; only what is new is kept.
                let next = next.get_or_insert_with(|| position.clone());
                next.clone_from(&position);
                let input = Input::Act(action);
                if self.resolver.act_unchecked(game, next, &input, &mut Off).is_err() {
                    *next = position.clone();
                    continue;
                }
                let live = &next.state().world.live;
                if (live.win || !live.lose) && self.seen.insert(key(next.state())) {
                    let Input::Act(action) = input;
                    self.nodes.push((number, action));
                    self.row.push_back((self.nodes.len() - 1, next.clone()));
                }
            }
            if self.seen.len() > seen_max {
                return Solution::GaveUp;
            }
        }
        Solution::Impossible
    }

    fn way_to(&self, mut number: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        while let Some((before, action)) = self.nodes.get(number).filter(|(before, _)| *before != usize::MAX)
        {
            actions.push(action.clone());
            number = *before;
        }
        actions.reverse();
        actions
    }
}

/// Leaves out picking up where nothing lies and using keys without any: they are waiting. Who is dead
/// or off the board can do nothing.
fn is_sensible(world: &World, agent: Slot, deed: Deed) -> bool {
    if !world.is_active(agent) || world.live.lose {
        return false;
    }
    match deed {
        Deed::PickUp => world.around(agent).any(Mask::COLLECTIBLE),
        Deed::UseKey => world.inventory(agent).iter().any(|item| world.has(*item, Mask::KEY)),
        _ => true,
    }
}

/// Whether turns or points are part of what wins.
fn counts(objective: &Objective) -> bool {
    let Objective::Own(conditions) = objective else { return false };
    conditions.iter().any(|condition| matches!(condition, Condition::Score(_) | Condition::Survive(_)))
}

/// Everything that can matter later, the turn included, in few bytes: by it a plan knows where it applies.
pub(crate) fn mark(state: &State) -> u64 {
    let digest = turnstone::digest::digest(&(state.world.live.turn, key(state)));
    let (first, _) = digest.0.split_at(8);
    first.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte))
}

/// Everything that can matter later, as bytes. The turn matters where it makes the wind.
fn key(state: &State) -> Box<[u8]> {
    let world = &state.world;
    let mut bytes = Vec::new();
    let live = &world.live;
    if world.cast.move_rule == MoveRule::Windy || counts(&world.cast.objective) {
        bytes.extend(live.turn.to_le_bytes());
        bytes.extend(live.score.to_le_bytes());
    }
    if state.next.is_some() {
        bytes.extend(state.next.0.to_le_bytes());
    }
    for (system, entries) in live.memory.iter().flat_map(|memory| memory.iter()) {
        bytes.extend(system.as_bytes());
        bytes.extend(
            entries.iter().flat_map(|(key, value)| key.to_le_bytes().into_iter().chain(value.to_le_bytes())),
        );
    }
    bytes.push(u8::from(live.win));
    // Only what can move, be carried or change is written; the rest is the same everywhere.
    let lively = Mask::AGENT | Mask::MOVING | Mask::PATHFINDING | Mask::PUSHABLE | Mask::COLLECTIBLE;
    let lively =
        lively | Mask::COLLIDABLE | Mask::LOCKED | Mask::KEY | Mask::HEALTH | Mask::EFFECT | Mask::PORTAL;
    for slot in world.entities().filter(|slot| world.has(*slot, lively) || !world.cell(*slot).is_some()) {
        bytes.extend(slot.0.to_le_bytes());
        bytes.extend(world.mask(slot).0.to_le_bytes());
        bytes.extend(world.cell(slot).0.to_le_bytes());
        bytes.extend(world.health(slot).to_le_bytes());
        bytes.extend(world.time_left(slot).unwrap_or(-1).to_le_bytes());
        bytes.extend(world.uses_left(slot).unwrap_or(-1).to_le_bytes());
        bytes.extend(world.motion(slot).map(|motion| motion.direction as u8));
        for set in [world.inventory(slot), world.status(slot)] {
            bytes.extend(set.iter().flat_map(|slot| slot.0.to_le_bytes()));
            bytes.push(0xff);
        }
    }
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LevelFile;

    #[test]
    fn a_lost_world_cannot_be_won() {
        let mut level = LevelFile::from_text("name: x\n\n@E\n").unwrap().to_level().unwrap();
        level.lose = true;
        let found = solve(&Grid::default(), &level.to_world().unwrap(), 100);
        assert_eq!(found.solution, Solution::Impossible);
    }

    #[test]
    fn limits_are_kept() {
        let level = LevelFile::from_text("name: x\n\n@....\n.....\n....E\n").unwrap().to_level().unwrap();
        let found = solve(&Grid::default(), &level.to_world().unwrap(), 3);
        assert_eq!(found.solution, Solution::GaveUp);
    }
}
