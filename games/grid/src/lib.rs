//! The grid world on the Turnstone kernel: agents walk a grid of cells, push boxes, use keys and
//! portals, wear shields, dodge monsters, and look for the way out.
//!
//! Play a level, undo, and read what happened:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Input, Match, Told};
//! use turnstone_grid::action::{Action, Deed};
//! use turnstone_grid::catalog::Catalog;
//! use turnstone_grid::{Grid, Setup};
//!
//! let level = Catalog::built_in().level("first-steps")?.to_level()?;
//! let mut game: Match<Grid> = Match::new(Arc::new(Grid::default()), Setup::World(level.to_document()), 0)?;
//! let moment = game.act(Input::Act(Action::step(Deed::Right)))?;
//! let told: Vec<String> = game
//!     .entries(moment)
//!     .iter()
//!     .filter_map(|entry| entry.fact.event())
//!     .map(|event| game.game().tell(game.state(), event, &[]))
//!     .collect();
//! assert_eq!(told[0], "You walk to (2, 1)");
//! assert_eq!(told[1], "A floor costs you 1 point");
//! game.undo();
//! assert_eq!(game.state().world.live.turn, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Search or learn on bare positions, with nothing recorded: see [`solve`] and [`gym`].
//!
//! ```
//! use turnstone_grid::solve::{Solution, solve};
//! use turnstone_grid::{Grid, catalog::Catalog};
//! let world = Catalog::built_in().level("ice-rink")?.to_level()?.to_world()?;
//! let Solution::Won(way) = solve(&Grid::default(), &world, 10_000).solution else { panic!() };
//! assert_eq!(way.len(), 4);
//! # Ok::<(), turnstone_grid::error::GridError>(())
//! ```
//!
//! Add a system of your own. A belt is a mover of speed 0: it stays where it is, and its direction
//! says where it carries whoever stands on it after portals, hits and rewards:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Game, Input, Off, Position, Resolver};
//! use turnstone_grid::action::{Action, Deed};
//! use turnstone_grid::geometry::Point;
//! use turnstone_grid::level::LevelFile;
//! use turnstone_grid::schedule::{Orders, Schedule, System, Turn};
//! use turnstone_grid::{Grid, Setup};
//!
//! struct ConveyorBelt;
//!
//! impl System for ConveyorBelt {
//!     fn name(&self) -> &str {
//!         "conveyor_belt"
//!     }
//!
//!     fn run(&self, turn: &Turn, orders: &mut Orders) {
//!         let (world, agent) = (turn.world, turn.agent);
//!         let is_belt = |slot| world.cast.look(slot).is_some_and(|look| look.name == "belt");
//!         let Some(belt) = world.at(world.cell(agent)).find(|slot| is_belt(*slot)) else { return };
//!         let Some(motion) = world.motion(belt) else { return };
//!         let way = world.cast.of(belt).axis.vector(i32::from(motion.direction));
//!         if let Some(to) = world.cast.bounds.step(world.cell(agent), way) {
//!             orders.shift(agent, to);
//!         }
//!     }
//! }
//!
//! let schedule = Schedule::standard().insert_after("tile_reward", Arc::new(ConveyorBelt))?;
//! let game = Grid { schedule, ..Grid::default() };
//! let text = "name: A belt\n\n@>.E\n\n> = thing look=belt background moves=right pace=0\n";
//! let level = LevelFile::from_text(text)?.to_level()?;
//! let mut position = Position::new(game.start(&Setup::World(level.to_document()), 0)?);
//! Resolver::default().act(&game, &mut position, &Input::Act(Action::step(Deed::Right)), &mut Off)?;
//! let world = &position.state().world;
//! assert_eq!(world.point(world.first_agent().unwrap()), Some(Point::new(2, 0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The vocabulary
//! An **entity** is an id with **components** ([`component`]); a **world** ([`world`]) is all of them,
//! with what never changes shared and what changes laid out flat. A **deed** is what an agent does;
//! one deed is one **step**, which runs through the **schedule** of named **systems** ([`schedule`],
//! the files of `rules`). The **profile** ([`ruleset`]) says which of two recorded behaviours is followed where
//! they differ. A **level** ([`level`]) is how worlds are written down and edited, a **recipe**
//! ([`generate`]) makes levels from seeds, a **plan** ([`render`]) says what is drawn where.
//!
//! Start reading at [`world`], then [`schedule`], then any file of the files of `rules`.

pub mod action;
mod apply;
pub mod bench;
mod bots;
mod cast;
pub mod catalog;
pub mod component;
pub mod document;
pub mod effect;
pub mod error;
pub mod event;
mod game;
pub mod generate;
pub mod geometry;
pub mod gym;
mod host;
mod index;
mod listeners;
pub mod observe;
pub mod random;
pub mod reason;
pub mod render;
mod rules;
pub mod ruleset;
mod scene;
mod secrets;
pub mod solve;
pub mod state;
mod study;
mod tell;
pub mod tools;
#[cfg(test)]
mod trial;
pub mod view;
pub mod world;

pub use catalog::{label, level};
pub use game::{Grid, Setup};
pub use rules::{moves, objective, schedule};
