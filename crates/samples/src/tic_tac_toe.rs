//! Tic-tac-toe: a whole game in a hundred lines. `cargo run -p turnstone-samples --example samples tic_tac_toe`
//!
//! Two masks are the state; a move is one effect, one event; the third in a row ends the game.

use serde::{Deserialize, Serialize};
use turnstone::{Game, Indexed, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen, Settled, Told};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// One mask of nine squares for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    marks: [u16; 2],
}

/// A mark on a square, 0 to 8. The same number is action, effect and event: the word changes, not the fact.
pub type Square = u8;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

impl Board {
    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn turn(&self) -> Seat {
        (self.taken().count_ones() % 2) as Seat
    }

    fn has_line(&self, seat: Seat) -> bool {
        LINES.iter().any(|line| self.marks[usize::from(seat)] & line == *line)
    }
}

impl Game for TicTacToe {
    type Setup = ();
    type State = Board;
    type Action = Square;
    type Effect = Square;
    type Event = Square;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Never;

    fn start(&self, _setup: &(), _seed: u64) -> Result<Board, Rejection> {
        Ok(Board::default())
    }

    fn validate(&self, board: &Board) -> Result<(), Rejection> {
        let [first, second] = board.marks;
        let ahead = first.count_ones() as i32 - second.count_ones() as i32;
        if first & second == 0 && board.taken() <= FULL && (0..=1).contains(&ahead) {
            return Ok(());
        }
        Err(Rejection::new("BAD_BOARD", "marks overlap, lie outside, or are not taken in turn"))
    }

    fn check(&self, board: &Board, square: &Square) -> Result<(), Rejection> {
        if self.outcome(board).is_some() {
            return Err(Rejection::new("GAME_OVER", "the game has ended"));
        }
        if *square > 8 || board.taken() >> square & 1 == 1 {
            return Err(Rejection::new("NOT_FREE", format!("square {square} is not free")));
        }
        Ok(())
    }

    fn open(&self, _board: &Board, square: &Square, out: &mut ProposalsOf<Self>) {
        out.last(*square);
    }

    fn settle(&self, _board: &Board, square: &Square, _: &mut NotesOf<Self>) -> Settled<Square, Never> {
        Settled::Event(*square)
    }

    fn apply(&self, board: &mut Board, square: &Square) {
        board.marks[usize::from(board.turn())] |= 1 << square;
    }

    fn legal(&self, board: &Board, out: &mut Vec<Square>) {
        if self.outcome(board).is_none() {
            let free = FULL & !board.taken();
            out.extend((0..9).filter(|square| free >> square & 1 == 1));
        }
    }

    fn actor(&self, board: &Board) -> Option<Seat> {
        self.outcome(board).is_none().then(|| board.turn())
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        // Only the seat that has just moved can have made a line.
        let last = 1 - board.turn();
        if board.has_line(last) {
            return Some(Outcome::Won(last));
        }
        (board.taken() == FULL).then_some(Outcome::Drawn)
    }
}

impl Seen for TicTacToe {}

impl Told for TicTacToe {}

impl Indexed for TicTacToe {
    fn action_count(&self) -> usize {
        9
    }
    fn action_index(&self, _board: &Board, square: &Square) -> Option<usize> {
        (*square < 9).then_some(usize::from(*square))
    }
    fn action_at(&self, _board: &Board, index: usize) -> Option<Square> {
        (index < 9).then_some(index as Square)
    }
}

/// Plays a little of it and prints what happened.
///
/// # Errors
/// None, as long as the rules are what they are.
pub fn show() -> Result<(), Rejection> {
    use std::sync::Arc;
    use turnstone::{Input, Match};

    let mut game: Match<TicTacToe> = Match::new(Arc::new(TicTacToe), (), 0)?;
    for square in [4, 0, 2, 6, 3, 5, 1, 7, 8] {
        game.act(Input::Act(square))?;
        println!("{}", game.explain(game.here()));
    }
    println!("{:?}, and the whole game again from its log of {} events", game.outcome(), game.log().count());
    Ok(())
}
