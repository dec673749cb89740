//! Steps between fights: what a step draws, and the effects it stands for.

use std::collections::BTreeSet;

use smallvec::SmallVec;
use turnstone::Settled;

use super::drawn::{drawn_card, drawn_potion_slot, drawn_potions};
use super::{Out, Outcome, deck_where, fact};
use crate::catalog::compile::{Gift, Num, Op, Picking, Program, Select};
use crate::catalog::verb::only_in_fights;
use crate::catalog::words::{self, Drawn, Pool, Zone};
use crate::eval::Env;
use crate::run::effect::{Effect, Pick, Purpose, StepAt};
use crate::run::event::{Event, Find, Lot};
use crate::run::journey::Journey;
use crate::run::tower::{FightKind, Reward};
use crate::seeds::{
    CardNo, CardOdds, CardOffer, EventDetail, Fate, FightNo, Rarity, RelicNo, Tier, java_shuffle,
};
use crate::state::{DeckCard, NONE, State};

/// What a step drew: a number, and what else.
type Draws = (i32, Lot);

fn number(value: i32) -> Draws {
    (value, Lot::Nothing)
}

/// The tier that relics of a rarity are found by.
pub(super) fn tier(rarity: words::Rarity) -> Tier {
    match rarity {
        words::Rarity::Uncommon => Tier::Uncommon,
        words::Rarity::Rare => Tier::Rare,
        _ => Tier::Common,
    }
}

