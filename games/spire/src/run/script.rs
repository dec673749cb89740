//! Scripts: what events, relics, potions and Neow do outside of combat, as data.
//!
//! `content/events/*.toml` is written in the words of [`StepText`]; [`Book::load`] turns names into numbers
//! and lists of steps into one dense table, so that an effect is a step's number.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::seeds::{Bonus, CardNo, Drawback, EventNo, FightNo, PotionNo, RelicNo, Tables, Tier};

/// The kinds of entries that are scripts; the catalog leaves them to this module.
pub const KINDS: &[&str] = &["event", "obtain", "drink", "neow"];

static CONTENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content/events");

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("script-invalid: {file}: {reason}")]
pub struct ScriptError {
    /// The file.
    pub file: String,
    /// What is wrong, and where.
    pub reason: String,
}

/// How a fraction is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Towards zero.
    #[default]
    Down,
    /// Away from zero.
    Up,
    /// To the nearest, halves up.
    Nearest,
}

/// The word for a number that was drawn when the event was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawnWord {
    /// `"drawn"`.
    Drawn,
}

/// A number of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Amount {
    /// Always this.
    Flat(i32),
    /// This, and the second from ascension 15 on.
    Hard([i32; 2]),
    /// Drawn when the event was entered.
    Drawn(DrawnWord),
    /// A fraction of the most hit points.
    MaxHp {
        /// Numerator and denominator.
        max_hp: [i32; 2],
        /// From ascension 15 on.
        hard: Option<[i32; 2]>,
        /// Rounding.
        #[serde(default)]
        round: Rounding,
        /// Not less than this.
        #[serde(default)]
        at_least: i32,
    },
    /// A fraction of the hit points left.
    Hp {
        /// Numerator and denominator.
        hp: [i32; 2],
    },
    /// Rolled now, both ends included.
    Roll {
        /// Least and most.
        roll: [i32; 2],
    },
    /// Grows every time the event counts.
    Rising {
        /// First value, and that from ascension 15 on.
        start: [i32; 2],
        /// Added per count.
        each: i32,
        /// Which of the event's three counts.
        #[serde(default)]
        of: u8,
    },
    /// Times the number of the act.
    PerAct {
        /// Per act.
        per_act: i32,
    },
}

/// Kinds of card a step may single out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindWord {
    /// Attacks.
    Attack,
    /// Skills.
    Skill,
    /// Powers.
    Power,
}

/// Something that was drawn when the event was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// An attack of the deck.
    Attack,
    /// A skill of the deck.
    Skill,
    /// A power of the deck.
    Power,
    /// None of these three.
    Nothing,
    /// A potion.
    Potion,
    /// An amount of gold.
    Gold,
    /// A card of the deck.
    Card,
    /// The designer upgrades one card.
    UpgradeOne,
    /// The designer upgrades two random cards.
    UpgradeTwo,
    /// The designer removes a card.
    CleanRemoves,
    /// The designer transforms two cards.
    CleanTransforms,
    /// The first of two relics.
    FirstRelic,
    /// The second of two relics.
    SecondRelic,
}

/// A fight begun by an event and what it pays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FightText {
    /// The fight.
    pub name: Option<String>,
    /// Or a random boss of that act.
    pub boss_of_act: Option<u8>,
    /// Gold.
    pub gold: Option<Amount>,
    /// Relics by name.
    #[serde(default)]
    pub relics: Vec<String>,
    /// Relics by tier.
    #[serde(default)]
    pub tiers: Vec<TierWord>,
    /// No reward at all.
    #[serde(default)]
    pub unpaid: bool,
}

/// Tiers of random relics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TierWord {
    Common,
    Uncommon,
    Rare,
}

impl From<TierWord> for Tier {
    fn from(word: TierWord) -> Tier {
        match word {
            TierWord::Common => Tier::Common,
            TierWord::Uncommon => Tier::Uncommon,
            TierWord::Rare => Tier::Rare,
        }
    }
}

