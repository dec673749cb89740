//! Campfires.

use super::Out;
use crate::catalog::words::{Moment, Prevent, Stage};
use crate::run::effect::{Action, Effect, Purpose};
use crate::run::rulebook::{Keepsake, Rulebook};
use crate::run::script::ListNo;
use crate::run::tower::{Key, State};
use crate::seeds::RelicNo;
use crate::state::Run;

impl Rulebook {
    /// What can be done at a campfire.
    pub fn rest_options(&self, s: &State, out: &mut super::super::legal::Options) {
        let run = &s.spire.run;
        let mut offer = |allowed: bool, action: Action| {
            if allowed {
                out.push(action);
            }
        };
        offer(!self.prevents(run, Prevent::Rest), Action::Rest);
        let upgradable = run.deck.iter().any(|c| self.can_upgrade(c));
        offer(upgradable && !self.prevents(run, Prevent::Smith), Action::Smith);
        offer(self.at_fire(run, Keepsake::Girya).is_some(), Action::Lift);
        let removable = run.deck.iter().any(|c| self.can_remove(c));
        offer(removable && self.at_fire(run, Keepsake::PeacePipe).is_some(), Action::Toke);
        offer(self.at_fire(run, Keepsake::Shovel).is_some(), Action::Dig);
        offer(!s.tower.has_key(Key::Ruby) && run.act < 4, Action::Recall);
    }

    /// What resting heals.
    pub fn rest_amount(&self, run: &Run) -> i32 {
        self.altered(run, Stage::RestHeal, i32::from(run.max_hp) * 3 / 10)
    }

    /// The effects of a campfire action.
    pub(crate) fn open_rest_action<E, L: Copy>(&self, s: &State, action: Action, out: &mut Out<'_, E, L>) {
        let run = &s.spire.run;
        out.last(Effect::Close);
        let offer = match action {
            Action::Rest => {
                out.last(Effect::Heal(self.rest_amount(run)));
                for relic in run.relics.iter().filter(|owned| self.hears(owned.id, Moment::RestDone)) {
                    let deeds = self.deeds(run, RelicNo(relic.id), Moment::RestDone, 0, None);
                    deeds.iter().for_each(|steps| self.do_last(*steps, out));
                }
                return;
            }
            Action::Smith => return out.last(Effect::Pick(Purpose::Upgrade)),
            Action::Toke => Keepsake::PeacePipe,
            Action::Lift => Keepsake::Girya,
            Action::Dig => Keepsake::Shovel,
            _ => return out.last(Effect::Key(Key::Ruby)),
        };
        if let Some(steps) = self.at_fire(run, offer) {
            self.do_last(steps, out);
        }
    }

    fn do_last<E, L: Copy>(&self, steps: ListNo, out: &mut Out<'_, E, L>) {
        self.book.list(steps).for_each(|step| out.last(Effect::Step(step)));
    }
}
