//! Tournaments and studies of the real games, by the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use turnstone_arena::{Plan, Tournament};

/// A folder of its own, gone in the end.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("turnstone-arena-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Desk(dir)
    }

    fn run(&self, args: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_turnstone")).current_dir(&self.0).args(args).output();
        let output = output.unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {told}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_tournament_is_played_reported_and_told_again() {
    let desk = Desk::new("skirmish");
    let plan = "game = \"skirmish\"\nseeds = { count = 1 }\n[bot.easy]\nname = \"easy\"\n\
                [bot.random]\nname = \"random\"\n[bot.search]\nname = \"flat:2,trees=1,longest=6\"\n";
    std::fs::write(desk.path("t.toml"), plan).unwrap();
    let said = desk.run(&["arena", "t.toml", "--threads", "1", "--report", "report"]);
    assert!(said.starts_with("skirmish: 6 games, all 1 seeds were played"), "{said}");
    desk.run(&["arena", "t.toml", "--threads", "2", "--results", "again.jsonl", "--report", "again"]);
    assert_eq!(read(&desk.path("t.jsonl")), read(&desk.path("again.jsonl")));
    assert_eq!(read(&desk.path("report/report.html")), read(&desk.path("again/report.html")));
    desk.run(&["arena", "t.toml", "--game", "1.1", "--results", "none.jsonl", "-o", "alone.turn"]);
    assert!(!desk.path("none.jsonl").exists(), "for one game nothing else is played");
    desk.run(&["arena", "t.toml", "--game", "1.1", "-o", "one.turn"]);
    assert_eq!(read(&desk.path("one.turn")), read(&desk.path("alone.turn")));
    desk.run(&["verify", "one.turn"]);
}

/// At a table nobody was to act where all act together, so match files of such levels were empty.
#[test]
fn a_level_for_agents_who_act_together_is_won_told_and_explained() {
    let desk = Desk::new("together");
    let said = desk.run(&[
        "run",
        "grid",
        "--setup",
        "25-marching-orders",
        "--bot",
        "solver",
        "--games",
        "1",
        "--seed",
        "3",
        "--save",
        "x",
    ]);
    assert!(said.contains("inputs per game 7.00"), "{said}");
    let why = desk.run(&["explain", "x/grid-3.turn", "--bot", "solver", "--input", "1"]);
    assert!(why.contains("as it was played") && why.contains("it expects"), "{why}");
}

#[test]
fn the_tournaments_that_come_along_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/arena");
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 5);
    for file in files {
        let plan = Plan::read(&read(&file)).unwrap_or_else(|trouble| panic!("{}: {trouble}", file.display()));
        let host = turnstone_games::games().find(&plan.game).expect("a game of ours");
        let opened = Tournament::new(plan, host, &[], &[]);
        assert!(opened.is_ok(), "{}: {:?}", file.display(), opened.err());
    }
}

#[test]
fn a_run_is_studied_with_forks() {
    let desk = Desk::new("spire");
    let line =
        "balance spire --bot heuristic --games 30 --seed 1 --pairs 2 --least 1 --report report --matches 3";
    let mut args: Vec<&str> = line.split(' ').collect();
    let said = desk.run(&args);
    assert!(said.contains("30 matches") && said.contains("pairs"), "{said}");
    args.extend(["--threads", "1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&desk.run(&args)).unwrap();
    // Both are read, not written anew: a number read and written once more may end in another digit.
    let report: serde_json::Value = serde_json::from_str(&read(&desk.path("report/report.json"))).unwrap();
    assert_eq!(report, json);
    assert!(json["balance"]["forks"].as_array().is_some_and(|forks| !forks.is_empty()));
    assert!(read(&desk.path("report/report.html")).contains("How far runs get"));
    // The match files are packed, and every reader unpacks them.
    let shown: Vec<PathBuf> =
        std::fs::read_dir(desk.path("report/matches")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(shown.len() == 3 && shown.iter().all(|file| file.to_string_lossy().ends_with(".turn.gz")));
    desk.run(&["verify", &shown[0].to_string_lossy()]);
}
