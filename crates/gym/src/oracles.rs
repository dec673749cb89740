//! What every game's numbers must keep, as checks that its tests call. They panic with what went wrong.

use std::collections::{BTreeMap, BTreeSet};

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::file::verify;
use turnstone::{Offers, Viewer};
use turnstone_host::{Hosted, Opening};

use crate::batch::{Batch, Buffer};
use crate::coder::{Coder, Learned, Taste};
use crate::frame::Buffers;
use crate::part::{Part, Sheet, Sort};
use crate::plan::{Actions, Autoreset, Illegal, Plan, Which};
use crate::words::tell;

/// Everything, over so many steps of random play: for a game with numbers of its own.
///
/// # Panics
/// If a promise is broken.
pub fn prove<G: Learned>(opening: &Opening, plan: &Plan, steps: usize) {
    let make = |plan: Plan| {
        let (game, setup) = G::open_table(opening).unwrap_or_else(|error| panic!("{error}"));
        Batch::<G, G::Coder>::new(game, setup, plan).unwrap_or_else(|error| panic!("{error}"))
    };
    prove_batches(&make, plan, steps);
}

/// Everything, for any way to make batches of a game.
///
/// # Panics
/// If a promise is broken.
pub fn prove_batches<G: Hosted, C: Coder<G>>(make: &dyn Fn(Plan) -> Batch<G, C>, plan: &Plan, steps: usize) {
    lanes_stand_alone(make, plan, steps);
    masks_are_legality(make(Plan { lanes: 3, ..plan.clone() }), steps);
    worlds_come_back(make, plan, steps);
    buffers_follow_their_worlds(make(Plan { lanes: 3, ..plan.clone() }), steps / 2);
    episodes_become_files(make, plan, steps);
    the_past_is_what_was_seen(make, plan, steps / 2);
    numbers_mean_something(&make(plan.clone()));
    parts_are_explained(make(Plan { lanes: 2, history: 1, ..plan.clone() }), steps);
    parts_are_chosen(make, plan, steps / 4);
}

/// Whoever sits in the other seats: worlds stand alone, and come back as they were, with each of these bots there.
///
/// # Panics
/// If a promise is broken.
pub fn prove_opponents<G: Learned>(opening: &Opening, plan: &Plan, opponents: &[&str], steps: usize) {
    let make = |plan: Plan| {
        let (game, setup) = G::open_table(opening).unwrap_or_else(|error| panic!("{error}"));
        Batch::<G, G::Coder>::new(game, setup, plan).unwrap_or_else(|error| panic!("{error}"))
    };
    for opponent in opponents {
        println!("against {opponent}");
        let plan = Plan { opponent: (*opponent).to_owned(), ..plan.clone() };
        // Two blocks, and worlds beside them in the first.
        compare_lanes(&make, &plan, (1, 18), steps);
        worlds_come_back(&make, &plan, 2 * steps);
    }
}

/// A learner that plays at random.
struct Learner<G: Hosted, C: Coder<G>> {
    batch: Batch<G, C>,
    buffers: Buffers,
    shown: Buffer,
}

impl<G: Hosted, C: Coder<G>> Learner<G, C> {
    fn new(mut batch: Batch<G, C>) -> Self {
        let mut buffers = Buffers::new(batch.lanes(), batch.lengths());
        // Whatever lies in a buffer at first must not matter.
        buffers.bytes.fill(77);
        buffers.words.fill(7_777);
        buffers.mask.fill(true);
        let shown = batch.buffer();
        batch.observe(&mut buffers.frame(), Some(shown)).unwrap_or_else(|error| panic!("{error}"));
        Learner { batch, buffers, shown }
    }

