//! Events of the way: little state machines of nodes with a text and options, whose steps are written in the same words
//! as those of cards.

use super::defs::{Common, Entry};
use super::expr::Expr;
use super::read::Reader;
use super::verb::{Ground, Step, Verb};
use super::words::EventPool;
use turnstone_content::{Fields, Node, Tree, hint};

/// The node that ends an event.
pub const END: u8 = u8::MAX;

/// The most variables an event may have.
const VARIABLES: usize = 3;

/// An event.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// What every entry has.
    pub common: Common,
    /// Where it may be met.
    pub pool: EventPool,
    /// When it may be met there.
    pub allowed: Allowed,
    /// What is drawn the moment it is entered.
    pub draws: Option<Draws>,
    /// Its variables; they begin at 0.
    pub vars: Vec<(String, Expr, Option<Expr>)>,
    /// Its nodes, `start` first.
    pub nodes: Vec<NodeDef>,
}

/// A node of an event.
#[derive(Clone, Debug)]
pub struct NodeDef {
    /// Its name.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What happens on reaching it.
    pub enter: Vec<Step>,
    /// What can be chosen.
    pub options: Vec<OptionDef>,
}

/// An option of a node.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// Its name in traces and match files.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// When it can be chosen.
    pub when: Option<Expr>,
    /// What it does.
    pub steps: Vec<Step>,
    /// Where it leads; to the end unless said.
    pub then: Option<String>,
}

/// What must hold for an event to be offered; all that is named, together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// Not below this floor.
    pub first_floor: u8,
    /// Not below this row of the map.
    pub(crate) first_row: u8,
    /// Gold at hand.
    pub gold: u32,
    /// Hit points.
    pub hp: i32,
    /// Relics owned.
    pub relics: usize,
    /// The acts; empty is all.
    pub acts: Vec<u8>,
    /// A curse that can be removed is in the deck.
    pub curse: bool,
    /// At most half of the hit points left, or this relic owned.
    pub(crate) half_dead_or_owns: Option<String>,
    /// Only below this ascension.
    pub(crate) below_ascension: Option<u8>,
    /// By the rules of the simulator too.
    pub simulator: bool,
}

impl Default for Allowed {
    fn default() -> Self {
        Allowed {
            first_floor: 0,
            first_row: 0,
            gold: 0,
            hp: 0,
            relics: 0,
            acts: Vec::new(),
            curse: false,
            half_dead_or_owns: None,
            below_ascension: None,
            simulator: true,
        }
    }
}

/// What is drawn the moment an event is entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Draws {
    /// The order of three finds, and which of these fights guards them.
    GuardedFinds(Vec<String>),
    /// Which two of four services are offered.
    TwoServices,
    /// An attack, a skill and a power of the deck.
    ACardOfEachType,
    /// Potions.
    Potions,
    /// A potion, an amount of gold and a card of the player's.
    Belongings,
    /// An amount of gold.
    Gold,
    /// The board of the game of pairs.
    Pairs,
}

/// The words for what is drawn, with a sentence each.
pub(crate) const DRAWS: &[(&str, &str)] = &[
    ("guarded_finds", "the order of three finds, and which of these encounters guards them: a list"),
    ("two_services", "which two of four services are offered"),
    ("a_card_of_each_type", "an attack, a skill and a power of the deck"),
    ("potions", "potions"),
    ("belongings", "a potion, an amount of gold and a card of the player's"),
    ("gold", "an amount of gold"),
    ("pairs", "the board of the game of pairs"),
];

impl Entry for EventDef {
    const KIND: &'static str = "event";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        r.owner_names.clear();
        let event = EventDef {
            common: Common::read(r, f, id),
            pool: r.must(f, "pool", |r, n| r.word(n, EventPool::ALL)).unwrap_or(EventPool::Nowhere),
            allowed: r.with(f, "allowed", Reader::allowed).flatten().unwrap_or_default(),
            draws: r.with(f, "draws", Reader::draws).flatten(),
            vars: r.with(f, "vars", Reader::event_vars).unwrap_or_default(),
            nodes: r.must(f, "node", |r, n| r.on(Ground::Way, |r| r.nodes(n))),
        };
        r.check_event(f, &event);
        event
    }
}

