//! The one direction: an input is checked, opens with effects, and each effect goes through
//! expand, BEFORE, settle, apply, log, follow and AFTER, until nothing waits.

use crate::cause::{Cause, Item, Origin};
use crate::detour::{Detour, Fate};
use crate::express::Scrutiny;
use crate::fact::{Entry, EntryOf, Fact, FactOf, Input, InputOf, Pending};
use crate::flow::Flow;
use crate::game::{Expanded, Game, Limits, Settled, Verdict};
use crate::listeners::Listeners;
use crate::pen::Pen;
use crate::position::Position;
use crate::proposals::Withdrawal;
use crate::recorder::Recorder;
use crate::reject::{Rejection, code};
use crate::step::Step;

/// Runs inputs on positions. Holds the buffers that make this free of allocation: keep one per thread.
///
/// ```
/// # use turnstone::doc::Nim;
/// use turnstone::{Input, Off, Position, Resolver};
/// let game = Nim;
/// let mut position = Position::new(5);
/// let mut resolver = Resolver::default();
/// resolver.act(&game, &mut position, &Input::Act(2), &mut Off)?;
/// assert_eq!(*position.state(), 3);
/// let refusal = resolver.act(&game, &mut position, &Input::Act(7), &mut Off).unwrap_err();
/// assert_eq!(refusal.code(), "TOO_MANY");
/// assert_eq!(*position.state(), 3);
/// # Ok::<(), turnstone::Rejection>(())
/// ```
pub struct Resolver<G: Game> {
    flow: Flow<G::Effect, G::Listener, G::Reason>,
    /// Those who want to hear of the effect or event under way.
    ears: Listeners<G::Listener>,
    backup: Option<Position<G>>,
    /// How many effects the input under way may set off; 0 once more waits than may still run.
    budget: u32,
    /// How many of them nobody looks at: the last ones before the budget runs out are kept.
    calm: u32,
    /// Which short ways debug builds compare with the long one.
    scrutiny: Scrutiny<G>,
    /// The last effects before the budget ran out, to find the cycle in.
    tail: Vec<(G::Effect, Option<G::Listener>)>,
}

impl<G: Game> Default for Resolver<G> {
    fn default() -> Self {
        Resolver {
            flow: Flow::default(),
            ears: Listeners::default(),
            backup: None,
            budget: 0,
            calm: 0,
            scrutiny: Scrutiny::default(),
            tail: Vec::new(),
        }
    }
}

/// A rejection on the hot path: one word, so that results stay in registers.
type Refusal = Box<Rejection>;

type ItemOf<G> = Item<<G as Game>::Effect, <G as Game>::Listener>;

/// How many of the last effects before exhaustion are kept for the report.
const TAIL: u32 = 768;

/// Whether the flow goes on or waits for an answer.
#[derive(PartialEq)]
enum Progress {
    On,
    Paused,
}

impl<G: Game> Resolver<G> {
    /// A resolver that, in debug builds, compares every short way a game takes ([`Game::express`]) with the
    /// long one instead of one in many.
    pub fn thorough() -> Self {
        Resolver { scrutiny: Scrutiny::every(), ..Resolver::default() }
    }

