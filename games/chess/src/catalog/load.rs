//! From content files to the catalog.

use super::board::{BoardDef, RawBoard};
use super::run::{MapEventDef, RawRun, RelicDef};
use super::{AbilityDef, Catalog, PieceDef, Ruleset, TileDef, parse_betza, tile_id, unknown};
use crate::ability::Verb;
use crate::at::MAX_SIDE;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::tile::Tile;
use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use turnstone_content::{Document, Entry, Node, Place, Problem, Tree, embedded};

static CONTENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content");

pub use turnstone_host::Source as ContentFile;
use turnstone_host::{Numbering, number};

/// The files that are built in, in the order of their names.
pub fn builtin_files() -> Vec<ContentFile> {
    embedded(&CONTENT, ".toml")
}

/// Entries of one kind by name.
pub(super) type Section<T> = BTreeMap<String, Entry<T>>;

/// What the content files say; any kind of entry may be in any file, and a later one replaces its namesake.
#[derive(Debug, Default, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub(crate) struct RawFile {
    /// Kinds of pieces.
    #[schemars(with = "BTreeMap<String, RawPiece>")]
    piece: Section<RawPiece>,
    /// Abilities.
    #[schemars(with = "BTreeMap<String, RawAbility>")]
    ability: Section<RawAbility>,
    /// Descriptions of tiles.
    #[schemars(with = "BTreeMap<String, TileDef>")]
    tile: Section<TileDef>,
    /// Rulesets.
    #[schemars(with = "BTreeMap<String, Ruleset>")]
    ruleset: Section<Ruleset>,
    /// Boards.
    #[schemars(with = "BTreeMap<String, RawBoard>")]
    board: Section<RawBoard>,
    /// The numbers of the run; what a later file leaves out stays as it was.
    run: RawRun,
    /// Relics of the run.
    #[schemars(with = "BTreeMap<String, RelicDef<String>>")]
    relic: Section<RelicDef<String>>,
    /// What may be met on the map of the run.
    #[schemars(with = "BTreeMap<String, MapEventDef<String>>")]
    event: Section<MapEventDef<String>>,
    /// The numbers of the run as they are written, for their places.
    #[schemars(skip)]
    runs: Vec<Node>,
    /// What is written, kind and name, be it sound or not.
    #[schemars(skip)]
    written: Vec<(&'static str, String)>,
}

impl RawFile {
    fn lay(&mut self, file: &ContentFile, problems: &mut Vec<Problem>) {
        let mut document = Document::read(&file.name, &file.text, problems);
        lay_over(&mut self.piece, document.entries_within("piece", &[WORTH], problems));
        lay_over(&mut self.ability, document.entries_within("ability", &ABILITY, problems));
        lay_over(&mut self.tile, document.entries("tile", problems));
        lay_over(&mut self.ruleset, document.entries_within("ruleset", &RULESET, problems));
        lay_over(&mut self.board, document.entries_within("board", &BOARD, problems));
        lay_over(&mut self.relic, document.entries_within("relic", &super::run::RELIC, problems));
        lay_over(&mut self.event, document.entries("event", problems));
        if let Some(run) = document.value_within("run", &super::run::NUMBERS, problems) {
            self.run = std::mem::take(&mut self.run).overlaid(run);
        }
        self.runs.extend(document.node("run").cloned());
        for kind in ["piece", "ability", "tile", "ruleset"] {
            if let Some(Tree::Table(rows)) = document.node(kind).map(|node| &node.value) {
                self.written.extend(rows.iter().map(|(id, ..)| (kind, id.clone())));
            }
        }
        document.finish(problems);
    }
}

const WORTH: (&str, RangeInclusive<i64>) = ("value", 0..=1_000_000);
const ABILITY: [(&str, RangeInclusive<i64>); 3] =
    [("value", -1000..=1000), ("priority", -1000..=1000), ("charges", 0..=255)];
const RULESET: [(&str, RangeInclusive<i64>); 2] = [("turn-limit", 0..=1_000_000), ("checks", 0..=255)];
const BOARD: [(&str, RangeInclusive<i64>); 2] =
    [("width", 2..=MAX_SIDE as i64), ("height", 2..=MAX_SIDE as i64)];

fn lay_over<T>(section: &mut Section<T>, entries: Vec<Entry<T>>) {
    section.extend(entries.into_iter().map(|entry| (entry.id.clone(), entry)));
}

/// The JSON Schema of content files.
pub fn content_schema() -> serde_json::Value {
    serde_json::to_value(schemars::schema_for!(RawFile)).unwrap_or_default()
}

