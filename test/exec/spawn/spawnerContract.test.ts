import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { bootMs } from '../../../src/exec/lease/bootClock.ts';
import { openLeaseFile } from '../../../src/exec/lease/leaseFile.ts';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import { readStartTicks } from '../../../src/exec/process/procStat.ts';
import type { RunOwnership } from '../../../src/exec/request/runOwnership.ts';
import { createDirectSpawner } from '../../../src/exec/spawn/directSpawner.ts';
import { createLauncherSpawner } from '../../../src/exec/spawn/launcherSpawner.ts';
import type {
  ChildExit,
  ChildPlan,
  Spawner,
  SpawnFailure,
} from '../../../src/exec/spawn/spawner.ts';
import { until } from '../../support/until.ts';

const bashPath = execFileSync('bash', ['-c', 'type -P bash'], { encoding: 'utf8' }).trim();
const perlPath = execFileSync('bash', ['-c', 'type -P perl'], { encoding: 'utf8' }).trim();
const nobody: RunOwnership = {
  user: null,
  umask: null,
  nice: null,
  memoryBytesMax: null,
  cpuSecondsMax: null,
};

interface Way {
  readonly name: string;
  readonly create: (leaseFd: number | null, sessionId: string, onOver?: () => void) => Spawner;
  /** All in which the ways may differ; anything else is the same for both. */
  readonly differences: {
    readonly isLauncher: boolean;
    readonly knowsStrays: boolean;
    /** It may hear of a fork first, when something fails that only the fork can find out. */
    readonly forksBeforeFailure: boolean;
    /** Its own process ends when the lease is over, with all that it runs. */
    readonly watchesLease: boolean;
  };
}

const ways: readonly Way[] = [
  {
    name: 'launcher',
    create: (leaseFd, sessionId, onOver = () => assert.fail('the launcher has ended')) =>
      createLauncherSpawner({
        perlPath,
        bashPath,
        sessionId,
        leaseFd,
        onEnded: onOver,
        onError: assert.ifError,
      }),
    differences: {
      isLauncher: true,
      knowsStrays: true,
      forksBeforeFailure: true,
      watchesLease: true,
    },
  },
  {
    name: 'direct',
    create: (leaseFd) => createDirectSpawner({ bashPath, leaseFd }),
    differences: {
      isLauncher: false,
      knowsStrays: false,
      forksBeforeFailure: false,
      watchesLease: false,
    },
  },
];

/** What a child's listener hears, in order; output is put together. */
class Heard {
  readonly calls: string[] = [];
  text = '';
  pid = 0;
  startTicks = 0;
  exit: ChildExit | null = null;
  failure: SpawnFailure | null = null;

  spawned(pid: number, startTicks: number): void {
    this.calls.push('spawned');
    Object.assign(this, { pid, startTicks });
  }
  output(bytes: Uint8Array): void {
    if (this.calls.at(-1) !== 'output') this.calls.push('output');
    this.text += Buffer.from(bytes).toString();
  }
  exited(exit: ChildExit): void {
    this.calls.push('exited');
    this.exit = exit;
  }
  outputEnded(): void {
    this.calls.push('outputEnded');
  }
  failed(failure: SpawnFailure): void {
    this.calls.push('failed');
    this.failure = failure;
  }
  fenced(): void {
    this.calls.push('fenced');
  }
}

