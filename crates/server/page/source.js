// Where scenes come from: a match on a server, or a replay inside this page. Both answer the same questions, so
// the rest of the page knows no difference.

import { W } from './words.js';

/** Requests over HTTP; errors have a code and a text. */
export async function api(method, path, body, tokens) {
  const headers = {};
  const plain = typeof body === 'string' || body instanceof Blob;
  if (body !== undefined) headers['Content-Type'] = plain ? 'application/octet-stream' : 'application/json';
  if (tokens && tokens.length) headers.Authorization = `Bearer ${tokens.join(' ')}`;
  const answer = await fetch(path, { method, headers, body: body === undefined || plain ? body : JSON.stringify(body) });
  const text = await answer.text();
  let value = {};
  try { value = text ? JSON.parse(text) : {}; } catch { value = { code: 'UNREADABLE', text: text.slice(0, 200) }; }
  if (!answer.ok) throw Object.assign(new Error(value.text || answer.statusText), { code: value.code || String(answer.status), retry: value.retry_ms });
  return value;
}

/** The scene that a change leads to. What has not changed stays the very same object. */
export function follow(scene, delta) {
  const next = { ...scene };
  for (const name of ['title', 'board', 'options', 'question', 'counters', 'notation']) if (name in delta) next[name] = delta[name];
  if (delta.cells || 'focus' in delta || 'graph' in delta) {
    next.board = { ...scene.board };
    if ('focus' in delta) next.board.focus = delta.focus ?? undefined;
    if ('graph' in delta) next.board.graph = delta.graph ?? undefined;
    if (delta.cells) {
      next.board.cells = scene.board.cells.slice();
      for (const [number, cell] of delta.cells) next.board.cells[number] = cell;
    }
  }
  if (delta.panels) next.panels = delta.panels.map((panel) => (typeof panel === 'number' ? scene.panels[panel] : panel));
  return next;
}

const refusal = (code, text) => Object.assign(new Error(text), { code });
/** So often one message is sent. */
const MOST_SENT = 5;

/** So often it is asked whether anybody is there, and so long an answer may take, in milliseconds. */
const BEAT = 20000, ANSWER = 8000;
/** So long a line may take until one is welcome. */
const WELCOME = 15000;

/** A line may die without a word: then nothing comes, and nothing is heard of it. `ask` says whether it could ask. */
export class Pulse {
  constructor(ask, lost) {
    Object.assign(this, { ask, lost, waits: null });
    this.timer = setInterval(() => this.beat(), BEAT);
    this.seen = () => { if (!document.hidden) this.beat(); };
    document.addEventListener('visibilitychange', this.seen);
  }

  beat() {
    if (!this.waits && this.ask()) this.waits = setTimeout(() => { this.waits = null; this.lost(); }, ANSWER);
  }

  /** Whatever comes says that somebody is there. */
  heard() {
    clearTimeout(this.waits);
    this.waits = null;
  }

  stop() {
    this.heard();
    clearInterval(this.timer);
    document.removeEventListener('visibilitychange', this.seen);
  }
}

/** Asks whether anybody is there. */
export const ping = (socket) => socket.send(JSON.stringify({ t: 'ping', id: PING }));
const PING = 'ping';
/** Whether that was answered. */
export const isPong = (message) => message.id === PING;

/** A match on a server. `hear(message)` gets what the server tells; `ask` gives a promise of the answer. */
export class LiveSource {
  constructor(match, tokens, name, hear, connection) {
    Object.assign(this, { match, tokens, name, hear, connection, live: true });
    this.have = undefined;
    /** How long a message may be, until the server says. */
    this.frame = 8192;
    this.between = 130;
    this.waiting = new Map();
    this.count = 0;
    this.tries = 0;
    this.closed = false;
    this.session = Math.random().toString(36).slice(2, 10);
    this.pulse = new Pulse(() => { if (this.open) ping(this.socket); return this.open; }, () => this.letGo());
    this.connect();
    this.wake = () => { if (!this.open && !this.closed) { this.tries = 0; this.again(); } };
    addEventListener('online', this.wake);
    this.lost = () => { if (this.socket) this.socket.close(); };
    addEventListener('offline', this.lost);
  }

