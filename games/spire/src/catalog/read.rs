//! Reading content: from nodes to typed definitions, collecting every problem instead of stopping at the
//! first.

use super::defs::TOP_LEVEL;
use super::expr::{self, Arg, ArgKind, Expr, Read};
use super::verb::Ground;
use super::words::{Stage, Who, Zone};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use turnstone_content::{Fields, Node, Place, Problem, Tree, hint};

/// A name that some entry uses and another entry must define.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The kind of entry: `card`, `power`, `relic`, `potion`, `monster`, `orb`, `stance`, `encounter`.
    pub kind: &'static str,
    /// Its id.
    pub name: String,
    /// Where it is used.
    pub place: Place,
}

/// Which number a value changes, if it does: what is worked out from that number cannot be read for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Changes {
    /// None.
    #[default]
    Nothing,
    /// That of a stage.
    Stage(Stage),
    /// What the card costs by itself.
    OwnCost,
}

impl Changes {
    /// Whether working this out would need what is being worked out. Rates are made first, then attacks, block and
    /// costs, all else behind them.
    fn needs_itself(self, read: Read) -> bool {
        let (rate, made) = match self {
            Changes::Nothing => (false, false),
            Changes::OwnCost => (false, true),
            Changes::Stage(Stage::RateVulnerable | Stage::RateVulnerableSelf | Stage::RateWeak) => {
                (true, true)
            }
            Changes::Stage(stage) => (
                false,
                matches!(
                    stage,
                    Stage::AttackBase
                        | Stage::AttackDealt
                        | Stage::AttackTaken
                        | Stage::AttackTakenFinal
                        | Stage::CardBlock
                        | Stage::CardCost
                ),
            ),
        };
        match read {
            Read::AttackNumber | Read::CardBlock | Read::CostNow => made,
            Read::CostThisTurn => self == Changes::OwnCost,
            Read::VulnerableRate | Read::WeakRate => rate,
            _ => false,
        }
    }
}

/// Collects problems and references while definitions are read.
#[derive(Default)]
pub struct Reader {
    /// What is wrong so far.
    pub problems: Vec<Problem>,
    /// Entries that a later layer deleted, by kind and id.
    pub deleted: BTreeSet<(&'static str, String)>,
    /// Names to be found in the whole catalog.
    pub(crate) references: Vec<Reference>,
    /// Names of moves, variables and nodes used by the monster or event being read.
    pub(crate) owner_names: Vec<Reference>,
    /// Where what is read now must be possible.
    pub ground: Ground,
    /// What is read now belongs to somebody who carries it from fight to fight: a relic or a potion.
    pub carried: bool,
    /// What is read now belongs to somebody who can count: a relic or a power.
    pub counts: bool,
    /// The number that is changed by what is read now.
    pub changes: Changes,
    /// What is read now may differ by upgrade: it is a card's.
    pub forms: bool,
    /// What is read now happens to a card on its way into the deck.
    pub(crate) incoming: bool,
}

impl Reader {
    /// Notes a problem.
    pub fn wrong(&mut self, place: &Place, message: String) {
        self.problems.push(Problem { place: place.clone(), message });
    }

    /// Notes that an entry of that kind must exist.
    pub(crate) fn refer(&mut self, kind: &'static str, name: &str, place: &Place) {
        self.references.push(Reference { kind, name: name.to_string(), place: place.clone() });
    }

    /// A string.
    pub fn text(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Tree::Text(text) => Some(text.clone()),
            other => {
                self.wrong(&node.place, format!("expected a string, found {}", other.kind()));
                None
            }
        }
    }

