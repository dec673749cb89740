//! Many worlds at once: one call steps them all and writes what they look like into buffers of the caller's.
//! What a world does depends on the seed, its number and its actions, never on how many there are, on the number
//! of threads or on where a buffer lies.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde::{Deserialize, Serialize};
use turnstone::file::{self, Header};
use turnstone::{Match, Offers, Position, Rejection, Seat, Trace, Viewer};
use turnstone_host::Hosted;
use turnstone_host::scene::Scene;

use crate::coder::{Coder, Learned};
use crate::frame::{Frame, Lengths, Piece, fits};
use crate::lane::{Episode, Hands, Lane, Terms, Tools, below, mix};
use crate::opponent::Opponents;
use crate::part::{Layout, OFFERS_PART, Part, Sort};
use crate::plan::{Actions, Autoreset, Illegal, Plan, Which};
use crate::threads::Threads;
use crate::words::{FEATURES, Plain, tell};

/// Worlds per block: a block is stepped by one thread. Few enough that nobody waits long for who has the last one, and
/// enough that it is worth to be taken; at most as many as [`Block::ended`] has bits.
fn per_block(lanes: usize) -> usize {
    (lanes / 32).clamp(4, 16)
}

/// Which of the buffers that were announced with [`Batch::buffer`] a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer(pub usize);

/// N worlds of game `G` that step together.
///
/// ```
/// use turnstone_gym::{Batch, Buffers, Plan};
/// use turnstone_table::testing::Pebbles;
/// let plan = Plan { lanes: 3, ..Plan::default() };
/// let mut batch = Batch::plain(Pebbles.into(), (), plan)?;
/// let mut buffers = Buffers::new(3, batch.lengths());
/// batch.step(&[0, 1, 2], &mut buffers.frame(), None)?; // each claims another cell; the bot answers
/// assert_eq!(buffers.terminated, [false; 3]);
/// # Ok::<(), turnstone::Rejection>(())
/// ```
pub struct Batch<G: Hosted, C: Coder<G>> {
    terms: Terms<G, C>,
    blocks: Vec<Block<G>>,
    /// Worlds per block.
    size: usize,
    parts: Vec<Part>,
    lengths: Lengths,
    threads: Threads,
    /// One for each thread.
    hands: Vec<Mutex<Hands<G>>>,
    /// What each announced buffer shows of each world.
    shown: Vec<Vec<Shown<C::Canvas>>>,
}

struct Block<G: Hosted> {
    lanes: Vec<Lane<G>>,
    opponents: Opponents<G>,
    /// Which of its worlds are over, a bit for each, while only steps have touched them: who draws lots for all worlds
    /// need not fetch them all.
    ended: Option<u16>,
}

/// What a buffer shows of one world.
#[derive(Clone, Default)]
struct Shown<V> {
    canvas: V,
    /// The numbers that are marked as allowed.
    marks: Marks,
}

#[derive(Clone, Default)]
enum Marks {
    /// Nobody knows what is there.
    #[default]
    Anything,
    All,
    Some(Vec<u32>),
}

/// A block, its piece of the frame, what the buffer shows of its worlds, and what became of it.
type Job<'a, G, V> = ((&'a mut Block<G>, Piece<'a>), Option<&'a mut [Shown<V>]>, Result<(), Rejection>);

/// All worlds of a batch, as they are saved.
#[derive(Serialize, Deserialize)]
struct Saved<L> {
    format: u32,
    game: String,
    lanes: Vec<L>,
}

const FORMAT: u32 = 1;

impl<G: Hosted> Batch<G, Plain> {
    /// Worlds of a game without numbers of its own; inputs are counted as they are offered.
    ///
    /// # Errors
    /// A set-up or plan that is refused.
    pub fn plain(game: Arc<G>, setup: G::Setup, plan: Plan) -> Result<Self, Rejection> {
        let actions = match plan.actions {
            Actions::Fixed => Actions::Offered(OFFERS),
            offered => offered,
        };
        let coder = Plain { blind: !plan.taste.wants("view") };
        Layout::new(Coder::<G>::parts(&Plain::default()), &plan.taste)?;
        Batch::with_coder(game, setup, coder, Plan { actions, ..plan })
    }
}

/// A worker's hands. Nobody else wants them; what a panic left in them is thrown away.
fn lent<G: Hosted>(hands: &Mutex<Hands<G>>) -> MutexGuard<'_, Hands<G>> {
    hands.lock().unwrap_or_else(|left| {
        hands.clear_poison();
        let mut hands = left.into_inner();
        *hands = Hands::default();
        hands
    })
}

