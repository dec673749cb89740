//! Who plays the runs of these tests.

use turnstone_host::Player;
use turnstone_spire::Spire;

pub const CHARACTERS: [&str; 4] = ["ironclad", "silent", "defect", "watcher"];

pub fn random(seed: u64) -> Player<Spire> {
    Player::named("random", 0, seed).expect("a bot")
}

pub fn heuristic() -> Player<Spire> {
    Player::named("heuristic", 0, 0).expect("a bot")
}
