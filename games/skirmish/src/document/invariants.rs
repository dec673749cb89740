//! The 25 invariants of a state, checked in their numbered order.
//!
//! They run on plain JSON, because they are also asked about documents that the
//! schema refuses. Playing never runs them: each rule guards what it can break,
//! and tests hold the results against this full check.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// One broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant's code, e.g. `HP_BOUNDS`.
    pub code: &'static str,
    /// Which value broke it.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.message)
    }
}

/// All violations, in order.
///
/// ```
/// use turnstone_skirmish::document::invariants::violations;
/// let broken = serde_json::json!({"combat": {"mode": "exploration", "round": 2}});
/// assert_eq!(violations(&broken)[0].code, "COMBAT_MODE_CONSISTENCY");
/// ```
pub fn violations(state: &Value) -> Vec<Violation> {
    let mut check = Check::new(state);
    check.identities();
    check.kinds();
    check.bodies();
    check.combat();
    check.terrain();
    check.log();
    check.dice();
    check.interface();
    check.found
}

const LISTS: [(&str, &str); 3] = [("players", "player"), ("npcs", "npc"), ("objects", "object")];

struct Check<'a> {
    state: &'a Value,
    width: f64,
    height: f64,
    ids: BTreeSet<&'a str>,
    found: Vec<Violation>,
}

impl<'a> Check<'a> {
    fn new(state: &'a Value) -> Self {
        let size = &state["map"]["grid"]["size"];
        let ids = entities(state).filter_map(|e| e["id"].as_str()).collect();
        Check {
            state,
            width: number(&size["width"]),
            height: number(&size["height"]),
            ids,
            found: Vec::new(),
        }
    }

    fn report(&mut self, code: &'static str, message: String) {
        self.found.push(Violation { code, message });
    }

    fn inside(&self, x: f64, y: f64) -> bool {
        x >= 0.0 && x < self.width && y >= 0.0 && y < self.height
    }

    fn knows(&self, id: &Value) -> bool {
        id.as_str().is_some_and(|id| self.ids.contains(id))
    }

    fn identities(&mut self) {
        let mut seen = BTreeSet::new();
        for entity in entities(self.state) {
            let id = entity["id"].as_str().unwrap_or_default();
            if !seen.insert(id) {
                self.report("UNIQUE_ENTITY_IDS", format!("the id {id:?} occurs twice"));
            }
        }
    }

    fn kinds(&mut self) {
        for (list, kind) in LISTS {
            for entity in items(&self.state["entities"][list]) {
                if entity["kind"] != kind {
                    let message = format!("{} in {list} has kind {}", entity["id"], entity["kind"]);
                    self.report("ENTITY_KIND_MATCH", message);
                }
            }
        }
    }

    fn bodies(&mut self) {
        let blocked: BTreeSet<Spot> = items(&self.state["map"]["terrain"])
            .filter(|t| t["blocksMovement"] == true)
            .map(Spot::of)
            .collect();
        let mut taken = BTreeSet::new();
        for entity in entities(self.state) {
            self.health(entity);
            self.place(entity, &blocked, &mut taken);
            self.belongings(entity);
        }
    }

    fn health(&mut self, entity: &Value) {
        let (hp, max) = (number(&entity["stats"]["hpCurrent"]), number(&entity["stats"]["hpMax"]));
        if hp < 0.0 || hp > max {
            self.report("HP_BOUNDS", format!("{} has {hp} of {max} hit points", entity["id"]));
        }
        if max < 1.0 {
            self.report("HP_MAX_POSITIVE", format!("{} has hpMax {max}", entity["id"]));
        }
    }

    fn place(&mut self, entity: &Value, blocked: &BTreeSet<Spot>, taken: &mut BTreeSet<Spot>) {
        let id = &entity["id"];
        let (x, y) = (number(&entity["position"]["x"]), number(&entity["position"]["y"]));
        if !self.inside(x, y) {
            self.report("POSITION_IN_BOUNDS", format!("{id} stands at {x},{y}, off the map"));
        }
        let spot = Spot::of(&entity["position"]);
        if !taken.insert(spot) {
            self.report("NO_SOLID_OVERLAP", format!("{id} shares the cell {x},{y}"));
        }
        if blocked.contains(&spot) {
            self.report("NO_ENTITY_ON_BLOCKED", format!("{id} stands on the blocked cell {x},{y}"));
        }
    }

    fn belongings(&mut self, entity: &Value) {
        let id = &entity["id"];
        for condition in items(&entity["conditions"]) {
            if condition.as_str().is_none_or(str::is_empty) {
                let message = format!("{id} has the condition {condition}");
                self.report("CONDITIONS_NON_EMPTY_STRINGS", message);
            }
        }
        let mut seen = BTreeSet::new();
        for item in items(&entity["inventory"]) {
            if !seen.insert(item["id"].as_str().unwrap_or_default()) {
                let message = format!("{id} carries {} twice", item["id"]);
                self.report("INVENTORY_IDS_UNIQUE_PER_ENTITY", message);
            }
        }
        for item in items(&entity["inventory"]) {
            if number(&item["qty"]) < 1.0 {
                let message = format!("{id} carries {} of {}", item["qty"], item["id"]);
                self.report("INVENTORY_QTY_POSITIVE", message);
            }
        }
    }