    /// Carries out an input, all or nothing. A refused input leaves the position as it was, except
    /// that its serial number counts the one `ActionRejected` that is recorded.
    ///
    /// # Errors
    /// Why the input was refused.
    pub fn act<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        let result = self.try_act(game, position, input, recorder);
        if let Err(rejection) = &result {
            reject(position, input, rejection, recorder);
        }
        result
    }

    /// Carries out an input, all or nothing. A refused input leaves position and recorder exactly as they
    /// were: it was only tried.
    ///
    /// # Errors
    /// Why the input was refused.
    pub fn try_act<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        admit(game, position, input)?;
        let mark = recorder.mark();
        self.save(position);
        let result = self.resolve(game, position, input, recorder);
        if result.is_err() {
            self.restore(position);
            recorder.rollback(mark);
        }
        result
    }

    /// Carries out an input that the caller knows to be allowed, without the copy that `act` makes:
    /// for rollouts. If it fails all the same (budget, `finish`), the position is void.
    ///
    /// # Errors
    /// Why it failed. Continue from a copy of your own.
    #[inline]
    pub fn act_unchecked<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        let result = self.resolve(game, position, input, recorder);
        if result.is_err() {
            self.forget();
        }
        result
    }

    fn save(&mut self, position: &Position<G>) {
        match &mut self.backup {
            Some(backup) => backup.clone_from(position),
            None => self.backup = Some(position.clone()),
        }
    }

    /// Empties the buffers after a failure in mid-effect.
    #[cold]
    fn forget(&mut self) {
        self.flow.clear();
        self.ears.clear();
    }

    #[cold]
    fn restore(&mut self, position: &mut Position<G>) {
        self.forget();
        if let Some(backup) = &self.backup {
            position.clone_from(backup);
        }
    }

    fn resolve<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        debug_assert!(self.flow.waiting.waiting() == 0, "nothing waits between two inputs");
        self.budget = game.limits().effects;
        self.calm = self.budget.saturating_sub(TAIL);
        self.flow.waiting.notes.want(R::LOG);
        let progress = match input {
            Input::Act(action) => {
                self.flow.waiting.stamp(Cause::rules(Origin::Action), 0);
                game.open(&position.live.state, action, &mut self.flow.waiting);
                self.step_done(Step::Opened, recorder);
                self.take(game, position, recorder);
                Progress::On
            }
            Input::Choose(answer) => self.resume(game, position, answer, recorder),
        };
        let progress = match progress {
            Progress::On => self.run(game, position, recorder).map_err(|refusal| *refusal)?,
            Progress::Paused => Progress::Paused,
        };
        debug_assert!(self.flow.waiting.waiting() == 0, "nothing waits at rest but what a pause keeps");
        match progress {
            Progress::On => game.finish(&position.live.state),
            Progress::Paused => Ok(()),
        }
    }

    /// Tells a recorder of a step, if it wants to know.
    #[inline(always)]
    fn step_done<R: Recorder<G>>(&self, step: Step<'_, G>, recorder: &mut R) {
        if R::STEPS {
            recorder.step(step, &self.flow.waiting);
        }
    }

    /// Writes the answer and settles the held effect again, without a second BEFORE.
    fn resume<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        answer: &G::Answer,
        recorder: &mut R,
    ) -> Progress {
        if let Some(pending) = position.live.pending.take() {
            game.apply_answer(&mut position.live.state, &pending.question, answer);
        }
        if R::LOG {
            recorder.entry(entry::<G>(Fact::Answered(answer.clone()), Cause::rules(Origin::Action)));
        }
        position.live.count();
        recorder.witness(&position.live);
        let Some(pause) = position.pause.take() else { return Progress::On };
        let held = self.flow.resume(*pause, Origin::Event(position.live.serial));
        if R::LOG {
            self.flow.waiting.recall(held.ticket);
        }
        self.settle(game, position, &held, recorder)
    }

    /// Takes effects from queue and agenda until nothing waits or somebody is asked.
    fn run<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        recorder: &mut R,
    ) -> Result<Progress, Refusal> {
        let limits = game.limits();
        loop {
            // By reference from here on: every move of an item through the stack is felt.
            let mut next = self.flow.waiting.next();
            let Some(item) = &mut next else {
                self.flow.waiting.stamp(Cause::rules(Origin::Idle), 0);
                game.idle(&position.live.state, &mut self.flow.waiting);
                if self.flow.waiting.is_empty() {
                    self.flow.rest();
                    return Ok(Progress::On);
                }
                self.step_done(Step::Idled, recorder);
                self.take(game, position, recorder);
                // An idle that only withdraws, for ever, is bounded too.
                self.flow.spent += 1;
                self.spend(game, position, limits, None)?;
                continue;
            };
            self.flow.spent += 1;
            if self.flow.spent > self.calm {
                self.spend(game, position, limits, Some(item))?;
            }
            self.step_done(Step::Taken(&item.effect, item.cause), recorder);
            if self.step(game, position, item, limits, recorder)? == Progress::Paused {
                return Ok(Progress::Paused);
            }
        }
    }

    /// One effect on its whole way.
    #[inline]
    fn step<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        item: &mut ItemOf<G>,
        limits: Limits,
        recorder: &mut R,
    ) -> Result<Progress, Refusal> {
        // One test for the two that few effects have.
        if item.ticket | item.needs != 0 {
            if R::LOG {
                self.flow.waiting.recall(item.ticket);
            }
            if item.needs != 0 && self.flow.unmet(item) {
                self.drop_item(position, item, Fate::Unmet, recorder);
                return Ok(Progress::On);
            }
        }
        if !R::TRACE && self.express(game, position, item, recorder) {
            return Ok(Progress::On);
        }
        self.flow.waiting.stamp(item.cause, item.lineage);
        // Proposals are stamped with this effect's cause and history: what it stands for takes its place.
        // Whoever depends on the effect goes on, for it did happen, in parts.
        let expanded = game.expand(&position.live.state, &item.effect, &mut self.flow.waiting);
        self.step_done(Step::Expanded(&expanded), recorder);
        match expanded {
            Expanded::Keep => {}
            Expanded::To(effect) => {
                item.effect = effect;
                // What was proposed beside it rides with it; of that the short way knows nothing.
                let alone = !self.flow.waiting.touched;
                if !R::TRACE && alone && self.express(game, position, item, recorder) {
                    return Ok(Progress::On);
                }
            }
            Expanded::Into => {
                // What was noted was about an effect that stands for others; they have reasons of their own.
                self.flow.waiting.notes.truncate(0);
                self.take(game, position, recorder);
                return Ok(Progress::On);
            }
            Expanded::Nothing => {
                self.drop_item(position, item, Fate::Nothing, recorder);
                return Ok(Progress::On);
            }
        }
        game.before_listeners(&position.live.state, &item.effect, &mut self.ears);
        if !self.ears.is_empty() && !self.before(game, position, item, limits, recorder)? {
            return Ok(Progress::On);
        }
        Ok(self.settle(game, position, item, recorder))
    }

    /// The short way, if the game knows one. True if the effect happened. Asked in two places, and still no
    /// call: that was felt.
    #[inline(always)]
    fn express<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        item: &ItemOf<G>,
        recorder: &mut R,
    ) -> bool {
        let serial = position.live.serial;
        self.flow.waiting.stamp(Cause::rules(Origin::Event(serial)), 0);
        if cfg!(debug_assertions) {
            self.scrutiny.look(&position.live.state, &self.flow.waiting.notes);
        }
        let pen = Pen::new(&mut position.live.state);
        let written = game.express(pen, &item.effect, &mut self.flow.waiting);
        if cfg!(debug_assertions) {
            let event = written.as_ref().map(|written| written.event());
            self.scrutiny.compare(game, &item.effect, event, &position.live.state, &self.flow.waiting);
        }
        // By reference: a copy of what was just written, in wider steps, would wait for the writes.
        let Some(event) = written.as_ref().map(|written| written.event()) else {
            debug_assert!(
                !self.flow.waiting.touched,
                "who does not take the short way proposes nothing there"
            );
            return false;
        };
        self.witness(position, recorder);
        self.hear(game, &position.live.state, event, recorder);
        if let Some(written) = written {
            self.record(game, position, written.into_event(), item, recorder);
        }
        true
    }

    /// Lets the BEFORE listeners act. True if the effect is still to happen.
    #[inline(never)]
    fn before<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        item: &mut ItemOf<G>,
        limits: Limits,
        recorder: &mut R,
    ) -> Result<bool, Refusal> {
        self.ears.sort();
        let mut index = 0;
        while let Some(listener) = self.ears.get(index) {
            index += 1;
            if self.flow.has_acted(item.lineage, listener) {
                continue;
            }
            let waiting = &mut self.flow.waiting;
            let mark = waiting.mark();
            let original = R::TRACE.then(|| item.effect.clone());
            waiting.stamp(Cause { after: item.cause.after, by: Some(listener) }, 0);
            let verdict = game.before(listener, &position.live.state, &mut item.effect, waiting);
            self.step_done(Step::Before(listener, verdict, &item.effect), recorder);
            let waiting = &mut self.flow.waiting;
            match verdict {
                Verdict::Pass => waiting.cut(mark),
                Verdict::Altered => {
                    item.lineage = self.flow.record_act(item.lineage, listener, false);
                    if let Some(original) = original {
                        let fate = Fate::Altered { by: listener, to: item.effect.clone() };
                        detour(position, recorder, original, item.cause, fate);
                    }
                }
                Verdict::Replaced | Verdict::Cancelled => {
                    self.ears.clear();
                    match verdict {
                        Verdict::Cancelled => self.flow.waiting.clear(),
                        _ => self.flow.waiting.keep_from(mark),
                    }
                    if let Some(original) = original {
                        item.effect = original;
                    }
                    self.replace(game, position, item, listener, limits, recorder)?;
                    return Ok(false);
                }
            }
        }
        self.ears.clear();
        Ok(true)
    }

    fn replace<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        item: &ItemOf<G>,
        listener: G::Listener,
        limits: Limits,
        recorder: &mut R,
    ) -> Result<(), Refusal> {
        self.flow.miss(item.ticket);
        if R::TRACE {
            let with: Vec<_> = self.flow.waiting.effects().map(|(_, effect)| effect.clone()).collect();
            let fate = if with.is_empty() {
                Fate::Cancelled { by: listener }
            } else {
                Fate::Replaced { by: listener, with }
            };
            detour(position, recorder, item.effect.clone(), item.cause, fate);
        }
        // What was noted was about an effect that will not happen.
        self.flow.waiting.notes.truncate(0);
        let lineage = self.flow.record_act(item.lineage, listener, true);
        if self.flow.replacements(lineage) > limits.replacements {
            let who =
                self.flow.history(lineage).map(|act| game.tell_listener(position.state(), act.listener));
            return Err(Box::new(too_deep(who.collect(), limits)));
        }
        self.flow.waiting.restamp(item.cause.after, lineage);
        self.take(game, position, recorder);
        Ok(())
    }

    /// Makes the effect a fact, writes it, and hears what follows.
    #[inline]
    fn settle<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        item: &ItemOf<G>,
        recorder: &mut R,
    ) -> Progress {
        let settled = game.settle(&position.live.state, &item.effect, &mut self.flow.waiting.notes);
        self.step_done(Step::Settled(&settled), recorder);
        // By reference: a copy of what was just written, in wider steps, would wait for the writes.
        if let Settled::Event(event) = &settled {
            self.happen(game, position, event, recorder);
        }
        match settled {
            Settled::Event(event) => {
                self.record(game, position, event, item, recorder);
                Progress::On
            }
            Settled::Stale => {
                self.drop_item(position, item, Fate::Stale, recorder);
                Progress::On
            }
            Settled::Ask(seat, question) => {
                self.ask(position, item, Pending { seat, question }, recorder);
                Progress::Paused
            }
        }
    }

    #[inline]
    fn happen<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &mut Position<G>,
        event: &G::Event,
        recorder: &mut R,
    ) {
        let state = &mut position.live.state;
        game.apply(state, event);
        let serial = position.live.serial;
        self.witness(position, recorder);
        self.step_done(Step::Applied(event, &position.live), recorder);
        let state = &position.live.state;
        // Proposals that ride with an altered effect follow from what it became.
        if !self.flow.waiting.is_empty() {
            self.flow.waiting.restamp(Origin::Event(serial), 0);
        }
        self.flow.waiting.stamp(Cause::rules(Origin::Event(serial)), 0);
        game.follow(state, event, &mut self.flow.waiting);
        self.step_done(Step::Followed(event), recorder);
        self.hear(game, state, event, recorder);
    }

    /// Counts a fact that was written.
    #[inline]
    fn witness<R: Recorder<G>>(&self, position: &mut Position<G>, recorder: &mut R) {
        position.live.count();
        recorder.witness(&position.live);
    }

    /// Asks who hears of an event, and lets them propose.
    #[inline]
    fn hear<R: Recorder<G>>(&mut self, game: &G, state: &G::State, event: &G::Event, recorder: &mut R) {
        game.after_listeners(state, event, &mut self.ears);
        if !self.ears.is_empty() {
            self.after(game, state, event, recorder);
        }
    }

    /// Logs an event and takes over what it led to.
    #[inline(always)]
    fn record<R: Recorder<G>>(
        &mut self,
        game: &G,
        position: &Position<G>,
        event: G::Event,
        item: &ItemOf<G>,
        recorder: &mut R,
    ) {
        if R::LOG {
            recorder.event(event, item.cause);
            self.write_notes(recorder);
        }
        self.take(game, position, recorder);
    }

    /// Hands on what was noted about the effect that became the last fact.
    #[inline]
    fn write_notes<R: Recorder<G>>(&mut self, recorder: &mut R) {
        if !self.flow.waiting.notes.list().is_empty() {
            self.hand_on_notes(recorder);
        }
    }

    #[inline(never)]
    fn hand_on_notes<R: Recorder<G>>(&mut self, recorder: &mut R) {
        recorder.note_all(self.flow.waiting.notes.list());
        self.flow.waiting.notes.truncate(0);
    }

    #[inline(never)]
    fn after<R: Recorder<G>>(&mut self, game: &G, state: &G::State, event: &G::Event, recorder: &mut R) {
        self.ears.sort();
        for listener in self.ears.iter() {
            self.flow.waiting.cause.by = Some(listener);
            game.after(listener, state, event, &mut self.flow.waiting);
            self.step_done(Step::After(listener, event), recorder);
        }
        self.ears.clear();
    }

    #[inline(never)]
    fn ask<R: Recorder<G>>(
        &mut self,
        position: &mut Position<G>,
        item: &ItemOf<G>,
        pending: Pending<G::Question>,
        recorder: &mut R,
    ) {
        if R::LOG {
            // What was noted so far stands with the question; the effect settles, and notes, again.
            recorder.entry(entry::<G>(Fact::Asked(pending.clone()), item.cause));
            self.write_notes(recorder);
        }
        position.live.count();
        position.live.pending = Some(pending);
        recorder.witness(&position.live);
        position.pause = Some(Box::new(self.flow.pause(item.clone())));
    }

    /// Makes the batch part of what waits, if there is one.
    #[inline(always)]
    fn take<R: Recorder<G>>(&mut self, game: &G, position: &Position<G>, recorder: &mut R) {
        if !self.flow.waiting.touched {
            return;
        }
        let grows = match self.flow.waiting.seal_as_it_lies() {
            Some(grows) => grows,
            None => self.take_batch(game, position, recorder),
        };
        // If more waits then than may still run, the budget is spent.
        if grows && self.flow.waiting.waiting() > self.budget as usize {
            (self.budget, self.calm) = (0, 0);
        }
        self.step_done(Step::Queued, recorder);
    }

    /// Makes a batch part of what waits that withdraws something or is to be turned round. Tells whether more waits.
    #[inline(never)]
    fn take_batch<R: Recorder<G>>(&mut self, game: &G, position: &Position<G>, recorder: &mut R) -> bool {
        if self.flow.waiting.withdraws() {
            self.withdraw(game, position, recorder);
        }
        self.flow.waiting.seal()
    }

    #[cold]
    fn withdraw<R: Recorder<G>>(&mut self, game: &G, position: &Position<G>, recorder: &mut R) {
        for withdrawal in self.flow.waiting.take_withdrawals() {
            let is_meant = |waiting: &G::Effect| match &withdrawal {
                Withdrawal::All => true,
                Withdrawal::Like(like) => game.withdraws(like, waiting),
            };
            while let Some(item) = self.flow.waiting.take_from_agenda(is_meant) {
                self.flow.miss(item.ticket);
                if R::TRACE {
                    detour(position, recorder, item.effect, item.cause, Fate::Withdrawn);
                }
            }
        }
    }

    /// An effect that does not happen, nor what it or its listeners proposed: whoever depends on it is
    /// told, and so is the trace.
    fn drop_item<R: Recorder<G>>(
        &mut self,
        position: &Position<G>,
        item: &ItemOf<G>,
        fate: Fate<G::Effect, G::Listener>,
        recorder: &mut R,
    ) {
        self.flow.waiting.clear();
        self.flow.miss(item.ticket);
        if R::TRACE {
            detour(position, recorder, item.effect.clone(), item.cause, fate);
        }
    }

    #[cold]
    fn spend(
        &mut self,
        game: &G,
        position: &Position<G>,
        limits: Limits,
        item: Option<&ItemOf<G>>,
    ) -> Result<(), Refusal> {
        let spent = self.flow.spent;
        if spent + TAIL == limits.effects.saturating_add(1) || spent == 1 {
            self.tail.clear();
        }
        if let Some(item) = item {
            self.tail.push((item.effect.clone(), item.cause.by));
        }
        if spent <= self.budget {
            return Ok(());
        }
        let text = format!("the action set off more than {} effects", limits.effects);
        let mut rejection = Rejection::new(code::EFFECT_BUDGET, text);
        rejection.cycle = cycle(game, position.state(), &self.tail);
        self.tail.clear();
        Err(Box::new(rejection))
    }
}

