//! The tournament file.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use turnstone_table::{is_timed, nearest};

use crate::Trouble;
use crate::apart::Helper;
use crate::play::Game;
use crate::stats::{Model, Sprt};

/// What is to be played, as written in TOML.
///
/// ```
/// let plan = turnstone_arena::Plan::read(r#"
///     game = "pebbles"
///     seeds = { from = 1, count = 100 }
///     [bot.one]
///     name = "random"
///     [bot.two]
///     kind = "protocol"
///     command = "python3 bot.py"
/// "#)?;
/// assert_eq!(plan.bot.len(), 2);
/// # Ok::<(), turnstone_arena::Trouble>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Which game.
    pub game: String,
    /// Which rules; the game's usual ones if left out.
    pub ruleset: Option<String>,
    /// The set-ups, every seed is played on each; the game's usual one if left out.
    #[serde(default)]
    pub setups: Vec<String>,
    /// Options of the set-ups, such as `character = "ironclad"`.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The seeds.
    #[serde(default)]
    pub seeds: Seeds,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// In a gauntlet, the one who meets everybody.
    pub hero: Option<String>,
    /// The bot whose rating is 0; without one the mean of all is.
    pub anchor: Option<String>,
    /// A game that takes more inputs than this is given up, and counted as drawn.
    #[serde(default = "long")]
    pub max_inputs: u64,
    /// A game that is given up is won by whom the game itself gives at least so many thousandths; drawn otherwise,
    /// or if this is left out.
    pub adjudicate: Option<u16>,
    /// In games for one, the number of the game's tally by which runs are compared, such as `floor`, or `-turns` if less
    /// is better; without one only winning counts.
    pub measure: Option<String>,
    /// Keep in the results why bots did what they did: what they weighed, and the line that they expected. They think
    /// everything over twice then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reasons: bool,
    /// The players by name.
    pub bot: BTreeMap<String, BotPlan>,
    /// Play only until one of two claims about two bots is accepted.
    pub sprt: Option<SprtPlan>,
}

fn long() -> u64 {
    100_000
}

/// Which seeds are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The first.
    #[serde(default = "one")]
    pub from: u64,
    /// How many: with two seats, each is a pair of games with the seats swapped.
    pub count: u64,
}

fn one() -> u64 {
    1
}

impl Default for Seeds {
    fn default() -> Self {
        Seeds { from: 1, count: 100 }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody everybody.
    #[default]
    RoundRobin,
    /// The hero everybody.
    Gauntlet,
}

/// What kind of player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A bot of the game, or a searcher: `name = "normal"`, `name = "ismcts:400"`.
    #[default]
    Builtin,
    /// A program that speaks the line protocol.
    Protocol,
    /// A program that speaks the universal chess interface.
    Uci,
}

/// One player. A program is always held to limits; a built-in bot is if any of them is given, and runs in a process of its
/// own then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotPlan {
    /// What kind.
    #[serde(default)]
    pub kind: Kind,
    /// The name of a built-in one.
    pub name: Option<String>,
    /// How a program is started, by `sh -c`.
    pub command: Option<String>,
    /// What a chess program is told to do at every move.
    #[serde(default = "go")]
    pub go: String,
    /// Options of a chess program.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Seconds that it may take to start, besides: until it first says something. 5 if left out.
    #[serde(default, skip_serializing_if = "is_usual_start")]
    pub start_seconds: Option<f64>,
    /// Seconds that it may take for one answer; 10 if left out.
    #[serde(default, serialize_with = "write_move")]
    pub move_seconds: Option<f64>,
    /// Seconds that it may take for all answers of a game; 600 if left out.
    #[serde(default, serialize_with = "write_game")]
    pub game_seconds: Option<f64>,
    /// Megabytes that it may hold, with all that it has started; 0 for any number, 1024 if left out.
    #[serde(default, serialize_with = "write_memory")]
    pub memory_mb: Option<u64>,
    /// Who runs a built-in bot that is held to limits.
    #[serde(skip)]
    pub(crate) helper: Option<Helper>,
}

fn go() -> String {
    "nodes 10000".to_owned()
}

const START_SECONDS: f64 = 5.0;
const MOVE_SECONDS: f64 = 10.0;
const GAME_SECONDS: f64 = 600.0;
const MEMORY_MB: u64 = 1024;

