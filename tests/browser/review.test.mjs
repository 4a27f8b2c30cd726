// The review page in a browser, as a person meets it.
//
//   node --test review.test.mjs EMEND CHROMIUM [--quick] [--pictures FOLDER]

import assert from 'node:assert/strict';
import { after, before, test as testOf } from 'node:test';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { agent, serve, World } from './server.mjs';
import { faintTexts, nameless, taskTimes } from './look.mjs';

const options = process.argv.slice(2);
const [emend, executable] = options;
const quick = options.includes('--quick');
const pictures = options.includes('--pictures') ? options[options.indexOf('--pictures') + 1] : null;
const PATIENCE = 60000;

// Not every wait for a browser has a bound of its own: a test that stands still is told by its name.
const test = (name, act) => testOf(name, { timeout: 3 * PATIENCE }, act);

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: executable, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
});
after(() => browser?.close(), { timeout: PATIENCE });

// ---- Scenes ---------------------------------------------------------------------------------

// A page of its own, whose errors are kept: there must be none.
async function visit(url, more = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.stack));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(message.text())) page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

// A world with some files and a server, and a page that sees it.
async function scene(t, { files = {}, more = [], view = {} } = {}) {
  const world = new World(emend);
  for (const [name, text] of Object.entries(files)) world.write(name, text);
  const server = await serve(world, { more });
  const page = await visit(`${server.url}/#token=${world.token}`, view);
  await page.locator('.live.is-live').waitFor();
  t.after(async () => {
    await page.context().close();
    await server.stop();
    world.remove();
    assert.deepEqual(page.errors, [], 'the page complained');
  });
  return { world, server, page };
}

const rows = (page) => page.locator('.row:visible');
const row = (page, text) => rows(page).filter({ hasText: text }).first();
const view = (page, name) => page.locator(`[data-view=${name}]`).click();
const until = (page, f, argument) => page.waitForFunction(f, argument);

async function openRow(page, text) {
  await row(page, text).click();
  await page.locator('#detail table.diff').first().waitFor();
}

const PRICES = 'def total(lines):\n    amount = 0\n    for line in lines:\n        amount += line.price\n    return amount\n';

// ---- Coming in ------------------------------------------------------------------------------

test('the token goes from the address into a cookie that scripts cannot read', async (t) => {
  const { world, server, page } = await scene(t);
  assert.equal(new URL(page.url()).hash, '#/timeline');
  const [cookie] = await page.context().cookies();
  assert.equal(cookie.httpOnly, true);
  assert.equal(cookie.sameSite, 'Strict');
  assert.equal(await page.evaluate('document.cookie'), '');
  await page.reload();
  await page.locator('.live.is-live').waitFor();
  const stranger = await visit(server.url);
  await stranger.getByRole('heading', { name: 'This page needs the token' }).waitFor();
  await stranger.getByLabel('Token').fill('something else entirely');
  await stranger.getByRole('button', { name: 'Open' }).click();
  await stranger.getByText('That is not the token of this server.').waitFor();
  await stranger.getByLabel('Token').fill(world.token);
  await stranger.getByRole('button', { name: 'Open' }).click();
  await stranger.locator('.live.is-live').waitFor();
  await stranger.context().close();
});

// ---- Watching -------------------------------------------------------------------------------

