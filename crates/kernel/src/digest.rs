//! Digests of states: BLAKE3 over a canonical byte form, the same on every machine.
//!
//! The byte form follows the data model, not a text: integers as fixed-width little-endian, texts and
//! sequences with their length in front, enum variants by name. Struct fields go in order without
//! names, so renaming a field does not change a digest, while adding one does.

use std::fmt;

use serde::ser::{self, Serialize};

/// Sixteen bytes of BLAKE3: enough to tell states apart and to make a chain tamper-evident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The digest of plain bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Digest(short)
    }

    /// The digest of `self` followed by `bytes`: one link of a chain.
    pub fn chain(self, bytes: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0);
        hasher.update(bytes);
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Digest(short)
    }

    /// Reads 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 32 {
            return None;
        }
        let mut out = [0; 16];
        for (i, pair) in bytes.chunks_exact(2).enumerate() {
            let high = (pair[0] as char).to_digit(16)?;
            let low = (pair[1] as char).to_digit(16)?;
            out[i] = (high * 16 + low) as u8;
        }
        Some(Digest(out))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 32];
        for (i, byte) in self.0.iter().enumerate() {
            text[2 * i] = HEX[usize::from(byte >> 4)];
            text[2 * i + 1] = HEX[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Digest::parse(&text).ok_or_else(|| serde::de::Error::custom("a digest has 32 hexadecimal digits"))
    }
}

/// The digest of a value.
///
/// ```
/// use turnstone::digest::digest;
/// assert_eq!(digest(&(1u8, "a")), digest(&(1u8, "a")));
/// assert_ne!(digest(&(1u8, "a")), digest(&(1u8, "b")));
/// ```
pub fn digest<T: Serialize + ?Sized>(value: &T) -> Digest {
    let mut bytes = Vec::with_capacity(512);
    canonical_bytes(value, &mut bytes);
    Digest::of_bytes(&bytes)
}

/// Appends the canonical bytes of a value. A value that refuses to be serialised leaves a mark that
/// no other value leaves.
pub fn canonical_bytes<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    if value.serialize(Canon { out }).is_err() {
        out.extend_from_slice(b"\xFFunserialisable");
    }
}

struct Canon<'a> {
    out: &'a mut Vec<u8>,
}

/// The canonical form has no failures of its own; this carries those of `Serialize` impls.
#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value refused to be serialised")
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Refused
    }
}

impl<'a> Canon<'a> {
    fn length(&mut self, length: usize) {
        self.out.extend_from_slice(&(length as u32).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.out.extend_from_slice(text.as_bytes());
    }

    fn sequence(self) -> CanonSequence<'a> {
        let at = self.out.len();
        self.out.extend_from_slice(&[0; 4]);
        CanonSequence { out: self.out, at, count: 0 }
    }
}

macro_rules! fixed_width {
    ($($method:ident: $kind:ty),*) => {
        $(fn $method(self, value: $kind) -> Result<(), Refused> {
            self.out.extend_from_slice(&value.to_le_bytes());
            Ok(())
        })*
    };
}

