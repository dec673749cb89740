//! What the rules of a run look up: tables, scripts, facts about cards, and relics that act outside of fights.

use turnstone::Rejection;

use super::habits::Habits;
use super::plan::Plan;
use super::script::{Book, KindWord};
use super::tastes::Tastes;
use super::tower::{State, Tower};
use crate::seeds::{CardKind, CardNo, DeckCard, Holder, NameLists, PotionNo, Rarity, RelicNo, Tables};
use crate::state::{self, NONE};

/// What kind of card it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Attack,
    Skill,
    Power,
    Curse,
    Status,
}

/// What the run needs to know about a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardFacts {
    /// Its kind.
    pub kind: Kind,
    /// Its rarity; none for basic, special and cursed cards.
    pub rarity: Option<Rarity>,
    /// A card of the starter deck.
    pub basic: bool,
    /// A starter strike.
    pub strike: bool,
    /// A starter defend.
    pub defend: bool,
    /// It can be taken out of the deck.
    pub removable: bool,
    /// It can be upgraded.
    pub upgradable: bool,
    /// Again and again.
    pub many_upgrades: bool,
    /// The damage printed on it, plain and upgraded.
    pub damage: [i16; 2],
    /// How much a simple player wants it, plain and upgraded.
    pub worth: [i16; 2],
}

macro_rules! keepsakes {
    ($($(#[$doc:meta])* $name:ident = $id:literal),* $(,)?) => {
        /// Relics that rules know by name: mechanisms that no entry of the catalog can tell.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[allow(missing_docs)]
        pub enum Keepsake { $($name),* }

        impl Keepsake {
            /// All of them.
            pub const ALL: &'static [Keepsake] = &[$(Keepsake::$name),*];

            /// The relic's name.
            pub const fn id(self) -> &'static str {
                match self { $(Keepsake::$name => $id),* }
            }
        }
    };
}

keepsakes! {
    AncientTeaSet = "ancient_tea_set",
    BlackStar = "black_star",
    Girya = "girya",
    HungryFace = "nloths_hungry_face",
    Matryoshka = "matryoshka",
    PrayerWheel = "prayer_wheel",
    SacredBark = "sacred_bark",
    TinyChest = "tiny_chest",
    WingBoots = "wing_boots",
}

/// What things are called, by their numbers; what is missing here is called by its id.
#[derive(Clone, Debug, Default)]
pub struct Lore {
    /// Cards.
    pub cards: Vec<String>,
    /// Relics.
    pub relics: Vec<String>,
    /// Potions.
    pub potions: Vec<String>,
    /// Encounters.
    pub fights: Vec<String>,
}

/// Everything the rules of a run look up.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What things are called.
    pub lore: Lore,
    /// What a simple player thinks of cards and powers in fights.
    pub tastes: Tastes,
    /// The tables of chance, by the catalog's numbers.
    pub tables: Tables,
    /// Events, pickups, gifts.
    pub book: Book,
    /// Hand-made maps.
    pub plans: Vec<Plan>,
    /// What relics, potions and cards do outside of fights.
    pub(super) habits: Habits,
    cards: Vec<CardFacts>,
    /// A relic's counter when it is obtained.
    counters: Vec<i16>,
    keepsakes: Vec<RelicNo>,
    ascenders_bane: CardNo,
    poop: RelicNo,
}

impl Rulebook {
    /// A rulebook by the numbers of a catalog: names, facts and first counters in catalog order, and the files
    /// that hold scripts.
    ///
    /// # Errors
    /// A script or table that names what the catalog does not know.
    pub fn new(
        lists: NameLists,
        cards: Vec<CardFacts>,
        counters: Vec<i16>,
        scripts: &[(String, String)],
    ) -> Result<Rulebook, Rejection> {
        let wrong = |text: String| Rejection::new("BAD_CONTENT", text);
        let mut tables = Tables::load(lists).map_err(|e| wrong(e.to_string()))?;
        let book = Book::load(&mut tables, scripts).map_err(|e| wrong(e.to_string()))?;
        let relic = |id: &str| {
            let found: Option<RelicNo> = tables.relics.find(id);
            found.ok_or_else(|| wrong(format!("no relic is called `{id}`")))
        };
        let keepsakes = Keepsake::ALL.iter().map(|k| relic(k.id())).collect::<Result<_, _>>()?;
        let poop = relic("spirit_poop")?;
        Ok(Rulebook {
            lore: Lore::default(),
            tastes: Tastes::default(),
            plans: Vec::new(),
            habits: Habits::default(),
            ascenders_bane: tables.cards.find("ascenders_bane").unwrap_or_default(),
            poop,
            cards,
            counters,
            keepsakes,
            tables,
            book,
        })
    }

