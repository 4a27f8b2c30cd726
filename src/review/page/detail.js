// One change, or one call that was refused, with all there is to know of it.

import { byId, bytes, duration, h, plainName, some, time } from './dom.js';
import { get } from './api.js';
import { showDiff, stat } from './diff.js';
import { showAnswer, showArguments } from './request.js';
import { keep, setting } from './settings.js';
import { causeSentence, causeWord, filesWords, kindOf, KINDS, noteSentence, numberOf, tierSentence, verbOf } from './words.js';

// ---- Pieces ---------------------------------------------------------------------------------

function fact(name, ...value) {
  return value.some((each) => each !== null && each !== undefined && each !== '')
    ? h('div', null, h('dt', null, name), h('dd', null, ...value)) : null;
}

export function pathHeading(path, tag = 'h2') {
  const slash = path.lastIndexOf('/') + 1;
  return h(tag, { class: 'path-heading' },
    h('span', { class: 'folder' }, plainName(path.slice(0, slash))), plainName(path.slice(slash)));
}

const linkTo = (id) => h('a', { href: `#/change/${id}` }, numberOf(id));

function relations(edit) {
  if (edit.role !== 'edit') {
    const bases = edit.of;
    return bases.length === 0 ? null
      : ['of ', bases.slice(0, 5).map((id, index) => [index > 0 ? ', ' : '', linkTo(id)]), bases.length > 5 ? ` and ${bases.length - 5} more` : '',
        edit.undone ? [', undone by ', linkTo(edit.last)] : ''];
  }
  if (edit.undone) return ['undone by ', linkTo(edit.last)];
  return edit.last ? ['undone and redone by ', linkTo(edit.last)] : null;
}

function took(call) {
  const waited = call.waited_ms > 0 ? `, after ${duration(call.waited_ms)} of waiting for a yes` : '';
  return h('span', { class: 'aside' }, duration(call.ms), waited);
}

function callSection(call) {
  return [
    h('section', { class: 'part' },
      h('h3', null, 'The request as it came', h('span', { class: 'aside' }, bytes(call.arguments_bytes))),
      showArguments(call.arguments, call.arguments_bytes)),
    call.cause ? h('section', { class: 'part' }, h('h3', null, 'The answer', took(call)), showAnswer(call.text))
      : h('details', { class: 'part' }, h('summary', null, 'The answer', took(call)), showAnswer(call.text)),
  ];
}

// ---- How diffs are shown --------------------------------------------------------------------

// Buttons that change it; `redraw` is called when one did.
export function diffChoices(redraw) {
  const toggle = (name, label, key) => h('button', {
    type: 'button', class: 'toggle', 'data-toggle': name, 'aria-pressed': String(setting(name, false)), title: `${label} (${key})`,
    onclick: (event) => {
      keep(name, !setting(name, false));
      event.currentTarget.setAttribute('aria-pressed', String(setting(name, false)));
      redraw();
    },
  }, label);
  return h('div', { class: 'choices' }, toggle('split', 'Side by side', 's'), toggle('spaces', 'White space', 'w'));
}

const WIDE = matchMedia('(min-width: 1000px)'); // two columns are of use

export function diffBox(diff, path, empty) {
  const box = h('div', { class: 'diff-box', tabindex: '0', role: 'region', 'aria-label': `Diff of ${plainName(path)}` });
  const draw = () => {
    if (diff.hunks.length === 0 && !diff.truncated) box.replaceChildren(h('p', { class: 'nothing' }, diff.binary ? 'It is no text.' : empty));
    else showDiff(box, diff, path, { split: setting('split', false) && WIDE.matches, spaces: setting('spaces', false) });
  };
  box.draw = draw;
  return box;
}

// ---- A change -------------------------------------------------------------------------------

function emptyWords(answer) {
  const edit = answer.edits[0];
  if (answer.binary) return `It is no text: ${bytes(edit.size_before)} became ${bytes(edit.size_after)}.`;
  if (!answer.recorded && edit.size_before + edit.size_after > 0) return 'What it did was too large to be recorded.';
  return 'No line was changed.';
}

function changeButtons(edit, act) {
  if (edit.state === 'pending') return null;
  const verb = verbOf(edit);
  return h('div', { class: 'actions' },
    h('button', { type: 'button', class: 'main', id: 'undo', onclick: () => act(edit, verb), 'aria-keyshortcuts': 'u' },
      verb === 'redo' ? 'Redo…' : edit.role === 'edit' ? 'Undo…' : edit.role === 'undo' ? 'Undo the undo…' : 'Undo…'));
}

function changeFacts(edit, answer) {
  return h('dl', { class: 'facts' },
    fact('Change', h('code', null, numberOf(edit.id)), relations(edit) ? [' ', relations(edit)] : null),
    fact('When', time(edit.time)),
    fact('Tool', plainName(edit.tool)),
    fact('Client', plainName(edit.client)),
    fact('Session', plainName(edit.session)),
    fact('Size', edit.kind === 'create' ? bytes(edit.size_after) : `${bytes(edit.size_before)} → ${edit.kind === 'remove' ? 'removed' : bytes(edit.size_after)}`),
    fact('Match', edit.tier ? h('span', { class: 'chip warn' }, edit.tier) : null, edit.tier ? ` ${tierSentence(edit.tier)}` : null),
    fact('Backup', plainName(edit.backup)),
    edit.notes.map((note) => fact('Note', noteSentence(note))),
    fact('Lines', stat(answer.lines_added, answer.lines_removed)));
}

