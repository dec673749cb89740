//! The base tables a seed is resolved with, read from the TOML files beside this one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;

use super::ids::{CardNo, CardType, Character, EventNo, FightNo, PotionNo, Rarity, RelicNo, Tier};
use super::names::Names;

/// What can be wrong with the tables.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    /// The file is not what its schema says.
    #[error("table-malformed: {file}: {reason}")]
    Malformed {
        /// File name.
        file: &'static str,
        /// The reader's words, with line and column.
        reason: String,
    },
    /// A name that the catalog does not know.
    #[error("table-unknown-name: no {kind} is called {name:?}")]
    Unknown {
        /// Card, relic, potion, fight or event.
        kind: &'static str,
        /// The name.
        name: String,
    },
}

/// Everything about one character.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterTables {
    /// The deck of a new run.
    pub starter_deck: Vec<CardNo>,
    /// The starter card of the memory game.
    pub memory_card: CardNo,
    /// The relic of a new run.
    pub starter_relic: RelicNo,
    /// Relic pools in base order, by [`Tier`].
    pub relics: [Vec<RelicNo>; 5],
    /// Reward cards by [`Rarity`].
    pub by_rarity: [Vec<CardNo>; 3],
    /// Merchant's cards by [`CardType`], then [`Rarity`].
    pub by_type: [[Vec<CardNo>; 3]; 3],
    /// What a card of this character transforms into.
    pub transform: Vec<CardNo>,
    /// Wholly random cards of this character.
    pub any: Vec<CardNo>,
    /// Potions in draw order.
    pub potions: Vec<PotionNo>,
}

/// A fight list: entries with the 24-bit bound below which they are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollList {
    entries: Vec<(FightNo, u32)>,
}

impl RollList {
    /// Sums the weights in single precision, as the original does.
    fn new(weights: &[(FightNo, f32)]) -> Self {
        let total: f32 = weights.iter().map(|w| w.1).sum();
        let mut sum = 0.0_f32;
        let entries = weights
            .iter()
            .map(|&(fight, weight)| {
                sum += weight / total;
                (fight, (sum * 16_777_216.0).ceil() as u32)
            })
            .collect();
        RollList { entries }
    }

    /// The entry for a 24-bit roll.
    #[inline]
    pub fn pick(&self, k24: u32) -> FightNo {
        let chosen = self.entries.iter().find(|e| k24 < e.1).or(self.entries.last());
        chosen.map_or(FightNo(0), |e| e.0)
    }

    /// The bounds, for tests and reports.
    pub fn bounds(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().map(|e| e.1)
    }
}

/// Everything about one act.
#[derive(Clone, Debug, PartialEq)]
pub struct ActTables {
    /// How many weak fights begin the act.
    pub weak_count: usize,
    /// Weak fights.
    pub weak: RollList,
    /// Strong fights.
    pub strong: RollList,
    /// Elite fights.
    pub elites: RollList,
    /// Bosses in base order.
    pub bosses: [FightNo; 3],
    /// Last weak fight and what the first strong one may then not be.
    pub not_after: Vec<(FightNo, Vec<FightNo>)>,
    /// Events of this act.
    pub events: Vec<EventNo>,
    /// Shrines of this act.
    pub shrines: Vec<EventNo>,
}

/// What the deck must hold for a bottle to appear.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeckNeed {
    /// An attack that is not a basic card.
    Attack,
    /// A skill that is not a basic card.
    Skill,
    /// Any power.
    Power,
}

/// Whether a relic is kept out of shops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShopNeed {
    /// Sold like any other.
    #[default]
    Always,
    /// Never sold.
    Never,
    /// Sold by the simulator only.
    Simulator,
}

/// When a relic may come up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appears {
    /// The deck must hold such a card.
    pub deck: Option<DeckNeed>,
    /// This relic must be owned.
    pub owns: Option<RelicNo>,
    /// Not above this floor.
    pub last_floor: Option<u8>,
    /// Only while fewer than two of the campfire relics are owned.
    pub campfire: bool,
    /// Shops.
    pub shop: ShopNeed,
    /// By the original's rules not after this act.
    pub original_last_act: Option<u8>,
}

