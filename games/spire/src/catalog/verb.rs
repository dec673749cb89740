//! The verbs of content: what cards, powers, relics, potions, moves and events do, one table per step, the verb
//! first, its modifiers after.
//!
//! Each verb is declared once, in the table below: what it is called, its fields, what it does, an example, and by its
//! part of the table where it is possible. The table makes what is read ([`Verb`]), what the rules use ([`Op`]), the
//! way from one to the other, the manual, the schema and the messages.

use super::aim::Aims;
use super::compile::{Compiler, Scope};
use super::expr::Expr;
use super::kind::{self, Key, Keyed, Kind, Own};
use super::read::Reader;
use super::words::{Pool, Spot, Throw, Until, Who, Zone};
use turnstone_content::{Fields, Node, Place, Tree, hint};

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
    /// A choice of colorless cards.
    Colorless,
    /// A random relic of a tier, or of any.
    Relic(Option<super::words::Rarity>),
    /// A random potion.
    Potion,
    /// Gold.
    Gold(Expr),
    /// The potions that the event drew on entry.
    Drawn,
}

/// Where something is possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// In fights only.
    #[default]
    Fight,
    /// In fights and on the way between them.
    Both,
    /// On the way only: in events, at pickups, at campfires, in shops.
    Way,
}

/// What cards are picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be discarded.
    Discard,
    /// To be exhausted.
    Exhaust,
    /// To be upgraded.
    Upgrade,
    /// To stay in the hand at the turn's end.
    Keep,
    /// To be played.
    Play,
    /// To be copied.
    Copy,
    /// To be put somewhere.
    Put(Spot),
    /// To cost something else.
    Reprice,
    /// To be looked through.
    Search,
    /// To leave the master deck.
    Remove,
    /// To become others.
    Transform,
    /// To start in the hand.
    Bottle,
}

impl Purpose {
    /// What a question for them ends with.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Purpose::Discard | Purpose::Put(Spot::Discard) => " to discard",
            Purpose::Exhaust | Purpose::Put(Spot::Exhaust) => " to exhaust",
            Purpose::Upgrade => " to upgrade",
            Purpose::Keep => " to keep",
            Purpose::Play => " to play",
            Purpose::Copy => " to copy",
            Purpose::Put(Spot::Hand) => " to take into the hand",
            Purpose::Put(Spot::DrawTop) => " to put on top of the draw pile",
            Purpose::Put(Spot::DrawBottom) => " to put under the draw pile",
            Purpose::Put(Spot::DrawRandom | Spot::DrawShuffled) => " to put into the draw pile",
            Purpose::Put(Spot::Limbo) => " to set aside",
            Purpose::Put(Spot::Deck) => " to put into the deck",
            Purpose::Reprice => " whose cost changes",
            Purpose::Search => " to look at",
            Purpose::Remove => " to remove",
            Purpose::Transform => " to transform",
            Purpose::Bottle => " to bottle",
        }
    }
}

/// One verb of the manual.
pub struct VerbSpec {
    /// The verb.
    pub name: &'static str,
    /// Where it is possible.
    pub ground: Ground,
    /// What it does.
    pub about: &'static str,
    /// One example, a whole step.
    pub example: &'static str,
    /// Its fields.
    pub fields: &'static [FieldSpec],
}

/// One field of a verb.
pub struct FieldSpec {
    /// Its key; empty for the verb's own value.
    pub key: &'static str,
    /// Its sentence.
    pub about: &'static str,
    /// The definition of the schema that describes it.
    pub shape: &'static str,
    /// Further keys that belong to it.
    pub more: &'static [Key],
}

impl VerbSpec {
    /// The definition of the schema that describes the verb's own value; `mark` if it is only `true`.
    pub fn shape(&self) -> &'static str {
        self.fields.iter().find(|field| field.key.is_empty()).map_or("mark", |field| field.shape)
    }

    /// Its other keys.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let own = |field: &FieldSpec| (field.key, field.shape, field.about);
        let all = self
            .fields
            .iter()
            .flat_map(move |field| std::iter::once(own(field)).chain(field.more.iter().copied()));
        all.filter(|(key, ..)| !key.is_empty())
    }
}

