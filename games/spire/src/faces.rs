//! Texts of what lies on the table, with the numbers of the moment.

use crate::catalog::compile::Id;
use crate::catalog::face::{self, Live};
use crate::game::Spire;
use crate::state::{DeckCard, NOBODY, PLAYER, Power, Slot, State};

impl Spire {
    /// The text of a card in a fight: attack and block as they would be now, the attack against `target` if one
    /// is meant.
    pub fn card_text(&self, s: &State, slot: Slot, target: Option<u8>) -> String {
        let Some(card) = s.combat.cards.get(slot as usize) else { return String::new() };
        let Some(entry) = self.content.cards.get(card.id as usize) else { return String::new() };
        let to = target.unwrap_or(NOBODY);
        let live = Live {
            upgrades: card.up,
            grown: i32::from(card.grown),
            kept: i32::from(card.kept),
            attack: &|base, strength| self.attack_number(s, PLAYER, to, base, slot, strength),
            block: &|base| self.card_block(s, PLAYER, base, slot),
        };
        face::card(&self.content, entry, &live)
    }

    /// The text of a kind of card.
    pub fn kind_text(&self, id: Id, up: u8) -> String {
        let live = Live { upgrades: up, ..Live::base() };
        self.content
            .cards
            .get(id as usize)
            .map(|entry| face::card(&self.content, entry, &live))
            .unwrap_or_default()
    }

    /// The text of a card of the deck, with what it has grown by.
    pub fn deck_text(&self, card: &DeckCard) -> String {
        let live = Live { upgrades: card.up, grown: i32::from(card.grown), ..Live::base() };
        let entry = self.content.cards.get(card.id as usize);
        entry.map(|entry| face::card(&self.content, entry, &live)).unwrap_or_default()
    }

    /// The text of a power on somebody.
    pub fn power_text(&self, power: &Power) -> String {
        let stacks = Some(i32::from(power.n));
        let entry = self.content.powers.get(power.id as usize);
        entry.map(|entry| face::power(&self.content, entry, stacks)).unwrap_or_default()
    }

    /// The text of a relic.
    pub fn relic_text(&self, id: Id) -> String {
        self.content
            .relics
            .get(id as usize)
            .map(|entry| face::relic(&self.content, entry))
            .unwrap_or_default()
    }

    /// The text of a stance.
    pub fn stance_text(&self, id: Id) -> String {
        let entry = self.content.stances.get(id as usize);
        entry.map(|entry| face::stance(&self.content, entry)).unwrap_or_default()
    }

    /// The text of a potion with its potency now.
    pub fn potion_text(&self, s: &State, id: Id) -> String {
        let Some(entry) = self.content.potions.get(id as usize) else { return String::new() };
        let potency = if s.combat.bodies.is_empty() { entry.potency } else { i32::from(self.potency(s, id)) };
        face::potion(&self.content, entry, potency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Deed, Fight, Ruleset, Setup};
    use turnstone::{Game, Input, Off, Position, Resolver};

    fn fight(deck: &str) -> (Spire, State) {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let fight =
            Fight { monsters: vec!["jaw_worm".into()], deck: Some(vec![deck.into()]), ..Fight::default() };
        let state = spire.start(&Setup::fight(fight), 1).expect("a fight");
        let mut position = Position::new(state);
        Resolver::default()
            .act(&spire, &mut position, &Input::Act(Deed::Fight(Action::Begin)), &mut Off)
            .expect("it begins");
        let state = position.state().clone();
        (spire, state)
    }

    fn give(spire: &Spire, s: &mut State, who: usize, power: &str, n: i16) {
        let id = spire.named("power", power).expect("a power");
        s.combat.bodies[who].powers.push(Power { id, n, stored: 0, fresh: false });
        spire.refresh_body(&mut s.combat.bodies[who]);
        spire.refresh_union(s);
    }

    #[test]
    fn numbers_are_those_of_the_moment() {
        let (spire, mut s) = fight("heavy_blade");
        assert!(spire.card_text(&s, 0, None).starts_with("Deal 14 damage"));
        give(&spire, &mut s, 0, "strength", 2);
        assert!(spire.card_text(&s, 0, None).starts_with("Deal 20 damage"));
        give(&spire, &mut s, 1, "vulnerable", 1);
        assert!(spire.card_text(&s, 0, Some(1)).starts_with("Deal 30 damage"));
        assert_eq!(spire.kind_text(s.combat.cards[0].id, 0), "Deal 14 damage; Strength counts 3 times.");
    }

    #[test]
    fn entries_and_texts_have_the_same_numbers() {
        let spire = Spire::builtin(Ruleset::Seed).expect("sound content");
        let ids = spire.content.cards.iter().map(|card| card.common.id.as_str());
        assert!(spire.catalog.cards.iter().map(|card| card.id.as_str()).eq(ids));
        let ids = spire.content.powers.iter().map(|power| power.common.id.as_str());
        assert!(spire.catalog.powers.iter().map(|power| power.id.as_str()).eq(ids));
    }
}
