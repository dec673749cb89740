//! Proposed changes, which travel the queue, and who reacts to them.

use crate::catalog::compile::{Id, Program};
use crate::catalog::words::{DamageKind, Moment, Spot};
use crate::run;
use crate::seeds::RelicNo;
use crate::state::{NO_CARD, Slot};
use serde::{Deserialize, Serialize};

/// What a running program belongs to: kind and number in two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source(pub u16);

/// The kinds of [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Origin {
    Card,
    Copy,
    Power(Id),
    Relic(u8),
    Potion(Id),
    Orb(u8),
    Stance(Id),
    Monster,
    Rules,
}

impl Source {
    /// A monster itself.
    pub const MONSTER: Source = Source::of(Origin::Monster);

    /// Whether it is a card, or a copy of one.
    #[inline]
    pub(crate) const fn is_card(self) -> bool {
        self.0 >> 13 < 2
    }

    /// Packs.
    pub const fn of(origin: Origin) -> Self {
        let (kind, id) = match origin {
            Origin::Card => (0, 0),
            Origin::Copy => (1, 0),
            Origin::Power(id) => (2, id),
            Origin::Relic(index) => (3, index as u16),
            Origin::Potion(id) => (4, id),
            Origin::Orb(index) => (5, index as u16),
            Origin::Stance(id) => (6, id),
            Origin::Monster => (7, 0),
            Origin::Rules => (7, 1),
        };
        Source(kind << 13 | id & 0x1fff)
    }

    /// Unpacks.
    pub(crate) const fn origin(self) -> Origin {
        let id = self.0 & 0x1fff;
        match self.0 >> 13 {
            0 => Origin::Card,
            1 => Origin::Copy,
            2 => Origin::Power(id),
            3 => Origin::Relic(id as u8),
            4 => Origin::Potion(id),
            5 => Origin::Orb(id as u8),
            6 => Origin::Stance(id),
            _ if id == 0 => Origin::Monster,
            _ => Origin::Rules,
        }
    }
}

/// What a step remembers of the moment it was queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ctx {
    /// Whose rule it is.
    pub owner: u8,
    /// The target, or the other side of the event.
    pub other: u8,
    /// The card at work, or the power in question, in numbers that no card has.
    pub card: Slot,
    /// Stacks, X or potency.
    pub n: i16,
    /// Number of the event.
    pub event: i16,
    /// Whose program it is.
    pub source: Source,
}

/// Powers in question are numbered from here on: no fight has so many cards.
const POWERS: Slot = 0x8000;

impl Ctx {
    /// A power in question in the place of the card at work.
    #[inline]
    pub(crate) fn in_question(power: Id) -> Slot {
        POWERS | power
    }

    /// The power in question, if it is one.
    #[inline]
    pub(crate) fn power(card: Slot) -> Option<Id> {
        (card >= POWERS && card != NO_CARD).then_some(card & !POWERS)
    }

    /// The card at work, or none.
    #[inline]
    pub(crate) fn slot(&self) -> Slot {
        if self.card < POWERS { self.card } else { NO_CARD }
    }
}

/// How a card came to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// By the player, paid.
    Hand,
    /// By an effect, free.
    Auto,
    /// Once more, as a copy.
    Copy,
}

/// Phases of a round, on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the first turn.
    Prepare,
    /// The first turn begins.
    Opening,
    /// A turn begins.
    TurnStart,
    /// Relics at the start of a turn.
    StartRelics,
    /// Powers at the start of a turn.
    StartPowers,
    /// Orbs at the start of a turn.
    StartOrbs,
    /// What looks into the draw pile before the draw.
    StartScry,
    /// The hand is drawn.
    StartDraw,
    /// What comes after the draw.
    StartTools,
    /// The end of the start.
    StartFinish,
    /// Relics at the end of a turn.
    EndRelics,
    /// What comes between orbs and powers.
    EndCore,
    /// Powers at the end of a turn.
    EndPowers,
    /// Cards in hand at the end of a turn.
    EndCards,
    /// What comes after the cards in hand.
    EndWater,
    /// What is retained is chosen.
    EndPlans,
    /// The hand is discarded.
    EndDiscard,
    /// The turn is over.
    EndDone,
    /// The enemies' turn begins.
    EnemiesStart,
    /// The turn of the monster right of this one, and how many bodies there were when the enemies' turn began.
    Enemy(u8, u8),
    /// A monster acts.
    EnemyAct(u8),
    /// The turn of a monster is over.
    EnemyEnd(u8),
    /// The round is over.
    Round,
    /// What comes at the end of a round.
    RoundEnd,
}

