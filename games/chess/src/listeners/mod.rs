//! Listeners: abilities and tiles that hear of effects before they happen and
//! of events after, one per file. Collected by the effect's footprint, in the
//! order tiles, then pieces in scan order, each from the outermost layer in.

pub(crate) mod bouncer;
pub(crate) mod cannibal;
pub(crate) mod exploding;
pub(crate) mod marksman;
pub(crate) mod phantom;
pub(crate) mod piercing;
pub(crate) mod predator;
pub(crate) mod promotion;
pub(crate) mod revenant;
pub(crate) mod scapegoat;
pub(crate) mod swapper;
pub(crate) mod wall_placement;

use crate::ability::{Layer, Verb};
use crate::at::At;
use crate::catalog::AbilityDef;
use crate::effect::{Effect, Event, Source};
use crate::game::{Chess, Out};
use crate::piece::{Piece, PieceId};
use crate::state::State;
use crate::tile::Tile;
use crate::tiles;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use turnstone::{ListenersOf, Verdict};

/// Names a listener in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listener {
    /// The tile there.
    Tile(At),
    /// A layer of a piece, counted from the outermost.
    Layer(PieceId, u8),
    /// A pawn that may promote.
    Pawn(PieceId),
}

/// A layer that listens, with everything it may want to know about itself.
pub(crate) struct Me<'a> {
    pub id: PieceId,
    pub slot: u8,
    pub piece: &'a Piece,
    pub layer: Layer,
    pub def: &'a AbilityDef,
}

impl Me<'_> {
    /// This layer as a source.
    pub fn source(&self) -> Source {
        Source::Layer(self.id, self.slot)
    }
}

/// Verbs that hear of captures before they happen.
const CAPTURES: u16 = Verb::Bouncer.bit()
    | Verb::Exploding.bit()
    | Verb::Marksman.bit()
    | Verb::Piercing.bit()
    | Verb::Scapegoat.bit()
    | Verb::Swapper.bit();
/// Verbs that hear of deaths afterwards.
const DEATHS: u16 =
    Verb::Exploding.bit() | Verb::Revenant.bit() | Verb::Predator.bit() | Verb::Cannibal.bit();

/// Pieces to ask, with the squares that order them.
type Footprint = SmallVec<[(At, PieceId); 12]>;

/// Who may want to hear of an effect.
pub(crate) fn heard_before(chess: &Chess, state: &State, effect: &Effect, heard: &mut ListenersOf<Chess>) {
    if chess.scan {
        return scan_before(chess, state, heard);
    }
    match *effect {
        Effect::Capture { attacker, from, target, at, .. } => {
            if state.has_tiles(Tile::Guardian.bit() | Tile::Fog.bit()) {
                push_tile(state, at, heard);
            }
            if state.verbs() & CAPTURES != 0 {
                let mut asked: Footprint = SmallVec::from_slice(&[(from, attacker), (at, target)]);
                scapegoats_near(state, target, at, &mut asked);
                push_pieces(chess, state, &mut asked, CAPTURES, heard);
            }
        }
        Effect::Move { to, .. }
            if state.has_tiles(Tile::Guardian.bit() | Tile::Wall.bit() | Tile::Tomb.bit()) =>
        {
            push_tile(state, to, heard);
        }
        Effect::Destroy { target, at, .. } if state.verbs() & Verb::Scapegoat.bit() != 0 => {
            let mut asked = Footprint::new();
            scapegoats_near(state, target, at, &mut asked);
            push_pieces(chess, state, &mut asked, Verb::Scapegoat.bit(), heard);
        }
        _ => {}
    }
}

/// Who may want to hear of an event.
#[inline]
pub(crate) fn heard_after(chess: &Chess, state: &State, event: &Event, heard: &mut ListenersOf<Chess>) {
    if chess.scan {
        return scan_after(chess, state, event, heard);
    }
    match *event {
        Event::Moved { piece, to, displaced, .. } => {
            if state.has_tiles(Tile::Slippery.bit()) {
                push_tile(state, to, heard);
            }
            if to.y == 0 || to.y + 1 == state.height() {
                heard.push(0, Listener::Pawn(piece));
            }
            if state.verbs() & DEATHS != 0 {
                let mut asked: Footprint = SmallVec::from_slice(&[(to, piece), (to, displaced)]);
                push_pieces(chess, state, &mut asked, DEATHS, heard);
            }
        }
        Event::Swapped { piece, other, .. } => {
            heard.push(0, Listener::Pawn(piece));
            heard.push(0, Listener::Pawn(other));
        }
        Event::Captured { attacker, target, at, .. } if state.verbs() & DEATHS != 0 => {
            let from = state.piece(attacker).map_or(at, |piece| piece.at);
            let mut asked: Footprint = SmallVec::from_slice(&[(from, attacker), (at, target)]);
            push_pieces(chess, state, &mut asked, DEATHS, heard);
        }
        Event::Destroyed { target, at, tag } if state.verbs() & DEATHS != 0 => {
            let mut asked: Footprint = SmallVec::from_slice(&[(at, target)]);
            if let Source::Piece(shooter) = tag.source {
                asked.push((state.piece(shooter).map_or(at, |piece| piece.at), shooter));
            }
            push_pieces(chess, state, &mut asked, DEATHS, heard);
        }
        _ => {}
    }
}

