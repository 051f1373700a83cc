import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { hostCommands } from './hostCommands.ts';
import type { CliResult } from './runCli.ts';
import { reach, type Way } from './ways.ts';

const jobFile = `jobs:
  a b/c%ü:
    cron: '@daily'
    command: echo "$A"
    env: { A: '1', B: 'x=y' }
    retries: 3
    retry-delay: 5s
    timeout: 90s
  tidy:
    cron: ['0 3 * * *', '@every 90s']
    command: 'true'
    after: ['a b/c%ü:failure']
    tag: [x, y]
`;

/** Each sees what those before it did: refusals, warnings and tables as well as data. */
const commands: readonly (readonly [args: string[], file?: string])[] = [
  [['job', 'list']],
  [['runs']],
  [['apply', '-'], jobFile],
  [['apply', '-', '--json'], jobFile],
  [['job', 'show', 'a b/c%ü']],
  [['job', 'edit', 'a b/c%ü', '--env', 'A=2', '--unset-env', 'B', '--no-retries', '--json']],
  [['job', 'edit', 'a b/c%ü', '--env', 'A=2']],
  [['job', 'edit', 'a b/c%ü', '--cron', '61 * * * *']],
  [['job', 'show', 'a b/c%ü', '--json']],
  [['job', 'add', 'tidy', '--cron', '@daily', '--command', 'true', '--json']],
  [['job', 'add', 'once', '--cron', '@manual', '--command', 'true', '--on-fence', 'finish']],
  [['job', 'list', '--json']],
  [['job', 'list', 'b/c', '--limit', '1']],
  [['job', 'edit', 'nobody', '--command', 'x']],
  [['job', 'show', 'nobody', '--json']],
  [['job', 'pause', 'tidy', '--until', '2090-01-01T00:00:00Z', '--json']],
  [['job', 'pause', 'tidy', '--until', '2090-01-01T00:00:00Z']],
  [['job', 'skip-next', 'tidy']],
  [['job', 'resume', 'tidy', '--json']],
  [['job', 'run', 'once', '--request-id', 'r1', '--env', 'X=1', '--json']],
  [['job', 'run', 'once', '--request-id', 'r1']],
  [['job', 'run', 'once', '--node', 'nobody']],
  [['job', 'run', 'nobody']],
  [['run', 'show', 'r1', '--json']],
  [['run', 'stop', 'r1', '--json']],
  [['run', 'stop', 'r1']],
  [['run', 'show', 'r1']],
  [['run', 'show', '../jobs']],
  [['run', 'log', 'r1', '--json']],
  [['run', 'retry', 'r1']],
  [['runs', '--json']],
  [['runs', '--running']],
  [['backfill', 'a b/c%ü', '--from', '2020-01-01T00:00:00Z', '--to', '2020-01-03T00:00:00Z']],
  [['backfill', 'tidy', '--from', '2020-01-01T00:00:00Z', '--to', '2021-01-03T00:00:00Z']],
  [['group', 'add', 'web', '--node', 'w2', '--node', 'w1', '--json']],
  [['group', 'add', 'web', '--node', 'w2']],
  [['job', 'edit', 'tidy', '--on-group', 'web']],
  [['group', 'edit', 'web', '--add-node', 'w3']],
  [['group', 'edit', 'web', '--add-node', 'w3', '--json']],
  [['group', 'edit', 'nobody', '--add-node', 'w3']],
  [['group', 'remove', 'web']],
  [['group', 'show', 'web', '--json']],
  [['group', 'list']],
  [['limit', 'set', 'shop', '2', '--json']],
  [['limit', 'list', '--json']],
  [['limit', 'remove', 'shop']],
  [['cluster', '--json']],
  [['cluster']],
  [['cluster', 'forget', 'gone']],
  [['export']],
  [['export', '--format', 'crontab']],
  [['import', '-', '--timezone', 'UTC', '--dry-run'], '# tidy\n0 3 * * * theirs\n'],
  [['import', '-', '--timezone', 'UTC'], '# tidy\n0 3 * * * theirs\n# new\n@daily x\n'],
  [['import', '-', '--timezone', 'UTC', '--replace', '--json'], '# tidy\n0 3 * * * theirs\n'],
  [['job', 'show', 'tidy', '--json']],
  [['job', 'remove', 'a b/c%ü']],
  [['job', 'remove', 'a b/c%ü']],
  [['apply', '-', '--prune'], 'jobs:\n  once:\n    cron: "@manual"\n    command: "true"\n'],
  [
    ['apply', '-', '--prune', '--yes'],
    'jobs:\n  once:\n    cron: "@manual"\n    command: "true"\n',
  ],
];

test('a command says and ends the same whether it asks the database or a node', async (t) => {
  const files = await writeFiles(t);
  const [database, api] = await Promise.all([
    runAll(t, 'database', files),
    runAll(t, 'api', files),
  ]);
  const different = commands.flatMap(([args], index) => {
    const [one, other] = [database[index], api[index]];
    assert.ok(one && other);
    const [byDatabase, byApi] = [plain(one), plain(other)];
    return isDeepStrictEqual(byDatabase, byApi) ? [] : [{ args, byDatabase, byApi }];
  });
  assert.deepEqual(different, []);
  const codes = new Set(database.map(({ code }) => code));
  assert.deepEqual([...codes].sort(), [0, 1, 2], 'refusals are among them');
});

async function runAll(t: TestContext, way: Way, files: readonly string[]): Promise<CliResult[]> {
  const run = hostCommands(t, await reach(t, way, await makeStoreWorld(t, 'mariadb')));
  // It loads everything, for which a busy machine needs longer than a server waits for a client.
  await run(['job', 'list']);
  const results: CliResult[] = [];
  for (const [index, [args]] of commands.entries()) {
    results.push(await run(args.map((arg) => (arg === '-' ? (files[index] ?? arg) : arg))));
  }
  return results;
}

/** The file of each command that has one. */
async function writeFiles(t: TestContext): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-ways-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = commands.map((_, index) => path.join(folder, `${index}`));
  await Promise.all(files.map((file, index) => writeFile(file, commands[index]?.[1] ?? '')));
  return files;
}

/** What is another one each time it is run: instants, ids that are drawn, spaces after them. */
function plain({ code, stderr, stdout }: CliResult) {
  const same = (text: string): string =>
    text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, (found) =>
        /^(2020|2090)/.test(found) ? found : 'INSTANT',
      )
      .replace(/ {2,}/g, '  ');
  return { code, stdout: dataOf(same(stdout)), stderr: same(stderr) };
}

/** An edit of some words may leave the fields of a definition in another order than before. */
function dataOf(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}
