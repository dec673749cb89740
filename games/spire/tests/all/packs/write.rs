//! Writes packs of content that nobody has thought of: every word of the language, in every place where it may stand.
//!
//! What there is to write comes from the lists that make manual and schema, so that a new word is written without a
//! line here; of a new shape of values this file says that it does not know it. What the reader refuses is written
//! anew. The same seed gives the same pack.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone_spire::catalog::expr::{ArgKind, Read};
use turnstone_spire::catalog::schema::content_schema;
use turnstone_spire::catalog::verb::{Ground, VerbSpec, verbs};
use turnstone_spire::catalog::words::{
    CardType, DamageKind, Drawn, ListName, Moment, Prevent, Stage, Who, Zone,
};
use turnstone_spire::catalog::{Problem, Sources};
use turnstone_spire::{Ruleset, Spire};

/// An entry: its kind and its id.
pub type Entry = (&'static str, String);

/// A pack, and which words each of its entries says.
pub struct Pack {
    /// The game with the pack over its own content.
    pub game: Arc<Spire>,
    /// The words of each entry: `verb attack`, `moment draw`, `who target`, `value energy`.
    pub words: BTreeMap<Entry, BTreeSet<String>>,
    /// The ids of each kind.
    pub ids: BTreeMap<&'static str, Vec<String>>,
}

/// How many entries of each kind a pack has; those of the kinds whose ids are given are all there.
const KINDS: [(&str, usize); 14] = [
    ("card", 420),
    ("power", 220),
    ("relic", 260),
    ("potion", 60),
    ("orb", 24),
    ("stance", 24),
    ("monster", 120),
    ("encounter", 120),
    ("character", 24),
    ("event", 150),
    ("score", 60),
    ("map", 24),
    ("burning", 40),
    ("neow", 60),
];

/// The rows of Neow's gifts, one after the other.
const GIFT_ROWS: [&str; 6] = ["first", "second", "third", "last", "drawback", "nowhere"];

/// Who owns what is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Card,
    Power,
    Relic,
    Potion,
    Orb,
    Stance,
    Monster,
    Event,
    Other,
}

/// Where something is written: what is possible there, whose it is, how deep it lies.
#[derive(Clone, Copy)]
struct At {
    ground: Ground,
    owner: Owner,
    depth: u8,
    /// In the filter of a card under test.
    filter: bool,
}

impl At {
    fn of(owner: Owner) -> Self {
        At { ground: Ground::Fight, owner, depth: 0, filter: false }
    }

    fn on(self, ground: Ground) -> Self {
        At { ground, ..self }
    }

    fn deeper(self) -> Self {
        At { depth: self.depth + 1, ..self }
    }
}

pub struct Writer {
    lots: Lots,
    schema: Value,
    /// How often each word was written.
    used: BTreeMap<String, u32>,
    /// The words of the entry that is being written.
    said: BTreeSet<String>,
    ids: BTreeMap<&'static str, Vec<String>>,
}

/// Steps that monsters alone know, and those of events: others may name them by mistake only.
const OF_MONSTERS: [&str; 10] = [
    "set_move",
    "reroll",
    "summon",
    "speak",
    "half_die",
    "appear",
    "revive",
    "steal",
    "take_card",
    "return_card",
];
const OF_EVENTS: [&str; 5] = ["goto", "draw_relics", "lose_drawn", "search_finds", "pairs"];

/// The names of what every monster and event of a pack has of its own.
const MOVES: [&str; 3] = ["jab", "brood", "heave"];
const VARIABLES: [&str; 3] = ["zeal", "thirst", "luck"];
const NODES: [&str; 3] = ["start", "deeper", "end"];

impl Writer {
    pub fn new(seed: u64) -> Self {
        let mut ids: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for (kind, count) in KINDS {
            ids.insert(kind, (0..count).map(|n| format!("odd_{kind}_{n}")).collect());
        }
        ids.insert("order", ListName::ALL.iter().map(|row| row.1.to_owned()).collect());
        ids.insert("act", (1..=3).map(|act| act.to_string()).collect());
        ids.insert("ascension", (1..=20).map(|level| level.to_string()).collect());
        Writer {
            lots: Lots::new(seed, Stream::named("packs")),
            schema: content_schema(),
            used: BTreeMap::new(),
            said: BTreeSet::new(),
            ids,
        }
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.lots.chance(percent, 100)
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        self.lots.between(low, high)
    }

    /// One of several words, of those that were written least.
    fn deal(&mut self, list: &str, words: &[&str]) -> String {
        let name = |word: &str| format!("{list} {word}");
        let count = |writer: &Self, word: &str| writer.used.get(&name(word)).copied().unwrap_or(0);
        let least =
            words.iter().map(|word| count(self, word)).min().unwrap_or_else(|| panic!("no {list} fits"));
        let rare: Vec<&str> = words.iter().copied().filter(|word| count(self, word) <= least + 1).collect();
        let word = (*self.lots.pick(&rare).expect("one at least")).to_owned();
        *self.used.entry(name(&word)).or_default() += 1;
        self.said.insert(name(&word));
        word
    }

    /// One of the ids of a kind.
    fn id(&mut self, kind: &'static str) -> String {
        let ids = self.ids[kind].clone();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        self.deal(kind, &ids)
    }

