//! The rules on the kernel: which file answers for which effect.

use crate::action::{Action, Deed};
use crate::catalog::compile::{COST_X, Catalog, Id};
use crate::catalog::words::{Moment, Prevent};
use crate::catalog::{Content, Problem, Sources};
use crate::effect::{Effect, Hearer, Way};
use crate::event::Event;
use crate::profile::Profile;
use crate::question::{Asked, Reply};
use crate::reason::Reason;
use crate::run::game::{LAST_TURN, redacted};
use crate::run::rulebook::Rulebook;
use crate::setup::Setup;
use crate::state::{NOBODY, PLAYER, Slot, Stage, State};
use serde::{Deserialize, Serialize};
use turnstone::{
    Expanded, Game, Limits, Listeners, NoteOf, NotesOf, Outcome, PenOf, Proposals, Rejection, Seat, Seen,
    Settled, Told, Verdict, Viewer, Written,
};
use turnstone_host::Numbering;

/// Proposals of this game.
pub(crate) type Out = Proposals<Effect, Hearer, Reason>;
/// Listener list of this game.
pub(crate) type Heard = Listeners<Hearer>;
/// What settling gives.
pub(crate) type Settling = Settled<Event, Asked>;

/// Which rules are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruleset {
    /// The original's.
    #[default]
    Classic,
    /// The recorded engine's, with its own content overlay.
    Seed,
}

impl Ruleset {
    /// Its name, which is also that of its overlay.
    pub fn name(self) -> &'static str {
        match self {
            Ruleset::Classic => "classic",
            Ruleset::Seed => "seed",
        }
    }

    /// In what it differs from the original.
    pub fn profile(self) -> Profile {
        match self {
            Ruleset::Classic => Profile::CLASSIC,
            Ruleset::Seed => Profile::RECORDED,
        }
    }
}

/// Entries that the rules themselves know.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Known {
    /// The stance that a fight begins in.
    pub neutral: Id,
}

/// The game: catalog and rules, of fights and of the way between them.
#[derive(Debug)]
pub struct Spire {
    /// All content.
    pub catalog: Catalog,
    /// The same as it was written, for texts.
    pub content: Content,
    /// Which rules.
    pub ruleset: Ruleset,
    /// In what these differ from the original's.
    pub profile: Profile,
    /// Entries the rules know.
    pub known: Known,
    /// A digest of the content.
    pub digest: turnstone::digest::Digest,
    /// What the rules of the way between fights look up.
    pub rulebook: Rulebook,
    /// Several cards taken from the draw pile are played from the last to the first, as the simulator behind the
    /// recorded fights does it.
    pub(crate) taken_backwards: bool,
}

impl Spire {
    /// The game with the built-in content.
    ///
    /// # Errors
    /// The problems of the content, of which there are none unless it is being worked on.
    pub fn builtin(ruleset: Ruleset) -> Result<Spire, Vec<Problem>> {
        Spire::new(ruleset, &Sources::builtin(ruleset.name()))
    }

    /// The game with what the simulator behind the recorded fights does otherwise than the original.
    ///
    /// # Errors
    /// The problems of the content, of which there are none unless it is being worked on.
    pub fn simulator() -> Result<Spire, Vec<Problem>> {
        let spire = Spire::new(Ruleset::Classic, &Sources::builtin("simulator"))?;
        Ok(Spire { taken_backwards: true, ..spire })
    }

    /// The game with these files.
    ///
    /// # Errors
    /// Every problem of the content.
    pub fn new(ruleset: Ruleset, sources: &Sources) -> Result<Spire, Vec<Problem>> {
        Spire::numbered(ruleset, sources, &Numbering::new())
    }

    /// The same, with everything numbered as in a match file.
    ///
    /// # Errors
    /// Every problem of the content.
    pub(crate) fn numbered(
        ruleset: Ruleset,
        sources: &Sources,
        numbering: &Numbering,
    ) -> Result<Spire, Vec<Problem>> {
        let content = Content::load(sources)?.numbered(numbering);
        let catalog = Catalog::numbered(&content, numbering);
        let neutral = catalog.stances.iter().position(|stance| stance.neutral);
        let known = Known { neutral: neutral.unwrap_or(0) as Id };
        let digest = turnstone::digest::digest(&sources.texts());
        let profile = ruleset.profile();
        let rulebook = Rulebook::new(&content, &catalog)?;
        Ok(Spire { catalog, content, ruleset, profile, known, digest, rulebook, taken_backwards: false })
    }
}

/// A card is played by the player.
#[inline]
fn played_from_hand(slot: Slot, target: Option<u8>) -> Effect {
    Effect::Play { slot, target: target.unwrap_or(NOBODY), x: i16::MIN, way: Way::Hand, exhaust: false }
}

