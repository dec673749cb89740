//! Match files: whatever the bytes are, reading them ends with a match or a refusal.
//!
//! A chain seldom survives a mutation, so real files are changed in a few places and sealed anew: then the reader behind
//! the chain is tried too. Bytes are also read as they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::{forged, look, room};
use turnstone_testkit::forge::{reseal, unsealed};

fuzz_target!(|bytes: &[u8]| {
    let [choice, stage, eyes, rest @ ..] = bytes else { return };
    let room = room(*choice);
    let read = if *stage % 8 == 7 {
        let _ = room.read(rest);
        room.read(reseal(&unsealed(&String::from_utf8_lossy(rest))).as_bytes())
    } else {
        room.read(forged(room.lines(*stage), rest).as_bytes())
    };
    if let Some(table) = read {
        look(&*table, *eyes);
    }
});