test('what two agents and another process do appears as it happens', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.py': PRICES, 'b.txt': 'one\ntwo\n' } });
  const [first, second] = await Promise.all([agent(world, server, 'agent one'), agent(world, server, 'agent two')]);
  await Promise.all([
    first.call('edit_file', { file_path: 'a.py', old_string: 'amount = 0', new_string: 'amount = Decimal(0)' }),
    second.call('edit_file', { file_path: 'b.txt', old_string: 'two', new_string: 'three' }),
  ]);
  await row(page, 'agent one').waitFor();
  await row(page, 'agent two').waitFor();
  assert.match(await row(page, 'a.py').innerText(), /\+1 −1/);
  assert.match(await row(page, 'a.py').locator('ins').innerText(), /Decimal\(0\)/);
  await second.call('edit_file', { file_path: 'b.txt', old_string: 'never there', new_string: 'x' });
  await row(page, 'Refused by edit_file').waitFor();
  assert.match(await row(page, 'Refused').innerText(), /not found/);
  await second.call('editFile', { file: 'a.py', operations: [{ search: 'amount+=line.price', replace: 'amount += line.total' }] });
  await row(page, 'token').waitFor();
  world.run(['edit', 'b.txt', '--old', 'one', '--new', 'eins'], { cwd: world.root });
  await row(page, 'emend edit').waitFor();
  await page.getByRole('button', { name: 'Refused', exact: true }).click();
  await until(page, () => document.querySelectorAll('.row:not([hidden])').length === 1);
  await row(page, 'Refused').click();
  await page.getByText('The text that was to be replaced is not in the file. Nothing was written.').waitFor();
  await page.getByText('never there', { exact: true }).waitFor();
});

// Parts of a change are drawn when they come into view (content-visibility), and have no innerText before.
test('a change is opened: its words, both sides, white space, the request', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.py': PRICES } });
  const one = await agent(world, server, 'agent one');
  await one.call('edit_file', { file_path: 'a.py', old_string: '        amount += line.price', new_string: '\tamount += line.total' });
  await openRow(page, 'a.py');
  const detail = page.locator('#detail');
  assert.deepEqual(await detail.locator('td.code.add ins').allTextContents(), ['\t', 'total']);
  assert.equal(await detail.locator('table.unified td.code.cut').count(), 1);
  await page.keyboard.press('s');
  await detail.locator('table.split').first().waitFor();
  assert.equal(await detail.locator('table.split td.code.cut del').last().textContent(), 'price');
  await page.keyboard.press('w');
  await detail.locator('.spaces .tab').first().waitFor();
  await detail.getByText('The request as it came').waitFor();
  assert.match(await detail.textContent(), /new_string/);
  assert.ok(await detail.locator('.keyword').count() > 0);
  await picture(page, 'change');
});

test('nothing that a file or a caller holds becomes markup', async (t) => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const name = '<b>bold</b>\u202Etxt.js';
  const { world, server, page } = await scene(t, { files: { [name]: `${evil}\nlet a = 1;\n` } });
  const one = await agent(world, server, '<i>agent</i>');
  await one.call('edit_file', { file_path: name, old_string: 'let a = 1;', new_string: `let a = "\u202E${evil}\u200B\u034F\u180E\uFFA0\u{1D173}\u{E0041}";` });
  await one.call('edit_file', { file_path: `${evil}/x`, old_string: evil, new_string: 'x' });
  await row(page, 'Refused').click();
  await page.getByText('The request as it came').waitFor();
  await openRow(page, 'bold');
  await view(page, 'files');
  await page.locator('#view-files td').first().waitFor();
  for (const tag of ['main img', 'main script', 'main b.x', '.row i', '.row b'])
    assert.equal(await page.locator(tag).count(), 0, tag);
  assert.equal(await page.title(), 'emend');
  assert.deepEqual(await page.locator('#detail table.diff .unseen').allTextContents(), ['U+202E', 'U+200B', 'U+034F', 'U+180E', 'U+FFA0', 'U+1D173', 'U+E0041']);
  const policy = (await page.request.get(`${server.url}/`)).headers()['content-security-policy'];
  assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
});

