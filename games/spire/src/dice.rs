//! The game's dice: recorded draws first, then the kernel's.

use crate::state::State;
use turnstone::dice::{Dice, Draw, Stream};

const COMBAT: Stream = Stream::named("spire combat");

/// Draws from the state's dice without changing it; an event carries how many were drawn.
pub struct Roller<'a> {
    tape: &'a [u64],
    at: u32,
    start: u32,
    seed: u64,
    /// Made when something is drawn, which most effects do not.
    dice: Option<Dice>,
}

impl<'a> Roller<'a> {
    /// The dice as they lie now.
    #[inline]
    pub fn new(s: &'a State) -> Self {
        Self::past(s, 0)
    }

    /// The dice as they will lie after so many draws.
    #[inline]
    pub fn past(s: &'a State, draws: u8) -> Self {
        let at = s.combat.rolls + u32::from(draws);
        Roller { tape: &s.combat.tape, at, start: at, seed: s.run.seed, dice: None }
    }

    fn dice(&mut self) -> &mut Dice {
        let behind = u64::from(self.start).saturating_sub(self.tape.len() as u64);
        self.dice.get_or_insert_with(|| Dice::new(self.seed, COMBAT, behind))
    }

    /// How many draws were made.
    #[inline]
    pub fn drawn(&self) -> u8 {
        (self.at - self.start).min(255) as u8
    }

    /// A number below `bound`; a bound of 1 draws nothing.
    pub fn index(&mut self, bound: usize) -> usize {
        if bound <= 1 {
            return 0;
        }
        self.at += 1;
        match self.tape.get(self.at as usize - 1) {
            Some(&recorded) => (recorded as usize).min(bound - 1),
            None => self.dice().below(bound as u64) as usize,
        }
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.index((high - low + 1).max(1) as usize) as i32
    }

    /// A part of one in units of 2^-32.
    fn part(&mut self) -> u64 {
        self.at += 1;
        match self.tape.get(self.at as usize - 1) {
            Some(&recorded) => recorded,
            None => self.dice().next_u64() >> 32,
        }
    }

    /// A roll of 0 to 99.
    pub fn percent(&mut self) -> i32 {
        ((self.part() * 100) >> 32) as i32
    }

    /// One of several by weight: the first whose cumulated weight reaches the roll.
    pub fn weighted<T>(&mut self, items: &[(T, u32)]) -> usize {
        let total: u64 = items.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let roll = u128::from(self.part()) * u128::from(total);
        let mut sum = 0u128;
        for (index, (_, weight)) in items.iter().enumerate() {
            sum += u128::from(*weight) << 32;
            if *weight > 0 && sum >= roll {
                return index;
            }
        }
        items.len().saturating_sub(1)
    }

    /// Shuffles from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        if self.at as usize >= self.tape.len() {
            self.at += items.len().saturating_sub(1) as u32;
            return self.dice().shuffle(items);
        }
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}
