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
//! [`Event::Hit`]: crate::Event::Hit
//! [`Event::Blocked`]: crate::Event::Blocked
//! [`Event::Healed`]: crate::Event::Healed
//! [`Event::MaxHpChanged`]: crate::Event::MaxHpChanged
//! [`Event::Applied`]: crate::Event::Applied
//! [`Event::Reduced`]: crate::Event::Reduced
//! [`Event::Drew`]: crate::Event::Drew
//! [`Event::Shuffled`]: crate::Event::Shuffled
//! [`Event::Discarded`]: crate::Event::Discarded
//! [`Event::Kept`]: crate::Event::Kept
//! [`Event::Exhausted`]: crate::Event::Exhausted
//! [`Event::Created`]: crate::Event::Created
//! [`Event::Copied`]: crate::Event::Copied
//! [`Event::Selected`]: crate::Event::Selected
//! [`Event::Moment`]: crate::Event::Moment
//! [`Event::Died`]: crate::Event::Died
//! [`Event::HalfDied`]: crate::Event::HalfDied
//! [`Event::Channeled`]: crate::Event::Channeled
//! [`Event::Evoked`]: crate::Event::Evoked
//! [`Event::StanceChanged`]: crate::Event::StanceChanged

pub mod compare;
pub mod fights;
pub mod load;
pub mod numbers;
pub mod trace;