test('of two names that differ each is shown as it is', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a\r.txt': '1\n', 'a\n.txt': '1\n', 'a\t.txt': '1\n', 'a  .txt': '1\n', 'a .txt': '1\n' }, more: ['--approve'] });
  const one = await agent(world, server, 'agent\none');
  const asked = one.call('writeFiles', { files: ['a\r.txt', 'a\n.txt', 'a\t.txt', 'a  .txt', 'a .txt'].map((file) => ({ file, content: '2\n' })) });
  const names = ['a⟨U+000D⟩.txt', 'a⟨U+000A⟩.txt', 'a⟨U+0009⟩.txt', 'a  .txt', 'a .txt'];
  await view(page, 'approvals');
  await page.locator('.card.waiting td.code.add').first().waitFor();
  assert.deepEqual(await page.locator('.card.waiting .path-heading').allInnerTexts(), names);
  await page.getByText('agent⟨U+000A⟩one').waitFor();
  await page.getByRole('button', { name: 'Yes' }).click();
  await asked;
  await view(page, 'timeline');
  await until(page, () => document.querySelectorAll('.row:not([hidden])').length === 5);
  assert.deepEqual((await page.locator('.row:visible .path').allInnerTexts()).sort(), [...names].sort());
  await view(page, 'files');
  await page.locator('#view-files td').first().waitFor();
  for (const name of names.slice(0, 3)) assert.equal(await page.locator('#view-files a').filter({ hasText: name }).count(), 1, name);
});

test('a very long line is cut in its middle, until somebody wants it', async (t) => {
  const long = 'x'.repeat(20000);
  const { world, server, page } = await scene(t, { files: { 'a.txt': `${long}\n` } });
  const one = await agent(world, server, 'agent one');
  await one.call('writeFiles', { files: [{ file: 'a.txt', content: `${'y'.repeat(30000)}\n` }] });
  await openRow(page, 'a.txt');
  await page.getByRole('button', { name: '… 17,000 characters …' }).click();
  await until(page, (length) => document.querySelector('td.code.cut code').textContent.length === length, long.length);
});

// ---- Undoing --------------------------------------------------------------------------------

test('undo shows what it would do, does it, and can be undone', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\ntwo\n' } });
  const one = await agent(world, server, 'agent one');
  await one.call('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'three' });
  await openRow(page, 'a.txt');
  await page.keyboard.press('u');
  const dialog = page.getByRole('dialog');
  await dialog.locator('td.code.add').waitFor();
  assert.match(await dialog.textContent(), /Undo change 1\?[^]*two/);
  assert.equal(world.read('a.txt'), 'one\nthree\n', 'only shown so far');
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await row(page, 'Undone').waitFor();
  await page.locator('.row.is-undone').waitFor();
  assert.equal(world.read('a.txt'), 'one\ntwo\n');
  await page.getByRole('button', { name: 'Redo…' }).click();
  await dialog.getByRole('button', { name: 'Redo', exact: true }).click();
  await row(page, 'Redone').waitFor();
  assert.equal(world.read('a.txt'), 'one\nthree\n');
  const undone = page.locator('.row.is-undo.is-undone');
  await undone.waitFor();
  await page.reload();
  await undone.click();
  await page.locator('#detail').getByText('of 1, undone by 3').waitFor();
  assert.equal(await page.locator('.row.is-undone').count(), 1, 'the change itself is made again');
});

test('an undo that somebody is in the way of says what stands there', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\ntwo\n' } });
  const one = await agent(world, server, 'agent one');
  await one.call('edit_file', { file_path: 'a.txt', old_string: 'two', new_string: 'three' });
  world.write('a.txt', 'one\nfour\n');
  await openRow(page, 'a.txt');
  await page.keyboard.press('u');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('What stands there now, at line 2').waitFor();
  assert.match(await dialog.textContent(), /four/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(world.read('a.txt'), 'one\nfour\n');
});

