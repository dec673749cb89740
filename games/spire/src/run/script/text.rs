//! Scripts as they are written: the words of `content/events/*.toml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::score::Counted;
use crate::seeds::Tier;

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
    /// What an entry of the catalog tells; never written in a script.
    #[serde(skip)]
    Told {
        /// The value.
        expr: u16,
        /// The relic whose counter it may read.
        relic: u16,
        /// The potency it may read.
        potency: i32,
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
    /// Choose a card that will always begin in hand.
    Bottle(KindWord),
    /// So many random potions are offered.
    Potions(u8),
    /// Every empty slot gets a potion.
    FillPotions,
    /// More potion slots, or fewer.
    PotionSlots(i8),
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
    /// Give a card to the flames, which thank for a curse with this relic.
    Bonfire(String),
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
    /// Its name; made from the id unless given.
    pub name: Option<String>,
    /// Where it may be met.
    pub pool: PoolWord,
    /// When it may be met there.
    #[serde(default)]
    pub allowed: Allowed,
    /// What is drawn the moment it is entered.
    pub draws: Option<Draws>,
    /// Its nodes; the first is `start`.
    pub node: BTreeMap<String, NodeText>,
}

/// What must hold for an event to be offered; all that is named, together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
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
    pub half_dead_or_owns: Option<String>,
    /// Only below this ascension.
    pub below_ascension: Option<u8>,
    /// By the rules of the simulator too.
    pub simulator: bool,
}

impl Default for Allowed {
    fn default() -> Self {
        Allowed {
            first_floor: 0,
            first_row: 0,
            gold: 0,
            hp: 0,
            relics: 0,
            acts: Vec::new(),
            curse: false,
            half_dead_or_owns: None,
            below_ascension: None,
            simulator: true,
        }
    }
}

/// What is drawn the moment an event is entered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// The order of three finds, and which of these fights guards them.
    GuardedFinds(Vec<String>),
    /// Which two of four services are offered.
    TwoServices,
    /// An attack, a skill and a power of the deck.
    ACardOfEachType,
    /// Potions.
    Potions,
    /// A potion, an amount of gold and a card of the player's.
    Belongings,
    /// An amount of gold.
    Gold,
    /// The board of the game of pairs.
    Pairs,
}

/// Steps that follow from one thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoText {
    /// The steps.
    #[serde(rename = "do")]
    pub steps: Vec<StepText>,
}

/// Where an event may be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PoolWord {
    /// In the first act.
    Act1,
    /// In the second act.
    Act2,
    /// In the third act.
    Act3,
    /// In every act, once in each.
    Shrine,
    /// In any act, once in a run.
    Once,
    /// Nowhere: only on maps that name it.
    Nowhere,
}

/// A line of the score as written. Exactly one of `each`, `rising`, `steps` and `percent` says what it is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreText {
    /// What the player reads.
    pub text: String,
    /// What is counted.
    pub of: Counted,
    /// Points for each.
    pub each: Option<i32>,
    /// The n-th counts n times this.
    pub rising: Option<i32>,
    /// From so many on, so many points; the highest reached counts.
    pub steps: Option<Vec<[i32; 2]>>,
    /// Percent of all other lines for each.
    pub percent: Option<i32>,
    /// Only in a run that was won.
    #[serde(default)]
    pub won: bool,
}

/// A file of scripts. Entries of other kinds may stand in it too: the catalog reads those.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScriptFile {
    /// Map events.
    pub event: BTreeMap<String, EventText>,
    /// Neow's gifts and their costs.
    pub neow: BTreeMap<String, DoText>,
    /// What a finished run is worth.
    pub score: BTreeMap<String, ScoreText>,
}
