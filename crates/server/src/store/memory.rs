//! Matches in memory, for trials: they end with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Append, Head, Store, StoreError};

#[derive(Default)]
struct Kept {
    lines: Vec<String>,
    note: String,
    at: i64,
}

/// A store that forgets everything at the end.
#[derive(Default)]
pub struct Memory {
    matches: Mutex<BTreeMap<String, Kept>>,
}

impl Memory {
    fn matches(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn append(matches: &mut BTreeMap<String, Kept>, part: &Append) -> Result<u64, StoreError> {
    let actual = matches.get(&part.id).map_or(0, |kept| kept.lines.len() as u64);
    if actual != part.expected {
        return Err(StoreError::Conflict { actual });
    }
    let kept = matches.entry(part.id.clone()).or_default();
    kept.lines.extend(part.lines.iter().cloned());
    kept.note.clone_from(&part.note);
    kept.at = part.at;
    Ok(kept.lines.len() as u64)
}

impl Store for Memory {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        let mut matches = self.matches();
        parts.iter().map(|part| append(&mut matches, part)).collect()
    }

    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        let matches = self.matches();
        let lines = matches.get(id).map_or(&[][..], |kept| &kept.lines);
        Ok(lines.iter().skip(from as usize).take(limit).cloned().collect())
    }

    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        let matches = self.matches();
        let wanted =
            matches.iter().filter(|(id, kept)| kept.at > since || kept.at == since && id.as_str() > after);
        let mut heads: Vec<Head> = wanted
            .map(|(id, kept)| Head {
                id: id.clone(),
                length: kept.lines.len() as u64,
                at: kept.at,
                note: kept.note.clone(),
            })
            .collect();
        heads.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        heads.truncate(limit);
        Ok(heads)
    }

    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.matches().remove(id).is_some())
    }

    fn name(&self) -> String {
        "memory".to_owned()
    }
}
