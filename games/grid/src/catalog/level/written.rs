//! A level file as its author sees it: what it says, where each part stands, and everything that is wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use turnstone_content::{Node, Place, Problem, Tree, in_order};

use super::LevelFile;
use super::spec;
use crate::component::Mask;

/// A level file with places. What is wrong is left out of the file.
pub(crate) struct Written {
    pub file: LevelFile,
    /// What is wrong with its form, each with the code of the reader that stops there.
    pub faults: Vec<(&'static str, Problem)>,
    name: String,
    /// Where the values of keys stand.
    keys: BTreeMap<String, Place>,
    /// Where the rows of the map begin.
    rows: Vec<Place>,
    /// Where letters are explained.
    legend: BTreeMap<char, Place>,
    /// The map, or what a letter on it stands for, could not be read: who stands on it is not known.
    doubtful: bool,
}

const STEPS: RangeInclusive<i64> = 1..=1_000_000;

impl Written {
    fn new(name: &str) -> Self {
        Written {
            file: LevelFile::default(),
            faults: Vec::new(),
            name: name.to_owned(),
            keys: BTreeMap::new(),
            rows: Vec::new(),
            legend: BTreeMap::new(),
            doubtful: false,
        }
    }

    fn place(&self, line: usize, column: usize) -> Place {
        Place { file: self.name.clone(), line: line as u32, column: column as u32 }
    }

    fn fault(&mut self, code: &'static str, place: &Place, message: impl Into<String>) {
        self.faults.push((code, Problem::new(place, message)));
    }

    /// Reads plain text: `key: value` lines, a blank line, the map, a blank line, `letter = things` lines.
    pub fn text(name: &str, text: &str) -> Self {
        let mut written = Written::new(name);
        let (mut part, mut begun) = (0, false);
        for (index, line) in text.lines().enumerate() {
            let (line, number) = (line.trim_end(), index + 1);
            if line.is_empty() {
                part += usize::from(begun);
                begun = false;
                continue;
            }
            begun = true;
            match part {
                0 => written.header(line, number),
                1 => {
                    written.rows.push(written.place(number, 1));
                    written.file.map.push_str(line);
                    written.file.map.push('\n');
                }
                _ => written.legend_line(line, number),
            }
        }
        written
    }

    fn header(&mut self, line: &str, number: usize) {
        let key = line.split_once(':').map(|(key, _)| key.trim());
        let value = line.split_once(':').map_or("", |(_, value)| value.trim());
        let column = line.chars().count() - line.trim_start().chars().count() + 1;
        let behind = line.chars().count() - value.chars().count() + 1;
        if let Err(message) = self.file.header(line) {
            // What is unknown is the key, what is wrong is the value.
            let known = key.is_some_and(|key| super::file::HEADERS.contains(&key));
            let place = self.place(number, if known { behind } else { column });
            self.fault("BAD_TEXT", &place, message);
        } else if let Some(key) = key {
            self.keys.insert(key.to_owned(), self.place(number, behind));
        }
    }

    fn legend_line(&mut self, line: &str, number: usize) {
        let place = self.place(number, 1);
        match super::file::explained(line) {
            Ok((letter, things)) => {
                let column = line.chars().count() - things.chars().count() + 1;
                self.explain("BAD_TEXT", letter, things, &place, &self.place(number, column));
            }
            Err(message) => self.fault("BAD_TEXT", &place, message),
        }
    }

    /// Takes what a letter stands for, if every word of it makes sense.
    fn explain(&mut self, code: &'static str, letter: char, things: &str, place: &Place, words: &Place) {
        self.legend.insert(letter, place.clone());
        let wrong = spec::faults(things);
        self.doubtful |= !wrong.is_empty();
        for (word, message) in &wrong {
            let before = things.find(word.as_str()).and_then(|at| things.get(..at));
            let column = words.column + before.map_or(0, |before| before.chars().count() as u32);
            let place = Place { column, ..words.clone() };
            self.fault(code, &place, format!("`{letter}`: {message}"));
        }
        // A letter that is explained badly is explained: it is not told twice.
        let sound = if wrong.is_empty() { things.trim() } else { "" };
        self.file.legend.insert(letter, sound.to_owned());
    }

    /// Reads TOML.
    pub fn toml(name: &str, text: &str) -> Self {
        let mut written = Written::new(name);
        let node = match turnstone_content::parse(name, text) {
            Ok(node) => node,
            Err(problem) => {
                written.faults.push(("BAD_TOML", problem));
                written.doubtful = true;
                return written;
            }
        };
        let read = turnstone_content::read_all::<LevelFile>(&node);
        written.file = read.unwrap_or_else(|problems| {
            written.faults.extend(problems.into_iter().map(|problem| ("BAD_TOML", problem)));
            LevelFile::default()
        });
        if !written.faults.is_empty() {
            // What could be read all the same is looked at, too.
            written.file.map = map_of(&node);
            written.file.turn_limit = number_of(&node, "turn_limit");
            written.file.par = number_of(&node, "par");
            written.doubtful = written.file.map.is_empty();
        }
        for (key, _, value) in rows_of(&node) {
            written.keys.insert(key.clone(), value.place.clone());
        }
        written.find_rows(text);
        written.toml_legend(&node);
        written
    }

