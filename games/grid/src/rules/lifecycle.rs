//! How a step runs through the schedule: systems in order, the deed in the
//! middle, and long moves cell by cell with the substep systems after each.

use turnstone::ProposalsOf;

use crate::action::Deed;
use crate::component::Mask;
use crate::effect::{Cursor, Effect};
use crate::game::Grid;
use crate::geometry::{Cell, Direction};
use crate::moves::{MoveRule, Path, gust};
use crate::rules;
use crate::rules::awake::{Wakers, awake};
use crate::rules::status;
use crate::schedule::{Orders, Run, Turn};
use crate::state::State;
use crate::world::{Slot, World};

type Out = ProposalsOf<Grid>;

impl Grid {
    fn length(&self) -> u8 {
        self.schedule.entries.len() as u8
    }

    /// The lifecycle of a whole step.
    pub(crate) fn whole(&self, agent: Slot, deed: Deed) -> Cursor {
        Cursor { agent, deed, at: 0, end: self.length() }
    }

    #[inline]
    fn turn<'a>(&'a self, state: &'a State, cursor: Cursor) -> Turn<'a> {
        Turn {
            world: &state.world,
            rules: &self.rules,
            agent: cursor.agent,
            is_last_substep: cursor.end != self.schedule.conclude,
            game: self,
            guest: None,
            state,
        }
    }

    /// Passes over systems without work. The first with work puts it in front of the queue and
    /// the rest of the lifecycle on the agenda.
    #[inline]
    pub(crate) fn run(&self, state: &State, mut cursor: Cursor, out: &mut Out) {
        let turn = self.turn(state, cursor);
        let awake = awake(&turn);
        while let Some(at) = self.schedule.next_awake(cursor.at, cursor.end, awake) {
            cursor.at = at + 1;
            let run = &self.schedule.entries[usize::from(at)].run;
            if let Run::Deed = run {
                if self.deed(&turn, cursor, out) {
                    return;
                }
                continue;
            }
            let mut orders = Orders::new(out, at);
            run.order(&turn, &mut orders);
            if orders.count() > 0 {
                self.and_the_rest(&turn, cursor, run.wakes_nobody().then_some(awake), out);
                return;
            }
        }
        self.end_substep(state, cursor, out);
    }

    /// Adds what can be proposed together with this, and puts the rest on the agenda, unless it is
    /// known who is awake then and that nobody of the rest is.
    #[inline]
    fn and_the_rest(&self, turn: &Turn, mut cursor: Cursor, awake: Option<Wakers>, out: &mut Out) {
        while let Some(entry) = self.schedule.entries.get(usize::from(cursor.at)) {
            if cursor.at >= cursor.end || !entry.late {
                break;
            }
            entry.run.order(turn, &mut Orders::new(out, cursor.at));
            cursor.at += 1;
        }
        let asleep = |awake| self.schedule.next_awake(cursor.at, cursor.end, awake).is_none();
        if !awake.is_some_and(asleep) {
            out.agenda(Effect::Run(cursor));
        }
    }

    /// Carries out the deed; whether the rest of the lifecycle went to the agenda.
    #[inline]
    fn deed(&self, turn: &Turn, cursor: Cursor, out: &mut Out) -> bool {
        let Some(direction) = cursor.deed.direction() else {
            return self.act_in_place(turn, cursor, out);
        };
        let (world, agent) = (turn.world, cursor.agent);
        if !world.cell(agent).is_some() {
            return false;
        }
        let haste = status::select(world, agent, Mask::SPEED);
        let count = haste.map_or(1, |effect| world.cast.of(effect).multiplier);
        if let Some(effect) = haste.filter(|effect| world.has(*effect, Mask::USAGE_LIMIT)) {
            out.first(Effect::Spend { bearer: agent, effect });
        }
        if let Some(cell) = self.only_cell(world, agent, direction).filter(|_| count == 1) {
            self.attempt(world, agent, cell, out);
            out.agenda(Effect::Run(cursor));
            return true;
        }
        self.move_on(cursor, direction, count, out);
        true
    }

