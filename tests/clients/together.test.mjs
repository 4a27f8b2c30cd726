// Several clients on one server over HTTP, what they take back, and what their users are asked.
//
//   node together.test.mjs EMEND      EMEND: the binary to start

import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CLIENTS } from './clients.mjs';
import { LIMIT, newRoot, readFiles, scratch, text, until, writeFiles } from './scene.mjs';
import { httpServer, stdioServer } from './servers.mjs';

const EMEND = path.resolve(process.argv[2]);
const NODE = Number(process.versions.node.split('.')[0]);
const KINDS = CLIENTS.filter((kind) => NODE >= kind.node);

const serve = (root, ...flags) => httpServer([EMEND, 'serve'], scratch, root, ...flags);

const replace = (connection, file_path, old_string, new_string, options) =>
    connection.callTool({ name: 'edit_file', arguments: { file_path, old_string, new_string } }, options);

const close = async (connection) => {
    await connection.transport.terminateSession?.();
    await connection.client.close();
};

describe('many clients on one server', LIMIT, () => {
    const TWINS = 2, TURNS = 15;

    it('each get what they asked for, and lose nothing', LIMIT, async () => {
        const root = newRoot('many');
        const server = await serve(root);
        const kinds = KINDS.filter((kind) => kind.http).flatMap((kind) => Array(TWINS).fill(kind));
        const lines = (word) => kinds.map((_, i) => `${word} of ${i};\n`).join('');
        writeFiles(root, { 'common.txt': lines('the line 0') });
        kinds.forEach((_, i) => writeFiles(root, { [`own${i}.txt`]: 'turn 0\n' }));
        const connections = await Promise.all(kinds.map((kind) => kind.open(server)));
        await Promise.all(connections.map(async (connection, i) => {
            for (let turn = 0; turn < TURNS; turn++) {
                const own = await replace(connection, `own${i}.txt`, `turn ${turn}`, `turn ${turn + 1}`);
                assert.match(text(own), new RegExp(`in own${i}\\.txt`));
                const both = await replace(connection, 'common.txt', `line ${turn} of ${i};`, `line ${turn + 1} of ${i};`);
                assert.ok(!both.isError, text(both));
            }
        }));
        const files = readFiles(root);
        assert.equal(files['common.txt'], lines(`the line ${TURNS}`));
        kinds.forEach((_, i) => assert.equal(files[`own${i}.txt`], `turn ${TURNS}\n`));
        await Promise.all(connections.map(close));
        assert.equal(await server.stop(), 0);
    });

    it('come and go while others work', LIMIT, async () => {
        const root = newRoot('come and go');
        const server = await serve(root, '--sync', 'off', '--grace', '5ms');
        const kinds = KINDS.filter((kind) => kind.http && !kind.modern);
        await Promise.all(Array.from({ length: 6 }, async (_, lane) => {
            const file = `${lane}.txt`;
            for (let turn = 0; turn < 8; turn++) {
                writeFiles(root, { [file]: 'one\n' });
                const connection = await kinds[(lane + turn) % kinds.length].open(server);
                assert.ok(!(await replace(connection, file, 'one', 'two')).isError);
                await connection.callTool({ name: 'undo_last_edit', arguments: {} });
                await close(connection);
                assert.equal(readFiles(root)[file], 'one\n');
            }
        }));
        assert.equal(await server.stop(), 0);
    });

    it('of a handshake each undo what they did themselves', LIMIT, async () => {
        const root = newRoot('undo');
        const server = await serve(root);
        writeFiles(root, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
        const [a, b] = await Promise.all(KINDS.filter((kind) => kind.http && !kind.modern).slice(0, 2)
            .map((kind) => kind.open(server)));
        assert.ok(!(await replace(a, 'a.txt', 'one', 'two')).isError);
        assert.ok(!(await replace(b, 'b.txt', 'one', 'two')).isError);
        const undone = await a.callTool({ name: 'undo_last_edit', arguments: {} });
        assert.ok(!undone.isError, text(undone));
        assert.deepEqual(readFiles(root), { 'a.txt': 'one\n', 'b.txt': 'two\n' });
        const nothing = await a.callTool({ name: 'undo_last_edit', arguments: {} });
        assert.equal(nothing.isError, true, text(nothing));
        await Promise.all([close(a), close(b)]);
        assert.equal(await server.stop(), 0);
    });

    it('of a handshake each see in full what they picked themselves', LIMIT, async () => {
        const server = await serve(newRoot('picks'), '--lazy');
        const [a, b] = await Promise.all(KINDS.filter((kind) => kind.http && !kind.modern).slice(0, 2)
            .map((kind) => kind.open(server)));
        const description = async ({ client }) =>
            (await client.listTools()).tools.find((tool) => tool.name === 'edit_file').description;
        const brief = await description(b);
        await a.callTool({ name: 'pick_tools', arguments: { tools: ['edit_file'] } });
        assert.notEqual(await description(a), brief);
        assert.equal(await description(b), brief);
        await Promise.all([close(a), close(b)]);
        assert.equal(await server.stop(), 0);
    });
});

describe('a session that was ended', LIMIT, () => {
    for (const kind of KINDS.filter((each) => each.http && !each.modern)) {
        it(`is gone: ${kind.name}`, LIMIT, async () => {
            const server = await serve(newRoot(`gone ${kind.name}`));
            const connection = await kind.open(server);
            const headers = {
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                authorization: `Bearer ${server.token}`,
                'mcp-session-id': connection.transport.sessionId,
                'mcp-protocol-version': kind.agreed,
            };
            const ping = () => fetch(server.url, {
                method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'ping' }),
            });
            assert.equal((await ping()).status, 200);
            await close(connection);
            assert.equal((await ping()).status, 404);
            assert.equal(await server.stop(), 0);
        });
    }
});

