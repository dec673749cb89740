//! Scenes: what a game shows, as plain data. A terminal, a browser or a test draws it.
//!
//! A scene has an optional board of cells, panels of text, and the inputs that are possible now. An
//! input names the things one points at to choose it ([`Pick`]): a cell and then another, a card and
//! then a target. A front end offers the first picks, then those that fit, until one input is left;
//! so it needs to know no game.
//!
//! Every cell and every line has words, which a terminal prints. Beside the words may stand what the thing
//! *is*: a [`Figure`], a [`Card`], a [`Pile`], a [`Counter`], a place of a [`Graph`]. Games say what things are,
//! front ends decide how they look. Things have ids that stay the same through a match, so that what moves
//! can be seen moving.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is shown at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Numbers of the whole table that one looks at often: gold, energy, the turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<Counter>,
    /// The letters that begin a written move here, possible now or not. Where moves are written down, as in chess,
    /// these letters are always typed and never mean a command.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notation: String,
}

impl Scene {
    /// The JSON Schema of a scene, for whoever draws them in another language.
    pub fn schema() -> Value {
        schemars::schema_for!(Scene).to_value()
    }
}

/// A rectangle of cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The board is a map: these cells are its places, joined by ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
    /// The board is turned for the viewer by whoever draws it: the first row of the scene is the last shown,
    /// and columns run the other way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turned: bool,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// At most three plain characters.
    pub text: String,
    /// What stands here, for colour.
    pub ink: Ink,
    /// What lies under it, for the background.
    pub ground: Ground,
    /// Explained when the cursor is here.
    pub note: String,
    /// The name of what lies under everything, if it is more than its ground: `lava`, `guardian`, `pit`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tile: String,
    /// The last action was here, or the way so far led through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recent: bool,
    /// Who or what stands here, the most important last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

/// Somebody or something that stands on a cell or in a row of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Figure {
    /// The same through the whole match, and nobody else's.
    pub id: String,
    /// In words: `Jaw Worm`.
    pub name: String,
    /// What it is, as a front end may have a picture of: `knight`, `goblin`, `jaw_worm`. Where there is none, the
    /// name's letters do.
    pub icon: String,
    /// The seat it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<u8>,
    /// It is this one's turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub active: bool,
    /// Dead, asleep or gone, but still shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub down: bool,
    /// What goes up and down: hit points, block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gauges: Vec<Gauge>,
    /// What it carries or suffers from: powers, conditions, abilities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<Badge>,
    /// What it means to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Badge>,
    /// Where it heads, in columns and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<(i8, i8)>,
}

/// A number of a figure, often with its largest value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Gauge {
    /// `hp`, `block`.
    pub name: String,
    /// The value now.
    pub now: i64,
    /// The largest value, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
}

/// A small sign with a number and an explanation: a power, a condition, an intent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Badge {
    /// What it is, for a picture: `strength`, `attack`.
    pub icon: String,
    /// In words.
    pub name: String,
    /// How much of it, as it is shown: `3`, `6×2`. Empty: it is just there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub count: String,
    /// What it does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How its number comes about, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// A card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Card {
    /// The same wherever the card goes, and no other's. Empty: nobody may know which one it is, or it is not one
    /// card but a kind.
    pub id: String,
    /// Its name.
    pub title: String,
    /// What it costs, as printed on it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cost: String,
    /// `attack`, `skill`, `jewel`: for its frame and a picture.
    pub kind: String,
    /// What it does, with the numbers of the moment.
    pub text: String,
    /// What it would do once it is upgraded.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// Its own picture, if a front end has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub icon: String,
    /// What it costs to buy.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub price: String,
    /// How rare it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rarity: String,
    /// Why it cannot be played or taken now. Empty: it can, or nobody asks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why_not: String,
    /// Face down.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Already chosen for what is asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// How many like this; 0 and 1 mean one.
    #[serde(skip_serializing_if = "is_one")]
    pub copies: u16,
    /// How its numbers come about, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

fn is_one(count: &u16) -> bool {
    *count < 2
}

