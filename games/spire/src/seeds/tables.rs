//! What a seed can bring, made from the content: cards by color, rarity and type, relics by tier, potions, fights by
//! act and rank, events by pool. What only the original's order decides are the hints of `[order.…]`.

use crate::floats::{Single, bounds};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use turnstone::Rejection;

use super::holder::DeckCard;
use super::ids::{CardNo, CharacterNo, EventNo, FightNo, GiftNo, PotionNo, Rarity, RelicNo, Tier};
use super::map::{Burning, MapPlan, Room, Shares};
use super::names::Names;
use crate::catalog::acts::Act;
use crate::catalog::defs::{Card, Character, Encounter, Relic};
use crate::catalog::events::{Allowed, Draws, EventDef};
use crate::catalog::gifts::{Gift, GiftDraw};
use crate::catalog::words::{self, CardType, Color, EventPool, GiftRow, ListName, Rank, StandIn};
use crate::catalog::{Content, Sources};

/// Everything about one character. No list of cards or potions is empty: where the content has nothing, its
/// neighbours stand in.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterTables {
    /// What the player reads.
    pub name: String,
    /// A few words about playing it.
    pub text: String,
    /// The deck of a new run.
    pub starter_deck: Vec<CardNo>,
    /// The starter card of the game of pairs.
    pub memory_card: CardNo,
    /// The relics of a new run.
    pub starter_relics: Vec<RelicNo>,
    /// Most hit points from these ascension levels on.
    pub hp: Vec<(u8, i32)>,
    /// Relic pools in base order, by [`Tier`].
    pub relics: [Vec<RelicNo>; 5],
    /// Reward cards by [`Rarity`].
    pub by_rarity: [Vec<CardNo>; 3],
    /// Merchant's cards by [`CardType`] (attacks, skills, powers), then [`Rarity`].
    pub(crate) by_type: [[Vec<CardNo>; 3]; 3],
    /// What a card of this character transforms into.
    pub transform: Vec<CardNo>,
    /// Wholly random cards of this character.
    pub any: Vec<CardNo>,
    /// Potions in draw order.
    pub potions: Vec<PotionNo>,
}

impl CharacterTables {
    /// A sentence about a run.
    pub fn about(&self) -> String {
        let text = if self.text.is_empty() { String::new() } else { format!(": {}", self.text) };
        format!("a run as the {}{text}", self.name)
    }

    /// The relic one begins with; no relic's number for somebody who has none.
    pub(crate) fn starter_relic(&self) -> RelicNo {
        self.starter_relics.first().copied().unwrap_or(RelicNo(crate::state::NONE))
    }

    /// Most hit points of a new run.
    pub fn max_hp(&self, ascension: u8) -> i32 {
        self.hp.iter().rev().find(|(level, _)| *level <= ascension).map_or(1, |(_, hp)| *hp)
    }
}

/// A fight list: entries with the 24-bit bound below which they are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollList {
    entries: Vec<(FightNo, u32)>,
}

impl RollList {
    /// Fights with their weights in thousandths.
    fn new(fights: &[FightNo], weights: &[u32]) -> Self {
        RollList { entries: fights.iter().copied().zip(bounds(weights)).collect() }
    }

    /// The entry for a 24-bit roll.
    #[inline]
    pub fn pick(&self, k24: u32) -> FightNo {
        let chosen = self.entries.iter().find(|e| k24 < e.1).or(self.entries.last());
        chosen.map_or(FightNo(0), |e| e.0)
    }

    /// Its fights.
    pub fn fights(&self) -> impl Iterator<Item = FightNo> + '_ {
        self.entries.iter().map(|e| e.0)
    }

    /// Those that can be rolled: not those without a weight.
    pub fn possible(&self) -> impl Iterator<Item = FightNo> + '_ {
        let before = |at: usize| if at == 0 { 0 } else { self.entries[at - 1].1 };
        let last = self.entries.len().saturating_sub(1);
        let all = self.entries.iter().enumerate();
        all.filter(move |(at, entry)| entry.1 > before(*at) || *at == last).map(|(_, entry)| entry.0)
    }

    /// The bounds.
    #[cfg(test)]
    pub(crate) fn bounds(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().map(|e| e.1)
    }
}

