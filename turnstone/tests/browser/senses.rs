//! Whole games without a mouse: by fingers, by keys alone, through the accessibility tree alone; and what those who
//! see, hear or move otherwise have asked their system for.

use std::time::Duration;

use serde_json::json;

use crate::chromium::{Chromium, Node, Tab};
use crate::{MINE, OVER, Server, every, moments, open};

/// White mates in three, with two rooks: a whole game that is soon over.
const MATE: &str = "8/6k1/8/R7/1R6/8/8/6K1 w - - 0 1";

pub fn short_games() -> Vec<serde_json::Value> {
    let hot = json!([{ "who": "me" }, { "who": "me" }]);
    vec![
        json!({ "game": "chess", "name": "Ada", "setup": MATE, "seats": hot }),
        json!({ "game": "grid", "name": "Ada" }),
        json!({ "game": "spire", "name": "Ada", "setup": "fight:jaw_worm", "seed": "3" }),
        json!({ "game": "skirmish", "name": "Ada", "setup": "arena", "seed": "5", "wishes": { "party": "cleric" }, "seats": [{ "who": "me" }, { "who": "bot", "bot": "deadly" }] }),
    ]
}

/// Something that can be done now, by what the page itself says: its handle for a selector. What ends a turn comes last;
/// a hint is followed where the game would otherwise go on for long.
pub const NEXT: &str = "(() => { \
    const all = (s) => [...document.querySelectorAll(s)].filter((e) => e.getClientRects().length); \
    const pool = [all('.hinted:not(.cell)'), all('.cell.target.hinted, .cell.first.hinted'), all('.cell.target, .standing.target, .node.target'), \
      all('.card.first, .ware.first, .node.first, button.line.first, button.small-thing.first'), all('.action:not(.quiet):not(.grave)'), all('.cell.first')].find((l) => l.length); \
    if (!pool) return null; window.turn = (window.turn || 0) + 1; const e = pool[(window.turn * 31 + 7) % pool.length]; \
    document.querySelectorAll('[data-now]').forEach((old) => old.removeAttribute('data-now')); e.setAttribute('data-now', ''); \
    return e.dataset.cell || ''; })()";

/// Plays a match to its end; `hand` does what is marked.
pub fn to_the_end(tab: &Tab, most: usize, hand: impl Fn(&Tab, &str)) {
    for _ in 0..most {
        tab.wait(&format!("{MINE} || {OVER}"));
        if tab.is(OVER) {
            return;
        }
        // A bot's advice, so that whole games stay short.
        tab.eval("(async () => { const t = document.querySelector('#app').turnstoneTable; if (!t.picks.length && t.live.scene.options.length > 1) { try { const a = await t.source.ask('hint', {}); t.hintAt = a.option; t.draw(); await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); } catch {} } })()");
        let cell = tab.eval(NEXT);
        if cell.is_null() {
            std::thread::sleep(Duration::from_millis(60));
            continue;
        }
        hand(tab, cell.as_str().unwrap_or_default());
        std::thread::sleep(Duration::from_millis(40));
    }
    tab.wait(OVER);
}

/// These to their ends by fingers, by keys alone, and by ear.
pub fn without_a_mouse(browser: &Chromium, server: &Server, games: &[serde_json::Value]) {
    by_touch(browser, server, games);
    by_keys(browser, server, games);
    by_ear(browser, server, games);
}

/// Every game by fingers, on a telephone.
fn by_touch(browser: &Chromium, server: &Server, games: &[serde_json::Value]) {
    for game in games {
        let tab = browser.tab("about:blank");
        tab.size(320, 640, true);
        open(&tab, server, game);
        assert_fits(&tab, game);
        tab.size(360, 740, true);
        // Now a finger takes something along, now it taps.
        let turn = std::cell::Cell::new(0);
        to_the_end(&tab, 900, |tab, _| {
            turn.set(turn.get() + 1);
            match every::way(tab).filter(|(from, to)| turn.get() % 2 == 1 && tab.shows_both(from, to)) {
                Some((from, to)) => every::drags(tab, || tab.drag_by_finger(&from, &to)),
                None => tab.tap_if_there("[data-now]"),
            }
        });
        assert_fits(&tab, game);
        tab.size(320, 640, true);
        assert_fits(&tab, game);
        tab.assert_calm();
    }
}

/// Nothing is wider than the telephone.
fn assert_fits(tab: &Tab, game: &serde_json::Value) {
    std::thread::sleep(Duration::from_millis(200));
    let [page, telephone] =
        ["scrollWidth", "clientWidth"].map(|width| tab.eval(&format!("document.documentElement.{width}")));
    let [page, telephone] = [page, telephone].map(|width| width.as_i64().unwrap_or(-1));
    assert!(page <= telephone + 1, "{game}: the page is {page} wide and the telephone {telephone}");
}

