// The stage: boards, maps, figures, cards, piles. Drawn from a scene and what can be picked, for any game.

import { h, classes } from './dom.js';
import { W } from './words.js';
import { cardArt, figureArt, isMan, man, owner, sign } from './art.js';
import { boardView } from './board.js';
import { cellPick, itemPick, pickKey } from './picks.js';

/** Splits the panels of a scene into where they lie. */
export function places(scene) {
  const out = { rows: [], hands: [], offers: [], piles: [], shelves: [], lists: [], asides: [] };
  const into = { row: 'rows', hand: 'hands', offer: 'offers', piles: 'piles', shelf: 'shelves', aside: 'asides' };
  for (const panel of scene.panels) out[into[panel.lie] || 'lists'].push(panel);
  return out;
}

export const mainBoard = (scene) => (scene.board && !scene.board.aside ? scene.board : null);

/** Everything on the stage. `t` is the table: what can be picked, and what happens when it is. */
export function stageView(scene, t) {
  const board = mainBoard(scene);
  const { rows, hands, offers, piles, lists } = places(scene);
  const fighting = !board && rows.length > 0;
  const parts = [];
  if (board) parts.push(orderRows(rows).map(orderView), board.graph ? graphView(board, t) : boardView(board, t));
  if (fighting) parts.push(arenaView(rows, t));
  const onStage = !board && !fighting ? lists.filter((panel) => panel.items.length) : [];
  if (onStage.length && !hands.length) parts.push(h('div', { class: 'page-of-text', key: 'text' }, onStage.map((panel) => storyView(panel, t))));
  if (offers.length) parts.push(h('div', { class: 'offers', key: 'offers' }, offers.map((panel) => offerView(panel, t))));
  if (hands.length || piles.length) parts.push(handsView(hands, piles, t));
  return h('div', { class: classes('stage-in', board && 'with-board', fighting && 'with-arena', hands.length && 'with-hand', offers.length && 'with-offers') }, parts);
}

/** Which list panels the stage shows itself, so that the rail need not. */
export function listsOnStage(scene) {
  const { rows, hands } = places(scene);
  return !mainBoard(scene) && !rows.length && !hands.length;
}

/** Rows of figures that all stand in rows before them: they tell an order, not who there is. */
export function orderRows(rows) {
  const known = new Set();
  return rows.filter((panel) => {
    const ids = panel.items.map((item) => item.thing && item.thing.figure && item.thing.figure.id).filter(Boolean);
    const told = ids.length > 1 && ids.every((id) => known.has(id));
    for (const id of ids) known.add(id);
    return told;
  });
}

/** An order as a row of portraits. */
function orderView(panel) {
  return h('ol', { class: 'order', key: `order ${panel.id}`, 'aria-label': panel.title }, h('span', { class: 'order-title', 'aria-hidden': 'true' }, panel.title), panel.items.filter((item) => item.thing && item.thing.figure).map((item) => {
    const { figure } = item.thing;
    const hp = (figure.gauges || []).find((gauge) => gauge.most);
    return h('li', { key: figure.id, class: classes(figure.active && 'active', figure.down && 'down'), title: item.text, 'aria-label': item.text, 'aria-current': figure.active ? 'true' : undefined }, h('span', { class: classes('portrait', owner(figure)) }, isMan(figure.icon) ? man(figure.icon, figure.owner === 1) : figureArt(figure.icon)), hp && h('span', { class: 'mini-bar', style: { '--part': hp.now / hp.most } }));
  }));
}

// ---- maps

