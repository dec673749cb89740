//! Loading content: the files built into the program, overlaid by those of a ruleset and by any
//! that are given at run time.

use super::acts::Act;
use super::defs::{
    Ascension, Burning, Card, Character, Encounter, Entry, Monster, Orb, Order, Potion, Power, Relic, Stance,
};
use super::events::EventDef;
use super::gifts::{Gift, check_gifts};
use super::maps::MapDef;
use super::read::Reader;
use super::words::Color;
use crate::run::score::ScoreRule;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use turnstone_content::{Fields, Node, Place, Problem, Tree, embedded, hint, in_order, nearest, parse};
use turnstone_host::{Numbering, Source, number};

static BUILTIN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content");

const KINDS: &[&str] = &[
    Card::KIND,
    Power::KIND,
    Relic::KIND,
    Potion::KIND,
    Orb::KIND,
    Stance::KIND,
    Monster::KIND,
    Encounter::KIND,
    Character::KIND,
    Act::KIND,
    Ascension::KIND,
    Burning::KIND,
    Order::KIND,
    MapDef::KIND,
    EventDef::KIND,
    Gift::KIND,
    ScoreRule::KIND,
];

/// Content files in layers; a later layer changes the entries of the earlier ones key by key.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    layers: Vec<Vec<(String, String)>>,
}

impl Sources {
    /// The files built into the program, with the overlay of that name if there is one.
    pub fn builtin(overlay: &str) -> Self {
        let mut layers = vec![Vec::new(), Vec::new()];
        for Source { name, text } in embedded(&BUILTIN, ".toml") {
            let mut parts = name.splitn(3, '/');
            match (parts.next(), parts.next()) {
                (Some("overlays"), Some(of)) if of == overlay => layers[1].push((name, text)),
                (Some("overlays"), _) => {}
                _ => layers[0].push((name, text)),
            }
        }
        Sources { layers }
    }

    /// All files of all layers, for a digest.
    pub fn texts(&self) -> &[Vec<(String, String)>] {
        &self.layers
    }

    /// Adds a file as a layer of its own.
    pub fn with_text(mut self, name: &str, text: &str) -> Self {
        self.layers.push(vec![(name.to_string(), text.to_string())]);
        self
    }

    /// Adds the `.toml` files among these as one layer, in the order of their names.
    pub(crate) fn with_files(mut self, files: &[Source]) -> Self {
        let ours = files.iter().filter(|file| file.name.ends_with(".toml"));
        let mut layer: Vec<(String, String)> =
            ours.map(|file| (file.name.clone(), file.text.clone())).collect();
        layer.sort();
        self.layers.push(layer);
        self
    }
}

/// All definitions of a game, read and checked; ids in ascending order, unless a match file numbers them otherwise.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Content {
    pub cards: Vec<Card>,
    pub powers: Vec<Power>,
    pub relics: Vec<Relic>,
    pub potions: Vec<Potion>,
    pub orbs: Vec<Orb>,
    pub stances: Vec<Stance>,
    pub monsters: Vec<Monster>,
    pub encounters: Vec<Encounter>,
    pub characters: Vec<Character>,
    pub acts: Vec<Act>,
    pub ascensions: Vec<Ascension>,
    pub burnings: Vec<Burning>,
    pub(crate) orders: Vec<Order>,
    pub maps: Vec<MapDef>,
    pub events: Vec<EventDef>,
    pub gifts: Vec<Gift>,
    pub score: Vec<ScoreRule>,
}

type Tables = BTreeMap<&'static str, BTreeMap<String, Node>>;

impl Content {
    /// Reads and checks all layers.
    ///
    /// # Errors
    /// Every problem found, in the order of files and lines.
    pub fn load(sources: &Sources) -> Result<Content, Vec<Problem>> {
        let mut reader = Reader::default();
        let mut tables = Tables::new();
        for layer in &sources.layers {
            merge(layer, KINDS, &mut tables, &mut reader);
        }
        let content = Content {
            cards: entries(&tables, &mut reader),
            powers: entries(&tables, &mut reader),
            relics: entries(&tables, &mut reader),
            potions: entries(&tables, &mut reader),
            orbs: entries(&tables, &mut reader),
            stances: entries(&tables, &mut reader),
            monsters: entries(&tables, &mut reader),
            encounters: entries(&tables, &mut reader),
            characters: entries(&tables, &mut reader),
            acts: entries(&tables, &mut reader),
            ascensions: entries(&tables, &mut reader),
            burnings: entries(&tables, &mut reader),
            orders: entries(&tables, &mut reader),
            maps: entries(&tables, &mut reader),
            events: entries(&tables, &mut reader),
            gifts: entries(&tables, &mut reader),
            score: entries(&tables, &mut reader),
        };
        check_colors(&content, &mut reader);
        check_levels(&content.ascensions, &mut reader);
        check_gifts(&content, &mut reader);
        check_references(&tables, &mut reader);
        sound(content, reader.problems)
    }

