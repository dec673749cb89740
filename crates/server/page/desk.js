// What lies around the stage: the head, bands that say where one is, what is pointed at, what can be done, dialogs.

import { h, classes } from './dom.js';
import { W } from './words.js';
import { bird, ui } from './art.js';
import { distinct, fitting, pickKey, wordOptions, wordPick } from './picks.js';
import { isNarrow } from './board.js';
import { asideBoard, countersView, mainBoard } from './stage.js';
import { matching, searchView } from './search.js';
import { seatName } from './rail.js';
import { mayAskToTell } from './turns.js';

const RESERVED = new Set(['w', 'y', 'h', 'u', 'f', 'm', 'l', 'b', '/', '?', '[', ']']);

export function headView(table, scene) {
  const button = (name, text, onclick, key) => h('button', { type: 'button', class: 'icon-button', key: name, title: key ? `${text} (${key})` : text, 'aria-label': text, onclick }, ui(name));
  const live = table.source.live;
  return h('header', { class: 'head', key: 'head' },
    live ? h('a', { class: 'home', href: '/', title: W.home, 'aria-label': table.waiting > 0 ? `${W.home}: ${W.waitElsewhere(table.waiting)}` : W.home, onclick: (event) => { event.preventDefault(); table.leave('/'); } }, bird(), table.waiting > 0 && h('i', { class: 'unread', title: W.waitElsewhere(table.waiting) }, table.waiting)) : h('span', { class: 'home' }, bird()),
    h('div', { class: 'head-title' }, h('strong', {}, table.info.game), h('span', { class: 'scene-title' }, scene.title)),
    h('div', { class: 'counters' }, countersView(scene, (names) => table.openNumbers(names))),
    h('nav', { class: 'head-buttons', 'aria-label': W.more },
      live && table.mayGo() && button('undo', W.undo, () => table.undo(), 'u'), live && !table.mayGo() && table.isPlayer() && button('undo', W.undo, () => table.undo(), 'u'),
      live && (table.info.summary.practice || table.live.outcome) && button('hint', W.hint, () => table.hint(), 'h'),
      live && button('branch', W.whatIf, () => (table.trial ? table.stopTrying() : table.tryOn([])), 'w'),
      live && (table.info.summary.practice || table.live.outcome) && table.nodes.size > 2 && button('chart', W.review, () => table.askReview()),
      mainBoard(scene) && !mainBoard(scene).graph && button('flip', W.flip, () => { table.flipped = !table.flipped; table.draw(); }, 'f'),
      live && button('link', W.link, () => table.copyLink()), table.mayDownload() && button('save', W.download, () => table.download()),
      button(table.sound ? 'sound' : 'mute', table.sound ? W.soundOff : W.soundOn, () => table.toggleSound(), 'm'), button('theme', W.theme, () => table.toggleTheme()), button('help', W.help, () => table.openOverlay({ kind: 'keys' }), '?')));
}

/** What others ask comes first, wherever one looks. */
export function bandView(table) { return h('div', { class: 'bands', key: 'bands' }, asksView(table), stateView(table)); }

function asksView(table) {
  const mine = table.info.you.seats || [];
  const asks = table.offers.filter((offer) => !mine.includes(offer.by) && mine.length);
  if (!asks.length) return null;
  return h('div', { class: 'band offer-band', key: 'asks', role: 'status' }, asks.map((offer) => h('span', { key: offer.offer }, `${table.offerText(offer)} `, h('button', { type: 'button', class: 'primary', onclick: () => table.request('answer', { offer: offer.offer, yes: true }) }, W.yes), h('button', { type: 'button', onclick: () => table.request('answer', { offer: offer.offer, yes: false }) }, W.no))));
}

/** What has happened since one looked away from the live match. */
function sinceThen(table) {
  const since = table.fresh() > 0 ? ` · ${W.newSince(table.fresh())}` : '';
  return table.live.outcome && since ? `${since} · ${table.ending()}` : since;
}

