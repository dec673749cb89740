//! Budgets and templates of encounters.

use super::Tier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Shares of the budget per tier, in tenths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Minions.
    pub minion: i64,
    /// Standard monsters.
    pub standard: i64,
    /// Elites.
    pub elite: i64,
    /// Bosses.
    pub boss: i64,
}

impl Weights {
    /// Tiers with a share, largest share first; table order among equals.
    pub fn by_weight(&self) -> Vec<(Tier, i64)> {
        let shares = [self.minion, self.standard, self.elite, self.boss];
        let mut all: Vec<(Tier, i64)> = Tier::ALL.into_iter().zip(shares).filter(|(_, w)| *w > 0).collect();
        all.sort_by_key(|(_, weight)| -weight);
        all
    }
}

/// What monsters cost and how a budget is shared out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EncounterTables {
    /// Experience points per tier.
    pub xp: BTreeMap<Tier, i64>,
    /// Budget per player and difficulty.
    pub budget: BTreeMap<String, i64>,
    /// Named shares.
    pub templates: BTreeMap<String, Weights>,
}

impl EncounterTables {
    pub(super) fn lay_over(
        &mut self,
        xp: Option<BTreeMap<Tier, i64>>,
        budget: Option<BTreeMap<String, i64>>,
        templates: BTreeMap<String, Weights>,
    ) {
        self.xp.extend(xp.into_iter().flatten());
        self.budget.extend(budget.into_iter().flatten());
        self.templates.extend(templates);
    }
}
