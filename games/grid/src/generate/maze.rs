//! Mazes, exactly as the reference generates them from the same seed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::carve::Plan;
use crate::component::Hunt;
use crate::error::{GridError, Result};
use crate::geometry::{Bounds, Direction, Point};
use crate::level::factory::{self, Lasting, Patrol};
use crate::level::{Blueprint, Level, ObjectId};
use crate::moves::MoveRule;
use crate::objective::Objective;
use crate::random::Mt19937;

/// What a power-up does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Power {
    /// Several moves per action.
    Speed {
        /// How many.
        multiplier: i32,
        /// Steps it lasts.
        time: Option<i32>,
        /// Uses it lasts.
        usage: Option<i32>,
    },
    /// Hits are negated.
    Immunity {
        /// Steps it lasts.
        time: Option<i32>,
        /// Uses it lasts.
        usage: Option<i32>,
    },
    /// Walls are no obstacle.
    Phasing {
        /// Steps it lasts.
        time: Option<i32>,
        /// Uses it lasts.
        usage: Option<i32>,
    },
}

/// How an enemy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// Walks by itself if it has speed.
    Static,
    /// Walks by itself if it has speed.
    Directional,
    /// Hunts the agent straight.
    PathfindingLine,
    /// Hunts the agent along shortest paths.
    PathfindingPath,
}

/// An enemy: damage, lethal, how it moves, speed.
pub type Enemy = (i32, bool, Gait, i32);
/// A hazard: appearance, damage, lethal.
pub type Hazard = (String, i32, bool);

/// What a maze is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Maze {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Cores that must be collected.
    pub num_required_items: usize,
    /// Coins.
    pub num_rewardable_items: usize,
    /// Pairs of portals.
    pub num_portals: usize,
    /// Doors, each with its key.
    pub num_doors: usize,
    /// The agent's health.
    pub health: i32,
    /// Cost of the floor.
    pub movement_cost: i32,
    /// Points for a core.
    pub required_item_reward: i32,
    /// Points for a coin.
    pub rewardable_item_reward: i32,
    /// Boxes: pushable, speed.
    pub boxes: Vec<(bool, i32)>,
    /// Power-ups.
    pub powerups: Vec<Power>,
    /// Hazards.
    pub hazards: Vec<Hazard>,
    /// Enemies.
    pub enemies: Vec<Enemy>,
    /// The share of the walls that stays.
    pub wall_percentage: f64,
    /// How agents move.
    #[serde(rename = "move")]
    pub move_rule: MoveRule,
    /// What wins.
    pub objective: Objective,
    /// Makes the maze.
    pub seed: Option<i64>,
    /// Steps allowed.
    pub turn_limit: Option<i64>,
}

impl Default for Maze {
    fn default() -> Self {
        Self {
            width: 9,
            height: 9,
            num_required_items: 1,
            num_rewardable_items: 1,
            num_portals: 1,
            num_doors: 1,
            health: 5,
            movement_cost: 1,
            required_item_reward: 10,
            rewardable_item_reward: 10,
            boxes: vec![(true, 0), (false, 1), (false, 2)],
            powerups: vec![
                Power::Speed { multiplier: 2, time: Some(10), usage: None },
                Power::Phasing { time: Some(10), usage: None },
                Power::Immunity { time: None, usage: Some(5) },
            ],
            hazards: vec![("lava".into(), 5, true), ("spike".into(), 3, false)],
            enemies: vec![(5, true, Gait::Directional, 2), (3, false, Gait::PathfindingLine, 1)],
            wall_percentage: 0.8,
            move_rule: MoveRule::Cardinal,
            objective: Objective::CollectExit,
            seed: None,
            turn_limit: None,
        }
    }
}

impl Maze {
    /// A maze with nothing in it but an agent and an exit.
    pub fn bare(width: i32, height: i32, seed: i64) -> Self {
        Self {
            width,
            height,
            num_required_items: 0,
            num_rewardable_items: 0,
            num_portals: 0,
            num_doors: 0,
            boxes: Vec::new(),
            powerups: Vec::new(),
            hazards: Vec::new(),
            enemies: Vec::new(),
            seed: Some(seed),
            ..Self::default()
        }
    }

    /// Generates the level; without a seed, from 0.
    ///
    /// # Errors
    /// Sizes that make no grid, and shares of walls outside 0 to 1.
    pub fn generate(&self) -> Result<Level> {
        if !(0.0..=1.0).contains(&self.wall_percentage) {
            let message = format!("{} is not between 0 and 1", self.wall_percentage);
            return Err(GridError::new("BAD_VALUE", message).field("wall_percentage"));
        }
        let level = Level::new(self.width, self.height)?;
        let mut draws = Mt19937::new(self.seed.unwrap_or(0));
        let bounds = Bounds { width: self.width, height: self.height };
        let mut plan = Plan::maze(bounds, &mut draws);
        plan.thin(self.wall_percentage, &mut draws);
        let mut open = plan.by_columns(true);
        draws.shuffle(&mut open);
        Builder { maze: self, level, draws, plan, open, agent: None }.build()
    }
}

