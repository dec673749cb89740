//! One test for every reason why a match file is not accepted, on files that are sealed anew: the chain alone would
//! answer for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::{Deserialize, Serialize};
use turnstone::digest::Digest;
use turnstone::file::{self, ContentPart, Header, Terms, code};
use turnstone::{
    Game, Input, Match, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen, Settled, Told,
};
use turnstone_testkit::forge::{reseal, unsealed};

/// A purse: put coins in or take them out. Its rules can be changed after the match was played.
#[derive(Default)]
struct Purse {
    /// 0 as played; see [`Change`].
    changed: AtomicU8,
}

#[derive(Clone, Copy)]
enum Change {
    Start = 1,
    Refuses,
    Events,
    Notes,
    State,
    Unfoldable,
    Unfit,
}

impl Purse {
    fn is(&self, change: Change) -> bool {
        self.changed.load(Ordering::Relaxed) == change as u8
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Coins {
    coins: i32,
    #[serde(skip)]
    lost: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Who {
    Name(String),
    /// JSON has texts for keys and nothing else.
    Odd(BTreeMap<(u8, u8), u8>),
}

/// Putting in so much leaves a note that cannot be written.
const UNWRITABLE: i32 = 77;

impl Game for Purse {
    type Setup = i32;
    type State = Coins;
    type Action = i32;
    type Effect = i32;
    type Event = i32;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Who;

    fn start(&self, setup: &i32, _seed: u64) -> Result<Coins, Rejection> {
        match setup {
            0.. => Ok(Coins { coins: setup + i32::from(self.is(Change::Start)), lost: 0 }),
            _ => Err(Rejection::new("EMPTY_PURSE", "one cannot owe a purse")),
        }
    }
    fn check(&self, state: &Coins, action: &i32) -> Result<(), Rejection> {
        if self.is(Change::Refuses) && *action > 0 {
            return Err(Rejection::new("NO_MORE", "nothing goes in any more"));
        }
        match state.coins + action {
            0.. => Ok(()),
            _ => Err(Rejection::new("TOO_FEW", "there are not so many")),
        }
    }
    fn open(&self, _state: &Coins, action: &i32, out: &mut ProposalsOf<Self>) {
        out.last(*action);
    }
    fn settle(&self, _state: &Coins, effect: &i32, notes: &mut NotesOf<Self>) -> Settled<i32, Never> {
        notes.made(Who::Name("player".to_owned()), *effect);
        if *effect == UNWRITABLE {
            notes.made(Who::Odd([((1, 2), 3)].into()), 0);
        }
        notes.changed(Who::Name("tax".to_owned()), *effect, *effect - i32::from(self.is(Change::Notes)));
        Settled::Event(effect * if self.is(Change::Events) { 2 } else { 1 })
    }
    fn apply(&self, state: &mut Coins, event: &i32) {
        state.coins += event + i32::from(self.is(Change::State));
        if self.is(Change::Unfoldable) {
            state.lost = i32::from(self.changed.fetch_add(0, Ordering::Relaxed)) + state.lost * 7 + 1;
            state.coins += i32::from(COUNT.fetch_add(1, Ordering::Relaxed) % 2);
        }
    }
    fn fits(&self, _state: &Coins, _event: &i32) -> bool {
        !self.is(Change::Unfit)
    }
    fn legal(&self, _state: &Coins, out: &mut Vec<i32>) {
        out.push(1);
    }
    fn actor(&self, _state: &Coins) -> Option<Seat> {
        Some(0)
    }
    fn outcome(&self, _state: &Coins) -> Option<Outcome> {
        None
    }
}

static COUNT: AtomicU8 = AtomicU8::new(0);

impl Seen for Purse {}
impl Told for Purse {}

/// Two in, one in, back, a refusal, three in; put away.
fn played() -> (Arc<Purse>, Match<Purse>, String) {
    let purse = Arc::new(Purse::default());
    let mut game: Match<Purse> = Match::new(Arc::clone(&purse), 5, 1).unwrap();
    game.act(Input::Act(2)).unwrap();
    game.act(Input::Act(1)).unwrap();
    game.undo();
    game.act(Input::Act(-99)).unwrap_err();
    game.act(Input::Act(3)).unwrap();
    let header = Header::new("purse", "plain".into(), Digest([7; 16]), 5, 1);
    let text = file::write(&header, &game).unwrap();
    (purse, game, text)
}

/// The code and the line that are named for a file.
fn named(purse: &Arc<Purse>, file: impl AsRef<[u8]>) -> (String, usize) {
    let divergence = file::verify(purse, file).expect_err("this is not accepted");
    (divergence.code, divergence.line)
}

/// What is named when line `number` is changed and the whole is sealed anew.
fn forged(number: usize, from: &str, to: &str) -> (String, usize) {
    let (purse, _, text) = played();
    let mut lines = unsealed(&text);
    assert!(lines[number - 1].contains(from), "{}", lines[number - 1]);
    lines[number - 1] = lines[number - 1].replace(from, to);
    named(&purse, reseal(&lines))
}

/// What is named when the rules have changed since.
fn changed(change: Change) -> (String, usize) {
    let (purse, _, text) = played();
    purse.changed.store(change as u8, Ordering::Relaxed);
    named(&purse, text)
}

fn is(code: &str, line: usize) -> (String, usize) {
    (code.to_owned(), line)
}

#[test]
fn what_is_written_comes_back_whole_and_is_written_the_same_again() {
    let (purse, game, text) = played();
    let opened = file::open::<Purse, turnstone::Trace<Purse>>(&purse, &text).unwrap();
    assert_eq!(opened.game.position(), game.position());
    assert_eq!(opened.game.journal(), game.journal());
    assert_eq!((opened.game.refused(), opened.game.refusals().len()), (1, 1));
    assert_eq!((opened.verified.inputs, opened.verified.closed, opened.verified.torn), (3, true, None));
    assert_eq!(file::write(&opened.header, &opened.game).unwrap(), text);
}

#[test]
fn a_match_that_goes_on_is_appended_to() {
    let (purse, _, text) = played();
    let mut opened = file::open::<Purse, turnstone::Trace<Purse>>(&purse, &text).unwrap();
    assert_eq!(opened.writer.close(&opened.game).unwrap(), "");
    opened.game.act(Input::Act(4)).unwrap();
    let more = opened.writer.append(&opened.game).unwrap();
    assert_eq!(more.lines().count(), 1);
    assert!(!file::verify(&purse, text.clone() + &more).unwrap().closed);
    let whole = text + &more + &opened.writer.close(&opened.game).unwrap();
    assert!(file::verify(&purse, whole).unwrap().closed);
}

#[test]
fn a_match_that_goes_on_by_other_content_says_so_before_it_does() {
    let (purse, _, text) = played();
    let part = ContentPart { name: "purse".to_owned(), digest: Digest([9; 16]) };
    let names = BTreeMap::from([("coin".to_owned(), vec!["penny".to_owned()])]);
    let terms = Terms { rules: 2, content: vec![part], names };
    let mut opened = file::open::<Purse, turnstone::Trace<Purse>>(&purse, &text).unwrap();
    let before = opened.header.terms();
    opened.writer.go_on_by(terms.clone());
    assert_eq!(opened.writer.close(&opened.game).unwrap(), "", "nothing was played by it");
    opened.game.act(Input::Act(4)).unwrap();
    let more = opened.writer.append(&opened.game).unwrap();
    assert_eq!(more.lines().count(), 2);
    assert!(more.starts_with("{\"terms\":{\"rules\":2,"), "{more}");
    opened.game.act(Input::Act(1)).unwrap();
    let whole = text.clone() + &more + &opened.writer.close(&opened.game).unwrap();
    assert_eq!(whole.matches("\"terms\"").count(), 1);

    let again = file::open::<Purse, turnstone::Trace<Purse>>(&purse, &whole).unwrap();
    assert_eq!(
        (again.header.terms(), again.verified.inputs, again.verified.closed),
        (terms.clone(), 5, true)
    );
    assert_eq!(file::watch(&purse, &whole).unwrap().header.terms(), terms);
    assert_eq!(
        (file::header(&whole).unwrap().terms(), file::header(&text).unwrap().terms()),
        (terms, before)
    );
    // A line that says more than terms is named, and what cannot be read of it is passed over at the door.
    let mut lines = unsealed(&whole);
    let at = lines.iter().position(|line| line.starts_with("{\"terms\"")).unwrap();
    lines[at] = lines[at].replace("\"rules\":2", "\"rules\":2,\"more\":1");
    let forged = reseal(&lines);
    assert_eq!(named(&purse, &forged), is(code::MALFORMED_LINE, at + 1));
    assert_eq!(file::header(&forged).unwrap().rules, 1);
}

#[test]
fn terms_behind_the_closing_line_open_the_file_again_and_are_said_once() {
    let (purse, _, text) = played();
    let terms = Terms { rules: 2, ..file::header(&text).unwrap().terms() };
    let said = |terms: &Terms| format!("{{\"terms\":{}}}", serde_json::to_string(terms).unwrap());
    let (closed, last) = (unsealed(&text), text.lines().count());
    let with = |more: &[String]| reseal(&[closed.as_slice(), more].concat());
    let (close, old, new) =
        (closed[last - 1].clone(), said(&file::header(&text).unwrap().terms()), said(&terms));
    // Who is killed before he writes what he played by them leaves them as the last line.
    let verified = file::verify(&purse, with(std::slice::from_ref(&new))).unwrap();
    assert!(!verified.closed);
    assert!(file::verify(&purse, with(&[new.clone(), close.clone()])).unwrap().closed);
    assert!(file::verify(&purse, with(&[new.clone(), old.clone(), close.clone()])).unwrap().closed);
    // Nobody writes what is in force already, nor closes what is closed.
    assert_eq!(named(&purse, with(&[old])), is(code::MALFORMED_LINE, last + 1));
    assert_eq!(named(&purse, with(&[new.clone(), new])), is(code::MALFORMED_LINE, last + 2));
    assert_eq!(named(&purse, with(&[close])), is(code::MALFORMED_LINE, last + 1));
}

#[test]
fn a_file_without_its_end_is_sound_and_not_closed() {
    let (purse, _, text) = played();
    let lines: Vec<&str> = text.lines().collect();
    for kept in 1..lines.len() {
        let cut = lines[..kept].join("\n") + "\n";
        let verified = file::verify(&purse, &cut).unwrap();
        assert_eq!((verified.closed, verified.torn, verified.bytes), (false, None, cut.len()));
    }
}

#[test]
fn a_last_line_without_its_end_is_ended_before_another_follows() {
    let (purse, _, text) = played();
    let header = text.find('\n').unwrap();
    for length in [header, text.len() - 1] {
        let cut = &text[..length];
        let mut opened = file::open::<Purse, turnstone::Trace<Purse>>(&purse, cut).unwrap();
        assert_eq!((opened.verified.torn, opened.verified.bytes), (None, cut.len()));
        opened.game.act(Input::Act(4)).unwrap();
        let mut whole = cut.to_owned() + &opened.writer.append(&opened.game).unwrap();
        whole += &opened.writer.close(&opened.game).unwrap();
        assert!(file::verify(&purse, whole).unwrap().closed);
    }
}

#[test]
fn a_torn_line_costs_that_line_alone() {
    let (purse, _, text) = played();
    let whole: usize = text.lines().take(5).map(|line| line.len() + 1).sum();
    for torn in [1, 20, 60] {
        let verified = file::verify(&purse, &text[..whole + torn]).unwrap();
        assert_eq!((verified.closed, verified.torn, verified.bytes), (false, Some(6), whole));
        assert_eq!(verified.inputs, 2);
    }
}

#[test]
fn a_match_killed_while_it_was_begun_goes_on_behind_what_is_sound() {
    let (purse, _, text) = played();
    let header = text.find('\n').unwrap() + 1;
    for torn in [0, 1, 30] {
        let mut opened =
            file::open::<Purse, turnstone::Trace<Purse>>(&purse, &text[..header + torn]).unwrap();
        let torn = (torn > 0).then_some(2);
        assert_eq!((opened.verified.inputs, opened.verified.closed), (0, false));
        assert_eq!((opened.verified.torn, opened.verified.bytes), (torn, header));
        opened.game.act(Input::Act(4)).unwrap();
        let whole = text[..header].to_owned() + &opened.writer.close(&opened.game).unwrap();
        let verified = file::verify(&purse, whole).unwrap();
        assert_eq!((verified.inputs, verified.closed), (1, true));
    }
    // A second line that was ended is damaged, not torn.
    let second = text[header..].find('\n').unwrap() + header;
    assert_eq!(named(&purse, text[..second - 9].to_owned() + "\n"), is(code::MALFORMED_LINE, 2));
}

#[test]
fn a_branch_whose_first_state_is_torn_is_damaged() {
    let (purse, _, text) = played();
    let mut lines = unsealed(&text);
    lines.truncate(2);
    lines[0] = lines[0].strip_suffix('}').unwrap().to_owned() + ",\"branch\":1}";
    let torn = reseal(&lines);
    assert_eq!(file::verify(&purse, &torn).unwrap().inputs, 0);
    assert!(file::verify(&purse, &torn[..torn.len() - 9]).is_err(), "nobody knows where it began");
}

#[test]
fn a_byte_that_is_no_text_is_named_with_its_line() {
    let (purse, _, text) = played();
    let mut bytes = text.into_bytes();
    let third = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    bytes[third + 9] |= 0x80;
    assert_eq!(named(&purse, bytes), is(code::NOT_TEXT, 3));
}

#[test]
fn every_flipped_bit_is_named_with_its_line() {
    let (purse, _, text) = played();
    let mut line = 1;
    for at in 0..text.len() - 1 {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let blamed = named(&purse, bytes).1;
            assert_eq!(blamed, line, "bit {bit} of byte {at}");
        }
        line += usize::from(text.as_bytes()[at] == b'\n');
    }
}

#[test]
fn a_line_that_is_changed_is_named() {
    let (purse, _, text) = played();
    assert_eq!(named(&purse, text.replace("\"act\":2", "\"act\":3")), is(code::BROKEN_CHAIN, 3));
    assert_eq!(named(&purse, text.to_uppercase()).1, 1);
    assert_eq!(named(&purse, ""), is(code::MALFORMED_LINE, 1));
}

#[test]
fn lines_are_what_they_must_be() {
    assert_eq!(forged(1, "\"turnstone\":2", "\"turnstone\":3"), is(code::UNKNOWN_FORMAT, 1));
    assert_eq!(forged(1, "\"setup\":5", "\"setup\":-5"), is(code::BAD_SETUP, 1));
    assert_eq!(forged(1, "\"seed\":1", "\"seed\":1,\"zz\":0"), is(code::MALFORMED_LINE, 1));
    assert_eq!(forged(2, "\"coins\":5", "\"coins\":6"), is(code::OTHER_START, 2));
    assert_eq!(forged(3, "\"n\":1", "\"n\":2"), is(code::MALFORMED_LINE, 3));
    assert_eq!(forged(5, "\"go\":1", "\"go\":0"), is(code::MALFORMED_LINE, 5));
    assert_eq!(forged(7, "\"here\":3", "\"here\":2"), is(code::MALFORMED_LINE, 7));
    assert_eq!(forged(3, "{\"n\"", "{\"m\""), is(code::MALFORMED_LINE, 3));
}

#[test]
fn there_is_one_way_to_write_a_line() {
    assert_eq!(forged(3, "\"fact\":", " \"fact\":"), is(code::NOT_CANONICAL, 3));
    assert_eq!(forged(3, "\"who\":", "\"zz\":1,\"who\":"), is(code::NOT_CANONICAL, 3));
    assert_eq!(forged(3, "{\"event\":2}", "{\"event\":2.0}"), is(code::MALFORMED_LINE, 3));
}

#[test]
fn facts_notes_and_digests_are_compared() {
    assert_eq!(forged(3, "\"event\":2", "\"event\":3"), is(code::OTHER_EVENTS, 3));
    assert_eq!(forged(3, "\"to\":2", "\"to\":3"), is(code::OTHER_NOTES, 3));
    let (purse, _, text) = played();
    let mut lines = unsealed(&text);
    let digest = lines[2].rsplit_once("\"digest\":\"").unwrap().1[..4].to_owned();
    lines[2] = lines[2].replace(&format!("\"digest\":\"{digest}"), "\"digest\":\"0000");
    assert_eq!(named(&purse, reseal(&lines)), is(code::OTHER_STATE, 3));
}

#[test]
fn refusals_are_compared_by_code_and_not_by_wording() {
    assert_eq!(forged(7, "\"TOO_FEW\"", "\"TOO_MANY\""), is(code::OTHER_REFUSAL, 7));
    assert_eq!(forged(7, "{\"act\":-99}", "{\"act\":9}"), is(code::OTHER_REFUSAL, 7));
    let (purse, _, text) = played();
    let mut lines = unsealed(&text);
    lines[6] = lines[6].replace("there are not so many", "there are fewer");
    file::verify(&purse, reseal(&lines)).expect("other words, the same code");
}

#[test]
fn changed_rules_are_told_apart() {
    assert_eq!(changed(Change::Start), is(code::OTHER_START, 2));
    assert_eq!(changed(Change::Refuses), is(code::NOW_REFUSED, 3));
    assert_eq!(changed(Change::Events), is(code::OTHER_EVENTS, 3));
    assert_eq!(changed(Change::Notes), is(code::OTHER_NOTES, 3));
    assert_eq!(changed(Change::State), is(code::OTHER_STATE, 3));
    assert_eq!(changed(Change::Unfoldable), is(code::FOLD_DIFFERS, 3));
}

#[test]
fn a_match_under_other_rules_is_watched_as_it_was_played() {
    let (purse, game, text) = played();
    purse.changed.store(Change::Refuses as u8, Ordering::Relaxed);
    let mut watched = file::watch(&purse, &text).unwrap();
    assert_eq!(watched.strays, None);
    assert_eq!(watched.game.position(), game.position());
    assert_eq!(watched.game.branches(), game.branches());
    let told = watched.game.explain(3).to_string();
    assert!(told.contains("Name(\"player\"): 3"), "{told}");
    // Played on, it goes by today's rules.
    assert_eq!(watched.game.act(Input::Act(1)).unwrap_err().code(), "NO_MORE");
    watched.game.act(Input::Act(-1)).unwrap();
    assert_eq!(watched.game.state().coins, 9);
}

#[test]
fn what_means_something_else_today_is_said_and_what_cannot_be_written_is_refused() {
    let (purse, _, text) = played();
    purse.changed.store(Change::State as u8, Ordering::Relaxed);
    assert_eq!(file::watch(&purse, &text).unwrap().strays, Some(3));
    purse.changed.store(Change::Unfit as u8, Ordering::Relaxed);
    let refusal = file::watch(&purse, &text).err().unwrap();
    assert_eq!((refusal.code.as_str(), refusal.line), (code::UNFIT_EVENT, 3));
}

#[test]
fn files_of_the_first_format_can_be_watched() {
    let old = [
        r#"{"turnstone":1,"game":"purse","ruleset":"plain","content":"07070707070707070707070707070707","setup":5,"seed":1}"#,
        r#"{"n":1,"input":{"act":2},"entries":[{"fact":{"event":2},"cause":{"after":"Action"}}],"digest":"00000000000000000000000000000000"}"#,
        r#"{"n":2,"input":{"act":-99},"entries":[{"fact":{"action_rejected":{"input":{"act":-99},"rejection":{"reasons":[{"code":"TOO_FEW","text":"x"}]}}},"cause":{"after":"Action"}}],"digest":"00000000000000000000000000000000"}"#,
        r#"{"n":3,"input":{"act":3},"entries":[{"fact":{"event":3},"cause":{"after":"Action"}}],"digest":"00000000000000000000000000000000"}"#,
        r#"{"n":4,"on":1,"input":{"act":4},"entries":[{"fact":{"event":4},"cause":{"after":"Action"}}],"digest":"00000000000000000000000000000000"}"#,
        r#"{"here":3}"#,
    ];
    let text = reseal(&old.map(str::to_owned));
    let purse = Arc::new(Purse::default());
    assert_eq!(named(&purse, &text), is(code::OLD_FORMAT, 1));
    let watched = file::watch(&purse, &text).unwrap();
    assert_eq!((watched.game.state().coins, watched.game.moments(), watched.game.refused()), (10, 4, 1));
    assert_eq!(watched.game.branches().len(), 2);
}

#[test]
fn what_cannot_be_written_is_an_error_and_not_half_a_line() {
    let (purse, _, text) = played();
    let mut opened = file::open::<Purse, turnstone::Trace<Purse>>(&purse, &text).unwrap();
    opened.game.act(Input::Act(UNWRITABLE)).unwrap();
    assert!(opened.writer.append(&opened.game).is_err());
    assert!(opened.writer.close(&opened.game).is_err());
    assert!(file::write(&opened.header, &opened.game).is_err());
}
