//! A bot in its seat, and what is said in the words of its game.

use turnstone::dice::{Lots, Stream};
use turnstone::{Input, InputOf, Off, Position, Resolver, Seat};

use crate::hosted::{Bot, Hosted, Why};
use crate::sight::Sight;

/// The lots of a bot at one moment: `moment` counts the inputs that led to it. They depend on nothing
/// else, so that a match taken up again goes on as if it had not stopped.
pub fn bot_lots(seed: u64, seat: Seat, moment: u32) -> Lots {
    Lots::new(seed, Stream::named("bot").nth(u64::from(seat)).nth(u64::from(moment)))
}

/// A bot in its seat, with its seed. What it had in mind ends with the [`stretch`](Bot::stretch) that it was for, so
/// that a choice follows from what the seat saw in this stretch and from the moments at which it did.
pub struct Player<G: Hosted> {
    bot: Box<dyn Bot<G>>,
    seat: Seat,
    seed: u64,
    stretch: Option<u64>,
}

impl<G: Hosted> Player<G> {
    /// The bot of that name in that seat; `None` if there is no such bot.
    pub fn named(name: &str, seat: Seat, seed: u64) -> Option<Self> {
        Some(Player::new(G::bot(name, seat)?, seat, seed))
    }

    /// That bot in that seat.
    pub fn new(bot: Box<dyn Bot<G>>, seat: Seat, seed: u64) -> Self {
        Player { bot, seat, seed, stretch: None }
    }

    /// Whose eyes it has.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Takes its chance from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The stretch of the match that it plans for at a position; `None` if nothing earlier counts there.
    pub fn stretch(&self, game: &G, position: &Position<G>, inputs: &[InputOf<G>]) -> Option<u64> {
        self.bot.stretch(&Sight::new(game, position, self.seat, inputs))
    }

    /// The number of the input it chooses, from what it sees; `moment` counts the inputs so far.
    /// `inputs` is not empty.
    pub fn choose(&mut self, game: &G, position: &Position<G>, inputs: &[InputOf<G>], moment: u32) -> usize {
        let sight = Sight::new(game, position, self.seat, inputs);
        self.turn_to(&sight);
        let chosen = self.bot.choose(&sight, &mut bot_lots(self.seed, self.seat, moment));
        chosen.min(inputs.len().saturating_sub(1))
    }

    /// The same choice with its reasons, if the bot has any to give.
    pub fn why(
        &mut self,
        game: &G,
        position: &Position<G>,
        inputs: &[InputOf<G>],
        moment: u32,
    ) -> Option<Why> {
        let sight = Sight::new(game, position, self.seat, inputs);
        self.turn_to(&sight);
        self.bot.why(&sight, &mut bot_lots(self.seed, self.seat, moment))
    }

    /// What it has in mind, and for which stretch, to be taken up by a player of the same name.
    pub fn mind(&self) -> Option<String> {
        let (stretch, mind) = (self.stretch?, self.bot.mind()?);
        Some(format!("{stretch} {mind}"))
    }

    /// Takes up what [`mind`](Player::mind) gave; `None` is the beginning of a match.
    pub fn recall(&mut self, mind: Option<&str>) {
        let parts = mind.and_then(|mind| mind.split_once(' '));
        let known = parts.and_then(|(stretch, mind)| Some((stretch.parse().ok()?, mind)));
        self.stretch = known.map(|(stretch, _)| stretch);
        self.bot.recall(known.map(|(_, mind)| mind));
    }

    /// Forgets what was for another stretch.
    fn turn_to(&mut self, sight: &Sight<'_, G>) {
        let stretch = self.bot.stretch(sight);
        if stretch.is_none() || stretch != self.stretch {
            self.bot.recall(None);
        }
        self.stretch = stretch;
    }
}

/// An input in the words of its game; `None` for an answer while nothing is asked.
pub fn tell_input<G: Hosted>(game: &G, position: &Position<G>, input: &InputOf<G>) -> Option<String> {
    match (input, position.pending()) {
        (Input::Act(action), _) => Some(game.tell_action(position.state(), action)),
        (Input::Choose(answer), Some(pending)) => {
            Some(game.tell_answer(position.state(), &pending.question, answer))
        }
        (Input::Choose(_), None) => None,
    }
}

/// A line of inputs in the words of the game, as far as it can be played in a world sampled from a sight.
pub fn tell_line<G: Hosted>(sight: &Sight<'_, G>, line: &[InputOf<G>], lots: &mut Lots) -> Vec<String> {
    let (game, mut world) = (sight.game(), sight.sample(lots));
    let mut resolver = Resolver::<G>::default();
    let mut words = Vec::new();
    for input in line.iter().take(12) {
        let Some(told) = tell_input(game, &world, input) else { break };
        words.push(told);
        if resolver.try_act(game, &mut world, input, &mut Off).is_err() {
            break;
        }
    }
    words
}
