//! The kinds of entries content may hold: cards, powers, relics, potions, orbs, stances, monsters,
//! encounters, characters. One struct and one reading function each.

use super::expr::Expr;
use super::hook::Rules;
use super::read::{Changes, Reader, Reference};
use super::verb::{Ground, Step};
use super::words::{Aim, CardType, Color, Intent, ListName, Rank, Rarity, Spot, Stack, StandIn};
use std::ops::RangeInclusive;
use turnstone_content::{Fields, Node, Place, Tree, hint};

/// A kind of entry.
pub trait Entry: Sized {
    /// The table its entries stand in: `[card.bash]`.
    const KIND: &'static str;
    /// Reads the entry `id`.
    fn read(reader: &mut Reader, fields: &mut Fields<'_>, id: &str) -> Self;
}

/// What every entry has.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// Its id.
    pub id: String,
    /// Its name; made from the id unless given.
    pub name: String,
    /// A hand-written text, where the generated one would be poor.
    pub text: Option<String>,
    /// Other names it is known by, such as those of recorded traces.
    pub alias: Vec<String>,
    /// Where it is written.
    pub place: Place,
}

impl Common {
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>, id: &str) -> Self {
        fields.get("note");
        if !id.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_')) {
            let place = fields.place.clone();
            reader.wrong(&place, format!("`{id}`: ids have small letters, digits and _ only"));
        }
        Common {
            id: id.to_string(),
            name: reader.with(fields, "name", Reader::text).flatten().unwrap_or_else(|| title(id)),
            text: reader.with(fields, "text", Reader::text).flatten(),
            alias: reader.with(fields, "alias", Reader::texts).unwrap_or_default(),
            place: fields.place.clone(),
        }
    }
}

/// `after_image` becomes `After Image`.
pub fn title(id: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|c| c.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    id.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

/// The cost of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cost {
    /// So much energy.
    Energy(i8),
    /// All energy.
    X,
    /// Cannot be played.
    #[default]
    None,
}

/// A card.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Card {
    pub common: Common,
    pub color: String,
    pub kind: CardType,
    pub rarity: Rarity,
    /// Base, upgraded.
    pub cost: [Cost; 2],
    /// Base, upgraded; found from the steps unless given.
    pub target: [Option<Aim>; 2],
    pub exhaust: [bool; 2],
    pub ethereal: [bool; 2],
    pub(crate) innate: [bool; 2],
    pub retain: [bool; 2],
    pub tags: Vec<String>,
    pub steps: Vec<Step>,
    pub rules: Rules,
    /// Added to the cost.
    pub(crate) cost_change: Option<Expr>,
    /// Further condition for playing it.
    pub playable: Option<Expr>,
    /// When this holds nothing is paid for it.
    pub unpaid: Option<Expr>,
    /// Where it goes after play instead of the discard pile.
    pub(crate) after_play: Option<Spot>,
    /// Any number of upgrades.
    pub(crate) many_upgrades: bool,
    /// Can be upgraded at all; curses and statuses cannot unless said.
    pub upgradable: bool,
    /// A copy runs on even if its target is gone.
    pub(crate) loose_target: bool,
}

impl Entry for Card {
    const KIND: &'static str = "card";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        r.forms = true;
        let common = Common::read(r, f, id);
        let kind = r.must(f, "type", |r, n| r.word(n, CardType::ALL)).unwrap_or(CardType::Skill);
        let clutter = matches!(kind, CardType::Curse | CardType::Status);
        let card = Card {
            common,
            color: r.color(
                f,
                match kind {
                    CardType::Curse => Color::CURSE,
                    CardType::Status => Color::STATUS,
                    CardType::Attack | CardType::Skill | CardType::Power => Color::COLORLESS,
                },
            ),
            kind,
            rarity: r.with(f, "rarity", |r, n| r.word(n, Rarity::ALL)).flatten().unwrap_or(Rarity::Special),
            cost: r.with(f, "cost", Reader::costs).unwrap_or_default(),
            target: r.with(f, "target", Reader::aims).unwrap_or_default(),
            exhaust: r.with(f, "exhaust", Reader::truths).unwrap_or_default(),
            ethereal: r.with(f, "ethereal", Reader::truths).unwrap_or_default(),
            innate: r.with(f, "innate", Reader::truths).unwrap_or_default(),
            retain: r.with(f, "retain", Reader::truths).unwrap_or_default(),
            tags: r.with(f, "tags", Reader::texts).unwrap_or_default(),
            steps: r.with(f, "do", Reader::steps).unwrap_or_default(),
            rules: r.rules(f),
            cost_change: r.changing(Changes::OwnCost, |r| r.with(f, "cost_change", Reader::number)),
            playable: r.with(f, "playable", Reader::number),
            unpaid: r.with(f, "unpaid", Reader::number),
            after_play: r.with(f, "after_play", |r, n| r.word(n, Spot::ALL)).flatten(),
            many_upgrades: r.with(f, "many_upgrades", Reader::truth).unwrap_or(false),
            upgradable: r.with(f, "upgradable", Reader::truth).unwrap_or(!clutter),
            loose_target: r.with(f, "loose_target", Reader::truth).unwrap_or(false),
        };
        r.forms = false;
        card
    }
}

