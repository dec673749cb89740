//! What an observation is made of: named parts, of which a learner may choose.

use std::collections::BTreeMap;

use serde::Serialize;
use turnstone::Rejection;

use crate::coder::Taste;

/// The part that describes offers; a batch adds it where inputs are counted as they are offered.
pub(crate) const OFFERS_PART: &str = "offers";

/// Which numbers a part of an observation is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// 0 to 255.
    U8,
    /// -32,768 to 32,767.
    I16,
}

/// One named part of an observation.
///
/// ```
/// use turnstone_gym::Part;
/// let part = Part::words("hand", &[10, 2])
///     .saying("a row for each card in the hand")
///     .with_meanings([("card", "which card"), ("cost", "what it costs now")])
///     .with_codes("card", ["nothing", "strike", "defend"]);
/// assert_eq!((part.length(), part.axis, part.columns.len()), (20, 1, 2));
/// assert_eq!(part.codes["card"][1], "strike");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is called: `board`, `hand`.
    pub name: String,
    /// What it says, in a sentence.
    pub about: String,
    /// How many numbers in each direction.
    pub shape: Vec<usize>,
    /// Which numbers.
    pub sort: Sort,
    /// Which direction the columns name, counted from 0.
    pub axis: usize,
    /// What that direction means, one name for each number, where that helps.
    pub columns: Vec<String>,
    /// What columns say whose names do not tell all.
    pub meanings: BTreeMap<String, String>,
    /// The names of codes, counted from 0, by the columns that hold them; under the name of the part, if all of its
    /// numbers are such codes.
    pub codes: BTreeMap<String, Vec<String>>,
}

impl Part {
    /// A part of small numbers.
    pub fn bytes(name: &str, shape: &[usize]) -> Self {
        Part {
            name: name.into(),
            about: String::new(),
            shape: shape.to_vec(),
            sort: Sort::U8,
            axis: shape.len().saturating_sub(1),
            columns: Vec::new(),
            meanings: BTreeMap::new(),
            codes: BTreeMap::new(),
        }
    }

    /// A part of larger or negative numbers.
    pub fn words(name: &str, shape: &[usize]) -> Self {
        Part { sort: Sort::I16, ..Part::bytes(name, shape) }
    }

    /// The same part with a sentence that says what it holds.
    #[must_use]
    pub fn saying(mut self, about: &str) -> Self {
        self.about = about.into();
        self
    }

    /// The same part with names for the numbers of its last direction.
    #[must_use]
    pub fn with_columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = columns.into_iter().map(Into::into).collect();
        self
    }

    /// The same part with names for its planes: for the numbers of its first direction.
    #[must_use]
    pub fn with_planes<S: Into<String>>(self, planes: impl IntoIterator<Item = S>) -> Self {
        Part { axis: 0, ..self.with_columns(planes) }
    }

    /// The same part with further names for the numbers of its last direction, and what each of them says; nothing where
    /// the name does.
    #[must_use]
    pub fn with_meanings<'m>(mut self, columns: impl IntoIterator<Item = (&'m str, &'m str)>) -> Self {
        for (name, meaning) in columns {
            self.columns.push(name.into());
            if !meaning.is_empty() {
                self.meanings.insert(name.into(), meaning.into());
            }
        }
        self
    }

    /// The same part with names for the codes in a column, counted from 0.
    #[must_use]
    pub fn with_codes<S: Into<String>>(mut self, column: &str, names: impl IntoIterator<Item = S>) -> Self {
        self.codes.insert(column.into(), names.into_iter().map(Into::into).collect());
        self
    }

    /// How many numbers it has.
    pub fn length(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Where one world's observation is written: all parts of one sort stand one behind the other, in the order in
/// which [`Coder::parts`](crate::Coder::parts) names them.
pub struct Sheet<'a> {
    /// The parts of [`Sort::U8`].
    pub bytes: &'a mut [u8],
    /// The parts of [`Sort::I16`].
    pub words: &'a mut [i16],
}

impl Sheet<'_> {
    /// The same sheet, lent.
    #[inline]
    pub fn again(&mut self) -> Sheet<'_> {
        Sheet { bytes: self.bytes, words: self.words }
    }
}

/// The parts that a coder can write, and which of them are wanted.
///
/// ```
/// use turnstone_gym::{Layout, Part, Sheet, Taste};
/// let all = vec![Part::words("you", &[3]), Part::bytes("map", &[4]), Part::words("enemies", &[2])];
/// let taste = Taste { parts: vec!["enemies".into()], ..Taste::default() };
/// let layout = Layout::new(all, &taste)?;
/// assert_eq!(layout.parts().len(), 1);
/// let mut words = [0; 2];
/// let mut desk = layout.desk(Sheet { bytes: &mut [], words: &mut words });
/// assert!(desk.words().is_none()); // nobody wants to know about `you`
/// assert!(desk.bytes().is_none());
/// desk.words().unwrap().fill(7);
/// assert_eq!(words, [7, 7]);
/// # Ok::<(), turnstone::Rejection>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    all: Vec<Part>,
    /// The length of each, and whether it is wanted.
    cuts: Vec<(usize, bool)>,
}

impl Layout {
    /// The parts there are, of which the taste chooses.
    ///
    /// # Errors
    /// `UNKNOWN_PART` for a name that none of them has.
    pub fn new(all: Vec<Part>, taste: &Taste) -> Result<Self, Rejection> {
        let known = |name: &str| name == OFFERS_PART || all.iter().any(|part| part.name == name);
        if let Some(unknown) = taste.parts.iter().find(|name| !known(name)) {
            let names: Vec<&str> = all.iter().map(|part| &*part.name).collect();
            let text = format!("an observation has no part \"{unknown}\"; there are: {}", names.join(", "));
            return Err(Rejection::new("UNKNOWN_PART", text));
        }
        let cuts = all.iter().map(|part| (part.length(), taste.wants(&part.name))).collect();
        Ok(Layout { all, cuts })
    }

    /// The parts that are wanted.
    pub fn parts(&self) -> Vec<Part> {
        let wanted = self.all.iter().zip(&self.cuts).filter(|(_, (_, wanted))| *wanted);
        wanted.map(|(part, _)| part.clone()).collect()
    }

    /// A sheet to be cut into its parts.
    #[inline]
    pub fn desk<'a>(&'a self, sheet: Sheet<'a>) -> Desk<'a> {
        Desk { cuts: self.cuts.iter(), sheet }
    }
}

/// Hands out one part of a sheet after the other, in the order in which they were laid out.
pub struct Desk<'a> {
    cuts: std::slice::Iter<'a, (usize, bool)>,
    sheet: Sheet<'a>,
}

impl<'a> Desk<'a> {
    /// The next part, of small numbers; nothing if nobody wants it.
    #[inline]
    pub fn bytes(&mut self) -> Option<&'a mut [u8]> {
        let length = self.next()?;
        cut(&mut self.sheet.bytes, length)
    }

    /// The next part, of larger numbers; nothing if nobody wants it.
    #[inline]
    pub fn words(&mut self) -> Option<&'a mut [i16]> {
        let length = self.next()?;
        cut(&mut self.sheet.words, length)
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.cuts.next().filter(|(_, wanted)| *wanted).map(|(length, _)| *length)
    }
}

#[inline]
fn cut<'a, T>(buffer: &mut &'a mut [T], length: usize) -> Option<&'a mut [T]> {
    let (own, rest) = std::mem::take(buffer).split_at_mut_checked(length)?;
    *buffer = rest;
    Some(own)
}
