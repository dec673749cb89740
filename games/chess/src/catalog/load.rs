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

static CONTENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content");

pub use turnstone_host::Source as ContentFile;

/// The files that are built in, in the order of their names.
pub fn builtin_files() -> Vec<ContentFile> {
    fn walk(dir: &Dir<'_>, files: &mut Vec<ContentFile>) {
        for file in dir.files().filter(|file| file.path().extension().is_some_and(|end| end == "toml")) {
            let text = file.contents_utf8().unwrap_or_default().to_owned();
            files.push(ContentFile { name: file.path().to_string_lossy().replace('\\', "/"), text });
        }
        dir.dirs().for_each(|dir| walk(dir, files));
    }
    let mut files = Vec::new();
    walk(&CONTENT, &mut files);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// One content file; any kind of entry may be in any file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RawFile {
    /// Kinds of pieces.
    piece: BTreeMap<String, RawPiece>,
    /// Abilities.
    ability: BTreeMap<String, RawAbility>,
    /// Descriptions of tiles.
    tile: BTreeMap<String, TileDef>,
    /// Rulesets.
    ruleset: BTreeMap<String, Ruleset>,
    /// Boards.
    board: BTreeMap<String, RawBoard>,
    /// The numbers of the run; what a later file leaves out stays as it was.
    run: RawRun,
    /// Relics of the run.
    relic: BTreeMap<String, RelicDef<String>>,
    /// What may be met on the map of the run.
    event: BTreeMap<String, MapEventDef<String>>,
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

pub(super) fn compile(files: Vec<ContentFile>) -> Result<Catalog, BadInput> {
    let mut all = RawFile::default();
    for file in &files {
        let raw = parse(file)?;
        all.piece.extend(raw.piece);
        all.ability.extend(raw.ability);
        all.tile.extend(raw.tile);
        all.ruleset.extend(raw.ruleset);
        all.board.extend(raw.board);
        all.run = all.run.overlaid(raw.run);
        all.relic.extend(raw.relic);
        all.event.extend(raw.event);
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
        abilities: abilities(all.ability)?,
        tiles: tiles(all.tile)?,
        rulesets: all.ruleset.into_iter().map(|(id, rules)| named_ruleset(id, rules)).collect(),
        boards: Vec::new(),
        sources: files,
    };
    check_rulesets(&catalog)?;
    catalog.boards = boards(&catalog, all.board)?;
    Ok(catalog)
}

fn parse(file: &ContentFile) -> Result<RawFile, BadInput> {
    toml::from_str(&file.text).map_err(|error| {
        let place = match error.span() {
            Some(span) => {
                let (line, column) = line_and_column(&file.text, span.start);
                format!("{}:{line}:{column}", file.name)
            }
            None => file.name.clone(),
        };
        BadInput::new("content.syntax", place, error.message())
    })
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

const ORTHODOX: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

fn pieces(mut raw: BTreeMap<String, RawPiece>) -> Result<Vec<PieceDef>, BadInput> {
    let mut ordered = Vec::new();
    for id in ORTHODOX {
        let piece = raw.remove(id).ok_or_else(|| {
            BadInput::new("piece.missing", id, format!("The catalog needs the piece \"{id}\"."))
        })?;
        ordered.push((id.to_owned(), piece));
    }
    ordered.extend(raw);
    if ordered.len() > 200 {
        return Err(BadInput::new("piece.too-many", "", "A catalog holds at most 200 kinds of pieces."));
    }
    let ids: Vec<String> = ordered.iter().map(|(id, _)| id.clone()).collect();
    let mut pieces = Vec::new();
    for (id, piece) in ordered {
        pieces.push(compile_piece(id, piece, &ids)?);
    }
    Ok(pieces)
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

fn abilities(raw: BTreeMap<String, RawAbility>) -> Result<Vec<AbilityDef>, BadInput> {
    if raw.is_empty() || raw.len() > 200 {
        return Err(BadInput::new("ability.count", "", "A catalog holds between 1 and 200 abilities."));
    }
    let compile = |(id, raw): (String, RawAbility)| AbilityDef {
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
    Ok(raw.into_iter().map(compile).collect())
}

fn tiles(mut raw: BTreeMap<String, TileDef>) -> Result<Vec<TileDef>, BadInput> {
    let mut tiles = Vec::new();
    for tile in Tile::ALL {
        let mut def = raw.remove(tile_id(tile)).ok_or_else(|| {
            BadInput::new("tile.missing", tile_id(tile), "The catalog must describe every tile.")
        })?;
        def.tile = tile;
        tiles.push(def);
    }
    match raw.keys().next() {
        Some(name) => Err(unknown("tile", name, Tile::ALL.into_iter().map(tile_id))),
        None => Ok(tiles),
    }
}

fn named_ruleset(id: String, mut rules: Ruleset) -> Ruleset {
    if rules.title.is_empty() {
        rules.title = titled(&id);
    }
    rules.id = id;
    rules
}

fn check_rulesets(catalog: &Catalog) -> Result<(), BadInput> {
    for rules in &catalog.rulesets {
        let place = |mut error: BadInput| {
            error.place = format!("ruleset.{}", rules.id);
            error
        };
        for name in &rules.innate {
            catalog.ability_named(name).map_err(place)?;
        }
        for name in &rules.promotions {
            catalog.kind_named(name).map_err(place)?;
        }
        if rules.promotions.is_empty() {
            return Err(BadInput::new(
                "ruleset.promotions",
                &rules.id,
                "A ruleset needs at least one promotion.",
            ));
        }
    }
    Ok(())
}

fn boards(catalog: &Catalog, raw: BTreeMap<String, RawBoard>) -> Result<Vec<BoardDef>, BadInput> {
    raw.into_iter().map(|(id, raw)| BoardDef::compile(catalog, id, raw)).collect()
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

    fn with(extra: &str) -> Result<Catalog, BadInput> {
        let mut files = builtin_files();
        files.push(ContentFile { name: "extra.toml".to_owned(), text: extra.to_owned() });
        Catalog::read(files)
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
        assert_eq!((error.code.as_str(), error.place.as_str()), ("betza.atom", "piece.duck, letter 2"));
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
