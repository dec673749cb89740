//! Which facts anybody may hear of at all.

use crate::catalog::words::Moment;
use crate::event::Event;
use crate::game::{Heard, Spire};
use crate::state::State;

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
pub(super) use silent;

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

impl Spire {
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
}
