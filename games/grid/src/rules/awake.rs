//! Which systems have to be asked at all. Most of a step's systems have nothing to do: no portals in
//! this world, nobody bears an effect, nothing lies about. What could wake a system is a bit; the bits
//! of a whole world are found by a few looks, and the lifecycle passes over who sleeps.

use crate::component::Mask;
use crate::label::Company;
use crate::rules::snapshot::takes_snapshot;
use crate::schedule::{BuiltIn, Turn};
use crate::world::{Live, World};

/// A set of reasons to ask a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wakers(u32);

impl Wakers {
    /// Asked every time.
    pub const ALWAYS: Wakers = Wakers(1 << 31);
    /// What wakes the deed, which is asked every time, too: its place in the standard schedule.
    pub const DEED: Wakers = Wakers(1 << 5);

    /// What wakes a system: its own bit.
    pub const fn of(system: BuiltIn) -> Wakers {
        Wakers(1 << system as u32)
    }

    /// Whether the two sets share a reason.
    #[inline]
    pub const fn any(self, other: Wakers) -> bool {
        self.0 & other.0 != 0
    }

    /// The first of these in the standard schedule, from one place up to another: there every system has its bit at its
    /// place.
    #[inline]
    pub fn first_place(self, at: u8, end: u8) -> Option<u8> {
        let behind = u64::from(self.0) >> at.min(63);
        let place = at.saturating_add(behind.trailing_zeros() as u8);
        (place < end.min(31)).then_some(place)
    }

    #[inline]
    const fn with_if(self, system: BuiltIn, present: bool) -> Wakers {
        Wakers(self.0 | (present as u32) << system as u32)
    }

    /// What the components that occur in a world at all can wake. No step brings new ones in.
    pub fn of_kinds(kinds: Mask) -> Wakers {
        Wakers(Self::ALWAYS.0 | Self::DEED.0)
            .with_if(BuiltIn::Moving, kinds.any(Mask::MOVING))
            .with_if(BuiltIn::Pathfinding, kinds.any(Mask::PATHFINDING))
            .with_if(BuiltIn::Portal, kinds.any(Mask::PORTAL))
            .with_if(BuiltIn::Damage, kinds.any(Mask::DAMAGER))
            .with_if(BuiltIn::TileReward, kinds.any(Mask::REWARDABLE))
            .with_if(BuiltIn::TileCost, kinds.any(Mask::COST))
            .with_if(BuiltIn::Turn, true)
    }
}

/// Who has to be asked now. A system that is not asked would propose nothing; one that is asked may
/// still have nothing to propose. As those change nothing, the answer holds until one does.
#[inline]
pub(crate) fn awake(turn: &Turn) -> Wakers {
    let Live { hits, trail, moved, effects_borne, litter, .. } = &turn.world.live;
    let bears = *effects_borne > 0;
    let awake = turn
        .world
        .cast
        .wakers
        .with_if(BuiltIn::Forget, !hits.is_empty() || !trail.is_empty())
        .with_if(BuiltIn::SnapshotBefore, !moved.is_empty())
        .with_if(BuiltIn::Snapshot, !moved.is_empty() && takes_snapshot(turn))
        .with_if(BuiltIn::StatusTick, bears)
        .with_if(BuiltIn::StatusCleanup, bears)
        .with_if(BuiltIn::Garbage, *litter);
    if turn.agent.is_some() { around_agent(turn, awake) } else { awake }
}

#[inline]
fn around_agent(turn: &Turn, awake: Wakers) -> Wakers {
    let World { live, .. } = turn.world;
    let body = turn.world.body(turn.agent);
    let tracked = live.trail.first() == Some(&(body.cell, turn.agent));
    awake
        .with_if(BuiltIn::Trail, !tracked)
        .with_if(BuiltIn::Win, !turn.world.is_over())
        .with_if(BuiltIn::Lose, body.mask.any(Mask::DEAD) || turn.world.cast.company != Company::Strangers)
}
