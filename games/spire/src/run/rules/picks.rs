//! Choosing a card of the deck, a card on offer, or a cell of the memory game.

use smallvec::SmallVec;
use turnstone::Settled;

use super::{Out, Outcome, deck_where, fact, maybe, next};
use crate::catalog::compile::{Op, Select};
use crate::catalog::verb::only_in_fights;
use crate::catalog::words::CardType;
use crate::run::action::Question;
use crate::run::effect::{Effect, Pick, Purpose};
use crate::run::event::Event;
use crate::run::journey::Journey;
use crate::run::tower::EventScreen;
use crate::seeds::{CardNo, EventDetail, Rarity, RelicNo};
use crate::state::DeckCard;
use crate::state::State;

/// The cards of the deck that a step is about, and what it is about to do with them.
pub(super) fn cards_of(op: &Op) -> Option<(Purpose, &Select)> {
    match op {
        Op::Upgrade { cards } => Some((Purpose::Upgrade, cards)),
        Op::Remove { cards } => Some((Purpose::Remove, cards)),
        Op::Transform { cards, upgraded, gift } => {
            Some((Purpose::Transform { upgraded: *upgraded, neow: *gift, old: u16::MAX }, cards))
        }
        Op::Duplicate { cards } => Some((Purpose::Duplicate, cards)),
        Op::Bottle { cards } => Some((Purpose::Bottle, cards)),
        Op::Damage { .. }
        | Op::LoseHp { .. }
        | Op::Heal { .. }
        | Op::MaxHp { .. }
        | Op::Gold { .. }
        | Op::Counter { .. }
        | Op::GainPotion { .. }
        | Op::Obtain { .. }
        | Op::If { .. }
        | Op::Repeat { .. }
        | Op::SetVar { .. }
        | Op::ObtainRandom { .. }
        | Op::OfferCards { .. }
        | Op::Burn { .. }
        | Op::GainRelic { .. }
        | Op::RandomRelic
        | Op::LoseRelic { .. }
        | Op::Reward { .. }
        | Op::Fight { .. }
        | Op::Chance { .. }
        | Op::OneOf { .. }
        | Op::Goto { .. }
        | Op::DrawRelics { .. }
        | Op::LoseDrawn { .. }
        | Op::SearchFinds { .. }
        | Op::Pairs
        | Op::ToTheBoss => None,
        only_in_fights!() => None,
    }
}

