//! Everything that changes during a match.

use crate::ability::{Layer, Stack};
use crate::action::{Answer, Asker};
use crate::at::{At, MAX_SIDE};
use crate::catalog::Catalog;
use crate::color::Color;
use crate::error::BadInput;
use crate::piece::{Kind, Piece, PieceId, Who};
use crate::plain::End;
use crate::run::Run;
use crate::tile::{Tile, Tomb};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The state of a match: board, pieces, tiles, rights and counters.
///
/// What follows from the rest (who stands on which square, bitboards, masks,
/// the hash) is kept by `apply` and rebuilt on loading; a saved state holds
/// only [`Saved`].
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct State {
    width: u8,
    height: u8,
    /// Who is to move.
    pub player: Color,
    /// Number of the turn, from 1, one more per ply.
    pub turn: u32,
    /// Which resolution this is; what pieces remember of older ones is void.
    pub(crate) stamp: u32,
    /// Rooks that may castle, by square.
    pub castling: SmallVec<[At; 4]>,
    /// The pawn that has just leapt.
    pub en_passant: Option<Passed>,
    /// Turns since the last capture or pawn move.
    pub halfmoves: u16,
    /// Checks each side must still give.
    pub checks_left: [u8; 2],
    /// How the game ended.
    pub end: Option<End>,
    /// The last answer and whom it was given, until it is used.
    pub(crate) answered: Option<(Asker, Answer)>,
    /// Who has offered a draw that still stands.
    pub offer: Option<Color>,
    /// Hashes of the positions since the last step that cannot be taken back.
    pub(crate) keys: Vec<u64>,
    /// The run this match is a part of.
    pub run: Option<Box<Run>>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) tombs: Vec<Tomb>,
    ground: Vec<Tile>,
    squares: Vec<PieceId>,
    /// Verbs of all pieces there are, on the board or off it.
    verbs: u16,
    /// Kinds of tiles there are, and how many of each.
    tile_mask: u8,
    tile_counts: [u16; Tile::ALL.len()],
    special: u16,
    fairies: u16,
    pub(crate) bits: Bits,
    hash: u64,
    /// A sum, because equal pieces in a pocket would cancel out otherwise.
    pocket_hash: u64,
}

macro_rules! clone_by_field {
    ($type:ident: $($field:ident)*) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                $type { $($field: self.$field.clone()),* }
            }

            // A copy is taken before every action: lists are copied into the room they had.
            #[inline]
            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}

clone_by_field! { State:
    width height player turn stamp castling en_passant halfmoves checks_left end answered offer keys run pieces tombs
    ground squares verbs tile_mask tile_counts special fairies bits hash pocket_hash
}

/// A pawn that has just leapt, and the square it leapt over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// The square it leapt over.
    pub at: At,
    /// Who leapt.
    pub pawn: PieceId,
}

/// Who stands where on a board of eight by eight, orthodox kinds only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub roles: [u64; 6],
    pub colors: [u64; 2],
}

/// A state as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Who is to move.
    pub player: Color,
    /// Number of the turn.
    pub turn: u32,
    /// Number of the resolution.
    #[serde(default)]
    pub stamp: u32,
    /// All pieces by number, dead ones included.
    pub pieces: Vec<Piece>,
    /// Tiles that are not standard.
    #[serde(default)]
    pub tiles: Vec<(At, Tile)>,
    /// Tombs and who lies in them.
    #[serde(default)]
    pub tombs: Vec<Tomb>,
    /// Rooks that may castle.
    #[serde(default)]
    pub castling: Vec<At>,
    /// The pawn that has just leapt.
    #[serde(default)]
    pub en_passant: Option<Passed>,
    /// Turns since the last capture or pawn move.
    #[serde(default)]
    pub halfmoves: u16,
    /// Checks each side must still give.
    #[serde(default)]
    pub checks_left: [u8; 2],
    /// How the game ended.
    #[serde(default)]
    pub end: Option<End>,
    /// An answer that was not used yet, and whom it was given.
    #[serde(default)]
    pub answered: Option<(Asker, Answer)>,
    /// Who has offered a draw that still stands.
    #[serde(default)]
    pub offer: Option<Color>,
    /// Hashes of earlier positions.
    #[serde(default)]
    pub keys: Vec<u64>,
    /// The run this match is a part of.
    #[serde(default)]
    pub run: Option<Box<Run>>,
}

