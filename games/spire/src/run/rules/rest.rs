//! Campfires.

use turnstone::Notes;

use super::picks::cards_of;
use super::{Out, last};
use crate::catalog::compile::{Picking, Program};
use crate::catalog::words::{Moment, Prevent};
use crate::run::action::Action;
use crate::run::effect::{Effect, Pick, Purpose, StepAt};
use crate::run::journey::Journey;
use crate::run::tower::Key;
use crate::seeds::RelicNo;
use crate::state::State;

impl Journey<'_> {
    /// What can be done at a campfire.
    pub(crate) fn rest_options(&self, s: &State, out: &mut super::super::legal::Options) {
        let run = &s.run;
        if !self.prevents(s, Prevent::Rest) {
            out.push(Action::Rest);
        }
        if run.deck.iter().any(|card| self.can_upgrade(card)) && !self.prevents(s, Prevent::Smith) {
            out.push(Action::Smith);
        }
        out.extend(self.fire_offers(s).map(|(place, ..)| Action::Offer(place)));
        if !s.tower.has_key(Key::Ruby) && run.act < 4 {
            out.push(Action::Recall);
        }
    }

    /// What relics offer at a campfire now: their places in the row, what it is called, and its steps.
    pub fn fire_offers<'r>(&'r self, s: &'r State) -> impl Iterator<Item = (u8, &'r str, Program)> {
        let run = &s.run;
        let offers = (0..run.relics.len() as u8).filter_map(move |place| {
            let (name, program) = self.at_fire(s, place.into())?;
            Some((place, name, program))
        });
        offers.filter(move |(.., program)| {
            (0..self.steps(*program).len() as u8)
                .all(|pc| self.can_choose(s, StepAt { program: *program, pc }))
        })
    }

    /// Whether the deck holds a card that a step asks for.
    fn can_choose(&self, s: &State, step: StepAt) -> bool {
        let Some((purpose, cards)) = self.step(step).and_then(cards_of) else { return true };
        let asks = matches!(cards.how, Picking::Choose(_));
        !asks || !self.candidates(s, Pick { purpose, of: Some(step) }).is_empty()
    }

    /// What resting heals.
    pub fn rest_amount(&self, s: &State) -> i32 {
        self.rest_way(s, &mut Notes::unwanted())
    }

    /// The effects of a campfire action.
    pub(crate) fn open_rest_action(&self, s: &State, action: Action, out: &mut Out) {
        let run = &s.run;
        out.last(Effect::Close.into());
        match action {
            Action::Rest => {
                let mut why = out.notes().sheet();
                let heal = out.last(Effect::Heal(self.rest_way(s, &mut why)).into());
                out.because(heal, why);
                for relic in run.relics.iter().filter(|owned| self.hears(owned.id, Moment::RestDone)) {
                    let deeds = self.deeds(s, RelicNo(relic.id), Moment::RestDone, 0, None);
                    deeds.iter().for_each(|program| self.do_last(*program, out));
                }
            }
            Action::Smith => last(Effect::Pick(Purpose::Upgrade.into()), out),
            Action::Offer(chosen) => {
                if let Some((.., program)) = self.fire_offers(s).find(|(place, ..)| *place == chosen) {
                    self.do_last(program, out);
                }
            }
            _ => last(Effect::Key(Key::Ruby), out),
        }
    }

    /// The steps of a program, behind all that waits.
    pub(crate) fn do_last(&self, program: Program, out: &mut Out) {
        self.effects(program, 0).for_each(|step| last(step, out));
    }
}
