// The views beside the timeline: files, activity, checkpoints. Each reads what it shows when it is
// opened, and again when something was done while it is open.

import { byId, bytes, count, h, plainName, some, svg, time, whenFull } from './dom.js';
import { get, post } from './api.js';
import { note, propose } from './dialogs.js';
import { keep, setting } from './settings.js';
import { causeWord, causeSentence } from './words.js';

const heading = (text, ...aside) => h('header', { class: 'page-head' }, h('h2', null, text), ...aside);

// ---- Files ----------------------------------------------------------------------------------

export class Files {
  constructor(only) {
    this.element = byId('view-files');
    this.only = only;
    this.rows = h('tbody');
    this.sum = h('p', { class: 'muted' });
    this.filter = h('input', { type: 'search', placeholder: 'Part of a name', 'aria-label': 'Only files whose name has this', oninput: () => this.draw() });
    this.element.append(
      heading('Files', this.filter), this.sum,
      h('table', { class: 'sheet' },
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'File'), h('th', { scope: 'col', class: 'right' }, 'Changes'), h('th', { scope: 'col', class: 'right' }, 'Size now'), h('th', { scope: 'col' }, 'Last change'))),
        this.rows));
  }

  async load() {
    this.answer = await get('/api/files?limit=2000');
    this.draw();
  }

  draw() {
    if (!this.answer) return; // nothing came yet
    const part = this.filter.value.toLowerCase();
    const files = this.answer.files.filter((file) => file.rel.toLowerCase().includes(part)).slice(0, 500);
    this.sum.textContent = `${some(this.answer.change_count, 'change')} of ${some(this.answer.file_count, 'file')}${files.length < this.answer.file_count ? `; ${count(files.length)} are shown` : ''}.`;
    const most = Math.max(1, ...files.map((file) => file.changes));
    this.rows.replaceChildren(...files.map((file) => h('tr', null,
      h('td', null, h('a', { href: '#/timeline', onclick: () => this.only(file) }, plainName(file.rel)), file.removed ? h('span', { class: 'chip gone' }, 'removed') : null),
      h('td', { class: 'right' }, h('meter', { min: 0, max: most, value: file.changes, 'aria-hidden': 'true' }), ' ', count(file.changes)),
      h('td', { class: 'right' }, file.removed ? '' : bytes(file.size)),
      h('td', null, time(file.time)))));
  }
}

// ---- Activity -------------------------------------------------------------------------------

const RANGES = [[1, 'Hour'], [24, 'Day'], [168, 'Week'], [720, 'Month']];
const WIDTH = 960;
const HEIGHT = 150;

function bars(answer) {
  const most = Math.max(4, ...answer.changes.map((n, i) => n + answer.refused[i]));
  const step = WIDTH / answer.changes.length;
  const unit = HEIGHT / most;
  const bar = (name, index, from, n) => (n === 0 ? null : svg('rect', { class: name, x: index * step + 1, width: step - 2, y: HEIGHT - (from + n) * unit, height: n * unit, rx: 1.5 }));
  return answer.changes.map((n, index) => {
    const refused = answer.refused[index];
    if (n + refused === 0) return null;
    const from = new Date(answer.since_ms + index * answer.span_ms).toISOString();
    return svg('g', null, svg('title', null, `${whenFull(from)}: ${some(n, 'change')}${refused ? `, ${count(refused)} refused` : ''}`), bar('column', index, 0, n), bar('column-refused', index, n, refused));
  });
}

function ticks(answer) {
  const options = answer.span_ms * answer.changes.length > 86400000 ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit', hour12: false };
  const format = new Intl.DateTimeFormat(undefined, options);
  return h('div', { class: 'ticks', 'aria-hidden': 'true' }, [0, 0.25, 0.5, 0.75, 1].map((part) =>
    h('span', null, format.format(answer.since_ms + part * answer.span_ms * answer.changes.length))));
}

export class Activity {
  constructor(state) {
    this.element = byId('view-activity');
    this.state = state;
    this.picture = h('figure', { class: 'picture' });
    this.tiles = h('div', { class: 'tiles' });
    this.causes = h('section', { class: 'part' });
    this.element.append(
      heading('Activity', h('div', { class: 'choice', role: 'group', 'aria-label': 'Span of time' }, RANGES.map(([hours, name]) =>
        h('button', { type: 'button', 'data-hours': hours, onclick: () => this.choose(hours) }, name)))),
      this.picture, this.tiles, this.causes);
  }

