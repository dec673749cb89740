//! The levels that come with the game, and those that are laid over
//! them. Dropping a file in is enough.

pub mod label;
pub mod level;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use include_dir::{Dir, include_dir};
use turnstone_content::Problem;
use turnstone_host::Source;

use crate::error::{GridError, Result};
use crate::generate::GENERATORS;
use crate::level::LevelFile;

static LEVELS: Dir = include_dir!("$CARGO_MANIFEST_DIR/content/levels");

/// Levels by name: the file's name without its ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    levels: BTreeMap<String, LevelFile>,
}

impl Catalog {
    /// The levels that come with the game.
    pub fn built_in() -> &'static Catalog {
        static BUILT_IN: OnceLock<Catalog> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            let mut catalog = Catalog::default();
            for file in LEVELS.files() {
                // A test reads every shipped level; what does not parse cannot be shipped.
                catalog.add(file.path(), file.contents_utf8().unwrap_or_default()).ok();
            }
            catalog
        })
    }

    /// The built-in levels, with others added or put in their place.
    ///
    /// # Errors
    /// `BAD_LEVEL`, with everything that is wrong with any of them.
    pub fn with(over: &[Source]) -> Result<Catalog> {
        let (catalog, problems) = Self::overlaid(over);
        if problems.is_empty() { Ok(catalog) } else { Err(told(&problems)) }
    }

    /// The built-in levels with the sound ones of these texts laid over them, and what is wrong with
    /// the others.
    pub fn overlaid(over: &[Source]) -> (Catalog, Vec<Problem>) {
        let mut catalog = Self::built_in().clone();
        let mut problems = Vec::new();
        for Source { name, text } in over {
            let path = Path::new(name);
            if is_level(path) {
                problems.extend(catalog.add(path, text).err().unwrap_or_default());
            }
        }
        (catalog, problems)
    }

    fn add(&mut self, path: &Path, text: &str) -> Result<(), Vec<Problem>> {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let file = LevelFile::checked(&path.display().to_string(), text)?;
        self.levels.insert(name.to_string(), file);
        Ok(())
    }

    /// All names with their levels, in alphabetical order.
    pub fn levels(&self) -> impl Iterator<Item = (&str, &LevelFile)> {
        self.levels.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// A level by its name, or by the name without its number.
    ///
    /// # Errors
    /// `UNKNOWN_SETUP`, with the names that exist.
    pub fn level(&self, name: &str) -> Result<&LevelFile> {
        self.find(name).map(|(_, file)| file)
    }

    /// The level after that one in alphabetical order, if there is one.
    pub fn next_after(&self, name: &str) -> Option<&str> {
        let after = (std::ops::Bound::Excluded(name), std::ops::Bound::Unbounded);
        self.levels.range::<str, _>(after).next().map(|(name, _)| name.as_str())
    }

    /// A level with its whole name.
    ///
    /// # Errors
    /// As [`Catalog::level`].
    pub fn find(&self, name: &str) -> Result<(&str, &LevelFile)> {
        let bare = |known: &str| {
            known.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-') == name
        };
        let found = self.levels.iter().find(|(known, _)| *known == name || bare(known));
        found.map(|(name, file)| (name.as_str(), file)).ok_or_else(|| {
            let join = |names: Vec<&str>| names.join(", ");
            let levels = join(self.levels.keys().map(String::as_str).collect());
            let generators = join(GENERATORS.iter().map(|(name, _)| *name).collect());
            let text =
                format!("`{name}` is unknown; the levels are {levels}; the generators are {generators}");
            GridError::new("UNKNOWN_SETUP", text)
        })
    }
}

fn is_level(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml" || ending == "txt")
}

/// Reads a level file: TOML or plain text by its ending.
///
/// # Errors
/// `BAD_LEVEL`, with everything that is wrong with the file.
pub fn read(path: &Path, text: &str) -> Result<LevelFile> {
    LevelFile::checked(&path.display().to_string(), text).map_err(|problems| told(&problems))
}

