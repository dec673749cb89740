use std::collections::BTreeSet;

use serde_json::Value;
use turnstone_table::{Crossing, Fork, Graft, Offered, Outcome, Played, Stretch, Studied};

use super::*;

fn played(seed: u64, floor: u64, won: bool) -> Played {
    let outcome = Some(if won { Outcome::Won(0) } else { Outcome::Lost });
    let mut tally = vec![("floor".to_owned(), Value::from(floor)), ("won".to_owned(), won.into())];
    if !won {
        tally.push(("killed by".to_owned(), if floor.is_multiple_of(2) { "even" } else { "odd" }.into()));
    }
    Played { seed, outcome, inputs: 10, stuck: None, tally, standing: None }
}

fn floor(seed: u64) -> u64 {
    5 + seed * 7 % 13
}

/// A run in which `gift` adds that many floors, and ogres cost as much more.
fn run(seed: u64, gift: u64) -> Studied {
    let things = [
        (seed.is_multiple_of(2), "cup"),
        (seed.is_multiple_of(2) || seed % 16 == 1, "saucer"),
        (seed.is_multiple_of(3), "hat"),
    ];
    let taken = seed % 2 == 1;
    Studied {
        played: played(seed, floor(seed) + gift * (seed % 2), seed.is_multiple_of(10)),
        offered: vec![Offered {
            seat: 0,
            kind: "card".into(),
            name: "gift".into(),
            taken,
            fork: Some(Crossing { moment: 3, with: 1, without: 0 }),
        }],
        stretches: vec![Stretch { name: "ogre".into(), cost: (5 + gift + seed % 3) as i64, fatal: false }],
        holdings: things
            .iter()
            .filter(|(has, _)| *has)
            .map(|(_, name)| (0, "thing".to_owned(), (*name).to_owned()))
            .collect(),
        survey: vec![("solvable".to_owned(), true.into())],
        branching: 4.0,
    }
}

/// Four hundred such runs, each decision played both ways.
fn league(gift: u64, first: u64, least: u64) -> Balance {
    let mut gathering = Gathering::new(About {
        game: "g".into(),
        source: format!("gift {gift}"),
        seats: vec!["alone".into()],
        least,
        pairs: 250,
        ..About::default()
    });
    (first..first + 400).for_each(|seed| gathering.add(0, &run(seed, gift)));
    let roads = gathering.crossroads();
    assert_eq!(roads.iter().map(|road| road.crossings.len()).sum::<usize>(), 250);
    for road in &roads {
        let (with, without) =
            (played(road.seed, floor(road.seed) + gift, false), played(road.seed, floor(road.seed), false));
        gathering.add_forks(road, &[Fork { with, without }]);
        let graft = Graft::removing(0, "thing", "leg");
        gathering.add_graft(0, road.seed, &graft, &played(road.seed, 1, false));
    }
    gathering.finish()
}

#[test]
fn a_planted_effect_is_found_with_its_sign_and_size_and_none_is_not() {
    let (strong, none) = (league(3, 0, 200), league(0, 0, 200));
    assert_eq!(strong.measure, "floor");
    assert!((strong.forks[0].measure.mean - 3.0).abs() < 1e-9 && strong.forks[0].by_chance < 0.05);
    assert!(none.forks[0].measure.mean == 0.0 && none.forks[0].by_chance > 0.05);
    assert!(
        none.grafts[0].measure.mean > 5.0,
        "what is taken away was worth what is lost: {:?}",
        none.grafts[0]
    );
    let changed = none.compare(&strong);
    assert!((changed.measure.mean - 1.5).abs() < 1e-9 && changed.measure.p < 1e-6, "{changed:?}");
    let effect =
        changed.changes.iter().find(|change| change.what == "effect of card gift").expect("it is stronger");
    assert!((effect.after - effect.before - 3.0).abs() < 1e-9, "{effect:?}");
    let cost = changed.changes.iter().find(|change| change.what == "cost of ogre").expect("it is dearer");
    assert!((cost.after - cost.before - 3.0).abs() < 0.01, "{cost:?}");
    assert_eq!(changed.corrected_by, "Benjamini and Hochberg");
    let same = none.compare(&none);
    assert!(same.changes.is_empty() && same.measure.p == 1.0 && same.survival_by_chance > 0.99, "{same:?}");
}

