//! Several people: at one screen, one after the other, and each at his own, with premoves, offers and a rematch.

use std::time::Duration;

use serde_json::{Value, json};

use crate::chromium::{Chromium, Tab};
use crate::{MINE, OVER, Server, moments, open};

/// The same server under another name: another person's browser, which shares nothing with the first.
pub fn elsewhere(server: &Server) -> String {
    server.address.replace("127.0.0.1", "localhost")
}

fn move_piece(tab: &Tab, from: &str, to: &str) {
    tab.wait(&format!("document.querySelector('[data-cell=\"{from}\"].first')"));
    tab.click(&format!("[data-cell='{from}']"));
    tab.wait(&format!("document.querySelector('[data-cell=\"{to}\"].target')"));
    tab.click(&format!("[data-cell='{to}']"));
}

/// Two people hand one screen over: each sees his own, and nothing between.
pub fn one_screen(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    let both = json!([{ "who": "me" }, { "who": "me" }]);
    open(&tab, server, &json!({ "game": "chess", "name": "Ada", "ruleset": "dark", "seats": both }));
    tab.wait("document.querySelector('.curtain button:not([disabled])')");
    assert!(!tab.is("document.querySelector('.cell, .entry, .piece')"), "a curtain hides everything");
    assert!(tab.text("document.querySelector('.curtain h1').textContent").contains("white"));
    tab.picture("hand-over");
    tab.click(".curtain button");
    tab.wait(MINE);
    let hidden = "document.querySelectorAll('.ground-hidden').length";
    assert_ne!(tab.eval(hidden), 0, "there is fog");
    let refused = "document.querySelector('#tab-steps, [aria-label=\"Download the match\"]')";
    assert!(!tab.is(refused), "what is refused while something is hidden is not offered");
    move_piece(&tab, "4,6", "4,4");
    tab.wait("document.querySelector('.curtain button:not([disabled])')");
    assert!(tab.text("document.querySelector('.curtain h1').textContent").contains("black"));
    tab.click(".curtain button");
    tab.wait(MINE);
    let log = tab.text("document.querySelector('.right-rail').textContent");
    assert!(!log.contains("e2") && !log.contains("e4"), "Black is not told what White did in the fog: {log}");
    // The past is Black's own, too.
    tab.key("[");
    tab.wait(
        "document.querySelector('.band.past') || document.querySelector('.strip-in[aria-valuemax=\"0\"]')",
    );
    assert!(
        !tab.is("document.querySelector('.piece .man.white')"),
        "White stands in the fog, also in the past"
    );
    tab.assert_calm();
}

/// Two people at their own screens: an invitation, a premove, a draw that is refused, one that is accepted, and a
/// rematch that takes both along.
pub fn two_screens(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    let id = open(
        &ada,
        server,
        &json!({ "game": "chess", "name": "Ada", "seats": [{ "who": "me" }, { "who": "open" }], "clock": { "minutes": 5, "increment": 3 } }),
    );
    let bob = browser.tab("about:blank");
    // The seat is free: whoever comes to the table sits down in it.
    bob.go(&format!("{}/m/{id}", elsewhere(server)));
    bob.wait("document.querySelector('.stage-in')");
    press(&bob, "Sit down");
    bob.wait("document.querySelector('.seat.mine.owner-1')");
    assert!(!bob.is("document.querySelector('.seat .primary')"), "nobody sits down twice");
    front(&ada);
    ada.wait(MINE);
    move_piece(&ada, "4,6", "4,4");
    // While Bob thinks, Ada knows what she will do.
    ada.wait(&format!("!{MINE}"));
    ada.click("[data-cell='3,6']");
    ada.click("[data-cell='3,4']");
    ada.wait("document.querySelectorAll('.cell.planned').length === 2");
    ada.picture("premove");
    front(&bob);
    bob.wait(MINE);
    assert!(bob.is("document.querySelector('.clock')"), "the clocks are shown");
    bob.picture("two-screens");
    move_piece(&bob, "4,1", "4,3");
    front(&ada);
    ada.wait("Number(document.querySelector('.strip-in').getAttribute('aria-valuemax')) >= 3");
    assert!(!ada.is("document.querySelector('.cell.planned')"), "the premove was played");
    draws(&ada, &bob);
    for tab in [&ada, &bob] {
        front(tab);
        tab.wait(OVER);
    }
    dice(&bob);
    again(&ada, &bob, &id);
    ada.assert_calm();
    bob.assert_calm();
}

