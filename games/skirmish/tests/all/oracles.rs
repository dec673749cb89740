//! The kernel's promises, proved on skirmish: scenarios of both profiles and
//! rule modules, in combat and in exploration.

use std::sync::Arc;
use turnstone_skirmish::{Profile, Setup, Skirmish};
use turnstone_testkit::{Plan, prove};

const SCENARIOS: [&str; 3] = ["bridge-at-dusk", "crypt-of-lanterns", "toll-on-the-pass"];
const DIFFICULTIES: [&str; 4] = ["easy", "normal", "hard", "deadly"];

fn scenario(seed: u64) -> Setup {
    Setup::scenario(SCENARIOS[seed as usize % 3], DIFFICULTIES[seed as usize / 3 % 4])
}

#[test]
fn promises_hold_in_combat() {
    prove(&Arc::new(Skirmish::default()), scenario, Plan { cases: 12, ..Plan::default() });
}

#[test]
fn promises_hold_in_exploration() {
    let setup = |seed| Setup { in_combat: false, ..scenario(seed) };
    prove(&Arc::new(Skirmish::default()), setup, Plan { cases: 4, steps: 20, probes: 4, ..Plan::default() });
}

#[test]
fn promises_hold_in_the_older_profile() {
    let setup = |seed| Setup { profile: Profile::Mir14, ..scenario(seed) };
    prove(&Arc::new(Skirmish::default()), setup, Plan { cases: 8, steps: 40, ..Plan::default() });
}

#[test]
fn promises_hold_with_rule_modules() {
    let modules = ["core-5e-lite", "homebrew-bell"];
    let setup = |seed| Setup { module: Some(modules[seed as usize % 2].to_string()), ..scenario(seed) };
    prove(&Arc::new(Skirmish::default()), setup, Plan { cases: 6, steps: 40, ..Plan::default() });
}