/// A step as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StepText {
    /// Gain gold.
    Gold(Amount),
    /// Lose gold.
    LoseGold(Amount),
    /// Lose all gold.
    LoseAllGold,
    /// Heal.
    Heal(Amount),
    /// Heal everything.
    HealFull,
    /// Take damage; relics that soften blows help.
    Damage(Amount),
    /// Lose hit points.
    LoseHp(Amount),
    /// Gain most and present hit points.
    MaxHp(Amount),
    /// Lose most hit points.
    LoseMaxHp(Amount),
    /// A card enters the deck.
    Card(String),
    /// Several copies of a card enter the deck.
    Cards {
        /// Which.
        card: String,
        /// How many.
        count: Amount,
    },
    /// A relic by name.
    Relic(String),
    /// One of these relics, at random.
    RelicOf(Vec<String>),
    /// One of these relics that is not owned yet, at random.
    NewRelicOf(Vec<String>),
    /// A random relic.
    RandomRelic,
    /// A relic is taken away.
    LoseRelic(String),
    /// Choose a card to remove.
    RemoveCard,
    /// Choose a card to upgrade.
    UpgradeCard,
    /// Upgrade so many random cards.
    UpgradeRandom(u8),
    /// Upgrade random cards of a kind.
    UpgradeKind {
        /// The kind.
        kind: KindWord,
        /// How many.
        count: u8,
    },
    /// Upgrade every card.
    UpgradeAll,
    /// Upgrade starter strikes and defends.
    UpgradeStarters,
    /// Choose so many cards to transform.
    Transform(u8),
    /// Choose so many cards to transform; the results are upgraded.
    TransformUpgraded(u8),
    /// Choose so many cards to transform, by Neow's own numbers.
    NeowTransform(u8),
    /// Choose a card to copy.
    Duplicate,
    /// Every removable curse leaves the deck.
    RemoveCurses,
    /// All strikes are replaced.
    ReplaceStrikes {
        /// By this card.
        card: String,
        /// So often.
        count: u8,
    },
    /// Every starter strike and defend becomes a random card.
    PandorasBox,
    /// Choose a card that will always begin in hand.
    Bottle(KindWord),
    /// So many random potions are offered.
    Potions(u8),
    /// Every empty slot gets a potion.
    FillPotions,
    /// More potion slots.
    PotionSlots(u8),
    /// A reward screen.
    Treasure {
        /// Gold.
        #[serde(default)]
        gold: u32,
        /// Random potions.
        #[serde(default)]
        potions: u8,
        /// Card rewards.
        #[serde(default)]
        cards: u8,
    },
    /// Relics of these tiers are offered.
    RelicRewards(Vec<TierWord>),
    /// So many offers of colorless cards.
    Colorless(u8),
    /// A random uncommon colorless card.
    ColorlessCard,
    /// Choose one of so many class cards.
    Library(u8),
    /// A fight.
    Fight(FightText),
    /// One thing or another.
    Chance {
        /// Percent of a hit.
        percent: Amount,
        /// If it hits.
        hit: Vec<StepText>,
        /// If it misses.
        #[serde(default)]
        miss: Vec<StepText>,
    },
    /// One list of steps, each equally likely.
    OneOf(Vec<Vec<StepText>>),
    /// One more on that count of the event.
    Count(u8),
    /// The event goes on at that node.
    Goto(String),
    /// The potions drawn on entry are offered.
    DrawnPotions,
    /// Draws two relics of the player's.
    DrawTwoRelics,
    /// Gives away one of the two.
    GiveDrawnRelic(u8),
    /// Gives away the potion drawn on entry.
    GiveDrawnPotion,
    /// A card drawn on entry leaves the deck.
    LoseDrawn(Drawn),
    /// The next room is the boss.
    ToTheBoss,
    /// The game of pairs.
    MemoryGame,
    /// Give a card to the flames.
    Bonfire,
    /// Search the dead adventurer.
    SearchAdventurer,
}

/// What an option needs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Needs {
    /// Gold at hand.
    pub gold: Option<Amount>,
    /// A card that can be removed.
    pub removable: bool,
    /// So many cards that can be removed.
    pub removables: u8,
    /// A card that can be upgraded.
    pub upgradable: bool,
    /// An attack that deals so much.
    pub attack_of: Option<i32>,
    /// This relic is owned.
    pub relic: Option<String>,
    /// This relic is not owned.
    pub no_relic: Option<String>,
    /// The adventurer still has something.
    pub finds_left: bool,
    /// Drawn on entry.
    pub drawn: Option<Drawn>,
    /// The floor, counted in fifties, is at most this.
    pub floor_of_50_up_to: Option<u8>,
    /// The floor, counted in fifties, is at least this.
    pub floor_of_50_from: Option<u8>,
}

