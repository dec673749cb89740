//! Whole runs with real fights: they end by themselves, and the kernel's promises hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnstone::digest::Digest;
use turnstone::{Game, Input, InputOf, Match, Off, Position, Resolver, file};
use turnstone_host::Player;
use turnstone_spire::Asked;
use turnstone_spire::State;
use turnstone_spire::catalog::Sources;
use turnstone_spire::run::Setup;
use turnstone_spire::run::event::Event;
use turnstone_spire::run::tower::{FightKind, Reward, Screen};
use turnstone_spire::seeds::{EventNo, RelicNo};
use turnstone_spire::state::OwnedRelic;
use turnstone_spire::{Ruleset, Spire};
use turnstone_testkit::{Plan, prove};

use crate::players::{CHARACTERS, heuristic, random};

fn inputs(game: &Spire, position: &Position<Spire>, out: &mut Vec<InputOf<Spire>>) {
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
fn play(game: &Spire, setup: &Setup, seed: u64, bot: &mut Player<Spire>) -> State {
    let mut position = Position::new(game.start(setup, seed).expect("start"));
    let mut resolver = Resolver::default();
    let mut list = Vec::new();
    for _ in 0..ENOUGH {
        inputs(game, &position, &mut list);
        if list.is_empty() {
            break;
        }
        let input = &list[bot.choose(game, &position, &list, position.live().serial)];
        if let Err(refusal) = resolver.act(game, &mut position, input, &mut Off) {
            panic!("seed {seed}, {setup:?}: {input:?} was refused: {refusal}");
        }
    }
    let tower = &position.state().tower;
    let combat = &position.state().combat;
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
    Setup::run(CHARACTERS[seed as usize % 4], ascension)
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
        *self.floors.entry(end.run.floor).or_default() += 1;
        self.second_act += u64::from(end.run.act > 1);
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
    let game = Spire::builtin(Ruleset::Classic).expect("content");
    let mut ends = Ends::default();
    for seed in 0..runs {
        ends.count(&play(&game, &setup(seed), seed, &mut random(seed)));
    }
    ends.say("random");
    ends
}

/// Runs of every character at one ascension.
fn heuristic_runs(ascension: u8, each: u64) -> Vec<Ends> {
    let game = Spire::builtin(Ruleset::Classic).expect("content");
    let of = |&character: &&str| {
        let mut ends = Ends::default();
        for seed in 0..each {
            let setup = Setup::run(character, ascension);
            ends.count(&play(&game, &setup, seed, &mut heuristic()));
        }
        ends.say(&format!("{character} at ascension {ascension}"));
        ends
    };
    CHARACTERS.iter().map(of).collect()
}

#[test]
fn ten_thousand_random_runs_end_by_themselves() {
    let ends = random_runs(10_000);
    assert!(ends.floors.len() > 10, "{ends:?}");
}

#[test]
fn a_thousand_heuristic_runs_of_all_characters_end_by_themselves() {
    for ascension in [0, 5, 10, 15, 20] {
        for ends in heuristic_runs(ascension, 50) {
            assert!(ends.mean_floor() >= 6, "{ends:?}");
        }
    }
}

/// `cargo test --release -p turnstone-spire --test all -- --ignored climb::very_many --nocapture`
#[test]
#[ignore = "about a minute; the two above are the same in small"]
fn very_many_runs_end_by_themselves() {
    random_runs(200_000);
    for ascension in 0..=20 {
        heuristic_runs(ascension, 250);
    }
}

/// `cargo test --release -p turnstone-spire --test all -- --ignored climb::strength --nocapture`
#[test]
#[ignore = "a measurement: how far the heuristic player comes with each character"]
fn strength_of_the_heuristic_player() {
    let runs = std::env::var("SPIRE_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    heuristic_runs(0, runs);
}

#[test]
fn the_promises_hold() {
    let game = Arc::new(Spire::builtin(Ruleset::Classic).expect("content"));
    prove(&game, setup, Plan { cases: 16, steps: 120, seed: 9, probes: 4 });
}

/// A new event is a file in a directory of content: no list has to be changed.
const WELL: &str = r#"
[event.well]
name = "The Well"
pool = "shrine"

[event.well.node.start]
text = "A well, and a bucket."
options = [
  { id = "drink", text = "Drink", do = [{ heal = 5 }] },
  { id = "leave", text = "Leave" },
]
"#;

#[test]
fn a_new_event_is_met_in_a_run() {
    let sources = Sources::builtin("classic").with_text("well.toml", WELL);
    let game = Spire::new(Ruleset::Classic, &sources).expect("content");
    let well: EventNo = game.rulebook.tables.events.find("well").expect("a number");
    let met = (0..200).any(|seed| {
        let mut position = Position::new(game.start(&setup(0), seed).expect("start"));
        let (mut resolver, mut bot, mut list) = (Resolver::default(), heuristic(), Vec::new());
        loop {
            inputs(&game, &position, &mut list);
            let at_well = position.state().tower.event().is_some_and(|event| event.event == well);
            if at_well || list.is_empty() {
                return at_well;
            }
            let input = &list[bot.choose(&game, &position, &list, position.live().serial)];
            resolver.act(&game, &mut position, input, &mut Off).expect("a legal action");
        }
    });
    assert!(met);
}

/// The inputs of a random run up to a choice inside a fight inside an event.
fn up_to_a_choice_in_an_event_fight(game: &Spire, setup: &Setup, seed: u64) -> Option<Vec<InputOf<Spire>>> {
    let mut position: Position<Spire> = Position::new(game.start(setup, seed).expect("start"));
    let (mut resolver, mut bot, mut list) = (Resolver::default(), random(seed), Vec::new());
    let mut script = Vec::new();
    loop {
        let fighting = position.state().tower.fighting;
        let in_event = fighting.is_some_and(|f| matches!(f.kind, FightKind::Event(_)));
        if in_event && matches!(position.pending().map(|p| &p.question), Some(Asked::Fight(_))) {
            return Some(script);
        }
        inputs(game, &position, &mut list);
        if list.is_empty() {
            return None;
        }
        let input = list[bot.choose(game, &position, &list, position.live().serial)].clone();
        resolver.act(game, &mut position, &input, &mut Off).expect("a legal action");
        script.push(input);
    }
}

#[test]
fn a_choice_inside_a_fight_inside_an_event_is_saved_and_undone_across_rooms() {
    let game = Arc::new(Spire::builtin(Ruleset::Classic).expect("content"));
    let setup = Setup::run("silent", 0);
    let found = (0..20_000)
        .find_map(|seed| up_to_a_choice_in_an_event_fight(&game, &setup, seed).map(|script| (seed, script)));
    let (seed, script) = found.expect("a run that comes to such a choice");
    let mut run: Match<Spire> = Match::new(Arc::clone(&game), setup.clone(), seed).expect("start");
    let mut states = vec![run.state().clone()];
    for input in script {
        run.act(input).expect("a legal action");
        states.push(run.state().clone());
    }
    let header = file::Header::new("spire", serde_json::Value::Null, Digest([0; 16]), setup, seed);
    let mut read: Match<Spire> =
        file::read(&game, file::write(&header, &run).expect("writes")).expect("the file reads");
    assert_eq!(read.state(), run.state());
    assert_eq!(read.position().pending(), run.position().pending());
    let mut list = Vec::new();
    inputs(&game, read.position(), &mut list);
    for played in [&mut run, &mut read] {
        played.act(list[0].clone()).expect("an answer");
    }
    assert_eq!(read.state(), run.state());
    read.undo();
    while let Some(state) = states.pop() {
        assert_eq!(*read.state(), state);
        read.undo();
    }
}

/// Why this gold and these cards: the explanation of a reward hangs below the blow that won the fight, and names
/// the relics that had a hand in it.
#[test]
fn a_reward_is_explained_like_a_blow() {
    let game = Arc::new(Spire::builtin(Ruleset::Classic).expect("content"));
    let setup = Setup { map: None, ..Setup::run("ironclad", 0) };
    let mut run: Match<Spire> = Match::new(Arc::clone(&game), setup, 4).expect("start");
    let mut bot = heuristic();
    let explained = loop {
        let list = run.inputs();
        let chosen = bot.choose(&game, run.position(), &list, run.depth());
        let moment = run.act(list[chosen].clone()).expect("a legal action");
        let lines = run.explain(moment).lines;
        if lines.iter().any(|line| line.text.starts_with("Rewards: ")) && list.len() > 1 {
            break lines;
        }
    };
    let at = explained.iter().position(|line| line.text.starts_with("Rewards: ")).expect("the reward");
    let reward = &explained[at];
    assert!(reward.text.contains("gold") && reward.depth > 0, "{reward:?}");
    let causes: Vec<&str> = (0..at)
        .rev()
        .scan(reward.depth, |depth, line| {
            let cause = explained[line].depth < *depth;
            *depth = (*depth).min(explained[line].depth);
            Some(cause.then_some(explained[line].text.as_str()))
        })
        .flatten()
        .collect();
    assert!(causes.iter().any(|text| text.contains("won")), "{causes:?}");
    assert_eq!(explained[0].depth, 0, "the blow that ended it stands on top");

    let idol: RelicNo = game.rulebook.tables.relics.find("golden_idol").expect("a number");
    let mut state = run.state().clone();
    state.run.relics.push(OwnedRelic { id: idol.0, counter: 0 });
    let opened = Event::Opened {
        screen: Box::new(Screen::Rewards(vec![Reward::Gold(15)])),
        change: Default::default(),
    };
    let told = game.journey().tell(&state, &opened);
    assert!(told.ends_with("15 gold (with Golden Idol)"), "{told}");
}