  connect() {
    clearTimeout(this.timer);
    const address = new URL('/ws', location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const old = this.socket;
    const socket = (this.socket = new WebSocket(address));
    if (old) old.close();
    this.timer = setTimeout(() => this.letGo(), WELCOME);
    socket.onopen = () => {
      if (socket !== this.socket) return;
      const hello = { t: 'hello', protocol: 1, match: this.match, tokens: this.tokens, brief: true };
      if (this.name) hello.name = this.name;
      if (this.have !== undefined) hello.have = this.have;
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.pulse.heard();
      const message = JSON.parse(event.data);
      if (!isPong(message)) this.message(message);
    };
    socket.onclose = (event) => { if (socket === this.socket) this.ended(event); };
  }

  message(message) {
    // Who is turned away is told why before the line is cut.
    if (message.t === 'error' && !this.open) this.refusal = message;
    if (message.t === 'welcome') {
      clearTimeout(this.timer);
      // One may be welcomed once more on the same line: then nothing was lost that would have to be said again.
      const first = !this.open;
      this.open = true;
      this.refusal = null;
      this.tries = 0;
      if (message.limits && message.limits.frame) this.frame = message.limits.frame;
      // A little more slowly than is heard: what one does meanwhile is heard, too.
      if (message.limits && message.limits.messages_per_second) this.between = 1300 / message.limits.messages_per_second;
      if (first) { this.connection('on'); this.resend(); }
    }
    if (message.now) {
      if (message.now.delta) message.now.scene = follow(this.scene, message.now.delta);
      if (message.t === 'welcome' || message.t === 'moved') this.scene = message.now.scene;
    }
    if (typeof message.rev === 'number' && (message.t === 'welcome' || message.t === 'moved')) this.have = message.rev;
    if (message.id !== undefined && this.waiting.has(message.id) && !(message.t === 'ok' && this.waiting.get(message.id).later)) {
      const asked = this.waiting.get(message.id);
      if (message.code === 'TOO_FAST' && this.sendLater(message.id, asked, message.retry_ms)) return;
      const { done, fail } = asked;
      this.waiting.delete(message.id);
      if (message.t === 'error') fail(Object.assign(new Error(message.text), { code: message.code, retry: message.retry_ms }));
      else done(message);
      return;
    }
    this.hear(message);
  }

  /** What has no answer yet is sent again; what the line was lost over time and again is given up. */
  resend() {
    for (const [id, asked] of this.waiting) {
      if (asked.sent++ < MOST_SENT) this.socket.send(asked.text);
      else { this.waiting.delete(id); asked.fail(refusal('NO_ANSWER', W.noAnswer)); }
    }
  }

  /** Whoever is quick is not made to do it again: what was not heard is said once more when it will be, one by one. */
  sendLater(id, asked, pause) {
    if (asked.sent++ >= MOST_SENT) return false;
    const now = performance.now();
    this.heardAt = Math.max(this.heardAt || 0, now) + Math.max(pause, this.between);
    setTimeout(() => { if (this.open && this.waiting.get(id) === asked) this.socket.send(asked.text); }, this.heardAt - now);
    return true;
  }

  /** Sits down anew with these tokens, as if nothing had been heard. */
  sit(tokens) {
    this.tokens = tokens;
    this.have = this.scene = undefined;
    this.open = false;
    for (const { fail } of this.waiting.values()) fail(refusal('MOVED', ''));
    this.waiting.clear();
    this.tries = 0;
    this.pulse.heard();
    this.connect();
  }

  ended(event) {
    const was = this.open;
    this.open = false;
    clearTimeout(this.timer);
    this.pulse.heard();
    if (this.closed) return;
    // What the server has cut the line over is not sent again: it would cut it again.
    if (event.code === 1009 || event.code === 1007) {
      for (const { fail } of this.waiting.values()) fail(refusal('TOO_LONG', W.tooLong));
      this.waiting.clear();
    }
    if (event.code === 1008 && event.reason === 'REMOVED') { this.connection('refused', { code: 'REMOVED', text: '' }); return; }
    // Who has lost a seat may have another.
    if (event.reason === 'NOT_SEATED') this.unseated = true;
    if (this.unseated && this.refusal && this.refusal.code === 'BAD_TOKEN') this.refusal = { code: 'NOT_SEATED', text: '' };
    if (event.code === 1008 && !was) { this.connection('refused', this.refusal || { text: event.reason }); return; }
    this.connection('off');
    this.again();
  }

  /** The line is dead: to be told that by the browser would take minutes. */
  letGo() {
    const dead = this.socket;
    this.socket = null;
    dead.close();
    this.ended({ code: 1006, reason: '' });
  }

  again() {
    clearTimeout(this.timer);
    const pause = this.tries === 0 ? 150 : Math.min(5000, 200 * 2 ** this.tries);
    this.tries++;
    this.timer = setTimeout(() => this.connect(), pause * (0.7 + Math.random() * 0.6));
  }

  /** Sends a request and waits for its answer. What was sent before a lost connection is sent again with its id. */
  ask(t, fields, later) {
    const id = `${this.session}-${++this.count}`;
    const text = JSON.stringify({ t, id, ...fields });
    if (new TextEncoder().encode(text).length > this.frame) return Promise.reject(refusal('TOO_LONG', W.tooLong));
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail, text, later, sent: this.open ? 1 : 0 });
      if (this.open) this.socket.send(text);
    });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.pulse.stop();
    removeEventListener('online', this.wake);
    removeEventListener('offline', this.lost);
    if (this.socket) this.socket.close();
  }
}

