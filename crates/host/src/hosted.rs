//! The trait [`Hosted`], and what its methods take and give.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::dice::Lots;
use turnstone::digest::Digest;
use turnstone::{InputOf, Position, Rejection, Seat, Told, Viewer};

use crate::opening::{Opening, Source};
use crate::scene::Scene;
use crate::setting::{Named, Setting};
use crate::sight::{Secretive, Sight};
use crate::study::{Graft, Topic};

/// A player that is a program. It has what a fair player has: a [`Sight`], from which what is hidden
/// can be sampled but not read.
pub trait Bot<G: Hosted>: Send {
    /// Chooses one of the sight's inputs; gives its index. All chance comes from `lots`, which are fresh
    /// at every moment (see [`bot_lots`](crate::bot_lots)).
    fn choose(&mut self, sight: &Sight<'_, G>, lots: &mut Lots) -> usize;

    /// The same choice with its reasons; `None` from a bot that has none to give. The same lots give the same
    /// choice: why a bot did something can be asked later.
    fn why(&mut self, _sight: &Sight<'_, G>, _lots: &mut Lots) -> Option<Why> {
        None
    }

    /// The stretch of the match that it plans for at this sight, such as a turn: what it chooses may hang on what it had
    /// in mind at its earlier choices in the same stretch, and on nothing before. `None` from a bot whose choices follow
    /// from sight and lots alone. A table asks a bot again for its earlier choices of a stretch where it must, after an
    /// undo or in a match that was taken up again: the shorter a stretch is, the less there is to think over.
    fn stretch(&self, _sight: &Sight<'_, G>) -> Option<u64> {
        None
    }

    /// What it has in mind from one choice of a stretch to the next, such as the rest of a plan. Whoever lets one bot
    /// play many matches keeps it for each of them.
    fn mind(&self) -> Option<String> {
        None
    }

    /// Takes up what [`mind`](Bot::mind) gave; `None` is the beginning of a stretch, where nothing it did earlier may
    /// count any more. What it cannot read it forgets.
    fn recall(&mut self, _mind: Option<&str>) {}
}

/// One option, as it was weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Weighed {
    /// How often it was tried, or in how many trees it was the best.
    pub visits: u64,
    /// Its mean value for who is to act, from 0 (lost) to 1 (won).
    pub value: f64,
}

/// Why a choice was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Why {
    /// The number of the input that was chosen.
    pub best: usize,
    /// Every input of the sight, in its order.
    pub options: Vec<Weighed>,
    /// The line that the bot expects, in the words of the game; in a world that it sampled.
    pub line: Vec<String>,
}

/// A game that can be hosted.
pub trait Hosted: Secretive + Told {
    /// The name, as typed: `skirmish`.
    const NAME: &'static str;
    /// One sentence about the game.
    const ABOUT: &'static str;

    /// The rules and the set-up for a match.
    ///
    /// # Errors
    /// Unknown names, unreadable content, a bad set-up text: what is wrong and what would be right.
    fn open_table(opening: &Opening) -> Result<(Arc<Self>, Self::Setup), Rejection>;

    /// The rulesets one can ask for, the default first.
    fn rulesets() -> Vec<Named>;

    /// The set-ups one can ask for, the default first.
    fn setups() -> Vec<Named>;

    /// What else a player may choose for a set-up; each answer is a wish that `open_table` understands,
    /// and it understands no others. This is the only place where an option is declared.
    fn settings(_setup: &str) -> Vec<Setting> {
        Vec::new()
    }

    /// The same where content overlays what is built in: what it adds can be chosen too.
    fn settings_with(setup: &str, _over: &[Source]) -> Vec<Setting> {
        Self::settings(setup)
    }

    /// What the match of a day is asked for besides its seed, as wishes: what the opening says already is left out.
    fn daily(_opening: &Opening) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Which rules are on, for the header of a match file; `open_table` must accept it.
    fn ruleset(&self) -> Value;

    /// A digest of the content in use.
    fn content(&self) -> Digest;

    /// The version of the rules: another one plays old matches otherwise.
    const RULES: u32 = 1;

    /// For every kind of thing that facts name by number, the names in the order of the numbers: the header of a
    /// match file holds them, so that another program can read the log.
    fn names(&self, _state: &Self::State) -> BTreeMap<String, Vec<String>> {
        BTreeMap::new()
    }

    /// A seed as players of this game write it: wherever one is asked for, that text must mean the same.
    fn tell_seed(seed: u64) -> String {
        seed.to_string()
    }

    /// Who sits where: one name for each seat.
    fn seats(&self, state: &Self::State) -> Vec<String>;

    /// What is shown to a viewer. `inputs` are the possible ones; `options` must be as many, in the
    /// same order.
    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene;