    /// The words of a list of the schema.
    fn list(&self, name: &str) -> Vec<String> {
        let each = self.schema["$defs"][name]["oneOf"].as_array();
        let each = each.unwrap_or_else(|| panic!("no list of words is called `{name}`"));
        each.iter().filter_map(|word| Some(word["const"].as_str()?.to_owned())).collect()
    }

    fn word(&mut self, list: &str) -> String {
        let words = self.list(list);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        quoted(&self.deal(list, &words))
    }

    fn who(&mut self, at: At) -> String {
        let all = Who::ALL
            .iter()
            .filter(|(who, ..)| at.ground == Ground::Fight || matches!(who, Who::Me | Who::Player));
        let words: Vec<&str> = all.map(|(_, name, _)| *name).collect();
        self.deal("who", &words)
    }

    fn zone(&mut self, at: At) -> String {
        let all = Zone::ALL.iter().filter(|(zone, ..)| at.ground == Ground::Fight || *zone == Zone::Deck);
        let words: Vec<&str> = all.map(|(_, name, _)| *name).collect();
        self.deal("zone", &words)
    }
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// Numbers and conditions.
impl Writer {
    /// A number; between fights it may be rolled.
    fn number(&mut self, at: At) -> String {
        if at.ground == Ground::Way && at.depth < 3 && self.chance(15) {
            self.said.insert("value roll/2".to_owned());
            return quoted(&format!("roll({}, {})", self.between(1, 4), self.between(5, 9)));
        }
        match self.between(0, 9) {
            0..4 => self.small(),
            4 if at.owner == Owner::Card => format!("[{}, {}]", self.small(), self.small()),
            4 => format!("{{ 0 = {}, {} = {} }}", self.small(), self.between(1, 20), self.small()),
            5 => quoted(&self.value(at)),
            _ => {
                let value = self.value(at);
                quoted(&format!("max(0, min(7, {value}))"))
            }
        }
    }

    fn small(&mut self) -> String {
        let low = if self.chance(10) { -2 } else { 0 };
        self.between(low, 7).to_string()
    }

    /// A number that says how often something is done.
    fn few(&mut self, at: At) -> String {
        if self.chance(60) {
            return self.between(1, 3).to_string();
        }
        let value = self.value(at);
        quoted(&format!("max(0, min(3, {value}))"))
    }

    fn condition(&mut self, at: At) -> String {
        quoted(&self.test(at))
    }

    /// A comparison, or several.
    fn test(&mut self, at: At) -> String {
        let one = self.value(at);
        let sign = self.deal("sign", &["==", "!=", "<", "<=", ">", ">="]);
        let test = format!("{one} {sign} {}", self.between(-1, 5));
        match self.between(0, 5) {
            0 => format!("not {test}"),
            1 if at.depth < 3 => format!("{test} and {}", self.test(at.deeper())),
            2 | 3 if at.depth < 3 => format!("({test}) or {}", self.test(at.deeper())),
            _ => test,
        }
    }

    /// A value that is read, or two with a sign between them.
    fn value(&mut self, at: At) -> String {
        let one = self.read(at);
        match self.between(0, 5) {
            0 if at.depth < 3 => {
                let sign = self.deal("sign", &["+", "-", "*", "/"]);
                let other = self.read(at.deeper());
                format!("{one} {sign} {other}")
            }
            1 => format!("{} + {one}", self.between(0, 3)),
            _ => one,
        }
    }

    fn read(&mut self, at: At) -> String {
        let named = |kinds: &[ArgKind], kind: ArgKind| kinds.contains(&kind);
        let fits = |(read, _, kinds, _): &&(Read, &str, &[ArgKind], &str)| {
            let filter = !read.is_filter() || at.filter;
            let own = match at.owner {
                Owner::Monster => true,
                Owner::Event => !named(kinds, ArgKind::Move),
                _ => !named(kinds, ArgKind::Move) && !named(kinds, ArgKind::Var),
            };
            let deep =
                at.depth < 3 || kinds.iter().all(|kind| !matches!(kind, ArgKind::Filter | ArgKind::Number));
            // What is rolled stands alone.
            at.ground.allows(read.ground()) && filter && own && deep && *read != Read::RollBetween
        };
        let all: Vec<_> = Read::ALL.iter().filter(fits).collect();
        let name = |row: &(Read, &str, &[ArgKind], &str)| match row.2.len() {
            0 => row.1.to_owned(),
            many => format!("{}/{many}", row.1),
        };
        let words: Vec<String> = all.iter().map(|row| name(row)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let chosen = self.deal("value", &words);
        let (_, word, kinds, _) = all[words.iter().position(|word| *word == chosen).expect("dealt")];
        let args: Vec<String> = kinds.iter().map(|kind| self.argument(*kind, at.deeper())).collect();
        if args.is_empty() { (*word).to_owned() } else { format!("{word}({})", args.join(", ")) }
    }

    fn argument(&mut self, kind: ArgKind, at: At) -> String {
        let tested = At { filter: true, ..at };
        match kind {
            ArgKind::Who => self.who(at),
            ArgKind::Zone => self.zone(at),
            ArgKind::Filter | ArgKind::FilterOptional => self.filter(tested),
            ArgKind::Power => self.id("power"),
            ArgKind::Orb => self.id("orb"),
            ArgKind::Stance => self.id("stance"),
            ArgKind::Card => self.id("card"),
            ArgKind::Monster => self.id("monster"),
            ArgKind::Relic => self.id("relic"),
            ArgKind::Move => self.deal("move", &MOVES),
            ArgKind::Var => self.deal("variable", &VARIABLES),
            ArgKind::Tag => self.deal("tag", &["strike", "healing", "shiv", "odd"]),
            ArgKind::Type => {
                self.deal("card_type", &CardType::ALL.iter().map(|row| row.1).collect::<Vec<_>>())
            }
            ArgKind::Kind => {
                self.deal("damage", &DamageKind::ALL.iter().map(|row| row.1).collect::<Vec<_>>())
            }
            ArgKind::Drawn => self.deal("drawn", &Drawn::ALL.iter().map(|row| row.1).collect::<Vec<_>>()),
            ArgKind::Number => self.read(at),
        }
    }

    /// A condition on the card under test.
    fn filter(&mut self, at: At) -> String {
        let at = At { filter: true, ..at };
        let one = self.read(at);
        match self.between(0, 5) {
            0 => format!("not {one}"),
            1 if at.depth < 3 => format!("{one} or {}", self.read(at.deeper())),
            _ => one,
        }
    }
}

/// Steps.
impl Writer {
    fn steps(&mut self, count: i64, at: At) -> String {
        let steps: Vec<String> = (0..count).map(|_| self.step(at)).collect();
        format!("[{}]", steps.join(", "))
    }

