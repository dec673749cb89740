//! Who hears of an event, and what they do: the listeners of content.
//!
//! What an entry of content listens to, and what it does then, is data: here is how it is found ([`hear`], [`before`])
//! and how it acts ([`react`]). Most of it is passed over at a glance, without being asked.

mod before;
mod calling;
mod counts;
mod hear;
mod list;
mod plays;
mod react;
mod sounds;

use crate::catalog::compile::{ANY_KIND, Ears, kind_bit};
use crate::catalog::words::Moment;
use crate::effect::{Effect, Origin, Source};
use crate::game::{Out, Spire};
use crate::state::{NO_CARD, NOBODY, Slot, State};

impl Spire {
    /// A moment as an effect.
    pub fn moment(&self, moment: Moment, owner: u8) -> Effect {
        Effect::Moment { moment, owner, other: NOBODY, card: NO_CARD, number: 0 }
    }

    /// Proposes a moment if anybody hears it.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(crate) fn moment_if(
        &self,
        s: &State,
        moment: Moment,
        owner: u8,
        other: u8,
        card: Slot,
        number: i16,
        out: &mut Out,
    ) {
        if s.combat.moments >> moment as u32 & 1 != 0 {
            out.first(Effect::Moment { moment, owner, other, card, number });
        }
    }

    /// The hooks of an entry that a listener names.
    fn ears_of(&self, s: &State, owner: u8, source: Source, card: Slot) -> Option<&Ears> {
        match source.origin() {
            Origin::Power(id) => self.catalog.powers.get(id as usize).map(|info| &info.ears),
            Origin::Relic(index) => {
                let relic = s.run.relics.get(index as usize)?;
                self.catalog.relics.get(relic.id as usize).map(|info| &info.ears)
            }
            Origin::Potion(id) => self.catalog.potions.get(id as usize).map(|info| &info.ears),
            Origin::Monster => {
                let body = s.combat.body(owner)?;
                self.catalog.monsters.get(body.kind as usize).map(|info| &info.ears)
            }
            Origin::Card | Origin::Copy => {
                let card = s.combat.cards.get(card as usize)?;
                Some(&self.catalog.cards[card.id as usize].forms[card.form()].ears)
            }
            _ => None,
        }
    }

    /// The type of a card as a bit; what is no card may be of any type.
    #[inline]
    pub(crate) fn kind_at(&self, s: &State, slot: Slot) -> u8 {
        let card = s.combat.cards.get(slot as usize);
        card.map_or(ANY_KIND, |card| kind_bit(self.catalog.brief(card).kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ruleset;
    use crate::catalog::compile::Hook;
    use crate::effect::Ctx;
    use crate::eval::Env;
    use crate::rules::orbs::stance_ctx;
    use crate::state::Card;

    /// A hook that is passed over because of a card's type would not have acted on it.
    #[test]
    fn hooks_passed_over_would_not_have_acted() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let mut s = spire.situated("hand: bash; enemy: cultist").expect("a fight");
        let powers = spire.catalog.powers.iter().map(|power| &power.ears);
        let relics = spire.catalog.relics.iter().map(|relic| &relic.ears);
        let hooks: Vec<&Hook> = powers.chain(relics).flat_map(|ears| &ears.hooks).collect();
        let picky: Vec<&&Hook> = hooks.iter().filter(|hook| hook.glance.kinds != ANY_KIND).collect();
        assert!(picky.len() > 20, "{}", picky.len());
        let ctx = Ctx { card: 0, ..stance_ctx(0) };
        for id in 0..spire.catalog.cards.len() {
            s.combat.cards[0] = Card::new(id as u16, 0);
            for hook in picky.iter().filter(|hook| hook.glance.kinds & spire.kind_at(&s, 0) == 0) {
                assert!(
                    !spire.holds(hook.when, &Env::new(&s, ctx)),
                    "{} {hook:?}",
                    spire.catalog.cards[id].id
                );
            }
        }
    }

    /// A fight with this relic, played at random: HP, block, energy and the relic's count after every action.
    fn course(relic: &str, seed: u64) -> Vec<[i16; 4]> {
        use crate::bench::play_with;
        let mine = r#"
            [relic.seen]
            tier = "common"
            on.card_used = { when = "card(attack)", every = 3, do = [{ block = 4 }] }
            [relic.evaluated]
            tier = "common"
            on.card_used = { when = "card(attack)", every = "3 + 0 * turn", do = [{ block = 4 }] }
            [relic.turn_seen]
            tier = "common"
            on.turn_start = { every = 2, do = [{ energy = 1 }] }
            [relic.turn_evaluated]
            tier = "common"
            on.turn_start = { every = "2 + 0 * turn", do = [{ energy = 1 }] }
        "#;
        let sources = crate::catalog::Sources::builtin("classic").with_text("mine.toml", mine);
        let spire = Spire::new(Ruleset::Classic, &sources).expect("sound content");
        let fight = crate::setup::Fight {
            encounter: Some("jaw_worm".into()),
            relics: Some(vec![relic.to_owned()]),
            ..Default::default()
        };
        let mut course = Vec::new();
        play_with(&spire, fight, seed, |s| {
            let player = s.combat.player();
            course.push([player.hp, player.block, s.combat.energy, s.run.relics[0].counter]);
        });
        course
    }

    /// What a fact counts for a relic is what the relic would count itself.
    #[test]
    fn counts_of_facts_are_those_of_hooks() {
        for seed in 1..=8 {
            for (seen, evaluated) in [("seen", "evaluated"), ("turn_seen", "turn_evaluated")] {
                let (one, other) = (course(seen, seed), course(evaluated, seed));
                assert!(one.len() > 5 && one.iter().any(|at| at[3] > 0), "{one:?}");
                assert_eq!(one, other, "{seen} in fight {seed}");
            }
        }
    }
}
