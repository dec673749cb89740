//! Whole fights without people: the turn executor and the simulation.

use super::basic;
use crate::action::Action;
use crate::game::Skirmish;
use crate::state::State;
use turnstone::{EntryOf, Input, Log, Position, Rejection, Resolver};

/// A fight that runs by plans.
pub struct Simulation {
    game: Skirmish,
    position: Position<Skirmish>,
    resolver: Resolver<Skirmish>,
    log: Log<Skirmish>,
}

/// How a simulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Combat ended by itself.
    Fought,
    /// The limit of rounds was reached.
    OutOfTime,
    /// Combat could not begin.
    NoFight,
}

/// Rounds after which a simulation stops, unless asked otherwise.
pub const MAX_ROUNDS: i64 = 10;

impl Simulation {
    /// Begins at a state.
    pub fn new(state: State) -> Simulation {
        Simulation {
            game: Skirmish::default(),
            position: Position::new(state),
            resolver: Resolver::default(),
            log: Log::default(),
        }
    }

    /// The state now.
    pub fn state(&self) -> &State {
        self.position.state()
    }

    /// Everything that happened, refusals included.
    pub fn log(&self) -> &[EntryOf<Skirmish>] {
        self.log.entries()
    }

    /// Carries out one action; a refusal stays in the log.
    ///
    /// # Errors
    /// Why it was refused.
    pub fn act(&mut self, action: Action) -> Result<(), Rejection> {
        self.resolver.act(&self.game, &mut self.position, &Input::Act(action), &mut self.log)
    }

    /// Carries out a plan's actions one by one and stops when combat has ended.
    pub fn take_turn(&mut self, plan: Vec<Action>) {
        for action in plan {
            let _ = self.act(action);
            if !self.state().combat.fighting {
                return;
            }
        }
    }

    /// Initiative, then turns until combat ends or the rounds exceed the limit.
    /// `players` plans the players' turns; npcs follow the basic plan.
    pub fn run(&mut self, rounds: i64, mut players: impl FnMut(&State, &str) -> Vec<Action>) -> Ending {
        if !self.state().combat.fighting && self.act(Action::roll_initiative()).is_err() {
            return Ending::NoFight;
        }
        while self.state().combat.fighting {
            if self.state().combat.round > rounds {
                return Ending::OutOfTime;
            }
            let Some(body) = self.state().combat.active else { return Ending::NoFight };
            let id = self.state().stage.figure(body).id.clone();
            let player = self.state().stage.player_ids().contains(&body);
            let mut plan = if player { players(self.state(), &id) } else { basic::plan(self.state(), &id) };
            // A plan that forgets to end its turn would stop the clock.
            if plan.last() != Some(&Action::end_turn(&id)) {
                plan.push(Action::end_turn(&id));
            }
            self.take_turn(plan);
        }
        Ending::Fought
    }
}