/// How many numbers of a sort there are.
fn sum(parts: &[Part], sort: Sort) -> usize {
    parts.iter().filter(|part| part.sort == sort).map(Part::length).sum()
}

/// How many offers are seen unless somebody asks for more or fewer.
pub const OFFERS: usize = 256;

/// Two frames of all worlds, which are filled in turn, take at most so much.
const MOST_BYTES: usize = 1 << 33;

impl<G: Learned> Batch<G, G::Coder> {
    /// Worlds of a game that has numbers of its own.
    ///
    /// # Errors
    /// A set-up or plan that is refused.
    pub fn new(game: Arc<G>, setup: G::Setup, plan: Plan) -> Result<Self, Rejection> {
        let first = Position::new(game.start(&setup, mix(mix(plan.seed, 0), 0))?);
        let coder = game.coder(&setup, &first, &plan.taste)?;
        Batch::with_coder(game, setup, coder, plan)
    }
}

impl<G: Hosted, C: Coder<G>> Batch<G, C> {
    /// Worlds with these numbers.
    ///
    /// # Errors
    /// `NO_WORLDS`, `TOO_MANY`, `NO_NUMBERS`, `UNKNOWN_SEAT`, `UNKNOWN_BOT`, `UNKNOWN_PART`, and a set-up that makes no
    /// world.
    pub fn with_coder(game: Arc<G>, setup: G::Setup, coder: C, plan: Plan) -> Result<Self, Rejection> {
        plan.check()?;
        let direct = plan.actions == Actions::Fixed && coder.is_direct();
        let plan = Plan { history: plan.history.max(1), ..plan };
        let mut parts = coder.parts();
        let sheet = Lengths { bytes: sum(&parts, Sort::U8), words: sum(&parts, Sort::I16), mask: 0 };
        let described = match plan.actions {
            Actions::Offered(count) if plan.taste.wants(OFFERS_PART) => count,
            Actions::Offered(_) | Actions::Fixed => 0,
        };
        if described > 0 {
            parts.push(Part::words(OFFERS_PART, &[described, FEATURES]).saying(
                "a row for each offer, in the order of their numbers: its words, each at the place that its letters \
                 choose, then the numbers in it",
            ));
        }
        if parts.is_empty() {
            return Err(Rejection::new("UNKNOWN_PART", "of the parts that were asked for none is there"));
        }
        let threads = Threads::new(plan.threads);
        let mut terms = Terms { game, setup, coder, plan, direct, first: None, sheet, described };
        if terms.numbers() == 0 {
            return Err(Rejection::new(
                "NO_NUMBERS",
                "there is nothing to choose from: no input has a number",
            ));
        }
        if terms.coder.begins_alike() {
            terms.first = Some(terms.start(terms.plan.seed)?);
        }
        let older = terms.plan.history - 1;
        let lengths = Lengths {
            bytes: sheet.bytes * (1 + older),
            words: sheet.words * older + sum(&parts, Sort::I16),
            mask: terms.numbers(),
        };
        // The present observation and the last one of an episode that ended.
        let seen = 2 * (lengths.bytes + 2 * lengths.words) + lengths.mask;
        let all = terms.plan.lanes.saturating_mul(2 * seen);
        if all > MOST_BYTES {
            let (all, most) = (all >> 20, MOST_BYTES >> 20);
            let text =
                format!("what is seen of these worlds would take {all} of at most {most} MB; ask for fewer");
            return Err(Rejection::new("TOO_MANY", text));
        }
        let size = per_block(terms.plan.lanes);
        let hands = (0..terms.plan.threads.max(1)).map(|_| Mutex::default()).collect();
        let mut batch =
            Batch { terms, blocks: Vec::new(), size, parts, lengths, threads, hands, shown: Vec::new() };
        let seed = batch.terms.plan.seed;
        batch.reset(seed)?;
        batch.check_seat(batch.terms.plan.seat)?;
        Ok(batch)
    }

    fn check_seat(&self, seat: Option<Seat>) -> Result<(), Rejection> {
        let Some(seat) = seat else { return Ok(()) };
        let seats = self.seats();
        if usize::from(seat) < seats.len() {
            return Ok(());
        }
        let text = format!("there is no seat {seat}: there are {} ({})", seats.len(), seats.join(", "));
        Err(Rejection::new("UNKNOWN_SEAT", text))
    }

