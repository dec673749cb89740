// One match on the page: what is shown, what is pointed at, what is asked and answered.

import { h, draw, classes, forgetMade } from './dom.js';
import { W } from './words.js';
import { bird, ui } from './art.js';
import { api, remember, remembered, takeSeat } from './source.js';
import { cellPick, distinct, fitting, itemPick, nextPicks, pickKey, point, wordOptions, wordPick } from './picks.js';
import { forgetColours } from './ground.js';
import { NARROW, repaintBoards } from './board.js';
import { asideBoard, countersView, listsOnStage, mainBoard, numberNames, places, stageView } from './stage.js';
import { leftRail, rightRail, seatName } from './rail.js';
import { timelineView } from './timeline.js';
import { isRush, playMotion, snapshot } from './motion.js';
import { play, setSound, wakeSound } from './sound.js';
import { askToTell, mayAskToTell, nameWindow, tell } from './turns.js';

/** So many moments are in the log at once. */
const LOG = 150;
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const RESERVED = new Set(['w', 'y', 'h', 'u', 'f', 'm', 'l', 'b', '/', '?', '[', ']']);

/** A number and every change of it, as lines of reasons. */
function storyLines({ name, now, changes, before, more }) {
  const told = changes.flatMap((change) => {
    const least = Math.min(...change.lines.map((line) => line.depth));
    return [{ depth: 1, kind: 'reason', text: W.numberChanged(change.from, change.to, change.moment) }, ...change.lines.map((line) => ({ ...line, n: undefined, depth: line.depth - least + 2 }))];
  });
  return [{ depth: 0, kind: 'fact', text: `${name}: ${now}` }, ...told, { depth: 1, kind: 'reason', text: W.numberFirst(before, more) }];
}

export class Table {
  constructor(root, leave) {
    forgetMade();
    Object.assign(this, { root, leave, info: null, live: null, rev: 0, nodes: new Map(), here: 0, told: new Map(), look: null, trial: null, picks: [], among: null, armed: null, cursor: null, pointed: null, plan: null, hintAt: null, tab: 'log', why: null, branches: null, chat: [], offers: [], steps: null, stepAt: 0, review: null, asSeat: -1, status: 'connecting', toast: null, overlay: null, flipped: false, typing: false, listing: false, unread: 0, clock: null, clockAt: 0, seen: 0, arrows: [], drag: null, foretold: null, wordKeys: new Map(), playing: null, places: null, curtain: null, epoch: 0 });
    this.sound = remembered().sound !== false;
    setSound(this.sound);
    // What is dragged here is ours to drag, never a picture or a text that was marked.
    root.ondragstart = (event) => event.preventDefault();
    this.keydown = (event) => this.key(event);
    addEventListener('keydown', this.keydown);
    this.ticking = setInterval(() => this.tick(), 500);
    this.resized = () => { this.stripWidth = undefined; this.actionsHigh = 0; this.draw(); };
    addEventListener('resize', this.resized);
    this.wishes = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map((wish) => matchMedia(wish));
    for (const wish of this.wishes) wish.onchange = () => this.recolour();
  }

  /** Another theme, or another wish of the system: what is painted is painted anew. */
  recolour() { forgetColours(); repaintBoards(this.root); }

  close() {
    for (const wish of this.wishes) wish.onchange = null;
    removeEventListener('keydown', this.keydown);
    removeEventListener('resize', this.resized);
    clearInterval(this.ticking);
    clearInterval(this.playing);
    if (this.source) this.source.close();
  }

  /** Clocks go on; the last seconds of one's own are heard. */
  tick() {
    const { clock } = this;
    if (!clock || clock.runs === null || clock.runs === undefined || clock.paused || !this.live || this.live.outcome) return;
    const left = clock.left ? clock.left[clock.runs] - (performance.now() - this.clockAt) : Infinity;
    if (left < 10000 && left > 0 && this.info.you.seats.includes(clock.runs)) play('low');
    this.draw();
  }

  // ---- what the server tells

  connection(status, reason) {
    const was = this.status;
    this.status = status;
    if (status === 'on' && was === 'off') this.say_('note', W.online);
    if (status === 'refused') { this.refused = reason; if (reason.code === 'NO_WATCHING') this.findSeats(); }
    this.draw();
  }

  hear(message) {
    const hearer = this[`hear_${message.t}`];
    if (hearer) hearer.call(this, message);
    this.draw();
  }

  hear_welcome(message) {
    if (this.shares(message)) return;
    this.epoch++;
    const first = !this.info;
    this.info = { ...this.info, ...message };
    this.chat = message.chat || this.chat;
    this.offers = message.offers || [];
    this.setClock(message.clock);
    this.rev = message.rev;
    if (message.timeline) {
      if (message.timeline.first === 0) this.nodes = new Map();
      for (const node of message.timeline.nodes) this.nodes.set(node.moment, node);
      if (!this.nodes.has(0)) this.nodes.set(0, { moment: 0, parent: null, by: null, text: W.startMoment });
      this.here = message.timeline.here;
    }
    if (message.now) this.setNow(message.now);
    this.seen = this.nodes.size;
    if (this.live) this.titleMark();
    else nameWindow(`${message.game} · ${W.name}`);
    if (first || message.now) this.loadLog();
    if (this.wanted) { const { moment, seat } = this.wanted; this.wanted = null; if (seat !== undefined && this.live && this.canSwitchViewer()) this.asSeat = seat; this.lookAt(moment); }
  }

  /**
   * Several people at one screen, and something is hidden: one seat is shown at a time, and a curtain hangs until
   * whoever it is says that he is there. Gives whether another seat is sat down in first.
   */
  shares(message) {
    const mine = message.you.seats;
    if (!this.places || !message.summary.secret || message.summary.outcome || mine.length < 2) return false;
    const actor = message.summary.actor;
    this.info = this.info || { ...message, now: undefined };
    this.faceSeat(mine.includes(actor) ? actor : mine[0]);
    return true;
  }

  faceSeat(seat) {
    Object.assign(this, { curtain: seat, overlay: null, look: null, lookWanted: null, trial: null, nodes: new Map(), told: new Map(), picks: [], plan: null, why: null, branches: null, steps: null, stepsOf: null, review: null, tab: 'log' });
    this.source.sit([this.places[seat], this.places.host].filter(Boolean));
    // What one has heard is not left lying about for the next.
    for (const id of ['polite', 'urgent']) document.getElementById(id).textContent = '';
    this.polite = null;
    nameWindow(W.name);
    this.urgent = W.handOver(this.placeName(seat));
    this.draw();
  }

  placeName(seat) { const found = this.info && (this.info.summary.seats || [])[seat]; return found ? found.role : String(seat + 1); }

  /** The turn has gone to somebody else at this screen. */
  handsOver() {
    const { actor, outcome } = this.live;
    const mine = this.info.you.seats;
    if (!this.places || !this.info.summary.secret || outcome || mine.length !== 1 || actor === null || actor === undefined) return;
    if (!mine.includes(actor) && this.places[actor]) this.faceSeat(actor);
  }

  async loadLog() {
    const missing = this.logWindow().shown.filter((moment) => !this.told.has(moment));
    const tip = missing.at(-1), seat = this.canSwitchViewer() ? this.asSeat : undefined;
    const asked = `${missing[0]} ${tip} ${seat} ${this.epoch}`;
    if (!missing.length || this.logAsked === asked) return;
    this.logAsked = asked;
    try {
      const answer = await this.source.ask('log', { from: missing[0], to: tip, tip, seat });
      // Others see it otherwise.
      if (seat !== undefined && seat !== this.asSeat) return;
      for (const entry of answer.entries) this.told.set(entry.moment, entry.told);
    } catch { /* the log stays short */ }
    this.draw();
  }

  /** The line that the log tells of, the one looked at, and the part of it that is shown: what is looked at is in it. */
  logWindow() {
    const line = this.lineOf(this.look ? this.tipOf(this.look.moment) : this.here).filter((moment) => moment > 0);
    const at = this.look ? Math.max(0, line.indexOf(this.look.moment)) : line.length - 1;
    const end = Math.min(line.length, Math.max(LOG, at + LOG / 2));
    const start = Math.max(0, Math.min(end - LOG, at - LOG / 2) - (this.logMore || 0));
    return { line, shown: line.slice(start, end), start, end };
  }
  earlier() { this.logMore = (this.logMore || 0) + LOG; this.loadLog(); this.draw(); }

  hear_moved(message) {
    this.rev = message.rev;
    if (message.node) {
      this.nodes.set(message.node.moment, message.node);
      this.here = message.node.moment;
      if (message.told && message.told.length) this.told.set(message.node.moment, message.told);
    }
    if (message.clock !== undefined) this.setClock(message.clock);
    const before = this.live;
    if (message.now) this.setNow(message.now);
    if (!this.look && !this.trial) this.seen = this.nodes.size;
    this.branches = null;
    if (this.tab === 'branches') this.loadBranches();
    if (message.now) this.announce(message, before);
    this.premove();
    this.handsOver();
  }

