//! Which moves to try first, and what an exchange on a square comes to.

use crate::plain::{Bitboard, Move, Position, Role, Square, Variant};

/// What pieces count for in an exchange.
pub(super) const EXCHANGE: [i32; 6] = [100, 320, 330, 500, 950, 10_000];

/// The move that was best here before.
pub(super) const FIRST: i32 = 1 << 28;
/// Exchanges that win something or keep the balance.
const LOUD: i32 = 1 << 20;
/// Quiet moves that refuted a brother of this position; other quiet moves have what history says of them.
pub(super) const KILLER: i32 = 1 << 18;

/// Are exchanges what they are in orthodox chess?
pub(super) fn has_exchanges(variant: Variant) -> bool {
    !matches!(variant, Variant::Atomic | Variant::Antichess)
}

/// What is taken, if something is.
pub(super) fn taken(mv: &Move) -> Option<Role> {
    match *mv {
        Move::Normal { capture, .. } => capture,
        Move::EnPassant { .. } => Some(Role::Pawn),
        Move::Castle { .. } | Move::Drop { .. } => None,
    }
}

/// Does the move take something or make a queen?
pub(super) fn is_loud(mv: &Move) -> bool {
    mv.is_capture() || mv.promotion() == Some(Role::Queen)
}

/// How promising a loud move is, if the exchange is sound: the most valuable victim first, taken by the
/// least valuable piece.
pub(super) fn loud_rank(mv: &Move) -> i32 {
    let gain = taken(mv).map_or(0, |role| EXCHANGE[role as usize] * 16)
        + mv.promotion().map_or(0, |role| EXCHANGE[role as usize] * 8);
    LOUD + gain - EXCHANGE[mv.role() as usize].min(1_000) / 8
}

/// Does the exchange that this move begins win at least `wanted`, both sides taking with their least
/// piece as long as it pays?
pub(super) fn exchange_reaches(position: &Position, mv: &Move, wanted: i32) -> bool {
    let Move::Normal { role, from, to, capture, promotion } = *mv else {
        return wanted <= if mv.is_capture() { 100 } else { 0 };
    };
    let gain = capture.map_or(0, |role| EXCHANGE[role as usize])
        + promotion.map_or(0, |role| EXCHANGE[role as usize] - EXCHANGE[0]);
    let mut balance = gain - wanted;
    if balance < 0 {
        return false;
    }
    // If what moved is lost and that is still enough, it is enough.
    balance -= EXCHANGE[promotion.unwrap_or(role) as usize];
    if balance >= 0 {
        return true;
    }
    let mut occupied = (position.occupied() ^ from.into()) | to.into();
    let us = position.turn();
    let mut side = !us;
    let mut attackers = position.attackers_of_both(to, occupied) & occupied;
    loop {
        let ours = attackers & position.side(side);
        let Some((role, square)) = least(position, ours) else { break };
        // A king does not take what is guarded.
        if role == Role::King && (attackers & position.side(!side)).any() {
            break;
        }
        occupied ^= square.into();
        attackers = position.attackers_of_both(to, occupied) & occupied;
        side = !side;
        balance = -balance - 1 - EXCHANGE[role as usize];
        if balance >= 0 {
            break;
        }
    }
    // Whoever cannot go on has lost the exchange.
    side != us
}

fn least(position: &Position, set: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| Some((role, (set & position.role(role)).first()?)))
}

/// Moves with how promising they are; the best is picked as long as there are any.
pub(super) struct Ranked {
    moves: Vec<(i32, Move)>,
    next: usize,
}

impl Ranked {
    pub fn new(moves: Vec<(i32, Move)>) -> Ranked {
        Ranked { moves, next: 0 }
    }

    /// The list, to be used again.
    pub fn into_inner(self) -> Vec<(i32, Move)> {
        self.moves
    }

    /// The most promising move that is left. Exchanges that lose come last, with a rank below all others;
    /// whether they lose is found out no sooner than it matters.
    pub fn pick(&mut self, position: &Position) -> Option<(i32, Move)> {
        loop {
            let rest = self.moves.get_mut(self.next..)?;
            let best = (0..rest.len()).max_by_key(|i| (rest[*i].0, std::cmp::Reverse(*i)))?;
            let (rank, mv) = rest[best];
            if (LOUD / 2..FIRST / 2).contains(&rank) && loses(position, &mv) {
                rest[best].0 = rank - 2 * LOUD;
                continue;
            }
            rest.swap(0, best);
            self.next += 1;
            return Some((rank, mv));
        }
    }
}

fn loses(position: &Position, mv: &Move) -> bool {
    has_exchanges(position.variant()) && !exchange_reaches(position, mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaches(fen: &str, uci: &str, wanted: i32) -> bool {
        let position = Position::from_fen(fen, Variant::Standard).expect("a good FEN");
        exchange_reaches(&position, &position.parse_uci(uci).expect("a legal move"), wanted)
    }

    #[test]
    fn exchanges_are_counted_to_their_end() {
        let cases = [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", -400),
            ("4k3/8/8/4q3/8/3P4/8/4RK2 w - - 0 1", "e1e5", 950),
        ];
        for (fen, uci, worth) in cases {
            assert!(reaches(fen, uci, worth), "{fen} {uci} gives {worth}");
            assert!(!reaches(fen, uci, worth + 1), "{fen} {uci} gives no more than {worth}");
        }
    }

    #[test]
    fn the_best_is_picked_first() {
        let position = Position::start(Variant::Standard);
        let moves = position.legal().into_iter().enumerate().map(|(i, mv)| (i as i32 % 7, mv)).collect();
        let mut ranked = Ranked::new(moves);
        let mut last = i32::MAX;
        let mut count = 0;
        while let Some((rank, _)) = ranked.pick(&position) {
            assert!(rank <= last);
            (last, count) = (rank, count + 1);
        }
        assert_eq!(count, 20);
    }

    #[test]
    fn exchanges_that_lose_come_last() {
        let fen = "4k3/8/2p5/1p1p4/4P3/8/8/1R2K3 w - - 0 1";
        let position = Position::from_fen(fen, Variant::Standard).expect("a good FEN");
        let rank = |mv: Move| (if is_loud(&mv) { loud_rank(&mv) } else { 0 }, mv);
        let mut ranked = Ranked::new(position.legal().into_iter().map(rank).collect());
        let order: Vec<(i32, Move)> = std::iter::from_fn(|| ranked.pick(&position)).collect();
        assert_eq!(order.len(), position.legal().len());
        assert_eq!(position.to_uci(&order[0].1), "e4d5");
        let (rank, last) = order[order.len() - 1];
        assert!(rank < 0 && position.to_uci(&last) == "b1b5", "{order:?}");
    }
}
