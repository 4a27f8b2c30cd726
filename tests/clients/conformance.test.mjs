// The official conformance suite, of two generations, against emend's serving code with the tools that the
// suite asks for (fixtures). Each scenario is a test, and so is that those which are not for a server with
// tools alone, and only those, fail (not-applicable.yml).
//
//   node conformance.test.mjs SERVER      SERVER: the binary with the fixtures

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newRoot, scratch } from './scene.mjs';
import { httpServer } from './servers.mjs';

const SERVER = path.resolve(process.argv[2]);
const HERE = path.dirname(fileURLToPath(import.meta.url));
const NOT_APPLICABLE = path.join(HERE, 'not-applicable.yml');
const LIMIT = { timeout: 180_000 };

// Scenarios that must be among those that ran, so that a suite which leaves them out is noticed.
const OF_TOOLS = ['tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-error', 'tools-call-with-progress'];
const OF_HANDSHAKE = ['server-initialize', 'ping', 'logging-set-level', 'tools-call-elicitation', ...OF_TOOLS];

const RUNS = [
    { suite: 'conformance-0.1', options: [], runs: [...OF_HANDSHAKE, 'dns-rebinding-protection', 'server-sse-polling'] },
    { suite: 'conformance-0.2', version: '2025-03-26', runs: ['server-session-lifecycle'] },
    { suite: 'conformance-0.2', version: '2025-06-18', runs: OF_HANDSHAKE },
    {
        suite: 'conformance-0.2', version: '2025-11-25',
        runs: [...OF_HANDSHAKE, 'dns-rebinding-protection', 'server-sse-multiple-streams', 'elicitation-sep1330-enums'],
    },
    {
        suite: 'conformance-0.2', version: '2026-07-28',
        runs: [...OF_TOOLS, 'server-stateless', 'http-header-validation', 'dns-rebinding-protection',
            'input-required-result-multi-round', 'input-required-result-tampered-state'],
    },
];

const notApplicable = new Set(fs.readFileSync(NOT_APPLICABLE, 'utf8').split('\n')
    .map((line) => /^ {2}- (\S+)/.exec(line)?.[1]).filter(Boolean));

// Runs the suite; gives what it printed, its exit status, and the checks of each scenario by its name.
async function runSuite({ suite, version }, url, output) {
    const program = path.join(HERE, 'node_modules', suite, 'dist', 'index.js');
    const options = ['--suite', 'all', ...(version ? ['--spec-version', version] : [])];
    const ended = await new Promise((resolve) => {
        execFile(process.execPath, [program, 'server', '--url', url, ...options, '--expected-failures', NOT_APPLICABLE, '-o', output],
            { maxBuffer: 1 << 26 }, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, text: stdout + stderr }));
    });
    const folders = fs.existsSync(output) ? fs.readdirSync(output) : [];
    const scenarios = folders.map((folder) => [
        /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder)[1],
        JSON.parse(fs.readFileSync(path.join(output, folder, 'checks.json'), 'utf8')),
    ]);
    return { ...ended, scenarios: new Map(scenarios) };
}

const isWrong = (check) => check.status === 'FAILURE' || check.status === 'WARNING';
const wrongOf = (checks) => checks.filter(isWrong).map((check) => `${check.id}: ${check.errorMessage}`);

// The suite gives a server half a second here and there: another try tells a slow machine from a wrong
// server. What is right in one of them is right.
const TRIES = 3;

async function runUntilRight(run, url, output) {
    let found;
    for (let turn = 0; turn < TRIES && found?.status !== 0; turn++) {
        const { status, text, scenarios } = await runSuite(run, url, `${output}-${turn}`);
        for (const [scenario, checks] of found?.scenarios ?? [])
            if (!scenarios.has(scenario) || wrongOf(checks).length === 0) scenarios.set(scenario, checks);
        found = { status, text, scenarios };
    }
    return found;
}

for (const [index, run] of RUNS.entries()) {
    const name = `${run.suite}${run.version ? `, ${run.version}` : ''}`;
    describe(name, LIMIT, () => {
        it('runs', LIMIT, async (test) => {
            const server = await httpServer([SERVER], scratch, newRoot(name), '--token', 'none');
            const { status, text, scenarios } = await runUntilRight(run, String(server.url), path.join(scratch, `results-${index}`));
            assert.equal(await server.stop(), 0);
            for (const [scenario, checks] of scenarios) {
                if (!notApplicable.has(scenario))
                    await test.test(scenario, () => assert.deepEqual(wrongOf(checks), []));
            }
            for (const scenario of run.runs) assert.ok(scenarios.has(scenario), `${scenario} did not run:\n${text}`);
            assert.equal(status, 0, text);
        });
    });
}
