//! Actions as numbers, for masks and learners. One agent acting: the rank of
//! the agent times seven, plus the deed. All together: the deeds as the digits
//! of a number to the base seven, the first agent last; who is dead or gone
//! keeps his digit, and waits. Giving up comes after all of these.

use turnstone::Indexed;

use crate::action::{Action, Deed};
use crate::game::Grid;
use crate::ruleset::{Order, TOGETHER_MAX};
use crate::state::State;
use crate::world::Slot;

const DEEDS: usize = Deed::ALL.len();
/// Agents that have numbers while they act one at a time.
const AGENTS_MAX: usize = 16;
/// Numbers of what all do together.
const TOGETHER: usize = DEEDS.pow(TOGETHER_MAX as u32);

impl Indexed for Grid {
    fn action_count(&self) -> usize {
        match self.rules.order {
            Order::Anyone => DEEDS * AGENTS_MAX,
            Order::Rotation => DEEDS + 1,
            Order::Together => TOGETHER + TOGETHER_MAX,
        }
    }

    fn action_index(&self, state: &State, action: &Action) -> Option<usize> {
        match action {
            Action::Step { deed, agent } => {
                let rank = match (agent, self.rules.order) {
                    (_, Order::Rotation) | (None, _) => 0,
                    (Some(id), _) => {
                        let slot = state.world.cast.slot(i64::from(*id))?;
                        state.world.agents().position(|agent| agent == slot)?
                    }
                };
                (rank < AGENTS_MAX).then_some(rank * DEEDS + *deed as usize)
            }
            Action::Resign { agent } => self.resignation_index(state, *agent),
            Action::Together { deeds } => {
                let of = |slot: Slot| deeds.iter().find(|(id, _)| *id == state.world.cast.id(slot));
                let digit = |slot: &Slot| of(*slot).map_or(Deed::Wait, |(_, deed)| *deed) as usize;
                let agents = &state.world.cast.agents;
                let number = || agents.iter().rev().fold(0, |number, slot| number * DEEDS + digit(slot));
                (agents.len() <= TOGETHER_MAX).then(number)
            }
        }
    }

    fn action_at(&self, state: &State, index: usize) -> Option<Action> {
        if index >= self.action_count() {
            return None;
        }
        let world = &state.world;
        if let Some(agent) = self.resigning_at(state, index) {
            return agent;
        }
        if self.rules.order == Order::Together {
            let deed = |place: usize| Deed::ALL[index / DEEDS.pow(place as u32) % DEEDS];
            let agents = world.cast.agents.iter().take(TOGETHER_MAX).enumerate();
            let active = agents.filter(|(_, agent)| world.is_active(**agent));
            let deeds = active.map(|(place, agent)| (world.cast.id(*agent), deed(place))).collect();
            let action = Action::Together { deeds };
            return (self.action_index(state, &action) == Some(index)).then_some(action);
        }
        let agents: Vec<Slot> = world.agents().collect();
        let rank = index / DEEDS;
        let agent = if rank == 0 { None } else { Some(world.cast.id(*agents.get(rank)?)) };
        Some(Action::Step { deed: Deed::ALL[index % DEEDS], agent })
    }
}

impl Grid {
    fn resignation_index(&self, state: &State, agent: Option<u32>) -> Option<usize> {
        match self.rules.order {
            Order::Anyone => None,
            Order::Rotation => agent.is_none().then_some(DEEDS),
            Order::Together => {
                let slot = state.world.cast.slot(i64::from(agent?))?;
                let rank = state.world.cast.agents.iter().position(|other| *other == slot)?;
                (rank < TOGETHER_MAX).then_some(TOGETHER + rank)
            }
        }
    }

    /// Whose giving up a number stands for: nothing if it stands for something else.
    fn resigning_at(&self, state: &State, index: usize) -> Option<Option<Action>> {
        let world = &state.world;
        match self.rules.order {
            Order::Anyone => None,
            Order::Rotation => (index == DEEDS).then_some(Some(Action::Resign { agent: None })),
            Order::Together => {
                let agent = world.cast.agents.get(index.checked_sub(TOGETHER)?);
                Some(agent.map(|agent| Action::Resign { agent: Some(world.cast.id(*agent)) }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Setup;
    use crate::generate::Soup;
    use crate::level::LevelFile;
    use crate::ruleset::Ruleset;
    use turnstone::Game;

    #[test]
    fn every_legal_action_has_a_number_of_its_own() {
        for order in [Order::Anyone, Order::Rotation, Order::Together] {
            let game = Grid::new(Ruleset { order, ..Ruleset::default() });
            for seed in 0..10 {
                let agents = 1 + seed as usize % if order == Order::Together { 2 } else { 4 };
                let world = Soup { agents, ..Soup::default() }.world(seed).unwrap();
                let state = game.start(&Setup::World(world.to_document()), 0).unwrap();
                let (mut legal, mut mask) = (Vec::new(), vec![false; game.action_count()]);
                game.mask(&state, &mut legal, &mut mask);
                assert_eq!(mask.iter().filter(|allowed| **allowed).count(), legal.len());
                for action in &legal {
                    let index = game.action_index(&state, action).unwrap();
                    assert_eq!(game.action_at(&state, index).as_ref(), Some(action));
                }
            }
        }
    }

    /// The deeds of those behind a dead agent once had its numbers.
    #[test]
    fn numbers_stay_when_an_agent_dies() {
        let text = "floor: 0\nobjective: exit\ncompany: rivals\n\n@~a.b..E\n\na = agent\nb = agent\n";
        let world = LevelFile::from_text(text).unwrap().to_level().unwrap().to_world().unwrap();
        let game = Grid::new(Ruleset { order: Order::Together, ..Ruleset::default() });
        let mut state = game.start(&Setup::World(world.to_document()), 0).unwrap();
        let [first, second, third] = state.world.cast.agents[..] else { panic!("three agents") };
        let number = |state: &State, deeds: &[(Slot, Deed)]| {
            let deeds = deeds.iter().map(|(slot, deed)| (state.world.cast.id(*slot), *deed)).collect();
            game.action_index(state, &Action::Together { deeds })
        };
        let (wait, right) = (Deed::Wait, Deed::Right);
        let before = number(&state, &[(first, wait), (second, right), (third, wait)]);
        state.world.kill(first);
        assert_eq!(number(&state, &[(second, right), (third, wait)]), before);
        let index = before.unwrap();
        assert!(game.action_at(&state, index).is_some_and(|action| game.check(&state, &action).is_ok()));
        assert_eq!(game.action_at(&state, index - 6), None, "the dead do nothing but wait");
        let (mut legal, mut mask) = (Vec::new(), vec![false; game.action_count()]);
        game.mask(&state, &mut legal, &mut mask);
        assert_eq!(mask.iter().filter(|allowed| **allowed).count(), legal.len());
        assert!(mask[index] && mask[TOGETHER + 2] && !mask[TOGETHER]);
    }
}
