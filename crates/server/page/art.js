// Everything that is drawn: solid silhouettes of our own, two tones, on a grid of 48. A thing without a picture
// gets a creature or a sign made from its name, so that a stranger's game looks decent on the first day.

import { h, classes } from './dom.js';

// Chess men. `f` is filled with the man's colour, `l` is drawn in its line colour, `d` is a detail in line colour.
const BASE = '<path class="f" d="M12 43c0-3 2-5 4-6h16c2 1 4 3 4 6z"/>';
const MEN = {
  pawn: '<path class="f" d="M24 8a7 7 0 0 1 4.6 12.3c4 2.4 6 6.5 6.4 11.7H13c.4-5.2 2.4-9.300 6.400-11.700A7 7 0 0 1 24 8z"/><path class="f" d="M11 43c0-4 1.500-7.500 4-9h18c2.500 1.500 4 5 4 9z"/>',
  rook: '<path class="f" d="M12 8h5v4h4.500V8h5v4H31V8h5v9l-4 4v12l3 3v2H13v-2l3-3V21l-4-4z"/><path class="f" d="M10 43c0-2.500 1-4.500 2.500-5.500h23C37 38.500 38 40.500 38 43z"/><path class="d" d="M16 21h16M16 33h16"/>',
  bishop: '<circle class="f" cx="24" cy="7.500" r="3"/><path class="f" d="M24 9.500c5 3.500 10 9.500 10 15.500 0 3.500-1.500 6.300-4 8H18c-2.500-1.700-4-4.500-4-8 0-6 5-12 10-15.500z"/><path class="f" d="M16 33h16v4H16z"/><path class="f" d="M9 43c3-3.500 8-2 11-4.500 1.500-1 6.500-1 8 0 3 2.500 8 1 11 4.500z"/><path class="d" d="M24 17v9M20 21h8M17 33h14"/>',
  knight: '<path class="f" d="M21 6l2 4.500C32.500 11.500 38 19 38 30c0 5-.5 9-1 13H14c0-8 8-11 7.500-18-2 2.500-5 3-6.500 5.500-1 1.800-3 2.500-4.500 1.500L8 30c-1-1-.8-2.300 0-3.500L15 15l-.5-5.500L18 12z"/><path class="d" d="M31 17c3.500 4 4.500 12 4 20"/><circle class="e" cx="18.500" cy="18" r="1.500"/>',
  queen: '<circle class="f" cx="6.500" cy="14" r="3"/><circle class="f" cx="15" cy="9" r="3"/><circle class="f" cx="24" cy="7" r="3"/><circle class="f" cx="33" cy="9" r="3"/><circle class="f" cx="41.500" cy="14" r="3"/><path class="f" d="M7 15.500l6 16.500h22l6-16.500-8 9.500-.5-14.500-6.500 13L24 8.500l-2 15-6.500-13L15 25z"/><path class="f" d="M11 43c-.5-4 1-7 2-11h22c1 4 2.500 7 2 11z"/><path class="d" d="M13 33c7-2 15-2 22 0M12 38.500c8-2 16-2 24 0"/>',
  king: '<path class="f" d="M22 3h4v4h4v4h-4v4h-4v-4h-4V7h4z"/><path class="f" d="M24 14c5 0 6 4 4.500 9 2-5 12-6 13.500 1 1 5-5 8-6.500 12h-23C11 32 5 29 6 24c1.500-7 11.500-6 13.500-1C18 18 19 14 24 14z"/><path class="f" d="M11.500 43c-.3-3 .2-5 1-7h23c.8 2 1.300 4 1 7z"/><path class="d" d="M12.500 36c7.500-2 15.500-2 23 0M24 21v12"/>',
};
const HORSE = '<path class="f" d="M21 6l2 4.500C32 11.500 37 19 37 29H18c1-4 3.500-4 3.500-8-2 2.500-5 3-6.500 5.500-1 1.800-3 2.500-4.500 1.500L8 26c-1-1-.8-2.300 0-3.500L15 13l-.5-3.500L18 11z"/><circle class="e" cx="18.500" cy="16.500" r="1.500"/>';
Object.assign(MEN, {
  archbishop: HORSE + '<path class="f" d="M15 31h20v5H15z"/><path class="f" d="M9 43c3-4 8-2.500 11-5 1.500-1 8.500-1 10 0 3 2.500 8 1 11 5z"/><path class="d" d="M29 16v9M25.500 19.500h7"/>',
  chancellor: HORSE + '<path class="f" d="M11 30h5v3h5v-3h6v3h5v-3h5v7l-2 1H13l-2-1z"/><path class="f" d="M10 43c0-2.500 1-4 2.500-5h23c1.500 1 2.500 2.500 2.500 5z"/>',
  amazon: HORSE + '<path class="f" d="M12 30l3 8h18l4-8-5 4-2-5-4 5-4-5-2 5z"/><path class="f" d="M11 43c0-3 1-4.500 2.500-5.500h21C36 38.500 37 40 37 43z"/>',
  centaur: HORSE + '<path class="f" d="M22 29h4v3h4v3h-4v3h-4v-3h-4v-3h4z"/><path class="f" d="M11 43c0-3 1-4.500 2.500-5.500h21C36 38.500 37 40 37 43z"/>',
  nightrider: HORSE + '<path class="f" d="M14 29h22l2 14H11z"/><path class="d" d="M17 34h15M16 38.500h17"/>',
  camel: '<path class="f" d="M10 12l6-4 3 3c0 8 2 10 4 10 1-5 3-7 5-7s4 2 4.500 6c5 2 6.500 10 6.500 23h-5l-1-11H20l-1 11h-5c0-9-2-13-2-20l-4-3z"/><circle class="e" cx="14.500" cy="11.500" r="1.300"/>',
  zebra: MEN.knight + '<path class="d" d="M24 12l4 9M28 13l5 10M23 30l12 2M22 35l14 2"/>',
  cannon: '<circle class="f" cx="16" cy="33" r="10"/><path class="f" d="M12 25L34 8l8 9-19 18z"/><path class="d" d="M33 9l8 9"/><circle class="e" cx="16" cy="33" r="3"/>',
  alfil: '<path class="f" d="M9 24c0-9 7-14 15-14s15 5 15 14v19h-8V33h-6v6c0 3-2 4-4 4s-3-2-3-4v-6c-5 0-9-4-9-9z"/><circle class="e" cx="17" cy="20" r="1.600"/>',
  dabbaba: '<path class="f" d="M24 7l16 13v17H8V20z"/><circle class="f" cx="15" cy="40" r="4"/><circle class="f" cx="33" cy="40" r="4"/><path class="d" d="M8 22h32M18 37V27h12v10"/>',
  'dragon-king': MEN.rook + '<path class="d" d="M19 26l5-4 5 4-5 4z"/>',
  'dragon-horse': MEN.bishop.replace('M24 17v9M20 21h8', 'M19 22l5-4 5 4-5 4z'),
  ferz: '<circle class="f" cx="24" cy="9" r="3.500"/><path class="f" d="M12 16l6 6 6-9 6 9 6-6-4 18H16z"/>' + BASE,
  wazir: '<path class="f" d="M17 8h14v6h5v6H12v-6h5z"/><path class="f" d="M17 20h14l3 15H14z"/>' + BASE,
  mann: '<circle class="f" cx="24" cy="12" r="6"/><path class="f" d="M14 35c0-9 4-15 10-15s10 6 10 15z"/><path class="d" d="M19 29h10"/>' + BASE,
  grasshopper: MEN.queen + '<path class="d" d="M18 26l6 5 6-5"/>',
  'gold-general': '<path class="f" d="M24 6l13 9-3 28H14l-3-28z"/><path class="d" d="M24 14v20M17 20h14M18 34h12"/>',
  'silver-general': '<path class="f" d="M24 6l13 9-3 28H14l-3-28z"/><path class="d" d="M17 18l14 14M31 18L17 32"/>',
});

