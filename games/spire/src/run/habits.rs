//! What relics, potions and cards do outside of fights, read off their entries in the catalog.
//!
//! An entry is the one home of its numbers: the text of a relic, what it does in fights and what it does on the way
//! are made from the same lines. Here their steps become steps of the run, and their values are read from it.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::journey::Journey;
use super::rulebook::Rulebook;
use super::script::{Amount, Book, KindWord, ListNo, Op};
use crate::catalog::Problem;
use crate::catalog::compile::{
    Alter, Alteration, Catalog, Ears, Gift, Node, Num, Op as Told, Picking, Program, RelicInfo, Select, Val,
};
use crate::catalog::expr::Read;
use crate::catalog::words::{Flag, Moment, Pool, Prevent, Rarity as Word, Stage, Zone};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::seeds::{CardNo, PotionNo, RelicNo, Tier};
use crate::state::{Card, DeckCard, NO_CARD, NOBODY, PLAYER, State};

/// Steps at a moment.
#[derive(Clone, Debug)]
struct Deed {
    moment: Moment,
    when: Option<u16>,
    steps: ListNo,
}

/// Something that is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ward {
    what: Prevent,
    when: Option<u16>,
    /// How far the counter falls.
    pub(super) spends: i16,
    /// What happens instead.
    pub(super) steps: ListNo,
}

/// What one relic does outside of fights; what it alters, its flags and what it stops are read off its entry.
#[derive(Clone, Debug, Default)]
struct Habit {
    moments: u128,
    deeds: Vec<Deed>,
    wards: Vec<Ward>,
    /// What it offers at campfires: its name, when, and what it does.
    at_fire: Option<(String, Option<u16>, ListNo)>,
    for_cards: Option<ListNo>,
}

/// What all entries do outside of fights, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    relics: Vec<Habit>,
    cards: BTreeMap<CardNo, Vec<Deed>>,
    saviours: BTreeMap<PotionNo, (Option<u16>, ListNo)>,
}

/// A card as it enters the deck.
fn entering(card: CardNo, up: u8) -> DeckCard {
    DeckCard { id: card.0, up, bottled: false, grown: 0 }
}

impl Rulebook {
    /// Learns what the entries of a catalog do outside of fights.
    ///
    /// # Errors
    /// A relic that would do on the way what only fights know.
    pub(super) fn learn(&mut self, catalog: &Catalog) -> Result<(), Vec<Problem>> {
        let book = &mut self.book;
        let mut student = Student { catalog, book, habits: Habits::default() };
        let learnt = student.everything();
        let habits = student.habits;
        learnt.map_err(|problem| vec![problem])?;
        self.habits = habits;
        self.learn_potions(catalog).map_err(|problem| vec![problem])
    }

    fn learn_potions(&mut self, catalog: &Catalog) -> Result<(), Problem> {
        for info in &catalog.potions {
            let Some(number) = self.tables.potions.find::<PotionNo>(&info.id) else { continue };
            let saving = info.ears.preventions.iter().find(|stop| stop.what == Prevent::Death);
            let (program, when) = match saving {
                Some(stop) => (stop.program, stop.when),
                None if info.anywhere => (info.program, None),
                None => continue,
            };
            let wrong = |text: String| Problem {
                place: info.place.clone(),
                message: format!("the potion `{}`: {text}", info.id),
            };
            let draught = self.learn_program(catalog, program, info.potency).map_err(wrong)?;
            match saving {
                Some(_) => drop(self.habits.saviours.insert(number, (when, draught))),
                None => self.book.set_drink(number, draught),
            }
        }
        Ok(())
    }

    fn learn_program(&mut self, catalog: &Catalog, program: Program, potency: i32) -> Result<ListNo, String> {
        let book = &mut self.book;
        let mut student = Student { catalog, book, habits: Habits::default() };
        student.steps(program, None, potency)
    }
}

