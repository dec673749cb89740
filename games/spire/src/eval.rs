//! Reading numbers and conditions of content from the state.

use crate::catalog::compile::{Id, Node, Num, Val};
use crate::catalog::expr::{Op, Read, any_filter, any_value};
use crate::catalog::words::{CardType, DamageKind, Rank, Rarity, Stage, Who, Zone};
use crate::effect::{Ctx, Origin};
use crate::game::Spire;
use crate::run::rules::drawn;
use crate::seeds::CardNo;
use crate::state::{
    ALLY_OF, ANYBODY, Card, Life, NO_CARD, NOBODY, NONE, PLAYER, Slot, State, WEAKEST, card_flag,
};
use smallvec::SmallVec;

// What can be read, by who reads it, as patterns: what nobody reads does not compile.

/// What a glance at the state or the step tells.
macro_rules! at_a_glance {
    () => {
        Read::X
            | Read::N
            | Read::Potency
            | Read::Roll
            | Read::Last
            | Read::LastTwo
            | Read::Moves
            | Read::Event
            | Read::Stored
            | Read::Counter
            | Read::Grown
            | Read::Kept
            | Read::Upgrades
            | Read::Upgraded
            | Read::Handled
            | Read::Dealt
            | Read::HandledCost
            | Read::CardBlock
            | Read::AttackNumber
            | Read::Max
            | Read::Min
            | Read::Energy
            | Read::Turn
            | Read::CardsPlayed
            | Read::AttacksPlayed
            | Read::SkillsPlayed
            | Read::PowersThisTurn
            | Read::PowersPlayed
            | Read::Discarded
            | Read::TimesHurt
            | Read::AttackCount
            | Read::HurtLastTurn
            | Read::MantraGained
            | Read::Gold
            | Read::Ascension
            | Read::Act
            | Read::InCombat
            | Read::EliteFight
            | Read::BossFight
            | Read::Count
            | Read::DrawnHas
            | Read::Previous
            | Read::CardIs
            | Read::AutoPlayed
            | Read::Copy
    };
}

/// What bodies tell.
macro_rules! of_bodies {
    () => {
        Read::Power
            | Read::Has
            | Read::Block
            | Read::Hp
            | Read::MaxHp
            | Read::Bloodied
            | Read::Alive
            | Read::IntendsAttack
            | Read::IsPlayer
            | Read::Survives
            | Read::FromPlayer
            | Read::FromOwner
            | Read::HasSource
            | Read::Kind
            | Read::Is
            | Read::Fresh
            | Read::OwnsRelic
            | Read::VulnerableRate
            | Read::WeakRate
            | Read::Enemies
            | Read::MissingHp
            | Read::PlayerTurn
    };
}

/// What orbs, stances and monsters tell.
macro_rules! of_the_rest {
    () => {
        Read::Orbs
            | Read::OrbKinds
            | Read::Slots
            | Read::Channeled
            | Read::OrbIs
            | Read::Stance
            | Read::Entering
            | Read::Leaving
            | Read::Recent
            | Read::Used
            | Read::Var
            | Read::Seat
            | Read::Allies
            | Read::Minions
            | Read::CountMonster
    };
}

/// What only the way knows.
macro_rules! of_the_way {
    () => {
        Read::Floor | Read::EntryMaxHp | Read::DrawnGold | Read::FindsLeft | Read::Drew | Read::RollBetween
    };
}

/// What an expression may look at besides the state.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// The state.
    pub s: &'a State,
    /// The memory of the running step.
    pub(crate) ctx: Ctx,
    /// The card under test, and its slot if it has one.
    pub test: Option<(Card, Slot)>,
    /// The kind of damage in question.
    pub kind: Option<DamageKind>,
    /// The number at hand, where it is not the memory's.
    pub number: Option<i32>,
    /// The roll of a choice of move.
    pub roll: i32,
    /// The orb in question.
    pub orb: Id,
    /// The stances of a change.
    pub stances: (Id, Id),
    /// The target at hand.
    pub each: u8,
}

