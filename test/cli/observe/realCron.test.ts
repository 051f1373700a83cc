import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFaultEngine } from '../../fault/engines/startFaultEngine.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { endWithUs, folderMark } from '../../support/endWithUs.ts';
import { NotHereError } from '../../support/fetchMysql.ts';
import { findCron } from '../../support/findCron.ts';
import { findFaketime } from '../../support/findFaketime.ts';
import { holdClock } from '../../support/heldClock.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';

const zone = 'Europe/Berlin';
const minuteMs = 60_000;
const minutes = 1_440;
/** A Tuesday in Berlin. */
const dayMs = Date.parse('2026-11-24T00:00:00+01:00');
const importMs = dayMs - minuteMs / 2;

/** What cron runs. */
const systemTab = `SHELL=/bin/sh
7 * * * * root true hourly
*/20 * * * * root true steps
5-59/13 8-10 * * * root true ranges
0 6 * * mon-fri root true weekdays
0 6 * * sat,sun root true weekend
15 3 * * tue root true tuesday
30 4 24 nov * root true named
@hourly root true nickname
@daily root true midnight
0 12 * * * root true removed
25 13 * * * root true minute
45 */6 * * * daemon true user
10 9,17 * * * root true zone
0 0 1 * * root true first
0 13 24 * fri root true either
50 23 * * * root true late
`;
const userTab = `*/30 * * * * true mine
0 5 * * * true early
* * * * * true beat
`;
/** Line by line. */
const startsOfSystem = 24 + 72 + 15 + 1 + 0 + 1 + 1 + 24 + 1 + 1 + 1 + 4 + 2 + 0 + 1 + 1;
const cronStarts = startsOfSystem + 48 + 1 + minutes;

/** The differences that are put into what statecron imports. */
const changes: readonly (readonly [string, string])[] = [
  ['0 12 * * * root true removed\n', ''],
  ['25 13 * * * root true minute\n', '35 13 * * * root true minute\n'],
  ['45 */6 * * * daemon true user\n', '45 */6 * * * nobody true user\n'],
  [
    '10 9,17 * * * root true zone\n',
    `CRON_TZ=Europe/London\n10 9,17 * * * root true zone\nCRON_TZ=${zone}\n`,
  ],
  ['50 23 * * * root true late\n', '50 23 * * * root true late\n20 20 * * * root true extra\n'],
];

const shifted = (by: string) => `statecron is ${by} later: another zone or line?`;
const never = 'cron never started this command';
const ofUser = ['00:45', '06:45', '12:45', '18:45'];
/** Times are of the day in Berlin; names of jobs have a number. */
const expected = [
  ['statecron', 'true extra', 'root', ['20:20'], never],
  ['cron', 'true minute', 'root', ['13:25'], shifted('10 min')],
  ['statecron', 'true minute', 'root', ['13:35'], shifted('10 min')],
  ['cron', 'true removed', 'root', ['12:00'], 'no observed job has this command'],
  ['cron', 'true user', 'daemon', ofUser, 'the job true user has it as the user nobody'],
  ['statecron', 'true user', 'nobody', ofUser, never],
  ['cron', 'true zone', 'root', ['09:10', '17:10'], shifted('1 h')],
  ['statecron', 'true zone', 'root', ['10:10', '18:10'], shifted('1 h')],
];
const onlyOfCron = 1 + 1 + 4 + 2;

interface Report {
  from: string;
  until: string;
  jobs: number;
  cronStarts: number;
  agreed: number;
  differences: {
    only: string;
    user: string;
    command: string;
    times: string[];
    note: string;
  }[];
}

test('beside a real cron for a day, the report names exactly what was changed', async (t) => {
  const programs = await findPrograms(t);
  if (programs === null) return;
  const scope = lastFirst(t);
  const folder = await makeFolder(scope);
  const cronLog = path.join(folder, 'cron.log');
  const cronRuns = runCron(folder, programs).then((log) => writeFile(cronLog, log));
  const [cli] = await Promise.all([observeDay(scope, folder), cronRuns]);
  const { code, stdout, stderr } = await askCli(
    ['observe', 'report', '--cron-log', cronLog, '--since', '25h', '--json'],
    cli,
  );
  assert.equal(code, 1, stderr);
  const report = JSON.parse(stdout) as Report;
  const found = report.differences.map(({ only, command, user, times, note }) => {
    const line = command.replace(/^exec \S+ -c '(.*)'$/, '$1');
    return [only, line, user, times.map(inBerlin), note];
  });
  const key = ([only, what]: readonly unknown[]) => `${what} ${only}`;
  found.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  assert.deepEqual(found, expected);
  const { agreed, jobs, from, until } = report;
  assert.deepEqual([report.cronStarts, agreed], [cronStarts, cronStarts - onlyOfCron]);
  assert.equal(jobs, 19);
  assert.deepEqual([from, until].map(Date.parse), [importMs, dayMs + minutes * minuteMs]);
});

