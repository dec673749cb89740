//! Texts of what lies on the table, with the numbers of the moment.

use std::cell::RefCell;

use crate::catalog::compile::Id;
use crate::catalog::defs::Card;
use crate::catalog::face::{self, Holder, Live};
use crate::catalog::verb::Step;
use crate::game::Spire;
use crate::state::{DeckCard, NOBODY, PLAYER, Power, Slot, State};

/// What a number on a face counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Damage, Strength counting so many times.
    Attack {
        /// How often.
        strength: i32,
    },
    /// Block.
    Block,
}

impl Counted {
    /// In a word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Counted::Attack { .. } => "damage",
            Counted::Block => "block",
        }
    }
}

/// A number on the face of a card that more than the card decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaceNumber {
    pub(crate) counted: Counted,
    /// What the card itself makes it.
    pub(crate) base: i32,
}

impl Spire {
    /// The text of a card in a fight: attack and block as they would be now, the attack against `target` if one
    /// is meant.
    pub fn card_text(&self, s: &State, slot: Slot, target: Option<u8>) -> String {
        self.card_said(s, slot, target).0
    }

    /// The same, with the numbers in it that more than the card decides, in the order in which they stand there.
    pub(crate) fn card_said(&self, s: &State, slot: Slot, target: Option<u8>) -> (String, Vec<FaceNumber>) {
        let card = s.combat.cards.get(slot as usize);
        let Some(entry) = card.and_then(|card| self.content.cards.get(card.id as usize)) else {
            return Default::default();
        };
        self.live(s, slot, target, |live| face::card(&self.content, entry, live))
    }

    /// One of the lists of steps among which a card that is played lets choose.
    pub(crate) fn choice_said(&self, s: &State, slot: Slot, steps: &[Step]) -> String {
        self.live(s, slot, None, |live| face::choice(&self.content, steps, live, true)).0
    }

    /// Something is told about a card, with its numbers of the moment.
    fn live(
        &self,
        s: &State,
        slot: Slot,
        target: Option<u8>,
        tell: impl FnOnce(&Live<'_>) -> String,
    ) -> (String, Vec<FaceNumber>) {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Default::default() };
        let to = target.unwrap_or(NOBODY);
        let said = RefCell::new(Vec::new());
        let live = Live {
            upgrades: card.up,
            grown: i32::from(card.grown),
            kept: i32::from(card.kept),
            ascension: Some(s.run.ascension),
            attack: &|base, strength| {
                said.borrow_mut().push(FaceNumber { counted: Counted::Attack { strength }, base });
                self.attack_number(s, PLAYER, to, base, slot, strength)
            },
            block: &|base| {
                said.borrow_mut().push(FaceNumber { counted: Counted::Block, base });
                self.card_block(s, PLAYER, base, slot)
            },
        };
        let text = tell(&live);
        (text, said.into_inner())
    }

    /// The numbers of a card as they are printed on it, so often upgraded: before it has grown, and before anybody
    /// changes them.
    pub(crate) fn printed_numbers(&self, entry: &Card, upgrades: u8) -> Vec<FaceNumber> {
        self.own_numbers(entry, upgrades, 0)
    }

    /// The same of a card that has grown.
    fn own_numbers(&self, entry: &Card, upgrades: u8, grown: i32) -> Vec<FaceNumber> {
        let said = RefCell::new(Vec::new());
        let live = Live {
            upgrades,
            grown,
            attack: &|base, strength| {
                said.borrow_mut().push(FaceNumber { counted: Counted::Attack { strength }, base });
                base
            },
            block: &|base| {
                said.borrow_mut().push(FaceNumber { counted: Counted::Block, base });
                base
            },
            ..Live::base()
        };
        face::card(&self.content, entry, &live);
        said.into_inner()
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
    pub(crate) fn deck_text(&self, card: &DeckCard) -> String {
        let live = Live { upgrades: card.up, grown: i32::from(card.grown), ..Live::base() };
        let entry = self.content.cards.get(card.id as usize);
        entry.map(|entry| face::card(&self.content, entry, &live)).unwrap_or_default()
    }

    /// How the numbers of a card of the deck come about that has grown.
    pub(crate) fn deck_reasons(&self, card: &DeckCard) -> Vec<String> {
        let Some(entry) = self.content.cards.get(card.id as usize).filter(|_| card.grown != 0) else {
            return Vec::new();
        };
        let printed = self.printed_numbers(entry, card.up);
        let grown = self.own_numbers(entry, card.up, i32::from(card.grown));
        let differ = printed.iter().zip(&grown).filter(|(printed, grown)| printed.base != grown.base);
        let told = |(printed, grown): (&FaceNumber, &FaceNumber)| {
            let what = grown.counted.word();
            [
                format!("{what} · as printed: {}", printed.base),
                format!("{what} · by its own rule: {} → {}", printed.base, grown.base),
            ]
        };
        differ.flat_map(told).collect()
    }

    /// The text of a power that somebody has.
    pub(crate) fn power_text(&self, power: &Power, who: u8) -> String {
        let stacks = Some(i32::from(power.n));
        let holder = if who == PLAYER { Holder::You } else { Holder::Enemy };
        let entry = self.content.powers.get(power.id as usize);
        entry.map(|entry| face::power_of(&self.content, entry, stacks, holder)).unwrap_or_default()
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
    pub(crate) fn stance_text(&self, id: Id) -> String {
        let entry = self.content.stances.get(id as usize);
        entry.map(|entry| face::stance(&self.content, entry)).unwrap_or_default()
    }

    /// The text of a potion with its potency now.
    pub(crate) fn potion_text(&self, s: &State, id: Id) -> String {
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
