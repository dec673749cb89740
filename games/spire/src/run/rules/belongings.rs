//! Gold, hit points, relics, potions, cards: what the player has, and the relics that guard it.

use turnstone::{Listeners, Settled, Verdict};

use super::{Out, Outcome, fact};
use crate::run::effect::{Effect, Event};
use crate::run::rulebook::{Keepsake, Kind, Rulebook, empty_slot};
use crate::run::script::StepNo;
use crate::run::tower::{Screen, State};
use crate::seeds::{CardNo, FateChange, PotionNo, RelicNo, Room};
use crate::state::{NONE, Run};

impl Rulebook {
    pub(super) fn settle_belongings(&self, s: &State, effect: &Effect) -> Outcome {
        let run = &s.spire.run;
        match *effect {
            Effect::Gold(amount) if amount > 0 => fact(Event::GoldGained { amount }),
            Effect::LoseGold { amount, in_shop } => {
                let amount = amount.min(run.gold);
                if amount > 0 { fact(Event::GoldLost { amount, in_shop }) } else { Settled::Stale }
            }
            Effect::Heal(amount) => {
                let amount = amount.min(i32::from(run.max_hp - run.hp));
                if amount > 0 { fact(Event::Healed { amount }) } else { Settled::Stale }
            }
            Effect::Hurt { amount, .. } if amount > 0 => {
                fact(Event::Hurt { amount: amount.min(run.hp.into()) })
            }
            Effect::MaxHp(by) if by != 0 => {
                fact(Event::MaxHpChanged { by: by.max(1 - i32::from(run.max_hp)) })
            }
            Effect::GainRelic(relic) if relic == self.tables.circlet && self.count_of(run, relic) > 0 => {
                fact(Event::Counted { relic, to: self.count_of(run, relic) + 1 })
            }
            Effect::GainRelic(relic) => {
                fact(Event::RelicGained { relic, counter: self.first_counter(relic) })
            }
            Effect::LoseRelic(relic) if run.relics.iter().any(|r| r.id == relic.0) => {
                fact(Event::RelicLost { relic })
            }
            Effect::Count { relic, to } => fact(Event::Counted { relic, to }),
            Effect::GainPotion(potion) => match empty_slot(run) {
                Some(slot) => fact(Event::PotionGained { slot, potion }),
                None => Settled::Stale,
            },
            Effect::LosePotion(slot) if self.potion_at(s, slot).is_some() => fact(Event::PotionLost { slot }),
            Effect::Drink(slot) => match self.potion_at(s, slot) {
                Some(potion) => fact(Event::PotionDrunk { slot, potion }),
                None => Settled::Stale,
            },
            Effect::PotionSlots(more) => fact(Event::SlotsChanged { slots: run.potion_slots + more }),
            Effect::Key(key) => fact(Event::KeyGained { key }),
            _ => self.settle_cards(s, effect),
        }
    }

    fn settle_cards(&self, s: &State, effect: &Effect) -> Outcome {
        let deck = &s.spire.run.deck;
        let exists = |index: u16| usize::from(index) < deck.len();
        match *effect {
            Effect::AddCard { card, up } => {
                fact(Event::CardAdded { card, up, change: FateChange::default() })
            }
            Effect::RandomCurse => {
                let (card, change) = self.drawing(s, |fate| fate.random_curse(&self.tables));
                fact(Event::CurseDrawn { card, instead_of: None, change })
            }
            Effect::Remove(index) if exists(index) => {
                fact(Event::CardRemoved { index, card: CardNo(deck[usize::from(index)].id) })
            }
            Effect::Upgrade(index) if exists(index) && self.can_upgrade(&deck[usize::from(index)]) => {
                fact(Event::CardUpgraded { index })
            }
            Effect::Transform { index, upgraded, neow } if exists(index) => {
                let old = CardNo(deck[usize::from(index)].id);
                let (into, change) = self.drawing(s, |fate| {
                    if neow {
                        fate.neow_transform(&self.tables, old)
                    } else {
                        fate.event_transform(&self.tables, old)
                    }
                });
                if self.wards_off(s, into) {
                    return fact(Event::CurseDrawn { card: into, instead_of: Some(index), change });
                }
                let up = u8::from((upgraded || self.egg_for(s, into)) && self.card(into).upgradable);
                fact(Event::CardTransformed { index, from: old, into, up, change })
            }
            Effect::Copy(index) if exists(index) => fact(Event::CardCopied { index }),
            Effect::Bottle(index) if exists(index) => fact(Event::CardBottled { index }),
            _ => Settled::Stale,
        }
    }