/// A field is read: under its key, or as the verb's own value.
macro_rules! field {
    ($r:ident, $value:ident, $f:ident, $kind:ident) => {
        <kind::$kind as Own>::own($r, $value, $f)
    };
    ($r:ident, $value:ident, $f:ident, $kind:ident, $key:literal, $default:expr) => {
        <kind::$kind as Keyed>::keyed($r, $f, $key, $default)
    };
}

/// What cards are picked for, if a verb says so.
macro_rules! purpose {
    () => {
        None
    };
    ($purpose:ident) => {
        Some(Purpose::$purpose)
    };
    ($purpose:ident $of:ident) => {
        Some(Purpose::$purpose(*$of))
    };
}

/// Makes everything from the rows of the table: a variant, its name, its sentence, an example, and its fields with
/// their kinds; those under a key also say the key, what holds unless said, and a sentence. Behind `for` stands what cards
/// are picked for.
macro_rules! declare {
    ($($variant:ident $name:literal $about:literal $example:literal
        $({ $($field:ident: $kind:ident $(($key:literal, $default:expr, $said:literal))?),* $(,)? })?
        $(for $purpose:ident $(($of:ident))?)?;)*) => {
        /// What a step does, as it is written.
        #[derive(Clone, Debug)]
        pub enum Verb {
            $(#[doc = $about] $variant $({ $(
                #[doc = concat!("`", $name, "`", $(" `", $key, "`: ", $said)?)]
                $field: <kind::$kind as Kind>::Text,
            )* })?,)*
        }

        /// What a step does, with numbers for names.
        #[derive(Clone, Debug)]
        pub enum Op {
            $(#[doc = $about] $variant $({ $(
                #[doc = concat!("`", $name, "`", $(" `", $key, "`: ", $said)?)]
                $field: <kind::$kind as Kind>::Made,
            )* })?,)*
        }

        const NAMES: &[&str] = &[$($name),*];

        impl Verb {
            fn read(r: &mut Reader, name: &str, value: &Node, f: &mut Fields<'_>) -> Option<Verb> {
                match name {
                    $($name => {
                        $($(let $field = field!(r, value, f, $kind $(, $key, $default)?);)*)?
                        Some(Verb::$variant $({ $($field: $field?),* })?)
                    })*
                    _ => None,
                }
            }

            /// The step as the rules use it.
            pub(super) fn made(&self, c: &mut Compiler, s: Scope<'_>) -> Op {
                match self {
                    $(Verb::$variant $({ $($field),* })? => Op::$variant $({
                        $($field: <kind::$kind as Kind>::made($field, c, s)),*
                    })?,)*
                }
            }
        }

        impl Aims for Verb {
            fn aims(&self, upgraded: bool) -> bool {
                match self {
                    $(Verb::$variant $({ $($field),* })? => false $($(|| $field.aims(upgraded))*)?,)*
                }
            }
        }

        impl Op {
            /// The verb.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Op::$variant { .. } => $name,)*
                }
            }

            /// What cards are picked for; nothing for a verb that picks none.
            pub fn purpose(&self) -> Option<Purpose> {
                match self {
                    $(Op::$variant { $($($of,)?)? .. } => purpose!($($purpose $($of)?)?),)*
                }
            }
        }
    };
}

/// The verbs of one part of the table.
macro_rules! specs {
    ($list:ident $ground:ident: $($variant:ident $name:literal $about:literal $example:literal
        $({ $($field:ident: $kind:ident $(($key:literal, $default:expr, $said:literal))?),* $(,)? })?
        $(for $purpose:ident $(($of:ident))?)?;)*) => {
        const $list: &[VerbSpec] = &[$(VerbSpec {
            name: $name,
            ground: Ground::$ground,
            about: $about,
            example: $example,
            fields: &[$($(FieldSpec {
                key: concat!($($key)?),
                about: concat!($($said)?),
                shape: <kind::$kind as Kind>::SHAPE,
                more: <kind::$kind as Kind>::MORE,
            }),*)?],
        }),*];

        $(const _: () = assert!(
            !(false $($(|| <kind::$kind as Kind>::PICKS)*)?) || false $(|| !stringify!($purpose).is_empty())?,
            concat!("`", $name, "` picks cards and does not say what for")
        );)*
    };
}