// Bodies: people and monsters, drawn in one colour with dark details.
const HEAD = '<circle cx="24" cy="14" r="7.500"/>';
const TORSO = '<path d="M9 45c0-13 5-20 15-20s15 7 15 20z"/>';
const EYES = '<g class="k"><circle cx="21" cy="14" r="1.400"/><circle cx="27" cy="14" r="1.400"/></g>';
const BODIES = {
  fighter: '<path d="M24 5c6 0 9 4 9 10v5H15v-5c0-6 3-10 9-10z"/>' + TORSO + '<path class="k" d="M17 14h14v2.500H17zM22.800 14h2.400v7h-2.400z"/><path class="g" d="M5 26h13v8c0 5-3 8-6.500 10C8 42 5 39 5 34z"/><path class="g" d="M39 4l3 2-4 22 3 1-1 2-3-.5-1 5h-2l.500-5.500-3-1 .500-2 3 .500z"/>',
  rogue: '<path d="M24 3c8 2 11 9 11 17l-4 3H17l-4-3C13 12 16 5 24 3z"/>' + TORSO + '<path class="k" d="M17 13c3-2 11-2 14 0v4H17z"/><path class="g" d="M38 22l3 1-3 14 2 1-1 2-2-.5-1 4h-2l.500-4.500-2-.5v-2l2.500.2z"/>',
  wizard: '<path d="M24 1l9 17 6 2v2H9v-2l6-2z"/><circle cx="24" cy="22" r="6.500"/><path d="M9 46c0-12 5-19 15-19s15 7 15 19z"/><path class="k" d="M19 26c2 6 8 6 10 0l-1 11-4 4-4-4z"/><path class="g" d="M40 12a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM39 20h2v25h-2z"/>',
  cleric: HEAD + TORSO + EYES + '<path class="g" d="M22 28h4v5h5v4h-5v8h-4v-8h-5v-4h5z"/><path d="M14 12c0-7 5-10 10-10s10 3 10 10l-3-2c-4-2-10-2-14 0z"/>',
  ranger: '<path d="M24 4c7 1 10 7 10 14l-3 4H17l-3-4c0-7 3-13 10-14z"/>' + TORSO + '<path class="k" d="M18 13h12v5H18z"/><g class="k2"><circle cx="21" cy="15.500" r="1.300"/><circle cx="27" cy="15.500" r="1.300"/></g><path class="gs" d="M37 8c8 8 8 26 0 34M37 8v34"/>',
  goblin: '<path d="M3 10l13 4c2-3 14-3 16 0l13-4-9 12c0 5-5 9-12 9s-12-4-12-9z"/><path d="M12 45c0-10 4-15 12-15s12 5 12 15z"/><g class="k"><ellipse cx="19" cy="19" rx="2.400" ry="1.800"/><ellipse cx="29" cy="19" rx="2.400" ry="1.800"/><path d="M18 25h12l-2 2-2-1.500-2 1.500-2-1.500-2 1.500z"/></g>',
  rat: '<path d="M7 34c0-9 7-16 17-16l3-6c3-2 6 0 6 4 5 3 9 8 11 13-2 3-6 5-11 5z"/><path class="gs" d="M8 33c-5 1-6 6-2 8 6 2 12-1 20-1"/><g class="k"><circle cx="36" cy="24" r="1.600"/></g><path d="M14 34h4l-1 6h-4zM28 34h4l1 6h-4z"/>',
  skeleton: '<path d="M24 4c8 0 12 5 12 12 0 4-2 6-4 8v5H16v-5c-2-2-4-4-4-8 0-7 4-12 12-12z"/><g class="k"><ellipse cx="19" cy="16" rx="3" ry="3.500"/><ellipse cx="29" cy="16" rx="3" ry="3.500"/><path d="M24 20l2 4h-4zM18 26h1.500v3H18zM22 26h1.200v3H22zM25 26h1.200v3H25zM28.500 26H30v3h-1.500z"/></g><path class="gs" d="M24 31v13M15 34h18M16 38h16M18 42h12"/>',
  zombie: HEAD + '<path d="M12 45V30c0-4 5-6 12-6s12 2 12 6v15z"/><path d="M33 27h13v5H33zM30 33h14v5H30z"/><g class="k"><circle cx="21" cy="13" r="2.200"/><circle cx="27.500" cy="14" r="1.300"/><path d="M20 18h8v1.800h-8z"/></g>',
  bandit: HEAD + TORSO + '<path class="k" d="M16.500 14.500h15c0 5-3 8-7.500 8s-7.500-3-7.500-8z"/><g class="k"><circle cx="21" cy="11.500" r="1.400"/><circle cx="27" cy="11.500" r="1.400"/></g><path class="g" d="M6 30l14 10-1.500 2L5 32z"/>',
  wolf: '<path d="M9 5l8 8c4-2 10-2 14 0l8-8-1 18c-2 5-6 9-8 14-1 3-3 6-6 6s-5-3-6-6c-2-5-6-9-8-14z"/><g class="k"><path d="M15 20l6 2-4 3zM33 20l-6 2 4 3zM21 36h6l-3 4z"/></g>',
  cultist: '<path d="M24 3c9 4 12 12 12 20l4 22H8l4-22C12 15 15 7 24 3z"/><path class="k" d="M24 11c5 2 7 6 7 11 0 4-3 7-7 7s-7-3-7-7c0-5 2-9 7-11z"/><g class="k2"><circle cx="21" cy="21" r="1.500"/><circle cx="27" cy="21" r="1.500"/></g>',
  guard: '<path d="M24 4c7 0 10 4 10 9H14c0-5 3-9 10-9z"/><circle cx="24" cy="17" r="7"/>' + TORSO + '<g class="k"><circle cx="21" cy="17" r="1.400"/><circle cx="27" cy="17" r="1.400"/></g><path class="g" d="M40 2l3 7-2 1v36h-2V10l-2-1z"/>',
  ogre: '<path d="M15 20c0-8 4-13 9-13s9 5 9 13c9 1 13 8 13 25H2c0-17 4-24 13-25z"/><g class="k"><circle cx="20.500" cy="16" r="1.700"/><circle cx="27.500" cy="16" r="1.700"/><path d="M18 22h12v2l-2-1v3l-2-3h-4l-2 3v-3l-2 1z"/></g>',
  dark_knight: '<path d="M24 3l10 6v12l-4 5H18l-4-5V9z"/><path d="M7 45c0-13 6-18 17-18s17 5 17 18z"/><path class="k" d="M16 14h16l-2 4H18zM23 18h2v7h-2z"/><path d="M10 2l5 8-3 3zM38 2l-5 8 3 3z"/>',
  mage: HEAD + '<path d="M8 46c0-14 6-21 16-21s16 7 16 21z"/>' + EYES + '<path d="M24 1l6 10H18z"/><path class="g" d="M38 24l2 4 4 1-3 3 1 4-4-2-4 2 1-4-3-3 4-1z"/>',
  troll: '<path d="M12 6l6 6c3-2 9-2 12 0l6-6v14c6 2 9 10 9 25H3c0-15 3-23 9-25z"/><g class="k"><circle cx="19" cy="18" r="2"/><circle cx="29" cy="18" r="2"/><path d="M21 22h6l2 7-5-2-5 2z"/></g>',
  dragon_wyrmling: '<path d="M20 8l3-6 2 7c8 1 12 6 12 12l8 3-9 4c-2 6-7 9-13 9l-9 8 1-10C8 32 4 26 5 19l6 5c0-9 4-14 9-16z"/><g class="k"><circle cx="28" cy="17" r="2"/><path d="M33 23l6 1-6 2z"/></g>',
  lich: '<path d="M12 12l3-9 4 5 5-6 5 6 4-5 3 9z"/><path d="M24 10c8 0 11 4 11 10 0 4-2 6-4 8v4H17v-4c-2-2-4-4-4-8 0-6 3-10 11-10z"/><g class="k"><ellipse cx="19.500" cy="20" rx="3" ry="3.300"/><ellipse cx="28.500" cy="20" rx="3" ry="3.300"/><path d="M24 23l1.500 3.500h-3z"/></g><path d="M8 46c0-9 5-13 16-13s16 4 16 13z"/>',
  jaw_worm: '<path d="M5 24C5 12 13 5 24 5s19 7 19 17l-9-3-3 6-4-5-4 6-4-6-4 5-3-6z"/><path d="M6 30l6 3 3-6 4 6 5-6 4 6 4-6 4 6 7-4c0 10-7 15-19 15S6 40 6 30z"/><g class="k"><circle cx="17" cy="13" r="2.200"/><circle cx="31" cy="13" r="2.200"/></g>',
  louse: '<path d="M6 34c0-13 8-21 18-21s18 8 18 21c-4 5-32 5-36 0z"/><path class="gs" d="M10 36l-5 6M18 38l-3 6M30 38l3 6M38 36l5 6M17 14l-5-8M31 14l5-8"/><g class="k"><circle cx="18" cy="25" r="2.600"/><circle cx="30" cy="25" r="2.600"/><path d="M19 31h10v1.800H19z"/></g>',
  slime: '<path d="M24 6c6 7 9 9 14 17 5 9 1 20-14 20S5 32 10 23c5-8 8-10 14-17z"/><g class="k"><ellipse cx="18" cy="27" rx="2.600" ry="3.600"/><ellipse cx="30" cy="27" rx="2.600" ry="3.600"/><path d="M18 34c3 4 9 4 12 0z"/></g>',
  gremlin: '<path d="M2 16l14-3c2-4 14-4 16 0l14 3-11 6c1 10-4 15-11 15s-12-5-11-15z"/><g class="k"><circle cx="19" cy="20" r="2.400"/><circle cx="29" cy="20" r="2.400"/><path d="M17 27c4 5 10 5 14 0z"/></g><path d="M18 36h12l2 9H16z"/>',
  gremlin_nob: '<path d="M6 4c0 8 4 11 9 11h18c5 0 9-3 9-11 5 8 1 15-5 17 7 4 9 13 9 24H2c0-11 2-20 9-24C5 19 1 12 6 4z"/><g class="k"><path d="M16 20l6 2-2 3h-4zM32 20l-6 2 2 3h4zM17 30h14l-2 4H19z"/></g>',
  sentry: '<path d="M24 3l12 12-3 28H15l-3-28z"/><g class="k"><circle cx="24" cy="20" r="6"/></g><g class="k2"><circle cx="24" cy="20" r="3"/></g>',
  hexaghost: '<path d="M24 4c2 6 8 9 8 16a8 8 0 0 1-16 0c0-7 6-10 8-16zM8 18c1 4 5 6 5 10a5 5 0 0 1-10 0c0-4 4-6 5-10zM40 18c1 4 5 6 5 10a5 5 0 0 1-10 0c0-4 4-6 5-10zM14 31c1 4 5 6 5 10a5 5 0 0 1-10 0c0-4 4-6 5-10zM34 31c1 4 5 6 5 10a5 5 0 0 1-10 0c0-4 4-6 5-10z"/><g class="k"><circle cx="21" cy="20" r="1.800"/><circle cx="27" cy="20" r="1.800"/></g>',
  the_guardian: '<path d="M24 3l17 9v14c0 10-7 16-17 19C14 42 7 36 7 26V12z"/><g class="k"><path d="M13 18h22l-4 7H17z"/></g><g class="k2"><circle cx="24" cy="21" r="2.500"/></g>',
  fungi_beast: '<path d="M4 22C6 10 14 4 24 4s18 6 20 18z"/><path d="M16 22h16l4 22H12z"/><g class="k"><circle cx="20" cy="29" r="2"/><circle cx="28" cy="29" r="2"/><circle cx="15" cy="14" r="2.500"/><circle cx="29" cy="11" r="3"/><circle cx="36" cy="17" r="2"/></g>',
  ironclad: '<path d="M8 3c1 7 4 9 8 10l1 11h14l1-11c4-1 7-3 8-10l3 8c0 5-4 8-8 8v7l-6 5H19l-6-5v-7c-4 0-8-3-8-8z"/><path d="M5 46c0-13 7-18 19-18s19 5 19 18z"/><path class="k" d="M18 17h12v3H18zM23 17h2v8h-2z"/>',
  silent: '<path d="M24 3c7 2 11 8 11 16l2 8H11l2-8C13 11 17 5 24 3z"/><path d="M8 46c0-12 6-19 16-19s16 7 16 19z"/><path class="k" d="M18 14c3-2 9-2 12 0l-1 8-5 4-5-4z"/><g class="k2"><circle cx="21.500" cy="18" r="1.400"/><circle cx="26.500" cy="18" r="1.400"/></g>',
  defect: '<path d="M13 6h22v18H13z"/><path d="M23 1h2v6h-2z"/><circle cx="24" cy="2" r="2"/><path d="M8 45V30c0-2 2-4 4-4h24c2 0 4 2 4 4v15z"/><g class="k"><circle cx="19.500" cy="14" r="3"/><circle cx="28.500" cy="14" r="3"/><path d="M18 32h12v7H18z"/></g><g class="k2"><circle cx="24" cy="35.500" r="2.200"/></g>',
  watcher: '<path d="M24 2c8 0 12 5 12 12v10H12V14C12 7 16 2 24 2z"/><circle cx="24" cy="16" r="7.500"/><path d="M9 46c0-13 5-21 15-21s15 8 15 21z"/><g class="k"><path d="M16 15h16v3H16z"/></g><g class="k2"><circle cx="24" cy="8" r="2"/></g>',
  robot: '<path d="M10 12h28v20H10z"/><path d="M23 4h2v8h-2zM14 34h8v10h-8zM26 34h8v10h-8zM4 16h5v12H4zM39 16h5v12h-5z"/><circle cx="24" cy="4" r="2.500"/><g class="k"><circle cx="18" cy="20" r="3"/><circle cx="30" cy="20" r="3"/><path d="M17 26h14v2.500H17z"/></g>',
  human: '<circle cx="24" cy="13" r="8"/><path d="M9 44c0-13 5-20 15-20s15 7 15 20z"/><g class="k"><circle cx="21" cy="13" r="1.500"/><circle cx="27" cy="13" r="1.500"/></g>',
  ghost: '<path d="M24 4c10 0 15 7 15 17v22l-5-5-5 5-5-5-5 5-5-5-5 5V21C9 11 14 4 24 4z"/><g class="k"><circle cx="19" cy="19" r="3"/><circle cx="29" cy="19" r="3"/></g>',
  stone: '<ellipse cx="24" cy="26" rx="18" ry="15"/><path class="g" d="M13 20c3-5 9-6 13-5-5 1-9 3-11 7z"/>',
};
const ALIASES = { red_louse: 'louse', green_louse: 'louse', awakened_one: 'cultist', looter: 'bandit', mugger: 'bandit', blue_slaver: 'guard', red_slaver: 'guard', taskmaster: 'ogre', slime_boss: 'slime', lagavulin: 'the_guardian', bronze_automaton: 'robot', sphere: 'sentry', giant_rat: 'rat', dire_wolf: 'wolf', acolyte: 'cultist', knight_errant: 'fighter', sleeping: 'human' };
const KINDS = [['slime', 'slime'], ['gremlin', 'gremlin'], ['louse', 'louse'], ['cultist', 'cultist'], ['wolf', 'wolf'], ['skelet', 'skeleton'], ['zombie', 'zombie'], ['goblin', 'goblin'], ['orc', 'ogre'], ['rat', 'rat'], ['dragon', 'dragon_wyrmling'], ['guard', 'guard'], ['knight', 'dark_knight'], ['wizard', 'wizard'], ['mage', 'mage'], ['ranger', 'ranger'], ['rogue', 'rogue'], ['cleric', 'cleric'], ['fighter', 'fighter'], ['ghost', 'ghost'], ['worm', 'jaw_worm']];