/// A tab behind others is not drawn.
pub fn front(tab: &Tab) {
    tab.call("Page.bringToFront", json!({}));
}

/// The address that invites to a seat, as its host gives it away.
pub fn invitation(tab: &Tab, id: &str) -> String {
    let given = tab.eval("document.querySelector('#app').turnstoneTable.source.ask('invite', { seat: 1 })");
    format!("/m/{id}#join={}", given["invitation"].as_str().unwrap_or_else(|| panic!("{given}")))
}

fn press(tab: &Tab, text: &str) {
    let find = format!(
        "[...document.querySelectorAll('button')].find((b) => b.textContent.trim() === {})",
        Value::from(text)
    );
    // What has just come to the front is drawn anew once more.
    for _ in 0..20 {
        tab.wait(&find);
        tab.eval(&format!("{find}.setAttribute('data-press', '')"));
        std::thread::sleep(Duration::from_millis(80));
        if tab.is("document.querySelector('[data-press]')") {
            break;
        }
    }
    tab.click("[data-press]");
    tab.eval("document.querySelectorAll('[data-press]').forEach((b) => b.removeAttribute('data-press'))");
}

fn draws(ada: &Tab, bob: &Tab) {
    press(ada, "Offer a draw");
    front(bob);
    bob.wait("document.querySelector('.offer-band')");
    bob.picture("offer");
    press(bob, "No");
    bob.wait("!document.querySelector('.offer-band')");
    assert!(!bob.is(OVER));
    press(bob, "Offer a draw");
    front(ada);
    ada.wait("document.querySelector('.offer-band')");
    press(ada, "Yes");
}

/// What the dice are checked with is shown when it is over, and how.
fn dice(tab: &Tab) {
    tab.click(".band.end .tiny");
    tab.wait("document.querySelector('.overlay dl.seed')");
    let shown = tab.text("document.querySelector('.overlay').textContent");
    let told = tab.eval("document.querySelector('#app').turnstoneTable.info");
    for part in [&told["commitment"], &told["reveal"]["seed"], &told["reveal"]["salt"]] {
        let part = part.as_str().unwrap_or_else(|| panic!("{told}"));
        assert!(shown.matches(part).count() >= 1, "{part}: {shown}");
    }
    assert!(shown.contains("turnstone verify chess-"), "{shown}");
    tab.picture("dice");
    tab.key("Escape");
    tab.wait("!document.querySelector('.overlay')");
}

/// Both find themselves at the next match, in each other's seats.
fn again(ada: &Tab, bob: &Tab, id: &str) {
    front(ada);
    press(ada, "Play again");
    front(bob);
    bob.wait("document.querySelector('.offer-band')");
    press(bob, "Yes");
    for (tab, seat) in [(bob, 0), (ada, 1)] {
        front(tab);
        tab.wait(&format!(
            "!location.pathname.includes('{id}') && document.querySelector('#app').turnstoneTable.info && document.querySelector('.stage-in')"
        ));
        assert_eq!(tab.eval("document.querySelector('#app').turnstoneTable.info.you.seats[0]"), seat);
    }
    front(bob);
    bob.wait(MINE);
    move_piece(bob, "4,6", "4,4");
    bob.wait(&format!("!{MINE}"));
    front(ada);
    ada.wait(MINE);
    assert_eq!(moments(ada), 1);
}