  choose(hours) {
    keep('hours', hours);
    this.load().catch((error) => note(error.message, 'bad'));
  }

  async load() {
    const hours = setting('hours', 24);
    for (const button of this.element.querySelectorAll('[data-hours]'))
      button.setAttribute('aria-pressed', String(Number(button.dataset.hours) === hours));
    const [answer, state] = await Promise.all([get(`/api/activity?hours=${hours}`), this.state()]);
    this.drawPicture(answer);
    this.drawTotals(state.totals);
  }

  drawPicture(answer) {
    const changes = answer.changes.reduce((a, b) => a + b, 0);
    const refused = answer.refused.reduce((a, b) => a + b, 0);
    const name = `${some(changes, 'change')} and ${some(refused, 'refused call')} in this time`;
    this.picture.replaceChildren(
      svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': name }, bars(answer), svg('line', { class: 'base', x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT })),
      ticks(answer),
      h('figcaption', null, h('span', { class: 'key key-bar' }), some(changes, 'change'), h('span', { class: 'key key-refused' }), `${count(refused)} refused`));
  }

  drawTotals(totals) {
    const tile = (value, name, aside) => h('div', { class: 'tile' }, h('b', null, value), h('span', null, name), aside ? h('small', null, aside) : null);
    const whole = totals.bytes_spared + totals.bytes_sent;
    this.tiles.replaceChildren(
      tile(count(totals.changes), 'files changed', `in ${some(totals.calls, 'call')} since ${whenFull(totals.time)}`),
      tile(count(totals.refused), 'calls refused', totals.calls > 0 ? `${Math.round((100 * totals.refused) / totals.calls)} % of all` : ''),
      tile(count(totals.tolerant), 'not found exactly', 'and made all the same, where the place was clear'),
      tile(bytes(totals.bytes_spared), 'spared', totals.bytes_spared > 0 ? `about ${count(totals.tokens_spared)} tokens less than sending whole files (${bytes(whole)})` : 'against sending whole files'));
    const most = Math.max(1, ...totals.causes.map((each) => each.count));
    this.causes.replaceChildren(h('h3', null, 'Why calls were refused'),
      totals.causes.length === 0 ? h('p', { class: 'muted' }, 'None was, since this server began.')
        : h('table', { class: 'sheet' }, h('tbody', null, totals.causes.map((each) => h('tr', null,
          h('th', { scope: 'row' }, causeWord(each.cause)), h('td', { class: 'right' }, h('meter', { class: 'bad', min: 0, max: most, value: each.count, 'aria-hidden': 'true' }), ' ', count(each.count)), h('td', { class: 'muted' }, causeSentence(each.cause)))))));
  }
}

// ---- Checkpoints ----------------------------------------------------------------------------

export class Checkpoints {
  constructor() {
    this.element = byId('view-checkpoints');
    this.list = h('ul', { class: 'cards' });
    this.name = h('input', { type: 'text', maxlength: 100, required: true, placeholder: 'before the refactoring', 'aria-label': 'Name of the checkpoint' });
    this.element.append(
      heading('Checkpoints'),
      h('p', { class: 'muted' }, 'A checkpoint is a name for this moment. Rewinding takes back all that was done since, in all files, and can itself be undone.'),
      h('form', { class: 'inline', onsubmit: (event) => this.add(event) }, this.name, h('button', { type: 'submit', class: 'main' }, 'Name this moment')),
      this.list);
  }

  async add(event) {
    event.preventDefault();
    try {
      await post('/api/checkpoints', { name: this.name.value });
      this.name.value = '';
      await this.load();
    } catch (error) {
      note(error.message, 'bad');
    }
  }

  async load() {
    const { checkpoints } = await get('/api/checkpoints');
    this.list.replaceChildren(...checkpoints.map((mark) => h('li', { class: 'card' },
      h('span', null, h('b', null, plainName(mark.name)), ' ', h('span', { class: 'muted' }, time(mark.time))),
      !mark.has_way_back ? h('span', { class: 'muted' }, 'No way back: some of what was done since is forgotten.')
        : h('button', { type: 'button', onclick: () => propose({ path: `/api/checkpoints/${encodeURIComponent(mark.name)}/rewind`, title: `Rewind to “${plainName(mark.name)}”?`, verb: 'Rewind' }) }, 'Rewind…'))));
    if (checkpoints.length === 0) this.list.append(h('li', { class: 'nothing' }, 'There are none yet.'));
  }
}
