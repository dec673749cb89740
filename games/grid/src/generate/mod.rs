//! Generators: levels made from a seed. Mazes and cipher levels are the
//! reference's, number for number; the others draw from the kernel's lots.

pub mod carve;
mod cipher;
mod dynamic_obstacles;
mod four_rooms;
mod lava_crossing;
mod maze;
mod obstructed_maze;
mod rooms;
mod sokoban;
mod soup;
mod yard;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use cipher::Cipher;
pub use dynamic_obstacles::DynamicObstacles;
pub use four_rooms::FourRooms;
pub use lava_crossing::LavaCrossing;
pub use maze::{Enemy, Gait, Hazard, Maze, Power};
pub use obstructed_maze::ObstructedMaze;
pub use rooms::Rooms;
pub use sokoban::Sokoban;
pub use soup::Soup;

use crate::error::{GridError, Result};
use crate::game::Grid;
use crate::geometry::Bounds;
use crate::label::Label;
use crate::level::Level;
use crate::solve::{Solution, solve};
use crate::world::World;

/// What to generate.
///
/// ```
/// use turnstone_grid::generate::Recipe;
/// let recipe = Recipe::named("four_rooms")?;
/// assert_eq!(recipe.level(7)?, recipe.level(7)?);
/// assert_ne!(recipe.level(7)?, recipe.level(8)?);
/// # Ok::<(), turnstone_grid::error::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recipe {
    /// A maze with everything in it.
    Maze(Maze),
    /// A maze with a riddle.
    Cipher(Cipher),
    /// Rooms behind locked doors.
    Rooms(Rooms),
    /// Boxes to push onto their places.
    Sokoban(Sokoban),
    /// Rivers of lava with fords.
    LavaCrossing(LavaCrossing),
    /// Four rooms with gaps between them.
    FourRooms(FourRooms),
    /// Locked rooms with boxes before the doors.
    ObstructedMaze(ObstructedMaze),
    /// A room in which things walk to and fro.
    DynamicObstacles(DynamicObstacles),
    /// Anything with any component; for proving the engine.
    Soup(Soup),
}

/// The generators a player can ask for, with a sentence about each.
pub const GENERATORS: [(&str, &str); 8] = [
    ("maze", "A maze with cores, coins, keys, portals, power-ups and enemies"),
    ("cipher", "A bare maze, twenty steps, and a text that says what to do"),
    ("rooms", "Rooms behind locked doors; the keys can always be found"),
    ("sokoban", "Push every box onto a marked place"),
    ("lava_crossing", "Rivers of lava, each with one ford"),
    ("four_rooms", "Four rooms with a gap in each wall"),
    ("obstructed_maze", "Locked rooms with boxes before the doors"),
    ("dynamic_obstacles", "A room in which things walk to and fro"),
];

