//! Every command through the built binary: good input, bad input, none.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

/// A directory of our own for each test.
struct Desk {
    dir: PathBuf,
}

/// What a command said.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Desk {
    fn new(name: &str) -> Self {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory for the test");
        Desk { dir }
    }

    fn run(&self, line: &str) -> Said {
        self.feed(line, "")
    }

    /// Starts a command line (words parted by blanks).
    fn start(&self, line: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_turnstone"))
            .args(line.split_whitespace())
            .current_dir(&self.dir)
            .env("TURNSTONE_DATA", self.dir.join("data"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs")
    }

    /// Runs a command line with that standard input.
    fn feed(&self, line: &str, input: &str) -> Said {
        let mut child = self.start(line);
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that ends early closes the pipe: that is no failure of the test.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        said(child.wait_with_output().expect("the binary ends"))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.join(name), text).expect("a file for the test");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.join(name)).expect("a file of the test")
    }
}

fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Said {
    #[track_caller]
    fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {}", self.out))
    }

    #[track_caller]
    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("one JSON value in a line")).collect()
    }
}

fn games(desk: &Desk) -> Vec<String> {
    let listed = desk.run("games --json").ends(0).json();
    let names = listed.as_array().expect("a list").iter();
    names.map(|game| game["name"].as_str().expect("a name").to_owned()).collect()
}

/// A match file of every game, played by its weakest bot.
fn recorded(desk: &Desk, game: &str) -> String {
    desk.run(&format!("run {game} --games 1 --seed 5 --max-inputs 60 --save saved --json")).ends(0);
    format!("saved/{game}-5.turn")
}