/// Everything about one act. No list of fights is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct ActTables {
    /// How many weak fights begin the act.
    pub(crate) weak_count: usize,
    /// Weak fights.
    pub weak: RollList,
    /// Strong fights.
    pub strong: RollList,
    /// Elite fights.
    pub elites: RollList,
    /// Bosses in base order.
    pub bosses: Vec<FightNo>,
    /// Last weak fight and what the first strong one may then not be.
    pub(crate) not_after: Vec<(FightNo, Vec<FightNo>)>,
    /// Events of this act.
    pub events: Vec<EventNo>,
    /// Shrines of this act.
    pub(crate) shrines: Vec<EventNo>,
    /// Its map, at the lowest ascension.
    map: MapPlan,
}

/// A gift of Neow's, or what one costs, as far as chance is concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GiftTables {
    /// What it always costs.
    pub cost: Option<GiftNo>,
    /// Gifts that it never comes with.
    pub spoils: Vec<GiftNo>,
    /// What is drawn of it.
    pub draws: Vec<GiftDraw>,
    /// It takes the relic that the player began with.
    pub takes_the_starter: bool,
}

/// Neow's gifts and drawbacks.
#[derive(Clone, Debug, Default)]
pub struct Gifts {
    /// Their names.
    pub names: Names,
    entries: Vec<GiftTables>,
    rows: BTreeMap<GiftRow, Vec<GiftNo>>,
}

impl Gifts {
    /// One of them.
    pub fn entry(&self, gift: GiftNo) -> &GiftTables {
        static NONE: GiftTables =
            GiftTables { cost: None, spoils: Vec::new(), draws: Vec::new(), takes_the_starter: false };
        self.entries.get(usize::from(gift)).unwrap_or(&NONE)
    }

    /// Those of a row, in the order of the original.
    pub fn row(&self, row: GiftRow) -> &[GiftNo] {
        self.rows.get(&row).map_or(&[], Vec::as_slice)
    }
}

/// When a relic may come up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Appears {
    /// The deck must hold such a card.
    pub deck: Option<CardType>,
    /// This relic must be owned.
    pub owns: Option<RelicNo>,
    /// Not above this floor.
    pub last_floor: Option<i32>,
    /// Only while fewer than two of the campfire relics are owned.
    pub campfire: bool,
    /// Not sold by the original, nor by the simulator.
    pub(crate) unsold: [bool; 2],
    /// By the original's rules not after this act.
    pub(crate) original_last_act: Option<i32>,
}

/// Which numbers an event draws on entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Three finds in any order, and one of these as their guardian.
    GuardedFinds(Vec<FightNo>),
    /// What of its own it needs no other entry for.
    Plain(Draws),
}

/// What is known of an event before it is entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EventFacts {
    pub(super) allowed: Allowed,
    /// The relic of [`Allowed::half_dead_or_owns`].
    pub(super) owns: Option<RelicNo>,
    entry: Option<Entry>,
}

/// What a level of ascension and those below it make harder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardship {
    /// What the level itself adds, in words.
    pub text: String,
    /// Cards that one begins with besides.
    pub deck: Vec<CardNo>,
    /// Potion slots.
    pub potion_slots: u8,
    /// Percent of the HP that one begins with.
    pub start_hp: i32,
    /// Percent of the missing HP that a new act heals.
    pub act_heal: i32,
    /// Bosses at the end of the third act.
    pub bosses: u8,
    /// Percent of the elites that a map has otherwise.
    pub elites: i32,
    /// Percent of the chance that a card on offer is upgraded.
    pub upgrade_chance: i32,
    /// Percent of a boss's gold.
    pub boss_gold: i32,
    /// Percent of a merchant's prices.
    pub prices: i32,
    /// What events draw on entry is worse.
    pub harsh_events: bool,
}

impl Default for Hardship {
    fn default() -> Self {
        Hardship {
            text: String::new(),
            deck: Vec::new(),
            potion_slots: 3,
            start_hp: 100,
            act_heal: 100,
            bosses: 1,
            elites: 100,
            upgrade_chance: 100,
            boss_gold: 100,
            prices: 100,
            harsh_events: false,
        }
    }
}

impl Hardship {
    /// Hit points of a new run, halves rounded up.
    pub fn first_hp(&self, max_hp: i32) -> i32 {
        ((max_hp * self.start_hp + 50) / 100).max(1)
    }
}

