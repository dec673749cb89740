//! Checking golden records: traces of recorded games, and perft tables.
//!
//! A trace is replayed action by action. Compared are, by level: 1 the state,
//! 2 the legal moves and the status, 3 the events by type, squares, pieces and
//! manner, 4 their sources. The default is 3. Events of ours without a
//! counterpart in the records (charges) are left out.

use crate::ability::Stack;
use crate::action::{Action, How, Play, Raw};
use crate::at::At;
use crate::catalog::Catalog;
use crate::color::Color;
use crate::effect::{Event, Manner, Source, Tag};
use crate::error::BadInput;
use crate::game::Chess;
use crate::piece::{Kind, Piece, PieceId};
use crate::plain::{Position, Variant, perft};
use crate::setup::Setup;
use crate::state::{Saved, State};
use crate::tile::{Tile, Tomb};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnstone::{Input, Match, Moment, Rejection};
use turnstone_host::Conformity;

/// What to check, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Traces: 1 state, 2 also legal moves and status, 3 also events, 4 also sources.
    pub level: u8,
    /// Perft: the greatest number of leaves counted for one position and depth.
    pub max_nodes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { level: 3, max_nodes: 3_000_000 }
    }
}

impl Options {
    fn read(pairs: &[(String, String)]) -> Result<Options, BadInput> {
        let mut options = Options::default();
        for (name, value) in pairs {
            let wrong = || {
                BadInput::new(
                    "conform.option",
                    name,
                    format!("'{value}' is no value for {name}; write a number."),
                )
            };
            match name.as_str() {
                "level" => options.level = value.parse().map_err(|_| wrong())?,
                "max-nodes" | "max_nodes" => options.max_nodes = value.parse().map_err(|_| wrong())?,
                _ => {
                    let reason = format!("There is no option {name}; known are level and max-nodes.");
                    return Err(BadInput::new("conform.option", name, reason));
                }
            }
        }
        Ok(options)
    }
}

/// Checks a file of golden records: traces (JSON Lines) or a perft table (JSON).
///
/// # Errors
/// If the file is neither, or an option is not understood.
pub fn conform(name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let options = Options::read(options)?;
    let nothing = || BadInput::new("conform.record", name, "There is no record in this file.");
    if let Ok(table) = serde_json::from_str::<PerftFile>(text) {
        if table.positions.is_empty() {
            return Err(nothing().into());
        }
        return Ok(conform_perft(&table, options.max_nodes));
    }
    if text.trim().is_empty() {
        return Err(nothing().into());
    }
    let mut result = Conformity::new("traces");
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let trace: Trace = serde_json::from_str(line).map_err(|error| {
            let place = format!("{name}:{}", number + 1);
            BadInput::new("conform.record", place, format!("This line is no recorded trace: {error}."))
        })?;
        result.count(trace.id.clone(), check_trace(&trace, options.level));
    }
    Ok(result)
}

#[derive(Deserialize)]
struct PerftFile {
    positions: Vec<PerftEntry>,
}

#[derive(Deserialize)]
struct PerftEntry {
    id: String,
    variant: String,
    fen: String,
    nodes: BTreeMap<u32, u64>,
}

fn conform_perft(table: &PerftFile, max_nodes: u64) -> Conformity {
    let mut result = Conformity::new("perft");
    for entry in &table.positions {
        result.count(entry.id.clone(), check_perft(entry, max_nodes));
        let left_out = entry.nodes.values().filter(|nodes| **nodes > max_nodes).count();
        if left_out == entry.nodes.len() {
            result.skipped.push(format!("{}: every depth has more than {max_nodes} leaves", entry.id));
        }
    }
    result
}

