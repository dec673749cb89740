//! A trace is replayed action by action. Compared are, by level: 1 the state,
//! 2 the legal moves and the status, 3 the events by type, squares, pieces and
//! manner, 4 their sources. The default is 3. Events of ours without a
//! counterpart in the records (charges) are left out.

use std::sync::Arc;

use turnstone::{Input, Match, Moment};
use turnstone_chess::{
    Action, At, BadInput, Chess, Event, Kind, Manner, Piece, PieceId, Setup, Source, Tag, Tile, Who,
};

use crate::Divergence;
use crate::names::camel;
use crate::recorded::{
    Recorded, RecordedAction, RecordedEvent, RecordedPiece, RecordedStep, RecordedTile, Status, Trace,
    describe, read_play, read_raw, read_state, record_abilities, record_play,
};

/// Replays a trace action by action and compares after each.
pub(crate) fn check(trace: &Trace, level: u8) -> Result<(), Divergence> {
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
        let name = |who: Who| self.name(who.id);
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