    /// Chooses for every lane by lots that depend on lane and step alone.
    fn actions(&self, step: usize) -> Vec<i64> {
        let numbers = self.batch.numbers();
        (0..self.batch.lanes())
            .map(|lane| {
                let mut lots = Lots::new(step as u64, Stream::named("oracle").nth(lane as u64));
                let mask = &self.buffers.mask[lane * numbers..][..numbers];
                let allowed: Vec<usize> = (0..numbers).filter(|number| mask[*number]).collect();
                // Now and then a number that may stand for nothing, or is none at all.
                match lots.below(40) {
                    0 => lots.below(numbers as u64 * 2) as i64 - 1,
                    _ => lots.pick(&allowed).map_or(0, |number| *number as i64),
                }
            })
            .collect()
    }

    fn step(&mut self, step: usize) {
        let actions = self.actions(step);
        let stepped = self.batch.step(&actions, &mut self.buffers.frame(), Some(self.shown));
        stepped.unwrap_or_else(|error| panic!("step {step}: {error}"));
    }

    fn check_against_whole(&mut self, step: usize) {
        let mut whole = Buffers::new(self.batch.lanes(), self.batch.lengths());
        whole.bytes.fill(99);
        whole.words.fill(9_999);
        self.batch.observe(&mut whole.frame(), None).unwrap_or_else(|error| panic!("{error}"));
        assert!(self.buffers.bytes == whole.bytes, "step {step}: what is patched is what is written whole");
        assert!(self.buffers.words == whole.words, "step {step}: what is patched is what is written whole");
        assert_eq!(self.buffers.mask, whole.mask, "step {step}: masks that are patched are right");
        assert_eq!(self.buffers.offered, whole.offered);
    }
}

/// Two buffers that are filled in turn show the worlds as they are, whatever was done to those in between.
fn buffers_follow_their_worlds<G: Hosted, C: Coder<G>>(batch: Batch<G, C>, steps: usize) {
    let mut learner = Learner::new(batch);
    let mut other = (learner.buffers.clone(), learner.batch.buffer());
    let saved = learner.batch.save();
    for step in 0..steps {
        let done = match step % 12 {
            2 => learner.batch.copy_lanes(&[0, 2], &[1, 0]),
            4 => learner.batch.begin_again(0, None),
            6 => learner.batch.begin_again(1, Some(step as u64)),
            8 => saved.clone().and_then(|saved| learner.batch.restore(&saved)),
            10 => learner.batch.reset(step as u64),
            _ => Ok(()),
        };
        done.unwrap_or_else(|error| panic!("step {step}: {error}"));
        // Not each time: between two looks more than one thing may happen.
        if step % 4 < 3 {
            let seen = learner.batch.observe(&mut learner.buffers.frame(), Some(learner.shown));
            seen.unwrap_or_else(|error| panic!("step {step}: {error}"));
            learner.check_against_whole(step);
        }
        learner.step(step);
        learner.check_against_whole(step);
        std::mem::swap(&mut learner.buffers, &mut other.0);
        std::mem::swap(&mut learner.shown, &mut other.1);
    }
}

/// A world does the same whatever stands beside it, over however many threads.
fn lanes_stand_alone<G: Hosted, C: Coder<G>>(make: &dyn Fn(Plan) -> Batch<G, C>, plan: &Plan, steps: usize) {
    compare_lanes(make, plan, (2, 67), steps);
}

fn compare_lanes<G: Hosted, C: Coder<G>>(
    make: &dyn Fn(Plan) -> Batch<G, C>,
    plan: &Plan,
    (fewer, more): (usize, usize),
    steps: usize,
) {
    let mut few = Learner::new(make(Plan { lanes: fewer, threads: 1, ..plan.clone() }));
    let mut many = Learner::new(make(Plan { lanes: more, threads: 3, ..plan.clone() }));
    let lengths = few.batch.lengths();
    for step in 0..steps {
        few.step(step);
        many.step(step);
        let (a, b) = (&few.buffers, &many.buffers);
        assert!(
            a.bytes == b.bytes[..fewer * lengths.bytes],
            "step {step}: observations depend on neighbours"
        );
        assert!(
            a.words == b.words[..fewer * lengths.words],
            "step {step}: observations depend on neighbours"
        );
        assert_eq!(a.mask, b.mask[..fewer * lengths.mask], "step {step}");
        assert_eq!(a.rewards, b.rewards[..fewer], "step {step}");
        assert_eq!(
            (&a.terminated[..], &a.truncated[..]),
            (&b.terminated[..fewer], &b.truncated[..fewer]),
            "step {step}"
        );
        if step % 16 == 0 {
            few.check_against_whole(step);
        }
    }
}

