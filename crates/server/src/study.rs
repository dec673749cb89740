//! What can be found out at tables of one's own: what would be if, what an option leads to, what a bot would do,
//! where a match turned. All of it runs on the pool, and is bounded by inputs, not by time.

use serde_json::{Value, json};
use turnstone_table::{Kind, Outcome, Seat, Table, Viewer};

use crate::door::{Told, all_lines, brief_lines, glance, title};
use crate::message::Play;
use crate::refusal::{Refusal, malformed};
use crate::room::Eyes;

/// Worlds that a forecast looks at.
pub const WORLDS: u64 = 12;
/// Turns that a review looks at.
pub const TURNS: usize = 40;
/// Worlds in which a review plays out what was done and what a bot would have done.
pub const PLAYOUTS: u64 = 32;
/// After so many of them it is left at that if nothing speaks for what the bot would have done.
const GLANCE: usize = 8;
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
                line["range"] = json!(range(strand.seen, count));
            }
            line
        })
        .collect();
    Ok(json!({ "t": "forecast", "certain": certain, "worlds": count, "lines": lines }))
}

/// Between which hundredths a chance lies, most probably, that was met in so many of so many worlds: Wilson's interval of
/// 95 %.
fn range(seen: u64, count: u64) -> [u64; 2] {
    const Z: f64 = 1.96;
    let (seen, count) = (seen as f64, count.max(1) as f64);
    let part = seen / count;
    let middle = part + Z * Z / (2.0 * count);
    let width = Z * (part * (1.0 - part) / count + Z * Z / (4.0 * count * count)).sqrt();
    [middle - width, middle + width]
        .map(|end| (end / (1.0 + Z * Z / count) * 100.0).round().clamp(0.0, 100.0) as u64)
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
}

/// Where a match turned: where what a bot would have done wins more often than what was done, by more than chance tells.
pub fn review(turns: Vec<Turn>, seat: Seat, player: &str, adviser: &str, seed: u64) -> Value {
    let turning = turns.into_iter().filter_map(|turn| turning(turn, seat, player, adviser, seed));
    let turns: Vec<Value> = turning.collect();
    json!({ "t": "reviewed", "seat": seat, "turns": turns, "bot": adviser, "worlds": PLAYOUTS })
}

fn turning(turn: Turn, seat: Seat, player: &str, adviser: &str, seed: u64) -> Option<Value> {
    let Turn { moment, label, mut before } = turn;
    let inputs = before.inputs(Viewer::Seat(seat));
    let played = inputs.iter().find(|input| is_called(&*before, seat, input, &label))?;
    before.seat_bot(seat, adviser, seed).ok()?;
    let number = before.bot_choice()?;
    let advised = inputs.get(number).filter(|advised| *advised != played)?;
    let better = before.scene(Viewer::Seat(seat)).options.get(number)?.label.clone();
    let (could, did) = compared(&*before, seat, [advised, played], player, seed)?;
    Some(json!({ "moment": moment, "label": label, "better": better, "before": could, "after": did }))
}

/// Whether an input is told of so. What comes of it is not looked at, which may be nobody's to know.
fn is_called(table: &dyn Table, seat: Seat, input: &Value, label: &str) -> bool {
    let Ok(mut copy) = table.at(table.here()) else { return false };
    let done = copy.act_from(seat, input);
    done.is_ok_and(|moment| title(&copy.explain(moment, Viewer::Seat(seat))) == label)
}

/// The chances to win, in hundredths, after each of two inputs, if the first is better by more than chance tells.
/// Both are played out in the same worlds: what these have in common makes no difference.
fn compared(
    table: &dyn Table,
    seat: Seat,
    inputs: [&Value; 2],
    player: &str,
    seed: u64,
) -> Option<(i64, i64)> {
    let (mut sums, mut gains) = ([0, 0], Vec::new());
    for world in 0..PLAYOUTS {
        let lots = (seed ^ world.wrapping_mul(0x9E37_79B9_7F4A_7C15), world);
        let [Some(first), Some(second)] = inputs.map(|input| fate(table, seat, input, player, lots)) else {
            continue;
        };
        sums = [sums[0] + first, sums[1] + second];
        gains.push(first - second);
        if gains.len() == GLANCE && sums[0] <= sums[1] {
            return None;
        }
    }
    let count = gains.len() as i64;
    is_telling(&gains).then(|| (sums[0] / count, sums[1] / count))
}

/// Whether what was gained is worth telling, and more than twice its standard error.
fn is_telling(gains: &[i64]) -> bool {
    let count = gains.len() as f64;
    let mean = gains.iter().sum::<i64>() as f64 / count.max(1.0);
    let spread: f64 = gains.iter().map(|gain| (*gain as f64 - mean).powi(2)).sum();
    let error = (spread / (count - 1.0).max(1.0) / count.max(1.0)).sqrt();
    gains.len() > GLANCE && mean >= COSTS as f64 && mean > 2.0 * error
}

/// What comes of an input in a world, in hundredths of a win: what the seat may not know and the dice to come are drawn
/// anew in each.
fn fate(
    table: &dyn Table,
    seat: Seat,
    input: &Value,
    player: &str,
    (lots, world): (u64, u64),
) -> Option<i64> {
    let mut copy = table.imagine(table.here(), Viewer::Seat(seat), lots).ok()?;
    copy.act_from(seat, input).ok()?;
    for other in 0..copy.seats().len() as Seat {
        let _ = copy.seat_bot(other, player, lots ^ world);
    }
    for _ in 0..PLAYOUT {
        let Some(number) = copy.bot_choice().filter(|_| copy.outcome().is_none()) else { break };
        if copy.choose(number).is_err() {
            break;
        }
    }
    Some(match copy.outcome() {
        Some(Outcome::Won(winner)) if winner == seat => 100,
        Some(Outcome::WonByAll) => 100,
        Some(Outcome::Won(_) | Outcome::Lost) => 0,
        Some(Outcome::Drawn) | None => 50,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_told_that_chance_alone_does_not_make() {
        assert!(is_telling(&[50; 32]), "always the same");
        assert!(!is_telling(&[10; 32]), "too little to be told of");
        assert!(!is_telling(&[100; 4]), "too few to know");
        let mixed = |good: usize| [vec![100; good], vec![-100; 32 - good]].concat();
        assert!(is_telling(&mixed(23)) && !is_telling(&mixed(19)));
        // Inputs that are equally good, where luck decides: hardly ever does one seem better.
        let (mut lot, mut told) = (7_u64, 0);
        for _ in 0..2000 {
            let gains: Vec<i64> = (0..PLAYOUTS)
                .map(|_| {
                    lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (lot >> 33) as i64 % 3 * 100 - 100
                })
                .collect();
            told += usize::from(is_telling(&gains));
        }
        assert!(told < 80, "{told} of 2000 by chance");
    }

    #[test]
    fn a_chance_lies_between_two_others() {
        assert_eq!((range(3, 12), range(6, 12), range(1, 12)), ([9, 53], [25, 75], [1, 35]));
    }

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