#[test]
fn alone_it_lists_games_and_saved_matches() {
    let desk = Desk::new("menu");
    let said = desk.run("").ends(0);
    for game in games(&desk) {
        assert!(said.out.contains(&game), "{}", said.out);
    }
    assert!(!said.out.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn usage_errors_end_with_2_and_say_what_to_do() {
    let desk = Desk::new("usage");
    for line in [
        "frob",
        "play",
        "play nosuchgame",
        "run",
        "arena",
        "arena nosuch.toml",
        "balance",
        "balance nosuchgame",
        "balance spire --against Leave",
        "balance spire --sweep nosuchoption",
        "balance spire --games 1 --compare nosuch.json",
        "replay",
        "replay nosuch.turn",
        "verify",
        "verify nosuch.turn",
        "explain",
        "explain nosuch.turn",
        "conform",
        "conform nosuchgame x",
        "protocol",
        "bench nosuchbench",
        "bench --seconds 0",
        "bench --seconds nan",
        "games nosuchgame",
        "content",
        "content check nosuchdir",
        "content schema",
        "completions",
        "completions nosuchshell",
        "resume",
        "resume nosuch",
        "serve --listen everywhere --store memory",
        "serve --store nosuch/folder/matches.db",
        "serve --store memory --settings nosuch.toml",
        "serve --store memory --metrics 192.0.2.1:9",
        "bot",
        "bot --connect https://127.0.0.1:1 --match x --token s_x",
        "stress --matches many",
        "stress --game nosuchgame",
    ] {
        let said = desk.run(line).ends(2);
        assert!(
            said.out.is_empty() && said.err.starts_with("error: ["),
            "{line}: {} / {}",
            said.out,
            said.err
        );
        let said = desk.run(&format!("{line} --json")).ends(2);
        let told: Value =
            serde_json::from_str(&said.err).unwrap_or_else(|e| panic!("{line}: {e}: {}", said.err));
        let code = told["error"]["code"].as_str().expect("a code");
        assert!(code.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_'), "{line}: {code}");
        assert!(told["error"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
    }
}

#[test]
fn an_option_without_its_value_asks_for_one() {
    let desk = Desk::new("switches");
    for line in ["play spire --map --plain", "play spire --map --seed 3 --plain", "run spire --map --games 2"]
    {
        let said = desk.run(line).ends(2);
        assert!(said.err.contains("[MISSING_VALUE] --map needs a value"), "{}", said.err);
        assert!(said.err.contains("short_climb, six_rooms"), "{}", said.err);
    }
    let said = desk.run("play spire --character --plain").ends(2);
    assert!(said.err.contains("[MISSING_VALUE] --character") && said.err.contains("silent"), "{}", said.err);
    let said = desk.run("play spire --nosuchthing --plain").ends(2);
    assert!(said.err.contains("`nosuchthing` is unknown"), "{}", said.err);
    desk.feed("play skirmish --setup arena --fog --plain", "quit\n").ends(0);
}

#[test]
fn man_page_and_completions_come_from_the_same_definitions() {
    let desk = Desk::new("man");
    let man = desk.run("man").ends(0).out;
    assert!(man.starts_with(".ie") || man.contains(".TH turnstone"), "{}", &man[..200.min(man.len())]);
    for command in ["play", "conform", "protocol"] {
        assert!(man.contains(command));
        for shell in ["bash", "zsh", "fish"] {
            assert!(desk.run(&format!("completions {shell}")).ends(0).out.contains(command));
        }
    }
    assert!(desk.run("--version").ends(0).out.starts_with("turnstone "));
    assert!(desk.run("help play").ends(0).out.contains("Examples:"));
}

#[test]
fn history_lists_what_was_played_to_the_end() {
    let desk = Desk::new("history");
    assert!(desk.run("history").ends(0).out.contains("turnstone play GAME"));
    desk.feed("play chess --hotseat --plain --seed 5", "f3\ne5\n").ends(0);
    assert!(!desk.run("history").ends(0).out.contains("chess-1"), "a match in progress is no history");
    desk.feed("resume --plain", "g4\nQh4\n").ends(0);
    let lines = desk.run("history chess").ends(0).out;
    assert!(lines.contains("chess-1") && lines.contains("seed 5") && lines.contains("plies 4"), "{lines}");
    let all: Value = serde_json::from_str(&desk.run("history --json").ends(0).out).expect("JSON");
    assert_eq!(all[0]["tally"]["plies"], 4);
    assert_eq!(all[0]["seed"], 5);
    assert!(!desk.run("history grid").ends(0).out.contains("chess-1"));
    desk.run("history nosuch").ends(2);
}

#[test]
fn a_match_of_older_rules_goes_on_as_a_match_of_its_own() {
    let desk = Desk::new("as-played");
    desk.feed("play chess --hotseat --plain --seed 5", "e4\ne5\nNf3\n").ends(0);
    let old = desk.dir.join("data/matches/chess-1.turn");
    let file = std::fs::read_to_string(&old).expect("a match file");
    let said = desk.feed("resume chess-1 --as-played --at 2 --plain", "d4\n").ends(0);
    assert!(said.err.contains("From moment 2 of") && said.err.contains("today's rules"), "{}", said.err);
    assert!(said.out.contains("exd4"), "Black has a pawn to take: {}", said.out);
    assert_eq!(std::fs::read_to_string(&old).expect("the old match"), file, "the old match stays");
    let branch = desk.dir.join("data/matches/chess-2.turn");
    desk.run(&format!("verify {}", branch.display())).ends(0);
    let again = desk.feed("resume chess-2 --plain", "show\n").ends(0);
    assert!(again.out.contains("exd4"), "{}", again.out);
    desk.run("resume chess-1 --as-played --at 99").ends(2);
    desk.run("resume chess-1 --at 1").ends(2);
}

/// The match file of that name in a desk's directory of matches, which is sound, and how many inputs it holds.
#[track_caller]
fn inputs_of(desk: &Desk, name: &str) -> u64 {
    let path = desk.dir.join("data/matches").join(name);
    desk.run(&format!("verify {} --json", path.display())).ends(0).json()["inputs"]
        .as_u64()
        .expect("a number")
}

#[test]
fn two_programs_play_and_one_that_leaves_is_named() {
    let desk = Desk::new("programs");
    let moves =
        r#"while read -r line; do case $line in *'"type":"turn"'*) echo "\"$1\""; shift;; esac; done"#;
    desk.write("moves.sh", moves);
    desk.write("leaves.sh", r#"read -r line; echo '{"command":"quit"}'; cat >/dev/null"#);
    let exec = |first: &str, second: &str, words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnstone"));
        command.current_dir(&desk.dir).env("TURNSTONE_DATA", desk.dir.join("data"));
        command.args(["protocol", "chess", "--seed", "4321"]);
        command.args(["--exec", &format!("0=sh {first}"), "--exec", &format!("1=sh {second}")]).args(words);
        said(command.output().expect("the binary runs"))
    };
    let over = exec("moves.sh f3 g4", "moves.sh e5 Qh4", &["--save", "both.turn"]).ends(0).json();
    assert_eq!((&over["type"], &over["outcome"]["Won"]), (&"over".into(), &1.into()));
    // A seed is a number that can be guessed: what is mixed with it is not.
    assert!(over["salt"].as_str().is_some_and(|salt| salt.chars().any(|digit| digit != '0')), "{over}");
    desk.run("verify both.turn").ends(0);
    let lost = exec("leaves.sh", "leaves.sh", &[]).ends(2);
    assert!(lost.err.contains("[LOST_PROGRAM]") && lost.err.contains("leaves.sh"), "{}", lost.err);
    // What was played before somebody left is kept.
    desk.write(
        "ends.sh",
        r#"while read -r line; do case $line in *'"type":"turn"'*) echo '"e5"'; exit;; esac; done"#,
    );
    let lost = exec("moves.sh f3 g4", "ends.sh", &["--save", "half.turn"]).ends(2);
    assert!(lost.err.contains("[LOST_PROGRAM]"), "{}", lost.err);
    let held = desk.run("verify half.turn --json").ends(0).json();
    assert_eq!(held["inputs"], 3, "{held}");
}

#[test]
fn a_match_saved_under_its_own_name_is_written_on() {
    let desk = Desk::new("own-name");
    desk.feed("play chess --hotseat --plain", "e4\ne5\nsave chess-1\nNf3\nNc6\nBb5\nquit\n").ends(0);
    assert_eq!(inputs_of(&desk, "chess-1.turn"), 5);
}

#[test]
fn a_packed_match_goes_on_beside_its_file() {
    let desk = Desk::new("packed");
    desk.feed("play chess --hotseat --plain", "e4\ne5\nquit\n").ends(0);
    let (plain, packed) =
        (desk.dir.join("data/matches/chess-1.turn"), desk.dir.join("data/matches/old.turn.gz"));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&std::fs::read(&plain).expect("the match")).expect("memory");
    let bytes = packer.finish().expect("memory");
    std::fs::write(&packed, &bytes).expect("a file for the test");
    desk.feed(&format!("resume {} --plain", packed.display()), "Nf3\nquit\n").ends(0);
    assert_eq!(std::fs::read(&packed).expect("the packed match"), bytes);
    assert_eq!(inputs_of(&desk, "old.turn"), 3);
    let said = desk.feed(&format!("resume {} --plain", packed.display()), "").ends(2);
    assert!(said.err.contains("[PACKED]"), "{}", said.err);
}

#[test]
fn a_match_that_lost_its_last_byte_goes_on() {
    let desk = Desk::new("last-byte");
    desk.feed("play chess --hotseat --plain", "e4\ne5\nquit\n").ends(0);
    let path = desk.dir.join("data/matches/chess-1.turn");
    let text = std::fs::read_to_string(&path).expect("the match");
    std::fs::write(&path, text.trim_end()).expect("a file for the test");
    desk.feed("resume --plain", "Nf3\nquit\n").ends(0);
    assert_eq!(inputs_of(&desk, "chess-1.turn"), 3);
}

#[test]
fn a_match_that_is_left_for_another_is_put_away() {
    let desk = Desk::new("left");
    desk.feed("play chess --hotseat --plain", "e4\nquit\n").ends(0);
    desk.feed("play chess --hotseat --plain", "d4\nd5\nload chess-1\ne5\nload chess-1\nNf3\nquit\n").ends(0);
    assert_eq!((inputs_of(&desk, "chess-1.turn"), inputs_of(&desk, "chess-2.turn")), (3, 2));
    // The match that is played, by another way to its file.
    desk.feed("resume chess-2 --plain", "e4\nload data/matches/chess-2.turn\ndxe4\nquit\n").ends(0);
    assert_eq!(inputs_of(&desk, "chess-2.turn"), 4);
}

#[test]
fn a_match_that_was_cut_off_is_sound_and_not_closed() {
    let desk = Desk::new("cut-off");
    desk.feed("play chess --hotseat --plain", "e4\ne5\nNf3\nquit\n").ends(0);
    let text = desk.read("data/matches/chess-1.turn");
    let whole: usize = text.lines().take(4).map(|line| line.len() + 1).sum();
    for length in [whole, whole + 30] {
        desk.write("cut.turn", &text[..length]);
        let said = desk.run("verify cut.turn").ends(1);
        assert!((said.out.clone() + &said.err).contains("NOT_CLOSED"), "{} {}", said.out, said.err);
        desk.feed(&format!("resume {} --plain", desk.dir.join("cut.turn").display()), "Nf3\nquit\n").ends(0);
        assert_eq!(inputs_of(&desk, "../../cut.turn"), 3);
    }
}

/// A match that is being played line by line.
struct Playing {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Playing {
    fn begin(desk: &Desk, line: &str) -> Self {
        let mut child = desk.start(line);
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut playing = Playing { child, input, output };
        playing.hear();
        playing
    }

    /// What is said up to the next prompt: then what was sent before is acknowledged.
    fn hear(&mut self) -> String {
        let (mut heard, mut byte) = (Vec::new(), [0]);
        while !heard.ends_with(b"\n> ") {
            assert_eq!(
                self.output.read(&mut byte).expect("a pipe"),
                1,
                "{}",
                String::from_utf8_lossy(&heard)
            );
            heard.push(byte[0]);
        }
        String::from_utf8(heard).expect("UTF-8")
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    fn say(&mut self, line: &str) -> String {
        self.send(line);
        self.hear()
    }

    /// As by `kill -9`.
    fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }
}

#[test]
fn what_was_acknowledged_outlives_a_kill() {
    let desk = Desk::new("killed");
    let file = || desk.read("data/matches/chess-1.turn");
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
    for (played, typed) in moves.iter().enumerate() {
        let line = if played == 0 { "play chess --hotseat --plain" } else { "resume --plain" };
        let mut playing = Playing::begin(&desk, line);
        let said = playing.say(typed);
        assert!(!said.contains("is no option"), "{typed}: {said}");
        // Nobody has heard yet what came of another line: it is there or not, but nothing else is lost.
        if played + 1 == moves.len() {
            playing.send("Ba4");
        }
        playing.kill();
        assert!(file().lines().count() > 2 + played, "{typed} is on the disk:\n{}", file());
    }
    desk.run(&format!("verify {}", desk.dir.join("data/matches/chess-1.turn").display())).ends(1);
    let mut again = Playing::begin(&desk, "resume --plain");
    let told = again.say("log 99");
    assert!(moves.iter().all(|typed| told.contains(typed)), "{told}");
    again.kill();
    desk.feed("resume --plain", "quit\n").ends(0);
    let kept = inputs_of(&desk, "chess-1.turn");
    assert!([6, 7].contains(&kept), "{kept}");
}

/// Bytes that a process has written, to files and pipes alike.
#[cfg(target_os = "linux")]
fn written(process: &Child) -> u64 {
    let told = std::fs::read_to_string(format!("/proc/{}/io", process.id())).expect("a process of ours");
    let count = told.lines().find_map(|line| line.strip_prefix("wchar: ")).expect("a count");
    count.parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn saving_an_action_costs_the_same_however_long_the_match_is() {
    use std::os::unix::fs::MetadataExt;
    let desk = Desk::new("appended");
    let path = desk.dir.join("data/matches/chess-1.turn");
    let mut playing = Playing::begin(&desk, "play chess --hotseat --plain");
    playing.say("a3");
    let bytes = || std::fs::read(&path).expect("the match");
    let inode = || std::fs::metadata(&path).expect("the match").ino();
    let (mut before, begun) = (bytes(), inode());
    let mut costs = Vec::new();
    // Pawns only, one step each and then another: nothing is taken and nobody is in check.
    let pawns = ["a6", "b3", "b6", "c3", "c6", "d3", "d6", "e3", "e6", "f3", "f6", "g3", "g6", "h3", "h6"];
    let steps =
        ["a4", "a5", "b4", "b5", "c4", "c5", "d4", "d5", "e4", "e5", "f4", "f5", "g4", "g5", "h4", "h5"];
    for typed in pawns.into_iter().chain(steps) {
        let started = written(&playing.child);
        let said = playing.say(typed);
        assert!(!said.contains("is no option"), "{typed}: {said}");
        costs.push(written(&playing.child) - started - said.len() as u64);
        let now = bytes();
        assert!(now.len() > before.len() && now.starts_with(&before), "{typed}: the file only grows");
        assert_eq!(inode(), begun, "{typed}: it is the same file");
        before = now;
    }
    playing.kill();
    let most = |costs: &[u64]| costs.iter().max().copied().unwrap_or_default();
    let (first, last) = (most(&costs[..8]), most(&costs[costs.len() - 8..]));
    assert!(last <= first * 5 / 4, "{first} bytes an action at first, {last} at last: {costs:?}");
}

#[test]
fn a_saved_match_is_not_replaced_unasked() {
    let desk = Desk::new("replaced");
    let play = |typed: &str| desk.feed("play chess --plain --hotseat --no-save", typed).ends(0).out;
    assert!(play("d4\nd5\nsave alpha\nc4\nsave alpha\nquit\n").matches("Saved to").count() == 2);
    let other = play("e4\nsave alpha\nquit\n");
    assert!(other.contains("[EXISTS]") && other.contains("alpha!"), "{other}");
    let kept = desk.run(&format!("explain {}", desk.dir.join("data/matches/alpha.turn").display()));
    assert!(kept.ends(0).out.contains("d4"));
    assert!(play("e4\nsave alpha!\nquit\n").contains("Saved to"));
}

#[test]
fn every_game_plays_in_lines_saves_and_goes_on() {
    let desk = Desk::new("plain");
    for game in games(&desk) {
        let said =
            desk.feed(&format!("play {game} --seed 3"), "1\n1\nlog\nundo\nbranches\nsave here.turn!\nquit\n");
        let said = said.ends(0);
        assert!(said.out.contains("> "), "{game}");
        let resumed = desk.feed("resume --plain", "show\nhelp\n").ends(0);
        assert!(resumed.out.contains("undo, redo"), "{game}");
        let saved = desk.dir.join("data/matches/here.turn");
        desk.run(&format!("verify {}", saved.display())).ends(0);
        assert!(
            desk.run("").ends(0).out.contains(&format!("{game}-1")),
            "{game} is in the list of saved matches"
        );
        // The end of the input ends the game quietly.
        desk.run(&format!("play {game} --no-save --plain")).ends(0);
        assert!(!desk.dir.join(format!("data/matches/{game}-2.turn")).exists());
    }
}

#[test]
fn bad_openings_are_refused_with_the_right_names() {
    let desk = Desk::new("openings");
    for game in games(&desk) {
        for wrong in [
            "--bot 99=random",
            "--bot nosuchbot",
            "--seat 99",
            "--ruleset nosuchrules",
            "--content nosuchdir",
        ] {
            let said = desk.run(&format!("play {game} --no-save {wrong}"));
            assert_eq!(said.code, 2, "{game} {wrong}: {} {}", said.out, said.err);
            assert!(said.err.starts_with("error:"), "{game} {wrong}: {}", said.err);
        }
    }
}

#[test]
fn files_that_set_up_and_wishes_name_are_read_and_handed_over() {
    let desk = Desk::new("named-files");
    desk.write(
        "mine.txt",
        "name: A coin on the way\nobjective: exit\n\n#######\n#@.c.E#\n#######\n\nc = coin reward=5\n",
    );
    desk.feed("play grid --setup mine.txt --no-save --plain", "quit\n").ends(0);
    desk.write("ends.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    desk.feed("play chess --setup ends.fen --no-save --plain", "quit\n").ends(0);
    let map = "[map.mine]\nname = \"Mine\"\nact = 2\n[map.mine.node.only]\nfloor = 1\ncolumn = 4\n\
        room = \"boss\"\nencounter = \"champ\"\nend = true\n";
    desk.write("mine.toml", map);
    desk.feed("play spire --map mine.toml --no-save --plain", "quit\n").ends(0);
    desk.write("wrong.toml", &map.replace("champ", "chmap"));
    let said = desk.run("play spire --map wrong.toml --no-save --plain").ends(2);
    assert!(said.err.contains("wrong.toml:8:13") && said.err.contains("champ"), "{}", said.err);
    let said = desk.run("play spire --map nowhere.toml --no-save").ends(2);
    assert!(said.err.contains("[NO_SUCH_FILE]"), "{}", said.err);
}

#[test]
fn options_of_a_game_are_told_wherever_one_looks() {
    let desk = Desk::new("told-options");
    let skirmish = desk.run("play skirmish --help").ends(0).out;
    for word in ["--difficulty", "--dice", "--start", "--party", "--fog", "--placement", "deadly"] {
        assert!(skirmish.contains(word), "{word} is not in\n{skirmish}");
    }
    assert!(!skirmish.contains("--ascension"), "another game's options are not told");
    for word in ["--num_doors", "--profile", "--order"] {
        assert!(desk.run("protocol grid --help").ends(0).out.contains(word), "{word}");
        assert!(desk.run("games grid").ends(0).out.contains(word), "{word}");
    }
    for line in ["help run", "man", "completions bash"] {
        let out = desk.run(line).ends(0).out.replace('\\', "");
        for word in ["difficulty", "num_doors", "ascension", "acts"] {
            assert!(out.contains(word), "{line}: {word}");
        }
    }
    let listed = desk.run("games chess --json").ends(0).json();
    assert_eq!(listed[0]["settings"][0]["number"]["max"], 3);
    assert_eq!(listed[0]["settings"][0]["setups"], serde_json::json!(["run"]));
}

#[test]
fn runs_do_not_depend_on_the_number_of_threads() {
    let desk = Desk::new("run");
    for game in games(&desk) {
        let line = format!("run {game} --games 3 --seed 1 --max-inputs 200 --json");
        let one = desk.run(&format!("{line} --threads 1")).ends(0).json();
        let two = desk.run(&format!("{line} --threads 2")).ends(0).json();
        assert_eq!(one, two, "{game}");
        assert_eq!(one["games"], 3);
        assert!(
            desk.run(&format!("run {game} --games 1 --seed 1 --max-inputs 50"))
                .ends(0)
                .out
                .contains("inputs per game")
        );
    }
}

#[test]
fn match_files_verify_replay_and_explain() {
    let desk = Desk::new("files");
    for game in games(&desk) {
        let file = recorded(&desk, &game);
        let verified = desk.run(&format!("verify {file} --json")).ends(0).lines();
        assert_eq!(verified[0]["ok"], true, "{game}");
        let events = verified[0]["events"].as_u64().expect("a count");
        let moments = desk.run(&format!("replay {file} --json")).ends(0).lines();
        let facts: usize = moments.iter().map(|line| line["facts"].as_array().map_or(0, Vec::len)).sum();
        assert_eq!(facts as u64, events, "{game}");
        let stood = desk.run(&format!("replay {file} --json --states")).ends(0).lines();
        assert!(stood.iter().all(|line| line["state"].is_object() && line["tally"].is_object()), "{game}");
        assert!(desk.run(&format!("replay {file}")).ends(0).out.contains("#0"), "{game}");
        assert!(desk.run(&format!("explain {file} --at 0")).ends(0).out.contains("#0"), "{game}");
        assert_eq!(desk.run(&format!("explain {file} --input 1 --json")).ends(0).lines().len(), 1);
        desk.run(&format!("explain {file} --at 99999999")).ends(2);
        desk.run(&format!("explain {file} --input 0")).ends(2);
    }
}

#[test]
fn a_match_that_was_only_looked_at_leaves_nothing_behind() {
    let desk = Desk::new("looked-at");
    desk.feed("play chess --plain --hotseat", "quit\n").ends(0);
    assert!(!desk.dir.join("data/matches/chess-1.turn").exists());
    desk.feed("play chess --plain --hotseat", "e4\nquit\n").ends(0);
    assert!(desk.dir.join("data/matches/chess-1.turn").exists());
}

#[test]
fn a_match_that_stands_at_its_beginning_tells_where_there_is_something_to_explain() {
    let desk = Desk::new("beginning");
    let played = "\"e4\"\n\"e5\"\n{\"command\":\"undo\"}\n{\"command\":\"undo\"}\n";
    desk.feed("protocol chess --practice --seed 1 --save back.turn", played).ends(0);
    let told = desk.run("explain back.turn").ends(0).out;
    assert!(told.contains("--input 1 to 2") && told.contains("e5"), "{told}");
    assert!(desk.run("explain back.turn --input 1").ends(0).out.contains("e2 to e4"));
}

#[test]
fn a_forged_match_file_fails_with_its_line() {
    let desk = Desk::new("forged");
    for game in games(&desk) {
        let file = recorded(&desk, &game);
        let forged = desk.read(&file).replacen("\"seed\":5", "\"seed\":6", 1);
        desk.write("forged.turn", &forged);
        let said = desk.run("verify forged.turn").ends(1);
        assert!(said.out.contains("FAILED") && said.out.contains("BROKEN_CHAIN"), "{}", said.out);
        assert_eq!(desk.run("verify --json forged.turn").ends(1).lines()[0]["divergence"]["line"], 1);
        desk.run("replay forged.turn --plain").ends(2);
    }
    desk.write("empty.turn", "");
    desk.write("junk.turn", "{\"turnstone\":1}\n");
    desk.run("verify empty.turn").ends(1);
    desk.run("verify junk.turn").ends(1);
    desk.run("explain junk.turn").ends(2);
}

#[test]
fn the_protocol_answers_every_line() {
    let desk = Desk::new("protocol");
    for game in games(&desk) {
        let said = desk.feed(
            &format!("protocol {game} --seed 2 --save p.turn"),
            "nonsense\n0\n{\"command\":\"quit\"}\n",
        );
        let lines = said.ends(0).lines();
        let kinds: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
        assert_eq!(&kinds[..3], ["hello", "turn", "error"], "{game}");
        assert_eq!(kinds.last(), Some(&"bye"), "{game}");
        assert!(kinds.contains(&"events"), "{game}");
        desk.run("verify p.turn").ends(0);
        desk.run(&format!("protocol {game} --seat 99")).ends(2);
        desk.run(&format!("protocol {game} --bot random")).ends(2);
    }
}

#[test]
fn conform_refuses_what_it_does_not_know() {
    let desk = Desk::new("conform");
    desk.write("unknown.jsonl", "{\"what\":\"is this\"}\n");
    desk.write("broken.jsonl", "{\n");
    desk.write("empty.jsonl", "");
    desk.write("blank.jsonl", "\n\n");
    desk.write("bytes.jsonl.gz", "no gzip");
    for game in games(&desk) {
        for file in ["unknown.jsonl", "broken.jsonl", "empty.jsonl", "blank.jsonl", "nosuch.jsonl"] {
            let said = desk.run(&format!("conform {game} {file}"));
            assert!(said.code == 2 || said.code == 1, "{game} {file}: {} {}", said.out, said.err);
            assert!(!said.err.contains("panicked"), "{game} {file}: {}", said.err);
            assert!(said.out.ends_with(" failed\n"), "{game} {file}: {}", said.out);
        }
    }
}

/// The golden records in the tree, by game.
fn golden(game: &str) -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../games/{game}/tests/golden"));
    dir.is_dir().then_some(dir)
}

#[test]
fn conform_ends_with_the_count() {
    let desk = Desk::new("golden");
    for game in games(&desk) {
        let Some(dir) = golden(&game) else { continue };
        let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
            .expect("golden files")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.sort_by_key(|path| (std::fs::metadata(path).map_or(0, |data| data.len()), path.clone()));
        let is_record = |path: &&PathBuf| path.to_string_lossy().contains(".json");
        let Some(smallest) = files.iter().find(is_record) else { continue };
        let said = desk.run(&format!("conform {game} {}", smallest.display()));
        let last = said.out.lines().last().unwrap_or_default().to_owned();
        assert!(last.ends_with("0 failed") && !last.starts_with("0 passed"), "{game}: {last}: {}", said.err);
        let json = desk.run(&format!("conform {game} --json {}", smallest.display())).ends(0).json();
        assert_eq!(json["failed"], 0, "{game}");
    }
}

#[test]
fn benches_are_listed_and_measured() {
    let desk = Desk::new("bench");
    let list = desk.run("bench --list").ends(0).out;
    assert!(list.contains("kernel/tic-tac-toe"), "{list}");
    let measured = desk.run("bench kernel/tic-tac-toe/off --seconds 0.05 --json").ends(0).json();
    assert!(measured[0]["best"].as_f64().expect("a rate") > 0.0);
    let told = desk.run("bench kernel/tic-tac-toe/off --seconds 0.05").ends(0).out;
    assert!(
        told.contains("per second") && !told.contains('×'),
        "rates of other machines say nothing here: {told}"
    );
}

#[test]
fn content_is_checked_and_has_schemas() {
    let desk = Desk::new("content");
    for game in games(&desk) {
        let said = desk.run(&format!("content check --game {game}"));
        assert!(said.code == 0 || said.err.contains("no content files"), "{game}: {} {}", said.out, said.err);
        let kinds = desk.run(&format!("content schema {game}"));
        if kinds.code == 0 {
            let kind = kinds.out.lines().next().expect("a kind").to_owned();
            assert!(desk.run(&format!("content schema {game} {kind}")).ends(0).json().is_object(), "{game}");
            desk.run(&format!("content schema {game} nosuchkind")).ends(2);
        }
    }
}

#[test]
fn move_trees_are_counted() {
    let desk = Desk::new("perft");
    assert_eq!(desk.run("perft --depth 3").ends(0).out, "8902\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let said = desk.run(&format!("perft {kiwipete} --depth 2 --divide --json")).ends(0).json();
    assert_eq!((said["nodes"].as_u64(), said["moves"].as_array().map(Vec::len)), (Some(2039), Some(48)));
    for wrong in ["perft", "perft --depth 99", "perft 8/8 --depth 1", "perft --variant checkers --depth 1"] {
        desk.run(wrong).ends(2);
    }
}

#[test]
fn chess_programs_are_answered() {
    let desk = Desk::new("uci");
    let lines = "uci\nisready\nposition startpos moves f2f3 e7e5 g2g4\ngo depth 3\n";
    let said = desk.feed("uci", lines).ends(0);
    for told in ["uciok", "readyok", "bestmove d8h4"] {
        assert!(said.out.contains(told), "{told} is not in {}", said.out);
    }
    let odd =
        "dance\nposition fen 8/8\nposition startpos moves e2e5\nsetoption name UCI_Variant value checkers\n";
    assert!(desk.feed("uci", odd).ends(0).out.contains("info string"));
    let atomic =
        desk.feed("uci", "setoption name UCI_Variant value atomic\nposition startpos\ngo nodes 500\n");
    assert!(atomic.ends(0).out.contains("bestmove "));
}

#[test]
fn levels_are_solved_and_drawn() {
    let desk = Desk::new("levels");
    desk.write("right.txt", "name: Right\n\n@.E\n");
    assert!(desk.run("grid solve right.txt").ends(0).out.ends_with("right right\n"));
    assert_eq!(desk.run("grid solve right.txt --json").ends(0).json()["certain"], true);
    desk.write("walled.txt", "name: Walled\n\n@#E\n");
    desk.run("grid solve walled.txt").ends(1);
    let drawn: &[&str] = if cfg!(feature = "pictures") { &["svg", "png", "gif"] } else { &["svg"] };
    for kind in drawn {
        desk.run(&format!("grid render right.txt -o level.{kind} --pixels 120")).ends(0);
        assert!(desk.dir.join(format!("level.{kind}")).exists());
    }
    let file = recorded(&desk, "grid");
    let film = desk.run(&format!("grid render {file} -o match.gif --pixels 64"));
    if cfg!(feature = "pictures") {
        film.ends(0);
    } else {
        assert!(film.ends(2).err.contains("[NO_PICTURES]"));
    }
    for wrong in [
        "grid",
        "grid solve",
        "grid solve nosuchlevel",
        "grid render right.txt",
        "grid render right.txt -o x.txt",
    ] {
        desk.run(wrong).ends(2);
    }
}

#[test]
fn seeds_are_unrolled() {
    let desk = Desk::new("seed");
    assert!(desk.run("spire seed 1ABCD").ends(0).out.contains("1ABCD"));
    assert_eq!(desk.run("spire seed 1ABCD --character watcher --json").ends(0).json()["ascension"], 0);
    for wrong in
        ["spire", "spire seed", "spire seed -", "spire seed 1 --ascension 21", "spire seed 1 --character x"]
    {
        desk.run(wrong).ends(2);
    }
}

#[test]
fn ones_own_runs_are_added_up() {
    let desk = Desk::new("runs");
    assert!(desk.run("spire runs").ends(0).out.contains("turnstone play spire"));
    // Whoever always does the first thing dies soon; a run of one's own map does not count.
    desk.feed("play spire --plain --seed 5", &"1\n".repeat(2000)).ends(0);
    desk.feed("play spire --plain --seed 5 --map six_rooms", &"1\n".repeat(2000)).ends(0);
    let told = desk.run("spire runs").ends(0).out;
    assert!(told.contains("Ironclad: 1 run, 0 won") && told.contains("most often killed by"), "{told}");
    assert!(told.contains("next: turnstone play spire --character ironclad --ascension 0"), "{told}");
    let data = desk.run("spire runs --json").ends(0).json();
    assert_eq!((&data["ironclad"]["runs"], &data["ironclad"]["next_ascension"]), (&1.into(), &0.into()));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let desk = Desk::new("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnstone"))
        .args(["completions", "bash"])
        .env("TURNSTONE_DATA", &desk.dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let said = said(child.wait_with_output().expect("the binary ends")).ends(0);
    assert_eq!(said.err, "");
}

#[test]
fn a_day_of_spire_is_a_climb_of_its_own() {
    let desk = Desk::new("daily");
    desk.feed("play spire --daily --plain", "1\nquit\n").ends(0);
    let setup = |dir: &Path| -> Value {
        let files = std::fs::read_dir(dir).expect("saved matches").map(|file| file.expect("a file").path());
        let saved = files.filter(|path| path.extension().is_some_and(|end| end == "turn")).max();
        let text = std::fs::read_to_string(saved.expect("a match file")).expect("readable");
        let head: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
        head["setup"].clone()
    };
    let daily = setup(&desk.dir.join("data/matches"));
    assert_eq!(daily["modifiers"], serde_json::json!(["daily"]), "{daily}");
    assert!(daily["character"].as_str().is_some_and(|name| !name.is_empty()), "{daily}");
}

#[test]
fn help_lists_what_content_adds_and_what_runs_take() {
    let desk = Desk::new("help_with_content");
    std::fs::create_dir_all(desk.dir.join("mine")).expect("a directory");
    desk.write("mine/monk.toml", "[character.monk]\ncolor = \"ironclad\"\nhp = 60\ndeck = { bash = 5 }\n");
    let plain = desk.run("play spire --help").ends(0).out;
    assert!(!plain.contains("monk") && plain.contains("--keys") && plain.contains("--situation"), "{plain}");
    assert!(desk.run("play spire --content mine --help").ends(0).out.contains("monk"));
    let seed = desk.run("spire seed 1ABCD --content mine --character monk --json").ends(0).json();
    assert_eq!(seed["character"], "monk");
}

/// Numbers with gaps would tell how much was played out of one's sight.
#[test]
fn in_the_fog_a_player_counts_the_moments_he_was_told_of() {
    let desk = Desk::new("counted");
    let typed = "end turn\nend turn\nlog 100\nbranches\njump 2\nlog 100\njump 99\nquit\n";
    let line = "play skirmish --plain --setup crypt-of-lanterns --seed 1 --bot normal";
    let said = desk.feed(line, typed).ends(0);
    let (before, behind) = said.out.split_once("jump ").expect("the line of play");
    let counted = |text: &str| -> Vec<u32> {
        let numbers = text.lines().filter_map(|line| line.trim_start_matches("> ").strip_prefix('['));
        numbers.filter_map(|line| line.split(']').next()?.parse().ok()).collect()
    };
    let moments = counted(before);
    assert!(moments.len() > 4, "{}", said.out);
    assert_eq!(moments, (1..=moments.len() as u32).collect::<Vec<_>>());
    let branch: Vec<&str> = behind.split_whitespace().take(3).collect();
    assert_eq!(branch, [&moments.len().to_string(), &moments.len().to_string(), "played,"]);
    assert_eq!(counted(behind), [1, 2], "{behind}");
    assert!(said.out.contains(&format!("there are 0 to {}", moments.len())), "{}", said.out);
    // The whole file counts everything.
    let file = desk.read("data/matches/skirmish-1.turn");
    assert!(file.lines().filter(|line| line.starts_with("{\"n\"")).count() > moments.len());
}

#[test]
fn content_that_differs_is_named_file_by_file() {
    let desk = Desk::new("packs");
    for dir in ["mine", "yours"] {
        std::fs::create_dir_all(desk.dir.join(dir).join("cards")).expect("a folder for the test");
    }
    let card = |name: &str, cost: u32| {
        format!(
            "[card.{name}]\ncolor = \"ironclad\"\ntype = \"attack\"\nrarity = \"uncommon\"\ncost = {cost}\ndo = [{{ attack = [7, 9] }}]\n"
        )
    };
    for dir in ["mine", "yours"] {
        desk.write(&format!("{dir}/cards/one.toml"), &card("cut_once", 1));
        desk.write(&format!("{dir}/two.toml"), &card("cut_twice", if dir == "yours" { 2 } else { 1 }));
    }
    let head = |line: &str| {
        desk.run(&format!("run spire --games 1 --seed 5 --max-inputs 2 --save saved {line} --json")).ends(0);
        let file = desk.read("saved/spire-5.turn");
        let head: Value = serde_json::from_str(file.lines().next().expect("a header")).expect("JSON");
        let parts = head["content"].as_array().expect("a list").clone();
        parts.iter().map(|part| part["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(head(""), ["spire"]);
    assert_eq!(head("--content mine"), ["spire", "cards/one.toml", "two.toml"]);
    let verify = |line: &str| desk.run(&format!("verify saved/spire-5.turn {line}"));
    verify("--content mine").ends(0);
    let told = |line: &str| {
        let said = verify(line).ends(1);
        said.out + &said.err
    };
    let yours = told("--content yours");
    assert!(yours.contains("two.toml") && !yours.contains("one.toml"), "{yours}");
    let none = told("");
    assert!(none.contains("cards/one.toml, two.toml"), "{none}");
}