impl Spire {
    #[inline(never)]
    fn open_fight(&self, s: &State, action: Action, out: &mut Out) {
        if action == Action::Leave && s.combat.stage == Stage::Won {
            self.call(s, Moment::VictoryFirst, PLAYER, out);
            self.call(s, Moment::Victory, PLAYER, out);
        }
        match action {
            Action::Play { card, target } => out.first(played_from_hand(card, target)),
            Action::EndTurn => out.first(Effect::CloseTurn),
            Action::Leave => out.first(Effect::Leave),
            Action::Begin => out.first(Effect::Begin),
            Action::Potion { index, target } => {
                out.first(Effect::UsePotion { index, target: target.unwrap_or(NOBODY) })
            }
            Action::Toss { index } => out.first(Effect::DropPotion { index }),
        };
    }

    /// Whether the player is on turn with cards in his hand, and nothing comes of itself.
    #[inline]
    fn simply_waits(&self, s: &State) -> bool {
        let combat = &s.combat;
        combat.stage == Stage::Player
            && !combat.decided
            && !combat.ending
            && !combat.hand.is_empty()
            && combat.counts.turn < LAST_TURN
            && !self.profile.defeat_when_idle
    }

    /// What comes of itself when nothing waits.
    #[inline(never)]
    fn go_on(&self, s: &State, out: &mut Out) {
        if !self.in_fight(s) {
            return self.journey().idle(s, out);
        }
        self.idle_fight(s, out);
        if out.is_empty() && !s.tower.is_nowhere() && s.ending().is_some() {
            out.last(Effect::Run(crate::run::effect::Effect::EndFight));
        }
    }

    fn idle_fight(&self, s: &State, out: &mut Out) {
        let combat = &s.combat;
        if !matches!(combat.stage, Stage::Player | Stage::Enemies) {
            return;
        }
        if self.profile.defeat_when_idle && combat.player().hp <= 0 && !combat.decided {
            out.last(Effect::Defeat);
            return;
        }
        if combat.decided {
            if !self.profile.victory_unheard {
                self.call(s, Moment::VictoryFirst, PLAYER, out);
                self.call(s, Moment::Victory, PLAYER, out);
            }
            out.last(Effect::Victory);
            return;
        }
        if combat.stage == Stage::Player {
            if combat.counts.turn >= LAST_TURN {
                out.last(Effect::Defeat);
            } else if combat.ending {
                out.last(Effect::CloseTurn);
            } else if combat.hand.is_empty() && combat.moments >> Moment::QueueIdle as u32 & 1 != 0 {
                self.idle_draw(s, out);
            }
        }
    }
}

