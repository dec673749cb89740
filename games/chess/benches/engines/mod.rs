//! Three engines for the same chain reactions: (a) the listener queue of this
//! game, (b) a stack of interceptors with a live state, (c) a recursion of
//! interceptors over a frozen state. (b) and (c) are models of designs that
//! were left behind; they exist only to be compared with.

use std::sync::Arc;
use turnstone::{Fate, Input, Match};
use turnstone_chess::{Action, At, Chess, Color, Event, Kind, Piece, Raw, Saved, Setup, catalog::Catalog};

/// A block of bombs, the first of them at a corner, set off from outside.
#[derive(Clone, Copy)]
pub struct Block {
    pub width: u8,
    pub height: u8,
}

impl Block {
    pub fn name(self) -> String {
        if self.height == 1 {
            format!("line of {}", self.width)
        } else {
            format!("{}x{}", self.height, self.width)
        }
    }

    fn count(self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// Neighbours of a bomb in the order of a blast.
    fn around(self, bomb: usize) -> impl Iterator<Item = usize> {
        const AROUND: [(i32, i32); 8] =
            [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        let (width, height) = (i32::from(self.width), i32::from(self.height));
        let (x, y) = (bomb as i32 % width, bomb as i32 / width);
        AROUND.into_iter().filter_map(move |(dx, dy)| {
            let (x, y) = (x + dx, y + dy);
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            inside.then_some((y * width + x) as usize)
        })
    }
}

/// The boards of the comparison.
pub const BLOCKS: [Block; 10] = [
    Block { width: 20, height: 1 },
    Block { width: 2, height: 2 },
    Block { width: 3, height: 2 },
    Block { width: 3, height: 3 },
    Block { width: 5, height: 2 },
    Block { width: 6, height: 2 },
    Block { width: 4, height: 3 },
    Block { width: 4, height: 4 },
    Block { width: 5, height: 4 },
    Block { width: 8, height: 6 },
];

/// (a): applied and stale effects of the listener queue.
pub struct Queue {
    start: Match<Chess>,
}

impl Queue {
    pub fn new(block: Block) -> Queue {
        let catalog = Catalog::builtin();
        let bomb = catalog.layer(catalog.ability_named("exploding").expect("the ability"));
        let mut saved = Saved::empty(block.width.max(2), block.height.max(2));
        for bomb_index in 0..block.count() {
            let (x, y) = (bomb_index as u8 % block.width, bomb_index as u8 / block.width);
            let mut piece = Piece::new(Kind::PAWN, Color::Black, At::new(x, y));
            piece.layers.push_outermost(bomb);
            saved.pieces.push(piece);
        }
        let chess = Chess::builtin("recorded-last-piece-standing").expect("a ruleset");
        let start = Match::new(Arc::new(chess), Setup::Position(Box::new(saved)), 0).expect("a board");
        Queue { start }
    }

    pub fn run(&self) -> (usize, usize) {
        let mut game = self.start.clone();
        let spark = Raw::Destroy { at: At::new(0, 0), actor: Color::White };
        let moment = game.act(Input::Act(Action::Raw(spark))).expect("a chain within the budget");
        let destroyed = |event: &&Event| matches!(event, Event::Destroyed { .. });
        let applied =
            game.entries(moment).iter().filter_map(|entry| entry.fact.event()).filter(destroyed).count();
        let stale = game.detours(moment).iter().filter(|detour| matches!(detour.fate, Fate::Stale)).count();
        (applied, stale)
    }
}

/// Nobody in particular.
const OUTSIDE: usize = usize::MAX;

/// (b): last in, first out, every event asked of everybody, applied unchecked.
pub fn stack(block: Block) -> (usize, usize) {
    let mut standing = vec![true; block.count()];
    let mut stack = vec![(0, OUTSIDE)];
    let (mut applied, mut real) = (0, 0);
    while let Some((target, source)) = stack.pop() {
        // The interceptors are collected anew for every event, from the whole board.
        let interested =
            (0..block.count()).find(|bomb| standing[*bomb] && *bomb == target && source != target);
        match interested {
            Some(bomb) => {
                let blast: Vec<usize> = block.around(bomb).filter(|other| standing[*other]).collect();
                stack.extend(blast.into_iter().rev().map(|other| (other, bomb)));
                stack.push((bomb, bomb));
            }
            None => {
                applied += 1;
                real += usize::from(std::mem::replace(&mut standing[target], false));
            }
        }
    }
    (applied, real)
}

/// (c): everything is expanded against the first state, a bomb on the present
/// path not again. Canonical events and interceptions, or `None` beyond the cap.
pub fn frozen(block: Block, cap: u64) -> Option<(u64, u64)> {
    let mut recursion =
        Frozen { block, on_path: vec![false; block.count()], events: 0, interceptions: 0, cap };
    recursion.expand(0, OUTSIDE).then_some((recursion.events, recursion.interceptions))
}

struct Frozen {
    block: Block,
    on_path: Vec<bool>,
    events: u64,
    interceptions: u64,
    cap: u64,
}

impl Frozen {
    fn expand(&mut self, target: usize, source: usize) -> bool {
        if source == target || self.on_path[target] {
            self.events += 1;
            return self.events <= self.cap;
        }
        self.interceptions += 1;
        self.on_path[target] = true;
        let within = self.expand(target, target)
            && self
                .block
                .around(target)
                .collect::<Vec<_>>()
                .into_iter()
                .all(|other| self.expand(other, target));
        self.on_path[target] = false;
        within
    }
}
