//! From definitions to dense tables: names become numbers, base and upgraded become two programs, constants
//! are folded, and every entry gets masks of what it listens to.

use super::aim::Aims;
use super::defs::{Chosen, Cost, Debuff, Reset, When};
use super::events::{END, EventDef};
use super::expr::{Arg, Expr, Op as Sign, Read};
use super::gifts::GiftDraw;
use super::hook::{Change, Once, Rules};
use super::load::Content;
use super::ready::Ready;
pub use super::verb::Op;
use super::verb::{Step, Verb};
use super::words::{
    Aim, CardType, Color, DamageKind, Drawn, Flag, Intent, ListName, Moment, Pool, Prevent, Queue, Rank,
    Rarity, Spot, Stack, Stage, Throw, Who, Zone,
};
use crate::rules::numbers::ATTACK;
use crate::seeds::Tables;
use crate::state::Card;
use std::collections::BTreeMap;
use turnstone_content::Place;
use turnstone_host::Numbering;

/// The number of an entry among those of its kind.
pub type Id = u16;

/// A number: a constant, or the place of an expression in [`Catalog::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Num {
    /// Known at load.
    Const(i32),
    /// To be evaluated.
    Expr(u16),
}

/// An argument of a compiled read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Val {
    /// None.
    Nothing,
    /// Whom.
    Who(Who),
    /// Where.
    Zone(Zone),
    /// Another expression.
    Expr(u16),
    /// The number of an entry, a move, a variable or a tag.
    Id(Id),
    /// A type of card.
    Type(CardType),
    /// A kind of damage.
    Kind(DamageKind),
    /// Something that an event draws.
    Drawn(Drawn),
}

/// A compiled expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant.
    Int(i32),
    /// Something read.
    Read(Read, Val, Val),
    /// Two operands.
    Two(Sign, u16, u16),
    /// Negation.
    Not(u16),
    /// By ascension level: an expression for each, the last for all above.
    Ascension(Box<[u16]>),
}

/// The number of a program in [`Catalog::programs`]; 0 is the empty one.
pub type Program = u16;

/// Which cards.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Select {
    pub from: Zone,
    /// How the dice pick.
    pub dice: Throw,
    pub how: Picking,
    pub filter: Option<u16>,
}

/// How they are picked.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Picking {
    All,
    Choose(Num),
    UpTo(Num),
    Random(Num),
    Top(Num),
}

impl Picking {
    /// How many, unless it is all of them.
    pub fn count(self) -> Option<Num> {
        match self {
            Picking::All => None,
            Picking::Choose(count) | Picking::UpTo(count) | Picking::Random(count) | Picking::Top(count) => {
                Some(count)
            }
        }
    }
}

/// What is created.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Making {
    Card(Id),
    Copy(Select),
    Pool(Pool, Option<u16>),
}

/// A new cost.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Price {
    Set(Num),
    Add(Num),
    Roll,
}

/// Which orbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Which {
    Next,
    All,
    Kind(Id),
}

/// Which orb is channeled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OrbKind {
    Kind(Id),
    Random,
    LastEvoked,
}

/// What a run reward is.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Gift {
    Cards,
    Colorless,
    Relic(Option<Rarity>),
    Potion,
    Gold(Num),
    Drawn,
}

/// A compiled hook.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(crate) struct Hook {
    pub moment: Moment,
    pub when: Option<u16>,
    /// What of `when` is seen at a glance.
    pub(crate) glance: Glance,
    /// Every so many of its moments are counted by those moments themselves ([`Tally`]): it is only heard when the
    /// count has come round. 0 if not.
    pub tally: u8,
    pub queue: Queue,
    pub every: Option<Num>,
    pub once: Option<Once>,
    pub at: i16,
    pub program: Program,
    /// It is heard between fights too.
    pub(crate) on_the_way: bool,
}

/// What of a condition is seen without evaluating it: most hooks are passed over for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glance {
    /// The types of cards for which it can hold at all, one bit each.
    pub kinds: u8,
    /// The only turn in which it can hold; 0 for any.
    pub turn: u8,
    /// The only count of the relic with which it can hold; [`ANY_COUNT`] for any.
    pub count: i16,
    /// It can hold only while its owner has no block.
    pub(crate) unguarded: bool,
    /// There is no more to it: what a glance does not rule out holds.
    pub whole: bool,
}

/// What a glance looks at.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The type of the card that is played as a bit; all of them where it does not matter.
    pub kind: u8,
    /// The turn.
    pub turn: u16,
    /// The count of the relic.
    pub count: i16,
    /// The owner has block.
    pub guarded: bool,
}

/// A count that does not matter.
pub(crate) const ANY_COUNT: i16 = i16::MIN;

impl Glance {
    /// Nothing is seen.
    const NOTHING: Glance =
        Glance { kinds: ANY_KIND, turn: 0, count: ANY_COUNT, unguarded: false, whole: false };
    /// There is no condition.
    const FREE: Glance = Glance { whole: true, ..Glance::NOTHING };

    /// Whether it may hold, as far as that is seen.
    #[inline]
    pub(crate) fn allows(&self, sight: &Sight) -> bool {
        self.kinds & sight.kind != 0
            && (self.turn == 0 || u16::from(self.turn) == sight.turn)
            && (self.count == ANY_COUNT || self.count == sight.count)
            && !(self.unguarded && sight.guarded)
    }

    /// What is seen of a condition at that moment. Only moments of a played card look at its type, and only relics
    /// count.
    fn at(when: &Expr, moment: Moment, relic: bool) -> Glance {
        let glance = glance(when);
        let unseen =
            glance.kinds != ANY_KIND && !moment.is_of_a_play() || glance.count != ANY_COUNT && !relic;
        Glance {
            whole: glance.whole && !unseen,
            count: if relic { glance.count } else { ANY_COUNT },
            ..glance
        }
    }

    fn and(self, other: Glance) -> Glance {
        // Of two that ask for the same only one is seen.
        let turns = self.turn != 0 && other.turn != 0;
        let counts = self.count != ANY_COUNT && other.count != ANY_COUNT;
        Glance {
            kinds: self.kinds & other.kinds,
            turn: self.turn.max(other.turn),
            count: self.count.max(other.count),
            unguarded: self.unguarded || other.unguarded,
            whole: self.whole && other.whole && !turns && !counts,
        }
    }
}

/// How a relic counts the moments of its hook with `every`: when one comes, and up to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The moment that is counted.
    pub moment: Moment,
    /// The types of cards that count, one bit each; none if nothing is counted.
    pub kinds: u8,
    /// With so many the count begins anew.
    pub every: u8,
    /// The moments of a play that the relic hears, counted or not, as [`Moment::play_bit`]s.
    pub plays: u8,
    /// Nothing else of it hears the counted moment but what waits for [`Tally::also`].
    pub alone: bool,
    /// With this count another hook of the counted moment acts; [`ANY_COUNT`] if there is none.
    pub also: i16,
}

impl Tally {
    const NONE: Tally =
        Tally { moment: Moment::CardUsed, kinds: 0, every: 0, plays: 0, alone: false, also: ANY_COUNT };

    /// Finds the hook of a relic that moments count for. It is the only one that counts, and what it waits for is
    /// seen at a glance.
    fn of(ears: &mut Ears) -> Tally {
        let plays = ears.hooks.iter().fold(0, |plays, hook| plays | hook.moment.play_bit());
        Tally { plays, ..Tally::counted(ears) }
    }

    fn counted(ears: &mut Ears) -> Tally {
        let counts = |hook: &Hook| hook.every.is_some() || hook.once.is_some();
        let mut counting = (0..ears.hooks.len()).filter(|&index| counts(&ears.hooks[index]));
        let (Some(index), None) = (counting.next(), counting.next()) else { return Tally::NONE };
        let Hook { moment, every, once, glance: Glance { kinds, turn, count, unguarded, whole }, .. } =
            ears.hooks[index];
        match every {
            Some(Num::Const(every @ 1..=100))
                if once.is_none()
                    && moment.is_counted()
                    && whole
                    && (turn, count, unguarded) == (0, ANY_COUNT, false) =>
            {
                ears.hooks[index].tally = every as u8;
                let also = Tally::waiting(&ears.hooks, index);
                let (alone, also) = (also.is_some(), also.unwrap_or(ANY_COUNT));
                Tally { moment, kinds, every: every as u8, plays: 0, alone, also }
            }
            _ => Tally::NONE,
        }
    }