/// A number is marked exactly if an offered input has it, no two have the same, and none is without one.
fn masks_are_legality<G: Hosted, C: Coder<G>>(batch: Batch<G, C>, steps: usize) {
    let mut learner = Learner::new(batch);
    let numbers = learner.batch.numbers();
    let mut offers = Offers::default();
    for step in 0..steps {
        for lane in 0..learner.batch.lanes() {
            let position = learner.batch.position(lane).unwrap_or_else(|error| panic!("{error}"));
            let game: &G = learner.batch.game();
            let mask = &learner.buffers.mask[lane * numbers..][..numbers];
            let marked = mask.iter().filter(|mark| **mark).count();
            let ended = learner.buffers.terminated[lane] || learner.buffers.truncated[lane];
            if ended && learner.batch.plan().autoreset != Autoreset::SameStep {
                assert_eq!(marked, 1, "something may be sent to a world that is over");
                continue;
            }
            let offered = offers.list(game, position);
            assert!(!offered.is_empty(), "step {step}: a world that is not over offers something");
            let wanted = match learner.batch.plan().actions {
                Actions::Offered(count) => offered.len().min(count),
                Actions::Fixed => offered.len(),
            };
            assert_eq!(marked, wanted, "step {step}: every offer has a number of its own: {offered:?}");
            for number in (0..numbers).filter(|number| mask[*number]) {
                let told = learner.batch.describe(lane, number).unwrap_or_else(|error| panic!("{error}"));
                assert!(told.is_some_and(|text| !text.is_empty()), "step {step}: {number} is told");
            }
            let mut sampled = vec![0; learner.batch.lanes()];
            learner.batch.sample(step as u64, &mut sampled).unwrap_or_else(|error| panic!("{error}"));
            assert!(mask[sampled[lane] as usize], "step {step}: what is taken by lot is allowed");
        }
        learner.step(step);
    }
}

/// Every number has a meaning of its own, also where it is not allowed, and what is none is refused.
fn numbers_mean_something<G: Hosted, C: Coder<G>>(batch: &Batch<G, C>) {
    let mut known = BTreeMap::new();
    for number in 0..batch.numbers() {
        let meaning = batch.meaning(number).unwrap_or_else(|error| panic!("{error}"));
        assert!(!meaning.is_empty() && meaning != "nothing", "{number} means something");
        let before = known.insert(meaning, number);
        assert_eq!(before, None, "{number} means the same: {:?}", batch.meaning(number));
    }
    let refused = |told: Result<(), turnstone::Rejection>| told.map_err(|error| error.code().to_owned());
    let none = batch.numbers();
    assert_eq!(refused(batch.meaning(none).map(drop)), Err("UNKNOWN_ACTION".into()));
    assert_eq!(refused(batch.describe(0, none).map(drop)), Err("UNKNOWN_ACTION".into()));
}

/// Every part says what it is, its columns are as many as it has, and every code that is seen has a name.
fn parts_are_explained<G: Hosted, C: Coder<G>>(batch: Batch<G, C>, steps: usize) {
    let mut learner = Learner::new(batch);
    let parts = learner.batch.parts().to_vec();
    for part in &parts {
        let name = &part.name;
        assert!(!part.about.is_empty(), "{name} says what it is");
        assert!(part.columns.is_empty() || part.columns.len() == part.shape[part.axis], "columns of {name}");
        let distinct: BTreeSet<&String> = part.columns.iter().collect();
        assert_eq!(distinct.len(), part.columns.len(), "no two columns of {name} are called alike");
        for column in part.meanings.keys() {
            assert!(part.columns.contains(column), "{name} explains {column}, which it has not");
        }
        for column in part.codes.keys() {
            assert!(column == name || part.columns.contains(column), "{name} has no {column}");
        }
    }
    for step in 0..steps {
        for lane in 0..2 {
            codes_have_names(&learner, &parts, lane, step);
        }
        learner.step(step);
    }
}

