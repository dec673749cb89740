//! The spire at the table: set-ups, bots, scenes, benchmarks.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use turnstone::dice::Lots;
use turnstone::digest::Digest;
use turnstone::{Game, Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::seed::seed_as_written;
use turnstone_host::{Bench, Bot, ContentCheck, Hosted, Named, Numbering, Opening, Setting, Source, Topic};

use super::Setup;
use super::bots::{Heuristic, Onlooker, Random};
use super::climber::Climber;
use super::event::Ending;
use super::facts::bad_content;
use super::plan::MapChoice;
use super::rulebook::{DAILY, Rulebook};
use super::tower::End;
use super::{ascension, bench, scene, score, study};
use crate::action::Deed;
use crate::catalog::{Sources, maps};
use crate::event::Event;
use crate::game::{Ruleset, Spire};
use crate::question::Asked;
use crate::seeds::{CharacterNo, FightNo, Rules, Tables};
use crate::setup::{Fight, WISHES};
use crate::state::State;

fn read_game(ruleset: Ruleset, sources: &Sources, numbering: &Numbering) -> Result<Arc<Spire>, Rejection> {
    let game = Spire::numbered(ruleset, sources, numbering);
    Ok(Arc::new(game.map_err(|problems| bad_content(&problems))?))
}

/// The game with its own content and no other: read once, however many matches a server keeps.
pub(super) fn built_in(ruleset: Ruleset) -> Result<Arc<Spire>, Rejection> {
    type Kept = OnceLock<Result<Arc<Spire>, Rejection>>;
    static CLASSIC: Kept = OnceLock::new();
    static SEED: Kept = OnceLock::new();
    let kept = match ruleset {
        Ruleset::Classic => &CLASSIC,
        Ruleset::Seed => &SEED,
    };
    kept.get_or_init(|| read_game(ruleset, &Sources::builtin(ruleset.name()), &Numbering::new())).clone()
}

/// The game with content that overlays its own, and with its numbers as in a match file.
fn game_with(ruleset: Ruleset, over: &[Source], numbering: &Numbering) -> Result<Arc<Spire>, Rejection> {
    let sources = Sources::builtin(ruleset.name());
    let own = built_in(ruleset)?;
    let usual = own.numbering();
    // Where nothing else is said, what is added stands behind what is built in: a match that uses none of it can be
    // watched where it is not there.
    let numbering = if numbering.is_empty() { &usual } else { numbering };
    match over {
        [] if *numbering == usual => Ok(own),
        _ => read_game(ruleset, &sources.with_files(over), numbering),
    }
}

impl Spire {
    /// For every kind of thing that facts name by number, the names in the order of the numbers.
    fn numbering(&self) -> Numbering {
        fn ids<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
            names.map(str::to_owned).collect()
        }
        let (catalog, tables) = (&self.catalog, &self.rulebook.tables);
        let mut names = BTreeMap::from([
            ("card", ids(catalog.cards.iter().map(|it| it.id.as_str()))),
            ("power", ids(catalog.powers.iter().map(|it| it.id.as_str()))),
            ("relic", ids(catalog.relics.iter().map(|it| it.id.as_str()))),
            ("potion", ids(catalog.potions.iter().map(|it| it.id.as_str()))),
            ("orb", ids(catalog.orbs.iter().map(|it| it.id.as_str()))),
            ("stance", ids(catalog.stances.iter().map(|it| it.id.as_str()))),
            ("monster", ids(catalog.monsters.iter().map(|it| it.id.as_str()))),
            ("fight", ids(tables.fights.iter())),
            ("event", ids(tables.events.iter())),
            ("character", ids(tables.characters.iter())),
            ("neow", ids(tables.gifts.names.iter())),
            ("program", catalog.program_names.clone()),
        ])
        .into_iter()
        .map(|(kind, names)| (kind.to_owned(), names))
        .collect::<BTreeMap<_, _>>();
        // Moves are numbered for each monster.
        for monster in &catalog.monsters {
            let moves = ids(monster.moves.iter().map(|it| it.id.as_str()));
            names.insert(format!("move of {}", monster.id), moves);
        }
        names
    }
}

