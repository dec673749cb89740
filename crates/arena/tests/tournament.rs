//! Whole tournaments: the same bytes however they are played, and nothing that a player does stops one.

use std::path::PathBuf;

use turnstone_arena::{Plan, Report, Tournament, Unit};
use turnstone_table::testing::GAMES;

/// A file of its own, gone in the end.
struct Results(PathBuf);

impl Results {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Results(path)
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap()
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn tournament(text: &str) -> Tournament {
    let plan = Plan::read(text).unwrap();
    let host = GAMES.find(&plan.game).unwrap();
    Tournament::new(plan, host, &[], &[]).unwrap()
}

fn play(text: &str, name: &str, threads: usize) -> (Vec<Unit>, Vec<u8>, Report) {
    let (tournament, results) = (tournament(text), Results::new(name));
    let units = tournament.run(&results.0, threads, |_| {}).unwrap();
    let report = Report::new(tournament.plan(), &units);
    (units, results.bytes(), report)
}

const THREE: &str = "game = \"pebbles\"\nseeds = { count = 12 }\n\
                     [bot.a]\nname = \"random\"\n[bot.b]\nname = \"random\"\n[bot.c]\nname = \"random\"\n";

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let (_, one, report) = play(THREE, "one", 1);
    for threads in [2, 3, 8] {
        let (_, bytes, other) = play(THREE, &format!("threads-{threads}"), threads);
        assert_eq!(bytes, one);
        assert_eq!((other.text(), other.html(), other.csv()), (report.text(), report.html(), report.csv()));
    }
    assert_eq!(report.games, 12 * 3 * 2);
    // Seats are swapped and the bots are the same, so every pair of games is even.
    assert!(report.pairs.iter().all(|pair| pair.results == [0, 0, 12, 0, 0]), "{}", report.text());
    assert!(report.bots.iter().all(|bot| bot.rating.unwrap().elo.abs() < 1e-6));
}

#[test]
fn a_tournament_cut_off_anywhere_is_taken_up_again() {
    let (_, whole, _) = play(THREE, "whole", 2);
    for step in 0..40 {
        let cut = step * whole.len() / 39;
        let results = Results::new(&format!("cut-{step}"));
        std::fs::write(&results.0, &whole[..cut]).unwrap();
        let mut begun = None;
        tournament(THREE).run(&results.0, 2, |progress| begun = begun.or(Some(progress.done))).unwrap();
        assert_eq!(results.bytes(), whole, "cut at {cut}");
        let lines = whole[..cut].iter().filter(|byte| **byte == b'\n').count() as u64;
        assert_eq!(begun, Some(lines.saturating_sub(1)), "what was played is not played again");
    }
}

/// As soon as anybody had played the last seed, all seeds were said to have been played by all.
#[test]
fn a_tournament_is_over_when_everybody_has_played_the_last_seed_everywhere() {
    let (units, ..) = play(THREE, "over", 2);
    let ended = |count: usize| Report::new(&Plan::read(THREE).unwrap(), &units[..count]).ended;
    assert_eq!(ended(36), "all 12 seeds were played");
    for (played, seeds) in [(35, 11), (34, 11), (33, 11), (32, 10), (0, 0)] {
        assert_eq!(ended(played), format!("not over: {seeds} of 12 seeds"));
    }
}

#[test]
fn units_played_elsewhere_in_any_order_give_the_same_bytes() {
    let (_, whole, report) = play(THREE, "here", 2);
    let (here, there, results) = (tournament(THREE), tournament(THREE), Results::new("elsewhere"));
    assert_eq!(here.mark(), there.mark());
    let mut written = here.results(&results.0).unwrap();
    for number in (0..here.units()).rev() {
        assert_eq!(written.progress().done, 0, "the first one comes last");
        written.hear(&there.play(number).unwrap()).unwrap();
    }
    written.hear(&there.play(7).unwrap()).unwrap();
    assert!(written.over(), "what comes twice is written once");
    let again = Report::new(here.plan(), written.units());
    written.close().unwrap();
    assert_eq!(results.bytes(), whole);
    assert_eq!(again.files().unwrap(), report.files().unwrap());
    assert_eq!(there.play(here.units()).unwrap_err().code, "NO_SUCH_UNIT");
}