    /// The potion in a slot.
    pub fn potion_at(&self, s: &State, slot: u8) -> Option<PotionNo> {
        let id = s.spire.run.potions.get(usize::from(slot))?;
        (*id != NONE).then_some(PotionNo(*id))
    }

    pub(super) fn follow_drink<E, L: Copy>(&self, s: &State, potion: PotionNo, out: &mut Out<'_, E, L>) {
        let Some(list) = self.book.drink(potion) else { return };
        let bark = self.owns(&s.spire.run, Keepsake::SacredBark);
        let list = if bark { list.with_bark } else { list.plain };
        self.book.list(list).for_each(|step: StepNo| out.push(Effect::Step(step)));
    }

    fn count_of(&self, run: &Run, relic: RelicNo) -> i16 {
        run.relics.iter().find(|r| r.id == relic.0).map_or(0, |r| r.counter)
    }

    /// Whether Omamori keeps a card out of the deck.
    fn wards_off(&self, s: &State, card: CardNo) -> bool {
        let charged = self.counter(&s.spire.run, Keepsake::Omamori).is_some_and(|left| left > 0);
        charged && self.card(card).kind == Kind::Curse
    }

    fn egg_for(&self, s: &State, card: CardNo) -> bool {
        let egg = match self.card(card).kind {
            Kind::Attack => Keepsake::MoltenEgg,
            Kind::Skill => Keepsake::ToxicEgg,
            Kind::Power => Keepsake::FrozenEgg,
            Kind::Curse | Kind::Status => return false,
        };
        self.owns(&s.spire.run, egg)
    }

    /// Whether a card comes into the deck upgraded although it was not offered so.
    pub(crate) fn comes_upgraded(&self, s: &State, card: CardNo) -> bool {
        self.card(card).upgradable && self.egg_for(s, card)
    }

    /// Relics that want to hear of an effect before it happens.
    pub fn before_listeners<L: Copy>(
        &self,
        s: &State,
        effect: &Effect,
        heard: &mut Listeners<L>,
        wrap: fn(Keepsake) -> L,
    ) {
        let candidates: &[Keepsake] = match effect {
            Effect::Gold(_) => &[Keepsake::Ectoplasm],
            Effect::GainPotion(_) => &[Keepsake::Sozu],
            Effect::Heal(_) => &[Keepsake::MarkOfTheBloom],
            Effect::Hurt { .. } => &[Keepsake::TungstenRod],
            Effect::AddCard { .. } => {
                &[Keepsake::Omamori, Keepsake::MoltenEgg, Keepsake::ToxicEgg, Keepsake::FrozenEgg]
            }
            Effect::Copy(_) => &[Keepsake::Omamori],
            Effect::Die => &[Keepsake::LizardTail],
            _ => return,
        };
        for &keepsake in candidates.iter().filter(|k| self.owns(&s.spire.run, **k)) {
            heard.push(0, wrap(keepsake));
        }
    }

    /// What a relic makes of an effect.
    pub fn before<E, L: Copy>(
        &self,
        keepsake: Keepsake,
        s: &State,
        effect: &mut Effect,
        out: &mut Out<'_, E, L>,
    ) -> Verdict {
        let run = &s.spire.run;
        let counter = self.counter(run, keepsake).unwrap_or(0);
        match (keepsake, effect) {
            (Keepsake::Ectoplasm | Keepsake::Sozu | Keepsake::MarkOfTheBloom, _) => Verdict::Cancelled,
            (Keepsake::TungstenRod, Effect::Hurt { amount, .. }) if *amount > 0 => {
                *amount -= 1;
                Verdict::Altered
            }
            (Keepsake::Omamori, effect) if self.entering(s, effect).is_some_and(|c| self.wards_off(s, c)) => {
                out.push(Effect::Count { relic: self.relic(keepsake), to: counter - 1 });
                Verdict::Replaced
            }
            (
                Keepsake::MoltenEgg | Keepsake::ToxicEgg | Keepsake::FrozenEgg,
                Effect::AddCard { card, up },
            ) if *up == 0 && self.hatches(keepsake, *card) => {
                *up = 1;
                Verdict::Altered
            }
            (Keepsake::LizardTail, Effect::Die)
                if counter != -2 && !self.owns(run, Keepsake::MarkOfTheBloom) =>
            {
                out.push(Effect::Count { relic: self.relic(keepsake), to: -2 });
                out.push(Effect::Heal((i32::from(run.max_hp) / 2).max(1)));
                Verdict::Replaced
            }
            _ => Verdict::Pass,
        }
    }