function stateView(table) {
  if (table.status === 'off' && table.source.live) return h('div', { class: 'band off', key: 'band', role: 'status' }, W.offline);
  if (table.trial) return h('div', { class: 'band try', key: 'band', role: 'status' }, h('span', {}, W.trying(table.trial.inputs.length), sinceThen(table)), table.trial.inputs.length > 0 && h('button', { type: 'button', onclick: () => table.tryOn(table.trial.inputs.slice(0, -1)) }, W.stepBack), h('button', { type: 'button', onclick: () => table.tryOn(table.trial.inputs, undefined, table.trial.world + 1) }, W.anotherWorld), h('button', { type: 'button', class: 'primary', onclick: () => table.stopTrying() }, W.stopTrying));
  if (table.look && table.source.live) {
    return h('div', { class: 'band past', key: 'band', role: 'status' }, h('span', {}, W.past(table.look.moment), sinceThen(table)), h('button', { type: 'button', onclick: () => table.tryOn([]) }, W.tryHere), table.mayGo() && h('button', { type: 'button', onclick: () => table.go(table.look.moment) }, W.goHere), h('button', { type: 'button', class: 'primary', onclick: () => table.lookAt(null) }, W.backToLive));
  }
  const mine = table.info.you.seats || [];
  const { next } = table.info.summary;
  const again = table.offers.find((offer) => offer.what === 'rematch' && mine.includes(offer.by));
  if (table.live.outcome && table.source.live) return h('div', { class: 'band end', key: 'band', role: 'status' }, h('strong', {}, table.ending()), table.info.reveal && table.info.reveal.seed !== undefined && h('button', { type: 'button', class: 'tiny', key: 'seed', onclick: () => table.openOverlay({ kind: 'seed' }) }, W.seedTold(table.info.reveal.seed)), again && h('span', { key: 'offered' }, W.offered(W.offerNames.rematch), ' ', h('button', { type: 'button', class: 'tiny', onclick: () => table.withdraw(again) }, W.takeBackOffer)), next && h('button', { type: 'button', class: 'primary', key: 'next', onclick: () => table.goAlong() }, W.nextMatch), table.isPlayer() && !again && !next && h('button', { type: 'button', class: 'primary', key: 'rematch', onclick: () => table.request('offer', { what: 'rematch' }) }, W.rematch), h('button', { type: 'button', onclick: () => table.askReview() }, W.review));
  return null;
}

/** What is under the cursor, and what choosing it would do. */
export function peekView(table, t) {
  const only = table.onlyOption();
  let head = '', lines = [];
  if (only) {
    head = only.option.label;
    lines = [only.option.preview, ...(only.option.forecast || []).flatMap((one) => [one.text, ...(one.why || [])])].filter((line, i, all) => line && all.indexOf(line) === i);
    const foretold = table.foretold ? table.foretold.lines.filter((line) => line.kind === 'fact' || line.kind === 'prevented').slice(0, 6) : [];
    if (foretold.length) lines = foretold.map((line) => `${line.text}${line.chance !== undefined ? ` · ${W.chance(line.chance, line.range)}` : ''}`);
  } else if (table.plan && table.plan.done) {
    head = planText(table);
  } else if (table.pointed) {
    const { pick = {} } = table.pointed;
    const board = table.shown().scene.board;
    if (pick.cell && board) head = (board.cells[pick.cell[1] * board.width + pick.cell[0]] || {}).note || '';
    else if (pick.item) { const item = table.itemOf(pick); if (item) { head = item.text; lines = (item.note || '').split('\n').filter(Boolean).slice(0, 6); } }
  }
  if (!head && table.plan) head = planText(table);
  if (!head && table.picks.length) head = W.pickNext;
  // Asked back here: there is always room for it, so that nothing moves.
  const asked = armedElsewhere(table);
  if (asked !== null) { const option = table.options()[asked]; return h('div', { class: 'peek asking', key: 'peek' }, h('button', { type: 'button', class: 'action grave armed', onclick: () => table.choose(asked) }, `${W.sure} ${option.label}`), h('button', { type: 'button', class: 'action quiet', onclick: () => table.escape() }, W.no), h('span', {}, option.preview || '')); }
  return h('div', { class: classes('peek', !head && 'nothing'), key: 'peek' }, h('strong', {}, head), lines.map((line, i) => h('span', { key: i }, line)));
}

/** What is asked back and has no button of its own: it was pointed at. */
function armedElsewhere(table) {
  if (typeof table.armed !== 'number' || !table.options()[table.armed]) return null;
  return wordsNow(table).some((found) => found.number === table.armed) ? null : table.armed;
}

/** The options that are buttons now. */
function wordsNow(table) { return distinct(table.among || wordOptions(table.options(), table.picks)).slice(0, 24); }

/** A premove in words: what is to go where, or what is to be done. */
function planText(table) {
  const board = mainBoard(table.shown().scene);
  const named = ({ cell, item, word }) => word || (item ? (table.itemOf({ item }) || {}).text || '…' : board && board.columns.length ? `${board.columns[cell[0]]}${board.rows[cell[1]]}` : cell.map((part) => part + 1).join(','));
  const { text, picks, done } = table.plan;
  return W.premove(text || `${picks.map(named).join(' → ')}${done ? '' : ' …'}`);
}

