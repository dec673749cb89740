//! Actions as JSON: accepted or refused, everybody can look at what came of them, and a match that has seen them saves
//! and loads (tried one time in sixteen: reading takes longer than all else).
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use turnstone_fuzz::{look, room};

fuzz_target!(|bytes: &[u8]| {
    let [choice, stage, eyes, way, rest @ ..] = bytes else { return };
    let (room, text) = (room(*choice), String::from_utf8_lossy(rest));
    let mut table = room.table(*stage);
    let mut accepted = false;
    for (n, line) in text.lines().take(16).enumerate() {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        let before = table.digest();
        // Numbers choose, whatever else is sent: first as somebody's, then as anybody's.
        let sent = match (&value, n % 2) {
            (Value::Number(number), _) => table.choose(number.as_u64().unwrap_or(0) as usize),
            (value, 0) => table.act_from(n as u8 / 2 % 2, value),
            (value, _) => table.act(value),
        };
        match sent {
            Ok(_) => accepted = true,
            Err(_) => assert_eq!(table.digest(), before, "a refused action changes nothing"),
        }
    }
    if accepted && *way % 16 != 0 {
        look(&*table, *eyes);
    } else if accepted {
        let again = room.read(table.save().unwrap().as_bytes()).expect("what was saved can be loaded");
        assert_eq!(again.digest(), table.digest());
    }
});
