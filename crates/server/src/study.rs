//! What can be found out at tables of one's own: what would be if, what an option leads to, what a bot would do,
//! where a match turned. All of it runs on the pool, and is bounded by inputs, not by time.

use serde_json::{Value, json};
use turnstone_table::{Kind, Outcome, Seat, Table, Viewer};

use crate::door::{Told, all_lines, brief_lines, glance};
use crate::message::Play;
use crate::refusal::{Refusal, malformed};
use crate::room::Eyes;

/// Worlds that a forecast looks at.
pub const WORLDS: u64 = 12;
/// Turns that a review looks at.
pub const TURNS: usize = 40;
/// Times that a position is played out in a review.
const PLAYOUTS: u64 = 4;
/// Inputs of one such game.
const PLAYOUT: usize = 200;
/// What a turn must cost to be a turning point, in hundredths of a win.
const COSTS: i64 = 15;

/// Carries out what is said in one of three ways, by whoever is to act.
fn play(table: &mut dyn Table, play: &Play) -> Result<u32, Refusal> {
    let actor = table.actor();
    let choose = |table: &mut dyn Table, number| match actor {
        Some(seat) => table.choose_from(seat, number),
        None => table.choose(number),
    };
    match (&play.input, play.choose, &play.text) {
        (Some(input), None, None) => Ok(table.act(input)?),
        (None, Some(number), None) => Ok(choose(table, number)?),
        (None, None, Some(text)) => {
            let options = table.scene(actor.map_or(Viewer::All, Viewer::Seat)).options;
            if let Some(number) = options.iter().position(|option| option.label == *text) {
                return Ok(choose(table, number)?);
            }
            let input = table.parse(text);
            let input =
                input.ok_or_else(|| malformed("this is neither a label nor in the game's notation"))?;
            Ok(table.act(&input)?)
        }
        _ => Err(malformed("say what to play in one way: input, choose or text")),
    }
}

/// Plays what would be if. Whoever tries plays every seat, and sees what he would see.
pub fn try_out(mut table: Box<dyn Table>, eyes: Eyes, from: u32, inputs: &[Play]) -> Value {
    let own = eyes.viewer(&*table);
    let mut steps = Vec::new();
    for input in inputs {
        match play(&mut *table, input) {
            Ok(moment) => steps.push(json!({ "told": brief_lines(&table.explain(moment, own)) })),
            Err(refusal) => {
                steps.push(json!({ "error": refusal.json() }));
                break;
            }
        }
    }
    let shown = glance(&*table, own);
    // The options of whoever is to act, so that the other side can be tried too; nothing of it is the truth.
    let acting = table.actor().map_or(own, |seat| if own == Viewer::All { own } else { Viewer::Seat(seat) });
    let (mut scene, inputs) = (shown.scene, table.inputs(acting));
    if acting != own {
        scene.options = table.scene(acting).options;
    }
    json!({
        "t": "tried", "from": from, "steps": steps,
        "now": {
            "moment": from, "actor": shown.actor, "outcome": shown.outcome, "question": shown.question,
            "scene": scene, "inputs": inputs, "seat": table.actor(),
        },
    })
}

/// The reasons of the last of some inputs that are tried.
///
/// # Errors
/// If something cannot be played.
pub fn why_after(
    mut table: Box<dyn Table>,
    eyes: Eyes,
    from: u32,
    inputs: &[Play],
) -> Result<Value, Refusal> {
    let own = eyes.viewer(&*table);
    let mut last = table.here();
    for input in inputs {
        last = play(&mut *table, input)?;
    }
    Ok(json!({ "t": "why", "moment": from, "lines": all_lines(&table.explain(last, own)) }))
}

/// One line of what an option may lead to.
struct Strand {
    depth: usize,
    kind: Kind,
    text: String,
    /// In how many worlds, and with which numbers.
    seen: u64,
    numbers: Vec<(i64, i64)>,
}

/// A text without its numbers, and the numbers.
fn shape(text: &str) -> (String, Vec<i64>) {
    let (mut shape, mut numbers, mut digits) = (String::new(), Vec::new(), String::new());
    let mut flush = |digits: &mut String, shape: &mut String| {
        if !digits.is_empty() {
            match digits.parse() {
                Ok(number) => {
                    numbers.push(number);
                    shape.push('#');
                }
                Err(_) => shape.push_str(digits),
            }
            digits.clear();
        }
    };
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
        } else {
            flush(&mut digits, &mut shape);
            shape.push(letter);
        }
    }
    flush(&mut digits, &mut shape);
    (shape, numbers)
}

