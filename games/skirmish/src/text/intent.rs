//! What somebody wants, without saying how.

use serde_json::{Map, Value, json};

/// A compass direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Up.
    North,
    /// Down.
    South,
    /// Right.
    East,
    /// Left.
    West,
}

impl Direction {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::South => "south",
            Direction::East => "east",
            Direction::West => "west",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Direction> {
        let all = [Direction::North, Direction::South, Direction::East, Direction::West];
        all.into_iter().find(|d| d.word() == word)
    }

    /// One step that way.
    pub fn step(self) -> (i16, i16) {
        match self {
            Direction::North => (0, -1),
            Direction::South => (0, 1),
            Direction::East => (1, 0),
            Direction::West => (-1, 0),
        }
    }
}

/// What is wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Want {
    /// Go to a cell.
    MoveTo {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
    /// Go some way in a direction.
    MoveDirection {
        /// Which way.
        direction: Direction,
        /// How far; as far as possible if not said.
        distance: Option<i64>,
    },
    /// Go next to somebody.
    Approach {
        /// To whom.
        target: String,
    },
    /// Get away from somebody.
    Flee {
        /// From whom; the nearest foe if not said.
        from: Option<String>,
    },
    /// Attack, walking up first if need be.
    Attack {
        /// Whom.
        target: String,
    },
    /// Use an ability.
    UseAbility {
        /// Which.
        ability: String,
        /// On whom.
        target: Option<String>,
    },
    /// One thing after another.
    Compound {
        /// The steps.
        steps: Vec<Intent>,
    },
    /// Pass the turn.
    EndTurn,
    /// Begin combat.
    StartCombat,
    /// Defend.
    Defend,
    /// Not understood.
    Unknown,
}

/// What is wanted, and of whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// Who shall do it; whoever's turn it is if not said.
    pub subject: Option<String>,
    /// What.
    pub want: Want,
}

impl Intent {
    /// Not understood.
    pub fn unknown() -> Intent {
        Intent { subject: None, want: Want::Unknown }
    }

    /// Whether it was not understood.
    pub fn is_unknown(&self) -> bool {
        self.want == Want::Unknown
    }

    /// Reads an intent; `None` if it is not a valid one.
    pub fn read(value: &Value) -> Option<Intent> {
        let text = |key: &str| value[key].as_str().filter(|t| !t.is_empty()).map(str::to_string);
        let want = match value["type"].as_str()? {
            "move_to" => Want::MoveTo { x: whole(&value["x"])?, y: whole(&value["y"])? },
            "move_direction" => read_direction(value)?,
            "approach" => Want::Approach { target: text("target")? },
            "flee" => Want::Flee { from: text("from") },
            "attack" => Want::Attack { target: text("target")? },
            "use_ability" => Want::UseAbility { ability: text("ability")?, target: text("target") },
            "compound" => {
                let steps = value["steps"].as_array().filter(|s| !s.is_empty())?;
                Want::Compound { steps: steps.iter().map(Intent::read).collect::<Option<_>>()? }
            }
            "end_turn" => Want::EndTurn,
            "start_combat" => Want::StartCombat,
            "defend" => Want::Defend,
            "unknown" => Want::Unknown,
            _ => return None,
        };
        Some(Intent { subject: text("subject"), want })
    }

    /// The JSON form.
    pub fn to_json(&self) -> Value {
        let mut map = Map::new();
        if let Some(subject) = &self.subject {
            map.insert("subject".to_string(), json!(subject));
        }
        let mut put = |key: &str, value: Value| map.insert(key.to_string(), value);
        let kind = match &self.want {
            Want::MoveTo { x, y } => {
                put("x", json!(x));
                put("y", json!(y));
                "move_to"
            }
            Want::MoveDirection { direction, distance } => {
                put("direction", json!(direction.word()));
                if let Some(distance) = distance {
                    put("distance", json!(distance));
                }
                "move_direction"
            }
            Want::Approach { target } => {
                put("target", json!(target));
                "approach"
            }
            Want::Flee { from } => {
                if let Some(from) = from {
                    put("from", json!(from));
                }
                "flee"
            }
            Want::Attack { target } => {
                put("target", json!(target));
                "attack"
            }
            Want::UseAbility { ability, target } => {
                put("ability", json!(ability));
                if let Some(target) = target {
                    put("target", json!(target));
                }
                "use_ability"
            }
            Want::Compound { steps } => {
                put("steps", steps.iter().map(Intent::to_json).collect());
                "compound"
            }
            Want::EndTurn => "end_turn",
            Want::StartCombat => "start_combat",
            Want::Defend => "defend",
            Want::Unknown => "unknown",
        };
        map.insert("type".to_string(), json!(kind));
        Value::Object(map)
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.as_f64().map(|x| x.floor() as i64)
}

fn read_direction(value: &Value) -> Option<Want> {
    let direction = Direction::read(value["direction"].as_str()?)?;
    let distance = match value.get("distance").filter(|d| !d.is_null()) {
        None => None,
        Some(d) => Some(d.as_f64().filter(|d| *d >= 1.0)?.floor() as i64),
    };
    Some(Want::MoveDirection { direction, distance })
}
