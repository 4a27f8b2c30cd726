// Elements, texts and numbers. Everything that came from a file or a caller is set as text, never as
// markup; this is the only way by which the page makes elements.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// h('p', { class: 'x', onclick: f }, 'text', element, ...)
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

// Characters that are not seen, or that reorder what is seen, stand as their names: what a person
// reads here is what the file has. The terminal has the same ones (cli/term.c).
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const nameOf = (character) =>
  'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');

// The text of one line for lists and headings.
export function plain(text) {
  return String(text ?? '').replace(UNSEEN, (found) => (found === '\r' ? '' : `⟨${nameOf(found)}⟩`));
}

// The same of a name, in which nothing ends a line: two names that differ look different.
export function plainName(text) {
  return plain(String(text ?? '').replace(/[\t\n\r]/g, (found) => `⟨${nameOf(found)}⟩`));
}

// Append a text with unseen characters as marked names.
export function appendSeen(element, text) {
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > from) element.append(text.slice(from, found.index));
    const isReturn = found[0] === '\r';
    element.append(h('span', { class: isReturn ? 'cr' : 'unseen' }, isReturn ? '' : nameOf(found[0])));
    from = found.index + found[0].length;
  }
  if (from < text.length) element.append(from === 0 ? text : text.slice(from));
  return element;
}

// ---- Numbers and times ----------------------------------------------------------------------

const number = new Intl.NumberFormat('en');
export const count = (n) => number.format(n);
export const some = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

export function bytes(n) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

let today = '';
setInterval(() => { today = ''; }, 60000);

// "14:03:27" today, else "21 Nov 14:03:27".
export function when(iso) {
  const date = new Date(iso);
  today ||= new Date().toDateString();
  return date.toDateString() === today ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

export const whenFull = (iso) => full.format(new Date(iso));

export function time(iso) {
  return h('time', { datetime: iso, title: whenFull(iso) }, when(iso));
}

export function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}