/// A piece as written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawPiece {
    /// The name as shown; by default the entry's own.
    name: Option<String>,
    /// One letter for diagrams and FEN.
    letter: char,
    /// White's and Black's symbol; by default the letter.
    symbols: Option<String>,
    /// What it is worth in pawns.
    value: i32,
    /// How it moves, in the Betza-like notation.
    moves: String,
    /// Lost with the game.
    #[serde(default)]
    royal: bool,
    /// Promotes, leaps from its start rank, counts as sliding.
    #[serde(default)]
    pawn: bool,
    /// What a Predator of this kind becomes.
    evolves: Option<String>,
    /// One sentence about it.
    #[serde(default)]
    about: String,
}

/// An ability as written.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawAbility {
    /// The name as shown; by default the entry's own.
    name: Option<String>,
    /// What it does.
    verb: Verb,
    /// When it is heard: lower is earlier.
    #[serde(default)]
    priority: i32,
    /// What it adds to a piece's value, and its price.
    #[serde(default)]
    value: i32,
    /// Charges of a new layer.
    #[serde(default)]
    charges: u8,
    /// Exploding: do the victims explode in turn?
    #[serde(default = "yes")]
    chain: bool,
    /// Exploding: are pawns spared?
    #[serde(default)]
    spares_pawns: bool,
    /// Exploding: does the blast reach the taker?
    #[serde(default)]
    kills_taker: bool,
    /// Two letters for the board.
    mark: String,
    /// Is it offered in the run's shops?
    #[serde(default = "yes")]
    pool: bool,
    /// The rule in one sentence.
    about: String,
}

const fn yes() -> bool {
    true
}

pub(super) fn compile(files: Vec<ContentFile>, numbering: &Numbering) -> Result<Catalog, Vec<BadInput>> {
    let (mut all, mut problems) = (RawFile::default(), Vec::new());
    files.iter().for_each(|file| all.lay(file, &mut problems));
    let mistake = |problem: Problem| BadInput::new("content.syntax", problem.place, problem.message);
    let mut told = Told { written: all.written, mistakes: problems.into_iter().map(mistake).collect() };
    let pieces = pieces(all.piece, numbering, &mut told);
    let kinds = |name: &str| {
        let found = pieces.iter().position(|def| def.id == name);
        let known = pieces.iter().map(|def| def.id.as_str());
        found.map(|index| Kind(index as u8)).ok_or_else(|| unknown("piece", name, known))
    };
    let mut run = super::run::compile(&kinds, all.run, &all.runs, all.relic, all.event, &mut told);
    if let Some(run) = &mut run {
        number(numbering, "relic", &mut run.relics, |relic| &relic.id);
        number(numbering, "event", &mut run.events, |event| &event.id);
    }
    let (mut abilities, tiles) = (abilities(all.ability, &mut told), tiles(all.tile, &mut told));
    number(numbering, "ability", &mut abilities, |ability| &ability.id);
    // What is not there at all, not even in the built-in files, cannot be read on from.
    let Some(run) = run.filter(|_| !pieces.is_empty() && !abilities.is_empty() && !tiles.is_empty()) else {
        return Err(told.in_order());
    };
    let mut catalog =
        Catalog { run, pieces, abilities, tiles, rulesets: Vec::new(), boards: Vec::new(), sources: files };
    catalog.rulesets = told.each(all.ruleset, |id, rules, wrong| named_ruleset(&catalog, id, rules, wrong));
    catalog.boards = told.each(all.board, |id, raw, wrong| BoardDef::compile(&catalog, id, raw, wrong));
    if told.mistakes.is_empty() { Ok(catalog) } else { Err(told.in_order()) }
}

/// Everything that is wrong so far.
pub(super) struct Told {
    /// What is written, kind and name, be it sound or not: who names it has not misspelt it.
    written: Vec<(&'static str, String)>,
    mistakes: Vec<BadInput>,
}

impl Told {
    /// Compiles the entries of a kind in the order of their names, and notes everything that is wrong with any of them.
    pub fn each<T, R>(
        &mut self,
        entries: impl IntoIterator<Item = (String, Entry<T>)>,
        compile: impl Fn(String, T, &mut Vec<BadInput>) -> R,
    ) -> Vec<R> {
        let mut compiled = Vec::new();
        for (id, Entry { place, value, node, .. }) in entries {
            let mut wrong = Vec::new();
            compiled.push(compile(id, value, &mut wrong));
            wrong.into_iter().for_each(|error| self.note(&place, &node, error));
        }
        compiled
    }