// Things that lie on a cell, in their own colours.
const THINGS = {
  coin: '<circle cx="24" cy="24" r="13" fill="#e2b23c"/><circle cx="24" cy="24" r="9.500" fill="none" stroke="#a87a15" stroke-width="2"/><path d="M22 18h4v12h-4z" fill="#a87a15"/>',
  gem: '<path d="M14 12h20l8 10-18 18L6 22z" fill="#38a3c9"/><path d="M14 12l4 10 6-10 6 10 4-10M6 22h36M18 22l6 18 6-18" fill="none" stroke="#d6f1fa" stroke-width="1.500"/>',
  box: '<path d="M8 10h32v30H8z" fill="#b98248"/><path d="M8 10h32v30H8zM8 10l32 30M40 10L8 40" fill="none" stroke="#7c5227" stroke-width="3"/>',
  metalbox: '<path d="M7 9h34v32H7z" fill="#7d8b94"/><path d="M7 9h34v32H7z" fill="none" stroke="#4a555c" stroke-width="3"/><g fill="#4a555c"><circle cx="12" cy="14" r="2"/><circle cx="36" cy="14" r="2"/><circle cx="12" cy="36" r="2"/><circle cx="36" cy="36" r="2"/></g>',
  key: '<g fill="none" stroke="currentColor" stroke-width="4.500" stroke-linecap="round"><circle cx="15" cy="24" r="7"/><path d="M22 24h19M34 24v7M41 24v6"/></g>',
  portal: '<circle cx="24" cy="24" r="17" fill="currentColor" opacity=".25"/><circle cx="24" cy="24" r="15" fill="none" stroke="currentColor" stroke-width="4"/><path d="M24 12a12 12 0 0 1 10 18M24 36a12 12 0 0 1-10-18M24 18a6 6 0 0 1 5 9" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/>',
  locked: '<path d="M9 4h30v42H9z" fill="currentColor"/><path d="M13 8h22v34H13z" fill="#0004"/><circle cx="24" cy="23" r="4.500" fill="#fff"/><path d="M22.500 24h3l1.500 9h-6z" fill="#fff"/>',
  opened: '<path d="M9 4h30v42h-5V9H14v37H9z" fill="currentColor"/><path d="M14 9l-8 4v30l8 3z" fill="currentColor" opacity=".6"/>',
  shield: '<path d="M24 5l16 5v13c0 10-6 16-16 20C14 39 8 33 8 23V10z" fill="#3b82b8"/><path d="M24 10v28c-7-3-11-8-11-15v-9z" fill="#9ccbe8"/>',
  boots: '<path d="M14 6h12v20l14 6v8H12z" fill="#8a5a2b"/><path d="M12 40h28v3H12zM14 12h12" stroke="#5d3b19" stroke-width="3"/><path d="M4 16h7M2 23h9M4 30h7" stroke="#d9572b" stroke-width="2.500"/>',
  spike: '<path d="M4 42l6-22 6 22zM16 42l8-32 8 32zM32 42l6-22 6 22z" fill="#8e9aa1" stroke="#4a555c" stroke-width="1.500"/>',
  lava: '<path d="M0 0h48v48H0z" fill="#b8371b"/><path d="M0 14c8-6 16 6 24 0s16 6 24 0M0 32c8-6 16 6 24 0s16 6 24 0" fill="none" stroke="#f5a623" stroke-width="4"/>',
  cart: '<path d="M4 30L36 12l6 10L10 40z" fill="#b98248"/><path d="M4 30L36 12l6 10L10 40zM14 24l6 10M25 18l6 10" fill="none" stroke="#7c5227" stroke-width="2.500"/><g fill="none" stroke="#4a3420" stroke-width="3"><circle cx="33" cy="34" r="9"/><path d="M33 25v18M24 34h18"/></g>',
  sarcophagus: '<path d="M16 4h16l8 12-5 28H13L8 16z" fill="#a9a294"/><path d="M16 4h16l8 12-5 28H13L8 16zM24 11v26M17 19h14" fill="none" stroke="#6b655a" stroke-width="3"/>',
  chain: '<g fill="none" stroke="#6f7b83" stroke-width="4.500"><ellipse cx="9" cy="24" rx="7" ry="5"/><ellipse cx="39" cy="24" rx="7" ry="5"/></g><path d="M14 24h20" stroke="#3f494f" stroke-width="5" stroke-linecap="round"/><ellipse cx="24" cy="24" rx="6.500" ry="5" fill="none" stroke="#6f7b83" stroke-width="4.500"/>',
  exit: '<path d="M12 5h24v38H12z" fill="#2f8f5b"/><path d="M16 9h16v34H16z" fill="#bfe8cf"/><path d="M20 26h9M25 21l6 5-6 5" fill="none" stroke="#2f8f5b" stroke-width="3"/>',
};

