//! The game on the kernel: the rules in the order in which an effect meets them.

use crate::ability::AbilityId;
use crate::action::{Action, Answer, Question};
use crate::catalog::{Catalog, Ruleset};
use crate::color::Color;
use crate::effect::Effect;
use crate::error::BadInput;
use crate::event::Event;
use crate::listeners::{self, Listener};
use crate::piece::Kind;
use crate::reason::Reason;
use crate::run::{RunEffect, relic};
use crate::setup::Setup;
use crate::state::{Saved, State};
use std::sync::Arc;
use turnstone::{
    Expanded, Game, Limits, ListenersOf, NoteOf, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen,
    Settled, Told, Verdict, Viewer,
};

/// What the rules propose.
pub(crate) type Out = ProposalsOf<Chess>;

/// Chess: a catalog and a ruleset. Everything else is in the state.
#[derive(Debug)]
pub struct Chess {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) rules: Ruleset,
    /// What a pawn may become.
    pub(crate) promotions: Vec<Kind>,
    /// The abilities that every piece has, outermost first.
    pub(crate) innate_abilities: Vec<AbilityId>,
    /// Their verbs: they do not make a position less plain.
    pub(crate) innate: u16,
    /// The same rules without ends and questions, to look ahead with.
    pub(crate) probe: Option<Arc<Chess>>,
    /// Ask every listener on the board instead of the effect's footprint; for tests.
    pub(crate) scan: bool,
}

impl Chess {
    /// The game under a ruleset of the catalog.
    ///
    /// # Errors
    /// `ruleset.unknown`, with the nearest name.
    pub fn new(catalog: Arc<Catalog>, ruleset: &str) -> Result<Chess, BadInput> {
        let rules = catalog.ruleset_named(ruleset)?.clone();
        Chess::with_rules(catalog, rules)
    }

    /// The built-in content under one of its rulesets.
    ///
    /// # Errors
    /// `ruleset.unknown`, with the nearest name.
    pub fn builtin(ruleset: &str) -> Result<Chess, BadInput> {
        Chess::new(Catalog::builtin(), ruleset)
    }

    /// The game under rules of one's own.
    ///
    /// # Errors
    /// If the rules name something that is not in the catalog.
    pub fn with_rules(catalog: Arc<Catalog>, rules: Ruleset) -> Result<Chess, BadInput> {
        let mut probe_rules = rules.clone();
        probe_rules.ends = false;
        probe_rules.promotions.truncate(1);
        // Whether a king is in check is what is being found out.
        probe_rules.checks = 0;
        let probe = Chess::assemble(Arc::clone(&catalog), probe_rules)?;
        let mut chess = Chess::assemble(catalog, rules)?;
        chess.probe = Some(Arc::new(probe));
        Ok(chess)
    }

    fn assemble(catalog: Arc<Catalog>, rules: Ruleset) -> Result<Chess, BadInput> {
        let promotions =
            rules.promotions.iter().map(|name| catalog.kind_named(name)).collect::<Result<Vec<_>, _>>()?;
        let innate_abilities =
            rules.innate.iter().map(|name| catalog.ability_named(name)).collect::<Result<Vec<_>, _>>()?;
        let innate = innate_abilities.iter().fold(0, |mask, id| mask | catalog.ability(*id).verb.bit());
        Ok(Chess { catalog, rules, promotions, innate_abilities, innate, probe: None, scan: false })
    }

    /// Asks every listener on the board for every effect: slow, and the same result.
    #[must_use]
    pub fn scanning(mut self) -> Chess {
        self.scan = true;
        self
    }

    /// The content in use.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// The rules in use.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The kinds a pawn may become.
    pub fn promotions(&self) -> &[Kind] {
        &self.promotions
    }
}

/// White sits on 0, Black on 1.
pub(crate) fn seat(color: Color) -> Seat {
    color as Seat
}

impl From<BadInput> for Rejection {
    fn from(error: BadInput) -> Rejection {
        // What every game may be asked for in vain has the same code in all of them.
        let code = match error.code.as_str() {
            "board.unknown" => "UNKNOWN_SETUP".to_owned(),
            "ruleset.unknown" => "UNKNOWN_RULESET".to_owned(),
            "wish.unknown" => "UNKNOWN_WISH".to_owned(),
            code => code.to_uppercase().replace(['.', '-'], "_"),
        };
        let place = if error.place.is_empty() { String::new() } else { format!(" (at {})", error.place) };
        Rejection::new(code, format!("{}{place}", error.reason))
    }
}