#[test]
fn who_writes_results_is_alone_and_others_read_them() {
    let (_, whole, _) = play(THREE, "alone-whole", 2);
    let (here, there, results) = (tournament(THREE), tournament(THREE), Results::new("alone"));
    let mut written = here.results(&results.0).unwrap();
    assert_eq!(there.results(&results.0).err().unwrap().code, "IN_USE");
    assert_eq!(there.run(&results.0, 2, |_| {}).unwrap_err().code, "IN_USE");
    written.hear(&here.play(0).unwrap()).unwrap();
    let units = there.read(&results.0).unwrap();
    assert_eq!(units.len(), 1);
    let file = there.match_file(&units, 0, 1).unwrap();
    assert_eq!(GAMES.load(&file, &[]).unwrap().outcome(), units[0].games[1].outcome);
    assert_eq!(written.close().unwrap(), units);
    assert_eq!(there.run(&results.0, 2, |_| {}).unwrap().len(), 36, "afterwards it is free");
    assert_eq!(results.bytes(), whole);
}

#[test]
fn one_game_is_played_without_the_others() {
    let (here, results) = (tournament(THREE), Results::new("single"));
    assert_eq!(here.read(&results.0).unwrap(), [], "a file that there is not holds nothing");
    let file = here.play_game(7, 1).unwrap();
    assert!(!results.0.exists());
    let units = here.run(&results.0, 2, |_| {}).unwrap();
    assert_eq!(file, here.match_file(&units, 7, 1).unwrap(), "and it is the game of the tournament");
    for (unit, game) in [(7, 2), (36, 0)] {
        assert_eq!(here.play_game(unit, game).unwrap_err().code, "NO_SUCH_GAME");
        assert_eq!(
            here.check_game(unit, game).unwrap_err().code,
            "NO_SUCH_GAME",
            "known before it is played"
        );
    }
}

#[test]
fn a_line_that_is_no_unit_is_refused_and_not_written() {
    let (here, results) = (tournament(THREE), Results::new("lines"));
    let mut written = here.results(&results.0).unwrap();
    let line = here.play(0).unwrap();
    for wrong in ["", "{}", &line.replacen(',', ",\n", 1)] {
        assert_eq!(written.hear(wrong).unwrap_err().code, "BAD_UNIT", "{wrong}");
    }
    assert_eq!(written.progress().done, 0);
    assert_eq!(written.close().unwrap(), []);
    assert_eq!(results.bytes().iter().filter(|byte| **byte == b'\n').count(), 1);
}

#[test]
fn a_tournament_can_be_made_longer_but_not_another() {
    let results = Results::new("longer");
    tournament(&THREE.replace("12", "5")).run(&results.0, 2, |_| {}).unwrap();
    tournament(THREE).run(&results.0, 2, |_| {}).unwrap();
    assert_eq!(results.bytes(), play(THREE, "longer-whole", 1).1);
    let other = tournament(&THREE.replace("[bot.c]", "[bot.d]"));
    assert_eq!(other.run(&results.0, 1, |_| {}).unwrap_err().code, "OTHER_TOURNAMENT");
    let text = String::from_utf8(results.bytes()).unwrap().replacen("\"unit\":3", "\"unit\":4", 1);
    std::fs::write(&results.0, text).unwrap();
    assert_eq!(tournament(THREE).run(&results.0, 1, |_| {}).unwrap_err().code, "DAMAGED_RESULTS");
}

/// A program that claims the first free cell whenever it is asked.
const FIRST: &str = "while read -r line; do case $line in *'\"turn\"'*|*'\"error\"'*) echo 0;; esac; done";

