//! Many worlds at once, for learners: one call steps them all and writes what
//! they look like into buffers of the caller's. Results do not depend on the
//! number of threads, nor on where a buffer lies.
//!
//! *Terminated* and *truncated* mean what Gymnasium means by them: winning and
//! dying are ends by rule, and a learner expects nothing after them; only the
//! limit of steps cuts a world short that could have gone on. The last
//! observation of an episode is kept ([`BatchEnv::finished`]), whenever the
//! world begins again ([`Autoreset`]).

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

/// When a world that has ended begins again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step that ended it: the observation is already that of the new beginning.
    #[default]
    SameStep,
    /// In the next step, whose action is not looked at and whose reward is 0.
    NextStep,
    /// When [`BatchEnv::begin_again`] is called; until then steps change nothing and tell the same end.
    Disabled,
}

/// Where a batch writes: one entry per world, and one observation after the other.
pub struct Frame<'a> {
    /// Observations; see [`BatchEnv::observation_length`]. Whatever was in the buffer is written over.
    pub observations: &'a mut [u8],
    /// What this very buffer shows already, from [`BatchEnv::canvases`]: full views are then written
    /// only where something changed. They belong to one buffer, which nobody else may write to;
    /// `None` writes everything.
    pub canvases: Option<&'a mut [Canvas]>,
    /// The change of the score.
    pub rewards: &'a mut [f32],
    /// The world ended by its rules in this step: the objective was reached, or the agent is dead.
    pub terminated: &'a mut [bool],
    /// The world was cut short in this step: it has no more turns.
    pub truncated: &'a mut [bool],
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The objective was reached.
    Won,
    /// The agent is dead, or gone from the board.
    Lost,
    /// The limit of turns was reached.
    OutOfTime,
    /// A single step would have taken more effects than the rules allow.
    OverBudget,
}

impl Ending {
    /// Whether the rules of the world ended it.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }

    fn of(world: &World, agent: Slot) -> Option<Self> {
        let (live, active) = (&world.live, world.is_active(agent));
        match (live.win, live.lose) {
            (true, _) => Some(Self::Won),
            (false, true) if active && world.is_out_of_time() => Some(Self::OutOfTime),
            (false, true) => Some(Self::Lost),
            (false, false) => (!active).then_some(Self::Lost),
        }
    }
}

/// An episode that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Episode {
    /// The seed of the match that would repeat it.
    pub seed: u64,
    /// How it ended.
    pub ending: Ending,
    /// Steps taken.
    pub turns: i64,
    /// Points at the end.
    pub score: i64,
    /// The last observation.
    pub observation: Vec<u8>,
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
/// let mut canvases = batch.canvases();
/// let mut frame = Frame {
///     observations: &mut observations,
///     canvases: Some(&mut canvases),
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
    terms: Terms,
    blocks: Vec<Block>,
    lanes: usize,
    length: usize,
    threads: Option<ThreadPool>,
}

/// What holds for every world of a batch.
#[derive(Clone, Copy)]
struct Terms {
    view: View,
    autoreset: Autoreset,
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
    /// The world has ended and waits for its new beginning.
    over: bool,
    /// The episode that ended last; its buffers are used again and again.
    last: Option<Episode>,
    /// Whether that was in the latest step.
    just_ended: bool,
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
            terms: Terms { view, autoreset: Autoreset::default() },
            blocks: Vec::new(),
            lanes,
            length: 0,
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

    /// Worlds that end begin again at that time.
    pub fn with_autoreset(mut self, autoreset: Autoreset) -> Self {
        self.terms.autoreset = autoreset;
        self
    }

    /// How many worlds there are.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Bytes of one world's observation.
    pub fn observation_length(&self) -> usize {
        self.length
    }

    fn lane(&self, lane: usize) -> Option<&Lane> {
        self.blocks.get(lane / BLOCK)?.lanes.get(lane % BLOCK)
    }

    fn each(&self) -> impl Iterator<Item = &Lane> {
        self.blocks.iter().flat_map(|block| &block.lanes)
    }

    /// The world of a lane as it is now.
    pub fn world(&self, lane: usize) -> Option<&World> {
        self.lane(lane).map(|lane| &lane.position.state().world)
    }

    /// The episode of a lane that ended in the latest step.
    pub fn finished(&self, lane: usize) -> Option<&Episode> {
        self.lane(lane).filter(|lane| lane.just_ended)?.last.as_ref()
    }

