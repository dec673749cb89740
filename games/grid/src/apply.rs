//! The only writer: each fact, written into the state.

use std::sync::Arc;

use crate::component::Mask;
use crate::effect::Group;
use crate::event::{Event, Pocket};
use crate::geometry::Cell;
use crate::state::State;
use crate::world::{Hit, Motion, Slot, World};

/// Writes a fact into the state. Decides nothing and cannot fail.
#[inline]
pub fn apply(state: &mut State, event: &Event) {
    let world = &mut state.world;
    let bounds = world.cast.bounds;
    match *event {
        Event::Walked { agent, to } => walk(state, agent, bounds.at(to)),
        Event::Scored { amount, .. } => {
            world.live.score = world.live.score.saturating_add(i64::from(amount));
        }
        Event::TurnEnded { lost, next } => end_turn(state, lost, next),
        Event::Bumped { agent, .. } | Event::Tracked { agent } => track(world, agent),
        Event::Patrolled { mover, steps, stopped } => patrol(world, mover, steps, stopped),
        Event::Hunted { hunter, to } => world.relocate(hunter, bounds.at(to)),
        Event::Shifted { who, to, .. } => world.relocate(who, bounds.at(to)),
        Event::PositionsNoted => world.note_positions(),
        Event::Forgotten => {
            world.live.hits.clear();
            world.live.trail.clear();
        }
        Event::Ticked { effect, left, .. } => world.set_time(effect, left),
        Event::Spent { effect, left, .. } => {
            world.set_uses(effect, left);
            state.stirred = true;
        }
        Event::Negated { effect, left: Some(left), .. } => world.set_uses(effect, left),
        Event::Hurt { target, damager, health, died } => hurt(world, target, damager, health, died),
        Event::Unlocked { agent, lock, key } => {
            world.strip(lock, Mask::LOCKED | Mask::BLOCKING);
            world.drop_item(agent, key);
            world.strip(key, Mask::KEY);
        }
        Event::Collected { agent, item, pocket, reward } => collect(world, agent, item, pocket, reward),
        Event::Teleported { ref who, to, .. } => teleport(world, who, bounds.at(to)),
        Event::Pushed { agent, ref things, from, to, trail } => {
            push(state, agent, things, (bounds.at(from), bounds.at(to)), trail);
        }
        Event::Won { agent } => {
            world.live.win = true;
            state.winner = agent;
        }
        Event::Lost { .. } => world.live.lose = true,
        Event::Resigned { agent, next } => {
            world.kill(agent);
            state.next = next;
        }
        Event::Remembered(ref memo) => world.remember(&memo.system, memo.key, memo.value),
        Event::Expired { bearer, effect } => world.shed(bearer, effect),
        Event::Swept => world.live.litter = false,
        Event::Vanished { entity } => world.erase(entity),
        Event::SubstepBegan { remembered } => {
            state.before = remembered.then(|| Arc::new(state.world.live.clone()));
            state.stirred = false;
        }
        Event::Declared { ref deeds } => state.plan.clone_from(&**deeds),
        Event::Negated { left: None, .. } | Event::Blew { .. } => {}
    }
}

#[inline]
fn walk(state: &mut State, agent: Slot, to: Cell) {
    state.stirred |= state.world.cell(agent) != to;
    state.world.relocate(agent, to);
    state.world.mark_trail(to, agent);
}

#[inline]
fn end_turn(state: &mut State, lost: bool, next: Slot) {
    let live = &mut state.world.live;
    live.turn = live.turn.saturating_add(1);
    live.lose |= lost;
    live.trail.clear();
    state.world.note_positions();
    state.next = next;
    state.stirred = false;
    state.plan.clear();
    state.before = None;
}

#[inline]
fn track(world: &mut World, agent: Slot) {
    let cell = world.cell(agent);
    if cell.is_some() {
        world.mark_trail(cell, agent);
    }
}

fn patrol(world: &mut World, mover: Slot, steps: u32, stopped: bool) {
    let Some(Motion { direction, mut prev }) = world.motion(mover) else { return };
    let (bounds, traits) = (world.cast.bounds, world.cast.of(mover));
    let (vector, bounce) = (traits.axis.vector(i32::from(direction)), traits.bounce);
    let mut here = world.cell(mover);
    for _ in 0..steps {
        let Some(next) = bounds.step(here, vector) else { break };
        prev = Some(bounds.point(here));
        world.mark_trail(next, mover);
        here = next;
    }
    world.relocate(mover, here);
    if stopped {
        prev = Some(bounds.point(here));
        world.mark_trail(here, mover);
    }
    let direction = if stopped && bounce { -direction } else { direction };
    world.set_motion(mover, Motion { direction, prev });
}

fn hurt(world: &mut World, target: Slot, damager: Slot, health: i32, died: bool) {
    world.set_health(target, health);
    if died {
        world.kill(target);
    }
    let turn = world.live.turn;
    world.record_hit(Hit { target, damager, turn });
}

fn collect(world: &mut World, agent: Slot, item: Slot, pocket: Pocket, reward: i32) {
    match pocket {
        Pocket::Status => world.bear(agent, item),
        Pocket::Inventory => world.carry(agent, item),
        Pocket::Nowhere => {}
    }
    world.live.score = world.live.score.saturating_add(i64::from(reward));
    world.strip(item, Mask::COLLECTIBLE);
    world.lift(item);
}

fn teleport(world: &mut World, who: &Group, to: Cell) {
    for &slot in who {
        world.relocate(slot, to);
    }
}

fn push(state: &mut State, agent: Slot, things: &Group, (from, to): (Cell, Cell), trail: bool) {
    for &thing in things {
        state.world.relocate(thing, to);
        if trail {
            state.world.mark_trail(to, thing);
        }
    }
    walk(state, agent, from);
    state.stirred = true;
}
