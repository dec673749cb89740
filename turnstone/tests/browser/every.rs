//! Every game, by the same hands: what moved is seen moving, back and forth in time, what if, another line, another
//! window, somebody who watches, the plug pulled, the server killed, and played to its end by mouse and by dragging.

use std::time::Duration;

use serde_json::Value;

use crate::chromium::{Chromium, Tab};
use crate::senses::{self, NEXT};
use crate::{MINE, OVER, Server, assert_named, moments, open};

const TABLE: &str = "document.querySelector('#app').turnstoneTable";

/// Plays all of these through everything, side by side: a plug is pulled once for all of them.
pub fn games(browser: &Chromium, server: &mut Server, games: &[Value]) {
    let tables: Vec<(Tab, String)> = games
        .iter()
        .map(|game| {
            let tab = browser.tab("about:blank");
            let id = open(&tab, server, game);
            (tab, id)
        })
        .collect();
    for (tab, id) in &tables {
        front(tab);
        tab.wait(MINE);
        assert_named(tab);
        travels(tab);
        in_time(tab);
        elsewhere(browser, tab, server, id);
    }
    let tabs: Vec<&Tab> = tables.iter().map(|(tab, _)| tab).collect();
    unplugged(&tabs);
    killed(&tabs, server);
    for tab in tabs {
        to_the_end(tab);
        dragged_to_the_end(tab);
        tab.assert_calm();
    }
}

/// A tab behind others is not drawn.
fn front(tab: &Tab) {
    tab.call("Page.bringToFront", serde_json::json!({}));
}

fn rev(tab: &Tab) -> i64 {
    tab.eval(&format!("{TABLE}.rev")).as_i64().unwrap_or(-1)
}

/// One input with the mouse, whatever it is: something is clicked until it is done.
fn act(tab: &Tab) {
    let before = rev(tab);
    for _ in 0..40 {
        tab.wait(&format!("{MINE} || {OVER}"));
        if rev(tab) != before || tab.is(OVER) {
            return;
        }
        if !tab.eval(NEXT).is_null() {
            tab.click_if_there("[data-now]");
        }
        std::thread::sleep(Duration::from_millis(60));
    }
    panic!("nothing can be done with the mouse at {}", tab.text("location.href"));
}

/// What has an id is the same element before and after, and is seen on its way.
fn travels(tab: &Tab) {
    tab.eval(
        "(() => { window.travelled = new Set(); \
         addEventListener('transitionrun', (event) => { if (event.propertyName === 'translate' && event.target.dataset.id) travelled.add(event.target.dataset.id); }, true); \
         const animate = Element.prototype.animate; \
         Element.prototype.animate = function (...how) { if (this.dataset.id) travelled.add(this.dataset.id); return animate.apply(this, how); }; })()",
    );
    for done in 1..=12 {
        act(tab);
        std::thread::sleep(Duration::from_millis(100));
        if done >= 4 && tab.is("window.travelled.size > 0") {
            break;
        }
    }
    assert!(!tab.is(OVER), "over too soon: {}", tab.text("location.href"));
    tab.wait("[...window.travelled].some((id) => document.querySelector(`[data-id=\"${CSS.escape(id)}\"]`))");
}

/// Back and forth, what if, another line, and back to the start.
fn in_time(tab: &Tab) {
    tab.wait(MINE);
    let length = moments(tab);
    let shape = tab.text(BOX);
    for key in ["[", "["] {
        tab.key(key);
        tab.wait("document.querySelector('.band.past')");
        std::thread::sleep(Duration::from_millis(120));
    }
    assert_eq!(tab.text(BOX), shape, "the stage stays where it is when one looks back");
    let at = tab.text("location.pathname");
    assert!(at.contains("/at/"), "the address names the moment: {at}");
    tab.reload();
    tab.wait("document.querySelector('.band.past')");
    assert_eq!(tab.text("location.pathname"), at);
    what_if(tab, length);
    // A line of the log opens its reasons.
    tab.click(".entry .told, .entry-head");
    tab.key("y");
    tab.wait("document.querySelector('.why .reason')");
    tab.click("#tab-log");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
    along_the_timeline(tab);
    another_line(tab, length);
}

