//! What a seat may know, as something one can hold: bots get a [`Sight`] and never the position.

use std::borrow::Cow;

use turnstone::dice::Lots;
use turnstone::{InputOf, Position, Seat, Seen};

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
pub struct Sight<'a, G: Secretive> {
    game: &'a G,
    position: &'a Position<G>,
    seat: Seat,
    inputs: &'a [InputOf<G>],
}

impl<'a, G: Secretive> Sight<'a, G> {
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
