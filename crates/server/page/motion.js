// Motion tells what happened: what has an id travels, numbers that change rise from whom they belong to. Any input
// goes on at once; with reduced motion nothing moves.

const MOST = 24;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Where everything with an id is now, apart from the figures of a board, which travel by themselves. */
export function snapshot(root) {
  const seen = new Map();
  if (still()) return seen;
  for (const element of root.querySelectorAll('.stage [data-id]:not(.piece)')) {
    seen.set(element.dataset.id, { element, box: element.getBoundingClientRect() });
  }
  return seen;
}

function figuresOf(scene) {
  const all = new Map();
  if (!scene) return all;
  for (const cell of scene.board ? scene.board.cells : []) for (const figure of cell.figures || []) if (figure.id) all.set(figure.id, figure);
  for (const panel of scene.panels) for (const item of panel.items) if (item.thing && item.thing.figure && item.thing.figure.id) all.set(item.thing.figure.id, item.thing.figure);
  return all;
}

/** Whether so much stands elsewhere that nobody could follow it. */
export function isRush(before, after) {
  const place = (scene) => {
    const all = new Map();
    ((scene && scene.board && scene.board.cells) || []).forEach((cell, i) => { for (const figure of cell.figures || []) if (figure.id) all.set(figure.id, i); });
    return all;
  };
  const old = place(before);
  let moved = 0;
  for (const [id, at] of place(after)) if (old.has(id) && old.get(id) !== at) moved++;
  return moved > MOST;
}

/** How gauges have changed, by figure: `[id, name, difference]`. */
export function changes(before, after) {
  const old = figuresOf(before), list = [];
  for (const [id, figure] of figuresOf(after)) {
    const was = old.get(id);
    if (!was) continue;
    for (const gauge of figure.gauges || []) {
      const past = (was.gauges || []).find((other) => other.name === gauge.name);
      const difference = gauge.now - (past ? past.now : 0);
      if (difference) list.push([id, gauge.name, difference]);
    }
  }
  return list;
}

/** Plays what has changed between two scenes. Gives whether somebody was hurt. */
export function playMotion(root, seen, before, after) {
  const changed = changes(before, after);
  const hurt = changed.some(([, name, difference]) => difference < 0 && name !== 'block');
  if (still()) return hurt;
  // All places are looked up before anything is added; where everything changes at once, some are enough.
  const rising = changed.slice(0, MOST).map(([id, ...change]) => [root.querySelector(`.stage [data-id="${CSS.escape(id)}"]`), ...change]);
  const marks = rising.filter(([element]) => element).map(([element, ...change]) => [element, element.getBoundingClientRect(), ...change]);
  for (const mark of marks) rise(...mark);
  const pile = (id) => root.querySelector(`[data-pile="${id}"]`);
  const now = new Set();
  const here = [...root.querySelectorAll('.stage [data-id]:not(.piece)')].map((element) => [element, element.getBoundingClientRect()]);
  for (const [element, box] of here) {
    const id = element.dataset.id;
    now.add(id);
    const was = seen.get(id);
    if (was) slide(element, was.box, box);
    else if (element.classList.contains('card') && seen.size && pile('draw')) slide(element, pile('draw').getBoundingClientRect(), box, true);
  }
  for (const [id, { element, box }] of seen) if (!now.has(id) && element.classList.contains('card')) fly(element, box, pile('discard') || pile('exhaust'));
  return hurt;
}

function slide(element, from, to, small) {
  const x = from.left - to.left, y = from.top - to.top;
  if (Math.abs(x) < 2 && Math.abs(y) < 2) return;
  const scale = small ? ' scale(.35)' : '';
  element.animate([{ translate: `${x}px ${y}px`, scale: small ? '.35' : '1', opacity: small ? 0.2 : 1 }, { translate: '0 0', scale: '1', opacity: 1 }], { duration: 180, easing: 'ease-out' });
  return scale;
}

function fly(element, from, to) {
  const clone = element.cloneNode(true);
  clone.removeAttribute('data-id');
  clone.setAttribute('aria-hidden', 'true');
  clone.classList.add('flying');
  Object.assign(clone.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  document.body.append(clone);
  const end = to ? to.getBoundingClientRect() : { left: from.left, top: from.top - 120, width: from.width, height: from.height };
  const x = end.left + end.width / 2 - (from.left + from.width / 2), y = end.top + end.height / 2 - (from.top + from.height / 2);
  const motion = clone.animate([{ transform: 'none', opacity: 1 }, { transform: `translate(${x * 0.4}px, ${y * 0.4 - 90}px) scale(.9)`, opacity: 1, offset: 0.45 }, { transform: `translate(${x}px, ${y}px) scale(.2) rotate(20deg)`, opacity: 0.1 }], { duration: 360, easing: 'ease-in-out' });
  motion.onfinish = motion.oncancel = () => clone.remove();
}

function rise(element, box, name, difference) {
  const mark = document.createElement('div');
  mark.className = `rising ${difference < 0 ? 'loss' : 'gain'} rising-${name}`;
  mark.textContent = `${difference > 0 ? '+' : '−'}${Math.abs(difference)}`;
  mark.setAttribute('aria-hidden', 'true');
  Object.assign(mark.style, { left: `${box.left + box.width / 2}px`, top: `${box.top + box.height * 0.35}px` });
  document.body.append(mark);
  const motion = mark.animate([{ transform: 'translate(-50%, 0) scale(.7)', opacity: 0 }, { transform: 'translate(-50%, -14px) scale(1.25)', opacity: 1, offset: 0.2 }, { transform: 'translate(-50%, -54px) scale(1)', opacity: 0 }], { duration: 900, easing: 'ease-out' });
  motion.onfinish = motion.oncancel = () => mark.remove();
  if (difference < 0 && name !== 'block') {
    const picture = element.querySelector('.picture, .token, svg') || element;
    picture.animate([{ translate: '0' }, { translate: '-5px' }, { translate: '6px' }, { translate: '-3px' }, { translate: '0' }], { duration: 220 });
  }
}
