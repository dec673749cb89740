//! Monsters: choosing moves, making them, joining and leaving the fight, dying.

use crate::catalog::compile::{ChoiceInfo, Id, MonsterInfo, MoveInfo, Num, Op, Program, Selecting};
use crate::catalog::words::Rank;
use crate::dice::Roller;
use crate::effect::{ANY_PLAY, Ctx, Effect, Event, Origin, Phase, Source};
use crate::eval::Env;
use crate::game::{Out, Settling, Spire};
use crate::state::{Body, Life, NO_CARD, PLAYER, Slot, State};
use turnstone::{Lane, Settled};

impl Spire {
    /// A monster's definition.
    pub fn monster(&self, kind: Id) -> Option<&MonsterInfo> {
        self.catalog.monsters.get(kind as usize)
    }

    /// A move of a monster.
    pub fn move_of(&self, kind: Id, mv: u8) -> Option<&MoveInfo> {
        self.monster(kind)?.moves.get(mv as usize)
    }

    /// A move by name.
    pub fn move_named(&self, kind: Id, name: &str) -> Option<u8> {
        self.monster(kind)?.moves.iter().position(|made| made.id == name).map(|index| index as u8)
    }

    /// The memory of a monster's program.
    pub fn monster_ctx(&self, who: u8) -> Ctx {
        let source = Source::of(Origin::Monster);
        Ctx { owner: who, other: PLAYER, card: NO_CARD, n: 0, event: 0, source }
    }

    /// The next move.
    pub fn settle_choose(&self, s: &State, who: u8) -> Settling {
        let Some(body) = s.combat.body(who).filter(|body| matches!(body.life, Life::Alive | Life::HalfDead))
        else {
            return Settled::Stale;
        };
        let Some(info) = self.monster(body.kind) else { return Settled::Stale };
        let mut roller = Roller::new(s);
        let mv = self.choose_move(s, who, body, info, &mut roller);
        Settled::Event(Event::Intended { who, mv, rolls: roller.drawn() })
    }

    /// Another move while one is intended. The original remembers moves when they are chosen: the one that
    /// stands counts as made, so that it does not simply come again.
    pub fn settle_choose_again(&self, s: &State, who: u8) -> Settling {
        let stands = s.combat.body(who).is_some_and(|body| body.intent != u8::MAX);
        if self.seed_rules() || !stands {
            return self.settle_choose(s, who);
        }
        let mut then = s.clone();
        self.apply_acted(&mut then, who);
        self.settle_choose(&then, who)
    }

    fn choose_move(
        &self,
        s: &State,
        who: u8,
        body: &Body,
        info: &MonsterInfo,
        roller: &mut Roller<'_>,
    ) -> u8 {
        let made = body.moves as usize;
        if let Some(&mv) = info.opening.get(made) {
            return mv;
        }
        if !info.cycle.is_empty() && info.choices.is_empty() {
            return info.cycle[(made - info.opening.len().min(made)) % info.cycle.len()];
        }
        let mut env = Env::new(s, self.monster_ctx(who));
        env.roll = -1;
        // Rules that send each other back and forth are given up after a while.
        for _ in 0..20 {
            match self.fitting(info, &mut env, roller) {
                Some(Selecting::Move(mv)) => return *mv,
                Some(Selecting::Pick(list)) => return list[roller.weighted(list)].0,
                Some(Selecting::Reroll(low, high)) => env.roll = roller.between(*low, *high),
                None => break,
            }
        }
        if info.cycle.is_empty() {
            0
        } else {
            info.cycle[(made - info.opening.len().min(made)) % info.cycle.len()]
        }
    }

