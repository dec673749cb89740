//! Playing a world on, quickly, and what came of it.

use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf, Off, Offers, Outcome, Position, Resolver, Seat};
use turnstone_host::Hosted;

/// What one needs to play worlds on, kept from one to the next.
pub(crate) struct Hands<'a, G: Hosted> {
    pub game: &'a G,
    pub resolver: Resolver<G>,
    pub offers: Offers<G>,
}

impl<'a, G: Hosted> Hands<'a, G> {
    pub fn new(game: &'a G) -> Self {
        Hands { game, resolver: Resolver::default(), offers: Offers::default() }
    }

    /// Sends an input that is known to be offered. False if it could not be carried out: then the
    /// world is void.
    pub fn send(&mut self, world: &mut Position<G>, input: &InputOf<G>) -> bool {
        self.resolver.act_unchecked(self.game, world, input, &mut Off).is_ok()
    }

    /// Plays on as quick players do, at most so many inputs. False if the world is void.
    pub fn play_on(&mut self, world: &mut Position<G>, longest: u32, lots: &mut Lots) -> bool {
        for _ in 0..longest {
            if self.game.outcome(world.state()).is_some() {
                break;
            }
            let inputs = self.offers.list(self.game, world);
            let chosen = self.game.reflex(world, inputs, lots).filter(|chosen| *chosen < inputs.len());
            let Some(number) = chosen.or_else(|| lots.index(inputs.len())) else { break };
            let input: &Input<_, _> = &inputs[number];
            if self.resolver.act_unchecked(self.game, world, input, &mut Off).is_err() {
                return false;
            }
        }
        true
    }

    /// How good it is for a seat, from 0 to 1.
    pub fn value(&self, world: &Position<G>, seat: Seat) -> f64 {
        match self.game.outcome(world.state()) {
            Some(Outcome::Won(winner)) => f64::from(u8::from(winner == seat)),
            Some(Outcome::WonByAll) => 1.0,
            Some(Outcome::Drawn) => 0.5,
            // Where everybody loses it still matters how far one came.
            Some(Outcome::Lost) => 0.5 * self.opinion(world, seat).unwrap_or(0.0),
            None => self.opinion(world, seat).unwrap_or(0.5),
        }
    }

    fn opinion(&self, world: &Position<G>, seat: Seat) -> Option<f64> {
        let opinion = self.game.appraise(world.state(), seat)?;
        Some(f64::from(opinion.clamp(0, 1000)) / 1000.0)
    }

    /// How far a playout goes: where the game has an opinion, a sixth of the way is enough.
    pub fn far(&self, world: &Position<G>, seat: Seat, longest: u32) -> u32 {
        if self.game.appraise(world.state(), seat).is_some() { longest.div_ceil(6) } else { longest }
    }
}