// Small signs, drawn in the colour of the text.
const SIGNS = {
  attack: '<path d="M38 4l6 6-22 22 4 4-3 3-5-5-7 7-4-4 7-7-5-5 3-3 4 4z"/>',
  defend: '<path d="M24 4l17 6v12c0 11-6 18-17 22C13 40 7 33 7 22V10z"/>',
  buff: '<path d="M24 5l16 18H30v20H18V23H8z"/>', debuff: '<path d="M24 43L8 25h10V5h12v20h10z"/>',
  sleep: '<path d="M6 8h16v4L12 24h10v5H5v-4L15 13H6zM27 20h15v4l-9 11h9v5H26v-4l9-11h-8z"/>',
  stun: '<path d="M24 3l5 13 14-4-8 12 11 8-14 2 1 14-9-10-9 10 1-14-14-2 11-8-8-12 14 4z"/>',
  escape: '<path d="M27 8l15 16-15 16v-9H6V17h21z"/>', magic: '<path d="M24 4l5 15 15 5-15 5-5 15-5-15-15-5 15-5z"/>',
  unknown: '<path d="M16 17c0-6 3-9 8-9s9 3 9 8c0 6-7 7-7 13h-4c0-8 6-9 6-13 0-2-1-4-4-4s-4 2-4 5zM22 34h5v6h-5z"/>',
  hp: '<path d="M24 42C12 33 5 26 5 17 5 10 10 6 15 6c4 0 7 2 9 6 2-4 5-6 9-6 5 0 10 4 10 11 0 9-7 16-19 25z"/>',
  gold: '<circle cx="24" cy="24" r="17"/><path class="k" d="M22 14h4v20h-4z"/>', energy: '<path d="M27 3L9 27h12l-3 18 20-26H25z"/>',
  turn: '<path d="M12 4h24v5c0 7-6 11-9 15 3 4 9 8 9 15v5H12v-5c0-7 6-11 9-15-3-4-9-8-9-15z"/>',
  floor: '<path d="M5 43v-9h10v-9h9v-9h10V7h9v36z"/>', act: '<path d="M8 44V6h3l26 9-26 10v19z"/>', points: '<path d="M24 4l6 13 14 2-10 10 2 15-12-7-12 7 2-15L4 19l14-2z"/>',
  monster: '<path d="M24 6c11 0 17 7 17 16 0 6-3 9-6 12v7H13v-7c-3-3-6-6-6-12C7 13 13 6 24 6z"/><g class="k"><circle cx="17" cy="22" r="4.500"/><circle cx="31" cy="22" r="4.500"/><path d="M24 28l2.500 5h-5z"/></g>',
  elite: '<path d="M4 4c2 8 6 9 9 9 3-3 7-5 11-5s8 2 11 5c3 0 7-1 9-9 4 9 1 15-4 18 0 5-3 9-6 12v8H14v-8c-3-3-6-7-6-12C3 19 0 13 4 4z"/><g class="k"><path d="M14 21l8 3-4 5zM34 21l-8 3 4 5zM24 30l2 4h-4z"/></g>',
  rest: '<path d="M24 4c2 8 12 12 12 23 0 7-5 11-12 11s-12-4-12-11c0-5 3-8 5-11 0 4 2 5 3 5 3-4 2-11 4-17z"/><path d="M7 40l34 5-1 3L6 43zM41 40L7 45l1 3 34-5z"/>',
  shop: '<path d="M18 4h12l-3 7c8 4 13 12 13 20 0 8-6 13-16 13S8 39 8 31c0-8 5-16 13-20z"/><path class="k" d="M22.500 20h3v3c4 .5 5 3 5 3l-3 1.500c-2-2.500-6-2-6 0s9 1.500 9 6.500c0 3-2 4.500-5 5v3h-3v-3c-4-.5-6-3-6-4l3-1.500c1 3 7 3 7 .5s-9-1.500-9-6.500c0-2.500 2-4 5-4.500z"/>',
  treasure: '<path d="M5 20c0-8 4-12 10-12h18c6 0 10 4 10 12v2H5zM5 25h14v6h10v-6h14v15H5z"/>',
  event: '<path d="M16 17c0-6 3-9 8-9s9 3 9 8c0 6-7 7-7 13h-4c0-8 6-9 6-13 0-2-1-4-4-4s-4 2-4 5zM22 34h5v6h-5z"/>',
  boss: '<path d="M6 20L4 4l10 7L24 2l10 9 10-7-2 16z"/><path d="M24 18c11 0 16 5 16 13 0 4-2 6-4 8v6H12v-6c-2-2-4-4-4-8 0-8 5-13 16-13z"/><g class="k"><circle cx="18" cy="31" r="4"/><circle cx="30" cy="31" r="4"/></g>',
  potion: '<path d="M19 4h10v4h-2v9c7 3 11 9 11 15 0 8-6 12-14 12s-14-4-14-12c0-6 4-12 11-15V8h-2z"/>',
  skill: '<path d="M24 4l17 6v12c0 11-6 18-17 22C13 40 7 33 7 22V10z"/><path class="k" d="M24 10v28c-7-4-11-8-11-16v-8z"/>', power: '<path d="M24 4l5 15 15 5-15 5-5 15-5-15-15-5 15-5z"/>',
  status: '<path d="M24 5a19 19 0 1 0 0 38 19 19 0 0 0 0-38zm-3 8h6v14h-6zm0 17h6v6h-6z"/>', curse: '<path d="M24 6c11 0 17 7 17 16 0 6-3 9-6 12v7H13v-7c-3-3-6-6-6-12C7 13 13 6 24 6z"/><g class="k"><path d="M12 18l10 8M22 18l-10 8M26 18l10 8M36 18l-10 8" stroke="var(--surface)" stroke-width="3"/></g>',
  draw: '<path d="M8 10l20-5 8 30-20 5z"/><path class="k" d="M14 14l14-3.500 1 4L15 18z"/>', discard: '<path d="M10 14h22v28H10z"/><path d="M16 8h22v28h-3V11H16z"/>', exhaust: '<path d="M24 4c2 8 12 12 12 23 0 7-5 13-12 13s-12-6-12-13c0-5 3-8 5-11 0 4 2 5 3 5 3-4 2-11 4-17z"/>',
  jewel: '<path d="M14 8h20l9 11-19 23L5 19z"/>', thief: '<path d="M24 3c8 2 11 9 11 17l6 25H7l6-25C13 12 16 5 24 3z"/><path class="k" d="M17 15c3-2 11-2 14 0v5H17z"/>', spy: '<path d="M4 24c6-10 13-14 20-14s14 4 20 14c-6 10-13 14-20 14S10 34 4 24z"/><circle class="k" cx="24" cy="24" r="7"/>', fence: '<path d="M6 16h36v5H6zM6 28h36v5H6zM10 8l4-4 4 4v34h-8zM30 8l4-4 4 4v34h-8z"/>',
  coins: '<circle cx="24" cy="24" r="17"/><path class="k" d="M22 14h4v20h-4z"/>', round: '<path d="M24 5a19 19 0 1 0 0 38 19 19 0 0 0 0-38zm-2 8h4v10l8 5-2 3-10-6z"/>',
  strength: '<path d="M4 18h6v12H4zM12 12h6v24h-6zM20 20h8v8h-8zM30 12h6v24h-6zM38 18h6v12h-6z"/>', vulnerable: '<path d="M24 4l17 6v12c0 11-6 18-17 22l-3-12 6-8-6-6z"/><path d="M20 5l-3 14 6 6-5 8 2 9C11 37 7 31 7 22V10z"/>', weak: '<path d="M24 44L8 26h9l2-12h10l2 12h9zM14 4h20v6H14z"/>', poison: '<path d="M24 4c8 11 13 17 13 25a13 13 0 0 1-26 0C11 21 16 15 24 4z"/>', ritual: '<path d="M24 4l6 13 14 2-10 10 2 15-12-7-12 7 2-15L4 19l14-2z"/>', block: '<path d="M24 4l17 6v12c0 11-6 18-17 22C13 40 7 33 7 22V10z"/>', lock: '<path d="M14 20v-6a10 10 0 0 1 20 0v6h4v23H10V20zm5 0h10v-6a5 5 0 0 0-10 0z"/>', gem: '<path d="M14 8h20l9 11-19 23L5 19z"/>',
  exploding: '<path d="M24 2l4 11 9-7-2 11 12-1-9 8 9 8-12-1 2 11-9-7-4 11-4-11-9 7 2-11-12 1 9-8-9-8 12 1-2-11 9 7z"/>', atomic: '<circle cx="24" cy="24" r="6"/><g fill="none" stroke="currentColor" stroke-width="3.500"><ellipse cx="24" cy="24" rx="20" ry="8"/><ellipse cx="24" cy="24" rx="20" ry="8" transform="rotate(60 24 24)"/><ellipse cx="24" cy="24" rx="20" ry="8" transform="rotate(120 24 24)"/></g>', phantom: '<path d="M24 4c10 0 15 7 15 17v22l-5-5-5 5-5-5-5 5-5-5-5 5V21C9 11 14 4 24 4z"/>', marksman: '<path d="M22 3h4v8c7 1 10 4 11 11h8v4h-8c-1 7-4 10-11 11v8h-4v-8c-7-1-10-4-11-11H3v-4h8c1-7 4-10 11-11zm2 12a9 9 0 1 0 0 18 9 9 0 0 0 0-18z"/>', 'wall-placement': '<path d="M4 10h18v8H4zM26 10h18v8H26zM4 20h8v8H4zM16 20h16v8H16zM36 20h8v8h-8zM4 30h18v8H4zM26 30h18v8H26z"/>',
};
Object.assign(SIGNS, { fight: SIGNS.attack, elite_fight: SIGNS.elite, angry: SIGNS.strength, frail: SIGNS.vulnerable, wins: SIGNS.points, heap: SIGNS.gold, guard: SIGNS.defend, frost: SIGNS.magic, poisoned: SIGNS.poison, stunned: SIGNS.stun, defending: SIGNS.defend, dodging: SIGNS.defend, blessed: SIGNS.points, burning: SIGNS.rest, prone: SIGNS.debuff });