/** A number of a scene by its id: a counter, a heap, or a gauge or badge of a figure. */
function numberOf(scene, name) {
  const things = scene.panels.flatMap((panel) => panel.items.map((item) => item.thing || {}));
  const own = [...(scene.counters || []), ...things.map((thing) => thing.counter || thing.pile)].find((one) => one && one.id === name);
  if (own) return { name: own.name, now: own.now ?? own.count };
  const cells = scene.board ? scene.board.cells.flatMap((cell) => cell.figures || []) : [];
  for (const figure of [...cells, ...things.map((thing) => thing.figure)]) {
    if (!figure || !name.startsWith(`${figure.id}/`)) continue;
    const part = name.slice(figure.id.length + 1);
    const gauge = (figure.gauges || []).find((one) => one.name === part);
    if (gauge) return { name: `${figure.name} ${gauge.name}`, now: gauge.now };
    const badge = (figure.badges || []).find((one) => one.icon === part);
    if (badge) return { name: `${figure.name} ${badge.name}`, now: Number(badge.count) };
  }
  return null;
}

/** A replay inside the page: every moment as every viewer saw it, and every reason. */
export class ReplaySource {
  constructor(data) {
    Object.assign(this, { data, live: false, open: true });
  }

  welcome() {
    const { game, seats, nodes, here, outcome, about } = this.data;
    return { t: 'welcome', protocol: 1, match: 'replay', rev: here, you: { seats: [], host: false }, game, about, summary: { game, seats, state: 'over', outcome, practice: true, actor: null }, now: this.at(here, -1), timeline: { here, first: 0, nodes }, chat: [], offers: [], clock: null, replay: true };
  }

  at(moment, seat) {
    const { views, viewers } = this.data;
    const viewer = Math.max(0, viewers.indexOf(seat ?? -1));
    if (!views[moment]) throw refusal('NO_SUCH_MOMENT', W.noMoment);
    const shown = views[moment][viewer];
    // The same as the first viewer saw is stored once.
    const now = shown === null ? views[moment][0] : shown;
    return { ...now, moment, inputs: [], seat: seat === -1 ? null : seat };
  }

