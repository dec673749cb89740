//! Relics: what they change, and how. Which one changes what is content.

use super::{Run, RunEffect};
use crate::catalog::{Alter, Catalog, RelicDef, RelicId, Switch};
use crate::effect::Effect;
use crate::game::{Chess, Out};
use crate::listeners::Listener;
use crate::reason::Reason;
use crate::state::State;
use turnstone::{ListenersOf, Notes, Verdict};

impl Run {
    /// The relics that were found, in that order.
    pub(super) fn found<'a>(&'a self, catalog: &'a Catalog) -> impl Iterator<Item = (RelicId, &'a RelicDef)> {
        self.relics.iter().filter_map(|relic| Some((*relic, catalog.relic(*relic)?)))
    }

    /// A number as the relics leave it, one after the other.
    pub(super) fn altered(
        &self,
        catalog: &Catalog,
        base: i32,
        adds: impl Fn(&Alter) -> i32,
        notes: &mut Notes<Reason>,
    ) -> i32 {
        self.found(catalog).fold(base, |number, (relic, def)| {
            let altered = number.saturating_add(adds(&def.alter));
            notes.changed(Reason::Relic { relic }, number, altered);
            altered
        })
    }

    /// How many pieces the roster can hold.
    pub fn roster_limit(&self, catalog: &Catalog) -> usize {
        let limit = catalog.run.numbers.roster_limit;
        let limit = self.altered(catalog, limit, |alter| alter.roster_limit, &mut Notes::unwanted());
        usize::try_from(limit).unwrap_or(0)
    }
}

impl Chess {
    /// Is a switch on, by the rules or by a relic of the run?
    pub(crate) fn is_on(&self, state: &State, switch: Switch) -> bool {
        let ruled = match switch {
            Switch::BombKillsTaker => self.rules.bomb_kills_taker,
            Switch::CannibalGrows => self.rules.cannibal_grows,
        };
        let turned = |run: &Run| run.found(&self.catalog).any(|(_, relic)| relic.switches.contains(&switch));
        ruled || state.run.as_deref().is_some_and(turned)
    }
}

/// Relics hear of the step that would end the run.
pub(crate) fn heard_before(chess: &Chess, state: &State, effect: RunEffect, heard: &mut ListenersOf<Chess>) {
    let Some(run) = state.run.as_deref().filter(|_| effect == RunEffect::Lose) else { return };
    for (relic, _) in run.found(&chess.catalog).filter(|(_, def)| def.saves) {
        heard.push(0, Listener::Relic(relic));
    }
}

/// A relic that saves breaks in place of the run.
pub(crate) fn before(chess: &Chess, relic: RelicId, effect: &Effect, out: &mut Out) -> Verdict {
    let saves = chess.catalog.relic(relic).is_some_and(|def| def.saves);
    if *effect != Effect::Run(RunEffect::Lose) || !saves {
        return Verdict::Pass;
    }
    out.first(Effect::Run(RunEffect::Survive(relic)));
    Verdict::Replaced
}