// Signs of the page itself.
const UI = {
  undo: '<path d="M20 8v9h10c8 0 13 6 13 12s-5 12-13 12H18v-6h12c4 0 7-3 7-6s-3-6-7-6H20v9L6 20z"/>', hint: '<path d="M24 4c9 0 15 6 15 14 0 6-4 9-6 14H15c-2-5-6-8-6-14C9 10 15 4 24 4zM16 35h16v4H16zM19 41h10v3H19z"/>', branch: '<path d="M13 6a5 5 0 0 1 2 9.500V20c0 5 5 5 10 6 6 1 10 3 10 8v1a5 5 0 1 1-4 0c0-3-2-4-7-5-3-.500-6-1-9-3v6a5 5 0 1 1-4 0V15.500A5 5 0 0 1 13 6z"/>', flip: '<path d="M14 4l9 10h-6v20h-6V14H5zM34 44l-9-10h6V14h6v20h6z"/>', sound: '<path d="M6 17h9L26 7v34L15 31H6zM31 15c6 4 6 14 0 18zM35 8c11 7 11 25 0 32l-2-3c8-6 8-20 0-26z"/>', mute: '<path d="M6 17h9L26 7v34L15 31H6zM31 18l3-3 5 5 5-5 3 3-5 5 5 5-3 3-5-5-5 5-3-3 5-5z"/>', theme: '<path d="M24 4a20 20 0 1 0 0 40zM24 4v40c11 0 20-9 20-20S35 4 24 4z" opacity=".5"/><path d="M24 4a20 20 0 1 0 0 40z"/>', help: SIGNS.event, home: '<path d="M24 5l20 17h-6v20H28V30h-8v12H10V22H4z"/>', link: '<path d="M20 28l-3-3 11-11c5-5 13 3 8 8l-5 5-3-3 5-5c1-1-1-3-2-2zM28 20l3 3-11 11c-5 5-13-3-8-8l5-5 3 3-5 5c-1 1 1 3 2 2z"/>', flag: SIGNS.act, chart: '<path d="M5 42V6h4v32h34v4zM13 30l8-10 7 6 12-16 3 2-14 20-8-6-5 7z"/>', list: '<path d="M6 10h36v5H6zM6 22h36v5H6zM6 34h36v5H6z"/>', save: '<path d="M22 4h4v22l7-7 3 3-12 12-12-12 3-3 7 7zM6 36h36v7H6z"/>', prev: '<path d="M32 6v36L12 24z"/>', next: '<path d="M16 6v36l20-18z"/>', last: '<path d="M10 6v36l18-18zM32 6h6v36h-6z"/>', play: '<path d="M12 5v38l30-19z"/>', pause: '<path d="M11 6h9v36h-9zM28 6h9v36h-9z"/>', send: '<path d="M4 6l40 18L4 42l6-15 18-3-18-3z"/>', bug: '<path d="M17 12a7 7 0 0 1 14 0zM14 16h20v18a10 10 0 0 1-20 0zM4 20h8v4H4zM36 20h8v4h-8zM4 32h8v4H4zM36 32h8v4h-8zM7 8l7 7-3 3-7-7zM41 8l-7 7 3 3 7-7z"/>', close: '<path d="M9 12l3-3 12 12L36 9l3 3-12 12 12 12-3 3-12-12-12 12-3-3 12-12z"/>',
};

