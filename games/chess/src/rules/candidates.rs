//! Where a piece could go: its steps, then what its layers add or take away,
//! then the restrictions of tiles.

use crate::ability::Verb;
use crate::action::{How, Play};
use crate::at::At;
use crate::catalog::{Catalog, Hurdle, PieceDef, Step};
use crate::listeners::EXTENDING;
use crate::piece::{Piece, PieceId};
use crate::state::State;
use crate::tile::Tile;
use smallvec::SmallVec;

/// One way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub to: At,
    pub how: How,
}

/// A friend in the way, which some abilities turn into a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friend {
    pub at: At,
    /// The step that met it.
    pub step: (i32, i32),
    /// Does the piece ride in this direction?
    pub rides: bool,
}

/// What a piece could do, on the way through its layers.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub moves: SmallVec<[Candidate; 32]>,
    pub friends: SmallVec<[Friend; 8]>,
}

impl Lists {
    #[inline]
    pub fn push(&mut self, to: At, how: How) {
        self.moves.push(Candidate { to, how });
    }
}

/// All candidates of a piece on the board, tiles not yet asked.
pub(crate) fn lists(catalog: &Catalog, state: &State, id: PieceId, piece: &Piece, horde: bool) -> Lists {
    let mut lists = Lists::default();
    let def = catalog.piece(piece.kind);
    for step in &def.steps {
        if !step.initial || may_leap(state, piece, def, horde) {
            follow_step(state, piece, def, step, &mut lists);
        }
    }
    if piece.layers.mask() & EXTENDING != 0 {
        let inner_first = piece.layers.iter().rev();
        for layer in inner_first {
            // A king gains no reach from a Phantom: it does not ride.
            if !(def.royal && layer.verb == Verb::Phantom) {
                layer.verb.extend(state, id, piece, *layer, &mut lists);
            }
        }
    }
    lists
}

/// The candidates of a piece, but only those that may lead to one square: most steps point elsewhere.
pub(crate) fn lists_toward(catalog: &Catalog, state: &State, id: PieceId, piece: &Piece, at: At) -> Lists {
    if piece.layers.mask() & EXTENDING != 0 {
        return lists(catalog, state, id, piece, false);
    }
    let mut lists = Lists::default();
    let def = catalog.piece(piece.kind);
    let way = piece.at.to(at);
    for step in &def.steps {
        if points_along(step, piece, way) && (!step.initial || may_leap(state, piece, def, false)) {
            follow_step(state, piece, def, step, &mut lists);
        }
    }
    lists
}

/// Does the square so far away lie in the direction of the step?
#[inline]
fn points_along(step: &Step, piece: &Piece, (x, y): (i32, i32)) -> bool {
    let (dx, dy) = (i32::from(step.dx), i32::from(step.dy) * piece.owner.forward());
    x * dy == y * dx && x * dx + y * dy > 0
}

/// First moves: pawns from their start rank, others before they have moved.
fn may_leap(state: &State, piece: &Piece, def: &PieceDef, horde: bool) -> bool {
    if !def.pawn {
        return piece.moves == 0;
    }
    let home = piece.owner.pick(1, state.height().saturating_sub(2));
    piece.at.y == home || (horde && piece.owner == crate::Color::White && piece.at.y == 0)
}

fn follow_step(state: &State, piece: &Piece, def: &PieceDef, step: &Step, lists: &mut Lists) {
    let (dx, dy) = (i32::from(step.dx), i32::from(step.dy) * piece.owner.forward());
    if step.lame && !halfway_is_free(state, piece.at, dx, dy) {
        return;
    }
    let how = if step.rides() || def.pawn { How::Slide } else { How::Jump };
    let mut ray = Ray { state, piece, step, how, direction: (dx, dy), rides: step.rides() };
    match step.hurdle {
        Hurdle::Stop => ray.run(piece.at, lists),
        Hurdle::Over | Hurdle::Behind => ray.hop(lists),
    }
}

fn halfway_is_free(state: &State, from: At, dx: i32, dy: i32) -> bool {
    let length = dx.abs().max(dy.abs());
    (1..length).all(|k| {
        let between = state.step(from, dx * k / length, dy * k / length);
        between.is_some_and(|at| !state.id_at(at).is_some())
    })
}

struct Ray<'a> {
    state: &'a State,
    piece: &'a Piece,
    step: &'a Step,
    how: How,
    direction: (i32, i32),
    rides: bool,
}

impl Ray<'_> {
    fn next(&self, at: At) -> Option<At> {
        self.state.step(at, self.direction.0, self.direction.1)
    }

    fn run(&mut self, from: At, lists: &mut Lists) {
        let mut at = from;
        for _ in 0..self.step.range {
            let Some(to) = self.next(at) else { return };
            at = to;
            let Some((_, other)) = self.state.piece_at(to) else {
                if self.step.moves {
                    lists.push(to, self.how);
                } else if !self.rides {
                    return;
                }
                continue;
            };
            if self.step.captures && other.owner != self.piece.owner {
                lists.push(to, self.how);
            } else if self.step.captures {
                lists.friends.push(Friend { at: to, step: self.direction, rides: self.rides });
            }
            return;
        }
    }

    /// Cannons pass over one piece, grasshoppers land right behind it.
    fn hop(&mut self, lists: &mut Lists) {
        let mut at = self.piece.at;
        loop {
            let Some(to) = self.next(at) else { return };
            at = to;
            if self.state.id_at(to).is_some() {
                break;
            }
        }
        let behind =
            Step { range: if self.step.hurdle == Hurdle::Behind { 1 } else { u8::MAX }, ..*self.step };
        let mut ray = Ray { step: &behind, rides: false, ..*self };
        ray.rides = true;
        ray.run(at, lists);
    }
}

/// Do the tiles allow this?
#[inline]
pub(crate) fn tiles_allow(state: &State, from: At, candidate: &Candidate) -> bool {
    if state.is_level() {
        return true;
    }
    let fogged = state.tile(candidate.to) == Tile::Fog && state.id_at(candidate.to).is_some();
    let slides = matches!(candidate.how, How::Slide | How::Cast);
    let walled = slides && wall_between(state, from, candidate.to);
    !fogged && !walled
}

/// Does a wall lie strictly before the target? The path runs in single steps
/// toward it, diagonal as long as both differences remain.
pub(crate) fn wall_between(state: &State, from: At, to: At) -> bool {
    if !state.has_tiles(Tile::Wall.bit() | Tile::Void.bit()) {
        return false;
    }
    let ((dx, dy), (sx, sy)) = (from.to(to), from.toward(to));
    let length = dx.abs().max(dy.abs());
    (1..length).any(|k| {
        from.plus(sx * k, sy * k).is_some_and(|at| matches!(state.tile(at), Tile::Wall | Tile::Void))
    })
}

/// The moves of one piece that tiles allow, in the order found, each once.
pub(crate) fn plays_of(
    catalog: &Catalog,
    state: &State,
    id: PieceId,
    piece: &Piece,
    horde: bool,
    mut found: impl FnMut(Play),
) {
    let lists = lists(catalog, state, id, piece, horde);
    let layered = piece.layers.mask() != 0;
    for (i, candidate) in lists.moves.iter().enumerate() {
        let again = layered && lists.moves[..i].contains(candidate);
        if !again && tiles_allow(state, piece.at, candidate) {
            found(Play::new(piece.at, candidate.to, candidate.how));
        }
    }
}
