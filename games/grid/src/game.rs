//! The rules of the grid world, as the kernel asks for them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnstone::{
    Expanded, Game, Limits, ListenersOf, Never, NoteOf, NotesOf, Outcome, PenOf, ProposalsOf, Rejection,
    Seat, Seen, Settled, Told, Verdict, Viewer, Written,
};

use crate::action::{Action, Deed};
use crate::apply::apply;
use crate::component::Mask;
use crate::document::WorldDocument;
use crate::effect::{Cursor, Deeds, Effect};
use crate::event::Event;
use crate::generate::Recipe;
use crate::label::Company;
use crate::listeners::{self, Listener};
use crate::moves::MoveFunction;
use crate::objective::Aim;
use crate::reason::{self, Reason};
use crate::rules;
use crate::ruleset::{Order, Ruleset, TOGETHER_MAX};
use crate::schedule::Schedule;
use crate::state::State;
use crate::tell;
use crate::view::{self, Outlook};
use crate::world::{Slot, World};

/// The rules of the grid world: a ruleset, a schedule of systems, and perhaps
/// a move rule of the user's.
#[derive(Clone, Default)]
pub struct Grid {
    /// Which rules are on.
    pub rules: Ruleset,
    /// The lifecycle of a step.
    pub schedule: Schedule,
    /// Replaces the move rule of every world.
    pub move_function: Option<Arc<dyn MoveFunction>>,
    /// Replaces the objective of every world.
    pub aim: Option<Arc<dyn Aim>>,
    /// In which form seats are shown the world.
    pub outlook: Outlook,
}

impl Grid {
    /// The standard lifecycle under these rules.
    pub fn new(rules: Ruleset) -> Self {
        Self { rules, ..Self::default() }
    }

    /// The state a match in that world begins with.
    pub(crate) fn begin(&self, world: World) -> State {
        let mut state = State::new(world);
        if self.rules.order == Order::Rotation {
            state.next = rules::next_agent(&state.world, Slot::NONE);
        }
        state
    }

    /// Who acts when nobody is named: the one whose turn it is, or the first.
    #[inline]
    pub(crate) fn expected(&self, state: &State) -> Option<Slot> {
        match self.rules.order {
            Order::Rotation => Some(state.next).filter(|slot| slot.is_some()),
            _ => state.world.first_agent(),
        }
    }

    /// The agent an action names, or whose turn it is.
    fn agent(&self, state: &State, named: Option<u32>) -> Result<Slot, Rejection> {
        let (world, expected) = (&state.world, self.expected(state));
        let Some(id) = named else {
            return expected.ok_or_else(|| Rejection::new("NO_AGENT", "no entity is an agent"));
        };
        let found = world.cast.slot(i64::from(id)).filter(|slot| world.has(*slot, Mask::AGENT));
        let Some(agent) = found else {
            return Err(Rejection::new("UNKNOWN_AGENT", format!("entity {id} is no agent")));
        };
        if self.rules.order == Order::Rotation && Some(agent) != expected {
            return Err(Rejection::new("NOT_YOUR_TURN", format!("it is not the turn of agent {id}")));
        }
        Ok(agent)
    }

    fn check_step(&self, state: &State, agent: Option<u32>) -> Result<(), Rejection> {
        if self.rules.order == Order::Together {
            return Err(Rejection::new("ALL_ACT_TOGETHER", "give one deed for every living agent"));
        }
        let (agent, world) = (self.agent(state, agent)?, &state.world);
        let dead = world.has(agent, Mask::DEAD);
        // A dead agent's step does nothing but lose, even after a victory.
        if world.live.lose || (world.live.win && !dead) {
            return Err(Rejection::new("GAME_OVER", "the game is won or lost already"));
        }
        if !dead && !world.cell(agent).is_some() {
            return Err(Rejection::new("NOT_ON_BOARD", "the agent is not on the board"));
        }
        Ok(())
    }

