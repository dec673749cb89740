//! What an effect comes to: a table of contents. Every effect stands in it once, so that a new one is not forgotten, and
//! what is more than a line is answered in the file of its mechanic.

use crate::catalog::words::Spot;
use crate::dice::{Die, Roller, Rolls};
use crate::effect::Effect;
use crate::event::Event;
use crate::game::{Settling, Spire};
use crate::state::{Life, NONE, PLAYER, Pile, Slot, Stage, State};
use turnstone::Settled;

impl Spire {
    #[inline(always)]
    pub(crate) fn settle_now(&self, s: &State, effect: &Effect) -> Settling {
        let combat = &s.combat;
        if matches!(combat.stage, Stage::Lost | Stage::None)
            && !matches!(effect, Effect::Defeat | Effect::Leave)
        {
            return self.settle_outside(s, effect);
        }
        let card = |slot: Slot| (slot as usize) < combat.cards.len();
        let body = |who: u8| combat.body(who).is_some();
        match *effect {
            // Hits, block and hit points.
            Effect::Attack { by, to, amount, base, card, strength, on_kill, flags } => {
                self.settle_attack(s, by, to, amount, base, card, strength, on_kill, flags)
            }
            Effect::Damage { by, to, amount, kind, orb } => self.settle_damage(s, by, to, amount, kind, orb),
            Effect::Block { to, amount, card, .. } => self.settle_block(s, to, amount, card),
            Effect::ClearBlock { to } => {
                let blocked = combat.living(to).is_some_and(|body| body.block > 0);
                only_if(blocked, Event::BlockCleared { to, left: 0 })
            }
            Effect::RoundBlock => fact(Event::RoundBlock { left: self.blocks_left(s) }),
            Effect::Heal { to, amount } => self.settle_heal(s, to, amount),
            Effect::SetHp { to, amount } => self.settle_hp(s, to, amount),
            Effect::MaxHp { amount } => fact(Event::MaxHpChanged { amount }),
            Effect::Spared { who } => fact(Event::Spared { who }),
            Effect::Death { who, by, card, on_kill, any } => {
                self.settle_death(s, who, by, card, on_kill, any)
            }
            // Powers.
            Effect::Apply { by, to, power, amount, stored } => {
                self.settle_apply(s, by, to, power, amount, stored)
            }
            Effect::Reduce { to, power, by } => self.settle_reduce(s, to, power, by),
            Effect::Cleanse { to } => self.settle_cleanse(s, to),
            Effect::Strip { to } => only_if(body(to), Event::Stripped { to }),
            Effect::Store { to, power, amount } => {
                let held = combat.body(to).and_then(|body| body.power(power));
                only_if(held.is_some(), Event::Stored { to, power, amount })
            }
            Effect::Decay { when, player, monsters } => {
                fact(Event::WornOff { when, worn: self.wearing_off(s, when, player, monsters) })
            }
            Effect::Face { who } => self.settle_face(s, who),
            // Steps, and the moments at which they are called.
            Effect::Step { program, pc, ctx } => self.settle_step(s, program, pc, ctx),
            Effect::Moment { moment, owner, other, card, number } => {
                fact(Event::Moment { moment, owner, other, card, number })
            }
            Effect::Counter { relic, amount } => self.settle_counter(s, relic, amount),
            Effect::Energy { amount } => fact(Event::EnergyChanged { amount: amount.max(-combat.energy) }),
            // Cards from pile to pile.
            Effect::Draw { amount } => self.settle_draw(s, amount, false),
            Effect::DrawMore { amount } => self.settle_draw(s, amount, true),
            Effect::Shuffle => self.settle_shuffle(s, true),
            Effect::ShuffleDraw => self.settle_shuffle(s, false),
            Effect::Discard { slot, effect } => self.settle_discard(s, slot, effect),
            Effect::Exhaust { slot, played } => self.settle_exhaust(s, slot, played),
            Effect::Put { slot, spot } => self.settle_put(s, slot, spot),
            Effect::ReturnLimbo => self.settle_limbo(s),
            Effect::TakeCard { who } => self.settle_card_taken(s, who),
            Effect::ReturnCard { who } => self.settle_card_returned(s, who),
            Effect::Retain { slot } => only_if(card(slot), Event::Retained { slot }),
            Effect::Keep { slot } => only_if(card(slot), Event::Kept { slot }),
            // Cards that are made or changed.
            Effect::Create { card, up, spot, cost, combat_cost, kept } => {
                let (spot, place, rolls) = self.made_at(s, spot);
                let up = self.created_up(s, card, up);
                fact(Event::Created { card, up, spot, cost, combat_cost, kept, place, rolls })
            }
            Effect::CreateCopy { of, spot } => self.settle_copy(s, of, spot),
            Effect::Conjure { program, pc, ctx } => self.settle_conjure(s, program, pc, ctx),
            Effect::ConjureAll { program, pc, ctx } => self.settle_conjure_all(s, program, pc, ctx),
            Effect::Search { found } => self.settle_wasted_search(s, found),
            Effect::Find { card } => fact(Event::Found { card }),
            Effect::Obtain { slot } => only_if(card(slot), Event::Obtained { slot }),
            Effect::OfferDone => fact(Event::OfferClosed),
            Effect::Upgrade { slot } => match combat.cards.get(slot as usize) {
                Some(card) if self.upgradable(card) => fact(self.upgraded(slot, card)),
                _ => Settled::Stale,
            },
            Effect::Price { slot, price, way } => self.settle_price(s, slot, price, way),
            Effect::Grow { slot, by, all, permanent } => match card(slot) {
                true => fact(self.grown(s, slot, by, all, permanent)),
                false => Settled::Stale,
            },
            // Cards that are played.
            Effect::Play { slot, target, x, way, exhaust } => {
                self.settle_play(s, slot, target, x, way, exhaust)
            }
            Effect::TakeTop { target, exhaust } => self.settle_take_top(s, target, exhaust),
            Effect::Aim { exhaust, late } => self.settle_aim(s, exhaust, late),
            Effect::Resolve { slot, target, x } => self.settle_resolve(s, slot, target, x),
            Effect::ResetAttackCount => fact(Event::AttackCountReset),
            // Orbs and stances.
            Effect::Channel { .. } | Effect::ChannelRandom | Effect::ChannelLast => {
                self.settle_channel(s, effect)
            }
            Effect::Evoke { times } => self.settle_evoke(s, true, times == 0),
            Effect::EvokeKept => self.settle_evoke(s, false, false),
            Effect::Passive { index } => {
                only_if((index as usize) < combat.orbs.len(), Event::PassiveFired { index })
            }
            Effect::StoreOrb { index, amount } => {
                only_if((index as usize) < combat.orbs.len(), Event::OrbStored { index, amount })
            }
            Effect::Slots { amount } => self.settle_slots(s, amount),
            Effect::Stance { to } => {
                only_if(to != combat.stance, Event::StanceChanged { from: combat.stance, to })
            }
            // Monsters.
            Effect::Act { who } => self.settle_act(s, who),
            Effect::Choose { who } => self.settle_choose(s, who),
            Effect::ChooseAgain { who } => self.settle_choose_again(s, who),
            Effect::SetMove { who, mv } => match combat.body(who) {
                Some(body) if matches!(body.life, Life::Alive | Life::HalfDead) => {
                    fact(Event::Intended { who, kind: body.kind, mv, rolls: Rolls::NONE })
                }
                _ => Settled::Stale,
            },
            Effect::Spawn { kind, x, hp, minion, by } => self.settle_spawn(s, kind, x, hp, minion, by),
            Effect::SpawnAny { program, pc, x, by } => self.settle_spawn_any(s, program, pc, x, by),
            Effect::Speak { .. } => self.settle_wasted(s, Die::Ai, 1),
            Effect::Escape { who } => {
                only_if(who != PLAYER && combat.living(who).is_some(), Event::Escaped { who })
            }
            Effect::HalfDie { who } => only_if(who != PLAYER, Event::HalfDied { who }),
            Effect::Revive { who, percent } => self.settle_revive(s, who, percent),
            Effect::Var { who, var, amount } => only_if(body(who), Event::VarSet { who, var, amount }),
            Effect::Forget { who } => only_if(body(who), Event::Forgot { who }),
            Effect::Steal { who, amount } => {
                fact(Event::Stole { who, amount: i32::from(amount).min(s.run.gold) as i16 })
            }
            // Turns and phases.
            Effect::TurnStarted => self.settle_turn_started(s),
            Effect::TurnMarked => fact(Event::TurnMarked),
            Effect::TurnHurt => fact(Event::TurnHurt),
            Effect::TurnCards => fact(Event::TurnCardsReset),
            Effect::KeepHand => self.settle_hand_kept(s),
            Effect::EndTurn { skip } => fact(Event::EndMarked { skip }),
            Effect::CloseTurn => {
                only_if(combat.stage == Stage::Player, Event::TurnEnding { skip: combat.skip_enemies })
            }
            Effect::MonstersStarted => fact(Event::MonstersStarted { left: self.blocks_left(s) }),
            Effect::EnemyStarted { who } => self.settle_enemy_started(s, who),
            // The fight as a whole, and what the run sees of it.
            Effect::Begin => fact(Event::Began),
            Effect::Leave => fact(Event::Left),
            Effect::Victory => fact(Event::Won),
            Effect::Defeat => fact(Event::Lost),
            Effect::Flee => fact(Event::Fled),
            Effect::Gold { amount } => fact(Event::GoldChanged { amount }),
            Effect::Potion => self.settle_potion(s, s.run.potions.contains(&NONE)),
            Effect::LosePotion => self.settle_potion(s, false),
            Effect::UsePotion { index, target } => match self.potion_at(s, index) {
                Ok(potion) => fact(Event::PotionUsed { index, potion, target }),
                Err(_) => Settled::Stale,
            },
            Effect::DropPotion { index } => match self.potion_at(s, index) {
                Ok(potion) => fact(Event::PotionTossed { index, potion }),
                Err(_) => Settled::Stale,
            },
            Effect::Run(ref effect) => self.settle_run(s, effect),
            // Stand for others, which come instead of them.
            Effect::Phase(_)
            | Effect::Clean { .. }
            | Effect::QueueDraw { .. }
            | Effect::QueuePassives { .. }
            | Effect::QueueClean { .. }
            | Effect::QueueDecay { .. }
            | Effect::QueueRun { .. }
            | Effect::Passives { .. }
            | Effect::PutShuffled { .. }
            | Effect::PlayTop { .. }
            | Effect::PlayTaken => Settled::Stale,
        }
    }