export function actionsView(table, scene, t) {
  const options = t.options;
  table.roomy ||= needsRoom(options);
  const turn = table.among ? W.chooseOne : table.clock && table.clock.paused && !table.live.outcome && !table.look && !table.trial ? W.paused : !table.source.live ? '' : table.live.outcome || table.look || table.trial ? '' : options.length ? W.yourTurn : table.isPlayer() || table.live.actor !== null ? (table.live.actor !== null && table.live.actor !== undefined ? W.waitingFor(seatName(table, table.live.actor)) : '') : W.watchingOnly;
  const plans = table.planWords();
  table.wordKeys = plans.length ? keysOf(plans.map(({ word }) => word)) : keysFor(options, table.picks);
  const question = scene.question || (table.shown().question && table.shown().question.text);
  const shown = wordsNow(table);
  const label = ({ option }) => { const word = option.picks[table.picks.length] && option.picks[table.picks.length].word; return table.picks.length || !word || word.length < 2 ? option.label : option.label || word; };
  const keyOfWord = (word) => (word && { up: '↑', down: '↓', left: '←', right: '→' }[word]) || table.wordKeys.get(word);
  const keyOf = ({ option }) => { const pick = option.picks[table.picks.length]; return keyOfWord(pick && pick.word); };
  const isPlanned = (word) => Boolean(table.plan && table.plan.picks && table.plan.picks.some((pick) => pick.word === word));
  return h('div', { class: classes('actions', options.length && 'open', table.roomy && 'roomy', shown.length > 4 && 'crowded'), key: 'actions', style: { 'min-height': options.length || !table.actionsHigh || isNarrow() ? '' : `${table.actionsHigh}px` } },
    isNarrow() && bandView(table),
    question && h('p', { class: 'question', role: 'status' }, question),
    h('div', { class: 'action-row' },
      turn && h('span', { class: classes('turn', options.length && 'mine') }, turn),
      shown.map((found) => h('button', { type: 'button', key: found.number, class: classes('action', found.option.grave && 'grave', table.armed === found.number && 'armed', table.hintAt === found.number && 'hinted', shown.length > 8 && 'compact'), title: found.option.preview || undefined, onclick: () => table.choose(found.number), ...table.pointing(found.number), 'data-option': found.number }, found.option.grave ? askTwice(label(found), table.armed === found.number) : label(found), keyOf(found) && h('kbd', { 'aria-hidden': 'true' }, keyOf(found)))),
      plans.map(({ word }) => h('button', { type: 'button', key: `plan ${word}`, class: classes('action quiet plan', isPlanned(word) && 'planned', plans.length > 8 && 'compact'), title: W.planIt, 'aria-pressed': isPlanned(word) ? 'true' : 'false', 'data-plan': word, onclick: () => table.pick(wordPick(word)) }, word, keyOfWord(word) && h('kbd', { 'aria-hidden': 'true' }, keyOfWord(word)))),
      options.length > 1 && h('button', { type: 'button', class: 'action quiet', key: 'moves', 'aria-expanded': table.listing ? 'true' : 'false', onclick: () => { table.listing = !table.listing; table.draw(); } }, `${W.moves} (${options.length})`),
      (options.length > 0 || table.isPlayer()) && table.source.live && !table.look && (!table.live.outcome || table.trial) && h('button', { type: 'button', class: 'action quiet', key: 'type', onclick: () => { table.typing = !table.typing; table.draw(); if (table.typing) table.focus('#typed'); } }, W.typed, h('kbd', { 'aria-hidden': 'true' }, '/')),
      table.source.live && table.isPlayer() && !table.live.outcome && !table.look && !table.trial && !options.some((option) => option.grave && /resign|surrender|give up/i.test(option.label)) && h('button', { type: 'button', class: classes('action quiet', table.armed === 'resign' && 'armed'), key: 'resign', onclick: () => { if (table.armed === 'resign') { table.armed = null; table.request('resign'); } else { table.armed = 'resign'; table.draw(); } } }, askTwice(W.resign, table.armed === 'resign')),
      options.some((option) => option.picks.length > 1) && h('button', { type: 'button', class: classes('action quiet', !table.picks.length && 'unseen'), key: 'let-go', disabled: !table.picks.length, onclick: () => table.escape() }, W.cancel)),
    table.typing && h('form', { class: 'typed', key: 'typed', onsubmit: (event) => { event.preventDefault(); const field = event.target.elements.move; if (field.value.trim()) table.typed(field.value.trim()); field.value = ''; } }, h('input', { id: 'typed', name: 'move', maxlength: 200, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: W.typedHelp, 'aria-label': W.typed }), h('button', { type: 'submit' }, W.send)),
    table.listing && h('div', { class: 'all-moves', key: 'all', role: 'group', 'aria-label': W.moves }, options.map((option, number) => h('button', { type: 'button', key: number, class: 'action compact', title: option.preview || undefined, onclick: () => table.choose(number), ...table.pointing(number) }, option.label))));
}