impl Reader {
    /// One of [`Color::NOBODYS`] or a character's color; `otherwise` if none is named.
    fn color(&mut self, fields: &mut Fields<'_>, otherwise: Color) -> String {
        let Some(node) = fields.get(Color::KIND) else {
            return Color::NOBODYS[usize::from(otherwise.0)].0.to_owned();
        };
        let name = self.text(node).unwrap_or_default();
        self.refer(Color::KIND, &name, &node.place);
        name
    }

    fn costs(&mut self, node: &Node) -> [Cost; 2] {
        match &node.value {
            Tree::List(items) if items.len() == 2 => [self.cost(&items[0]), self.cost(&items[1])],
            _ => [self.cost(node); 2],
        }
    }

    fn cost(&mut self, node: &Node) -> Cost {
        match &node.value {
            Tree::Int(number @ 0..=99) => Cost::Energy(*number as i8),
            Tree::Text(text) if text == "x" => Cost::X,
            Tree::Text(text) if text == "none" => Cost::None,
            _ => {
                self.wrong(&node.place, "a cost is a number, \"x\" or \"none\"".into());
                Cost::None
            }
        }
    }

    fn aims(&mut self, node: &Node) -> [Option<Aim>; 2] {
        match &node.value {
            Tree::List(items) if items.len() == 2 => {
                [self.word(&items[0], Aim::ALL), self.word(&items[1], Aim::ALL)]
            }
            _ => [self.word(node, Aim::ALL); 2],
        }
    }
}

/// When a power falls or goes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the end of the round.
    RoundEnd,
    /// At the owner's turn start.
    TurnStart,
    /// At the owner's turn end.
    TurnEnd,
}

/// What makes a power a debuff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Debuff {
    /// Nothing.
    #[default]
    Never,
    /// It always is one.
    Always,
    /// A negative amount is one.
    Negative,
}

/// A power: a buff or debuff of the player or a monster.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Power {
    pub common: Common,
    pub debuff: Debuff,
    pub stack: Stack,
    pub(crate) priority: i32,
    /// Least and greatest amount.
    pub(crate) range: (i32, i32),
    /// Falls by 1.
    pub decay: Option<When>,
    /// Goes altogether.
    pub removed: Option<When>,
    /// Given by a monster on its turn it skips the first decay.
    pub fresh: bool,
    /// Stays at 0.
    pub(crate) keep_zero: bool,
    /// Not shown to players.
    pub hidden: bool,
    /// It is what attacks count several times that say so.
    pub strength: bool,
    /// What the player gains of it is counted for the fight.
    pub counted: bool,
    pub rules: Rules,
}

impl Entry for Power {
    const KIND: &'static str = "power";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(r, f, id);
        let stack = r.with(f, "stack", |r, n| r.word(n, Stack::ALL)).flatten().unwrap_or(Stack::Intensity);
        let debuff = r.with(f, "debuff", Reader::debuff).unwrap_or_default();
        let greatest = if stack == Stack::Flag { 1 } else { 999 };
        let least = if debuff == Debuff::Negative { -999 } else { 0 };
        let range =
            (r.within(f, "min", STACKS).unwrap_or(least), r.within(f, "max", STACKS).unwrap_or(greatest));
        if range.0 > range.1 {
            let text = format!("there is nothing between `min`, {}, and `max`, {}", range.0, range.1);
            r.wrong(&common.place, text);
        }
        Power {
            common,
            debuff,
            stack,
            priority: r.with(f, "priority", Reader::integer).unwrap_or(5),
            range,
            decay: r.with(f, "decay", Reader::when).flatten(),
            removed: r.with(f, "removed", Reader::when).flatten(),
            fresh: r.with(f, "fresh", Reader::truth).unwrap_or(false),
            keep_zero: r.with(f, "keep_zero", Reader::truth).unwrap_or(false),
            hidden: r.with(f, "hidden", Reader::truth).unwrap_or(false),
            strength: r.with(f, "strength", Reader::truth).unwrap_or(false),
            counted: r.with(f, "counted", Reader::truth).unwrap_or(false),
            rules: r.counting_rules(|r| r.rules(f)),
        }
    }
}

impl Reader {
    fn debuff(&mut self, node: &Node) -> Debuff {
        match &node.value {
            Tree::Bool(true) => Debuff::Always,
            Tree::Bool(false) => Debuff::Never,
            Tree::Text(text) if text == "negative" => Debuff::Negative,
            _ => {
                self.wrong(&node.place, "`debuff` is true, false or \"negative\"".into());
                Debuff::Never
            }
        }
    }

    fn when(&mut self, node: &Node) -> Option<When> {
        let known = ["round_end", "turn_start", "turn_end"];
        match self.text(node)?.as_str() {
            "round_end" => Some(When::RoundEnd),
            "turn_start" => Some(When::TurnStart),
            "turn_end" => Some(When::TurnEnd),
            other => {
                self.wrong(&node.place, format!("unknown time `{other}`{}", hint(other, known)));
                None
            }
        }
    }
}

/// When a relic's counter starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reset {
    /// It lives as long as the relic.
    #[default]
    Never,
    /// Every combat.
    Combat,
    /// Every turn.
    Turn,
}

