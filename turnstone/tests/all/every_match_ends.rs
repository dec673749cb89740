//! Every match ends, by rule: in every game, set-up, ruleset and with every bot.
//!
//! A few games in every test run; `TURNSTONE_GAMES=10000 cargo test --release -p turnstone-games --test all
//! every_match_ends -- --include-ignored --nocapture` plays so many of each game.

use turnstone_games::games;
use turnstone_table::{Host, Opening, Plan};

/// Bots that take their time.
const SEARCHERS: [&str; 5] = ["alpha-beta", "strong", "solver", "greedy", "climber"];

/// More inputs than any match takes that ends by itself.
const ENOUGH: u64 = 100_000;

/// Plays at least `count` games with these bots over all set-ups and rulesets; tells those unfinished.
fn play(host: &dyn Host, bots: &[String], count: u64) -> (u64, Vec<String>) {
    let mut openings = Vec::new();
    for setup in host.setups() {
        for ruleset in host.rulesets() {
            let (setup, ruleset) = (Some(setup.id.clone()), Some(ruleset.id.clone().into()));
            let opening = Opening { setup, ruleset, ..Opening::default() };
            // Some set-ups are made for some rules only.
            openings.extend(host.venue(&opening).ok().map(|venue| (opening, venue)));
        }
    }
    let (mut played, mut unfinished) = (0, Vec::new());
    for seed in 0..count {
        let at = seed as usize % openings.len().max(1);
        let Some((opening, venue)) = openings.get(at) else { break };
        let bot = bots[seed as usize / openings.len() % bots.len()].clone();
        let plan = Plan { bot, seats: Vec::new(), max_inputs: ENOUGH };
        let Ok(game) = venue.simulate(seed, &plan) else { continue };
        played += 1;
        if let Some(why) = game.stuck {
            let (setup, rules) = (opening.setup.as_deref().unwrap_or(""), opening.ruleset.as_ref());
            unfinished.push(format!("{} {setup} {rules:?} {} seed {seed}: {why}", host.name(), plan.bot));
        }
    }
    (played, unfinished)
}

fn bots(host: &dyn Host, searching: bool) -> Vec<String> {
    let names = host.bots().into_iter().map(|bot| bot.id);
    names.filter(|name| SEARCHERS.contains(&name.as_str()) == searching).collect()
}

fn all_end(searching: bool, count: u64) {
    let mut unfinished = Vec::new();
    for host in games().all() {
        let bots = bots(*host, searching);
        if bots.is_empty() {
            continue;
        }
        let (played, stuck) = play(*host, &bots, count * if searching { bots.len() as u64 } else { 1 });
        println!("{}: {played} games with {}, {} unfinished", host.name(), bots.join(", "), stuck.len());
        unfinished.extend(stuck);
    }
    assert!(unfinished.is_empty(), "{} unfinished:\n{}", unfinished.len(), unfinished.join("\n"));
}

fn wanted() -> u64 {
    std::env::var("TURNSTONE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000)
}

#[test]
fn some_matches_of_every_game_end() {
    all_end(false, 60);
}

#[test]
#[ignore = "long: run by .ci/long"]
fn ten_thousand_matches_of_every_game_end() {
    all_end(false, wanted());
}

#[test]
#[ignore = "long: run by .ci/long"]
fn fifty_matches_of_every_searching_bot_end() {
    all_end(true, (wanted() / 200).max(1));
}
