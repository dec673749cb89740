//! The line mode: the scene as text, numbered options, one line in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use turnstone_table::protocol::LONGEST_LINE;
use turnstone_table::scene::{Choice, Pick, Scene};
use turnstone_table::{Moment, Rejection, shorten};

use crate::asides::asides;
use crate::clock::Face;
use crate::lines::{Lines, Said};
use crate::out::{BAD, FAINT, Out, TITLE};
use crate::play::Play;
use crate::render;
use crate::screen::proper_name;
use crate::store::Store;

const HELP: &str = "\
A number, a label, a name or the game's own notation plays it; `play 2 1` is the second
thing of the hand at the first of those it may be aimed at. Or:
  undo, redo          take back, and take back the taking back
  cancel              instead of an answer: take back what led to the question
  log [N]             what happened, explained: the last N actions (5)
  explain N           why the thing played at moment N went as it did
  why NUMBER          where a number comes from: why gold, why block; alone it lists them
  branches            every line that was played; undone ones are kept
  jump N              go to moment N of any branch; a bot that is to act there waits for an empty line
  next                after a win: the next level or fight
  about N             what option N does, with the words on it explained
  options             all options      show   everything: maps, decks and all
  save FILE           write the match file (FILE! replaces another); load FILE goes on with one
  help                this             quit   leave; the match stays saved
On a board, › stands before the cells of the last action and of the way so far.";

/// What becomes of the loop after a line.
enum Next {
    /// Show the position again.
    Show,
    /// Show everything there is to see.
    ShowAll,
    /// Show the position without letting bots act: to look at a moment is not to play on from it.
    Look,
    /// Ask for another line.
    Ask,
    Quit,
}

/// Saves what was played. If that fails the match goes on, and it is tried again with the next action.
fn keep(play: &mut Play, out: &mut Out) -> Result<()> {
    match play.autosave() {
        Ok(()) => Ok(()),
        Err(error) => Ok(writeln!(out, "{error:#}")?),
    }
}

/// Plays until the end of the game, of the input, or of patience. The match is then put away.
pub fn play(play: &mut Play, store: &Store, input: &mut dyn Lines, out: &mut Out) -> Result<()> {
    let played = converse(play, store, input, out);
    played.and(play.put_away())
}

fn converse(play: &mut Play, store: &Store, input: &mut dyn Lines, out: &mut Out) -> Result<()> {
    keep(play, out)?;
    greet(play, out)?;
    let mut next = Next::Show;
    loop {
        if matches!(next, Next::Show | Next::ShowAll) {
            let_bots_act(play, out)?;
        }
        if !matches!(next, Next::Ask) {
            show(play, matches!(next, Next::ShowAll), out)?;
        }
        write!(out, "> ")?;
        out.flush()?;
        play.start_clock(Instant::now());
        let said = input.next(play.time_left())?;
        if said == Said::End {
            writeln!(out)?;
            break;
        }
        // Whose time is over has lost before his line is looked at.
        next = match (play.pass_time(Instant::now()), said) {
            (Some(result), _) => {
                writeln!(out)?;
                act(play, out, |_| result)?
            }
            (None, Said::Line(line)) => obey(play, store, line.trim(), out)?,
            (None, Said::TooLong) => say(out, &format!("A line has at most {LONGEST_LINE} bytes."))?,
            (None, Said::Late | Said::End) => Next::Ask,
        };
        if matches!(next, Next::Quit) {
            break;
        }
    }
    out.flush()?;
    Ok(())
}

/// Which match this is, and where to find it again.
fn greet(play: &Play, out: &mut Out) -> Result<()> {
    let name = play.slot.as_deref().and_then(Path::file_stem).map(|name| name.to_string_lossy());
    let saved = name.map_or("not saved".to_owned(), |name| format!("saved as {name}"));
    let seed = play.shown_seed().map_or_else(String::new, |seed| format!("seed {seed}, "));
    let line = format!("{}, {seed}{saved}; `help` lists the commands", play.table.game());
    let line = out.paint(FAINT, line);
    writeln!(out, "{line}")?;
    Ok(())
}

