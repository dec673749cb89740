//! The grid world at the table: set-ups, rulesets, bots, benchmarks.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use turnstone::digest::{Digest, digest};
use turnstone::{Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::{Bench, Bot, ContentCheck, Hosted, Motion, Named, Opening, Setting, Source};

use crate::action::{Action, Deed};
use crate::bots;
use crate::catalog::Catalog;
use crate::component::Mask;
use crate::document::WorldDocument;
use crate::event::Event;
use crate::game::{Grid, Setup};
use crate::generate::{GENERATORS, Recipe, usual_limit};
use crate::geometry::Bounds;
use crate::label::Company;
use crate::level::LevelFile;
use crate::ruleset::{Order, Profile, Ruleset};
use crate::state::State;
use crate::view::{self, Outlook, RADIUS};
use crate::{bench, scene, study, tell};

/// Everything lies open: partial outlooks are a form for learners, chosen by who opens the match.
impl Hosted for Grid {
    const NAME: &'static str = "grid";
    const ABOUT: &'static str = "A world of cells: keys, boxes, portals, monsters, and a way out.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Setup), Rejection> {
        let (mut rules, mut order) = match &opening.ruleset {
            None => (Ruleset::default(), None),
            Some(value) => read_ruleset(value)?,
        };
        let (mut wishes, mut form, mut radius) = (Vec::new(), "world", RADIUS);
        for (name, value) in &opening.wishes {
            match name.as_str() {
                "profile" => rules.profile = Profile::named(value)?,
                "order" => order = Some(read_order(value)?),
                "view" => form = value,
                "radius" => radius = read_radius(value)?,
                _ => wishes.push((name.as_str(), value.as_str())),
            }
        }
        let catalog = Catalog::with(&opening.content)?;
        let (setup, usual) = read_setup(&catalog, opening.setup_text(), &wishes)?;
        rules.order = order.unwrap_or(usual);
        let outlook = Outlook::named(form, radius)?;
        Ok((Arc::new(Grid { outlook, ..Grid::new(rules) }), setup))
    }

    fn rulesets() -> Vec<Named> {
        vec![
            Named::new("seed", "What the lifecycle document says: a move ends with the game"),
            Named::new("head", "What the reference engine does today, walking on after death included"),
            Named::new("tidy", "Moves end with the game, and the reference's later corrections"),
        ]
    }

    fn settings(setup: &str) -> Vec<Setting> {
        let profiles = Self::rulesets();
        let mut all =
            vec![Setting::choice("profile", "whose rules?", "Whose rules a step follows.", profiles)];
        all.extend(order_setting(setup));
        all.extend([view_setting(), radius_setting()]);
        if let Ok(recipe) = Recipe::named(setup) {
            all.extend(recipe_settings(setup, &recipe));
        }
        all
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
        let aim = self.aim.as_ref().map(|aim| aim.name());
        digest(&("grid generators 2", systems, aim))
    }

    fn seats(&self, state: &State) -> Vec<String> {
        let agents = &state.world.cast.agents;
        agents.iter().map(|agent| tell::sentence(&tell::name(&state.world, *agent))).collect()
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
        scene::scene(self, position.state(), inputs)
    }

    fn touched(&self, state: &State, event: &Event) -> Vec<(u16, u16)> {
        scene::touched(&state.world, event)
    }

    fn motion(&self, event: &Event) -> Motion {
        scene::motion(event)
    }

    fn bots() -> Vec<Named> {
        vec![
            Named::new("random", "Does anything that is allowed"),
            Named::new(
                "solver",
                "Looks at up to 250,000 moments for a shortest way to win; wanders where it finds none",
            ),
        ]
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(bots::Random)),
            "solver" => Some(Box::new(bots::Solver::default())),
            _ => None,
        }
    }

    fn levels() -> [&'static str; 5] {
        ["slips=80:solver", "slips=60:solver", "slips=40:solver", "slips=20:solver", "solver"]
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
        Action::read(value)
            .map(Input::Act)
            .map_err(|text| Rejection::new(turnstone::code::MALFORMED, format!("not an input: {text}")))
    }

    fn benches() -> Vec<Bench> {
        bench::benches()
    }

    fn names(&self, state: &State) -> BTreeMap<String, Vec<String>> {
        let systems = self.schedule.names().map(str::to_string).collect();
        let mut names = BTreeMap::from([("system".into(), systems)]);
        // An entity's slot is its id, but for worlds whose ids lie far apart.
        let ids = &state.world.cast.ids;
        if ids.iter().zip(0..).any(|(id, slot)| *id != slot) {
            names.insert("entity".into(), ids.iter().map(ToString::to_string).collect());
        }
        names
    }

    fn sequel(&self, state: &State) -> Option<String> {
        state.world.cast.label.next.clone().filter(|_| state.world.live.win)
    }

    fn tally(&self, state: &State) -> Vec<(String, Value)> {
        let (live, label) = (&state.world.live, &state.world.cast.label);
        let mut tally: Vec<(String, Value)> =
            vec![("turns".into(), live.turn.into()), ("score".into(), live.score.into())];
        tally.extend(label.level.clone().map(|level| ("level".into(), level.into())));
        tally.extend(label.par.map(|par| ("par".into(), par.into())));
        tally.push(("won".into(), live.win.into()));
        tally
    }

    fn survey(&self, state: &State) -> Vec<(String, Value)> {
        study::survey(self, state)
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
            ("action".into(), schemars::schema_for!(Action).to_value()),
            ("event".into(), schemars::schema_for!(Event).to_value()),
            ("view".into(), view::schema()),
        ]
    }
}