    fn some_steps(&mut self, at: At) -> String {
        let most = if at.depth > 0 { 2 } else { 4 };
        let count = self.between(1, most);
        self.steps(count, at)
    }

    fn step(&mut self, at: At) -> String {
        let stray = self.chance(4);
        let fits = |spec: &&VerbSpec| {
            let own = match at.owner {
                Owner::Monster => !OF_EVENTS.contains(&spec.name),
                Owner::Event => true,
                _ => {
                    spec.name != "set_var"
                        && spec.name != "goto"
                        && (stray || !OF_MONSTERS.contains(&spec.name))
                }
            };
            let nests = spec.keys().any(|(_, shape, _)| shape == "steps") || spec.shape() == "lists";
            at.ground.allows(spec.ground) && own && !(nests && at.depth > 1)
        };
        let all: Vec<&VerbSpec> = verbs().filter(fits).collect();
        let name = self.deal("verb", &all.iter().map(|spec| spec.name).collect::<Vec<_>>());
        let spec = all.into_iter().find(|spec| spec.name == name).expect("dealt");
        self.step_of(spec, at)
    }

    /// A step of this verb: its own value, and some of its keys.
    fn step_of(&mut self, spec: &VerbSpec, at: At) -> String {
        let own = self.shaped(spec.name, "", spec.shape(), at);
        let mut parts = vec![format!("{} = {own}", spec.name)];
        let mut picked = false;
        for (key, shape, _) in spec.keys() {
            let picks = ["choose", "up_to", "random", "top"].contains(&key);
            let needed = self.is_needed(spec, key, &parts[0], at);
            if self.is_refused(spec, key, at) || picks && picked || !needed && !self.chance(30) {
                continue;
            }
            picked |= picks;
            let value = self.shaped(spec.name, key, shape, at);
            self.said.insert(format!("key {} {key}", spec.name));
            parts.push(format!("{key} = {value}"));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    /// Whether a step makes no sense without this key.
    fn is_needed(&self, spec: &VerbSpec, key: &str, own: &str, at: At) -> bool {
        let way = at.ground != Ground::Fight;
        match (spec.name, key) {
            ("damage" | "lose_hp" | "heal", "to") => way,
            ("transform" | "duplicate" | "bottle" | "remove" | "upgrade", "choose") => way,
            ("move", "to") | ("set_var", "is") | ("fight", "unpaid") => true,
            ("reward", "amount") => own.contains("gold"),
            (_, "then" | "do") => true,
            _ => false,
        }
    }

    /// Whether the reader does not take this key here.
    fn is_refused(&self, spec: &VerbSpec, key: &str, at: At) -> bool {
        let way = at.ground != Ground::Fight;
        way && spec.shape() == "zone" && ["up_to", "top", "random", "dice"].contains(&key)
    }

    /// A value of a shape of the schema; `verb` and `key` say whose it is.
    fn shaped(&mut self, verb: &str, key: &str, shape: &str, at: At) -> String {
        let often =
            ["times", "count", "offer", "room", "repeat", "draw", "scry", "choose", "top", "random", "up_to"];
        match shape {
            "mark" => "true".to_owned(),
            "truth" => self.chance(80).to_string(),
            "number" if key == "filter" || key == "only" => {
                let at = if key == "only" { at } else { At { filter: true, ..at } };
                let filter = if key == "only" { self.test(at) } else { self.filter(at) };
                quoted(&filter)
            }
            "number" if verb == "if" && key.is_empty() => self.condition(at),
            "number" if often.contains(&key) || often.contains(&verb) && key.is_empty() => self.few(at),
            "number" => self.number(at),
            "steps" => self.some_steps(at.deeper()),
            "lists" => {
                let lists: Vec<String> =
                    (0..self.between(1, 3)).map(|_| self.some_steps(at.deeper())).collect();
                format!("[{}]", lists.join(", "))
            }
            "who" => quoted(&self.who(at)),
            "zone" => quoted(&self.zone(at)),
            "power_id" => quoted(&self.id("power")),
            "power_id_or_self" if self.chance(40) => quoted("self"),
            "power_id_or_self" => quoted(&self.id("power")),
            "card_id" => quoted(&self.id("card")),
            "relic_id" => quoted(&self.id("relic")),
            "relic_id_or_starter" if self.chance(30) => quoted("starter"),
            "relic_id_or_starter" => quoted(&self.id("relic")),
            "stance_id" => quoted(&self.id("stance")),
            "monster_ids" => format!("[{}, {}]", quoted(&self.id("monster")), quoted(&self.id("monster"))),
            "relic_ids" => format!("[{}, {}]", quoted(&self.id("relic")), quoted(&self.id("relic"))),
            "creation" => self.creation(),
            "orb_kind" => self.either_or(&["random", "last_evoked"], "orb"),
            "orb_kinds" => self.either_or(&["next", "all"], "orb"),
            "foe" => self.either_or(&["boss"], "encounter"),
            "move_name" => quoted(&self.deal("move", &MOVES)),
            "variable_name" => quoted(&self.deal("variable", &VARIABLES)),
            "node_name" => quoted(&self.deal("node", &NODES)),
            "prize" => {
                let prizes =
                    ["cards", "colorless", "relic", "relic:common", "relic:rare", "potion", "gold", "drawn"];
                quoted(&self.deal("prize", &prizes))
            }
            "tiers" => format!("[{}]", quoted(&self.deal("tier", &["common", "uncommon", "rare"]))),
            "integers" => format!("[{}, {}]", self.between(-20, 20), self.between(-20, 20)),
            list => self.word(list),
        }
    }

    fn either_or(&mut self, words: &[&str], kind: &'static str) -> String {
        quoted(&if self.chance(40) { self.deal(kind, words) } else { self.id(kind) })
    }

    fn creation(&mut self) -> String {
        match self.between(0, 3) {
            0 => quoted(&format!("copy:{}", self.zone(At::of(Owner::Card)))),
            1 => self.word("pool"),
            _ => quoted(&self.id("card")),
        }
    }
}

/// Rules: what entries hear, change and stop.
impl Writer {
    fn rules(&mut self, at: At, many: i64) -> Vec<String> {
        let mut rows = Vec::new();
        for _ in 0..self.between(0, many) {
            let row = match self.between(0, 9) {
                0..5 => self.hook(at),
                5..8 => self.alteration(at),
                _ => self.prevention(at),
            };
            // A moment, a stage, a thing to prevent stands once in an entry.
            let key = |row: &str| row.split(" = ").next().map(str::to_owned);
            if !rows.iter().any(|known: &String| key(known) == key(&row)) {
                rows.push(row);
            }
        }
        if self.chance(15) {
            rows.push(format!("flags = [{}]", self.word("flag")));
        }
        rows
    }

    fn hook(&mut self, at: At) -> String {
        let of_cards = |moment: Moment| moment < Moment::CombatPrep;
        let fits = |moment: Moment| match at.owner {
            Owner::Card => of_cards(moment),
            Owner::Relic => !of_cards(moment),
            _ => !of_cards(moment) && moment.ground() == Ground::Fight,
        };
        let words: Vec<&str> = Moment::ALL.iter().filter(|row| fits(row.0)).map(|row| row.1).collect();
        let word = self.deal("moment", &words);
        let moment = Moment::parse(&word).expect("dealt");
        if moment == Moment::CardObtaining {
            self.said.insert("verb upgrade".to_owned());
            return format!("on.{word} = [{{ upgrade = \"trigger\" }}]");
        }
        let at = at.on(moment.ground());
        let mut parts = Vec::new();
        if self.chance(40) {
            parts.push(format!("when = {}", self.condition(at)));
        }
        if moment.ground() == Ground::Fight {
            if self.chance(40) {
                parts.push(format!("queue = {}", self.word("queue")));
            }
            let counts = matches!(at.owner, Owner::Relic | Owner::Power);
            match self.between(0, 9) {
                _ if !counts => {}
                0..5 => parts.push(format!("once = {}", quoted(&self.deal("once", &["turn", "combat"])))),
                5..8 => parts.push(format!("every = {}", self.between(2, 5))),
                _ => {}
            }
        }
        if self.chance(20) {
            parts.push(format!("at = {}", self.between(-5, 20)));
        }
        let count = self.between(1, 2);
        parts.push(format!("do = {}", self.steps(count, at.deeper())));
        format!("on.{word} = {{ {} }}", parts.join(", "))
    }

    fn alteration(&mut self, at: At) -> String {
        let fits = |stage: Stage| at.owner == Owner::Relic || stage.ground() == Ground::Fight;
        let words: Vec<&str> = Stage::ALL.iter().filter(|row| fits(row.0)).map(|row| row.1).collect();
        let word = self.deal("stage", &words);
        let at = at.on(Stage::parse(&word).expect("dealt").ground());
        let change = self.deal("change", &["add", "mul", "set", "at_most", "at_least"]);
        let value = match change.as_str() {
            "mul" if self.chance(50) => format!("[{}, {}]", self.between(1, 4), self.between(1, 4)),
            "mul" => self.between(0, 3).to_string(),
            _ => self.plain(at),
        };
        let mut parts = vec![format!("{change} = {value}")];
        if self.chance(40) {
            parts.push(format!("when = {}", self.condition(at)));
        }
        if self.chance(20) {
            parts.push(format!("at = {}", self.between(-5, 200)));
        }
        if word == "unblocked_taken" && at.owner == Owner::Power && self.chance(50) {
            parts.push("spend = 1".to_owned());
        }
        if self.chance(10) {
            parts.push("nearest = true".to_owned());
        }
        format!("alter.{word} = {{ {} }}", parts.join(", "))
    }

    fn prevention(&mut self, at: At) -> String {
        let carried = matches!(at.owner, Owner::Relic | Owner::Potion);
        let fits = |what: Prevent| carried || what.ground() != Ground::Way;
        let words: Vec<&str> = Prevent::ALL.iter().filter(|row| fits(row.0)).map(|row| row.1).collect();
        let word = self.deal("prevent", &words);
        let what = Prevent::parse(&word).expect("dealt");
        let at = at.on(if carried { what.ground() } else { Ground::Fight });
        let mut parts = Vec::new();
        for key in what.keys() {
            let often = if *key == "when" { 90 } else { 40 };
            if self.chance(often) {
                parts.push(match *key {
                    "when" => format!("when = {}", self.condition(at)),
                    "spend" => format!("spend = {}", self.between(1, 2)),
                    "chance" => format!("chance = {}", self.between(10, 90)),
                    "do" => format!("do = {}", self.steps(1, at.deeper())),
                    other => panic!("nobody knows how to write `{other}`"),
                });
            }
        }
        if parts.is_empty() {
            return format!("prevent.{word} = true");
        }
        format!("prevent.{word} = {{ {} }}", parts.join(", "))
    }

    /// A number that is not rolled.
    fn plain(&mut self, at: At) -> String {
        if self.chance(50) { self.small() } else { quoted(&self.value(At { depth: 2, ..at })) }
    }
}

/// Entries.
impl Writer {
    /// The rows of an entry.
    fn rows(&mut self, kind: &'static str, id: &str) -> Vec<String> {
        let number = id.rsplit('_').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
        let (owner, rules) = match kind {
            "card" => (Owner::Card, 1),
            "power" => (Owner::Power, 4),
            "relic" => (Owner::Relic, 4),
            "potion" => (Owner::Potion, 1),
            "stance" => (Owner::Stance, 2),
            "monster" => (Owner::Monster, 2),
            "orb" => (Owner::Orb, 0),
            "event" => (Owner::Event, 0),
            _ => (Owner::Other, 0),
        };
        let at = At::of(owner);
        if kind == "order" {
            return vec![self.order(id)];
        }
        let mut rows = if kind == "map" { Vec::new() } else { self.keys(kind, number, at) };
        rows.extend(self.rules(at, rules));
        match kind {
            "monster" => rows.extend(self.mind(at)),
            "encounter" => rows.extend(self.line_up()),
            "event" => rows.extend(self.nodes(at.on(Ground::Way))),
            "map" => rows.extend(self.rooms(number)),
            "score" => rows.extend(self.worth()),
            _ => {}
        }
        rows
    }

    /// The keys of an entry, by their shapes in the schema.
    fn keys(&mut self, kind: &'static str, number: usize, at: At) -> Vec<String> {
        let keys = self.schema["$defs"][kind]["properties"].clone();
        let mut rows = Vec::new();
        for (key, shape) in keys.as_object().expect("keys") {
            let shape = shape["$ref"].as_str().and_then(|name| name.rsplit('/').next()).expect("a shape");
            let Some(value) = self.keyed(kind, key, shape, number, at) else { continue };
            self.said.insert(format!("key {kind} {key}"));
            rows.push(format!("{key} = {value}"));
        }
        rows
    }

    /// The value of a key, or nothing if it is left out or written elsewhere.
    fn keyed(&mut self, kind: &str, key: &str, shape: &str, number: usize, at: At) -> Option<String> {
        // What others write, and what would take entries away.
        let elsewhere = ["on", "alter", "prevent", "flags", "replace", "delete", "move", "node", "ai"];
        if elsewhere.contains(&key) {
            return None;
        }
        Some(match (kind, key) {
            ("score", "of" | "relic" | "each" | "rising" | "steps" | "percent") => return None,
            ("encounter", "monsters" | "groups" | "rank" | "act") => return None,
            ("monster", "opening" | "cycle") => return None,
            ("event", "draws") => return self.draws(),
            ("neow", "row") => quoted(&self.deal("gift_row", &[GIFT_ROWS[number % 6]])),
            ("neow", "draws") => self.gift_draws(),
            // The last of six is what the others cost, the fifth spoils the third.
            ("neow", "cost") if number % 6 < 4 && self.chance(50) => {
                quoted(&format!("odd_neow_{}", number - number % 6 + 5))
            }
            ("neow", "spoils") if number % 6 == 4 => quoted(&format!("odd_neow_{}", number - 2)),
            ("neow", "cost" | "spoils") => return None,
            ("event", "vars") => format!("[{}]", VARIABLES.map(quoted).join(", ")),
            ("monster", "vars") => {
                format!("{{ zeal = {}, thirst = {{ roll = [1, 4] }}, luck = 2 }}", self.between(0, 5))
            }
            ("monster", "late") => "[\"thirst\"]".to_owned(),
            ("monster", "hp") => format!("[{}, {}]", self.between(5, 15), self.between(16, 40)),
            ("monster", "start") | ("encounter", "start") if self.chance(70) => return None,
            ("character", "color") => quoted(&format!("odd_{}", number % 4)),
            ("character", "hp") => format!("{{ 0 = {}, 14 = 640 }}", self.between(500, 900)),
            ("character", "energy") => self.between(3, 6).to_string(),
            ("character", "draw") => self.between(4, 7).to_string(),
            ("character", "orb_slots") => self.between(0, 4).to_string(),
            ("character", "relics") => self.names("relic", 8),
            ("character", "deck") => self.deck(12),
            ("character", "memory_card") => quoted(&self.id("card")),
            ("ascension", "deck") => self.deck(1),
            ("ascension", "bosses") => self.between(1, 2).to_string(),
            ("ascension" | "neow", "name" | "text" | "alias" | "note") => return None,
            ("ascension", "harsh_events") => self.chance(50).to_string(),
            ("burning", "power") => quoted(&self.id("power")),
            ("burning", "amount") => self.between(1, 9).to_string(),
            ("ascension", "potion_slots") => self.between(-1, 1).to_string(),
            ("ascension", "start_hp" | "act_heal") => self.between(60, 100).to_string(),
            ("ascension", _) => self.between(60, 110).to_string(),
            ("act", "rooms") => "{ shop = 10, rest = 15, elite = 12, event = 30 }".to_owned(),
            ("act", "paths") => self.between(1, 8).to_string(),
            ("act", "fixed") => "{ 2 = \"event\", 9 = \"treasure\", 15 = \"elite\" }".to_owned(),
            ("act", "first_floor") => format!("{{ elite = {}, event = 3 }}", self.between(1, 5)),
            ("act", "last_floor") => "{ rest = 12, shop = 14 }".to_owned(),
            ("act", "apart") => "[\"event\", \"elite\"]".to_owned(),
            ("act", "uncounted") => "false".to_owned(),
            // Of the last act.
            ("act", "way") => return None,
            ("relic", "replaces") => return self.chance(10).then(|| quoted(&self.id("relic"))),
            ("relic", "stands_in" | "unobtainable") if self.chance(80) => return None,
            ("card", "rarity") => {
                quoted(&self.deal("rarity", &["basic", "common", "uncommon", "rare", "special"]))
            }
            ("card", "playable") if self.chance(70) => return None,
            ("card", "color") | ("relic", "color") | ("potion", "color") => quoted(&self.color(kind)),
            ("potion", "potency") => self.between(1, 20).to_string(),
            ("potion", "usable") if self.chance(70) => return None,
            ("potion", "anywhere") => return None,
            ("potion", "do") if number.is_multiple_of(3) => {
                format!("{}\nanywhere = true", self.some_steps(at.on(Ground::Both)))
            }
            ("power", "min") => self.between(-5, 0).to_string(),
            ("power", "max") => self.between(1, 99).to_string(),
            ("card", "type") | ("relic", "tier") | ("potion", "rarity") => self.word(shape),
            ("event", "pool") | ("orb", "passive" | "evoke") => self.of_shape(shape, at),
            ("card" | "potion" | "neow", "do") => self.of_shape(shape, at.on(ground_of(kind))),
            (_, "name") => quoted(&format!("Odd {} {number}", capital(kind))),
            ("score", "text") => quoted("odd things"),
            (_, "text") => return self.chance(5).then(|| quoted("Odd, {1|2} of {n}.")),
            (_, "alias") => return self.chance(5).then(|| format!("[\"Odd {kind} number {number}\"]")),
            _ if self.chance(70) => return None,
            _ => self.of_shape(shape, at.on(ground_of(kind))),
        })
    }

    fn of_shape(&mut self, shape: &str, at: At) -> String {
        match shape {
            "steps" => self.some_steps(at),
            "number" => self.plain(at),
            "truth" | "debuff" => self.chance(60).to_string(),
            "truths" => format!("[{}, {}]", self.chance(50), self.chance(50)),
            "integer" => self.between(0, 12).to_string(),
            "real" => self.between(1, 4).to_string(),
            "text" => quoted("Odd."),
            "texts" => "[\"odd\", \"strike\"]".to_owned(),
            "costs" => {
                let costs = ["0", "1", "2", "[1, 0]", "[2, 1]", "\"x\"", "\"none\"", "3"];
                (*self.lots.pick(&costs).expect("some")).to_owned()
            }
            "aims" => self.word("aim"),
            "when" => quoted(&self.deal("when", &["round_end", "turn_start", "turn_end"])),
            "counter" => {
                let reset = self.deal("reset", &["never", "combat", "turn"]);
                format!(
                    "{{ start = {}, reset = \"{reset}\", shown = {} }}",
                    self.between(0, 3),
                    self.chance(50)
                )
            }
            "added_option" => {
                let at = At { ground: Ground::Way, ..at };
                format!(
                    "{{ name = \"Odd\", when = {}, do = {} }}",
                    self.condition(at),
                    self.some_steps(at.deeper())
                )
            }
            "allowed" => {
                format!("{{ first_floor = {}, gold = {} }}", self.between(0, 5), self.between(0, 30))
            }
            list => self.word(list),
        }
    }

    fn color(&mut self, kind: &str) -> String {
        let nobodys = if kind == "card" { "colorless" } else { "shared" };
        self.deal(
            "color",
            &["odd_0", "odd_1", "odd_2", "odd_3", nobodys, "ironclad", "silent", "defect", "watcher"],
        )
    }

    fn names(&mut self, kind: &'static str, count: usize) -> String {
        let names: BTreeSet<String> = (0..count).map(|_| quoted(&self.id(kind))).collect();
        format!("[{}]", names.into_iter().collect::<Vec<_>>().join(", "))
    }

    fn deck(&mut self, count: usize) -> String {
        let cards: BTreeSet<String> = (0..count).map(|_| self.id("card")).collect();
        let rows: Vec<String> = cards.iter().map(|card| format!("{card} = {}", self.between(1, 2))).collect();
        format!("{{ {} }}", rows.join(", "))
    }

    /// How a monster chooses, and its moves.
    fn mind(&mut self, at: At) -> Vec<String> {
        let at = At { depth: 1, ..at };
        let mut rows = Vec::new();
        match self.between(0, 2) {
            0 => rows.push("cycle = [\"jab\", \"brood\", \"heave\"]".to_owned()),
            1 => rows.push("opening = [\"brood\"]\ncycle = [\"heave\", \"jab\"]".to_owned()),
            _ => rows.push(format!(
                "ai = [{{ below = {}, when = {}, pick = {{ jab = 2, brood = 1.5 }} }}, \
                 {{ when = {}, coin = [\"heave\", [{{ move = \"brood\" }}]], spend = 1 }}, \
                 {{ chance = 0.4, of = [\"jab\", \"heave\"] }}]",
                self.between(20, 60),
                self.condition(at),
                self.condition(at)
            )),
        }
        rows.push(format!(
            "move.jab = {{ intent = \"attack\", do = [{{ attack = {} }}] }}",
            self.between(1, 4)
        ));
        for name in ["brood", "heave"] {
            let (intent, steps) = (self.word("intent"), self.some_steps(at));
            rows.push(format!("move.{name} = {{ intent = {intent}, do = {steps} }}"));
        }
        rows
    }

    fn line_up(&mut self) -> Vec<String> {
        let rank = self.deal("rank", &["weak", "strong", "elite", "boss", "event", "normal", "minion"]);
        let monsters = match self.between(0, 3) {
            0 => format!("{{ any = {}, count = 2, distinct = true }}", self.names("monster", 3)),
            1 => format!("{{ any = {{ {} = 2, {} = 1 }} }}", self.id("monster"), self.id("monster")),
            _ => quoted(&self.id("monster")),
        };
        let first = quoted(&self.id("monster"));
        vec![
            format!("act = {}", self.between(1, 3)),
            format!("rank = \"{rank}\""),
            format!("monsters = [{first}, {monsters}]"),
        ]
    }

    fn draws(&mut self) -> Option<String> {
        let words = [
            "two_services",
            "a_card_of_each_type",
            "potions",
            "belongings",
            "gold",
            "pairs",
            "guarded_finds",
        ];
        Some(match self.deal("draws", &words).as_str() {
            "guarded_finds" => format!("{{ guarded_finds = {} }}", self.names("encounter", 3)),
            word => quoted(word),
        })
    }

    fn gift_draws(&mut self) -> String {
        let kinds = [
            "class_cards = 3",
            "class_cards = 2, rarity = \"rare\"",
            "colorless_cards = 4, rarity = \"uncommon\"",
            "cards = 2, rarity = \"common\"",
            "potions = 2",
            "relics = 2, tier = \"shop\"",
            "curses = 1",
        ];
        let (one, other) = (self.deal("gift_draw", &kinds), self.deal("gift_draw", &kinds));
        format!("[{{ {one} }}, {{ {other} }}]")
    }

    /// Two nodes; each can be left.
    fn nodes(&mut self, at: At) -> Vec<String> {
        let mut rows = Vec::new();
        for (name, other) in [("start", "deeper"), ("deeper", "start")] {
            let mut options = vec!["{ id = \"leave\", text = \"Leave\" }".to_owned()];
            for (id, then) in [("take", Some(other)), ("pay", None)] {
                let mut parts = vec![format!("id = \"{id}\""), format!("text = \"Try to {id}\"")];
                if self.chance(30) {
                    parts.push(format!("when = {}", self.condition(at)));
                }
                parts.push(format!("do = {}", self.some_steps(at)));
                parts.extend(then.map(|then| format!("then = \"{then}\"")));
                options.push(format!("{{ {} }}", parts.join(", ")));
            }
            let enter = if name == "deeper" {
                format!("enter = {}, ", self.steps(1, at.deeper()))
            } else {
                String::new()
            };
            rows.push(format!(
                "node.{name} = {{ text = \"Odd.\", {enter}options = [{}] }}",
                options.join(", ")
            ));
        }
        rows
    }

    /// A map of three columns, every room of which leads to every room above it.
    fn rooms(&mut self, number: usize) -> Vec<String> {
        let mut rows =
            vec![format!("act = {}", number % 3 + 1), format!("neow = {}", number.is_multiple_of(4))];
        for floor in 1..=15 {
            for column in 1..=3 {
                let contents = match (floor + column + number) % 6 {
                    0 | 2 | 4 => format!("room = \"event\", event = {}", quoted(&self.id("event"))),
                    1 => format!("room = \"monster\", encounter = {}", quoted(&self.id("encounter"))),
                    3 => format!("room = \"treasure\", relic = {}", quoted(&self.id("relic"))),
                    _ => format!(
                        "room = \"{}\"",
                        self.deal("room", &["rest", "shop", "elite", "event", "monster"])
                    ),
                };
                let on = match floor {
                    15 => "end = true".to_owned(),
                    _ => format!(
                        "next = [{}]",
                        [1, 2, 3].map(|x| format!("\"r{}_{x}\"", floor + 1)).join(", ")
                    ),
                };
                rows.push(format!(
                    "node.r{floor}_{column} = {{ floor = {floor}, column = {column}, {contents}, {on} }}"
                ));
            }
        }
        rows
    }

    /// A list of the original in another order.
    fn order(&mut self, list: &str) -> String {
        let kind = match ListName::parse(list).expect("a list") {
            ListName::Characters => "character",
            ListName::Cards | ListName::Merchant | ListName::Pairs => "card",
            ListName::Relics => "relic",
            ListName::Potions => "potion",
            ListName::Encounters => "encounter",
            ListName::Events | ListName::FirstShrines => "event",
            ListName::Orbs => "orb",
            ListName::Burnings => "burning",
            ListName::Neow => "neow",
        };
        format!("list = {}", self.names(kind, 9))
    }

    fn worth(&mut self) -> Vec<String> {
        let of = self.word("counted");
        let worth = ["each = 3", "rising = 2", "percent = 5", "steps = [[1, 5], [4, 20]]"];
        let worth = (*self.lots.pick(&worth).expect("some")).to_owned();
        let relic = (of == "\"relic\"").then(|| format!("relic = {}", quoted(&self.id("relic"))));
        [format!("of = {of}"), worth].into_iter().chain(relic).collect()
    }
}

fn ground_of(kind: &str) -> Ground {
    if kind == "neow" { Ground::Way } else { Ground::Fight }
}

fn capital(kind: &str) -> String {
    let (first, rest) = kind.split_at(1);
    first.to_uppercase() + rest
}

impl Writer {
    fn entry(&mut self, kind: &'static str, id: &str) -> (String, BTreeSet<String>) {
        self.said.clear();
        self.said.insert(format!("kind {kind}"));
        let rows = self.rows(kind, id);
        let rows = match (kind, id.rsplit('_').next().and_then(|n| n.parse::<usize>().ok())) {
            // Some cards do nothing but grant a power, so that every power is met.
            ("card", Some(n)) if n < self.ids["power"].len() => granting(rows, n),
            _ => rows,
        };
        (format!("[{kind}.{id}]\n{}\n\n", rows.join("\n")), std::mem::take(&mut self.said))
    }

    /// A whole pack; what the reader refuses is written anew.
    pub fn write(mut self) -> Pack {
        let entries: Vec<Entry> =
            self.ids.iter().flat_map(|(kind, ids)| ids.iter().map(|id| (*kind, id.clone()))).collect();
        let mut texts: Vec<(String, BTreeSet<String>)> =
            entries.iter().map(|(kind, id)| self.entry(kind, id)).collect();
        for _ in 0..20 {
            let text: String = texts.iter().map(|(text, _)| text.as_str()).collect();
            let sources = Sources::builtin("classic").with_text("pack.toml", &text);
            let problems = match Spire::new(Ruleset::Classic, &sources) {
                Ok(game) => {
                    let words = entries.into_iter().zip(texts.into_iter().map(|(_, words)| words)).collect();
                    return Pack { game: Arc::new(game), words, ids: self.ids };
                }
                Err(problems) => problems,
            };
            for at in refused(&texts, &problems) {
                let (kind, id) = &entries[at];
                texts[at] = self.entry(kind, id);
            }
        }
        panic!("no sound pack came about");
    }
}

/// The numbers of the entries that problems are about.
fn refused(texts: &[(String, BTreeSet<String>)], problems: &[Problem]) -> BTreeSet<usize> {
    let mut first = 1;
    let starts: Vec<usize> = texts
        .iter()
        .map(|(text, _)| {
            let start = first;
            first += text.lines().count();
            start
        })
        .collect();
    problems
        .iter()
        .map(|problem| {
            let line = problem.place.line as usize;
            assert!(problem.place.file == "pack.toml", "{problem}");
            starts.partition_point(|start| *start <= line) - 1
        })
        .collect()
}

fn granting(rows: Vec<String>, power: usize) -> Vec<String> {
    let grant = format!("{{ apply = \"odd_power_{power}\", amount = 2, to = \"self\" }}");
    let grants = |row: String| match row.strip_prefix("do = [") {
        Some(steps) => format!("do = [{grant}, {steps}"),
        None => row,
    };
    rows.into_iter().map(grants).collect()
}
