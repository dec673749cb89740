//! From content files to the catalog.

use super::board::{BoardDef, RawBoard};
use super::run::{MapEventDef, RawRun, RelicDef};
use super::{AbilityDef, Catalog, PieceDef, Ruleset, TileDef, parse_betza, tile_id, unknown};
use crate::ability::Verb;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::tile::Tile;
use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use turnstone_content::{Document, Entry, Place, Problem, embedded};

static CONTENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content");

pub use turnstone_host::Source as ContentFile;

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
}

impl RawFile {
    fn lay(&mut self, file: &ContentFile, problems: &mut Vec<Problem>) {
        let mut document = Document::read(&file.name, &file.text, problems);
        lay_over(&mut self.piece, document.entries("piece", problems));
        lay_over(&mut self.ability, document.entries("ability", problems));
        lay_over(&mut self.tile, document.entries("tile", problems));
        lay_over(&mut self.ruleset, document.entries("ruleset", problems));
        lay_over(&mut self.board, document.entries("board", problems));
        lay_over(&mut self.relic, document.entries("relic", problems));
        lay_over(&mut self.event, document.entries("event", problems));
        if let Some(run) = document.value("run", problems) {
            self.run = std::mem::take(&mut self.run).overlaid(run);
        }
        document.finish(problems);
    }
}

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

pub(super) fn compile(files: Vec<ContentFile>) -> Result<Catalog, Vec<BadInput>> {
    let (mut all, mut problems) = (RawFile::default(), Vec::new());
    files.iter().for_each(|file| all.lay(file, &mut problems));
    if !problems.is_empty() {
        let mistake = |problem: Problem| BadInput::new("content.syntax", problem.place, problem.message);
        return Err(problems.into_iter().map(mistake).collect());
    }
    let pieces = pieces(all.piece)?;
    let kinds = |name: &str| {
        let found = pieces.iter().position(|def| def.id == name);
        let known = pieces.iter().map(|def| def.id.as_str());
        found.map(|index| Kind(index as u8)).ok_or_else(|| unknown("piece", name, known))
    };
    let run = super::run::compile(&kinds, all.run, all.relic, all.event)?;
    let mut catalog = Catalog {
        run,
        pieces,
        abilities: abilities(all.ability).map_err(alone)?,
        tiles: tiles(all.tile).map_err(alone)?,
        rulesets: Vec::new(),
        boards: Vec::new(),
        sources: files,
    };
    catalog.rulesets = each(all.ruleset, |id, rules| named_ruleset(&catalog, id, rules))?;
    catalog.boards = each(all.board, |id, raw| BoardDef::compile(&catalog, id, raw))?;
    Ok(catalog)
}

/// Compiles the entries of a kind in the order of their names, and tells everything that is wrong with any of them.
pub(super) fn each<T, R>(
    entries: impl IntoIterator<Item = (String, Entry<T>)>,
    compile: impl Fn(String, T) -> Result<R, BadInput>,
) -> Result<Vec<R>, Vec<BadInput>> {
    let (mut compiled, mut mistakes) = (Vec::new(), Vec::new());
    for (id, entry) in entries {
        match compile(id, entry.value) {
            Ok(one) => compiled.push(one),
            Err(error) => mistakes.push(placed(&entry.place, error)),
        }
    }
    if mistakes.is_empty() { Ok(compiled) } else { Err(mistakes) }
}

fn placed(place: &Place, mut error: BadInput) -> BadInput {
    error.place =
        if error.place.is_empty() { place.to_string() } else { format!("{place}, {}", error.place) };
    error
}

/// A mistake that is no single entry's.
pub(super) fn alone(error: BadInput) -> Vec<BadInput> {
    vec![error]
}

const ORTHODOX: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

fn pieces(mut raw: Section<RawPiece>) -> Result<Vec<PieceDef>, Vec<BadInput>> {
    let mut ordered = Vec::new();
    for id in ORTHODOX {
        let piece = raw.remove(id).ok_or_else(|| {
            alone(BadInput::new("piece.missing", id, format!("The catalog needs the piece \"{id}\".")))
        })?;
        ordered.push((id.to_owned(), piece));
    }
    ordered.extend(raw);
    if ordered.len() > 200 {
        let reason = "A catalog holds at most 200 kinds of pieces.";
        return Err(alone(BadInput::new("piece.too-many", "", reason)));
    }
    let ids: Vec<String> = ordered.iter().map(|(id, _)| id.clone()).collect();
    each(ordered, |id, piece| compile_piece(id, piece, &ids))
}

