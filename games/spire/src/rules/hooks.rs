//! Who hears of an event, and what they do: the listeners of content.

use super::orbs::stance_ctx;
use super::steps::lane;
use crate::catalog::compile::{ANY_KIND, Ears, Hook, Program, Sight, kind_bit};
use crate::catalog::hook::Once;
use crate::catalog::words::{CardType, DamageKind, Moment, Prevent, Queue};
use crate::effect::{Ctx, Effect, Hearer, Listener, Origin, Source};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Heard, Out, Spire};
use crate::state::{Body, Life, NO_CARD, NOBODY, NONE, PLAYER, Slot, State, any_place, place_bit, places};
use turnstone::Verdict;

/// Hooks that go in front of the queue are asked behind all others, counted down from here.
const FIRSTS: i32 = 1 << 30;

/// The place of stances among those who hear of their change.
const STANCES: i32 = 5500;
/// What a stance hears of its change: that it is left,
const LEAVES: u8 = 0;
/// or that it is entered.
const ENTERS: u8 = 1;

/// Moments as one mask.
const fn mask(moments: &[Moment]) -> u128 {
    let (mut mask, mut index) = (0, 0);
    while index < moments.len() {
        mask |= 1 << moments[index] as u32;
        index += 1;
    }
    mask
}

/// Facts by the moments that they may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sound {
    /// None.
    Silence,
    /// Whatever is listened to, somebody may hear of it.
    Call,
    Hit,
    Block,
    Heal,
    Channel,
    Evoke,
    Potion,
    Spawn,
    Death,
    Draw,
    Discard,
    Exhaust,
    Keep,
    Shuffle,
    Create,
    Obtain,
}

/// The moments of each [`Sound`].
const SOUNDS: [u128; 17] = [
    0,
    u128::MAX,
    mask(&[
        Moment::Attacking,
        Moment::Attacked,
        Moment::HpLost,
        Moment::Inflicted,
        Moment::BlockBroken,
        Moment::Bloodied,
    ]),
    mask(&[Moment::BlockGained]),
    mask(&[Moment::NotBloodied]),
    mask(&[Moment::OrbChanneled]),
    mask(&[Moment::OrbEvoked]),
    mask(&[Moment::PotionUsed]),
    mask(&[Moment::MonsterSpawned]),
    mask(&[Moment::OwnerDied, Moment::MonsterDied]),
    mask(&[Moment::CardDrawn, Moment::Draw]),
    mask(&[Moment::CardDiscarded, Moment::Discard]),
    mask(&[Moment::CardExhausted, Moment::Exhaust]),
    mask(&[Moment::CardRetained, Moment::Retain]),
    mask(&[Moment::Shuffled]),
    mask(&[Moment::CardCreated]),
    mask(&[Moment::CardObtained]),
];

