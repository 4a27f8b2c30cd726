// Changes that wait for a yes. Each is a card with its diff; one card is current, which the keys a and
// r are about. There is no yes to what is not shown yet.

import { byId, h, plain, plainName, some } from './dom.js';
import { get, post } from './api.js';
import { diffBox, diffChoices, pathHeading } from './detail.js';
import { note } from './dialogs.js';
import { showArguments } from './request.js';
import { stat } from './diff.js';

const SETTLE_MS = 700; // in which a key or a click that was meant for the card before does nothing

// What a yes is for, too, though it is not here to be read.
function notShown(waiting) {
  const files = waiting.file_count - waiting.files.length;
  const say = (text) => h('p', { class: 'cut-note' }, text);
  return [
    ...(files > 0 ? [say(`${some(files, 'more file')} would be changed, whose diffs this page does not show.`)] : []),
    ...(waiting.arguments_cut ? [say('The request is longer than this page shows.')] : []),
  ];
}

// ---- One of them ----------------------------------------------------------------------------

class Card {
  constructor(waiting, owner) {
    this.id = waiting.id;
    this.owner = owner;
    this.until = waiting.until_ms;
    this.span = Math.max(1, waiting.until_ms - waiting.since_ms);
    this.body = h('div', { class: 'file-diffs' }, h('p', { class: 'muted' }, 'Reading the diff…'));
    this.left = h('span', { class: 'left muted' });
    this.reason = h('input', { type: 'text', class: 'reason', maxlength: 300, placeholder: 'Why not? The agent reads this', 'aria-label': 'Reason of a no, which the agent reads', onkeydown: (event) => this.reasonKey(event) });
    this.element = h('li', { class: 'card waiting', tabindex: '-1', onfocusin: () => owner.choose(this, false) },
      h('header', { class: 'waiting-head' },
        h('span', null, h('b', null, plainName(waiting.client ?? 'A client')), ' wants ', h('b', null, plainName(waiting.tool)), ` to change ${some(waiting.file_count, 'file')}`),
        this.left),
      this.body, this.controls());
    this.isShown = false;
    this.settle();
    this.load();
  }

  controls() {
    const button = (text, look, ruling, key) => h('button', { type: 'button', class: look, 'aria-keyshortcuts': key, onclick: ruling }, text);
    this.allow = button('Yes', 'main', () => this.yes(), 'a');
    this.remember = h('select', { 'aria-label': 'What a yes is for' },
      h('option', { value: '' }, 'this change alone'), h('option', { value: 'file' }, 'these files from now on'), h('option', { value: 'tool' }, 'this tool from now on'));
    return h('div', { class: 'actions decide' },
      this.allow,
      h('label', { class: 'muted' }, 'for ', this.remember),
      h('span', { class: 'space' }),
      this.reason,
      button('No', 'danger', () => this.no(), 'r'));
  }

  async load() {
    if (this.isReading) return;
    this.isReading = true;
    try {
      const waiting = await get(`/api/approvals/${this.id}`);
      this.boxes = [];
      this.body.replaceChildren(
        ...waiting.files.map((file) => this.fileDiff(file)),
        ...notShown(waiting),
        h('details', null, h('summary', null, 'The request as it came'), showArguments(waiting.arguments)));
      this.draw();
      this.isShown = true;
      this.enable();
    } catch (error) {
      this.body.replaceChildren(h('p', { class: 'cut-note' }, `The diff could not be read: ${plain(error.message)}`));
      if (error.status === 404 || error.status === 409) this.owner.refresh(); // it waits no more
    }
    this.isReading = false;
    this.owner.moved(this);
  }

  // It has come, or has moved: it may stand where the one before stood.
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = 0;
      this.enable();
    }, SETTLE_MS);
    this.enable();
  }

  enable() {
    this.allow.disabled = !this.isShown || this.settling !== 0;
  }

  fileDiff(file) {
    const box = diffBox(file.diff, file.rel, file.kind === 'create' ? 'An empty file.' : 'It is no text.');
    this.boxes.push(box);
    return h('section', { class: 'file-diff' },
      h('header', null, pathHeading(file.rel, 'h3'), file.kind === 'edit' ? null : h('span', { class: 'chip warn' }, file.kind === 'create' ? 'new file' : 'removed'), file.backup ? h('span', { class: 'chip' }, 'with a backup beside it') : null, stat(file.lines_added, file.lines_removed)),
      box);
  }

  draw() {
    for (const box of this.boxes ?? []) box.draw();
  }

  tick(now) {
    const left = Math.max(0, Math.round((this.until - now) / 1000));
    this.left.textContent = left > 90 ? `${Math.round(left / 60)} min left` : `${left} s left`;
    this.left.classList.toggle('soon', left <= 30);
  }

  reasonKey(event) {
    if (event.key === 'Enter') this.no();
    if (event.key === 'Escape') this.element.focus();
  }

  yes() {
    if (!this.allow.disabled) this.decide({ verdict: 'yes', remember: this.remember.value || null });
  }

  no() {
    this.decide({ verdict: 'no', reason: this.reason.value });
  }

  async decide(ruling) {
    try {
      await post(`/api/approvals/${this.id}`, ruling);
      this.owner.decided(this);
    } catch (error) {
      note(error.message, 'bad');
      this.owner.refresh();
    }
  }
}