    /// Outside of fights only what is of the run happens.
    #[cold]
    fn settle_outside(&self, s: &State, effect: &Effect) -> Settling {
        match effect {
            Effect::Run(effect) => self.settle_run(s, effect),
            _ => Settled::Stale,
        }
    }

    fn settle_hp(&self, s: &State, to: u8, amount: i16) -> Settling {
        match s.combat.body(to) {
            Some(body) if body.life == Life::Alive || body.life == Life::HalfDead && amount == 0 => {
                fact(Event::HpSet { to, hp: amount.clamp(0, body.max_hp.max(0)) })
            }
            _ => Settled::Stale,
        }
    }

    #[inline]
    fn settle_act(&self, s: &State, who: u8) -> Settling {
        match s.combat.body(who) {
            Some(body) if matches!(body.life, Life::Alive | Life::HalfDead) => {
                fact(Event::Acted { who, kind: body.kind, mv: body.intent })
            }
            _ => Settled::Stale,
        }
    }

    fn settle_revive(&self, s: &State, who: u8, percent: i16) -> Settling {
        match s.combat.body(who) {
            Some(body) if body.life != Life::Dead => {
                let most = i32::from(body.max_hp);
                let hp = (most * i32::from(percent) / 100).clamp(1, most.max(1));
                fact(Event::Revived { who, hp: hp as i16 })
            }
            _ => Settled::Stale,
        }
    }