struct Builder<'a> {
    maze: &'a Maze,
    level: Level,
    draws: Mt19937,
    plan: Plan,
    open: Vec<Point>,
    agent: Option<ObjectId>,
}

impl Builder<'_> {
    fn build(mut self) -> Result<Level> {
        let maze = self.maze;
        self.level.move_rule = maze.move_rule;
        self.level.objective = maze.objective.clone();
        self.level.seed = maze.seed;
        self.level.turn_limit = maze.turn_limit;
        for point in self.open.clone() {
            self.level.add(point, factory::floor(maze.movement_cost))?;
        }
        let essential = self.essentials()?;
        self.extras()?;
        let mut rest: Vec<Point> =
            self.open.iter().copied().filter(|point| essential.binary_search(point).is_err()).collect();
        self.draws.shuffle(&mut rest);
        self.dangers(rest)?;
        for point in self.plan.by_columns(false) {
            self.level.add(point, factory::wall())?;
        }
        Ok(self.level)
    }

    /// Agent, exit and cores; gives the cells that must stay clear.
    fn essentials(&mut self) -> Result<Vec<Point>> {
        let corner = Point::new(self.maze.width - 1, self.maze.height - 1);
        let start = self.open.pop().unwrap_or(Point::new(0, 0));
        self.agent = Some(self.level.add(start, factory::agent(self.maze.health))?);
        let goal = self.open.pop().unwrap_or(corner);
        self.level.add(goal, factory::exit())?;
        let mut stops = vec![start];
        for _ in 0..self.maze.num_required_items {
            let Some(point) = self.open.pop() else { break };
            self.level.add(point, factory::core(Some(self.maze.required_item_reward), true))?;
            stops.push(point);
        }
        stops.push(goal);
        Ok(self.plan.tour(&stops))
    }

    /// Coins, portals, keys with doors, power-ups.
    fn extras(&mut self) -> Result<()> {
        for _ in 0..self.maze.num_rewardable_items {
            let Some(point) = self.open.pop() else { break };
            self.level.add(point, factory::coin(Some(self.maze.rewardable_item_reward)))?;
        }
        for _ in 0..self.maze.num_portals {
            if self.open.len() < 2 {
                break;
            }
            let (Some(one), Some(two)) = (self.open.pop(), self.open.pop()) else { break };
            let (one, two) =
                (self.level.add(one, factory::portal())?, self.level.add(two, factory::portal())?);
            self.level.pair(two, one)?;
        }
        for number in 0..self.maze.num_doors {
            if self.open.len() < 2 {
                break;
            }
            let key_id = format!("key{number}");
            let (Some(key), Some(door)) = (self.open.pop(), self.open.pop()) else { break };
            self.level.add(key, factory::key(&key_id))?;
            self.level.add(door, factory::door(&key_id))?;
        }
        for power in &self.maze.powerups {
            let Some(point) = self.open.pop() else { break };
            self.level.add(point, power_up(*power))?;
        }
        Ok(())
    }

    /// Boxes, enemies and hazards, away from the essential paths.
    fn dangers(&mut self, mut rest: Vec<Point>) -> Result<()> {
        let maze = self.maze;
        for &(pushable, speed) in &maze.boxes {
            let Some(point) = rest.pop() else { break };
            let patrol = self.patrol(speed);
            self.level.add(point, factory::crate_box(pushable, patrol))?;
        }
        for &(damage, lethal, gait, speed) in &maze.enemies {
            let Some(point) = rest.pop() else { break };
            let enemy = match (gait, self.agent) {
                (Gait::PathfindingLine, Some(agent)) => {
                    factory::monster(damage, lethal, None).hunting(agent, Hunt::StraightLine)
                }
                (Gait::PathfindingPath, Some(agent)) => {
                    factory::monster(damage, lethal, None).hunting(agent, Hunt::Path)
                }
                _ => factory::monster(damage, lethal, self.patrol(speed)),
            };
            self.level.add(point, enemy)?;
        }
        for (name, damage, lethal) in &maze.hazards {
            let Some(point) = rest.pop() else { break };
            self.level.add(point, factory::hazard(name, *damage, *lethal, 7))?;
        }
        Ok(())
    }

    fn patrol(&mut self, speed: i32) -> Option<Patrol> {
        if speed <= 0 {
            return None;
        }
        let vertical = self.draws.choice(&[false, true])?;
        let forward = self.draws.choice(&[false, true])?;
        let direction = match (vertical, forward) {
            (false, false) => Direction::Left,
            (false, true) => Direction::Right,
            (true, false) => Direction::Up,
            (true, true) => Direction::Down,
        };
        Some(Patrol { direction, bounce: true, speed })
    }
}

fn power_up(power: Power) -> Blueprint {
    match power {
        Power::Speed { multiplier, time, usage } => factory::boots(multiplier, Lasting { time, usage }),
        Power::Immunity { time, usage } => factory::shield(Lasting { time, usage }),
        Power::Phasing { time, usage } => factory::ghost(Lasting { time, usage }),
    }
}
