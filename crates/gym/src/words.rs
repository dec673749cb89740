//! Numbers without code per game: an offer is described by the words that the game tells it with, a position by
//! what the seat's view holds.

use serde_json::Value;
use turnstone::{Input, InputOf, Position, Seat, Viewer};
use turnstone_host::Hosted;

use crate::coder::{Coder, word};
use crate::part::{Part, Sheet};

/// Numbers that describe one offer.
pub const FEATURES: usize = 64;
/// The first of them are for words, each word in the place that its letters choose.
const WORDS: usize = 56;
/// The rest are for the numbers in the words, in their order.
const NUMBERS: usize = FEATURES - WORDS;

/// Numbers that describe a view.
pub const VIEW: usize = 256;

/// Where a text belongs among `places`: the same on every machine and for ever.
fn place(text: &[u8], places: usize) -> usize {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let hash = text.iter().fold(0xCBF2_9CE4_8422_2325, mix);
    ((hash ^ (hash >> 29)) % places as u64) as usize
}

/// An input in words, as whoever may send it reads it.
pub fn tell<G: Hosted>(game: &G, position: &Position<G>, input: &InputOf<G>) -> String {
    match (input, position.pending()) {
        (Input::Act(action), _) => game.tell_action(position.state(), action),
        (Input::Choose(answer), Some(pending)) => {
            game.tell_answer(position.state(), &pending.question, answer)
        }
        (Input::Choose(_), None) => String::from("an answer to nothing"),
    }
}

/// Writes what a text says about an offer.
pub fn describe(text: &str, out: &mut [i16]) {
    out.fill(0);
    let mut numbers = WORDS..WORDS + NUMBERS;
    let mut lowered = [0; 32];
    for part in
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '+').filter(|p| !p.is_empty())
    {
        let digits = part.trim_end_matches('+');
        if let Ok(number) = digits.parse::<i64>() {
            if let Some(slot) = numbers.next().and_then(|at| out.get_mut(at)) {
                *slot = word(number);
            }
            continue;
        }
        let length = part.len().min(lowered.len());
        lowered[..length].copy_from_slice(&part.as_bytes()[..length]);
        lowered[..length].make_ascii_lowercase();
        if let Some(slot) = out.get_mut(place(&lowered[..length], WORDS)) {
            *slot += 1;
        }
    }
}

/// Writes what a view holds: every number and every word at the place that its path chooses.
fn spread(value: &Value, path: &mut String, out: &mut [i16]) {
    let length = path.len();
    match value {
        Value::Null => {}
        Value::Bool(yes) => add(path, i64::from(*yes), out),
        Value::Number(number) => add(path, number.as_i64().unwrap_or_default(), out),
        Value::String(text) => {
            path.push('=');
            path.push_str(text);
            add(path, 1, out);
        }
        Value::Array(list) => {
            for (number, inner) in list.iter().enumerate() {
                path.push_str(&format!("/{number}"));
                spread(inner, path, out);
                path.truncate(length);
            }
        }
        Value::Object(map) => {
            for (name, inner) in map {
                path.push('/');
                path.push_str(name);
                spread(inner, path, out);
                path.truncate(length);
            }
        }
    }
    path.truncate(length);
}

fn add(path: &str, number: i64, out: &mut [i16]) {
    if let Some(slot) = out.get_mut(place(path.as_bytes(), VIEW)) {
        *slot = slot.saturating_add(word(number));
    }
}

/// Numbers for any hosted game, with no code of its own: the observation is its view, spread over
/// [`VIEW`] numbers, and inputs are counted as they are offered. It is slower than numbers made for a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain {
    /// Nobody wants to see the view: what is offered is enough.
    pub blind: bool,
}

impl<G: Hosted> Coder<G> for Plain {
    type Canvas = ();

    fn parts(&self) -> Vec<Part> {
        let about = "the view of the game, every number and word at the place that its path chooses";
        let view = Part::words("view", &[VIEW]).saying(about);
        if self.blind { Vec::new() } else { vec![view] }
    }

    fn numbers(&self) -> usize {
        0
    }

    fn number(
        &self,
        _game: &G,
        _position: &Position<G>,
        _input: &InputOf<G>,
        _place: usize,
    ) -> Option<usize> {
        None
    }

    fn meaning(&self, _game: &G, _number: usize) -> Option<String> {
        None
    }

    fn observe(&self, game: &G, position: &Position<G>, seat: Seat, sheet: &mut Sheet<'_>) {
        if self.blind {
            return;
        }
        sheet.words.fill(0);
        spread(&game.view(position.state(), Viewer::Seat(seat)), &mut String::new(), sheet.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_places_and_numbers_stand_behind_them() {
        let row = |text: &str| {
            let mut out = [7; FEATURES];
            describe(text, &mut out);
            out
        };
        let (strike, again) = (row("play Strike at Jaw Worm 44"), row("PLAY strike, at jaw worm (44)"));
        assert_eq!(strike, again);
        assert_eq!(strike[WORDS], 44);
        assert_eq!(strike[..WORDS].iter().sum::<i16>(), 5);
        assert_ne!(strike, row("play Defend"));
        assert_eq!(row(""), [0; FEATURES]);
        row(&"long".repeat(99));
    }

    /// Learned weights depend on them.
    #[test]
    fn places_stay_for_ever() {
        assert_eq!([place(b"strike", 56), place(b"defend", 56), place(b"", 56)], [40, 3, 33]);
    }
}
