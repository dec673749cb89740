//! What skirmish offers the command line and the table.

use crate::action::{Action, Side, Verb};
use crate::catalog::{Catalog, ContentFile};
use crate::dice::Algorithm;
use crate::document::schema::schema;
use crate::formats::builder::Plan;
use crate::formats::chapter::{self, Chapter};
use crate::game::Skirmish;
use crate::opponents::bot::{PresetBot, RandomBot};
use crate::opponents::tactician::Tactician;
use crate::setup::{Setup, SetupSource};
use crate::text::{parse, plan};
use crate::world::templates;
use crate::{Profile, bench, export, scene, sight, study, view};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use turnstone::digest::{Digest, digest};
use turnstone::{Game, Input, InputOf, Outcome, Position, Rejection, Seat, Viewer, code};
use turnstone_host::scene::Scene;
use turnstone_host::{Bench, Bot, ContentCheck, Graft, Hosted, Named, Opening, Setting, Source, Topic};

/// The difficulties, easiest first.
pub const DIFFICULTIES: [&str; 4] = ["easy", "normal", "hard", "deadly"];

/// Words with which one gives up.
const SURRENDER: [&str; 5] = ["surrender", "i surrender", "resign", "yield", "give up"];

impl Hosted for Skirmish {
    const NAME: &'static str = "skirmish";
    const RULES: u32 = 2;
    const ABOUT: &'static str = "Tabletop combat on a grid: heroes against monsters, with dice and fog.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Setup), Rejection> {
        let catalog = catalog(&opening.content)?;
        let ruleset = match &opening.ruleset {
            None => "mir-0.23".to_string(),
            Some(Value::String(name)) => name.clone(),
            Some(other) => return Err(unknown("ruleset", &other.to_string(), &ruleset_names())),
        };
        let (profile, module) = read_ruleset(&ruleset, &catalog)?;
        let mut setup = source(opening.setup_text(), profile, &catalog)?;
        setup.module = module;
        for (key, value) in &opening.wishes {
            wish(&mut setup, key, value)?;
        }
        Ok((Arc::new(Skirmish { catalog, ruleset }), setup))
    }

    fn rulesets() -> Vec<Named> {
        let mut all = vec![
            Named::new(
                "mir-0.23",
                "Conditions, abilities, one move and one action a turn, an end of combat.",
            ),
            Named::new("mir-1.4", "Move, attack, initiative, end of turn, and nothing else."),
        ];
        let modules = Catalog::built_in();
        let own = modules.modules.iter().filter(|(id, _)| *id != "recorded");
        all.extend(own.map(|(id, module)| Named::new(id.clone(), module.about.clone())));
        all
    }

    fn setups() -> Vec<Named> {
        let catalog = Catalog::built_in();
        let scenarios = catalog.scenarios.iter();
        let mut all: Vec<Named> =
            scenarios.map(|s| Named::new(s.meta.id.clone(), s.meta.description.clone())).collect();
        let tale = "The three tales one after the other, with a party that carries over.";
        all.push(Named::new(chapter::NAME, tale));
        for template in templates::all() {
            all.push(Named::new(template.id, format!("A fresh fight on the map {}.", template.name)));
        }
        all.push(Named::new("dungeon", "A fresh fight in a dungeon dug from the seed."));
        all
    }

    fn settings(setup: &str) -> Vec<Setting> {
        let built = setup == "dungeon" || templates::find(setup).is_some();
        let mut all = vec![difficulty_setting(), dice_setting(), start_setting()];
        if built {
            all.extend([party_setting(), fog_setting(), placement_setting()]);
        }
        all
    }

    fn ruleset(&self) -> Value {
        Value::String(self.ruleset.clone())
    }

    fn content(&self) -> Digest {
        digest(&*self.catalog)
    }

    fn seats(&self, _state: &Self::State) -> Vec<String> {
        vec!["the heroes".to_string(), "their foes".to_string()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        scene::draw(self, position.state(), inputs, viewer)
    }

    fn bots() -> Vec<Named> {
        let catalog = Catalog::built_in();
        let mut all = vec![Named::new("random", "Does anything that is allowed.")];
        for id in DIFFICULTIES {
            all.push(Named::new(id, catalog.difficulty(id).manner()));
        }
        let about = "Tries ways to play its turn and fights on; tactician:N tries N fights a choice (100).";
        all.push(Named::new("tactician", about));
        all
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(RandomBot)),
            name if DIFFICULTIES.contains(&name) => Some(Box::new(PresetBot::new(name))),
            name => Tactician::named(name).map(|bot| Box::new(bot) as Box<dyn Bot<Self>>),
        }
    }

    fn levels() -> [&'static str; 5] {
        ["slips=80:hard", "slips=60:hard", "slips=35:hard", "slips=15:hard", "tactician"]
    }

    /// The share of its hit points that each side has left.
    fn appraise(&self, state: &Self::State, seat: Seat) -> Option<i32> {
        let health = |bodies: std::ops::Range<u16>| {
            let alive = bodies.clone().filter(|body| !state.is_dead(*body));
            let left: i64 = alive.map(|body| state.body(body).hp.max(0)).sum();
            let whole: i64 = bodies.map(|body| state.stage.figure(body).hp_max.max(1)).sum();
            (left.saturating_mul(450) / whole.max(1)) as i32
        };
        let ahead = health(state.stage.player_ids()) - health(state.stage.npc_ids());
        Some(500 + if seat == crate::game::HEROES { ahead } else { -ahead })
    }

    /// A sentence: `attack the nearest foe`. The first action of its plan that is allowed.
    fn parse_input(&self, position: &Position<Self>, text: &str) -> Option<InputOf<Self>> {
        let state = &*sight::as_acted(position.state());
        if SURRENDER.contains(&text.trim().to_lowercase().as_str()) {
            return Some(Input::Act(Action::surrender(Side::of(sight::acting(state)))));
        }
        let planned = plan(state, &parse(text)).actions;
        let first = planned.into_iter().next()?;
        Some(Input::Act(
            self.canonical(state, &first).filter(|_| self.check(state, &first).is_ok()).unwrap_or(first),
        ))
    }

    /// Actions may come bare, as documents have them; anything that is no action is refused by
    /// the rules, so that the refusal is logged.
    fn read_input(&self, position: &Position<Self>, value: &Value) -> Result<InputOf<Self>, Rejection> {
        if value.get("choose").is_some() && value.get("type").is_none() {
            return Err(Rejection::new(code::NOTHING_ASKED, "skirmish asks no questions"));
        }
        let inner = value.get("act").filter(|_| value.get("type").is_none()).unwrap_or(value);
        let action = Action::from_json(inner);
        if matches!(action.verb, Verb::SetSeed { .. }) {
            let text = "SET_SEED is the game master's: with it a player could repeat a roll";
            return Err(Rejection::new("GAME_MASTER_ONLY", text));
        }
        if let Verb::Surrender { side: None } = action.verb {
            let side = Side::of(sight::acting(position.state()));
            return Ok(Input::Act(Action::surrender(side)));
        }
        Ok(Input::Act(action))
    }

    fn may_send(&self, position: &Position<Self>, seat: Seat, input: &InputOf<Self>) -> bool {
        match input {
            Input::Act(action) => match action.verb {
                Verb::Surrender { side } => side.is_none_or(|side| side.seat() == seat),
                _ => position.actor(self).is_none_or(|actor| actor == seat),
            },
            Input::Choose(never) => match *never {},
        }
    }

    fn benches() -> Vec<Bench> {
        bench::all()
    }

    fn write_event(&self, state: &Self::State, event: &Self::Event) -> Value {
        export::named(&state.stage, event)
    }

    fn names(&self, state: &Self::State) -> BTreeMap<String, Vec<String>> {
        let stage = &state.stage;
        let entity = stage.figures.iter().map(|figure| figure.id.to_string()).collect();
        let condition = stage.conditions.iter().map(|name| name.to_string()).collect();
        let ability = stage.rules.abilities.iter().map(|ability| ability.id.to_string()).collect();
        [("entity", entity), ("condition", condition), ("ability", ability)]
            .map(|(kind, names)| (kind.to_string(), names))
            .into()
    }

    fn sequel(&self, state: &Self::State) -> Option<String> {
        let won = self.outcome(state) == Some(Outcome::Won(crate::game::HEROES));
        won.then(|| Chapter::after(state)).flatten()
    }

    fn tally(&self, state: &Self::State) -> Vec<(String, Value)> {
        let standing = |bodies: std::ops::Range<u16>| bodies.filter(|b| !state.is_dead(*b)).count();
        let words = match self.outcome(state) {
            Some(Outcome::Won(crate::game::HEROES)) => "heroes",
            Some(Outcome::Won(_)) => "foes",
            Some(_) => "nobody",
            None => "undecided",
        };
        vec![
            ("winner".to_string(), words.into()),
            ("heroes standing".to_string(), standing(state.stage.player_ids()).into()),
            ("foes standing".to_string(), standing(state.stage.npc_ids()).into()),
        ]
    }

    fn topics(&self, position: &Position<Self>, inputs: &[InputOf<Self>]) -> Vec<(usize, Topic)> {
        study::topics(position, inputs)
    }

    fn holdings(&self, state: &Self::State, seat: Seat) -> Vec<(&'static str, String)> {
        study::holdings(state, seat)
    }

    fn survey(&self, state: &Self::State) -> Vec<(String, Value)> {
        study::survey(state)
    }

    fn grafts(&self, setup: &Setup, seed: u64) -> Vec<Graft> {
        study::grafts(self, setup, seed)
    }

    fn graft(&self, setup: &Setup, seed: u64, graft: &Graft) -> Option<Setup> {
        study::graft(self, setup, seed, graft)
    }

    fn check_content(over: &[Source]) -> Option<ContentCheck> {
        let (catalog, problems) = Catalog::overlaid(over);
        let entries = [
            ("conditions", catalog.conditions.len()),
            ("abilities", catalog.abilities.len()),
            ("monsters", catalog.monsters.len()),
            ("classes", catalog.classes.len()),
            ("difficulties", catalog.difficulties.len()),
            ("rule modules", catalog.modules.len()),
            ("scenarios", catalog.scenarios.len()),
        ]
        .map(|(kind, count)| (kind.to_string(), count))
        .to_vec();
        Some(ContentCheck { entries, problems: problems.iter().map(ToString::to_string).collect() })
    }

    fn schemas() -> Vec<(String, Value)> {
        let mut all: Vec<(String, Value)> =
            Profile::ALL.iter().map(|p| (format!("state-{}", p.name()), schema(*p).clone())).collect();
        all.push(("view".to_string(), view::view_schema()));
        all.push(("event".to_string(), export::event_schema()));
        all.push(("content".to_string(), schemars::schema_for!(ContentFile).to_value()));
        all
    }
}

