//! What the page weighs, and how soon something is seen. Weights are asserted, times are only told.

use serde_json::json;

use crate::chromium::Chromium;
use crate::{MINE, Server, open};

/// A board of 400 cells, of which every one changes, drawn again and again; gives the middle time of script, style and
/// layout, and that until the frame is done, in microseconds.
const FOUR_HUNDRED: &str = "(async () => { \
    const table = document.querySelector('#app').turnstoneTable, now = table.live, times = [], frames = []; \
    const board = (k) => ({ width: 20, height: 20, columns: [], rows: [], cells: Array.from({ length: 400 }, (_, i) => ({ \
      text: (i + k) % 5 ? '' : 'x', ink: ['plain', 'ours', 'theirs'][(i >> 2) % 3], ground: ['plain', 'wall', 'rough', 'water', 'bright'][(i * 7 + k) % 5], note: `cell ${i} of ${k}`, recent: (i + k) % 11 === 0, \
      figures: (i + k) % 4 ? [] : [{ id: `f${i >> 2}`, name: 'Goblin', icon: 'goblin', owner: i % 2, gauges: [{ name: 'hp', now: 5, most: 9 }] }] })) }); \
    for (let k = 0; k < 41; k++) { \
      const scene = { ...now.scene, title: `update ${k}`, board: board(k), panels: [], options: [] }; \
      const began = performance.now(); \
      table.hear({ t: 'moved', rev: table.rev, told: [], now: { ...now, scene } }); \
      cancelAnimationFrame(table.waitingFrame); table.waitingFrame = null; table.paint(); document.body.offsetHeight; \
      times.push(performance.now() - began); \
      await new Promise((done) => requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); })); \
      frames.push(performance.now() - began); \
      await new Promise((done) => setTimeout(done, 30)); } \
    const middle = (list) => list.slice(1).sort((a, b) => a - b)[20]; \
    return [Math.round(middle(times) * 1000), Math.round(middle(frames) * 1000), document.querySelectorAll('.cell').length]; })()";

pub fn figures(browser: &Chromium, server: &Server) {
    let tab = browser.tab("about:blank");
    tab.go(&format!("{}/", server.address));
    tab.wait("document.querySelector('[data-play]')");
    let weight = tab.eval("performance.getEntriesByType('resource').filter((e) => /\\.(js|css|svg)$/.test(e.name)).reduce((sum, e) => sum + e.encodedBodySize, 0) + performance.getEntriesByType('navigation')[0].encodedBodySize");
    let weight = weight.as_u64().unwrap_or(0);
    assert!((1..150 * 1024).contains(&weight), "the page weighs {weight} bytes");
    // As somebody finds it who was here before the last moment: nothing is in the cache.
    let paint = tab.eval("(performance.getEntriesByName('first-contentful-paint')[0] || {}).startTime");
    open(&tab, server, &json!({ "game": "grid", "name": "Ada" }));
    tab.wait(MINE);
    let update = tab.eval(FOUR_HUNDRED);
    assert_eq!(update[2], 400);
    println!(
        "page: {weight} bytes compressed, first paint after {} ms; 400 changed cells: {} µs for script, style and layout, {} µs until the frame is done",
        paint.as_f64().unwrap_or(0.0).round(),
        update[0],
        update[1]
    );
}
