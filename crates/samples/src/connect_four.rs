//! Connect four: seven columns, six rows, four in a line. `cargo run -p turnstone-samples --example samples connect_four`
//!
//! Each column has seven bits, the top one always empty, so that a line is found by shifting.

use serde::{Deserialize, Serialize};
use turnstone::{Game, Indexed, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen, Settled, Told};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour;

/// One mask of discs for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    discs: [u64; 2],
}

/// A column, 0 to 6.
pub type Column = u8;

/// One bit at the bottom of every column.
const BOTTOM: u64 = 0x0002_0408_1020_4081 & ((1 << 49) - 1);
/// Every place a disc can be: six rows of seven columns.
const FIELD: u64 = BOTTOM * 0b11_1111;

impl Board {
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    fn turn(&self) -> Seat {
        (self.taken().count_ones() % 2) as Seat
    }

    /// Where a disc in that column comes to rest.
    fn landing(&self, column: Column) -> u64 {
        let column_mask = 0b11_1111 << (7 * column);
        (self.taken() + (1 << (7 * column))) & column_mask
    }

    fn has_line(&self, seat: Seat) -> bool {
        let discs = self.discs[usize::from(seat)];
        [1, 6, 7, 8].iter().any(|step| {
            let pairs = discs & (discs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

impl Game for ConnectFour {
    type Setup = ();
    type State = Board;
    type Action = Column;
    type Effect = Column;
    type Event = Column;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Never;

    fn start(&self, _setup: &(), _seed: u64) -> Result<Board, Rejection> {
        Ok(Board::default())
    }

    fn validate(&self, board: &Board) -> Result<(), Rejection> {
        let [first, second] = board.discs;
        let ahead = first.count_ones() as i32 - second.count_ones() as i32;
        let inside = first & second == 0 && board.taken() & !FIELD == 0;
        // A column without gaps, plus one, carries into exactly the place above its top disc.
        let fallen = inside && (board.taken() + BOTTOM) & board.taken() == 0;
        if fallen && (0..=1).contains(&ahead) {
            return Ok(());
        }
        Err(Rejection::new("BAD_BOARD", "discs overlap, float, or are not taken in turn"))
    }

    fn check(&self, board: &Board, column: &Column) -> Result<(), Rejection> {
        if self.outcome(board).is_some() {
            return Err(Rejection::new("GAME_OVER", "the game has ended"));
        }
        if *column > 6 || board.landing(*column) == 0 {
            return Err(Rejection::new("COLUMN_FULL", format!("column {column} takes no disc")));
        }
        Ok(())
    }

    fn open(&self, _board: &Board, column: &Column, out: &mut ProposalsOf<Self>) {
        out.last(*column);
    }

    fn settle(&self, _board: &Board, column: &Column, _: &mut NotesOf<Self>) -> Settled<Column, Never> {
        Settled::Event(*column)
    }

    fn apply(&self, board: &mut Board, column: &Column) {
        let seat = usize::from(board.turn());
        board.discs[seat] |= board.landing(*column);
    }

    fn legal(&self, board: &Board, out: &mut Vec<Column>) {
        if self.outcome(board).is_none() {
            out.extend((0..7).filter(|&column| board.landing(column) != 0));
        }
    }

    fn actor(&self, board: &Board) -> Option<Seat> {
        self.outcome(board).is_none().then(|| board.turn())
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let last = 1 - board.turn();
        if board.has_line(last) {
            return Some(Outcome::Won(last));
        }
        (board.taken() == FIELD).then_some(Outcome::Drawn)
    }
}

impl Seen for ConnectFour {}

impl Told for ConnectFour {}

impl Indexed for ConnectFour {
    fn action_count(&self) -> usize {
        7
    }
    fn action_index(&self, _board: &Board, column: &Column) -> Option<usize> {
        (*column < 7).then_some(usize::from(*column))
    }
    fn action_at(&self, _board: &Board, index: usize) -> Option<Column> {
        (index < 7).then_some(index as Column)
    }
}

/// Plays a little of it and prints what happened.
///
/// # Errors
/// None, as long as the rules are what they are.
pub fn show() -> Result<(), Rejection> {
    use std::sync::Arc;
    use turnstone::{Input, Match};

    let mut game: Match<ConnectFour> = Match::new(Arc::new(ConnectFour), (), 0)?;
    for column in [3, 2, 3, 2, 3, 2, 3] {
        game.act(Input::Act(column))?;
    }
    println!("{:?} after {} discs", game.outcome(), game.log().count());
    Ok(())
}
