//! No text makes a reader panic; every refusal carries a code.

use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Match, Told as _};
use turnstone_chess::catalog::{Catalog, ContentFile, builtin_files, parse_betza};
use turnstone_chess::notation::read_pgn;
use turnstone_chess::plain::{Position, Variant};
use turnstone_chess::{At, Chess, Setup};
use turnstone_testkit::mutate::mutate;

const SEEDS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/1Q~6/8/8/4b3/8/Kpp5/8[QRBNPqrbnp] b - - 3+1 4294967295 4294967295",
    "k9/1<wall>.<fog>N{exploding,marksman:2}7/<tomb:N{revenant}>.9/K9 w - - 0 1",
    "[White \"a\\\"b\"] 1. e4 e5 {x} 2. Nf3 (2. f4 $1) Nc6 1/2-1/2",
    "fmWfcFifmnDNNQ3gB0",
    "e7e8q N@f3 O-O-O exd6# é1 x24",
    "[piece.a]\nletter=\"A\"\nvalue=1\nmoves=\"W\"\n[ruleset.b]\ninnate=[\"atomic\"]",
    "[board.c]\ntitle=\"t\"\nwidth=3\nheight=3\nwhite=[\"king a1 exploding:3\"]\nblack=[\"king c3\"]\ntiles=[\"void b2\"]",
];

/// A known text with letters lost, doubled, swapped and strange.
fn garble(lots: &mut Lots) -> String {
    let mut letters: Vec<char> = lots.pick(&SEEDS).expect("seeds").chars().collect();
    for _ in 0..lots.below(6) {
        let at = lots.below(letters.len().max(1) as u64) as usize;
        let strange = *lots
            .pick(&['/', '{', '}', '<', '>', '[', ']', '9', '~', 'é', '@', '+', '"', '\0', 'K', ' '])
            .expect("letters");
        match lots.below(4) {
            0 if at < letters.len() => _ = letters.remove(at),
            1 => letters.insert(at.min(letters.len()), strange),
            2 if at < letters.len() => letters[at] = strange,
            _ => letters.truncate(at),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn garbled_text_is_refused_with_a_code() {
    let mut lots = Lots::new(5, Stream::named("robust"));
    let games = ["standard", "crazyhouse", "three-check", "atomic", "last-piece-standing"]
        .map(|rules| Chess::builtin(rules).expect("a ruleset"));
    for _ in 0..20_000 {
        let text = garble(&mut lots);
        for variant in [Variant::Standard, Variant::Crazyhouse, Variant::Horde] {
            if let Err(error) = Position::from_fen(&text, variant) {
                assert!(error.code.contains('.') && !error.reason.is_empty(), "{text}");
            }
        }
        _ = At::parse(&text);
        _ = parse_betza(&text);
        _ = read_pgn(&text);
        let start = Position::start(Variant::Standard);
        _ = (start.parse_uci(&text), start.parse_san(&text));
        for chess in &games {
            if let Ok(state) = chess.start(&Setup::Fen(text.clone()), 0) {
                let mut legal = Vec::new();
                chess.legal(&state, &mut legal);
                _ = (chess.to_fen(&state), chess.parse_play(&state, &text));
            }
        }
    }
}

#[test]
fn garbled_content_is_refused_with_its_place() {
    let mut lots = Lots::new(6, Stream::named("robust"));
    for _ in 0..60 {
        let mut files = builtin_files();
        files.push(ContentFile { name: "mod.toml".to_owned(), text: garble(&mut lots) });
        for error in Catalog::read(files).err().unwrap_or_default() {
            assert!(!error.place.is_empty() || error.code.contains("count"), "{error}");
        }
    }
}

/// Facts of a game with abilities, tiles and a run, each forged a few times: what cannot be written does not fit, and
/// what fits can be written, told and played on from.
#[test]
fn forged_facts_do_not_fit_or_do_no_harm() {
    let (mut fitting, mut unfit) = (0, 0);
    for (ruleset, setup) in [
        ("last-piece-standing", Setup::Board("circus".to_owned())),
        ("crazyhouse", Setup::Start),
        ("run", Setup::Run(turnstone_chess::run::RunSetup::default())),
    ] {
        let chess = Arc::new(Chess::builtin(ruleset).expect("a ruleset"));
        let mut lots = Lots::new(7, Stream::named("chess/forger"));
        for seed in 0..6 {
            let mut game: Match<Chess> =
                Match::new(Arc::clone(&chess), setup.clone(), seed).expect("a set-up");
            for _ in 0..40 {
                let inputs = game.inputs();
                let before = game.state().clone();
                let Some(input) = lots.pick(&inputs).cloned() else { break };
                let moment = game.act(input).expect("a legal input");
                let mut state = before;
                for event in game.entries(moment).iter().filter_map(|entry| entry.fact.event()) {
                    assert!(chess.fits(&state, event), "a fact of its own does not fit: {event:?}");
                    if let Some(forged) = mutate(event, &mut lots) {
                        let mut there = state.clone();
                        if chess.fits(&there, &forged) {
                            chess.apply(&mut there, &forged);
                            let mut legal = Vec::new();
                            chess.legal(&there, &mut legal);
                            fitting += 1;
                        } else {
                            unfit += 1;
                        }
                        chess.tell(&there, &forged, &[]);
                    }
                    chess.apply(&mut state, event);
                }
            }
        }
    }
    assert!(fitting > 100 && unfit > 20, "{fitting} could be written, {unfit} could not");
}

/// A pawn that is to be promoted waits for its owner's word, with the end of the turn behind it. A position like that
/// from outside is taken only if what waits is about what stands there.
#[test]
fn what_waits_behind_a_question_must_be_about_this_board() {
    let chess = Arc::new(Chess::builtin("standard").expect("a ruleset"));
    let setup = Setup::Fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1".to_owned());
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup.clone(), 1).expect("it opens");
    let advance = game.inputs().into_iter().find(|input| {
        let mut tried = game.clone();
        tried.act(input.clone()).is_ok() && tried.pending().is_some()
    });
    game.act(advance.expect("the pawn may advance and ask")).expect("listed");
    let asked = serde_json::to_value(game.position()).expect("JSON");
    let admit = |position: serde_json::Value| {
        let position = serde_json::from_value(position).map_err(|error| error.to_string())?;
        let opened: Result<Match<Chess>, _> =
            Match::from_position(Arc::clone(&chess), setup.clone(), 1, position);
        opened.map(drop).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(admit(asked.clone()), Ok(()));
    let text = asked.to_string();
    let bent = [
        (r#""seat":0,"question""#, r#""seat":1,"question""#),
        (r#""promotion":{"piece":"#, r#""promotion":{"piece":9"#),
        (r#""at":"a8"}}"#, r#""at":"a7"}}"#),
    ];
    for (true_words, others) in bent {
        assert!(text.contains(true_words), "{true_words} is not in {text}");
        let forged = serde_json::from_str(&text.replace(true_words, others)).expect("JSON");
        assert_eq!(admit(forged), Err("BAD_QUESTION".to_owned()), "{others}");
    }
}
