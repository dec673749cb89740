//! What powers, relics, stances, monsters and cards listen to: `on.MOMENT`, `alter.STAGE`, `prevent.WHAT`.

use super::expr::Expr;
use super::read::{Changes, Reader};
use super::verb::{Ground, Step};
use super::words::{Flag, Moment, Prevent, Queue, Stage};
use turnstone_content::{Fields, Node, Tree, hint};

/// Steps at a moment.
#[derive(Clone, Debug)]
pub struct Hook {
    /// When.
    pub moment: Moment,
    /// Only if this holds, read when the moment comes.
    pub when: Option<Expr>,
    /// Where the steps go.
    pub queue: Queue,
    /// Count the moments in the relic's counter (the power's second number) and act at every so many.
    pub every: Option<Expr>,
    /// Act once per turn or per combat.
    pub once: Option<Once>,
    /// Order among the hooks of the moment, lower first; 5 unless said.
    pub at: i32,
    /// What is done.
    pub steps: Vec<Step>,
    /// It is possible between fights, where its moment may come too.
    pub(crate) on_the_way: bool,
}

/// How often a hook may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    /// Once per player turn.
    Turn,
    /// Once per combat.
    Combat,
}

/// A change of a number of the rules.
#[derive(Clone, Debug)]
pub struct Alter {
    /// Which number.
    pub stage: Stage,
    /// Only if this holds.
    pub when: Option<Expr>,
    /// Order among the changes, lower first; the power's priority unless said.
    pub at: Option<i32>,
    /// What happens to the number.
    pub change: Change,
    /// Stacks (or counter) spent when it acted.
    pub spend: Option<Expr>,
    /// The result is rounded to the nearest whole number instead of being kept as it is.
    pub nearest: bool,
}

/// What happens to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Plus this.
    Add(Expr),
    /// Times numerator, by denominator; both may be values.
    Mul(Expr, Expr),
    /// Becomes this.
    Set(Expr),
    /// At most this.
    AtMost(Expr),
    /// At least this.
    AtLeast(Expr),
}

/// Something is stopped.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What.
    pub what: Prevent,
    /// Only if this holds.
    pub when: Option<Expr>,
    /// Stacks (or counter) spent.
    pub spend: Option<Expr>,
    /// What happens instead.
    pub steps: Vec<Step>,
    /// Percent chance, 100 unless said.
    pub chance: i32,
}

/// Everything an entry listens to.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Steps at moments.
    pub on: Vec<Hook>,
    /// Changed numbers.
    pub alter: Vec<Alter>,
    /// Things stopped.
    pub prevent: Vec<Stop>,
    /// Yes-or-no properties.
    pub flags: Vec<Flag>,
}

impl Reader {
    /// The rules of what the player carries from fight to fight.
    pub(crate) fn carried_rules(&mut self, fields: &mut Fields<'_>) -> Rules {
        self.carried = true;
        let rules = self.rules(fields);
        self.carried = false;
        rules
    }

    /// The rules of somebody who keeps a number, in which `every` and `once` count.
    pub(crate) fn counting_rules(&mut self, read: impl FnOnce(&mut Self) -> Rules) -> Rules {
        self.counts = true;
        let rules = read(self);
        self.counts = false;
        rules
    }