impl Journey<'_> {
    /// A step happens. Every word has its line, so that a new one is not forgotten.
    pub(super) fn settle_step(&self, s: &State, step: StepAt, event: i32) -> Outcome {
        let Some(op) = self.step(step) else { return Settled::Stale };
        let at = self.within(s, step.program, event);
        let draw = |draws: &dyn Fn(&mut Fate) -> Draws| {
            let ((value, drawn), change) = self.drawing(s, draws);
            fact(Event::Stepped { step, number: event, value, drawn, change })
        };
        let amount = |num: Num| draw(&|fate| number(self.amount(num, &at, fate)));
        match op {
            Op::Gold { amount: n }
            | Op::Heal { amount: n, .. }
            | Op::Damage { amount: n, .. }
            | Op::LoseHp { amount: n, .. }
            | Op::MaxHp { amount: n }
            | Op::Counter { amount: n } => amount(*n),
            Op::Obtain { count, .. } => amount(*count),
            Op::Repeat { times, .. } => amount(*times),
            Op::If { condition, .. } => amount(Num::Expr(*condition)),
            Op::Chance { percent, .. } => draw(&|fate| {
                let percent = self.amount(*percent, &at, fate);
                number(i32::from(fate.streams.misc.percent() < percent))
            }),
            Op::OneOf { lists } => draw(&|fate| number(fate.streams.misc.index(lists.len()) as i32)),
            Op::GainRelic { relics, new } => {
                draw(&|fate| (0, Lot::Relic(RelicNo(self.one_relic_of(s, relics, *new, fate)))))
            }
            Op::RandomRelic => draw(&|fate| {
                let relic = self.with_holder(s, |holder| fate.event_relic(&self.tables, holder));
                (0, Lot::Relic(relic))
            }),
            Op::Upgrade { cards } => {
                draw(&|fate| (0, Lot::Places(self.random_cards(cards, Purpose::Upgrade, &at, fate))))
            }
            Op::Remove { cards } => {
                draw(&|fate| (0, Lot::Places(self.random_cards(cards, Purpose::Remove, &at, fate))))
            }
            Op::ObtainRandom { pool, count, filter } => draw(&|fate| {
                let count = self.amount(*count, &at, fate).clamp(0, 99);
                (count, Lot::Cards(self.random_finds(*pool, count, *filter, &at, fate)))
            }),
            Op::GainPotion { count } => draw(&|fate| {
                let empty = s.run.potions.iter().filter(|p| **p == NONE).count() as i32;
                let count = self.amount(*count, &at, fate).clamp(0, empty);
                (0, Lot::Potions((0..count).map(|_| fate.roll_potion(&self.tables)).collect()))
            }),
            Op::OfferCards { count } => {
                let (cards, change) = self.drawing(s, |fate| {
                    let count = self.amount(*count, &at, fate).clamp(0, 60) as usize;
                    self.library(count, fate)
                });
                fact(Event::CardsOffered { cards, change })
            }
            Op::DrawRelics { count } => {
                let (relics, change) = self.drawing(s, |fate| {
                    let mut relics: SmallVec<[RelicNo; 2]> =
                        s.run.relics.iter().map(|relic| RelicNo(relic.id)).collect();
                    java_shuffle(&mut relics, fate.streams.misc.long());
                    relics.truncate(self.amount(*count, &at, fate).clamp(0, 2) as usize);
                    relics
                });
                fact(Event::RelicsDrawn { relics, change })
            }
            Op::SearchFinds { percent } => {
                let (find, change) = self.drawing(s, |fate| self.search(s, *percent, &at, fate));
                match find {
                    Some(find) => fact(Event::Searched { step, find, change }),
                    None => Settled::Stale,
                }
            }
            Op::SetVar { var, to } => {
                let to = self.game.num(*to, &at).clamp(0, 255) as u8;
                fact(Event::VarSet { var: *var as u8, to })
            }
            Op::Reward { what, count } => self.settle_prize(s, *what, *count, &at),
            // Nothing is drawn.
            Op::LoseRelic { .. }
            | Op::Transform { .. }
            | Op::Duplicate { .. }
            | Op::Bottle { .. }
            | Op::Burn { .. }
            | Op::Fight { .. }
            | Op::Goto { .. }
            | Op::LoseDrawn { .. }
            | Op::Pairs
            | Op::ToTheBoss => draw(&|_| number(0)),
            only_in_fights!() => Settled::Stale,
        }
    }

    /// Something is offered on a screen of rewards.
    fn settle_prize(&self, s: &State, what: Gift, count: Num, at: &Env<'_>) -> Outcome {
        let (rewards, change) = self.drawing(s, |fate| {
            let count = self.amount(count, at, fate).clamp(0, 20);
            if let Gift::Drawn = what {
                return drawn_potions(s);
            }
            (0..count).filter_map(|_| self.prize(s, what, at, fate)).collect::<Vec<Reward>>()
        });
        if rewards.is_empty() { Settled::Stale } else { fact(Event::RewardsAdded { rewards, change }) }
    }

    fn prize(&self, s: &State, what: Gift, at: &Env<'_>, fate: &mut Fate) -> Option<Reward> {
        Some(match what {
            Gift::Cards => Reward::Cards(self.card_offer(s, fate, CardOdds::Normal)),
            Gift::Colorless => Reward::Cards(self.colorless_offer(s, fate)),
            Gift::Potion => Reward::Potion(fate.roll_potion(&self.tables)),
            Gift::Gold(amount) => match self.amount(amount, at, fate) {
                gold @ 1.. => Reward::Gold(gold as u32),
                _ => return None,
            },
            Gift::Relic(None) => {
                Reward::Relic(self.with_holder(s, |holder| fate.found_relic(&self.tables, holder)))
            }
            Gift::Relic(Some(rarity)) => Reward::Relic(
                self.with_holder(s, |holder| fate.screenless_relic(&self.tables, holder, tier(rarity))),
            ),
            Gift::Drawn => return None,
        })
    }

    fn colorless_offer(&self, s: &State, fate: &mut Fate) -> CardOffer {
        let mut offer = fate.colorless_reward(&self.tables, self.offer_size(s));
        for offered in &mut offer {
            offered.upgraded |= self.comes_upgraded(s, offered.card);
        }
        offer
    }

    fn one_relic_of(&self, s: &State, relics: &[u16], new: bool, fate: &mut Fate) -> u16 {
        let owned = |relic: &u16| s.run.relics.iter().any(|r| r.id == *relic);
        match (relics, new) {
            ([only], false) => *only,
            ([], _) => self.tables.stand_in.0,
            (some, false) => some[fate.streams.misc.index(some.len())],
            (some, true) => {
                let mut left: Vec<u16> = some.iter().copied().filter(|relic| !owned(relic)).collect();
                java_shuffle(&mut left, fate.streams.misc.long());
                left.first().copied().unwrap_or(self.tables.stand_in.0)
            }
        }
    }

    /// Random cards of the deck for a purpose, if they are picked so.
    fn random_cards(
        &self,
        cards: &Select,
        purpose: Purpose,
        at: &Env<'_>,
        fate: &mut Fate,
    ) -> SmallVec<[u16; 4]> {
        let Picking::Random(count) = cards.how else { return SmallVec::new() };
        let count = self.amount(count, at, fate).clamp(0, 99) as usize;
        let mut fitting: Vec<u16> = self.all_cards(cards, purpose, at).collect();
        java_shuffle(&mut fitting, fate.streams.misc.long());
        fitting.into_iter().take(count).collect()
    }

    /// The cards of the deck that fit a purpose and pass the filter.
    fn all_cards<'s>(
        &'s self,
        cards: &'s Select,
        purpose: Purpose,
        at: &'s Env<'s>,
    ) -> impl DoubleEndedIterator<Item = u16> + 's {
        deck_where(at.s, move |card| self.suits(card, purpose) && self.passes(cards.filter, *card, at))
    }

    /// So many different cards, by their rarity; all there are, if these are fewer.
    fn library(&self, count: usize, fate: &mut Fate) -> Vec<CardNo> {
        let lists = &self.tables.of(fate.character).by_rarity;
        let mut cards: Vec<CardNo> = Vec::new();
        let different: BTreeSet<CardNo> = lists.iter().flatten().copied().collect();
        while cards.len() < count.min(different.len()) {
            let rarity = match fate.streams.card.percent() + i32::from(fate.drift.rarity_offset) {
                r if r < 3 => Rarity::Rare,
                r if r < 40 => Rarity::Uncommon,
                _ => Rarity::Common,
            };
            let list = &lists[rarity as usize];
            let fresh = |card: &CardNo| !cards.contains(card);
            let card = if list.iter().any(fresh) {
                list[fate.streams.card.index(list.len())]
            } else {
                // This rarity has given all it has, and others may never come up.
                let left: Vec<CardNo> = different.iter().copied().filter(fresh).collect();
                left[fate.streams.card.index(left.len())]
            };
            if fresh(&card) {
                cards.push(card);
            }
        }
        cards
    }

    /// Random cards for the deck; curses are drawn when they come.
    fn random_finds(
        &self,
        pool: Pool,
        count: i32,
        filter: Option<u16>,
        at: &Env<'_>,
        fate: &mut Fate,
    ) -> SmallVec<[CardNo; 4]> {
        let fits = |card: &CardNo| self.passes(filter, entering(*card), at);
        let of = |character| self.tables.of(character).any.iter();
        let mut drawn = SmallVec::new();
        let list: Vec<CardNo> = match pool {
            Pool::Curse => return drawn,
            Pool::Colorless => {
                drawn.extend((0..count).filter_map(|_| fate.colorless_where(&self.tables, fits)));
                return drawn;
            }
            Pool::Class => of(fate.character).copied().filter(fits).collect(),
            Pool::AnyClass => self
                .tables
                .everybody
                .iter()
                .flat_map(|character| of(*character))
                .copied()
                .filter(fits)
                .collect(),
        };
        if !list.is_empty() {
            drawn.extend((0..count).map(|_| list[fate.streams.card_random.index(list.len())]));
        }
        drawn
    }

    /// What a search finds, if there is anything to search.
    fn search(&self, s: &State, percent: Num, at: &Env<'_>, fate: &mut Fate) -> Option<Find> {
        let event = s.tower.event()?;
        let Some(EventDetail::GuardedFinds { order, .. }) = &event.detail else { return None };
        let percent = self.amount(percent, at, fate);
        if fate.streams.misc.percent() < percent {
            return Some(Find::Guardian);
        }
        Some(match order[usize::from(event.counts[0]).min(2)] {
            0 => Find::Gold,
            2 => Find::Relic(self.with_holder(s, |holder| fate.event_relic(&self.tables, holder))),
            _ => Find::Nothing,
        })
    }

    /// Who guards the finds of the event.
    pub(super) fn guardian(&self, s: &State) -> FightNo {
        match s.tower.event().and_then(|e| e.detail.as_ref()) {
            Some(EventDetail::GuardedFinds { guardian, .. }) => *guardian,
            _ => FightNo::default(),
        }
    }

    /// The guardian leaves what was not found, and some gold of its own.
    pub(super) fn guarded_pay(&self, s: &State, fate: &mut Fate, list: &mut Vec<Reward>) {
        let Some(event) = s.tower.event() else { return };
        let Some(EventDetail::GuardedFinds { order, .. }) = &event.detail else { return };
        let left = &order[usize::from(event.counts[0]).min(3)..];
        let purse = if left.contains(&0) { FOUND_GOLD } else { 0 };
        list.push(Reward::Gold(self.gold_reward(s, fate.elite_gold() + purse)));
        if left.contains(&2) {
            let relic = self.with_holder(s, |holder| fate.event_relic(&self.tables, holder));
            list.push(Reward::Relic(relic));
        }
    }

    /// What follows from a search.
    pub(super) fn follow_search(&self, step: StepAt, find: Find, out: &mut Out) {
        let found = match find {
            Find::Guardian => Effect::Fight(FightKind::Event(step)),
            Find::Gold => Effect::Gold(FOUND_GOLD as i32),
            Find::Relic(relic) => Effect::GainRelic(relic),
            Find::Nothing => return,
        };
        out.first(found.into());
    }

    /// The effects a step stands for. Every word has its line, so that a new one is not forgotten.
    pub(super) fn follow_step(
        &self,
        s: &State,
        step: StepAt,
        event: i32,
        (value, drawn): (i32, &Lot),
        out: &mut Out,
    ) {
        let Some(op) = self.step(step) else { return };
        let at = self.within(s, step.program, event);
        let pick = |purpose| Effect::Pick(Pick { purpose, of: Some(step) });
        let effect = match op {
            Op::Gold { .. } if value < 0 => {
                Effect::LoseGold { amount: value.saturating_neg(), in_shop: false }
            }
            Op::Gold { .. } => Effect::Gold(value),
            Op::Heal { .. } => Effect::Heal(value),
            Op::Damage { times, .. } => {
                let hits = self.game.num(*times, &at).clamp(0, 99);
                return all((0..hits).map(|_| Effect::Hurt { amount: value, blow: true }), out);
            }
            Op::LoseHp { .. } => Effect::Hurt { amount: value, blow: false },
            Op::MaxHp { .. } => Effect::MaxHp(value),
            Op::GainRelic { .. } | Op::RandomRelic => match drawn {
                Lot::Relic(relic) => Effect::GainRelic(*relic),
                Lot::Nothing | Lot::Cards(_) | Lot::Potions(_) | Lot::Places(_) => return,
            },
            Op::LoseRelic { relic } => Effect::LoseRelic(self.named_or_starter(s, *relic)),
            Op::Counter { .. } => match self.speaker(step.program) {
                Some(relic) => Effect::Count { relic, to: value.clamp(-30_000, 30_000) as i16 },
                None => return,
            },
            Op::Fight { .. } => Effect::Fight(FightKind::Event(step)),
            Op::Goto { node } => Effect::Goto(*node),
            Op::Pairs => Effect::Flip,
            Op::Burn { gift } => Effect::Pick(Purpose::Burn { gift: RelicNo(*gift) }.into()),
            Op::If { then, otherwise, .. } => {
                return self.push_program(if value != 0 { *then } else { *otherwise }, event, out);
            }
            Op::Chance { hit, miss, .. } => {
                return self.push_program(if value == 1 { *hit } else { *miss }, event, out);
            }
            Op::OneOf { lists } => {
                let list = lists.get(value as usize % lists.len().max(1)).copied().unwrap_or_default();
                return self.push_program(list, event, out);
            }
            Op::Repeat { program, .. } => {
                return (0..value.clamp(0, 99)).for_each(|_| self.push_program(*program, event, out));
            }
            Op::Obtain { card, .. } => return add(value, CardNo(*card), out),
            Op::ObtainRandom { pool: Pool::Curse, .. } => {
                return all((0..value).map(|_| Effect::RandomCurse), out);
            }
            Op::ObtainRandom { .. } => {
                return all(drawn.cards().iter().map(|&card| Effect::AddCard { card, up: 0 }), out);
            }
            Op::GainPotion { .. } => {
                return all(drawn.potions().iter().map(|&potion| Effect::GainPotion(potion)), out);
            }
            Op::Upgrade { cards } => match cards.how {
                Picking::Random(_) => {
                    return all(drawn.places().iter().map(|&index| Effect::Upgrade(index)), out);
                }
                Picking::All if cards.from == Zone::Deck => {
                    return all(self.all_cards(cards, Purpose::Upgrade, &at).map(Effect::Upgrade), out);
                }
                how => return self.choose(how, pick(Purpose::Upgrade), &at, out),
            },
            Op::Remove { cards } => match cards.how {
                Picking::Random(_) => {
                    let mut cards: SmallVec<[u16; 4]> = drawn.places().into();
                    cards.sort_unstable();
                    return remove(cards.into_iter(), out);
                }
                Picking::All => return remove(self.passing(cards.filter, &at).into_iter(), out),
                how => return self.choose(how, pick(Purpose::Remove), &at, out),
            },
            Op::Duplicate { cards } => return self.choose(cards.how, pick(Purpose::Duplicate), &at, out),
            Op::Bottle { cards } => return self.choose(cards.how, pick(Purpose::Bottle), &at, out),
            Op::Transform { cards, upgraded, gift } => {
                let deck = s.run.deck.len() as u16;
                let count = self.chosen(cards.how, &at);
                let purpose = |old| Purpose::Transform { upgraded: *upgraded, neow: *gift, old };
                // Each transformation takes one of the old cards away, whatever comes of it.
                return all((0..count).map(|done| pick(purpose(deck.saturating_sub(done)))), out);
            }
            Op::LoseDrawn { what } => return all(self.lost(s, *what).into_iter(), out),
            Op::ToTheBoss => return all([Effect::Close, Effect::ToTheBoss].into_iter(), out),
            // They are facts of their own.
            Op::OfferCards { .. }
            | Op::DrawRelics { .. }
            | Op::SearchFinds { .. }
            | Op::SetVar { .. }
            | Op::Reward { .. } => return,
            only_in_fights!() => return,
        };
        out.first(effect.into());
    }

    /// How many cards the player chooses.
    fn chosen(&self, how: Picking, at: &Env<'_>) -> u16 {
        match how {
            Picking::Choose(count) => self.game.num(count, at).clamp(0, 20) as u16,
            Picking::All | Picking::UpTo(_) | Picking::Random(_) | Picking::Top(_) => 0,
        }
    }

    /// The player chooses so many cards.
    fn choose(&self, how: Picking, pick: Effect, at: &Env<'_>, out: &mut Out) {
        all((0..self.chosen(how, at)).map(|_| pick), out);
    }

    /// What becomes of something that the event drew.
    fn lost(&self, s: &State, what: Drawn) -> Option<Effect> {
        let relic = |nth: usize| s.tower.event().and_then(|event| event.relics.get(nth)).copied();
        match what {
            Drawn::FirstRelic => relic(0).map(Effect::LoseRelic),
            Drawn::SecondRelic => relic(1).map(Effect::LoseRelic),
            Drawn::Potion => drawn_potion_slot(s).map(Effect::LosePotion),
            Drawn::Gold => Some(Effect::LoseGold { amount: super::drawn::drawn_gold(s), in_shop: false }),
            Drawn::Attack
            | Drawn::Skill
            | Drawn::Power
            | Drawn::Card
            | Drawn::Nothing
            | Drawn::UpgradeOne
            | Drawn::UpgradeTwo
            | Drawn::CleanRemoves
            | Drawn::CleanTransforms => drawn_card(s, what).map(Effect::Remove),
        }
    }

    /// The steps of a program, before all that waits; `number` is that of what they follow from.
    pub(super) fn push_program(&self, program: Program, number: i32, out: &mut Out) {
        all(self.effects(program, number), out);
    }

    /// The steps of a program as effects.
    pub(super) fn effects(&self, program: Program, number: i32) -> impl Iterator<Item = Effect> + use<> {
        let count = self.steps(program).len() as u8;
        (0..count).map(move |pc| Effect::Step { step: StepAt { program, pc }, number })
    }
}

/// The gold among an event's finds.
const FOUND_GOLD: u32 = 30;

/// One after another, before all that waits.
fn all(effects: impl Iterator<Item = Effect>, out: &mut Out) {
    effects.for_each(|effect| {
        out.first(effect.into());
    });
}

/// So many copies of a card enter the deck.
fn add(count: i32, card: CardNo, out: &mut Out) {
    all((0..count.clamp(0, 99)).map(|_| Effect::AddCard { card, up: 0 }), out);
}

/// Cards leave the deck from its end, so that positions stay true.
fn remove(cards: impl DoubleEndedIterator<Item = u16>, out: &mut Out) {
    all(cards.rev().map(Effect::Remove), out);
}

/// A card as it enters the deck.
fn entering(card: CardNo) -> DeckCard {
    crate::run::entries::entering(card, 0)
}