    /// The count that another hook of the counted moment waits for, [`ANY_COUNT`] if there is no other; nothing if the
    /// others wait for more than that.
    fn waiting(hooks: &[Hook], counting: usize) -> Option<i16> {
        let Hook { moment, glance: Glance { kinds, .. }, .. } = hooks[counting];
        let others =
            hooks.iter().enumerate().filter(|(index, hook)| *index != counting && hook.moment == moment);
        match *others.map(|(_, hook)| hook.glance).collect::<Vec<_>>() {
            [] => Some(ANY_COUNT),
            [other] if other.kinds & !kinds == 0 && other.count != ANY_COUNT => Some(other.count),
            _ => None,
        }
    }

    /// Whether a hook of the counted moment may act with this count.
    #[inline]
    pub(crate) fn is_due(&self, count: i16) -> bool {
        count == 0 || count == self.also
    }

    /// Whether turns of the player count.
    pub(crate) fn counts_turns(&self) -> bool {
        self.moment == Moment::TurnStart && self.kinds != 0
    }

    /// Whether a card of that type counts when it is used.
    pub(crate) fn counts_used(&self, kind: usize) -> bool {
        self.moment == Moment::CardUsed && self.kinds >> kind & 1 != 0
    }

    /// Whether the relic may do more than count when a card of that type is played.
    pub(crate) fn leaves_to_act(&self, ears: &Ears, kind: usize) -> bool {
        let counted = if self.alone { self.moment.play_bit() } else { 0 };
        let acts = |hook: &Hook| hook.moment.play_bit() & !counted != 0 && hook.glance.kinds >> kind & 1 != 0;
        ears.hooks.iter().any(acts)
    }

    /// The count after one more.
    #[inline]
    pub(crate) fn next(self, count: i16) -> i16 {
        let next = count.saturating_add(1);
        if next >= i16::from(self.every) { 0 } else { next }
    }
}

/// A compiled alteration.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Alter {
    pub stage: Stage,
    pub when: Option<u16>,
    pub at: i16,
    pub change: Alteration,
    pub spend: Option<Num>,
    pub nearest: bool,
}

/// What happens to a number.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Alteration {
    Add(Num),
    Mul(Num, Num),
    Set(Num),
    AtMost(Num),
    AtLeast(Num),
}

/// What a power does to attacks, as far as that is simple: one change, whatever else is the case.
#[derive(Clone, Copy, Debug)]
pub enum Pull {
    /// Nothing.
    Nothing,
    /// It adds to what its owner deals.
    Adds(Num),
    /// What its owner deals is multiplied by the one and divided by the other.
    Deals(Num, Num),
    /// What its owner takes is.
    Takes(Num, Num),
    /// It is not that simple.
    Otherwise,
}

impl Pull {
    fn of(ears: &Ears) -> Pull {
        let attacks: Vec<&Alter> =
            ears.alters.iter().filter(|alter| ATTACK >> alter.stage as u32 & 1 != 0).collect();
        match *attacks {
            [] => Pull::Nothing,
            [&Alter { stage, when: None, change, .. }] => match (stage, change) {
                (Stage::AttackDealt, Alteration::Add(n)) => Pull::Adds(n),
                (Stage::AttackDealt, Alteration::Mul(a, b)) => Pull::Deals(a, b),
                (Stage::AttackTaken, Alteration::Mul(a, b)) => Pull::Takes(a, b),
                _ => Pull::Otherwise,
            },
            _ => Pull::Otherwise,
        }
    }
}

/// A compiled prevention.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Stop {
    pub what: Prevent,
    pub when: Option<u16>,
    pub spend: Option<Num>,
    pub program: Program,
    pub chance: i32,
}

/// What one entry listens to, with masks in front.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub(crate) struct Ears {
    pub moments: u128,
    pub stages: u64,
    pub stops: u32,
    pub flags: u32,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) alters: Vec<Alter>,
    pub(crate) preventions: Vec<Stop>,
}

impl Ears {
    /// Listens to the moment.
    #[inline]
    pub(crate) fn hears(&self, moment: Moment) -> bool {
        self.moments >> moment as u32 & 1 != 0
    }

    /// Has the flag.
    #[inline]
    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags >> flag as u32 & 1 != 0
    }
}

/// Cost that stands for X.
pub(crate) const COST_X: i8 = -1;
/// Cost that stands for none.
pub(crate) const COST_NONE: i8 = -2;

/// One form of a card: base or upgraded.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Form {
    pub cost: i8,
    pub aims: bool,
    pub exhaust: bool,
    pub ethereal: bool,
    pub(crate) innate: bool,
    pub retain: bool,
    pub program: Program,
    pub(crate) ears: Ears,
    pub(crate) cost_change: Option<Num>,
    pub playable: Option<u16>,
    pub unpaid: Option<u16>,
    /// Neither its cost nor whether it may be played depends on anything.
    pub plain: bool,
}

/// What is asked of the cards in hand again and again, side by side in eight bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub struct Brief {
    /// Its steps.
    pub program: Program,
    /// Its type.
    pub kind: CardType,
    /// What it costs of itself.
    pub cost: i8,
    /// What else is asked.
    pub(crate) marks: Marks,
}

/// What is true of a form of a card, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks(u8);

impl Marks {
    /// None.
    pub(crate) const NONE: Marks = Marks(0);
    /// All of them.
    pub(crate) const ALL: Marks = Marks(u8::MAX);

    /// What is true of either.
    #[inline]
    pub(crate) fn or(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Stays in hand at the end of the turn.
    #[inline]
    pub(crate) fn retain(self) -> bool {
        self.0 & 4 != 0
    }

    /// Is exhausted in hand at the end of the turn.
    #[inline]
    pub(crate) fn ethereal(self) -> bool {
        self.0 & 8 != 0
    }
}

impl Brief {
    /// Neither its cost nor whether it may be played depends on anything.
    #[inline]
    pub fn plain(&self) -> bool {
        self.marks.0 & 1 != 0
    }

    /// Needs a target.
    #[inline]
    pub fn aims(&self) -> bool {
        self.marks.0 & 2 != 0
    }

    /// Goes to the discard pile after it was played, if it is up to the card.
    #[inline]
    pub fn discarded(&self) -> bool {
        self.marks.0 & 16 != 0
    }

    /// The main points of a form of a card.
    fn new(info: &CardInfo, form: &Form) -> Self {
        let usual = matches!(info.kind, CardType::Attack | CardType::Skill);
        let discarded = usual && !form.exhaust && info.after_play.is_none();
        let marks = [form.plain, form.aims, form.retain, form.ethereal, discarded];
        let marks = marks.iter().enumerate().map(|(bit, &mark)| u8::from(mark) << bit).sum();
        Brief { program: form.program, kind: info.kind, cost: form.cost, marks: Marks(marks) }
    }
}

/// A card.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CardInfo {
    pub id: String,
    /// Where it is written.
    pub place: Place,
    pub name: String,
    pub text: Option<String>,
    pub alias: Vec<String>,
    pub color: Color,
    pub kind: CardType,
    pub rarity: Rarity,
    pub forms: [Form; 2],
    pub tags: Vec<Id>,
    pub(crate) after_play: Option<Spot>,
    pub(crate) many_upgrades: bool,
    pub upgradable: bool,
    pub(crate) loose_target: bool,
    pub healing: bool,
}