/// A relic.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Relic {
    pub common: Common,
    pub tier: Rarity,
    pub color: String,
    /// Its counter at the start.
    pub start: i32,
    pub reset: Reset,
    /// The counter is shown.
    pub shown: bool,
    pub rules: Rules,
    /// Not offered above this floor.
    pub(crate) max_floor: Option<i32>,
    /// Not offered in shops.
    pub(crate) not_in_shop: bool,
    /// In no pool.
    pub unobtainable: bool,
    /// Not sold by the original, but by the simulator.
    pub(crate) simulator_sells: bool,
    /// Not offered above this act (the simulator does not know).
    pub(crate) last_act: Option<i32>,
    /// Offered only to a deck that holds such a card, basic ones apart.
    pub(crate) deck_holds: Option<CardType>,
    /// One of those that add an option at campfires, of which two are enough.
    pub campfire: bool,
    /// Opens a screen of its own, so that no event gives it at random.
    pub(crate) own_screen: bool,
    /// Given when a pool has nothing left.
    pub stands_in: Option<StandIn>,
    /// Offered only to the owner of this relic, which it replaces.
    pub replaces: Option<String>,
    /// An option it adds to rest sites: name, condition, steps.
    pub rest_option: Option<(String, Option<Expr>, Vec<Step>)>,
    /// An option it adds to card rewards, in place of a card.
    pub reward_option: Option<(String, Option<Expr>, Vec<Step>)>,
}

impl Entry for Relic {
    const KIND: &'static str = "relic";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(r, f, id);
        let mut relic = Relic {
            common,
            tier: r.must(f, "tier", |r, n| r.word(n, Rarity::ALL)).unwrap_or(Rarity::Common),
            color: r.color(f, Color::SHARED),
            start: 0,
            reset: Reset::Never,
            shown: false,
            rules: r.counting_rules(|r| r.carried_rules(f)),
            max_floor: r.with(f, "max_floor", Reader::integer),
            not_in_shop: r.with(f, "not_in_shop", Reader::truth).unwrap_or(false),
            unobtainable: r.with(f, "unobtainable", Reader::truth).unwrap_or(false),
            simulator_sells: r.with(f, "simulator_sells", Reader::truth).unwrap_or(false),
            last_act: r.with(f, "last_act", Reader::integer),
            deck_holds: r.with(f, "deck_holds", |r, n| r.word(n, CardType::ALL)).flatten(),
            campfire: r.with(f, "campfire", Reader::truth).unwrap_or(false),
            own_screen: r.with(f, "own_screen", Reader::truth).unwrap_or(false),
            stands_in: r.with(f, "stands_in", |r, n| r.word(n, StandIn::ALL)).flatten(),
            replaces: r.with(f, "replaces", Reader::text).flatten(),
            rest_option: r.with(f, "rest_option", |r, n| r.added_option("`rest_option`", n)).flatten(),
            reward_option: r.with(f, "reward_option", |r, n| r.added_option("`reward_option`", n)).flatten(),
        };
        if let Some(name) = &relic.replaces {
            r.refer("relic", name, &f.place.clone());
        }
        if let Some(node) = f.get("counter") {
            r.counter(node, &mut relic);
        }
        relic
    }
}

impl Reader {
    fn added_option(&mut self, key: &str, node: &Node) -> Option<(String, Option<Expr>, Vec<Step>)> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let name = self.must(f, "name", Reader::text).unwrap_or_default();
        let (when, steps) =
            self.on(Ground::Way, |r| (r.with(f, "when", Reader::number), r.must(f, "do", Reader::steps)));
        let option = (name, when, steps);
        fields.finish(key, &mut self.problems);
        Some(option)
    }

    fn counter(&mut self, node: &Node, relic: &mut Relic) {
        let Some(mut fields) = Fields::open(node, &mut self.problems) else { return };
        let f = &mut fields;
        relic.start = self.with(f, "start", Reader::integer).unwrap_or(0);
        relic.shown = self.with(f, "shown", Reader::truth).unwrap_or(true);
        relic.reset = match self.with(f, "reset", Reader::text).flatten().as_deref() {
            None | Some("never") => Reset::Never,
            Some("combat") => Reset::Combat,
            Some("turn") => Reset::Turn,
            Some(other) => {
                self.wrong(&node.place, format!("`reset` is never, combat or turn, not `{other}`"));
                Reset::Never
            }
        };
        fields.finish("`counter`", &mut self.problems);
    }
}

/// A potion.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Potion {
    pub common: Common,
    pub rarity: Rarity,
    pub color: String,
    pub target: Option<Aim>,
    pub potency: i32,
    pub steps: Vec<Step>,
    /// May be drunk outside of combat.
    pub anywhere: bool,
    /// Further condition for using it; `0` for potions that act by themselves.
    pub usable: Option<Expr>,
    /// Never made by chance during a fight.
    pub(crate) unbrewed: bool,
    pub rules: Rules,
}

