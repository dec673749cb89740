//! A game that says nothing about numbers is learned all the same.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use turnstone::{InputOf, Position, Rejection, Seat};
use turnstone_gym::oracles::prove_batches;
use turnstone_gym::{Actions, Autoreset, Batch, Buffers, Coder, Illegal, Part, Plain, Plan, Sheet, Which};
use turnstone_table::testing::Pebbles;

fn batch(plan: Plan) -> Batch<Pebbles, Plain> {
    Batch::plain(Pebbles.into(), (), plan).unwrap()
}

#[test]
fn the_promises_hold_for_any_game() {
    for (seat, autoreset) in
        [(Some(0), Autoreset::NextStep), (Some(1), Autoreset::SameStep), (None, Autoreset::NextStep)]
    {
        prove_batches(&batch, &Plan { seat, autoreset, seed: 5, ..Plan::default() }, 60);
    }
    let few =
        Plan { actions: Actions::Offered(4), time_limit: 9, illegal: Illegal::Random, ..Plan::default() };
    prove_batches(&batch, &few, 60);
}

/// Steps until the only world ends; gives what it was told then.
fn to_the_end(batch: &mut Batch<Pebbles, Plain>, buffers: &mut Buffers) -> f32 {
    for _ in 0..100 {
        batch.step(&[0], &mut buffers.frame(), None).unwrap();
        if buffers.terminated[0] || buffers.truncated[0] {
            return buffers.rewards[0];
        }
    }
    panic!("it does not end");
}

#[test]
fn worlds_begin_again_when_they_were_asked_to() {
    let open = |autoreset| batch(Plan { autoreset, record: 1, ..Plan::default() });
    let mut buffers = Buffers::new(1, open(Autoreset::NextStep).lengths());
    let mut next = open(Autoreset::NextStep);
    let reward = to_the_end(&mut next, &mut buffers);
    assert!([-1.0, 0.0, 1.0].contains(&reward));
    assert_eq!((buffers.mask[0], buffers.offered[0]), (true, 0), "something may be sent");
    let episode = next.finished(0).unwrap().unwrap().clone();
    assert_eq!((episode.number, episode.total), (0, reward));
    next.step(&[7], &mut buffers.frame(), None).unwrap();
    assert_eq!((buffers.terminated[0], buffers.rewards[0], buffers.illegal[0]), (false, 0.0, false));
    assert_eq!(next.progress(0).unwrap().0, 1);
    let mut same = open(Autoreset::SameStep);
    assert_eq!(to_the_end(&mut same, &mut buffers), reward);
    assert_eq!(same.progress(0).unwrap(), next.progress(0).unwrap());
    assert_ne!(buffers.final_words, buffers.words, "the last observation is kept");
    let mut never = open(Autoreset::Disabled);
    to_the_end(&mut never, &mut buffers);
    for _ in 0..3 {
        never.step(&[0], &mut buffers.frame(), None).unwrap();
        assert_eq!((buffers.terminated[0], buffers.rewards[0]), (true, 0.0));
    }
    never.begin_again(0, None).unwrap();
    never.step(&[0], &mut buffers.frame(), None).unwrap();
    assert!(!buffers.terminated[0]);
    assert_eq!(never.begin_again(1, None).unwrap_err().code(), "UNKNOWN_LANE");
}

#[test]
fn what_stands_for_nothing_costs_what_was_said() {
    let mut buffers = Buffers::new(2, batch(Plan { lanes: 2, ..Plan::default() }).lengths());
    let mut open = |illegal, number| {
        let mut batch = batch(Plan { lanes: 2, illegal, illegal_reward: -0.5, ..Plan::default() });
        let before = batch.digest();
        let done = batch.step(&[0, number], &mut buffers.frame(), None);
        (done, buffers.illegal.clone(), buffers.rewards.clone(), batch.digest() == before)
    };
    for number in [200, -1, i64::MAX] {
        let (done, illegal, rewards, _) = open(Illegal::Penalty, number);
        assert_eq!((done, illegal, rewards), (Ok(()), vec![false, true], vec![0.0, -0.5]));
        let (done, illegal, rewards, _) = open(Illegal::Random, number);
        assert_eq!((done, illegal, rewards), (Ok(()), vec![false, true], vec![0.0, 0.0]));
        let (done, .., untouched) = open(Illegal::Refuse, number);
        assert_eq!((done.unwrap_err().code(), untouched), ("ILLEGAL_ACTION", true));
    }
}