impl<'a> Env<'a> {
    /// Nothing but state and memory.
    #[inline]
    pub fn new(s: &'a State, ctx: Ctx) -> Self {
        Env {
            s,
            ctx,
            test: None,
            kind: None,
            number: None,
            roll: 0,
            orb: NONE,
            stances: (NONE, NONE),
            each: NOBODY,
        }
    }
}

/// A few bodies.
pub(crate) type Bodies = SmallVec<[u8; 8]>;

impl Spire {
    /// A number.
    #[inline]
    pub fn num(&self, num: Num, env: &Env<'_>) -> i32 {
        match num {
            Num::Const(number) => number,
            Num::Expr(index) => self.eval(index, env),
        }
    }

    /// A number that fits.
    #[inline]
    pub fn short(&self, num: Num, env: &Env<'_>) -> i16 {
        self.num(num, env).clamp(-30_000, 30_000) as i16
    }

    /// Whether a condition holds; none always does.
    #[inline]
    pub fn holds(&self, condition: Option<u16>, env: &Env<'_>) -> bool {
        condition.is_none_or(|index| self.eval(index, env) != 0)
    }

    /// Evaluates an expression.
    #[inline]
    pub fn eval(&self, index: u16, env: &Env<'_>) -> i32 {
        match &self.catalog.exprs[index as usize] {
            Node::Int(number) => *number,
            Node::Read(Read::X | Read::N | Read::Potency, ..) => i32::from(env.ctx.n),
            Node::Read(read, a, _) if read.is_filter() => self.read_filter(*read, *a, env),
            Node::Read(read, a, b) => self.read(*read, *a, *b, env),
            node => self.combine(node, env),
        }
    }

    /// A number for which state and memory suffice, if it is one that is often asked for.
    pub(crate) fn seen(&self, index: u16, s: &State, ctx: Ctx) -> Option<i32> {
        Some(match &self.catalog.exprs[index as usize] {
            Node::Int(number) => *number,
            Node::Read(Read::X | Read::N | Read::Potency, ..) => i32::from(ctx.n),
            Node::Read(Read::VulnerableRate, ..) => self.rate(s, ctx.owner, Stage::RateVulnerable, 50),
            Node::Read(Read::WeakRate, ..) => self.rate(s, ctx.owner, Stage::RateWeak, 25),
            Node::Two(op @ (Op::Add | Op::Sub), a, b) => {
                op.of(self.seen(*a, s, ctx)?, self.seen(*b, s, ctx)?)
            }
            _ => return None,
        })
    }

    #[inline(never)]
    fn combine(&self, node: &Node, env: &Env<'_>) -> i32 {
        match node {
            Node::Not(inner) => i32::from(self.eval(*inner, env) == 0),
            Node::Two(op, a, b) => self.two(*op, *a, *b, env),
            Node::Ascension(levels) => {
                let level = usize::from(env.s.run.ascension).min(levels.len() - 1);
                self.eval(levels[level], env)
            }
            Node::Int(_) | Node::Read(..) => 0,
        }
    }

    fn two(&self, op: Op, a: u16, b: u16, env: &Env<'_>) -> i32 {
        let left = self.eval(a, env);
        match op {
            Op::And => return i32::from(left != 0 && self.eval(b, env) != 0),
            Op::Or => return i32::from(left != 0 || self.eval(b, env) != 0),
            _ => {}
        }
        op.of(left, self.eval(b, env))
    }