impl Entry for Potion {
    const KIND: &'static str = "potion";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(r, f, id);
        let anywhere = r.with(f, "anywhere", Reader::truth).unwrap_or(false);
        let ground = if anywhere { Ground::Both } else { Ground::Fight };
        Potion {
            common,
            rarity: r.must(f, "rarity", |r, n| r.word(n, Rarity::ALL)).unwrap_or(Rarity::Common),
            color: r.color(f, Color::SHARED),
            target: r.with(f, "target", |r, n| r.word(n, Aim::ALL)).flatten(),
            potency: r.with(f, "potency", Reader::integer).unwrap_or(0),
            steps: r.on(ground, |r| r.with(f, "do", Reader::steps)).unwrap_or_default(),
            anywhere,
            usable: r.with(f, "usable", Reader::number),
            unbrewed: r.with(f, "unbrewed", Reader::truth).unwrap_or(false),
            rules: r.carried_rules(f),
        }
    }
}

/// An orb.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Orb {
    pub common: Common,
    /// Number and steps of the passive; `n` in them is the number with Focus.
    pub passive: (Expr, Vec<Step>),
    /// Number and steps when evoked.
    pub evoke: (Expr, Vec<Step>),
    /// The passive fires at turn start instead of turn end.
    pub(crate) at_turn_start: bool,
    /// Focus counts for passive, evoke.
    pub focus: [bool; 2],
    /// What a new one has stored.
    pub stored: i32,
}

impl Entry for Orb {
    const KIND: &'static str = "orb";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        Orb {
            common: Common::read(r, f, id),
            passive: (
                r.must(f, "passive", |r, n| Some(r.number(n))).unwrap_or(Expr::Int(0)),
                r.with(f, "on_passive", Reader::steps).unwrap_or_default(),
            ),
            evoke: (
                r.must(f, "evoke", |r, n| Some(r.number(n))).unwrap_or(Expr::Int(0)),
                r.with(f, "on_evoke", Reader::steps).unwrap_or_default(),
            ),
            at_turn_start: r.with(f, "at_turn_start", Reader::truth).unwrap_or(false),
            focus: r.with(f, "focus", Reader::truths).unwrap_or([true; 2]),
            stored: r.with(f, "stored", Reader::integer).unwrap_or(0),
        }
    }
}

/// A stance.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Stance {
    pub common: Common,
    pub(crate) on_enter: Vec<Step>,
    pub(crate) on_exit: Vec<Step>,
    /// Left at the next turn start.
    pub(crate) one_turn: bool,
    /// The one that a fight begins in: none, so to speak.
    pub neutral: bool,
    pub rules: Rules,
}

impl Entry for Stance {
    const KIND: &'static str = "stance";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        Stance {
            common: Common::read(r, f, id),
            on_enter: r.with(f, "on_enter", Reader::steps).unwrap_or_default(),
            on_exit: r.with(f, "on_exit", Reader::steps).unwrap_or_default(),
            one_turn: r.with(f, "one_turn", Reader::truth).unwrap_or(false),
            neutral: r.with(f, "neutral", Reader::truth).unwrap_or(false),
            rules: r.rules(f),
        }
    }
}

/// A move of a monster.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Move {
    pub id: String,
    pub name: String,
    pub intent: Intent,
    pub steps: Vec<Step>,
}

/// One rule by which a monster chooses its move; the first that fits counts.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Only if this holds.
    pub when: Option<Expr>,
    /// Only if the roll is below this.
    pub below: Option<Expr>,
    /// Draws of the dice that come before and mean nothing.
    pub spend: i32,
    /// What is chosen.
    pub then: Chosen,
}

/// What a [`Choice`] leads to.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// This move.
    Move(String),
    /// A coin, or a test with a chance in millionths, decides between two lists of rules.
    Either(Option<u32>, Vec<Choice>, Vec<Choice>),
    /// One of several, by weight.
    Pick(Vec<(String, u32)>),
    /// Roll again between these bounds and start at the first rule.
    Reroll(i32, i32),
}

/// A monster.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Monster {
    pub common: Common,
    /// Least and most HP.
    pub hp: (Expr, Expr),
    pub rank: Rank,
    pub start: Vec<Step>,
    /// How many draws its HP take; the last one counts.
    pub(crate) hp_rolls: i32,
    /// Variables: name, value, or least and most of a roll at creation.
    pub vars: Vec<(String, Expr, Option<Expr>)>,
    /// Variables that are rolled when everybody stands there, by name.
    pub late: Vec<String>,
    /// When this holds, it chooses without a roll.
    pub unrolled: Option<Expr>,
    pub moves: Vec<Move>,
    /// The first moves, in order.
    pub opening: Vec<String>,
    /// Then these for ever.
    pub cycle: Vec<String>,
    /// Or else these rules.
    pub choices: Vec<Choice>,
    pub rules: Rules,
}

impl Entry for Monster {
    const KIND: &'static str = "monster";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        r.owner_names.clear();
        let monster = Monster {
            common: Common::read(r, f, id),
            hp: match f.get("hp") {
                Some(node) => {
                    r.all_within(node, &HP);
                    r.span(node)
                }
                None => (Expr::Int(1), Expr::Int(1)),
            },
            rank: r.with(f, "rank", |r, n| r.word(n, Rank::ALL)).flatten().unwrap_or(Rank::Normal),
            start: r.with(f, "start", Reader::steps).unwrap_or_default(),
            hp_rolls: r.within(f, "hp_rolls", 0..=9).unwrap_or(1),
            vars: r.with(f, "vars", Reader::vars).unwrap_or_default(),
            late: r.with(f, "late", Reader::var_names).unwrap_or_default(),
            unrolled: r.with(f, "unrolled", Reader::number),
            moves: r.must(f, "move", Reader::moves),
            opening: r.with(f, "opening", Reader::move_names).unwrap_or_default(),
            cycle: r.with(f, "cycle", Reader::move_names).unwrap_or_default(),
            choices: r.with(f, "ai", Reader::choices).unwrap_or_default(),
            rules: r.rules(f),
        };
        r.check_monster(&monster);
        monster
    }
}

