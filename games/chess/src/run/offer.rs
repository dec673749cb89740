//! What shops sell and fights reward: pieces, abilities, relics, money.

use super::{Phase, Run};
use crate::ability::AbilityId;
use crate::catalog::Catalog;
use crate::piece::Kind;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

/// Something that changes the rules for you.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relic {
    /// The roster holds sixteen pieces instead of twelve.
    Barracks,
    /// Two more coins for every fight you win.
    WarChest,
    /// Every price is one lower, but never below one.
    Haggler,
    /// Your king starts every fight on a guardian tile.
    RoyalGuard,
    /// Two more pawns, for the fight only.
    Levy,
    /// The middle of every board is ice.
    FrozenMoat,
    /// Bombs also kill who takes them, on both sides.
    ShortFuse,
    /// Once, a lost fight does not end the run.
    Phoenix,
}

impl Relic {
    /// All of them.
    pub const ALL: [Relic; 8] = [
        Relic::Barracks,
        Relic::WarChest,
        Relic::Haggler,
        Relic::RoyalGuard,
        Relic::Levy,
        Relic::FrozenMoat,
        Relic::ShortFuse,
        Relic::Phoenix,
    ];

    /// Name and rule.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Relic::Barracks => ("Barracks", "The roster holds sixteen pieces instead of twelve."),
            Relic::WarChest => ("War chest", "Two more coins for every fight you win."),
            Relic::Haggler => ("Haggler", "Every price is one lower, but never below one."),
            Relic::RoyalGuard => ("Royal guard", "Your king starts every fight on a guardian tile."),
            Relic::Levy => ("Levy", "Two more pawns in every fight."),
            Relic::FrozenMoat => ("Frozen moat", "The middle of every board is ice."),
            Relic::ShortFuse => ("Short fuse", "Bombs also kill who takes them, on both sides."),
            Relic::Phoenix => ("Phoenix", "Once, a lost fight does not end the run."),
        }
    }
}

/// Something that can be taken or bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// A piece for the roster.
    Piece(Kind),
    /// An ability for one of your pieces.
    Ability(AbilityId),
    /// A relic.
    Relic(Relic),
    /// Money.
    Money(i32),
}

impl Run {
    /// What an offer costs here: nothing after a fight.
    pub fn price(&self, catalog: &Catalog, offer: &Offer) -> i32 {
        if self.phase != Phase::Shop {
            return 0;
        }
        let value = match *offer {
            Offer::Piece(kind) => catalog.piece(kind).value,
            Offer::Ability(ability) => catalog.ability(ability).value,
            Offer::Relic(_) => 8,
            Offer::Money(_) => 0,
        };
        if self.has(Relic::Haggler) { (value - 1).max(1) } else { value }
    }

    /// Two pieces, three abilities, a relic.
    pub(super) fn shop_offers(&self, catalog: &Catalog, dice: &mut impl Draw) -> Vec<Offer> {
        let mut offers: Vec<Offer> = (0..2).map(|_| Offer::Piece(any_piece(catalog, dice))).collect();
        offers.extend((0..3).map(|_| Offer::Ability(any_ability(catalog, dice))));
        offers.extend(self.any_relic(dice).map(Offer::Relic));
        offers
    }

    /// A piece, an ability or some money; hard fights also show a relic.
    pub(super) fn rewards(&self, catalog: &Catalog, hard: bool, dice: &mut impl Draw) -> Vec<Offer> {
        let mut offers =
            vec![Offer::Piece(any_piece(catalog, dice)), Offer::Ability(any_ability(catalog, dice))];
        if hard {
            offers.extend(self.any_relic(dice).map(Offer::Relic));
        }
        offers.push(Offer::Money(3 + i32::from(self.act)));
        offers
    }

    fn any_relic(&self, dice: &mut impl Draw) -> Option<Relic> {
        let unknown: Vec<Relic> = Relic::ALL.into_iter().filter(|relic| !self.has(*relic)).collect();
        unknown.get(dice.index(unknown.len())?).copied()
    }
}

/// One of the five orthodox kinds, or sometimes a fairy piece.
pub(super) fn any_piece(catalog: &Catalog, dice: &mut impl Draw) -> Kind {
    let fairies: Vec<u8> = (6..catalog.pieces.len() as u8)
        .filter(|i| !catalog.piece(Kind(*i)).royal && !catalog.piece(Kind(*i)).pawn)
        .collect();
    if dice.chance(1, 4)
        && let Some(index) = dice.index(fairies.len())
    {
        return Kind(fairies[index]);
    }
    Kind(dice.below(5) as u8)
}

pub(super) fn any_ability(catalog: &Catalog, dice: &mut impl Draw) -> AbilityId {
    let pool: Vec<u8> =
        (0..catalog.abilities.len() as u8).filter(|i| catalog.abilities[usize::from(*i)].pool).collect();
    AbilityId(dice.index(pool.len()).map_or(0, |index| pool[index]))
}