impl Hosted for Spire {
    const NAME: &'static str = "spire";
    const ABOUT: &'static str = "A deckbuilding climb: four characters, four acts, and a heart at the top.";
    // 6: an option is no chosen card, and a card that was drawn twice is one card to choose from.
    const RULES: u32 = 6;

    fn tell_seed(seed: u64) -> String {
        seed_as_written(seed)
    }

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Setup), Rejection> {
        let ruleset = match &opening.ruleset {
            None => Ruleset::Classic,
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|_| Rejection::new("UNKNOWN_RULESET", "the rulesets are classic and seed"))?,
        };
        let game = game_with(ruleset, &opening.content, &opening.numbering)?;
        let setup = read_setup(&game, opening)?;
        Ok((game, setup))
    }

    fn rulesets() -> Vec<Named> {
        vec![
            Named::new("classic", "The original's rules"),
            Named::new("seed", "The rules of the engine behind the recorded fights"),
        ]
    }

    fn setups() -> Vec<Named> {
        let Ok(game) = built_in(Ruleset::Classic) else { return Vec::new() };
        let tables = &game.rulebook.tables;
        let runs =
            tables.everybody.iter().map(|c| Named::new(tables.characters.name(*c), tables.of(*c).about()));
        let act = tables.act(1);
        let fights = act.weak.fights().take(2).chain(act.elites.fights().take(1));
        let fights = fights.chain(act.bosses.iter().copied()).map(|fight| tables.fights.name(fight));
        let fights =
            fights.map(|f| Named::new(format!("fight:{f}"), "a single fight; any encounter can be named"));
        // Names content: an example.
        let moment = Named::new(
            "situation:hand: strike_ironclad, bash; enemy: jaw_worm 40/44",
            "any moment of a fight, written out",
        );
        runs.chain(fights).chain([moment]).collect()
    }

    fn settings(setup: &str) -> Vec<Setting> {
        Self::settings_with(setup, &[])
    }

    fn settings_with(setup: &str, over: &[Source]) -> Vec<Setting> {
        // Content that is not sound adds nothing; whoever opens a match with it is told what is wrong.
        let game =
            game_with(Ruleset::Classic, over, &Numbering::new()).or_else(|_| built_in(Ruleset::Classic));
        let Ok(game) = game else { return Vec::new() };
        match setup.starts_with("fight:") || setup.starts_with("situation:") {
            true => fight_settings(&game.rulebook),
            false => run_settings(&game.rulebook, setup),
        }
    }

    /// The climb of a day: three rules and a character by its seed. A fight has its seed alone.
    fn daily(opening: &Opening) -> Vec<(String, String)> {
        let named = |wish: &str| opening.wishes.iter().any(|(name, _)| name == wish);
        let fights = |setup: &str| setup.contains([':', '{']);
        if opening.setup_text().is_some_and(fights)
            || ["combat", "monsters", "situation"].iter().any(|w| named(w))
        {
            return Vec::new();
        }
        let mut asked = Vec::new();
        if !named("modifiers") {
            asked.push(("modifiers".to_owned(), DAILY.to_owned()));
        }
        if opening.setup.is_none() && !named("character") {
            let game = game_with(Ruleset::Classic, &opening.content, &Numbering::new());
            let who = game.ok().and_then(|game| game.rulebook.climber_of_the_day(opening.seed));
            asked.extend(who.map(|who| ("character".to_owned(), who)));
        }
        asked
    }

    fn ruleset(&self) -> Value {
        serde_json::to_value(self.ruleset).unwrap_or_default()
    }

    fn content(&self) -> Digest {
        self.digest
    }

    fn seats(&self, state: &State) -> Vec<String> {
        vec![self.rulebook.tables.of(CharacterNo(state.run.character)).name.clone()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
        scene::scene(self, position, inputs)
    }

    fn bots() -> Vec<Named> {
        vec![
            Named::new("random", "Does anything that is allowed"),
            Named::new("heuristic", "Takes what is worth most by the numbers on the table"),
            Named::new(
                "greedy",
                "Tries every play: wins if it can, blocks what comes, else most for the energy",
            ),
            Named::new("climber", "Plans its turns and plays them on; tries cards and relics in fights"),
        ]
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(Random)),
            "greedy" => Some(Box::new(Onlooker::new(Heuristic::greedy()))),
            "heuristic" => Some(Box::new(Onlooker::new(Heuristic::default()))),
            _ => Some(Box::new(Climber::named(name)?)),
        }
    }

    fn levels() -> [&'static str; 5] {
        ["slips=60:heuristic", "slips=20:heuristic", "greedy", "heuristic", "climber:60"]
    }

    /// How far the run has come and how well the player is, and in a fight what is left of the enemies:
    /// a floor is worth what fifteen percent of health are.
    fn appraise(&self, state: &State, _seat: Seat) -> Option<i32> {
        let (run, bodies) = (&state.run, &state.combat.bodies);
        let share = |hp: i32, max: i32, whole: i32| hp.max(0) * whole / max.max(1);
        let hp = bodies.first().map_or(run.hp, |player| player.hp);
        let health = share(hp.into(), run.max_hp.into(), 100);
        let (left, whole) = bodies.iter().skip(1).fold((0, 0), |(left, whole), body| {
            (left + i32::from(body.hp.max(0)), whole + i32::from(body.max_hp.max(0)))
        });
        if state.is_single_fight() {
            return Some(300 + health * 5 - share(left, whole, 200));
        }
        Some((i32::from(run.floor) * 15 + health - share(left, whole, 14)).clamp(0, 990))
    }

    fn reflex(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _lots: &mut Lots) -> Option<usize> {
        Some(Heuristic::default().pick(self, position, inputs))
    }

    fn read_input(&self, _position: &Position<Self>, value: &Value) -> Result<InputOf<Self>, Rejection> {
        if let Ok(input) = serde_json::from_value(value.clone()) {
            return Ok(input);
        }
        if let Ok(action) = serde_json::from_value(value.clone()) {
            return Ok(Input::Act(Deed::Run(action)));
        }
        serde_json::from_value(value.clone())
            .map(|action| Input::Act(Deed::Fight(action)))
            .map_err(|error| Rejection::new(turnstone::code::MALFORMED, format!("not an input: {error}")))
    }

    fn benches() -> Vec<Bench> {
        let mut all = crate::bench::battles();
        all.extend(bench::benches());
        all
    }

    fn tally(&self, state: &State) -> Vec<(String, Value)> {
        let run = &state.run;
        if state.is_single_fight() {
            let won = state.ending() == Some(Ending::Won);
            return vec![("won".into(), won.into()), ("hp left".into(), run.hp.max(0).into())];
        }
        let mut lines: Vec<(String, Value)> = vec![
            ("floor".into(), run.floor.into()),
            ("act".into(), run.act.into()),
            ("score".into(), score::total(&self.rulebook, state).into()),
            ("won".into(), matches!(state.tower.end, Some(End::Won | End::Heart)).into()),
        ];
        if state.tower.end == Some(End::Died) {
            let killer = state.tower.killer.map(|fight| self.journey().fight_name(fight));
            lines.push(("killed by".into(), killer.unwrap_or_else(|| "an event".into()).into()));
        }
        lines
    }

    fn holdings(&self, state: &State, _seat: Seat) -> Vec<(&'static str, String)> {
        let (run, catalog) = (&state.run, &self.catalog);
        let cards = run.deck.iter().filter_map(|card| catalog.cards.get(usize::from(card.id)));
        let relics = run.relics.iter().filter_map(|relic| catalog.relics.get(usize::from(relic.id)));
        let potions = run.potions.iter().filter_map(|potion| catalog.potions.get(usize::from(*potion)));
        let cards = cards.map(|card| ("card", card.name.clone()));
        let relics = relics.map(|relic| ("relic", relic.name.clone()));
        cards.chain(relics).chain(potions.map(|potion| ("potion", potion.name.clone()))).collect()
    }

    /// A fight until it is decided, and the player's hit points.
    fn chapter(&self, state: &State) -> Option<(String, i64)> {
        if !state.is_fighting() || state.ending().is_some() {
            return None;
        }
        let hp = state.combat.bodies.first().map_or(state.run.hp, |player| player.hp);
        Some((self.journey().fight_name(FightNo(state.combat.encounter)), hp.into()))
    }

    fn topics(&self, position: &Position<Self>, inputs: &[InputOf<Self>]) -> Vec<(usize, Topic)> {
        study::topics(self, position, inputs)
    }

    fn names(&self, _state: &State) -> BTreeMap<String, Vec<String>> {
        self.numbering()
    }

    fn write_event(&self, _state: &State, event: &Event) -> Value {
        self.named_event(event)
    }

    fn write_question(&self, question: &Asked) -> Value {
        self.named_question(question)
    }

    fn check_content(over: &[Source]) -> Option<ContentCheck> {
        let mut check = ContentCheck::default();
        let sources = Sources::builtin("classic").with_files(over);
        match Spire::new(Ruleset::Classic, &sources) {
            Err(problems) => check.problems.extend(problems.iter().map(ToString::to_string)),
            Ok(game) => check.entries = entries(&game),
        }
        Some(check)
    }

    fn schemas() -> Vec<(String, Value)> {
        vec![("content".into(), crate::catalog::schema::content_schema()), ("map".into(), maps::schema())]
    }
}

