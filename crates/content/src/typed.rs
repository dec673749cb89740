//! From nodes to any type that serde can read, with the place of every mistake and the nearest valid name.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;

use crate::near::hint;
use crate::node::{Node, Tree};
use crate::place::{Place, Problem};

/// Reads a node.
///
/// # Errors
/// The first mistake in it.
pub fn read<T: DeserializeOwned>(node: &Node) -> Result<T, Problem> {
    T::deserialize(At::of(node)).map_err(|wrong| wrong.at(&node.place))
}

/// Reads a node and tells everything that is wrong with it: what is wrong is struck out, and the rest read again.
///
/// # Errors
/// All mistakes in it. That a key is missing is told unless it was struck out, or may have been meant by one that is
/// unknown.
pub fn read_all<T: DeserializeOwned>(node: &Node) -> Result<T, Vec<Problem>> {
    let (mut rest, mut filled, mut problems) = (node.clone(), Vec::new(), Vec::new());
    let (mut struck, mut misspelt) = (Vec::new(), false);
    loop {
        let wrong = match T::deserialize(At { node: &rest, filled: &filled }) {
            Ok(value) if problems.is_empty() => return Ok(value),
            Ok(_) => return Err(problems),
            Err(wrong) => wrong,
        };
        let (fault, place) = (wrong.fault, wrong.place.clone().unwrap_or_else(|| node.place.clone()));
        match fault {
            Fault::Lack(key) if place == node.place && !filled.contains(&key) => {
                filled.push(key);
                if !misspelt && !struck.iter().any(|name| name == key) {
                    problems.push(wrong.at(&node.place));
                }
            }
            // What was filled in for a missing key does not do; all that can be found out has been.
            Fault::Filling if !problems.is_empty() => return Err(problems),
            Fault::Unknown | Fault::Lack(_) | Fault::Filling | Fault::Other => {
                misspelt |= matches!(fault, Fault::Unknown);
                problems.push(wrong.at(&node.place));
                match strike(&mut rest, &place) {
                    Some(key) => struck.push(key),
                    None => return Err(problems),
                }
            }
        }
    }
}

/// Takes out the innermost row or item that stands there; the name of the outermost row it is in.
fn strike(node: &mut Node, place: &Place) -> Option<String> {
    match &mut node.value {
        Tree::Table(rows) => {
            if let Some(name) =
                rows.iter_mut().find_map(|(name, _, inner)| strike(inner, place).map(|_| name.clone()))
            {
                return Some(name);
            }
            let at = rows.iter().position(|(_, key, inner)| key == place || inner.place == *place)?;
            Some(rows.remove(at).0)
        }
        Tree::List(items) => {
            if items.iter_mut().any(|item| strike(item, place).is_some()) {
                return Some(String::new());
            }
            let at = items.iter().position(|item| item.place == *place)?;
            items.remove(at);
            Some(String::new())
        }
        Tree::Text(_) | Tree::Int(_) | Tree::Float(_) | Tree::Bool(_) => None,
    }
}

/// A mistake, and its place as soon as that is known.
#[derive(Debug)]
struct Wrong {
    message: String,
    place: Option<Place>,
    fault: Fault,
}

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A key must be there and is not.
    Lack(&'static str),
    /// A key is there that nobody knows.
    Unknown,
    /// It is none of the author's: a key was filled in with something that does not do.
    Filling,
    /// Any other.
    Other,
}

impl Wrong {
    fn at(self, place: &Place) -> Problem {
        Problem { place: self.place.unwrap_or_else(|| place.clone()), message: self.message }
    }

    fn found_at(mut self, place: &Place) -> Wrong {
        self.place.get_or_insert_with(|| place.clone());
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Wrong { message: message.to_string(), place: None, fault: Fault::Other }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let message = format!("unknown key `{field}`{}", hint(field, expected.iter().copied()));
        Wrong { message, place: None, fault: Fault::Unknown }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format!("unknown word `{variant}`{}", hint(variant, expected.iter().copied())))
    }

    fn missing_field(field: &'static str) -> Self {
        Wrong { message: format!("the key `{field}` is missing"), place: None, fault: Fault::Lack(field) }
    }
}

/// A node to be read; in a table missing keys are filled in, so that one can read on behind them.
struct At<'a> {
    node: &'a Node,
    filled: &'a [&'static str],
}

impl<'a> At<'a> {
    fn of(node: &'a Node) -> At<'a> {
        At { node, filled: &[] }
    }
}

impl<'de> Deserializer<'de> for At<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = match &self.node.value {
            Tree::Text(text) => visitor.visit_str(text),
            Tree::Int(number) => visitor.visit_i64(*number),
            Tree::Float(number) => visitor.visit_f64(*number),
            Tree::Bool(truth) => visitor.visit_bool(*truth),
            Tree::List(items) => visitor.visit_seq(Items(items.iter())),
            Tree::Table(rows) => visitor.visit_map(Rows::of(rows, self.filled)),
        };
        read.map_err(|wrong| wrong.found_at(&self.node.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let read = match &self.node.value {
            Tree::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Tree::Table(rows) if rows.len() == 1 => visitor.visit_enum(Variant(&rows[0])),
            other => {
                Err(de::Error::custom(format!("expected a word or a table of one, found {}", other.kind())))
            }
        };
        read.map_err(|wrong| wrong.found_at(&self.node.place))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        let read = |node: &Node| seed.deserialize(At::of(node)).map_err(|wrong| wrong.found_at(&node.place));
        self.0.next().map(read).transpose()
    }
}

struct Rows<'a> {
    rows: std::slice::Iter<'a, (String, Place, Node)>,
    filled: std::slice::Iter<'a, &'static str>,
    value: Option<&'a Node>,
}