for (const { create, differences, name } of ways) {
  describe(`the ${name} spawner keeps the contract`, () => {
    const sessionId = randomUUID();
    const lease = openLeaseFile();
    lease.write(bootMs() + 3_600_000);
    const spawner = create(lease.fd, sessionId);
    after(async () => {
      await spawner.close();
      lease.close();
    });
    let launches = 0;
    const planOf = (command: string, more: Partial<ChildPlan> = {}): ChildPlan => {
      launches += 1;
      return {
        launchId: `${sessionId}:${launches}`,
        caretaker: null,
        args: ['-c', command],
        env: [`PATH=${process.env.PATH}`, `STATECRON_LAUNCH_ID=${sessionId}:${launches}`],
        cwd: '/',
        isHome: false,
        ownership: null,
        stdin: null,
        ...more,
      };
    };
    const start = (command: string, more?: Partial<ChildPlan>) => {
      const heard = new Heard();
      const child = spawner.spawn(planOf(command, more), heard);
      return { heard, child };
    };
    const run = async (command: string, more?: Partial<ChildPlan>): Promise<Heard> => {
      const { heard } = start(command, more);
      await until('it has ended', () => heard.exit ?? heard.failure, 60_000);
      return heard;
    };

    test('and says what it cannot do', async () => {
      const strays = await spawner.strays();
      const { isLauncher } = spawner;
      const knowsStrays = strays !== null;
      assert.deepEqual({ ...differences, isLauncher, knowsStrays }, differences);
    });

    test('a child is spawned, is heard, and exits with its code, in this order', async () => {
      const before = bootMs() - 10;
      const heard = await run('echo out; echo err >&2; exit 7');
      assert.deepEqual(heard.calls, ['spawned', 'output', 'exited']);
      assert.equal(heard.text, 'out\nerr\n');
      const { exitCode, hasStrays, outputEnded, signal } = heard.exit as ChildExit;
      assert.deepEqual([exitCode, signal, outputEnded], [7, null, true]);
      assert.equal(hasStrays, differences.knowsStrays ? false : null);
      const { endedBootMs } = heard.exit as ChildExit;
      assert.ok(endedBootMs >= before && endedBootMs <= bootMs() + 10, `${endedBootMs}`);
    });

    test('a thread that is blocked between two steps misses none of the output', async (t) => {
      let nowMs = performance.now();
      t.mock.method(performance, 'now', () => (nowMs += 100));
      const { exit, text } = await run('echo out; exit 7');
      assert.deepEqual([text, exit?.outputEnded], ['out\n', true]);
    });

    test('a child that a signal ends has no code', async () => {
      const { exit } = await run('kill -USR2 $$');
      assert.deepEqual([exit?.exitCode, exit?.signal], [null, 'SIGUSR2']);
    });

    test('bash is the leader of a session and group of its own, known by its start', async () => {
      const { heard } = start('read -t 60 < <(sleep 60)');
      await until('it is spawned', () => heard.pid > 0, 60_000);
      // It is heard of at its fork, and leaves the session of who forked it after that.
      const isLeader = () => {
        const entry = readProcess(heard.pid);
        return entry?.groupId === heard.pid && entry.sessionId === heard.pid;
      };
      await until('it leads both', isLeader, 60_000);
      assert.equal(heard.startTicks, readStartTicks(heard.pid));
      process.kill(-heard.pid, 'SIGKILL');
      await until('it has ended', () => heard.exit, 60_000);
    });

    test('input is given whole; a child need not read it', async () => {
      const stdin = 'line\n'.repeat(50_000);
      assert.equal((await run('wc -l', { stdin })).text.trim(), '50000');
      assert.equal((await run('exec <&-; exit 3', { stdin })).exit?.exitCode, 3);
      assert.equal((await run('wc -c')).text.trim(), '0');
    });

    test('an output that outlives its child ends when it is closed', async () => {
      const { child, heard } = start('sleep 60 & echo $!');
      const exit = await until('it has ended', () => heard.exit, 60_000);
      assert.equal(exit?.outputEnded, false);
      assert.equal(exit?.hasStrays, differences.knowsStrays ? true : null);
      assert.deepEqual(heard.calls, ['spawned', 'output', 'exited']);
      const left = Number(heard.text);
      const strays = await spawner.strays();
      const known = strays?.find(({ pid }) => pid === left)?.launch ?? null;
      if (differences.knowsStrays && known !== null) assert.equal(known, launches);
      child.closeOutput();
      await until('its output has ended', () => heard.calls.includes('outputEnded'), 60_000);
      if (known === null) process.kill(left, 'SIGKILL');
      else spawner.killStrays(`${sessionId}:${launches}`);
      await until('what it left is dead', () => readProcess(left) === null, 60_000);
    });

    test('an output that is held stays in its pipe until it is not, or the end', async (t) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'statecron-held-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const [go, written, end] = ['go', 'written', 'end'].map((name) => path.join(folder, name));
      const passed = (file = '') => `until [ -e ${file} ]; do sleep 0.02; done`;
      const command = `${passed(go)}; echo held; touch ${written}; ${passed(end)}; echo end`;
      const { child, heard } = start(command);
      await until('it is spawned', () => heard.pid > 0, 60_000);
      const hold = async (isHeld: boolean) => {
        child.holdOutput(isHeld);
        // The launcher answers when it has done what came before.
        await spawner.strays();
      };
      await hold(true);
      writeFileSync(go ?? '', '');
      await until('it has written', () => existsSync(written ?? ''), 60_000);
      await spawner.strays();
      assert.equal(heard.text, '');
      await hold(false);
      await until('it is read', () => heard.text === 'held\n', 60_000);
      await hold(true);
      writeFileSync(end ?? '', '');
      const exit = await until('it has ended', () => heard.exit, 60_000);
      assert.deepEqual([heard.text, exit?.outputEnded], ['held\nend\n', true]);
    });

    const failures: [string, Partial<ChildPlan>, SpawnFailure['stage'][], string][] = [
      ['a missing folder', { cwd: '/no/such' }, ['cwd'], 'ENOENT'],
      ['a folder that is a file', { cwd: '/etc/passwd' }, ['cwd'], 'ENOTDIR'],
      ['too long an argument', { args: ['-c', 'x'.repeat(2e6)] }, ['exec', 'spawn'], 'E2BIG'],
    ];
    for (const [title, more, stages, code] of failures) {
      test(`of ${title} nothing is heard but the failure`, async () => {
        const heard = await run('true', more);
        const forked = differences.forksBeforeFailure ? ['spawned'] : [];
        assert.deepEqual(heard.calls, [...forked, 'failed']);
        assert.ok(stages.includes(heard.failure?.stage ?? 'fork'), heard.failure?.stage);
        assert.equal(heard.failure?.code, code);
      });
    }

    test('limits, umask and priority are those of the ownership', async () => {
      const ownership = { ...nobody, umask: '027', cpuSecondsMax: 77, memoryBytesMax: 2 ** 30 };
      const command = 'umask; ulimit -St; ulimit -Ht; ulimit -v; nice; echo $0';
      const { text } = await run(command, { ownership: { ...ownership, nice: 15 } });
      assert.equal(text, '0027\n77\n82\n1048576\n15\nbash\n');
    });

    test('past the lease nothing is started', async () => {
      const over = openLeaseFile();
      over.write(1);
      const heard = new Heard();
      let isOver = false;
      const fenced = create(over.fd, randomUUID(), () => {
        isOver = true;
      });
      fenced.spawn(planOf('echo started'), heard);
      await until('it is refused', () => isOver || heard.calls.length > 0, 60_000);
      if (differences.watchesLease) await until('it ends itself', () => isOver, 60_000);
      assert.ok(['', 'fenced'].includes(heard.calls.join()), `${heard.calls}`);
      await fenced.close();
      over.close();
    });
  });
}
