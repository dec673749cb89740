//! Plays random playouts of one fight and tells how many actions they took: work of a known amount, for profilers
//! that count instructions, those of `bench::playout`:
//! `valgrind --tool=callgrind --toggle-collect='*bench::playout*' playouts jaw_worm small log 400`.
//! `cargo run --release -p turnstone-spire --example playouts -- ENCOUNTER small|large off|log COUNT`.

use turnstone::{Log, Off};
use turnstone_spire::bench::{Battle, play_out};
use turnstone_spire::game::Spire;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [encounter, size, log, count] = words.as_slice() else {
        eprintln!("playouts ENCOUNTER small|large off|log COUNT");
        std::process::exit(2);
    };
    let battle = Battle { encounter: encounter.clone().leak(), large: size == "large" };
    let count = count.parse().expect("a number of playouts");
    println!("{}", played(battle, log, count));
}

/// Plays them; tells the actions made.
fn played(battle: Battle, log: &str, count: u64) -> u64 {
    match log {
        "log" => play_out::<Log<Spire>>(battle, count, Log::clear),
        _ => play_out::<Off>(battle, count, |_| {}),
    }
}
