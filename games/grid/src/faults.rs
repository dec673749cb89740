//! Deliberately broken rules, to show that the golden records notice. This
//! file is only part of the tests.

use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use crate::conform::conform;
use crate::event::Event;

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// A broken rule: what becomes of a fact; `None` if it does not happen.
type Fault = fn(Event) -> Option<Event>;

/// Passes a fact through the fault that is planted, if any.
pub(crate) fn pass(event: Event) -> Option<Event> {
    PLANTED.get().map_or_else(|| Some(event.clone()), |fault| fault(event.clone()))
}

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.jsonl.gz"));
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn failures(records: &str, fault: Option<Fault>) -> usize {
    PLANTED.set(fault);
    let options = [("profile".to_string(), "head".to_string())];
    let failures = conform("micro", records, &options).unwrap().failures.len();
    PLANTED.set(None);
    failures
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
    let records = golden("micro");
    assert_eq!(failures(&records, None), 0);
    for (name, fault) in FAULTS {
        let noticed = failures(&records, Some(fault));
        assert!(noticed > 0, "no record notices that {name}");
        println!("{name}: {noticed} records");
    }
}
