//! The searcher for plain positions: principal variation search with iterative deepening, aspiration
//! windows, a shared table, null moves, late move reductions, singular extensions, killers, history and
//! quiescence. It reads no clock and rolls no dice: the same orders on one thread give the same answer.

mod calm;
mod history;
mod order;
mod table;
mod tree;
#[cfg(test)]
mod tune;
mod weights;
mod worth;

use super::plain::Node;
use super::search::{Budget, WON};
use crate::color::Color;
use crate::plain::{Move, Position, Variant};
use history::{History, Step};
use order::{EXCHANGE, is_loud, taken};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use table::{Table, squeeze};
use tree::{Ply, reductions};
use worth::Pawns;

/// Plies that are never exceeded.
const PLIES: usize = 96;
/// A score beyond this is a mate.
const MATE: i32 = WON - 1_000;

/// What a search is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// How much to search at most.
    pub budget: Option<Budget>,
    /// How many of the best moves to find.
    pub lines: usize,
    /// How many threads think; the first alone is reproducible.
    pub threads: usize,
    /// The only moves to think about; all of them if it is empty.
    pub only: Vec<Move>,
    /// Keys of earlier positions, which count as repetitions.
    pub history: Vec<u64>,
}

/// What was found out so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Which of the best moves this is about, from 1.
    pub rank: usize,
    /// How deep the search was.
    pub depth: u32,
    /// How deep it went where it went deepest.
    pub deepest: u32,
    /// Worth for the side to move.
    pub score: i32,
    /// Positions looked at.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub fullness: usize,
    /// The expected line.
    pub line: Vec<Move>,
}

/// Something the search has to say while it runs.
#[derive(Clone, Debug)]
pub enum News {
    /// A depth is done for one of the lines.
    Line(Report),
    /// A move of the first line is being looked at now, at that depth; it is the so-manieth.
    Trying(u32, Move, usize, u64),
}

/// A searcher with its memory.
pub struct Thinker {
    table: Arc<Table>,
    /// What the last search learnt of quiet moves, for the next one.
    history: Mutex<Option<History>>,
}

impl Thinker {
    /// A searcher whose table has about that many megabytes.
    pub fn new(megabytes: usize) -> Thinker {
        Thinker { table: Arc::new(Table::new(megabytes)), history: Mutex::new(None) }
    }

    /// Forgets what it knows.
    pub fn forget(&self) {
        self.table.clear();
        self.take_history();
    }

    fn take_history(&self) -> Option<History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Searches deeper and deeper until the budget is spent or somebody stops it. The best moves come
    /// first; none if there is no move.
    pub fn think(
        &self,
        root: &Position,
        orders: &Orders,
        stop: &AtomicBool,
        mut news: impl FnMut(News),
    ) -> Vec<Report> {
        self.table.grow_older();
        let mut moves = root.legal();
        moves.retain(|mv| orders.only.is_empty() || orders.only.contains(mv));
        if moves.is_empty() {
            return Vec::new();
        }
        let budget = orders.budget.unwrap_or(Budget { nodes: u64::MAX / 4, depth: 64 });
        let elsewhere = AtomicU64::new(0);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for helper in 1..orders.threads.max(1) {
                let (table, moves, elsewhere, done) = (&*self.table, moves.clone(), &elsewhere, &done);
                let history = &orders.history;
                scope.spawn(move || {
                    let mut searcher = Searcher::new(table, history, u64::MAX / 4, done);
                    searcher.elsewhere = Some(elsewhere);
                    // Helpers begin at different depths, so that they fill the table with other things.
                    searcher.deepen(root, &moves, 1, (1 + helper as u32 % 2, 64), &mut |_| {});
                });
            }
            let mut searcher = Searcher::new(&self.table, &orders.history, budget.nodes, stop);
            searcher.history = self.take_history().unwrap_or_else(History::new);
            let mut told = |mut item: News| {
                if let News::Line(report) = &mut item {
                    report.nodes += elsewhere.load(Ordering::Relaxed);
                }
                news(item);
            };
            let found = searcher.deepen(root, &moves, orders.lines.max(1), (1, budget.depth), &mut told);
            done.store(true, Ordering::Relaxed);
            *self.history.lock().unwrap_or_else(PoisonError::into_inner) = Some(searcher.history);
            found
        })
    }
}

