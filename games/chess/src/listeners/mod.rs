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
pub(crate) mod veteran;
pub(crate) mod wall_placement;

use crate::ability::Layer;
use crate::action::Answer;
use crate::at::At;
use crate::catalog::{AbilityDef, RelicId};
use crate::effect::{Effect, Source};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::{Piece, PieceId, Who};
use crate::rules::candidates::Lists;
use crate::state::State;
use crate::tile::Tile;
use crate::tiles;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use turnstone::{ListenersOf, Verdict};

/// What an ability does: each is one file with one of these. What is not written does nothing.
pub(crate) trait Ability {
    /// What it hears, as a sum of [`hears`].
    const HEARS: u8 = 0;

    /// Does it [`extend`](Ability::extend) anything? If not, it is not asked.
    const EXTENDS: bool = false;

    /// Adds to the moves of its piece, or takes some away.
    fn extend(_state: &State, _id: PieceId, _piece: &Piece, _layer: Layer, _lists: &mut Lists) {}

    /// Looks at an effect before it happens.
    fn before(_chess: &Chess, _me: &Me<'_>, _state: &State, _effect: &Effect, _out: &mut Out) -> Verdict {
        Verdict::Pass
    }

    /// Reacts to a fact.
    fn after(_chess: &Chess, _me: &Me<'_>, _state: &State, _event: &Event, _out: &mut Out) {}

    /// What its owner may answer to [`Effect::Consult`]; the first is what a look ahead takes for granted.
    fn answers(_chess: &Chess, _me: &Me<'_>, _state: &State, _out: &mut Vec<Answer>) {}

    /// The question in words.
    fn question(_chess: &Chess, me: &Me<'_>) -> String {
        format!("What does {} do?", me.def.name)
    }

    /// What its charges mean, in words; nothing if they mean nothing.
    fn count(def: &AbilityDef, charges: u8) -> Option<String> {
        (def.charges > 0).then(|| match charges {
            0 => "no charge left".to_owned(),
            1 => "1 charge left".to_owned(),
            many => format!("{many} charges left"),
        })
    }
}

/// What abilities may hear.
pub(crate) mod hears {
    /// Before: captures by this piece or of it.
    pub const CAPTURES: u8 = 1;
    /// Before: what would kill a friend beside it.
    pub const BESIDE: u8 = 2;
    /// After: moves, captures and deaths of this piece or by it.
    pub const DEEDS: u8 = 4;
    /// After: every turn that starts or ends while it stands on the board.
    pub const TURNS: u8 = 8;
    /// After: its own charges and its owner's answers.
    pub const ITSELF: u8 = 16;
}

/// The list of abilities: the verb as content names it, and the file that does it.
macro_rules! abilities {
    ($($(#[$doc:meta])* $verb:ident: $module:ident,)*) => {
        /// What an ability does; several entries of the catalog may share a verb with other numbers.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum Verb {
            $($(#[$doc])* $verb,)*
        }

        impl Verb {
            /// All verbs in the order of their names.
            pub const ALL: &'static [Verb] = &[$(Verb::$verb,)*];

            /// Its bit in masks of verbs.
            #[inline]
            pub const fn bit(self) -> u16 {
                1 << self as u16
            }

            const fn hears(self) -> u8 {
                match self {
                    $(Verb::$verb => $module::$verb::HEARS,)*
                }
            }

            const fn extends(self) -> bool {
                match self {
                    $(Verb::$verb => $module::$verb::EXTENDS,)*
                }
            }

            pub(crate) fn extend(self, state: &State, id: PieceId, piece: &Piece, layer: Layer, lists: &mut Lists) {
                match self {
                    $(Verb::$verb => $module::$verb::extend(state, id, piece, layer, lists),)*
                }
            }

            fn before(self, chess: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
                match self {
                    $(Verb::$verb => $module::$verb::before(chess, me, state, effect, out),)*
                }
            }

            fn after(self, chess: &Chess, me: &Me<'_>, state: &State, event: &Event, out: &mut Out) {
                match self {
                    $(Verb::$verb => $module::$verb::after(chess, me, state, event, out),)*
                }
            }

            fn answers(self, chess: &Chess, me: &Me<'_>, state: &State, out: &mut Vec<Answer>) {
                match self {
                    $(Verb::$verb => $module::$verb::answers(chess, me, state, out),)*
                }
            }

            fn question(self, chess: &Chess, me: &Me<'_>) -> String {
                match self {
                    $(Verb::$verb => $module::$verb::question(chess, me),)*
                }
            }

            /// What that many charges of such an ability mean, in words.
            pub(crate) fn count(self, def: &AbilityDef, charges: u8) -> Option<String> {
                match self {
                    $(Verb::$verb => $module::$verb::count(def, charges),)*
                }
            }
        }
    };
}

abilities! {
    /// Bounces what it takes to the far side.
    Bouncer: bouncer,
    /// Takes friends instead of enemies.
    Cannibal: cannibal,
    /// Blows up when it dies.
    Exploding: exploding,
    /// Shoots instead of taking.
    Marksman: marksman,
    /// Slides through friends.
    Phantom: phantom,
    /// Takes what stands behind its target.
    Piercing: piercing,
    /// Evolves by killing.
    Predator: predator,
    /// Leaves a tomb to rise from.
    Revenant: revenant,
    /// Dies in place of a neighbour.
    Scapegoat: scapegoat,
    /// Changes places with a friend.
    Swapper: swapper,
    /// Is promoted when it has served its time.
    Veteran: veteran,
    /// Casts walls.
    WallPlacement: wall_placement,
}

/// The verbs that hear one of these.
const fn verbs_that_hear(what: u8) -> u16 {
    let (mut mask, mut i) = (0, 0);
    while i < Verb::ALL.len() {
        if Verb::ALL[i].hears() & what != 0 {
            mask |= Verb::ALL[i].bit();
        }
        i += 1;
    }
    mask
}

/// The verbs that add to the moves of a piece or take some away.
pub(crate) const EXTENDING: u16 = {
    let (mut mask, mut i) = (0, 0);
    while i < Verb::ALL.len() {
        if Verb::ALL[i].extends() {
            mask |= Verb::ALL[i].bit();
        }
        i += 1;
    }
    mask
};

const CAPTURES: u16 = verbs_that_hear(hears::CAPTURES | hears::BESIDE);
const BESIDE: u16 = verbs_that_hear(hears::BESIDE);
const DEEDS: u16 = verbs_that_hear(hears::DEEDS);
const TURNS: u16 = verbs_that_hear(hears::TURNS);
const ITSELF: u16 = verbs_that_hear(hears::ITSELF);

/// Names a listener in the state, and who it was when it was asked: a tile may be gone and a piece
/// changed when its deed is told.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listener {
    /// The tile there.
    Tile(At, Tile),
    /// A layer of a piece that stood there, counted from the outermost.
    Layer(Who, At, u8),
    /// A pawn that may promote.
    Pawn(Who, At),
    /// A relic of the run.
    Relic(RelicId),
}

/// The same place or the same layer is the same listener, whatever became of it.
impl PartialEq for Listener {
    fn eq(&self, other: &Listener) -> bool {
        match (self, other) {
            (Listener::Tile(at, _), Listener::Tile(other, _)) => at == other,
            (Listener::Layer(who, _, slot), Listener::Layer(other, _, other_slot)) => {
                (who.id, slot) == (other.id, other_slot)
            }
            (Listener::Pawn(who, _), Listener::Pawn(other, _)) => who.id == other.id,
            (Listener::Relic(relic), Listener::Relic(other)) => relic == other,
            (Listener::Tile(..) | Listener::Layer(..) | Listener::Pawn(..) | Listener::Relic(_), _) => false,
        }
    }
}

impl Eq for Listener {}

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

    /// Is this about the layer's own charges, or an answer to it?
    pub fn is_told_of(&self, event: &Event) -> bool {
        match *event {
            Event::Charged { piece, slot, .. } | Event::Consulted { piece, slot, .. } => {
                (piece.id, slot) == (self.id, self.slot)
            }
            _ => false,
        }
    }
}

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
                friends_beside(state, target, at, &mut asked);
                push_pieces(chess, state, &mut asked, CAPTURES, heard);
            }
        }
        Effect::Move { to, .. }
            if state.has_tiles(Tile::Guardian.bit() | Tile::Wall.bit() | Tile::Tomb.bit()) =>
        {
            push_tile(state, to, heard);
        }
        Effect::Destroy { target, at, .. } if state.verbs() & BESIDE != 0 => {
            let mut asked = Footprint::new();
            friends_beside(state, target, at, &mut asked);
            push_pieces(chess, state, &mut asked, BESIDE, heard);
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
                push_pawn(state, piece.id, heard);
            }
            if state.verbs() & DEEDS != 0 {
                let mut asked: Footprint = SmallVec::from_slice(&[(to, piece.id), (to, displaced.id)]);
                push_pieces(chess, state, &mut asked, DEEDS, heard);
            }
        }
        Event::Captured { attacker, from, target, at, .. } if state.verbs() & DEEDS != 0 => {
            let mut asked: Footprint = SmallVec::from_slice(&[(from, attacker.id), (at, target.id)]);
            push_pieces(chess, state, &mut asked, DEEDS, heard);
        }
        Event::Destroyed { target, at, tag } if state.verbs() & DEEDS != 0 => {
            let mut asked: Footprint = SmallVec::from_slice(&[(at, target.id)]);
            if let Source::Piece(shooter) = tag.source {
                asked.push((state.piece(shooter).map_or(at, |piece| piece.at), shooter));
            }
            push_pieces(chess, state, &mut asked, DEEDS, heard);
        }
        _ => heard_rarely(chess, state, event, heard),
    }
}