fn let_bots_act(play: &mut Play, out: &mut Out) -> Result<()> {
    while play.bot_is_next() {
        match play.bot_step() {
            Ok(moment) => render::explanation(out, &play.table.explain(moment, play.viewer()).brief())?,
            Err(refusal) => {
                refused(&refusal, out)?;
                break;
            }
        }
        keep(play, out)?;
    }
    Ok(())
}

fn show(play: &Play, all: bool, out: &mut Out) -> Result<()> {
    let scene = play.table.scene(play.viewer());
    writeln!(out)?;
    render::scene(out, &scene, all)?;
    if let Some(clock) = &play.clock {
        let faces: Vec<String> = clock.faces(&*play.table).iter().map(Face::to_string).collect();
        writeln!(out, "Clock: {}", faces.join(", "))?;
    }
    match play.ending() {
        Some(ending) => {
            let ending = out.paint(TITLE, ending);
            let next = play.what_follows().map_or_else(String::new, |next| format!("next: {next}; "));
            writeln!(out, "{ending} ({next}undo, log, save FILE, quit)")?;
        }
        None if play.bot_is_next() => {
            writeln!(out, "A bot is to act here: an empty line lets it.")?;
        }
        None => render::options(out, &scene.options, false)?,
    }
    Ok(())
}

fn tell(play: &Play, moment: Moment, out: &mut Out) -> Result<()> {
    render::explanation(out, &play.table.explain(moment, play.viewer()))
}

fn refused(refusal: &Rejection, out: &mut Out) -> Result<()> {
    let text = out.paint(BAD, refusal);
    writeln!(out, "{text}")?;
    Ok(())
}

fn obey(play: &mut Play, store: &Store, line: &str, out: &mut Out) -> Result<Next> {
    // What a bot may do is not for others to choose.
    let options = if play.bot_is_next() { Vec::new() } else { play.table.scene(play.viewer()).options };
    if let Some(number) = options.iter().position(|option| option.label.eq_ignore_ascii_case(line)) {
        return act(play, out, |play| play.act(|table| table.choose(number)));
    }
    let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
    match word {
        "" if play.bot_is_next() => Ok(Next::Show),
        "" => Ok(Next::Ask),
        "quit" | "exit" | "q" => Ok(Next::Quit),
        "help" | "?" => help(play, out),
        "show" => Ok(Next::ShowAll),
        "options" => {
            render::options(out, &options, true)?;
            Ok(Next::Ask)
        }
        "about" => about(play, rest, out),
        "undo" | "redo" => travel(play, word, out),
        "cancel" => cancel(play, out),
        "log" => log(play, rest, out),
        "explain" => explain(play, rest, out),
        "why" => why(play, rest, out),
        "branches" => branches(play, out),
        "jump" => jump(play, rest, out),
        "next" => follow(play, store, out),
        "save" => save(play, store, rest, out),
        "load" => load(play, store, rest, out),
        _ => act_on_text(play, line, &options, out),
    }
}

/// The commands, and what the game understands beside its options.
fn help(play: &Play, out: &mut Out) -> Result<Next> {
    writeln!(out, "{HELP}")?;
    for aside in asides(&*play.table) {
        writeln!(out, "  {:<20}{}", aside.word, aside.about)?;
    }
    Ok(Next::Ask)
}

fn say(out: &mut Out, text: &str) -> Result<Next> {
    writeln!(out, "{text}")?;
    Ok(Next::Ask)
}

fn act(
    play: &mut Play,
    out: &mut Out,
    deed: impl FnOnce(&mut Play) -> Result<Moment, Rejection>,
) -> Result<Next> {
    let viewer = play.viewer();
    match deed(play) {
        Ok(moment) => {
            render::explanation(out, &play.table.explain(moment, viewer).brief())?;
            keep(play, out)?;
            Ok(Next::Show)
        }
        Err(refusal) => {
            refused(&refusal, out)?;
            Ok(Next::Ask)
        }
    }
}