fn codes_have_names<G: Hosted, C: Coder<G>>(
    learner: &Learner<G, C>,
    parts: &[Part],
    lane: usize,
    step: usize,
) {
    let (buffers, lengths) = (&learner.buffers, learner.batch.lengths());
    let mut bytes =
        buffers.bytes[lane * lengths.bytes..][..lengths.bytes].iter().map(|byte| i16::from(*byte));
    let mut words = buffers.words[lane * lengths.words..][..lengths.words].iter().copied();
    for part in parts {
        let own: &mut dyn Iterator<Item = i16> = match part.sort {
            Sort::U8 => &mut bytes,
            Sort::I16 => &mut words,
        };
        let numbers: Vec<i16> = own.take(part.length()).collect();
        // How many numbers stand between two neighbours of the named direction.
        let stride: usize = part.shape[part.axis + 1..].iter().product();
        for (at, number) in numbers.into_iter().enumerate() {
            let column = part.columns.get(at / stride % part.shape[part.axis]).unwrap_or(&part.name);
            let Some(names) = part.codes.get(column) else { continue };
            let named = usize::try_from(number).ok().and_then(|code| names.get(code));
            assert!(named.is_some(), "step {step}: {number} has no name in {column} of {}", part.name);
        }
    }
}

/// Who asks for one part sees it as it is among all.
fn parts_are_chosen<G: Hosted, C: Coder<G>>(make: &dyn Fn(Plan) -> Batch<G, C>, plan: &Plan, steps: usize) {
    let plan = Plan { lanes: 1, history: 1, ..plan.clone() };
    let mut whole = Learner::new(make(plan.clone()));
    let parts = whole.batch.parts().to_vec();
    if parts.len() < 2 {
        return;
    }
    let alone = |part: &Part| {
        let taste = Taste { parts: vec![part.name.clone()], ..plan.taste.clone() };
        Learner::new(make(Plan { taste, ..plan.clone() }))
    };
    let mut each: Vec<Learner<G, C>> = parts.iter().map(alone).collect();
    for step in 0..steps {
        let (mut bytes, mut words) = (&whole.buffers.bytes[..], &whole.buffers.words[..]);
        for (part, one) in parts.iter().zip(&each) {
            let (b, w) = match part.sort {
                Sort::U8 => (part.length(), 0),
                Sort::I16 => (0, part.length()),
            };
            assert!(
                one.buffers.bytes == bytes[..b] && one.buffers.words == words[..w],
                "{step}: {}",
                part.name
            );
            (bytes, words) = (&bytes[b..], &words[w..]);
        }
        whole.step(step);
        each.iter_mut().for_each(|one| one.step(step));
    }
}

