//! What one will do while others think: planned with keys, buttons and by dragging, and done as soon as it is one's
//! turn.

use serde_json::{Value, json};

use crate::chromium::{Chromium, Tab};
use crate::people::{elsewhere, front, invitation};
use crate::{Server, moments, open};

const TABLE: &str = "document.querySelector('#app').turnstoneTable";

/// A match of two people, each in a browser of his own.
fn two(browser: &Chromium, server: &Server, wanted: &Value) -> (Tab, Tab) {
    let ada = browser.tab("about:blank");
    let id = open(&ada, server, wanted);
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}{}", elsewhere(server), invitation(&ada, &id)));
    bob.wait(&format!("{TABLE} && {TABLE}.info && {TABLE}.isPlayer()"));
    (ada, bob)
}

/// Says a word, when it is one's turn, and waits until that is done.
fn says(tab: &Tab, word: &str) {
    tab.wait(&format!("{TABLE}.live && {TABLE}.myTurn()"));
    let rev = tab.eval(&format!("{TABLE}.rev"));
    tab.eval(&format!("{TABLE}.chooseWord('{word}')"));
    tab.wait(&format!("{TABLE}.rev > {rev}"));
}

fn is_on(tab: &Tab) -> bool {
    tab.is(&format!("{TABLE}.myTurn()"))
}

/// The other one passes until one is to act, or has acted.
fn passes(other: &Tab, word: &str, until: impl Fn() -> bool) {
    for _ in 0..150 {
        if until() {
            return;
        }
        if is_on(other) {
            says(other, word);
        }
        std::thread::sleep(std::time::Duration::from_millis(150));
    }
    panic!("nothing came of it: {}", other.text("document.body.innerText"));
}

pub fn premoves(browser: &Chromium, server: &Server) {
    race(browser, server);
    skirmish(browser, server);
    what_plans_mean(browser, server);
}

/// Words alone: by arrows, which do not lead back in time, by a button, and by taking one's figure along.
fn race(browser: &Chromium, server: &Server) {
    let seats = json!([{ "who": "me" }, { "who": "invited" }]);
    let wanted = json!({ "game": "grid", "setup": "23-the-race", "name": "Ada", "seats": seats });
    let (ada, bob) = two(browser, server, &wanted);
    front(&ada);
    ada.wait(&format!("{TABLE}.myTurn()"));
    let cell = format!(
        "(() => {{ const b = {TABLE}.live.scene.board; const i = b.cells.findIndex((c) => (c.figures || []).some((f) => f.id === window.me)); return [i % b.width, Math.floor(i / b.width)]; }})()"
    );
    ada.eval(&format!("{TABLE}.live.scene.board.cells.forEach((c) => (c.figures || []).forEach((f) => {{ if (f.active) window.me = f.id; }}))"));
    let start = ada.eval(&cell);
    says(&ada, "right");
    ada.wait(&format!("!{TABLE}.myTurn() && document.querySelector('[data-plan=\"right\"]')"));
    ada.key("ArrowRight");
    ada.wait("document.querySelector('.plan.planned[data-plan=\"right\"]')");
    assert!(!ada.is("document.querySelector('.band.past')"), "arrows do not lead back in time");
    ada.picture("premove-words");
    says(&bob, "wait");
    ada.wait(&format!("{TABLE}.rev >= 3"));
    assert_eq!(ada.eval(&cell), json!([start[0].as_i64().unwrap() + 2, start[1]]), "two steps to the right");
    ada.click("[data-plan='left']");
    ada.wait("document.querySelector('.plan.planned[data-plan=\"left\"]')");
    says(&bob, "wait");
    ada.wait(&format!("{TABLE}.rev >= 5"));
    // Taken along, further than a step leads: it is a step towards it.
    let at = ada.eval(&cell);
    let (x, y) = (at[0].as_i64().unwrap(), at[1].as_i64().unwrap());
    assert_eq!((x, y), (start[0].as_i64().unwrap() + 1, start[1].as_i64().unwrap()));
    ada.drag(&format!(".cell[data-cell='{x},{y}']"), &format!(".cell[data-cell='{},{y}']", x - 1));
    ada.wait(&format!("{TABLE}.plan && {TABLE}.plan.done"));
    says(&bob, "wait");
    ada.wait(&format!("{TABLE}.rev >= 7"));
    assert_eq!(ada.eval(&cell), start);
    assert_eq!(moments(&ada), 7);
    ada.assert_calm();
    bob.assert_calm();
}

