//! The usual things, ready to place.

use super::Blueprint;
use crate::component::{Appearance, Axis, Mask, Moving};
use crate::document::Entity;
use crate::geometry::Direction;

/// How a thing walks by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patrol {
    /// The direction it starts in.
    pub direction: Direction,
    /// Whether it turns round when stopped.
    pub bounce: bool,
    /// Cells per step.
    pub speed: i32,
}

impl Patrol {
    /// One cell per step, turning round when stopped.
    pub fn new(direction: Direction) -> Self {
        Self { direction, bounce: true, speed: 1 }
    }

    /// The component.
    pub fn moving(self) -> Moving {
        let (axis, direction) = Axis::of(self.direction);
        Moving { axis, direction, bounce: self.bounce, speed: self.speed, prev_position: None }
    }
}

/// How long an effect lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lasting {
    /// Steps.
    pub time: Option<i32>,
    /// Uses.
    pub usage: Option<i32>,
}

fn look(name: &str, priority: i32) -> Option<Appearance> {
    Some(Appearance { name: name.into(), priority, icon: false, background: false })
}

fn icon(name: &str) -> Option<Appearance> {
    Some(Appearance { name: name.into(), priority: 4, icon: true, background: false })
}

fn ground(name: &str, priority: i32) -> Option<Appearance> {
    Some(Appearance { name: name.into(), priority, icon: false, background: true })
}

/// Somebody to act.
pub fn agent(health: i32) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::AGENT | Mask::COLLIDABLE,
        health: Some((health, health)),
        inventory: Some(Vec::new()),
        status: Some(Vec::new()),
        appearance: look("human", 0),
        ..Entity::default()
    })
}

/// Ground that costs points to stand on.
pub fn floor(cost: i32) -> Blueprint {
    Blueprint::from(Entity { cost: Some(cost), appearance: ground("floor", 10), ..Entity::default() })
}

/// A wall.
pub fn wall() -> Blueprint {
    Blueprint::from(Entity { markers: Mask::BLOCKING, appearance: ground("wall", 9), ..Entity::default() })
}

/// A way out.
pub fn exit() -> Blueprint {
    Blueprint::from(Entity { markers: Mask::EXIT, appearance: look("exit", 9), ..Entity::default() })
}

/// Something to pick up.
pub fn coin(reward: Option<i32>) -> Blueprint {
    let (markers, appearance) = (Mask::COLLECTIBLE, icon("coin"));
    Blueprint::from(Entity { markers, rewardable: reward, appearance, ..Entity::default() })
}

/// Something that must be picked up, if `required`.
pub fn core(reward: Option<i32>, required: bool) -> Blueprint {
    let extra = if required { Mask::REQUIRABLE } else { Mask::NONE };
    let markers = Mask::COLLECTIBLE | extra;
    Blueprint::from(Entity { markers, rewardable: reward, appearance: icon("core"), ..Entity::default() })
}

/// A key.
pub fn key(key_id: &str) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::COLLECTIBLE,
        key: Some(key_id.into()),
        appearance: icon("key"),
        ..Entity::default()
    })
}

/// A locked door.
pub fn door(key_id: &str) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::BLOCKING,
        locked: Some(key_id.into()),
        appearance: look("door", 6),
        ..Entity::default()
    })
}

/// A portal that leads nowhere yet; see [`Level::pair`](super::Level::pair).
pub fn portal() -> Blueprint {
    Blueprint::from(Entity { portal: Some(-1), appearance: look("portal", 7), ..Entity::default() })
}

/// A box, to be pushed or walking by itself.
pub fn crate_box(pushable: bool, patrol: Option<Patrol>) -> Blueprint {
    let extra = if pushable { Mask::PUSHABLE } else { Mask::NONE };
    Blueprint::from(Entity {
        markers: Mask::BLOCKING | Mask::COLLIDABLE | extra,
        moving: patrol.map(Patrol::moving),
        appearance: look("box", 2),
        ..Entity::default()
    })
}

/// A monster, standing or walking by itself.
pub fn monster(damage: i32, lethal: bool, patrol: Option<Patrol>) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::COLLIDABLE | deadly(lethal),
        damage: Some(damage),
        moving: patrol.map(Patrol::moving),
        appearance: look("monster", 1),
        ..Entity::default()
    })
}

/// Ground that hurts: `lava`, `spike`.
pub fn hazard(name: &str, damage: i32, lethal: bool, priority: i32) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::COLLIDABLE | deadly(lethal),
        damage: Some(damage),
        appearance: look(name, priority),
        ..Entity::default()
    })
}

fn deadly(lethal: bool) -> Mask {
    if lethal { Mask::LETHAL } else { Mask::NONE }
}

/// Boots: several moves per action.
pub fn boots(multiplier: i32, lasting: Lasting) -> Blueprint {
    let mut boots = power(Mask::NONE, "boots", lasting);
    boots.entity.speed = Some(multiplier);
    boots
}

/// A shield: negates hits.
pub fn shield(lasting: Lasting) -> Blueprint {
    power(Mask::IMMUNITY, "shield", lasting)
}

/// A ghost: walks through anything.
pub fn ghost(lasting: Lasting) -> Blueprint {
    power(Mask::PHASING, "ghost", lasting)
}

fn power(kind: Mask, name: &str, lasting: Lasting) -> Blueprint {
    Blueprint::from(Entity {
        markers: Mask::COLLECTIBLE | kind,
        time_limit: lasting.time,
        usage_limit: lasting.usage,
        appearance: icon(name),
        ..Entity::default()
    })
}
