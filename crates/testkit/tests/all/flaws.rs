//! A kernel with flaws that can be planted: one of its answers is wrong.

use std::any::type_name;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use serde_json::{Value, json};
use turnstone::file::{self, Divergence};
use turnstone::{
    Branch, Cause, Entry, EntryOf, Explanation, Fact, FactOf, Input, InputOf, LiveOf, Match, Moment, Origin,
    Position, Recorder, Rejection, Resolver, Viewer, code,
};
use turnstone_testkit::Script;
use turnstone_testkit::kernel::Kernel;

use crate::counter::{Counted, Counter, State};

/// What is wrong with the kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flaw {
    None,
    /// Effects wait although nothing is asked.
    WaitsAtRest,
    /// One fact too many is witnessed.
    WitnessesTwice,
    /// A fact is recorded that did not happen.
    RecordsMore,
    /// The last input is lost under the eyes of a witness.
    StopsShort,
    /// Played again, the first input is another one.
    RerunsAnother,
    /// Played again, the last input is missing.
    RerunsShort,
    /// Played again, the start is another one that looks the same.
    RerunsElsewhere,
    /// The same in another thread.
    ThreadRerunsShort,
    /// Panics in another thread.
    ThreadPanics,
    /// With the recorder off another position is reached.
    OffGoesElsewhere,
    /// With a log.
    LogGoesElsewhere,
    /// With a trace.
    TraceGoesElsewhere,
    /// A trace has more facts than a log.
    TraceRecordsMore,
    CannotSave,
    CannotLoad,
    /// Files with steps back in them are refused.
    RefusesSteps,
    CannotRead,
    /// A match that was read stands one input before its end.
    ReadsShort,
    /// A match that was read has one branch more.
    ReadsBranches,
    /// A match that was read has gone there and back.
    ReadsDetours,
    /// Every file is good.
    VerifiesAll,
    /// Damage is found one line too late.
    BlamesNext,
    UndoGivesUp,
    UndoGoesTooFar,
    UndoPassesStart,
    RedoGivesUp,
    RedoStays,
    RedoPassesEnd,
    /// There is never more than one branch.
    OneBranch,
    CannotJump,
    /// A jump ends one input before its end.
    JumpsShort,
    /// A jump loses the log.
    JumpForgets,
    CannotVisit,
    VisitsAnother,
    VisitsBeyond,
    /// A refusal leaves two facts.
    RefusalRecordsTwice,
    RefusalWrites,
    RefusalForgetsQuestion,
    RefusalBendsWaiting,
    RefusalUncounted,
    /// A copy shares something with its original.
    CopyShares,
    CopyIsAnother,
    /// Copying into another position does nothing.
    CopyStays,
    /// A fact is its own cause.
    CausesItself,
    /// The referee's log lacks the last fact.
    WithholdsLog,
    SpectatorSeesMore,
    Unexplained,
}

pub struct Flawed {
    pub flaw: Flaw,
    home: ThreadId,
}

type At = Position<Counter>;

impl Flawed {
    pub fn new(flaw: Flaw) -> Self {
        Flawed { flaw, home: thread::current().id() }
    }

    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn at_home(&self) -> bool {
        thread::current().id() == self.home
    }

    fn act_otherwise<R: Recorder<Counter>>(&self, position: &mut At, recorder: &mut R) {
        let recorded = |name: &str| type_name::<R>().contains(name);
        match self.flaw {
            Flaw::WaitsAtRest if position.pending().is_some() && recorded("Witness") => {
                *position = bent(position, |value| value["live"]["pending"] = Value::Null);
            }
            Flaw::WitnessesTwice => recorder.witness(position.live()),
            Flaw::RecordsMore => {
                recorder.entry(planted());
                recorder.witness(position.live());
            }
            Flaw::OffGoesElsewhere if recorded("::Off") => *position = elsewhere(position),
            Flaw::LogGoesElsewhere if recorded("::Log<") => *position = elsewhere(position),
            Flaw::TraceGoesElsewhere if recorded("::Trace<") => *position = elsewhere(position),
            Flaw::TraceRecordsMore if recorded("::Trace<") => recorder.entry(planted()),
            _ => {}
        }
    }