fn unknown(what: &str, name: &str, known: &[String]) -> Rejection {
    let near = crate::document::validate::nearest(name, known.iter().map(String::as_str));
    let text = format!("there is no {what} {name:?}{near}; known are {}", known.join(", "));
    let code = match what {
        "set-up" => "UNKNOWN_SETUP",
        "ruleset" => "UNKNOWN_RULESET",
        "option" => "UNKNOWN_WISH",
        _ => code::MALFORMED,
    };
    Rejection::new(code, text)
}

fn ruleset_names() -> Vec<String> {
    Skirmish::rulesets().into_iter().map(|n| n.id).collect()
}

/// A profile by name, or a rule module on the later profile.
fn read_ruleset(name: &str, catalog: &Catalog) -> Result<(Profile, Option<String>), Rejection> {
    if let Some(profile) = Profile::parse(name) {
        return Ok((profile, None));
    }
    match catalog.module(name) {
        Some(_) => Ok((Profile::Mir023, Some(name.to_string()))),
        None => Err(unknown("ruleset", name, &ruleset_names())),
    }
}

/// The built-in content with texts laid over it; all that is wrong with them is told.
fn catalog(over: &[Source]) -> Result<Arc<Catalog>, Rejection> {
    if over.is_empty() {
        return Ok(Catalog::built_in());
    }
    let (catalog, problems) = Catalog::overlaid(over);
    if problems.is_empty() {
        return Ok(Arc::new(catalog));
    }
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Err(Rejection::new("CONTENT", told.join("\n")))
}

