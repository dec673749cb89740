//! Messages between table and players.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageKind {
    /// A client wants in.
    ClientJoin,
    /// A client declares an action.
    ClientAction,
    /// A client is alive.
    ClientPing,
    /// The table greets.
    ServerWelcome,
    /// The whole state.
    StateSync,
    /// One event.
    Event,
    /// Several events.
    EventsBatch,
    /// An action was refused.
    Reject,
    /// The table is alive.
    Pong,
    /// Somebody came.
    PlayerJoined,
    /// Somebody went.
    PlayerLeft,
    /// Whose turn it is.
    TurnNotification,
    /// It is your turn.
    YourTurn,
    /// The fight is over.
    CombatEnd,
    /// A round begins.
    RoundStart,
    /// An action arrived.
    ActionAck,
}

/// A message in its envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: MessageKind,
    /// The particulars.
    pub payload: Value,
    /// Its number, counted by the sender.
    pub seq: u64,
    /// When it was sent; the sender's clock.
    pub timestamp: String,
}

/// Players at a table, unless it says otherwise.
pub const MAX_PLAYERS: usize = 6;
/// A client that is silent for so many seconds is gone.
pub const STALE_SECONDS: u64 = 30;

const ROOM_LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// A room code of six characters, none of them I, O, 0 or 1.
///
/// ```
/// let code = turnstone_skirmish::party::messages::room_code(7);
/// assert_eq!(code.len(), 6);
/// assert!(!code.contains(['I', 'O', '0', '1']));
/// ```
pub fn room_code(seed: u64) -> String {
    let mut lots = Lots::new(seed, Stream::named("skirmish room code"));
    (0..6).map(|_| ROOM_LETTERS[lots.below(ROOM_LETTERS.len() as u64) as usize] as char).collect()
}
