//! Map templates: small grounds drawn as text, stored as content.

use crate::document::{GridDoc, GridKind, MapDoc, SizeDoc, TileDoc};
use std::sync::OnceLock;

/// A map drawn as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Rows: `.` open, `#` wall, `~` water, `:` difficult, `o` pit, `p` and `n` starting cells.
    pub rows: Vec<&'static str>,
}

/// The templates that can be asked for.
pub fn all() -> &'static [Template] {
    static TEMPLATES: OnceLock<Vec<Template>> = OnceLock::new();
    TEMPLATES.get_or_init(|| {
        vec![
            Template {
                id: "arena",
                name: "Arena",
                rows: lines(include_str!("../../content/maps/arena.txt")),
            },
            Template {
                id: "dungeon_corridor",
                name: "Dungeon corridor",
                rows: lines(include_str!("../../content/maps/dungeon_corridor.txt")),
            },
            Template {
                id: "forest_clearing",
                name: "Forest clearing",
                rows: lines(include_str!("../../content/maps/forest_clearing.txt")),
            },
            Template {
                id: "tavern",
                name: "Tavern",
                rows: lines(include_str!("../../content/maps/tavern.txt")),
            },
        ]
    })
}

fn lines(text: &'static str) -> Vec<&'static str> {
    text.lines().filter(|l| !l.is_empty()).collect()
}

/// A template by id.
pub fn find(id: &str) -> Option<&'static Template> {
    all().iter().find(|t| t.id == id)
}

impl Template {
    /// Columns and rows.
    pub fn size(&self) -> (i64, i64) {
        (self.rows.first().map_or(1, |r| r.len()) as i64, self.rows.len() as i64)
    }

    /// The map as a document has it.
    pub fn map(&self) -> MapDoc {
        map_from_rows(self.id, self.name, self.rows.iter().copied())
    }

    /// The cells marked for a side: `p` for heroes, `n` for opponents.
    pub fn starts(&self, mark: char) -> Vec<(i64, i64)> {
        let mut out = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            out.extend(
                row.chars().enumerate().filter(|(_, c)| *c == mark).map(|(x, _)| (x as i64, y as i64)),
            );
        }
        out
    }
}

/// A map out of rows of characters; characters that are not terrain are open ground.
pub fn map_from_rows<'r>(id: &str, name: &str, rows: impl Iterator<Item = &'r str>) -> MapDoc {
    let mut terrain = Vec::new();
    let (mut width, mut height) = (1, 0);
    for (y, row) in rows.enumerate() {
        height = y as i64 + 1;
        width = width.max(row.chars().count() as i64);
        for (x, c) in row.chars().enumerate() {
            terrain.extend(tile(x as i64, y as i64, c));
        }
    }
    MapDoc {
        id: id.to_string(),
        name: name.to_string(),
        grid: GridDoc {
            kind: GridKind::Square,
            size: SizeDoc { width, height: height.max(1) },
            cell_size: 5,
        },
        terrain,
        fog_of_war_enabled: false,
    }
}

fn tile(x: i64, y: i64, c: char) -> Option<TileDoc> {
    let (kind, blocks_movement, blocks_vision) = match c {
        '#' => ("blocked", true, Some(true)),
        '~' => ("water", true, None),
        'o' => ("pit", true, None),
        ':' => ("difficult", false, None),
        _ => return None,
    };
    Some(TileDoc { x, y, kind: kind.to_string(), blocks_movement, blocks_vision })
}
