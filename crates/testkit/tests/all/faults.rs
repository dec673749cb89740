//! An oracle that cannot fail is worth nothing: faults are planted in a game and in the kernel, every oracle judges
//! every one of them by itself, and the table says exactly which of them object, and how.

use std::sync::Arc;
use std::thread;

use turnstone::Viewer;
use turnstone_testkit::kernel::Kernel;
use turnstone_testkit::oracles::{self, Oracle, Trial};
use turnstone_testkit::{Plan, Script, ask, ask_all};

use crate::counter::{Counter, Fault};
use crate::flaws::{Flaw, Flawed};

const LOG: &str = "the log is the state";
const RERUN: &str = "rerun gives the same log";
const THREADS: &str = "threads agree";
const RECORDERS: &str = "recorders agree";
const SAVE: &str = "save anywhere";
const FILES: &str = "match files come back";
const TAMPERING: &str = "tampering is noticed";
const UNDO: &str = "undo restores, redo returns";
const BRANCHES: &str = "branches keep the old future";
const VISITS: &str = "every event can be visited";
const LEGAL: &str = "legal is accepted";
const UNLISTED: &str = "what is not listed is refused";
const CLONES: &str = "clones are independent";
const CAUSES: &str = "causes come before";
const ANSWERS: &str = "answers are used up";
const VIEWS: &str = "views and explanations hold";

/// Who objects, and with which words.
type Objections = &'static [(&'static str, &'static str)];

const FAULTS: &[(Fault, Objections)] = &[
    (Fault::None, &[]),
    (Fault::Runaway, &[]),
    (Fault::Operator, &[]),
    (Fault::Spellings, &[]),
    (Fault::ThreadDice, &[(THREADS, "event 0 is")]),
    (Fault::Unchecked, &[(RECORDERS, "the recorders disagree")]),
    (Fault::Unsaved, &[(SAVE, "the loaded position differs")]),
    (Fault::Unread, &[(SAVE, "another digest")]),
    (Fault::Moody, &[(SAVE, "the game goes another way")]),
    (Fault::InvalidResult, &[(SAVE, "refused: [TOO_HIGH]"), (LEGAL, "the state is invalid")]),
    (Fault::ListsFarOut, &[(LEGAL, "is listed and refused")]),
    (Fault::ListsTooMuch, &[(LEGAL, "is listed and refused"), (UNLISTED, "is listed and was refused")]),
    (Fault::Stuck, &[(LEGAL, "somebody must act and cannot")]),
    (Fault::ListsTooLittle, &[(UNLISTED, "is not listed and was accepted")]),
    (Fault::KeepsAnswer, &[(ANSWERS, "the state still holds the answer")]),
    (Fault::Blind(Viewer::All), &[(VIEWS, "All sees nothing at all")]),
    (Fault::Blind(Viewer::Spectator), &[(VIEWS, "Spectator sees nothing at all")]),
    (Fault::Blind(Viewer::Seat(0)), &[(VIEWS, "Seat(0) sees nothing at all")]),
    (Fault::Blind(Viewer::Seat(1)), &[(VIEWS, "Seat(1) sees nothing at all")]),
    (
        Fault::SilentWrite,
        &[
            (LOG, "state.tally: expected 2, found 1"),
            (FILES, "[FOLD_DIFFERS]"),
            (TAMPERING, "was blamed"),
            (UNDO, "restored something else"),
            (BRANCHES, "the old future has changed"),
            (VISITS, "shows another state"),
        ],
    ),
    (
        Fault::AmbientDice,
        &[
            (LOG, "the fold ends elsewhere"),
            (RERUN, "event 0 is"),
            (THREADS, "event 0 is"),
            (SAVE, "the game goes another way"),
            (FILES, "[OTHER_EVENTS]"),
            (TAMPERING, "was blamed"),
        ],
    ),
    (
        // Debug builds compare every short way with the long one, where they are asked to.
        Fault::WrongShortCut,
        &[
            (LOG, "panicked: 2: express gives"),
            (RECORDERS, "panicked: 2: express gives"),
            (SAVE, "the game goes another way"),
            (FILES, "[OTHER_EVENTS]"),
            (TAMPERING, "was blamed"),
            (CLONES, "the copy went another way"),
        ],
    ),
];

