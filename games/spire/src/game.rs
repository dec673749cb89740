//! The rules on the kernel: which file answers for which effect.

use crate::catalog::compile::{COST_X, Catalog, Id};
use crate::catalog::words::{Moment, Prevent, Spot, Stage as Numbers};
use crate::catalog::{Content, Problem, Sources};
use crate::dice::{Die, Roller, Rolls};
use crate::effect::{
    ANY_PLAY, ANY_RESOLVE, Action, Asked, Ctx, Deed, Effect, Event, Hearer, Origin, Phase, Reply, Source, Way,
};
use crate::eval::Env;
use crate::profile::Profile;
use crate::rules::reasons::Reason;
use crate::run::game::redacted;
use crate::run::rulebook::Rulebook;
use crate::setup::Setup;
use crate::state::{Life, NO_CARD, NOBODY, NONE, PLAYER, Pile, Slot, Stage, State};
use serde::{Deserialize, Serialize};
use turnstone::{
    Expanded, Game, Lane, Limits, Listeners, NoteOf, NotesOf, Outcome, PenOf, Proposals, Rejection, Seat,
    Seen, Settled, Told, Verdict, Viewer, Written,
};

/// Proposals of this game.
pub type Out = Proposals<Effect, Hearer, Reason>;
/// Listener list of this game.
pub type Heard = Listeners<Hearer>;
/// What settling gives.
pub type Settling = Settled<Event, Asked>;

/// Which rules are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruleset {
    /// The original's.
    #[default]
    Classic,
    /// The recorded engine's, with its own content overlay.
    Seed,
}

impl Ruleset {
    /// Its name, which is also that of its overlay.
    pub fn name(self) -> &'static str {
        match self {
            Ruleset::Classic => "classic",
            Ruleset::Seed => "seed",
        }
    }

    /// In what it differs from the original.
    pub fn profile(self) -> Profile {
        match self {
            Ruleset::Classic => Profile::CLASSIC,
            Ruleset::Seed => Profile::RECORDED,
        }
    }
}

/// Entries that the rules themselves know.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Known {
    /// The stance that a fight begins in.
    pub neutral: Id,
}

/// The game: catalog and rules, of fights and of the way between them.
#[derive(Debug)]
pub struct Spire {
    /// All content.
    pub catalog: Catalog,
    /// The same as it was written, for texts.
    pub content: Content,
    /// Which rules.
    pub ruleset: Ruleset,
    /// In what these differ from the original's.
    pub profile: Profile,
    /// Entries the rules know.
    pub known: Known,
    /// A digest of the content.
    pub digest: turnstone::digest::Digest,
    /// What the rules of the way between fights look up.
    pub rulebook: Rulebook,
    /// Several cards taken from the draw pile are played from the last to the first, as the simulator behind the
    /// recorded fights does it.
    pub taken_backwards: bool,
}

impl Spire {
    /// The game with the built-in content.
    ///
    /// # Errors
    /// The problems of the content, of which there are none unless it is being worked on.
    pub fn builtin(ruleset: Ruleset) -> Result<Spire, Vec<Problem>> {
        Spire::new(ruleset, &Sources::builtin(ruleset.name()))
    }

    /// The game with what the simulator behind the recorded fights does otherwise than the original.
    ///
    /// # Errors
    /// The problems of the content, of which there are none unless it is being worked on.
    pub fn simulator() -> Result<Spire, Vec<Problem>> {
        let spire = Spire::new(Ruleset::Classic, &Sources::builtin("simulator"))?;
        Ok(Spire { taken_backwards: true, ..spire })
    }