impl Recipe {
    /// The usual recipe of a generator.
    ///
    /// # Errors
    /// `UNKNOWN_GENERATOR`, with the names that exist.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "maze" => Self::Maze(Maze::default()),
            "cipher" => Self::Cipher(Cipher::default()),
            "rooms" => Self::Rooms(Rooms::default()),
            "sokoban" => Self::Sokoban(Sokoban::default()),
            "lava_crossing" => Self::LavaCrossing(LavaCrossing::default()),
            "four_rooms" => Self::FourRooms(FourRooms::default()),
            "obstructed_maze" => Self::ObstructedMaze(ObstructedMaze::default()),
            "dynamic_obstacles" => Self::DynamicObstacles(DynamicObstacles::default()),
            "soup" => Self::Soup(Soup::default()),
            _ => {
                let names: Vec<&str> = GENERATORS.iter().map(|(name, _)| *name).collect();
                let message = format!("`{name}` is unknown; use one of {}", names.join(", "));
                return Err(GridError::new("UNKNOWN_GENERATOR", message));
            }
        })
    }

    /// Makes the level of a seed. A seed written into a maze or cipher wins.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn level(&self, seed: u64) -> Result<Level> {
        let number = Some(seed as i64);
        match self {
            Self::Maze(maze) => Maze { seed: maze.seed.or(number), ..maze.clone() }.generate(),
            Self::Cipher(cipher) => Cipher { seed: cipher.seed.or(number), ..cipher.clone() }.generate(),
            Self::Rooms(rooms) => rooms.generate(seed),
            Self::Sokoban(sokoban) => sokoban.generate(seed),
            Self::LavaCrossing(crossing) => crossing.generate(seed),
            Self::FourRooms(rooms) => rooms.generate(seed),
            Self::ObstructedMaze(maze) => maze.generate(seed),
            Self::DynamicObstacles(room) => room.generate(seed),
            Self::Soup(soup) => Level::from_world(&soup.world(seed)?),
        }
    }

    /// Makes the world of a match: it has a name, and a limit of turns.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub(crate) fn match_world(&self, seed: u64) -> Result<World> {
        let mut world = self.world(seed)?;
        let cast = Arc::make_mut(&mut world.cast);
        cast.turn_limit = cast.turn_limit.or(Some(usual_limit(cast.bounds)));
        let name = self.name();
        let about = GENERATORS.iter().find(|(known, _)| *known == name).map_or("", |(_, about)| about);
        cast.label = Label {
            level: Some(name.into()),
            name: tidy_name(name),
            about: about.to_string(),
            ..Label::default()
        };
        Ok(world)
    }

    /// The name of the generator.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Maze(_) => "maze",
            Self::Cipher(_) => "cipher",
            Self::Rooms(_) => "rooms",
            Self::Sokoban(_) => "sokoban",
            Self::LavaCrossing(_) => "lava_crossing",
            Self::FourRooms(_) => "four_rooms",
            Self::ObstructedMaze(_) => "obstructed_maze",
            Self::DynamicObstacles(_) => "dynamic_obstacles",
            Self::Soup(_) => "soup",
        }
    }

    /// Makes the world of a seed.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn world(&self, seed: u64) -> Result<World> {
        match self {
            Self::Soup(soup) => soup.world(seed),
            _ => self.level(seed)?.to_world(),
        }
    }
}

/// `four_rooms` as people write it.
fn tidy_name(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map_or(' ', |letter| letter.to_ascii_uppercase());
    format!("{first}{}", letters.as_str().replace('_', " "))
}

/// Steps allowed where a level says nothing: every match ends.
pub(crate) fn usual_limit(bounds: Bounds) -> i64 {
    (4 * bounds.area() as i64).max(100)
}

/// Whether a level can be won by the default rules, looking at no more than that many moments.
fn winnable(level: &Level, seen_max: usize) -> bool {
    let solved = level.to_world().map(|world| solve(&Grid::default(), &world, seen_max).solution);
    matches!(solved, Ok(Solution::Won(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_levels_can_be_won() {
        let names =
            ["rooms", "sokoban", "lava_crossing", "four_rooms", "obstructed_maze", "dynamic_obstacles"];
        for name in names {
            for seed in 0..40 {
                let level = Recipe::named(name).unwrap().level(seed).unwrap();
                assert!(winnable(&level, 400_000), "{name}, seed {seed}");
            }
        }
    }

    #[test]
    fn obstructed_mazes_are_obstructed() {
        let boxes = |seed| {
            let world = Recipe::named("obstructed_maze").unwrap().world(seed).unwrap();
            world.cast.pushables.len()
        };
        assert!((0..12).map(boxes).sum::<usize>() >= 12);
    }

    #[test]
    fn the_same_seed_makes_the_same_level() {
        for (name, _) in GENERATORS {
            let recipe = Recipe::named(name).unwrap();
            assert_eq!(recipe.level(3).unwrap(), recipe.level(3).unwrap(), "{name}");
            assert_ne!(recipe.level(3).unwrap(), recipe.level(4).unwrap(), "{name}");
            recipe.world(5).unwrap().check_playable().unwrap();
        }
    }

    #[test]
    fn senseless_recipes_are_refused() {
        let code = |recipe: Recipe| recipe.level(1).unwrap_err().code;
        assert_eq!(code(Recipe::FourRooms(FourRooms { size: 3, coins: 0 })), "BAD_SIZE");
        assert_eq!(code(Recipe::Sokoban(Sokoban { boxes: 9, ..Sokoban::default() })), "BAD_VALUE");
        assert_eq!(code(Recipe::Maze(Maze { width: -1, ..Maze::default() })), "BAD_SIZE");
        assert_eq!(code(Recipe::Maze(Maze { wall_percentage: 1.5, ..Maze::default() })), "BAD_VALUE");
        assert_eq!(code(Recipe::Cipher(Cipher { pairs: vec![], ..Cipher::default() })), "NO_PAIR");
        assert_eq!(Recipe::named("dungeon").unwrap_err().code, "UNKNOWN_GENERATOR");
    }
}
