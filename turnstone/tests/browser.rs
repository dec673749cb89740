//! The table in a real browser, driven as a person would: every game by mouse, by dragging, by touch and by keys,
//! back and forth in time, with the connection lost and the server killed.
//!
//! Needs Chromium (`$CHROMIUM`, or on the path). Without one it says so in one line and passes, unless
//! `TURNSTONE_BROWSER=required`. `TURNSTONE_PICTURES=DIR` keeps pictures of what was shown.

#[path = "browser/asked.rs"]
mod asked;
#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/every.rs"]
mod every;
#[path = "browser/people.rs"]
mod people;
#[path = "browser/premoves.rs"]
mod premoves;
#[path = "browser/replay.rs"]
mod replay;
#[path = "browser/senses.rs"]
mod senses;
#[path = "browser/speed.rs"]
mod speed;
#[path = "browser/steady.rs"]
mod steady;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use chromium::{Chromium, Tab};
use serde_json::{Value, json};
use turnstone_server::serve::{Plan, serve};
use turnstone_server::settings::Settings;

/// The server under test, on a port of its own and a store that outlives it.
struct Server {
    process: Child,
    store: PathBuf,
    address: String,
    /// Somebody else's program, or ours.
    program: Option<PathBuf>,
}

impl Server {
    fn start(name: &str) -> Self {
        Self::of(None, name)
    }

    fn of(program: Option<PathBuf>, name: &str) -> Self {
        let store = std::env::temp_dir().join(format!("turnstone-browser-{name}-{}.db", std::process::id()));
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", store.display()));
        }
        let (process, address) = Self::launch(program.as_deref(), &store, "127.0.0.1:0");
        Server { process, store, address, program }
    }

    /// As a process of its own, so that it can be killed.
    fn command(program: Option<&Path>, store: &Path, listen: &str) -> Command {
        if let Some(program) = program {
            let mut command = Command::new(program);
            let port = listen.rsplit(':').next().unwrap_or_default();
            command.args(["serve", "--port", port, "--store"]).arg(store);
            return command;
        }
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "a_server_to_be_killed", "--nocapture"]);
        command.env(STORE, store).env(LISTEN, listen);
        command
    }

    fn launch(program: Option<&Path>, store: &Path, listen: &str) -> (Child, String) {
        let mut process = Self::command(program, store, listen)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server tells its address").unwrap();
            if let Some(at) = line.find("http://") {
                let address = line[at..].split_whitespace().next().unwrap_or_default();
                break address.trim_end_matches(['/', '.', ',']).to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        (process, address)
    }

    /// Kills it without a word and, when the time is up, starts it again at the same address.
    fn again(&mut self, tab: &Tab, pause: Duration) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        tab.wait("document.querySelector('.band.off')");
        std::thread::sleep(pause);
        let listen = self.address.trim_start_matches("http://").to_owned();
        let (process, address) = Self::launch(self.program.as_deref(), &self.store, &listen);
        assert_eq!(address, self.address);
        self.process = process;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", self.store.display()));
        }
    }
}

const STORE: &str = "TURNSTONE_TEST_STORE";
const LISTEN: &str = "TURNSTONE_TEST_LISTEN";

#[test]
#[ignore = "started by the other test"]
fn a_server_to_be_killed() {
    let (Ok(store), Ok(listen)) = (std::env::var(STORE), std::env::var(LISTEN)) else { return };
    let plan = Plan {
        games: turnstone_games::games(),
        // All the people of a test sit at one machine, and leave their windows open.
        settings: Settings { sockets_per_address: 500, connections_per_address: 1000, ..Settings::default() },
        store: turnstone_server::store::open(&store).unwrap(),
        listen: listen.parse().unwrap(),
        operate: None,
    };
    serve(plan, |address| println!("http://{address}/"), std::future::pending()).unwrap();
}

/// Opens a match from the page, as the lobby does, and goes to it.
fn open(tab: &Tab, server: &Server, body: &Value) -> String {
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelector('[data-play]')");
    let made = tab.eval(&format!(
        "(async () => {{ const made = await (await fetch('/api/matches', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body: JSON.stringify({body}) }})).json(); \
         const all = JSON.parse(localStorage.getItem('turnstone') || '{{\"matches\":{{}}}}'); \
         all.matches = all.matches || {{}}; all.matches[made.match] = {{ tokens: [...(made.seats || []).map((s) => s.token).filter(Boolean), made.host].filter(Boolean), \
         seats: Object.fromEntries((made.seats || []).filter((s) => s.token).map((s) => [s.seat, s.token])), at: 1 }}; \
         localStorage.setItem('turnstone', JSON.stringify(all)); return made; }})()"
    ));
    let id = made["match"].as_str().unwrap_or_else(|| panic!("no match: {made}")).to_owned();
    tab.go(&format!("{}/m/{id}", server.address));
    tab.wait("document.querySelector('.stage-in, .curtain')");
    id
}