/// A pattern of all steps of one part of the table, for those who cannot do them: a new verb of the part is theirs
/// without a word, any other must be handled.
macro_rules! pattern {
    ($pattern:ident: $($variant:ident $name:literal $about:literal $example:literal $({ $($fields:tt)* })?
        $(for $purpose:ident $(($of:ident))?)?;)*) => {
        macro_rules! $pattern {
            () => {
                $($crate::catalog::verb::Op::$variant { .. })|*
            };
        }
        pub(crate) use $pattern;
    };
}

macro_rules! verbs {
    (fight { $($fight:tt)* } both { $($both:tt)* } way { $($way:tt)* }) => {
        declare! { $($fight)* $($both)* $($way)* }
        specs! { IN_FIGHTS Fight: $($fight)* }
        specs! { ANYWHERE Both: $($both)* }
        specs! { ON_THE_WAY Way: $($way)* }
        pattern! { only_in_fights: $($fight)* }
        pattern! { only_on_the_way: $($way)* }
    };
}

/// Every verb: the manual, the schema and the messages come from this list.
pub fn verbs() -> impl Iterator<Item = &'static VerbSpec> {
    IN_FIGHTS.iter().chain(ANYWHERE).chain(ON_THE_WAY)
}

fn spec(name: &str) -> Option<&'static VerbSpec> {
    verbs().find(|spec| spec.name == name)
}

