//! What a match starts from.

use crate::error::BadInput;
use crate::game::Chess;
use crate::notation;
use crate::plain::{Position, Variant};
use crate::run::RunSetup;
use crate::state::{Saved, State};
use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};

/// What a match starts from, besides its seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setup {
    /// Where games under this ruleset usually start; Chess960 draws its back rank from the seed.
    #[default]
    Start,
    /// A position in FEN or our extension of it.
    Fen(String),
    /// A board of the catalog, by name.
    Board(String),
    /// Any position.
    Position(Box<Saved>),
    /// A roguelike run.
    Run(RunSetup),
    /// A game that was written down, with everything that was said about it.
    Record(Box<Record>),
}

/// What a written game tells besides its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// Where it starts; where games under the ruleset usually start if it is missing.
    pub fen: Option<String>,
    /// Who played, where and when, as PGN's tags.
    pub tags: Vec<(String, String)>,
    /// Comments before the first move.
    pub preface: Vec<String>,
    /// Remarks by the moves that lead to them, in UCI.
    pub remarks: Vec<(String, Remark)>,
}

/// What was said about a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remark {
    /// Annotations by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Comments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
}

const BACK_RANK: Stream = Stream::named("chess/back rank");

impl Chess {
    pub(crate) fn start_state(&self, setup: &Setup, seed: u64) -> Result<State, BadInput> {
        let mut saved = match setup {
            Setup::Start => self.usual_start(seed)?,
            Setup::Fen(fen) => notation::read_board(self, fen)?,
            Setup::Board(name) => self.catalog.board_named(name)?.saved.clone(),
            Setup::Position(saved) => (**saved).clone(),
            Setup::Run(run) => return self.start_run(run, seed),
            Setup::Record(record) => match &record.fen {
                Some(fen) => notation::read_board(self, fen)?,
                None => self.usual_start(seed)?,
            },
        };
        if !matches!(setup, Setup::Position(_)) {
            self.dress(&mut saved);
        }
        saved.check(&self.catalog)?;
        self.check_kings(&saved)?;
        let mut state = State::try_from(saved)?;
        if self.rules.draws && state.keys.is_empty() {
            let key = self.repetition_key(&state);
            state.keys.push(key);
        }
        // A position that is over is over at once: nobody waits for a move that does not exist.
        if self.rules.ends && state.end.is_none() {
            state.end = self.end_of(&state);
        }
        Ok(state)
    }

    fn usual_start(&self, seed: u64) -> Result<Saved, BadInput> {
        let variant = self.rules.variant.unwrap_or(Variant::Standard);
        let fen = match variant {
            Variant::Chess960 => back_rank_fen(seed),
            _ => variant.start_fen().to_owned(),
        };
        notation::read_board(self, &fen)
    }

    /// Gives every piece the ruleset's own abilities, and the counters their start.
    pub(crate) fn dress(&self, saved: &mut Saved) {
        for piece in &mut saved.pieces {
            for ability in &self.innate_abilities {
                if !piece.has(self.catalog.ability(*ability).verb) {
                    piece.layers.push_innermost(self.catalog.layer(*ability));
                }
            }
        }
        if !self.rules.castling {
            saved.castling.clear();
        }
        if saved.checks_left == [0; 2] && self.rules.checks > 0 {
            saved.checks_left = [self.rules.checks; 2];
        }
    }

    /// Royal pieces must be there where the game is about them.
    fn check_kings(&self, saved: &Saved) -> Result<(), BadInput> {
        use crate::catalog::Goal;
        if !self.rules.ends || !matches!(self.rules.goal, Goal::Mate | Goal::KingCapture) {
            return Ok(());
        }
        for color in crate::Color::BOTH {
            if self.rules.horde && color == crate::Color::White {
                continue;
            }
            let royal = |piece: &&crate::Piece| {
                piece.on_board() && piece.owner == color && self.catalog.piece(piece.kind).royal
            };
            if !saved.pieces.iter().any(|piece| royal(&piece)) {
                let reason = format!("{color} has no king; {} is about kings.", self.rules.title);
                return Err(BadInput::new("position.kings", color, reason));
            }
        }
        Ok(())
    }

