//! Batches and games without their types.

use std::marker::PhantomData;

use turnstone::digest::Digest;
use turnstone::{Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::{Hosted, Opening};

use crate::batch::{Batch, Buffer};
use crate::coder::{Coder, Learned};
use crate::frame::{Frame, Lengths};
use crate::lane::Episode;
use crate::part::Part;
use crate::plan::{Plan, Which};

/// A [`Batch`] without its types; every method is that of the batch.
#[allow(missing_docs)]
pub trait Lanes: Send {
    fn plan(&self) -> &Plan;
    fn parts(&self) -> &[Part];
    fn lengths(&self) -> Lengths;
    fn numbers(&self) -> usize;
    fn seats(&self) -> Vec<String>;
    fn buffer(&mut self) -> Buffer;
    fn forget(&mut self);
    fn reset(&mut self, seed: u64) -> Result<(), Rejection>;
    fn begin_again(&mut self, lane: usize, seed: Option<u64>) -> Result<(), Rejection>;
    fn observe(&mut self, frame: &mut Frame, buffer: Option<Buffer>) -> Result<(), Rejection>;
    fn step(&mut self, actions: &[i64], frame: &mut Frame, buffer: Option<Buffer>) -> Result<(), Rejection>;
    fn copy_lanes(&mut self, from: &[usize], to: &[usize]) -> Result<(), Rejection>;
    fn save(&self) -> Result<Vec<u8>, Rejection>;
    fn restore(&mut self, bytes: &[u8]) -> Result<(), Rejection>;
    fn match_file(&self, lane: usize, which: Which) -> Result<String, Rejection>;
    fn describe(&self, lane: usize, number: usize) -> Result<Option<String>, Rejection>;
    fn meaning(&self, number: usize) -> Result<String, Rejection>;
    fn finished(&self, lane: usize) -> Result<Option<&Episode>, Rejection>;
    fn last(&self, lane: usize) -> Result<&Episode, Rejection>;
    fn progress(&self, lane: usize) -> Result<(u64, u64, u32), Rejection>;
    fn standing(&self, lane: usize, seat: Seat) -> Result<f32, Rejection>;
    fn see(&self, lane: usize, seat: Seat) -> Result<(Vec<u8>, Vec<i16>), Rejection>;
    fn scene(&self, lane: usize, viewer: Viewer) -> Result<Scene, Rejection>;
    fn sample(&mut self, seed: u64, out: &mut [i64]) -> Result<(), Rejection>;
    fn digest(&self) -> Digest;
}

impl<G: Hosted, C: Coder<G>> Lanes for Batch<G, C> {
    fn plan(&self) -> &Plan {
        self.plan()
    }
    fn parts(&self) -> &[Part] {
        self.parts()
    }
    fn lengths(&self) -> Lengths {
        self.lengths()
    }
    fn numbers(&self) -> usize {
        self.numbers()
    }
    fn seats(&self) -> Vec<String> {
        self.seats()
    }
    fn buffer(&mut self) -> Buffer {
        self.buffer()
    }
    fn forget(&mut self) {
        self.forget();
    }
    fn reset(&mut self, seed: u64) -> Result<(), Rejection> {
        self.reset(seed)
    }
    fn begin_again(&mut self, lane: usize, seed: Option<u64>) -> Result<(), Rejection> {
        self.begin_again(lane, seed)
    }
    fn observe(&mut self, frame: &mut Frame, buffer: Option<Buffer>) -> Result<(), Rejection> {
        self.observe(frame, buffer)
    }
    fn step(&mut self, actions: &[i64], frame: &mut Frame, buffer: Option<Buffer>) -> Result<(), Rejection> {
        self.step(actions, frame, buffer)
    }
    fn copy_lanes(&mut self, from: &[usize], to: &[usize]) -> Result<(), Rejection> {
        self.copy_lanes(from, to)
    }
    fn save(&self) -> Result<Vec<u8>, Rejection> {
        self.save()
    }
    fn restore(&mut self, bytes: &[u8]) -> Result<(), Rejection> {
        self.restore(bytes)
    }
    fn match_file(&self, lane: usize, which: Which) -> Result<String, Rejection> {
        self.match_file(lane, which)
    }
    fn describe(&self, lane: usize, number: usize) -> Result<Option<String>, Rejection> {
        self.describe(lane, number)
    }
    fn meaning(&self, number: usize) -> Result<String, Rejection> {
        self.meaning(number)
    }
    fn finished(&self, lane: usize) -> Result<Option<&Episode>, Rejection> {
        self.finished(lane)
    }
    fn last(&self, lane: usize) -> Result<&Episode, Rejection> {
        self.last(lane)
    }
    fn progress(&self, lane: usize) -> Result<(u64, u64, u32), Rejection> {
        self.progress(lane)
    }
    fn standing(&self, lane: usize, seat: Seat) -> Result<f32, Rejection> {
        self.standing(lane, seat)
    }
    fn see(&self, lane: usize, seat: Seat) -> Result<(Vec<u8>, Vec<i16>), Rejection> {
        self.see(lane, seat)
    }
    fn scene(&self, lane: usize, viewer: Viewer) -> Result<Scene, Rejection> {
        self.scene(lane, viewer)
    }
    fn sample(&mut self, seed: u64, out: &mut [i64]) -> Result<(), Rejection> {
        self.sample(seed, out)
    }
    fn digest(&self) -> Digest {
        self.digest()
    }
}

/// A game that batches can be opened of, without its types.
pub trait Gym: Send + Sync {
    /// The game's name.
    fn name(&self) -> &'static str;

    /// Opens a batch.
    ///
    /// # Errors
    /// An opening or a plan that is refused.
    fn open(&self, opening: &Opening, plan: Plan) -> Result<Box<dyn Lanes>, Rejection>;
}

/// The [`Gym`] of a game with numbers of its own.
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G: Learned> Of<G> {
    /// It.
    pub const GYM: Of<G> = Of(PhantomData);
}

impl<G: Learned> Gym for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn open(&self, opening: &Opening, plan: Plan) -> Result<Box<dyn Lanes>, Rejection> {
        let (game, setup) = G::open_table(opening)?;
        Ok(Box::new(Batch::new(game, setup, plan)?))
    }
}

/// The [`Gym`] of any hosted game, by [`Plain`](crate::Plain) numbers.
pub struct PlainOf<G>(PhantomData<fn() -> G>);

impl<G: Hosted> PlainOf<G> {
    /// It.
    pub const GYM: PlainOf<G> = PlainOf(PhantomData);
}

impl<G: Hosted> Gym for PlainOf<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn open(&self, opening: &Opening, plan: Plan) -> Result<Box<dyn Lanes>, Rejection> {
        let (game, setup) = G::open_table(opening)?;
        Ok(Box::new(Batch::plain(game, setup, plan)?))
    }
}
