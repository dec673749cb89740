//! Match files: what is written is read back, and what was changed since is told.

use std::sync::Arc;

use serde_json::{Value, json};
use turnstone::digest::{Digest, digest};
use turnstone::file::{self, Divergence, Header, Opened, Verified, Watched, Writer};
use turnstone::{How, Input, Lane, Log, Match, Trace, Viewer, Went};

use crate::{Act, Opening, Script, Token, World, after, before, lasts, open, story, world};

const CHAIN: &str = ",\"chain\":\"";

/// The lines of a file without their seals.
fn unsealed(text: &str) -> Vec<String> {
    let bare = |line: &str| line.rsplit_once(CHAIN).map(|(body, _)| format!("{body}}}"));
    text.lines().map(|line| bare(line).expect("every line is sealed")).collect()
}

/// Seals lines anew, as somebody would who changes a file and knows its format.
fn resealed(lines: &[String]) -> String {
    let mut chain = Digest([0; 16]);
    let mut text = String::new();
    for line in lines {
        let body = line.strip_suffix('}').expect("every line is an object");
        chain = chain.chain(body.as_bytes());
        text += &format!("{body}{CHAIN}{chain}\"}}\n");
    }
    text
}

/// The file with one line changed and sealed anew. Lines are counted from 1.
fn forged(text: &str, number: usize, from: &str, to: &str) -> String {
    let mut lines = unsealed(text);
    let line = &mut lines[number - 1];
    assert!(line.contains(from), "{line}");
    *line = line.replacen(from, to, 1);
    resealed(&lines)
}

fn rules() -> Arc<Script> {
    Arc::new(Script::default())
}

fn header(setup: &World) -> Header<World> {
    Header::new("script", "plain".into(), digest("script 1"), setup.clone(), 9)
}

fn written(game: &Match<Script>) -> String {
    file::write(&header(game.setup()), game).expect("it can be written")
}

fn opened(text: impl AsRef<[u8]>) -> Result<Opened<Script, Trace<Script>>, Divergence> {
    file::open(&rules(), text)
}

fn watched(text: impl AsRef<[u8]>) -> Result<Watched<Script>, Divergence> {
    file::watch(&rules(), text)
}

/// The line and the code of what is wrong with a file.
fn fault(text: impl AsRef<[u8]>) -> (usize, String) {
    let divergence = opened(text).err().expect("something is wrong with it");
    (divergence.line, divergence.code)
}

fn at(line: usize, code: &str) -> (usize, String) {
    (line, code.to_owned())
}

/// A listener that alters and one that proposes, two branches, a question with its answer, and a refusal.
fn eventful() -> Match<Script> {
    let listeners = vec![
        before(0, 'a', Act::AddAndWithdraw(1)),
        after(0, 'b', Act::Propose(vec![(Lane::Last, Token('c', 2))])),
    ];
    let mut game: Match<Script> = Match::new(rules(), world(listeners), 9).expect("any world will do");
    let act = |game: &mut Match<Script>, letters| {
        game.act(Input::Act(lasts(letters))).expect("it is allowed");
    };
    act(&mut game, "ab");
    act(&mut game, "de");
    assert!(game.undo());
    act(&mut game, "fqg");
    game.act(Input::Choose(2)).expect("it is an answer");
    game.jump(2).expect("it is there");
    assert!(game.undo() && game.redo());
    game.act(Input::Act(Opening::new())).expect_err("nothing to do");
    game
}

/// Everything that two matches must share to be the same.
fn assert_same(one: &Match<Script>, other: &Match<Script>) {
    assert_eq!(one.position(), other.position());
    assert_eq!(
        (one.here(), one.journal(), one.branches()),
        (other.here(), other.journal(), other.branches())
    );
    assert_eq!((one.refused(), one.seed(), one.moments()), (other.refused(), other.seed(), other.moments()));
    assert!(one.refusals().eq(other.refusals()));
    for moment in 0..one.moments() {
        assert_eq!(one.input(moment), other.input(moment));
        assert_eq!(one.entries(moment), other.entries(moment));
        assert!(one.notes(moment).eq(other.notes(moment)), "moment {moment}");
    }
}