function graphView(board, t) {
  const { nodes, edges } = board.graph;
  const rows = Math.max(...nodes.map((node) => node.at[1])) + 1;
  const columns = Math.max(...nodes.map((node) => node.at[0])) + 1;
  const place = (node) => [((node.at[0] + 0.5) / columns) * 100, ((node.at[1] + 0.5) / rows) * 100];
  const dense = nodes.length / rows > 1.2 ? 58 : 46;
  return h('div', { class: 'graph', key: 'graph', tabindex: -1, made: showHere, role: 'group', 'aria-label': W.showMap },
    h('div', { class: 'graph-in', style: { '--rows': rows, '--row-height': `${rows > 12 ? 58 : dense}px`, '--columns': columns } },
      h('svg', { class: 'ways', viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, edges.map(([a, b]) => {
        const [from, to] = [nodes[a], nodes[b]];
        const [x1, y1] = place(from), [x2, y2] = place(to);
        const taken = (from.visited || from.here) && (to.visited || to.here);
        const open = (from.here || from.open) && to.open;
        return h('path', { key: `${a}-${b}`, class: classes('way', taken && 'taken', open && 'open'), d: `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}` });
      })),
      nodes.map((node) => {
        const pick = cellPick(...node.at), key = pickKey(pick);
        const can = t.next.has(key);
        const [x, y] = place(node);
        return h('button', {
          type: 'button', key, class: classes('node', `room-${node.icon}`, node.here && 'here', node.visited && 'visited', node.open && 'open', can && 'first', t.pickedKeys.has(key) && 'picked', t.hintKeys.has(key) && 'hinted'), 'aria-label': `${node.name}${node.here ? ` (${W.youAreHere})` : ''}${can ? ` (${W.canPick})` : ''}`,
          style: { left: `${x}%`, top: `${y}%` }, onclick: () => t.pick(pick), onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null), onfocus: () => t.pointAt(pick, key), 'data-pick': key, 'aria-disabled': can ? undefined : 'true', title: node.name,
        }, sign(node.icon, node.name));
      })));
}

function showHere(element) {
  requestAnimationFrame(() => {
    const here = element.querySelector('.node.first, .node.here');
    if (here) element.scrollTop = here.offsetTop - element.clientHeight * 0.65;
  });
}

/** The map that is only looked up. */
export function asideBoard(board, t) {
  return board.graph ? graphView(board, t) : boardView(board, t);
}

// ---- figures in rows

function arenaView(rows, t) {
  const side = (panel) => panel.items.some((item) => item.thing && item.thing.figure && item.thing.figure.owner === 0);
  const ours = rows.filter(side), theirs = rows.filter((panel) => !side(panel));
  const group = (panels, cls) => h('div', { class: `side ${cls}`, key: cls }, panels.map((panel) => h('section', { class: 'figure-row', key: panel.id, 'aria-label': panel.title }, panel.items.map((item, i) => standing(panel, item, i, t)))));
  const many = rows.reduce((sum, panel) => sum + panel.items.filter((item) => item.thing && item.thing.figure).length, 0);
  return h('div', { class: 'arena', key: 'arena', style: { '--many': Math.max(3, many) } }, h('div', { class: 'ground-line', 'aria-hidden': 'true' }), group(ours, 'ours'), group(theirs, 'theirs'));
}

function standing(panel, item, index, t) {
  const figure = item.thing && item.thing.figure;
  const pick = itemPick(panel.id, index), key = pickKey(pick);
  if (!figure) return h('p', { class: classes('beside', `ink-${item.ink}`), key, title: item.note }, item.text);
  const can = t.next.has(key);
  const forecast = t.forecastOn.get(figure.id);
  return h('button', {
    type: 'button', key: figure.id, 'data-id': figure.id, 'data-pick': key, class: classes('standing', can && (t.picks.length ? 'target' : 'first'), figure.down && 'down', t.pickedKeys.has(key) && 'picked', t.hintKeys.has(key) && 'hinted', `side-${item.ink}`),
    'aria-label': `${item.text}${can ? ` (${t.picks.length ? W.canTarget : W.canPick})` : ''}`, 'aria-disabled': can ? undefined : 'true',
    onclick: () => t.pick(pick), onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null), onfocus: () => t.pointAt(pick, key), oncontextmenu: (event) => t.explain(event, item),
  },
  figure.intent && h('span', { class: `intent intent-${figure.intent.icon}`, title: `${figure.intent.name}\n${figure.intent.note || ''}` }, sign(figure.intent.icon, figure.intent.name), figure.intent.count && h('b', {}, figure.intent.count)),
  h('span', { class: 'picture' }, figureArt(figure.icon), forecast && h('span', { class: 'forecast-mark', title: (forecast.why || []).join('\n') || undefined }, forecast.text)),
  h('span', { class: 'figure-name' }, figure.name),
  gaugesView(figure),
  (figure.badges || []).length > 0 && h('span', { class: 'badges' }, figure.badges.map((badge) => badgeView(badge))));
}

