//! The tree below the root: what is cut off, what is looked at less closely, and what more closely.

use super::history::{Before, Step};
use super::order::{FIRST, KILLER, Ranked, exchange_reaches, has_exchanges, is_loud, loud_rank};
use super::table::{Bound, Known, squeeze};
use super::{MATE, Node, PLIES, Searcher, WON, Window, ended, score_of};
use crate::plain::{Move, Position, Role, Variant};

/// What is remembered of a ply while the search is below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// What the position is worth at first sight; in check, nothing.
    pub worth: i32,
    /// What is being played; none if the turn passes.
    pub played: Option<Step>,
    /// Quiet moves that refuted brothers of this position.
    killers: [u16; 2],
    /// A move that is left out, to see how good the others are; 0 is none.
    barred: u16,
}

/// What is known of a position before its moves are tried.
#[derive(Clone, Copy)]
struct Outlook {
    key: u64,
    /// At first sight, corrected by what was found earlier.
    worth: i32,
    in_check: bool,
    /// Is it better than it was two plies before?
    improves: bool,
    /// What was best here before; 0 if nothing is known.
    first: u16,
    /// How much deeper that one is looked at.
    longer: i32,
}

/// What the first move of a position is among the others.
enum Singular {
    /// It is to be looked at that much deeper.
    Longer(i32),
    /// Others are good enough, too: this is the score.
    Enough(i32),
}

/// How far quiet late moves are searched less deep, by depth and number; whole numbers of plies.
pub(super) fn reductions() -> Vec<i32> {
    // A logarithm in eighths is enough, and needs no fractions.
    let log = |n: usize| -> i32 {
        let whole = n.max(1).ilog2() as i32;
        let rest = ((n.max(1) * 8) >> whole) as i32 - 8;
        whole * 8 + rest
    };
    let mut table = vec![0; 64 * 64];
    for depth in 1..64 {
        for number in 1..64 {
            table[depth * 64 + number] = (160 + log(depth) * log(number)) / 256;
        }
    }
    table
}

