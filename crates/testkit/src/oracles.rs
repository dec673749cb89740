//! The promises, one oracle each. An oracle says what it saw instead of what was promised.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{
    Fact, Game, Input, InputOf, Keeper, LiveOf, Log, Match, Off, Origin, Position, Recorder, Rejection,
    Resolver, Seen, Told, Trace, Viewer, code, fold,
};

use crate::kernel::{Kernel, Sound};
use crate::mutate::mutate;
use crate::{Plan, Script, Scripted, match_file};

/// What an oracle says: nothing, or what is wrong.
pub type Word = Result<(), String>;
/// An oracle: asked of a trial.
pub type Oracle<G, K = Sound> = fn(&Trial<'_, G, K>) -> Word;

/// A script, what it gave when it was played, and the kernel that answers the oracles.
pub struct Trial<'a, G: Game, K: Kernel<G> = Sound> {
    /// What was to be played.
    pub script: &'a Script<G>,
    /// What was played.
    pub played: &'a Scripted<G>,
    /// How much to prove.
    pub plan: Plan,
    /// Who answers.
    pub kernel: &'a K,
}

/// Every oracle, by name.
pub fn all<G: Seen + Told, K: Kernel<G>>() -> Vec<(&'static str, Oracle<G, K>)> {
    vec![
        ("the log is the state", log_is_the_state),
        ("rerun gives the same log", rerun_gives_the_same_log),
        ("threads agree", threads_agree),
        ("recorders agree", recorders_agree),
        ("save anywhere", save_anywhere),
        ("match files come back", match_files_come_back),
        ("tampering is noticed", tampering_is_noticed),
        ("undo restores, redo returns", undo_restores),
        ("branches keep the old future", branches_keep_the_old_future),
        ("every event can be visited", every_event_can_be_visited),
        ("legal is accepted", legal_is_accepted),
        ("what is not listed is refused", unlisted_is_refused),
        ("clones are independent", clones_are_independent),
        ("causes come before", causes_come_before),
        ("answers are used up", answers_are_used_up),
        ("views and explanations hold", views_hold),
    ]
}

fn demand(holds: bool, text: impl FnOnce() -> String) -> Word {
    if holds { Ok(()) } else { Err(text()) }
}

/// A recorder that also keeps the live state after every fact.
struct Witness<G: Game> {
    log: Log<G>,
    lives: Vec<LiveOf<G>>,
}

impl<G: Game> Recorder<G> for Witness<G> {
    const LOG: bool = true;
    const TRACE: bool = false;
    fn entry(&mut self, entry: turnstone::EntryOf<G>) {
        self.log.entry(entry);
    }
    fn note(&mut self, note: turnstone::NoteOf<G>) {
        self.log.note(note);
    }
    fn detour(&mut self, _detour: turnstone::DetourOf<G>) {}
    fn witness(&mut self, live: &LiveOf<G>) {
        self.lives.push(live.clone());
    }
    fn mark(&self) -> turnstone::Mark {
        Recorder::<G>::mark(&self.log)
    }
    fn rollback(&mut self, mark: turnstone::Mark) {
        self.lives.truncate(mark.entries);
        self.log.rollback(mark);
    }
}

/// Promise 1: folding the events gives the live state after every event.
pub fn log_is_the_state<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let mut witness = Witness::<G> { log: Log::default(), lives: Vec::new() };
    let mut position = Position::<G>::new(played.first().state.clone());
    let mut resolver = Resolver::thorough();
    for input in &played.inputs {
        let _ = kernel.try_act(&mut resolver, &script.game, &mut position, input, &mut witness);
        let quiet = position.pending().is_some() || position.waiting().next().is_none();
        demand(quiet, || "effects wait although nothing is asked".to_owned())?;
    }
    let mut folded = played.first().clone();
    demand(witness.lives.len() == witness.log.entries().len(), || "a fact was not witnessed".to_owned())?;
    for (entry, live) in witness.log.entries().iter().zip(&witness.lives) {
        fold(&*script.game, &mut folded, &entry.fact);
        demand(folded == *live, || {
            let value = |live: &LiveOf<G>| serde_json::to_value(live).unwrap_or_default();
            let differences = turnstone::diff::differences(&value(live), &value(&folded), 4);
            let listed: Vec<String> = differences.iter().map(ToString::to_string).collect();
            format!("after event {} ({:?}): {}", live.serial - 1, entry.fact, listed.join("; "))
        })?;
    }
    demand(folded == *played.last().live(), || "the fold ends elsewhere".to_owned())
}

