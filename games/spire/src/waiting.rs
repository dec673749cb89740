//! Whether a question that waits in a position from outside, and what waits behind it, names only what is there.
//!
//! What one's own rules leave waiting always does. A forged position may name a card, a body or a program that nobody
//! has, and must be refused before anything goes on from it.

use crate::effect::{Ctx, Effect, Origin, Source};
use crate::fits::There;
use crate::game::Spire;
use crate::question::{Asked, Question};
use crate::run::effect as run;
use crate::run::journey::Journey;
use crate::run::tower::FightKind;
use crate::state::{ALLY_OF, ANYBODY, NO_CARD, NOBODY, Slot, State, WEAKEST};

impl There<'_> {
    fn maybe_body(&self, who: u8) -> bool {
        who == NOBODY || self.body(who)
    }

    /// Somebody who is there, or will be found out when it comes to it: anybody, the weakest, a friend of somebody.
    fn aim(&self, who: u8) -> bool {
        self.body(who) || matches!(who, ANYBODY | WEAKEST) || who >= ALLY_OF && self.body(who - ALLY_OF)
    }

    fn step(&self, program: u16, pc: u8) -> bool {
        self.spire.catalog.step(program, pc).is_some()
    }

    fn source(&self, source: Source) -> bool {
        let catalog = &self.spire.catalog;
        match source.origin() {
            Origin::Card | Origin::Copy | Origin::Monster | Origin::Rules => true,
            Origin::Power(id) => self.power(id),
            Origin::Relic(index) => usize::from(index) < self.s.run.relics.len(),
            Origin::Potion(id) => usize::from(id) < catalog.potions.len(),
            // An orb that was evoked is gone when its steps run.
            Origin::Orb(_) => true,
            Origin::Stance(id) => usize::from(id) < catalog.stances.len(),
        }
    }

    /// The card of a memory may be a power in question instead.
    fn ctx(&self, ctx: &Ctx) -> bool {
        let Ctx { owner, other, card, source, .. } = *ctx;
        let there = Ctx::power(card).map_or(card == NO_CARD || self.card(card), |power| self.power(power));
        self.maybe_body(owner) && self.maybe_body(other) && there && self.source(source)
    }

    fn aimed(&self, slot: Slot, target: u8) -> bool {
        self.card(slot) && self.maybe_body(target)
    }
}

impl Spire {
    /// Whether what is asked is about what is there.
    pub(crate) fn can_be_asked(&self, s: &State, asked: &Asked) -> bool {
        let there = There { spire: self, s };
        match asked {
            Asked::Run(crate::run::action::Question::Deck(pick)) => {
                pick.of.is_none_or(|at| there.step(at.program, at.pc))
            }
            Asked::Run(crate::run::action::Question::Offer | crate::run::action::Question::Flip) => true,
            Asked::Fight(_) if s.combat.bodies.is_empty() => false,
            Asked::Fight(Question::Cards { program, pc, ctx, .. }) => {
                there.step(*program, *pc) && there.ctx(ctx)
            }
            Asked::Fight(Question::Option { program, pc, .. }) => there.step(*program, *pc),
            Asked::Fight(Question::Offer { .. }) => true,
        }
    }

    /// Whether every body, card and entry is there that an effect names which waits.
    pub(crate) fn can_wait(&self, s: &State, effect: &Effect) -> bool {
        let there = There { spire: self, s };
        if let Effect::Run(effect) = effect {
            return self.journey().can_wait(effect);
        }
        // Everything else is done in a fight.
        !s.combat.bodies.is_empty() && there.fights_on(effect)
    }
}