/// What can be said about a run.
fn run_settings(rules: &Rulebook, setup: &str) -> Vec<Setting> {
    let words = |id: &str, question: &str, about: &str| Setting::words(id, question, about, "");
    let mut all = vec![
        ascension::setting(&rules.tables),
        map_setting(rules),
        character_setting(&rules.tables, Some(setup)),
        modifiers_setting(&rules.tables),
        rules_setting(),
    ];
    all.extend(equipment());
    all.push(words("keys", "which keys?", "A run begins with these keys: ruby, emerald, sapphire."));
    all.push(words("room", "before which room?", "A run begins before the first room of this kind."));
    all
}

/// The question for the map: the seed's own, or one that is made by hand.
fn map_setting(rules: &Rulebook) -> Setting {
    let seeded = Named::new("spire", "The whole spire, as the seed makes it.");
    let made = rules.plans.iter().map(|map| Named::new(&map.id, &map.about));
    let choices = std::iter::once(seeded).chain(made).collect();
    Setting::choice("map", "which map?", "Which map to climb; a file of one's own does too.", choices)
}

/// The question for the character; the usual one comes first.
fn character_setting(tables: &Tables, usual: Option<&str>) -> Setting {
    let named = |c: &CharacterNo| Named::new(tables.characters.name(*c), &tables.of(*c).name);
    let mut choices: Vec<Named> = tables.everybody.iter().map(named).collect();
    choices.sort_by_key(|choice| usual != Some(choice.id.as_str()));
    Setting::choice("character", "who climbs?", "Who climbs.", choices)
}

