// Choosing by pointing: an option names what one points at, in order. Pure functions, no page.

export const samePick = (a, b) => JSON.stringify(a) === JSON.stringify(b);
export const pickKey = (pick) => JSON.stringify(pick);
export const cellPick = (x, y) => ({ cell: [x, y] });
export const itemPick = (panel, line) => ({ item: [panel, line] });
export const wordPick = (word) => ({ word });

/** The options whose picks begin with these. */
export function fitting(options, picks) {
  const out = [];
  options.forEach((option, number) => {
    if (picks.length <= option.picks.length && picks.every((pick, i) => samePick(pick, option.picks[i]))) out.push({ option, number });
  });
  return out;
}

/** What can be picked next, by key, with the options it leads to. */
export function nextPicks(options, picks) {
  const next = new Map();
  for (const found of fitting(options, picks)) {
    const pick = found.option.picks[picks.length];
    if (!pick) continue;
    const key = pickKey(pick);
    if (!next.has(key)) next.set(key, []);
    next.get(key).push(found);
  }
  return next;
}

/**
 * Points at something. Gives the new picks, and either `choose` (one option is meant) or `among` (several are, and
 * nothing more can be pointed at).
 */
export function point(options, picks, pick) {
  const next = nextPicks(options, picks);
  if (next.has(pickKey(pick))) {
    const now = [...picks, pick];
    const left = fitting(options, now);
    const done = left.filter(({ option }) => option.picks.length === now.length);
    // Of equal ones any will do.
    if (done.length && done.length === left.length && left.every(({ option }) => option.label === left[0].option.label)) return { picks: [], choose: left[0].number };
    if (done.length && done.length === left.length) return { picks: now, among: left };
    if (left.every(({ option }) => option.picks.slice(now.length).every((p) => p.word))) return { picks: now, among: left };
    return { picks: now };
  }
  const last = picks[picks.length - 1];
  if (last && samePick(last, pick)) {
    const left = fitting(options, picks);
    if (left.length === 1) return { picks: [], choose: left[0].number };
    return { picks: picks.slice(0, -1) };
  }
  // Something else that can begin: a new start, so that one need not let go first.
  if (picks.length && nextPicks(options, []).has(pickKey(pick))) return point(options, [], pick);
  return { picks: [], miss: true };
}

/**
 * What picks that were made beforehand come to: `choose` (one option is meant), or `picks` (more must be said), or null
 * (it cannot be done any more). Who acts may have been taken along or pointed at first where that says nothing, also
 * where he can be chosen himself.
 */
export function replay(options, picks, acting, ways = new Map()) {
  const [first, ...rest] = picks;
  const taken = rest.length > 0 && acting && first.cell && `${first.cell}` === `${acting}`;
  return replayed(options, picks, ways) || (taken ? replayed(options, rest, ways) : null);
}

function replayed(options, picks, ways) {
  let held = [], among = null;
  for (const wanted of picks) {
    const pick = held.length ? wanted : ways.get(pickKey(wanted)) || wanted;
    // Something is left over, or cannot be picked: nothing else is done instead.
    if (!nextPicks(options, held).has(pickKey(pick))) return null;
    const result = point(options, held, pick);
    held = [...held, pick];
    among = result.choose !== undefined ? fitting(options, held) : result.among || null;
  }
  const labels = new Set((among || []).map(({ option }) => option.label));
  return labels.size === 1 ? { choose: among[0].number } : { picks: held, among };
}

/** The words that can be planned after these picks, as they were in one's last turn: what is grave is not planned. */
export function planWords(options, picks) {
  const kind = (pick) => Object.keys(pick)[0];
  const at = picks.length;
  const found = options.filter((option) => !option.grave && option.picks[at] && option.picks[at].word && option.picks.slice(0, at).every((pick, i) => kind(pick) === kind(picks[i]) && (!pick.word || samePick(pick, picks[i]))));
  const words = new Map();
  for (const option of found) {
    const { word } = option.picks[at];
    // The labels name who acted then.
    if (!words.has(word)) words.set(word, { word, whole: option.picks.length === at + 1 });
  }
  return [...words.values()];
}

/** Without those that say the same as one before them. */
export function distinct(found) {
  const said = new Set();
  return found.filter(({ option }) => { const key = option.label + pickKey(option.picks); return !said.has(key) && said.add(key); });
}

/** Options that are chosen from buttons: nothing to point at, or only words. */
export function wordOptions(options, picks) {
  return fitting(options, picks).filter(({ option }) => option.picks.slice(picks.length).every((pick) => pick.word) && (option.picks.length > picks.length || option.picks.length === 0));
}