    /// Something read. What needs more than a glance has a function of its own, so that a glance is all that
    /// this one costs.
    #[inline(never)]
    fn read(&self, read: Read, a: Val, b: Val, env: &Env<'_>) -> i32 {
        let combat = &env.s.combat;
        let counts = &combat.counts;
        match read {
            Read::X | Read::N | Read::Potency => i32::from(env.ctx.n),
            Read::Roll => env.roll,
            Read::Last => self.made_last(a, env, 1),
            Read::LastTwo => self.made_last(a, env, 2),
            Read::Moves => combat.body(env.ctx.owner).map_or(0, |me| i32::from(me.moves)),
            Read::Event => env.number.unwrap_or(i32::from(env.ctx.event)),
            Read::Stored => self.stored(env),
            Read::Counter => self.counter(env),
            Read::Grown | Read::Kept | Read::Upgrades => self.of_this(read, env),
            Read::Upgraded => self.is_upgraded(env),
            Read::Handled => i32::from(combat.handled),
            Read::Dealt => i32::from(combat.dealt),
            Read::HandledCost => i32::from(combat.handled_cost),
            Read::CardBlock | Read::AttackNumber | Read::Max | Read::Min => self.reckon(read, a, b, env),
            Read::Energy => i32::from(combat.energy),
            Read::Turn => i32::from(counts.turn),
            Read::CardsPlayed => i32::from(counts.cards_played),
            Read::AttacksPlayed => i32::from(counts.attacks_played),
            Read::SkillsPlayed => i32::from(counts.skills_played),
            Read::PowersThisTurn => i32::from(counts.powers_this_turn),
            Read::PowersPlayed => i32::from(counts.powers_played),
            Read::Discarded => i32::from(counts.discarded),
            Read::TimesHurt => i32::from(counts.times_hurt),
            Read::AttackCount => i32::from(counts.attack_count),
            Read::HurtLastTurn => i32::from(counts.hurt_last_turn),
            Read::MantraGained => i32::from(counts.mantra),
            Read::Gold => env.s.run.gold,
            Read::Ascension => i32::from(env.s.run.ascension),
            Read::Act => i32::from(env.s.run.act),
            Read::InCombat => i32::from(combat.stage != crate::state::Stage::None),
            Read::EliteFight => i32::from(combat.rank == Rank::Elite as u8),
            Read::BossFight => i32::from(combat.rank == Rank::Boss as u8),
            Read::Count => self.count(a, b, env),
            Read::DrawnHas => self.drawn_has(a, env),
            Read::Previous => match a {
                Val::Type(kind) => i32::from(counts.previous == kind as u8),
                _ => 0,
            },
            Read::CardIs => self.card_is(a, env),
            Read::AutoPlayed => i32::from(
                combat.cards.get(env.ctx.slot() as usize).is_some_and(|card| card.has(card_flag::AUTO)),
            ),
            Read::Copy => i32::from(
                combat.cards.get(env.ctx.slot() as usize).is_some_and(|card| card.has(card_flag::COPY)),
            ),
            of_bodies!() | of_the_rest!() | of_the_way!() | any_filter!() => {
                self.read_bodies(read, a, b, env)
            }
        }
    }

    /// What is worked out from other numbers.
    #[inline(never)]
    fn reckon(&self, read: Read, a: Val, b: Val, env: &Env<'_>) -> i32 {
        let number = self.arg(a, env);
        match read {
            Read::CardBlock => self.card_block(env.s, PLAYER, number, env.ctx.slot()),
            Read::AttackNumber => self.attack_number(env.s, env.ctx.owner, env.ctx.other, number, NO_CARD, 1),
            Read::Max => number.max(self.arg(b, env)),
            _ => number.min(self.arg(b, env)),
        }
    }

    #[inline(never)]
    fn drawn_has(&self, filter: Val, env: &Env<'_>) -> i32 {
        i32::from(env.s.combat.drawn.iter().any(|&slot| self.passes(b_or_a(filter), slot, env)))
    }

    #[inline(never)]
    fn card_is(&self, filter: Val, env: &Env<'_>) -> i32 {
        match env.test {
            // A card of the deck has no slot: it is the one under test.
            Some((_, NO_CARD)) if env.ctx.slot() == NO_CARD => i32::from(self.holds(b_or_a(filter), env)),
            _ => i32::from(self.passes(b_or_a(filter), env.ctx.slot(), env)),
        }
    }

    #[inline(never)]
    fn is_upgraded(&self, env: &Env<'_>) -> i32 {
        self.tested(env).map_or(0, |card| i32::from(card.up > 0))
    }

