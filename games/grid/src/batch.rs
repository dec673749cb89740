//! Many worlds at once, for learners: one call steps them all and writes what
//! they look like into buffers of the caller's. A world that ends begins again
//! at once. Results do not depend on the number of threads.

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;
use turnstone::{Game, Input, Off, Position, Resolver};

use crate::action::{Action, Deed};
use crate::error::{GridError, Result};
use crate::game::{Grid, Setup};
use crate::observe::{Canvas, full_length, observe_full, observe_partial, partial_length};
use crate::ruleset::Order;
use crate::world::{Slot, World};

/// Worlds per block: a block is stepped by one thread, with one resolver.
const BLOCK: usize = 32;

/// What every world of a batch writes about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Nothing: only rewards and flags.
    Nothing,
    /// All cells, `[height][width][32]`.
    Full,
    /// What the agent sees within so many cells of it, `[2r+1][2r+1][32]`.
    Partial(i32),
}

/// Where a batch writes: one entry per world, and one observation after the other.
pub struct Frame<'a> {
    /// Observations; see [`BatchEnv::observation_length`]. After an end this is the new beginning.
    /// Full views are kept up to date where they are: hand in the same buffer, as it was left, or
    /// call [`BatchEnv::forget_buffer`] first.
    pub observations: &'a mut [u8],
    /// The change of the score.
    pub rewards: &'a mut [f32],
    /// The objective was reached in this step.
    pub terminated: &'a mut [bool],
    /// The game was lost in this step: death or time.
    pub truncated: &'a mut [bool],
}

/// N worlds that step together.
///
/// ```
/// use turnstone_grid::batch::{BatchEnv, Frame, View};
/// use turnstone_grid::generate::Recipe;
/// use turnstone_grid::{Grid, Setup};
///
/// let setup = Setup::Generated(Recipe::named("four_rooms")?);
/// let mut batch = BatchEnv::new(Grid::default(), setup, 8, View::Full, 42)?;
/// let mut observations = vec![0; 8 * batch.observation_length()];
/// let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 8], vec![false; 8], vec![false; 8]);
/// let mut frame = Frame {
///     observations: &mut observations,
///     rewards: &mut rewards,
///     terminated: &mut terminated,
///     truncated: &mut truncated,
/// };
/// batch.step(&[6; 8], &mut frame)?;
/// assert_eq!(rewards, [-1.0; 8]); // waiting costs a point
/// # Ok::<(), turnstone_grid::error::GridError>(())
/// ```
pub struct BatchEnv {
    game: Arc<Grid>,
    setup: Setup,
    view: View,
    blocks: Vec<Block>,
    lanes: usize,
    length: usize,
    /// Where the buffer of the last step was: another one is written whole.
    buffer: usize,
    threads: Option<ThreadPool>,
}

struct Block {
    lanes: Vec<Lane>,
    resolver: Resolver<Grid>,
}

struct Lane {
    position: Position<Grid>,
    /// The beginning, where every episode begins alike.
    first: Option<Arc<Position<Grid>>>,
    agent: Slot,
    seed: u64,
    episode: u64,
    canvas: Canvas,
}

impl BatchEnv {
    /// `lanes` worlds of one set-up. Generated worlds get a seed of their own for every lane and
    /// episode, all of them functions of `seed`.
    ///
    /// # Errors
    /// A set-up that makes no world, an order in which several agents act, and worlds that differ in size.
    pub fn new(game: Grid, setup: Setup, lanes: usize, view: View, seed: u64) -> Result<Self> {
        if game.rules.order != Order::Anyone {
            return Err(GridError::new("WRONG_ORDER", "a batch steps one agent per world; use order anyone"));
        }
        let mut batch = Self {
            game: Arc::new(game),
            setup,
            view,
            blocks: Vec::new(),
            lanes,
            length: 0,
            buffer: 0,
            threads: None,
        };
        batch.reset(seed)?;
        Ok(batch)
    }