impl Reader {
    /// `[least, most]`, one number, or a table of these by ascension.
    fn span(&mut self, node: &Node) -> (Expr, Expr) {
        match &node.value {
            Tree::List(items) if items.len() == 2 => {
                let (least, most) = (self.number(&items[0]), self.number(&items[1]));
                if let (Some(low), Some(high)) = (least.constant(), most.constant())
                    && low > high
                {
                    let text = format!("there is nothing from {low} to {high}; the least stands first");
                    self.wrong(&node.place, text);
                }
                (least, most)
            }
            Tree::Table(rows) => {
                let (mut least, mut most) = (Vec::new(), Vec::new());
                for (key, place, value) in rows {
                    let Some(level) = key.parse::<u8>().ok().filter(|level| *level <= TOP_LEVEL) else {
                        let text = format!("`{key}` is no ascension level; keys here are 0 to {TOP_LEVEL}");
                        self.wrong(place, text);
                        continue;
                    };
                    let (lo, hi) = self.span(value);
                    least.push((level, lo));
                    most.push((level, hi));
                }
                least.sort_by_key(|(level, _)| *level);
                most.sort_by_key(|(level, _)| *level);
                if least.first().is_none_or(|(level, _)| *level != 0) {
                    self.wrong(&node.place, "a table by ascension needs the level 0".into());
                }
                (Expr::Ascension(least), Expr::Ascension(most))
            }
            _ => {
                let number = self.number(node);
                (number.clone(), number)
            }
        }
    }

    fn vars(&mut self, node: &Node) -> Vec<(String, Expr, Option<Expr>)> {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return Vec::new() };
        let mut out = Vec::new();
        for (key, place, value) in fields.keys() {
            let rolled = match &value.value {
                Tree::Table(rows) => rows.iter().find(|(name, ..)| name == "roll").map(|(.., node)| node),
                _ => None,
            };
            match rolled {
                Some(node) => {
                    let (least, most) = self.span(node);
                    out.push((key.to_string(), least, Some(most)));
                }
                None => out.push((key.to_string(), self.number(value), None)),
            }
            if out.len() > 4 {
                self.wrong(place, "a monster has at most four variables".into());
            }
        }
        out
    }

    fn moves(&mut self, node: &Node) -> Vec<Move> {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return Vec::new() };
        fields.keys().filter_map(|(id, _, value)| self.one_move(id, value)).collect()
    }

    fn one_move(&mut self, id: &str, node: &Node) -> Option<Move> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let made = Move {
            id: id.to_string(),
            name: self.with(f, "name", Reader::text).flatten().unwrap_or_else(|| title(id)),
            intent: self.must(f, "intent", |r, n| r.word(n, Intent::ALL)).unwrap_or(Intent::Unknown),
            steps: self.with(f, "do", Reader::steps).unwrap_or_default(),
        };
        fields.finish("a move", &mut self.problems);
        Some(made)
    }

    fn move_names(&mut self, node: &Node) -> Vec<String> {
        let names = self.texts(node);
        for name in &names {
            self.of_owner("move", name, &node.place);
        }
        names
    }

    fn var_names(&mut self, node: &Node) -> Vec<String> {
        let names = self.texts(node);
        for name in &names {
            self.of_owner("variable", name, &node.place);
        }
        names
    }

    /// One side of a decision: a move, or rules of its own.
    fn side(&mut self, node: &Node) -> Vec<Choice> {
        let Tree::Text(name) = &node.value else { return self.choices(node) };
        self.of_owner("move", name, &node.place);
        vec![Choice { when: None, below: None, spend: 0, then: Chosen::Move(name.clone()) }]
    }

    fn either(&mut self, chance: Option<u32>, node: &Node) -> Option<Chosen> {
        match &node.value {
            Tree::List(sides) if sides.len() == 2 => {
                Some(Chosen::Either(chance, self.side(&sides[0]), self.side(&sides[1])))
            }
            _ => {
                self.wrong(&node.place, "two sides are needed, each a move or a list of rules".into());
                None
            }
        }
    }

    fn choices(&mut self, node: &Node) -> Vec<Choice> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.choice(item)).collect(),
            other => {
                self.wrong(&node.place, format!("`ai` is a list of rules, found {}", other.kind()));
                Vec::new()
            }
        }
    }

    fn choice(&mut self, node: &Node) -> Option<Choice> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let f = &mut fields;
        let (when, below) = (self.with(f, "when", Reader::number), self.with(f, "below", Reader::number));
        let spend = self.within(f, "spend", 0..=9).unwrap_or(0);
        let chance = self.with(f, "chance", Reader::chance);
        let then = match f.first_of(&["move", "pick", "coin", "of", "reroll"]) {
            Some(("move", value)) => {
                let name = self.text(value)?;
                self.of_owner("move", &name, &value.place);
                Chosen::Move(name)
            }
            Some(("pick", value)) => Chosen::Pick(self.weights(value)),
            Some(("coin", value)) => self.either(None, value)?,
            Some(("of", value)) => {
                if chance.is_none() {
                    self.wrong(&node.place, "`of` needs a `chance` for its first side".into());
                }
                self.either(Some(chance.unwrap_or(0)), value)?
            }
            Some((_, value)) => match &value.value {
                Tree::List(items) if items.len() == 2 => {
                    Chosen::Reroll(self.integer(&items[0]), self.integer(&items[1]))
                }
                _ => {
                    self.wrong(&value.place, "`reroll` is [least, most]".into());
                    return None;
                }
            },
            None => {
                self.wrong(
                    &node.place,
                    "a rule of `ai` needs `move`, `pick`, `coin`, `of` or `reroll`".into(),
                );
                return None;
            }
        };
        fields.finish("a rule of `ai`", &mut self.problems);
        Some(Choice { when, below, spend, then })
    }

    /// A table of names and weights; weights may be decimals and are kept in thousandths.
    fn weights(&mut self, node: &Node) -> Vec<(String, u32)> {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return Vec::new() };
        let mut out = Vec::new();
        for (key, place, value) in fields.keys() {
            self.of_owner("move", key, place);
            out.push((key.to_string(), self.thousandths(value)));
        }
        out
    }

    /// Whether the monster or event has what it names.
    pub(super) fn known_to_owner(&mut self, reference: &Reference, known: &[&str]) {
        if !known.contains(&reference.name.as_str()) {
            let near = hint(&reference.name, known.iter().copied());
            self.wrong(&reference.place, format!("no {} `{}`{near}", reference.kind, reference.name));
        }
    }

    /// Moves and variables are used by name: all must exist.
    fn check_monster(&mut self, monster: &Monster) {
        let names = std::mem::take(&mut self.owner_names);
        for reference in &names {
            let known: Vec<&str> = match reference.kind {
                "move" => monster.moves.iter().map(|known| known.id.as_str()).collect(),
                _ => monster.vars.iter().map(|(name, ..)| name.as_str()).collect(),
            };
            self.known_to_owner(reference, &known);
        }
        if monster.opening.is_empty() && monster.cycle.is_empty() && monster.choices.is_empty() {
            let place = monster.common.place.clone();
            self.wrong(&place, "a monster needs `opening`, `cycle` or `ai` to choose its moves".into());
        }
    }
}