  setNow(now) {
    const old = this.live;
    this.live = now;
    if (!this.look && !this.trial) this.changed(old, now);
    if (this.info) this.info.summary.actor = now.actor;
    if (now.outcome && this.info) Object.assign(this.info.summary, { outcome: now.outcome, state: 'over' });
  }

  /** What is shown changes: let go of everything, and let it be seen. */
  changed(old, now) {
    this.keepRoom();
    this.picks = [];
    this.among = this.armed = this.hintAt = this.foretold = null;
    clearTimeout(this.foretell);
    // Options have other numbers now.
    if (this.pointed && this.pointed.option !== undefined) this.pointed = null;
    if (this.pointed && this.info) this.foretellSoon();
    if (this.tab === 'steps' && this.stepsOf !== this.shownMoment() && this.mayStep()) this.loadSteps();
    this.listing = false;
    this.arrows = [];
    this.motion = { before: old && old.scene, after: now.scene };
    this.rush = isRush(old && old.scene, now.scene);
    const board = mainBoard(now.scene);
    if (board && (!this.cursor || board.focus || this.cursor[0] >= board.width || this.cursor[1] >= board.height)) this.cursor = board.focus || this.firstCell(now.scene) || [0, 0];
  }

  /** Where there were buttons there stays room for them: without it the board would come and go with one's turn. */
  keepRoom() {
    const open = isNarrow() ? null : this.root.querySelector('.actions.open');
    if (open) this.actionsHigh = open.offsetHeight;
  }

  firstCell(scene) {
    for (const option of scene.options) if (option.picks[0] && option.picks[0].cell) return option.picks[0].cell;
    return null;
  }

  announce(message, before) {
    const lines = (message.told || []).filter((line) => line.kind === 'fact').slice(0, 5).map((line) => line.text);
    this.polite = [message.node && message.node.text, ...lines].filter(Boolean).join('. ');
    const mine = this.myTurn();
    const was = before && before.scene.options.length > 0;
    if (message.now.outcome) { this.urgent = this.ending(); play('end'); } else if (mine && !was) {
      this.urgent = W.yourTurn;
      play('turn');
      this.notify();
    } else play('move');
    this.titleMark();
  }

  titleMark() {
    const mark = this.live.outcome ? '' : this.myTurn() ? '● ' : '';
    const title = `${mark}${this.live.scene.title || this.info.game} · ${W.name}`;
    // After what is seen: the window's name can wait.
    setTimeout(() => nameWindow(title));
  }

  notify() { tell(this.info.match, `${this.info.game} · ${this.live.scene.title}`); }

  /** How many other games wait for one. */
  elsewhere(waiting) { if (this.waiting !== waiting) { this.waiting = waiting; this.draw(); } }

  /** Who plays with others may want to be told when it is his turn. */
  mayAskToTell() { return this.source.live && this.isPlayer() && !this.live.outcome && mayAskToTell() && (this.info.summary.seats || []).some((seat, i) => seat.who !== 'bot' && !this.info.you.seats.includes(i)); }
  askToTell() { askToTell().then(() => this.draw()); }

  hear_said(message) { this.chat = [...this.chat.filter((said) => said.n !== message.n), message]; if (this.tab !== 'chat') this.unread++; this.polite = `${message.name}: ${message.text}`; }
  hear_offer(message) { this.offers = [...this.offers.filter((offer) => offer.offer !== message.offer), message]; this.polite = this.offerText(message); }
  hear_settled(message) {
    const offer = this.offers.find((one) => one.offer === message.offer);
    this.offers = this.offers.filter((one) => one !== offer);
    // Who has withdrawn it knows.
    if (offer && !message.accepted && !offer.withdrawn && this.info.you.seats.includes(offer.by)) this.say_('note', W.refused(W.offerNames[offer.what] || offer.what));
  }
  withdraw(offer) { offer.withdrawn = true; this.request('withdraw', { offer: offer.offer }); }
  hear_clock(message) { this.setClock(message); }
  hear_seats(message) {
    // An invitation that was taken opens nothing any more.
    const { invitations = {} } = remembered().matches[this.info.match] || {};
    message.seats.forEach((seat, i) => { if (invitations[i] && seat.who !== 'invited') this.keepInvitation(i, null); });
    this.info.summary.seats = message.seats; this.info.summary.spectators = message.spectators; this.info.hushed = message.hushed;
  }
  hear_away(message) { this.say_('note', W.away(seatName(this, message.seat), message.left === null ? null : Math.ceil(message.left / 1000))); }
  hear_note(message) { this.say_('note', message.text); }
  hear_bye(message) { this.say_('error', message.text, message.code); }
  hear_over(message) { Object.assign(this.info.summary, { state: 'over', outcome: message.outcome, how: message.how }); if (message.reveal) this.info.reveal = message.reveal; if (this.live) this.live.outcome = message.outcome; }
  hear_rematch(message) {
    // The same tokens are good there; seats are turned by one.
    const kept = remembered().matches[this.info.match] || { tokens: this.source.tokens };
    const count = (this.info.summary.seats || []).length;
    const seats = kept.seats && Object.fromEntries(Object.entries(kept.seats).map(([seat, token]) => [(Number(seat) + 1) % count, token]));
    if (kept.tokens.length) remember((all) => { all.matches[message.match] = { tokens: kept.tokens, seats, game: this.info.game, at: Date.now() }; });
    this.leave(`/m/${message.match}`);
  }
  hear_reviewed(message) { this.review = message; this.tab = 'review'; }
  hear_error(message) { this.say_('error', message.text, message.code); }

  setClock(clock) { this.clock = clock || null; this.clockAt = performance.now(); }