/** Bars and shields of a figure. */
export function gaugesView(figure) {
  const bars = (figure.gauges || []).filter((gauge) => gauge.most);
  const loose = (figure.gauges || []).filter((gauge) => !gauge.most);
  return h('span', { class: 'gauges' }, loose.map((gauge) => h('span', { class: `loose gauge-${gauge.name}`, key: gauge.name, title: gauge.name }, sign(gauge.name, gauge.name), gauge.now)), bars.map((gauge) => h('span', { class: 'bar', key: gauge.name, style: { '--part': gauge.most ? Math.max(0, gauge.now / gauge.most) : 0 } }, h('span', { class: 'bar-text' }, `${gauge.now}/${gauge.most}`))));
}

export function badgeView(badge) {
  const text = [badge.name + (badge.count ? ` ${badge.count}` : ''), badge.note].filter(Boolean).join(': ');
  return h('span', { class: 'badge', key: badge.icon + badge.name, title: [text, ...(badge.why || [])].join('\n') }, sign(badge.icon, badge.name), badge.count && h('i', {}, badge.count));
}

// ---- cards

const numbers = (text) => text.split(/(\d+(?:[×x]\d+)?)/).map((part, i) => (i % 2 ? h('b', { key: i }, part) : part));

function cardLabel(item, card, can) {
  const parts = [card.copies > 1 && W.copies(card.copies), card.title, card.cost && `${W.cost} ${card.cost}`, card.price && `${W.price} ${card.price}`, card.text, card.after && `→ ${card.after}`, card.chosen && W.chosen, card.why_not && `${W.cannot}: ${card.why_not}`, can && W.canPick];
  return parts.filter(Boolean).join(', ');
}

export function cardView(panel, item, index, t, spread) {
  const card = item.thing.card;
  const pick = itemPick(panel.id, index), key = pickKey(pick);
  const can = t.next.has(key);
  if (card.hidden) return h('div', { class: 'card back', key: card.id || key, role: 'img', 'aria-label': card.title || W.faceDown, style: spread });
  return h('button', {
    type: 'button', key: card.id || key, 'data-id': card.id || undefined, 'data-pick': key, 'aria-label': cardLabel(item, card, can), 'aria-disabled': can ? undefined : 'true', 'aria-pressed': t.pickedKeys.has(key) ? 'true' : 'false',
    class: classes('card', `kind-${card.kind}`, card.rarity && `rarity-${card.rarity}`, can && 'first', !can && t.mine && 'closed', t.pickedKeys.has(key) && 'picked', card.chosen && 'chosen', t.hintKeys.has(key) && 'hinted'), style: spread,
    onpointerdown: (event) => t.press(event, pick, key), onclick: (event) => { if (event.detail === 0) t.pick(pick); }, onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null), onfocus: () => t.pointAt(pick, key), oncontextmenu: (event) => t.explain(event, item),
  },
  h('span', { class: 'card-head' }, card.cost !== undefined && card.cost !== '' && h('span', { class: 'cost' }, card.cost), h('span', { class: 'card-title' }, card.title)),
  cardArt(card),
  h('span', { class: 'card-kind' }, card.kind),
  h('span', { class: 'card-text' }, numbers(card.text), card.after && h('span', { class: 'after' }, '→ ', numbers(card.after))),
  card.copies > 1 && h('span', { class: 'copies' }, `×${card.copies}`),
  card.price && h('span', { class: 'price' }, sign('gold', 'gold'), card.price));
}