    /// The same with its entries in the order in which a match file numbers them.
    pub(crate) fn numbered(mut self, numbering: &Numbering) -> Content {
        number(numbering, "card", &mut self.cards, |it| &it.common.id);
        number(numbering, "power", &mut self.powers, |it| &it.common.id);
        number(numbering, "relic", &mut self.relics, |it| &it.common.id);
        number(numbering, "potion", &mut self.potions, |it| &it.common.id);
        number(numbering, "orb", &mut self.orbs, |it| &it.common.id);
        number(numbering, "stance", &mut self.stances, |it| &it.common.id);
        number(numbering, "monster", &mut self.monsters, |it| &it.common.id);
        number(numbering, "fight", &mut self.encounters, |it| &it.common.id);
        number(numbering, "event", &mut self.events, |it| &it.common.id);
        number(numbering, "character", &mut self.characters, |it| &it.common.id);
        number(numbering, "neow", &mut self.gifts, |it| &it.common.id);
        self
    }
}

/// All entries of one kind that the catalog leaves to somebody else; other entries are not looked at.
pub(super) fn load_kind<T: Entry>(sources: &Sources) -> Result<Vec<T>, Vec<Problem>> {
    let mut reader = Reader::default();
    let mut tables = Tables::new();
    for layer in &sources.layers {
        let holds = |(_, text): &&(String, String)| text.contains(&format!("[{}.", T::KIND));
        let files: Vec<(String, String)> = layer.iter().filter(holds).cloned().collect();
        merge(&files, &[T::KIND], &mut tables, &mut reader);
    }
    let entries = entries(&tables, &mut reader);
    sound(entries, reader.problems)
}

/// The value, or the problems in the order of files and lines.
fn sound<T>(value: T, mut problems: Vec<Problem>) -> Result<T, Vec<Problem>> {
    if problems.is_empty() {
        return Ok(value);
    }
    in_order(&mut problems);
    Err(problems)
}

