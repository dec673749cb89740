//! What a player may know: everything but the order of the draw pile and the dice.

use crate::catalog::words::Prevent;
use crate::game::Spire;
use crate::state::{PLAYER, State};
use serde_json::{Value, json};
use turnstone::Viewer;
use turnstone::dice::{Draw, Lots, Stream};

const HIDDEN: Stream = Stream::named("spire hidden");

impl Spire {
    /// Whether the player sees the order of the draw pile.
    pub fn sees_order(&self, s: &State) -> bool {
        !s.combat.bodies.is_empty()
            && (s.combat.relic_stops | s.combat.player().stops) >> Prevent::HiddenOrder as u32 & 1 != 0
    }

    /// The state as a viewer may see it.
    pub fn view_of(&self, s: &State, viewer: Viewer) -> Value {
        let mut value = serde_json::to_value(s).unwrap_or_default();
        if viewer == Viewer::All {
            return value;
        }
        if let Some(run) = value.get_mut("run") {
            run["seed"] = json!(null);
        }
        if let Some(combat) = value.get_mut("combat") {
            combat["rolls"] = json!(null);
            combat["tape"] = json!(null);
            if !self.sees_order(s) {
                let mut draw = s.combat.draw.clone();
                draw.sort_by_key(|&slot| (s.combat.cards[slot as usize].id, slot));
                combat["draw"] = json!(draw);
                combat["order"] = json!(null);
            }
            if self.hides_intents(s)
                && let Some(bodies) = combat["bodies"].as_array_mut()
            {
                bodies.iter_mut().for_each(|body| body["intent"] = json!(null));
            }
        }
        value
    }

    /// Whether intents are hidden.
    pub fn hides_intents(&self, s: &State) -> bool {
        use crate::catalog::words::Flag;
        s.combat.relic_flags >> Flag::HideIntents as u32 & 1 != 0
            || s.combat.relic_stops >> Prevent::Intents as u32 & 1 != 0
    }

    /// Another state that the player could not tell from this one: the order of the draw pile and the dice to
    /// come are drawn anew. For search.
    pub fn resample(&self, s: &State, lots_seed: u64) -> State {
        let mut copy = s.clone();
        let mut lots = Lots::new(lots_seed, HIDDEN);
        copy.run.seed = lots.next_u64();
        copy.combat.tape.clear();
        if !self.sees_order(s) && copy.combat.order.is_empty() {
            lots.shuffle(&mut copy.combat.draw);
        }
        copy
    }

    /// Whose side a body is on.
    pub fn is_player(who: u8) -> bool {
        who == PLAYER
    }
}
