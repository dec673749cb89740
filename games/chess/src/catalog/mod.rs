//! The catalog: pieces, abilities, tiles, rulesets, boards and the run, from content files.

mod betza;
mod board;
mod load;
mod ruleset;
mod run;

pub use betza::{Hurdle, Step, parse_betza};
pub use board::BoardDef;
pub(crate) use board::read_piece;
pub use load::{ContentFile, builtin_files, content_schema};
pub use ruleset::{Goal, Ruleset, Safety};
pub(crate) use run::ROWS_MAX;
pub use run::{
    Alter, Deed, FightDef, Ground, Lay, MapEventDef, MapEventId, RelicDef, RelicId, RowDef, RunContent,
    RunDef, Switch,
};

use crate::ability::{AbilityId, Layer, Verb};
use crate::error::BadInput;
use crate::piece::{Kind, Piece};
use crate::tile::Tile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};
use turnstone_host::Numbering;

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceDef {
    /// The name as typed: `archbishop`.
    pub id: String,
    /// The name as shown.
    pub name: String,
    /// One letter for diagrams and FEN, upper case.
    pub letter: char,
    /// White's and Black's symbol.
    pub symbols: [char; 2],
    /// What it is worth in pawns.
    pub value: i32,
    /// Is it lost with the game?
    pub royal: bool,
    /// Does it promote on the last rank, leap from its start rank and count as sliding?
    pub pawn: bool,
    /// How it moves, seen from White.
    pub steps: Vec<Step>,
    /// The same as written.
    pub moves: String,
    /// What a Predator of this kind becomes.
    pub evolves: Kind,
    /// One sentence about it.
    pub about: String,
}

/// An ability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbilityDef {
    /// The name as typed: `wall-placement`.
    pub id: String,
    /// The name as shown.
    pub name: String,
    /// What it does.
    pub verb: Verb,
    /// When it is heard: lower is earlier.
    pub priority: i32,
    /// What it adds to a piece's value, and its price.
    pub value: i32,
    /// Charges of a new layer.
    pub charges: u8,
    /// Exploding: do the victims of its blast explode in turn?
    pub chain: bool,
    /// Exploding: are pawns spared?
    pub spares_pawns: bool,
    /// Exploding: does the blast reach the taker?
    pub kills_taker: bool,
    /// Two letters for the board.
    pub mark: String,
    /// Is it offered in the run's shops?
    pub pool: bool,
    /// The rule in one sentence.
    pub about: String,
}

/// A kind of tile, as described to players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TileDef {
    /// Which tile.
    #[serde(skip)]
    pub tile: Tile,
    /// The name as shown.
    pub name: String,
    /// One letter for diagrams.
    pub letter: char,
    /// The rule in one sentence.
    pub about: String,
}

/// All content, compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// Kinds of pieces; the six orthodox ones first, then by name.
    pub pieces: Vec<PieceDef>,
    /// Abilities by name.
    pub abilities: Vec<AbilityDef>,
    /// Tiles, in the order of [`Tile::ALL`].
    pub tiles: Vec<TileDef>,
    /// Rulesets by name.
    pub rulesets: Vec<Ruleset>,
    /// Boards by name.
    pub boards: Vec<BoardDef>,
    /// What a run is made of.
    pub run: RunContent,
    /// What the content was read from, for its digest.
    pub sources: Vec<ContentFile>,
}

static BUILTIN: LazyLock<Result<Arc<Catalog>, Vec<BadInput>>> =
    LazyLock::new(|| Catalog::read(builtin_files()).map(Arc::new));

impl Catalog {
    /// The content that ships with the game.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read all of it.
    pub fn builtin() -> Arc<Catalog> {
        match &*BUILTIN {
            Ok(catalog) => Arc::clone(catalog),
            Err(mistakes) => panic!("the built-in content is broken: {mistakes:?}"),
        }
    }

    /// Compiles content files; later ones replace entries of the same name.
    ///
    /// # Errors
    /// All mistakes, with file, line and column, and the nearest valid name.
    pub fn read(files: Vec<ContentFile>) -> Result<Catalog, Vec<BadInput>> {
        load::compile(files, &Numbering::new())
    }

    /// The built-in content with the `.toml` files among these laid over it.
    ///
    /// # Errors
    /// All mistakes in them.
    pub fn with_overlay(over: &[ContentFile]) -> Result<Catalog, Vec<BadInput>> {
        Catalog::numbered(over, &Numbering::new())
    }

    /// The same, with entries numbered as in a match file.
    ///
    /// # Errors
    /// All mistakes in the files.
    pub fn numbered(over: &[ContentFile], numbering: &Numbering) -> Result<Catalog, Vec<BadInput>> {
        let mut files = builtin_files();
        files.extend(over.iter().filter(|file| file.name.ends_with(".toml")).cloned());
        load::compile(files, numbering)
    }