/// Facts that nobody hears of.
macro_rules! silent {
    () => {
        Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::Counted { .. }
            | Event::EnergyChanged { .. }
            | Event::DrawShuffled { .. }
            | Event::OfferClosed
            | Event::Selected(_)
            | Event::Offered(_)
            | Event::Moved { .. }
            | Event::Upgraded { .. }
            | Event::DeckUpgraded { .. }
            | Event::Priced { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Played { .. }
            | Event::Taken { .. }
            | Event::Aimed { .. }
            | Event::Ran { .. }
            | Event::HandKept { .. }
            | Event::PassiveFired { .. }
            | Event::SlotsChanged { .. }
            | Event::TurnEnding { .. }
            | Event::EndMarked { .. }
            | Event::GoldChanged { .. }
            | Event::PotionGained { .. }
            | Event::PotionTossed { .. }
            | Event::Intended { .. }
            | Event::Conjured { .. }
            | Event::Spoke { .. }
            | Event::Acted { .. }
            | Event::Escaped { .. }
            | Event::Stripped { .. }
            | Event::Found { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardTaken { .. }
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
            | Event::LimboReturned { .. }
    };
}

/// What a fact sounds like: without conditions, so that it is read from a table.
#[inline(always)]
const fn sound(event: &Event) -> Sound {
    match event {
        Event::Run(_)
        | Event::Moment { .. }
        | Event::Applied { .. }
        | Event::Reduced { .. }
        | Event::StanceChanged { .. } => Sound::Call,
        Event::Hit { .. } => Sound::Hit,
        Event::Blocked { .. } | Event::Guarded { .. } => Sound::Block,
        Event::Healed { .. } => Sound::Heal,
        Event::Channeled { .. } => Sound::Channel,
        Event::Evoked { .. } => Sound::Evoke,
        Event::PotionUsed { .. } => Sound::Potion,
        Event::Spawned { .. } => Sound::Spawn,
        Event::Died { .. } | Event::HalfDied { .. } => Sound::Death,
        Event::Drew { .. } => Sound::Draw,
        Event::Discarded { .. } => Sound::Discard,
        Event::Exhausted { .. } => Sound::Exhaust,
        Event::Kept { .. } => Sound::Keep,
        Event::Shuffled { .. } => Sound::Shuffle,
        Event::Created { .. } | Event::Copied { .. } => Sound::Create,
        Event::Obtained { .. } => Sound::Obtain,
        silent!() => Sound::Silence,
    }
}

/// The sounds that anybody may hear, one bit each.
fn audible(s: &State) -> u32 {
    let moments = s.combat.moments | s.combat.card_moments;
    let bits = SOUNDS.iter().enumerate().map(|(sound, &heard)| (sound, heard & moments != 0));
    let bits = bits.map(|(sound, heard)| (sound, heard || sound == Sound::Call as usize));
    bits.fold(0, |mask, (sound, heard)| mask | u32::from(heard) << sound)
}

/// A moment that comes, with what a hook sees of it at a glance.
#[derive(Clone, Copy)]
struct Calling {
    moment: Moment,
    card: Slot,
    sight: Sight,
}

impl Calling {
    #[inline]
    fn new(s: &State, moment: Moment, card: Slot) -> Self {
        let turn = s.combat.counts.turn;
        Calling { moment, card, sight: Sight { kind: ANY_KIND, turn, count: 0, guarded: false } }
    }

    /// The same for cards of these types.
    #[inline]
    fn of_kind(mut self, kind: u8) -> Self {
        self.sight.kind = kind;
        self
    }

    /// The same as a body sees it, and the relic with that count.
    #[inline]
    fn seen_by(mut self, body: &Body, count: i16) -> Self {
        (self.sight.guarded, self.sight.count) = (body.block != 0, count);
        self
    }

    /// Whether a hook of this moment may act: its condition is not ruled out, and its count has come round.
    #[inline]
    fn may_wake(&self, hook: &Hook) -> bool {
        hook.glance.allows(&self.sight) && (hook.tally == 0 || self.sight.count == 0)
    }
}

/// What a listener may know of an event.
#[derive(Clone, Copy)]
struct Facts {
    other: u8,
    number: i16,
    card: Slot,
    kind: Option<DamageKind>,
    stances: (u16, u16),
}

impl Facts {
    const NOTHING: Facts =
        Facts { other: NOBODY, number: 0, card: NO_CARD, kind: None, stances: (NONE, NONE) };
}

impl Spire {
    /// A moment as an effect.
    pub fn moment(&self, moment: Moment, owner: u8) -> Effect {
        Effect::Moment { moment, owner, other: NOBODY, card: NO_CARD, number: 0 }
    }

    /// Proposes a moment if anybody hears it.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(crate) fn moment_if(
        &self,
        s: &State,
        moment: Moment,
        owner: u8,
        other: u8,
        card: Slot,
        number: i16,
        out: &mut Out,
    ) {
        if s.combat.moments >> moment as u32 & 1 != 0 {
            out.first(Effect::Moment { moment, owner, other, card, number });
        }
    }

    /// The hooks of an entry that a listener names.
    fn ears_of(&self, s: &State, owner: u8, source: Source, card: Slot) -> Option<&Ears> {
        match source.origin() {
            Origin::Power(id) => self.catalog.powers.get(id as usize).map(|info| &info.ears),
            Origin::Relic(index) => {
                let relic = s.run.relics.get(index as usize)?;
                self.catalog.relics.get(relic.id as usize).map(|info| &info.ears)
            }
            Origin::Potion(id) => self.catalog.potions.get(id as usize).map(|info| &info.ears),
            Origin::Monster => {
                let body = s.combat.body(owner)?;
                self.catalog.monsters.get(body.kind as usize).map(|info| &info.ears)
            }
            Origin::Card | Origin::Copy => {
                let card = s.combat.cards.get(card as usize)?;
                Some(&self.catalog.cards[card.id as usize].forms[card.form()].ears)
            }
            _ => None,
        }
    }

    /// Lists the hooks that a glance does not rule out.
    #[inline(never)]
    fn list(&self, ears: &Ears, call: &Calling, owner: u8, source: Source, heard: &mut Heard) {
        self.list_now(ears, call, owner, source, heard);
    }

    /// The same without a call, for many in a row.
    #[inline(always)]
    fn list_now(&self, ears: &Ears, call: &Calling, owner: u8, source: Source, heard: &mut Heard) {
        for (index, hook) in ears.hooks.iter().enumerate() {
            if hook.moment == call.moment && call.may_wake(hook) {
                let (card, moment) = (call.card, Some(call.moment));
                self.list_hook(hook, Listener { owner, hook: index as u8, source, card, moment }, heard);
            }
        }
    }

    #[inline(never)]
    fn list_hook(&self, hook: &Hook, listener: Listener, heard: &mut Heard) {
        let place = order(hook.moment) + i32::from(hook.at);
        // Each one in front of the queue goes in front of those before it, so the last to hear runs first.
        let turned = hook.queue == Queue::First && !self.profile.firsts_in_order;
        let place = if turned { FIRSTS - place * 256 - heard.len() as i32 } else { place };
        heard.push(place, Hearer::Fight(listener));
    }

    /// Lists the listeners of one body: the player's relics, then powers, then the monster itself.
    pub fn listen(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        if owner == PLAYER {
            self.listen_relics_for(s, moment, card, heard);
        }
        self.listen_powers(s, moment, owner, card, heard);
    }

    fn listen_powers(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        self.listen_powers_for(s, Calling::new(s, moment, card), owner, heard);
    }

    fn listen_powers_for(&self, s: &State, call: Calling, owner: u8, heard: &mut Heard) {
        let Some(body) = s.combat.body(owner) else { return };
        if body.moments >> call.moment as u32 & 1 == 0 {
            return;
        }
        let call = call.seen_by(body, 0);
        for power in &body.powers {
            let source = Source::of(Origin::Power(power.id));
            self.list(&self.catalog.powers[power.id as usize].ears, &call, owner, source, heard);
        }
        if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
            self.list(&monster.ears, &call, owner, Source::of(Origin::Monster), heard);
        }
    }

    /// Everybody: the player, then the living monsters.
    fn listen_all(&self, s: &State, moment: Moment, card: Slot, heard: &mut Heard) {
        self.listen(s, moment, PLAYER, card, heard);
        for &who in &s.combat.board {
            if matches!(s.combat.bodies[who as usize].life, Life::Alive | Life::HalfDead) {
                self.listen_powers(s, moment, who, card, heard);
            }
        }
    }

    fn listen_card(&self, s: &State, moment: Moment, slot: Slot, heard: &mut Heard) {
        if s.combat.card_moments >> moment as u32 & 1 == 0 {
            return;
        }
        if let Some(ears) = self.ears_of(s, PLAYER, Source::of(Origin::Card), slot) {
            let call = Calling::new(s, moment, slot).seen_by(s.combat.player(), 0);
            self.list(ears, &call, PLAYER, Source::of(Origin::Card), heard);
        }
    }

    fn listen_pile(&self, s: &State, moment: Moment, pile: &[Slot], heard: &mut Heard) {
        if s.combat.card_moments >> moment as u32 & 1 != 0 {
            pile.iter().for_each(|&slot| self.listen_card(s, moment, slot, heard));
        }
    }

    /// Whether anybody may hear of a fact.
    #[inline]
    pub fn heard(&self, s: &State, event: &Event) -> bool {
        let sound = sound(event) as u32;
        debug_assert_eq!(
            audible(s) & 1 << sound & !s.combat.hints.sounds,
            0,
            "{event:?} is heard and nobody knows"
        );
        sound != Sound::Silence as u32 && s.combat.hints.sounds >> sound & 1 != 0
    }

    /// Takes down which facts anybody may hear of, after a change of powers, relics or cards.
    pub(crate) fn refresh_sounds(&self, s: &mut State) {
        s.combat.hints.sounds = audible(s);
    }

    /// Whether indeed nobody hears of a fact, asked one by one: what [`Spire::heard`] must not deny in tests.
    pub(crate) fn nobody_hears(&self, s: &State, event: &Event) -> bool {
        let mut heard = Heard::default();
        self.hear(s, event, &mut heard);
        heard.is_empty()
    }

    /// Who hears of an event after it happened.
    #[inline(never)]
    pub fn hear(&self, s: &State, event: &Event, heard: &mut Heard) {
        let combat = &s.combat;
        let any = |moment: Moment| combat.moments >> moment as u32 & 1 != 0;
        match *event {
            Event::Run(ref event) => self.hear_run(s, event, heard),
            Event::Moment { moment, owner, card, .. } => self.hear_moment(s, moment, owner, card, heard),
            Event::Hit { by, to, kind, lost, blocked, .. } => {
                self.hear_hit(s, by, to, kind, lost, blocked, heard);
            }
            Event::Blocked { to, .. } | Event::Guarded { to, .. } if any(Moment::BlockGained) => {
                self.listen(s, Moment::BlockGained, to, NO_CARD, heard);
            }
            Event::Healed { to: PLAYER, amount } => {
                let body = combat.player();
                if any(Moment::NotBloodied)
                    && body.hp * 2 > body.max_hp
                    && (body.hp - amount) * 2 <= body.max_hp
                {
                    self.listen(s, Moment::NotBloodied, PLAYER, NO_CARD, heard);
                }
            }
            Event::Applied { by, to, power, amount, .. } => {
                self.hear_applied(s, by, to, power, amount, heard);
            }
            Event::Reduced { to, power, gone: true, .. }
                if any(Moment::PowerRemoved) || self.removal_heard(power) =>
            {
                let ears = &self.catalog.powers[power as usize].ears;
                let call =
                    Calling::new(s, Moment::PowerRemoved, power).seen_by(&combat.bodies[to as usize], 0);
                self.list(ears, &call, to, Source::of(Origin::Power(power)), heard);
                self.listen_monster(s, Moment::PowerRemoved, to, power, heard);
            }
            Event::StanceChanged { from, to } => {
                if any(Moment::StanceChanged) {
                    self.listen_powers(s, Moment::StanceChanged, PLAYER, NO_CARD, heard);
                    self.listen_relics(s, Moment::StanceChanged, heard);
                }
                if !self.profile.stance_steps_first {
                    self.listen_stance(from, LEAVES, heard);
                    self.listen_stance(to, ENTERS, heard);
                }
                self.listen_pile(s, Moment::StanceChange, &combat.discard, heard);
            }
            Event::Channeled { .. } if any(Moment::OrbChanneled) => {
                self.listen(s, Moment::OrbChanneled, PLAYER, NO_CARD, heard);
            }
            Event::Evoked { .. } if any(Moment::OrbEvoked) => {
                self.listen(s, Moment::OrbEvoked, PLAYER, NO_CARD, heard);
            }
            Event::PotionUsed { .. } if any(Moment::PotionUsed) => {
                self.listen(s, Moment::PotionUsed, PLAYER, NO_CARD, heard);
            }
            Event::Spawned { .. } if any(Moment::MonsterSpawned) => {
                self.listen(s, Moment::MonsterSpawned, PLAYER, NO_CARD, heard);
            }
            Event::Died { who, .. } | Event::HalfDied { who } if who != PLAYER => {
                self.listen_powers(s, Moment::OwnerDied, who, NO_CARD, heard);
                if any(Moment::MonsterDied) {
                    self.listen(s, Moment::MonsterDied, PLAYER, NO_CARD, heard);
                }
            }
            Event::Reduced { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Channeled { .. }
            | Event::Evoked { .. }
            | Event::PotionUsed { .. }
            | Event::Spawned { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Drew { .. }
            | Event::Discarded { .. }
            | Event::Exhausted { .. }
            | Event::Kept { .. }
            | Event::Shuffled { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Obtained { .. }
            | silent!() => self.hear_cards(s, event, heard),
        }
    }

    /// Who hears of cards.
    fn hear_cards(&self, s: &State, event: &Event, heard: &mut Heard) {
        let combat = &s.combat;
        let any = |moment: Moment| combat.moments >> moment as u32 & 1 != 0;
        match *event {
            Event::Drew { ref cards, .. } => {
                for &slot in cards.as_slice() {
                    if any(Moment::CardDrawn) {
                        self.listen(s, Moment::CardDrawn, PLAYER, slot, heard);
                    }
                    self.listen_card(s, Moment::Draw, slot, heard);
                }
            }
            Event::Discarded { slot, effect: true } => {
                if any(Moment::CardDiscarded) {
                    self.listen(s, Moment::CardDiscarded, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Discard, slot, heard);
            }
            Event::Exhausted { slot, .. } => {
                if any(Moment::CardExhausted) {
                    self.listen(s, Moment::CardExhausted, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Exhaust, slot, heard);
            }
            Event::Kept { slot } => {
                if any(Moment::CardRetained) {
                    self.listen(s, Moment::CardRetained, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Retain, slot, heard);
            }
            Event::Shuffled { .. } if any(Moment::Shuffled) => {
                self.listen(s, Moment::Shuffled, PLAYER, NO_CARD, heard);
            }
            Event::Created { .. } | Event::Copied { .. } if any(Moment::CardCreated) => {
                self.listen(s, Moment::CardCreated, PLAYER, combat.cards.len() as Slot - 1, heard);
            }
            Event::Obtained { slot } => self.listen_relics_for(s, Moment::CardObtained, slot, heard),
            // Heard of above, or by nobody now.
            Event::Run(_)
            | Event::Moment { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Hit { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Channeled { .. }
            | Event::Evoked { .. }
            | Event::PotionUsed { .. }
            | Event::Spawned { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Discarded { .. }
            | Event::Shuffled { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | silent!() => {}
        }
    }

    /// In the original the stances themselves are heard behind powers and relics, and before the cards.
    fn listen_stance(&self, stance: u16, hook: u8, heard: &mut Heard) {
        if self.stance_program(stance, hook) == 0 {
            return;
        }
        let source = Source::of(Origin::Stance(stance));
        let moment = Some(Moment::StanceChanged);
        let listener = Listener { owner: PLAYER, hook, source, card: NO_CARD, moment };
        heard.push(STANCES, Hearer::Fight(listener));
    }

    /// What a stance does when it is left or entered.
    fn stance_program(&self, stance: u16, hook: u8) -> Program {
        let stance = &self.catalog.stances[stance as usize];
        if hook == LEAVES { stance.on_exit } else { stance.on_enter }
    }

    fn listen_relics(&self, s: &State, moment: Moment, heard: &mut Heard) {
        self.listen_relics_for(s, moment, NO_CARD, heard);
    }

    fn listen_monster(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        let Some(body) = s.combat.body(owner) else { return };
        if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
            let call = Calling::new(s, moment, card).seen_by(body, 0);
            self.list(&monster.ears, &call, owner, Source::of(Origin::Monster), heard);
        }
    }

    fn removal_heard(&self, power: u16) -> bool {
        self.catalog.powers[power as usize].ears.hears(Moment::PowerRemoved)
    }

    #[inline(always)]
    fn hear_moment(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        match moment {
            Moment::CardUsed | Moment::AfterCard | Moment::BeforeCard | Moment::AfterOtherCard => {
                let call = Calling::new(s, moment, card).of_kind(self.kind_at(s, card));
                self.listen_powers_for(s, call, PLAYER, heard);
                self.listen_relics_of(s, call, heard);
                for who in s.combat.enemies() {
                    self.listen_powers_for(s, call, who, heard);
                }
            }
            Moment::OtherCardPlayed => self.listen_pile(s, moment, &s.combat.hand, heard),
            Moment::TurnEndInHand => self.listen_card(s, moment, card, heard),
            Moment::Scried => {
                self.listen(s, moment, PLAYER, card, heard);
                self.listen_pile(s, Moment::Scry, &s.combat.discard, heard);
            }
            Moment::RoundEnd => self.listen_all(s, moment, card, heard),
            Moment::TurnStartPostDraw
                if s.combat.counts.turn == 1 && !self.profile.first_draw_heard_by_all =>
            {
                self.listen_relics(s, moment, heard);
            }
            _ if owner == NOBODY => {
                for who in s.combat.enemies() {
                    self.listen_powers(s, moment, who, card, heard);
                }
            }
            _ => self.listen(s, moment, owner, card, heard),
        }
    }

    /// The type of a card as a bit; what is no card may be of any type.
    #[inline]
    pub(crate) fn kind_at(&self, s: &State, slot: Slot) -> u8 {
        let card = s.combat.cards.get(slot as usize);
        card.map_or(ANY_KIND, |card| kind_bit(self.catalog.brief(card).kind))
    }

    fn listen_relics_for(&self, s: &State, moment: Moment, card: Slot, heard: &mut Heard) {
        self.listen_relics_of(s, Calling::new(s, moment, card), heard);
    }

    #[inline]
    fn listen_relics_of(&self, s: &State, call: Calling, heard: &mut Heard) {
        let mask = self.relics_that_hear(s, call.moment);
        if mask != 0 {
            self.list_relics(s, mask, call, heard);
        }
    }

    #[inline(never)]
    fn list_relics(&self, s: &State, mask: u64, call: Calling, heard: &mut Heard) {
        let mut call = call.seen_by(s.combat.player(), 0);
        for place in places(mask, s.run.relics.len()) {
            let relic = s.run.relics[place];
            let source = Source::of(Origin::Relic(place as u8));
            call.sight.count = relic.counter;
            self.list_now(&self.catalog.relics[relic.id as usize].ears, &call, PLAYER, source, heard);
        }
    }

    /// The places of the relics that may hear a moment.
    #[inline]
    fn relics_that_hear(&self, s: &State, moment: Moment) -> u64 {
        let known = s.combat.hints.relics.get(moment as usize).copied().unwrap_or(u64::MAX);
        debug_assert!(
            s.combat.relic_moments >> moment as u32 & 1 == 0
                || s.run.relics.iter().enumerate().all(|(place, relic)| {
                    known & place_bit(place) != 0
                        || !self.catalog.relics[relic.id as usize].ears.hears(moment)
                }),
            "a relic hears {moment:?} and nobody knows"
        );
        known
    }

    /// Whether anybody may act at a moment of a card that is being played. Who only counts it, and who waits for a
    /// card of another type, need not hear of it.
    #[inline(always)]
    pub(super) fn play_heard(&self, s: &State, moment: Moment, slot: Slot, kind: CardType) -> bool {
        let acted = s.combat.moments >> moment as u32 & 1 != 0 && self.play_acted_on(s, moment, slot, kind);
        if cfg!(debug_assertions) && !acted {
            let event = Event::Moment { moment, owner: PLAYER, other: NOBODY, card: slot, number: 0 };
            assert!(self.nobody_hears(s, &event), "somebody acts on {event:?}");
        }
        acted
    }

    #[inline(never)]
    fn play_acted_on(&self, s: &State, moment: Moment, slot: Slot, kind: CardType) -> bool {
        let relics = self.relics_that_act(s, moment, kind);
        let bodies = s.combat.hints.bodies >> moment as u32 & 1 != 0;
        (relics != 0 || bodies) && self.anybody_wakes(s, moment, (slot, kind), relics)
    }

    #[inline(never)]
    fn anybody_wakes(&self, s: &State, moment: Moment, (slot, kind): (Slot, CardType), relics: u64) -> bool {
        let call = Calling::new(s, moment, slot).of_kind(kind_bit(kind));
        let wakes = |body: &Body| body.moments >> moment as u32 & 1 != 0 && self.body_wakes(body, call);
        any_place(relics, s.run.relics.len(), |place| self.relic_wakes(s, place, call))
            || s.combat.bodies.iter().any(wakes)
    }

    /// The places of the relics that may act at a moment of a play of a card of that type. Those that do not care for
    /// it, and those that only count it, are seen at a glance.
    #[inline(always)]
    fn relics_that_act(&self, s: &State, moment: Moment, kind: CardType) -> u64 {
        let hints = &s.combat.hints;
        if s.combat.relic_moments >> moment as u32 & 1 == 0 {
            0
        } else if hints.due && moment == Moment::CardUsed {
            u64::MAX
        } else {
            hints.acting[kind as usize]
        }
    }

    /// Whether anybody may act at a moment of that body's, were it to come now.
    #[inline(never)]
    pub(super) fn may_act(&self, s: &State, moment: Moment, owner: u8) -> bool {
        let call = Calling::new(s, moment, NO_CARD);
        let relic_wakes = |place: usize| {
            let relic = s.run.relics[place];
            let ears = &self.catalog.relics[relic.id as usize].ears;
            wakes(ears, &call.seen_by(s.combat.player(), relic.counter))
        };
        let hears = |body: &Body| body.moments >> moment as u32 & 1 != 0 && self.body_wakes(body, call);
        let acts = owner == PLAYER
            && any_place(self.relics_that_hear(s, moment), s.run.relics.len(), relic_wakes)
            || s.combat.body(owner).is_some_and(hears);
        if cfg!(debug_assertions) && !acts {
            let event = Event::Moment { moment, owner, other: NOBODY, card: NO_CARD, number: 0 };
            assert!(self.nobody_hears(s, &event), "somebody acts on {event:?}");
        }
        acts
    }

    #[inline(never)]
    fn relic_wakes(&self, s: &State, place: usize, call: Calling) -> bool {
        let relic = s.run.relics[place];
        let tally = &self.catalog.tallies[relic.id as usize];
        if tally.plays & call.moment.play_bit() == 0 {
            return false;
        }
        if tally.alone && tally.moment == call.moment {
            return tally.is_due(relic.counter) && tally.kinds & call.sight.kind != 0;
        }
        let ears = &self.catalog.relics[relic.id as usize].ears;
        wakes(ears, &call.seen_by(s.combat.player(), relic.counter))
    }

    /// Whether a power of a body, or the monster itself, may act.
    #[inline(never)]
    fn body_wakes(&self, body: &Body, call: Calling) -> bool {
        let monster = self.catalog.monsters.get(body.kind as usize);
        let mut powers = body.powers.iter().map(|power| &self.catalog.powers[power.id as usize].ears);
        let call = call.seen_by(body, 0);
        powers.any(|ears| wakes(ears, &call)) || monster.is_some_and(|info| wakes(&info.ears, &call))
    }

    /// Relics that count the turns of the player count one.
    #[inline]
    pub(crate) fn count_turn(&self, s: &mut State) {
        if s.combat.relic_moments >> Moment::TurnStart as u32 & 1 != 0 {
            self.count_relics(s, Moment::TurnStart, self.relics_that_hear(s, Moment::TurnStart), ANY_KIND);
        }
    }

    /// Relics that count cards of that type count one that is used.
    #[inline(always)]
    pub(crate) fn count_card(&self, s: &mut State, kind: CardType) {
        let counting = s.combat.hints.counting[kind as usize];
        let due = counting != 0 && self.count_relics(s, Moment::CardUsed, counting, kind_bit(kind));
        s.combat.hints.due = due;
    }

    /// Those of these relics that count the moment count it; tells whether a count has come to where a hook acts.
    #[inline(never)]
    fn count_relics(&self, s: &mut State, moment: Moment, places: u64, kind: u8) -> bool {
        let mut due = false;
        let relics = &mut s.run.relics;
        any_place(places, relics.len(), |place| {
            let relic = &mut relics[place];
            let tally = &self.catalog.tallies[relic.id as usize];
            if tally.kinds & kind != 0 && tally.moment == moment {
                relic.counter = tally.next(relic.counter);
                due |= tally.is_due(relic.counter);
            }
            false
        });
        due
    }

    #[allow(clippy::too_many_arguments)]
    fn hear_hit(
        &self,
        s: &State,
        by: u8,
        to: u8,
        kind: DamageKind,
        lost: i16,
        blocked: i16,
        heard: &mut Heard,
    ) {
        if kind != DamageKind::HpLoss {
            if by != NOBODY && by != to && kind == DamageKind::Normal {
                self.listen(s, Moment::Attacking, by, NO_CARD, heard);
            }
            self.listen(s, Moment::Attacked, to, NO_CARD, heard);
        }
        if blocked > 0 && to != PLAYER && s.combat.bodies[to as usize].block == 0 {
            self.listen(s, Moment::BlockBroken, PLAYER, NO_CARD, heard);
        }
        if lost <= 0 {
            return;
        }
        self.listen_powers(s, Moment::HpLost, to, NO_CARD, heard);
        if to == PLAYER {
            self.listen_relics(s, Moment::HpLost, heard);
        }
        if by != NOBODY && kind != DamageKind::Thorns && by != to {
            self.listen(s, Moment::Inflicted, by, NO_CARD, heard);
        }
        let body = &s.combat.bodies[to as usize];
        if to == PLAYER && body.hp * 2 <= body.max_hp && (body.hp + lost) * 2 > body.max_hp {
            self.listen(s, Moment::Bloodied, PLAYER, NO_CARD, heard);
        }
    }

    fn hear_applied(&self, s: &State, by: u8, to: u8, power: u16, amount: i16, heard: &mut Heard) {
        let ears = &self.catalog.powers[power as usize].ears;
        if ears.hears(Moment::PowerGained) {
            let call = Calling::new(s, Moment::PowerGained, power).seen_by(&s.combat.bodies[to as usize], 0);
            self.list(ears, &call, to, Source::of(Origin::Power(power)), heard);
        }
        if s.combat.moments >> Moment::PowerGained as u32 & 1 != 0 {
            self.listen_monster(s, Moment::PowerGained, to, power, heard);
        }
        if by == PLAYER
            && to != PLAYER
            && s.combat.moments >> Moment::DebuffGiven as u32 & 1 != 0
            && self.is_debuff(power, amount)
        {
            self.listen(s, Moment::DebuffGiven, PLAYER, power, heard);
        }
    }

    fn facts(&self, s: &State, moment: Moment, event: &Event, listener: Listener) -> Facts {
        let mut facts = Facts { card: listener.card, ..Facts::NOTHING };
        match *event {
            Event::Moment { other, number, card, .. } => {
                facts.other = other;
                facts.number = number;
                if !matches!(listener.source.origin(), Origin::Card | Origin::Copy) {
                    facts.card = card;
                }
            }
            Event::Hit { by, to, kind, amount, blocked, lost, .. } => {
                facts.kind = Some(kind);
                facts.other = if matches!(moment, Moment::Attacking | Moment::Inflicted | Moment::BlockBroken)
                {
                    to
                } else {
                    by
                };
                facts.number = match moment {
                    Moment::HpLost | Moment::Inflicted | Moment::Bloodied => lost,
                    _ => (amount - blocked).max(0).min(if lost == 0 { amount - blocked } else { i16::MAX }),
                };
                if matches!(moment, Moment::Attacked | Moment::Attacking) {
                    facts.number = if amount - blocked > 0 { lost.max(i16::from(lost > 0)) } else { 0 };
                }
            }
            Event::Blocked { amount, .. } | Event::Guarded { amount, .. } | Event::Healed { amount, .. } => {
                facts.number = amount;
            }
            Event::Applied { by, to, amount, power, .. } => {
                facts.other = if moment == Moment::DebuffGiven { to } else { by };
                facts.number = amount;
                facts.card = power;
            }
            Event::Reduced { power, .. } => facts.card = power,
            Event::StanceChanged { from, to } => facts.stances = (from, to),
            Event::Died { who, .. } | Event::HalfDied { who } => facts.other = who,
            Event::Spawned { .. } => facts.other = s.combat.bodies.len() as u8 - 1,
            _ => {}
        }
        facts
    }

    /// A listener reacts.
    pub(crate) fn react(&self, listener: Listener, s: &State, event: &Event, out: &mut Out) {
        match (listener.source.origin(), event) {
            (Origin::Relic(place), &Event::Moment { other, card, number, .. }) => {
                self.react_at_moment(
                    listener,
                    place,
                    s,
                    Facts { other, number, card, ..Facts::NOTHING },
                    out,
                );
            }
            _ => self.react_to(listener, s, event, out),
        }
    }

    /// A relic reacts at a moment: mostly nothing but that has come.
    fn react_at_moment(&self, listener: Listener, place: u8, s: &State, facts: Facts, out: &mut Out) {
        let Some(relic) = s.run.relics.get(usize::from(place)) else { return };
        let ears = &self.catalog.relics[relic.id as usize].ears;
        let Some(hook) = ears.hooks.get(usize::from(listener.hook)) else { return };
        self.act_on(listener, hook, s, (relic.counter, &facts), out);
    }

    #[inline(never)]
    fn react_to(&self, listener: Listener, s: &State, event: &Event, out: &mut Out) {
        let Some(moment) = listener.moment else { return };
        if let (Origin::Stance(stance), Event::StanceChanged { .. }) = (listener.source.origin(), event) {
            let program = self.stance_program(stance, listener.hook);
            return self.propose(s, program, stance_ctx(stance), turnstone::Lane::Last, out);
        }
        let Some(ears) = self.ears_of(s, listener.owner, listener.source, listener.card) else { return };
        let Some(hook) = ears.hooks.get(listener.hook as usize) else { return };
        let facts = self.facts(s, moment, event, listener);
        self.act_on(listener, hook, s, (self.stacks_of(s, listener), &facts), out);
    }

    /// A hook that hears acts, if its condition holds.
    #[inline(always)]
    fn act_on(&self, listener: Listener, hook: &Hook, s: &State, (n, facts): (i16, &Facts), out: &mut Out) {
        let Listener { owner, source, .. } = listener;
        let ctx = Ctx { owner, other: facts.other, card: facts.card, n, event: facts.number, source };
        let counts = hook.tally == 0 && (hook.every.is_some() || hook.once.is_some());
        let simple = hook.glance.whole && !counts;
        if (cfg!(debug_assertions) || !simple) && !self.hook_acts(s, hook, listener, (ctx, facts), out) {
            debug_assert!(!simple, "{hook:?} was seen to hold");
            return;
        }
        // Copies are planned before the card itself is queued.
        let copies = hook.moment == Moment::PlanCopies;
        let lane = if copies { turnstone::Lane::First } else { lane(hook.queue) };
        self.propose(s, hook.program, ctx, lane, out);
    }

    /// Whether a hook acts: its condition holds, and its count has come round.
    #[inline(never)]
    fn hook_acts(
        &self,
        s: &State,
        hook: &Hook,
        listener: Listener,
        (ctx, facts): (Ctx, &Facts),
        out: &mut Out,
    ) -> bool {
        let env = Env { kind: facts.kind, stances: facts.stances, ..Env::new(s, ctx) };
        self.holds(hook.when, &env) && (hook.tally != 0 || self.counted(s, hook, listener, &env, out))
    }

    fn stacks_of(&self, s: &State, listener: Listener) -> i16 {
        match listener.source.origin() {
            Origin::Power(id) => s.combat.body(listener.owner).map_or(0, |body| body.stacks(id)),
            Origin::Relic(index) => s.run.relics.get(index as usize).map_or(0, |relic| relic.counter),
            _ => 0,
        }
    }

    /// `every` and `once`: counts this moment and tells whether the hook acts.
    fn counted(&self, s: &State, hook: &Hook, listener: Listener, env: &Env<'_>, out: &mut Out) -> bool {
        if hook.every.is_none() && hook.once.is_none() {
            return true;
        }
        let count = match listener.source.origin() {
            Origin::Relic(index) => s.run.relics.get(index as usize).map_or(0, |relic| relic.counter),
            Origin::Power(id) => {
                s.combat.body(listener.owner).and_then(|body| body.power(id)).map_or(0, |power| power.stored)
            }
            _ => 0,
        };
        let (acts, next) = match (hook.every, hook.once) {
            (Some(every), _) => {
                let reached = i32::from(count) + 1 >= self.num(every, env);
                (reached, if reached { 0 } else { count.saturating_add(1) })
            }
            (None, Some(Once::Turn | Once::Combat)) => (count == 0, 1),
            (None, None) => (true, count),
        };
        if next != count {
            out.first(match listener.source.origin() {
                Origin::Relic(relic) => Effect::Counter { relic, amount: next },
                Origin::Power(power) => Effect::Store { to: listener.owner, power, amount: next },
                _ => return acts,
            });
        }
        acts
    }

    /// Who may prevent an effect.
    pub(crate) fn hear_before(&self, s: &State, effect: &Effect, heard: &mut Heard) {
        let (owner, whats): (u8, &[Prevent]) = match *effect {
            Effect::Run(ref effect) => return self.hear_before_run(s, effect, heard),
            Effect::Apply { to, power, amount, .. } => {
                let Some(body) = s.combat.body(to) else { return };
                let mask = body.stops | if to == PLAYER { s.combat.relic_stops } else { 0 };
                if mask & (1 << Prevent::Debuff as u32 | 1 << Prevent::Power as u32) == 0 {
                    return;
                }
                let whats: &[Prevent] = if self.is_debuff(power, amount) {
                    &[Prevent::Power, Prevent::Debuff]
                } else {
                    &[Prevent::Power]
                };
                (to, whats)
            }
            Effect::Draw { .. } | Effect::DrawMore { .. } => (PLAYER, &[Prevent::Draw]),
            Effect::Stance { .. } => (PLAYER, &[Prevent::StanceChange]),
            Effect::Gold { amount } if amount > 0 => (PLAYER, &[Prevent::Gold]),
            Effect::Potion => (PLAYER, &[Prevent::Potion]),
            Effect::Death { who, .. } => (who, &[Prevent::Death]),
            Effect::Obtain { .. } => (PLAYER, &[Prevent::CardObtained]),
            _ => return,
        };
        let Some(body) = s.combat.body(owner) else { return };
        for &what in whats {
            let bit = 1u32 << what as u32;
            let relics = if owner == PLAYER { s.combat.relic_stops } else { 0 };
            if (body.stops | relics) & bit == 0 && !(owner == PLAYER && what == Prevent::Death) {
                continue;
            }
            for (source, stop, _) in self.stops(s, owner, what) {
                let Some(ears) = self.ears_of(s, owner, source, NO_CARD) else { continue };
                let index = ears.preventions.iter().position(|known| known.what == stop.what);
                let hook = index.unwrap_or(0) as u8;
                heard.push(0, Hearer::Fight(Listener { owner, hook, source, card: NO_CARD, moment: None }));
            }
        }
    }

    /// A listener prevents an effect, if its condition holds.
    pub fn prevent(&self, listener: Listener, s: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Some(ears) = self.ears_of(s, listener.owner, listener.source, NO_CARD) else {
            return Verdict::Pass;
        };
        let Some(stop) = ears.preventions.get(listener.hook as usize) else { return Verdict::Pass };
        let (other, card, number) = match *effect {
            Effect::Apply { by, power, amount, .. } => (by, power, amount),
            Effect::Death { by, .. } => (by, NO_CARD, 0),
            Effect::Obtain { slot } => (NOBODY, slot, 0),
            _ => (NOBODY, NO_CARD, 0),
        };
        let n = match listener.source.origin() {
            Origin::Potion(id) => self.potency(s, id),
            _ => self.stacks_of(s, listener),
        };
        let ctx = Ctx { owner: listener.owner, other, card, n, event: number, source: listener.source };
        let env = Env::new(s, ctx);
        if !self.holds(stop.when, &env) {
            return Verdict::Pass;
        }
        self.spend(s, stop.spend.map(|spend| self.short(spend, &env)), listener, out);
        if let Effect::Death { who, by, card, on_kill, any } = *effect {
            out.first(Effect::Spared { who });
            self.propose(s, stop.program, ctx, turnstone::Lane::First, out);
            if any {
                self.follow_kill(s, who, by, card, on_kill, out);
            }
            return Verdict::Replaced;
        }
        // The original rolls for a potion that nobody may have.
        if matches!(effect, Effect::Potion) && s.run.dice.is_some() {
            out.first(Effect::LosePotion);
        }
        self.propose(s, stop.program, ctx, turnstone::Lane::First, out);
        Verdict::Replaced
    }

    fn spend(&self, s: &State, amount: Option<i16>, listener: Listener, out: &mut Out) {
        match listener.source.origin() {
            Origin::Potion(id) => {
                if let Some(index) = s.run.potions.iter().position(|&potion| potion == id) {
                    out.first(Effect::DropPotion { index: index as u8 });
                }
            }
            Origin::Power(power) => {
                if let Some(by) = amount {
                    out.first(Effect::Reduce { to: listener.owner, power, by });
                }
            }
            Origin::Relic(relic) => {
                if let (Some(by), Some(held)) = (amount, s.run.relics.get(relic as usize)) {
                    out.first(Effect::Counter { relic, amount: held.counter.saturating_sub(by) });
                }
            }
            _ => {}
        }
    }
}

/// Whether a hook of an entry may act.
fn wakes(ears: &Ears, call: &Calling) -> bool {
    let may = |hook: &Hook| hook.moment == call.moment && call.may_wake(hook);
    ears.hears(call.moment) && ears.hooks.iter().any(may)
}

/// Moments that one event brings together come in this order; within each, hooks by their place.
fn order(moment: Moment) -> i32 {
    match moment {
        Moment::Attacking => 0,
        Moment::Attacked => 1000,
        Moment::BlockBroken => 2000,
        Moment::HpLost => 3000,
        Moment::Inflicted => 4000,
        Moment::Bloodied => 5000,
        Moment::Draw | Moment::Discard | Moment::Exhaust | Moment::Scry | Moment::StanceChange => 6000,
        Moment::OwnerDied => -1000,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ruleset;
    use crate::state::Card;

    /// A hook that is passed over because of a card's type would not have acted on it.
    #[test]
    fn hooks_passed_over_would_not_have_acted() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let mut s = spire.situated("hand: bash; enemy: cultist").expect("a fight");
        let powers = spire.catalog.powers.iter().map(|power| &power.ears);
        let relics = spire.catalog.relics.iter().map(|relic| &relic.ears);
        let hooks: Vec<&Hook> = powers.chain(relics).flat_map(|ears| &ears.hooks).collect();
        let picky: Vec<&&Hook> = hooks.iter().filter(|hook| hook.glance.kinds != ANY_KIND).collect();
        assert!(picky.len() > 20, "{}", picky.len());
        let ctx = Ctx { card: 0, ..stance_ctx(0) };
        for id in 0..spire.catalog.cards.len() {
            s.combat.cards[0] = Card::new(id as u16, 0);
            for hook in picky.iter().filter(|hook| hook.glance.kinds & spire.kind_at(&s, 0) == 0) {
                assert!(
                    !spire.holds(hook.when, &Env::new(&s, ctx)),
                    "{} {hook:?}",
                    spire.catalog.cards[id].id
                );
            }
        }
    }

    /// A fight with this relic, played at random: HP, block, energy and the relic's count after every action.
    fn course(relic: &str, seed: u64) -> Vec<[i16; 4]> {
        use crate::bench::play_with;
        let mine = r#"
            [relic.seen]
            tier = "common"
            on.card_used = { when = "card(attack)", every = 3, do = [{ block = 4 }] }
            [relic.evaluated]
            tier = "common"
            on.card_used = { when = "card(attack)", every = "3 + 0 * turn", do = [{ block = 4 }] }
            [relic.turn_seen]
            tier = "common"
            on.turn_start = { every = 2, do = [{ energy = 1 }] }
            [relic.turn_evaluated]
            tier = "common"
            on.turn_start = { every = "2 + 0 * turn", do = [{ energy = 1 }] }
        "#;
        let sources = crate::catalog::Sources::builtin("classic").with_text("mine.toml", mine);
        let spire = Spire::new(Ruleset::Classic, &sources).expect("sound content");
        let fight = crate::setup::Fight {
            encounter: Some("jaw_worm".into()),
            relics: Some(vec![relic.to_owned()]),
            ..Default::default()
        };
        let mut course = Vec::new();
        play_with(&spire, fight, seed, |s| {
            let player = s.combat.player();
            course.push([player.hp, player.block, s.combat.energy, s.run.relics[0].counter]);
        });
        course
    }

    /// What a fact counts for a relic is what the relic would count itself.
    #[test]
    fn counts_of_facts_are_those_of_hooks() {
        for seed in 1..=8 {
            for (seen, evaluated) in [("seen", "evaluated"), ("turn_seen", "turn_evaluated")] {
                let (one, other) = (course(seen, seed), course(evaluated, seed));
                assert!(one.len() > 5 && one.iter().any(|at| at[3] > 0), "{one:?}");
                assert_eq!(one, other, "{seen} in fight {seed}");
            }
        }
    }
}