/// A scenario's or map's name, or a state or scenario as JSON text.
fn source(text: Option<&str>, profile: Profile, catalog: &Catalog) -> Result<Setup, Rejection> {
    let Some(text) = text else {
        let first = catalog.scenarios.first().map_or("", |s| s.meta.id.as_str());
        return Ok(Setup { profile, ..Setup::scenario(first, "normal") });
    };
    if text.trim_start().starts_with('{') {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Rejection::new(code::MALFORMED, format!("the set-up is not JSON: {e}")))?;
        let state = value.get("initialState").cloned().unwrap_or(value);
        return Ok(Setup { house: true, ..Setup::state(profile, state) });
    }
    if let Some(chapter) = Chapter::read(text) {
        let chapter = chapter?;
        if !DIFFICULTIES.contains(&chapter.difficulty.as_str()) {
            return Err(unknown("difficulty", &chapter.difficulty, &DIFFICULTIES.map(str::to_string)));
        }
        let setup = Setup::scenario("", &chapter.difficulty);
        return Ok(Setup { profile, source: SetupSource::Chapter(chapter), ..setup });
    }
    if catalog.scenario(text).is_some() {
        return Ok(Setup { profile, ..Setup::scenario(text, "normal") });
    }
    if text == "dungeon" || templates::find(text).is_some() {
        let party = ["fighter", "cleric", "ranger"].map(str::to_string).to_vec();
        let plan = Plan { map: text.to_string(), party, difficulty: "normal".to_string(), ..Plan::default() };
        return Ok(Setup { profile, source: SetupSource::Built(plan), ..Setup::scenario("", "normal") });
    }
    Err(unknown("set-up", text, &Skirmish::setups().into_iter().map(|n| n.id).collect::<Vec<_>>()))
}