    /// A number of the card that the running program belongs to.
    #[inline(never)]
    fn of_this(&self, read: Read, env: &Env<'_>) -> i32 {
        self.this(env).map_or(0, |card| match read {
            Read::Grown => i32::from(card.grown),
            Read::Kept => i32::from(card.kept),
            _ => i32::from(card.up),
        })
    }

    /// Whether the last moves of the owner were all that one.
    #[inline(never)]
    fn made_last(&self, mv: Val, env: &Env<'_>, count: usize) -> i32 {
        let id = if let Val::Id(id) = mv { id } else { NONE };
        let me = env.s.combat.body(env.ctx.owner);
        me.map_or(0, |me| i32::from(me.history[..count].iter().all(|&made| u16::from(made) == id)))
    }

    #[inline(never)]
    fn read_bodies(&self, read: Read, a: Val, b: Val, env: &Env<'_>) -> i32 {
        let combat = &env.s.combat;
        let who = match a {
            Val::Who(who) => self.who(who, env),
            _ => env.ctx.owner,
        };
        let body = combat.body(who);
        let power = if let Val::Id(id) = b { id } else { NONE };
        match read {
            Read::Power => body.map_or(0, |body| i32::from(body.stacks(power))),
            Read::Has => body.map_or(0, |body| i32::from(body.power(power).is_some())),
            Read::Block => body.map_or(0, |body| i32::from(body.block)),
            Read::Hp => body.map_or(outside(env.s), |body| i32::from(body.hp)),
            Read::MaxHp => body.map_or(i32::from(env.s.run.max_hp), |body| i32::from(body.max_hp)),
            Read::Bloodied => body.map_or(0, |body| i32::from(body.hp * 2 <= body.max_hp)),
            Read::Alive => i32::from(combat.living(who).is_some()),
            Read::IntendsAttack => i32::from(self.intends_attack(env.s, who)),
            Read::IsPlayer => i32::from(env.ctx.owner == PLAYER),
            Read::Survives => i32::from(combat.body(env.ctx.owner).is_some_and(|body| body.hp > 0)),
            Read::FromPlayer => i32::from(env.ctx.other == PLAYER),
            Read::FromOwner => i32::from(env.ctx.other == env.ctx.owner),
            Read::HasSource => i32::from(env.ctx.other != NOBODY && env.ctx.other != env.ctx.owner),
            Read::Kind => match a {
                Val::Kind(kind) => i32::from(env.kind == Some(kind)),
                _ => 0,
            },
            Read::Is => match a {
                Val::Id(id) => i32::from(Ctx::power(env.ctx.card) == Some(id)),
                _ => 0,
            },
            Read::Fresh => match env.ctx.source.origin() {
                Origin::Power(id) => combat
                    .body(env.ctx.owner)
                    .and_then(|body| body.power(id))
                    .map_or(0, |power| i32::from(power.fresh)),
                _ => 0,
            },
            Read::OwnsRelic => match a {
                Val::Id(id) => i32::from(env.s.run.relics.iter().any(|relic| relic.id == id)),
                _ => 0,
            },
            Read::VulnerableRate => self.rate(env.s, env.ctx.owner, Stage::RateVulnerable, 50),
            Read::WeakRate => self.rate(env.s, env.ctx.owner, Stage::RateWeak, 25),
            Read::Enemies => combat.enemies().count() as i32,
            Read::MissingHp => combat
                .enemies()
                .map(|who| &combat.bodies[who as usize])
                .map(|b| i32::from(b.max_hp - b.hp))
                .sum(),
            Read::PlayerTurn => i32::from(combat.stage == crate::state::Stage::Player),
            at_a_glance!() | of_the_rest!() | of_the_way!() | any_filter!() => self.read_rest(read, a, env),
        }
    }