#[test]
fn who_crashes_stalls_or_cheats_loses_and_stops_nothing() {
    let bots = [
        ("crash", "read -r line; echo out of ideas >&2; exit 3", "CRASHED"),
        ("stall", "sleep 60", "STALLED"),
        ("cheat", "while echo 999; do :; done", "ILLEGAL"),
        ("hog", "head -c 400000000 /dev/zero | tail -c 400000000 | wc -c; sleep 60", "OUT_OF_MEMORY"),
        // The beginning of its line is refused for its length; the end never comes.
        ("flood", "tr '\\0' x < /dev/zero", "STALLED"),
        // Here it does, again and again.
        ("long", "while head -c 1000001 /dev/zero | tr '\\0' x && echo; do :; done", "ILLEGAL"),
        ("quit", "echo '{\"command\":\"quit\"}'; sleep 60", "QUIT"),
        ("gone", "/nonexistent/program", "UNSTARTED"),
    ];
    let mut text = "game = \"pebbles\"\nformat = \"gauntlet\"\nhero = \"random\"\nseeds = { count = 1 }\n\
                    [bot.random]\nname = \"random\"\n"
        .to_owned();
    for (name, command, _) in bots {
        text += &format!(
            "[bot.{name}]\nkind = \"protocol\"\ncommand = '''{command}'''\nstart_seconds = 1\nmove_seconds = 3\nmemory_mb = 100\n"
        );
    }
    let (units, _, report) = play(&text, "faults", 2);
    let faults = units.iter().flat_map(|unit| &unit.games).filter_map(|game| game.fault.as_ref());
    let crashes: Vec<&str> =
        faults.filter(|fault| fault.text.contains("out of ideas")).map(|fault| fault.code.as_str()).collect();
    assert_eq!(crashes, ["CRASHED"; 2], "what a program says last is told");
    for (name, _, code) in bots {
        let bot = report.bots.iter().find(|bot| bot.name == name).unwrap();
        assert_eq!((bot.games, bot.won.count, bot.drawn), (2, 0, 0), "{name}: {}", report.text());
        assert_eq!(bot.faults.values().sum::<u64>(), 2, "{name}: {}", report.text());
        assert!(bot.faults.contains_key(code), "{name}: {:?}", bot.faults);
    }
    let long = report.faults.iter().find(|row| row.bot == "long").unwrap();
    assert!(long.text.starts_with("10 wrong lines in a row, the last: xxxx"), "{}", long.text);
    assert!(long.text.contains("a line has at most 1000000 bytes") && long.text.len() < 300, "{}", long.text);
    let random = report.bots.iter().find(|bot| bot.name == "random").unwrap();
    assert!(random.faults.is_empty() && random.won.share == 1.0);
}

#[test]
fn faults_carry_the_wrong_line_and_the_last_words_into_every_report() {
    let text = "game = \"pebbles\"\nseeds = { count = 1 }\n\
                [bot.cheat]\nkind = \"protocol\"\ncommand = '''echo stuck >&2; while echo 999; do :; done'''\n\
                [bot.quit]\nkind = \"protocol\"\ncommand = '''echo no way >&2; echo '{\"command\":\"quit\"}'; sleep 60'''\n\
                [bot.gone]\nkind = \"protocol\"\ncommand = \"./nothere\"\n[bot.random]\nname = \"random\"\n";
    let (_, _, report) = play(text, "words", 2);
    let row = |bot: &str| report.faults.iter().find(|row| row.bot == bot).unwrap();
    let (cheat, quit, gone) = (row("cheat"), row("quit"), row("gone"));
    assert_eq!((&*cheat.code, &*quit.code, &*gone.code), ("ILLEGAL", "QUIT", "UNSTARTED"));
    assert!(cheat.text.starts_with("10 wrong lines in a row, the last: 999 ["), "{}", cheat.text);
    assert!(cheat.text.ends_with("; it said: stuck"), "{}", cheat.text);
    assert_eq!(quit.text, "it gave up; it said: no way");
    assert!(gone.text.contains("not found"), "{}", gone.text);
    for (name, text) in report.files().unwrap().iter().filter(|(name, _)| name.contains("report.")) {
        assert!(text.contains("no way") || name.ends_with("csv"), "{name}");
    }
}

/// A limit of the system holds for each process by itself: three that kept 60 megabytes each passed below 100.
#[test]
fn what_the_processes_of_a_program_hold_adds_up() {
    let three =
        "for i in 1 2 3; do (head -c 60000000 /dev/zero; sleep 60) | tail -c 60000000 & done; sleep 60";
    let text = format!(
        "game = \"pebbles\"\nformat = \"gauntlet\"\nhero = \"random\"\nseeds = {{ count = 1 }}\n[bot.random]\nname = \"random\"\n\
         [bot.three]\nkind = \"protocol\"\ncommand = '''{three}'''\nmove_seconds = 50\nmemory_mb = 100\n"
    );
    let (_, _, report) = play(&text, "adds-up", 2);
    let row = report.faults.iter().find(|row| row.bot == "three").unwrap();
    assert_eq!((&*row.code, row.games), ("OUT_OF_MEMORY", 2), "{}", row.text);
    assert!(row.text.starts_with("it held 1") && row.text.contains(" megabytes"), "{}", row.text);
}

