//! Whole runs with real fights: they end by themselves, and the kernel's promises hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnstone::host::Bot;
use turnstone::{Game, Input, InputOf, Off, Position, Resolver};
use turnstone_spire::Spire;
use turnstone_spire::run::tower::State;
use turnstone_spire::run::{Climb, Heuristic, Random, Setup};
use turnstone_spire::seeds::Character;
use turnstone_testkit::{Plan, prove};

type Whole = Climb<Spire>;

fn inputs(game: &Whole, position: &Position<Whole>, out: &mut Vec<InputOf<Whole>>) {
    out.clear();
    match position.pending() {
        Some(pending) => {
            let mut answers = Vec::new();
            game.answers(position.state(), &pending.question, &mut answers);
            out.extend(answers.into_iter().map(Input::Choose));
        }
        None => {
            let mut actions = Vec::new();
            game.legal(position.state(), &mut actions);
            out.extend(actions.into_iter().map(Input::Act));
        }
    }
}

/// More inputs than any run takes that is not stuck.
const ENOUGH: usize = 20_000;

/// Plays a run to its end, asking the rules about every input.
fn play(game: &Whole, setup: &Setup, seed: u64, bot: &mut dyn Bot<Whole>) -> State {
    let mut position = Position::new(game.start(setup, seed).expect("start"));
    let mut resolver = Resolver::default();
    let mut list = Vec::new();
    for _ in 0..ENOUGH {
        inputs(game, &position, &mut list);
        if list.is_empty() {
            break;
        }
        let input = &list[bot.choose(game, &position, &list)];
        if let Err(refusal) = resolver.act(game, &mut position, input, &mut Off) {
            panic!("seed {seed}, {setup:?}: {input:?} was refused: {refusal}");
        }
    }
    let tower = &position.state().tower;
    let combat = &position.state().spire.combat;
    assert!(
        tower.end.is_some(),
        "seed {seed}, {setup:?} got stuck: {:?} {:?} {:?} turn {} decided {}",
        tower.fighting,
        tower.screens,
        combat.stage,
        combat.counts.turn,
        combat.decided
    );
    position.state().clone()
}

fn setup(seed: u64) -> Setup {
    let ascension = [0, 1, 10, 15, 20][seed as usize % 5];
    Setup::run(Character::ALL[seed as usize % 4], ascension)
}

/// How far runs came.
#[derive(Debug, Default)]
struct Ends {
    floors: BTreeMap<u8, u64>,
    runs: u64,
    second_act: u64,
    won: u64,
}

impl Ends {
    fn count(&mut self, end: &State) {
        self.runs += 1;
        *self.floors.entry(end.spire.run.floor).or_default() += 1;
        self.second_act += u64::from(end.spire.run.act > 1);
        self.won += u64::from(end.tower.end != Some(turnstone_spire::run::tower::End::Died));
    }

    fn mean_floor(&self) -> u64 {
        self.floors.iter().map(|(floor, runs)| u64::from(*floor) * runs).sum::<u64>() / self.runs.max(1)
    }

    fn percent(&self, of: u64) -> u64 {
        100 * of / self.runs.max(1)
    }

    fn say(&self, who: &str) {
        let (act, won) = (self.percent(self.second_act), self.percent(self.won));
        println!("{who}: {} runs, mean floor {}, act 2 {act} %, won {won} %", self.runs, self.mean_floor());
    }
}

fn random_runs(runs: u64) -> Ends {
    let game = Climb::builtin().expect("content");
    let mut ends = Ends::default();
    for seed in 0..runs {
        ends.count(&play(&game, &setup(seed), seed, &mut Random::new(seed)));
    }
    ends.say("random");
    ends
}

/// Runs of every character at one ascension.
fn heuristic_runs(ascension: u8, each: u64) -> Vec<Ends> {
    let game = Climb::builtin().expect("content");
    let of = |&character: &Character| {
        let mut ends = Ends::default();
        for seed in 0..each {
            let setup = Setup::run(character, ascension);
            ends.count(&play(&game, &setup, seed, &mut Heuristic::default()));
        }
        ends.say(&format!("{} at ascension {ascension}", character.word()));
        ends
    };
    Character::ALL.iter().map(of).collect()
}

#[test]
fn random_runs_end_by_themselves() {
    let ends = random_runs(300);
    assert!(ends.floors.len() > 3, "{ends:?}");
}

#[test]
fn heuristic_runs_of_all_characters_end_by_themselves() {
    for ascension in [0, 10, 20] {
        for ends in heuristic_runs(ascension, 10) {
            assert!(ends.mean_floor() >= 6, "{ends:?}");
        }
    }
}

/// `cargo test --release -p turnstone-spire --test climb -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; the two above are the same in small"]
fn ten_thousand_random_and_a_thousand_heuristic_runs_end_by_themselves() {
    random_runs(10_000);
    for ascension in [0, 5, 10, 15, 20] {
        heuristic_runs(ascension, 50);
    }
}

/// `cargo test --release -p turnstone-spire --test climb strength -- --ignored --nocapture`
#[test]
#[ignore = "a measurement: how far the heuristic player comes with each character"]
fn strength_of_the_heuristic_player() {
    let runs = std::env::var("SPIRE_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    heuristic_runs(0, runs);
}

#[test]
fn the_promises_hold() {
    let game = Arc::new(Climb::builtin().expect("content"));
    prove(&game, setup, Plan { cases: 16, steps: 120, seed: 9, probes: 4 });
}

#[test]
fn recorded_visits_of_the_map() {
    use std::io::Read;
    use turnstone::host::Hosted;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/map.jsonl.gz");
    let mut text = String::new();
    let file = std::fs::File::open(path).expect("the golden file");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    let result = Whole::conform("map.jsonl", &text, &[]).expect("a kind we know");
    assert_eq!(result.kind, "map traces");
    assert!(result.failures.is_empty(), "{:#?}", result.failures);
    assert_eq!(result.passed, 22);
}
