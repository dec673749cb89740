// The lobby: the games, one click to play; my games; what is played in public; a match file to open.

import { h, draw, classes } from './dom.js';
import { W } from './words.js';
import { bird, figureArt, man, sign, thing, ui } from './art.js';
import { Pulse, api, ping, remember, remembered, takeAlong, takeSeat } from './source.js';
import { askToTell, isAwaited, mayAskToTell } from './turns.js';

/** So many of one's own games are shown until all are asked for. */
const FEW = 6;

const COVERS = {
  chess: () => [man('knight', false), man('queen', true), man('rook', false)],
  spire: () => [figureArt('ironclad'), figureArt('jaw_worm'), sign('rest', 'rest')],
  grid: () => [figureArt('human'), thing('gem'), thing('portal', 265)],
  skirmish: () => [figureArt('fighter'), figureArt('dragon_wyrmling'), figureArt('wizard')],
};

export class Lobby {
  constructor(root, enter) {
    Object.assign(this, { root, enter, games: null, matches: [], mine: [], form: null, error: null, busy: false });
    this.load();
    this.socket();
    this.draw();
  }

  close() { this.closed = true; if (this.ws) this.ws.close(); clearTimeout(this.timer); }

  async load() {
    try {
      this.games = (await api('GET', '/api/games')).games;
      // The server is there again.
      if (this.error && !this.error.code) this.error = null;
      const kept = remembered().matches;
      const asked = Object.entries(kept).map(([match, { tokens }]) => ({ match, tokens })).slice(-100);
      if (asked.length) this.mine = await this.askMine(asked);
      this.matches = (await api('GET', '/api/matches?limit=30')).matches;
    } catch (error) { this.error = error; }
    this.draw();
  }

  /** One's own games, and those that they went on in while one was away. */
  async askMine(asked) {
    const { matches } = await api('POST', '/api/mine', { matches: asked });
    for (const { match, next, seats, game } of matches) if (next) takeAlong(match, next, seats.length, game);
    const known = new Set(asked.map(({ match }) => match));
    const more = Object.entries(remembered().matches).filter(([match]) => matches.some(({ next }) => next === match) && !known.has(match));
    return more.length ? [...matches, ...await this.askMine(more.map(([match, { tokens }]) => ({ match, tokens })))] : matches;
  }

  /** What has become of the games that are not over. */
  hearMine(matches) {
    const known = new Map(matches.map((match) => [match.match, match]));
    this.mine = this.mine.map((match) => known.get(match.match) || match);
    this.draw();
  }

  /** What waits for one comes first, then what was played last; what is over is at the end. */
  mineInOrder() {
    const at = remembered().matches;
    const rank = (match) => (isAwaited(match) ? 0 : match.turn ? 1 : match.state === 'over' ? 3 : 2);
    const last = (match) => match.touched || (at[match.match] || {}).at || 0;
    return [...this.mine].sort((a, b) => rank(a) - rank(b) || last(b) - last(a));
  }

  forget(match) {
    remember((all) => { delete all.matches[match]; });
    this.mine = this.mine.filter((one) => one.match !== match);
    this.draw();
  }

  mineView() {
    const mine = this.mineInOrder(), most = this.allMine ? mine.length : FEW;
    const others = this.mine.some((match) => match.state !== 'over' && match.seats.some((seat, i) => seat.who !== 'bot' && !(match.mine || []).includes(i)));
    return h('section', { class: 'matches', key: 'mine' }, h('h2', {}, W.myGames, others && mayAskToTell() && h('button', { type: 'button', class: 'tiny', key: 'tell', onclick: () => askToTell().then(() => this.draw()) }, W.notificationsOn)), h('ul', {}, mine.slice(0, most).map((match) => this.matchLine(match, true))), mine.length > most && h('button', { type: 'button', class: 'tiny', onclick: () => { this.allMine = true; this.draw(); } }, W.moreLines(mine.length - most)));
  }