/// The keys were read and meant nothing: a search without end was never ended.
#[test]
fn limits_of_a_built_in_bot_need_somebody_who_runs_it() {
    for limit in ["start_seconds = 5", "move_seconds = 10", "game_seconds = 600", "memory_mb = 0"] {
        let plan =
            Plan::read(&THREE.replacen("name = \"random\"", &format!("name = \"random\"\n{limit}"), 1))
                .unwrap();
        let trouble = Tournament::new(plan, GAMES.find("pebbles").unwrap(), &[], &[]).err().unwrap();
        let key = limit.split(' ').next().unwrap();
        assert!(
            trouble.code == "BAD_PLAN" && trouble.text.starts_with(&format!("[bot.a]: {key}: ")),
            "{trouble}"
        );
    }
}

/// Who sent one wrong line and waited was told to be late, and nothing else.
#[test]
fn who_stalls_after_a_wrong_line_or_within_one_is_told_with_it() {
    let program = |name: &str, command: &str| {
        format!(
            "[bot.{name}]\nkind = \"protocol\"\ncommand = '''{command}'''\nstart_seconds = 0\nmove_seconds = 2\n"
        )
    };
    let text = "game = \"pebbles\"\nformat = \"gauntlet\"\nhero = \"random\"\nseeds = { count = 1 }\n\
                [bot.random]\nname = \"random\"\n"
        .to_owned()
        + &program("wrong", "echo 999; sleep 60")
        + &program("cut", "printf 99; sleep 60");
    let (_, _, report) = play(&text, "silence", 2);
    let row = |bot: &str| report.faults.iter().find(|row| row.bot == bot).unwrap();
    let (wrong, cut) = (row("wrong"), row("cut"));
    assert_eq!((&*wrong.code, &*cut.code), ("STALLED", "STALLED"));
    assert!(wrong.text.starts_with("no answer in time; its last line was wrong: 999 ["), "{}", wrong.text);
    assert_eq!(cut.text, "no answer in time: its line has no end yet: 99");
}

#[test]
fn results_that_cannot_be_written_are_named() {
    let trouble = tournament(THREE).run(std::path::Path::new("/no/such/dir/x.jsonl"), 1, |_| {}).unwrap_err();
    assert!(trouble.code == "FILE" && trouble.text.starts_with("/no/such/dir/x.jsonl: "), "{trouble}");
}

/// Reports of games for one spoke of a measure, and nowhere of turns.
#[test]
fn what_is_measured_is_called_by_its_name_and_drawn() {
    let plan = "game = \"maze\"\nmeasure = \"-turns\"\nseeds = { count = 1 }\n[bot.a]\nname = \"x\"\n[bot.b]\nname = \"y\"\n";
    let game = |bot: &str, turns: u64| serde_json::json!({ "seats": [bot], "outcome": null, "inputs": 1, "tally": { "turns": turns } });
    let unit =
        serde_json::json!({ "unit": 0, "setup": "", "seed": 1, "games": [game("a", 5), game("b", 9)] });
    let report = Report::new(&Plan::read(plan).unwrap(), &[serde_json::from_value(unit).unwrap()]);
    let (text, page) = (report.text(), report.html());
    assert!(text.contains("turns") && text.contains("difference in turns") && !text.contains('±'), "{text}");
    assert!(page.contains("Mean turns") && !page.contains("first seat"), "{page}");
    assert_eq!(report.measured.as_deref(), Some("turns"));
}

#[test]
fn the_inputs_of_everybody_count_alike() {
    let text = format!(
        "game = \"pebbles\"\nseeds = {{ count = 1 }}\nmax_inputs = 3\n[bot.a]\nname = \"random\"\n[bot.b]\nname = \"random\"\n\
         [bot.one]\nkind = \"protocol\"\ncommand = '''{FIRST}'''\n[bot.two]\nkind = \"protocol\"\ncommand = '''{FIRST}'''\n"
    );
    let (units, ..) = play(&text, "inputs", 2);
    let inputs: Vec<u64> = units.iter().flat_map(|unit| &unit.games).map(|game| game.inputs).collect();
    assert_eq!(inputs, [3; 12]);
}

