// The servers that the clients talk to: one for each client over stdio, which the client starts itself,
// or one for many over HTTP, which is started here.

import { spawn } from 'node:child_process';
import path from 'node:path';

// The state and the home of every server lie in `scratch`.
const environment = (scratch) =>
    ({ ...process.env, HOME: scratch, XDG_STATE_HOME: path.join(scratch, 'state') });

// How a client starts a server of its own over `root`.
export const stdioServer = (emend, scratch, root, ...flags) => ({
    command: emend,
    args: ['mcp', '--root', root, '--tools', 'all', ...flags],
    env: environment(scratch),
    stderr: 'inherit',
});

// Where a server over HTTP listens, what it wants to be shown, and how to end it. `program` is a command
// with its first arguments: `emend serve`, or a server that speaks as it does.
export async function httpServer(program, scratch, root, ...flags) {
    const [command, ...first] = program;
    const child = spawn(command, [...first, '--root', root, '--tools', 'all', '--listen', '127.0.0.1:0', ...flags],
        { env: environment(scratch), stdio: ['ignore', 'pipe', 'pipe'] });
    // What it tells a person who starts it by hand is of no use here; anything else is.
    child.stderr.setEncoding('utf8').on('data', (text) => {
        process.stderr.write(text.replace(/^MCP clients connect .*\n/m, ''));
    });
    const ended = new Promise((resolve) => { child.once('exit', (code, signal) => resolve(code ?? signal)); });
    const address = await Promise.race([firstAddress(child.stdout), ended.then((how) => {
        throw new Error(`the server ended (${how}) before it said where it listens`);
    })]);
    child.stdout.resume();
    return {
        url: new URL('/mcp', address),
        origin: address.origin,
        token: new URLSearchParams(address.hash.slice(1)).get('token') ?? address.hash.slice(1),
        pid: child.pid,
        ended,
        async stop() {
            child.kill('SIGTERM');
            return ended;
        },
    };
}

// The first http:// that it prints.
async function firstAddress(stream) {
    let said = '';
    for await (const piece of stream.iterator({ destroyOnReturn: false })) {
        said += piece;
        const found = /(http:\/\/\S+)\s/.exec(said);
        if (found) return new URL(found[1]);
    }
    throw new Error(`no address in what the server printed: ${said}`);
}