/// All base tables, with every name turned into a number of the catalog.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Cards.
    pub cards: Names,
    /// Relics.
    pub relics: Names,
    /// Potions.
    pub potions: Names,
    /// Fights.
    pub fights: Names,
    /// Events.
    pub events: Names,
    /// Characters.
    pub characters: Names,
    /// Characters in the order in which they are offered.
    pub everybody: Vec<CharacterNo>,
    /// Acts one to three.
    pub acts: [ActTables; 3],
    /// Colorless cards, uncommon and rare.
    pub colorless: [Vec<CardNo>; 2],
    /// Colorless cards in the order the game of pairs shuffles.
    pub(crate) colorless_base: Vec<CardNo>,
    /// What a colorless card transforms into.
    pub(crate) colorless_transform: Vec<CardNo>,
    /// Curses that may come at random.
    pub curses: Vec<CardNo>,
    /// Events that come once per run.
    pub(crate) one_time: Vec<EventNo>,
    /// Elites and bosses of the last act.
    pub ending: [Vec<FightNo>; 2],
    /// The rooms of the last act, the boss not counted.
    pub way: Vec<Room>,
    /// Given when a pool is empty.
    pub stand_in: RelicNo,
    /// Given when the boss pool is empty.
    pub(crate) boss_stand_in: RelicNo,
    /// Rules of runs of one's own.
    pub modifiers: Vec<RelicNo>,
    /// What a burning elite may gain: numbers of the catalog, in the order of the original.
    pub burnings: Vec<u16>,
    burning_names: Names,
    /// What Neow has.
    pub gifts: Gifts,
    /// Relics an event never gives at random.
    pub(crate) not_from_events: Vec<RelicNo>,
    /// By level of ascension, from 0 on; never empty.
    pub(crate) hardships: Vec<Hardship>,
    /// By [`CharacterNo`].
    own: Vec<CharacterTables>,
    tiers: Vec<Option<Tier>>,
    appears: Vec<Appears>,
    campfire: Vec<RelicNo>,
    facts: Vec<EventFacts>,
    potion_rarities: Vec<Rarity>,
    deck_cards: Vec<DeckCard>,
    /// Cards that belong to a character, as found or as begun with.
    of_a_class: Vec<bool>,
}

static EMBEDDED: LazyLock<Tables> = LazyLock::new(|| match Content::load(&Sources::builtin("classic")) {
    Ok(content) => Tables::new(&content),
    // A test reads the embedded files, so this cannot ship.
    Err(problems) => unreachable!("{problems:?}"),
});

impl Tables {
    /// The tables of the built-in content.
    pub fn embedded() -> &'static Tables {
        &EMBEDDED
    }

    /// The tables of a content.
    pub fn new(content: &Content) -> Tables {
        Maker::new(content).tables()
    }

    /// The tables of a character; those of the first for a number that nobody has.
    #[inline]
    pub fn of(&self, character: CharacterNo) -> &CharacterTables {
        self.own.get(usize::from(character)).unwrap_or(&self.own[0])
    }

    /// The tables of an act, 1 to 3; anything else counts as the third.
    #[inline]
    pub fn act(&self, act: u8) -> &ActTables {
        &self.acts[usize::from(act.clamp(1, 3)) - 1]
    }

    /// What a burning elite gains, by its id.
    pub fn burning_name(&self, burning: Burning) -> &str {
        let number = self.burnings.get(usize::from(burning.0));
        number.map_or("", |number| self.burning_names.name(usize::from(*number)))
    }

    /// The highest level of ascension.
    pub fn top(&self) -> u8 {
        (self.hardships.len() - 1).min(usize::from(u8::MAX)) as u8
    }

    /// Whether there is such a level of ascension.
    ///
    /// # Errors
    /// Which ones there are.
    pub fn check_ascension(&self, level: u8) -> Result<(), Rejection> {
        let text = || format!("ascension goes from 0 to {}", self.top());
        if level <= self.top() { Ok(()) } else { Err(Rejection::new("BAD_ASCENSION", text())) }
    }

    /// What a level of ascension makes harder.
    pub fn hardship(&self, ascension: u8) -> &Hardship {
        &self.hardships[usize::from(ascension).min(self.hardships.len() - 1)]
    }

    /// The floor on which one stands when each act begins: every act has fifteen rows, a boss and his chest, and each
    /// boss more is a floor.
    pub fn floors_below(&self, ascension: u8) -> [u8; 4] {
        [0, 17, 34, 50 + self.hardship(ascension).bosses]
    }

    /// The act that a floor is in.
    pub fn act_of(&self, floor: u8, ascension: u8) -> u8 {
        self.floors_below(ascension).iter().filter(|below| **below < floor).count().max(1) as u8
    }

    /// How the map of an act is made.
    pub fn map_plan(&self, act: u8, ascension: u8) -> MapPlan {
        let mut plan = self.act(act).map;
        plan.shares.elite = plan.shares.elite.times(Single::percent(self.hardship(ascension).elites));
        plan
    }

    /// The pool a relic comes from, if any.
    pub fn tier(&self, relic: RelicNo) -> Option<Tier> {
        self.tiers.get(usize::from(relic)).copied().flatten()
    }

    /// When a relic may come up.
    pub(crate) fn appears(&self, relic: RelicNo) -> Option<&Appears> {
        self.appears.get(usize::from(relic))
    }

    /// The relics that add an option at the campfire and exclude each other's third.
    pub fn campfire_relics(&self) -> &[RelicNo] {
        &self.campfire
    }

    pub(super) fn facts(&self, event: EventNo) -> Option<&EventFacts> {
        self.facts.get(usize::from(event))
    }

    /// What an event draws on entry.
    pub fn entry(&self, event: EventNo) -> Option<&Entry> {
        self.facts(event)?.entry.as_ref()
    }

    /// How rare a potion is.
    #[inline]
    pub fn potion_rarity(&self, potion: PotionNo) -> Rarity {
        self.potion_rarities.get(usize::from(potion)).copied().unwrap_or(Rarity::Common)
    }

    /// A card as the rules of chance see it in a deck.
    pub fn deck_card(&self, card: CardNo) -> DeckCard {
        self.deck_cards.get(usize::from(card)).copied().unwrap_or(DeckCard {
            card,
            kind: CardType::Skill,
            basic: false,
            removable_curse: false,
        })
    }

    /// Whether a card belongs to a character, as found or as begun with.
    pub fn has_a_class(&self, card: CardNo) -> bool {
        self.of_a_class.get(usize::from(card)).copied().unwrap_or(false)
    }
}

