// The MCP inspector in command-line mode, as a person uses it to look at a server: what it lists, what it
// says of the schemas, and a call that changes a file; over stdio and over HTTP, in each era.
//
//   node inspector.test.mjs EMEND      EMEND: the binary to start

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newRoot, readFiles, scratch, writeFiles } from './scene.mjs';
import { httpServer, stdioServer } from './servers.mjs';

const EMEND = path.resolve(process.argv[2]);
const HERE = path.dirname(fileURLToPath(import.meta.url));
const PROGRAM = path.join(HERE, 'node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js');
const LIMIT = { timeout: 60_000 };
const ERAS = ['legacy', 'auto', 'modern'];

const root = newRoot('inspector');
const catalog = path.join(scratch, 'inspector.json');
let server;

before(async () => {
    server = await httpServer([EMEND, 'serve'], scratch, root);
    const { command, args, env } = stdioServer(EMEND, scratch, root);
    const stdio = { type: 'stdio', command, args, env: { HOME: env.HOME, XDG_STATE_HOME: env.XDG_STATE_HOME } };
    const http = {
        type: 'streamable-http', url: String(server.url), headers: { Authorization: `Bearer ${server.token}` },
    };
    const entries = ERAS.flatMap((protocolEra) => [
        [`stdio-${protocolEra}`, { ...stdio, protocolEra }],
        [`HTTP-${protocolEra}`, { ...http, protocolEra }],
    ]);
    fs.writeFileSync(catalog, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
});
after(() => server?.stop());

// What it prints, as JSON.
function inspect(name, ...words) {
    const env = { ...process.env, HOME: scratch, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    return new Promise((resolve, reject) => {
        execFile(process.execPath, [PROGRAM, '--config', catalog, '--server', name, ...words],
            { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
                if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
                else resolve(JSON.parse(stdout));
            });
    });
}

for (const way of ['stdio', 'HTTP']) {
    describe(`the inspector over ${way}`, { ...LIMIT, concurrency: 3 }, () => {
        for (const era of ERAS) {
            const name = `${way}-${era}`;
            it(`lists tools with schemas that suit every client: ${era}`, LIMIT, async () => {
                const { tools } = await inspect(name, '--method', 'tools/list', '--strict');
                assert.ok(tools.some((tool) => tool.name === 'edit_file'));
            });
            it(`changes a file: ${era}`, LIMIT, async () => {
                writeFiles(root, { [`${name}.txt`]: 'one\n' });
                const result = await inspect(name, '--method', 'tools/call', '--tool-name', 'edit_file', '--tool-arg',
                    `file_path=${name}.txt`, 'old_string=one', 'new_string=two');
                assert.equal(result.isError, false);
                assert.equal(readFiles(root)[`${name}.txt`], 'two\n');
            });
        }
    });
}