impl Journey<'_> {
    fn habit(&self, relic: u16) -> Option<&Habit> {
        self.habits.relics.get(usize::from(relic))
    }

    fn ears(&self, relic: u16) -> Option<&Ears> {
        self.game.catalog.relics.get(usize::from(relic)).map(|info| &info.ears)
    }

    /// What the values of an entry read: the state, and the counter of the relic at that place of the row.
    fn at<'s>(&self, s: &'s State, place: Option<usize>) -> Env<'s> {
        let source = match place.and_then(|place| u8::try_from(place).ok()) {
            Some(place) => Source::of(Origin::Relic(place)),
            None => Source::of(Origin::Rules),
        };
        Env::new(s, Ctx { owner: PLAYER, other: NOBODY, card: NO_CARD, n: 0, event: 0, source })
    }

    fn of_relic<'s>(&self, s: &'s State, relic: u16) -> Env<'s> {
        self.at(s, s.run.relics.iter().position(|owned| owned.id == relic))
    }

    /// The relic whose place a relic takes.
    pub(super) fn replaced_by(&self, relic: RelicNo) -> Option<RelicNo> {
        self.game.catalog.relics.get(usize::from(relic))?.replaces.map(RelicNo)
    }

    /// The counter a relic starts with.
    pub fn first_counter(&self, relic: RelicNo) -> i16 {
        self.game.catalog.relics.get(usize::from(relic)).map_or(0, |info| info.start)
    }

    /// A number of the rules after the relics of a run have changed it.
    pub fn altered(&self, s: &State, stage: Stage, base: i32) -> i32 {
        let bit = 1_u64 << stage as u64;
        let mut found: SmallVec<[(usize, &Alter); 4]> = SmallVec::new();
        for (place, owned) in s.run.relics.iter().enumerate() {
            let Some(ears) = self.ears(owned.id).filter(|ears| ears.stages & bit != 0) else { continue };
            let own = ears.alters.iter().filter(|alter| alter.stage == stage);
            found.extend(own.map(|alter| (place, alter)));
        }
        found.sort_by_key(|(_, alter)| alter.at);
        let change = |number, (place, alter)| self.changed(alter, number, self.at(s, Some(place)));
        found.into_iter().fold(base, change)
    }

    /// What one relic of the run makes of a number.
    pub(super) fn altered_by(&self, s: &State, relic: RelicNo, stage: Stage, base: i32) -> i32 {
        let alters = self.ears(relic.0).into_iter().flat_map(|ears| &ears.alters);
        let own = alters.filter(|alter| alter.stage == stage);
        own.fold(base, |number, alter| self.changed(alter, number, self.of_relic(s, relic.0)))
    }

    fn changed(&self, alter: &Alter, number: i32, mut at: Env<'_>) -> i32 {
        at.number = Some(number);
        if self.game.holds(alter.when, &at) { self.game.change(alter, &at, number) } else { number }
    }

    /// Whether a relic of the run has a property.
    pub fn flagged(&self, s: &State, flag: Flag) -> bool {
        let has = |id: u16| self.ears(id).is_some_and(|ears| ears.flags >> flag as u32 & 1 == 1);
        s.run.relics.iter().any(|owned| has(owned.id))
    }

    /// Whether a relic of the run stops something.
    pub fn prevents(&self, s: &State, what: Prevent) -> bool {
        s.run.relics.iter().any(|owned| self.ward(s, RelicNo(owned.id), what, None).is_some())
    }

    /// How a relic of the run stops something now, if it does.
    pub(super) fn ward(
        &self,
        s: &State,
        relic: RelicNo,
        what: Prevent,
        card: Option<DeckCard>,
    ) -> Option<Ward> {
        self.ears(relic.0).filter(|ears| ears.stops >> what as u32 & 1 == 1)?;
        let at = with_card(self.of_relic(s, relic.0), card);
        let mut wards = self.habit(relic.0)?.wards.iter();
        wards.find(|ward| ward.what == what && self.game.holds(ward.when, &at)).copied()
    }

    /// Whether a relic has a say in what happens to a number, or stops such a thing at times.
    pub(super) fn minds(&self, relic: u16, stage: Option<Stage>, what: Option<Prevent>) -> bool {
        self.ears(relic).is_some_and(|ears| {
            stage.is_some_and(|stage| ears.stages >> stage as u64 & 1 == 1)
                || what.is_some_and(|what| ears.stops >> what as u32 & 1 == 1)
        })
    }

    /// Whether a relic acts at a moment at times.
    pub(super) fn hears(&self, relic: u16, moment: Moment) -> bool {
        self.habit(relic).is_some_and(|habit| habit.moments >> moment as u32 & 1 == 1)
    }

    /// The lists of steps with which a relic answers a moment; `event` is its number, `card` its card.
    pub fn deeds(
        &self,
        s: &State,
        relic: RelicNo,
        moment: Moment,
        event: i32,
        card: Option<DeckCard>,
    ) -> SmallVec<[ListNo; 2]> {
        let habit = self.habit(relic.0).filter(|habit| habit.moments >> moment as u32 & 1 == 1);
        let Some(habit) = habit else { return SmallVec::new() };
        let mut at = with_card(self.of_relic(s, relic.0), card);
        at.number = Some(event);
        let deeds = habit.deeds.iter().filter(|deed| deed.moment == moment);
        deeds.filter(|deed| self.game.holds(deed.when, &at)).map(|deed| deed.steps).collect()
    }

    /// What a card does when it leaves the deck.
    pub(super) fn card_deeds(&self, s: &State, card: CardNo) -> SmallVec<[ListNo; 2]> {
        let at = self.at(s, None);
        let deeds = self.habits.cards.get(&card).into_iter().flatten();
        deeds.filter(|deed| self.game.holds(deed.when, &at)).map(|deed| deed.steps).collect()
    }

    /// Whether relics of the run upgrade a card that comes into the deck.
    pub(super) fn hatches(&self, s: &State, relic: u16, card: CardNo, up: u8) -> bool {
        let at = with_card(self.at(s, None), Some(entering(card, up)));
        let deeds = self.habit(relic).into_iter().flat_map(|habit| &habit.deeds);
        let mut eggs = deeds.filter(|deed| deed.moment == Moment::CardObtaining);
        eggs.any(|deed| self.game.holds(deed.when, &at))
    }

    /// What the relic at a place of the row offers at campfires, if it does now: the name of it and its steps.
    pub(super) fn at_fire(&self, s: &State, place: usize) -> Option<(&str, ListNo)> {
        let (name, when, steps) = self.habit(s.run.relics.get(place)?.id)?.at_fire.as_ref()?;
        self.game.holds(*when, &self.at(s, Some(place))).then_some((name.as_str(), *steps))
    }

    /// The relic of the run that offers something in place of a card, and its steps.
    pub(super) fn for_cards(&self, s: &State) -> Option<(RelicNo, ListNo)> {
        s.run.relics.iter().find_map(|owned| Some((RelicNo(owned.id), self.habit(owned.id)?.for_cards?)))
    }

    /// The potion that saves its owner now: its slot and what it does.
    pub(super) fn saviour(&self, s: &State) -> Option<(u8, ListNo)> {
        s.run.potions.iter().enumerate().find_map(|(slot, potion)| {
            let (when, steps) = self.habits.saviours.get(&PotionNo(*potion))?;
            self.game.holds(*when, &self.at(s, None)).then_some((slot as u8, *steps))
        })
    }

    /// The value of a number that an entry tells.
    pub(super) fn told(&self, s: &State, expr: u16, relic: u16, potency: i32) -> i32 {
        let mut at = self.of_relic(s, relic);
        if potency != 0 {
            at.ctx.n = self.altered(s, Stage::Potency, potency).clamp(0, 30_000) as i16;
        }
        self.game.eval(expr, &at)
    }

    /// The deck positions of cards that pass a filter of an entry.
    pub(super) fn told_cards(&self, s: &State, filter: Option<u16>) -> SmallVec<[u16; 24]> {
        let at = self.at(s, None);
        let deck = s.run.deck.iter().enumerate();
        let passing = deck.filter(|(_, card)| self.game.holds(filter, &with_card(at, Some(**card))));
        passing.map(|(index, _)| index as u16).collect()
    }
}