/// One place of an encounter.
#[derive(Clone, Debug)]
pub struct Slot {
    /// One of these, by weight.
    pub any: Vec<(String, u32)>,
    /// So many.
    pub count: i32,
    /// Drawn without putting back: a weight is then a number of copies.
    pub distinct: bool,
    /// All of these are made, and one of them comes; of several names in one place a coin takes one.
    pub made: Vec<Vec<String>>,
}

/// A group of monsters met together.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Encounter {
    pub common: Common,
    pub act: i32,
    pub rank: Rank,
    /// The lists of its act that it stands in; the first is its rank.
    pub(crate) ranks: Vec<Rank>,
    /// Weight among the encounters of its act and rank, in thousandths.
    pub(crate) weight: u32,
    /// The line-ups, with their weights; one is rolled.
    pub groups: Vec<(u32, Vec<Slot>)>,
    /// The order of the line-up is shuffled.
    pub shuffle: bool,
    /// May not be the first strong fight after these weak ones.
    pub(crate) not_after: Vec<String>,
    /// Steps before the fight, owned by each monster.
    pub start: Vec<Step>,
}

impl Entry for Encounter {
    const KIND: &'static str = "encounter";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(r, f, id);
        let groups = match (f.get("monsters"), f.get("groups")) {
            (Some(node), _) => vec![(1, r.slots(node))],
            (None, Some(Node { value: Tree::List(items), .. })) => {
                items.iter().map(|item| (1, r.slots(item))).collect()
            }
            _ => {
                r.wrong(&common.place, "an encounter needs `monsters` or `groups`".into());
                Vec::new()
            }
        };
        r.check_groups(&common.place, &groups);
        let ranks = r.with(f, "rank", Reader::ranks).unwrap_or_default();
        Encounter {
            groups,
            act: r.within(f, "act", 1..=4).unwrap_or(0),
            rank: ranks.first().copied().unwrap_or(Rank::Normal),
            ranks,
            weight: r.with(f, "weight", Reader::thousandths).unwrap_or(1000),
            shuffle: r.with(f, "shuffle", Reader::truth).unwrap_or(false),
            not_after: r.with(f, "not_after", Reader::texts).unwrap_or_default(),
            start: r.with(f, "start", Reader::steps).unwrap_or_default(),
            common,
        }
    }
}

/// The most that stand in one line-up; more do not fit a fight that is wished for, either.
const MOST_MONSTERS: i64 = 20;

/// The greatest weight: sums of as many as there may be entries stay numbers.
const MOST_WEIGHT: i64 = 10_000;

/// What HP can be.
const HP: RangeInclusive<i64> = 1..=9999;

/// What a power can be stacked to.
const STACKS: RangeInclusive<i64> = -9999..=9999;

