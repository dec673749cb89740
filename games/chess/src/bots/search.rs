//! Alpha-beta with iterative deepening, quiescence and a transposition table,
//! over anything that can be moved on.

use std::sync::atomic::{AtomicBool, Ordering};

/// A position to search.
pub trait Node: Sized {
    /// A move.
    type Move: Copy + PartialEq;
    /// The moves, in any order.
    fn moves(&mut self, out: &mut Vec<Self::Move>);
    /// The position after a move, or `None` if it cannot be made after all.
    fn after(&mut self, mv: Self::Move) -> Option<Self>;
    /// Does the move take something or promote?
    fn is_loud(&self, mv: Self::Move) -> bool;
    /// How promising the move looks, for ordering.
    fn promise(&self, mv: Self::Move) -> i32;
    /// A hash of everything that matters.
    fn key(&self) -> u64;
    /// Worth for the side to move.
    fn worth(&self) -> i32;
    /// The result for the side to move, if the game is over: positive is won.
    fn result(&mut self) -> Option<i32>;
    /// Is the side to move the same as in the other position? (It may pass, or move twice.)
    fn same_side(&self, other: &Self) -> bool;
}

/// How much to search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Positions.
    pub nodes: u64,
    /// Plies.
    pub depth: u32,
}

/// What a search is held to.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, M> {
    /// How much to search at most.
    pub budget: Budget,
    /// Keys of earlier positions, which count as repetitions.
    pub history: &'a [u64],
    /// The only moves to think about; all of them if it is empty.
    pub only: &'a [M],
    /// Somebody may say from elsewhere that it is enough.
    pub stop: &'a AtomicBool,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its worth for the side to move.
    pub score: i32,
    /// How deep the last finished search was.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// The expected line.
    pub line: Vec<M>,
}

/// A won game; less the plies it takes.
pub const WON: i32 = 1_000_000;
const TABLE: usize = 1 << 16;

#[derive(Clone, Copy)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

struct Entry<M> {
    key: u64,
    depth: u32,
    score: i32,
    bound: Bound,
    best: Option<M>,
}

struct Searcher<'a, N: Node> {
    table: Vec<Option<Entry<N::Move>>>,
    path: Vec<u64>,
    /// The quiet move that was last the answer at each ply: often it is again.
    killers: Vec<Option<N::Move>>,
    nodes: u64,
    budget: u64,
    stop: &'a AtomicBool,
}

/// Searches deeper and deeper until the budget is spent; `None` if there is no move.
/// `history` are keys of earlier positions, which count as repetitions.
pub fn search<N: Node>(root: &mut N, budget: Budget, history: &[u64]) -> Option<Found<N::Move>> {
    let stop = AtomicBool::new(false);
    search_task(root, &Task { budget, history, only: &[], stop: &stop }, |_| {})
}

/// Searches deeper and deeper until the budget is spent or somebody stops it, and reports every depth
/// that is done; `None` if there is no move.
pub fn search_task<N: Node>(
    root: &mut N,
    task: &Task<'_, N::Move>,
    mut report: impl FnMut(&Found<N::Move>),
) -> Option<Found<N::Move>> {
    let mut table = Vec::new();
    table.resize_with(TABLE, || None);
    let Budget { nodes: budget, depth } = task.budget;
    let mut searcher = Searcher::<N> {
        table,
        path: task.history.to_vec(),
        killers: Vec::new(),
        nodes: 0,
        budget,
        stop: task.stop,
    };
    let mut moves = Vec::new();
    root.moves(&mut moves);
    if !task.only.is_empty() {
        // Equal moves are told apart by the order that was asked for.
        moves = task.only.iter().copied().filter(|mv| moves.contains(mv)).collect();
    }
    let mut found = Found { best: *moves.first()?, score: 0, depth: 0, nodes: 0, line: Vec::new() };
    for depth in 1..=depth {
        let Some((best, score)) = searcher.root(root, &mut moves, depth) else { break };
        let line = searcher.line(root, best, depth);
        found = Found { best, score, depth, nodes: searcher.nodes, line };
        report(&found);
        if score.abs() > WON - 1000 || moves.len() == 1 || searcher.is_spent() {
            break;
        }
    }
    found.nodes = searcher.nodes;
    Some(found)
}