/// A number, the game's own notation, places to point at, or what fits exactly one option best.
fn act_on_text(play: &mut Play, line: &str, options: &[Choice], out: &mut Out) -> Result<Next> {
    if play.table.outcome().is_some() {
        return say(out, "The game is over. You can undo, look at the log, save or quit.");
    }
    if play.bot_is_next() {
        return say(out, "It is not your turn here: an empty line lets the bot act.");
    }
    if let Some(input) = play.table.parse(line) {
        return act(play, out, |play| play.act(|table| table.act(&input)));
    }
    if let Ok(number) = line.parse::<usize>() {
        if (1..=options.len()).contains(&number) {
            return act(play, out, |play| play.act(|table| table.choose(number - 1)));
        }
        return say(out, &format!("There is no option {number}: choose 1 to {}.", options.len()));
    }
    let mut fitting = pointed(options, line);
    if fitting.is_empty() {
        fitting = meant(options, line);
    }
    let label = |number: usize| options[number].label.as_str();
    match fitting[..] {
        [first, ref others @ ..] if others.iter().all(|&other| label(other) == label(first)) => {
            act(play, out, |play| play.act(|table| table.choose(first)))
        }
        [] => {
            let line = shorten(line, 200);
            say(out, &format!("\"{line}\" is no option, move or command here. Try `help` or `options`."))
        }
        _ => {
            let few: Vec<&str> = fitting.iter().take(6).map(|&number| label(number)).collect();
            say(out, &format!("\"{}\" fits several: {}", shorten(line, 200), few.join("; ")))
        }
    }
}

/// The options that a text fits best: as a label, as the name in it, as the beginning of either, or as a word of it.
fn meant(options: &[Choice], text: &str) -> Vec<usize> {
    let wanted = text.to_lowercase();
    let fit = |option: &Choice| {
        let label = option.label.to_lowercase();
        let name = proper_name(&option.label).to_lowercase();
        // At whom comes behind the name.
        let whole = |text: &str| text == wanted || text.starts_with(&format!("{wanted} at "));
        match () {
            () if whole(&label) => Some(0),
            () if whole(&name) => Some(1),
            () if label.starts_with(&wanted) => Some(2),
            () if name.starts_with(&wanted) => Some(3),
            () if label.split_whitespace().any(|word| word.starts_with(&wanted)) => Some(4),
            () => None,
        }
    };
    let fits: Vec<Option<u8>> = options.iter().map(fit).collect();
    let best = fits.iter().flatten().min();
    (0..options.len()).filter(|&number| best.is_some() && fits[number].as_ref() == best).collect()
}

/// The options that a word and places mean: `play 2 1` is to play the second thing at the first.
fn pointed(options: &[Choice], text: &str) -> Vec<usize> {
    let mut parts = text.split_whitespace();
    let word = parts.next().unwrap_or_default().to_lowercase();
    let places: Option<Vec<u16>> = parts.map(|part| part.parse::<u16>().ok()?.checked_sub(1)).collect();
    let Some(places) = places.filter(|places| !places.is_empty()) else { return Vec::new() };
    let begins = |option: &Choice| option.label.split_whitespace().next().is_some_and(|first| first == word);
    let points = |option: &Choice| {
        let lines = option.picks.iter().filter_map(|pick| match pick {
            Pick::Item(_, line) => Some(u32::from(*line)),
            Pick::Cell(..) | Pick::Word(_) => None,
        });
        let lines: Vec<u32> = lines.collect();
        lines.len() >= places.len()
            && lines.iter().zip(&places).all(|(line, place)| *line == u32::from(*place))
    };
    (0..options.len()).filter(|&number| begins(&options[number]) && points(&options[number])).collect()
}

