//! Gold, hit points, relics, potions, cards: what the player has, and the relics that guard it.

use smallvec::{SmallVec, smallvec};
use turnstone::{Settled, Verdict};

use super::{Out, Outcome, fact};
use crate::catalog::words::{Moment, Prevent, Stage};
use crate::effect::Hearer;
use crate::game::Heard;
use crate::run::effect::Effect;
use crate::run::entries::Ward;
use crate::run::event::Event;
use crate::run::journey::Journey;
use crate::run::tower::Screen;
use crate::seeds::{CardNo, PotionNo, RelicNo, Room};
use crate::state::State;
use crate::state::{DeckCard, NONE, Run};

impl Journey<'_> {
    pub(super) fn settle_max_hp(&self, s: &State, by: i32) -> Outcome {
        if by == 0 {
            return Settled::Stale;
        }
        let by = by.max(1 - i32::from(s.run.max_hp));
        fact(Event::MaxHpChanged { by, healed: self.altered(s, Stage::Heal, by.max(0)) })
    }

    /// What is owned is not obtained again: there is a Circlet instead, and a second one counts up the first.
    pub(super) fn settle_relic(&self, run: &Run, relic: RelicNo) -> Outcome {
        let owned = |relic: RelicNo| run.relics.iter().any(|held| held.id == relic.0);
        let stand_in = self.tables.stand_in;
        match relic {
            _ if usize::from(relic) >= self.tables.relics.len() => Settled::Stale,
            relic if !owned(relic) => fact(self.relic_gained(run, relic)),
            _ if owned(stand_in) => {
                fact(Event::Counted { relic: stand_in, to: self.count_of(run, stand_in).saturating_add(1) })
            }
            _ => fact(self.relic_gained(run, stand_in)),
        }
    }

    /// A relic is obtained, in the place of the one it stands for if that is owned.
    fn relic_gained(&self, run: &Run, relic: RelicNo) -> Event {
        let owned = |old: &RelicNo| run.relics.iter().any(|held| held.id == old.0);
        let instead_of = self.replaced_by(relic).filter(owned);
        Event::RelicGained { relic, counter: self.first_counter(relic), instead_of }
    }

    pub(super) fn settle_transform(&self, s: &State, index: u16, upgraded: bool, neow: bool) -> Outcome {
        let Some(old) = s.run.deck.get(usize::from(index)).map(|card| CardNo(card.id)) else {
            return Settled::Stale;
        };
        let (into, change) = self.drawing(s, |fate| match neow {
            true => fate.neow_transform(&self.tables, old),
            false => fate.event_transform(&self.tables, old),
        });
        if self.wards_off(s, into) {
            return fact(Event::CurseDrawn { card: into, instead_of: Some(index), change });
        }
        let up = u8::from((upgraded && self.card(into).upgradable) || self.comes_upgraded(s, into));
        fact(Event::CardTransformed { index, from: old, into, up, change })
    }

    /// The potion in a slot.
    pub(crate) fn potion_at(&self, s: &State, slot: u8) -> Option<PotionNo> {
        let id = s.run.potions.get(usize::from(slot))?;
        (*id != NONE).then_some(PotionNo(*id))
    }

    pub(super) fn follow_drink(&self, potion: PotionNo, out: &mut Out) {
        let Some(program) = self.drink(potion) else { return };
        self.push_program(program, 0, out);
    }

    fn count_of(&self, run: &Run, relic: RelicNo) -> i16 {
        run.relics.iter().find(|r| r.id == relic.0).map_or(0, |r| r.counter)
    }

    /// Whether a relic keeps a card out of the deck.
    fn wards_off(&self, s: &State, card: CardNo) -> bool {
        let run = &s.run;
        let mut wards = run.relics.iter().map(|owned| RelicNo(owned.id));
        wards.any(|relic| self.ward(s, relic, Prevent::CardObtained, Some(entering(card))).is_some())
    }

    /// Whether a card comes into the deck upgraded although it was not offered so.
    pub(crate) fn comes_upgraded(&self, s: &State, card: CardNo) -> bool {
        let run = &s.run;
        let hears = |relic: u16| self.hears(relic, Moment::CardObtaining);
        run.relics.iter().any(|owned| hears(owned.id) && self.hatches(s, owned.id, card, 0))
    }

    /// Relics that want to hear of an effect before it happens.
    pub(crate) fn before_listeners(&self, s: &State, effect: &Effect, heard: &mut Heard) {
        let (stage, what) = match effect {
            Effect::Gold(_) => (None, Some(Prevent::Gold)),
            Effect::GainPotion(_) => (None, Some(Prevent::Potion)),
            Effect::Heal(_) => (Some(Stage::Heal), None),
            Effect::Hurt { .. } => (Some(Stage::HpLoss), None),
            Effect::AddCard { .. } | Effect::Copy(_) => (None, Some(Prevent::CardObtained)),
            Effect::Die => (None, Some(Prevent::Death)),
            _ => return,
        };
        let eggs = matches!(effect, Effect::AddCard { .. });
        for owned in &s.run.relics {
            let egg = eggs && self.hears(owned.id, Moment::CardObtaining);
            if egg || self.minds(owned.id, stage, what) {
                heard.push(0, Hearer::Run(RelicNo(owned.id)));
            }
        }
    }

    /// What a relic makes of an effect.
    pub fn before(&self, relic: RelicNo, s: &State, effect: &mut Effect, out: &mut Out) -> Verdict {
        match effect {
            Effect::Gold(_) => self.stop(s, relic, self.ward(s, relic, Prevent::Gold, None), out),
            Effect::GainPotion(_) => self.stop(s, relic, self.ward(s, relic, Prevent::Potion, None), out),
            Effect::Heal(amount) => match self.altered_by(s, relic, Stage::Heal, *amount) {
                healed if healed <= 0 => Verdict::Cancelled,
                healed => change(amount, healed),
            },
            Effect::Hurt { amount, .. } => {
                let lost = self.altered_by(s, relic, Stage::HpLoss, *amount);
                change(amount, lost)
            }
            Effect::AddCard { .. } | Effect::Copy(_) => self.before_card(relic, s, effect, out),
            Effect::Die => self.stop(s, relic, self.ward(s, relic, Prevent::Death, None), out),
            _ => Verdict::Pass,
        }
    }

    /// A relic stops something, if it does: what it spends goes, and what it does instead happens.
    fn stop(&self, s: &State, relic: RelicNo, ward: Option<Ward>, out: &mut Out) -> Verdict {
        let Some(ward) = ward else { return Verdict::Pass };
        if ward.spends != 0 {
            let to = self.count_of(&s.run, relic).saturating_sub(ward.spends);
            out.first(Effect::Count { relic, to }.into());
        }
        self.push_program(ward.program, 0, out);
        if out.is_empty() { Verdict::Cancelled } else { Verdict::Replaced }
    }

    /// A card is kept out of the deck, or enters it upgraded.
    fn before_card(&self, relic: RelicNo, s: &State, effect: &mut Effect, out: &mut Out) -> Verdict {
        let Some(card) = self.entering(s, effect) else { return Verdict::Pass };
        let ward = self.ward(s, relic, Prevent::CardObtained, Some(entering(card)));
        if ward.is_some() {
            return self.stop(s, relic, ward, out);
        }
        match effect {
            Effect::AddCard { up, .. } if *up == 0 && self.hatches(s, relic.0, card, 0) => {
                *up = 1;
                Verdict::Altered
            }
            _ => Verdict::Pass,
        }
    }

    /// The card that an effect would put into the deck.
    fn entering(&self, s: &State, effect: &Effect) -> Option<CardNo> {
        match *effect {
            Effect::AddCard { card, .. } => Some(card),
            Effect::Copy(index) => s.run.deck.get(usize::from(index)).map(|c| CardNo(c.id)),
            _ => None,
        }
    }

    /// The moments that relics know a fact by: which, with which number and which card.
    fn moments(&self, s: &State, event: &Event) -> SmallVec<[(Moment, i32, Option<DeckCard>); 2]> {
        let plain =
            |moment| -> SmallVec<[(Moment, i32, Option<DeckCard>); 2]> { smallvec![(moment, 0, None)] };
        let new = |card: CardNo| smallvec![(Moment::CardObtained, 0, Some(entering(card)))];
        match event {
            Event::GoldGained { amount } => smallvec![(Moment::GoldGained, *amount, None)],
            Event::GoldLost { in_shop: true, .. } => plain(Moment::GoldSpent),
            Event::CardAdded { card, .. } => new(*card),
            Event::CardTransformed { into, .. } => new(*into),
            Event::CardCopied { index, .. } => {
                s.run.deck.get(usize::from(*index)).map(|c| new(CardNo(c.id))).unwrap_or_default()
            }
            Event::Moved { boots, .. } => {
                let mut heard = plain(Moment::RoomEntered);
                if s.tower.shown_room() == Some(Room::Event) {
                    heard.push((Moment::QuestionRoom, 0, None));
                }
                if *boots {
                    heard.push((Moment::Flown, 0, None));
                }
                heard
            }
            Event::Arrived { .. } if s.tower.shown_room() == Some(Room::Event) => {
                plain(Moment::QuestionAnswered)
            }
            Event::PotionDrunk { .. } => plain(Moment::PotionUsed),
            Event::ChestUnlocked { .. } => plain(Moment::ChestOpened),
            Event::Opened { screen, .. } => match **screen {
                Screen::Shop(_) => plain(Moment::ShopEntered),
                Screen::Rest => plain(Moment::RestSiteEntered),
                _ => SmallVec::new(),
            },
            _ => SmallVec::new(),
        }
    }

    /// Relics that want to hear of a fact.
    pub(crate) fn after_listeners(&self, s: &State, event: &Event, heard: &mut Heard) {
        let moments = self.moments(s, event);
        if moments.is_empty() {
            return;
        }
        for owned in &s.run.relics {
            if moments.iter().any(|(moment, ..)| self.hears(owned.id, *moment)) {
                heard.push(0, Hearer::Run(RelicNo(owned.id)));
            }
        }
    }

    /// How a relic reacts to a fact.
    pub fn after(&self, relic: RelicNo, s: &State, event: &Event, out: &mut Out) {
        for (moment, number, card) in self.moments(s, event) {
            for program in self.deeds(s, relic, moment, number, card) {
                self.push_program(program, number, out);
            }
        }
    }
}

/// A number on its way becomes another.
fn change(number: &mut i32, to: i32) -> Verdict {
    if *number == to {
        return Verdict::Pass;
    }
    *number = to;
    Verdict::Altered
}

/// A card as it enters the deck.
fn entering(card: CardNo) -> DeckCard {
    crate::run::entries::entering(card, 0)
}
