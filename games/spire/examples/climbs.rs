//! How far a bot climbs: `cargo run --release -p turnstone-spire --example climbs -- BOT CHARACTERS RUNS [FIRST SEED]`,
//! with characters parted by commas.
//!
//! Runs are independent and their seeds follow from their numbers, so two bots can be compared run by run. Characters
//! take turns, and every run is told when it is over: what was played until somebody stops it can be counted.

use std::collections::BTreeMap;

use cpu_time::ThreadTime;
use rayon::prelude::*;
use turnstone::{Game, Off, Offers, Position, Resolver};
use turnstone_host::{Hosted, Player};
use turnstone_spire::run::Setup;
use turnstone_spire::run::tower::End;
use turnstone_spire::{Ruleset, Spire};

/// A run that is over.
struct Climb {
    character: String,
    won: bool,
    floor: u8,
    killer: String,
    /// Of the processor, not of the clock.
    seconds: f64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize, usual: &str| words.get(index).cloned().unwrap_or_else(|| usual.to_owned());
    let (bot, characters) = (word(0, "climber"), word(1, "ironclad,silent,defect,watcher"));
    let runs: u64 = word(2, "20").parse().expect("a number of runs");
    let first: u64 = word(3, "1").parse().expect("a seed");
    let game = Spire::builtin(Ruleset::Classic).expect("the built-in content is sound");
    let characters: Vec<&str> = characters.split(',').collect();
    let count = runs * characters.len() as u64;
    let climbs: Vec<Climb> = (0..count)
        .into_par_iter()
        .map(|number| {
            let character = characters[number as usize % characters.len()];
            climb(&game, &bot, character, first + number / characters.len() as u64)
        })
        .collect();
    for character in characters {
        let of: Vec<&Climb> = climbs.iter().filter(|climb| climb.character == character).collect();
        println!("{bot} {character}: {}", summary(&of));
    }
}

fn summary(climbs: &[&Climb]) -> String {
    let mean = |number: fn(&Climb) -> f64| {
        climbs.iter().map(|climb| number(climb)).sum::<f64>() / climbs.len() as f64
    };
    let past = |floor: u8| climbs.iter().filter(|climb| climb.won || climb.floor > floor).count();
    let mut killers = BTreeMap::<&str, usize>::new();
    climbs.iter().for_each(|climb| *killers.entry(&climb.killer).or_default() += 1);
    let mut killers: Vec<_> = killers.into_iter().collect();
    killers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    format!(
        "{} of {} won, floor {:.1}, {:.2} s a run; past floor 17: {}, 34: {}\n{killers:?}",
        climbs.iter().filter(|climb| climb.won).count(),
        climbs.len(),
        mean(|climb| f64::from(climb.floor)),
        mean(|climb| climb.seconds),
        past(17),
        past(34),
    )
}

fn climb(game: &Spire, bot: &str, character: &str, seed: u64) -> Climb {
    let begun = ThreadTime::now();
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
    let (floor, seconds) = (state.run.floor, begun.elapsed().as_secs_f64());
    println!(
        "{character} {seed}: {} floor {floor}, {seconds:.2} s, {killer}",
        if won { "won" } else { "lost" }
    );
    Climb { character: character.to_owned(), won, floor, killer, seconds }
}
