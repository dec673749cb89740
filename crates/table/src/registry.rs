//! The list of games.

use std::path::PathBuf;

use turnstone::file;
use turnstone::host::Bench;
use turnstone_chess::Chess;
use turnstone_grid::Grid;
use turnstone_skirmish::Skirmish;
use turnstone_spire::Spire;
use turnstone_spire::run::Climb;

use crate::host::{Host, LoadError, Of};
use crate::table::Table;

/// Every game there is, in the order in which a menu shows them. Adding a game is one line here.
///
/// Never inlined: every crate that did would compile the tables of all games a second time.
#[inline(never)]
pub fn games() -> &'static [&'static dyn Host] {
    &[&Of::<Skirmish>::HOST, &Of::<Chess>::HOST, &Of::<Grid>::HOST, &Of::<Climb<Spire>>::HOST]
}

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn Host> {
    games().iter().copied().find(|host| host.name() == name)
}

/// The game a match file was played in.
///
/// # Errors
/// If the text is no match file, or of a game that is not in the list.
pub fn host_of_file(text: &str) -> Result<&'static dyn Host, LoadError> {
    let header = file::header(text)?;
    find(&header.game).ok_or_else(|| {
        let known = games().iter().map(|host| host.name().to_owned()).collect();
        LoadError::UnknownGame { game: header.game, known }
    })
}

/// Reads a match file of any game and sits down where it stood.
///
/// # Errors
/// If the file does not follow from its own set-up by today's rules.
pub fn load(text: &str, content: Option<PathBuf>) -> Result<Box<dyn Table>, LoadError> {
    host_of_file(text)?.load(text, content)
}

/// The benchmarks of the kernel and of every game.
pub fn benches() -> Vec<Bench> {
    let mut benches = turnstone_samples::benches();
    benches.extend(games().iter().flat_map(|host| host.benches()));
    benches
}