/// What only the second report tells was once passed over.
#[test]
fn what_is_new_and_what_is_gone_is_found() {
    let (old, mut new) = (league(0, 0, 200), league(3, 0, 200));
    let named = |name: &mut String| *name = format!("golden {name}");
    named(&mut new.forks[0].name);
    named(&mut new.choices[0].name);
    named(&mut new.stretches[0].name);
    named(&mut new.words[0].word);
    new.holdings.iter_mut().filter(|row| row.name == "hat").for_each(|row| named(&mut row.name));
    new.numbers.iter_mut().filter(|row| row.name == "inputs").for_each(|row| named(&mut row.name));
    for (one, two, sign) in [(&old, &new, 1.0), (&new, &old, -1.0)] {
        let compared = one.compare(two);
        let change = |what: &str| {
            let found = compared.changes.iter().find(|change| change.what == what);
            let found = found.unwrap_or_else(|| panic!("{what}: {:#?}", compared.changes));
            sign * (found.after - found.before)
        };
        assert!((change("effect of card golden gift") - 3.0).abs() < 1e-9);
        assert_eq!(change("offered card golden gift"), 1.0);
        assert_eq!(change("met golden ogre"), 1.0);
        assert!(change("had thing golden hat") > 0.3 && change("had thing hat") < -0.3);
        assert!(change(&format!("{} {}", new.words[0].kind, new.words[0].word)) > 0.0);
        let (gone, here) =
            if sign > 0.0 { (&compared.gone, &compared.new) } else { (&compared.new, &compared.gone) };
        assert_eq!(
            (&gone[..], &here[..]),
            (&["the number inputs".to_owned()][..], &["the number golden inputs".to_owned()][..])
        );
        assert!(compared.text("floor").contains("only after: the number"));
    }
}

#[test]
fn a_null_change_on_other_seeds_is_not_found() {
    let (one, other) = (league(0, 0, 200), league(0, 1040, 200));
    let compared = one.compare(&other);
    assert_eq!((compared.seeds, compared.changes.len()), (0, 0), "{compared:?}");
    assert!(compared.compared > 10 && compared.text("floor").contains("with no seed in common"));
}

#[test]
fn what_goes_together_and_what_fights_cost_is_told() {
    let balance = league(0, 0, 200);
    let pair = &balance.pairs[0];
    assert_eq!((pair.one.as_str(), pair.other.as_str(), pair.both), ("cup", "saucer", 200));
    assert!(pair.lift > 1.5 && balance.pairs.len() == 1, "{:?}", balance.pairs);
    assert!((balance.stretches[0].cost.mean - 6.0).abs() < 0.1, "{:?}", balance.stretches);
    // Forty of four hundred are won, and all of them meet ogres.
    let ogre = &balance.stretches[0];
    assert_eq!((ogre.matches, ogre.won.count, ogre.won.of), (400, 40, 400));
    assert_eq!((ogre.measure, ogre.won), (balance.mean, balance.seats[0].won));
    let text = balance.text();
    let told = text.lines().find(|line| line.trim_start().starts_with("ogre")).expect("it is told");
    assert!(told.contains("cost 6") && told.contains("won 10.0 % (") && told.contains("floor 11"), "{told}");
    let csv = balance.csv(&BTreeSet::new());
    let row = csv.lines().find(|line| line.starts_with("met,,,ogre,")).expect("it has a row");
    assert!(row.starts_with("met,,,ogre,40,400,0.100000,"), "{row}");
    let page = balance.html(None, &BTreeSet::new());
    assert!(page.contains("<th>won</th><th>floor</th><th>a match</th>"), "{page}");
    let cup = balance.holdings.iter().find(|row| row.name == "cup").expect("cups are had");
    assert_eq!(
        (cup.had.count, cup.won_with.count, cup.won_without.count, cup.of_winners.count),
        (200, 40, 0, 40)
    );
    let gift = &balance.choices[0];
    assert_eq!((gift.taken.count, gift.taken.of, gift.won_left.of), (200, 400, 200));
}