/// The mouse is drawn along the timeline, back to the start: what lies below it is shown, also before it is let go.
fn along_the_timeline(tab: &Tab) {
    tab.eval(
        "(() => { const dots = [...document.querySelectorAll('.strip-in circle')]; \
         const x = (dot) => dot.getBoundingClientRect().x; dots.sort((one, other) => x(one) - x(other)); \
         dots.at(-1).setAttribute('data-last', ''); dots[0].setAttribute('data-first', ''); })()",
    );
    let at_the_start = format!("{TABLE}.look && {TABLE}.look.moment === 0");
    let held = || tab.wait(&format!("{at_the_start} && {TABLE}.sliding"));
    tab.drag_while("[data-last]", "[data-first]", held);
    tab.wait(&format!("{at_the_start} && !{TABLE}.sliding"));
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.past')");
}

const BOX: &str =
    "JSON.stringify(document.querySelector('.board, .arena, .graph, .hands').getBoundingClientRect())";

/// Plays on from the past, for oneself alone; what is tried is foretold, told and explained.
fn what_if(tab: &Tab, length: i64) {
    tab.key("w");
    tab.wait("document.querySelector('.band.try')");
    let tried = format!("({TABLE}.trial || {{ inputs: [] }}).inputs.length");
    for _ in 0..12 {
        if tab.eval(&tried) != 0 || tab.eval(NEXT).is_null() {
            break;
        }
        tab.click_if_there("[data-now]");
        std::thread::sleep(Duration::from_millis(250));
    }
    assert_ne!(tab.eval(&tried), 0, "something was tried: {}", tab.text("location.href"));
    tab.wait("document.querySelector('.entry.tried .entry-head')");
    let foretold = tab.eval(&format!(
        "{TABLE}.options().length ? {TABLE}.askForecast(0, ({TABLE}.pointed = {{ option: 0, key: 'option 0' }}).key).then(() => ({TABLE}.foretold || {{}}).worlds) : 12"
    ));
    assert_eq!(foretold, 12, "what an option of a what-if would lead to is told");
    tab.click(".entry.tried .entry-head");
    tab.wait("document.querySelector('.why .reason')");
    tab.click("#tab-log");
    assert_eq!(moments(tab), length, "the match itself has not moved");
    tab.key("Escape");
    tab.wait("!document.querySelector('.band.try')");
}

/// Taken back and played otherwise: the line that was left can be looked at, and is told.
fn another_line(tab: &Tab, length: i64) {
    tab.key("u");
    tab.wait(&format!(
        "Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) < {length} && {MINE}"
    ));
    // Something else than before: the tree has two ends then.
    let before = rev(tab);
    tab.eval(&format!(
        "(async () => {{ const t = {TABLE}; for (let back = 0; back < 6; back++) {{ \
         const known = new Set([...t.nodes.values()].filter((n) => n.parent === t.here).map((n) => n.text)); \
         for (let k = 0; k < t.live.scene.options.length; k++) {{ \
         const tried = await t.source.ask('try', {{ from: t.here, inputs: [{{ choose: k }}] }}); \
         const said = ((tried.steps[0].told || [])[0] || {{}}).text; \
         if (!t.live.scene.options[k].grave && !known.has(said) && !tried.now.outcome) {{ await t.source.ask('act', {{ rev: t.rev, choose: k }}); return; }} }} \
         const parent = t.nodes.get(t.here).parent; await t.source.ask('go', {{ moment: parent }}); \
         while (t.here !== parent) await new Promise((done) => setTimeout(done, 20)); }} }})()"
    ));
    tab.wait(&format!("{TABLE}.rev > {before} && {MINE} && document.querySelector('.edge.off')"));
    tab.click("#tab-branches");
    tab.wait("document.querySelectorAll('.branches li').length >= 2");
    tab.click(".branches li:not(.current) button");
    tab.wait("document.querySelector('.band.past')");
    tab.click("#tab-log");
    tab.wait("[...document.querySelectorAll('.entry')].every((entry) => entry.querySelector('.told') || entry.querySelector('.entry-head'))");
    let silent =
        format!("{TABLE}.logWindow().shown.filter((moment) => !{TABLE}.told.has(moment)).length === 0");
    tab.wait(&silent);
    // A jump: from the start the match goes on anew.
    tab.eval("document.querySelector('.strip-in').focus()");
    tab.key("Home");
    tab.wait(&format!("{TABLE}.look && {TABLE}.look.moment === 0"));
    tab.eval("[...document.querySelectorAll('.band button')].find((b) => /Play on/.test(b.textContent)).setAttribute('data-go', '')");
    mark_line(tab);
    tab.click("[data-go]");
    tab.wait(&format!("!{TABLE}.look && {ANEW}"));
    tab.wait(MINE);
    act(tab);
}

