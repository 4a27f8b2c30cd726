// The page as a whole: who may see it, which view is open, what the keys do, what the server tells.

import { byId, h, plainName, some } from './dom.js';
import { get, listen, login } from './api.js';
import { Detail } from './detail.js';
import * as dialogs from './dialogs.js';
import { applyTheme, nextTheme } from './settings.js';
import { keyOf, Timeline } from './timeline.js';
import { Activity, Checkpoints, Files } from './views.js';
import { Waiting } from './waiting.js';
import { numberOf, verbOf } from './words.js';

const VIEWS = ['timeline', 'approvals', 'files', 'activity', 'checkpoints'];
const EVENTS = ['edits', 'gone', 'call', 'waiting', 'checkpoints', 'reload'];

let timeline;
let detail;
let waiting;
let views;
let server = null;
let view = 'timeline';

// ---- The server -----------------------------------------------------------------------------

async function readState() {
  server = await get('/api/state');
  byId('where').textContent = server.roots.map(plainName).join('  ');
  byId('where').title = server.roots.map(plainName).join('\n');
  document.querySelector('[data-view="approvals"]').hidden = !server.approve;
  return server;
}

const LIVE = {
  live: 'live', waiting: 'reconnecting', locked: 'locked', connecting: 'connecting',
};

function setLive(state) {
  byId('live').className = `live is-${state}`;
  byId('live-text').textContent = LIVE[state];
  if (state !== 'locked') return;
  timeline = null; // and with it the keys
  showLock('The server does not know this page any more: it was started again with another token.');
}

// Views are read again when something was done, but not for each of many things: sums over a long
// history cost the server some time.
const REFRESH_MS = 3000;
let due = 0;
function refreshSoon() {
  if (due || !views[view]) return;
  due = setTimeout(() => {
    due = 0;
    views[view]?.load().catch(() => {});
  }, REFRESH_MS);
}

async function onHello(data) {
  const isAnother = server && data.epoch !== server.epoch;
  if (data.resumed && !isAnother) return;
  await readState();
  await timeline.reload();
  if (server.approve) await waiting.load();
  if (detail.key) detail.open(detail.key);
  refreshSoon();
}

function told(type, data) {
  const failed = () => {}; // the stream tells when the server is away
  if (type === 'hello' || type === 'reload') onHello(type === 'hello' ? data : { epoch: server?.epoch }).catch(failed);
  else if (type === 'edits') {
    timeline.add(data.edits);
    detail.heard(data.edits);
  } else if (type === 'call') timeline.add([data]);
  else if (type === 'gone') timeline.remove(data.number);
  else if (type === 'waiting') waiting.load().catch(failed);
  if (type !== 'hello' && type !== 'waiting') refreshSoon();
}

// ---- Views ----------------------------------------------------------------------------------

