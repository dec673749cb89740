//! The end of every line: only loud moves, until it is quiet, so that no exchange is judged half-way.

use super::order::{EXCHANGE, FIRST, Ranked, has_exchanges, is_loud, loud_rank, taken};
use super::table::{Bound, Known, squeeze};
use super::{Node, PLIES, Searcher, WON, Window, ended};
use crate::plain::{Move, Position};

impl Searcher<'_> {
    /// What a position is worth once everything is exchanged that is worth it.
    pub(super) fn quiesce(&mut self, position: &Position, window: Window) -> i32 {
        let Window { mut alpha, beta, ply, .. } = window;
        self.count();
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if self.is_spent() {
            return 0;
        }
        let key = Node::key(position);
        let known = self.table.look_up(key);
        if let Some(score) =
            known.filter(|_| !window.is_open()).and_then(|known| known.settles(alpha, beta, ply))
        {
            return score;
        }
        let in_check = position.in_check();
        let worth =
            if in_check { 0 } else { known.map_or_else(|| self.worth(position), |known| known.worth) };
        if ply >= PLIES {
            return worth;
        }
        let stand = match known {
            _ if in_check => ply as i32 - WON,
            Some(known) => known.better_worth(worth),
            None => worth,
        };
        let (mut best, mut best_move) = (stand, 0);
        alpha = alpha.max(stand);
        if alpha < beta {
            let first = known.map_or(0, |known| known.best);
            let mut ranked = self.loud(position, in_check, first);
            while let Some((rank, mv)) = ranked.pick(position) {
                if !in_check && is_in_vain(position, &mv, rank, alpha - stand) {
                    continue;
                }
                let score = self.quiesce_after(position, &mv, Window { alpha, ..window });
                if self.is_spent() {
                    break;
                }
                if score > best {
                    (best, best_move) = (score, squeeze(&mv));
                }
                if score > alpha {
                    alpha = score;
                    self.take_line(ply, mv);
                }
                if alpha >= beta {
                    break;
                }
            }
            self.lists.push(ranked.into_inner());
        }
        if !self.is_spent() {
            let bound = Bound::of(best, window.alpha, beta);
            self.table.store(key, Known::new(best_move, best, worth, (0, ply), bound));
        }
        best
    }

    fn quiesce_after(&mut self, position: &Position, mv: &Move, window: Window) -> i32 {
        let next = position.after(mv);
        let ply = window.ply + 1;
        match ended(&next, ply) {
            Some(score) => -score,
            None => -self.quiesce(&next, Window { alpha: -window.beta, beta: -window.alpha, ply, ..window }),
        }
    }

    /// Every move out of check, or every loud one.
    fn loud(&mut self, position: &Position, in_check: bool, first: u16) -> Ranked {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        self.scratch.clear();
        if in_check {
            position.legal_into(&mut self.scratch);
        } else {
            position.loud_into(&mut self.scratch);
        }
        let us = position.turn();
        for mv in &self.scratch {
            if squeeze(mv) == first {
                list.push((FIRST, *mv));
            } else if is_loud(mv) {
                list.push((loud_rank(mv), *mv));
            } else if in_check {
                list.push((self.history.of(us, mv, [None; 2]), *mv));
            }
        }
        Ranked::new(list)
    }
}

/// Does a loud move lose something, or win less than is missing?
fn is_in_vain(position: &Position, mv: &Move, rank: i32, missing: i32) -> bool {
    if rank >= FIRST / 2 || !has_exchanges(position.variant()) {
        return false;
    }
    let gain = 160 + taken(mv).map_or(0, |role| EXCHANGE[role as usize]);
    rank < 0 || (gain <= missing && mv.promotion().is_none())
}