#[test]
fn a_match_is_read_back_as_it_was_written() {
    let game = eventful();
    let text = written(&game);
    let Opened { header: read, game: again, verified, .. } =
        opened(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_same(&again, &game);
    assert_eq!(read, header(game.setup()));
    let facts = (1..game.moments()).map(|moment| game.entries(moment).len()).sum();
    let sound = Verified { inputs: 4, events: facts, closed: true, torn: None, bytes: text.len() };
    assert_eq!(verified, sound);
    assert_eq!(file::verify(&rules(), &text), Ok(sound));
    assert_same(&file::read(&rules(), &text).unwrap_or_else(|why| panic!("{why}")), &game);
    assert_eq!(resealed(&unsealed(&text)), text);
}

#[test]
fn every_line_is_told_while_a_file_is_read() {
    let text = written(&eventful());
    let mut told = Vec::new();
    let read = file::open_with::<Script, Log<Script>>(&rules(), &text, |number| told.push(number));
    assert!(read.is_ok());
    assert_eq!(told, (3..=text.lines().count()).collect::<Vec<_>>());
}

#[test]
fn a_header_can_be_read_without_the_rest() {
    let text = written(&eventful());
    let read = file::header(&text).expect("it is a header");
    assert_eq!((read.game.as_str(), read.turnstone, read.seed), ("script", file::FORMAT, 9));
    assert_eq!(read.content[0].digest, digest("script 1"));
    assert_eq!(file::header("").unwrap_err().code, "MALFORMED_LINE");
}

#[test]
fn a_running_match_is_saved_by_appending() {
    let mut game = eventful();
    let (mut writer, mut text) = Writer::begin(&header(game.setup()), &game).expect("it can be written");
    assert_eq!(text.lines().count(), 2);
    text += &writer.append(&game).expect("it can be written");
    assert_eq!(writer.append(&game), Ok(String::new()), "nothing was played since");
    game.act(Input::Act(lasts("b"))).expect("it is allowed");
    game.undo();
    let more = writer.append(&game).expect("it can be written");
    assert_eq!(more.lines().count(), 2);
    text += &more;
    let read = opened(&text).unwrap_or_else(|why| panic!("{why}"));
    assert!(!read.verified.closed);
    text += &writer.close(&game).expect("it can be written");
    assert_eq!(writer.close(&game), Ok(String::new()), "it is closed already");
    assert_same(&opened(&text).unwrap_or_else(|why| panic!("{why}")).game, &game);
    assert_eq!(text, written(&game));
}

#[test]
fn a_file_that_was_closed_goes_on_and_closes_again() {
    let text = written(&eventful());
    let Opened { mut game, mut writer, .. } = opened(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(writer.close(&game), Ok(String::new()));
    game.act(Input::Act(lasts("b"))).expect("it is allowed");
    let unclosed = text.clone() + &writer.append(&game).expect("it can be written");
    assert!(!opened(&unclosed).unwrap_or_else(|why| panic!("{why}")).verified.closed);
    let closed = unclosed + &writer.close(&game).expect("it can be written");
    let read = opened(&closed).unwrap_or_else(|why| panic!("{why}"));
    assert!(read.verified.closed);
    assert_same(&read.game, &game);
    // So it does after a step back.
    let Opened { mut game, mut writer, .. } = opened(&text).unwrap_or_else(|why| panic!("{why}"));
    game.undo();
    let unclosed = text + &writer.append(&game).expect("it can be written");
    assert!(!opened(&unclosed).unwrap_or_else(|why| panic!("{why}")).verified.closed);
}

#[test]
fn a_closing_line_says_whether_the_match_can_go_on() {
    let put_away = unsealed(&written(&eventful())).pop().expect("it has lines");
    assert!(put_away.starts_with(r#"{"closed":"put_away","here":2,"refused":1,"#), "{put_away}");
    let mut nim: Match<turnstone::doc::Nim> =
        Match::new(Arc::new(turnstone::doc::Nim), 2, 0).expect("two will do");
    nim.act(Input::Act(2)).expect("there are enough");
    let of_nim = Header::new("nim", "plain".into(), digest("nim"), 2, 0);
    let text = file::write(&of_nim, &nim).expect("it can be written");
    assert!(text.contains(r#"{"closed":"finished","here":1,"refused":0,"#), "{text}");
}

#[test]
fn a_changed_line_does_not_follow_from_the_one_before_it() {
    let text = written(&eventful());
    for number in 2..=text.lines().count() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[number - 1] = lines[number - 1].replacen("{\"", "{ \"", 1);
        assert_eq!(fault(lines.join("\n") + "\n"), at(number, "BROKEN_CHAIN"));
    }
    assert_eq!(fault(text.replacen("script", "scripf", 1)), at(1, "BROKEN_CHAIN"));
    assert_eq!(fault(text.replacen("\"}\n", "\"]\n", 1)), at(1, "MALFORMED_LINE"));
    assert_eq!(fault(""), at(1, "MALFORMED_LINE"));
    let mut bytes = text.into_bytes();
    bytes[10] = 0xFF;
    assert_eq!(fault(bytes), at(1, "NOT_TEXT"));
}

#[test]
fn a_line_has_one_form_and_what_is_more_is_pointed_at() {
    let text = written(&eventful());
    let divergence =
        opened(forged(&text, 3, ",\"entries\"", ",\"by\":1,\"entries\"")).err().expect("an unknown field");
    assert_eq!((divergence.line, divergence.code.as_str()), (3, "MALFORMED_LINE"));
    let spaced = forged(&text, 5, "\"go\":1,", "\"go\": 1,");
    let divergence = opened(spaced).err().expect("another form");
    let told = "the line holds more than it may, or in another form, at character 7:  1,\"how\":\"undo\"}";
    assert_eq!(
        (divergence.line, divergence.code.as_str(), divergence.text.as_str()),
        (5, "NOT_CANONICAL", told)
    );
    assert_eq!(fault(forged(&text, 1, "\"rules\":1", "\"rules\": 1")), at(1, "NOT_CANONICAL"));
    assert_eq!(fault(forged(&text, 4, "{\"n\"", "{\"m\"")), at(4, "MALFORMED_LINE"));
    assert_eq!(fault(forged(&text, 1, "\"turnstone\":2", "\"turnstone\":3")), at(1, "UNKNOWN_FORMAT"));
}

#[test]
fn a_match_must_start_from_what_the_set_up_gives() {
    let text = written(&eventful());
    let divergence = opened(forged(&text, 2, "\"idle\":0", "\"idle\":4")).err().expect("another start");
    assert_eq!((divergence.line, divergence.code.as_str()), (2, "OTHER_START"));
    let fields: Vec<String> = divergence.fields.iter().map(ToString::to_string).collect();
    assert_eq!(fields, ["idle: expected 4, found 0"]);
    let other = format!("\"digest\":\"{}\"", digest("other"));
    let own = unsealed(&text)[1].split_once(",\"digest\"").expect("it has one").1.replace('}', "");
    assert_eq!(fault(forged(&text, 2, &format!("\"digest\"{own}"), &other)), at(2, "OTHER_START"));
}

#[test]
fn inputs_are_in_order_and_allowed_and_lead_to_what_was_recorded() {
    let text = written(&eventful());
    assert_eq!(fault(forged(&text, 4, "{\"n\":2", "{\"n\":3")), at(4, "MALFORMED_LINE"));
    let now_refused =
        forged(&text, 4, "\"act\":[[\"Last\",[\"d\",0],null],[\"Last\",[\"e\",0],null]]", "\"act\":[]");
    assert_eq!(fault(now_refused), at(4, "NOW_REFUSED"));
    let lines = unsealed(&text);
    let digest_at = lines[3].rfind("\"digest\"").expect("it has one");
    let other = format!("\"digest\":\"{}\"}}", digest("other"));
    assert_eq!(fault(forged(&text, 4, &lines[3][digest_at..], &other)), at(4, "OTHER_STATE"));
    let divergence = opened(forged(&text, 3, "\"to\":1}", "\"to\":5}")).err().expect("another note");
    assert_eq!((divergence.line, divergence.code.as_str()), (3, "OTHER_NOTES"));
    assert_eq!(divergence.fields[0].to_string(), "[0][1].to: expected 5, found 1");
}

#[test]
fn the_first_fact_that_differs_is_named_with_its_fields() {
    let text = written(&eventful());
    // The first moment has the facts 0 to 2; the second fact of the second one is fact 4.
    let divergence =
        opened(forged(&text, 4, "{\"event\":[\"e\",0]}", "{\"event\":[\"e\",7]}")).err().expect("other");
    let told = "line 4: [OTHER_EVENTS] the rules give other events than recorded (event 4)\n  \
        fact.event[1]: expected 7, found 0";
    assert_eq!(divergence.to_string(), told);
    let mut lines = unsealed(&text);
    let mut line: Value = serde_json::from_str(&lines[3]).expect("it is JSON");
    let last = line["entries"].as_array_mut().expect("facts").pop().expect("two");
    lines[3] = rewritten(&lines[3], &line);
    let divergence = opened(resealed(&lines)).err().expect("one is missing");
    assert_eq!((divergence.event, divergence.fields.len()), (Some(4), 1));
    assert_eq!(
        (divergence.fields[0].path.as_str(), &divergence.fields[0].found),
        ("entries[1]", &Some(last))
    );
}

/// An input line with the entries of `value` in place of its own.
fn rewritten(line: &str, value: &Value) -> String {
    let (before, rest) = line.split_once("\"entries\":").expect("it has facts");
    let after = &rest[rest.find(",\"notes\"").or(rest.find(",\"digest\"")).expect("something follows")..];
    format!("{before}\"entries\":{}{after}", value["entries"])
}

#[test]
fn steps_through_the_timeline_go_where_they_say() {
    let text = written(&eventful());
    let steps = [(5, "{\"go\":1,\"how\":\"undo\"}"), (8, "{\"go\":2,\"how\":\"jump\"}")];
    for (number, line) in steps {
        assert_eq!(unsealed(&text)[number - 1], line);
    }
    assert_eq!(fault(forged(&text, 5, "\"go\":1", "\"go\":0")), at(5, "MALFORMED_LINE"));
    assert_eq!(fault(forged(&text, 5, "\"undo\"", "\"redo\"")), at(5, "MALFORMED_LINE"));
    let divergence = opened(forged(&text, 8, "\"go\":2", "\"go\":5")).err().expect("there are five moments");
    assert_eq!(divergence.to_string(), "line 8: [MALFORMED_LINE] there is no way to moment 5 from here");
}

#[test]
fn a_closing_line_fits_the_lines_before_it_and_refusals_are_refused_again() {
    let text = written(&eventful());
    let last = text.lines().count();
    assert_eq!(fault(forged(&text, last, "\"here\":2", "\"here\":1")), at(last, "MALFORMED_LINE"));
    assert_eq!(fault(forged(&text, last, "\"refused\":1", "\"refused\":0")), at(last, "MALFORMED_LINE"));
    assert_eq!(fault(forged(&text, last, "\"EMPTY\"", "\"FULL\"")), at(last, "OTHER_REFUSAL"));
    assert_eq!(fault(forged(&text, last, "\"at\":2", "\"at\":77")), at(last, "MALFORMED_LINE"));
    // More may have been refused than are kept, and wording is not law.
    let more = forged(&text, last, "\"refused\":1", "\"refused\":9");
    assert_eq!(opened(&more).unwrap_or_else(|why| panic!("{why}")).game.refused(), 9);
    assert!(opened(forged(&text, last, "nothing to do", "do something")).is_ok());
}

#[test]
fn only_a_last_line_that_was_never_ended_is_torn() {
    let text = written(&eventful());
    let sound = text[..text.len() - 1].rfind('\n').expect("it has lines") + 1;
    let read = opened(&text[..text.len() - 5]).unwrap_or_else(|why| panic!("{why}"));
    let last = text.lines().count();
    assert_eq!((read.verified.torn, read.verified.bytes, read.verified.closed), (Some(last), sound, false));
    // What was kept goes on where the torn line began.
    let Opened { game, mut writer, .. } = read;
    let rest = writer.close(&game).expect("it can be written");
    assert!(opened(text[..sound].to_owned() + &rest).is_ok());
    // A torn line behind a closing one leaves no closed file.
    let behind = opened(text.clone() + "{\"n\":5").unwrap_or_else(|why| panic!("{why}")).verified;
    assert_eq!((behind.torn, behind.bytes, behind.closed), (Some(last + 1), text.len(), false));
    // Ended lines are damaged, not torn, and a whole line that says something wrong is neither.
    assert_eq!(fault(text[..text.len() - 5].to_owned() + "\n"), at(last, "MALFORMED_LINE"));
    let refused = forged(&text, last, "\"EMPTY\"", "\"FULL\"");
    assert_eq!(fault(refused.trim_end()), at(last, "OTHER_REFUSAL"));
    assert_eq!(fault(text[..sound - 5].to_owned() + &text[sound - 4..]).0, last - 1);
}

#[test]
fn a_whole_last_line_without_its_end_is_sound_and_more_is_written_below_it() {
    let text = written(&eventful());
    let unended = text.trim_end();
    let Opened { mut game, mut writer, verified, .. } = opened(unended).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((verified.torn, verified.bytes, verified.closed), (None, unended.len(), true));
    game.undo();
    let more = writer.append(&game).expect("it can be written");
    assert!(more.starts_with('\n') && more.ends_with('\n'));
    assert_same(&opened(unended.to_owned() + &more).unwrap_or_else(|why| panic!("{why}")).game, &game);
    // Below a line that was ended nothing is put between.
    let Opened { mut game, mut writer, .. } = opened(&text).unwrap_or_else(|why| panic!("{why}"));
    game.undo();
    assert!(writer.append(&game).expect("it can be written").starts_with('{'));
}

#[test]
fn a_file_that_was_only_begun_is_taken_up_from_its_set_up() {
    let game = eventful();
    let text = written(&game);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let start = open(game.setup().clone());
    for (length, torn) in
        [(ends[0], None), (ends[0] - 1, None), (ends[0] + 9, Some(2)), (ends[1] - 9, Some(2))]
    {
        let read = opened(&text[..length]).unwrap_or_else(|why| panic!("{length}: {why}"));
        assert_eq!((read.verified.torn, read.verified.bytes), (torn, length.min(ends[0])), "{length}");
        assert_eq!(read.game.position(), start.position());
        let mut writer = read.writer;
        let rest = writer.close(&read.game).expect("it can be written");
        assert!(opened(text[..length.min(ends[0])].to_owned() + &rest).is_ok(), "{length}");
    }
    // The second line was ended, or others follow it, or it says something else: that is no beginning.
    let damaged = text[..ends[1] - 9].to_owned() + "\n";
    assert_eq!(fault(&damaged), at(2, "MALFORMED_LINE"));
    assert_eq!(fault(damaged.clone() + &text[ends[1]..]), at(2, "MALFORMED_LINE"));
    assert_eq!(fault(damaged + "{\"n\""), at(2, "MALFORMED_LINE"));
    let other = forged(&text, 2, "\"idle\":0", "\"idle\":4");
    assert_eq!(fault(other.lines().take(2).collect::<Vec<_>>().join("\n")), at(2, "OTHER_START"));
}

#[test]
fn a_branch_starts_from_the_state_that_its_file_holds() {
    let old = eventful();
    let start = turnstone::Position::<Script>::new(old.state().clone());
    let mut game: Match<Script> =
        Match::from_position(rules(), old.setup().clone(), 9, start).expect("it can go on");
    game.act(Input::Act(lasts("b"))).expect("it is allowed");
    let branch = Header { branch: Some(2), ..header(old.setup()) };
    let text = file::write(&branch, &game).expect("it can be written");
    let read = opened(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(read.header.branch, Some(2));
    assert_same(&read.game, &game);
    // Without its second line nobody knows where it started.
    let first = text.find('\n').expect("it has lines") + 1;
    assert_eq!(fault(&text[..first]), at(2, "MALFORMED_LINE"));
    assert_eq!(fault(&text[..first + 9]), at(2, "MALFORMED_LINE"));
}

#[test]
fn a_match_can_be_watched_and_played_on() {
    let game = eventful();
    let Watched { header: read, game: mut again, strays } =
        watched(written(&game)).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((read, strays), (header(game.setup()), None));
    assert_same(&again, &game);
    assert_eq!(again.explain_for(4, Viewer::Seat(1)), game.explain_for(4, Viewer::Seat(1)));
    again.act(Input::Act(lasts("b"))).expect("it goes on");
    assert!(story(&again).ends_with("d e b c2"));
}

#[test]
fn behind_a_question_a_watched_match_is_only_watched() {
    let Watched { mut game, .. } = watched(written(&eventful())).unwrap_or_else(|why| panic!("{why}"));
    game.jump(3).expect("it is there");
    assert!(game.pending().is_some());
    assert_eq!(game.act(Input::Choose(1)).unwrap_err().code(), "ONLY_WATCHED");
    assert_eq!(game.act(Input::Act(lasts("a"))).unwrap_err().code(), "QUESTION_PENDING");
}

#[test]
fn whoever_watches_asks_no_rule_but_is_told_where_the_state_strays() {
    let text = written(&eventful());
    // No rule gives this event; it can be written all the same.
    let other = forged(&text, 4, "{\"event\":[\"e\",0]}", "{\"event\":[\"e\",7]}");
    assert_eq!(fault(&other), at(4, "OTHER_EVENTS"));
    let Watched { game, strays, .. } = watched(&other).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((strays, game.here()), (Some(4), 2));
    assert_eq!(story(&game), "a1 b c2 d e7");
}

#[test]
fn an_event_that_the_game_cannot_write_is_not_watched() {
    let text = written(&eventful());
    let unfit = forged(&text, 4, "{\"event\":[\"e\",0]}", "{\"event\":[\"k\",9]}");
    let divergence = watched(unfit).err().expect("there is no tenth listener");
    assert_eq!((divergence.line, divergence.code.as_str()), (4, "UNFIT_EVENT"));
    assert_eq!(divergence.event, Some(4));
    assert!(watched(forged(&text, 4, "{\"event\":[\"e\",0]}", "{\"event\":[\"k\",1]}")).is_ok());
}

#[test]
fn whoever_watches_is_told_of_damage_and_not_of_a_torn_end() {
    let text = written(&eventful());
    let fault = |text: &str| {
        let divergence = watched(text).err().expect("something is wrong with it");
        (divergence.line, divergence.code)
    };
    let last = text.lines().count();
    assert_eq!(watched(&text[..text.len() - 5]).unwrap_or_else(|why| panic!("{why}")).game.here(), 2);
    assert_eq!(fault(&(text[..text.len() - 5].to_owned() + "\n")), at(last, "MALFORMED_LINE"));
    assert_eq!(fault(&forged(&text, 4, "{\"n\":2", "{\"n\":3")), at(4, "MALFORMED_LINE"));
    assert_eq!(fault(&forged(&text, 8, "\"go\":2", "\"go\":9")), at(8, "MALFORMED_LINE"));
    assert_eq!(fault(&text[..text.find('\n').expect("it has lines")]), at(2, "MALFORMED_LINE"));
}

/// A file of format 1: refused inputs have numbers too, and a step back is a line that follows another.
fn old_file() -> String {
    let setup = world(vec![]);
    let event = |letter: char| json!({"fact": {"event": [letter, 0]}, "cause": {"after": "Action"}});
    let act = |letters: &str| json!({"act": lasts(letters)});
    let refusal = json!({"reasons": [{"code": "EMPTY", "text": "nothing to do"}]});
    let rejected = json!({"action_rejected": {"input": {"act": []}, "rejection": refusal}});
    let lines = [
        json!({"turnstone": 1, "game": "script", "ruleset": "plain", "content": digest("old"), "setup": setup,
            "seed": 3}),
        json!({"n": 1, "input": act("a"), "entries": [event('a')]}),
        json!({"n": 2, "input": act(""), "entries": [{"fact": rejected, "cause": {"after": "Action"}}]}),
        json!({"n": 3, "input": act("b"), "entries": [event('b')]}),
        json!({"n": 4, "on": 2, "input": act("c"), "entries": [event('c')]}),
        json!({"here": 3}),
    ];
    resealed(&lines.map(|line| line.to_string()))
}

#[test]
fn a_file_of_the_first_format_can_be_watched_and_nothing_else() {
    let text = old_file();
    assert_eq!(fault(&text), at(1, "OLD_FORMAT"));
    assert_eq!(file::header(&text).expect("it is a header").turnstone, 1);
    let Watched { header, mut game, strays } = watched(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((header.turnstone, header.seed, strays), (1, 3, None));
    assert_eq!((story(&game).as_str(), game.refused(), game.moments()), ("a b", 1, 4));
    assert_eq!(game.refusals().next().map(|refusal| refusal.at), Some(1));
    let jumps = [Went::On(1), Went::On(2), Went::To(1, How::Jump), Went::On(3), Went::To(2, How::Jump)];
    assert_eq!(game.journal(), jumps);
    game.jump(3).expect("it is there");
    assert_eq!(story(&game), "a c");
    assert_eq!(watched(text.replacen("plain", "plane", 1)).err().map(|fault| fault.line), Some(1));
    let nowhere = resealed(
        &unsealed(&text).iter().map(|line| line.replace("\"here\":3", "\"here\":8")).collect::<Vec<_>>(),
    );
    assert_eq!(watched(nowhere).err().map(|fault| fault.line), Some(6));
    let unfit = forged(&text, 4, "[\"b\",0]},", "[\"k\",0]},");
    assert_eq!(watched(unfit).err().map(|fault| fault.code), Some("UNFIT_EVENT".to_owned()));
}