impl Saved {
    /// An empty board with White to move.
    pub fn empty(width: u8, height: u8) -> Saved {
        Saved {
            width,
            height,
            player: Color::White,
            turn: 1,
            stamp: 1,
            pieces: Vec::new(),
            tiles: Vec::new(),
            tombs: Vec::new(),
            castling: Vec::new(),
            en_passant: None,
            halfmoves: 0,
            checks_left: [0; 2],
            end: None,
            answered: None,
            offer: None,
            keys: Vec::new(),
            run: None,
        }
    }

    /// Does everything have its place on the board, and is every name in the catalog?
    ///
    /// # Errors
    /// A code beginning with `board.`, with the square.
    pub fn check(&self, catalog: &Catalog) -> Result<(), BadInput> {
        self.check_shape()?;
        for piece in &self.pieces {
            known(catalog, piece.kind, &piece.layers, piece.at)?;
        }
        match &self.run {
            Some(run) => run.check(catalog),
            None => Ok(()),
        }
    }

    fn check_shape(&self) -> Result<(), BadInput> {
        let sides = 2..=MAX_SIDE;
        if !sides.contains(&self.width) || !sides.contains(&self.height) {
            let reason = format!(
                "A board of {} by {} is not possible; each side has 2 to 24 squares.",
                self.width, self.height
            );
            return Err(BadInput::new("board.size", "", reason));
        }
        if self.pieces.len() > usize::from(u16::MAX) - 1 {
            return Err(BadInput::new("board.pieces", "", "There are too many pieces."));
        }
        self.check_squares()?;
        self.check_tombs()
    }

    fn check_squares(&self) -> Result<(), BadInput> {
        let mut taken = vec![false; usize::from(self.width) * usize::from(self.height)];
        for piece in self.pieces.iter().filter(|piece| piece.on_board()) {
            let Some(place) = self.index(piece.at).and_then(|index| taken.get_mut(index)) else {
                return Err(BadInput::new("board.square", piece.at, "This square is not on the board."));
            };
            if std::mem::replace(place, true) {
                return Err(BadInput::new("board.occupied", piece.at, "Two pieces stand on one square."));
            }
        }
        let mut special = vec![false; taken.len()];
        for (at, tile) in &self.tiles {
            let Some(index) = self.index(*at) else {
                return Err(BadInput::new("board.square", at, "This tile is not on the board."));
            };
            if std::mem::replace(&mut special[index], true) {
                return Err(BadInput::new("board.tiles", at, "Two tiles lie on one square."));
            }
            if *tile == Tile::Void && taken[index] {
                return Err(BadInput::new("board.void", at, "A piece stands where the board has no square."));
            }
        }
        let rights = self.castling.iter().chain(self.en_passant.iter().map(|passed| &passed.at));
        match rights.into_iter().find(|at| self.index(**at).is_none()) {
            Some(at) => Err(BadInput::new("board.square", at, "This square is not on the board.")),
            None => Ok(()),
        }
    }

    fn check_tombs(&self) -> Result<(), BadInput> {
        for (at, _) in self.tiles.iter().filter(|(_, tile)| *tile == Tile::Tomb) {
            if self.tombs.iter().filter(|tomb| tomb.at == *at).count() != 1 {
                return Err(BadInput::new("board.tomb", at, "A tomb holds exactly one piece."));
            }
        }
        for tomb in &self.tombs {
            let dead =
                self.pieces.get(usize::from(tomb.piece.0).wrapping_sub(1)).is_some_and(|p| !p.on_board());
            if !dead || !self.tiles.contains(&(tomb.at, Tile::Tomb)) {
                return Err(BadInput::new(
                    "board.tomb",
                    tomb.at,
                    "A tomb lies on a tomb tile and holds a piece that is off the board.",
                ));
            }
        }
        Ok(())
    }