test('a checkpoint is named, and rewound to after a look at all of it', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n', 'b.txt': 'uno\n' } });
  const one = await agent(world, server, 'agent one');
  await view(page, 'checkpoints');
  await page.getByLabel('Name of the checkpoint').fill('before/all <of> it');
  await page.keyboard.press('Enter');
  await page.getByText('before/all <of> it').waitFor();
  await one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  await one.call('writeFiles', { files: [{ file: 'b.txt', content: 'due\n' }, { file: 'c.txt', content: 'tre\n' }] });
  await page.getByRole('button', { name: 'Rewind…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('would be removed').waitFor();
  await until(page, () => document.querySelectorAll('[role=dialog] .file-diff, dialog .file-diff').length === 3);
  await dialog.getByRole('button', { name: 'Rewind', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(world.read('a.txt') + world.read('b.txt'), 'one\nuno\n');
  assert.throws(() => world.read('c.txt'));
});

test('what was shown is taken back, and nothing that came meanwhile', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n', 'b.txt': 'uno\n' } });
  const one = await agent(world, server, 'agent one');
  await view(page, 'checkpoints');
  await page.getByLabel('Name of the checkpoint').fill('here');
  await page.keyboard.press('Enter');
  await page.getByText('here', { exact: true }).waitFor();
  await one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  await page.getByRole('button', { name: 'Rewind…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('td.code.add').waitFor();
  await one.call('edit_file', { file_path: 'b.txt', old_string: 'uno', new_string: 'due' });
  await dialog.getByRole('button', { name: 'Rewind', exact: true }).click();
  await dialog.getByText('What would change now is not what was shown: look again.').waitFor();
  assert.equal(world.read('a.txt') + world.read('b.txt'), 'two\ndue\n');
});

// ---- Deciding -------------------------------------------------------------------------------

test('changes wait for a yes or a no, whose reason the agent reads', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n', 'b.txt': 'uno\n' }, more: ['--approve'], view: { reducedMotion: 'reduce' } });
  const [first, second] = await Promise.all([agent(world, server, 'agent one'), agent(world, server, 'agent two')]);
  const refused = first.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  await page.getByText('1 change waits for your yes').click();
  const cards = page.locator('.card.waiting');
  await cards.locator('td.code.add').waitFor();
  assert.match(await page.title(), /^\(1\)/);
  assert.deepEqual(await faintTexts(page), []);
  assert.deepEqual(await nameless(page), []);
  await picture(page, 'approvals');
  await page.setViewportSize({ width: 360, height: 720 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  await picture(page, 'approvals-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await faintTexts(page), []);
  await page.keyboard.press('r');
  await page.keyboard.type('Not before Monday');
  await page.keyboard.press('Enter');
  const answer = await refused;
  assert.equal(answer.isError, true);
  assert.match(answer.content[0].text, /Not before Monday/);
  assert.equal(world.read('a.txt'), 'one\n');
  const accepted = second.call('edit_file', { file_path: 'b.txt', old_string: 'uno', new_string: 'due' });
  await cards.getByText('agent two').waitFor();
  await cards.getByLabel('What a yes is for').selectOption('file');
  await cards.getByRole('button', { name: 'Yes' }).click();
  assert.equal((await accepted).isError, false);
  assert.equal(world.read('b.txt'), 'due\n');
  await second.call('edit_file', { file_path: 'b.txt', old_string: 'due', new_string: 'tre' });
  assert.equal(world.read('b.txt'), 'tre\n', 'this file passes now');
  const again = page.getByRole('button', { name: 'Ask again' });
  await again.click();
  await again.waitFor({ state: 'detached' });
  const third = second.call('edit_file', { file_path: 'b.txt', old_string: 'tre', new_string: 'quattro' });
  await cards.locator('td.code.add').waitFor();
  await until(page, () => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })); return !document.querySelector('.card.waiting'); });
  assert.equal((await third).isError, false);
  await view(page, 'timeline');
  await row(page, 'said no').waitFor();
});

test('there is no yes to what is not shown', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n' }, more: ['--approve'] });
  const one = await agent(world, server, 'agent one');
  await page.route('**/api/approvals/*', (route) => route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'too busy' } } }));
  const asked = one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  await view(page, 'approvals');
  const yes = page.getByRole('button', { name: 'Yes' });
  await page.getByText('The diff could not be read: too busy').waitFor();
  assert.equal(await yes.isDisabled(), true);
  await page.unroute('**/api/approvals/*');
  await view(page, 'timeline');
  await view(page, 'approvals');
  await page.locator('.card.waiting td.code.add').waitFor();
  await yes.click();
  assert.equal((await asked).isError, false);
});

