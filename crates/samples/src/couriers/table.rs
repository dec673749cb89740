//! Couriers at a table.

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots};
use turnstone::digest::{Digest, digest};
use turnstone::{Game, Input, InputOf, Position, Rejection, Seat, Seen, Told, Viewer};
use turnstone_host::scene::{Choice, Item, Panel, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Sight};

use super::{Couriers, State, name};

impl Hosted for Couriers {
    const NAME: &'static str = "couriers";
    const ABOUT: &'static str = "Letters, ambushes and tolls: two houses with hidden hands.";

    fn open_table(_opening: &Opening) -> Result<(Arc<Self>, ()), Rejection> {
        Ok((Arc::new(Couriers), ()))
    }

    fn rulesets() -> Vec<Named> {
        vec![Named::new("usual", "The only rules there are.")]
    }

    fn setups() -> Vec<Named> {
        vec![Named::new("deal", "Five letters each.")]
    }

    fn ruleset(&self) -> Value {
        "usual".into()
    }

    fn content(&self) -> Digest {
        digest(&())
    }

    fn seats(&self, _state: &State) -> Vec<String> {
        vec!["red".to_owned(), "blue".to_owned()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        let state = position.state();
        let turn = self.actor(state).map_or("Over".to_owned(), |seat| format!("{} to send", name(seat)));
        // What is shown is made of what may be seen.
        let view = self.view(state, viewer);
        let panel = |seat: Seat| {
            let house = &view["houses"][usize::from(seat)];
            let line = |what: &str| Item { text: format!("{what} {}", house[what]), ..Item::default() };
            let items = ["letters", "posts", "coins"].map(line).to_vec();
            Panel { id: format!("house{seat}"), title: name(seat).to_owned(), items, ..Panel::default() }
        };
        let question = position.pending().map(|asked| self.tell_question(state, &asked.question));
        let options =
            inputs.iter().map(|input| Choice { label: label(self, position, input), ..Choice::default() });
        Scene {
            title: turn,
            panels: vec![panel(0), panel(1)],
            options: options.collect(),
            question,
            ..Scene::default()
        }
    }

    fn bots() -> Vec<Named> {
        vec![Named::new("random", "Sends anything.")]
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        (name == "random").then(|| Box::new(Random) as Box<dyn Bot<Self>>)
    }
}

fn label(game: &Couriers, position: &Position<Couriers>, input: &InputOf<Couriers>) -> String {
    match (input, position.pending()) {
        (Input::Act(action), _) => game.tell_action(position.state(), action),
        (Input::Choose(answer), Some(asked)) => game.tell_answer(position.state(), &asked.question, answer),
        (Input::Choose(answer), None) => format!("{answer:?}"),
    }
}

struct Random;

impl Bot<Couriers> for Random {
    fn choose(&mut self, sight: &Sight<'_, Couriers>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}
