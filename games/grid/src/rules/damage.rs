//! Damage: whoever has health and meets something that hurts is hit, once per
//! damager and turn. Meeting is sharing a cell, swapping cells, or crossing
//! trails; stepping into the cell a damager just left is not.

use smallvec::SmallVec;
use turnstone::Notes;

use crate::component::Mask;
use crate::effect::Effect;
use crate::event::Event;
use crate::reason::Reason;
use crate::schedule::{Orders, Turn};
use crate::world::{Hit, Slot, World};

pub(crate) fn damage(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &target in &world.cast.mortals {
        let mask = world.mask(target);
        if !mask.any(Mask::HEALTH) || mask.any(Mask::DEAD) || !world.cell(target).is_some() {
            continue;
        }
        for damager in suspects(world, target) {
            if meets(world, target, damager) && !was_hit(world, target, damager) {
                orders.propose(Effect::Hurt { target, damager });
            }
        }
    }
}

/// Those that could meet the target, in id order: only what shares its cell, has left its
/// cell or has crossed its trail comes into question, however much lies about elsewhere.
fn suspects(world: &World, target: Slot) -> SmallVec<[Slot; 8]> {
    let mut found = SmallVec::new();
    let here = world.cell(target);
    let hurts = |slot: &Slot| *slot != target && world.has(*slot, Mask::DAMAGER);
    if world.blocks(here, Mask::DAMAGER) {
        found.extend(world.at(here).filter(hurts));
    }
    let moved = world.live.moved.iter().copied().filter(hurts);
    found.extend(moved.filter(|slot| world.cell(*slot).is_some() && world.prev_cell(*slot) == here));
    for cell in world.trail_of(target) {
        let crossed = world.trail_at(cell).iter().map(|(_, slot)| *slot).filter(hurts);
        found.extend(crossed.filter(|slot| world.cell(*slot).is_some()));
    }
    if found.len() > 1 {
        found.sort_unstable();
        found.dedup();
    }
    found
}

fn meets(world: &World, target: Slot, damager: Slot) -> bool {
    let (now, before) = (world.cell(target), world.prev_cell(target));
    let (its_now, its_before) = (world.cell(damager), world.prev_cell(damager));
    let in_trail = |slot, cell| world.live.trail.binary_search(&(cell, slot)).is_ok();
    let crossing = || world.trail_of(target).any(|cell| in_trail(damager, cell));
    if now == its_now || crossing() {
        return true;
    }
    if now != its_before {
        return false;
    }
    let swap = before == its_now;
    let into_its_way = in_trail(damager, before);
    // It just left the cell the target stepped into, and neither passed the other's way.
    let vacated = !into_its_way && !in_trail(target, its_now);
    swap || (!vacated && (into_its_way || in_trail(target, its_before)))
}

fn was_hit(world: &World, target: Slot, damager: Slot) -> bool {
    world.live.hits.binary_search(&Hit { target, damager, turn: world.live.turn }).is_ok()
}

pub(crate) fn settle(world: &World, target: Slot, damager: Slot, notes: &mut Notes<Reason>) -> Option<Event> {
    if !world.has(target, Mask::HEALTH) || was_hit(world, target, damager) {
        return None;
    }
    let lethal = world.has(damager, Mask::LETHAL);
    let amount = if world.has(damager, Mask::DAMAGE) { world.cast.of(damager).damage } else { 0 };
    let left = world.health(target).saturating_sub(amount).max(0);
    let died = left == 0 || lethal;
    notes.changed(Reason::Damage { damager }, world.health(target), left);
    if lethal {
        notes.changed(Reason::Lethal { damager }, left, 0);
    }
    Some(Event::Hurt { target, damager, health: if died { 0 } else { left }, died })
}

pub(crate) fn settle_negated(
    world: &World,
    (target, damager): (Slot, Slot),
    effect: Slot,
    notes: &mut Notes<Reason>,
) -> Option<Event> {
    let left = world.uses_left(effect).map(|left| left.saturating_sub(1));
    if let (Some(before), Some(left)) = (world.uses_left(effect), left) {
        notes.changed(Reason::Use { effect }, before, left);
    }
    Some(Event::Negated { target, damager, effect, left })
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn a_hit_once_per_damager_and_turn() {
        let trial = Trial::new("\n@^E").plays("right");
        assert_eq!(trial.world().health(trial.agent()), 2);
        let trial = trial.plays("wait");
        assert!(trial.tells("The spike hits you, and that is death"), "{:?}", trial.told);
    }

    #[test]
    fn changing_places_hurts_and_following_does_not() {
        let meets = Trial::new("\n@m..E\n\nm = monster damage=1 moves=left").plays("right");
        assert_eq!(meets.world().health(meets.agent()), 4);
        let follows = Trial::new("\n@m..E\n\nm = monster damage=1 moves=right").plays("right");
        assert_eq!(follows.world().health(follows.agent()), 5);
    }

    #[test]
    fn without_health_nothing_hurts() {
        let trial = Trial::new("\n@~E\n\n@ = thing look=human agent collidable").plays("right right");
        assert!(trial.world().live.win);
    }
}