/// A second window shows the same, and what is done in the first; who has no seat can do nothing, and sees it, too.
fn elsewhere(browser: &Chromium, tab: &Tab, server: &Server, id: &str) {
    tab.wait(MINE);
    let other = browser.tab("about:blank");
    other.go(&format!("{}/m/{id}", server.address));
    other.wait(MINE);
    assert_eq!(moments(&other), moments(tab), "both windows show the same");
    // Whoever looks back is told that it goes on, and stays where he is.
    other.key("[");
    other.wait("document.querySelector('.band.past')");
    let shown = other.eval(&format!("{TABLE}.look.moment"));
    let spectator = browser.tab("about:blank");
    spectator.go(&format!("{}/m/{id}", server.address.replace("127.0.0.1", "localhost")));
    spectator.wait("document.querySelector('.stage-in') || document.querySelector('.lost-match h1')");
    assert!(
        !spectator.is("document.querySelector('.first, .action:not(.quiet)')"),
        "who watches can do nothing"
    );
    let watched = spectator.is(TABLE).then(|| rev(&spectator));
    front(tab);
    act(tab);
    tab.wait(&format!("{MINE} || {OVER}"));
    let now = rev(tab);
    front(&other);
    other.wait(&format!(
        "{TABLE}.rev === {now} && / new since/.test(document.querySelector('.band.past').textContent)"
    ));
    assert_eq!(other.eval(&format!("{TABLE}.look.moment")), shown, "nobody is thrown forward");
    other.key("Escape");
    other.wait("!document.querySelector('.band.past')");
    assert_eq!(moments(&other), moments(tab), "what is done in one window is seen in the other");
    if let Some(before) = watched {
        front(&spectator);
        spectator.wait(&format!("{TABLE}.rev > {before} && {TABLE}.live.moment === {TABLE}.shown().moment"));
    }
    spectator.assert_calm();
    other.assert_calm();
    front(tab);
}

/// Five seconds without a line, for all of them at once: they say so, come back by themselves and go on.
fn unplugged(tabs: &[&Tab]) {
    let before: Vec<i64> = tabs.iter().map(|tab| rev(tab)).collect();
    for tab in tabs {
        tab.offline(true);
    }
    for tab in tabs {
        front(tab);
        tab.wait("document.querySelector('.band.off')");
    }
    std::thread::sleep(Duration::from_secs(5));
    for tab in tabs {
        tab.offline(false);
    }
    go_on(tabs, &before);
}

/// The server is killed without a word, and another stands up at its place.
fn killed(tabs: &[&Tab], server: &mut Server) {
    let before: Vec<i64> = tabs.iter().map(|tab| rev(tab)).collect();
    front(tabs[0]);
    server.again(tabs[0], Duration::from_secs(1));
    go_on(tabs, &before);
}

fn go_on(tabs: &[&Tab], before: &[i64]) {
    for (tab, before) in tabs.iter().zip(before) {
        front(tab);
        tab.wait(&format!("!document.querySelector('.band.off') && ({MINE} || {OVER})"));
        assert_eq!(rev(tab), *before, "nothing was lost, nothing was done twice");
        if !tab.is(OVER) {
            act(tab);
        }
    }
}

/// To the end by clicking.
fn to_the_end(tab: &Tab) {
    front(tab);
    from_the_start(tab);
    senses::to_the_end(tab, 900, |tab, _| tab.click_if_there("[data-now]"));
}

/// From the start again, by dragging what can be dragged; then as each seat saw it.
fn dragged_to_the_end(tab: &Tab) {
    from_the_start(tab);
    let dragged = std::cell::Cell::new(0);
    senses::to_the_end(tab, 900, |tab, _| match way(tab) {
        Some((from, to)) => {
            drags(tab, || tab.drag(&from, &to));
            dragged.set(dragged.get() + 1);
        }
        None => tab.click_if_there("[data-now]"),
    });
    assert!(dragged.get() > 0, "something was dragged: {}", tab.text("location.href"));
    let seats = tab.eval("document.querySelectorAll('.viewer option').length").as_i64().unwrap_or(0);
    for seat in 0..seats - 1 {
        tab.eval(&format!("(() => {{ const s = document.querySelector('.viewer select'); s.value = '{seat}'; s.dispatchEvent(new Event('change')); }})()"));
        tab.wait(&format!("{TABLE}.look && {TABLE}.look.seat === {seat}"));
    }
}

