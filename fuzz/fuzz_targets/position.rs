//! Positions from outside that are almost right: refused, or everybody can look at them and play goes on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::{look, room};

fuzz_target!(|bytes: &[u8]| {
    let [choice, stage, bends, eyes, a, b, c, rest @ ..] = bytes else { return };
    let seed = u64::from_le_bytes([*a, *b, *c, 0, 0, 0, 0, 0]);
    let Some(mut table) = room(*choice).bent(*stage, bends % 4 + 1, seed) else { return };
    // As it came, or after some play.
    for number in rest.iter().take(4) {
        let _ = table.choose(usize::from(*number));
    }
    look(&*table, *eyes);
});
