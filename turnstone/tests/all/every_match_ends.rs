//! Every match ends, by rule: in every game, set-up, ruleset and with every bot.
//!
//! A few games in every test run; `.ci/long ends` plays ten thousand of each game, `.ci/long search` fifty with every
//! bot that looks ahead.

use turnstone_games::games;
use turnstone_table::{Host, Opening, Plan, Venue};

/// The bots that look ahead, each with a small budget: how a match ends does not depend on it.
const OF_GAMES: [&str; 5] = ["alpha-beta:60", "solver", "greedy", "climber:4", "tactician:4"];
const OF_ANY_GAME: [&str; 5] = [
    "flat:8,trees=1,longest=30",
    "ismcts:8,trees=1,longest=30",
    "mo-ismcts:8,trees=1,longest=30",
    "alphabeta:20,trees=1",
    "beam:20,trees=1,longest=30",
];

/// More inputs than any match takes that ends by itself.
const ENOUGH: u64 = 100_000;

/// Something that can be opened, and what it is.
type Opened = (String, Box<dyn Venue>);

/// All set-ups under all rulesets, and what was refused of them, each with its code.
fn all_openings(host: &dyn Host) -> (Vec<Opened>, Vec<String>) {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for setup in host.setups() {
        for ruleset in host.rulesets() {
            let what = format!("{} {} {}", host.name(), setup.id, ruleset.id);
            let (setup, ruleset) = (Some(setup.id.clone()), Some(ruleset.id.into()));
            match host.venue(&Opening { setup, ruleset, ..Opening::default() }) {
                Ok(venue) => all.push((what, venue)),
                Err(refusal) => refused.push(format!("{what}: {}", refusal.code())),
            }
        }
    }
    (all, refused)
}

fn openings(host: &dyn Host) -> Vec<Opened> {
    let (all, refused) = all_openings(host);
    println!("{}: {} openings, {} refused", host.name(), all.len(), refused.len());
    assert!(!all.is_empty(), "{} can be opened in no way", host.name());
    all
}

/// Plays so many games with these bots, in turns over all openings.
fn all_end(game: &str, bots: &[String], count: u64) {
    let games = games();
    let host = games.find(game).unwrap();
    let openings = openings(host);
    let mut faults = Vec::new();
    for seed in 0..count {
        let (what, venue) = &openings[seed as usize % openings.len()];
        let bot = bots[seed as usize / openings.len() % bots.len()].clone();
        let plan = Plan { bot, seats: Vec::new(), max_inputs: ENOUGH };
        let fault = match venue.simulate(seed, &plan) {
            Ok(played) => played.stuck,
            Err(refusal) => Some(refusal.to_string()),
        };
        faults.extend(fault.map(|why| format!("{what} {} seed {seed}: {why}", plan.bot)));
    }
    println!("{game}: {count} games with {}, {} unfinished", bots.join(", "), faults.len());
    assert!(faults.is_empty(), "{} unfinished:\n{}", faults.len(), faults.join("\n"));
}

/// The names of a game's own bots.
fn own(game: &str) -> Vec<String> {
    games().find(game).unwrap().bots().into_iter().map(|bot| bot.id).collect()
}

/// The name of a bot without its budget.
fn named(bot: &str) -> &str {
    bot.split(':').next().unwrap_or(bot)
}

/// Bots that look ahead and take no smaller budget: one game where others play twenty-five.
const SLOW: [&str; 1] = ["strong"];

/// The bots of a game that do not look ahead.
fn quick(game: &str) -> Vec<String> {
    let searches = |name: &str| SLOW.contains(&name) || OF_GAMES.iter().any(|bot| named(bot) == name);
    own(game).into_iter().filter(|name| !searches(name)).collect()
}

/// The bots that look ahead and can play a game.
fn searchers(game: &str) -> Vec<&'static str> {
    let own = own(game);
    let of_game = OF_GAMES.into_iter().filter(|bot| own.iter().any(|name| name == named(bot)));
    of_game.chain(OF_ANY_GAME).collect()
}

fn wanted(usual: u64) -> u64 {
    std::env::var("TURNSTONE_GAMES").map_or(usual, |text| text.parse().expect("TURNSTONE_GAMES is a number"))
}

/// So many games with every bot that looks ahead, each over all openings in turn.
fn searched(game: &str) {
    for bot in searchers(game) {
        all_end(game, &[bot.to_owned()], wanted(50));
    }
    for bot in own(game).into_iter().filter(|bot| SLOW.contains(&bot.as_str())) {
        all_end(game, &[bot], wanted(50).div_ceil(25));
    }
}

/// Nothing is left out in silence: a set-up that some rules refuse is to be named here, with the code.
#[test]
fn every_set_up_opens_under_all_rules() {
    for host in games().all() {
        let (all, refused) = all_openings(*host);
        println!("{}: {} openings, {} refused", host.name(), all.len(), refused.len());
        assert_eq!(refused, [""; 0]);
        assert_eq!(all.len(), host.setups().len() * host.rulesets().len(), "{}", host.name());
    }
}

#[test]
fn some_matches_of_every_game_end() {
    for game in ["chess", "grid", "skirmish", "spire"] {
        all_end(game, &quick(game), 60);
    }
}

#[test]
#[ignore = "long: run by .ci/long"]
fn ten_thousand_matches_of_chess_end() {
    all_end("chess", &quick("chess"), wanted(10_000));
}

#[test]
#[ignore = "long: run by .ci/long"]
fn ten_thousand_matches_of_grid_end() {
    all_end("grid", &quick("grid"), wanted(10_000));
}

#[test]
#[ignore = "long: run by .ci/long"]
fn ten_thousand_matches_of_skirmish_end() {
    all_end("skirmish", &quick("skirmish"), wanted(10_000));
}

#[test]
#[ignore = "long: run by .ci/long"]
fn ten_thousand_matches_of_spire_end() {
    all_end("spire", &quick("spire"), wanted(10_000));
}

#[test]
#[ignore = "long: run by .ci/long"]
fn fifty_matches_of_every_searcher_in_chess_end() {
    searched("chess");
}

#[test]
#[ignore = "long: run by .ci/long"]
fn fifty_matches_of_every_searcher_in_grid_end() {
    searched("grid");
}

#[test]
#[ignore = "long: run by .ci/long"]
fn fifty_matches_of_every_searcher_in_skirmish_end() {
    searched("skirmish");
}

#[test]
#[ignore = "long: run by .ci/long"]
fn fifty_matches_of_every_searcher_in_spire_end() {
    searched("spire");
}