impl Journey<'_> {
    /// The deck positions that may be chosen for a purpose.
    pub fn candidates(&self, s: &State, pick: impl Into<Pick>) -> SmallVec<[u16; 24]> {
        let Pick { purpose, of } = pick.into();
        let old = match purpose {
            Purpose::Transform { old, .. } => old,
            Purpose::Remove
            | Purpose::Upgrade
            | Purpose::Duplicate
            | Purpose::Bottle
            | Purpose::Burn { .. } => u16::MAX,
        };
        let filter =
            of.and_then(|step| self.step(step)).and_then(cards_of).and_then(|(_, cards)| cards.filter);
        let at = self.within(s, of.map_or(0, |step| step.program), 0);
        let fits = |card: &DeckCard| self.suits(card, purpose) && self.passes(filter, *card, &at);
        deck_where(s, fits).take_while(|index| *index < old).collect()
    }

    /// Whether a card can be chosen for a purpose at all.
    pub(super) fn suits(&self, card: &DeckCard, purpose: Purpose) -> bool {
        match purpose {
            Purpose::Remove | Purpose::Burn { .. } | Purpose::Transform { .. } => self.can_remove(card),
            Purpose::Upgrade => self.can_upgrade(card),
            Purpose::Duplicate => true,
            Purpose::Bottle => self.can_remove(card),
        }
    }

    pub(super) fn settle_pick(&self, s: &State, pick: Pick) -> Outcome {
        let purpose = pick.purpose;
        if let Some(index) = s.tower.answer {
            return fact(Event::Picked { purpose, index });
        }
        match self.candidates(s, pick)[..] {
            [] => Settled::Stale,
            [only] => fact(Event::Picked { purpose, index: only }),
            _ => Settled::Ask(0, Question::Deck(pick)),
        }
    }

    pub(super) fn follow_pick(&self, s: &State, purpose: Purpose, index: u16, out: &mut Out) {
        match purpose {
            Purpose::Remove => next(Effect::Remove(index), out),
            Purpose::Upgrade => next(Effect::Upgrade(index), out),
            Purpose::Transform { upgraded, neow, .. } => {
                next(Effect::Transform { index, upgraded, neow }, out);
            }
            Purpose::Duplicate => next(Effect::Copy(index), out),
            Purpose::Bottle => next(Effect::Bottle(index), out),
            Purpose::Burn { gift } => self.burn(s, index, gift, out),
        }
    }

    /// The flames are grateful in proportion.
    fn burn(&self, s: &State, index: u16, gift: RelicNo, out: &mut Out) {
        let run = &s.run;
        let Some(card) = run.deck.get(usize::from(index)) else { return };
        let facts = self.card(CardNo(card.id));
        let missing = i32::from(run.max_hp - run.hp);
        out.first(Effect::Remove(index).into());
        match (facts.kind, facts.rarity) {
            (CardType::Curse, _) => next(Effect::GainRelic(gift), out),
            (_, Some(Rarity::Rare)) => {
                out.first(Effect::MaxHp(10).into());
                out.first(Effect::Heal(missing + 10).into());
            }
            (_, Some(Rarity::Uncommon)) => next(Effect::Heal(missing), out),
            (_, Some(Rarity::Common)) => next(Effect::Heal(5), out),
            (_, None) if !facts.basic => next(Effect::Heal(5), out),
            _ => {}
        }
    }

    pub(super) fn settle_offer(&self, s: &State) -> Outcome {
        let offer = &s.tower.offer;
        match s.tower.answer.and_then(|i| offer.get(usize::from(i))) {
            Some(&card) => fact(Event::OfferPicked { card }),
            None if offer.is_empty() => Settled::Stale,
            None => Settled::Ask(0, Question::Offer),
        }
    }

    /// Cells of the memory game that may be opened; where none was dealt, there are none.
    pub(crate) fn closed_cells(&self, s: &State) -> impl Iterator<Item = u16> + use<> {
        let dealt = |event: &&EventScreen| matches!(event.detail, Some(EventDetail::Pairs { .. }));
        let (open, first) = match s.tower.event().filter(dealt) {
            Some(event) => (event.open, u16::from(event.counts[0])),
            None => (u16::MAX, 0),
        };
        (0..12).filter(move |&c| open >> c & 1 == 0 && c + 1 != first)
    }

    pub(super) fn settle_flip(&self, s: &State) -> Outcome {
        match s.tower.answer {
            Some(cell) => maybe(flipped(s, usize::from(cell))),
            None if self.closed_cells(s).next().is_none() => Settled::Stale,
            None => Settled::Ask(0, Question::Flip),
        }
    }

    /// A pair is kept; the game goes on while tries are left.
    pub(super) fn follow_flip(&self, s: &State, cell: u8, out: &mut Out) {
        let Some(event) = s.tower.event() else { return };
        let Some(EventDetail::Pairs { board }) = &event.detail else { return };
        if event.counts[0] == 0 && event.open >> cell & 1 == 1 {
            out.first(Effect::AddCard { card: board[usize::from(cell).min(11)], up: 0 }.into());
        }
        if event.tries > 0 && self.closed_cells(s).next().is_some() {
            out.first(Effect::Flip.into());
        }
    }
}

/// A cell is opened; the first one of a try waits for the second.
fn flipped(s: &State, cell: usize) -> Option<Event> {
    let event = s.tower.event()?;
    let Some(EventDetail::Pairs { board }) = &event.detail else { return None };
    let card = *board.get(cell)?;
    let first = event.counts[0].checked_sub(1);
    let pair = first.filter(|first| board.get(usize::from(*first)) == Some(&card));
    Some(Event::Flipped { cell: cell as u8, card, pair })
}