    /// What a buffer shows that nothing was written to yet: one entry per world. Every buffer needs
    /// its own.
    pub fn canvases(&self) -> Vec<Canvas> {
        vec![Canvas::default(); self.lanes]
    }

    /// Begins the world of one lane anew, as its next episode.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, and as [`BatchEnv::new`].
    pub fn begin_again(&mut self, lane: usize) -> Result<()> {
        let found = self.blocks.get_mut(lane / BLOCK).and_then(|block| block.lanes.get_mut(lane % BLOCK));
        let none =
            || GridError::new("UNKNOWN_LANE", format!("there are {} lanes, and no {lane}", self.lanes));
        found.ok_or_else(none)?.begin_again(&self.game, &self.setup)
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
            let own = mix(seed, number as u64);
            let position: Position<Grid> = match &shared {
                Some(first) => Position::clone(first),
                None => Position::new(start(&self.game, &self.setup, mix(own, 0))?),
            };
            lanes.push(Lane::new(position, shared.clone(), own));
        }
        self.length = lanes.first().map_or(0, |lane| lane.length(self.terms.view));
        if lanes.iter().any(|lane| lane.length(self.terms.view) != self.length) {
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

    /// Writes the observations of all worlds as they are.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if the buffer does not fit.
    pub fn observe(&self, observations: &mut [u8]) -> Result<()> {
        fits("observations", observations.len(), self.lanes * self.length)?;
        if self.length == 0 {
            return Ok(());
        }
        for (lane, out) in self.each().zip(observations.chunks_mut(self.length)) {
            lane.write(self.terms.view, out);
        }
        Ok(())
    }

    /// Steps every world by one action index each.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if a buffer does not fit, `BAD_ACTION` for an index past 6; nothing is stepped then.
    pub fn step(&mut self, actions: &[u8], frame: &mut Frame) -> Result<()> {
        self.check(actions, frame)?;
        let (game, setup, terms) = (&*self.game, &self.setup, self.terms);
        let blocks = &mut self.blocks;
        let mut parts = split(actions, frame, self.length);
        let work = |block: &mut Block, part: &mut Part| block.step(game, setup, terms, part);
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

    fn check(&self, actions: &[u8], frame: &Frame) -> Result<()> {
        fits("actions", actions.len(), self.lanes)?;
        fits("observations", frame.observations.len(), self.lanes * self.length)?;
        fits("canvases", frame.canvases.as_ref().map_or(self.lanes, |list| list.len()), self.lanes)?;
        fits("rewards", frame.rewards.len(), self.lanes)?;
        fits("terminated", frame.terminated.len(), self.lanes)?;
        fits("truncated", frame.truncated.len(), self.lanes)?;
        if let Some(lane) = actions.iter().position(|action| usize::from(*action) >= Deed::ALL.len()) {
            let message = format!("{} is no action index; use 0 to 6", actions[lane]);
            return Err(GridError::new("BAD_ACTION", message).field(format!("actions[{lane}]")));
        }
        Ok(())
    }
}

/// The part of a frame that belongs to one block.
struct Part<'a> {
    actions: &'a [u8],
    observations: &'a mut [u8],
    canvases: Option<&'a mut [Canvas]>,
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
}

fn split<'a>(actions: &'a [u8], frame: &'a mut Frame, length: usize) -> Vec<Part<'a>> {
    let mut observations = &mut *frame.observations;
    let mut canvases = frame.canvases.as_deref_mut().map(|list| list.chunks_mut(BLOCK));
    let numbers = actions.chunks(BLOCK).zip(frame.rewards.chunks_mut(BLOCK));
    let flags = frame.terminated.chunks_mut(BLOCK).zip(frame.truncated.chunks_mut(BLOCK));
    let mut parts = Vec::with_capacity(actions.len().div_ceil(BLOCK));
    for ((actions, rewards), (terminated, truncated)) in numbers.zip(flags) {
        let (own, rest) = observations.split_at_mut(actions.len() * length);
        observations = rest;
        let canvases = canvases.as_mut().and_then(Iterator::next);
        parts.push(Part { actions, observations: own, canvases, rewards, terminated, truncated });
    }
    parts
}

impl Block {
    fn step(&mut self, game: &Grid, setup: &Setup, terms: Terms, part: &mut Part) -> Result<()> {
        let length = part.observations.len() / self.lanes.len().max(1);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let deed = Deed::ALL[usize::from(part.actions[number])];
            let (reward, ending) = lane.step(game, setup, terms, deed, &mut self.resolver)?;
            part.rewards[number] = reward;
            part.terminated[number] = ending.is_some_and(Ending::is_terminal);
            part.truncated[number] = ending.is_some_and(|ending| !ending.is_terminal());
            if length > 0 {
                let out = &mut part.observations[number * length..(number + 1) * length];
                lane.show(terms.view, part.canvases.as_mut().map(|list| &mut list[number]), out);
            }
        }
        Ok(())
    }
}

