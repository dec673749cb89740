//! What an event drew when it was entered.

use crate::catalog::words::Drawn;
use crate::run::tower::Reward;
use crate::seeds::EventDetail;
use crate::state::{NONE, State};

/// Finds that are left of those an event drew; none after what guards them has come.
pub(crate) fn finds_left(s: &State) -> u8 {
    // The second count tells that the guardian has come.
    s.tower
        .event()
        .map_or(0, |event| if event.counts[1] > 0 { 0 } else { 3_u8.saturating_sub(event.counts[0]) })
}

/// The gold that an event drew.
pub(crate) fn drawn_gold(s: &State) -> i32 {
    match s.tower.event().and_then(|e| e.detail.as_ref()) {
        Some(EventDetail::Gold { gold_loss }) => *gold_loss as i32,
        Some(EventDetail::Belongings { gold: Some(gold), .. }) => *gold as i32,
        _ => 0,
    }
}

/// Whether the event drew such a thing on entry.
pub(crate) fn was_drawn(s: &State, what: Drawn) -> bool {
    let Some(event) = s.tower.event() else { return false };
    match (what, &event.detail) {
        (Drawn::Nothing, Some(EventDetail::OneOfEachType { attack, skill, power })) => {
            attack.is_none() && skill.is_none() && power.is_none()
        }
        (Drawn::Potion, Some(EventDetail::Belongings { potion, .. })) => potion.is_some(),
        (Drawn::Gold, Some(EventDetail::Belongings { gold: Some(gold), .. })) => s.run.gold >= *gold as i32,
        (Drawn::UpgradeOne, Some(EventDetail::TwoServices { upgrade_one, .. })) => *upgrade_one,
        (Drawn::UpgradeTwo, Some(EventDetail::TwoServices { upgrade_one, .. })) => !*upgrade_one,
        (Drawn::CleanRemoves, Some(EventDetail::TwoServices { clean_up_removes, .. })) => *clean_up_removes,
        (Drawn::CleanTransforms, Some(EventDetail::TwoServices { clean_up_removes, .. })) => {
            !*clean_up_removes
        }
        (Drawn::FirstRelic, _) => !event.relics.is_empty(),
        (Drawn::SecondRelic, _) => event.relics.len() > 1,
        (
            Drawn::Attack
            | Drawn::Skill
            | Drawn::Power
            | Drawn::Card
            | Drawn::Nothing
            | Drawn::Potion
            | Drawn::Gold
            | Drawn::UpgradeOne
            | Drawn::UpgradeTwo
            | Drawn::CleanRemoves
            | Drawn::CleanTransforms,
            _,
        ) => drawn_card(s, what).is_some(),
    }
}

/// The deck position of a card that the event drew on entry.
pub(crate) fn drawn_card(s: &State, what: Drawn) -> Option<u16> {
    match (what, s.tower.event()?.detail.as_ref()?) {
        (Drawn::Attack, EventDetail::OneOfEachType { attack, .. }) => *attack,
        (Drawn::Skill, EventDetail::OneOfEachType { skill, .. }) => *skill,
        (Drawn::Power, EventDetail::OneOfEachType { power, .. }) => *power,
        (Drawn::Card, EventDetail::Belongings { card, .. }) => *card,
        _ => None,
    }
}

/// The event drew the n-th potion carried; slots may lie empty between.
pub(super) fn drawn_potion_slot(s: &State) -> Option<u8> {
    let Some(EventDetail::Belongings { potion: Some(nth), .. }) = s.tower.event()?.detail.as_ref() else {
        return None;
    };
    let potions = s.run.potions.iter().enumerate().filter(|(_, p)| **p != NONE);
    potions.map(|(slot, _)| slot as u8).nth(usize::from(*nth))
}

/// The potions that the event drew.
pub(super) fn drawn_potions(s: &State) -> Vec<Reward> {
    match s.tower.event().and_then(|e| e.detail.as_ref()) {
        Some(EventDetail::Potions { potions }) => potions.iter().map(|p| Reward::Potion(*p)).collect(),
        _ => Vec::new(),
    }
}
