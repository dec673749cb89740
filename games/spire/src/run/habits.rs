//! What relics, potions and cards do outside of fights, read off their entries in the catalog.
//!
//! An entry is the one home of its numbers: the text of a relic, what it does in fights and what it does on the way
//! are made from the same lines. Here their steps become steps of the run, and their values are read from it.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::rulebook::Rulebook;
use super::script::{Amount, Book, KindWord, ListNo, Op};
use crate::catalog::Problem;
use crate::catalog::compile::{
    Alter, Alteration, Catalog, Ears, Gift, Node, Num, Op as Told, Picking, Program, RelicInfo, Select, Val,
};
use crate::catalog::expr::Read;
use crate::catalog::words::{CardType, Flag, Moment, Pool, Prevent, Rarity as Word, Stage, Zone};
use crate::seeds::{CardNo, PotionNo, Rarity, RelicNo, Tables, Tier};
use crate::state::{DeckCard, OwnedRelic, Run};

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

/// What one relic does outside of fights.
#[derive(Clone, Debug, Default)]
struct Habit {
    moments: u128,
    stages: u64,
    stops: u32,
    flags: u32,
    deeds: Vec<Deed>,
    alters: Vec<Alter>,
    wards: Vec<Ward>,
    /// What it offers at campfires: its name, when, and what it does.
    at_fire: Option<(String, Option<u16>, ListNo)>,
    for_cards: Option<ListNo>,
    /// The relic whose place it takes.
    replaces: Option<RelicNo>,
}

/// What all entries do outside of fights, by the numbers of a run.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    relics: Vec<Habit>,
    cards: BTreeMap<CardNo, Vec<Deed>>,
    saviours: BTreeMap<PotionNo, (Option<u16>, ListNo)>,
    exprs: Vec<Node>,
    /// The run's numbers of the catalog's relics and cards, and the catalog's tags of the run's cards.
    relic_numbers: Vec<RelicNo>,
    card_numbers: Vec<CardNo>,
    tags: BTreeMap<CardNo, Vec<u16>>,
}

/// What an expression may look at.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    run: &'a Run,
    counter: i16,
    event: i32,
    potency: i32,
    card: Option<DeckCard>,
}