    fn index(&self, at: At) -> Option<usize> {
        (at.x < self.width && at.y < self.height)
            .then(|| usize::from(at.x) * usize::from(self.height) + usize::from(at.y))
    }
}

impl TryFrom<Saved> for State {
    type Error = BadInput;

    fn try_from(saved: Saved) -> Result<State, BadInput> {
        saved.check_shape()?;
        let area = usize::from(saved.width) * usize::from(saved.height);
        let mut state = State {
            width: saved.width,
            height: saved.height,
            player: saved.player,
            turn: saved.turn,
            stamp: saved.stamp,
            castling: saved.castling.into(),
            en_passant: saved.en_passant,
            halfmoves: saved.halfmoves,
            checks_left: saved.checks_left,
            end: saved.end,
            answered: saved.answered,
            offer: saved.offer,
            keys: saved.keys,
            run: saved.run,
            pieces: saved.pieces,
            tombs: saved.tombs,
            ground: vec![Tile::Standard; area],
            squares: vec![PieceId::NONE; area],
            verbs: 0,
            tile_mask: 0,
            tile_counts: [0; Tile::ALL.len()],
            special: 0,
            fairies: 0,
            bits: Bits::default(),
            hash: 0,
            pocket_hash: 0,
        };
        state.rebuild(&saved.tiles);
        Ok(state)
    }
}

impl From<State> for Saved {
    fn from(state: State) -> Saved {
        let tiles = state.special_tiles().collect();
        Saved {
            width: state.width,
            height: state.height,
            player: state.player,
            turn: state.turn,
            stamp: state.stamp,
            pieces: state.pieces,
            tiles,
            tombs: state.tombs,
            castling: state.castling.into_vec(),
            en_passant: state.en_passant,
            halfmoves: state.halfmoves,
            checks_left: state.checks_left,
            end: state.end,
            answered: state.answered,
            offer: state.offer,
            keys: state.keys,
            run: state.run,
        }
    }
}

impl State {
    /// Columns.
    #[inline]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// The number of a square in scan order: column by column, each from the bottom.
    #[inline]
    pub(crate) fn index(&self, at: At) -> usize {
        usize::from(at.x) * usize::from(self.height) + usize::from(at.y)
    }

    /// Is the square on the board?
    #[inline]
    pub const fn contains(&self, at: At) -> bool {
        at.x < self.width && at.y < self.height
    }

    /// All squares in scan order.
    pub fn all_squares(&self) -> impl Iterator<Item = At> + use<> {
        let height = self.height;
        (0..self.width).flat_map(move |x| (0..height).map(move |y| At::new(x, y)))
    }

    /// Who stands there; nobody outside the board.
    #[inline]
    pub fn id_at(&self, at: At) -> PieceId {
        if !self.contains(at) {
            return PieceId::NONE;
        }
        self.squares.get(self.index(at)).copied().unwrap_or(PieceId::NONE)
    }

    /// The piece that stands there.
    #[inline]
    pub fn piece_at(&self, at: At) -> Option<(PieceId, &Piece)> {
        let id = self.id_at(at);
        Some((id, self.piece(id)?))
    }

    /// A piece by its number, dead ones included.
    #[inline]
    pub fn piece(&self, id: PieceId) -> Option<&Piece> {
        self.pieces.get(usize::from(id.0).wrapping_sub(1))
    }

    /// Who a piece is now.
    #[inline]
    pub fn who(&self, id: PieceId) -> Who {
        self.piece(id).map_or(Who::NOBODY, |piece| Who { id, kind: piece.kind, owner: piece.owner })
    }

    /// Where a piece stands; nowhere if it is off the board.
    pub fn place(&self, id: PieceId) -> At {
        self.piece(id).map_or(At::NOWHERE, |piece| piece.at)
    }