/// Whether the input may be tried at all.
fn admit<G: Game>(game: &G, position: &Position<G>, input: &InputOf<G>) -> Result<(), Rejection> {
    let state = &position.live.state;
    match (input, &position.live.pending) {
        (Input::Act(action), None) => game.check(state, action),
        (Input::Choose(_), Some(_)) if position.pause.is_none() => {
            let text =
                "the question was asked under other rules: go back to before it and play on from there";
            Err(Rejection::new(code::ONLY_WATCHED, text))
        }
        (Input::Choose(answer), Some(pending)) => game.check_answer(state, &pending.question, answer),
        (Input::Act(_), Some(_)) => {
            Err(Rejection::new(code::QUESTION_PENDING, "a question waits: answer it first"))
        }
        (Input::Choose(_), None) => {
            Err(Rejection::new(code::NOTHING_ASKED, "no question waits for an answer"))
        }
    }
}

#[cold]
fn reject<G: Game, R: Recorder<G>>(
    position: &mut Position<G>,
    input: &InputOf<G>,
    rejection: &Rejection,
    recorder: &mut R,
) {
    if R::LOG {
        let rejection = Box::new(rejection.clone());
        let fact = Fact::ActionRejected { input: input.clone(), rejection };
        recorder.entry(entry::<G>(fact, Cause::rules(Origin::Action)));
    }
    position.live.count();
    recorder.witness(&position.live);
}

