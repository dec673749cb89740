//! Facts, effects and actions in words.

use crate::action::Action;
use crate::effect::Effect;
use crate::event::{Event, Pocket};
use crate::game::Grid;
use crate::state::at;
use crate::world::{Slot, World};

fn names(world: &World, group: &[Slot]) -> String {
    group.iter().map(|slot| world.cast.name(*slot)).collect::<Vec<_>>().join(" and ")
}

/// One sentence about a fact.
pub(crate) fn event(game: &Grid, world: &World, event: &Event) -> String {
    if event.highest_slot() >= world.slot_count() {
        return "something happens to what is not in this world".into();
    }
    let name = |slot: Slot| world.cast.name(slot);
    match *event {
        Event::Patrolled { .. }
        | Event::Hunted { .. }
        | Event::Walked { .. }
        | Event::Bumped { .. }
        | Event::Pushed { .. }
        | Event::Teleported { .. }
        | Event::Shifted { .. } => movement(game, world, event),
        Event::Ticked { bearer, effect, left } => {
            format!("{} of {} has {left} steps left", name(effect), name(bearer))
        }
        Event::Spent { bearer, effect, left } => {
            format!("{} uses {}, {left} uses left", name(bearer), name(effect))
        }
        Event::Hurt { target, damager, health, died } => {
            let end = if died { ", and that is its death" } else { "" };
            format!("{} is hit by {}, {health} health left{end}", name(target), name(damager))
        }
        Event::Negated { target, damager, effect, left } => {
            let uses = left.map_or(String::new(), |left| format!(", {left} uses left"));
            format!("{} spares {} the hit by {}{uses}", name(effect), name(target), name(damager))
        }
        Event::Scored { agent, source, amount } => {
            let verb = if amount < 0 { "pays" } else { "earns" };
            format!("{} {verb} {} for {}", name(agent), amount.unsigned_abs(), name(source))
        }
        Event::Collected { agent, item, pocket, reward } => collected(world, agent, item, pocket, reward),
        Event::Unlocked { agent, lock, key } => {
            format!("{} opens {} with {}", name(agent), name(lock), name(key))
        }
        Event::Won { agent } => format!("{} has reached the objective", name(agent)),
        Event::Lost { agent } => format!("{} is dead, the game is lost", name(agent)),
        Event::Expired { bearer, effect } => format!("{} of {} has ended", name(effect), name(bearer)),
        Event::Vanished { entity } => format!("{} is gone", name(entity)),
        Event::TurnEnded { lost, .. } => {
            format!("turn {} is over{}", world.live.turn, if lost { ", and the game is lost" } else { "" })
        }
        _ => bookkeeping(world, event),
    }
}

fn cells(number: u32) -> String {
    if number == 1 { "1 cell".into() } else { format!("{number} cells") }
}

fn movement(game: &Grid, world: &World, event: &Event) -> String {
    let name = |slot: Slot| world.cast.name(slot);
    match *event {
        Event::Patrolled { mover, steps, stopped } => {
            let here = at(world, world.cell(mover));
            match (steps, stopped) {
                (0, _) => format!("{} at {here} is stopped", name(mover)),
                (_, true) => format!("{} walks {} to {here} and is stopped", name(mover), cells(steps)),
                (_, false) => format!("{} walks {} to {here}", name(mover), cells(steps)),
            }
        }
        Event::Hunted { hunter, to } => {
            let prey = name(world.cast.of(hunter).prey);
            format!("{} hunts {prey} to {}", name(hunter), at(world, to))
        }
        Event::Walked { agent, to } => format!("{} walks to {}", name(agent), at(world, to)),
        Event::Bumped { agent, against } if !against.is_some() => {
            format!("{} cannot leave the grid", name(agent))
        }
        Event::Bumped { agent, against } => format!("{} cannot enter {}", name(agent), at(world, against)),
        Event::Pushed { agent, ref things, to, .. } => {
            format!("{} pushes {} to {}", name(agent), names(world, things), at(world, to))
        }
        Event::Teleported { portal, ref who, to } => {
            format!("{} sends {} to {}", name(portal), names(world, who), at(world, to))
        }
        Event::Shifted { who, to, system } => {
            format!("{} moves {} to {}", game.schedule.name_at(system), name(who), at(world, to))
        }
        _ => String::new(),
    }
}

fn collected(world: &World, agent: Slot, item: Slot, pocket: Pocket, reward: i32) -> String {
    let pay = if reward == 0 { String::new() } else { format!(" for {reward} points") };
    let verb = match pocket {
        Pocket::Status => "puts on",
        Pocket::Inventory => "takes",
        Pocket::Nowhere => "cashes in",
    };
    format!("{} {verb} {}{pay}", world.cast.name(agent), world.cast.name(item))
}

fn bookkeeping(world: &World, event: &Event) -> String {
    match *event {
        Event::Forgotten => "the hits of the step before are forgotten".into(),
        Event::PositionsNoted => "positions are noted".into(),
        Event::SubstepBegan { .. } => "one cell of a longer move".into(),
        Event::Declared { .. } => "everybody has chosen".into(),
        Event::Blew { drift } => format!("a gust blows {}", format!("{drift:?}").to_lowercase()),
        Event::Tracked { agent } => {
            format!("{} is at {}", world.cast.name(agent), at(world, world.cell(agent)))
        }
        Event::Swept => "what was taken, dropped or used up is looked through".into(),
        _ => String::new(),
    }
}

/// A few words about an effect.
pub(crate) fn effect(game: &Grid, world: &World, effect: &Effect) -> String {
    let name = |slot: Slot| world.cast.name(slot);
    match *effect {
        Effect::Run(cursor) => format!("the lifecycle from `{}`", game.schedule.name_at(cursor.at)),
        Effect::Submove { agent, left, .. } => format!("{left} more moves of {}", name(agent)),
        Effect::Attempt { agent, cell } => format!("{} going on to {}", name(agent), at(world, cell)),
        Effect::Hurt { target, damager } => format!("a hit on {} by {}", name(target), name(damager)),
        Effect::Hunt { hunter } => format!("{} hunting {}", name(hunter), name(world.cast.of(hunter).prey)),
        Effect::Walk { agent, to, phased } => {
            let how = if phased { " through anything" } else { "" };
            format!("{} walking to {}{how}", name(agent), at(world, to))
        }
        Effect::Teleport { portal, ref entrants } => {
            format!("{} sending {}", name(portal), names(world, entrants))
        }
        Effect::Unlock { agent, lock } => format!("{} opening {}", name(agent), name(lock)),
        Effect::Collect { agent, item } => format!("{} picking up {}", name(agent), name(item)),
        _ => format!("{effect:?}"),
    }
}

/// An action in words.
pub(crate) fn action(world: &World, action: &Action) -> String {
    let words = |deed: &crate::action::Deed| deed.name().replace('_', " ");
    let agent =
        |id: u32| world.cast.slot(i64::from(id)).map_or(format!("agent {id}"), |slot| world.cast.name(slot));
    match action {
        Action::Step { deed, agent: None } => words(deed),
        Action::Step { deed, agent: Some(id) } => format!("{}: {}", agent(*id), words(deed)),
        Action::Together { deeds } => {
            let each = deeds.iter().map(|(id, deed)| format!("{}: {}", agent(*id), words(deed)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}
