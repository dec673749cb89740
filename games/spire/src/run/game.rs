//! The run as a game: its own rules around those of the fights, in one queue and one log.

use serde::{Deserialize, Serialize};
use turnstone::{
    Expanded, Game, Listeners, NoteOf, NotesOf, Outcome, PenOf, ProposalsOf, Rejection, Seat, Seen, Settled,
    Told, Verdict, Viewer, Written,
};

use super::effect::{Action, Effect, Ending, Event, Question};
use super::legal::Options;
use super::plan::MapChoice;
use super::rulebook::Rulebook;
use super::rules::Out;
use super::tower::{
    End, EventScreen, FightKind, Fighting, Key, Progress, Screen, Shared, State, Tally, Tower,
};
use crate::rules::reasons::Reason;
use crate::seeds::{
    Burning, EventDetail, Fate, FateChange, FightNo, Node, Place, RelicNo, Room, Rules, RunSetup, Streams,
};
use crate::setup::Fight;
use crate::state;

/// How a run begins, besides its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The character, by its id.
    pub character: String,
    /// Ascension, 0 to 20.
    #[serde(default)]
    pub ascension: u8,
    /// Whose rules of chance.
    #[serde(default)]
    pub rules: Rules,
    /// Rules of this run, by their ids; `daily` stands for three that the seed chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// The hand-made map that the run is on, instead of those of the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapChoice>,
    /// The run does not begin at its beginning, but here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin: Option<Begin>,
    /// Not a run, but this one fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fight: Option<Fight>,
}

impl Setup {
    /// A whole run.
    pub fn run(character: impl Into<String>, ascension: u8) -> Self {
        Setup {
            character: character.into(),
            ascension,
            rules: Rules::Original,
            modifiers: Vec::new(),
            map: None,
            begin: None,
            fight: None,
        }
    }
}

/// Where and with what a run begins; whatever is left out is as at the beginning.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Begin {
    /// Deck, relics, potions, HP, gold, act and floor.
    pub with: Fight,
    /// The keys that were found: `ruby`, `emerald`, `sapphire`.
    pub keys: Vec<Key>,
    /// One stands before the first room of this kind, in which one can go at once.
    pub room: Option<Room>,
}

/// A fight about to be fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Which.
    pub fight: FightNo,
    /// An elite.
    pub elite: bool,
    /// A boss.
    pub boss: bool,
    /// What the burning elite gains.
    pub burning: Option<Burning>,
}

/// Something of a fight that can be of the run instead, so that both travel one queue as they are.
pub trait Carrier<R> {
    /// Of the run.
    fn carry(outer: R) -> Self;
    /// What it is of the run, if it is.
    fn carried(&self) -> Option<&R>;
    /// The same, to be altered.
    fn carried_mut(&mut self) -> Option<&mut R>;
}

/// A game of fights that a run can be built around. It shares the player with the run, and what travels its
/// queue and stands in its log can be the run's.
pub trait Arena:
    Game<
        State = state::State,
        Effect: Carrier<Effect>,
        Event: Carrier<Event>,
        Listener: Carrier<RelicNo>,
        Question: Carrier<Question>,
        Reason = Reason,
    > + Seen
    + Told
{
    /// The player at the beginning of a run: deck, relics, hit points, slots.
    fn beginner(&self, setup: &Setup, seed: u64, rulebook: &Rulebook) -> state::Run;
    /// Gives the player what was wished for.
    ///
    /// # Errors
    /// Unknown names, impossible numbers.
    fn equip(&self, _run: &mut state::Run, _wished: &Fight) -> Result<(), Rejection> {
        Ok(())
    }
    /// The player before a fight that is no part of a run, with the fight set up.
    ///
    /// # Errors
    /// Unknown names, impossible numbers.
    fn lone_fight(&self, fight: &Fight, seed: u64) -> Result<state::State, Rejection>;
    /// Sets up a fight with the dice of the run; nothing is drawn yet.
    fn prepare(&self, state: &mut state::State, challenge: Challenge, streams: &Streams);
    /// The effects with which a prepared fight begins.
    fn begin(&self, state: &state::State, challenge: Challenge, out: &mut ProposalsOf<Self>);
    /// How the fight ended, if it has.
    fn ending(&self, state: &state::State) -> Option<Ending>;
    /// Gold that the beaten give back.
    fn stolen(&self, state: &state::State) -> i32;
    /// Visits every allowed action, in the order of `legal`.
    fn each_legal(&self, state: &state::State, add: impl FnMut(Self::Action)) {
        let mut list = Vec::new();
        self.legal(state, &mut list);
        list.into_iter().for_each(add);
    }
    /// Takes over what the fight changed and forgets it.
    fn leave(&self, state: &mut state::State);
    /// A relic was obtained (or, with `false`, lost): what it changes for all fights.
    fn wear(&self, run: &mut state::Run, relic: u16, on: bool);
}

