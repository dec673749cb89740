// The ground of a board: one picture under all cells. Four hundred cells that change are then painted at once, instead
// of being styled, laid out and painted one by one.

const COLOURS = ['floor', 'floor-line', 'wall', 'water', 'rough', 'hot', 'bright', 'hidden', 'light-square', 'dark-square', 'recent'];
const TILE_COLOURS = { water: 'water', slippery: 'water', wall: 'wall', guardian: 'bright', tomb: 'hot' };
const PATTERNS = { wall: bricks, water: waves, slippery: waves, rough: dots, difficult: dots, fog: dots, guardian: ring, tomb: slab, pit: hole, void: stripes };
// Names come from games: none may mean something that every object has.
for (const table of [TILE_COLOURS, PATTERNS]) Object.setPrototypeOf(table, null);

const pictures = new Map();
let colours = null;

/** Colours are looked up anew: another theme, or another wish of the system. */
export function forgetColours() {
  colours = null;
  pictures.clear();
}

function colour(name) {
  if (!colours) {
    const style = getComputedStyle(document.documentElement);
    colours = new Map(COLOURS.map((one) => [one, style.getPropertyValue(`--${one}`).trim()]));
  }
  return colours.get(name);
}

/** How the ground of a cell looks; cells of the same look share a picture. */
export function lookOf(cell, x, y, chequered) {
  const odd = !chequered && cell.ground === 'plain' && (x + y) % 2 === 1;
  return `${chequered ? 'c' : 't'}${odd ? 'o' : 'e'}${cell.recent ? 'r' : '-'} ${cell.ground} ${cell.tile || ''}`;
}

/** Draws the ground of one cell. */
export function drawGround(context, look, left, top, width, height) {
  context.drawImage(picture(look, width, height), left, top, width, height);
}

function picture(look, width, height) {
  const key = `${width} ${height} ${look}`;
  let found = pictures.get(key);
  if (!found) {
    // A board that is drawn larger and larger leaves its smaller pictures behind.
    if (pictures.size > 500) pictures.clear();
    const canvas = new OffscreenCanvas(width, height);
    paintLook(canvas.getContext('2d'), look, width, height);
    found = canvas.transferToImageBitmap();
    pictures.set(key, found);
  }
  return found;
}

function paintLook(context, look, width, height) {
  const [marks, ground, ...rest] = look.split(' ');
  const tile = rest.join(' ');
  const chequered = marks[0] === 'c';
  fill(context, groundColour(ground, tile, chequered), width, height);
  if (marks[1] === 'o') fill(context, '#0000000d', width, height);
  const pattern = PATTERNS[tile] || (chequered && ground === 'hidden' ? stripes : PATTERNS[chequered && ground === 'wall' ? '' : ground]);
  if (pattern) pattern(context, width, height);
  if (!chequered && ground !== 'hidden' && ground !== 'wall') {
    context.strokeStyle = colour('floor-line');
    context.strokeRect(0, 0, width, height);
  }
  if (marks[2] === 'r') {
    context.globalAlpha = 0.45;
    fill(context, colour('recent'), width, height);
  }
}

function groundColour(ground, tile, chequered) {
  if (tile === 'fog') return '#b9c3cc';
  if (TILE_COLOURS[tile]) return colour(TILE_COLOURS[tile]);
  if (chequered && ground === 'plain') return colour('light-square');
  if (chequered && ground === 'dark') return colour('dark-square');
  return colour(ground) || colour('floor');
}

function fill(context, style, width, height) {
  context.fillStyle = style;
  context.fillRect(0, 0, width, height);
}

function bricks(context, width, height) {
  context.fillStyle = '#ffffff11';
  for (const row of [0, 0.5]) context.fillRect(0, row * height, width, height * 0.04);
  context.fillStyle = '#00000033';
  for (const row of [0.46, 0.96]) context.fillRect(0, row * height, width, height * 0.04);
  context.fillRect(width * 0.48, 0, width * 0.04, height * 0.46);
  context.fillRect(width * 0.22, height * 0.5, width * 0.04, height * 0.46);
  context.fillRect(width * 0.74, height * 0.5, width * 0.04, height * 0.46);
}

function waves(context, width, height) {
  context.strokeStyle = '#ffffff33';
  context.lineWidth = height * 0.05;
  for (const far of [0.5, 0.75, 1, 1.25]) {
    context.beginPath();
    context.arc(width / 2, height * 1.3, height * far, 0, Math.PI * 2);
    context.stroke();
  }
}

function dots(context, width, height) {
  context.fillStyle = '#00000022';
  for (const [x, y] of [[0.25, 0.25], [0.75, 0.25], [0.5, 0.5], [0.25, 0.75], [0.75, 0.75]]) disc(context, x * width, y * height, width * 0.06);
}

function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
}

function ring(context, width, height) {
  context.strokeStyle = '#2c7a4b';
  context.lineWidth = width * 0.06;
  context.beginPath();
  context.arc(width / 2, height / 2, width * 0.36, 0, Math.PI * 2);
  context.stroke();
}

function slab(context, width, height) {
  context.fillStyle = '#00000033';
  context.fillRect(width * 0.25, height * 0.24, width * 0.5, height * 0.6);
}

function hole(context, width, height) {
  context.fillStyle = '#3a2a1e';
  disc(context, width / 2, height / 2, width * 0.44);
  context.fillStyle = '#0c0f11';
  disc(context, width / 2, height / 2, width * 0.3);
}

function stripes(context, width, height) {
  fill(context, '#20282c', width, height);
  context.strokeStyle = '#2a343a';
  context.lineWidth = width * 0.18;
  for (let from = -1; from < 2; from += 0.5) {
    context.beginPath();
    context.moveTo(from * width, height);
    context.lineTo((from + 1) * width, 0);
    context.stroke();
  }
}
