//! Playing a fight on, as quick players would, and what came of it.

use super::arms::Arms;
use super::ways::{Far, Turn};
use crate::action::{Action, Verb};
use crate::game::{HEROES, Skirmish};
use crate::stage::BodyId;
use crate::state::State;
use std::ops::Range;
use std::sync::Arc;
use turnstone::dice::{Draw, Lots};
use turnstone::{Game as _, Input, Off, Outcome, Position, Resolver, Seat};

/// Rounds that are played on: more of them add more chance than they tell.
const ROUNDS: usize = 2;
/// Seeds of dice that turns share.
const SEEDS: usize = 251;
/// The best that can come of a fight.
pub(super) const WON: i32 = 10_000;

/// Fights that are played on to learn something.
pub(super) struct Trials<'a> {
    game: &'a Skirmish,
    pub arms: Arms,
    pub far: Far,
    resolver: Resolver<Skirmish>,
    seeds: Vec<Arc<str>>,
}

impl<'a> Trials<'a> {
    pub fn new(game: &'a Skirmish, state: &State, lots: &mut Lots) -> Trials<'a> {
        let seeds = (0..SEEDS).map(|_| format!("{:x}", lots.next_u64()).into()).collect();
        let (arms, far) = (Arms::new(state), Far::new(&state.stage.board));
        Trials { game, arms, far, resolver: Resolver::default(), seeds }
    }

    /// Carries out a plan and plays the fight on; what came of it for a seat, from 0 to [`WON`], and after how many
    /// turns. Tries of one number have the same luck.
    pub fn play(
        &mut self,
        world: &mut Position<Skirmish>,
        plan: &[Action],
        seat: Seat,
        number: usize,
    ) -> (i32, usize) {
        self.deal_luck(world, number);
        for action in plan {
            // In fog a walk may end sooner than planned; then the blow is out of reach, and refused.
            let _ = self.resolver.act(self.game, world, &Input::Act(action.clone()), &mut Off);
        }
        let living: u16 = world.state().living.iter().sum();
        let mut turns = 0;
        while turns < ROUNDS * usize::from(living) && self.game.outcome(world.state()).is_none() {
            turns += 1;
            self.deal_luck(world, number);
            if !self.take_turn(world) {
                break;
            }
        }
        (self.value(world.state(), seat), turns.max(1))
    }

    /// Whoever's turn it is gets dice that are the same in all tries of a number, whatever others have rolled before: so
    /// two plans differ by what they do, and not by the luck of everybody after them.
    fn deal_luck(&mut self, world: &mut Position<Skirmish>, number: usize) {
        let combat = &world.state().combat;
        let round = usize::try_from(combat.round).unwrap_or(0);
        let body = usize::from(combat.active.unwrap_or(0));
        let seed = self.seeds[(number.wrapping_mul(89) + round.wrapping_mul(31) + body) % SEEDS].clone();
        let reseed = Input::Act(Verb::SetSeed { seed }.into());
        let _ = self.resolver.act_unchecked(self.game, world, &reseed, &mut Off);
    }

    /// The turn of whoever is next, as it looks best at first sight. False if there is none to take.
    fn take_turn(&mut self, world: &mut Position<Skirmish>) -> bool {
        let Some(body) = world.state().combat.active else { return false };
        for action in self.quick(world.state(), body) {
            if self.game.outcome(world.state()).is_some() {
                break;
            }
            if self.resolver.act_unchecked(self.game, world, &Input::Act(action), &mut Off).is_err() {
                return false;
            }
        }
        true
    }

    fn quick(&mut self, state: &State, body: BodyId) -> Vec<Action> {
        let end = || vec![Action::end_turn(&state.stage.figure(body).id)];
        if state.is_dead(body) {
            return end();
        }
        let turn = Turn::new(state, body, &self.arms);
        let best = turn.best(&mut self.far);
        turn.actions(&best).unwrap_or_else(end)
    }

    /// How a fight stands for a seat: what its side does in a turn, times how long it can do it, against the same of the
    /// other side.
    fn value(&self, state: &State, seat: Seat) -> i32 {
        match self.game.outcome(state) {
            Some(Outcome::Won(winner)) if winner == seat => WON,
            Some(Outcome::Won(_)) => 0,
            Some(Outcome::WonByAll | Outcome::Drawn | Outcome::Lost) => WON / 2,
            None => {
                let heroes = self.strength(state, state.stage.player_ids());
                let foes = self.strength(state, state.stage.npc_ids());
                let own = if seat == HEROES { heroes } else { foes };
                // Nearly won is less than won.
                (f64::from(WON) * (0.05 + 0.9 * own / (heroes + foes).max(f64::EPSILON))) as i32
            }
        }
    }

    fn strength(&self, state: &State, bodies: Range<BodyId>) -> f64 {
        let (mut does, mut bears) = (0.0, 0.0);
        for body in bodies.filter(|body| !state.is_dead(*body)) {
            does += self.arms.worth(body);
            bears += self.arms.tough(body) * state.body(body).hp.max(0) as f64;
        }
        does * bears
    }
}
