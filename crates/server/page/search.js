// A field to look for something in a long list of words.

import { h } from './dom.js';
import { W } from './words.js';

/** From so many on a list is looked through. */
const SEARCHED = 5;

/** A field for what is wanted, where a list is long. */
export function searchView(wanted, length, look) {
  return length < SEARCHED ? null : h('input', { type: 'search', class: 'search', key: 'search', value: wanted || '', placeholder: W.search, 'aria-label': W.search, autocomplete: 'off', spellcheck: 'false', oninput: (event) => look(event.target.value) });
}

/** What of a list has all the wanted words in its text. */
export function matching(wanted, list, text) {
  const words = (wanted || '').toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter((one) => { const all = text(one).toLowerCase(); return words.every((word) => all.includes(word)); });
}