/// Results that were begun before there was such a number go on.
fn is_usual_start(seconds: &Option<f64>) -> bool {
    seconds.is_none_or(|seconds| seconds == START_SECONDS)
}
// Who gives the usual limits plays the same tournament as who gives none.
fn write_move<S: Serializer>(given: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    given.unwrap_or(MOVE_SECONDS).serialize(to)
}
fn write_game<S: Serializer>(given: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    given.unwrap_or(GAME_SECONDS).serialize(to)
}
fn write_memory<S: Serializer>(given: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    given.unwrap_or(MEMORY_MB).serialize(to)
}

/// Two claims about two bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    /// The one of whom something is claimed.
    pub a: String,
    /// The one he is compared with.
    pub b: String,
    /// The first claim: how much stronger he is.
    #[serde(default)]
    pub elo0: f64,
    /// The second.
    pub elo1: f64,
    /// How often the second is accepted though the first holds.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often the first is accepted though the second holds.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The units.
    #[serde(default)]
    pub model: Model,
    /// The test is looked at after every so many seeds.
    #[serde(default = "eight")]
    pub step: u64,
}

fn five_percent() -> f64 {
    0.05
}
fn eight() -> u64 {
    8
}

impl SprtPlan {
    /// The test.
    pub fn test(&self) -> Sprt {
        let SprtPlan { elo0, elo1, alpha, beta, model, .. } = *self;
        Sprt { elo0, elo1, alpha, beta, model }
    }
}

impl Plan {
    /// Reads a tournament file.
    ///
    /// # Errors
    /// Where and what is wrong.
    pub fn read(text: &str) -> Result<Plan, Trouble> {
        let plan: Plan = toml::from_str(text).map_err(|error| Trouble::new("BAD_PLAN", error.to_string()))?;
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), Trouble> {
        let wrong = |text: String| Err(Trouble::new("BAD_PLAN", text));
        if self.bot.is_empty() || self.seeds.count == 0 {
            return wrong("a tournament needs at least one [bot.NAME] and one seed".to_owned());
        }
        for (name, bot) in &self.bot {
            if let Some(problem) = bot.problem() {
                return wrong(format!("[bot.{name}]: {problem}"));
            }
        }
        let sprt = self.sprt.iter().flat_map(|sprt| [&sprt.a, &sprt.b]);
        let named = sprt.map(|name| ("[sprt]", name));
        let named = named.chain(self.hero.iter().map(|name| ("hero", name)));
        for (what, name) in named.chain(self.anchor.iter().map(|name| ("anchor", name))) {
            if !self.bot.contains_key(name) {
                let known: Vec<&str> = self.bot.keys().map(String::as_str).collect();
                return wrong(format!("{what}: there is no [bot.{name}]; there are: {}", known.join(", ")));
            }
        }
        if self.max_inputs == 0 {
            return wrong("max_inputs: at least 1".to_owned());
        }
        if self.seeds.from.checked_add(self.seeds.count - 1).is_none() {
            return wrong(format!("seeds: there are not so many after {}", self.seeds.from));
        }
        if self.adjudicate.is_some_and(|least| !(501..=1000).contains(&least)) {
            return wrong("adjudicate: from 501 to 1000 thousandths".to_owned());
        }
        if self.format == Format::Gauntlet && self.hero.is_none() {
            return wrong("a gauntlet needs a hero = \"NAME\"".to_owned());
        }
        let Some(sprt) = &self.sprt else { return Ok(()) };
        if sprt.a == sprt.b || sprt.step == 0 {
            return wrong("[sprt]: a and b must be two bots, and step at least 1".to_owned());
        }
        sprt.test().problem().map_or(Ok(()), |problem| wrong(format!("[sprt]: {problem}")))
    }

    /// The names of those who play, and of each the number in `bot`'s order.
    pub fn names(&self) -> Vec<String> {
        match &self.sprt {
            Some(sprt) => vec![sprt.a.clone(), sprt.b.clone()],
            None => self.bot.keys().cloned().collect(),
        }
    }

    /// The number by which games for one are compared.
    pub(crate) fn measured(&self) -> Option<Measure> {
        let text = self.measure.as_deref()?;
        let (name, less) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        // Who lost by a fault has done as badly as one can.
        let worst = if less { self.max_inputs as f64 } else { 0.0 };
        Some(Measure { name: name.to_owned(), less, worst })
    }

