//! Perft in nodes per second, with and without bulk counting, beside shakmaty
//! in the same run. Best of several runs of wall time on one thread.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::time::Instant;
use turnstone_chess::plain::{Position, Variant, perft, perft_no_bulk};

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
];

fn main() {
    println!("{:<10} {:<22} {:>12} {:>12}", "position", "engine", "nodes", "nodes/s");
    for (name, fen, depth) in POSITIONS {
        let ours = Position::from_fen(fen, Variant::Standard).expect("a good FEN");
        let parsed: Fen = fen.parse().expect("a good FEN");
        let theirs: Chess = parsed.into_position(CastlingMode::Standard).expect("a legal position");
        report(name, "turnstone, bulk", || perft(&ours, depth + 1));
        report(name, "shakmaty, bulk", || shakmaty::perft(&theirs, depth + 1));
        report(name, "turnstone, no bulk", || perft_no_bulk(&ours, depth));
        report(name, "shakmaty, no bulk", || shakmaty_no_bulk(&theirs, depth));
    }
}

fn shakmaty_no_bulk(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let play = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        shakmaty_no_bulk(&next, depth - 1)
    };
    position.legal_moves().into_iter().map(play).sum()
}

fn report(position: &str, engine: &str, count: impl Fn() -> u64) {
    let mut best = f64::INFINITY;
    let mut nodes = 0;
    for _ in 0..5 {
        let start = Instant::now();
        nodes = std::hint::black_box(count());
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{position:<10} {engine:<22} {nodes:>12} {:>10.1} M", nodes as f64 / best / 1e6);
}
