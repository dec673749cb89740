//! What may be done in a fight.

use crate::action::{Action, Deed};
use crate::catalog::compile::Id;
use crate::catalog::words::Stage as Numbers;
use crate::game::Spire;
use crate::state::{NONE, PLAYER, Pile, Slot, Stage, State};
use turnstone::Rejection;

impl Spire {
    pub(crate) fn check_fight(&self, s: &State, action: Action) -> Result<(), Rejection> {
        if action == Action::Begin {
            return match s.combat.stage {
                Stage::Ready => Ok(()),
                _ => Err(Rejection::new("NOT_NOW", "no fight waits to begin")),
            };
        }
        if action == Action::Leave {
            return match s.combat.stage {
                Stage::Won | Stage::Lost if self.profile.finished_fights_are_left => Ok(()),
                _ => Err(Rejection::new("NOT_NOW", "there is no finished fight to leave")),
            };
        }
        if s.combat.stage != Stage::Player {
            return Err(Rejection::new("NOT_YOUR_TURN", "it is not the player's turn in a fight"));
        }
        match action {
            Action::Play { card, target } => self.check_play(s, card, target),
            Action::Potion { index, target } => self.check_potion(s, index, target),
            Action::Toss { index } => self.potion_at(s, index).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn check_play(&self, s: &State, slot: Slot, target: Option<u8>) -> Result<(), Rejection> {
        let combat = &s.combat;
        let Some(card) = combat.cards.get(slot as usize).filter(|card| card.pile == Pile::Hand) else {
            return Err(Rejection::new("NOT_IN_HAND", format!("card {slot} is not in the hand")));
        };
        self.playable(s, slot)?;
        let info = &self.catalog.cards[card.id as usize];
        let limit = self.card_limit(s);
        if i32::from(combat.counts.cards_played) >= limit {
            return Err(Rejection::new("CARD_LIMIT", format!("only {limit} cards may be played this turn")));
        }
        if !self.affordable(s, slot) {
            let cost = self.cost_now(s, card, slot);
            let text = format!("{} costs {cost}, there is {}", info.name, combat.energy);
            return Err(Rejection::new("NOT_ENOUGH_ENERGY", text));
        }
        self.check_target(s, info.forms[card.form()].aims, target, &info.name)
    }

    pub(crate) fn check_target(
        &self,
        s: &State,
        aims: bool,
        target: Option<u8>,
        name: &str,
    ) -> Result<(), Rejection> {
        match (aims, target) {
            (false, None) => Ok(()),
            (false, Some(_)) if self.profile.targets_unchecked => Ok(()),
            (false, Some(_)) => Err(Rejection::new("NO_TARGET", format!("{name} takes no target"))),
            (true, None) if self.profile.targets_unchecked => Ok(()),
            (true, None) => Err(Rejection::new("TARGET_NEEDED", format!("{name} needs a target"))),
            // The recorded engine lets one aim at the fallen.
            (true, Some(who))
                if self.profile.targets_unchecked && who != PLAYER && s.combat.body(who).is_some() =>
            {
                Ok(())
            }
            (true, Some(who)) if who != PLAYER && s.combat.living(who).is_some() => Ok(()),
            (true, Some(who)) => Err(Rejection::new("BAD_TARGET", format!("there is no living enemy {who}"))),
        }
    }

    #[inline(always)]
    pub(crate) fn legal_in_fight(&self, s: &State, out: &mut Vec<Deed>) {
        self.each_action(s, &mut |action| out.push(Deed::Fight(action)));
        if self.drags_on(s) {
            out.push(Deed::Run(crate::run::action::Action::GiveUp));
        }
    }

    /// Visits every allowed action.
    #[inline]
    pub(crate) fn each_action<F: FnMut(Action) + ?Sized>(&self, s: &State, add: &mut F) {
        match s.combat.stage {
            Stage::Ready => add(Action::Begin),
            Stage::Player => {
                let stages = self.stages(s, PLAYER);
                if self.cards_left(s) {
                    self.each_play(s, stages >> Numbers::CardCost as u32 & 1 != 0, add);
                }
                if holds_potion(&s.run.potions) {
                    self.each_potion(s, add);
                }
                add(Action::EndTurn);
            }
            _ => {}
        }
    }

    fn each_play<F: FnMut(Action) + ?Sized>(&self, s: &State, altered: bool, add: &mut F) {
        let combat = &s.combat;
        let unusual = altered || self.plays_forbidden(s);
        // Mostly there is but one whom a card may be aimed at.
        let lone = combat.lone_enemy();
        for &card in &combat.hand {
            let held = &combat.cards[card as usize];
            let brief = self.catalog.brief(held);
            let open = if brief.plain() && held.cost_is_own() && !unusual {
                i16::from(brief.cost) <= combat.energy
            } else {
                self.may_choose(s, card)
            };
            if !open {
                continue;
            }
            match lone {
                _ if !brief.aims() => add(Action::Play { card, target: None }),
                Some(_) => add(Action::Play { card, target: lone }),
                None => each_target(s, card, add),
            }
        }
    }

    pub(crate) fn legal_targets(&self, s: &State, aims: bool, mut add: impl FnMut(Option<u8>)) {
        if aims {
            s.combat.enemies().for_each(|who| add(Some(who)));
        } else {
            add(None);
        }
    }
}

/// Whether a slot is not empty. Mostly there are three, which are looked at together.
#[inline]
fn holds_potion(slots: &[Id]) -> bool {
    match *slots {
        [one, two, three] => one & two & three != NONE,
        _ => slots.iter().any(|&potion| potion != NONE),
    }
}

/// A card at each enemy in turn.
#[inline(never)]
fn each_target<F: FnMut(Action) + ?Sized>(s: &State, card: Slot, add: &mut F) {
    s.combat.enemies().for_each(|who| add(Action::Play { card, target: Some(who) }));
}
