//! What a seat may know, as something one can hold: bots get a [`Sight`] and never the position.

use std::borrow::Cow;

use turnstone::dice::{Lots, Stream};
use turnstone::{Input, InputOf, Off, Position, Resolver, Seat, Seen};

use crate::hosted::{Bot, Hosted, Why};

/// What a game keeps from its seats. A game in which everything lies open implements it with nothing
/// in it; one with secrets says how a position looks to a seat, how what is hidden may be drawn anew,
/// and lists its secrets, so that the test kit can change them one by one.
pub trait Secretive: Seen {
    /// The position as that seat sees it: what it may not know is not there, or blank. It must follow
    /// from what the seat may know alone.
    fn seen<'p>(&self, position: &'p Position<Self>, _seat: Seat) -> Cow<'p, Position<Self>> {
        Cow::Borrowed(position)
    }

    /// The same for who looks again and again: if it has to be made, it is made in `place`, where what he saw last may
    /// lie. A game whose positions are large makes it of that.
    fn seen_in<'p>(
        &self,
        position: &'p Position<Self>,
        seat: Seat,
        place: &'p mut Option<Position<Self>>,
    ) -> &'p Position<Self> {
        match self.seen(position, seat) {
            Cow::Borrowed(seen) => seen,
            Cow::Owned(seen) => place.insert(seen),
        }
    }

    /// A position that this seat cannot tell from the true one: everything hidden is drawn by lot.
    fn sample(&self, position: &Position<Self>, _seat: Seat, _lots: &mut Lots) -> Position<Self> {
        position.clone()
    }

    /// Whether nothing is kept from that seat now that can matter: then every sample plays on as the position itself
    /// would.
    fn lies_open(&self, _position: &Position<Self>, _seat: Seat) -> bool {
        Self::secrets().is_empty()
    }

    /// The names of everything that is kept from somebody: `hand`, `order of the pile`, `dice`.
    fn secrets() -> Vec<&'static str> {
        Vec::new()
    }

    /// The position with one secret of that seat changed and nothing else; `secret` counts in
    /// [`secrets`](Secretive::secrets). `None` if nothing of the kind is kept from the seat now.
    fn vary(
        &self,
        _position: &Position<Self>,
        _seat: Seat,
        _secret: usize,
        _lots: &mut Lots,
    ) -> Option<Position<Self>> {
        None
    }

    /// Whether an event, redacted as a seat may see it, may tell more than the position then shows: an
    /// arrow out of the dark names who shot it. Whatever else a seat hears must follow from what it sees.
    fn reveals(&self, _event: &Self::Event) -> bool {
        false
    }

    /// Whether a question shows to whom it is put what was hidden from him: the top of a pile, of which he may choose.
    fn lays_open(&self, _state: &Self::State, _question: &Self::Question) -> bool {
        false
    }
}

/// What a player who is to act has before him. There is no way from it to the true position.
pub struct Sight<'a, G: Hosted> {
    game: &'a G,
    position: &'a Position<G>,
    seat: Seat,
    inputs: &'a [InputOf<G>],
}

impl<'a, G: Hosted> Sight<'a, G> {
    /// What that seat sees of a position in which it may send `inputs`.
    pub fn new(game: &'a G, position: &'a Position<G>, seat: Seat, inputs: &'a [InputOf<G>]) -> Self {
        Sight { game, position, seat, inputs }
    }

    /// The rules.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Whose eyes these are.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What may be sent now; not empty.
    pub fn inputs(&self) -> &'a [InputOf<G>] {
        self.inputs
    }

    /// The position as far as it is seen.
    pub fn seen(&self) -> Cow<'a, Position<G>> {
        self.game.seen(self.position, self.seat)
    }

    /// The same, made in a place that is kept from one look to the next ([`Secretive::seen_in`]).
    pub fn seen_in<'p>(&self, place: &'p mut Option<Position<G>>) -> &'p Position<G>
    where
        'a: 'p,
    {
        self.game.seen_in(self.position, self.seat, place)
    }

    /// Whether nothing is hidden from here that can matter: then all samples are alike.
    pub fn lies_open(&self) -> bool {
        self.game.lies_open(self.position, self.seat)
    }

    /// A position that looks the same from here.
    pub fn sample(&self, lots: &mut Lots) -> Position<G> {
        self.game.sample(self.position, self.seat, lots)
    }
}

/// The lots of a bot at one moment: `moment` counts the inputs that led to it. They depend on nothing
/// else, so that a match taken up again goes on as if it had not stopped.
pub fn bot_lots(seed: u64, seat: Seat, moment: u32) -> Lots {
    Lots::new(seed, Stream::named("bot").nth(u64::from(seat)).nth(u64::from(moment)))
}

/// A bot in its seat, with its seed.
pub struct Player<G: Hosted> {
    bot: Box<dyn Bot<G>>,
    seat: Seat,
    seed: u64,
}

impl<G: Hosted> Player<G> {
    /// The bot of that name in that seat; `None` if there is no such bot.
    pub fn named(name: &str, seat: Seat, seed: u64) -> Option<Self> {
        Some(Player { bot: G::bot(name, seat)?, seat, seed })
    }

    /// That bot in that seat.
    pub fn new(bot: Box<dyn Bot<G>>, seat: Seat, seed: u64) -> Self {
        Player { bot, seat, seed }
    }

    /// The number of the input it chooses, from what it sees; `moment` counts the inputs so far.
    /// `inputs` is not empty.
    pub fn choose(&mut self, game: &G, position: &Position<G>, inputs: &[InputOf<G>], moment: u32) -> usize {
        let sight = Sight::new(game, position, self.seat, inputs);
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
        self.bot.why(&sight, &mut bot_lots(self.seed, self.seat, moment))
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
