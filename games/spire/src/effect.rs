//! What travels the queue: actions, effects, events, listeners, questions.

use crate::catalog::compile::{Id, Program};
use crate::catalog::words::{DamageKind, Moment, Spot};
use crate::dice::Rolls;
use crate::run;
use crate::seeds::RelicNo;
use crate::state::{HAND, Slot};
use serde::{Deserialize, Serialize};

/// What a player declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Begin the prepared fight.
    Begin,
    /// Play a card from the hand, at an enemy if it asks for one.
    Play {
        /// The card.
        card: Slot,
        /// The enemy's number, 1 and up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<u8>,
    },
    /// Use a potion.
    Potion {
        /// Its slot, counted from 0.
        index: u8,
        /// The enemy's number, 1 and up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<u8>,
    },
    /// Throw a potion away.
    Toss {
        /// Its slot, counted from 0.
        index: u8,
    },
    /// End the turn.
    EndTurn,
    /// Leave a finished fight, where the ruleset has that as a step of its own.
    Leave,
}

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
    pub const fn origin(self) -> Origin {
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
    /// The card at work, or the power in question.
    pub card: Slot,
    /// Stacks, X or potency.
    pub n: i16,
    /// Number of the event.
    pub event: i16,
    /// Whose program it is.
    pub source: Source,
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
#[allow(missing_docs)]
pub enum Phase {
    Prepare,
    Opening,
    TurnStart,
    StartRelics,
    StartPowers,
    StartOrbs,
    StartScry,
    StartDraw,
    StartTools,
    StartChip,
    StartMayhem,
    StartFinish,
    EndRelics,
    EndOrbs,
    EndCore,
    EndPowers,
    EndCards,
    EndWater,
    EndPlans,
    EndDiscard,
    EndDone,
    EnemiesStart,
    /// The turn of the monster right of this one, and how many bodies there were when the enemies' turn began.
    Enemy(u8, u8),
    EnemyAct(u8),
    EnemyEnd(u8),
    Round,
    RoundEnd,
}

/// A proposed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Effect {
    /// An effect of the run around the fight: it travels the same queue.
    Run(run::effect::Effect),
    // What stands for other effects. Side by side, so that one comparison tells them from the rest.
    Phase(Phase),
    Step {
        program: Program,
        pc: u8,
        ctx: Ctx,
    },
    Clean {
        slot: Slot,
    },
    Draw {
        amount: i16,
    },
    /// The rest of a draw, after a shuffle.
    DrawMore {
        amount: i16,
    },
    QueueDraw {
        amount: i16,
    },
    QueuePassives {
        start: bool,
    },
    QueueClean {
        slot: Slot,
    },
    QueueDecay {
        when: u8,
        player: bool,
        monsters: bool,
    },
    QueueRun {
        slot: Slot,
        target: u8,
        x: i16,
    },
    Passives {
        start: bool,
    },
    PutShuffled {
        slot: Slot,
    },
    Channel {
        orb: Id,
        stored: i16,
    },
    ChannelRandom,
    ChannelLast,
    Evoke {
        times: u8,
    },
    /// The top cards of the draw pile are played one after the other.
    PlayTop {
        left: u8,
        exhaust: bool,
    },
    /// Somebody is found at whom the top card of the draw pile will be played: at once, or behind all that waits.
    Aim {
        exhaust: bool,
        late: bool,
    },
    /// The top card of the draw pile is taken from it, to be played at somebody.
    TakeTop {
        target: u8,
        exhaust: bool,
    },
    /// The first card taken is played.
    PlayTaken,
    // What stands for itself.
    /// A moment comes for those who hear it.
    Moment {
        moment: Moment,
        owner: u8,
        other: u8,
        card: Slot,
        number: i16,
    },
    Attack {
        by: u8,
        to: u8,
        amount: i16,
        base: i16,
        card: Slot,
        strength: i8,
        on_kill: Program,
        flags: u8,
    },
    Damage {
        by: u8,
        to: u8,
        amount: i16,
        kind: DamageKind,
        orb: bool,
    },
    Block {
        to: u8,
        amount: i16,
        /// Before anybody changed it.
        base: i16,
        card: bool,
    },
    Heal {
        to: u8,
        amount: i16,
    },
    SetHp {
        to: u8,
        amount: i16,
    },
    MaxHp {
        amount: i16,
    },
    ClearBlock {
        to: u8,
    },
    Apply {
        by: u8,
        to: u8,
        power: Id,
        amount: i16,
        stored: i16,
    },
    Reduce {
        to: u8,
        power: Id,
        by: i16,
    },
    Cleanse {
        to: u8,
    },
    Store {
        to: u8,
        power: Id,
        amount: i16,
    },
    StoreOrb {
        index: u8,
        amount: i16,
    },
    Counter {
        relic: u8,
        amount: i16,
    },
    Energy {
        amount: i16,
    },
    Shuffle,
    ShuffleDraw,
    OfferDone,
    Discard {
        slot: Slot,
        effect: bool,
    },
    Exhaust {
        slot: Slot,
        played: bool,
    },
    Put {
        slot: Slot,
        spot: Spot,
    },
    Create {
        card: Id,
        up: u8,
        spot: Spot,
        cost: i8,
        combat_cost: bool,
        kept: i16,
    },
    CreateCopy {
        of: Slot,
        spot: Spot,
    },
    /// A card is found that wants to enter the master deck.
    Find {
        card: Id,
    },
    /// A found card enters the master deck.
    Obtain {
        slot: Slot,
    },
    /// A random card of a pool.
    Conjure {
        program: Program,
        pc: u8,
        ctx: Ctx,
    },
    Upgrade {
        slot: Slot,
    },
    Price {
        slot: Slot,
        price: i8,
        way: u8,
    },
    Grow {
        slot: Slot,
        by: i16,
        all: bool,
        permanent: bool,
    },
    Retain {
        slot: Slot,
    },
    /// A card really stays in the hand at turn end.
    Keep {
        slot: Slot,
    },
    Play {
        slot: Slot,
        target: u8,
        x: i16,
        way: Way,
        exhaust: bool,
    },
    /// A card's steps, from the agenda.
    Resolve {
        slot: Slot,
        target: u8,
        x: i16,
    },
    TurnCards,
    KeepHand,
    EvokeKept,
    Passive {
        index: u8,
    },
    Slots {
        amount: i8,
    },
    Stance {
        to: Id,
    },
    EndTurn {
        skip: bool,
    },
    CloseTurn,
    Gold {
        amount: i16,
    },
    Potion {
        id: Id,
    },
    /// A potion is rolled for nothing.
    LosePotion,
    UsePotion {
        index: u8,
        target: u8,
    },
    DropPotion {
        index: u8,
    },
    SetMove {
        who: u8,
        mv: u8,
    },
    Choose {
        who: u8,
    },
    /// The same, while an intent stands that was not yet carried out.
    ChooseAgain {
        who: u8,
    },
    Act {
        who: u8,
    },
    Spawn {
        kind: Id,
        x: i16,
        hp: i16,
        minion: bool,
        by: u8,
    },
    SpawnAny {
        program: Program,
        pc: u8,
        x: i16,
        by: u8,
    },
    /// A monster speaks: the original's dice roll for that.
    Speak {
        who: u8,
    },
    /// All cards of a step are found before the first is put anywhere.
    ConjureAll {
        program: Program,
        pc: u8,
        ctx: Ctx,
    },
    /// Cards are looked through: the original's dice roll for each found but the first.
    Search {
        found: u8,
    },
    Escape {
        who: u8,
    },
    HalfDie {
        who: u8,
    },
    /// All powers of somebody go.
    Strip {
        to: u8,
    },
    Revive {
        who: u8,
        percent: i16,
    },
    Var {
        who: u8,
        var: u8,
        amount: i16,
    },
    Steal {
        who: u8,
        amount: i16,
    },
    TakeCard {
        who: u8,
    },
    ReturnCard {
        who: u8,
    },
    Face {
        who: u8,
    },
    /// A monster forgets the moves it made.
    Forget {
        who: u8,
    },
    Death {
        who: u8,
        by: u8,
        card: Slot,
        on_kill: Program,
        any: bool,
    },
    /// A death was prevented.
    Spared {
        who: u8,
    },
    Decay {
        when: u8,
        player: bool,
        monsters: bool,
    },
    TurnStarted,
    /// HP at the start of the turn is noted.
    TurnMarked,
    /// Whether the turn cost HP is noted.
    TurnHurt,
    RoundBlock,
    EnemyStarted {
        who: u8,
    },
    MonstersStarted,
    Begin,
    Leave,
    ResetAttackCount,
    Victory,
    Defeat,
    Flee,
    Nightmare,
}