impl There<'_> {
    fn fights_on(&self, effect: &Effect) -> bool {
        let catalog = &self.spire.catalog;
        match *effect {
            Effect::Run(_) => true,
            Effect::Step { program, pc, ref ctx }
            | Effect::Conjure { program, pc, ref ctx }
            | Effect::ConjureAll { program, pc, ref ctx } => self.step(program, pc) && self.ctx(ctx),
            Effect::SpawnAny { program, pc, by, .. } => self.step(program, pc) && self.maybe_body(by),
            Effect::Clean { slot }
            | Effect::QueueClean { slot }
            | Effect::PutShuffled { slot }
            | Effect::Discard { slot, .. }
            | Effect::Exhaust { slot, .. }
            | Effect::Put { slot, .. }
            | Effect::Obtain { slot }
            | Effect::Upgrade { slot }
            | Effect::Price { slot, .. }
            | Effect::Grow { slot, .. }
            | Effect::Retain { slot }
            | Effect::Keep { slot }
            | Effect::CreateCopy { of: slot, .. } => self.card(slot),
            Effect::QueueRun { slot, target, .. }
            | Effect::Play { slot, target, .. }
            | Effect::Resolve { slot, target, .. } => self.aimed(slot, target),
            Effect::TakeTop { target, .. } | Effect::UsePotion { target, .. } => self.maybe_body(target),
            Effect::Channel { orb, .. } => usize::from(orb) < catalog.orbs.len(),
            Effect::Moment { owner, other, card, .. } => {
                let there = card == NO_CARD || self.card(card) || self.power(card);
                self.maybe_body(owner) && self.maybe_body(other) && there
            }
            Effect::Attack { by, to, card, on_kill, .. } => {
                self.maybe_body(by) && self.aim(to) && self.held(card) && self.program(on_kill)
            }
            Effect::Damage { by, to, .. } => self.maybe_body(by) && self.aim(to),
            Effect::Block { to, .. }
            | Effect::Heal { to, .. }
            | Effect::SetHp { to, .. }
            | Effect::ClearBlock { to }
            | Effect::Cleanse { to }
            | Effect::Strip { to } => self.aim(to),
            Effect::Apply { by, to, power, .. } => self.maybe_body(by) && self.aim(to) && self.power(power),
            Effect::Reduce { to, power, .. } | Effect::Store { to, power, .. } => {
                self.aim(to) && self.power(power)
            }
            Effect::Counter { relic, .. } => usize::from(relic) < self.s.run.relics.len(),
            Effect::Create { card, .. } | Effect::Find { card } => self.kind_of_card(card),
            Effect::Stance { to } => usize::from(to) < catalog.stances.len(),
            // Newcomers choose, and before that they come: that waits too.
            Effect::Choose { .. } => true,
            Effect::SetMove { who, .. }
            | Effect::ChooseAgain { who }
            | Effect::Act { who }
            | Effect::Speak { who }
            | Effect::Escape { who }
            | Effect::HalfDie { who }
            | Effect::Revive { who, .. }
            | Effect::Var { who, .. }
            | Effect::Steal { who, .. }
            | Effect::TakeCard { who }
            | Effect::ReturnCard { who }
            | Effect::Face { who }
            | Effect::Forget { who }
            | Effect::Spared { who }
            | Effect::EnemyStarted { who } => self.body(who),
            Effect::Spawn { kind, by, .. } => {
                usize::from(kind) < catalog.monsters.len() && self.maybe_body(by)
            }
            Effect::Death { who, by, card, on_kill, .. } => {
                self.body(who) && self.maybe_body(by) && self.held(card) && self.program(on_kill)
            }
            // These name nobody, or look before they do something.
            Effect::Phase(_)
            | Effect::Draw { .. }
            | Effect::DrawMore { .. }
            | Effect::QueueDraw { .. }
            | Effect::QueuePassives { .. }
            | Effect::QueueDecay { .. }
            | Effect::Passives { .. }
            | Effect::ChannelRandom
            | Effect::ChannelLast
            | Effect::Evoke { .. }
            | Effect::PlayTop { .. }
            | Effect::Aim { .. }
            | Effect::PlayTaken
            | Effect::MaxHp { .. }
            | Effect::StoreOrb { .. }
            | Effect::Energy { .. }
            | Effect::Shuffle
            | Effect::ShuffleDraw
            | Effect::OfferDone
            | Effect::TurnCards
            | Effect::KeepHand
            | Effect::EvokeKept
            | Effect::Passive { .. }
            | Effect::Slots { .. }
            | Effect::EndTurn { .. }
            | Effect::CloseTurn
            | Effect::Gold { .. }
            | Effect::LosePotion
            | Effect::Potion
            | Effect::DropPotion { .. }
            | Effect::Search { .. }
            | Effect::Decay { .. }
            | Effect::TurnStarted
            | Effect::TurnMarked
            | Effect::TurnHurt
            | Effect::RoundBlock
            | Effect::MonstersStarted
            | Effect::Begin
            | Effect::Leave
            | Effect::ResetAttackCount
            | Effect::Victory
            | Effect::Defeat
            | Effect::Flee
            | Effect::ReturnLimbo => true,
        }
    }
}