/// The same with a card of the deck under test.
fn with_card(mut at: Env<'_>, card: Option<DeckCard>) -> Env<'_> {
    at.test = card.map(|card| (Card::new(card.id, card.up), NO_CARD));
    at
}

/// Moments that only the way knows: what is said of them must be possible there.
const ON_THE_WAY: [Moment; 14] = [
    Moment::Obtained,
    Moment::Lost,
    Moment::RoomEntered,
    Moment::RestSiteEntered,
    Moment::RestDone,
    Moment::ShopEntered,
    Moment::GoldSpent,
    Moment::ChestOpened,
    Moment::CardObtaining,
    Moment::CardObtained,
    Moment::GoldGained,
    Moment::QuestionRoom,
    Moment::QuestionAnswered,
    Moment::Flown,
];

/// Stages that only the way knows.
const STAGES: [Stage; 13] = [
    Stage::RestHeal,
    Stage::ShopPrice,
    Stage::RemovalPrice,
    Stage::GoldReward,
    Stage::PotionChance,
    Stage::CardRewardSize,
    Stage::RareChance,
    Stage::PotionSlots,
    Stage::TreasureDue,
    Stage::CardRewards,
    Stage::EliteRelics,
    Stage::ChestRelics,
    Stage::MapReach,
];

/// Things to prevent that only the way knows.
const WARDS: [Prevent; 7] = [
    Prevent::Gold,
    Prevent::Potion,
    Prevent::CardObtained,
    Prevent::Rest,
    Prevent::Smith,
    Prevent::QuestionFight,
    Prevent::ChestRelic,
];

/// What values may read on the way.
const READ: [Read; 26] = [
    Read::Counter,
    Read::Event,
    Read::Potency,
    Read::Gold,
    Read::Ascension,
    Read::Act,
    Read::Hp,
    Read::MaxHp,
    Read::Max,
    Read::Min,
    Read::Count,
    Read::CardIs,
    Read::OwnsRelic,
    Read::IsAttack,
    Read::IsSkill,
    Read::IsPower,
    Read::IsStatus,
    Read::IsCurse,
    Read::IsBasic,
    Read::IsCommon,
    Read::IsUncommon,
    Read::IsRare,
    Read::Upgradable,
    Read::Upgraded,
    Read::HasTag,
    Read::IsCard,
];

/// Reads a catalog into habits.
struct Student<'a> {
    catalog: &'a Catalog,
    book: &'a mut Book,
    habits: Habits,
}

