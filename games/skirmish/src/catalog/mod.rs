//! Content: conditions, abilities, monsters, classes and presets as data.
//!
//! The built-in files are embedded; a directory of the same shape may be laid
//! over them when the program runs. A misspelt key is an error with file, line
//! and column, never a surprise in mid-game.

mod ability;
mod condition;
mod creature;
mod dice_notation;
mod difficulty;
mod encounter_tables;
mod findings;
mod limits;
mod rule_module;

pub use ability::{AbilityDef, AbilityKind};
pub use condition::{ConditionDef, Tick};
pub use creature::{ClassDef, MonsterDef, Tier, blank};
pub use dice_notation::DiceDef;
pub use difficulty::{DifficultyDef, Movement, TargetChoice};
pub use encounter_tables::{EncounterTables, Weights};
pub use rule_module::RuleModule;

use crate::formats::scenario::{self, Scenario};
use findings::Findings;
use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use turnstone_content::{Document, Entry, Problem};
use turnstone_host::Source;

/// The files that are compiled in.
pub static BUILT_IN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/content");

/// Everything content defines, by id.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Catalog {
    /// Conditions in file order; `dead` comes first.
    pub conditions: Vec<ConditionDef>,
    /// Abilities in file order.
    pub abilities: Vec<AbilityDef>,
    /// Monsters in file order.
    pub monsters: Vec<MonsterDef>,
    /// Classes in file order.
    pub classes: Vec<ClassDef>,
    /// Difficulty presets.
    pub difficulties: BTreeMap<String, DifficultyDef>,
    /// Rule modules.
    pub modules: BTreeMap<String, RuleModule>,
    /// Encounter budgets and templates.
    pub encounters: EncounterTables,
    /// Scenarios in order of their file names.
    pub scenarios: Vec<Scenario>,
}

/// One content file may hold any of these tables.
#[derive(Default, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct ContentFile {
    condition: BTreeMap<String, ConditionDef>,
    ability: BTreeMap<String, AbilityDef>,
    monster: Vec<MonsterDef>,
    class: Vec<ClassDef>,
    difficulty: BTreeMap<String, DifficultyDef>,
    module: BTreeMap<String, RuleModule>,
    xp: Option<BTreeMap<Tier, i64>>,
    budget: Option<BTreeMap<String, i64>>,
    template: BTreeMap<String, Weights>,
}

impl ContentFile {
    /// Reads what is sound in a file, and notes what is not.
    fn read(file: &str, text: &str, found: &mut Findings) -> Self {
        let problems = &mut found.problems;
        let mut document = Document::read(file, text, problems);
        let conditions = document.entries_within("condition", &limits::CONDITION, problems);
        let abilities = document.entries_within("ability", &limits::ABILITY, problems);
        let monsters = document.items("monster", &limits::MONSTER, problems);
        let classes = document.items("class", &limits::CLASS, problems);
        let difficulties = document.entries_within("difficulty", &limits::DIFFICULTY, problems);
        let modules = document.entries_within("module", &limits::MODULE, problems);
        let xp = document.value_within("xp", &limits::XP, problems);
        let budget = limits::budget(&mut document, problems);
        let templates = document.entries_within("template", &limits::TEMPLATE, problems);
        found.note(&document);
        document.finish(&mut found.problems);
        ContentFile {
            condition: by_name(conditions),
            ability: by_name(abilities),
            monster: values(monsters),
            class: values(classes),
            difficulty: by_name(difficulties),
            module: by_name(modules),
            xp,
            budget,
            template: by_name(templates),
        }
    }
}

fn by_name<T>(entries: Vec<Entry<T>>) -> BTreeMap<String, T> {
    entries.into_iter().map(|entry| (entry.id, entry.value)).collect()
}

fn values<T>(entries: Vec<Entry<T>>) -> Vec<T> {
    entries.into_iter().map(|entry| entry.value).collect()
}

impl Catalog {
    /// The built-in content.
    ///
    /// ```
    /// use turnstone_skirmish::catalog::Catalog;
    /// let catalog = Catalog::built_in();
    /// assert_eq!(catalog.ability("firebolt").unwrap().range, 6);
    /// assert_eq!(catalog.monster("lich").unwrap().hp, 60);
    /// ```
    pub fn built_in() -> Arc<Catalog> {
        static CATALOG: OnceLock<Arc<Catalog>> = OnceLock::new();
        CATALOG.get_or_init(|| Arc::new(Catalog::embedded())).clone()
    }

