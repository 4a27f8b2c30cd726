// Drives the server with MCP clients that nobody here wrote, and looks at the files afterwards: each client
// with each tool, over stdio and over HTTP.
//
//   node clients.test.mjs EMEND      EMEND: the binary to start

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CLIENTS } from './clients.mjs';
import { SCENARIOS, TOOLS } from './scenarios.mjs';
import {
    assertHolds, fileNames, hasEnded, isKept, LIMIT, newRoot, readFiles, scratch, text, writeFiles,
} from './scene.mjs';
import { httpServer, stdioServer } from './servers.mjs';

const EMEND = path.resolve(process.argv[2]);
const NODE = Number(process.versions.node.split('.')[0]);
const INVALID_PARAMS = -32602;

// `serve` makes ready what clients open; over stdio each opens a server of its own.
const WAYS = [
    {
        name: 'stdio',
        takes: () => true,
        serve: async (root, ...flags) => stdioServer(EMEND, scratch, root, ...flags),
        // The client had the server to itself: it ends with it.
        async end(connection) {
            const closed = connection.client.close();
            assert.ok(await hasEnded(connection.pid, 1500), 'the client had to kill the server');
            await closed;
        },
    },
    {
        name: 'HTTP',
        takes: (kind) => kind.http,
        serve: (root, ...flags) => httpServer([EMEND, 'serve'], scratch, root, ...flags),
        async end(connection, server) {
            await connection.transport.terminateSession();
            await connection.client.close();
            assert.equal(await server.stop(), 0);
        },
    },
];

function inFolder(value, folder) {
    return JSON.parse(JSON.stringify(value).replaceAll('"D/', `"${folder}/`));
}

async function play(connection, root, index, scenario) {
    const folder = `s${index}`;
    fs.mkdirSync(path.join(root, folder));
    writeFiles(path.join(root, folder), scenario.files);
    const result = await connection.callTool({
        name: scenario.tool,
        arguments: inFolder(scenario.args, folder),
    });
    const answer = text(result).replaceAll(`${folder}/`, 'D/');
    assert.equal(result.isError ?? false, scenario.isError ?? false, answer);
    if (scenario.text) assert.match(answer, scenario.text);
    if (scenario.structured) assertHolds(result.structuredContent, scenario.structured, 'structuredContent');
    assert.deepEqual(readFiles(path.join(root, folder)), scenario.after ?? scenario.files);
}

function everything(kind, way) {
    const root = newRoot(`${kind.name} ${way.name}`);
    let server, connection;

    it('connects, and agrees on the revision', LIMIT, async () => {
        server = await way.serve(root);
        connection = await kind.open(server);
        assert.equal(connection.agreed, kind.agreed);
        assert.equal(connection.client.getServerVersion().name, 'emend');
        assert.match(connection.client.getInstructions(), /file_edit/);
    });

    it('lists the tools', LIMIT, async () => {
        const { tools } = await connection.client.listTools();
        const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
        for (const name of TOOLS) {
            assert.equal(byName[name]?.inputSchema.type, 'object', name);
            assert.ok(byName[name].description.length > 0, name);
        }
        assert.equal(byName.read_file.annotations.readOnlyHint, true);
        assert.equal(byName.edit_file.annotations.destructiveHint, true);
    });

    if (!kind.modern) {
        it('pings', LIMIT, async () => {
            assert.deepEqual(await connection.client.ping(), {});
        });
    }

    SCENARIOS.forEach((scenario, index) => {
        it(scenario.what, LIMIT, () => play(connection, root, index, scenario));
    });

    it('refuses an unknown tool with a protocol error', LIMIT, async () => {
        await assert.rejects(connection.callTool({ name: 'no_such_tool', arguments: {} }), (error) => {
            assert.equal(error.code, INVALID_PARAMS, String(error));
            return true;
        });
    });

    it('reports progress that grows', LIMIT, async () => {
        writeFiles(root, { 'progress.txt': `one\n${'another line\n'.repeat(500_000)}` });
        connection.progress.length = 0;
        const result = await connection.callTool({
            name: 'edit_file',
            arguments: { file_path: 'progress.txt', old_string: 'one', new_string: '1' },
        });
        assert.ok(!result.isError, text(result));
        const seen = [...connection.progress];
        assert.ok(seen.length > 0, 'no progress came');
        assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
    });

    it('keeps what somebody else wrote meanwhile', LIMIT, async () => {
        writeFiles(root, { 'shared.txt': 'x = 1\ny = 2\n' });
        const edit = (old_text, new_text, rest) => connection.callTool({
            name: 'file_edit',
            arguments: { path: 'shared.txt', edits: [{ old_text, new_text }], ...rest },
        });
        const first = await edit('x = 1', 'x = 5');
        writeFiles(root, { 'shared.txt': 'x = 5\ny = 3\n' });
        const stale = await edit('x = 5', 'x = 6', { expected_hash: first.structuredContent.hash });
        assert.equal(stale.isError, true);
        assert.equal(stale.structuredContent.validation_error.type, 'CONFLICT');
        assert.equal(readFiles(root)['shared.txt'], 'x = 5\ny = 3\n');
    });

    it('loses no edit to a second client on the same file', LIMIT, async () => {
        writeFiles(root, { 'both.txt': Array.from({ length: 20 }, (_, i) => `line ${i};\n`).join('') });
        const other = await kind.open(server);
        const edits = Array.from({ length: 20 }, (_, i) => (i % 2 ? connection : other).callTool({
            name: 'edit_file',
            arguments: { file_path: 'both.txt', old_string: `line ${i};`, new_string: `done ${i};` },
        }));
        for (const result of await Promise.all(edits)) assert.ok(!result.isError, text(result));
        await Promise.all([other.client.close(), other.pid && hasEnded(other.pid, 1500)]);
        assert.doesNotMatch(readFiles(root)['both.txt'], /line/);
    });

    it('shows briefs, and in full what was picked', LIMIT, async () => {
        const lazyServer = await way.serve(root, '--lazy');
        const lazy = await kind.open(lazyServer);
        const description = async () =>
            (await lazy.client.listTools()).tools.find((tool) => tool.name === 'mcp__editor__Edit').description;
        let told = false;
        lazy.client.fallbackNotificationHandler = async ({ method }) => {
            told ||= method === 'notifications/tools/list_changed';
        };
        const brief = await description();
        await lazy.callTool({ name: 'pick_tools', arguments: { tools: ['mcp__editor__Edit'] } });
        const picked = await description();
        assert.match(brief, /^Edit files using search-and-replace\. .*\.$/);
        assert.equal(told, !kind.modern); // of a list that never changes nobody is told
        assert.equal(picked === brief, kind.modern);
        await lazy.client.close();
        await lazyServer.stop?.();
    });

    it('ends when the client closes, and leaves no stray file', LIMIT, async () => {
        await way.end(connection, server);
        assert.deepEqual(fileNames(root).filter(isKept), []);
    });
}

for (const kind of CLIENTS) {
    const skip = NODE < kind.node && `needs Node ${kind.node}, this is ${process.version}`;
    for (const way of WAYS.filter((each) => each.takes(kind))) {
        describe(`${kind.name} over ${way.name}`, { skip, timeout: 120_000 }, () => {
            if (!skip) everything(kind, way);
        });
    }
}
