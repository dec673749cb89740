//! The shared perft positions.

#![allow(dead_code, reason = "each test takes what it needs")]

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct File {
    positions: Vec<Entry>,
}

/// A position and the leaves of its move tree, by depth.
#[derive(Deserialize)]
pub struct Entry {
    pub id: String,
    pub variant: String,
    pub fen: String,
    pub nodes: BTreeMap<u32, u64>,
}

/// All of them.
pub fn entries() -> Vec<Entry> {
    let packed = &include_bytes!("../../golden/perft.json.gz")[..];
    let file: File = serde_json::from_reader(GzDecoder::new(packed)).expect("the perft file");
    file.positions
}