/// Takes back what led to the question that waits.
fn cancel(play: &mut Play, out: &mut Out) -> Result<Next> {
    let asked = |play: &Play| play.table.scene(play.viewer()).question.is_some();
    if !asked(play) {
        return say(out, "Nothing is asked that could be cancelled; `undo` takes back what was played.");
    }
    while asked(play) && play.undo() {}
    keep(play, out)?;
    Ok(Next::Show)
}

fn travel(play: &mut Play, word: &str, out: &mut Out) -> Result<Next> {
    let moved = if word == "undo" { play.undo() } else { play.redo() };
    if moved {
        keep(play, out)?;
        return Ok(Next::Show);
    }
    say(out, &format!("There is nothing to {word}."))
}

fn log(play: &Play, rest: &str, out: &mut Out) -> Result<Next> {
    let line = play.told_line();
    let count = if rest.is_empty() { 5 } else { rest.parse().unwrap_or(usize::MAX) };
    let played = &line[1..];
    if played.is_empty() {
        return say(out, "Nothing has happened yet.");
    }
    for &moment in &played[played.len().saturating_sub(count)..] {
        let told = play.table.explain(moment, play.viewer()).brief();
        render::moment(out, play.number_of(moment), &told)?;
    }
    Ok(Next::Ask)
}

fn explain(play: &Play, rest: &str, out: &mut Out) -> Result<Next> {
    let here = || play.told_line().last().copied();
    let moment = if rest.is_empty() { here() } else { rest.parse().ok().and_then(|at| play.numbered(at)) };
    match moment.filter(|moment| *moment > 0) {
        Some(moment) => {
            tell(play, moment, out)?;
            Ok(Next::Ask)
        }
        None => {
            let last = play.number_of(Moment::MAX);
            say(out, &format!("Explain which moment? There are 1 to {last}."))
        }
    }
}

/// Every change of a number, newest first; without a name, the numbers there are.
fn why(play: &Play, rest: &str, out: &mut Out) -> Result<Next> {
    if let Some(story) = play.table.story(rest, &play.table.line(), play.viewer()) {
        render::explanation(out, &story.told(|moment| play.number_of(moment)))?;
        return Ok(Next::Ask);
    }
    let numbers = play.table.scene(play.viewer()).numbers();
    if numbers.is_empty() {
        return say(
            out,
            "There is no number here whose story could be told; `explain` tells of what was played.",
        );
    }
    let names: Vec<&str> = numbers.iter().map(|number| number.name.as_str()).collect();
    say(out, &format!("Why which number? There are: {}.", names.join(", ")))
}

/// An option in full, and all that is known about what one would point at to choose it.
fn about(play: &Play, rest: &str, out: &mut Out) -> Result<Next> {
    let scene = play.table.scene(play.viewer());
    let number = rest.parse::<usize>().ok().filter(|number| (1..=scene.options.len()).contains(number));
    let Some(option) = number.and_then(|number| scene.options.get(number - 1)) else {
        return say(out, &format!("About which option? There are 1 to {}.", scene.options.len()));
    };
    let mut told = vec![option.label.clone()];
    told.extend(option.preview.lines().map(str::to_owned));
    for pick in &option.picks {
        let (text, note) = pointed_at(&scene, pick);
        told.extend(std::iter::once(text.trim()).chain(note.lines()).map(str::to_owned));
    }
    let mut said: Vec<String> = Vec::new();
    for line in told.into_iter().filter(|line| !line.is_empty()) {
        if !said.iter().any(|earlier| earlier.contains(&line)) {
            said.push(line);
        }
    }
    for (i, line) in said.iter().enumerate() {
        writeln!(out, "{}{line}", if i == 0 { "" } else { "  " })?;
    }
    Ok(Next::Ask)
}