impl<'a> Rows<'a> {
    fn of(rows: &'a [(String, Place, Node)], filled: &'a [&'static str]) -> Rows<'a> {
        Rows { rows: rows.iter(), filled: filled.iter(), value: None }
    }
}

impl<'de> MapAccess<'de> for Rows<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        if let Some((key, place, value)) = self.rows.next() {
            self.value = Some(value);
            let key: StrDeserializer<'_, Wrong> = key.as_str().into_deserializer();
            return seed.deserialize(key).map(Some).map_err(|wrong| wrong.found_at(place));
        }
        self.value = None;
        let Some(key) = self.filled.next() else { return Ok(None) };
        let key: StrDeserializer<'_, Wrong> = (*key).into_deserializer();
        seed.deserialize(key).map(Some)
    }

    /// A key without a value was filled in.
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        match self.value.take() {
            Some(node) => seed.deserialize(At::of(node)).map_err(|wrong| wrong.found_at(&node.place)),
            None => seed.deserialize(Hole).map_err(|wrong| Wrong { fault: Fault::Filling, ..wrong }),
        }
    }
}

/// Stands in for a value that is missing: nothing of whatever is asked for.
struct Hole;

macro_rules! nothing {
    ($($asked:ident => $visit:ident($value:expr),)*) => {
        $(fn $asked<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            visitor.$visit($value)
        })*
    };
}

impl<'de> Deserializer<'de> for Hole {
    type Error = Wrong;

    nothing! {
        deserialize_bool => visit_bool(false),
        deserialize_i8 => visit_i64(0),
        deserialize_i16 => visit_i64(0),
        deserialize_i32 => visit_i64(0),
        deserialize_i64 => visit_i64(0),
        deserialize_u8 => visit_i64(0),
        deserialize_u16 => visit_i64(0),
        deserialize_u32 => visit_i64(0),
        deserialize_u64 => visit_i64(0),
        deserialize_f32 => visit_f64(0.0),
        deserialize_f64 => visit_f64(0.0),
        deserialize_char => visit_char(' '),
        deserialize_str => visit_str(""),
        deserialize_string => visit_str(""),
        deserialize_seq => visit_seq(Items([].iter())),
        deserialize_map => visit_map(Rows::of(&[], &[])),
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_none()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(words.first().copied().unwrap_or_default().into_deserializer())
    }

    forward_to_deserialize_any! {
        i128 u128 bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct struct identifier ignored_any
    }
}

/// `{ word = value }`.
struct Variant<'a>(&'a (String, Place, Node));

impl<'a, 'de> EnumAccess<'de> for Variant<'a> {
    type Error = Wrong;
    type Variant = At<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, At<'a>), Wrong> {
        let (word, place, node) = self.0;
        let word: StrDeserializer<'_, Wrong> = word.as_str().into_deserializer();
        let word = seed.deserialize(word).map_err(|wrong| wrong.found_at(place))?;
        Ok((word, At::of(node)))
    }
}

impl<'de> VariantAccess<'de> for At<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        Err(Wrong::custom_at("this word takes no value", &self.node.place))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_any(visitor)
    }
}

impl Wrong {
    fn custom_at(message: &str, place: &Place) -> Wrong {
        Wrong { message: message.to_owned(), place: Some(place.clone()), fault: Fault::Other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Beast {
        name: String,
        legs: u8,
        kind: Kind,
        dice: Dice,
        #[serde(default)]
        young: Vec<u8>,
        weight: i32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Cat,
        Dog,
    }

    #[derive(Debug, Deserialize)]
    #[serde(try_from = "String")]
    struct Dice;

    impl TryFrom<String> for Dice {
        type Error = String;

        fn try_from(text: String) -> Result<Self, String> {
            if text == "1d6" { Ok(Dice) } else { Err(format!("{text:?} is no dice")) }
        }
    }

    fn told(text: &str) -> Vec<String> {
        let problems = read_all::<Beast>(&parse("zoo.toml", text).unwrap()).map(|_| ()).err();
        problems.unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_mistake_of_an_entry_is_told_with_its_place() {
        let sound = "name = \"x\"\nlegs = 4\nkind = \"cat\"\ndice = \"1d6\"\nweight = 3\n";
        assert_eq!(told(sound), Vec::<String>::new());
        assert_eq!(
            told(
                "name = 3\nlegs = 400\nkind = \"dgo\"\ndice = \"1x6\"\nyoung = [1, \"b\", -2]\nweight = 1\n"
            ),
            [
                "zoo.toml:1:8: invalid type: integer `3`, expected a string",
                "zoo.toml:2:8: invalid value: integer `400`, expected u8",
                "zoo.toml:3:8: unknown word `dgo`; did you mean `dog`?",
                "zoo.toml:4:8: \"1x6\" is no dice",
                "zoo.toml:5:13: invalid type: string \"b\", expected u8",
                "zoo.toml:5:18: invalid value: integer `-2`, expected u8",
            ]
        );
    }

    #[test]
    fn every_missing_key_is_told_unless_a_misspelt_one_was_meant() {
        assert_eq!(
            told("legs = \"four\"\ndice = \"1d6\"\n"),
            [
                "zoo.toml:1:8: invalid type: string \"four\", expected u8",
                "zoo.toml:1:1: the key `name` is missing",
                "zoo.toml:1:1: the key `kind` is missing",
                "zoo.toml:1:1: the key `weight` is missing",
            ]
        );
        let misspelt = "nmae = \"x\"\nlegs = 4\nkind = \"cat\"\ndice = \"1d6\"\nweight = 3\n";
        assert_eq!(told(misspelt), ["zoo.toml:1:1: unknown key `nmae`; did you mean `name`?"]);
    }
}