    /// All pieces by number, dead ones included.
    pub fn pieces(&self) -> impl Iterator<Item = (PieceId, &Piece)> {
        self.pieces.iter().enumerate().map(|(i, piece)| (PieceId(i as u16 + 1), piece))
    }

    /// Pieces on the board in scan order.
    pub fn on_board(&self) -> impl Iterator<Item = (PieceId, &Piece)> {
        self.squares.iter().filter(|id| id.is_some()).filter_map(|id| Some((*id, self.piece(*id)?)))
    }

    /// Pieces of one side on the board in scan order.
    pub fn side(&self, color: Color) -> impl Iterator<Item = (PieceId, &Piece)> {
        self.on_board().filter(move |(_, piece)| piece.owner == color)
    }

    /// The tile there.
    #[inline]
    pub fn tile(&self, at: At) -> Tile {
        if self.special == 0 || !self.contains(at) {
            return Tile::Standard;
        }
        self.ground.get(self.index(at)).copied().unwrap_or_default()
    }

    /// Tiles that are not standard, in scan order.
    pub fn special_tiles(&self) -> impl Iterator<Item = (At, Tile)> + '_ {
        let count = if self.special == 0 { 0 } else { self.ground.len() };
        let tiles = self.all_squares().take(count).zip(&self.ground);
        tiles.map(|(at, tile)| (at, *tile)).filter(|(_, tile)| *tile != Tile::Standard)
    }

    /// The tomb there.
    pub fn tomb(&self, at: At) -> Option<&Tomb> {
        self.tombs.iter().find(|tomb| tomb.at == at)
    }

    /// The tombs.
    pub fn tombs(&self) -> &[Tomb] {
        &self.tombs
    }

    /// Verbs that some piece has, on the board or off it.
    #[inline]
    pub const fn verbs(&self) -> u16 {
        self.verbs
    }

    /// Are all tiles standard?
    #[inline]
    pub const fn is_level(&self) -> bool {
        self.special == 0
    }

    /// Is there a tile of these kinds?
    #[inline]
    pub(crate) const fn has_tiles(&self, mask: u8) -> bool {
        self.tile_mask & mask != 0
    }

    /// Are all pieces on the board orthodox, on eight by eight squares?
    #[inline]
    pub(crate) const fn is_orthodox(&self) -> bool {
        self.width == 8 && self.height == 8 && self.fairies == 0
    }

    /// The square a step away, if the board has one there.
    #[inline]
    pub fn step(&self, at: At, dx: i32, dy: i32) -> Option<At> {
        let to = at.plus(dx, dy).filter(|to| self.contains(*to))?;
        (self.tile(to) != Tile::Void).then_some(to)
    }

    /// A hash of everything that matters to the rest of the game except counters.
    pub fn key(&self) -> u64 {
        let mut key = self.hash ^ self.pocket_hash ^ mix(0x51de ^ self.player as u64);
        for rook in &self.castling {
            key ^= mix(0xca57_0000 | code(*rook));
        }
        if let Some(passed) = self.en_passant {
            key ^= mix(0xe900_0000 | code(passed.at));
        }
        if self.checks_left != [0; 2] {
            key ^= mix(0xc4ec_0000 | u64::from(self.checks_left[0]) << 8 | u64::from(self.checks_left[1]));
        }
        key
    }

    /// [`key`](Self::key), as if no pawn had just passed another.
    pub(crate) fn key_without_passing(&self) -> u64 {
        let passed = self.en_passant.map_or(0, |passed| mix(0xe900_0000 | code(passed.at)));
        self.key() ^ passed
    }

    fn rebuild(&mut self, tiles: &[(At, Tile)]) {
        for (at, tile) in tiles {
            self.set_tile(*at, *tile);
        }
        for index in 0..self.pieces.len() {
            let (id, piece) = (PieceId(index as u16 + 1), self.pieces[index]);
            self.verbs |= piece.layers.mask();
            if piece.on_board() {
                self.pieces[index].at = At::NOWHERE;
                self.put(id, piece.at);
            } else if piece.in_pocket {
                self.pocket_hash = self.pocket_hash.wrapping_add(pocket_key(&piece));
            }
        }
        for tomb in &self.tombs {
            self.hash ^= self.piece(tomb.piece).map_or(0, |piece| tomb_key(piece, tomb.at));
        }
    }

    /// Changes a piece that stays where it is, hash and masks included.
    pub(crate) fn edit(&mut self, id: PieceId, change: impl FnOnce(&mut Piece)) {
        let at = self.piece(id).map_or(At::NOWHERE, |piece| piece.at);
        if at.is_somewhere() {
            self.lift(id);
        }
        if let Some(piece) = self.pieces.get_mut(usize::from(id.0).wrapping_sub(1)) {
            change(piece);
            self.verbs |= piece.layers.mask();
        }
        if at.is_somewhere() {
            self.put(id, at);
        }
    }

    /// What a piece remembers, for `apply` alone.
    #[inline]
    pub(crate) fn piece_mut(&mut self, id: PieceId) -> Option<&mut Piece> {
        self.pieces.get_mut(usize::from(id.0).wrapping_sub(1))
    }

    /// Takes a piece off the board.
    #[inline]
    pub(crate) fn lift(&mut self, id: PieceId) {
        let Some(piece) = self.pieces.get_mut(usize::from(id.0).wrapping_sub(1)) else { return };
        let at = std::mem::replace(&mut piece.at, At::NOWHERE);
        if !at.is_somewhere() {
            return;
        }
        let piece = *piece;
        let index = self.index(at);
        self.squares[index] = PieceId::NONE;
        self.note(&piece, at, index);
    }

    /// Puts a piece that is off the board on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, id: PieceId, at: At) {
        if !self.contains(at) {
            return;
        }
        let index = self.index(at);
        let Some(piece) = self.pieces.get_mut(usize::from(id.0).wrapping_sub(1)) else { return };
        piece.at = at;
        let piece = *piece;
        self.squares[index] = id;
        self.note(&piece, at, index);
    }

    /// Counts a piece in or out: all of it is symmetric.
    #[inline]
    fn note(&mut self, piece: &Piece, at: At, index: usize) {
        self.hash ^= piece_key(piece, at);
        if !piece.kind.is_orthodox() {
            let here = self.squares[index].is_some();
            self.fairies = if here { self.fairies + 1 } else { self.fairies - 1 };
        } else if self.width == 8 && self.height == 8 {
            let bit = 1u64 << (index & 63);
            self.bits.roles[usize::from(piece.kind.0)] ^= bit;
            self.bits.colors[piece.owner as usize] ^= bit;
        }
    }

    /// Changes the tile there.
    pub(crate) fn set_tile(&mut self, at: At, tile: Tile) {
        if !self.contains(at) {
            return;
        }
        let index = self.index(at);
        let Some(place) = self.ground.get_mut(index) else { return };
        let old = std::mem::replace(place, tile);
        self.hash ^= tile_key(old, at) ^ tile_key(tile, at);
        self.special = self.special - u16::from(old != Tile::Standard) + u16::from(tile != Tile::Standard);
        self.count_tile(old, false);
        self.count_tile(tile, true);
    }

    fn count_tile(&mut self, tile: Tile, more: bool) {
        if tile == Tile::Standard {
            return;
        }
        let count = &mut self.tile_counts[tile as usize];
        *count = if more { *count + 1 } else { *count - 1 };
        self.tile_mask = if *count == 0 { self.tile_mask & !tile.bit() } else { self.tile_mask | tile.bit() };
    }

    /// Digs a tomb, or removes the one there.
    pub(crate) fn set_tomb(&mut self, at: At, piece: PieceId) {
        if let Some(index) = self.tombs.iter().position(|tomb| tomb.at == at) {
            let tomb = self.tombs.remove(index);
            self.hash ^= self.piece(tomb.piece).map_or(0, |piece| tomb_key(piece, at));
        }
        if piece.is_some() {
            self.tombs.push(Tomb { at, piece, dug: self.stamp });
            self.tombs.sort_by_key(|tomb| tomb.at);
            self.hash ^= self.piece(piece).map_or(0, |piece| tomb_key(piece, at));
        }
    }

    /// Puts a piece into its owner's pocket or takes it out.
    pub(crate) fn set_pocket(&mut self, id: PieceId, inside: bool) {
        let Some(piece) = self.piece_mut(id) else { return };
        if piece.in_pocket != inside {
            piece.in_pocket = inside;
            let key = pocket_key(piece);
            self.pocket_hash =
                if inside { self.pocket_hash.wrapping_add(key) } else { self.pocket_hash.wrapping_sub(key) };
        }
    }
}

