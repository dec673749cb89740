//! Moves as people write them: standard algebraic notation where the position is plain, and its like on
//! boards with abilities, tiles and other pieces.

use crate::action::{How, Play};
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::{Move, Position};
use crate::rules::legality::is_capture;
use crate::rules::plain::play_of;
use crate::state::State;

impl Chess {
    /// The legal moves with their names, no two of which are alike. A promotion is named once: what the
    /// pawn becomes is asked.
    pub fn labels(&self, state: &State) -> Vec<(Play, String)> {
        let plays = self.legal_plays(state);
        if let Some(position) = self.plain(state) {
            return plain_labels(&position, plays);
        }
        let short: Vec<String> = plays.iter().map(|play| self.short(state, play, &plays)).collect();
        let alike = |text: &String| short.iter().filter(|other| *other == text).count() > 1;
        let name = |(play, text): (Play, &String)| {
            (play, if alike(text) { self.play_text(state, &play) } else { text.clone() })
        };
        plays.into_iter().zip(&short).map(name).collect()
    }

    /// The name of a move: SAN where that is possible.
    pub fn label(&self, state: &State, play: &Play) -> String {
        if let Some(position) = self.plain(state)
            && let Some(mv) = position.legal().iter().find(|mv| play_of(mv) == *play)
        {
            return position.to_san(mv);
        }
        let listed = Play { kind: if play.how == How::Drop { play.kind } else { Kind::NONE }, ..*play };
        let labels = self.labels(state);
        match labels.into_iter().find(|(other, _)| *other == listed) {
            Some((_, text)) if listed.kind == play.kind => text,
            Some((_, text)) => format!("{text}={}", self.catalog.piece(play.kind).letter),
            None => self.play_text(state, play),
        }
    }

    /// Letter, what tells it from its like, and the square; no marks for check, which would need a look
    /// ahead.
    fn short(&self, state: &State, play: &Play, plays: &[Play]) -> String {
        let Some((_, piece)) = state.piece_at(play.from) else { return self.play_text(state, play) };
        let def = self.catalog.piece(piece.kind);
        match play.how {
            How::Castle | How::Cast | How::Drop => return self.play_text(state, play),
            How::Slide | How::Jump | How::EnPassant => {}
        }
        let takes = if is_capture(state, play) { "x" } else { "" };
        if def.pawn {
            let file = if takes.is_empty() { String::new() } else { file_of(play) };
            return format!("{file}{takes}{}", play.to);
        }
        let like = |other: &&Play| {
            other.to == play.to
                && other.from != play.from
                && state.piece_at(other.from).is_some_and(|(_, p)| p.kind == piece.kind)
        };
        let rivals: Vec<&Play> = plays.iter().filter(like).collect();
        let origin = if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.from.x != play.from.x) {
            file_of(play)
        } else if rivals.iter().all(|rival| rival.from.y != play.from.y) {
            (play.from.y + 1).to_string()
        } else {
            play.from.to_string()
        };
        format!("{}{origin}{takes}{}", def.letter, play.to)
    }
}

fn file_of(play: &Play) -> String {
    play.from.to_string().chars().take_while(|letter| letter.is_ascii_alphabetic()).collect()
}

fn plain_labels(position: &Position, plays: Vec<Play>) -> Vec<(Play, String)> {
    let legal = position.legal();
    let named =
        |play: &Play| legal.iter().find(|mv| Play { kind: dropped(mv, play), ..play_of(mv) } == *play);
    plays
        .into_iter()
        .map(|play| {
            let text = named(&play).map_or(String::new(), |mv| position.to_san(mv));
            // Whether the new piece gives check is not known before it is chosen.
            (play, text.split_once('=').map_or(text.clone(), |(body, _)| body.to_owned()))
        })
        .collect()
}

/// A listed promotion names no kind yet, a drop names its own.
fn dropped(mv: &Move, play: &Play) -> Kind {
    if matches!(mv, Move::Drop { .. }) { play_of(mv).kind } else { play.kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use turnstone::Game as _;

    fn labels(ruleset: &str, fen: &str) -> Vec<String> {
        let chess = Chess::builtin(ruleset).unwrap();
        let state = chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap();
        for (play, label) in chess.labels(&state) {
            assert_eq!(chess.parse_play(&state, &label), Some(play), "{label}");
            let typed = chess.play_text(&state, &play);
            assert_eq!(chess.parse_play(&state, &typed), Some(play), "{typed}");
        }
        chess.labels(&state).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn plain_moves_have_their_san() {
        let names = labels("standard", "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
        for wanted in ["O-O", "O-O-O", "Rb1", "Rh8+", "a8"] {
            assert!(names.iter().any(|name| name == wanted), "{wanted}: {names:?}");
        }
        let names = labels("crazyhouse", "4k3/8/8/8/8/8/8/4K3[NPp] w - - 0 1");
        assert!(names.contains(&"N@f3".to_owned()) && names.contains(&"@e4".to_owned()), "{names:?}");
    }

    #[test]
    fn moves_of_strange_boards_are_named_alike() {
        let names = labels("last-piece-standing", "k7/8/8/3n4/8/4N{marksman}3/8/KR1R4 w");
        for wanted in ["e3d5", "e3-d5", "Rbc1", "Rxd5", "Ka2", "Nf5"] {
            assert!(names.iter().any(|name| name == wanted), "{wanted}: {names:?}");
        }
        let board = Chess::builtin("last-piece-standing").unwrap();
        for def in &board.catalog().boards {
            let state = board.start(&Setup::Board(def.id.clone()), 0).unwrap();
            let mut names: Vec<String> = board.labels(&state).into_iter().map(|(_, name)| name).collect();
            let many = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), many, "{}: no two moves have one name", def.id);
        }
    }
}
