//! What a viewer may see. In the fog of war a player sees what his pieces see.

use crate::ability::Verb;
use crate::at::At;
use crate::catalog::tile_id;
use crate::color::Color;
use crate::effect::{Source, Tag};
use crate::event::Event;
use crate::game::{Chess, seat};
use crate::piece::{Kind, Piece, PieceId, Who};
use crate::rules::candidates::lists;
use crate::state::State;
use crate::tile::Tile;
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
                self.look_around(state, id, piece, &mut seen);
            }
        }
        seen.sort_unstable();
        seen.dedup();
        Some(seen)
    }

    /// What a piece sees: the squares around it, wherever it could go, and whatever keeps it from going
    /// further, so that its moves tell nothing that its eyes do not.
    fn look_around(&self, state: &State, id: PieceId, piece: &Piece, seen: &mut Vec<At>) {
        let reach = if piece.has(Verb::WallPlacement) { 2 } else { 1 };
        for dx in -reach..=reach {
            for dy in -reach..=reach {
                seen.extend(piece.at.plus(dx, dy).filter(|at| state.contains(*at)));
            }
        }
        let lists = lists(&self.catalog, state, id, piece, self.rules.horde);
        seen.extend(lists.moves.iter().map(|candidate| candidate.to));
        for step in &self.catalog.piece(piece.kind).steps {
            let direction = (i32::from(step.dx), i32::from(step.dy) * piece.owner.forward());
            if step.lame {
                let length = direction.0.abs().max(direction.1.abs());
                let part = |k: i32| (direction.0 * k / length, direction.1 * k / length);
                let between = (1..length).filter_map(|k| piece.at.plus(part(k).0, part(k).1));
                seen.extend(between.filter(|at| state.contains(*at)));
            }
            // Those who hop look over the first piece they meet.
            let hurdles = if step.hurdle == crate::catalog::Hurdle::Stop { 1 } else { 2 };
            look_along(state, piece.at, direction, hurdles, step.range, seen);
        }
    }

    pub(crate) fn view_state(&self, state: &State, viewer: Viewer) -> Value {
        let seen = self.visible(state, viewer);
        let sees = |at: At| seen.as_ref().is_none_or(|seen| seen.binary_search(&at).is_ok());
        let pieces: Vec<Value> = state
            .on_board()
            .filter(|(_, piece)| sees(piece.at))
            .map(|(id, piece)| self.view_piece(state, id, piece, viewer))
            .collect();
        let tiles: Vec<Value> = state
            .special_tiles()
            // The shape of the board is known.
            .filter(|(at, tile)| *tile == Tile::Void || sees(*at))
            .map(|(at, tile)| {
                let entombed = state.tomb(at).and_then(|tomb| Some((tomb.piece, state.piece(tomb.piece)?)));
                match entombed {
                    Some((id, piece)) => {
                        json!({"at": at, "tile": tile_id(tile), "entombed": self.view_piece(state, id, piece, viewer)})
                    }
                    None => json!({"at": at, "tile": tile_id(tile)}),
                }
            })
            .collect();
        let pocket: Vec<Value> = state
            .pieces()
            .filter(|(_, piece)| piece.in_pocket)
            .map(|(id, piece)| self.view_piece(state, id, piece, viewer))
            .collect();
        let mut view = json!({
            "ruleset": self.rules.id,
            "width": state.width(), "height": state.height(),
            "player": state.player, "turn": state.turn, "offer": state.offer,
            "pieces": pieces, "tiles": tiles, "pocket": pocket, "end": state.end,
        });
        if let Some(seen) = &seen {
            view["seen"] = json!(seen);
        } else {
            view["fen"] = json!(self.to_fen(state));
            view["halfmoves"] = json!(state.halfmoves);
        }
        if let Some(notice) = self.draw_notice(state) {
            view["notice"] = json!(notice);
        }
        if self.rules.checks > 0 {
            view["checks_left"] = json!(state.checks_left);
        }
        if let Some(run) = &state.run {
            view["run"] = self.view_run(run);
        }
        view
    }

    fn view_piece(&self, state: &State, id: PieceId, piece: &Piece, viewer: Viewer) -> Value {
        let abilities: Vec<Value> = piece
            .layers
            .iter()
            .map(|layer| json!({"ability": self.catalog.ability(layer.ability).id, "charges": layer.charges}))
            .collect();
        let mut view = json!({
            "kind": self.catalog.piece(piece.kind).id, "owner": piece.owner,
            "at": piece.at, "abilities": abilities,
        });
        // In the fog of war neither where a piece began nor how often it has moved can be seen.
        if self.knows(state, piece.owner, viewer) {
            view["id"] = json!(id);
            view["moves"] = json!(piece.moves);
        }
        view
    }

    /// Does this viewer know the pieces of a side by number?
    fn knows(&self, state: &State, owner: Color, viewer: Viewer) -> bool {
        viewer == Viewer::Seat(seat(owner)) || self.visible(state, viewer).is_none()
    }

    /// In the fog of war an event is known as far as its squares are seen: where something was, before
    /// it; where something is, after it.
    pub(crate) fn redact_event(
        &self,
        before: &State,
        after: &State,
        event: &Event,
        viewer: Viewer,
    ) -> Option<Event> {
        let Some(was) = self.visible(before, viewer) else { return Some(event.clone()) };
        let now = self.visible(after, viewer);
        let eyes = Eyes { was, now, viewer };
        eyes.event(event)
    }
}

/// What a viewer in the fog of war saw before an event, and what he sees after it.
struct Eyes {
    was: Vec<At>,
    now: Option<Vec<At>>,
    viewer: Viewer,
}

