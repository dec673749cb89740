// One match on the page: what is shown, what is pointed at, what is asked and answered.

import { h, draw, classes, forgetMade } from './dom.js';
import { W } from './words.js';
import { bird } from './art.js';
import { api, remember, remembered, takeAlong, takeSeat } from './source.js';
import { cellPick, itemPick, nextPicks, pickKey, planWords, point, replay, samePick, wordPick } from './picks.js';
import { forgetColours } from './ground.js';
import { isNarrow, repaintBoards } from './board.js';
import { listsOnStage, mainBoard, numberNames, places, stageView } from './stage.js';
import { leftRail, rightRail, seatName } from './rail.js';
import { actionsView, bandView, headView, overlayView, peekView } from './desk.js';
import { press, wayTowards } from './drag.js';
import { timelineView } from './timeline.js';
import { isRush, playMotion, snapshot } from './motion.js';
import { play, setSound, wakeSound } from './sound.js';
import { askToTell, mayAskToTell, nameWindow, tell } from './turns.js';

/** So many moments are in the log at once. */
const LOG = 150;
const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** A number and every change of it, as lines of reasons. */
function storyLines({ name, now, changes, before, more }) {
  const told = changes.flatMap((change) => {
    const least = Math.min(...change.lines.map((line) => line.depth));
    return [{ depth: 1, kind: 'reason', text: W.numberChanged(change.from, change.to, change.moment) }, ...change.lines.map((line) => ({ ...line, n: undefined, depth: line.depth - least + 2 }))];
  });
  return [{ depth: 0, kind: 'fact', text: `${name}: ${now}` }, ...told, { depth: 1, kind: 'reason', text: W.numberFirst(before, more) }];
}

/** Cells beside whoever acts, where a word says the way there: pointing at one says the word. */
function waysIn({ board, options }, from) {
  const ways = new Map();
  const next = nextPicks(options, []);
  for (const [word, [dx, dy]] of Object.entries(from ? WAYS : {})) {
    const [x, y] = [from[0] + dx, from[1] + dy];
    const cell = x >= 0 && y >= 0 && x < board.width ? board.cells[y * board.width + x] : null;
    const key = pickKey(cellPick(x, y));
    if (cell && cell.ground !== 'wall' && !next.has(key) && next.has(pickKey(wordPick(word)))) ways.set(key, wordPick(word));
  }
  return ways;
}

function itemIn(scene, { item }) {
  const panel = scene.panels.find((one) => one.id === item[0]);
  return panel && panel.items[item[1]];
}

export class Table {
  constructor(root, leave) {
    forgetMade();
    Object.assign(this, { root, leave, info: null, live: null, rev: 0, nodes: new Map(), here: 0, told: new Map(), look: null, trial: null, picks: [], among: null, armed: null, cursor: null, pointed: null, plan: null, lastOptions: [], hintAt: null, tab: 'log', why: null, branches: null, chat: [], offers: [], steps: null, stepAt: 0, review: null, asSeat: -1, status: 'connecting', toast: null, overlay: null, flipped: false, typing: false, listing: false, unread: 0, clock: null, clockAt: 0, seen: 0, arrows: [], drag: null, foretold: null, wordKeys: new Map(), searched: new Map(), playing: null, places: null, curtain: null, epoch: 0 });
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
    const over = message.summary.state === 'over';
    const since = message.timeline && this.countsAll === !over ? this.countAnew(message.timeline.nodes) : 0;
    this.countsAll = over;
    // What was promised first is what the dice are checked against.
    const { commitment = message.commitment, reveal } = this.info || {};
    this.info = { ...this.info, ...message, commitment, reveal: over ? reveal : undefined };
    this.takeAlong();
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
    this.seen = this.nodes.size - since;
    // With other eyes it may look otherwise.
    if (this.look && this.look.seat === undefined && !this.trial) this.lookAt(this.look.moment);
    if (this.live) this.titleMark();
    else nameWindow(`${message.game} · ${W.name}`);
    if (first || message.now) this.loadLog();
    if (message.now) this.premove();
    if (this.wanted) { const { moment, seat } = this.wanted; this.wanted = null; if (seat !== undefined && this.live && this.canSwitchViewer()) this.asSeat = seat; this.lookAt(moment); }
  }

