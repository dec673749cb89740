// The timeline as a tree: the live line on top, undone and tried lines below. Dragging along it shows every moment.

import { h, classes, memo } from './dom.js';
import { W } from './words.js';
import { ui } from './art.js';

const STEP = 18, ROW = 16, LEFT = 14, TOP = 14;

/** Where every moment of the tree is drawn: the line of `tip` runs straight, others leave it below. */
export function layout(nodes, tip) {
  const children = new Map();
  for (const node of nodes.values()) {
    if (node.moment === 0 || node.parent === undefined || node.parent === null) continue;
    if (!children.has(node.parent)) children.set(node.parent, []);
    children.get(node.parent).push(node.moment);
  }
  const main = new Set();
  for (let at = tip; at !== undefined && at !== null; at = at === 0 ? null : (nodes.get(at) || {}).parent) main.add(at);
  const places = new Map();
  const taken = [];
  const start = Math.min(...nodes.keys());
  const todo = [[start, 0, 0]];
  const length = (moment) => { let n = 0; for (let at = moment; at !== undefined; at = (children.get(at) || []).at(-1)) n++; return n; };
  while (todo.length) {
    let [moment, column, row] = todo.pop();
    while (moment !== undefined) {
      places.set(moment, { column, row });
      taken[row] = Math.max(taken[row] || 0, column + 1);
      const next = children.get(moment) || [];
      const straight = next.find((child) => main.has(child)) ?? next.at(-1);
      for (const child of next) {
        if (child === straight) continue;
        todo.push([child, column + 1, -1]);
      }
      // A branch finds a row that is free where it runs.
      moment = straight;
      column++;
    }
    const branch = todo.at(-1);
    if (branch && branch[2] === -1) {
      let free = 1;
      while ((taken[free] || 0) > branch[1] - 1) free++;
      taken[free] = branch[1] + length(branch[0]);
      branch[2] = free;
    }
  }
  return { places, rows: Math.max(1, taken.length), columns: Math.max(...[...places.values()].map((p) => p.column), 0) + 1, main };
}

export function timelineView(table) {
  const { nodes, here } = table;
  if (!nodes.size) return null;
  const shown = table.shownMoment();
  const state = `${table.epoch} ${nodes.size} ${here} ${shown} ${table.stripWidth} ${Boolean(table.trial)} ${Boolean(table.playing)} ${(nodes.get(shown) || {}).text}`;
  return memo('timeline', null, state, () => stripView(table, shown));
}

function stripView(table, shown) {
  const { nodes, here } = table;
  const { places, rows, columns, main } = layout(nodes, here);
  const room = Math.max(80, (table.stripWidth || 800) - LEFT * 2);
  // All of it is there: the nearest moment is meant, and the buttons go on by one.
  const step = Math.min(STEP, room / columns);
  const small = step < 8;
  const point = (moment) => { const p = places.get(moment); return p ? [LEFT + p.column * step, TOP + p.row * ROW] : null; };
  const edges = [], dots = [];
  for (const node of nodes.values()) {
    const to = point(node.moment);
    if (!to) continue;
    const from = node.moment !== 0 && point(node.parent);
    const on = main.has(node.moment);
    if (from) edges.push(h('path', { key: `edge ${node.moment}`, class: classes('edge', on ? 'on' : 'off'), d: from[1] === to[1] ? `M${from[0]} ${from[1]}H${to[0]}` : `M${from[0]} ${from[1]}C${from[0] + step * 0.7} ${from[1]} ${from[0]} ${to[1]} ${to[0]} ${to[1]}` }));
    const current = node.moment === shown, live = node.moment === here;
    if (!small || current || live || !on) dots.push(h('circle', { key: `dot ${node.moment}`, cx: to[0], cy: to[1], r: current ? 6 : live ? 5 : small ? 2 : 3.5, class: classes('dot', on ? 'on' : 'off', current && 'current', live && 'live', node.by !== null && node.by !== undefined && `by-${Math.min(node.by, 3)}`) }));
  }
  const width = LEFT * 2 + columns * step, height = TOP * 2 + (rows - 1) * ROW;
  const at = point(shown);
  const trial = table.trial;
  const look = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best = null, least = Infinity;
    for (const [moment, p] of places) {
      const d = Math.abs(LEFT + p.column * step - x) + Math.abs(TOP + p.row * ROW - y) * 2.2;
      if (d < least) { least = d; best = moment; }
    }
    if (best !== null) table.lookAt(best, true);
  };
  const node = nodes.get(shown);
  return h('footer', { class: 'timeline', 'aria-label': W.timeline },
    h('div', { class: 'strip-buttons' },
      h('button', { type: 'button', title: '[', 'aria-label': W.momentBack, onclick: () => table.step(-1) }, ui('prev')),
      h('button', { type: 'button', title: ']', 'aria-label': W.momentForward, onclick: () => table.step(1) }, ui('next')),
      table.source.live ? h('button', { type: 'button', 'aria-label': W.backToLive, title: W.backToLive, onclick: () => table.lookAt(null) }, ui('last')) : h('button', { type: 'button', 'aria-label': table.playing ? W.stop : W.autoplay, title: table.playing ? W.stop : W.autoplay, onclick: () => table.autoplay() }, ui(table.playing ? 'pause' : 'play'))),
    h('div', { class: 'strip', kept: (el) => table.measure(el, at), made: (el) => table.measure(el, at) },
      h('div', {
        class: 'strip-in', role: 'slider', tabindex: 0, 'aria-label': W.timeline, 'aria-valuemin': 0, 'aria-valuemax': (places.get(here) || { column: 0 }).column, 'aria-valuenow': (places.get(shown) || { column: 0 }).column, 'aria-valuetext': W.momentText((places.get(shown) || { column: 0 }).column, shown === 0 ? W.startMoment : (node && node.text) || ''),
        style: { width: `${width}px`, height: `${height}px` },
        onpointerdown: (event) => { table.sliding = true; event.currentTarget.setPointerCapture(event.pointerId); look(event); }, onpointermove: (event) => { if (event.buttons) look(event); }, onlostpointercapture: () => { table.sliding = false; table.draw(); },
        onkeydown: (event) => { const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key]; if (by) { event.preventDefault(); event.stopPropagation(); table.step(by); } else if (event.key === 'Home') { event.preventDefault(); table.lookAt(0); } else if (event.key === 'End') { event.preventDefault(); table.lookAt(here); } },
      }, h('svg', { width, height, 'aria-hidden': 'true' }, edges, dots, trial && at && h('circle', { cx: at[0], cy: at[1], r: 9, class: 'trial-ring' })))),
    h('div', { class: 'strip-text' }, node && shown !== 0 ? node.text : W.startMoment));
}
