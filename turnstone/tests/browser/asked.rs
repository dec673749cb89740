//! What one asks of a match: where its numbers come from, what happened inside of an input, where it was decided, a link
//! to a moment of it, its file.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::chromium::{Chromium, Tab};
use crate::{MINE, OVER, Server, moments, open, play_on};

const TABLE: &str = "document.querySelector('#app').turnstoneTable";
/// What is told under *Why*.
const TOLD: &str =
    "[...document.querySelectorAll('.why .reason')].map((line) => line.textContent).join('\\n')";
/// The step that the debugger stands at.
const STEP: &str = "(document.querySelector('.step.current') || {}).textContent";

pub fn table(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let wanted = json!({ "game": "spire", "name": "Ada", "setup": "fight:jaw_worm", "seed": "3" });
    open(&tab, server, &wanted);
    tab.wait(MINE);
    piles(&tab);
    play_on(&tab, 8);
    tab.wait(&format!("{MINE} || {OVER}"));
    foretold(&tab);
    numbers(&tab);
    steps(&tab);
    play_on(&tab, 300);
    tab.wait(OVER);
    review(&tab);
    link(browser, &tab, server);
    file(browser, &tab, server);
    tab.assert_calm();
}

/// A pile is opened and looked through, by keys alone: one of more kinds of cards than a run begins with.
fn piles(tab: &Tab) {
    tab.eval(&format!(
        "(() => {{ const things = {TABLE}.live.scene.panels.flatMap((panel) => panel.items).map((item) => item.thing || {{}}); \
         things.find(({{ pile }}) => pile && pile.id === 'draw').pile.names = ['Anger', 'Bash', 'Clash', '4 × Defend', '5 × Strike']; \
         document.querySelector('[data-pile=draw]').focus(); }})()"
    ));
    tab.key("Enter");
    tab.wait("document.querySelector('.overlay .search') && document.activeElement.closest('.overlay')");
    let names = "[...document.querySelectorAll('.pile-names li')].map((name) => name.textContent)";
    let first = tab.text(&format!("{names}[0]"));
    tab.picture("pile");
    tab.key("Tab");
    tab.wait("document.activeElement.matches('.search')");
    tab.write(&first.to_uppercase());
    tab.wait(&format!("{names}.length > 0 && {names}.every((name) => name === {})", Value::from(first)));
    tab.write(" nothing like it");
    tab.wait("document.querySelector('.overlay .empty') && !document.querySelector('.pile-names li')");
    tab.key("Escape");
    tab.wait("!document.querySelector('.overlay')");
}

/// A number is clicked, and a figure asked with the right button: the story ends with what is shown now.
fn numbers(tab: &Tab) {
    let counter = tab.eval(&format!(
        "(() => {{ const t = {TABLE}, one = t.live.scene.counters[0]; \
         const button = document.querySelector(`.counter-${{one.id.replace(/\\W+/g, '-')}}`); button.setAttribute('data-asked', ''); \
         return {{ now: String(one.now), name: one.name }}; }})()"
    ));
    tab.click("[data-asked]");
    tab.wait(&format!("document.querySelector('#tab-why[aria-selected=\"true\"]') && {TOLD}"));
    let (told, now) = (tab.text(TOLD), counter["now"].as_str().unwrap_or_default());
    assert!(told.contains(now), "{counter}: {told}");
    tab.click("#tab-log");
    tab.click_right(".theirs .standing");
    tab.wait(&format!("{TOLD}.includes('Jaw Worm')"));
    tab.click("#tab-log");
}