function showView(name) {
  view = name;
  for (const each of VIEWS) byId(`view-${each}`).hidden = each !== name;
  for (const link of document.querySelectorAll('[data-view]')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  views[name]?.load().catch((error) => dialogs.note(error.message, 'bad'));
  if (name === 'timeline') timeline.list.draw(true);
}

// What an address holds; what is broken in it stands as it is.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// '#/timeline', '#/change/17-89ab', '#/call/3'.
function route() {
  const [, first, ...rest] = location.hash.split('/');
  const key = first === 'change' || first === 'call' ? `${first}/${decoded(rest.join('/'))}` : null;
  document.body.classList.toggle('has-detail', key !== null);
  showView(key ? 'timeline' : VIEWS.includes(first) ? first : 'timeline');
  if (!key) {
    if (view === 'timeline' && detail.key) detail.clear();
    return;
  }
  timeline.list.choose(key);
  detail.open(key);
}

const openItem = (item) => { location.hash = `#/${keyOf(item)}`; };

function act(edit, verb) {
  const title = verb === 'redo' ? `Redo change ${numberOf(edit.id)}?` : `Undo change ${numberOf(edit.id)}?`;
  dialogs.propose({ path: `/api/edits/${encodeURIComponent(edit.id)}/${verb}`, title, verb: verb === 'redo' ? 'Redo' : 'Undo' });
}

function showCount(n) {
  const badge = byId('badge');
  badge.hidden = n === 0;
  badge.textContent = n;
  badge.setAttribute('aria-label', `${n} waiting`);
  const noted = byId('waiting-note');
  noted.hidden = n === 0;
  noted.textContent = `${some(n, 'change')} ${n === 1 ? 'waits' : 'wait'} for your yes`;
  document.title = n > 0 ? `(${n}) emend` : 'emend';
}

// ---- Keys -----------------------------------------------------------------------------------

function move(by) {
  if (view === 'approvals') waiting.move(by);
  if (view !== 'timeline') return;
  const item = timeline.list.move(by);
  if (item && document.body.classList.contains('has-detail') && matchMedia('(min-width: 900px)').matches)
    history.replaceState(null, '', `#/${keyOf(item)}`), detail.open(keyOf(item));
}

function openChosen() {
  if (view === 'timeline' && timeline.list.item) openItem(timeline.list.item);
}

function undoOpen() {
  const item = timeline.list.item;
  const edit = detail.edit ?? (item?.id ? item : null);
  if (view === 'timeline' && edit && edit.state !== 'pending') act(edit, verbOf(edit));
}

function back() {
  if (location.hash !== '#/timeline') location.hash = '#/timeline';
  byId('list').focus();
}

const press = (name) => [...document.querySelectorAll(`[data-toggle="${name}"]`)].find((button) => button.offsetParent)?.click();

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  o: openChosen,
  u: undoOpen,
  a: () => { if (view === 'approvals') waiting.yes(); else if (server?.waiting || !byId('badge').hidden) location.hash = '#/approvals'; },
  r: () => { if (view === 'approvals') waiting.no(); },
  s: () => press('split'),
  w: () => press('spaces'),
  '?': () => dialogs.showKeys(),
  Escape: back,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || dialogs.isOpen() || !timeline) return;
  const typing = event.target.closest?.('input, select, textarea');
  if (typing) return;
  const inList = event.target === byId('list');
  const arrows = inList ? { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: openChosen } : {};
  const tabs = [...document.querySelectorAll('[data-view]')].filter((link) => !link.hidden);
  const action = arrows[event.key] ?? KEYS[event.key] ?? (tabs[event.key - 1] ? () => tabs[event.key - 1].click() : null);
  if (!action) return;
  event.preventDefault();
  action();
}

// ---- Who may see it -------------------------------------------------------------------------

function showLock(text) {
  const input = h('input', { type: 'password', autocomplete: 'off', 'aria-label': 'Token', required: true });
  const say = h('p', { class: 'muted' }, 'The server printed an address with it when it was started.');
  const form = h('form', {
    class: 'inline',
    onsubmit: async (event) => {
      event.preventDefault();
      if (await login(input.value.trim())) location.reload();
      else say.textContent = 'That is not the token of this server.';
    },
  }, input, h('button', { type: 'submit', class: 'main' }, 'Open'));
  byId('main').replaceChildren(h('section', { class: 'page lock' }, h('h2', null, 'This page needs the token'), h('p', null, text), form, say));
  input.focus();
}

// The token goes from the address into the cookie, and out of the address.
async function takeToken() {
  const hash = location.hash.slice(1);
  if (!hash || hash.startsWith('/')) return;
  history.replaceState(null, '', '#/timeline');
  await login(decoded(hash.startsWith('token=') ? hash.slice(6) : hash));
}

// ---- Start ----------------------------------------------------------------------------------

function showTheme(theme) {
  byId('theme').textContent = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' }[theme];
}

async function start() {
  showTheme(applyTheme());
  byId('theme').addEventListener('click', () => showTheme(nextTheme()));
  byId('help').addEventListener('click', dialogs.showKeys);
  await takeToken();
  try {
    await readState();
  } catch (error) {
    showLock(error.status === 401 || error.status === 403 ? '' : error.message);
    return;
  }
  detail = new Detail(act);
  timeline = new Timeline(openItem);
  waiting = new Waiting(showCount);
  views = { files: new Files((file) => timeline.only(file)), activity: new Activity(readState), checkpoints: new Checkpoints(), approvals: waiting };
  byId('waiting-note').addEventListener('click', () => { location.hash = '#/approvals'; });
  byId('skip').addEventListener('click', () => byId('list').focus());
  addEventListener('hashchange', route);
  addEventListener('keydown', onKey);
  route();
  listen(EVENTS, told, setLive);
}

start();
