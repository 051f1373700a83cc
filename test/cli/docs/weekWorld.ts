import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listen } from '../../exec/notifications/listener.ts';
import { makeNodeWorld } from '../../node/nodeWorld.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { until } from '../../support/until.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import type { CliResult } from '../runCli.ts';

/** What the commands of `docs/operations.md` are about: a node, and a backup that fails. */
export interface WeekWorld {
  readonly url: string;
  /** What stands for NUMBER: the run of the backup that failed first. */
  readonly number: number;
  ask(args: readonly string[]): Promise<CliResult>;
  /** Starts the backup, which goes on until `release`. */
  begin(): Promise<void>;
  release(): void;
  /** From now on the backup succeeds, or fails. */
  setDisk(state: 'full' | 'free'): void;
  /** Waits until nothing runs or waits to. */
  settle(): Promise<void>;
  /** Waits until what is to be sent of the backup is held back. */
  muted(): Promise<void>;
}

const jobs: readonly (readonly string[])[] = [
  ['site', '--cron', '*/20 * * * *', '--command', 'true', '--group', 'web', '--tag', 'nightly'],
  ['old-report', '--cron', '@monthly', '--command', 'true'],
  ['rotate-logs', '--cron', '@daily', '--command', 'true', '--kind', 'every-node'],
];

/** The failed run is its first; the job has four revisions. */
export async function makeWeekWorld(context: Scope): Promise<WeekWorld> {
  const world = await makeNodeWorld(context);
  const { url } = world;
  const ask = (args: readonly string[]) => askCli(args, { url });
  const done = async (...args: string[]) => {
    const { code, stderr } = await ask(args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  };
  const holds = (what: string, table: string) =>
    until(what, async () => (await world.count(table)) > 0).then(() => undefined);
  const files = makeFiles(world.scope);
  await addJobs(done, files.command, (await listen(world.scope)).url);
  // One node that was there, and owes its ticks of the job of every node still.
  const gone = world.start('web9');
  await world.start('web1', ['--webhook-allow', '127.0.0.1']).session();
  await holds('web9 has its slot', "slot WHERE node_name = 'web9'");
  gone.guardian.kill('SIGTERM');
  await gone.exited();
  files.set('full', true);
  const failed = await ask(['job', 'run', 'backup', '--wait']);
  assert.equal(failed.code, 3, failed.stderr);
  const [run] = await askJsonCli<readonly { runId: number }[]>(['runs', '--failed'], { url });
  return {
    ...{ url, ask, number: run?.runId ?? 0 },
    begin: async () => {
      files.set('held', true);
      await done('job', 'run', 'backup');
      await holds('the backup runs', "slot WHERE state = 'executing'");
    },
    release: () => files.set('held', false),
    setDisk: (state) => files.set('full', state === 'full'),
    settle: async () => {
      const busy = () => world.count("slot WHERE state <> 'idle'");
      await until(
        'nothing runs',
        async () => (await busy()) + (await world.count('pending')) === 0,
      );
    },
    muted: () => holds('something is held back', "notice WHERE state = 'muted'"),
  };
}

/** The command of the backup, and the files by which it is told how to end. */
function makeFiles(scope: Scope) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-week-'));
  scope.after(async () => rmSync(folder, { recursive: true }));
  const lines = [
    'echo "copying: $LEVEL"',
    `while [ -e ${folder}/held ]; do sleep 0.05; done`,
    `if [ -e ${folder}/full ]; then echo "no space left on device"; exit 3; fi`,
    'echo copied',
  ];
  return {
    command: lines.join('\n'),
    set: (name: 'held' | 'full', isThere: boolean) => {
      const file = path.join(folder, name);
      if (isThere) writeFileSync(file, '');
      else rmSync(file, { force: true });
    },
  };
}

async function addJobs(done: (...args: string[]) => Promise<void>, command: string, hook: string) {
  await done('notify', 'add', 'ops', '--webhook', hook);
  for (const job of jobs) await done('job', 'add', ...job);
  const backup = ['backup', '--cron', '0 3 * * *', '--command', command, '--notify-to', 'ops'];
  await done('job', 'add', ...backup, '--env', 'LEVEL=changes');
  for (const description of ['of the shop', 'of the shop and its pictures']) {
    await done('job', 'edit', 'backup', '--description', description);
  }
  await done('job', 'edit', 'backup', '--timeout', '2h');
}