// Names come from games: none may mean something that every object has.
for (const pictures of [MEN, BODIES, ALIASES, THINGS, SIGNS, UI]) Object.setPrototypeOf(pictures, null);

/** A turnstone on its stone: our sign. */
export const BIRD = '<path fill="#d9572b" d="M9 27c2-8 10-12 18-10l6-4c4-1 7 1 8 4l5 3-6 2c-2 7-8 12-16 12-3 0-6-1-8-2L4 40z"/><path fill="#efe7da" d="M27 17c4-1 8 0 10 2l-3 3c-3 0-6-2-7-5z"/><path fill="#1d2529" d="M24 22c5 1 8 4 14 3-2 6-7 9-14 9 3-3 3-8 0-12z"/><circle fill="#fff" cx="36.500" cy="17" r="1.500"/><path d="M22 35l-2 8M27 34l-1 9" stroke="#d9572b" stroke-width="2" fill="none"/><path fill="#8a949a" d="M8 43h32l3 4H5z"/>';

/** A number from a name, always the same. */
export function hash(text) {
  let n = 2166136261;
  for (let i = 0; i < text.length; i++) n = Math.imul(n ^ text.charCodeAt(i), 16777619);
  return n >>> 0;
}

/** A hue from a name, away from the colours of the two sides. */
export function hue(text) {
  return [205, 265, 310, 45, 95, 150, 235, 335, 75, 185][hash(text) % 10];
}