  say_(kind, text, code) {
    this.toast = { kind, text, code };
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => { this.toast = null; this.draw(); }, kind === 'error' ? 6000 : 4000);
    if (kind === 'error') { this.urgent = text; play('no'); }
    this.draw();
  }

  /** What was asked from another seat of this screen is not answered any more, and not missed. */
  fail(error) { if (error.code !== 'MOVED') this.say_('error', error.message, error.code); }

  /** Whoever goes on has read what went wrong. */
  hush() { if (this.toast && this.toast.kind === 'error') { clearTimeout(this.toastTimer); this.toast = null; } }

  // ---- what is shown

  shown() { return this.trial ? this.trial.now : this.look ? this.look.now : this.live; }
  shownMoment() { return this.trial ? this.trial.from : this.look ? this.look.moment : this.here; }
  options() {
    if (!this.trial && (this.look || this.live.outcome)) return [];
    const now = this.shown();
    return now && now.scene ? now.scene.options : [];
  }
  myTurn() { return Boolean(this.live && this.live.scene.options.length && !this.live.outcome && this.isPlayer()); }
  mayGo() { return this.source.live && this.info.summary.practice && (this.info.you.seats || []).length > 0; }
  mayStep() { return this.source.live && (this.info.summary.practice || this.live.outcome); }
  isPlayer() { return (this.info.you.seats || []).length > 0; }
  canSwitchViewer() { return (this.info.summary.seats || []).length > 0 && (!this.source.live ? this.source.data.viewers.length > 1 : this.live.outcome); }

  lineOf(tip) {
    const line = [];
    for (let at = tip; at !== null && at !== undefined; ) {
      line.push(at);
      if (at === 0) break;
      const node = this.nodes.get(at);
      at = node ? node.parent : null;
    }
    return line.reverse();
  }

  async lookAt(moment, quick) {
    this.hush();
    const old = this.shown();
    const tried = Boolean(this.trial);
    this.trial = null;
    this.picks = [];
    this.among = null;
    // Whoever wants to be live sees it as he does when he plays.
    if ((moment === null || moment === undefined) && this.asSeat !== -1) { this.asSeat = -1; this.told = new Map(); this.loadLog(); }
    if (moment === null || moment === undefined || (moment === this.here && this.asSeat === -1 && this.source.live)) {
      this.lookWanted = null;
      if (this.look || tried) { this.look = null; this.changed(old, this.live); }
      this.seen = this.nodes.size;
      this.address();
      this.draw();
      return;
    }
    const wanted = (this.lookWanted = { moment, seat: this.asSeat });
    if (this.look && this.look.moment === moment && this.look.seat === this.asSeat) { if (tried) { this.changed(old, this.look.now); this.draw(); } return; }
    if (quick && this.lookBusy) return;
    this.lookBusy = true;
    try {
      const fields = { moment };
      if (this.canSwitchViewer()) fields.seat = this.asSeat;
      const answer = await this.source.ask('look', fields);
      // Who has gone back to live meanwhile stays there.
      if (this.lookWanted && (this.lookWanted === wanted || quick)) {
        const before = this.shown();
        this.look = { moment, seat: wanted.seat, now: answer.now };
        if (answer.told) this.told.set(moment, answer.told);
        this.changed(before, answer.now);
        this.address();
        this.loadLog();
      }
    } catch (error) {
      if (this.lookWanted === wanted) this.lookWanted = null;
      this.fail(error);
      this.address();
    }
    this.lookBusy = false;
    this.draw();
    if (this.lookWanted && this.lookWanted !== wanted) this.lookAt(this.lookWanted.moment, true);
  }

  /** The address names what is looked at. */
  address() {
    if (!this.source.live) return;
    const at = this.look ? `/at/${this.look.moment}${this.asSeat >= 0 ? `?as=${this.asSeat}` : ''}` : '';
    const path = `/m/${this.info.match}${at}`;
    if (location.pathname + location.search !== path) history.replaceState(null, '', path);
  }

  step(by) {
    const line = this.lineOf(this.look ? this.tipOf(this.look.moment) : this.here);
    const at = line.indexOf(this.shownMoment());
    const to = line[Math.max(0, Math.min(line.length - 1, at + by))];
    this.lookAt(to);
  }

  /** The end of the line that a moment lies on; the live one if it lies on that. */
  tipOf(moment) {
    if (this.lineOf(this.here).includes(moment)) return this.here;
    let tip = moment;
    for (;;) {
      const next = [...this.nodes.values()].filter((node) => node.parent === tip && node.moment !== 0).at(-1);
      if (!next) return tip;
      tip = next.moment;
    }
  }

  seeAs(seat) { this.asSeat = seat; this.told = new Map(); this.loadLog(); const at = this.shownMoment(); this.look = null; this.lookAt(at); }

  autoplay() {
    if (this.playing) { clearInterval(this.playing); this.playing = null; this.draw(); return; }
    const line = this.lineOf(this.here);
    if (this.shownMoment() === line.at(-1)) this.lookAt(line[0]);
    this.playing = setInterval(() => {
      const now = this.shownMoment();
      if (now === line.at(-1)) { clearInterval(this.playing); this.playing = null; this.draw(); return; }
      this.lookAt(line[line.indexOf(now) + 1]);
    }, 900);
    this.draw();
  }

  // ---- choosing

  pick(wanted) {
    wakeSound();
    const options = this.options();
    const pick = this.ways().get(pickKey(wanted)) || wanted;
    this.armed = null;
    if (!options.length) { this.planPick(pick); return; }
    const result = point(options, this.picks, pick);
    this.picks = result.picks;
    this.among = result.among || null;
    if (pick.cell) this.cursor = pick.cell;
    if (result.choose !== undefined) { this.choose(result.choose); return; }
    if (result.miss) {
      const item = pick.item && this.itemOf(pick);
      const why = item && item.thing && item.thing.card && item.thing.card.why_not;
      if (why) this.say_('note', why);
    }
    this.draw();
  }

  /** Cells beside whoever acts, where a word says the way there: pointing at one says the word. */
  ways() {
    const ways = new Map();
    const next = nextPicks(this.options(), this.picks);
    const board = this.shown() && mainBoard(this.shown().scene);
    if (!board || this.picks.length || !Object.keys(WAYS).some((word) => next.has(pickKey(wordPick(word))))) return ways;
    const from = this.actingCell(board);
    for (const [word, [dx, dy]] of Object.entries(from ? WAYS : {})) {
      const [x, y] = [from[0] + dx, from[1] + dy];
      const cell = x >= 0 && y >= 0 && x < board.width ? board.cells[y * board.width + x] : null;
      const key = pickKey(cellPick(x, y));
      if (cell && cell.ground !== 'wall' && !next.has(key) && next.has(pickKey(wordPick(word)))) ways.set(key, wordPick(word));
    }
    return ways;
  }

  actingCell(board) {
    const at = board.cells.findIndex((cell) => (cell.figures || []).some((figure) => figure.active));
    return at < 0 ? null : [at % board.width, Math.floor(at / board.width)];
  }

  /** Whoever acts can be taken to where he shall go. */
  carries(pick) {
    const board = mainBoard(this.shown().scene);
    return Boolean(board && pick.cell && !this.picks.length && this.options().length && `${this.actingCell(board)}` === `${pick.cell}`);
  }

  /** The way that leads nearest to a cell. */
  wayTowards([x, y]) {
    const from = this.actingCell(mainBoard(this.shown().scene));
    const [dx, dy] = [x - from[0], y - from[1]];
    return wordPick(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'right' : 'left') : dy > 0 ? 'down' : 'up');
  }

  itemOf(pick) {
    const panel = this.shown().scene.panels.find((one) => one.id === pick.item[0]);
    return panel && panel.items[pick.item[1]];
  }

  /** Chooses an option; a grave one only when asked twice. */
  choose(number) {
    const option = this.options()[number];
    if (!option) return;
    if (option.grave && this.armed !== number) { this.armed = number; this.draw(); return; }
    this.armed = null;
    this.send({ choose: number }, option);
  }

  async send(what, option) {
    this.hush();
    this.picks = [];
    this.among = null;
    if (this.trial) { this.tryOn([...this.trial.inputs, what]); return; }
    if (this.sending) return;
    this.sending = true;
    if (option) this.hintAt = null;
    this.draw();
    try { await this.source.ask('act', { rev: this.rev, ...what }); } catch (error) { this.fail(error); }
    this.sending = false;
    this.draw();
  }

  // ---- premoves

  planPick(pick) {
    if (this.look || this.trial || !this.isPlayer() || !this.live || this.live.outcome) return;
    const plan = this.plan && !this.plan.done ? [...this.plan.picks, pick] : [pick];
    if (plan.length > 1 && pickKey(plan[0]) === pickKey(plan[1])) this.plan = { picks: [plan[0]], done: true };
    else this.plan = { picks: plan, done: plan.length > 1 };
    if (this.plan.done) this.polite = W.premoveSet;
    this.draw();
  }

  premove() {
    if (!this.plan || !this.myTurn()) return;
    const { picks, text, done } = this.plan;
    const options = this.live.scene.options;
    this.plan = null;
    // Something was only touched: it is picked now, if it can be.
    if (!done) { if (!this.look && !this.trial && nextPicks(options, []).has(pickKey(picks[0]))) this.pick(picks[0]); return; }
    if (text) { this.send({ text }); return; }
    const exact = options.findIndex((option) => option.picks.length === picks.length && option.picks.every((pick, i) => pickKey(pick) === pickKey(picks[i])));
    if (exact >= 0 && !options[exact].grave) this.send({ choose: exact }, options[exact]);
    else this.say_('note', W.premoveGone);
  }

  // ---- what if

  async tryOn(inputs, from, world) {
    const start = from ?? (this.trial ? this.trial.from : this.shownMoment());
    const lot = world ?? (this.trial ? this.trial.world : 1);
    try {
      const answer = await this.source.ask('try', { from: start, inputs, world: lot });
      const error = answer.steps.find((step) => step.error);
      if (error) { this.say_('error', error.error.text, error.error.code); return; }
      const old = this.shown();
      this.trial = { from: start, inputs, world: lot, now: answer.now, steps: answer.steps };
      this.changed(old, answer.now);
      const told = answer.steps.at(-1);
      if (told && told.told) { this.polite = told.told.filter((line) => line.kind === 'fact').map((line) => line.text).join('. '); this.why = { title: W.whatIf, lines: told.told }; }
      play('move');
    } catch (error) { this.fail(error); }
    this.draw();
  }

  stopTrying() { const old = this.trial && this.trial.now; this.trial = null; if (!this.look) this.seen = this.nodes.size; if (old) this.changed(old, this.shown()); this.draw(); }

  async go(moment) {
    try { await this.source.ask('go', { moment }); this.look = this.lookWanted = this.trial = null; this.draw(); } catch (error) { this.fail(error); }
  }

  async undo() {
    // In a what-if the last try is taken back; what is live is not touched from elsewhere.
    if (this.trial) { if (this.trial.inputs.length) this.tryOn(this.trial.inputs.slice(0, -1)); else this.stopTrying(); return; }
    if (this.look) { this.say_('note', W.undoLive); return; }
    const line = this.lineOf(this.here);
    if (line.length < 2) return;
    const mine = this.info.you.seats || [];
    // Back to before my own last move.
    let at = line.length - 1;
    while (at > 1 && !mine.includes((this.nodes.get(line[at]) || {}).by)) at--;
    const moment = line[at - 1];
    try {
      if (this.info.summary.practice) await this.source.ask('go', { moment });
      else { await this.source.ask('offer', { what: 'takeback', moment }); this.say_('note', `${W.undo} …`); }
    } catch (error) { this.fail(error); }
  }

  // ---- asking

  async openWhy(moment, focus) {
    this.show('why');
    try {
      const fields = { moment };
      if (this.canSwitchViewer()) fields.seat = this.asSeat;
      const answer = await this.source.ask('why', fields);
      this.why = { moment, focus, lines: answer.lines };
    } catch (error) { this.fail(error); }
    this.draw();
  }

  /** The reasons of what was tried: of the input of that number. */
  async openTried(number, focus) {
    const { from, inputs, world } = this.trial;
    this.show('why');
    try {
      const answer = await this.source.ask('why', { moment: from, inputs: inputs.slice(0, number + 1), world });
      this.why = { title: W.whatIf, focus, lines: answer.lines };
    } catch (error) { this.fail(error); }
    this.draw();
  }

  /** Opens what was asked for beside the stage; on a telephone one is led there. */
  show(tab) {
    this.tab = tab;
    this.scrollTo('.right-rail');
  }
  scrollTo(selector) { if (isNarrow()) requestAnimationFrame(() => { const el = this.root.querySelector(selector); if (el) el.scrollIntoView({ block: 'start' }); }); }

  openTab(tab, focus) {
    this.tab = tab;
    if (tab === 'chat') this.unread = 0;
    if (tab === 'branches') this.loadBranches();
    if (tab === 'why' && !this.why && this.shownMoment() > 0) this.openWhy(this.shownMoment());
    if (tab === 'steps') this.loadSteps();
    this.draw();
    if (focus) requestAnimationFrame(() => { const el = document.getElementById(`tab-${tab}`); if (el) el.focus(); });
  }

  async loadBranches() { try { this.branches = (await this.source.ask('branches', {})).branches; } catch (error) { this.fail(error); } this.draw(); }
  async loadSteps() {
    const moment = this.shownMoment();
    if (this.stepsOf === moment) return this.stepsComing;
    this.stepsOf = moment;
    this.steps = null;
    this.stepsComing = moment === 0 ? null : this.askSteps(moment);
    return this.stepsComing;
  }
  async askSteps(moment) {
    try {
      const { steps } = await this.source.ask('steps', { moment });
      if (this.stepsOf === moment) Object.assign(this, { steps, stepAt: 0, stepped: false });
    } catch (error) { if (this.stepsOf === moment) this.stepsOf = null; this.fail(error); }
    this.draw();
  }
  showStep(at) { this.stepped = true; if (this.steps) this.stepAt = Math.max(0, Math.min(this.steps.length - 1, at)); this.draw(); }
  /** Goes on to the next step that has a word in it, or that changes a field (`.hp`), in this input or a later one. */
  async nextStop(text) {
    const wanted = text.trim().toLowerCase();
    const changes = ({ fields }) => (fields || []).some(({ field }) => field.toLowerCase().includes(wanted.slice(1)));
    const meets = wanted.startsWith('.') ? changes : (step) => JSON.stringify(step).toLowerCase().includes(wanted);
    const line = this.lineOf(this.here);
    let after = this.stepped ? this.stepAt : -1;
    for (let place = line.indexOf(this.shownMoment()); place >= 0 && this.steps; ) {
      const at = this.steps.findIndex((step, i) => i > after && meets(step));
      if (at >= 0) { this.showStep(at); return; }
      if (++place >= line.length) break;
      await this.lookAt(line[place]);
      await this.loadSteps();
      after = -1;
    }
    this.say_('note', W.noStop);
  }
  async hint() {
    if (this.look && !this.trial) { this.say_('note', W.hintLive); return; }
    const shown = this.shown();
    const { from, inputs, world } = this.trial || {};
    try {
      const answer = await this.source.ask('hint', { from, inputs, world });
      // It is about what was shown then.
      if (this.shown() !== shown) return;
      this.hintAt = answer.option;
      this.say_('note', W.hintIs(answer.label));
    } catch (error) { this.fail(error); }
    this.draw();
  }
  async askReview() {
    this.review = 'busy';
    this.show('review');
    this.draw();
    try { const answer = await this.source.ask('review', { seat: (this.info.you.seats || [0])[0] ?? 0 }, true); if (answer.turns) this.review = answer; } catch (error) { this.review = null; this.tab = 'log'; this.fail(error); }
    this.draw();
  }
  async say(text) { if (text.trim()) try { await this.source.ask('say', { text: text.trim(), moment: this.shownMoment() }); } catch (error) { this.fail(error); } }
  async request(t, fields) { try { await this.source.ask(t, fields || {}); } catch (error) { this.fail(error); } this.draw(); }
  /** A free seat is for whoever comes and has none. */
  maySit(seat) { return this.source.live && !this.isPlayer() && !this.live.outcome && this.info.summary.seats[seat].who === 'open'; }
  async sitDown(seat) {
    const { match } = this.source;
    try {
      const got = await takeSeat(match, { name: remembered().name || W.guest, seat }, this.info && this.info.game);
      Object.assign(this, { refused: null, status: 'connecting' });
      this.source.sit([...this.source.tokens, got.token]);
    } catch (error) { if (this.refused) { this.refused = error; this.findSeats(); } else this.fail(error); }
    this.draw();
  }
  /** Who may not watch may still sit down, if a seat is free. */
  async findSeats() {
    this.free = [];
    try {
      const { state, seats } = await api('GET', `/api/matches/${this.source.match}`);
      if (state !== 'over') this.free = seats.filter((seat) => seat.who === 'open');
    } catch { /* there is no such match */ }
    this.draw();
  }
  /** Sends somebody out of a seat; whoever comes next is invited anew. */
  async removeSeat(seat) {
    try {
      const { invitation } = await this.source.ask('remove', { seat });
      this.keepInvitation(seat, invitation);
    } catch (error) { this.fail(error); }
    this.draw();
  }
  keepInvitation(seat, code) {
    remember((all) => {
      const kept = all.matches[this.info.match];
      if (kept) kept.invitations = { ...kept.invitations, [seat]: code || undefined };
    });
  }
  canInvite(seat) { const kept = remembered().matches[this.info.match]; return Boolean(kept && kept.invitations && kept.invitations[seat]) || this.info.you.host || this.info.summary.public; }
  async copyInvitation(seat) {
    const kept = remembered().matches[this.info.match] || {};
    let code = (kept.invitations || {})[seat];
    try {
      if (!code && this.info.you.host && this.info.summary.seats[seat].who === 'invited') code = (await this.source.ask('invite', { seat })).invitation;
      await this.copy(`${location.origin}/m/${this.info.match}${code ? `#join=${code}` : ''}`, W.inviteCopied);
    } catch (error) { this.fail(error); }
  }
  async copyLink() {
    // While something is hidden everybody has his own numbers of moments: another would see another one.
    const own = this.info.summary.secret && !this.live.outcome;
    const at = own ? '' : `/at/${this.shownMoment()}${this.asSeat >= 0 ? `?as=${this.asSeat}` : ''}`;
    await this.copy(`${location.origin}/m/${this.info.match}${at}`, own ? W.matchLinkCopied : W.linkCopied);
  }
  async copy(text, said) { try { await navigator.clipboard.writeText(text); this.say_('note', said); } catch { this.openOverlay({ kind: 'copy', text }); } }
  async download() {
    try {
      const tokens = this.source.tokens;
      const answer = await fetch(`/api/matches/${this.info.match}/file`, { headers: tokens.length ? { Authorization: `Bearer ${tokens.join(' ')}` } : {} });
      if (!answer.ok) throw new Error((await answer.json()).text);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await answer.blob());
      link.download = `${this.info.game}-${this.info.match}.turn`;
      link.click();
    } catch (error) { this.fail(error); }
  }

  // ---- pointing

  pointAt(pick, key) { this.pointTo(pick ? { pick, key } : null); }

  /** The same for an option that is a button. */
  pointOption(number) { this.pointTo({ option: number, key: `option ${number}` }); }
  leaveOption(number) { if (this.pointed && this.pointed.option === number) this.pointTo(null); }

  pointTo(pointed) {
    if (this.drag && this.drag.moving) return;
    const next = pointed && pointed.key;
    if (next === (this.pointed && this.pointed.key)) return;
    this.pointed = pointed;
    this.foretold = null;
    this.foretellSoon();
    this.draw();
  }

  /** Asks what the option under the cursor would lead to, once it has rested there. */
  foretellSoon() {
    clearTimeout(this.foretell);
    const only = this.onlyOption();
    if (only && this.source.live && (this.trial || !this.look)) this.foretell = setTimeout(() => this.askForecast(only.number, this.pointed.key), 450);
  }

  /** What lets a button tell what it would do, to the mouse and to the keyboard. */
  pointing(number) { return { onpointerenter: () => this.pointOption(number), onpointerleave: () => this.leaveOption(number), onfocus: () => this.pointOption(number), onblur: () => this.leaveOption(number) }; }

  /** The one option that what is pointed at leads to. */
  onlyOption() {
    if (!this.pointed) return null;
    const { option } = this.pointed;
    if (option !== undefined) return this.options()[option] ? { option: this.options()[option], number: option } : null;
    const way = this.ways().get(this.pointed.key);
    const list = nextPicks(this.options(), this.picks).get(way ? pickKey(way) : this.pointed.key);
    return list && list.length === 1 ? list[0] : null;
  }

  async askForecast(number, key) {
    try {
      const shown = this.shown();
      const { from, inputs, world } = this.trial || {};
      const answer = await this.source.ask('forecast', this.trial ? { option: number, from, inputs, world } : { option: number, rev: this.rev });
      if (this.pointed && this.pointed.key === key && this.shown() === shown) { this.foretold = answer; this.draw(); }
    } catch { /* what cannot be foretold is not */ }
  }

  explain(event, item) {
    if (event) event.preventDefault();
    const thing = item.thing || {};
    const { card, badge, figure } = thing;
    const own = [...((card || badge || {}).why || []), ...((figure && figure.intent && figure.intent.why) || [])];
    const lines = [item.text, ...(item.note || '').split('\n'), ...own].filter((line, i, all) => line && all.indexOf(line) === i);
    this.openNumbers(numberNames(thing), lines.map((text, i) => ({ depth: i ? 1 : 0, kind: i ? 'reason' : 'fact', text })));
  }

  /** Why: of the figure or card that has the focus, or else of the moment shown. */
  whyHere() {
    const on = document.activeElement && document.activeElement.closest('[data-pick]');
    const { item } = on ? JSON.parse(on.dataset.pick) : {};
    const panel = item && this.shown().scene.panels.find((one) => one.id === item[0]);
    const cell = this.focusedCell();
    const names = cell ? (cell.figures || []).flatMap((figure) => numberNames({ figure })) : [];
    if (panel && panel.items[item[1]]) this.explain(null, panel.items[item[1]]);
    else if (names.length) this.openNumbers(names, [{ depth: 0, kind: 'fact', text: cell.note }]);
    else if (this.shownMoment() > 0) this.openWhy(this.shownMoment());
  }

  focusedCell() {
    const on = document.activeElement && document.activeElement.closest('[data-cell]');
    const board = on && mainBoard(this.shown().scene);
    const [x, y] = on ? on.dataset.cell.split(',').map(Number) : [];
    return board ? board.cells[y * board.width + x] : null;
  }

  /** Tells how numbers came about: every change of each on the line of play to the moment shown. */
  async openNumbers(names, before = []) {
    this.show('why');
    const fields = { moment: this.shownMoment() };
    if (this.canSwitchViewer()) fields.seat = this.asSeat;
    const lines = [...before];
    for (const name of names) {
      try { lines.push(...storyLines(await this.source.ask('number', { ...fields, name }))); } catch (error) { if (error.code !== 'NO_SUCH_NUMBER') this.fail(error); }
    }
    this.why = { title: W.why, lines };
    this.draw();
  }

  focusCell(x, y, move) {
    const same = this.cursor && this.cursor[0] === x && this.cursor[1] === y;
    this.cursor = [x, y];
    this.pointAt(cellPick(x, y), pickKey(cellPick(x, y)));
    if (!same || move) this.draw();
    if (move) requestAnimationFrame(() => { const el = this.root.querySelector(`[data-cell="${x},${y}"]`); if (el) el.focus(); });
  }

  mark(event) { event.preventDefault(); }

  /** The right button lets go of what was picked, and draws arrows and rings for oneself. */
  markFrom(pick) {
    if (this.picks.length || this.plan) { this.picks = []; this.among = this.plan = null; this.draw(); return; }
    if (!pick.cell) return;
    addEventListener('pointerup', (event) => {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const cell = under && under.closest('[data-cell]');
      if (!cell) return;
      const to = cell.dataset.cell.split(',').map(Number);
      const known = (arrow) => `${arrow.from}` === `${pick.cell}` && `${arrow.to}` === `${to}`;
      this.arrows = this.arrows.some(known) ? this.arrows.filter((arrow) => !known(arrow)) : [...this.arrows, { from: pick.cell, to }];
      this.draw();
    }, { once: true });
  }

  /** A press: a click if it ends where it began, a drag otherwise; held on a touch screen, it only shows. */
  press(event, pick, key, element) {
    if (event.button === 2) { this.markFrom(pick); return; }
    if (event.button !== 0) return;
    this.arrows = [];
    wakeSound();
    const held = { pick, key, x: event.clientX, y: event.clientY, at: event.timeStamp, touch: event.pointerType === 'touch', moving: false };
    this.drag = held;
    const target = element || event.currentTarget;
    if (target.hasPointerCapture && event.pointerId !== undefined) try { target.releasePointerCapture(event.pointerId); } catch { /* never had it */ }
    const move = (e) => {
      if (!held.moving && Math.hypot(e.clientX - held.x, e.clientY - held.y) > 6) this.startDrag(held, target);
      if (held.ghost) Object.assign(held.ghost.style, { left: `${e.clientX}px`, top: `${e.clientY}px` });
    };
    const stop = () => { removeEventListener('pointermove', move); removeEventListener('pointerup', up); removeEventListener('pointercancel', cancel); if (held.ghost) held.ghost.remove(); this.drag = null; };
    const cancel = () => { stop(); if (held.moving) { this.picks = []; this.draw(); } };
    const up = (e) => {
      stop();
      if (held.moving) this.drop(held, e);
      else if (!(held.touch && e.timeStamp - held.at > 550)) this.pick(pick);
      else this.draw();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
  }

  startDrag(held, target) {
    held.moving = true;
    const options = this.options();
    const begins = nextPicks(options, []).has(held.key);
    const plans = !options.length && held.pick.cell;
    held.carried = !begins && this.carries(held.pick);
    if (!begins && !plans && !held.carried) return;
    if (begins) this.picks = [held.pick];
    const picture = held.pick.cell ? this.root.querySelector(`.piece[data-at="${held.pick.cell}"]`) || this.pieceAt(held.pick.cell) : target;
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
    this.draw();
  }

  /** A board that is larger than its place is moved to where the eye should be. */
  showFocus(box, at) {
    const key = at && `${at} ${this.shownMoment()}`;
    if (!at || this.focusShown === key || box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1) return;
    this.focusShown = key;
    const cell = box.querySelector(`[data-cell="${at[0]},${at[1]}"]`);
    if (!cell) return;
    const [inner, outer] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollBy({ left: inner.left + inner.width / 2 - outer.left - outer.width / 2, top: inner.top + inner.height / 2 - outer.top - outer.height / 2, behavior: 'instant' });
  }

  pieceAt(cell) {
    const scene = this.shown().scene;
    const board = mainBoard(scene);
    const figure = board && (board.cells[cell[1] * board.width + cell[0]].figures || []).at(-1);
    return figure && figure.id ? this.root.querySelector(`.piece[data-id="${CSS.escape(figure.id)}"]`) : null;
  }

  /** Whoever acts is put down: where he can be told to go, or a step towards it. */
  carry(target) {
    const next = nextPicks(this.options(), []);
    const way = this.wayTowards(target.cell);
    if (next.has(pickKey(target))) this.pick(target);
    else if (next.has(pickKey(way))) this.pick(way);
    else this.draw();
  }

  drop(held, event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const cell = under && under.closest('[data-cell]');
    const other = under && under.closest('[data-pick]');
    const options = this.options();
    if (!options.length) {
      if (cell && held.pick.cell && `${held.pick.cell}` !== cell.dataset.cell) this.plan = { picks: [held.pick, cellPick(...cell.dataset.cell.split(',').map(Number))], done: true };
      this.draw();
      return;
    }
    const target = cell ? cellPick(...cell.dataset.cell.split(',').map(Number)) : other ? JSON.parse(other.dataset.pick) : null;
    const inside = target && pickKey(target) === held.key;
    if (held.carried && cell && !inside) { this.carry(target); return; }
    if (target && !inside && nextPicks(options, this.picks).has(pickKey(target))) { this.pick(target); return; }
    const whole = fitting(options, [held.pick]);
    const away = under && !under.closest('.hands');
    if (held.pick.item && away && !inside && whole.length === 1 && whole[0].option.picks.length === 1) { this.choose(whole[0].number); return; }
    this.picks = [];
    this.draw();
  }

  // ---- keys

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === 'Escape') { this.escape(); return; }
    if (this.overlay && event.key === 'Tab') this.stayInside(event);
    if (typing || this.overlay || this.curtain !== null || !this.info || !this.live) return;
    wakeSound();
    const arrow = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }[event.key];
    if (arrow && this.pickWord(arrow)) { event.preventDefault(); return; }
    const onControl = event.target.closest && event.target.closest('button, [role=slider], summary, .step-list, .graph');
    if (arrow && !onControl && !event.target.closest('.cells') && (arrow === 'left' || arrow === 'right')) { this.step(arrow === 'left' ? -1 : 1); event.preventDefault(); return; }
    const word = [...this.wordKeys].find(([, key]) => key === event.key);
    if (word) { event.preventDefault(); this.chooseWord(word[0]); return; }
    if (/^[1-9]$/.test(event.key)) { this.pickCard(Number(event.key) - 1); return; }
    const done = { '[': () => this.step(-1), ']': () => this.step(1), '?': () => this.openOverlay({ kind: 'keys' }), '/': () => { this.typing = true; this.draw(); this.focus('#typed'); }, w: () => (this.trial ? this.stopTrying() : this.tryOn([])), y: () => this.whyHere(), h: () => this.source.live && this.hint(), u: () => this.source.live && this.undo(), f: () => { this.flipped = !this.flipped; this.draw(); }, m: () => this.toggleSound(), l: () => { this.openTab('log'); this.focus('.entry.current .entry-head, .entry:last-child .entry-head'); }, b: () => this.focus('.cell[tabindex="0"], .node.first, .card.first, .actions button') }[event.key];
    if (done) { event.preventDefault(); done(); }
  }

  focus(selector) { requestAnimationFrame(() => { const el = this.root.querySelector(selector); if (el) el.focus(); }); }

  escape() {
    if (this.overlay) this.closeOverlay();
    else if (this.typing) this.typing = false;
    else if (this.armed !== null) this.armed = null;
    else if (this.plan) this.plan = null;
    else if (this.picks.length) { this.picks = this.picks.slice(0, -1); this.among = null; } else if (this.trial) { this.stopTrying(); return; } else if (this.look && this.source.live) { this.lookAt(null); return; }
    this.draw();
  }

  pickWord(word) {
    const options = this.options();
    const pick = wordPick(word);
    if (!nextPicks(options, this.picks).has(pickKey(pick))) return false;
    this.pick(pick);
    return true;
  }

  chooseWord(word) { this.pick(wordPick(word)); }

  pickCard(place) {
    const hand = places(this.shown().scene).hands.find((panel) => panel.items.some((item) => item.thing && item.thing.card && !item.thing.card.hidden));
    if (hand && hand.items[place]) this.pick(itemPick(hand.id, place));
  }

  toggleSound() { this.sound = !this.sound; setSound(this.sound); remember((all) => { all.sound = this.sound; }); wakeSound(); this.say_('note', this.sound ? W.soundOn : W.soundOff); }

  toggleTheme() {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    remember((all) => { all.theme = dark ? 'light' : 'dark'; });
    this.recolour();
  }

  openOverlay(overlay) {
    if (!this.overlay) this.before = document.activeElement;
    this.overlay = overlay;
    this.draw();
    this.focus('.overlay button, .overlay input');
  }

  /** The focus goes back to where it was. */
  closeOverlay() {
    const { before } = this;
    this.overlay = this.before = null;
    this.draw();
    requestAnimationFrame(() => { if (before && before.isConnected) before.focus(); });
  }

  /** Tab goes round inside a dialog. */
  stayInside(event) {
    const all = [...this.root.querySelectorAll('.overlay :is(button, input, a, select, [tabindex="0"])')];
    const at = all.indexOf(document.activeElement);
    const edge = event.shiftKey ? 0 : all.length - 1;
    if (!all.length || (at >= 0 && at !== edge)) return;
    event.preventDefault();
    all[event.shiftKey ? all.length - 1 : 0].focus();
  }

  // ---- drawing

  draw() {
    if (this.waitingFrame) return;
    this.waitingFrame = requestAnimationFrame(() => { this.waitingFrame = null; this.paint(); });
  }

  paint() {
    if (this.refused) { draw(this.root, h('main', { class: 'lost-match' }, bird(), h('h1', {}, W.sentAway[this.refused.code] || W.notFound), h('p', {}, this.refused.text, this.refused.code && h('code', {}, this.refused.code)), (this.free || []).map((seat) => h('button', { type: 'button', key: seat.seat, class: 'primary', onclick: () => this.sitDown(seat.seat) }, W.sitDownAs(seat.role))), h('button', { type: 'button', onclick: () => this.leave('/') }, W.home))); return; }
    if (this.curtain !== null) { draw(this.root, this.curtainView()); this.speak(); return; }
    if (!this.info || !this.live) { draw(this.root, h('main', { class: 'lost-match' }, bird(), h('p', {}, this.status === 'off' ? W.offline : '…'))); return; }
    const motion = this.motion;
    this.motion = null;
    const seen = motion ? snapshot(this.root) : null;
    draw(this.root, this.view());
    // Behind a dialog nothing can be reached.
    for (const el of this.root.children) el.inert = Boolean(this.overlay) && !el.matches('.overlay, .toast');
    if (motion && motion.before) { const hurt = playMotion(this.root, seen, motion.before, motion.after); if (hurt) play('hit'); }
    this.speak();
  }

  speak() {
    for (const [id, field] of [['polite', 'polite'], ['urgent', 'urgent']]) {
      const el = document.getElementById(id);
      if (el && this[field]) { el.textContent = this[field]; this[field] = null; }
    }
  }

  curtainView() {
    const name = this.placeName(this.curtain);
    return h('main', { class: 'curtain', key: 'curtain' }, bird(), h('h1', {}, W.handOver(name)), h('p', {}, W.handOverWhy), h('button', { type: 'button', class: 'primary', disabled: !this.source.open, onclick: () => { this.curtain = null; this.root.turnstoneKids = undefined; this.root.textContent = ''; this.draw(); this.focus('.cell[tabindex="0"], .card.first, .actions button'); } }, W.iAm(name)));
  }

  /** What the stage needs to know and may call. */
  handle() {
    const options = this.options();
    const next = nextPicks(options, this.picks);
    const hint = this.hintAt !== null && options[this.hintAt] ? options[this.hintAt].picks : [];
    const only = this.onlyOption();
    const candidates = only ? [only] : this.pointed && next.get(this.pointed.key) ? next.get(this.pointed.key) : [];
    const forecastOn = new Map();
    for (const { option } of candidates) for (const one of option.forecast || []) if (!forecastOn.has(one.on)) forecastOn.set(one.on, { text: shortForecast(one.text), why: one.why });
    return {
      title: this.shown().scene.title, rush: this.rush, options, picks: this.picks, next, mine: options.length > 0, flipped: this.flipped, cursor: this.cursor, forecastOn, arrows: this.arrows,
      ways: this.ways(), pickedKeys: new Set(this.picks.map(pickKey)), plannedKeys: new Set(this.plan && this.plan.picks ? this.plan.picks.map(pickKey) : []), hintKeys: new Set(hint.map(pickKey)), dragging: this.drag && this.drag.moving ? this.drag.dragging : null, ghost: this.ghost(only),
      arrowWords: ['up', 'down', 'left', 'right'].some((word) => next.has(pickKey(wordPick(word)))),
      pick: (pick) => this.pick(pick), press: (event, pick, key, element) => this.press(event, pick, key, element), pointAt: (pick, key) => this.pointAt(pick, key), focusCell: (x, y, move) => this.focusCell(x, y, move), mark: (event) => this.mark(event), explain: (event, item) => this.explain(event, item), showFocus: (box, at) => this.showFocus(box, at), openPile: (panel, pile) => this.openOverlay({ kind: 'pile', panel, pile }),
    };
  }

  /** The piece where it would stand, under the cursor. */
  ghost(only) {
    if (!only || this.picks.length !== 1 || !this.picks[0].cell || !this.pointed.pick || !this.pointed.pick.cell) return null;
    const board = mainBoard(this.shown().scene);
    const [x, y] = this.picks[0].cell;
    const cell = board && board.cells[y * board.width + x];
    const figure = cell && (cell.figures || []).at(-1);
    return figure ? { figure: { ...figure, id: undefined }, ink: cell.ink, to: this.pointed.pick.cell } : null;
  }

  view() {
    const now = this.shown();
    const scene = now.scene;
    const t = this.handle();
    return [
      this.headView(scene),
      h('div', { class: classes('table', this.trial && 'trying', this.look && !this.trial && 'past'), key: 'table' },
        leftRail(this, scene, t),
        h('main', { class: classes('stage', listsOnStage(scene) && !places(scene).offers.length && 'telling'), id: 'stage' }, !isNarrow() && this.bandView(), h('h1', { class: 'visually-hidden' }, scene.title), stageView(scene, t), this.peekView(t), this.actionsView(scene, t)),
        rightRail(this)),
      timelineView(this),
      this.overlay && this.overlayView(scene, t),
      this.toast && h('div', { class: `toast ${this.toast.kind}`, key: 'toast', role: this.toast.kind === 'error' ? 'alert' : 'status' }, this.toast.text, this.toast.code && h('code', {}, this.toast.code)),
    ];
  }

  headView(scene) {
    const button = (name, text, onclick, key) => h('button', { type: 'button', class: 'icon-button', key: name, title: key ? `${text} (${key})` : text, 'aria-label': text, onclick }, ui(name));
    const live = this.source.live;
    return h('header', { class: 'head', key: 'head' },
      live ? h('a', { class: 'home', href: '/', title: W.home, 'aria-label': this.waiting > 0 ? `${W.home}: ${W.waitElsewhere(this.waiting)}` : W.home, onclick: (event) => { event.preventDefault(); this.leave('/'); } }, bird(), this.waiting > 0 && h('i', { class: 'unread', title: W.waitElsewhere(this.waiting) }, this.waiting)) : h('span', { class: 'home' }, bird()),
      h('div', { class: 'head-title' }, h('strong', {}, this.info.game), h('span', { class: 'scene-title' }, scene.title)),
      h('div', { class: 'counters' }, countersView(scene, (names) => this.openNumbers(names))),
      h('nav', { class: 'head-buttons', 'aria-label': W.more },
        live && this.mayGo() && button('undo', W.undo, () => this.undo(), 'u'), live && !this.mayGo() && this.isPlayer() && button('undo', W.undo, () => this.undo(), 'u'),
        live && (this.info.summary.practice || this.live.outcome) && button('hint', W.hint, () => this.hint(), 'h'),
        live && button('branch', W.whatIf, () => (this.trial ? this.stopTrying() : this.tryOn([])), 'w'),
        live && (this.info.summary.practice || this.live.outcome) && this.nodes.size > 2 && button('chart', W.review, () => this.askReview()),
        mainBoard(scene) && !mainBoard(scene).graph && button('flip', W.flip, () => { this.flipped = !this.flipped; this.draw(); }, 'f'),
        live && button('link', W.link, () => this.copyLink()), live && (this.live.outcome || this.info.summary.practice) && button('save', W.download, () => this.download()),
        button(this.sound ? 'sound' : 'mute', this.sound ? W.soundOff : W.soundOn, () => this.toggleSound(), 'm'), button('theme', W.theme, () => this.toggleTheme()), button('help', W.help, () => this.openOverlay({ kind: 'keys' }), '?')));
  }

  /** Moments that have come since one looked away from the live match. */
  fresh() { return this.source.live ? this.nodes.size - this.seen : 0; }

  /** What others ask comes first, wherever one looks. */
  bandView() { return h('div', { class: 'bands', key: 'bands' }, this.asksView(), this.stateView()); }

  offerText(offer) { return `${seatName(this, offer.by)} ${W.offers[offer.what] || offer.what}${offer.what === 'takeback' && !this.info.summary.secret && offer.moment !== undefined && offer.moment !== null ? ` ${W.toMoment(offer.moment)}` : ''}`; }

  asksView() {
    const mine = this.info.you.seats || [];
    const asks = this.offers.filter((offer) => !mine.includes(offer.by) && mine.length);
    if (!asks.length) return null;
    return h('div', { class: 'band offer-band', key: 'asks', role: 'status' }, asks.map((offer) => h('span', { key: offer.offer }, `${this.offerText(offer)} `, h('button', { type: 'button', class: 'primary', onclick: () => this.request('answer', { offer: offer.offer, yes: true }) }, W.yes), h('button', { type: 'button', onclick: () => this.request('answer', { offer: offer.offer, yes: false }) }, W.no))));
  }

  /** What has happened since one looked away from the live match. */
  sinceThen() {
    const since = this.fresh() > 0 ? ` · ${W.newSince(this.fresh())}` : '';
    return this.live.outcome && since ? `${since} · ${this.ending()}` : since;
  }

  stateView() {
    if (this.status === 'off' && this.source.live) return h('div', { class: 'band off', key: 'band', role: 'status' }, W.offline);
    if (this.trial) return h('div', { class: 'band try', key: 'band', role: 'status' }, h('span', {}, W.trying(this.trial.inputs.length), this.sinceThen()), this.trial.inputs.length > 0 && h('button', { type: 'button', onclick: () => this.tryOn(this.trial.inputs.slice(0, -1)) }, W.stepBack), h('button', { type: 'button', onclick: () => this.tryOn(this.trial.inputs, undefined, this.trial.world + 1) }, W.anotherWorld), h('button', { type: 'button', class: 'primary', onclick: () => this.stopTrying() }, W.stopTrying));
    if (this.look && this.source.live) {
      return h('div', { class: 'band past', key: 'band', role: 'status' }, h('span', {}, W.past(this.look.moment), this.sinceThen()), h('button', { type: 'button', onclick: () => this.tryOn([]) }, W.tryHere), this.mayGo() && h('button', { type: 'button', onclick: () => this.go(this.look.moment) }, W.goHere), h('button', { type: 'button', class: 'primary', onclick: () => this.lookAt(null) }, W.backToLive));
    }
    const mine = this.info.you.seats || [];
    const again = this.offers.find((offer) => offer.what === 'rematch' && mine.includes(offer.by));
    if (this.live.outcome && this.source.live) return h('div', { class: 'band end', key: 'band', role: 'status' }, h('strong', {}, this.ending()), this.info.reveal && this.info.reveal.seed !== undefined && h('small', {}, W.seedTold(this.info.reveal.seed)), again && h('span', { key: 'offered' }, W.offered(W.offerNames.rematch), ' ', h('button', { type: 'button', class: 'tiny', onclick: () => this.withdraw(again) }, W.takeBackOffer)), this.isPlayer() && !again && h('button', { type: 'button', class: 'primary', key: 'rematch', onclick: () => this.request('offer', { what: 'rematch' }) }, W.rematch), h('button', { type: 'button', onclick: () => this.askReview() }, W.review));
    return null;
  }

  ending() {
    const { outcome, how } = this.info.summary;
    const mine = this.info.you.seats || [];
    const by = how && W.how[how] ? ` ${W.how[how]}` : '';
    const end = outcome || this.live.outcome;
    if (end === 'Drawn') return W.drawn + by;
    if (end === 'Lost') return W.lost + by;
    if (end === 'WonByAll') return W.wonByAll + by;
    if (end && typeof end === 'object' && 'Won' in end) return mine.length === 1 ? (mine[0] === end.Won ? W.youWon : W.youLost) + by : W.won(seatName(this, end.Won)) + by;
    return W.over;
  }

  /** What is under the cursor, and what choosing it would do. */
  peekView(t) {
    const only = this.onlyOption();
    let head = '', lines = [];
    if (only) {
      head = only.option.label;
      lines = [only.option.preview, ...(only.option.forecast || []).map((one) => one.text)].filter((line, i, all) => line && all.indexOf(line) === i);
      const foretold = this.foretold ? this.foretold.lines.filter((line) => line.kind === 'fact' || line.kind === 'prevented').slice(0, 6) : [];
      if (foretold.length) lines = foretold.map((line) => `${line.text}${line.chance !== undefined ? ` · ${W.chance(line.chance)}` : ''}`);
    } else if (this.plan && this.plan.done) {
      head = this.planText();
    } else if (this.pointed) {
      const { pick = {} } = this.pointed;
      const board = this.shown().scene.board;
      if (pick.cell && board) head = (board.cells[pick.cell[1] * board.width + pick.cell[0]] || {}).note || '';
      else if (pick.item) { const item = this.itemOf(pick); if (item) { head = item.text; lines = (item.note || '').split('\n').filter(Boolean).slice(0, 6); } }
    }
    if (!head && this.plan) head = this.planText();
    if (!head && this.picks.length) head = W.pickNext;
    // Asked back here: there is always room for it, so that nothing moves.
    const asked = this.armedElsewhere();
    if (asked !== null) { const option = this.options()[asked]; return h('div', { class: 'peek asking', key: 'peek' }, h('button', { type: 'button', class: 'action grave armed', onclick: () => this.choose(asked) }, `${W.sure} ${option.label}`), h('button', { type: 'button', class: 'action quiet', onclick: () => this.escape() }, W.no), h('span', {}, option.preview || '')); }
    return h('div', { class: classes('peek', !head && 'nothing'), key: 'peek' }, h('strong', {}, head), lines.map((line, i) => h('span', { key: i }, line)));
  }

  /** What is asked back and has no button of its own: it was pointed at. */
  armedElsewhere() {
    if (typeof this.armed !== 'number' || !this.options()[this.armed]) return null;
    return this.wordsNow().some((found) => found.number === this.armed) ? null : this.armed;
  }

  /** The options that are buttons now. */
  wordsNow() { return distinct(this.among || wordOptions(this.options(), this.picks)).slice(0, 24); }

  /** A premove in words: what is to go where. */
  planText() {
    const board = mainBoard(this.shown().scene);
    const named = ({ cell, item }) => (cell && board && board.columns.length ? `${board.columns[cell[0]]}${board.rows[cell[1]]}` : item ? (this.itemOf({ item }) || {}).text || '…' : '…');
    const { text, picks, done } = this.plan;
    return W.premove(text || `${picks.map(named).join(' → ')}${done ? '' : ' …'}`);
  }

  actionsView(scene, t) {
    const options = t.options;
    this.roomy ||= needsRoom(options);
    const turn = this.among ? W.chooseOne : this.clock && this.clock.paused && !this.live.outcome && !this.look && !this.trial ? W.paused : !this.source.live ? '' : this.live.outcome || this.look || this.trial ? '' : options.length ? W.yourTurn : this.isPlayer() || this.live.actor !== null ? (this.live.actor !== null && this.live.actor !== undefined ? W.waitingFor(seatName(this, this.live.actor)) : '') : W.watchingOnly;
    this.wordKeys = keysFor(options, this.picks);
    const question = scene.question || (this.shown().question && this.shown().question.text);
    const shown = this.wordsNow();
    const label = ({ option }) => { const word = option.picks[this.picks.length] && option.picks[this.picks.length].word; return this.picks.length || !word || word.length < 2 ? option.label : option.label || word; };
    const keyOf = ({ option }) => { const word = option.picks[this.picks.length] && option.picks[this.picks.length].word; return word && { up: '↑', down: '↓', left: '←', right: '→' }[word] || this.wordKeys.get(word); };
    return h('div', { class: classes('actions', options.length && 'open', this.roomy && 'roomy', shown.length > 4 && 'crowded'), key: 'actions', style: { 'min-height': options.length || !this.actionsHigh || isNarrow() ? '' : `${this.actionsHigh}px` } },
      isNarrow() && this.bandView(),
      question && h('p', { class: 'question', role: 'status' }, question),
      h('div', { class: 'action-row' },
        turn && h('span', { class: classes('turn', options.length && 'mine') }, turn),
        shown.map((found) => h('button', { type: 'button', key: found.number, class: classes('action', found.option.grave && 'grave', this.armed === found.number && 'armed', this.hintAt === found.number && 'hinted', shown.length > 8 && 'compact'), title: found.option.preview || undefined, onclick: () => this.choose(found.number), ...this.pointing(found.number), 'data-option': found.number }, found.option.grave ? askTwice(label(found), this.armed === found.number) : label(found), keyOf(found) && h('kbd', { 'aria-hidden': 'true' }, keyOf(found)))),
        options.length > 1 && h('button', { type: 'button', class: 'action quiet', key: 'moves', 'aria-expanded': this.listing ? 'true' : 'false', onclick: () => { this.listing = !this.listing; this.draw(); } }, `${W.moves} (${options.length})`),
        (options.length > 0 || this.isPlayer()) && this.source.live && !this.look && (!this.live.outcome || this.trial) && h('button', { type: 'button', class: 'action quiet', key: 'type', onclick: () => { this.typing = !this.typing; this.draw(); if (this.typing) this.focus('#typed'); } }, W.typed, h('kbd', { 'aria-hidden': 'true' }, '/')),
        this.source.live && this.isPlayer() && !this.live.outcome && !this.look && !this.trial && !options.some((option) => option.grave && /resign|surrender|give up/i.test(option.label)) && h('button', { type: 'button', class: classes('action quiet', this.armed === 'resign' && 'armed'), key: 'resign', onclick: () => { if (this.armed === 'resign') { this.armed = null; this.request('resign'); } else { this.armed = 'resign'; this.draw(); } } }, askTwice(W.resign, this.armed === 'resign')),
        options.some((option) => option.picks.length > 1) && h('button', { type: 'button', class: classes('action quiet', !this.picks.length && 'unseen'), key: 'let-go', disabled: !this.picks.length, onclick: () => this.escape() }, W.cancel)),
      this.typing && h('form', { class: 'typed', key: 'typed', onsubmit: (event) => { event.preventDefault(); const field = event.target.elements.move; if (field.value.trim()) this.typed(field.value.trim()); field.value = ''; } }, h('input', { id: 'typed', name: 'move', maxlength: 200, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: W.typedHelp, 'aria-label': W.typed }), h('button', { type: 'submit' }, W.send)),
      this.listing && h('div', { class: 'all-moves', key: 'all', role: 'group', 'aria-label': W.moves }, options.map((option, number) => h('button', { type: 'button', key: number, class: 'action compact', title: option.preview || undefined, onclick: () => this.choose(number), ...this.pointing(number) }, option.label))));
  }

  typed(text) {
    if (!this.options().length) { this.plan = { picks: [], text, done: true }; this.draw(); return; }
    const options = this.options();
    const found = options.findIndex((option) => option.label.toLowerCase() === text.toLowerCase());
    if (found >= 0) this.choose(found);
    else this.send({ text });
  }

  overlayView(scene, t) {
    const { kind } = this.overlay;
    const close = () => this.closeOverlay();
    let title = '', inside = null;
    if (kind === 'keys') { title = W.help; inside = h('dl', { class: 'keys' }, W.keys.map(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])); if (this.source.live && mayAskToTell()) inside = [inside, h('button', { type: 'button', onclick: () => this.askToTell() }, W.notificationsOn)]; } else if (kind === 'map' && scene.board) { title = W.showMap; inside = asideBoard(scene.board, t); } else if (kind === 'copy') { title = W.link; inside = h('input', { value: this.overlay.text, readonly: true, 'aria-label': W.link }); } else if (kind === 'pile') {
      const items = scene.panels.filter((panel) => panel.id === this.overlay.panel).flatMap((panel) => panel.items);
      const pile = items.map((item) => item.thing && item.thing.pile).find((one) => one && one.id === this.overlay.pile);
      title = pile ? W.pile(pile.name, pile.count) : '';
      inside = pile && pile.names && pile.names.length ? h('ul', { class: 'pile-names' }, pile.names.map((name, i) => h('li', { key: i }, name))) : h('p', {}, W.emptyPile);
    }
    return h('div', { class: 'overlay', key: 'overlay', role: 'dialog', 'aria-modal': 'true', 'aria-label': title, onclick: (event) => { if (event.target === event.currentTarget) close(); } }, h('div', { class: 'sheet' }, h('div', { class: 'sheet-head' }, h('h2', {}, title), h('button', { type: 'button', class: 'icon-button', 'aria-label': W.close, onclick: close }, ui('close'))), inside));
  }

  measure(el, at) {
    // What one drags along stays where it is.
    if (this.sliding) return;
    if (this.stripWidth !== el.clientWidth) { this.stripWidth = el.clientWidth; this.draw(); }
    if (at && at[0] !== this.stripAt) { this.stripAt = at[0]; if (at[0] < el.scrollLeft + 40 || at[0] > el.scrollLeft + el.clientWidth - 40) el.scrollLeft = at[0] - el.clientWidth / 2; }
  }

  scrollLog(el) {
    const shown = this.shownMoment();
    if (this.logAt === shown && this.logLength === el.childElementCount) return;
    this.logAt = shown;
    this.logLength = el.childElementCount;
    requestAnimationFrame(() => { const current = el.querySelector('.entry.current'); const box = el.parentElement; if (current && box) box.scrollTop = current.offsetTop - box.clientHeight + current.offsetHeight + 60; });
  }
}

