//! What balance reports find in the real spire, and what they do not.

use turnstone_arena::balance::{Balance, Change, Example, Group, Study};
use turnstone_arena::stats::Paired;

use turnstone_table::{Crossing, Labels, Opening, Plan, Source, Viewer};

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
    let (before, after) = (study(NOTHING, 1, 1500, 600), study(STRONG_CARD, 1, 1500, 600));
    let effect = |balance: &Balance| balance.forks.iter().find(|row| !row.too_few).map(|row| row.measure);
    let (weak, strong) = (effect(&before).expect("it is offered"), effect(&after).expect("it is offered"));
    assert!(strong.mean > weak.mean && strong.p < 0.05, "{weak:?} {strong:?}");
    let compared = before.compare(&after);
    assert!(compared.measure.mean > 0.0 && compared.measure.p < 0.05, "{:?}", compared.measure);
    // Of all that is compared this names the card itself.
    let named = change(&compared.changes, "effect of choice Take Cleave").expect("the card is named");
    assert_eq!((named.before, named.after), (weak.mean, strong.mean));
    assert!(named.after - named.before > named.error && named.by_chance < 0.01, "{named:?}");
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
fn looking(game: &str, setup: &str, bot: &str, first: u64, games: u64) -> Study {
    let host = turnstone_games::games().find(game).expect("it is hosted");
    let opening = Opening { setup: Some(setup.into()), ..Opening::default() };
    let venue = host.venue(&opening).expect("it can be opened");
    let plan = Plan { bot: bot.into(), seats: Vec::new(), max_inputs: 100_000 };
    Study {
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
    }
}

fn usual(game: &str, setup: &str, bot: &str, first: u64, games: u64) -> Balance {
    looking(game, setup, bot, first, games).run(&|_, _, _| {}).expect("it is played")
}

/// Where the way parts, players who keep a plan once forgot it in what was counted and went on with it in the match file.
#[test]
fn match_files_of_choices_show_what_was_counted_and_the_way_that_was_taken_is_the_match() {
    for (game, setup, bot, max_inputs) in [
        ("skirmish", "arena", "hard", 100_000),
        ("skirmish", "arena", "hard", 30),
        ("spire", "fight:jaw_worm", "climber:2", 100_000),
        ("grid", "15-gusty-ledge", "solver", 1000),
    ] {
        let mut study = Study { labels: Some(Labels::default()), ..looking(game, setup, bot, 1, 1) };
        study.groups[0].plan.max_inputs = max_inputs;
        for seed in 1..=2 {
            let Group { venue, plan, .. } = &study.groups[0];
            let studied = venue.study(seed, plan, study.labels.as_ref()).expect("it is played");
            let taken = studied.offered.iter().filter(|offered| offered.taken);
            let taken: Vec<Crossing> = taken.filter_map(|offered| offered.fork).collect();
            assert!(!taken.is_empty(), "{game}: every choice is looked at");
            let some: Vec<Crossing> = taken.iter().step_by(taken.len().div_ceil(8)).copied().collect();
            let forks = venue.forks(seed, plan, &some).expect("both ways can be played");
            for (crossing, fork) in some.iter().zip(&forks) {
                assert_eq!(fork.with, studied.played, "{game} {bot}: {crossing:?}");
                let example = Example { seed, fork: Some(*crossing), ..Example::default() };
                let file = study.match_file(&example).expect("it is played again");
                let mut table = turnstone_games::games().load(&file, &[]).expect("it is a match file");
                let tips: Vec<_> = table.branches(Viewer::All).iter().map(|line| line.tip).collect();
                assert_eq!(tips.len(), 2, "{game} {bot}: {crossing:?}");
                for (tip, counted) in tips.into_iter().zip([&fork.without, &fork.with]) {
                    table.jump(tip).expect("it is a moment");
                    let shown = (table.outcome(), table.line().len() as u64 - 1, table.tally());
                    let counted = (counted.outcome, counted.inputs, counted.tally.clone());
                    assert_eq!(shown, counted, "{game} {bot}: {crossing:?}");
                }
            }
        }
    }
}

/// Of an end of the turn in which the last foe bites and dies of thorns the bite was left out; without it the blood that
/// heals the winner would have made up for a part of the fight.
#[test]
fn a_fight_costs_what_its_last_input_costs_and_healing_afterwards_is_not_part_of_it() {
    let situation =
        "situation:hp 50/80 energy 0; thorns 5; relics: burning_blood; enemy: jaw_worm 5/44 intends chomp";
    let group = looking("spire", situation, "heuristic", 1, 1).groups.remove(0);
    let studied = group.venue.study(1, &group.plan, None).expect("it is played");
    let left = studied.played.tally.iter().find(|(name, _)| name == "hp left").expect("it is told");
    assert_eq!((studied.played.inputs, left.1.as_i64()), (1, Some(45)), "bitten for 11, healed by 6");
    let costs: Vec<i64> = studied.stretches.iter().map(|fight| fight.cost).collect();
    assert_eq!(costs, [11]);
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
