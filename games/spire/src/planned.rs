//! Effects in words: what was going to happen, for the lines of an explanation that say it was changed or did not.

use crate::catalog::face;
use crate::effect::{Effect, Phase, Way};
use crate::game::Spire;
use crate::state::{PLAYER, State};

impl Spire {
    /// An effect in a few words.
    pub(crate) fn tell_effect_of(&self, s: &State, effect: &Effect) -> String {
        let body = |who| self.body_name(s, who);
        match *effect {
            Effect::Attack { by, to, amount, .. } => {
                format!("attack of {amount} by {} on {}", body(by), body(to))
            }
            Effect::Damage { to, amount, .. } => format!("{amount} damage to {}", body(to)),
            Effect::Block { to, amount, .. } => format!("{amount} block for {}", body(to)),
            Effect::Heal { to, amount } => format!("healing of {amount} for {}", body(to)),
            Effect::SetHp { to, amount } => format!("{} to {amount} HP", body(to)),
            Effect::MaxHp { amount } => format!("max HP {amount:+}"),
            Effect::ClearBlock { to } => format!("the end of {}'s block", body(to)),
            Effect::Apply { to, power, amount, .. } => {
                format!("{amount} {} on {}", self.power_name(power), body(to))
            }
            Effect::Reduce { to, power, by: i16::MAX } => {
                format!("the end of {} on {}", self.power_name(power), body(to))
            }
            Effect::Reduce { to, power, by } => {
                format!("{:+} {} on {}", -i32::from(by), self.power_name(power), body(to))
            }
            Effect::Store { to, power, .. } => {
                format!("a number for {} of {}", self.power_name(power), body(to))
            }
            Effect::Cleanse { to } => format!("the end of all debuffs of {}", body(to)),
            Effect::Strip { to } => format!("the end of all powers of {}", body(to)),
            Effect::Phase(phase) => self.tell_phase(s, phase),
            Effect::Moment { moment, owner, .. } => {
                format!("({})", face::moment(&self.content, moment, owner == PLAYER))
            }
            Effect::Step { program, pc, ctx } | Effect::Conjure { program, pc, ctx } => {
                let whose = self.tell_source_for(s, ctx.owner, ctx.slot(), ctx.source);
                let step = self.catalog.program(program).get(usize::from(pc));
                format!(
                    "{whose}: {}",
                    step.map_or_else(|| "nothing".to_owned(), |op| op.name().replace('_', " "))
                )
            }
            Effect::Energy { amount } => format!("energy {amount:+}"),
            Effect::Gold { amount } => format!("gold {amount:+}"),
            ref other => self.tell_card_effect(s, other),
        }
    }

    /// Effects on cards and piles.
    fn tell_card_effect(&self, s: &State, effect: &Effect) -> String {
        let card = |slot| self.card_name(s, slot);
        match *effect {
            Effect::Draw { amount } | Effect::DrawMore { amount } | Effect::QueueDraw { amount } => {
                format!("a draw of {amount}")
            }
            Effect::Shuffle | Effect::ShuffleDraw => "a shuffle".into(),
            Effect::Discard { slot, .. } => format!("discarding {}", card(slot)),
            Effect::Exhaust { slot, .. } => format!("exhausting {}", card(slot)),
            Effect::Put { slot, .. } | Effect::PutShuffled { slot } => format!("moving {}", card(slot)),
            Effect::Create { card, up, .. } => format!("a new {}", self.card_label(card, up)),
            Effect::Find { card } => format!("a new {}", self.card_label(card, 0)),
            Effect::CreateCopy { of, .. } => format!("a copy of {}", card(of)),
            Effect::Obtain { slot } => format!("{} for the deck", card(slot)),
            Effect::Upgrade { slot } => format!("upgrading {}", card(slot)),
            Effect::Price { slot, .. } => format!("a new cost of {}", card(slot)),
            Effect::Grow { slot, by, .. } => format!("{by:+} for {}", card(slot)),
            Effect::Retain { slot } | Effect::Keep { slot } => format!("keeping {}", card(slot)),
            Effect::Play { slot, way: Way::Copy, .. } => format!("playing {} once more", card(slot)),
            Effect::Play { slot, .. } | Effect::QueueRun { slot, .. } | Effect::Resolve { slot, .. } => {
                format!("playing {}", card(slot))
            }
            Effect::QueueClean { slot } | Effect::Clean { slot } => format!("putting {} away", card(slot)),
            Effect::PlayTop { .. } => "playing the top card".into(),
            Effect::KeepHand => "discarding the hand".into(),
            Effect::Channel { orb, .. } => match self.catalog.orbs.get(orb as usize) {
                Some(info) => format!("channeling {}", info.name),
                None => "channeling an orb".into(),
            },
            Effect::ChannelRandom | Effect::ChannelLast => "channeling an orb".into(),
            Effect::Evoke { .. } | Effect::EvokeKept => "evoking an orb".into(),
            Effect::Passive { .. } | Effect::QueuePassives { .. } | Effect::Passives { .. } => {
                "what the orbs do".into()
            }
            Effect::Slots { amount } => format!("{amount:+} orb slots"),
            Effect::Stance { to } => match self.catalog.stances.get(to as usize) {
                Some(info) => format!("entering {}", info.name),
                None => "another stance".into(),
            },
            ref other => self.tell_body_effect(s, other),
        }
    }

    /// Effects on enemies, potions and the fight as a whole.
    fn tell_body_effect(&self, s: &State, effect: &Effect) -> String {
        let body = |who| self.body_name(s, who);
        match *effect {
            Effect::Potion => "a potion".into(),
            Effect::UsePotion { .. } | Effect::DropPotion { .. } => "the use of a potion".into(),
            Effect::SetMove { who, .. } | Effect::Choose { who } | Effect::ChooseAgain { who } => {
                format!("{}'s next intent", body(who))
            }
            Effect::Act { who } => format!("{}'s move", body(who)),
            Effect::EnemyStarted { who } => format!("{}'s turn", body(who)),
            Effect::Spawn { .. } | Effect::SpawnAny { .. } => "another enemy".into(),
            Effect::Escape { who } => format!("{}'s escape", body(who)),
            Effect::HalfDie { who } | Effect::Death { who, .. } => format!("{}'s death", body(who)),
            Effect::Spared { who } => format!("{} lives on", body(who)),
            Effect::Revive { who, .. } => format!("{}'s revival", body(who)),
            Effect::Steal { who, amount } => format!("a theft of {amount} gold by {}", body(who)),
            Effect::TakeCard { who } => format!("a card taken by {}", body(who)),
            Effect::ReturnCard { who } => format!("a card given back by {}", body(who)),
            Effect::Face { who } => format!("turning to {}", body(who)),
            Effect::EndTurn { .. } | Effect::CloseTurn => "the end of the turn".into(),
            Effect::TurnStarted => "the next turn".into(),
            Effect::QueueDecay { .. } | Effect::Decay { .. } => "powers wearing off".into(),
            Effect::RoundBlock => "the end of the enemies' block".into(),
            Effect::Victory => "victory".into(),
            Effect::Defeat => "defeat".into(),
            Effect::Flee | Effect::Leave => "leaving the fight".into(),
            _ => "a note in the books".into(),
        }
    }

    fn tell_phase(&self, s: &State, phase: Phase) -> String {
        match phase {
            Phase::Enemy(who, _) | Phase::EnemyAct(who) => match s.combat.body(who) {
                Some(_) => format!("{}'s turn", self.body_name(s, who)),
                None => "the rest of the enemies' turn".into(),
            },
            _ => "the rest of the turn".into(),
        }
    }
}