/// One thread's search.
struct Searcher<'a> {
    table: &'a Table,
    stop: &'a AtomicBool,
    /// Where a helper counts what it looks at.
    elsewhere: Option<&'a AtomicU64>,
    budget: u64,
    nodes: u64,
    deepest: usize,
    history: History,
    pawns: Pawns,
    plies: Vec<Ply>,
    lines: Vec<Vec<Move>>,
    /// Lists that are used again.
    lists: Vec<Vec<(i32, Move)>>,
    scratch: Vec<Move>,
    /// Quiet moves that were tried on the way, ply after ply.
    tried: Vec<Move>,
    path: Vec<u64>,
    /// May the first depth be left? Not before one move was looked at.
    patient: bool,
    reductions: Vec<i32>,
}

/// What a node of the tree is asked.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    /// Is one move expected to be too good for the other side to allow it?
    cuts: bool,
}

impl Window {
    /// Is the score itself asked for, and not only on which side of a bound it is?
    fn is_open(&self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<'a> Searcher<'a> {
    fn new(table: &'a Table, history: &[u64], budget: u64, stop: &'a AtomicBool) -> Searcher<'a> {
        Searcher {
            table,
            stop,
            elsewhere: None,
            budget,
            nodes: 0,
            deepest: 0,
            history: History::new(),
            pawns: Pawns::new(),
            plies: vec![Ply::default(); PLIES + 2],
            lines: vec![Vec::new(); PLIES + 2],
            lists: Vec::new(),
            scratch: Vec::with_capacity(64),
            tried: Vec::with_capacity(256),
            path: history.to_vec(),
            patient: true,
            reductions: reductions(),
        }
    }

    fn is_spent(&self) -> bool {
        !self.patient && (self.nodes >= self.budget || self.stop.load(Ordering::Relaxed))
    }

    /// Searches every depth in turn; gives the best lines of the last one that was finished.
    fn deepen(
        &mut self,
        root: &Position,
        moves: &[Move],
        lines: usize,
        (first, last): (u32, u32),
        news: &mut impl FnMut(News),
    ) -> Vec<Report> {
        let mut order: Vec<Move> = moves.to_vec();
        order.sort_by_key(|mv| std::cmp::Reverse(first_guess(mv)));
        let mut best: Vec<Report> = Vec::new();
        for depth in first..=last.min(PLIES as u32 - 8) {
            let Some(found) = self.one_depth(root, &mut order, lines, depth, &best, news) else { break };
            best = found;
            self.patient = false;
            let mated = best.first().is_some_and(|first| first.score.abs() > MATE && forced(first, depth));
            if self.is_spent() || (lines == 1 && (moves.len() == 1 || mated)) {
                break;
            }
        }
        best
    }

    /// All lines at one depth; `None` if the budget ran out before the first was done.
    fn one_depth(
        &mut self,
        root: &Position,
        order: &mut Vec<Move>,
        lines: usize,
        depth: u32,
        before: &[Report],
        news: &mut impl FnMut(News),
    ) -> Option<Vec<Report>> {
        let mut found: Vec<Report> = Vec::new();
        self.deepest = 0;
        for rank in 0..lines.min(order.len()) {
            let guess = before.get(rank).map(|report| report.score);
            let (index, score) = self.aspire(root, &order[..], rank, depth, guess, news)?;
            let mv = order.remove(index);
            order.insert(rank, mv);
            let mut line = vec![mv];
            line.extend(self.lines[1].iter().filter(|_| self.lines[0].first() == Some(&mv)));
            let report = Report {
                rank: rank + 1,
                depth,
                deepest: self.deepest.max(depth as usize) as u32,
                score,
                nodes: self.nodes,
                fullness: self.table.fullness(),
                line: self.full_line(root, line, depth),
            };
            news(News::Line(report.clone()));
            found.push(report);
        }
        found.sort_by_key(|report| std::cmp::Reverse(report.score));
        Some(found)
    }

    /// Looks near the last score first, and further only if it is not there.
    fn aspire(
        &mut self,
        root: &Position,
        moves: &[Move],
        skipped: usize,
        depth: u32,
        guess: Option<i32>,
        news: &mut impl FnMut(News),
    ) -> Option<(usize, i32)> {
        let mut width = 22;
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth >= 5 && guess.abs() < MATE => (guess - width, guess + width),
            _ => (-WON * 2, WON * 2),
        };
        loop {
            let (index, score) = self.root(root, moves, skipped, depth, (alpha, beta), news)?;
            if score > alpha && score < beta {
                return Some((index, score));
            }
            width *= 4;
            if score <= alpha {
                alpha = if width > 600 { -WON * 2 } else { score - width };
            } else {
                beta = if width > 600 { WON * 2 } else { score + width };
            }
        }
    }

