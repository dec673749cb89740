//! The verbs of content: what cards, powers, relics, potions and moves do, one table per step, the verb
//! first, its modifiers after.

use super::expr::Expr;
use super::node::{Fields, Node, Place, Tree, hint};
use super::read::Reader;
use super::words::{Pool, Spot, Throw, Until, Who, Zone};

/// One step of a program and its place.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is done.
    pub verb: Verb,
    /// Where it is written.
    pub place: Place,
}

/// Which cards a verb handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Where they lie.
    pub from: Zone,
    /// How they are picked.
    pub how: How,
    /// Which of them qualify.
    pub filter: Option<Expr>,
    /// How the dice pick.
    pub dice: Throw,
}

/// How cards are picked from a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// All that qualify.
    All,
    /// The player chooses exactly so many (all, unasked, if there are no more than that).
    Choose(Expr),
    /// The player chooses at most so many.
    UpTo(Expr),
    /// So many at random.
    Random(Expr),
    /// The first so many of the zone.
    Top(Expr),
}

/// What `create` makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A card by id.
    Card(String),
    /// Copies of picked cards, with all their changes.
    CopyOf(Pick),
    /// Random cards from a pool that pass a filter.
    From(Pool, Option<Expr>),
}

/// A changed cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCost {
    /// Exactly this.
    Set(Expr),
    /// More or less by this.
    Add(Expr),
    /// A roll of 0 to 3.
    Random,
}

/// Which orbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orbs {
    /// The oldest.
    Next,
    /// All, the oldest first.
    All,
    /// All of one kind.
    Of(String),
}

/// Which orb to channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orb {
    /// This kind.
    Kind(String),
    /// Any kind, rolled for each.
    Random,
    /// The orb evoked by the step before.
    LastEvoked,
}

/// A reward outside of combat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reward {
    /// A choice of cards.
    Cards,
    /// A random relic of a tier, or of any.
    Relic(Option<super::words::Rarity>),
    /// A random potion.
    Potion,
    /// Gold.
    Gold(Expr),
}

