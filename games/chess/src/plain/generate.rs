//! Legal moves.
//!
//! Moves are handed to a [`Sink`] as sets of targets, so that counting them
//! costs a population count and listing them a loop, from the same rules.

use super::attacks;
use super::bitboard::{Bitboard, Square};
use super::moves::Move;
use super::position::{Position, Role, back_rank, castle_targets};
use super::variant::Variant;
use crate::color::Color;

/// Receives moves in sets.
trait Sink {
    /// `role` on `from` may go to each of `targets`.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// A pawn may go to each of `targets` from the square `step` before it.
    fn pawns(&mut self, targets: Bitboard, step: i32);
    /// One move of its own kind.
    fn one(&mut self, mv: Move);
    /// `role` may be dropped on each of `targets`.
    fn drops(&mut self, role: Role, targets: Bitboard);
}

/// Counts moves.
struct Counter {
    nodes: u64,
    promotions: u64,
}

const LAST_RANKS: Bitboard = Bitboard(Bitboard::rank(0).0 | Bitboard::rank(7).0);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.nodes += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        let last = u64::from((targets & LAST_RANKS).count());
        self.nodes += u64::from(targets.count()) + last * self.promotions;
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.nodes += 1;
    }

    #[inline]
    fn drops(&mut self, _: Role, targets: Bitboard) {
        self.nodes += u64::from(targets.count());
    }
}

/// Lists moves.
struct Lister<'a> {
    position: &'a Position,
    moves: &'a mut Vec<Move>,
}

impl Lister<'_> {
    #[inline]
    fn taken(&self, to: Square) -> Option<Role> {
        self.position.role_at(to)
    }
}

impl Sink for Lister<'_> {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        let occupied = self.position.occupied();
        for to in targets.without(occupied) {
            self.moves.push(Move::Normal { role, from, to, capture: None, promotion: None });
        }
        for to in targets & occupied {
            let capture = self.taken(to);
            self.moves.push(Move::Normal { role, from, to, capture, promotion: None });
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32) {
        for to in targets {
            let (from, capture) = (to.offset(-step), self.taken(to));
            if LAST_RANKS.has(to) {
                for &role in self.position.variant.promotions() {
                    let promotion = Some(role);
                    self.moves.push(Move::Normal { role: Role::Pawn, from, to, capture, promotion });
                }
            } else {
                self.moves.push(Move::Normal { role: Role::Pawn, from, to, capture, promotion: None });
            }
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    fn drops(&mut self, role: Role, targets: Bitboard) {
        self.moves.extend(targets.into_iter().map(|to| Move::Drop { role, to }));
    }
}

/// Lists captures and new queens only.
struct LoudLister<'a>(Lister<'a>);

impl Sink for LoudLister<'_> {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.0.piece(role, from, targets & self.0.position.occupied());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i32) {
        for to in targets & (self.0.position.occupied() | LAST_RANKS) {
            let (from, capture) = (to.offset(-step), self.0.taken(to));
            let promotion = LAST_RANKS.has(to).then_some(Role::Queen);
            self.0.moves.push(Move::Normal { role: Role::Pawn, from, to, capture, promotion });
        }
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        if mv.is_capture() {
            self.0.moves.push(mv);
        }
    }

    fn drops(&mut self, _: Role, _: Bitboard) {}
}

impl Position {
    /// Appends the legal captures and promotions to queens.
    pub(crate) fn loud_into(&self, moves: &mut Vec<Move>) {
        match self.variant {
            Variant::Atomic | Variant::RacingKings | Variant::Antichess => {
                let first = moves.len();
                self.legal_into(moves);
                let mut kept = first;
                for i in first..moves.len() {
                    if moves[i].is_capture() || moves[i].promotion() == Some(Role::Queen) {
                        moves.swap(kept, i);
                        kept += 1;
                    }
                }
                moves.truncate(kept);
            }
            _ if self.variant_end().is_some() => {}
            _ => self.orthodox(&mut LoudLister(Lister { position: self, moves })),
        }
    }

    /// Appends the legal moves to `moves`, in an order that depends on the position alone.
    pub fn legal_into(&self, moves: &mut Vec<Move>) {
        if self.variant_end().is_some() {
            return;
        }
        let first = moves.len();
        let mut sink = Lister { position: self, moves };
        match self.variant {
            Variant::Atomic | Variant::RacingKings => {
                self.filtered(sink.moves, first);
            }
            Variant::Antichess => self.antichess(&mut sink),
            _ => self.orthodox(&mut sink),
        }
    }

