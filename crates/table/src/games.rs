//! The list of games, as a value: whoever makes a program says which games it has.

use turnstone::file;
use turnstone_host::{Bench, Source};

use crate::host::{Host, LoadError};
use crate::table::Table;

/// The games of a program, in the order in which a menu shows them.
///
/// ```
/// use turnstone_table::{Games, Host, Of};
/// # use turnstone_table::testing::Pebbles as MyGame;
///
/// static GAMES: Games = Games::new(&[&Of::<MyGame>::HOST]);
/// assert!(GAMES.find("pebbles").is_some());
/// ```
#[derive(Clone, Copy)]
pub struct Games(&'static [&'static dyn Host]);

impl Games {
    /// These games.
    pub const fn new(hosts: &'static [&'static dyn Host]) -> Self {
        Games(hosts)
    }

    /// Every game.
    pub fn all(self) -> &'static [&'static dyn Host] {
        self.0
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|host| host.name())
    }

    /// The game of that name.
    pub fn find(self, name: &str) -> Option<&'static dyn Host> {
        self.0.iter().copied().find(|host| host.name() == name)
    }

    /// The game a match file was played in.
    ///
    /// # Errors
    /// If the text is no match file, or of a game that is not in the list.
    pub fn host_of_file(self, file: impl AsRef<[u8]>) -> Result<&'static dyn Host, LoadError> {
        let header = file::header(file)?;
        self.find(&header.game).ok_or_else(|| {
            let known = self.names().map(str::to_owned).collect();
            LoadError::UnknownGame { game: header.game, known }
        })
    }

    /// Reads a match file of any of these games and sits down where it stood.
    ///
    /// # Errors
    /// If the file does not follow from its own set-up by today's rules.
    pub fn load(self, file: impl AsRef<[u8]>, content: &[Source]) -> Result<Box<dyn Table>, LoadError> {
        let file = file.as_ref();
        self.host_of_file(file)?.load(file, content)
    }

    /// The benchmarks of every game.
    pub fn benches(self) -> Vec<Bench> {
        self.0.iter().flat_map(|host| host.benches()).collect()
    }
}

impl std::fmt::Debug for Games {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}