impl Reader {
    fn allowed(&mut self, node: &Node) -> Option<Allowed> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let allowed = Allowed {
            first_floor: self.with(f, "first_floor", Reader::small).unwrap_or(0),
            first_row: self.with(f, "first_row", Reader::small).unwrap_or(0),
            gold: self.with(f, "gold", Reader::integer).unwrap_or(0).max(0) as u32,
            hp: self.with(f, "hp", Reader::integer).unwrap_or(0),
            relics: self.with(f, "relics", Reader::small).unwrap_or(0).into(),
            acts: self.with(f, "acts", Reader::small_list).unwrap_or_default(),
            curse: self.with(f, "curse", Reader::truth).unwrap_or(false),
            half_dead_or_owns: self.with(f, "half_dead_or_owns", |r, n| r.reference("relic", n)).flatten(),
            below_ascension: self.with(f, "below_ascension", Reader::small),
            simulator: self.with(f, "simulator", Reader::truth).unwrap_or(true),
        };
        fields.finish("`allowed`", &mut self.problems);
        Some(allowed)
    }

    /// A whole number from 0 to 255.
    fn small(&mut self, node: &Node) -> u8 {
        let number = self.integer(node);
        u8::try_from(number).unwrap_or_else(|_| {
            self.wrong(&node.place, format!("expected a number from 0 to 255, found {number}"));
            0
        })
    }

    fn small_list(&mut self, node: &Node) -> Vec<u8> {
        match &node.value {
            Tree::List(items) => items.iter().map(|item| self.small(item)).collect(),
            _ => vec![self.small(node)],
        }
    }

    fn draws(&mut self, node: &Node) -> Option<Draws> {
        if let Tree::Table(_) = node.value {
            let mut fields = Fields::open(node, &mut self.problems)?;
            let guards = self.must(&mut fields, "guarded_finds", |r, n| match &n.value {
                Tree::List(items) => items.iter().filter_map(|item| r.reference("encounter", item)).collect(),
                _ => r.reference("encounter", n).into_iter().collect(),
            });
            fields.finish("`draws`", &mut self.problems);
            return Some(Draws::GuardedFinds(guards));
        }
        Some(match self.text(node)?.as_str() {
            "two_services" => Draws::TwoServices,
            "a_card_of_each_type" => Draws::ACardOfEachType,
            "potions" => Draws::Potions,
            "belongings" => Draws::Belongings,
            "gold" => Draws::Gold,
            "pairs" => Draws::Pairs,
            other => {
                let near = hint(other, DRAWS.iter().map(|(word, _)| *word));
                self.wrong(&node.place, format!("unknown word `{other}`{near}"));
                return None;
            }
        })
    }

    fn event_vars(&mut self, node: &Node) -> Vec<(String, Expr, Option<Expr>)> {
        let names = self.texts(node);
        if names.len() > VARIABLES {
            self.wrong(&node.place, format!("an event has up to {VARIABLES} variables"));
        }
        names.into_iter().map(|name| (name, Expr::Int(0), None)).collect()
    }

    /// The nodes, `start` first, the others by their names.
    fn nodes(&mut self, node: &Node) -> Vec<NodeDef> {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return Vec::new() };
        let mut nodes: Vec<NodeDef> = fields.keys().filter_map(|(id, _, node)| self.node(id, node)).collect();
        nodes.sort_by(|a, b| (a.id != "start", &a.id).cmp(&(b.id != "start", &b.id)));
        nodes
    }

    fn node(&mut self, id: &str, node: &Node) -> Option<NodeDef> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let read = NodeDef {
            id: id.to_owned(),
            text: self.must(f, "text", Reader::text).unwrap_or_default(),
            enter: self.with(f, "enter", Reader::steps).unwrap_or_default(),
            options: self.must(f, "options", Reader::event_options),
        };
        fields.finish(&format!("the node `{id}`"), &mut self.problems);
        Some(read)
    }

    fn event_options(&mut self, node: &Node) -> Vec<OptionDef> {
        let Tree::List(items) = &node.value else {
            self.wrong(&node.place, format!("expected a list of options, found {}", node.value.kind()));
            return Vec::new();
        };
        items.iter().filter_map(|item| self.event_option(item)).collect()
    }

    fn event_option(&mut self, node: &Node) -> Option<OptionDef> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let option = OptionDef {
            id: self.must(f, "id", Reader::text).unwrap_or_default(),
            text: self.must(f, "text", Reader::text).unwrap_or_default(),
            when: self.with(f, "when", Reader::number),
            steps: self.with(f, "do", Reader::steps).unwrap_or_default(),
            then: f.get("then").and_then(|node| {
                let name = self.text(node)?;
                self.of_owner("node", &name, &node.place);
                Some(name)
            }),
        };
        fields.finish("an option", &mut self.problems);
        Some(option)
    }

    /// Nodes and variables are used by name: all must exist.
    fn check_event(&mut self, fields: &Fields<'_>, event: &EventDef) {
        let nodes: Vec<&str> = event.nodes.iter().map(|node| node.id.as_str()).chain(["end"]).collect();
        let vars: Vec<&str> = event.vars.iter().map(|(name, ..)| name.as_str()).collect();
        for reference in &std::mem::take(&mut self.owner_names) {
            self.known_to_owner(reference, if reference.kind == "node" { &nodes } else { &vars });
        }
        if event.nodes.first().is_none_or(|first| first.id != "start") {
            self.wrong(&fields.place, format!("the event `{}` has no node `start`", event.common.id));
        }
        self.check_circles(&event.nodes);
    }

    /// Whoever comes to a node must be asked, fight or leave some time: where entering alone leads from node to node for
    /// ever, the climb is stuck. Ways that hang on a condition are the author's to end.
    fn check_circles(&mut self, nodes: &[NodeDef]) {
        let mut caught: Vec<(&NodeDef, Vec<&Step>)> =
            nodes.iter().filter_map(|node| Some((node, led(&node.enter)?))).collect();
        loop {
            let inside: Vec<&str> = caught.iter().map(|(node, _)| node.id.as_str()).collect();
            let stays = |step: &&Step| aim(step).is_some_and(|to| inside.contains(&to));
            let kept: Vec<bool> = caught.iter().map(|(_, steps)| steps.iter().all(stays)).collect();
            if kept.iter().all(|kept| *kept) {
                break;
            }
            let mut kept = kept.into_iter();
            caught.retain(|_| kept.next().unwrap_or(false));
        }
        if let Some((node, steps)) = caught.first()
            && let Some(step) = steps.first()
        {
            let way: Vec<&str> = caught.iter().map(|(node, _)| node.id.as_str()).collect();
            let text = format!(
                "entering `{}` leads in a circle for ever ({}): leave out a `goto`, or put it under a condition",
                node.id,
                way.join(", ")
            );
            self.wrong(&step.place, text);
        }
    }
}