verbs! {
    fight {
        Attack "attack"
            "attack damage through the whole pipeline, once per hit; to `random` each hit finds its own target; default target: `target`"
            r#"{ attack = [5, 7], times = 2 }"#
            { amount: Number, to: Whom("to", Some(Who::Target), "whom"), times: Number("times", 1, "hits"),
              strength: Number("strength", 1, "what Strength is multiplied by"),
              on_kill: Nested("on_kill", (), "steps after a fatal hit"),
              any_death: Truth("any_death", (), "minions and reviving ones count as killed too") };
        Kill "kill" "HP to 0, death follows; no damage" r#"{ kill = true, to = "target" }"#
            { to: Whom("to", Some(Who::Target), "whom") };
        SetHp "set_hp" "set current HP; neither damage nor healing; default: `self`"
            r#"{ set_hp = "max(hp(self), max_hp(self) / 2)" }"#
            { amount: Number, to: Whom("to", Some(Who::Me), "whom") };
        Block "block" "gain block; default: `self`" r#"{ block = [5, 8] }"#
            { amount: Number, to: Whom("to", Some(Who::Me), "whom"),
              raw: Truth("raw", (), "true: Dexterity and Frail do not matter (always so outside of cards)") };
        RemoveBlock "remove_block" "all block of somebody goes" r#"{ remove_block = true, to = "target" }"#
            { to: Whom("to", Some(Who::Target), "whom") };
        Apply "apply" "put a power on somebody (negative amounts for Strength, Dexterity, Focus); default: `self`"
            r#"{ apply = "vulnerable", amount = [2, 3], to = "target" }"#
            { power: Power, amount: Number("amount", 1, "stacks, 1 unless said"),
              to: Whom("to", Some(Who::Me), "whom"),
              only: Filter("only", (), "condition on each target, read when the step is queued"),
              store: Number("store", 0, "second number kept with the power") };
        Reduce "reduce" "lower or remove a power; `\"self\"` is the running one; never stopped by Artifact"
            r#"{ reduce = "self", by = 1 }"#
            { power: PowerOrSelf, by: Maybe("by", (), "stacks; all unless said"),
              to: Whom("to", Some(Who::Me), "whom") };
        RemoveDebuffs "remove_debuffs" "all debuffs of somebody go, negative Strength and the like too"
            r#"{ remove_debuffs = true, to = "self" }"# { to: Whom("to", Some(Who::Me), "whom") };
        RemovePowers "remove_powers" "all powers of somebody go, good and bad; default: `self`"
            r#"{ remove_powers = true }"# { to: Whom("to", Some(Who::Me), "whom") };
        Store "store" "set the second number of the running power" r#"{ store = "stored + n" }"#
            { amount: Number };
        Energy "energy" "change energy, not below 0" r#"{ energy = 2 }"# { amount: Number };
        Draw "draw" "draw cards" r#"{ draw = [1, 2] }"#
            { amount: Number, late: Truth("late", (), "true: behind everything that waits now") };
        Discard "discard" "discard cards; counts as a discard by an effect"
            r#"{ discard = "hand", choose = 1 }"# { cards: Cards } for Discard;
        Exhaust "exhaust" "exhaust cards" r#"{ exhaust = "hand", filter = "not attack" }"# { cards: Cards } for Exhaust;
        Move "move" "move cards without drawing, discarding or exhausting them"
            r#"{ move = "discard", choose = 1, to = "draw_top" }"#
            { cards: Cards, to: Put("to", None, "a spot") } for Put(to);
        Create "create" "make cards: a card id, a pool (`class`, `any_class`, `colorless`) or `copy:` and a zone"
            r#"{ create = "class", filter = "attack", cost = 0, offer = 3 }"#
            { made: Creation, count: Number("count", 1, "how many, 1 unless said"),
              to: Put("to", Some(Spot::Hand), "a spot, `hand` unless said"),
              upgraded: Number("upgraded", 0, "condition: already upgraded"),
              cost: CreatedPrice("cost", (), "new cost"),
              offer: Number("offer", 0, "show so many different ones, the player takes one"),
              skippable: Truth("skippable", (), "he may also take none"),
              kept: Maybe("kept", (), "a number kept on the card"),
              late: Truth("late", (), "true: of a pool; rolled at once, made behind everything that waits") } for Copy;
        Cost "cost" "change costs; X and unplayable cards keep theirs"
            r#"{ cost = "hand", set = 0, until = "turn" }"#
            { cards: Cards, price: NewPrice("set", (), "new cost"),
              until: Lasting("until", Some(Until::Turn), "`turn`, `combat` or `played`") } for Reprice;
        Grow "grow" "this card's `grown` changes by that much" r#"{ grow = [5, 8] }"#
            { by: Number, all: Truth("all", (), "true: all cards of this id"),
              permanent: Truth("permanent", (), "true: also in the master deck") };
        Retain "retain" "keep cards at this turn's end" r#"{ retain = "chosen" }"# { cards: Cards } for Keep;
        Play "play" "play cards free, random targets" r#"{ play = "draw", top = 1, exhaust = true }"#
            { cards: Cards, times: Number("times", 1, "how often"),
              exhaust: Truth("exhaust", (), "true: exhausted afterwards"),
              late: Truth("late", (), "true: from the top, behind everything that waits now; the target is rolled at once") } for Play;
        Replay "replay" "in `on.plan_copies` and `on.card_used`: play the card once more" r#"{ replay = true }"#;
        Scry "scry" "look at the top cards, discard any" r#"{ scry = 3 }"# { amount: Number } for Discard;
        Channel "channel" "channel orbs: a kind, `random` or `last_evoked`"
            r#"{ channel = "lightning", count = 2 }"#
            { orb: OneOrb, count: Number("count", 1, "how many, 1 unless said") };
        Evoke "evoke" "evoke `next` or `all` orbs" r#"{ evoke = "next", times = 2 }"#
            { which: SomeOrbs, times: Number("times", 1, "how often, 1 unless said; 0 removes without evoking") };
        Passive "passive" "fire passives of `next`, `all` or one kind" r#"{ passive = "dark" }"#
            { which: SomeOrbs, times: Number("times", 1, "how often, 1 unless said") };
        OrbSlots "orb_slots" "more or fewer orb slots" r#"{ orb_slots = 2 }"# { amount: Number };
        Stance "stance" "change stance" r#"{ stance = "wrath" }"# { to: Stance };
        EndTurn "end_turn" "the player's turn ends after this card" r#"{ end_turn = true }"#
            { skip_enemies: Truth("skip_enemies", (), "true: the enemies' turn is skipped") };
        ChooseOne "choose_one" "the player takes one of several lists of steps"
            r#"{ choose_one = [[{ gold = 25 }], [{ apply = "strength", amount = 3, to = "self" }]] }"#
            { options: Lists };
        SetMove "set_move" "monster: the next move becomes this one, seen at once" r#"{ set_move = "split" }"#
            { name: Move };
        Reroll "reroll" "monster: choose the move anew" r#"{ reroll = true }"#;
        Summon "summon" "monster: others join the fight; an id, or a list of which each is summoned once"
            r#"{ summon = ["spike_slime_l", "acid_slime_l"], hp = "hp(self)" }"#
            { monsters: Monsters, count: Number("count", 1, "how many, 1 unless said"),
              hp: Maybe("hp", (), "their HP and max HP"), minion: Truth("minion", (), "true: they are minions"),
              room: Maybe("room", (), "at most so many of them alive"),
              any: Truth("any", (), "true: one of the list is rolled each time; repeat a name to weigh it"),
              at: Places("at", (), "places beside the summoner, ten apart: the first free ones are taken; less is further left") };
        Speak "speak" "monster: so many draws of the monsters' dice that mean nothing; the original makes them for spoken lines"
            r#"{ speak = 1 }"# { count: Number };
        Search "search" "cards are looked through: one draw for each found but the first, as the original makes them"
            r#"{ search = "draw", filter = "attack" }"# { cards: Cards } for Search;
        Escape "escape" "monster: leaves the fight alive" r#"{ escape = true }"#
            { to: Whom("to", Some(Who::Me), "whom") };
        HalfDie "half_die" "monster: lies half dead, cannot be aimed at, may revive" r#"{ half_die = true }"#;
        Appear "appear" "monster: counts as one that joins the fight now" r#"{ appear = true }"#;
        Revive "revive" "monster: back to life with that percentage of max HP" r#"{ revive = 50 }"#
            { percent: Number };
        Steal "steal" "monster: take gold; returned when it dies" r#"{ steal = 15 }"# { amount: Number };
        TakeCard "take_card" "monster: take the rarest card of the draw (or discard) pile" r#"{ take_card = true }"#;
        ReturnCard "return_card" "monster: give the taken card back" r#"{ return_card = true }"#;
        FaceTarget "face_target" "the player turns to the enemy just aimed at" r#"{ face_target = true }"#;
        Flee "flee" "the fight ends at once without rewards (Smoke Bomb)" r#"{ flee = true }"#;
        Forget "forget" "monster: it forgets the moves it made" r#"{ forget = true }"#;
        ResetAttackCount "reset_attack_count" "the count of attacks starts anew (recorded engine)"
            r#"{ reset_attack_count = true }"#;
    }
    both {
        Damage "damage" "damage that is no attack: block absorbs, Strength and Vulnerable do not matter; on the way it is the player's, `to = \"self\"`"
            r#"{ damage = 5, to = "self" }"#
            { amount: Number, to: Whom("to", Some(Who::Target), "whom"), times: Number("times", 1, "hits") };
        LoseHp "lose_hp" "loss of HP past block; default: `self`" r#"{ lose_hp = 3 }"#
            { amount: Number, to: Whom("to", Some(Who::Me), "whom") };
        Heal "heal" "heal up to max HP; default: `self`" r#"{ heal = 6 }"#
            { amount: Number, to: Whom("to", Some(Who::Me), "whom") };
        MaxHp "max_hp" "change the player's max HP; a gain also heals" r#"{ max_hp = 3 }"# { amount: Number };
        Gold "gold" "change gold; nobody pays more than he has" r#"{ gold = 20 }"# { amount: Number };
        Counter "counter" "set the counter of the running relic" r#"{ counter = "counter - 1" }"# { amount: Number };
        GainPotion "gain_potion" "random potions into free slots" r#"{ gain_potion = 1 }"# { count: Number };
        Obtain "obtain" "a card enters the master deck" r#"{ obtain = "necronomicurse" }"#
            { card: Card, count: Number("count", 1, "how many copies, 1 unless said") };
        Upgrade "upgrade" "upgrade cards for the combat; from `deck`: for the run"
            r#"{ upgrade = "deck", choose = 1, filter = "upgradable" }"# { cards: Cards } for Upgrade;
        If "if" "branch on a condition" r#"{ if = "gold >= 50", then = [{ heal = 1 }], else = [{ gold = 5 }] }"#
            { condition: Condition, then: Nested("then", (), "steps"), otherwise: Nested("else", (), "steps") };
        Repeat "repeat" "run steps several times" r#"{ repeat = 3, do = [{ heal = 1 }] }"#
            { times: Times, program: Nested("do", (), "steps") };
        SetVar "set_var" "monster or event: set a variable" r#"{ set_var = "stabs", is = "var(stabs) + 1" }"#
            { var: Variable, to: Number("is", 0, "the new number") };
    }
    way {
        ObtainRandom "obtain_random" "random cards of a pool enter the master deck" r#"{ obtain_random = "curse" }"#
            { pool: FromPool, count: Number("count", 1, "how many, 1 unless said"), filter: Filter("filter", (), "which") };
        OfferCards "offer_cards" "the player takes one of so many different cards of his class into the master deck"
            r#"{ offer_cards = 20 }"# { count: Number };
        Remove "remove" "remove cards from the master deck" r#"{ remove = "deck", choose = 2 }"# { cards: Cards } for Remove;
        Transform "transform" "transform cards of the master deck" r#"{ transform = "deck", choose = 3 }"#
            { cards: Cards, upgraded: Truth("upgraded", (), "true: the new cards are upgraded"),
              gift: Truth("gift", (), "true: by the dice of the gifts at the beginning") } for Transform;
        Duplicate "duplicate" "copy a card of the master deck" r#"{ duplicate = "deck", choose = 1 }"# { cards: Cards } for Copy;
        Bottle "bottle" "mark a card of the master deck: it starts in the hand"
            r#"{ bottle = "deck", choose = 1, filter = "attack" }"# { cards: Cards } for Bottle;
        Burn "burn" "the player gives a card to the flames: a rare one brings max HP and heals, an uncommon one heals, a common one heals a little, a curse brings this relic"
            r#"{ burn = "spirit_poop" }"# { gift: Relic };
        GainRelic "gain_relic" "a relic, or one of several at random" r#"{ gain_relic = ["red_mask", "mark_of_the_bloom"] }"#
            { relics: Relics, new: Truth("new", (), "true: only of those that the player lacks") };
        RandomRelic "random_relic" "a relic of a random tier" r#"{ random_relic = true }"#;
        LoseRelic "lose_relic" "a relic goes: its id, or `starter` for the one that the player began with"
            r#"{ lose_relic = "golden_idol" }"# { relic: RelicOrStarter };
        Reward "reward" "offer `cards`, `colorless` cards, `relic`, `relic:rare` and the like, `potion`, `gold`, or the potions `drawn` on entry"
            r#"{ reward = "relic:common" }"#
            { what: Prize, count: Number("count", 1, "how many, 1 unless said") };
        Fight "fight" "a fight begins: an encounter, or `boss`" r#"{ fight = "colosseum_1", unpaid = true }"#
            { foe: Foe, act: Number("act", 1, "of which act the boss is"), gold: Maybe("gold", (), "what it pays"),
              relics: Relics("relics", (), "relics that it leaves"), tiers: Tiers("tiers", (), "tiers of random relics that it leaves"),
              unpaid: Truth("unpaid", (), "true: it leaves nothing at all") };
        Chance "chance" "one thing or another, by that percentage"
            r#"{ chance = 50, then = [{ random_relic = true }], else = [{ damage = 6, to = "self" }] }"#
            { percent: Number, hit: Nested("then", (), "steps of a hit"), miss: Nested("else", (), "steps of a miss") };
        OneOf "one_of" "one of several lists of steps, each as likely" r#"{ one_of = [[{ gold = 25 }], [{ heal = 5 }]] }"#
            { lists: Lists };
        Goto "goto" "event: it goes on at that node, or at its `end`" r#"{ goto = "end" }"# { node: NodeName };
        DrawRelics "draw_relics" "event: so many relics of the player's are drawn, for `lose_drawn`" r#"{ draw_relics = 2 }"#
            { count: Number };
        LoseDrawn "lose_drawn" "event: what was drawn is lost" r#"{ lose_drawn = "card" }"# { what: WasDrawn };
        SearchFinds "search_finds" "event: one of the finds drawn on entry, unless what guards them comes"
            r#"{ search_finds = "25 + 25 * (3 - finds_left)" }"# { percent: Number };
        Pairs "pairs" "event: the game of pairs" r#"{ pairs = true }"#;
        ToTheBoss "to_the_boss" "the way leads straight to the boss" r#"{ to_the_boss = true }"#;
    }
}

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
        let spec = spec(name)?;
        // The verb names serve to find the verb; a second one in the same table would be a misspelt modifier.
        let modifies = |other: &str| spec.keys().any(|(key, ..)| key == other);
        let mut others = fields.keys().map(|(key, ..)| key).filter(|key| NAMES.contains(key) && *key != name);
        let other = others.find(|other| !modifies(other));
        let verb = Verb::read(self, name, value, &mut fields);
        if let Some(other) = other {
            self.wrong(&node.place, format!("one step, one verb: both `{name}` and `{other}` are given"));
        }
        if spec.shape() == "mark" && !matches!(value.value, Tree::Bool(true)) {
            self.wrong(&value.place, format!("`{name}` is written `{name} = true`"));
        }
        fields.finish(&format!("the step `{name}`"), &mut self.problems);
        let refused = if self.incoming {
            not_incoming(verb.as_ref())
        } else {
            self.ground.refuses(spec, verb.as_ref())
        };
        if let Some(message) = refused {
            self.wrong(&node.place, message);
        }
        verb.map(|verb| Step { verb, place: node.place.clone() })
    }

    /// A number that may be left out.
    pub(super) fn optional(&mut self, fields: &mut Fields<'_>, key: &'static str) -> Option<Expr> {
        fields.get(key).map(|node| self.number(node))
    }

    /// The id of an entry of that kind.
    pub(crate) fn reference(&mut self, kind: &'static str, node: &Node) -> Option<String> {
        let name = self.text(node)?;
        self.refer(kind, &name, &node.place);
        Some(name)
    }
}

