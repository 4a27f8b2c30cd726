// A call's arguments, and its answer, as a person reads them: names and values, texts as texts.

import { appendSeen, bytes, h, plain, plainName } from './dom.js';

const DEEPEST = 6;

function showValue(value, depth) {
  if (typeof value === 'string') {
    const isLong = value.includes('\n') || value.length > 60;
    return appendSeen(h(isLong ? 'pre' : 'code', { class: 'text' }), value);
  }
  if (value === null || typeof value !== 'object' || depth >= DEEPEST)
    return h('code', { class: 'value' }, plain(JSON.stringify(value)));
  if (Array.isArray(value))
    return h('ol', { class: 'items' }, value.map((each) => h('li', null, showValue(each, depth + 1))));
  return h('dl', { class: 'fields' }, Object.entries(value).map(([name, each]) =>
    h('div', null, h('dt', null, plainName(name)), h('dd', null, showValue(each, depth + 1)))));
}

// An answer is an object or a text.
export function showAnswer(text) {
  return text.startsWith('{') ? showArguments(text) : appendSeen(h('pre', { class: 'text' }), text);
}

export function showArguments(text, total) {
  const cut = total !== undefined && text.length < total;
  try {
    return h('div', { class: 'request' }, showValue(JSON.parse(text), 0));
  } catch {
    return h('div', { class: 'request' }, appendSeen(h('pre', { class: 'text' }), text),
      cut ? h('p', { class: 'cut-note' }, `${bytes(total)} in all; the rest is not kept.`) : null);
  }
}