    /// Those who play by the clock: played again, their games may go otherwise.
    pub fn timed(&self) -> Vec<String> {
        let names = self.names();
        names.into_iter().filter(|name| self.bot.get(name).is_some_and(BotPlan::timed)).collect()
    }

    /// The pairs that meet, by their numbers in [`names`](Plan::names).
    pub(crate) fn pairings(&self) -> Vec<(usize, usize)> {
        let names = self.names();
        let hero = names.iter().position(|name| Some(name) == self.hero.as_ref());
        let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
        match (self.format, hero, &self.sprt) {
            (Format::Gauntlet, Some(hero), None) => {
                (0..names.len()).filter(|other| *other != hero).map(|other| (hero, other)).collect()
            }
            _ => pairs.collect(),
        }
    }
}

/// A number of a game's tally by which games for one are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    name: String,
    less: bool,
    worst: f64,
}

/// Refuses a measure that is no number of the tally, with the one that was probably meant.
pub(crate) fn known_measure<'t>(
    name: &str,
    tally: impl Iterator<Item = (&'t str, &'t Value)>,
) -> Result<(), Trouble> {
    let numbers: Vec<&str> = tally.filter(|(_, value)| value.is_number()).map(|(name, _)| name).collect();
    if numbers.contains(&name) {
        return Ok(());
    }
    let all = if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") };
    let text = match nearest(name, numbers.iter().copied()) {
        Some(meant) => {
            format!("the tally has no number \"{name}\"; did you mean \"{meant}\"? There are: {all}")
        }
        None => format!("the tally has no number \"{name}\"; there are: {all}"),
    };
    Err(Trouble::new("UNKNOWN_MEASURE", text))
}

impl Measure {
    /// Whether a game that was played tells it; what was lost by a fault may have been too short for that.
    pub fn check(&self, game: &Game) -> Result<(), Trouble> {
        if game.fault.is_some() {
            return Ok(());
        }
        known_measure(&self.name, game.tally.iter().map(|(name, value)| (name.as_str(), value)))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number itself.
    pub fn of(&self, game: &Game) -> f64 {
        let number = game.tally.get(&self.name).and_then(Value::as_f64);
        number.filter(|_| game.fault.is_none()).unwrap_or(self.worst)
    }

    /// The same, turned so that more is better.
    pub fn merit(&self, number: f64) -> f64 {
        if self.less { -number } else { number }
    }
}

impl BotPlan {
    /// Whether it plays by the clock.
    pub fn timed(&self) -> bool {
        match self.kind {
            Kind::Builtin => self.name.as_deref().is_some_and(is_timed),
            Kind::Uci => self
                .go
                .split_whitespace()
                .any(|word| ["movetime", "wtime", "btime", "infinite"].contains(&word)),
            // What a program goes by nobody knows.
            Kind::Protocol => false,
        }
    }

    /// A bot of the game, or a searcher.
    pub fn builtin(name: &str) -> Self {
        BotPlan { name: Some(name.to_owned()), ..BotPlan::program("") }
    }

    /// A program that speaks the line protocol, with the usual limits.
    pub fn program(command: &str) -> Self {
        BotPlan {
            kind: if command.is_empty() { Kind::Builtin } else { Kind::Protocol },
            name: None,
            command: Some(command.to_owned()).filter(|command| !command.is_empty()),
            go: go(),
            options: BTreeMap::new(),
            start_seconds: None,
            move_seconds: None,
            game_seconds: None,
            memory_mb: None,
            helper: None,
        }
    }

    /// The first limit that is given, by its name.
    pub(crate) fn limit(&self) -> Option<&'static str> {
        let seconds = [
            ("start_seconds", self.start_seconds),
            ("move_seconds", self.move_seconds),
            ("game_seconds", self.game_seconds),
        ];
        let given = seconds.into_iter().find(|(_, given)| given.is_some()).map(|(name, _)| name);
        given.or(self.memory_mb.map(|_| "memory_mb"))
    }

    /// Whether it plays in a process of its own, held to limits.
    pub(crate) fn is_apart(&self) -> bool {
        self.kind != Kind::Builtin || self.helper.is_some()
    }

    pub(crate) fn start_limit(&self) -> Duration {
        Duration::from_secs_f64(self.start_seconds.unwrap_or(START_SECONDS))
    }

    pub(crate) fn move_limit(&self) -> Duration {
        Duration::from_secs_f64(self.move_seconds.unwrap_or(MOVE_SECONDS))
    }