    fn combat(&mut self) {
        let combat = &self.state["combat"];
        if combat["mode"] == "exploration" {
            self.exploration(combat);
        }
        let fighting = combat["mode"] == "combat";
        let active = &combat["activeEntityId"];
        let order: Vec<&Value> = items(&combat["initiativeOrder"]).collect();
        if fighting && !self.knows(active) {
            self.report("COMBAT_ACTIVE_ENTITY_EXISTS", format!("the active entity {active} is unknown"));
        }
        for id in &order {
            if !self.knows(id) {
                let message = format!("{id} in the initiative order is unknown");
                self.report("COMBAT_INITIATIVE_ENTITIES_EXIST", message);
            }
        }
        if fighting && !active.is_null() && !order.contains(&active) {
            let message = format!("{active} is not in the initiative order");
            self.report("COMBAT_ACTIVE_IN_INITIATIVE", message);
        }
        self.order_unique(&order);
        if fighting && number(&combat["round"]) < 1.0 {
            self.report("COMBAT_ROUND_POSITIVE", format!("round {} in combat", combat["round"]));
        }
    }

    fn exploration(&mut self, combat: &Value) {
        let code = "COMBAT_MODE_CONSISTENCY";
        if number(&combat["round"]) != 0.0 {
            self.report(code, format!("round {} in exploration", combat["round"]));
        }
        if !combat["activeEntityId"].is_null() {
            self.report(code, format!("{} is active in exploration", combat["activeEntityId"]));
        }
        if items(&combat["initiativeOrder"]).next().is_some() {
            self.report(code, "an initiative order in exploration".to_string());
        }
    }

    fn order_unique(&mut self, order: &[&Value]) {
        let mut seen = BTreeSet::new();
        for id in order {
            if !seen.insert(id.as_str().unwrap_or_default()) {
                self.report("COMBAT_INITIATIVE_UNIQUE", format!("{id} is twice in the initiative order"));
            }
        }
    }

    fn terrain(&mut self) {
        let tiles: Vec<&Value> = items(&self.state["map"]["terrain"]).collect();
        for tile in &tiles {
            let (x, y) = (number(&tile["x"]), number(&tile["y"]));
            if !self.inside(x, y) {
                self.report("TERRAIN_IN_BOUNDS", format!("a tile at {x},{y}, off the map"));
            }
        }
        let mut seen = BTreeSet::new();
        for tile in &tiles {
            if !seen.insert(Spot::of(tile)) {
                self.report("TERRAIN_NO_DUPLICATES", format!("two tiles at {},{}", tile["x"], tile["y"]));
            }
        }
        if self.width < 1.0 || self.height < 1.0 {
            self.report("MAP_SIZE_POSITIVE", format!("a map of {} by {}", self.width, self.height));
        }
    }

    fn log(&mut self) {
        let mut seen = BTreeSet::new();
        let mut last = "";
        let mut late = Vec::new();
        for event in items(&self.state["log"]["events"]) {
            let id = event["id"].as_str().unwrap_or_default();
            if !seen.insert(id) {
                self.report("LOG_IDS_UNIQUE", format!("the event id {id:?} occurs twice"));
            }
            let time = event["timestamp"].as_str().unwrap_or_default();
            if crate::json::utf16_cmp(time, last).is_lt() {
                late.push(format!("{id} at {time} comes after {last}"));
            }
            last = time;
        }
        late.into_iter().for_each(|message| self.report("LOG_CHRONOLOGICAL", message));
    }

    fn dice(&mut self) {
        let rng = &self.state["rng"];
        if rng["mode"] == "seeded" && rng["seed"].as_str().is_none_or(str::is_empty) {
            let message = format!("seeded mode with the seed {}", rng["seed"]);
            self.report("RNG_SEED_REQUIRED_WHEN_SEEDED", message);
        }
        for roll in items(&rng["lastRolls"]) {
            if !roll["resultTotal"].is_number() {
                let message = format!("the roll {} has the total {}", roll["id"], roll["resultTotal"]);
                self.report("RNG_ROLL_VALUES_VALID", message);
            }
        }
    }

    fn interface(&mut self) {
        let ui = &self.state["ui"];
        let selected = &ui["selectedEntityId"];
        if !selected.is_null() && !self.knows(selected) {
            self.report("UI_SELECTED_ENTITY_EXISTS", format!("the selected entity {selected} is unknown"));
        }
        let cell = &ui["hoveredCell"];
        if !cell.is_null() && !self.inside(number(&cell["x"]), number(&cell["y"])) {
            self.report("UI_HOVERED_CELL_IN_BOUNDS", format!("the hovered cell {cell} is off the map"));
        }
    }
}

/// A cell as two bit patterns, so that any JSON number can be looked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot(u64, u64);

impl Spot {
    fn of(cell: &Value) -> Spot {
        Spot(number(&cell["x"]).to_bits(), number(&cell["y"]).to_bits())
    }
}

fn number(value: &Value) -> f64 {
    // Adding zero turns -0 into 0, which names the same cell.
    value.as_f64().unwrap_or(f64::NAN) + 0.0
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn entities(state: &Value) -> impl Iterator<Item = &Value> {
    LISTS.iter().flat_map(|(list, _)| items(&state["entities"][list]))
}