fn choices(names: &[(&str, &str)]) -> Vec<Named> {
    names.iter().map(|(id, about)| Named::new(*id, *about)).collect()
}

fn difficulty_setting() -> Setting {
    let catalog = Catalog::built_in();
    // The usual one first.
    let ids = ["normal", "easy", "hard", "deadly"];
    let choices = ids.iter().map(|id| Named::new(*id, catalog.difficulty(id).manner())).collect();
    Setting::choice("difficulty", "how hard?", "How strong the foes are.", choices)
}

fn dice_setting() -> Setting {
    let dice = [("turnstone", "Our own."), ("mir", "Those of the recorded fights.")];
    Setting::choice("dice", "which dice?", "How dice are drawn from the seed.", choices(&dice))
}

fn start_setting() -> Setting {
    let starts = [("combat", "In the fight."), ("exploration", "Before it.")];
    Setting::choice("start", "where to begin?", "Whether the fight has begun.", choices(&starts))
}

fn party_setting() -> Setting {
    Setting::words("party", "which heroes?", "The heroes' classes.", "fighter,cleric,ranger")
}

fn fog_setting() -> Setting {
    let fog = [("off", "Everybody sees everything."), ("on", "Each side sees what its own see.")];
    Setting::choice("fog", "with fog?", "Whether one sees only what one's own see.", choices(&fog))
}

fn placement_setting() -> Setting {
    let ways = [
        ("clustered", "In one group."),
        ("flanking", "In two groups at two corners."),
        ("spread", "On an ellipse around the middle."),
    ];
    Setting::choice("placement", "how do the foes stand?", "How the foes stand.", choices(&ways))
}

/// `difficulty=hard`, `party=fighter,rogue`, `dice=mir`, `fog=on`, `start=exploration`.
fn wish(setup: &mut Setup, key: &str, value: &str) -> Result<(), Rejection> {
    let bad = |allowed: &str| {
        let text = format!("{key}={value} is not understood; {key} is one of {allowed}");
        Err(Rejection::new(code::MALFORMED, text))
    };
    match (key, value) {
        ("difficulty", id) if DIFFICULTIES.contains(&id) => {
            setup.difficulty = Some(id.to_string());
            match &mut setup.source {
                SetupSource::Built(plan) => plan.difficulty = id.to_string(),
                SetupSource::Chapter(chapter) => chapter.difficulty = id.to_string(),
                SetupSource::State(_) | SetupSource::Scenario(_) => {}
            }
        }
        ("difficulty", _) => return bad("easy, normal, hard, deadly"),
        ("dice", "mir") => setup.algorithm = Some(Algorithm::Mir),
        ("dice", "turnstone") => setup.algorithm = Some(Algorithm::Turnstone),
        ("dice", _) => return bad("mir, turnstone"),
        ("start", "combat") => setup.in_combat = true,
        ("start", "exploration") => setup.in_combat = false,
        ("start", _) => return bad("combat, exploration"),
        ("party" | "fog" | "placement", _) => return plan_wish(setup, key, value),
        _ => {
            let known: Vec<String> = Skirmish::settings("dungeon").into_iter().map(|s| s.id).collect();
            return Err(unknown("option", key, &known));
        }
    }
    Ok(())
}

fn plan_wish(setup: &mut Setup, key: &str, value: &str) -> Result<(), Rejection> {
    let SetupSource::Built(plan) = &mut setup.source else {
        let text = format!("{key} is for built maps such as arena or dungeon; a scenario has its own");
        return Err(Rejection::new(code::MALFORMED, text));
    };
    match key {
        "party" => plan.party = value.split(',').map(|c| c.trim().to_string()).collect(),
        "fog" => {
            plan.fog = match value {
                "on" | "yes" | "true" => true,
                "off" | "no" | "false" => false,
                _ => return Err(Rejection::new(code::MALFORMED, "fog is one of on, off")),
            }
        }
        _ => {
            let read = serde_json::from_value(Value::String(value.to_string()));
            let text = "placement is one of clustered, flanking, spread";
            plan.placement = read.map_err(|_| Rejection::new(code::MALFORMED, text))?;
        }
    }
    Ok(())
}