    /// An event as other programs read it: things by name, not by number. By default its own form.
    fn write_event(&self, _state: &Self::State, event: &Self::Event) -> Value {
        serde_json::to_value(event).unwrap_or_default()
    }

    /// An input as other programs read it, in a form that [`read_input`](Hosted::read_input) understands: things by
    /// name, not by number. By default its own form.
    fn write_input(&self, input: &InputOf<Self>) -> Value {
        serde_json::to_value(input).unwrap_or_default()
    }

    /// A question as other programs read it: things by name, not by number. By default its own form.
    fn write_question(&self, question: &Self::Question) -> Value {
        serde_json::to_value(question).unwrap_or_default()
    }

    /// The cells of the scene's board at which an event happened, column and row from the top left.
    /// The last action's are marked on the board.
    fn touched(&self, _state: &Self::State, _event: &Self::Event) -> Vec<(u16, u16)> {
        Vec::new()
    }

    /// How an event looks when a replay shows what an input set off part by part: the cells of a long walk, one blast
    /// after the other. By default an input is shown as a whole.
    fn motion(&self, _event: &Self::Event) -> Motion {
        Motion::Still
    }

    /// The bots one can ask for, weakest first.
    fn bots() -> Vec<Named>;

    /// A bot by name, for a seat.
    fn bot(name: &str, seat: Seat) -> Option<Box<dyn Bot<Self>>>;

    /// Who plays the five [`LEVELS`](crate::LEVELS), gentlest first: names of bots, `slips=PERCENT:NAME` for one who
    /// does anything at all that often, or searchers such as `ismcts:400`.
    fn levels() -> [&'static str; 5] {
        crate::level::USUAL_LEVELS
    }

    /// How good a state is for a seat, from 0 (lost) over 500 (even) to 1,000 (won), for searchers that cannot look
    /// to the end. `None` if the game has no opinion: then they play on to the end.
    fn appraise(&self, _state: &Self::State, _seat: Seat) -> Option<i32> {
        None
    }

    /// What a quick player would send, by its number: searchers finish their tries so. `None` for anything at all.
    fn reflex(
        &self,
        _position: &Position<Self>,
        _inputs: &[InputOf<Self>],
        _lots: &mut Lots,
    ) -> Option<usize> {
        None
    }

    /// Reads an input typed by a player, such as `e2e4`, besides the labels of the scene.
    fn parse_input(&self, _position: &Position<Self>, _text: &str) -> Option<InputOf<Self>> {
        None
    }

    /// How this seat's running out of time is told; `None` if the game is not played by the clock.
    /// Rules know no time: whoever keeps the clock sends an input like any other, logged and replayed.
    fn time_out(&self, _state: &Self::State, _seat: Seat) -> Option<TimeOut<InputOf<Self>>> {
        None
    }

    /// Whether who holds that seat, and nothing else, may send this input now, whether it is then
    /// accepted or not. By default only who is to act may, or anybody where nobody is. Games in which something may be sent
    /// at any time, such as resigning, allow it here; games whose referee has inputs of his own refuse
    /// those.
    fn may_send(&self, position: &Position<Self>, seat: Seat, _input: &InputOf<Self>) -> bool {
        position.actor(self).is_none_or(|actor| actor == seat)
    }

