//! Campfires.

use super::{Out, last};
use crate::catalog::words::{Moment, Prevent, Stage};
use crate::run::effect::{Action, Effect, Purpose};
use crate::run::journey::Journey;
use crate::run::script::{ListNo, Op};
use crate::run::tower::Key;
use crate::seeds::RelicNo;
use crate::state::Run;
use crate::state::State;

impl Journey<'_> {
    /// What can be done at a campfire.
    pub fn rest_options(&self, s: &State, out: &mut super::super::legal::Options) {
        let run = &s.run;
        if !self.prevents(s, Prevent::Rest) {
            out.push(Action::Rest);
        }
        if self.can_choose(run, &Op::UpgradeCard) && !self.prevents(s, Prevent::Smith) {
            out.push(Action::Smith);
        }
        out.extend(self.fire_offers(s).map(|(place, ..)| Action::Offer(place)));
        if !s.tower.has_key(Key::Ruby) && run.act < 4 {
            out.push(Action::Recall);
        }
    }

    /// What relics offer at a campfire now: their places in the row, what it is called, and its steps.
    pub fn fire_offers<'r>(&'r self, s: &'r State) -> impl Iterator<Item = (u8, &'r str, ListNo)> {
        let run = &s.run;
        let offers = (0..run.relics.len() as u8).filter_map(move |place| {
            let (name, steps) = self.at_fire(s, place.into())?;
            Some((place, name, steps))
        });
        offers.filter(move |(.., steps)| {
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
    pub fn rest_amount(&self, s: &State) -> i32 {
        let run = &s.run;
        self.altered(s, Stage::RestHeal, i32::from(run.max_hp) * 3 / 10)
    }

    /// The effects of a campfire action.
    pub(crate) fn open_rest_action(&self, s: &State, action: Action, out: &mut Out) {
        let run = &s.run;
        out.last(Effect::Close.into());
        match action {
            Action::Rest => {
                out.last(Effect::Heal(self.rest_amount(s)).into());
                for relic in run.relics.iter().filter(|owned| self.hears(owned.id, Moment::RestDone)) {
                    let deeds = self.deeds(s, RelicNo(relic.id), Moment::RestDone, 0, None);
                    deeds.iter().for_each(|steps| self.do_last(*steps, out));
                }
            }
            Action::Smith => last(Effect::Pick(Purpose::Upgrade), out),
            Action::Offer(chosen) => {
                if let Some((.., steps)) = self.fire_offers(s).find(|(place, ..)| *place == chosen) {
                    self.do_last(steps, out);
                }
            }
            _ => last(Effect::Key(Key::Ruby), out),
        }
    }

    /// The steps of a list, behind all that waits.
    pub(crate) fn do_last(&self, steps: ListNo, out: &mut Out) {
        for step in self.book.list(steps) {
            out.last(Effect::Step(step).into());
        }
    }
}