/// Whether what is live has begun anew since it was marked: others may have played on at once.
const ANEW: &str = "(() => { const t = document.querySelector('#app').turnstoneTable; return !t.lineOf(t.here).includes(window.leftBehind); })()";

/// Remembers the first moment after the start.
fn mark_line(tab: &Tab) {
    tab.eval(&format!("window.leftBehind = {TABLE}.lineOf({TABLE}.here)[1]"));
}

/// Goes back to the first moment.
fn from_the_start(tab: &Tab) {
    mark_line(tab);
    tab.eval(&format!("{TABLE}.source.ask('go', {{ moment: 0 }})"));
    tab.wait(ANEW);
    tab.wait(MINE);
}

/// What is hinted, as something to take and a place to put it down, if it is such a thing: selectors of both.
pub fn way(tab: &Tab) -> Option<(String, String)> {
    let way = tab.eval(&format!(
        "(() => {{ const t = {TABLE}, option = t.hintAt === null ? null : t.options()[t.hintAt]; if (!option || t.picks.length) return null; \
         const at = ({{ cell, item }}) => cell ? `.cell[data-cell='${{cell}}']` : item ? `[data-pick='${{JSON.stringify({{ item }})}}']` : ''; \
         const ways = new Map([...t.ways()].map(([key, pick]) => [JSON.stringify(pick), JSON.parse(key)])); \
         const acting = document.querySelector('.cell.acts'), from = acting && at({{ cell: acting.dataset.cell }}); \
         const [first, second] = option.picks; if (!first || document.querySelector('.node')) return null; \
         if (at(first) && second && at(second)) return [at(first), at(second)]; \
         if (first.item && !second && document.querySelector(`.card${{at(first)}}`)) return [at(first), document.querySelector('.arena') ? '.arena' : '.peek']; \
         const to = first.cell ? first : ways.get(JSON.stringify(first)); \
         return to && from && from !== at(to) ? [from, at(to)] : null; }})()"
    ));
    Some((way[0].as_str()?.to_owned(), way[1].as_str()?.to_owned()))
}

/// Drags, and waits for what must come of it: it is done, or one is asked which of several things is meant, and says it.
pub fn drags(tab: &Tab, dragging: impl Fn()) {
    let before = rev(tab);
    dragging();
    tab.wait(&format!("{TABLE}.rev !== {before} || {TABLE}.among || {TABLE}.armed !== null || {OVER}"));
    if rev(tab) == before && !tab.is(OVER) && !tab.eval(NEXT).is_null() {
        tab.click_if_there("[data-now]");
    }
}

/// The page is loaded anew while one is asked something in the middle of another's turn: it is still asked, and can be
/// answered. What is called `kept` would prevent the question, and is played last.
pub fn reloaded_in_a_question(tab: &Tab, kept: &str) {
    const QUESTION: &str = "(document.querySelector('.question') || {}).textContent";
    front(tab);
    for _ in 0..300 {
        tab.wait(&format!("{MINE} || {OVER}"));
        if tab.is(&format!("{MINE} && {QUESTION}")) {
            break;
        }
        if tab.is(OVER) {
            from_the_start(tab);
            continue;
        }
        // What is live is looked at once, together with the sending: the bot answers at any time, and what is drawn lags.
        let sent_at = tab.eval(&format!(
            "(() => {{ const t = {TABLE}; if (!t.myTurn() || t.live.question || t.live.scene.question) return null; \
             const other = t.options().findIndex((option) => !option.label.includes('{kept}')), rev = t.rev; \
             t.source.ask('act', {{ rev, choose: Math.max(0, other) }}).catch(() => null); return rev; }})()"
        ));
        if let Some(before) = sent_at.as_u64() {
            tab.wait(&format!("{TABLE}.rev > {before}"));
        }
    }
    let (asked, before) = (tab.text(QUESTION), rev(tab));
    assert!(!asked.is_empty(), "nothing was ever asked");
    tab.picture("stranger-question");
    tab.reload();
    tab.wait(&format!("{MINE} && {QUESTION}"));
    assert_eq!((tab.text(QUESTION), rev(tab)), (asked, before));
    act(tab);
    assert!(rev(tab) > before);
    tab.assert_calm();
}
