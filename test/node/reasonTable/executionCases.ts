import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { executionReasons } from '../../../src/domain/reasons/reasons.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { scanProcesses } from '../../../src/exec/process/processTree.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { asRoot, type CasesOf, poorCpuSeconds, type ReasonWorld, unshared } from './reasonWorld.ts';

/** An account whose home is not there, as most systems have some. */
export const [homeless = ''] = readFileSync('/etc/passwd', 'utf8')
  .split('\n')
  .map((line) => line.split(':'))
  .flatMap(([name, , uid, , , home = '']) => (uid === '0' || existsSync(home) ? [] : [name ?? '']));

const poor = { onNode: ['poor'] };
const bare = { onNode: ['bare'] };
const tooMany = 'EMFILE, too many open files';

export const executionCases: CasesOf<typeof executionReasons> = {
  timedOut: {
    cause: async (world) => {
      await world.runsOnce('too long', { command: 'sleep 300', timeout: 100 });
      return world.says('too long', reasons.timedOut(100, 'SIGTERM'));
    },
  },
  stopped: {
    cause: async (world) => {
      await world.main('stopped', { command: 'sleep 300' });
      await stopRun(world.channel, await world.executes('stopped'));
      return world.says('stopped', reasons.stopped('SIGTERM'));
    },
  },
  cpuTimeUsedUp: {
    cause: async (world) => {
      await world.runsOnce('spins', { command: 'while :; do :; done', cpuTimeMax: 1_000 });
      return world.says('spins', reasons.cpuTimeUsedUp(1));
    },
  },
  leftoversEnded: {
    cause: async (world) => {
      await world.runsOnce('leaves one', { command: 'sleep 300 &', leftovers: 'kill' });
      return world.says('leaves one', reasons.leftoversEnded(1, 'SIGTERM'));
    },
  },
  leftoversGone: {
    cause: async (world) => {
      // Long enough for it to be there still when the end of bash has been noticed.
      await world.runsOnce('waits for one', { command: 'sleep 20 &', leftovers: 'wait' });
      return world.says('waits for one', reasons.leftoversGone(1));
    },
  },
  leftoversLeft: {
    cause: async (world) => {
      await world.runsOnce('leaves two', {
        command: 'sleep 300 & sleep 300 &',
        leftovers: 'leave',
      });
      return world.says('leaves two', reasons.leftoversLeft(2));
    },
  },
  notRoot: {
    skip: asRoot === false && unshared,
    cause: async (world) => {
      await world.history('unanswered', 1); // its start was the only one on the node
      await world.triedOnce('as daemon', { user: 'daemon', onNode: ['gone'] });
      return world.says('as daemon', reasons.notRoot('daemon'));
    },
  },
  userNotAllowed: {
    skip: asRoot,
    cause: async (world) => {
      await world.triedOnce('not allowed', { user: 'daemon' });
      return world.says('not allowed', reasons.userNotAllowed('daemon'));
    },
  },
  userNeedsPerl: {
    skip: asRoot,
    cause: async (world) => {
      await world.triedOnce('without perl', { user: 'daemon', ...bare });
      return world.says('without perl', reasons.userNeedsPerl('daemon'));
    },
  },
  caretakerNeedsPerl: {
    cause: async (world) => {
      await world.runsOnce('no caretaker', { onFence: 'finish', ...bare });
      return world.says('no caretaker', reasons.caretakerNeedsPerl);
    },
  },
  userUnknown: {
    skip: asRoot,
    cause: async (world) => {
      await world.runsOnce('of nobody', { user: 'no-such-user' });
      return world.says('of nobody', reasons.userUnknown('no-such-user'));
    },
  },
  groupsUnread: {
    skip: unshared,
    cause: async (world) => {
      await world.runsOnce('groups', { user: 'bin', ...poor });
      return world.says('groups', reasons.groupsUnread('bin', 'it ended without telling them'));
    },
  },
  notBecome: {
    skip: unshared,
    cause: async (world) => {
      await world.runsOnce('becomes', { user: 'daemon', ...poor });
      return world.says('becomes', reasons.notBecome('daemon', 'EINVAL, invalid argument'));
    },
  },
  priority: {
    skip: asRoot === false && unshared,
    cause: async (world) => {
      await world.runsOnce('first of all', { nice: -5, ...poor });
      return world.says('first of all', reasons.priority(-5, 'EACCES, permission denied'));
    },
  },
  limit: {
    skip: asRoot === false && unshared,
    cause: async (world) => {
      await world.runsOnce('has more', { cpuTimeMax: 2 * poorCpuSeconds * 1_000, ...poor });
      return world.says('has more', reasons.limit('cpu', 'EPERM, operation not permitted'));
    },
  },
  folder: {
    cause: async (world) => {
      await world.runsOnce('nowhere to be', { cwd: '/no/such/folder' });
      const why = 'ENOENT, no such file or directory';
      return world.says('nowhere to be', reasons.folder('/no/such/folder', why));
    },
  },
  home: {
    skip: asRoot || (homeless === '' && 'not run: every account has its home'),
    cause: async (world) => {
      await world.runsOnce('homeless', { user: homeless });
      return world.says('homeless', reasons.home(homeless, null));
    },
  },
  bash: {
    isLast: true,
    cause: async (world) => {
      rmSync(join(world.pathOf('main'), 'bash'));
      await world.runsOnce('no bash', {});
      return world.says('no bash', reasons.bash('ENOENT, no such file or directory'));
    },
  },
  bashIn: {
    isLast: true,
    cause: async (world) => {
      rmSync(join(world.pathOf('bare'), 'bash'));
      mkdirSync(join(world.pathOf('bare'), 'bash'));
      await world.runsOnce('a folder', { cwd: '/', ...bare });
      return world.says('a folder', reasons.bashIn('/', 'EACCES, permission denied'));
    },
  },
  input: {
    isLast: true,
    cause: async (world) => {
      await leaveNoRoom(world);
      await world.runsOnce('reads', { stdin: 'all of this', ...poor });
      return world.says('reads', reasons.input(tooMany));
    },
  },
  noProcess: {
    isLast: true,
    cause: async (world) => {
      await leaveNoRoom(world);
      await world.main('twice', poor);
      // The first may get the process that was forked ahead.
      for (const request of ['first', 'second']) await runJob(world.channel, 'twice', request);
      return world.says('twice', reasons.noProcess('pipe', tooMany));
    },
  },
  tooLong: {
    cause: async (world) => {
      await world.main('too much', {});
      await world.forge('too much', (job) => ({ ...job, env: { LONG: 'x'.repeat(140_000) } }));
      await runJob(world.channel, 'too much', 'too much');
      const [row] = await world.history('too much', 1);
      const bytes = Number(/environment \((\d+)/.exec(row?.reason)?.[1]);
      return [row?.reason, reasons.tooLong(4, bytes, 'E2BIG, argument list too long')];
    },
  },
  hasNul: {
    cause: async (world) => {
      await world.main('nul', {});
      await world.forge('nul', (job) => ({ ...job, command: 'true\0' }));
      await runJob(world.channel, 'nul', 'nul');
      return world.says('nul', reasons.hasNul('The command'));
    },
  },
  badVariable: {
    cause: async (world) => {
      await world.main('variable', {});
      await world.forge('variable', (job) => ({ ...job, env: { 'A=B': 'C' } }));
      await runJob(world.channel, 'variable', 'variable');
      return world.says('variable', reasons.badVariable('A=B'));
    },
  },
};

/** Takes from the launcher of `poor` what it would open next. */
async function leaveNoRoom(world: ReasonWorld): Promise<void> {
  const node = await world.nodes.get('poor')?.session();
  const launchers = scanProcesses().entries.filter(
    ({ parentPid, pid }) =>
      parentPid === node?.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('launcher'),
  );
  assert.equal(launchers.length, 1);
  const limited = spawnSync('prlimit', ['--pid', `${launchers[0]?.pid}`, '--nofile=3']);
  assert.equal(limited.status, 0, `${limited.stderr}`);
}