/// When an event may be offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Not below this floor.
    pub first_floor: u8,
    /// Not below this row of the map.
    pub first_row: u8,
    /// Gold at hand.
    pub gold: u32,
    /// Hit points.
    pub hp: i32,
    /// Relics owned.
    pub relics: usize,
    /// The acts; empty is all.
    pub acts: Vec<u8>,
    /// A curse that can be removed is in the deck.
    pub curse: bool,
    /// At most half of the hit points left, or this relic owned.
    pub half_dead_or_owns: Option<RelicNo>,
}

/// Where an event may be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventPool {
    /// In that act, from 0.
    Act(usize),
    /// In every act, once in each.
    Shrine,
    /// Once in a run.
    Once,
}

/// Which numbers an event draws on entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Order of the finds and the guardian.
    DeadAdventurer,
    /// Which two services are offered.
    Designer,
    /// Three cards that may be lost.
    Falling,
    /// Potions.
    Lab,
    /// What the beggar of relics wants.
    WeMeetAgain,
    /// Gold that the goop costs.
    Goop,
    /// The board of the memory game.
    MatchAndKeep,
}

/// All base tables, with every name turned into a number.
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
    /// By [`Character`].
    pub characters: [CharacterTables; 4],
    /// Acts one to three.
    pub acts: [ActTables; 3],
    /// Colorless cards, uncommon and rare.
    pub colorless: [Vec<CardNo>; 2],
    /// Colorless cards in the order the memory game shuffles.
    pub colorless_base: Vec<CardNo>,
    /// What a colorless card transforms into.
    pub colorless_transform: Vec<CardNo>,
    /// Curses that may come at random.
    pub curses: Vec<CardNo>,
    /// Events that come once per run.
    pub one_time: Vec<EventNo>,
    /// Of these, not from ascension 15 on.
    pub below_ascension_15: Vec<EventNo>,
    /// Events the simulator never offers.
    pub not_in_simulator: Vec<EventNo>,
    /// Guardians of the dead adventurer.
    pub adventurer: Vec<FightNo>,
    /// Elite and boss of the last act.
    pub ending: [FightNo; 2],
    /// Given when the rare pool is empty.
    pub circlet: RelicNo,
    /// Given when the boss pool is empty.
    pub red_circlet: RelicNo,
    /// Relics an event never gives at random.
    pub not_from_events: Vec<RelicNo>,
    tiers: Vec<Option<Tier>>,
    appears: Vec<Appears>,
    campfire: Vec<RelicNo>,
    allowed: Vec<Allowed>,
    entries: Vec<Option<Entry>>,
    rarities: Vec<Rarity>,
    card_rarities: Vec<Option<Rarity>>,
    records: BTreeMap<String, String>,
}

static EMBEDDED: LazyLock<Tables> = LazyLock::new(|| match Tables::load(NameLists::default()) {
    Ok(tables) => tables,
    // A test reads the embedded files, so this cannot ship.
    Err(error) => unreachable!("{error}"),
});

