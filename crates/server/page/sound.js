// Short sounds made on the spot: no files, nothing before the first gesture.

let context = null;
let on = true;

export function setSound(value) { on = value; }

/** Browsers allow sound after a gesture. */
export function wakeSound() {
  if (!on || context) return;
  const Audio = window.AudioContext || window.webkitAudioContext;
  if (Audio) try { context = new Audio(); } catch { context = null; }
}

function tone(frequency, start, length, kind, loud, glide) {
  const at = context.currentTime + start;
  const oscillator = context.createOscillator(), gain = context.createGain();
  oscillator.type = kind;
  oscillator.frequency.setValueAtTime(frequency, at);
  if (glide) oscillator.frequency.exponentialRampToValueAtTime(glide, at + length);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length + 0.02);
}

const SOUNDS = {
  move: () => { tone(210, 0, 0.07, 'triangle', 0.16, 120); tone(900, 0, 0.025, 'square', 0.02); },
  hit: () => { tone(130, 0, 0.16, 'sawtooth', 0.12, 55); tone(320, 0, 0.06, 'square', 0.04, 90); },
  card: () => { tone(700, 0, 0.05, 'triangle', 0.05, 300); },
  turn: () => { tone(523, 0, 0.12, 'sine', 0.1); tone(784, 0.1, 0.18, 'sine', 0.09); },
  end: () => { tone(392, 0, 0.2, 'sine', 0.1); tone(523, 0.16, 0.2, 'sine', 0.1); tone(659, 0.32, 0.36, 'sine', 0.1); },
  no: () => { tone(150, 0, 0.12, 'square', 0.04); },
  low: () => { tone(880, 0, 0.06, 'sine', 0.08); },
};

export function play(name) {
  if (!on || !context || !SOUNDS[name]) return;
  try { SOUNDS[name](); } catch { /* a sound less */ }
}
