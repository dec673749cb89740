//! Matches that were played once, kept as their files: `matches/GAME-RULES.turn.gz`. Those by today's version of the
//! rules are played again; older ones can be watched.
//!
//! If one of today's is played otherwise now, old matches break: raise `RULES` of that game, say so in the changelog,
//! leave its file as it is, and put one by the new rules beside it (`play`, and pack what was saved with `gzip -9 -n`).

use std::io::Read;
use std::path::PathBuf;

use turnstone_games::games;
use turnstone_table::Opening;

fn kept() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/matches");
    let files = std::fs::read_dir(folder).expect("the folder of matches").filter_map(Result::ok);
    let mut all: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let packed = std::fs::read(file.path()).expect("a match");
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut plain).expect("a packed match");
            (file.file_name().to_string_lossy().into_owned(), plain)
        })
        .collect();
    all.sort();
    all
}

/// The version of the rules that the head of a match file names.
fn version(file: &[u8]) -> u64 {
    let first = file.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head: serde_json::Value = serde_json::from_slice(first).expect("a header");
    head["rules"].as_u64().expect("a version of the rules")
}

#[test]
fn matches_of_before_are_played_again_or_watched() {
    let mut by_todays = Vec::new();
    for (name, file) in kept() {
        let host = games().host_of_file(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let new = games().find(host.name()).expect("it is hosted").open(&Opening::default());
        let today = version(new.and_then(|table| table.save()).expect("a match begins").as_bytes());
        if version(&file) == today {
            let again = games().load(&file, &[]);
            let again = again.unwrap_or_else(|error| panic!("{name} is played otherwise now: {error}"));
            assert!(again.moments() > 4, "{name}");
            by_todays.push(host.name());
        } else {
            let watched = host.watch(&file, &[]);
            let (watched, _) = watched.unwrap_or_else(|error| panic!("{name} cannot be watched: {error}"));
            assert!(watched.moments() > 4, "{name}");
        }
    }
    by_todays.dedup();
    assert_eq!(by_todays, ["chess", "grid", "skirmish", "spire"], "each game has one by today's rules");
}
