//! Fog of war: what a side sees of a state, and of each event.
//!
//! An event is visible to a side if any cell it touches is visible to it at that
//! moment, before or after; hidden parts of a path are cut. What concerns
//! everybody is always told, without the ids of those out of sight. The dice's
//! seed and counters are for the referee alone: they would tell the future.

use crate::Profile;
use crate::board::{Cell, CellSet, Path};
use crate::event::Event;
use crate::export::skeleton;
use crate::game::{FOES, HEROES};
use crate::queries::sight::{Faction, visible};
use crate::sight::seen;
use crate::sound::fits;
use crate::stage::BodyId;
use crate::state::State;
use serde_json::{Value, json};
use turnstone::Viewer;

/// What a viewer's side sees; `None` for the referee, who sees everything.
fn eyes(state: &State, viewer: Viewer) -> Option<CellSet> {
    match viewer {
        Viewer::All => None,
        Viewer::Seat(HEROES) => Some(visible(state, Faction::Players)),
        Viewer::Seat(FOES) => Some(visible(state, Faction::Npcs)),
        // Without a seat one sees nothing in the fog: what both sides see would tell each of them what the other sees.
        Viewer::Seat(_) | Viewer::Spectator if state.stage.document.map.fog_of_war_enabled => {
            Some(CellSet::with_cells(state.stage.board.cells()))
        }
        Viewer::Seat(_) | Viewer::Spectator => Some(visible(state, Faction::All)),
    }
}

/// Whether a viewer sees an entity now; one always sees one's own side.
pub fn sees_body(state: &State, body: BodyId, viewer: Viewer, seen: &CellSet) -> bool {
    let own = match viewer {
        Viewer::Seat(HEROES) => state.stage.player_ids().contains(&body),
        Viewer::Seat(FOES) => state.stage.npc_ids().contains(&body),
        _ => false,
    };
    own || seen.has(state.stage.board.index(state.cell(body)))
}

/// The entities and cells that a viewer sees, for scenes and views.
pub struct Sight {
    cells: Option<CellSet>,
    viewer: Viewer,
}

impl Sight {
    /// What a viewer sees of a state.
    pub fn new(state: &State, viewer: Viewer) -> Sight {
        Sight { cells: eyes(state, viewer), viewer }
    }

    /// Whether a cell is seen.
    pub fn cell(&self, state: &State, cell: Cell) -> bool {
        self.cells.as_ref().is_none_or(|seen| seen.has(state.stage.board.index(cell)))
    }

    /// Whether an entity is seen.
    pub fn body(&self, state: &State, body: BodyId) -> bool {
        self.cells.as_ref().is_none_or(|seen| sees_body(state, body, self.viewer, seen))
    }
}

/// The state as a viewer may see it: a document without those out of sight and without the seed.
/// Rolls and log are left out for everybody: they are told event by event. The map is whole: fog
/// hides what stands on it.
pub fn view(state: &State, viewer: Viewer) -> Value {
    let position = seen(state, viewer);
    let mut document = skeleton(&position);
    document.rng.last_rolls.clear();
    document.log.events.clear();
    let absent = |id: &String| position.stage.find(id).is_some_and(|body| position.is_absent(body));
    let entities = &mut document.entities;
    for list in [&mut entities.players, &mut entities.npcs, &mut entities.objects] {
        list.retain(|e| !absent(&e.id));
    }
    document.ui.selected_entity_id = document.ui.selected_entity_id.filter(|id| !absent(id));
    let mut value = serde_json::to_value(document).unwrap_or_default();
    if let Some(cells) = eyes(state, viewer).filter(|_| state.stage.document.map.fog_of_war_enabled) {
        value["visibleCells"] = visible_list(state, &cells);
    }
    value
}

fn visible_list(state: &State, seen: &CellSet) -> Value {
    let board = &state.stage.board;
    let cells = (0..board.cells()).filter(|at| seen.has(*at)).map(|at| board.at(at));
    cells.map(|c| json!([c.x, c.y])).collect()
}

