//! What the tests of chance share: runs at a chosen point, and streams whose next roll is known.

use super::fate::{Fate, RunSetup};
use super::holder::{DeckCard, Holder};
use super::ids::{CharacterNo, RelicNo, Rules};
use super::stream::Stream;
use super::tables::Tables;
use crate::catalog::words::CardType;

pub(crate) fn ironclad() -> CharacterNo {
    // Names content: tests and benchmarks have somebody to climb.
    Tables::embedded().characters.find("ironclad").unwrap_or_default()
}

pub(crate) fn run(ascension: u8, rules: Rules) -> Fate {
    let setup = RunSetup { seed: 7, character: ironclad(), ascension, rules };
    Fate::new(Tables::embedded(), setup)
}

pub(crate) fn original() -> Fate {
    run(0, Rules::Original)
}

/// A stream that has drawn nothing and rolls this percentage next.
pub(crate) fn rolling(percent: i32) -> Stream {
    (1..).map(Stream::new).find(|stream| { *stream }.percent() == percent).unwrap_or_else(|| Stream::new(1))
}

/// A stream that has drawn nothing and whose next float lies in this range of thousandths.
pub(crate) fn floating(from: u32, to: u32) -> Stream {
    let thousandths = |bits: u32| ((u64::from(bits) * 1000) >> 24) as u32;
    let fits = |stream: &Stream| (from..to).contains(&thousandths({ *stream }.k24()));
    (1..).map(Stream::new).find(fits).unwrap_or_else(|| Stream::new(1))
}

pub(crate) fn relic(name: &str) -> RelicNo {
    Tables::embedded().relics.find(name).unwrap_or_else(|| panic!("no relic {name}"))
}

/// A player on the first floor with nothing at all.
pub(crate) const NOBODY: Holder<'static> =
    Holder { floor: 1, act: 1, row: 0, gold: 0, hp: 80, max_hp: 80, relics: &[], deck: &[], potions: &[] };

pub(crate) fn card(name: &str, kind: CardType, basic: bool) -> DeckCard {
    let card = Tables::embedded().cards.find(name).unwrap_or_else(|| panic!("no card {name}"));
    DeckCard { card, kind, basic, removable_curse: false }
}
