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
mod rule_module;

pub use ability::{AbilityDef, AbilityKind};
pub use condition::{ConditionDef, Tick};
pub use creature::{ClassDef, MonsterDef, Tier, blank};
pub use dice_notation::DiceDef;
pub use difficulty::{DifficultyDef, Movement, TargetChoice};
pub use encounter_tables::{EncounterTables, Weights};
pub use rule_module::RuleModule;

use crate::formats::scenario::{self, Scenario};
use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use turnstone_content::{Document, Entry, Problem, hint};

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
    fn read(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut document = Document::read(file, text, &mut problems);
        let read = ContentFile {
            condition: by_name(document.entries("condition", &mut problems)),
            ability: by_name(document.entries("ability", &mut problems)),
            monster: document.items("monster", &mut problems),
            class: document.items("class", &mut problems),
            difficulty: by_name(document.entries("difficulty", &mut problems)),
            module: by_name(document.entries("module", &mut problems)),
            xp: document.value("xp", &mut problems),
            budget: document.value("budget", &mut problems),
            template: by_name(document.entries("template", &mut problems)),
        };
        document.finish(&mut problems);
        if problems.is_empty() { Ok(read) } else { Err(problems) }
    }
}

fn by_name<T>(entries: Vec<Entry<T>>) -> BTreeMap<String, T> {
    entries.into_iter().map(|entry| (entry.id, entry.value)).collect()
}

impl Catalog {
    /// The built-in content.
    ///
    /// ```
    /// use turnstone_skirmish::content::Catalog;
    /// let catalog = Catalog::built_in();
    /// assert_eq!(catalog.ability("firebolt").unwrap().range, 6);
    /// assert_eq!(catalog.monster("lich").unwrap().hp, 60);
    /// ```
    pub fn built_in() -> Arc<Catalog> {
        static CATALOG: OnceLock<Arc<Catalog>> = OnceLock::new();
        CATALOG.get_or_init(|| Arc::new(Catalog::embedded())).clone()
    }

    fn embedded() -> Catalog {
        let mut catalog = Catalog::default();
        let scenarios = BUILT_IN.get_dir("scenarios").into_iter().flat_map(|d| d.files());
        for file in BUILT_IN.files().chain(scenarios) {
            let name = file.path().display().to_string();
            let text = file.contents_utf8().unwrap_or_default();
            // The built-in files are covered by a test; a broken one is our own bug.
            catalog.add(&name, text).expect("built-in content is valid");
        }
        catalog
    }

    /// Lays one file over the catalog: same ids replace, new ids are added. Files that are
    /// neither TOML nor scenarios are left alone.
    ///
    /// # Errors
    /// The file is not TOML of the known tables, or not a scenario that can be opened: everything that is wrong with
    /// it, each with its place. The catalog stays as it was.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), Vec<String>> {
        if file.ends_with(".scenario.json") {
            let named = |errors: Vec<String>| errors.iter().map(|error| format!("{file}: {error}")).collect();
            let read = scenario::read(file, text).map_err::<Vec<String>, _>(named)?;
            replace(&mut self.scenarios, read, |s| &s.meta.id);
            return Ok(());
        }
        if file.ends_with(".toml") { self.add_tables(file, text) } else { Ok(()) }
    }

    fn add_tables(&mut self, file: &str, text: &str) -> Result<(), Vec<String>> {
        let told = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
        let parsed = ContentFile::read(file, text).map_err(told)?;
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
        Ok(())
    }

    /// Names that are used but not defined, one sentence each.
    pub fn dangling(&self) -> Vec<String> {
        let mut out = Vec::new();
        let creatures = self.monsters.iter().map(|m| (&m.id, &m.abilities));
        for (id, abilities) in creatures.chain(self.classes.iter().map(|c| (&c.id, &c.abilities))) {
            for ability in abilities.iter().filter(|a| self.ability(a).is_none()) {
                let near = hint(ability, self.abilities.iter().map(|known| &*known.id));
                out.push(format!("{id} lists the ability `{ability}`, which no file defines{near}"));
            }
        }
        for ability in &self.abilities {
            if let Some(name) = &ability.applies
                && !self.conditions.iter().any(|c| c.name == *name)
            {
                let near = hint(name, self.conditions.iter().map(|known| &*known.name));
                let id = &ability.id;
                out.push(format!("{id} applies the condition `{name}`, which no file defines{near}"));
            }
        }
        out
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
        assert_eq!(catalog.dangling(), Vec::<String>::new());
        assert_eq!(&*catalog.conditions[0].name, "dead");
        assert_eq!(catalog.monsters.len(), 14);
        assert_eq!(catalog.classes.len(), 5);
        assert_eq!(catalog.scenarios.len(), 3);
    }

    #[test]
    fn a_misspelt_key_names_line_and_alternatives() {
        let mut catalog = Catalog::default();
        let text = "[condition.dazed]\natack = -1\n[abilty.fire]\n[[monster]]\nid = 3\n";
        assert_eq!(
            catalog.add("mod.toml", text).unwrap_err(),
            [
                "mod.toml:2:1: unknown key `atack`; did you mean `attack`?",
                "mod.toml:5:6: invalid type: integer `3`, expected a string",
                "mod.toml:3:2: unknown key `abilty` in this file; did you mean `ability`?",
            ]
        );
        assert_eq!(catalog, Catalog::default(), "nothing was laid over");
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