/// An event as a viewer may see it.
pub fn redact(before: &State, after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
    if viewer == Viewer::All {
        return Some(event.clone());
    }
    if !fits(before, event) {
        return None;
    }
    let look = Look {
        before: Sight::new(before, viewer),
        after: Sight::new(after, viewer),
        old: before,
        new: after,
    };
    let mut event = match event {
        Event::Moved { body, path } => return look.path(*body, path),
        Event::Attacked(e) => look.any(&[e.attacker, e.target]).then(|| event.clone())?,
        Event::AbilityUsed(e) => look.any(&[e.caster, e.target]).then(|| event.clone())?,
        Event::Halted { body, .. }
        | Event::Defended { body, .. }
        | Event::ConditionExpired { body, .. }
        | Event::ConditionDamage { body, .. }
        | Event::Shoved { corpse: body, .. }
        | Event::Glimpsed { body, .. } => look.body(*body).then(|| event.clone())?,
        Event::InitiativeRolled { order, chain } => {
            let order = order.iter().filter(|(b, _)| look.body(*b)).copied().collect();
            Event::InitiativeRolled { order, chain: *chain }
        }
        Event::TurnEnded { from, to, round } if look.body(*from) && look.body(*to) => {
            Event::TurnEnded { from: *from, to: *to, round: *round }
        }
        // To who sees neither, nothing happens, unless a round begins: lines would count those out of sight, and say
        // where they come in the order.
        Event::TurnEnded { from, to, round } if !look.any(&[*from, *to]) && *round == before.combat.round => {
            return None;
        }
        Event::TurnEnded { from, to, round } => {
            let shown = |b: BodyId| look.body(b).then_some(b);
            Event::TurnPassed { from: shown(*from), to: shown(*to), round: *round }
        }
        Event::TurnPassed { .. }
        | Event::CombatEnded { .. }
        | Event::Warned { .. }
        | Event::Drawn { .. }
        | Event::Surrendered { .. } => event.clone(),
        Event::SeedSet { .. } => return None,
    };
    hide_dice(&mut event);
    Some(event)
}

/// Whether a viewer sees all of an event but the dice's counter, and everybody it names: how its numbers came about
/// then tells him nothing more.
pub fn tells_all(before: &State, after: &State, event: &Event, shown: &Event, viewer: Viewer) -> bool {
    let mut bare = event.clone();
    hide_dice(&mut bare);
    let look = Look {
        before: Sight::new(before, viewer),
        after: Sight::new(after, viewer),
        old: before,
        new: after,
    };
    bare == *shown
        && match event {
            Event::Attacked(e) => look.body(e.attacker) && look.body(e.target),
            Event::AbilityUsed(e) => look.body(e.caster) && look.body(e.target),
            Event::InitiativeRolled { order, .. } => order.iter().all(|(body, _)| look.body(*body)),
            Event::ConditionDamage { body, .. } => look.body(*body),
            // The others carry no dice.
            Event::Moved { .. }
            | Event::Halted { .. }
            | Event::Shoved { .. }
            | Event::Defended { .. }
            | Event::TurnEnded { .. }
            | Event::ConditionExpired { .. }
            | Event::CombatEnded { .. }
            | Event::Warned { .. }
            | Event::Drawn { .. }
            | Event::Surrendered { .. }
            | Event::SeedSet { .. }
            | Event::Glimpsed { .. }
            | Event::TurnPassed { .. } => false,
        }
}

fn hide_dice(event: &mut Event) {
    match event {
        Event::Attacked(e) => e.chain = 0,
        Event::AbilityUsed(e) => e.chain = 0,
        Event::InitiativeRolled { chain, .. } | Event::ConditionDamage { chain, .. } => *chain = 0,
        Event::Moved { .. }
        | Event::Halted { .. }
        | Event::Shoved { .. }
        | Event::Defended { .. }
        | Event::TurnEnded { .. }
        | Event::ConditionExpired { .. }
        | Event::CombatEnded { .. }
        | Event::Warned { .. }
        | Event::Drawn { .. }
        | Event::Surrendered { .. }
        | Event::SeedSet { .. }
        | Event::Glimpsed { .. }
        | Event::TurnPassed { .. } => {}
    }
}

struct Look<'a> {
    before: Sight,
    after: Sight,
    old: &'a State,
    new: &'a State,
}

impl Look<'_> {
    fn body(&self, body: BodyId) -> bool {
        self.before.body(self.old, body) || self.after.body(self.new, body)
    }

    fn any(&self, bodies: &[BodyId]) -> bool {
        bodies.iter().any(|b| self.body(*b))
    }

    fn cell(&self, cell: Cell) -> bool {
        self.before.cell(self.old, cell) || self.after.cell(self.new, cell)
    }

    /// The whole path for one's own; else the cells that are seen, if any.
    fn path(&self, body: BodyId, path: &Path) -> Option<Event> {
        let own = match self.before.viewer {
            Viewer::Seat(HEROES) => self.old.stage.player_ids().contains(&body),
            Viewer::Seat(FOES) => self.old.stage.npc_ids().contains(&body),
            _ => false,
        };
        let seen: Path = path.iter().filter(|c| own || self.cell(**c)).copied().collect();
        if seen.len() == path.len() {
            return Some(Event::Moved { body, path: path.clone() });
        }
        (!seen.is_empty()).then_some(Event::Glimpsed { body, seen })
    }
}

/// The JSON Schema of a view: a document, and the cells in sight where there is fog.
pub fn view_schema() -> Value {
    let mut schema = crate::document::schema::schema(Profile::Mir023).clone();
    schema["title"] = json!("Skirmish as a seat sees it");
    schema["properties"]["visibleCells"] = json!({
        "description": "The cells in sight, column and row; absent without fog.",
        "type": "array",
        "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    });
    schema
}