impl Game for Spire {
    type Setup = Setup;
    type State = State;
    type Action = Deed;
    type Effect = Effect;
    type Event = Event;
    type Listener = Hearer;
    type Question = Asked;
    type Answer = Reply;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        let one = |text: &str| Err(Rejection::new("BAD_SETUP", text));
        self.rulebook.tables.check_ascension(setup.ascension)?;
        if setup.fight.is_none() && setup.state.is_none() {
            return self.start_run(setup, seed);
        }
        if setup.map.is_some() {
            return one("a single fight has no map; choose one of the two");
        }
        if setup.begin.is_some() {
            return one("a single fight begins at its beginning");
        }
        let mut state = match (&setup.fight, &setup.state) {
            (Some(fight), None) => self.set_up(fight, seed)?,
            (None, Some(state)) => self.opened(state, seed)?,
            _ => return one("a fight, or a position of one; choose one of the two"),
        };
        self.take_modifiers(&mut state.run, setup, seed)?;
        Ok(state)
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        self.validate_state(state)
    }

    fn validate_waiting(
        &self,
        s: &State,
        (_, asked): (Seat, &Asked),
        waiting: &[&Effect],
    ) -> Result<(), Rejection> {
        let wrong = if self.can_be_asked(s, asked) {
            let Some(effect) = waiting.iter().find(|effect| !self.can_wait(s, effect)) else { return Ok(()) };
            format!("{effect:?} waits")
        } else {
            format!("{asked:?} is asked")
        };
        Err(Rejection::new("BAD_QUESTION", format!("{wrong}, which is not about what is there")))
    }

    fn check(&self, s: &State, deed: &Deed) -> Result<(), Rejection> {
        match *deed {
            Deed::Fight(action) if self.in_fight(s) => self.check_fight(s, action),
            Deed::Fight(_) => Err(Rejection::new("NO_FIGHT", "there is no fight now")),
            Deed::Run(action) => self.check_run(s, action),
        }
    }

    #[inline]
    fn open(&self, s: &State, deed: &Deed, out: &mut Out) {
        match deed {
            Deed::Fight(Action::Play { card, target }) => {
                out.first(played_from_hand(*card, *target));
            }
            Deed::Fight(action) => self.open_fight(s, *action, out),
            Deed::Run(crate::run::action::Action::GiveUp) if s.tower.is_nowhere() => {
                out.first(Effect::Defeat);
            }
            Deed::Run(action) => self.journey().open_action(s, *action, out),
        }
    }

    fn fits(&self, s: &State, event: &Event) -> bool {
        self.has_all_of(s, event)
    }

    #[inline(always)]
    fn express(&self, s: PenOf<'_, Self>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        self.express_now(s, effect, out)
    }

    /// Whatever phase, play or run of a card is withdrawn, all of its kind are.
    fn withdraws(&self, like: &Effect, waiting: &Effect) -> bool {
        std::mem::discriminant(like) == std::mem::discriminant(waiting)
    }

    #[inline]
    fn expand(&self, s: &State, effect: &Effect, out: &mut Out) -> Expanded<Effect> {
        if s.combat.stage == Stage::Lost {
            return self.expand_after_defeat(s, effect, out);
        }
        if let Effect::Phase(phase) = *effect {
            return self.expand_phase(s, phase, out);
        }
        // Most effects stand for themselves: that is one test, not a jump.
        if let Effect::Run(_)
        | Effect::Step { .. }
        | Effect::Clean { .. }
        | Effect::Draw { .. }
        | Effect::DrawMore { .. }
        | Effect::QueueDraw { .. }
        | Effect::QueuePassives { .. }
        | Effect::QueueClean { .. }
        | Effect::QueueDecay { .. }
        | Effect::QueueRun { .. }
        | Effect::Passives { .. }
        | Effect::PutShuffled { .. }
        | Effect::Channel { .. }
        | Effect::ChannelRandom
        | Effect::ChannelLast
        | Effect::Evoke { .. }
        | Effect::PlayTop { .. }
        | Effect::TakeTop { .. }
        | Effect::PlayTaken = effect
        {
            return self.expand_now(s, effect, out);
        }
        Expanded::Keep
    }

    #[inline]
    fn before_listeners(&self, s: &State, effect: &Effect, heard: &mut Heard) {
        if let Effect::Run(_)
        | Effect::Apply { .. }
        | Effect::Draw { .. }
        | Effect::DrawMore { .. }
        | Effect::Stance { .. }
        | Effect::Gold { .. }
        | Effect::Potion
        | Effect::Obtain { .. }
        | Effect::Death { .. } = effect
        {
            self.hear_before(s, effect, heard);
        }
    }

    fn before(&self, hearer: Hearer, s: &State, effect: &mut Effect, out: &mut Out) -> Verdict {
        match hearer {
            Hearer::Fight(listener) => self.prevent(listener, s, effect, out),
            Hearer::Run(relic) => self.before_run(relic, s, effect, out),
        }
    }

    #[inline]
    fn settle(&self, s: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settling {
        let settled = self.settle_now(s, effect);
        if notes.are_wanted()
            && let Settled::Event(event) = &settled
        {
            self.reasons(s, effect, event, notes);
        }
        settled
    }

    #[inline]
    fn apply(&self, s: &mut State, event: &Event) {
        self.write(s, event);
    }

    #[inline]
    fn follow(&self, s: &State, event: &Event, out: &mut Out) {
        self.follow_now(s, event, out);
    }

    // A look at a table for most facts: as a call it was felt.
    #[inline(always)]
    fn after_listeners(&self, s: &State, event: &Event, heard: &mut Heard) {
        if self.heard(s, event) {
            self.hear(s, event, heard);
        } else {
            debug_assert!(self.nobody_hears(s, event), "no sound is known of {event:?}");
        }
    }

    fn after(&self, hearer: Hearer, s: &State, event: &Event, out: &mut Out) {
        match hearer {
            Hearer::Fight(listener) => self.react(listener, s, event, out),
            Hearer::Run(relic) => self.after_run(relic, s, event, out),
        }
    }

    #[inline]
    fn idle(&self, s: &State, out: &mut Out) {
        if !(self.in_fight(s) && self.simply_waits(s)) {
            self.go_on(s, out);
        }
    }

    fn tell_listener(&self, s: &State, hearer: Hearer) -> String {
        match hearer {
            Hearer::Fight(listener) => self.tell_listener_of(s, listener),
            Hearer::Run(relic) => self.journey().relic_name(relic),
        }
    }

    fn legal(&self, s: &State, out: &mut Vec<Deed>) {
        if self.in_fight(s) { self.legal_in_fight(s, out) } else { self.legal_in_run(s, out) }
    }

    fn canonical(&self, _state: &State, deed: &Deed) -> Option<Deed> {
        match deed {
            Deed::Run(crate::run::action::Action::Operator(_)) => None,
            Deed::Run(_) | Deed::Fight(_) => Some(*deed),
        }
    }

    fn answers(&self, s: &State, question: &Asked, out: &mut Vec<Reply>) {
        match question {
            Asked::Run(question) => {
                out.extend(self.journey().answers(s, *question).into_iter().map(Reply::Run));
            }
            Asked::Fight(question) => {
                self.offered_answers(s, question, |answer| out.push(Reply::Fight(answer)));
            }
        }
    }

    fn apply_answer(&self, s: &mut State, question: &Asked, reply: &Reply) {
        match (question, reply) {
            (Asked::Run(_), Reply::Run(answer)) => self.journey().apply_answer(s, *answer),
            (Asked::Fight(question), Reply::Fight(answer)) => self.write_answer(s, question, answer),
            // The kernel takes none but those that were offered.
            (Asked::Run(_), Reply::Fight(_)) | (Asked::Fight(_), Reply::Run(_)) => {}
        }
    }

    fn actor(&self, s: &State) -> Option<Seat> {
        let going_on = match s.tower.is_nowhere() {
            true => matches!(s.combat.stage, Stage::Ready | Stage::Player | Stage::Enemies),
            false => s.tower.end.is_none(),
        };
        going_on.then_some(0)
    }

    fn outcome(&self, s: &State) -> Option<Outcome> {
        self.outcome_of(s)
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }
}