/// Puts ranges where numbers stood.
fn fill(shape: &str, numbers: &[(i64, i64)]) -> String {
    let mut numbers = numbers.iter();
    let mut text = String::new();
    for letter in shape.chars() {
        match (letter, letter == '#') {
            (_, true) => match numbers.next() {
                Some((least, most)) if least == most => text.push_str(&least.to_string()),
                Some((least, most)) => text.push_str(&format!("{least}–{most}")),
                None => text.push('#'),
            },
            (letter, false) => text.push(letter),
        }
    }
    text
}

/// What an option would lead to after some inputs, for whoever is to act then: told to who tries it, as the what-if
/// itself would be.
///
/// # Errors
/// If something cannot be played, nobody is to act, or there is no such option.
pub fn forecast_after(
    mut table: Box<dyn Table>,
    eyes: Eyes,
    inputs: &[Play],
    option: usize,
) -> Result<Value, Refusal> {
    let own = eyes.viewer(&*table);
    for input in inputs {
        play(&mut *table, input)?;
    }
    let seat = table.actor().ok_or_else(|| Refusal::new("OVER", "nobody is to act there"))?;
    // What the one who acts may know is the same in all of them, so that he can do it in all of them.
    let acting = Viewer::Seat(seat);
    let input = table.inputs(acting).into_iter().nth(option);
    let input =
        input.ok_or_else(|| Refusal::new("UNKNOWN_OPTION", format!("there is no option {option}")))?;
    let worlds = (0..WORLDS).map(|world| table.imagine(table.here(), acting, world));
    forecast(worlds.collect::<Result<Vec<_>, _>>()?, own, seat, &input)
}

/// What an option would lead to in many worlds that look alike, told as one.
///
/// # Errors
/// If it is not allowed.
pub fn forecast(
    worlds: Vec<Box<dyn Table>>,
    teller: Viewer,
    seat: Seat,
    input: &Value,
) -> Result<Value, Refusal> {
    let count = worlds.len() as u64;
    let mut strands: Vec<Strand> = Vec::new();
    let mut refusal = None;
    let mut played = 0;
    for mut table in worlds {
        match table.act_from(seat, input) {
            Ok(moment) => {
                played += 1;
                let lines = brief_lines(&table.explain(moment, teller));
                weave(&mut strands, &lines);
            }
            Err(refused) => refusal = Some(refused),
        }
    }
    if let Some(refusal) = refusal.filter(|_| played == 0) {
        return Err(refusal.into());
    }
    let sure =
        |strand: &Strand| strand.seen == count && strand.numbers.iter().all(|(least, most)| least == most);
    let certain = strands.iter().all(sure);
    let lines: Vec<Value> = strands
        .iter()
        .map(|strand| {
            let text = fill(&strand.text, &strand.numbers);
            let mut line = json!({ "depth": strand.depth, "kind": strand.kind, "text": text });
            if strand.seen < count {
                line["chance"] = (strand.seen * 100 / count.max(1)).into();
            }
            line
        })
        .collect();
    Ok(json!({ "t": "forecast", "certain": certain, "worlds": count, "lines": lines }))
}

/// Adds the lines of one world: the same words in the same order are one line.
fn weave(strands: &mut Vec<Strand>, lines: &[Told]) {
    let mut at = 0;
    for line in lines {
        let (text, numbers) = shape(&line.text);
        let (depth, kind) = (line.depth, line.kind);
        let same = |strand: &Strand| {
            strand.text == text && strand.depth == depth && strand.numbers.len() == numbers.len()
        };
        if let Some(ahead) = strands[at..].iter().position(same) {
            let strand = &mut strands[at + ahead];
            strand.seen += 1;
            for ((least, most), number) in strand.numbers.iter_mut().zip(numbers) {
                (*least, *most) = ((*least).min(number), (*most).max(number));
            }
            at += ahead + 1;
        } else {
            let numbers = numbers.into_iter().map(|number| (number, number)).collect();
            strands.insert(at, Strand { depth, kind, text, seen: 1, numbers });
            at += 1;
        }
    }
}