/// A power.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PowerInfo {
    pub id: String,
    pub name: String,
    pub text: Option<String>,
    pub alias: Vec<String>,
    pub debuff: Debuff,
    pub stack: Stack,
    pub(crate) priority: i16,
    pub least: i16,
    pub most: i16,
    pub decay: Option<When>,
    pub removed: Option<When>,
    pub fresh: bool,
    pub(crate) keep_zero: bool,
    pub hidden: bool,
    /// Attacks count it several times that say so.
    pub strength: bool,
    /// What the player gains of it is counted for the fight.
    pub counted: bool,
    /// When it may wear off, as bits of a body's flags.
    pub(crate) wears: u32,
    pub(crate) ears: Ears,
}

/// A relic.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct RelicInfo {
    pub id: String,
    /// Where it is written.
    pub place: Place,
    pub name: String,
    pub text: Option<String>,
    pub alias: Vec<String>,
    pub tier: Rarity,
    pub color: Color,
    pub start: i16,
    pub reset: Reset,
    /// Its counter starts anew with a turn, with a combat.
    pub(crate) resets: (bool, bool),
    pub shown: bool,
    pub(crate) ears: Ears,
    pub replaces: Option<Id>,
    pub rest_option: Option<(String, Option<u16>, Program)>,
    pub reward_option: Option<(String, Option<u16>, Program)>,
}

/// A potion.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PotionInfo {
    pub id: String,
    /// Where it is written.
    pub place: Place,
    pub name: String,
    pub text: Option<String>,
    pub alias: Vec<String>,
    pub rarity: Rarity,
    pub color: Color,
    pub aims: bool,
    pub potency: i32,
    pub program: Program,
    pub anywhere: bool,
    pub usable: Option<u16>,
    pub(crate) unbrewed: bool,
    pub(crate) ears: Ears,
}

/// An orb.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct OrbInfo {
    pub id: String,
    pub name: String,
    pub alias: Vec<String>,
    pub passive: (Num, Program),
    pub evoke: (Num, Program),
    pub(crate) at_turn_start: bool,
    pub focus: [bool; 2],
    pub stored: i16,
}

/// A stance.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct StanceInfo {
    pub id: String,
    pub name: String,
    pub alias: Vec<String>,
    pub(crate) on_enter: Program,
    pub(crate) on_exit: Program,
    pub(crate) one_turn: bool,
    pub neutral: bool,
    pub(crate) ears: Ears,
}

/// What a burning elite may gain.
#[derive(Clone, Debug)]
pub struct BurningInfo {
    /// Its id.
    pub id: String,
    /// A power, and how much of it.
    pub power: Option<(Id, Num)>,
    /// Percent of max HP besides.
    pub max_hp: i32,
}

/// A move of a monster.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct MoveInfo {
    pub id: String,
    pub name: String,
    pub intent: Intent,
    pub program: Program,
}

/// A rule of choice.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ChoiceInfo {
    /// Its condition looks at the roll.
    pub rolls: bool,
    pub when: Option<u16>,
    /// What of `when` is seen from the moves that were made.
    pub past: Past,
    pub below: Option<Num>,
    pub spend: u8,
    pub then: Selecting,
}

/// What of a monster's condition is seen from the moves it made; moves are bits of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// The last move must be one of these.
    last: u32,
    /// It must not be one of these if the one before was the same.
    not_twice: u32,
    /// It has not moved yet.
    first: bool,
    /// There is no more to it: what the past does not rule out holds.
    pub whole: bool,
}

impl Past {
    /// Nothing is seen.
    const NOTHING: Past = Past { last: !0, not_twice: 0, first: false, whole: false };
    /// There is no condition.
    const FREE: Past = Past { whole: true, ..Past::NOTHING };

    /// Whether the condition may hold after these moves, the last one first.
    #[inline]
    pub fn allows(self, history: [u8; 3], moves: u8) -> bool {
        let last = Past::bit(history[0]);
        self.last & last != 0
            && (self.not_twice & last == 0 || history[0] != history[1])
            && (!self.first || moves == 0)
    }

    /// The highest bit is no move at all, and every move that has no bit of its own.
    #[inline]
    fn bit(made: u8) -> u32 {
        1 << made.min(31)
    }

    fn and(self, other: Past) -> Past {
        Past {
            last: self.last & other.last,
            not_twice: self.not_twice | other.not_twice,
            first: self.first || other.first,
            whole: self.whole && other.whole,
        }
    }

    /// What is seen of a condition of somebody with these moves.
    fn of(when: &Expr, moves: &[super::defs::Move]) -> Past {
        let made = |args: &[Arg]| match args {
            [Arg::Name(name)] => moves.iter().position(|known| known.id == *name).filter(|&index| index < 31),
            _ => None,
        };
        match when {
            Expr::Two(Sign::And, left, right) => Past::of(left, moves).and(Past::of(right, moves)),
            Expr::Two(Sign::Eq, left, right) => match (&**left, &**right) {
                (Expr::Read(Read::Moves, _), Expr::Int(0)) => Past { first: true, ..Past::FREE },
                _ => Past::NOTHING,
            },
            Expr::Read(Read::Last, args) => {
                made(args).map_or(Past::NOTHING, |index| Past { last: 1 << index, ..Past::FREE })
            }
            Expr::Not(inner) => match &**inner {
                Expr::Read(Read::Last, args) => {
                    made(args).map_or(Past::NOTHING, |index| Past { last: !(1 << index), ..Past::FREE })
                }
                Expr::Read(Read::LastTwo, args) => {
                    made(args).map_or(Past::NOTHING, |index| Past { not_twice: 1 << index, ..Past::FREE })
                }
                _ => Past::NOTHING,
            },
            _ => Past::NOTHING,
        }
    }
}

/// What a rule of choice leads to.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Selecting {
    Move(u8),
    Pick(Vec<(u8, u32)>),
    /// A coin, or a test with a bound of 2^24 parts.
    Either(Option<u32>, Vec<ChoiceInfo>, Vec<ChoiceInfo>),
    Reroll(i32, i32),
}

/// A monster.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct MonsterInfo {
    pub id: String,
    pub name: String,
    pub alias: Vec<String>,
    pub hp: (Num, Num),
    pub rank: Rank,
    pub start: Program,
    pub(crate) hp_rolls: u8,
    pub vars: Vec<(String, Num, Option<Num>)>,
    /// Which variables are rolled when everybody stands there, one bit each.
    pub late: u8,
    pub unrolled: Option<u16>,
    pub moves: Vec<MoveInfo>,
    pub opening: Vec<u8>,
    pub cycle: Vec<u8>,
    pub choices: Vec<ChoiceInfo>,
    pub(crate) ears: Ears,
}

/// One place of an encounter: kinds with weights, how many, without putting back, or all that are made for one.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SlotInfo {
    pub any: Vec<(Id, u32)>,
    pub count: i32,
    pub distinct: bool,
    pub made: Vec<Vec<Id>>,
}

/// An encounter.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct EncounterInfo {
    pub id: String,
    pub name: String,
    pub rank: Rank,
    pub groups: Vec<(u32, Vec<SlotInfo>)>,
    pub shuffle: bool,
    pub start: Program,
}

/// A character.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CharacterInfo {
    pub id: String,
    pub name: String,
    pub color: Color,
    /// HP by ascension level, ascending, from 0 on.
    pub hp: Vec<(u8, i32)>,
    pub gold: i32,
    pub energy: i32,
    pub draw: i32,
    pub orb_slots: i32,
    pub relics: Vec<Id>,
    pub deck: Vec<(Id, i32)>,
}

/// Who speaks in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// A relic.
    Relic(Id),
    /// A potion.
    Potion(Id),
    /// Nobody who has a number of his own.
    Other,
}

/// A gift of Neow's, or what one costs.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct GiftInfo {
    pub id: String,
    /// What the player reads, if its author says so.
    pub text: Option<String>,
    /// What the seed decides.
    pub draws: Vec<GiftDraw>,
    /// What it does besides.
    pub program: Program,
}

/// An event.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct EventInfo {
    pub id: String,
    pub name: String,
    /// `start` first.
    pub nodes: Vec<NodeInfo>,
}

/// A node of an event.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct NodeInfo {
    pub id: String,
    pub text: String,
    /// What happens on reaching it.
    pub enter: Program,
    pub options: Vec<OptionInfo>,
}

