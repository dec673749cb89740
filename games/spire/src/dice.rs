//! The dice of fights: the original's six streams, or, for the recorded engine, its draws and the kernel's behind
//! them.
//!
//! Which stream a draw is from is part of the rules: the original keeps them apart, so that a card drawn at random
//! never changes what a monster does next. A draw over a single value counts there; with the recorded engine it
//! does not.

use crate::seeds::{Stream as Source, Streams, java_shuffle};
use crate::state::State;
use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};

const COMBAT: Stream = Stream::named("spire combat");

/// One of the streams of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Die {
    /// What monsters do next, whom they protect, who is called to help, what they say.
    Ai,
    /// Random cards, costs, places in the draw pile, and the player's random targets.
    CardRandom,
    /// Who is in an encounter.
    Misc,
    /// The HP of monsters and what else they roll when they appear.
    MonsterHp,
    /// Potions.
    Potion,
    /// Shuffles: one draw each, from which a generator of its own makes the order.
    Shuffle,
}

impl Die {
    /// All of them, in the order in which records count them.
    pub const ALL: [Die; 6] =
        [Die::Ai, Die::CardRandom, Die::Misc, Die::MonsterHp, Die::Potion, Die::Shuffle];
}

/// How many draws were made of each stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Rolls {
    #[serde(skip_serializing_if = "is_none")]
    pub ai: u8,
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) card_random: u8,
    #[serde(skip_serializing_if = "is_none")]
    pub misc: u8,
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) monster_hp: u8,
    #[serde(skip_serializing_if = "is_none")]
    pub potion: u8,
    #[serde(skip_serializing_if = "is_none")]
    pub shuffle: u8,
    /// Draws of the recorded engine, which knows but one stream.
    #[serde(skip_serializing_if = "is_none")]
    pub recorded: u8,
}

fn is_none(count: &u8) -> bool {
    *count == 0
}

impl Rolls {
    /// Nothing was drawn.
    pub const NONE: Rolls =
        Rolls { ai: 0, card_random: 0, misc: 0, monster_hp: 0, potion: 0, shuffle: 0, recorded: 0 };

    /// Whether nothing was drawn: two looks at four counts each.
    #[inline]
    pub fn is_none(&self) -> bool {
        let Rolls { ai, card_random, misc, monster_hp, potion, shuffle, recorded } = *self;
        let some = u32::from_ne_bytes([ai, card_random, misc, monster_hp])
            | u32::from_ne_bytes([monster_hp, potion, shuffle, recorded]);
        some == 0
    }

    /// The count of one stream.
    #[inline]
    pub fn of(&self, die: Die) -> u8 {
        match die {
            Die::Ai => self.ai,
            Die::CardRandom => self.card_random,
            Die::Misc => self.misc,
            Die::MonsterHp => self.monster_hp,
            Die::Potion => self.potion,
            Die::Shuffle => self.shuffle,
        }
    }

    #[inline]
    fn of_mut(&mut self, die: Die) -> &mut u8 {
        match die {
            Die::Ai => &mut self.ai,
            Die::CardRandom => &mut self.card_random,
            Die::Misc => &mut self.misc,
            Die::MonsterHp => &mut self.monster_hp,
            Die::Potion => &mut self.potion,
            Die::Shuffle => &mut self.shuffle,
        }
    }
}

/// The streams of a fight as they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct FightDice {
    pub ai: Source,
    pub(crate) card_random: Source,
    pub misc: Source,
    pub(crate) monster_hp: Source,
    pub potion: Source,
    pub shuffle: Source,
}

impl FightDice {
    /// The streams of a fight that is no part of a run: those of the floor, and the run's potions from the start.
    pub(crate) fn on_floor(seed: u64, floor: u8) -> Self {
        let mut streams = Streams::new(seed);
        streams.enter_floor(seed, floor);
        Self::of(&streams)
    }

    /// As the run has them.
    pub fn of(streams: &Streams) -> Self {
        FightDice {
            ai: streams.ai,
            card_random: streams.card_random,
            misc: streams.misc,
            monster_hp: streams.monster_hp,
            potion: streams.potion,
            shuffle: streams.shuffle,
        }
    }

    /// Those of another seed, each as far along as it is here.
    pub(crate) fn redrawn(&self, seed: u64) -> Self {
        FightDice {
            ai: self.ai.redrawn(seed),
            card_random: self.card_random.redrawn(seed),
            misc: self.misc.redrawn(seed),
            monster_hp: self.monster_hp.redrawn(seed),
            potion: self.potion.redrawn(seed),
            shuffle: self.shuffle.redrawn(seed),
        }
    }

