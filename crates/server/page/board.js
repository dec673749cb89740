// A board of cells. It keeps its elements and touches only those whose cell or state has changed: a cell that is the
// very same object as before, in the same state, costs nothing.

import { h, draw, classes } from './dom.js';
import { W } from './words.js';
import { cellPick, pickKey } from './picks.js';
import { drawGround, lookOf } from './ground.js';
import { figurePicture, owner } from './art.js';

const MARKS = new Set(['·', '.', '#', '~', ':', 'o', '^', ',', '']);
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PICKED = 1, FIRST = 2, TARGET = 4, HERE = 8, PLANNED = 16, HINTED = 32, DRAGGED = 64;
/** More cells than this are given room to be seen, and scrolled. */
const MANY = 250;
const NARROW = '(max-width: 820px)';
const ROOM = 30;

/** Whether this is a telephone, or as narrow as one. */
export const isNarrow = () => matchMedia(NARROW).matches;
const isGroundMark = (cell) => MARKS.has(cell.text.trim()) || Boolean(cell.tile);
const gaugeText = (figure) => (figure.gauges || []).map((g) => ` ${g.now}${g.most !== undefined ? `/${g.most}` : ''} ${g.name}`).join(',');
const isChequered = (board) => board.cells.some((cell) => cell.ground === 'dark');

/** A board where it is wanted. */
export function boardView(board, t) {
  const show = (box) => {
    box.turnstoneBoard ||= new BoardView(box);
    box.turnstoneBoard.show(board, t);
    t.showFocus(box, board.focus);
  };
  const kinds = classes('board-box', isChequered(board) ? 'chequered' : 'tiled', board.width * board.height > MANY && 'many', t.rush && 'rush');
  return h('div', { class: kinds, key: 'board', made: show, kept: show });
}

function element(tag, name, more) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  for (const key in more) made.setAttribute(key, more[key]);
  return made;
}

function cellName(board, cell, x, y, flags) {
  const column = board.columns[x] || '';
  const place = board.columns.length ? `${column}${/\d$/.test(column) ? ',' : ''}${board.rows[y] || ''}` : `${x + 1},${y + 1}`;
  const who = cell.figures && cell.figures.length ? cell.figures.map((figure) => figure.name + gaugeText(figure)).join(', ') : '';
  const said = cell.note && cell.note.startsWith(place) ? cell.note : `${place}: ${who || cell.note || cell.tile || W.empty}`;
  if (!cell.recent && !(flags & (PICKED | TARGET | FIRST | PLANNED | HINTED))) return said;
  const more = [flags & PICKED && W.isPicked, flags & PLANNED && W.isPlanned, flags & HINTED && W.isHinted, flags & TARGET && W.canTarget, flags & FIRST && W.canPick, cell.recent && W.recent].filter(Boolean);
  return `${said} (${more.join(', ')})`;
}

class BoardView {
  constructor(box) {
    this.box = box;
    this.shape = '';
    this.ground = element('canvas', 'ground', { 'aria-hidden': 'true' });
    this.grid = element('div', 'cells', { role: 'grid', id: 'board' });
    this.figures = element('div', 'figures', { 'aria-hidden': 'true' });
    this.extras = element('div', 'extras', { 'aria-hidden': 'true' });
    this.board = element('div', 'board');
    this.board.append(this.ground, this.grid, this.figures, this.extras);
    box.append(this.board);
    this.listen();
    new ResizeObserver(() => this.fit()).observe(box);
  }

