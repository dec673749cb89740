//! What is measured: steps per second with uniformly random actions.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, Log, Off, Position, Recorder, Resolver};
use turnstone_gym::{Autoreset, Batch, Buffers, Plan};
use turnstone_host::Bench;

use crate::action::{Action, Deed};
use crate::game::{Grid, Setup};
use crate::generate::Maze;
use crate::geometry::Point;
use crate::level::{Level, factory};
use crate::state::State;
use crate::world::World;

/// An agent on a floor of 9 × 9 and an exit in the corner.
pub(crate) fn empty_world() -> World {
    let mut level = Level::new(9, 9).unwrap_or_else(|_| unreachable!("9 × 9 is a size"));
    for point in level.bounds().points().collect::<Vec<_>>() {
        level.add(point, factory::floor(1)).ok();
    }
    level.add(Point::new(4, 4), factory::agent(5)).ok();
    level.add(Point::new(8, 8), factory::exit()).ok();
    built(&level)
}

/// The 15 × 15 maze with all that belongs into one: about 255 entities.
pub(crate) fn maze_world() -> World {
    let maze = Maze { width: 15, height: 15, seed: Some(7), num_doors: 4, num_portals: 3, ..Maze::default() };
    built(&maze.generate().unwrap_or_else(|_| unreachable!("15 × 15 is a size")))
}

/// 50 × 50 cells with 200 entities on them: walls, coins, boxes, patrollers, hunters, hazards.
pub(crate) fn wide_world() -> World {
    let mut level = Level::new(50, 50).unwrap_or_else(|_| unreachable!("50 × 50 is a size"));
    let mut lots = Lots::new(50, Stream::named("grid/bench"));
    let mut spot = || Point::new(lots.below(50) as i32, lots.below(50) as i32);
    let agent = level.add(Point::new(25, 25), factory::agent(1_000_000)).ok();
    let patrol = |n: usize| factory::Patrol::new(crate::geometry::Direction::ALL[n % 4]);
    for n in 0..199 {
        let thing = match n {
            0..120 => factory::wall(),
            120..150 => factory::coin(Some(1)),
            150..170 => factory::crate_box(true, None),
            170..180 => factory::monster(1, false, Some(patrol(n))),
            180..182 => factory::monster(1, false, None),
            182..198 => factory::hazard("spike", 1, false, 7),
            _ => factory::exit(),
        };
        let thing = match (n, agent) {
            (180, Some(agent)) => thing.hunting(agent, crate::component::Hunt::Path),
            (181, Some(agent)) => thing.hunting(agent, crate::component::Hunt::StraightLine),
            _ => thing,
        };
        level.add(spot(), thing).ok();
    }
    built(&level)
}

fn built(level: &Level) -> World {
    level.to_world().unwrap_or_else(|error| unreachable!("the benchmark's level is sound: {error}"))
}

const CHUNK: u64 = 20_000;

/// Random steps; a game that ends begins again.
fn steps<R: Recorder<Grid> + Default + 'static>(world: World, forget: fn(&mut R)) -> Box<dyn FnMut() -> u64> {
    let game = Grid::default();
    let first = Position::<Grid>::new(State::new(world));
    let mut position = first.clone();
    let mut resolver = Resolver::default();
    let mut lots = Lots::new(1, Stream::named("grid/bench/player"));
    let mut recorder = R::default();
    Box::new(move || {
        for _ in 0..CHUNK {
            let deed = Deed::ALL[lots.below(7) as usize];
            let input = Input::Act(Action::step(deed));
            let done = resolver.act_unchecked(&game, &mut position, &input, &mut recorder);
            if done.is_err() || position.state().world.is_over() {
                position.clone_from(&first);
            }
        }
        forget(&mut recorder);
        CHUNK
    })
}

fn clones(world: World) -> Box<dyn FnMut() -> u64> {
    let position = Position::<Grid>::new(State::new(world));
    Box::new(move || {
        for _ in 0..CHUNK {
            std::hint::black_box(std::hint::black_box(&position).clone());
        }
        CHUNK
    })
}

fn off(world: World) -> Box<dyn FnMut() -> u64> {
    steps::<Off>(world, |_| {})
}

fn on(world: World) -> Box<dyn FnMut() -> u64> {
    steps::<Log<Grid>>(world, Log::clear)
}

/// 1,024 worlds, one thread, the full observation written at every step.
fn batch() -> Box<dyn FnMut() -> u64> {
    const LANES: usize = 1_024;
    let setup = Setup::World(empty_world().to_document());
    let plan = Plan { lanes: LANES, seed: 1, autoreset: Autoreset::SameStep, ..Plan::default() };
    let mut batch = Batch::new(Grid::default().into(), setup, plan)
        .unwrap_or_else(|error| unreachable!("the benchmark's batch is sound: {error}"));
    let (mut buffers, shown) = (Buffers::new(LANES, batch.lengths()), batch.buffer());
    let mut lots = Lots::new(1, Stream::named("grid/bench/batch"));
    let mut actions = vec![0; LANES];
    Box::new(move || {
        for _ in 0..16 {
            actions.iter_mut().for_each(|action| *action = lots.below(7) as i64);
            batch.step(&actions, &mut buffers.frame(), Some(shown)).ok();
        }
        16 * LANES as u64
    })
}

/// All benchmarks.
pub fn benches() -> Vec<Bench> {
    let bench = |name: &str, about: &str, prepare| Bench {
        name: format!("grid/{name}"),
        unit: "steps",
        about: about.into(),
        parts: None,
        prepare,
        facts: None,
    };
    let clone =
        |name: &str, prepare| Bench { unit: "clones", ..bench(name, "copies of a position", prepare) };
    vec![
        bench("empty-9x9/log-off", "random steps on an empty floor", || off(empty_world())),
        bench("empty-9x9/log-on", "the same, every event kept", || on(empty_world())),
        bench("maze-15x15/log-off", "random steps in a full maze", || off(maze_world())),
        bench("maze-15x15/log-on", "the same, every event kept", || on(maze_world())),
        bench("wide-50x50/log-off", "random steps among 200 entities", || off(wide_world())),
        bench("wide-50x50/log-on", "the same, every event kept", || on(wide_world())),
        bench("empty-9x9/batch-1024", "1,024 worlds at once, observations written", batch),
        clone("empty-9x9/clone", || clones(empty_world())),
    ]
}
