//! What the rules of a run look up besides the catalog: tables, maps, the score and facts about cards.

use turnstone::Rejection;
use turnstone::dice::{Draw, Lots, Stream};

use super::plan::Plan;
use super::score::ScoreRule;
use super::tastes::Tastes;
use crate::catalog::compile::Catalog;
use crate::catalog::words::CardType;
use crate::catalog::{Content, Problem};
use crate::seeds::{CardNo, DeckCard, Holder, PotionNo, Rarity, RelicNo, Tables};
use crate::state::State;
use crate::state::{self, NONE};
use turnstone_content::hint;

/// The word for three modifiers that the seed chooses.
pub(crate) const DAILY: &str = "daily";

/// What the run needs to know about a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardFacts {
    /// Its kind.
    pub kind: CardType,
    /// Its rarity; none for basic, special and cursed cards.
    pub rarity: Option<Rarity>,
    /// A card of the starter deck.
    pub basic: bool,
    /// A starter strike.
    pub strike: bool,
    /// A starter defend.
    pub defend: bool,
    /// It can be taken out of the deck.
    pub(crate) removable: bool,
    /// It can be upgraded.
    pub upgradable: bool,
    /// Again and again.
    pub(crate) many_upgrades: bool,
    /// The damage printed on it, plain and upgraded.
    pub damage: [i16; 2],
    /// How much a simple player wants it, plain and upgraded.
    pub worth: [i16; 2],
}

/// Everything the rules of a run look up.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What a simple player thinks of cards and powers in fights.
    pub tastes: Tastes,
    /// The tables of chance, by the catalog's numbers.
    pub tables: Tables,
    /// The lines of the score.
    pub score: Vec<ScoreRule>,
    /// Hand-made maps.
    pub plans: Vec<Plan>,
    cards: Vec<CardFacts>,
}

impl Rulebook {
    /// The rulebook of a content.
    ///
    /// # Errors
    /// Every problem of its maps.
    pub fn new(content: &Content, catalog: &Catalog) -> Result<Rulebook, Vec<Problem>> {
        let tables = Tables::new(content);
        Ok(Rulebook {
            tastes: Tastes::of(catalog),
            plans: Plan::load(&content.maps, &tables)?,
            score: content.score.clone(),
            cards: super::facts::card_facts(catalog),
            tables,
        })
    }

    /// The rules of a run of one's own.
    ///
    /// # Errors
    /// A name that no such rule has.
    pub(super) fn modifiers(&self, names: &[String], seed: u64) -> Result<Vec<RelicNo>, Rejection> {
        let all = &self.tables.modifiers;
        let mut found: Vec<RelicNo> = Vec::new();
        for name in names {
            if name == DAILY {
                let mut lots = Lots::new(seed, Stream::named("daily modifiers"));
                let mut left: Vec<RelicNo> = all.iter().filter(|one| !found.contains(one)).copied().collect();
                for _ in 0..3 {
                    found.extend(lots.index(left.len()).map(|at| left.remove(at)));
                }
                continue;
            }
            let relic =
                self.tables.relics.find(name).filter(|relic| all.contains(relic)).ok_or_else(|| {
                    let known = all.iter().map(|relic| self.tables.relics.name(*relic)).chain([DAILY]);
                    let near = hint(name, known);
                    Rejection::new("UNKNOWN_MODIFIER", format!("no modifier is called `{name}`{near}"))
                })?;
            if !found.contains(&relic) {
                found.push(relic);
            }
        }
        Ok(found)
    }

    /// Who climbs on a day, by its seed.
    pub(super) fn climber_of_the_day(&self, seed: u64) -> Option<String> {
        let everybody = &self.tables.everybody;
        let at = Lots::new(seed, Stream::named("daily character")).index(everybody.len())?;
        Some(self.tables.characters.name(everybody[at]).to_owned())
    }

    /// The facts of a card; an unknown one is a plain skill.
    pub fn card(&self, card: CardNo) -> CardFacts {
        self.cards.get(usize::from(card)).copied().unwrap_or(UNKNOWN)
    }

    /// Whether a card of the deck can be upgraded once more.
    pub(crate) fn can_upgrade(&self, card: &state::DeckCard) -> bool {
        let facts = self.card(CardNo(card.id));
        facts.upgradable && (card.up == 0 || facts.many_upgrades)
    }

    /// Whether a card of the deck can be taken out of it: a bottled one stays.
    pub(crate) fn can_remove(&self, card: &state::DeckCard) -> bool {
        !card.bottled && self.card(CardNo(card.id)).removable
    }

    /// Calls `draw` with the player as the rules of chance see him.
    pub fn with_holder<T>(&self, s: &State, draw: impl FnOnce(&Holder<'_>) -> T) -> T {
        let run = &s.run;
        let relics: Vec<RelicNo> = run.relics.iter().map(|r| RelicNo(r.id)).collect();
        let deck: Vec<DeckCard> = run.deck.iter().map(|c| self.tables.deck_card(CardNo(c.id))).collect();
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
}

const UNKNOWN: CardFacts = CardFacts {
    kind: CardType::Skill,
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
pub(crate) fn empty_slot(run: &state::Run) -> Option<u8> {
    run.potions.iter().position(|p| *p == NONE).map(|i| i as u8)
}