    /// One name for each seat.
    pub fn seats(&self) -> Vec<String> {
        let first = self.each().next();
        first.map_or(Vec::new(), |lane| self.terms.game.seats(lane.position.state()))
    }

    /// The lengths of one observation as the coder writes it, without a history and without offers.
    pub(crate) fn sheet(&self) -> Lengths {
        self.terms.sheet
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.terms.game
    }

    /// What counts inputs and writes observations.
    pub fn coder(&self) -> &C {
        &self.terms.coder
    }

    /// What was wanted.
    pub fn plan(&self) -> &Plan {
        &self.terms.plan
    }

    /// How many worlds there are.
    pub fn lanes(&self) -> usize {
        self.terms.plan.lanes
    }

    /// How many numbers inputs have.
    pub fn numbers(&self) -> usize {
        self.terms.numbers()
    }

    /// What an observation is made of. With a history all parts of a sort stand as often as [`Plan::history`] says,
    /// sheet behind sheet, and the features of offers once behind them.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The lengths of one world's buffers.
    pub fn lengths(&self) -> Lengths {
        self.lengths
    }

    fn lane(&self, lane: usize) -> Result<&Lane<G>, Rejection> {
        let found = self.blocks.get(lane / self.size).and_then(|block| block.lanes.get(lane % self.size));
        found.ok_or_else(|| self.unknown(lane))
    }

    fn unknown(&self, lane: usize) -> Rejection {
        let text = format!("there are {} worlds, counted from 0, and no {lane}", self.lanes());
        Rejection::new("UNKNOWN_LANE", text)
    }

    fn each(&self) -> impl Iterator<Item = &Lane<G>> {
        self.blocks.iter().flat_map(|block| &block.lanes)
    }

    /// A world as it is now.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`.
    pub fn position(&self, lane: usize) -> Result<&Position<G>, Rejection> {
        Ok(&self.lane(lane)?.position)
    }

    /// The episode of a world that ended in the latest step.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`.
    pub fn finished(&self, lane: usize) -> Result<Option<&Episode>, Rejection> {
        let lane = self.lane(lane)?;
        Ok(lane.last.as_ref().filter(|_| lane.just_ended))
    }

    /// The episode of a world that ended last, whenever that was.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `NOT_ENDED`.
    pub fn last(&self, lane: usize) -> Result<&Episode, Rejection> {
        let none = || Rejection::new("NOT_ENDED", "no episode of this world has ended yet");
        self.lane(lane)?.last.as_ref().ok_or_else(none)
    }

    /// The number of a world's present episode, its seed, and the steps so far.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`.
    pub fn progress(&self, lane: usize) -> Result<(u64, u64, u32), Rejection> {
        self.lane(lane).map(|lane| (lane.episode, lane.match_seed, lane.steps))
    }

    /// How a seat stands in a world.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `UNKNOWN_SEAT`.
    pub fn standing(&self, lane: usize, seat: Seat) -> Result<f32, Rejection> {
        let lane = self.lane(lane)?;
        self.check_seat(Some(seat))?;
        Ok(self.terms.coder.standing(&self.terms.game, &lane.position, seat))
    }

    /// What a seat sees of a world, whoever is to act: one world's numbers of both sorts, as a frame holds them. A
    /// history is known of the learner's seat alone, if it has one.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `UNKNOWN_SEAT`.
    pub fn see(&self, lane: usize, seat: Seat) -> Result<(Vec<u8>, Vec<i16>), Rejection> {
        self.check_seat(Some(seat))?;
        let (mut bytes, mut words) = (vec![0; self.lengths.bytes], vec![0; self.lengths.words]);
        self.lane(lane)?.write_for(&self.terms, seat, &mut bytes, &mut words);
        Ok((bytes, words))
    }

    /// What is shown of a world as it is now to that viewer. Only who is to act sees options, and nothing tells what was
    /// done before: for that [`replay`](Batch::replay) it.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `UNKNOWN_SEAT`.
    pub fn scene(&self, lane: usize, viewer: Viewer) -> Result<Scene, Rejection> {
        let (game, position) = (&*self.terms.game, &self.lane(lane)?.position);
        if let Viewer::Seat(seat) = viewer {
            self.check_seat(Some(seat))?;
        }
        let asked = position.actor(game).is_none_or(|actor| viewer.may_see(actor));
        let mut inputs = match viewer {
            Viewer::Seat(_) | Viewer::All if asked => Offers::default().list(game, position).to_vec(),
            _ => Vec::new(),
        };
        if let Viewer::Seat(seat) = viewer {
            inputs.retain(|input| game.may_send(position, seat, input));
        }
        let mut scene = game.scene(position, &inputs, viewer);
        if let Some(pending) = position.pending() {
            let state = position.state();
            let known = game.redact_question(state, pending.seat, &pending.question, viewer);
            if known.as_ref() != Some(&pending.question) {
                scene.question = known.map(|part| game.tell_question(state, &part));
            }
        }
        Ok(scene)
    }

