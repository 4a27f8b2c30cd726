// What the tests need of the world: a server, agents that call its tools, files.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';

// A folder with a root, a state directory and a file with a token.
export class World {
  constructor(emend) {
    this.emend = emend;
    this.folder = mkdtempSync(join(tmpdir(), 'emend-page-'));
    this.root = join(this.folder, 'work');
    this.state = join(this.folder, 'state');
    this.token = 'a-token-for-the-tests-alone';
    mkdirSync(this.root);
  }

  write(name, text) {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  read(name) {
    return readFileSync(join(this.root, name), 'utf8');
  }

  // Another process with the same history.
  run(command, options = {}) {
    const [name, ...rest] = command;
    return execFileSync(this.emend, [name, ...rest, '--root', this.root, '--state-dir', this.state, '--sync', 'off'], options);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// A server that a world is served by. `port` 0 takes any; another one may be somebody else's for a while, since
// other tests connect from ports that they are given.
export async function serve(world, options = {}) {
  const PATIENCE_MS = 90000;
  for (const started = Date.now(); ;) {
    try {
      return await serveOnce(world, options);
    } catch (error) {
      if (!options.port || !/in use/i.test(error.message) || Date.now() - started > PATIENCE_MS) throw error;
      await setTimeout(500);
    }
  }
}

async function serveOnce(world, { port = 0, more = [], token = world.token }) {
  writeFileSync(join(world.folder, 'token'), `${token}\n`, { mode: 0o600 });
  const process = spawn(world.emend, ['serve', '--root', world.root, '--state-dir', world.state, '--sync', 'off',
    '--listen', `127.0.0.1:${port}`, '--token-file', join(world.folder, 'token'), '--tools', 'all', ...more],
  { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  process.stderr.on('data', (data) => { errors += data; });
  let text = '';
  for await (const data of process.stdout) {
    text += data;
    if (text.includes('\n')) break;
  }
  if (!text.includes('\n')) throw new Error(`emend serve did not start: ${errors}`);
  const url = new URL(text.trim().split('#')[0]);
  async function end(signal) {
    process.kill(signal);
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
    return errors;
  }
  return {
    url: url.origin,
    port: Number(url.port),
    stop: () => end('SIGTERM'),
    // Nobody is told of it: what waited is still shown as waiting.
    crash: () => end('SIGKILL'),
  };
}

// A client that called itself `name`.
export async function agent(world, server, name) {
  let session = null;
  let id = 0;
  async function send(message) {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.token}`, 'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(session ? { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-06-18' } : {}),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    session ??= answer.headers.get('Mcp-Session-Id');
    const text = await answer.text();
    if (!text) return null;
    const json = answer.headers.get('Content-Type').startsWith('text/event-stream')
      ? text.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).find((line) => line.includes('"id"'))
      : text;
    const value = JSON.parse(json);
    if (value.error) throw new Error(value.error.message);
    return value.result;
  }
  const request = (method, params) => send({ id: ++id, method, params });
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } });
  await send({ method: 'notifications/initialized' });
  return { call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
}