/// An option of a node.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct OptionInfo {
    /// Its name in traces and match files.
    pub id: String,
    pub text: String,
    pub when: Option<u16>,
    pub program: Program,
    /// The node it leads to.
    pub then: u8,
}

/// All content of a game, ready for use.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Catalog {
    pub cards: Vec<CardInfo>,
    pub(crate) briefs: Vec<[Brief; 2]>,
    pub powers: Vec<PowerInfo>,
    /// The stages that each of them alters, side by side.
    pub(crate) power_stages: Vec<u64>,
    /// What each power does to attacks.
    pub pulls: Vec<Pull>,
    /// The stages that each power alters by more or less with its count.
    pub(crate) counted_stages: Vec<u64>,
    /// The stages at which a power acts elsewhere than its priority says.
    pub(crate) loose_stages: u64,
    pub relics: Vec<RelicInfo>,
    /// How each of them counts, side by side.
    pub(crate) tallies: Vec<Tally>,
    /// What each of them hears, side by side.
    pub(crate) relic_moments: Vec<u128>,
    pub potions: Vec<PotionInfo>,
    pub orbs: Vec<OrbInfo>,
    pub stances: Vec<StanceInfo>,
    /// What a burning elite may gain, in the order of their ids.
    pub burnings: Vec<BurningInfo>,
    /// Orbs in the order in which a random one is rolled.
    pub orb_order: Vec<Id>,
    pub monsters: Vec<MonsterInfo>,
    pub encounters: Vec<EncounterInfo>,
    pub characters: Vec<CharacterInfo>,
    pub exprs: Vec<Node>,
    /// Which of them depend on what earlier steps of a program did.
    pub(crate) lazy: Vec<bool>,
    pub programs: Vec<Vec<Op>>,
    /// The same steps as they are proposed.
    pub ready: Vec<Vec<Ready>>,
    /// Those of them whose number rises with the ascension, one for each level, the last for all above.
    pub rising: Vec<Vec<Ready>>,
    /// Whose programs they are, in order of their numbers: `card headbutt`, then `card headbutt 2`.
    pub(crate) program_names: Vec<String>,
    /// The steps of each list among which somebody chooses, as they are written: they are told by them.
    pub(crate) alternatives: BTreeMap<Program, Vec<Step>>,
    /// Who speaks in them: whose counter or potency they read.
    pub(crate) voices: Vec<Voice>,
    /// Events, in order of their numbers.
    pub events: Vec<EventInfo>,
    /// Neow's gifts and drawbacks, in order of their numbers.
    pub gifts: Vec<GiftInfo>,
    /// The character who is played unless another is named.
    pub(crate) first_character: Id,
    /// Names of tags, in order of their numbers.
    pub tags: Vec<String>,
    /// Names of colors, in order of their numbers.
    pub colors: Vec<String>,
    /// Potions in the order in which they are rolled.
    pub(crate) potion_order: Vec<Id>,
    /// The cards that may be made at random, in the order in which they are rolled: by color, then those of any
    /// class.
    pools: Vec<Vec<Id>>,
    names: BTreeMap<&'static str, BTreeMap<String, Id>>,
}

/// The place of every card in the original's lists: each rarity of a class from its end to its beginning, the
/// colorless ones alike. What is in none of them comes behind, in the order of the files.
fn card_places(tables: &Tables, cards: usize) -> Vec<usize> {
    let classes = tables.everybody.iter().flat_map(|character| tables.of(*character).by_rarity.iter());
    let lists = classes.chain([&tables.colorless_base]);
    let mut places = vec![usize::MAX; cards];
    for (place, card) in lists.flat_map(|list| list.iter().rev()).enumerate() {
        if let Some(known) = places.get_mut(usize::from(*card)) {
            *known = place;
        }
    }
    places
}

/// Potions in the order in which the original rolls them, then all others; a character's own ones come first.
fn potion_order(tables: &Tables, potions: &[PotionInfo]) -> Vec<Id> {
    let listed = tables.everybody.iter().flat_map(|character| &tables.of(*character).potions);
    let listed: Vec<Id> = listed.map(|potion| potion.0).collect();
    let place = |id: &Id| listed.iter().position(|known| known == id).unwrap_or(usize::MAX);
    let mut order: Vec<Id> = (0..potions.len() as Id).collect();
    order.sort_by_cached_key(|id| (potions[*id as usize].color == Color::SHARED, place(id)));
    order
}

/// The cards that may be made at random: no starters, no special ones, nothing that heals.
fn pools(tables: &Tables, cards: &[CardInfo], colors: usize) -> Vec<Vec<Id>> {
    let mut pools = vec![Vec::new(); colors + 1];
    for (id, card) in cards.iter().enumerate() {
        let found = matches!(card.rarity, Rarity::Common | Rarity::Uncommon | Rarity::Rare);
        if card.healing || !found && card.color != Color::CURSE {
            continue;
        }
        pools[usize::from(card.color.0)].push(id as Id);
        if card.color.is_of_a_class() {
            pools[colors].push(id as Id);
        }
    }
    let places = card_places(tables, cards.len());
    pools.iter_mut().take(colors).for_each(|pool| pool.sort_by_key(|&id| places[id as usize]));
    pools
}

impl CharacterInfo {
    /// HP at an ascension level.
    pub(crate) fn hp_at(&self, ascension: u8) -> i32 {
        self.hp.iter().rev().find(|(level, _)| *level <= ascension).map_or(1, |(_, hp)| *hp)
    }
}

impl Catalog {
    /// Whether an expression, whose parts are known already, depends on what earlier steps did.
    fn is_lazy(&self, node: &Node) -> bool {
        let known = |index: &u16| self.lazy[*index as usize];
        match node {
            Node::Int(_) | Node::Ascension(_) => false,
            Node::Not(inner) => known(inner),
            Node::Two(_, a, b) => known(a) || known(b),
            Node::Read(read, a, b) => {
                let inner = |val: &Val| matches!(val, Val::Expr(index) if known(index));
                matches!(read, Read::Handled | Read::Dealt | Read::HandledCost | Read::DrawnHas)
                    || inner(a)
                    || inner(b)
            }
        }
    }

    /// A number for each level of ascension, if it depends on nothing else.
    fn by_level(&self, num: Num) -> Option<Vec<i32>> {
        let Num::Expr(index) = num else { return None };
        let Node::Ascension(levels) = &self.exprs[usize::from(index)] else { return None };
        let number = |level: &u16| match self.exprs[usize::from(*level)] {
            Node::Int(number) => Some(number),
            Node::Read(..) | Node::Two(..) | Node::Not(_) | Node::Ascension(_) => None,
        };
        levels.iter().map(number).collect()
    }

    /// Compiles checked content.
    pub fn new(content: &Content) -> Catalog {
        Catalog::numbered(content, &Numbering::new())
    }

    /// The same, with its programs numbered as in a match file; those that it names and nobody has any more do nothing.
    pub(crate) fn numbered(content: &Content, numbering: &Numbering) -> Catalog {
        let known = numbering.get("program").filter(|names| can_be_numbers(names));
        let mut compiler = Compiler::new(content, known.map_or(&[], Vec::as_slice));
        compiler.all(content);
        let mut catalog = compiler.out;
        let tables = Tables::new(content);
        catalog.pools = pools(&tables, &catalog.cards, catalog.colors.len());
        catalog.potion_order = potion_order(&tables, &catalog.potions);
        catalog
    }

    /// One more program, of no steps yet.
    fn add_program(&mut self, name: String) {
        self.programs.push(Vec::new());
        self.ready.push(Vec::new());
        self.voices.push(Voice::Other);
        self.program_names.push(name);
    }

    /// The cards of a pool, in the order in which they are rolled; `color` is the player's own.
    pub fn pool(&self, pool: Pool, color: Option<Color>) -> &[Id] {
        match pool {
            Pool::Class => color.map_or(&[], |color| &self.pools[usize::from(color.0)]),
            Pool::AnyClass => &self.pools[self.colors.len()],
            Pool::Colorless => &self.pools[usize::from(Color::COLORLESS.0)],
            Pool::Curse => &self.pools[usize::from(Color::CURSE.0)],
        }
    }

