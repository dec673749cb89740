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
    let file = match *stage % 16 {
        15 => rest.to_vec(),
        7 => reseal(&unsealed(&String::from_utf8_lossy(rest))).into_bytes(),
        _ => forged(room.lines(*stage), rest).into_bytes(),
    };
    // Folded, or played again.
    if *eyes % 2 == 0 {
        room.watch(&file);
    } else if let Some(table) = room.read(&file) {
        look(&*table, *eyes / 2);
    }
});