    fn root(
        &mut self,
        root: &Position,
        moves: &[Move],
        skipped: usize,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        news: &mut impl FnMut(News),
    ) -> Option<(usize, i32)> {
        self.path.push(Node::key(root));
        self.plies[0].worth = self.worth(root);
        let mut best: Option<(usize, i32)> = None;
        let depth = depth as i32;
        for (i, mv) in moves.iter().enumerate().skip(skipped) {
            if skipped == 0 && depth > 5 {
                news(News::Trying(depth as u32, *mv, i + 1, self.nodes));
            }
            let less = i32::from(depth > 3 && i > skipped + 4 && !is_loud(mv));
            let window = Window { alpha, beta, depth, ply: 0, cuts: false };
            self.plies[0].played = Some(Step::new(root.turn(), mv));
            let score = self.look_below(&root.after(mv), window, (depth - 1, less), best.is_none());
            if self.is_spent() {
                self.path.pop();
                // What was finished of this depth begins with the last one's best, and is newer.
                self.restore_root_line();
                return best;
            }
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((i, score));
                self.lines[0].clear();
                self.lines[0].push(*mv);
                let below = std::mem::take(&mut self.lines[1]);
                self.lines[0].extend(&below);
                self.lines[1] = below;
                self.keep_root_line();
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        self.restore_root_line();
        best
    }

    /// The line below the best root move, which later moves overwrite.
    fn keep_root_line(&mut self) {
        let line = self.lines[0].clone();
        self.lines[PLIES + 1] = line;
    }

    fn restore_root_line(&mut self) {
        let line = self.lines[PLIES + 1].clone();
        self.lines[1] = line.get(1..).unwrap_or_default().to_vec();
        self.lines[0] = line;
    }

    /// The line, gone on with what the table knows as far as that is sound.
    fn full_line(&self, root: &Position, mut line: Vec<Move>, depth: u32) -> Vec<Move> {
        let mut here = *root;
        let mut seen = vec![Node::key(root)];
        for mv in &line {
            here.play_unchecked(mv);
            seen.push(Node::key(&here));
        }
        while line.len() < depth as usize {
            let Some(known) = self.table.look_up(Node::key(&here)) else { break };
            let Some(mv) = here.legal().into_iter().find(|mv| squeeze(mv) == known.best) else { break };
            here.play_unchecked(&mv);
            let key = Node::key(&here);
            if seen.contains(&key) {
                break;
            }
            seen.push(key);
            line.push(mv);
        }
        line
    }

    /// Has this position been here before, on the way or in the game?
    fn is_repeated(&self, position: &Position, key: u64) -> bool {
        let back = if position.variant() == Variant::Crazyhouse {
            self.path.len()
        } else {
            usize::from(position.halfmoves()).min(self.path.len())
        };
        self.path[self.path.len() - back..].contains(&key)
    }

    fn count(&mut self) {
        self.nodes += 1;
        if let Some(elsewhere) = self.elsewhere
            && self.nodes.is_multiple_of(64)
        {
            elsewhere.fetch_add(64, Ordering::Relaxed);
        }
    }

    fn worth(&mut self, position: &Position) -> i32 {
        if worth::is_meant_for(position.variant()) {
            worth::worth(position, &mut self.pawns)
        } else {
            Node::worth(position)
        }
    }
}

fn first_guess(mv: &Move) -> i32 {
    taken(mv).map_or(0, |role| EXCHANGE[role as usize])
        + mv.promotion().map_or(0, |role| EXCHANGE[role as usize])
}

/// Is the mate found for sure at this depth?
fn forced(report: &Report, depth: u32) -> bool {
    (WON - report.score.abs()) as u32 + 2 <= depth
}

fn score_of(winner: Option<Color>, us: Color, ply: usize) -> i32 {
    match winner {
        None => 0,
        Some(winner) if winner == us => WON - ply as i32,
        Some(_) => ply as i32 - WON,
    }
}

/// The score if the game is over here, whatever moves there would be.
fn ended(position: &Position, ply: usize) -> Option<i32> {
    if let Some(end) = position.variant_end() {
        return Some(score_of(end.winner, position.turn(), ply));
    }
    if position.insufficient_material() {
        return Some(0);
    }
    // Mate on the last move counts before the fiftieth.
    let drawn = position.halfmoves() >= 100 && (!position.in_check() || position.has_legal_move());
    drawn.then_some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn think(fen: &str, depth: u32, lines: usize) -> Vec<Report> {
        let position = Position::from_fen(fen, Variant::Standard).expect("a good FEN");
        let orders = Orders { budget: Some(Budget { nodes: 3_000_000, depth }), lines, ..Orders::default() };
        Thinker::new(4).think(&position, &orders, &AtomicBool::new(false), |_| {})
    }

    /// Moves to mate.
    fn mate(fen: &str, depth: u32) -> i32 {
        let score = think(fen, depth, 1)[0].score;
        assert!(score > MATE, "{fen}: {score}");
        (WON - score + 1) / 2
    }

    #[test]
    fn mates_have_their_true_distance() {
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 4), 1);
        let two = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
        assert_eq!(mate(two, 5), 2);
        assert_eq!(mate(two, 8), 2);
        assert_eq!(mate("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8), 3);
    }

    #[test]
    fn material_is_won_and_hanging_pieces_are_saved() {
        let best = |fen: &str, depth| {
            let position = Position::from_fen(fen, Variant::Standard).expect("a good FEN");
            position.to_uci(&think(fen, depth, 1)[0].line[0])
        };
        assert_eq!(best("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", 5), "e3d5");
        assert_eq!(best("k7/8/8/8/3r4/8/8/3R3K w - - 0 1", 5), "d1d4");
    }

    #[test]
    fn several_lines_differ_and_come_best_first() {
        let found = think("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 3);
        assert_eq!(found.len(), 3);
        assert!(found[0].score >= found[1].score && found[1].score >= found[2].score);
        assert!(found[0].line[0] != found[1].line[0] && found[1].line[0] != found[2].line[0]);
        assert!(found.iter().all(|report| report.line.len() >= 3), "{found:?}");
    }

    #[test]
    fn lines_can_be_played_and_the_same_orders_give_the_same_answer() {
        for variant in Variant::ALL {
            let position = Position::start(variant);
            let orders =
                Orders { budget: Some(Budget { nodes: 20_000, depth: 20 }), lines: 1, ..Orders::default() };
            let stop = AtomicBool::new(false);
            let once = Thinker::new(2).think(&position, &orders, &stop, |_| {});
            assert_eq!(once, Thinker::new(2).think(&position, &orders, &stop, |_| {}), "{variant:?}");
            let mut here = position;
            for mv in &once[0].line {
                assert!(here.is_legal(mv), "{variant:?}: {:?}", once[0].line);
                here.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn threads_think_together() {
        let position = Position::start(Variant::Standard);
        let orders = Orders {
            budget: Some(Budget { nodes: 100_000, depth: 30 }),
            threads: 2,
            lines: 1,
            ..Orders::default()
        };
        let found = Thinker::new(4).think(&position, &orders, &AtomicBool::new(false), |_| {});
        assert!(position.is_legal(&found[0].line[0]));
    }
}
