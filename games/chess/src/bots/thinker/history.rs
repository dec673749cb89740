//! What was learnt of quiet moves: how good they were wherever they were possible, and how good as a reply
//! to what had just been played.

use crate::color::Color;
use crate::plain::Move;

/// No number in here is further from zero.
const MOST: i32 = 16_000;

/// Who went where: what replies are remembered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u16);

impl Step {
    /// Kinds and squares of one side.
    const OF_A_SIDE: usize = 6 * 64;

    pub fn new(us: Color, mv: &Move) -> Step {
        let (_, to) = way(mv);
        Step(((us as usize * 6 + mv.role() as usize) * 64 + to) as u16)
    }
}

/// What was played one ply before, and two plies before; none after a pass or at the root.
pub(super) type Before = [Option<Step>; 2];

/// How often quiet moves were the answer.
pub(super) struct History {
    /// By side, origin and goal.
    anywhere: Vec<i16>,
    /// By what was played before, and by who goes where now.
    replies: [Vec<i16>; 2],
}

impl History {
    pub fn new() -> History {
        let replies = || vec![0; 2 * Step::OF_A_SIDE * Step::OF_A_SIDE];
        History { anywhere: vec![0; 2 * 70 * 64], replies: [replies(), replies()] }
    }

    /// How promising a move is.
    pub fn of(&self, us: Color, mv: &Move, before: Before) -> i32 {
        let mut sum = i32::from(self.anywhere[place(us, mv)]);
        for (replies, before) in self.replies.iter().zip(before) {
            sum += before.map_or(0, |before| i32::from(replies[reply(before, us, mv)]));
        }
        sum
    }

    /// Good news raises, bad news lowers.
    pub fn learn(&mut self, us: Color, mv: &Move, before: Before, news: i32) {
        nudge(&mut self.anywhere[place(us, mv)], news);
        for (replies, before) in self.replies.iter_mut().zip(before) {
            if let Some(before) = before {
                nudge(&mut replies[reply(before, us, mv)], news);
            }
        }
    }
}

/// The further a number is from zero, the less news in the same direction move it.
fn nudge(number: &mut i16, news: i32) {
    let old = i32::from(*number);
    *number = (old + news - old * news.abs() / MOST) as i16;
}

/// Origin and goal; what is dropped comes from beyond the board.
fn way(mv: &Move) -> (usize, usize) {
    match *mv {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from.index(), to.index()),
        Move::Castle { king, rook } => (king.index(), rook.index()),
        Move::Drop { role, to } => (64 + role as usize, to.index()),
    }
}

fn place(us: Color, mv: &Move) -> usize {
    let (from, to) = way(mv);
    (us as usize * 70 + from) * 64 + to
}

fn reply(before: Step, us: Color, mv: &Move) -> usize {
    usize::from(before.0) * Step::OF_A_SIDE + usize::from(Step::new(us, mv).0) % Step::OF_A_SIDE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::{Position, Variant};

    #[test]
    fn news_counts_where_it_was_learnt_and_never_without_bound() {
        let position = Position::start(Variant::Standard);
        let mv = |uci: &str| position.parse_uci(uci).expect("a legal move");
        let before = |uci: &str| [Some(Step::new(Color::Black, &mv(uci))), None];
        let mut history = History::new();
        for _ in 0..200 {
            history.learn(Color::White, &mv("g1f3"), before("b1c3"), 1_500);
            history.learn(Color::White, &mv("a2a3"), before("b1c3"), -1_500);
        }
        let of = |uci: &str, earlier| history.of(Color::White, &mv(uci), before(earlier));
        assert!(of("g1f3", "b1c3") > of("g1f3", "e2e4"), "as a reply it was learnt twice");
        assert!(of("g1f3", "e2e4") > 0 && of("a2a3", "b1c3") < 0);
        assert_eq!(of("g1h3", "b1c3"), 0);
        assert!(of("g1f3", "b1c3") <= 2 * MOST && of("a2a3", "b1c3") >= -2 * MOST);
    }
}
