//! Golden records: combats of the recorded engine, and numbers of the original.
//!
//! The recorded engine's event names and ours:
//!
//! | there | here |
//! |---|---|
//! | `ON_ATTACK_DAMAGE` (`ON_DAMAGE`) | [`Event::Hit`] of the kind `normal` |
//! | `ON_NON_ATTACK_DAMAGE` | [`Event::Hit`] of the kinds `thorns` and `hp_loss` |
//! | `ON_BLOCK`, `APPLY_BLOCK` | [`Event::Blocked`] |
//! | `ON_HEAL` | [`Event::Healed`], [`Event::MaxHpChanged`] |
//! | `ON_STATUS_GAIN`, `APPLY_STATUS_EFFECT`, `ON_APPLY_POWER` | [`Event::Applied`]; a power lowering itself is [`Event::Reduced`] |
//! | `ON_DRAW` | [`Event::Drew`], with [`Event::Shuffled`] |
//! | `ON_DISCARD` | [`Event::Discarded`] |
//! | `ON_RETAIN` | [`Event::Kept`] |
//! | `ON_EXHAUST` | [`Event::Exhausted`] |
//! | `ON_ACQUIRE_CARD` | [`Event::Created`], [`Event::Copied`] |
//! | `COLLECT_CONTEXT` | a question and its answers, then [`Event::Selected`] |
//! | `AFTER_CARD_PLAYED` | [`Event::Moment`] of `after_card` |
//! | `ON_DEATH` | [`Event::Died`], [`Event::HalfDied`] |
//! | `ON_CHANNEL_ORB`, `ON_EVOKE_ORB` | [`Event::Channeled`], [`Event::Evoked`] |
//! | `ON_SCRY` | [`Event::Selected`] of a `scry` step, then [`Event::Moment`] of `scried` |
//! | `CHANGE_STANCE` | [`Event::StanceChanged`] |
//! | `ON_CUSTOM_EFFECT`, `CLEAR_CONTEXT` | nothing: verbs have events of their own |
//!
//! [`Event::Hit`]: turnstone_spire::Event::Hit
//! [`Event::Blocked`]: turnstone_spire::Event::Blocked
//! [`Event::Healed`]: turnstone_spire::Event::Healed
//! [`Event::MaxHpChanged`]: turnstone_spire::Event::MaxHpChanged
//! [`Event::Applied`]: turnstone_spire::Event::Applied
//! [`Event::Reduced`]: turnstone_spire::Event::Reduced
//! [`Event::Drew`]: turnstone_spire::Event::Drew
//! [`Event::Shuffled`]: turnstone_spire::Event::Shuffled
//! [`Event::Discarded`]: turnstone_spire::Event::Discarded
//! [`Event::Kept`]: turnstone_spire::Event::Kept
//! [`Event::Exhausted`]: turnstone_spire::Event::Exhausted
//! [`Event::Created`]: turnstone_spire::Event::Created
//! [`Event::Copied`]: turnstone_spire::Event::Copied
//! [`Event::Selected`]: turnstone_spire::Event::Selected
//! [`Event::Moment`]: turnstone_spire::Event::Moment
//! [`Event::Died`]: turnstone_spire::Event::Died
//! [`Event::HalfDied`]: turnstone_spire::Event::HalfDied
//! [`Event::Channeled`]: turnstone_spire::Event::Channeled
//! [`Event::Evoked`]: turnstone_spire::Event::Evoked
//! [`Event::StanceChanged`]: turnstone_spire::Event::StanceChanged

mod compare;
mod departures;
mod dice;
mod load;
mod numbers;
mod trace;

pub use dice::is_dice_fight;

use std::ops::Deref;

use turnstone_spire::Spire;

/// Reads records about fights by the rules of a game.
#[derive(Clone, Copy)]
pub struct Reader<'g>(pub &'g Spire);

impl Deref for Reader<'_> {
    type Target = Spire;

    fn deref(&self) -> &Spire {
        self.0
    }
}
