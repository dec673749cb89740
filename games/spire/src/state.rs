//! Everything that changes: the run around it, and the combat, which is flat and cheap to copy.

use crate::catalog::compile::{Id, Marks};
use crate::catalog::words::{CardType, Moment};
use crate::dice::FightDice;
use crate::floats::Single;
use crate::run::tower::Around;
use serde::{Deserialize, Serialize};

/// The number of a card within a combat; never reused.
pub type Slot = u16;
/// No card.
pub const NO_CARD: Slot = u16::MAX;
/// No body.
pub(crate) const NOBODY: u8 = u8::MAX;
/// A living enemy to be rolled when the effect happens.
pub(crate) const ANYBODY: u8 = u8::MAX - 1;
/// With a monster's number added: another living monster, rolled when the effect happens.
pub(crate) const ALLY_OF: u8 = 128;
/// The living enemy with least HP when the effect happens.
pub(crate) const WEAKEST: u8 = u8::MAX - 2;
/// No kind.
pub const NONE: Id = u16::MAX;
/// No changed cost.
pub const NO_COST: i8 = i8::MIN;
/// The player's body.
pub const PLAYER: u8 = 0;
/// Bodies that a fight can have at one time.
pub(crate) const MOST_BODIES: usize = 60;
/// Cards a hand can hold.
pub(crate) const HAND: usize = 10;

/// A card of the master deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeckCard {
    /// Which card.
    pub id: Id,
    /// Upgrades.
    pub up: u8,
    /// Bottled: starts in the hand.
    pub bottled: bool,
    /// What it has grown by.
    pub grown: i16,
}

/// An owned relic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnedRelic {
    /// Which relic.
    pub id: Id,
    /// Its counter.
    pub counter: i16,
}

/// What lasts from fight to fight.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Run {
    pub seed: u64,
    pub character: Id,
    pub ascension: u8,
    pub act: u8,
    pub floor: u8,
    pub hp: i16,
    pub max_hp: i16,
    pub gold: i32,
    pub energy: i16,
    pub draw: i16,
    pub orb_slots: u8,
    pub potion_slots: u8,
    /// Strength that every fight starts with.
    pub strength: i16,
    pub deck: Vec<DeckCard>,
    pub relics: Vec<OwnedRelic>,
    /// Potions in their slots; [`NONE`] is an empty slot.
    pub potions: Vec<Id>,
    /// The dice of the fight, if they are the original's; between fights the tower has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<FightDice>,
}

/// Where a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pile {
    /// Draw pile.
    #[default]
    Draw,
    /// Hand.
    Hand,
    /// Discard pile.
    Discard,
    /// Exhaust pile.
    Exhaust,
    /// Being played.
    Play,
    /// Set aside until the next turn start.
    Limbo,
    /// Out of the combat: played powers, copies, vanished cards.
    Gone,
}

/// A card in combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Which card.
    pub id: Id,
    /// Upgrades.
    pub up: u8,
    /// Where it is.
    pub pile: Pile,
    /// Changed cost for the combat, or [`NO_COST`].
    pub cost: i8,
    /// Changed cost for the turn, or [`NO_COST`].
    pub turn_cost: i8,
    /// Added to its cost for the combat.
    pub cost_add: i8,
    /// How far its cost had changed by itself when it was last set.
    pub cost_from: i8,
    /// [`card_flag`]s.
    pub flags: u8,
    /// What it has grown by.
    pub grown: i16,
    /// A number kept on it.
    pub kept: i16,
    /// The card this one is a copy of for one play; its own slot is not needed otherwise.
    pub of: Slot,
}

/// Flags of a [`Card`].
pub mod card_flag {
    /// Retained at this turn's end.
    pub const RETAIN: u8 = 1;
    /// Costs nothing until it is played.
    pub const FREE_ONCE: u8 = 2;
    /// A copy that vanishes after play.
    pub const COPY: u8 = 4;
    /// Exhausts after this play whatever it says.
    pub(crate) const EXHAUST: u8 = 8;
    /// Its cost was rolled.
    pub const CONFUSED: u8 = 16;
    /// Innate through a relic.
    pub(crate) const BOTTLED: u8 = 32;
    /// Being played by an effect.
    pub(crate) const AUTO: u8 = 64;
}

