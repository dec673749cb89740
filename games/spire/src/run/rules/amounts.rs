//! Numbers of scripts, read at the moment a step happens.

use crate::run::journey::Journey;
use crate::run::script::{Amount, Drawn, Needs, OptionScript, Rounding};
use crate::seeds::{CardNo, EventDetail, Fate, RelicNo};
use crate::state::State;

impl Journey<'_> {
    /// The value of an amount. Only a roll draws, from the floor's own stream.
    pub(crate) fn amount(&self, s: &State, amount: Amount, fate: &mut Fate) -> i32 {
        match amount {
            Amount::Roll { roll: [low, high] } => fate.streams.misc.int(low, high),
            fixed => self.fixed_amount(s, fixed),
        }
    }

    /// The value of an amount that is not rolled; the least value of one that is.
    pub fn fixed_amount(&self, s: &State, amount: Amount) -> i32 {
        let run = &s.run;
        let hard = run.ascension >= 15;
        let pick = |pair: [i32; 2]| pair[usize::from(hard)];
        match amount {
            Amount::Flat(n) => n,
            Amount::Hard(pair) => pick(pair),
            Amount::Drawn(_) => drawn_number(s),
            Amount::MaxHp { max_hp, hard: harder, round, at_least } => {
                let part = if hard { harder.unwrap_or(max_hp) } else { max_hp };
                let whole = s.tower.event().map_or(run.max_hp, |event| event.max_hp);
                fraction(whole.into(), part, round).max(at_least)
            }
            Amount::Hp { hp } => fraction(run.hp.into(), hp, Rounding::Down),
            Amount::Roll { roll: [low, _] } => low,
            Amount::Rising { start, each, of } => {
                let counts = s.tower.event().map_or([0; 3], |e| e.counts);
                pick(start) + each * i32::from(counts[usize::from(of).min(2)])
            }
            Amount::Told { expr, relic, potency } => self.told(s, expr, relic, potency),
            Amount::PerAct { per_act } => per_act * i32::from(run.act),
        }
    }

    /// Whether an option of an event may be chosen.
    pub fn option_allowed(&self, s: &State, option: &OptionScript) -> bool {
        let (run, needs) = (&s.run, &option.needs);
        let owned = |relic: RelicNo| run.relics.iter().any(|r| r.id == relic.0);
        let removable = run.deck.iter().filter(|c| self.can_remove(c)).count();
        let floor = run.floor % 50;
        needs.gold.is_none_or(|gold| run.gold >= self.fixed_amount(s, gold))
            && (!needs.removable || removable > 0)
            && removable >= usize::from(needs.removables)
            && (!needs.upgradable || run.deck.iter().any(|c| self.can_upgrade(c)))
            && option.relic.is_none_or(|(relic, wanted)| owned(relic) == wanted)
            && needs.floor_of_50_up_to.is_none_or(|last| floor <= last)
            && needs.floor_of_50_from.is_none_or(|first| floor >= first)
            && self.event_allows(s, needs)
    }

    fn event_allows(&self, s: &State, needs: &Needs) -> bool {
        let strong = |c: &crate::state::DeckCard, least: i32| {
            i32::from(self.card(CardNo(c.id)).damage[usize::from(c.up > 0)]) >= least
        };
        // The second count tells that the guardian has come.
        let finds = s.tower.event().map_or(3, |e| if e.counts[1] > 0 { 3 } else { e.counts[0] });
        needs.attack_of.is_none_or(|least| s.run.deck.iter().any(|c| strong(c, least)))
            && (!needs.finds_left || finds < 3)
            && needs.drawn.is_none_or(|what| was_drawn(s, what))
    }
}

fn fraction(of: i32, [part, whole]: [i32; 2], round: Rounding) -> i32 {
    let (product, whole) = (of * part, whole.max(1));
    match round {
        Rounding::Down => product / whole,
        Rounding::Up => (product + whole - 1) / whole,
        Rounding::Nearest => (2 * product + whole) / (2 * whole),
    }
}

fn drawn_number(s: &State) -> i32 {
    match s.tower.event().and_then(|e| e.detail.as_ref()) {
        Some(EventDetail::Gold { gold_loss }) => *gold_loss as i32,
        Some(EventDetail::Belongings { gold: Some(gold), .. }) => *gold as i32,
        _ => 0,
    }
}

/// Whether the event drew such a thing on entry.
pub(super) fn was_drawn(s: &State, what: Drawn) -> bool {
    let Some(event) = s.tower.event() else { return false };
    let card = drawn_card(s, what).is_some();
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
        _ => card,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_round_as_told() {
        assert_eq!(fraction(80, [1, 3], Rounding::Down), 26);
        assert_eq!(fraction(75, [125, 1000], Rounding::Nearest), 9);
        assert_eq!(fraction(75, [1, 2], Rounding::Up), 38);
    }
}