/// A proposed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// An effect of the run around the fight: it travels the same queue.
    Run(run::effect::Effect),
    // What stands for other effects. Side by side, so that one comparison tells them from the rest.
    /// A step of a program.
    Step {
        /// The program.
        program: Program,
        /// Which of its steps.
        pc: u8,
        /// What the step remembers.
        ctx: Ctx,
    },
    /// A card that was played is put away.
    Clean {
        /// The card.
        slot: Slot,
    },
    /// Cards are drawn.
    Draw {
        /// How much.
        amount: i16,
    },
    /// The rest of a draw, after a shuffle.
    DrawMore {
        /// How much.
        amount: i16,
    },
    // Of these nothing comes but that others wait.
    /// A phase of the round begins.
    Phase(Phase),
    /// A draw behind all that waits.
    QueueDraw {
        /// How much.
        amount: i16,
    },
    /// The orbs' turn, behind all that waits.
    QueuePassives {
        /// At the start of the turn, not at its end.
        start: bool,
    },
    /// A card is put away, behind all that waits.
    QueueClean {
        /// The card.
        slot: Slot,
    },
    /// Powers wear off, behind all that waits.
    QueueDecay {
        /// Which time of the round.
        when: u8,
        /// The player's.
        player: bool,
        /// The monsters'.
        monsters: bool,
    },
    /// A card's steps, on the agenda.
    QueueRun {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// The energy spent on an X.
        x: i16,
    },
    /// All orbs do what they do each turn.
    Passives {
        /// At the start of the turn, not at its end.
        start: bool,
    },
    /// A card goes into the draw pile, which is shuffled.
    PutShuffled {
        /// The card.
        slot: Slot,
    },
    /// An orb is channeled.
    Channel {
        /// Which orb.
        orb: Id,
        /// The second number.
        stored: i16,
    },
    /// A random orb is channeled.
    ChannelRandom,
    /// An orb like the last one that was evoked is channeled.
    ChannelLast,
    /// The first orb is evoked.
    Evoke {
        /// How often.
        times: u8,
    },
    /// The top cards of the draw pile are played one after the other.
    PlayTop {
        /// How many are left.
        left: u8,
        /// It exhausts afterwards.
        exhaust: bool,
    },
    /// Somebody is found at whom the top card of the draw pile will be played: at once, or behind all that waits.
    Aim {
        /// It exhausts afterwards.
        exhaust: bool,
        /// Behind all that waits.
        late: bool,
    },
    /// The top card of the draw pile is taken from it, to be played at somebody.
    TakeTop {
        /// At whom.
        target: u8,
        /// It exhausts afterwards.
        exhaust: bool,
    },
    /// The first card taken is played.
    PlayTaken,
    // What stands for itself.
    /// A moment comes for those who hear it.
    Moment {
        /// Which.
        moment: Moment,
        /// Whose.
        owner: u8,
        /// The other side.
        other: u8,
        /// The card at work.
        card: Slot,
        /// The number of it.
        number: i16,
    },
    /// A hit of an attack.
    Attack {
        /// Who does it.
        by: u8,
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
        /// The number before anybody changed it.
        base: i16,
        /// The card at work.
        card: Slot,
        /// How often Strength counts.
        strength: i8,
        /// What follows if it kills.
        on_kill: Program,
        /// Marks of the attack: its number is final, it is the first of its step, any death counts as a kill.
        flags: u8,
    },
    /// Damage that is no attack.
    Damage {
        /// Who does it.
        by: u8,
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
        /// Of which kind.
        kind: DamageKind,
        /// By an orb.
        orb: bool,
    },
    /// Block is gained.
    Block {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
        /// Before anybody changed it.
        base: i16,
        /// From a card.
        card: bool,
    },
    /// HP are healed.
    Heal {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
    },
    /// HP become a number.
    SetHp {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
    },
    /// The player's max HP change.
    MaxHp {
        /// How much.
        amount: i16,
    },
    /// All block goes.
    ClearBlock {
        /// Whom it concerns.
        to: u8,
    },
    /// A power is given.
    Apply {
        /// Who does it.
        by: u8,
        /// Whom it concerns.
        to: u8,
        /// Which power.
        power: Id,
        /// How much.
        amount: i16,
        /// The second number.
        stored: i16,
    },
    /// A power falls.
    Reduce {
        /// Whom it concerns.
        to: u8,
        /// Which power.
        power: Id,
        /// By how much.
        by: i16,
    },
    /// All debuffs go.
    Cleanse {
        /// Whom it concerns.
        to: u8,
    },
    /// The second number of a power changes.
    Store {
        /// Whom it concerns.
        to: u8,
        /// Which power.
        power: Id,
        /// How much.
        amount: i16,
    },
    /// The number of an orb changes.
    StoreOrb {
        /// Which, counted from 0.
        index: u8,
        /// How much.
        amount: i16,
    },
    /// The counter of a relic changes.
    Counter {
        /// Its place in the row of relics.
        relic: u8,
        /// How much.
        amount: i16,
    },
    /// Energy is gained or lost.
    Energy {
        /// How much.
        amount: i16,
    },
    /// The discard pile becomes draw pile.
    Shuffle,
    /// The draw pile is shuffled.
    ShuffleDraw,
    /// What was on offer goes.
    OfferDone,
    /// A card goes to the discard pile.
    Discard {
        /// The card.
        slot: Slot,
        /// By an effect, not at the end of the turn.
        effect: bool,
    },
    /// A card goes to the exhaust pile.
    Exhaust {
        /// The card.
        slot: Slot,
        /// After it was played.
        played: bool,
    },
    /// A card goes somewhere.
    Put {
        /// The card.
        slot: Slot,
        /// Where to.
        spot: Spot,
    },
    /// A card is made.
    Create {
        /// Which card.
        card: Id,
        /// How often it is upgraded.
        up: u8,
        /// Where to.
        spot: Spot,
        /// What it costs.
        cost: i8,
        /// For the fight, not only for the turn.
        combat_cost: bool,
        /// A number kept on it.
        kept: i16,
    },
    /// A copy of a card is made.
    CreateCopy {
        /// The card that is copied.
        of: Slot,
        /// Where to.
        spot: Spot,
    },
    /// A card is found that wants to enter the master deck.
    Find {
        /// Which card.
        card: Id,
    },
    /// A found card enters the master deck.
    Obtain {
        /// The card.
        slot: Slot,
    },
    /// A random card of a pool.
    Conjure {
        /// The program.
        program: Program,
        /// Which of its steps.
        pc: u8,
        /// What the step remembers.
        ctx: Ctx,
    },
    /// A card is upgraded for the fight.
    Upgrade {
        /// The card.
        slot: Slot,
    },
    /// The cost of a card changes.
    Price {
        /// The card.
        slot: Slot,
        /// What it costs then.
        price: i8,
        /// How the cost is set.
        way: u8,
    },
    /// A number on a card grows.
    Grow {
        /// The card.
        slot: Slot,
        /// By how much.
        by: i16,
        /// On all cards of its kind.
        all: bool,
        /// In the deck, too.
        permanent: bool,
    },
    /// A card will stay in the hand at turn end.
    Retain {
        /// The card.
        slot: Slot,
    },
    /// A card really stays in the hand at turn end.
    Keep {
        /// The card.
        slot: Slot,
    },
    /// A card is played.
    Play {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// The energy spent on an X.
        x: i16,
        /// How it came to be played.
        way: Way,
        /// It exhausts afterwards.
        exhaust: bool,
    },
    /// A card's steps, from the agenda.
    Resolve {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// The energy spent on an X.
        x: i16,
    },
    /// What cards cost for this turn ends.
    TurnCards,
    /// What is not retained is discarded.
    KeepHand,
    /// The first orb is evoked and stays.
    EvokeKept,
    /// An orb does what it does each turn.
    Passive {
        /// Which, counted from 0.
        index: u8,
    },
    /// There are more slots for orbs, or fewer.
    Slots {
        /// How much.
        amount: i8,
    },
    /// The stance changes.
    Stance {
        /// Into which.
        to: Id,
    },
    /// The turn ends once all that waits is done.
    EndTurn {
        /// The enemies' turn is left out.
        skip: bool,
    },
    /// The player ends the turn.
    CloseTurn,
    /// Gold is gained or lost.
    Gold {
        /// How much.
        amount: i16,
    },
    /// A random potion is obtained.
    Potion,
    /// A potion is rolled for nothing.
    LosePotion,
    /// A potion is used.
    UsePotion {
        /// Which, counted from 0.
        index: u8,
        /// At whom.
        target: u8,
    },
    /// A potion is thrown away.
    DropPotion {
        /// Which, counted from 0.
        index: u8,
    },
    /// A monster intends a move.
    SetMove {
        /// Who.
        who: u8,
        /// Which move.
        mv: u8,
    },
    /// A monster chooses a move.
    Choose {
        /// Who.
        who: u8,
    },
    /// The same, while an intent stands that was not yet carried out.
    ChooseAgain {
        /// Who.
        who: u8,
    },
    /// A monster does what it intends.
    Act {
        /// Who.
        who: u8,
    },
    /// A monster comes.
    Spawn {
        /// Of which kind.
        kind: Id,
        /// Where it stands.
        x: i16,
        /// The HP.
        hp: i16,
        /// It goes with its leader.
        minion: bool,
        /// Who does it.
        by: u8,
    },
    /// One of several monsters comes.
    SpawnAny {
        /// The program.
        program: Program,
        /// Which of its steps.
        pc: u8,
        /// Where it stands.
        x: i16,
        /// Who does it.
        by: u8,
    },
    /// A monster speaks: the original's dice roll for that.
    Speak {
        /// Who.
        who: u8,
    },
    /// All cards of a step are found before the first is put anywhere.
    ConjureAll {
        /// The program.
        program: Program,
        /// Which of its steps.
        pc: u8,
        /// What the step remembers.
        ctx: Ctx,
    },
    /// Cards are looked through: the original's dice roll for each found but the first.
    Search {
        /// How many were found.
        found: u8,
    },
    /// A monster leaves.
    Escape {
        /// Who.
        who: u8,
    },
    /// A monster falls, to rise again.
    HalfDie {
        /// Who.
        who: u8,
    },
    /// All powers of somebody go.
    Strip {
        /// Whom it concerns.
        to: u8,
    },
    /// Who fell rises.
    Revive {
        /// Who.
        who: u8,
        /// Of the max HP.
        percent: i16,
    },
    /// A number that a monster keeps changes.
    Var {
        /// Who.
        who: u8,
        /// Which number.
        var: u8,
        /// How much.
        amount: i16,
    },
    /// A monster takes gold.
    Steal {
        /// Who.
        who: u8,
        /// How much.
        amount: i16,
    },
    /// A monster takes a card.
    TakeCard {
        /// Who.
        who: u8,
    },
    /// A monster gives the card back.
    ReturnCard {
        /// Who.
        who: u8,
    },
    /// The player turns round.
    Face {
        /// Who.
        who: u8,
    },
    /// A monster forgets the moves it made.
    Forget {
        /// Who.
        who: u8,
    },
    /// Somebody dies, unless something stands in between.
    Death {
        /// Who.
        who: u8,
        /// Who does it.
        by: u8,
        /// The card at work.
        card: Slot,
        /// What follows if it kills.
        on_kill: Program,
        /// Any death counts as a kill.
        any: bool,
    },
    /// A death was prevented.
    Spared {
        /// Who.
        who: u8,
    },
    /// Powers wear off.
    Decay {
        /// Which time of the round.
        when: u8,
        /// The player's.
        player: bool,
        /// The monsters'.
        monsters: bool,
    },
    /// The player's turn begins.
    TurnStarted,
    /// HP at the start of the turn is noted.
    TurnMarked,
    /// Whether the turn cost HP is noted.
    TurnHurt,
    /// The monsters' block goes at the end of a round.
    RoundBlock,
    /// The turn of one monster begins.
    EnemyStarted {
        /// Who.
        who: u8,
    },
    /// The monsters' turn begins.
    MonstersStarted,
    /// The prepared fight begins.
    Begin,
    /// The finished fight is left.
    Leave,
    /// Attacks are counted anew.
    ResetAttackCount,
    /// The fight is won.
    Victory,
    /// The fight is lost.
    Defeat,
    /// The fight is left.
    Flee,
    /// Cards that were set aside come into the hand.
    ReturnLimbo,
}

