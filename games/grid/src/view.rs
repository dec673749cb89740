//! What programs are shown: the whole world as its document, what an agent
//! sees of it, or numbers for learners. Which of these is a wish of whoever
//! opens the match; it is a form, and hides nothing from the rules.

use serde_json::{Map, Value, json};
use turnstone::{Rejection, Viewer};

use crate::component::NAMES;
use crate::geometry::Point;
use crate::observe::{PLANES, full_length, is_visible, observe_full, observe_partial, partial_length, phase};
use crate::secrets::in_wind;
use crate::state::State;
use crate::world::{Slot, World};

/// The form in which a seat is shown the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outlook {
    /// The whole state, as it is saved.
    #[default]
    World,
    /// What the agent sees within so many cells.
    Partial(i32),
    /// The whole world as planes of numbers.
    Planes,
    /// What the agent sees within so many cells, as planes of numbers.
    PartialPlanes(i32),
}

/// How far an agent sees if nobody says.
pub(crate) const RADIUS: i32 = 3;

impl Outlook {
    /// The names of the forms, as they are wished for.
    pub const NAMES: [&str; 4] = ["world", "partial", "planes", "partial_planes"];

    /// The form of that name, with that radius where it has one.
    ///
    /// # Errors
    /// `UNKNOWN_WISH`, with the names that exist.
    pub fn named(name: &str, radius: i32) -> Result<Self, Rejection> {
        match name {
            "world" => Ok(Self::World),
            "partial" => Ok(Self::Partial(radius)),
            "planes" => Ok(Self::Planes),
            "partial_planes" => Ok(Self::PartialPlanes(radius)),
            _ => {
                let text = format!("`view={name}` is unknown; use one of {}", Self::NAMES.join(", "));
                Err(Rejection::new("UNKNOWN_WISH", text))
            }
        }
    }
}

/// The state as that viewer asked for it.
pub(crate) fn view(outlook: Outlook, state: &State, viewer: Viewer) -> Value {
    let world = &state.world;
    let agent = match viewer {
        Viewer::Seat(seat) => world.cast.agents.get(usize::from(seat)).copied(),
        Viewer::All | Viewer::Spectator => world.first_agent(),
    };
    let agent = agent.unwrap_or(Slot::NONE);
    match outlook {
        Outlook::World if viewer == Viewer::All => serde_json::to_value(state).unwrap_or_default(),
        // Whoever knew the seed would know every gust to come.
        Outlook::World => serde_json::to_value(in_wind(state, None)).unwrap_or_default(),
        _ if !agent.is_some() => Value::Null,
        Outlook::Partial(radius) => partial(world, agent, radius),
        Outlook::Planes => {
            let bounds = world.cast.bounds;
            let mut data = vec![0; full_length(bounds)];
            observe_full(world, agent, &mut data);
            planes(world, agent, [bounds.height, bounds.width], data)
        }
        Outlook::PartialPlanes(radius) => {
            let (side, mut data) = (2 * radius + 1, vec![0; partial_length(radius)]);
            observe_partial(world, agent, radius, &mut data);
            planes(world, agent, [side, side], data)
        }
    }
}

/// How the match stands, in every form but the whole world.
fn standing(world: &World, agent: Slot) -> Map<String, Value> {
    let live = &world.live;
    let value = json!({
        "agent": world.cast.id(agent), "turn": live.turn, "turn_limit": world.cast.turn_limit,
        "score": live.score, "phase": phase(world), "objective": world.cast.objective,
        "move": world.cast.move_rule, "message": world.cast.message,
    });
    value.as_object().cloned().unwrap_or_default()
}

fn planes(world: &World, agent: Slot, [rows, columns]: [i32; 2], data: Vec<u8>) -> Value {
    let mut out = standing(world, agent);
    out.insert("shape".into(), json!([rows, columns, PLANES]));
    out.insert("planes".into(), json!(plane_names()));
    out.insert("data".into(), json!(data));
    Value::Object(out)
}

/// What each of the planes says.
pub(crate) fn plane_names() -> Vec<&'static str> {
    NAMES.into_iter().chain(["self", "seen", "heads_right_or_down", "health_left", "key_group"]).collect()
}

fn partial(world: &World, agent: Slot, radius: i32) -> Value {
    let mut out = standing(world, agent);
    let centre = world.point(agent);
    let seen: Vec<Point> = centre.map_or(Vec::new(), |centre| seen(world, centre, radius));
    let lying =
        seen.iter().filter_map(|point| world.cast.bounds.cell(*point)).flat_map(|cell| world.at(cell));
    let held = world.inventory(agent).iter().chain(world.status(agent)).copied();
    let mut slots: Vec<Slot> = lying.chain(held).collect();
    slots.sort_unstable();
    slots.dedup();
    let entities: Map<String, Value> = slots
        .into_iter()
        .map(|slot| (world.cast.id(slot).to_string(), world.entity(slot).to_value()))
        .collect();
    out.insert("radius".into(), radius.into());
    out.insert("position".into(), json!(centre));
    out.insert("seen".into(), json!(seen));
    out.insert("entities".into(), Value::Object(entities));
    Value::Object(out)
}

/// The cells the agent sees, row by row.
fn seen(world: &World, centre: Point, radius: i32) -> Vec<Point> {
    let near = |point: &Point| {
        let way = point.minus(centre);
        way.x.abs() <= radius && way.y.abs() <= radius
    };
    world.cast.bounds.points().filter(near).filter(|point| is_visible(world, centre, *point)).collect()
}

