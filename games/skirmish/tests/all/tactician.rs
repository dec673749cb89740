//! The player who looks ahead: stronger than the presets, the same every time, and with reasons.

use turnstone::{Game, Off, Outcome, Position, Resolver, Seat};
use turnstone_host::{Hosted, Opening, Player, Sight, bot_lots};
use turnstone_skirmish::Skirmish;

fn opening(setup: &str, fog: &str) -> Opening {
    let wishes = vec![("fog".to_owned(), fog.to_owned())];
    Opening { setup: Some(setup.to_owned()), wishes, ..Opening::default() }
}

/// Plays a match, or so many inputs of it; gives the outcome and what was chosen.
fn play(opening: &Opening, bots: [&str; 2], seed: u64, most: u32) -> (Option<Outcome>, Vec<usize>) {
    let (game, setup) = Skirmish::open_table(opening).expect("it opens");
    let game: &Skirmish = &game;
    let mut position = Position::<Skirmish>::new(game.start(&setup, seed).expect("it starts"));
    let mut bots = [0, 1].map(|seat| Player::<Skirmish>::named(bots[seat], seat as Seat, seed).unwrap());
    let (mut resolver, mut chosen) = (Resolver::default(), Vec::new());
    for moment in 0..most {
        let Some(seat) = position.actor(game) else { break };
        let inputs = position.inputs(game);
        let number = bots[usize::from(seat)].choose(game, &position, &inputs, moment);
        chosen.push(number);
        resolver.act(game, &mut position, &inputs[number], &mut Off).expect("it was offered");
    }
    (game.outcome(position.state()), chosen)
}

#[test]
fn it_beats_the_presets_from_both_seats() {
    for preset in ["hard", "deadly"] {
        let won = |seat: Seat, seed: u64| {
            let bots = if seat == 0 { ["tactician:24", preset] } else { [preset, "tactician:24"] };
            play(&opening("arena", "off"), bots, seed, 5_000).0 == Some(Outcome::Won(seat))
        };
        let wins = (1..=5).flat_map(|seed| [won(0, seed), won(1, seed)]).filter(|won| *won).count();
        assert!(wins > 6, "{wins} of 10 against {preset}");
    }
}

#[test]
fn the_same_seed_gives_the_same_choices() {
    for (setup, fog) in [("arena", "off"), ("dungeon", "on")] {
        let choices = || play(&opening(setup, fog), ["tactician:12", "tactician:12"], 7, 60).1;
        assert_eq!(choices(), choices(), "{setup}");
    }
}

#[test]
fn it_says_what_it_weighed_and_chooses_so() {
    let (game, setup) = Skirmish::open_table(&opening("arena", "off")).expect("it opens");
    let game: &Skirmish = &game;
    let mut position = Position::<Skirmish>::new(game.start(&setup, 3).expect("it starts"));
    let mut told = 0;
    for moment in 0..12 {
        let Some(seat) = position.actor(game) else { break };
        let inputs = position.inputs(game);
        let sight = Sight::new(game, &position, seat, &inputs);
        let mut bot = Skirmish::bot("tactician:40", seat).expect("there is such a bot");
        let why = bot.why(&sight, &mut bot_lots(1, seat, moment)).expect("it has reasons");
        assert_eq!(why.best, bot.choose(&sight, &mut bot_lots(1, seat, moment)));
        assert_eq!(why.options.len(), inputs.len());
        assert!(inputs.len() < 2 || why.options[why.best].visits > 0, "{why:?}");
        assert!(why.options.iter().all(|option| (0.0..=1.0).contains(&option.value)), "{why:?}");
        told += usize::from(why.line.len() > 1);
        Resolver::default().act(game, &mut position, &inputs[why.best], &mut Off).expect("it was offered");
    }
    assert!(told > 0, "a turn has several steps");
}