impl<'a> At<'a> {
    fn new(run: &'a Run, counter: i16) -> Self {
        At { run, counter, event: 0, potency: 0, card: None }
    }
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
        let Rulebook { tables, book, .. } = self;
        let mut student = Student { catalog, tables, book, habits: Habits::default() };
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
        let Rulebook { tables, book, .. } = self;
        let mut student = Student { catalog, tables, book, habits: Habits::default() };
        student.steps(program, None, potency)
    }

    fn habit(&self, relic: u16) -> Option<&Habit> {
        self.habits.relics.get(usize::from(relic))
    }

    /// The relic whose place a relic takes.
    pub(super) fn replaced_by(&self, relic: RelicNo) -> Option<RelicNo> {
        self.habit(relic.0)?.replaces
    }

    /// A number of the rules after the relics of a run have changed it.
    pub fn altered(&self, run: &Run, stage: Stage, base: i32) -> i32 {
        let bit = 1_u64 << stage as u64;
        let mut found: SmallVec<[(i16, i16, &Alter); 4]> = SmallVec::new();
        for owned in &run.relics {
            let Some(habit) = self.habit(owned.id).filter(|habit| habit.stages & bit != 0) else { continue };
            let own = habit.alters.iter().filter(|alter| alter.stage == stage);
            found.extend(own.map(|alter| (alter.at, owned.counter, alter)));
        }
        found.sort_by_key(|(at, ..)| *at);
        found
            .into_iter()
            .fold(base, |number, (_, counter, alter)| self.changed(alter, number, &At::new(run, counter)))
    }

    /// What one relic of the run makes of a number.
    pub(super) fn altered_by(&self, run: &Run, relic: RelicNo, stage: Stage, base: i32) -> i32 {
        let at = At::new(run, self.count(run, relic));
        let alters = self.habit(relic.0).into_iter().flat_map(|habit| &habit.alters);
        alters
            .filter(|alter| alter.stage == stage)
            .fold(base, |number, alter| self.changed(alter, number, &at))
    }

    fn changed(&self, alter: &Alter, number: i32, at: &At<'_>) -> i32 {
        let at = At { event: number, ..*at };
        if !self.holds(alter.when, &at) {
            return number;
        }
        match alter.change {
            Alteration::Add(by) => number + self.number(by, &at),
            Alteration::Set(to) => self.number(to, &at),
            Alteration::AtMost(most) => number.min(self.number(most, &at)),
            Alteration::AtLeast(least) => number.max(self.number(least, &at)),
            Alteration::Mul(by, part) => {
                let (by, part) = (self.number(by, &at), self.number(part, &at).max(1));
                let product = number.saturating_mul(by);
                if alter.nearest {
                    (2 * product + part).div_euclid(2 * part)
                } else {
                    product.div_euclid(part)
                }
            }
        }
    }

    /// Whether a relic of the run has a property.
    pub fn flagged(&self, run: &Run, flag: Flag) -> bool {
        let has = |id: u16| self.habit(id).is_some_and(|habit| habit.flags >> flag as u32 & 1 == 1);
        run.relics.iter().any(|owned| has(owned.id))
    }

    /// Whether a relic of the run stops something.
    pub fn prevents(&self, run: &Run, what: Prevent) -> bool {
        run.relics.iter().any(|owned| self.ward(run, RelicNo(owned.id), what, None).is_some())
    }

    /// How a relic of the run stops something now, if it does.
    pub(super) fn ward(
        &self,
        run: &Run,
        relic: RelicNo,
        what: Prevent,
        card: Option<DeckCard>,
    ) -> Option<Ward> {
        let habit = self.habit(relic.0).filter(|habit| habit.stops >> what as u32 & 1 == 1)?;
        let at = At { card, ..At::new(run, self.count(run, relic)) };
        habit.wards.iter().find(|ward| ward.what == what && self.holds(ward.when, &at)).copied()
    }

    /// Whether a relic has a say in what happens to a number, or stops such a thing at times.
    pub(super) fn minds(&self, relic: u16, stage: Option<Stage>, what: Option<Prevent>) -> bool {
        self.habit(relic).is_some_and(|habit| {
            stage.is_some_and(|stage| habit.stages >> stage as u64 & 1 == 1)
                || what.is_some_and(|what| habit.stops >> what as u32 & 1 == 1)
        })
    }

    /// Whether a relic acts at a moment at times.
    pub(super) fn hears(&self, relic: u16, moment: Moment) -> bool {
        self.habit(relic).is_some_and(|habit| habit.moments >> moment as u32 & 1 == 1)
    }

    /// The lists of steps with which a relic answers a moment; `event` is its number, `card` its card.
    pub fn deeds(
        &self,
        run: &Run,
        relic: RelicNo,
        moment: Moment,
        event: i32,
        card: Option<DeckCard>,
    ) -> SmallVec<[ListNo; 2]> {
        let at = At { event, card, ..At::new(run, self.count(run, relic)) };
        let habit = self.habit(relic.0).filter(|habit| habit.moments >> moment as u32 & 1 == 1);
        let deeds = habit.into_iter().flat_map(|habit| &habit.deeds);
        deeds
            .filter(|deed| deed.moment == moment && self.holds(deed.when, &at))
            .map(|deed| deed.steps)
            .collect()
    }

    /// What a card does when it leaves the deck.
    pub(super) fn card_deeds(&self, run: &Run, card: CardNo) -> SmallVec<[ListNo; 2]> {
        let at = At::new(run, 0);
        let deeds = self.habits.cards.get(&card).into_iter().flatten();
        deeds.filter(|deed| self.holds(deed.when, &at)).map(|deed| deed.steps).collect()
    }

    /// Whether relics of the run upgrade a card that comes into the deck.
    pub(super) fn hatches(&self, run: &Run, relic: u16, card: CardNo, up: u8) -> bool {
        let at = At { card: Some(entering(card, up)), ..At::new(run, 0) };
        let deeds = self.habit(relic).into_iter().flat_map(|habit| &habit.deeds);
        let mut eggs = deeds.filter(|deed| deed.moment == Moment::CardObtaining);
        eggs.any(|deed| self.holds(deed.when, &at))
    }

    /// What a relic of the run offers at campfires, if it does now: the name of it and its steps.
    pub(super) fn at_fire(&self, run: &Run, owned: &OwnedRelic) -> Option<(&str, ListNo)> {
        let (name, when, steps) = self.habit(owned.id)?.at_fire.as_ref()?;
        self.holds(*when, &At::new(run, owned.counter)).then_some((name.as_str(), *steps))
    }

    /// The relic of the run that offers something in place of a card, and its steps.
    pub(super) fn for_cards(&self, run: &Run) -> Option<(RelicNo, ListNo)> {
        run.relics.iter().find_map(|owned| Some((RelicNo(owned.id), self.habit(owned.id)?.for_cards?)))
    }

    /// The potion that saves its owner now: its slot and what it does.
    pub(super) fn saviour(&self, run: &Run) -> Option<(u8, ListNo)> {
        run.potions.iter().enumerate().find_map(|(slot, potion)| {
            let (when, steps) = self.habits.saviours.get(&PotionNo(*potion))?;
            self.holds(*when, &At::new(run, 0)).then_some((slot as u8, *steps))
        })
    }

    /// The value of a number that an entry tells.
    pub(super) fn told(&self, run: &Run, expr: u16, relic: u16, potency: i32) -> i32 {
        let potency = if potency == 0 { 0 } else { self.altered(run, Stage::Potency, potency) };
        let at = At { potency, ..At::new(run, self.count(run, RelicNo(relic))) };
        self.value(expr, &at)
    }

    /// The deck positions of cards that pass a filter of an entry.
    pub(super) fn told_cards(&self, run: &Run, filter: Option<u16>) -> SmallVec<[u16; 24]> {
        let passes = |card: &DeckCard| self.holds(filter, &At { card: Some(*card), ..At::new(run, 0) });
        (0..run.deck.len() as u16).filter(|&index| passes(&run.deck[usize::from(index)])).collect()
    }

    fn count(&self, run: &Run, relic: RelicNo) -> i16 {
        run.relics.iter().find(|owned| owned.id == relic.0).map_or(0, |owned| owned.counter)
    }

    fn number(&self, num: Num, at: &At<'_>) -> i32 {
        match num {
            Num::Const(number) => number,
            Num::Expr(expr) => self.value(expr, at),
        }
    }

    fn holds(&self, condition: Option<u16>, at: &At<'_>) -> bool {
        condition.is_none_or(|expr| self.value(expr, at) != 0)
    }

    fn value(&self, expr: u16, at: &At<'_>) -> i32 {
        match self.habits.exprs.get(usize::from(expr)) {
            None => 0,
            Some(Node::Int(number)) => *number,
            Some(Node::Not(inner)) => (self.value(*inner, at) == 0).into(),
            Some(Node::Two(op, a, b)) => op.of(self.value(*a, at), self.value(*b, at)),
            Some(Node::Ascension(levels)) => {
                let level = usize::from(at.run.ascension).min(levels.len().saturating_sub(1));
                levels.get(level).map_or(0, |value| self.value(*value, at))
            }
            Some(Node::Read(read, a, b)) => self.read(*read, *a, *b, at),
        }
    }

    fn read(&self, read: Read, a: Val, b: Val, at: &At<'_>) -> i32 {
        let run = at.run;
        let arg = |val: Val| if let Val::Expr(expr) = val { self.value(expr, at) } else { 0 };
        match (read, a) {
            (Read::Counter, _) => at.counter.into(),
            (Read::Event, _) => at.event,
            (Read::Potency, _) => at.potency,
            (Read::Gold, _) => run.gold,
            (Read::Ascension, _) => run.ascension.into(),
            (Read::Act, _) => run.act.into(),
            (Read::Hp, _) => run.hp.into(),
            (Read::MaxHp, _) => run.max_hp.into(),
            (Read::Max, _) => arg(a).max(arg(b)),
            (Read::Min, _) => arg(a).min(arg(b)),
            (Read::CardIs, filter) => arg(filter),
            (Read::OwnsRelic, Val::Id(id)) => {
                let number = self.habits.relic_numbers.get(usize::from(id)).copied();
                run.relics.iter().any(|owned| Some(RelicNo(owned.id)) == number).into()
            }
            (Read::Count, Val::Zone(Zone::Deck)) => {
                let filter = if let Val::Expr(filter) = b { Some(filter) } else { None };
                self.told_cards(run, filter).len() as i32
            }
            _ => at.card.map_or(0, |card| self.read_card(read, a, &card).into()),
        }
    }

    fn read_card(&self, read: Read, a: Val, card: &DeckCard) -> bool {
        let facts = self.card(CardNo(card.id));
        match (read, a) {
            (Read::IsAttack, _) => facts.kind == CardType::Attack,
            (Read::IsSkill, _) => facts.kind == CardType::Skill,
            (Read::IsPower, _) => facts.kind == CardType::Power,
            (Read::IsStatus, _) => facts.kind == CardType::Status,
            (Read::IsCurse, _) => facts.kind == CardType::Curse,
            (Read::IsBasic, _) => facts.basic,
            (Read::IsCommon, _) => facts.rarity == Some(Rarity::Common),
            (Read::IsUncommon, _) => facts.rarity == Some(Rarity::Uncommon),
            (Read::IsRare, _) => facts.rarity == Some(Rarity::Rare),
            (Read::Upgradable, _) => self.can_upgrade(card),
            (Read::Upgraded, _) => card.up > 0,
            (Read::HasTag, Val::Id(tag)) => {
                self.habits.tags.get(&CardNo(card.id)).is_some_and(|tags| tags.contains(&tag))
            }
            (Read::IsCard, Val::Id(id)) => {
                self.habits.card_numbers.get(usize::from(id)) == Some(&CardNo(card.id))
            }
            _ => false,
        }
    }
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
    tables: &'a Tables,
    book: &'a mut Book,
    habits: Habits,
}

