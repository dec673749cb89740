//! The kinds of values that verbs have: how each is written, read and compiled, and what describes it in the schema.
//! The table in [`super::verb`] names them field by field.

use super::compile::{
    Compiler, Gift, Id, Making, Num, OrbKind, Picking, Price, Program, Scope, Select, Which,
};
use super::expr::Expr;
use super::read::Reader;
use super::verb::{How, Made, NewCost, Orb, Orbs, Pick, Reward, Step};
use super::words::{Drawn, Pool, Rarity, Spot, Throw, Until, Who, Zone};
use std::fmt::Debug;
use turnstone_content::{Fields, Node, Tree, hint};

/// A key of a step: its name, the definition of the schema that describes its value, its sentence.
pub(crate) type Key = (&'static str, &'static str, &'static str);

/// A kind of value.
pub trait Kind {
    /// As it is written.
    type Text: Clone + Debug;
    /// As the rules use it.
    type Made: Clone + Debug;
    /// The definition of the schema that describes it.
    const SHAPE: &'static str;
    /// Further keys of the step that belong to it.
    const MORE: &'static [Key] = &[];
    /// Whether cards are picked by it: its verb says what for.
    const PICKS: bool = false;
    /// From one to the other.
    fn made(text: &Self::Text, compiler: &mut Compiler, scope: Scope<'_>) -> Self::Made;
}

/// A kind that a verb may have as its own value.
pub(crate) trait Own: Kind {
    /// Reads it; `None` if it is wrong, which is then noted.
    fn own(r: &mut Reader, value: &Node, f: &mut Fields<'_>) -> Option<Self::Text>;
}

/// A kind that a verb may have under a key.
pub(crate) trait Keyed: Kind {
    /// What it is unless said.
    type Default;
    /// Reads it; `None` if it is wrong, which is then noted.
    fn keyed(
        r: &mut Reader,
        f: &mut Fields<'_>,
        key: &'static str,
        default: Self::Default,
    ) -> Option<Self::Text>;
}

/// Declares kinds: what is written and what comes of it, the shape in the schema, how it is compiled, and how it is
/// read as a verb's own value, under a key, or both.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $text:ty => $made:ty, $shape:literal $(with $more:expr)? $(; picks $picks:literal)?,
        made($t:ident, $c:ident, $s:ident) $make:expr
        $(, own($r:ident, $value:ident, $f:ident) $own:expr)?
        $(, keyed($kr:ident, $kf:ident, $key:ident, $default:ident: $unless:ty) $keyed:expr)?;)*) => {
        $(
            $(#[$doc])*
            pub struct $kind;

            impl Kind for $kind {
                type Text = $text;
                type Made = $made;
                const SHAPE: &'static str = $shape;
                $(const MORE: &'static [Key] = $more;)?
                $(const PICKS: bool = $picks;)?

                fn made($t: &$text, $c: &mut Compiler, $s: Scope<'_>) -> $made {
                    let _ = (&$c, &$s);
                    $make
                }
            }

            $(impl Own for $kind {
                fn own($r: &mut Reader, $value: &Node, $f: &mut Fields<'_>) -> Option<$text> {
                    let _ = &$f;
                    $own
                }
            })?

            $(impl Keyed for $kind {
                type Default = $unless;

                fn keyed(
                    $kr: &mut Reader,
                    $kf: &mut Fields<'_>,
                    $key: &'static str,
                    $default: $unless,
                ) -> Option<$text> {
                    let _ = &$default;
                    $keyed
                }
            })?
        )*
    };
}

/// Kinds that are one of a closed list of words. Under a key without a default they must be there.
macro_rules! word_kinds {
    ($($(#[$doc:meta])* $kind:ident $words:ident $shape:literal;)*) => {
        kinds! { $($(#[$doc])* $kind: $words => $words, $shape,
            made(text, c, s) *text,
            own(r, value, f) r.word(value, $words::ALL),
            keyed(r, f, key, default: Option<$words>) match f.get(key) {
                Some(node) => r.word(node, $words::ALL),
                None => {
                    if default.is_none() {
                        let place = f.place.clone();
                        r.wrong(&place, format!("the key `{key}` is missing, one of the {}s", $shape));
                    }
                    default
                }
            };)*
        }
    };
}

/// Kinds that are the id of an entry.
macro_rules! name_kinds {
    ($($(#[$doc:meta])* $kind:ident $entry:literal $shape:literal;)*) => {
        kinds! { $($(#[$doc])* $kind: String => Id, $shape,
            made(text, c, s) c.id($entry, text),
            own(r, value, f) r.reference($entry, value);)*
        }
    };
}

/// Kinds that are one id or several.
macro_rules! names_kinds {
    ($($(#[$doc:meta])* $kind:ident $entry:literal $shape:literal;)*) => {
        kinds! { $($(#[$doc])* $kind: Vec<String> => Vec<Id>, $shape,
            made(text, c, s) text.iter().map(|name| c.id($entry, name)).collect(),
            own(r, value, f) Some(match &value.value {
                Tree::List(items) => items.iter().filter_map(|item| r.reference($entry, item)).collect(),
                _ => r.reference($entry, value).into_iter().collect(),
            }),
            keyed(r, f, key, default: ()) match f.get(key) {
                Some(node) => Self::own(r, node, f),
                None => Some(Vec::new()),
            };)*
        }
    };
}

word_kinds! {
    /// Whom.
    Whom Who "who";
    /// Where cards are put.
    Put Spot "spot";
    /// How long something lasts.
    Lasting Until "until";
    /// Where random cards come from.
    FromPool Pool "pool";
    /// What an event drew on entry.
    WasDrawn Drawn "drawn";
}

name_kinds! {
    /// A power.
    Power "power" "power_id";
    /// A card.
    Card "card" "card_id";
    /// A stance.
    Stance "stance" "stance_id";
    /// A relic.
    Relic "relic" "relic_id";
}

names_kinds! {
    /// Monsters.
    Monsters "monster" "monster_ids";
    /// Relics.
    Relics "relic" "relic_ids";
}

kinds! {
    /// A number.
    Number: Expr => Num, "number",
        made(text, c, s) c.num(text, s),
        own(r, value, f) Some(r.number(value)),
        keyed(r, f, key, default: i32) Some(r.optional(f, key).unwrap_or(Expr::Int(default)));
    /// How often steps are done.
    Times: Expr => Num, "number",
        made(text, c, s) c.num(text, s),
        own(r, value, f) Some(times(r, value));
    /// A number that may be left out.
    Maybe: Option<Expr> => Option<Num>, "number",
        made(text, c, s) text.as_ref().map(|number| c.num(number, s)),
        keyed(r, f, key, default: ()) Some(r.optional(f, key));
    /// A condition.
    Condition: Expr => u16, "number",
        made(text, c, s) c.expr(text, s),
        own(r, value, f) Some(r.number(value));
    /// A condition that may be left out.
    Filter: Option<Expr> => Option<u16>, "number",
        made(text, c, s) text.as_ref().map(|filter| c.expr(filter, s)),
        keyed(r, f, key, default: ()) Some(r.optional(f, key));
    /// True or false.
    Truth: bool => bool, "truth",
        made(text, c, s) *text,
        keyed(r, f, key, default: ()) Some(f.get(key).is_some_and(|node| r.truth(node)));
    /// Steps within a step.
    Nested: Vec<Step> => Program, "steps",
        made(text, c, s) c.program(text, s),
        keyed(r, f, key, default: ()) Some(f.get(key).map(|node| r.steps(node)).unwrap_or_default());
    /// Several lists of steps.
    Lists: Vec<Vec<Step>> => Vec<Program>, "lists",
        made(text, c, s) text.iter().map(|steps| c.alternative(steps, s)).collect(),
        own(r, value, f) match &value.value {
            Tree::List(items) if !items.is_empty() => Some(items.iter().map(|item| r.steps(item)).collect()),
            other => {
                r.wrong(&value.place, format!("expected a list of lists of steps, found {}", other.kind()));
                None
            }
        };
    /// A power, or the running one.
    PowerOrSelf: Option<String> => Option<Id>, "power_id_or_self",
        made(text, c, s) text.as_ref().map(|power| c.id("power", power)),
        own(r, value, f) match r.text(value)?.as_str() {
            "self" => Some(None),
            _ => Some(Some(r.reference("power", value)?)),
        };
    /// A relic, or the one that the player began with.
    RelicOrStarter: Option<String> => Option<Id>, "relic_id_or_starter",
        made(text, c, s) text.as_ref().map(|relic| c.id("relic", relic)),
        own(r, value, f) match r.text(value)?.as_str() {
            "starter" => Some(None),
            _ => Some(Some(r.reference("relic", value)?)),
        };
    /// Cards of a zone, and how they are picked.
    Cards: Pick => Select, "zone" with PICKS; picks true,
        made(text, c, s) c.select(text, s),
        own(r, value, f) {
            let from = r.word(value, Zone::ALL);
            let dice = f.get("dice").and_then(|node| r.word(node, Throw::ALL)).unwrap_or(Throw::Even);
            let (how, filter) = (how(r, f), r.optional(f, "filter"));
            Some(Pick { from: from?, how, filter, dice })
        };
    /// What `create` makes.
    Creation: Made => Making, "creation" with COPIES; picks true,
        made(text, c, s) match text {
            Made::Card(name) => Making::Card(c.id("card", name)),
            Made::CopyOf(pick) => Making::Copy(c.select(pick, s)),
            Made::From(pool, filter) => Making::Pool(*pool, Filter::made(filter, c, s)),
        },
        own(r, value, f) creation(r, value, f);
    /// A changed cost: `set`, `add` or `roll`.
    NewPrice: NewCost => Price, "number" with PRICES,
        made(text, c, s) c.price(text, s),
        keyed(r, f, key, default: ()) {
            if Truth::keyed(r, f, "roll", ())? {
                return Some(NewCost::Random);
            }
            Some(match r.optional(f, key) {
                Some(set) => NewCost::Set(set),
                None => NewCost::Add(Number::keyed(r, f, "add", 0)?),
            })
        };
    /// The cost of a created card, and how long it lasts.
    CreatedPrice: Option<(NewCost, Until)> => Option<(Price, Until)>, "number" with LASTS,
        made(text, c, s) text.as_ref().map(|(cost, until)| (c.price(cost, s), *until)),
        keyed(r, f, key, default: ()) {
            let Some(cost) = r.optional(f, key) else { return Some(None) };
            Some(Some((NewCost::Set(cost), Lasting::keyed(r, f, "until", Some(Until::Turn))?)))
        };
    /// The orb to channel.
    OneOrb: Orb => OrbKind, "orb_kind",
        made(text, c, s) match text {
            Orb::Kind(name) => OrbKind::Kind(c.id("orb", name)),
            Orb::Random => OrbKind::Random,
            Orb::LastEvoked => OrbKind::LastEvoked,
        },
        own(r, value, f) Some(match r.text(value)?.as_str() {
            "random" => Orb::Random,
            "last_evoked" => Orb::LastEvoked,
            _ => Orb::Kind(r.reference("orb", value)?),
        });
    /// Some of the orbs.
    SomeOrbs: Orbs => Which, "orb_kinds",
        made(text, c, s) match text {
            Orbs::Next => Which::Next,
            Orbs::All => Which::All,
            Orbs::Of(name) => Which::Kind(c.id("orb", name)),
        },
        own(r, value, f) Some(match r.text(value)?.as_str() {
            "next" => Orbs::Next,
            "all" => Orbs::All,
            _ => Orbs::Of(r.reference("orb", value)?),
        });
    /// The name of a move of the monster.
    Move: String => String, "move_name",
        made(text, c, s) text.clone(),
        own(r, value, f) r.text(value);
    /// The name of a variable of the monster or event.
    Variable: String => Id, "variable_name",
        made(text, c, s) s.var(text),
        own(r, value, f) r.own_name("variable", value);
    /// The name of a node of the event.
    NodeName: String => u8, "node_name",
        made(text, c, s) s.node(text),
        own(r, value, f) r.own_name("node", value);
    /// Places beside a monster.
    Places: Vec<i16> => Vec<i16>, "integers",
        made(text, c, s) text.clone(),
        keyed(r, f, key, default: ()) match f.get(key) {
            None => Some(Vec::new()),
            Some(Node { value: Tree::List(items), .. }) => {
                Some(items.iter().map(|item| r.integer(item).clamp(-1000, 1000) as i16).collect())
            }
            Some(other) => {
                r.wrong(&other.place, format!("`{key}` is a list of places, such as [-10, 10]"));
                None
            }
        };
    /// Something to be offered on a screen of rewards.
    Prize: Reward => Gift, "prize" with AMOUNTS,
        made(text, c, s) match text {
            Reward::Cards => Gift::Cards,
            Reward::Colorless => Gift::Colorless,
            Reward::Relic(tier) => Gift::Relic(*tier),
            Reward::Potion => Gift::Potion,
            Reward::Gold(amount) => Gift::Gold(c.num(amount, s)),
            Reward::Drawn => Gift::Drawn,
        },
        own(r, value, f) prize(r, value, f);
    /// Tiers of relics.
    Tiers: Vec<Rarity> => Vec<Rarity>, "tiers",
        made(text, c, s) text.clone(),
        keyed(r, f, key, default: ()) match f.get(key) {
            None => Some(Vec::new()),
            Some(node) => r.texts(node).iter().map(|word| tier(r, node, word)).collect(),
        };
    /// Who is fought: an encounter, or `boss`.
    Foe: Option<String> => Option<Id>, "foe",
        made(text, c, s) text.as_ref().map(|name| c.id("encounter", name)),
        own(r, value, f) match r.text(value)?.as_str() {
            "boss" => Some(None),
            _ => Some(Some(r.reference("encounter", value)?)),
        };
}

/// How cards are picked; the manual tells it once.
const PICKS: &[Key] = &[
    ("choose", "number", ""),
    ("up_to", "number", ""),
    ("random", "number", ""),
    ("top", "number", ""),
    ("filter", "number", ""),
    ("dice", "throw", ""),
];

const COPIES: &[Key] = &[
    ("filter", "number", "for pools and copies"),
    ("choose", "number", "for copies"),
    ("up_to", "number", "for copies"),
    ("random", "number", "for copies"),
    ("top", "number", "for copies"),
];

const PRICES: &[Key] = &[("add", "number", "change of cost"), ("roll", "truth", "true: 0 to 3 at random")];

const LASTS: &[Key] = &[("until", "until", "how long that lasts, `turn` unless said")];

const AMOUNTS: &[Key] = &[("amount", "number", "of gold")];

fn times(r: &mut Reader, value: &Node) -> Expr {
    let times = r.number(value);
    if let Expr::Int(count) = times
        && !(0..=99).contains(&count)
    {
        r.wrong(&value.place, format!("{count} times: nothing is repeated more than 99 times"));
    }
    times
}

fn how(r: &mut Reader, f: &mut Fields<'_>) -> How {
    let Some((key, node)) = f.first_of(&["choose", "up_to", "random", "top"]) else {
        return How::All;
    };
    if key == "up_to" && matches!(&node.value, Tree::Text(text) if text == "all") {
        return How::UpTo(Expr::Int(99));
    }
    let amount = r.number(node);
    match key {
        "choose" => How::Choose(amount),
        "up_to" => How::UpTo(amount),
        "random" => How::Random(amount),
        _ => How::Top(amount),
    }
}

fn creation(r: &mut Reader, value: &Node, f: &mut Fields<'_>) -> Option<Made> {
    let text = r.text(value)?;
    if let Some(zone) = text.strip_prefix("copy:") {
        let Some(from) = Zone::parse(zone) else {
            r.wrong(&value.place, format!("unknown zone `{zone}`{}", r.word_hint(zone, Zone::ALL)));
            return None;
        };
        let (how, filter) = (how(r, f), r.optional(f, "filter"));
        return Some(Made::CopyOf(Pick { from, how, filter, dice: Throw::Even }));
    }
    Some(match Pool::parse(&text) {
        Some(pool) => Made::From(pool, r.optional(f, "filter")),
        None => Made::Card(r.reference("card", value)?),
    })
}

/// The tiers that relics are found by.
const TIERS: [Rarity; 3] = [Rarity::Common, Rarity::Uncommon, Rarity::Rare];

fn tier(r: &mut Reader, node: &Node, word: &str) -> Option<Rarity> {
    let found = Rarity::parse(word).filter(|tier| TIERS.contains(tier));
    if found.is_none() {
        let near = hint(word, TIERS.map(Rarity::name));
        r.wrong(&node.place, format!("no reward is a {word} relic{near}"));
    }
    found
}

fn prize(r: &mut Reader, value: &Node, f: &mut Fields<'_>) -> Option<Reward> {
    let text = r.text(value)?;
    Some(match text.as_str() {
        "cards" => Reward::Cards,
        "colorless" => Reward::Colorless,
        "potion" => Reward::Potion,
        "drawn" => Reward::Drawn,
        "relic" => Reward::Relic(None),
        "gold" => Reward::Gold(Number::keyed(r, f, "amount", 0)?),
        other => match other.strip_prefix("relic:") {
            Some(word) => Reward::Relic(Some(tier(r, value, word)?)),
            None => {
                let known = ["cards", "colorless", "potion", "relic", "gold", "drawn", "relic:rare"];
                r.wrong(&value.place, format!("unknown reward `{other}`{}", hint(other, known)));
                return None;
            }
        },
    })
}

impl Reader {
    /// The name of something that the monster or event being read must have.
    fn own_name(&mut self, kind: &'static str, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        self.of_owner(kind, &name, &node.place);
        Some(name)
    }
}

impl Compiler {
    fn select(&mut self, pick: &Pick, s: Scope<'_>) -> Select {
        Select {
            from: pick.from,
            dice: pick.dice,
            how: match &pick.how {
                How::All => Picking::All,
                How::Choose(n) => Picking::Choose(self.num(n, s)),
                How::UpTo(n) => Picking::UpTo(self.num(n, s)),
                How::Random(n) => Picking::Random(self.num(n, s)),
                How::Top(n) => Picking::Top(self.num(n, s)),
            },
            filter: Filter::made(&pick.filter, self, s),
        }
    }

    fn price(&mut self, cost: &NewCost, s: Scope<'_>) -> Price {
        match cost {
            NewCost::Set(n) => Price::Set(self.num(n, s)),
            NewCost::Add(n) => Price::Add(self.num(n, s)),
            NewCost::Random => Price::Roll,
        }
    }
}
