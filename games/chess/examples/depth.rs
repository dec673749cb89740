//! How deep the search of boards with abilities reaches in so much processor time, on boards of the catalog:
//! `cargo run --release -p turnstone-chess --example depth -- MILLISECONDS [RULESET]`.

use cpu_time::ProcessTime;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use turnstone::Game as _;
use turnstone_chess::bots::{Budget, Found, Task, search};
use turnstone_chess::{Chess, Setup, State};

fn main() {
    let mut words = std::env::args().skip(1);
    let Some(time) = words.next().and_then(|word| word.parse().ok()).map(Duration::from_millis) else {
        eprintln!("depth MILLISECONDS [RULESET]");
        std::process::exit(2);
    };
    let ruleset = words.next().unwrap_or_else(|| "last-piece-standing".to_owned());
    let chess = Chess::builtin(&ruleset).expect("a ruleset");
    for board in &chess.catalog().boards {
        let Ok(state) = chess.start(&Setup::Board(board.id.clone()), 1) else { continue };
        if let Some(found) = search_for(time, &chess, &state) {
            let speed = u128::from(found.nodes) * 1000 / time.as_micros().max(1);
            println!("{:18} depth {:2}, {speed:4} positions a millisecond", board.id, found.depth);
        }
    }
}

/// Searches until the time is over, by a clock that stands while others have the processor.
fn search_for(time: Duration, chess: &Chess, state: &State) -> Option<Found> {
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let start = ProcessTime::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while start.elapsed() < time && !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let budget = Budget { nodes: u64::MAX, depth: 60 };
        let found = search(chess, state, &Task { budget, only: &[], stop: &stop }, |_| {});
        done.store(true, Ordering::Relaxed);
        found
    })
}
