//! What shops sell and fights reward: pieces, abilities, relics, money.

use super::{Phase, Run};
use crate::ability::AbilityId;
use crate::catalog::{Catalog, RelicId};
use crate::piece::Kind;
use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use turnstone::Notes;
use turnstone::dice::Draw;

/// Something that can be taken or bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// A piece for the roster.
    Piece(Kind),
    /// An ability for one of your pieces.
    Ability(AbilityId),
    /// A relic.
    Relic(RelicId),
    /// Money.
    Money(i32),
}

impl Offer {
    /// Does it name something that there is?
    pub(super) fn is_known(&self, catalog: &Catalog) -> bool {
        match *self {
            Offer::Piece(kind) => usize::from(kind.0) < catalog.pieces.len(),
            Offer::Ability(ability) => usize::from(ability.0) < catalog.abilities.len(),
            Offer::Relic(relic) => catalog.relic(relic).is_some(),
            Offer::Money(money) => (0..=10_000).contains(&money),
        }
    }
}

impl Run {
    /// What an offer costs here: nothing after a fight.
    pub fn price(&self, catalog: &Catalog, offer: &Offer) -> i32 {
        self.price_noted(catalog, offer, &mut Notes::unwanted())
    }

    /// The same, with what makes it so.
    pub(super) fn price_noted(&self, catalog: &Catalog, offer: &Offer, notes: &mut Notes<Reason>) -> i32 {
        if self.phase != Phase::Shop {
            return 0;
        }
        let value = match *offer {
            Offer::Piece(kind) => catalog.piece(kind).value,
            Offer::Ability(ability) => catalog.ability(ability).value,
            Offer::Relic(_) => catalog.run.numbers.relic_price,
            Offer::Money(_) => return 0,
        };
        notes.made(Reason::Price, value);
        let price = self.altered(catalog, value, |alter| alter.price, notes);
        let least = price.max(value.min(1));
        notes.changed(Reason::Limit, price, least);
        least
    }

    /// Two pieces, three abilities, a relic.
    pub(super) fn shop_offers(&self, catalog: &Catalog, dice: &mut impl Draw) -> Vec<Offer> {
        let mut offers: Vec<Offer> = (0..2).map(|_| Offer::Piece(any_piece(catalog, dice))).collect();
        offers.extend((0..3).map(|_| Offer::Ability(any_ability(catalog, dice))));
        offers.extend(self.any_relic(catalog, dice).map(Offer::Relic));
        offers
    }

    /// A piece, an ability or some money; hard fights also show a relic.
    pub(super) fn rewards(&self, catalog: &Catalog, relic: bool, dice: &mut impl Draw) -> Vec<Offer> {
        let mut offers =
            vec![Offer::Piece(any_piece(catalog, dice)), Offer::Ability(any_ability(catalog, dice))];
        if relic {
            offers.extend(self.any_relic(catalog, dice).map(Offer::Relic));
        }
        offers.push(Offer::Money(catalog.run.numbers.reward + i32::from(self.act)));
        offers
    }

    fn any_relic(&self, catalog: &Catalog, dice: &mut impl Draw) -> Option<RelicId> {
        let all = (0..catalog.run.relics.len()).map(|index| RelicId(index as u8));
        let unknown: Vec<RelicId> = all.filter(|relic| !self.has(*relic)).collect();
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
