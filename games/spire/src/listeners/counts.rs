//! Relics that count turns and cards do so without hearing of them.

use crate::catalog::compile::{ANY_KIND, kind_bit};
use crate::catalog::words::{CardType, Moment};
use crate::game::Spire;
use crate::state::{State, any_place};

impl Spire {
    /// Relics that count the turns of the player count one.
    #[inline]
    pub(crate) fn count_turn(&self, s: &mut State) {
        let counting = s.combat.hints.counting_turns;
        if counting != 0 {
            self.count_relics(s, Moment::TurnStart, counting, ANY_KIND);
        }
    }

    /// Relics that count cards of that type count one that is used.
    #[inline(always)]
    pub(crate) fn count_card(&self, s: &mut State, kind: CardType) {
        let counting = s.combat.hints.counting[kind as usize];
        let due = counting != 0 && self.count_relics(s, Moment::CardUsed, counting, kind_bit(kind));
        s.combat.hints.due = due;
    }

    /// Those of these relics that count the moment count it; tells whether a count has come to where a hook acts.
    #[inline(never)]
    fn count_relics(&self, s: &mut State, moment: Moment, places: u64, kind: u8) -> bool {
        let mut due = false;
        let relics = &mut s.run.relics;
        any_place(places, relics.len(), |place| {
            let relic = &mut relics[place];
            let tally = &self.catalog.tallies[relic.id as usize];
            if tally.kinds & kind != 0 && tally.moment == moment {
                relic.counter = tally.next(relic.counter);
                due |= tally.is_due(relic.counter);
            }
            false
        });
        due
    }
}