    /// Reads `on`, `alter`, `prevent` and `flags` of an entry.
    pub fn rules(&mut self, fields: &mut Fields<'_>) -> Rules {
        let mut rules = Rules::default();
        if let Some(node) = fields.get("on") {
            self.each_word(node, Moment::ALL, "moment", |reader, moment, node| {
                reader.incoming = moment == Moment::CardObtaining;
                rules.on.extend(reader.moment(moment, node));
                reader.incoming = false;
            });
        }
        if let Some(node) = fields.get("alter") {
            self.each_word(node, Stage::ALL, "stage", |reader, stage, node| {
                let nodes = match &node.value {
                    Tree::List(items) => items.as_slice(),
                    _ => std::slice::from_ref(node),
                };
                for node in nodes {
                    let read = |reader: &mut Self| reader.alter(stage, node);
                    let change = |reader: &mut Self| reader.changing(Changes::Stage(stage), read);
                    rules.alter.extend(reader.on(stage.ground(), change));
                }
            });
        }
        if let Some(node) = fields.get("prevent") {
            self.each_word(node, Prevent::ALL, "thing to prevent", |reader, what, node| {
                let ground = if reader.carried { what.ground() } else { Ground::Fight };
                rules.prevent.extend(reader.on(ground, |reader| reader.stop(what, node)));
            });
        }
        if let Some(Node { value: Tree::List(items), .. }) = fields.get("flags") {
            rules.flags = items.iter().filter_map(|item| self.word(item, Flag::ALL)).collect();
        }
        rules
    }

