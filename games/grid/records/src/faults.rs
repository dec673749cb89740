//! Deliberately broken rules, to show that the golden records notice. This
//! file is only part of the tests.

use std::path::Path;

use serde_json::Value;
use turnstone::{
    Expanded, Game, Limits, ListenersOf, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Settled,
};
use turnstone_grid::action::Action;
use turnstone_grid::effect::Effect;
use turnstone_grid::event::Event;
use turnstone_grid::reason::Reason;
use turnstone_grid::ruleset::{Profile, Ruleset};
use turnstone_grid::state::State;
use turnstone_grid::{Grid, Setup};
use turnstone_testkit::golden;

use crate::trace;

/// A broken rule: what becomes of a fact; `None` if it does not happen.
type Fault = fn(Event) -> Option<Event>;

/// The rules of the grid world, but for one fault.
struct Broken {
    grid: Grid,
    fault: Fault,
}

impl Game for Broken {
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Effect = Effect;
    type Event = Event;
    type Listener = <Grid as Game>::Listener;
    type Question = Never;
    type Answer = Never;
    type Reason = Reason;

    fn start(&self, setup: &Setup, seed: u64) -> Result<State, Rejection> {
        self.grid.start(setup, seed)
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        self.grid.check(state, action)
    }

    fn open(&self, state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        self.grid.open(state, action, out);
    }

    fn expand(&self, state: &State, effect: &Effect, out: &mut ProposalsOf<Self>) -> Expanded<Effect> {
        self.grid.expand(state, effect, out)
    }

    fn before_listeners(&self, state: &State, effect: &Effect, heard: &mut ListenersOf<Self>) {
        self.grid.before_listeners(state, effect, heard);
    }

    fn before(
        &self,
        listener: Self::Listener,
        state: &State,
        effect: &mut Effect,
        out: &mut ProposalsOf<Self>,
    ) -> turnstone::Verdict {
        self.grid.before(listener, state, effect, out)
    }

    fn settle(&self, state: &State, effect: &Effect, notes: &mut NotesOf<Self>) -> Settled<Event, Never> {
        match self.grid.settle(state, effect, notes) {
            Settled::Event(event) => (self.fault)(event).map_or(Settled::Stale, Settled::Event),
            Settled::Stale => Settled::Stale,
            Settled::Ask(_, question) => match question {},
        }
    }

    fn apply(&self, state: &mut State, event: &Event) {
        self.grid.apply(state, event);
    }

    fn withdraws(&self, like: &Effect, waiting: &Effect) -> bool {
        self.grid.withdraws(like, waiting)
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        self.grid.legal(state, out);
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.grid.actor(state)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.grid.outcome(state)
    }

    fn limits(&self) -> Limits {
        self.grid.limits()
    }
}

/// How many records disagree with the broken rules.
fn failures(records: &[Value], fault: Fault) -> usize {
    let disagrees = |record: &&Value| {
        let grid = Grid::new(Ruleset::of(Profile::HEAD));
        trace::check_by(Broken { grid, fault }, record, Profile::HEAD).is_err()
    };
    records.iter().filter(disagrees).count()
}

const FAULTS: [(&str, Fault); 14] = [
    ("hits hurt one more", |event| {
        Some(match event {
            Event::Hurt { target, damager, health, died } => {
                Event::Hurt { target, damager, health: (health - 1).max(0), died }
            }
            other => other,
        })
    }),
    ("nobody dies", |event| {
        Some(match event {
            Event::Hurt { target, damager, health, .. } => {
                Event::Hurt { target, damager, health, died: false }
            }
            other => other,
        })
    }),
    ("movers are never stopped", |event| {
        Some(match event {
            Event::Patrolled { mover, steps, .. } => Event::Patrolled { mover, steps, stopped: false },
            other => other,
        })
    }),
    ("hunters stand still", |event| (!matches!(event, Event::Hunted { .. })).then_some(event)),
    ("portals are shut", |event| (!matches!(event, Event::Teleported { .. })).then_some(event)),
    ("pushed things leave no trail", |event| {
        Some(match event {
            Event::Pushed { agent, things, from, to, .. } => {
                Event::Pushed { agent, things, from, to, trail: false }
            }
            other => other,
        })
    }),
    ("keys do not fit", |event| (!matches!(event, Event::Unlocked { .. })).then_some(event)),
    ("uses are free", |event| (!matches!(event, Event::Spent { .. })).then_some(event)),
    ("shields never wear out", |event| {
        Some(match event {
            Event::Negated { target, damager, effect, .. } => {
                Event::Negated { target, damager, effect, left: None }
            }
            other => other,
        })
    }),
    ("time stands still", |event| (!matches!(event, Event::Ticked { .. })).then_some(event)),
    ("floors are free", |event| (!matches!(event, Event::Scored { amount: ..0, .. })).then_some(event)),
    ("time never runs out", |event| {
        Some(match event {
            Event::TurnEnded { next, .. } => Event::TurnEnded { lost: false, next },
            other => other,
        })
    }),
    ("garbage stays", |event| (!matches!(event, Event::Vanished { .. })).then_some(event)),
    ("spent effects stay", |event| (!matches!(event, Event::Expired { .. })).then_some(event)),
];

#[test]
fn the_records_notice_every_planted_fault() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/micro.jsonl.gz");
    let records: Vec<Value> =
        golden::read(&path).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(failures(&records, Some), 0);
    for (name, fault) in FAULTS {
        let noticed = failures(&records, fault);
        assert!(noticed > 0, "no record notices that {name}");
        println!("{name}: {noticed} records");
    }
}
