//! Counting the move tree, and thinking about plain positions.

use turnstone::Rejection;
use turnstone_chess::BadInput;
use turnstone_chess::bots::{Budget, Found, Node, search};
use turnstone_chess::plain::{Move, Position, Variant, divide, perft};

/// What a count gave.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Perft {
    /// Leaves of the move tree.
    pub nodes: u64,
    /// Leaves below each move, if asked for.
    pub moves: Vec<(String, u64)>,
}

/// A plain position, with the way that led to it.
#[derive(Clone)]
pub struct Line {
    position: Position,
    /// Keys of earlier positions, for repetitions.
    history: Vec<u64>,
}

/// What came of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The best move.
    pub best: String,
    /// Its worth in hundredths of a pawn, for the side to move.
    pub score: i32,
    /// How deep the search went.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// The expected line.
    pub line: Vec<String>,
}

/// A score beyond this is a won game, less the plies it takes.
pub const WON: i32 = 1_000_000;

/// The names of the variants.
pub fn variants() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

impl Line {
    /// Reads a position; without a FEN, the one the variant starts from.
    ///
    /// # Errors
    /// An unknown variant, or a FEN with a mistake: where, and what would be right.
    pub fn read(fen: Option<&str>, variant: &str) -> Result<Self, Rejection> {
        let Some(variant) = Variant::from_name(variant) else {
            let text = format!("there is no variant \"{variant}\"; there are: {}", variants().join(", "));
            return Err(Rejection::new("UNKNOWN_VARIANT", text));
        };
        let position = match fen {
            None => Position::start(variant),
            Some(fen) => Position::from_fen(fen, variant).map_err(refused)?,
        };
        Ok(Line { position, history: Vec::new() })
    }

    /// Plays a move in UCI notation.
    ///
    /// # Errors
    /// If it is not legal here.
    pub fn play(&mut self, uci: &str) -> Result<(), Rejection> {
        let mv = self.position.parse_uci(uci).map_err(refused)?;
        self.history.push(self.position.key());
        self.position = self.position.after(&mv);
        Ok(())
    }

    /// Searches for the best move until the budget is spent or `report` says no; `None` if there is
    /// no move.
    pub fn think(&self, nodes: u64, depth: u32, mut report: impl FnMut(Thought) -> bool) -> Option<Thought> {
        let mut root = self.position.clone();
        let budget = Budget { nodes, depth };
        let found = search(&mut root, budget, &self.history, |found| report(self.thought(found)))?;
        Some(self.thought(&found))
    }

    fn thought(&self, found: &Found<Move>) -> Thought {
        let mut at = self.position.clone();
        let mut line = Vec::new();
        for mv in &found.line {
            line.push(at.to_uci(mv));
            at = at.after(mv);
        }
        let best = self.position.to_uci(&found.best);
        Thought { best, score: found.score, depth: found.depth, nodes: found.nodes, line }
    }

    /// Counts the leaves at that depth, with or without the share of each move.
    pub fn count(&self, depth: u32, each: bool) -> Perft {
        if !each || depth == 0 {
            return Perft { nodes: perft(&self.position, depth), moves: Vec::new() };
        }
        let moves: Vec<(String, u64)> = divide(&self.position, depth)
            .into_iter()
            .map(|(mv, nodes)| (self.position.to_uci(&mv), nodes))
            .collect();
        Perft { nodes: moves.iter().map(|(_, nodes)| nodes).sum(), moves }
    }
}

fn refused(bad: BadInput) -> Rejection {
    Rejection::new(bad.code.clone(), bad.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_and_mistakes_are_named() {
        let tree = Line::read(None, "chess").unwrap();
        assert_eq!(tree.count(3, false).nodes, 8_902);
        let each = tree.count(3, true);
        assert_eq!((each.nodes, each.moves.len()), (8_902, 20));
        assert_eq!(Line::read(Some("8/8"), "chess").err().unwrap().code(), "fen.ranks");
        assert_eq!(
            Line::read(None, "chess").unwrap().play("e2e5").err().map(|refusal| refusal.reasons.len()),
            Some(1)
        );
        assert_eq!(Line::read(None, "checkers").err().unwrap().code(), "UNKNOWN_VARIANT");
    }

    #[test]
    fn a_mate_in_one_is_found() {
        let mut line = Line::read(None, "chess").unwrap();
        for mv in ["f2f3", "e7e5", "g2g4"] {
            line.play(mv).unwrap();
        }
        let thought = line.think(50_000, 3, |_| true).unwrap();
        assert_eq!(thought.best, "d8h4");
        assert!(thought.score > WON - 1000);
    }
}
