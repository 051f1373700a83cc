import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isAlive, patient, startNodeProcess } from '../node/nodeProcess.ts';
import { startTestServer, type TestServer } from '../support/startTestServer.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let server: TestServer;
let world: BrowserWorld;

// Of its own, as it is stopped under all who use it.
before(async () => {
  if (skip !== false) return;
  server = await startTestServer('mariadb');
  world = await makeBrowserWorld(fileScope, server.url);
  await world.addJob({ name: 'steady', command: 'echo it ran' });
});
after(() => server?.stop());

test('a token that is revoked leads to the login, and from there back', { skip }, async () => {
  const { secret, tokenId } = await world.addToken('leaver');
  const { close, page, troubles } = await openJob(secret);
  await world.revokeToken(tokenId);
  await page.getByLabel('Token').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'steady' }).count(), 0);
  await page.getByLabel('Token').fill(world.token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'steady' }).waitFor();
  assert.deepEqual(without(troubles, /status of 401/), []);
  await close();
});

test('an answer that breaks off is read again', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  let broken = 0;
  await page.route(/\/api\/v1\/jobs\?/, (route) => {
    broken += 1;
    return broken > 2 ? route.fallback() : route.fulfill({ status: 200, body: '{"items":[' });
  });
  await page.goto(`${world.origin}/#/jobs`);
  await page.getByRole('link', { name: 'steady' }).waitFor();
  assert.ok(broken > 2);
  assert.deepEqual(troubles, []);
  await close();
});

test('a read that is not answered is given up after half a minute, and made again', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  let requests = 0;
  await page.route(/\/api\/v1\/jobs\?/, async (route) => {
    requests += 1;
    if (requests > 1) return await route.fallback(); // the first one nobody answers
  });
  // The page's clock goes by our hand alone: what this machine takes is not among the 29 s.
  const installedAt = Date.now();
  await page.clock.install({ time: installedAt });
  await page.clock.pauseAt(installedAt + 1_000);
  await page.goto(`${world.origin}/#/jobs`);
  const pass = (): Promise<void> => page.clock.runFor(20);
  await until('the list is read', async () => {
    await pass();
    return requests > 0;
  });
  await page.clock.fastForward(29_000);
  const alert = page.getByRole('alert').filter({ hasText: 'This node does not answer' });
  assert.equal(await alert.count(), 0);
  await page.clock.fastForward(2_000);
  await until('it says so', async () => {
    await pass();
    return (await alert.count()) > 0;
  });
  assert.equal(requests, 1);
  await page.clock.resume();
  await page.clock.fastForward(5_000);
  await page.getByRole('link', { name: 'steady' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('while the database stands still, what is shown says so, and goes on', { skip }, async () => {
  const { close, page, troubles } = await openJob();
  const [row] = await world.store.rows('SELECT @@pid_file AS file');
  const pid = Number(await readFile(String(row?.file), 'utf8'));
  process.kill(pid, 'SIGSTOP');
  try {
    await expectOld(page, 'The database does not answer');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await page.locator('div.old-note').waitFor({ state: 'detached' });
  await world.run('steady', 'after-freeze');
  await expectRuns(page, 1);
  assert.deepEqual(without(troubles, /status of 50|ERR_/), []);
  await close();
});

test('while the node is killed, what is shown says how old it is, and goes on', {
  skip,
}, async () => {
  const { close, page, troubles } = await openJob();
  const { pid } = await world.node.session();
  world.node.guardian.kill('SIGKILL');
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await expectOld(page, 'This node does not answer');
  const port = new URL(world.origin).port;
  const before = await world.node.session().catch(() => undefined);
  const again = startNodeProcess(fileScope, world.store, 'web1', ['--http', port, ...patient]);
  await again.session(before);
  await world.run('steady', 'after-restart');
  await page.locator('div.old-note').waitFor({ state: 'detached' });
  await expectRuns(page, 2);
  // What the browser itself says of each connection that was refused.
  assert.deepEqual(without(troubles, /ERR_|status of/), []);
  await close();
});

async function openJob(as = world.token) {
  const window = await world.open({ as });
  await window.page.goto(`${world.origin}/#/jobs/steady`);
  await window.page
    .getByText('on request')
    .or(window.page.getByText('Next ticks'))
    .first()
    .waitFor();
  await window.page.getByRole('button', { name: 'Live' }).waitFor();
  return window;
}

/** What was read stays, and its age is said and grows. */
async function expectOld(page: Page, why: string): Promise<void> {
  const note = page.locator('div.old-note');
  await note.getByText(why).waitFor();
  const ageOf = async () => {
    const text = (await note.textContent()) ?? '';
    const found = /What you see is (?:(\d+) min )?(?:(\d+) s )?old/.exec(text);
    assert.ok(found, text);
    return 60 * Number(found[1] ?? 0) + Number(found[2] ?? 0);
  };
  const age = await ageOf();
  assert.ok(age >= 1, 'it is old');
  await until('its age grows', async () => (await ageOf()) > age);
  await page.getByRole('heading', { name: 'steady' }).waitFor();
  await page.getByText('echo it ran').waitFor();
}

async function expectRuns(page: Page, count: number): Promise<void> {
  const ended = page.getByRole('table').getByText('succeeded', { exact: true });
  await ended.nth(count - 1).waitFor();
}

function without(troubles: readonly string[], expected: RegExp): string[] {
  return troubles.filter((text) => !expected.test(text));
}
