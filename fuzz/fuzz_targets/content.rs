//! Content files of every game, laid over what is built in: read, or every mistake is told.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::game;
use turnstone_table::Source;

const NAMES: [&str; 12] = [
    "cards/a.toml",
    "relics/a.toml",
    "monsters/a.toml",
    "powers.toml",
    "boards.toml",
    "abilities.toml",
    "pieces.toml",
    "tiles.toml",
    "levels/a.txt",
    "levels/a.toml",
    "conditions.toml",
    "scenarios/a.json",
];

fuzz_target!(|bytes: &[u8]| {
    let [choice, name, sieve, rest @ ..] = bytes else { return };
    let host = game(*choice).host();
    // Spire reads all its content with it: one in thirty-two of its texts will do.
    if host.name() == "spire" && sieve % 32 != 0 {
        return;
    }
    let source = Source::new(NAMES[usize::from(*name) % NAMES.len()], String::from_utf8_lossy(rest));
    let _ = host.check_content(&[source]);
});
