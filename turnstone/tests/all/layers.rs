//! Who may depend on whom. The kernel knows nothing of ours; games know kernel, host, content and gym,
//! never each other; everything around them knows no game; this program alone knows all four.

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
const PROGRAM: &str = "turnstone-games";

#[track_caller]
fn allow(package: &str, allowed: &[&str]) {
    let needs = needs();
    for need in needs.get(package).unwrap_or_else(|| panic!("there is no {package}")) {
        assert!(allowed.contains(&need.as_str()), "{package} must not depend on {need}");
    }
}

#[test]
fn the_kernel_depends_on_nothing_of_ours() {
    allow("turnstone-kernel", &[]);
}

#[test]
fn the_host_knows_the_kernel_alone() {
    allow("turnstone-host", &["turnstone-kernel"]);
}

#[test]
fn content_knows_the_host_alone() {
    allow("turnstone-content", &["turnstone-host"]);
}

#[test]
fn a_game_knows_kernel_host_and_content_and_no_other_game() {
    for game in GAMES {
        allow(game, &["turnstone-kernel", "turnstone-host", "turnstone-content", "turnstone-gym"]);
    }
}

#[test]
fn the_gym_knows_kernel_host_and_bots_alone() {
    allow("turnstone-gym", &["turnstone-kernel", "turnstone-host", "turnstone-bots"]);
}

#[test]
fn every_game_in_the_tree_is_known_to_this_test() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../games");
    let folders = std::fs::read_dir(dir).expect("the games folder").filter_map(Result::ok);
    let mut found: Vec<String> =
        folders.map(|entry| format!("turnstone-{}", entry.file_name().to_string_lossy())).collect();
    found.sort();
    assert_eq!(found, GAMES);
}

#[test]
fn samples_know_kernel_and_host_alone_and_the_test_kit_the_table_too() {
    allow("turnstone-samples", &["turnstone-kernel", "turnstone-host"]);
    allow("turnstone-testkit", &["turnstone-kernel", "turnstone-host", "turnstone-table"]);
}

#[test]
fn the_table_knows_kernel_host_and_content_and_those_around_it_the_table() {
    allow("turnstone-bots", &["turnstone-kernel", "turnstone-host", "turnstone-content"]);
    allow("turnstone-table", &["turnstone-kernel", "turnstone-host", "turnstone-bots", "turnstone-content"]);
    allow("turnstone-server", &["turnstone-table"]);
    allow("turnstone-arena", &["turnstone-table"]);
    allow("turnstone-cli", &["turnstone-table", "turnstone-content", "turnstone-arena", "turnstone-server"]);
}

/// Who knows one game finds his way in all of them.
#[test]
fn every_game_has_the_same_rooms() {
    let files = ["lib", "state", "action", "effect", "event", "apply", "reason", "view", "tell", "scene"];
    let files = files.map(|name| format!("src/{name}.rs"));
    let rooms = ["rules", "listeners", "catalog"].map(|name| format!("src/{name}/mod.rs"));
    let data = ["content", "tests/golden", "records/src/lib.rs"].map(str::to_owned);
    for game in GAMES {
        let folder = format!("../games/{}", game.trim_start_matches("turnstone-"));
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for room in files.iter().chain(&rooms).chain(&data) {
            assert!(folder.join(room).exists(), "{game} has no {room}");
        }
    }
}

/// Rust files below a folder, with their names.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a file");
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

/// A wish may come from a browser: nothing below the command line reaches for a file or the
/// environment. Tests may.
#[test]
fn only_the_outermost_crates_open_files() {
    let games = GAMES.map(|game| format!("games/{}/src", game.trim_start_matches("turnstone-")));
    let crates = ["kernel", "host", "content", "samples", "bots", "table", "gym"]
        .map(|name| format!("crates/{name}/src"));
    for (name, text) in games.iter().chain(&crates).flat_map(|folder| sources(folder)) {
        let is_test =
            ["tests.rs", "testing.rs", "faults.rs", "tune.rs"].iter().any(|end| name.ends_with(end));
        let rules = text.split("#[cfg(test)]").next().unwrap_or_default();
        for door in ["std::fs", "File::open", "std::env"] {
            assert!(is_test || !rules.contains(door), "{name} uses {door}");
        }
    }
}

/// Whoever plays a game need not compile what reads its golden records.
#[test]
fn records_are_read_by_crates_of_their_own() {
    for game in GAMES {
        let records = format!("{game}-records");
        allow(&records, &["turnstone-kernel", "turnstone-host", game]);
        for (package, needs) in needs().into_iter().filter(|(package, _)| package != PROGRAM) {
            assert!(!needs.contains(&records), "{package} must not depend on {records}");
        }
    }
}

#[test]
fn only_the_program_knows_games() {
    for (package, needs) in needs().into_iter().filter(|(package, _)| package != PROGRAM) {
        // Readers of records know the game whose records they read.
        let own = package.strip_suffix("-records");
        let game = needs.iter().find(|need| GAMES.contains(&need.as_str()) && own != Some(need.as_str()));
        assert_eq!(game, None, "{package} knows a game");
    }
}

