//! What a seat may not know: the seed of the wind. All else lies open; a partial view is a form in which a learner asks
//! for the world, not a fog that lies on it.

use std::borrow::Cow;
use std::sync::Arc;

use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat};
use turnstone_host::Secretive;

use crate::event::Event;
use crate::game::Grid;
use crate::moves::MoveRule;
use crate::state::State;

/// The same world in another wind.
pub(crate) fn in_wind(state: &State, seed: Option<i64>) -> State {
    let mut other = state.clone();
    Arc::make_mut(&mut other.world.cast).seed = seed;
    other
}

impl Secretive for Grid {
    fn seen<'p>(&self, position: &'p Position<Self>, _seat: Seat) -> Cow<'p, Position<Self>> {
        match position.state().world.cast.seed {
            None => Cow::Borrowed(position),
            Some(_) => Cow::Owned(position.with_state(in_wind(position.state(), None))),
        }
    }

    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        self.vary(position, seat, 0, lots).unwrap_or_else(|| position.clone())
    }

    fn lies_open(&self, position: &Position<Self>, _seat: Seat) -> bool {
        let cast = &position.state().world.cast;
        cast.seed.is_none() || cast.move_rule != MoveRule::Windy
    }

    fn secrets() -> Vec<&'static str> {
        vec!["wind"]
    }

    fn vary(
        &self,
        position: &Position<Self>,
        _seat: Seat,
        _secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        position.state().world.cast.seed?;
        let seed = (lots.next_u64() >> 1) as i64;
        Some(position.with_state(in_wind(position.state(), Some(seed))))
    }

    /// A gust is felt, also by who stands against a wall.
    fn reveals(&self, event: &Event) -> bool {
        matches!(event, Event::Blew { .. })
    }
}
