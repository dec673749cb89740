//! What the page weighs, and how soon something is seen. Weights are asserted, times are only told.

use serde_json::json;

use crate::chromium::Chromium;
use crate::{MINE, Server, open};

/// A board of 400 cells, drawn again and again: all of them change, and then four of them. Gives the middle times from
/// hearing of it until the frame is painted and handed on, in microseconds. It begins with a frame of the browser, since
/// waiting for the next one is no work.
const FOUR_HUNDRED: &str = "(async () => { \
    const table = document.querySelector('#app').turnstoneTable, now = table.live; \
    const cell = (i, k) => ({ \
      text: (i + k) % 5 ? '' : 'x', ink: ['plain', 'ours', 'theirs'][(i >> 2) % 3], ground: ['plain', 'wall', 'rough', 'water', 'bright'][(i * 7 + k) % 5], note: `cell ${i} of ${k}`, recent: (i + k) % 11 === 0, \
      figures: (i + k) % 4 ? [] : [{ id: `f${i >> 2}`, name: 'Goblin', icon: 'goblin', owner: i % 2, gauges: [{ name: 'hp', now: 5, most: 9 }] }] }); \
    const all = (k) => Array.from({ length: 400 }, (_, i) => cell(i, k)); \
    let last = all(0); \
    const four = (k) => { last = last.slice(); for (let i = 0; i < 4; i++) last[k * 4 + i] = cell(k * 4 + i, k); return last; }; \
    const frame = (work) => new Promise((done) => requestAnimationFrame(() => { \
      const began = performance.now(), channel = new MessageChannel(); \
      channel.port1.onmessage = () => done(performance.now() - began); \
      work(); channel.port2.postMessage(0); })); \
    const middle = async (cells) => { \
      const times = []; \
      for (let k = 0; k < 41; k++) { \
        const scene = { ...now.scene, title: `update ${k}`, board: { width: 20, height: 20, columns: [], rows: [], cells: cells(k) }, panels: [], options: [] }; \
        times.push(await frame(() => { \
          table.hear({ t: 'moved', rev: table.rev, told: [], now: { ...now, scene } }); \
          cancelAnimationFrame(table.waitingFrame); table.waitingFrame = null; table.paint(); })); \
        await new Promise((done) => setTimeout(done, 30)); } \
      return Math.round(times.slice(1).sort((a, b) => a - b)[20] * 1000); }; \
    return [await middle(all), await middle(four), document.querySelectorAll('.cell').length]; })()";

pub fn figures(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelector('[data-play]')");
    let weight = tab.eval("performance.getEntriesByType('resource').filter((e) => /\\.(js|css|svg)$/.test(e.name)).reduce((sum, e) => sum + e.encodedBodySize, 0) + performance.getEntriesByType('navigation')[0].encodedBodySize");
    let weight = weight.as_u64().unwrap_or(0);
    assert!((1..150 * 1024).contains(&weight), "the page weighs {weight} bytes");
    // As somebody finds it who was never here: nothing is in the cache. It is told a moment after it is there.
    const PAINTED: &str = "performance.getEntriesByName('first-contentful-paint')[0]";
    tab.wait(PAINTED);
    let paint = tab.eval(&format!("{PAINTED}.startTime"));
    open(&tab, server, &json!({ "game": "grid", "name": "Ada" }));
    tab.wait(MINE);
    let update = tab.eval(FOUR_HUNDRED);
    assert_eq!(update[2], 400);
    println!(
        "page: {weight} bytes compressed, first paint after {} ms; a board of 400 cells is painted anew in {} µs, 4 cells of it in {} µs",
        paint.as_f64().unwrap_or(0.0).round(),
        update[0],
        update[1]
    );
}