const MINE: &str = "document.querySelector('.turn.mine')";
const OVER: &str = "document.querySelector('.band.end')";

/// How many moments the live line has.
fn moments(tab: &Tab) -> i64 {
    tab.eval("Number(document.querySelector('.strip-in').getAttribute('aria-valuemax'))")
        .as_i64()
        .unwrap_or(-1)
}

/// Everything that can be pointed at has a name for those who do not see it.
fn assert_named(tab: &Tab) {
    for role in ["gridcell", "button", "tab", "slider"] {
        let unnamed = tab.names(role).iter().filter(|name| name.trim().is_empty()).count();
        assert_eq!(unnamed, 0, "{role}s without a name");
    }
}

/// Pictures of the present at three sizes, light and dark.
fn pictures(tab: &Tab, name: &str) {
    for (width, height, phone) in [(1600, 1000, false), (1024, 768, false), (360, 780, true)] {
        tab.size(width, height, phone);
        tab.picture(&format!("{name}-{width}"));
    }
    tab.size(1280, 860, false);
    tab.scheme("dark");
    tab.picture(&format!("{name}-dark"));
    tab.scheme("light");
    // Let what was resized come to rest: a click goes to where things are then.
    std::thread::sleep(Duration::from_millis(400));
}

/// Clicks what can be clicked until the match is over or it has gone on long enough. A simple person: now this, now
/// that, and what ends the turn last.
fn play_on(tab: &Tab, most: usize) -> usize {
    let mut done = 0;
    while done < most && !tab.is(OVER) {
        tab.wait(&format!("{MINE} || {OVER}"));
        if tab.is(OVER) {
            break;
        }
        let selector = tab.text(&format!(
            "(() => {{ const seed = {done} * 7919 + 13; \
             const second = [...document.querySelectorAll('.cell.target, .standing.target, .node.target')]; \
             const first = [...document.querySelectorAll('.cell.first, .node.first, .card.first, .ware.first, .line.first')]; \
             const words = [...document.querySelectorAll('.action:not(.quiet):not(.grave)')]; \
             const list = second.length ? second : first.length && (seed % 5 || !words.length) ? first : words.length ? words : first; \
             if (!list.length) return ''; const e = list[seed % list.length]; \
             document.querySelectorAll('[data-now]').forEach((old) => old.removeAttribute('data-now')); e.setAttribute('data-now', ''); return '[data-now]'; }})()"
        ));
        if selector.is_empty() {
            std::thread::sleep(Duration::from_millis(50));
        } else {
            let before = tab.text("document.querySelector('.scene-title').textContent + document.querySelectorAll('.picked').length");
            tab.click_if_there(&selector);
            std::thread::sleep(Duration::from_millis(if before.is_empty() { 10 } else { 30 }));
        }
        done += 1;
    }
    done
}