  /** One hand for all cells. */
  listen() {
    const at = (event, act) => {
      const cell = event.target.closest('.cell');
      if (!cell) return;
      const [x, y] = cell.dataset.cell.split(',').map(Number);
      const pick = cellPick(x, y);
      act(pick, pickKey(pick), cell, x, y);
    };
    const { grid } = this;
    grid.onkeydown = (event) => this.key(event);
    grid.onpointerdown = (event) => at(event, (pick, key, cell) => this.t.press(event, pick, key, cell));
    grid.onpointerover = (event) => at(event, (pick, key) => this.t.pointAt(pick, key));
    grid.onpointerleave = () => this.t.pointAt(null);
    grid.addEventListener('focusin', (event) => at(event, (pick, key, cell, x, y) => this.t.focusCell(x, y)));
    grid.oncontextmenu = (event) => this.t.mark(event);
    // Whoever does not point presses: a reader of the screen, for one.
    grid.onclick = (event) => { if (event.detail === 0) at(event, (pick) => this.t.pick(pick)); };
  }

  show(scene, t) {
    this.t = t;
    this.turned = Boolean(scene.turned) !== t.flipped;
    this.chequered = isChequered(scene);
    const shape = JSON.stringify([scene.width, scene.height, this.turned, this.chequered, scene.columns, scene.rows]);
    if (shape !== this.shape) this.build(scene, shape);
    if (t.title !== this.title) this.grid.setAttribute('aria-label', (this.title = t.title));
    this.scene = scene;
    this.update(scene, t);
    draw(this.extras, [t.arrows.length > 0 && arrowsView(t.arrows, scene, this.turned), t.ghost && ghostView(t.ghost, (x, y) => this.shown(x, y))]);
  }

  shown(x, y) {
    const { width, height } = this.scene;
    return this.turned ? [width - 1 - x, height - 1 - y] : [x, y];
  }

  /** All cells anew: another size, another way round, other names. */
  build(scene, shape) {
    const focused = document.activeElement && this.grid.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
    const { width, height, columns, rows } = scene;
    // Who stands on a board that is only turned goes along.
    const stays = this.scene && this.scene.width === width && this.scene.height === height;
    if (!stays) this.clear();
    Object.assign(this, { scene, shape, cells: [], left: [...this.pieces.values()] });
    const lines = [];
    for (let line = 0; line < height; line++) {
      const row = element('div', 'row', { role: 'row' });
      for (let column = 0; column < width; column++) {
        const [x, y] = this.shown(column, line);
        const el = element('div', '', { role: 'gridcell', 'data-cell': `${x},${y}` });
        if (line === height - 1 && columns.length) el.append(this.rim('column-name', columns[x]));
        if (column === 0 && rows.length) el.append(this.rim('row-name', rows[y]));
        this.cells[y * width + x] = { el, x, y, column, line, key: pickKey(cellPick(x, y)), cell: null, flags: -1, look: null, label: null, kinds: null, pieces: [] };
        row.append(el);
      }
      lines.push(row);
    }
    this.grid.replaceChildren(...lines);
    this.board.style.setProperty('--w', width);
    this.board.style.setProperty('--h', height);
    this.across = 0;
    this.fit();
    const again = focused && this.grid.querySelector(`[data-cell="${focused}"]`);
    if (again) again.focus();
  }

  clear() {
    Object.assign(this, { pieces: new Map(), count: 0 });
    this.figures.replaceChildren();
  }

  rim(kind, text) {
    const name = element('span', kind, { 'aria-hidden': 'true' });
    name.textContent = text;
    return name;
  }

  /** As large as there is room for. */
  fit() {
    const { clientWidth, clientHeight } = this.box;
    if (!this.scene || !clientWidth) return;
    const { width, height } = this.scene;
    const narrow = isNarrow();
    const fits = narrow ? clientWidth : Math.min(clientWidth, (clientHeight * width) / height);
    const roomy = this.box.classList.contains('many') || (narrow && !this.chequered);
    const across = Math.max(1, Math.floor(Math.max(fits, roomy ? width * ROOM : 0)));
    if (across === this.across && devicePixelRatio === this.density) return;
    Object.assign(this, { across, density: devicePixelRatio });
    const down = Math.round((across * height) / width);
    const { style } = this.board;
    style.width = `${across}px`;
    style.height = `${down}px`;
    style.setProperty('--unit', `${Math.min(across, down) / 100}px`);
    this.ground.width = Math.round(across * this.density);
    this.ground.height = Math.round(down * this.density);
    for (const place of this.cells) if (place.look) this.paint(place);
  }

