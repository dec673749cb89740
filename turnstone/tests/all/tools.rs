//! The tools of single games, as functions.

use turnstone_games::tools::chess::{Tree, fen, import, pgn};
use turnstone_games::tools::skirmish::{export, narrate};
use turnstone_games::tools::spire::seed;

#[test]
fn games_come_from_pgn_and_go_back_to_it() {
    let text = "[White \"Anna\"]\n1. f3 e5 (1... d5 {also}) 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n\n1. e4 *";
    let games = import(text);
    assert_eq!(games.len(), 3);
    let files: Vec<&String> = games.iter().flatten().collect();
    let told = pgn(files[0], &[], &[("Black".to_owned(), "Bert".to_owned())]).unwrap();
    assert!(told.contains("[White \"Anna\"]\n[Black \"Bert\"]"), "{told}");
    assert!(told.ends_with("1. f3 e5 (1... d5 {also}) 2. g4 Qh4# 0-1\n"), "{told}");
    assert!(fen(files[1], &[]).unwrap().starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
    let mistake = games[1].as_ref().unwrap_err();
    assert!(mistake.to_string().contains("game 2, ply 3: Ke3"), "{mistake}");
    assert_eq!((mistake.code(), mistake.to_string().matches("SAN_ILLEGAL").count()), ("SAN_ILLEGAL", 1));
    assert!(fen("{}", &[]).is_err());
}

#[test]
fn counts_agree_and_mistakes_are_named() {
    let tree = Tree::read(None, "chess").unwrap();
    assert_eq!(tree.count(3, false).nodes, 8_902);
    let each = tree.count(3, true);
    assert_eq!((each.nodes, each.moves.len()), (8_902, 20));
    assert_eq!(Tree::read(Some("8/8"), "chess").err().unwrap().code(), "FEN_RANKS");
    assert_eq!(Tree::read(None, "checkers").err().unwrap().code(), "UNKNOWN_VARIANT");
}

#[test]
fn a_seed_is_unrolled_and_mistakes_are_named() {
    let found = seed("1ABCD", "Ironclad", 0, "original", &[]).unwrap();
    assert!(found.text.contains("1ABCD") && found.data["acts"].is_array());
    for (text, character, ascension, rules, code) in [
        ("", "ironclad", 0, "original", "BAD_SEED"),
        ("1", "nobody", 0, "original", "UNKNOWN_CHARACTER"),
        ("1", "silent", 21, "original", "BAD_ASCENSION"),
        ("1", "defect", 20, "house", "UNKNOWN_RULES"),
    ] {
        assert_eq!(seed(text, character, ascension, rules, &[]).err().unwrap().code(), code);
    }
    let monk = "[character.monk]\ncolor = \"ironclad\"\nhp = 60\ndeck = { bash = 5 }\n";
    let over = [turnstone_table::Source::new("monk.toml", monk)];
    assert_eq!(seed("1", "monk", 0, "original", &over).unwrap().data["character"], "monk");
}

#[test]
fn a_skirmish_becomes_documents_and_a_tale() {
    let host = turnstone_games::games().find("skirmish").unwrap();
    let mut table = host.venue(&turnstone_table::Opening::default()).unwrap().open(5).unwrap();
    for seat in [0, 1] {
        table.seat_bot(seat, "normal", 1).unwrap();
    }
    while let Some(choice) = table.bot_choice() {
        table.choose(choice).unwrap();
    }
    let file = table.save().unwrap();
    let whole = export(&file, &[], "m").unwrap();
    assert_eq!(whole.state["log"]["events"].as_array().unwrap().len(), whole.log.len() + 1);
    let report = whole.replay.run();
    assert!(report.ok, "{:?}", report.errors);
    assert_eq!(report.final_state_hash, Some(whole.hash));
    assert!(narrate(&file, &[]).unwrap().contains("Round 2"));
    // Events leave the table with ids.
    let blow = table
        .log(turnstone_table::Viewer::All)
        .into_iter()
        .find(|fact| fact["event"]["Attacked"].is_object());
    let target = blow.unwrap()["event"]["Attacked"]["target"].clone();
    assert!(target.as_str().is_some_and(|id| id.contains('-')), "{target}");
    let chess = import("1. e4 *").remove(0).unwrap();
    assert_eq!(export(&chess, &[], "m").unwrap_err().code(), "OTHER_GAME");
}

#[test]
fn a_match_played_here_is_exported_with_its_players_and_its_day() {
    let host = turnstone_games::games().find("chess").unwrap();
    let mut table = host.open(&turnstone_table::Opening::default()).unwrap();
    let tags = [("white", "Anna"), ("black", "strong"), ("date", "2026.11.17")];
    table.tag(&tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    table.choose(0).unwrap();
    let told = pgn(&table.save().unwrap(), &[], &[]).unwrap();
    for tag in ["[White \"Anna\"]", "[Black \"strong\"]", "[Date \"2026.11.17\"]"] {
        assert!(told.contains(tag), "{told}");
    }
}