    fn check_together(&self, state: &State, deeds: &[(u32, Deed)]) -> Result<(), Rejection> {
        let world = &state.world;
        if self.rules.order != Order::Together {
            return Err(Rejection::new("ONE_ACTS_AT_A_TIME", "a step names one agent under these rules"));
        }
        if world.is_over() {
            return Err(Rejection::new("GAME_OVER", "the game is won or lost already"));
        }
        let active = active(world).map(|agent| world.cast.id(agent));
        if !active.eq(deeds.iter().map(|(id, _)| *id)) {
            let text = "name every living agent once, in ascending id order";
            return Err(Rejection::new("WRONG_AGENTS", text));
        }
        Ok(())
    }

    fn check_resign(&self, state: &State, agent: Option<u32>) -> Result<(), Rejection> {
        let world = &state.world;
        if world.cast.company != Company::Rivals {
            return Err(Rejection::new("NO_OPPONENT", "nobody here would win by that"));
        }
        if world.is_over() {
            return Err(Rejection::new("GAME_OVER", "the game is won or lost already"));
        }
        let found = self.resigning(state, agent).filter(|agent| world.is_active(*agent));
        found.map(|_| ()).ok_or_else(|| Rejection::new("UNKNOWN_AGENT", "no such agent is still in the game"))
    }

    /// Who gives up: any agent may at any time, and nobody else can for him.
    fn resigning(&self, state: &State, named: Option<u32>) -> Option<Slot> {
        let world = &state.world;
        match named {
            Some(id) => world.cast.slot(i64::from(id)).filter(|slot| world.has(*slot, Mask::AGENT)),
            None => self.expected(state),
        }
    }

    fn legal_resignations(&self, state: &State, out: &mut Vec<Action>) {
        let world = &state.world;
        if world.cast.company != Company::Rivals {
            return;
        }
        match self.rules.order {
            Order::Rotation => out.push(Action::Resign { agent: None }),
            Order::Anyone | Order::Together => {
                out.extend(active(world).map(|agent| Action::Resign { agent: Some(world.cast.id(agent)) }));
            }
        }
    }

    /// Who gives up is out; then it is seen whether anybody is left to play against.
    fn open_resignation(&self, agent: Slot, out: &mut ProposalsOf<Self>) {
        let lose = self.schedule.names().position(|name| name == "lose").unwrap_or(0) as u8;
        out.agenda(Effect::Run(Cursor { agent, deed: Deed::Wait, at: lose, end: lose + 1 }));
        out.last(Effect::Resign { agent });
    }

    fn open_together(&self, state: &State, deeds: &[(u32, Deed)], out: &mut ProposalsOf<Self>) {
        let cast = &state.world.cast;
        let plan: Deeds =
            deeds.iter().filter_map(|(id, deed)| Some((cast.slot(i64::from(*id))?, *deed))).collect();
        let whole = self.whole(Slot::NONE, Deed::Wait);
        out.agenda(Effect::Run(Cursor { end: self.schedule.act, ..whole }));
        for &(agent, deed) in &plan {
            let (at, end) = (self.schedule.act, self.schedule.conclude);
            out.agenda(Effect::Run(Cursor { agent, deed, at, end }));
        }
        out.agenda(Effect::Run(Cursor { at: self.schedule.conclude, ..whole }));
        out.last(Effect::Declare { deeds: Box::new(plan) });
    }

    fn legal_steps(&self, state: &State, out: &mut Vec<Action>) {
        let world = &state.world;
        let first = self.agent(state, None).ok();
        let dead = |agent: Slot| world.has(agent, Mask::DEAD);
        for agent in world.agents().filter(|agent| world.cell(*agent).is_some() || dead(*agent)) {
            if self.rules.order == Order::Rotation && Some(agent) != first {
                continue;
            }
            let named = if Some(agent) == first { None } else { Some(world.cast.id(agent)) };
            // All deeds of a dead agent come to the same: it loses.
            let deeds = if dead(agent) { &Deed::ALL[6..] } else { &Deed::ALL[..] };
            out.extend(deeds.iter().map(|deed| Action::Step { deed: *deed, agent: named }));
        }
    }