/// Something of the run or of the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of<R, F> {
    /// Of the run.
    Run(R),
    /// Of the fight.
    Fight(F),
}

impl<R, F> Carrier<R> for Of<R, F> {
    #[inline]
    fn carry(outer: R) -> Self {
        Of::Run(outer)
    }

    #[inline]
    fn carried(&self) -> Option<&R> {
        match self {
            Of::Run(outer) => Some(outer),
            Of::Fight(_) => None,
        }
    }

    #[inline]
    fn carried_mut(&mut self) -> Option<&mut R> {
        match self {
            Of::Run(outer) => Some(outer),
            Of::Fight(_) => None,
        }
    }
}

/// A climb: the run around an arena.
pub struct Climb<A> {
    /// The rules of fights.
    pub arena: A,
    /// The rules of the run.
    pub rulebook: Rulebook,
}

/// The turn from which on a fight may be given up.
const ENDLESS: u16 = 100;

impl<A: Arena> Climb<A> {
    fn out<'a>(&self, out: &'a mut ProposalsOf<A>) -> Out<'a, A::Effect, A::Listener> {
        Out::new(out, A::Effect::carry)
    }

    /// The challenge of the fight the run has just begun.
    fn challenge(&self, state: &State) -> Option<Challenge> {
        let fighting = state.tower.fighting?;
        let burning = match fighting.kind {
            FightKind::Elite if state.tower.at_burning_elite() => {
                state.tower.fate.map.burning.map(|(_, buff)| buff)
            }
            _ => None,
        };
        Some(Challenge {
            fight: fighting.fight,
            elite: fighting.kind == FightKind::Elite,
            boss: fighting.kind == FightKind::Boss,
            burning,
        })
    }

    /// Climbs to where a run shall begin: the act, and the room below the one that is wished for.
    fn stand(
        &self,
        begin: &Begin,
        fate: &mut Fate,
        run: &mut state::Run,
    ) -> Result<Option<Place>, Rejection> {
        let act = begin.with.act.unwrap_or(1).clamp(1, 4);
        (1..act).for_each(|_| fate.next_act(&self.rulebook.tables));
        run.act = act;
        let below = [0, 17, 34, 51 + u8::from(run.ascension >= 20)][usize::from(act) - 1];
        let rows = fate.boss_row();
        let nodes: Vec<(Place, Node)> = (0..rows).flat_map(|y| fate.map.row(y)).collect();
        let leads = |from: Place, to: Place| from.y + 1 == to.y && fate.map.node(from).edges >> to.x & 1 == 1;
        let before = |to: Place| nodes.iter().map(|(from, _)| *from).find(|from| leads(*from, to));
        let place = match (begin.room, begin.with.floor) {
            (Some(Room::Boss), _) => nodes.iter().map(|(place, _)| *place).rfind(|place| place.y + 1 == rows),
            (Some(room), _) => {
                let found = nodes.iter().find(|(_, node)| node.room == Some(room)).map(|(place, _)| *place);
                let refusal = || Rejection::new("NO_SUCH_ROOM", "there is no such room in this act");
                let found = found.ok_or_else(refusal)?;
                if found.y == 0 { None } else { before(found) }
            }
            (None, Some(floor)) if floor > below => {
                let y = (floor - below - 1).min(rows.saturating_sub(1));
                nodes.iter().map(|(place, _)| *place).find(|place| place.y == y)
            }
            (None, _) => None,
        };
        run.floor = below + place.map_or(0, |place| place.y + 1);
        fate.enter_floor(run.floor);
        Ok(place)
    }

    /// A fight that nobody wins any more: the original is left by its menu then.
    fn drags_on(&self, state: &State) -> bool {
        self.in_fight(state) && state.spire.combat.counts.turn >= ENDLESS
    }

    fn in_fight(&self, state: &State) -> bool {
        state.tower.fighting.is_some() && state.tower.end.is_none()
    }
}

