//! Match files: whatever the bytes are, reading them ends with a match or a refusal.
//!
//! A chain seldom survives a mutation, so the lines are sealed anew before they are read: then the
//! reader behind the chain is tried too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::GAMES;
use turnstone_table::Digest;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = GAMES.load(&text, &[]);
    let _ = GAMES.load(&seal(&text), &[]);
});

fn seal(text: &str) -> String {
    let mut chain = Digest([0; 16]);
    let mut sealed = String::new();
    for line in text.lines() {
        let body = line.rsplit_once(",\"chain\":").map_or(line, |(body, _)| body);
        let body = body.strip_suffix('}').unwrap_or(body);
        chain = chain.chain(body.as_bytes());
        sealed.push_str(&format!("{body},\"chain\":\"{chain}\"}}\n"));
    }
    sealed
}
