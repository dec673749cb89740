//! Set-up texts and golden records of every game: scenarios, positions, levels, situations.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::game;
use turnstone_table::Opening;

fuzz_target!(|bytes: &[u8]| {
    let [choice, kind, rest @ ..] = bytes else { return };
    let text = String::from_utf8_lossy(rest).into_owned();
    let host = game(*choice).host();
    // Spire reads all its content to open: one in thirty-two of its texts will do.
    if host.name() == "spire" && kind % 32 != 0 {
        return;
    }
    let opening = Opening { setup: Some(text.clone()), ..Opening::default() };
    if let Ok(mut table) = host.open(&opening) {
        let _ = table.choose(0);
    }
    let name = ["a.scenario.json", "a.replay.json", "mir-0.23.jsonl", "traces.jsonl"][usize::from(*kind) % 4];
    let options = [("max-nodes".to_owned(), "100".to_owned())];
    let _ = host.conform(name, &text, &options);
});
