//! Two ways to the same result: footprints and whole scans, the kernel and
//! bitboards, the general rules and the plain game.

use crate::positions;

use positions::{Entry, entries};
use rayon::prelude::*;
use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, Match, Off, Position, Resolver};
use turnstone_chess::catalog::{Catalog, Ruleset};
use turnstone_chess::plain::Variant;
use turnstone_chess::{Chess, Setup};

fn rules_of(entry: &Entry) -> Ruleset {
    let variant = Variant::from_name(&entry.variant).expect("a known variant");
    let catalog = Catalog::builtin();
    catalog.rulesets.iter().find(|rules| rules.variant == Some(variant)).expect("a ruleset").clone()
}

/// Leaves of the move tree, every move played through the kernel.
fn kernel_perft(chess: &Chess, position: &Position<Chess>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let inputs: Vec<_> = position
        .inputs(chess)
        .into_iter()
        .filter(|input| !matches!(input, Input::Act(turnstone_chess::Action::ClaimDraw)))
        .collect();
    let mut resolver = Resolver::default();
    let below = |input| {
        let mut next = position.clone();
        resolver.act(chess, &mut next, input, &mut Off).expect("a legal input");
        // A question about promotion is half a move.
        let depth = if next.pending().is_some() { depth } else { depth - 1 };
        kernel_perft(chess, &next, depth)
    };
    inputs.iter().map(below).sum()
}

fn check_perft(entry: &Entry, rules: Ruleset, limit: u64) -> Option<String> {
    let chess = Chess::with_rules(Catalog::builtin(), rules).expect("good rules");
    let state =
        chess.start(&Setup::Fen(entry.fen.clone()), 0).unwrap_or_else(|e| panic!("{}: {e}", entry.id));
    let (depth, wanted) = entry.nodes.iter().rfind(|(_, nodes)| **nodes <= limit)?;
    let counted = kernel_perft(&chess, &Position::new(state), *depth);
    (counted != *wanted).then(|| format!("{} depth {depth}: wanted {wanted}, got {counted}", entry.id))
}

/// Atomic included: there the listener queue of the exploding ability plays against bitboards.
#[test]
fn the_kernel_counts_what_bitboards_count() {
    // Draws by material or repetition end games of ours that perft goes on counting.
    let wrong: Vec<String> = entries()
        .par_iter()
        .filter_map(|entry| check_perft(entry, Ruleset { draws: false, ..rules_of(entry) }, 10_000))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without its variant a ruleset is judged by the general rules for any board.
#[test]
fn the_general_rules_count_what_bitboards_count() {
    let wrong: Vec<String> = entries()
        .par_iter()
        .filter_map(|entry| {
            check_perft(entry, Ruleset { draws: false, variant: None, ..rules_of(entry) }, 4_000)
        })
        .collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn footprints_hear_what_whole_scans_hear() {
    let catalog = Catalog::builtin();
    catalog.boards.par_iter().filter(|board| board.saved.width <= 12).for_each(|board| {
        for seed in 0..6 {
            let quick = Arc::new(Chess::new(Arc::clone(&catalog), "last-piece-standing").expect("rules"));
            let slow =
                Arc::new(Chess::new(Arc::clone(&catalog), "last-piece-standing").expect("rules").scanning());
            let setup = Setup::Board(board.id.clone());
            let mut one: Match<Chess> = Match::new(quick, setup.clone(), 0).expect("a board");
            let mut other: Match<Chess> = Match::new(slow, setup, 0).expect("a board");
            let mut lots = Lots::new(seed, Stream::named("agreement"));
            for _ in 0..80 {
                let inputs = one.inputs();
                let Some(input) = lots.pick(&inputs).cloned() else { break };
                one.act(input.clone()).expect("a legal input");
                other.act(input).expect("the same legal input");
            }
            assert!(one.log().eq(other.log()), "{} with seed {seed}", board.id);
            assert_eq!(one.state(), other.state(), "{} with seed {seed}", board.id);
        }
    });
}