// ---- All of them ----------------------------------------------------------------------------

export class Waiting {
  // `changed(count)` is told how many wait.
  constructor(changed) {
    this.element = byId('view-approvals');
    this.changed = changed;
    this.cards = new Map();
    this.list = h('ul', { class: 'cards' });
    this.nothing = h('p', { class: 'nothing' }, 'Nothing waits. A change that needs your yes appears here.');
    this.passes = h('section', { class: 'part' });
    this.element.append(
      h('header', { class: 'page-head' }, h('h2', null, 'Approvals'), diffChoices(() => this.draw())),
      this.nothing, this.list, this.passes);
    setInterval(() => this.tick(), 1000);
  }

  async load() {
    const [{ waiting, now_ms: now }, { passes }] = await Promise.all([get('/api/approvals'), get('/api/passes')]);
    this.ahead = now - Date.now();
    const ids = new Set(waiting.map((each) => each.id));
    for (const [id, card] of this.cards) {
      if (!ids.has(id)) this.drop(card);
      else if (!card.isShown) card.load();
    }
    for (const each of waiting) if (!this.cards.has(each.id)) this.add(each);
    this.showPasses(passes);
    this.count();
    this.tick();
  }

  // Where the server is away, the stream of events tells.
  refresh() {
    this.load().catch(() => {});
  }

  add(waiting) {
    const card = new Card(waiting, this);
    this.cards.set(card.id, card);
    this.list.append(card.element);
    if (!this.current) this.choose(card, false);
  }

  // So has what stands behind the card.
  moved(card) {
    const cards = [...this.cards.values()];
    for (const each of cards.slice(cards.indexOf(card) + 1)) each.settle();
  }

  drop(card) {
    const hadFocus = card.element.contains(document.activeElement);
    this.moved(card);
    this.cards.delete(card.id);
    card.element.remove();
    if (this.current !== card) return;
    this.current = null;
    const next = this.cards.values().next().value;
    if (next) this.choose(next, hadFocus);
  }

  decided(card) {
    this.drop(card);
    this.count();
    this.refresh();
  }

  count() {
    this.nothing.hidden = this.cards.size > 0;
    this.changed(this.cards.size);
  }

  tick() {
    for (const card of this.cards.values()) card.tick(Date.now() + this.ahead);
  }

  draw() {
    for (const card of this.cards.values()) card.draw();
  }

  // ---- The current one -------------------------------------------------------------------

  choose(card, focus) {
    if (this.current !== card) {
      this.current?.element.classList.remove('is-current');
      this.current = card;
      this.chosenAt = performance.now();
      card.element.classList.add('is-current');
    }
    if (focus) card.element.focus();
  }

  move(by) {
    const cards = [...this.cards.values()];
    const next = cards[Math.max(0, Math.min(cards.length - 1, cards.indexOf(this.current) + by))];
    if (!next) return;
    this.choose(next, true);
    next.element.scrollIntoView({ block: 'nearest' });
  }

  yes() {
    if (this.current && performance.now() - this.chosenAt > SETTLE_MS) this.current.yes();
  }

  no() {
    this.current?.reason.focus();
  }

  // ---- What passes -----------------------------------------------------------------------

  showPasses(passes) {
    if (passes.length === 0) {
      this.passes.replaceChildren();
      return;
    }
    const drop = async (pass) => {
      await post('/api/passes/drop', pass.tool ? { tool: pass.tool } : { path: pass.path }).catch((error) => note(error.message, 'bad'));
      this.refresh();
    };
    this.passes.replaceChildren(h('h3', null, 'Passes without being asked'), h('ul', { class: 'cards' }, passes.map((pass) => h('li', { class: 'card' },
      h('span', null, pass.tool ? 'the tool ' : 'the file ', h('b', null, plainName(pass.tool ?? pass.rel))),
      h('button', { type: 'button', onclick: () => drop(pass) }, 'Ask again')))));
  }
}