#[test]
fn a_program_plays_whole_games_that_have_match_files() {
    let text = format!(
        "game = \"pebbles\"\nseeds = {{ count = 2 }}\n[bot.random]\nname = \"random\"\n\
         [bot.first]\nkind = \"protocol\"\ncommand = '''{FIRST}'''\nmove_seconds = 60\n"
    );
    let (tournament, results) = (tournament(&text), Results::new("program"));
    let units = tournament.run(&results.0, 2, |_| {}).unwrap();
    for unit in &units {
        for (index, game) in unit.games.iter().enumerate() {
            assert!(game.outcome.is_some() && game.fault.is_none(), "{game:?}");
            let file = tournament.match_file(&units, unit.unit, index).unwrap();
            let table = GAMES.load(&file, &[]).unwrap();
            assert_eq!(table.outcome(), game.outcome);
            assert_eq!(table.line().len() as u64 - 1, game.inputs);
        }
    }
    assert_eq!(tournament.match_file(&units, 99, 0).unwrap_err().code, "NO_SUCH_GAME");
}

#[test]
fn a_match_file_of_built_in_bots_tells_the_same_game() {
    let (tournament, results) = (tournament(THREE), Results::new("files"));
    let units = tournament.run(&results.0, 2, |_| {}).unwrap();
    for (unit, game) in [(0, 0), (3, 1), (20, 0)] {
        let file = tournament.match_file(&units, unit, game).unwrap();
        let table = GAMES.load(&file, &[]).unwrap();
        assert_eq!(table.outcome(), units[unit as usize].games[game].outcome);
    }
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_on_any_number_of_threads() {
    let text = "game = \"pebbles\"\nseeds = { count = 100 }\n[bot.a]\nname = \"random\"\n\
                [bot.b]\nkind = \"protocol\"\ncommand = \"exit 1\"\n\
                [sprt]\na = \"a\"\nb = \"b\"\nelo1 = 300\nstep = 2\n";
    let (units, bytes, report) = play(text, "sprt-1", 1);
    let (_, again, _) = play(text, "sprt-3", 3);
    assert_eq!(bytes, again);
    assert!(units.len() < 40 && units.len() % 2 == 0, "{}", units.len());
    let says = "a is stronger than b by more than 0 normalized Elo: the claim of 300 was accepted";
    assert!(report.ended.starts_with(says), "{}", report.ended);
    assert!(report.html().contains("0 or 300 normalized Elo"), "the picture names the unit, too");
    let logistic = play(&format!("{text}model = \"logistic\"\n"), "sprt-logistic", 2).2;
    assert!(logistic.ended.contains("by more than 0 Elo:"), "{}", logistic.ended);
    assert!(report.html().contains("Sequential test"));
}

#[test]
fn what_there_is_not_is_told_before_anything_is_played() {
    for (text, code) in [
        ("game = \"pebbles\"\n[bot.a]\nname = \"no\"\n[bot.b]\nname = \"random\"", "UNKNOWN_BOT"),
        ("game = \"pebbles\"\n[bot.a]\nname = \"random\"", "BAD_PLAN"),
    ] {
        let plan = Plan::read(text).unwrap();
        let trouble = Tournament::new(plan, GAMES.find("pebbles").unwrap(), &[], &[]).err().unwrap();
        assert_eq!(trouble.code, code);
    }
}

#[test]
fn a_misspelt_measure_is_refused_with_the_nearest() {
    let names: Vec<String> = {
        let (units, ..) = play(THREE, "tally", 2);
        units[0].games[0]
            .tally
            .iter()
            .filter(|(_, value)| value.is_number())
            .map(|(name, _)| name.clone())
            .collect()
    };
    let known = &names[0];
    let measured = |name: &str| {
        let results = Results::new(&format!("measure-{}", name.len()));
        tournament(&format!("measure = \"{name}\"\n{THREE}")).run(&results.0, 2, |_| {})
    };
    assert!(measured(known).is_ok() && measured(&format!("-{known}")).is_ok());
    let trouble = measured(&known[..known.len() - 1]).unwrap_err();
    assert_eq!(trouble.code, "UNKNOWN_MEASURE");
    assert!(trouble.text.contains(&format!("did you mean \"{known}\"?")), "{}", trouble.text);
}

#[test]
fn reasons_are_kept_on_demand_and_are_those_of_the_game() {
    let text = "game = \"pebbles\"\nseeds = { count = 1 }\nreasons = true\n\
                [bot.a]\nname = \"flat:16,trees=2\"\n[bot.b]\nname = \"random\"\n";
    let (units, bytes, _) = play(text, "reasons", 1);
    assert_eq!(bytes, play(text, "reasons-again", 2).1);
    let game = &units[0].games[0];
    assert!(
        !game.reasons.is_empty() && game.reasons.iter().all(|reason| reason.seat == 0),
        "{:?}",
        game.reasons
    );
    assert!(game.reasons.iter().all(|reason| reason.tries.0 <= reason.tries.1 && !reason.line.is_empty()));
    let without = text.replace("reasons = true\n", "");
    let (units, ..) = play(&without, "no-reasons", 1);
    assert!(units[0].games[0].reasons.is_empty());
    assert_eq!(units[0].games[0].inputs, game.inputs, "asking why changes nothing");
}

#[test]
fn reasons_are_kept_though_a_program_plays() {
    let text = format!(
        "game = \"pebbles\"\nseeds = {{ count = 1 }}\nreasons = true\n[bot.a]\nname = \"flat:16,trees=2\"\n\
         [bot.first]\nkind = \"protocol\"\ncommand = '''{FIRST}'''\nmove_seconds = 60\n"
    );
    let (units, ..) = play(&text, "reasons-program", 1);
    for (seat, game) in units[0].games.iter().enumerate() {
        let own = game.reasons.iter().filter(|reason| usize::from(reason.seat) == seat).count();
        assert!(own > 0 && own == game.reasons.len(), "{game:?}");
    }
}

#[test]
fn who_plays_by_the_clock_is_marked_and_his_game_is_kept() {
    let text = "game = \"pebbles\"\nseeds = { count = 2 }\n[bot.a]\nname = \"random\"\n\
                [bot.clock]\nname = \"flat:100000,trees=2,time=2\"\n";
    let (tournament, results) = (tournament(text), Results::new("clock"));
    let units = tournament.run(&results.0, 2, |_| {}).unwrap();
    assert!(units.iter().flat_map(|unit| &unit.games).all(|game| game.timed && !game.sent.is_empty()));
    let head = String::from_utf8(results.bytes()).unwrap();
    assert!(head.lines().next().unwrap().ends_with("\"timed\":[\"clock\"]}"), "{head}");
    let report = Report::new(tournament.plan(), &units);
    assert!(report.text().contains("not reproducible: clock plays by the clock"), "{}", report.text());
    assert!(report.html().contains("not reproducible"));
    for (index, game) in units[0].games.iter().enumerate() {
        let table = GAMES.load(tournament.match_file(&units, 0, index).unwrap(), &[]).unwrap();
        assert_eq!((table.outcome(), table.line().len() as u64 - 1), (game.outcome, game.inputs));
    }
    let counted = Plan::read(&text.replace(",time=2", "")).unwrap();
    assert!(counted.timed().is_empty() && !play(THREE, "counted", 1).2.text().contains("reproducible"));
    let chess = "game = \"chess\"\n[bot.a]\nkind = \"uci\"\ncommand = \"x\"\ngo = \"movetime 10\"\n";
    assert_eq!(Plan::read(chess).unwrap().timed(), ["a"]);
}

#[test]
fn everybody_is_compared_with_everybody_in_the_text() {
    let (_, _, report) = play(THREE, "superiority", 2);
    assert!(report.text().contains("how likely the one on the left is stronger, in %\nstronger"));
    let pair = play(&THREE.replace("[bot.c]\nname = \"random\"\n", ""), "superiority-of-two", 2).2;
    assert!(!pair.text().contains("on the left"), "two need no table");
}

#[test]
fn levels_and_slips_play_like_any_bot() {
    let text = "game = \"pebbles\"\nseeds = { count = 2 }\n[bot.a]\nname = \"gentle\"\n[bot.b]\nname = \"slips=30:flat:8\"\n";
    let (_, one, report) = play(text, "levels", 1);
    assert_eq!((report.games, report.broken.len()), (4, 0));
    assert_eq!(one, play(text, "levels-again", 3).1);
}