impl Card {
    /// A card of the master deck.
    pub(crate) fn of_deck(held: DeckCard) -> Self {
        let flags = if held.bottled { card_flag::BOTTLED } else { 0 };
        Card { flags, ..Card::new(held.id, held.up) }
    }

    /// A new card.
    pub fn new(id: Id, up: u8) -> Self {
        Card {
            id,
            up,
            pile: Pile::Gone,
            cost: NO_COST,
            turn_cost: NO_COST,
            cost_add: 0,
            cost_from: 0,
            flags: 0,
            grown: 0,
            kept: 0,
            of: NO_CARD,
        }
    }

    /// Whether the flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Nothing has changed its cost.
    #[inline]
    pub(crate) fn cost_is_own(&self) -> bool {
        // Side by side, so that one comparison sees them all.
        let side_by_side = |costs: [i8; 4]| u32::from_le_bytes(costs.map(|cost| cost as u8));
        let costs = side_by_side([self.cost, self.turn_cost, self.cost_add, self.cost_from]);
        let own = const { [NO_COST, NO_COST, 0, 0] };
        costs == side_by_side(own) && self.flags & (card_flag::FREE_ONCE | card_flag::CONFUSED) == 0
    }

    /// Base form 0, upgraded form 1.
    #[inline]
    pub fn form(&self) -> usize {
        usize::from(self.up > 0)
    }
}

/// A power on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Power {
    /// Which power.
    pub id: Id,
    /// Stacks.
    pub n: i16,
    /// The second number.
    pub stored: i16,
    /// Skips its next decay.
    pub fresh: bool,
}

/// Whether a body lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// It lives.
    #[default]
    Alive,
    /// It lies at 0 HP and may revive.
    HalfDead,
    /// It is dead.
    Dead,
    /// It has left the fight.
    Escaped,
}

/// The player (number 0) or a monster.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Body {
    pub kind: Id,
    /// Where it stands: who has less stands further left.
    pub x: i16,
    pub hp: i16,
    pub max_hp: i16,
    pub block: i16,
    pub life: Life,
    pub minion: bool,
    /// The move it intends, or 255.
    pub intent: u8,
    /// The moves made, the last one first, or 255.
    pub history: [u8; 3],
    pub moves: u8,
    pub used: [u8; 10],
    pub vars: [i16; 4],
    /// Gold it stole.
    pub stolen: i16,
    /// A card it took.
    pub held: Slot,
    pub powers: Vec<Power>,
    #[serde(skip)]
    pub(crate) force: Force,
    /// Unions of what its powers (and its kind) listen to.
    #[serde(with = "wide")]
    pub moments: u128,
    pub stages: u64,
    pub stops: u32,
    pub flags: u32,
}

impl Body {
    /// A body without powers.
    pub fn new(kind: Id, hp: i16) -> Self {
        Body {
            kind,
            x: 0,
            hp,
            max_hp: hp,
            block: 0,
            life: Life::Alive,
            minion: false,
            intent: 255,
            history: [255; 3],
            moves: 0,
            used: [0; 10],
            vars: [0; 4],
            stolen: 0,
            held: NO_CARD,
            powers: Vec::new(),
            force: Force::default(),
            moments: 0,
            stages: 0,
            stops: 0,
            flags: 0,
        }
    }

    /// It lives and can be aimed at.
    #[inline]
    pub fn alive(&self) -> bool {
        self.life == Life::Alive
    }

    /// Its entry for a power.
    #[inline]
    pub fn power(&self, id: Id) -> Option<&Power> {
        self.powers.iter().find(|power| power.id == id)
    }

    /// Stacks of a power, 0 without it.
    #[inline]
    pub fn stacks(&self, id: Id) -> i16 {
        self.power(id).map_or(0, |power| power.n)
    }
}

impl Clone for Body {
    fn clone(&self) -> Self {
        Body { powers: self.powers.clone(), ..*self }
    }

