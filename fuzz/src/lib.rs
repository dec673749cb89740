//! The games that the targets choose from.

use turnstone_chess::Chess;
use turnstone_grid::Grid;
use turnstone_skirmish::Skirmish;
use turnstone_spire::Spire;
use turnstone_table::{Games, Host, Of};

/// Every game.
pub static GAMES: Games =
    Games::new(&[&Of::<Skirmish>::HOST, &Of::<Chess>::HOST, &Of::<Grid>::HOST, &Of::<Spire>::HOST]);

/// One of the games, by any number.
pub fn game(choice: u8) -> &'static dyn Host {
    GAMES.all()[usize::from(choice) % GAMES.all().len()]
}
