//! Every match ends by rule, whatever the board, the ruleset and the players. A few games of each fit
//! every test run; `ENDING_GAMES=200` plays more.

use rayon::prelude::*;
use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, Match, Outcome};
use turnstone_chess::catalog::Catalog;
use turnstone_chess::plain::EndReason;
use turnstone_chess::run::RunSetup;
use turnstone_chess::{Action, Chess, Setup};
use turnstone_host::{Hosted as _, Opening};

fn open(ruleset: &str, setup: Setup, seed: u64) -> Match<Chess> {
    let chess = Arc::new(Chess::builtin(ruleset).expect("a ruleset"));
    Match::new(chess, setup, seed).expect("a good set-up")
}

fn fen(ruleset: &str, text: &str) -> Match<Chess> {
    open(ruleset, Setup::Fen(text.to_owned()), 0)
}

#[test]
fn a_position_that_is_over_is_over_at_once() {
    let cases = [
        ("standard", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", EndReason::Checkmate),
        ("standard", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", EndReason::Stalemate),
        ("standard", "8/8/4k3/8/8/3KB3/8/8 w - - 0 1", EndReason::InsufficientMaterial),
        ("racing-kings", "7K/8/k7/8/8/8/8/8 b - - 0 1", EndReason::Race),
        ("last-piece-standing", "k7/8/8/8/8/8/8/K7 w - - 150 90", EndReason::SeventyFiveMoves),
    ];
    for (ruleset, text, reason) in cases {
        let game = fen(ruleset, text);
        assert_eq!(game.state().end.map(|end| end.reason), Some(reason), "{text}");
        assert!(game.outcome().is_some() && game.actor().is_none() && game.inputs().is_empty(), "{text}");
    }
}

fn play(game: &mut Match<Chess>, text: &str) {
    let play = game.game().parse_play(game.state(), text).unwrap_or_else(|| panic!("{text}"));
    game.act(Input::Act(Action::Play(play))).expect("a legal move");
}

#[test]
fn a_revenant_that_dies_for_others_again_and_again_makes_a_draw() {
    let loop_of_two = "k6r/8/8/8/8/8/6<tomb:P{scapegoat,revenant}>.P/K4B2 w - - 0 1";
    let mut game = fen("last-piece-standing", loop_of_two);
    let mut announced = false;
    for text in ["f1g2", "h8h2"].into_iter().cycle().take(40) {
        if game.outcome().is_some() {
            break;
        }
        announced = game.game().draw_notice(game.state()).is_some();
        play(&mut game, text);
    }
    assert_eq!(game.state().end.map(|end| end.reason), Some(EndReason::FivefoldRepetition));
    assert!(announced, "both sides were told before it fell");
}

#[test]
fn in_crazyhouse_a_position_may_come_back_over_captures() {
    // Both knights are dropped and taken, and are in hand again.
    let mut game = fen("crazyhouse", "k2r4/8/8/8/8/8/8/K7[Nn] w - - 0 1");
    let round = ["N@e3", "N@d5", "Nxd5", "Rxd5", "Ka2", "Rd7", "Ka1", "Rd8"];
    for text in round.iter().cycle().take(round.len() * 4) {
        assert_eq!(game.outcome(), None);
        play(&mut game, text);
    }
    assert_eq!(game.state().end.map(|end| end.reason), Some(EndReason::FivefoldRepetition));
}

#[test]
fn a_match_that_could_go_on_for_ever_has_a_last_turn_and_says_so() {
    let catalog = Catalog::builtin();
    let mut rules = catalog.ruleset_named("last-piece-standing").expect("a ruleset").clone();
    rules.turn_limit = 12;
    let chess = Arc::new(Chess::with_rules(catalog, rules).expect("good rules"));
    let text = "k7/8/8/8/8/8/8/KN{wall-placement}6 w - - 0 1";
    let mut game: Match<Chess> =
        Match::new(Arc::clone(&chess), Setup::Fen(text.to_owned()), 0).expect("a board");
    let mut lots = Lots::new(1, Stream::named("endings"));
    for _ in 0..12 {
        assert_eq!(game.outcome(), None);
        assert!(chess.draw_notice(game.state()).is_some_and(|text| text.contains("12 turns")));
        let inputs = game.inputs();
        game.act(lots.pick(&inputs).expect("a move").clone()).expect("a legal input");
    }
    assert_eq!(game.state().end.map(|end| end.reason), Some(EndReason::TurnLimit));
}

#[test]
fn in_the_fog_nobody_can_claim_what_he_cannot_know() {
    let game = fen("dark", "k7/8/8/8/8/8/8/K6R w - - 120 80");
    assert!(!game.inputs().contains(&Input::Act(Action::ClaimDraw)));
    assert!(game.game().draw_notice(game.state()).is_some(), "but the draw is announced to both");
}

/// Inputs after which a match is called endless.
const ENOUGH: usize = 60_000;

fn games() -> u64 {
    std::env::var("ENDING_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// Plays at random to the end.
fn play_out(ruleset: &str, setup: Setup, seed: u64) -> Option<Outcome> {
    let mut lots = Lots::new(seed, Stream::named("endings"));
    let mut game = open(ruleset, setup, seed);
    for _ in 0..ENOUGH {
        let inputs = game.inputs();
        let Some(input) = lots.pick(&inputs) else { break };
        game.act(input.clone()).expect("a legal input");
    }
    game.outcome()
}

#[test]
fn every_ruleset_and_every_board_comes_to_an_end() {
    let catalog = Catalog::builtin();
    let mut cases: Vec<(String, Setup)> = Vec::new();
    for rules in catalog.rulesets.iter().filter(|rules| rules.ends && rules.id != "run") {
        cases.push((rules.id.clone(), Setup::Start));
    }
    for board in &catalog.boards {
        cases.push((board.ruleset.clone(), Setup::Board(board.id.clone())));
        if board.saved.width <= 12 {
            cases.push(("last-piece".to_owned(), Setup::Board(board.id.clone())));
            cases.push(("dark".to_owned(), Setup::Board(board.id.clone())));
        }
    }
    cases.push(("run".to_owned(), Setup::Run(RunSetup::default())));
    let seeds: Vec<(&(String, Setup), u64)> =
        cases.iter().flat_map(|case| (0..games()).map(move |seed| (case, seed))).collect();
    let open: Vec<String> = seeds
        .par_iter()
        .filter(|((ruleset, setup), seed)| play_out(ruleset, setup.clone(), *seed).is_none())
        .map(|((ruleset, setup), seed)| format!("{setup:?} under {ruleset}, seed {seed}"))
        .collect();
    println!("{} games", seeds.len());
    assert!(open.is_empty(), "{} without end:\n{}", open.len(), open.join("\n"));
}

#[test]
fn the_colossus_is_not_won_by_the_first_move() {
    let chess = Arc::new(Chess::builtin("last-piece-standing").expect("a ruleset"));
    let setup = Setup::Board("crowded-colossus".to_owned());
    let state = chess.start(&setup, 0).expect("the board");
    for play in chess.legal_plays(&state) {
        let turn = chess.resolve_turn(&state, &play).expect("a legal move");
        assert_eq!(turn.state.end, None, "{}", chess.play_text(&state, &play));
    }
}

/// Rules of records play on after the end: at the table a game under them had none.
#[test]
fn rules_under_which_nothing_ends_are_not_played() {
    let rules = ["recorded-standard", "recorded-last-piece-standing"]
        .map(|name| Opening { ruleset: Some(name.into()), ..Opening::default() });
    for opening in rules {
        assert_eq!(Chess::open_table(&opening).unwrap_err().code(), "RULESET_ENDLESS", "{opening:?}");
    }
}