impl Student<'_> {
    fn everything(&mut self) -> Result<(), Problem> {
        for (number, info) in (0..).zip(&self.catalog.relics) {
            let wrong = |text: String| Problem {
                place: info.place.clone(),
                message: format!("the relic `{}`: {text}", info.id),
            };
            let habit = self.relic(info, RelicNo(number)).map_err(wrong)?;
            self.habits.relics.push(habit);
        }
        for (number, info) in (0..).zip(&self.catalog.cards) {
            let wrong = |text: String| Problem {
                place: info.place.clone(),
                message: format!("the card `{}`: {text}", info.id),
            };
            let deeds = self.deeds(&info.forms[0].ears, &[Moment::RemovedFromDeck], None).map_err(wrong)?;
            if !deeds.is_empty() {
                self.habits.cards.insert(CardNo(number), deeds);
            }
        }
        Ok(())
    }

    fn relic(&mut self, info: &RelicInfo, number: RelicNo) -> Result<Habit, String> {
        let ears = &info.ears;
        let mut habit = Habit { deeds: self.deeds(ears, &ON_THE_WAY, Some(number))?, ..Habit::default() };
        // Potions are drunk in fights and on the way; what only fights know does not happen on the way.
        habit.deeds.extend(self.deeds(ears, &[Moment::PotionUsed], Some(number)).unwrap_or_default());
        self.pickup(info, &mut habit);
        for alter in ears.alters.iter().filter(|alter| STAGES.contains(&alter.stage)) {
            self.readable(alter.when)?;
            for num in numbers(alter.change).into_iter().chain(alter.spend) {
                self.known(num)?;
            }
        }
        for stop in &ears.preventions {
            let of_the_way = WARDS.contains(&stop.what);
            if of_the_way {
                self.readable(stop.when)?;
            }
            let steps = match self.steps(stop.program, Some(number), 0) {
                Ok(steps) => steps,
                Err(text) if of_the_way => return Err(text),
                // What saves in fights by what only fights know does not save on the way.
                Err(_) => continue,
            };
            let spends = match stop.spend {
                Some(Num::Const(number)) => number as i16,
                _ => 0,
            };
            habit.wards.push(Ward { what: stop.what, when: stop.when, spends, steps });
        }
        if let Some((name, when, program)) = &info.rest_option {
            self.readable(*when)?;
            habit.at_fire = Some((name.clone(), *when, self.steps(*program, Some(number), 0)?));
        }
        if let Some((_, _, program)) = &info.reward_option {
            habit.for_cards = Some(self.steps(*program, Some(number), 0)?);
        }
        habit.moments = habit.deeds.iter().fold(0, |mask, deed| mask | 1 << deed.moment as u32);
        Ok(habit)
    }

    /// What comes of an entry when it is obtained, besides its steps: the relic it replaces, new potion slots,
    /// which go when it is lost.
    fn pickup(&mut self, info: &RelicInfo, habit: &mut Habit) {
        let mut ops: Vec<Op> = info.replaces.map(|id| Op::LoseRelic(RelicNo(id))).into_iter().collect();
        for alter in info.ears.alters.iter().filter(|alter| alter.stage == Stage::PotionSlots) {
            if let Alteration::Add(Num::Const(more)) = alter.change {
                let more = more.clamp(0, 10) as i8;
                ops.push(Op::PotionSlots(more));
                self.at(Moment::Lost, vec![Op::PotionSlots(-more)], habit);
            }
        }
        self.at(Moment::Obtained, ops, habit);
    }

    fn at(&mut self, moment: Moment, ops: Vec<Op>, habit: &mut Habit) {
        if !ops.is_empty() {
            habit.deeds.push(Deed { moment, when: None, steps: self.book.append(ops) });
        }
    }

    fn deeds(
        &mut self,
        ears: &Ears,
        moments: &[Moment],
        relic: Option<RelicNo>,
    ) -> Result<Vec<Deed>, String> {
        let mut deeds = Vec::new();
        for hook in ears.hooks.iter().filter(|hook| moments.contains(&hook.moment)) {
            if hook.every.is_some() || hook.once.is_some() {
                return Err("`every` and `once` count in fights; on the way use the counter".to_owned());
            }
            self.readable(hook.when)?;
            // What an egg does to the card is a rule; whether it does is the condition.
            let steps = match hook.moment {
                Moment::CardObtaining => ListNo::default(),
                _ => self.steps(hook.program, relic, 0)?,
            };
            deeds.push(Deed { moment: hook.moment, when: hook.when, steps });
        }
        Ok(deeds)
    }

    /// A program of the catalog as steps of the run.
    fn steps(&mut self, program: Program, relic: Option<RelicNo>, potency: i32) -> Result<ListNo, String> {
        let mut told = self.catalog.program(program);
        let mut ops = Vec::new();
        while let Some((first, rest)) = told.split_first() {
            told = rest;
            match (first, rest.first()) {
                (
                    Told::Remove { cards: Select { from: Zone::Deck, how: Picking::All, filter, .. } },
                    Some(Told::ObtainRandom { pool: Pool::Class, .. }),
                ) => {
                    ops.push(Op::ReplaceCards(*filter));
                    told = &rest[1..];
                }
                (Told::Reward { what, count }, _) => reward(*what, *count, &mut ops)?,
                (op, _) => self.step(op, relic, potency, &mut ops)?,
            }
        }
        Ok(self.book.append(ops))
    }

    fn step(
        &mut self,
        told: &Told,
        relic: Option<RelicNo>,
        potency: i32,
        ops: &mut Vec<Op>,
    ) -> Result<(), String> {
        if let Some(num) = amount_of(told) {
            self.known(num)?;
        }
        let amount = |num: Num| match num {
            Num::Const(number) => Amount::Flat(number),
            Num::Expr(expr) => Amount::Told { expr, relic: relic.map_or(u16::MAX, |r| r.0), potency },
        };
        let once = |how: Picking| match how {
            Picking::Choose(Num::Const(count)) => Ok(count.clamp(0, 20) as u8),
            _ => Err("outside of fights cards of the deck are chosen, so many".to_owned()),
        };
        let op = match (told, relic) {
            (Told::Gold { amount: n }, _) => Op::Gold(amount(*n)),
            (Told::Heal { amount: n, .. }, _) => Op::Heal(amount(*n)),
            (Told::MaxHp { amount: n }, _) => Op::MaxHp(amount(*n)),
            (Told::LoseHp { amount: n, .. }, _) => Op::LoseHp(amount(*n)),
            (Told::Counter { amount: n }, Some(relic)) => Op::Counter { relic, to: amount(*n) },
            (Told::GainPotion { count: n }, _) => Op::FillPotions(amount(*n)),
            (Told::Obtain { card }, _) => Op::Cards { card: CardNo(*card), count: Amount::Flat(1) },
            (Told::ObtainRandom { pool: Pool::Curse, .. }, _) => Op::RandomCurse,
            (Told::Remove { cards: Select { how: Picking::All, filter, .. } }, _) => Op::RemoveCards(*filter),
            (Told::Remove { cards }, _) => {
                ops.extend((1..once(cards.how)?).map(|_| Op::RemoveCard));
                Op::RemoveCard
            }
            (
                Told::Upgrade {
                    cards: Select { how: Picking::Random(Num::Const(count)), filter, .. }, ..
                },
                _,
            ) => Op::UpgradeCards { filter: *filter, count: (*count).clamp(0, 20) as u8 },
            (Told::Transform { cards, upgraded }, _) => {
                Op::Transform { count: once(cards.how)?, upgraded: *upgraded, neow: false }
            }
            (Told::Duplicate { .. }, _) => Op::Duplicate,
            (Told::Bottle { cards }, _) => Op::Bottle(self.kind(cards.filter)?),
            (step, _) => return Err(format!("its step `{}` is not possible outside of fights", step.word())),
        };
        ops.push(op);
        Ok(())
    }

    /// Whether a condition can be read on the way.
    fn readable(&self, condition: Option<u16>) -> Result<(), String> {
        let Some(node) = condition.and_then(|expr| self.catalog.exprs.get(usize::from(expr))) else {
            return Ok(());
        };
        match node {
            Node::Int(_) => Ok(()),
            Node::Not(inner) => self.readable(Some(*inner)),
            Node::Two(_, a, b) => self.readable(Some(*a)).and_then(|()| self.readable(Some(*b))),
            Node::Ascension(levels) => levels.iter().try_for_each(|level| self.readable(Some(*level))),
            Node::Read(read, a, b) => {
                let deck = !matches!(a, Val::Zone(zone) if *zone != Zone::Deck);
                if !(READ.contains(read) && deck) {
                    return Err(format!("`{}` cannot be read outside of fights", read.name()));
                }
                let inner = |val: &Val| if let Val::Expr(expr) = val { Some(*expr) } else { None };
                self.readable(inner(a)).and_then(|()| self.readable(inner(b)))
            }
        }
    }

    fn known(&self, num: Num) -> Result<(), String> {
        match num {
            Num::Const(_) => Ok(()),
            Num::Expr(expr) => self.readable(Some(expr)),
        }
    }

    fn kind(&self, filter: Option<u16>) -> Result<KindWord, String> {
        match filter.and_then(|filter| self.catalog.exprs.get(usize::from(filter))) {
            Some(Node::Read(Read::IsAttack, ..)) => Ok(KindWord::Attack),
            Some(Node::Read(Read::IsSkill, ..)) => Ok(KindWord::Skill),
            Some(Node::Read(Read::IsPower, ..)) => Ok(KindWord::Power),
            _ => Err("what is bottled is an attack, a skill or a power".to_owned()),
        }
    }
}