/// An option as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionText {
    /// Its name in traces and match files.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What it needs.
    #[serde(default)]
    pub needs: Needs,
    /// What it does.
    #[serde(default, rename = "do")]
    pub steps: Vec<StepText>,
    /// Where it leads; to the end unless said.
    pub then: Option<String>,
}

/// A node of an event as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeText {
    /// What the player reads.
    pub text: String,
    /// What happens on reaching it.
    #[serde(default)]
    pub enter: Vec<StepText>,
    /// What can be chosen.
    pub options: Vec<OptionText>,
}

/// An event as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventText {
    /// Its name.
    pub name: String,
    /// Its nodes; the first is `start`.
    pub node: BTreeMap<String, NodeText>,
}

/// Steps that follow from one thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoText {
    /// The steps.
    #[serde(rename = "do")]
    pub steps: Vec<StepText>,
}

/// A file of scripts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptFile {
    /// Map events.
    pub event: BTreeMap<String, EventText>,
    /// What relics do when obtained.
    pub obtain: BTreeMap<String, DoText>,
    /// What potions do outside of combat.
    pub drink: BTreeMap<String, DoText>,
    /// Neow's gifts and their costs.
    pub neow: BTreeMap<String, DoText>,
}

/// The number of a step in the book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct StepNo(pub u16);

/// A list of steps in the book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ListNo(pub u16);

/// A fight with its pay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaidFight {
    /// The fight, if it is fixed.
    pub fight: Option<FightNo>,
    /// Gold.
    pub gold: Option<Amount>,
    /// Relics by name.
    pub relics: Vec<RelicNo>,
    /// Relics by tier.
    pub tiers: Vec<Tier>,
    /// Nothing at all.
    pub unpaid: bool,
}

/// A step with its names turned into numbers. The variants are those of [`StepText`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Gold(Amount),
    LoseGold(Amount),
    LoseAllGold,
    Heal(Amount),
    HealFull,
    Damage(Amount),
    LoseHp(Amount),
    MaxHp(Amount),
    LoseMaxHp(Amount),
    Cards { card: CardNo, count: Amount },
    Relic(RelicNo),
    RelicOf { relics: Vec<RelicNo>, new: bool },
    RandomRelic,
    LoseRelic(RelicNo),
    RemoveCard,
    UpgradeCard,
    UpgradeRandom { kind: Option<KindWord>, count: u8 },
    UpgradeAll,
    UpgradeStarters,
    Transform { count: u8, upgraded: bool, neow: bool },
    Duplicate,
    RemoveCurses,
    ReplaceStrikes { card: CardNo, count: u8 },
    PandorasBox,
    Bottle(KindWord),
    FillPotions,
    PotionSlots(u8),
    Treasure { gold: u32, potions: u8, cards: u8 },
    RelicRewards(Vec<Tier>),
    Colorless(u8),
    ColorlessCard,
    Library(u8),
    Fight(PaidFight),
    Chance { percent: Amount, hit: ListNo, miss: ListNo },
    OneOf(Vec<ListNo>),
    Count(u8),
    Goto(u8),
    DrawnPotions,
    DrawTwoRelics,
    GiveDrawnRelic(u8),
    GiveDrawnPotion,
    LoseDrawn(Drawn),
    ToTheBoss,
    MemoryGame,
    Bonfire,
    SearchAdventurer,
}

/// The node that ends an event.
pub const END: u8 = u8::MAX;

/// An option of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionScript {
    /// Its name in traces and match files.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What it needs.
    pub needs: Needs,
    /// The relic that must be owned, or must not.
    pub relic: Option<(RelicNo, bool)>,
    /// What it does.
    pub steps: ListNo,
    /// The node it leads to.
    pub then: u8,
}

/// A node of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeScript {
    /// Its name.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What happens on reaching it.
    pub enter: ListNo,
    /// What can be chosen.
    pub options: Vec<OptionScript>,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventScript {
    /// Its name.
    pub name: String,
    /// Its nodes, `start` first.
    pub nodes: Vec<NodeScript>,
}

/// All scripts, ready to run.
#[derive(Clone, Debug, Default)]
pub struct Book {
    steps: Vec<Op>,
    lists: Vec<(u16, u16)>,
    events: BTreeMap<EventNo, EventScript>,
    obtain: BTreeMap<RelicNo, ListNo>,
    drink: BTreeMap<PotionNo, ListNo>,
    neow: BTreeMap<String, ListNo>,
}

