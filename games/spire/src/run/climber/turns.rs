//! Planning a turn of a fight: every way to play it, as far as nothing new is seen on the way, and what comes of
//! each when a simple player finishes the fight.

use std::collections::{BTreeSet, VecDeque};

use turnstone::dice::Lots;
use turnstone::{Input, InputOf, Off, Offers, Position, Resolver};
use turnstone_host::Sight;
use turnstone_host::halving::{Budget, halving};

use super::Choice;
use crate::action::Action;
use crate::action::Deed;
use crate::game::Spire;
use crate::run::tower::{End, FightKind};
use crate::state::State;
use crate::state::{Body, Card, Combat, NONE, Slot};

pub(super) type World = Position<Spire>;
type Sent = InputOf<Spire>;

/// Steps tried out on the search for lines.
const STEPS: usize = 320;
/// Lines that are played on.
const LINES: usize = 72;
/// Worlds that lines are tried in.
const WORLDS: usize = 40;
/// Inputs of a fight that is played on: more are not waited for.
const LONGEST: usize = 400;
/// A difference between two lines that is not worth finding out: half a percent of health.
const SLACK: i32 = 30;

/// What is at stake in a fight.
struct Stake {
    potions: i32,
    /// What a potion is worth, in ten-thousandths of a fight.
    potion: i32,
    boss: bool,
    last: bool,
    max_hp: i32,
    foes: i32,
    beaten: u32,
}

/// A way to play the turn, or the part of it up to something new.
#[derive(Clone, Default)]
struct Line {
    sent: Vec<Sent>,
    standing: i32,
}

/// Plans turns.
pub(super) struct Planner<'a> {
    game: &'a Spire,
    resolver: Resolver<Spire>,
    offers: Offers<Spire>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(game: &'a Spire) -> Self {
        Planner { game, resolver: Resolver::default(), offers: Offers::default() }
    }

    /// What to send in a fight, after so many tries, in a world that looks like the true one.
    pub(super) fn choose(
        &mut self,
        sight: &Sight<'_, Spire>,
        world: World,
        tries: usize,
        lots: &mut Lots,
    ) -> Choice {
        let mut worlds = vec![world];
        let lines = self.lines(&worlds[0], sight.inputs());
        let first = |line: &Line| sight.inputs().iter().position(|input| line.sent.first() == Some(input));
        let stake = stake(worlds[0].state());
        let mut scratch = worlds[0].clone();
        let (best, tried) = halving(lines.len(), Budget::of(tries, SLACK), |line, number| {
            let world = number % WORLDS;
            while worlds.len() <= world {
                worlds.push(sight.sample(lots));
            }
            scratch.clone_from(&worlds[world]);
            self.play(&mut scratch, &lines[line].sent, &stake)
        });
        let mut choice = Choice::new(lines.get(best).and_then(first).unwrap_or(0));
        choice.line = lines.get(best).map(|line| line.sent.clone()).unwrap_or_default();
        let weighed = lines.iter().zip(tried).filter_map(|(line, tried)| Some((first(line)?, tried)));
        weighed.for_each(|(input, tried)| choice.weigh(input, tried, tried.mean() as f64 / 1e7));
        choice
    }

    /// Every line that is worth playing on, the better looking ones if they are too many.
    fn lines(&mut self, world: &World, offered: &[Sent]) -> Vec<Line> {
        let (mut found, mut known) = (Vec::new(), BTreeSet::new());
        let mut open = VecDeque::from([(world.clone(), Line::default())]);
        let mut steps = 0;
        while let Some((from, line)) = open.pop_front() {
            let inputs = if line.sent.is_empty() {
                offered.to_vec()
            } else {
                self.offers.list(self.game, &from).to_vec()
            };
            for input in inputs.iter().filter(|input| considered(&line, input)) {
                let mut next = line.clone();
                next.sent.push(input.clone());
                if *input == Input::Act(Deed::Fight(Action::EndTurn)) {
                    next.standing = self.game.standing(from.state());
                    found.push(next);
                    continue;
                }
                steps += 1;
                let mut after = from.clone();
                if self.resolver.act_unchecked(self.game, &mut after, input, &mut Off).is_err() {
                    continue;
                }
                if is_over(after.state()) || revealed(from.state(), after.state()) || steps > STEPS {
                    next.standing =
                        if is_over(after.state()) { i32::MAX } else { self.game.standing(after.state()) };
                    found.push(next);
                } else if known.insert(key(&after)) {
                    open.push_back((after, next));
                }
            }
        }
        found.sort_by_key(|line| std::cmp::Reverse(line.standing));
        found.truncate(LINES);
        found
    }

    /// Sends a line and plays the fight on; what came of it, from 0 to 10,000, and after how many inputs.
    fn play(&mut self, world: &mut World, line: &[Sent], stake: &Stake) -> (i32, usize) {
        for input in line {
            if is_over(world.state()) || self.resolver.try_act(self.game, world, input, &mut Off).is_err() {
                break;
            }
        }
        let mut foes = stake.foes;
        for played in 0..LONGEST {
            if is_over(world.state()) {
                return (stake.value(world.state(), foes), line.len() + played);
            }
            foes = left(&world.state().combat);
            let inputs = self.offers.list(self.game, world);
            let chosen = super::quick(self.game, world, inputs);
            let Some(input) = inputs.get(chosen) else { break };
            if self.resolver.act_unchecked(self.game, world, input, &mut Off).is_err() {
                break;
            }
        }
        (stake.lost(foes), line.len() + LONGEST)
    }

    /// How the world will look after an input, as far as that matters.
    pub(super) fn after(&mut self, world: &World, input: &Sent) -> Option<u64> {
        let mut after = world.clone();
        self.resolver.act_unchecked(self.game, &mut after, input, &mut Off).ok()?;
        Some(key(&after))
    }
}

