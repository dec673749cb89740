//! Who is meant by a name, wherever a bot is named.

use turnstone::{Rejection, Seat};
use turnstone_content::nearest;
use turnstone_host::{Bot, Hosted, LEVELS};

use crate::{METHODS, Searcher, Slips, named, read_slips};

/// The bot of that name in that seat: one of the game's own, a searcher such as `ismcts:400`, one of the five levels,
/// or any of them with slips.
///
/// # Errors
/// `UNKNOWN_BOT`, naming who was probably meant, and who there is; `BAD_BOT`, naming the part of a name that is wrong.
pub fn bot<G: Hosted>(name: &str, seat: Seat) -> Result<Box<dyn Bot<G>>, Rejection> {
    let level = LEVELS.iter().position(|(id, _)| *id == name);
    slipping(level.map_or(name, |place| G::levels()[place]), seat).ok_or_else(|| {
        let asked = read_slips(name).map_or(name, |(_, inner)| inner);
        if let Some(problem) = problem(asked) {
            return Rejection::new("BAD_BOT", problem);
        }
        Rejection::new("UNKNOWN_BOT", no_such_bot(G::NAME, asked, &known::<G>()))
    })
}

/// What is wrong with a name that is one but for its numbers.
fn problem(name: &str) -> Option<String> {
    let slips = name.strip_prefix("slips=").is_some() && read_slips(name).is_none();
    let text = || "slips: write slips=N:NAME, with a number from 1 to 100 and a bot's name".to_owned();
    slips.then(text).or_else(|| Searcher::problem(name))
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

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_samples::tic_tac_toe::TicTacToe;

    #[test]
    fn a_bad_parameter_is_named() {
        let told = |name: &str| bot::<TicTacToe>(name, 0).err().map(|refusal| refusal.to_string()).unwrap();
        for (name, says) in [
            ("ismcts:10,time=0", "[BAD_BOT] ismcts: time is a number from 1"),
            ("ismcts:10,foo=3", "no parameter \"foo\"; there are: trees, threads, longest, time"),
            ("ismcts:0", "its budget is a number from 1 to 4294967295, not \"0\""),
            ("ismcts:10,time=5,time=6", "time is given twice"),
            ("slips=101:random", "a number from 1 to 100"),
            ("slips=10:beam:x", "[BAD_BOT] beam: its budget"),
            ("mcts:10", "[UNKNOWN_BOT]"),
        ] {
            assert!(told(name).contains(says), "{name}: {}", told(name));
        }
    }
}