fn told(problems: &[Problem]) -> GridError {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    GridError::new("BAD_LEVEL", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, Deed};
    use crate::component::{Mask, NAMES};
    use crate::game::Grid;
    use crate::label::Company;
    use crate::moves::MoveRule;
    use crate::objective::Objective;
    use crate::ruleset::Ruleset;
    use crate::solve::{Solution, solve, solve_from};
    use crate::world::World;
    use turnstone::{Input, Off, Position, Resolver};

    fn worlds() -> Vec<(&'static str, World)> {
        let build =
            |(name, file): (&'static str, &LevelFile)| (name, file.to_level().unwrap().to_world().unwrap());
        Catalog::built_in().levels().map(build).collect()
    }

    #[test]
    fn every_shipped_file_is_a_level() {
        assert_eq!(Catalog::built_in().levels().count(), LEVELS.files().count());
        for (_, file) in Catalog::built_in().levels() {
            assert!(!file.name.is_empty() && !file.about.is_empty());
        }
    }

    fn game_of(file: &LevelFile) -> Grid {
        Grid::new(Ruleset { order: file.usual_order().unwrap(), ..Ruleset::default() })
    }

    #[test]
    fn every_level_can_be_won_and_its_par_is_the_shortest_way() {
        let mut wrong = Vec::new();
        for (name, file) in Catalog::built_in().levels() {
            let game = game_of(file);
            let world = file.to_level().unwrap().to_world().unwrap();
            // Also within sight of the bot, which is told to follow a shortest way.
            let found = solve(&game, &world, crate::bots::SIGHT);
            let Solution::Won(way) = found.solution else { panic!("{name}: {found:?}") };
            println!("{name}: {} deeds, {} moments", way.len(), found.seen);
            let par = (file.company != Company::Rivals).then_some(way.len() as i64);
            if file.par != par {
                wrong.push(format!("{name}: par {par:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The first to move can win while the other waits, and so can the second.
    #[test]
    fn every_rival_can_win() {
        let rivals = Catalog::built_in().levels().filter(|(_, file)| file.company == Company::Rivals);
        for (name, file) in rivals {
            let game = game_of(file);
            let mut position =
                Position::<Grid>::new(game.begin(file.to_level().unwrap().to_world().unwrap()));
            let wait = Input::Act(Action::step(Deed::Wait));
            Resolver::default().act(&game, &mut position, &wait, &mut Off).unwrap();
            let found = solve_from(&game, position.state(), 500_000);
            assert!(matches!(found.solution, Solution::Won(_)), "{name}: {found:?}");
        }
    }

    #[test]
    fn together_they_use_everything() {
        let worlds = worlds();
        let mut kinds = Mask::NONE;
        for (_, world) in &worlds {
            kinds |= world.cast.kinds;
        }
        let missing: Vec<&str> =
            NAMES.iter().copied().filter(|name| !kinds.names().any(|known| known == *name)).collect();
        assert_eq!(missing, ["dead"]);
        for rule in MoveRule::ALL {
            assert!(worlds.iter().any(|(_, world)| world.cast.move_rule == rule), "{rule:?}");
        }
        for objective in Objective::ALL {
            assert!(worlds.iter().any(|(_, world)| world.cast.objective == objective), "{objective:?}");
        }
        for company in Company::ALL {
            assert!(worlds.iter().any(|(_, world)| world.cast.company == company), "{company:?}");
        }
    }

    #[test]
    fn every_bad_file_is_named() {
        let files =
            [("a.txt", "name: a\n\n@Q"), ("b.txt", "name: b\n\n@E"), ("c.toml", "map = 3"), ("d.md", "#")];
        let files = files.map(|(name, text)| Source::new(format!("mine/{name}"), text));
        let (catalog, problems) = Catalog::overlaid(&files);
        assert_eq!(
            problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "mine/a.txt:3:2: `Q` is not explained; add it to the legend",
                "mine/c.toml:1:7: invalid type: integer `3`, expected a string",
            ]
        );
        assert_eq!(catalog.level("b").unwrap().name, "b");
        assert_eq!(Catalog::with(&files).unwrap_err().code, "BAD_LEVEL");
    }

    fn told(name: &str, text: &str) -> Vec<String> {
        let (_, problems) = Catalog::overlaid(&[Source::new(name, text)]);
        problems.iter().map(ToString::to_string).collect()
    }

    /// One was told per level and run, without its column.
    #[test]
    fn every_mistake_of_a_level_is_told_at_once_with_its_place() {
        let text = "nmae: x\nmove: wrp\nturn_limit: -5\n\n#Q.Q#\n#ppp?\n\np = portal\n\
                    d = montser damge=2\nm = monster damage=-1 target=z; wall blocknig\n";
        assert_eq!(
            told("a.txt", text),
            [
                "a.txt:1:1: `nmae` is unknown; did you mean `name`?",
                "a.txt:2:7: `wrp` is unknown; did you mean `wrap`?",
                "a.txt:3:13: expected a number from 1 to 1000000, found -5",
                "a.txt:5:2: `Q` is not explained; add it to the legend",
                "a.txt:6:4: `p` is a third portal of that letter; two lead to each other, so give it a letter of its \
                 own or say where it leads with `pair=`",
                "a.txt:6:5: `?` is not explained; add it to the legend",
                "a.txt:9:5: `d`: no thing begins so: `montser` is unknown; did you mean `monster`?",
                "a.txt:9:13: `d`: `damge` is unknown; did you mean `damage`?",
                "a.txt:10:13: `m`: `damage=-1`: expected a number from 0 to 1000000, found -1",
                "a.txt:10:38: `m`: `blocknig` is unknown; did you mean `blocking`?",
            ]
        );
        assert_eq!(
            told("a.txt", "name: x\n\n.E\n"),
            ["a.txt:3:1: nobody on the map can act; put an agent (`@`) on it"]
        );
        assert_eq!(
            told("a.txt", "name: x\n\n@Ep\n.m.\n\np = portal\nm = monster hunts=path target=z\n"),
            [
                "a.txt:6:1: `p` is a portal without a second one; put another `p` on the map, or say where it leads \
                 with `pair=`",
                "a.txt:7:1: `m` refers to `z`, which is not on the map",
            ]
        );
        let toml = "name = 3\nturn_limit = 0\nmap = \"\"\"\n#@?\n\"\"\"\n[legend]\nd = \"montser\"\n";
        assert_eq!(
            told("b.toml", toml),
            [
                "b.toml:1:8: invalid type: integer `3`, expected a string",
                "b.toml:2:14: expected a number from 1 to 1000000, found 0",
                "b.toml:4:3: `?` is not explained; add it to the legend",
                "b.toml:7:6: `d`: no thing begins so: `montser` is unknown; did you mean `monster`?",
            ]
        );
    }

    /// It was called sound, and lost with the first step.
    #[test]
    fn a_turn_limit_that_cannot_be_played_is_refused() {
        for limit in [-5, 0] {
            let told = told("a.txt", &format!("turn_limit: {limit}\n\n@E\n"));
            assert_eq!(told, [format!("a.txt:1:13: expected a number from 1 to 1000000, found {limit}")]);
        }
        assert_eq!(told("a.txt", "turn_limit: 5\n\n@E\n"), Vec::<String>::new());
        assert_eq!(told("a.toml", "turn_limit = 0\nmap = '@E'\n").len(), 1);
        let told = told("a.txt", "name: x\n\n@Em\n\nm = monster health=0\n");
        assert_eq!(told, ["a.txt:5:13: `m`: `health=0`: expected a number from 1 to 1000000, found 0"]);
    }

    #[test]
    fn names_may_leave_out_the_number() {
        let catalog = Catalog::built_in();
        assert_eq!(catalog.level("ice-rink").unwrap(), catalog.level("12-ice-rink").unwrap());
        assert_eq!(catalog.level("nowhere").unwrap_err().code, "UNKNOWN_SETUP");
    }
}