/// The question for the rules of a run of one's own.
fn modifiers_setting(tables: &Tables) -> Setting {
    let names: Vec<&str> = tables.modifiers.iter().map(|relic| tables.relics.name(*relic)).collect();
    let about = format!(
        "Rules of a run of one's own: daily for three of the seed's, or any of {}.",
        names.join(", ")
    );
    Setting::words("modifiers", "which rules of your own?", &about, "")
}

fn rules_setting() -> Setting {
    let choices = vec![
        Named::new("original", "Seeds unroll as in the original."),
        Named::new("simulator", "Seeds unroll as in the simulator behind the recorded runs."),
    ];
    Setting::choice("rules", "whose rules for seeds?", "How a seed unrolls.", choices)
}

/// What can be said about a single fight.
fn fight_settings(rules: &Rulebook) -> Vec<Setting> {
    let words = |id: &str, question: &str, about: &str| Setting::words(id, question, about, "");
    let situation = "Any moment of a fight, written out, such as `hand: bash; enemy: cultist 40/50`; \
                     content/README.md of spire says how.";
    let mut all = vec![
        character_setting(&rules.tables, None),
        ascension::setting(&rules.tables),
        words("combat", "against whom?", "Which encounter, by name."),
        words("monsters", "which monsters?", "Monsters by name, instead of an encounter."),
        words("situation", "which situation?", situation),
    ];
    all.extend(equipment());
    all
}

