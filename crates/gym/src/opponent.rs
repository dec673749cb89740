//! The bots in the seats that are not the learner's.

use turnstone::{InputOf, Position, Rejection, Seat};
use turnstone_host::{Bot, Hosted, Sight, bot_lots};

/// Bots by seat, made when they are first needed. What one chooses follows from what it sees and from the moment,
/// so that worlds can be copied and taken up again.
pub(crate) struct Opponents<G: Hosted> {
    name: String,
    bots: Vec<(Seat, Box<dyn Bot<G>>)>,
}

impl<G: Hosted> Opponents<G> {
    /// Bots of that name: whoever can be named anywhere, searchers and levels too.
    ///
    /// # Errors
    /// `UNKNOWN_BOT`, naming who was probably meant, and who there is.
    pub fn new(name: &str) -> Result<Self, Rejection> {
        let first = turnstone_bots::bot(name, 0)?;
        Ok(Opponents { name: name.to_owned(), bots: vec![(0, first)] })
    }

    /// The place of the input that whoever sits there chooses.
    pub fn choose(
        &mut self,
        game: &G,
        position: &Position<G>,
        inputs: &[InputOf<G>],
        seat: Seat,
        seed: u64,
        moment: u32,
    ) -> usize {
        let place = self.bots.iter().position(|(taken, _)| *taken == seat).or_else(|| {
            self.bots.push((seat, turnstone_bots::bot(&self.name, seat).ok()?));
            Some(self.bots.len() - 1)
        });
        let Some((_, bot)) = place.and_then(|place| self.bots.get_mut(place)) else { return 0 };
        let sight = Sight::new(game, position, seat, inputs);
        bot.choose(&sight, &mut bot_lots(seed, seat, moment)).min(inputs.len().saturating_sub(1))
    }
}