    fn clone_from(&mut self, from: &Self) {
        let Body {
            kind,
            x,
            hp,
            max_hp,
            block,
            life,
            minion,
            intent,
            history,
            moves,
            used,
            vars,
            stolen,
            held,
            powers,
            force,
            moments,
            stages,
            stops,
            flags,
        } = from;
        (self.kind, self.hp, self.max_hp, self.block, self.life) = (*kind, *hp, *max_hp, *block, *life);
        self.x = *x;
        (self.minion, self.intent, self.history, self.moves) = (*minion, *intent, *history, *moves);
        (self.used, self.vars, self.stolen, self.held) = (*used, *vars, *stolen, *held);
        self.powers.clone_from(powers);
        self.force = *force;
        (self.moments, self.stages, self.stops, self.flags) = (*moments, *stages, *stops, *flags);
    }
}

/// A channeled orb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orb {
    /// Its kind.
    pub id: Id,
    /// What it holds.
    pub stored: i16,
}

/// How far a combat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    // In which nothing happens any more, side by side, so that one comparison tells them from the rest.
    /// No combat.
    #[default]
    None,
    /// Lost.
    Lost,
    /// Prepared; waits to begin.
    Ready,
    /// The player's turn.
    Player,
    /// The player's turn is ending, or the enemies act.
    Enemies,
    /// Won.
    Won,
    /// Fled.
    Fled,
}

/// A card that left the draw pile and waits to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// The card.
    pub slot: Slot,
    /// At whom, if it aims.
    pub target: u8,
    /// It is exhausted then.
    pub exhaust: bool,
}

/// Numbers counted in a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub turn: u16,
    pub cards_played: u8,
    pub(crate) attacks_played: u8,
    pub(crate) skills_played: u8,
    pub(crate) powers_this_turn: u8,
    pub discarded: u8,
    pub powers_played: u16,
    pub times_hurt: u16,
    pub mantra: u16,
    /// Attacks executed, for Pen Nib, in the recorded engine counted without the relic too.
    pub attack_count: u16,
    pub channeled: [u8; 8],
    /// Type of the card played before, 255 for none.
    pub previous: u8,
    /// Type of the card being played.
    pub current: u8,
    /// The player's HP when his turn began, and whether he lost some during the last one.
    pub hp_at_turn_start: i16,
    pub hurt_last_turn: bool,
    /// The most cards played in one turn.
    pub(crate) most_played: u8,
    /// The damage of the player's hardest attack.
    pub(crate) hardest_blow: i16,
    /// The player lost HP to damage, what he took from himself aside.
    pub(crate) harmed: bool,
}

/// What follows from the rest of a fight and is kept only to be at hand. It is neither saved nor compared: where it is
/// not known, everything is possible, and the rules look for themselves.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// The stages that anything may alter for the player: powers, relics, cards and stance together.
    pub stages: u64,
    /// The moments that anybody's powers, or a monster itself, may hear.
    pub bodies: u128,
    /// The places of the relics that hear each moment of a fight; the last bit stands for all from there on.
    pub relics: [u64; HEARD],
    /// For each type of card, the places of the relics that count it when it is used.
    pub(crate) counting: [u64; KINDS],
    /// The places of the relics that count turns.
    pub(crate) counting_turns: u64,
    /// For each type of card, the places of the relics that may do more than count at a moment of its play.
    pub acting: [u64; KINDS],
    /// The sounds that anybody may hear, one bit each.
    pub(crate) sounds: u32,
    /// The count of a relic came round with the card that was counted last.
    pub(crate) due: bool,
    /// A card may be marked to be retained.
    pub(crate) retained: bool,
    /// A card may cost something else for this turn.
    pub(crate) repriced: bool,
    /// The places of the relics whose count begins anew with every turn.
    pub(crate) resetting: u64,
    /// The marks that any card of the fight may have.
    pub(crate) marks: Marks,
}

impl Default for Hints {
    fn default() -> Self {
        Hints {
            stages: u64::MAX,
            bodies: u128::MAX,
            relics: [u64::MAX; HEARD],
            counting: [u64::MAX; KINDS],
            counting_turns: u64::MAX,
            acting: [u64::MAX; KINDS],
            sounds: u32::MAX,
            due: true,
            retained: true,
            repriced: true,
            resetting: u64::MAX,
            marks: Marks::ALL,
        }
    }
}

/// How many types of cards there are.
pub const KINDS: usize = CardType::ALL.len();

/// How many moments, from the first on, are heard in fights.
pub(crate) const HEARD: usize = Moment::TargetChosen as usize + 1;
/// These moments as a mask.
pub(crate) const HEARD_IN_FIGHTS: u128 = (1 << HEARD) - 1;

