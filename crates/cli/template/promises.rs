//! The engine's promises, proved on this game with random scripts: undo, replay, saves, branches,
//! legal ⇔ accepted. A failure prints its seed and the smallest match file that shows it.

use std::sync::Arc;

use my_game::MyGame;
use turnstone::{Input, Match};
use turnstone_testkit::{Plan, prove};

#[test]
fn the_promises_hold() {
    prove(&Arc::new(MyGame), |seed| 1 + seed as u32 % 30, Plan { cases: 32, steps: 40, ..Plan::default() });
}

#[test]
fn who_takes_the_last_counter_wins() {
    let mut game: Match<MyGame> = Match::new(Arc::new(MyGame), 4, 0).expect("a heap of four");
    game.act(Input::Act(3)).expect("three may be taken");
    assert_eq!(game.act(Input::Act(2)).expect_err("two are too many").code(), "TOO_MANY");
    game.act(Input::Act(1)).expect("the last one");
    assert_eq!(turnstone::Game::outcome(&MyGame, game.state()), Some(turnstone::Outcome::Won(1)));
}
