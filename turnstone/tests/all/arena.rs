//! Tournaments and studies of the real games, by the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

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

    /// Starts it, and kills it once its results have so many lines.
    fn kill_after(&self, args: &[&str], results: &str, least: usize) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnstone"));
        command.current_dir(&self.0).args(args).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = || {
            std::fs::read(self.path(results)).map_or(0, |bytes| bytes.split(|byte| *byte == b'\n').count())
        };
        while lines() <= least {
            assert_eq!(child.try_wait().unwrap(), None, "it was done before it could be killed");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert!(!status.success() && status.code().is_none(), "it was killed: {status}");
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

/// `move_seconds` was read and meant nothing to a built-in bot, and this search has no end.
#[test]
fn a_built_in_bot_beyond_its_limits_loses_its_games() {
    let desk = Desk::new("limits");
    let plan = "game = \"chess\"\nformat = \"gauntlet\"\nhero = \"random\"\nseeds = { count = 1 }\n[bot.random]\nname = \"random\"\n\
                [bot.endless]\nname = \"ismcts:4000000000\"\nmove_seconds = 1\n\
                [bot.hungry]\nname = \"ismcts:4000000000\"\nmove_seconds = 60\nmemory_mb = 1\n";
    std::fs::write(desk.path("t.toml"), plan).unwrap();
    let said = desk.run(&["arena", "t.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    let fault = |bot: &str| {
        report["faults"].as_array().unwrap().iter().find(|row| row["bot"] == bot).cloned().unwrap()
    };
    assert_eq!(
        (&fault("endless")["code"], &fault("endless")["games"]),
        (&"STALLED".into(), &2.into()),
        "{said}"
    );
    assert_eq!(
        (&fault("hungry")["code"], &fault("hungry")["games"]),
        (&"OUT_OF_MEMORY".into(), &2.into()),
        "{said}"
    );
}

#[test]
fn a_built_in_bot_within_its_limits_plays_as_without() {
    for (game, bots) in
        [("spire", ["heuristic", "random"]), ("skirmish", ["hard", "slips=20:flat:6,longest=6"])]
    {
        let desk = Desk::new(&format!("within-{game}"));
        let plan = |limits: &str| {
            let bot = |name: &str, bot: &str| format!("[bot.{name}]\nname = \"{bot}\"\n{limits}");
            format!("game = \"{game}\"\nseeds = {{ count = 1 }}\n{}{}", bot("a", bots[0]), bot("b", bots[1]))
        };
        std::fs::write(desk.path("with.toml"), plan("move_seconds = 60\ngame_seconds = 600\n")).unwrap();
        std::fs::write(desk.path("without.toml"), plan("")).unwrap();
        for name in ["with", "without"] {
            desk.run(&["arena", &format!("{name}.toml")]);
            desk.run(&["arena", &format!("{name}.toml"), "--game", "0.1", "-o", &format!("{name}.turn")]);
        }
        assert_eq!(read(&desk.path("with.turn")), read(&desk.path("without.turn")));
        let games = |name: &str| -> Vec<serde_json::Value> {
            let text = read(&desk.path(&format!("{name}.jsonl")));
            let mut unit: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
            // What was sent is kept of whoever plays in a process of his own.
            let games = unit["games"].as_array_mut().unwrap();
            games.iter_mut().for_each(|game| drop(game.as_object_mut().unwrap().remove("lines")));
            games.clone()
        };
        assert_eq!(games("with"), games("without"));
    }
}

#[test]
fn a_tournament_that_is_killed_goes_on_to_the_same_bytes() {
    let desk = Desk::new("killed");
    let plan = "game = \"skirmish\"\nsetups = [\"arena\"]\nseeds = { count = 80 }\n\
                [bot.easy]\nname = \"easy\"\n[bot.random]\nname = \"random\"\n";
    std::fs::write(desk.path("t.toml"), plan).unwrap();
    desk.run(&["arena", "t.toml", "--results", "whole.jsonl", "--report", "whole"]);
    for threads in ["1", "2", "3"] {
        let results = format!("killed-{threads}.jsonl");
        let line =
            ["arena", "t.toml", "--threads", threads, "--results", &results, "--report", &results[..8]];
        for least in [3, 20, 50] {
            desk.kill_after(&line, &results, least);
        }
        desk.run(&line);
        assert_eq!(read(&desk.path(&results)), read(&desk.path("whole.jsonl")), "{threads} threads");
        for file in ["report.json", "report.html", "report.csv"] {
            let there = read(&desk.path(&results[..8]).join(file));
            assert_eq!(there, read(&desk.path("whole").join(file)), "{file}, {threads} threads");
        }
    }
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
    assert!(said.contains("Both ways are played on by heuristic, and"), "{said}");
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

#[test]
fn a_run_by_the_clock_is_marked_and_another_is_not() {
    let desk = Desk::new("clock");
    let run = |bot: &str, more: &[&str]| {
        let line = ["run", "chess", "--games", "1", "--seed", "1", "--max-inputs", "4", "--bot", bot];
        desk.run(&[&line[..], more].concat())
    };
    let (clock, counted) = ("alphabeta:1000000,time=1", "alphabeta:20");
    let told = format!("not reproducible: {clock} plays by the clock");
    assert!(run(clock, &[]).contains(&told) && !run(counted, &[]).contains("reproducible"));
    let report: serde_json::Value = serde_json::from_str(&run(clock, &["--json"])).unwrap();
    assert_eq!(report["timed"], serde_json::json!([clock]));
}

/// The program's own `uci`, from the position of an ordinary game and from one that is written out. Told bare positions it
/// could not know what had been there before.
#[test]
fn an_engine_that_speaks_uci_plays_a_tournament() {
    let desk = Desk::new("uci");
    let engine = format!("tee -a told.txt | '{}' uci", env!("CARGO_BIN_EXE_turnstone"));
    let plan = format!(
        "game = \"chess\"\nsetups = [\"start\", \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\nseeds = {{ count = 1 }}\n\
         max_inputs = 40\n[bot.random]\nname = \"random\"\n\
         [bot.engine]\nkind = \"uci\"\ncommand = \"\"\"{engine}\"\"\"\ngo = \"nodes 300\"\nmove_seconds = 60\n\
         options = {{ Hash = \"1\" }}\n"
    );
    std::fs::write(desk.path("t.toml"), plan).unwrap();
    let said = desk.run(&["arena", "t.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["games"], 4, "{said}");
    // What there is none of is left out.
    assert!(report["faults"].as_array().is_none_or(Vec::is_empty), "{said}");
    let units = read(&desk.path("t.jsonl"));
    for unit in units.lines().skip(1) {
        let unit: serde_json::Value = serde_json::from_str(unit).unwrap();
        for game in unit["games"].as_array().unwrap() {
            let inputs = game["inputs"].as_u64().unwrap();
            // Nobody gives up: the game is over, or both have made their twenty moves.
            assert!(inputs == 40 || !game["outcome"].is_null(), "{game}");
            assert!(inputs > 4 && game["fault"].is_null(), "{game}");
        }
    }
    let told = read(&desk.path("told.txt"));
    let starts =
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"];
    for start in starts {
        let from = format!("position fen {start} moves ");
        let moves = told.lines().filter_map(|line| Some(line.strip_prefix(&from)?.split(' ').count()));
        assert!(moves.max().is_some_and(|moves| moves > 4), "{told}");
    }
    let mut positions = told.lines().filter_map(|line| line.strip_prefix("position fen "));
    assert!(positions.all(|one| starts.iter().any(|start| one.starts_with(start))), "{told}");
    desk.run(&["arena", "t.toml", "--game", "0.0", "-o", "uci.turn"]);
    desk.run(&["verify", "uci.turn"]);
}

/// A program that takes what is listed first whenever it is asked.
const FIRST: &str = "while read -r line; do case $line in *'\"turn\"'*) echo 0;; esac; done";

#[test]
fn a_program_plays_beside_a_built_in_bot() {
    let desk = Desk::new("program");
    std::fs::write(desk.path("first.sh"), FIRST).unwrap();
    let line = ["run", "skirmish", "--setup", "arena", "--bot", "easy", "--bot", "0=sh ./first.sh"];
    let run = |more: &[&str]| desk.run(&line.iter().chain(more).copied().collect::<Vec<_>>());
    let said = run(&["--games", "2", "--seed", "1", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(!said.contains("fault") && !said.contains("UNSTARTED"), "{said}");
    assert_eq!(report["games"], 2, "{said}");
    let alone = run(&["--games", "2", "--seed", "1", "--threads", "1", "--json"]);
    let alone: serde_json::Value = serde_json::from_str(&alone).unwrap();
    assert_eq!(alone["outcomes"], report["outcomes"], "it plays the same again");
}