impl Reader {
    /// Somebody must come, and not too many.
    fn check_groups(&mut self, place: &Place, groups: &[(u32, Vec<Slot>)]) {
        for (_, slots) in groups {
            let count: i64 = slots.iter().map(|slot| i64::from(slot.count)).sum();
            if !(1..=MOST_MONSTERS).contains(&count) {
                let text = format!("a line-up has 1 to {MOST_MONSTERS} monsters, not {count}");
                self.wrong(place, text);
            }
        }
    }

    fn ranks(&mut self, node: &Node) -> Vec<Rank> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.word(item, Rank::ALL)).collect(),
            _ => self.word(node, Rank::ALL).into_iter().collect(),
        }
    }

    fn thousandths(&mut self, node: &Node) -> u32 {
        match &node.value {
            Tree::Int(number @ 1..=MOST_WEIGHT) => *number as u32 * 1000,
            Tree::Float(number) if (1..=1000 * MOST_WEIGHT).contains(&((number * 1000.0).round() as i64)) => {
                (number * 1000.0).round() as u32
            }
            _ => {
                let text = format!("a weight is a number above 0 and up to {MOST_WEIGHT}");
                self.wrong(&node.place, text);
                1000
            }
        }
    }

    /// A chance between 0 and 1, in millionths.
    fn chance(&mut self, node: &Node) -> u32 {
        match &node.value {
            Tree::Float(number) if (0.0..=1.0).contains(number) => (number * 1_000_000.0).round() as u32,
            Tree::Int(number @ 0..=1) => *number as u32 * 1_000_000,
            _ => {
                self.wrong(&node.place, "a chance is a number from 0 to 1".into());
                0
            }
        }
    }

    fn slots(&mut self, node: &Node) -> Vec<Slot> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.slot(item)).collect(),
            other => {
                self.wrong(&node.place, format!("expected a list of monsters, found {}", other.kind()));
                Vec::new()
            }
        }
    }

    /// Names, or pairs of names.
    fn made_slots(&mut self, node: &Node) -> Vec<Vec<String>> {
        let Tree::List(items) = &node.value else {
            self.wrong(&node.place, "`one_of` is a list of monsters, or of pairs of them".into());
            return Vec::new();
        };
        let mut out = Vec::new();
        for item in items {
            let names = match &item.value {
                Tree::Text(name) => vec![name.clone()],
                _ => self.texts(item),
            };
            names.iter().for_each(|name| self.refer("monster", name, &item.place));
            out.push(names);
        }
        out
    }

    fn slot(&mut self, node: &Node) -> Option<Slot> {
        if let Tree::Text(name) = &node.value {
            self.refer("monster", name, &node.place);
            return Some(Slot { any: vec![(name.clone(), 1)], count: 1, distinct: false, made: Vec::new() });
        }
        let mut fields = Fields::open(node, &mut self.problems)?;
        if let Some(made) = fields.get("one_of") {
            let made = self.made_slots(made);
            fields.finish("a slot", &mut self.problems);
            return Some(Slot { any: Vec::new(), count: 1, distinct: false, made });
        }
        let any = match fields.get("any").map(|node| (&node.value, node)) {
            Some((Tree::List(_), node)) => self.texts(node).into_iter().map(|name| (name, 1)).collect(),
            Some((Tree::Table(rows), _)) => rows
                .iter()
                .map(|(name, _, weight)| (name.clone(), self.integer_in(weight, 1..=MOST_WEIGHT) as u32))
                .collect(),
            _ => {
                self.wrong(&node.place, "a slot is a monster or { any = [...] }".into());
                Vec::new()
            }
        };
        for (name, _) in &any {
            self.refer("monster", name, &node.place);
        }
        let slot = Slot {
            any,
            count: self.within(&mut fields, "count", 1..=MOST_MONSTERS).unwrap_or(1),
            distinct: self.with(&mut fields, "distinct", Reader::truth).unwrap_or(false),
            made: Vec::new(),
        };
        fields.finish("a slot", &mut self.problems);
        Some(slot)
    }
}

/// A playable character.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Character {
    pub common: Common,
    pub color: String,
    /// HP at the start; where it differs by ascension, at level 0.
    pub hp: i32,
    /// HP from these ascension levels on, ascending.
    pub(crate) hp_later: Vec<(u8, i32)>,
    pub gold: i32,
    pub energy: i32,
    pub draw: i32,
    pub orb_slots: i32,
    pub relics: Vec<String>,
    /// Card and number, in order.
    pub deck: Vec<(String, i32)>,
    /// The card of his that lies in the game of pairs.
    pub memory_card: Option<String>,
}

impl Entry for Character {
    const KIND: &'static str = "character";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(r, f, id);
        let relics = r.with(f, "relics", Reader::relic_names).unwrap_or_default();
        let levels = r.must(f, "hp", |r, node| {
            r.all_within(node, &HP);
            r.levels(node)
        });
        Character {
            color: r.must(f, "color", Reader::text).unwrap_or_default(),
            hp: levels.first().map_or(1, |level| level.1),
            hp_later: levels.into_iter().skip(1).collect(),
            gold: r.within(f, "gold", 0..=32_767).unwrap_or(99),
            energy: r.within(f, "energy", 0..=99).unwrap_or(3),
            // More than a hand holds cannot be drawn.
            draw: r.within(f, "draw", 0..=10).unwrap_or(5),
            orb_slots: r.within(f, "orb_slots", 0..=10).unwrap_or(0),
            relics,
            deck: r.must(f, "deck", |r, node| {
                let deck = r.deck(node);
                if deck.is_empty() {
                    r.wrong(&node.place, "a deck has at least one card".into());
                }
                deck
            }),
            memory_card: r.with(f, "memory_card", Reader::card_name).flatten(),
            common,
        }
    }
}