// A creature made from its name: body, eyes, mouth, something on its head.
function creature(name) {
  const n = hash(name);
  const pick = (list, shift) => list[(n >>> shift) % list.length];
  const body = pick(['M8 44c-4-20 4-32 16-32s20 12 16 32z', 'M6 44c0-10 4-14 6-20 2-8 6-12 12-12s10 4 12 12c2 6 6 10 6 20z', 'M5 30c0-11 8-18 19-18s19 7 19 18-8 14-19 14S5 41 5 30z', 'M10 14h28l4 30H6z'], 0);
  const crown = pick(['M12 16L8 3l10 9zM36 16l4-13-10 9z', 'M24 13l-4-10h8z', 'M16 13l-2-9 6 7 4-9 4 9 6-7-2 9z', 'M10 18L2 10l12 2zM38 18l8-8-12 2z', ''], 3);
  const eyes = pick(['<circle cx="18" cy="25" r="3"/><circle cx="30" cy="25" r="3"/>', '<circle cx="24" cy="24" r="5"/>', '<path d="M14 22l8 3-6 3zM34 22l-8 3 6 3z"/>', '<circle cx="16" cy="25" r="2"/><circle cx="24" cy="22" r="2.500"/><circle cx="32" cy="25" r="2"/>'], 6);
  const mouth = pick(['<path d="M17 33h14l-3 4-4-3-4 3z"/>', '<path d="M18 33c3 4 9 4 12 0z"/>', '<path d="M18 34h12v2.500H18z"/>', '<path d="M16 32l4 5 4-5 4 5 4-5z"/>'], 9);
  return `<path d="${body}"/><path d="${crown}"/><g class="k">${eyes}${mouth}</g>`;
}