impl Seen for Spire {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    /// What is hidden is to come: whatever was on its way lay open.
    fn hears_of(&self, _state: &State, _effect: &Self::Effect, _viewer: Viewer) -> bool {
        true
    }

    fn view(&self, s: &State, viewer: Viewer) -> serde_json::Value {
        self.view_of(s, viewer)
    }

    fn redact(&self, _before: &State, after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        match event {
            Event::Run(event) => Some(redacted(event, viewer).into()),
            event => self.redacted(after, event, viewer),
        }
    }
}

impl Told for Spire {
    fn tell(&self, s: &State, event: &Event, reasons: &[&NoteOf<Self>]) -> String {
        match event {
            Event::Run(event) => self.journey().tell(s, event),
            event => self.tell_event(s, event, reasons),
        }
    }

    fn is_quiet(&self, event: &Event) -> bool {
        match event {
            Event::Run(event) => self.journey().is_quiet(event),
            event => crate::tell::is_quiet(event),
        }
    }

    /// A copy of a card whose target is gone.
    fn is_missed(&self, effect: &Effect) -> bool {
        matches!(effect, Effect::Play { way: Way::Copy, .. })
    }

    fn tell_effect(&self, s: &State, effect: &Effect) -> String {
        match effect {
            Effect::Run(effect) => self.journey().tell_effect(s, effect),
            effect => self.tell_effect_of(s, effect),
        }
    }

    fn tell_note(&self, s: &State, note: &NoteOf<Self>) -> String {
        self.tell_reason(s, note)
    }

    fn tell_action(&self, s: &State, deed: &Deed) -> String {
        match deed {
            Deed::Run(action) => self.journey().tell_action(s, *action),
            Deed::Fight(action) => self.tell_action_of(s, action),
        }
    }

    fn tell_question(&self, s: &State, question: &Asked) -> String {
        match question {
            Asked::Run(question) => self.journey().tell_question(*question),
            Asked::Fight(question) => self.tell_question_of(s, question),
        }
    }

    fn tell_answer(&self, s: &State, question: &Asked, reply: &Reply) -> String {
        match (question, reply) {
            (Asked::Run(question), Reply::Run(answer)) => self.journey().tell_answer(s, *question, *answer),
            (Asked::Fight(question), Reply::Fight(answer)) => self.tell_answer_of(s, question, answer),
            (Asked::Run(_), Reply::Fight(_)) | (Asked::Fight(_), Reply::Run(_)) => {
                "an answer to another question".into()
            }
        }
    }
}

impl Spire {
    /// Unceasing Top and its like: only if there is something to draw.
    pub(crate) fn idle_draw(&self, s: &State, out: &mut Out) {
        let combat = &s.combat;
        let nothing = combat.draw.is_empty() && combat.discard.is_empty();
        let barred = self.stops(s, PLAYER, Prevent::Draw).iter().any(|(_, stop, _)| stop.when.is_none());
        if !nothing && !barred {
            self.call(s, Moment::QueueIdle, PLAYER, out);
        }
    }

    /// The cost of an X card on display.
    pub fn is_x(cost: i8) -> bool {
        cost == COST_X
    }
}