/// Promise 2: the same inputs give the same log.
pub fn rerun_gives_the_same_log<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let again = kernel.rerun(script, &played.inputs).map_err(|refusal| refusal.to_string())?;
    same_log(*kernel, &again, &played.game)
}

fn same_log<G: Game, K: Kernel<G>>(kernel: &K, one: &Match<G>, other: &Match<G>) -> Word {
    let (log, again) = (kernel.log(one), kernel.log(other));
    for (serial, (a, b)) in log.iter().zip(&again).enumerate() {
        demand(a == b, || format!("event {serial} is {a:?} once and {b:?} the other time"))?;
    }
    demand(log.len() == again.len(), || "one log is longer".to_owned())?;
    demand(one.position() == other.position(), || "the same log, but another position".to_owned())
}

/// Promise 2, with other threads running.
pub fn threads_agree<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let again = || kernel.rerun(script, &played.inputs).map_err(|refusal| refusal.to_string());
    let games: Vec<Result<Match<G>, String>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..2).map(|_| scope.spawn(again)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|_| Err("panicked".to_owned())))
            .collect()
    });
    for game in games {
        same_log(*kernel, &game?, &played.game)?;
    }
    Ok(())
}

/// Recorder off, log and trace, checked and unchecked: the same states, and the same log. What is traced goes
/// the long way, the others the game's short one.
pub fn recorders_agree<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let start = || Position::<G>::new(played.first().state.clone());
    let (mut off, mut log, mut trace, mut bare) = (start(), start(), start(), start());
    let mut resolver = Resolver::thorough();
    let (mut keep, mut keep_trace) = (Log::default(), Trace::default());
    let game = &*script.game;
    for (i, input) in played.inputs.iter().enumerate() {
        let accepted = kernel.try_act(&mut resolver, game, &mut off, input, &mut Off).is_ok();
        let _ = kernel.try_act(&mut resolver, game, &mut log, input, &mut keep);
        let _ = kernel.try_act(&mut resolver, game, &mut trace, input, &mut keep_trace);
        if accepted {
            let _ = resolver.act_unchecked(game, &mut bare, input, &mut Off);
        } else {
            bare = off.clone();
        }
        let agree = off == log && log == trace && trace == bare;
        demand(agree, || format!("after input {i} ({input:?}) the recorders disagree"))?;
    }
    demand(keep.entries() == keep_trace.entries(), || "the log of the short way is another".to_owned())
}

/// Promise 3: at every moment, pauses included, a saved and loaded position goes on identically.
pub fn save_anywhere<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, plan, kernel } = trial;
    let mut resolver = Resolver::default();
    for at in played.probes(plan.probes) {
        let position = &played.positions[at];
        let text = kernel.save(position).map_err(|error| format!("cannot be saved: {error}"))?;
        let loaded =
            kernel.load(&text).map_err(|error| format!("cannot be loaded after input {at}: {error}"))?;
        let mut loaded =
            loaded.admit(&script.game).map_err(|refusal| format!("input {at}: refused: {refusal}"))?;
        demand(loaded == *position, || format!("after input {at} the loaded position differs"))?;
        demand(loaded.live().digest() == position.live().digest(), || "another digest".to_owned())?;
        for (i, input) in played.inputs.iter().enumerate().skip(at) {
            let _ = kernel.try_act(&mut resolver, &script.game, &mut loaded, input, &mut Off);
            demand(loaded == played.positions[i + 1], || {
                format!("saved after input {at}, the game goes another way at input {i} ({input:?})")
            })?;
        }
    }
    Ok(())
}