impl<'a> ser::Serializer for Canon<'a> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = CanonSequence<'a>;
    type SerializeTuple = CanonSequence<'a>;
    type SerializeTupleStruct = CanonSequence<'a>;
    type SerializeTupleVariant = CanonSequence<'a>;
    type SerializeMap = CanonSequence<'a>;
    type SerializeStruct = CanonSequence<'a>;
    type SerializeStructVariant = CanonSequence<'a>;

    fixed_width! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    }

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.out.push(u8::from(value));
        Ok(())
    }
    fn serialize_f32(self, value: f32) -> Result<(), Refused> {
        self.serialize_u32(value.to_bits())
    }
    fn serialize_f64(self, value: f64) -> Result<(), Refused> {
        self.serialize_u64(value.to_bits())
    }
    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.serialize_u32(u32::from(value))
    }
    fn serialize_str(mut self, value: &str) -> Result<(), Refused> {
        self.text(value);
        Ok(())
    }
    fn serialize_bytes(mut self, value: &[u8]) -> Result<(), Refused> {
        self.length(value.len());
        self.out.extend_from_slice(value);
        Ok(())
    }
    fn serialize_none(self) -> Result<(), Refused> {
        self.out.push(0);
        Ok(())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        self.out.push(1);
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Refused> {
        Ok(())
    }
    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Refused> {
        Ok(())
    }
    fn serialize_unit_variant(
        mut self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Refused> {
        self.text(variant);
        Ok(())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        self.text(variant);
        value.serialize(self)
    }
    fn serialize_seq(self, _length: Option<usize>) -> Result<CanonSequence<'a>, Refused> {
        Ok(self.sequence())
    }
    fn serialize_tuple(self, _length: usize) -> Result<CanonSequence<'a>, Refused> {
        Ok(self.sequence())
    }
    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<CanonSequence<'a>, Refused> {
        Ok(self.sequence())
    }
    fn serialize_tuple_variant(
        mut self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<CanonSequence<'a>, Refused> {
        self.text(variant);
        Ok(self.sequence())
    }
    fn serialize_map(self, _length: Option<usize>) -> Result<CanonSequence<'a>, Refused> {
        Ok(self.sequence())
    }
    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<CanonSequence<'a>, Refused> {
        Ok(self.sequence())
    }
    fn serialize_struct_variant(
        mut self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<CanonSequence<'a>, Refused> {
        self.text(variant);
        Ok(self.sequence())
    }
    fn is_human_readable(&self) -> bool {
        true
    }
}

/// Stands for a field that is left out. No value begins with it.
const SKIPPED: u8 = 0xFE;

/// Elements of a sequence; the count is filled in at the end, because not every sequence knows it.
struct CanonSequence<'a> {
    out: &'a mut Vec<u8>,
    at: usize,
    count: u32,
}

impl CanonSequence<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.count += 1;
        value.serialize(Canon { out: self.out })
    }

    /// A field that is left out leaves a mark: without it the next one would be taken for it.
    fn skip(&mut self) {
        self.count += 1;
        self.out.push(SKIPPED);
    }

    fn close(self) {
        self.out[self.at..self.at + 4].copy_from_slice(&self.count.to_le_bytes());
    }
}

