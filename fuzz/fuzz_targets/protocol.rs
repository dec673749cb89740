//! Lines of the protocol: every line is answered, and a wrong one changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::room;
use turnstone_table::protocol::{Door, Terms};

fuzz_target!(|bytes: &[u8]| {
    let [choice, stage, rest @ ..] = bytes else { return };
    let table = room(*choice).table(*stage);
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
