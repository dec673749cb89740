//! What may be sent to a server, as data; `GET /api/schema` shows the schemas that are made from this.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone_table::Seat;

/// The version of what is said and heard.
pub const PROTOCOL: u32 = 1;

/// The first message of a socket.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Hello {
    /// `hello`.
    pub t: String,
    /// The version that is spoken.
    pub protocol: u32,
    /// The match to sit down at or to watch.
    #[serde(rename = "match")]
    pub id: Option<String>,
    /// Secrets: seats, the host's.
    #[serde(default)]
    pub tokens: Vec<String>,
    /// What a spectator is called.
    pub name: Option<String>,
    /// The last `rev` that was heard.
    pub have: Option<u64>,
    /// Follows changes: `moved` has a `delta` instead of the scene, and inputs are left out.
    #[serde(default)]
    pub brief: bool,
    /// Subscribes to the lobby instead.
    #[serde(default)]
    pub lobby: bool,
}

/// A message with its number.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Message {
    /// The answer has the same.
    #[serde(default)]
    pub id: String,
    /// What is wanted.
    #[serde(flatten)]
    pub want: Want,
}

/// What may be wanted of a match.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Want {
    /// Plays.
    Act {
        /// The last change that the sender knows of.
        rev: u64,
        /// For which seat, if the sender holds several.
        seat: Option<Seat>,
        /// What.
        #[serde(flatten)]
        play: Play,
    },
    /// Looks at a moment.
    Look {
        /// Which.
        moment: u32,
        /// As that seat saw it; −1 for everything.
        seat: Option<i16>,
    },
    /// Asks for what a program needs: the state as it may be seen, and the facts of the last change.
    View {
        /// At which moment; the live one if none is named.
        moment: Option<u32>,
    },
    /// Asks for all reasons.
    Why {
        /// Of which moment.
        moment: u32,
        /// As that seat may know; −1 for everything.
        seat: Option<i16>,
        /// In a what-if: what was played from that moment on. The reasons are those of its last input.
        #[serde(default)]
        inputs: Vec<Play>,
        /// By which lots.
        #[serde(default)]
        world: u64,
    },
    /// Asks how a number came about that is shown.
    Number {
        /// Which: its id or name.
        name: String,
        /// At which moment; the live one if none is named.
        moment: Option<u32>,
        /// As that seat saw it; −1 for everything.
        seat: Option<i16>,
    },
    /// Asks what was told.
    Log {
        /// From this moment of the live line.
        #[serde(default)]
        from: u32,
        /// To this one, included.
        to: Option<u32>,
        /// Of the line that leads to this moment instead of the live one.
        tip: Option<u32>,
        /// As that seat was told; −1 for everything.
        seat: Option<i16>,
    },
    /// Asks for nodes of the tree.
    Timeline {
        /// From this moment.
        #[serde(default)]
        from: u32,
        /// To this one, included.
        to: Option<u32>,
    },
    /// Asks for the ends of all lines of play.
    Branches,
    /// Plays what would be if.
    Try {
        /// From this moment.
        from: u32,
        /// What is played.
        #[serde(default)]
        inputs: Vec<Play>,
        /// By which lots.
        #[serde(default)]
        world: u64,
    },
    /// Asks what an option would lead to.
    Forecast {
        /// Its number.
        option: usize,
        /// The last change that the sender knows of; in a what-if it does not matter.
        #[serde(default)]
        rev: u64,
        /// In a what-if: from which moment.
        from: Option<u32>,
        /// What was played in it.
        #[serde(default)]
        inputs: Vec<Play>,
        /// By which lots.
        #[serde(default)]
        world: u64,
    },
    /// Asks for every step inside an input.
    Steps {
        /// Of which moment.
        moment: u32,
    },
    /// Asks for a position that cannot be told from the present one, for a bot elsewhere to think about.
    Sample {
        /// By which lots.
        #[serde(default)]
        world: u64,
    },
    /// Asks a bot.
    Hint {
        /// Which.
        bot: Option<String>,
        /// In a what-if: from which moment.
        from: Option<u32>,
        /// What was played in it.
        #[serde(default)]
        inputs: Vec<Play>,
        /// By which lots.
        #[serde(default)]
        world: u64,
    },
    /// Asks where the match turned.
    Review {
        /// For which seat.
        seat: Option<Seat>,
        /// What another would have done: which bot.
        bot: Option<String>,
    },
    /// Offers something to the others.
    Offer {
        /// What.
        what: What,
        /// For takebacks: where to.
        moment: Option<u32>,
        /// For bots: the seat of who is away.
        seat: Option<Seat>,
    },
    /// Answers an offer.
    Answer {
        /// Which.
        offer: u64,
        /// Whether one agrees.
        yes: bool,
    },
    /// Takes an offer back.
    Withdraw {
        /// Which.
        offer: u64,
    },
    /// Gives up.
    Resign,
    /// In practice: goes to any moment.
    Go {
        /// Where to.
        moment: u32,
    },
    /// Says something to everybody.
    Say {
        /// What.
        text: String,
        /// About which moment.
        moment: Option<u32>,
    },
    /// Takes another name.
    Name {
        /// Which.
        name: String,
    },
    /// Gets up.
    Leave,
    /// Wants a new token.
    Renew,
    /// The host: somebody may not speak.
    Mute(Somebody),
    /// The host: somebody may speak again.
    Unmute(Somebody),
    /// The host: only who sits may speak, or everybody again.
    Hush {
        /// Whether.
        hushed: bool,
    },
    /// The host: somebody has to go.
    Remove(Somebody),
    /// The host: a new invitation.
    Invite {
        /// To which seat.
        seat: Seat,
    },
    /// The host: a bot takes a free seat.
    SeatBot {
        /// Which seat.
        seat: Seat,
        /// Which bot.
        bot: String,
    },
    /// Wants an answer.
    Ping,
}

