//! Hand-made boards.

use super::load::sound;
use super::{Catalog, unknown};
use crate::at::{At, MAX_SIDE};
use crate::color::Color;
use crate::error::BadInput;
use crate::piece::{Piece, PieceId};
use crate::state::Saved;
use crate::tile::{Tile, Tomb};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A board, ready to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDef {
    /// The name as typed.
    pub id: String,
    /// The name as shown.
    pub title: String,
    /// One sentence about it.
    pub about: String,
    /// Under which rules it is meant to be played.
    pub ruleset: String,
    /// The position.
    pub saved: Saved,
}

/// A board as written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawBoard {
    /// The name as shown.
    title: String,
    /// One sentence about it.
    #[serde(default)]
    about: String,
    /// The ruleset's name; by default king capture.
    #[serde(default = "usual_rules")]
    ruleset: String,
    /// Columns.
    width: u8,
    /// Rows.
    height: u8,
    /// Is Black to move first?
    #[serde(default)]
    black_first: bool,
    /// White's pieces: kind, square, abilities from the outermost: `"knight b1 exploding marksman:2"`.
    white: Vec<String>,
    /// Black's pieces.
    black: Vec<String>,
    /// Tiles: kind and squares, `"wall c3 d3"`; a tomb names its piece: `"tomb e4 white knight revenant"`.
    #[serde(default)]
    tiles: Vec<String>,
}

fn usual_rules() -> String {
    "last-piece-standing".to_owned()
}

impl BoardDef {
    pub(super) fn compile(
        catalog: &Catalog,
        id: String,
        raw: RawBoard,
        wrong: &mut Vec<BadInput>,
    ) -> BoardDef {
        let before = wrong.len();
        let saved = read_board(catalog, &raw, wrong);
        if wrong.len() == before {
            sound(saved.check(catalog), wrong);
        }
        let rules = sound(catalog.ruleset_named(&raw.ruleset), wrong);
        let RawBoard { title, about, .. } = raw;
        BoardDef { ruleset: rules.map(|rules| rules.id.clone()).unwrap_or_default(), title, about, saved, id }
    }
}

fn read_board(catalog: &Catalog, raw: &RawBoard, wrong: &mut Vec<BadInput>) -> Saved {
    let mut saved = Saved::empty(raw.width, raw.height);
    saved.player = if raw.black_first { Color::Black } else { Color::White };
    for (color, lines) in [(Color::White, &raw.white), (Color::Black, &raw.black)] {
        for line in lines {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default();
            let at = sound(read_square(raw, words.next().unwrap_or_default()), wrong).unwrap_or(At::NOWHERE);
            saved.pieces.extend(sound(read_piece(catalog, name, color, at, words), wrong));
        }
    }
    saved.pieces.sort_by_key(|piece| piece.at);
    for line in &raw.tiles {
        sound(read_tiles(catalog, raw, line, &mut saved), wrong);
    }
    saved
}

fn read_square(raw: &RawBoard, text: &str) -> Result<At, BadInput> {
    let at = At::parse(text).filter(|at| at.x < raw.width.min(MAX_SIDE) && at.y < raw.height.min(MAX_SIDE));
    at.ok_or_else(|| {
        let reason = format!("\"{text}\" is no square of a board {} by {}.", raw.width, raw.height);
        BadInput::new("board.square", text, reason)
    })
}

/// Kind, owner and abilities; `marksman:2` gives the charges.
pub(crate) fn read_piece<'a>(
    catalog: &Catalog,
    name: &str,
    owner: Color,
    at: At,
    abilities: impl Iterator<Item = &'a str>,
) -> Result<Piece, BadInput> {
    let mut piece = Piece::new(catalog.kind_named(name)?, owner, at);
    for word in abilities {
        let (name, charges) =
            word.split_once(':').map_or((word, None), |(name, charges)| (name, Some(charges)));
        let mut layer = catalog.layer(catalog.ability_named(name)?);
        if let Some(charges) = charges {
            layer.charges = charges.parse().map_err(|_| {
                BadInput::new(
                    "board.charges",
                    word,
                    format!("\"{charges}\" is no number of charges; write 0 to 255."),
                )
            })?;
        }
        if !piece.layers.push_innermost(layer) {
            return Err(BadInput::new("board.layers", word, "A piece carries at most six abilities."));
        }
    }
    Ok(piece)
}

fn read_tiles(catalog: &Catalog, raw: &RawBoard, line: &str, saved: &mut Saved) -> Result<(), BadInput> {
    let mut words = line.split_whitespace();
    let tile = catalog.tile_named(words.next().unwrap_or_default())?;
    if tile == Tile::Tomb {
        let at = read_square(raw, words.next().unwrap_or_default())?;
        let owner = match words.next() {
            Some("white") => Color::White,
            Some("black") => Color::Black,
            other => return Err(unknown("side", other.unwrap_or_default(), ["white", "black"].into_iter())),
        };
        let name = words.next().unwrap_or_default();
        let piece = read_piece(catalog, name, owner, At::NOWHERE, words)?;
        saved.pieces.push(piece);
        saved.tiles.push((at, tile));
        saved.tombs.push(Tomb::new(at, PieceId(saved.pieces.len() as u16)));
        return Ok(());
    }
    for word in words {
        saved.tiles.push((read_square(raw, word)?, tile));
    }
    Ok(())
}