  paint({ look, column, line }) {
    const { width, height } = this.scene;
    const edge = (at, of, whole) => Math.round((at * whole) / of);
    const [left, right] = [edge(column, width, this.ground.width), edge(column + 1, width, this.ground.width)];
    const [top, bottom] = [edge(line, height, this.ground.height), edge(line + 1, height, this.ground.height)];
    this.context ||= this.ground.getContext('2d', { alpha: false });
    if (right > left && bottom > top) drawGround(this.context, look, left, top, right - left, bottom - top);
  }

  /** The ground in other colours. */
  repaint() { for (const place of this.cells) if (place.look) this.paint(place); }

  update(scene, t) {
    const cursor = t.cursor ? t.cursor[1] * scene.width + t.cursor[0] : -1;
    const loose = this.left, changed = [];
    this.left = [];
    this.cells.forEach((place, i) => {
      const cell = scene.cells[i];
      const flags = this.flags(place, t) | (i === cursor ? HERE : 0);
      if (!cell || (place.cell === cell && place.flags === flags)) return;
      this.updateCell(place, cell, flags, scene);
      loose.push(...place.pieces);
      changed.push(place);
    });
    if (!changed.length) return;
    const taken = new Set();
    // Letters have no ids: what stood on one cell serves on another.
    this.letters = loose.filter((piece) => piece.letters);
    for (const place of changed) place.pieces = this.piecesOf(place, taken);
    for (const piece of loose) if (!taken.has(piece)) this.removePiece(piece);
  }

  flags({ key, x, y }, t) {
    const can = t.next.has(key) || t.ways.has(key);
    return (t.pickedKeys.has(key) ? PICKED : 0) | (can && !t.picks.length ? FIRST : 0) | (can && t.picks.length ? TARGET : 0) | (t.plannedKeys.has(key) ? PLANNED : 0) | (t.hintKeys.has(key) ? HINTED : 0) | (t.dragging === `${x},${y}` ? DRAGGED : 0);
  }

  updateCell(place, cell, flags, scene) {
    const { el, x, y } = place;
    const look = lookOf(cell, x, y, this.chequered);
    if (look !== place.look) {
      place.look = look;
      if (this.across) this.paint(place);
    }
    const taken = (cell.figures || []).length > 0;
    const kinds = classes('cell', `ground-${cell.ground}`, cell.recent && 'recent', taken && cell.figures.some((figure) => figure.active) && 'acts', flags & FIRST && 'first', flags & TARGET && (taken ? 'target taken' : 'target'), flags & PICKED && 'picked', flags & PLANNED && 'planned', flags & HINTED && 'hinted');
    if (kinds !== place.kinds) el.className = place.kinds = kinds;
    const label = cellName(scene, cell, x, y, flags);
    if (label !== place.label) el.setAttribute('aria-label', (place.label = label));
    const differs = place.flags === -1 ? PICKED | HERE : flags ^ place.flags;
    if (differs & PICKED) el.setAttribute('aria-selected', flags & PICKED ? 'true' : 'false');
    if (differs & HERE) el.tabIndex = flags & HERE ? 0 : -1;
    Object.assign(place, { cell, flags });
  }