fn push_tile(state: &State, at: At, heard: &mut ListenersOf<Chess>) {
    if state.tile(at) != Tile::Standard {
        heard.push(0, Listener::Tile(at));
    }
}

/// Friends of the target within a king's step of it that carry a Scapegoat.
fn scapegoats_near(state: &State, target: PieceId, at: At, asked: &mut Footprint) {
    if state.verbs() & Verb::Scapegoat.bit() == 0 {
        return;
    }
    let Some(owner) = state.piece(target).map(|piece| piece.owner) else { return };
    for dx in -1..=1 {
        for dy in -1..=1 {
            let near = at.plus(dx, dy).and_then(|near| state.piece_at(near));
            if let Some((id, piece)) = near
                && piece.owner == owner
                && id != target
                && piece.has(Verb::Scapegoat)
                && asked.iter().all(|(_, other)| *other != id)
            {
                asked.push((piece.at, id));
            }
        }
    }
}

fn push_pieces(
    chess: &Chess,
    state: &State,
    asked: &mut Footprint,
    verbs: u16,
    heard: &mut ListenersOf<Chess>,
) {
    asked.sort_by_key(|(at, _)| *at);
    for (_, id) in asked {
        push_layers(chess, state, *id, verbs, heard);
    }
}

/// The layers of a piece that know one of these verbs. Who came onto the board
/// in this resolution listens from the next one on.
fn push_layers(chess: &Chess, state: &State, id: PieceId, verbs: u16, heard: &mut ListenersOf<Chess>) {
    let Some(piece) = state.piece(id) else { return };
    if piece.layers.mask() & verbs == 0 || piece.memory.placed == state.stamp {
        return;
    }
    for (slot, layer) in piece.layers.iter().enumerate() {
        if layer.verb.bit() & verbs != 0 {
            heard.push(chess.catalog.ability(layer.ability).priority, Listener::Layer(id, slot as u8));
        }
    }
}

/// Every listener on the board: what the footprints must agree with.
fn scan_before(chess: &Chess, state: &State, heard: &mut ListenersOf<Chess>) {
    for (at, _) in state.special_tiles() {
        heard.push(0, Listener::Tile(at));
    }
    for (id, _) in state.on_board() {
        push_layers(chess, state, id, u16::MAX, heard);
    }
}

fn scan_after(chess: &Chess, state: &State, event: &Event, heard: &mut ListenersOf<Chess>) {
    for (at, _) in state.special_tiles() {
        heard.push(0, Listener::Tile(at));
    }
    // Whoever the event removed hears it too, in its place.
    let mut asked: Vec<(At, PieceId)> = state.on_board().map(|(id, piece)| (piece.at, id)).collect();
    match *event {
        Event::Captured { target, at, .. } | Event::Destroyed { target, at, .. } => asked.push((at, target)),
        Event::Moved { displaced, to, .. } => asked.push((to, displaced)),
        _ => {}
    }
    asked.sort_by_key(|(at, _)| *at);
    for (_, id) in asked {
        push_layers(chess, state, id, u16::MAX, heard);
        if state.piece(id).is_some_and(Piece::on_board) {
            heard.push(0, Listener::Pawn(id));
        }
    }
}

fn me<'a>(chess: &'a Chess, state: &'a State, id: PieceId, slot: u8) -> Option<Me<'a>> {
    let piece = state.piece(id)?;
    let layer = *piece.layers.get(slot)?;
    Some(Me { id, slot, piece, layer, def: chess.catalog.ability(layer.ability) })
}

/// Lets a listener act before.
pub(crate) fn before(
    chess: &Chess,
    listener: Listener,
    state: &State,
    effect: &mut Effect,
    out: &mut Out,
) -> Verdict {
    match listener {
        Listener::Tile(at) => tiles::before(state, at, effect, out),
        Listener::Layer(id, slot) => {
            let Some(me) = me(chess, state, id, slot) else { return Verdict::Pass };
            match me.layer.verb {
                Verb::Bouncer => bouncer::before(&me, state, effect, out),
                Verb::Exploding => exploding::before(chess, &me, state, effect, out),
                Verb::Marksman => marksman::before(&me, effect, out),
                Verb::Piercing => piercing::before(&me, state, effect, out),
                Verb::Scapegoat => scapegoat::before(&me, state, effect, out),
                Verb::Swapper => swapper::before(&me, state, effect, out),
                _ => Verdict::Pass,
            }
        }
        Listener::Pawn(_) => Verdict::Pass,
    }
}

/// Lets a listener act after.
pub(crate) fn after(chess: &Chess, listener: Listener, state: &State, event: &Event, out: &mut Out) {
    match listener {
        Listener::Tile(at) => tiles::after(state, at, event, out),
        Listener::Pawn(id) => promotion::after(chess, id, state, event, out),
        Listener::Layer(id, slot) => {
            let Some(me) = me(chess, state, id, slot) else { return };
            match me.layer.verb {
                Verb::Cannibal => cannibal::after(chess, &me, event, out),
                Verb::Exploding => exploding::after(chess, &me, state, event, out),
                Verb::Predator => predator::after(chess, &me, state, event, out),
                Verb::Revenant => revenant::after(&me, state, event, out),
                _ => {}
            }
        }
    }
}