/// Whoever is away when the next match begins finds the way to it when he is back, at the table and in the lobby.
pub fn away_at_the_rematch(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "invited" }]);
    let id = open(&ada, server, &json!({ "game": "chess", "name": "Ada", "seats": seats }));
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}{}", elsewhere(server), invitation(&ada, &id)));
    bob.wait("document.querySelector('.seat.mine.owner-1')");
    bob.eval("document.querySelector('#app').turnstoneTable.request('resign')");
    bob.wait(OVER);
    press(&bob, "Play again");
    bob.wait("document.querySelector('.band.end').textContent.includes('Offered')");
    bob.offline(true);
    bob.wait("document.querySelector('.band.off')");
    front(&ada);
    ada.wait("document.querySelector('.offer-band')");
    press(&ada, "Yes");
    ada.wait(&format!("location.pathname.startsWith('/m/') && !location.pathname.includes('{id}')"));
    let next = ada.text("location.pathname.slice(3)");
    front(&bob);
    bob.offline(false);
    bob.wait("[...document.querySelectorAll('.band.end button')].some((b) => b.textContent === 'To the next match')");
    bob.picture("next-match");
    let kept = format!("JSON.parse(localStorage.getItem('turnstone')).matches['{next}']");
    assert!(bob.is(&format!("{kept}.tokens.length")), "the seat there is kept");
    // Who closes the page now finds it in the lobby: also if this browser has not heard of it yet.
    bob.eval(&format!("(() => {{ const all = JSON.parse(localStorage.getItem('turnstone')); delete all.matches['{next}']; delete all.matches['{id}'].next; localStorage.setItem('turnstone', JSON.stringify(all)); }})()"));
    bob.go(&format!("{}/", elsewhere(server)));
    bob.wait("document.querySelectorAll('.match-line').length >= 2");
    assert!(bob.is(&format!("{kept}.tokens.length")), "the lobby knows of it");
    bob.go(&format!("{}/m/{id}", elsewhere(server)));
    press(&bob, "To the next match");
    bob.wait(&format!(
        "location.pathname.includes('{next}') && document.querySelector('.seat.mine.owner-0')"
    ));
    ada.assert_calm();
}

/// What a host does about who sits, and what both agree on: a takeback, a pause, and to go on.
pub fn hosts(browser: &Chromium, server: &Server) {
    const TABLE: &str = "document.querySelector('#app').turnstoneTable";
    let ada = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "invited" }]);
    let clock = json!({ "minutes": 5, "increment": 3 });
    let id = open(&ada, server, &json!({ "game": "chess", "name": "Ada", "seats": seats, "clock": clock }));
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}{}", elsewhere(server), invitation(&ada, &id)));
    bob.wait("document.querySelector('.seat.mine.owner-1')");
    let agrees = |tab: &Tab| {
        front(tab);
        tab.wait(&format!("{TABLE}.offers.length === 1 && document.querySelector('.offer-band')"));
        press(tab, "Yes");
        tab.wait(&format!("{TABLE}.offers.length === 0"));
    };
    front(&ada);
    move_piece(&ada, "4,6", "4,4");
    ada.wait(&format!("!{MINE}"));
    ada.click(".head-buttons [aria-label='Take back']");
    agrees(&bob);
    front(&ada);
    ada.wait(&format!("{MINE} && document.querySelector('.strip-in').getAttribute('aria-valuemax') === '0'"));
    press(&ada, "Pause");
    agrees(&bob);
    bob.wait("document.body.textContent.includes('The clocks stand still')");
    press(&bob, "Go on");
    agrees(&ada);
    ada.wait(&format!("{TABLE}.clock && !{TABLE}.clock.paused && {MINE}"));
    move_piece(&ada, "3,6", "3,4");
    ada.wait(&format!("!{MINE}"));
    // What is said belongs to a moment, and leads there.
    bob.eval(&format!("{TABLE}.say('a bold start')"));
    ada.click("#tab-chat");
    ada.wait("document.querySelector('.said .tiny')");
    let at = ada.eval(&format!("{TABLE}.chat[0].moment"));
    assert!(at.as_u64().is_some_and(|at| at > 0), "{at}");
    front(&bob);
    bob.wait(MINE);
    move_piece(&bob, "4,1", "4,3");
    front(&ada);
    ada.wait(MINE);
    ada.click(".said .tiny");
    ada.wait(&format!("{TABLE}.look && {TABLE}.look.moment === {at}"));
    ada.key("Escape");
    ada.wait("!document.querySelector('.band.past')");
    press(&ada, "Mute");
    ada.wait("[...document.querySelectorAll('.seat-buttons .tiny')].map((one) => one.textContent).join() === 'Let speak,Remove'");
    bob.eval(&format!("{TABLE}.say('again')"));
    assert_eq!(bob.text(&format!("{TABLE}.toast.code")), "MUTED");
    press(&ada, "Let speak");
    ada.wait("[...document.querySelectorAll('.seat-buttons .tiny')].map((one) => one.textContent).join() === 'Mute,Remove'");
    press(&ada, "Remove");
    front(&bob);
    bob.wait("document.querySelector('.lost-match') || !document.querySelector('.seat.mine')");
    front(&ada);
    ada.wait("(document.querySelector('.seat.owner-1 .tiny') || {}).textContent === 'Copy the invitation'");
    ada.assert_calm();
}