    /// An allowed number for every world, by lots that follow from this seed; 0 where nothing has one.
    ///
    /// # Errors
    /// `WRONG_LENGTH`.
    pub fn sample(&mut self, seed: u64, out: &mut [i64]) -> Result<(), Rejection> {
        fits("sample", out.len(), self.lanes())?;
        let (terms, size) = (&self.terms, self.size);
        let mut jobs: Vec<(&mut Block<G>, &mut [i64])> =
            self.blocks.iter_mut().zip(out.chunks_mut(self.size)).collect();
        let draw = |number: usize, (block, slots): &mut (&mut Block<G>, &mut [i64])| {
            block.sample(terms, (number * size..).map(|lane| mix(seed, lane as u64)), slots);
        };
        if jobs.iter().all(|(block, _)| block.known(terms).is_some()) {
            // Sooner done than handed out.
            jobs.iter_mut().enumerate().for_each(|(number, job)| draw(number, job));
            return Ok(());
        }
        self.threads.share(&mut jobs, |_, number, job| draw(number, job))
    }

    /// Announces a buffer that nobody else writes to: frames that are it are then written only where something
    /// has changed. What is in it now does not matter.
    pub fn buffer(&mut self) -> Buffer {
        self.shown.push(vec![Shown::default(); self.lanes()]);
        Buffer(self.shown.len() - 1)
    }

    /// Somebody has written to the announced buffers, or they show other worlds: the next frames are written whole.
    pub fn forget(&mut self) {
        let lanes = self.lanes();
        self.shown.iter_mut().for_each(|list| *list = vec![Shown::default(); lanes]);
    }

    /// Begins every world anew from this seed.
    ///
    /// # Errors
    /// A set-up that makes no world with one of the seeds.
    pub fn reset(&mut self, seed: u64) -> Result<(), Rejection> {
        self.terms.plan.seed = seed;
        let lanes = self.lanes();
        let (terms, hands, size) = (&self.terms, &self.hands, self.size);
        let make = |worker: usize, number: usize| -> Result<Block<G>, Rejection> {
            let mut opponents = Opponents::new(&terms.plan.opponent)?;
            let mut tools = Tools { hands: &mut lent(&hands[worker]), opponents: &mut opponents };
            let own = number * size..lanes.min((number + 1) * size);
            let lanes = own.map(|lane| Lane::new(terms, mix(seed, lane as u64), &mut tools));
            let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
            Ok(Block { lanes, opponents, ended: None })
        };
        let mut made: Vec<Option<Result<Block<G>, Rejection>>> = Vec::new();
        made.resize_with(lanes.div_ceil(size), || None);
        // By who will step them: worlds of two workers that lie side by side would be fetched to and fro.
        self.threads
            .share_strictly(&mut made, |worker, number, block| *block = Some(make(worker, number)))?;
        self.blocks = made.into_iter().flatten().collect::<Result<_, _>>()?;
        self.forget();
        Ok(())
    }

    /// Begins one world anew, as its next episode, or as the first of this seed, the same whichever world it is.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, and as [`reset`](Batch::reset).
    pub fn begin_again(&mut self, lane: usize, seed: Option<u64>) -> Result<(), Rejection> {
        let unknown = self.unknown(lane);
        let block = self.blocks.get_mut(lane / self.size);
        let Some(block) = block.filter(|block| lane % self.size < block.lanes.len()) else {
            return Err(unknown);
        };
        block.ended = None;
        let found = &mut block.lanes[lane % self.size];
        let mut tools = Tools { hands: &mut lent(&self.hands[0]), opponents: &mut block.opponents };
        match seed {
            Some(seed) => {
                *found = Lane::new(&self.terms, seed, &mut tools)?;
                self.shown.iter_mut().for_each(|list| list[lane] = Shown::default());
            }
            None => found.begin_again(&self.terms, &mut tools)?,
        }
        Ok(())
    }

