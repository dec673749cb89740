//! What a game offers beyond playing it: plain values in, plain values out.

pub mod chess;
pub mod grid;
pub mod skirmish;
pub mod spire;

use turnstone::{Match, Rejection, file};
use turnstone_host::Hosted;
use turnstone_table::{LoadError, Source, open_header};

/// A match of that game, from its file.
fn read<G: Hosted>(text: &str, content: &[Source]) -> Result<Match<G>, LoadError> {
    let header = file::header(text)?;
    if header.game != G::NAME {
        let text = format!("this match was played in {}; this command is for {}", header.game, G::NAME);
        return Err(Rejection::new("OTHER_GAME", text).into());
    }
    let (game, other_content) = open_header::<G>(text, content)?;
    file::read(&game, text).map_err(|divergence| LoadError::diverged(divergence, other_content))
}