fn chess(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    open(
        &tab,
        server,
        &json!({ "game": "chess", "name": "Ada", "seed": "11", "seats": [{ "who": "me" }, { "who": "bot", "bot": "random" }] }),
    );
    tab.wait(MINE);
    assert_eq!(tab.names("gridcell").len(), 64);
    assert!(tab.names("gridcell").iter().any(|name| name.starts_with("e2")), "{:?}", tab.names("gridcell"));
    assert_named(&tab);
    pictures(&tab, "chess-first");

    // By mouse: click, click. What moved is the same element, elsewhere.
    let pawn = tab.text("(() => { window.pawn = [...document.querySelectorAll('.piece')].find((p) => p.style.translate === '400% 600%'); return pawn.dataset.id; })()");
    tab.eval("pawn.addEventListener('transitionrun', (event) => { window.travels ||= event.propertyName === 'translate'; })");
    tab.click("[data-cell='4,6']");
    tab.wait("document.querySelector('[data-cell=\"4,4\"].target')");
    tab.point("[data-cell='4,4']");
    tab.picture("chess-target");
    tab.click("[data-cell='4,4']");
    tab.wait("pawn.isConnected && pawn.style.translate === '400% 400%'");
    tab.wait("window.travels");
    assert!(pawn.starts_with("piece"), "{pawn}");
    tab.wait(MINE);
    // By dragging.
    tab.drag("[data-cell='3,6']", "[data-cell='3,4']");
    tab.wait("document.querySelector('[data-cell=\"3,4\"].recent') || document.querySelectorAll('.entry').length >= 4");
    tab.wait(MINE);
    // By typing.
    tab.key("/");
    tab.wait("document.activeElement.id === 'typed'");
    tab.write("a2a3");
    tab.key("Enter");
    tab.key("Escape");
    tab.wait(&format!(
        "{MINE} && Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) >= 6"
    ));
    // By keys alone: to h2, and two up.
    tab.eval("document.querySelector('.cell[tabindex=\"0\"]').focus()");
    for key in ["ArrowRight"; 7].iter().chain(["ArrowDown"; 7].iter()) {
        tab.key(key);
        std::thread::sleep(Duration::from_millis(25));
    }
    tab.key("ArrowUp");
    tab.wait("document.activeElement.dataset.cell === '7,6'");
    tab.key("Enter");
    tab.wait("document.querySelector('[data-cell=\"7,5\"].target')");
    tab.key("ArrowUp");
    tab.wait("document.activeElement.dataset.cell === '7,5'");
    tab.key("Enter");
    tab.wait(&format!(
        "{MINE} && Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) >= 8"
    ));

    time_travel(&tab);
    // Given up, asked once.
    tab.eval("[...document.querySelectorAll('.action')].find((b) => /resign|give up/i.test(b.textContent)).setAttribute('data-resign', '')");
    tab.click("[data-resign]");
    tab.wait("document.querySelector('.action.armed')");
    tab.click(".action.armed");
    tab.wait(OVER);
    pictures(&tab, "chess-end");
    tab.assert_calm();
}

/// Back and forth, what if, another branch, why.
fn time_travel(tab: &Tab) {
    let length = moments(tab);
    for _ in 0..3 {
        tab.key("[");
        std::thread::sleep(Duration::from_millis(120));
    }
    tab.wait("document.querySelector('.band.past')");
    tab.picture("past");
    assert!(tab.text("location.pathname").contains("/at/"), "the address names the moment");
    tab.reload();
    tab.wait("document.querySelector('.band.past')");
    // What if: play on from here; nobody else sees it.
    tab.key("w");
    tab.wait("document.querySelector('.band.try') && document.querySelector('.cell.first')");
    tab.click(".cell.first");
    tab.wait("document.querySelector('.cell.target')");
    tab.click(".cell.target");
    tab.wait("document.querySelectorAll('.band.try button').length >= 3");
    tab.picture("what-if");
    assert_eq!(moments(tab), length, "the match itself has not moved");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.try')");
    tab.key("y");
    tab.wait("document.querySelector('.why .reason')");
    tab.picture("why");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
    // Taken back, and played on otherwise: a branch.
    tab.key("u");
    tab.wait(&format!(
        "Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) < {length} && {MINE}"
    ));
    tab.click(".cell.first");
    tab.wait("document.querySelector('.cell.target')");
    tab.click(".cell.target");
    tab.wait(&format!("{MINE} && document.querySelector('.edge.off')"));
    tab.click("#tab-branches");
    tab.wait("document.querySelectorAll('.branches li').length >= 2");
    tab.picture("branches");
    tab.click("#tab-log");
}

/// The page is loaded anew while a question waits: it is still asked, and can be answered.
fn question(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    open(&tab, server, &json!({ "game": "spire", "name": "Ada", "setup": "ironclad", "seed": "7" }));
    tab.wait(MINE);
    tab.eval("[...document.querySelectorAll('.action')].find((b) => /Upgrade a card/.test(b.textContent)).setAttribute('data-gift', '')");
    tab.click("[data-gift]");
    tab.wait("document.querySelector('.question') && document.querySelector('.card.first')");
    let asked = tab.text("document.querySelector('.question').textContent");
    tab.reload();
    tab.wait("document.querySelector('.question') && document.querySelector('.card.first')");
    assert_eq!(tab.text("document.querySelector('.question').textContent"), asked);
    let length = moments(&tab);
    tab.click(".card.first");
    tab.wait(&format!(
        "Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) > {length}"
    ));
    tab.assert_calm();
}

