//! The game that `turnstone new` writes: it compiles here, so that it stays true, and is played.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use turnstone_table::protocol::{Door, Terms};
use turnstone_table::{Games, Of, Opening};
use turnstone_testkit::{Plan, prove};

#[path = "../../../crates/cli/template/lib.rs"]
mod my_game;
use my_game::MyGame;

#[test]
fn the_promises_hold_on_it() {
    prove(&Arc::new(MyGame), |seed| 1 + seed as u32 % 30, Plan { cases: 16, steps: 40, ..Plan::default() });
}

#[test]
fn it_sits_at_the_table_and_speaks_the_protocol() {
    let games = Games::new(&[&Of::<MyGame>::HOST]);
    let host = games.find("my-game").expect("it is hosted");
    let wishes = vec![("counters".to_owned(), "5".to_owned())];
    let mut table = host.open(&Opening { wishes, seed: 1, ..Opening::default() }).expect("opens");
    table.seat_bot(1, "careful", 1).expect("a bot");
    let mut door = Door::new(table, Some(0), Terms::default()).expect("a door");
    let lines = door.greet();
    assert_eq!(lines.last().expect("a line")["type"], "turn", "{lines:?}");
    door.hear("0");
    assert_eq!(door.hear("0").last().expect("a line")["type"], "over");
    let wrong = Opening { wishes: vec![("counters".to_owned(), "0".to_owned())], ..Opening::default() };
    assert_eq!(host.open(&wrong).err().expect("refused").code(), "BAD_WISH");
}

fn turnstone(arguments: &[&str]) -> (bool, String) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_turnstone"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the binary runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn the_crate_is_written_once_and_whole() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-fish");
    let _ = std::fs::remove_dir_all(&dir);
    let engine = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let (well, said) = turnstone(&["new", "go-fish", "--engine", engine]);
    assert!(well, "{said}");
    let manifest = std::fs::read_to_string(dir.join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("name = \"go-fish\"") && manifest.contains("crates/kernel"), "{manifest}");
    for file in ["README.md", ".gitignore", "src/lib.rs", "src/main.rs", "tests/promises.rs"] {
        assert!(dir.join(file).is_file(), "{file}");
    }
    let (well, said) = turnstone(&["new", "go-fish"]);
    assert!(!well && said.contains("[EXISTS]"), "{said}");
    let (well, said) = turnstone(&["new", "Go_Fish"]);
    assert!(!well && said.contains("[BAD_NAME]"), "{said}");
}
