//! The JSON Schema of content files, made from the same lists of verbs, values and words as the manual.
//!
//! An editor that knows it completes keys and words and shows their sentences; what a schema cannot say (that a
//! name exists, that an expression parses) is left to `content check`.

use super::events::DRAWS;
use super::expr::Read;
use super::gifts::GIFT_DRAWS;
use super::verb::{VerbSpec, verbs};
use super::words::{
    Aim, CardType, Counted, Drawn, EventPool, Flag, GiftRow, Intent, Moment, Pool, Prevent, Queue, Rank,
    Rarity, Spot, Stack, Stage, StandIn, Throw, Until, Who, Zone,
};
use serde_json::{Map, Value, json};

/// A key of an entry: its name, the name of its definition, its sentence.
type Key = (&'static str, &'static str, &'static str);

const COMMON: &[Key] = &[
    ("name", "text", "shown instead of the name made from the id"),
    ("text", "text", "the face, where the generated one would be poor; `{2|3}` is base and upgraded"),
    ("alias", "texts", "other names, such as those of recorded traces"),
    ("note", "text", "for authors, ignored"),
    ("replace", "truth", "overlays: start the entry anew"),
    ("delete", "truth", "overlays: remove the entry"),
];

const RULES: &[Key] = &[
    ("on", "on", "what happens at a moment"),
    ("alter", "alter", "numbers of the rules it changes"),
    ("prevent", "prevent", "what it stops"),
    ("flags", "flags", "rules it switches on"),
];

/// The kinds of entries: name, sentence, whether it has rules, its keys. No key must be there: an overlay names
/// only what it changes.
const KINDS: &[(&str, &str, bool, &[Key])] = &[
    (
        "card",
        "a card",
        true,
        &[
            ("color", "color", "whose card it is"),
            ("type", "card_type", "its type"),
            ("rarity", "rarity", "how often it is offered"),
            ("cost", "costs", "energy: a number, `[base, upgraded]`, \"x\" or \"none\""),
            ("target", "aims", "what one aims at; found from the steps unless given"),
            ("exhaust", "truths", "exhausts when played"),
            ("ethereal", "truths", "exhausts at the end of the turn"),
            ("innate", "truths", "starts in the hand"),
            ("retain", "truths", "stays in the hand"),
            ("tags", "texts", "strike, healing, shiv, eternal"),
            ("do", "steps", "what playing it does"),
            ("cost_change", "number", "added to the cost"),
            ("playable", "number", "condition for playing it"),
            ("unpaid", "number", "condition: nothing is paid"),
            ("after_play", "spot", "where it goes instead of the discard pile"),
            ("many_upgrades", "truth", "any number of upgrades"),
            ("upgradable", "truth", "curses and statuses only if said"),
            ("loose_target", "truth", "a copy runs even if its target is gone"),
        ],
    ),
    (
        "power",
        "a power of somebody, good or bad",
        true,
        &[
            ("debuff", "debuff", "whether it is bad: true, or \"negative\" for negative amounts"),
            ("stack", "stack", "how amounts add up"),
            ("priority", "integer", "order among the powers of one owner, lower first; 5 unless said"),
            ("min", "integer", "least amount"),
            ("max", "integer", "greatest amount"),
            ("decay", "when", "falls by 1 then"),
            ("removed", "when", "goes altogether then"),
            ("fresh", "truth", "given by a monster on its turn it skips its first decay"),
            ("keep_zero", "truth", "stays at 0"),
            ("hidden", "truth", "not shown"),
            ("strength", "truth", "attacks count it several times that say so (`strength = 3`)"),
            ("counted", "truth", "what the player gains of it is counted for the fight (`mantra_gained`)"),
        ],
    ),
    (
        "relic",
        "a relic",
        true,
        &[
            ("tier", "rarity", "where it is found"),
            ("color", "color", "whose relic it is"),
            ("counter", "counter", "a number it keeps"),
            ("max_floor", "integer", "not offered above this floor"),
            ("not_in_shop", "truth", "never sold"),
            ("unobtainable", "truth", "in no pool"),
            ("simulator_sells", "truth", "not sold by the original, but by the simulator"),
            ("last_act", "integer", "not offered above this act; the simulator does not know"),
            ("deck_holds", "card_type", "offered only to a deck with such a card, basic ones apart"),
            ("campfire", "truth", "adds an option at campfires; who has two of these finds no third"),
            ("own_screen", "truth", "opens a screen of its own: no event gives it at random"),
            ("stands_in", "stand_in", "given when a pool has nothing left"),
            ("replaces", "text", "the relic it takes the place of"),
            ("rest_option", "added_option", "one more thing to do at a campfire"),
            ("reward_option", "added_option", "one more thing to take instead of a card"),
        ],
    ),
    (
        "potion",
        "a potion",
        true,
        &[
            ("rarity", "rarity", "how often it is found"),
            ("color", "color", "whose potion it is"),
            ("target", "aim", "what one aims at"),
            ("potency", "integer", "its number, `potency` in the steps"),
            ("do", "steps", "what it does"),
            ("anywhere", "truth", "also outside of combat"),
            ("usable", "number", "condition for using it; \"0\" for one that acts by itself"),
            ("unbrewed", "truth", "never made by chance in a fight"),
        ],
    ),
    (
        "orb",
        "an orb",
        false,
        &[
            ("passive", "number", "number of its passive"),
            ("on_passive", "steps", "what the passive does; `n` is the number"),
            ("evoke", "number", "number of its evoking"),
            ("on_evoke", "steps", "what evoking does; `n` is the number"),
            ("at_turn_start", "truth", "the passive acts at the start of the turn"),
            ("focus", "truths", "whether Focus counts, for passive and evoking"),
            ("stored", "integer", "what a new one holds"),
        ],
    ),
    (
        "stance",
        "a stance",
        true,
        &[
            ("on_enter", "steps", "what entering it does"),
            ("on_exit", "steps", "what leaving it does"),
            ("one_turn", "truth", "left at the start of the next turn"),
            ("neutral", "truth", "the one that a fight begins in, and that is gone back to"),
        ],
    ),
    (
        "monster",
        "a monster",
        true,
        &[
            ("hp", "hp", "HP: a number, `[least, most]`, or by ascension"),
            ("rank", "rank", "what kind of fight it makes"),
            ("start", "steps", "what it does when it appears"),
            ("hp_rolls", "integer", "how many draws its HP take, 1 unless said; the last one counts"),
            ("vars", "vars", "up to four variables"),
            ("late", "texts", "variables that are rolled when everybody stands there"),
            ("unrolled", "number", "condition: it chooses without a roll"),
            ("move", "moves", "its moves by name"),
            ("opening", "texts", "its first moves"),
            ("cycle", "texts", "its moves after that, for ever"),
            ("ai", "ai", "rules of choosing a move; the first that fits counts"),
        ],
    ),
    (
        "encounter",
        "who is met together",
        false,
        &[
            ("act", "integer", "in which act"),
            ("rank", "ranks", "what kind of fight it is; a list for one of several kinds"),
            ("weight", "real", "how often it is met"),
            ("monsters", "places", "who is there"),
            ("groups", "groups", "several line-ups, one is rolled"),
            ("shuffle", "truth", "in any order"),
            ("not_after", "texts", "never right after these"),
            ("start", "steps", "what each monster does at the start"),
        ],
    ),
    (
        "character",
        "somebody to play",
        false,
        &[
            ("color", "color", "the color of the cards"),
            ("hp", "levels", "max HP, one number or by ascension"),
            ("gold", "integer", "gold at the start"),
            ("energy", "integer", "energy per turn"),
            ("draw", "integer", "cards drawn per turn"),
            ("orb_slots", "integer", "orb slots"),
            ("relics", "texts", "relics at the start"),
            ("deck", "amounts", "cards at the start, and how many of each"),
            (
                "memory_card",
                "text",
                "the card that lies in the game of pairs; the last of the deck unless said",
            ),
        ],
    ),
    (
        "act",
        "an act: 1 to 3, which have maps, and 4, which has a way",
        false,
        &[
            ("weak_fights", "integer", "with how many weak fights it begins"),
            ("rooms", "amounts", "percent of its rooms that are shop, rest, elite, event"),
            ("paths", "integer", "how many paths its map is drawn of, 1 to 8"),
            ("map_seed", "integer", "what is added to a run's seed for its map"),
            ("fixed", "fixed_floors", "floors on which all rooms are of one kind"),
            ("first_floor", "amounts", "the first floor for each kind of room"),
            ("last_floor", "amounts", "the last floor for each kind of room, those that are `fixed` aside"),
            ("apart", "texts", "kinds of rooms of which no two follow each other"),
            ("uncounted", "floor_or_none", "a floor that does not count in shares of all rooms; or false"),
            ("way", "texts", "act 4: its rooms, from the first to the one before the boss"),
        ],
    ),
    (
        "burning",
        "what a burning elite may gain",
        false,
        &[
            ("power", "text", "a power for each of the enemies"),
            ("amount", "number", "how much of it; 1 unless said"),
            ("max_hp", "integer", "percent of max HP that each has besides"),
        ],
    ),
    (
        "ascension",
        "a level of ascension, from 1 on; it keeps what those below it say",
        false,
        &[
            ("deck", "amounts", "cards that one begins with besides"),
            ("potion_slots", "integer", "more potion slots, or fewer"),
            ("start_hp", "integer", "percent of the HP that one begins with"),
            ("act_heal", "integer", "percent of the missing HP that a new act heals"),
            ("bosses", "integer", "bosses at the end of the third act, 1 or 2"),
            ("elites", "integer", "percent of the elites that a map has otherwise"),
            ("upgrade_chance", "integer", "percent of the chance that a card on offer is upgraded"),
            ("boss_gold", "integer", "percent of a boss's gold"),
            ("prices", "integer", "percent of a merchant's prices"),
            ("harsh_events", "truth", "what events draw on entry is worse"),
        ],
    ),
    (
        "order",
        "the order of a list of the original: a hint, what is not named comes behind by its id",
        false,
        &[("list", "texts", "ids in order")],
    ),
    (
        "event",
        "an event of the way",
        false,
        &[
            ("pool", "event_pool", "where it may be met"),
            ("allowed", "allowed", "when it may be met there"),
            ("draws", "draws", "what is drawn the moment it is entered"),
            ("vars", "text_or_texts", "its variables, three at most; they begin at 0"),
            ("node", "nodes", "its nodes; the first is `start`"),
        ],
    ),
    (
        "neow",
        "a gift of Neow's, or what it costs",
        false,
        &[
            ("row", "gift_row", "where it is offered, or that it is a drawback"),
            ("draws", "gift_draws", "what the seed decides of it"),
            ("do", "steps", "what happens"),
            ("cost", "text", "the drawback that it always comes with"),
            ("spoils", "text_or_texts", "of a drawback: gifts that it never comes with"),
        ],
    ),
    (
        "score",
        "a line of the score; one of `each`, `rising`, `steps` and `percent` says what it is worth",
        false,
        &[
            ("of", "counted", "what is counted"),
            ("relic", "text", "the relic that is counted"),
            ("each", "integer", "points for each"),
            ("rising", "integer", "the n-th counts n times this"),
            ("steps", "pairs", "from so many on, so many points; the highest reached counts"),
            ("percent", "integer", "percent of all other lines for each"),
            ("won", "truth", "only in a run that was won"),
        ],
    ),
];

/// The schema of one file: any entries of any kinds.
pub fn content_schema() -> Value {
    let kinds = KINDS.iter().map(|(name, about, ..)| {
        let entries = json!({
            "description": format!("{about}, by its id"),
            "type": "object",
            "propertyNames": { "pattern": "^[a-z0-9_]+$" },
            "additionalProperties": reference(name),
        });
        ((*name).to_owned(), entries)
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Content of the spire",
        "type": "object",
        "properties": kinds.collect::<Map<String, Value>>(),
        "additionalProperties": false,
        "$defs": definitions(),
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn definitions() -> Map<String, Value> {
    let mut all = Map::new();
    for (name, about, rules, keys) in KINDS {
        all.insert((*name).to_owned(), entry(about, *rules, keys));
    }
    for spec in verbs() {
        all.insert(format!("step_{}", spec.name), step(spec));
    }
    let steps = verbs().map(|spec| reference(&format!("step_{}", spec.name)));
    all.insert("step".to_owned(), json!({ "anyOf": steps.collect::<Vec<_>>() }));
    all.extend(word_lists());
    all.extend(shapes());
    all.extend(rules());
    all.extend(monsters());
    all.extend(events());
    all
}

fn table(about: &str, required: &[&str], properties: Map<String, Value>) -> Value {
    json!({
        "description": about,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Keys with their sentences; a description beside a reference is allowed.
fn properties<'a>(keys: impl IntoIterator<Item = &'a Key>) -> Map<String, Value> {
    let described = |(name, shape, about): &Key| {
        let mut value = reference(shape);
        value["description"] = json!(about);
        ((*name).to_owned(), value)
    };
    keys.into_iter().map(described).collect()
}

fn entry(about: &str, rules: bool, keys: &[Key]) -> Value {
    let rules = if rules { RULES } else { &[] };
    table(about, &[], properties(COMMON.iter().chain(rules).chain(keys)))
}

/// One step: its verb, what the verb's value is, its modifiers.
fn step(spec: &VerbSpec) -> Value {
    let described = |shape: &str, about: &str| {
        let mut value = reference(shape);
        if !about.is_empty() {
            value["description"] = json!(about);
        }
        value
    };
    let mut keys = Map::new();
    keys.insert(spec.name.to_owned(), described(spec.shape(), spec.about));
    for (name, shape, about) in spec.keys() {
        keys.insert(name.to_owned(), described(shape, about));
    }
    let mut schema = table(spec.about, &[spec.name], keys);
    schema["examples"] = json!([spec.example]);
    schema
}

/// A choice of words, each with its sentence.
fn words<'a>(list: impl Iterator<Item = (&'a str, &'a str)>) -> Value {
    let each = list.map(|(name, about)| json!({ "const": name, "description": about }));
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

fn word_lists() -> Vec<(String, Value)> {
    macro_rules! lists {
        ($($name:literal $list:ident)*) => {
            vec![$(($name.to_owned(), words($list::ALL.iter().map(|(_, name, about)| (*name, *about)))),)*]
        };
    }
    lists! {
        "who" Who "zone" Zone "spot" Spot "pool" Pool "until" Until "queue" Queue "intent" Intent
        "throw" Throw "card_type" CardType "rarity" Rarity "stand_in" StandIn "aim" Aim "rank" Rank "stack" Stack
        "flag" Flag "drawn" Drawn "event_pool" EventPool "gift_row" GiftRow "counted" Counted
    }
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": reference(name) })
}

/// Either of several shapes.
fn either(shapes: Vec<Value>) -> Value {
    json!({ "anyOf": shapes })
}

/// A table whose keys are ascension levels.
fn by_level(item: &str) -> Value {
    json!({ "type": "object", "patternProperties": { "^[0-9]+$": reference(item) }, "additionalProperties": false })
}

fn shapes() -> Vec<(String, Value)> {
    let pair =
        |item: &str| json!({ "type": "array", "items": reference(item), "minItems": 2, "maxItems": 2 });
    let both = |item: &str| either(vec![reference(item), pair(item)]);
    let (integer, truth, text) =
        (json!({ "type": "integer" }), json!({ "type": "boolean" }), json!({ "type": "string" }));
    let one_of = |words: &[&str]| json!({ "enum": words });
    let cost = either(vec![integer.clone(), one_of(&["x", "none"])]);
    let number = either(vec![integer.clone(), reference("expression"), pair("number"), by_level("number")]);
    let named = |about: &str| json!({ "description": about, "type": "string" });
    let shapes = vec![
        ("integer", integer),
        ("real", json!({ "type": "number" })),
        ("truth", truth.clone()),
        ("text", text.clone()),
        ("color", text),
        ("texts", list_of("text")),
        ("text_or_texts", either(vec![reference("text"), reference("texts")])),
        ("power_id", named("the id of a power")),
        ("power_id_or_self", named("the id of a power, or `self` for the running one")),
        ("card_id", named("the id of a card")),
        ("stance_id", named("the id of a stance")),
        ("relic_id", named("the id of a relic")),
        ("relic_id_or_starter", named("the id of a relic, or `starter` for the one that one began with")),
        ("monster_ids", either(vec![named("the id of a monster"), reference("texts")])),
        ("relic_ids", either(vec![reference("relic_id"), list_of("relic_id")])),
        ("creation", named("the id of a card, a pool, or `copy:` and a zone")),
        ("orb_kind", named("the id of an orb, `random` or `last_evoked`")),
        ("orb_kinds", named("the id of an orb, `next` or `all`")),
        ("move_name", named("a move of this monster")),
        ("variable_name", named("a variable of this monster or event")),
        ("node_name", named("a node of this event, or its `end`")),
        ("prize", named("what is offered: `relic`, `relic:rare`, `cards` and the like")),
        ("tiers", list_of("rarity")),
        ("foe", named("the id of an encounter, or `boss`")),
        ("fixed_floors", json!({ "type": "object", "patternProperties": { "^[0-9]+$": reference("text") } })),
        ("floor_or_none", either(vec![reference("integer"), json!({ "const": false })])),
        ("truths", both("truth")),
        ("cost", cost),
        ("costs", both("cost")),
        ("aims", both("aim")),
        ("ranks", either(vec![reference("rank"), list_of("rank")])),
        ("debuff", either(vec![truth, one_of(&["negative"])])),
        ("when", one_of(&["round_end", "turn_start", "turn_end"])),
        ("mark", json!({ "const": true })),
        ("steps", either(vec![reference("step"), list_of("step")])),
        ("lists", json!({ "type": "array", "items": reference("steps"), "minItems": 1 })),
        ("expression", expression()),
        ("number", number),
        ("levels", either(vec![reference("integer"), by_level("integer")])),
        ("amounts", json!({ "type": "object", "additionalProperties": reference("integer") })),
    ];
    shapes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A value in quotes, with all it may read.
fn expression() -> Value {
    let reads: Vec<String> = Read::ALL.iter().map(|(_, name, _, about)| format!("{name}: {about}")).collect();
    json!({
        "description": format!("a value or condition: + - * / == != < <= > >= and or not, and {}", reads.join("; ")),
        "type": "string",
        "pattern": "^[a-z0-9_+*/()<>=!, -]+$",
    })
}

fn rules() -> Vec<(String, Value)> {
    let hook: &[Key] = &[
        ("when", "number", "condition, read when the moment comes"),
        ("queue", "queue", "where its steps go"),
        ("every", "number", "acts at every so many such moments"),
        ("once", "once", "acts once"),
        ("at", "integer", "order among the hooks of the moment"),
        ("do", "steps", "what happens"),
    ];
    let alteration: &[Key] = &[
        ("add", "number", "added"),
        ("mul", "factor", "multiplied: a number, or `[3, 2]` for one and a half"),
        ("set", "number", "set"),
        ("at_most", "number", "not more than this"),
        ("at_least", "number", "not less than this"),
        ("when", "number", "condition"),
        ("at", "integer", "order among the changes"),
        ("spend", "number", "stacks that go when it acted"),
        ("nearest", "truth", "rounded to the nearest"),
    ];
    let prevention: &[Key] = &[
        ("when", "number", "condition"),
        ("spend", "number", "stacks or counts that go"),
        ("chance", "integer", "in percent"),
        ("do", "steps", "what happens instead"),
    ];
    let keyed = |list: Vec<(&str, &str)>, shape: Value| -> Value {
        let entry = |(name, about): (&str, &str)| {
            let mut value = shape.clone();
            value["description"] = json!(about);
            (name.to_owned(), value)
        };
        let keys: Map<String, Value> = list.into_iter().map(entry).collect();
        json!({ "type": "object", "properties": keys, "additionalProperties": false })
    };
    macro_rules! list {
        ($words:ident) => {
            $words::ALL.iter().map(|(_, name, about)| (*name, *about)).collect::<Vec<_>>()
        };
    }
    let hooks = either(vec![reference("steps"), reference("hook"), list_of("hook")]);
    let changes = either(vec![reference("alteration"), list_of("alteration")]);
    let stops = either(vec![json!({ "const": true }), reference("prevention")]);
    vec![
        ("hook".into(), table("a hook", &["do"], properties(hook))),
        ("alteration".into(), table("a change of a number", &[], properties(alteration))),
        ("prevention".into(), table("stops something", &[], properties(prevention))),
        ("once".into(), json!({ "enum": ["turn", "combat"] })),
        ("factor".into(), either(vec![reference("number"), list_of("number")])),
        ("on".into(), keyed(list!(Moment), hooks)),
        ("alter".into(), keyed(list!(Stage), changes)),
        ("prevent".into(), keyed(list!(Prevent), stops)),
        ("flags".into(), list_of("flag")),
    ]
}

fn monsters() -> Vec<(String, Value)> {
    let counter: &[Key] = &[
        ("start", "integer", "its first number"),
        ("reset", "reset", "when it starts anew"),
        ("shown", "truth", "whether players see it"),
    ];
    let option: &[Key] = &[
        ("name", "text", "what is shown"),
        ("when", "number", "condition"),
        ("do", "steps", "what happens"),
    ];
    let made: &[Key] = &[
        ("name", "text", "shown instead of the name made from the id"),
        ("intent", "intent", "what the player sees of it"),
        ("do", "steps", "what it does"),
    ];
    let choice: &[Key] = &[
        ("below", "number", "the roll of 0 to 99 is smaller than this"),
        ("when", "number", "condition"),
        ("move", "text", "this move"),
        ("pick", "weights", "one of these by weight"),
        ("coin", "sides", "a coin decides: a move, or rules, for each side"),
        ("chance", "real", "with `of`: the chance of the first side, 0 to 1"),
        ("of", "sides", "the two sides of a `chance`"),
        ("spend", "integer", "so many draws before that mean nothing"),
        ("reroll", "range", "roll again between these"),
    ];
    let place: &[Key] = &[
        ("any", "place_any", "one of these, evenly or by weight"),
        ("count", "integer", "so many"),
        ("distinct", "truth", "all different"),
    ];
    let made_place: &[Key] =
        &[("one_of", "made_places", "all of these are made, one of them comes; of a pair a coin takes one")];
    let object = |item: Value| json!({ "type": "object", "additionalProperties": item });
    let range = json!({ "type": "array", "items": reference("integer"), "minItems": 2, "maxItems": 2 });
    let roll = either(vec![reference("range"), by_level("range")]);
    let rolled = json!({
        "type": "object", "properties": { "roll": roll }, "required": ["roll"], "additionalProperties": false,
    });
    vec![
        ("counter".into(), table("a number a relic keeps", &[], properties(counter))),
        ("reset".into(), json!({ "enum": ["never", "combat", "turn"] })),
        ("added_option".into(), table("a further option", &["name", "do"], properties(option))),
        ("integers".into(), list_of("integer")),
        ("pairs".into(), list_of("range")),
        ("range".into(), range),
        ("level_hp".into(), either(vec![reference("integer"), reference("range")])),
        ("hp".into(), either(vec![reference("level_hp"), by_level("level_hp")])),
        ("vars".into(), object(either(vec![rolled, reference("number")]))),
        ("move".into(), table("a move", &["intent"], properties(made))),
        ("moves".into(), object(reference("move"))),
        ("weights".into(), object(reference("real"))),
        ("choice".into(), table("a rule of choosing a move", &[], properties(choice))),
        ("side".into(), either(vec![reference("text"), reference("ai")])),
        ("sides".into(), list_of("side")),
        ("made_place".into(), either(vec![reference("text"), reference("texts")])),
        ("made_places".into(), list_of("made_place")),
        ("ai".into(), list_of("choice")),
        ("place_any".into(), either(vec![reference("texts"), reference("amounts")])),
        (
            "place".into(),
            either(vec![
                reference("text"),
                table("some of these", &["any"], properties(place)),
                table("one of these", &["one_of"], properties(made_place)),
            ]),
        ),
        ("places".into(), list_of("place")),
        ("groups".into(), list_of("places")),
    ]
}

fn events() -> Vec<(String, Value)> {
    let allowed: &[Key] = &[
        ("first_floor", "integer", "not below this floor"),
        ("first_row", "integer", "not below this row of the map"),
        ("gold", "integer", "gold at hand"),
        ("hp", "integer", "HP"),
        ("relics", "integer", "relics owned"),
        ("acts", "integers", "the acts; all unless said"),
        ("curse", "truth", "a curse that can be removed is in the deck"),
        ("half_dead_or_owns", "text", "at most half of the HP left, or this relic owned"),
        ("below_ascension", "integer", "only below this ascension"),
        ("simulator", "truth", "by the rules of the simulator too"),
    ];
    let option: &[Key] = &[
        ("id", "text", "its name in match files"),
        ("text", "text", "what the player reads"),
        ("when", "number", "condition: it can be chosen"),
        ("do", "steps", "what it does"),
        ("then", "text", "the node it leads to; to the `end` unless said"),
    ];
    let node: &[Key] = &[
        ("text", "text", "what the player reads"),
        ("enter", "steps", "what happens on reaching it"),
        ("options", "options", "what can be chosen"),
    ];
    let drawn = |(name, kind, about): &(&'static str, Option<&'static str>, &str)| {
        let mut keys = properties(&[(*name, "integer", "how many")]);
        keys.extend(kind.map(|kind| (kind.to_owned(), reference("rarity"))));
        table(about, &[name], keys)
    };
    let guards: &[Key] = &[("guarded_finds", "texts", DRAWS[0].1)];
    let plain = words(DRAWS[1..].iter().map(|(name, about)| (*name, *about)));
    let guarded = table("guarded finds", &["guarded_finds"], properties(guards));
    vec![
        ("allowed".into(), table("when an event may be met", &[], properties(allowed))),
        ("draws".into(), either(vec![plain, guarded])),
        ("gift_draw".into(), either(GIFT_DRAWS.iter().map(drawn).collect())),
        ("gift_draws".into(), either(vec![reference("gift_draw"), list_of("gift_draw")])),
        ("option".into(), table("an option", &["id", "text"], properties(option))),
        ("options".into(), list_of("option")),
        ("event_node".into(), table("a node", &["text", "options"], properties(node))),
        ("nodes".into(), json!({ "type": "object", "additionalProperties": reference("event_node") })),
    ]
}

#[cfg(test)]
mod tests;
