//! Commands by their words, with the games of this repository: how they end and what they write.

use std::fs;
use std::path::PathBuf;

use turnstone_table::Games;

use super::*;

/// Does what these words say.
fn done(games: Games, words: &[&str]) -> Result<Ended> {
    let program = Program::of(games);
    let arguments = ["turnstone"].iter().chain(words).map(|word| (*word).to_owned()).collect();
    let command = args::command(&program);
    let arguments = args::hand_on_options(&command, arguments);
    run(&program, &command.try_get_matches_from(arguments)?)
}

/// How it is refused.
fn refused(games: Games, words: &[&str]) -> String {
    format!("{:#}", done(games, words).expect_err("it is refused"))
}

/// A directory of one test, gone with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("turnstone-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program without pixels said nothing of them, and with them it was never tried.
#[test]
fn every_picture_of_a_report_is_there_as_png_too_where_the_program_can() {
    let scratch = Scratch::new("png");
    let report = scratch.0.join("report");
    let line =
        ["balance", "pebbles", "--games", "5", "--seed", "1", "--report", &report.display().to_string()];
    done(turnstone_table::testing::GAMES, &line).expect("it is reported");
    let files = fs::read_dir(report.join("pictures")).expect("there are pictures");
    let files: Vec<PathBuf> = files.map(|file| file.expect("it has a name").path()).collect();
    let (svg, png): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|file| file.extension().is_some_and(|ending| ending == "svg"));
    assert!(svg.len() >= 2, "{files:?}");
    assert_eq!(png.len(), if cfg!(feature = "pictures") { svg.len() } else { 0 }, "{files:?}");
    for picture in png {
        assert!(picture.with_extension("svg").exists(), "{}", picture.display());
        let bytes = fs::read(picture).expect("it can be read");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 1000, "{}", picture.display());
    }
}

/// All games were played, and then everything was lost.
#[test]
fn a_report_that_cannot_be_written_is_refused_before_a_game_is_played() {
    let scratch = Scratch::new("no-report");
    let below = scratch.file("file", "") + "/below";
    let pebbles = turnstone_table::testing::GAMES;
    // What is wrong with a measure is found by playing.
    let told = refused(pebbles, &["balance", "pebbles", "--measure", "luck", "--report", &below]);
    assert!(told.starts_with("[NOT_WRITTEN]") && told.contains(&below), "{told}");
    let plan = "game = \"pebbles\"\n[bot.a]\nname = \"random\"\n[bot.b]\nname = \"random\"\n";
    let told = refused(pebbles, &["arena", &scratch.file("plan.toml", plan), "--report", &below]);
    assert!(told.starts_with("[NOT_WRITTEN]") && told.contains(&below), "{told}");
    assert!(!scratch.0.join("plan.jsonl").exists(), "nothing was played");
}

/// Both ways were played on from a match that had gone otherwise, and match files showed another one.
#[test]
fn who_plays_by_the_clock_is_not_played_again_and_reports_say_so() {
    let scratch = Scratch::new("clock");
    let (pebbles, report) = (turnstone_table::testing::GAMES, scratch.0.join("report").display().to_string());
    let bot = "flat:100000,trees=2,time=1";
    let line = ["balance", "pebbles", "--games", "2", "--seed", "1", "--bot", bot];
    for (more, instead) in [(["--pairs", "3"], "leave --pairs out"), (["--report", &*report], "--matches 0")]
    {
        let told = refused(pebbles, &[&line[..], &more].concat());
        assert!(told.starts_with("[NOT_REPEATABLE] --") && told.contains(bot), "{told}");
        assert!(told.contains(instead) && told.contains("without time="), "{told}");
    }
    done(pebbles, &[&line[..], &["--report", &*report, "--matches", "0"]].concat())
        .expect("nothing is replayed");
    let read = |file: &str| fs::read_to_string(scratch.0.join("report").join(file)).expect("it was written");
    assert!(read("report.html").contains(&format!("not reproducible: {bot} plays by the clock")));
    assert!(read("report.json").contains(&format!("\"timed\":[\"{bot}\"]")));
}

/// It was counted among the games, and the command ended well.
#[test]
fn a_program_that_cannot_be_started_is_refused_with_the_reason() {
    let told = refused(
        turnstone_table::testing::GAMES,
        &["run", "pebbles", "--games", "2", "--bot", "0=/no/such/bot"],
    );
    assert!(told.starts_with("[UNSTARTED]") && told.contains("seat 0, /no/such/bot"), "{told}");
    assert!(told.contains("it could not be started") && told.contains("not found"), "{told}");
}

/// The page about the arena once showed openings that were refused.
#[test]
fn openings_can_be_written_out_as_the_page_says() {
    let scratch = Scratch::new("openings");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (name, setup) in [("bare", fen.to_owned()), ("named", format!("fen:{fen}"))] {
        let plan = format!(
            "game = \"chess\"\nsetups = [\"{setup}\"]\nseeds = {{ count = 1 }}\nmax_inputs = 4\n[bot.a]\nname = \
             \"random\"\n[bot.b]\nname = \"random\"\n"
        );
        let file = scratch.file(&format!("{name}.toml"), &plan);
        assert_eq!(done(turnstone_games::games(), &["arena", &file]).unwrap(), Ended::Well, "{setup}");
    }
}

#[test]
fn seeds_beyond_the_last_are_refused() {
    let last = u64::MAX.to_string();
    let told =
        refused(turnstone_table::testing::GAMES, &["balance", "pebbles", "--seed", &last, "--games", "2"]);
    assert!(told.starts_with("[USAGE] --games: there are not so many seeds"), "{told}");
}