/// The text of a thing on the table, and what is known about it.
fn pointed_at<'a>(scene: &'a Scene, pick: &Pick) -> (&'a str, &'a str) {
    let found = match pick {
        Pick::Item(id, line) => {
            let panel = scene.panels.iter().find(|panel| panel.id == *id);
            let item = panel.and_then(|panel| panel.items.get(usize::from(*line)));
            item.map(|item| (item.text.as_str(), item.note.as_str()))
        }
        Pick::Cell(x, y) => scene.board.as_ref().and_then(|board| {
            let cell = board.cells.get(usize::from(*y) * usize::from(board.width) + usize::from(*x));
            cell.map(|cell| ("", cell.note.as_str()))
        }),
        Pick::Word(_) => None,
    };
    found.unwrap_or_default()
}

fn branches(play: &Play, out: &mut Out) -> Result<Next> {
    for branch in play.table.branches(play.viewer()) {
        let mark = if branch.current { '*' } else { ' ' };
        let (tip, fork) = (play.number_of(branch.tip), play.number_of(branch.forked_at));
        writeln!(out, "{mark} jump {tip:<5} {:>4} played, from {fork:<5} {}", branch.length, branch.last)?;
    }
    Ok(Next::Ask)
}

fn jump(play: &mut Play, rest: &str, out: &mut Out) -> Result<Next> {
    let Ok(number) = rest.parse::<u32>() else {
        return say(out, "Jump to which moment? `branches` and `log` show their numbers.");
    };
    let missing = || {
        let last = play.number_of(Moment::MAX);
        Rejection::new("NO_SUCH_MOMENT", format!("there is no moment {number}: there are 0 to {last}"))
    };
    match play.numbered(number).ok_or_else(missing).and_then(|moment| play.jump(moment)) {
        Ok(()) => {
            keep(play, out)?;
            Ok(Next::Look)
        }
        Err(refusal) => {
            refused(&refusal, out)?;
            Ok(Next::Ask)
        }
    }
}

/// Puts a won match away and goes on with the one that follows it.
fn follow(play: &mut Play, store: &Store, out: &mut Out) -> Result<Next> {
    if play.what_follows().is_none() {
        return say(out, "Nothing follows yet: the match has to be won first.");
    }
    match play.put_away().and_then(|()| play.next(store)) {
        Ok(next) => {
            *play = next;
            keep(play, out)?;
            greet(play, out)?;
            Ok(Next::Show)
        }
        Err(error) => say(out, &format!("{error:#}")),
    }
}

fn save(play: &mut Play, store: &Store, rest: &str, out: &mut Out) -> Result<Next> {
    if rest.is_empty() {
        return say(out, "Save to which file?");
    }
    match play.save_as(store, rest) {
        Ok(path) => say(out, &format!("Saved to {}.", path.display())),
        Err(error) => say(out, &format!("Not saved: {error:#}")),
    }
}