    fn toml_legend(&mut self, node: &Node) {
        let Some(legend) = node.get("legend") else { return };
        for (key, place, value) in rows_of(legend) {
            let (Some(letter), Tree::Text(things)) = (key.chars().next(), &value.value) else { continue };
            let words = Place { column: value.place.column + 1, ..value.place.clone() };
            self.explain("BAD_SPEC", letter, things, place, &words);
        }
    }

    /// The rows of a map in TOML: behind the quotes, or in the lines below them.
    fn find_rows(&mut self, text: &str) {
        let Some(start) = self.keys.get("map").cloned() else { return };
        let line = text.lines().nth(start.line as usize - 1).unwrap_or_default();
        let quoted: String = line.chars().skip(start.column as usize - 1).collect();
        let long = quoted.starts_with("\"\"\"") || quoted.starts_with("'''");
        let below = long && quoted.trim_end().len() == 3;
        let first = if below {
            self.place(start.line as usize + 1, 1)
        } else {
            Place { column: start.column + if long { 3 } else { 1 }, ..start }
        };
        let later =
            |index: usize| Place { line: first.line + index as u32, column: 1, file: first.file.clone() };
        let count = self.file.map.lines().count();
        self.rows = (0..count).map(|index| if index == 0 { first.clone() } else { later(index) }).collect();
        // Empty lines above the map are none of its rows.
        let empty = self.file.map.lines().take_while(|line| line.is_empty()).count();
        self.rows.drain(..empty.min(count));
    }

    /// The level, if nothing is wrong with it.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn checked(mut self) -> Result<LevelFile, Vec<Problem>> {
        let mut problems: Vec<Problem> =
            std::mem::take(&mut self.faults).into_iter().map(|fault| fault.1).collect();
        self.check_numbers(&mut problems);
        self.check_map(&mut problems);
        if problems.is_empty() {
            // Whatever else no world can have.
            let built = self.file.to_level().and_then(|level| level.to_world());
            problems.extend(built.err().map(|error| Problem::new(&self.map_place(), error.message)));
        }
        in_order(&mut problems);
        if problems.is_empty() { Ok(self.file) } else { Err(problems) }
    }

    fn check_numbers(&self, problems: &mut Vec<Problem>) {
        for (key, number) in [("turn_limit", self.file.turn_limit), ("par", self.file.par)] {
            if let (Some(number), Some(place)) =
                (number.filter(|number| !STEPS.contains(number)), self.keys.get(key))
            {
                problems.push(Problem::beyond(place, &STEPS, number));
            }
        }
    }

    fn map_place(&self) -> Place {
        self.rows.first().cloned().unwrap_or_else(|| self.place(1, 1))
    }

    fn check_map(&self, problems: &mut Vec<Problem>) {
        let Ok(legend) = self.file.read_legend() else { return };
        let (mut told, mut portals) = (BTreeSet::new(), BTreeMap::new());
        let mut agents = 0;
        let rows = self.file.map.lines().skip_while(|row| row.is_empty());
        for (place, row) in self.rows.iter().zip(rows) {
            for (x, letter) in row.chars().enumerate() {
                let place = Place { column: place.column + x as u32, ..place.clone() };
                let Some(pieces) = legend.get(&letter) else {
                    if told.insert(letter) {
                        let text = format!("`{letter}` is not explained; add it to the legend");
                        problems.push(Problem::new(&place, text));
                    }
                    continue;
                };
                agents +=
                    pieces.iter().filter(|piece| piece.blueprint.entity.mask().any(Mask::AGENT)).count();
                if pieces.iter().any(super::file::seeks_twin) {
                    let count = portals.entry(letter).or_insert(0);
                    *count += 1;
                    if *count == 3 {
                        problems.push(Problem::new(&place, super::file::third(letter)));
                    }
                }
            }
        }
        self.check_partners(&legend, &portals, problems);
        if agents == 0 && !self.doubtful {
            let text = "nobody on the map can act; put an agent (`@`) on it";
            problems.push(Problem::new(&self.map_place(), text));
        }
    }

    /// Letters that others lead to must be on the map.
    fn check_partners(
        &self,
        legend: &BTreeMap<char, Vec<spec::Piece>>,
        portals: &BTreeMap<char, usize>,
        problems: &mut Vec<Problem>,
    ) {
        let there = |letter: char| self.file.map.contains(letter);
        for (letter, pieces) in legend.iter().filter(|(letter, _)| there(**letter)) {
            let place = self.legend.get(letter).cloned().unwrap_or_else(|| self.map_place());
            let named = pieces.iter().flat_map(|piece| piece.target.into_iter().chain(piece.pair));
            for other in named.filter(|other| !there(*other)) {
                let text = format!("`{letter}` refers to `{other}`, which is not on the map");
                problems.push(Problem::new(&place, text));
            }
            if portals.get(letter) == Some(&1) {
                let text = format!(
                    "`{letter}` is a portal without a second one; put another `{letter}` on the map, or say where it leads with `pair=`"
                );
                problems.push(Problem::new(&place, text));
            }
        }
    }
}

fn rows_of(node: &Node) -> &[(String, Place, Node)] {
    match &node.value {
        Tree::Table(rows) => rows,
        _ => &[],
    }
}

fn map_of(node: &Node) -> String {
    node.texts("map").first().map(|(map, _)| (*map).to_owned()).unwrap_or_default()
}

fn number_of(node: &Node, key: &str) -> Option<i64> {
    match node.get(key)?.value {
        Tree::Int(number) => Some(number),
        _ => None,
    }
}