/// Every game with nothing but a keyboard.
fn by_keys(browser: &Chromium, server: &Server, games: &[serde_json::Value]) {
    for game in games {
        let tab = browser.tab("about:blank");
        open(&tab, server, game);
        to_the_end(&tab, 900, |tab, cell| match cell {
            "" => reach(tab),
            cell => walk(tab, cell),
        });
        tab.assert_calm();
    }
}

/// Tab by tab to what is marked, and Enter.
fn reach(tab: &Tab) {
    for _ in 0..250 {
        if tab.is("document.activeElement && document.activeElement.hasAttribute('data-now')") {
            tab.key("Enter");
            return;
        }
        if !tab.is("document.querySelector('[data-now]')") {
            return;
        }
        tab.key("Tab");
    }
    panic!("no way leads to {}", tab.text("(document.querySelector('[data-now]') || {}).outerHTML || ''"));
}

/// Over the board with arrows, and Enter.
fn walk(tab: &Tab, cell: &str) {
    tab.key("b");
    tab.wait("document.activeElement && document.activeElement.dataset.cell");
    for _ in 0..120 {
        let step = tab.text(&format!(
            "(() => {{ const a = document.activeElement, b = document.querySelector('[data-cell=\"{cell}\"]'); if (!a || !a.dataset.cell || !b) return 'Gone'; \
             if (a === b) return ''; const p = a.getBoundingClientRect(), q = b.getBoundingClientRect(); \
             return Math.abs(q.left - p.left) > 2 ? (q.left > p.left ? 'ArrowRight' : 'ArrowLeft') : q.top > p.top ? 'ArrowDown' : 'ArrowUp'; }})()"
        ));
        match step.as_str() {
            "" => return tab.key("Enter"),
            "Gone" => return,
            step => tab.key(step),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("arrows do not lead to {cell}");
}

/// Every game by what a reader of the screen is told, and by pressing what it names. Nothing else is looked at.
fn by_ear(browser: &Chromium, server: &Server, games: &[serde_json::Value]) {
    for game in games {
        let tab = browser.tab("about:blank");
        open(&tab, server, game);
        let (mut ended, mut turn, mut heard, mut waited) = (false, 0, Vec::new(), 0);
        for _ in 0..3000 {
            let tree = tab.tree();
            let said = |what: &str| tree.iter().any(|one| one.name == what);
            ended = said("Play again");
            if ended {
                break;
            }
            let unnamed = tree.iter().find(|one| {
                let pressed = ["gridcell", "button", "tab", "slider", "textbox", "link", "combobox"];
                pressed.contains(&one.role.as_str()) && one.name.trim().is_empty()
            });
            assert!(unnamed.is_none(), "{game}: a {unnamed:?} without a name");
            let mine = said("Your turn") || said("Which one?");
            let told: Vec<String> = tree.iter().map(|one| one.name.clone()).collect();
            // What was pressed is not pressed again while nothing has changed: the machine may be slow.
            if mine && (told != heard || waited >= 25) {
                listen(&tab, &tree, turn, game["game"] == "chess");
                (turn, heard, waited) = (turn + 1, told, 0);
            } else {
                waited += 1;
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        assert!(ended, "{game}: it does not end: {}", tab.text("document.body.innerText"));
        // What happened was said, too.
        assert!(!tab.text("document.getElementById('urgent').textContent").is_empty(), "{game}");
        tab.assert_calm();
    }
}

/// Presses what somebody presses who hears this.
fn listen(tab: &Tab, tree: &[Node], turn: usize, careful: bool) {
    let button = |wanted: &dyn Fn(&str) -> bool| {
        tree.iter().find(|one| one.role == "button" && wanted(&one.name)).map(|one| one.handle)
    };
    if turn > 300 {
        press(tab, button(&|name| name.contains("Give up")));
        return;
    }
    // Now and then one asks for advice, and takes it: what is advised is among all moves.
    let advised = tree.iter().find_map(|one| one.name.strip_prefix("A bot would play: "));
    let taken = advised.and_then(|advised| button(&|name| name == advised));
    if taken.is_some() {
        press(tab, taken);
        return;
    }
    if careful || turn % 9 < 3 {
        let asks = match advised {
            Some(_) => button(&|name| name.starts_with("All moves")),
            None => button(&|name| name == "Hint"),
        };
        // Of a single move there is no list, and nothing to be advised of.
        if asks.is_some() {
            press(tab, asks);
            return;
        }
    }
    let said = |what: &str| -> Vec<i64> {
        let can = tree.iter().filter(|one| matches!(one.role.as_str(), "gridcell" | "button"));
        can.filter(|one| one.name.contains(what)).map(|one| one.handle).collect()
    };
    let (targets, firsts, actions) = (said("a possible target"), said("can be chosen"), actions(tree));
    let list = if !targets.is_empty() {
        targets
    } else if !firsts.is_empty() && (turn % 7 != 6 || actions.is_empty()) {
        firsts
    } else {
        actions
    };
    press(tab, list.get(turn * 31 % list.len().max(1)).copied());
}

/// Something may be gone before it is pressed.
fn press(tab: &Tab, handle: Option<i64>) {
    if let Some(handle) = handle {
        let _ = tab.press(handle);
    }
}

/// Buttons that do something in the game: those that stand beside "Type a move", and are none that end it.
fn actions(tree: &[Node]) -> Vec<i64> {
    let Some(typed) = tree.iter().find(|one| one.role == "button" && one.name == "Type a move") else {
        return Vec::new();
    };
    let others = ["Type a move", "All moves", "Cancel", "Sure?", "Give up", "give up", "resign", "surrender"];
    let beside = tree.iter().filter(|one| one.role == "button" && one.parent == typed.parent);
    let does = beside.filter(|one| !others.iter().any(|other| one.name.contains(other)));
    does.map(|one| one.handle).collect()
}

/// Whoever sees no colours sees the men of both sides, what can be picked, where it can go and what was done last.
pub fn without_colour(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    tab.call("Emulation.setEmulatedVisionDeficiency", json!({ "type": "achromatopsia" }));
    let seats = json!([{ "who": "me" }, { "who": "me" }]);
    open(&tab, server, &json!({ "game": "chess", "name": "Ada", "seats": seats }));
    tab.wait(MINE);
    assert_ne!(tab.patch("[data-cell='4,7']"), tab.patch("[data-cell='4,0']"), "both kings look alike");
    let (plain, pawn) = (tab.patch("[data-cell='4,4']"), tab.patch("[data-cell='4,6']"));
    tab.click("[data-cell='4,6']");
    tab.wait("document.querySelector('[data-cell=\"4,4\"].target')");
    assert_ne!(tab.patch("[data-cell='4,4']"), plain, "where it can go");
    assert_ne!(tab.patch("[data-cell='4,6']"), pawn, "what is picked");
    // Of the colour of where the pawn stands.
    let empty = tab.patch("[data-cell='2,4']");
    tab.picture("without-colour");
    tab.click("[data-cell='4,4']");
    tab.wait("document.querySelector('[data-cell=\"4,4\"].recent')");
    std::thread::sleep(Duration::from_millis(400));
    assert_ne!(tab.patch("[data-cell='4,6']"), empty, "what was done last");
    tab.assert_calm();
}

/// Reduced motion, more contrast, no colours of one's own; sounds and notifications as they were asked for.
pub fn wishes(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let game = json!({ "game": "spire", "name": "Ada", "setup": "fight:jaw_worm", "seed": "3" });
    tab.wish("prefers-reduced-motion", "reduce");
    open(&tab, server, &game);
    tab.eval("window.moved = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...a) { window.moved++; return animate.apply(this, a); }");
    tab.eval("window.tones = 0; const tone = AudioContext.prototype.createOscillator; AudioContext.prototype.createOscillator = function () { window.tones++; return tone.call(this); }");
    let before = moments(&tab);
    crate::play_on(&tab, 6);
    assert!(moments(&tab) > before);
    assert_eq!(tab.eval("window.moved"), 0, "nothing moves where that is not wished");
    assert_eq!(tab.eval("document.getAnimations().length"), 0);
    assert_ne!(tab.eval("window.tones"), 0, "what happens is heard");
    tab.key("m");
    tab.eval("window.tones = 0");
    crate::play_on(&tab, 3);
    assert_eq!(tab.eval("window.tones"), 0, "until it is switched off");
    tab.key("m");
    tab.wish("prefers-reduced-motion", "no-preference");
    tab.eval("window.moved = 0");
    crate::play_on(&tab, 4);
    assert_ne!(tab.eval("window.moved"), 0, "else what happens is seen happening");
    tab.wish("prefers-contrast", "more");
    tab.picture("wish-contrast");
    assert_eq!(
        tab.eval("getComputedStyle(document.querySelector('.scene-title')).color"),
        tab.eval("getComputedStyle(document.body).color"),
        "nothing is faint where more contrast is wished"
    );
    tab.wish("forced-colors", "active");
    tab.picture("wish-forced");
    tab.wish("prefers-color-scheme", "light");
    tab.key("?");
    tab.wait("document.querySelectorAll('.keys dt').length > 10");
    tab.picture("keys");
    tab.key("Escape");
    tab.wait("!document.querySelector('.overlay')");
    tab.assert_calm();
}
