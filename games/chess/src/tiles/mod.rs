//! Tiles that listen, one per file. Standard tiles hear nothing, and a void is
//! simply no square.

pub(crate) mod fog;
pub(crate) mod guardian;
pub(crate) mod slippery;
pub(crate) mod tomb;
pub(crate) mod wall;

use crate::at::At;
use crate::effect::Effect;
use crate::event::Event;
use crate::game::Out;
use crate::state::State;
use crate::tile::Tile;
use turnstone::Verdict;

/// Lets a tile act before.
pub(crate) fn before(state: &State, here: At, effect: &Effect, out: &mut Out) -> Verdict {
    match state.tile(here) {
        Tile::Guardian => guardian::before(state, here, effect, out),
        Tile::Fog => fog::before(state, here, effect),
        Tile::Wall => wall::before(here, effect, out),
        Tile::Tomb => tomb::before(state, here, effect, out),
        Tile::Standard | Tile::Slippery | Tile::Void => Verdict::Pass,
    }
}

/// Lets a tile act after.
pub(crate) fn after(state: &State, here: At, event: &Event, out: &mut Out) {
    if state.tile(here) == Tile::Slippery {
        slippery::after(state, here, event, out);
    }
}