    fn refuse_otherwise<R: Recorder<Counter>>(&self, position: &mut At, recorder: &mut R) {
        match self.flaw {
            Flaw::RefusalRecordsTwice => recorder.entry(planted()),
            Flaw::RefusalWrites => *position = elsewhere(position),
            Flaw::RefusalForgetsQuestion => {
                *position = bent(position, |value| value["live"]["pending"] = Value::Null);
            }
            Flaw::RefusalBendsWaiting if position.pending().is_some() => {
                *position = bent(position, |value| value["pause"]["held"]["effect"] = json!(99));
            }
            Flaw::RefusalUncounted => {
                *position = bent(position, |value| {
                    let serial = value["live"]["serial"].as_u64().unwrap_or(0);
                    value["live"]["serial"] = json!(serial - 1);
                });
            }
            _ => {}
        }
    }
}

/// A fact that did not happen.
fn planted() -> EntryOf<Counter> {
    Entry { fact: Fact::Event(Counted { by: 1, rolls: 0 }), cause: Cause { after: Origin::Action, by: None } }
}

/// A position that differs in nothing that any rule asks for.
fn elsewhere(position: &At) -> At {
    let unsaved = position.state().unsaved + 1;
    position.with_state(State { unsaved, ..position.state().clone() })
}

fn bent(position: &At, bend: impl FnOnce(&mut Value)) -> At {
    let mut value = serde_json::to_value(position).expect("positions can be written");
    bend(&mut value);
    serde_json::from_value(value).expect("it is still a position")
}

fn refusal() -> Rejection {
    Rejection::new(code::NO_SUCH_MOMENT, "planted")
}

fn divergence(line: usize) -> Divergence {
    Divergence {
        line,
        event: None,
        code: "PLANTED".to_owned(),
        text: "planted".to_owned(),
        fields: Vec::new(),
    }
}

impl Kernel<Counter> for Flawed {
    fn try_act<R: Recorder<Counter>>(
        &self,
        resolver: &mut Resolver<Counter>,
        game: &Counter,
        position: &mut At,
        input: &InputOf<Counter>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        let late = position.state().total > 20;
        if self.is(Flaw::StopsShort) && late && type_name::<R>().contains("Witness") {
            return Err(refusal());
        }
        resolver.try_act(game, position, input, recorder)?;
        self.act_otherwise(position, recorder);
        Ok(())
    }

    fn act<R: Recorder<Counter>>(
        &self,
        resolver: &mut Resolver<Counter>,
        game: &Counter,
        position: &mut At,
        input: &InputOf<Counter>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        let result = resolver.act(game, position, input, recorder);
        if result.is_err() {
            self.refuse_otherwise(position, recorder);
        }
        result
    }

    fn rerun(
        &self,
        script: &Script<Counter>,
        inputs: &[InputOf<Counter>],
    ) -> Result<Match<Counter>, Rejection> {
        let mut game = script.start()?;
        let mut inputs = inputs.to_vec();
        match self.flaw {
            Flaw::RerunsAnother if self.at_home() => {
                let first = if inputs[0] == Input::Act(1) { 4 } else { 1 };
                inputs[0] = Input::Act(first);
            }
            Flaw::RerunsShort if self.at_home() => _ = inputs.pop(),
            Flaw::ThreadRerunsShort if !self.at_home() => _ = inputs.pop(),
            Flaw::ThreadPanics if !self.at_home() => panic!("planted"),
            Flaw::RerunsElsewhere if self.at_home() => {
                let start = elsewhere(game.position());
                game = Match::from_position(Arc::clone(&script.game), (), script.seed, start)?;
            }
            _ => {}
        }
        for input in inputs {
            let _ = game.act(input);
        }
        Ok(game)
    }

    fn save(&self, position: &At) -> Result<String, String> {
        if self.is(Flaw::CannotSave) {
            return Err("planted".to_owned());
        }
        serde_json::to_string(position).map_err(|error| error.to_string())
    }