function siblings(answer) {
  const own = answer.edits[0].id;
  const others = answer.files.filter((file) => file.id !== own);
  if (others.length === 0) return null;
  return h('section', { class: 'part' },
    h('h3', null, `The same call changed ${some(answer.file_count - 1, 'other file')}`),
    h('ul', { class: 'plain-list' }, others.map((file) => h('li', null, h('a', { href: `#/change/${file.id}` }, plainName(file.rel))))));
}

// What had the focus may go with what was there: then the pane itself has it, not the page.
function fill(element, ...children) {
  const had = element.contains(document.activeElement);
  element.replaceChildren(...children);
  if (had && !element.contains(document.activeElement)) element.focus({ preventScroll: true });
}

function showChange(element, answer, act) {
  const edit = answer.edits[0];
  const kind = kindOf(edit);
  const box = diffBox(answer.diff, edit.rel, emptyWords(answer));
  element.draw = box.draw;
  fill(element,
    h('header', { class: 'detail-head' },
      h('a', { class: 'back', href: '#/timeline' }, '← Timeline'),
      h('p', { class: `kicker is-${kind}` }, `${KINDS[kind].mark} ${KINDS[kind].name}`, edit.undone ? h('span', { class: 'chip gone' }, 'undone') : null, edit.state === 'pending' ? h('span', { class: 'chip warn' }, 'unfinished') : null),
      pathHeading(edit.rel),
      changeFacts(edit, answer),
      h('div', { class: 'tools' }, changeButtons(edit, act), diffChoices(box.draw))),
    box,
    answer.bytes_missing > 0 ? h('p', { class: 'cut-note' }, `${bytes(answer.bytes_missing)} of new text are not kept: the diff lacks them.`) : '',
    answer.lines_cut ? h('p', { class: 'cut-note' }, 'Not all that stands around the change is kept: of some lines the diff has a part.') : '',
    siblings(answer) ?? '',
    ...(answer.call ? callSection(answer.call)
      : [h('section', { class: 'part' }, h('h3', null, 'The request'), h('p', { class: 'muted' }, 'It came to another process, or to an earlier run of this server: the history keeps what was changed, not how it was asked for.'))]));
  box.draw();
}

// ---- A call ---------------------------------------------------------------------------------

function showCall(element, call) {
  element.draw = null;
  fill(element,
    h('header', { class: 'detail-head' },
      h('a', { class: 'back', href: '#/timeline' }, '← Timeline'),
      h('p', { class: `kicker is-${kindOf(call)}` }, `${KINDS[kindOf(call)].mark} ${KINDS[kindOf(call)].name}`, call.cause ? h('span', { class: 'chip refused' }, causeWord(call.cause)) : null),
      pathHeading(filesWords(call.files, call.file_count) || call.tool),
      call.cause ? h('p', { class: 'lead' }, causeSentence(call.cause), ' ', call.files.some((file) => file.changed) ? 'What came before it was written.' : 'Nothing was written.') : null,
      h('dl', { class: 'facts' }, fact('When', time(call.time)), fact('Tool', plainName(call.tool)), fact('Client', plainName(call.client)))),
    ...callSection(call));
}

// ---- The pane -------------------------------------------------------------------------------

export class Detail {
  // `act(edit, 'undo' or 'redo')` is what the button does.
  constructor(act) {
    this.element = byId('detail');
    this.act = act;
    this.key = null;
    this.edit = null;
    addEventListener('resize', () => this.resized());
    this.clear();
  }

  resized() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.redraw(), 200);
  }

  redraw() {
    this.element.draw?.();
  }

  clear() {
    this.key = this.edit = null;
    this.element.draw = null;
    fill(this.element, h('div', { class: 'hint' },
      h('p', null, 'Choose a change to see what it did.'),
      h('p', { class: 'muted' }, h('kbd', null, 'j'), ' ', h('kbd', null, 'k'), ' move, ', h('kbd', null, 'o'), ' opens, ', h('kbd', null, '?'), ' shows all keys')));
  }

  // `key`: 'change/ID' or 'call/NUMBER'.
  async open(key) {
    this.key = key;
    this.edit = null;
    const [what, id] = [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)];
    try {
      const answer = await get(`/api/${what === 'change' ? 'edits' : 'calls'}/${encodeURIComponent(id)}`);
      if (this.key !== key) return;
      const top = this.shownKey === key ? this.element.scrollTop : 0;
      if (what === 'change') {
        this.edit = answer.edits[0];
        showChange(this.element, answer, this.act);
      } else showCall(this.element, answer);
      this.shownKey = key;
      this.element.scrollTop = top;
    } catch (error) {
      if (this.key === key) fill(this.element, h('p', { class: 'nothing' }, error.message));
    }
  }

  // Something is known of changes that was not: of the one that is open?
  heard(items) {
    const isAbout = (item) => this.key === `change/${item.id}` || (item.of ?? []).includes(this.edit?.id) || (this.edit?.call && item.call === this.edit.call);
    if (this.key && items.some(isAbout)) this.open(this.key);
  }
}
