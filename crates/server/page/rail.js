// The rails: who sits here on the left; log, reasons, branches, chat and single steps on the right.

import { h, classes, memo } from './dom.js';
import { W } from './words.js';
import { sign, ui } from './art.js';
import { matching, searchView } from './search.js';
import { lineView, listsOnStage, mainBoard, orderRows, places, shelfView } from './stage.js';

export function seatName(table, seat) {
  const found = (table.info.summary.seats || [])[seat];
  return found ? found.name && found.name !== found.role ? `${found.name}` : found.role : `${W.seat} ${seat + 1}`;
}

function clockText(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  if (seconds >= 86400) return W.daysLeft(Math.floor(seconds / 86400), Math.floor((seconds % 86400) / 3600));
  const minutes = Math.floor(seconds / 60);
  return left < 10000 ? `0:0${(left / 1000).toFixed(1)}` : `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

export function leftRail(table, scene, t) {
  const { rows, shelves, lists, asides } = places(scene);
  const withBoard = Boolean(mainBoard(scene));
  const seats = table.info.summary.seats || [];
  const clock = table.clock;
  const now = table.shown();
  return h('aside', { class: 'left-rail', 'aria-label': W.seat },
    h('section', { class: 'seats' }, seats.map((seat, i) => {
      const runs = clock && clock.runs === i && !clock.paused;
      const left = clock && clock.left ? clock.left[i] - (runs ? performance.now() - table.clockAt : 0) : null;
      return h('div', { class: classes('seat', `owner-${i}`, now.actor === i && 'acts', table.info.you.seats.includes(i) && 'mine'), key: i },
        h('span', { class: classes('presence', seat.who === 'bot' ? 'bot' : seat.here ? 'here' : 'away'), title: W.whoSits[seat.who] }), h('span', { class: 'seat-name' }, seatName(table, i), h('small', {}, seat.who === 'open' || seat.who === 'invited' ? `${seat.role} · ${W.freeSeats[seat.who]}` : seat.name !== seat.role ? seat.role : seat.who === 'bot' ? W.bot : '', seat.hands > 1 && h('span', { class: 'hands' }, ` · ${W.hands(seat.hands)}`))),
        now.actor === i && seat.who === 'bot' && table.source.live && !table.look && !table.trial && h('span', { class: 'dots', title: W.thinking }, '···'),
        left !== null && h('span', { class: classes('clock', left < 15000 && 'low') }, `${clock.paused ? '⏸ ' : ''}${clockText(left)}`),
        seatButtons(table, seat, i),
        table.maySit(i) && h('button', { type: 'button', class: 'tiny primary', key: 'sit', onclick: () => table.sitDown(i) }, W.sitDown),
        (seat.who === 'open' || seat.who === 'invited') && table.canInvite(i) && h('button', { type: 'button', class: 'tiny', onclick: () => table.copyInvitation(i) }, W.invite));
    }), table.info.summary.spectators > 0 && h('small', { class: 'faint' }, W.spectators(table.info.summary.spectators))),
    offersView(table),
    table.mayAskToTell() && h('button', { type: 'button', class: 'tiny', key: 'tell', onclick: () => table.askToTell() }, W.notificationsOn),
    table.canSwitchViewer() && h('label', { class: 'viewer' }, W.asSeat, ' ', h('select', { value: String(table.asSeat), onchange: (event) => table.seeAs(Number(event.target.value)) }, h('option', { value: '-1', selected: table.asSeat === -1 }, W.everything), seats.map((seat, i) => h('option', { value: String(i), selected: table.asSeat === i, key: i }, seat.role)))),
    withBoard && rows.filter((panel) => !orderRows(rows).includes(panel)).map((panel) => panelView(panel, t)),
    shelves.map((panel) => shelfView(panel, t)),
    !listsOnStage(scene) && lists.map((panel) => panelView(panel, t)),
    asides.filter((panel) => panel.items.length).map((panel) => asideView(table, panel, t)),
    scene.board && scene.board.aside && h('button', { type: 'button', class: 'wide', onclick: () => table.openOverlay({ kind: 'map' }) }, sign('floor', 'map'), W.showMap));
}

/** What one may do about somebody else in a seat: the host, or everybody about who is away. */
function seatButtons(table, seat, i) {
  if (!table.source.live || table.live.outcome || seat.who !== 'person' || table.info.you.seats.includes(i) || table.places) return null;
  const button = (text, onclick) => h('button', { type: 'button', class: 'tiny', key: text, onclick }, text);
  const buttons = [
    table.isPlayer() && !seat.here && button(W.botForSeat, () => table.request('offer', { what: 'bot', seat: i })),
    table.info.you.host && button(seat.muted ? W.unmute : W.mute, () => table.request(seat.muted ? 'unmute' : 'mute', { seat: i })),
    table.info.you.host && button(W.remove, () => table.removeSeat(i))].filter(Boolean);
  return buttons.length ? h('span', { class: 'seat-buttons' }, buttons) : null;
}

/** What may be offered to the other people, and what was. */
function offersView(table) {
  const mine = table.info.you.seats;
  const others = (table.info.summary.seats || []).some((seat, i) => seat.who === 'person' && !mine.includes(i));
  if (!table.source.live || table.live.outcome || !mine.length || !others || table.info.summary.practice) return null;
  const offer = (what, text) => h('button', { type: 'button', class: 'tiny', key: what, onclick: () => table.request('offer', { what }) }, text);
  const made = table.offers.filter((one) => mine.includes(one.by));
  return h('section', { class: 'offer-buttons' },
    offer('draw', W.offerDraw), table.clock && (table.clock.paused ? offer('resume', W.offerResume) : offer('pause', W.offerPause)),
    made.map((one) => h('span', { key: one.offer }, W.offered(W.offerNames[one.what] || one.what), ' ', h('button', { type: 'button', class: 'tiny', onclick: () => table.withdraw(one) }, W.takeBackOffer))));
}

function deckLine(item) {
  const card = item.thing.card;
  return h('div', { class: 'line deck-line', title: [card.text, item.note].filter(Boolean).join('\n') }, h('span', { class: 'cost small' }, card.cost), h('span', {}, card.title), card.copies > 1 && h('small', {}, ` ×${card.copies}`));
}

/** What is only looked up, such as a deck: folded, and looked through where it is long. */
function asideView(table, panel, t) {
  const wanted = table.searched.get(panel.id);
  const text = ({ item }) => { const card = item.thing && item.thing.card; return card ? `${card.title} ${card.kind} ${card.text}` : item.text; };
  const shown = matching(wanted, panel.items.map((item, i) => ({ item, i })), text);
  return h('details', { class: 'panel aside', key: panel.id }, h('summary', {}, panel.title),
    searchView(wanted, panel.items.length, (word) => { table.searched.set(panel.id, word); table.draw(); }),
    h('div', { class: 'panel-lines' }, shown.map(({ item, i }) => (item.thing && item.thing.card ? deckLine(item) : lineView(panel, item, i, t))), !shown.length && h('p', { class: 'empty' }, W.noneFound)));
}

function panelView(panel, t) {
  if (!panel.items.length) return null;
  return h('section', { class: 'panel', key: panel.id }, h('h3', {}, panel.title), h('div', { class: 'panel-lines' }, panel.items.map((item, i) => lineView(panel, item, i, t))));
}

const TABS = ['log', 'why', 'branches', 'chat', 'steps', 'review'];

export function rightRail(table) {
  const shown = TABS.filter((tab) => (tab === 'chat' ? table.source.live : tab === 'steps' ? table.mayStep() : tab === 'review' ? table.review : true));
  return h('aside', { class: 'right-rail', 'aria-label': W.logAndReasons },
    h('div', { class: 'tabs', role: 'tablist', onkeydown: (event) => { const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]; if (by) { event.stopPropagation(); table.openTab(shown[(shown.indexOf(table.tab) + by + shown.length) % shown.length], true); } } }, shown.map((tab) => h('button', { type: 'button', role: 'tab', id: `tab-${tab}`, key: tab, 'aria-selected': table.tab === tab ? 'true' : 'false', 'aria-controls': 'tab-panel', tabindex: table.tab === tab ? 0 : -1, class: table.tab === tab ? 'on' : '', onclick: () => table.openTab(tab) }, W.tabs[tab], tab === 'chat' && table.unread > 0 && h('i', { class: 'unread' }, table.unread)))),
    h('div', { class: 'tab-panel', role: 'tabpanel', id: 'tab-panel', 'aria-labelledby': `tab-${table.tab}` }, { log: logView, why: whyView, branches: branchesView, chat: chatView, steps: stepsView, review: reviewView }[table.tab](table)));
}

function logView(table) {
  const { line, shown: recent, start, end } = table.logWindow();
  const shown = table.shownMoment();
  if (!line.length && !table.trial) return h('p', { class: 'empty' }, W.emptyLog);
  const stop = recent.includes(shown) ? shown : recent.at(-1);
  return h('div', { class: 'log', role: 'log', 'aria-live': 'off', onkeydown: walkLog, kept: (el) => table.scrollLog(el), made: (el) => table.scrollLog(el) }, start > 0 && h('button', { type: 'button', class: 'told more', key: 'earlier', tabindex: -1, onclick: () => table.earlier() }, W.earlier(start)), recent.map((moment) => {
    const node = table.nodes.get(moment);
    const told = table.told.get(moment);
    return memo(`entry ${moment}`, told, `${moment === shown} ${moment === stop} ${moment === table.here} ${node.text}`, () => entryView(table, moment, node, told, shown, moment === stop ? 0 : -1));
  }), end < line.length && h('button', { type: 'button', class: 'told more', key: 'later', tabindex: -1, onclick: () => table.lookAt(line[end]) }, W.moreLines(line.length - end)), table.trial && triedView(table));
}

/** What was tried in a what-if, below what has happened. */
function triedView(table) {
  return table.trial.steps.map((step, i) => {
    const told = step.told || [];
    const lines = told.filter((line) => line.kind !== 'input');
    const why = (n) => () => table.openTried(i, n);
    return h('article', { key: `tried ${i}`, class: 'entry tried' },
      h('button', { type: 'button', class: 'entry-head', tabindex: -1, title: W.why, onclick: why() }, (told.find((line) => line.kind === 'input') || {}).text || `${W.whatIf} ${i + 1}`),
      lines.slice(0, 14).map((line) => h('button', { type: 'button', key: line.n, tabindex: -1, class: classes('told', `kind-${line.kind}`), style: { '--depth': Math.min(line.depth, 6) }, title: W.why, onclick: why(line.n) }, numbersOf(line.text))),
      lines.length > 14 && h('button', { type: 'button', class: 'told more', tabindex: -1, onclick: why() }, W.moreLines(lines.length - 14)));
  });
}

/** The log is one stop for the Tab key; arrows walk through it. */
function walkLog(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const all = [...event.currentTarget.querySelectorAll('button')];
  const next = all[all.indexOf(document.activeElement) + by];
  event.preventDefault();
  event.stopPropagation();
  if (next) next.focus();
}

function entryView(table, moment, node, told, shown, tabindex) {
  const lines = told ? told.filter((one) => one.kind !== 'input') : [];
  return h('article', { key: moment, class: classes('entry', moment === shown && 'current', node.by !== null && node.by !== undefined && `by-${Math.min(node.by, 3)}`), 'data-moment': moment },
      h('button', { type: 'button', class: 'entry-head', tabindex, 'aria-label': W.momentText(moment, node.text || ''), onclick: () => { table.lookAt(moment); table.scrollTo('.head'); } }, node.text || '…'),
      lines.slice(0, 14).map((one) => h('button', { type: 'button', key: one.n, tabindex: -1, class: classes('told', `kind-${one.kind}`), style: { '--depth': Math.min(one.depth, 6) }, title: W.why, onclick: () => table.openWhy(moment, one.n) }, numbersOf(one.text))),
      lines.length > 14 && h('button', { type: 'button', class: 'told more', tabindex: -1, onclick: () => table.openWhy(moment) }, W.moreLines(lines.length - 14)));
}

const numbersOf = (text) => text.split(/((?<![\p{L}\d])[−+]?\d+(?:[–/×]\d+)?(?![\p{L}\d]))/u).map((part, i) => (i % 2 ? h('b', { key: i }, part) : part));

function whyView(table) {
  const { why } = table;
  if (!why) return h('p', { class: 'empty' }, W.whyEmpty);
  return h('div', { class: 'why' }, h('h3', {}, why.title || W.whyHere(why.moment)), h('ol', { class: 'tree' }, why.lines.map((line, i) => h('li', { key: i, class: classes('reason', `kind-${line.kind}`, line.n !== undefined && line.n === why.focus && 'focus', line.quiet && 'quiet'), style: { '--depth': line.depth }, made: line.n === why.focus ? (el) => requestAnimationFrame(() => el.scrollIntoView({ block: 'nearest' })) : undefined }, h('span', { class: 'kind-mark', title: line.kind }, { input: '▸', fact: '•', alteration: '±', reason: '=', prevented: '✕' }[line.kind] || '·'), h('span', {}, numbersOf(line.text)), line.chance !== undefined && h('em', {}, W.chance(line.chance, line.range))))));
}

function branchesView(table) {
  const list = table.branches || [];
  if (list.length < 2) return h('p', { class: 'empty' }, W.branchEmpty);
  return h('ul', { class: 'branches' }, list.map((branch) => h('li', { key: branch.tip, class: branch.current ? 'current' : '' },
    h('button', { type: 'button', onclick: () => table.lookAt(branch.current ? table.here : branch.tip) }, ui('branch'), h('span', {}, W.branchLine(branch.length, branch.last)), branch.current && h('em', {}, W.liveBranch)),
    table.mayGo() && !branch.current && h('button', { type: 'button', class: 'tiny', onclick: () => table.go(branch.tip) }, W.goBranch))));
}

/** What a host may do about a spectator who speaks. */
function hostButtons(table, said) {
  if (!table.info.you.host || (said.seat !== null && said.seat !== undefined)) return null;
  const button = (text, t) => h('button', { type: 'button', class: 'tiny', key: t, onclick: () => table.request(t, { name: said.name }) }, text);
  const muted = (table.info.muted || []).some((name) => name.toLowerCase() === said.name.toLowerCase());
  return [muted ? button(W.unmute, 'unmute') : button(W.mute, 'mute'), button(W.remove, 'remove')];
}

function chatView(table) {
  return h('div', { class: 'chat' }, h('div', { class: 'said-list', role: 'log', kept: (el) => { el.scrollTop = el.scrollHeight; } }, !table.chat.length && h('p', { class: 'empty' }, W.chatEmpty), table.chat.map((said) => h('p', { key: said.n, class: 'said' }, h('b', {}, said.name), ' ', said.text, said.moment ? h('button', { type: 'button', class: 'tiny', onclick: () => table.lookAt(said.moment) }, `#${said.moment}`) : null, hostButtons(table, said)))),
    table.info.you.host && h('label', { class: 'check hush' }, h('input', { type: 'checkbox', checked: Boolean(table.info.hushed), onchange: (event) => table.request('hush', { hushed: event.target.checked }) }), W.hush),
    h('form', { class: 'say', onsubmit: (event) => { event.preventDefault(); const field = event.target.elements.text; table.say(field.value); field.value = ''; } }, h('input', { name: 'text', maxlength: 500, autocomplete: 'off', placeholder: W.say, 'aria-label': W.say }), h('button', { type: 'submit', 'aria-label': W.send }, ui('send'))));
}