/// Promise 3 for match files: read, they stand where the match stood, with the whole timeline.
pub fn match_files_come_back<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let mut game = played.game.clone();
    game.undo();
    game.undo();
    if let Some(input) = game.inputs().pop() {
        let _ = game.act(input);
    }
    let text = match_file(script, &game);
    kernel.verify(&script.game, &text).map_err(|divergence| divergence.to_string())?;
    let read = kernel.read(&script.game, &text).map_err(|divergence| divergence.to_string())?;
    same_log(*kernel, &read, &game)?;
    demand(kernel.branches(&read) == kernel.branches(&game), || "other branches came back".to_owned())?;
    demand(match_file(script, &read) == text, || "written again, the file differs".to_owned())
}

/// A changed match file is refused at the line that was changed, or right after it.
pub fn tampering_is_noticed<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let text = match_file(script, &played.game);
    let mut lots = Lots::new(script.seed, Stream::named("tampering"));
    let lines: Vec<&str> = text.lines().collect();
    for _ in 0..3 {
        let at = lots.below(lines.len() as u64) as usize;
        let mut bytes = lines[at].as_bytes().to_vec();
        let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
        let Some(&spot) = lots.pick(&digits) else { continue };
        bytes[spot] = b'0' + (bytes[spot] - b'0' + 1) % 10;
        let mut forged = lines.clone();
        let line = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        forged[at] = &line;
        match kernel.verify(&script.game, &(forged.join("\n") + "\n")) {
            Ok(()) => return Err(format!("line {} was changed and nobody noticed", at + 1)),
            Err(divergence) => demand(divergence.line == at + 1, || {
                format!("line {} was changed, line {} was blamed", at + 1, divergence.line)
            })?,
        }
    }
    Ok(())
}

/// Promise 4: undo to the start restores every state, redo returns through the same ones.
pub fn undo_restores<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { played, kernel, .. } = trial;
    let mut game = played.game.clone();
    let line = game.line();
    for &moment in line.iter().rev().skip(1) {
        demand(kernel.undo(&mut game), || "undo gave up before the start".to_owned())?;
        let expected = &played.positions[moment as usize];
        demand(game.position() == expected, || format!("undo to moment {moment} restored something else"))?;
    }
    demand(!kernel.undo(&mut game), || "undo went past the start".to_owned())?;
    for &moment in line.iter().skip(1) {
        demand(kernel.redo(&mut game), || "redo gave up".to_owned())?;
        let expected = &played.positions[moment as usize];
        demand(game.position() == expected, || format!("redo to moment {moment} gave something else"))?;
    }
    demand(!kernel.redo(&mut game), || "redo went past the end".to_owned())
}

/// Promise 4: acting after an undo starts a branch; the old future stays and can be reached.
pub fn branches_keep_the_old_future<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let mut game = played.game.clone();
    let (tip, branches) = (game.here(), kernel.branches(&game).len());
    let log_before = kernel.log(&game);
    let back = 1 + script.seed as usize % 5;
    for _ in 0..back {
        game.undo();
    }
    let here = game.here();
    if here == tip {
        return Ok(());
    }
    let inputs = game.inputs();
    let other = inputs.into_iter().rev().find(|input| Some(input) != game.input(here + 1));
    let Some(other) = other else { return Ok(()) };
    // What is listed may still run out of its budget; then there is no branch to look at.
    if game.act(other).is_err() {
        return Ok(());
    }
    demand(kernel.branches(&game).len() == branches + 1, || "no branch was started".to_owned())?;
    kernel.jump(&mut game, tip).map_err(|refusal| refusal.to_string())?;
    demand(game.position() == played.last(), || "the old future has changed".to_owned())?;
    demand(kernel.log(&game) == log_before, || "the old log has changed".to_owned())
}