/// Stands for every play of a card, to withdraw them.
pub(crate) const ANY_PLAY: Effect = Effect::Play { slot: 0, target: 0, x: 0, way: Way::Hand, exhaust: false };
/// Stands for every run of a card's steps, to withdraw them.
pub(crate) const ANY_RESOLVE: Effect = Effect::Resolve { slot: 0, target: 0, x: 0 };

/// Flags of an attack.
pub mod attack_flag {
    /// The number is final.
    pub const FIXED: u8 = 1;
    /// The first hit of its step.
    pub const FIRST: u8 = 2;
    /// Any death counts as a kill.
    pub const ANY_DEATH: u8 = 4;
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Event {
    /// A fact of the run around the fight, in the same log.
    Run(Box<run::effect::Event>),
    // Of which somebody may hear. Side by side, so that a short table knows them.
    Moment {
        moment: Moment,
        owner: u8,
        other: u8,
        card: Slot,
        number: i16,
    },
    Hit {
        by: u8,
        to: u8,
        kind: DamageKind,
        base: i16,
        amount: i16,
        blocked: i16,
        lost: i16,
        card: Slot,
        on_kill: Program,
        flags: u8,
        spent: Id,
        rolls: Rolls,
    },
    Blocked {
        to: u8,
        amount: i16,
    },
    /// The same for somebody who was rolled for.
    Guarded {
        to: u8,
        amount: i16,
        rolls: Rolls,
    },
    Healed {
        to: u8,
        amount: i16,
    },
    Applied {
        by: u8,
        to: u8,
        power: Id,
        amount: i16,
        stored: i16,
        rolls: Rolls,
    },
    Reduced {
        to: u8,
        power: Id,
        by: i16,
        gone: bool,
    },
    StanceChanged {
        from: Id,
        to: Id,
    },
    /// Cards came from the draw pile into the hand, in this order; `left` are still to be drawn after a shuffle,
    /// and `more` are the rest of a draw that began before one.
    Drew {
        cards: Handful,
        left: u8,
        more: bool,
        costs: Option<Box<RolledCosts>>,
    },
    /// The discard pile became draw pile.
    Shuffled {
        order: Order,
        rolls: Rolls,
    },
    Discarded {
        slot: Slot,
        effect: bool,
    },
    Exhausted {
        slot: Slot,
        rolls: Rolls,
    },
    Kept {
        slot: Slot,
    },
    Created {
        card: Id,
        up: u8,
        spot: Spot,
        cost: i8,
        combat_cost: bool,
        kept: i16,
        place: u16,
        rolls: Rolls,
    },
    Copied {
        of: Slot,
        up: u8,
        spot: Spot,
        place: u16,
        rolls: Rolls,
    },
    Channeled {
        orb: Id,
        stored: i16,
        rolls: Rolls,
    },
    Evoked {
        last: bool,
        silent: bool,
    },
    PotionUsed {
        index: u8,
        target: u8,
    },
    Spawned {
        kind: Id,
        x: i16,
        hp: i16,
        vars: [i16; 4],
        minion: bool,
        by: u8,
        rolls: Rolls,
    },
    Died {
        who: u8,
        by: u8,
        card: Slot,
        on_kill: Program,
        any: bool,
    },
    HalfDied {
        who: u8,
    },
    /// It entered the master deck.
    Obtained {
        slot: Slot,
    },
    // Of which nobody hears.
    HpSet {
        to: u8,
        hp: i16,
    },
    MaxHpChanged {
        amount: i16,
    },
    BlockCleared {
        to: u8,
        left: i16,
    },
    Cleansed {
        to: u8,
    },
    Stored {
        to: u8,
        power: Id,
        amount: i16,
    },
    OrbStored {
        index: u8,
        amount: i16,
    },
    Counted {
        relic: u8,
        amount: i16,
    },
    EnergyChanged {
        amount: i16,
    },
    /// The cards of the draw pile changed places.
    DrawShuffled {
        order: Order,
        rolls: Rolls,
    },
    OfferClosed,
    /// Cards were chosen, by the player, by chance or because there was no choice.
    Selected(Box<Selected>),
    /// Cards are on offer, or will all be made.
    Offered(Box<Offered>),
    Moved {
        slot: Slot,
        spot: Spot,
        place: u16,
        rolls: Rolls,
    },
    Upgraded {
        slot: Slot,
    },
    DeckUpgraded {
        index: u16,
        rolls: Rolls,
    },
    Priced {
        slot: Slot,
        price: i8,
        way: u8,
        rolls: Rolls,
    },
    Grew {
        slot: Slot,
        by: i16,
        all: bool,
        permanent: bool,
    },
    Retained {
        slot: Slot,
    },
    Played {
        slot: Slot,
        target: u8,
        cost: i8,
        x: i16,
        way: Way,
        exhaust: bool,
        rolls: Rolls,
    },
    /// A card left the draw pile to be played once it is its turn.
    Taken {
        slot: Slot,
        target: u8,
        exhaust: bool,
    },
    /// At whom a card will be played that is still to be taken.
    Aimed {
        target: u8,
        exhaust: bool,
        late: bool,
        rolls: Rolls,
    },
    Ran {
        slot: Slot,
        target: u8,
        x: i16,
    },
    /// The turn is over for the hand: these cards went to the discard pile, the others stay.
    HandKept {
        discarded: Handful,
    },
    PassiveFired {
        index: u8,
    },
    SlotsChanged {
        slots: u8,
    },
    TurnEnding {
        skip: bool,
    },
    EndMarked {
        skip: bool,
    },
    GoldChanged {
        amount: i16,
    },
    PotionGained {
        id: Id,
        rolls: Rolls,
    },
    PotionTossed {
        index: u8,
    },
    Intended {
        who: u8,
        mv: u8,
        rolls: Rolls,
    },
    /// A card was rolled that will be made once all that waits is done.
    Conjured {
        card: Id,
        up: u8,
        spot: Spot,
        cost: i8,
        combat_cost: bool,
        rolls: Rolls,
    },
    /// Dice were rolled that change nothing: a line is spoken, or somebody who is gone would have chosen.
    Spoke {
        rolls: Rolls,
    },
    Acted {
        who: u8,
    },
    Escaped {
        who: u8,
    },
    /// All powers of somebody went.
    Stripped {
        to: u8,
    },
    /// A card for the master deck turned up.
    Found {
        card: Id,
    },
    Revived {
        who: u8,
        hp: i16,
    },
    VarSet {
        who: u8,
        var: u8,
        amount: i16,
    },
    Stole {
        who: u8,
        amount: i16,
    },
    CardTaken {
        who: u8,
        slot: Slot,
        rolls: Rolls,
    },
    CardReturned {
        who: u8,
    },
    Faced {
        who: u8,
    },
    Forgot {
        who: u8,
    },
    Spared {
        who: u8,
    },
    Decayed {
        when: u8,
        player: bool,
        monsters: bool,
    },
    TurnStarted {
        energy: i16,
        block: i16,
    },
    RoundBlock,
    EnemyStarted {
        who: u8,
    },
    MonstersStarted,
    TurnCardsReset,
    TurnMarked,
    TurnHurt,
    EnemiesTurn,
    Began,
    Left,
    AttackCountReset,
    Won,
    Lost,
    Fled,
    NightmareEnded,
}

/// As many cards as a hand can hold, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Slot>", into = "Vec<Slot>")]
pub struct Handful {
    count: u8,
    cards: [Slot; HAND],
}

impl Handful {
    /// The cards.
    #[inline]
    pub fn as_slice(&self) -> &[Slot] {
        &self.cards[..usize::from(self.count)]
    }