    fn load(&self, text: &str) -> Result<At, String> {
        if self.is(Flaw::CannotLoad) {
            return Err("planted".to_owned());
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn copy(&self, position: &At) -> At {
        let state = position.state();
        match self.flaw {
            Flaw::CopyShares => position.with_state(State { tally: state.tally.shared(), ..state.clone() }),
            Flaw::CopyIsAnother => elsewhere(position),
            _ => position.clone(),
        }
    }

    fn copy_into(&self, to: &mut At, from: &At) {
        if !self.is(Flaw::CopyStays) {
            to.clone_from(from);
        }
    }

    fn verify(&self, game: &Arc<Counter>, text: &str) -> Result<(), Divergence> {
        match self.flaw {
            Flaw::VerifiesAll => Ok(()),
            Flaw::RefusesSteps if text.contains("{\"go\"") => Err(divergence(1)),
            Flaw::BlamesNext => file::verify(game, text)
                .map(|_| ())
                .map_err(|found| Divergence { line: found.line + 1, ..found }),
            _ => file::verify(game, text).map(|_| ()),
        }
    }

    fn read(&self, game: &Arc<Counter>, text: &str) -> Result<Match<Counter>, Divergence> {
        let mut read: Match<Counter> = file::read(game, text)?;
        let here = read.here();
        match self.flaw {
            Flaw::CannotRead => return Err(divergence(1)),
            Flaw::ReadsShort => _ = read.undo(),
            Flaw::ReadsBranches => {
                read.undo();
                let first = read.inputs().swap_remove(0);
                let _ = read.act(first);
                let _ = read.jump(here);
            }
            Flaw::ReadsDetours => {
                let _ = read.jump(0);
                let _ = read.jump(here);
            }
            _ => {}
        }
        Ok(read)
    }

    fn undo(&self, game: &mut Match<Counter>) -> bool {
        match (self.flaw, game.here()) {
            (Flaw::UndoGivesUp, 1) => false,
            (Flaw::UndoPassesStart, 0) => true,
            (Flaw::UndoGoesTooFar, 3) => game.undo() && game.undo(),
            _ => game.undo(),
        }
    }

    fn redo(&self, game: &mut Match<Counter>) -> bool {
        match (self.flaw, game.ahead()) {
            (Flaw::RedoGivesUp, Some(2)) => false,
            (Flaw::RedoStays, Some(2)) => true,
            (Flaw::RedoPassesEnd, None) => true,
            _ => game.redo(),
        }
    }

    fn jump(&self, game: &mut Match<Counter>, moment: Moment) -> Result<(), Rejection> {
        if self.is(Flaw::CannotJump) {
            return Err(refusal());
        }
        game.jump(moment)?;
        match self.flaw {
            Flaw::JumpsShort => _ = game.undo(),
            Flaw::JumpForgets => {
                let (rules, here) = (Arc::clone(game.game()), game.position().clone());
                *game = Match::from_position(rules, (), game.seed(), here)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn branches(&self, game: &Match<Counter>) -> Vec<Branch> {
        let mut branches = game.branches();
        if self.is(Flaw::OneBranch) {
            branches.truncate(1);
        }
        branches
    }

    fn live_at(&self, game: &Match<Counter>, serial: u32) -> Result<LiveOf<Counter>, Rejection> {
        let last = game.position().live().serial - 1;
        match self.flaw {
            Flaw::CannotVisit if serial == 0 => Err(refusal()),
            Flaw::VisitsAnother if serial == 0 => game.live_at(last),
            Flaw::VisitsBeyond => game.live_at(serial.min(last)),
            _ => game.live_at(serial),
        }
    }

    fn log(&self, game: &Match<Counter>) -> Vec<EntryOf<Counter>> {
        let mut log: Vec<_> = game.log().cloned().collect();
        if self.is(Flaw::CausesItself)
            && let Some(entry) = log.get_mut(3)
        {
            entry.cause.after = Origin::Event(3);
        }
        log
    }

    fn log_for(&self, game: &Match<Counter>, viewer: Viewer) -> Vec<FactOf<Counter>> {
        let mut log = game.log_for(viewer);
        match (self.flaw, viewer) {
            (Flaw::WithholdsLog, _) => _ = log.pop(),
            (Flaw::SpectatorSeesMore, Viewer::Spectator) => {
                log.resize_with(game.log().count() + 1, || planted().fact);
            }
            _ => {}
        }
        log
    }

    fn explain(&self, game: &Match<Counter>, moment: Moment) -> Explanation {
        let mut explained = game.explain(moment);
        if self.is(Flaw::Unexplained) && moment == 2 {
            explained.lines.pop();
        }
        explained
    }
}