  /** What stands on a cell. A figure with an id is the same element wherever it goes. */
  piecesOf(place, taken) {
    const { cell, x, y } = place;
    const figures = cell.figures || [];
    if (!figures.length && cell.text && !isGroundMark(cell)) return [this.textPiece(place, taken)];
    return figures.map((figure, index) => {
      let id = figure.id || `${x},${y}/${index}`;
      const known = this.pieces.get(id);
      // Somebody who stands on several cells has an element on each.
      if (known && taken.has(known)) id = `${id}@${x},${y}`;
      const top = index === figures.length - 1;
      const kinds = classes('piece', figure.down && 'down', figure.active && 'active', `ink-${cell.ink}`, owner(figure), !top && 'below', top && place.flags & DRAGGED && 'dragged');
      const piece = this.piece(id, place, kinds, taken);
      if (figure.id && !piece.marked) piece.marked = piece.el.dataset.id = figure.id;
      if (piece.figure !== figure || piece.ink !== cell.ink) this.picture(piece, figure, cell.ink);
      return piece;
    });
  }

  picture(piece, figure, ink) {
    const said = JSON.stringify([figure, ink]);
    if (said !== piece.said) draw(piece.el, figurePicture(figure, ink));
    Object.assign(piece, { figure, ink, said });
  }

  textPiece(place, taken) {
    const { cell } = place;
    const spare = this.letters.pop();
    const piece = this.piece(spare ? spare.id : `letters ${this.count++}`, place, classes('piece text-piece', `ink-${cell.ink}`), taken);
    piece.letters = true;
    if (piece.said !== cell.text) piece.el.textContent = piece.said = cell.text;
    return piece;
  }

  piece(id, { column, line }, kinds, taken) {
    let piece = this.pieces.get(id);
    if (!piece) {
      piece = { id, el: element('div'), kinds: null, at: null, said: null };
      this.pieces.set(id, piece);
      this.figures.append(piece.el);
    }
    taken.add(piece);
    const at = `${column * 100}% ${line * 100}%`;
    if (piece.kinds !== kinds) piece.el.className = piece.kinds = kinds;
    if (piece.at !== at) piece.el.style.translate = piece.at = at;
    return piece;
  }

  removePiece(piece) {
    this.pieces.delete(piece.id);
    piece.el.remove();
  }

  key(event) {
    const { t, scene } = this;
    const step = STEPS[event.key];
    const [x, y] = t.cursor || [0, 0];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (t.arrowWords && !event.shiftKey) return;
      const sense = this.turned ? -1 : 1;
      const inside = (at, size) => Math.min(size - 1, Math.max(0, at));
      t.focusCell(inside(x + step[0] * sense, scene.width), inside(y + step[1] * sense, scene.height), true);
    } else if (event.key === 'Enter' || event.key === ' ') t.pick(cellPick(x, y));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A piece where it would stand. */
function ghostView(ghost, shown) {
  const [column, line] = shown(...ghost.to);
  return h('div', { class: 'ghost piece', style: { translate: `${column * 100}% ${line * 100}%` } }, figurePicture(ghost.figure, ghost.ink));
}

/** Arrows and rings that the viewer draws for himself with the right button. */
function arrowsView(arrows, board, turned) {
  const middle = ([x, y]) => (turned ? [board.width - 0.5 - x, board.height - 0.5 - y] : [x + 0.5, y + 0.5]);
  return h('svg', { class: 'arrows', viewBox: `0 0 ${board.width} ${board.height}` }, arrows.map(({ from, to }) => {
    const [x1, y1] = middle(from), [x2, y2] = middle(to);
    const long = Math.hypot(x2 - x1, y2 - y1);
    if (!long) return h('circle', { key: `${from}`, cx: x1, cy: y1, r: 0.43 });
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
    const [ex, ey] = [x2 - dx * 0.32, y2 - dy * 0.32];
    return h('path', { key: `${from}-${to}`, d: `M${x1} ${y1}L${ex} ${ey}M${x2} ${y2}L${ex - dy * 0.2} ${ey + dx * 0.2}L${ex + dy * 0.2} ${ey - dx * 0.2}Z` });
  }));
}

/** Every board that is shown, in the colours of the moment. */
export function repaintBoards(root) {
  for (const box of root.querySelectorAll('.board-box')) if (box.turnstoneBoard) box.turnstoneBoard.repaint();
}