const FLAWS: &[(Flaw, Objections)] = &[
    (Flaw::None, &[]),
    (Flaw::WaitsAtRest, &[(LOG, "effects wait although nothing is asked")]),
    (Flaw::WitnessesTwice, &[(LOG, "a fact was not witnessed")]),
    (Flaw::RecordsMore, &[(LOG, "after event")]),
    (Flaw::StopsShort, &[(LOG, "the fold ends elsewhere")]),
    (Flaw::RerunsAnother, &[(RERUN, "event 0 is")]),
    (Flaw::RerunsShort, &[(RERUN, "one log is longer")]),
    (Flaw::RerunsElsewhere, &[(RERUN, "the same log, but another position")]),
    (Flaw::ThreadRerunsShort, &[(THREADS, "one log is longer")]),
    (Flaw::ThreadPanics, &[(THREADS, "panicked")]),
    (
        Flaw::OffGoesElsewhere,
        &[
            (RECORDERS, "the recorders disagree"),
            (SAVE, "the game goes another way"),
            (CLONES, "the copy went another way"),
        ],
    ),
    (Flaw::LogGoesElsewhere, &[(RECORDERS, "the recorders disagree")]),
    (Flaw::TraceGoesElsewhere, &[(RECORDERS, "the recorders disagree")]),
    (Flaw::TraceRecordsMore, &[(RECORDERS, "the log of the short way is another")]),
    (Flaw::CannotSave, &[(SAVE, "cannot be saved: planted")]),
    (Flaw::CannotLoad, &[(SAVE, "cannot be loaded after input 0: planted")]),
    (Flaw::RefusesSteps, &[(FILES, "planted")]),
    (Flaw::CannotRead, &[(FILES, "planted")]),
    (Flaw::ReadsShort, &[(FILES, "one log is longer")]),
    (Flaw::ReadsBranches, &[(FILES, "other branches came back")]),
    (Flaw::ReadsDetours, &[(FILES, "written again, the file differs")]),
    (Flaw::VerifiesAll, &[(TAMPERING, "was changed and nobody noticed")]),
    (Flaw::BlamesNext, &[(TAMPERING, "was blamed")]),
    (Flaw::UndoGivesUp, &[(UNDO, "undo gave up before the start")]),
    (Flaw::UndoGoesTooFar, &[(UNDO, "restored something else")]),
    (Flaw::UndoPassesStart, &[(UNDO, "undo went past the start")]),
    (Flaw::RedoGivesUp, &[(UNDO, "redo gave up")]),
    (Flaw::RedoStays, &[(UNDO, "redo to moment 2 gave something else")]),
    (Flaw::RedoPassesEnd, &[(UNDO, "redo went past the end")]),
    (Flaw::OneBranch, &[(BRANCHES, "no branch was started")]),
    (Flaw::CannotJump, &[(BRANCHES, "planted")]),
    (Flaw::JumpsShort, &[(BRANCHES, "the old future has changed")]),
    (Flaw::JumpForgets, &[(BRANCHES, "the old log has changed")]),
    (Flaw::CannotVisit, &[(VISITS, "planted")]),
    (Flaw::VisitsAnother, &[(VISITS, "event 0 shows another state")]),
    (Flaw::VisitsBeyond, &[(VISITS, "an event after the last was shown")]),
    (Flaw::RefusalRecordsTwice, &[(UNLISTED, "a refusal logged")]),
    (Flaw::RefusalWrites, &[(UNLISTED, "a refusal changed the position")]),
    (Flaw::RefusalForgetsQuestion, &[(UNLISTED, "a refusal changed the position")]),
    (Flaw::RefusalBendsWaiting, &[(UNLISTED, "a refusal changed the position")]),
    (Flaw::RefusalUncounted, &[(UNLISTED, "a refusal changed the position")]),
    (Flaw::CopyShares, &[(CLONES, "the original has changed")]),
    (Flaw::CopyIsAnother, &[(CLONES, "the copy went another way")]),
    (Flaw::CopyStays, &[(CLONES, "clone_from gives something else than clone")]),
    (Flaw::CausesItself, &[(CAUSES, "event 3 is caused by event 3")]),
    (Flaw::WithholdsLog, &[(VIEWS, "the referee's log is not whole")]),
    (Flaw::SpectatorSeesMore, &[(VIEWS, "a spectator sees more than all")]),
    (Flaw::Unexplained, &[(VIEWS, "explained")]),
];

