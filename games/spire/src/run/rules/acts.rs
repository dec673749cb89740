//! Neow at the beginning, and the way from one act to the next.

use turnstone::Settled;

use super::{Out, Outcome, fact, last};
use crate::catalog::words::Stage;
use crate::run::effect::Effect;
use crate::run::event::Event;
use crate::run::journey::Journey;
use crate::run::tower::{End, Progress};
use crate::seeds::{CardNo, NeowGift, Place};
use crate::state::State;

impl Journey<'_> {
    pub(super) fn settle_gift(&self, s: &State, option: u8) -> Outcome {
        let Some(&offer) = s.tower.fate.neow.get(usize::from(option)) else { return Settled::Stale };
        let (gift, change) =
            self.drawing(s, |fate| self.with_holder(s, |holder| fate.neow_gift(&self.tables, holder, offer)));
        fact(Event::Gifted { option, gift: Box::new(gift), change })
    }

    /// The cost comes first, then the gift.
    pub(super) fn follow_gift(&self, s: &State, option: u8, gift: &NeowGift, out: &mut Out) {
        let Some(offer) = s.tower.fate.neow.get(usize::from(option)) else { return };
        let add = |cards: &[CardNo], out: &mut Out| {
            cards.iter().for_each(|card| _ = out.first(Effect::AddCard { card: *card, up: 0 }.into()));
        };
        if let Some(drawback) = offer.drawback {
            self.push_program(self.gift(drawback), 0, out);
        }
        add(&gift.curses, out);
        self.push_program(self.gift(offer.bonus), 0, out);
        gift.relics.iter().for_each(|relic| _ = out.first(Effect::GainRelic(*relic).into()));
        add(&gift.cards, out);
    }

    /// Nothing is on screen any more: after a boss the way leads on.
    pub(super) fn onward(&self, s: &State, out: &mut Out) {
        let tower = &s.tower;
        if tower.end.is_some() || tower.fighting.is_some() || !tower.screens.is_empty() {
            return;
        }
        // A hand-made map is the whole run.
        if tower.at_end_of_map() {
            out.last(Effect::Finish(End::Won).into());
            return;
        }
        if tower.hand_made.is_some() {
            return;
        }
        let act = s.run.act;
        let bosses = if act == 3 { self.tables.hardship(s.run.ascension).bosses } else { 1 };
        match tower.progress {
            Progress::Climbing => {}
            Progress::Chest => last(Effect::NextAct, out),
            Progress::BossBeaten(_) if act < 3 => last(Effect::OpenBossChest, out),
            Progress::BossBeaten(beaten) if beaten < bosses => last(Effect::SecondBoss, out),
            Progress::BossBeaten(_) if act > 3 => last(Effect::Finish(End::Heart), out),
            Progress::BossBeaten(_) if tower.has_all_keys() => last(Effect::NextAct, out),
            Progress::BossBeaten(_) => last(Effect::Finish(End::Won), out),
        }
    }

    pub(super) fn settle_next_act(&self, s: &State) -> Outcome {
        let ((), change) = self.drawing(s, |fate| fate.next_act(&self.tables));
        // The door to the last act is a floor of its own; from the other bosses a chest leads on.
        let floor = s.run.floor + u8::from(s.run.act >= 3);
        let (act, healed) = (s.run.act + 1, self.act_heal(s));
        fact(Event::ActBegan { act, floor, healed, change })
    }

    /// The second boss waits one floor higher.
    pub(super) fn settle_second_boss(&self, s: &State) -> Outcome {
        let place = s.tower.place.unwrap_or(Place { x: 3, y: s.tower.fate.boss_row() });
        self.move_to(s, place, false)
    }

    /// The floor where a run ends: who wins goes one room further, except on a map made by hand.
    pub(super) fn last_floor(&self, s: &State, end: End) -> u8 {
        let further = matches!(end, End::Won | End::Heart) && s.tower.hand_made.is_none();
        s.run.floor + u8::from(further)
    }

    /// What a new act heals: everything that is missing, or a share of it at higher ascensions, halves rounded up.
    pub(crate) fn act_heal(&self, s: &State) -> i16 {
        let run = &s.run;
        let missing = i32::from(run.max_hp - run.hp);
        let share = (missing * self.tables.hardship(run.ascension).act_heal + 50) / 100;
        self.altered(s, Stage::Heal, share) as i16
    }
}
