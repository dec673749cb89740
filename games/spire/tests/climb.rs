//! Whole runs with real fights: they end by themselves, and the kernel's promises hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnstone::{Game, Input, InputOf, Off, Position, Resolver};
use turnstone_spire::Spire;
use turnstone_spire::run::tower::State;
use turnstone_spire::run::{Climb, Setup};
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

struct Chooser(u64);

impl Chooser {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn play(game: &Whole, setup: &Setup, seed: u64) -> State {
    let mut position = Position::new(game.start(setup, seed).expect("start"));
    let mut resolver = Resolver::default();
    let mut chooser = Chooser(seed ^ 0x5eed);
    let mut list = Vec::new();
    for _ in 0..20_000 {
        inputs(game, &position, &mut list);
        if list.is_empty() {
            break;
        }
        let input = &list[chooser.below(list.len())];
        if let Err(refusal) = resolver.act(game, &mut position, input, &mut Off) {
            panic!("seed {seed}: {input:?} was refused: {refusal}");
        }
    }
    let tower = &position.state().tower;
    let combat = &position.state().spire.combat;
    assert!(
        tower.end.is_some(),
        "seed {seed} got stuck: {:?} {:?} {:?} turn {} decided {}",
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

#[test]
fn random_runs_end_by_themselves() {
    let game = Climb::builtin().expect("content");
    let mut floors: BTreeMap<u8, u32> = BTreeMap::new();
    let runs = std::env::var("SPIRE_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for seed in 0..runs {
        let end = play(&game, &setup(seed), seed);
        *floors.entry(end.spire.run.floor).or_default() += 1;
    }
    let mean = floors.iter().map(|(f, n)| u64::from(*f) * u64::from(*n)).sum::<u64>() as f64 / runs as f64;
    println!("mean floor {mean:.2} {floors:?}");
    assert!(floors.len() > 3, "{floors:?}");
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

#[test]
fn heuristic_runs_of_all_characters_end_by_themselves() {
    use turnstone_spire::run::{GameFacts, Heuristic, play_out};
    let game = Climb::builtin().expect("content");
    for &character in Character::ALL {
        let mut facts = GameFacts::default();
        for seed in 0..40 {
            let played =
                play_out(&game, &Setup::run(character, 0), seed, &mut Heuristic::default(), &mut facts);
            played.unwrap_or_else(|refusal| panic!("{character:?}, seed {seed}: {refusal}"));
        }
        println!("{character:?} {facts:?}");
        assert!(facts.floors / facts.games >= 6, "{character:?}: {facts:?}");
    }
}