    /// Steps over that many threads; 1 is the caller's own.
    ///
    /// # Errors
    /// `NO_THREADS` if they cannot be had.
    pub fn with_threads(mut self, threads: usize) -> Result<Self> {
        let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        self.threads = if threads > 1 {
            Some(build().map_err(|error| GridError::new("NO_THREADS", error.to_string()))?)
        } else {
            None
        };
        Ok(self)
    }

    /// How many worlds there are.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Bytes of one world's observation.
    pub fn observation_length(&self) -> usize {
        self.length
    }

    /// The world of a lane as it is now.
    pub fn world(&self, lane: usize) -> Option<&World> {
        let block = self.blocks.get(lane / BLOCK)?;
        block.lanes.get(lane % BLOCK).map(|lane| &lane.position.state().world)
    }

    /// Begins every world anew from this seed.
    ///
    /// # Errors
    /// As [`BatchEnv::new`].
    pub fn reset(&mut self, seed: u64) -> Result<()> {
        let shared = match &self.setup {
            Setup::World(_) => Some(Arc::new(Position::new(start(&self.game, &self.setup, seed)?))),
            Setup::Generated(_) => None,
        };
        let mut lanes = Vec::with_capacity(self.lanes);
        for number in 0..self.lanes {
            let own = seed.wrapping_add((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let position: Position<Grid> = match &shared {
                Some(first) => Position::clone(first),
                None => Position::new(start(&self.game, &self.setup, episode_seed(own, 0))?),
            };
            let agent = position.state().world.first_agent().unwrap_or(Slot::NONE);
            lanes.push(Lane {
                position,
                first: shared.clone(),
                agent,
                seed: own,
                episode: 0,
                canvas: Canvas::default(),
            });
        }
        let length = |lane: &Lane| match self.view {
            View::Nothing => 0,
            View::Full => full_length(lane.position.state().world.cast.bounds),
            View::Partial(radius) => partial_length(radius),
        };
        self.length = lanes.first().map_or(0, length);
        if lanes.iter().any(|lane| length(lane) != self.length) {
            return Err(GridError::new("SIZES_DIFFER", "these worlds differ in size; use a partial view"));
        }
        self.blocks.clear();
        while !lanes.is_empty() {
            let rest = lanes.split_off(lanes.len().min(BLOCK));
            self.blocks.push(Block { lanes, resolver: Resolver::default() });
            lanes = rest;
        }
        Ok(())
    }

    /// Makes the next step write its observations whole, whatever is in the buffer.
    pub fn forget_buffer(&mut self) {
        self.buffer = 0;
    }

    /// Writes the observations of all worlds as they are.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if the buffer does not fit.
    pub fn observe(&self, observations: &mut [u8]) -> Result<()> {
        fits("observations", observations.len(), self.lanes * self.length)?;
        if self.length == 0 {
            return Ok(());
        }
        let lanes = self.blocks.iter().flat_map(|block| &block.lanes);
        for (lane, out) in lanes.zip(observations.chunks_mut(self.length)) {
            lane.write(self.view, out);
        }
        Ok(())
    }

    /// Which of the seven actions are allowed, for every world: all of them, for a world that is
    /// over has begun again.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if the buffer does not fit.
    pub fn action_masks(&self, masks: &mut [bool]) -> Result<()> {
        fits("masks", masks.len(), self.lanes * Deed::ALL.len())?;
        let lanes = self.blocks.iter().flat_map(|block| &block.lanes);
        for (lane, mask) in lanes.zip(masks.chunks_mut(Deed::ALL.len())) {
            mask.fill(lane.position.state().world.is_active(lane.agent));
        }
        Ok(())
    }

    /// Steps every world by one action index each.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if a buffer does not fit, `BAD_ACTION` for an index past 6; nothing is stepped then.
    pub fn step(&mut self, actions: &[u8], frame: &mut Frame) -> Result<()> {
        fits("actions", actions.len(), self.lanes)?;
        fits("observations", frame.observations.len(), self.lanes * self.length)?;
        fits("rewards", frame.rewards.len(), self.lanes)?;
        fits("terminated", frame.terminated.len(), self.lanes)?;
        fits("truncated", frame.truncated.len(), self.lanes)?;
        if let Some(lane) = actions.iter().position(|action| usize::from(*action) >= Deed::ALL.len()) {
            let message = format!("{} is no action index; use 0 to 6", actions[lane]);
            return Err(GridError::new("BAD_ACTION", message).field(format!("actions[{lane}]")));
        }
        let address = frame.observations.as_ptr().addr();
        if std::mem::replace(&mut self.buffer, address) != address {
            let lanes = self.blocks.iter_mut().flat_map(|block| &mut block.lanes);
            lanes.for_each(|lane| lane.canvas.forget());
        }
        let (game, setup, view) = (&*self.game, &self.setup, self.view);
        let blocks = &mut self.blocks;
        let mut parts = split(actions, frame, self.length);
        let work = |block: &mut Block, part: &mut Part| block.step(game, setup, view, part);
        match &self.threads {
            Some(pool) => pool.install(|| {
                blocks
                    .par_iter_mut()
                    .zip(parts.par_iter_mut())
                    .try_for_each(|(block, part)| work(block, part))
            }),
            None => blocks.iter_mut().zip(&mut parts).try_for_each(|(block, part)| work(block, part)),
        }
    }
}

/// The part of a frame that belongs to one block.
struct Part<'a> {
    actions: &'a [u8],
    observations: &'a mut [u8],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
}

fn split<'a>(actions: &'a [u8], frame: &'a mut Frame, length: usize) -> Vec<Part<'a>> {
    let mut observations = &mut *frame.observations;
    let numbers = actions.chunks(BLOCK).zip(frame.rewards.chunks_mut(BLOCK));
    let flags = frame.terminated.chunks_mut(BLOCK).zip(frame.truncated.chunks_mut(BLOCK));
    let mut parts = Vec::with_capacity(actions.len().div_ceil(BLOCK));
    for ((actions, rewards), (terminated, truncated)) in numbers.zip(flags) {
        let (own, rest) = observations.split_at_mut(actions.len() * length);
        observations = rest;
        parts.push(Part { actions, observations: own, rewards, terminated, truncated });
    }
    parts
}

impl Block {
    fn step(&mut self, game: &Grid, setup: &Setup, view: View, part: &mut Part) -> Result<()> {
        let length = part.observations.len() / self.lanes.len().max(1);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let deed = Deed::ALL[usize::from(part.actions[number])];
            let before = lane.position.state().world.live.score;
            let input = Input::Act(Action::step(deed));
            // Without an agent on the board, or past the budget of effects, nothing can go on.
            let stuck = !lane.position.state().world.is_active(lane.agent)
                || self.resolver.act_unchecked(game, &mut lane.position, &input, &mut Off).is_err();
            let live = &lane.position.state().world.live;
            part.rewards[number] = (live.score - before) as f32;
            part.terminated[number] = live.win;
            part.truncated[number] = live.lose || stuck;
            if live.win || live.lose || stuck {
                lane.begin_again(game, setup)?;
            }
            if length > 0 {
                lane.update(view, &mut part.observations[number * length..(number + 1) * length]);
            }
        }
        Ok(())
    }
}

