// Taking something along: by mouse or by finger, from a board or out of a hand, to where it is put down.

import { cellPick, fitting, nextPicks, pickKey, wordPick } from './picks.js';
import { mainBoard } from './stage.js';
import { wakeSound } from './sound.js';

/** The right button lets go of what was picked, and draws arrows and rings for oneself. */
function markFrom(table, pick) {
  if (table.picks.length || table.plan) { table.picks = []; table.among = table.plan = null; table.draw(); return; }
  if (!pick.cell) return;
  addEventListener('pointerup', (event) => {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const cell = under && under.closest('[data-cell]');
    if (!cell) return;
    const to = cell.dataset.cell.split(',').map(Number);
    const known = (arrow) => `${arrow.from}` === `${pick.cell}` && `${arrow.to}` === `${to}`;
    table.arrows = table.arrows.some(known) ? table.arrows.filter((arrow) => !known(arrow)) : [...table.arrows, { from: pick.cell, to }];
    table.draw();
  }, { once: true });
}

/** A press: a click if it ends where it began, a drag otherwise; held on a touch screen, it only shows. */
export function press(table, event, pick, key, element) {
  if (event.button === 2) { markFrom(table, pick); return; }
  if (event.button !== 0) return;
  table.arrows = [];
  wakeSound();
  const held = { pick, key, x: event.clientX, y: event.clientY, at: event.timeStamp, touch: event.pointerType === 'touch', moving: false };
  table.drag = held;
  const target = element || event.currentTarget;
  if (target.hasPointerCapture && event.pointerId !== undefined) try { target.releasePointerCapture(event.pointerId); } catch { /* never had it */ }
  const move = (e) => {
    if (!held.moving && Math.hypot(e.clientX - held.x, e.clientY - held.y) > 6) startDrag(table, held, target);
    if (held.ghost) Object.assign(held.ghost.style, { left: `${e.clientX}px`, top: `${e.clientY}px` });
  };
  const stop = () => { removeEventListener('pointermove', move); removeEventListener('pointerup', up); removeEventListener('pointercancel', cancel); if (held.ghost) held.ghost.remove(); table.drag = null; };
  const cancel = () => { stop(); if (held.moving) { table.picks = []; table.draw(); } };
  const up = (e) => {
    stop();
    if (held.moving) drop(table, held, e);
    else if (!(held.touch && e.timeStamp - held.at > 550)) table.pick(pick);
    else table.draw();
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
}

function startDrag(table, held, target) {
  Object.assign(held, { moving: true, home: target.closest('.hand, .offer'), what: whatLies(table, held.pick) });
  const options = table.options();
  const begins = nextPicks(options, []).has(held.key);
  const plans = table.mayPlan();
  const carried = carries(table, held.pick);
  if (!begins && !plans && !carried) return;
  if (begins && !carried) table.picks = [held.pick];
  const picture = held.pick.cell ? pieceAt(table, held.pick.cell) : target;
  if (picture) {
    const box = picture.getBoundingClientRect();
    held.ghost = picture.cloneNode(true);
    held.ghost.classList.add('drag-ghost');
    held.ghost.removeAttribute('data-id');
    held.ghost.setAttribute('aria-hidden', 'true');
    Object.assign(held.ghost.style, { width: `${box.width}px`, height: `${box.height}px`, left: `${held.x}px`, top: `${held.y}px` });
    document.body.append(held.ghost);
  }
  held.dragging = held.pick.cell ? `${held.pick.cell}` : null;
  table.draw();
}

function pieceAt(table, cell) {
  const scene = table.shown().scene;
  const board = mainBoard(scene);
  const figure = board && (board.cells[cell[1] * board.width + cell[0]].figures || []).at(-1);
  return figure && figure.id ? table.root.querySelector(`.piece[data-id="${CSS.escape(figure.id)}"]`) : null;
}

/** Which thing can be taken there. */
function whatLies(table, { cell, item }) {
  const board = mainBoard(table.shown().scene);
  if (item) return (table.itemOf({ item }) || {}).text;
  return board ? JSON.stringify(board.cells[cell[1] * board.width + cell[0]].figures || []) : '';
}

/** Whoever acts can be taken to where he shall go, unless pointing at him first leads on to other places. */
function carries(table, pick) {
  const board = mainBoard(table.shown().scene);
  const leads = fitting(table.options(), [pick]).some(({ option }) => option.picks[1] && !option.picks[1].word);
  return Boolean(board && pick.cell && !leads && !table.picks.length && table.options().length && `${table.actingCell(board)}` === `${pick.cell}`);
}

/** Whoever acts is put down: where he can be told to go, or a step towards it. */
function carry(table, target) {
  const next = nextPicks(table.options(), []);
  const way = target && target.cell && wayTowards(table.actingCell(mainBoard(table.shown().scene)), target.cell);
  if (target && next.has(pickKey(target))) putDown(table, target);
  else if (way && next.has(pickKey(way))) table.pick(way);
  else table.draw();
}

/** The way that leads nearest to a cell. */
export function wayTowards(from, [x, y]) {
  const [dx, dy] = [x - from[0], y - from[1]];
  return wordPick(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'right' : 'left') : dy > 0 ? 'down' : 'up');
}

/** Something is put down there: if that can mean one thing alone, it is done. */
function putDown(table, target) {
  table.pick(target);
  if (table.among && table.among.length === 1) table.choose(table.among[0].number);
}

/** What is put down somewhere. It is what was taken, though something may have been heard meanwhile. */
function drop(table, held, event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const cell = under && under.closest('[data-cell]');
  const other = under && under.closest('[data-pick]');
  const options = table.options();
  const target = cell ? cellPick(...cell.dataset.cell.split(',').map(Number)) : other ? JSON.parse(other.dataset.pick) : null;
  const inside = target && pickKey(target) === held.key;
  table.picks = [];
  if (!options.length) {
    if (target && !inside && table.mayPlan()) table.setPlan([held.pick, target], true);
    else table.draw();
  } else if (inside || whatLies(table, held.pick) !== held.what) table.draw();
  else if (carries(table, held.pick)) carry(table, target);
  else land(table, held, target, under && !(held.home && held.home.contains(under)));
}

/** A man on a square that he can go to, a card on whom it is meant for, or one that needs nobody out of the hand. */
function land(table, held, target, away) {
  const options = table.options();
  const whole = fitting(options, [held.pick]);
  table.picks = whole.length ? [held.pick] : [];
  if (target && nextPicks(options, table.picks).has(pickKey(target)) && whole.length) { putDown(table, target); return; }
  table.picks = [];
  if (held.pick.item && away && whole.length === 1 && whole[0].option.picks.length === 1) table.choose(whole[0].number);
  else table.draw();
}
