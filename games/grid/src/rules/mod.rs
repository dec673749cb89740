//! The rules. A system looks at the world and proposes what its rule demands:
//! one file, one system. The [`schedule`] is the order in which they run, the
//! lifecycle runs them, and what can give each of them work is in `awake`.
//! [`moves`] turn a direction into cells, [`objective`]s say what wins.

pub(crate) mod awake;
mod collect;
mod damage;
mod forget;
mod garbage;
mod lifecycle;
mod lose;
mod movement;
pub mod moves;
mod moving;
pub mod objective;
mod pathfinding;
mod portal;
mod push;
pub mod schedule;
mod snapshot;
pub(crate) mod status;
mod status_cleanup;
mod status_tick;
mod tile_cost;
mod tile_reward;
mod trail;
mod turn;
mod unlock;
mod win;

pub(crate) use collect::{collect, settle as settle_collect};
pub(crate) use damage::{damage, settle as settle_hurt, settle_negated};
pub(crate) use forget::forget;
pub(crate) use garbage::garbage;
pub(crate) use lose::lose;
pub(crate) use movement::settle as settle_walk;
pub(crate) use moving::{moving, settle as settle_patrol};
pub(crate) use pathfinding::{pathfinding, settle as settle_hunt};
pub(crate) use portal::{portal, settle as settle_teleport};
pub(crate) use push::{can_push, settle as settle_push};
pub(crate) use snapshot::{snapshot, snapshot_before};
pub(crate) use status_cleanup::status_cleanup;
pub(crate) use status_tick::{settle_spend, settle_tick, status_tick};
pub(crate) use tile_cost::tile_cost;
pub(crate) use tile_reward::tile_reward;
pub(crate) use trail::trail;
pub(crate) use turn::{next_agent, settle as settle_turn, settle_resign, turn};
pub(crate) use unlock::{settle as settle_unlock, unlock};
pub(crate) use win::win;
