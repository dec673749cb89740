//! One game, whoever plays it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use turnstone_table::protocol::{Doors, Said, Terms};
use turnstone_table::{Outcome, Plan as Seating, Played, Reasons, Rejection, Seat, Table, Venue, bot_seed};

use crate::apart::sent;
use crate::plan::BotPlan;
use crate::rival::{Failed, Fault, QUOTED, Rival};

/// A game that was played, as the results file keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Who sat where.
    pub seats: Vec<String>,
    /// How the rules ended it; `null` if they did not.
    pub outcome: Option<Outcome>,
    /// Inputs sent.
    pub inputs: u64,
    /// Who lost it without the rules, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// It was given up, and the game's own opinion decided it: so many thousandths for the first seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicated: Option<i32>,
    /// Why nobody could go on, if nobody could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck: Option<String>,
    /// What the game says about it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub tally: Map<String, Value>,
    /// Why the bots that have reasons did what they did, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Somebody played by the clock: played again, it may go otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
    /// What everybody sent, in order, where that cannot be found out again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Value>,
    /// What the programs sent and was obeyed, in order: from it the match can be played again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// Why a bot did something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// After how many inputs.
    pub input: u64,
    /// Which seat.
    pub seat: Seat,
    /// What it chose.
    pub chosen: String,
    /// How often it tried that, and how often anything.
    pub tries: (u64, u64),
    /// What that is worth to it, in thousandths of a win; of what was not tried nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<u32>,
    /// The line that it expects.
    pub line: Vec<String>,
}

impl Reason {
    fn new(input: u64, reasons: &Reasons) -> Self {
        let Reasons { seat, chosen, options, line, .. } = reasons;
        let all = options.iter().map(|(_, visits, _)| visits).sum();
        let (tries, worth) = options.first().map_or((0, 0.0), |(_, visits, value)| (*visits, *value));
        let worth = (tries > 0).then(|| (1000.0 * worth).round().clamp(0.0, 1000.0) as u32);
        Reason { input, seat: *seat, chosen: chosen.clone(), tries: (tries, all), worth, line: line.clone() }
    }
}

impl Game {
    /// Whether that player won, against the others or together with them.
    pub fn won(&self, name: &str) -> bool {
        self.halves(name) == 2 || (self.fault.is_none() && self.outcome == Some(Outcome::WonByAll))
    }

    /// Halves of a point for that player against the others, wherever he sat. Those who win or lose together are
    /// equals: that tells nothing about who is the stronger.
    pub fn halves(&self, name: &str) -> u8 {
        let sat = |seat: u8| self.seats.get(usize::from(seat)).is_some_and(|who| who == name);
        match (&self.fault, self.outcome) {
            (Some(fault), _) if sat(fault.seat) => 0,
            (Some(_), _) => 2,
            (None, Some(Outcome::Won(winner))) if sat(winner) => 2,
            (None, Some(Outcome::Won(_))) => 0,
            // Alone, what is not won is lost.
            (None, Some(Outcome::WonByAll)) if self.seats.len() == 1 => 2,
            (None, _) if self.seats.len() == 1 => 0,
            (None, Some(Outcome::WonByAll | Outcome::Drawn | Outcome::Lost) | None) => 1,
        }
    }

    /// Gives a game that was given up to whom it stands well enough for, with two seats.
    fn adjudicate(mut self, standing: Option<i32>, least: Option<u16>) -> Self {
        let open = self.outcome.is_none() && self.fault.is_none() && self.seats.len() == 2;
        let (Some(standing), Some(least)) = (standing.filter(|_| open), least.map(i32::from)) else {
            return self;
        };
        let winner = match standing {
            standing if standing >= least => 0,
            standing if standing <= 1000 - least => 1,
            _ => return self,
        };
        (self.outcome, self.adjudicated) = (Some(Outcome::Won(winner)), Some(standing));
        self
    }
}

/// How long a game may take, and what then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub max_inputs: u64,
    pub adjudicate: Option<u16>,
    /// Whether reasons are kept: then every choice is thought over twice.
    pub reasons: bool,
}

/// A player with his name.
pub(crate) type Entrant<'a> = (&'a str, &'a BotPlan);

