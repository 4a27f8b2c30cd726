// Drives the server with MCP clients that nobody here wrote, and looks at the files afterwards.
//
//   node clients.test.mjs EMEND      EMEND: the binary to start

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CLIENTS } from './clients.mjs';
import { SCENARIOS, TOOLS } from './scenarios.mjs';

const EMEND = path.resolve(process.argv[2]);
const NODE = Number(process.versions.node.split('.')[0]);
const INVALID_PARAMS = -32602;
const LIMIT = { timeout: 20_000 };

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'emend-clients-'));
after(() => fs.rmSync(scratch, { recursive: true }));

// A server over `root`, whose state and home lie in the scratch folder.
const server = (root, ...flags) => ({
    command: EMEND,
    args: ['mcp', '--root', root, '--tools', 'all', ...flags],
    env: { ...process.env, HOME: scratch, XDG_STATE_HOME: path.join(scratch, 'state') },
    stderr: 'inherit',
});

function newRoot(name) {
    const root = path.join(scratch, name.replace(/\W+/g, '-'));
    fs.mkdirSync(root);
    return root;
}

function writeFiles(folder, files) {
    for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), text);
    }
}

// For a moment the server keeps what it replaced, under such a name.
const isKept = (name) => path.basename(name).startsWith('.emend-');

function fileNames(folder) {
    return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
}

// Every file below `folder`, name to text.
function readFiles(folder) {
    const names = fileNames(folder).filter((name) => !isKept(name));
    return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}

async function hasEnded(pid, limit) {
    for (const start = performance.now(); performance.now() - start < limit;) {
        try {
            process.kill(pid, 0);
        } catch {
            return true;
        }
        await setTimeout(10);
    }
    return false;
}

// Is everything in `expected` also in `actual`? Regular expressions match strings.
function assertHolds(actual, expected, where) {
    if (expected instanceof RegExp) {
        assert.match(actual, expected, where);
    } else if (expected !== null && typeof expected === 'object') {
        assert.equal(typeof actual, 'object', `${where}: ${JSON.stringify(actual)}`);
        for (const [key, value] of Object.entries(expected)) assertHolds(actual[key], value, `${where}.${key}`);
    } else {
        assert.deepEqual(actual, expected, where);
    }
}

const text = (result) => result.content.map((block) => block.text).join('');

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

for (const kind of CLIENTS) {
    const skip = NODE < kind.node && `needs Node ${kind.node}, this is ${process.version}`;
    describe(kind.name, { skip, ...LIMIT }, async () => {
        if (skip) return;
        const root = newRoot(kind.name);
        let connection;

        it('connects, and agrees on the revision', LIMIT, async () => {
            connection = await kind.open(server(root));
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
            /* A client may hand on the answer before the notifications that came with it. */
            for (let i = 0; i < 100 && connection.progress.length === 0; i++)
                await new Promise((done) => setTimeout(done, 20));
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

        it('loses no edit to a second server on the same file', LIMIT, async () => {
            writeFiles(root, { 'both.txt': Array.from({ length: 20 }, (_, i) => `line ${i};\n`).join('') });
            const other = await kind.open(server(root));
            const edits = Array.from({ length: 20 }, (_, i) => (i % 2 ? connection : other).callTool({
                name: 'edit_file',
                arguments: { file_path: 'both.txt', old_string: `line ${i};`, new_string: `done ${i};` },
            }));
            for (const result of await Promise.all(edits)) assert.ok(!result.isError, text(result));
            await Promise.all([other.client.close(), hasEnded(other.pid, 1500)]);
            assert.doesNotMatch(readFiles(root)['both.txt'], /line/);
        });

        it('shows briefs, and in full what was picked', LIMIT, async () => {
            const lazy = await kind.open(server(root, '--lazy'));
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
        });

        it('ends when the client closes, and leaves no stray file', LIMIT, async () => {
            const closed = connection.client.close();
            assert.ok(await hasEnded(connection.pid, 1500), 'the client had to kill the server');
            await closed;
            assert.deepEqual(fileNames(root).filter(isKept), []);
        });
    });
}