impl Lane {
    fn new(position: Position<Grid>, first: Option<Arc<Position<Grid>>>, seed: u64) -> Self {
        let agent = position.state().world.first_agent().unwrap_or(Slot::NONE);
        Self { position, first, agent, seed, episode: 0, over: false, last: None, just_ended: false }
    }

    fn length(&self, view: View) -> usize {
        match view {
            View::Nothing => 0,
            View::Full => full_length(self.position.state().world.cast.bounds),
            View::Partial(radius) => partial_length(radius),
        }
    }

    /// One step: the reward, and how the episode ended if it did.
    #[inline]
    fn step(
        &mut self,
        game: &Grid,
        setup: &Setup,
        terms: Terms,
        deed: Deed,
        resolver: &mut Resolver<Grid>,
    ) -> Result<(f32, Option<Ending>)> {
        self.just_ended = false;
        if self.over {
            return self.rest(game, setup, terms.autoreset);
        }
        let before = self.position.state().world.live.score;
        let input = Input::Act(Action::step(deed));
        let world = &self.position.state().world;
        // Who is not on the board can do nothing.
        let over_budget = world.is_active(self.agent)
            && resolver.act_unchecked(game, &mut self.position, &input, &mut Off).is_err();
        let world = &self.position.state().world;
        let reward = (world.live.score - before) as f32;
        let ending = if over_budget { Some(Ending::OverBudget) } else { Ending::of(world, self.agent) };
        if let Some(ending) = ending {
            self.end(terms.view, ending);
            if terms.autoreset == Autoreset::SameStep {
                self.begin_again(game, setup)?;
                self.just_ended = true;
            }
        }
        Ok((reward, ending))
    }

    /// A step of a world that is over.
    fn rest(&mut self, game: &Grid, setup: &Setup, autoreset: Autoreset) -> Result<(f32, Option<Ending>)> {
        if autoreset == Autoreset::Disabled {
            return Ok((0.0, self.last.as_ref().map(|last| last.ending)));
        }
        self.begin_again(game, setup)?;
        Ok((0.0, None))
    }

    /// Keeps what the episode came to.
    fn end(&mut self, view: View, ending: Ending) {
        let mut observation = self.last.take().map_or(Vec::new(), |last| last.observation);
        observation.resize(self.length(view), 0);
        self.write(view, &mut observation);
        let live = &self.position.state().world.live;
        let (turns, score) = (live.turn, live.score);
        self.last = Some(Episode { seed: mix(self.seed, self.episode), ending, turns, score, observation });
        (self.over, self.just_ended) = (true, true);
    }

    fn begin_again(&mut self, game: &Grid, setup: &Setup) -> Result<()> {
        self.episode += 1;
        match &self.first {
            Some(first) => self.position.clone_from(first),
            None => self.position = Position::new(start(game, setup, mix(self.seed, self.episode))?),
        }
        self.agent = self.position.state().world.first_agent().unwrap_or(Slot::NONE);
        (self.over, self.just_ended) = (false, false);
        Ok(())
    }

