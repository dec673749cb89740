//! All shared perft positions, each to the deepest recorded depth of at most
//! `PERFT_MAX_NODES` leaves (default one and a half million).

use crate::positions;

use positions::{Entry, entries};
use rayon::prelude::*;
use turnstone_chess::plain::{Position, Variant, perft, perft_no_bulk};

fn max_nodes() -> u64 {
    std::env::var("PERFT_MAX_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_500_000)
}

#[test]
fn all_positions_agree() {
    let limit = max_nodes();
    let wrong: Vec<String> =
        entries().par_iter().filter_map(|entry| first_difference(entry, limit)).collect();
    assert!(wrong.is_empty(), "{} positions differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn first_difference(entry: &Entry, limit: u64) -> Option<String> {
    let variant = Variant::from_name(&entry.variant).expect("a known variant");
    let position = Position::from_fen(&entry.fen, variant).unwrap_or_else(|e| panic!("{}: {e}", entry.id));
    let within = entry.nodes.iter().filter(|(_, nodes)| **nodes <= limit);
    within.map(|(depth, nodes)| (*depth, *nodes, perft(&position, *depth))).find_map(
        |(depth, wanted, got)| {
            (wanted != got).then(|| format!("{} depth {depth}: wanted {wanted}, got {got}", entry.id))
        },
    )
}

#[test]
fn playing_every_leaf_counts_the_same() {
    for entry in entries() {
        let variant = Variant::from_name(&entry.variant).expect("a known variant");
        let position = Position::from_fen(&entry.fen, variant).expect("a good FEN");
        let (depth, nodes) =
            entry.nodes.iter().rfind(|(_, nodes)| **nodes < 20_000).expect("a shallow depth");
        assert_eq!(perft_no_bulk(&position, *depth), *nodes, "{}", entry.id);
    }
}

#[test]
fn positions_survive_their_notation() {
    for entry in entries() {
        let variant = Variant::from_name(&entry.variant).expect("a known variant");
        let position = Position::from_fen(&entry.fen, variant).expect("a good FEN");
        let again = Position::from_fen(&position.to_fen(), variant).expect("our own FEN");
        assert_eq!(perft(&again, 2), perft(&position, 2), "{}", entry.id);
        for mv in position.legal() {
            assert_eq!(position.parse_uci(&position.to_uci(&mv)), Ok(mv), "{}", entry.id);
            assert_eq!(position.parse_san(&position.to_san(&mv)), Ok(mv), "{}", entry.id);
        }
    }
}