    /// The name of a color.
    pub fn color_name(&self, color: Color) -> &str {
        self.colors.get(usize::from(color.0)).map_or("", String::as_str)
    }

    /// The number of an entry by id or alias; `kind` is `card`, `power` and so on.
    pub fn find(&self, kind: &str, name: &str) -> Option<Id> {
        self.names.get(kind)?.get(name).copied()
    }

    /// All names of a kind, aliases included.
    pub fn names(&self, kind: &str) -> impl Iterator<Item = &str> + Clone {
        self.names.get(kind).into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// The main points of a card's form.
    #[inline]
    pub fn brief(&self, card: &Card) -> &Brief {
        &self.briefs[card.id as usize][card.form()]
    }

    /// One step of a program.
    pub fn step(&self, program: Program, pc: u8) -> Option<&Op> {
        self.programs.get(usize::from(program))?.get(usize::from(pc))
    }

    /// Whether an alteration depends on anything but the rates of its kind, such as the count of its power.
    fn depends(&self, alter: &Alter) -> bool {
        let free = |num: Num| match num {
            Num::Const(_) => true,
            Num::Expr(index) => self.is_rate(index),
        };
        alter.when.is_some()
            || !match alter.change {
                Alteration::Mul(a, b) => free(a) && free(b),
                Alteration::Add(n) | Alteration::Set(n) => free(n),
                Alteration::AtMost(n) | Alteration::AtLeast(n) => free(n),
            }
    }

    /// Whether a number is made of nothing but constants and rates.
    fn is_rate(&self, index: u16) -> bool {
        match self.exprs[index as usize] {
            Node::Int(_) | Node::Read(Read::VulnerableRate | Read::WeakRate, ..) => true,
            Node::Two(_, a, b) => self.is_rate(a) && self.is_rate(b),
            Node::Read(..) | Node::Not(_) | Node::Ascension(_) => false,
        }
    }

    /// The steps of a program.
    #[inline]
    pub fn program(&self, program: Program) -> &[Op] {
        &self.programs[program as usize]
    }

    /// The power of that id, if the content has it.
    pub fn power(&self, id: &str) -> Option<Id> {
        self.find("power", id)
    }
}

/// The name of the empty program, whose number is 0.
const NOTHING: &str = "nothing";

/// Whether these can be the names of programs by their numbers: the first is the empty one, and there is room for others.
fn can_be_numbers(names: &[String]) -> bool {
    names.first().is_some_and(|first| first == NOTHING) && names.len() <= usize::from(Program::MAX / 2)
}

/// All types of cards.
pub(crate) const ANY_KIND: u8 = !0;

/// The bit of a type of card.
#[inline]
pub(crate) fn kind_bit(kind: CardType) -> u8 {
    1 << kind as u8
}

/// What is seen of a condition without evaluating it.
fn glance(when: &Expr) -> Glance {
    use super::expr::{Arg, Op as Sign, Read};
    match when {
        Expr::Two(Sign::And, left, right) => glance(left).and(glance(right)),
        Expr::Two(Sign::Eq, left, right) => match (&**left, &**right) {
            (Expr::Read(Read::Turn, _), &Expr::Int(turn @ 1..=200)) => {
                Glance { turn: turn as u8, ..Glance::FREE }
            }
            (Expr::Read(Read::Block, args), &Expr::Int(0)) if matches!(args[..], [Arg::Who(Who::Me)]) => {
                Glance { unguarded: true, ..Glance::FREE }
            }
            (Expr::Read(Read::Counter, _), &Expr::Int(count @ -999..=999)) => {
                Glance { count: count as i16, ..Glance::FREE }
            }
            _ => Glance::NOTHING,
        },
        Expr::Read(Read::CardIs, args) => match args.first() {
            Some(Arg::Expr(filter)) => match kinds_only(filter) {
                Some(kinds) => Glance { kinds, ..Glance::FREE },
                None => Glance { kinds: kinds_passing(filter).unwrap_or(ANY_KIND), ..Glance::NOTHING },
            },
            _ => Glance::NOTHING,
        },
        _ => Glance::NOTHING,
    }
}

/// The types of cards that may pass a filter; `None` if it asks for anything else as well.
fn kinds_passing(filter: &Expr) -> Option<u8> {
    use super::expr::{Op as Sign, Read};
    match filter {
        Expr::Read(Read::IsAttack, _) => Some(kind_bit(CardType::Attack)),
        Expr::Read(Read::IsSkill, _) => Some(kind_bit(CardType::Skill)),
        Expr::Read(Read::IsPower, _) => Some(kind_bit(CardType::Power)),
        Expr::Read(Read::IsStatus, _) => Some(kind_bit(CardType::Status)),
        Expr::Read(Read::IsCurse, _) => Some(kind_bit(CardType::Curse)),
        Expr::Two(Sign::Or, left, right) => Some(kinds_passing(left)? | kinds_passing(right)?),
        Expr::Two(Sign::And, left, right) => {
            Some(kinds_passing(left).unwrap_or(ANY_KIND) & kinds_passing(right).unwrap_or(ANY_KIND))
        }
        Expr::Not(inner) => kinds_only(inner).map(|kinds| !kinds),
        _ => None,
    }
}

/// The same for a filter that asks for nothing but types, so that its contrary is known.
fn kinds_only(filter: &Expr) -> Option<u8> {
    use super::expr::Op as Sign;
    match filter {
        Expr::Two(Sign::And, left, right) => Some(kinds_only(left)? & kinds_only(right)?),
        Expr::Two(Sign::Or, left, right) => Some(kinds_only(left)? | kinds_only(right)?),
        Expr::Not(inner) => kinds_only(inner).map(|kinds| !kinds),
        read => kinds_passing(read),
    }
}

/// For whom numbers are compiled.
#[derive(Clone, Copy, Default)]
pub struct Scope<'a> {
    upgraded: bool,
    moves: &'a [super::defs::Move],
    vars: &'a [(String, Expr, Option<Expr>)],
    nodes: &'a [super::events::NodeDef],
}

impl Scope<'_> {
    /// The number of a variable.
    pub(super) fn var(self, name: &str) -> Id {
        self.vars.iter().position(|(known, ..)| known == name).unwrap_or(0) as Id
    }

    /// The number of a node of the event.
    pub(super) fn node(self, name: &str) -> u8 {
        self.nodes.iter().position(|known| known.id == name).map_or(END, |at| at as u8)
    }
}

/// Turns definitions into a catalog.
pub struct Compiler {
    out: Catalog,
    seen: BTreeMap<String, u16>,
    /// Whose programs are compiled, and how many he has so far.
    owner: (String, u16),
    voice: Voice,
    /// The numbers of programs that have theirs by their names.
    numbers: BTreeMap<String, Program>,
}