    fn settle_copy(&self, s: &State, of: Slot, spot: Spot) -> Settling {
        let Some(&crate::state::Card { id, up, .. }) = s.combat.cards.get(of as usize) else {
            return Settled::Stale;
        };
        let (spot, place, rolls) = self.made_at(s, spot);
        fact(Event::Copied { of, up: self.created_up(s, id, up), spot, place, rolls })
    }

    fn settle_card_taken(&self, s: &State, who: u8) -> Settling {
        let mut roller = Roller::new(s);
        let Some(slot) = self.taken_card(s, &mut roller) else { return Settled::Stale };
        fact(Event::CardTaken { who, slot, rolls: roller.drawn() })
    }

    /// A thief gives back what he has taken, unless something else has brought it back since.
    fn settle_card_returned(&self, s: &State, who: u8) -> Settling {
        let Some(slot) = s.combat.body(who).map(|body| body.held) else { return Settled::Stale };
        match s.combat.cards.get(usize::from(slot)) {
            Some(card) if card.pile == Pile::Gone => {
                fact(Event::CardReturned { who, slot, spot: self.room(s, Spot::Hand) })
            }
            _ => Settled::Stale,
        }
    }

    /// A relic counts.
    #[inline]
    pub(crate) fn settle_counter(&self, s: &State, place: u8, amount: i16) -> Settling {
        match s.run.relics.get(place as usize) {
            Some(held) => fact(Event::Counted { place, relic: held.id, amount }),
            None => Settled::Stale,
        }
    }
}

#[inline(always)]
fn fact(event: Event) -> Settling {
    Settled::Event(event)
}

/// The fact, or nothing if that makes no sense any more.
#[inline(always)]
fn only_if(possible: bool, event: Event) -> Settling {
    if possible { fact(event) } else { Settled::Stale }
}