impl Reader {
    /// A whole number, or a table of such by ascension; at least one row.
    fn levels(&mut self, node: &Node) -> Vec<(u8, i32)> {
        match self.number(node) {
            Expr::Int(number) => vec![(0, number)],
            Expr::Ascension(rows) => {
                rows.into_iter().filter_map(|(level, value)| Some((level, value.constant()?))).collect()
            }
            _ => {
                self.wrong(&node.place, "expected a whole number, or a table of such by ascension".into());
                Vec::new()
            }
        }
    }

    fn power_name(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        self.refer("power", &name, &node.place);
        Some(name)
    }

    fn relic_names(&mut self, node: &Node) -> Vec<String> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.reference("relic", item)).collect(),
            _ => self.reference("relic", node).into_iter().collect(),
        }
    }

    fn card_name(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        self.refer("card", &name, &node.place);
        Some(name)
    }

    fn deck(&mut self, node: &Node) -> Vec<(String, i32)> {
        let Some(fields) = Fields::open(node, &mut self.problems) else { return Vec::new() };
        let mut out = Vec::new();
        for (key, place, value) in fields.keys() {
            self.refer("card", key, place);
            out.push((key.to_string(), self.integer_in(value, 1..=99)));
        }
        out
    }
}

/// The order in which a list of the original counts. It is a hint: what is missing from the catalog is passed over,
/// what is missing here comes behind.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Which list; its name is its id.
    pub name: Option<ListName>,
    /// Ids in order.
    pub list: Vec<String>,
}

impl Entry for Order {
    const KIND: &'static str = "order";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        let name = ListName::parse(id);
        if name.is_none() {
            let message = format!("no list `{id}`{}", r.word_hint(id, ListName::ALL));
            r.wrong(&f.place.clone(), message);
        }
        f.get("note");
        Order { name, list: r.must(f, "list", Reader::texts) }
    }
}

/// What a burning elite may gain.
#[derive(Clone, Debug)]
pub struct Burning {
    /// What every entry has.
    pub common: Common,
    /// A power for each of the enemies.
    pub power: Option<String>,
    /// How much of it.
    pub amount: Expr,
    /// Percent of max HP that each has besides.
    pub max_hp: i32,
}

impl Entry for Burning {
    const KIND: &'static str = "burning";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        Burning {
            common: Common::read(r, f, id),
            power: r.with(f, "power", Reader::power_name).flatten(),
            amount: r.with(f, "amount", Reader::number).unwrap_or(Expr::Int(1)),
            max_hp: r.within(f, "max_hp", 0..=1000).unwrap_or(0),
        }
    }
}

/// A level of ascension.
#[derive(Clone, Debug)]
pub struct Ascension {
    /// Its number is its id; its text is what it adds.
    pub common: Common,
    /// Cards that one begins with besides.
    pub deck: Vec<(String, i32)>,
    /// More potion slots, or fewer.
    pub potion_slots: i32,
    /// Percent of the HP that one begins with.
    pub start_hp: Option<i32>,
    /// Percent of the missing HP that a new act heals.
    pub act_heal: Option<i32>,
    /// Bosses at the end of the third act.
    pub bosses: Option<i32>,
    /// Percent of the elites that a map has otherwise.
    pub elites: Option<i32>,
    /// Percent of the chance that a card on offer is upgraded.
    pub upgrade_chance: Option<i32>,
    /// Percent of a boss's gold.
    pub boss_gold: Option<i32>,
    /// Percent of a merchant's prices.
    pub prices: Option<i32>,
    /// What events draw on entry is worse.
    pub harsh_events: bool,
}

/// The highest level of ascension that can be written.
pub(crate) const TOP_LEVEL: u8 = 99;

impl Entry for Ascension {
    const KIND: &'static str = "ascension";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        if !id.parse::<u8>().is_ok_and(|level| (1..=TOP_LEVEL).contains(&level)) {
            let text = format!("`{id}` is no level of ascension; they go from 1 to {TOP_LEVEL}");
            r.wrong(&f.place.clone(), text);
        }
        Ascension {
            common: Common::read(r, f, id),
            deck: r.with(f, "deck", Reader::deck).unwrap_or_default(),
            potion_slots: r.within(f, "potion_slots", -9..=9).unwrap_or(0),
            start_hp: r.within(f, "start_hp", 1..=100),
            act_heal: r.within(f, "act_heal", 0..=100),
            bosses: r.within(f, "bosses", 1..=2),
            elites: r.within(f, "elites", 0..=500),
            upgrade_chance: r.within(f, "upgrade_chance", 0..=1000),
            boss_gold: r.within(f, "boss_gold", 0..=1000),
            prices: r.within(f, "prices", 0..=1000),
            harsh_events: r.with(f, "harsh_events", Reader::truth).unwrap_or(false),
        }
    }
}