    /// The card that an effect would put into the deck.
    fn entering(&self, s: &State, effect: &Effect) -> Option<CardNo> {
        match *effect {
            Effect::AddCard { card, .. } => Some(card),
            Effect::Copy(index) => s.spire.run.deck.get(usize::from(index)).map(|c| CardNo(c.id)),
            _ => None,
        }
    }

    fn hatches(&self, egg: Keepsake, card: CardNo) -> bool {
        let facts = self.card(card);
        let kind = match egg {
            Keepsake::MoltenEgg => Kind::Attack,
            Keepsake::ToxicEgg => Kind::Skill,
            _ => Kind::Power,
        };
        facts.kind == kind && facts.upgradable
    }

    /// Relics that want to hear of a fact.
    pub fn after_listeners<L: Copy>(
        &self,
        s: &State,
        event: &Event,
        heard: &mut Listeners<L>,
        wrap: fn(Keepsake) -> L,
    ) {
        let candidates: &[Keepsake] = match event {
            Event::GoldGained { .. } => &[Keepsake::BloodyIdol],
            Event::GoldLost { in_shop: true, .. } => &[Keepsake::MawBank],
            Event::CardAdded { .. } | Event::CardCopied { .. } | Event::CardTransformed { .. } => {
                &[Keepsake::CeramicFish, Keepsake::DarkstonePeriapt]
            }
            Event::Moved { .. } => &[Keepsake::MawBank, Keepsake::SsserpentHead],
            Event::PotionDrunk { .. } => &[Keepsake::ToyOrnithopter],
            Event::ChestUnlocked { .. } => &[Keepsake::CursedKey],
            Event::Opened { screen, .. } => match **screen {
                Screen::Shop(_) => &[Keepsake::MealTicket],
                Screen::Rest => &[Keepsake::EternalFeather, Keepsake::AncientTeaSet],
                _ => return,
            },
            _ => return,
        };
        for &keepsake in candidates.iter().filter(|k| self.owns(&s.spire.run, **k)) {
            heard.push(0, wrap(keepsake));
        }
    }

    /// How a relic reacts to a fact.
    pub fn after<E, L: Copy>(&self, keepsake: Keepsake, s: &State, event: &Event, out: &mut Out<'_, E, L>) {
        let run = &s.spire.run;
        let counter = self.counter(run, keepsake).unwrap_or(0);
        match (keepsake, event) {
            (Keepsake::BloodyIdol | Keepsake::ToyOrnithopter, _) => out.push(Effect::Heal(5)),
            (Keepsake::MawBank, Event::GoldLost { .. }) if counter != -2 => {
                out.push(Effect::Count { relic: self.relic(keepsake), to: -2 });
            }
            (Keepsake::MawBank, Event::Moved { .. }) if counter != -2 => out.push(Effect::Gold(12)),
            (Keepsake::SsserpentHead, Event::Moved { .. }) if s.tower.shown_room() == Some(Room::Event) => {
                out.push(Effect::Gold(50));
            }
            (Keepsake::CeramicFish, _) => out.push(Effect::Gold(9)),
            (Keepsake::DarkstonePeriapt, event) if self.brings_curse(s, event) => out.push(Effect::MaxHp(6)),
            (Keepsake::MealTicket, _) => out.push(Effect::Heal(15)),
            (Keepsake::EternalFeather, _) => out.push(Effect::Heal(3 * (run.deck.len() as i32 / 5))),
            (Keepsake::AncientTeaSet, _) => {
                out.push(Effect::Count { relic: self.relic(keepsake), to: -2 });
            }
            (Keepsake::CursedKey, _) => out.push(Effect::RandomCurse),
            _ => {}
        }
    }

    fn brings_curse(&self, s: &State, event: &Event) -> bool {
        let card = match event {
            Event::CardAdded { card, .. } => *card,
            Event::CardTransformed { into, .. } => *into,
            Event::CardCopied { index } => {
                CardNo(s.spire.run.deck.get(usize::from(*index)).map_or(NONE, |c| c.id))
            }
            _ => return false,
        };
        self.card(card).kind == Kind::Curse
    }
}