#[test]
fn few_pairs_say_nothing() {
    let balance = league(3, 0, 1000);
    assert!(balance.forks[0].too_few && balance.text().contains("too few pairs (below 1000): gift"));
    assert!(
        balance.csv(&BTreeSet::new()).lines().any(|line| line == "fork,0,card,gift,,,,,,,,,,250,,,,,,"),
        "{}",
        balance.csv(&BTreeSet::new())
    );
    assert_eq!(balance.seats[0].won.count, 40);
}

#[test]
fn every_row_of_the_table_has_as_many_fields() {
    let csv = league(3, 0, 200).csv(&BTreeSet::new());
    let fields = |line: &str| line.matches(',').count();
    let head = csv.lines().next().map(fields).expect("a head");
    assert!(csv.lines().all(|line| fields(line) == head), "{csv}");
}

#[test]
fn a_page_holds_every_picture_and_leads_to_matches() {
    let balance = league(3, 0, 200);
    let files: BTreeSet<String> = balance.examples().iter().map(Example::file).collect();
    let (other, page) = (league(0, 0, 200), balance.html(None, &files));
    for heading in
        ["Who wins", "How far runs get", "Numbers", "What a choice itself does", "What goes together"]
    {
        assert!(page.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert!(page.contains("<a href=\"matches/0-") && !page.contains("NaN") && !page.contains("inf"));
    let comparison = balance.compare(&other);
    let pictures = balance.pictures(Some((&other, &comparison)), &files);
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    for name in [
        "changes",
        "seats",
        "survival",
        "number-floor",
        "told",
        "parts",
        "forks",
        "changes-of-set-up",
        "pairs",
    ] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    let compared = balance.html(Some((&other, &comparison)), &files);
    assert!(pictures.iter().all(|picture| compared.contains(&picture.svg)), "all are on the page");
    let place = |what: &str| compared.find(what).expect("it is on the page");
    assert!(
        place("What differs for sure") < place("<th>a match before</th>"),
        "first the picture, then the table"
    );
    assert!(!balance.html(None, &BTreeSet::new()).contains("<a href"));
}

/// Points of pictures that lead nowhere: round ones, and square ones.
fn loose(page: &str) -> [usize; 2] {
    let square = |at: &usize| {
        page[*at..].split('>').next().is_some_and(|mark| mark.contains("width=\"6\" height=\"6\""))
    };
    let leads = |at: &usize| page[..*at].ends_with("\">");
    let places = |what: &'static str| page.match_indices(what).map(|(at, _)| at);
    [
        places("<circle").filter(|at| !leads(at)).count(),
        places("<rect x=").filter(square).filter(|at| !leads(at)).count(),
    ]
}

/// Of all rows of a page only some once led anywhere, and of points neither those of the report that is compared with nor
/// those of what nobody wins.
#[test]
fn every_row_and_every_point_leads_to_a_match() {
    let (balance, other) = (league(3, 0, 200), league(0, 0, 200));
    let comparison = balance.compare(&other);
    let examples = balance.examples();
    let mut files: BTreeSet<String> = examples.iter().map(Example::file).collect();
    assert!(files.len() == examples.len() && examples[0].fork.is_some(), "each once, forks first");
    assert!(files.iter().all(|file| file.ends_with(".turn.gz")));
    files.extend(comparison.examples(&other).iter().map(|example| format!("{AFTER}/{}", example.file())));
    let page = balance.html(Some((&other, &comparison)), &files);
    let cells = page.matches("<td>seed ").count();
    assert_eq!(cells, 0, "a match that leads nowhere");
    let dots = page.matches("<circle").count();
    assert!(dots > balance.survival.steps.len(), "{dots}");
    assert_eq!(loose(&page), [1, 1], "but for those that say which line is which");
    assert!(page.contains("href=\"matches/after/"), "also to matches of the other report");
    let csv = balance.csv(&files);
    let silent: Vec<&str> = csv.lines().skip(1).filter(|line| line.ends_with(',')).collect();
    assert!(silent.is_empty(), "{silent:?}");
    // A match that is played both ways also shows what it shows by itself.
    let runs: BTreeSet<(usize, u64)> =
        examples.iter().filter(|example| example.graft.is_none()).map(|one| (one.group, one.seed)).collect();
    let plain = examples.iter().filter(|example| example.graft.is_none()).count();
    assert_eq!(runs.len(), plain);
}

#[test]
fn what_was_saved_was_before() {
    let read = league(0, 0, 200);
    let better = league(3, 0, 200);
    let comparison = better.compare_with_saved(&read);
    assert_eq!((&*comparison.before, &*comparison.after), ("gift 0", "gift 3"), "by their names");
    assert!(comparison.measure.mean > 0.0 && comparison.own == Side::After);
    let files = better.examples().iter().map(Example::file).collect();
    let page = better.html(Some((&read, &comparison)), &files);
    let (before, after) = (page.find(">before<"), page.find(">after<"));
    assert!(before.is_some() && after.is_some() && page.contains("matches/"), "{before:?} {after:?}");
}

#[test]
fn a_saved_report_can_be_compared_and_others_are_refused() {
    let balance = league(3, 0, 200);
    let saved = serde_json::json!({ "balance": balance, "other": null }).to_string();
    let read = Balance::read(&saved).expect("it is one");
    assert!(balance.compare(&read).changes.is_empty());
    assert_eq!(read.compare(&league(0, 0, 200)).seeds, 400);
    let old = saved.replace("\"format\":1", "\"format\":0");
    for wrong in ["", "{}", "[1]", old.as_str()] {
        assert_eq!(Balance::read(wrong).unwrap_err().code, "BAD_REPORT");
    }
    let mut few = league(3, 0, 200);
    few.forks[0].points.error = f64::INFINITY;
    let text = serde_json::to_string(&few).expect("it can be written");
    assert_eq!(Balance::read(&text).expect("infinity is read, too").forks[0].points.error, f64::INFINITY);
}

#[test]
fn nothing_can_be_reported() {
    let balance = Gathering::new(About { game: "g".into(), ..About::default() }).finish();
    assert_eq!(balance.runs, 0);
    assert!(!balance.html(None, &BTreeSet::new()).contains("NaN") && !balance.text().is_empty());
    assert!(balance.compare(&balance).changes.is_empty());
}

#[test]
fn what_all_lose_or_win_together_is_counted() {
    let seats = vec!["you".to_owned(), "enemy".to_owned()];
    let mut gathering = Gathering::new(About { game: "g".into(), seats, ..About::default() });
    for (seed, outcome) in (0..).zip([Outcome::Lost, Outcome::Lost, Outcome::WonByAll, Outcome::Drawn]) {
        let mut one = run(seed, 0);
        one.played.outcome = Some(outcome);
        gathering.add(0, &one);
    }
    let balance = gathering.finish();
    let won: Vec<u64> = balance.seats.iter().map(|row| row.won.count).collect();
    assert_eq!((won, balance.drawn.count, balance.lost.count), (vec![1, 1], 1, 2));
    let shown = [&balance.drawn_example, &balance.lost_example].map(|one| one.as_ref().map(|one| one.seed));
    assert_eq!(shown, [Some(3), Some(0)]);
    let files: BTreeSet<String> = balance.examples().iter().map(Example::file).collect();
    assert_eq!(loose(&balance.html(None, &files)), [0, 0]);
    let csv = balance.csv(&files);
    for row in ["drawn,,,,1,4,", "lost,,,,2,4,"] {
        assert!(csv.lines().any(|line| line.starts_with(row) && line.ends_with(".turn.gz")), "{csv}");
    }
    assert!(
        balance.text().contains("lost by all")
            && balance.html(None, &BTreeSet::new()).contains("lost by all")
    );
}

/// Of a race for two among levels for one the second seat was lost, and of levels for one among races a second was made
/// up.
#[test]
fn groups_with_unlike_seats_lose_and_invent_nobody() {
    let group = |value: &str| (format!("level {value}"), vec![("level".to_owned(), value.to_owned())]);
    let mut gathering = Gathering::new(About {
        game: "g".into(),
        seats: vec!["one".into(), "two".into()],
        seated: vec![1, 2],
        groups: vec![group("walk"), group("race")],
        ..About::default()
    });
    for seed in 0..40 {
        let ended = |outcome| {
            let mut one = run(seed, 0);
            one.played.outcome = outcome;
            one
        };
        gathering.add(0, &ended(Some(if seed < 30 { Outcome::WonByAll } else { Outcome::Lost })));
        gathering.add(1, &ended(Some(Outcome::Won(u8::from(seed < 10)))));
    }
    let balance = gathering.finish();
    let counts = |shares: &[Share]| shares.iter().map(|share| (share.count, share.of)).collect::<Vec<_>>();
    assert_eq!(counts(&balance.groups[0].seats), [(30, 40)], "nobody sits in a second seat");
    assert_eq!(counts(&balance.groups[1].seats), [(30, 40), (10, 40)]);
    let all: Vec<Share> = balance.seats.iter().map(|row| row.won).collect();
    assert_eq!(counts(&all), [(60, 80), (10, 40)], "who has a second seat counts for it");
    assert_eq!(counts(&[balance.lost, balance.drawn]), [(0, 40), (0, 40)], "of matches of several");
    let text = balance.text();
    assert!(text.contains("won 75.0 %,") && text.contains("won 75.0 % : 25.0 %"), "{text}");
    let page = balance.html(None, &BTreeSet::new());
    assert!(page.contains("Matches won by the first seat"), "{page}");
    // A row has a cell for every column, also for the seat that it has not.
    let table = page.split("<tr><th>opened with</th>").nth(1).unwrap().split("</table>").next().unwrap();
    let rows: Vec<&str> = table.split("</tr>").collect();
    assert!(rows[1..3].iter().all(|row| row.matches("<td>").count() == 1 + rows[0].matches("<th>").count()));
}

#[test]
fn one_match_has_no_interval() {
    let mut gathering = Gathering::new(About { game: "g".into(), ..About::default() });
    gathering.add(0, &run(1, 0));
    let (one, many) = (gathering.finish(), league(0, 0, 200));
    let floor = |balance: &Balance| {
        balance.text().lines().find(|line| line.trim().starts_with("floor")).unwrap().to_owned()
    };
    assert!(!floor(&one).contains('±') && floor(&many).contains('±'), "{}", floor(&one));
}

#[test]
fn a_fight_that_nobody_survived_has_no_mean_cost() {
    let mut gathering = Gathering::new(About { game: "g".into(), ..About::default() });
    for seed in 0..5 {
        let mut one = run(seed, 0);
        one.stretches.push(Stretch { name: "reaper".into(), cost: 0, fatal: true });
        gathering.add(0, &one);
    }
    let balance = gathering.finish();
    let pictures = balance.pictures(None, &BTreeSet::new());
    let costs = pictures.iter().find(|picture| picture.svg.contains("The mean cost")).unwrap();
    assert!(costs.svg.contains("ogre") && !costs.svg.contains("reaper"));
    assert!(balance.html(None, &BTreeSet::new()).contains("reaper"), "the table has it");
}

#[test]
fn ways_to_open_a_match_are_told_apart() {
    let group =
        |name: &str, value: &str| (format!("{name} {value}"), vec![(name.to_owned(), value.to_owned())]);
    let mut gathering = Gathering::new(About {
        game: "g".into(),
        seats: vec!["white".into(), "black".into()],
        groups: vec![group("level", "easy"), group("level", "hard")],
        ..About::default()
    });
    for seed in 0..40 {
        let mut easy = run(seed, 0);
        easy.played.outcome = Some(Outcome::Won(0));
        let mut hard = run(seed, 0);
        hard.played.outcome = Some(if seed % 2 == 0 { Outcome::Drawn } else { Outcome::Won(1) });
        gathering.add(0, &easy);
        gathering.add(1, &hard);
    }
    let balance = gathering.finish();
    let won: Vec<Vec<u64>> =
        balance.groups.iter().map(|row| row.seats.iter().map(|share| share.count).collect()).collect();
    assert_eq!(won, [[40, 0], [0, 20]]);
    assert_eq!((balance.groups[1].drawn.count, balance.survival.steps.len()), (20, 0));
    let facts: Vec<&str> = balance.groups[0].facts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(facts, ["solvable"], "who won is told by the outcome, once");
    assert!(balance.text().contains("level hard"));
}

/// What nobody ever took was written as won by nobody.
#[test]
fn what_never_happened_is_left_blank_in_the_table() {
    let mut gathering = Gathering::new(About { game: "g".into(), ..About::default() });
    for seed in 0..5 {
        let mut one = run(seed, 0);
        one.offered.iter_mut().for_each(|offered| offered.taken = false);
        gathering.add(0, &one);
    }
    let csv = gathering.finish().csv(&BTreeSet::new());
    let row = csv.lines().find(|line| line.starts_with("choice,")).unwrap();
    let fields: Vec<&str> = row.split(',').collect();
    assert_eq!(fields[4..6], ["0", "5"], "{row}");
    assert_eq!(fields[9..12], ["", "", ""], "the mean, its error, and won with it: {row}");
    assert_eq!(fields[12], "0.200000", "won without: {row}");
}

/// A few matches of pebbles.
fn study(labels: Option<(&str, Option<&str>)>, pairs: usize, grafts: u64) -> Study {
    let host = turnstone_table::testing::GAMES.find("pebbles").unwrap();
    let plan = turnstone_table::Plan { bot: "random".into(), seats: Vec::new(), max_inputs: 100 };
    let venue = host.venue(&turnstone_table::Opening::default()).unwrap();
    let labels = labels.map(|(begins, against)| turnstone_table::Labels {
        begins: begins.into(),
        until: None,
        against: against.map(Into::into),
    });
    Study {
        game: "pebbles".into(),
        source: String::new(),
        groups: vec![Group { name: String::new(), values: Vec::new(), venue, plan }],
        first: 1,
        games: 3,
        labels,
        measure: None,
        pairs,
        grafts,
        least: 1,
        threads: 1,
    }
}

/// Only the handbook said who plays choices both ways, and why.
#[test]
fn who_plays_both_ways_and_of_how_many_nothing_can_be_said_is_told() {
    let mut forks = league(3, 0, 200).forks;
    forks.push(EffectRow { name: "other".into(), too_few: true, ..forks[0].clone() });
    let study = Study { least: 251, ..study(None, 250, 0) };
    let notes = study.fork_notes(&forks);
    assert!(notes[0].starts_with("Both ways are played on by random, and"), "{notes:?}");
    assert!(notes[0].contains("500 pairs are 1000 matches"), "{notes:?}");
    assert_eq!(notes[1..], ["card: 1 of 2 have fewer than 251 pairs, too few to say anything.".to_owned()]);
    assert!(study.fork_notes(&[]).is_empty());
    let balance = Balance { fork_notes: notes.clone(), ..league(3, 0, 200) };
    let (text, page) = (balance.text(), balance.html(None, &BTreeSet::new()));
    assert!(notes.iter().all(|note| text.contains(note) && page.contains(note)), "{text}");
}

#[test]
fn the_table_of_commas_has_what_goes_together_and_how_far_runs_get() {
    let balance = league(0, 0, 200);
    let files = balance.examples().iter().map(Example::file).collect();
    let csv = balance.csv(&files);
    let head = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == head), "{csv}");
    let rows = |section: &str| -> Vec<Vec<&str>> {
        let rows = csv.lines().filter(|line| line.split(',').next() == Some(section));
        rows.map(|line| line.split(',').collect()).collect()
    };
    let together = rows("together");
    assert_eq!(
        (together.len(), together[0][3], together[0][4]),
        (balance.pairs.len(), "cup + saucer", "200")
    );
    let (survival, steps) = (rows("survival"), &balance.survival.steps);
    assert_eq!(survival.len(), steps.len());
    let first = survival[0][2..6].join(",");
    assert_eq!(first, format!("floor,{},{},{}", steps[0].at, steps[0].fell, steps[0].at_risk));
    assert!(rows("number").iter().all(|row| row[head - 1].ends_with(".turn.gz")), "{csv}");
}

