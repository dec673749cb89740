//! One world of a batch.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use turnstone::{InputOf, Off, Offers, Position, Rejection, Resolver, Seat};
use turnstone_host::Hosted;

use crate::coder::{Coder, Ending};
use crate::frame::Lengths;
use crate::opponent::{Minds, Opponents};
use crate::part::Sheet;
use crate::past::{Moment, Past};
use crate::plan::{Actions, Autoreset, Illegal, Plan, Which};
use crate::words::{FEATURES, describe, tell};

/// A place of the record that stands for no input of the list.
pub(crate) type Kept = u16;

/// After so many inputs of others in a row nobody waits for the learner any more: no game is so long.
const PATIENCE: u32 = 100_000;

/// An episode that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// The seed of the match that would repeat it.
    pub seed: u64,
    /// Which episode of its world it was, from 0.
    pub number: u64,
    /// How it ended.
    pub ending: Ending,
    /// Steps taken by the learner.
    pub steps: u32,
    /// The sum of its rewards.
    pub total: f32,
    /// The inputs, if they were kept: places in the offered list.
    pub(crate) record: Vec<Kept>,
}

/// What all worlds of a batch have in common.
pub(crate) struct Terms<G: Hosted, C> {
    pub game: Arc<G>,
    pub setup: G::Setup,
    pub coder: C,
    pub plan: Plan,
    /// The numbers of all inputs are allowed as long as the game goes on.
    pub direct: bool,
    /// The beginning, where every episode begins alike.
    pub first: Option<Position<G>>,
    /// The lengths of one observation as the coder writes it.
    pub sheet: Lengths,
    /// How many offers are described in an observation.
    pub described: usize,
}

impl<G: Hosted, C: Coder<G>> Terms<G, C> {
    pub fn start(&self, seed: u64) -> Result<Position<G>, Rejection> {
        let first = Position::new(self.game.start(&self.setup, seed)?);
        self.coder.admits(&self.game, &first)?;
        Ok(first)
    }

    /// How many numbers inputs have.
    pub fn numbers(&self) -> usize {
        match self.plan.actions {
            Actions::Fixed => self.coder.numbers(),
            Actions::Offered(count) => count,
        }
    }
}

/// What a worker has for itself, whichever worlds it steps: so it stays at hand, and away from what another worker
/// writes to.
#[repr(align(128))]
pub(crate) struct Hands<G: Hosted> {
    pub resolver: Resolver<G>,
    pub offers: Offers<G>,
}

impl<G: Hosted> Default for Hands<G> {
    fn default() -> Self {
        Hands { resolver: Resolver::default(), offers: Offers::default() }
    }
}

/// What is needed to step a world: a worker's hands, and the bots that sit in the world's other seats.
pub(crate) struct Tools<'t, G: Hosted> {
    pub hands: &'t mut Hands<G>,
    pub opponents: &'t mut Opponents<G>,
}

/// One world.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Lane<G: Hosted> {
    pub position: Position<G>,
    /// From where the seeds of its episodes follow.
    pub seed: u64,
    pub episode: u64,
    /// The seed of the present episode: another world's, if it was copied from there.
    pub match_seed: u64,
    pub steps: u32,
    /// Inputs so far, those of others too.
    pub moment: u32,
    pub total: f32,
    /// How the episode ended that waits for a new beginning.
    pub over: Option<Ending>,
    pub record: Vec<Kept>,
    /// The episode that ended last.
    pub last: Option<Episode>,
    /// Those before it whose inputs are kept, the latest last.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub earlier: VecDeque<Episode>,
    /// Whether that was in the latest step.
    pub just_ended: bool,
    /// What was seen before, if anybody wants to see it.
    #[serde(default)]
    pub past: Past,
    /// What the others have in mind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minds: Minds,
    /// What is offered, and the number of each.
    #[serde(skip)]
    pub inputs: Vec<InputOf<G>>,
    #[serde(skip)]
    pub numbers: Vec<u32>,
}

/// What has no number.
const NO_NUMBER: u32 = u32::MAX;