    /// Writes all worlds as they are: observations, masks, seats; rewards and flags are cleared.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if a buffer does not fit.
    pub fn observe(&mut self, frame: &mut Frame, buffer: Option<Buffer>) -> Result<(), Rejection> {
        self.each_block(frame, buffer, |_, _, block, piece, shown, terms| {
            block.observe(terms, piece, shown);
            Ok(())
        })
    }

    /// Steps every world by one number each.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if a buffer does not fit; `ILLEGAL_ACTION` if a number stands for nothing and the plan
    /// refuses that. Nothing is stepped then. A world that cannot begin again is told too; all others were stepped.
    pub fn step(
        &mut self,
        actions: &[i64],
        frame: &mut Frame,
        buffer: Option<Buffer>,
    ) -> Result<(), Rejection> {
        fits("actions", actions.len(), self.lanes())?;
        if self.terms.plan.illegal == Illegal::Refuse {
            self.check(actions)?;
        }
        let size = self.size;
        self.each_block(frame, buffer, |hands, number, block, piece, shown, terms| {
            let own = &actions[number * size..][..block.lanes.len()];
            block.step(terms, own, hands, piece, shown)
        })
    }

    fn check(&self, actions: &[i64]) -> Result<(), Rejection> {
        let mut lanes = self.each().zip(actions).enumerate();
        let Some((lane, (_, action))) = lanes.find(|(_, (lane, action))| !lane.allows(&self.terms, **action))
        else {
            return Ok(());
        };
        let text = format!("{action} stands for nothing that world {lane} allows now; look at its mask");
        Err(Rejection::new("ILLEGAL_ACTION", text))
    }

    /// Lets every block do its work on its piece of the frame.
    fn each_block(
        &mut self,
        frame: &mut Frame,
        buffer: Option<Buffer>,
        work: impl Fn(
            &mut Hands<G>,
            usize,
            &mut Block<G>,
            &mut Piece,
            Option<&mut [Shown<C::Canvas>]>,
            &Terms<G, C>,
        ) -> Result<(), Rejection>
        + Sync,
    ) -> Result<(), Rejection> {
        let lanes = self.lanes();
        frame.check(lanes, self.lengths)?;
        let pieces = frame.again().pieces(lanes, self.size, self.lengths);
        let mut shown: Vec<Option<&mut [Shown<C::Canvas>]>> =
            match buffer.and_then(|buffer| self.shown.get_mut(buffer.0)) {
                Some(list) => list.chunks_mut(self.size).map(Some).collect(),
                None => pieces.iter().map(|_| None).collect(),
            };
        let (terms, hands) = (&self.terms, &self.hands);
        let jobs = self.blocks.iter_mut().zip(pieces).zip(shown.drain(..));
        let mut jobs: Vec<Job<'_, G, C::Canvas>> = jobs.map(|(work, shown)| (work, shown, Ok(()))).collect();
        // Every block does its work, whatever becomes of the others.
        self.threads.share(&mut jobs, |worker, number, ((block, piece), shown, done)| {
            let mut hands = lent(&hands[worker]);
            *done = work(&mut hands, number, block, piece, shown.as_deref_mut(), terms);
        })?;
        jobs.into_iter().try_for_each(|(_, _, done)| done)
    }

    /// Makes worlds copies of others: world `to[i]` becomes world `from[i]`, as all of them were before. What it becomes
    /// is an episode of its own, with the number after its last; the episodes that ended there before are kept as
    /// ever, and so are the seeds of later ones.
    ///
    /// # Errors
    /// `WRONG_LENGTH` if the lists differ in length, `UNKNOWN_LANE`; nothing is copied then.
    pub fn copy_lanes(&mut self, from: &[usize], to: &[usize]) -> Result<(), Rejection> {
        let record = self.terms.plan.record;
        fits("to", to.len(), from.len())?;
        if let Some(lane) = from.iter().chain(to).find(|lane| **lane >= self.lanes()) {
            return Err(self.unknown(*lane));
        }
        to.iter().for_each(|lane| self.blocks[lane / self.size].ended = None);
        // Who is both copied and written over is kept aside first.
        let mut written = vec![false; self.lanes()];
        to.iter().for_each(|lane| written[*lane] = true);
        let mut aside: BTreeMap<usize, Lane<G>> = BTreeMap::new();
        for lane in from.iter().filter(|lane| written[**lane]) {
            if let (false, Ok(found)) = (aside.contains_key(lane), self.lane(*lane)) {
                aside.insert(*lane, found.clone());
            }
        }
        for (from, to) in from.iter().zip(to).filter(|(from, to)| from != to) {
            match aside.get(from).filter(|_| written[*from]) {
                Some(kept) => self.blocks[to / self.size].lanes[to % self.size].copy(kept, record),
                None => self.copy_lane(*from, *to),
            }
        }
        Ok(())
    }