function initials(name) {
  const words = name.replace(/[^\p{L}\p{N} _-]/gu, '').split(/[ _-]+/).filter(Boolean);
  return (words.length > 1 ? words[0][0] + words[1][0] : (words[0] || '?').slice(0, 2)).toUpperCase();
}

const svg = (cls, html, more) => h('svg', { viewBox: '0 0 48 48', class: cls, html, 'aria-hidden': 'true', ...more });

/** Whether there is a chess man of that name. */
export const isMan = (name) => name in MEN;
/** Whether there is a thing with colours of its own. */
export const isThing = (name) => name in THINGS;

/** A chess man. */
export function man(name, black) {
  return svg(black ? 'man black' : 'man white', MEN[name]);
}

/** A thing that lies about. */
export function thing(name, tint) {
  return svg(`thing thing-${name}`, THINGS[name], tint === undefined ? {} : { style: { color: `hsl(${tint} 65% 45%)` } });
}

function body(icon) {
  const plain = icon.replace(/[_ -]?\d+$/, '');
  const known = BODIES[plain] || BODIES[ALIASES[plain]];
  if (known) return known;
  const kind = KINDS.find(([part]) => plain.includes(part));
  return kind ? BODIES[kind[1]] : creature(plain || icon);
}

/** Somebody: drawn, or made from the name. */
export function figureArt(icon) {
  return svg('body', body(icon || '?'), { style: { '--tint': `hsl(${hue(icon || '?')} 45% 50%)` } });
}

/** A small sign; where there is none, letters in a shape of its own colour. */
export function sign(icon, name, cls) {
  const plain = (icon || '').toLowerCase();
  const found = SIGNS[plain] || UI[plain];
  if (found) return svg(classes('sign', cls), found);
  const tint = `hsl(${hue(icon || name)} 50% 42%)`;
  return svg(classes('sign letters', cls), `<rect x="4" y="4" width="40" height="40" rx="11" fill="${tint}"/><text x="24" y="31" text-anchor="middle" font-size="19" font-weight="700" fill="#fff">${escape(initials(name || icon || '?'))}</text>`);
}

/** A sign of the page itself. */
export function ui(name) {
  return svg('sign', UI[name] || SIGNS[name]);
}

/** Our sign. */
export const bird = () => svg('bird', BIRD);

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The picture on a card: a sign of its kind on a pattern of its own. */
export function cardArt(card) {
  const n = hash(card.icon || card.title);
  const tint = { attack: 8, skill: 200, power: 42, curse: 290, status: 220 }[card.kind] ?? hue(card.kind + card.title);
  const shapes = [];
  for (let i = 0; i < 5; i++) {
    const x = (n >>> (i * 5)) % 60, y = (n >>> (i * 3 + 2)) % 40, r = 5 + ((n >>> (i * 4)) % 12);
    shapes.push(`<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${(tint + i * 9) % 360} 50% ${38 + i * 6}%)" opacity=".55"/>`);
  }
  const kind = SIGNS[card.icon] || SIGNS[card.kind] || (card.kind === 'offer' ? SIGNS.treasure : SIGNS.magic);
  const turn = (n % 50) - 25;
  return h('svg', { viewBox: '0 0 60 40', class: 'card-art', 'aria-hidden': 'true', preserveAspectRatio: 'xMidYMid slice', html: `<rect width="60" height="40" fill="hsl(${tint} 42% 30%)"/>${shapes.join('')}<g transform="translate(30 20) rotate(${turn}) scale(.6) translate(-24 -24)" fill="#fff" color="#fff" opacity=".92">${kind}</g>` });
}

/** Whose a figure is, as a class. */
export const owner = (figure) => (figure.owner === undefined ? '' : `owner-${Math.min(figure.owner, 3)}`);

/** What belongs to nobody is a thing: the one that its name tells of, or else a box. */
function lyingThing({ icon, owner: whose }, ink) {
  if (isThing(icon)) return icon;
  const plain = (icon || '').replace(/[_ -]?\d+$/, '');
  if (whose !== undefined || ink !== 'neutral' || plain in BODIES || plain in ALIASES) return null;
  return Object.keys(THINGS).find((name) => plain.split('_').includes(name)) || 'box';
}

/** A figure as it stands on a cell. */
export function figurePicture(figure, ink) {
  const badges = (figure.badges || []).filter((badge) => !badge.icon.startsWith('group-'));
  const group = (figure.badges || []).find((badge) => badge.icon.startsWith('group-'));
  if (isMan(figure.icon)) return [man(figure.icon, figure.owner === 1), badges.length > 0 && h('span', { class: 'corner-badges' }, badges.slice(0, 3).map((badge) => sign(badge.icon, badge.name)))];
  const lying = lyingThing(figure, ink);
  const hp = (figure.gauges || []).find((gauge) => gauge.most);
  const bar = hp && !figure.down && h('span', { class: 'mini-bar', style: { '--part': hp.most ? hp.now / hp.most : 0 } });
  if (lying) return [thing(lying, group ? hue(group.icon) : undefined), bar];
  return [
    h('span', { class: classes('token', `side-${ink}`) }, figureArt(figure.icon), figure.facing && h('span', { class: 'facing', style: { '--turn': `${Math.atan2(figure.facing[1], figure.facing[0])}rad` } })),
    bar,
    badges.length > 0 && h('span', { class: 'corner-badges' }, badges.slice(0, 3).map((badge) => sign(badge.icon, badge.name))),
  ];
}