/// What is of the run. Each stays a function of its own, out of the way of the far more frequent fights.
impl<A: Arena> Climb<A> {
    #[inline(never)]
    fn expand_outer(&self, state: &State, effect: &Effect, out: &mut ProposalsOf<A>) -> Expanded<A::Effect> {
        let replaced = self.rulebook.expand(state, effect, &mut self.out(out));
        if replaced { Expanded::Into } else { Expanded::Keep }
    }

    #[inline(never)]
    fn hear_before_outer(&self, state: &State, effect: &Effect, heard: &mut Listeners<A::Listener>) {
        self.rulebook.before_listeners(state, effect, heard, A::Listener::carry);
    }

    #[inline(never)]
    fn settle_outer(&self, state: &State, effect: &Effect) -> Settled<A::Event, A::Question> {
        let settled = match (effect, self.arena.ending(&state.spire), state.tower.fighting) {
            (Effect::EndFight, Some(ending), Some(fighting)) => {
                let stolen = self.arena.stolen(&state.spire);
                Settled::Event(Event::FightEnded { ending, kind: fighting.kind, stolen })
            }
            (Effect::EndFight, ..) => Settled::Stale,
            _ => self.rulebook.settle(state, effect),
        };
        match settled {
            Settled::Event(event) => Settled::Event(A::Event::carry(event)),
            Settled::Stale => Settled::Stale,
            Settled::Ask(seat, question) => Settled::Ask(seat, A::Question::carry(question)),
        }
    }

    #[inline(never)]
    fn apply_outer(&self, state: &mut State, event: &Event) {
        self.rulebook.apply(state, event);
        match event {
            Event::FightBegan { .. } => {
                if let Some(challenge) = self.challenge(state) {
                    let streams = state.tower.fate.streams;
                    self.arena.prepare(&mut state.spire, challenge, &streams);
                }
            }
            Event::FightEnded { ending, .. } => self.arena.leave_with(state, *ending, &self.rulebook),
            Event::RelicGained { relic, .. } => self.arena.wear(&mut state.spire.run, relic.0, true),
            Event::RelicLost { relic } => self.arena.wear(&mut state.spire.run, relic.0, false),
            _ => {}
        }
    }

    #[inline(never)]
    fn follow_outer(&self, state: &State, event: &Event, out: &mut ProposalsOf<A>) {
        self.rulebook.follow(state, event, &mut self.out(out));
        if let (Event::FightBegan { .. }, Some(challenge)) = (event, self.challenge(state)) {
            self.arena.begin(&state.spire, challenge, out);
        }
    }

    #[inline(never)]
    fn hear_outer(&self, state: &State, event: &Event, heard: &mut Listeners<A::Listener>) {
        self.rulebook.after_listeners(state, event, heard, A::Listener::carry);
    }
}

