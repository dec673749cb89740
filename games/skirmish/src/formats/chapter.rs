//! The campaign: the built-in scenarios one after the other, with a party that carries over. Who falls stays behind;
//! who lives rests before the next chapter.

use crate::State;
use crate::catalog::Catalog;
use crate::document::EntityDoc;
use crate::export::Chronicle;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::Rejection;

/// The chapters, in the order of the tale.
pub const CHAPTERS: [&str; 3] = ["bridge-at-dusk", "toll-on-the-pass", "crypt-of-lanterns"];

/// What a set-up of the campaign is called; a later chapter writes itself behind it.
pub const NAME: &str = "campaign";

/// A chapter, and who comes to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    /// Its number, the first being 0.
    pub number: usize,
    /// How hard the campaign is.
    pub difficulty: String,
    /// Who comes from the chapter before it; empty: the scenario's own party.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub party: Vec<EntityDoc>,
}

impl Chapter {
    /// Reads a set-up: `campaign`, or what [`Chapter::after`] wrote. `None` if it is none of the campaign's.
    pub fn read(text: &str) -> Option<Result<Chapter, Rejection>> {
        let rest = text.strip_prefix(NAME)?;
        if rest.is_empty() {
            return Some(Ok(Chapter { difficulty: "normal".to_string(), ..Chapter::default() }));
        }
        let chapter = serde_json::from_str(rest.strip_prefix(':')?);
        Some(
            chapter.map_err(|e| {
                Rejection::new("BAD_CHAPTER", format!("this is no chapter of the campaign: {e}"))
            }),
        )
    }

    /// The set-up of the chapter after a won one, with everybody who lives.
    pub fn after(state: &State) -> Option<String> {
        let document = Chronicle::new(state.clone()).document();
        let (number, difficulty) = document.session_id.strip_prefix("chapter-")?.split_once('-')?;
        let number = number.parse::<usize>().ok()?;
        CHAPTERS.get(number).filter(|_| document.campaign_id == NAME)?;
        let alive = document.entities.players.into_iter().filter(|hero| hero.stats.hp_current > 0);
        let party: Vec<EntityDoc> = alive.map(rested).collect();
        let next = Chapter { number, difficulty: difficulty.to_string(), party };
        Some(format!("{NAME}:{}", serde_json::to_string(&next).ok()?))
    }

    /// The first state of the chapter: its scenario, with the party on the places of the scenario's own.
    ///
    /// # Errors
    /// If there is no such chapter.
    pub fn state(&self, catalog: &Catalog) -> Result<Value, Rejection> {
        let scenario = CHAPTERS.get(self.number).and_then(|id| catalog.scenario(id)).ok_or_else(|| {
            let text =
                format!("the campaign has the chapters 0 to {}, not {}", CHAPTERS.len() - 1, self.number);
            Rejection::new("BAD_CHAPTER", text)
        })?;
        let mut state = scenario.initial_state.clone();
        state["campaignId"] = NAME.into();
        // The number of the chapter after this one, for `after`.
        state["sessionId"] = format!("chapter-{}-{}", self.number + 1, self.difficulty).into();
        if let Some(places) = state["entities"]["players"].as_array_mut().filter(|_| !self.party.is_empty()) {
            let heroes = self.party.iter().zip(places.iter());
            let placed = heroes.map(|(hero, place)| {
                let mut hero = serde_json::to_value(hero).unwrap_or_default();
                hero["position"] = place["position"].clone();
                hero
            });
            *places = placed.collect();
        }
        Ok(state)
    }
}

/// Half of the wounds are healed, and nothing else of the fight stays.
fn rested(hero: EntityDoc) -> EntityDoc {
    let mut stats = hero.stats;
    stats.hp_current += (stats.hp_max - stats.hp_current + 1) / 2;
    let cleared = |counts: Option<_>| counts.map(|_| serde_json::Map::new());
    EntityDoc {
        stats,
        conditions: Vec::new(),
        ability_cooldowns: cleared(hero.ability_cooldowns),
        condition_durations: cleared(hero.condition_durations),
        ..hero
    }
}
