//! What must not happen: a board that moves away from under the mouse, keys that act behind a dialog, a what-if that
//! touches the match, a message that wedges the page.

use std::time::Duration;

use serde_json::json;

use crate::chromium::{Chromium, Tab};
use crate::{MINE, Server, moments, open};

const BOX: &str = "JSON.stringify(document.querySelector('.board').getBoundingClientRect())";

pub fn table(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "bot", "bot": "random" }]);
    open(&tab, server, &json!({ "game": "chess", "name": "Ada", "seats": seats }));
    tab.wait(MINE);
    for (width, height) in [(1280, 800), (1366, 768)] {
        tab.size(width, height, false);
        std::thread::sleep(Duration::from_millis(200));
        pointing(&tab);
    }
    tab.size(1280, 860, false);
    too_long(&tab);
    too_fast(&tab);
    looking_back(&tab);
    stepping(&tab);
    dragged_meanwhile(&tab);
    nothing_piles_up(&tab);
    behind_a_dialog(&tab);
    what_if(&tab);
    tab.assert_calm();
    asked_back(browser, server);
}

/// A line that dies without a word, as when a server hangs or a network loses its way: it is noticed, and taken up
/// again.
pub fn dead_line(browser: &Chromium) {
    let server = Server::start("silent");
    let signal = |name: &str| {
        let process = server.process.id().to_string();
        assert!(std::process::Command::new("kill").args([name, &process]).status().unwrap().success());
    };
    let tab = browser.tab("about:blank");
    open(&tab, &server, &json!({ "game": "grid", "name": "Ada" }));
    tab.wait(MINE);
    signal("-STOP");
    // Whoever comes back to the page asks at once whether anybody is there.
    tab.eval("document.dispatchEvent(new Event('visibilitychange'))");
    tab.wait("document.querySelector('.band.off')");
    signal("-CONT");
    tab.wait(&format!("!document.querySelector('.band.off') && {MINE}"));
    let length = moments(&tab);
    tab.click(".action:not(.quiet):not(.grave)");
    tab.wait(&format!(
        "Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) > {length}"
    ));
    tab.assert_calm();
}

/// Looking back and trying something takes no room from the board.
fn looking_back(tab: &Tab) {
    for (width, height, phone) in [(1280, 800, false), (1024, 768, false), (360, 740, true)] {
        tab.size(width, height, phone);
        std::thread::sleep(Duration::from_millis(200));
        let before = tab.text(BOX);
        tab.key("[");
        tab.wait("document.querySelector('.band.past')");
        assert_eq!(tab.text(BOX), before, "{width}: in the past");
        tab.key("w");
        tab.wait("document.querySelector('.band.try')");
        assert_eq!(tab.text(BOX), before, "{width}: in a what-if");
        tab.key("w");
        tab.key("Escape");
        tab.wait("!document.querySelector('.band.past, .band.try')");
    }
    tab.size(1280, 860, false);
    std::thread::sleep(Duration::from_millis(200));
}

/// A grave input that was not a button is asked back where there is room for it.
fn asked_back(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "bot", "bot": "random" }]);
    open(&tab, server, &json!({ "game": "skirmish", "name": "Ada", "seed": "5", "seats": seats }));
    tab.wait(MINE);
    // Up to a friend first, if need be.
    let table = "document.querySelector('#app').turnstoneTable";
    let grave = format!(
        "{table}.options().findIndex((option) => option.grave && option.picks.some((pick) => pick.cell))"
    );
    for _ in 0..8 {
        if tab.eval(&grave) != -1 {
            break;
        }
        let rev = tab.eval(&format!("{table}.rev"));
        tab.click(".action:last-of-type, .cell.first");
        tab.wait(&format!("{table}.rev > {rev} && {MINE}"));
    }
    tab.key("/");
    tab.wait("document.activeElement.id === 'typed'");
    std::thread::sleep(Duration::from_millis(100));
    let (before, length) = (tab.text(BOX), moments(&tab));
    let label = tab.text(&format!("{table}.options()[{grave}].label"));
    tab.write(&label);
    tab.key("Enter");
    tab.wait("document.querySelector('.peek.asking .armed')");
    assert_eq!(tab.text(BOX), before, "the board stays when something is asked back");
    assert_eq!(moments(&tab), length);
    tab.click(".peek.asking .armed");
    tab.wait(&format!("!document.querySelector('.peek.asking') && {table}.here > 0"));
    tab.assert_calm();
}

/// The mouse rests on every rank, also at its edges, before and after a pick: the board stays as it is.
fn pointing(tab: &Tab) {
    let before = tab.text(BOX);
    let rest = |column: f64| {
        for row in 0..8 {
            for within in [0.03, 0.5, 0.97] {
                let at = tab.eval(&format!(
                    "(() => {{ const b = document.querySelector('.board').getBoundingClientRect(); \
                     return [b.x + b.width * {column} / 8, b.y + b.height * {} / 8]; }})()",
                    f64::from(row) + within
                ));
                tab.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": at[0], "y": at[1] }));
                std::thread::sleep(Duration::from_millis(20));
                assert_eq!(tab.text(BOX), before, "row {row}, {within}");
            }
        }
    };
    rest(4.5);
    tab.click("[data-cell='4,6']");
    tab.wait("document.querySelector('[data-cell=\"4,4\"].target')");
    assert_eq!(tab.text(BOX), before, "a pick leaves the board where it is");
    rest(4.5);
    tab.key("Escape");
    tab.wait("!document.querySelector('.cell.target')");
}