/// How rare something is that can be found.
fn found(rarity: words::Rarity) -> Option<Rarity> {
    match rarity {
        words::Rarity::Common => Some(Rarity::Common),
        words::Rarity::Uncommon => Some(Rarity::Uncommon),
        words::Rarity::Rare => Some(Rarity::Rare),
        words::Rarity::Basic
        | words::Rarity::Special
        | words::Rarity::Starter
        | words::Rarity::Boss
        | words::Rarity::Shop
        | words::Rarity::Event
        | words::Rarity::Curse
        | words::Rarity::Modifier => None,
    }
}

fn tier_of(relic: &Relic) -> Option<Tier> {
    match relic.tier {
        _ if relic.unobtainable => None,
        words::Rarity::Common => Some(Tier::Common),
        words::Rarity::Uncommon => Some(Tier::Uncommon),
        words::Rarity::Rare => Some(Tier::Rare),
        words::Rarity::Shop => Some(Tier::Shop),
        words::Rarity::Boss => Some(Tier::Boss),
        words::Rarity::Basic
        | words::Rarity::Special
        | words::Rarity::Starter
        | words::Rarity::Event
        | words::Rarity::Curse
        | words::Rarity::Modifier => None,
    }
}

/// The first of several lists that holds anything; at least one number in any case.
fn first_filled<T: Copy + Default>(lists: &[&[T]]) -> Vec<T> {
    lists.iter().find(|list| !list.is_empty()).map_or_else(|| vec![T::default()], |list| list.to_vec())
}

/// Lists by rarity of which none is empty: its neighbours stand in, then `others`.
fn filled(lists: [Vec<CardNo>; 3], others: &[CardNo]) -> [Vec<CardNo>; 3] {
    let [common, uncommon, rare] = &lists;
    [
        first_filled(&[common, uncommon, rare, others]),
        first_filled(&[uncommon, common, rare, others]),
        first_filled(&[rare, uncommon, common, others]),
    ]
}

/// Makes the tables of a content.
struct Maker<'c> {
    content: &'c Content,
    /// The place of every id in the list of that name.
    places: BTreeMap<ListName, BTreeMap<&'c str, usize>>,
    cards: Names,
    relics: Names,
    fights: Names,
}

impl<'c> Maker<'c> {
    fn new(content: &'c Content) -> Self {
        let mut places: BTreeMap<ListName, BTreeMap<&'c str, usize>> = BTreeMap::new();
        for order in &content.orders {
            let Some(name) = order.name else { continue };
            let list = order.list.iter().enumerate().map(|(at, id)| (id.as_str(), at));
            places.insert(name, list.collect());
        }
        Maker {
            content,
            places,
            cards: Names::new(content.cards.iter().map(|entry| &entry.common.id)),
            relics: Names::new(content.relics.iter().map(|entry| &entry.common.id)),
            fights: Names::new(content.encounters.iter().map(|entry| &entry.common.id)),
        }
    }

