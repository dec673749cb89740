//! What players say beside the options: giving up, and draws. The games understand these words as they understand
//! moves, but never list them: nobody is to give a match up by a slip, and no bot by lot.

use turnstone_table::Table;

/// Something that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aside {
    /// What is typed.
    pub word: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Whether it ends the match, so that it is asked once.
    pub grave: bool,
}

const ASIDES: [Aside; 4] = [
    Aside { word: "resign", about: "give the match up", grave: true },
    Aside { word: "offer draw", about: "offer a draw", grave: false },
    Aside { word: "accept", about: "accept the draw that is offered", grave: true },
    Aside { word: "claim", about: "claim the draw that the rules allow", grave: true },
];

/// What whoever is to act may say now, beside choosing one of the options.
pub fn asides(table: &dyn Table) -> Vec<Aside> {
    if table.outcome().is_some() {
        return Vec::new();
    }
    ASIDES.into_iter().filter(|aside| is_heard(table, aside.word)).collect()
}

/// Whether the game understands a word and allows what it means; tried at a table of its own.
fn is_heard(table: &dyn Table, word: &str) -> bool {
    let Some(input) = table.parse(word) else { return false };
    table.at(table.here()).is_ok_and(|mut copy| copy.act(&input).is_ok())
}

/// Whether a typed text ends the match.
pub fn is_grave(text: &str) -> bool {
    ASIDES.iter().any(|aside| aside.grave && aside.word.eq_ignore_ascii_case(text.trim()))
}

#[cfg(test)]
mod tests {
    use turnstone_games::games;
    use turnstone_table::Opening;

    use super::*;

    fn said(game: &str) -> Vec<&'static str> {
        let table = games().find(game).unwrap().open(&Opening::default()).unwrap();
        asides(&*table).into_iter().map(|aside| aside.word).collect()
    }

    #[test]
    fn only_what_the_game_allows_now_is_offered() {
        assert_eq!(said("chess"), ["resign", "offer draw"]);
        assert_eq!(said("skirmish"), ["resign"]);
        let mut table = games().find("chess").unwrap().open(&Opening::default()).unwrap();
        for text in ["e4", "offer draw", "e5"] {
            let input = table.parse(text).unwrap();
            table.act(&input).unwrap();
        }
        assert!(asides(&*table).iter().any(|aside| aside.word == "accept"));
    }
}