    /// Notes what is wrong in an entry, at the word it is about.
    fn note(&mut self, place: &Place, node: &Node, mut error: BadInput) {
        let missed = |(kind, id): &(&str, String)| {
            error.place == *id && error.code.strip_suffix(".unknown") == Some(kind)
        };
        if self.written.iter().any(missed) {
            return;
        }
        let letter = error.place.strip_prefix("letter ").and_then(|number| number.parse::<usize>().ok());
        let spot = match (letter, node.get("moves")) {
            _ if error.place.is_empty() => Some(place.clone()),
            (Some(letter), Some(moves)) => Some(moves.place.right(letter)),
            // A path of keys, or a word.
            _ => error
                .place
                .split('.')
                .try_fold(node, |node, key| node.get(key))
                .map(|node| node.place.clone()),
        };
        let spot = spot.or_else(|| node.spot(&error.place)).unwrap_or_else(|| place.clone());
        error.place = spot.to_string();
        self.mistakes.push(error);
    }

    /// Notes a mistake that is no single entry's.
    pub fn alone(&mut self, error: BadInput) {
        self.mistakes.push(error);
    }

    /// The same at a place.
    pub fn at(&mut self, place: &Place, mut error: BadInput) {
        error.place = place.to_string();
        self.mistakes.push(error);
    }

