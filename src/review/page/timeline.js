// What was done and what was refused, in one row: changes come from the history, refused calls from
// what the server remembers of its own run. Both are read in pages, backwards in time, and nothing is
// shown that is older than what both have been read back to.

import { byId, count, h, plain, plainName, when } from './dom.js';
import { get } from './api.js';
import { List } from './list.js';
import { causeWord, filesWords, kindOf, KINDS, tierSentence } from './words.js';

const PAGE = 200;

export const keyOf = (item) => (item.number === undefined ? `change/${item.id}` : `call/${item.number}`);

// ---- What there is --------------------------------------------------------------------------

class Source {
  constructor(path, name, cursor) {
    Object.assign(this, { path, name, cursor });
    this.clear();
  }

  clear() {
    this.items = new Map();
    this.more = true;
    this.oldest = null;
  }

  async read(query) {
    const before = this.oldest ? `&before=${this.cursor(this.oldest)}` : '';
    const answer = await get(`${this.path}?limit=${PAGE}${before}${query}`);
    for (const item of answer[this.name]) this.items.set(keyOf(item), item);
    this.oldest = answer[this.name].at(-1) ?? this.oldest;
    this.more = answer.more;
  }

  // From when on all that there is has been read.
  get horizon() {
    return this.more ? this.oldest?.time ?? '9' : '';
  }
}

const rowNumber = (item) => Number.parseInt(item.id, 10);

const newestFirst = (a, b) =>
  a.time < b.time ? 1 : a.time > b.time ? -1 : (b.number ?? rowNumber(b)) - (a.number ?? rowNumber(a));

export class Timeline {
  constructor(opened) {
    this.edits = new Source('/api/edits', 'edits', rowNumber);
    this.calls = new Source('/api/calls', 'calls', (call) => call.number);
    this.shown = 'all';
    this.file = null; // { path, rel }: only changes of it
    this.generation = 0;
    this.unseen = 0;
    this.list = new List(byId('list'), {
      make: makeRow, show: showRow, key: keyOf, opened, reached: () => this.readOn(),
    });
    byId('list').addEventListener('scroll', () => this.seen(), { passive: true });
    byId('newer').addEventListener('click', () => { byId('list').scrollTop = 0; });
    byId('file-filter').addEventListener('click', () => this.only(null));
    for (const button of document.querySelectorAll('[data-show]'))
      button.addEventListener('click', () => this.show(button.dataset.show));
  }

  // ---- Reading ---------------------------------------------------------------------------

  // All anew, from the top.
  async reload() {
    const generation = ++this.generation;
    this.edits.clear();
    this.calls.clear();
    this.reading = null;
    await this.read(generation);
  }

  readOn() {
    if (!this.reading && (this.edits.more || this.calls.more)) this.read(this.generation);
  }

  async read(generation) {
    const behind = [this.edits, this.calls].filter((source) => source.more)
      .sort((a, b) => (a.horizon < b.horizon ? 1 : -1));
    // The one that has been read back less far; at the start both.
    const next = behind.filter((source) => source.oldest === null || source === behind[0]);
    const query = this.file ? `&file=${encodeURIComponent(this.file.path)}` : '';
    this.reading = Promise.all(next.map((source) => source.read(source === this.edits ? query : '')));
    const failed = await this.reading.then(() => null, (error) => error);
    if (generation !== this.generation) return;
    this.reading = null;
    if (failed) this.showFailure(failed);
    else this.draw();
  }

  // What was read before stays.
  showFailure(error) {
    const nothing = byId('nothing');
    nothing.hidden = this.edits.items.size + this.calls.items.size > 0;
    nothing.textContent = plain(error.message);
  }

  // ---- What happens ----------------------------------------------------------------------

  add(items) {
    for (const item of items) {
      const source = item.number === undefined ? this.edits : this.calls;
      const key = keyOf(item);
      if (!source.items.has(key) && this.lets(item)) this.unseen++;
      source.items.set(key, item);
      this.settle(item);
    }
    this.draw();
    this.seen();
  }

  // A change that undoes or redoes others says how it stands with these.
  settle(item) {
    for (const base of item.of ?? []) {
      const other = this.edits.items.get(`change/${base}`);
      if (!other) continue;
      for (const each of this.edits.items.values()) {
        if (each.id !== base && (!other.call || each.call !== other.call)) continue;
        this.edits.items.set(keyOf(each), { ...each, undone: item.role === 'undo', last: item.id });
      }
    }
    this.settleReversals(item);
  }

  // And so with what did the opposite to all of the same changes before.
  settleReversals(item) {
    for (const each of this.edits.items.values()) {
      if (each.role === 'edit' || item.role === 'edit' || Number.parseInt(each.id, 10) >= Number.parseInt(item.id, 10)) continue;
      if (each.of.length === 0 || each.path !== item.path || !each.of.every((base) => item.of.includes(base))) continue;
      if (!each.undone && each.role !== item.role) this.edits.items.set(keyOf(each), { ...each, undone: true, last: item.id });
    }
  }

  remove(number) {
    for (const [key, item] of this.edits.items)
      if (rowNumber(item) === number) this.edits.items.delete(key);
    this.draw();
  }

  // ---- What is shown ---------------------------------------------------------------------

