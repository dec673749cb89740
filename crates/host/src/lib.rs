//! What a game offers besides its rules, so that one table, one command line and one test kit can
//! serve every game: names, set-ups, scenes, bots, benchmarks.
//!
//! The kernel ([`turnstone`]) knows rules and what follows from them; this crate knows what people and
//! programs around a game ask for. A game implements [`Hosted`] beside
//! [`Game`](turnstone::Game), and draws itself as a [`scene::Scene`], which is plain data: a terminal
//! or a browser shows it without knowing the game.

pub mod halving;
mod hosted;
mod level;
pub mod line;
mod numbers;
mod opening;
mod player;
pub mod scene;
pub mod seed;
mod setting;
mod sight;
mod study;

pub use hosted::{
    Bench, Bot, Conformity, ContentCheck, Facts, Failure, Hosted, Motion, Parts, TimeOut, Weighed, Why,
};
pub use level::{LEVELS, USUAL_LEVELS};
pub use numbers::Number;
pub use opening::{Numbering, Opening, Source, number};
pub use player::{Player, bot_lots, tell_input, tell_line};
pub use setting::{Answer, Named, Setting};
pub use sight::{Secretive, Sight};
pub use study::{Against, Graft, Topic};