/** On a telephone bands are at hand with what can be done. */
function isNarrow() { return matchMedia(NARROW).matches; }

/** Whether picking changes which buttons there are: words before or after, or several options for the same picks. */
function needsRoom(options) {
  if (options.some((option) => option.picks.length > 1) && options.some(({ picks, grave }) => !grave && picks[0] && picks[0].word)) return true;
  const known = new Set();
  return options.some((option) => {
    const key = pickKey(option.picks);
    return (known.has(key) && option.picks.length > 0) || !known.add(key) || option.picks.slice(1).some((pick) => pick.word);
  });
}

/** What is asked back once more, in a place that is wide enough for both. */
function askTwice(text, armed) {
  return h('span', { class: 'asks', 'data-wide': `${W.sure} ${text}` }, armed ? `${W.sure} ${text}` : text);
}

function shortForecast(text) {
  const damage = /[Dd]eal (\d+) damage(?: (\d+) times)?/.exec(text);
  if (damage) return `−${damage[1]}${damage[2] ? `×${damage[2]}` : ''}`;
  return text.length > 28 ? `${text.slice(0, 26)}…` : text;
}

/** A key for every word that can be picked next. */
function keysFor(options, picks) {
  const keys = new Map();
  const used = new Set(RESERVED);
  const words = new Set();
  for (const { option } of fitting(options, picks)) { const pick = option.picks[picks.length]; if (pick && pick.word) words.add(pick.word); }
  for (const word of words) if (word.length === 1) { keys.set(word, word); used.add(word); }
  for (const word of words) {
    if (keys.has(word) || ['up', 'down', 'left', 'right'].includes(word)) continue;
    const letter = [...word.toLowerCase()].find((c) => /[a-z]/.test(c) && !used.has(c));
    if (letter) { keys.set(word, letter); used.add(letter); }
  }
  return keys;
}