    fn embedded() -> Catalog {
        let (mut catalog, mut found) = (Catalog::default(), Findings::default());
        let scenarios = BUILT_IN.get_dir("scenarios").into_iter().flat_map(|d| d.files());
        for file in BUILT_IN.files().chain(scenarios) {
            let name = file.path().display().to_string();
            catalog.lay(&name, file.contents_utf8().unwrap_or_default(), &mut found);
        }
        let problems = found.told(&catalog);
        // The built-in files are covered by a test; a broken one is our own bug.
        assert!(problems.is_empty(), "built-in content is valid: {problems:?}");
        catalog
    }

    /// The built-in content with `*.toml` and `*.scenario.json` among these texts laid over it, in their order, as far
    /// as they are sound; and everything that is wrong with them, each with its place.
    pub fn overlaid(over: &[Source]) -> (Catalog, Vec<Problem>) {
        let (mut catalog, mut found) = ((*Catalog::built_in()).clone(), Findings::default());
        over.iter().for_each(|source| catalog.lay(&source.name, &source.text, &mut found));
        let problems = found.told(&catalog);
        (catalog, problems)
    }

    /// Lays one file over the catalog: same ids replace, new ids are added. Files that are
    /// neither TOML nor scenarios are left alone.
    ///
    /// # Errors
    /// The file is not TOML of the known tables, or not a scenario that can be opened: everything that is wrong with
    /// it, each with its place. The catalog stays as it was.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), Vec<String>> {
        let (mut catalog, mut found) = (self.clone(), Findings::default());
        catalog.lay(file, text, &mut found);
        let problems = found.told(&catalog);
        if problems.is_empty() {
            *self = catalog;
            return Ok(());
        }
        Err(problems.iter().map(ToString::to_string).collect())
    }

    fn lay(&mut self, file: &str, text: &str, found: &mut Findings) {
        if file.ends_with(".scenario.json") {
            match scenario::read(file, text) {
                Ok(read) => replace(&mut self.scenarios, read, |s| &s.meta.id),
                Err(problems) => found.problems.extend(problems),
            }
        } else if file.ends_with(".toml") {
            self.lay_tables(ContentFile::read(file, text, found));
        }
    }

    fn lay_tables(&mut self, parsed: ContentFile) {
        for (id, def) in parsed.condition {
            replace(&mut self.conditions, ConditionDef { name: id.into(), ..def }, |d| &d.name);
        }
        for (id, def) in parsed.ability {
            replace(&mut self.abilities, AbilityDef { id: id.into(), ..def }, |d| &d.id);
        }
        parsed.monster.into_iter().for_each(|d| replace(&mut self.monsters, d, |d| &d.id));
        parsed.class.into_iter().for_each(|d| replace(&mut self.classes, d, |d| &d.id));
        self.difficulties.extend(parsed.difficulty);
        self.modules.extend(parsed.module);
        self.encounters.lay_over(parsed.xp, parsed.budget, parsed.template);
        // `dead` is the one condition that the engine itself asks for.
        self.conditions.sort_by_key(|d| &*d.name != "dead");
    }

    /// An ability by id.
    pub fn ability(&self, id: &str) -> Option<&AbilityDef> {
        self.abilities.iter().find(|a| &*a.id == id)
    }

    /// A monster by id.
    pub fn monster(&self, id: &str) -> Option<&MonsterDef> {
        self.monsters.iter().find(|m| m.id == id)
    }

    /// A class by id.
    pub fn class(&self, id: &str) -> Option<&ClassDef> {
        self.classes.iter().find(|c| c.id == id)
    }

    /// A difficulty preset; an unknown id means `normal`.
    pub fn difficulty(&self, id: &str) -> DifficultyDef {
        self.difficulties.get(id).or_else(|| self.difficulties.get("normal")).cloned().unwrap_or_default()
    }

    /// A scenario by id.
    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|s| s.meta.id == id)
    }

    /// A rule module by id.
    pub fn module(&self, id: &str) -> Option<&RuleModule> {
        self.modules.get(id)
    }
}