/// Sees the places of a mask, the lowest first, until one is what is looked for; its last bit stands for all places from
/// there on. A plain loop: that was felt.
#[inline(always)]
pub(crate) fn any_place(mask: u64, count: usize, mut is_it: impl FnMut(usize) -> bool) -> bool {
    const LAST: u64 = 1 << 63;
    let mut left = mask & !LAST;
    while left != 0 {
        let place = left.trailing_zeros() as usize;
        if place >= count {
            return false;
        }
        left &= left - 1;
        if is_it(place) {
            return true;
        }
    }
    mask & LAST != 0 && (63..count).any(is_it)
}

/// The places of a mask, like `any_place`, for where much is done with each of them: that then stands there once.
#[inline(always)]
pub fn places(mask: u64, count: usize) -> impl Iterator<Item = usize> {
    let (mut left, mut beyond) = (mask, 0);
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let place = left.trailing_zeros() as usize + beyond;
        if place < 63 {
            left &= left - 1;
        } else {
            beyond += 1;
        }
        (place < count).then_some(place)
    })
}

/// The bit of a place.
#[inline]
pub(crate) fn place_bit(place: usize) -> u64 {
    1 << place.min(63)
}

/// What a body's powers do to attacks, if that is as simple as it mostly is: what is added, then factors. It follows
/// from the powers and is neither saved nor compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Force {
    /// It is as simple as that.
    pub known: bool,
    /// What Strength adds.
    pub strength: i16,
    /// What everything else adds.
    pub add: i16,
    /// The power that adds anything, if it is but one.
    pub(crate) adder: Adder,
    /// What is dealt is multiplied.
    pub dealt: Factor,
    /// What is taken is multiplied.
    pub taken: Factor,
}

/// Who adds to attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Adder {
    /// Nobody.
    #[default]
    Nobody,
    /// This power.
    One(Id),
    /// Several powers.
    Several,
}

/// A factor of attacks, and the power that it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// What is multiplied by.
    pub times: Single,
    /// The power, or [`NONE`] if there is no factor.
    pub by: Id,
}

impl Default for Factor {
    fn default() -> Self {
        Factor { times: Single::ONE, by: NONE }
    }
}

