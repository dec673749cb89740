//! Lines of the protocol: every line is answered, and a wrong one changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::game;
use turnstone_table::Opening;
use turnstone_table::protocol::{Door, Terms};

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let host = game(*choice);
    let Ok(table) = host.open(&Opening { seed: 1, ..Opening::default() }) else { return };
    let Ok(mut door) = Door::new(table, None, Terms { practice: true, ..Terms::default() }) else { return };
    door.greet();
    for line in String::from_utf8_lossy(rest).lines().take(16) {
        let before = door.table().digest();
        let lines = door.hear(line);
        assert_eq!(lines.is_empty(), line.trim().is_empty());
        if lines.iter().any(|line| line["type"] == "error") {
            assert_eq!(door.table().digest(), before);
        }
    }
});