impl Game for Chess {
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = Question;
    type Answer = Answer;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        Ok(self.start_state(setup, seed)?)
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        Saved::from(state.clone()).check(&self.catalog)?;
        Ok(())
    }

    fn validate_waiting(
        &self,
        state: &State,
        (seat, question): (Seat, &Question),
        waiting: &[&Effect],
    ) -> Result<(), Rejection> {
        let fits = self.question_fits(state, seat, question)
            && waiting.iter().all(|effect| self.effect_fits(state, effect));
        if fits {
            return Ok(());
        }
        Err(Rejection::new(
            "BAD_QUESTION",
            "what waits in this position is not about what stands on its board",
        ))
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        self.check_action(state, action)
    }

    fn open(&self, state: &State, action: &Action, out: &mut Out) {
        self.open_action(state, action, out);
    }

    #[inline]
    fn expand(&self, state: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        match effect {
            Effect::Declared(play) => {
                self.expand_declared(state, play, out);
                Expanded::Into
            }
            Effect::Run(RunEffect::FightOver) => Expanded::To(Effect::Run(self.expand_fight_over(state))),
            _ => Expanded::Keep,
        }
    }

    #[inline]
    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        if let Effect::Run(effect) = effect {
            relic::heard_before(self, state, *effect, heard);
        } else if state.verbs() != 0 || !state.is_level() {
            listeners::heard_before(self, state, effect, heard);
        }
    }

    fn before(&self, listener: Listener, state: &State, effect: &mut Effect, out: &mut Out) -> Verdict {
        listeners::before(self, listener, state, effect, out)
    }

    #[inline]
    fn settle(&self, state: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settled<Event, Question> {
        self.settle_effect(state, effect, notes)
    }

    #[inline]
    fn apply(&self, state: &mut State, event: &Event) {
        self.apply_event(state, event);
    }

    fn fits(&self, state: &State, event: &Event) -> bool {
        self.event_fits(state, event)
    }

    #[inline]
    fn follow(&self, state: &State, event: &Event, out: &mut Out) {
        match *event {
            Event::TurnEnded(player, _) if self.rules.checks > 0 && self.is_in_check(state, !player) => {
                out.last(Effect::Check(player));
            }
            Event::TimedOut(player) if self.rules.flag_loses => self.follow_time_out(state, player, out),
            Event::Run(ref event) => self.follow_run(state, event, out),
            _ => {}
        }
    }

    #[inline]
    fn after_listeners(&self, state: &State, event: &Event, heard: &mut ListenersOf<Self>) {
        listeners::heard_after(self, state, event, heard);
    }

    fn after(&self, listener: Listener, state: &State, event: &Event, out: &mut Out) {
        listeners::after(self, listener, state, event, out);
    }

    fn idle(&self, state: &State, out: &mut Out) {
        if !self.rules.ends || state.end.is_some() {
            return self.idle_run(state, out);
        }
        if state.run.as_ref().is_some_and(|run| !run.is_fighting()) {
            return;
        }
        if let Some(end) = self.end_of(state) {
            out.last(Effect::End(end.winner, end.reason));
        }
    }

    fn tell_listener(&self, state: &State, listener: Listener) -> String {
        self.tell_of_listener(state, listener)
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        if state.run.as_ref().is_some_and(|run| !run.is_fighting()) {
            return self.legal_run(state, out);
        }
        if state.end.is_some() {
            return;
        }
        self.list_plays(state, out);
        if state.offer == Some(!state.player) {
            out.push(Action::AcceptDraw(state.player));
        }
        if self.claimable(state).is_some() {
            out.push(Action::ClaimDraw);
        }
    }

    fn canonical(&self, state: &State, action: &Action) -> Option<Action> {
        match *action {
            Action::Play(mut play) => {
                if play.how != crate::How::Drop {
                    play.kind = Kind::NONE;
                }
                Some(Action::Play(play))
            }
            Action::ClaimDraw | Action::Run(_) => Some(*action),
            Action::AcceptDraw(color) if color == state.player => Some(*action),
            // What may be said at any time is not listed, nor is what only the referee says.
            Action::Resign(_)
            | Action::OfferDraw(_)
            | Action::AcceptDraw(_)
            | Action::TimeOut(_)
            | Action::AgreeDraw
            | Action::Force { .. }
            | Action::Raw(_) => None,
        }
    }

    fn answers(&self, state: &State, question: &Question, out: &mut Vec<Answer>) {
        match *question {
            Question::Promotion { .. } => out.extend(self.promotions.iter().copied().map(Answer::Kind)),
            Question::Ability { piece, slot, .. } => listeners::answers(self, state, piece, slot, out),
        }
    }

    fn check_answer(&self, state: &State, question: &Question, answer: &Answer) -> Result<(), Rejection> {
        let mut offered = Vec::new();
        self.answers(state, question, &mut offered);
        if offered.contains(answer) {
            return Ok(());
        }
        let known: Vec<String> = offered.iter().map(|answer| self.tell_of_answer(*answer)).collect();
        let text =
            format!("{} is no answer here; there are: {}", self.tell_of_answer(*answer), known.join(", "));
        Err(Rejection::new(turnstone::code::NOT_AN_ANSWER, text))
    }

    fn apply_answer(&self, state: &mut State, question: &Question, answer: &Answer) {
        state.answered = Some((question.asker(), *answer));
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        match &state.run {
            Some(run) if run.is_over() => None,
            Some(run) if !run.is_fighting() => Some(0),
            _ => state.end.is_none().then(|| seat(state.player)),
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        match &state.run {
            Some(run) => run.outcome(),
            None => {
                state.end.map(|end| end.winner.map_or(Outcome::Drawn, |winner| Outcome::Won(seat(winner))))
            }
        }
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }
}

impl Seen for Chess {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        self.rules.fog_of_war && viewer != Viewer::All
    }

    fn view(&self, state: &State, viewer: Viewer) -> serde_json::Value {
        self.view_state(state, viewer)
    }

    fn redact(&self, before: &State, after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        self.redact_event(before, after, event, viewer)
    }
}

impl Told for Chess {
    fn tell(&self, state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        self.tell_event(state, event)
    }

    fn is_quiet(&self, event: &Event) -> bool {
        matches!(event, Event::TurnStarted(..) | Event::TurnEnded(..) | Event::TurnAdvanced(..))
    }

    fn tell_effect(&self, state: &State, effect: &Effect) -> String {
        self.tell_of_effect(state, effect)
    }

    fn tell_note(&self, _state: &State, note: &NoteOf<Self>) -> String {
        self.tell_reason(note)
    }

    fn tell_action(&self, state: &State, action: &Action) -> String {
        self.tell_of_action(state, action)
    }

    fn tell_question(&self, state: &State, question: &Question) -> String {
        self.tell_of_question(state, question)
    }

    fn tell_answer(&self, _state: &State, _question: &Question, answer: &Answer) -> String {
        self.tell_of_answer(*answer)
    }
}