    fn each_word<T: Copy>(
        &mut self,
        node: &Node,
        all: &'static [(T, &'static str, &'static str)],
        what: &str,
        mut read: impl FnMut(&mut Self, T, &Node),
    ) {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return };
        for (key, place, value) in fields.keys() {
            match all.iter().find(|(_, name, _)| *name == key) {
                Some((word, ..)) => read(self, *word, value),
                None => {
                    let names: Vec<&str> = all.iter().map(|(_, name, _)| *name).collect();
                    let message = format!("unknown {what} `{key}`{}", hint(key, names));
                    self.wrong(place, message);
                }
            }
        }
    }

    /// The hooks of one moment. A potion may be drunk in fights and between them: what is said of that is possible
    /// on both grounds, or happens in fights only.
    fn moment(&mut self, moment: Moment, node: &Node) -> Vec<Hook> {
        let read = |reader: &mut Self, ground: Ground| {
            let mut hooks = Vec::new();
            reader.on(ground, |reader| reader.hooks(moment, node, &mut hooks));
            hooks.iter_mut().for_each(|hook| hook.on_the_way = ground != Ground::Fight);
            hooks
        };
        if moment == Moment::PotionUsed && self.carried {
            let before = (self.problems.len(), self.references.len());
            let hooks = read(self, Ground::Both);
            if self.problems.len() == before.0 {
                return hooks;
            }
            self.problems.truncate(before.0);
            self.references.truncate(before.1);
        }
        read(self, moment.ground())
    }

    /// One moment: a list of steps, a table with `do`, or a list of such tables.
    fn hooks(&mut self, moment: Moment, node: &Node, out: &mut Vec<Hook>) {
        match &node.value {
            Tree::List(items) if items.iter().any(is_entry) => {
                out.extend(items.iter().filter_map(|item| self.hook(moment, item)));
            }
            Tree::Table(_) if is_entry(node) => out.extend(self.hook(moment, node)),
            _ => {
                let steps = self.steps(node);
                out.push(Hook {
                    moment,
                    when: None,
                    queue: Queue::Last,
                    every: None,
                    once: None,
                    at: 5,
                    steps,
                    on_the_way: false,
                });
            }
        }
    }

    fn hook(&mut self, moment: Moment, node: &Node) -> Option<Hook> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let hook = Hook {
            moment,
            when: self.with(f, "when", Reader::number),
            queue: self.with(f, "queue", |r, n| r.word(n, Queue::ALL)).flatten().unwrap_or(Queue::Last),
            every: self.with(f, "every", Reader::number),
            once: self.with(f, "once", Reader::once).flatten(),
            at: self.with(f, "at", Reader::integer).unwrap_or(5),
            steps: self.must(f, "do", Reader::steps),
            on_the_way: false,
        };
        fields.finish(&format!("`on.{}`", moment.name()), &mut self.problems);
        let counts = hook.every.is_some() || hook.once.is_some();
        if self.ground == Ground::Way && counts {
            self.wrong(&node.place, "`every` and `once` count in fights; on the way use the counter".into());
        } else if counts && !self.counts {
            self.wrong(&node.place, "`every` and `once` are for relics and powers, which can count".into());
        }
        Some(hook)
    }

    fn once(&mut self, node: &Node) -> Option<Once> {
        match self.text(node)?.as_str() {
            "turn" => Some(Once::Turn),
            "combat" => Some(Once::Combat),
            other => {
                self.wrong(&node.place, format!("`once` is `turn` or `combat`, not `{other}`"));
                None
            }
        }
    }

    fn alter(&mut self, stage: Stage, node: &Node) -> Option<Alter> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let Some((key, value)) = fields.first_of(&["add", "mul", "set", "at_most", "at_least"]) else {
            self.wrong(&node.place, "an alteration needs one of add, mul, set, at_most, at_least".into());
            return None;
        };
        let change = match key {
            "mul" => self.factor(value)?,
            "add" => Change::Add(self.number(value)),
            "set" => Change::Set(self.number(value)),
            "at_most" => Change::AtMost(self.number(value)),
            _ => Change::AtLeast(self.number(value)),
        };
        let f = &mut fields;
        let alter = Alter {
            stage,
            when: self.with(f, "when", Reader::number),
            at: self.with(f, "at", Reader::integer),
            change,
            spend: self.with(f, "spend", Reader::number),
            nearest: self.with(f, "nearest", Reader::truth).unwrap_or(false),
        };
        fields.finish(&format!("`alter.{}`", stage.name()), &mut self.problems);
        if alter.spend.is_some() && (stage != Stage::UnblockedTaken || self.carried) {
            let message = "`spend` is possible with `alter.unblocked_taken` of powers only; elsewhere a hook can `reduce`";
            self.wrong(&node.place, message.into());
        }
        Some(alter)
    }

    /// A factor: an integer, or `[numerator, denominator]`, either of which may be a value.
    fn factor(&mut self, node: &Node) -> Option<Change> {
        match &node.value {
            Tree::List(items) if items.len() == 2 => {
                Some(Change::Mul(self.number(&items[0]), self.number(&items[1])))
            }
            Tree::Int(_) | Tree::Text(_) => Some(Change::Mul(self.number(node), Expr::Int(1))),
            other => {
                let message = format!("a factor is 2 or [3, 2] for one and a half; found {}", other.kind());
                self.wrong(&node.place, message);
                None
            }
        }
    }

    fn stop(&mut self, what: Prevent, node: &Node) -> Option<Stop> {
        if matches!(node.value, Tree::Bool(true)) {
            return Some(Stop { what, when: None, spend: None, steps: Vec::new(), chance: 100 });
        }
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let stop = Stop {
            what,
            when: self.with(f, "when", Reader::number),
            spend: self.with(f, "spend", Reader::number),
            steps: self.with(f, "do", Reader::steps).unwrap_or_default(),
            chance: self.with(f, "chance", Reader::integer).unwrap_or(100),
        };
        for (key, place, _) in fields.keys().filter(|(key, ..)| !what.keys().contains(key)) {
            if ["when", "spend", "chance", "do"].contains(&key) {
                let known = what.keys().join(", ");
                let takes =
                    if known.is_empty() { "is written `= true`".into() } else { format!("takes {known}") };
                self.wrong(place, format!("`{key}` means nothing here: `prevent.{}` {takes}", what.name()));
            }
        }
        fields.finish(&format!("`prevent.{}`", what.name()), &mut self.problems);
        Some(stop)
    }
}

/// A table with `do` that is not itself a step (`repeat` also has `do`).
fn is_entry(node: &Node) -> bool {
    match &node.value {
        Tree::Table(rows) => {
            let has = |key: &str| rows.iter().any(|(name, ..)| name == key);
            has("do") && !has("repeat")
        }
        _ => false,
    }
}