test('a click that comes twice is a yes to one change', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n', 'b.txt': 'one\n' }, more: ['--approve'] });
  const [first, second] = await Promise.all([agent(world, server, 'agent one'), agent(world, server, 'agent two')]);
  const change = (who, file) => who.call('edit_file', { file_path: file, old_string: 'one', new_string: 'two' });
  await view(page, 'approvals');
  const one = change(first, 'a.txt');
  await page.locator('.card.waiting td.code.add').waitFor();
  const two = change(second, 'b.txt');
  await page.locator('.card.waiting td.code.add').nth(1).waitFor();
  const yes = page.getByRole('button', { name: 'Yes' });
  await until(page, () => [...document.querySelectorAll('.card.waiting button.main')].every((button) => !button.disabled));
  const { x, y } = await yes.first().boundingBox();
  await page.mouse.click(x + 5, y + 5);
  assert.equal((await one).isError, false);
  await page.locator('.card.waiting').nth(1).waitFor({ state: 'detached' });
  assert.ok(Math.abs((await yes.boundingBox()).y - y) < 5, 'it stands where the other stood');
  await page.mouse.click(x + 5, y + 5);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.equal(world.read('b.txt'), 'one\n');
  await yes.click();
  assert.equal((await two).isError, false);
});

test('who is asked is told what is not shown', async (t) => {
  const { world, server, page } = await scene(t, { more: ['--approve', '--tools', 'all'] });
  const one = await agent(world, server, 'agent one');
  const files = Array.from({ length: 203 }, (_, i) => ({ file: `${i}.txt`, content: 'x'.repeat(400) }));
  const refused = one.call('writeFiles', { files, atomic: true });
  await view(page, 'approvals');
  await page.getByText('3 more files would be changed, whose diffs this page does not show.').waitFor();
  await page.getByText('The request is longer than this page shows.').waitFor();
  await page.getByRole('button', { name: 'No' }).click();
  await refused;
});

// ---- Losing the server ----------------------------------------------------------------------

test('a page finds its server again when that was restarted, with what it missed', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n' } });
  const one = await agent(world, server, 'agent one');
  await one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
  await row(page, 'agent one').waitFor();
  await server.stop();
  await page.locator('.live.is-waiting').waitFor();
  world.run(['edit', 'a.txt', '--old', 'two', '--new', 'three'], { cwd: world.root });
  const again = await serve(world, { port: server.port });
  t.after(() => again.stop());
  await page.locator('.live.is-live').waitFor();
  await row(page, 'emend edit').waitFor();
  const two = await agent(world, again, 'agent two');
  await two.call('edit_file', { file_path: 'a.txt', old_string: 'three', new_string: 'four' });
  await row(page, 'agent two').waitFor();
  assert.equal(await rows(page).count(), 3);
  await openRow(page, 'agent one');
  await page.getByText('It came to another process, or to an earlier run of this server').waitFor();
});

test('a page whose server is away says so, whatever is asked of it', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n' }, more: ['--approve'] });
  const one = await agent(world, server, 'agent one');
  const lost = one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }).catch(() => {});
  await view(page, 'approvals');
  await page.locator('.card.waiting td.code.add').waitFor();
  await Promise.all([server.crash(), lost]);
  await page.locator('.live.is-waiting').waitFor();
  const notes = page.locator('.note').filter({ hasText: 'The server does not answer.' });
  const before = await notes.count(); // what was asked of it and not yet answered when it went
  const says = async (n) => until(page, (least) => document.querySelectorAll('.note').length >= least, before + n);
  await page.getByRole('button', { name: 'Yes' }).click();
  await says(1);
  await view(page, 'files');
  await page.getByLabel('Only files whose name has this').fill('a');
  await says(2);
  await view(page, 'activity');
  await says(3);
  await page.getByRole('button', { name: 'Week' }).click();
  await says(4);
  assert.equal(await notes.count(), before + 4);
  assert.equal(world.read('a.txt'), 'one\n');
});

