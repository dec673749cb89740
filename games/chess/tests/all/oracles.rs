//! The kernel's promises on random games of every ruleset and on every board.

use rayon::prelude::*;
use std::sync::Arc;
use turnstone_chess::run::RunSetup;
use turnstone_chess::{Chess, Setup, catalog::Catalog};
use turnstone_testkit::{Plan, prove};

fn plan(cases: u32, steps: usize) -> Plan {
    Plan { cases, steps, probes: 4, ..Plan::default() }
}

#[test]
fn every_ruleset_keeps_the_promises() {
    let catalog = Catalog::builtin();
    let playable = catalog.rulesets.iter().filter(|rules| rules.ends && rules.id != "run");
    playable.collect::<Vec<_>>().par_iter().for_each(|rules| {
        let chess = Arc::new(Chess::new(Arc::clone(&catalog), &rules.id).expect("a built-in ruleset"));
        prove(&chess, |_| Setup::Start, plan(5, 50));
    });
}

#[test]
fn every_board_keeps_the_promises() {
    let catalog = Catalog::builtin();
    catalog.boards.par_iter().for_each(|board| {
        let chess = Arc::new(Chess::new(Arc::clone(&catalog), &board.ruleset).expect("a built-in ruleset"));
        let (cases, steps) = if board.saved.width > 12 { (2, 15) } else { (4, 40) };
        prove(&chess, |_| Setup::Board(board.id.clone()), plan(cases, steps));
    });
}

#[test]
fn the_run_keeps_the_promises() {
    let chess = Arc::new(Chess::builtin("run").expect("a built-in ruleset"));
    prove(&chess, |_| Setup::Run(RunSetup::default()), plan(8, 120));
}

#[test]
fn boards_under_orthodox_rules_keep_the_promises() {
    let chess = Arc::new(Chess::builtin("standard").expect("a built-in ruleset"));
    for board in ["circus", "powder-keg", "graveyard"] {
        prove(&chess, |_| Setup::Board(board.to_owned()), plan(2, 12));
    }
}