    /// All of it, in the order of files and lines.
    fn in_order(mut self) -> Vec<BadInput> {
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
        self.mistakes.sort_by_cached_key(|error| {
            let mut parts = error.place.rsplitn(3, ':');
            let (column, line) = (number(parts.next()), number(parts.next()));
            (parts.next().unwrap_or_default().to_owned(), line, column)
        });
        self.mistakes.dedup();
        self.mistakes
    }
}

const ORTHODOX: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// How many of a kind a catalog holds.
pub(super) const MOST: usize = 200;

fn pieces(mut raw: Section<RawPiece>, numbering: &Numbering, told: &mut Told) -> Vec<PieceDef> {
    let mut ordered = Vec::new();
    for id in ORTHODOX {
        match raw.remove(id) {
            Some(piece) => ordered.push((id.to_owned(), piece)),
            None if told.written.iter().any(|(kind, name)| *kind == "piece" && name == id) => {}
            None => told.alone(BadInput::new(
                "piece.missing",
                id,
                format!("The catalog needs the piece \"{id}\"."),
            )),
        }
    }
    let mut others: Vec<_> = raw.into_iter().collect();
    number(numbering, "piece", &mut others, |(id, _)| id);
    ordered.extend(others);
    if let Some((_, one)) = ordered.get(MOST) {
        let reason = format!("A catalog holds at most {MOST} kinds of pieces; this is one more.");
        told.at(&one.place.clone(), BadInput::new("piece.too-many", "", reason));
    }
    ordered.truncate(MOST);
    let ids: Vec<String> = ordered.iter().map(|(id, _)| id.clone()).collect();
    told.each(ordered, |id, piece, wrong| compile_piece(id, piece, &ids, wrong))
}

fn compile_piece(id: String, raw: RawPiece, ids: &[String], wrong: &mut Vec<BadInput>) -> PieceDef {
    let steps = sound(parse_betza(&raw.moves), wrong).unwrap_or_default();
    let named = |name: &String| {
        let found = ids.iter().position(|id| id == name).map(|index| Kind(index as u8));
        found.ok_or_else(|| unknown("piece", name, ids.iter().map(String::as_str)))
    };
    let evolves = raw.evolves.as_ref().and_then(|name| sound(named(name), wrong)).unwrap_or(Kind::NONE);
    let letter = raw.letter.to_ascii_uppercase();
    let symbols: Vec<char> = raw.symbols.unwrap_or_default().chars().collect();
    PieceDef {
        name: raw.name.unwrap_or_else(|| titled(&id)),
        letter,
        symbols: match symbols[..] {
            [white, black] => [white, black],
            _ => [letter, letter.to_ascii_lowercase()],
        },
        value: raw.value,
        royal: raw.royal,
        pawn: raw.pawn,
        steps,
        moves: raw.moves,
        evolves,
        about: raw.about,
        id,
    }
}

/// The value, or a note of what is wrong.
pub(super) fn sound<T>(read: Result<T, BadInput>, wrong: &mut Vec<BadInput>) -> Option<T> {
    read.map_err(|error| wrong.push(error)).ok()
}

fn abilities(raw: Section<RawAbility>, told: &mut Told) -> Vec<AbilityDef> {
    if raw.is_empty() || raw.len() > MOST {
        let reason = format!("A catalog holds between 1 and {MOST} abilities.");
        told.alone(BadInput::new("ability.count", "", reason));
    }
    let compile = |Entry { id, value: raw, .. }: Entry<RawAbility>| AbilityDef {
        name: raw.name.unwrap_or_else(|| titled(&id)),
        verb: raw.verb,
        priority: raw.priority,
        value: raw.value,
        charges: raw.charges,
        chain: raw.chain,
        spares_pawns: raw.spares_pawns,
        kills_taker: raw.kills_taker,
        mark: raw.mark,
        pool: raw.pool,
        about: raw.about,
        id,
    };
    raw.into_values().take(MOST).map(compile).collect()
}

fn tiles(mut raw: Section<TileDef>, told: &mut Told) -> Vec<TileDef> {
    let mut tiles = Vec::new();
    for tile in Tile::ALL {
        match raw.remove(tile_id(tile)) {
            Some(entry) => tiles.push(TileDef { tile, ..entry.value }),
            None if told.written.iter().any(|(kind, name)| *kind == "tile" && name == tile_id(tile)) => {}
            None => {
                let reason = "The catalog must describe every tile.";
                told.alone(BadInput::new("tile.missing", tile_id(tile), reason));
            }
        }
    }
    for Entry { id, place, .. } in raw.values() {
        told.at(place, unknown("tile", id, Tile::ALL.into_iter().map(tile_id)));
    }
    // Places in the list are numbers of tiles.
    if tiles.len() == Tile::ALL.len() { tiles } else { Vec::new() }
}

fn named_ruleset(catalog: &Catalog, id: String, mut rules: Ruleset, wrong: &mut Vec<BadInput>) -> Ruleset {
    for name in &rules.innate {
        sound(catalog.ability_named(name), wrong);
    }
    for name in &rules.promotions {
        sound(catalog.kind_named(name), wrong);
    }
    if rules.promotions.is_empty() {
        wrong.push(BadInput::new(
            "ruleset.promotions",
            "promotions",
            "A ruleset needs at least one promotion.",
        ));
    }
    if rules.title.is_empty() {
        rules.title = titled(&id);
    }
    rules.id = id;
    rules
}

/// `wall-placement` as `Wall placement`.
pub(super) fn titled(id: &str) -> String {
    let text = id.replace('-', " ");
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_wrong(extra: &str) -> Result<Catalog, Vec<BadInput>> {
        let mut files = builtin_files();
        files.push(ContentFile { name: "extra.toml".to_owned(), text: extra.to_owned() });
        Catalog::read(files)
    }

    fn with(extra: &str) -> Result<Catalog, BadInput> {
        all_wrong(extra).map_err(|mut mistakes| mistakes.swap_remove(0))
    }

    #[test]
    fn a_new_piece_is_one_entry() {
        let text = "[piece.duck]\nletter = \"J\"\nvalue = 2\nmoves = \"WAF2\"\n";
        let catalog = with(text).unwrap();
        assert_eq!(catalog.piece(catalog.kind_named("duck").unwrap()).name, "Duck");
    }

    #[test]
    fn mistakes_name_file_line_and_column() {
        let error = with("\n[piece.duck]\nleter = \"J\"\n").unwrap_err();
        assert_eq!(error.code, "content.syntax");
        assert!(error.place.starts_with("extra.toml:3:1"), "{}", error.place);
        let error = with("[piece.duck]\nletter = \"J\"\nvalue = 2\nmoves = \"WX\"\n").unwrap_err();
        let place = "extra.toml:4:11";
        assert_eq!((error.code.as_str(), error.place.as_str()), ("betza.atom", place));
    }

    #[test]
    fn all_mistakes_are_told_at_once_with_the_nearest_name() {
        let text = "[piece.duck]\nleter = \"J\"\n[relic.purse]\nabuot = \"\"\n[bord.x]\n";
        let told: Vec<String> = all_wrong(text).unwrap_err().iter().map(BadInput::at_its_place).collect();
        assert_eq!(
            told,
            [
                "extra.toml:2:1: unknown key `leter`; did you mean `letter`?",
                "extra.toml:4:1: unknown key `abuot`; did you mean `about`?",
                "extra.toml:5:2: unknown key `bord` in this file; did you mean `board`?",
            ]
        );
        let text = "[piece.duck]\nletter = \"J\"\nvalue = 2\nmoves = \"WX\"\n\
                    [piece.swan]\nletter = \"S\"\nvalue = 2\nmoves = \"W\"\nevolves = \"duc\"\n";
        let told = all_wrong(text).unwrap_err();
        let codes: Vec<&str> = told.iter().map(|error| error.code.as_str()).collect();
        assert_eq!(codes, ["betza.atom", "piece.unknown"]);
        assert_eq!(told[1].place, "extra.toml:9:11");
    }

    /// What was wrong with the form hid what was wrong with the meaning, and one entry told one mistake.
    #[test]
    fn every_mistake_of_every_stage_is_told_at_once_where_it_stands() {
        let text = "[piece.duck]\nletter = 7\nvalue = -2\nmoves = \"W\"\n\
                    [piece.swan]\nletter = \"S\"\nvalue = 2\nmoves = \"WX\"\nevolves = \"rok\"\n\
                    [ruleset.odd]\npromotions = [\"duck\", \"quen\"]\ninnate = [\"explodin\", \"marksmann\"]\n\
                    [board.b]\ntitle = \"B\"\nwidth = 5\nheight = 30\nwhite = [\"king a1\", \"nkight b1\"]\n\
                    black = []\n\
                    [board.c]\ntitle = \"C\"\nwidth = 5\nheight = 5\nruleset = \"odd\"\n\
                    white = [\"king a1\", \"nkight b1\", \"rook z9 explodin\"]\nblack = [\"king a1\"]\n\
                    [relic.r]\nabout = \"\"\nrecruits = [\"pown\", \"quen\"]\nalter = { prize = 100000 }\n\
                    [run]\nroster-limit = 0\nmap = []\n";
        let told: Vec<String> = all_wrong(text).unwrap_err().iter().map(BadInput::at_its_place).collect();
        let places: Vec<&str> = told.iter().map(|line| line.split_once(": ").unwrap().0).collect();
        assert_eq!(
            places,
            [
                "extra.toml:2:10",
                "extra.toml:3:9",
                "extra.toml:8:11",
                "extra.toml:9:11",
                "extra.toml:11:23",
                "extra.toml:12:11",
                "extra.toml:12:23",
                "extra.toml:16:10",
                "extra.toml:17:22",
                "extra.toml:24:22",
                "extra.toml:24:40",
                "extra.toml:24:43",
                "extra.toml:28:13",
                "extra.toml:28:21",
                "extra.toml:29:19",
                "extra.toml:31:16",
                "extra.toml:32:7",
            ],
            "{told:#?}"
        );
    }

    #[test]
    fn a_relic_and_a_map_event_are_one_entry_each() {
        let text = "[relic.purse]\nabout = \"Rich.\"\nalter = { prize = 5 }\n[event.well]\ntext = \"Drink.\"\ndo = [\"bless\"]\n";
        let catalog = with(text).unwrap();
        let relic = catalog.relic_named("purse").unwrap();
        assert_eq!(usize::from(relic.0), catalog.run.relics.len() - 1, "behind those that have a place");
        assert_eq!(catalog.run.events.last().map(|event| event.title.as_str()), Some("Well"));
        let cheap = with("[run]\nrelic-price = 1\n").unwrap();
        assert_eq!((cheap.run.numbers.relic_price, cheap.run.numbers.prize), (1, 2), "the rest stays");
    }

    #[test]
    fn mistakes_in_a_run_are_named() {
        for (text, code) in [
            ("[relic.x]\nabout = \"\"\nrecruits = [\"pown\"]\n", "piece.unknown"),
            ("[relic.x]\nabout = \"\"\nlay = [{ tile = \"void\", on = \"king\" }]\n", "relic.tile"),
            ("[relic.x]\nabout = \"\"\nalter = { prize = 100000 }\n", "content.syntax"),
            ("[relic.x]\nabout = \"\"\nswitches = [\"fly\"]\n", "content.syntax"),
            ("[event.x]\ntext = \"\"\ndo = []\n", "event.deeds"),
            (
                "[event.x]\ntext = \"\"\ndo = [{ train = { from = \"pawn\", to = \"duke\" } }]\n",
                "piece.unknown",
            ),
            ("[run]\nmap = []\n", "run.number"),
            ("[run]\nmap = [{}]\n", "run.number"),
            ("[run]\ntiles = []\n", "run.number"),
            ("[run]\nroster-limit = 0\n", "content.syntax"),
            ("[run.boss]\nside = 90\n", "content.syntax"),
        ] {
            assert_eq!(with(text).unwrap_err().code, code, "{text}");
        }
    }

    #[test]
    fn rulesets_name_known_things_only() {
        let error = with("[ruleset.odd]\ninnate = [\"explodin\"]\n").unwrap_err();
        assert_eq!(error.code, "ability.unknown");
        assert!(error.reason.contains("exploding"));
    }
}