function handsView(hands, piles, t) {
  const all = piles.flatMap((panel) => panel.items.map((item, i) => ({ panel, item, i })).filter(({ item }) => item.thing && item.thing.pile));
  const pile = ({ panel, item, i }) => {
    const { id, name, count } = item.thing.pile;
    return h('button', { type: 'button', class: `pile pile-${id}`, key: id, 'data-pile': id, 'data-pick': pickKey(itemPick(panel.id, i)), onclick: () => t.openPile(panel.id, id), oncontextmenu: (event) => t.explain(event, item), 'aria-label': W.pile(name, count) }, sign(id, name), h('b', {}, count), h('span', {}, name));
  };
  const left = all.filter(({ item }) => item.thing.pile.id === 'draw'), right = all.filter(({ item }) => item.thing.pile.id !== 'draw');
  const isHidden = (panel) => panel.items.length > 0 && panel.items.every((item) => item.thing && item.thing.card && item.thing.card.hidden);
  // One's own hand is the nearest: others are held on the far side of the table.
  const across = [...hands.filter(isHidden), ...hands.filter((panel) => !isHidden(panel))];
  return h('div', { class: classes('hands', hands.length > 1 && 'several'), key: 'hands' },
    left.length > 0 && h('div', { class: 'pile-side', key: 'left' }, left.map(pile)),
    h('div', { class: 'hand-list', key: 'hand-list' }, across.map((panel) => {
      const cards = panel.items.filter((item) => item.thing && item.thing.card).length;
      const hidden = isHidden(panel);
      return h('section', { class: classes('hand', hidden && 'hidden-hand'), key: panel.id, 'aria-label': panel.title, style: { '--cards': Math.max(cards, 1) } },
        hands.length > 1 && h('h3', {}, panel.title),
        h('div', { class: 'fan' }, panel.items.map((item, i) => (item.thing && item.thing.card ? cardView(panel, item, i, t, { '--i': i - (panel.items.length - 1) / 2 }) : lineView(panel, item, i, t)))));
    })),
    right.length > 0 && h('div', { class: 'pile-side', key: 'right' }, right.map(pile)));
}

function offerView(panel, t) {
  return h('section', { class: 'offer', key: panel.id, 'aria-label': panel.title }, h('h3', {}, panel.title), h('div', { class: 'offer-cards' }, panel.items.map((item, i) => {
    if (item.thing && item.thing.card) return cardView(panel, item, i, t);
    if (item.thing && item.thing.badge) return wareView(panel, item, i, t);
    return lineView(panel, item, i, t);
  })));
}

function wareView(panel, item, index, t) {
  const badge = item.thing.badge;
  const pick = itemPick(panel.id, index), key = pickKey(pick), can = t.next.has(key);
  return h('button', { type: 'button', key, 'data-pick': key, class: classes('ware', can && 'first', !can && 'closed', t.pickedKeys.has(key) && 'picked', t.hintKeys.has(key) && 'hinted'), 'aria-label': item.text, 'aria-disabled': can ? undefined : 'true', onclick: () => t.pick(pick), onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null), onfocus: () => t.pointAt(pick, key) },
    sign(badge.icon, badge.name, 'large'), h('span', { class: 'ware-name' }, badge.name), h('span', { class: 'ware-note' }, badge.note), badge.count && h('span', { class: 'price' }, sign('gold', 'gold'), badge.count));
}

// ---- lists