/// Promise 3: a jump to an event inside an action shows it.
pub fn every_event_can_be_visited<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, plan, kernel } = trial;
    let total = played.last().live().serial;
    let stride = (total / plan.probes.max(1) as u32).max(1) as usize;
    let mut folded = played.first().clone();
    for (serial, entry) in played.game.log().enumerate() {
        fold(&*script.game, &mut folded, &entry.fact);
        if serial % stride == 0 {
            let live = kernel.live_at(&played.game, serial as u32).map_err(|refusal| refusal.to_string())?;
            demand(live == folded, || format!("event {serial} shows another state"))?;
        }
    }
    demand(kernel.live_at(&played.game, total).is_err(), || "an event after the last was shown".to_owned())
}

/// Promise 6, one way: everything listed is accepted.
pub fn legal_is_accepted<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, plan, kernel } = trial;
    let game = &*script.game;
    let mut resolver = Resolver::default();
    for at in played.probes(plan.probes) {
        let position = &played.positions[at];
        let inputs = position.inputs(game);
        let running = position.pending().is_some() || game.actor(position.state()).is_some();
        demand(!running || !inputs.is_empty(), || format!("after input {at} somebody must act and cannot"))?;
        for input in &inputs {
            let mut trial = position.clone();
            if let Err(refusal) = kernel.act(&mut resolver, game, &mut trial, input, &mut Off) {
                demand(is_of_budget(&refusal), || {
                    format!("after input {at}, {input:?} is listed and refused: {refusal}")
                })?;
            } else if trial.pending().is_none() {
                game.validate(trial.state())
                    .map_err(|refusal| format!("after {input:?} the state is invalid: {refusal}"))?;
            }
        }
    }
    Ok(())
}

/// What would not end is refused although it is listed.
fn is_of_budget(refusal: &Rejection) -> bool {
    [code::EFFECT_BUDGET, code::REPLACEMENT_BUDGET].contains(&refusal.code())
}

/// Promises 5 and 6, the other way: what is not listed is refused, with one fact and no other change.
pub fn unlisted_is_refused<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, plan, kernel } = trial;
    let game = &*script.game;
    let mut lots = Lots::new(script.seed, Stream::named("mutants"));
    for at in played.probes(plan.probes) {
        let position = &played.positions[at];
        let listed = position.inputs(game);
        let mut candidates: Vec<InputOf<G>> =
            (0..8).filter_map(|_| lots.pick(&played.inputs).cloned()).collect();
        let mutants = candidates.iter().chain(&listed).filter_map(|input| mutate(input, &mut lots));
        let mutants: Vec<_> = mutants.take(16).collect();
        candidates.extend(mutants);
        for input in candidates {
            judge_candidate(*kernel, game, position, &listed, &input)
                .map_err(|text| format!("after input {at}: {text}"))?;
        }
    }
    Ok(())
}

fn judge_candidate<G: Game, K: Kernel<G>>(
    kernel: &K,
    game: &G,
    position: &Position<G>,
    listed: &[InputOf<G>],
    input: &InputOf<G>,
) -> Word {
    let representative = match (input, position.pending()) {
        (Input::Act(action), None) if game.check(position.state(), action).is_ok() => {
            match game.canonical(position.state(), action) {
                Some(action) => Input::Act(action),
                None => return Ok(()), // an operator's action: never listed
            }
        }
        _ => input.clone(),
    };
    let mut trial = position.clone();
    let mut log = Log::default();
    let result = kernel.act(&mut Resolver::default(), game, &mut trial, input, &mut log);
    let is_listed = listed.contains(&representative);
    match result {
        Ok(()) => demand(is_listed, || format!("{input:?} is not listed and was accepted")),
        Err(refusal) => {
            let late = matches!(input, Input::Act(action) if game.check(position.state(), action).is_ok());
            demand(!is_listed || late || is_of_budget(&refusal), || {
                format!("{input:?} is listed and was refused: {refusal}")
            })?;
            unchanged(position, &trial, &log)
        }
    }
}