/// A text that no server takes is refused at once, and the next move is made.
fn too_long(tab: &Tab) {
    tab.key("/");
    tab.wait("document.activeElement.id === 'typed'");
    tab.eval("(() => { const field = document.querySelector('#typed'); field.value = '1. e4 e5 '.repeat(2300); field.form.requestSubmit(); })()");
    tab.wait("(document.querySelector('.toast code') || {}).textContent === 'TOO_LONG'");
    assert!(
        tab.is("document.querySelector('.toast').getBoundingClientRect().top >= document.querySelector('.board').getBoundingClientRect().bottom"),
        "what is told does not lie on the board"
    );
    tab.key("Escape");
    tab.click("[data-cell='4,6']");
    tab.wait("document.querySelector('[data-cell=\"4,4\"].target')");
    tab.click("[data-cell='4,4']");
    tab.wait(&format!(
        "{MINE} && Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) >= 2"
    ));
}

/// Whoever asks more quickly than the server hears is answered all the same, a little later.
fn too_fast(tab: &Tab) {
    let table = "document.querySelector('#app').turnstoneTable";
    let answers = tab.eval(&format!(
        "Promise.all(Array.from({{ length: 50 }}, () => {table}.source.ask('ping', {{}}))).then((all) => all.length)"
    ));
    assert_eq!(answers, 50);
}

/// Two steps back are two steps back, also if the second comes before the first is shown; and the reasons go along.
fn stepping(tab: &Tab) {
    let table = "document.querySelector('#app').turnstoneTable";
    let length = moments(tab);
    tab.click("#tab-why");
    tab.wait(&format!("{table}.why && {table}.why.moment === {length}"));
    tab.eval(&format!("for (let step = 0; step < {length}; step++) {table}.step(-1)"));
    tab.wait(&format!("{table}.look && {table}.look.moment === 0 && !{table}.why"));
    tab.key("]");
    tab.wait(&format!(
        "{table}.look && {table}.look.moment === 1 && {table}.why && {table}.why.moment === 1"
    ));
    tab.key("Escape");
    tab.wait(&format!("!document.querySelector('.band.past') && {table}.why.moment === {length}"));
    tab.click("#tab-log");
}

/// However often one goes back and forth, the page is no larger for it.
fn nothing_piles_up(tab: &Tab) {
    let table = "document.querySelector('#app').turnstoneTable";
    let back_and_forth = format!(
        "(async () => {{ const t = {table}; \
         for (let n = 0; n < 8; n++) {{ await t.lookAt(1); t.paint(); await t.lookAt(null); t.paint(); }} \
         return document.querySelectorAll('*').length; }})()"
    );
    let first = tab.eval(&back_and_forth);
    assert_eq!(tab.eval(&back_and_forth), first);
    assert_eq!(
        tab.eval("document.querySelectorAll('.timeline .edge').length"),
        tab.eval(&format!("{table}.nodes.size - 1")),
        "one way leads to each moment"
    );
}

/// Something is heard while a man is being dragged: he is put down all the same, as long as it is still he.
fn dragged_meanwhile(tab: &Tab) {
    let table = "document.querySelector('#app').turnstoneTable";
    tab.wait(MINE);
    let rev = tab.eval(&format!("{table}.rev"));
    let heard = || _ = tab.eval(&format!("{table}.changed({table}.live, {table}.live)"));
    tab.drag_while("[data-cell='0,6']", "[data-cell='0,5']", heard);
    tab.wait(&format!("{table}.rev > {rev} && {table}.myTurn() && {MINE}"));
    let rev = tab.eval(&format!("{table}.rev"));
    // As if another man stood there now.
    let other = || {
        _ = tab.eval(&format!(
            "(() => {{ {table}.drag.what = 'another'; {table}.changed({table}.live, {table}.live); }})()"
        ));
    };
    tab.drag_while("[data-cell='7,6']", "[data-cell='7,5']", other);
    tab.eval(&format!("{table}.source.ask('ping', {{}})"));
    assert_eq!(tab.eval(&format!("{table}.rev")), rev, "somebody else is not moved in his place");
}

fn behind_a_dialog(tab: &Tab) {
    let length = moments(tab);
    tab.eval("document.querySelector('.cell[tabindex=\"0\"]').focus()");
    tab.key("?");
    tab.wait("document.activeElement.closest('.overlay')");
    tab.key("u");
    for _ in 0..3 {
        tab.key("Tab");
        assert!(tab.is("document.activeElement.closest('.overlay')"), "the focus stays in the dialog");
    }
    tab.key("Escape");
    tab.wait("!document.querySelector('.overlay') && document.activeElement.dataset.cell");
    assert_eq!(moments(tab), length, "no key acts behind a dialog");
}

fn what_if(tab: &Tab) {
    let length = moments(tab);
    tab.key("w");
    tab.wait("document.querySelector('.band.try') && document.querySelector('.cell.first')");
    tab.click(".cell.first");
    tab.wait("document.querySelector('.cell.target')");
    tab.click(".cell.target");
    tab.wait("document.querySelectorAll('.band.try button').length === 3");
    tab.key("u");
    tab.wait("document.querySelectorAll('.band.try button').length === 2");
    assert_eq!(moments(tab), length, "what is live is left alone");
    tab.key("u");
    tab.wait("!document.querySelector('.band.try')");
    assert_eq!(moments(tab), length);
}