/// Plays one game.
///
/// # Errors
/// If the set-up is refused with this seed, or there is no such bot: then no game of it can be played.
pub(crate) fn play(
    venue: &dyn Venue,
    seed: u64,
    seats: &[Entrant<'_>],
    bounds: Bounds,
) -> Result<Game, Rejection> {
    let max_inputs = bounds.max_inputs;
    let names = seats.iter().map(|(name, _)| (*name).to_owned()).collect();
    let timed = seats.iter().any(|(_, bot)| bot.timed());
    if !timed && !seats.iter().any(|(_, bot)| bot.is_apart()) {
        let seating = seating(seats, max_inputs);
        // A bot that panics loses; to know which one did, the game is played again, step by step.
        return match catch_unwind(AssertUnwindSafe(|| venue.simulate(seed, &seating))) {
            Ok(played) => {
                let played = played?;
                let standing = played.standing;
                let mut game = simulated(names, played).adjudicate(standing, bounds.adjudicate);
                if bounds.reasons {
                    game.reasons = reasons(venue, seed, seats, game.inputs)?;
                }
                Ok(game)
            }
            Err(_) => at_a_table(venue, seed, seats, max_inputs, names, &mut Programs::default()),
        };
    }
    let mut programs = Programs::default();
    let game = at_a_table(venue, seed, seats, max_inputs, names, &mut programs)?;
    let mut game = game.adjudicate(programs.standing, bounds.adjudicate);
    if bounds.reasons {
        game.reasons = reasons_for(venue, seed, seats, &sent(&programs.file))?;
    }
    if timed {
        (game.timed, game.sent) = (true, sent(&programs.file));
    }
    Ok(game)
}

/// Plays what was sent once more, and asks the built-in bots of it why.
fn reasons_for(
    venue: &dyn Venue,
    seed: u64,
    seats: &[Entrant<'_>],
    sent: &[Value],
) -> Result<Vec<Reason>, Rejection> {
    let mut table = venue.open(seed)?;
    let mut reasons = Vec::new();
    for (input, value) in sent.iter().enumerate() {
        let name =
            seats.get(usize::from(table.actor().unwrap_or(0))).and_then(|(_, bot)| bot.name.as_deref());
        let moment = table.act(value)?;
        let why = name.and_then(|name| table.why(moment, name).ok());
        reasons.extend(why.map(|why| Reason::new(input as u64, &why)));
    }
    Ok(reasons)
}

/// Plays a game of built-in bots again and asks each of them why.
fn reasons(
    venue: &dyn Venue,
    seed: u64,
    seats: &[Entrant<'_>],
    inputs: u64,
) -> Result<Vec<Reason>, Rejection> {
    let mut table = venue.open(seed)?;
    let names: Vec<&str> = seats.iter().map(|(_, bot)| bot.name.as_deref().unwrap_or_default()).collect();
    for (seat, name) in names.iter().enumerate() {
        table.seat_bot(seat as Seat, name, bot_seed(seed))?;
    }
    let mut reasons = Vec::new();
    for input in 0..inputs {
        let Some(number) = table.bot_choice() else { break };
        let name = names.get(usize::from(table.actor().unwrap_or(0)));
        let moment = table.choose(number)?;
        // Who has none to give says nothing.
        reasons
            .extend(name.and_then(|name| table.why(moment, name).ok()).map(|why| Reason::new(input, &why)));
    }
    Ok(reasons)
}

/// Plays one game at a table, whoever plays, and gives its match file, too.
///
/// # Errors
/// If the set-up is refused with this seed, or there is no such bot.
pub fn play_at_table(
    venue: &dyn Venue,
    seed: u64,
    seats: &[(&str, &BotPlan)],
    max_inputs: u64,
) -> Result<(Game, String), Rejection> {
    let names = seats.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut programs = Programs::default();
    let game = at_a_table(venue, seed, seats, max_inputs, names, &mut programs)?;
    Ok((game, programs.file))
}

/// Plays a game again for its match file; programs say what they said then.
pub(crate) fn again(
    venue: &dyn Venue,
    seed: u64,
    seats: &[Entrant<'_>],
    max_inputs: u64,
    game: &Game,
) -> Result<String, Rejection> {
    if !game.sent.is_empty() {
        let mut table = venue.open(seed)?;
        for input in &game.sent {
            table.act(input)?;
        }
        return table.save();
    }
    let mut programs = Programs { told: Some(game.lines.clone()), ..Programs::default() };
    at_a_table(venue, seed, seats, max_inputs, game.seats.clone(), &mut programs)?;
    Ok(programs.file)
}

fn seating(seats: &[Entrant<'_>], max_inputs: u64) -> Seating {
    let name = |bot: &BotPlan| bot.name.clone().unwrap_or_default();
    let named = seats.iter().enumerate().map(|(seat, (_, bot))| (seat as Seat, name(bot)));
    Seating {
        bot: seats.first().map(|(_, bot)| name(bot)).unwrap_or_default(),
        seats: named.collect(),
        max_inputs,
    }
}

fn simulated(seats: Vec<String>, played: Played) -> Game {
    let Played { outcome, inputs, stuck, tally, .. } = played;
    // A game given up for its length is told by having no outcome.
    let stuck = stuck.filter(|why| !why.starts_with("not over"));
    Game {
        seats,
        outcome,
        inputs,
        fault: None,
        adjudicated: None,
        stuck,
        tally: tally.into_iter().collect(),
        reasons: Vec::new(),
        timed: false,
        sent: Vec::new(),
        lines: Vec::new(),
    }
}

/// The programs of a game.
#[derive(Default)]
struct Programs {
    rivals: Vec<(Seat, Rival)>,
    /// What was said the first time, if the game is played again.
    told: Option<Vec<String>>,
    lines: Vec<String>,
    file: String,
    /// The beginning of the match's file, as far as a built-in bot among them had to be told it.
    begun: String,
    /// How it stands in the end for the first seat, if the game has an opinion.
    standing: Option<i32>,
}

fn at_a_table(
    venue: &dyn Venue,
    seed: u64,
    seats: &[Entrant<'_>],
    max_inputs: u64,
    names: Vec<String>,
    programs: &mut Programs,
) -> Result<Game, Rejection> {
    let mut table = venue.open(seed)?;
    let mut held = Vec::new();
    let mut fault = None;
    for (seat, (_, bot)) in seats.iter().enumerate() {
        let seat = seat as Seat;
        match bot.is_apart() {
            false => table.seat_bot(seat, bot.name.as_deref().unwrap_or_default(), bot_seed(seed))?,
            true if programs.told.is_some() => held.push(seat),
            true => match Rival::start(bot) {
                Ok(rival) => {
                    held.push(seat);
                    programs.rivals.push((seat, rival));
                }
                Err((code, text)) => {
                    held.push(seat);
                    fault = fault.or(Some(Fault { seat, code: code.to_owned(), text }));
                }
            },
        }
    }
    if held.is_empty() {
        return Ok(builtin(table, names, max_inputs, programs));
    }
    let mut doors = Doors::new(table, &held, Terms { salt: salt(), practice: false })?.up_to(max_inputs);
    if fault.is_none() {
        fault = referee(&mut doors, programs, &held, max_inputs);
    }
    let table = doors.table();
    programs.file = table.save().unwrap_or_default();
    programs.standing = table.appraise(0);
    Ok(told(table, names, fault, std::mem::take(&mut programs.lines)))
}

fn told(table: &dyn Table, seats: Vec<String>, fault: Option<Fault>, lines: Vec<String>) -> Game {
    let tally = table.tally().into_iter().collect();
    let inputs = table.line().len().saturating_sub(1) as u64;
    let reasons = Vec::new();
    Game {
        seats,
        outcome: table.outcome(),
        inputs,
        fault,
        adjudicated: None,
        stuck: None,
        tally,
        reasons,
        timed: false,
        sent: Vec::new(),
        lines,
    }
}

/// Built-in bots, one step at a time.
fn builtin(mut table: Box<dyn Table>, names: Vec<String>, max_inputs: u64, programs: &mut Programs) -> Game {
    let (mut inputs, mut fault) = (0, None);
    while table.outcome().is_none() && inputs < max_inputs {
        let seat = table.actor().unwrap_or(0);
        match catch_unwind(AssertUnwindSafe(|| table.bot_choice())) {
            Ok(Some(number)) if table.choose(number).is_ok() => inputs += 1,
            Ok(_) => break,
            Err(_) => {
                fault = Some(panicked(seat));
                break;
            }
        }
    }
    programs.file = table.save().unwrap_or_default();
    programs.standing = table.appraise(0);
    told(&*table, names, fault, Vec::new())
}

fn panicked(seat: Seat) -> Fault {
    Fault { seat, code: "PANICKED".to_owned(), text: "the bot panicked".to_owned() }
}

/// Wrong lines in a row after which a program has lost.
const PATIENCE: u32 = 10;

/// Lines that were obeyed without being inputs, such as questions for the log, are no moves and end some time, too.
fn longest(max_inputs: u64) -> u64 {
    max_inputs.saturating_mul(2).saturating_add(100)
}

/// Carries lines between the table and the programs until the game is over; gives the fault that ended
/// it, if one did.
fn referee(doors: &mut Doors, programs: &mut Programs, held: &[Seat], max_inputs: u64) -> Option<Fault> {
    let (mut wrong, mut line) = (0, String::new());
    let mut replay = programs.told.take().map(Vec::into_iter);
    let mut said = match catch_unwind(AssertUnwindSafe(|| doors.greet())) {
        Ok(said) => said,
        Err(_) => return Some(panicked(doors.table().actor().unwrap_or(0))),
    };
    loop {
        deliver(&said, programs, held);
        let refusal = refusal(&said, &line);
        wrong = if refusal.is_some() { wrong + 1 } else { 0 };
        let awaited = doors.awaited().filter(|_| programs.lines.len() as u64 <= longest(max_inputs))?;
        let seat = held[awaited];
        let fault = |(code, text): Failed| Some(Fault { seat, code: code.to_owned(), text });
        if !doors.is_open() {
            return fault(("QUIT", programs.last_words(seat, "it gave up".to_owned())));
        }
        if let Some(refusal) = refusal.as_ref().filter(|_| wrong == PATIENCE) {
            let text = format!("{PATIENCE} wrong lines in a row, the last: {refusal}");
            return fault(("ILLEGAL", programs.last_words(seat, text)));
        }
        line = match &mut replay {
            Some(lines) => lines.next()?,
            None => match answer(programs, doors, seat, &said, refusal.as_deref()) {
                Ok(line) => line,
                Err(failed) => return fault(after_refusal(failed, refusal.as_deref())),
            },
        };
        said = match catch_unwind(AssertUnwindSafe(|| doors.hear(awaited, &line))) {
            Ok(said) => said,
            Err(_) => return Some(panicked(doors.table().actor().unwrap_or(seat))),
        };
        if !said.iter().any(|said| said.line["type"] == "error") {
            programs.lines.push(line.trim_end().to_owned());
        }
    }
}

/// What it did after a line that was refused; who is silent then may still wait for an answer to it.
fn after_refusal((code, text): Failed, refusal: Option<&str>) -> Failed {
    match refusal.filter(|refusal| !text.contains(*refusal)) {
        Some(refusal) => (code, format!("{text}; its last line was wrong: {refusal}")),
        None => (code, text),
    }
}

/// What was wrong with that line, if it was refused: its beginning, and why.
fn refusal(said: &[Said], line: &str) -> Option<String> {
    let error = said.iter().find(|said| said.line["type"] == "error")?;
    let line = line.trim_end();
    let (short, more) = match line.char_indices().nth(QUOTED) {
        Some((end, _)) => (&line[..end], " …"),
        None => (line, ""),
    };
    Some(format!("{short}{more} {}", error.line["text"].as_str().unwrap_or_default()))
}

impl Programs {
    /// Ends the program of that seat; the text, with what it said last.
    fn last_words(&mut self, seat: Seat, text: String) -> String {
        match self.rivals.iter_mut().find(|(at, _)| *at == seat) {
            Some((_, rival)) => rival.last_words(text),
            None => text,
        }
    }
}

fn answer(
    programs: &mut Programs,
    doors: &mut Doors,
    seat: Seat,
    said: &[Said],
    refused: Option<&str>,
) -> Result<String, Failed> {
    let awaited = doors.awaited().unwrap_or(0);
    let turn = said.iter().rev().find(|said| said.to == awaited && said.line["type"] == "turn");
    let turn = turn.map(|said| &said.line).ok_or_else(|| refused.unwrap_or_default());
    let rival = programs.rivals.iter_mut().find(|(at, _)| *at == seat);
    let (_, rival) = rival.ok_or(("UNSTARTED", "nobody sits there".to_owned()))?;
    rival.follow_course(doors.table(), seat);
    if rival.follows() {
        let news = doors.table().unsaved().map_err(|refusal| ("UNSUITED", refusal.to_string()))?;
        programs.begun += &news;
    }
    rival.answer(turn, &programs.begun)
}

fn deliver(said: &[Said], programs: &mut Programs, held: &[Seat]) {
    for Said { to, line } in said {
        if let Some((_, rival)) = programs.rivals.iter_mut().find(|(seat, _)| *seat == held[*to]) {
            rival.tell(line);
        }
    }
}

/// Nobody is to find the seed from its commitment.
fn salt() -> [u8; 16] {
    let mut salt = [0; 16];
    // Without chance from the system there is still a tournament, only with a weaker seal.
    let _ = getrandom::fill(&mut salt);
    salt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given_up(seats: &[&str]) -> Game {
        Game {
            seats: seats.iter().map(|name| (*name).to_owned()).collect(),
            outcome: None,
            inputs: 9,
            fault: None,
            adjudicated: None,
            stuck: None,
            tally: Map::new(),
            reasons: Vec::new(),
            timed: false,
            sent: Vec::new(),
            lines: Vec::new(),
        }
    }

    #[test]
    fn a_victory_of_all_is_one_for_everybody_and_sets_nobody_above_another() {
        let ended = |outcome| Game { outcome: Some(outcome), ..given_up(&["a", "b"]) };
        let told = |game: &Game| ["a", "b"].map(|name| (game.won(name), game.halves(name)));
        assert_eq!(told(&ended(Outcome::WonByAll)), [(true, 1), (true, 1)]);
        assert_eq!(told(&ended(Outcome::Lost)), [(false, 1), (false, 1)]);
        assert_eq!(told(&ended(Outcome::Won(1))), [(false, 0), (true, 2)]);
    }

    #[test]
    fn a_game_given_up_goes_to_whom_it_stands_well_for() {
        let halves = |standing, least| given_up(&["a", "b"]).adjudicate(standing, least).halves("a");
        assert_eq!((halves(Some(900), Some(900)), halves(Some(899), Some(900))), (2, 1));
        assert_eq!((halves(Some(100), Some(900)), halves(Some(0), None), halves(None, Some(900))), (0, 1, 1));
        let over = Game { outcome: Some(Outcome::Drawn), ..given_up(&["a", "b"]) };
        assert_eq!(over.adjudicate(Some(1000), Some(900)).adjudicated, None);
        assert_eq!(given_up(&["a"]).adjudicate(Some(1000), Some(900)).outcome, None);
    }

    /// Who had no choice, or wandered, was logged with an opinion: that he had lost.
    #[test]
    fn what_was_not_tried_has_no_worth() {
        let reason = |tries, value| {
            let option = ("north".to_owned(), tries, value);
            let (bot, chosen, played) = ("solver".to_owned(), "north".to_owned(), "north".to_owned());
            Reason::new(3, &Reasons { bot, seat: 0, chosen, played, options: vec![option], line: Vec::new() })
        };
        let text = |reason: &Reason| serde_json::to_string(reason).unwrap();
        assert!(!text(&reason(0, 0.0)).contains("worth"), "{}", text(&reason(0, 0.0)));
        assert!(text(&reason(7, 0.0)).contains("\"tries\":[7,7],\"worth\":0"));
        let before = text(&reason(0, 0.0)).replace("\"tries\":[0,0]", "\"tries\":[0,0],\"worth\":0");
        assert_eq!(serde_json::from_str::<Reason>(&before).unwrap().worth, Some(0), "older results are read");
    }
}
