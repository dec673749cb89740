//! Levels as files: TOML, or plain text with the map in the middle.
//!
//! ```text
//! name: A coin on the way
//! objective: exit
//!
//! #######
//! #@.c.E#
//! #######
//!
//! c = coin reward=5
//! ```

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone_content::{Place, Problem};

use super::spec::{Piece, parse_all};
use super::written::Written;
use super::{Level, ObjectId, factory};
use crate::error::{GridError, Result, unknown};
use crate::geometry::Point;
use crate::label::{Company, Label};
use crate::moves::MoveRule;
use crate::objective::Objective;
use crate::ruleset::Order;

/// A level as it is written down. Every letter of the map is described by the legend; the usual
/// ones need no entry: `#` wall, `.` floor, `@` agent, `E` exit, `o` coin, `*` core, `B` box,
/// `~` lava, `^` spike.
///
/// ```
/// use turnstone_grid::level::LevelFile;
/// let file = LevelFile::from_toml(r#"
///     name = "One step"
///     map = "@E"
/// "#)?;
/// assert_eq!(file.to_level()?.bounds().width, 2);
/// # Ok::<(), turnstone_grid::error::GridError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LevelFile {
    /// What it is called.
    pub name: String,
    /// One sentence about it.
    pub about: String,
    /// How agents move.
    #[serde(rename = "move")]
    pub move_rule: MoveRule,
    /// What wins.
    pub objective: Objective,
    /// How several agents stand to each other.
    #[serde(skip_serializing_if = "is_usual")]
    pub company: Company,
    /// Who of several agents acts when; in turn if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Steps allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_limit: Option<i64>,
    /// The fewest steps that win it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub par: Option<i64>,
    /// Seeds the wind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Shown to the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What standing on the floor costs per step; 1 if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<i32>,
    /// The map, one line per row. Short rows end in walls.
    pub map: String,
    /// What the letters stand for; several things are separated by `;`.
    pub legend: BTreeMap<char, String>,
}

const USUAL: [(char, &str); 10] = [
    ('#', "wall"),
    ('.', ""),
    (' ', ""),
    ('@', "agent"),
    ('E', "exit"),
    ('o', "coin reward=1"),
    ('*', "core"),
    ('B', "box"),
    ('~', "lava"),
    ('^', "spike"),
];