macro_rules! elements {
    ($($role:ident::$method:ident),*) => {
        $(impl ser::$role for CanonSequence<'_> {
            type Ok = ();
            type Error = Refused;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                self.element(value)
            }
            fn end(self) -> Result<(), Refused> {
                self.close();
                Ok(())
            }
        })*
    };
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! fields {
    ($($role:ident),*) => {
        $(impl ser::$role for CanonSequence<'_> {
            type Ok = ();
            type Error = Refused;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, _key: &'static str, value: &T) -> Result<(), Refused> {
                self.element(value)
            }
            fn skip_field(&mut self, _key: &'static str) -> Result<(), Refused> {
                self.skip();
                Ok(())
            }
            fn end(self) -> Result<(), Refused> {
                self.close();
                Ok(())
            }
        })*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for CanonSequence<'_> {
    type Ok = ();
    type Error = Refused;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        self.element(key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.element(value)
    }
    fn end(self) -> Result<(), Refused> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(serde::Serialize)]
    enum Shape {
        Dot,
        Line(u8, u8),
        Box { width: i16 },
    }

    #[test]
    fn what_a_key_stands_for_counts() {
        assert_ne!(digest(&BTreeMap::from([("a", 1)])), digest(&BTreeMap::from([("a", 2)])));
        assert_ne!(digest(&BTreeMap::from([("a", 1)])), digest(&BTreeMap::from([("b", 1)])));
    }

    #[test]
    fn fields_that_are_left_out_are_told_apart() {
        #[derive(serde::Serialize)]
        struct Sheet {
            #[serde(skip_serializing_if = "Option::is_none")]
            winner: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            next: Option<u32>,
        }
        let won = Sheet { winner: Some(1), next: None };
        assert_ne!(digest(&won), digest(&Sheet { winner: None, next: Some(1) }));
    }

    #[test]
    fn the_byte_form_is_fixed_for_ever() {
        let value = (1u16, true, "aé", Some(Shape::Line(2, 3)), Shape::Dot, Shape::Box { width: -1 });
        let mut bytes = Vec::new();
        canonical_bytes(&value, &mut bytes);
        let expected = b"\x06\0\0\0\x01\0\x01\x03\0\0\0a\xC3\xA9\x01\x04\0\0\0Line\x02\0\0\0\x02\x03\
            \x03\0\0\0Dot\x03\0\0\0Box\x01\0\0\0\xFF\xFF";
        assert_eq!(bytes, expected);
        assert_eq!(digest(&value).to_string(), "79cd69f32b326b13c3156b717ae0d56b");
    }

    #[test]
    fn maps_and_lists_of_unknown_length_do_not_collide() {
        let lists = (vec![1u8], vec![2u8, 3]);
        let other = (vec![1u8, 2], vec![3u8]);
        assert_ne!(digest(&lists), digest(&other));
        let map = BTreeMap::from([("a", 1u8)]);
        assert_ne!(digest(&map), digest(&BTreeMap::<&str, u8>::new()));
    }

    #[test]
    fn digests_are_read_back_and_wrong_ones_refused() {
        let made = digest("x");
        assert_eq!(Digest::parse(&made.to_string()), Some(made));
        assert_eq!(Digest::parse("12"), None);
        assert_eq!(Digest::parse(&"g".repeat(32)), None);
        assert_eq!(Digest::parse(&"é".repeat(16)), None);
    }

    fn bytes<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
        let mut bytes = Vec::new();
        canonical_bytes(value, &mut bytes);
        bytes
    }

    /// Bytes that are written as such, not one by one.
    struct Raw(&'static [u8]);

    impl Serialize for Raw {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(self.0)
        }
    }

    #[test]
    fn every_kind_of_value_has_its_bytes() {
        #[derive(serde::Serialize)]
        struct Meters(u16);
        #[derive(serde::Serialize)]
        enum Way {
            By(Meters),
        }
        assert_eq!(bytes(&1.5f32), 1.5f32.to_bits().to_le_bytes());
        assert_eq!(bytes(&-1.5f64), (-1.5f64).to_bits().to_le_bytes());
        assert_eq!(bytes(&'é'), 0xE9u32.to_le_bytes());
        assert_eq!(bytes(&Raw(b"ab")), b"\x02\0\0\0ab");
        assert_eq!(bytes(&None::<u8>), [0]);
        assert_eq!(bytes(&Meters(7)), [7, 0]);
        assert_eq!(bytes(&Way::By(Meters(7))), b"\x02\0\0\0By\x07\0");
        assert_eq!(bytes(&BTreeMap::from([("a", 5u8)])), b"\x02\0\0\0\x01\0\0\0a\x05");
        // What has a form for people is written in that one, as in a match file.
        assert_eq!(bytes(&std::net::Ipv4Addr::LOCALHOST), bytes("127.0.0.1"));
    }

    #[test]
    fn a_field_that_is_left_out_is_counted() {
        #[derive(serde::Serialize)]
        struct Sheet {
            #[serde(skip_serializing_if = "Option::is_none")]
            winner: Option<u8>,
        }
        assert_eq!(bytes(&Sheet { winner: None }), [1, 0, 0, 0, SKIPPED]);
        assert_eq!(bytes(&Sheet { winner: Some(3) }), [1, 0, 0, 0, 1, 3]);
    }

    #[test]
    fn a_value_that_refuses_leaves_a_mark_and_the_refusal_says_so() {
        struct Shy;
        impl Serialize for Shy {
            fn serialize<S: serde::Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
                Err(ser::Error::custom("not me"))
            }
        }
        assert_eq!(bytes(&Shy), b"\xFFunserialisable");
        assert_eq!(Refused.to_string(), "the value refused to be serialised");
    }

    #[test]
    fn a_digest_is_shown_alike_to_everybody() {
        let made = digest("x");
        assert_eq!(format!("{made:?}"), made.to_string());
        assert_eq!(made.to_string().len(), 32);
    }
}
