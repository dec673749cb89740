//! The grid world at the table: set-ups, rulesets, bots, records, benchmarks.

use std::sync::Arc;

use serde_json::{Map, Value};
use turnstone::digest::{Digest, digest};
use turnstone::{Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::{Bench, Bot, Conformity, ContentCheck, Hosted, Named, Opening, Source};

use crate::action::{Action, Deed};
use crate::bots;
use crate::catalog::Catalog;
use crate::conform;
use crate::document::WorldDocument;
use crate::game::{Grid, Setup};
use crate::generate::{GENERATORS, Recipe};
use crate::level::LevelFile;
use crate::ruleset::{Order, Profile, Ruleset};
use crate::state::State;
use crate::{bench, scene};

impl Hosted for Grid {
    const NAME: &'static str = "grid";
    const ABOUT: &'static str = "A world of cells: keys, boxes, portals, monsters, and a way out.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Setup), Rejection> {
        let mut rules = match &opening.ruleset {
            None => Ruleset::default(),
            Some(value) => read_ruleset(value)?,
        };
        let mut wishes = Vec::new();
        for (name, value) in &opening.wishes {
            match name.as_str() {
                "profile" => rules.profile = Profile::named(value)?,
                "order" => rules.order = read_order(value)?,
                _ => wishes.push((name.as_str(), value.as_str())),
            }
        }
        let catalog = Catalog::with(&opening.content)?;
        let setup = read_setup(&catalog, opening.setup_text(), &wishes)?;
        Ok((Arc::new(Grid::new(rules)), setup))
    }

    fn rulesets() -> Vec<Named> {
        vec![
            Named::new("seed", "What the lifecycle document says: a move ends with the game"),
            Named::new("head", "What the reference engine does today, walking on after death included"),
            Named::new("tidy", "Moves end with the game, and the reference's later corrections"),
            Named::new("rotation", "As seed; several agents take turns"),
            Named::new("together", "As seed; several agents act in one step"),
        ]
    }

    fn setups() -> Vec<Named> {
        let levels = Catalog::built_in().levels();
        let levels = levels.map(|(id, file)| Named::new(id, format!("{}: {}", file.name, file.about)));
        levels.chain(GENERATORS.iter().map(|(id, about)| Named::new(*id, *about))).collect()
    }

    fn ruleset(&self) -> Value {
        serde_json::to_value(self.rules).unwrap_or_default()
    }

    /// Levels travel in the match file whole, so only the generators and rules are content.
    fn content(&self) -> Digest {
        let systems: Vec<&str> = self.schedule.names().collect();
        digest(&("grid generators 1", systems))
    }

    fn seats(&self, state: &State) -> Vec<String> {
        let agents = &state.world.cast.agents;
        agents.iter().map(|agent| state.world.cast.name(*agent)).collect()
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
        scene::scene(self, position.state(), inputs)
    }

    fn bots() -> Vec<Named> {
        vec![
            Named::new("random", "Does anything that is allowed"),
            Named::new("solver", "Looks for a shortest way to win and follows it"),
        ]
    }

    fn bot(name: &str, _seat: Seat, seed: u64) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(bots::Random::new(seed))),
            "solver" => Some(Box::new(bots::Solver::new(seed))),
            _ => None,
        }
    }

    fn parse_input(&self, position: &Position<Self>, text: &str) -> Option<InputOf<Self>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let (agent, words) = match words.split_first() {
            Some((first, rest)) if first.parse::<u32>().is_ok() => (first.parse().ok(), rest),
            _ => (None, &words[..]),
        };
        let deed = read_deed(&words.join("_"))?;
        let known = agent.is_none_or(|id: u32| position.state().world.cast.slot(i64::from(id)).is_some());
        known.then_some(Input::Act(Action::Step { deed, agent }))
    }

    fn read_input(&self, _position: &Position<Self>, value: &Value) -> Result<InputOf<Self>, Rejection> {
        if let Ok(input) = serde_json::from_value(value.clone()) {
            return Ok(input);
        }
        if let Ok(action) = serde_json::from_value(value.clone()) {
            return Ok(Input::Act(action));
        }
        conform::read_action(value)
            .map(Input::Act)
            .map_err(|text| Rejection::new(turnstone::code::MALFORMED, format!("not an input: {text}")))
    }

    fn conform(name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
        conform::conform(name, text, options)
    }

    fn benches() -> Vec<Bench> {
        bench::benches()
    }

    fn tally(&self, state: &State) -> Vec<(String, Value)> {
        let live = &state.world.live;
        vec![("turns".into(), live.turn.into()), ("score".into(), live.score.into())]
    }

    fn check_content(over: &[Source]) -> Option<ContentCheck> {
        let (catalog, mistakes) = Catalog::overlaid(over);
        Some(ContentCheck {
            entries: vec![("levels".into(), catalog.levels().count())],
            problems: mistakes.iter().map(ToString::to_string).collect(),
        })
    }

    fn schemas() -> Vec<(String, Value)> {
        vec![
            ("level".into(), schemars::schema_for!(LevelFile).to_value()),
            ("recipe".into(), schemars::schema_for!(Recipe).to_value()),
            ("ruleset".into(), schemars::schema_for!(Ruleset).to_value()),
        ]
    }
}

/// A ruleset by name, or as a match file's header has it.
fn read_ruleset(value: &Value) -> Result<Ruleset, Rejection> {
    let Some(name) = value.as_str() else {
        return serde_json::from_value(value.clone())
            .map_err(|error| Rejection::new("BAD_RULESET", error.to_string()));
    };
    match name {
        "rotation" | "together" => Ok(Ruleset { order: read_order(name)?, ..Ruleset::default() }),
        _ => Ok(Ruleset::of(Profile::named(name)?)),
    }
}