/// The JSON Schema of what is sent as `view`.
pub(crate) fn schema() -> Value {
    let cell = json!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2 });
    let entities = json!({
        "description": "Entities by id, each with the components it has.",
        "type": "object",
        "additionalProperties": { "type": "object", "propertyNames": { "enum": NAMES } },
    });
    let world = json!({
        "type": "object",
        "required": ["width", "height", "entities", "turn", "score", "win", "lose", "move", "objective"],
        "properties": {
            "width": { "type": "integer" }, "height": { "type": "integer" },
            "turn": { "type": "integer" }, "turn_limit": { "type": ["integer", "null"] },
            "score": { "type": "integer" }, "win": { "type": "boolean" }, "lose": { "type": "boolean" },
            "move": { "type": "string" }, "objective": { "type": "string" },
            "seed": { "type": ["integer", "null"] }, "message": { "type": ["string", "null"] },
            "company": { "enum": crate::label::Company::NAMES },
            "label": schemars::schema_for!(crate::label::Label),
            "memory": { "description": "What systems of one's own remember.", "type": "object" },
            "damage_hits": { "description": "Hits of the latest step: target, damager, turn.", "type": "array" },
            "entities": entities,
        },
    });
    let id = json!({ "type": "integer", "minimum": 0 });
    let standing = json!({
        "agent": id, "turn": { "type": "integer" }, "turn_limit": { "type": ["integer", "null"] },
        "score": { "type": "integer" }, "phase": { "enum": ["ongoing", "win", "lose"] },
        "objective": { "type": "string" }, "move": { "type": "string" },
        "message": { "type": ["string", "null"] },
    });
    let with = |more: Value| {
        let mut properties = standing.clone();
        if let (Some(all), Some(more)) = (properties.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        json!({ "type": "object", "properties": properties })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "view",
        "description": "What a seat is shown; the wish `view` chooses the form.",
        "oneOf": [
            { "title": "world", "type": "object", "required": ["world"], "properties": {
                "world": world, "winner": id, "next": id,
                "settled": { "description": "Nothing lies about that nobody holds.", "type": "boolean" },
                "stirred": { "type": "boolean" }, "vanished": { "type": "array", "items": id },
                "plan": { "type": "array" }, "trail": { "type": "array" }, "moved": { "type": "array" },
                "before": { "type": "object" },
            } },
            { "title": "partial", "allOf": [with(json!({
                "radius": id, "position": { "oneOf": [cell, { "type": "null" }] },
                "seen": { "type": "array", "items": cell }, "entities": entities,
            }))], "required": ["seen", "entities"] },
            { "title": "planes and partial_planes", "allOf": [with(json!({
                "shape": { "description": "Rows, columns, planes.", "type": "array", "items": id },
                "planes": { "description": "What each plane says.", "const": plane_names() },
                "data": { "description": "Row by row, cell by cell, plane by plane.", "type": "array",
                          "items": { "type": "integer", "minimum": 0, "maximum": 255 } },
            }))], "required": ["shape", "planes", "data"] },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LevelFile;

    fn state(map: &str) -> State {
        let text = format!("name: x\n\n{map}\n\na = agent\n");
        State::new(LevelFile::from_text(&text).unwrap().to_level().unwrap().to_world().unwrap())
    }

    #[test]
    fn a_partial_view_holds_what_is_seen_and_nothing_else() {
        let state = state("@.#o\n.o..");
        let shown = view(Outlook::Partial(2), &state, Viewer::Seat(0));
        assert_eq!(shown["seen"], json!([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]));
        let coins: Vec<&Value> = shown["entities"]
            .as_object()
            .unwrap()
            .values()
            .filter(|entity| entity["appearance"]["name"] == "coin")
            .map(|entity| &entity["position"])
            .collect();
        assert_eq!(coins, [&json!([1, 1])]);
    }

    #[test]
    fn each_seat_sees_from_where_its_agent_stands() {
        let state = state("@...a");
        let at = |seat| view(Outlook::Partial(1), &state, Viewer::Seat(seat))["position"].clone();
        assert_eq!((at(0), at(1)), (json!([0, 0]), json!([4, 0])));
        assert_eq!(view(Outlook::Partial(1), &state, Viewer::Seat(9)), Value::Null);
    }

    #[test]
    fn planes_have_names_and_the_shape_they_say() {
        let state = state("@.E");
        assert_eq!(plane_names().len(), PLANES);
        for (outlook, cells) in [(Outlook::Planes, 3), (Outlook::PartialPlanes(1), 9)] {
            let shown = view(outlook, &state, Viewer::All);
            assert_eq!(shown["data"].as_array().unwrap().len(), cells * PLANES);
            let shape: Vec<u64> =
                shown["shape"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
            assert_eq!(shape.iter().product::<u64>() as usize, cells * PLANES);
        }
        assert_eq!(Outlook::named("fog", 3).unwrap_err().code(), "UNKNOWN_WISH");
    }

    #[test]
    fn the_schema_names_every_field_that_is_sent() {
        let (state, schema) = (state("@.E"), schema());
        let forms = [Outlook::World, Outlook::Partial(1), Outlook::Planes];
        for (number, outlook) in forms.into_iter().enumerate() {
            let form = &schema["oneOf"][number];
            let known = if number == 0 { &form["properties"] } else { &form["allOf"][0]["properties"] };
            for field in view(outlook, &state, Viewer::All).as_object().unwrap().keys() {
                assert!(known.get(field).is_some(), "{outlook:?}: {field}");
            }
        }
        let world = &schema["oneOf"][0]["properties"]["world"]["properties"];
        let document = state.document().to_value();
        assert!(document.as_object().unwrap().keys().all(|field| world.get(field).is_some()));
    }
}
