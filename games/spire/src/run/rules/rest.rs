//! Campfires.

use super::{Out, Outcome, fact};
use crate::run::effect::{Action, Effect, Event, Purpose};
use crate::run::rulebook::{Keepsake, Rulebook};
use crate::run::tower::{Key, Reward, Screen, State};
use crate::seeds::CardOdds;
use crate::state::Run;

/// Lifts that Girya allows.
const LIFTS: i16 = 3;

impl Rulebook {
    /// What can be done at a campfire.
    pub fn rest_options(&self, s: &State, out: &mut super::super::legal::Options) {
        let run = &s.spire.run;
        let mut offer = |allowed: bool, action: Action| {
            if allowed {
                out.push(action);
            }
        };
        offer(!self.owns(run, Keepsake::CoffeeDripper), Action::Rest);
        let upgradable = run.deck.iter().any(|c| self.can_upgrade(c));
        offer(upgradable && !self.owns(run, Keepsake::FusionHammer), Action::Smith);
        offer(self.counter(run, Keepsake::Girya).is_some_and(|lifts| lifts < LIFTS), Action::Lift);
        let removable = run.deck.iter().any(|c| self.can_remove(c));
        offer(removable && self.owns(run, Keepsake::PeacePipe), Action::Toke);
        offer(self.owns(run, Keepsake::Shovel), Action::Dig);
        offer(!s.tower.has_key(Key::Ruby) && run.act < 4, Action::Recall);
    }

    /// What resting heals.
    pub fn rest_amount(&self, run: &Run) -> i32 {
        let pillow = if self.owns(run, Keepsake::RegalPillow) { 15 } else { 0 };
        i32::from(run.max_hp) * 3 / 10 + pillow
    }

    /// The effects of a campfire action.
    pub(crate) fn open_rest_action<E, L: Copy>(&self, s: &State, action: Action, out: &mut Out<'_, E, L>) {
        let run = &s.spire.run;
        out.last(Effect::Close);
        match action {
            Action::Rest => {
                out.last(Effect::Heal(self.rest_amount(run)));
                if self.owns(run, Keepsake::DreamCatcher) {
                    out.last(Effect::DreamReward);
                }
            }
            Action::Smith => out.last(Effect::Pick(Purpose::Upgrade)),
            Action::Toke => out.last(Effect::Pick(Purpose::Remove)),
            Action::Lift => {
                let lifts = self.counter(run, Keepsake::Girya).unwrap_or(0);
                out.last(Effect::Count { relic: self.relic(Keepsake::Girya), to: lifts + 1 });
            }
            Action::Dig => out.last(Effect::DigReward),
            _ => out.last(Effect::Key(Key::Ruby)),
        }
    }

    pub(super) fn settle_dream(&self, s: &State) -> Outcome {
        let (cards, change) = self.drawing(s, |fate| self.card_offer(s, fate, CardOdds::Normal));
        let screen = Box::new(Screen::Rewards(vec![Reward::Cards(cards)]));
        fact(Event::Opened { screen, change })
    }

    pub(super) fn settle_dig(&self, s: &State) -> Outcome {
        let (relic, change) =
            self.drawing(s, |fate| self.with_holder(s, |holder| fate.elite_relic(&self.tables, holder)));
        let screen = Box::new(Screen::Rewards(vec![Reward::Relic(relic)]));
        fact(Event::Opened { screen, change })
    }
}
