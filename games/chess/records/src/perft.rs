//! Perft tables: positions, and how many lines of play they have at each depth.

use std::collections::BTreeMap;

use serde::Deserialize;
use turnstone_chess::plain::{Position, Variant, perft};
use turnstone_host::Conformity;

use crate::Divergence;

#[derive(Deserialize)]
pub(crate) struct PerftFile {
    positions: Vec<PerftEntry>,
}

impl PerftFile {
    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

#[derive(Deserialize)]
struct PerftEntry {
    id: String,
    variant: String,
    fen: String,
    nodes: BTreeMap<u32, u64>,
}

/// Counts every position to every depth that has at most so many leaves.
pub(crate) fn check(table: &PerftFile, max_nodes: u64) -> Conformity {
    let mut result = Conformity::new("perft");
    for entry in &table.positions {
        result.count(entry.id.clone(), check_entry(entry, max_nodes));
        let left_out = entry.nodes.values().filter(|nodes| **nodes > max_nodes).count();
        if left_out == entry.nodes.len() {
            result.skipped.push(format!("{}: every depth has more than {max_nodes} leaves", entry.id));
        }
    }
    result
}

fn check_entry(entry: &PerftEntry, max_nodes: u64) -> Result<(), Divergence> {
    let fail = |text: String| ("position".to_owned(), text);
    let variant = Variant::from_name(&entry.variant)
        .ok_or_else(|| fail(format!("unknown variant {}", entry.variant)))?;
    let position = Position::from_fen(&entry.fen, variant).map_err(|error| fail(error.to_string()))?;
    for (depth, wanted) in entry.nodes.iter().filter(|(_, nodes)| **nodes <= max_nodes) {
        let counted = perft(&position, *depth);
        if counted != *wanted {
            return Err((format!("depth {depth}"), format!("recorded {wanted}, counted {counted}")));
        }
    }
    Ok(())
}
