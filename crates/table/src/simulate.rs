//! Whole matches between bots, with nothing recorded.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::digest::{Digest, digest};
use turnstone::{InputOf, Off, Offers, Outcome, Position, Rejection, Resolver, Seat};
use turnstone_host::{Hosted, Player};

/// Who plays, and how long at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The bot of every seat that is not named below.
    pub bot: String,
    /// Bots of particular seats.
    pub seats: Vec<(Seat, String)>,
    /// A match that takes more inputs than this is given up.
    pub max_inputs: u64,
}

/// One match that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The seed it was played with.
    pub seed: u64,
    /// How it ended; `None` if it was given up or nobody could move.
    pub outcome: Option<Outcome>,
    /// Inputs sent.
    pub inputs: u64,
    /// Why it did not end by itself, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<String>,
    /// What the game says about it.
    pub tally: Vec<(String, Value)>,
    /// How good the game thinks it stands for the first seat, from 0 (lost) to 1,000 (won), if it is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<i32>,
}

/// Plays one match.
pub(crate) fn simulate<G: Hosted>(
    game: &G,
    setup: &G::Setup,
    seed: u64,
    plan: &Plan,
) -> Result<Played, Rejection> {
    play_on(game, Start::first(game, setup, seed)?, seed, plan, &mut |_| {})
}

/// Where a match is played on from.
pub(crate) struct Start<G: Hosted> {
    /// The position.
    pub position: Position<G>,
    /// How many inputs have led to it.
    pub inputs: u64,
    /// What the players have in mind, by seat; nobody has anything where it is empty.
    pub minds: Vec<Option<String>>,
}

impl<G: Hosted> Start<G> {
    /// Where a match begins.
    pub fn first(game: &G, setup: &G::Setup, seed: u64) -> Result<Self, Rejection> {
        let position = Position::<G>::new(game.start(setup, seed)?).admit(game)?;
        Ok(Start { position, inputs: 0, minds: Vec::new() })
    }
}

/// A moment of a match at which an input was chosen and is not sent yet.
pub(crate) struct Instant<'a, G: Hosted> {
    pub position: &'a Position<G>,
    /// What can be sent.
    pub inputs: &'a [InputOf<G>],
    /// How many inputs were sent before.
    pub moment: u64,
    /// The number of the one that was chosen.
    pub chosen: usize,
    players: &'a Players<G>,
}

impl<G: Hosted> Instant<'_, G> {
    /// What all players have in mind now that it was chosen, by seat.
    pub fn minds(&self) -> Vec<Option<String>> {
        self.players.bots.iter().map(Player::mind).collect()
    }
}

/// Told of every moment.
pub(crate) type Watcher<'a, G> = dyn FnMut(&Instant<'_, G>) + 'a;

/// Plays a match on to its end.
pub(crate) fn play_on<G: Hosted>(
    game: &G,
    from: Start<G>,
    seed: u64,
    plan: &Plan,
    watch: &mut Watcher<'_, G>,
) -> Result<Played, Rejection> {
    let Start { mut position, mut inputs, minds } = from;
    let (mut resolver, mut offers) = (Resolver::<G>::default(), Offers::<G>::default());
    let mut players = Players::<G>::seat(plan, seed, game.seats(position.state()).len())?;
    players.recall(&minds);
    let mut stuck = None;
    while game.outcome(position.state()).is_none() {
        let offered = offers.list(game, &position);
        if offered.is_empty() {
            stuck = Some("nobody can move and the game is not over".to_owned());
            break;
        }
        if inputs >= plan.max_inputs {
            stuck = Some(format!("not over after {inputs} inputs"));
            break;
        }
        let seat = position.actor(game).unwrap_or(0);
        let chosen = players.bot(seat).choose(game, &position, offered, inputs as u32);
        watch(&Instant { position: &position, inputs: offered, moment: inputs, chosen, players: &players });
        if let Err(refusal) = resolver.act(game, &mut position, &offered[chosen], &mut Off) {
            stuck = Some(format!("an offered input was refused: {refusal}"));
            break;
        }
        inputs += 1;
    }
    let state = position.state();
    let outcome = game.outcome(state);
    let standing = if outcome.is_none() { game.appraise(state, 0) } else { None };
    Ok(Played { seed, outcome, inputs, stuck, tally: game.tally(state), standing })
}

/// The bots, by seat.
struct Players<G: Hosted> {
    bots: Vec<Player<G>>,
}

impl<G: Hosted> Players<G> {
    fn seat(plan: &Plan, seed: u64, seats: usize) -> Result<Self, Rejection> {
        let mut bots = Vec::new();
        for seat in 0..seats.clamp(1, 255) as Seat {
            let named = plan.seats.iter().find(|(at, _)| *at == seat);
            let name = named.map_or(&plan.bot, |(_, name)| name);
            bots.push(player(name, seat, bot_seed(seed))?);
        }
        Ok(Players { bots })
    }

    fn recall(&mut self, minds: &[Option<String>]) {
        self.bots.iter_mut().zip(minds).for_each(|(bot, mind)| bot.recall(mind.as_deref()));
    }

    fn bot(&mut self, seat: Seat) -> &mut Player<G> {
        let last = self.bots.len() - 1;
        &mut self.bots[usize::from(seat).min(last)]
    }
}

/// The seed of the bots of a match: it follows from that of the dice, but nothing of those can be found
/// out from it.
pub fn bot_seed(seed: u64) -> u64 {
    let Digest(bytes) = digest(&("the bots of", seed));
    bytes.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// The bot of that name in that seat, as a player: one of the game's own, a searcher such as `ismcts:400`, one of the
/// five levels, or any of them with slips.
///
/// # Errors
/// If there is no such bot; these there are.
pub fn player<G: Hosted>(name: &str, seat: Seat, seed: u64) -> Result<Player<G>, Rejection> {
    Ok(Player::new(turnstone_bots::bot(name, seat)?, seat, seed))
}