    #[inline(never)]
    fn read_rest(&self, read: Read, a: Val, env: &Env<'_>) -> i32 {
        let combat = &env.s.combat;
        let id = if let Val::Id(id) = a { id } else { NONE };
        let me = combat.body(env.ctx.owner);
        match read {
            Read::Orbs => combat.orbs.len() as i32,
            Read::OrbKinds => {
                let mut kinds: SmallVec<[Id; 8]> = combat.orbs.iter().map(|orb| orb.id).collect();
                kinds.sort_unstable();
                kinds.dedup();
                kinds.len() as i32
            }
            Read::Slots => i32::from(combat.orb_slots),
            Read::Channeled => combat.counts.channeled.get(id as usize).map_or(0, |&count| i32::from(count)),
            Read::OrbIs => i32::from(env.orb == id),
            Read::Stance => i32::from(combat.stance == id),
            Read::Entering => i32::from(env.stances.1 == id),
            Read::Leaving => i32::from(env.stances.0 == id),
            Read::Recent => {
                me.map_or(0, |me| i32::from(me.history[..2].iter().any(|&made| u16::from(made) == id)))
            }
            Read::Used => me.and_then(|me| me.used.get(id as usize)).map_or(0, |&used| i32::from(used)),
            Read::Var => match me {
                Some(me) => me.vars.get(id as usize).map_or(0, |&var| i32::from(var)),
                None => env
                    .s
                    .tower
                    .event()
                    .and_then(|event| event.counts.get(id as usize))
                    .map_or(0, |&n| n.into()),
            },
            Read::Seat => i32::from(env.ctx.owner) - 1,
            Read::Allies => combat.enemies().filter(|&who| who != env.ctx.owner).count() as i32,
            Read::Minions => {
                combat.enemies().filter(|&who| combat.bodies[who as usize].minion).count() as i32
            }
            Read::CountMonster => {
                combat.enemies().filter(|&who| combat.bodies[who as usize].kind == id).count() as i32
            }
            at_a_glance!() | of_bodies!() | of_the_way!() | any_filter!() => self.read_way(read, a, env),
        }
    }

    /// What only the way knows.
    #[inline(never)]
    fn read_way(&self, read: Read, a: Val, env: &Env<'_>) -> i32 {
        let s = env.s;
        match read {
            Read::Floor => s.run.floor.into(),
            Read::EntryMaxHp => s.tower.event().map_or(s.run.max_hp, |event| event.max_hp).into(),
            Read::DrawnGold => drawn::drawn_gold(s),
            Read::FindsLeft => drawn::finds_left(s).into(),
            Read::Drew => match a {
                Val::Drawn(what) => drawn::was_drawn(s, what).into(),
                _ => 0,
            },
            // Whoever can draw rolls; of others the least is seen.
            Read::RollBetween => self.arg(a, env),
            // Read before.
            at_a_glance!() | of_bodies!() | of_the_rest!() | any_filter!() => 0,
        }
    }

    #[inline(never)]
    fn read_filter(&self, read: Read, a: Val, env: &Env<'_>) -> i32 {
        let id = if let Val::Id(id) = a { id } else { NONE };
        let Some(card) = self.tested(env) else { return 0 };
        let info = &self.catalog.cards[card.id as usize];
        let form = &info.forms[card.form()];
        i32::from(match read {
            Read::IsAttack => info.kind == CardType::Attack,
            Read::IsSkill => info.kind == CardType::Skill,
            Read::IsPower => info.kind == CardType::Power,
            Read::IsStatus => info.kind == CardType::Status,
            Read::IsCurse => info.kind == CardType::Curse,
            Read::IsBasic => info.rarity == Rarity::Basic,
            Read::IsCommon => info.rarity == Rarity::Common,
            Read::IsUncommon => info.rarity == Rarity::Uncommon,
            Read::IsRare => info.rarity == Rarity::Rare,
            Read::Upgradable => {
                self.upgradable(&card) && !matches!(info.kind, CardType::Status | CardType::Curse)
            }
            Read::Ethereal => form.ethereal,
            Read::Retained => form.retain || card.has(card_flag::RETAIN),
            Read::Unplayable => form.cost == crate::catalog::compile::COST_NONE,
            Read::XCost => form.cost == crate::catalog::compile::COST_X,
            Read::Cost => return i32::from(self.combat_cost(&card)),
            Read::CostNow => {
                let slot = env.test.map_or(env.ctx.slot(), |(_, slot)| slot);
                return i32::from(self.cost_now(env.s, &card, slot));
            }
            Read::CostThisTurn => {
                let slot = env.test.map_or(env.ctx.slot(), |(_, slot)| slot);
                return i32::from(self.cost_this_turn(env.s, &card, slot));
            }
            Read::FreeOnce => card.has(card_flag::FREE_ONCE),
            Read::IsSelf => env.test.is_some_and(|(_, slot)| slot == env.ctx.slot() && slot != NO_CARD),
            Read::Removable => !card.has(card_flag::BOTTLED) && self.rulebook.card(CardNo(card.id)).removable,
            Read::AttackDamage => return self.rulebook.card(CardNo(card.id)).damage[card.form()].into(),
            Read::HasTag => info.tags.contains(&id),
            Read::IsCard => card.id == id,
            any_value!() => false,
        })
    }