    /// A list of strings; one string stands for a list of one.
    pub fn texts(&mut self, node: &Node) -> Vec<String> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.text(item)).collect(),
            _ => self.text(node).into_iter().collect(),
        }
    }

    /// True or false.
    pub fn truth(&mut self, node: &Node) -> bool {
        match &node.value {
            Tree::Bool(flag) => *flag,
            other => {
                self.wrong(&node.place, format!("expected true or false, found {}", other.kind()));
                false
            }
        }
    }

    /// True or false, or `[base, upgraded]`.
    pub fn truths(&mut self, node: &Node) -> [bool; 2] {
        match &node.value {
            Tree::List(items) if items.len() == 2 => [self.truth(&items[0]), self.truth(&items[1])],
            _ => [self.truth(node); 2],
        }
    }

    /// A plain integer.
    pub fn integer(&mut self, node: &Node) -> i32 {
        self.integer_in(node, i32::MIN.into()..=i32::MAX.into())
    }

    /// A plain integer among those that are possible; of one that is not, the nearest.
    pub(crate) fn integer_in(&mut self, node: &Node, range: RangeInclusive<i64>) -> i32 {
        match &node.value {
            Tree::Int(number) => {
                if !range.contains(number) {
                    self.problems.push(Problem::beyond(&node.place, &range, *number));
                }
                (*number).clamp(*range.start(), *range.end()) as i32
            }
            other => {
                self.wrong(&node.place, format!("expected a whole number, found {}", other.kind()));
                *range.start().max(&0) as i32
            }
        }
    }

    /// Reads a key that is such an integer, if it is there.
    pub fn within(
        &mut self,
        fields: &mut Fields<'_>,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<i32> {
        fields.get(key).map(|node| self.integer_in(node, range))
    }

    /// Checks the numbers that are written out in a value: as it is, as a pair, or by ascension.
    pub(crate) fn all_within(&mut self, node: &Node, range: &RangeInclusive<i64>) {
        match &node.value {
            Tree::Int(number) if !range.contains(number) => {
                self.problems.push(Problem::beyond(&node.place, range, *number));
            }
            Tree::List(items) => items.iter().for_each(|item| self.all_within(item, range)),
            Tree::Table(rows) => rows.iter().for_each(|(.., item)| self.all_within(item, range)),
            Tree::Int(_) | Tree::Text(_) | Tree::Float(_) | Tree::Bool(_) => {}
        }
    }

    /// One of a closed list of words.
    pub fn word<T: Copy>(
        &mut self,
        node: &Node,
        all: &'static [(T, &'static str, &'static str)],
    ) -> Option<T> {
        let text = self.text(node)?;
        let found = all.iter().find(|(_, name, _)| *name == text).map(|(value, ..)| *value);
        if found.is_none() {
            let message = format!("unknown word `{text}`{}", self.word_hint(&text, all));
            self.wrong(&node.place, message);
        }
        found
    }

    /// The hint for a word that is not in the list.
    pub(crate) fn word_hint<T>(&self, text: &str, all: &'static [(T, &'static str, &'static str)]) -> String {
        hint(text, all.iter().map(|(_, name, _)| *name).collect::<Vec<_>>())
    }

    /// A number: an integer, an expression, `[base, upgraded]`, or a table by ascension level.
    pub fn number(&mut self, node: &Node) -> Expr {
        match &node.value {
            Tree::Int(_) => Expr::Int(self.integer(node)),
            Tree::Bool(flag) => Expr::Int(i32::from(*flag)),
            Tree::Text(text) => self.expression(text, &node.place),
            Tree::List(items) if items.len() == 2 => {
                if !self.forms {
                    let message = "`[base, upgraded]` is for cards; by ascension write { 0 = …, 15 = … }";
                    self.wrong(&node.place, message.into());
                }
                let (base, upgraded) = (self.number(&items[0]), self.number(&items[1]));
                if base == upgraded { base } else { Expr::Upgrade(Box::new(base), Box::new(upgraded)) }
            }
            Tree::Table(rows) => self.by_ascension(rows, &node.place),
            other => {
                let message = format!(
                    "expected a number, a value in quotes, [base, upgraded] or {{ 0 = …, 2 = … }} by ascension; found {}",
                    other.kind()
                );
                self.wrong(&node.place, message);
                Expr::Int(0)
            }
        }
    }

    fn by_ascension(&mut self, rows: &[(String, Place, Node)], place: &Place) -> Expr {
        let mut levels = Vec::new();
        for (key, at, value) in rows {
            match key.parse::<u8>() {
                Ok(level) if level <= TOP_LEVEL => levels.push((level, self.number(value))),
                _ => self.wrong(at, format!("`{key}` is no ascension level; keys here are 0 to {TOP_LEVEL}")),
            }
        }
        levels.sort_by_key(|(level, _)| *level);
        if levels.first().is_none_or(|(level, _)| *level != 0) {
            self.wrong(place, "a table by ascension needs the level 0".into());
        }
        Expr::Ascension(levels)
    }

    /// Parses an expression and notes the names in it.
    fn expression(&mut self, text: &str, place: &Place) -> Expr {
        match expr::parse(text, place) {
            Ok(parsed) => {
                parsed.walk(&mut |part| self.note_names(part, place));
                parsed.walk(&mut |part| self.check_ground(part, place));
                parsed
            }
            Err(problem) => {
                self.problems.push(problem);
                Expr::Int(0)
            }
        }
    }

    /// Whether a value can be read where it is to be read.
    fn check_ground(&mut self, part: &Expr, place: &Place) {
        let Expr::Read(read, args) = part else { return };
        let (name, elsewhere) = (
            read.name(),
            args.iter().find_map(|arg| match arg {
                Arg::Zone(zone) if *zone != Zone::Deck => Some(zone.name()),
                Arg::Who(who) if !matches!(who, Who::Me | Who::Player) => Some(who.name()),
                _ => None,
            }),
        );
        if self.changes.needs_itself(*read) {
            self.wrong(
                place,
                format!("`{name}` is worked out from this very number: it cannot be read here"),
            );
        } else if !self.ground.allows(read.ground()) {
            let only = if read.ground() == Ground::Way { "between fights" } else { "in fights" };
            self.wrong(place, format!("`{name}` can be read {only} only"));
        } else if let Some(word) = elsewhere.filter(|_| self.ground != Ground::Fight) {
            self.wrong(place, format!("`{word}` is there in fights only: `{name}` cannot be read of it"));
        }
    }

    /// Reads what must be possible on that ground.
    pub fn on<T>(&mut self, ground: Ground, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.ground, ground);
        let value = read(self);
        self.ground = before;
        value
    }

    /// Reads what changes a number.
    pub(crate) fn changing<T>(&mut self, changes: Changes, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.changes, changes);
        let value = read(self);
        self.changes = before;
        value
    }

    fn note_names(&mut self, part: &Expr, place: &Place) {
        let Expr::Read(read, args) = part else { return };
        for (kind, arg) in read.args().iter().zip(args) {
            let Arg::Name(name) = arg else { continue };
            match kind {
                ArgKind::Power => self.refer("power", name, place),
                ArgKind::Orb => self.refer("orb", name, place),
                ArgKind::Stance => self.refer("stance", name, place),
                ArgKind::Card => self.refer("card", name, place),
                ArgKind::Relic => self.refer("relic", name, place),
                ArgKind::Monster => self.refer("monster", name, place),
                ArgKind::Move => self.of_owner("move", name, place),
                ArgKind::Var => self.of_owner("variable", name, place),
                _ => {}
            }
        }
    }

    /// Notes a move, variable or node that the monster or event being read must have.
    pub(crate) fn of_owner(&mut self, kind: &'static str, name: &str, place: &Place) {
        self.owner_names.push(Reference { kind, name: name.to_string(), place: place.clone() });
    }

    /// Reads a key with `read`, if it is there.
    pub fn with<T>(
        &mut self,
        fields: &mut Fields<'_>,
        key: &'static str,
        read: impl FnOnce(&mut Self, &Node) -> T,
    ) -> Option<T> {
        fields.get(key).map(|node| read(self, node))
    }

    /// Reads a key that must be there.
    pub fn must<T: Default>(
        &mut self,
        fields: &mut Fields<'_>,
        key: &'static str,
        read: impl FnOnce(&mut Self, &Node) -> T,
    ) -> T {
        match fields.get(key) {
            Some(node) => read(self, node),
            None => {
                let place = fields.place.clone();
                self.problems.push(Problem::lack(&place, key));
                T::default()
            }
        }
    }
}