    fn copy_lane(&mut self, from: usize, to: usize) {
        let (size, record) = (self.size, self.terms.plan.record);
        let (from_block, to_block) = (from / size, to / size);
        if from_block == to_block {
            let lanes = &mut self.blocks[from_block].lanes;
            if let Ok([source, goal]) = lanes.get_disjoint_mut([from % size, to % size]) {
                goal.copy(source, record);
            }
        } else if let Ok([source, goal]) = self.blocks.get_disjoint_mut([from_block, to_block]) {
            goal.lanes[to % size].copy(&source.lanes[from % size], record);
        }
    }

    /// All worlds as bytes. They hold everything but the plan, the rules and the content.
    ///
    /// # Errors
    /// `UNWRITABLE`.
    pub fn save(&self) -> Result<Vec<u8>, Rejection> {
        let saved = Saved { format: FORMAT, game: G::NAME.to_owned(), lanes: self.each().collect() };
        serde_json::to_vec(&saved).map_err(|error| Rejection::new("UNWRITABLE", error.to_string()))
    }

    /// Brings back worlds that were saved by a batch of the same game, set-up and size.
    ///
    /// # Errors
    /// `BAD_SAVE`, and what is wrong with a world; nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Rejection> {
        let bad = |text: String| Rejection::new("BAD_SAVE", text);
        // As text, like everything that is read: a second reader of bytes would be compiled for every type of every game.
        let text = std::str::from_utf8(bytes).map_err(|error| bad(format!("not a saved batch: {error}")))?;
        let saved: Saved<Lane<G>> =
            serde_json::from_str(text).map_err(|error| bad(format!("not a saved batch: {error}")))?;
        if saved.format != FORMAT || saved.game != G::NAME {
            return Err(bad(format!("saved by {} in format {}", saved.game, saved.format)));
        }
        if saved.lanes.len() != self.lanes() {
            return Err(bad(format!(
                "{} worlds were saved, and there are {}",
                saved.lanes.len(),
                self.lanes()
            )));
        }
        let mut lanes = Vec::with_capacity(saved.lanes.len());
        for lane in saved.lanes {
            let position = lane.position.admit(&self.terms.game)?;
            self.terms.coder.admits(&self.terms.game, &position)?;
            lanes.push(Lane { position, ..lane });
        }
        let mut lanes = lanes.into_iter();
        for block in &mut self.blocks {
            block.lanes = lanes.by_ref().take(block.lanes.len()).collect();
            block.ended = None;
            let mut tools = Tools { hands: &mut lent(&self.hands[0]), opponents: &mut block.opponents };
            block.lanes.iter_mut().for_each(|lane| lane.list(&self.terms, &mut tools));
        }
        self.forget();
        Ok(())
    }

    /// An episode as a match file that others can replay and verify.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `NOT_RECORDED`, `NOT_ENDED`, `NOT_KEPT`; `UNWRITABLE`.
    pub fn match_file(&self, lane: usize, which: Which) -> Result<String, Rejection> {
        let played = self.replay(lane, which)?;
        let (game, seed) = (&self.terms.game, played.seed());
        let header = Header::new(G::NAME, game.ruleset(), game.content(), self.terms.setup.clone(), seed);
        let header = Header { rules: G::RULES, names: game.names(played.state()), ..header };
        file::write(&header, &played).map_err(|error| Rejection::new("UNWRITABLE", error.text))
    }

    /// Plays an episode once more, with everything recorded.
    ///
    /// # Errors
    /// As [`match_file`](Batch::match_file).
    pub fn replay(&self, lane: usize, which: Which) -> Result<Match<G, Trace<G>>, Rejection> {
        let lane = self.lane(lane)?;
        if self.terms.plan.record == 0 {
            return Err(Rejection::new("NOT_RECORDED", "inputs were not kept; ask for that in the plan"));
        }
        let (seed, record) = lane.recorded(which)?;
        let terms = &self.terms;
        let mut played = Match::new(Arc::clone(&terms.game), terms.setup.clone(), seed)?;
        for place in record {
            let place = usize::from(*place);
            let direct = || terms.coder.input(&terms.game, played.position(), place);
            let own = self.terms.direct
                && played.actor().is_none_or(|actor| terms.plan.seat.is_none_or(|s| s == actor));
            let input = if own { direct() } else { played.inputs().into_iter().nth(place) };
            let gone = || Rejection::new("UNWRITABLE", "the record does not fit the rules");
            played.act(input.ok_or_else(gone)?)?;
        }
        Ok(played)
    }

    /// What a number stands for in a world now, in words; `None` if it is not allowed.
    ///
    /// # Errors
    /// `UNKNOWN_LANE`, `UNKNOWN_ACTION`.
    pub fn describe(&self, lane: usize, number: usize) -> Result<Option<String>, Rejection> {
        let (lane, terms) = (self.lane(lane)?, &self.terms);
        self.check_number(number)?;
        if lane.over.is_some() {
            return Ok(None);
        }
        let input = if terms.direct {
            terms.coder.input(&terms.game, &lane.position, number)
        } else {
            let place = lane.numbers.iter().position(|known| *known as usize == number);
            place.map(|place| lane.inputs[place].clone())
        };
        Ok(input.map(|input| tell(&*terms.game, &lane.position, &input)))
    }

    /// What a number stands for in general, in words: whether it is allowed now is told by the masks, and what it comes
    /// to in a world by [`describe`](Batch::describe).
    ///
    /// # Errors
    /// `UNKNOWN_ACTION`.
    pub fn meaning(&self, number: usize) -> Result<String, Rejection> {
        self.check_number(number)?;
        let told = match self.terms.plan.actions {
            Actions::Fixed => self.terms.coder.meaning(&self.terms.game, number),
            Actions::Offered(_) => Some(format!("number {number} of what is offered, counted from 0")),
        };
        Ok(told.unwrap_or_else(|| "nothing".to_owned()))
    }

    fn check_number(&self, number: usize) -> Result<(), Rejection> {
        let numbers = self.numbers();
        if number < numbers {
            return Ok(());
        }
        let text = format!("there is no action {number}: they are counted from 0 to {}", numbers - 1);
        Err(Rejection::new("UNKNOWN_ACTION", text))
    }

    /// A digest of all worlds, the same on every machine.
    pub fn digest(&self) -> turnstone::digest::Digest {
        let lanes: Vec<_> =
            self.each().map(|lane| (lane.position.live().digest().0, lane.episode, lane.steps)).collect();
        turnstone::digest::digest(&lanes)
    }
}

