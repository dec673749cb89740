//! Scenes: what a game shows, as plain data. A terminal, a browser or a test draws it.
//!
//! A scene has an optional board of cells, panels of text, and the inputs that are possible now. An
//! input names the things one points at to choose it ([`Pick`]): a cell and then another, a card and
//! then a target. A front end offers the first picks, then those that fit, until one input is left;
//! so it needs to know no game.

use serde::{Deserialize, Serialize};

/// What is shown at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// One line on top: whose turn, which round.
    pub title: String,
    /// The board, if the game has one.
    pub board: Option<Board>,
    /// Lists of things: hands, piles, units, the party.
    pub panels: Vec<Panel>,
    /// What can be done now. The number of an entry is its place in the list of inputs.
    pub options: Vec<Choice>,
    /// A question that waits, in words.
    pub question: Option<String>,
}

/// A rectangle of cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// Cells in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Row by row, from the top left.
    pub cells: Vec<Cell>,
    /// Names of the columns, left to right, if they have any.
    pub columns: Vec<String>,
    /// Names of the rows, top to bottom, if they have any.
    pub rows: Vec<String>,
    /// Only there to be looked up, as a map is during a fight: it is shown where there is room to
    /// spare, or when it is asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// Where looking begins, column and row: the one whose turn it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<(u16, u16)>,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// At most three plain characters.
    pub text: String,
    /// What stands here, for colour.
    pub ink: Ink,
    /// What lies under it, for the background.
    pub ground: Ground,
    /// Explained when the cursor is here.
    pub note: String,
}

/// Meanings of foreground colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// Ordinary.
    #[default]
    Plain,
    /// The viewer's side or the first player.
    Ours,
    /// The other side.
    Theirs,
    /// Belongs to nobody.
    Neutral,
    /// Worth having.
    Good,
    /// Dangerous.
    Bad,
    /// Magic, abilities.
    Special,
    /// Out of play.
    Faint,
}

/// Meanings of backgrounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Ordinary.
    #[default]
    Plain,
    /// The other colour of a chequered board.
    Dark,
    /// Impassable.
    Wall,
    /// Slow or rough.
    Rough,
    /// Water, ice.
    Water,
    /// Dangerous.
    Hot,
    /// Helpful: exits, portals, protection.
    Bright,
    /// Not seen.
    Hidden,
    /// Where the last action was.
    Recent,
}

/// A titled list of lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// A stable name, for [`Pick::Item`].
    pub id: String,
    /// What is shown on top.
    pub title: String,
    /// The lines.
    pub items: Vec<Item>,
}

/// One line of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The words.
    pub text: String,
    /// For colour.
    pub ink: Ink,
    /// Explained when the cursor is here.
    pub note: String,
}

/// One thing that can be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// In words: `Strike the Cultist`, `e2e4`.
    pub label: String,
    /// What one points at, in order, to choose it. Empty: choose it from the list.
    pub picks: Vec<Pick>,
    /// What it would set off, if the game looked ahead.
    pub preview: String,
}

/// Something one points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// A cell of the board, column and row from the top left.
    Cell(u16, u16),
    /// A line of a panel.
    Item(String, u16),
    /// A word: a command such as `end turn`, with a key of its own if it is one character long. The
    /// words `up`, `down`, `left` and `right` are the arrow keys.
    Word(String),
}