#[inline(never)]
fn heard_rarely(chess: &Chess, state: &State, event: &Event, heard: &mut ListenersOf<Chess>) {
    match *event {
        Event::TurnStarted(..) | Event::TurnEnded(..) if state.verbs() & TURNS != 0 => {
            for (id, piece) in state.on_board() {
                push_layers(chess, state, (piece.at, id), TURNS, heard);
            }
        }
        Event::Charged { piece, at, slot, .. } | Event::Consulted { piece, at, slot, .. }
            if state.verbs() & ITSELF != 0 =>
        {
            push_layer(chess, state, (at, piece.id), slot, ITSELF, heard);
        }
        Event::Swapped { piece, other, .. } => {
            push_pawn(state, piece.id, heard);
            push_pawn(state, other.id, heard);
        }
        Event::TurnStarted(..)
        | Event::TurnEnded(..)
        | Event::TurnAdvanced(..)
        | Event::Moved { .. }
        | Event::Castled { .. }
        | Event::Captured { .. }
        | Event::Destroyed { .. }
        | Event::Placed { .. }
        | Event::Changed { .. }
        | Event::TileChanged { .. }
        | Event::Charged { .. }
        | Event::Consulted { .. }
        | Event::DrawOffered(_)
        | Event::CheckGiven(..)
        | Event::TimedOut(_)
        | Event::GameOver(_)
        | Event::Ended(..)
        | Event::Run(_) => {}
    }
}