/// What is wrong with a step for a card on its way into the deck.
fn not_incoming(verb: Option<&Verb>) -> Option<String> {
    let upgrades = matches!(verb, Some(Verb::Upgrade { cards }) if cards.from == Zone::Trigger);
    (!upgrades).then(|| "a card that comes can only be upgraded: `{ upgrade = \"trigger\" }`".to_owned())
}

impl How {
    /// The key that says so.
    fn word(&self) -> &'static str {
        match self {
            How::All => "all",
            How::Choose(_) => "choose",
            How::UpTo(_) => "up_to",
            How::Random(_) => "random",
            How::Top(_) => "top",
        }
    }
}

impl Ground {
    /// Whether what is possible there is possible here; what must be possible on both grounds is possible on each.
    pub fn allows(self, there: Ground) -> bool {
        there == Ground::Both || there == self
    }

    /// What is wrong with a step on this ground.
    fn refuses(self, spec: &VerbSpec, verb: Option<&Verb>) -> Option<String> {
        let name = spec.name;
        if !self.allows(spec.ground) {
            return Some(match spec.ground {
                Ground::Way => format!("`{name}` is possible between fights only"),
                _ => format!("`{name}` is possible in fights only"),
            });
        }
        if self == Ground::Fight {
            return None;
        }
        let of_deck = |cards: &Pick, how: &[&str]| match (cards.from, cards.how.word()) {
            (Zone::Deck, word) if how.contains(&word) => None,
            (Zone::Deck, _) => Some(format!("between fights `{name}` knows {}", how.join(", "))),
            _ => Some(format!("between fights `{name}` is about the `deck`")),
        };
        match verb? {
            Verb::Damage { to, .. } | Verb::LoseHp { to, .. } | Verb::Heal { to, .. } => {
                let other = !matches!(to, Who::Me | Who::Player);
                other.then(|| {
                    format!(
                        "between fights there is nobody but the player: write `to = \"self\"` with `{name}`"
                    )
                })
            }
            Verb::Upgrade { cards } | Verb::Remove { cards } => of_deck(cards, &["all", "choose", "random"]),
            Verb::Transform { cards, .. } | Verb::Duplicate { cards } => of_deck(cards, &["choose"]),
            Verb::Bottle { cards } => of_deck(cards, &["choose"]),
            _ => None,
        }
    }
}