/// Cards in a heap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Pile {
    /// `draw`, `discard`.
    pub id: String,
    /// In words.
    pub name: String,
    /// How many cards.
    pub count: u32,
    /// The names of those that may be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// A number that stands for itself: gold, energy, the turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Counter {
    /// The same through the match; also what it is, for a picture: `gold`.
    pub id: String,
    /// In words.
    pub name: String,
    /// The value now.
    pub now: i64,
    /// The largest value, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
    /// What it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Counter {
    /// A number without an upper end.
    pub fn new(id: &str, name: &str, now: impl Into<i64>) -> Self {
        Counter { id: id.to_owned(), name: name.to_owned(), now: now.into(), ..Counter::default() }
    }

    /// The same with its largest value.
    #[must_use]
    pub fn of(self, most: impl Into<i64>) -> Self {
        Counter { most: Some(most.into()), ..self }
    }
}

/// Places of a board and the ways between them: the map of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Graph {
    /// The places.
    pub nodes: Vec<Node>,
    /// Ways, from one place to another, by their numbers in `nodes`.
    pub edges: Vec<(u16, u16)>,
}

/// A place of a map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Node {
    /// Its cell on the board: column and row.
    pub at: (u16, u16),
    /// What it is, for a picture: `monster`, `shop`.
    pub icon: String,
    /// In words.
    pub name: String,
    /// The way so far led through it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub visited: bool,
    /// One is here now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub here: bool,
    /// It can still be reached.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

/// Meanings of foreground colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
}

/// A titled list of lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// A stable name, for [`Pick::Item`].
    pub id: String,
    /// What is shown on top.
    pub title: String,
    /// The lines.
    pub items: Vec<Item>,
    /// How the things in it lie.
    #[serde(default, skip_serializing_if = "Lie::is_list")]
    pub lie: Lie,
}

/// How the things of a panel lie on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lie {
    /// Lines, one below the other.
    #[default]
    List,
    /// A hand of cards, held by the viewer or somebody else.
    Hand,
    /// Figures side by side.
    Row,
    /// Things to choose from, laid out on the table.
    Offer,
    /// Heaps of cards.
    Piles,
    /// Small things that one owns: relics, potions, captured men.
    Shelf,
    /// Only to be looked up: a deck, a legend.
    Aside,
}

impl Lie {
    fn is_list(&self) -> bool {
        *self == Lie::List
    }
}

/// One line of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// The words.
    pub text: String,
    /// For colour.
    pub ink: Ink,
    /// Explained when the cursor is here.
    pub note: String,
    /// What it is that the line tells of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thing: Option<Box<Thing>>,
}

impl Item {
    /// The line with what it tells of.
    #[must_use]
    pub fn with(self, thing: impl Into<Thing>) -> Self {
        Item { thing: Some(Box::new(thing.into())), ..self }
    }
}

/// What a line of a panel tells of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// Somebody.
    Figure(Figure),
    /// A card.
    Card(Card),
    /// A heap of cards.
    Pile(Pile),
    /// A number.
    Counter(Counter),
    /// A small thing with an explanation: a relic, a potion.
    Badge(Badge),
}

impl From<Figure> for Thing {
    fn from(figure: Figure) -> Self {
        Thing::Figure(figure)
    }
}

impl From<Card> for Thing {
    fn from(card: Card) -> Self {
        Thing::Card(card)
    }
}

impl From<Pile> for Thing {
    fn from(pile: Pile) -> Self {
        Thing::Pile(pile)
    }
}

impl From<Counter> for Thing {
    fn from(counter: Counter) -> Self {
        Thing::Counter(counter)
    }
}

impl From<Badge> for Thing {
    fn from(badge: Badge) -> Self {
        Thing::Badge(badge)
    }
}

/// One thing that can be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// In words: `Strike the Cultist`, `e2e4`.
    pub label: String,
    /// What one points at, in order, to choose it. Empty: choose it from the list.
    pub picks: Vec<Pick>,
    /// What it would set off, if the game looked ahead.
    pub preview: String,
    /// It cannot be taken back by the next turn, or gives something away: ask once before it is done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grave: bool,
    /// What would happen to whom, where it can be foreseen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forecast: Vec<Forecast>,
}

/// What an input would do to somebody, as far as that can be known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Forecast {
    /// The figure it happens to.
    pub on: String,
    /// As short as it can be said: `−15`, `4–11 on 10+`, `dies`.
    pub text: String,
    /// How that number comes about, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// Something one points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