impl LevelFile {
    /// Reads either form: TOML says `map =`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Self> {
        let toml = text.lines().any(|line| line.trim_start().starts_with("map ") || line.starts_with("map="));
        if toml { Self::from_toml(text) } else { Self::from_text(text) }
    }

    /// Who acts when: as the file says, and else in turn where there are several agents.
    ///
    /// # Errors
    /// As [`LevelFile::to_level`].
    pub fn usual_order(&self) -> Result<Order> {
        if let Some(order) = self.order {
            return Ok(order);
        }
        let is_agent =
            |blueprint: &super::Blueprint| blueprint.entity.mask().any(crate::component::Mask::AGENT);
        let agents = self.to_level()?.objects().filter(|(_, _, blueprint)| is_agent(blueprint)).count();
        Ok(if agents > 1 { Order::Rotation } else { Order::Anyone })
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// `BAD_TOML` or `BAD_SPEC` with line and column.
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::first_fault(Written::toml("", text))
    }

    /// Reads plain text: `key: value` lines, a blank line, the map, a blank line, `letter = things` lines.
    ///
    /// # Errors
    /// `BAD_TEXT` with line and column.
    pub fn from_text(text: &str) -> Result<Self> {
        Self::first_fault(Written::text("", text))
    }

    fn first_fault(written: Written) -> Result<Self> {
        match written.faults.into_iter().next() {
            Some((code, Problem { place, message })) => Err(at(code, &place, &message)),
            None => Ok(written.file),
        }
    }

    /// Reads a level file, TOML or plain text by its ending, and looks whether it can be played.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with file, line and column.
    pub fn checked(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let written =
            if name.ends_with(".toml") { Written::toml(name, text) } else { Written::text(name, text) };
        written.checked()
    }

    pub(super) fn header(&mut self, line: &str) -> Result<(), String> {
        let (key, value) =
            line.split_once(':').ok_or("expected `key: value`, then a blank line and the map")?;
        let value = value.trim();
        let number = || value.parse::<i64>().map_err(|_| format!("`{value}` is not a whole number"));
        match key.trim() {
            "name" => self.name = value.into(),
            "about" => self.about = value.into(),
            "message" => self.message = Some(value.into()),
            "move" => self.move_rule = MoveRule::named(value).ok_or(one_of(value, &MoveRule::NAMES))?,
            "objective" => self.objective = Objective::read(value)?,
            "company" => self.company = Company::named(value).ok_or(one_of(value, &Company::NAMES))?,
            "order" => self.order = Some(Order::named(value).ok_or(one_of(value, &Order::NAMES))?),
            "turn_limit" => self.turn_limit = Some(number()?),
            "par" => self.par = Some(number()?),
            "seed" => self.seed = Some(number()?),
            "floor" => self.floor = Some(number()?.try_into().map_err(|_| "too large a number")?),
            other => return Err(one_of(other, &HEADERS)),
        }
        Ok(())
    }

    /// Builds the level.
    ///
    /// # Errors
    /// Letters nobody explains, specs that make no sense, references to letters that are not on
    /// the map, and maps without an agent.
    pub fn to_level(&self) -> Result<Level> {
        let rows: Vec<Vec<char>> = self.map.lines().map(|line| line.chars().collect()).collect();
        let rows: Vec<&Vec<char>> = rows.iter().skip_while(|row| row.is_empty()).collect();
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let size = |size: usize| i32::try_from(size).unwrap_or(i32::MAX);
        let mut level = Level::new(size(width), size(rows.len())).map_err(|error| error.field("map"))?;
        level.move_rule = self.move_rule;
        level.objective = self.objective.clone();
        level.company = self.company;
        level.turn_limit = self.turn_limit;
        level.label =
            Label { name: self.name.clone(), about: self.about.clone(), par: self.par, ..Label::default() };
        level.seed = self.seed;
        level.message = self.message.clone();
        let legend = self.read_legend()?;
        let mut placed: Vec<(char, ObjectId, Piece)> = Vec::new();
        for point in level.bounds().points().collect::<Vec<_>>() {
            let letter = rows[point.y as usize].get(point.x as usize).copied().unwrap_or('#');
            let Some(pieces) = legend.get(&letter) else { return Err(unexplained(letter, point)) };
            self.place(&mut level, point, letter, pieces, &mut placed)?;
            if pieces.iter().any(seeks_twin) && twins(&placed, letter) > 2 {
                return Err(crowded(letter, point));
            }
        }
        connect(&mut level, &placed)?;
        Ok(level)
    }

    pub(super) fn read_legend(&self) -> Result<BTreeMap<char, Vec<Piece>>> {
        let mut legend = BTreeMap::new();
        let own = self.legend.iter().map(|(letter, spec)| (*letter, spec.as_str()));
        for (letter, spec) in USUAL.into_iter().chain(own) {
            let pieces = parse_all(spec).map_err(|error| error.field(format!("legend `{letter}`")))?;
            legend.insert(letter, pieces);
        }
        Ok(legend)
    }

    fn place(
        &self,
        level: &mut Level,
        point: Point,
        letter: char,
        pieces: &[Piece],
        placed: &mut Vec<(char, ObjectId, Piece)>,
    ) -> Result<()> {
        let grounded =
            |piece: &Piece| piece.blueprint.entity.appearance.as_ref().is_some_and(|look| look.background);
        if !pieces.iter().any(grounded) {
            level.add(point, factory::floor(self.floor.unwrap_or(1)))?;
        }
        for piece in pieces {
            let id = level.add(point, piece.blueprint.clone())?;
            placed.push((letter, id, piece.clone()));
        }
        Ok(())
    }
}

pub(super) const HEADERS: [&str; 11] = [
    "name",
    "about",
    "move",
    "objective",
    "company",
    "order",
    "turn_limit",
    "par",
    "seed",
    "message",
    "floor",
];

fn at(code: &'static str, place: &Place, message: &str) -> GridError {
    GridError::new(code, format!("line {}, column {}: {message}", place.line, place.column))
}

/// The letter that a line of the legend explains, and by which words.
pub(super) fn explained(line: &str) -> Result<(char, &str), String> {
    let mut letters = line.chars();
    let letter = letters.next().unwrap_or('#');
    let things = letters.as_str().trim_start().strip_prefix('=');
    Ok((letter, things.ok_or("expected `letter = things`")?))
}

fn is_usual(company: &Company) -> bool {
    *company == Company::default()
}

fn one_of(value: &str, known: &[&str]) -> String {
    unknown(value, known)
}

fn unexplained(letter: char, point: Point) -> GridError {
    let message = format!(
        "`{letter}` in row {}, column {} is not explained; add it to the legend",
        point.y + 1,
        point.x + 1
    );
    GridError::new("UNKNOWN_LETTER", message).field("map")
}

/// Whether a piece is a portal that leads to the other one of its letter.
pub(super) fn seeks_twin(piece: &Piece) -> bool {
    piece.blueprint.entity.portal.is_some() && piece.pair.is_none()
}

