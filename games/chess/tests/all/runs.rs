//! Whole runs, from the first fight to victory or loss.

use std::fmt::Write as _;
use std::sync::Arc;
use turnstone::{Game as _, Match, Outcome};
use turnstone_chess::run::{Phase, RunSetup, daily_seed};
use turnstone_chess::{Chess, Setup};
use turnstone_host::Player;

/// Plays a run with a bot for each seat.
fn play(seed: u64, setup: RunSetup, bots: [&str; 2]) -> Match<Chess> {
    let chess = Arc::new(Chess::builtin("run").expect("the ruleset"));
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), Setup::Run(setup), seed).expect("a run");
    let mut bots = [0, 1].map(|seat| Player::<Chess>::named(bots[seat], seat as u8, seed).expect("a bot"));
    for _ in 0..20_000 {
        let Some(seat) = game.actor() else { break };
        let inputs = game.inputs();
        assert!(!inputs.is_empty(), "seed {seed}: nothing to do in {:?}", game.state().run);
        let index = bots[usize::from(seat)].choose(&chess, game.position(), &inputs, game.depth());
        game.act(inputs[index].clone()).expect("a legal input");
    }
    game
}

#[test]
fn a_better_player_wins_runs_and_a_worse_one_loses_them() {
    let short = RunSetup { acts: 1, ..RunSetup::default() };
    let won =
        (0..4).filter(|seed| play(*seed, short, ["alpha-beta", "random"]).outcome() == Some(Outcome::Won(0)));
    assert!(won.count() >= 3);
    let lost =
        (0..4).filter(|seed| play(*seed, short, ["random", "greedy"]).outcome() == Some(Outcome::Lost));
    assert!(lost.count() >= 3);
}

#[test]
fn three_acts_can_be_won() {
    let game = play(3, RunSetup::default(), ["alpha-beta", "random"]);
    let run = game.state().run.as_deref().expect("a run");
    assert_eq!((run.phase, run.act), (Phase::Won, 3), "round {}", run.round);
    assert!(run.relics.len() + run.roster.len() > 5, "{:?}", run.roster);
}

#[test]
fn a_run_is_replayed_from_its_seed() {
    let [one, other] =
        [0, 1].map(|_| play(11, RunSetup { acts: 1, ..RunSetup::default() }, ["greedy", "random"]));
    assert!(one.log().eq(other.log()));
    assert_ne!(
        play(12, RunSetup { acts: 1, ..RunSetup::default() }, ["greedy", "random"]).state(),
        one.state()
    );
}

#[test]
fn the_day_has_one_run_for_everybody() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let setup = Setup::Run(RunSetup { daily: Some(daily_seed(20_260_131)), ..RunSetup::default() });
    let states = [1, 2].map(|seed| chess.start(&setup, seed).expect("a run"));
    assert_eq!(states[0], states[1]);
}

/// The first maps and rosters as text: changing how runs are drawn changes this number.
#[test]
fn the_first_seeds_are_known() {
    let chess = Chess::builtin("run").expect("the ruleset");
    let mut text = String::new();
    for seed in 0..25 {
        let state = chess.start(&Setup::Run(RunSetup::default()), seed).expect("a run");
        let run = state.run.as_deref().expect("a run");
        let roster: Vec<String> = run.roster.iter().map(|member| chess.member_text(member)).collect();
        let map: Vec<String> = run.map.iter().map(|node| format!("{:?}/{}", node.kind, node.next)).collect();
        _ = writeln!(text, "{seed}: {} | {}", roster.join(" "), map.join(" "));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/run-seeds.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &text).expect("a writable tree");
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap_or_default(), "run with BLESS=1 if this is meant");
}

#[test]
fn a_toss_is_told_as_it_fell_also_without_coins() {
    use turnstone::{Game as _, Told as _};
    use turnstone_chess::Event;
    use turnstone_chess::run::RunEvent;
    let chess = Chess::builtin("run").expect("the ruleset");
    let state = chess.start(&Setup::Run(RunSetup::default()), 1).expect("a run");
    let toss = |won| Event::Run(RunEvent::Accepted { event: 2, member: 255, won, money: 0, rolled: 1 });
    assert!(chess.tell(&state, &toss(true)).contains("win"));
    assert!(chess.tell(&state, &toss(false)).contains("lose"));
}
