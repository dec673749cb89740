//! Who is meant by a name, wherever a bot is named.

use turnstone::{Rejection, Seat};
use turnstone_content::nearest;
use turnstone_host::{Bot, Hosted, LEVELS};

use crate::{METHODS, Slips, named, read_slips};

/// The bot of that name in that seat: one of the game's own, a searcher such as `ismcts:400`, one of the five levels,
/// or any of them with slips.
///
/// # Errors
/// `UNKNOWN_BOT`, naming who was probably meant, and who there is.
pub fn bot<G: Hosted>(name: &str, seat: Seat) -> Result<Box<dyn Bot<G>>, Rejection> {
    let level = LEVELS.iter().position(|(id, _)| *id == name);
    slipping(level.map_or(name, |place| G::levels()[place]), seat).ok_or_else(|| {
        let asked = read_slips(name).map_or(name, |(_, inner)| inner);
        Rejection::new("UNKNOWN_BOT", no_such_bot(G::NAME, asked, &known::<G>()))
    })
}

fn slipping<G: Hosted>(name: &str, seat: Seat) -> Option<Box<dyn Bot<G>>> {
    let plain = |name: &str| G::bot(name, seat).or_else(|| named(name));
    match read_slips(name) {
        Some((percent, name)) => Some(Box::new(Slips::new(plain(name)?, G::bot("random", seat), percent))),
        None => plain(name),
    }
}

/// Every name that a bot of the game can have.
fn known<G: Hosted>() -> Vec<String> {
    let levels = LEVELS.iter().map(|(id, _)| (*id).to_owned());
    let own = G::bots().into_iter().map(|bot| bot.id);
    let searchers = METHODS.iter().map(|(method, _)| format!("{method}:N"));
    levels.chain(own).chain(searchers).chain(["slips=N:NAME".to_owned()]).collect()
}

/// What to say of a name that no bot of a game has: who was probably meant, and who there is.
pub fn no_such_bot(game: &str, name: &str, known: &[String]) -> String {
    let all = known.join(", ");
    match nearest(name, known.iter().map(String::as_str).filter(|other| *other != name)) {
        Some(meant) => format!("{game} has no bot \"{name}\"; did you mean \"{meant}\"? There are: {all}"),
        None => format!("{game} has no bot \"{name}\"; there are: {all}"),
    }
}
