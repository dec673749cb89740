//! Skirmish: tabletop combat on a square grid, on the Turnstone kernel.
//!
//! Sit down at a scenario and play; every refusal says why, every fact can be explained:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Input, Match};
//! use turnstone_skirmish::{Action, Setup, Skirmish};
//!
//! let setup = Setup::scenario("bridge-at-dusk", "normal");
//! let mut game: Match<Skirmish> = Match::new(Arc::new(Skirmish::default()), setup, 7)?;
//! let active = game.state().combat.active.expect("the fight is on");
//! let id = game.state().stage.figure(active).id.clone();
//! game.act(Input::Act(Action::defend(&id)))?;
//! let refusal = game.act(Input::Act(Action::defend(&id))).unwrap_err();
//! assert_eq!(refusal.code(), "BUDGET_EXHAUSTED");
//! println!("{}", game.explain(1));
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! Open a JSON document, act with JSON, and export the document again. The exported log carries
//! under `fx` what payloads leave out, so that folding it rebuilds every state:
//!
//! ```
//! use serde_json::json;
//! use turnstone_skirmish::catalog::Catalog;
//! use turnstone_skirmish::formats::runner::Runner;
//! use turnstone_skirmish::{Profile, Setup};
//!
//! let state = Catalog::built_in().scenario("toll-on-the-pass").unwrap().initial_state.clone();
//! let mut runner = Runner::start(&Setup::state(Profile::Mir023, state)).unwrap();
//! let (events, result) = runner.act(&json!({"type": "ROLL_INITIATIVE"}));
//! assert!(result.is_ok());
//! assert_eq!(events[0]["type"], "INITIATIVE_ROLLED");
//! assert_eq!(runner.document()["combat"]["round"], 1);
//! assert_eq!(runner.hash().len(), 16);
//! ```
//!
//! Say it in words:
//!
//! ```
//! use turnstone_skirmish::text::{parse, plan};
//! use turnstone_skirmish::{Setup, Skirmish};
//! use turnstone::Game;
//!
//! let state = Skirmish::default().start(&Setup::scenario("bridge-at-dusk", "easy"), 1)?;
//! let intent = parse("have Tamsin go two steps south");
//! let plan = plan(&state, &intent);
//! assert_eq!(plan.actions[0].to_json()["type"], "MOVE");
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! # The vocabulary
//! A [`Document`] is the JSON form of a game. A [`stage::Stage`] is what never changes of it, a
//! [`State`] what does: dense, small, copied once per action. [`action::Action`]s name entities by
//! id; [`effect::Effect`]s and [`Event`]s name **bodies** by number. Conditions are data and act as
//! BEFORE [`listeners`]; the [`rules`] hold one mechanic per file. A [`Profile`] says which recorded
//! rules apply, a rule module which dice. [`export`] turns the kernel's log back into a document.
//!
//! Start reading at [`game`], then [`rules::walk`] and [`listeners::modifier`], then [`export`].

pub mod action;
pub mod apply;
mod bench;
pub mod board;
pub mod catalog;
pub mod dice;
pub mod document;
pub mod effect;
pub mod event;
pub mod export;
#[cfg(test)]
mod fixture;
pub mod formats;
pub mod game;
pub mod gym;
pub mod hash;
pub mod host;
pub mod house;
pub mod json;
mod legal;
pub mod listeners;
mod names;
pub mod normalise;
pub mod opponents;
pub mod profile;
pub mod queries;
pub mod reason;
pub mod rules;
pub mod scene;
pub mod setup;
pub mod sight;
mod sound;
pub mod stage;
pub mod state;
mod study;
pub mod tell;
pub mod text;
pub mod view;
pub mod world;

pub use action::Action;
pub use document::Document;
pub use event::Event;
pub use game::Skirmish;
pub use profile::Profile;
pub use setup::Setup;
pub use state::State;