  /**
   * With the end everybody sees and counts everything, and what is his again where it is taken back: what was told in other
   * numbers is forgotten. Whoever looks at another moment or tries something stays there. Gives how many moments are new
   * to him.
   */
  countAnew(nodes) {
    const { look, trial } = this;
    const newest = Math.max(...[...this.nodes.values()].map(({ at }) => at || 0));
    const since = look || trial ? this.fresh() + nodes.filter(({ at }) => at > newest).length : 0;
    // Numbers are others now; when something was played, and by whom, is the same.
    const now = (moment) => {
      const { at, by } = this.nodes.get(moment) || {};
      const same = nodes.filter((node) => node.at === at && node.by === by);
      return moment === 0 ? 0 : same.length === 1 ? same[0].moment : null;
    };
    const moved = (shown, name) => { const at = shown ? now(shown[name]) : null; return at === null ? null : { ...shown, [name]: at }; };
    const there = moved(look, 'moment');
    Object.assign(this, { nodes: new Map(), told: new Map(), branches: null, steps: null, stepsOf: null, review: null, why: null, asSeat: -1, lookWanted: null, look: there && { ...there, seat: undefined }, trial: moved(trial, 'from') });
    if (this.tab === 'steps' || this.tab === 'review') this.tab = 'log';
    return this.look || this.trial ? since : 0;
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
    Object.assign(this, { curtain: seat, overlay: null, look: null, lookWanted: null, trial: null, nodes: new Map(), told: new Map(), picks: [], plan: null, lastOptions: [], why: null, branches: null, steps: null, stepsOf: null, review: null, tab: 'log' });
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
    // What one could say in one's last turn one may plan to say in the next.
    if (now.scene.options.length) this.lastOptions = now.scene.options;
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
    // What has come before the last picture was drawn is seen moving from there.
    this.motion = { before: this.motion ? this.motion.before : old && old.scene, after: now.scene };
    this.rush = isRush(this.motion.before, now.scene);
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
    this.info.summary.seats = message.seats; this.info.summary.spectators = message.spectators; this.info.hushed = message.hushed; this.info.muted = message.muted;
  }
  hear_away(message) { this.say_('note', W.away(seatName(this, message.seat), message.left === null ? null : Math.ceil(message.left / 1000))); }
  hear_note(message) { this.say_('note', message.text); }
  hear_bye(message) { this.say_('error', message.text, message.code); }
  hear_over(message) { Object.assign(this.info.summary, { state: 'over', outcome: message.outcome, how: message.how }); if (message.reveal) this.info.reveal = message.reveal; if (this.live) this.live.outcome = message.outcome; }
  hear_rematch(message) {
    this.info.summary.next = message.match;
    this.takeAlong(this.source.tokens);
    this.goAlong();
  }
  /** Whoever was away when the next match was agreed on finds it all the same. */
  takeAlong(sitting = []) {
    const { match, game, summary } = this.info;
    if (summary.next) takeAlong(match, summary.next, (summary.seats || []).length, game, sitting);
  }
  goAlong() { this.leave(`/m/${this.info.summary.next}`); }
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
  /** Whether everything may be looked at: it is over, or one person practises alone, or nothing is hidden. */
  openBook() {
    const { practice, secret, seats = [] } = this.info.summary;
    const people = seats.filter((seat) => seat.who !== 'bot' || seat.away).length;
    return Boolean(this.live.outcome) || (practice && !(people > 1 && secret));
  }
  mayStep() { return this.source.live && this.openBook(); }
  mayDownload() { return this.source.live && (Boolean(this.live.outcome) || (this.info.you.host && this.openBook())); }
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
      if (this.look || tried) { this.look = null; this.changed(old, this.live); this.whyGoesAlong(this.here); }
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
        this.whyGoesAlong(moment);
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
    // Whoever is quick goes on from where he is being led.
    const from = !this.trial && this.lookWanted ? this.lookWanted.moment : this.shownMoment();
    const line = this.lineOf(this.look || this.lookWanted ? this.tipOf(from) : this.here);
    const at = line.indexOf(from);
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
    const held = this.picks.length > 0;
    const result = point(options, this.picks, pick);
    this.picks = result.picks;
    this.among = result.among || null;
    if (pick.cell) this.cursor = pick.cell;
    if (result.choose !== undefined) { this.choose(result.choose); return; }
    if (result.miss) {
      const item = pick.item && this.itemOf(pick);
      const why = item && item.thing && item.thing.card && item.thing.card.why_not;
      if (why || !held) this.say_('note', why || W.nothing);
    }
    this.draw();
  }

  ways() {
    const board = this.shown() && mainBoard(this.shown().scene);
    return !board || this.picks.length ? new Map() : waysIn({ board, options: this.options() }, this.actingCell(board));
  }

  actingCell(board) {
    const at = board.cells.findIndex((cell) => (cell.figures || []).some((figure) => figure.active));
    return at < 0 ? null : [at % board.width, Math.floor(at / board.width)];
  }

  itemOf(pick) { return itemIn(this.shown().scene, pick); }

  /** Chooses an option; a grave one only when asked twice. */
  choose(number) {
    const option = this.options()[number];
    if (!option) return;
    if (option.grave && this.armed !== number) { this.armed = number; this.draw(); return; }
    this.armed = null;
    this.send({ choose: number }, option);
  }

  async send(what, option) {
    // What was said of the position before is not about the next.
    this.toast = null;
    this.picks = [];
    this.among = null;
    if (this.trial) { this.tryOn([...this.trial.inputs, what]); return; }
    await this.act(what, option);
  }

  /** Plays, whatever is being looked at. */
  async act(what, option) {
    // What was planned was for another turn.
    this.plan = null;
    // Once for each revision: what came of it may be shown before it is acknowledged, and is played on from.
    const { rev } = this;
    if (this.sending === rev) return;
    this.sending = rev;
    if (option) this.hintAt = null;
    this.draw();
    try { await this.source.ask('act', { rev, ...what }); } catch (error) { this.fail(error); }
    if (this.sending === rev) this.sending = null;
    this.draw();
  }

  // ---- premoves

  mayPlan() { return this.source.live && !this.look && !this.trial && this.isPlayer() && Boolean(this.live) && !this.live.outcome && !this.live.scene.options.length; }

  /** The words that one may plan now. */
  planWords() { return this.mayPlan() ? planWords(this.lastOptions, this.plan && !this.plan.done ? this.plan.picks : []) : []; }

  planPick(pick) {
    if (!this.mayPlan()) { this.say_('note', !this.source.live ? W.onlyLooked : !this.isPlayer() ? W.watchingOnly : this.live.outcome ? W.over : W.notNow); return; }
    const before = this.plan && !this.plan.done ? this.plan.picks : [];
    const again = before.length > 0 && samePick(before.at(-1), pick);
    const word = this.planWords().find((one) => one.word === pick.word);
    const last = before.at(-1);
    // Where one place says all, another one is meant instead.
    const instead = pick.cell && last && last.cell && this.lastOptions.length > 0 && !this.lastOptions.some(({ picks }) => picks.filter((one) => !one.word).length > 1);
    const picks = again ? before : instead ? [pick] : [...before, pick];
    this.setPlan(picks, again || (pick.word ? Boolean(word && word.whole) : picks.length > 1));
  }

  /** What is planned; things are remembered by what they are, since others may lie in their places later. */
  setPlan(picks, done) {
    const things = picks.map((pick) => (pick.item ? (this.itemOf(pick) || {}).text : null));
    this.plan = { picks, things, done };
    if (done) this.polite = W.premoveSet;
    this.draw();
  }

  premove() {
    if (!this.plan || !this.myTurn()) return;
    const { picks, things, text } = this.plan;
    const { scene } = this.live;
    const options = scene.options;
    this.plan = null;
    const here = !this.look && !this.trial;
    if (text) { this.act({ text }); return; }
    const same = picks.every((pick, i) => !pick.item || itemIn(scene, pick)?.text === things[i]);
    const found = same && this.meant(scene, picks);
    const option = found && options[found.choose];
    if (option && !option.grave) this.act({ choose: found.choose }, option);
    else if (option && here) this.choose(found.choose);
    else if (found && here) Object.assign(this, { picks: found.picks, among: found.among });
    else this.say_('note', W.premoveGone);
  }

  /** What was planned, at this table now. Whoever was taken further than he can go takes a step towards it. */
  meant(scene, picks) {
    const board = mainBoard(scene), acting = board && this.actingCell(board);
    const found = replay(scene.options, picks, acting, waysIn(scene, acting));
    if (found || !acting || picks.length !== 2 || `${picks[0].cell}` !== `${acting}` || !picks[1].cell) return found;
    return replay(scene.options, [wayTowards(acting, picks[1].cell)], acting);
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

  openWhy(moment, focus) {
    this.show('why');
    return this.loadWhy(moment, focus);
  }

  /** Reasons of a moment go along with what is looked at; those of a number stay. */
  whyGoesAlong(moment) {
    if (this.tab !== 'why' || (this.why && this.why.moment === undefined)) return;
    if (moment > 0) this.loadWhy(moment);
    else this.why = null;
  }

  async loadWhy(moment, focus) {
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
    if (this.planWords().some((one) => one.word === word)) { this.pick(pick); return true; }
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
      arrowWords: Object.keys(WAYS).some((word) => next.has(pickKey(wordPick(word))) || this.planWords().some((one) => one.word === word)),
      pick: (pick) => this.pick(pick), press: (event, pick, key, element) => press(this, event, pick, key, element), pointAt: (pick, key) => this.pointAt(pick, key), focusCell: (x, y, move) => this.focusCell(x, y, move), mark: (event) => this.mark(event), explain: (event, item) => this.explain(event, item), showFocus: (box, at) => this.showFocus(box, at), openPile: (panel, pile) => this.openOverlay({ kind: 'pile', panel, pile }),
    };
  }

  /** The piece where it would stand, under the cursor. */
  ghost(only) {
    if (!only || (this.drag && this.drag.moving) || this.picks.length !== 1 || !this.picks[0].cell || !this.pointed.pick || !this.pointed.pick.cell) return null;
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
      headView(this, scene),
      h('div', { class: classes('table', this.trial && 'trying', this.look && !this.trial && 'past'), key: 'table' },
        leftRail(this, scene, t),
        h('main', { class: classes('stage', listsOnStage(scene) && !places(scene).offers.length && 'telling'), id: 'stage' }, !isNarrow() && bandView(this), h('h1', { class: 'visually-hidden' }, scene.title), stageView(scene, t), peekView(this, t), actionsView(this, scene, t)),
        rightRail(this)),
      timelineView(this),
      this.overlay && overlayView(this, scene, t),
      this.toast && h('div', { class: `toast ${this.toast.kind}`, key: 'toast', role: this.toast.kind === 'error' ? 'alert' : 'status' }, this.toast.text, this.toast.code && h('code', {}, this.toast.code)),
    ];
  }

  /** Moments that have come since one looked away from the live match. */
  fresh() { return this.source.live ? this.nodes.size - this.seen : 0; }

  offerText(offer) { return `${seatName(this, offer.by)} ${W.offers[offer.what] || offer.what}${offer.what === 'takeback' && !this.info.summary.secret && offer.moment !== undefined && offer.moment !== null ? ` ${W.toMoment(offer.moment)}` : ''}`; }

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

  typed(text) {
    if (!this.options().length) { this.plan = { picks: [], text, done: true }; this.draw(); return; }
    const options = this.options();
    const found = options.findIndex((option) => option.label.toLowerCase() === text.toLowerCase());
    if (found >= 0) this.choose(found);
    else this.send({ text });
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

function shortForecast(text) {
  const damage = /[Dd]eal (\d+) damage(?: (\d+) times)?/.exec(text);
  if (damage) return `−${damage[1]}${damage[2] ? `×${damage[2]}` : ''}`;
  return text.length > 28 ? `${text.slice(0, 26)}…` : text;
}

