// The server: requests, and events as they happen.

export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function request(method, path, body) {
  const options = { method, credentials: 'same-origin', cache: 'no-store', headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['Content-Type'] = 'application/json';
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused(0, 'gone', 'The server does not answer.');
  }
  if (answer.status === 204) return null;
  const value = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = value?.error ?? {};
    throw new Refused(answer.status, error.code ?? 'failed', error.message ?? `The server answered ${answer.status}.`);
  }
  return value;
}

export const get = (path) => request('GET', path);
export const post = (path, body = {}) => request('POST', path, body);

// Show the token once; from then on the cookie does.
export async function login(token) {
  const answer = await fetch('/api/login', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  }).catch(() => null);
  return answer?.ok ?? false;
}

// Events, for as long as the page is open. `told` gets each; `state` is told 'live', 'waiting' (the
// server is away: it is tried again, ever less often, at most every five seconds) and 'locked' (it
// does not know us any more).
export function listen(types, told, state) {
  let source = null;
  let tries = 0;
  let timer = 0;

  function open() {
    source = new EventSource('/api/events');
    for (const type of ['hello', ...types]) {
      source.addEventListener(type, (event) => {
        if (type === 'hello') {
          tries = 0;
          state('live');
        }
        told(type, JSON.parse(event.data));
      });
    }
    source.onerror = retry;
  }

  async function retry() {
    source.close();
    state('waiting');
    clearTimeout(timer);
    timer = setTimeout(again, Math.min(250 * 2 ** tries++, 5000));
  }

  async function again() {
    try {
      await get('/api/state');
      open();
    } catch (error) {
      if (error.status === 401 || error.status === 403) state('locked');
      else retry();
    }
  }

  addEventListener('online', () => { if (source.readyState === EventSource.CLOSED) retry(); });
  open();
}