    /// The game with these files.
    ///
    /// # Errors
    /// Every problem of the content.
    pub fn new(ruleset: Ruleset, sources: &Sources) -> Result<Spire, Vec<Problem>> {
        let content = Content::load(sources)?;
        let catalog = Catalog::new(&content);
        let neutral = catalog.stances.iter().position(|stance| stance.neutral);
        let known = Known { neutral: neutral.unwrap_or(0) as Id };
        let digest = turnstone::digest::digest(&sources.texts());
        let profile = ruleset.profile();
        let rulebook = Rulebook::new(&content, &catalog)?;
        Ok(Spire { catalog, content, ruleset, profile, known, digest, rulebook, taken_backwards: false })
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

    fn check_target(&self, s: &State, aims: bool, target: Option<u8>, name: &str) -> Result<(), Rejection> {
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

    fn check_potion(&self, s: &State, index: u8, target: Option<u8>) -> Result<(), Rejection> {
        let id = self.potion_at(s, index)?;
        let info = &self.catalog.potions[id as usize];
        let ctx = self.potion_ctx(s, id, target.unwrap_or(NOBODY));
        if !self.holds(info.usable, &Env::new(s, ctx)) {
            return Err(Rejection::new("NOT_NOW", format!("{} cannot be used now", info.name)));
        }
        self.check_target(s, info.aims, target, &info.name)
    }

    fn potion_at(&self, s: &State, index: u8) -> Result<Id, Rejection> {
        match s.run.potions.get(index as usize) {
            Some(&id) if id != NONE => Ok(id),
            _ => Err(Rejection::new("NO_POTION", format!("there is no potion in slot {index}"))),
        }
    }

    fn potion_ctx(&self, s: &State, id: Id, target: u8) -> Ctx {
        let source = Source::of(Origin::Potion(id));
        Ctx { owner: PLAYER, other: target, card: NO_CARD, n: self.potency(s, id), event: 0, source }
    }

    #[inline(never)]
    fn expand_now(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
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

    #[inline(always)]
    fn settle_now(&self, s: &State, effect: &Effect) -> Settling {
        let combat = &s.combat;
        if matches!(combat.stage, Stage::Lost | Stage::None)
            && !matches!(effect, Effect::Defeat | Effect::Leave)
        {
            return self.settle_outside(s, effect);
        }
        let event = match *effect {
            Effect::Attack { by, to, amount, base, card, strength, on_kill, flags } => {
                return self.settle_attack(s, by, to, amount, base, card, strength, on_kill, flags);
            }
            Effect::Damage { by, to, amount, kind, orb } => {
                return self.settle_damage(s, by, to, amount, kind, orb);
            }
            Effect::Block { to, amount, card, .. } => return self.settle_block(s, to, amount, card),
            Effect::Apply { by, to, power, amount, stored } => {
                return self.settle_apply(s, by, to, power, amount, stored);
            }
            Effect::Step { program, pc, ctx } => return self.settle_step(s, program, pc, ctx),
            Effect::Draw { amount } => return self.settle_draw(s, amount, false),
            Effect::DrawMore { amount } => return self.settle_draw(s, amount, true),
            Effect::Play { slot, target, x, way, exhaust } => {
                return self.settle_play(s, slot, target, x, way, exhaust);
            }
            Effect::TakeTop { target, exhaust } => return self.settle_take_top(s, target, exhaust),
            Effect::Resolve { slot, target, x } => return self.settle_resolve(s, slot, target, x),
            Effect::Heal { to, amount } => return self.settle_heal(s, to, amount),
            Effect::Moment { moment, owner, other, card, number } => {
                Event::Moment { moment, owner, other, card, number }
            }
            Effect::Energy { amount } => Event::EnergyChanged { amount: amount.max(-combat.energy) },
            Effect::TurnStarted => return self.settle_turn_started(s),
            Effect::MonstersStarted => Event::MonstersStarted { left: self.blocks_left(s) },
            Effect::Act { who } => match combat.body(who) {
                Some(body) if matches!(body.life, Life::Alive | Life::HalfDead) => {
                    Event::Acted { who, kind: body.kind, mv: body.intent }
                }
                _ => return Settled::Stale,
            },
            Effect::Choose { who } => return self.settle_choose(s, who),
            Effect::ChooseAgain { who } => return self.settle_choose_again(s, who),
            Effect::KeepHand => return self.settle_hand_kept(s),
            Effect::CloseTurn if combat.stage == Stage::Player => {
                Event::TurnEnding { skip: combat.skip_enemies }
            }
            Effect::Counter { relic, amount } => return self.settle_counter(s, relic, amount),
            Effect::Shuffle => return self.settle_shuffle(s, true),
            Effect::Discard { slot, effect } => return self.settle_discard(s, slot, effect),
            Effect::Exhaust { slot, played } => return self.settle_exhaust(s, slot, played),
            _ => return self.settle_more(s, effect),
        };
        Settled::Event(event)
    }

    /// Outside of fights only what is of the run happens.
    #[cold]
    fn settle_outside(&self, s: &State, effect: &Effect) -> Settling {
        match effect {
            Effect::Run(effect) => self.settle_run(s, effect),
            _ => Settled::Stale,
        }
    }

    #[inline(always)]
    fn settle_more(&self, s: &State, effect: &Effect) -> Settling {
        let combat = &s.combat;
        let event = match *effect {
            Effect::Reduce { to, power, by } => return self.settle_reduce(s, to, power, by),
            Effect::Store { to, power, amount } => match combat.body(to).and_then(|body| body.power(power)) {
                Some(_) => Event::Stored { to, power, amount },
                None => return Settled::Stale,
            },
            Effect::StoreOrb { index, amount } if (index as usize) < combat.orbs.len() => {
                Event::OrbStored { index, amount }
            }
            Effect::SetHp { to, amount } => match combat.body(to) {
                Some(body) if body.life == Life::Alive || body.life == Life::HalfDead && amount == 0 => {
                    Event::HpSet { to, hp: amount.clamp(0, body.max_hp.max(0)) }
                }
                _ => return Settled::Stale,
            },
            Effect::MaxHp { amount } => Event::MaxHpChanged { amount },
            Effect::ClearBlock { to } if combat.living(to).is_some_and(|body| body.block > 0) => {
                Event::BlockCleared { to, left: 0 }
            }
            Effect::Cleanse { to } => return self.settle_cleanse(s, to),
            Effect::ShuffleDraw => return self.settle_shuffle(s, false),
            Effect::OfferDone => Event::OfferClosed,
            Effect::Put { slot, spot } => return self.settle_put(s, slot, spot),
            Effect::Create { card, up, spot, cost, combat_cost, kept } => {
                let (spot, place, rolls) = self.made_at(s, spot);
                let up = self.created_up(s, card, up);
                Event::Created { card, up, spot, cost, combat_cost, kept, place, rolls }
            }
            Effect::CreateCopy { of, spot } if (of as usize) < combat.cards.len() => {
                let (spot, place, rolls) = self.made_at(s, spot);
                let crate::state::Card { id, up, .. } = combat.cards[of as usize];
                Event::Copied { of, up: self.created_up(s, id, up), spot, place, rolls }
            }
            Effect::Conjure { program, pc, ctx } => return self.settle_conjure(s, program, pc, ctx),
            Effect::Upgrade { slot } => match combat.cards.get(slot as usize) {
                Some(card) if self.upgradable(card) => self.upgraded(slot, card),
                _ => return Settled::Stale,
            },
            Effect::Price { slot, price, way } => return self.settle_price(s, slot, price, way),
            Effect::Grow { slot, by, all, permanent } if (slot as usize) < combat.cards.len() => {
                self.grown(s, slot, by, all, permanent)
            }
            Effect::Retain { slot } if (slot as usize) < combat.cards.len() => Event::Retained { slot },
            Effect::Keep { slot } if (slot as usize) < combat.cards.len() => Event::Kept { slot },
            Effect::TurnCards => Event::TurnCardsReset,
            Effect::ReturnLimbo => return self.settle_limbo(s),
            _ => return self.settle_rest(s, effect),
        };
        Settled::Event(event)
    }

    #[inline(always)]
    fn settle_rest(&self, s: &State, effect: &Effect) -> Settling {
        let combat = &s.combat;
        let event = match *effect {
            Effect::Channel { .. } | Effect::ChannelRandom | Effect::ChannelLast => {
                return self.settle_channel(s, effect);
            }
            Effect::Evoke { times } => return self.settle_evoke(s, true, times == 0),
            Effect::EvokeKept => return self.settle_evoke(s, false, false),
            Effect::Passive { index } if (index as usize) < combat.orbs.len() => {
                Event::PassiveFired { index }
            }
            Effect::Slots { amount } => return self.settle_slots(s, amount),
            Effect::Stance { to } if to != combat.stance => Event::StanceChanged { from: combat.stance, to },
            Effect::EndTurn { skip } => Event::EndMarked { skip },
            Effect::Gold { amount } => Event::GoldChanged { amount },
            Effect::Potion => return self.settle_potion(s, s.run.potions.contains(&NONE)),
            Effect::LosePotion => return self.settle_potion(s, false),
            Effect::UsePotion { index, target } => match self.potion_at(s, index) {
                Ok(potion) => Event::PotionUsed { index, potion, target },
                Err(_) => return Settled::Stale,
            },
            Effect::DropPotion { index } => match self.potion_at(s, index) {
                Ok(potion) => Event::PotionTossed { index, potion },
                Err(_) => return Settled::Stale,
            },
            Effect::SetMove { who, mv } => match combat.body(who) {
                Some(body) if matches!(body.life, Life::Alive | Life::HalfDead) => {
                    Event::Intended { who, kind: body.kind, mv, rolls: Rolls::NONE }
                }
                _ => return Settled::Stale,
            },
            Effect::Spawn { kind, x, hp, minion, by } => {
                return self.settle_spawn(s, kind, x, hp, minion, by);
            }
            Effect::SpawnAny { program, pc, x, by } => return self.settle_spawn_any(s, program, pc, x, by),
            Effect::Speak { .. } => return self.settle_wasted(s, Die::Ai, 1),
            Effect::Search { found } => return self.settle_wasted_search(s, found),
            Effect::ConjureAll { program, pc, ctx } => return self.settle_conjure_all(s, program, pc, ctx),
            Effect::Aim { exhaust, late } => return self.settle_aim(s, exhaust, late),
            Effect::Escape { who } if who != PLAYER && combat.living(who).is_some() => Event::Escaped { who },
            Effect::Find { card } => Event::Found { card },
            Effect::Obtain { slot } if (slot as usize) < combat.cards.len() => Event::Obtained { slot },
            Effect::Strip { to } if combat.body(to).is_some() => Event::Stripped { to },
            Effect::HalfDie { who } if who != PLAYER => Event::HalfDied { who },
            Effect::Revive { who, percent } => match combat.body(who) {
                Some(body) if body.life != Life::Dead => {
                    let hp = (i32::from(body.max_hp) * i32::from(percent) / 100)
                        .clamp(1, i32::from(body.max_hp).max(1));
                    Event::Revived { who, hp: hp as i16 }
                }
                _ => return Settled::Stale,
            },
            Effect::Var { who, var, amount } if combat.body(who).is_some() => {
                Event::VarSet { who, var, amount }
            }
            Effect::Steal { who, amount } => {
                Event::Stole { who, amount: i32::from(amount).min(s.run.gold) as i16 }
            }
            Effect::TakeCard { who } => {
                let mut roller = Roller::new(s);
                let Some(slot) = self.taken_card(s, &mut roller) else { return Settled::Stale };
                Event::CardTaken { who, slot, rolls: roller.drawn() }
            }
            Effect::ReturnCard { who } => match self.taken_by(s, who) {
                Some(slot) => Event::CardReturned { who, slot, spot: self.room(s, Spot::Hand) },
                None => return Settled::Stale,
            },
            Effect::Face { who } => return self.settle_face(s, who),
            Effect::Death { who, by, card, on_kill, any } => {
                return self.settle_death(s, who, by, card, on_kill, any);
            }
            Effect::Spared { who } => Event::Spared { who },
            Effect::Forget { who } if combat.body(who).is_some() => Event::Forgot { who },
            Effect::Decay { when, player, monsters } => Event::Decayed { when, player, monsters },
            Effect::TurnMarked => Event::TurnMarked,
            Effect::TurnHurt => Event::TurnHurt,
            Effect::RoundBlock => Event::RoundBlock { left: self.blocks_left(s) },
            Effect::EnemyStarted { who } => return self.settle_enemy_started(s, who),
            Effect::Begin => Event::Began,
            Effect::Leave => Event::Left,
            Effect::ResetAttackCount => Event::AttackCountReset,
            Effect::Victory => Event::Won,
            Effect::Defeat => Event::Lost,
            Effect::Flee => Event::Fled,
            Effect::Run(ref effect) => return self.settle_run(s, effect),
            // Settled above, stands for others, or makes no sense now: every effect stands here, so that a new one is
            // not forgotten.
            Effect::Phase(_)
            | Effect::Step { .. }
            | Effect::Clean { .. }
            | Effect::Draw { .. }
            | Effect::DrawMore { .. }
            | Effect::QueueDraw { .. }
            | Effect::QueuePassives { .. }
            | Effect::QueueClean { .. }
            | Effect::QueueDecay { .. }
            | Effect::QueueRun { .. }
            | Effect::Passives { .. }
            | Effect::PutShuffled { .. }
            | Effect::PlayTop { .. }
            | Effect::TakeTop { .. }
            | Effect::PlayTaken
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
            | Effect::Passive { .. }
            | Effect::Stance { .. }
            | Effect::CloseTurn
            | Effect::Choose { .. }
            | Effect::ChooseAgain { .. }
            | Effect::Act { .. }
            | Effect::Escape { .. }
            | Effect::HalfDie { .. }
            | Effect::Strip { .. }
            | Effect::Var { .. }
            | Effect::Forget { .. }
            | Effect::TurnStarted
            | Effect::MonstersStarted
            | Effect::ReturnLimbo => return Settled::Stale,
        };
        Settled::Event(event)
    }

    /// A relic counts.
    #[inline]
    pub(crate) fn settle_counter(&self, s: &State, place: u8, amount: i16) -> Settling {
        match s.run.relics.get(place as usize) {
            Some(held) => Settled::Event(Event::Counted { place, relic: held.id, amount }),
            None => Settled::Stale,
        }
    }

    /// A random potion of the character's.
    fn settle_potion(&self, s: &State, room: bool) -> Settling {
        if !room && s.run.dice.is_none() {
            return Settled::Stale;
        }
        let mut roller = Roller::new(s);
        let Some(potion) = self.roll_potion(s, &mut roller) else { return Settled::Stale };
        let rolls = roller.drawn();
        // Rolled for a slot that is full: it is lost.
        Settled::Event(if room { Event::PotionGained { potion, rolls } } else { Event::Spoke { rolls } })
    }

    /// First how rare it is, then a potion that is so. The original draws until one fits and throws the first
    /// one away whatever it is.
    fn roll_potion(&self, s: &State, roller: &mut Roller<'_>) -> Option<Id> {
        use crate::catalog::words::Rarity;
        let rarity = match roller.percent(Die::Potion) {
            0..65 => Rarity::Common,
            65..90 => Rarity::Uncommon,
            _ => Rarity::Rare,
        };
        let all = self.potion_pool(s);
        let fits = |id: &Id| {
            let info = &self.catalog.potions[*id as usize];
            !info.unbrewed && info.rarity == rarity
        };
        if roller.original() && all.iter().any(fits) {
            roller.waste(Die::Potion);
            // Bounded only so that no content can make it endless.
            return (0..250).map(|_| all[roller.index(Die::Potion, all.len())]).find(fits);
        }
        let brewed = |id: &Id| !self.catalog.potions[*id as usize].unbrewed;
        let mut open: Vec<Id> = all.iter().copied().filter(fits).collect();
        if open.is_empty() {
            open = all.into_iter().filter(brewed).collect();
        }
        (!open.is_empty()).then(|| open[roller.index(Die::Potion, open.len())])
    }

    /// The potions of the character and those of all, in the order in which they are rolled.
    fn potion_pool(&self, s: &State) -> Vec<Id> {
        use crate::catalog::words::Color;
        let color = self.catalog.characters.get(s.run.character as usize).map(|character| character.color);
        let mine = |&id: &Id| {
            let info = &self.catalog.potions[id as usize];
            info.color == Color::SHARED || Some(info.color) == color
        };
        match s.run.dice {
            Some(_) => self.catalog.potion_order.iter().copied().filter(mine).collect(),
            None => (0..self.catalog.potions.len() as Id).filter(mine).collect(),
        }
    }

    pub(crate) fn follow_now(&self, s: &State, event: &Event, out: &mut Out) {
        match *event {
            Event::Hit { .. } => self.follow_hit(s, event, out),
            Event::HpSet { to, hp: 0 } => {
                out.first(Effect::Death { who: to, by: PLAYER, card: NO_CARD, on_kill: 0, any: false });
            }
            Event::MaxHpChanged { amount } if amount > 0 => {
                out.first(Effect::Heal { to: PLAYER, amount });
            }
            Event::Played { slot, target, x, way, .. } => self.follow_played(s, slot, target, x, way, out),
            Event::Ran { slot, target, x } => self.follow_ran(s, slot, target, x, out),
            Event::Selected(ref selected) => {
                self.follow_selected(s, selected.program, selected.pc, selected.ctx, out);
            }
            Event::Offered(ref offered) => {
                self.follow_offered(s, offered.program, offered.pc, offered.ctx, out);
            }
            Event::Found { .. } => {
                out.first(Effect::Obtain { slot: (s.combat.cards.len() - 1) as Slot });
            }
            Event::Evoked { silent, .. } => self.follow_evoked(s, silent, out),
            Event::PassiveFired { index } => self.follow_passive(s, index, out),
            Event::StanceChanged { from, to } if self.profile.stance_steps_first => {
                self.follow_stance(s, from, to, out);
            }
            Event::HandKept { .. } => self.follow_hand_kept(s, out),
            Event::Acted { who, .. } => self.follow_acted(s, who, out),
            Event::Spawned { kind, .. } => self.follow_spawned(s, kind, out),
            Event::Died { .. } => {
                self.follow_died(s, event, out);
                self.decide(s, out);
            }
            Event::Escaped { .. } => self.decide(s, out),
            Event::TurnEnding { .. } => self.follow_turn_ending(s, out),
            // Who waits already is followed by this one.
            Event::Taken { .. } if s.combat.taken.len() == 1 => {
                out.agenda(Effect::PlayTaken);
            }
            Event::Conjured { card, up, spot, cost, combat_cost, .. } => {
                out.last(Effect::Create { card, up, spot, cost, combat_cost, kept: 0 });
            }
            Event::Aimed { target, exhaust, late: false, .. } => {
                out.first(Effect::TakeTop { target, exhaust });
            }
            Event::Aimed { target, exhaust, late: true, .. } => {
                out.last(Effect::TakeTop { target, exhaust });
            }
            Event::EndMarked { .. } => {
                out.withdraw(ANY_PLAY);
                out.withdraw(Effect::PlayTaken);
                out.withdraw(ANY_RESOLVE);
                self.put_taken_away(s, out);
            }
            Event::TurnStarted { .. } => self.follow_turn_started(s, out),
            Event::Drew { .. } => self.follow_drew(s, event, out),
            Event::PotionUsed { target, .. } => self.follow_potion(s, target, out),
            Event::Began => {
                out.agenda(Effect::Phase(Phase::Prepare));
            }
            Event::Lost | Event::Fled => out.withdraw_all(),
            Event::Run(ref event) => self.follow_run(s, event, out),
            // Nothing follows by itself.
            Event::Moment { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Shuffled { .. }
            | Event::Discarded { .. }
            | Event::Exhausted { .. }
            | Event::Kept { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Channeled { .. }
            | Event::HalfDied { .. }
            | Event::Obtained { .. }
            | Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::Counted { .. }
            | Event::EnergyChanged { .. }
            | Event::DrawShuffled { .. }
            | Event::OfferClosed
            | Event::Moved { .. }
            | Event::Upgraded { .. }
            | Event::DeckUpgraded { .. }
            | Event::Priced { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Taken { .. }
            | Event::SlotsChanged { .. }
            | Event::GoldChanged { .. }
            | Event::PotionGained { .. }
            | Event::PotionTossed { .. }
            | Event::Intended { .. }
            | Event::Spoke { .. }
            | Event::Stripped { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardTaken { .. }
            | Event::CardReturned { .. }
            | Event::Faced { .. }
            | Event::Forgot { .. }
            | Event::Spared { .. }
            | Event::Decayed { .. }
            | Event::RoundBlock { .. }
            | Event::EnemyStarted { .. }
            | Event::MonstersStarted { .. }
            | Event::TurnCardsReset
            | Event::TurnMarked
            | Event::TurnHurt
            | Event::Left
            | Event::AttackCountReset
            | Event::Won
            | Event::LimboReturned { .. } => {}
        }
    }

    /// A turn ends when nothing waits, so that the first phase of its end need not wait for that.
    #[inline]
    pub(crate) fn follow_turn_ending(&self, s: &State, out: &mut Out) {
        if self.profile.phases_drained {
            out.agenda(Effect::Phase(Phase::EndRelics));
        } else {
            self.expand_phase(s, Phase::EndRelics, out);
        }
    }

    /// Energy was refilled.
    #[inline]
    pub(crate) fn follow_turn_started(&self, s: &State, out: &mut Out) {
        if !self.profile.phases_drained {
            self.moment_if(s, Moment::EnergyRefilled, PLAYER, NOBODY, NO_CARD, 0, out);
        }
    }

    /// What could not be drawn is drawn after a shuffle.
    #[inline(always)]
    pub(crate) fn follow_drew(&self, s: &State, event: &Event, out: &mut Out) {
        if let Event::Drew { left, .. } = *event {
            self.draw_the_rest(s, left, out);
        }
    }

    /// So many are still to be drawn.
    #[inline(always)]
    pub(crate) fn draw_the_rest(&self, s: &State, left: u8, out: &mut Out) {
        if left == 0 {
            return;
        }
        // The original shuffles even if there is nothing to shuffle.
        if s.run.dice.is_some() {
            out.first(Effect::Shuffle);
        }
        out.first(Effect::DrawMore { amount: i16::from(left) });
    }

    fn follow_potion(&self, s: &State, target: u8, out: &mut Out) {
        // The slot is empty by now: which potion it was is kept until the steps are queued.
        let id = s.combat.potion;
        let program = self.catalog.potions[id as usize].program;
        if target != NOBODY {
            self.moment_if(s, Moment::TargetChosen, PLAYER, target, NO_CARD, 0, out);
        }
        self.propose(s, program, self.potion_ctx(s, id, target), Lane::Last, out);
    }

    #[inline(never)]
    fn legal_in_fight(&self, s: &State, out: &mut Vec<Deed>) {
        self.each_action(s, &mut |action| out.push(Deed::Fight(action)));
        if self.drags_on(s) {
            out.push(Deed::Run(crate::run::effect::Action::GiveUp));
        }
    }

    /// Visits every allowed action.
    #[inline]
    pub(crate) fn each_action<F: FnMut(Action) + ?Sized>(&self, s: &State, add: &mut F) {
        match s.combat.stage {
            Stage::Ready => add(Action::Begin),
            Stage::Player => {
                let stages = self.stages(s, PLAYER);
                let limited = stages >> Numbers::CardLimit as u32 & 1 != 0;
                if !limited || self.cards_left(s) {
                    self.each_play(s, stages >> Numbers::CardCost as u32 & 1 != 0, add);
                }
                if s.run.potions.iter().any(|&potion| potion != NONE) {
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

    #[inline(never)]
    fn each_potion<F: FnMut(Action) + ?Sized>(&self, s: &State, add: &mut F) {
        for (index, &id) in s.run.potions.iter().enumerate() {
            if id == NONE {
                continue;
            }
            let index = index as u8;
            let info = &self.catalog.potions[id as usize];
            self.legal_targets(s, info.aims, |target| {
                let ctx = self.potion_ctx(s, id, target.unwrap_or(NOBODY));
                if info.usable.is_none() || self.holds(info.usable, &Env::new(s, ctx)) {
                    add(Action::Potion { index, target });
                }
            });
            add(Action::Toss { index });
        }
    }

    fn legal_targets(&self, s: &State, aims: bool, mut add: impl FnMut(Option<u8>)) {
        if aims {
            s.combat.enemies().for_each(|who| add(Some(who)));
        } else {
            add(None);
        }
    }
}

/// A card at each enemy in turn.
#[inline(never)]
fn each_target<F: FnMut(Action) + ?Sized>(s: &State, card: Slot, add: &mut F) {
    s.combat.enemies().for_each(|who| add(Action::Play { card, target: Some(who) }));
}

/// A card is played by the player.
#[inline]
fn played_from_hand(slot: Slot, target: Option<u8>) -> Effect {
    Effect::Play { slot, target: target.unwrap_or(NOBODY), x: i16::MIN, way: Way::Hand, exhaust: false }
}

fn queue(out: &mut Out, effect: Effect) -> Expanded<Effect> {
    out.last(effect);
    Expanded::Into
}

impl Spire {
    fn check_fight(&self, s: &State, action: Action) -> Result<(), Rejection> {
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

    #[inline(never)]
    fn open_fight(&self, s: &State, action: Action, out: &mut Out) {
        if action == Action::Leave && s.combat.stage == Stage::Won {
            self.call(s, Moment::VictoryFirst, PLAYER, out);
            self.call(s, Moment::Victory, PLAYER, out);
        }
        match action {
            Action::Play { card, target } => out.first(played_from_hand(card, target)),
            Action::EndTurn => out.first(Effect::CloseTurn),
            Action::Leave => out.first(Effect::Leave),
            Action::Begin => out.first(Effect::Begin),
            Action::Potion { index, target } => {
                out.first(Effect::UsePotion { index, target: target.unwrap_or(NOBODY) })
            }
            Action::Toss { index } => out.first(Effect::DropPotion { index }),
        };
    }

    /// In a lost fight nothing happens any more, except that it is left, and what the run makes of it.
    #[cold]
    fn expand_after_defeat(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        match effect {
            Effect::Leave => Expanded::Keep,
            Effect::Run(effect) => self.expand_run(s, effect, out),
            _ => Expanded::Nothing,
        }
    }

    /// Whether the player is on turn with cards in his hand, and nothing comes of itself.
    #[inline]
    fn simply_waits(&self, s: &State) -> bool {
        let combat = &s.combat;
        combat.stage == Stage::Player
            && !combat.decided
            && !combat.ending
            && !combat.hand.is_empty()
            && !self.profile.defeat_when_idle
    }

    /// What comes of itself when nothing waits.
    #[inline(never)]
    fn go_on(&self, s: &State, out: &mut Out) {
        if !self.in_fight(s) {
            return self.journey().idle(s, out);
        }
        self.idle_fight(s, out);
        if out.is_empty() && !s.tower.is_nowhere() && s.ending().is_some() {
            out.last(Effect::Run(crate::run::effect::Effect::EndFight));
        }
    }

    fn idle_fight(&self, s: &State, out: &mut Out) {
        let combat = &s.combat;
        if !matches!(combat.stage, Stage::Player | Stage::Enemies) {
            return;
        }
        if self.profile.defeat_when_idle && combat.player().hp <= 0 && !combat.decided {
            out.last(Effect::Defeat);
            return;
        }
        if combat.decided {
            if !self.profile.victory_unheard {
                self.call(s, Moment::VictoryFirst, PLAYER, out);
                self.call(s, Moment::Victory, PLAYER, out);
            }
            out.last(Effect::Victory);
            return;
        }
        if combat.stage == Stage::Player {
            if combat.ending {
                out.last(Effect::CloseTurn);
            } else if combat.hand.is_empty() && combat.moments >> Moment::QueueIdle as u32 & 1 != 0 {
                self.idle_draw(s, out);
            }
        }
    }
}

impl Game for Spire {
    type Setup = Setup;
    type State = State;
    type Action = Deed;
    type Effect = Effect;
    type Event = Event;
    type Listener = Hearer;
    type Question = Asked;
    type Answer = Reply;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        let one = |text: &str| Err(Rejection::new("BAD_SETUP", text));
        self.rulebook.tables.check_ascension(setup.ascension)?;
        if setup.fight.is_none() && setup.state.is_none() {
            return self.start_run(setup, seed);
        }
        if setup.map.is_some() {
            return one("a single fight has no map; choose one of the two");
        }
        if setup.begin.is_some() {
            return one("a single fight begins at its beginning");
        }
        let mut state = match (&setup.fight, &setup.state) {
            (Some(fight), None) => self.set_up(fight, seed)?,
            (None, Some(state)) => self.opened(state, seed)?,
            _ => return one("a fight, or a position of one; choose one of the two"),
        };
        self.take_modifiers(&mut state.run, setup, seed)?;
        Ok(state)
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        self.validate_state(state)
    }

    fn validate_waiting(
        &self,
        s: &State,
        (_, asked): (Seat, &Asked),
        waiting: &[&Effect],
    ) -> Result<(), Rejection> {
        if self.can_be_asked(s, asked) && waiting.iter().all(|effect| self.can_wait(s, effect)) {
            return Ok(());
        }
        Err(Rejection::new("BAD_QUESTION", "what waits in this position is not about what is there"))
    }

    fn check(&self, s: &State, deed: &Deed) -> Result<(), Rejection> {
        match *deed {
            Deed::Fight(action) if self.in_fight(s) => self.check_fight(s, action),
            Deed::Fight(_) => Err(Rejection::new("NO_FIGHT", "there is no fight now")),
            Deed::Run(action) => self.check_run(s, action),
        }
    }

    #[inline]
    fn open(&self, s: &State, deed: &Deed, out: &mut Out) {
        match deed {
            Deed::Fight(Action::Play { card, target }) => {
                out.first(played_from_hand(*card, *target));
            }
            Deed::Fight(action) => self.open_fight(s, *action, out),
            Deed::Run(action) => self.journey().open_action(s, *action, out),
        }
    }

    fn fits(&self, s: &State, event: &Event) -> bool {
        self.has_all_of(s, event)
    }

    #[inline(always)]
    fn express(&self, s: PenOf<'_, Self>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        // What always stands for others has no short way, which is seen before anything is called.
        if effect.only_queues() { None } else { self.express_now(s, effect, out) }
    }

    /// Whatever phase, play or run of a card is withdrawn, all of its kind are.
    fn withdraws(&self, like: &Effect, waiting: &Effect) -> bool {
        std::mem::discriminant(like) == std::mem::discriminant(waiting)
    }

    #[inline]
    fn expand(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        if s.combat.stage == Stage::Lost {
            return self.expand_after_defeat(s, effect, out);
        }
        if let Effect::Phase(phase) = *effect {
            return self.expand_phase(s, phase, out);
        }
        // Most effects stand for themselves: that is one test, not a jump.
        if let Effect::Run(_)
        | Effect::Step { .. }
        | Effect::Clean { .. }
        | Effect::Draw { .. }
        | Effect::DrawMore { .. }
        | Effect::QueueDraw { .. }
        | Effect::QueuePassives { .. }
        | Effect::QueueClean { .. }
        | Effect::QueueDecay { .. }
        | Effect::QueueRun { .. }
        | Effect::Passives { .. }
        | Effect::PutShuffled { .. }
        | Effect::Channel { .. }
        | Effect::ChannelRandom
        | Effect::ChannelLast
        | Effect::Evoke { .. }
        | Effect::PlayTop { .. }
        | Effect::TakeTop { .. }
        | Effect::PlayTaken = effect
        {
            return self.expand_now(s, effect, out);
        }
        Expanded::Keep
    }

    #[inline]
    fn before_listeners(&self, s: &State, effect: &Effect, heard: &mut Heard) {
        if let Effect::Run(_)
        | Effect::Apply { .. }
        | Effect::Draw { .. }
        | Effect::DrawMore { .. }
        | Effect::Stance { .. }
        | Effect::Gold { .. }
        | Effect::Potion
        | Effect::Obtain { .. }
        | Effect::Death { .. } = effect
        {
            self.hear_before(s, effect, heard);
        }
    }

    fn before(&self, hearer: Hearer, s: &State, effect: &mut Effect, out: &mut Out) -> Verdict {
        match hearer {
            Hearer::Fight(listener) => self.prevent(listener, s, effect, out),
            Hearer::Run(relic) => self.before_run(relic, s, effect, out),
        }
    }

    #[inline]
    fn settle(&self, s: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settling {
        let settled = self.settle_now(s, effect);
        if notes.are_wanted()
            && let Settled::Event(event) = &settled
        {
            self.reasons(s, effect, event, notes);
        }
        settled
    }

    #[inline]
    fn apply(&self, s: &mut State, event: &Event) {
        self.write(s, event);
    }

    #[inline]
    fn follow(&self, s: &State, event: &Event, out: &mut Out) {
        self.follow_now(s, event, out);
    }

    // A look at a table for most facts: as a call it was felt.
    #[inline(always)]
    fn after_listeners(&self, s: &State, event: &Event, heard: &mut Heard) {
        if self.heard(s, event) {
            self.hear(s, event, heard);
        } else {
            debug_assert!(self.nobody_hears(s, event), "no sound is known of {event:?}");
        }
    }

    fn after(&self, hearer: Hearer, s: &State, event: &Event, out: &mut Out) {
        match hearer {
            Hearer::Fight(listener) => self.react(listener, s, event, out),
            Hearer::Run(relic) => self.after_run(relic, s, event, out),
        }
    }

    #[inline]
    fn idle(&self, s: &State, out: &mut Out) {
        if !(self.in_fight(s) && self.simply_waits(s)) {
            self.go_on(s, out);
        }
    }

    fn tell_listener(&self, s: &State, hearer: Hearer) -> String {
        match hearer {
            Hearer::Fight(listener) => self.tell_listener_of(s, listener),
            Hearer::Run(relic) => self.journey().relic_name(relic),
        }
    }

    fn legal(&self, s: &State, out: &mut Vec<Deed>) {
        if self.in_fight(s) { self.legal_in_fight(s, out) } else { self.legal_in_run(s, out) }
    }

    fn canonical(&self, _state: &State, deed: &Deed) -> Option<Deed> {
        match deed {
            Deed::Run(crate::run::effect::Action::Operator(_)) => None,
            Deed::Run(_) | Deed::Fight(_) => Some(*deed),
        }
    }

    fn answers(&self, s: &State, question: &Asked, out: &mut Vec<Reply>) {
        match question {
            Asked::Run(question) => {
                out.extend(self.journey().answers(s, *question).into_iter().map(Reply::Run));
            }
            Asked::Fight(question) => {
                self.offered_answers(s, question, |answer| out.push(Reply::Fight(answer)));
            }
        }
    }

    fn apply_answer(&self, s: &mut State, question: &Asked, reply: &Reply) {
        match (question, reply) {
            (Asked::Run(_), Reply::Run(answer)) => self.journey().apply_answer(s, *answer),
            (Asked::Fight(question), Reply::Fight(answer)) => self.write_answer(s, question, answer),
            // The kernel takes none but those that were offered.
            (Asked::Run(_), Reply::Fight(_)) | (Asked::Fight(_), Reply::Run(_)) => {}
        }
    }

    fn actor(&self, s: &State) -> Option<Seat> {
        let going_on = match s.tower.is_nowhere() {
            true => matches!(s.combat.stage, Stage::Ready | Stage::Player | Stage::Enemies),
            false => s.tower.end.is_none(),
        };
        going_on.then_some(0)
    }

    fn outcome(&self, s: &State) -> Option<Outcome> {
        self.outcome_of(s)
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }
}

impl Seen for Spire {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    /// What is hidden is to come: whatever was on its way lay open.
    fn hears_of(&self, _state: &State, _effect: &Self::Effect, _viewer: Viewer) -> bool {
        true
    }

    fn view(&self, s: &State, viewer: Viewer) -> serde_json::Value {
        self.view_of(s, viewer)
    }

    fn redact(&self, _before: &State, after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        match event {
            Event::Run(event) => Some(redacted(event, viewer).into()),
            event => self.redacted(after, event, viewer),
        }
    }
}

impl Told for Spire {
    fn tell(&self, s: &State, event: &Event, reasons: &[&NoteOf<Self>]) -> String {
        match event {
            Event::Run(event) => self.journey().tell(s, event),
            event => self.tell_event(s, event, reasons),
        }
    }

    fn is_quiet(&self, event: &Event) -> bool {
        match event {
            Event::Run(event) => self.journey().is_quiet(event),
            event => crate::tell::is_quiet(event),
        }
    }

    /// A copy of a card whose target is gone.
    fn is_missed(&self, effect: &Effect) -> bool {
        matches!(effect, Effect::Play { way: Way::Copy, .. })
    }

    fn tell_effect(&self, s: &State, effect: &Effect) -> String {
        match effect {
            Effect::Run(effect) => self.journey().tell_effect(s, effect),
            effect => self.tell_effect_of(s, effect),
        }
    }

    fn tell_note(&self, s: &State, note: &NoteOf<Self>) -> String {
        self.tell_reason(s, note)
    }

    fn tell_action(&self, s: &State, deed: &Deed) -> String {
        match deed {
            Deed::Run(action) => self.journey().tell_action(s, *action),
            Deed::Fight(action) => self.tell_action_of(s, action),
        }
    }

    fn tell_question(&self, s: &State, question: &Asked) -> String {
        match question {
            Asked::Run(question) => self.journey().tell_question(*question),
            Asked::Fight(question) => self.tell_question_of(s, question),
        }
    }

    fn tell_answer(&self, s: &State, question: &Asked, reply: &Reply) -> String {
        match (question, reply) {
            (Asked::Run(question), Reply::Run(answer)) => self.journey().tell_answer(s, *question, *answer),
            (Asked::Fight(question), Reply::Fight(answer)) => self.tell_answer_of(s, question, answer),
            (Asked::Run(_), Reply::Fight(_)) | (Asked::Fight(_), Reply::Run(_)) => {
                "an answer to another question".into()
            }
        }
    }
}

impl Spire {
    /// The card that somebody has taken, if nothing else has brought it back since.
    fn taken_by(&self, s: &State, who: u8) -> Option<Slot> {
        let held = s.combat.body(who)?.held;
        s.combat.cards.get(usize::from(held)).filter(|card| card.pile == Pile::Gone).map(|_| held)
    }

    /// Unceasing Top and its like: only if there is something to draw.
    pub(crate) fn idle_draw(&self, s: &State, out: &mut Out) {
        let combat = &s.combat;
        let nothing = combat.draw.is_empty() && combat.discard.is_empty();
        let barred = self.stops(s, PLAYER, Prevent::Draw).iter().any(|(_, stop, _)| stop.when.is_none());
        if !nothing && !barred {
            self.call(s, Moment::QueueIdle, PLAYER, out);
        }
    }

    /// The cost of an X card on display.
    pub fn is_x(cost: i8) -> bool {
        cost == COST_X
    }
}