    /// Turns JSON from outside into an input. The default reads the input's own form; a game may
    /// accept its actions bare.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read_input(&self, _position: &Position<Self>, value: &Value) -> Result<InputOf<Self>, Rejection> {
        serde_json::from_value(value.clone())
            .map_err(|error| Rejection::new(turnstone::code::MALFORMED, format!("not an input: {error}")))
    }

    /// The benchmarks.
    fn benches() -> Vec<Bench> {
        Vec::new()
    }

    /// What to say about a finished match in a report over many: numbers are averaged, words counted
    /// (`floor` 17, `killed by` "Jaw Worm").
    fn tally(&self, _state: &Self::State) -> Vec<(String, Value)> {
        Vec::new()
    }

    /// What a seat has in a state, each with its kind: `card` "Bash", `relic` "Vajra", `ability` "Exploding". A report
    /// over many matches compares those with it and those without.
    fn holdings(&self, _state: &Self::State, _seat: Seat) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The part of the match that is being played and a number that it may cost: the fight, and hit points.
    /// `None` between such parts. What the input still costs that ends a part is counted, and what is won back because
    /// the part is over is not: neither what comes when this gives something else, nor what
    /// [`idle`](turnstone::Game::idle) proposes before that.
    fn chapter(&self, _state: &Self::State) -> Option<(String, i64)> {
        None
    }

    /// What inputs are about, by their numbers, for reports that count what is offered and taken and try what a choice
    /// itself does: cards, options of an event, openings. Inputs that are not worth counting are left out. It is asked
    /// before every input of many matches: a game says quickly when there is nothing.
    fn topics(&self, _position: &Position<Self>, _inputs: &[InputOf<Self>]) -> Vec<(usize, Topic)> {
        Vec::new()
    }

    /// What can be told of a first state without playing it: whether a level can be solved, and in how many steps.
    /// Numbers are averaged and drawn as histograms, words and yes or no are counted.
    fn survey(&self, _state: &Self::State) -> Vec<(String, Value)> {
        Vec::new()
    }

    /// The changes of a set-up that are worth a try: an ability more for one side, a creature less.
    fn grafts(&self, _setup: &Self::Setup, _seed: u64) -> Vec<Graft> {
        Vec::new()
    }

    /// The set-up with that change; by lot, if it can be made in several ways. `None` if it cannot be made here.
    fn graft(&self, _setup: &Self::Setup, _seed: u64, _graft: &Graft) -> Option<Self::Setup> {
        None
    }

    /// What [`grafts`](Hosted::grafts) leaves out although somebody may look for it, with the reason: a line each.
    fn ungrafted(&self, _setup: &Self::Setup, _seed: u64) -> Vec<String> {
        Vec::new()
    }

    /// The set-up to go on with after a match that is over: the next level, if this one was won.
    fn sequel(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// Reads the built-in content, overlaid by these texts, and tells everything that is wrong with it.
    /// `None` if the game has no content files.
    fn check_content(_over: &[Source]) -> Option<ContentCheck> {
        None
    }

    /// The JSON Schemas of content files, set-ups and the like, by name.
    fn schemas() -> Vec<(String, Value)> {
        Vec::new()
    }
}

/// How an event looks when an input is shown in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing is seen of it.
    Still,
    /// It is seen together with what comes before it.
    Along,
    /// It is a part of its own: what was before it is shown first.
    Own,
}

/// How a game hears that time has run out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeOut<I> {
    /// Clocks are set anew when this number changes: the fights of a run are timed one by one.
    pub round: u32,
    /// What to send; `None` while the clock stands still, as between the fights of a run.
    pub input: Option<I>,
}

/// The result of reading content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentCheck {
    /// How many entries of each kind were read: `cards` 367.
    pub entries: Vec<(String, usize)>,
    /// What is wrong, each with file, line and column, and what would be right.
    pub problems: Vec<String>,
}

/// The result of checking one file of golden records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conformity {
    /// What kind of file it was taken for.
    pub kind: String,
    /// Records that agree.
    pub passed: usize,
    /// Records that do not, each with its first divergence.
    pub failures: Vec<Failure>,
    /// Records among those that agree which were compared up to some step only, each with the reason.
    #[serde(default)]
    pub in_part: Vec<String>,
    /// Records that were left out, each with the reason. Never silently.
    pub skipped: Vec<String>,
}

/// A golden record that does not agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which record.
    pub record: String,
    /// Where in it: `step 3`, `hash`.
    pub place: String,
    /// What differs, with both values.
    pub text: String,
}

impl Conformity {
    /// An empty result for that kind of file.
    pub fn new(kind: impl Into<String>) -> Self {
        Conformity { kind: kind.into(), ..Conformity::default() }
    }

    /// Counts one record.
    pub fn count(&mut self, record: impl Into<String>, result: Result<(), (String, String)>) {
        match result {
            Ok(()) => self.passed += 1,
            Err((place, text)) => self.failures.push(Failure { record: record.into(), place, text }),
        }
    }
}

/// Facts to print beside a rate: name and value.
pub type Facts = fn() -> Vec<(String, String)>;

/// What a unit of a benchmark is made of: the name of its parts, and how many there are on average.
pub type Parts = (&'static str, fn() -> f64);

/// A benchmark: work that can be repeated. The kernel has no clock; whoever runs it measures.
pub struct Bench {
    /// The name, as typed: `skirmish/move/log-off`.
    pub name: String,
    /// What one unit of work is: `actions`, `playouts`, `clones`.
    pub unit: &'static str,
    /// What is being done, in a sentence.
    pub about: String,
    /// What a unit consists of, and of how many on average: a playout of `actions`. The rate of these is told too.
    pub parts: Option<Parts>,
    /// Prepares the work. The closure does a chunk of a few milliseconds or more and gives the number
    /// of units done.
    pub prepare: fn() -> Box<dyn FnMut() -> u64>,
    /// Facts to print beside the rate, such as `bytes=1312` or a mean floor; computed once.
    pub facts: Option<Facts>,
}
