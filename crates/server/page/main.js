// Begins here: a replay inside this page, a match by its address, or the lobby.

import { Lobby } from './lobby.js';
import { Table } from './table.js';
import { LiveSource, ReplaySource, embeddedReplay, remembered, takeSeat } from './source.js';
import { Turns, nameWindow } from './turns.js';
import { W } from './words.js';

const root = document.getElementById('app');
let page = null;
let turns = null;

function enter(path) {
  history.pushState(null, '', path);
  route();
}

async function route() {
  if (page) page.close();
  root.turnstoneKids = undefined;
  root.textContent = '';
  const match = /^\/m\/([^/]+)(?:\/at\/(\d+))?/.exec(location.pathname);
  if (match) await openMatch(match[1], match[2]);
  else {
    const lobby = (page = new Lobby(root, enter));
    nameWindow(W.name);
    turns.at(null, (matches) => lobby.hearMine(matches));
  }
}

async function openMatch(id, moment) {
  const invitation = /join=([^&]+)/.exec(location.hash);
  let refused = null;
  if (invitation) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      await takeSeat(id, { name: remembered().name || W.guest, invitation: invitation[1] });
    } catch (error) { refused = error; }
  }
  const table = (page = new Table(root, enter));
  if (moment !== undefined) {
    const seat = new URLSearchParams(location.search).get('as');
    table.wanted = { moment: Number(moment), seat: seat === null ? undefined : Number(seat) };
  }
  const kept = remembered();
  const { tokens = [], seats } = kept.matches[id] || {};
  if (seats && Object.keys(seats).length > 1) table.places = { ...seats, host: tokens.find((token) => token.startsWith('h_')) };
  table.source = new LiveSource(id, tokens, kept.name, (message) => table.hear(message), (status, reason) => table.connection(status, reason));
  // For whoever looks into the page, tests among them.
  root.turnstoneTable = table;
  if (refused) table.fail(refused);
  table.draw();
  turns.at(id, (matches, waiting) => table.elsewhere(waiting));
}

const theme = remembered().theme;
if (theme) document.documentElement.dataset.theme = theme;

const embedded = await embeddedReplay();
if (embedded) {
  const table = (page = new Table(root, () => {}));
  table.source = new ReplaySource(embedded);
  root.turnstoneTable = table;
  table.status = 'on';
  table.hear(table.source.welcome());
  const at = /moment=(\d+)/.exec(location.hash);
  table.lookAt(at ? Number(at[1]) : 0);
} else {
  turns = root.turnstoneTurns = new Turns(enter);
  addEventListener('popstate', route);
  route();
}
