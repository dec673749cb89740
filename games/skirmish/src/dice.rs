//! Dice: a roll is a pure function of the seed text and the roll count.
//!
//! Two algorithms share one representation. `mir` is the recorded one, bit for
//! bit: a linear congruence restarted for every roll from the seed text. Its
//! neighbouring seeds form a lattice, so `turnstone` draws from the kernel's
//! dice instead; there the number behind the colon is the draw counter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;
use turnstone::dice::{Dice, Draw, Stream};

/// The faces of one roll, in the order in which the dice fell.
pub type Faces = SmallVec<[u16; 4]>;

/// Which generator a state's dice come from (`rng.algorithm`; absent means `mir`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// The recorded generator.
    #[default]
    Mir,
    /// The kernel's generator: well mixed even for neighbouring seeds.
    Turnstone,
}

/// Whether rolls are declared or drawn. The mode has no influence on the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Rolls may be typed in by people; the seed may be null.
    Manual,
    /// Rolls come from the seed, which must be present.
    Seeded,
}

/// The part of a state that decides the next roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The generator.
    pub algorithm: Algorithm,
    /// Manual or seeded.
    pub mode: Mode,
    /// The seed as given; `None` is JSON's null.
    pub seed: Option<Arc<str>>,
    /// The number behind the colon once a roll was made; `None` before that.
    pub chain: Option<u32>,
    /// How many rolls the trail holds.
    pub rolls: u32,
}

/// What one roll drew: its faces, and the source's next chain number.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// The faces, in order.
    pub faces: Faces,
    /// The chain number after the roll.
    pub chain: u32,
}

impl Rolled {
    /// The sum of the faces.
    pub fn total(&self) -> i64 {
        total(&self.faces)
    }
}

/// The sum of some faces.
pub fn total(faces: &[u16]) -> i64 {
    faces.iter().map(|f| i64::from(*f)).sum()
}

/// Writes faces as a roll record's `breakdown`: `[2+5]=7`.
pub fn breakdown(faces: &[u16]) -> String {
    let texts: Vec<String> = faces.iter().map(u16::to_string).collect();
    format!("[{}]={}", texts.join("+"), total(faces))
}

impl Source {
    /// A fresh seeded source of the recorded algorithm.
    pub fn seeded(seed: &str) -> Source {
        Source {
            algorithm: Algorithm::Mir,
            mode: Mode::Seeded,
            seed: Some(seed.into()),
            chain: None,
            rolls: 0,
        }
    }

    /// Reads a source from a document's `rng` fields.
    pub fn from_document(algorithm: Algorithm, mode: Mode, seed: Option<&str>, rolls: u32) -> Source {
        let mut source = Source { algorithm, mode, seed: seed.map(Arc::from), chain: None, rolls };
        // The recorded generator reads the whole text; the other one counts behind the colon.
        if algorithm == Algorithm::Turnstone
            && let Some((base, count)) = seed.and_then(|text| text.split_once(':'))
            && let Ok(count) = count.parse()
        {
            source.seed = Some(base.into());
            source.chain = Some(count);
        }
        source
    }

    /// The seed text as a document shows it.
    ///
    /// ```
    /// use turnstone_skirmish::dice::Source;
    /// let mut dice = Source::seeded("a");
    /// let roll = dice.roll(1, 20);
    /// assert_eq!(roll.total(), 14);
    /// dice.advance(roll.chain, 1);
    /// assert_eq!(dice.seed_text().as_deref(), Some("a:2831712463"));
    /// ```
    pub fn seed_text(&self) -> Option<String> {
        match self.chain {
            None => self.seed.as_deref().map(str::to_string),
            Some(chain) => Some(format!("{}:{chain}", self.base())),
        }
    }

    /// The part of the seed before its first colon; `default` when there is no seed.
    fn base(&self) -> &str {
        let text = self.seed.as_deref().unwrap_or("default");
        text.split_once(':').map_or(text, |(base, _)| base)
    }

    /// Draws `count` dice of `sides` faces without changing the source.
    pub fn roll(&self, count: u16, sides: u16) -> Rolled {
        self.roll_after(0, self.chain, count, sides)
    }