impl<A: Arena> Game for Climb<A> {
    type Setup = Setup;
    type State = State;
    type Action = Of<Action, A::Action>;
    type Effect = A::Effect;
    type Event = A::Event;
    type Listener = A::Listener;
    type Question = A::Question;
    type Answer = Of<u16, A::Answer>;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        if setup.ascension > 20 {
            return Err(Rejection::new("BAD_ASCENSION", "ascension goes from 0 to 20"));
        }
        let Setup { ascension, rules, .. } = *setup;
        let character = self.rulebook.tables.characters.find(&setup.character).ok_or_else(|| {
            Rejection::new("UNKNOWN_CHARACTER", format!("nobody is called `{}`", setup.character))
        })?;
        let mut fate = Fate::new(&self.rulebook.tables, RunSetup { seed, character, ascension, rules });
        let plan = setup.map.as_ref().map(|choice| self.rulebook.plan(choice)).transpose()?;
        if plan.is_some() && setup.fight.is_some() {
            return Err(Rejection::new("BAD_SETUP", "a single fight has no map; choose one of the two"));
        }
        if let Some(plan) = &plan {
            plan.lay(&self.rulebook.tables, &mut fate);
        }
        let mut spire = match &setup.fight {
            Some(fight) => self.arena.lone_fight(fight, seed)?,
            None => state::State {
                run: self.arena.beginner(setup, seed, &self.rulebook),
                ..state::State::default()
            },
        };
        let mut place = None;
        if let Some(begin) = &setup.begin {
            if plan.is_some() || setup.fight.is_some() {
                let text = "a run on a map of its own, or a single fight, begins at its beginning";
                return Err(Rejection::new("BAD_SETUP", text));
            }
            self.arena.equip(&mut spire.run, &begin.with)?;
            place = self.stand(begin, &mut fate, &mut spire.run)?;
        }
        spire.run.act = spire.run.act.max(fate.act);
        for relic in self.rulebook.modifiers(&setup.modifiers, seed)? {
            let counter = self.rulebook.first_counter(relic);
            spire.run.relics.push(state::OwnedRelic { id: relic.0, counter });
        }
        let lone = setup.fight.as_ref().map(|_| Fighting { fight: FightNo(0), kind: FightKind::Lone });
        // What one begins with is not found again.
        for relic in spire.run.relics.iter().skip(1) {
            fate.relics.forget(RelicNo(relic.id));
        }
        let neow = plan.as_ref().is_none_or(|plan| plan.neow);
        let tower = Tower {
            fate,
            place,
            path: place.into_iter().collect(),
            room: None,
            progress: Progress::Climbing,
            screens: (lone.is_none() && neow && setup.begin.is_none())
                .then_some(Screen::Neow)
                .into_iter()
                .collect(),
            hand_made: plan.map(|plan| plan.hand_made),
            fighting: lone,
            stolen: 0,
            keys: setup
                .begin
                .iter()
                .flat_map(|begin| &begin.keys)
                .fold(0, |keys, key| keys | 1 << *key as u8),
            removals: 0,
            offer: Vec::new(),
            answer: None,
            tally: Tally::default(),
            sandbox: false,
            end: None,
            killer: None,
        };
        Ok(State { tower: Shared::new(tower), spire })
    }

    fn check(&self, state: &State, action: &Self::Action) -> Result<(), Rejection> {
        match action {
            Of::Run(Action::GiveUp) if self.drags_on(state) => Ok(()),
            Of::Run(action) => self.rulebook.check(state, *action),
            Of::Fight(action) if self.in_fight(state) => self.arena.check(&state.spire, action),
            Of::Fight(_) => Err(Rejection::new("NO_FIGHT", "there is no fight now")),
        }
    }

    fn fits(&self, state: &State, event: &Self::Event) -> bool {
        match event.carried() {
            Some(event) => self.rulebook.has_all_of(event),
            None => self.arena.fits(&state.spire, event),
        }
    }

    fn open(&self, state: &State, action: &Self::Action, out: &mut ProposalsOf<Self>) {
        match action {
            Of::Run(action) => self.rulebook.open_action(state, *action, &mut self.out(out)),
            Of::Fight(action) => self.arena.open(&state.spire, action, out),
        }
    }

    #[inline]
    fn express(
        &self,
        pen: PenOf<'_, Self>,
        effect: &Self::Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Option<Written<Self::Event>> {
        match effect.carried() {
            Some(_) => None,
            None => self.arena.express(pen.within(|state| Some(&mut state.spire))?, effect, out),
        }
    }

    #[inline]
    fn expand(
        &self,
        state: &State,
        effect: &Self::Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Expanded<Self::Effect> {
        match effect.carried() {
            Some(outer) => self.expand_outer(state, outer, out),
            None => self.arena.expand(&state.spire, effect, out),
        }
    }

    #[inline]
    fn before_listeners(&self, state: &State, effect: &Self::Effect, heard: &mut Listeners<Self::Listener>) {
        match effect.carried() {
            Some(outer) => self.hear_before_outer(state, outer, heard),
            None => self.arena.before_listeners(&state.spire, effect, heard),
        }
    }

    fn before(
        &self,
        listener: Self::Listener,
        state: &State,
        effect: &mut Self::Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        match (listener.carried(), effect.carried_mut()) {
            (Some(relic), Some(outer)) => self.rulebook.before(*relic, state, outer, &mut self.out(out)),
            (None, None) => self.arena.before(listener, &state.spire, effect, out),
            _ => Verdict::Pass,
        }
    }

    #[inline]
    fn settle(
        &self,
        state: &State,
        effect: &Self::Effect,
        notes: &mut NotesOf<Self>,
    ) -> Settled<Self::Event, Self::Question> {
        match effect.carried() {
            Some(outer) => self.settle_outer(state, outer),
            None => self.arena.settle(&state.spire, effect, notes),
        }
    }

    fn withdraws(&self, like: &Self::Effect, waiting: &Self::Effect) -> bool {
        self.arena.withdraws(like, waiting)
    }

    #[inline]
    fn apply(&self, state: &mut State, event: &Self::Event) {
        match event.carried() {
            Some(outer) => self.apply_outer(state, outer),
            None => self.arena.apply(&mut state.spire, event),
        }
    }

    #[inline]
    fn follow(&self, state: &State, event: &Self::Event, out: &mut ProposalsOf<Self>) {
        match event.carried() {
            Some(outer) => self.follow_outer(state, outer, out),
            None => self.arena.follow(&state.spire, event, out),
        }
    }

    #[inline]
    fn after_listeners(&self, state: &State, event: &Self::Event, heard: &mut Listeners<Self::Listener>) {
        match event.carried() {
            Some(outer) => self.hear_outer(state, outer, heard),
            None => self.arena.after_listeners(&state.spire, event, heard),
        }
    }

    fn after(
        &self,
        listener: Self::Listener,
        state: &State,
        event: &Self::Event,
        out: &mut ProposalsOf<Self>,
    ) {
        match (listener.carried(), event.carried()) {
            (Some(relic), Some(outer)) => {
                self.rulebook.after(*relic, state, outer, &mut self.out(out));
            }
            (None, None) => self.arena.after(listener, &state.spire, event, out),
            _ => {}
        }
    }

    fn idle(&self, state: &State, out: &mut ProposalsOf<Self>) {
        if !self.in_fight(state) {
            return self.rulebook.idle(state, &mut self.out(out));
        }
        self.arena.idle(&state.spire, out);
        if out.is_empty() && self.arena.ending(&state.spire).is_some() {
            self.out(out).last(Effect::EndFight);
        }
    }

    fn finish(&self, state: &State) -> Result<(), Rejection> {
        if self.in_fight(state) { self.arena.finish(&state.spire) } else { Ok(()) }
    }

    fn legal(&self, state: &State, out: &mut Vec<Self::Action>) {
        if self.in_fight(state) {
            self.arena.each_legal(&state.spire, |action| out.push(Of::Fight(action)));
            if self.drags_on(state) {
                out.push(Of::Run(Action::GiveUp));
            }
            return;
        }
        let mut inner = Options::new();
        self.rulebook.legal(state, &mut inner);
        out.extend(inner.into_iter().map(Of::Run));
    }

    fn canonical(&self, _state: &State, action: &Self::Action) -> Option<Self::Action> {
        match action {
            Of::Run(Action::Operator(_)) => None,
            other => Some(other.clone()),
        }
    }

    fn answers(&self, state: &State, question: &Self::Question, out: &mut Vec<Self::Answer>) {
        match question.carried() {
            Some(outer) => out.extend(self.rulebook.answers(state, *outer).into_iter().map(Of::Run)),
            None => {
                let mut inner = Vec::new();
                self.arena.answers(&state.spire, question, &mut inner);
                out.extend(inner.into_iter().map(Of::Fight));
            }
        }
    }

    fn apply_answer(&self, state: &mut State, question: &Self::Question, answer: &Self::Answer) {
        match (question.carried(), answer) {
            (Some(_), Of::Run(answer)) => self.rulebook.apply_answer(state, *answer),
            (None, Of::Fight(answer)) => self.arena.apply_answer(&mut state.spire, question, answer),
            _ => {}
        }
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        state.tower.end.is_none().then_some(0)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        Some(match state.tower.end? {
            End::Died => Outcome::Lost,
            End::Won | End::Heart => Outcome::Won(0),
            End::Fled => Outcome::Drawn,
        })
    }
}

impl<A: Arena> Seen for Climb<A> {
    fn hides(&self, _state: &State, viewer: Viewer) -> bool {
        viewer != Viewer::All
    }

    /// What is hidden is to come: whatever was on its way lay open.
    fn hears_of(&self, _state: &State, _effect: &Self::Effect, _viewer: Viewer) -> bool {
        true
    }

    /// Players see the map and what was offered; the dice, pools and lists to come are nobody's to know.
    fn view(&self, state: &State, viewer: Viewer) -> serde_json::Value {
        let mut value = serde_json::to_value(state).unwrap_or_default();
        if viewer == Viewer::All {
            return value;
        }
        value["spire"] = self.arena.view(&state.spire, viewer);
        if let Some(fate) = value["tower"]["fate"].as_object_mut() {
            for hidden in ["seed", "streams", "drift", "relics", "fights", "events", "colorless"] {
                fate.remove(hidden);
            }
        }
        // What waits in the rooms of a hand-made map is found out by going there.
        if let Some(hand_made) = value["tower"]["hand_made"].as_object_mut() {
            hand_made.remove("contents");
        }
        value["tower"]["boss"] = state.tower.fate.boss().0.into();
        let screens = value["tower"]["screens"].as_array_mut().into_iter().flatten();
        screens.filter_map(|screen| screen.get_mut("event")).for_each(hide_drawn);
        value
    }

    fn redact(
        &self,
        before: &State,
        after: &State,
        event: &Self::Event,
        viewer: Viewer,
    ) -> Option<Self::Event> {
        let Some(outer) = event.carried() else {
            return self.arena.redact(&before.spire, &after.spire, event, viewer);
        };
        let mut event = outer.clone();
        if let (Some(change), false) = (event.change_mut(), viewer == Viewer::All) {
            *change = FateChange::default();
        }
        if let (Event::Opened { screen, .. }, false) = (&mut event, viewer == Viewer::All)
            && let Screen::Event(opened) = &mut **screen
            && opened.detail.as_ref().is_some_and(EventDetail::is_secret)
        {
            opened.detail = None;
        }
        Some(A::Event::carry(event))
    }
}

impl<A: Arena> Told for Climb<A> {
    fn tell(&self, state: &State, event: &Self::Event) -> String {
        match event.carried() {
            Some(outer) => self.rulebook.tell(state, outer),
            None => self.arena.tell(&state.spire, event),
        }
    }

    fn tell_note(&self, state: &State, note: &NoteOf<Self>) -> String {
        self.arena.tell_note(&state.spire, note)
    }

    fn is_quiet(&self, event: &Self::Event) -> bool {
        match event.carried() {
            Some(outer) => self.rulebook.is_quiet(outer),
            None => self.arena.is_quiet(event),
        }
    }

    fn tell_effect(&self, state: &State, effect: &Self::Effect) -> String {
        match effect.carried() {
            Some(outer) => self.rulebook.tell_effect(state, outer),
            None => self.arena.tell_effect(&state.spire, effect),
        }
    }

    fn tell_listener(&self, state: &State, listener: Self::Listener) -> String {
        match listener.carried() {
            Some(relic) => self.rulebook.relic_name(*relic),
            None => self.arena.tell_listener(&state.spire, listener),
        }
    }

    fn tell_action(&self, state: &State, action: &Self::Action) -> String {
        match action {
            Of::Run(action) => self.rulebook.tell_action(state, *action),
            Of::Fight(action) => self.arena.tell_action(&state.spire, action),
        }
    }

    fn tell_question(&self, state: &State, question: &Self::Question) -> String {
        match question.carried() {
            Some(outer) => self.rulebook.tell_question(*outer),
            None => self.arena.tell_question(&state.spire, question),
        }
    }

    fn tell_answer(&self, state: &State, question: &Self::Question, answer: &Self::Answer) -> String {
        match (question.carried(), answer) {
            (Some(outer), Of::Run(answer)) => self.rulebook.tell_answer(state, *outer, *answer),
            (None, Of::Fight(answer)) => self.arena.tell_answer(&state.spire, question, answer),
            _ => "an answer to another question".into(),
        }
    }
}

/// What an event drew on entry and will only show later.
fn hide_drawn(event: &mut serde_json::Value) {
    let Ok(screen) = serde_json::from_value::<EventScreen>(event.clone()) else { return };
    if let Some(cells) = event["detail"]["pairs"]["board"].as_array_mut() {
        let closed = cells.iter_mut().enumerate().filter(|(cell, _)| !screen.shows(*cell));
        closed.for_each(|(_, card)| *card = serde_json::Value::Null);
    } else if screen.detail.is_some_and(|detail| detail.is_secret()) {
        event["detail"] = serde_json::Value::Null;
    }
}

/// What every arena does at the end of a fight.
trait LeaveWith: Arena {
    fn leave_with(&self, state: &mut State, ending: Ending, rulebook: &Rulebook) {
        let counts = state.spire.combat.counts;
        self.leave(&mut state.spire);
        if let Some(dice) = state.spire.run.dice.take() {
            dice.give_back(&mut state.tower.edit().fate.streams);
        }
        rulebook.leave_fight(state, ending, &counts);
    }
}

impl<A: Arena> LeaveWith for A {}
