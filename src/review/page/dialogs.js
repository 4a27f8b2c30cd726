// Questions that stand over the page: what an undo or a rewind would do, before it is done; the keys.

import { appendSeen, byId, h, plain, some } from './dom.js';
import { post } from './api.js';
import { stat } from './diff.js';
import { diffBox, diffChoices, pathHeading } from './detail.js';

const dialog = byId('dialog');

export const isOpen = () => dialog.open;
export const close = () => dialog.close();

function open(...children) {
  dialog.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
});

// A note that goes away by itself.
export function note(text, look = '') {
  const element = h('p', { class: `note ${look}` }, text);
  byId('notes').append(element);
  setTimeout(() => element.remove(), look === 'bad' ? 12000 : 6000);
}

// ---- Undo, redo, rewind ---------------------------------------------------------------------

function fileBoxes(files) {
  const boxes = [];
  const parts = files.map((file) => {
    const box = diffBox(file.diff, file.rel, 'No line would change.');
    boxes.push(box);
    return h('section', { class: 'file-diff' },
      h('header', null, pathHeading(file.rel, 'h3'), file.kind === 'edit' ? null : h('span', { class: 'chip warn' }, file.kind === 'remove' ? 'would be removed' : 'would be made again'), stat(file.lines_added, file.lines_removed)),
      box);
  });
  return { parts, draw: () => boxes.forEach((box) => box.draw()) };
}

function conflictTexts(answer) {
  const block = (title, text) => (text === undefined ? null : h('figure', null, h('figcaption', null, title), appendSeen(h('pre', { class: 'text' }), text || '(nothing)')));
  return [block('The change had left there', answer.was), block(answer.line ? `What stands there now, at line ${answer.line}` : 'What stands there now', answer.now)];
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function showRefusal(title, answer) {
  const sentence = answer.sentence.split('\n')[0];
  open(h('h2', { id: 'dialog-title' }, title),
    h('p', { class: 'lead' }, plain(capital(sentence)), '.'),
    h('p', { class: 'muted' }, 'Nothing was written.'),
    conflictTexts(answer),
    h('div', { class: 'actions' }, h('button', { type: 'button', onclick: close, autofocus: true }, 'Close')));
}

// Ask what it would do, show it, and do just that when the person says so. `path` takes {dry_run}, and {seen}.
export async function propose({ path, title, verb }) {
  let answer;
  try {
    answer = await post(path, { dry_run: true });
  } catch (error) {
    note(error.message, 'bad');
    return;
  }
  if (!answer.done) {
    showRefusal(title, answer);
    return;
  }
  const files = fileBoxes(answer.files);
  const nothing = answer.files.length === 0;
  open(h('h2', { id: 'dialog-title' }, title),
    h('p', { class: 'lead' }, nothing ? 'There is nothing to do: no file would change.' : `This is what would change in ${some(answer.files.length, 'file')}${answer.calls > 1 ? `, from ${some(answer.calls, 'call')}` : ''}:`),
    answer.warnings.map((text) => h('p', { class: 'warning' }, plain(text))),
    nothing ? null : diffChoices(files.draw),
    h('div', { class: 'file-diffs' }, files.parts),
    h('div', { class: 'actions sticky' },
      h('button', { type: 'button', onclick: close, autofocus: true }, 'Cancel'),
      nothing ? null : h('button', { type: 'button', class: 'main', id: 'do-it', onclick: (event) => carryOut(event.currentTarget, path, title, answer.seen) }, verb)));
  files.draw();
}

async function carryOut(button, path, title, seen) {
  button.disabled = true;
  try {
    const answer = await post(path, { seen });
    if (!answer.done) {
      showRefusal(title, answer);
      return;
    }
    close();
    note(`${capital(plain(answer.sentence))}.`);
  } catch (error) {
    close();
    note(error.message, 'bad');
  }
}

// ---- Keys -----------------------------------------------------------------------------------

const KEYS = [
  ['j', 'k', 'the next, the one before'],
  ['o', 'Enter', 'open it'],
  ['Esc', '', 'back to the list'],
  ['u', '', 'undo what is open, or redo it: shows first what it would do'],
  ['a', '', 'say yes to the change that waits'],
  ['r', '', 'say no to it, with a reason'],
  ['s', '', 'side by side, or one column'],
  ['w', '', 'show white space'],
  ['1', '5', 'the views'],
  ['?', '', 'these keys'],
];

export function showKeys() {
  open(h('h2', { id: 'dialog-title' }, 'Keys'),
    h('dl', { class: 'keys' }, KEYS.map(([first, second, text]) =>
      h('div', null, h('dt', null, h('kbd', null, first), second ? [' ', h('kbd', null, second)] : null), h('dd', null, text)))),
    h('div', { class: 'actions' }, h('button', { type: 'button', onclick: close, autofocus: true }, 'Close')));
}