fn compile_piece(id: String, raw: RawPiece, ids: &[String]) -> Result<PieceDef, BadInput> {
    let in_piece = |mut error: BadInput| {
        error.place = format!("piece.{id}, {}", error.place);
        error
    };
    let steps = parse_betza(&raw.moves).map_err(in_piece)?;
    let evolves = match &raw.evolves {
        None => Kind::NONE,
        Some(name) => {
            let found = ids.iter().position(|id| id == name);
            let index =
                found.ok_or_else(|| in_piece(unknown("piece", name, ids.iter().map(String::as_str))))?;
            Kind(index as u8)
        }
    };
    let letter = raw.letter.to_ascii_uppercase();
    let symbols: Vec<char> = raw.symbols.unwrap_or_default().chars().collect();
    Ok(PieceDef {
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
    })
}

fn abilities(raw: Section<RawAbility>) -> Result<Vec<AbilityDef>, BadInput> {
    if raw.is_empty() || raw.len() > 200 {
        return Err(BadInput::new("ability.count", "", "A catalog holds between 1 and 200 abilities."));
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
    Ok(raw.into_values().map(compile).collect())
}

fn tiles(mut raw: Section<TileDef>) -> Result<Vec<TileDef>, BadInput> {
    let mut tiles = Vec::new();
    for tile in Tile::ALL {
        let entry = raw.remove(tile_id(tile)).ok_or_else(|| {
            BadInput::new("tile.missing", tile_id(tile), "The catalog must describe every tile.")
        })?;
        tiles.push(TileDef { tile, ..entry.value });
    }
    match raw.values().next() {
        Some(Entry { id, place, .. }) => {
            Err(placed(place, unknown("tile", id, Tile::ALL.into_iter().map(tile_id))))
        }
        None => Ok(tiles),
    }
}

fn named_ruleset(catalog: &Catalog, id: String, mut rules: Ruleset) -> Result<Ruleset, BadInput> {
    for name in &rules.innate {
        catalog.ability_named(name)?;
    }
    for name in &rules.promotions {
        catalog.kind_named(name)?;
    }
    if rules.promotions.is_empty() {
        return Err(BadInput::new("ruleset.promotions", &id, "A ruleset needs at least one promotion."));
    }
    if rules.title.is_empty() {
        rules.title = titled(&id);
    }
    rules.id = id;
    Ok(rules)
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
        let place = "extra.toml:1:8, piece.duck, letter 2";
        assert_eq!((error.code.as_str(), error.place.as_str()), ("betza.atom", place));
    }

    #[test]
    fn all_mistakes_are_told_at_once_with_the_nearest_name() {
        let text = "[piece.duck]\nleter = \"J\"\n[relic.purse]\nabuot = \"\"\n[bord.x]\n";
        let told: Vec<String> = all_wrong(text).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "unknown key `leter`; did you mean `letter`? [content.syntax at extra.toml:2:1]",
                "unknown key `abuot`; did you mean `about`? [content.syntax at extra.toml:4:1]",
                "unknown key `bord` in this file; did you mean `board`? [content.syntax at extra.toml:5:2]",
            ]
        );
        let text = "[piece.duck]\nletter = \"J\"\nvalue = 2\nmoves = \"WX\"\n\
                    [piece.swan]\nletter = \"S\"\nvalue = 2\nmoves = \"W\"\nevolves = \"duc\"\n";
        let told = all_wrong(text).unwrap_err();
        let codes: Vec<&str> = told.iter().map(|error| error.code.as_str()).collect();
        assert_eq!(codes, ["betza.atom", "piece.unknown"]);
        assert!(told[1].place.starts_with("extra.toml:5:8"), "{}", told[1].place);
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
            ("[relic.x]\nabout = \"\"\nalter = { prize = 100000 }\n", "relic.number"),
            ("[relic.x]\nabout = \"\"\nswitches = [\"fly\"]\n", "content.syntax"),
            ("[event.x]\ntext = \"\"\ndo = []\n", "event.deeds"),
            (
                "[event.x]\ntext = \"\"\ndo = [{ train = { from = \"pawn\", to = \"duke\" } }]\n",
                "piece.unknown",
            ),
            ("[run]\nmap = []\n", "run.number"),
            ("[run]\nmap = [{}]\n", "run.number"),
            ("[run]\ntiles = []\n", "run.number"),
            ("[run]\nroster-limit = 0\n", "run.number"),
            ("[run.boss]\nside = 90\n", "run.number"),
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
