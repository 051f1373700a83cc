import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { scanProcesses } from '../../src/exec/process/processTree.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { addToken } from '../../src/store/tokens/addToken.ts';
import { buildProgram } from '../fault/world/buildProgram.ts';
import { startNodeProcess } from '../node/nodeProcess.ts';
import { definitionOf } from '../store/verify/assertAccounted.ts';
import type { Scope } from '../support/createDatabase.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { until } from '../support/until.ts';
import { root } from './installPackage.ts';

const looks = ['readyz', 'metrics', 'docs', 'openapi.json', 'api/v1/machines'] as const;
const drawings = ['api/v1/machines/slot/drawing', 'api/v1/machines/slot/drawing?format=mermaid'];

test('a node whose package is taken away goes on, and starts anew from the next', async (t) => {
  const scope = lastFirst(t);
  const app = await copyPackage(scope);
  const world = await makeStoreWorld(scope, 'mariadb');
  const wishes = { name: 'ann', role: 'admin', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(world.channel, wishes);
  const program = path.join(app, 'node_modules/statecron/dist/src/cli/main.js');
  const node = startNodeProcess(
    scope,
    world,
    'a',
    ['--http', '0', '--threads', '1'],
    world.url,
    {},
    ([node = '', ...command]) => [node, program, ...command.slice(command.indexOf('node'))],
  );
  const session = await node.session();
  const { origin } = await until('it serves', () => {
    const url = /the API listens on (http:[^"\s]+)/.exec(node.log())?.[1];
    return /the node a serves/.test(node.log()) && url !== undefined && new URL(url);
  });

  const definition = { schedule: '@manual', command: 'echo ran' } as const;
  await addJob(world.channel, definitionOf('plain', definition));
  await addJob(world.channel, definitionOf('outlives', { ...definition, onFence: 'finish' }));
  const runs = () => world.rows('SELECT result, reason FROM run ORDER BY run_id');
  const runNow = async (name: string) => {
    const before = (await runs()).length;
    await runJob(world.channel, name, `${name}-${before}`);
    await until('it has run', async () => (await runs()).length > before);
    assert.deepEqual((await runs()).at(-1), { result: 'succeeded', reason: null });
  };
  // Then its only thread and the launcher of that have loaded what they need.
  await runNow('plain');

  const modules = path.join(app, 'node_modules');
  await rename(modules, `${modules}.away`);
  await runNow('plain');
  await runNow('outlives');
  const outputs = await world.rows('SELECT CAST(output AS CHAR) AS said FROM run_output');
  assert.deepEqual(
    outputs.map(({ said }) => said),
    ['ran\n', 'ran\n', 'ran\n'],
  );
  const headers = { authorization: `Bearer ${secret}` };
  for (const look of [...looks, ...drawings]) {
    const answer = await fetch(`${origin}/${look}`, { headers });
    assert.equal(answer.status, 200, `${look}: ${await answer.text()}`);
  }

  const { entries, markOf } = scanProcesses();
  const mark = `${session.sessionId}:launcher`;
  for (const { pid } of entries) if (markOf(pid) === mark) process.kill(pid, 'SIGKILL');
  await until('it has ended', () => /nothing of it lives/.test(node.log()));
  assert.match(node.log(), /launcher/i);
  await rename(`${modules}.away`, modules);
  await node.session(session);
});

/** A project that has the package and what that needs; resolves to its folder. */
async function copyPackage(scope: Scope): Promise<string> {
  const app = await mkdtemp(path.join(tmpdir(), 'statecron-copied-'));
  scope.after(() => rm(app, { recursive: true, force: true }));
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly dev?: boolean }>;
  };
  const needed = Object.keys(packages).filter((name) => name !== '' && !packages[name]?.dev);
  // Some are for other machines only.
  for (const name of needed.filter((each) => existsSync(path.join(root, each)))) {
    await cp(path.join(root, name), path.join(app, name), { recursive: true });
  }
  const own = path.join(app, 'node_modules/statecron');
  await buildProgram(own);
  await cp(path.join(root, 'statecharts'), path.join(own, 'statecharts'), { recursive: true });
  // It looks for what it needs in its project then, where it can be taken away.
  await rm(path.join(own, 'node_modules'));
  return app;
}