export function overlayView(table, scene, t) {
  const { kind } = table.overlay;
  const close = () => table.closeOverlay();
  let title = '', inside = null;
  if (kind === 'keys') { title = W.help; inside = h('dl', { class: 'keys' }, W.keys.map(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])); if (table.source.live && mayAskToTell()) inside = [inside, h('button', { type: 'button', onclick: () => table.askToTell() }, W.notificationsOn)]; } else if (kind === 'map' && scene.board) { title = W.showMap; inside = asideBoard(scene.board, t); } else if (kind === 'copy') { title = W.link; inside = h('input', { value: table.overlay.text, readonly: true, 'aria-label': W.link }); } else if (kind === 'pile') {
    const items = scene.panels.filter((panel) => panel.id === table.overlay.panel).flatMap((panel) => panel.items);
    const pile = items.map((item) => item.thing && item.thing.pile).find((one) => one && one.id === table.overlay.pile);
    title = pile ? W.pile(pile.name, pile.count) : '';
    inside = pile && pile.names && pile.names.length ? pileView(table, pile.names) : h('p', {}, W.emptyPile);
  } else if (kind === 'seed' && table.info.reveal) { title = W.seedTitle; inside = seedView(table); }
  return h('div', { class: 'overlay', key: 'overlay', role: 'dialog', 'aria-modal': 'true', 'aria-label': title, onclick: (event) => { if (event.target === event.currentTarget) close(); } }, h('div', { class: 'sheet' }, h('div', { class: 'sheet-head' }, h('h2', {}, title), h('button', { type: 'button', class: 'icon-button', 'aria-label': W.close, onclick: close }, ui('close'))), inside));
}

/** What lies in a pile, or what of it has a word in it. */
function pileView(table, names) {
  // Escape closes it, and then empties the field.
  const { overlay } = table;
  const shown = matching(overlay.wanted, names, (name) => name);
  return [searchView(overlay.wanted, names.length, (wanted) => { overlay.wanted = wanted; table.draw(); }), h('ul', { class: 'pile-names', key: 'names' }, shown.map((name, i) => h('li', { key: i }, name))), !shown.length && h('p', { class: 'empty', key: 'none' }, W.noneFound)];
}

/** How the dice can be checked: what was promised, and what it was made of. */
function seedView(table) {
  const { match, game, commitment, reveal } = table.info;
  const command = `turnstone verify ${game}-${match}.turn --commitment ${commitment} --salt ${reveal.salt}`;
  return [h('p', {}, W.seedWhy), h('dl', { class: 'seed' }, [[W.seed, reveal.seed], [W.salt, reveal.salt], [W.commitment, commitment]].map(([name, value]) => [h('dt', {}, name), h('dd', {}, h('code', {}, value))])), h('p', {}, W.seedCheck), h('p', { class: 'seed' }, h('code', {}, command)), h('button', { type: 'button', onclick: () => table.copy(command, W.commandCopied) }, W.copyCommand), table.mayDownload() && h('button', { type: 'button', onclick: () => table.download() }, W.download)];
}

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

/** A key for every word that can be picked next. */
function keysFor(options, picks) {
  const words = new Set();
  for (const { option } of fitting(options, picks)) { const pick = option.picks[picks.length]; if (pick && pick.word) words.add(pick.word); }
  return keysOf(words);
}

function keysOf(words) {
  const keys = new Map();
  const used = new Set(RESERVED);
  for (const word of words) if (word.length === 1) { keys.set(word, word); used.add(word); }
  for (const word of words) {
    if (keys.has(word) || ['up', 'down', 'left', 'right'].includes(word)) continue;
    const letter = [...word.toLowerCase()].find((c) => /[a-z]/.test(c) && !used.has(c));
    if (letter) { keys.set(word, letter); used.add(letter); }
  }
  return keys;
}