fn entry<G: Game>(fact: FactOf<G>, cause: Cause<G::Listener>) -> EntryOf<G> {
    Entry { fact, cause }
}

fn detour<G: Game, R: Recorder<G>>(
    position: &Position<G>,
    recorder: &mut R,
    effect: G::Effect,
    cause: Cause<G::Listener>,
    fate: Fate<G::Effect, G::Listener>,
) {
    recorder.detour(Detour { serial: position.live.serial, effect, cause, fate });
}

/// Refuses replacements by these listeners, the last one first.
#[cold]
fn too_deep(mut who: Vec<String>, limits: Limits) -> Rejection {
    who.reverse();
    let text = format!("replacements of replacements went deeper than {}", limits.replacements);
    let mut rejection = Rejection::new(code::REPLACEMENT_BUDGET, text);
    rejection.cycle = shortest_period(&who);
    rejection
}

/// The repeating end of a run of effects, each named with the listener that proposed it.
fn cycle<G: Game>(game: &G, state: &G::State, tail: &[(G::Effect, Option<G::Listener>)]) -> Vec<String> {
    let name = |(effect, by): &(G::Effect, Option<G::Listener>)| match by {
        Some(listener) => format!("{} by {}", kind(effect), game.tell_listener(state, *listener)),
        None => kind(effect),
    };
    shortest_period(&tail.iter().map(name).collect::<Vec<String>>())
}

/// The first word of an effect.
fn kind<E: std::fmt::Debug>(effect: &E) -> String {
    let text = format!("{effect:?}");
    let kind = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    if kind.is_empty() { text } else { kind.to_owned() }
}

/// The shortest block with which `names` ends at least twice; all of the last 32 if there is none.
fn shortest_period(names: &[String]) -> Vec<String> {
    let n = names.len();
    let repeats = |p: &usize| names[n - p..] == names[n - 2 * p..n - p];
    let period = (1..=n / 2).find(repeats).unwrap_or(n.min(32));
    names[n - period..].to_vec()
}