impl<N: Node> Searcher<'_, N> {
    /// The best root move at this depth, or `None` if the budget ran out first.
    fn root(&mut self, root: &mut N, moves: &mut [N::Move], depth: u32) -> Option<(N::Move, i32)> {
        let mut alpha = -WON * 2;
        let mut best = None;
        self.path.push(root.key());
        for (i, mv) in moves.iter().enumerate() {
            let Some(mut next) = root.after(*mv) else { continue };
            let score = self.child(root, &mut next, depth, alpha, WON * 2, 1);
            if self.is_spent() && depth > 1 {
                self.path.pop();
                return None;
            }
            if best.is_none() || score > alpha {
                alpha = alpha.max(score);
                best = Some((i, score));
            }
        }
        self.path.pop();
        let (index, score) = best?;
        // The best move is tried first at the next depth.
        moves[..=index].rotate_right(1);
        Some((moves[0], score))
    }

    fn child(&mut self, parent: &N, next: &mut N, depth: u32, alpha: i32, beta: i32, ply: i32) -> i32 {
        if next.same_side(parent) {
            self.negamax(next, depth - 1, alpha, beta, ply)
        } else {
            -self.negamax(next, depth - 1, -beta, -alpha, ply)
        }
    }

    /// The first move is searched in full; of the others it is first asked whether they are better at
    /// all, late quiet ones less deep.
    fn try_child(
        &mut self,
        parent: &N,
        next: &mut N,
        (depth, less): (u32, u32),
        (alpha, beta): (i32, i32),
        (ply, first): (i32, bool),
    ) -> i32 {
        if first {
            return self.child(parent, next, depth, alpha, beta, ply);
        }
        let mut score = self.child(parent, next, depth - less, alpha, alpha + 1, ply);
        if score > alpha && (less > 0 || score < beta) && !self.is_spent() {
            score = self.child(parent, next, depth, alpha, beta, ply);
        }
        score
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.budget || self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn negamax(&mut self, node: &mut N, depth: u32, mut alpha: i32, mut beta: i32, ply: i32) -> i32 {
        self.nodes += 1;
        if let Some(result) = node.result() {
            return result.signum() * (WON - ply);
        }
        let key = node.key();
        if self.path.contains(&key) {
            return 0;
        }
        if depth == 0 || self.is_spent() {
            return self.quiesce(node, alpha, beta, ply, 4);
        }
        let (entry_score, first) = self.look_up(key, depth, &mut alpha, &mut beta);
        if let Some(score) = entry_score {
            return score;
        }
        let mut moves = Vec::with_capacity(48);
        node.moves(&mut moves);
        let place = ply.max(0) as usize;
        self.killers.resize(self.killers.len().max(place + 1), None);
        order(node, &mut moves, first, self.killers[place]);
        self.path.push(key);
        let (start, mut best, mut best_move) = (alpha, -WON * 2, None);
        for (number, mv) in moves.into_iter().enumerate() {
            let Some(mut next) = node.after(mv) else { continue };
            let quiet = !node.is_loud(mv);
            let less = u32::from(quiet && depth >= 3 && number >= 4);
            let score =
                self.try_child(node, &mut next, (depth, less), (alpha, beta), (ply + 1, best_move.is_none()));
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if quiet {
                    self.killers[place] = Some(mv);
                }
                break;
            }
            if self.is_spent() {
                break;
            }
        }
        self.path.pop();
        if best_move.is_none() {
            return node.worth();
        }
        if !self.is_spent() {
            self.store(key, depth, best, (start, beta), best_move);
        }
        best
    }

    fn look_up(
        &self,
        key: u64,
        depth: u32,
        alpha: &mut i32,
        beta: &mut i32,
    ) -> (Option<i32>, Option<N::Move>) {
        let Some(entry) = self.table[key as usize % TABLE].as_ref().filter(|entry| entry.key == key) else {
            return (None, None);
        };
        // Mate scores depend on the way here, so they are not reused.
        if entry.depth >= depth && entry.score.abs() < WON - 1000 {
            match entry.bound {
                Bound::Exact => return (Some(entry.score), entry.best),
                Bound::AtLeast => *alpha = (*alpha).max(entry.score),
                Bound::AtMost => *beta = (*beta).min(entry.score),
            }
            if *alpha >= *beta {
                return (Some(entry.score), entry.best);
            }
        }
        (None, entry.best)
    }

    fn store(&mut self, key: u64, depth: u32, score: i32, (alpha, beta): (i32, i32), best: Option<N::Move>) {
        let bound = if score <= alpha {
            Bound::AtMost
        } else if score >= beta {
            Bound::AtLeast
        } else {
            Bound::Exact
        };
        self.table[key as usize % TABLE] = Some(Entry { key, depth, score, bound, best });
    }

    /// Only loud moves until it is quiet, so that no exchange is judged half-way.
    fn quiesce(&mut self, node: &mut N, mut alpha: i32, beta: i32, ply: i32, left: u32) -> i32 {
        let stand = node.worth();
        if stand >= beta || left == 0 || self.nodes >= self.budget.saturating_mul(2) || self.is_stopped() {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut moves = Vec::with_capacity(48);
        node.moves(&mut moves);
        moves.retain(|mv| node.is_loud(*mv));
        order(node, &mut moves, None, None);
        for mv in moves {
            let Some(mut next) = node.after(mv) else { continue };
            self.nodes += 1;
            let score = match next.result() {
                Some(result) => {
                    let score = result.signum() * (WON - ply - 1);
                    if next.same_side(node) { score } else { -score }
                }
                None if next.same_side(node) => self.quiesce(&mut next, alpha, beta, ply + 1, left - 1),
                None => -self.quiesce(&mut next, -beta, -alpha, ply + 1, left - 1),
            };
            if score >= beta {
                return score;
            }
            alpha = alpha.max(score);
        }
        alpha
    }

    /// The expected line, read from the table.
    fn line(&self, root: &mut N, best: N::Move, depth: u32) -> Vec<N::Move> {
        let mut line = vec![best];
        let mut node = root.after(best);
        while let Some(mut here) = node.take() {
            let key = here.key();
            let entry = self.table[key as usize % TABLE].as_ref().filter(|entry| entry.key == key);
            let Some(mv) = entry.and_then(|entry| entry.best) else { break };
            let mut moves = Vec::new();
            here.moves(&mut moves);
            if line.len() >= depth as usize || !moves.contains(&mv) {
                break;
            }
            line.push(mv);
            node = here.after(mv);
        }
        line
    }
}

fn order<N: Node>(node: &N, moves: &mut [N::Move], first: Option<N::Move>, killer: Option<N::Move>) {
    moves.sort_by_cached_key(|mv| {
        let known = i32::from(first == Some(*mv)) * 1_000_000 + i32::from(killer == Some(*mv)) * 500;
        -(known + node.promise(*mv))
    });
}