/// A ruleset by name, or as a match file's header has it.
fn read_ruleset(value: &Value) -> Result<(Ruleset, Option<Order>), Rejection> {
    let Some(name) = value.as_str() else {
        let rules: Ruleset = serde_json::from_value(value.clone())
            .map_err(|error| Rejection::new("BAD_RULESET", error.to_string()))?;
        return Ok((rules, Some(rules.order)));
    };
    match Order::named(name) {
        Some(order) => Ok((Ruleset::default(), Some(order))),
        None => Ok((Ruleset::of(Profile::named(name)?), None)),
    }
}

fn read_order(name: &str) -> Result<Order, Rejection> {
    Order::named(name).ok_or_else(|| {
        let text = format!("`{name}` is unknown; use anyone, rotation or together");
        Rejection::new("UNKNOWN_ORDER", text)
    })
}

fn read_radius(text: &str) -> Result<i32, Rejection> {
    let radius = text.parse().ok().filter(|radius| (0..=127).contains(radius));
    radius
        .ok_or_else(|| Rejection::new("UNKNOWN_WISH", format!("`radius={text}`: use a number from 0 to 127")))
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

/// A level's name, a generator's name, or a whole level or world as text; and who acts when there,
/// unless somebody wishes otherwise.
pub(crate) fn read_setup(
    catalog: &Catalog,
    text: Option<&str>,
    wishes: &[(&str, &str)],
) -> Result<(Setup, Order), Rejection> {
    let text = text.unwrap_or("01-first-steps");
    if text.trim_start().starts_with('{') {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Rejection::new("NOT_JSON", error.to_string()))?;
        let document = WorldDocument::from_value(&value)?;
        let order = usual_order(&document);
        return Ok((Setup::World(limited(document)), order));
    }
    if let Ok(recipe) = Recipe::named(text) {
        return Ok((Setup::Generated(wish(recipe, wishes)?), Order::Anyone));
    }
    if let Some((name, _)) = wishes.first() {
        let text = format!(
            "`{name}` is unknown; only generators take wishes besides profile, order, view and radius"
        );
        return Err(Rejection::new("UNKNOWN_WISH", text));
    }
    if text.contains('\n') {
        let file = LevelFile::read(text)?;
        return Ok((Setup::World(limited(file.to_level()?.to_document())), file.usual_order()?));
    }
    let (name, file) = catalog.find(text)?;
    let mut document = file.to_level()?.to_document();
    document.label.level = Some(name.to_string());
    document.label.next = catalog.next_after(name).map(str::to_string);
    Ok((Setup::World(limited(document)), file.usual_order()?))
}

/// The document with a limit of turns: every match ends.
fn limited(mut document: WorldDocument) -> WorldDocument {
    let bounds = Bounds { width: document.width, height: document.height };
    let usual = || document.turn.saturating_add(usual_limit(bounds));
    document.turn_limit = document.turn_limit.or_else(|| Some(usual()));
    document
}

/// Several agents take turns, unless it is said otherwise.
fn usual_order(document: &WorldDocument) -> Order {
    let agents = document.entities.values().filter(|entity| entity.mask().any(Mask::AGENT)).count();
    if agents > 1 { Order::Rotation } else { Order::Anyone }
}

