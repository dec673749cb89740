// Whose turn it is in all of one's own games, wherever one is on the page: counted in the window's name, and said by
// the browser where that was wished and nobody looks.

import { W } from './words.js';
import { api, remember, remembered } from './source.js';

const ASKED_EVERY = 20000, MOST_ASKED = 40;
const FRONT = 'turnstone-front';

let base = W.name;
let waiting = 0;

/** The window is called so; games elsewhere that wait for one are counted before it. */
export function nameWindow(title = base) {
  base = title;
  const mark = base.startsWith('● ') ? '● ' : '';
  const name = `${mark}${waiting ? `(${waiting}) ` : ''}${base.slice(mark.length)}`;
  if (document.title !== name) document.title = name;
}

export const mayAskToTell = () => 'Notification' in window && Notification.permission === 'default';
export const askToTell = () => Notification.requestPermission();

/** Whether other people wait: who plays alone against bots goes on when he likes. */
export const isAwaited = ({ turn, seats, mine }) => Boolean(turn) && seats.some((seat, i) => seat.who !== 'bot' && !(mine || []).includes(i));

/** Says it through the browser; a click leads there. */
export function tell(match, body, enter) {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const about = { body, tag: match, renotify: true };
  try {
    const note = new Notification(W.notifyTurn, about);
    note.onclick = () => { window.focus(); note.close(); if (enter) enter(`/m/${match}`); };
  } catch { tellByWorker(about); }
}

/** Telephones want it said by a worker. */
async function tellByWorker(about) {
  try {
    await navigator.serviceWorker.register('/worker.js');
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(W.notifyTurn, about);
  } catch { /* not here */ }
}

/** Asks now and then about the games that are not over. `heard` gets what is known of them. */
export class Turns {
  constructor(enter) {
    Object.assign(this, { enter, here: null, known: null, heard: null });
    this.timer = setInterval(() => this.ask(), ASKED_EVERY);
    document.addEventListener('visibilitychange', () => { this.front(); if (!document.hidden) this.ask(); });
    addEventListener('focus', () => this.front());
    addEventListener('pagehide', () => this.front(null));
  }

  /** The match that is shown here speaks for itself. */
  at(match, heard) {
    Object.assign(this, { here: match, heard });
    this.front();
    this.ask();
  }

  /** Other windows need not tell of what is looked at in this one. */
  front(match = document.hidden ? null : this.here) {
    try {
      if (match) localStorage.setItem(FRONT, match);
      else if (localStorage.getItem(FRONT) === this.here) localStorage.removeItem(FRONT);
    } catch { /* then it is told twice */ }
  }

  async ask() {
    const open = Object.entries(remembered().matches).filter(([match, held]) => match !== this.here && !held.over && held.tokens.length);
    const asked = open.map(([match, { tokens }]) => ({ match, tokens })).slice(-MOST_ASKED);
    let matches = [];
    // The first time everything is looked up; then what sleeps may sleep on.
    try { if (asked.length) matches = (await api('POST', '/api/mine', { matches: asked, asleep: this.known !== null })).matches; } catch { return; }
    this.learn(matches);
  }

  learn(matches) {
    const before = this.known || new Map();
    const now = new Map();
    for (const match of matches) {
      const mine = match.mine || (before.get(match.match) || {}).mine || [];
      const turn = match.turn ?? (match.actor !== null && mine.includes(match.actor));
      now.set(match.match, { ...match, mine, turn });
    }
    const over = matches.filter((match) => match.state === 'over');
    if (over.length) remember((all) => { for (const { match } of over) if (all.matches[match]) all.matches[match].over = true; });
    const fresh = [...now.values()].filter((match) => isAwaited(match) && this.known && !(before.get(match.match) || {}).turn);
    this.known = now;
    for (const match of fresh) if (localStorage.getItem(FRONT) !== match.match) tell(match.match, `${match.game} · ${match.title}`, this.enter);
    waiting = [...now.values()].filter((match) => isAwaited(match) && match.match !== this.here).length;
    nameWindow();
    if (this.heard) this.heard([...now.values()], waiting);
  }
}
