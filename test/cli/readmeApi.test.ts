import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { docPages } from '../support/docPages.ts';
import { programArgs } from '../support/program.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { makeTestToken, reachByApi } from './ways.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('the examples of the docs for the API and for notifications do what they say', {
  skip: hasCurl ? false : 'not run: there is no curl here',
}, async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const token = await makeTestToken(world);
  const { env } = await reachByApi(t, world, token);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const command = [process.execPath, ...programArgs()].map((word) => `'${word}'`).join(' ');
  const start = `#!/bin/sh\nexec ${command} "$@"\n`;
  await writeFile(path.join(folder, 'statecron'), start, { mode: 0o755 });
  await writeFile(path.join(folder, 'token'), `${token}\n`, { mode: 0o600 });
  const [api, notifying] = [examplesOf('The API'), examplesOf('Notifications')];
  const script = [
    'set -euo pipefail',
    `export PATH='${folder}':"$PATH"`,
    api
      .replace('http://127.0.0.1:7700', env?.STATECRON_URL ?? '')
      .replace('~/.local/share/statecron/token', path.join(folder, 'token')),
    'statecron job add hello --cron @manual --command true',
    // No node is here that would send it: it is left waiting, which is 75.
    notifying.replace(/^statecron notify test hook/m, '$& --wait-timeout 1ms || test $? = 75'),
    'api "$STATECRON_URL/docs" -o /dev/null -w "docs %{http_code}\\n"',
  ];
  const bash = spawn('bash', ['-c', script.join('\n')], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = (await once(bash, 'close')) as [number | null];
  assert.equal(code, 0, said);
  assert.match(said, /statecron_[0-9a-f]{12}_/, 'the token is shown');
  assert.match(said, /"items":\[\]/, 'the runs are listed');
  assert.match(said, /"job":"greet"/, 'the job is added');
  assert.match(said, /whsec_/, 'the secret is shown');
  assert.match(said, /hook +test +(waiting|sent)/, 'the notification is listed');
  assert.match(said, /docs 200/);
  const jobs = await world.rows('SELECT name FROM job ORDER BY name');
  assert.deepEqual(
    jobs.map(({ name }) => name),
    ['greet', 'hello'],
  );
});

/** The first block of code below a heading, of the last page that has it. */
function examplesOf(heading: string): string {
  const sections = docPages().flatMap(({ text }) =>
    `\n${text}`.split(new RegExp(`\n##? ${heading}\n`)).slice(1),
  );
  const [, block] = sections.at(-1)?.split(/\n```\w*\n/) ?? [];
  assert.ok(block, heading);
  return block;
}