/// Words and places: a button of one's last turn, and a walk by taking along who will act.
fn skirmish(browser: &Chromium, server: &Server) {
    let seats = json!([{ "who": "me" }, { "who": "invited" }]);
    let (ada, bob) = two(browser, server, &json!({ "game": "skirmish", "name": "Ada", "seats": seats }));
    front(&ada);
    passes(&bob, "end turn", || is_on(&ada));
    passes(&ada, "end turn", || !is_on(&ada));
    ada.wait("document.querySelector('[data-plan=\"defend\"]')");
    ada.click("[data-plan='defend']");
    ada.wait("document.querySelector('.plan.planned[data-plan=\"defend\"]')");
    ada.picture("premove-skirmish");
    let did = |what: &str| {
        format!("[...{TABLE}.nodes.values()].some((node) => node.by === 0 && / {what}/.test(node.text))")
    };
    passes(&bob, "end turn", || ada.is(&did("defends")));
    ada.wait(&format!("{TABLE}.live.moment === {TABLE}.here"));
    passes(&ada, "end turn", || !is_on(&ada));
    let way = ada.eval(&format!(
        "(async () => {{ const t = {TABLE}, inputs = []; for (let n = 0; n < 12; n++) {{ \
         const {{ now }} = await t.source.ask('try', {{ from: t.here, inputs, world: 1 }}); \
         if (now.seat === 0) {{ const b = now.scene.board, i = b.cells.findIndex((c) => (c.figures || []).some((f) => f.active)); \
         return [[i % b.width, Math.floor(i / b.width)], now.scene.options.find((o) => o.picks.length === 1 && o.picks[0].cell).picks[0].cell]; }} \
         inputs.push({{ choose: now.scene.options.findIndex((o) => / ends the turn/.test(o.label)) }}); }} }})()"
    ));
    let selector = |at: &Value| format!(".cell[data-cell='{},{}']", at[0], at[1]);
    ada.drag(&selector(&way[0]), &selector(&way[1]));
    ada.wait(&format!("{TABLE}.plan && {TABLE}.plan.done"));
    passes(&bob, "end turn", || ada.is(&did(&format!("walks to {},{}", way[1][0], way[1][1]))));
    ada.assert_calm();
    bob.assert_calm();
}

/// What was planned in one position, in another: it is what was meant, or nothing is done.
fn what_plans_mean(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelector('[data-play]')");
    let meant = |options: Value, picks: Value| {
        tab.eval(&format!(
            "import('/picks.js').then(({{ replay }}) => replay({options}.map((picks, i) => ({{ label: `${{i}}`, picks }})), {picks}, [1, 1]))"
        ))
    };
    let (foe, own, far) = (json!({ "cell": [2, 1] }), json!({ "cell": [1, 1] }), json!({ "cell": [5, 5] }));
    let (strike, shoot) = (json!({ "word": "strike" }), json!({ "word": "shoot" }));
    let attacks = json!([[far], [foe, strike]]);
    assert_eq!(meant(attacks.clone(), json!([foe, strike])), json!({ "choose": 1 }));
    assert_eq!(
        meant(attacks.clone(), json!([own, foe])),
        json!({ "choose": 1 }),
        "the only thing to do there"
    );
    assert_eq!(meant(attacks.clone(), json!([own, far])), json!({ "choose": 0 }));
    assert_eq!(meant(attacks.clone(), json!([foe, shoot])), Value::Null);
    assert_eq!(meant(attacks, json!([far, foe])), Value::Null, "nothing else is done instead");
    let healer = json!([[own, strike], [far]]);
    assert_eq!(meant(healer.clone(), json!([own, far])), json!({ "choose": 1 }), "he can be chosen himself");
    assert_eq!(meant(healer, json!([own, strike])), json!({ "choose": 0 }));
    let two = json!([[foe, strike], [foe, shoot]]);
    assert_eq!(meant(two, json!([own, foe]))["picks"], json!([foe]), "one is asked which");
    let chess = json!([[own, foe], [own, far]]);
    assert_eq!(meant(chess, json!([own, far])), json!({ "choose": 1 }));
}