impl Tables {
    /// The tables of the original, numbered as the files name things.
    pub fn embedded() -> &'static Tables {
        &EMBEDDED
    }

    /// Reads the tables with the numbers of existing name lists.
    ///
    /// # Errors
    /// A name that a closed list does not hold.
    pub fn load(lists: NameLists) -> Result<Tables, TableError> {
        let files = Files::read()?;
        Builder { lists }.build(&files)
    }

    /// The tables of a character.
    #[inline]
    pub fn of(&self, character: Character) -> &CharacterTables {
        &self.characters[character as usize]
    }

    /// The tables of an act, 1 to 3; anything else counts as the third.
    #[inline]
    pub fn act(&self, act: u8) -> &ActTables {
        &self.acts[usize::from(act.clamp(1, 3)) - 1]
    }

    /// The pool a relic comes from, if any.
    pub fn tier(&self, relic: RelicNo) -> Option<Tier> {
        self.tiers.get(usize::from(relic)).copied().flatten()
    }

    /// When a relic may come up.
    pub fn appears(&self, relic: RelicNo) -> Option<&Appears> {
        self.appears.get(usize::from(relic))
    }

    /// The relics that add an option at the campfire and exclude each other's third.
    pub fn campfire_relics(&self) -> &[RelicNo] {
        &self.campfire
    }

    /// When an event may be offered.
    pub fn allowed(&self, event: EventNo) -> Option<&Allowed> {
        self.allowed.get(usize::from(event))
    }

    /// Adds an event to a pool, behind those that are there.
    pub fn add_event(&mut self, name: &str, pool: EventPool) {
        // The list of events is open: a new name gets a new number.
        let Ok(event) = self.events.number::<EventNo>(name) else { return };
        match pool {
            EventPool::Act(act) => self.acts[act.min(2)].events.push(event),
            EventPool::Shrine => self.acts.iter_mut().for_each(|act| act.shrines.push(event)),
            EventPool::Once => self.one_time.push(event),
        }
    }

    /// What an event draws on entry.
    pub fn entry(&self, event: EventNo) -> Option<Entry> {
        self.entries.get(usize::from(event)).copied().flatten()
    }

    /// How rare a potion is.
    #[inline]
    pub fn potion_rarity(&self, potion: PotionNo) -> Rarity {
        self.rarities.get(usize::from(potion)).copied().unwrap_or(Rarity::Common)
    }

    /// How rare a card of the reward and colorless pools is; `None` for all others.
    pub fn card_rarity(&self, card: CardNo) -> Option<Rarity> {
        self.card_rarities.get(usize::from(card)).copied().flatten()
    }

    /// Whether a card belongs to a character, as found or as begun with.
    pub fn has_a_class(&self, card: CardNo) -> bool {
        let owns = |c: &CharacterTables| {
            c.starter_deck.contains(&card) || c.by_rarity.iter().any(|list| list.contains(&card))
        };
        self.characters.iter().any(owns)
    }

    /// A name as the recorded files spell it.
    pub fn record_name(&self, name: &str) -> String {
        self.records.get(name).cloned().unwrap_or_else(|| name.to_uppercase())
    }
}

/// Name lists to number the tables with: open ones by default, a catalog's closed ones in a game.
#[derive(Clone, Debug)]
pub struct NameLists {
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
}

impl Default for NameLists {
    fn default() -> Self {
        NameLists {
            cards: Names::open("card"),
            relics: Names::open("relic"),
            potions: Names::open("potion"),
            fights: Names::open("fight"),
            events: Names::open("event"),
        }
    }
}

// ---- the files as written -------------------------------------------------------------------------------

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TierLists {
    #[serde(default)]
    starter: String,
    common: Vec<String>,
    uncommon: Vec<String>,
    rare: Vec<String>,
    shop: Vec<String>,
    boss: Vec<String>,
}

