//! Actions as JSON: accepted or refused, and a match that has seen them saves and loads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use turnstone_fuzz::{GAMES, game};
use turnstone_table::Opening;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let host = game(*choice);
    let Ok(mut table) = host.open(&Opening { seed: 1, ..Opening::default() }) else { return };
    for line in text.lines().take(16) {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        let before = table.digest();
        if table.act(&value).is_err() {
            assert_eq!(table.digest(), before, "a refused action changes nothing");
        }
    }
    let again = GAMES.load(&table.save().unwrap(), &[]).expect("what was saved can be loaded");
    assert_eq!(again.digest(), table.digest());
});
