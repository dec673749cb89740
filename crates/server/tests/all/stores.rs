//! One suite for every store: what a match needs of the place where it is kept.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use turnstone_server::store::{Append, Memory, Sqlite, Store, StoreError};

use crate::folder::Folder;

/// A store that can be closed and opened again; memory cannot.
type Opener<'a> = &'a dyn Fn() -> Box<dyn Store>;

fn part(id: &str, expected: u64, lines: &[&str]) -> Append {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    Append { id: id.to_owned(), expected, lines, note: format!("{id} {expected}"), at: 7 }
}

#[track_caller]
fn append(store: &dyn Store, part: Append) -> Result<u64, StoreError> {
    let mut done = store.append(&[part]);
    assert_eq!(done.len(), 1);
    done.remove(0)
}

fn lines_are_kept_in_order_and_as_they_are(store: &dyn Store) {
    let odd = ["{\"a\":1}", "", "größer ✓ \u{1F3B2}", "tab\there \"quoted\" '; drop table lines;--"];
    assert_eq!(append(store, part("order", 0, &odd)), Ok(4));
    assert_eq!(append(store, part("order", 4, &["five", "six"])), Ok(6));
    assert_eq!(store.read("order", 0, 100).unwrap()[..4], odd);
    assert_eq!(store.read("order", 3, 2).unwrap(), [odd[3], "five"]);
    assert_eq!(store.read("order", 6, 2).unwrap(), [""; 0]);
    assert_eq!(store.read("nobody", 0, 2).unwrap(), [""; 0]);
}

fn another_number_of_lines_is_a_conflict_and_changes_nothing(store: &dyn Store) {
    assert_eq!(append(store, part("cas", 3, &["x"])), Err(StoreError::Conflict { actual: 0 }));
    assert_eq!(append(store, part("cas", 0, &["a", "b"])), Ok(2));
    for wrong in [0, 1, 3, u64::from(u32::MAX)] {
        assert_eq!(append(store, part("cas", wrong, &["x"])), Err(StoreError::Conflict { actual: 2 }));
    }
    assert_eq!(store.read("cas", 0, 9).unwrap(), ["a", "b"]);
}

fn the_parts_of_a_group_do_not_hinder_each_other(store: &dyn Store) {
    append(store, part("group-b", 0, &["1"])).unwrap();
    let parts = [
        part("group-c", 0, &["1"]),
        part("group-b", 0, &["lost"]),
        part("group-a", 0, &["1"]),
        part("group-c", 1, &["2", "3"]),
    ];
    let done = store.append(&parts);
    assert_eq!(done, [Ok(1), Err(StoreError::Conflict { actual: 1 }), Ok(1), Ok(3)]);
    assert_eq!(store.read("group-c", 0, 9).unwrap(), ["1", "2", "3"]);
    assert_eq!(store.read("group-b", 0, 9).unwrap(), ["1"]);
}