/// A way to say what is played: exactly one of these.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Play {
    /// An input in the game's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The number of an option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choose: Option<usize>,
    /// A label, or the game's notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A player or a spectator.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Somebody {
    /// The player in that seat.
    pub seat: Option<Seat>,
    /// The spectators of that name.
    pub name: Option<String>,
}

/// What may be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// To go back.
    Takeback,
    /// To call it even.
    Draw,
    /// To stop the clocks.
    Pause,
    /// To go on.
    Resume,
    /// To play again.
    Rematch,
    /// To let a bot play for somebody who is away.
    Bot,
}

/// Who shall sit somewhere.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Place {
    /// `me`, `open`, `invited` or `bot`.
    pub who: String,
    /// Which bot.
    pub bot: Option<String>,
}

/// How a match is opened.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The game.
    pub game: String,
    /// Who opens it.
    #[serde(default)]
    pub name: String,
    /// The set-up.
    pub setup: Option<String>,
    /// The rules.
    pub ruleset: Option<String>,
    /// Further settings.
    #[serde(default)]
    pub wishes: BTreeMap<String, String>,
    /// Who sits where.
    #[serde(default)]
    pub seats: Vec<Place>,
    /// In the lobby.
    #[serde(default)]
    pub public: bool,
    /// Who may watch.
    #[serde(default)]
    pub watch: Watch,
    /// Changes that spectators lag behind.
    #[serde(default)]
    pub delay: usize,
    /// The clock.
    pub clock: Option<Control>,
    /// What becomes of the seat of who is away.
    #[serde(default)]
    pub absent: Absent,
    /// After so many seconds.
    pub patience: Option<u64>,
    /// Takebacks without asking, hints, the file at any time.
    pub practice: Option<bool>,
    /// In practice: the seed of the dice.
    pub seed: Option<String>,
}

/// Who may watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Watch {
    /// Everybody, at once.
    #[default]
    Open,
    /// Everybody, some changes later.
    Delayed,
    /// Everybody, when it is over.
    After,
    /// Nobody.
    Never,
}

/// What becomes of the seat of who is away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// It waits.
    #[default]
    Wait,
    /// A bot plays until he is back.
    Bot,
    /// The match is lost.
    Forfeit,
}

/// How much time everybody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Control {
    /// Minutes for the match, and seconds more for every turn.
    Minutes {
        /// From the start.
        minutes: u32,
        /// More for every turn taken.
        #[serde(default)]
        increment: u32,
    },
    /// Days for every turn.
    Days {
        /// How many.
        days: u32,
    },
}

/// Who wants to sit down.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Join {
    /// His name.
    #[serde(default)]
    pub name: String,
    /// An open seat.
    pub seat: Option<Seat>,
    /// Or a seat he was invited to.
    pub invitation: Option<String>,
}

/// Matches whose state somebody wants to know.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Mine {
    /// Which.
    pub matches: Vec<Held>,
    /// Leaves matches asleep that sleep: what is known of them is told, without `turn` and `mine`.
    #[serde(default)]
    pub asleep: bool,
}

/// A match, and what one holds there.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Held {
    /// The match.
    #[serde(rename = "match")]
    pub id: String,
    /// Seats.
    #[serde(default)]
    pub tokens: Vec<String>,
}

/// The schemas of everything that may be sent, by name, and of what is told.
pub fn schemas() -> Value {
    let mut all = serde_json::Map::new();
    let mut add = |name: &str, schema: schemars::Schema| {
        all.insert(name.to_owned(), schema.into());
    };
    add("hello", schemars::schema_for!(Hello));
    add("message", schemars::schema_for!(Message));
    add("open", schemars::schema_for!(Wanted));
    add("join", schemars::schema_for!(Join));
    add("mine", schemars::schema_for!(Mine));
    all.insert("told".to_owned(), crate::schema::told());
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_the_document_writes_them() {
        let read = |text: &str| serde_json::from_str::<Message>(text);
        let act = read(r#"{"t":"act","id":"c7","rev":97,"input":{"act":3}}"#).unwrap();
        assert!(matches!(
            act.want,
            Want::Act { rev: 97, play: Play { input: Some(_), choose: None, .. }, .. }
        ));
        let offer = read(r#"{"t":"offer","id":"d","what":"takeback","moment":3}"#).unwrap();
        assert!(matches!(offer.want, Want::Offer { what: What::Takeback, moment: Some(3), .. }));
        assert!(matches!(read(r#"{"t":"mute","id":"d","seat":1}"#).unwrap().want, Want::Mute(_)));
        assert!(matches!(read(r#"{"t":"ping"}"#).unwrap().want, Want::Ping));
        for bad in [r#"{"t":"dance"}"#, r#"{"t":"act"}"#, r#"{"t":"look","moment":-1}"#, "7"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let wanted: Wanted = serde_json::from_str(
            r#"{"game":"chess","clock":{"days":2},"watch":"delayed","delay":3,"absent":"bot"}"#,
        )
        .unwrap();
        assert_eq!((wanted.clock, wanted.watch), (Some(Control::Days { days: 2 }), Watch::Delayed));
        assert!(schemas()["message"].is_object());
    }
}