    /// The entries that pass, listed ones first, the others behind by their ids.
    fn ordered<T, N: From<u16>>(
        &self,
        list: ListName,
        entries: &'c [T],
        id: impl Fn(&'c T) -> &'c str,
        pass: impl Fn(&'c T) -> bool,
    ) -> Vec<N> {
        let places = self.places.get(&list);
        let place = |id: &str| places.and_then(|places| places.get(id)).copied().unwrap_or(usize::MAX);
        let passing = entries.iter().enumerate().filter(|(_, entry)| pass(entry));
        let mut found: Vec<(usize, usize)> = passing.map(|(no, entry)| (place(id(entry)), no)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, number)| N::from(number as u16)).collect()
    }

    fn cards(&self, list: ListName, pass: impl Fn(&'c Card) -> bool) -> Vec<CardNo> {
        self.ordered(list, &self.content.cards, |card| &card.common.id, pass)
    }

    fn by_rarity(&self, list: ListName, pass: impl Fn(&'c Card) -> bool) -> [Vec<CardNo>; 3] {
        let of = |rarity| self.cards(list, |card| found(card.rarity) == Some(rarity) && pass(card));
        [of(Rarity::Common), of(Rarity::Uncommon), of(Rarity::Rare)]
    }

    fn fights(&self, pass: impl Fn(&'c Encounter) -> bool) -> Vec<FightNo> {
        self.ordered(ListName::Encounters, &self.content.encounters, |fight| &fight.common.id, pass)
    }

    fn ranked(&self, act: i32, rank: Rank) -> Vec<FightNo> {
        self.fights(|fight| fight.act == act && fight.ranks.contains(&rank))
    }

    fn relics(&self, pass: impl Fn(&'c Relic) -> bool) -> Vec<RelicNo> {
        self.ordered(ListName::Relics, &self.content.relics, |relic| &relic.common.id, pass)
    }

    fn events(&self, list: ListName, pool: EventPool) -> Vec<EventNo> {
        self.ordered(list, &self.content.events, |event| &event.common.id, |event| event.pool == pool)
    }

    fn tables(self) -> Tables {
        let content = self.content;
        let colorless = &Color::NOBODYS[usize::from(Color::COLORLESS.0)].0;
        let [_, uncommon, rare] = self.by_rarity(ListName::Cards, |card| card.color == *colorless);
        let colorless_transform = self.cards(ListName::Cards, |card| {
            card.color == *colorless && matches!(found(card.rarity), Some(Rarity::Uncommon | Rarity::Rare))
        });
        let every = self.cards(ListName::Cards, |_| true);
        let colorless_base = self.cards(ListName::Pairs, |card| {
            card.color == *colorless && matches!(found(card.rarity), Some(Rarity::Uncommon | Rarity::Rare))
        });
        let curse = |card: &&Card| card.kind == CardType::Curse;
        let random = self.cards(ListName::Cards, |card| curse(&card) && card.rarity == words::Rarity::Curse);
        let curses = first_filled(&[&random, &self.cards(ListName::Cards, |card| curse(&card)), &every]);
        let stand_in = |what| self.relics(|relic| relic.stands_in == Some(what)).first().copied();
        let common = stand_in(StandIn::Pools).or(stand_in(StandIn::Boss)).unwrap_or_default();
        let own: Vec<_> =
            content.characters.iter().map(|c| self.character(c, &colorless_transform)).collect();
        Tables {
            own: if own.is_empty() { vec![self.nobody(&colorless_transform)] } else { own },
            acts: [self.act(1), self.act(2), self.act(3)],
            ending: [Rank::Elite, Rank::Boss].map(|rank| {
                first_filled(&[&self.ranked(4, rank), &self.ranked(3, rank), &self.fights(|_| true)])
            }),
            way: self.act_entry(4).way,
            colorless: [first_filled(&[&uncommon, &rare, &every]), first_filled(&[&rare, &uncommon, &every])],
            colorless_transform: first_filled(&[&colorless_transform, &every]),
            colorless_base: first_filled(&[&colorless_base, &every]),
            curses,
            hardships: self.hardships(),
            one_time: self.events(ListName::Events, EventPool::Once),
            stand_in: common,
            boss_stand_in: stand_in(StandIn::Boss).unwrap_or(common),
            modifiers: self.relics(|relic| relic.tier == words::Rarity::Modifier),
            burnings: self.ordered(ListName::Burnings, &content.burnings, |b| &b.common.id, |_| true),
            burning_names: Names::new(content.burnings.iter().map(|entry| &entry.common.id)),
            gifts: self.gifts(),
            not_from_events: self.relics(|relic| relic.own_screen),
            tiers: content.relics.iter().map(tier_of).collect(),
            appears: content.relics.iter().map(|relic| self.appears(relic)).collect(),
            campfire: self.relics(|relic| relic.campfire),
            facts: content.events.iter().map(|event| self.facts(event)).collect(),
            potion_rarities: content
                .potions
                .iter()
                .filter_map(|p| found(p.rarity).or(Some(Rarity::Common)))
                .collect(),
            deck_cards: content.cards.iter().enumerate().map(|(no, card)| deck_card(no, card)).collect(),
            of_a_class: content.cards.iter().map(|card| self.is_of_a_class(card)).collect(),
            potions: Names::new(content.potions.iter().map(|entry| &entry.common.id)),
            events: Names::new(content.events.iter().map(|event| &event.common.id)),
            characters: Names::new(content.characters.iter().map(|entry| &entry.common.id)),
            everybody: self.ordered(ListName::Characters, &content.characters, |c| &c.common.id, |_| true),
            cards: self.cards,
            relics: self.relics,
            fights: self.fights,
        }
    }

    fn gifts(&self) -> Gifts {
        let gifts = &self.content.gifts;
        let names = Names::new(gifts.iter().map(|entry| &entry.common.id));
        let number = |(name, _): &(String, _)| names.find(name);
        let entry = |gift: &Gift| GiftTables {
            cost: gift.cost.as_ref().and_then(number),
            spoils: gift.spoils.iter().filter_map(number).collect(),
            draws: gift.draws.clone(),
            takes_the_starter: gift.takes_the_starter(),
        };
        let row = |row| self.ordered(ListName::Neow, gifts, |gift| &gift.common.id, |gift| gift.row == row);
        Gifts {
            entries: gifts.iter().map(entry).collect(),
            rows: GiftRow::ALL.iter().map(|(of, ..)| (*of, row(*of))).collect(),
            names,
        }
    }

    fn hardships(&self) -> Vec<Hardship> {
        let mut levels = vec![Hardship::default()];
        let named = self.content.ascensions.iter().filter_map(|entry| entry.common.id.parse::<usize>().ok());
        for level in 1..=named.max().unwrap_or(0) {
            let mut hardship = Hardship { text: String::new(), ..levels[level - 1].clone() };
            let id = level.to_string();
            if let Some(added) = self.content.ascensions.iter().find(|entry| entry.common.id == id) {
                hardship.text = added.common.text.clone().unwrap_or_default();
                hardship.deck.extend(self.copies(&added.deck));
                let slots = i32::from(hardship.potion_slots) + added.potion_slots;
                hardship.potion_slots = slots.clamp(0, 9) as u8;
                hardship.start_hp = added.start_hp.unwrap_or(hardship.start_hp).clamp(1, 100);
                hardship.act_heal = added.act_heal.unwrap_or(hardship.act_heal).clamp(0, 100);
                hardship.elites = added.elites.unwrap_or(hardship.elites).clamp(0, 500);
                let percent = |own: Option<i32>, before: i32| own.unwrap_or(before).clamp(0, 1000);
                hardship.upgrade_chance = percent(added.upgrade_chance, hardship.upgrade_chance);
                hardship.boss_gold = percent(added.boss_gold, hardship.boss_gold);
                hardship.prices = percent(added.prices, hardship.prices);
                hardship.harsh_events |= added.harsh_events;
                hardship.bosses = added.bosses.map_or(hardship.bosses, |n| n.clamp(1, 2) as u8);
            }
            levels.push(hardship);
        }
        levels
    }

    /// Cards, each so often as said.
    fn copies(&self, deck: &[(String, i32)]) -> Vec<CardNo> {
        let known = deck.iter().filter_map(|(name, count)| Some((self.cards.find(name)?, *count)));
        known.flat_map(|(card, count): (CardNo, i32)| (0..count).map(move |_| card)).collect()
    }

    fn is_of_a_class(&self, card: &Card) -> bool {
        let nobodys = Color::NOBODYS.iter().any(|(name, _)| *name == card.color);
        !nobodys && (found(card.rarity).is_some() || card.rarity == words::Rarity::Basic)
    }

    fn character(&self, character: &'c Character, others: &[CardNo]) -> CharacterTables {
        let color = character.color.as_str();
        let number = |name: &String| self.cards.find(name);
        let starter_deck = self.copies(&character.deck);
        let memory_card = character.memory_card.as_ref().and_then(number);
        let shared = Color::NOBODYS[usize::from(Color::SHARED.0)].0;
        let mine = |other: &str| other == color || other == shared;
        let own = self.by_rarity(ListName::Cards, |card| card.color == color);
        let [common, uncommon, rare] = &own;
        // Common cards forwards, the others backwards: the order in which the original collects them.
        let transform: Vec<CardNo> =
            common.iter().chain(uncommon.iter().rev()).chain(rare.iter().rev()).copied().collect();
        let any: Vec<CardNo> = own.iter().flat_map(|list| list.iter().rev().copied()).collect();
        let by_rarity = filled(own, others);
        let of_type = |kind| {
            let sold = self.by_rarity(ListName::Merchant, |card| card.color == color && card.kind == kind);
            filled(sold, &by_rarity[0])
        };
        let potions = self.ordered(
            ListName::Potions,
            &self.content.potions,
            |potion| &potion.common.id,
            |potion| found(potion.rarity).is_some() && mine(&potion.color),
        );
        CharacterTables {
            name: character.common.name.clone(),
            text: character.common.text.clone().unwrap_or_default(),
            memory_card: memory_card.or(starter_deck.last().copied()).unwrap_or(by_rarity[0][0]),
            starter_deck,
            starter_relics: character.relics.iter().filter_map(|name| self.relics.find(name)).collect(),
            hp: std::iter::once((0, character.hp)).chain(character.hp_later.iter().copied()).collect(),
            relics: [Tier::Common, Tier::Uncommon, Tier::Rare, Tier::Shop, Tier::Boss]
                .map(|tier| self.relics(|relic| tier_of(relic) == Some(tier) && mine(&relic.color))),
            by_type: [of_type(CardType::Attack), of_type(CardType::Skill), of_type(CardType::Power)],
            transform: first_filled(&[&transform, others]),
            any: first_filled(&[&any, others]),
            by_rarity,
            potions: first_filled(&[&potions]),
        }
    }

    /// Stands in for a content without characters.
    fn nobody(&self, others: &[CardNo]) -> CharacterTables {
        let cards = first_filled(&[others]);
        let by_rarity = [(); 3].map(|()| cards.clone());
        CharacterTables {
            name: String::new(),
            text: String::new(),
            starter_deck: Vec::new(),
            memory_card: cards[0],
            starter_relics: Vec::new(),
            hp: Vec::new(),
            relics: Default::default(),
            by_type: [(); 3].map(|()| by_rarity.clone()),
            transform: cards.clone(),
            any: cards,
            by_rarity,
            potions: vec![PotionNo::default()],
        }
    }

    /// An act as it is written, or as in the original.
    fn act_entry(&self, number: i32) -> Act {
        let written = self.content.acts.iter().find(|act| act.common.id == number.to_string());
        written.cloned().unwrap_or_else(|| Act::original(number as u8))
    }

    fn act(&self, number: i32) -> ActTables {
        let [weak, strong, elites, bosses] =
            [Rank::Weak, Rank::Strong, Rank::Elite, Rank::Boss].map(|rank| self.ranked(number, rank));
        let any = self.fights(|_| true);
        let entry = self.act_entry(number);
        let [shop, rest, elite, event] = entry.rooms.map(Single::percent);
        let burnings = self.content.burnings.len() as u8;
        let pool = [EventPool::Act1, EventPool::Act2, EventPool::Act3][number.clamp(1, 3) as usize - 1];
        let shrines = if number == 1 { ListName::FirstShrines } else { ListName::Events };
        ActTables {
            weak_count: entry.weak_fights as usize,
            map: MapPlan::new(&entry, Shares { shop, rest, elite, event }, burnings),
            not_after: self.not_after(&weak, &strong),
            weak: self.roll_list(&first_filled(&[&weak, &strong, &any])),
            strong: self.roll_list(&first_filled(&[&strong, &weak, &any])),
            elites: self.roll_list(&first_filled(&[&elites, &strong, &any])),
            bosses: first_filled(&[&bosses, &elites, &any]),
            events: self.events(ListName::Events, pool),
            shrines: self.events(shrines, EventPool::Shrine),
        }
    }

    fn roll_list(&self, fights: &[FightNo]) -> RollList {
        let weight = |fight: &FightNo| {
            self.content.encounters.get(usize::from(*fight)).map_or(1000, |fight| fight.weight)
        };
        RollList::new(fights, &fights.iter().map(weight).collect::<Vec<_>>())
    }

    fn not_after(&self, weak: &[FightNo], strong: &[FightNo]) -> Vec<(FightNo, Vec<FightNo>)> {
        let barred = |weak: &FightNo| -> Vec<FightNo> {
            let name = self.fights.name(*weak).to_owned();
            let bars = |fight: &&FightNo| {
                self.content.encounters.get(usize::from(**fight)).is_some_and(|f| f.not_after.contains(&name))
            };
            strong.iter().filter(bars).copied().collect()
        };
        weak.iter().map(|weak| (*weak, barred(weak))).filter(|(_, barred)| !barred.is_empty()).collect()
    }

    fn appears(&self, relic: &Relic) -> Appears {
        Appears {
            deck: relic.deck_holds,
            owns: relic.replaces.as_ref().and_then(|name| self.relics.find(name)),
            last_floor: relic.max_floor,
            campfire: relic.campfire,
            unsold: [relic.not_in_shop, relic.not_in_shop && !relic.simulator_sells],
            original_last_act: relic.last_act,
        }
    }

    fn facts(&self, event: &EventDef) -> EventFacts {
        let guardians = |names: &[String]| {
            let known: Vec<FightNo> = names.iter().filter_map(|name| self.fights.find(name)).collect();
            Entry::GuardedFinds(first_filled(&[&known]))
        };
        let relic = event.allowed.half_dead_or_owns.as_ref();
        EventFacts {
            allowed: event.allowed.clone(),
            owns: relic.and_then(|name| self.relics.find(name)),
            entry: event.draws.as_ref().map(|draws| match draws {
                Draws::GuardedFinds(names) => guardians(names),
                plain => Entry::Plain(plain.clone()),
            }),
        }
    }
}

fn deck_card(number: usize, card: &Card) -> DeckCard {
    DeckCard {
        card: CardNo(number as u16),
        kind: card.kind,
        basic: card.rarity == words::Rarity::Basic,
        removable_curse: card.kind == CardType::Curse && !card.tags.iter().any(|tag| tag == "eternal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_have_the_sizes_of_the_original() {
        let tables = Tables::embedded();
        let names = ["ironclad", "silent", "defect", "watcher"];
        let own = names.map(|name| tables.of(tables.characters.find(name).expect("a character")));
        let sizes = |t: Tier| own.map(|c| c.relics[t as usize].len());
        assert_eq!(sizes(Tier::Common), [33; 4]);
        assert_eq!(sizes(Tier::Rare), [28, 28, 26, 27]);
        assert_eq!(sizes(Tier::Boss), [22, 22, 22, 21]);
        assert!(own.iter().all(|c| c.potions.len() == 33));
    }

    #[test]
    fn fight_bounds_are_the_single_precision_sums() {
        let acts = &Tables::embedded().acts;
        let bounds = |list: &RollList| list.bounds().collect::<Vec<_>>();
        assert_eq!(
            bounds(&acts[1].strong),
            [1157050, 2314099, 4049673, 5785247, 7520821, 9834920, 13306068, 16777216]
        );
        assert_eq!(bounds(&acts[1].weak), [3355444, 6710887, 10066330, 13421773, 16777216]);
        assert_eq!(bounds(&acts[2].weak), [5592406, 11184811, 16777216]);
    }

    #[test]
    fn every_hint_of_order_names_an_entry() {
        let content = Content::load(&Sources::builtin("classic")).expect("content");
        let tables = Tables::embedded();
        let orbs = Names::new(content.orbs.iter().map(|entry| &entry.common.id));
        for order in &content.orders {
            let names = match order.name.expect("a list") {
                ListName::Characters => &tables.characters,
                ListName::Cards | ListName::Merchant | ListName::Pairs => &tables.cards,
                ListName::Relics => &tables.relics,
                ListName::Potions => &tables.potions,
                ListName::Encounters => &tables.fights,
                ListName::Events | ListName::FirstShrines => &tables.events,
                ListName::Orbs => &orbs,
                ListName::Burnings => &tables.burning_names,
                ListName::Neow => &tables.gifts.names,
            };
            for id in &order.list {
                assert!(names.find::<CardNo>(id).is_some(), "{:?}: {id}", order.name);
            }
        }
    }
}