/// The numbers of an alteration.
fn numbers(change: Alteration) -> SmallVec<[Num; 2]> {
    match change {
        Alteration::Add(n) | Alteration::Set(n) | Alteration::AtMost(n) | Alteration::AtLeast(n) => {
            SmallVec::from_slice(&[n])
        }
        Alteration::Mul(by, part) => SmallVec::from_slice(&[by, part]),
    }
}

/// The number of a step.
fn amount_of(told: &Told) -> Option<Num> {
    match told {
        Told::Gold { amount }
        | Told::Heal { amount, .. }
        | Told::MaxHp { amount }
        | Told::LoseHp { amount, .. }
        | Told::Counter { amount } => Some(*amount),
        Told::GainPotion { count } => Some(*count),
        _ => None,
    }
}

/// Rewards that stand side by side come on one screen.
fn reward(what: Gift, count: Num, ops: &mut Vec<Op>) -> Result<(), String> {
    let number = |num: Num| match num {
        Num::Const(number) => Ok(number.max(0) as u32),
        Num::Expr(_) => Err("the number of a reward must be known".to_owned()),
    };
    let many = number(count)?;
    if let Gift::Relic(tier) = what {
        let tier = match tier {
            None => {
                ops.push(Op::FoundRelic);
                return Ok(());
            }
            Some(Word::Common) => Tier::Common,
            Some(Word::Uncommon) => Tier::Uncommon,
            Some(Word::Rare) => Tier::Rare,
            Some(other) => return Err(format!("no reward is a {} relic", other.name())),
        };
        match ops.last_mut() {
            Some(Op::RelicRewards(tiers)) => tiers.push(tier),
            _ => ops.push(Op::RelicRewards(vec![tier])),
        }
        return Ok(());
    }
    if !matches!(ops.last(), Some(Op::Treasure { .. })) {
        ops.push(Op::Treasure { gold: 0, potions: 0, cards: 0 });
    }
    if let Some(Op::Treasure { gold, potions, cards }) = ops.last_mut() {
        match what {
            Gift::Gold(amount) => *gold += many * number(amount)?,
            Gift::Potion => *potions += many.min(20) as u8,
            _ => *cards += many.min(20) as u8,
        }
    }
    Ok(())
}
