//! Monsters: choosing moves, making them, joining and leaving the fight, dying.

use crate::catalog::compile::{ChoiceInfo, Id, MonsterInfo, MoveInfo, Num, Op, Program, Selecting};
use crate::catalog::words::Rank;
use crate::dice::{Die, Roller, Rolls};
use crate::effect::{ANY_PLAY, Ctx, Effect, Origin, Phase, Source};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Out, Settling, Spire};
use crate::state::{Body, Life, MOST_BODIES, NO_CARD, PLAYER, Slot, State};
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
    pub(crate) fn move_named(&self, kind: Id, name: &str) -> Option<u8> {
        self.monster(kind)?.moves.iter().position(|made| made.id == name).map(|index| index as u8)
    }

    /// The memory of a monster's program.
    pub(crate) fn monster_ctx(&self, who: u8) -> Ctx {
        let source = Source::of(Origin::Monster);
        Ctx { owner: who, other: PLAYER, card: NO_CARD, n: 0, event: 0, source }
    }

    /// The next move. Who died on its own turn had its roll waiting: the dice fall, and nothing comes of it.
    pub(crate) fn settle_choose(&self, s: &State, who: u8) -> Settling {
        let Some((mv, rolls)) = self.chosen_move(s, who) else { return Settled::Stale };
        let Body { life, kind, .. } = s.combat.bodies[who as usize];
        match (life, rolls.is_none()) {
            (Life::Dead, true) => Settled::Stale,
            (Life::Dead, false) => Settled::Event(Event::Spoke { rolls }),
            (Life::Alive | Life::HalfDead | Life::Escaped, _) => {
                Settled::Event(Event::Intended { who, kind, mv, rolls })
            }
        }
    }

    /// The move that a monster chooses, and the dice for it; with the original's dice the dead choose, too.
    pub(super) fn chosen_move(&self, s: &State, who: u8) -> Option<(u8, Rolls)> {
        let body = s.combat.body(who).filter(|body| body.life != Life::Escaped)?;
        let info = self.monster(body.kind)?;
        let mut roller = Roller::new(s);
        if body.life == Life::Dead && !roller.original() {
            return None;
        }
        let mv = self.choose_move(s, who, body, info, &mut roller);
        Some((mv, roller.drawn()))
    }

    /// Another move while one is intended. The original remembers moves when they are chosen: the one that
    /// stands counts as made, so that it does not simply come again.
    pub(crate) fn settle_choose_again(&self, s: &State, who: u8) -> Settling {
        let stands = s.combat.body(who).is_some_and(|body| body.intent != u8::MAX);
        if self.profile.standing_move_unmade || !stands {
            return self.settle_choose(s, who);
        }
        let mut then = s.clone();
        self.apply_acted(&mut then, who, s.combat.bodies[who as usize].intent);
        self.settle_choose(&then, who)
    }

    /// The original rolls before it looks at anything, also where the roll decides nothing.
    fn choose_move(
        &self,
        s: &State,
        who: u8,
        body: &Body,
        info: &MonsterInfo,
        roller: &mut Roller<'_>,
    ) -> u8 {
        let made = body.moves as usize;
        let mut env = Env::new(s, self.monster_ctx(who));
        env.roll = -1;
        let unrolled = info.unrolled.is_some_and(|unrolled| self.eval(unrolled, &env) != 0);
        if roller.original() && !unrolled {
            env.roll = roller.percent(Die::Ai);
        }
        if let Some(&mv) = info.opening.get(made) {
            return mv;
        }
        let cycled = || info.cycle.get((made - info.opening.len().min(made)) % info.cycle.len().max(1));
        if info.choices.is_empty() {
            return cycled().copied().unwrap_or(0);
        }
        let chosen = self.choose_by_rules(&info.choices, &mut env, roller);
        chosen.or_else(|| cycled().copied()).unwrap_or(0)
    }

    fn choose_by_rules(
        &self,
        rules: &[ChoiceInfo],
        env: &mut Env<'_>,
        roller: &mut Roller<'_>,
    ) -> Option<u8> {
        let mut list = rules;
        // Rules that send each other back and forth are given up after a while.
        for _ in 0..100 {
            let choice = self.fitting(list, env, roller)?;
            (0..choice.spend).for_each(|_| roller.waste(Die::Ai));
            match &choice.then {
                Selecting::Move(mv) => return Some(*mv),
                Selecting::Pick(moves) => return Some(moves[roller.weighted(Die::Ai, moves)].0),
                Selecting::Either(bound, yes, no) => {
                    let hit = match bound {
                        Some(bound) => roller.chance(Die::Ai, *bound),
                        None => roller.coin(Die::Ai),
                    };
                    list = if hit { yes } else { no };
                }
                Selecting::Reroll(low, high) => {
                    env.roll = roller.between(Die::Ai, *low, *high);
                    list = rules;
                }
            }
        }
        None
    }

    /// The first rule of choice that fits. With the recorded engine's dice the roll is made when the first one
    /// asks for it.
    #[inline(never)]
    fn fitting<'a>(
        &self,
        rules: &'a [ChoiceInfo],
        env: &mut Env<'_>,
        roller: &mut Roller<'_>,
    ) -> Option<&'a ChoiceInfo> {
        let low = |choice: &ChoiceInfo, env: &Env<'_>| match choice.below {
            Some(below) => env.roll < self.num(below, env),
            None => true,
        };
        for choice in rules {
            // A roll that was made decides sooner than a condition.
            if env.roll >= 0 {
                if low(choice, env) && self.suits(choice, env) {
                    return Some(choice);
                }
                continue;
            }
            if !choice.rolls && !self.suits(choice, env) {
                continue;
            }
            if choice.rolls || choice.below.is_some() {
                env.roll = roller.percent(Die::Ai);
            }
            if low(choice, env) && (!choice.rolls || self.suits(choice, env)) {
                return Some(choice);
            }
        }
        None
    }

    /// Whether the condition of a rule of choice holds. Most are about the moves made, which is seen at once.
    #[inline]
    fn suits(&self, choice: &ChoiceInfo, env: &Env<'_>) -> bool {
        let me = env.s.combat.body(env.ctx.owner);
        let seen = me.is_none_or(|me| choice.past.allows(me.history, me.moves));
        debug_assert!(seen || !self.holds(choice.when, env), "the past rules out what holds: {choice:?}");
        let whole = choice.past.whole && me.is_some();
        debug_assert!(!(seen && whole) || self.holds(choice.when, env), "the past is not all of {choice:?}");
        seen && (whole || self.holds(choice.when, env))
    }

    /// Queues the steps of the intended move.
    pub(crate) fn follow_acted(&self, s: &State, who: u8, out: &mut Out) {
        use crate::catalog::words::Moment;
        let body = &s.combat.bodies[who as usize];
        let Some(made) = self.move_of(body.kind, body.history[0]) else { return };
        self.propose(s, made.program, self.monster_ctx(who), Lane::Last, out);
        if body.moments >> Moment::MonsterMoved as u32 & 1 != 0 {
            out.last(self.moment(Moment::MonsterMoved, who));
        }
        if !self.profile.moves_chosen_together {
            out.last(Effect::Choose { who });
        }
    }

    /// Writes that a move was made.
    pub(crate) fn apply_acted(&self, s: &mut State, who: u8, mv: u8) {
        let body = &mut s.combat.bodies[who as usize];
        body.history = [mv, body.history[0], body.history[1]];
        body.moves = body.moves.saturating_add(1);
        if let Some(used) = body.used.get_mut(mv as usize) {
            *used = used.saturating_add(1);
        }
    }

    /// A new monster as it appears. What it rolls only once everybody stands there is left for
    /// [`Spire::roll_late`].
    pub(crate) fn new_monster(
        &self,
        s: &State,
        kind: Id,
        hp: i16,
        minion: bool,
        roller: &mut Roller<'_>,
    ) -> Body {
        let info = &self.catalog.monsters[kind as usize];
        let ctx = self.monster_ctx(s.combat.bodies.len() as u8);
        let env = Env::new(s, ctx);
        let mut body = Body::new(kind, if hp > 0 { hp } else { self.roll_hp(info, &env, roller) });
        body.x = s.combat.right_end();
        body.minion = minion || info.rank == Rank::Minion;
        self.roll_vars(info, &env, &mut body, false, roller);
        self.refresh_body(&mut body);
        body
    }

    /// The original draws for numbers that are fixed, too, for some not at all, and for some twice.
    fn roll_hp(&self, info: &MonsterInfo, env: &Env<'_>, roller: &mut Roller<'_>) -> i16 {
        let (least, most) = (self.num(info.hp.0, env), self.num(info.hp.1, env));
        if roller.original() {
            (1..info.hp_rolls).for_each(|_| roller.waste(Die::MonsterHp));
            if info.hp_rolls == 0 {
                return least.clamp(1, 30_000) as i16;
            }
        }
        roller.between(Die::MonsterHp, least, most).clamp(1, 30_000) as i16
    }

    fn roll_vars(
        &self,
        info: &MonsterInfo,
        env: &Env<'_>,
        body: &mut Body,
        late: bool,
        roller: &mut Roller<'_>,
    ) {
        for (index, (_, least, most)) in info.vars.iter().enumerate().take(4) {
            if (info.late >> index & 1 == 1) != late {
                continue;
            }
            let least = self.num(*least, env);
            let roll = |most: Num| roller.between(Die::MonsterHp, least, self.num(most, env));
            body.vars[index] = most.map_or(least, roll).clamp(-30_000, 30_000) as i16;
        }
    }

    /// What a monster rolls once everybody stands there.
    pub(crate) fn roll_late(&self, s: &State, body: &mut Body, roller: &mut Roller<'_>) {
        let info = &self.catalog.monsters[body.kind as usize];
        if info.late != 0 {
            let env = Env::new(s, self.monster_ctx(s.combat.bodies.len() as u8));
            self.roll_vars(info, &env, body, true, roller);
        }
    }

    /// Others join: each of a list, or one of it at a time, as far as there is room. Once all of them stand there,
    /// each chooses its first move.
    pub(crate) fn expand_summon(
        &self,
        s: &State,
        op: &Op,
        program: Program,
        pc: u8,
        env: &Env<'_>,
        out: &mut Out,
    ) {
        let Op::Summon { monsters, count, hp, minion, room, any, at } = op else { return };
        let by = env.ctx.owner;
        let hp = hp.map_or(0, |hp| self.short(hp, env));
        let mut left = self.num(*count, env).clamp(0, 8);
        if let Some(room) = room {
            let there = s.combat.enemies().filter(|&who| who != by).count() as i32;
            left = left.min(self.num(*room, env) - there);
        }
        let mut places = self.free_places(s, by, at).into_iter();
        let mut end = s.combat.right_end();
        let mut joined = 0;
        for _ in 0..left.max(0) {
            for &kind in if *any { &monsters[..1] } else { &monsters[..] } {
                let x = match places.next() {
                    Some(x) => x,
                    None if at.is_empty() => {
                        end = end.saturating_add(10);
                        end - 10
                    }
                    None => return self.greet(s, joined, out),
                };
                joined += 1;
                out.first(match *any {
                    true => Effect::SpawnAny { program, pc, x, by },
                    false => Effect::Spawn { kind, x, hp, minion: *minion, by },
                });
            }
        }
        self.greet(s, joined, out);
    }

    /// Newcomers choose what to do.
    fn greet(&self, s: &State, joined: usize, out: &mut Out) {
        if self.profile.moves_chosen_together {
            return;
        }
        let first = s.combat.bodies.len();
        for who in (first..first + joined).filter(|&who| who < usize::from(u8::MAX)) {
            out.first(Effect::Choose { who: who as u8 });
        }
    }

    /// The places beside a monster where nobody stands.
    fn free_places(&self, s: &State, by: u8, at: &[i16]) -> Vec<i16> {
        let mine = s.combat.body(by).map_or(0, |body| body.x);
        let stands = |x: i16| {
            let there = |body: &Body| body.x == x && matches!(body.life, Life::Alive | Life::HalfDead);
            s.combat.bodies.iter().skip(1).any(there)
        };
        at.iter().map(|&place| mine.saturating_add(place)).filter(|&x| !stands(x)).collect()
    }

    /// A monster joins: a given kind, or one rolled from a list.
    pub(crate) fn settle_spawn(
        &self,
        s: &State,
        kind: Id,
        x: i16,
        hp: i16,
        minion: bool,
        by: u8,
    ) -> Settling {
        self.spawned(s, kind, x, hp, minion, by, Roller::new(s))
    }

    #[allow(clippy::too_many_arguments)]
    fn spawned(
        &self,
        s: &State,
        kind: Id,
        x: i16,
        hp: i16,
        minion: bool,
        by: u8,
        mut roller: Roller<'_>,
    ) -> Settling {
        if s.combat.bodies.len() >= MOST_BODIES {
            return Settled::Stale;
        }
        let mut body = self.new_monster(s, kind, hp, minion, &mut roller);
        self.roll_late(s, &mut body, &mut roller);
        let Body { hp, vars, minion, .. } = body;
        Settled::Event(Event::Spawned { kind, x, hp, vars, minion, by, rolls: roller.drawn() })
    }

    /// One of a list: the kind is drawn first, then what the new monster itself rolls.
    pub(crate) fn settle_spawn_any(&self, s: &State, program: Program, pc: u8, x: i16, by: u8) -> Settling {
        let Some(Op::Summon { monsters, hp, minion, .. }) = self.catalog.program(program).get(pc as usize)
        else {
            return Settled::Stale;
        };
        let mut roller = Roller::new(s);
        let kind = monsters[roller.index(Die::Ai, monsters.len())];
        let env = Env::new(s, self.monster_ctx(by));
        let hp = hp.map_or(0, |hp| self.short(hp, &env));
        self.spawned(s, kind, x, hp, *minion, by, roller)
    }

    /// What a newcomer does at once.
    pub(crate) fn follow_spawned(&self, s: &State, kind: Id, out: &mut Out) {
        let who = (s.combat.bodies.len() - 1) as u8;
        let info = &self.catalog.monsters[kind as usize];
        self.propose(s, info.start, self.monster_ctx(who), Lane::First, out);
    }

    /// Draws of the original that mean nothing.
    pub(crate) fn settle_wasted(&self, s: &State, die: Die, count: u8) -> Settling {
        let mut roller = Roller::new(s);
        (0..count).for_each(|_| roller.waste(die));
        match roller.drawn() {
            Rolls::NONE => Settled::Stale,
            rolls => Settled::Event(Event::Spoke { rolls }),
        }
    }

    /// Cards are laid out to be looked through: the first lies where it lies, each other at a random place.
    pub(crate) fn settle_wasted_search(&self, s: &State, found: u8) -> Settling {
        self.settle_wasted(s, Die::CardRandom, found.saturating_sub(1))
    }

    /// Somebody dies, unless he is gone or alive after all.
    #[inline]
    pub(crate) fn settle_death(
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
    pub(crate) fn follow_died(&self, s: &State, event: &Event, out: &mut Out) {
        let Event::Died { who, by, card, on_kill, any } = *event else { return };
        if who == PLAYER {
            // The recorded engine looks for a defeat only when everything has settled.
            if !self.profile.defeat_when_idle {
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
    pub(crate) fn follow_kill(
        &self,
        s: &State,
        who: u8,
        by: u8,
        card: Slot,
        on_kill: Program,
        out: &mut Out,
    ) {
        if on_kill != 0 {
            let ctx = Ctx { owner: by, other: who, card, n: 0, event: 0, source: Source::of(Origin::Card) };
            self.propose(s, on_kill, ctx, Lane::First, out);
        }
    }

    /// Nobody is left to fight: what waits on the agenda is withdrawn.
    pub(crate) fn decide(&self, s: &State, out: &mut Out) {
        if s.combat.decided && !self.profile.agenda_outlives_victory {
            out.withdraw(Effect::Phase(Phase::Prepare));
            out.withdraw(ANY_PLAY);
            out.withdraw(Effect::PlayTaken);
        }
    }

    /// Recomputes whether the fight is decided.
    pub fn refresh_decided(&self, s: &mut State) {
        s.combat.decided =
            !s.combat.bodies.iter().skip(1).any(|body| matches!(body.life, Life::Alive | Life::HalfDead));
    }

    /// The card a thief takes: the rarest of the draw pile, or of the discard pile.
    pub(crate) fn taken_card(&self, s: &State, roller: &mut Roller<'_>) -> Option<Slot> {
        let pile = if s.combat.draw.is_empty() { &s.combat.discard } else { &s.combat.draw };
        let rank = |slot: &Slot| match self.catalog.cards[s.combat.cards[*slot as usize].id as usize].rarity {
            crate::catalog::words::Rarity::Rare => 3,
            crate::catalog::words::Rarity::Uncommon => 2,
            crate::catalog::words::Rarity::Common => 1,
            _ => 0,
        };
        let best = pile.iter().map(rank).max()?;
        let mut open: Vec<Slot> = pile.iter().copied().filter(|slot| rank(slot) == best).collect();
        // Those of a rarity lie by their names.
        if best > 0 && roller.original() {
            open.sort_by_key(|&slot| &self.catalog.cards[s.combat.cards[slot as usize].id as usize].id);
        }
        Some(open[roller.index(Die::CardRandom, open.len())])
    }
}