    /// A move of several cells: its parts, and after them the end of the step.
    fn move_on(&self, cursor: Cursor, direction: Direction, left: i32, out: &mut Out) {
        out.agenda(Effect::Submove { agent: cursor.agent, direction, left });
        if cursor.end > self.schedule.conclude {
            out.agenda(Effect::Run(Cursor { at: self.schedule.conclude, ..cursor }));
        }
    }

    fn act_in_place(&self, turn: &Turn, cursor: Cursor, out: &mut Out) -> bool {
        let mut orders = Orders::new(out, self.schedule.act);
        match cursor.deed {
            Deed::UseKey => rules::unlock(turn, &mut orders),
            Deed::PickUp => rules::collect(turn, &mut orders),
            _ => {}
        }
        let busy = orders.count() > 0;
        if busy {
            out.agenda(Effect::Run(cursor));
        }
        busy
    }

    /// The cell of a move that has only one.
    #[inline]
    fn only_cell(&self, world: &World, agent: Slot, direction: Direction) -> Option<Cell> {
        if world.cast.move_rule == MoveRule::Cardinal && self.move_function.is_none() {
            let next = world.cast.bounds.step(world.cell(agent), direction.vector());
            return Some(next.unwrap_or(Cell::NONE));
        }
        match self.path(world, agent, direction)[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// The cells of one move.
    fn path(&self, world: &World, agent: Slot, direction: Direction) -> Path {
        let Some(function) = &self.move_function else {
            return world.cast.move_rule.path(world, agent, direction);
        };
        let path = function.path(world, agent, direction);
        if path.is_empty() { smallvec::smallvec![world.cell(agent)] } else { path }
    }

    /// Pushes what can be pushed out of the cell, or walks into it.
    #[inline]
    fn attempt(&self, world: &World, agent: Slot, cell: Cell, out: &mut Out) {
        if rules::can_push(world, agent, cell).is_none() {
            out.first(Effect::Walk { agent, to: cell, phased: false });
            return;
        }
        out.first(Effect::Push { agent, cell });
        if !self.rules.profile.walk_after_push {
            return;
        }
        // D1: the walk that follows finds the agent there already; only phasing is paid.
        let ghost = status::select(world, agent, Mask::PHASING);
        if let Some(effect) = ghost.filter(|effect| world.has(*effect, Mask::USAGE_LIMIT)) {
            out.first(Effect::Spend { bearer: agent, effect });
        }
    }

    /// One move of a long move action, on the world as it is now: its cells, then the next move.
    pub(crate) fn submove(&self, world: &World, agent: Slot, direction: Direction, left: i32, out: &mut Out) {
        if left <= 0 || !world.cell(agent).is_some() {
            return;
        }
        let path = self.path(world, agent, direction);
        if world.cast.move_rule == MoveRule::Windy && path.len() > 1 {
            let drift = gust(world.cast.seed, world.live.turn).drift;
            drift.map(|drift| out.first(Effect::Blow { drift }));
        }
        for cell in path {
            out.agenda(Effect::Attempt { agent, cell });
        }
        if left > 1 {
            out.agenda(Effect::Submove { agent, direction, left: left - 1 });
        }
    }

    /// One cell of a long move, and the substep systems after it.
    pub(crate) fn substep(&self, world: &World, agent: Slot, cell: Cell, out: &mut Out) {
        let (at, end) = (self.schedule.substep, self.schedule.conclude);
        out.agenda(Effect::Run(Cursor { agent, deed: Deed::Wait, at, end }));
        if !world.cell(agent).is_some() {
            return;
        }
        out.first(Effect::BeginSubstep);
        self.attempt(world, agent, cell, out);
    }

    /// After the substep systems of a long move: does it go on?
    fn end_substep(&self, state: &State, cursor: Cursor, out: &mut Out) {
        if cursor.end != self.schedule.conclude || !self.is_move_over(state, cursor.agent) {
            return;
        }
        let agent = cursor.agent;
        out.withdraw(Effect::Submove { agent, direction: Direction::Up, left: 0 });
    }

    fn is_move_over(&self, state: &State, agent: Slot) -> bool {
        let world = &state.world;
        if self.rules.profile.walk_until_still {
            return state.is_still();
        }
        world.is_over() || world.has(agent, Mask::DEAD) || !state.stirred
    }
}