/// What a bot would do. The table has it seated.
///
/// # Errors
/// If it has nothing to say.
pub fn hint(table: &dyn Table, seat: Seat, bot: &str) -> Result<Value, Refusal> {
    let number =
        table.bot_choice().ok_or_else(|| Refusal::new("NOT_YOURS", "there is nothing to choose now"))?;
    let label = table.scene(Viewer::Seat(seat)).options.get(number).map(|option| option.label.clone());
    Ok(json!({ "t": "hint", "option": number, "label": label, "bot": bot }))
}

/// What a bot would do after some inputs, for whoever is to act then.
///
/// # Errors
/// If something cannot be played, or nobody is to act.
pub fn hint_after(
    mut table: Box<dyn Table>,
    inputs: &[Play],
    bot: &str,
    seed: u64,
) -> Result<Value, Refusal> {
    for input in inputs {
        play(&mut *table, input)?;
    }
    let seat = table.actor().ok_or_else(|| Refusal::new("OVER", "nobody is to act there"))?;
    table.seat_bot(seat, bot, seed)?;
    hint(&*table, seat, bot)
}

/// A turn to be studied.
pub struct Turn {
    /// Its number for who asks: before it was taken.
    pub moment: u32,
    /// What was done.
    pub label: String,
    /// The table before it.
    pub before: Box<dyn Table>,
    /// The table after it.
    pub after: Box<dyn Table>,
}

/// Where a match turned: what each turn cost, by playing it out.
pub fn review(turns: Vec<Turn>, seat: Seat, player: &str, adviser: &str, seed: u64) -> Value {
    let mut told = Vec::new();
    for Turn { moment, label, mut before, after } in turns {
        let chances = (chance(&*before, seat, player, seed), chance(&*after, seat, player, seed));
        let advised = before.seat_bot(seat, adviser, seed).ok().and_then(|()| before.bot_choice());
        let better = advised.and_then(|number| {
            let options = before.scene(Viewer::Seat(seat)).options;
            options.get(number).map(|option| option.label.clone())
        });
        if chances.0 - chances.1 >= COSTS {
            let better = better.filter(|better| *better != label);
            told.push(json!({
                "moment": moment, "label": label, "better": better, "before": chances.0, "after": chances.1,
            }));
        }
    }
    json!({ "t": "reviewed", "seat": seat, "turns": told, "bot": adviser })
}

/// The chance of a seat to win, in hundredths: what it may not know and the dice to come are drawn anew each time.
fn chance(table: &dyn Table, seat: Seat, player: &str, seed: u64) -> i64 {
    let (mut sum, mut count) = (0, 0);
    for world in 0..PLAYOUTS {
        let Ok(mut copy) = table.imagine(table.here(), Viewer::Seat(seat), seed ^ world) else { continue };
        for other in 0..copy.seats().len() as Seat {
            let _ = copy.seat_bot(other, player, seed ^ world);
        }
        for _ in 0..PLAYOUT {
            let Some(number) = copy.bot_choice().filter(|_| copy.outcome().is_none()) else { break };
            if copy.choose(number).is_err() {
                break;
            }
        }
        sum += match copy.outcome() {
            Some(Outcome::Won(winner)) if winner == seat => 100,
            Some(Outcome::WonByAll) => 100,
            Some(Outcome::Won(_) | Outcome::Lost) => 0,
            Some(Outcome::Drawn) | None => 50,
        };
        count += 1;
    }
    if count == 0 { 50 } else { sum / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_vary_become_ranges_and_rare_lines_have_a_chance() {
        let line = |text: &str| Told { depth: 0, kind: Kind::Fact, text: text.to_owned(), n: 0 };
        let mut strands = Vec::new();
        weave(&mut strands, &[line("Hits for 4"), line("Jaw Worm falls")]);
        weave(&mut strands, &[line("Hits for 11")]);
        let told: Vec<(String, u64)> =
            strands.iter().map(|one| (fill(&one.text, &one.numbers), one.seen)).collect();
        assert_eq!(told, [("Hits for 4–11".to_owned(), 2), ("Jaw Worm falls".to_owned(), 1)]);
        assert_eq!(shape("12 of 3"), ("# of #".to_owned(), vec![12, 3]));
    }
}
