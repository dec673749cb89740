// A small keyed patcher: h() says what should be there, draw() makes it so with the fewest changes.
// An element with a key stays the same element wherever its siblings go, so that what moves is seen moving.

const SVG = 'http://www.w3.org/2000/svg';

/** What should be there. Children may be nested lists; null, false and '' are left out. */
export function h(tag, props, ...kids) {
  return { tag, props: props || {}, kids: flat(kids, []), key: props ? props.key : undefined, el: null };
}

function flat(list, out) {
  for (const kid of list) {
    if (kid === null || kid === undefined || kid === false || kid === true || kid === '') continue;
    if (Array.isArray(kid)) flat(kid, out);
    else if (typeof kid === 'object') out.push(kid);
    else out.push({ text: String(kid), el: null });
  }
  return out;
}

/** Makes the children of `root` what `kids` says. */
export function draw(root, kids) {
  const next = flat([kids], []);
  children(root, root.turnstoneKids || [], next, false);
  root.turnstoneKids = next;
}

function create(v, svg) {
  if (v.text !== undefined) return (v.el = document.createTextNode(v.text));
  const inSvg = svg || v.tag === 'svg';
  const el = inSvg ? document.createElementNS(SVG, v.tag) : document.createElement(v.tag);
  v.el = el;
  for (const name in v.props) setProp(el, name, undefined, v.props[name]);
  if (v.props.html === undefined) children(el, [], v.kids, inSvg);
  if (v.props.made) v.props.made(el);
  return el;
}

function update(old, v, svg) {
  if (old === v) return;
  const el = (v.el = old.el);
  if (v.text !== undefined) {
    if (old.text !== v.text) el.data = v.text;
    return;
  }
  for (const name in old.props) if (!(name in v.props)) setProp(el, name, old.props[name], undefined);
  for (const name in v.props) if (old.props[name] !== v.props[name]) setProp(el, name, old.props[name], v.props[name]);
  if (v.props.html === undefined) children(el, old.kids, v.kids, svg || v.tag === 'svg');
  if (v.props.kept) v.props.kept(el);
}

const same = (a, b) => a.tag === b.tag && a.key === b.key && (a.text === undefined) === (b.text === undefined);

function children(el, olds, news, svg) {
  const keyed = new Map();
  const loose = [];
  for (const old of olds) {
    if (old.key === undefined) loose.push(old);
    // A key that two siblings share finds one of them; the other must not stay behind for ever.
    else if (keyed.has(old.key)) old.el.remove();
    else keyed.set(old.key, old);
  }
  let at = 0;
  for (const v of news) {
    let old;
    if (v.key !== undefined) {
      old = keyed.get(v.key);
      if (old && same(old, v)) keyed.delete(v.key);
      else old = undefined;
    } else {
      while (at < loose.length && !same(loose[at], v)) loose[at++].gone = true;
      old = loose[at++];
    }
    if (old) update(old, v, svg);
    else create(v, svg);
  }
  for (const old of olds) if (old.gone) old.el.remove();
  for (; at < loose.length; at++) loose[at].el.remove();
  for (const old of keyed.values()) old.el.remove();
  let place = el.firstChild;
  for (const v of news) {
    if (v.el === place) place = place.nextSibling;
    else el.insertBefore(v.el, place);
  }
}

const PROPERTIES = new Set(['value', 'checked', 'disabled', 'open', 'scrollTop', 'selected', 'indeterminate', 'htmlFor']);

function setProp(el, name, old, value) {
  if (name === 'key' || name === 'made' || name === 'kept') return;
  if (name === 'html') el.innerHTML = value || '';
  else if (name === 'style') {
    for (const key in old || {}) if (!value || !(key in value)) el.style.removeProperty(key);
    for (const key in value || {}) if (!old || old[key] !== value[key]) el.style.setProperty(key, value[key]);
  } else if (name.startsWith('on')) el[name.toLowerCase()] = value || null;
  else if (PROPERTIES.has(name)) {
    if (el[name] !== value) el[name] = value === undefined ? '' : value;
  } else if (value === undefined || value === null || value === false) el.removeAttribute(name === 'class' ? 'class' : name);
  else el.setAttribute(name, value === true ? '' : value);
}

const made = new Map();

/**
 * What was made for a place the last time, if the thing that is shown there and its state are the same: it is then
 * passed over whole. A thing is the same if it is the very one, or says the same.
 */
export function memo(place, thing, state, make) {
  const last = made.get(place);
  if (last && last.state === state && alike(last, thing)) return last.v;
  const v = make();
  made.set(place, { thing, state, v, said: null });
  return v;
}

function alike(last, thing) {
  if (last.thing === thing) return true;
  if (!last.thing || !thing) return false;
  last.said ??= JSON.stringify(last.thing);
  if (last.said !== JSON.stringify(thing)) return false;
  last.thing = thing;
  return true;
}

/** Nothing that was made for another table serves at this one. */
export function forgetMade() { made.clear(); }

/** Class names that are on. */
export function classes(...names) {
  let all = '';
  for (const name of names) if (name) all += all ? ` ${name}` : name;
  return all;
}