    /// What the first rule of choice leads to that fits. The roll is made when the first one asks for it.
    #[inline(never)]
    fn fitting<'a>(
        &self,
        info: &'a MonsterInfo,
        env: &mut Env<'_>,
        roller: &mut Roller<'_>,
    ) -> Option<&'a Selecting> {
        let low = |choice: &ChoiceInfo, env: &Env<'_>| match choice.below {
            Some(below) => env.roll < self.num(below, env),
            None => true,
        };
        for choice in &info.choices {
            // A roll that was made decides sooner than a condition.
            if env.roll >= 0 {
                if low(choice, env) && self.holds(choice.when, env) {
                    return Some(&choice.then);
                }
                continue;
            }
            if !choice.rolls && !self.holds(choice.when, env) {
                continue;
            }
            if choice.rolls || choice.below.is_some() {
                env.roll = roller.percent();
            }
            if low(choice, env) && (!choice.rolls || self.holds(choice.when, env)) {
                return Some(&choice.then);
            }
        }
        None
    }

    /// Queues the steps of the intended move.
    pub fn follow_acted(&self, s: &State, who: u8, out: &mut Out) {
        use crate::catalog::words::Moment;
        let body = &s.combat.bodies[who as usize];
        let Some(made) = self.move_of(body.kind, body.history[0]) else { return };
        self.propose(s, made.program, self.monster_ctx(who), Lane::Last, out);
        if body.moments >> Moment::MonsterMoved as u32 & 1 != 0 {
            out.last(self.moment(Moment::MonsterMoved, who));
        }
        if !self.seed_rules() {
            out.last(Effect::Choose { who });
        }
    }

    /// Writes that a move was made.
    pub fn apply_acted(&self, s: &mut State, who: u8) {
        let body = &mut s.combat.bodies[who as usize];
        body.history = [body.intent, body.history[0], body.history[1]];
        body.moves = body.moves.saturating_add(1);
        if let Some(used) = body.used.get_mut(body.intent as usize) {
            *used = used.saturating_add(1);
        }
    }

    /// A new monster as it appears.
    pub fn new_monster(&self, s: &State, kind: Id, hp: i16, minion: bool, roller: &mut Roller<'_>) -> Body {
        let info = &self.catalog.monsters[kind as usize];
        let ctx = self.monster_ctx(s.combat.bodies.len() as u8);
        let env = Env::new(s, ctx);
        let hp = if hp > 0 {
            hp
        } else {
            roller.between(self.num(info.hp.0, &env), self.num(info.hp.1, &env)).clamp(1, 30_000) as i16
        };
        let mut body = Body::new(kind, hp);
        body.minion = minion || info.rank == Rank::Minion;
        for (index, (_, least, most)) in info.vars.iter().enumerate().take(4) {
            let least = self.num(*least, &env);
            let value = most.map_or(least, |most: Num| roller.between(least, self.num(most, &env)));
            body.vars[index] = value.clamp(-30_000, 30_000) as i16;
        }
        self.refresh_body(&mut body);
        body
    }

    /// Others join: each of a list, or one of it at a time, as far as there is room.
    pub fn expand_summon(&self, s: &State, op: &Op, program: Program, pc: u8, env: &Env<'_>, out: &mut Out) {
        let Op::Summon { monsters, count, hp, minion, room, any } = op else { return };
        let by = env.ctx.owner;
        let hp = hp.map_or(0, |hp| self.short(hp, env));
        let mut left = self.num(*count, env).clamp(0, 8);
        if let Some(room) = room {
            let there = s.combat.enemies().filter(|&who| who != by).count() as i32;
            left = left.min(self.num(*room, env) - there);
        }
        for _ in 0..left.max(0) {
            if *any {
                out.first(Effect::SpawnAny { program, pc, by });
                continue;
            }
            for &kind in monsters {
                out.first(Effect::Spawn { kind, hp, minion: *minion, by });
            }
        }
    }

    /// A monster joins: a given kind, or one rolled from a list.
    pub fn settle_spawn(&self, s: &State, kind: Id, hp: i16, minion: bool, by: u8) -> Settling {
        if s.combat.bodies.len() >= 60 {
            return Settled::Stale;
        }
        let mut roller = Roller::new(s);
        self.new_monster(s, kind, hp, minion, &mut roller);
        Settled::Event(Event::Spawned { kind, hp, minion, by, rolls: roller.drawn() })
    }

    /// One of a list.
    pub fn settle_spawn_any(&self, s: &State, program: Program, pc: u8, by: u8) -> Settling {
        let Some(Op::Summon { monsters, hp, minion, .. }) = self.catalog.program(program).get(pc as usize)
        else {
            return Settled::Stale;
        };
        let mut roller = Roller::new(s);
        let kind = monsters[roller.index(monsters.len())];
        let env = Env::new(s, self.monster_ctx(by));
        let hp = hp.map_or(0, |hp| self.short(hp, &env));
        // The kind is drawn first, then what the new monster itself rolls.
        Settled::Event(Event::SpawnedAny { kind, hp, minion: *minion, by, rolls: roller.drawn() })
    }

    /// What a newcomer does at once.
    pub fn follow_spawned(&self, s: &State, kind: Id, out: &mut Out) {
        let who = (s.combat.bodies.len() - 1) as u8;
        let info = &self.catalog.monsters[kind as usize];
        self.propose(s, info.start, self.monster_ctx(who), Lane::First, out);
        if !self.seed_rules() {
            out.first(Effect::Choose { who });
        }
    }

    /// Somebody dies, unless he is gone or alive after all.
    #[inline]
    pub fn settle_death(
        &self,
        s: &State,
        who: u8,
        by: u8,
        card: Slot,
        on_kill: Program,
        any: bool,
    ) -> Settling {
        match s.combat.body(who) {
            Some(body) if !matches!(body.life, Life::Dead | Life::Escaped) && body.hp <= 0 => {
                Settled::Event(Event::Died { who, by, card, on_kill, any })
            }
            _ => Settled::Stale,
        }
    }

    /// Consequences of a death.
    pub fn follow_died(&self, s: &State, event: &Event, out: &mut Out) {
        let Event::Died { who, by, card, on_kill, any } = *event else { return };
        if who == PLAYER {
            // The recorded engine looks for a defeat only when everything has settled.
            if !self.seed_rules() {
                out.first(Effect::Defeat);
            }
            return;
        }
        let body = &s.combat.bodies[who as usize];
        if any || !body.minion {
            self.follow_kill(s, who, by, card, on_kill, out);
        }
        let combat = &s.combat;
        let standing = combat.enemies().any(|other| !combat.bodies[other as usize].minion);
        let waiting =
            combat.bodies[1..].iter().any(|other| other.life == Life::HalfDead && other.kind != body.kind);
        if !standing && !waiting {
            for other in combat.enemies() {
                out.first(Effect::Escape { who: other });
            }
            for (index, other) in combat.bodies.iter().enumerate().skip(1) {
                if other.life == Life::HalfDead {
                    out.first(Effect::Death {
                        who: index as u8,
                        by: PLAYER,
                        card: NO_CARD,
                        on_kill: 0,
                        any: false,
                    });
                }
            }
        }
    }

    /// What a card does when it kills.
    pub fn follow_kill(&self, s: &State, who: u8, by: u8, card: Slot, on_kill: Program, out: &mut Out) {
        if on_kill != 0 {
            let ctx = Ctx { owner: by, other: who, card, n: 0, event: 0, source: Source::of(Origin::Card) };
            self.propose(s, on_kill, ctx, Lane::First, out);
        }
    }

    /// Nobody is left to fight: what waits on the agenda is withdrawn.
    pub fn decide(&self, s: &State, out: &mut Out) {
        if s.combat.decided && !self.seed_rules() {
            out.withdraw(Effect::Phase(Phase::Prepare));
            out.withdraw(ANY_PLAY);
        }
    }

    /// Recomputes whether the fight is decided.
    pub fn refresh_decided(&self, s: &mut State) {
        s.combat.decided =
            !s.combat.bodies.iter().skip(1).any(|body| matches!(body.life, Life::Alive | Life::HalfDead));
    }

    /// The card a thief takes: the rarest of the draw pile, or of the discard pile.
    pub fn taken_card(&self, s: &State, roller: &mut Roller<'_>) -> Option<Slot> {
        let pile = if s.combat.draw.is_empty() { &s.combat.discard } else { &s.combat.draw };
        let rank = |slot: &Slot| match self.catalog.cards[s.combat.cards[*slot as usize].id as usize].rarity {
            crate::catalog::words::Rarity::Rare => 3,
            crate::catalog::words::Rarity::Uncommon => 2,
            crate::catalog::words::Rarity::Common => 1,
            _ => 0,
        };
        let best = pile.iter().map(rank).max()?;
        let open: Vec<Slot> = pile.iter().copied().filter(|slot| rank(slot) == best).collect();
        Some(open[roller.index(open.len())])
    }
}