test('a history that cannot be read is told as that', async (t) => {
  const { page } = await scene(t);
  await page.route('**/api/edits?*', (route) => route.fulfill({ status: 500, json: { error: { code: 'failed', message: 'the history is damaged' } } }));
  await page.reload();
  await page.locator('#nothing').getByText('the history is damaged').waitFor();
  await page.unroute('**/api/edits?*');
  await page.reload();
  await page.locator('#nothing').getByText('Nothing was changed here yet').waitFor();
});

test('an address that is broken opens the page all the same', async (t) => {
  const { server, page } = await scene(t);
  for (const [hash, text] of [['/change/%', 'there is no change % here'], ['token=%E0%A4%A', 'Choose a change']]) {
    await page.goto('about:blank');
    await page.goto(`${server.url}/#${hash}`);
    await page.locator('.live.is-live').waitFor();
    await page.locator('#detail').getByText(text).waitFor();
  }
});

test('what waits at a server that was restarted is not taken for what waited before', async (t) => {
  const { world, server, page } = await scene(t, { files: { 'a.txt': 'one\n', 'b.txt': 'uno\n' }, more: ['--approve'] });
  const one = await agent(world, server, 'agent one');
  const lost = one.call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }).catch(() => {});
  await view(page, 'approvals');
  await page.locator('.card.waiting').getByRole('heading', { name: 'a.txt' }).waitFor();
  await page.context().setOffline(true);
  await Promise.all([server.stop(), lost]);
  const again = await serve(world, { port: server.port, more: ['--approve'] });
  t.after(() => again.stop());
  const two = await agent(world, again, 'agent two');
  const asked = two.call('edit_file', { file_path: 'b.txt', old_string: 'uno', new_string: 'due' });
  await page.context().setOffline(false);
  await page.locator('.card.waiting').getByRole('heading', { name: 'b.txt' }).waitFor();
  assert.equal(await page.locator('.card.waiting').count(), 1);
  await page.getByRole('button', { name: 'No', exact: true }).click();
  assert.equal((await asked).isError, true);
});

test('a page whose token is no longer good asks for the new one', async (t) => {
  const { world, server, page } = await scene(t);
  await server.stop();
  const again = await serve(world, { port: server.port, token: 'another-token-for-the-tests' });
  t.after(() => again.stop());
  await page.getByRole('heading', { name: 'This page needs the token' }).waitFor();
  await page.keyboard.press('j');
  await page.getByLabel('Token').fill('another-token-for-the-tests');
  await page.keyboard.press('Enter');
  await page.locator('.live.is-live').waitFor();
});

// ---- Much -----------------------------------------------------------------------------------

test(`${quick ? '2,000' : '10,000'} changes are scrolled through without a task of 50 ms`, async (t) => {
  const total = quick ? 2000 : 10000;
  const { world, page } = await scene(t, { files: { 'a.txt': 'the number is 0 now\n' } });
  const calls = Array.from({ length: total }, (_, i) => JSON.stringify({ id: i, tool: 'edit_file', arguments: { file_path: 'a.txt', old_string: `number is ${i} now`, new_string: `number is ${i + 1} now` } }));
  world.run(['batch'], { input: calls.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] });
  await until(page, (n) => document.querySelector('.row:not([hidden]) ins')?.textContent === String(n), total);
  let seen = 0;
  const times = await taskTimes(page, async () => {
    for (let round = 0; round < total && seen < total; round++) {
      seen = await page.evaluate(async () => {
        const list = document.getElementById('list');
        for (let step = 0; step < 30; step++) {
          list.scrollTop += 400;
          await new Promise(requestAnimationFrame);
        }
        return Number(document.querySelector('[role=option]').getAttribute('aria-setsize'));
      });
    }
  });
  assert.equal(seen, total);
  assert.ok(await page.locator('[role=option]').count() < 60, 'only what is in sight has elements');
  assert.ok(times.length > 100, 'the trace has tasks');
  t.diagnostic(`longest tasks, ms: ${times.slice(0, 3).map((ms) => ms.toFixed(1)).join(', ')}`);
  assert.ok(times[0] < 50, `a task took ${times[0].toFixed(1)} ms`);
});