/// Potions are thrown away by nobody, and drunk before cards are played, so that lines stay few.
fn considered(line: &Line, input: &Sent) -> bool {
    let played = || line.sent.iter().any(|sent| matches!(sent, Input::Act(Deed::Fight(Action::Play { .. }))));
    match input {
        Input::Act(Deed::Fight(Action::Toss { .. })) | Input::Act(Deed::Run(_)) => false,
        Input::Act(Deed::Fight(Action::Potion { .. })) => !played(),
        _ => true,
    }
}

fn is_over(state: &State) -> bool {
    !state.is_fighting()
}

/// Whether something was seen that nobody could know.
fn revealed(before: &State, after: &State) -> bool {
    let (old, new) = (before, after);
    old.run.dice != new.run.dice
        || old.combat.rolls != new.combat.rolls
        || old.combat.draw.len() > new.combat.draw.len()
}

/// Hit points of everybody who is still there.
fn left(combat: &Combat) -> i32 {
    combat.bodies.iter().skip(1).filter(|body| body.alive()).map(|body| i32::from(body.hp.max(0))).sum()
}

fn potions(state: &State) -> i32 {
    state.run.potions.iter().filter(|potion| **potion != NONE).count() as i32
}

fn beaten(state: &State) -> u32 {
    let tally = &state.tower.tally;
    u32::from(tally.fights)
        + tally.elites.iter().map(|count| u32::from(*count)).sum::<u32>()
        + u32::from(tally.bosses)
}

fn stake(state: &State) -> Stake {
    let run = &state.run;
    let kind = state.tower.fighting.map(|fighting| fighting.kind);
    let boss = kind == Some(FightKind::Boss);
    Stake {
        potions: potions(state),
        potion: match kind {
            Some(FightKind::Boss) if run.act >= 3 => 0,
            Some(FightKind::Boss) => 60,
            Some(FightKind::Elite) => 250,
            _ => 500,
        },
        boss,
        last: boss && run.act >= 3,
        max_hp: run.max_hp.into(),
        foes: left(&state.combat),
        beaten: beaten(state),
    }
}