    /// Whether a card can still be upgraded.
    pub fn upgradable(&self, card: &Card) -> bool {
        let info = &self.catalog.cards[card.id as usize];
        info.upgradable && (card.up == 0 || info.many_upgrades)
    }

    fn arg(&self, val: Val, env: &Env<'_>) -> i32 {
        match val {
            Val::Expr(index) => self.eval(index, env),
            _ => 0,
        }
    }

    #[inline(never)]
    fn stored(&self, env: &Env<'_>) -> i32 {
        match env.ctx.source.origin() {
            Origin::Power(id) => env
                .s
                .combat
                .body(env.ctx.owner)
                .and_then(|body| body.power(id))
                .map_or(0, |power| i32::from(power.stored)),
            Origin::Orb(index) => env
                .s
                .combat
                .orbs
                .get(index as usize)
                .map_or(i32::from(env.ctx.event), |orb| i32::from(orb.stored)),
            _ => 0,
        }
    }

    #[inline(never)]
    fn counter(&self, env: &Env<'_>) -> i32 {
        match env.ctx.source.origin() {
            Origin::Relic(index) => {
                env.s.run.relics.get(index as usize).map_or(0, |relic| i32::from(relic.counter))
            }
            _ => 0,
        }
    }

    /// The card the running program belongs to.
    fn this(&self, env: &Env<'_>) -> Option<Card> {
        env.s.combat.cards.get(env.ctx.slot() as usize).copied().or(env.test.map(|(card, _)| card))
    }

    fn tested(&self, env: &Env<'_>) -> Option<Card> {
        env.test.map(|(card, _)| card).or_else(|| env.s.combat.cards.get(env.ctx.slot() as usize).copied())
    }

    /// Whether a card in combat passes a filter.
    pub fn passes(&self, filter: Option<u16>, slot: Slot, env: &Env<'_>) -> bool {
        let Some(filter) = filter else { return true };
        let Some(card) = env.s.combat.cards.get(slot as usize) else { return false };
        let mut env = *env;
        env.test = Some((*card, slot));
        self.eval(filter, &env) != 0
    }

    #[inline(never)]
    fn count(&self, zone: Val, filter: Val, env: &Env<'_>) -> i32 {
        let Val::Zone(zone) = zone else { return 0 };
        let filter = b_or_a(filter);
        if zone == Zone::Deck {
            let deck = env.s.run.deck.iter();
            return deck
                .filter(|held| {
                    let mut env = *env;
                    env.test = Some((Card::of_deck(**held), NO_CARD));
                    self.holds(filter, &env)
                })
                .count() as i32;
        }
        let mut count = 0;
        self.each_in(env.s, zone, env.ctx.slot(), |slot| {
            count += i32::from(self.passes(filter, slot, env));
        });
        count
    }