/// What a step does. The fields are described in the table [`VERBS`].
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Verb {
    Attack {
        amount: Expr,
        to: Who,
        times: Expr,
        strength: Expr,
        on_kill: Vec<Step>,
        any_death: bool,
    },
    Damage {
        amount: Expr,
        to: Who,
        times: Expr,
    },
    LoseHp {
        amount: Expr,
        to: Who,
    },
    Kill {
        to: Who,
    },
    Heal {
        amount: Expr,
        to: Who,
    },
    SetHp {
        amount: Expr,
        to: Who,
    },
    MaxHp {
        amount: Expr,
    },
    Block {
        amount: Expr,
        to: Who,
        raw: bool,
    },
    RemoveBlock {
        to: Who,
    },
    Apply {
        power: String,
        amount: Expr,
        to: Who,
        only: Option<Expr>,
        store: Option<Expr>,
    },
    Reduce {
        power: Option<String>,
        by: Option<Expr>,
        to: Who,
    },
    RemoveDebuffs {
        to: Who,
    },
    RemovePowers {
        to: Who,
    },
    Store {
        amount: Expr,
    },
    Counter {
        amount: Expr,
    },
    Energy {
        amount: Expr,
    },
    Draw {
        amount: Expr,
        late: bool,
    },
    Discard {
        cards: Pick,
    },
    Exhaust {
        cards: Pick,
    },
    Move {
        cards: Pick,
        to: Spot,
    },
    Create {
        made: Made,
        count: Expr,
        to: Spot,
        upgraded: Expr,
        cost: Option<(NewCost, Until)>,
        offer: Expr,
        skippable: bool,
        kept: Option<Expr>,
        late: bool,
    },
    Upgrade {
        cards: Pick,
        run: bool,
    },
    Cost {
        cards: Pick,
        new: NewCost,
        until: Until,
    },
    Grow {
        by: Expr,
        all: bool,
        permanent: bool,
    },
    Retain {
        cards: Pick,
    },
    Play {
        cards: Pick,
        times: Expr,
        exhaust: bool,
        late: bool,
    },
    Replay,
    Scry {
        amount: Expr,
    },
    Channel {
        orb: Orb,
        count: Expr,
    },
    Evoke {
        which: Orbs,
        times: Expr,
    },
    Passive {
        which: Orbs,
        times: Expr,
    },
    OrbSlots {
        amount: Expr,
    },
    Stance {
        to: String,
    },
    EndTurn {
        skip_enemies: bool,
    },
    Gold {
        amount: Expr,
    },
    GainPotion {
        count: Expr,
    },
    ChooseOne {
        options: Vec<Vec<Step>>,
    },
    If {
        condition: Expr,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    Repeat {
        times: Expr,
        steps: Vec<Step>,
    },
    SetMove {
        name: String,
    },
    Reroll,
    Summon {
        monsters: Vec<String>,
        count: Expr,
        hp: Option<Expr>,
        minion: bool,
        room: Option<Expr>,
        any: bool,
        at: Vec<i16>,
    },
    Speak {
        count: Expr,
    },
    Search {
        cards: Pick,
    },
    Escape {
        to: Who,
    },
    HalfDie,
    Appear,
    Revive {
        percent: Expr,
    },
    SetVar {
        name: String,
        to: Expr,
    },
    Steal {
        amount: Expr,
    },
    TakeCard,
    ReturnCard,
    FaceTarget,
    Flee,
    Obtain {
        card: String,
    },
    ObtainRandom {
        pool: Pool,
        count: Expr,
        filter: Option<Expr>,
    },
    Remove {
        cards: Pick,
    },
    Transform {
        cards: Pick,
        upgraded: bool,
    },
    Duplicate {
        cards: Pick,
    },
    Bottle {
        cards: Pick,
    },
    Reward {
        what: Reward,
        count: Expr,
    },
    Special {
        name: String,
    },
}

/// What a verb's own value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// `true`.
    Mark,
    /// A zone to pick cards from, with `choose`, `up_to`, `random`, `top`, `filter`, `dice`.
    Cards,
    /// A word or id.
    Word,
    /// Nested steps.
    Steps,
}

/// One verb of the manual.
pub struct VerbSpec {
    /// The verb.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// Its other keys, with a sentence each.
    pub keys: &'static [(&'static str, &'static str)],
    /// What it does.
    pub about: &'static str,
    /// One example, a whole step.
    pub example: &'static str,
}

const TO: (&str, &str) = ("to", "whom");

macro_rules! verbs {
    ($($name:literal $shape:ident [$($key:expr),*] $about:literal $example:literal;)*) => {
        /// Every verb: the manual, the schema and the error messages come from this list.
        pub const VERBS: &[VerbSpec] = &[$(VerbSpec {
            name: $name, shape: Shape::$shape, keys: &[$($key),*], about: $about, example: $example,
        },)*];
        const NAMES: &[&str] = &[$($name),*];
    };
}

