//! Counting the move tree, and speaking with chess programs.

use std::io::{self, BufRead, Write};

use turnstone::Rejection;
use turnstone_chess::BadInput;
use turnstone_chess::plain::{Position, Variant, divide, perft};

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
        let refused = |bad: BadInput| Rejection::new(bad.code.clone(), bad.to_string());
        Position::from_fen(fen, variant).map(Tree).map_err(refused)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_and_mistakes_are_named() {
        let tree = Tree::read(None, "chess").unwrap();
        assert_eq!(tree.count(3, false).nodes, 8_902);
        let each = tree.count(3, true);
        assert_eq!((each.nodes, each.moves.len()), (8_902, 20));
        assert_eq!(Tree::read(Some("8/8"), "chess").err().unwrap().code(), "fen.ranks");
        assert_eq!(Tree::read(None, "checkers").err().unwrap().code(), "UNKNOWN_VARIANT");
    }
}