/// Stands for every play of a card, to withdraw them.
pub(crate) const ANY_PLAY: Effect = Effect::Play { slot: 0, target: 0, x: 0, way: Way::Hand, exhaust: false };
/// Stands for every run of a card's steps, to withdraw them.
pub(crate) const ANY_RESOLVE: Effect = Effect::Resolve { slot: 0, target: 0, x: 0 };

/// Flags of an attack.
pub(crate) mod attack_flag {
    /// The number is final.
    pub(crate) const FIXED: u8 = 1;
    /// The first hit of its step.
    pub(crate) const FIRST: u8 = 2;
    /// Any death counts as a kill.
    pub(crate) const ANY_DEATH: u8 = 4;
}

impl From<run::effect::Effect> for Effect {
    #[inline]
    fn from(effect: run::effect::Effect) -> Self {
        Effect::Run(effect)
    }
}

/// Who reacts: a relic of the run, or something in the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hearer {
    /// A relic outside of fights.
    Run(RelicNo),
    /// A hook of an entry.
    Fight(Listener),
}

/// Who reacts: a hook of an entry, for one card of an event that has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// Whose body.
    pub owner: u8,
    /// Which hook of the entry, or which prevention.
    pub hook: u8,
    /// Which entry.
    pub source: Source,
    /// Which card.
    pub card: Slot,
    /// The moment.
    pub moment: Option<Moment>,
}