fn push_tile(state: &State, at: At, heard: &mut ListenersOf<Chess>) {
    let tile = state.tile(at);
    if tile != Tile::Standard {
        heard.push(0, Listener::Tile(at, tile));
    }
}

fn push_pawn(state: &State, id: PieceId, heard: &mut ListenersOf<Chess>) {
    heard.push(0, Listener::Pawn(state.who(id), state.place(id)));
}

/// Friends of the target within a king's step of it that hear of its death.
fn friends_beside(state: &State, target: PieceId, at: At, asked: &mut Footprint) {
    if state.verbs() & BESIDE == 0 {
        return;
    }
    let Some(owner) = state.piece(target).map(|piece| piece.owner) else { return };
    for dx in -1..=1 {
        for dy in -1..=1 {
            let near = at.plus(dx, dy).and_then(|near| state.piece_at(near));
            if let Some((id, piece)) = near
                && piece.owner == owner
                && id != target
                && piece.layers.mask() & BESIDE != 0
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
    for place in asked {
        push_layers(chess, state, *place, verbs, heard);
    }
}

/// The layers of a piece that know one of these verbs. Who came onto the board
/// in this resolution listens from the next one on.
fn push_layers(
    chess: &Chess,
    state: &State,
    (at, id): (At, PieceId),
    verbs: u16,
    heard: &mut ListenersOf<Chess>,
) {
    let Some(piece) = state.piece(id) else { return };
    if piece.layers.mask() & verbs == 0 || piece.memory.placed == state.stamp {
        return;
    }
    for slot in 0..piece.layers.len() as u8 {
        push_layer(chess, state, (at, id), slot, verbs, heard);
    }
}

fn push_layer(
    chess: &Chess,
    state: &State,
    (at, id): (At, PieceId),
    slot: u8,
    verbs: u16,
    heard: &mut ListenersOf<Chess>,
) {
    let Some(piece) = state.piece(id).filter(|piece| piece.memory.placed != state.stamp) else { return };
    let Some(layer) = piece.layers.get(slot) else { return };
    if layer.verb.bit() & verbs != 0 {
        let priority = chess.catalog.ability(layer.ability).priority;
        heard.push(priority, Listener::Layer(state.who(id), at, slot));
    }
}

/// Every listener on the board: what the footprints must agree with.
fn scan_before(chess: &Chess, state: &State, heard: &mut ListenersOf<Chess>) {
    for (at, tile) in state.special_tiles() {
        heard.push(0, Listener::Tile(at, tile));
    }
    for (id, piece) in state.on_board() {
        push_layers(chess, state, (piece.at, id), u16::MAX, heard);
    }
}

fn scan_after(chess: &Chess, state: &State, event: &Event, heard: &mut ListenersOf<Chess>) {
    for (at, tile) in state.special_tiles() {
        heard.push(0, Listener::Tile(at, tile));
    }
    // Whoever the event removed hears it too, in its place.
    let mut asked: Vec<(At, PieceId)> = state.on_board().map(|(id, piece)| (piece.at, id)).collect();
    match *event {
        Event::Captured { target, at, .. } | Event::Destroyed { target, at, .. } => {
            asked.push((at, target.id));
        }
        Event::Moved { displaced, to, .. } => asked.push((to, displaced.id)),
        _ => {}
    }
    asked.sort_by_key(|(at, _)| *at);
    for (at, id) in asked {
        push_layers(chess, state, (at, id), u16::MAX, heard);
        if state.piece(id).is_some_and(Piece::on_board) {
            push_pawn(state, id, heard);
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
        Listener::Tile(at, _) => tiles::before(state, at, effect, out),
        Listener::Layer(who, _, slot) => {
            let Some(me) = me(chess, state, who.id, slot) else { return Verdict::Pass };
            me.layer.verb.before(chess, &me, state, effect, out)
        }
        Listener::Relic(relic) => crate::run::relic::before(chess, relic, effect, out),
        Listener::Pawn(..) => Verdict::Pass,
    }
}

/// Lets a listener act after.
pub(crate) fn after(chess: &Chess, listener: Listener, state: &State, event: &Event, out: &mut Out) {
    match listener {
        Listener::Tile(at, _) => tiles::after(state, at, event, out),
        Listener::Pawn(who, _) => promotion::after(chess, who.id, state, event, out),
        Listener::Relic(_) => {}
        Listener::Layer(who, _, slot) => {
            let Some(me) = me(chess, state, who.id, slot) else { return };
            me.layer.verb.after(chess, &me, state, event, out);
        }
    }
}

/// What the owner of a layer may answer it.
pub(crate) fn answers(chess: &Chess, state: &State, id: PieceId, slot: u8, out: &mut Vec<Answer>) {
    if let Some(me) = me(chess, state, id, slot) {
        me.layer.verb.answers(chess, &me, state, out);
    }
}

/// What a layer asks its owner, in words.
pub(crate) fn question(chess: &Chess, state: &State, id: PieceId, slot: u8) -> String {
    me(chess, state, id, slot).map_or(String::new(), |me| me.layer.verb.question(chess, &me))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_an_ability_of_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/listeners");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder")
            .filter_map(|entry| {
                entry.ok()?.file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned)
            })
            .filter(|name| name != "mod" && name != "promotion")
            .collect();
        files.sort();
        let named = |verb: &Verb| {
            serde_json::to_value(verb).expect("a name").as_str().map(|name| name.replace('-', "_"))
        };
        let listed: Vec<String> = Verb::ALL.iter().filter_map(named).collect();
        assert_eq!(files, listed, "one file, one line, in the order of the names");
    }
}