    fn legal_together(state: &State, out: &mut Vec<Action>) {
        let ids: Vec<u32> = active(&state.world).map(|agent| state.world.cast.id(agent)).collect();
        for number in 0..7_usize.pow(ids.len().min(TOGETHER_MAX) as u32) {
            let deed = |place: usize| Deed::ALL[number / 7_usize.pow(place as u32) % 7];
            let deeds = ids.iter().enumerate().map(|(place, id)| (*id, deed(place))).collect();
            out.push(Action::Together { deeds });
        }
    }
}

impl Grid {
    /// A resignation as it is listed; those out of turn are accepted, and not listed.
    fn canonical_resignation(&self, state: &State, agent: Option<u32>) -> Option<Action> {
        let slot = self.resigning(state, agent)?;
        match self.rules.order {
            Order::Rotation => (Some(slot) == self.expected(state)).then_some(Action::Resign { agent: None }),
            Order::Anyone | Order::Together => {
                Some(Action::Resign { agent: Some(state.world.cast.id(slot)) })
            }
        }
    }
}

/// The living agents on the board, in id order.
pub(crate) fn active(world: &World) -> impl Iterator<Item = Slot> + '_ {
    world.agents().filter(|agent| world.is_active(*agent))
}

/// What a match starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setup {
    /// This very world; the match's seed plays no part.
    World(WorldDocument),
    /// A generated world; the match's seed makes it.
    Generated(Recipe),
}