/// Are kind and abilities in the catalog?
pub(crate) fn known(
    catalog: &Catalog,
    kind: Kind,
    layers: &Stack,
    place: impl std::fmt::Display,
) -> Result<(), BadInput> {
    if usize::from(kind.0) >= catalog.pieces.len() {
        return Err(BadInput::new("board.kind", place, "This kind of piece is not in the catalog."));
    }
    let strange = |layer: &Layer| {
        catalog.abilities.get(usize::from(layer.ability.0)).is_none_or(|def| def.verb != layer.verb)
    };
    if layers.iter().any(strange) {
        return Err(BadInput::new("board.ability", place, "This ability is not in the catalog."));
    }
    Ok(())
}

fn code(at: At) -> u64 {
    u64::from(at.x) << 8 | u64::from(at.y)
}

fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Kind, owner and every layer with its charges.
#[inline]
fn nature(piece: &Piece) -> u64 {
    let mut nature = u64::from(piece.kind.0) << 1 | piece.owner as u64 | u64::from(piece.promoted) << 9;
    for layer in piece.layers.iter() {
        nature = mix(nature << 16 ^ u64::from(layer.ability.0) << 8 ^ u64::from(layer.charges));
    }
    nature
}

#[inline]
fn piece_key(piece: &Piece, at: At) -> u64 {
    mix(nature(piece) ^ code(at) << 32)
}