/// Who may not watch is told so, and may sit down all the same where a seat is free.
pub fn behind_closed_doors(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    let seats = json!([{ "who": "me" }, { "who": "open" }]);
    let id = open(&ada, server, &json!({ "game": "chess", "watch": "never", "seats": seats }));
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}/m/{id}", elsewhere(server)));
    bob.wait("(document.querySelector('.lost-match code') || {}).textContent === 'NO_WATCHING'");
    press(&bob, "Sit down as black");
    bob.wait("document.querySelector('.seat.mine.owner-1')");
    bob.assert_calm();
}

/// What a host does about somebody who watches and speaks.
pub fn guests(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    let id = open(&ada, server, &json!({ "game": "chess", "name": "Ada" }));
    let eve = browser.tab("about:blank");
    eve.go(&format!("{}/m/{id}", elsewhere(server)));
    eve.wait("document.querySelector('.stage-in')");
    let table = "document.querySelector('#app').turnstoneTable";
    eve.eval(&format!("{table}.say('hello')"));
    front(&ada);
    ada.click("#tab-chat");
    ada.wait("document.querySelector('.said .tiny')");
    ada.picture("chat-host");
    press(&ada, "Mute");
    // The one or the other: never both.
    ada.wait("[...document.querySelectorAll('.said .tiny')].map((one) => one.textContent).join() === 'Let speak,Remove'");
    eve.eval(&format!("{table}.say('again')"));
    assert_eq!(eve.text(&format!("{table}.toast.code")), "MUTED");
    front(&ada);
    press(&ada, "Let speak");
    ada.click(".hush input");
    ada.wait(&format!("{table}.info.hushed === true"));
    eve.eval(&format!("{table}.say('once more')"));
    assert_eq!(
        eve.text(&format!("{table}.toast.text")),
        "only who sits at the table speaks here: the host wants it so"
    );
    press(&ada, "Remove");
    front(&eve);
    eve.wait("document.querySelector('.band.off, .lost-match')");
    ada.assert_calm();
}

/// A page that is not looked at says when it is one's turn, if that was wished.
pub fn told_elsewhere(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    let id = open(
        &ada,
        server,
        &json!({ "game": "chess", "name": "Ada", "watch": "never", "seats": [{ "who": "me" }, { "who": "invited" }] }),
    );
    ada.eval("window.notes = []; window.Notification = class { constructor(title) { window.notes.push(title); } static permission = 'granted'; }");
    ada.eval("Object.defineProperty(document, 'hidden', { get: () => true })");
    move_piece(&ada, "4,6", "4,4");
    ada.wait(&format!("!{MINE}"));
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}{}", elsewhere(server), invitation(&ada, &id)));
    bob.wait(MINE);
    assert!(!bob.is("location.hash"), "an invitation is not left in the address");
    move_piece(&bob, "4,1", "4,3");
    bob.wait(&format!("!{MINE}"));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(ada.eval("window.notes.length"), 1, "it is said once");
    front(&ada);
    ada.wait("document.title.startsWith('●')");
    from_the_lobby(&ada, &bob, server);
}

