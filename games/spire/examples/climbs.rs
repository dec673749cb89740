//! How far a bot climbs: `cargo run --release -p turnstone-spire --example climbs -- BOT CHARACTER RUNS [FIRST SEED]`.
//!
//! Runs are independent and their seeds follow from their numbers, so two bots can be compared run by run.

use std::time::Instant;

use rayon::prelude::*;
use turnstone::{Game, Off, Offers, Position, Resolver};
use turnstone_host::{Hosted, Player};
use turnstone_spire::run::Setup;
use turnstone_spire::run::tower::End;
use turnstone_spire::{Ruleset, Spire};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize, usual: &str| words.get(index).cloned().unwrap_or_else(|| usual.to_owned());
    let (bot, character) = (word(0, "climber"), word(1, "ironclad"));
    let runs: u64 = word(2, "20").parse().expect("a number of runs");
    let first: u64 = word(3, "1").parse().expect("a seed");
    let game = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let begun = Instant::now();
    let ends: Vec<(bool, u8, String, f64)> =
        (first..first + runs).into_par_iter().map(|seed| climb(&game, &bot, &character, seed)).collect();
    let won = ends.iter().filter(|end| end.0).count();
    let floors: f64 = ends.iter().map(|end| f64::from(end.1)).sum::<f64>() / runs as f64;
    let seconds: f64 = ends.iter().map(|end| end.3).sum::<f64>() / runs as f64;
    let mut killers = std::collections::BTreeMap::<&str, usize>::new();
    ends.iter().for_each(|end| *killers.entry(&end.2).or_default() += 1);
    let mut killers: Vec<_> = killers.into_iter().collect();
    killers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!(
        "{bot} {character}: {won} of {runs} won, floor {floors:.1}, {seconds:.2} s a run, {:.0} s in all",
        begun.elapsed().as_secs_f64()
    );
    let acts: Vec<String> = [17, 34, 51]
        .iter()
        .map(|floor| {
            format!(
                "past floor {floor}: {}",
                ends.iter().filter(|end| end.1 >= *floor && (end.0 || end.1 > *floor)).count()
            )
        })
        .collect();
    println!("{}", acts.join(", "));
    println!("{killers:?}");
}

fn climb(game: &Spire, bot: &str, character: &str, seed: u64) -> (bool, u8, String, f64) {
    let begun = Instant::now();
    let state = game.start(&Setup::run(character, 0), seed).expect("the set-up is sound");
    let mut position = Position::new(state);
    let mut player = Player::<Spire>::named(bot, 0, seed ^ 0x5eed).expect("there is such a bot");
    let (mut resolver, mut offers) = (Resolver::default(), Offers::default());
    let mut moment = 0;
    while game.outcome(position.state()).is_none() {
        let inputs = offers.list(game, &position);
        let chosen = player.choose(game, &position, inputs, moment);
        resolver.act(game, &mut position, &inputs[chosen], &mut Off).expect("it was offered");
        moment += 1;
    }
    let state = position.state();
    let won = matches!(state.tower.end, Some(End::Won | End::Heart));
    let tally = game.tally(state);
    let killer =
        tally.iter().find(|(name, _)| name == "killed by").map_or("-".into(), |(_, value)| value.to_string());
    (won, state.run.floor, killer, begun.elapsed().as_secs_f64())
}
