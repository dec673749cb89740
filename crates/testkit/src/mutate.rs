//! Inputs that are almost right: recorded ones with a number, a word or a list changed.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turnstone::dice::{Draw, Lots};

/// A value of the same type that differs in one small place, if the type admits one.
pub fn mutate<T: Serialize + DeserializeOwned>(value: &T, lots: &mut Lots) -> Option<T> {
    let mut json = serde_json::to_value(value).ok()?;
    let leaves = count_leaves(&json);
    let target = lots.index(leaves)?;
    change_leaf(&mut json, target, lots);
    serde_json::from_value(json).ok()
}

fn count_leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count_leaves).sum::<usize>(),
        Value::Object(fields) => fields.values().map(count_leaves).sum(),
        _ => 1,
    }
}

/// Changes the `target`-th leaf; gives how many leaves are left to count if it was not here.
fn change_leaf(value: &mut Value, mut target: usize, lots: &mut Lots) -> Option<usize> {
    match value {
        Value::Object(fields) => {
            for field in fields.values_mut() {
                target = change_leaf(field, target, lots)?;
            }
            Some(target)
        }
        Value::Array(items) => {
            if target == 0 {
                change_list(items, lots);
                return None;
            }
            target -= 1;
            for item in items {
                target = change_leaf(item, target, lots)?;
            }
            Some(target)
        }
        leaf => {
            if target > 0 {
                return Some(target - 1);
            }
            *leaf = other(leaf, lots);
            None
        }
    }
}

fn change_list(items: &mut Vec<Value>, lots: &mut Lots) {
    match lots.below(3) {
        0 => _ = items.pop(),
        1 => items.reverse(),
        _ => items.extend(items.last().cloned()),
    }
}

fn other(leaf: &Value, lots: &mut Lots) -> Value {
    match leaf {
        Value::Bool(flag) => (!flag).into(),
        Value::Null => 0.into(),
        Value::String(text) => match lots.below(3) {
            0 => String::new().into(),
            1 => format!("{text}x").into(),
            _ => text.chars().rev().collect::<String>().into(),
        },
        Value::Number(number) => {
            let n = number.as_i64().unwrap_or(0);
            let near = [
                n.wrapping_add(1),
                n.wrapping_sub(1),
                n.wrapping_add(8),
                0,
                255,
                65_535,
                i64::from(u32::MAX),
            ];
            near[lots.below(near.len() as u64) as usize].into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use turnstone::dice::Stream;

    use super::*;

    #[test]
    fn a_mutant_differs_and_stays_of_its_type() {
        let mut lots = Lots::new(1, Stream::named("test"));
        let value = (3u8, vec![1u8, 2], "word".to_owned(), true);
        let mutants: Vec<_> = (0..200).filter_map(|_| mutate(&value, &mut lots)).collect();
        assert!(mutants.len() > 100);
        assert!(mutants.iter().filter(|mutant| **mutant != value).count() > 90);
        assert!(mutate(&(), &mut lots).is_none_or(|()| true));
    }
}