/// The same in chess: a pawn that was dragged to its last rank waits for what it shall become.
fn promotion(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "me" }]);
    let setup = "8/P5k1/8/8/8/8/6K1/8 w - - 0 1";
    open(&tab, server, &json!({ "game": "chess", "name": "Ada", "setup": setup, "seats": seats }));
    tab.wait("document.querySelector('[data-cell=\"0,1\"].first')");
    tab.drag("[data-cell='0,1']", "[data-cell='0,0']");
    tab.wait(
        "document.querySelector('.question') && document.querySelectorAll('.action:not(.quiet)').length >= 4",
    );
    tab.reload();
    tab.wait(
        "document.querySelector('.question') && document.querySelectorAll('.action:not(.quiet)').length >= 4",
    );
    tab.picture("chess-promotion");
    tab.click(".action:not(.quiet)");
    tab.wait("!document.querySelector('.question')");
    assert_eq!(moments(&tab), 2);
    tab.assert_calm();
}

fn spire(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    open(&tab, server, &json!({ "game": "spire", "name": "Ada", "setup": "ironclad", "seed": "7" }));
    tab.wait(MINE);
    pictures(&tab, "spire-neow");
    play_on(&tab, 4);
    pictures(&tab, "spire-run");
    assert_named(&tab);
    open(&tab, server, &json!({ "game": "spire", "name": "Ada", "setup": "fight:jaw_worm", "seed": "3" }));
    tab.wait(&format!("{MINE} && document.querySelector('.card.first, .action')"));
    play_on(&tab, 1);
    tab.wait(&format!("{MINE} && document.querySelector('.card.first')"));
    tab.point(".card.first");
    pictures(&tab, "spire-fight");
    assert_named(&tab);
    // A card by its number, one by dragging, the rest by clicking.
    tab.key("1");
    std::thread::sleep(Duration::from_millis(400));
    if tab.is("document.querySelector('.card.first')") {
        tab.drag(".card.first", ".arena .theirs .standing");
        std::thread::sleep(Duration::from_millis(400));
    }
    tab.reload();
    tab.wait("document.querySelector('.stage-in')");
    play_on(&tab, 300);
    tab.wait(OVER);
    pictures(&tab, "spire-end");
    tab.assert_calm();
}

fn grid(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    open(&tab, server, &json!({ "game": "grid", "name": "Ada" }));
    tab.wait(MINE);
    assert_named(&tab);
    pictures(&tab, "grid-first");
    // By keys alone, as the hints say.
    for _ in 0..60 {
        if tab.is(OVER) {
            break;
        }
        tab.wait(&format!("{MINE} || {OVER}"));
        let length = moments(&tab);
        tab.key("h");
        tab.wait("document.querySelector('.action.hinted') || document.querySelector('.band.end')");
        let key = tab.text("(document.querySelector('.action.hinted kbd') || {}).textContent || ''");
        let key = match key.as_str() {
            "↑" => "ArrowUp",
            "↓" => "ArrowDown",
            "←" => "ArrowLeft",
            "→" => "ArrowRight",
            other => other,
        };
        tab.key(key);
        tab.wait(&format!(
            "Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) > {length} || {OVER}"
        ));
    }
    tab.picture("grid-end");
    tab.assert_calm();
}

fn skirmish(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    open(&tab, server, &json!({ "game": "skirmish", "name": "Ada" }));
    tab.wait(MINE);
    assert_named(&tab);
    pictures(&tab, "skirmish-first");
    // By touch.
    tab.size(390, 844, true);
    tab.wait("document.querySelector('.cell.first')");
    let length = moments(&tab);
    tab.tap(".cell.first");
    std::thread::sleep(Duration::from_millis(300));
    if moments(&tab) == length && tab.is("document.querySelector('.cell.target')") {
        tab.tap(".cell.target");
    }
    tab.size(1280, 860, false);
    play_on(&tab, 60);
    pictures(&tab, "skirmish-later");
    tab.assert_calm();
}

fn lobby(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelectorAll('[data-play]').length >= 4");
    pictures(&tab, "lobby");
    tab.click("[data-setup='chess']");
    tab.wait("document.querySelector('.setup-form')");
    tab.picture("lobby-form");
    tab.click("[data-play='grid']");
    tab.wait(MINE);
    // Whoever comes to what is not there is told so in words.
    tab.go(&format!("{}/m/nothere00000", server.address));
    tab.wait("(document.querySelector('.lost-match code') || {}).textContent === 'NO_MATCH'");
    tab.assert_calm();
}

