//! Alpha-beta with iterative deepening, quiescence and a transposition table, on any board.

use super::Board;
use super::memory::{Bound, History, Killers, Path, Table};
use crate::action::Play;
use crate::game::Chess;
use crate::state::State;
use std::sync::atomic::{AtomicBool, Ordering};

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
pub struct Task<'a> {
    /// How much to search at most.
    pub budget: Budget,
    /// The only moves to think about; all of them if it is empty. Equal ones are told apart by this order.
    pub only: &'a [Play],
    /// Somebody may say from elsewhere that it is enough.
    pub stop: &'a AtomicBool,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best move.
    pub best: Play,
    /// Its worth for the side to move.
    pub score: i32,
    /// How deep the last finished search was.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// The expected line.
    pub line: Vec<Play>,
}

/// A won game; less the plies it takes.
pub const WON: i32 = 1_000_000;
/// Scores beyond this are won or lost games.
const DECIDED: i32 = WON - 1000;
/// More than any score.
const ALL: i32 = 2 * WON;
/// No line is longer, quiescence apart.
const PLIES: usize = 96;
/// Captures that quiescence follows.
const CAPTURES: u32 = 4;
/// A score is expected to stay this near to the one of the depth before.
const NEAR: i32 = 60;
/// What a quiet move may be worth, for each ply that is left.
const QUIET: i32 = 90;

/// Bounds between which a score is of interest.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    const OPEN: Window = Window { alpha: -ALL, beta: ALL };

    /// Only whether a score is above this.
    const fn above(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    const fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    const fn is_narrow(self) -> bool {
        self.beta - self.alpha == 1
    }
}

struct Searcher<'a> {
    board: Board<'a>,
    table: Table,
    path: Path,
    killers: Killers,
    history: History,
    /// How deep this search is meant to be.
    depth: usize,
    nodes: u64,
    budget: u64,
    stop: &'a AtomicBool,
}

/// A move with what speaks for trying it early.
type Ranked = (i32, Play);

/// Searches a position deeper and deeper until the budget is spent or somebody stops it, through the real
/// resolution, and reports every depth that is done; `None` if there is no move.
pub fn search(
    chess: &Chess,
    state: &State,
    task: &Task<'_>,
    mut report: impl FnMut(&Found),
) -> Option<Found> {
    let mut moves = chess.legal_plays(state);
    if !task.only.is_empty() {
        moves = task.only.iter().copied().filter(|play| moves.contains(play)).collect();
    }
    let mut found = Found { best: *moves.first()?, score: 0, depth: 0, nodes: 0, line: Vec::new() };
    let Budget { nodes: budget, depth } = task.budget;
    let mut searcher = Searcher {
        board: Board::new(chess, state.clone()),
        table: Table::new(budget),
        path: Path::new(&state.keys),
        killers: Killers::default(),
        history: History::new(state),
        depth: 0,
        nodes: 0,
        budget,
        stop: task.stop,
    };
    searcher.path.push(searcher.board.key());
    moves.sort_by_cached_key(|play| std::cmp::Reverse(searcher.rank_root(*play)));
    for depth in 1..=depth {
        let done = searcher.deepen(&mut moves, depth as i32, found.score);
        if let Some(score) = done.score {
            let line = searcher.line(moves[0], depth);
            found = Found { best: moves[0], score, depth, nodes: searcher.nodes, line };
            report(&found);
        } else if done.found {
            // What was cut short still found something better.
            found.best = moves[0];
            found.line = vec![moves[0]];
        }
        if done.score.is_none_or(|score| score.abs() > DECIDED) || moves.len() == 1 || searcher.is_spent() {
            break;
        }
    }
    found.nodes = searcher.nodes;
    Some(found)
}

/// What became of one depth at the root; the best move is first then.
struct Done {
    /// The score, if it was searched to its end.
    score: Option<i32>,
    /// Was at least the first move searched?
    found: bool,
}

