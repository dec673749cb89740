//! The player who looks ahead: stronger than the simple one, the same every time, and with reasons.

use turnstone::{Game, Off, Offers, Position, Resolver};
use turnstone_host::{Hosted, Opening, Player, Sight, bot_lots};
use turnstone_spire::game::Spire;

type Tower = Spire;

/// Plays a set-up to its end, or so many inputs; gives hit points and what was chosen.
fn play(setup: &str, bot: &str, seed: u64, most: u32) -> (i16, Vec<usize>) {
    let opening = Opening { setup: Some(setup.to_owned()), seed, ..Opening::default() };
    let (game, setup) = Tower::open_table(&opening).expect("it opens");
    let game: &Tower = &game;
    let mut position = Position::new(game.start(&setup, seed).expect("it starts"));
    let mut player = Player::<Tower>::named(bot, 0, seed).expect("there is such a bot");
    let (mut resolver, mut offers, mut chosen) = (Resolver::default(), Offers::default(), Vec::new());
    for moment in 0..most {
        if game.outcome(position.state()).is_some() {
            break;
        }
        let inputs = offers.list(game, &position);
        let number = player.choose(game, &position, inputs, moment);
        chosen.push(number);
        resolver.act(game, &mut position, &inputs[number], &mut Off).expect("it was offered");
    }
    (position.state().run.hp.max(0), chosen)
}

#[test]
fn fights_cost_it_less_than_the_simple_player() {
    let fights = ["fight:gremlin_nob", "fight:lagavulin"];
    let left = |bot: &str| -> i32 {
        let all = fights.iter().flat_map(|setup| (1..=12).map(move |seed| (*setup, seed)));
        all.map(|(setup, seed)| i32::from(play(setup, bot, seed, 1000).0)).sum()
    };
    let (simple, climber) = (left("heuristic"), left("climber:60"));
    assert!(
        climber > simple + 40,
        "{climber} hit points left over 24 fights, {simple} with the simple player"
    );
}

#[test]
fn the_same_seed_gives_the_same_choices() {
    for setup in ["ironclad", "silent", "defect", "watcher"] {
        let choices = || play(setup, "climber:6", 7, 60).1;
        assert_eq!(choices(), choices(), "{setup}");
    }
}

#[test]
fn it_says_what_it_weighed_and_chooses_so() {
    let opening = Opening { setup: Some("fight:jaw_worm".into()), seed: 3, ..Opening::default() };
    let (game, setup) = Tower::open_table(&opening).expect("it opens");
    let game: &Tower = &game;
    let mut position = Position::new(game.start(&setup, 3).expect("it starts"));
    let first = position.inputs(game)[0].clone();
    Resolver::default().act(game, &mut position, &first, &mut Off).expect("it begins");
    let inputs = position.inputs(game);
    let sight = Sight::new(game, &position, 0, &inputs);
    let mut bot = Tower::bot("climber:40", 0).expect("there is such a bot");
    let why = bot.why(&sight, &mut bot_lots(1, 0, 0)).expect("it has reasons");
    assert_eq!(why.best, bot.choose(&sight, &mut bot_lots(1, 0, 0)));
    assert_eq!(why.options.len(), inputs.len());
    assert!(why.options[why.best].visits > 0 && why.line.len() > 1, "{why:?}");
}