impl<G: Hosted> Block<G> {
    /// Which worlds are over, where every number is allowed in the others.
    fn known<C: Coder<G>>(&self, terms: &Terms<G, C>) -> Option<u16> {
        self.ended.filter(|_| terms.direct)
    }

    /// An allowed number for every world, by these lots.
    fn sample<C: Coder<G>>(&self, terms: &Terms<G, C>, lots: impl Iterator<Item = u64>, out: &mut [i64]) {
        if let Some(ended) = self.known(terms) {
            let numbers = terms.numbers() as u64;
            for (number, (slot, lot)) in out.iter_mut().zip(lots).enumerate() {
                *slot = if ended >> number & 1 == 0 { below(lot, numbers) as i64 } else { 0 };
            }
            return;
        }
        for (lane, (slot, lot)) in self.lanes.iter().zip(out.iter_mut().zip(lots)) {
            *slot = lane.sample(terms, lot).map_or(0, i64::from);
        }
    }

    fn step<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        actions: &[i64],
        hands: &mut Hands<G>,
        piece: &mut Piece,
        mut shown: Option<&mut [Shown<C::Canvas>]>,
    ) -> Result<(), Rejection> {
        let mut tools = Tools { hands, opponents: &mut self.opponents };
        let lengths = Lane::<G>::lengths(piece, self.lanes.len());
        let (mut failed, mut ended) = (Ok(()), 0);
        for number in 0..self.lanes.len() {
            if let Some(next) = self.lanes.get(number + 1) {
                terms.coder.glance(&next.position);
            }
            let lane = &mut self.lanes[number];
            match lane.step(terms, actions[number], &mut tools) {
                Ok(done) => {
                    piece.rewards[number] = done.reward;
                    piece.illegal[number] = done.illegal;
                    piece.terminated[number] = done.ending.is_some_and(|ending| ending.is_terminal());
                    piece.truncated[number] = done.ending.is_some_and(|ending| !ending.is_terminal());
                }
                Err(rejection) => {
                    // It stays over, and what an earlier step left here is not this one's.
                    piece.rewards[number] = 0.0;
                    piece.illegal[number] = false;
                    piece.terminated[number] = lane.over.is_some_and(|ending| ending.is_terminal());
                    piece.truncated[number] = lane.over.is_some_and(|ending| !ending.is_terminal());
                    failed = Err(rejection);
                }
            }
            if lane.just_ended && terms.plan.autoreset == Autoreset::SameStep {
                if let Some(finals) = &mut piece.finals {
                    let (bytes, words) = lengths.of(number, finals.bytes, finals.words);
                    lane.write(terms, bytes, words);
                }
                failed = failed.and(lane.begin_again(terms, &mut tools));
                lane.just_ended = true;
            }
            lane.fill(terms, number, lengths, piece, shown.as_mut().map(|list| &mut list[number]));
            ended |= u16::from(lane.over.is_some()) << number;
        }
        self.ended = Some(ended);
        failed
    }

    fn observe<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        piece: &mut Piece,
        mut shown: Option<&mut [Shown<C::Canvas>]>,
    ) {
        let lengths = Lane::<G>::lengths(piece, self.lanes.len());
        piece.rewards.fill(0.0);
        piece.illegal.fill(false);
        for (number, lane) in self.lanes.iter().enumerate() {
            let over = lane.over.filter(|_| terms.plan.autoreset == Autoreset::Disabled);
            piece.terminated[number] = over.is_some_and(|ending| ending.is_terminal());
            piece.truncated[number] = over.is_some_and(|ending| !ending.is_terminal());
            lane.fill(terms, number, lengths, piece, shown.as_mut().map(|list| &mut list[number]));
        }
    }
}