/// A world once had the numbers of its own episodes and the episodes of the one that it was made a copy of.
#[test]
fn an_episode_keeps_its_number_whatever_its_world_becomes() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let mut batch = batch(Plan { lanes: 2, record: 4, autoreset, seed: 3, ..Plan::default() });
        let mut buffers = Buffers::new(2, batch.lengths());
        let (mut told, mut found) = (BTreeMap::new(), 0);
        for step in 0..300 {
            batch.step(&[step % 2, 0], &mut buffers.frame(), None).unwrap();
            for copies in [false, step % 7 == 6 || buffers.terminated[0] && step % 2 == 0] {
                if copies {
                    batch.copy_lanes(&[0], &[1]).unwrap();
                }
                for lane in 0..2 {
                    let Some(ended) = batch.finished(lane).unwrap().cloned() else { continue };
                    let file = batch.match_file(lane, Which::Last).unwrap();
                    let known = told.entry((lane, ended.number)).or_insert_with(|| file.clone());
                    assert_eq!(*known, file, "episode {} of world {lane}", ended.number);
                }
            }
            for ((lane, number), file) in &told {
                match batch.match_file(*lane, Which::Number(*number)) {
                    Ok(kept) => {
                        assert_eq!(kept, *file, "episode {number} of world {lane}");
                        found += 1;
                    }
                    Err(refused) => assert_eq!(refused.code(), "NOT_KEPT"),
                }
            }
        }
        assert!(told.len() > 20 && found > 1_000, "{} episodes, {found} times", told.len());
    }
}

/// Numbers with room for so many matches and no more.
struct Cramped(AtomicUsize);

impl Coder<Pebbles> for Cramped {
    type Canvas = ();

    fn parts(&self) -> Vec<Part> {
        Coder::<Pebbles>::parts(&Plain::default())
    }
    fn numbers(&self) -> usize {
        0
    }
    fn number(&self, _: &Pebbles, _: &Position<Pebbles>, _: &InputOf<Pebbles>, _: usize) -> Option<usize> {
        None
    }
    fn meaning(&self, _: &Pebbles, _: usize) -> Option<String> {
        None
    }
    fn observe(&self, game: &Pebbles, position: &Position<Pebbles>, seat: Seat, sheet: &mut Sheet<'_>) {
        Plain::default().observe(game, position, seat, sheet);
    }
    fn admits(&self, _: &Pebbles, _: &Position<Pebbles>) -> Result<(), Rejection> {
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => Ok(()),
            Err(_) => Err(Rejection::new("SIZES_DIFFER", "there is no room for another match")),
        }
    }
}

#[test]
fn a_world_that_cannot_begin_again_stays_over_and_the_others_go_on() {
    let plan = Plan { lanes: 2, actions: Actions::Offered(9), time_limit: 4, ..Plan::default() };
    let mut batch = Batch::with_coder(Pebbles.into(), (), Cramped(AtomicUsize::new(3)), plan).unwrap();
    let mut buffers = Buffers::new(2, batch.lengths());
    while !(buffers.terminated == [true; 2] || buffers.truncated == [true; 2]) {
        batch.step(&[0, 0], &mut buffers.frame(), None).unwrap();
    }
    buffers.rewards.fill(7.0);
    buffers.illegal.fill(true);
    let refused = batch.step(&[0, 0], &mut buffers.frame(), None);
    assert_eq!(refused.unwrap_err().code(), "SIZES_DIFFER");
    assert_eq!((&*buffers.rewards, &*buffers.illegal), (&[0.0, 0.0][..], &[false, false][..]));
    let over = |lane: usize| buffers.terminated[lane] || buffers.truncated[lane];
    assert_eq!(
        (over(0), over(1)),
        (false, true),
        "the first has begun again, for the other there was no room"
    );
    assert_eq!((buffers.offered[0] > 0, buffers.offered[1]), (true, 0));
}