    /// Visits the cards of a zone in order; the draw pile from the top.
    pub(crate) fn each_in(&self, s: &State, zone: Zone, this: Slot, mut visit: impl FnMut(Slot)) {
        let combat = &s.combat;
        match zone {
            Zone::Hand => combat.hand.iter().copied().for_each(visit),
            Zone::Draw => combat.draw.iter().rev().copied().for_each(visit),
            Zone::Discard => combat.discard.iter().copied().for_each(visit),
            Zone::Exhaust => combat.exhaust.iter().copied().for_each(visit),
            Zone::Limbo => combat.limbo.iter().copied().for_each(visit),
            Zone::Combat | Zone::Anywhere => {
                combat.hand.iter().copied().for_each(&mut visit);
                combat.draw.iter().rev().copied().for_each(&mut visit);
                combat.discard.iter().copied().for_each(&mut visit);
                if zone == Zone::Anywhere {
                    combat.exhaust.iter().copied().for_each(visit);
                }
            }
            // A rule that no card fired, and none is, means nothing by them.
            Zone::This | Zone::Trigger if usize::from(this) >= combat.cards.len() => {}
            Zone::This | Zone::Trigger => visit(this),
            Zone::Chosen => combat.chosen.iter().copied().for_each(visit),
            Zone::Drawn => combat.drawn.iter().copied().for_each(visit),
            Zone::Deck => {}
        }
    }

    /// The body a word means, for values; the first one where it means several.
    pub fn who(&self, who: Who, env: &Env<'_>) -> u8 {
        let combat = &env.s.combat;
        match who {
            Who::Target | Who::Attacker | Who::Victim => env.ctx.other,
            Who::Me => env.ctx.owner,
            Who::Player => PLAYER,
            Who::Each => env.each,
            Who::Weakest => weakest(env.s),
            Who::Enemies | Who::Random | Who::RandomAlly => combat.enemies().next().unwrap_or(NOBODY),
            Who::Others => combat.enemies().find(|&other| other != env.ctx.owner).unwrap_or(NOBODY),
            Who::Leader => {
                combat.enemies().find(|&who| !combat.bodies[who as usize].minion).unwrap_or(NOBODY)
            }
        }
    }

    /// The body a verb is aimed at, if the word means one; `ANYBODY` and its like are found out later.
    #[inline]
    pub fn target(&self, who: Who, env: &Env<'_>) -> Option<u8> {
        match who {
            Who::Enemies => env.s.combat.lone_enemy(),
            Who::Others => None,
            Who::Random => Some(ANYBODY),
            Who::RandomAlly => Some(ALLY_OF | env.ctx.owner),
            Who::Weakest => Some(WEAKEST),
            one => Some(self.who(one, env)),
        }
    }

    /// The bodies a verb is aimed at.
    pub fn targets(&self, who: Who, env: &Env<'_>) -> Bodies {
        if let Some(one) = self.target(who, env) {
            return SmallVec::from_slice(&[one]);
        }
        let combat = &env.s.combat;
        let mine = if env.ctx.owner == PLAYER { env.ctx.other } else { env.ctx.owner };
        combat.enemies().filter(|&enemy| who == Who::Enemies || enemy != mine).collect()
    }

    /// Whether a monster's intent is an attack.
    pub(crate) fn intends_attack(&self, s: &State, who: u8) -> bool {
        use crate::catalog::words::Intent;
        s.combat.body(who).is_some_and(|body| {
            body.life == Life::Alive
                && self.move_of(body.kind, body.intent).is_some_and(|made| {
                    matches!(
                        made.intent,
                        Intent::Attack | Intent::AttackBuff | Intent::AttackDebuff | Intent::AttackDefend
                    )
                })
        })
    }
}

/// The living enemy with least HP, the first on ties.
pub fn weakest(s: &State) -> u8 {
    s.combat.enemies().min_by_key(|&who| s.combat.bodies[who as usize].hp).unwrap_or(NOBODY)
}

/// The player's HP where he has no body: outside of fights.
fn outside(s: &State) -> i32 {
    if s.combat.bodies.is_empty() { i32::from(s.run.hp) } else { 0 }
}

fn b_or_a(val: Val) -> Option<u16> {
    match val {
        Val::Expr(index) => Some(index),
        _ => None,
    }
}
