//! What searching costs: playouts of tree search a second, on games that others search too.

use turnstone::{Off, Position, Resolver};
use turnstone_bots::{Method, Searcher};
use turnstone_chess::Chess;
use turnstone_host::{Bench, Hosted, Opening, Sight, bot_lots};
use turnstone_skirmish::Skirmish;
use turnstone_spire::Spire;

/// Iterations of one search.
const BUDGET: u32 = 400;
/// More inputs than any game of chess has: playouts go to its end.
const TO_THE_END: u32 = 1_000_000;

/// Searches that are measured.
pub fn benches() -> Vec<Bench> {
    let bench = |name: &str, about: &str, prepare| Bench {
        name: name.to_owned(),
        unit: "playouts",
        about: about.to_owned(),
        parts: None,
        prepare,
        facts: None,
    };
    vec![
        bench(
            "chess/search/random-to-the-end",
            "tree search from the first position, played on at random until the game is over",
            || search::<Chess>("start", TO_THE_END),
        ),
        bench(
            "spire/search/ismcts",
            "information-set tree search in a fight against a Jaw Worm, as `ismcts:N` does it",
            || search::<Spire>("fight:jaw_worm", 300),
        ),
        bench(
            "skirmish/search/ismcts",
            "information-set tree search on the arena, as `ismcts:N` does it",
            || search::<Skirmish>("arena", 300),
        ),
    ]
}

/// Searches at the first moment at which there is something to choose, every time with other lots.
fn search<G: Hosted>(setup: &str, longest: u32) -> Box<dyn FnMut() -> u64> {
    let opening = Opening { setup: Some(setup.to_owned()), ..Opening::default() };
    let (game, setup) = G::open_table(&opening).unwrap_or_else(|error| unreachable!("{error}"));
    let first = game.start(&setup, 1).unwrap_or_else(|error| unreachable!("{error}"));
    let mut position = Position::<G>::new(first);
    while let [only] = &position.inputs(&*game)[..] {
        Resolver::default().act(&*game, &mut position, only, &mut Off).ok();
    }
    let inputs = position.inputs(&*game);
    let searcher = Searcher { trees: 1, longest, ..Searcher::new(Method::Ismcts, BUDGET) };
    let mut moment = 0;
    Box::new(move || {
        moment += 1;
        let sight = Sight::new(&*game, &position, 0, &inputs);
        let why = searcher.think(&sight, &mut bot_lots(1, 0, moment));
        why.options.iter().map(|option| option.visits).sum()
    })
}
