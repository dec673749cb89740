//! The kernel's promises on random worlds: every move rule, one to four
//! agents, every profile and order of acting.

use std::sync::Arc;

use turnstone_grid::generate::{Maze, Recipe, Soup};
use turnstone_grid::label::Company;
use turnstone_grid::moves::MoveRule;
use turnstone_grid::ruleset::{Order, Profile, Ruleset};
use turnstone_grid::schedule::{Orders, Schedule, System, Turn};
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

/// A soup in which somebody is for or against somebody.
fn company(seed: u64, company: Company) -> Setup {
    let Setup::World(mut document) = soup(seed, 2 + seed as usize % 2, None) else { unreachable!() };
    document.company = company;
    Setup::World(document)
}

#[test]
fn partners_and_rivals() {
    for order in [Order::Rotation, Order::Together] {
        let game = Arc::new(Grid::new(Ruleset { profile: Profile::SEED, order }));
        prove(&game, |seed| company(seed, Company::Rivals), plan(6, 14));
        prove(&game, |seed| company(seed, Company::Partners), plan(6, 15));
    }
}

/// Counts what every cell was stepped on, and pays for the third time: a system with a memory.
struct Wear;

impl System for Wear {
    fn name(&self) -> &str {
        "wear"
    }

    fn run(&self, turn: &Turn, orders: &mut Orders) {
        let here = turn.world.cell(turn.agent).0;
        let times = turn.recall(here);
        if times == 2 {
            orders.score(turn.agent, turn.agent, 5);
        }
        orders.remember(here, (times + 1) % 3);
    }
}

#[test]
fn systems_with_a_memory() {
    let schedule = Schedule::standard().insert_after("tile_reward", Arc::new(Wear)).unwrap();
    let game = Arc::new(Grid { schedule, ..Grid::new(Ruleset::of(Profile::HEAD)) });
    prove(&game, |seed| soup(seed, 1, None), plan(12, 16));
}

#[test]
fn generated_mazes() {
    let game = Arc::new(Grid::default());
    let maze = Maze { width: 7, height: 7, ..Maze::default() };
    prove(&game, |_| Setup::Generated(Recipe::Maze(maze.clone())), plan(8, 13));
}

#[test]
fn forged_facts_do_no_harm() {
    use turnstone::dice::{Lots, Stream};
    use turnstone::{Game, Input, Match, Told};
    use turnstone_testkit::mutate::mutate;

    let game = Arc::new(Grid::default());
    let mut lots = Lots::new(9, Stream::named("grid/forger"));
    let (mut fitting, mut unfit) = (0, 0);
    for seed in 0..24 {
        let mut played: Match<Grid> = Match::new(Arc::clone(&game), soup(seed, 2, None), seed).unwrap();
        for turn in 0..12 {
            let inputs = played.inputs();
            let Some(input) = inputs.get((turn * 5 + seed as usize) % inputs.len().max(1)) else { break };
            let Ok(moment) = played.act(input.clone()) else { break };
            let mut state = played.state().clone();
            for entry in played.entries(moment) {
                for _ in 0..4 {
                    let Some(event) = entry.fact.event() else { continue };
                    let Some(forged) = mutate(event, &mut lots) else { continue };
                    if game.fits(&state, &forged) {
                        game.apply(&mut state, &forged);
                        fitting += 1;
                    } else {
                        unfit += 1;
                    }
                    game.tell(&state, &forged, &[]);
                }
            }
            let mut legal = Vec::new();
            game.legal(&state, &mut legal);
            if let Some(action) = legal.first().filter(|_| game.validate(&state).is_ok()) {
                let mut position = turnstone::Position::<Grid>::new(state);
                let mut resolver = turnstone::Resolver::default();
                resolver.act(&*game, &mut position, &Input::Act(action.clone()), &mut turnstone::Off).ok();
            }
        }
    }
    assert!(fitting > 100 && unfit > 0, "{fitting} could be written, {unfit} could not");
}