/** A line of a panel; a button where it can be picked. */
export function lineView(panel, item, index, t) {
  const pick = itemPick(panel.id, index), key = pickKey(pick), can = t.next.has(key);
  const figure = item.thing && item.thing.figure;
  const counter = item.thing && item.thing.counter;
  const props = { key, 'data-pick': key, class: classes('line', `ink-${item.ink}`, can && 'first', t.pickedKeys.has(key) && 'picked', figure && figure.active && 'active', t.hintKeys.has(key) && 'hinted'), title: item.note || undefined, onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null) };
  const inside = figure
    ? [h('span', { class: classes('portrait', owner(figure)) }, isMan(figure.icon) ? man(figure.icon, figure.owner === 1) : figureArt(figure.icon)), h('span', { class: 'line-main' }, h('span', { class: 'line-name' }, figure.name), gaugesView(figure)), (figure.badges || []).length > 0 && h('span', { class: 'badges' }, figure.badges.map(badgeView))]
    : counter ? [sign(counter.id.replace(/\d+$/, ''), counter.name), h('span', {}, `${counter.name} `), h('b', {}, counter.most !== undefined ? `${counter.now}/${counter.most}` : counter.now)] : item.text;
  if (can) return h('button', { type: 'button', ...props, onclick: () => t.pick(pick), 'aria-label': item.text }, inside);
  return h('div', { ...props, 'aria-label': figure ? item.text : undefined, role: figure ? 'img' : undefined, oncontextmenu: (event) => t.explain(event, item) }, inside);
}

function storyView(panel, t) {
  return h('section', { class: 'story', key: panel.id }, h('h2', {}, panel.title), panel.items.map((item, i) => lineView(panel, item, i, t)));
}

/** Small things that one owns. */
export function shelfView(panel, t) {
  return h('section', { class: 'shelf', key: panel.id }, h('h3', {}, panel.title), h('div', { class: 'shelf-things' }, panel.items.map((item, i) => {
    const thingIs = item.thing || {};
    const pick = itemPick(panel.id, i), key = pickKey(pick), can = t.next.has(key);
    const inside = thingIs.badge ? [sign(thingIs.badge.icon, thingIs.badge.name), thingIs.badge.count && h('i', {}, thingIs.badge.count)] : thingIs.figure ? (isMan(thingIs.figure.icon) ? man(thingIs.figure.icon, thingIs.figure.owner === 1) : figureArt(thingIs.figure.icon)) : item.text;
    return h(can ? 'button' : 'span', { type: can ? 'button' : undefined, key, 'data-pick': key, role: can ? undefined : 'img', class: classes('small-thing', can && 'first', t.pickedKeys.has(key) && 'picked', t.hintKeys.has(key) && 'hinted'), 'aria-label': item.text, title: [item.text, item.note].filter(Boolean).join('\n'), onclick: can ? () => t.pick(pick) : undefined, onpointerenter: () => t.pointAt(pick, key), onpointerleave: () => t.pointAt(null), oncontextmenu: (event) => t.explain(event, item) }, inside);
  })));
}

/** The names of the numbers that something shows, for asking where they come from. */
export function numberNames(thing) {
  const { figure, counter, pile } = thing || {};
  if (counter || pile) return [(counter || pile).id];
  if (!figure || !figure.id) return [];
  const counted = (figure.badges || []).filter((badge) => /^-?\d+$/.test(badge.count || ''));
  return [...(figure.gauges || []).map((gauge) => `${figure.id}/${gauge.name}`), ...counted.map((badge) => `${figure.id}/${badge.icon}`)];
}

/** Numbers of the whole table; each can be asked where it comes from. */
export function countersView(scene, ask) {
  return (scene.counters || []).map((counter) => h('button', { type: 'button', class: `counter counter-${counter.id.replace(/\W+/g, '-')}`, key: counter.id, title: `${counter.note || counter.name}\n${W.askNumber}`, 'aria-label': `${counter.name} ${counter.most !== undefined ? `${counter.now}/${counter.most}` : counter.now}`, onclick: () => ask([counter.id]) }, sign(counter.id.replace(/[-\d].*$/, ''), counter.name), h('b', {}, counter.most !== undefined ? `${counter.now}/${counter.most}` : counter.now), h('span', { class: 'counter-name' }, counter.name)));
}