impl<G: Hosted> Clone for Lane<G> {
    fn clone(&self) -> Self {
        Lane {
            position: self.position.clone(),
            record: self.record.clone(),
            last: self.last.clone(),
            earlier: self.earlier.clone(),
            past: self.past.clone(),
            minds: self.minds.clone(),
            inputs: self.inputs.clone(),
            numbers: self.numbers.clone(),
            ..*self
        }
    }
}

/// What a step came to.
pub(crate) struct Done {
    pub reward: f32,
    pub ending: Option<Ending>,
    pub illegal: bool,
}

impl<G: Hosted> Lane<G> {
    pub fn new<C: Coder<G>>(
        terms: &Terms<G, C>,
        seed: u64,
        tools: &mut Tools<'_, G>,
    ) -> Result<Self, Rejection> {
        let match_seed = mix(seed, 0);
        let position = match &terms.first {
            Some(first) => first.clone(),
            None => terms.start(match_seed)?,
        };
        let mut lane = Lane {
            position,
            seed,
            episode: 0,
            match_seed,
            steps: 0,
            moment: 0,
            total: 0.0,
            over: None,
            record: Vec::new(),
            last: None,
            earlier: VecDeque::new(),
            just_ended: false,
            past: Past::default(),
            minds: Minds::new(),
            inputs: Vec::new(),
            numbers: Vec::new(),
        };
        lane.open(terms, tools);
        Ok(lane)
    }

    /// Becomes the other world, as an episode that this world has not had before: it has a number of its own, what was
    /// played here before stays, and so do the seeds of later episodes. So many that ended are kept.
    pub fn copy(&mut self, other: &Self, kept: usize) {
        self.episode += 1;
        self.position.clone_from(&other.position);
        self.match_seed = other.match_seed;
        (self.steps, self.moment, self.total) = (other.steps, other.moment, other.total);
        self.over = other.over;
        self.record.clone_from(&other.record);
        self.past.clone_from(&other.past);
        self.minds.clone_from(&other.minds);
        self.inputs.clone_from(&other.inputs);
        self.numbers.clone_from(&other.numbers);
        // What has ended there has ended here, too.
        if let Some(ended) = other.last.as_ref().filter(|_| other.over.is_some())
            && ended.number == other.episode
        {
            let mut record = self.put_by(kept);
            record.clone_from(&ended.record);
            self.last = Some(Episode { number: self.episode, record, ..*ended });
            self.just_ended = other.just_ended;
        }
    }

    /// Who is to act, or would be.
    #[inline]
    pub fn seat<C: Coder<G>>(&self, terms: &Terms<G, C>) -> Seat {
        match terms.plan.seat {
            Some(seat) => seat,
            None => self.position.actor(&terms.game).unwrap_or(0),
        }
    }

