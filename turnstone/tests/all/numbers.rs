//! Every number that a table shows can be asked where it comes from, and what is told adds up to it.
//!
//! A few matches in every test run; `TURNSTONE_RUNS=1000 cargo test --release -p turnstone-games --test all numbers`
//! asks all numbers of so many matches of each game.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone_games::games;
use turnstone_table::{Host, Opening, Story, Table, Viewer};

fn runs(usual: u64) -> u64 {
    std::env::var("TURNSTONE_RUNS").map_or(usual, |text| text.parse().expect("a number of runs"))
}

/// Plays some inputs by lot: long enough that numbers have changed, and not to the end of the longest matches.
fn play(table: &mut dyn Table, lots: &mut Lots, inputs: usize) {
    for _ in 0..inputs {
        let Some(actor) = table.actor() else { return };
        let many = table.inputs(Viewer::Seat(actor)).len();
        let Some(chosen) = lots.pick(&(0..many).collect::<Vec<_>>()).copied() else { return };
        table.choose(chosen).expect("it is offered");
    }
}

/// What is told of a number leads from its first value to the last without a gap, and somebody made every change.
fn adds_up(story: &Story, about: &str) {
    let mut value = Some(story.now);
    for change in &story.changes {
        assert_eq!(change.to, value, "{about}: {story:?}");
        assert_ne!(change.from, change.to, "{about}: {story:?}");
        assert!(!change.lines.is_empty(), "{about}: nobody made {} of moment {}", story.name, change.moment);
        value = change.from;
    }
    assert_eq!(story.before, value, "{about}: {story:?}");
}

/// Asks every number of some matches of a game; gives how many were asked, and how many changes were told.
fn ask(host: &dyn Host, setup: Option<&str>, matches: u64) -> (usize, usize) {
    let (mut asked, mut changes) = (0, 0);
    for seed in 1..=matches {
        let opening = Opening { seed, setup: setup.map(str::to_owned), ..Opening::default() };
        let mut table = host.open(&opening).expect("it opens");
        let mut lots = Lots::new(seed, Stream::named("numbers"));
        play(&mut *table, &mut lots, 20 + 60 * (seed as usize % 4));
        let line = table.line();
        for viewer in [Viewer::All, Viewer::Seat(0)] {
            for number in table.scene(viewer).numbers() {
                let about = format!("{} seed {seed} {}", host.name(), number.id);
                let story = table.story(&number.id, &line, viewer).unwrap_or_else(|| panic!("{about}"));
                assert_eq!((&story.id, story.now), (&number.id, number.now), "{about}");
                adds_up(&story, &about);
                assert!(story.told(|moment| moment).lines.len() > story.changes.len() + 1, "{about}");
                asked += 1;
                changes += story.changes.len();
            }
        }
    }
    (asked, changes)
}

#[test]
fn every_number_of_spire_says_where_it_comes_from() {
    let (asked, changes) = ask(games().find("spire").unwrap(), None, runs(12));
    println!("spire: {asked} numbers, {changes} changes");
    assert!(asked > 40 && changes > 200, "{asked} {changes}");
}

#[test]
fn every_number_of_the_other_games_says_where_it_comes_from() {
    for (game, some) in [("skirmish", 40), ("grid", 4), ("chess", 0)] {
        let (asked, changes) = ask(games().find(game).unwrap(), None, runs(4));
        println!("{game}: {asked} numbers, {changes} changes");
        assert!(asked >= some, "{game}: {asked} {changes}");
    }
}

#[test]
fn what_is_not_shown_cannot_be_asked() {
    let table = games().find("spire").unwrap().open(&Opening { seed: 3, ..Opening::default() }).unwrap();
    assert_eq!(table.story("silver", &[0], Viewer::All), None);
    assert_eq!(table.story("gold", &[], Viewer::All), None, "at no moment");
    let gold = table.story("GOLD", &[0], Viewer::All).expect("names are taken as they are read");
    assert!(gold.changes.is_empty() && gold.before == Some(gold.now) && !gold.more, "{gold:?}");
}

/// What was bought stands above the gold that it cost.
#[test]
fn a_number_says_what_its_change_came_of() {
    let wishes = [("room", "shop"), ("gold", "900")].map(|(wish, value)| (wish.to_owned(), value.to_owned()));
    let opening = Opening { seed: 3, wishes: wishes.to_vec(), ..Opening::default() };
    let mut table = games().find("spire").unwrap().open(&opening).unwrap();
    let bought = (0..20).find_map(|_| {
        let labels = table.scene(Viewer::All).options;
        match labels.iter().position(|option| option.label.starts_with("Buy")) {
            Some(number) => table.choose(number).ok(),
            None => {
                table.choose(0).expect("it is offered");
                None
            }
        }
    });
    assert!(bought.is_some(), "a merchant was reached");
    let story = table.story("gold", &table.line(), Viewer::All).expect("gold is shown");
    let told: Vec<&str> = story.changes[0].lines.iter().map(|line| line.text.as_str()).collect();
    assert!(told.iter().any(|line| line.starts_with("Buy")), "{told:?}");
}
