//! Which file answers for an effect that stands for others.

use crate::catalog::words::Spot;
use crate::effect::Effect;
use crate::game::{Out, Spire};
use crate::state::State;
use turnstone::Expanded;

impl Spire {
    #[inline(never)]
    pub(crate) fn expand_now(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        match *effect {
            Effect::Step { program, pc, ctx } => self.expand_step(s, program, pc, ctx, out),
            Effect::Clean { slot } => self.expand_clean(s, slot, out),
            Effect::Draw { amount } => self.expand_draw(s, amount, Effect::DrawMore { amount }, out),
            Effect::DrawMore { amount } => self.expand_draw(s, amount, *effect, out),
            Effect::QueueDraw { amount } => queue(out, Effect::Draw { amount }),
            Effect::QueuePassives { start } => queue(out, Effect::Passives { start }),
            Effect::QueueClean { slot } => queue(out, Effect::Clean { slot }),
            Effect::QueueDecay { when, player, monsters } => {
                queue(out, Effect::Decay { when, player, monsters })
            }
            Effect::QueueRun { slot, target, x } => {
                out.agenda(Effect::Resolve { slot, target, x });
                Expanded::Into
            }
            Effect::Passives { start } => self.expand_passives(s, start, out),
            Effect::PutShuffled { slot } => {
                out.first(Effect::Put { slot, spot: Spot::DrawShuffled });
                out.first(Effect::ShuffleDraw);
                Expanded::Into
            }
            Effect::Channel { .. } | Effect::ChannelRandom | Effect::ChannelLast => {
                self.expand_channel(s, *effect, out)
            }
            Effect::Evoke { times } => self.expand_evoke(s, times, out),
            Effect::PlayTop { left, exhaust } => self.expand_play_top(s, left, exhaust, out),
            Effect::TakeTop { .. } => self.expand_take_top(s, *effect, out),
            Effect::PlayTaken => self.expand_play_taken(s, out),
            Effect::Run(ref effect) => self.expand_run(s, effect, out),
            // The rest stands for itself, which is seen before anything is called.
            Effect::Phase(_)
            | Effect::Aim { .. }
            | Effect::Moment { .. }
            | Effect::Attack { .. }
            | Effect::Damage { .. }
            | Effect::Block { .. }
            | Effect::Heal { .. }
            | Effect::SetHp { .. }
            | Effect::MaxHp { .. }
            | Effect::ClearBlock { .. }
            | Effect::Apply { .. }
            | Effect::Reduce { .. }
            | Effect::Cleanse { .. }
            | Effect::Store { .. }
            | Effect::StoreOrb { .. }
            | Effect::Counter { .. }
            | Effect::Energy { .. }
            | Effect::Shuffle
            | Effect::ShuffleDraw
            | Effect::OfferDone
            | Effect::Discard { .. }
            | Effect::Exhaust { .. }
            | Effect::Put { .. }
            | Effect::Create { .. }
            | Effect::CreateCopy { .. }
            | Effect::Find { .. }
            | Effect::Obtain { .. }
            | Effect::Conjure { .. }
            | Effect::Upgrade { .. }
            | Effect::Price { .. }
            | Effect::Grow { .. }
            | Effect::Retain { .. }
            | Effect::Keep { .. }
            | Effect::Play { .. }
            | Effect::Resolve { .. }
            | Effect::TurnCards
            | Effect::KeepHand
            | Effect::EvokeKept
            | Effect::Passive { .. }
            | Effect::Slots { .. }
            | Effect::Stance { .. }
            | Effect::EndTurn { .. }
            | Effect::CloseTurn
            | Effect::Gold { .. }
            | Effect::Potion
            | Effect::LosePotion
            | Effect::UsePotion { .. }
            | Effect::DropPotion { .. }
            | Effect::SetMove { .. }
            | Effect::Choose { .. }
            | Effect::ChooseAgain { .. }
            | Effect::Act { .. }
            | Effect::Spawn { .. }
            | Effect::SpawnAny { .. }
            | Effect::Speak { .. }
            | Effect::ConjureAll { .. }
            | Effect::Search { .. }
            | Effect::Escape { .. }
            | Effect::HalfDie { .. }
            | Effect::Strip { .. }
            | Effect::Revive { .. }
            | Effect::Var { .. }
            | Effect::Steal { .. }
            | Effect::TakeCard { .. }
            | Effect::ReturnCard { .. }
            | Effect::Face { .. }
            | Effect::Forget { .. }
            | Effect::Death { .. }
            | Effect::Spared { .. }
            | Effect::Decay { .. }
            | Effect::TurnStarted
            | Effect::TurnMarked
            | Effect::TurnHurt
            | Effect::RoundBlock
            | Effect::EnemyStarted { .. }
            | Effect::MonstersStarted
            | Effect::Begin
            | Effect::Leave
            | Effect::ResetAttackCount
            | Effect::Victory
            | Effect::Defeat
            | Effect::Flee
            | Effect::ReturnLimbo => Expanded::Keep,
        }
    }

    /// In a lost fight nothing happens any more, except that it is left, and what the run makes of it.
    #[cold]
    pub(crate) fn expand_after_defeat(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        match effect {
            Effect::Leave => Expanded::Keep,
            Effect::Run(effect) => self.expand_run(s, effect, out),
            _ => Expanded::Nothing,
        }
    }
}

fn queue(out: &mut Out, effect: Effect) -> Expanded<Effect> {
    out.last(effect);
    Expanded::Into
}