    /// Gives them back to the run.
    pub(crate) fn give_back(&self, streams: &mut Streams) {
        streams.ai = self.ai;
        streams.card_random = self.card_random;
        streams.misc = self.misc;
        streams.monster_hp = self.monster_hp;
        streams.potion = self.potion;
        streams.shuffle = self.shuffle;
    }

    /// How many draws each has made, in the order of [`Die::ALL`].
    pub fn counters(&self) -> [u32; 6] {
        Die::ALL.map(|die| self.stream(die).counter())
    }

    #[inline]
    fn stream(&self, die: Die) -> &Source {
        match die {
            Die::Ai => &self.ai,
            Die::CardRandom => &self.card_random,
            Die::Misc => &self.misc,
            Die::MonsterHp => &self.monster_hp,
            Die::Potion => &self.potion,
            Die::Shuffle => &self.shuffle,
        }
    }

    #[inline(never)]
    fn spend(&mut self, rolls: Rolls) {
        let spend = |stream: &mut Source, count: u8| {
            (0..count).for_each(|_| {
                stream.long();
            });
        };
        spend(&mut self.ai, rolls.ai);
        spend(&mut self.card_random, rolls.card_random);
        spend(&mut self.misc, rolls.misc);
        spend(&mut self.monster_hp, rolls.monster_hp);
        spend(&mut self.potion, rolls.potion);
        spend(&mut self.shuffle, rolls.shuffle);
    }
}

impl State {
    /// Writes that so many draws were made.
    #[inline]
    pub fn spend(&mut self, rolls: Rolls) {
        if rolls.is_none() {
            return;
        }
        self.combat.rolls = self.combat.rolls.wrapping_add(u32::from(rolls.recorded));
        if let Some(dice) = &mut self.run.dice {
            dice.spend(rolls);
        }
    }
}

/// A chance in parts of 2^24: a draw of so many bits below it succeeds.
///
/// The original compares single-precision numbers: one drawn as a multiple of 2^-24, and the chance as it is
/// written, rounded to 24 binary digits. Below a half these reach finer than the draw, so the bound is rounded up.
pub(crate) fn chance_bound(part: u64, whole: u64) -> u32 {
    if part == 0 || whole == 0 {
        return 0;
    }
    if part >= whole {
        return 1 << 24;
    }
    // Scaled until the first of 24 binary digits is a 1.
    let mut finer = 0u32;
    while (part << (finer + 1)) < whole {
        finer += 1;
    }
    let scaled = u128::from(part) << (24 + finer);
    let (digits, rest) = (scaled / u128::from(whole), scaled % u128::from(whole));
    let up = match (rest * 2).cmp(&u128::from(whole)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => digits & 1,
        std::cmp::Ordering::Greater => 1,
    };
    let rounded = digits + up;
    ((rounded + (1 << finer) - 1) >> finer) as u32
}

/// Draws from the state's dice without changing it; an event carries how many were drawn.
pub(crate) struct Roller<'a> {
    dice: Option<&'a FightDice>,
    spent: Rolls,
    /// The stream drawn from last, as it stands behind the draws.
    live: Option<(Die, Source)>,
    recorded: Recorded<'a>,
}

/// The draws of the recorded engine, then the kernel's.
struct Recorded<'a> {
    tape: &'a [u64],
    start: u32,
    seed: u64,
    /// Made when something is drawn, which most effects do not.
    dice: Option<Dice>,
}

impl Recorded<'_> {
    fn dice(&mut self) -> &mut Dice {
        let behind = u64::from(self.start).saturating_sub(self.tape.len() as u64);
        self.dice.get_or_insert_with(|| Dice::new(self.seed, COMBAT, behind))
    }
}

impl<'a> Roller<'a> {
    /// The dice as they lie now.
    #[inline]
    pub(crate) fn new(s: &'a State) -> Self {
        Self::past(s, Rolls::NONE)
    }

    /// The dice as they will lie after these draws, which are not counted again.
    #[inline]
    pub(crate) fn past(s: &'a State, before: Rolls) -> Self {
        let start = s.combat.rolls.wrapping_add(u32::from(before.recorded));
        let recorded = Recorded { tape: &s.combat.tape, start, seed: s.run.seed, dice: None };
        Roller { dice: s.run.dice.as_ref(), spent: before, live: None, recorded }
    }

    /// How many draws were made.
    #[inline]
    pub(crate) fn drawn(&self) -> Rolls {
        self.spent
    }

    /// The original's stream, with one draw counted.
    fn stream(&mut self, die: Die) -> Option<&mut Source> {
        let dice = self.dice?;
        let spent = self.spent.of(die);
        if self.live.is_none_or(|(live, _)| live != die) {
            let mut stream = *dice.stream(die);
            (0..spent).for_each(|_| {
                stream.long();
            });
            self.live = Some((die, stream));
        }
        *self.spent.of_mut(die) = spent.saturating_add(1);
        self.live.as_mut().map(|(_, stream)| stream)
    }