    /// The legal moves.
    pub fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.legal_into(&mut moves);
        moves
    }

    /// How many legal moves there are; cheaper than listing them.
    pub fn legal_count(&self) -> u64 {
        match self.variant {
            Variant::Atomic | Variant::RacingKings => self.legal().len() as u64,
            _ if self.variant_end().is_some() => 0,
            variant => {
                let promotions = variant.promotions().len() as u64 - 1;
                let mut sink = Counter { nodes: 0, promotions };
                if variant == Variant::Antichess {
                    self.antichess(&mut sink);
                } else {
                    self.orthodox(&mut sink);
                }
                sink.nodes
            }
        }
    }

    /// Is there a legal move at all?
    pub fn has_legal_move(&self) -> bool {
        self.legal_count() > 0
    }

    /// Is this very move legal here?
    pub fn is_legal(&self, mv: &Move) -> bool {
        self.legal().contains(mv)
    }

    /// Variants whose legality is decided by looking at the result.
    fn filtered(&self, moves: &mut Vec<Move>, first: usize) {
        let mut candidates = std::mem::take(moves);
        let mut sink = Lister { position: self, moves: &mut candidates };
        if self.variant == Variant::Atomic {
            self.pseudo(&mut sink, Bitboard::ALL);
            self.en_passant_pseudo(&mut sink);
            if let Some(king) = self.king(self.turn) {
                let targets = attacks::king(king).without(self.occupied());
                sink.piece(Role::King, king, targets);
                self.castles(&mut sink, king);
            }
        } else {
            self.orthodox(&mut sink);
        }
        let mut kept = first;
        for i in first..candidates.len() {
            if self.result_is_allowed(&candidates[i]) {
                candidates.swap(kept, i);
                kept += 1;
            }
        }
        candidates.truncate(kept);
        *moves = candidates;
    }

    fn result_is_allowed(&self, mv: &Move) -> bool {
        let next = self.after(mv);
        if self.variant == Variant::RacingKings {
            return next.king_attackers(next.turn).is_empty();
        }
        match (next.king(self.turn), next.king(!self.turn)) {
            (None, _) => false,
            (_, None) => true,
            _ => next.king_attackers(self.turn).is_empty(),
        }
    }

    #[inline]
    fn orthodox<S: Sink>(&self, sink: &mut S) {
        let us = self.turn;
        let Some(king) = self.king(us) else {
            self.pseudo(sink, Bitboard::ALL);
            self.en_passant_pseudo(sink);
            return;
        };
        let occupied = self.occupied();
        let checkers = self.attackers(king, !us, occupied);
        self.king_moves(sink, king);
        if checkers.several() {
            return;
        }
        let mask = match checkers.first() {
            Some(checker) => attacks::between(king, checker) | checkers,
            None => Bitboard::ALL,
        };
        if checkers.is_empty() {
            self.castles(sink, king);
        }
        let pinned = self.pinned(king);
        self.pieces(sink, mask, pinned, king);
        self.pawn_moves(sink, mask, pinned, king);
        self.en_passants(sink, king);
        if self.variant == Variant::Crazyhouse {
            self.drop_moves(sink, mask);
        }
    }

    #[inline]
    fn king_moves<S: Sink>(&self, sink: &mut S, king: Square) {
        let us = self.turn;
        let without_king = self.occupied() ^ king.into();
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king).without(self.side(us)) {
            if self.attackers(to, !us, without_king).is_empty() {
                safe |= to.into();
            }
        }
        sink.piece(Role::King, king, safe);
    }

    /// Our pieces that alone stand between our king and an enemy rider.
    #[inline]
    fn pinned(&self, king: Square) -> Bitboard {
        let (us, them) = (self.side(self.turn), self.side(!self.turn));
        let queens = self.role(Role::Queen);
        let snipers = (attacks::rook(king, them) & (self.role(Role::Rook) | queens))
            | (attacks::bishop(king, them) & (self.role(Role::Bishop) | queens));
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers & them {
            let blockers = attacks::between(king, sniper) & us;
            if !blockers.several() {
                pinned |= blockers;
            }
        }
        pinned
    }

    #[inline]
    fn pieces<S: Sink>(&self, sink: &mut S, mask: Bitboard, pinned: Bitboard, king: Square) {
        let us = self.turn;
        let (own, occupied) = (self.side(us), self.occupied());
        let mask = mask.without(own);
        for from in self.of(us, Role::Knight).without(pinned) {
            sink.piece(Role::Knight, from, attacks::knight(from) & mask);
        }
        let mut rider = |role: Role, reach: fn(Square, Bitboard) -> Bitboard| {
            for from in self.of(us, role) {
                let mut targets = reach(from, occupied) & mask;
                if pinned.has(from) {
                    targets &= attacks::line_through(king, from);
                }
                sink.piece(role, from, targets);
            }
        };
        rider(Role::Bishop, attacks::bishop);
        rider(Role::Rook, attacks::rook);
        rider(Role::Queen, |from, occupied| attacks::rook(from, occupied) | attacks::bishop(from, occupied));
    }

    #[inline]
    fn pawn_moves<S: Sink>(&self, sink: &mut S, mask: Bitboard, pinned: Bitboard, king: Square) {
        let pawns = self.of(self.turn, Role::Pawn);
        self.pawn_set(sink, pawns.without(pinned), mask);
        for from in pawns & pinned {
            self.pawn_set(sink, from.into(), mask & attacks::line_through(king, from));
        }
    }

    /// Steps, leaps and captures of a set of pawns onto `mask`.
    #[inline]
    fn pawn_set<S: Sink>(&self, sink: &mut S, pawns: Bitboard, mask: Bitboard) {
        let us = self.turn;
        let forward = us.forward();
        let (free, enemies) = (!self.occupied(), self.side(!us));
        let steps = pawns.shift(forward) & free;
        let leapers = steps & self.leap_rank();
        sink.pawns(steps & mask, forward);
        sink.pawns(leapers.shift(forward) & free & mask, 2 * forward);
        sink.pawns(pawns.shift(8 + forward) & enemies & mask, 8 + forward);
        sink.pawns(pawns.shift(-8 + forward) & enemies & mask, -8 + forward);
    }

    /// Where a pawn stands after the first half of its double step.
    #[inline]
    fn leap_rank(&self) -> Bitboard {
        match (self.turn, self.variant) {
            (Color::White, Variant::Horde) => Bitboard::rank(1) | Bitboard::rank(2),
            (Color::White, _) => Bitboard::rank(2),
            (Color::Black, _) => Bitboard::rank(5),
        }
    }

    /// Everything but the king, ignoring checks and pins; en passant apart.
    fn pseudo<S: Sink>(&self, sink: &mut S, mask: Bitboard) {
        let any = Square::new(0, 0);
        self.pieces(sink, mask, Bitboard::EMPTY, any);
        self.pawn_set(sink, self.of(self.turn, Role::Pawn), mask);
    }

    fn en_passant_takers(&self) -> Bitboard {
        let Some(to) = self.en_passant else { return Bitboard::EMPTY };
        attacks::pawn(!self.turn, to) & self.of(self.turn, Role::Pawn)
    }

    fn en_passant_pseudo<S: Sink>(&self, sink: &mut S) {
        if let Some(to) = self.en_passant {
            for from in self.en_passant_takers() {
                sink.one(Move::EnPassant { from, to });
            }
        }
    }

    #[inline]
    fn en_passants<S: Sink>(&self, sink: &mut S, king: Square) {
        let Some(to) = self.en_passant else { return };
        for from in self.en_passant_takers() {
            let taken = Bitboard::from(Square::new(to.file(), from.rank()));
            let occupied = (self.occupied() ^ from.into() ^ taken) | to.into();
            if self.attackers(king, !self.turn, occupied).without(taken).is_empty() {
                sink.one(Move::EnPassant { from, to });
            }
        }
    }

    /// Can a pawn be taken in passing? Only then does the right matter to a repetition.
    pub(crate) fn legal_en_passant(&self) -> Option<Square> {
        if self.en_passant_takers().is_empty() {
            return None;
        }
        self.en_passant.filter(|_| self.legal().iter().any(|mv| matches!(mv, Move::EnPassant { .. })))
    }

    #[inline]
    fn castles<S: Sink>(&self, sink: &mut S, king: Square) {
        let rooks = self.castling & back_rank(self.turn);
        if rooks.any() && self.dangers(king, self.turn, self.occupied()).is_empty() {
            for rook in rooks {
                if self.may_castle(king, rook) {
                    sink.one(Move::Castle { king, rook });
                }
            }
        }
    }

    fn may_castle(&self, king: Square, rook: Square) -> bool {
        let us = self.turn;
        let (king_to, rook_to) = castle_targets(king, rook);
        let both = Bitboard::from(king) | rook.into();
        let king_path = attacks::between(king, king_to) | king_to.into();
        let rook_path = attacks::between(rook, rook_to) | rook_to.into();
        let occupied = self.occupied();
        if ((king_path | rook_path) & occupied.without(both)).any() {
            return false;
        }
        let without_king = occupied ^ king.into();
        let castled = occupied.without(both) | rook_to.into();
        king_path.into_iter().all(|square| self.dangers(square, us, without_king).is_empty())
            && self.dangers(king_to, us, castled).is_empty()
    }

    fn drop_moves<S: Sink>(&self, sink: &mut S, mask: Bitboard) {
        let free = mask.without(self.occupied());
        for role in &Role::ALL[..5] {
            if self.in_pocket(self.turn, *role) > 0 {
                let targets = if *role == Role::Pawn { free.without(LAST_RANKS) } else { free };
                sink.drops(*role, targets);
            }
        }
    }

    /// Antichess: whoever can take must take; the king is a piece like others.
    fn antichess<S: Sink>(&self, sink: &mut S) {
        let enemies = self.side(!self.turn);
        let mut captures = Counter { nodes: 0, promotions: 0 };
        self.antichess_onto(&mut captures, enemies);
        self.en_passant_pseudo(&mut captures);
        if captures.nodes > 0 {
            self.antichess_onto(sink, enemies);
            self.en_passant_pseudo(sink);
        } else {
            self.antichess_onto(sink, !self.occupied());
        }
    }

    fn antichess_onto<S: Sink>(&self, sink: &mut S, mask: Bitboard) {
        self.pseudo(sink, mask);
        for from in self.of(self.turn, Role::King) {
            sink.piece(Role::King, from, attacks::king(from) & mask.without(self.side(self.turn)));
        }
    }
}