  socket() {
    const address = new URL('/ws', location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const ws = (this.ws = new WebSocket(address));
    const lost = () => { if (ws === this.ws) { this.ws = null; ws.onclose = null; ws.close(); closed(); } };
    const pulse = new Pulse(() => { const open = ws.readyState === WebSocket.OPEN; if (open) ping(ws); return open; }, lost);
    const closed = () => { pulse.stop(); if (this.closed) return; this.error ||= { message: W.offline }; this.draw(); this.timer = setTimeout(() => { this.socket(); this.load(); }, 2000); };
    ws.onopen = () => ws.send(JSON.stringify({ t: 'hello', protocol: 1, lobby: true }));
    ws.onmessage = (event) => { pulse.heard(); const message = JSON.parse(event.data); if (message.t === 'lobby') { this.matches = message.matches; this.draw(); } };
    ws.onclose = closed;
  }

  async start(body) {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    this.draw();
    try {
      const name = remembered().name || W.guest;
      const made = await api('POST', '/api/matches', { name, ...body });
      this.keep(made, body.game);
      this.enter(`/m/${made.match}`);
    } catch (error) { this.error = error; this.busy = false; this.draw(); this.showProblem(); }
  }

  keep(made, game) {
    const tokens = (made.seats || []).map((seat) => seat.token).filter(Boolean);
    const invitations = {};
    for (const seat of made.seats || []) if (seat.invitation) invitations[seat.seat] = seat.invitation;
    const seats = Object.fromEntries((made.seats || []).filter((seat) => seat.token).map((seat) => [seat.seat, seat.token]));
    remember((all) => { all.matches[made.match] = { tokens: [...tokens, ...(made.host ? [made.host] : [])], seats, invitations, game, at: Date.now() }; });
  }

  async join(match, seat) {
    try {
      await takeSeat(match.match, { name: remembered().name || W.guest, seat }, match.game);
      this.enter(`/m/${match.match}`);
    } catch (error) { this.error = error; this.draw(); }
  }

  async importFile(file) {
    try { const made = await api('POST', '/api/import', file); this.keep(made, 'import'); this.enter(`/m/${made.match}`); } catch (error) { this.error = error; this.draw(); }
  }

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = null; if (!this.closed) draw(this.root, this.view()); });
  }

  view() {
    const kept = remembered();
    // Where somebody waits one looks first.
    const awaited = this.mine.some(isAwaited);
    return h('main', { class: 'lobby', key: 'lobby' },
      h('header', { class: 'hero' }, bird(), h('div', {}, h('h1', {}, W.name), h('p', {}, W.tagline)), h('label', { class: 'name-field' }, W.yourName, h('input', { value: kept.name || '', maxlength: 40, placeholder: W.guest, onchange: (event) => remember((all) => { all.name = event.target.value.trim(); }) }))),
      !this.form && this.problemView(),
      awaited && this.mineView(),
      h('section', { class: 'games', 'aria-label': W.play }, (this.games || []).map((game) => this.gameCard(game))),
      this.form && this.formView(),
      this.mine.length > 0 && !awaited && this.mineView(),
      h('section', { class: 'matches' }, h('h2', {}, W.lobby), this.matches.length ? h('ul', {}, this.matches.map((match) => this.matchLine(match, false))) : h('p', { class: 'empty' }, W.noMatches)),
      h('footer', { class: 'lobby-foot' }, h('label', { class: 'file-button' }, ui('save'), W.importFile, h('input', { type: 'file', accept: '.turn,.gz,application/json', class: 'visually-hidden', onchange: (event) => event.target.files[0] && this.importFile(event.target.files[0]) })), h('button', { type: 'button', class: 'icon-button', 'aria-label': W.theme, title: W.theme, onclick: () => this.theme() }, ui('theme'))));
  }

  /** What went wrong, where one looks: in the form, if there is one. */
  problemView() { return this.error && h('p', { class: 'problem', key: 'problem', role: 'alert' }, this.error.message, ' ', this.error.code && h('code', {}, this.error.code)); }

  /** Shows what went wrong, and goes to the field that it is about. */
  showProblem() {
    requestAnimationFrame(() => {
      const told = this.root.querySelector('.problem');
      if (told) told.scrollIntoView({ block: 'nearest' });
      const field = told && told.parentElement.querySelector('label > :is(input, select)');
      if (field && told.closest('label')) field.focus();
    });
  }

  /** Whether what went wrong names an option. */
  names(option) { const { message } = this.error; return message.startsWith(`${option}: `) || message.includes(`\`${option}\``) || message.includes(`"${option}"`); }

  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    remember((all) => { all.theme = root.dataset.theme; });
  }

  gameCard(game) {
    const cover = (COVERS[game.name] || (() => [figureArt(game.name), sign(game.name, game.name)]))();
    return h('article', { class: classes('game-card', `game-${game.name}`), key: game.name },
      h('div', { class: 'cover', 'aria-hidden': 'true' }, cover),
      h('h2', {}, game.name), h('p', {}, game.about),
      h('div', { class: 'game-buttons' }, h('button', { type: 'button', class: 'primary', disabled: this.busy, 'data-play': game.name, onclick: () => this.start({ game: game.name }) }, W.practise), h('button', { type: 'button', 'data-setup': game.name, onclick: () => { this.error = null; this.form = { game, setup: (game.setups[0] || {}).id, ruleset: '', seats: [], wishes: {}, clock: 'none', minutes: 10, increment: 5, days: 2, watch: 'open', delay: 3, absent: 'wait', practice: true }; this.draw(); requestAnimationFrame(() => { const el = this.root.querySelector('.setup-form select, .setup-form input'); if (el) { el.focus(); el.scrollIntoView({ block: 'center' }); } }); } }, W.setUp)));
  }

  formView() {
    const { form } = this, { game } = form;
    const options = (game.options || []).filter((option) => !(option.setups || []).length || option.setups.some((setup) => setup === form.setup || (form.setup || '').startsWith(setup)));
    const select = (value, choices, change, name) => h('select', { name, onchange: (event) => { change(event.target.value); this.draw(); } }, choices.map(({ id, about }) => h('option', { value: id, key: id, selected: id === value }, id && about ? `${id}: ${about}`.slice(0, 90) : about || id)));
    const named = (value, words, change, name) => h('select', { name, onchange: (event) => { change(event.target.value); this.draw(); } }, Object.entries(words).map(([id, text]) => h('option', { value: id, key: id, selected: id === value }, text)));
    const field = (option) => {
      if (option.choices) return select(form.wishes[option.id] ?? option.choices[0].id, option.choices, (v) => { form.wishes[option.id] = v; }, option.id);
      const number = option.number;
      return h('input', { type: number ? 'number' : 'text', min: number && (number.min ?? number[0]), max: number && (number.max ?? number[1]), placeholder: String((number || option.words || {}).usual ?? ''), name: option.id, onchange: (event) => { if (event.target.value === '') delete form.wishes[option.id]; else form.wishes[option.id] = event.target.value; } });
    };
    const wrong = this.error && options.find((option) => this.names(option.id));
    const roles = game.seats && game.seats.length ? game.seats : [''];
    const seats = this.formSeats();
    const people = seats.filter((seat) => seat !== 'me' && !seat.startsWith('bot:')).length;
    return h('form', { class: 'setup-form', key: 'form', onsubmit: (event) => { event.preventDefault(); this.start(this.wanted(event.target.elements)); }, 'aria-label': W.setUp },
      h('h2', {}, `${W.setUp}: ${game.name}`),
      h('label', {}, W.setup, select(form.setup, game.setups, (v) => { form.setup = v; }, 'setup')),
      game.rulesets.length > 1 && h('label', {}, W.rules, select(form.ruleset, [{ id: '', about: W.usualRules }, ...game.rulesets], (v) => { form.ruleset = v; }, 'ruleset')),
      options.map((option) => h('label', { key: option.id, title: option.about }, option.question || option.id, field(option), option === wrong && this.problemView())),
      roles.map((role, i) => h('label', { key: `seat${i}` }, roles.length > 1 ? `${W.seat}: ${role}` : W.seat, h('select', { name: `seat${i}`, onchange: (event) => { form.seats = [...seats]; form.seats[i] = event.target.value; this.draw(); } },
        [['me', i > 0 && seats.slice(0, i).includes('me') ? W.hotSeat : W.me], ...(roles.length > 1 ? [['open', W.anybody], ['invited', W.invited]] : []), ...[...(game.levels || []), ...game.bots].map((bot) => [`bot:${bot.id}`, `${W.bot} ${bot.id}: ${bot.about}`.slice(0, 90)])].map(([id, text]) => h('option', { value: id, key: id, selected: id === seats[i] }, text))))),
      roles.length > 1 && h('label', {}, W.clock, h('span', { class: 'pair' }, named(form.clock, W.clockKinds, (v) => { form.clock = v; }, 'clock'),
        form.clock === 'minutes' && [h('input', { name: 'minutes', key: 'minutes', type: 'number', min: 1, max: 1440, value: form.minutes, required: true, 'aria-label': W.minutes, onchange: (event) => { form.minutes = event.target.value; } }), ' + ', h('input', { name: 'increment', key: 'increment', type: 'number', min: 0, max: 3600, value: form.increment, 'aria-label': W.increment, title: W.increment, onchange: (event) => { form.increment = event.target.value; } })],
        form.clock === 'days' && h('input', { name: 'days', key: 'days', type: 'number', min: 1, max: 60, value: form.days, required: true, 'aria-label': W.days, onchange: (event) => { form.days = event.target.value; } }))),
      h('label', {}, W.watching, h('span', { class: 'pair' }, named(form.watch, W.watchModes, (v) => { form.watch = v; }, 'watch'), form.watch === 'delayed' && h('input', { name: 'delay', key: 'delay', type: 'number', min: 1, max: 1000, value: form.delay, 'aria-label': W.delay, title: W.delay, onchange: (event) => { form.delay = event.target.value; } }))),
      people > 0 && h('label', { key: 'absent' }, W.absent, h('span', { class: 'pair' }, named(form.absent, W.absentModes, (v) => { form.absent = v; }, 'absent'), form.absent !== 'wait' && h('input', { name: 'patience', key: 'patience', type: 'number', min: 5, max: 86400, value: form.patience || '', placeholder: form.clock === 'days' ? String(86400 * form.days) : '120', 'aria-label': W.patience, title: W.patience, onchange: (event) => { form.patience = event.target.value; } }))),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'public' }), W.isPublic),
      people === 0 && h('label', { class: 'check', key: 'practice' }, h('input', { type: 'checkbox', name: 'practice', checked: form.practice, onchange: (event) => { form.practice = event.target.checked; } }), W.practiceIs),
      !wrong && this.problemView(),
      h('div', { class: 'game-buttons' }, h('button', { type: 'submit', class: 'primary', disabled: this.busy }, W.start), h('button', { type: 'button', onclick: () => { this.form = this.error = null; this.draw(); } }, W.cancel)));
  }

  /** Who sits where, as the form says: by default oneself first, then the level in the middle. */
  formSeats() {
    const { form } = this, { game } = form;
    const bots = (game.levels || []).length ? game.levels : game.bots;
    const usual = bots.length ? `bot:${bots[Math.floor(bots.length / 2)].id}` : 'open';
    return (game.seats && game.seats.length ? game.seats : ['']).map((_, i) => form.seats[i] || (i === 0 ? 'me' : usual));
  }

  /** What the form asks the server for. */
  wanted(fields) {
    const { form } = this;
    const seats = this.formSeats();
    const body = { game: form.game.name, wishes: form.wishes, watch: form.watch, seats: seats.map((seat) => (seat.startsWith('bot:') ? { who: 'bot', bot: seat.slice(4) } : { who: seat })) };
    if (form.setup) body.setup = form.setup;
    if (form.ruleset) body.ruleset = form.ruleset;
    if (fields.public.checked) body.public = true;
    if (form.clock === 'minutes') body.clock = { minutes: Number(form.minutes), increment: Number(form.increment || 0) };
    if (form.clock === 'days') body.clock = { days: Number(form.days) };
    if (form.watch === 'delayed') body.delay = Number(form.delay);
    if (fields.absent) body.absent = form.absent;
    if (fields.patience && form.patience) body.patience = Number(form.patience);
    if (fields.practice) body.practice = fields.practice.checked;
    return body;
  }

  matchLine(match, mine) {
    const free = match.seats.filter((seat) => seat.who === 'open');
    const names = match.seats.map((seat) => seat.name || seat.role).join(' · ');
    return h('li', { key: match.match, class: classes('match-line', match.turn && 'my-turn') },
      h('button', { type: 'button', class: 'match-main', onclick: () => this.enter(`/m/${match.match}`) }, h('strong', {}, match.game), h('span', {}, match.title), h('small', {}, names)),
      match.turn && h('em', {}, W.yourTurn),
      !mine && free.map((seat) => h('button', { type: 'button', key: seat.seat, class: 'primary', onclick: () => this.join(match, seat.seat) }, `${W.join} (${seat.role})`)),
      h('button', { type: 'button', onclick: () => this.enter(`/m/${match.match}`) }, !mine ? W.watch : match.state === 'over' ? W.lookBack : W.resume),
      mine && match.state === 'over' && h('button', { type: 'button', class: 'tiny', key: 'forget', title: W.forget, 'aria-label': `${W.forget}: ${match.game}, ${names}`, onclick: () => this.forget(match.match) }, '×'));
  }
}