impl TierLists {
    fn tier(&self, tier: Tier) -> &[String] {
        match tier {
            Tier::Common => &self.common,
            Tier::Uncommon => &self.uncommon,
            Tier::Rare => &self.rare,
            Tier::Shop => &self.shop,
            Tier::Boss => &self.boss,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AppearsFile {
    deck: Option<DeckNeed>,
    owns: Option<String>,
    last_floor: Option<u8>,
    #[serde(default)]
    campfire: bool,
    #[serde(default)]
    shop: ShopNeed,
    original_last_act: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecialRelics {
    names: Vec<String>,
    circlet: String,
    red_circlet: String,
    not_from_events: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RelicFile {
    shared: TierLists,
    ironclad: TierLists,
    silent: TierLists,
    defect: TierLists,
    watcher: TierLists,
    special: SpecialRelics,
    appears: BTreeMap<String, AppearsFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RarityLists {
    common: Vec<String>,
    uncommon: Vec<String>,
    rare: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeLists {
    attack: RarityLists,
    skill: RarityLists,
    power: RarityLists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CharacterCards {
    starter: Vec<String>,
    memory: String,
    by_rarity: RarityLists,
    by_type: TypeLists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColorlessFile {
    uncommon: Vec<String>,
    rare: Vec<String>,
    shuffle_base: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherCards {
    curses: Vec<String>,
    special: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFile {
    ironclad: CharacterCards,
    silent: CharacterCards,
    defect: CharacterCards,
    watcher: CharacterCards,
    colorless: ColorlessFile,
    other: OtherCards,
    record: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PotionFile {
    ironclad: Vec<String>,
    silent: Vec<String>,
    defect: Vec<String>,
    watcher: Vec<String>,
    shared: Vec<String>,
    rarity: RarityLists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActFights {
    weak_count: usize,
    weak: Vec<(String, f32)>,
    strong: Vec<(String, f32)>,
    elites: Vec<String>,
    bosses: [String; 3],
    not_after: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherFights {
    names: Vec<String>,
    ending_elite: String,
    ending_boss: String,
    adventurer: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FightFile {
    act: [ActFights; 3],
    other: OtherFights,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActEvents {
    events: Vec<String>,
    shrines: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct AllowedFile {
    first_floor: u8,
    first_row: u8,
    gold: u32,
    hp: i32,
    relics: usize,
    acts: Vec<u8>,
    curse: bool,
    half_dead_or_owns: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventFile {
    one_time: Vec<String>,
    below_ascension_15: Vec<String>,
    not_in_simulator: Vec<String>,
    act: [ActEvents; 3],
    allowed: BTreeMap<String, AllowedFile>,
    entry: BTreeMap<String, Entry>,
}

struct Files {
    relics: RelicFile,
    cards: CardFile,
    potions: PotionFile,
    fights: FightFile,
    events: EventFile,
}

impl Files {
    fn read() -> Result<Files, TableError> {
        Ok(Files {
            relics: parse("relics.toml", include_str!("tables/relics.toml"))?,
            cards: parse("cards.toml", include_str!("tables/cards.toml"))?,
            potions: parse("potions.toml", include_str!("tables/potions.toml"))?,
            fights: parse("fights.toml", include_str!("tables/fights.toml"))?,
            events: parse("events.toml", include_str!("tables/events.toml"))?,
        })
    }
}

fn parse<T: for<'a> Deserialize<'a>>(file: &'static str, text: &str) -> Result<T, TableError> {
    toml::from_str(text).map_err(|e| TableError::Malformed { file, reason: e.to_string() })
}

// ---- names to numbers -----------------------------------------------------------------------------------

struct Builder {
    lists: NameLists,
}

impl Builder {
    fn build(mut self, files: &Files) -> Result<Tables, TableError> {
        let characters = [
            self.character(files, &files.relics.ironclad, &files.cards.ironclad, &files.potions.ironclad)?,
            self.character(files, &files.relics.silent, &files.cards.silent, &files.potions.silent)?,
            self.character(files, &files.relics.defect, &files.cards.defect, &files.potions.defect)?,
            self.character(files, &files.relics.watcher, &files.cards.watcher, &files.potions.watcher)?,
        ];
        let colorless_file = &files.cards.colorless;
        let colorless = [
            self.lists.cards.numbers(&colorless_file.uncommon)?,
            self.lists.cards.numbers(&colorless_file.rare)?,
        ];
        let mut sorted: Vec<String> =
            colorless_file.uncommon.iter().chain(&colorless_file.rare).cloned().collect();
        sorted.sort();
        let special = &files.relics.special;
        self.lists.relics.numbers::<RelicNo>(&special.names)?;
        self.lists.cards.numbers::<CardNo>(&files.cards.other.special)?;
        let acts = self.acts(files)?;
        let adventurer = self.lists.fights.numbers(&files.fights.other.adventurer)?;
        let other = &files.fights.other;
        self.lists.fights.numbers::<FightNo>(&other.names)?;
        let fights = &mut self.lists.fights;
        let ending = [fights.number(&other.ending_elite)?, fights.number(&other.ending_boss)?];
        Ok(Tables {
            colorless_base: self.lists.cards.numbers(&colorless_file.shuffle_base)?,
            colorless_transform: self.lists.cards.numbers(&sorted)?,
            curses: self.lists.cards.numbers(&files.cards.other.curses)?,
            one_time: self.lists.events.numbers(&files.events.one_time)?,
            below_ascension_15: self.lists.events.numbers(&files.events.below_ascension_15)?,
            not_in_simulator: self.lists.events.numbers(&files.events.not_in_simulator)?,
            circlet: self.lists.relics.number(&special.circlet)?,
            red_circlet: self.lists.relics.number(&special.red_circlet)?,
            not_from_events: self.lists.relics.numbers(&special.not_from_events)?,
            tiers: tiers(&characters, self.lists.relics.len()),
            campfire: self.campfire(files)?,
            appears: self.appears(files)?,
            allowed: self.allowed(files)?,
            entries: self.entries(files)?,
            rarities: self.potion_rarities(files)?,
            card_rarities: card_rarities(&characters, &colorless, self.lists.cards.len()),
            records: files.cards.record.clone(),
            characters,
            acts,
            colorless,
            adventurer,
            ending,
            cards: self.lists.cards,
            relics: self.lists.relics,
            potions: self.lists.potions,
            fights: self.lists.fights,
            events: self.lists.events,
        })
    }

    fn character(
        &mut self,
        files: &Files,
        relics: &TierLists,
        cards: &CharacterCards,
        potions: &[String],
    ) -> Result<CharacterTables, TableError> {
        let mut pools: [Vec<RelicNo>; 5] = Default::default();
        for &tier in Tier::ALL {
            let pool = &mut pools[tier as usize];
            pool.extend(self.lists.relics.numbers::<RelicNo>(files.relics.shared.tier(tier))?);
            pool.extend(self.lists.relics.numbers::<RelicNo>(relics.tier(tier))?);
        }
        let by_rarity = self.rarity_lists(&cards.by_rarity)?;
        let types = &cards.by_type;
        let mut own = self.lists.potions.numbers::<PotionNo>(potions)?;
        own.extend(self.lists.potions.numbers::<PotionNo>(&files.potions.shared)?);
        Ok(CharacterTables {
            starter_deck: self.lists.cards.numbers(&cards.starter)?,
            memory_card: self.lists.cards.number(&cards.memory)?,
            starter_relic: self.lists.relics.number(&relics.starter)?,
            relics: pools,
            by_type: [
                self.rarity_lists(&types.attack)?,
                self.rarity_lists(&types.skill)?,
                self.rarity_lists(&types.power)?,
            ],
            transform: transform_order(&by_rarity),
            any: by_rarity.iter().flat_map(|list| list.iter().rev().copied()).collect(),
            by_rarity,
            potions: own,
        })
    }

    fn rarity_lists(&mut self, lists: &RarityLists) -> Result<[Vec<CardNo>; 3], TableError> {
        let cards = &mut self.lists.cards;
        Ok([cards.numbers(&lists.common)?, cards.numbers(&lists.uncommon)?, cards.numbers(&lists.rare)?])
    }

    fn acts(&mut self, files: &Files) -> Result<[ActTables; 3], TableError> {
        let [a, b, c] = [0, 1, 2].map(|i| self.act(&files.fights.act[i], &files.events.act[i]));
        Ok([a?, b?, c?])
    }

    fn act(&mut self, fights: &ActFights, events: &ActEvents) -> Result<ActTables, TableError> {
        let even: Vec<(String, f32)> = fights.elites.iter().map(|e| (e.clone(), 1.0)).collect();
        let [first, second, third] = &fights.bosses;
        let names = &mut self.lists.fights;
        let bosses = [names.number(first)?, names.number(second)?, names.number(third)?];
        let mut not_after = Vec::new();
        for (last, excluded) in &fights.not_after {
            not_after.push((names.number(last)?, names.numbers(excluded)?));
        }
        Ok(ActTables {
            weak_count: fights.weak_count,
            weak: self.roll_list(&fights.weak)?,
            strong: self.roll_list(&fights.strong)?,
            elites: self.roll_list(&even)?,
            bosses,
            not_after,
            events: self.lists.events.numbers(&events.events)?,
            shrines: self.lists.events.numbers(&events.shrines)?,
        })
    }

    fn roll_list(&mut self, weights: &[(String, f32)]) -> Result<RollList, TableError> {
        let mut numbered = Vec::with_capacity(weights.len());
        for (name, weight) in weights {
            numbered.push((self.lists.fights.number(name)?, *weight));
        }
        Ok(RollList::new(&numbered))
    }

    fn campfire(&mut self, files: &Files) -> Result<Vec<RelicNo>, TableError> {
        let campfire = files.relics.appears.iter().filter(|(_, a)| a.campfire);
        campfire.map(|(name, _)| self.lists.relics.number(name)).collect()
    }

    fn appears(&mut self, files: &Files) -> Result<Vec<Appears>, TableError> {
        let mut table = vec![Appears::default(); self.lists.relics.len()];
        for (name, file) in &files.relics.appears {
            let number: RelicNo = self.lists.relics.number(name)?;
            let owns = file.owns.as_ref().map(|o| self.lists.relics.number(o)).transpose()?;
            table[usize::from(number)] = Appears {
                deck: file.deck,
                owns,
                last_floor: file.last_floor,
                campfire: file.campfire,
                shop: file.shop,
                original_last_act: file.original_last_act,
            };
        }
        Ok(table)
    }

    fn allowed(&mut self, files: &Files) -> Result<Vec<Allowed>, TableError> {
        let mut table = vec![Allowed::default(); self.lists.events.len()];
        for (name, file) in &files.events.allowed {
            let number: EventNo = self.lists.events.number(name)?;
            let relic = file.half_dead_or_owns.as_ref().map(|o| self.lists.relics.number(o)).transpose()?;
            table[usize::from(number)] = Allowed {
                first_floor: file.first_floor,
                first_row: file.first_row,
                gold: file.gold,
                hp: file.hp,
                relics: file.relics,
                acts: file.acts.clone(),
                curse: file.curse,
                half_dead_or_owns: relic,
            };
        }
        Ok(table)
    }

    fn entries(&mut self, files: &Files) -> Result<Vec<Option<Entry>>, TableError> {
        let mut table = vec![None; self.lists.events.len()];
        for (name, entry) in &files.events.entry {
            let number: EventNo = self.lists.events.number(name)?;
            table[usize::from(number)] = Some(*entry);
        }
        Ok(table)
    }

    fn potion_rarities(&mut self, files: &Files) -> Result<Vec<Rarity>, TableError> {
        let mut table = vec![Rarity::Common; self.lists.potions.len()];
        let lists = &files.potions.rarity;
        for (rarity, names) in [(Rarity::Uncommon, &lists.uncommon), (Rarity::Rare, &lists.rare)] {
            for potion in self.lists.potions.numbers::<PotionNo>(names)? {
                table[usize::from(potion)] = rarity;
            }
        }
        Ok(table)
    }
}

/// Common cards forwards, the others backwards: the order in which the original collects them.
fn transform_order(by_rarity: &[Vec<CardNo>; 3]) -> Vec<CardNo> {
    let [common, uncommon, rare] = by_rarity;
    common.iter().chain(uncommon.iter().rev()).chain(rare.iter().rev()).copied().collect()
}

fn tiers(characters: &[CharacterTables; 4], len: usize) -> Vec<Option<Tier>> {
    let mut table = vec![None; len];
    for character in characters {
        for &tier in Tier::ALL {
            for &relic in &character.relics[tier as usize] {
                table[usize::from(relic)] = Some(tier);
            }
        }
    }
    table
}

fn card_rarities(
    characters: &[CharacterTables; 4],
    colorless: &[Vec<CardNo>; 2],
    len: usize,
) -> Vec<Option<Rarity>> {
    let mut table = vec![None; len];
    let mut note = |rarity: Rarity, cards: &[CardNo]| {
        for &card in cards {
            table[usize::from(card)] = Some(rarity);
        }
    };
    for character in characters {
        for &rarity in Rarity::ALL {
            note(rarity, &character.by_rarity[rarity as usize]);
        }
    }
    note(Rarity::Uncommon, &colorless[0]);
    note(Rarity::Rare, &colorless[1]);
    table
}

/// A card's type as the merchant's lists sort it, for whoever needs the reverse look-up.
pub fn card_type(tables: &CharacterTables, card: CardNo) -> Option<CardType> {
    CardType::ALL.iter().copied().find(|&t| tables.by_type[t as usize].iter().any(|l| l.contains(&card)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_load() {
        let tables = Tables::load(NameLists::default()).expect("tables");
        let sizes = |t: Tier| tables.characters.each_ref().map(|c| c.relics[t as usize].len());
        assert_eq!(sizes(Tier::Common), [33; 4]);
        assert_eq!(sizes(Tier::Rare), [28, 28, 26, 27]);
        assert_eq!(sizes(Tier::Boss), [22, 22, 22, 21]);
        assert!(tables.characters.iter().all(|c| c.potions.len() == 33));
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
    fn a_closed_list_refuses_unknown_names() {
        let lists = NameLists { cards: Names::closed("card", ["bash"]), ..NameLists::default() };
        assert!(matches!(Tables::load(lists), Err(TableError::Unknown { kind: "card", .. })));
    }
}
