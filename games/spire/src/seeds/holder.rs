//! What the rules of chance need to know about the player.

use super::ids::{CardNo, EventNo, PotionNo, RelicNo, Rules};
use super::tables::Tables;
use crate::catalog::words::CardType;

/// A card of the deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeckCard {
    /// Which card.
    pub card: CardNo,
    /// Its kind.
    pub kind: CardType,
    /// A card of the starter deck.
    pub basic: bool,
    /// A curse that can be taken out of the deck.
    pub(crate) removable_curse: bool,
}

/// The player at the moment of a draw.
#[derive(Clone, Copy, Debug)]
pub struct Holder<'a> {
    /// Floor, 0 at Neow.
    pub floor: u8,
    /// Act, from 1.
    pub act: u8,
    /// Row of the map.
    pub row: u8,
    /// Gold.
    pub gold: u32,
    /// Hit points.
    pub hp: i32,
    /// Most hit points.
    pub max_hp: i32,
    /// Relics owned.
    pub relics: &'a [RelicNo],
    /// The deck, in order.
    pub deck: &'a [DeckCard],
    /// Potions carried.
    pub potions: &'a [PotionNo],
}

impl Holder<'_> {
    /// Whether a relic is owned.
    pub fn owns(&self, relic: RelicNo) -> bool {
        self.relics.contains(&relic)
    }

    /// Whether the deck holds such a card; basic ones do not count, unless they are powers.
    fn deck_has(&self, kind: CardType) -> bool {
        self.deck.iter().any(|card| card.kind == kind && (!card.basic || kind == CardType::Power))
    }

    /// Whether a relic may come up now.
    pub(crate) fn may_find(&self, tables: &Tables, rules: Rules, relic: RelicNo, in_shop: bool) -> bool {
        let Some(appears) = tables.appears(relic) else { return true };
        let campfire = || tables.campfire_relics().iter().filter(|r| self.owns(**r)).count();
        let sold = !in_shop || !appears.unsold[usize::from(!rules.original())];
        sold && appears.last_floor.is_none_or(|last| i32::from(self.floor) <= last)
            && appears.deck.is_none_or(|need| self.deck_has(need))
            && appears.owns.is_none_or(|relic| self.owns(relic))
            && appears.original_last_act.is_none_or(|last| !rules.original() || i32::from(self.act) <= last)
            && (!appears.campfire || campfire() < 2)
    }

    /// Whether an event may be offered now.
    pub(crate) fn may_meet(&self, tables: &Tables, event: EventNo) -> bool {
        let Some(facts) = tables.facts(event) else { return true };
        let allowed = &facts.allowed;
        self.floor >= allowed.first_floor
            && self.row >= allowed.first_row
            && self.gold >= allowed.gold
            && self.hp >= allowed.hp
            && self.relics.len() >= allowed.relics
            && (allowed.acts.is_empty() || allowed.acts.contains(&self.act))
            && (!allowed.curse || self.deck.iter().any(|c| c.removable_curse))
            && facts.owns.is_none_or(|relic| self.hp * 2 <= self.max_hp || self.owns(relic))
    }
}
