// Diffs: one column or two, changed words marked, white space shown on demand. The server sends hunks
// whose lines are [kind, piece, piece, ...]; every second piece was changed.

import { appendSeen, count, h, some } from './dom.js';
import { languageOf, tokensOf } from './syntax.js';

const ROWS = 100; // lines that are made for one frame
const LONG = 3000; // characters of one piece of a line that are shown at once

// ---- A line ---------------------------------------------------------------------------------

function appendText(element, text, spaces) {
  if (!spaces) return appendSeen(element, text);
  for (const piece of text.split(/( +|\t)/)) {
    if (piece === '\t') element.append(h('span', { class: 'tab' }, '\t'));
    else if (piece.startsWith(' ')) element.append(h('span', { class: 'sp' }, piece));
    else if (piece) appendSeen(element, piece);
  }
  return element;
}

// What is very long (all of a program in one line) is cut in its middle, until somebody wants it.
function appendPart(element, text, spaces) {
  if (text.length <= LONG) {
    appendText(element, text, spaces);
    return;
  }
  const [head, tail] = [text.slice(0, LONG / 2), text.slice(-LONG / 2)];
  const rest = h('button', {
    type: 'button', class: 'more',
    onclick: () => rest.replaceWith(appendText(h('span'), text.slice(LONG / 2, -LONG / 2), spaces)),
  }, `… ${count(text.length - LONG)} characters …`);
  appendText(element, head, spaces);
  element.append(rest);
  appendText(element, tail, spaces);
}

function paint(cell, line, language, spaces) {
  const [kind, ...pieces] = line;
  const text = pieces.join('');
  const tokens = tokensOf(text, language);
  let at = 0;
  let token = 0;
  pieces.forEach((piece, index) => {
    const holder = index % 2 === 1 ? h(kind === '-' ? 'del' : 'ins') : cell;
    const end = at + piece.length;
    while (at < end) {
      while (token < tokens.length && tokens[token].end <= at) token++;
      const next = tokens[token];
      const inside = next && next.start <= at;
      const until = Math.min(end, inside ? next.end : next ? next.start : end);
      if (inside) {
        const span = h('span', { class: next.name });
        appendText(span, text.slice(at, until), spaces);
        holder.append(span);
      } else appendPart(holder, text.slice(at, until), spaces);
      at = until;
    }
    if (holder !== cell) cell.append(holder);
  });
  return cell;
}

const SIGNS = { '+': '+', '-': '−', ' ': ' ', '\\': ' ' };
const NAMES = { '+': 'add', '-': 'cut', ' ': 'same', '\\': 'note' };

function code(line, look) {
  if (!line) return h('td', { class: 'code none' });
  return h('td', { class: `code ${NAMES[line.text[0]]}` },
    h('span', { class: 'sign' }, SIGNS[line.text[0]]),
    paint(h('code'), line.text, look.language, look.spaces));
}

const lineNumber = (n, kind) => h('td', { class: `n ${kind}` }, n ?? '');

// ---- Hunks as rows --------------------------------------------------------------------------

// Lines with their numbers on both sides.
function* numbered(hunk) {
  let old = Math.max(1, hunk.old);
  let now = Math.max(1, hunk.new);
  for (const text of hunk.lines) {
    const kind = text[0];
    yield { text, old: kind === ' ' || kind === '-' ? old++ : null, now: kind === ' ' || kind === '+' ? now++ : null };
  }
}

function* unifiedRows(hunk, look) {
  for (const line of numbered(hunk)) {
    const name = NAMES[line.text[0]];
    yield h('tr', null, lineNumber(line.old, name), lineNumber(line.now, name), code(line, look));
  }
}

function* paired(hunk) {
  let cut = [];
  let added = [];
  function* flush() {
    for (let i = 0; i < Math.max(cut.length, added.length); i++) yield [cut[i], added[i]];
    cut = [];
    added = [];
  }
  let before = ' ';
  for (const line of numbered(hunk)) {
    const kind = line.text[0] === '\\' ? before : line.text[0];
    before = kind;
    if (kind === '-') {
      if (added.length > 0) yield* flush();
      cut.push(line);
    } else if (kind === '+') added.push(line);
    else {
      yield* flush();
      yield [line, line];
    }
  }
  yield* flush();
}

function* splitRows(hunk, look) {
  for (const [left, right] of paired(hunk)) {
    yield h('tr', null,
      lineNumber(left?.old, left ? NAMES[left.text[0]] : 'none'), code(left, look),
      lineNumber(right?.now, right ? NAMES[right.text[0]] : 'none'), code(right, look));
  }
}

const COLUMNS = {
  unified: ['number', 'number', 'text'],
  split: ['number', 'text', 'number', 'text'],
};

function table(shape, label) {
  const body = h('tbody');
  const columns = COLUMNS[shape].map((name) => h('col', { class: name }));
  return { body, element: h('table', { class: `diff ${shape}`, 'aria-label': label }, h('colgroup', null, columns), body) };
}

// ---- All of it ------------------------------------------------------------------------------

// How many lines that were.
function appendPartOfDiff(element, part, look, split) {
  if (part.gap) element.append(h('div', { class: 'gap', 'aria-hidden': 'true' }, '⋯'));
  if (!part.lines) return 0;
  const made = table(split ? 'split' : 'unified', `Lines from ${part.new || part.old}`);
  made.body.append(...(split ? splitRows(part, look) : unifiedRows(part, look)));
  element.append(h('div', { class: 'chunk' }, made.element));
  return part.lines.length;
}

// Fill `element` with the diff of the file at `path`. What is long comes bit by bit.
export function showDiff(element, diff, path, { split = false, spaces = false } = {}) {
  const look = { language: languageOf(path), spaces };
  const parts = diff.hunks.flatMap((hunk, index) => [{ gap: index > 0 }, ...chunks(hunk)]);
  const drawing = {};
  element.drawing = drawing;
  element.replaceChildren();
  element.classList.toggle('spaces', spaces);

  function next() {
    if (element.drawing !== drawing) return;
    for (let made = 0; parts.length > 0 && made < ROWS; made += appendPartOfDiff(element, parts.shift(), look, split));
    if (parts.length > 0) requestAnimationFrame(next);
    else if (diff.truncated)
      element.append(h('p', { class: 'cut-note' }, 'The diff is longer than this page shows.'));
  }
  next();
}

// A hunk in parts that are made in one go, each with its line numbers. A run of changed lines stays
// together as far as that goes, so that its sides can stand beside each other.
function* chunks(hunk) {
  let part = { old: hunk.old, new: hunk.new, lines: [] };
  let old = hunk.old;
  let now = hunk.new;
  let hasTwoSides = false; // the run of changed lines that is being read
  for (const line of hunk.lines) {
    if (line[0] === ' ') hasTwoSides = false;
    if (part.lines.length >= (hasTwoSides ? 3 * ROWS : ROWS)) {
      yield part;
      part = { old, new: now, lines: [] };
    }
    if (line[0] === '-') hasTwoSides = true;
    part.lines.push(line);
    if (line[0] === ' ' || line[0] === '-') old++;
    if (line[0] === ' ' || line[0] === '+') now++;
  }
  if (part.lines.length > 0) yield part;
}

export function stat(added, removed) {
  return h('span', { class: 'stat', title: `${some(added, 'line')} added, ${some(removed, 'line')} removed` },
    h('span', { class: 'plus' }, `+${added}`), ' ', h('span', { class: 'minus' }, `−${removed}`));
}
