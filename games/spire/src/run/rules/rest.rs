//! Campfires.

use super::Out;
use crate::catalog::words::{Moment, Prevent, Stage};
use crate::run::effect::{Action, Effect, Purpose};
use crate::run::rulebook::Rulebook;
use crate::run::script::{ListNo, Op};
use crate::run::tower::Key;
use crate::seeds::RelicNo;
use crate::state::Run;
use crate::state::State;

impl Rulebook {
    /// What can be done at a campfire.
    pub fn rest_options(&self, s: &State, out: &mut super::super::legal::Options) {
        let run = &s.run;
        if !self.prevents(run, Prevent::Rest) {
            out.push(Action::Rest);
        }
        if self.can_choose(run, &Op::UpgradeCard) && !self.prevents(run, Prevent::Smith) {
            out.push(Action::Smith);
        }
        out.extend(self.fire_offers(run).map(|(place, ..)| Action::Offer(place)));
        if !s.tower.has_key(Key::Ruby) && run.act < 4 {
            out.push(Action::Recall);
        }
    }

    /// What relics offer at a campfire now: their places in the row, what it is called, and its steps.
    pub fn fire_offers<'r>(&'r self, run: &'r Run) -> impl Iterator<Item = (u8, &'r str, ListNo)> {
        let offers = (0..).zip(&run.relics).filter_map(|(place, owned)| {
            let (name, steps) = self.at_fire(run, owned)?;
            Some((place, name, steps))
        });
        offers.filter(|(.., steps)| {
            let mut ops = self.book.list(*steps).filter_map(|step| self.book.step(step));
            ops.all(|op| self.can_choose(run, op))
        })
    }

    /// Whether the deck holds a card that a step asks for.
    fn can_choose(&self, run: &Run, op: &Op) -> bool {
        match op {
            Op::RemoveCard | Op::Transform { .. } => run.deck.iter().any(|card| self.can_remove(card)),
            Op::UpgradeCard => run.deck.iter().any(|card| self.can_upgrade(card)),
            _ => true,
        }
    }

    /// What resting heals.
    pub fn rest_amount(&self, run: &Run) -> i32 {
        self.altered(run, Stage::RestHeal, i32::from(run.max_hp) * 3 / 10)
    }

    /// The effects of a campfire action.
    pub(crate) fn open_rest_action(&self, s: &State, action: Action, out: &mut Out) {
        let run = &s.run;
        out.last(Effect::Close.into());
        match action {
            Action::Rest => {
                out.last(Effect::Heal(self.rest_amount(run)).into());
                for relic in run.relics.iter().filter(|owned| self.hears(owned.id, Moment::RestDone)) {
                    let deeds = self.deeds(run, RelicNo(relic.id), Moment::RestDone, 0, None);
                    deeds.iter().for_each(|steps| self.do_last(*steps, out));
                }
            }
            Action::Smith => {
                out.last(Effect::Pick(Purpose::Upgrade).into());
            }
            Action::Offer(chosen) => {
                if let Some((.., steps)) = self.fire_offers(run).find(|(place, ..)| *place == chosen) {
                    self.do_last(steps, out);
                }
            }
            _ => {
                out.last(Effect::Key(Key::Ruby).into());
            }
        }
    }

    fn do_last(&self, steps: ListNo, out: &mut Out) {
        self.book.list(steps).for_each(|step| {
            out.last(Effect::Step(step).into());
        });
    }
}