fn check_perft(entry: &PerftEntry, max_nodes: u64) -> Result<(), (String, String)> {
    let fail = |text: String| ("position".to_owned(), text);
    let variant = Variant::from_name(&entry.variant)
        .ok_or_else(|| fail(format!("unknown variant {}", entry.variant)))?;
    let position = Position::from_fen(&entry.fen, variant).map_err(|error| fail(error.to_string()))?;
    for (depth, wanted) in entry.nodes.iter().filter(|(_, nodes)| **nodes <= max_nodes) {
        let counted = perft(&position, *depth);
        if counted != *wanted {
            return Err((format!("depth {depth}"), format!("recorded {wanted}, counted {counted}")));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Trace {
    id: String,
    initial: Initial,
    steps: Vec<RecordedStep>,
}

#[derive(Deserialize)]
struct Initial {
    rules: String,
    #[serde(flatten)]
    state: Recorded,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Recorded {
    width: u8,
    height: u8,
    player: Color,
    turn: u32,
    pieces: Vec<RecordedPiece>,
    tiles: Vec<RecordedTile>,
    #[serde(default)]
    legal: Vec<(u8, u8, u8, u8, String)>,
    #[serde(default)]
    status: Option<Status>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Status {
    over: bool,
    winner: Option<Color>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct RecordedPiece {
    id: String,
    kind: String,
    owner: Color,
    at: (u8, u8),
    moves: u16,
    abilities: Vec<RecordedAbility>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct RecordedAbility {
    kind: String,
    #[serde(default)]
    charges: Option<u8>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct RecordedTile {
    at: (u8, u8),
    kind: String,
    #[serde(default)]
    entombed: Option<RecordedPiece>,
}

#[derive(Deserialize)]
struct RecordedStep {
    action: RecordedAction,
    #[serde(default)]
    events: Vec<RecordedEvent>,
    expect: Recorded,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum RecordedAction {
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
struct RecordedRaw {
    #[serde(rename = "type")]
    kind: String,
    at: Option<(u8, u8)>,
    actor: Option<Color>,
    player: Option<Color>,
    turn: Option<u32>,
}

/// An event of a trace: only what is compared.
#[derive(Deserialize)]
struct RecordedEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    subtype: String,
    actor: Option<Color>,
    player: Option<bool>,
    from: Option<serde_json::Value>,
    to: Option<serde_json::Value>,
    at: Option<(u8, u8)>,
    piece: Option<String>,
    attacker: Option<String>,
    target: Option<String>,
    turn: Option<u32>,
    next: Option<Color>,
    expired: Option<Color>,
    losing: Option<Color>,
}

type Divergence = (String, String);

fn check_trace(trace: &Trace, level: u8) -> Result<(), Divergence> {
    let fail = |error: String| ("initial".to_owned(), error);
    let mut replay = Replay::new(trace, level).map_err(|error| fail(error.to_string()))?;
    replay.compare_state(&trace.initial.state).map_err(fail)?;
    for (i, step) in trace.steps.iter().enumerate() {
        replay.step(step).map_err(|text| (format!("step {}", i + 1), text))?;
    }
    Ok(())
}

/// A trace under way.
struct Replay {
    game: Match<Chess>,
    names: Vec<String>,
    history: Vec<Moment>,
    index: usize,
    level: u8,
}

impl Replay {
    fn new(trace: &Trace, level: u8) -> Result<Replay, BadInput> {
        let ruleset = match trace.initial.rules.as_str() {
            "LastPieceStanding" => "recorded-last-piece-standing",
            "StandardChess" => "recorded-standard",
            other => other,
        };
        let chess = Arc::new(Chess::builtin(ruleset)?);
        let (saved, names) = read_state(chess.catalog(), &trace.initial.state)?;
        let game = Match::new(chess, Setup::Position(Box::new(saved)), 0)
            .map_err(|error| BadInput::new("conform.initial", "", error))?;
        let history = vec![game.here()];
        Ok(Replay { game, names, history, index: 0, level })
    }

    fn step(&mut self, step: &RecordedStep) -> Result<(), String> {
        let mut moment = None;
        match &step.action {
            RecordedAction::Undo => self.go(self.index as i64 - 1),
            RecordedAction::Redo => self.go(self.index as i64 + 1),
            RecordedAction::Jump { index } => self.go(*index),
            RecordedAction::Play { from, to, kind, advance, unchecked } => {
                let play = read_play(self.game.state(), *from, *to, kind)?;
                let chess = self.game.game();
                if !unchecked && !chess.is_legal(self.game.state(), &play) {
                    return Err(format!(
                        "the recorded move {} is not legal",
                        chess.play_text(self.game.state(), &play)
                    ));
                }
                moment = Some(self.act(Action::Force { play, advance: *advance })?);
            }
            RecordedAction::Event { event } => moment = Some(self.act(Action::Raw(read_raw(event)?))?),
        }
        if let Some(moment) = moment.filter(|_| self.level >= 3) {
            self.compare_events(moment, &step.events)?;
        }
        self.compare_state(&step.expect)
    }

    fn act(&mut self, action: Action) -> Result<Moment, String> {
        let moment = self.game.act(Input::Act(action)).map_err(|error| error.to_string())?;
        self.history.truncate(self.index + 1);
        self.history.push(moment);
        self.index += 1;
        Ok(moment)
    }

    /// Out of range has no effect.
    fn go(&mut self, index: i64) {
        let Some(moment) = usize::try_from(index).ok().and_then(|index| self.history.get(index)) else {
            return;
        };
        if self.game.jump(*moment).is_ok() {
            self.index = index as usize;
        }
    }

    fn compare_state(&self, wanted: &Recorded) -> Result<(), String> {
        let (chess, state) = (self.game.game(), self.game.state());
        same("size", &(wanted.width, wanted.height), &(state.width(), state.height()))?;
        same("player", &wanted.player, &state.player)?;
        same("turn", &wanted.turn, &state.turn)?;
        let pieces: Vec<RecordedPiece> =
            state.on_board().map(|(id, piece)| self.record_piece(id, piece, piece.at)).collect();
        same_list("pieces", &wanted.pieces, &pieces)?;
        let tiles: Vec<RecordedTile> =
            state.special_tiles().map(|(at, tile)| self.record_tile(at, tile)).collect();
        same_list("tiles", &wanted.tiles, &tiles)?;
        if self.level < 2 {
            return Ok(());
        }
        let mut legal: Vec<_> = chess.legal_plays(state).iter().map(record_play).collect();
        legal.sort();
        legal.dedup();
        same_list("legal moves", &wanted.legal, &legal)?;
        let end = chess.end_of(state);
        let status = Status { over: end.is_some(), winner: end.and_then(|end| end.winner) };
        match &wanted.status {
            Some(wanted) => same("status", wanted, &status),
            None => Ok(()),
        }
    }

    fn record_piece(&self, id: PieceId, piece: &Piece, at: At) -> RecordedPiece {
        let catalog = self.game.game().catalog();
        RecordedPiece {
            id: self.name(id),
            kind: camel(&catalog.piece(piece.kind).id),
            owner: piece.owner,
            at: (at.x, at.y),
            moves: piece.moves,
            abilities: record_abilities(catalog, &piece.layers),
        }
    }

    fn record_tile(&self, at: At, tile: Tile) -> RecordedTile {
        let state = self.game.state();
        let entombed = state
            .tomb(at)
            .and_then(|tomb| state.piece(tomb.piece).map(|piece| self.record_piece(tomb.piece, piece, at)));
        RecordedTile { at: (at.x, at.y), kind: format!("{tile:?}Tile"), entombed }
    }

    fn name(&self, id: PieceId) -> String {
        self.names.get(usize::from(id.0).wrapping_sub(1)).cloned().unwrap_or_default()
    }

    fn compare_events(&self, moment: Moment, wanted: &[RecordedEvent]) -> Result<(), String> {
        let ours: Vec<String> = self
            .game
            .entries(moment)
            .iter()
            .filter_map(|entry| entry.fact.event())
            .filter_map(|event| self.project(event))
            .collect();
        let wanted: Vec<String> = wanted.iter().map(|event| describe(event, self.level)).collect();
        same_list("events", &wanted, &ours)
    }

    /// An event of ours as [`describe`] writes a recorded one; nothing if the records do not know it.
    fn project(&self, event: &Event) -> Option<String> {
        let square = |at: At| format!("{},{}", at.x, at.y);
        let name = |who: crate::piece::Who| self.name(who.id);
        let kind = |kind: Kind| camel(&self.game.game().catalog().piece(kind).id);
        let (text, tag) = match *event {
            Event::Moved { piece, from, to, tag, .. } => {
                (format!("Move {} {}>{}", name(piece), square(from), square(to)), tag)
            }
            Event::Captured { attacker, target, at, tag, .. } => {
                (format!("Capture {} {} {}", name(attacker), name(target), square(at)), tag)
            }
            Event::Destroyed { target, at, tag } => (format!("Destroy {} {}", name(target), square(at)), tag),
            Event::Placed { piece, at, tag } => (format!("PiecePlaced {} {}", name(piece), square(at)), tag),
            Event::Changed { piece, at, to, tag } => (
                format!("PieceChanged {} {} {}>{}", name(piece), square(at), kind(piece.kind), kind(to)),
                tag,
            ),
            Event::TileChanged { at, from, to, tag, .. } => {
                (format!("TileChanged {} {from:?}Tile>{to:?}Tile", square(at)), tag)
            }
            Event::TurnStarted(player, turn) => (format!("TurnStart {turn}"), Tag::of(player)),
            Event::TurnEnded(player, turn) => (format!("TurnEnd {turn}"), Tag::of(player)),
            Event::TurnAdvanced(player, turn) => (format!("TurnAdvanced {player} {turn}"), Tag::of(player)),
            Event::TimedOut(player) => (format!("TimeOut {player}"), Tag::of(player)),
            Event::GameOver(player) => (format!("GameOver {player}"), Tag::of(player)),
            _ => return None,
        };
        let text = format!("{text} {}", manner_name(tag.manner));
        Some(if self.level >= 4 {
            format!("{text} by {} {} {}", self.source_name(tag.source), tag.actor, tag.by_player)
        } else {
            text
        })
    }

    fn source_name(&self, source: Source) -> String {
        match source {
            Source::None => String::new(),
            Source::Tile(_) => "tile".to_owned(),
            Source::Piece(id) => self.name(id),
            Source::Layer(id, slot) => {
                let layers = self.game.state().piece(id).map(|piece| piece.layers).unwrap_or_default();
                let Some(layer) = layers.get(slot) else { return self.name(id) };
                let before = layers.iter().take(usize::from(slot)).filter(|l| l.verb == layer.verb).count();
                let number = if before == 0 { String::new() } else { (before + 1).to_string() };
                format!("{}.{:?}{number}", self.name(id), layer.verb)
            }
        }
    }
}

fn describe(event: &RecordedEvent, level: u8) -> String {
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

fn manner_name(manner: Manner) -> String {
    match manner {
        Manner::Plain => String::new(),
        other => {
            serde_json::to_value(other).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, wanted: &T, got: &T) -> Result<(), String> {
    if wanted == got { Ok(()) } else { Err(format!("{what}: recorded {wanted:?}, ours {got:?}")) }
}

/// Names the first element that differs.
fn same_list<T: PartialEq + std::fmt::Debug>(what: &str, wanted: &[T], got: &[T]) -> Result<(), String> {
    let differs = (0..wanted.len().max(got.len())).find(|i| wanted.get(*i) != got.get(*i));
    match differs {
        None => Ok(()),
        Some(i) => {
            Err(format!("{what}, number {}: recorded {:?}, ours {:?}", i + 1, wanted.get(i), got.get(i)))
        }
    }
}

fn read_state(catalog: &Catalog, recorded: &Recorded) -> Result<(Saved, Vec<String>), BadInput> {
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
            saved.tombs.push(Tomb { at, piece: PieceId(saved.pieces.len() as u16), dug: 0 });
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

fn record_abilities(catalog: &Catalog, layers: &Stack) -> Vec<RecordedAbility> {
    let record = |layer: &crate::Layer| {
        let def = catalog.ability(layer.ability);
        let charges = (def.charges > 0).then_some(layer.charges);
        RecordedAbility { kind: camel(&def.id), charges }
    };
    layers.iter().map(record).collect()
}

fn read_play(state: &State, from: (u8, u8), to: (u8, u8), kind: &str) -> Result<Play, String> {
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

fn record_play(play: &Play) -> (u8, u8, u8, u8, String) {
    let how = match play.how {
        How::Jump => "J",
        How::Cast => "C",
        _ => "S",
    };
    (play.from.x, play.from.y, play.to.x, play.to.y, how.to_owned())
}

fn read_raw(raw: &RecordedRaw) -> Result<Raw, String> {
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

/// `WallPlacement` to `wall-placement`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// `wall-placement` to `WallPlacement`.
fn camel(id: &str) -> String {
    id.split('-')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        })
        .collect()
}
