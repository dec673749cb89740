//! Events and inputs as other programs write and read them: kinds, abilities, relics and map events by name.

use crate::catalog::Catalog;
use crate::piece::Kind;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// For every kind of thing that facts name by number, the names in the order of the numbers.
pub(crate) fn tables(catalog: &Catalog) -> BTreeMap<String, Vec<String>> {
    let piece = catalog.pieces.iter().map(|def| def.id.clone()).collect();
    let ability = catalog.abilities.iter().map(|def| def.id.clone()).collect();
    let relic = catalog.run.relics.iter().map(|def| def.id.clone()).collect();
    let event = catalog.run.events.iter().map(|def| def.id.clone()).collect();
    [("piece", piece), ("ability", ability), ("relic", relic), ("event", event)]
        .map(|(kind, names)| (kind.to_owned(), names))
        .into()
}

/// The table in which a number under that key is to be looked up. Squares and tiles are texts wherever they stand.
fn table_of(key: &str) -> Option<&'static str> {
    Some(match key {
        "kind" | "promotion" | "from" | "to" | "piece" => "piece",
        "ability" => "ability",
        "relic" => "relic",
        "event" => "event",
        _ => return None,
    })
}

/// Numbers of the catalog become names, nobody and nothing become `null`, and the dice's counter is left out: it says
/// nothing to anybody else.
pub(crate) fn write(catalog: &Catalog, mut value: Value) -> Value {
    let tables = tables(catalog);
    replace(&mut value, "", &|table, value| {
        let number = value.as_u64()?;
        let name = tables.get(table)?.get(usize::try_from(number).ok()?);
        (name.is_some() || number == u64::from(Kind::NONE.0)).then(|| json!(name))
    });
    value
}

/// Names become the numbers of this catalog; numbers stay.
pub(crate) fn read(catalog: &Catalog, mut value: Value) -> Value {
    let tables = tables(catalog);
    replace(&mut value, "", &|table, value| {
        let name = value.as_str()?;
        let number = tables.get(table)?.iter().position(|other| other == name)?;
        Some(json!(number))
    });
    value
}

fn replace(value: &mut Value, key: &str, with: &dyn Fn(&str, &Value) -> Option<Value>) {
    match value {
        // Who caused something is named by its number among the pieces of this match.
        _ if key == "source" => {}
        Value::Object(map) if is_nobody(map) => *value = Value::Null,
        Value::Object(map) => {
            map.shift_remove("rolled");
            map.iter_mut().for_each(|(key, value)| replace(value, key, with));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, "", with)),
        _ => {
            if let Some(other) = table_of(key).and_then(|table| with(table, value)) {
                *value = other;
            }
        }
    }
}

fn is_nobody(map: &Map<String, Value>) -> bool {
    map.get("kind") == Some(&json!(Kind::NONE)) && map.get("id") == Some(&json!(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::at::At;
    use crate::color::Color;
    use crate::effect::{Source, Tag};
    use crate::event::Event;
    use crate::piece::{PieceId, Who};
    use crate::run::{Offer, RunEvent};

    #[test]
    fn nothing_is_a_number_of_the_catalog() {
        let catalog = Catalog::builtin();
        let who = Who { id: PieceId(3), kind: Kind::KNIGHT, owner: Color::White };
        let tag = Tag::of(Color::White).by(Source::Piece(PieceId(3)));
        let (from, to) = (At::new(0, 0), At::new(1, 2));
        let moved = Event::Moved { piece: who, from, to, displaced: Who::NOBODY, promotion: Kind::NONE, tag };
        let written = write(&catalog, serde_json::to_value(moved).unwrap());
        assert_eq!(written["moved"]["piece"], json!({"id": 3, "kind": "knight", "owner": "White"}));
        assert_eq!(written["moved"]["displaced"], Value::Null);
        assert_eq!(written["moved"]["promotion"], Value::Null);
        assert_eq!(written["moved"]["to"], "b3");
        assert_eq!(written["moved"]["tag"]["source"], json!({"piece": 3}));
        let phoenix = catalog.relic_named("phoenix").unwrap();
        let shop =
            RunEvent::ShopOpened { offers: vec![Offer::Piece(Kind::ROOK), Offer::Relic(phoenix)], rolled: 7 };
        let written = write(&catalog, serde_json::to_value(Event::Run(Box::new(shop))).unwrap());
        assert_eq!(
            written["run"]["shop-opened"],
            json!({"offers": [{"piece": "rook"}, {"relic": "phoenix"}]})
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let catalog = Catalog::builtin();
        for value in [
            json!({"choose": {"kind": 4}}),
            json!({"act": {"play": {"from": "-", "to": "b3", "how": "drop", "kind": 1}}}),
        ] {
            let named = write(&catalog, value.clone());
            assert_ne!(named, value);
            assert_eq!(read(&catalog, named), value);
        }
    }
}