/// What one has and where one is, in a fight or at the beginning of a run.
fn equipment() -> Vec<Setting> {
    let words = |id: &str, question: &str, about: &str| Setting::words(id, question, about, "");
    let number = |id: &str, question: &str, about: &str, max: i64, usual: i64| {
        Setting::number(id, question, about, 1..=max, usual)
    };
    vec![
        // Names content: an example.
        words("deck", "which deck?", "The deck: strike_ironclad*5, bash+."),
        words("relics", "which relics?", "Relics by name."),
        words("potions", "which potions?", "Potions by name."),
        words("hp", "how much HP?", "HP at the start, at most max_hp."),
        words("max_hp", "how much HP at most?", "HP at most, at least hp."),
        number("gold", "how much gold?", "Gold at the start.", 32_767, 99),
        number(
            "act",
            "in which act?",
            "The act the fight is in, or the run begins in; else that of the floor.",
            4,
            1,
        ),
        words("floor", "on which floor?", "The floor of the fight, or where the run begins."),
    ]
}

fn entries(game: &Spire) -> Vec<(String, usize)> {
    let catalog = &game.catalog;
    vec![
        ("cards".into(), catalog.cards.len()),
        ("powers".into(), catalog.powers.len()),
        ("relics".into(), catalog.relics.len()),
        ("potions".into(), catalog.potions.len()),
        ("orbs".into(), catalog.orbs.len()),
        ("stances".into(), catalog.stances.len()),
        ("monsters".into(), catalog.monsters.len()),
        ("encounters".into(), catalog.encounters.len()),
        ("characters".into(), catalog.characters.len()),
        ("events".into(), catalog.events.len()),
        ("maps".into(), game.rulebook.plans.len()),
    ]
}

/// A set-up: a character, `fight:ENCOUNTER`, or JSON as a match file's header has it.
fn read_setup(game: &Spire, opening: &Opening) -> Result<Setup, Rejection> {
    let tables = &game.rulebook.tables;
    let first = tables.everybody.first().copied().unwrap_or_default();
    let first = tables.characters.name(first);
    let text = opening.setup_text().unwrap_or(first).trim();
    let bad = |e: serde_json::Error| Rejection::new("BAD_SETUP", format!("not a set-up: {e}"));
    let mut setup = match text.strip_prefix("fight:") {
        _ if text.starts_with('{') => serde_json::from_str(text).map_err(bad)?,
        Some(encounter) => {
            let fight = Fight { encounter: Some(encounter.to_owned()), ..Fight::default() };
            Setup { fight: Some(fight), ..Setup::run(first, 0) }
        }
        None => match text.strip_prefix("situation:") {
            Some(situation) => {
                let fight = Fight { situation: Some(situation.to_owned()), ..Fight::default() };
                Setup { fight: Some(fight), ..Setup::run(first, 0) }
            }
            None => Setup::run(read_character(tables, text)?, 0),
        },
    };
    let wished = opening.wishes.iter().map(|(name, _)| match name.as_str() {
        "fight" => "combat",
        name => name,
    });
    crate::setup::agree(wished)?;
    for (name, value) in &opening.wishes {
        wish(tables, &mut setup, &name.replace('-', "_"), value, opening)?;
    }
    game.rulebook.modifiers(&setup.modifiers, 0)?;
    begin_anywhere(game, &mut setup)?;
    if let Some(map) = &setup.map {
        game.rulebook.plan(map).map_err(|refusal| in_file(refusal, opening))?;
    }
    if let Some(fight) = &mut setup.fight {
        fight.situated_alone()?;
        if let Some(text) = &mut fight.situation {
            match crate::situation::who(text) {
                Some(who) => setup.character = read_character(tables, who)?,
                None => *text = format!("as: {}; {text}", setup.character),
            }
        }
        if let (None, Some(floor)) = (fight.act, fight.floor) {
            fight.act = Some(tables.act_of(floor, setup.ascension));
        }
        fight.character = setup.character.clone();
        fight.ascension = setup.ascension;
        // Set up once for the names: what is misspelt is told before anything is opened.
        game.set_up(fight, 1)?;
    }
    Ok(setup)
}