    /// One more; `false` if there is no room for it.
    #[inline]
    pub fn push(&mut self, slot: Slot) -> bool {
        let room = self.cards.get_mut(usize::from(self.count));
        let fits = room.is_some();
        if let Some(room) = room {
            *room = slot;
            self.count += 1;
        }
        fits
    }
}

impl From<Handful> for Vec<Slot> {
    fn from(cards: Handful) -> Self {
        cards.as_slice().to_vec()
    }
}

impl TryFrom<Vec<Slot>> for Handful {
    type Error = String;

    fn try_from(cards: Vec<Slot>) -> Result<Self, String> {
        let mut handful = Handful::default();
        match cards.iter().all(|&slot| handful.push(slot)) {
            true => Ok(handful),
            false => Err(format!("{} cards are more than a hand holds", cards.len())),
        }
    }
}

/// The order that a shuffle gives its cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// They lie as they lay, or as a list of all cards says that they lie: nothing was drawn.
    Kept,
    /// The permutation that [`java_shuffle`](crate::seeds::java_shuffle) makes of this key: of the discard pile,
    /// which then lies on the draw pile, or of the draw pile itself.
    Key(u64),
    /// The whole draw pile, the lowest card first.
    Cards(Box<[Slot]>),
    /// It is not for whoever looks.
    Hidden,
}