  lets(item) {
    const isCall = item.number !== undefined;
    if (this.file && (isCall ? !item.files.some((f) => f.rel === this.file.rel) : item.path !== this.file.path))
      return false;
    return this.shown === 'all' || (this.shown === 'refused') === (isCall && Boolean(item.cause));
  }

  draw() {
    const horizon = this.edits.horizon > this.calls.horizon ? this.edits.horizon : this.calls.horizon;
    const items = [];
    for (const source of [this.edits, this.calls])
      for (const item of source.items.values())
        if (item.time >= horizon && this.lets(item)) items.push(item);
    items.sort(newestFirst);
    this.list.set(items);
    const nothing = byId('nothing');
    nothing.hidden = items.length > 0 || this.reading !== null;
    nothing.textContent = this.file || this.shown !== 'all'
      ? 'Nothing of this kind.' : 'Nothing was changed here yet. What agents do appears here at once.';
    if (items.length === 0) this.readOn();
  }

  seen() {
    if (byId('list').scrollTop < 40) this.unseen = 0;
    const newer = byId('newer');
    newer.hidden = this.unseen === 0;
    newer.textContent = `↑ ${count(this.unseen)} new`;
  }

  show(what) {
    this.shown = what;
    for (const button of document.querySelectorAll('[data-show]'))
      button.setAttribute('aria-pressed', button.dataset.show === what);
    byId('list').scrollTop = 0;
    this.draw();
  }

  only(file) {
    this.file = file;
    const chip = byId('file-filter');
    chip.hidden = !file;
    if (file) {
      chip.replaceChildren(plainName(file.rel), ' ', h('span', { 'aria-hidden': 'true' }, '×'));
      chip.setAttribute('aria-label', `Only ${plainName(file.rel)}: show all files again`);
    }
    byId('list').scrollTop = 0;
    this.reload();
  }

  find(key) {
    return this.edits.items.get(key) ?? this.calls.items.get(key) ?? null;
  }
}

// ---- Rows -----------------------------------------------------------------------------------

function makeRow() {
  const part = (name, tag = 'span') => h(tag, { class: name });
  const row = {
    mark: part('mark'), path: part('path'), folder: part('folder'), name: part('name'), stat: part('stat'),
    plus: part('plus'), minus: part('minus'), time: part('when', 'time'), brief: part('brief'),
    before: part('before'), old: part('old', 'del'), fresh: part('fresh', 'ins'), after: part('after'),
    chip: part('chip tier'), who: part('who'),
  };
  row.path.append(row.folder, row.name);
  row.stat.append(row.plus, ' ', row.minus);
  row.brief.append(row.before, row.old, row.fresh, row.after);
  row.element = h('div', { class: 'row' }, row.mark,
    h('span', { class: 'line' }, row.path, row.stat, row.time),
    h('span', { class: 'line' }, row.brief, row.chip),
    h('span', { class: 'line' }, row.who));
  row.mark.setAttribute('aria-hidden', 'true');
  return row;
}

function showPath(row, path) {
  const slash = path.lastIndexOf('/') + 1;
  row.folder.textContent = plainName(path.slice(0, slash));
  row.name.textContent = plainName(path.slice(slash));
}

function showBrief(row, item) {
  const { before = '', old = '', new: fresh = '', after = '' } = item.brief ?? {};
  row.before.textContent = plain(before).trimStart();
  row.old.textContent = plain(old).trim();
  row.fresh.textContent = plain(fresh).trim();
  row.after.textContent = plain(after);
  row.old.hidden = !row.old.textContent;
  row.fresh.hidden = !row.fresh.textContent;
}

function showWhy(row, item) {
  row.before.textContent = plain(item.why);
  row.old.hidden = row.fresh.hidden = true;
  row.after.textContent = '';
}

function chipOf(item) {
  if (item.cause) return [causeWord(item.cause), 'refused'];
  if (item.state === 'pending') return ['unfinished', 'warn'];
  if (item.undone) return ['undone', 'gone'];
  if (item.tier) return [item.tier, 'warn'];
  if (item.binary) return ['not text', 'gone'];
  return ['', ''];
}

function whoWords(kind, item) {
  const by = kind === 'undo' || kind === 'redo' ? '' : ` by ${plainName(item.tool ?? 'an unknown tool')}`;
  return `${KINDS[kind].name}${by}${item.client ? ` · ${plainName(item.client)}` : ''}`;
}

function showRow(row, item) {
  const kind = kindOf(item);
  const isCall = item.number !== undefined;
  const [chip, look] = chipOf(item);
  row.element.className = `row is-${kind}${item.undone ? ' is-undone' : ''}`;
  row.mark.textContent = KINDS[kind].mark;
  showPath(row, isCall ? filesWords(item.files, item.file_count) || '—' : item.rel);
  const hasStat = !isCall && item.lines_added !== undefined;
  row.plus.textContent = hasStat ? `+${item.lines_added}` : '';
  row.minus.textContent = hasStat ? `−${item.lines_removed}` : '';
  row.time.textContent = when(item.time);
  row.time.dateTime = item.time;
  if (isCall) showWhy(row, item);
  else showBrief(row, item);
  row.chip.textContent = chip;
  row.chip.className = `chip ${look}`;
  row.chip.hidden = !chip;
  row.chip.title = item.tier ? tierSentence(item.tier) : '';
  row.who.textContent = whoWords(kind, item);
}