#[test]
fn whoever_can_be_named_elsewhere_sits_in_the_other_seats_too() {
    for opponent in ["random", "gentle", "merciless", "flat:8", "slips=50:ismcts:8"] {
        let played = |lanes| {
            let mut batch = batch(Plan { lanes, opponent: opponent.into(), ..Plan::default() });
            let mut buffers = Buffers::new(lanes, batch.lengths());
            for _ in 0..6 {
                let mut actions = vec![0; lanes];
                batch.sample(7, &mut actions).unwrap();
                batch.step(&actions, &mut buffers.frame(), None).unwrap();
            }
            batch.position(0).unwrap().live().digest()
        };
        assert_eq!(played(1), played(40), "{opponent}");
    }
    let meant = Batch::plain(Pebbles.into(), (), Plan { opponent: "mercyless".into(), ..Plan::default() });
    let refusal = meant.err().unwrap().to_string();
    assert!(refusal.contains("did you mean \"merciless\"? There are:"), "{refusal}");
}

#[test]
fn wrong_plans_and_buffers_are_refused() {
    let refused = |plan: Plan| Batch::plain(Pebbles.into(), (), plan).err().unwrap().code().to_owned();
    assert_eq!(refused(Plan { lanes: 0, ..Plan::default() }), "NO_WORLDS");
    assert_eq!(refused(Plan { lanes: 1_000_000_000, ..Plan::default() }), "TOO_MANY");
    assert_eq!(refused(Plan { actions: Actions::Offered(1 << 40), ..Plan::default() }), "TOO_MANY");
    let wide = Plan { lanes: 1 << 18, actions: Actions::Offered(1 << 16), ..Plan::default() };
    assert_eq!(refused(wide), "TOO_MANY");
    // One observation of each would do; two frames with the last observations beside them take four times as much.
    let twice = Plan { lanes: 1 << 17, actions: Actions::Offered(256), ..Plan::default() };
    assert_eq!(refused(twice), "TOO_MANY");
    assert_eq!(refused(Plan { threads: 1_000_000, ..Plan::default() }), "TOO_MANY");
    assert_eq!(refused(Plan { history: usize::MAX, ..Plan::default() }), "TOO_MANY");
    assert_eq!(refused(Plan { seat: Some(2), ..Plan::default() }), "UNKNOWN_SEAT");
    assert_eq!(refused(Plan { opponent: "nobody".into(), ..Plan::default() }), "UNKNOWN_BOT");
    assert_eq!(refused(Plan { actions: Actions::Offered(0), ..Plan::default() }), "NO_NUMBERS");
    let mut batch = batch(Plan { lanes: 2, ..Plan::default() });
    let mut buffers = Buffers::new(1, batch.lengths());
    assert_eq!(batch.step(&[0, 0], &mut buffers.frame(), None).unwrap_err().code(), "WRONG_LENGTH");
    let mut buffers = Buffers::new(2, batch.lengths());
    assert_eq!(batch.step(&[0], &mut buffers.frame(), None).unwrap_err().code(), "WRONG_LENGTH");
    assert_eq!(batch.match_file(0, Which::Present).unwrap_err().code(), "NOT_RECORDED");
    assert_eq!(batch.copy_lanes(&[0], &[2]).unwrap_err().code(), "UNKNOWN_LANE");
    assert_eq!(batch.restore(b"{}").unwrap_err().code(), "BAD_SAVE");
    let other = batch.save().unwrap();
    let mut three = self::batch(Plan { lanes: 3, ..Plan::default() });
    assert_eq!(three.restore(&other).unwrap_err().code(), "BAD_SAVE");
    assert!(batch.step(&[0, 0], &mut buffers.frame(), None).is_ok());
}