fn lists_go_on_where_they_ended(store: &dyn Store) {
    for (id, at) in [("list-d", 1003), ("list-a", 1001), ("list-c", 1002), ("list-b", 1002)] {
        append(store, Append { at, note: format!("note of {id}"), ..part(id, 0, &["x", "y"]) }).unwrap();
    }
    let ids = |since, after: &str, limit| {
        let heads = store.list(since, after, limit).unwrap();
        heads.into_iter().map(|head| head.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(1000, "", 9), ["list-a", "list-b", "list-c", "list-d"]);
    assert_eq!(ids(1000, "", 2), ["list-a", "list-b"]);
    assert_eq!(ids(1002, "list-b", 2), ["list-c", "list-d"]);
    append(store, Append { at: 1004, ..part("list-a", 2, &["z"]) }).unwrap();
    assert_eq!(ids(1003, "list-d", 9), ["list-a"]);
    let head = &store.list(1003, "list-d", 9).unwrap()[0];
    assert_eq!((head.length, head.at, head.note.as_str()), (3, 1004, "list-a 2"));
}

fn what_is_forgotten_is_gone_and_can_be_made_again(store: &dyn Store) {
    append(store, part("gone", 0, &["x"])).unwrap();
    assert_eq!(store.forget("gone"), Ok(true));
    assert_eq!(store.forget("gone"), Ok(false));
    assert_eq!(store.read("gone", 0, 9).unwrap(), [""; 0]);
    assert!(store.list(0, "", 1000).unwrap().iter().all(|head| head.id != "gone"));
    assert_eq!(append(store, part("gone", 0, &["y"])), Ok(1));
}

/// 32 writers race for every line; some of them are other openings of the same store.
fn of_many_who_race_exactly_one_wins(stores: &[Box<dyn Store>]) {
    const WRITERS: usize = 32;
    const LINES: u64 = 8;
    append(&*stores[0], part("race", 0, &["start"])).unwrap();
    let won = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (store, won) = (&stores[writer % stores.len()], &won);
            scope.spawn(move || {
                for expected in 1..=LINES {
                    // A store may be too busy for so many; then it says so and nothing was done.
                    let line = format!("{writer} {expected}");
                    if append(&**store, part("race", expected, &[&line])).is_ok() {
                        won.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    let lines = stores[0].read("race", 0, 100).unwrap();
    assert_eq!(lines.len(), won.load(Ordering::SeqCst) + 1, "{lines:?}");
    for (number, line) in lines.iter().enumerate().skip(1) {
        assert!(line.ends_with(&format!(" {number}")), "{lines:?}");
    }
}

fn suite(open: Opener<'_>, keeps: bool) {
    let store = open();
    lines_are_kept_in_order_and_as_they_are(&*store);
    another_number_of_lines_is_a_conflict_and_changes_nothing(&*store);
    the_parts_of_a_group_do_not_hinder_each_other(&*store);
    lists_go_on_where_they_ended(&*store);
    what_is_forgotten_is_gone_and_can_be_made_again(&*store);
    if !keeps {
        return of_many_who_race_exactly_one_wins(&[store]);
    }
    of_many_who_race_exactly_one_wins(&[store, open()]);
    let again = open();
    assert_eq!(again.read("cas", 0, 9).unwrap(), ["a", "b"], "it is there after opening again");
    assert_eq!(append(&*again, part("cas", 2, &["c"])), Ok(3));
}

#[test]
fn memory() {
    suite(&|| Box::new(Memory::default()), false);
}

#[test]
fn sqlite() {
    let folder = Folder::new("stores-sqlite");
    let path = folder.0.join("matches.db");
    suite(&|| Box::new(Sqlite::open(&path).unwrap()), true);
}

#[test]
fn sqlite_refuses_what_is_no_database_and_what_is_newer() {
    let folder = Folder::new("stores-refused");
    let text = folder.0.join("text.db");
    std::fs::write(&text, "this is no database, but long enough to look at: ".repeat(50)).unwrap();
    let refusal = Sqlite::open(&text).err().unwrap().to_string();
    assert!(refusal.starts_with("[STORAGE]") && refusal.contains("text.db"), "{refusal}");
    assert!(Sqlite::open(Path::new("/nowhere/at/all.db")).is_err());
    let newer = folder.0.join("newer.db");
    drop(Sqlite::open(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(Sqlite::open(&newer).err(), Some(StoreError::Newer { found: 99, known: 1 }));
}

/// Says it past what a test that passes keeps to itself.
fn left_out(what: &str) {
    let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("LEFT OUT: {what}\n"));
}

#[cfg(not(feature = "postgres"))]
#[test]
fn postgres_is_not_part_of_this_program() {
    let required = std::env::var("TURNSTONE_POSTGRES").is_ok_and(|wanted| wanted == "required");
    assert!(!required, "PostgreSQL is asked for: test with --features postgres");
    left_out("the store in PostgreSQL was not tried, it is a feature of its own (postgres)");
}

/// A copy of the files that was cut anywhere holds a beginning of what was appended, or is refused.
#[test]
fn a_torn_copy_of_sqlite_is_a_beginning_or_is_refused() {
    let folder = Folder::new("stores-torn");
    let path = folder.0.join("whole.db");
    let store = Sqlite::open(&path).unwrap();
    for i in 0..8 {
        append(&store, part("torn", i, &[&format!("line {i}")])).unwrap();
    }
    let (whole, log) = (std::fs::read(&path).unwrap(), std::fs::read(path.with_extension("db-wal")).unwrap());
    let mut lengths = Vec::new();
    for cut in (0..=log.len()).step_by(1999).chain([log.len()]) {
        let copy = folder.0.join("copy.db");
        for ending in ["db", "db-wal", "db-shm"] {
            let _ = std::fs::remove_file(copy.with_extension(ending));
        }
        std::fs::write(&copy, &whole).unwrap();
        std::fs::write(copy.with_extension("db-wal"), &log[..cut]).unwrap();
        let Ok(store) = Sqlite::open(&copy) else { continue };
        let lines = store.read("torn", 0, 99).unwrap();
        assert!(lines.iter().enumerate().all(|(i, line)| *line == format!("line {i}")), "{lines:?}");
        lengths.push(lines.len());
    }
    assert!(lengths.is_sorted() && lengths.last() == Some(&8), "{lengths:?}");
}

/// The database itself, cut anywhere or with a page that was never written: what can be read of it is what was
/// appended, and whatever is missing is an error, never a match with a hole.
#[test]
fn a_torn_database_is_refused_or_read_as_far_as_it_is_whole() {
    let folder = Folder::new("stores-torn-database");
    let path = folder.0.join("whole.db");
    let long = |i: usize| format!("line {i} {}", "x".repeat(400));
    let store = Sqlite::open(&path).unwrap();
    for i in 0..80 {
        append(&store, part("torn", i as u64, &[&long(i)])).unwrap();
    }
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    assert!(!path.with_extension("db-wal").exists() && whole.len() > 40_000, "all of it is in one file");
    let (mut refused, mut read) = (0, 0);
    let cuts = (0..whole.len()).step_by(1999).map(|cut| whole[..cut].to_vec());
    let holes = (0..whole.len() / 4096).map(|page| {
        let mut holed = whole.clone();
        holed[page * 4096..(page + 1) * 4096].fill(0);
        holed
    });
    for torn in cuts.chain(holes) {
        let copy = folder.0.join("copy.db");
        for ending in ["db", "db-wal", "db-shm"] {
            let _ = std::fs::remove_file(copy.with_extension(ending));
        }
        std::fs::write(&copy, &torn).unwrap();
        let told = Sqlite::open(&copy).and_then(|store| store.read("torn", 0, 999));
        match told {
            Ok(lines) => {
                assert!(lines.iter().enumerate().all(|(i, line)| *line == long(i)), "a match with a hole");
                read += usize::from(!lines.is_empty());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 20, "{refused} refused, {read} read");
    println!("{refused} torn databases were refused, {read} could be read from the beginning");
}

#[cfg(feature = "postgres")]
mod postgres {
    use std::path::PathBuf;
    use std::process::{Command, Stdio};

    use super::*;
    use turnstone_server::store::Postgres;

    /// A server of our own, in a folder, reached through a socket file in it.
    struct Cluster {
        folder: Folder,
        programs: PathBuf,
    }

    /// `initdb` refuses to run as root.
    fn unprivileged(program: &Path) -> Command {
        let root = std::fs::metadata("/proc/self").is_ok_and(|meta| {
            use std::os::unix::fs::MetadataExt;
            meta.uid() == 0
        });
        if !root {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program);
        command
    }

    fn programs() -> Option<PathBuf> {
        let on_path = std::env::var_os("PATH")?;
        let found = std::env::split_paths(&on_path).find(|dir| dir.join("initdb").exists());
        let debian = || {
            let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(Result::ok);
            versions.map(|version| version.path().join("bin")).find(|dir| dir.join("initdb").exists())
        };
        let found = found.or_else(debian)?;
        std::fs::canonicalize(found.join("initdb")).ok()?.parent().map(Path::to_owned)
    }

    fn run(command: &mut Command) -> bool {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    impl Cluster {
        fn start() -> Option<Self> {
            let programs = programs()?;
            let folder = Folder::new("stores-postgres");
            let nobody = Command::new("chown").args(["nobody:nogroup"]).arg(&folder.0).status();
            let _ = nobody;
            let cluster = Cluster { folder, programs };
            let data = cluster.data();
            let made = run(unprivileged(&cluster.programs.join("initdb"))
                .args(["--auth=trust", "--username=tester", "--no-sync", "-D"])
                .arg(&data));
            (made && cluster.control("start")).then_some(cluster)
        }

        fn data(&self) -> PathBuf {
            self.folder.0.join("data")
        }

        fn control(&self, what: &str) -> bool {
            let options = format!("-c listen_addresses='' -k {}", self.folder.0.display());
            run(unprivileged(&self.programs.join("pg_ctl"))
                .args([what, "-w", "-m", "immediate", "-o", &options, "-l"])
                .arg(self.folder.0.join("server.log"))
                .arg("-D")
                .arg(self.data()))
        }

        fn address(&self) -> String {
            let folder = self.folder.0.display().to_string().replace('/', "%2F");
            format!("postgres://tester@{folder}/postgres")
        }
    }

    impl Drop for Cluster {
        fn drop(&mut self) {
            self.control("stop");
        }
    }

    #[test]
    fn postgres() {
        let Some(cluster) = Cluster::start() else {
            assert!(
                std::env::var("TURNSTONE_POSTGRES").as_deref() != Ok("required"),
                "there is no PostgreSQL server to try the store on"
            );
            left_out("there is no PostgreSQL server here, so its store was not tried");
            return;
        };
        let open = || Box::new(Postgres::open(&cluster.address()).unwrap()) as Box<dyn Store>;
        suite(&open, true);
        restarted_in_the_middle(&cluster, &*open());
        restarted_under_a_match(&cluster, open());
        two_servers(&open);
    }

    fn two_servers(open: Opener<'_>) {
        use crate::server::{Server, generous};
        let (here, there) = (Server::start(open(), generous()), Server::start(open(), generous()));
        crate::upkeep::tell_each_other_everything(&here, &there);
    }

    /// A match whose database goes away: the input is refused, nobody hears of it, and sent again it is done once.
    fn restarted_under_a_match(cluster: &Cluster, store: Box<dyn Store>) {
        use crate::server::{Server, generous, id, token, wait};
        use serde_json::json;
        use turnstone_server::client::{Client, open};
        let server = Server::start(store, generous());
        wait(async {
            let wanted = json!({"game": "pebbles", "seats": [{"who": "me"}, {"who": "me"}]});
            let opened = open(&server.place, &wanted).await.unwrap();
            let held = [token(&opened, 0), token(&opened, 1)].concat();
            let (mut client, _) = Client::sit(&server.place, id(&opened), &held, None).await.unwrap();
            let act = |id: &str, rev: u64| json!({"t": "act", "id": id, "rev": rev, "choose": 0});
            assert_eq!(client.ask(act("a", 0)).await.unwrap()["rev"], 1);
            assert!(cluster.control("stop"));
            let refused = client.ask(act("b", 1)).await;
            // The match may have had to go to sleep: then the line is cut.
            assert!(refused.as_ref().map_or(true, |answer| answer["code"] == "STORAGE"), "{refused:?}");
            assert!(cluster.control("start"));
            let mut done = 0;
            for _ in 0..50 {
                let Ok((mut client, welcome)) = Client::sit(&server.place, id(&opened), &held, None).await
                else {
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    continue;
                };
                assert_eq!(welcome["rev"], 1, "nothing was half done");
                done = client.ask(act("b", 1)).await.unwrap()["rev"].as_u64().unwrap_or(0);
                assert_eq!(
                    client.ask(act("b", 1)).await.unwrap()["rev"],
                    done,
                    "a resend gets the first answer"
                );
                break;
            }
            assert_eq!(done, 2);
        });
    }

    /// What was appended is there, what was not is told, and the store comes back by itself.
    fn restarted_in_the_middle(cluster: &Cluster, store: &dyn Store) {
        assert_eq!(append(store, part("restart", 0, &["before"])), Ok(1));
        assert!(cluster.control("stop"));
        let refusal = append(store, part("restart", 1, &["while"])).unwrap_err();
        assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
        assert!(cluster.control("start"));
        let again = (0..3).find_map(|_| append(store, part("restart", 1, &["after"])).ok());
        assert_eq!(again, Some(2));
        assert_eq!(store.read("restart", 0, 9).unwrap(), ["before", "after"]);
    }
}
