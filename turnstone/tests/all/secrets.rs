//! What one may know is law, in all four games: whatever a table says to a seat is the same when only what the seat may
//! not know differs; samples are possible and vary; no bot peeks.
//!
//! Some pairs of positions in every test run; `TURNSTONE_PAIRS=10000 cargo test --release -p turnstone-games --test all
//! secrets -- --include-ignored --nocapture` tries so many of each game.

use std::collections::BTreeMap;

use turnstone_chess::Chess;
use turnstone_grid::Grid;
use turnstone_host::{Hosted, Opening, Source};
use turnstone_skirmish::Skirmish;
use turnstone_spire::Spire;
use turnstone_testkit::secrets::{Pairs, Planted, Way, keep};

/// A set-up, its rules and wishes.
fn opening(setup: &str, ruleset: Option<&str>, wishes: &[(&str, &str)]) -> Opening {
    Opening {
        setup: Some(setup.to_owned()),
        ruleset: ruleset.map(Into::into),
        wishes: wishes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..Opening::default()
    }
}

/// Tries so many pairs over these openings and tells how often each secret was changed; `bots` are blindfolded.
fn tried<G: Hosted>(
    openings: &[Opening],
    bots: &[&str],
    (pairs, steps): (usize, usize),
) -> BTreeMap<&'static str, usize> {
    let mut counts: BTreeMap<&'static str, usize> = G::secrets().into_iter().map(|name| (name, 0)).collect();
    for (nth, opening) in openings.iter().enumerate() {
        let seed = nth as u64 + 1;
        let opening = Opening { seed, ..opening.clone() };
        let what = format!("{} {:?} {:?}", G::NAME, opening.setup, opening.wishes);
        let (game, setup) = G::open_table(&opening).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
        let plan = Pairs { pairs: pairs.div_ceil(openings.len()), steps, seed, planted: None };
        let kept = keep(&game, |_| setup.clone(), bots, plan).unwrap_or_else(|leak| panic!("{what}: {leak}"));
        kept.into_iter().for_each(|(name, count)| *counts.entry(name).or_default() += count);
    }
    println!("{}: {counts:?}", G::NAME);
    counts
}

fn all_varied(counts: &BTreeMap<&'static str, usize>, least: usize) {
    assert!(counts.values().all(|count| *count >= least), "each at least {least} times: {counts:?}");
}

/// Boards in the fog of war with abilities and special ground, and runs, whose dice are hidden.
pub fn chess() -> Vec<Opening> {
    let boards = ["circus", "misty-moor", "island-bridge"];
    let mut all: Vec<Opening> = boards.map(|board| opening(board, Some("dark"), &[])).into();
    all.push(opening("run", None, &[]));
    all
}

pub fn skirmish() -> Vec<Opening> {
    let rulesets = ["mir-0.23", "mir-1.4", "core-5e-lite"];
    let mut all: Vec<Opening> =
        rulesets.map(|ruleset| opening("dungeon", Some(ruleset), &[("fog", "on")])).into();
    all.push(opening("crypt-of-lanterns", Some("mir-0.23"), &[]));
    all
}

pub fn grid() -> Vec<Opening> {
    Grid::setups().into_iter().map(|setup| opening(&setup.id, None, &[])).collect()
}

/// Where the wind blows: elsewhere nothing is hidden in grid.
fn windy() -> Vec<Opening> {
    vec![opening("15-gusty-ledge", None, &[])]
}

/// Two rooms whose events lay things face down.
const FACE_DOWN: &str = r#"
[map.face_down]
name = "Face Down"
text = "Things that lie face down."
neow = false

[map.face_down.node.memory]
floor = 1
column = 1
room = "event"
event = "match_and_keep"
next = ["body"]

[map.face_down.node.body]
floor = 2
column = 1
room = "event"
event = "dead_adventurer"
end = true
"#;

pub fn spire() -> Vec<Opening> {
    let mut all: Vec<Opening> =
        ["ironclad", "silent", "defect", "watcher"].map(|who| opening(who, None, &[])).into();
    all.push(opening("fight:hexaghost", None, &[("relics", "runic_dome")]));
    all.push(opening("fight:jaw_worm", None, &[("relics", "frozen_eye")]));
    let mine = Opening { files: vec![Source::new("mine.toml", FACE_DOWN)], ..Opening::default() };
    all.push(Opening { files: mine.files, ..opening("ironclad", None, &[("map", "mine.toml")]) });
    all
}

/// The bots of each game, as they are called there.
const CHESS: [&str; 4] = ["random", "greedy", "alpha-beta:30", "slips=30:greedy"];
const SKIRMISH: [&str; 7] = ["normal", "deadly", "random", "easy", "hard", "slips=30:hard", "tactician:2"];
const GRID: [&str; 3] = ["random", "solver", "slips=40:solver"];
const SPIRE: [&str; 5] = ["random", "heuristic", "greedy", "climber:4", "slips=20:heuristic"];

/// Pairs of every test run: so many, and so many steps into a match.
const SOME: (usize, usize) = (80, 12);
/// The same where positions are large and keep many secrets each.
const SOME_LARGE: (usize, usize) = (80, 8);

/// The searchers of any game, each with a small budget: whether they peek does not depend on it.
const SEARCHERS: [&str; 5] = [
    "flat:6,trees=1,longest=8",
    "ismcts:6,trees=2,longest=8",
    "mo-ismcts:6,trees=1,longest=8",
    "alphabeta:12,trees=2",
    "beam:12,trees=1,longest=8",
];