/// Where Chromium is; says so loudly if it is nowhere.
fn browser() -> Option<PathBuf> {
    let found = chromium::find();
    if found.is_none() {
        assert!(
            std::env::var("TURNSTONE_BROWSER").as_deref() != Ok("required"),
            "there is no Chromium: install it, or say where it is with CHROMIUM"
        );
        // Past what a test that passes keeps to itself.
        let _ = writeln!(
            std::io::stderr(),
            "LEFT OUT: the table was not tried in a browser, since there is no Chromium."
        );
    }
    found
}

#[test]
#[ignore = "needs Chromium and a minute or two: run by .ci/run"]
fn the_table_in_a_real_browser() {
    let Some(program) = browser() else { return };
    let server = Server::start("table");
    let browser = Chromium::start(&program);
    lobby(&browser, &server);
    steady::table(&browser, &server);
    steady::dead_line(&browser);
    asked::table(&browser, &server);
    grid(&browser, &server);
    chess(&browser, &server);
    spire(&browser, &server);
    question(&browser, &server);
    promotion(&browser, &server);
    skirmish(&browser, &server);
    people::one_screen(&browser, &server);
    people::two_screens(&browser, &server);
    people::away_at_the_rematch(&browser, &server);
    people::hosts(&browser, &server);
    premoves::premoves(&browser, &server);
    people::behind_closed_doors(&browser, &server);
    people::guests(&browser, &server);
    people::told_elsewhere(&browser, &server);
    people::told_on_a_telephone(&browser, &server);
    senses::wishes(&browser, &server);
    senses::without_colour(&browser, &server);
    replay::files(&browser);
}

/// What the page weighs, and how soon something is seen: in a browser that shows nothing else.
#[test]
#[ignore = "needs Chromium: run by .ci/run"]
fn the_page_is_light_and_soon_seen() {
    let Some(program) = browser() else { return };
    let server = Server::start("speed");
    speed::figures(&Chromium::start(&program), &server);
}

/// Every game through the same: in time, in trouble, and to its end by clicking and by dragging.
#[test]
#[ignore = "needs Chromium and some minutes: run by .ci/run"]
fn the_table_of_every_game() {
    let Some(program) = browser() else { return };
    let mut server = Server::start("every");
    let browser = Chromium::start(&program);
    every::games(&browser, &mut server, &senses::short_games());
}

/// Whole games, each to its end: by fingers, by keys alone, and through the accessibility tree alone.
#[test]
#[ignore = "needs Chromium and some minutes: run by .ci/run"]
fn the_table_without_a_mouse() {
    let Some(program) = browser() else { return };
    let server = Server::start("senses");
    let browser = Chromium::start(&program);
    senses::without_a_mouse(&browser, &server, &senses::short_games());
}

/// Somebody else's program, `TURNSTONE_PROGRAM`: its first game through all that ours go through.
#[test]
#[ignore = "needs Chromium and a program: run by .ci/run"]
fn the_table_of_a_stranger() {
    let Some(chromium) = browser() else { return };
    let program =
        std::env::var("TURNSTONE_PROGRAM").expect("TURNSTONE_PROGRAM names somebody else's program");
    let mut server = Server::of(Some(program.into()), "stranger");
    let browser = Chromium::start(&chromium);
    let tab = browser.tab("about:blank");
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelector('[data-play]')");
    tab.picture("stranger-lobby");
    let game = tab.text("document.querySelector('[data-play]').dataset.play");
    tab.click("[data-play]");
    tab.wait(&format!("{MINE} || {OVER}"));
    assert_named(&tab);
    pictures(&tab, "stranger");
    play_on(&tab, 600);
    tab.wait(OVER);
    tab.assert_calm();
    let games = [json!({ "game": game, "name": "Ada", "seed": "5" })];
    senses::without_a_mouse(&browser, &server, &games);
    // A long game, in which there is time for everything; and the other crew has a thief.
    let seats = json!([{ "who": "me" }, { "who": "bot", "bot": "random" }]);
    let long =
        json!({ "game": game, "name": "Ada", "seed": "6", "seats": seats, "wishes": { "jewels": "9" } });
    let tab = browser.tab("about:blank");
    open(&tab, &server, &long);
    every::reloaded_in_a_question(&tab, "guard");
    every::games(&browser, &mut server, &[long]);
}