/// Somebody in the lobby is told of every game of his that waits for him, also if the lobby is not looked at.
fn from_the_lobby(ada: &Tab, bob: &Tab, server: &Server) {
    bob.go(&format!("{}/", elsewhere(server)));
    front(bob);
    bob.wait("document.querySelector('.match-line')");
    let ask = "document.querySelector('#app').turnstoneTurns.ask()";
    bob.eval(ask);
    bob.eval("window.notes = []; window.Notification = class { constructor(title, { tag }) { window.notes.push(tag); } static permission = 'granted'; }");
    bob.eval("Object.defineProperty(document, 'hidden', { get: () => true })");
    bob.eval(ask);
    assert_eq!(bob.eval("window.notes.length"), 0, "nothing is said while it is somebody else's turn");
    // Others of his may wait for him as well.
    let count = || bob.eval("Number((/^\\((\\d+)\\) /.exec(document.title) || [0, 0])[1])").as_u64().unwrap();
    let before = count();
    front(ada);
    move_piece(ada, "3,6", "3,4");
    ada.wait(&format!("!{MINE}"));
    bob.eval(ask);
    bob.eval(ask);
    assert_eq!(bob.eval("window.notes.length"), 1, "it is said once");
    assert_eq!(count(), before + 1, "{}", bob.text("document.title"));
    front(bob);
    bob.wait("document.querySelector('.matches .match-line:first-child.my-turn')");
    bob.assert_calm();
}

/// A telephone has no notifications that a page may make itself: the worker says it, and a tap leads to the window that
/// shows the match, or to a new one.
pub fn told_on_a_telephone(browser: &Chromium, server: &Server) {
    let ada = browser.tab("about:blank");
    ada.size(390, 844, true);
    let permission = json!({ "origin": server.address, "permissions": ["notifications"] });
    ada.call("Browser.grantPermissions", permission);
    let seats = json!([{ "who": "me" }, { "who": "invited" }]);
    let id = open(&ada, server, &json!({ "game": "chess", "name": "Ada", "seats": seats }));
    // As on a telephone: permitted, but not to be made here.
    ada.eval("window.Notification = class { constructor() { throw new TypeError('Illegal constructor.'); } static permission = Notification.permission; }");
    assert_eq!(ada.text("Notification.permission"), "granted");
    ada.eval("Object.defineProperty(document, 'hidden', { get: () => true })");
    move_piece(&ada, "4,6", "4,4");
    ada.wait(&format!("!{MINE}"));
    let bob = browser.tab("about:blank");
    bob.go(&format!("{}{}", elsewhere(server), invitation(&ada, &id)));
    bob.wait(MINE);
    move_piece(&bob, "4,1", "4,3");
    bob.wait(&format!("!{MINE}"));
    let said = ada.eval(
        "(async () => { for (;;) { const known = await navigator.serviceWorker.getRegistration(); \
         const notes = known ? await known.getNotifications() : []; if (notes.length) return notes.map(({ title, tag }) => [title, tag]); \
         await new Promise((done) => setTimeout(done, 50)); } })()",
    );
    assert_eq!(said, json!([["It is your turn", id]]));
    let worker = browser.worker(&format!("{}/", server.address));
    let tapped = |tag: &str| {
        worker.eval(&format!(
            "(async () => {{ const led = []; WindowClient.prototype.focus = function () {{ led.push('focus ' + new URL(this.url).pathname); }}; \
             Clients.prototype.openWindow = (path) => {{ led.push('open ' + path); }}; \
             const event = new Event('notificationclick'); let done; \
             Object.assign(event, {{ notification: {{ tag: '{tag}', close() {{ led.push('close'); }} }}, waitUntil: (work) => {{ done = work; }} }}); \
             self.dispatchEvent(event); await done; return led; }})()"
        ))
    };
    assert_eq!(tapped(&id), json!(["close", format!("focus /m/{id}")]));
    assert_eq!(tapped("another"), json!(["close", "open /m/another"]));
    ada.assert_calm();
}
