//! What each house may know.

use std::borrow::Cow;

use serde_json::{Value, json};
use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat, Seen, Viewer};
use turnstone_host::Secretive;

use super::{Couriers, Event, HIGHEST, Letter, State};

/// Whatever a viewer may not know becomes this.
const HIDDEN: Letter = 0;

impl State {
    /// Who sent the courier knows what he carries, the other what lies in ambush.
    fn sender(&self) -> Seat {
        self.turn
    }

    /// Changes everything that is kept from a seat.
    fn veil(&mut self, seat: Seat, mut draw: impl FnMut() -> Letter) {
        let hidden = if seat == self.sender() { &mut self.ambush } else { &mut self.sent };
        let letters = &mut self.houses[usize::from(1 - seat.min(1))].letters;
        letters.iter_mut().chain(hidden).for_each(|letter| *letter = draw());
        self.houses[usize::from(1 - seat.min(1))].letters.sort_unstable();
    }
}

fn draw(lots: &mut Lots) -> Letter {
    lots.between(1, HIGHEST.into()) as Letter
}

impl Seen for Couriers {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let veiled = |letters: &[Letter], owner: Seat| -> Vec<Letter> {
            let open = viewer.may_see(owner);
            let mut letters: Vec<_> =
                letters.iter().map(|letter| if open { *letter } else { HIDDEN }).collect();
            // The order would tell when a letter came.
            letters.sort_unstable();
            letters
        };
        let under_way = |letter: Option<Letter>, owner| veiled(letter.as_slice(), owner).first().copied();
        let houses = [0, 1].map(|seat| {
            let house = state.house(seat);
            json!({ "letters": veiled(&house.letters, seat), "posts": house.posts, "coins": house.coins })
        });
        let (sender, other) = (state.sender(), 1 - state.sender().min(1));
        json!({
            "houses": houses, "turn": state.turn,
            "sent": under_way(state.sent, sender), "ambush": under_way(state.ambush, other),
        })
    }

    fn redact(&self, _before: &State, _after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(match *event {
            Event::Dispatched { who, .. } if !viewer.may_see(who) => {
                Event::Dispatched { who, letter: HIDDEN }
            }
            Event::Built { who, post, .. } if !viewer.may_see(who) => {
                Event::Built { who, post, letter: HIDDEN }
            }
            Event::Watched { who, ambush: Some(_), lit } if !viewer.may_see(1 - who) => {
                Event::Watched { who, ambush: Some(HIDDEN), lit }
            }
            event => event,
        })
    }
}

impl Secretive for Couriers {
    fn seen<'p>(&self, position: &'p Position<Self>, seat: Seat) -> Cow<'p, Position<Self>> {
        let mut state = position.state().clone();
        state.veil(seat, || HIDDEN);
        Cow::Owned(position.with_state(state))
    }

    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        let mut state = position.state().clone();
        state.veil(seat, || draw(lots));
        position.with_state(state)
    }

    fn secrets() -> Vec<&'static str> {
        vec!["hand", "what the courier carries", "what lies in ambush"]
    }

    fn vary(
        &self,
        position: &Position<Self>,
        seat: Seat,
        secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut state = position.state().clone();
        let sends = seat == state.sender();
        let letter = match secret {
            0 => {
                let letters = &mut state.houses[usize::from(1 - seat.min(1))].letters;
                let at = lots.index(letters.len())?;
                &mut letters[at]
            }
            1 if !sends => state.sent.as_mut()?,
            2 if sends => state.ambush.as_mut()?,
            _ => return None,
        };
        *letter = draw(lots);
        (state != *position.state()).then(|| position.with_state(state))
    }

    /// What was robbed, taken or paid for is known from then on, and so is what could not rob it.
    fn reveals(&self, event: &Event) -> bool {
        matches!(
            event,
            Event::Robbed { .. } | Event::Levied { .. } | Event::Crossed { .. } | Event::Paid { .. }
        )
    }
}