    pub(crate) fn game_limit(&self) -> Duration {
        Duration::from_secs_f64(self.game_seconds.unwrap_or(GAME_SECONDS))
    }

    /// In kilobytes; `None` for any number.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        let given = self.memory_mb.unwrap_or(MEMORY_MB);
        Some(given.saturating_mul(1024)).filter(|limit| *limit > 0)
    }

    fn problem(&self) -> Option<String> {
        let seconds = |given: Option<f64>| given.is_none_or(|x| x.is_finite() && x > 0.0 && x < 1e6);
        match (self.kind, &self.name, &self.command) {
            (Kind::Builtin, None, _) => Some("a built-in bot needs a name".to_owned()),
            (Kind::Builtin, _, Some(_)) => Some("a command is for kind = \"protocol\" or \"uci\"".to_owned()),
            (Kind::Protocol | Kind::Uci, _, None) => Some("a program needs a command".to_owned()),
            _ if !seconds(self.move_seconds) || !seconds(self.game_seconds) => {
                Some("seconds must be more than 0".to_owned())
            }
            _ if !self.start_seconds.is_none_or(|seconds| (0.0..1e6).contains(&seconds)) => {
                Some("start_seconds must not be below 0".to_owned())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told() {
        let bot = "game = \"g\"\n[bot.a]\nname = \"x\"\n[bot.b]\nname = \"y\"\n";
        for (text, says) in [
            ("game = \"g\"", "missing field `bot`"),
            ("game = \"g\"\nsetup = [\"a\"]\n[bot.a]\nname = \"x\"", "unknown field `setup`"),
            ("game = \"g\"\n[bot.a]\nkind = \"uci\"", "a program needs a command"),
            ("game = \"g\"\n[bot.a]", "needs a name"),
            (&format!("{bot}[sprt]\na = \"a\"\nb = \"c\"\nelo1 = 5"), "there is no [bot.c]; there are: a, b"),
            (&format!("{bot}[sprt]\na = \"a\"\nb = \"b\"\nelo1 = -5"), "elo0 must be less"),
            (&format!("format = \"gauntlet\"\n{bot}"), "needs a hero"),
            (&format!("adjudicate = 500\n{bot}"), "from 501 to 1000"),
            (&format!("anchor = \"z\"\n{bot}"), "anchor: there is no [bot.z]"),
            (&format!("hero = \"z\"\n{bot}"), "hero: there is no [bot.z]"),
            (&format!("max_inputs = 0\n{bot}"), "max_inputs: at least 1"),
            (&format!("seeds = {{ from = 18446744073709551615, count = 2 }}\n{bot}"), "not so many"),
        ] {
            let trouble = Plan::read(text).unwrap_err();
            assert_eq!(trouble.code, "BAD_PLAN");
            assert!(trouble.text.contains(says), "{} does not say {says}", trouble.text);
        }
    }

    #[test]
    fn less_may_be_better_and_who_fails_has_done_worst() {
        let plan = |measure: &str| {
            let text =
                format!("game = \"g\"\nmax_inputs = 99\nmeasure = \"{measure}\"\n[bot.a]\nname = \"x\"");
            Plan::read(&text).unwrap().measured().unwrap()
        };
        let game = |turns: u64, fault: bool| {
            let mut told = serde_json::json!({ "seats": ["a"], "outcome": null, "inputs": 1, "tally": { "turns": turns } });
            if fault {
                told["fault"] = serde_json::json!({ "seat": 0, "code": "CRASHED", "text": "" });
            }
            serde_json::from_value::<Game>(told).unwrap()
        };
        let merit = |measure: &Measure, game: &Game| measure.merit(measure.of(game));
        for (measure, sign) in [(plan("turns"), 1.0), (plan("-turns"), -1.0)] {
            assert_eq!((measure.of(&game(5, false)), merit(&measure, &game(5, false))), (5.0, sign * 5.0));
            assert!(merit(&measure, &game(5, true)) < merit(&measure, &game(5, false)));
        }
    }

    #[test]
    fn a_gauntlet_pairs_its_hero() {
        let text = "game = \"g\"\nformat = \"gauntlet\"\nhero = \"b\"\n\
                    [bot.a]\nname = \"x\"\n[bot.b]\nname = \"x\"\n[bot.c]\nname = \"x\"";
        let plan = Plan::read(text).unwrap();
        assert_eq!(plan.pairings(), [(1, 0), (1, 2)]);
    }
}