fn twins(placed: &[(char, ObjectId, Piece)], letter: char) -> usize {
    placed.iter().filter(|(other, _, piece)| *other == letter && seeks_twin(piece)).count()
}

fn crowded(letter: char, point: Point) -> GridError {
    let message = format!("row {}, column {}: {}", point.y + 1, point.x + 1, third(letter));
    GridError::new("UNPAIRED_PORTAL", message).field("map")
}

pub(super) fn third(letter: char) -> String {
    format!(
        "`{letter}` is a third portal of that letter; two lead to each other, so give it a letter of its own or say \
         where it leads with `pair=`"
    )
}

/// Sets targets and pairs. A portal's partner is the other portal of the same letter.
fn connect(level: &mut Level, placed: &[(char, ObjectId, Piece)]) -> Result<()> {
    let is_portal = |piece: &Piece| piece.blueprint.entity.portal.is_some();
    for (letter, id, piece) in placed {
        if let Some(target) = piece.target {
            level.object_mut(*id)?.target = Some(find(placed, target, |_| true)?);
        }
        if !is_portal(piece) {
            continue;
        }
        let wanted = piece.pair.unwrap_or(*letter);
        let other = find(placed, wanted, |(_, other, piece)| other != id && is_portal(piece))?;
        level.object_mut(*id)?.pair = Some(other);
    }
    Ok(())
}

fn find(
    placed: &[(char, ObjectId, Piece)],
    letter: char,
    fits: impl Fn(&(char, ObjectId, Piece)) -> bool,
) -> Result<ObjectId> {
    let found = placed.iter().rev().find(|entry| entry.0 == letter && fits(entry));
    found.map(|(_, id, _)| *id).ok_or_else(|| {
        let message = format!("`{letter}` is referred to, but there is no such partner on the map");
        GridError::new("DANGLING_LETTER", message).field("map")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Mask;

    const TEXT: &str = "name: Both ways\nobjective: exit\nmove: wrap\nfloor: 2\n\n#####\n#@pm#\n#E.p#\n\nm = monster damage=1 hunts=path\np = portal\n";

    #[test]
    fn text_and_toml_say_the_same() {
        let text = LevelFile::from_text(TEXT).unwrap();
        let toml = toml::to_string(&text).unwrap();
        assert_eq!(LevelFile::from_toml(&toml).unwrap(), text);
        let world = text.to_level().unwrap().to_world().unwrap();
        assert_eq!((world.cast.portals.len(), world.cast.hunters.len()), (2, 1));
        assert_eq!(world.cast.of(world.cast.portals[0]).pair, world.cast.portals[1]);
        assert_eq!(Some(world.cast.of(world.cast.hunters[0]).prey), world.first_agent());
        assert!(world.entities().all(|slot| world.has(slot, Mask::APPEARANCE)));
    }

    #[test]
    fn mistakes_are_named() {
        let build = |text: &str| LevelFile::from_text(text).and_then(|file| file.to_level()).unwrap_err();
        let build_toml =
            |text: &str| LevelFile::from_toml(text).and_then(|file| file.to_level()).unwrap_err();
        assert_eq!(build("name: x\n\n@?\n").code, "UNKNOWN_LETTER");
        assert_eq!(build("name: x\n\n@p\n\np = portal\n").code, "DANGLING_LETTER");
        assert_eq!(build("name: x\n\n@m\n\nm = monster hunts=path target=q\n").code, "DANGLING_LETTER");
        let third = build("name: x\n\n@pp\n#.p\n\np = portal\n");
        assert_eq!(third.code, "UNPAIRED_PORTAL");
        assert!(third.message.contains("row 2, column 3"), "{third}");
        assert_eq!(build("nime: x\n").code, "BAD_TEXT");
        assert_eq!(build("name: x\n").code, "BAD_SIZE");
        let dragon = build("name: x\n\n@d\n\nd = dragon\n");
        assert!(dragon.code == "BAD_TEXT" && dragon.message.contains("line 5, column 5: `d`"), "{dragon}");
        let toml = build_toml("map = '@d'\n[legend]\nw = 'wall'\nd = 'montser'\n");
        assert!(toml.code == "BAD_SPEC" && toml.message.contains("line 4, column 6: `d`"), "{toml}");
        assert!(toml.message.contains("did you mean `monster`?"), "{toml}");
        let toml = LevelFile::from_toml("nam = 'x'").unwrap_err();
        assert!(toml.code == "BAD_TOML" && toml.message.contains("line 1"), "{toml}");
    }
}
