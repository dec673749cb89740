//! What was seen at earlier decisions, for learners who want to see more than the present.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use turnstone::{Position, Seat};
use turnstone_host::Hosted;

use crate::coder::Coder;
use crate::lane::Terms;
use crate::part::Sheet;

/// One observation.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Seen {
    bytes: Vec<u8>,
    words: Vec<i16>,
}

/// One moment as everybody saw it who may be asked about it: the learner, or every seat if it plays for all.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Moment(Vec<Seen>);

/// The decisions of an episode before the present one, the latest first.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Past(VecDeque<Moment>);

impl Moment {
    pub fn of<G: Hosted, C: Coder<G>>(terms: &Terms<G, C>, position: &Position<G>) -> Self {
        let seats = match terms.plan.seat {
            Some(seat) => seat..seat + 1,
            None => 0..terms.game.seats(position.state()).len() as Seat,
        };
        let see = |seat| {
            let mut seen = Seen { bytes: vec![0; terms.sheet.bytes], words: vec![0; terms.sheet.words] };
            let mut sheet = Sheet { bytes: &mut seen.bytes, words: &mut seen.words };
            terms.coder.observe(&terms.game, position, seat, &mut sheet);
            seen
        };
        Moment(seats.map(see).collect())
    }
}

impl Past {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps a moment, and no more than `most` of them.
    pub fn push(&mut self, moment: Moment, most: usize) {
        self.0.push_front(moment);
        self.0.truncate(most);
    }

    /// Writes what that seat saw, one sheet behind the other; nothing where the episode had not begun.
    pub fn write<G: Hosted, C: Coder<G>>(
        &self,
        terms: &Terms<G, C>,
        seat: Seat,
        bytes: &mut [u8],
        words: &mut [i16],
    ) {
        let who = match terms.plan.seat {
            Some(own) if own == seat => 0,
            Some(_) => usize::MAX,
            None => usize::from(seat),
        };
        for number in 0..terms.plan.history.saturating_sub(1) {
            let bytes = &mut bytes[number * terms.sheet.bytes..][..terms.sheet.bytes];
            let words = &mut words[number * terms.sheet.words..][..terms.sheet.words];
            match self.0.get(number).and_then(|moment| moment.0.get(who)) {
                Some(seen) if seen.bytes.len() == bytes.len() && seen.words.len() == words.len() => {
                    bytes.copy_from_slice(&seen.bytes);
                    words.copy_from_slice(&seen.words);
                }
                _ => {
                    bytes.fill(0);
                    words.fill(0);
                }
            }
        }
    }
}
