// What a person chose, kept in this browser.

const KEY = 'emend.review';
let values = {};
try {
  values = JSON.parse(localStorage.getItem(KEY)) ?? {};
} catch {
  // Nothing was kept, or nothing may be.
}

export const setting = (name, fallback) => values[name] ?? fallback;

export function keep(name, value) {
  values[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // It holds as long as the page is open.
  }
}

// ---- Light and dark -------------------------------------------------------------------------

const THEMES = ['system', 'light', 'dark'];

export function applyTheme() {
  const theme = setting('theme', 'system');
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return theme;
}

export function nextTheme() {
  keep('theme', THEMES[(THEMES.indexOf(setting('theme', 'system')) + 1) % THEMES.length]);
  return applyTheme();
}