/// Where a step leads.
fn aim(step: &Step) -> Option<&str> {
    match &step.verb {
        Verb::Goto { node } => Some(node),
        _ => None,
    }
}

/// The steps of which one surely leads on, whatever the dice say; `None` if it may be that none does.
fn led(steps: &[Step]) -> Option<Vec<&Step>> {
    steps.iter().find_map(|step| match &step.verb {
        Verb::Goto { .. } => Some(vec![step]),
        Verb::If { then: one, otherwise: other, .. } | Verb::Chance { hit: one, miss: other, .. } => {
            Some([led(one)?, led(other)?].concat())
        }
        Verb::OneOf { lists } => {
            lists.iter().map(|steps| led(steps)).collect::<Option<Vec<_>>>().map(|ways| ways.concat())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Content, Sources};
    use crate::game::{Ruleset, Spire};

    fn load(text: &str) -> Result<Spire, Vec<String>> {
        let sources = Sources::builtin("classic").with_text("x.toml", text);
        Spire::new(Ruleset::Classic, &sources)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    fn problems(text: &str) -> Vec<String> {
        load(text).err().unwrap_or_default()
    }

    #[test]
    fn every_event_that_may_be_met_is_there_and_can_be_left() {
        let game = load("").expect("sound");
        let (events, tables) = (&game.catalog.events, &game.rulebook.tables);
        assert_eq!(events.len(), 51);
        let listed = tables.acts.iter().flat_map(|act| act.events.iter().chain(&act.shrines));
        for event in listed.chain(&tables.one_time) {
            assert_eq!(events[usize::from(event.0)].id, tables.events.name(*event));
        }
        for event in events {
            let mut options = event.nodes.iter().flat_map(|node| &node.options);
            assert!(options.any(|option| option.then == END), "{}", event.id);
        }
    }

    #[test]
    fn mistakes_in_events_are_told_all_at_once_with_place_and_nearest_name() {
        assert_eq!(
            problems(
                "[neow.remove_card]\ndo = [{ max_hq = 7 }, { obtain = \"regrett\" }, { gain_relic = \"ankor\" }]\n\n\
                 [event.lab]\npol = \"once\"\n\n[event.lab.node.start]\ntext = \"x\"\n\
                 options = [{ id = \"a\", text = \"b\", when = \"gold > 5 and florr > 3\", then = \"strat\" }]\n"
            ),
            [
                "x.toml:2:7: a step needs a verb; did you mean `max_hp`?",
                "x.toml:2:34: no card `regrett`; did you mean `regret`?",
                "x.toml:2:62: no relic `ankor`; did you mean `anchor`?",
                "x.toml:5:1: unknown key `pol` in the event `lab`; did you mean `pool`?",
                "x.toml:9:57: unknown value `florr`; did you mean `floor`?",
                "x.toml:9:76: no node `strat`; did you mean `start`?",
            ]
        );
    }

    #[test]
    fn what_only_fights_know_is_refused_between_them_and_the_other_way_round() {
        let one = |text: &str, message: &str| {
            let told = problems(text);
            assert!(told.len() == 1 && told[0].ends_with(message), "{text}\n{told:?}");
        };
        let gift = |steps: &str| format!("[neow.remove_card]\ndo = [{steps}]\n");
        one(&gift("{ attack = 5 }"), "2:7: `attack` is possible in fights only");
        one(&gift("{ gold = \"block(self)\" }"), "2:16: `block` can be read in fights only");
        one(
            &gift("{ heal = \"hp(target)\" }"),
            "2:16: `target` is there in fights only: `hp` cannot be read of it",
        );
        one(
            &gift("{ heal = 5, to = \"enemies\" }"),
            "between fights there is nobody but the player: write `to = \"self\"` with `heal`",
        );
        one(&gift("{ upgrade = \"hand\" }"), "between fights `upgrade` is about the `deck`");
        one(&gift("{ duplicate = \"deck\", random = 1 }"), "between fights `duplicate` knows choose");
        one(
            &gift("{ gold = [100, 50] }"),
            "2:16: `[base, upgraded]` is for cards; by ascension write { 0 = …, 15 = … }",
        );
        one(
            &gift("{ set_var = \"pulls\", is = 1 }"),
            "2:19: no variable `pulls`: monsters and events have such of their own",
        );
        one(&gift("{ random_relic = false }"), "2:24: `random_relic` is written `random_relic = true`");
        let relic = |rules: &str| format!("[relic.new]\ntier = \"common\"\n{rules}\n");
        one(
            &relic("on.turn_start = [{ reward = \"cards\" }]"),
            "3:18: `reward` is possible between fights only",
        );
        one(
            &relic("on.turn_start = { when = \"floor > 3\", do = [] }"),
            "`floor` can be read between fights only",
        );
        one(&relic("on.obtained = [{ draw = 1 }]"), "3:16: `draw` is possible in fights only");
        one(&relic("prevent.death = { do = [{ draw = 1 }] }"), "`draw` is possible in fights only");
        one(&relic("prevent.gold = { when = \"turn > 1\" }"), "`turn` can be read in fights only");
        one(
            &relic("rest_option = { name = \"Rest\", do = [{ block = 1 }] }"),
            "`block` is possible in fights only",
        );
        one(
            &relic("on.room_entered = { every = 3, do = [{ gold = 1 }] }"),
            "`every` and `once` count in fights; on the way use the counter",
        );
        one(
            &relic("on.card_obtaining = [{ gold = 1 }]"),
            "a card that comes can only be upgraded: `{ upgrade = \"trigger\" }`",
        );
        let potion = "[potion.new]\nrarity = \"common\"\nanywhere = true\ndo = [{ draw = 1 }]\n";
        one(potion, "4:7: `draw` is possible in fights only");
        // What happens when a potion is drunk may be possible in fights only: it happens there.
        assert!(problems(&relic("on.potion_used = [{ draw = 1 }]")).is_empty());
    }

    #[test]
    fn a_new_event_says_where_it_may_be_met() {
        let node =
            "[event.well.node.start]\ntext = \"A well.\"\noptions = [{ id = \"leave\", text = \"Leave\" }]\n";
        assert_eq!(problems(&format!("[event.well]\n{node}")), ["x.toml:1:8: the key `pool` is missing"]);
        let game = load(&format!("[event.well]\npool = \"act2\"\n{node}")).expect("loads");
        let well = game.rulebook.tables.events.find("well").expect("a number");
        assert_eq!(game.rulebook.tables.acts[1].events.last(), Some(&well));
        assert_eq!(game.journey().event(well).map(|event| event.name.as_str()), Some("Well"));
    }

    /// It was called sound, and at the table no climb went on from there.
    #[test]
    fn a_circle_of_entering_alone_is_refused() {
        let event = |start: &str, two: &str| {
            let node = |id: &str, enter: &str| {
                format!(
                    "[event.well.node.{id}]\ntext = \"A well.\"\nenter = [{enter}]\n\
                     options = [{{ id = \"a\", text = \"b\" }}]\n"
                )
            };
            problems(&format!("[event.well]\npool = \"act1\"\n{}{}", node("start", start), node("two", two)))
        };
        let (to_two, to_start, to_end) = ("{ goto = \"two\" }", "{ goto = \"start\" }", "{ goto = \"end\" }");
        let either = |a: &str, b: &str| format!("{{ chance = 50, then = [{a}], else = [{b}] }}");
        let told = "entering `start` leads in a circle for ever (start, two): leave out a `goto`, or put it under a \
                    condition";
        assert_eq!(event(to_two, &format!("{{ gold = 1 }}, {to_start}")), [format!("x.toml:5:10: {told}")]);
        assert_eq!(event(to_two, &either(to_start, to_two)).len(), 1);
        assert_eq!(event(to_start, "").len(), 1, "a node that leads to itself");
        for two in ["", to_end, &either(to_start, to_end), &either(to_start, "")] {
            assert_eq!(event(to_two, two), Vec::<String>::new(), "{two}");
        }
    }

    #[test]
    fn an_event_has_only_the_variables_and_nodes_it_names() {
        let event = |head: &str, step: &str| {
            format!(
                "[event.well]\npool = \"act1\"\n{head}\n[event.well.node.start]\ntext = \"A well.\"\n\
                 options = [{{ id = \"a\", text = \"b\", do = [{step}] }}]\n"
            )
        };
        let set = "{ set_var = \"pulls\", is = \"var(pulls) + 1\" }";
        assert!(problems(&event("vars = [\"pulls\"]", set)).is_empty());
        assert_eq!(problems(&event("vars = [\"pull\"]", set)).len(), 2);
        assert_eq!(problems(&event("vars = [\"a\", \"b\", \"c\", \"d\"]", "")).len(), 1);
        let content = Content::load(&Sources::builtin("classic")).expect("sound");
        assert!(content.events.iter().all(|event| event.nodes[0].id == "start"));
    }
}