impl Lane {
    fn begin_again(&mut self, game: &Grid, setup: &Setup) -> Result<()> {
        self.episode += 1;
        match &self.first {
            Some(first) => self.position.clone_from(first),
            None => self.position = Position::new(start(game, setup, episode_seed(self.seed, self.episode))?),
        }
        self.agent = self.position.state().world.first_agent().unwrap_or(Slot::NONE);
        Ok(())
    }

    fn update(&mut self, view: View, out: &mut [u8]) {
        match view {
            View::Full => self.canvas.update(&self.position.state().world, self.agent, out),
            _ => self.write(view, out),
        }
    }

    fn write(&self, view: View, out: &mut [u8]) {
        let world = &self.position.state().world;
        match view {
            View::Nothing => {}
            View::Full => observe_full(world, self.agent, out),
            View::Partial(radius) => observe_partial(world, self.agent, radius, out),
        }
    }
}

fn start(game: &Grid, setup: &Setup, seed: u64) -> Result<crate::state::State> {
    game.start(setup, seed).map_err(|refusal| GridError::new("BAD_SETUP", refusal.to_string()))
}

/// Seeds of later episodes lie far apart, and fit into what the reference accepts.
fn episode_seed(lane: u64, episode: u64) -> u64 {
    let mixed = lane.wrapping_add(episode.wrapping_mul(0xD1B5_4A32_D192_ED03));
    (mixed ^ (mixed >> 29)) & 0x3fff_ffff
}

