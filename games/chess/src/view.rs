//! What a viewer may see. In the fog of war a player sees what his pieces see.

use crate::at::At;
use crate::catalog::tile_id;
use crate::color::Color;
use crate::effect::{Event, Source};
use crate::game::{Chess, seat};
use crate::piece::{Piece, PieceId};
use crate::rules::candidates::lists;
use crate::state::State;
use serde_json::{Value, json};
use turnstone::Viewer;

impl Chess {
    /// The squares a viewer sees, or `None` if nothing is hidden from him.
    pub fn visible(&self, state: &State, viewer: Viewer) -> Option<Vec<At>> {
        if !self.rules.fog_of_war || viewer == Viewer::All || state.end.is_some() {
            return None;
        }
        let color = Color::BOTH.into_iter().find(|color| viewer == Viewer::Seat(seat(*color)));
        let mut seen = Vec::new();
        if let Some(color) = color {
            for (id, piece) in state.side(color) {
                seen.push(piece.at);
                for dx in -1..=1 {
                    for dy in -1..=1 {
                        seen.extend(piece.at.plus(dx, dy).filter(|at| state.contains(*at)));
                    }
                }
                let reach = lists(&self.catalog, state, id, piece, self.rules.horde);
                seen.extend(reach.moves.iter().map(|candidate| candidate.to));
            }
        }
        seen.sort_unstable();
        seen.dedup();
        Some(seen)
    }

    pub(crate) fn view_state(&self, state: &State, viewer: Viewer) -> Value {
        let seen = self.visible(state, viewer);
        let sees = |at: At| seen.as_ref().is_none_or(|seen| seen.binary_search(&at).is_ok());
        let pieces: Vec<Value> = state
            .on_board()
            .filter(|(_, piece)| sees(piece.at))
            .map(|(id, piece)| self.view_piece(id, piece))
            .collect();
        let tiles: Vec<Value> = state
            .special_tiles()
            .filter(|(at, _)| sees(*at))
            .map(|(at, tile)| {
                let entombed = state.tomb(at).and_then(|tomb| Some((tomb.piece, state.piece(tomb.piece)?)));
                match entombed {
                    Some((id, piece)) => {
                        json!({"at": at, "tile": tile_id(tile), "entombed": self.view_piece(id, piece)})
                    }
                    None => json!({"at": at, "tile": tile_id(tile)}),
                }
            })
            .collect();
        let pocket: Vec<Value> = state
            .pieces()
            .filter(|(_, piece)| piece.in_pocket)
            .map(|(id, piece)| self.view_piece(id, piece))
            .collect();
        let mut view = json!({
            "ruleset": self.rules.id,
            "width": state.width(), "height": state.height(),
            "player": state.player, "turn": state.turn, "halfmoves": state.halfmoves,
            "pieces": pieces, "tiles": tiles, "pocket": pocket, "end": state.end,
        });
        if let Some(seen) = &seen {
            view["seen"] = json!(seen);
        } else {
            view["fen"] = json!(self.to_fen(state));
        }
        if self.rules.checks > 0 {
            view["checks_left"] = json!(state.checks_left);
        }
        if let Some(run) = &state.run {
            view["run"] = self.view_run(run);
        }
        view
    }

    fn view_piece(&self, id: PieceId, piece: &Piece) -> Value {
        let abilities: Vec<Value> = piece
            .layers
            .iter()
            .map(|layer| json!({"ability": self.catalog.ability(layer.ability).id, "charges": layer.charges}))
            .collect();
        json!({
            "id": id, "kind": self.catalog.piece(piece.kind).id, "owner": piece.owner,
            "at": piece.at, "moves": piece.moves, "abilities": abilities,
        })
    }

    /// In the fog of war an event is known as far as its squares are seen.
    pub(crate) fn redact_event(
        &self,
        before: &State,
        after: &State,
        event: &Event,
        viewer: Viewer,
    ) -> Option<Event> {
        let Some(was) = self.visible(before, viewer) else { return Some(*event) };
        let now = self.visible(after, viewer).unwrap_or_default();
        let sees = |at: At| was.binary_search(&at).is_ok() || now.binary_search(&at).is_ok();
        let owns =
            |id: PieceId| before.piece(id).is_some_and(|piece| viewer == Viewer::Seat(seat(piece.owner)));
        let shown = |source: Source| match source {
            Source::None => true,
            Source::Piece(id) | Source::Layer(id, _) => owns(id) || sees(place(before, id)),
            Source::Tile(at) => sees(at),
        };
        match *event {
            Event::Moved { piece, from, to, displaced, promotion, tag } if !owns(piece) => {
                let (from, to) =
                    (if sees(from) { from } else { At::NOWHERE }, if sees(to) { to } else { At::NOWHERE });
                let seen = from.is_somewhere() || to.is_somewhere() || owns(displaced);
                seen.then_some(Event::Moved { piece, from, to, displaced, promotion, tag })
            }
            Event::Captured { attacker, target, at, tag } => {
                let known = owns(attacker) || owns(target) || sees(at);
                if owns(attacker) || sees(place(before, attacker)) {
                    return known.then_some(*event);
                }
                // Taken from the dark: by whom stays there.
                let tag = tag.by(Source::None);
                known.then_some(Event::Captured { attacker: PieceId::NONE, target, at, tag })
            }
            Event::Destroyed { target, at, tag } => {
                let tag = if shown(tag.source) { tag } else { tag.by(Source::None) };
                (owns(target) || sees(at)).then_some(Event::Destroyed { target, at, tag })
            }
            Event::Placed { piece, at, .. } | Event::Changed { piece, at, .. } => {
                (owns(piece) || sees(at)).then_some(*event)
            }
            Event::TileChanged { at, .. } => sees(at).then_some(*event),
            Event::Charged { piece, .. } => (owns(piece) || sees(place(before, piece))).then_some(*event),
            Event::Swapped { piece, other, .. } => {
                let both = [piece, other].into_iter().all(|id| owns(id) || sees(place(before, id)));
                both.then_some(*event)
            }
            Event::Castled { king, king_to, rook_to, .. } => {
                (owns(king) || (sees(king_to) && sees(rook_to))).then_some(*event)
            }
            _ => Some(*event),
        }
    }
}

fn place(state: &State, id: PieceId) -> At {
    state.piece(id).map_or(At::NOWHERE, |piece| piece.at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use std::sync::Arc;
    use turnstone::{Input, Match, Seen as _};

    #[test]
    fn the_fog_hides_far_pieces_and_their_moves() {
        let chess = Arc::new(Chess::builtin("dark").unwrap());
        let setup = Setup::Fen("k6r/8/8/8/8/8/8/K6N w - - 0 1".to_owned());
        let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup, 0).unwrap();
        let view = chess.view(game.state(), Viewer::Seat(0));
        assert_eq!(view["pieces"].as_array().map(Vec::len), Some(2));
        assert!(view.get("fen").is_none());
        for text in ["h1g3", "a8b8"] {
            let play = chess.parse_play(game.state(), text).unwrap();
            game.act(Input::Act(crate::Action::Play(play))).unwrap();
        }
        let told = serde_json::to_string(&game.log_for(Viewer::Seat(0))).unwrap();
        assert!(told.contains("g3") && !told.contains("b8"), "{told}");
        let told = serde_json::to_string(&game.log_for(Viewer::Spectator)).unwrap();
        assert!(!told.contains("g3") && !told.contains("b8"), "{told}");
    }
}