    /// The state in our FEN.
    pub fn to_fen(&self, state: &State) -> String {
        notation::write_board(self, state)
    }
}

/// One of the 960 back ranks: bishops on both colours, the king between the rooks.
fn back_rank_fen(seed: u64) -> String {
    let mut dice = Dice::new(seed, BACK_RANK, 0);
    let mut rank = ['.'; 8];
    rank[dice.below(4) as usize * 2] = 'b';
    rank[dice.below(4) as usize * 2 + 1] = 'b';
    for (letter, free) in [('q', 6), ('n', 5), ('n', 4)] {
        let nth = dice.below(free) as usize;
        let at = (0..8).filter(|i| rank[*i] == '.').nth(nth).unwrap_or(0);
        rank[at] = letter;
    }
    let mut rest = ['r', 'k', 'r'].into_iter();
    for place in rank.iter_mut().filter(|place| **place == '.') {
        *place = rest.next().unwrap_or('r');
    }
    let lower: String = rank.iter().collect();
    format!("{lower}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", lower.to_ascii_uppercase())
}

/// A plain position as a saved state.
pub(crate) fn saved_from(position: &Position) -> Saved {
    use crate::piece::{Kind, Piece};
    let mut saved = Saved::empty(8, 8);
    for square in crate::plain::Square::all() {
        if let Some((role, color)) = position.piece_at(square) {
            let mut piece = Piece::new(Kind(role as u8), color, crate::rules::plain::at(square));
            piece.promoted = position.promoted.has(square);
            saved.pieces.push(piece);
        }
    }
    for color in crate::Color::BOTH {
        for (role, count) in position.pockets[color as usize].iter().enumerate() {
            for _ in 0..*count {
                let mut piece = Piece::new(Kind(role as u8), color, crate::At::NOWHERE);
                piece.in_pocket = true;
                saved.pieces.push(piece);
            }
        }
    }
    saved.player = position.turn;
    let black = u32::from(position.turn == crate::Color::Black);
    saved.turn = position.fullmoves.saturating_sub(1).saturating_mul(2).saturating_add(1 + black);
    saved.castling = position.castling.into_iter().map(crate::rules::plain::at).collect();
    saved.halfmoves = position.halfmoves;
    saved.checks_left = if position.variant == Variant::ThreeCheck { position.checks_left } else { [0; 2] };
    saved.en_passant = position.en_passant.and_then(|square| passed(&saved, position, square));
    saved
}

fn passed(saved: &Saved, position: &Position, square: crate::plain::Square) -> Option<crate::state::Passed> {
    let at = crate::rules::plain::at(square);
    let pawn_at = at.plus(0, (!position.turn).forward())?;
    let index = saved.pieces.iter().position(|piece| piece.at == pawn_at)?;
    let beside = |dx| {
        let taker = pawn_at.plus(dx, 0);
        saved
            .pieces
            .iter()
            .any(|p| Some(p.at) == taker && p.kind == crate::Kind::PAWN && p.owner == position.turn)
    };
    let matters = beside(-1) || beside(1);
    matters.then(|| crate::state::Passed { at, pawn: crate::PieceId(index as u16 + 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ranks_are_lawful_and_differ() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..3000 {
            let fen = back_rank_fen(seed);
            let position = Position::from_fen(&fen, Variant::Chess960).expect("a lawful back rank");
            let rank: Vec<char> = fen.chars().take(8).collect();
            let places = |letter| (0..8).filter(|i| rank[*i] == letter).collect::<Vec<_>>();
            let (bishops, rooks, king) = (places('b'), places('r'), places('k')[0]);
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{fen}");
            assert!(rooks[0] < king && king < rooks[1], "{fen}");
            assert_eq!(position.castling.count(), 4);
            seen.insert(fen);
        }
        assert!(seen.len() > 850, "{} of 960", seen.len());
    }
}