/// A refusal leaves one fact and changes nothing else.
fn unchanged<G: Game>(before: &Position<G>, after: &Position<G>, log: &Log<G>) -> Word {
    let one = matches!(log.entries(), [entry] if matches!(entry.fact, Fact::ActionRejected { .. }));
    demand(one, || format!("a refusal logged {:?}", log.entries()))?;
    let same = before.state() == after.state() && before.pending() == after.pending();
    let waiting = before.waiting().eq(after.waiting());
    let counted = after.live().serial == before.live().serial + 1;
    demand(same && waiting && counted, || "a refusal changed the position".to_owned())
}

/// Playing on in a copy does not disturb the original.
pub fn clones_are_independent<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, kernel, .. } = trial;
    let middle = played.positions.len() / 2;
    let original = played.positions[middle].clone();
    let digest = original.live().digest();
    let mut copy = kernel.copy(&original);
    let mut resolver = Resolver::default();
    for input in &played.inputs[middle..] {
        let _ = kernel.try_act(&mut resolver, &script.game, &mut copy, input, &mut Off);
    }
    demand(original.live().digest() == digest, || "the original has changed".to_owned())?;
    demand(copy == *played.last(), || "the copy went another way".to_owned())?;
    kernel.copy_into(&mut copy, &original);
    demand(copy == original, || "clone_from gives something else than clone".to_owned())
}

/// Promise 10: every fact's cause is the action or an earlier fact.
pub fn causes_come_before<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { played, kernel, .. } = trial;
    for (serial, entry) in kernel.log(&played.game).iter().enumerate() {
        if let Origin::Event(cause) = entry.cause.after {
            demand((cause as usize) < serial, || format!("event {serial} is caused by event {cause}"))?;
        }
    }
    Ok(())
}

/// An answer is for the question that it was given to: once nothing is asked any more the state holds it no longer, or
/// the next question of its kind would be answered by it and never put.
pub fn answers_are_used_up<G: Game, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, .. } = trial;
    let game = &*script.game;
    for (i, input) in played.inputs.iter().enumerate() {
        let (before, after) = (&played.positions[i], &played.positions[i + 1]);
        let (Input::Choose(given), Some(pending), None) = (input, before.pending(), after.pending()) else {
            continue;
        };
        let writes = |state: &G::State, answer: &G::Answer| {
            let mut written = state.clone();
            game.apply_answer(&mut written, &pending.question, answer);
            written != *state
        };
        let mut offered = Vec::new();
        game.answers(before.state(), &pending.question, &mut offered);
        // Where no answer can be written any more, none is held either.
        let mut others = offered.iter().filter(|other| *other != given);
        let holds = writes(before.state(), given)
            && !writes(after.state(), given)
            && others.any(|other| writes(after.state(), other));
        demand(!holds, || {
            let asked = &pending.question;
            format!("after input {i} the state still holds the answer {given:?} to {asked:?}")
        })?;
    }
    Ok(())
}

/// Views can be made for everybody, the whole log is open to the referee, and every fact is explained.
pub fn views_hold<G: Seen + Told, K: Kernel<G>>(trial: &Trial<'_, G, K>) -> Word {
    let Trial { script, played, plan, kernel } = trial;
    let game = &played.game;
    for at in played.probes(plan.probes.min(4)) {
        let state = played.positions[at].state();
        for viewer in [Viewer::All, Viewer::Spectator, Viewer::Seat(0), Viewer::Seat(1)] {
            let view = script.game.view(state, viewer);
            demand(!view.is_null(), || format!("{viewer:?} sees nothing at all"))?;
        }
    }
    let all: Vec<_> = kernel.log_for(game, Viewer::All);
    demand(all.iter().eq(game.log().map(|entry| &entry.fact)), || {
        "the referee's log is not whole".to_owned()
    })?;
    demand(kernel.log_for(game, Viewer::Spectator).len() <= all.len(), || {
        "a spectator sees more than all".to_owned()
    })?;
    for moment in game.line().into_iter().skip(1) {
        let explained =
            kernel.explain(game, moment).lines.iter().filter(|line| line.serial.is_some()).count();
        let facts = game.entries(moment).len();
        demand(explained == facts, || format!("moment {moment}: {facts} facts, {explained} explained"))?;
    }
    Ok(())
}