fn replace<T, K: PartialEq + ?Sized>(list: &mut Vec<T>, def: T, key: impl Fn(&T) -> &K) {
    match list.iter_mut().find(|d| key(d) == key(&def)) {
        Some(old) => *old = def,
        None => list.push(def),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_content_is_complete() {
        let catalog = Catalog::built_in();
        assert_eq!(Catalog::overlaid(&[]).1, []);
        assert_eq!(&*catalog.conditions[0].name, "dead");
        assert_eq!(catalog.monsters.len(), 14);
        assert_eq!(catalog.classes.len(), 5);
        assert_eq!(catalog.scenarios.len(), 3);
    }

    #[test]
    fn a_misspelt_key_names_line_and_alternatives() {
        let mut catalog = Catalog::default();
        let text = "[condition.dazed]\natack = -1\n[abilty.fire]\n";
        assert_eq!(
            catalog.add("mod.toml", text).unwrap_err(),
            [
                "mod.toml:2:1: unknown key `atack`; did you mean `attack`?",
                "mod.toml:3:2: unknown key `abilty` in this file; did you mean `ability`?",
            ]
        );
        assert_eq!(catalog, Catalog::default(), "nothing was laid over");
    }

    const WISP: &str = "[[monster]]\nid = \"wisp\"\nname = \"Wisp\"\ntier = \"minion\"\nhp = 7\nac = 10\nspeed = 6\n\
                        attack = 0\ndice = \"1d4\"\nsize = \"S\"\nabilities = [\"sneak_attack\"]\n";

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<Source> = files.iter().map(|(name, text)| Source::new(*name, *text)).collect();
        Catalog::overlaid(&files).1.iter().map(ToString::to_string).collect()
    }

    /// One was told after the other, run by run, and some without their place.
    #[test]
    fn every_mistake_of_all_files_is_told_at_once_with_its_place() {
        assert_eq!(told(&[("m.toml", WISP)]), Vec::<String>::new());
        let wrong =
            WISP.replace("minion", "minoin").replace("1d4", "1x4").replace("sneak_attack", "sneak_atack");
        let wrong = wrong.replace("hp = 7", "hp = -7");
        let twice = format!(
            "{WISP}{WISP}[ability.zap]\nname = \"Zap\"\nkind = \"attack\"\nrange = 3\n\
                             dice = \"1d6\"\napplies = \"stuned\"\n"
        );
        assert_eq!(
            told(&[("a.toml", &wrong), ("b.toml", &twice), ("c.toml", "[monster"), ("d.md", "no content")]),
            [
                "a.toml:4:8: unknown word `minoin`; did you mean `minion`?",
                "a.toml:5:6: expected a number from 1 to 9999, found -7",
                "a.toml:9:8: \"1x4\" is not a dice formula like 1d20 (at most 20 dice of 1000 faces)",
                "a.toml:11:14: no ability `sneak_atack`; did you mean `sneak_attack`?",
                "b.toml:13:6: the monster `wisp` is already written at b.toml:2:6",
                "b.toml:28:11: no condition `stuned`; did you mean `stunned`?",
                "c.toml:1:9: unclosed table, expected `]`",
            ]
        );
    }

    /// They were called sound, and then refused by the table, with some seeds.
    #[test]
    fn numbers_that_cannot_be_played_are_refused_with_what_is_possible() {
        for (text, found) in [
            (WISP.replace("hp = 7", "hp = 0"), "5:6: expected a number from 1 to 9999, found 0"),
            (WISP.replace("speed = 6", "speed = -1"), "7:9: expected a number from 0 to 99, found -1"),
            (
                "[difficulty.x]\nattack_percent = 300\n".to_owned(),
                "2:18: expected a number from 0 to 100, found 300",
            ),
            ("[xp]\nminion = 0\n".to_owned(), "2:10: expected a number from 1 to 1000000, found 0"),
            ("[budget]\neasy = -1\n".to_owned(), "2:8: expected a number from 0 to 1000000, found -1"),
            ("[template.t]\nboss = -1\n".to_owned(), "2:8: expected a number from 0 to 1000, found -1"),
        ] {
            assert!(told(&[("m.toml", &text)]).contains(&format!("m.toml:{found}")), "{text}");
        }
    }

    /// What is wrong with a scenario is told by line, too.
    #[test]
    fn a_scenario_says_in_which_line_it_is_wrong() {
        let text = BUILT_IN.get_file("scenarios/crypt-of-lanterns.scenario.json").unwrap();
        let text = text.contents_utf8().unwrap();
        let told = |text: &str| told(&[("x.scenario.json", text)]);
        assert_eq!(told(text), Vec::<String>::new());
        assert!(told("{\n 3")[0].starts_with("x.scenario.json:2:2: not JSON"), "{:?}", told("{\n 3"));
        let line = text.lines().position(|line| line.contains("\"hpMax\"")).unwrap() + 1;
        let wrong = text.replacen("\"hpMax\": ", "\"hpMax\": -", 1);
        let found = told(&wrong);
        assert!(
            found.iter().any(|line_of| line_of.starts_with(&format!("x.scenario.json:{line}:"))),
            "{found:?}"
        );
    }

    #[test]
    fn an_overlay_replaces_by_id() {
        let mut catalog = (*Catalog::built_in()).clone();
        let text = "[ability.firebolt]\nname = \"Fire\"\nkind = \"attack\"\nrange = 9\ndice = \"3d6\"\n";
        catalog.add("mod.toml", text).unwrap();
        assert_eq!(catalog.ability("firebolt").unwrap().range, 9);
        assert_eq!(catalog.abilities.len(), Catalog::built_in().abilities.len());
    }
}