fn tomb_key(piece: &Piece, at: At) -> u64 {
    mix(nature(piece) ^ code(at) << 32 ^ 0x70_0000_0000_0000)
}

fn pocket_key(piece: &Piece) -> u64 {
    mix(nature(piece) ^ 0x90c4_0000_0000_0000)
}

fn tile_key(tile: Tile, at: At) -> u64 {
    if tile == Tile::Standard { 0 } else { mix((tile as u64 + 1) << 48 | code(at)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saving_and_loading_rebuilds_everything() {
        for board in &Catalog::builtin().boards {
            let state = State::try_from(board.saved.clone()).expect("a built-in board");
            let text = serde_json::to_string(&state).expect("states are plain data");
            assert_eq!(serde_json::from_str::<State>(&text).expect("our own text"), state, "{}", board.id);
        }
    }

    #[test]
    fn impossible_boards_are_refused() {
        let mut saved = Saved::empty(8, 8);
        saved.pieces = vec![Piece::new(Kind::KING, Color::White, At::new(0, 0)); 2];
        assert_eq!(State::try_from(saved).unwrap_err().code, "board.occupied");
        assert_eq!(State::try_from(Saved::empty(25, 8)).unwrap_err().code, "board.size");
        let mut saved = Saved::empty(8, 8);
        saved.tiles = vec![(At::new(1, 1), Tile::Tomb)];
        assert_eq!(State::try_from(saved).unwrap_err().code, "board.tomb");
        let mut saved = Saved::empty(8, 8);
        saved.pieces = vec![Piece::new(Kind::KING, Color::White, At::new(0, 9))];
        assert_eq!(State::try_from(saved).unwrap_err().code, "board.square");
    }
}