fn fits(name: &str, length: usize, wanted: usize) -> Result<()> {
    if length == wanted {
        return Ok(());
    }
    Err(GridError::new("WRONG_LENGTH", format!("{length} entries, but {wanted} are needed")).field(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::empty_world;
    use crate::generate::Recipe;
    use turnstone::dice::{Draw, Lots, Stream};

    fn play(threads: usize, steps: usize) -> (Vec<u8>, Vec<f32>, Vec<bool>) {
        let setup = Setup::Generated(Recipe::named("maze").unwrap());
        let batch = BatchEnv::new(Grid::default(), setup, 70, View::Full, 5).unwrap();
        let mut batch = batch.with_threads(threads).unwrap();
        let mut lots = Lots::new(1, Stream::named("test"));
        let mut observations = vec![0; 70 * batch.observation_length()];
        let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 70], vec![false; 70], vec![false; 70]);
        let (mut sums, mut ends) = (vec![0.0; 70], Vec::new());
        for _ in 0..steps {
            let actions: Vec<u8> = (0..70).map(|_| lots.below(7) as u8).collect();
            let mut frame = Frame {
                observations: &mut observations,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
            };
            batch.step(&actions, &mut frame).unwrap();
            sums.iter_mut().zip(&rewards).for_each(|(sum, reward)| *sum += reward);
            ends.extend(truncated.iter().zip(&terminated).map(|(lost, won)| *lost || *won));
        }
        (observations, sums, ends)
    }

    #[test]
    fn threads_do_not_matter() {
        let alone = play(1, 60);
        assert_eq!(alone, play(3, 60));
        assert!(alone.2.iter().any(|end| *end), "some world should have ended");
    }

    #[test]
    fn a_world_that_ends_begins_again() {
        let setup = Setup::World(empty_world().to_document());
        let mut batch = BatchEnv::new(Grid::default(), setup, 1, View::Nothing, 0).unwrap();
        let (mut rewards, mut terminated, mut truncated) = ([0.0], [false], [false]);
        let mut won = false;
        for action in [3, 3, 3, 3, 1, 1, 1, 1] {
            let mut frame = Frame {
                observations: &mut [],
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
            };
            batch.step(&[action], &mut frame).unwrap();
            won |= terminated[0];
        }
        assert!(won);
        assert_eq!(batch.world(0).unwrap().live.turn, 0);
    }

    #[test]
    fn wrong_buffers_are_refused() {
        let setup = Setup::World(empty_world().to_document());
        let mut batch = BatchEnv::new(Grid::default(), setup, 2, View::Partial(2), 0).unwrap();
        let mut frame = Frame {
            observations: &mut [],
            rewards: &mut [0.0; 2],
            terminated: &mut [false; 2],
            truncated: &mut [false; 2],
        };
        assert_eq!(batch.step(&[0, 0], &mut frame).unwrap_err().code, "WRONG_LENGTH");
        let mut observations = vec![0; 2 * batch.observation_length()];
        frame.observations = &mut observations;
        assert_eq!(batch.step(&[0, 9], &mut frame).unwrap_err().code, "BAD_ACTION");
        assert!(batch.step(&[0, 0], &mut frame).is_ok());
    }
}
