//! Benchmarks: moves and attacks at any length of log, verification, clones.

use crate::Profile;
use crate::action::Action;
use crate::catalog::Catalog;
use crate::document::{Document, EventDoc};
use crate::game::Skirmish;
use crate::setup::Setup;
use crate::stage::{Rules, Stage};
use crate::state::State;
use serde_json::Map;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{EntryOf, Game, Input, InputOf, Live, Log, Off, Position, Resolver, fold};
use turnstone_host::{Bench, Hosted};

/// Actions per chunk.
const CHUNK: u64 = 20_000;

/// All benchmarks.
pub fn all() -> Vec<Bench> {
    let mut all = vec![
        bench("move/log-0/off", "actions", MOVE, || moves(0, false)),
        bench("move/log-0/on", "actions", MOVE, || moves(0, true)),
        bench("move/log-1000/off", "actions", MOVE, || moves(1_000, false)),
        bench("move/log-1000/on", "actions", MOVE, || moves(1_000, true)),
        bench("move/log-100000/off", "actions", MOVE, || moves(100_000, false)),
        bench("move/log-100000/on", "actions", MOVE, || moves(100_000, true)),
        bench("attack/log-0/off", "actions", ATTACK, || attacks(0, false)),
        bench("attack/log-0/on", "actions", ATTACK, || attacks(0, true)),
        bench("attack/log-1000/off", "actions", ATTACK, || attacks(1_000, false)),
        bench("attack/log-1000/on", "actions", ATTACK, || attacks(1_000, true)),
        bench("attack/log-100000/off", "actions", ATTACK, || attacks(100_000, false)),
        bench("attack/log-100000/on", "actions", ATTACK, || attacks(100_000, true)),
        bench("verify", "events", VERIFY, verification),
        bench("fold", "events", FOLD, folding),
        bench("playout", "actions", PLAYOUT, playouts),
    ];
    let mut clone = bench("clone", "clones", CLONE, clones);
    clone.facts = Some(clone_facts);
    all.push(clone);
    all
}

const MOVE: &str = "one step back and forth, checked and all or nothing, with a log of that many events";
const ATTACK: &str = "one attack with its dice, checked and all or nothing, with a log of that many events";
const VERIFY: &str = "rerun every action of a fight, compare every event, fold it and compare every state";
const FOLD: &str = "fold the events of a fight";
const PLAYOUT: &str = "random legal actions in whole fights on the bridge, listing included";
const CLONE: &str = "copy the state of a fight on the bridge";

fn bench(name: &str, unit: &'static str, about: &str, prepare: fn() -> Box<dyn FnMut() -> u64>) -> Bench {
    let name = format!("{}/{name}", Skirmish::NAME);
    Bench { name, unit, about: about.to_string(), parts: None, prepare, facts: None }
}

/// Two sides close to each other, with a log of `events` entries, out of combat.
fn field(events: usize) -> State {
    let catalog = Catalog::built_in();
    let scenario = catalog.scenario("bridge-at-dusk").map(|s| s.initial_state.clone()).unwrap_or_default();
    let mut document: Document =
        serde_json::from_value(scenario).expect("the built-in scenarios can be read");
    document.rng.algorithm = None;
    document.log.events = (1..=events).map(old_event).collect();
    if let Some(npc) = document.entities.npcs.first_mut() {
        (npc.position.x, npc.position.y) = (6, 4);
        // Tough enough for any number of blows.
        (npc.stats.hp_current, npc.stats.hp_max) = (1 << 50, 1 << 50);
    }
    State::new(Stage::new(document, Rules::recorded(Profile::Mir023, &catalog)))
}

fn old_event(number: usize) -> EventDoc {
    EventDoc {
        id: crate::export::event_id(number),
        timestamp: "2026-01-01T00:00:00.000Z".to_string(),
        kind: "note".to_string(),
        payload: Map::new(),
    }
}

fn moves(events: usize, record: bool) -> Box<dyn FnMut() -> u64> {
    let state = field(events);
    let id = state.stage.figures[0].id.clone();
    let home = state.cell(0);
    let aside = crate::board::Cell::new(home.x, home.y + 1);
    let inputs = [Input::Act(Action::walk(&id, [aside])), Input::Act(Action::walk(&id, [home]))];
    repeat(state, inputs, record)
}

fn attacks(events: usize, record: bool) -> Box<dyn FnMut() -> u64> {
    let state = field(events);
    let (hero, foe) = (state.stage.figures[0].id.clone(), state.stage.figures[3].id.clone());
    let input = Input::Act(Action::attack(&hero, &foe));
    repeat(state, [input.clone(), input], record)
}