/// Saved and brought back, or copied, a world goes on as if nothing had happened.
fn worlds_come_back<G: Hosted, C: Coder<G>>(make: &dyn Fn(Plan) -> Batch<G, C>, plan: &Plan, steps: usize) {
    let plan = Plan { lanes: 3, autoreset: Autoreset::Disabled, ..plan.clone() };
    let mut here = Learner::new(make(plan.clone()));
    (0..steps / 4).for_each(|step| here.step(step));
    let saved = here.batch.save().unwrap_or_else(|error| panic!("{error}"));
    let mut there = Learner::new(make(Plan { seed: plan.seed + 1, ..plan }));
    there.batch.restore(&saved).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(there.batch.save().as_ref(), Ok(&saved), "what was brought back is saved alike");
    assert!(there.batch.restore(&saved[..saved.len() / 2]).is_err(), "half a save is none");
    here.batch.copy_lanes(&[0, 1], &[2, 0]).unwrap_or_else(|error| panic!("{error}"));
    there.batch.copy_lanes(&[1, 0], &[0, 2]).unwrap_or_else(|error| panic!("{error}"));
    for step in 0..steps / 2 {
        // The first and the second world are the same now: they get the same numbers.
        let frame = |learner: &mut Learner<G, C>| {
            let mut actions = learner.actions(step);
            actions[1] = actions[0];
            let stepped = learner.batch.step(&actions, &mut learner.buffers.frame(), Some(learner.shown));
            stepped.unwrap_or_else(|error| panic!("{error}"));
            learner.buffers.clone()
        };
        if step == 0 {
            for learner in [&mut here, &mut there] {
                let shown = learner.shown;
                let seen = learner.batch.observe(&mut learner.buffers.frame(), Some(shown));
                seen.unwrap_or_else(|error| panic!("{error}"));
            }
        }
        let (a, b) = (frame(&mut here), frame(&mut there));
        assert!(a == b, "step {step}: restored worlds go on alike");
        let lengths = here.batch.lengths();
        let of = |list: &[u8], lane: usize| list[lane * lengths.bytes..][..lengths.bytes].to_vec();
        assert_eq!(of(&a.bytes, 0), of(&a.bytes, 1), "step {step}: a copy goes on like its model");
        let of = |list: &[i16], lane: usize| list[lane * lengths.words..][..lengths.words].to_vec();
        assert_eq!(of(&a.words, 0), of(&a.words, 1), "step {step}: a copy goes on like its model");
    }
}

/// Behind the present observation stand those of the decisions before, and saved worlds remember them.
fn the_past_is_what_was_seen<G: Hosted, C: Coder<G>>(
    make: &dyn Fn(Plan) -> Batch<G, C>,
    plan: &Plan,
    steps: usize,
) {
    let plan = Plan { lanes: 2, history: 3, seat: Some(plan.seat.unwrap_or(0)), ..plan.clone() };
    // In the place of what stands for nothing something may be done by lot.
    let by_lot = plan.illegal == Illegal::Random;
    let mut learner = Learner::new(make(plan));
    let (sheet, lengths) = (learner.batch.sheet(), learner.batch.lengths());
    let seen = |learner: &Learner<G, C>, number: usize| {
        let bytes = &learner.buffers.bytes[number * sheet.bytes..][..sheet.bytes];
        (bytes.to_vec(), learner.buffers.words[number * sheet.words..][..sheet.words].to_vec())
    };
    assert!(lengths.bytes == 3 * sheet.bytes && lengths.words >= 3 * sheet.words);
    let mut known = vec![seen(&learner, 0)];
    for step in 0..steps {
        let begun = learner.batch.progress(0).map(|(episode, ..)| episode);
        learner.step(step);
        if learner.batch.progress(0).map(|(episode, ..)| episode) != begun {
            known.clear();
        }
        if by_lot || !learner.buffers.illegal[0] {
            known.insert(0, seen(&learner, 0));
        }
        let nothing = (vec![0; sheet.bytes], vec![0; sheet.words]);
        for number in 1..3 {
            let wanted = known.get(number).unwrap_or(&nothing);
            assert!(seen(&learner, number) == *wanted, "step {step}: what was seen {number} decisions ago");
        }
        if step % 8 == 0 {
            let saved = learner.batch.save().unwrap_or_else(|error| panic!("{error}"));
            learner.batch.restore(&saved).unwrap_or_else(|error| panic!("{error}"));
            learner.check_against_whole(step);
        }
    }
}

/// Episodes that ended and are kept.
const KEPT: usize = 3;

/// Every episode can become a match file that verifies and ends in the same position.
fn episodes_become_files<G: Hosted, C: Coder<G>>(
    make: &dyn Fn(Plan) -> Batch<G, C>,
    plan: &Plan,
    steps: usize,
) {
    let mut learner = Learner::new(make(Plan { lanes: 3, record: KEPT, ..plan.clone() }));
    (0..steps).for_each(|step| learner.step(step));
    for lane in 0..3 {
        let now = learner.batch.position(lane).unwrap_or_else(|error| panic!("{error}")).live().digest();
        let again = learner.batch.replay(lane, Which::Present).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.position().live().digest(), now, "the record of world {lane} leads to where it is");
        let ended = learner.batch.last(lane).ok().map(|episode| episode.number);
        let kept = ended.map_or(0..0, |last| (last + 1).saturating_sub(KEPT as u64)..last + 1);
        for which in [Which::Present].into_iter().chain(kept.map(Which::Number)) {
            let file = learner.batch.match_file(lane, which).unwrap_or_else(|error| panic!("{error}"));
            verify(learner.batch.game(), &file)
                .unwrap_or_else(|error| panic!("{which:?} of {lane}: {error}"));
        }
    }
}