fn load(play: &mut Play, store: &Store, rest: &str, out: &mut Out) -> Result<Next> {
    if rest.is_empty() {
        return say(out, "Load which file?");
    }
    let path: PathBuf = store.place(rest);
    match play.leave_for(&path, store.games) {
        Ok(loaded) => {
            *play = loaded;
            Ok(Next::Show)
        }
        Err(error) => say(out, &format!("Not loaded: {error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};
    use std::sync::{Arc, Mutex};

    use turnstone_games::games;
    use turnstone_table::testing::PEBBLES;
    use turnstone_table::{Host, Opening};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Plays those lines and gives what was printed.
    fn session(lines: &str) -> String {
        session_at(PEBBLES.open(&Opening { seed: 3, ..Opening::default() }).unwrap(), lines)
    }

    fn session_at(table: Box<dyn turnstone_table::Table>, lines: &str) -> String {
        let shared = Shared::default();
        let mut out = Out::to(Box::new(shared.clone()));
        let store = Store::new(Some("nowhere".into()), games());
        play(&mut Play::new(table, None, None), &store, &mut Cursor::new(lines.to_owned()), &mut out)
            .unwrap();
        let bytes = shared.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_labels_beginnings_and_notation_all_play() {
        let text = session("1\nClaim B3\nc3\nclaim a2\n");
        for told in ["Ada claims a3", "Bob claims b3", "Ada claims c3", "Bob claims a2"] {
            assert!(text.contains(told), "{text}");
        }
    }

    #[test]
    fn help_lists_what_can_be_said_beside_the_options() {
        let table = games().find("chess").unwrap().open(&Opening::default()).unwrap();
        let text = session_at(table, "help\nresign\nhelp\n");
        assert_eq!(text.matches("give the match up").count(), 1, "{text}");
        assert!(text.contains("offer a draw") && text.contains("White resigns"), "{text}");
    }

    #[test]
    fn a_moment_that_is_looked_at_is_not_played_on_by_a_bot() {
        let mut table = games().find("chess").unwrap().open(&Opening::default()).unwrap();
        table.seat_bot(1, "random", 7).unwrap();
        let text = session_at(table, "e4\nd4\njump 1\nd5\nbranches\n\nbranches\n");
        let (looked, played) = text.split_once("It is not your turn here").expect("a refusal");
        assert!(looked.contains("A bot is to act here"), "{text}");
        assert_eq!(played.matches(" jump ").count(), 3, "one line of play at first, then two: {text}");
    }

    #[test]
    fn short_lists_are_told_in_full_and_long_ones_say_that_there_is_more() {
        let open = |game: &str, setup: &str| {
            let opening = Opening { setup: Some(setup.to_owned()), ..Opening::default() };
            games().find(game).unwrap().open(&opening).unwrap()
        };
        let level = session_at(open("grid", "22-counterweight"), "");
        assert!(level.contains("objective: cover every exit") && level.contains("par: 31 steps"), "{level}");
        let circus = session_at(open("chess", "circus"), "show\n");
        let (short, long) = circus.split_once("> ").expect("two boards");
        assert!(short.contains("`show`") && !short.contains("Phantom"), "{short}");
        assert!(long.contains("Phantom, Exploding"), "{long}");
    }

    #[test]
    fn equal_options_are_one_and_what_is_beside_the_point_is_told_in_a_line() {
        let opening = Opening {
            setup: Some(
                "situation:hand: strike_ironclad*2, bash; relics: vajra, anchor; enemy: cultist 48/50".into(),
            ),
            seed: 1,
            ..Opening::default()
        };
        let table = games().find("spire").unwrap().open(&opening).unwrap();
        let text = session_at(table, "play strike\nshow\n");
        assert!(text.contains("hits Cultist for 6"), "{text}");
        assert!(text.contains("Relics 2: Vajra, Anchor\n"), "{text}");
        assert!(text.contains("\n  Vajra: "), "show tells everything: {text}");
    }

    fn spire(situation: &str) -> Box<dyn turnstone_table::Table> {
        let setup = Some(format!("situation:{situation}"));
        games().find("spire").unwrap().open(&Opening { setup, seed: 1, ..Opening::default() }).unwrap()
    }

    #[test]
    fn a_card_is_played_by_its_name_or_its_place_in_the_hand() {
        let two =
            "energy 9; hand: defend_ironclad, strike_ironclad, strike_ironclad+, bash; enemy: cultist 60/60";
        let text = session_at(spire(two), "Strike\nDefend\nplay 2\nplay bash\n");
        for told in ["play Strike at Cultist", "play Defend", "play Bash at Cultist"] {
            assert!(text.contains(&format!("> {told}\n")), "{told} is not in {text}");
        }
        assert!(!text.contains("fits several"), "Strike is not Strike+, and is named in full: {text}");
        let many = format!("{two}; enemy: cultist 50/50");
        let text = session_at(spire(&many), "Strike\nplay 2\nplay 2 2\nplay 9\n");
        assert_eq!(
            text.matches("fits several: play Strike at Cultist 1; play Strike at Cultist 2").count(),
            2
        );
        assert!(text.contains("> play Strike at Cultist 2\n"), "{text}");
        assert!(text.contains("\"play 9\" is no option"), "{text}");
    }

    #[test]
    fn a_question_can_be_cancelled() {
        let asks = "energy 3; hand: headbutt; discard: bash, clash; enemy: cultist 60/60";
        let text = session_at(spire(asks), "cancel\nHeadbutt\ncancel\n");
        assert!(text.contains("Nothing is asked that could be cancelled"), "{text}");
        let after = text.rsplit("on top of the draw pile").next().expect("asked");
        assert!(after.contains("1 play Headbutt at Cultist"), "{text}");
    }

    #[test]
    fn an_option_is_explained_on_demand() {
        let opening = Opening {
            setup: Some("situation:hand: bash; enemy: cultist 48/50".into()),
            seed: 1,
            ..Opening::default()
        };
        let table = games().find("spire").unwrap().open(&opening).unwrap();
        let text = session_at(table, "about 1\nabout 99\n");
        assert!(text.contains("play Bash at Cultist\n  Deal 8 damage. Apply 2 Vulnerable.\n"), "{text}");
        assert!(text.contains("\n  Vulnerable: "), "{text}");
        assert!(text.contains("About which option?"), "{text}");
    }

    #[test]
    fn mistakes_are_answered_and_change_nothing() {
        let text = session(
            "0\n99\nclaim\nxyzzy\nundo\nredo\njump\njump 9\nexplain 4\nsave\nload\nload nowhere\nlog\n",
        );
        for told in [
            "There is no option 0",
            "There is no option 99",
            "fits several",
            "is no option, move or command",
            "nothing to undo",
            "nothing to redo",
            "Jump to which",
            "[NO_SUCH_MOMENT]",
            "Explain which",
            "Save to which",
            "Load which",
            "Not loaded",
            "Nothing has happened",
        ] {
            assert!(text.contains(told), "{told} is not in {text}");
        }
        assert_eq!(text.matches("Ada to play").count(), 1, "the position is not shown again");
    }

    /// Says nothing until it is too late, and then nothing more.
    struct Sleeper(bool);

    impl Lines for Sleeper {
        fn next(&mut self, patience: Option<std::time::Duration>) -> io::Result<Said> {
            if std::mem::replace(&mut self.0, true) {
                return Ok(Said::End);
            }
            std::thread::sleep(patience.expect("the clock runs"));
            Ok(Said::Late)
        }
    }

    #[test]
    fn a_flag_falls_while_nobody_types() {
        let table = games().find("chess").unwrap().open(&Opening::default()).unwrap();
        let mut timed = Play::new(table, None, None);
        timed.set_clock("0.0005".parse().unwrap()).unwrap();
        let (shared, store) = (Shared::default(), Store::new(Some("nowhere".into()), games()));
        play(&mut timed, &store, &mut Sleeper(false), &mut Out::to(Box::new(shared.clone()))).unwrap();
        assert!(timed.table.outcome().is_some(), "{}", String::from_utf8_lossy(&shared.0.lock().unwrap()));
    }

    #[test]
    fn the_last_move_is_marked_without_colours() {
        let table = games().find("chess").unwrap().open(&Opening::default()).unwrap();
        let text = session_at(table, "e4\n");
        assert!(text.contains("4 . . . .›♙ .") && text.contains("2 ♙ ♙ ♙ ♙›. ♙"), "{text}");
    }

    #[test]
    fn undo_branches_and_jump_go_anywhere() {
        let text = session("1\nundo\n2\nbranches\njump 1\nlog\nquit\n");
        assert!(text.contains("* jump 2") && text.contains("  jump 1"), "{text}");
        assert!(text.ends_with("Ada claims a3\n> "), "{text}");
    }

    #[test]
    fn a_question_is_put_and_answered() {
        let text = session("b2\nkeep it\n");
        assert!(text.contains("Keep the middle?") && text.contains("Ada claims b2"), "{text}");
        assert!(!text.contains("answered"), "what was answered is told once: {text}");
    }
}
