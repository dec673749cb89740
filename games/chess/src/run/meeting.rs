//! Map events: what they do when one accepts, deed by deed.

use super::offer::{any_ability, any_piece};
use super::{Member, Run, RunEffect, RunEvent};
use crate::ability::Stack;
use crate::catalog::{Catalog, Deed, MapEventId};
use crate::effect::Effect;
use crate::game::{Chess, Out};
use crate::reason::Reason;
use turnstone::Notes;
use turnstone::dice::Draw;

/// Nobody carries more coins than this.
const PURSE: i32 = 9_999;

impl Member {
    fn has_room(&self) -> bool {
        self.layers.len() < crate::MAX_LAYERS
    }
}

impl Run {
    /// Can everything be done that the event proposes?
    pub(super) fn may_accept(&self, catalog: &Catalog, event: MapEventId) -> bool {
        catalog.map_event(event).is_some_and(|def| def.deeds.iter().all(|deed| self.can(catalog, deed)))
    }

    fn can(&self, catalog: &Catalog, deed: &Deed) -> bool {
        match *deed {
            Deed::Pay(coins) => self.money >= i32::from(coins),
            Deed::Gain(_) | Deed::Toss => true,
            Deed::Bless => self.roster.iter().any(Member::has_room),
            Deed::Recruit => self.roster.len() < self.roster_limit(catalog),
            Deed::Train { from, .. } => self.roster.iter().any(|member| member.kind == from),
            Deed::ReduceLast(to) => {
                self.roster.last().is_some_and(|last| last.kind != to && !catalog.piece(last.kind).royal)
            }
        }
    }

    /// What becomes of a deed; nothing if it cannot be done any more.
    pub(super) fn done(
        &self,
        catalog: &Catalog,
        (event, deed): (MapEventId, u8),
        notes: &mut Notes<Reason>,
    ) -> Option<RunEvent> {
        let deed = catalog.map_event(event)?.deeds.get(usize::from(deed))?;
        if !self.can(catalog, deed) {
            return None;
        }
        let mut dice = self.dice();
        Some(match *deed {
            Deed::Pay(coins) => RunEvent::Paid { coins: coins.into() },
            Deed::Gain(coins) => RunEvent::Earned { coins: coins.into() },
            Deed::Toss => {
                let won = dice.chance(1, 2);
                let money = if won { self.money.saturating_mul(2).min(PURSE) } else { 0 };
                notes.changed(Reason::Toss, self.money, money);
                RunEvent::Tossed { won, money, rolled: dice.counter() }
            }
            Deed::Bless => {
                let ability = any_ability(catalog, &mut dice);
                let able: Vec<usize> =
                    (0..self.roster.len()).filter(|index| self.roster[*index].has_room()).collect();
                let member = able[dice.index(able.len())?] as u8;
                RunEvent::Blessed { member, ability, rolled: dice.counter() }
            }
            Deed::Recruit => {
                let kind = any_piece(catalog, &mut dice);
                RunEvent::Joined { kind, rolled: dice.counter() }
            }
            Deed::Train { from, to } => {
                let member = self.roster.iter().position(|member| member.kind == from)? as u8;
                RunEvent::Became { member, from, to }
            }
            Deed::ReduceLast(to) => {
                let from = self.roster.last()?.kind;
                RunEvent::Became { member: self.roster.len() as u8 - 1, from, to }
            }
        })
    }

    /// Writes what came of a deed.
    pub(super) fn write_deed(&mut self, catalog: &Catalog, event: &RunEvent) {
        match *event {
            RunEvent::Paid { coins } => self.money = self.money.saturating_sub(coins),
            RunEvent::Earned { coins } => self.money = self.money.saturating_add(coins),
            RunEvent::Tossed { money, rolled, .. } => (self.money, self.rolled) = (money, rolled),
            RunEvent::Blessed { member, ability, rolled } => {
                if let Some(member) = self.roster.get_mut(usize::from(member)) {
                    member.layers.push_outermost(catalog.layer(ability));
                }
                self.rolled = rolled;
            }
            RunEvent::Joined { kind, rolled } => {
                self.roster.push(Member { kind, layers: Stack::default() });
                self.rolled = rolled;
            }
            RunEvent::Became { member, to, .. } => {
                if let Some(member) = self.roster.get_mut(usize::from(member)) {
                    member.kind = to;
                }
            }
            _ => {}
        }
    }
}

impl Chess {
    /// Accepting sets off the event's deeds, one after the other.
    pub(super) fn follow_accepted(&self, event: MapEventId, out: &mut Out) {
        let deeds = self.catalog.map_event(event).map_or(0, |def| def.deeds.len());
        for deed in 0..deeds as u8 {
            out.last(Effect::Run(RunEffect::Do { event, deed }));
        }
    }
}