impl Book {
    /// The scripts built into the program, by the numbers of `tables`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn builtin(tables: &Tables) -> Result<Book, ScriptError> {
        let mut files: Vec<(String, &str)> = CONTENT
            .files()
            .filter_map(|f| Some((f.path().to_string_lossy().into_owned(), f.contents_utf8()?)))
            .collect();
        files.sort();
        Book::load(tables, &files)
    }

    /// Reads script files; a later file replaces entries of an earlier one.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn load(tables: &Tables, files: &[(String, &str)]) -> Result<Book, ScriptError> {
        let mut writer = Writer { tables, book: Book::default(), file: String::new(), nodes: Vec::new() };
        writer.book.lists.push((0, 0));
        for (file, text) in files.iter().filter(|(name, _)| name.ends_with(".toml")) {
            writer.file.clone_from(file);
            let script: ScriptFile = toml::from_str(text).map_err(|e| writer.wrong(e.to_string()))?;
            writer.file(&script)?;
        }
        Ok(writer.book)
    }

    /// A step.
    pub fn step(&self, step: StepNo) -> Option<&Op> {
        self.steps.get(usize::from(step.0))
    }

    /// The steps of a list.
    pub fn list(&self, list: ListNo) -> impl Iterator<Item = StepNo> + use<> {
        let (from, to) = self.lists.get(usize::from(list.0)).copied().unwrap_or((0, 0));
        (from..to).map(StepNo)
    }

    /// The script of an event.
    pub fn event(&self, event: EventNo) -> Option<&EventScript> {
        self.events.get(&event)
    }

    /// How many events have scripts.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// What a relic does when obtained.
    pub fn obtain(&self, relic: RelicNo) -> ListNo {
        self.obtain.get(&relic).copied().unwrap_or_default()
    }

    /// What a potion does outside of combat; `None` if it cannot be drunk there.
    pub fn drink(&self, potion: PotionNo) -> Option<ListNo> {
        self.drink.get(&potion).copied()
    }

    /// What a gift of Neow's does, beside what the seed decides.
    pub fn bonus(&self, bonus: Bonus) -> ListNo {
        self.neow.get(bonus.word()).copied().unwrap_or_default()
    }

    /// What a gift of Neow's costs, beside what the seed decides.
    pub fn drawback(&self, drawback: Drawback) -> ListNo {
        self.neow.get(drawback.word()).copied().unwrap_or_default()
    }
}

struct Writer<'t> {
    tables: &'t Tables,
    book: Book,
    file: String,
    /// The node names of the event being read.
    nodes: Vec<String>,
}

