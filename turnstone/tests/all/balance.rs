//! What balance reports find in the real spire, and what they do not.

use turnstone_arena::balance::{Balance, Change, Group, Study};
use turnstone_arena::stats::Paired;

use turnstone_table::{Labels, Opening, Plan, Source};

/// Runs of the Ironclad by the heuristic player, with that content over what is built in.
fn study(content: &str, first: u64, games: u64, pairs: usize) -> Balance {
    let host = turnstone_games::games().find("spire").expect("spire is hosted");
    let content = vec![Source::new("planted.toml", content)];
    let opening = Opening { setup: Some("ironclad".into()), content, ..Opening::default() };
    let venue = host.venue(&opening).expect("the content is sound");
    let plan = Plan { bot: "heuristic".into(), seats: Vec::new(), max_inputs: 100_000 };
    let labels =
        Labels { begins: "Take Cleave".into(), until: Some("+".into()), against: Some("Go on".into()) };
    let study = Study {
        game: "spire".into(),
        source: String::new(),
        groups: vec![Group { name: String::new(), values: Vec::new(), venue, plan }],
        first,
        games,
        labels: Some(labels),
        measure: None,
        pairs,
        grafts: 0,
        least: 100,
        threads: 2,
    };
    study.run(&|_, _, _| {}).expect("it is played")
}

const NOTHING: &str = "[card.cleave]\ndo = [{ attack = [8, 11], to = \"enemies\" }]\n";
const STRONG_CARD: &str = "[card.cleave]\ndo = [{ attack = [16, 22], to = \"enemies\" }]\n";
const STRONG_BOSS: &str = "[monster.hexaghost]\nhp = { 0 = 500, 9 = 528 }\n";

fn change<'c>(changes: &'c [Change], what: &str) -> Option<&'c Change> {
    changes.iter().find(|change| change.what == what)
}

#[test]
fn a_boss_with_twice_the_hit_points_is_found_with_sign_and_size_and_nothing_is_not() {
    let before = study(NOTHING, 1, 800, 0);
    assert_eq!(before.compare(&study("", 1, 800, 0)).changes, [], "the same content in other words");
    let found = before.compare(&study(STRONG_BOSS, 1, 800, 0)).changes;
    let fatal = change(&found, "fatal Hexaghost").expect("it kills more");
    assert!(fatal.after > fatal.before, "{fatal:?}");
    // As large as on other seeds, within the errors of both.
    let other = study(NOTHING, 5001, 800, 0).compare(&study(STRONG_BOSS, 5001, 800, 0)).changes;
    let again = change(&other, "fatal Hexaghost").expect("it kills more there, too");
    let (one, two) = (fatal.after - fatal.before, again.after - again.before);
    assert!((one - two).abs() < 1.6 * fatal.error.hypot(again.error), "{one} {two}");
    assert!(found.iter().all(|change| change.what != "fatal The Guardian"), "{found:?}");
}

#[test]
fn a_card_with_twice_the_damage_is_found_with_sign_and_size_and_on_other_seeds_nothing_is() {
    let (before, after) = (study(NOTHING, 1, 600, 150), study(STRONG_CARD, 1, 600, 150));
    let effect = |balance: &Balance| balance.forks.iter().find(|row| !row.too_few).map(|row| row.measure);
    let (weak, strong) = (effect(&before).expect("it is offered"), effect(&after).expect("it is offered"));
    assert!(strong.mean > weak.mean && strong.p < 0.05, "{weak:?} {strong:?}");
    let compared = before.compare(&after);
    assert!(compared.measure.mean > 0.0 && compared.measure.p < 0.05, "{:?}", compared.measure);
    // As large as on other seeds, within the errors of all four.
    let there =
        [NOTHING, STRONG_CARD].map(|content| effect(&study(content, 5001, 600, 150)).expect("it is offered"));
    let gain = |weak: &Paired, strong: &Paired| (strong.mean - weak.mean, strong.error.hypot(weak.error));
    let ((one, one_error), (two, two_error)) = (gain(&weak, &strong), gain(&there[0], &there[1]));
    assert!(two > 0.0 && (one - two).abs() < 1.6 * one_error.hypot(two_error), "{one} {two}");
    let null = before.compare(&study(NOTHING, 9001, 600, 150));
    assert_eq!((null.seeds, null.changes.len()), (0, 0), "{:?}", null.changes);
}

/// Matches of a game as they are usually looked at.
fn usual(game: &str, setup: &str, bot: &str, first: u64, games: u64) -> Balance {
    let host = turnstone_games::games().find(game).expect("it is hosted");
    let opening = Opening { setup: Some(setup.into()), ..Opening::default() };
    let venue = host.venue(&opening).expect("it can be opened");
    let plan = Plan { bot: bot.into(), seats: Vec::new(), max_inputs: 100_000 };
    let study = Study {
        game: game.into(),
        source: String::new(),
        groups: vec![Group { name: String::new(), values: Vec::new(), venue, plan }],
        first,
        games,
        labels: None,
        measure: None,
        pairs: 0,
        grafts: 0,
        least: 100,
        threads: 2,
    };
    study.run(&|_, _, _| {}).expect("it is played")
}

/// Of comparisons of a game with itself on other seeds one in twenty may find something; of twenty independent ones more
/// than three find something once in sixty times. When offers of one match counted as witnesses of their own, all did.
#[test]
fn of_games_compared_with_themselves_hardly_any_differ() {
    for (game, setup, bot, games) in
        [("spire", "ironclad", "heuristic", 100), ("skirmish", "arena", "easy", 40)]
    {
        let side = |number: u64| usual(game, setup, bot, 1 + number * games, games);
        let pairs = (0..20).map(|pair| side(2 * pair).compare(&side(2 * pair + 1)));
        let found: Vec<(usize, Vec<Change>)> = pairs
            .map(|pair| (pair.compared, pair.changes))
            .inspect(|(compared, _)| assert!(*compared > 20, "{game}: {compared}"))
            .filter(|(_, changes)| !changes.is_empty())
            .collect();
        assert!(found.len() <= 3, "{game}: {} of 20: {found:#?}", found.len());
    }
}