impl Student<'_> {
    fn everything(&mut self) -> Result<(), Problem> {
        let catalog = self.catalog;
        self.habits.exprs.clone_from(&catalog.exprs);
        let relic = |id: &str| self.tables.relics.find(id).unwrap_or_default();
        self.habits.relic_numbers = catalog.relics.iter().map(|info| relic(&info.id)).collect();
        let card = |id: &str| self.tables.cards.find(id).unwrap_or_default();
        self.habits.card_numbers = catalog.cards.iter().map(|info| card(&info.id)).collect();
        self.habits.relics.resize_with(self.tables.relics.len(), Habit::default);
        for (info, number) in catalog.relics.iter().zip(self.habits.relic_numbers.clone()) {
            let wrong = |text: String| Problem {
                place: info.place.clone(),
                message: format!("the relic `{}`: {text}", info.id),
            };
            let habit = self.relic(info, number).map_err(wrong)?;
            if let Some(place) = self.habits.relics.get_mut(usize::from(number)) {
                *place = habit;
            }
        }
        for (info, number) in catalog.cards.iter().zip(self.habits.card_numbers.clone()) {
            self.habits.tags.insert(number, info.tags.clone());
            let wrong = |text: String| Problem {
                place: info.place.clone(),
                message: format!("the card `{}`: {text}", info.id),
            };
            let deeds = self.deeds(&info.forms[0].ears, &[Moment::RemovedFromDeck], None).map_err(wrong)?;
            if !deeds.is_empty() {
                self.habits.cards.insert(number, deeds);
            }
        }
        Ok(())
    }

    fn relic(&mut self, info: &RelicInfo, number: RelicNo) -> Result<Habit, String> {
        let ears = &info.ears;
        let mut habit = Habit {
            stages: ears.stages,
            stops: ears.stops,
            flags: ears.flags,
            deeds: self.deeds(ears, &ON_THE_WAY, Some(number))?,
            alters: ears.alters.clone(),
            ..Habit::default()
        };
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
            if WARDS.contains(&stop.what) {
                self.readable(stop.when)?;
            }
            // What saves in fights by what only fights know does not save on the way.
            let steps = match self.steps(stop.program, Some(number), 0) {
                Ok(steps) => steps,
                Err(_) if stop.what == Prevent::Death => continue,
                Err(_) => ListNo::default(),
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
        let replaced = info.replaces.and_then(|id| self.habits.relic_numbers.get(usize::from(id)).copied());
        let mut ops: Vec<Op> = replaced.map(Op::LoseRelic).into_iter().collect();
        for alter in info.ears.alters.iter().filter(|alter| alter.stage == Stage::PotionSlots) {
            if let Alteration::Add(Num::Const(more)) = alter.change {
                let more = more.clamp(0, 10) as i8;
                ops.push(Op::PotionSlots(more));
                self.at(Moment::Lost, vec![Op::PotionSlots(-more)], habit);
            }
        }
        habit.replaces = replaced;
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
            (Told::Obtain { card }, _) => {
                let card = self.habits.card_numbers.get(usize::from(*card)).copied().unwrap_or_default();
                Op::Cards { card, count: Amount::Flat(1) }
            }
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