    /// Writes the observation: whole, or where it differs from what is there.
    #[inline]
    fn show(&self, view: View, canvas: Option<&mut Canvas>, out: &mut [u8]) {
        match (view, canvas) {
            (View::Full, Some(canvas)) => canvas.update(&self.position.state().world, self.agent, out),
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

/// The seed of a lane, from that of the batch and its number; the seed of an episode, from that of its
/// lane. All 64 bits count, and neighbours have nothing in common.
fn mix(seed: u64, number: u64) -> u64 {
    let mut bits = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
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
    use crate::level::LevelFile;
    use std::collections::BTreeSet;
    use turnstone::dice::{Draw, Lots, Stream};

    /// A batch with the buffers of one learner.
    struct Learner {
        batch: BatchEnv,
        observations: Vec<u8>,
        canvases: Vec<Canvas>,
        rewards: Vec<f32>,
        terminated: Vec<bool>,
        truncated: Vec<bool>,
    }

    impl Learner {
        fn new(batch: BatchEnv) -> Self {
            let lanes = batch.lanes();
            Self {
                observations: vec![0; lanes * batch.observation_length()],
                canvases: batch.canvases(),
                rewards: vec![0.0; lanes],
                terminated: vec![false; lanes],
                truncated: vec![false; lanes],
                batch,
            }
        }

        /// One world, from the text of a level, seen whole.
        fn of(text: &str, autoreset: Autoreset) -> Self {
            let level = LevelFile::from_text(text).unwrap().to_level().unwrap();
            let setup = Setup::World(level.to_document());
            let batch = BatchEnv::new(Grid::default(), setup, 1, View::Full, 0).unwrap();
            Self::new(batch.with_autoreset(autoreset))
        }

        fn step(&mut self, actions: &[u8]) -> (f32, bool, bool) {
            let mut frame = Frame {
                observations: &mut self.observations,
                canvases: Some(&mut self.canvases),
                rewards: &mut self.rewards,
                terminated: &mut self.terminated,
                truncated: &mut self.truncated,
            };
            self.batch.step(actions, &mut frame).unwrap();
            (self.rewards[0], self.terminated[0], self.truncated[0])
        }
    }

    const RIGHT: u8 = 3;
    const WAIT: u8 = 6;

    fn maze(lanes: usize, seed: u64) -> BatchEnv {
        let setup = Setup::Generated(Recipe::named("maze").unwrap());
        BatchEnv::new(Grid::default(), setup, lanes, View::Full, seed).unwrap()
    }

    fn play(threads: usize, steps: usize) -> (Vec<u8>, Vec<f32>, Vec<bool>) {
        let mut learner = Learner::new(maze(70, 5).with_threads(threads).unwrap());
        let mut lots = Lots::new(1, Stream::named("test"));
        let (mut sums, mut ends) = (vec![0.0; 70], Vec::new());
        for _ in 0..steps {
            let actions: Vec<u8> = (0..70).map(|_| lots.below(7) as u8).collect();
            learner.step(&actions);
            sums.iter_mut().zip(&learner.rewards).for_each(|(sum, reward)| *sum += reward);
            ends.extend(learner.truncated.iter().zip(&learner.terminated).map(|(lost, won)| *lost || *won));
        }
        (learner.observations, sums, ends)
    }

    #[test]
    fn threads_do_not_matter() {
        let alone = play(1, 60);
        assert_eq!(alone, play(3, 60));
        assert!(alone.2.iter().any(|end| *end), "some world should have ended");
    }

    #[test]
    fn a_lane_does_not_depend_on_how_many_there_are() {
        let (one, many) = (maze(1, 9), maze(40, 9));
        assert_eq!(one.world(0).unwrap().to_document(), many.world(0).unwrap().to_document());
        assert_ne!(many.world(0).unwrap().to_document(), many.world(39).unwrap().to_document());
    }

    #[test]
    fn victory_and_death_terminate_and_only_time_truncates() {
        let end = |text: &str, action| {
            let mut learner = Learner::of(text, Autoreset::SameStep);
            let (_, terminated, truncated) = learner.step(&[action]);
            (terminated, truncated, learner.batch.finished(0).map(|episode| episode.ending))
        };
        let head = "floor: 0\nobjective: exit\n";
        assert_eq!(end(&format!("{head}\n@E"), RIGHT), (true, false, Some(Ending::Won)));
        assert_eq!(end(&format!("{head}\n@~E"), RIGHT), (true, false, Some(Ending::Lost)));
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@.E"), WAIT), (false, true, Some(Ending::OutOfTime)));
        // Who dies in the last turn is dead, not late.
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@~E"), RIGHT), (true, false, Some(Ending::Lost)));
        assert_eq!(end(&format!("{head}turn_limit: 1\n\n@E"), RIGHT), (true, false, Some(Ending::Won)));
        assert_eq!(end(&format!("{head}turn_limit: 2\n\n@.E"), RIGHT), (false, false, None));
    }

    const TWO_STEPS: &str = "objective: exit\n\n@.E";

    #[test]
    fn the_last_observation_is_kept() {
        for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
            let mut learner = Learner::of(TWO_STEPS, autoreset);
            let length = learner.batch.observation_length();
            learner.step(&[RIGHT]);
            assert_eq!(learner.batch.finished(0), None);
            learner.step(&[RIGHT]);
            let episode = learner.batch.finished(0).unwrap();
            assert_eq!((episode.turns, episode.score, episode.observation.len()), (2, -1, length));
            let here = |observation: &[u8]| {
                observation.chunks(crate::observe::PLANES).position(|cell| cell[27] == 1)
            };
            assert_eq!(here(&episode.observation), Some(2));
            let shown = if autoreset == Autoreset::SameStep { Some(0) } else { Some(2) };
            assert_eq!(here(&learner.observations), shown, "{autoreset:?}");
        }
    }

    #[test]
    fn a_world_begins_again_when_it_was_asked_to() {
        let mut next = Learner::of(TWO_STEPS, Autoreset::NextStep);
        next.step(&[RIGHT]);
        assert_eq!(next.step(&[RIGHT]), (0.0, true, false));
        assert_eq!(next.step(&[RIGHT]), (0.0, false, false), "the new beginning, whatever the action");
        assert_eq!(next.batch.world(0).unwrap().live.turn, 0);
        assert_eq!(next.batch.finished(0), None);
        let mut never = Learner::of(TWO_STEPS, Autoreset::Disabled);
        never.step(&[RIGHT]);
        for _ in 0..3 {
            assert_eq!(never.step(&[RIGHT]), (0.0, true, false));
        }
        never.batch.begin_again(0).unwrap();
        assert_eq!(never.step(&[RIGHT]), (-1.0, false, false));
        assert_eq!(never.batch.begin_again(1).unwrap_err().code, "UNKNOWN_LANE");
    }

    #[test]
    fn seeds_of_episodes_have_64_bits() {
        let seeds = (0..1_000).flat_map(|lane| (0..100).map(move |episode| mix(mix(7, lane), episode)));
        let seeds: BTreeSet<u64> = seeds.collect();
        assert_eq!(seeds.len(), 100_000, "no two alike");
        for bit in 0..64 {
            let set = seeds.iter().filter(|seed| **seed >> bit & 1 == 1).count();
            assert!((49_000..51_000).contains(&set), "bit {bit} is set in {set} of 100,000");
        }
    }

    /// Allocators hand out the same place again and again; what lies there is another buffer.
    #[test]
    fn where_a_buffer_lies_does_not_matter() {
        let mut learner = Learner::new(maze(3, 2));
        let mut expected = learner.observations.clone();
        for number in 0..12 {
            learner.observations.fill(77);
            learner.canvases = learner.batch.canvases();
            learner.step(&[number % 7; 3]);
            learner.batch.observe(&mut expected).unwrap();
            assert_eq!(learner.observations, expected, "step {number}");
        }
        let mut others = (learner.observations.clone(), learner.batch.canvases());
        for number in 0..24 {
            std::mem::swap(&mut learner.observations, &mut others.0);
            std::mem::swap(&mut learner.canvases, &mut others.1);
            learner.step(&[number % 7; 3]);
            learner.batch.observe(&mut expected).unwrap();
            assert_eq!(learner.observations, expected, "two buffers in turn, step {number}");
        }
    }

    #[test]
    fn without_canvases_everything_is_written() {
        let mut batch = maze(2, 3);
        let mut observations = vec![77; 2 * batch.observation_length()];
        let mut expected = observations.clone();
        for number in 0..6 {
            observations.fill(77);
            let mut frame = Frame {
                observations: &mut observations,
                canvases: None,
                rewards: &mut [0.0; 2],
                terminated: &mut [false; 2],
                truncated: &mut [false; 2],
            };
            batch.step(&[number; 2], &mut frame).unwrap();
            batch.observe(&mut expected).unwrap();
            assert_eq!(observations, expected);
        }
    }

    #[test]
    fn wrong_buffers_are_refused() {
        let setup = Setup::World(empty_world().to_document());
        let mut batch = BatchEnv::new(Grid::default(), setup, 2, View::Partial(2), 0).unwrap();
        let mut frame = Frame {
            observations: &mut [],
            canvases: None,
            rewards: &mut [0.0; 2],
            terminated: &mut [false; 2],
            truncated: &mut [false; 2],
        };
        assert_eq!(batch.step(&[0, 0], &mut frame).unwrap_err().code, "WRONG_LENGTH");
        let mut observations = vec![0; 2 * batch.observation_length()];
        frame.observations = &mut observations;
        assert_eq!(batch.step(&[0, 9], &mut frame).unwrap_err().code, "BAD_ACTION");
        frame.canvases = Some(&mut []);
        assert_eq!(batch.step(&[0, 0], &mut frame).unwrap_err().code, "WRONG_LENGTH");
        frame.canvases = None;
        assert!(batch.step(&[0, 0], &mut frame).is_ok());
    }
}