/// What cards cost that came at random costs, and the dice for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolledCosts {
    /// Which card costs what.
    pub cards: Vec<(Slot, i8)>,
    /// The dice.
    pub rolls: Rolls,
}

/// A choice that was made for a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// What.
    pub choice: Choice,
    /// For which program.
    pub program: Program,
    /// For which step of it.
    pub pc: u8,
    /// What the step remembers.
    pub ctx: Ctx,
    /// The dice.
    pub rolls: Rolls,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The option with this number, or none.
    Option(Option<u8>),
    /// Cards.
    Cards {
        /// Which, in order.
        cards: Vec<Slot>,
        /// What the first one costs.
        cost: i16,
        /// How the hand lies then, if choosing changes that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hand: Vec<Slot>,
    },
}

/// Cards that are shown for a step, or all made by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// Which, and how often upgraded.
    pub cards: Vec<(Id, u8)>,
    /// For which program.
    pub program: Program,
    /// For which step of it.
    pub pc: u8,
    /// What the step remembers.
    pub ctx: Ctx,
    /// The dice.
    pub rolls: Rolls,
}

/// The dice of an event of either reference, `none` if it never rolls any.
macro_rules! rolls_in {
    ($event:expr, $rolls:ident => $found:expr, $none:expr) => {
        match $event {
            Event::Hit { $rolls, .. }
            | Event::Guarded { $rolls, .. }
            | Event::Applied { $rolls, .. }
            | Event::Shuffled { $rolls, .. }
            | Event::DrawShuffled { $rolls, .. }
            | Event::Moved { $rolls, .. }
            | Event::Created { $rolls, .. }
            | Event::Copied { $rolls, .. }
            | Event::DeckUpgraded { $rolls, .. }
            | Event::Priced { $rolls, .. }
            | Event::Played { $rolls, .. }
            | Event::Channeled { $rolls, .. }
            | Event::PotionGained { $rolls, .. }
            | Event::Intended { $rolls, .. }
            | Event::Spawned { $rolls, .. }
            | Event::Aimed { $rolls, .. }
            | Event::Spoke { $rolls, .. }
            | Event::Conjured { $rolls, .. }
            | Event::CardTaken { $rolls, .. }
            | Event::Exhausted { $rolls, .. } => $found,
            _ => $none,
        }
    };
}