/// What lies under the cursor is foretold: what it would lead to, and how surely.
fn foretold(tab: &Tab) {
    tab.wait(MINE);
    tab.point(".action:not(.quiet)");
    tab.wait(&format!("{TABLE}.foretold && {TABLE}.foretold.worlds === 12"));
    let lines = tab.eval(&format!(
        "{TABLE}.foretold.lines.filter((line) => line.kind === 'fact' || line.kind === 'prevented').slice(0, 6)"
    ));
    let lines = lines.as_array().unwrap();
    assert!(!lines.is_empty());
    for line in lines {
        let text = line["text"].as_str().unwrap();
        tab.wait(&format!("document.querySelector('.peek').textContent.includes({})", Value::from(text)));
        if let Some(chance) = line["chance"].as_u64() {
            let range: Vec<u64> =
                line["range"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
            assert!(range[0] <= chance && chance <= range[1] && range[0] < range[1], "{line}");
            assert!(
                tab.text("document.querySelector('.peek').textContent")
                    .contains(&format!("about {chance} %"))
            );
        }
    }
    tab.picture("foretold");
}

/// Stops at a word, and at a field that changes: in the moment shown or a later one.
fn steps(tab: &Tab) {
    tab.key("[");
    tab.wait("document.querySelector('.band.past')");
    tab.eval(&format!("{TABLE}.lookAt({TABLE}.lineOf({TABLE}.here)[1])"));
    tab.wait(&format!("{TABLE}.look && {TABLE}.look.moment === {TABLE}.lineOf({TABLE}.here)[1]"));
    tab.click("#tab-steps");
    tab.wait("document.querySelectorAll('.step').length > 1");
    stop(tab, "hit");
    tab.wait(&format!("({STEP} || '').toLowerCase().includes('hit')"));
    let at = tab.eval(&format!("[{TABLE}.look && {TABLE}.look.moment, {TABLE}.stepAt]"));
    stop(tab, ".hp");
    tab.wait(&format!(
        "JSON.stringify([{TABLE}.look && {TABLE}.look.moment, {TABLE}.stepAt]) !== '{at}' && \
         [...document.querySelectorAll('.step.current .waiting b')].some((field) => field.textContent.includes('hp'))"
    ));
    assert!(tab.text(STEP).contains('→'), "from what to what: {}", tab.text(STEP));
    stop(tab, "no such word");
    tab.wait("document.body.textContent.includes('Nothing like that comes any more.')");
    tab.key("Escape");
    tab.click("#tab-log");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
}

fn stop(tab: &Tab, at: &str) {
    tab.eval("(() => { const field = document.querySelector('[name=\"stop\"]'); field.value = ''; field.focus(); })()");
    tab.write(at);
    tab.key("Enter");
}

/// A bot plays it through: each turning point leads to its moment.
fn review(tab: &Tab) {
    tab.click(".head-buttons [aria-label='Review']");
    tab.wait(&format!("document.querySelector('#tab-review[aria-selected=\"true\"]') && {TABLE}.review && {TABLE}.review.turns"));
    let turns = tab.eval(&format!("{TABLE}.review.turns"));
    if turns.as_array().is_some_and(Vec::is_empty) {
        tab.wait("document.querySelector('#tab-panel').textContent.includes('No turning points')");
        return;
    }
    tab.click("#tab-panel .branches button");
    let moment = &turns[0]["moment"];
    tab.wait(&format!("{TABLE}.look && {TABLE}.look.moment === {moment}"));
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
}

/// The link that is copied leads to what is shown, also somebody else; where nothing may be copied, it is there to read.
fn link(browser: &Chromium, tab: &Tab, server: &Server) {
    tab.key("[");
    tab.wait("document.querySelector('.band.past')");
    let shown = tab.text("document.querySelector('.scene-title').textContent");
    let kept = "Object.defineProperty(navigator, 'clipboard', { configurable: true, \
                value: { writeText: async (text) => { window.copied = text; } } })";
    tab.eval(&format!("{kept}; null"));
    tab.click(".head-buttons [aria-label='Copy a link to this moment']");
    tab.wait("window.copied");
    let link = tab.text("window.copied");
    assert!(link.starts_with(&server.address), "{link}");
    let other = browser.tab(&link);
    other.wait("document.querySelector('.band.past')");
    assert_eq!(other.text("document.querySelector('.scene-title').textContent"), shown, "{link}");
    other.assert_calm();
    tab.call("Page.bringToFront", json!({}));
    tab.eval("navigator.clipboard.writeText = async () => { throw new Error('not allowed'); }; null");
    tab.click(".head-buttons [aria-label='Copy a link to this moment']");
    tab.wait("document.querySelector('.overlay input')");
    assert_eq!(tab.text("document.querySelector('.overlay input').value"), link);
    tab.key("Escape");
    tab.wait("!document.querySelector('.overlay')");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
    // A link may say as whom one sees it.
    let other = browser.tab(&format!("{link}?as=0"));
    other.wait(&format!("{TABLE} && {TABLE}.look && {TABLE}.look.seat === 0"));
    assert_eq!(other.text("document.querySelector('.viewer select').value"), "0");
    other.assert_calm();
    tab.call("Page.bringToFront", json!({}));
}

/// The file that is downloaded can be opened in the lobby: the same match, to its last moment. What is no match says so.
fn file(browser: &Chromium, tab: &Tab, server: &Server) {
    let length = moments(tab);
    let folder = std::env::temp_dir().join(format!("turnstone-browser-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    tab.call("Page.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": folder }));
    tab.click(".head-buttons [aria-label='Download the match']");
    let file = downloaded(&folder);
    let lobby = browser.tab(&format!("{}/", server.address));
    lobby.wait("document.querySelector('.file-button input')");
    let nothing = folder.join("nothing.turn");
    std::fs::write(&nothing, "{\"this\":\"is no match\"}\n").unwrap();
    choose(&lobby, &nothing);
    lobby.wait("document.querySelector('[role=\"alert\"]')");
    assert!(lobby.text("location.pathname") == "/", "nothing was opened");
    // Which the browser complains of, too.
    lobby.errors.borrow_mut().retain(|error| !error.contains("/api/import"));
    choose(&lobby, &file);
    lobby.wait(&format!("location.pathname.startsWith('/m/') && {OVER}"));
    assert_eq!(moments(&lobby), length);
    lobby.assert_calm();
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The match file in a folder, as soon as it is whole.
fn downloaded(folder: &PathBuf) -> PathBuf {
    for _ in 0..200 {
        let files = std::fs::read_dir(folder).unwrap().filter_map(|entry| Some(entry.ok()?.path()));
        if let Some(file) = files.into_iter().find(|path| path.extension().is_some_and(|end| end == "turn")) {
            return file;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nothing was downloaded to {}", folder.display());
}

/// What the browser's own dialog for files would do.
fn choose(tab: &Tab, file: &PathBuf) {
    let found =
        tab.call("Runtime.evaluate", json!({ "expression": "document.querySelector('.file-button input')" }));
    let object: &Value = &found["result"]["objectId"];
    tab.call("DOM.setFileInputFiles", json!({ "files": [file], "objectId": object }));
}