impl Journey<'_> {
    /// Whether every card, relic, potion and step is there that an effect of the run names.
    fn can_wait(&self, effect: &run::Effect) -> bool {
        use run::Effect;
        match effect {
            Effect::GainRelic(relic) | Effect::LoseRelic(relic) | Effect::Count { relic, .. } => {
                usize::from(relic.0) < self.tables.relics.len()
            }
            Effect::GainPotion(potion) => usize::from(potion.0) < self.tables.potions.len(),
            Effect::AddCard { card, .. } => usize::from(card.0) < self.tables.cards.len(),
            Effect::Step { step, .. } => self.step(*step).is_some(),
            Effect::Pick(pick) => pick.of.is_none_or(|step| self.step(step).is_some()),
            Effect::Fight(kind) | Effect::Reward(kind) => match kind {
                FightKind::Event(step) => self.step(*step).is_some(),
                FightKind::Monster | FightKind::Elite | FightKind::Boss => true,
            },
            // Places in the deck, in lists and on the map are looked up when it comes to it.
            Effect::Gift(_)
            | Effect::Move { .. }
            | Effect::Arrive
            | Effect::EndFight
            | Effect::OpenShop
            | Effect::OpenRest
            | Effect::OpenChest
            | Effect::OpenEvent
            | Effect::OpenBossChest
            | Effect::Unlock
            | Effect::Close
            | Effect::Goto(_)
            | Effect::Gold(_)
            | Effect::LoseGold { .. }
            | Effect::Heal(_)
            | Effect::Hurt { .. }
            | Effect::MaxHp(_)
            | Effect::LosePotion(_)
            | Effect::Drink(_)
            | Effect::PotionSlots(_)
            | Effect::RandomCurse
            | Effect::Remove(_)
            | Effect::Upgrade(_)
            | Effect::Transform { .. }
            | Effect::Copy(_)
            | Effect::Bottle(_)
            | Effect::PickOffer
            | Effect::Flip
            | Effect::Key(_)
            | Effect::TakeReward(_)
            | Effect::TakeCard { .. }
            | Effect::Bowl(_)
            | Effect::BossRelic(_)
            | Effect::Buy(_)
            | Effect::Restock(_)
            | Effect::ToTheBoss
            | Effect::SecondBoss
            | Effect::NextAct
            | Effect::Die
            | Effect::Finish(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use turnstone::dice::{Draw, Lots, Stream};
    use turnstone::{Input, Match};
    use turnstone_testkit::mutate::mutate;

    use crate::{Ruleset, Spire};

    /// Fights in which much is asked, with much behind the question.
    const ASKING: [&str; 4] = [
        "hp 60/80 energy 9; hand: true_grit+, headbutt, warcry, exhume, dual_wield, armaments; draw: strike_ironclad*5; \
         discard: bash, clash; exhaust: feed; relics: sundial, pen_nib=8; enemy: jaw_worm; enemy: cultist",
        "as: silent; hp 70/70 energy 9; hand: survivor, acrobatics, dagger_throw, nightmare, well_laid_plans, all_out_attack; \
         draw: strike_silent*8; relics: tingsha, tough_bandages; enemy: gremlin_nob",
        "as: defect; hp 70/75 energy 9; hand: seek, hologram, recycle, rebound, reprogram; draw: zap*6; discard: dualcast; \
         orbs: lightning, frost; enemy: cultist; enemy: cultist",
        "as: watcher; hp 70/72 energy 12; hand: meditate, foreign_influence, omniscience, wish, third_eye; draw: eruption*6; \
         discard: vigilance*2; enemy: cultist",
    ];

    fn asked(spire: &Arc<Spire>, situation: &str, seed: u64) -> Option<Match<Spire>> {
        let setup = spire.situation(situation).unwrap_or_else(|problem| panic!("{situation}: {problem:?}"));
        let mut game: Match<Spire> = Match::new(Arc::clone(spire), setup, seed).expect("opens");
        let mut lots = Lots::new(seed, Stream::named("asked"));
        for _ in 0..12 {
            if game.pending().is_some() {
                return Some(game);
            }
            let input = lots.pick(&game.inputs()).cloned()?;
            game.act(input).expect("listed");
        }
        None
    }

    /// A position with a question that was bent a little is refused, or play goes on from it to somewhere.
    #[test]
    fn bent_questions_are_refused_or_answered() {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
        let (mut taken, mut refused) = (0, 0);
        for seed in 0..60 {
            let Some(game) = asked(&spire, ASKING[seed as usize % ASKING.len()], seed) else { continue };
            let mut lots = Lots::new(seed, Stream::named("bends"));
            for _ in 0..60 {
                let Some(bent) = mutate(game.position(), &mut lots) else { continue };
                let opened: Result<Match<Spire>, _> =
                    Match::from_position(Arc::clone(&spire), game.setup().clone(), 1, bent);
                let Ok(mut opened) = opened else {
                    refused += 1;
                    continue;
                };
                taken += 1;
                for _ in 0..4 {
                    let Some(input) = lots.pick(&opened.inputs()).cloned() else { break };
                    let _: Result<_, _> = opened.act(input);
                }
            }
        }
        assert!(taken > 200 && refused > 200, "{taken} {refused}");
    }

    /// What waits behind a question names what is there, or the position is refused.
    #[test]
    fn what_waits_must_be_about_this_fight() {
        let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound"));
        let game = (0..40).find_map(|seed| asked(&spire, ASKING[0], seed)).expect("something is asked");
        assert!(matches!(game.inputs()[0], Input::Choose(_)));
        let text = serde_json::to_string(game.position()).expect("JSON");
        let admit = |text: &str| {
            let position = serde_json::from_str(text).expect("a position");
            let opened: Result<Match<Spire>, _> =
                Match::from_position(Arc::clone(&spire), game.setup().clone(), 1, position);
            opened.map(drop).map_err(|refusal| refusal.code().to_owned())
        };
        assert_eq!(admit(&text), Ok(()));
        let question = text.find("\"question\"").expect("a question");
        let program =
            question + text[question..].find("\"program\":").expect("by a program") + "\"program\":".len();
        let end = program + text[program..].find(',').expect("a number");
        let forged = format!("{}65000{}", &text[..program], &text[end..]);
        assert_eq!(admit(&forged), Err("BAD_QUESTION".to_owned()));
    }
}
