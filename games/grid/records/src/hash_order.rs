//! The order in which the reference walks through its stores: hash tables in
//! which id `i` sits in bucket `i mod B`. Our rules walk in ascending id order;
//! this is for comparing with recordings that show the other.

use turnstone_grid::world::{Cast, Slot, World};

/// Walks through movers, hunters, portals and mortals as a table of twice their number would.
pub(crate) fn rearrange(cast: &mut Cast) {
    let ids = &cast.ids;
    for list in [&mut cast.movers, &mut cast.hunters, &mut cast.portals, &mut cast.mortals] {
        let buckets = 2 * list.len().max(1) as u32;
        list.sort_by_key(|slot| ids[slot.index()] % buckets);
    }
}

/// A set as a table that began empty lists it: eight buckets, doubled as it fills.
pub(crate) fn set(world: &World, members: &[Slot]) -> Vec<Slot> {
    let mut buckets = 8;
    while (buckets as f64) < 0.67 * members.len() as f64 {
        buckets *= 2;
    }
    let mut list = members.to_vec();
    list.sort_by_key(|slot| world.cast.id(*slot) % buckets);
    list
}