impl Writer<'_> {
    fn wrong(&self, reason: String) -> ScriptError {
        ScriptError { file: self.file.clone(), reason }
    }

    fn file(&mut self, file: &ScriptFile) -> Result<(), ScriptError> {
        for (id, event) in &file.event {
            let number = self.number(self.tables.events.find(id), "event", id)?;
            let script = self.event(id, event)?;
            self.book.events.insert(number, script);
        }
        for (id, script) in &file.obtain {
            let number = self.relic(id)?;
            let list = self.list(&script.steps)?;
            self.book.obtain.insert(number, list);
        }
        for (id, script) in &file.drink {
            let number = self.number(self.tables.potions.find(id), "potion", id)?;
            let list = self.list(&script.steps)?;
            self.book.drink.insert(number, list);
        }
        for (id, script) in &file.neow {
            let known = Bonus::ALL.iter().map(|b| b.word()).chain(Drawback::ALL.iter().map(|d| d.word()));
            self.number(known.into_iter().find(|w| w == id), "gift or drawback of Neow's", id)?;
            let list = self.list(&script.steps)?;
            self.book.neow.insert(id.clone(), list);
        }
        Ok(())
    }

    fn number<T>(&self, found: Option<T>, kind: &str, name: &str) -> Result<T, ScriptError> {
        found.ok_or_else(|| self.wrong(format!("no {kind} is called `{name}`")))
    }

    fn relic(&self, name: &str) -> Result<RelicNo, ScriptError> {
        self.number(self.tables.relics.find(name), "relic", name)
    }

    fn relics(&self, names: &[String]) -> Result<Vec<RelicNo>, ScriptError> {
        names.iter().map(|n| self.relic(n)).collect()
    }

    fn card(&self, name: &str) -> Result<CardNo, ScriptError> {
        self.number(self.tables.cards.find(name), "card", name)
    }

    fn event(&mut self, id: &str, event: &EventText) -> Result<EventScript, ScriptError> {
        if !event.node.contains_key("start") {
            return Err(self.wrong(format!("event `{id}` has no node `start`")));
        }
        let others = event.node.keys().filter(|n| *n != "start");
        self.nodes = std::iter::once("start").chain(others.map(String::as_str)).map(str::to_owned).collect();
        let mut nodes = Vec::new();
        for name in self.nodes.clone() {
            nodes.push(self.node(&name, &event.node[&name])?);
        }
        self.nodes.clear();
        Ok(EventScript { name: event.name.clone(), nodes })
    }

    fn node(&mut self, id: &str, node: &NodeText) -> Result<NodeScript, ScriptError> {
        let enter = self.list(&node.enter)?;
        let mut options = Vec::new();
        for option in &node.options {
            let needs = &option.needs;
            let relic = match (&needs.relic, &needs.no_relic) {
                (Some(name), _) => Some((self.relic(name)?, true)),
                (None, Some(name)) => Some((self.relic(name)?, false)),
                _ => None,
            };
            options.push(OptionScript {
                id: option.id.clone(),
                text: option.text.clone(),
                needs: needs.clone(),
                relic,
                steps: self.list(&option.steps)?,
                then: option.then.as_ref().map_or(Ok(END), |n| self.node_number(n))?,
            });
        }
        Ok(NodeScript { id: id.to_owned(), text: node.text.clone(), enter, options })
    }

    fn node_number(&self, name: &str) -> Result<u8, ScriptError> {
        if name == "end" {
            return Ok(END);
        }
        let found = self.nodes.iter().position(|n| n == name);
        self.number(found.map(|i| i as u8), "node", name)
    }

    /// Inner lists are written first, so that the steps of one list lie side by side.
    fn list(&mut self, steps: &[StepText]) -> Result<ListNo, ScriptError> {
        if steps.is_empty() {
            return Ok(ListNo(0));
        }
        let ops: Vec<Op> = steps.iter().map(|s| self.op(s)).collect::<Result<_, _>>()?;
        let from = self.book.steps.len() as u16;
        self.book.steps.extend(ops);
        self.book.lists.push((from, self.book.steps.len() as u16));
        Ok(ListNo(self.book.lists.len() as u16 - 1))
    }

    fn op(&mut self, step: &StepText) -> Result<Op, ScriptError> {
        Ok(match step {
            StepText::Gold(n) => Op::Gold(*n),
            StepText::LoseGold(n) => Op::LoseGold(*n),
            StepText::LoseAllGold => Op::LoseAllGold,
            StepText::Heal(n) => Op::Heal(*n),
            StepText::HealFull => Op::HealFull,
            StepText::Damage(n) => Op::Damage(*n),
            StepText::LoseHp(n) => Op::LoseHp(*n),
            StepText::MaxHp(n) => Op::MaxHp(*n),
            StepText::LoseMaxHp(n) => Op::LoseMaxHp(*n),
            StepText::Card(card) => Op::Cards { card: self.card(card)?, count: Amount::Flat(1) },
            StepText::Cards { card, count } => Op::Cards { card: self.card(card)?, count: *count },
            StepText::Relic(name) => Op::Relic(self.relic(name)?),
            StepText::RelicOf(names) => Op::RelicOf { relics: self.relics(names)?, new: false },
            StepText::NewRelicOf(names) => Op::RelicOf { relics: self.relics(names)?, new: true },
            StepText::RandomRelic => Op::RandomRelic,
            StepText::LoseRelic(name) => Op::LoseRelic(self.relic(name)?),
            StepText::RemoveCard => Op::RemoveCard,
            StepText::UpgradeCard => Op::UpgradeCard,
            StepText::UpgradeRandom(count) => Op::UpgradeRandom { kind: None, count: *count },
            StepText::UpgradeKind { kind, count } => Op::UpgradeRandom { kind: Some(*kind), count: *count },
            StepText::UpgradeAll => Op::UpgradeAll,
            StepText::UpgradeStarters => Op::UpgradeStarters,
            StepText::Transform(n) => Op::Transform { count: *n, upgraded: false, neow: false },
            StepText::TransformUpgraded(n) => Op::Transform { count: *n, upgraded: true, neow: false },
            StepText::NeowTransform(n) => Op::Transform { count: *n, upgraded: false, neow: true },
            StepText::Duplicate => Op::Duplicate,
            StepText::RemoveCurses => Op::RemoveCurses,
            other => self.rarer_op(other)?,
        })
    }

    fn rarer_op(&mut self, step: &StepText) -> Result<Op, ScriptError> {
        Ok(match step {
            StepText::ReplaceStrikes { card, count } => {
                Op::ReplaceStrikes { card: self.card(card)?, count: *count }
            }
            StepText::PandorasBox => Op::PandorasBox,
            StepText::Bottle(kind) => Op::Bottle(*kind),
            StepText::Potions(n) => Op::Treasure { gold: 0, potions: *n, cards: 0 },
            StepText::FillPotions => Op::FillPotions,
            StepText::PotionSlots(n) => Op::PotionSlots(*n),
            StepText::Treasure { gold, potions, cards } => {
                Op::Treasure { gold: *gold, potions: *potions, cards: *cards }
            }
            StepText::RelicRewards(tiers) => Op::RelicRewards(tiers.iter().map(|t| Tier::from(*t)).collect()),
            StepText::Colorless(n) => Op::Colorless(*n),
            StepText::ColorlessCard => Op::ColorlessCard,
            StepText::Library(n) => Op::Library(*n),
            StepText::Fight(fight) => Op::Fight(self.fight(fight)?),
            StepText::Chance { percent, hit, miss } => {
                let (hit, miss) = (self.list(hit)?, self.list(miss)?);
                Op::Chance { percent: *percent, hit, miss }
            }
            StepText::OneOf(lists) => {
                Op::OneOf(lists.iter().map(|l| self.list(l)).collect::<Result<_, _>>()?)
            }
            StepText::Count(of) => Op::Count((*of).min(2)),
            StepText::Goto(node) => Op::Goto(self.node_number(node)?),
            StepText::DrawnPotions => Op::DrawnPotions,
            StepText::DrawTwoRelics => Op::DrawTwoRelics,
            StepText::GiveDrawnRelic(which) => Op::GiveDrawnRelic(*which),
            StepText::GiveDrawnPotion => Op::GiveDrawnPotion,
            StepText::LoseDrawn(what) => Op::LoseDrawn(*what),
            StepText::ToTheBoss => Op::ToTheBoss,
            StepText::MemoryGame => Op::MemoryGame,
            StepText::Bonfire => Op::Bonfire,
            _ => Op::SearchAdventurer,
        })
    }

    fn fight(&mut self, text: &FightText) -> Result<PaidFight, ScriptError> {
        let fight = match &text.name {
            Some(name) => Some(self.number(self.tables.fights.find(name), "fight", name)?),
            None if text.boss_of_act.is_some() => None,
            None => return Err(self.wrong("a fight needs `name` or `boss_of_act`".into())),
        };
        Ok(PaidFight {
            fight,
            gold: text.gold,
            relics: self.relics(&text.relics)?,
            tiers: text.tiers.iter().map(|t| Tier::from(*t)).collect(),
            unpaid: text.unpaid,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_a_script() {
        let tables = Tables::embedded();
        let book = Book::builtin(tables).expect("scripts");
        assert_eq!(book.event_count(), 51);
        let listed = tables.acts.iter().flat_map(|a| a.events.iter().chain(&a.shrines));
        for event in listed.chain(&tables.one_time) {
            assert!(book.event(*event).is_some(), "{}", tables.events.name(*event));
        }
    }

    #[test]
    fn every_event_can_be_left() {
        let book = Book::builtin(Tables::embedded()).expect("scripts");
        for script in book.events.values() {
            let ends = script.nodes.iter().flat_map(|n| &n.options).any(|o| o.then == END);
            assert!(ends, "{}", script.name);
        }
    }

    #[test]
    fn a_misspelt_word_is_an_error_with_its_line() {
        let text = "[obtain.strawberry]\ndo = [{ max_hq = 7 }]\n";
        let error = Book::load(Tables::embedded(), &[("x.toml".into(), text)]).unwrap_err();
        assert!(error.reason.contains("line 2") && error.reason.contains("max_hq"), "{error}");
        let text = "[obtain.strawbery]\ndo = []\n";
        let error = Book::load(Tables::embedded(), &[("x.toml".into(), text)]).unwrap_err();
        assert!(error.reason.contains("strawbery"), "{error}");
    }
}
