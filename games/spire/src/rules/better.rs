//! Cards that become better: upgrades, and numbers that grow.

use crate::event::{Costs, Event};
use crate::game::Spire;
use crate::state::{Card, NO_COST, Pile, Slot, State, card_flag};

impl Spire {
    /// A card is upgraded for the fight.
    pub(crate) fn upgraded(&self, slot: Slot, card: &Card) -> Event {
        let costs = Costs::of(&self.with_new_costs(*card));
        Event::Upgraded { slot, up: card.up.saturating_add(1), costs }
    }

    /// A card with the costs that an upgrade leaves it.
    fn with_new_costs(&self, mut card: Card) -> Card {
        let own = self.combat_cost(&card);
        let info = &self.catalog.cards[card.id as usize];
        let (before, after) = (info.forms[card.form()].cost, info.forms[1].cost);
        let moves = info.forms[1].cost_change.is_some() && card.cost != NO_COST;
        if (self.profile.upgrades_shift_costs && card.cost != NO_COST || moves) && before >= 0 && after >= 0 {
            card.cost = (card.cost + after - before).max(0);
        } else if before != after && before >= 0 && after >= 0 {
            // A new cost takes the place of one that was changed for the combat. What it costs this turn keeps its
            // distance to that, and what is free this turn stays so.
            let turn = if card.turn_cost == NO_COST { own } else { card.turn_cost };
            let turn = if turn > 0 { (after + turn - own).max(0) } else { 0 };
            (card.cost, card.cost_add) = (NO_COST, 0);
            card.turn_cost = if turn == after { NO_COST } else { turn };
        }
        card
    }

    /// A number grows: on the card, or on all of its kind, and for good. A copy is the card it copies: both grow. What
    /// lasts is written to the very card of the master deck, whose places are those of the first cards of the fight.
    pub(crate) fn grown(&self, s: &State, slot: Slot, by: i16, all: bool, permanent: bool) -> Event {
        if self.profile.recorded_growth {
            return self.grown_as_recorded(s, slot, by, all, permanent);
        }
        let card = s.combat.cards[slot as usize];
        let own = if card.has(card_flag::COPY) { card.of } else { slot };
        let lies = |other: &Card| !matches!(other.pile, Pile::Exhaust | Pile::Gone);
        let grows = |(index, other): &(usize, &Card)| {
            *index == usize::from(slot)
                || *index == usize::from(own)
                || all && other.id == card.id && lies(other)
        };
        let cards = s.combat.cards.iter().enumerate().filter(grows).map(|(index, _)| index as Slot).collect();
        let held = s.run.deck.get(own as usize).is_some_and(|held| held.id == card.id);
        Event::Grew { slot, by, all, cards, deck: (permanent && held).then_some(own) }
    }

    /// The recorded engine: copies are cards of their own, and the first of the kind in the master deck grows.
    fn grown_as_recorded(&self, s: &State, slot: Slot, by: i16, all: bool, permanent: bool) -> Event {
        let id = s.combat.cards[slot as usize].id;
        let grows = |(index, card): &(usize, &Card)| *index == usize::from(slot) || all && card.id == id;
        let cards = s.combat.cards.iter().enumerate().filter(grows).map(|(index, _)| index as Slot).collect();
        let deck = s.run.deck.iter().position(|held| held.id == id).filter(|_| permanent);
        Event::Grew { slot, by, all, cards, deck: deck.map(|place| place as u16) }
    }
}
