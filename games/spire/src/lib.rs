//! Spire: a deckbuilding climb, with every card, relic, power, potion, orb, stance and monster as data.
//!
//! Set up any moment of a fight in a line, play a card, and read what happened:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Input, Match};
//! use turnstone_spire::{Action, Deed, Ruleset, Spire};
//!
//! let spire = Arc::new(Spire::builtin(Ruleset::Classic).expect("sound content"));
//! let setup = spire.situation("energy 3; hand: bash; enemy: jaw_worm 40/44 intends chomp")?;
//! let mut fight: Match<Spire> = Match::new(spire, setup, 1)?;
//! let bash = Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }));
//! fight.act(bash.clone())?;
//! assert_eq!(fight.state().combat.bodies[1].hp, 32);
//! let refusal = fight.act(bash).unwrap_err();
//! assert_eq!(refusal.code(), "NOT_IN_HAND");
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! Add a card without rebuilding anything:
//!
//! ```
//! use turnstone_spire::catalog::Sources;
//! use turnstone_spire::{Ruleset, Spire};
//!
//! let mine = "[card.zap_zap]\ntype = \"attack\"\ncost = 1\ndo = [{ attack = [4, 6], times = 2 }]\n";
//! let sources = Sources::builtin("classic").with_text("mine.toml", mine);
//! let spire = Spire::new(Ruleset::Classic, &sources).expect("a valid card");
//! assert!(spire.catalog.find("card", "zap_zap").is_some());
//! ```
//!
//! # The vocabulary
//! A **card**, **power**, **relic**, **potion**, **orb**, **stance** or **monster** is an entry of content
//! ([`catalog`], `content/README.md`). Its steps are **verbs**, compiled to **programs** whose steps travel the
//! queue as [`Effect::Step`]. Entries listen to **moments** (`on`), change numbers at **stages** (`alter`) and
//! stop things (`prevent`); if a mechanic in [`rules`] had to name a relic, a stage or moment would be missing.
//! A **body** is the player (number 0) or a monster; a **slot** is the number of a card within a fight. The
//! ruleset `classic` is the original's; `seed` is that of the engine behind the recorded fights (`src/profile.rs`).
//!
//! Start reading at [`game`], then `rules/play.rs` and `rules/turn.rs`.

#![warn(unreachable_pub)]

pub mod action;
mod apply;
pub mod bench;
pub mod catalog;
mod dice;
pub mod effect;
pub mod eval;
pub mod event;
mod faces;
mod fits;
mod floats;
pub mod game;
mod greedy;
mod listeners;
mod named;
mod planned;
mod profile;
pub mod question;
pub mod reason;
pub mod rules;
pub mod run;
mod scene;
pub mod seeds;
pub mod setup;
mod situation;
pub mod state;
mod tell;
mod view;
mod waiting;

pub use action::{Action, Deed};
pub use effect::Effect;
pub use event::Event;
pub use game::{Ruleset, Spire};
pub use question::{Answer, Asked, Question, Reply};
pub use setup::{Fight, Setup};
pub use state::State;