#[test]
fn who_never_won_is_shown_in_a_match_all_the_same() {
    let mut gathering =
        Gathering::new(About { game: "g".into(), seats: vec!["alone".into()], ..About::default() });
    gathering.add(0, &Studied { played: played(7, 1, false), ..run(7, 0) });
    assert_eq!(gathering.finish().seats[0].example.as_ref().map(|example| example.seed), Some(7));
}

/// Wrong words once gave a report without a word about them.
#[test]
fn what_was_asked_for_and_not_found_is_said() {
    let notes = |labels: Option<(&str, Option<&str>)>, pairs: usize, grafts: u64| {
        let balance = study(labels, pairs, grafts).run(&|_, _, _| {}).unwrap();
        let page = balance.html(None, &BTreeSet::new());
        assert!(balance.notes.iter().all(|note| balance.text().contains(note)));
        assert_eq!(page.contains("What was not found"), !balance.notes.is_empty());
        balance.notes
    };
    assert!(notes(None, 0, 0).is_empty());
    let nothing = notes(None, 5, 5);
    assert!(
        nothing[0].starts_with("--pairs: pebbles names no choice") && nothing[1].starts_with("--grafts:"),
        "{nothing:?}"
    );
    let unknown = notes(Some(("A3", None)), 0, 0);
    assert!(unknown[0].contains("no choice begins with \"A3\"; did you mean \"claim a3\"?"), "{unknown:?}");
    let far = notes(Some(("something else entirely", None)), 0, 0);
    assert!(far[0].contains("; there are such as \""), "{far:?}");
    let against = notes(Some(("PEEK", Some("b4"))), 5, 0);
    assert!(against[0].contains("\"b4\" never lay beside \"PEEK\"; beside it lay \""), "{against:?}");
    let alone = notes(Some(("peek", None)), 5, 0);
    assert!(alone[0].contains("--against names what to compare it with: beside it lay \""), "{alone:?}");
}

/// The gap in the middle was not mentioned, and beside an axis of floors stood points.
#[test]
fn what_is_left_out_is_said() {
    let mut balance = league(3, 0, 200);
    let all_shown = |balance: &Balance| {
        let pictures = balance.pictures(None, &BTreeSet::new());
        pictures.into_iter().find(|picture| picture.name == "forks").unwrap().svg
    };
    assert!(
        !all_shown(&balance).contains("greatest") && all_shown(&balance).contains("+3.00 floor, 250 pairs")
    );
    balance.forks = vec![balance.forks[0].clone(); 61];
    assert!(all_shown(&balance).contains("the 30 greatest and the 30 least of 61"));
    assert!(!balance.text().contains("more: --report"));
    balance.words = vec![balance.words[0].clone(); 30];
    assert!(balance.text().contains("and 6 more: --report has them all"));
}