impl Lengths {
    /// One world's part of two buffers.
    #[inline]
    fn of<'b>(self, lane: usize, bytes: &'b mut [u8], words: &'b mut [i16]) -> (&'b mut [u8], &'b mut [i16]) {
        (&mut bytes[lane * self.bytes..][..self.bytes], &mut words[lane * self.words..][..self.words])
    }
}

impl<G: Hosted> Lane<G> {
    fn lengths(piece: &Piece, lanes: usize) -> Lengths {
        let each = |length: usize| length / lanes.max(1);
        Lengths {
            bytes: each(piece.bytes.len()),
            words: each(piece.words.len()),
            mask: each(piece.mask.len()),
        }
    }

    /// Writes what a step leaves to be seen.
    #[inline]
    fn fill<C: Coder<G>>(
        &self,
        terms: &Terms<G, C>,
        number: usize,
        lengths: Lengths,
        piece: &mut Piece,
        shown: Option<&mut Shown<C::Canvas>>,
    ) {
        piece.seats[number] = self.seat(terms);
        piece.offered[number] = match (terms.direct, self.over) {
            (_, Some(_)) => 0,
            (true, None) => terms.numbers() as u32,
            (false, None) => self.inputs.len() as u32,
        };
        let (bytes, words) = lengths.of(number, piece.bytes, piece.words);
        let mask = &mut piece.mask[number * lengths.mask..][..lengths.mask];
        match shown {
            Some(shown) => {
                self.show(terms, &mut shown.canvas, bytes, words);
                self.mark(terms, &mut shown.marks, mask);
            }
            None => {
                self.write(terms, bytes, words);
                self.mark(terms, &mut Marks::Anything, mask);
            }
        }
    }

    /// Brings a mask up to date. In a world that is over the first number is marked, since something has to be sent.
    #[inline]
    fn mark<C: Coder<G>>(&self, terms: &Terms<G, C>, marks: &mut Marks, mask: &mut [bool]) {
        if !terms.direct || self.over.is_some() {
            return self.mark_some(marks, mask);
        }
        if !matches!(marks, Marks::All) {
            mask.fill(true);
            *marks = Marks::All;
        }
    }

    fn mark_some(&self, marks: &mut Marks, mask: &mut [bool]) {
        if mask.is_empty() {
            return;
        }
        let mut list = match std::mem::take(marks) {
            Marks::Some(list) => {
                list.iter().for_each(|number| mask[*number as usize] = false);
                list
            }
            Marks::Anything | Marks::All => {
                mask.fill(false);
                Vec::new()
            }
        };
        list.clear();
        let first = self.over.map(|_| 0);
        for number in self.numbers.iter().copied().chain(first) {
            if let Some(slot) = mask.get_mut(number as usize) {
                *slot = true;
                list.push(number);
            }
        }
        *marks = Marks::Some(list);
    }
}