/// The Python package is a workspace of its own; it is published together with this program.
#[test]
fn the_python_package_has_our_version() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/Cargo.toml");
    let text = std::fs::read_to_string(path).expect("the manifest of the Python package");
    assert!(text.contains(&format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{path}");
}

/// What a `use` names, each as its steps: `crate::{a::B, c}` names `crate a B` and `crate c`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let Some((front, inner)) = tree.trim().strip_suffix('}').and_then(|tree| tree.split_once('{')) else {
        let plain = tree.split(" as ").next().unwrap_or_default();
        return vec![plain.split("::").map(|step| step.trim().to_owned()).collect()];
    };
    let front: Vec<String> =
        front.split("::").map(str::trim).filter(|step| !step.is_empty()).map(str::to_owned).collect();
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in inner.chars() {
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                parts.last_mut().expect("there is one").push(letter);
            }
        }
    }
    let within = |part: &String| paths(part).into_iter().map(|path| [front.clone(), path].concat()).collect();
    parts.iter().filter(|part| !part.trim().is_empty()).flat_map(|part| -> Vec<_> { within(part) }).collect()
}

/// The modules of a crate, each with those that it uses. `sources` are their texts by their places: `file/header`.
fn uses(sources: &BTreeMap<String, String>) -> BTreeMap<String, Vec<String>> {
    let statements = |text: &str| -> Vec<Vec<String>> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let code = code.split("#[cfg(test)]\nmod").next().unwrap_or_default().to_owned();
        let named = code.split(|letter: char| !(letter.is_alphanumeric() || "_:".contains(letter)));
        let inline = named.filter(|path| path.starts_with("crate::") || path.starts_with("super::"));
        let whole = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
        whole.chain(inline).flat_map(paths).collect()
    };
    // What the root gives on is where it comes from.
    let given: BTreeMap<String, String> = statements(&sources["lib"])
        .into_iter()
        .filter_map(|path| Some((path.last()?.clone(), path.first()?.clone())))
        .collect();
    let used = |module: &str, path: &[String]| -> Option<String> {
        let folder: Vec<&str> = module.rsplit_once('/').map_or(Vec::new(), |(folder, _)| vec![folder]);
        let base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" => folder,
            _ => return None,
        };
        let steps = |count: usize| -> String {
            let rest = path[1..].iter().take(count).map(String::as_str);
            base.iter().copied().chain(rest).collect::<Vec<_>>().join("/")
        };
        let known = [2, 1].map(steps).into_iter().find(|place| sources.contains_key(place));
        known.or_else(|| given.get(path.get(1)?).filter(|_| base.is_empty()).cloned())
    };
    let modules = sources.iter().filter(|(module, _)| *module != "lib");
    modules
        .map(|(module, text)| {
            let others = statements(text).into_iter().filter_map(|path| used(module, &path));
            (module.clone(), others.filter(|other| other != module).collect())
        })
        .collect()
}

/// The modules that use themselves by way of others.
fn circles(uses: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let comes_back = |module: &&String| {
        let (mut open, mut seen) = (vec![*module], Vec::new());
        while let Some(at) = open.pop() {
            for other in uses.get(at).into_iter().flatten() {
                if !seen.contains(&other) {
                    seen.push(other);
                    open.push(other);
                }
            }
        }
        seen.contains(module)
    };
    uses.keys().filter(comes_back).cloned().collect()
}

#[test]
fn no_module_of_the_inner_crates_needs_itself() {
    for package in ["kernel", "host", "table"] {
        let folder = format!("crates/{package}/src");
        let place = |path: &str| {
            let (_, place) = path.rsplit_once("/src/").expect("a source");
            let place = place.trim_end_matches(".rs");
            place.strip_suffix("/mod").unwrap_or(place).to_owned()
        };
        let mut found: BTreeMap<String, String> =
            sources(&folder).into_iter().map(|(path, text)| (place(&path), text)).collect();
        found.retain(|module, _| !["tests", "testing"].contains(&module.as_str()));
        let uses = uses(&found);
        assert!(uses.len() > 5 && uses.values().any(|others| others.len() > 3), "{package}: {uses:?}");
        assert_eq!(circles(&uses), [""; 0], "in {package} these use themselves by way of others");
    }
}

#[test]
fn a_circle_of_modules_is_found_however_it_is_written() {
    let texts = [
        ("lib", "mod a;\npub use b::Thing;"),
        ("a", "use crate::{Thing, c};"),
        ("b", "// crate::d::no\nfn f() -> crate::file::head::Head { x }"),
        ("c", "use std::fmt;"),
        ("d", "use crate::a::A;\n#[cfg(test)]\nmod tests { use crate::d; }"),
        ("file", "pub use head::Head;"),
        ("file/head", "use super::line::Line;"),
        ("file/line", "use crate::a::{\n    A,\n    B,\n};"),
    ];
    let sources = texts.map(|(place, text)| (place.to_owned(), text.to_owned())).into_iter().collect();
    assert_eq!(circles(&uses(&sources)), ["a", "b", "file/head", "file/line"]);
}