impl Event {
    /// How many dice were rolled.
    #[inline(always)]
    pub fn rolls(&self) -> Rolls {
        match self {
            Event::Selected(selected) => selected.rolls,
            Event::Offered(offered) => offered.rolls,
            Event::Drew { costs, .. } => costs.as_ref().map_or(Rolls::NONE, |costs| costs.rolls),
            event => rolls_in!(event, rolls => *rolls, Rolls::NONE),
        }
    }

    /// Where the event says how many dice were rolled.
    pub fn rolls_mut(&mut self) -> Option<&mut Rolls> {
        match self {
            Event::Selected(selected) => Some(&mut selected.rolls),
            Event::Offered(offered) => Some(&mut offered.rolls),
            Event::Drew { costs, .. } => costs.as_mut().map(|costs| &mut costs.rolls),
            event => rolls_in!(event, rolls => Some(rolls), None),
        }
    }
}

impl From<run::effect::Effect> for Effect {
    #[inline]
    fn from(effect: run::effect::Effect) -> Self {
        Effect::Run(effect)
    }
}

impl From<run::effect::Event> for Event {
    fn from(event: run::effect::Event) -> Self {
        Event::Run(Box::new(event))
    }
}

/// What a player declares: something of the run, or of the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Of the run.
    Run(run::effect::Action),
    /// Of the fight.
    Fight(Action),
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

/// What the player is asked: about the run, or about the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// About the run.
    Run(run::effect::Question),
    /// About the fight.
    Fight(Question),
}

/// What the player answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The number of a card, an offer or a cell.
    Run(u16),
    /// One pick in the fight.
    Fight(Answer),
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

/// What the player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Pick cards for a step.
    Cards {
        /// Which step.
        program: Program,
        /// Which step of it.
        pc: u8,
        /// Its memory.
        ctx: Ctx,
        /// At least so many.
        min: u8,
        /// At most so many.
        max: u8,
    },
    /// Take one of the cards on offer.
    Offer {
        /// Or none.
        skippable: bool,
    },
    /// Take one of several lists of steps.
    Option {
        /// How many.
        count: u8,
        /// Which step.
        program: Program,
        /// Which step of it.
        pc: u8,
    },
}

/// One pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// This card.
    Pick(Slot),
    /// No more.
    Done,
    /// The option with this number.
    Option(u8),
}