fn view_setting() -> Setting {
    let abouts = [
        "The whole world",
        "What lies around the agent",
        "The world as planes of numbers",
        "What lies around, as planes",
    ];
    let choices = Outlook::NAMES.iter().zip(abouts).map(|(name, about)| Named::new(*name, about)).collect();
    Setting::choice("view", "what do programs see?", "What programs are told of the world.", choices)
}

fn radius_setting() -> Setting {
    let about = "How far a partial view reaches.";
    Setting::number("radius", "how far?", about, 0..=127, RADIUS.into())
}

/// Who acts when matters only where there are several agents.
fn order_setting(setup: &str) -> Option<Setting> {
    let (_, file) = Catalog::built_in().find(setup).ok()?;
    let usual = file.usual_order().ok().filter(|usual| *usual != Order::Anyone)?;
    let choice = |order| match order {
        Order::Rotation => Named::new("rotation", "The agents take turns"),
        Order::Together => Named::new("together", "All agents act in one step"),
        Order::Anyone => Named::new("anyone", "Whoever likes acts"),
    };
    let others = Order::ALL.into_iter().filter(|order| *order != usual);
    let fits = |order: &Order| *order != Order::Anyone || file.company != Company::Rivals;
    let choices = std::iter::once(usual).chain(others.filter(fits)).map(choice).collect();
    Some(Setting::choice("order", "who acts when?", "In which order several agents act.", choices))
}

/// What a generator lets one choose: the fields of its recipe, with the sentences of their schema.
fn recipe_settings(name: &str, recipe: &Recipe) -> Vec<Setting> {
    let schema = schemars::schema_for!(Recipe).to_value();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let types = variants.filter_map(|variant| variant["properties"][name]["$ref"].as_str());
    let fields = types.filter_map(|path| schema.pointer(path.trim_start_matches('#'))).next();
    let usual = serde_json::to_value(recipe).unwrap_or_default();
    let usual = usual[name].as_object().into_iter().flatten();
    usual
        .map(|(field, value)| {
            let about = fields.map(|fields| &fields["properties"][field]["description"]);
            let about = about.and_then(Value::as_str).unwrap_or_default();
            let value = match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Setting::words(field, &format!("{field}?"), about, &value)
        })
        .collect()
}