    /// Begins again as the next episode.
    pub fn begin_again<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        tools: &mut Tools<'_, G>,
    ) -> Result<(), Rejection> {
        self.episode += 1;
        self.match_seed = mix(self.seed, self.episode);
        match &terms.first {
            Some(first) => self.position.clone_from(first),
            None => self.position.clone_from(&terms.start(self.match_seed)?),
        }
        (self.steps, self.moment, self.total) = (0, 0, 0.0);
        (self.over, self.just_ended) = (None, false);
        self.record.clear();
        self.past.clear();
        self.minds.clear();
        self.open(terms, tools);
        Ok(())
    }

    /// Lets others play until it is the learner's turn, and lists what he may do.
    fn open<C: Coder<G>>(&mut self, terms: &Terms<G, C>, tools: &mut Tools<'_, G>) {
        self.over = self.others(terms, tools);
        self.list(terms, tools);
    }

    /// Lists what may be sent now, with the number of each.
    #[inline]
    pub fn list<C: Coder<G>>(&mut self, terms: &Terms<G, C>, tools: &mut Tools<'_, G>) {
        if !terms.direct {
            self.list_anew(terms, tools);
        }
    }

    fn list_anew<C: Coder<G>>(&mut self, terms: &Terms<G, C>, tools: &mut Tools<'_, G>) {
        self.inputs.clear();
        self.numbers.clear();
        if self.over.is_some() {
            return;
        }
        tools.hands.offers.list_into(&terms.game, &self.position, &mut self.inputs);
        match terms.plan.actions {
            Actions::Offered(_) => self.numbers.extend(0..self.inputs.len() as u32),
            Actions::Fixed => {
                let (game, position) = (&*terms.game, &self.position);
                let number = |(place, input)| match terms.coder.number(game, position, input, place) {
                    Some(number) => number as u32,
                    None => NO_NUMBER,
                };
                self.numbers.extend(self.inputs.iter().enumerate().map(number));
            }
        }
    }

    /// The place of a number in the offered list.
    #[inline]
    fn find<C: Coder<G>>(&self, terms: &Terms<G, C>, number: i64) -> Option<usize> {
        let wanted = u32::try_from(number).ok().filter(|number| (*number as usize) < terms.numbers())?;
        self.numbers.iter().position(|known| *known == wanted)
    }

    /// One of the allowed numbers, by lot.
    pub fn sample<C: Coder<G>>(&self, terms: &Terms<G, C>, lot: u64) -> Option<u32> {
        if self.over.is_some() {
            return None;
        }
        if terms.direct {
            return Some(below(lot, terms.numbers() as u64) as u32);
        }
        let known = |number: &&u32| (**number as usize) < terms.numbers();
        let many = self.numbers.iter().filter(known).count() as u64;
        self.numbers.iter().filter(known).nth(below(lot, many) as usize).copied()
    }

    /// Whether a number stands for something that is allowed now.
    pub fn allows<C: Coder<G>>(&self, terms: &Terms<G, C>, number: i64) -> bool {
        if self.over.is_some() {
            return true; // It will not be looked at.
        }
        if terms.direct {
            return usize::try_from(number).is_ok_and(|number| number < terms.numbers());
        }
        self.find(terms, number).is_some()
    }

    /// One step.
    #[inline]
    pub fn step<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        number: i64,
        tools: &mut Tools<'_, G>,
    ) -> Result<Done, Rejection> {
        self.just_ended = false;
        if self.over.is_some() {
            return self.rest(terms, tools);
        }
        let seat = self.seat(terms);
        let before = terms.coder.standing(&terms.game, &self.position, seat);
        self.steps += 1;
        let seen = (terms.plan.history > 1).then(|| Moment::of(terms, &self.position));
        let taken = self.take(terms, number, tools);
        if let Some(seen) = seen.filter(|_| !matches!(taken, Taken::Nothing)) {
            self.past.push(seen, terms.plan.history - 1);
        }
        let mut ending = match taken {
            Taken::Nothing => None,
            Taken::Done { .. } => self.others_if_any(terms, tools, seat),
            Taken::Failed => Some(Ending::OverBudget),
        };
        let reward = match taken {
            Taken::Nothing => terms.plan.illegal_reward,
            _ => terms.coder.standing(&terms.game, &self.position, seat) - before,
        };
        self.total += reward;
        if ending.is_none() && terms.plan.time_limit > 0 && self.steps >= terms.plan.time_limit {
            ending = Some(Ending::OutOfTime);
        }
        if let Some(ending) = ending {
            self.end(ending, terms.plan.record);
        }
        if !matches!(taken, Taken::Nothing) {
            self.list(terms, tools);
        }
        Ok(Done { reward, ending, illegal: !matches!(taken, Taken::Done { asked: true }) })
    }

    /// Carries out the input with that number, or what is done in its place.
    #[inline]
    fn take<C: Coder<G>>(&mut self, terms: &Terms<G, C>, number: i64, tools: &mut Tools<'_, G>) -> Taken {
        if terms.direct {
            return self.take_directly(terms, number, tools);
        }
        let found = self.find(terms, number);
        let asked = found.is_some();
        let lot = || match terms.plan.illegal {
            Illegal::Random if !self.inputs.is_empty() => {
                Some((mix(self.match_seed, u64::from(self.steps)) % self.inputs.len() as u64) as usize)
            }
            _ => None,
        };
        let Some(place) = found.or_else(lot) else { return Taken::Nothing };
        let input = self.inputs.swap_remove(place);
        self.carry_out(terms, &input, place, asked, tools)
    }

    #[inline]
    fn take_directly<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        number: i64,
        tools: &mut Tools<'_, G>,
    ) -> Taken {
        let known = usize::try_from(number).ok().filter(|number| *number < terms.numbers());
        let asked = known.is_some();
        let lot = || match terms.plan.illegal {
            Illegal::Random => {
                Some((mix(self.match_seed, u64::from(self.steps)) % terms.numbers() as u64) as usize)
            }
            _ => None,
        };
        let Some(number) = known.or_else(lot) else { return Taken::Nothing };
        let Some(input) = terms.coder.input(&terms.game, &self.position, number) else {
            return Taken::Nothing;
        };
        self.carry_out(terms, &input, number, asked, tools)
    }

    #[inline]
    fn carry_out<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        input: &InputOf<G>,
        place: usize,
        asked: bool,
        tools: &mut Tools<'_, G>,
    ) -> Taken {
        if terms.plan.record > 0 {
            self.record.push(place as Kept);
        }
        self.moment += 1;
        match tools.hands.resolver.act_unchecked(&terms.game, &mut self.position, input, &mut Off) {
            Ok(()) => Taken::Done { asked },
            Err(_) => {
                // What failed is no part of the match.
                self.record.pop();
                Taken::Failed
            }
        }
    }

    /// The end for the learner, or what others do before it is his turn again.
    #[inline]
    fn others_if_any<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        tools: &mut Tools<'_, G>,
        seat: Seat,
    ) -> Option<Ending> {
        let ending = terms.coder.ending(&terms.game, &self.position, seat);
        let own = || self.position.actor(&terms.game).is_none_or(|actor| actor == seat);
        if ending.is_some() || terms.plan.seat.is_none() || own() {
            return ending;
        }
        self.others(terms, tools)
    }

    /// Lets others play until it is the learner's turn.
    fn others<C: Coder<G>>(&mut self, terms: &Terms<G, C>, tools: &mut Tools<'_, G>) -> Option<Ending> {
        let seat = self.seat(terms);
        for _ in 0..PATIENCE {
            if let Some(ending) = terms.coder.ending(&terms.game, &self.position, seat) {
                return Some(ending);
            }
            let actor = match self.position.actor(&terms.game) {
                Some(actor) if terms.plan.seat.is_some_and(|own| own != actor) => actor,
                _ => return None,
            };
            tools.hands.offers.list_into(&terms.game, &self.position, &mut self.inputs);
            if self.inputs.is_empty() {
                return Some(Ending::Drawn);
            }
            let place = tools.opponents.choose(
                &mut self.minds,
                &terms.game,
                &self.position,
                &self.inputs,
                actor,
                self.match_seed,
                self.moment,
            );
            let input = self.inputs.swap_remove(place);
            if let Taken::Failed = self.carry_out(terms, &input, place, true, tools) {
                return Some(Ending::OverBudget);
            }
        }
        Some(Ending::OutOfTime)
    }

    /// A step of a world that is over.
    #[cold]
    fn rest<C: Coder<G>>(
        &mut self,
        terms: &Terms<G, C>,
        tools: &mut Tools<'_, G>,
    ) -> Result<Done, Rejection> {
        if terms.plan.autoreset == Autoreset::Disabled {
            return Ok(Done { reward: 0.0, ending: self.over, illegal: false });
        }
        self.begin_again(terms, tools)?;
        Ok(Done { reward: 0.0, ending: None, illegal: false })
    }

    /// The seed and the inputs of an episode.
    pub fn recorded(&self, which: Which) -> Result<(u64, &[Kept]), Rejection> {
        let present = (self.match_seed, &*self.record);
        match which {
            Which::Present => Ok(present),
            Which::Number(number) if number == self.episode => Ok(present),
            Which::Last => match &self.last {
                Some(last) => Ok((last.seed, &last.record)),
                None => Err(Rejection::new("NOT_ENDED", "no episode of this world has ended yet")),
            },
            Which::Number(number) => {
                let mut kept = self.last.iter().chain(self.earlier.iter().rev());
                let found = kept.find(|episode| episode.number == number);
                found.map(|episode| (episode.seed, &*episode.record)).ok_or_else(|| self.not_kept(number))
            }
        }
    }

    fn not_kept(&self, number: u64) -> Rejection {
        let kept: Vec<String> =
            self.earlier.iter().chain(&self.last).map(|episode| episode.number.to_string()).collect();
        let text = format!(
            "episode {number} of this world is not kept; there are the present one, {}, and those that ended: {}",
            self.episode,
            if kept.is_empty() { "none".to_owned() } else { kept.join(", ") }
        );
        Rejection::new("NOT_KEPT", text)
    }

    /// Keeps what the episode came to.
    #[cold]
    fn end(&mut self, ending: Ending, kept: usize) {
        let mut record = self.put_by(kept);
        record.clone_from(&self.record);
        let (seed, number, steps, total) = (self.match_seed, self.episode, self.steps, self.total);
        self.last = Some(Episode { seed, number, ending, steps, total, record });
        (self.over, self.just_ended) = (Some(ending), true);
    }

    /// Puts the episode that ended last with those before it, which with the next one to end are so many; gives the room
    /// of one that is not kept any more.
    fn put_by(&mut self, kept: usize) -> Vec<Kept> {
        let mut record = Vec::new();
        if let Some(last) = self.last.take() {
            self.earlier.push_back(last);
        }
        while self.earlier.len() >= kept.max(1) {
            record = self.earlier.pop_front().map_or(record, |oldest| oldest.record);
        }
        record
    }

    /// Writes the observation as it is, whatever the buffer holds.
    pub fn write<C: Coder<G>>(&self, terms: &Terms<G, C>, bytes: &mut [u8], words: &mut [i16]) {
        self.write_for(terms, self.seat(terms), bytes, words);
    }

    /// Writes what that seat sees, whoever is to act. Offers are seen by who may take them.
    pub fn write_for<C: Coder<G>>(
        &self,
        terms: &Terms<G, C>,
        seat: Seat,
        bytes: &mut [u8],
        words: &mut [i16],
    ) {
        let (own, offers) = self.halves(terms, words);
        let (bytes, old_bytes) = bytes.split_at_mut(terms.sheet.bytes);
        let (own, old_words) = own.split_at_mut(terms.sheet.words);
        terms.coder.observe(&terms.game, &self.position, seat, &mut Sheet { bytes, words: own });
        self.past.write(terms, seat, old_bytes, old_words);
        if seat == self.seat(terms) {
            self.write_offers(terms, offers);
        } else {
            offers.fill(0);
        }
    }

    /// The game's own numbers, and those of the offers.
    #[inline]
    fn halves<'w, C: Coder<G>>(
        &self,
        terms: &Terms<G, C>,
        words: &'w mut [i16],
    ) -> (&'w mut [i16], &'w mut [i16]) {
        let own = words.len().saturating_sub(terms.described * FEATURES);
        words.split_at_mut(own)
    }

    /// Brings a buffer up to date that was left as the canvas says.
    #[inline]
    pub fn show<C: Coder<G>>(
        &self,
        terms: &Terms<G, C>,
        canvas: &mut C::Canvas,
        bytes: &mut [u8],
        words: &mut [i16],
    ) {
        let (own, offers) = self.halves(terms, words);
        let seat = self.seat(terms);
        let (bytes, old_bytes) = bytes.split_at_mut(terms.sheet.bytes);
        let (own, old_words) = own.split_at_mut(terms.sheet.words);
        terms.coder.update(&terms.game, &self.position, seat, canvas, &mut Sheet { bytes, words: own });
        if terms.plan.history > 1 {
            self.past.write(terms, seat, old_bytes, old_words);
        }
        if !offers.is_empty() {
            self.write_offers(terms, offers);
        }
    }

    fn write_offers<C: Coder<G>>(&self, terms: &Terms<G, C>, out: &mut [i16]) {
        let mut rows = out.chunks_exact_mut(FEATURES);
        for (input, row) in self.inputs.iter().zip(&mut rows) {
            describe(&tell(&*terms.game, &self.position, input), row);
        }
        rows.for_each(|row| row.fill(0));
    }
}

/// What became of a number.
enum Taken {
    /// It stood for nothing.
    Nothing,
    /// It was carried out, as it was asked for or by lot.
    Done { asked: bool },
    /// It set off more than the rules allow.
    Failed,
}

/// A seed from another one and a number. All 64 bits count, and neighbours have nothing in common.
#[inline]
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut bits = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A number below `many` that a lot chooses, without a division, which would be felt in every world of every step.
#[inline]
pub fn below(lot: u64, many: u64) -> u64 {
    ((u128::from(lot) * u128::from(many)) >> 64) as u64
}
