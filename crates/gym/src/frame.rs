//! Where a batch writes: buffers of the caller's, one entry per world.

use turnstone::Rejection;

/// Where a batch writes. Observations stand one behind the other.
pub struct Frame<'a> {
    /// The observations' parts of [`Sort::U8`](crate::Sort::U8).
    pub bytes: &'a mut [u8],
    /// The observations' parts of [`Sort::I16`](crate::Sort::I16).
    pub words: &'a mut [i16],
    /// Which numbers are allowed now; may be empty if nobody wants to know.
    pub mask: &'a mut [bool],
    /// How many inputs are offered now, those without a number too.
    pub offered: &'a mut [u32],
    /// For whom the observation is, who is to act.
    pub seats: &'a mut [u8],
    /// The reward of this step.
    pub rewards: &'a mut [f32],
    /// The episode ended by its rules in this step.
    pub terminated: &'a mut [bool],
    /// The episode was cut short in this step.
    pub truncated: &'a mut [bool],
    /// The number stood for nothing.
    pub illegal: &'a mut [bool],
    /// The last observations of episodes that ended in this step, written for those worlds alone.
    pub finals: Option<Finals<'a>>,
}

/// Where last observations are written.
pub struct Finals<'a> {
    /// As [`Frame::bytes`].
    pub bytes: &'a mut [u8],
    /// As [`Frame::words`].
    pub words: &'a mut [i16],
}

/// The lengths of one world's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Numbers of [`Frame::bytes`].
    pub bytes: usize,
    /// Numbers of [`Frame::words`].
    pub words: usize,
    /// Numbers that inputs have.
    pub mask: usize,
}

/// Buffers that belong to somebody in Rust.
///
/// ```
/// use turnstone_gym::{Buffers, Lengths};
/// let mut buffers = Buffers::new(3, Lengths { bytes: 10, words: 0, mask: 7 });
/// assert_eq!(buffers.frame().bytes.len(), 30);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Buffers {
    pub bytes: Vec<u8>,
    pub words: Vec<i16>,
    pub mask: Vec<bool>,
    pub offered: Vec<u32>,
    pub seats: Vec<u8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<bool>,
    pub truncated: Vec<bool>,
    pub illegal: Vec<bool>,
    pub final_bytes: Vec<u8>,
    pub final_words: Vec<i16>,
}

impl Buffers {
    /// Buffers for so many worlds.
    pub fn new(lanes: usize, lengths: Lengths) -> Self {
        Buffers {
            bytes: vec![0; lanes * lengths.bytes],
            words: vec![0; lanes * lengths.words],
            mask: vec![false; lanes * lengths.mask],
            offered: vec![0; lanes],
            seats: vec![0; lanes],
            rewards: vec![0.0; lanes],
            terminated: vec![false; lanes],
            truncated: vec![false; lanes],
            illegal: vec![false; lanes],
            final_bytes: vec![0; lanes * lengths.bytes],
            final_words: vec![0; lanes * lengths.words],
        }
    }

    /// They as a frame.
    pub fn frame(&mut self) -> Frame<'_> {
        Frame {
            bytes: &mut self.bytes,
            words: &mut self.words,
            mask: &mut self.mask,
            offered: &mut self.offered,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            illegal: &mut self.illegal,
            finals: Some(Finals { bytes: &mut self.final_bytes, words: &mut self.final_words }),
        }
    }
}

/// The part of a frame that belongs to the worlds of one block.
pub(crate) struct Piece<'a> {
    pub bytes: &'a mut [u8],
    pub words: &'a mut [i16],
    pub mask: &'a mut [bool],
    pub offered: &'a mut [u32],
    pub seats: &'a mut [u8],
    pub rewards: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub illegal: &'a mut [bool],
    pub finals: Option<Finals<'a>>,
}

/// The first `count` entries of a buffer, and the rest of it.
fn cut<'a, T>(buffer: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(buffer);
    let (own, rest) = whole.split_at_mut(count.min(whole.len()));
    *buffer = rest;
    own
}

impl<'a> Frame<'a> {
    pub(crate) fn check(&self, lanes: usize, lengths: Lengths) -> Result<(), Rejection> {
        fits("bytes", self.bytes.len(), lanes * lengths.bytes)?;
        fits("words", self.words.len(), lanes * lengths.words)?;
        if !self.mask.is_empty() {
            fits("mask", self.mask.len(), lanes * lengths.mask)?;
        }
        fits("offered", self.offered.len(), lanes)?;
        fits("seats", self.seats.len(), lanes)?;
        fits("rewards", self.rewards.len(), lanes)?;
        fits("terminated", self.terminated.len(), lanes)?;
        fits("truncated", self.truncated.len(), lanes)?;
        fits("illegal", self.illegal.len(), lanes)?;
        match &self.finals {
            Some(finals) => {
                fits("final bytes", finals.bytes.len(), lanes * lengths.bytes)?;
                fits("final words", finals.words.len(), lanes * lengths.words)
            }
            None => Ok(()),
        }
    }

    /// The same frame, lent.
    pub(crate) fn again(&mut self) -> Frame<'_> {
        Frame {
            bytes: self.bytes,
            words: self.words,
            mask: self.mask,
            offered: self.offered,
            seats: self.seats,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            illegal: self.illegal,
            finals: self.finals.as_mut().map(|finals| Finals { bytes: finals.bytes, words: finals.words }),
        }
    }

    /// Cuts it into pieces of at most `block` worlds.
    pub(crate) fn pieces(self, lanes: usize, block: usize, lengths: Lengths) -> Vec<Piece<'a>> {
        let mut rest = self;
        let mut pieces = Vec::with_capacity(lanes.div_ceil(block));
        let mut left = lanes;
        while left > 0 {
            let count = left.min(block);
            left -= count;
            let finals = rest.finals.as_mut().map(|finals| Finals {
                bytes: cut(&mut finals.bytes, count * lengths.bytes),
                words: cut(&mut finals.words, count * lengths.words),
            });
            pieces.push(Piece {
                bytes: cut(&mut rest.bytes, count * lengths.bytes),
                words: cut(&mut rest.words, count * lengths.words),
                mask: cut(&mut rest.mask, count * lengths.mask),
                offered: cut(&mut rest.offered, count),
                seats: cut(&mut rest.seats, count),
                rewards: cut(&mut rest.rewards, count),
                terminated: cut(&mut rest.terminated, count),
                truncated: cut(&mut rest.truncated, count),
                illegal: cut(&mut rest.illegal, count),
                finals,
            });
        }
        pieces
    }
}

pub(crate) fn fits(name: &str, length: usize, wanted: usize) -> Result<(), Rejection> {
    if length == wanted {
        return Ok(());
    }
    Err(Rejection::new("WRONG_LENGTH", format!("{name}: {length} entries, but {wanted} are needed")))
}
