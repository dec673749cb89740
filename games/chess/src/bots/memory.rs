//! What a search remembers while it runs.

use super::search::{WON, Window};
use crate::action::Play;
use crate::color::Color;
use crate::state::State;

/// What is known of a score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    pub fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        match score {
            _ if score <= alpha => Bound::AtMost,
            _ if score >= beta => Bound::AtLeast,
            _ => Bound::Exact,
        }
    }
}

/// What was found out about a position.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    score: i32,
    depth: i16,
    bound: Bound,
    pub best: Option<Play>,
}

impl Entry {
    /// The score, if it answers the question; if not, it may narrow it. Scores of won games depend on the way
    /// here and are not used again.
    pub fn cut(&self, depth: i32, window: &mut Window) -> Option<i32> {
        if i32::from(self.depth) < depth || self.score.abs() >= WON - 1000 {
            return None;
        }
        match self.bound {
            Bound::Exact => return Some(self.score),
            Bound::AtLeast => window.alpha = window.alpha.max(self.score),
            Bound::AtMost => window.beta = window.beta.min(self.score),
        }
        (window.alpha >= window.beta).then_some(self.score)
    }
}

/// Positions by key, in pairs: of each the one searched deepest and the last one.
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
}

/// Entries at most.
const LARGEST: u64 = 1 << 19;

impl Table {
    /// Room for as many positions as may be looked at.
    pub fn new(positions: u64) -> Table {
        let size = positions.clamp(1 << 8, LARGEST).next_power_of_two();
        Table { entries: vec![None; size as usize] }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1) & !1
    }

    pub fn look_up(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        self.entries[place..place + 2].iter().flatten().find(|entry| entry.key == key).copied()
    }

    pub fn store(&mut self, key: u64, depth: i32, score: i32, bound: Bound, best: Option<Play>) {
        let place = self.place(key);
        let entry = Entry { key, score, depth: depth as i16, bound, best };
        let deepest = self.entries[place].is_none_or(|old| old.key == key || old.depth <= entry.depth);
        if deepest && self.entries[place].is_some_and(|old| old.key != key) {
            self.entries[place + 1] = self.entries[place];
        }
        self.entries[place + usize::from(!deepest)] = Some(entry);
    }
}

/// The positions of the game and of the line under search, to know a repetition.
pub(super) struct Path {
    keys: Vec<u64>,
    /// How many of them have the same last bits: most positions are told apart without a search.
    counts: Vec<u16>,
}

const COUNTS: usize = 1 << 10;

impl Path {
    pub fn new(past: &[u64]) -> Path {
        let mut path = Path { keys: Vec::with_capacity(past.len() + 64), counts: vec![0; COUNTS] };
        past.iter().for_each(|key| path.push(*key));
        path
    }

    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        let count = &mut self.counts[key as usize % COUNTS];
        *count = count.saturating_add(1);
    }

    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let count = &mut self.counts[key as usize % COUNTS];
            *count = count.saturating_sub(1);
        }
    }

    pub fn contains(&self, key: u64) -> bool {
        self.counts[key as usize % COUNTS] > 0 && self.keys.contains(&key)
    }
}

/// The two quiet moves that were last the answer at each ply: often they are again.
#[derive(Default)]
pub(super) struct Killers {
    plies: Vec<[Option<Play>; 2]>,
}

/// Above every history.
const KILLER: i32 = 1 << 20;

impl Killers {
    pub fn note(&mut self, ply: usize, play: Play) {
        self.plies.resize(self.plies.len().max(ply + 1), [None; 2]);
        let killers = &mut self.plies[ply];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
    }

    pub fn rank(&self, ply: usize, play: Play) -> Option<i32> {
        let place = self.plies.get(ply)?.iter().position(|killer| *killer == Some(play))?;
        Some(KILLER - place as i32)
    }
}

/// How often quiet moves were the answer, anywhere.
pub(super) struct History {
    scores: Vec<i32>,
    height: usize,
    area: usize,
}

/// No score is larger.
const HIGHEST: i32 = 1 << 14;

impl History {
    pub fn new(state: &State) -> History {
        let (width, height) = (usize::from(state.width()), usize::from(state.height()));
        let area = width * height;
        History { scores: vec![0; 2 * area * area], height, area }
    }

    fn place(&self, player: Color, play: Play) -> usize {
        let index = |at: crate::At| usize::from(at.x) * self.height + usize::from(at.y);
        let from = if play.from.is_somewhere() { index(play.from) } else { index(play.to) };
        (player as usize * self.area + from) * self.area + index(play.to)
    }

    pub fn of(&self, player: Color, play: Play) -> i32 {
        self.scores.get(self.place(player, play)).copied().unwrap_or(0)
    }

    /// The nearer a score is to its limit, the less it changes.
    pub fn note(&mut self, player: Color, play: Play, change: i32) {
        let place = self.place(player, play);
        let change = change.clamp(-400, 400);
        if let Some(score) = self.scores.get_mut(place) {
            *score += 32 * change - *score * change.abs() / (HIGHEST / 32);
        }
    }
}