impl Compiler {
    /// `known` programs have numbers already.
    fn new(content: &Content, known: &[String]) -> Self {
        let numbers =
            known.iter().enumerate().map(|(number, name)| (name.clone(), number as Program)).collect();
        let mut out = Catalog::default();
        out.add_program(NOTHING.to_owned());
        known.iter().skip(1).for_each(|name| out.add_program(name.clone()));
        let mut add = |kind: &'static str, index: usize, common: &super::defs::Common| {
            let names = out.names.entry(kind).or_default();
            names.insert(common.id.clone(), index as Id);
            for alias in &common.alias {
                names.entry(alias.clone()).or_insert(index as Id);
            }
        };
        content.cards.iter().enumerate().for_each(|(i, e)| add("card", i, &e.common));
        content.powers.iter().enumerate().for_each(|(i, e)| add("power", i, &e.common));
        content.relics.iter().enumerate().for_each(|(i, e)| add("relic", i, &e.common));
        content.potions.iter().enumerate().for_each(|(i, e)| add("potion", i, &e.common));
        content.orbs.iter().enumerate().for_each(|(i, e)| add("orb", i, &e.common));
        content.stances.iter().enumerate().for_each(|(i, e)| add("stance", i, &e.common));
        content.monsters.iter().enumerate().for_each(|(i, e)| add("monster", i, &e.common));
        content.encounters.iter().enumerate().for_each(|(i, e)| add("encounter", i, &e.common));
        content.characters.iter().enumerate().for_each(|(i, e)| add("character", i, &e.common));
        let mut tags: Vec<String> = content.cards.iter().flat_map(|card| card.tags.iter().cloned()).collect();
        tags.sort();
        tags.dedup();
        out.tags = tags;
        let offered = content.orders.iter().find(|order| order.name == Some(ListName::Characters));
        let first = offered.into_iter().flat_map(|order| &order.list);
        out.first_character = first.filter_map(|name| out.find("character", name)).next().unwrap_or(0);
        let named = content.orders.iter().find(|order| order.name == Some(ListName::Orbs));
        let named = named.into_iter().flat_map(|order| &order.list);
        out.orb_order = named.filter_map(|name| out.find("orb", name)).collect();
        let others = (0..content.orbs.len() as Id).filter(|id| !out.orb_order.contains(id));
        let others: Vec<Id> = others.collect();
        out.orb_order.extend(others);
        let mut own: Vec<String> = content.characters.iter().map(|c| c.color.clone()).collect();
        own.sort();
        own.dedup();
        out.colors = Color::NOBODYS.iter().map(|(name, _)| (*name).to_owned()).chain(own).collect();
        Compiler { out, seen: BTreeMap::new(), owner: Default::default(), voice: Voice::Other, numbers }
    }

    fn color(&self, name: &str) -> Color {
        Color(self.out.colors.iter().position(|known| known == name).unwrap_or(0) as u8)
    }

    /// The number of an entry.
    pub(super) fn id(&self, kind: &str, name: &str) -> Id {
        self.out.find(kind, name).unwrap_or(0)
    }

    /// What follows is compiled for this entry.
    fn begin(&mut self, kind: &str, common: &super::defs::Common) {
        self.owner = (format!("{kind} {}", common.id), 0);
        let number = self.id(kind, &common.id);
        self.voice = match kind {
            "relic" => Voice::Relic(number),
            "potion" => Voice::Potion(number),
            _ => Voice::Other,
        };
    }

    fn all(&mut self, content: &Content) {
        for card in &content.cards {
            self.begin("card", &card.common);
            let compiled = self.card(card);
            self.out.briefs.push(compiled.forms.each_ref().map(|form| Brief::new(&compiled, form)));
            self.out.cards.push(compiled);
        }
        for power in &content.powers {
            self.begin("power", &power.common);
            let compiled = PowerInfo {
                id: power.common.id.clone(),
                name: power.common.name.clone(),
                text: power.common.text.clone(),
                alias: power.common.alias.clone(),
                debuff: power.debuff,
                stack: power.stack,
                priority: power.priority as i16,
                least: power.range.0.clamp(-9999, 9999) as i16,
                most: power.range.1.clamp(-9999, 9999) as i16,
                decay: power.decay,
                removed: power.removed,
                fresh: power.fresh,
                keep_zero: power.keep_zero,
                hidden: power.hidden,
                strength: power.strength,
                counted: power.counted,
                wears: crate::rules::powers::wears(power.decay, power.removed, power.fresh),
                ears: self.ears(&power.rules, Scope::default(), power.priority),
            };
            self.out.power_stages.push(compiled.ears.stages);
            self.out.pulls.push(Pull::of(&compiled.ears));
            let counted = compiled.ears.alters.iter().filter(|alter| self.out.depends(alter));
            let counted = counted.fold(0, |mask, alter| mask | 1 << alter.stage as u32);
            self.out.counted_stages.push(counted);
            let loose = compiled.ears.alters.iter().filter(|alter| alter.at != compiled.priority);
            self.out.loose_stages |= loose.fold(0, |mask, alter| mask | 1 << alter.stage as u32);
            self.out.powers.push(compiled);
        }
        for relic in &content.relics {
            self.begin("relic", &relic.common);
            let mut ears = self.ears(&relic.rules, Scope::default(), 5);
            self.out.tallies.push(Tally::of(&mut ears));
            self.out.relic_moments.push(ears.moments);
            let compiled = RelicInfo {
                id: relic.common.id.clone(),
                place: relic.common.place.clone(),
                name: relic.common.name.clone(),
                text: relic.common.text.clone(),
                alias: relic.common.alias.clone(),
                tier: relic.tier,
                color: self.color(&relic.color),
                start: relic.start as i16,
                reset: relic.reset,
                resets: (
                    relic.reset == Reset::Turn
                        || relic.rules.on.iter().any(|hook| hook.once == Some(Once::Turn)),
                    relic.reset == Reset::Combat
                        || relic.rules.on.iter().any(|hook| hook.once == Some(Once::Combat)),
                ),
                shown: relic.shown,
                ears,
                replaces: relic.replaces.as_ref().map(|name| self.id("relic", name)),
                rest_option: relic.rest_option.as_ref().map(|option| self.added_option(option)),
                reward_option: relic.reward_option.as_ref().map(|option| self.added_option(option)),
            };
            self.out.relics.push(compiled);
        }
        self.small_kinds(content);
        for monster in &content.monsters {
            self.begin("monster", &monster.common);
            let compiled = self.monster(monster);
            self.out.monsters.push(compiled);
        }
        for encounter in &content.encounters {
            self.begin("encounter", &encounter.common);
            let compiled = self.encounter(encounter);
            self.out.encounters.push(compiled);
        }
        for event in &content.events {
            self.begin("event", &event.common);
            let compiled = self.event(event);
            self.out.events.push(compiled);
        }
        for gift in &content.gifts {
            self.begin("neow", &gift.common);
            let compiled = GiftInfo {
                id: gift.common.id.clone(),
                text: gift.common.text.clone(),
                draws: gift.draws.clone(),
                program: self.program(&gift.steps, Scope::default()),
            };
            self.out.gifts.push(compiled);
        }
        for character in &content.characters {
            let compiled = CharacterInfo {
                id: character.common.id.clone(),
                name: character.common.name.clone(),
                color: self.color(&character.color),
                hp: std::iter::once((0, character.hp)).chain(character.hp_later.iter().copied()).collect(),
                gold: character.gold,
                energy: character.energy,
                draw: character.draw,
                orb_slots: character.orb_slots,
                relics: character.relics.iter().map(|name| self.id("relic", name)).collect(),
                deck: character.deck.iter().map(|(name, count)| (self.id("card", name), *count)).collect(),
            };
            self.out.characters.push(compiled);
        }
    }

    fn event(&mut self, event: &EventDef) -> EventInfo {
        let scope = Scope { vars: &event.vars, nodes: &event.nodes, ..Scope::default() };
        let mut nodes = Vec::new();
        for node in &event.nodes {
            let enter = self.program(&node.enter, scope);
            let mut options = Vec::new();
            for option in &node.options {
                options.push(OptionInfo {
                    id: option.id.clone(),
                    text: option.text.clone(),
                    when: option.when.as_ref().map(|when| self.expr(when, scope)),
                    program: self.program(&option.steps, scope),
                    then: option.then.as_ref().map_or(END, |name| scope.node(name)),
                });
            }
            nodes.push(NodeInfo { id: node.id.clone(), text: node.text.clone(), enter, options });
        }
        EventInfo { id: event.common.id.clone(), name: event.common.name.clone(), nodes }
    }

    fn added_option(
        &mut self,
        (name, when, steps): &(String, Option<Expr>, Vec<Step>),
    ) -> (String, Option<u16>, Program) {
        let when = when.as_ref().map(|when| self.expr(when, Scope::default()));
        (name.clone(), when, self.program(steps, Scope::default()))
    }

    fn small_kinds(&mut self, content: &Content) {
        let scope = Scope::default();
        for potion in &content.potions {
            self.begin("potion", &potion.common);
            let program = self.program(&potion.steps, scope);
            let compiled = PotionInfo {
                id: potion.common.id.clone(),
                place: potion.common.place.clone(),
                name: potion.common.name.clone(),
                text: potion.common.text.clone(),
                alias: potion.common.alias.clone(),
                rarity: potion.rarity,
                color: self.color(&potion.color),
                aims: potion.target.map_or_else(|| potion.steps.aims(false), |aim| aim == Aim::Enemy),
                potency: potion.potency,
                program,
                anywhere: potion.anywhere,
                usable: potion.usable.as_ref().map(|usable| self.expr(usable, scope)),
                unbrewed: potion.unbrewed,
                ears: self.ears(&potion.rules, scope, 5),
            };
            self.out.potions.push(compiled);
        }
        for orb in &content.orbs {
            self.begin("orb", &orb.common);
            let compiled = OrbInfo {
                id: orb.common.id.clone(),
                name: orb.common.name.clone(),
                alias: orb.common.alias.clone(),
                passive: (self.num(&orb.passive.0, scope), self.program(&orb.passive.1, scope)),
                evoke: (self.num(&orb.evoke.0, scope), self.program(&orb.evoke.1, scope)),
                at_turn_start: orb.at_turn_start,
                focus: orb.focus,
                stored: orb.stored as i16,
            };
            self.out.orbs.push(compiled);
        }
        for stance in &content.stances {
            self.begin("stance", &stance.common);
            let compiled = StanceInfo {
                id: stance.common.id.clone(),
                name: stance.common.name.clone(),
                alias: stance.common.alias.clone(),
                on_enter: self.program(&stance.on_enter, scope),
                on_exit: self.program(&stance.on_exit, scope),
                one_turn: stance.one_turn,
                neutral: stance.neutral,
                ears: self.ears(&stance.rules, scope, 200),
            };
            self.out.stances.push(compiled);
        }
        for burning in &content.burnings {
            let amount = self.num(&burning.amount, scope);
            let power = burning.power.as_ref().map(|power| (self.id("power", power), amount));
            let id = burning.common.id.clone();
            self.out.burnings.push(BurningInfo { id, power, max_hp: burning.max_hp });
        }
    }

    fn card(&mut self, card: &super::defs::Card) -> CardInfo {
        let forms = [false, true].map(|upgraded| {
            let scope = Scope { upgraded, ..Scope::default() };
            let i = usize::from(upgraded);
            Form {
                cost: match card.cost[i] {
                    Cost::Energy(cost) => cost,
                    Cost::X => COST_X,
                    Cost::None => COST_NONE,
                },
                aims: card.target[i].map_or_else(|| card.steps.aims(upgraded), |aim| aim == Aim::Enemy),
                exhaust: card.exhaust[i],
                ethereal: card.ethereal[i],
                innate: card.innate[i],
                retain: card.retain[i],
                program: self.program(&card.steps, scope),
                ears: self.ears(&card.rules, scope, 5),
                cost_change: card.cost_change.as_ref().map(|change| self.num(change, scope)),
                playable: card.playable.as_ref().map(|playable| self.expr(playable, scope)),
                unpaid: card.unpaid.as_ref().map(|unpaid| self.expr(unpaid, scope)),
                plain: matches!(card.cost[i], Cost::Energy(_))
                    && card.cost_change.is_none()
                    && card.playable.is_none()
                    && card.unpaid.is_none(),
            }
        });
        let tags: Vec<Id> = card.tags.iter().filter_map(|tag| self.tag(tag)).collect();
        CardInfo {
            id: card.common.id.clone(),
            place: card.common.place.clone(),
            name: card.common.name.clone(),
            text: card.common.text.clone(),
            alias: card.common.alias.clone(),
            color: self.color(&card.color),
            kind: card.kind,
            rarity: card.rarity,
            forms,
            healing: card.tags.iter().any(|tag| tag == "healing"),
            tags,
            after_play: card.after_play,
            many_upgrades: card.many_upgrades,
            upgradable: card.upgradable,
            loose_target: card.loose_target,
        }
    }

    fn tag(&self, tag: &str) -> Option<Id> {
        self.out.tags.iter().position(|known| known == tag).map(|index| index as Id)
    }

    fn monster(&mut self, monster: &super::defs::Monster) -> MonsterInfo {
        let scope = Scope { moves: &monster.moves, vars: &monster.vars, ..Scope::default() };
        let find =
            |name: &String| monster.moves.iter().position(|known| known.id == *name).unwrap_or(0) as u8;
        let choices = self.choices(&monster.choices, scope);
        let late = |name: &String| monster.vars.iter().position(|(known, ..)| known == name);
        let late = monster.late.iter().filter_map(late).fold(0, |bits, index| bits | 1u8 << index.min(7));
        MonsterInfo {
            id: monster.common.id.clone(),
            name: monster.common.name.clone(),
            alias: monster.common.alias.clone(),
            hp: (self.num(&monster.hp.0, scope), self.num(&monster.hp.1, scope)),
            rank: monster.rank,
            start: self.program(&monster.start, scope),
            hp_rolls: monster.hp_rolls as u8,
            late,
            unrolled: monster.unrolled.as_ref().map(|unrolled| self.expr(unrolled, scope)),
            vars: monster
                .vars
                .iter()
                .map(|(name, least, most)| {
                    let most = most.as_ref().map(|most| self.num(most, scope));
                    (name.clone(), self.num(least, scope), most)
                })
                .collect(),
            moves: monster
                .moves
                .iter()
                .map(|made| MoveInfo {
                    id: made.id.clone(),
                    name: made.name.clone(),
                    intent: made.intent,
                    program: self.program(&made.steps, scope),
                })
                .collect(),
            opening: monster.opening.iter().map(find).collect(),
            cycle: monster.cycle.iter().map(find).collect(),
            choices,
            ears: self.ears(&monster.rules, scope, 5),
        }
    }

    /// Rules of choice, and those behind a coin.
    fn choices(&mut self, choices: &[super::defs::Choice], scope: Scope<'_>) -> Vec<ChoiceInfo> {
        let find = |name: &String| scope.moves.iter().position(|known| known.id == *name).unwrap_or(0) as u8;
        let mut out = Vec::new();
        for choice in choices {
            out.push(ChoiceInfo {
                rolls: choice.when.as_ref().is_some_and(looks_at_roll),
                when: choice.when.as_ref().map(|when| self.expr(when, scope)),
                past: choice.when.as_ref().map_or(Past::FREE, |when| Past::of(when, scope.moves)),
                below: choice.below.as_ref().map(|below| self.num(below, scope)),
                spend: choice.spend as u8,
                then: match &choice.then {
                    Chosen::Move(name) => Selecting::Move(find(name)),
                    Chosen::Pick(list) => {
                        Selecting::Pick(list.iter().map(|(name, weight)| (find(name), *weight)).collect())
                    }
                    Chosen::Either(chance, yes, no) => {
                        let bound = chance.map(|chance| crate::dice::chance_bound(chance.into(), 1_000_000));
                        Selecting::Either(bound, self.choices(yes, scope), self.choices(no, scope))
                    }
                    Chosen::Reroll(low, high) => Selecting::Reroll(*low, *high),
                },
            });
        }
        out
    }

    fn encounter(&mut self, encounter: &super::defs::Encounter) -> EncounterInfo {
        let slot = |slot: &super::defs::Slot| {
            let id = |name: &String| self.id("monster", name);
            SlotInfo {
                any: slot.any.iter().map(|(name, weight)| (id(name), *weight)).collect(),
                count: slot.count,
                distinct: slot.distinct,
                made: slot.made.iter().map(|names| names.iter().map(id).collect()).collect(),
            }
        };
        let groups = encounter
            .groups
            .iter()
            .map(|(weight, slots)| (*weight, slots.iter().map(slot).collect()))
            .collect();
        EncounterInfo {
            id: encounter.common.id.clone(),
            name: encounter.common.name.clone(),
            rank: encounter.rank,
            groups,
            shuffle: encounter.shuffle,
            start: self.program(&encounter.start, Scope::default()),
        }
    }

    fn ears(&mut self, rules: &Rules, scope: Scope<'_>, priority: i32) -> Ears {
        let relic = self.owner.0.starts_with("relic ");
        let mut ears = Ears::default();
        for hook in &rules.on {
            ears.moments |= 1 << hook.moment as u32;
            ears.hooks.push(Hook {
                moment: hook.moment,
                when: hook.when.as_ref().map(|when| self.expr(when, scope)),
                glance: hook.when.as_ref().map_or(Glance::FREE, |when| Glance::at(when, hook.moment, relic)),
                tally: 0,
                queue: hook.queue,
                every: hook.every.as_ref().map(|every| self.num(every, scope)),
                once: hook.once,
                at: if hook.at == 5 { priority as i16 } else { hook.at as i16 },
                program: self.program(&hook.steps, scope),
                on_the_way: hook.on_the_way,
            });
        }
        for alter in &rules.alter {
            ears.stages |= 1 << alter.stage as u32;
            ears.alters.push(Alter {
                stage: alter.stage,
                when: alter.when.as_ref().map(|when| self.expr(when, scope)),
                at: alter.at.unwrap_or(priority) as i16,
                change: match &alter.change {
                    Change::Add(n) => Alteration::Add(self.num(n, scope)),
                    Change::Mul(a, b) => Alteration::Mul(self.num(a, scope), self.num(b, scope)),
                    Change::Set(n) => Alteration::Set(self.num(n, scope)),
                    Change::AtMost(n) => Alteration::AtMost(self.num(n, scope)),
                    Change::AtLeast(n) => Alteration::AtLeast(self.num(n, scope)),
                },
                spend: alter.spend.as_ref().map(|spend| self.num(spend, scope)),
                nearest: alter.nearest,
            });
        }
        for stop in &rules.prevent {
            ears.stops |= 1 << stop.what as u32;
            ears.preventions.push(Stop {
                what: stop.what,
                when: stop.when.as_ref().map(|when| self.expr(when, scope)),
                spend: stop.spend.as_ref().map(|spend| self.num(spend, scope)),
                program: self.program(&stop.steps, scope),
                chance: stop.chance,
            });
        }
        for flag in &rules.flags {
            ears.flags |= 1 << *flag as u32;
        }
        ears
    }

    /// A number.
    pub(super) fn num(&mut self, expr: &Expr, scope: Scope<'_>) -> Num {
        match expr {
            Expr::Int(number) => Num::Const(*number),
            Expr::Upgrade(base, upgraded) => {
                let expr = if scope.upgraded { upgraded } else { base };
                self.num(expr, scope)
            }
            Expr::Ascension(rows) if rows.len() == 1 => self.num(&rows[0].1, scope),
            other => Num::Expr(self.expr(other, scope)),
        }
    }

    fn node(&mut self, node: Node) -> u16 {
        let key = format!("{node:?}");
        if let Some(found) = self.seen.get(&key) {
            return *found;
        }
        let lazy = self.out.is_lazy(&node);
        self.out.lazy.push(lazy);
        self.out.exprs.push(node);
        let index = (self.out.exprs.len() - 1) as u16;
        self.seen.insert(key, index);
        index
    }

    /// An expression.
    pub(super) fn expr(&mut self, expr: &Expr, scope: Scope<'_>) -> u16 {
        let node = match expr {
            Expr::Int(number) => Node::Int(*number),
            Expr::Upgrade(base, upgraded) => {
                return self.expr(if scope.upgraded { upgraded } else { base }, scope);
            }
            Expr::Two(sign, a, b) => Node::Two(*sign, self.expr(a, scope), self.expr(b, scope)),
            Expr::Not(inner) => Node::Not(self.expr(inner, scope)),
            Expr::Ascension(rows) => self.by_ascension(rows, scope),
            Expr::Read(read, args) => {
                let mut vals = [Val::Nothing; 2];
                for (index, (kind, arg)) in read.args().iter().zip(args).enumerate() {
                    vals[index] = self.val(*kind, arg, scope);
                }
                Node::Read(*read, vals[0], vals[1])
            }
        };
        self.node(node)
    }

    /// Spreads rows over the levels: the last level reached counts, below the first it is 0.
    fn by_ascension(&mut self, rows: &[(u8, Expr)], scope: Scope<'_>) -> Node {
        let top = rows.iter().map(|(level, _)| *level).max().unwrap_or(0);
        let mut levels = vec![self.node(Node::Int(0)); usize::from(top) + 1];
        for (level, value) in rows {
            let value = self.expr(value, scope);
            levels[usize::from(*level)..].fill(value);
        }
        Node::Ascension(levels.into())
    }

    fn val(&mut self, kind: super::expr::ArgKind, arg: &Arg, scope: Scope<'_>) -> Val {
        use super::expr::ArgKind;
        let name = match arg {
            Arg::Who(who) => return Val::Who(*who),
            Arg::Zone(zone) => return Val::Zone(*zone),
            Arg::Type(kind) => return Val::Type(*kind),
            Arg::Kind(kind) => return Val::Kind(*kind),
            Arg::Drawn(drawn) => return Val::Drawn(*drawn),
            Arg::Expr(expr) => return Val::Expr(self.expr(expr, scope)),
            Arg::Name(name) => name,
        };
        Val::Id(match kind {
            ArgKind::Power => self.id("power", name),
            ArgKind::Orb => self.id("orb", name),
            ArgKind::Stance => self.id("stance", name),
            ArgKind::Card => self.id("card", name),
            ArgKind::Monster => self.id("monster", name),
            ArgKind::Relic => self.id("relic", name),
            ArgKind::Move => scope.moves.iter().position(|known| known.id == *name).unwrap_or(255) as Id,
            ArgKind::Var => scope.var(name),
            _ => self.tag(name).unwrap_or(Id::MAX),
        })
    }

    /// Steps.
    pub(super) fn program(&mut self, steps: &[Step], scope: Scope<'_>) -> Program {
        let ops: Vec<Op> = steps.iter().flat_map(|step| self.ops(&step.verb, scope)).collect();
        if ops.is_empty() {
            return 0;
        }
        let ready = ops.iter().map(|op| self.ready(op)).collect();
        let program = self.next_program();
        let number = usize::from(program);
        self.out.ready[number] = ready;
        self.out.programs[number] = ops;
        self.out.voices[number] = self.voice;
        program
    }

    /// The number of the owner's next program.
    fn next_program(&mut self) -> Program {
        self.owner.1 += 1;
        let name = match &self.owner {
            (owner, 1) => owner.clone(),
            (owner, count) => format!("{owner} {count}"),
        };
        self.numbers.get(&name).copied().unwrap_or_else(|| {
            self.out.add_program(name);
            (self.out.programs.len() - 1) as Program
        })
    }

    /// What is ready of a step.
    fn ready(&mut self, op: &Op) -> Ready {
        let (Op::Attack { amount, .. } | Op::Block { amount, .. } | Op::Apply { amount, .. }) = op else {
            return Ready::of(op);
        };
        let rising = self.out.by_level(*amount).and_then(|numbers| Ready::rising(op, &numbers));
        let Some(rising) = rising else { return Ready::of(op) };
        self.out.rising.push(rising);
        Ready::Rising((self.out.rising.len() - 1) as u16)
    }

    /// One of several lists of steps.
    pub(super) fn alternative(&mut self, steps: &[Step], scope: Scope<'_>) -> Program {
        let program = self.program(steps, scope);
        if program != 0 {
            self.out.alternatives.insert(program, steps.to_vec());
        }
        program
    }

    /// A step whose condition is known at load (`upgraded`) is replaced by the branch it takes.
    fn ops(&mut self, verb: &Verb, s: Scope<'_>) -> Vec<Op> {
        if let Verb::If { condition: Expr::Read(Read::Upgraded, _), then, otherwise } = verb {
            let branch = if s.upgraded { then } else { otherwise };
            return branch.iter().flat_map(|step| self.ops(&step.verb, s)).collect();
        }
        vec![verb.made(self, s)]
    }
}

/// Whether a condition asks for the roll.
fn looks_at_roll(when: &Expr) -> bool {
    let mut found = false;
    when.walk(&mut |part| found |= matches!(part, Expr::Read(Read::Roll, _)));
    found
}
