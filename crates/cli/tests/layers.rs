//! Who may depend on whom: the kernel on no game, a game on no other game, the outside on the table.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Our packages, each with those of ours it needs to run (not to be tested).
fn needs() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
            let ours = dependencies.filter(|one| one["kind"].is_null() && name(one).starts_with("turnstone"));
            (name(package), ours.map(name).collect())
        })
        .collect()
}

const GAMES: [&str; 4] = ["turnstone-chess", "turnstone-grid", "turnstone-skirmish", "turnstone-spire"];

#[test]
fn the_kernel_depends_on_nothing_of_ours() {
    assert_eq!(needs()["turnstone"], Vec::<String>::new());
}

#[test]
fn a_game_depends_on_the_kernel_alone() {
    let needs = needs();
    for game in GAMES {
        assert_eq!(needs[game], ["turnstone"], "{game}");
    }
}

#[test]
fn every_game_in_the_tree_is_known_to_this_test() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let folders = std::fs::read_dir(dir).expect("the games folder").filter_map(Result::ok);
    let mut found: Vec<String> =
        folders.map(|entry| format!("turnstone-{}", entry.file_name().to_string_lossy())).collect();
    found.sort();
    assert_eq!(found, GAMES);
}

#[test]
fn test_kit_and_samples_depend_on_the_kernel_alone() {
    for package in ["turnstone-testkit", "turnstone-samples"] {
        assert_eq!(needs()[package], ["turnstone"], "{package}");
    }
}

#[test]
fn the_command_line_talks_to_the_table_only() {
    assert_eq!(needs()["turnstone-cli"], ["turnstone-table"]);
}