fn repeat(state: State, inputs: [InputOf<Skirmish>; 2], record: bool) -> Box<dyn FnMut() -> u64> {
    let game = Skirmish::default();
    let mut position = Position::new(state);
    let mut resolver = Resolver::default();
    let mut log: Log<Skirmish> = Log::default();
    Box::new(move || {
        log.clear();
        for n in 0..CHUNK {
            let input = &inputs[(n % 2) as usize];
            let result = match record {
                true => resolver.act(&game, &mut position, input, &mut log),
                false => resolver.act(&game, &mut position, input, &mut Off),
            };
            debug_assert!(result.is_ok(), "{result:?}");
        }
        CHUNK
    })
}

/// A recorded fight: its first state, its inputs, and the events of each.
struct Recorded {
    first: State,
    inputs: Vec<(InputOf<Skirmish>, Vec<EntryOf<Skirmish>>, State)>,
    events: u64,
}

fn record(length: usize) -> Recorded {
    let game = Skirmish::default();
    let setup = Setup::scenario("bridge-at-dusk", "normal");
    let first = game.start(&setup, 7).unwrap_or_else(|_| field(0));
    let mut position = Position::new(first.clone());
    let mut resolver = Resolver::default();
    let mut lots = Lots::new(7, Stream::named("skirmish bench"));
    let mut recorded = Recorded { first, inputs: Vec::new(), events: 0 };
    let mut legal = Vec::new();
    while recorded.inputs.len() < length {
        legal.clear();
        game.legal(position.state(), &mut legal);
        let Some(action) = lots.pick(&legal).cloned() else { break };
        let mut log = Log::default();
        let input = Input::Act(action);
        let _ = resolver.act(&game, &mut position, &input, &mut log);
        recorded.events += log.entries().len() as u64;
        recorded.inputs.push((input, log.entries().to_vec(), position.state().clone()));
    }
    recorded
}

fn verification() -> Box<dyn FnMut() -> u64> {
    let game = Skirmish::default();
    let recorded = record(1_000);
    let mut resolver = Resolver::default();
    let mut log = Log::default();
    Box::new(move || {
        let mut events = 0;
        while events < CHUNK {
            let mut position = Position::new(recorded.first.clone());
            let mut folded = Live { state: recorded.first.clone(), pending: None, serial: 0 };
            for (input, entries, state) in &recorded.inputs {
                log.clear();
                let _ = resolver.act(&game, &mut position, input, &mut log);
                log.entries().iter().for_each(|entry| fold(&game, &mut folded, &entry.fact));
                let same =
                    log.entries() == &entries[..] && position.state() == state && folded.state == *state;
                assert!(same, "a fight reruns as it was recorded");
            }
            events += recorded.events.max(1);
        }
        events
    })
}

fn folding() -> Box<dyn FnMut() -> u64> {
    let game = Skirmish::default();
    let recorded = record(1_000);
    Box::new(move || {
        let mut events = 0;
        while events < CHUNK {
            let mut folded = Live { state: recorded.first.clone(), pending: None, serial: 0 };
            let entries = recorded.inputs.iter().flat_map(|(_, entries, _)| entries);
            entries.for_each(|entry| fold(&game, &mut folded, &entry.fact));
            events += recorded.events.max(1);
        }
        events
    })
}

fn playouts() -> Box<dyn FnMut() -> u64> {
    let game = Skirmish::default();
    let setup = Setup::scenario("bridge-at-dusk", "normal");
    let first = game.start(&setup, 7).unwrap_or_else(|_| field(0));
    let mut resolver = Resolver::default();
    let mut lots = Lots::new(7, Stream::named("skirmish bench"));
    let mut legal = Vec::new();
    Box::new(move || {
        let mut position = Position::new(first.clone());
        let mut actions = 0;
        while actions < 20_000 {
            legal.clear();
            game.legal(position.state(), &mut legal);
            let Some(action) = lots.pick(&legal).cloned() else { break };
            let _ = resolver.act_unchecked(&game, &mut position, &Input::Act(action), &mut Off);
            actions += 1;
        }
        actions
    })
}

fn clones() -> Box<dyn FnMut() -> u64> {
    let state = record(40).inputs.pop().map_or_else(|| field(0), |(_, _, state)| state);
    let mut copy = state.clone();
    Box::new(move || {
        for _ in 0..CHUNK {
            std::hint::black_box(&mut copy).clone_from(std::hint::black_box(&state));
        }
        CHUNK
    })
}

fn clone_facts() -> Vec<(String, String)> {
    let state = record(40).inputs.pop().map_or_else(|| field(0), |(_, _, state)| state);
    let inline = size_of::<State>();
    let json = serde_json::to_string(&state).map_or(0, |text| text.len());
    vec![("bytes".to_string(), inline.to_string()), ("json".to_string(), json.to_string())]
}