    /// The definition of a kind.
    #[inline]
    pub fn piece(&self, kind: Kind) -> &PieceDef {
        // Kinds in a valid state are in range; a stray one reads as a pawn rather than panicking.
        self.pieces.get(usize::from(kind.0)).unwrap_or(&self.pieces[0])
    }

    /// The definition of an ability.
    #[inline]
    pub fn ability(&self, ability: AbilityId) -> &AbilityDef {
        self.abilities.get(usize::from(ability.0)).unwrap_or(&self.abilities[0])
    }

    /// The description of a tile.
    pub fn tile(&self, tile: Tile) -> &TileDef {
        &self.tiles[tile as usize]
    }

    /// The kind with this name.
    ///
    /// # Errors
    /// `piece.unknown`, with the nearest name.
    pub fn kind_named(&self, name: &str) -> Result<Kind, BadInput> {
        let found = self.pieces.iter().position(|def| def.id == name);
        found
            .map(|index| Kind(index as u8))
            .ok_or_else(|| unknown("piece", name, self.pieces.iter().map(|def| def.id.as_str())))
    }

    /// The kind with this letter, in either case.
    pub fn kind_lettered(&self, letter: char) -> Option<Kind> {
        let letter = letter.to_ascii_uppercase();
        self.pieces.iter().position(|def| def.letter == letter).map(|index| Kind(index as u8))
    }

    /// The ability with this name.
    ///
    /// # Errors
    /// `ability.unknown`, with the nearest name.
    pub fn ability_named(&self, name: &str) -> Result<AbilityId, BadInput> {
        let found = self.abilities.iter().position(|def| def.id == name);
        found
            .map(|index| AbilityId(index as u8))
            .ok_or_else(|| unknown("ability", name, self.abilities.iter().map(|def| def.id.as_str())))
    }

    /// The tile with this name.
    ///
    /// # Errors
    /// `tile.unknown`, with the nearest name.
    pub fn tile_named(&self, name: &str) -> Result<Tile, BadInput> {
        Tile::ALL
            .into_iter()
            .find(|tile| tile_id(*tile) == name)
            .ok_or_else(|| unknown("tile", name, Tile::ALL.into_iter().map(tile_id)))
    }

    /// The ruleset with this name.
    ///
    /// # Errors
    /// `ruleset.unknown`, with the nearest name.
    pub fn ruleset_named(&self, name: &str) -> Result<&Ruleset, BadInput> {
        self.rulesets
            .iter()
            .find(|rules| rules.id == name)
            .ok_or_else(|| unknown("ruleset", name, self.rulesets.iter().map(|rules| rules.id.as_str())))
    }

    /// The board with this name.
    ///
    /// # Errors
    /// `board.unknown`, with the nearest name.
    pub fn board_named(&self, name: &str) -> Result<&BoardDef, BadInput> {
        self.boards
            .iter()
            .find(|board| board.id == name)
            .ok_or_else(|| unknown("board", name, self.boards.iter().map(|board| board.id.as_str())))
    }

    /// A fresh layer of an ability.
    pub fn layer(&self, ability: AbilityId) -> Layer {
        let def = self.ability(ability);
        Layer { ability, verb: def.verb, charges: def.charges }
    }

    /// What a piece is worth with all its layers and what a Cannibal has eaten.
    pub fn value(&self, piece: &Piece) -> i32 {
        let layers = piece.layers.iter().map(|layer| {
            let meals = if layer.verb == Verb::Cannibal { i32::from(layer.charges) } else { 0 };
            self.ability(layer.ability).value + meals
        });
        self.piece(piece.kind).value + layers.sum::<i32>()
    }
}

/// The name of a tile as typed.
pub const fn tile_id(tile: Tile) -> &'static str {
    match tile {
        Tile::Standard => "standard",
        Tile::Guardian => "guardian",
        Tile::Fog => "fog",
        Tile::Slippery => "slippery",
        Tile::Wall => "wall",
        Tile::Tomb => "tomb",
        Tile::Void => "void",
    }
}

/// A refusal that offers the nearest valid name.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> BadInput {
    let known: Vec<&str> = known.collect();
    let hint = turnstone_content::hint(name, known.iter().copied());
    BadInput::new(&format!("{what}.unknown"), name, format!("There is no {what} `{name}`{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_content_is_complete() {
        let catalog = Catalog::builtin();
        let first: Vec<&str> = catalog.pieces[..6].iter().map(|def| def.id.as_str()).collect();
        assert_eq!(first, ["pawn", "knight", "bishop", "rook", "queen", "king"]);
        assert!(catalog.pieces.len() >= 16, "the orthodox army and ten fairy pieces");
        assert!(catalog.boards.len() >= 12);
        for verb in Verb::ALL {
            assert!(catalog.abilities.iter().any(|def| def.verb == *verb), "{verb:?} has no entry");
        }
    }

    #[test]
    fn unknown_names_meet_a_suggestion() {
        let error = Catalog::builtin().kind_named("archbishpo").unwrap_err();
        assert_eq!(error.code, "piece.unknown");
        assert!(error.reason.contains("archbishop"), "{error}");
    }
}
