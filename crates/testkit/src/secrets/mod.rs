//! What one may know is law: non-interference, samples, and the blindfold, for every hosted game.
//!
//! A pair is a position and another that differs in one secret of a seat and nothing else. Whatever the
//! table and the protocol say to that seat about the one they must say about the other: at first, after an
//! input or a wrong one, and after the same inputs in both, taken back and taken up again, until a rule
//! reveals something.

mod differences;
mod pair;
mod planted;
mod twins;

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Match, Position, Seat, Trace, Viewer};
use turnstone_host::Hosted;
use turnstone_table::table_of;

use pair::Pair;
pub use planted::{Planted, Way};
use twins::lays_open;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// Pairs of positions, at least, if the game has secrets at all.
    pub pairs: usize,
    /// Inputs of a match, at most.
    pub steps: usize,
    /// The seed from which everything is drawn.
    pub seed: u64,
    /// A leak, to see that it is noticed; pairs that differ in other secrets are then passed over.
    pub planted: Option<Planted>,
}

impl Default for Pairs {
    fn default() -> Self {
        Pairs { pairs: 60, steps: 30, seed: 1, planted: None }
    }
}

/// How often each secret was changed.
pub type Counts = Vec<(&'static str, usize)>;

struct Trial<'a, G: Hosted> {
    game: &'a Arc<G>,
    setup: G::Setup,
    seed: u64,
    bots: &'a [&'a str],
    planted: Option<Planted>,
}

/// Tries pairs until there are enough of them. `bots` are blindfolded, too.
///
/// # Errors
/// The first thing said that depends on a secret, the first sample that is none, or the first bot that
/// peeks.
pub fn keep<G: Hosted>(
    game: &Arc<G>,
    setup: impl Fn(u64) -> G::Setup,
    bots: &[&str],
    plan: Pairs,
) -> Result<Counts, String> {
    let mut counts: Counts = G::secrets().into_iter().map(|name| (name, 0)).collect();
    let mut lots = Lots::new(plan.seed, Stream::named("secrets"));
    let mut varied = false;
    // A game may keep nothing in most positions; it is not looked for without end.
    for _ in 0..plan.pairs.max(1) {
        if counts.iter().map(|(_, count)| count).sum::<usize>() >= plan.pairs || counts.is_empty() {
            break;
        }
        let seed = lots.next_u64();
        let trial = Trial { game, setup: setup(seed), seed, bots, planted: plan.planted };
        varied |= trial.walk(plan.steps, &mut counts, &mut lots)?;
    }
    if !varied && counts.iter().any(|(_, count)| *count > 0) {
        return Err("there are secrets, but samples never vary".to_owned());
    }
    Ok(counts)
}

/// Whether an input of some seat tells another seat the same in both positions: it is accepted in both, the match goes
/// on, what the seat then sees is the same, and nothing that followed may tell it more.
pub fn tells_alike<G: Hosted>(
    game: &Arc<G>,
    (setup, seed): (&G::Setup, u64),
    [one, other]: [&Position<G>; 2],
    input: &Value,
    seat: Seat,
) -> bool {
    let trial = Trial { game, setup: setup.clone(), seed, bots: &[], planted: None };
    let after = |position: &Position<G>| {
        let mut played = trial.played(position).ok()?;
        let revealed = lays_open(&**game, &mut played, input, seat);
        // What was refused has not moved it.
        (played.here() != 0).then_some(())?;
        let table = table_of(played);
        (!revealed && table.outcome().is_none()).then(|| table.view(Viewer::Seat(seat)))
    };
    after(one).is_some_and(|seen| after(other) == Some(seen))
}

impl<G: Hosted> Trial<'_, G> {
    /// One match at random, every position of it changed in every way. Says whether a sample was
    /// another than the one before it.
    fn walk(&self, steps: usize, counts: &mut Counts, lots: &mut Lots) -> Result<bool, String> {
        let mut varied = false;
        let start = Match::<G>::new(Arc::clone(self.game), self.setup.clone(), self.seed);
        let mut played = start.map_err(|refusal| refusal.to_string())?;
        for _ in 0..steps {
            for seat in 0..self.game.seats(played.state()).len() as Seat {
                varied |= self.sample(played.position(), seat, lots)?;
                for (secret, (name, count)) in counts.iter_mut().enumerate() {
                    let Some(other) = self.game.vary(played.position(), seat, secret, lots) else { continue };
                    *count += 1;
                    let learns = |text| format!("seed {}: seat {seat} learns the {name}: {text}", self.seed);
                    if self.planted.is_some_and(|planted| planted.secret != *name) {
                        continue;
                    }
                    let pair = Pair::new(self, [played.position(), &other], seat).map_err(learns)?;
                    pair.compare(lots).map_err(learns)?;
                }
            }
            let inputs = played.inputs();
            let Some(input) = lots.pick(&inputs) else { break };
            played.act(input.clone()).map_err(|refusal| refusal.to_string())?;
        }
        Ok(varied)
    }

    /// A sample is a possible position, looks the same, and offers the same to who is to act.
    fn sample(&self, position: &Position<G>, seat: Seat, lots: &mut Lots) -> Result<bool, String> {
        let sample = self.game.sample(position, seat, lots);
        let wrong = |text: &str| Err(format!("seed {}: a sample for seat {seat} {text}", self.seed));
        if self.game.seen(&sample, seat) != self.game.seen(position, seat) {
            return wrong("does not look like the true position");
        }
        if position.actor(self.game) == Some(seat) && sample.inputs(self.game) != position.inputs(self.game) {
            return wrong("offers other inputs");
        }
        let varies = self.game.sample(position, seat, lots) != sample;
        match sample.admit(self.game) {
            Ok(_) => Ok(varies),
            Err(refusal) => wrong(&format!("is impossible: {refusal}")),
        }
    }

    fn played(&self, position: &Position<G>) -> Result<Match<G, Trace<G>>, String> {
        Match::from_position(Arc::clone(self.game), self.setup.clone(), self.seed, position.clone())
            .map_err(|refusal| refusal.to_string())
    }
}