function stepsView(table) {
  const { steps } = table;
  if (!steps) return h('div', {}, h('p', { class: 'empty' }, W.stepsEmpty), h('button', { type: 'button', onclick: () => table.loadSteps() }, W.tabs.steps));
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const one = (step, i) => {
    const { step: done, queue, agenda, proposed, fields, ...rest } = step;
    const head = [done, ...['listener', 'verdict', 'effect', 'event', 'to'].map((name) => rest[name]).filter(Boolean).map(text)].join(' · ');
    return h('li', { key: i, class: classes('step', i === table.stepAt && 'current'), onclick: () => table.showStep(i), made: undefined },
      h('span', { class: 'step-head' }, head), i === table.stepAt && h('div', { class: 'waiting' }, [['queue', queue], ['agenda', agenda], ['proposed', proposed]].filter(([, list]) => list && list.length).map(([name, list]) => h('p', { key: name }, h('b', {}, `${name}: `), list.map(text).join(' · '))), (fields || []).map((field) => h('p', { key: field.field }, h('b', {}, `${field.field}: `), `${text(field.before)} → ${text(field.after)}`))));
  };
  return h('div', { class: 'steps' }, h('h3', {}, W.whyHere(table.stepsOf)), h('form', { class: 'say', onsubmit: (event) => { event.preventDefault(); table.nextStop(event.target.elements.stop.value); } }, h('input', { name: 'stop', placeholder: W.stopAt, 'aria-label': W.stopAt, autocomplete: 'off' }), h('button', { type: 'submit' }, W.nextStop)), h('ol', { class: 'step-list', tabindex: 0, onkeydown: (event) => { const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]; if (by) { event.preventDefault(); event.stopPropagation(); table.showStep(table.stepAt + by); } }, kept: (el) => { const current = el.querySelector('.current'); if (current) current.scrollIntoView({ block: 'nearest' }); } }, steps.map(one)));
}

function reviewView(table) {
  const { review } = table;
  if (!review || review === 'busy') return h('p', { class: 'empty' }, W.reviewing);
  if (!review.turns.length) return h('p', { class: 'empty' }, W.reviewNone);
  return h('ul', { class: 'branches' }, review.turns.map((turn) => h('li', { key: turn.moment }, h('button', { type: 'button', onclick: () => table.lookAt(turn.moment) }, ui('chart'), h('span', {}, W.reviewTurn(turn.label, turn.better, turn.before, turn.after))))));
}
