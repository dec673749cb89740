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
    T::deserialize(At(node)).map_err(|wrong| wrong.at(&node.place))
}

/// A mistake, and its place as soon as that is known.
#[derive(Debug)]
struct Wrong {
    message: String,
    place: Option<Place>,
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
        Wrong { message: message.to_string(), place: None }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format!("unknown key `{field}`{}", hint(field, expected.iter().copied())))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format!("unknown word `{variant}`{}", hint(variant, expected.iter().copied())))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format!("the key `{field}` is missing"))
    }
}

struct At<'a>(&'a Node);

impl<'de> Deserializer<'de> for At<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = match &self.0.value {
            Tree::Text(text) => visitor.visit_str(text),
            Tree::Int(number) => visitor.visit_i64(*number),
            Tree::Float(number) => visitor.visit_f64(*number),
            Tree::Bool(truth) => visitor.visit_bool(*truth),
            Tree::List(items) => visitor.visit_seq(Items(items.iter())),
            Tree::Table(rows) => visitor.visit_map(Rows { rows: rows.iter(), value: None }),
        };
        read.map_err(|wrong| wrong.found_at(&self.0.place))
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
        let read = match &self.0.value {
            Tree::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Tree::Table(rows) if rows.len() == 1 => visitor.visit_enum(Variant(&rows[0])),
            other => {
                Err(de::Error::custom(format!("expected a word or a table of one, found {}", other.kind())))
            }
        };
        read.map_err(|wrong| wrong.found_at(&self.0.place))
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
        self.0.next().map(|node| seed.deserialize(At(node))).transpose()
    }
}

struct Rows<'a> {
    rows: std::slice::Iter<'a, (String, Place, Node)>,
    value: Option<&'a Node>,
}

impl<'de> MapAccess<'de> for Rows<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((key, place, value)) = self.rows.next() else { return Ok(None) };
        self.value = Some(value);
        let key: StrDeserializer<'_, Wrong> = key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|wrong| wrong.found_at(place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        match self.value.take() {
            Some(node) => seed.deserialize(At(node)),
            None => Err(de::Error::custom("a value without a key")),
        }
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
        Ok((word, At(node)))
    }
}

impl<'de> VariantAccess<'de> for At<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        Err(Wrong::custom_at("this word takes no value", &self.0.place))
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
        Wrong { message: message.to_owned(), place: Some(place.clone()) }
    }
}
