//! The bots in the seats that are not the learner's.

use turnstone::{InputOf, Position, Rejection, Seat};
use turnstone_host::{Hosted, Player};

/// What bots have in mind in one world, by seat.
pub(crate) type Minds = Vec<(Seat, String)>;

/// Bots by seat, made when they are first needed, for many worlds. What one chooses follows from what it sees, from the
/// moment and from what it has in mind in that world, so that worlds stand alone and can be copied and taken up again.
pub(crate) struct Opponents<G: Hosted> {
    name: String,
    bots: Vec<Player<G>>,
}

impl<G: Hosted> Opponents<G> {
    /// Bots of that name: whoever can be named anywhere, searchers and levels too.
    ///
    /// # Errors
    /// `UNKNOWN_BOT`, naming who was probably meant, and who there is.
    pub fn new(name: &str) -> Result<Self, Rejection> {
        let first = turnstone_bots::bot(name, 0)?;
        Ok(Opponents { name: name.to_owned(), bots: vec![Player::new(first, 0, 0)] })
    }

    /// The place of the input that whoever sits there chooses.
    #[allow(clippy::too_many_arguments)]
    pub fn choose(
        &mut self,
        minds: &mut Minds,
        game: &G,
        position: &Position<G>,
        inputs: &[InputOf<G>],
        seat: Seat,
        seed: u64,
        moment: u32,
    ) -> usize {
        let place = self.bots.iter().position(|bot| bot.seat() == seat).or_else(|| {
            self.bots.push(Player::new(turnstone_bots::bot(&self.name, seat).ok()?, seat, seed));
            Some(self.bots.len() - 1)
        });
        let Some(bot) = place.and_then(|place| self.bots.get_mut(place)) else { return 0 };
        let known = minds.iter().position(|(whose, _)| *whose == seat);
        bot.reseed(seed);
        bot.recall(known.map(|place| minds[place].1.as_str()));
        let chosen = bot.choose(game, position, inputs, moment);
        match (bot.mind(), known) {
            (Some(mind), Some(place)) => minds[place].1 = mind,
            (Some(mind), None) => minds.push((seat, mind)),
            (None, Some(place)) => drop(minds.swap_remove(place)),
            (None, None) => {}
        }
        chosen
    }
}