fn script(game: &Arc<Counter>, seed: u16) -> Script<Counter> {
    let picks = (0..30).map(|i| i * 7 + seed * 3).collect();
    Script::new(Arc::clone(game), (), u64::from(seed), picks)
}

/// What one oracle says of a fault, asked in a thread of its own: faults may remember things there.
fn word<K: Kernel<Counter>>(
    fault: Fault,
    kernel: impl Fn() -> K + Sync,
    oracle: Oracle<Counter, K>,
) -> Option<String> {
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let (game, kernel, plan) = (Arc::new(Counter::new(fault)), kernel(), Plan::default());
            (0..6).find_map(|seed| {
                let script = script(&game, seed);
                let played = script.play().expect("counters start");
                ask(oracle, &Trial { script: &script, played: &played, plan, kernel: &kernel }).err()
            })
        });
        asked.join().expect("panics are words")
    })
}

/// Who objects to a fault and a flaw.
fn objections(fault: Fault, flaw: Flaw) -> Vec<(&'static str, String)> {
    let asked = oracles::all::<Counter, Flawed>().into_iter();
    asked.filter_map(|(name, oracle)| Some((name, word(fault, || Flawed::new(flaw), oracle)?))).collect()
}

fn compare(planted: &str, found: &[(&str, String)], expected: Objections) -> Result<(), String> {
    let names = |list: &[(&str, String)]| list.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    let told =
        |(name, words): (&(&str, String), &(&str, &str))| name.0 == words.0 && name.1.contains(words.1);
    if found.len() == expected.len() && found.iter().zip(expected).all(told) {
        return Ok(());
    }
    Err(format!("{planted}: {:?} object: {found:#?}", names(found)))
}

#[test]
fn every_planted_fault_is_noticed_by_exactly_these_oracles() {
    let faults = FAULTS
        .iter()
        .map(|(fault, expected)| compare(&format!("{fault:?}"), &objections(*fault, Flaw::None), expected));
    let flaws = FLAWS
        .iter()
        .map(|(flaw, expected)| compare(&format!("{flaw:?}"), &objections(Fault::None, *flaw), expected));
    let wrong: Vec<String> = faults.chain(flaws).filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_oracle_stands_alone_somewhere() {
    let rows = || FAULTS.iter().map(|row| row.1).chain(FLAWS.iter().map(|row| row.1));
    for (name, _) in oracles::all::<Counter, Flawed>() {
        assert!(rows().any(|row| row.len() == 1 && row[0].0 == name), "{name} never stands alone");
    }
}

#[test]
fn all_oracles_are_asked_in_turn_and_named() {
    let asked = |fault| ask_all(&script(&Arc::new(Counter::new(fault)), 0), Plan::default());
    assert_eq!(asked(Fault::None), Ok(()));
    let told = asked(Fault::Blind(Viewer::All)).expect_err("the last oracle is asked too");
    assert!(told.starts_with(VIEWS), "{told}");
}