describe('a client that wants to be told of changes of the list', LIMIT, () => {
    for (const kind of KINDS.filter((each) => each.http && each.modern)) {
        it(`is heard, and may leave: ${kind.name}`, LIMIT, async () => {
            const server = await serve(newRoot(`listens ${kind.name}`));
            const connection = await kind.open(server);
            const subscription = await connection.client.listen({ toolsListChanged: true });
            assert.equal((await connection.client.listTools()).tools.length > 0, true);
            await subscription.close();
            const again = await connection.client.listen({ toolsListChanged: true });
            assert.equal(await server.stop(), 0);
            assert.equal(await again.closed, 'graceful');
            await connection.client.close();
        });
    }
});

// What waits for a person, as the page sees it.
async function waiting(server) {
    const answer = await fetch(new URL('/api/approvals', server.origin),
        { headers: { authorization: `Bearer ${server.token}` } });
    assert.equal(answer.status, 200);
    return (await answer.json()).waiting;
}

describe('a call that is taken back while it waits', LIMIT, () => {
    for (const kind of KINDS.filter((each) => each.http)) {
        it(`is not made: ${kind.name}`, LIMIT, async () => {
            const root = newRoot(`taken back ${kind.name}`);
            const server = await serve(root, '--approve');
            writeFiles(root, { 'a.txt': 'one\n' });
            const connection = await kind.open(server);
            const control = new AbortController();
            const call = replace(connection, 'a.txt', 'one', 'two', { signal: control.signal });
            call.catch(() => {});
            await until('it waits', async () => (await waiting(server)).length === 1);
            control.abort();
            await assert.rejects(call);
            await until('it waits no more', async () => (await waiting(server)).length === 0);
            assert.deepEqual(readFiles(root), { 'a.txt': 'one\n' });
            await close(connection);
            assert.equal(await server.stop(), 0);
        });
    }
});

// ---- Asking the user ------------------------------------------------------------------------------

// What a user says who is asked: yes, or no.
const yes = (schema) => ({
    action: 'accept',
    content: Object.fromEntries(Object.entries(schema.properties ?? {})
        .filter(([, field]) => field.type === 'boolean').map(([name]) => [name, true])),
});
const no = () => ({ action: 'decline' });

const WAYS = [
    {
        name: 'stdio',
        takes: (kind) => kind.elicits,
        serve: async (root) => stdioServer(EMEND, scratch, root, '--approve'),
    },
    { name: 'HTTP', takes: (kind) => kind.elicits && kind.http, serve: (root) => serve(root, '--approve') },
];

describe('a user who is asked', LIMIT, () => {
    for (const way of WAYS) {
        for (const kind of KINDS.filter(way.takes)) {
            it(`decides: ${kind.name} over ${way.name}`, LIMIT, async () => {
                const root = newRoot(`asked ${kind.name} ${way.name}`);
                const server = await way.serve(root);
                writeFiles(root, { 'a.txt': 'one\n' });
                const questions = [];
                let says = yes;
                const connection = await kind.open(server, (message, schema) => {
                    questions.push(message);
                    return says(schema);
                });
                const done = await replace(connection, 'a.txt', 'one', 'two');
                assert.ok(!done.isError, text(done));
                assert.deepEqual(readFiles(root), { 'a.txt': 'two\n' });
                assert.equal(questions.length, 1);
                assert.match(questions[0], /a\.txt/);
                says = no;
                const refused = await replace(connection, 'a.txt', 'two', 'three');
                assert.equal(refused.isError, true, text(refused));
                assert.deepEqual(readFiles(root), { 'a.txt': 'two\n' });
                assert.equal(questions.length, 2);
                await connection.client.close();
                if (server.stop) assert.equal(await server.stop(), 0);
            });
        }
    }
});
