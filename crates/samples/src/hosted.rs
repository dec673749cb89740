//! Tic-tac-toe and connect four at a table: the least that a game without secrets needs to be hosted.

use std::sync::Arc;

use serde_json::Value;
use turnstone::digest::{Digest, digest};
use turnstone::{InputOf, Position, Rejection, Seat, Viewer};
use turnstone_host::scene::{Choice, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Secretive};

use crate::connect_four::ConnectFour;
use crate::tic_tac_toe::TicTacToe;

/// The input as it is logged is its label.
fn scene<G: Hosted>(game: &G, position: &Position<G>, inputs: &[InputOf<G>]) -> Scene {
    let turn = game.actor(position.state()).map_or("Over".to_owned(), |seat| format!("Seat {seat} to play"));
    let label = |input: &InputOf<G>| serde_json::to_value(input).unwrap_or_default().to_string();
    let choice = |input| Choice { label: label(input), ..Choice::default() };
    Scene { title: turn, options: inputs.iter().map(choice).collect(), ..Scene::default() }
}

macro_rules! hosted {
    ($game:ident, $name:literal, $about:literal) => {
        impl Secretive for $game {}

        impl Hosted for $game {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;

            fn open_table(_opening: &Opening) -> Result<(Arc<Self>, ()), Rejection> {
                Ok((Arc::new($game), ()))
            }
            fn rulesets() -> Vec<Named> {
                vec![Named::new("usual", "As everybody knows them.")]
            }
            fn setups() -> Vec<Named> {
                vec![Named::new("empty", "An empty board.")]
            }
            fn ruleset(&self) -> Value {
                "usual".into()
            }
            fn content(&self) -> Digest {
                digest(&())
            }
            fn seats(&self, _state: &Self::State) -> Vec<String> {
                vec!["first".to_owned(), "second".to_owned()]
            }
            fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
                scene(self, position, inputs)
            }
            fn bots() -> Vec<Named> {
                Vec::new()
            }
            fn bot(_name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
                None
            }
        }
    };
}

hosted!(TicTacToe, "tic-tac-toe", "Three in a row on nine cells.");
hosted!(ConnectFour, "connect-four", "Four in a line; discs fall.");