impl Stake {
    /// What a fight that is over came to. The fewer hit points there are, the more one is worth; after a boss they
    /// come back.
    fn value(&self, state: &State, foes: i32) -> i32 {
        let run = &state.run;
        if state.tower.end == Some(End::Died) || run.hp <= 0 {
            return self.lost(foes);
        }
        let health = i32::from(run.hp) * 1000 / i32::from(run.max_hp.max(1));
        let health = health * (1500 - health / 2) / 1000;
        let drunk = (self.potions - potions(state)).max(0) * self.potion;
        let grown = (i32::from(run.max_hp) - self.max_hp) * 60;
        let fled = if state.tower.end.is_none() && beaten(state) == self.beaten { 1500 } else { 0 };
        let won = match (self.last, self.boss) {
            (true, _) => 9500 + health / 2,
            (_, true) => 8200 + health * 3 / 2,
            _ => 4000 + health * 6,
        };
        (won - drunk + grown - fled).clamp(2000, 12_000)
    }

    /// A lost fight is the better the nearer it was.
    fn lost(&self, foes: i32) -> i32 {
        1500 * (self.foes - foes).clamp(0, self.foes.max(1)) / self.foes.max(1)
    }
}

/// A number that two positions share if it does not matter which of them it is.
pub(super) fn key(world: &World) -> u64 {
    let (run, combat) = (&world.state().run, &world.state().combat);
    let card = |slot: &Slot| combat.cards.get(usize::from(*slot)).map_or(0, card_key);
    let pile = |slots: &[Slot]| slots.iter().fold(0u64, |sum, slot| sum.wrapping_add(card(slot)));
    let counts = &combat.counts;
    let mut hash = mix(0, combat.energy as u64);
    for pile in [pile(&combat.hand), pile(&combat.discard), pile(&combat.exhaust), pile(&combat.draw)] {
        hash = mix(hash, pile);
    }
    hash = mix(hash, u64::from(combat.stance));
    hash = mix(
        hash,
        u64::from(counts.cards_played) << 16
            | u64::from(counts.attacks_played) << 8
            | u64::from(counts.skills_played),
    );
    for body in &combat.bodies {
        hash = mix(hash, body_key(body));
    }
    for orb in &combat.orbs {
        hash = mix(hash, u64::from(orb.id) << 16 | orb.stored as u16 as u64);
    }
    for relic in &run.relics {
        hash = mix(hash, relic.counter as u64);
    }
    for potion in &run.potions {
        hash = mix(hash, u64::from(*potion));
    }
    for pick in &combat.picks {
        hash = mix(hash, card(pick));
    }
    mix(hash, u64::from(world.pending().is_some()))
}

fn card_key(card: &Card) -> u64 {
    let costs = [card.cost, card.turn_cost, card.cost_add].map(|cost| cost as u8 as u64);
    let hash = mix(u64::from(card.id), u64::from(card.up) << 32 | costs[0] << 16 | costs[1] << 8 | costs[2]);
    mix(hash, u64::from(card.flags) << 32 | (card.grown as u16 as u64) << 16 | card.kept as u16 as u64)
}

fn body_key(body: &Body) -> u64 {
    let powers = body.powers.iter().fold(0u64, |sum, power| {
        sum.wrapping_add(mix(u64::from(power.id), (power.n as u16 as u64) << 16 | power.stored as u16 as u64))
    });
    let hash =
        mix(powers, (body.hp as u16 as u64) << 32 | (body.block as u16 as u64) << 8 | u64::from(body.intent));
    mix(hash, body.life as u64)
}

/// Mixes a number into a hash.
fn mix(hash: u64, number: u64) -> u64 {
    let mixed = (hash ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ mixed >> 29
}
