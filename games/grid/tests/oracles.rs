//! The kernel's promises on random worlds: every move rule, one to four
//! agents, every profile and order of acting.

use std::sync::Arc;

use turnstone_grid::generate::{Maze, Recipe, Soup};
use turnstone_grid::moves::MoveRule;
use turnstone_grid::ruleset::{Order, Profile, Ruleset};
use turnstone_grid::{Grid, Setup};
use turnstone_testkit::{Plan, prove};

fn plan(cases: u32, seed: u64) -> Plan {
    Plan { cases, steps: 30, seed, probes: 4 }
}

fn soup(seed: u64, agents: usize, move_rule: Option<MoveRule>) -> Setup {
    let soup = Soup { agents, move_rule, size: 6, ..Soup::default() };
    Setup::World(soup.world(seed).unwrap().to_document())
}

#[test]
fn soups_in_every_move_rule() {
    for (number, rule) in MoveRule::ALL.into_iter().enumerate() {
        for profile in [Profile::SEED, Profile::HEAD] {
            let game = Arc::new(Grid::new(Ruleset::of(profile)));
            prove(&game, |seed| soup(seed, 1 + seed as usize % 4, Some(rule)), plan(6, number as u64));
        }
    }
}

#[test]
fn agents_in_rotation() {
    let game = Arc::new(Grid::new(Ruleset { profile: Profile::SEED, order: Order::Rotation }));
    prove(&game, |seed| soup(seed, 2 + seed as usize % 3, None), plan(12, 11));
}

#[test]
fn agents_together() {
    let game = Arc::new(Grid::new(Ruleset { profile: Profile::HEAD, order: Order::Together }));
    prove(&game, |seed| soup(seed, 2, None), plan(8, 12));
}

#[test]
fn generated_mazes() {
    let game = Arc::new(Grid::default());
    let maze = Maze { width: 7, height: 7, ..Maze::default() };
    prove(&game, |_| Setup::Generated(Recipe::Maze(maze.clone())), plan(8, 13));
}
