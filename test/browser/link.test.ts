import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { askCli } from '../cli/askCli.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { programArgs } from '../support/program.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { patienceMs } from './launchBrowser.ts';
import { useBrowser } from './useBrowser.ts';

test('the link that up prints logs one browser in; its samples go together', {
  skip,
}, async (t) => {
  const scope = lastFirst(t);
  const world = await makeStoreWorld(scope, 'mariadb');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-link-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const args = ['up', '--data', path.join(folder, 'data'), '--http', '0', '--spool', folder];
  const up = spawn(process.execPath, [...programArgs(), ...args], {
    env: { PATH: process.env.PATH, HOME: folder, STATECRON_DATABASE_URL: world.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(up, 'exit');
  scope.after(async () => {
    up.kill('SIGTERM');
    await exited;
  });
  let log = '';
  up.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const printed = () => /the page: (\S+) \(logs you in once/.exec(log)?.[1];
  const link = await until('the link to the page', printed, 120_000);
  const browser = await useBrowser();
  const newContext = async () => {
    const made = await browser.newContext();
    scope.after(() => made.close());
    made.setDefaultTimeout(patienceMs);
    return made;
  };

  const page = await (await newContext()).newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.getByText('first', { exact: true }).waitFor();
  assert.doesNotMatch(page.url(), /login/);

  const other = await (await newContext()).newPage();
  await other.goto(link);
  await other.getByText('The link was used already').waitFor();
  await other.getByLabel('Token').waitFor();

  const remove = /\(remove all of them: statecron (.+)\)/.exec(log)?.[1]?.split(' ') ?? [];
  const removed = await askCli([...remove, '--yes'], { url: world.url });
  assert.match(removed.stdout, /^Removed 3 jobs: .+\.\n$/, removed.stderr);
});
