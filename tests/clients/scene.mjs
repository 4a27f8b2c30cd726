// What the tests share: folders with files, looking at them afterwards, waiting.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';

export const LIMIT = { timeout: 30_000 };

export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'emend-clients-'));
after(() => fs.rmSync(scratch, { recursive: true }));

export function newRoot(name) {
    const root = path.join(scratch, name.replace(/\W+/g, '-'));
    fs.mkdirSync(root);
    return root;
}

export function writeFiles(folder, files) {
    for (const [name, text] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), text);
    }
}

// For a moment the server keeps what it replaced, under such a name.
export const isKept = (name) => path.basename(name).startsWith('.emend-');

export function fileNames(folder) {
    return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)));
}

// Every file below `folder`, name to text.
export function readFiles(folder) {
    const names = fileNames(folder).filter((name) => !isKept(name));
    return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}

// Wait until `holds` gives something that is true, and give that.
export async function until(what, holds, limit = 20_000) {
    for (const start = performance.now(); performance.now() - start < limit; await setTimeout(10)) {
        const found = await holds();
        if (found) return found;
    }
    return assert.fail(`waited in vain until ${what}`);
}

export async function hasEnded(pid, limit) {
    const isGone = () => {
        try {
            return !process.kill(pid, 0);
        } catch {
            return true;
        }
    };
    for (const start = performance.now(); performance.now() - start < limit; await setTimeout(10))
        if (isGone()) return true;
    return false;
}

export const text = (result) => result.content.map((block) => block.text).join('');

// Is everything in `expected` also in `actual`? Regular expressions match strings.
export function assertHolds(actual, expected, where) {
    if (expected instanceof RegExp) {
        assert.match(actual, expected, where);
    } else if (expected !== null && typeof expected === 'object') {
        assert.equal(typeof actual, 'object', `${where}: ${JSON.stringify(actual)}`);
        for (const [key, value] of Object.entries(expected)) assertHolds(actual[key], value, `${where}.${key}`);
    } else {
        assert.deepEqual(actual, expected, where);
    }
}