  lines(moment, seat) {
    const { reasons, viewers } = this.data;
    const viewer = Math.max(0, viewers.indexOf(seat ?? -1));
    const all = reasons[moment][viewer] === null ? reasons[moment][0] : reasons[moment][viewer];
    return all.map((line, n) => ({ ...line, n }));
  }

  /** The moments that lead to one, without the start. */
  line(tip) {
    const line = [];
    for (let at = tip; at > 0; at = this.data.nodes[at].parent) line.push(at);
    return line.reverse();
  }

  /** How a number came about, from what is shown at every moment before. */
  story(name, moment, seat) {
    const now = numberOf(this.at(moment, seat).scene, name);
    if (!now) throw Object.assign(new Error(W.noNumber), { code: 'NO_SUCH_NUMBER' });
    const changes = [];
    let value = now.now;
    for (let at = moment; at > 0; at = this.data.nodes[at].parent) {
      const found = numberOf(this.at(this.data.nodes[at].parent, seat).scene, name);
      const then = found ? found.now : null;
      if (then !== value) changes.push({ moment: at, from: then, to: value, lines: this.lines(at, seat).filter((line) => !line.quiet) });
      value = then;
    }
    return { t: 'number', name: now.name, now: now.now, changes, before: value, more: false };
  }

  async ask(t, fields) {
    const moment = fields.moment;
    if (t === 'look') return { t: 'looked', moment, now: this.at(moment, fields.seat), told: this.lines(moment, fields.seat).filter((line) => !line.quiet) };
    if (t === 'why') return { t, moment, lines: this.lines(moment, fields.seat) };
    if (t === 'number') return this.story(fields.name, moment, fields.seat);
    if (t === 'log') return { t, entries: this.line(fields.tip).filter((m) => m >= fields.from).map((m) => ({ moment: m, by: this.data.nodes[m].by, told: this.lines(m, fields.seat).filter((line) => !line.quiet) })) };
    if (t === 'branches') return { t, branches: this.data.branches };
    if (t === 'timeline') return { t, nodes: this.data.nodes };
    throw Object.assign(new Error(W.onlyLooked), { code: 'REPLAY' });
  }

  close() {}
}

/** The replay that this page carries, if it does: deflated JSON in base64. */
export async function embeddedReplay() {
  const held = document.getElementById('replay-data');
  if (!held) return null;
  const bytes = Uint8Array.from(atob(held.textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/** Sits down in a match, in a seat that is free or by an invitation, and keeps the token. */
export async function takeSeat(match, wanted, game) {
  const got = await api('POST', `/api/matches/${match}/join`, wanted);
  remember((all) => { const old = all.matches[match] || { tokens: [] }; all.matches[match] = { ...old, tokens: [...old.tokens, got.token], game: game || old.game, at: Date.now() }; });
  return got;
}

/**
 * A match goes on in the next one: the same tokens are good there, and seats are turned by one. Whoever has taken it up
 * once and forgotten it since is not led back; whoever sits there with `sitting` goes along in any case.
 */
export function takeAlong(match, next, seats, game, sitting = []) {
  const kept = remembered().matches[match] || { tokens: sitting };
  if (!kept.tokens.length || kept.next === next) return;
  const turned = kept.seats && Object.fromEntries(Object.entries(kept.seats).map(([seat, token]) => [(Number(seat) + 1) % seats, token]));
  remember((all) => {
    if (all.matches[match]) all.matches[match].next = next;
    all.matches[next] ||= { tokens: kept.tokens, seats: turned, game, at: Date.now() };
  });
}

// What this browser remembers: the tokens of its seats, its name and its wishes.
const KEY = 'turnstone';

export function remembered() {
  try { return { matches: {}, ...JSON.parse(localStorage.getItem(KEY) || '{}') }; } catch { return { matches: {} }; }
}

export function remember(change) {
  const all = remembered();
  change(all);
  try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { /* a full or forbidden store forgets */ }
  return all;
}