    /// The facts of a card; an unknown one is a plain skill.
    pub fn card(&self, card: CardNo) -> CardFacts {
        self.cards.get(usize::from(card)).copied().unwrap_or(UNKNOWN)
    }

    /// The counter a relic starts with.
    pub fn first_counter(&self, relic: RelicNo) -> i16 {
        self.counters.get(usize::from(relic)).copied().unwrap_or(0)
    }

    /// The number of a keepsake.
    pub fn relic(&self, keepsake: Keepsake) -> RelicNo {
        self.keepsakes[keepsake as usize]
    }

    /// Whether a keepsake is owned.
    pub fn owns(&self, run: &state::Run, keepsake: Keepsake) -> bool {
        self.counter(run, keepsake).is_some()
    }

    /// The counter of a keepsake, if it is owned.
    pub fn counter(&self, run: &state::Run, keepsake: Keepsake) -> Option<i16> {
        let id = self.relic(keepsake).0;
        run.relics.iter().find(|r| r.id == id).map(|r| r.counter)
    }

    /// The curse of high ascensions.
    pub fn ascenders_bane(&self) -> CardNo {
        self.ascenders_bane
    }

    /// What the bonfire gives for a curse.
    pub fn poop(&self) -> RelicNo {
        self.poop
    }

    /// Whether a card of the deck can be upgraded once more.
    pub fn can_upgrade(&self, card: &state::DeckCard) -> bool {
        let facts = self.card(CardNo(card.id));
        facts.upgradable && (card.up == 0 || facts.many_upgrades)
    }

    /// Whether a card of the deck can be taken out of it: a bottled one stays.
    pub fn can_remove(&self, card: &state::DeckCard) -> bool {
        !card.bottled && self.card(CardNo(card.id)).removable
    }

    /// Whether a card is of a kind.
    pub fn is_kind(&self, card: &state::DeckCard, kind: KindWord) -> bool {
        let wanted = match kind {
            KindWord::Attack => Kind::Attack,
            KindWord::Skill => Kind::Skill,
            KindWord::Power => Kind::Power,
        };
        self.card(CardNo(card.id)).kind == wanted
    }

    /// Calls `draw` with the player as the rules of chance see him.
    pub fn with_holder<T>(&self, s: &State, draw: impl FnOnce(&Holder<'_>) -> T) -> T {
        let run = &s.spire.run;
        let relics: Vec<RelicNo> = run.relics.iter().map(|r| RelicNo(r.id)).collect();
        let deck: Vec<DeckCard> = run.deck.iter().map(|c| self.deck_card(c)).collect();
        let potions: Vec<PotionNo> =
            run.potions.iter().filter(|p| **p != NONE).map(|p| PotionNo(*p)).collect();
        draw(&Holder {
            floor: run.floor,
            act: run.act,
            row: s.tower.place.map_or(0, |p| p.y),
            gold: run.gold.max(0) as u32,
            hp: run.hp.into(),
            max_hp: run.max_hp.into(),
            relics: &relics,
            deck: &deck,
            potions: &potions,
        })
    }

    fn deck_card(&self, card: &state::DeckCard) -> DeckCard {
        let facts = self.card(CardNo(card.id));
        let kind = match facts.kind {
            Kind::Attack => CardKind::Attack,
            Kind::Skill => CardKind::Skill,
            Kind::Power => CardKind::Power,
            Kind::Curse | Kind::Status => CardKind::Other,
        };
        let removable_curse = facts.kind == Kind::Curse && facts.removable;
        DeckCard { card: CardNo(card.id), kind, basic: facts.basic, removable_curse }
    }
}

const UNKNOWN: CardFacts = CardFacts {
    kind: Kind::Skill,
    rarity: None,
    basic: false,
    strike: false,
    defend: false,
    removable: true,
    upgradable: false,
    many_upgrades: false,
    damage: [0; 2],
    worth: [0; 2],
};

/// The first empty potion slot.
pub fn empty_slot(run: &state::Run) -> Option<u8> {
    run.potions.iter().position(|p| *p == NONE).map(|i| i as u8)
}

/// Whether the tower's run is over.
pub fn is_over(tower: &Tower) -> bool {
    tower.end.is_some()
}
