//! Everything in words: what is told of every event, effect, listener, question and answer, over random
//! games on every board and under every ruleset. `WORD_GAMES=50` plays more.

use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, Match};
use turnstone_chess::catalog::Catalog;
use turnstone_chess::run::RunSetup;
use turnstone_chess::{Action, Chess, Color, Event, Setup};

fn games() -> u64 {
    std::env::var("WORD_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// Signs of Rust's own way to print data.
fn looks_like_debug(text: &str) -> bool {
    let signs = ["{", "}", "Some(", "None", "::", "Kind(", "Who", "PieceId", "At(", "Tag", "_"];
    // A mate is marked with a bare sign, a piece's number follows it.
    let numbered = text.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    text.is_empty() || numbered || signs.iter().any(|sign| text.contains(sign))
}

/// Plays at random, and gives every text that was told and every kind of event that happened.
fn listen(ruleset: &str, setup: &Setup, seed: u64) -> (Vec<String>, BTreeSet<String>) {
    let chess = Arc::new(Chess::builtin(ruleset).expect("a ruleset"));
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup.clone(), seed).expect("a set-up");
    let mut lots = Lots::new(seed, Stream::named("words"));
    let (mut texts, mut kinds) = (Vec::new(), BTreeSet::new());
    for step in 0..150 {
        if step == 40 && setup == &Setup::Start {
            game.act(Input::Act(Action::OfferDraw(Color::White))).ok();
        }
        let inputs = game.inputs();
        let Some(input) = lots.pick(&inputs) else { break };
        let moment = game.act(input.clone()).expect("a legal input");
        texts.extend(game.explain(moment).lines.into_iter().map(|line| line.text));
        for event in game.entries(moment).iter().filter_map(|entry| entry.fact.event()) {
            kinds.insert(name_of(event));
        }
    }
    (texts, kinds)
}

fn name_of(event: &Event) -> String {
    match serde_json::to_value(event).expect("plain data") {
        serde_json::Value::Object(map) => map.keys().next().cloned().unwrap_or_default(),
        other => other.to_string(),
    }
}

#[test]
fn nothing_is_told_in_the_language_of_programs() {
    let catalog = Catalog::builtin();
    let mut cases: Vec<(String, Setup)> = Vec::new();
    for rules in catalog.rulesets.iter().filter(|rules| rules.ends && rules.id != "run") {
        cases.push((rules.id.clone(), Setup::Start));
    }
    for board in &catalog.boards {
        cases.push((board.ruleset.clone(), Setup::Board(board.id.clone())));
    }
    cases.push(("run".to_owned(), Setup::Run(RunSetup::default())));
    cases.push(("last-piece".to_owned(), Setup::Fen("k7/p7/8/8/8/8/PP{veteran}6/K7 w".to_owned())));
    let all: Vec<(&(String, Setup), u64)> =
        cases.iter().flat_map(|case| (0..games()).map(move |seed| (case, seed))).collect();
    let heard: Vec<(Vec<String>, BTreeSet<String>)> =
        all.par_iter().map(|((ruleset, setup), seed)| listen(ruleset, setup, *seed)).collect();
    let mut kinds = BTreeSet::new();
    let mut told = 0;
    for (texts, some) in heard {
        told += texts.len();
        kinds.extend(some);
        let bad: Vec<&String> = texts.iter().filter(|text| looks_like_debug(text)).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
    println!("{told} lines, events of the kinds {kinds:?}");
    let wanted =
        ["moved", "captured", "destroyed", "changed", "tile-changed", "charged", "placed", "run", "ended"];
    assert!(wanted.iter().all(|kind| kinds.contains(*kind)), "{kinds:?}");
}

/// Plays these moves and gives all that is told of the last one.
fn tale(ruleset: &str, fen: &str, moves: &[&str]) -> String {
    let chess = Arc::new(Chess::builtin(ruleset).expect("a ruleset"));
    let mut game: Match<Chess> =
        Match::new(Arc::clone(&chess), Setup::Fen(fen.to_owned()), 0).expect("a board");
    let mut last = game.here();
    for text in moves {
        let play = chess.parse_play(game.state(), text).unwrap_or_else(|| panic!("{text}"));
        last = game.act(Input::Act(Action::Play(play))).expect("a legal move");
    }
    game.explain(last).to_string()
}

#[test]
fn tales_name_who_it_was_at_that_moment() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = [
        ("crazyhouse", start, vec!["e4", "d5", "exd5"], "White's pawn takes Black's pawn on d5"),
        (
            "last-piece-standing",
            "k7/8/8/3<guardian>n4/8/8/8/K2R4 w",
            vec!["d1d5"],
            "the guardian on d5 is spent (Guardian tile on d5)",
        ),
        (
            "last-piece-standing",
            "k7/3<wall>.4/8/8/8/8/8/K2R4 w",
            vec!["d1d7"],
            "the wall on d7 breaks (Wall on d7)",
        ),
        (
            "last-piece-standing",
            "k7/8/8/3<tomb:N{revenant}>.4/8/8/8/K2R4 w",
            vec!["d1d5"],
            "the tomb on d5 is empty (Tomb on d5)",
        ),
        ("standard", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", vec!["a8=Q"], "(promotion of White's pawn on a8)"),
        (
            "last-piece-standing",
            "k7/8/8/4p3/3P{predator}4/8/8/K7 w",
            vec!["d4e5"],
            "evolves to a knight (Predator of White's pawn on e5)",
        ),
        (
            "last-piece-standing",
            "k7/8/8/3n{exploding}p{exploding}p2/8/8/8/K2R4 w",
            vec!["d1d5"],
            "(Exploding of Black's pawn on e5)",
        ),
        (
            "last-piece-standing",
            "k7/8/8/3n4/8/8/8/K2R{marksman}4 w",
            vec!["d1d5"],
            "Marksman of White's rook on d1: no charge left",
        ),
        (
            "last-piece-standing",
            "k7/8/8/8/8/8/3N4/K2R{swapper}4 w",
            vec!["d1a1"],
            "White's rook on d1 and White's king on a1 changing places",
        ),
    ];
    for (ruleset, fen, moves, wanted) in cases {
        let told = tale(ruleset, fen, &moves);
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
}

#[test]
fn no_two_steps_of_a_run_have_one_label() {
    let chess = Arc::new(Chess::builtin("run").expect("the ruleset"));
    for seed in 0..6 {
        let mut game: Match<Chess> =
            Match::new(Arc::clone(&chess), Setup::Run(RunSetup::default()), seed).expect("a run");
        let mut lots = Lots::new(seed, Stream::named("labels"));
        for _ in 0..300 {
            let inputs = game.inputs();
            let Some(input) = lots.pick(&inputs).cloned() else { break };
            let scene =
                turnstone_host::Hosted::scene(&*chess, game.position(), &inputs, turnstone::Viewer::All);
            let mut labels: Vec<String> = scene.options.into_iter().map(|option| option.label).collect();
            labels.sort();
            let twins: Vec<&[String]> = labels.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twins.is_empty(), "{twins:?}");
            game.act(input).expect("a legal input");
        }
    }
}

#[test]
fn moves_that_leave_the_king_to_be_taken_are_told_where_nothing_forbids_them() {
    let scene = |ruleset: &str, fen: &str| {
        let chess = Arc::new(Chess::builtin(ruleset).expect("a ruleset"));
        let game: Match<Chess> =
            Match::new(Arc::clone(&chess), Setup::Fen(fen.to_owned()), 0).expect("a board");
        turnstone_host::Hosted::scene(&*chess, game.position(), &game.inputs(), turnstone::Viewer::All)
    };
    let warned = |scene: &turnstone_host::scene::Scene| -> Vec<String> {
        let warns = scene.options.iter().filter(|option| option.preview.contains("king to be taken"));
        warns.map(|option| option.label.clone()).collect()
    };
    let quiet = scene("last-piece-standing", "k5r1/8/8/8/8/8/8/7K w");
    assert_eq!(warned(&quiet), ["Kg1", "Kg2"]);
    assert!(quiet.panels.iter().all(|panel| panel.id != "news"));
    let checked = scene("last-piece-standing", "k6r/8/8/8/8/8/P7/7K w");
    assert!(warned(&checked).contains(&"a3".to_owned()));
    assert!(
        checked.panels.iter().flat_map(|panel| &panel.items).any(|item| item.text.contains("can be taken"))
    );
    assert!(warned(&scene("standard", "k5r1/8/8/8/8/8/8/7K w - - 0 1")).is_empty());
}