/// Two worlds of which a seat has the same view give it the same observation, the same numbers and the same words for
/// its offers: in one of them everything hidden was drawn anew, or changed one secret at a time.
///
/// # Panics
/// If a promise is broken, or nothing was ever compared.
pub fn nothing_hidden_shows<G: Learned>(opening: &Opening, plan: &Plan, steps: usize) {
    let make = |plan: Plan| {
        let (game, setup) = G::open_table(opening).unwrap_or_else(|error| panic!("{error}"));
        Batch::<G, G::Coder>::new(game, setup, plan).unwrap_or_else(|error| panic!("{error}"))
    };
    nothing_hidden_shows_in(&make, plan, steps);
}

/// The same, for any way to make batches of a game.
///
/// # Panics
/// If a promise is broken, or nothing was ever compared.
pub fn nothing_hidden_shows_in<G: Hosted, C: Coder<G>>(
    make: &dyn Fn(Plan) -> Batch<G, C>,
    plan: &Plan,
    steps: usize,
) {
    let mut learner = Learner::new(make(Plan { lanes: 2, seat: None, ..plan.clone() }));
    let mut lots = Lots::new(1, Stream::named("other worlds"));
    let (mut compared, mut offers) = (0, Offers::default());
    for step in 0..steps {
        for lane in 0..2 {
            let game: &G = learner.batch.game();
            let here = learner.batch.position(lane).unwrap_or_else(|error| panic!("{error}"));
            let seat = here.actor(game).unwrap_or(0);
            let there = match G::secrets().len() {
                many if step % 2 == 1 && many > 0 => game.vary(here, seat, step / 2 % many, &mut lots),
                _ => Some(game.sample(here, seat, &mut lots)),
            };
            let Some(there) = there else { continue };
            let view = |position: &turnstone::Position<G>| game.view(position.state(), Viewer::Seat(seat));
            if there == *here || view(here) != view(&there) {
                continue;
            }
            compared += 1;
            let seen = |position: &turnstone::Position<G>| learner.batch.observed(position, seat);
            assert!(seen(here) == seen(&there), "step {step}: something hidden shows in the observation");
            let one = offers.list(game, here).to_vec();
            let two = offers.list(game, &there).to_vec();
            assert_eq!(one, two, "step {step}: offers tell what is hidden");
            for (place, input) in one.iter().enumerate() {
                let coder = learner.batch.coder();
                assert_eq!(
                    coder.number(game, here, input, place),
                    coder.number(game, &there, input, place),
                    "step {step}: a number tells what is hidden"
                );
                // Of these words the features of offers are made.
                assert_eq!(
                    tell(game, here, input),
                    tell(game, &there, input),
                    "step {step}: the words of an offer tell what is hidden"
                );
            }
        }
        learner.step(step);
    }
    assert!(compared > steps / 4, "only {compared} comparisons in {steps} steps");
}

impl<G: Hosted, C: Coder<G>> Batch<G, C> {
    /// What a seat sees of a position, as it would be written.
    pub fn observed(&self, position: &turnstone::Position<G>, seat: u8) -> (Vec<u8>, Vec<i16>) {
        let sheet = self.sheet();
        let (mut bytes, mut words) = (vec![0; sheet.bytes], vec![0; sheet.words]);
        self.coder().observe(
            self.game(),
            position,
            seat,
            &mut Sheet { bytes: &mut bytes, words: &mut words },
        );
        (bytes, words)
    }
}