/// Few pairs, since thinking takes long.
const FEW: (usize, usize) = (8, 6);
/// Near the beginning, where there is a way to win: where there is none, the solver looks for it everywhere.
const GUSTS: (usize, usize) = (6, 3);

#[test]
fn no_searcher_peeks_in_any_game() {
    tried::<Chess>(&chess(), &SEARCHERS, FEW);
    tried::<Skirmish>(&skirmish(), &SEARCHERS, FEW);
    tried::<Grid>(&grid(), &SEARCHERS, FEW);
    tried::<Spire>(&spire(), &SEARCHERS, FEW);
}

#[test]
fn no_bot_of_a_game_peeks() {
    tried::<Chess>(&chess(), &CHESS, FEW);
    tried::<Skirmish>(&skirmish(), &SKIRMISH, FEW);
    tried::<Grid>(&windy(), &GRID, GUSTS);
}

/// It thinks too long for more.
#[test]
fn the_strongest_of_chess_does_not_peek() {
    tried::<Chess>(&chess()[..1], &["strong"], (1, 4));
}

#[test]
fn chess_keeps_its_secrets_in_some_pairs() {
    all_varied(&tried::<Chess>(&chess(), &CHESS[..1], SOME), 1);
}

/// Each secret slips out in each way: it is noticed, and called by its name and by the way it took. `of_others` are kept
/// only while another seat is to act: then one has no options with words, and no bot is asked.
fn each_secret_is_missed<G: Hosted>(openings: &[Opening], of_others: &[&str]) {
    for secret in G::secrets() {
        for way in Way::ALL {
            let told = openings.iter().find_map(|opening| {
                let (game, setup) = G::open_table(opening).expect("it can be opened");
                let plan = Pairs { pairs: 40, steps: 20, seed: 3, planted: Some(Planted { secret, way }) };
                keep(&game, |_| setup.clone(), &[], plan).err()
            });
            if of_others.contains(&secret) && [Way::Label, Way::Bot].contains(&way) {
                assert_eq!(told, None, "{}: {secret} by {way:?}", G::NAME);
                continue;
            }
            let told = told.unwrap_or_else(|| panic!("{}: nobody noticed {secret} by {way:?}", G::NAME));
            assert!(told.contains(&format!("learns the {secret}: ")), "{way:?}: {told}");
            assert!(noticed(way).iter().any(|words| told.contains(words)), "{way:?}: {told}");
        }
    }
}

/// By what it is noticed; labels as soon as it is the seat's turn.
fn noticed(way: Way) -> &'static [&'static str] {
    match way {
        Way::Scene => &["by scene, spectators' scene:"],
        Way::Label => &["by greeting, scene:", "by answer, scene:"],
        Way::News | Way::Error => &["by answer:"],
        Way::Bot => &["the bot that was planted peeks"],
    }
}

#[test]
fn a_planted_leak_of_each_secret_of_chess_is_noticed() {
    each_secret_is_missed::<Chess>(&chess(), &[]);
}

#[test]
fn a_planted_leak_of_each_secret_of_skirmish_is_noticed() {
    each_secret_is_missed::<Skirmish>(&skirmish(), &["spent"]);
}

#[test]
fn a_planted_leak_of_each_secret_of_grid_is_noticed() {
    each_secret_is_missed::<Grid>(&windy(), &[]);
}

#[test]
fn a_planted_leak_of_each_secret_of_spire_is_noticed() {
    each_secret_is_missed::<Spire>(&spire(), &[]);
}

#[test]
fn skirmish_keeps_its_secrets_in_some_pairs() {
    all_varied(&tried::<Skirmish>(&skirmish(), &SKIRMISH[..2], SOME_LARGE), 1);
}

#[test]
fn grid_keeps_its_secrets_in_some_pairs() {
    all_varied(&tried::<Grid>(&grid(), &GRID[..1], SOME), 1);
}

#[test]
fn spire_keeps_its_secrets_in_some_pairs() {
    all_varied(&tried::<Spire>(&spire(), &SPIRE, SOME), 1);
}

/// Many pairs, and forty steps into a match; each secret is changed in a hundredth of them at least.
fn many() -> (usize, usize) {
    let pairs = std::env::var("TURNSTONE_PAIRS");
    (pairs.map_or(10_000, |text| text.parse().expect("TURNSTONE_PAIRS is a number")), 40)
}

#[test]
#[ignore = "long: run by .ci/long"]
fn chess_keeps_its_secrets_in_ten_thousand_pairs() {
    all_varied(&tried::<Chess>(&chess(), &CHESS, many()), many().0 / 100);
}

#[test]
#[ignore = "long: run by .ci/long"]
fn skirmish_keeps_its_secrets_in_ten_thousand_pairs() {
    all_varied(&tried::<Skirmish>(&skirmish(), &SKIRMISH, many()), many().0 / 100);
}

#[test]
#[ignore = "long: run by .ci/long"]
fn grid_keeps_its_secrets_in_ten_thousand_pairs() {
    all_varied(&tried::<Grid>(&grid(), &GRID[..1], many()), many().0 / 100);
    tried::<Grid>(&windy(), &GRID, (many().0 / 100, GUSTS.1));
}

#[test]
#[ignore = "long: run by .ci/long"]
fn spire_keeps_its_secrets_in_ten_thousand_pairs() {
    all_varied(&tried::<Spire>(&spire(), &SPIRE, many()), many().0 / 100);
}