/** Paths of the programs; null when the test cannot run here. */
async function findPrograms(t: TestContext) {
  if (process.getuid?.() !== 0) return skip(t, 'this is not root');
  for (const name of ['perl', 'unshare']) {
    if (!existsSync(`/usr/bin/${name}`)) return skip(t, `there is no ${name} on this machine`);
  }
  const unshared = spawnSync('unshare', [...unshareFlags, 'mount', '-t', 'proc', 'proc', '/proc']);
  if (unshared.status !== 0) return skip(t, 'there are no namespaces of mounts and processes');
  try {
    return { cron: await findCron(), faketime: await findFaketime() };
  } catch (error) {
    if (!(error instanceof NotHereError)) throw error;
    return skip(t, error.message);
  }
}

function skip(t: TestContext, reason: string): null {
  t.skip(`not run: ${reason}`);
  return null;
}

const unshareFlags = ['--mount', '--pid', '--fork', '--kill-child'];

/** What runs there ends with this process, however that ends. */
async function makeFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-real-cron-'));
  const watcher = endWithUs(folder);
  scope.after(async () => {
    await watcher.dismiss();
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs the daemon for the day on its own clock; resolves to its log. */
async function runCron(folder: string, programs: { cron: string; faketime: string }) {
  await writeFile(path.join(folder, 'system'), systemTab);
  await writeFile(path.join(folder, 'nobody'), userTab);
  const script = fileURLToPath(new URL('./fixtures/cronWorld.sh', import.meta.url));
  const day = [dayMs / 1_000, minutes].map(String);
  const args = [script, folder, programs.cron, programs.faketime, ...day];
  const child = spawn('unshare', [...unshareFlags, 'sh', ...args], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TZ: zone, [folderMark]: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [log, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.deepEqual(await ended, [0, null], trouble);
  return log;
}

/**
 * Imports the changed copy on a real server, and lets the store of a node claim what is due, minute
 * by minute. The clock of all connections is held: our own by `holdClock`, those of the commands,
 * which are processes of their own, by the server's `init_connect`.
 */
async function observeDay(scope: Scope, folder: string): Promise<{ url: string }> {
  const engine = await startFaultEngine('mariadb', { faketime: false });
  scope.after(() => engine.close());
  const [server] = engine.members;
  assert.ok(server);
  const url = server.userUrl(await engine.createDatabase());
  const world = await makeStoreWorldAt(scope, url);
  const clock = await holdClock(world);
  const setAll = async (atMs: number): Promise<void> => {
    await server.query(`SET GLOBAL init_connect = 'SET timestamp = ${atMs / 1_000}'`);
    await clock.set(atMs);
  };
  await setAll(importMs);
  const where = ['--observe', '--on-node', 'web1', '--group', 'web1', '--timezone', zone];
  const tabs = { '--system': changedTab(), '--user-crontab': userTab };
  for (const [format, tab] of Object.entries(tabs)) {
    const file = path.join(folder, `copy${format}`);
    await writeFile(file, tab);
    const { failed } = await askJsonCli<{ failed: number }>(['import', file, format, ...where], {
      url,
    });
    assert.equal(failed, 0);
  }
  const node = await world.join('web1', { ttlMs: 2 * minutes * minuteMs });
  for (let minute = 0; minute <= minutes; minute += 1) {
    await clock.set(dayMs + minute * minuteMs + 500);
    assert.deepEqual(await node.claim(), [], 'nothing is started');
  }
  await setAll(dayMs + (minutes + 1) * minuteMs);
  return { url };
}

function changedTab(): string {
  return changes.reduce((tab, [from, to]) => {
    assert.ok(tab.includes(from), from);
    return tab.replace(from, to);
  }, systemTab);
}

const clockFace = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' });

function inBerlin(time: string): string {
  return clockFace.format(new Date(time));
}
