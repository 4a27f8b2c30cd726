// Makes the pictures of the page that the documentation shows: review.png, approvals.png.
//
//   node picture.mjs EMEND CHROMIUM FOLDER

import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { agent, serve, World } from './server.mjs';

const [emend, executablePath, folder] = process.argv.slice(2);

const FILES = {
  'src/orders/pricing.py': `"""What an order costs."""
from decimal import Decimal

DISCOUNT = Decimal("0.05")


def line_total(line):
    """Price of one line, before tax."""
    return line.price * line.count


def total(order, discount=DISCOUNT):
    # Rounded once, at the end.
    amount = sum(line_total(line) for line in order.lines)
    if order.customer.is_regular:
        amount -= amount * discount
    return amount.quantize(Decimal("0.01"))


def shipping(order):
    if order.weight > 20:
        return Decimal("14.90")
    return Decimal("4.90")
`,
  'src/orders/store.js': `export async function load(id) {
  const answer = await fetch(\`/orders/\${id}\`);
  if (!answer.ok) throw new Error("not found");
  return answer.json();
}
`,
  'web/index.html': '<!doctype html>\n<body>\n  <h1 class="title">Orders</h1>\n  <p id="hint">Loading…</p>\n</body>\n',
  'README.md': '# Orders\n\nOrders are kept for 30 days.\n',
  'settings.toml': '[server]\nport = 8080\ntimeout = 30\nworkers = 2\n',
};

async function work(world, server) {
  const [one, two] = [await agent(world, server, 'claude-code'), await agent(world, server, 'codex-cli')];
  await one.call('edit_file', { file_path: 'settings.toml', old_string: 'timeout = 30', new_string: 'timeout = 45' });
  await two.call('editFile', { file: 'src/orders/store.js', operations: [{ search: 'throw new Error("not found");', replace: 'throw new Error(`order ${id}: ${answer.status}`);' }] });
  await one.call('editDOM', { file: 'web/index.html', operations: [{ selector: '#hint', action: 'setText', value: 'Reading your orders…' }] });
  await two.call('edit_file', { file_path: 'src/orders/pricing.py', old_string: 'order.weight >= 20', new_string: 'order.weight >= 25' });
  await two.call('editFile', { file: 'src/orders/pricing.py', operations: [{ search: 'if order.weight>20:\n      return Decimal("14.90")', replace: 'if order.weight>25:\n      return Decimal("16.90")' }] });
  await one.call('writeFiles', { files: [{ file: 'src/orders/tax.py', content: '"""Value added tax."""\n\nRATE = 19\n' }] });
  await one.call('edit_file', { file_path: 'README.md', old_string: '30 days', new_string: '90 days' });
  world.run(['undo']);
  await two.call('edit_file', { file_path: '../secrets.txt', old_string: 'a', new_string: 'b' });
  await one.call('MultiEdit', { path: 'src/orders/pricing.py', edits: [
    { old_string: '    if order.customer.is_regular:\n        amount -= amount * discount\n    return amount.quantize(Decimal("0.01"))', new_string: '    if order.customer.is_regular and amount > MINIMUM:\n        amount -= amount * discount\n    return (amount + tax(amount)).quantize(Decimal("0.01"))' },
    { old_string: 'from decimal import Decimal\n', new_string: 'from decimal import Decimal\n\nfrom .tax import tax\n' },
    { old_string: 'DISCOUNT = Decimal("0.05")\n', new_string: 'DISCOUNT = Decimal("0.05")\nMINIMUM = Decimal("100")\n' }] });
}

// Calls that wait: they are answered when the server ends.
async function ask(world, server) {
  const [one, two] = [await agent(world, server, 'claude-code'), await agent(world, server, 'codex-cli')];
  one.call('edit_file', { file_path: 'settings.toml', old_string: 'timeout = 30', new_string: 'timeout = 45' }).catch(() => {});
  two.call('editFile', { file: 'src/orders/pricing.py', operations: [{ search: 'if order.weight>20:\n      return Decimal("14.90")', replace: 'if order.weight>25:\n      return Decimal("16.90")' }] }).catch(() => {});
}

// The page after something was done, as `act` leaves it.
async function picture(name, more, prepare, act) {
  const world = new World(emend);
  for (const [path, text] of Object.entries(FILES)) world.write(path, text);
  const server = await serve(world, { more: ['--sync', 'full', ...more] });
  const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  try {
    await prepare(world, server);
    const page = await browser.newPage({ viewport: { width: 1240, height: 760 }, colorScheme: 'light' });
    await page.goto(`${server.url}/#token=${world.token}`);
    await act(page);
    await page.evaluate(() => { document.getElementById('where').textContent = '/srv/orders'; });
    await page.screenshot({ path: join(folder, name) });
  } finally {
    await browser.close();
    await server.stop();
    world.remove();
  }
}

await picture('review.png', [], work, async (page) => {
  await page.locator('.row').first().click();
  await page.locator('#detail td.code.add').first().waitFor();
});
await picture('approvals.png', ['--approve'], ask, async (page) => {
  await page.locator('#waiting-note').filter({ hasText: '2 changes wait' }).click();
  await page.locator('.card.waiting').nth(1).locator('td.code.add').first().waitFor();
});