fn read_order(name: &str) -> Result<Order, Rejection> {
    match name {
        "anyone" => Ok(Order::Anyone),
        "rotation" => Ok(Order::Rotation),
        "together" => Ok(Order::Together),
        _ => {
            let text = format!("`{name}` is unknown; use anyone, rotation or together");
            Err(Rejection::new("UNKNOWN_ORDER", text))
        }
    }
}

/// A deed by its name, by a word a player would use, or by a letter.
fn read_deed(word: &str) -> Option<Deed> {
    match word {
        "u" | "north" => Some(Deed::Up),
        "d" | "south" => Some(Deed::Down),
        "l" | "west" => Some(Deed::Left),
        "r" | "east" => Some(Deed::Right),
        "k" | "key" | "open" | "unlock" => Some(Deed::UseKey),
        "p" | "get" | "take" | "pick" => Some(Deed::PickUp),
        "w" | "." => Some(Deed::Wait),
        _ => Deed::named(word),
    }
}

/// A level's name, a generator's name, or a whole level or world as text.
pub(crate) fn read_setup(
    catalog: &Catalog,
    text: Option<&str>,
    wishes: &[(&str, &str)],
) -> Result<Setup, Rejection> {
    let text = text.unwrap_or("01-first-steps");
    if text.trim_start().starts_with('{') {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Rejection::new("NOT_JSON", error.to_string()))?;
        return Ok(Setup::World(WorldDocument::from_value(&value)?));
    }
    if let Ok(recipe) = Recipe::named(text) {
        return Ok(Setup::Generated(wish(recipe, wishes)?));
    }
    if let Some((name, _)) = wishes.first() {
        let text = format!("`{name}` is unknown; only generators take wishes besides profile and order");
        return Err(Rejection::new("UNKNOWN_WISH", text));
    }
    let file = match text {
        text if text.contains('\n') && text.contains("map = ") => LevelFile::from_toml(text)?,
        text if text.contains('\n') => LevelFile::from_text(text)?,
        name => catalog.level(name)?.clone(),
    };
    Ok(Setup::World(file.to_level()?.to_document()))
}

/// The recipe with some of its fields set, such as `width=15`.
fn wish(recipe: Recipe, wishes: &[(&str, &str)]) -> Result<Recipe, Rejection> {
    let refuse = |error: serde_json::Error| Rejection::new("UNKNOWN_WISH", error.to_string());
    let mut value = serde_json::to_value(&recipe).map_err(refuse)?;
    let fields =
        value.as_object_mut().and_then(|kind| kind.values_mut().next()).and_then(Value::as_object_mut);
    let mut none = Map::new();
    let fields = fields.unwrap_or(&mut none);
    for (name, text) in wishes {
        let plain = serde_json::from_str(text).unwrap_or_else(|_| Value::String((*text).to_string()));
        fields.insert((*name).to_string(), plain);
    }
    serde_json::from_value(value).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone::Game;

    fn open(setup: &str, wishes: &[(&str, &str)]) -> Result<State, Rejection> {
        let wishes = wishes.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let opening = Opening { setup: Some(setup.into()), wishes, ..Opening::default() };
        let (game, setup) = Grid::open_table(&opening)?;
        game.start(&setup, 7)
    }

    #[test]
    fn every_setup_opens_and_makes_a_scene() {
        for setup in Grid::setups() {
            let state = open(&setup.id, &[]).unwrap();
            let game = Grid::default();
            let mut legal = Vec::new();
            game.legal(&state, &mut legal);
            let inputs: Vec<_> = legal.into_iter().map(Input::Act).collect();
            let scene = game.scene(&Position::new(state), &inputs, Viewer::All);
            assert_eq!(scene.options.len(), inputs.len(), "{}", setup.id);
            let board = scene.board.unwrap();
            assert_eq!(board.cells.len(), usize::from(board.width) * usize::from(board.height));
        }
    }

    #[test]
    fn wishes_reach_the_generator() {
        let state = open("maze", &[("width", "15"), ("height", "11"), ("move", "wrap")]).unwrap();
        assert_eq!((state.world.cast.bounds.width, state.world.cast.bounds.height), (15, 11));
        assert_eq!(open("maze", &[("wdth", "15")]).unwrap_err().code(), "UNKNOWN_WISH");
        assert_eq!(open("first-steps", &[("width", "15")]).unwrap_err().code(), "UNKNOWN_WISH");
        assert_eq!(open("first-steps", &[("profile", "hed")]).unwrap_err().code(), "UNKNOWN_PROFILE");
        assert_eq!(open("nowhere", &[]).unwrap_err().code(), "UNKNOWN_LEVEL");
    }

    #[test]
    fn rulesets_open_by_name_and_by_what_a_header_holds() {
        for ruleset in Grid::rulesets() {
            let opening = Opening { ruleset: Some(Value::String(ruleset.id)), ..Opening::default() };
            let (game, _) = Grid::open_table(&opening).unwrap();
            let again = Opening { ruleset: Some(game.ruleset()), ..Opening::default() };
            assert_eq!(Grid::open_table(&again).unwrap().0.rules, game.rules);
        }
    }

    #[test]
    fn players_may_type_words() {
        let game = Grid::default();
        let position = Position::new(open("first-steps", &[]).unwrap());
        let act = |text: &str| game.parse_input(&position, text);
        assert_eq!(act("pick up"), Some(Input::Act(Action::step(Deed::PickUp))));
        assert_eq!(act("l"), Some(Input::Act(Action::step(Deed::Left))));
        assert_eq!(act("dance"), None);
    }
}