/// What was wished for without a fight is what a run begins with.
fn begin_anywhere(game: &Spire, setup: &mut Setup) -> Result<(), Rejection> {
    let fights =
        |fight: &Fight| fight.encounter.is_some() || !fight.monsters.is_empty() || fight.situation.is_some();
    if let Some(fight) = setup.fight.take_if(|fight| !fights(fight)) {
        setup.begin.get_or_insert_default().with = fight;
    }
    if let Some(begin) = &setup.begin {
        // Set up once for the names: what is misspelt is told before anything is opened.
        game.start(&Setup { begin: Some(begin.clone()), ..setup.clone() }, 1)?;
    }
    Ok(())
}

/// A word of a closed list as match files have it, or the words there are.
fn word<T: serde::de::DeserializeOwned>(text: &str, known: &str) -> Result<T, Rejection> {
    let refusal = |_| Rejection::new("UNKNOWN_WISH", format!("`{text}` is none of {known}"));
    serde_json::from_value(Value::String(text.trim().to_lowercase())).map_err(refusal)
}

const KEYS: &str = "ruby, emerald, sapphire";
const ROOMS: &str = "monster, elite, rest, shop, event, treasure, boss";

fn wish(
    tables: &Tables,
    setup: &mut Setup,
    name: &str,
    value: &str,
    opening: &Opening,
) -> Result<(), Rejection> {
    match name {
        "keys" => {
            let keys =
                value.split([',', ' ']).filter(|key| !key.trim().is_empty()).map(|key| word(key, KEYS));
            setup.begin.get_or_insert_default().keys = keys.collect::<Result<_, _>>()?;
        }
        "room" => setup.begin.get_or_insert_default().room = Some(word(value, ROOMS)?),
        "character" => setup.character = read_character(tables, value)?,
        "ascension" => {
            let level = value.parse::<u8>().unwrap_or(u8::MAX);
            tables.check_ascension(level)?;
            setup.ascension = level;
        }
        "map" => setup.map = (value != "spire").then(|| read_map(value, opening)),
        "modifiers" => {
            let names = value.split(',').map(|name| name.trim().to_lowercase().replace([' ', '-'], "_"));
            setup.modifiers = names.filter(|name| !name.is_empty()).collect();
        }
        "rules" => {
            setup.rules = match value {
                "original" => Rules::Original,
                "simulator" => Rules::Simulator,
                _ => return Err(Rejection::new("UNKNOWN_RULES", "rules are original or simulator")),
            }
        }
        "fight" => setup.fight.get_or_insert_default().wish("combat", value)?,
        fight if WISHES.contains(&fight) => setup.fight.get_or_insert_default().wish(fight, value)?,
        _ => {
            let known = ["character", "ascension", "map", "modifiers", "rules", "keys", "room"]
                .into_iter()
                .chain(WISHES.iter().copied());
            let near = turnstone_content::hint(name, known);
            return Err(Rejection::new("UNKNOWN_WISH", format!("`{name}` is unknown{near}")));
        }
    }
    Ok(())
}

/// What is wrong with a map of one's own is told with the name of its file.
fn in_file(refusal: Rejection, opening: &Opening) -> Rejection {
    let named = |(name, value): &&(String, String)| name == "map" && opening.file(value).is_some();
    let file = opening.wishes.iter().rev().find(named);
    let Some((_, file)) = file else { return refusal };
    let line = |line: &str| match line.strip_prefix("map:") {
        Some(rest) => format!("{file}:{rest}"),
        None => line.to_owned(),
    };
    let told = refusal.reasons.iter().flat_map(|reason| reason.text.lines()).map(line);
    Rejection::new(refusal.code().to_owned(), told.collect::<Vec<_>>().join("\n"))
}

/// A map of the content by its name, or the text of a file that was handed over with the opening.
fn read_map(value: &str, opening: &Opening) -> MapChoice {
    match opening.file(value) {
        Some(text) => MapChoice::Text(text.to_owned()),
        None => MapChoice::Name(value.to_owned()),
    }
}

fn read_character(tables: &Tables, word: &str) -> Result<String, Rejection> {
    let word = word.to_lowercase();
    if tables.characters.find::<CharacterNo>(&word).is_some() {
        return Ok(word);
    }
    let names: Vec<&str> = tables.everybody.iter().map(|c| tables.characters.name(*c)).collect();
    Err(Rejection::new("UNKNOWN_SETUP", format!("`{word}` is unknown; try {}", names.join(", "))))
}