    /// The place of the next draw of the recorded engine, and what its record says.
    fn recorded(&mut self) -> Option<u64> {
        let at = self.recorded.start + u32::from(self.spent.recorded);
        self.spent.recorded = self.spent.recorded.saturating_add(1);
        self.recorded.tape.get(at as usize).copied()
    }

    /// A number below `bound`.
    pub(crate) fn index(&mut self, die: Die, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        if let Some(stream) = self.stream(die) {
            return stream.index(bound);
        }
        if bound == 1 {
            return 0;
        }
        match self.recorded() {
            Some(recorded) => (recorded as usize).min(bound - 1),
            None => self.recorded.dice().below(bound as u64) as usize,
        }
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, die: Die, low: i32, high: i32) -> i32 {
        low + self.index(die, (high - low + 1).max(1) as usize) as i32
    }

    /// A part of one in units of 2^-32, of the recorded engine.
    fn part(&mut self) -> u64 {
        match self.recorded() {
            Some(recorded) => recorded,
            None => self.recorded.dice().next_u64() >> 32,
        }
    }

    /// A roll of 0 to 99.
    pub(crate) fn percent(&mut self, die: Die) -> i32 {
        match self.stream(die) {
            Some(stream) => stream.percent(),
            None => ((self.part() * 100) >> 32) as i32,
        }
    }

    /// A coin.
    pub(crate) fn coin(&mut self, die: Die) -> bool {
        match self.stream(die) {
            Some(stream) => stream.bool(),
            None => self.part() >> 31 == 0,
        }
    }

    /// A test that succeeds if a draw of 24 bits is below the bound; see [`chance_bound`].
    pub(crate) fn chance(&mut self, die: Die, bound: u32) -> bool {
        match self.stream(die) {
            Some(stream) => stream.k24() < bound,
            None => self.part() >> 8 < u64::from(bound),
        }
    }

    /// A draw that means nothing: the original made it for a line that is spoken, or threw it away.
    pub(crate) fn waste(&mut self, die: Die) {
        if let Some(stream) = self.stream(die) {
            stream.long();
        }
    }

    /// Whether these are the original's dice.
    pub(crate) fn original(&self) -> bool {
        self.dice.is_some()
    }

    /// One of several by weight: the first whose cumulated weight reaches the roll.
    pub(crate) fn weighted<T>(&mut self, die: Die, items: &[(T, u32)]) -> usize {
        let total: u64 = items.iter().map(|(_, weight)| u64::from(*weight)).sum();
        if let Some(stream) = self.stream(die) {
            let roll = u64::from(stream.k24());
            let mut sum = 0;
            let reached = items.iter().position(|(_, weight)| {
                sum += u64::from(*weight);
                roll < u64::from(chance_bound(sum, total))
            });
            return reached.unwrap_or(items.len().saturating_sub(1));
        }
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

    /// The one draw of the original's shuffle, from which [`java_shuffle`] makes the order; `None` with the dice of
    /// the recorded engine, whose shuffles have no key.
    pub(crate) fn shuffle_key(&mut self) -> Option<u64> {
        self.stream(Die::Shuffle).map(Source::long)
    }

    /// Shuffles as the original does: one draw, and the order that follows from it.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        if let Some(stream) = self.stream(Die::Shuffle) {
            return java_shuffle(items, stream.long());
        }
        let at = (self.recorded.start + u32::from(self.spent.recorded)) as usize;
        if at >= self.recorded.tape.len() {
            let count = items.len().saturating_sub(1).min(255) as u8;
            self.spent.recorded = self.spent.recorded.saturating_add(count);
            return self.recorded.dice().shuffle(items);
        }
        for last in (1..items.len()).rev() {
            let other = self.index(Die::Shuffle, last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds are those of the original's comparison of single-precision numbers.
    #[test]
    fn chances_are_cut_where_single_precision_cuts_them() {
        for part in 1..=10_000u64 {
            let chance = part as f64 / 10_000.0;
            let bound = (f64::from(chance as f32) * 16_777_216.0).ceil() as u32;
            assert_eq!(chance_bound(part, 10_000), bound, "{part}");
        }
    }

    #[test]
    fn a_draw_over_one_value_counts() {
        let mut s = State::default();
        s.run.dice = Some(FightDice::on_floor(1, 1));
        let mut roller = Roller::new(&s);
        assert_eq!(roller.index(Die::Ai, 1), 0);
        roller.index(Die::CardRandom, 7);
        roller.index(Die::Ai, 3);
        let rolls = roller.drawn();
        assert_eq!((rolls.ai, rolls.card_random), (2, 1));
        s.spend(rolls);
        assert_eq!(s.run.dice.unwrap().counters(), [2, 1, 0, 0, 0, 0]);
    }
}