    /// Draws as if `earlier` rolls had been made already, the last of them
    /// leaving `chain`: an action that rolls twice chains its rolls with this.
    pub fn roll_after(&self, earlier: u32, chain: Option<u32>, count: u16, sides: u16) -> Rolled {
        match self.algorithm {
            Algorithm::Mir => self.roll_mir(earlier, chain, count, sides),
            Algorithm::Turnstone => self.roll_kernel(chain, count, sides),
        }
    }

    fn roll_mir(&self, earlier: u32, chain: Option<u32>, count: u16, sides: u16) -> Rolled {
        let mut h = self.restart(chain, self.rolls.wrapping_add(earlier));
        let mut faces = Faces::new();
        for _ in 0..count {
            h = h.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            faces.push(((u64::from(h) * u64::from(sides)) >> 32) as u16 + 1);
        }
        Rolled { faces, chain: h }
    }

    /// The djb2 sum of `seed:count`, from which a roll's congruence starts.
    fn restart(&self, chain: Option<u32>, count: u32) -> u32 {
        let mut h = 5381;
        match chain {
            None => h = sum_text(h, self.seed.as_deref().unwrap_or("default")),
            Some(chain) => {
                h = sum_text(h, self.base());
                h = sum_number(sum_unit(h, u16::from(b':')), chain);
            }
        }
        sum_number(sum_unit(h, u16::from(b':')), count)
    }

    fn roll_kernel(&self, chain: Option<u32>, count: u16, sides: u16) -> Rolled {
        let mut dice = Dice::new(self.key(), ROLLS, u64::from(chain.unwrap_or(0)));
        let faces = (0..count).map(|_| dice.below(u64::from(sides)) as u16 + 1).collect();
        Rolled { faces, chain: dice.counter() as u32 }
    }

    /// The kernel seed that the seed text stands for.
    fn key(&self) -> u64 {
        let digest = self.base().bytes().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        digest ^ (digest >> 29)
    }

    /// Becomes a copy of another source; a shared seed text is left alone.
    pub fn copy_from(&mut self, other: &Source) {
        let same = match (&self.seed, &other.seed) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.seed.clone_from(&other.seed);
        }
        (self.algorithm, self.mode) = (other.algorithm, other.mode);
        (self.chain, self.rolls) = (other.chain, other.rolls);
    }

    /// Records that `rolls` rolls were made and left `chain`.
    pub fn advance(&mut self, chain: u32, rolls: u32) {
        self.chain = Some(chain);
        self.rolls = self.rolls.wrapping_add(rolls);
    }

    /// Replaces the seed and empties the trail.
    pub fn reseed(&mut self, seed: &Arc<str>) {
        self.seed = Some(seed.clone());
        self.mode = Mode::Seeded;
        self.chain = None;
        self.rolls = 0;
    }
}

/// The kernel stream of a match's own rolls.
const ROLLS: Stream = Stream::named("skirmish rolls");

/// djb2 of a text's UTF-16 units, the first step of the recorded algorithm.
pub fn djb2(text: &str) -> u32 {
    sum_text(5381, text)
}

fn sum_unit(h: u32, unit: u16) -> u32 {
    h.wrapping_mul(33).wrapping_add(u32::from(unit))
}

fn sum_text(h: u32, text: &str) -> u32 {
    if text.is_ascii() {
        return text.bytes().fold(h, |h, b| sum_unit(h, u16::from(b)));
    }
    text.encode_utf16().fold(h, sum_unit)
}

/// Adds a number's decimal digits without building the text.
fn sum_number(mut h: u32, number: u32) -> u32 {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    for digit in &digits[at..] {
        h = sum_unit(h, u16::from(*digit));
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_sum_like_their_text() {
        for n in [0, 7, 10, 4_294_967_295] {
            assert_eq!(sum_number(99, n), sum_text(99, &n.to_string()));
        }
    }

    #[test]
    fn the_better_generator_has_no_lattice() {
        let first = |seed: u32| {
            let mut dice = Source::seeded(&format!("seed-{seed}"));
            dice.algorithm = Algorithm::Turnstone;
            dice.roll(1, 20).total()
        };
        let strides: Vec<i64> = (0..8).map(|s| (first(s + 1) - first(s)).rem_euclid(20)).collect();
        assert!(strides.iter().any(|s| *s != strides[0]), "{strides:?}");
    }
}
