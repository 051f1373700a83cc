import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('a job of another user says what its nodes need when it is given the user', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const ask = (...args: string[]) => askCli(['job', ...args], { url });
  const schedule = ['--cron', '@daily', '--command', 'true'];
  const needs = (user: string) =>
    new RegExp(`^warning: jobs of ${user} start only on nodes .* with --allow-user ${user}; `, 'm');
  assert.match((await ask('add', 'x', ...schedule, '--user', 'nobody')).stderr, needs('nobody'));
  assert.equal((await ask('edit', 'x', '--command', 'false')).stderr, '', 'it was said before');
  assert.match((await ask('edit', 'x', '--user', 'daemon')).stderr, needs('daemon'));
  assert.equal((await ask('edit', 'x', '--no-user')).stderr, '');
});