impl PartialEq for Force {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl PartialEq for Hints {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// A fight.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Combat {
    pub stage: Stage,
    pub rank: u8,
    pub encounter: Id,
    pub energy: i16,
    pub energy_max: i16,
    pub counts: Counts,
    pub stance: Id,
    pub orb_slots: u8,
    pub last_orb: Option<Orb>,
    /// Draws of the dice so far.
    pub rolls: u32,
    /// The player's turn ends as soon as nothing waits.
    pub ending: bool,
    pub skip_enemies: bool,
    /// Nobody is left to fight.
    pub decided: bool,
    pub no_shuffle: bool,
    pub facing: u8,
    /// The potion being used.
    pub potion: Id,
    /// Numbers of the step before.
    pub handled: i16,
    pub dealt: i16,
    pub handled_cost: i16,
    /// Unions of what relics and bodies listen to.
    #[serde(with = "wide")]
    pub moments: u128,
    #[serde(with = "wide")]
    pub relic_moments: u128,
    pub relic_stages: u64,
    pub relic_stops: u32,
    pub relic_flags: u32,
    /// Unions of what any card in the fight listens to.
    #[serde(with = "wide")]
    pub card_moments: u128,
    pub card_stages: u64,
    #[serde(skip)]
    pub hints: Hints,
    /// Energy and cards each turn start gives are read from the run.
    pub cards: Vec<Card>,
    /// Bottom first.
    pub draw: Vec<Slot>,
    pub hand: Vec<Slot>,
    pub discard: Vec<Slot>,
    pub exhaust: Vec<Slot>,
    pub limbo: Vec<Slot>,
    pub bodies: Vec<Body>,
    /// The monsters from left to right.
    pub board: Vec<u8>,
    pub orbs: Vec<Orb>,
    /// Cards handled by the step before.
    pub chosen: Vec<Slot>,
    /// Cards drawn by the step before.
    pub drawn: Vec<Slot>,
    /// Cards that left the draw pile to be played, the first one first.
    pub taken: Vec<Taken>,
    /// Picks of the answer being given.
    pub picks: Vec<Slot>,
    pub picked: bool,
    /// Types of the cards played this turn.
    pub played: Vec<u8>,
    /// Cards on offer.
    pub offer: Vec<(Id, u8)>,
    /// Place of every card in one list, where the ruleset keeps one.
    pub order: Vec<i32>,
    /// Recorded draws that come before those of the dice.
    pub tape: Vec<u64>,
}

/// Masks of 128 bits as hexadecimal text: JSON numbers do not reach that far.
mod wide {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(mask: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{mask:x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

/// The state of a match.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// What lasts.
    pub run: Run,
    /// The fight.
    pub combat: Combat,
    /// The tower around it; a fight of its own stands nowhere.
    #[serde(default, skip_serializing_if = "Around::is_nowhere")]
    pub tower: Around,
}

macro_rules! clone_fields {
    ($name:ident: copy $($plain:ident)*; vec $($list:ident)*) => {
        impl Clone for $name {
            fn clone(&self) -> Self {
                $name { $($plain: self.$plain,)* $($list: self.$list.clone(),)* }
            }

            fn clone_from(&mut self, from: &Self) {
                let $name { $($plain,)* $($list,)* } = from;
                $(self.$plain = *$plain;)*
                $(self.$list.clone_from($list);)*
            }
        }
    };
}

clone_fields!(Run: copy seed character ascension act floor hp max_hp gold energy draw orb_slots potion_slots strength
    dice;
    vec deck relics potions);
clone_fields!(Combat: copy stage rank encounter energy energy_max counts stance orb_slots last_orb rolls ending
    skip_enemies decided no_shuffle facing potion handled dealt handled_cost moments relic_moments relic_stages relic_stops
    relic_flags card_moments card_stages hints picked;
    vec cards draw hand discard exhaust limbo bodies board orbs chosen drawn taken picks played offer order tape);

impl Clone for State {
    fn clone(&self) -> Self {
        State { run: self.run.clone(), combat: self.combat.clone(), tower: self.tower.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        self.run.clone_from(&from.run);
        self.combat.clone_from(&from.combat);
        self.tower.clone_from(&from.tower);
    }
}

impl Combat {
    /// Becomes `other`; the lists keep their room, so that a fight after a fight allocates little.
    pub(crate) fn begin_anew(&mut self, other: Combat) {
        self.clone_from(&other);
    }

    /// A body by number, if it exists.
    #[inline]
    pub fn body(&self, who: u8) -> Option<&Body> {
        self.bodies.get(who as usize)
    }

    /// A living body.
    #[inline]
    pub fn living(&self, who: u8) -> Option<&Body> {
        self.body(who).filter(|body| body.alive())
    }

    /// The player.
    #[inline]
    pub fn player(&self) -> &Body {
        &self.bodies[0]
    }

    /// Numbers of the living enemies, in board order.
    #[inline]
    pub fn enemies(&self) -> impl Iterator<Item = u8> + '_ {
        self.board.iter().copied().filter(|&who| self.bodies[who as usize].alive())
    }

    /// The only living enemy, if there is but one.
    #[inline]
    pub(crate) fn lone_enemy(&self) -> Option<u8> {
        match *self.board.as_slice() {
            [one] => self.living(one).map(|_| one),
            _ => self.only_survivor(),
        }
    }

    #[inline(never)]
    fn only_survivor(&self) -> Option<u8> {
        let mut enemies = self.enemies();
        enemies.next().filter(|_| enemies.next().is_none())
    }

    /// The place right of everybody.
    pub fn right_end(&self) -> i16 {
        self.board.last().map_or(0, |&who| self.bodies[who as usize].x.saturating_add(10))
    }

    /// Somebody joins: the player first, then monsters, each where it stands.
    pub fn add_body(&mut self, body: Body) {
        if !self.bodies.is_empty() {
            let left = self.board.iter().take_while(|&&who| self.bodies[who as usize].x < body.x).count();
            self.board.insert(left, self.bodies.len() as u8);
        }
        self.bodies.push(body);
    }

    /// Sends all monsters away, as if they had never been there.
    pub(crate) fn clear_board(&mut self) {
        self.bodies.truncate(1);
        self.board.clear();
    }

    /// A pile, if it is one with an order.
    pub fn pile(&self, pile: Pile) -> &[Slot] {
        match pile {
            Pile::Draw => &self.draw,
            Pile::Hand => &self.hand,
            Pile::Discard => &self.discard,
            Pile::Exhaust => &self.exhaust,
            Pile::Limbo => &self.limbo,
            Pile::Play | Pile::Gone => &[],
        }
    }

    /// A pile to write to.
    #[inline]
    pub(crate) fn pile_mut(&mut self, pile: Pile) -> Option<&mut Vec<Slot>> {
        match pile {
            Pile::Draw => Some(&mut self.draw),
            Pile::Hand => Some(&mut self.hand),
            Pile::Discard => Some(&mut self.discard),
            Pile::Exhaust => Some(&mut self.exhaust),
            Pile::Limbo => Some(&mut self.limbo),
            Pile::Play | Pile::Gone => None,
        }
    }

    /// Takes a card out of its pile.
    #[inline(always)]
    pub(crate) fn lift(&mut self, slot: Slot) {
        let Some(card) = self.cards.get_mut(slot as usize) else { return };
        let pile = std::mem::replace(&mut card.pile, Pile::Gone);
        // What was free until played has been played.
        if pile == Pile::Play {
            card.flags &= !card_flag::FREE_ONCE;
            return self.taken_no_more(slot);
        }
        if let Some(list) = self.pile_mut(pile)
            && let Some(index) = list.iter().position(|&other| other == slot)
        {
            list.remove(index);
        }
    }

    /// It does not wait to be played any more, if it did.
    #[inline]
    fn taken_no_more(&mut self, slot: Slot) {
        if !self.taken.is_empty() {
            self.taken.retain(|taken| taken.slot != slot);
        }
    }

    /// Puts a lifted card on the end of a pile; with one list of all cards, to its place there.
    #[inline]
    pub fn place(&mut self, slot: Slot, pile: Pile) {
        self.cards[slot as usize].pile = pile;
        if !self.order.is_empty() {
            self.place_in_order(slot, pile);
        } else if let Some(list) = self.pile_mut(pile) {
            list.push(slot);
        }
    }

    /// The same for several.
    #[inline]
    pub(crate) fn place_all(&mut self, slots: &[Slot], pile: Pile) {
        if !self.order.is_empty() {
            return slots.iter().for_each(|&slot| self.place(slot, pile));
        }
        for &slot in slots {
            self.cards[slot as usize].pile = pile;
        }
        if let Some(list) = self.pile_mut(pile) {
            list.extend_from_slice(slots);
        }
    }

    #[inline(never)]
    fn place_in_order(&mut self, slot: Slot, pile: Pile) {
        let order = std::mem::take(&mut self.order);
        let key = |slot: Slot| order[slot as usize];
        if let Some(list) = self.pile_mut(pile) {
            // The draw pile lies bottom first, so its list order is reversed.
            let at = if pile == Pile::Draw {
                list.partition_point(|&other| key(other) > key(slot))
            } else {
                list.partition_point(|&other| key(other) < key(slot))
            };
            list.insert(at, slot);
        }
        self.order = order;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bit_of_a_mask_stands_for_all_places_from_there_on() {
        let seen = |mask: u64, count: usize| {
            let mut seen = Vec::new();
            any_place(mask, count, |place| {
                seen.push(place);
                false
            });
            seen
        };
        assert_eq!(seen(0b1010_0001, 8), [0, 5, 7]);
        assert_eq!(seen(0b1010_0001, 6), [0, 5]);
        assert_eq!(seen(place_bit(2) | place_bit(70), 66), [2, 63, 64, 65]);
        assert_eq!(seen(u64::MAX, 66), (0..66).collect::<Vec<_>>());
        for mask in [0, 1, 0b1010_0001, place_bit(62), place_bit(63), place_bit(2) | place_bit(70), u64::MAX]
        {
            for count in [0, 1, 6, 8, 63, 64, 66] {
                assert_eq!(places(mask, count).collect::<Vec<_>>(), seen(mask, count), "{mask:x} {count}");
            }
        }
        assert!(any_place(0b110, 3, |place| place == 2));
        assert!(!any_place(0b110, 2, |place| place == 2));
    }
}
