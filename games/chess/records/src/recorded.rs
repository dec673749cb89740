//! A trace as it is written, and how its words become ours and ours its.

use serde::Deserialize;
use turnstone_chess::catalog::Catalog;
use turnstone_chess::{At, BadInput, Color, How, Piece, PieceId, Play, Raw, Saved, Stack, State, Tile, Tomb};

use crate::names::{camel, kebab};

#[derive(Deserialize)]
pub(crate) struct Trace {
    pub(crate) id: String,
    pub(crate) initial: Initial,
    pub(crate) steps: Vec<RecordedStep>,
}

#[derive(Deserialize)]
pub(crate) struct Initial {
    pub(crate) rules: String,
    #[serde(flatten)]
    pub(crate) state: Recorded,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) player: Color,
    pub(crate) turn: u32,
    pub(crate) pieces: Vec<RecordedPiece>,
    pub(crate) tiles: Vec<RecordedTile>,
    #[serde(default)]
    pub(crate) legal: Vec<(u8, u8, u8, u8, String)>,
    #[serde(default)]
    pub(crate) status: Option<Status>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct Status {
    pub(crate) over: bool,
    pub(crate) winner: Option<Color>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct RecordedPiece {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) owner: Color,
    pub(crate) at: (u8, u8),
    pub(crate) moves: u16,
    pub(crate) abilities: Vec<RecordedAbility>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct RecordedAbility {
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) charges: Option<u8>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct RecordedTile {
    pub(crate) at: (u8, u8),
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) entombed: Option<RecordedPiece>,
}

#[derive(Deserialize)]
pub(crate) struct RecordedStep {
    pub(crate) action: RecordedAction,
    #[serde(default)]
    pub(crate) events: Vec<RecordedEvent>,
    pub(crate) expect: Recorded,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum RecordedAction {
    Play {
        from: (u8, u8),
        to: (u8, u8),
        kind: String,
        #[serde(default = "yes")]
        advance: bool,
        #[serde(default)]
        unchecked: bool,
    },
    Undo,
    Redo,
    Jump {
        index: i64,
    },
    Event {
        event: RecordedRaw,
    },
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(crate) struct RecordedRaw {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) at: Option<(u8, u8)>,
    pub(crate) actor: Option<Color>,
    pub(crate) player: Option<Color>,
    pub(crate) turn: Option<u32>,
}

/// An event of a trace: only what is compared.
#[derive(Deserialize)]
pub(crate) struct RecordedEvent {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) subtype: String,
    pub(crate) actor: Option<Color>,
    pub(crate) player: Option<bool>,
    pub(crate) from: Option<serde_json::Value>,
    pub(crate) to: Option<serde_json::Value>,
    pub(crate) at: Option<(u8, u8)>,
    pub(crate) piece: Option<String>,
    pub(crate) attacker: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) turn: Option<u32>,
    pub(crate) next: Option<Color>,
    pub(crate) expired: Option<Color>,
    pub(crate) losing: Option<Color>,
}

/// A recorded event as one line, its source and actor with level 4.
pub(crate) fn describe(event: &RecordedEvent, level: u8) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let square = |at: Option<(u8, u8)>| at.map_or(String::new(), |(x, y)| format!("{x},{y}"));
    let end = |value: &Option<serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(serde_json::Value::Array(pair)) => {
            pair.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        }
        _ => String::new(),
    };
    let color = |color: Option<Color>| color.map_or(String::new(), |color| color.to_string());
    let (turn, at) = (event.turn.unwrap_or_default(), square(event.at));
    let (from, to) = (end(&event.from), end(&event.to));
    let text = match event.kind.as_str() {
        "Move" => format!("Move {} {from}>{to}", name(&event.piece)),
        "Capture" => format!("Capture {} {} {at}", name(&event.attacker), name(&event.target)),
        "Destroy" => format!("Destroy {} {at}", name(&event.target)),
        "PiecePlaced" => format!("PiecePlaced {} {at}", name(&event.piece)),
        "PieceChanged" => format!("PieceChanged {} {at} {from}>{to}", name(&event.piece)),
        "TileChanged" => format!("TileChanged {at} {from}>{to}"),
        "TurnAdvanced" => format!("TurnAdvanced {} {turn}", color(event.next)),
        "TimeOut" => format!("TimeOut {}", color(event.expired)),
        "GameOver" => format!("GameOver {}", color(event.losing)),
        other => format!("{other} {turn}"),
    };
    let text = format!("{text} {}", event.subtype);
    if level < 4 {
        return text;
    }
    format!("{text} by {} {} {}", event.source, color(event.actor), event.player.unwrap_or_default())
}