/// The recipe with some of its fields set, such as `width=15`.
fn wish(recipe: Recipe, wishes: &[(&str, &str)]) -> Result<Recipe, Rejection> {
    wishes.iter().try_fold(recipe, |recipe, (name, text)| {
        let refuse = |error: serde_json::Error| Rejection::new("UNKNOWN_WISH", format!("{name}: {error}"));
        let mut value = serde_json::to_value(&recipe).map_err(refuse)?;
        let kind = value.as_object_mut().and_then(|kind| kind.values_mut().next());
        if let Some(fields) = kind.and_then(Value::as_object_mut) {
            let plain = serde_json::from_str(text).unwrap_or_else(|_| Value::String((*text).to_string()));
            fields.insert((*name).to_string(), plain);
        }
        serde_json::from_value(value).map_err(refuse)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone::{Game, Seen};

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
        assert_eq!(open("first-steps", &[("profile", "hed")]).unwrap_err().code(), "UNKNOWN_RULESET");
        assert_eq!(open("nowhere", &[]).unwrap_err().code(), "UNKNOWN_SETUP");
        assert_eq!(open("first-steps", &[("view", "fog")]).unwrap_err().code(), "UNKNOWN_WISH");
        assert_eq!(open("first-steps", &[("radius", "-1")]).unwrap_err().code(), "UNKNOWN_WISH");
    }

    #[test]
    fn a_seat_may_ask_for_what_its_agent_sees() {
        let wishes = vec![("view".to_string(), "partial".to_string()), ("radius".into(), "1".into())];
        let opening = Opening { wishes, ..Opening::default() };
        let (game, setup) = Grid::open_table(&opening).unwrap();
        let state = game.start(&setup, 0).unwrap();
        let view = game.view(&state, Viewer::Seat(0));
        assert_eq!((view["radius"].clone(), view["seen"].as_array().unwrap().len()), (1.into(), 9));
    }

    #[test]
    fn who_acts_when_is_asked_only_where_there_are_several() {
        assert!(order_setting("01-first-steps").is_none() && order_setting("maze").is_none());
        let choices = |setup: &str| -> Vec<String> {
            let setting = order_setting(setup).unwrap();
            setting.choices().iter().map(|choice| choice.id.clone()).collect()
        };
        assert_eq!(choices("21-open-up"), ["rotation", "anyone", "together"]);
        assert_eq!(choices("the-race"), ["rotation", "together"]);
        assert_eq!(choices("marching-orders"), ["together", "anyone", "rotation"]);
        assert!(Grid::rulesets().iter().all(|ruleset| Profile::named(&ruleset.id).is_ok()));
    }

    #[test]
    fn the_screen_says_which_level_it_is_and_what_the_marks_mean() {
        let state = open("red-door", &[]).unwrap();
        let scene = Grid::default().scene(&Position::new(state), &[], Viewer::All);
        assert!(scene.title.starts_with("The red door · turn 0 of 60"), "{}", scene.title);
        assert_eq!(scene.board.as_ref().unwrap().focus, Some((1, 1)), "looking begins at the agent");
        let lines: Vec<String> =
            scene.panels.iter().flat_map(|panel| &panel.items).map(|item| item.text.clone()).collect();
        for line in [
            "Find the key, stand beside the door and use it.",
            "objective: reach an exit",
            "+ a locked door: use the key beside it",
            "k a key: pick it up",
            "@ an agent",
        ] {
            assert!(lines.iter().any(|text| text == line), "{line} in {lines:?}");
        }
    }

    #[test]
    fn a_won_level_names_the_next_one_and_what_it_came_to() {
        let (game, setup) = Grid::open_table(&Opening::default()).unwrap();
        let mut position = Position::<Grid>::new(game.start(&setup, 0).unwrap());
        for deed in "right right right right right right down down".split(' ').filter_map(Deed::named) {
            let mut resolver = turnstone::Resolver::default();
            resolver
                .act(&*game, &mut position, &Input::Act(Action::step(deed)), &mut turnstone::Off)
                .unwrap();
        }
        let scene = game.scene(&position, &[], Viewer::All);
        assert!(scene.title.contains("First steps") && scene.title.ends_with("won"), "{}", scene.title);
        let level = &scene.panels[0].items;
        assert!(level.iter().any(|item| item.text == "next level: 02-loose-change"), "{level:?}");
        assert_eq!(game.sequel(position.state()).as_deref(), Some("02-loose-change"));
        assert!(level.iter().any(|item| item.text == "par: 8 steps, and you made it in 8"), "{level:?}");
        let tally: BTreeMap<_, _> = game.tally(position.state()).into_iter().collect();
        assert_eq!((tally["level"].as_str(), tally["won"].as_bool()), (Some("01-first-steps"), Some(true)));
        assert_eq!((tally["par"].as_i64(), tally["turns"].as_i64()), (Some(8), Some(8)));
    }

    #[test]
    fn whose_turn_it_is_stands_in_the_title_and_on_the_board() {
        let opening = Opening { setup: Some("the-race".into()), ..Opening::default() };
        let (game, setup) = Grid::open_table(&opening).unwrap();
        let mut position = Position::<Grid>::new(game.start(&setup, 0).unwrap());
        let inputs = [Input::Act(Action::step(Deed::Right))];
        let scene = game.scene(&position, &inputs, Viewer::All);
        assert!(scene.title.ends_with("Agent 1 to move"), "{}", scene.title);
        assert_eq!(scene.options[0].picks.len(), 1, "the arrow alone moves whose turn it is");
        let marks: Vec<String> = scene.board.unwrap().cells.into_iter().map(|cell| cell.text).collect();
        assert!(marks.contains(&"@1".to_string()) && marks.contains(&"@2".to_string()));
        let mut resolver = turnstone::Resolver::default();
        resolver.act(&*game, &mut position, &inputs[0], &mut turnstone::Off).unwrap();
        let scene = game.scene(&position, &[], Viewer::All);
        assert!(scene.title.ends_with("Agent 2 to move"), "{}", scene.title);
        let agents = scene.panels.iter().find(|panel| panel.id == "agents").unwrap();
        assert_eq!(agents.items[1].text, "› @2 Agent 2: to move");
    }

    /// Worlds without a limit of their own are given one.
    #[test]
    fn every_setup_has_a_limit_of_turns() {
        let own = "name: Own\n\n@.E\n";
        let document =
            LevelFile::from_text(own).unwrap().to_level().unwrap().to_document().to_value().to_string();
        let names: Vec<String> = Grid::setups().into_iter().map(|setup| setup.id).collect();
        for setup in names.iter().map(String::as_str).chain([own, &document]) {
            assert!(open(setup, &[]).unwrap().world.cast.turn_limit.is_some(), "{setup}");
        }
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