verbs! {
    "attack" Number [TO, ("times", "hits"), ("strength", "what Strength is multiplied by"), ("on_kill", "steps after a fatal hit"), ("any_death", "minions and reviving ones count as killed too")]
        "attack damage through the whole pipeline, once per hit; to `random` each hit finds its own target; default target: `target`"
        r#"{ attack = [5, 7], times = 2 }"#;
    "damage" Number [TO, ("times", "hits")] "damage that is no attack: block absorbs, Strength and Vulnerable do not matter"
        r#"{ damage = 5, to = "enemies" }"#;
    "lose_hp" Number [TO] "loss of HP past block; default: `self`" r#"{ lose_hp = 3 }"#;
    "kill" Mark [TO] "HP to 0, death follows; no damage" r#"{ kill = true, to = "target" }"#;
    "heal" Number [TO] "heal up to max HP; default: `self`" r#"{ heal = 6 }"#;
    "set_hp" Number [TO] "set current HP; neither damage nor healing; default: `self`" r#"{ set_hp = "max(hp(self), max_hp(self) / 2)" }"#;
    "max_hp" Number [] "change the player's max HP; a gain also heals" r#"{ max_hp = 3 }"#;
    "block" Number [TO, ("raw", "true: Dexterity and Frail do not matter (always so outside of cards)")]
        "gain block; default: `self`" r#"{ block = [5, 8] }"#;
    "remove_block" Mark [TO] "all block of somebody goes" r#"{ remove_block = true, to = "target" }"#;
    "apply" Word [("amount", "stacks, 1 unless said"), TO, ("only", "condition on each target, read when the step is queued"), ("store", "second number kept with the power")]
        "put a power on somebody (negative amounts for Strength, Dexterity, Focus); default: `self`"
        r#"{ apply = "vulnerable", amount = [2, 3], to = "target" }"#;
    "reduce" Word [("by", "stacks; all unless said"), TO] "lower or remove a power; `\"self\"` is the running one; never stopped by Artifact"
        r#"{ reduce = "self", by = 1 }"#;
    "remove_debuffs" Mark [TO] "all debuffs of somebody go, negative Strength and the like too" r#"{ remove_debuffs = true, to = "self" }"#;
    "remove_powers" Mark [TO] "all powers of somebody go, good and bad; default: `self`" r#"{ remove_powers = true }"#;
    "store" Number [] "set the second number of the running power" r#"{ store = "stored + n" }"#;
    "counter" Number [] "set the counter of the running relic" r#"{ counter = "counter - 1" }"#;
    "energy" Number [] "change energy, not below 0" r#"{ energy = 2 }"#;
    "draw" Number [("late", "true: behind everything that waits now")] "draw cards" r#"{ draw = [1, 2] }"#;
    "discard" Cards [] "discard cards; counts as a discard by an effect" r#"{ discard = "hand", choose = 1 }"#;
    "exhaust" Cards [] "exhaust cards" r#"{ exhaust = "hand", filter = "not attack" }"#;
    "move" Cards [("to", "a spot")] "move cards without drawing, discarding or exhausting them" r#"{ move = "discard", choose = 1, to = "draw_top" }"#;
    "create" Word [("count", "how many, 1 unless said"), ("to", "a spot, `hand` unless said"), ("upgraded", "condition: already upgraded"), ("cost", "new cost"), ("until", "how long that lasts, `turn` unless said"), ("offer", "show so many different ones, the player takes one"), ("skippable", "he may also take none"), ("filter", "for pools"), ("kept", "a number kept on the card"), ("late", "true: of a pool; rolled at once, made behind everything that waits"), ("choose", "for copies"), ("random", "for copies")]
        "make cards: a card id, a pool (`class`, `any_class`, `colorless`) or `copy:` and a zone"
        r#"{ create = "class", filter = "attack", cost = 0, offer = 3 }"#;
    "upgrade" Cards [] "upgrade cards for the combat; from `deck`: for the run" r#"{ upgrade = "hand", choose = 1, filter = "upgradable" }"#;
    "cost" Cards [("set", "new cost"), ("add", "change of cost"), ("roll", "true: 0 to 3 at random"), ("until", "`turn`, `combat` or `played`")]
        "change costs; X and unplayable cards keep theirs" r#"{ cost = "hand", set = 0, until = "turn" }"#;
    "grow" Number [("all", "true: all cards of this id"), ("permanent", "true: also in the master deck")]
        "this card's `grown` changes by that much" r#"{ grow = [5, 8] }"#;
    "retain" Cards [] "keep cards at this turn's end" r#"{ retain = "chosen" }"#;
    "play" Cards [("times", "how often"), ("exhaust", "true: exhausted afterwards"), ("late", "true: from the top, behind everything that waits now; the target is rolled at once")] "play cards free, random targets" r#"{ play = "draw", top = 1, exhaust = true }"#;
    "replay" Mark [] "in `on.plan_copies` and `on.card_used`: play the card once more" r#"{ replay = true }"#;
    "scry" Number [] "look at the top cards, discard any" r#"{ scry = 3 }"#;
    "channel" Word [("count", "how many, 1 unless said")] "channel orbs: a kind, `random` or `last_evoked`" r#"{ channel = "lightning", count = 2 }"#;
    "evoke" Word [("times", "how often, 1 unless said; 0 removes without evoking")] "evoke `next` or `all` orbs" r#"{ evoke = "next", times = 2 }"#;
    "passive" Word [("times", "how often, 1 unless said")] "fire passives of `next`, `all` or one kind" r#"{ passive = "dark" }"#;
    "orb_slots" Number [] "more or fewer orb slots" r#"{ orb_slots = 2 }"#;
    "stance" Word [] "change stance" r#"{ stance = "wrath" }"#;
    "end_turn" Mark [("skip_enemies", "true: the enemies' turn is skipped")] "the player's turn ends after this card" r#"{ end_turn = true }"#;
    "gold" Number [] "change gold" r#"{ gold = 20 }"#;
    "gain_potion" Number [] "random potions into free slots" r#"{ gain_potion = 1 }"#;
    "choose_one" Steps [] "the player takes one of several lists of steps" r#"{ choose_one = [[{ gold = 25 }], [{ apply = "strength", amount = 3, to = "self" }]] }"#;
    "if" Word [("then", "steps"), ("else", "steps")] "branch on a condition" r#"{ if = "stance(wrath)", then = [{ draw = 1 }], else = [{ stance = "wrath" }] }"#;
    "repeat" Number [("do", "steps")] "run steps several times" r#"{ repeat = "x", do = [{ block = 7 }] }"#;
    "set_move" Word [] "monster: the next move becomes this one, seen at once" r#"{ set_move = "split" }"#;
    "reroll" Mark [] "monster: choose the move anew" r#"{ reroll = true }"#;
    "summon" Word [("count", "how many, 1 unless said"), ("hp", "their HP and max HP"), ("minion", "true: they are minions"), ("room", "at most so many of them alive"), ("any", "true: one of the list is rolled each time; repeat a name to weigh it"), ("at", "places beside the summoner, ten apart: the first free ones are taken; less is further left")]
        "monster: others join the fight; an id, or a list of which each is summoned once"
        r#"{ summon = ["spike_slime_l", "acid_slime_l"], hp = "hp(self)" }"#;
    "speak" Number [] "monster: so many draws of the monsters' dice that mean nothing; the original makes them for spoken lines" r#"{ speak = 1 }"#;
    "search" Cards [] "cards are looked through: one draw for each found but the first, as the original makes them" r#"{ search = "draw", filter = "attack" }"#;
    "escape" Mark [TO] "monster: leaves the fight alive" r#"{ escape = true }"#;
    "half_die" Mark [] "monster: lies half dead, cannot be aimed at, may revive" r#"{ half_die = true }"#;
    "appear" Mark [] "monster: counts as one that joins the fight now" r#"{ appear = true }"#;
    "revive" Number [] "monster: back to life with that percentage of max HP" r#"{ revive = 50 }"#;
    "set_var" Word [("is", "the new number")] "monster: set a variable" r#"{ set_var = "stabs", is = "var(stabs) + 1" }"#;
    "steal" Number [] "monster: take gold; returned when it dies" r#"{ steal = 15 }"#;
    "take_card" Mark [] "monster: take the rarest card of the draw (or discard) pile" r#"{ take_card = true }"#;
    "return_card" Mark [] "monster: give the taken card back" r#"{ return_card = true }"#;
    "face_target" Mark [] "the player turns to the enemy just aimed at" r#"{ face_target = true }"#;
    "flee" Mark [] "the fight ends at once without rewards (Smoke Bomb)" r#"{ flee = true }"#;
    "obtain" Word [] "a card enters the master deck" r#"{ obtain = "necronomicurse" }"#;
    "obtain_random" Word [("count", "how many"), ("filter", "which")] "random cards of a pool enter the master deck" r#"{ obtain_random = "curse" }"#;
    "remove" Cards [] "remove cards from the master deck" r#"{ remove = "deck", choose = 2 }"#;
    "transform" Cards [("upgraded", "true: the new cards are upgraded")] "transform cards of the master deck" r#"{ transform = "deck", choose = 3 }"#;
    "duplicate" Cards [] "copy a card of the master deck" r#"{ duplicate = "deck", choose = 1 }"#;
    "bottle" Cards [] "mark a card of the master deck: it starts in the hand" r#"{ bottle = "deck", choose = 1, filter = "attack" }"#;
    "reward" Word [("count", "how many, 1 unless said"), ("amount", "of gold")] "outside of combat: offer `cards`, `relic`, `relic:rare` and the like, `potion` or `gold`" r#"{ reward = "relic:common" }"#;
    "special" Word [] "a rule written in Rust, by its name" r#"{ special = "forget" }"#;
}