pub(crate) fn read_state(catalog: &Catalog, recorded: &Recorded) -> Result<(Saved, Vec<String>), BadInput> {
    let mut saved = Saved::empty(recorded.width, recorded.height);
    let mut names = Vec::new();
    saved.player = recorded.player;
    saved.turn = recorded.turn;
    for piece in &recorded.pieces {
        saved.pieces.push(read_piece(catalog, piece, false)?);
        names.push(piece.id.clone());
    }
    for tile in &recorded.tiles {
        let at = At::new(tile.at.0, tile.at.1);
        let kind = Tile::ALL.into_iter().find(|kind| format!("{kind:?}Tile") == tile.kind);
        let kind =
            kind.ok_or_else(|| BadInput::new("tile.unknown", &tile.kind, "This tile is not known."))?;
        saved.tiles.push((at, kind));
        if let Some(entombed) = &tile.entombed {
            saved.pieces.push(read_piece(catalog, entombed, true)?);
            names.push(entombed.id.clone());
            saved.tombs.push(Tomb::new(at, PieceId(saved.pieces.len() as u16)));
        }
    }
    Ok((saved, names))
}

fn read_piece(catalog: &Catalog, recorded: &RecordedPiece, dead: bool) -> Result<Piece, BadInput> {
    let at = if dead { At::NOWHERE } else { At::new(recorded.at.0, recorded.at.1) };
    let mut piece = Piece::new(catalog.kind_named(&kebab(&recorded.kind))?, recorded.owner, at);
    piece.moves = recorded.moves;
    for ability in &recorded.abilities {
        let mut layer = catalog.layer(catalog.ability_named(&kebab(&ability.kind))?);
        layer.charges = ability.charges.unwrap_or(layer.charges);
        if !piece.layers.push_innermost(layer) {
            return Err(BadInput::new(
                "board.layers",
                &recorded.id,
                "A piece carries at most six abilities.",
            ));
        }
    }
    Ok(piece)
}

pub(crate) fn record_abilities(catalog: &Catalog, layers: &Stack) -> Vec<RecordedAbility> {
    let record = |layer: &turnstone_chess::Layer| {
        let def = catalog.ability(layer.ability);
        let charges = (def.charges > 0).then_some(layer.charges);
        RecordedAbility { kind: camel(&def.id), charges }
    };
    layers.iter().map(record).collect()
}

pub(crate) fn read_play(state: &State, from: (u8, u8), to: (u8, u8), kind: &str) -> Result<Play, String> {
    let how = match kind {
        "S" => How::Slide,
        "J" => How::Jump,
        "C" => How::Cast,
        other => return Err(format!("'{other}' is no kind of move")),
    };
    let (from, to) = (At::new(from.0, from.1), At::new(to.0, to.1));
    if !state.contains(from) || !state.contains(to) {
        return Err(format!("{from}{to} is not on the board"));
    }
    Ok(Play::new(from, to, how))
}

pub(crate) fn record_play(play: &Play) -> (u8, u8, u8, u8, String) {
    let how = match play.how {
        How::Jump => "J",
        How::Cast => "C",
        _ => "S",
    };
    (play.from.x, play.from.y, play.to.x, play.to.y, how.to_owned())
}

pub(crate) fn read_raw(raw: &RecordedRaw) -> Result<Raw, String> {
    let player = raw.player.unwrap_or_default();
    let turn = raw.turn.unwrap_or_default();
    Ok(match raw.kind.as_str() {
        "Destroy" => {
            let (x, y) = raw.at.ok_or("a Destroy needs a square")?;
            Raw::Destroy { at: At::new(x, y), actor: raw.actor.unwrap_or_default() }
        }
        "TurnStart" => Raw::TurnStart(player, turn),
        "TurnEnd" => Raw::TurnEnd(player, turn),
        "TurnAdvanced" => Raw::TurnAdvanced(player, turn),
        "TimeOut" => Raw::TimeOut(player),
        "GameOver" => Raw::GameOver(player),
        other => return Err(format!("'{other}' is no event that can stand alone")),
    })
}