impl Game for Grid {
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = Listener;
    type Question = Never;
    type Answer = Never;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        let world = match setup {
            Setup::World(document) => World::from_document(document)?,
            Setup::Generated(recipe) => recipe.match_world(seed)?,
        };
        let state = self.begin(world);
        self.validate(&state)?;
        Ok(state)
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        state.world.check_playable()?;
        let agents = active(&state.world).count();
        if self.rules.order == Order::Together && agents > TOGETHER_MAX {
            let text = format!("at most {TOGETHER_MAX} agents can act together, here are {agents}");
            return Err(Rejection::new("TOO_MANY_AGENTS", text));
        }
        let settled = self.rules.order == Order::Anyone || state.world.is_over();
        if state.world.cast.company == Company::Rivals && self.rules.order == Order::Anyone {
            return Err(Rejection::new("RIVALS_TAKE_TURNS", "rivals act in rotation or together"));
        }
        if !settled && agents == 0 {
            return Err(Rejection::new("NO_ACTIVE_AGENT", "no living agent is on the board"));
        }
        Ok(())
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        match action {
            Action::Step { agent, .. } => self.check_step(state, *agent),
            Action::Together { deeds } => self.check_together(state, deeds),
            Action::Resign { agent } => self.check_resign(state, *agent),
        }
    }

    #[inline]
    fn open(&self, state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        let (deed, agent) = match action {
            Action::Step { deed, agent: None } => (*deed, self.expected(state)),
            Action::Step { deed, agent } => (*deed, self.agent(state, *agent).ok()),
            Action::Together { deeds } => return self.open_together(state, deeds, out),
            Action::Resign { agent } => {
                let resigning = self.resigning(state, *agent);
                return resigning.map_or((), |agent| self.open_resignation(agent, out));
            }
        };
        let Some(agent) = agent else { return };
        if state.world.has(agent, Mask::DEAD) {
            out.last(Effect::Lose { agent });
            return;
        }
        self.run(state, self.whole(agent, deed), out);
    }

    /// What every step consists of: a walk that no active effect hears of, points, the end of the turn.
    #[inline]
    fn express(
        &self,
        pen: PenOf<'_, Self>,
        effect: &Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Option<Written<Event>> {
        let world = &pen.world;
        let fact = match *effect {
            Effect::Walk { agent, to, phased } if world.live.effects_borne == 0 => {
                rules::settle_walk(world, agent, to, phased)?
            }
            Effect::Score { agent, source, amount } => {
                reason::points(world, source, amount, out.notes());
                Event::Scored { agent, source, amount }
            }
            Effect::EndTurn => rules::settle_turn(&pen, self.rules.order),
            _ => return None,
        };
        Some(pen.write(fact, apply).1)
    }

    #[inline]
    fn expand(&self, state: &State, effect: &Effect, out: &mut ProposalsOf<Self>) -> Expanded<Effect> {
        match *effect {
            Effect::Run(cursor) => self.run(state, cursor, out),
            Effect::Submove { agent, direction, left } => {
                self.submove(&state.world, agent, direction, left, out);
            }
            Effect::Attempt { agent, cell } => self.substep(&state.world, agent, cell, out),
            _ => return Expanded::Keep,
        }
        Expanded::Into
    }

    #[inline]
    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        if let Some(listener) = listeners::heard_before(&state.world, effect) {
            heard.push(0, listener);
        }
    }

    fn before(
        &self,
        listener: Listener,
        state: &State,
        effect: &mut Effect,
        out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        listeners::before(listener, &state.world, &self.rules.profile, effect, out)
    }

    #[inline]
    fn settle(&self, state: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settled<Event, Never> {
        self.fact(state, effect, notes).map_or(Settled::Stale, Settled::Event)
    }

    #[inline]
    fn apply(&self, state: &mut State, event: &Event) {
        apply(state, event);
    }

    /// A forged file may tell of entities that never were.
    fn fits(&self, state: &State, event: &Event) -> bool {
        event.highest_slot() < state.world.slot_count()
    }

    fn tell_listener(&self, state: &State, listener: Listener) -> String {
        tell::held(&state.world, listener.bearer, listener.effect)
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        if state.world.is_over() {
            return;
        }
        match self.rules.order {
            Order::Together => Self::legal_together(state, out),
            Order::Anyone | Order::Rotation => self.legal_steps(state, out),
        }
        self.legal_resignations(state, out);
    }

    fn canonical(&self, state: &State, action: &Action) -> Option<Action> {
        let (deed, agent) = match *action {
            Action::Step { deed, agent } => (deed, agent),
            Action::Together { .. } => return Some(action.clone()),
            Action::Resign { agent } => return self.canonical_resignation(state, agent),
        };
        let acting = self.agent(state, agent).ok()?;
        let dead = state.world.has(acting, Mask::DEAD);
        if dead && state.world.live.win {
            return None;
        }
        let named = agent.filter(|_| self.agent(state, None).ok() != Some(acting));
        Some(Action::Step { deed: if dead { Deed::Wait } else { deed }, agent: named })
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        if state.world.is_over() {
            return None;
        }
        let seat = |agent: Slot| seat_of(&state.world, agent);
        match self.rules.order {
            Order::Rotation => Some(seat(state.next)),
            _ if state.world.cast.agents.len() == 1 => Some(0),
            _ => None,
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let world = &state.world;
        let nobody =
            || world.agents().all(|agent| !world.cell(agent).is_some() && !world.has(agent, Mask::DEAD));
        match (world.live.win, world.live.lose || nobody()) {
            // Whoever acts wins for all, unless they are rivals; who is alone wins by himself.
            (true, _) if world.cast.company != Company::Rivals && world.cast.agents.len() > 1 => {
                Some(Outcome::WonByAll)
            }
            (true, _) => Some(Outcome::Won(seat_of(world, state.winner))),
            (false, true) if world.cast.company == Company::Rivals => Some(Outcome::Drawn),
            (false, true) => Some(Outcome::Lost),
            (false, false) => None,
        }
    }

    /// With one move of an agent all that is left of it is withdrawn.
    fn withdraws(&self, like: &Effect, waiting: &Effect) -> bool {
        let mover = |effect: &Effect| match *effect {
            Effect::Submove { agent, .. } | Effect::Attempt { agent, .. } => Some(agent),
            _ => None,
        };
        mover(like).is_some() && mover(like) == mover(waiting)
    }

    /// A slide over a large grid is many effects, and none of them runs in a circle.
    fn limits(&self) -> Limits {
        Limits { effects: 1_000_000, replacements: 256 }
    }
}

impl Seen for Grid {
    fn view(&self, state: &State, viewer: Viewer) -> serde_json::Value {
        view::view(self.outlook, state, viewer)
    }
}

impl Told for Grid {
    fn tell(&self, state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        tell::event(self, &state.world, event)
    }

    fn is_quiet(&self, event: &Event) -> bool {
        tell::is_quiet(event)
    }

    fn tell_effect(&self, state: &State, effect: &Effect) -> String {
        tell::effect(self, &state.world, effect)
    }

    fn tell_note(&self, state: &State, note: &NoteOf<Self>) -> String {
        tell::note(&state.world, note)
    }

    fn tell_action(&self, state: &State, action: &Action) -> String {
        tell::action(&state.world, action)
    }
}

/// The seat of an agent: its rank among the agents.
fn seat_of(world: &World, agent: Slot) -> Seat {
    world.cast.agents.iter().position(|other| *other == agent).unwrap_or(0) as Seat
}

impl Grid {
    /// What becomes of an effect now; `None` if it makes no sense any more.
    #[inline]
    fn fact(&self, state: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Option<Event> {
        let world = &state.world;
        match *effect {
            Effect::Walk { agent, to, phased } => rules::settle_walk(world, agent, to, phased),
            Effect::Score { agent, source, amount } => {
                reason::points(world, source, amount, notes);
                Some(Event::Scored { agent, source, amount })
            }
            Effect::EndTurn => Some(rules::settle_turn(state, self.rules.order)),
            Effect::Track { agent } => Some(Event::Tracked { agent }),
            Effect::Patrol { mover, plan } => rules::settle_patrol(world, mover, plan),
            Effect::Hunt { hunter } => rules::settle_hunt(world, hunter),
            Effect::Hurt { target, damager } => rules::settle_hurt(world, target, damager, notes),
            Effect::Negate { target, damager, effect } => {
                rules::settle_negated(world, (target, damager), effect, notes)
            }
            Effect::Teleport { portal, ref entrants } => rules::settle_teleport(world, portal, entrants),
            Effect::Push { agent, cell } => rules::settle_push(world, &self.rules.profile, agent, cell),
            Effect::Tick { bearer, effect } => rules::settle_tick(world, bearer, effect, notes),
            Effect::Spend { bearer, effect } => rules::settle_spend(world, bearer, effect, notes),
            Effect::Unlock { agent, lock } => rules::settle_unlock(world, agent, lock),
            Effect::Collect { agent, item } => rules::settle_collect(world, agent, item, notes),
            Effect::NotePositions => Some(Event::PositionsNoted),
            Effect::Forget => Some(Event::Forgotten),
            Effect::BeginSubstep => {
                Some(Event::SubstepBegan { remembered: self.rules.profile.walk_until_still })
            }
            Effect::Blow { drift } => Some(Event::Blew { drift }),
            Effect::Shift { who, to, system } => shift(world, who, to, system),
            Effect::Win { agent } => Some(Event::Won { agent }),
            Effect::Lose { agent } => Some(Event::Lost { agent }),
            Effect::Shed { bearer, effect } => Some(Event::Expired { bearer, effect }),
            Effect::Sweep => Some(Event::Swept),
            Effect::Erase { entity } => Some(Event::Vanished { entity }),
            Effect::Resign { agent } => rules::settle_resign(state, agent),
            Effect::Remember(ref memo) => Some(Event::Remembered(memo.clone())),
            Effect::Declare { ref deeds } => Some(Event::Declared { deeds: deeds.clone() }),
            Effect::Run(_) | Effect::Submove { .. } | Effect::Attempt { .. } => None,
        }
    }
}

fn shift(world: &World, who: Slot, to: crate::geometry::Cell, system: u8) -> Option<Event> {
    let possible = world.cell(who).is_some() && to.index() < world.cast.bounds.area();
    (possible && world.cell(who) != to).then(|| Event::Shifted { who, to: world.spot(to), system })
}