impl Searcher<'_> {
    fn rank_root(&self, play: Play) -> i32 {
        if self.board.is_loud(play) { LOUD + self.board.promise(play) } else { 0 }
    }

    /// One depth, first where the score is expected to be.
    fn deepen(&mut self, moves: &mut [Play], depth: i32, expected: i32) -> Done {
        if depth >= 4 && expected.abs() < DECIDED {
            let window = Window { alpha: expected - NEAR, beta: expected + NEAR };
            let done = self.root(moves, depth, window);
            let inside = |score: i32| score > window.alpha && score < window.beta;
            if done.score.is_none_or(inside) {
                return done;
            }
        }
        self.root(moves, depth, Window::OPEN)
    }

    fn root(&mut self, moves: &mut [Play], depth: i32, Window { mut alpha, beta }: Window) -> Done {
        self.depth = depth as usize;
        let (start, mut best, mut chosen) = (alpha, -ALL, None);
        let mut cut_short = false;
        for (number, play) in moves.iter().enumerate() {
            if !self.board.make(*play) {
                continue;
            }
            let first = chosen.is_none();
            let score = self.try_move((depth, 0), Window { alpha, beta }, (1, first));
            self.board.take_back();
            if self.is_spent() && depth > 1 {
                cut_short = true;
                break;
            }
            if score > best {
                (best, chosen) = (score, Some(number));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        // The best move is tried first at the next depth.
        if let Some(number) = chosen {
            moves[..=number].rotate_right(1);
        }
        Done { score: chosen.filter(|_| !cut_short).map(|_| best), found: chosen.is_some() && best > start }
    }

    /// The score of the position on the board for who moved last.
    fn child(&mut self, depth: i32, window: Window, ply: usize) -> i32 {
        if self.board.has_turned() {
            -self.negamax(depth - 1, window.turned(), ply, true)
        } else {
            self.negamax(depth - 1, window, ply, true)
        }
    }

    /// The first move is searched in full; of the others it is first asked whether they are better at
    /// all, late quiet ones less deep.
    fn try_move(&mut self, (depth, less): (i32, i32), window: Window, (ply, first): (usize, bool)) -> i32 {
        if first {
            return self.child(depth, window, ply);
        }
        let mut score = self.child(depth - less, Window::above(window.alpha), ply);
        if less > 0 && score > window.alpha && !self.is_spent() {
            score = self.child(depth, Window::above(window.alpha), ply);
        }
        if score > window.alpha && score < window.beta && !self.is_spent() {
            score = self.child(depth, window, ply);
        }
        score
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.budget || self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn negamax(&mut self, mut depth: i32, mut window: Window, ply: usize, may_pass: bool) -> i32 {
        self.nodes += 1;
        if let Some(result) = self.board.result() {
            return decided(result, ply);
        }
        let key = self.board.key();
        if self.path.contains(key) {
            return 0;
        }
        // Who must answer a check does so before anybody judges the position, but not for ever.
        let answers = self.board.must_answer() && ply < 2 * self.depth;
        depth += i32::from(answers);
        if depth <= 0 || ply >= PLIES || self.is_spent() {
            return self.quiesce(window, ply, CAPTURES);
        }
        let known = self.table.look_up(key);
        if let Some(score) = known.and_then(|known| known.cut(depth, &mut window)) {
            return score;
        }
        let worth = self.board.worth();
        let checked = answers || self.board.is_checked();
        let calm = !checked && window.is_narrow() && window.beta.abs() < DECIDED;
        if calm && depth <= 3 && worth - QUIET * depth >= window.beta && self.board.has_choice() {
            return worth;
        }
        self.path.push(key);
        let score = if calm && may_pass && self.is_good_after_pass(depth, worth, window.beta, ply) {
            window.beta
        } else {
            let first = known.and_then(|known| known.best);
            self.try_all((depth, ply), window, (key, first), (worth, checked))
        };
        self.path.pop();
        score
    }

    /// Is the position so good that even a side that passes stays above the window?
    fn is_good_after_pass(&mut self, depth: i32, worth: i32, beta: i32, ply: usize) -> bool {
        if depth < 3 || worth < beta || !self.board.pass() {
            return false;
        }
        let less = 3 + depth / 4;
        let score = -self.negamax(depth - 1 - less, Window::above(beta - 1).turned(), ply + 1, false);
        self.board.take_back();
        score >= beta && !self.is_spent()
    }

    /// All moves of a position, in the order of what they promise.
    fn try_all(
        &mut self,
        (depth, ply): (i32, usize),
        window: Window,
        (key, first): (u64, Option<Play>),
        (worth, checked): (i32, bool),
    ) -> i32 {
        let Window { mut alpha, beta } = window;
        let moves = self.ranked(first, ply);
        let hopeless = !checked && depth <= 3 && worth + QUIET * (depth + 1) <= alpha;
        let (mut best, mut best_move, mut tried) = (-ALL, None, 0);
        for (number, (rank, play)) in moves.iter().copied().enumerate() {
            let quiet = rank < LOUD;
            if quiet && tried > 0 && hopeless && best > -DECIDED {
                best = best.max(worth + QUIET * (depth + 1));
                continue;
            }
            if !self.board.make(play) {
                continue;
            }
            let less = if quiet && !checked { fewer_plies(depth, tried, rank) } else { 0 };
            let score = self.try_move((depth, less), Window { alpha, beta }, (ply + 1, tried == 0));
            self.board.take_back();
            tried += 1;
            if score > best {
                (best, best_move) = (score, Some(play));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if quiet {
                    self.reward(&moves[..=number], depth, ply);
                }
                break;
            }
            if self.is_spent() {
                break;
            }
        }
        if tried == 0 {
            return self.board.stuck().map_or(worth, |result| decided(result, ply));
        }
        if !self.is_spent() {
            self.table.store(key, depth, best, Bound::of(best, window.alpha, beta), best_move);
        }
        best
    }

    /// A quiet move that was the answer is tried earlier elsewhere, those tried in vain before it later.
    fn reward(&mut self, moves: &[Ranked], depth: i32, ply: usize) {
        let Some(((_, good), vain)) = moves.split_last() else { return };
        self.killers.note(ply, *good);
        let player = self.board.player();
        self.history.note(player, *good, depth * depth);
        for (_, play) in vain.iter().filter(|(rank, _)| *rank < LOUD) {
            self.history.note(player, *play, -depth * depth / 2);
        }
    }

    fn ranked(&self, first: Option<Play>, ply: usize) -> Vec<Ranked> {
        let mut plays = Vec::with_capacity(64);
        self.board.moves(&mut plays);
        let player = self.board.player();
        let rank = |play: Play| {
            if first == Some(play) {
                FIRST
            } else if self.board.is_loud(play) {
                LOUD + self.board.promise(play)
            } else {
                self.killers.rank(ply, play).unwrap_or_else(|| self.history.of(player, play))
            }
        };
        let mut moves: Vec<Ranked> = plays.into_iter().map(|play| (rank(play), play)).collect();
        moves.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        moves
    }

    /// Only loud moves until it is quiet, so that no exchange is judged half-way.
    fn quiesce(&mut self, mut window: Window, ply: usize, left: u32) -> i32 {
        let stand = self.board.worth();
        let over = self.nodes >= self.budget.saturating_mul(2) || self.is_stopped();
        if stand >= window.beta || left == 0 || over {
            return stand;
        }
        window.alpha = window.alpha.max(stand);
        for (_, play) in self.loud_moves() {
            let reach = self.board.gain(play).map_or(ALL, |gain| stand + gain + 2 * QUIET);
            if reach <= window.alpha || !self.board.make(play) {
                continue;
            }
            self.nodes += 1;
            let turned = self.board.has_turned();
            let inner = if turned { window.turned() } else { window };
            let score = match self.board.result() {
                Some(result) => decided(result, ply + 1),
                None => self.quiesce(inner, ply + 1, left - 1),
            };
            let score = if turned { -score } else { score };
            self.board.take_back();
            if score >= window.beta {
                return score;
            }
            window.alpha = window.alpha.max(score);
        }
        window.alpha
    }

    fn loud_moves(&self) -> Vec<Ranked> {
        let mut plays = Vec::with_capacity(64);
        self.board.moves(&mut plays);
        let loud = plays.into_iter().filter(|play| self.board.is_loud(*play));
        let mut moves: Vec<Ranked> = loud.map(|play| (self.board.promise(play), play)).collect();
        moves.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        moves
    }

    /// The expected line, read from the table.
    fn line(&mut self, best: Play, depth: u32) -> Vec<Play> {
        let mut line = vec![best];
        let mut next = Some(best);
        let mut made = 0;
        while let Some(play) = next.take() {
            if !self.board.make(play) {
                break;
            }
            made += 1;
            let best = self.table.look_up(self.board.key()).and_then(|known| known.best);
            let Some(best) = best.filter(|_| line.len() < depth as usize) else { break };
            if self.board.result().is_some() || !self.board.allows(best) {
                break;
            }
            line.push(best);
            next = Some(best);
        }
        for _ in 0..made {
            self.board.take_back();
        }
        line
    }
}

/// The rank of the move that was best before.
const FIRST: i32 = i32::MAX;
/// Loud moves rank above this, quiet ones below.
const LOUD: i32 = 1 << 24;

/// How many plies less a late quiet move is searched.
fn fewer_plies(depth: i32, tried: usize, rank: i32) -> i32 {
    if depth < 3 || tried < 3 {
        return 0;
    }
    let late = (tried as u32).ilog2() as i32;
    let deep = (depth as u32).ilog2() as i32;
    let less = 1 + late * deep / 4 - i32::from(rank > 0);
    less.clamp(0, depth - 2)
}

fn decided(result: i32, ply: usize) -> i32 {
    result.signum() * (WON - ply as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::setup::Setup;
    use turnstone::Game as _;
    use turnstone::dice::{Draw, Lots, Stream};

    fn look(chess: &Chess, state: &State, nodes: u64, depth: u32) -> Option<Found> {
        let stop = AtomicBool::new(false);
        search(chess, state, &Task { budget: Budget { nodes, depth }, only: &[], stop: &stop }, |_| {})
    }

    fn after_random_plies(chess: &Chess, board: &str, seed: u64, plies: usize) -> State {
        let mut state = chess.start(&Setup::Board(board.to_owned()), seed).unwrap();
        let mut lots = Lots::new(seed, Stream::named("bench"));
        for _ in 0..plies {
            let legal = chess.legal_plays(&state);
            let Some(play) = lots.pick(&legal).filter(|_| chess.end_of(&state).is_none()) else { break };
            state = chess.resolve_turn(&state, play).unwrap().state;
        }
        state
    }

    #[test]
    fn the_same_budget_finds_the_same_on_every_board_under_every_ruleset() {
        let catalog = Catalog::builtin();
        for rules in &catalog.rulesets {
            let chess = Chess::new(catalog.clone(), &rules.id).unwrap();
            for board in &catalog.boards {
                let Ok(state) = chess.start(&Setup::Board(board.id.clone()), 1) else { continue };
                let Some(found) = look(&chess, &state, 60, 30) else { continue };
                let again = look(&chess, &state, 60, 30).unwrap();
                let told = |found: &Found| (found.best, found.score, found.depth, found.nodes);
                assert_eq!(told(&found), told(&again), "{} on {}", rules.id, board.id);
                assert!(chess.legal_plays(&state).contains(&found.best), "{} on {}", rules.id, board.id);
                assert!(found.nodes < 250, "{} on {}: {} positions", rules.id, board.id, found.nodes);
            }
        }
    }

    /// Kings with scapegoats may stand in each other's check for ever.
    #[test]
    fn checks_that_need_no_answer_make_no_line_longer() {
        let chess = Chess::builtin("short-fuse").unwrap();
        let mut most = 0;
        for seed in 1..6 {
            let state = after_random_plies(&chess, "scapegoats", seed, 10);
            most = most.max(look(&chess, &state, 100_000, 2).map_or(0, |found| found.nodes));
        }
        assert!(most < 5_000, "{most} positions for two plies");
    }

    #[test]
    fn a_mate_is_found_and_none_is_overlooked() {
        let chess = Chess::builtin("standard").unwrap();
        let state = |fen: &str| chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap();
        let mate = state("6k1/5ppp/8/8/8/8/5PPP/3R{veteran}2K1 w - - 0 40");
        let found = look(&chess, &mate, 2_000, 4).unwrap();
        assert_eq!((found.best.to.to_string(), found.score), ("d8".to_owned(), WON - 1));
        let stalemate = state("7k/8/6K1/8/8/8/8/5Q{veteran}2 w - - 0 60");
        let found = look(&chess, &stalemate, 2_000, 4).unwrap();
        assert!(found.score > DECIDED, "it mates instead of leaving no move: {found:?}");
    }
}