impl Searcher<'_> {
    /// The score of a position that is not the root.
    fn search(&mut self, position: &Position, mut window: Window, may_pass: bool) -> i32 {
        let ply = window.ply;
        self.lines[ply].clear();
        if let Some(score) = ended(position, ply) {
            self.count();
            return score;
        }
        let key = Node::key(position);
        if self.is_repeated(position, key) {
            return 0;
        }
        // Nothing below can be better than a mate that was found nearer the root.
        window.alpha = window.alpha.max(ply as i32 - WON);
        window.beta = window.beta.min(WON - ply as i32 - 1);
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let in_check = position.in_check();
        window.depth += i32::from(in_check);
        if window.depth <= 0 || ply >= PLIES {
            return self.quiesce(position, window);
        }
        self.count();
        if self.is_spent() {
            return 0;
        }
        let barred = self.plies[ply].barred;
        let known = self.table.look_up(key).filter(|_| barred == 0);
        if let Some(known) = known.filter(|known| !window.is_open() && known.depth >= window.depth)
            && let Some(score) = known.settles(window.alpha, window.beta, ply)
        {
            return score;
        }
        let mut outlook = self.outlook(position, key, known, in_check, ply);
        if !window.is_open()
            && !in_check
            && barred == 0
            && let Some(score) = self.prune(position, window, &outlook, may_pass)
        {
            return score;
        }
        if outlook.first == 0 && window.depth >= 4 && barred == 0 {
            window.depth -= 1;
        }
        if let Some(known) = known {
            match self.singular(position, window, &known) {
                Singular::Longer(longer) => outlook.longer = longer,
                Singular::Enough(score) => return score,
            }
        }
        self.go_through(position, window, &outlook)
    }

    fn outlook(
        &mut self,
        position: &Position,
        key: u64,
        known: Option<Known>,
        in_check: bool,
        ply: usize,
    ) -> Outlook {
        // Whoever leaves a move out has looked already.
        if self.plies[ply].barred == 0 {
            self.plies[ply].worth = match known {
                _ if in_check => -WON,
                Some(known) => known.worth,
                None => self.worth(position),
            };
        }
        let worth = self.plies[ply].worth;
        Outlook {
            key,
            worth: known.filter(|_| !in_check).map_or(worth, |known| known.better_worth(worth)),
            in_check,
            improves: !in_check && ply >= 2 && worth > self.plies[ply - 2].worth,
            first: known.map_or(0, |known| known.best),
            longer: 0,
        }
    }

    /// Positions that are too good, or too bad, to be looked at closely.
    fn prune(
        &mut self,
        position: &Position,
        window: Window,
        outlook: &Outlook,
        may_pass: bool,
    ) -> Option<i32> {
        let Window { alpha, beta, depth, ply, cuts } = window;
        let Outlook { key, worth, improves, .. } = *outlook;
        if beta.abs() >= MATE || position.variant() == Variant::Antichess {
            return None;
        }
        let margin = 85 * depth - if improves { 60 } else { 0 };
        if depth <= 7 && worth - margin >= beta {
            return Some(worth);
        }
        if depth <= 2 && worth + 280 * depth <= alpha {
            let score = self.quiesce(position, window);
            if score <= alpha {
                return Some(score);
            }
        }
        let us = position.turn();
        let pieces = position.side(us).without(position.role(Role::Pawn)).without(position.role(Role::King));
        let passes = may_pass && depth >= 3 && worth >= beta && pieces.any();
        if !passes || position.variant() == Variant::RacingKings {
            return None;
        }
        let less = 3 + depth / 4 + ((worth - beta) / 200).min(3);
        let mut passed = *position;
        passed.pass();
        self.path.push(key);
        self.plies[ply].played = None;
        let below = Window { alpha: -beta, beta: 1 - beta, depth: depth - less, ply: ply + 1, cuts: !cuts };
        let score = -self.search(&passed, below, false);
        self.path.pop();
        (score >= beta && !self.is_spent()).then_some(if score >= MATE { beta } else { score })
    }

    /// Is the move that was best before the only good one? Then it is looked at more closely. If others
    /// are too good for this window as well, it need not be looked at.
    fn singular(&mut self, position: &Position, window: Window, known: &Known) -> Singular {
        let Window { beta, depth, ply, .. } = window;
        let score = known.score(ply);
        let is_sure = known.best != 0 && known.bound != Bound::AtMost && known.depth >= depth - 3;
        if depth < 7 || !is_sure || score.abs() >= MATE {
            return Singular::Longer(0);
        }
        let line = score - 2 * depth;
        self.plies[ply].barred = known.best;
        let others = Window { alpha: line - 1, beta: line, depth: (depth - 1) / 2, ..window };
        let best_other = self.search(position, others, false);
        self.plies[ply].barred = 0;
        if best_other < line {
            Singular::Longer(1)
        } else if line >= beta && !window.is_open() {
            Singular::Enough(line)
        } else {
            Singular::Longer(-i32::from(score >= beta))
        }
    }

    /// Tries the moves of a position, the most promising first.
    fn go_through(&mut self, position: &Position, window: Window, outlook: &Outlook) -> i32 {
        let Window { mut alpha, beta, depth, ply, .. } = window;
        let (us, barred, tried) = (position.turn(), self.plies[ply].barred, self.tried.len());
        let mut ranked = self.rank(position, outlook.first, ply);
        let (mut best, mut best_move, mut number) = (-WON * 2, 0, 0);
        self.path.push(outlook.key);
        self.plies[ply + 1].killers = [0; 2];
        while let Some((rank, mv)) = ranked.pick(position) {
            let word = squeeze(&mv);
            if word == barred {
                continue;
            }
            number += 1;
            if best > -MATE
                && !window.is_open()
                && !outlook.in_check
                && is_hopeless(position, &mv, Window { alpha, ..window }, (number, rank), outlook)
            {
                continue;
            }
            let deep = depth - 1 + if word == outlook.first { outlook.longer } else { 0 };
            let next = position.after(&mv);
            let less = self.reduction(&next, &mv, window, (number, rank), outlook);
            self.plies[ply].played = Some(Step::new(us, &mv));
            let score = self.look_below(&next, Window { alpha, ..window }, (deep, less), number == 1);
            if self.is_spent() {
                break;
            }
            if score > best {
                (best, best_move) = (score, word);
            }
            if score > alpha {
                alpha = score;
                self.take_line(ply, mv);
            }
            if alpha >= beta {
                self.learn(position, &mv, tried, depth, ply);
                break;
            }
            if !is_loud(&mv) {
                self.tried.push(mv);
            }
        }
        self.tried.truncate(tried);
        self.path.pop();
        self.lists.push(ranked.into_inner());
        if number == 0 && barred == 0 {
            let end = position.no_moves();
            return score_of(end.winner, position.turn(), ply);
        }
        if best < -WON {
            // Everything was skipped: nothing is better than what was hoped for.
            best = window.alpha;
        }
        if !self.is_spent() && barred == 0 {
            let bound = Bound::of(best, window.alpha, beta);
            let worth = if outlook.in_check { 0 } else { self.plies[ply].worth };
            self.table.store(outlook.key, Known::new(best_move, best, worth, (depth, ply), bound));
        }
        best
    }

    /// The score of a move, seen by who plays it, from the position after it: first whether it is better
    /// than what is known, at a depth that is `less`; only then how good.
    pub(super) fn look_below(
        &mut self,
        next: &Position,
        window: Window,
        (deep, less): (i32, i32),
        is_first: bool,
    ) -> i32 {
        let Window { alpha, beta, ply, cuts, .. } = window;
        let below = |beta: i32, depth, cuts| Window { alpha: -beta, beta: -alpha, depth, ply: ply + 1, cuts };
        if is_first && window.is_open() {
            return -self.search(next, below(beta, deep, false), true);
        }
        let mut score = alpha + 1;
        if less > 0 {
            score = -self.search(next, below(alpha + 1, deep - less, true), true);
        }
        if score > alpha {
            score = -self.search(next, below(alpha + 1, deep, !cuts), true);
        }
        if score > alpha && window.is_open() {
            score = -self.search(next, below(beta, deep, false), true);
        }
        score
    }

    /// How much less deep a move is looked at first.
    fn reduction(
        &self,
        next: &Position,
        mv: &Move,
        window: Window,
        (number, rank): (i32, i32),
        outlook: &Outlook,
    ) -> i32 {
        let Window { depth, cuts, .. } = window;
        let open = i32::from(window.is_open());
        if depth < 3 || number <= 2 + open || outlook.in_check || (is_loud(mv) && rank >= 0) {
            return 0;
        }
        let mut less = self.reductions[depth.min(63) as usize * 64 + number.min(63) as usize];
        less += i32::from(cuts) - open - i32::from(outlook.improves);
        less -= match rank {
            KILLER.. => 1,
            _ if is_loud(mv) => 1,
            history => history / 8_000,
        };
        if less > 0 && next.in_check() {
            less -= 1;
        }
        less.clamp(0, depth - 2)
    }

    pub(super) fn take_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend(&lower[0]);
    }

    /// What was played before a ply.
    fn before(&self, ply: usize) -> Before {
        let played = |back: usize| ply.checked_sub(back).and_then(|ply| self.plies[ply].played);
        [played(1), played(2)]
    }

    /// A quiet move has refuted the position; those that were tried in vain have not.
    fn learn(&mut self, position: &Position, mv: &Move, tried: usize, depth: i32, ply: usize) {
        if is_loud(mv) {
            return;
        }
        let word = squeeze(mv);
        let killers = &mut self.plies[ply].killers;
        if killers[0] != word {
            *killers = [word, killers[0]];
        }
        let (us, before) = (position.turn(), self.before(ply));
        let news = (depth * depth * 12).min(1_600);
        self.history.learn(us, mv, before, news);
        for other in &self.tried[tried..] {
            self.history.learn(us, other, before, -news);
        }
    }

    fn rank(&mut self, position: &Position, first: u16, ply: usize) -> Ranked {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        self.scratch.clear();
        position.legal_into(&mut self.scratch);
        let (us, before, killers) = (position.turn(), self.before(ply), self.plies[ply].killers);
        for mv in &self.scratch {
            let word = squeeze(mv);
            let rank = if word == first {
                FIRST
            } else if is_loud(mv) {
                loud_rank(mv)
            } else if killers.contains(&word) {
                KILLER + i32::from(killers[0] == word)
            } else {
                self.history.of(us, mv, before)
            };
            list.push((rank, *mv));
        }
        Ranked::new(list)
    }
}

/// Late quiet moves of a shallow search, those that were always bad, and what loses an exchange are not
/// worth a look.
fn is_hopeless(
    position: &Position,
    mv: &Move,
    Window { alpha, depth, .. }: Window,
    (number, rank): (i32, i32),
    outlook: &Outlook,
) -> bool {
    if position.variant() == Variant::Antichess || alpha.abs() >= MATE {
        return false;
    }
    let exchanges = has_exchanges(position.variant());
    if is_loud(mv) {
        return depth <= 5 && rank < 0 && exchanges && !exchange_reaches(position, mv, -90 * depth);
    }
    if rank >= KILLER || number == 1 {
        return false;
    }
    let late = (4 + depth * depth) / if outlook.improves { 1 } else { 2 };
    let dull = depth <= 6 && outlook.worth + 90 + 95 * depth <= alpha;
    let bad = depth <= 4 && rank < -4_000 * depth;
    let hangs = || depth <= 6 && exchanges && !exchange_reaches(position, mv, -25 * depth * depth);
    (depth <= 7 && number > late) || dull || bad || hangs()
}