/// Adds one layer: a new entry is taken over, a known one is changed key by key.
fn merge(layer: &[(String, String)], kinds: &[&'static str], tables: &mut Tables, reader: &mut Reader) {
    let Reader { problems, deleted, .. } = reader;
    let mut seen: BTreeMap<(String, String), Place> = BTreeMap::new();
    for (file, text) in layer {
        let root = match parse(file, text) {
            Ok(root) => root,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let Some(fields) = Fields::open(&root, problems) else { continue };
        for (kind, place, node) in fields.keys() {
            let Some(kind) = kinds.iter().find(|known| **known == kind) else {
                if !KINDS.contains(&kind) {
                    let message =
                        format!("unknown kind of entry `{kind}`{}", hint(kind, KINDS.iter().copied()));
                    problems.push(Problem { place: place.clone(), message });
                }
                continue;
            };
            let Some(entries) = Fields::open(node, problems) else { continue };
            for (id, place, node) in entries.keys() {
                if let Some(first) = seen.insert((kind.to_string(), id.to_string()), place.clone()) {
                    let message = format!("the {kind} `{id}` is already written at {first}");
                    problems.push(Problem { place: place.clone(), message });
                }
                let mut node = node.clone();
                node.place = place.clone();
                if !overlay(tables.entry(kind).or_default(), id, node) {
                    deleted.insert((*kind, id.to_string()));
                }
            }
        }
    }
}

/// Whether the entry is there afterwards.
fn overlay(entries: &mut BTreeMap<String, Node>, id: &str, node: Node) -> bool {
    let says = |rows: &[(String, Place, Node)], key: &str| {
        rows.iter().any(|(name, _, node)| name == key && matches!(node.value, Tree::Bool(true)))
    };
    let Tree::Table(mut rows) = node.value else {
        entries.insert(id.to_string(), node);
        return true;
    };
    if says(&rows, "delete") {
        entries.remove(id);
        return false;
    }
    let anew = says(&rows, "replace");
    rows.retain(|(name, ..)| name != "replace");
    match entries.get_mut(id) {
        Some(Node { value: Tree::Table(old), .. }) if !anew => {
            for row in rows {
                match old.iter_mut().find(|(name, ..)| *name == row.0) {
                    Some(known) => *known = row,
                    None => old.push(row),
                }
            }
        }
        _ => {
            entries.insert(id.to_string(), Node { value: Tree::Table(rows), place: node.place });
        }
    }
    true
}

fn entries<T: Entry>(tables: &Tables, reader: &mut Reader) -> Vec<T> {
    let Some(entries) = tables.get(T::KIND) else { return Vec::new() };
    let mut out = Vec::new();
    for (id, node) in entries {
        let Some(mut fields) = Fields::open(node, &mut reader.problems) else { continue };
        let before = reader.problems.len();
        out.push(T::read(reader, &mut fields, id));
        for name in std::mem::take(&mut reader.owner_names) {
            let message =
                format!("no {} `{}`: monsters and events have such of their own", name.kind, name.name);
            reader.wrong(&name.place, message);
        }
        let others = entries.keys().map(String::as_str).filter(|other| other != id);
        // Who changes an entry and misspells it has written a new one that lacks what every entry must say.
        if let Some(lacking) = reader.problems[before..].iter_mut().find(|problem| problem.is_lack())
            && let Some(near) = nearest(id, others)
        {
            lacking.message.push_str(&format!("; or did you mean the {} `{near}`?", T::KIND));
        }
        fields.finish(&format!("the {} `{id}`", T::KIND), &mut reader.problems);
    }
    out
}

/// A color is one of the four that belong to nobody, or a character's.
fn check_colors(content: &Content, reader: &mut Reader) {
    let own = content.characters.iter().map(|character| character.color.as_str());
    let known: Vec<&str> = own.chain(Color::NOBODYS.iter().map(|(name, _)| *name)).collect();
    for reference in reader.references.iter().filter(|reference| reference.kind == Color::KIND) {
        if !known.contains(&reference.name.as_str()) {
            let message =
                format!("no color `{}`{}", reference.name, hint(&reference.name, known.iter().copied()));
            reader.problems.push(Problem { place: reference.place.clone(), message });
        }
    }
    reader.references.retain(|reference| reference.kind != Color::KIND);
}

/// Levels of ascension are counted up: each is chosen after the one below it.
fn check_levels(levels: &[Ascension], reader: &mut Reader) {
    let number = |level: &Ascension| level.common.id.parse::<u8>().ok();
    let known: Vec<u8> = levels.iter().filter_map(number).collect();
    for level in levels {
        let Some(below) = number(level).and_then(|number| number.checked_sub(1)) else { continue };
        if below > 0 && !known.contains(&below) {
            let message =
                format!("there is no level {below} below this one; write `[ascension.{below}]`, too");
            reader.wrong(&level.common.place, message);
        }
    }
}

/// Every name used must be defined. A gift that was deleted costs and spoils nothing any more, which is no mistake.
fn check_references(tables: &Tables, reader: &mut Reader) {
    let none = BTreeMap::new();
    for reference in std::mem::take(&mut reader.references) {
        let known = tables.get(reference.kind).unwrap_or(&none);
        let forgone = reference.kind == Gift::KIND
            && reader.deleted.contains(&(reference.kind, reference.name.clone()));
        if !known.contains_key(&reference.name) && !forgone {
            let near = hint(&reference.name, known.keys().map(String::as_str).collect::<Vec<_>>());
            reader.wrong(&reference.place, format!("no {} `{}`{near}", reference.kind, reference.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::verb::Ground;
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let sources = Sources::builtin("").with_text("mine.toml", text);
        let found = Content::load(&sources).err().unwrap_or_default();
        found.iter().map(ToString::to_string).collect()
    }

    /// The authors' test: all files load without a problem, with every overlay.
    #[test]
    fn content_built_in_is_sound() {
        for overlay in ["", "seed"] {
            if let Err(problems) = Content::load(&Sources::builtin(overlay)) {
                let lines: Vec<String> =
                    problems.iter().map(|problem| format!("content/{problem}")).collect();
                panic!("{} problems:\n{}", lines.len(), lines.join("\n"));
            }
        }
    }

    #[test]
    fn content_errors_name_the_place_and_the_nearest_name() {
        assert_eq!(
            problems("[card.zing]\ntype = \"attack\"\ncost = 1\ndo = [{ atack = 6 }]\n"),
            ["mine.toml:4:7: a step needs a verb; did you mean `attack`?"]
        );
        assert_eq!(
            problems("[card.zing]\ntype = \"attack\"\nksot = 1\n"),
            ["mine.toml:3:1: unknown key `ksot` in the card `zing`; did you mean `cost`?"]
        );
        assert_eq!(
            problems("[card.zing]\ntype = \"skill\"\ndo = [{ apply = \"vulnerabel\", to = \"target\" }]\n"),
            ["mine.toml:3:17: no power `vulnerabel`; did you mean `vulnerable`?"]
        );
    }

    /// All of these were called sound, and could not be played.
    #[test]
    fn numbers_that_cannot_be_played_are_refused_with_what_is_possible() {
        let hero = |rows: &str| {
            format!("[character.c]\ncolor = \"ironclad\"\nhp = 60\ndeck = {{ bash = 5 }}\n{rows}\n")
        };
        let beast = |hp: &str| {
            format!("[monster.m]\nhp = {hp}\nmove.a = {{ intent = \"attack\", do = [] }}\ncycle = [\"a\"]\n")
        };
        let fight = |rows: &str| format!("[encounter.e]\n{rows}\n");
        for (text, told) in [
            (hero("").replace("60", "0"), "3:6: expected a number from 1 to 9999, found 0"),
            (
                hero("").replace("60", "{ 0 = 60, 14 = -1 }"),
                "3:21: expected a number from 1 to 9999, found -1",
            ),
            (hero("").replace("= 5", "= 0"), "4:17: expected a number from 1 to 99, found 0"),
            (hero("").replace("= 5", "= 5000"), "4:17: expected a number from 1 to 99, found 5000"),
            (hero("").replace("bash = 5", ""), "4:8: a deck has at least one card"),
            (hero("energy = -1"), "5:10: expected a number from 0 to 99, found -1"),
            (hero("draw = 99"), "5:8: expected a number from 0 to 10, found 99"),
            (hero("relics = [\"ankor\"]"), "5:11: no relic `ankor`; did you mean `anchor`?"),
            (beast("[50, 40]"), "2:6: there is nothing from 50 to 40; the least stands first"),
            (beast("-5"), "2:6: expected a number from 1 to 9999, found -5"),
            (beast("999999999"), "2:6: expected a number from 1 to 9999, found 999999999"),
            (beast("{ 7 = 5 }"), "2:6: a table by ascension needs the level 0"),
            (fight("monsters = [\"cultist\"]\nact = 9"), "3:7: expected a number from 1 to 4, found 9"),
            (fight("monsters = []"), "1:12: a line-up has 1 to 20 monsters, not 0"),
            (
                fight("monsters = [{ any = [\"cultist\"], count = 0 }]"),
                "2:42: expected a number from 1 to 20, found 0",
            ),
            (
                "[ascension.50]\n".into(),
                "1:12: there is no level 49 below this one; write `[ascension.49]`, too",
            ),
            ("[ascension.20]\nprices = -100\n".into(), "2:10: expected a number from 0 to 1000, found -100"),
            ("[ascension.20]\nstart_hp = 0\n".into(), "2:12: expected a number from 1 to 100, found 0"),
            ("[act.1]\nweak_fights = -1\n".into(), "2:15: expected a number from 0 to 8, found -1"),
            ("[power.p]\nmin = 5\nmax = 2\n".into(), "1:8: there is nothing between `min`, 5, and `max`, 2"),
        ] {
            assert_eq!(problems(&text), [format!("mine.toml:{told}")], "{text}");
        }
    }

    #[test]
    fn content_overlays_change_single_keys() {
        let sources = Sources::builtin("").with_text("mine.toml", "[card.bash]\ncost = 0\n");
        let content = Content::load(&sources).unwrap();
        let bash = content.cards.iter().find(|card| card.common.id == "bash").unwrap();
        assert_eq!(bash.cost, [super::super::defs::Cost::Energy(0); 2]);
        assert_eq!(bash.steps.len(), 2);
    }

    /// Every example of the manual is a valid step.
    #[test]
    fn content_examples_of_all_verbs_are_valid() {
        for spec in super::super::verb::verbs() {
            let text = match spec.ground {
                Ground::Way => format!("[neow.remove_card]\ndo = [{}]\n", spec.example),
                _ => format!("[card.example]\ntype = \"skill\"\ndo = [{}]\n", spec.example),
            };
            let real: Vec<String> =
                problems(&text).into_iter().filter(|line| !line.contains(": no ")).collect();
            assert!(real.is_empty(), "{}: {real:?}", spec.name);
        }
    }
}
