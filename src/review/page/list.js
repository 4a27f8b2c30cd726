// A list of any length of which only what is in sight has elements. Rows are of one height; the
// elements are made once and get other contents while one scrolls.

import { h } from './dom.js';

const OVERSCAN = 8;

export class List {
  // `make()` gives an empty row, `show(row, item)` fills it; `key(item)` names an item; `opened(item)`
  // is called for the one that is chosen, `reached()` when the end comes into sight.
  constructor(element, { make, show, key, opened, reached }) {
    Object.assign(this, { element, make, show, key, opened, reached });
    this.items = [];
    this.rows = [];
    this.chosen = null; // its key
    this.space = h('div', { class: 'list-space', role: 'presentation' });
    element.append(this.space);
    this.measure();
    element.addEventListener('scroll', () => this.later(), { passive: true });
    element.addEventListener('click', (event) => this.clicked(event));
    new ResizeObserver(() => { this.measure(); this.draw(true); }).observe(element);
  }

  measure() {
    this.height = parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 64;
    this.room = this.element.clientHeight || 600;
  }

  // Other items. What is in sight stays where it is, unless the top is.
  set(items) {
    const atTop = this.element.scrollTop < this.height / 2;
    const anchor = Math.floor(this.element.scrollTop / this.height);
    const key = !atTop && this.items[anchor] ? this.key(this.items[anchor]) : null;
    this.items = items;
    this.space.style.height = `${items.length * this.height}px`;
    if (key !== null) {
      const index = items.findIndex((item) => this.key(item) === key);
      if (index >= 0 && index !== anchor)
        this.element.scrollTop += (index - anchor) * this.height;
    }
    this.draw(true);
  }

  later() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw(false);
    });
  }

  draw(all) {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - OVERSCAN);
    const needed = Math.ceil(this.room / this.height) + 2 * OVERSCAN;
    const last = Math.min(this.items.length, first + needed);
    while (this.rows.length < Math.min(needed, this.items.length)) this.addRow();
    for (let i = first; i < last; i++) this.place(this.rows[i % this.rows.length], i, all);
    if (last - first < this.rows.length) this.hideOthers(first, last);
    this.markChosen();
    if (this.items.length - last < needed) this.reached();
  }

  addRow() {
    const row = this.make();
    row.element.id = `row-${this.rows.length}`;
    row.element.setAttribute('role', 'option');
    row.index = -1;
    this.rows.push(row);
    this.space.append(row.element);
    for (const each of this.rows) each.index = -1;
  }

  place(row, index, all) {
    const item = this.items[index];
    if (!all && row.index === index && row.item === item) return;
    if (row.index !== index) {
      row.element.style.transform = `translateY(${index * this.height}px)`;
      row.element.setAttribute('aria-posinset', index + 1);
    }
    row.element.setAttribute('aria-setsize', this.items.length);
    row.element.hidden = false;
    row.index = index;
    row.item = item;
    this.show(row, item);
  }

  hideOthers(first, last) {
    for (const row of this.rows) {
      if (row.index >= first && row.index < last) continue;
      row.element.hidden = true;
      row.index = -1;
    }
  }

  // ---- The one that is chosen --------------------------------------------------------------

  markChosen() {
    let active = '';
    for (const row of this.rows) {
      const is = row.index >= 0 && this.chosen !== null && this.key(row.item) === this.chosen;
      row.element.setAttribute('aria-selected', is);
      if (is) active = row.element.id;
    }
    if (active) this.element.setAttribute('aria-activedescendant', active);
    else this.element.removeAttribute('aria-activedescendant');
  }

  get index() {
    return this.chosen === null ? -1 : this.items.findIndex((item) => this.key(item) === this.chosen);
  }

  get item() {
    return this.items[this.index] ?? null;
  }

  choose(key) {
    this.chosen = key;
    this.markChosen();
  }

  // The next one (`by` 1) or the one before (-1); into sight with it.
  move(by) {
    if (this.items.length === 0) return null;
    const from = this.index;
    const to = from < 0 ? 0 : Math.max(0, Math.min(this.items.length - 1, from + by));
    this.choose(this.key(this.items[to]));
    this.reveal(to);
    return this.items[to];
  }

  reveal(index) {
    const top = index * this.height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + this.height > this.element.scrollTop + this.room)
      this.element.scrollTop = top + this.height - this.room;
    this.draw(false);
  }

  clicked(event) {
    const row = this.rows.find((each) => each.index >= 0 && each.element.contains(event.target));
    if (!row) return;
    this.choose(this.key(row.item));
    this.opened(row.item);
  }
}
