//! Facts: what happened, as the log tells it.

use crate::catalog::compile::{Id, Program};
use crate::catalog::words::{DamageKind, Moment, Spot};
use crate::dice::Rolls;
use crate::effect::{Ctx, Way};
use crate::run;
use crate::state::{Card, HAND, NO_COST, Pile, Slot};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A fact of the run around the fight, in the same log.
    Run(Box<run::event::Event>),
    // Of which somebody may hear. Side by side, so that a short table knows them.
    /// A moment came for those who hear it.
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
    /// Somebody was hit.
    Hit {
        /// Who does it.
        by: u8,
        /// Whom it concerns.
        to: u8,
        /// Of which kind.
        kind: DamageKind,
        /// The number before anybody changed it.
        base: i16,
        /// How much.
        amount: i16,
        /// What block took of it.
        blocked: i16,
        /// HP that were lost.
        lost: i16,
        /// The card at work.
        card: Slot,
        /// What follows if it kills.
        on_kill: Program,
        /// Marks of the attack: its number is final, it is the first of its step, any death counts as a kill.
        flags: u8,
        /// The power that was spent on it.
        spent: Id,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// Somebody gained block.
    Blocked {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
    },
    /// The same for somebody who was rolled for.
    Guarded {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// Somebody was healed.
    Healed {
        /// Whom it concerns.
        to: u8,
        /// How much.
        amount: i16,
    },
    /// Somebody got a power.
    Applied {
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
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A power fell.
    Reduced {
        /// Whom it concerns.
        to: u8,
        /// Which power.
        power: Id,
        /// By how much it really fell.
        by: i16,
        /// Nothing is left of it.
        gone: bool,
    },
    /// The stance changed.
    StanceChanged {
        /// From which.
        from: Id,
        /// Into which.
        to: Id,
    },
    /// Cards came from the draw pile into the hand, in this order; `left` are still to be drawn after a shuffle,
    /// and `more` are the rest of a draw that began before one.
    Drew {
        /// These.
        cards: Handful,
        /// How many are still to be drawn.
        left: u8,
        /// The rest of a draw that began before a shuffle.
        more: bool,
        /// Costs that were rolled for them.
        costs: Option<Box<RolledCosts>>,
    },
    /// The discard pile became draw pile.
    Shuffled {
        /// Their order now.
        order: Order,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A card went to the discard pile.
    Discarded {
        /// The card.
        slot: Slot,
        /// By an effect, not at the end of the turn.
        effect: bool,
    },
    /// A card went to the exhaust pile.
    Exhausted {
        /// The card.
        slot: Slot,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A card stayed in the hand at turn end.
    Kept {
        /// The card.
        slot: Slot,
    },
    /// A card was made.
    Created {
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
        /// Where in the pile.
        place: u16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A copy of a card was made.
    Copied {
        /// The card that is copied.
        of: Slot,
        /// How often it is upgraded.
        up: u8,
        /// Where to.
        spot: Spot,
        /// Where in the pile.
        place: u16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// An orb was channeled.
    Channeled {
        /// Which orb.
        orb: Id,
        /// The second number.
        stored: i16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// The first orb was evoked.
    Evoked {
        /// Which orb.
        orb: Id,
        /// The number that it held.
        stored: i16,
        /// It leaves its slot.
        last: bool,
        /// Without its effect.
        silent: bool,
    },
    /// A potion was used.
    PotionUsed {
        /// From which slot, counted from 0.
        index: u8,
        /// Which.
        potion: Id,
        /// At whom.
        target: u8,
    },
    /// A monster came.
    Spawned {
        /// Of which kind.
        kind: Id,
        /// Where it stands.
        x: i16,
        /// The HP.
        hp: i16,
        /// What it rolled for itself; not there for whoever may not know.
        #[serde(default, skip_serializing_if = "run::event::rolled_nothing")]
        vars: [i16; 4],
        /// It goes with its leader.
        minion: bool,
        /// Who does it.
        by: u8,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// Somebody died.
    Died {
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
    /// A monster fell, to rise again.
    HalfDied {
        /// Who.
        who: u8,
    },
    /// It entered the master deck.
    Obtained {
        /// The card.
        slot: Slot,
    },
    // Of which nobody hears.
    /// HP became a number.
    HpSet {
        /// Whom it concerns.
        to: u8,
        /// The HP.
        hp: i16,
    },
    /// The player's max HP changed.
    MaxHpChanged {
        /// How much.
        amount: i16,
    },
    /// Block went.
    BlockCleared {
        /// Whom it concerns.
        to: u8,
        /// Block that is left.
        left: i16,
    },
    /// All debuffs went.
    Cleansed {
        /// Whom it concerns.
        to: u8,
        /// These powers.
        powers: Box<[Id]>,
    },
    /// The second number of a power changed.
    Stored {
        /// Whom it concerns.
        to: u8,
        /// Which power.
        power: Id,
        /// How much.
        amount: i16,
    },
    /// The number of an orb changed.
    OrbStored {
        /// Which, counted from 0.
        index: u8,
        /// How much.
        amount: i16,
    },
    /// The counter of a relic changed.
    Counted {
        /// Its place in the row of relics.
        place: u8,
        /// Which relic.
        relic: Id,
        /// What it shows now.
        amount: i16,
    },
    /// Energy was gained or lost.
    EnergyChanged {
        /// How much.
        amount: i16,
    },
    /// The cards of the draw pile changed places.
    DrawShuffled {
        /// Their order now.
        order: Order,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// What was on offer went.
    OfferClosed,
    /// Cards were chosen, by the player, by chance or because there was no choice.
    Selected(Box<Selected>),
    /// Cards are on offer, or will all be made.
    Offered(Box<Offered>),
    /// A card went somewhere.
    Moved {
        /// The card.
        slot: Slot,
        /// Where to.
        spot: Spot,
        /// Where in the pile.
        place: u16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A card was upgraded for the fight.
    Upgraded {
        /// The card.
        slot: Slot,
        /// How often it is upgraded now.
        up: u8,
        /// What it costs then, where that is not what is written on it.
        costs: Costs,
    },
    /// A card of the master deck was upgraded.
    DeckUpgraded {
        /// Which, counted from 0.
        index: u16,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// The cost of a card changed.
    Priced {
        /// The card.
        slot: Slot,
        /// What it costs then.
        price: i8,
        /// How the cost is set.
        way: u8,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A number on a card grew.
    Grew {
        /// The card.
        slot: Slot,
        /// By how much.
        by: i16,
        /// On all cards of its kind.
        all: bool,
        /// On which cards of the fight.
        cards: Box<[Slot]>,
        /// On which card of the master deck, too, counted from 0.
        deck: Option<u16>,
    },
    /// A card will stay in the hand at turn end.
    Retained {
        /// The card.
        slot: Slot,
    },
    /// A card was played.
    Played {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// What it costs.
        cost: i8,
        /// The energy spent on an X.
        x: i16,
        /// How it came to be played.
        way: Way,
        /// It exhausts afterwards.
        exhaust: bool,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A card left the draw pile to be played once it is its turn.
    Taken {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// It exhausts afterwards.
        exhaust: bool,
    },
    /// At whom a card will be played that is still to be taken.
    Aimed {
        /// At whom.
        target: u8,
        /// It exhausts afterwards.
        exhaust: bool,
        /// Behind all that waits.
        late: bool,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// The steps of a card began.
    Ran {
        /// The card.
        slot: Slot,
        /// At whom.
        target: u8,
        /// The energy spent on an X.
        x: i16,
    },
    /// The turn is over for the hand: these cards went to the discard pile, the others stay.
    HandKept {
        /// These.
        discarded: Handful,
    },
    /// An orb did what it does each turn.
    PassiveFired {
        /// Which, counted from 0.
        index: u8,
    },
    /// There are so many slots for orbs now.
    SlotsChanged {
        /// So many.
        slots: u8,
        /// The places of the orbs that went with their slots, counted from 0.
        gone: Box<[u8]>,
    },
    /// The player's turn ended.
    TurnEnding {
        /// The enemies' turn is left out.
        skip: bool,
    },
    /// The turn will end once all that waits is done.
    EndMarked {
        /// The enemies' turn is left out.
        skip: bool,
    },
    /// Gold was gained or lost.
    GoldChanged {
        /// How much.
        amount: i16,
    },
    /// A potion was obtained.
    PotionGained {
        /// Which.
        potion: Id,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A potion was thrown away.
    PotionTossed {
        /// From which slot, counted from 0.
        index: u8,
        /// Which.
        potion: Id,
    },
    /// A monster intends a move.
    Intended {
        /// Who.
        who: u8,
        /// Of which kind, whose move it is.
        kind: Id,
        /// Which move.
        mv: u8,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A card was rolled that will be made once all that waits is done.
    Conjured {
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
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// Dice were rolled that change nothing: a line is spoken, or somebody who is gone would have chosen.
    Spoke {
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A monster did what it intended.
    Acted {
        /// Who.
        who: u8,
        /// Of which kind, whose move it is.
        kind: Id,
        /// Which move.
        mv: u8,
    },
    /// A monster left.
    Escaped {
        /// Who.
        who: u8,
    },
    /// All powers of somebody went.
    Stripped {
        /// Whom it concerns.
        to: u8,
    },
    /// A card for the master deck turned up.
    Found {
        /// Which card.
        card: Id,
    },
    /// Who had fallen rose.
    Revived {
        /// Who.
        who: u8,
        /// The HP.
        hp: i16,
    },
    /// A number that a monster keeps changed.
    VarSet {
        /// Who.
        who: u8,
        /// Which number.
        var: u8,
        /// How much.
        amount: i16,
    },
    /// A monster took gold.
    Stole {
        /// Who.
        who: u8,
        /// How much.
        amount: i16,
    },
    /// A monster took a card.
    CardTaken {
        /// Who.
        who: u8,
        /// The card.
        slot: Slot,
        /// The dice that were rolled.
        rolls: Rolls,
    },
    /// A monster gave the card back.
    CardReturned {
        /// Who.
        who: u8,
        /// The card.
        slot: Slot,
        /// Where to.
        spot: Spot,
    },
    /// The player turned round.
    Faced {
        /// To whom.
        who: u8,
        /// The power that marks who stands behind him.
        power: Id,
        /// Who stands behind him now.
        behind: Box<[u8]>,
    },
    /// A monster forgot the moves it had made.
    Forgot {
        /// Who.
        who: u8,
    },
    /// A death was prevented.
    Spared {
        /// Who.
        who: u8,
    },
    /// Powers wore off.
    WornOff {
        /// Which time of the round.
        when: u8,
        /// Which, body by body.
        worn: WornPowers,
    },
    /// The same as matches of rules 3 and before have it: which, and by how much, follows from the state.
    Decayed {
        /// Which time of the round.
        when: u8,
        /// The player's.
        player: bool,
        /// The monsters'.
        monsters: bool,
    },
    /// The player's turn began.
    TurnStarted {
        /// Energy of the turn.
        energy: i16,
        /// Block that is left.
        block: i16,
    },
    /// The monsters' block went at the end of a round.
    RoundBlock {
        /// What is left of it.
        left: BlocksLeft,
    },
    /// The turn of one monster began.
    EnemyStarted {
        /// Who.
        who: u8,
        /// Block that is left.
        left: i16,
    },
    /// The monsters' turn began.
    MonstersStarted {
        /// What is left of their block.
        left: BlocksLeft,
    },
    /// What cards cost for the turn ended.
    TurnCardsReset,
    /// HP at the start of the turn were noted.
    TurnMarked,
    /// Whether the turn cost HP was noted.
    TurnHurt,
    /// The fight began.
    Began,
    /// The finished fight was left.
    Left,
    /// Attacks are counted anew.
    AttackCountReset,
    /// The fight was won.
    Won,
    /// The fight was lost.
    Lost,
    /// The fight was left.
    Fled,
    /// Cards that were set aside came into the hand, or elsewhere if it is full.
    LimboReturned {
        /// Which card went where.
        cards: Box<[(Slot, Pile)]>,
    },
}

// Facts travel by value, most of them in the frequent fights: what is large and rare is in a box.
const _: () = assert!(size_of::<Event>() == 40);

/// Who had block when it went, and how much of it is left: few enough to be kept in place.
pub(crate) type BlocksLeft = SmallVec<[(u8, i16); 4]>;

/// The powers that wore off at one time of the round: few enough to be kept in place, mostly.
pub type WornPowers = SmallVec<[Worn; 4]>;

/// A power that wore off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worn {
    /// Whose.
    pub who: u8,
    /// Which.
    pub power: Id,
    /// By how much it fell; 0 if it was too fresh for that, which it is no more.
    pub by: i16,
}

/// What a card costs where something changed that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// For the fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fight: Option<i8>,
    /// For the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<i8>,
    /// Added to what it costs.
    pub(crate) added: i8,
}

impl Costs {
    /// Those of a card.
    pub(crate) fn of(card: &Card) -> Self {
        let changed = |cost: i8| (cost != NO_COST).then_some(cost);
        Costs { fight: changed(card.cost), turn: changed(card.turn_cost), added: card.cost_add }
    }

    /// Writes them on a card.
    pub(crate) fn write_on(self, card: &mut Card) {
        card.cost = self.fight.unwrap_or(NO_COST);
        card.turn_cost = self.turn.unwrap_or(NO_COST);
        card.cost_add = self.added;
    }
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

    /// The cards of the upper end of a pile, the topmost first; as many as there is room for.
    #[inline]
    pub(crate) fn from_top(pile: &[Slot]) -> Self {
        let mut cards = [0; HAND];
        for (place, &slot) in cards.iter_mut().zip(pile.iter().rev()) {
            *place = slot;
        }
        Handful { count: pile.len().min(HAND) as u8, cards }
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
    pub(crate) ctx: Ctx,
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

impl Choice {
    /// The place of the option among all, if one was taken.
    pub(crate) fn option(&self) -> Option<usize> {
        match *self {
            Choice::Option(option) => option.map(usize::from),
            Choice::Cards { .. } => None,
        }
    }
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
    pub(crate) ctx: Ctx,
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
            Event::Run(_)
            | Event::Moment { .. }
            | Event::Blocked { .. }
            | Event::Healed { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Drew { .. }
            | Event::Discarded { .. }
            | Event::Kept { .. }
            | Event::Evoked { .. }
            | Event::PotionUsed { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Obtained { .. }
            | Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::Counted { .. }
            | Event::EnergyChanged { .. }
            | Event::OfferClosed
            | Event::Selected(_)
            | Event::Offered(_)
            | Event::Upgraded { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Taken { .. }
            | Event::Ran { .. }
            | Event::HandKept { .. }
            | Event::PassiveFired { .. }
            | Event::SlotsChanged { .. }
            | Event::TurnEnding { .. }
            | Event::EndMarked { .. }
            | Event::GoldChanged { .. }
            | Event::PotionTossed { .. }
            | Event::Acted { .. }
            | Event::Escaped { .. }
            | Event::Stripped { .. }
            | Event::Found { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardReturned { .. }
            | Event::Faced { .. }
            | Event::Forgot { .. }
            | Event::Spared { .. }
            | Event::WornOff { .. }
            | Event::Decayed { .. }
            | Event::TurnStarted { .. }
            | Event::RoundBlock { .. }
            | Event::EnemyStarted { .. }
            | Event::MonstersStarted { .. }
            | Event::TurnCardsReset
            | Event::TurnMarked
            | Event::TurnHurt
            | Event::Began
            | Event::Left
            | Event::AttackCountReset
            | Event::Won
            | Event::Lost
            | Event::Fled
            | Event::LimboReturned { .. } => $none,
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
    pub(crate) fn rolls_mut(&mut self) -> Option<&mut Rolls> {
        match self {
            Event::Selected(selected) => Some(&mut selected.rolls),
            Event::Offered(offered) => Some(&mut offered.rolls),
            Event::Drew { costs, .. } => costs.as_mut().map(|costs| &mut costs.rolls),
            event => rolls_in!(event, rolls => Some(rolls), None),
        }
    }
}

impl From<run::event::Event> for Event {
    fn from(event: run::event::Event) -> Self {
        Event::Run(Box::new(event))
    }
}