/// The rules written in Rust that content may call.
pub const SPECIALS: &[(&str, &str)] = &[
    ("forget", "monster: it forgets the moves it made"),
    ("reset_attack_count", "the count of attacks starts anew (recorded engine)"),
];

impl Reader {
    /// Reads a list of steps.
    pub fn steps(&mut self, node: &Node) -> Vec<Step> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.step(item)).collect(),
            Tree::Table(_) => self.step(node).into_iter().collect(),
            other => {
                self.wrong(&node.place, format!("expected a list of steps, found {}", other.kind()));
                Vec::new()
            }
        }
    }

    /// Reads one step.
    fn step(&mut self, node: &Node) -> Option<Step> {
        let mut fields = Fields::open(node, &mut self.problems)?;
        let Some((name, value)) = fields.first_of(NAMES) else {
            let first = fields.keys().next().map_or("", |(key, ..)| key);
            let message = format!("a step needs a verb{}", hint(first, NAMES.iter().copied()));
            self.wrong(&node.place, message);
            return None;
        };
        // The verb names serve to find the verb; a second one in the same table would be a misspelt modifier.
        let others: Vec<&str> =
            fields.keys().map(|(key, ..)| key).filter(|key| NAMES.contains(key) && *key != name).collect();
        let verb = self.verb(name, value, &mut fields);
        if let Some(other) = others.iter().find(|other| !modifies(name, other)) {
            self.wrong(&node.place, format!("one step, one verb: both `{name}` and `{other}` are given"));
        }
        fields.finish(&format!("the step `{name}`"), &mut self.problems);
        verb.map(|verb| Step { verb, place: node.place.clone() })
    }

    fn to(&mut self, fields: &mut Fields<'_>, default: Who) -> Who {
        fields.get("to").and_then(|node| self.word(node, Who::ALL)).unwrap_or(default)
    }

    /// How often something is done, as far as that is known now.
    fn times(&mut self, node: &Node) -> Expr {
        let times = self.number(node);
        if let Expr::Int(count) = times
            && !(0..=99).contains(&count)
        {
            self.wrong(&node.place, format!("{count} times: nothing is repeated more than 99 times"));
        }
        times
    }

    fn number_or(&mut self, fields: &mut Fields<'_>, key: &'static str, default: i32) -> Expr {
        self.optional(fields, key).unwrap_or(Expr::Int(default))
    }

    fn optional(&mut self, fields: &mut Fields<'_>, key: &'static str) -> Option<Expr> {
        fields.get(key).map(|node| self.number(node))
    }

    fn flag(&mut self, fields: &mut Fields<'_>, key: &'static str) -> bool {
        fields.get(key).is_some_and(|node| self.truth(node))
    }

    fn nested(&mut self, fields: &mut Fields<'_>, key: &'static str) -> Vec<Step> {
        fields.get(key).map(|node| self.steps(node)).unwrap_or_default()
    }

    /// Zone and the ways to pick from it.
    fn pick(&mut self, node: &Node, fields: &mut Fields<'_>) -> Option<Pick> {
        let from = self.word(node, Zone::ALL)?;
        let dice = fields.get("dice").and_then(|node| self.word(node, Throw::ALL)).unwrap_or(Throw::Even);
        Some(Pick { from, how: self.how(fields), filter: self.optional(fields, "filter"), dice })
    }

    fn how(&mut self, fields: &mut Fields<'_>) -> How {
        let Some((key, node)) = fields.first_of(&["choose", "up_to", "random", "top"]) else {
            return How::All;
        };
        if key == "up_to" && matches!(&node.value, Tree::Text(text) if text == "all") {
            return How::UpTo(Expr::Int(99));
        }
        let amount = self.number(node);
        match key {
            "choose" => How::Choose(amount),
            "up_to" => How::UpTo(amount),
            "random" => How::Random(amount),
            _ => How::Top(amount),
        }
    }

    fn orbs(&mut self, node: &Node) -> Option<Orbs> {
        Some(match self.text(node)?.as_str() {
            "next" => Orbs::Next,
            "all" => Orbs::All,
            kind => {
                self.refer("orb", kind, &node.place);
                Orbs::Of(kind.to_string())
            }
        })
    }

    fn new_cost(&mut self, fields: &mut Fields<'_>) -> NewCost {
        if self.flag(fields, "roll") {
            return NewCost::Random;
        }
        match self.optional(fields, "set") {
            Some(set) => NewCost::Set(set),
            None => NewCost::Add(self.number_or(fields, "add", 0)),
        }
    }

    fn until(&mut self, fields: &mut Fields<'_>, default: Until) -> Until {
        fields.get("until").and_then(|node| self.word(node, Until::ALL)).unwrap_or(default)
    }

    fn reference(&mut self, kind: &'static str, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        self.refer(kind, &name, &node.place);
        Some(name)
    }

    fn verb(&mut self, name: &str, value: &Node, f: &mut Fields<'_>) -> Option<Verb> {
        Some(match name {
            "attack" => Verb::Attack {
                amount: self.number(value),
                to: self.to(f, Who::Target),
                times: self.number_or(f, "times", 1),
                strength: self.number_or(f, "strength", 1),
                on_kill: self.nested(f, "on_kill"),
                any_death: self.flag(f, "any_death"),
            },
            "damage" => Verb::Damage {
                amount: self.number(value),
                to: self.to(f, Who::Target),
                times: self.number_or(f, "times", 1),
            },
            "lose_hp" => Verb::LoseHp { amount: self.number(value), to: self.to(f, Who::Me) },
            "kill" => Verb::Kill { to: self.to(f, Who::Target) },
            "heal" => Verb::Heal { amount: self.number(value), to: self.to(f, Who::Me) },
            "set_hp" => Verb::SetHp { amount: self.number(value), to: self.to(f, Who::Me) },
            "max_hp" => Verb::MaxHp { amount: self.number(value) },
            "block" => {
                Verb::Block { amount: self.number(value), to: self.to(f, Who::Me), raw: self.flag(f, "raw") }
            }
            "remove_block" => Verb::RemoveBlock { to: self.to(f, Who::Target) },
            "apply" => Verb::Apply {
                power: self.reference("power", value)?,
                amount: self.number_or(f, "amount", 1),
                to: self.to(f, Who::Me),
                only: self.optional(f, "only"),
                store: self.optional(f, "store"),
            },
            "reduce" => Verb::Reduce {
                power: match self.text(value)?.as_str() {
                    "self" => None,
                    _ => Some(self.reference("power", value)?),
                },
                by: self.optional(f, "by"),
                to: self.to(f, Who::Me),
            },
            "remove_debuffs" => Verb::RemoveDebuffs { to: self.to(f, Who::Me) },
            "remove_powers" => Verb::RemovePowers { to: self.to(f, Who::Me) },
            "store" => Verb::Store { amount: self.number(value) },
            "counter" => Verb::Counter { amount: self.number(value) },
            "energy" => Verb::Energy { amount: self.number(value) },
            "draw" => Verb::Draw { amount: self.number(value), late: self.flag(f, "late") },
            "gold" => Verb::Gold { amount: self.number(value) },
            "gain_potion" => Verb::GainPotion { count: self.number(value) },
            "scry" => Verb::Scry { amount: self.number(value) },
            "orb_slots" => Verb::OrbSlots { amount: self.number(value) },
            "grow" => Verb::Grow {
                by: self.number(value),
                all: self.flag(f, "all"),
                permanent: self.flag(f, "permanent"),
            },
            "if" => Verb::If {
                condition: self.number(value),
                then: self.nested(f, "then"),
                otherwise: self.nested(f, "else"),
            },
            "repeat" => Verb::Repeat { times: self.times(value), steps: self.nested(f, "do") },
            "choose_one" => Verb::ChooseOne { options: self.options(value) },
            "replay" => Verb::Replay,
            "end_turn" => Verb::EndTurn { skip_enemies: self.flag(f, "skip_enemies") },
            "stance" => Verb::Stance { to: self.reference("stance", value)? },
            "channel" => Verb::Channel { orb: self.orb(value)?, count: self.number_or(f, "count", 1) },
            "evoke" => Verb::Evoke { which: self.orbs(value)?, times: self.number_or(f, "times", 1) },
            "passive" => Verb::Passive { which: self.orbs(value)?, times: self.number_or(f, "times", 1) },
            _ => return self.verb_of_cards(name, value, f),
        })
    }

    fn verb_of_cards(&mut self, name: &str, value: &Node, f: &mut Fields<'_>) -> Option<Verb> {
        Some(match name {
            "discard" => Verb::Discard { cards: self.pick(value, f)? },
            "exhaust" => Verb::Exhaust { cards: self.pick(value, f)? },
            "move" => Verb::Move {
                cards: self.pick(value, f)?,
                to: match f.get("to") {
                    Some(node) => self.word(node, Spot::ALL)?,
                    None => {
                        self.wrong(&value.place, "`move` needs `to`, a spot".into());
                        return None;
                    }
                },
            },
            "create" => self.create(value, f)?,
            "upgrade" => {
                let cards = self.pick(value, f)?;
                Verb::Upgrade { run: cards.from == Zone::Deck, cards }
            }
            "cost" => Verb::Cost {
                cards: self.pick(value, f)?,
                new: self.new_cost(f),
                until: self.until(f, Until::Turn),
            },
            "retain" => Verb::Retain { cards: self.pick(value, f)? },
            "play" => Verb::Play {
                cards: self.pick(value, f)?,
                times: self.number_or(f, "times", 1),
                exhaust: self.flag(f, "exhaust"),
                late: self.flag(f, "late"),
            },
            "remove" => Verb::Remove { cards: self.pick(value, f)? },
            "transform" => {
                Verb::Transform { cards: self.pick(value, f)?, upgraded: self.flag(f, "upgraded") }
            }
            "duplicate" => Verb::Duplicate { cards: self.pick(value, f)? },
            "bottle" => Verb::Bottle { cards: self.pick(value, f)? },
            "obtain" => Verb::Obtain { card: self.reference("card", value)? },
            "obtain_random" => Verb::ObtainRandom {
                pool: self.word(value, Pool::ALL)?,
                count: self.number_or(f, "count", 1),
                filter: self.optional(f, "filter"),
            },
            "reward" => Verb::Reward { what: self.reward(value, f)?, count: self.number_or(f, "count", 1) },
            _ => return self.verb_of_monsters(name, value, f),
        })
    }

    fn verb_of_monsters(&mut self, name: &str, value: &Node, f: &mut Fields<'_>) -> Option<Verb> {
        Some(match name {
            "set_move" => Verb::SetMove { name: self.text(value)? },
            "reroll" => Verb::Reroll,
            "summon" => Verb::Summon {
                monsters: self.monsters(value),
                count: self.number_or(f, "count", 1),
                hp: self.optional(f, "hp"),
                minion: self.flag(f, "minion"),
                room: self.optional(f, "room"),
                any: self.flag(f, "any"),
                at: f.get("at").map(|node| self.places(node)).unwrap_or_default(),
            },
            "speak" => Verb::Speak { count: self.number(value) },
            "search" => Verb::Search { cards: self.pick(value, f)? },
            "escape" => Verb::Escape { to: self.to(f, Who::Me) },
            "half_die" => Verb::HalfDie,
            "appear" => Verb::Appear,
            "revive" => Verb::Revive { percent: self.number(value) },
            "set_var" => Verb::SetVar { name: self.text(value)?, to: self.number_or(f, "is", 0) },
            "steal" => Verb::Steal { amount: self.number(value) },
            "take_card" => Verb::TakeCard,
            "return_card" => Verb::ReturnCard,
            "face_target" => Verb::FaceTarget,
            "flee" => Verb::Flee,
            _ => Verb::Special { name: self.special(value)? },
        })
    }

    /// A list of whole numbers.
    fn places(&mut self, node: &Node) -> Vec<i16> {
        let Tree::List(items) = &node.value else {
            self.wrong(&node.place, "`at` is a list of places, such as [-10, 10]".into());
            return Vec::new();
        };
        items.iter().map(|item| self.integer(item).clamp(-1000, 1000) as i16).collect()
    }

    fn special(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        if !SPECIALS.iter().any(|(known, _)| *known == name) {
            let hint = hint(&name, SPECIALS.iter().map(|(known, _)| *known));
            self.wrong(&node.place, format!("there is no special rule `{name}`{hint}"));
            return None;
        }
        Some(name)
    }

    fn options(&mut self, node: &Node) -> Vec<Vec<Step>> {
        match &node.value {
            Tree::List(items) => items.iter().map(|item| self.steps(item)).collect(),
            other => {
                self.wrong(&node.place, format!("expected a list of lists of steps, found {}", other.kind()));
                Vec::new()
            }
        }
    }

    fn orb(&mut self, node: &Node) -> Option<Orb> {
        Some(match self.text(node)?.as_str() {
            "random" => Orb::Random,
            "last_evoked" => Orb::LastEvoked,
            _ => Orb::Kind(self.reference("orb", node)?),
        })
    }

    fn create(&mut self, value: &Node, f: &mut Fields<'_>) -> Option<Verb> {
        let text = self.text(value)?;
        let made = if let Some(zone) = text.strip_prefix("copy:") {
            let Some(from) = Zone::parse(zone) else {
                self.wrong(&value.place, format!("unknown zone `{zone}`{}", self.word_hint(zone, Zone::ALL)));
                return None;
            };
            Made::CopyOf(Pick {
                from,
                how: self.how(f),
                filter: self.optional(f, "filter"),
                dice: Throw::Even,
            })
        } else if let Some(pool) = Pool::parse(&text) {
            Made::From(pool, self.optional(f, "filter"))
        } else {
            Made::Card(self.reference("card", value)?)
        };
        let cost = self.optional(f, "cost").map(|cost| (NewCost::Set(cost), self.until(f, Until::Turn)));
        Some(Verb::Create {
            made,
            count: self.number_or(f, "count", 1),
            to: f.get("to").and_then(|node| self.word(node, Spot::ALL)).unwrap_or(Spot::Hand),
            upgraded: self.number_or(f, "upgraded", 0),
            cost,
            offer: self.number_or(f, "offer", 0),
            skippable: self.flag(f, "skippable"),
            kept: self.optional(f, "kept"),
            late: self.flag(f, "late"),
        })
    }

    fn reward(&mut self, value: &Node, f: &mut Fields<'_>) -> Option<Reward> {
        let text = self.text(value)?;
        Some(match text.as_str() {
            "cards" => Reward::Cards,
            "potion" => Reward::Potion,
            "relic" => Reward::Relic(None),
            "gold" => Reward::Gold(self.number_or(f, "amount", 0)),
            other => match other.strip_prefix("relic:").and_then(super::words::Rarity::parse) {
                Some(tier) => Reward::Relic(Some(tier)),
                None => {
                    let known =
                        ["cards", "potion", "relic", "gold", "relic:common", "relic:uncommon", "relic:rare"];
                    self.wrong(&value.place, format!("unknown reward `{other}`{}", hint(other, known)));
                    return None;
                }
            },
        })
    }

    fn monsters(&mut self, node: &Node) -> Vec<String> {
        match &node.value {
            Tree::List(items) => items.iter().filter_map(|item| self.reference("monster", item)).collect(),
            _ => self.reference("monster", node).into_iter().collect(),
        }
    }
}

/// Words that are verbs of their own but also modify this verb.
fn modifies(verb: &str, other: &str) -> bool {
    VERBS
        .iter()
        .find(|spec| spec.name == verb)
        .is_some_and(|spec| spec.keys.iter().any(|(key, _)| *key == other))
}
