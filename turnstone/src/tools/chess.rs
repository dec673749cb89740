//! Counting the move tree, speaking with chess programs, and their notations.

use std::io::{self, BufRead, Write};

use turnstone::file::{self, Header};
use turnstone::{Match, Rejection};
use turnstone_chess::notation::{read_pgn_games, write_pgn};
use turnstone_chess::plain::{Position, Variant, divide, perft};
use turnstone_chess::{Chess, match_of, pgn_of};
use turnstone_host::Hosted as _;

use turnstone_table::{LoadError, Source};

use super::read;

/// What a count gave.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Perft {
    /// Leaves of the move tree.
    pub nodes: u64,
    /// Leaves below each move, if asked for.
    pub moves: Vec<(String, u64)>,
}

/// A plain position whose move tree can be counted.
pub struct Tree(Position);

impl Tree {
    /// Reads a position; without a FEN, the one the variant starts from.
    ///
    /// # Errors
    /// An unknown variant, or a FEN with a mistake: where, and what would be right.
    pub fn read(fen: Option<&str>, variant: &str) -> Result<Self, Rejection> {
        let Some(variant) = Variant::from_name(variant) else {
            let known: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            let text = format!("there is no variant \"{variant}\"; there are: {}", known.join(", "));
            return Err(Rejection::new("UNKNOWN_VARIANT", text));
        };
        let Some(fen) = fen else { return Ok(Tree(Position::start(variant))) };
        Ok(Tree(Position::from_fen(fen, variant)?))
    }

    /// Counts the leaves at that depth, with or without the share of each move.
    pub fn count(&self, depth: u32, each: bool) -> Perft {
        if !each || depth == 0 {
            return Perft { nodes: perft(&self.0, depth), moves: Vec::new() };
        }
        let moves: Vec<(String, u64)> =
            divide(&self.0, depth).into_iter().map(|(mv, nodes)| (self.0.to_uci(&mv), nodes)).collect();
        Perft { nodes: moves.iter().map(|(_, nodes)| nodes).sum(), moves }
    }
}

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// Only those of reading and writing.
pub fn uci(input: impl BufRead + Send, output: impl Write) -> io::Result<()> {
    turnstone_chess::uci::run(input, output)
}

/// Where a match stands, as FEN; abilities and tiles are written in our extension of it.
///
/// # Errors
/// If the file is no chess match that follows from its own set-up.
pub fn fen(text: &str, content: &[Source]) -> Result<String, LoadError> {
    let game = read::<Chess>(text, content)?;
    Ok(game.game().to_fen(game.state()))
}

/// A match as PGN, the line that stands as its main line, with tags that are added or replaced.
///
/// # Errors
/// If the file is no chess match, or did not start from a position that PGN can tell.
pub fn pgn(text: &str, content: &[Source], tags: &[(String, String)]) -> Result<String, LoadError> {
    let game = read::<Chess>(text, content)?;
    let mut pgn = pgn_of(&game).ok_or_else(|| {
        Rejection::new("NO_PGN", "PGN tells plain chess and its variants only; this match had other pieces")
    })?;
    // What the file says of the match itself, such as who played and when, under PGN's own names.
    for (name, value) in file::header(text)?.tags {
        let name: String = capital(&name);
        if pgn.tag(&name).is_none() {
            pgn.tags.push((name, value));
        }
    }
    for (name, value) in tags {
        pgn.tags.retain(|(other, _)| other != name);
        pgn.tags.push((name.clone(), value.clone()));
    }
    Ok(write_pgn(&pgn))
}

/// The games of a PGN file as match files, each by itself: what is wrong with one names its number and
/// move and does not touch the others.
pub fn import(text: &str) -> Vec<Result<String, Rejection>> {
    read_pgn_games(text).into_iter().map(|game| write(&match_of(&game?)?)).collect()
}

fn write(game: &Match<Chess>) -> Result<String, Rejection> {
    let chess = game.game();
    let header =
        Header::new(Chess::NAME, chess.ruleset(), chess.content(), game.setup().clone(), game.seed());
    file::write(&header, game).map_err(|error| Rejection::new("UNWRITABLE", error.text))
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