// ---- For everybody --------------------------------------------------------------------------

async function busyScene(t, more = {}) {
  const found = await scene(t, { files: { 'src/a.py': PRICES, 'b.txt': 'one\ntwo\n' }, ...more });
  const one = await agent(found.world, found.server, 'agent one');
  await one.call('editFile', { file: 'src/a.py', operations: [{ search: 'amount+=line.price', replace: 'amount += line.total # with 2 taxes' }] });
  await one.call('edit_file', { file_path: 'b.txt', old_string: 'two', new_string: 'three' });
  await one.call('edit_file', { file_path: 'b.txt', old_string: 'never', new_string: 'x' });
  await until(found.page, () => document.querySelectorAll('.row:not([hidden])').length === 3);
  return found;
}

async function everyView(page, look) {
  await look('timeline');
  await openRow(page, 'a.py');
  await look('change');
  await page.keyboard.press('u');
  await page.getByRole('dialog').locator('td.code.add').first().waitFor();
  await look('undo');
  await page.keyboard.press('Escape');
  if (await page.locator('.back').isVisible()) await page.locator('.back').click();
  await row(page, 'Refused').click();
  await page.getByText('The answer').waitFor();
  await look('refused');
  for (const name of ['files', 'activity', 'checkpoints']) {
    await view(page, name);
    await page.locator(`#view-${name} .sheet td, #view-${name} li`).first().waitFor();
    await look(name);
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`every text can be read, everything has a name: ${colorScheme}`, async (t) => {
    const { page } = await busyScene(t, { view: { colorScheme, reducedMotion: 'reduce' } });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, colorScheme === 'light' ? 'rgb(246, 247, 245)' : 'rgb(18, 21, 26)');
    await everyView(page, async (name) => {
      assert.deepEqual(await faintTexts(page), [], `${name}: too little contrast`);
      assert.deepEqual(await nameless(page), [], `${name}: without a name`);
      await picture(page, `${name}-${colorScheme}`);
    });
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('button')).transitionDuration), '0s');
  });
}

test('all of it fits a phone', async (t) => {
  const { page } = await busyScene(t, { view: { viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true } });
  await everyView(page, async (name) => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${name} is ${wide} wide`);
    await picture(page, `${name}-phone`);
  });
});

test('a change that is shown anew keeps the focus', async (t) => {
  const { page, world } = await busyScene(t);
  await openRow(page, 'a.py');
  await page.locator('#detail .tools button').first().focus();
  world.run(['undo']);
  world.run(['undo']);
  await page.locator('#detail .chip.gone').waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.closest('#detail') !== null));
});

test('it is used with the keys alone', async (t) => {
  const { page } = await busyScene(t);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const list = page.getByRole('listbox', { name: 'Changes, the newest first' });
  const active = await list.getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-posinset'), '2');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'b.txt' }).waitFor();
  await page.keyboard.press('k');
  await page.getByText('The text that was to be replaced is not in the file.').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'list');
  await page.keyboard.press('End');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  await page.keyboard.press('1');
  for (let i = 0; i < 12; i++) await page.keyboard.press('Tab');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.matches(':focus-visible'), getComputedStyle(document.activeElement).outlineStyle === 'none']), [true, false]);
});