impl Eyes {
    fn owns(&self, who: Who) -> bool {
        who.is_some() && self.viewer == Viewer::Seat(seat(who.owner))
    }

    fn saw(&self, at: At) -> bool {
        self.was.binary_search(&at).is_ok()
    }

    fn sees(&self, at: At) -> bool {
        self.now.as_ref().is_none_or(|now| now.binary_search(&at).is_ok())
    }

    /// A piece of the other side is known by what it looks like, not by number.
    fn face(&self, who: Who) -> Who {
        if self.owns(who) { who } else { Who { id: PieceId::NONE, ..who } }
    }

    /// Sources are told as far as they are one's own, or ground that is seen.
    fn tag(&self, tag: Tag) -> Tag {
        let shown = match tag.source {
            Source::None => true,
            Source::Piece(_) | Source::Layer(..) => self.viewer == Viewer::Seat(seat(tag.actor)),
            Source::Tile(at) => self.saw(at) || self.sees(at),
        };
        if shown { tag } else { tag.by(Source::None) }
    }

    fn event(&self, event: &Event) -> Option<Event> {
        match *event {
            Event::Moved { piece, from, to, displaced, promotion, tag } => {
                let own = self.owns(piece);
                let from = if own || self.saw(from) { from } else { At::NOWHERE };
                let to = if own || self.sees(to) { to } else { At::NOWHERE };
                let swept = to.is_somewhere() || self.owns(displaced);
                let known = from.is_somewhere() || to.is_somewhere() || self.owns(displaced);
                let displaced = if swept { self.face(displaced) } else { Who::NOBODY };
                let promotion = if own { promotion } else { Kind::NONE };
                let (piece, tag) = (self.mover(piece, from, to), self.tag(tag));
                known.then_some(Event::Moved { piece, from, to, displaced, promotion, tag })
            }
            Event::Captured { attacker, from, target, at, tag } => {
                let known = self.owns(attacker) || self.owns(target) || self.saw(at);
                // Taken from the dark: by whom stays there.
                let lit = self.owns(attacker) || self.saw(from);
                let (attacker, from) =
                    if lit { (self.face(attacker), from) } else { (Who::NOBODY, At::NOWHERE) };
                let (target, tag) = (self.face(target), self.tag(tag));
                known.then_some(Event::Captured { attacker, from, target, at, tag })
            }
            Event::Destroyed { target, at, tag } => {
                let known = self.owns(target) || self.saw(at);
                known.then_some(Event::Destroyed { target: self.face(target), at, tag: self.tag(tag) })
            }
            Event::Placed { piece, at, tag } => {
                let known = self.owns(piece) || self.sees(at);
                known.then_some(Event::Placed { piece: self.face(piece), at, tag: self.tag(tag) })
            }
            Event::Changed { piece, at, to, tag } => {
                let known = self.owns(piece) || (self.saw(at) && self.sees(at));
                known.then_some(Event::Changed { piece: self.face(piece), at, to, tag: self.tag(tag) })
            }
            Event::TileChanged { at, from, to, tomb, tag } => {
                let known = self.saw(at) && self.sees(at);
                let (tomb, tag) = (self.face(tomb), self.tag(tag));
                known.then_some(Event::TileChanged { at, from, to, tomb, tag })
            }
            Event::Charged { piece, at, slot, charges } => {
                let known = self.owns(piece) || (self.saw(at) && self.sees(at));
                known.then_some(Event::Charged { piece: self.face(piece), at, slot, charges })
            }
            Event::Consulted { piece, .. } => self.owns(piece).then(|| event.clone()),
            Event::Swapped { piece, at, other, other_at, tag } => {
                let both = [at, other_at].into_iter().all(|at| self.saw(at) && self.sees(at));
                let known = self.owns(piece) || both;
                let (piece, other, tag) = (self.face(piece), self.face(other), self.tag(tag));
                known.then_some(Event::Swapped { piece, at, other, other_at, tag })
            }
            Event::Castled { king, rook, king_to, rook_to } => {
                let known = self.owns(king) || (self.sees(king_to) && self.sees(rook_to));
                let (king, rook) = (self.face(king), self.face(rook));
                known.then_some(Event::Castled { king, rook, king_to, rook_to })
            }
            Event::TurnStarted(..)
            | Event::TurnEnded(..)
            | Event::TurnAdvanced(..)
            | Event::DrawOffered(_)
            | Event::CheckGiven(..)
            | Event::TimedOut(_)
            | Event::GameOver(_)
            | Event::Ended(..)
            | Event::Run(_) => Some(event.clone()),
        }
    }

    /// Who is seen to move; nobody if neither where it was nor where it is can be seen.
    fn mover(&self, piece: Who, from: At, to: At) -> Who {
        let seen = self.owns(piece) || from.is_somewhere() || to.is_somewhere();
        if seen { self.face(piece) } else { Who::NOBODY }
    }
}

/// The squares in a direction up to the last hurdle that matters, that one included.
fn look_along(
    state: &State,
    from: At,
    (dx, dy): (i32, i32),
    mut hurdles: u32,
    range: u8,
    seen: &mut Vec<At>,
) {
    let (mut at, mut left) = (from, range);
    while hurdles > 0 && left > 0 {
        let Some(next) = state.step(at, dx, dy) else { return };
        seen.push(next);
        at = next;
        if state.id_at(at).is_some() {
            hurdles -= 1;
        }
        // Who hops goes any way to its hurdle.
        if hurdles < 2 {
            left -= 1;
        }
    }
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
