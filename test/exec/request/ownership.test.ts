import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RunOwnership } from '../../../src/exec/request/runOwnership.ts';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';
import { until } from '../../support/until.ts';
import {
  createTestPool,
  isAlive,
  pidsIn,
  spawnWays,
  textOf,
  timedOutWhenUp,
} from '../pool/testPool.ts';

const isRoot = process.getuid?.() === 0;
/** Another one than most machines test with; without root it can only be lowered. */
const otherNice = isRoot ? 3 : 19;
const nothing: RunOwnership = {
  user: null,
  umask: null,
  nice: null,
  memoryBytesMax: null,
  cpuSecondsMax: null,
};
const owned = (limits: Partial<RunOwnership>, more: Partial<RunRequest> = {}) => ({
  ...more,
  ownership: { ...nothing, ...limits },
});

for (const spawnWay of spawnWays) {
  describe(`an owned run by the ${spawnWay} way`, () => {
    const pool = createTestPool({ spawnWay });
    after(() => pool.close());

    test('has its umask, priority and limits, each without the others too', async () => {
      const all = { umask: '027', nice: otherNice, memoryBytesMax: 2 ** 28, cpuSecondsMax: 7 };
      const show = 'umask; nice; ulimit -v; ulimit -St; ulimit -Ht; echo "$0 $#"';
      const said = textOf(await pool.runCommand(show, owned(all)));
      const [umask, nice, memory, soft, hard, name] = said.split('\n');
      assert.deepEqual(
        [umask, nice, memory, soft, hard],
        ['0027', `${otherNice}`, '262144', '7', '12'],
      );
      assert.match(name ?? '', /bash 0$/);
      const plain = textOf(await pool.runCommand(show)).split('\n');
      for (const [field, at] of [
        ['umask', 0],
        ['nice', 1],
        ['memoryBytesMax', 2],
        ['cpuSecondsMax', 3],
      ] as const) {
        const lines = textOf(await pool.runCommand(show, owned({ [field]: all[field] })));
        const seen = lines.split('\n');
        assert.equal(seen[at], said.split('\n')[at], field);
        for (const other of [0, 1, 2, 3]) {
          if (other !== at) assert.equal(seen[other], plain[other], `${field} alone`);
        }
      }
    });

    test('gets its input, a long command and its exit code through', async () => {
      const limits = owned(
        { umask: '077', memoryBytesMax: 2 ** 28, nice: otherNice },
        { stdin: 'in' },
      );
      const long = `: ${'x'.repeat(200_000)}; cat; echo " $#"; exit 9`;
      const execution = await pool.runCommand(long, limits);
      assert.deepEqual([execution.exitCode, textOf(execution)], [9, 'in 0\n']);
    });

    test('that uses up its CPU time ends by SIGXCPU, and says so', async () => {
      const busy = 'while :; do :; done';
      const own = await pool.runCommand(busy, owned({ cpuSecondsMax: 1 }));
      assert.deepEqual([own.result, own.signal], ['failed', 'SIGXCPU']);
      assert.equal(own.reason, 'CPU time of 1 s was used up (SIGXCPU).');
      const child = await pool.runCommand(
        `bash -c '${busy}'; exit $?`,
        owned({ cpuSecondsMax: 1 }),
      );
      assert.deepEqual([child.result, child.exitCode], ['failed', 152]);
      assert.equal(child.reason, 'CPU time of 1 s was used up (SIGXCPU).');
      const unlimited = await pool.runCommand('exit 152');
      assert.equal(unlimited.reason, null);
    });

    test('starts in the least of memory, and gets no more than it was given', async () => {
      const grow = 'printf -v x %100000000s y; echo got'; // a hundred megabytes
      const bounded = await pool.runCommand(grow, owned({ memoryBytesMax: 2 ** 25 }));
      assert.equal(bounded.result, 'failed');
      assert.doesNotMatch(textOf(bounded), /got/);
      const fits = await pool.runCommand('echo fits', owned({ memoryBytesMax: 2 ** 25 }));
      assert.deepEqual([fits.result, textOf(fits)], ['succeeded', 'fits\n']);
    });
  });
}

for (const [how, spawnWay, more] of [
  ['a run', 'launcher', {}],
  ['a run without Perl', 'direct', {}],
  ['a run with a umask', 'launcher', owned({ umask: '027' })],
  ['a run under care', 'launcher', { care: { spoolFolder: null, clockOffsetMs: null } }],
] as const) {
  test(`${how} is in / when the home of its node is not there, and says so`, async () => {
    const pool = createTestPool({ spawnWay, nodeEnv: { HOME: '/nonexistent' } });
    const execution = await pool.runCommand('pwd; echo "$HOME"; exit 3', more);
    const named = await pool.runCommand('pwd', { ...more, cwd: '/nonexistent' });
    await pool.close();
    assert.deepEqual([execution.result, textOf(execution)], ['failed', '/\n/nonexistent\n']);
    const note = 'Note: it ran in /, as the home folder of the node is not there.';
    assert.equal(execution.reason, note);
    assert.match(named.reason ?? '', /^The working directory \/nonexistent cannot be entered/);
  });
}

test('a user that the node does not allow is refused, and nothing runs', async () => {
  const pool = createTestPool({ allowedUsers: ['daemon'] });
  const execution = await pool.runCommand('echo ran', owned({ user: 'nobody' }));
  await pool.close();
  assert.deepEqual([execution.result, textOf(execution)], ['spawn_failed', '']);
  assert.match(execution.reason ?? '', /run as nobody.*--allow-user nobody/);
});

test('a run as another user needs the launcher', async () => {
  const pool = createTestPool({ spawnWay: 'direct', allowedUsers: ['nobody'] });
  const execution = await pool.runCommand('echo ran', owned({ user: 'nobody' }));
  await pool.close();
  assert.equal(execution.result, 'spawn_failed');
  assert.match(execution.reason ?? '', isRoot ? /needs Perl/ : /is not root/);
});

describe('a run as another user', { skip: isRoot ? false : 'not run: this is not root' }, () => {
  const allowedUsers = ['nobody', 'daemon', 'no-such-user'];
  const sessionId = `s${process.pid}x1`; // as a result's file can be named
  const pool = createTestPool({ allowedUsers, spawnWay: 'launcher', sessionId });
  const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
  chmodSync(folder, 0o777);
  after(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
  });
  const spoolFolder = join(folder, 'spool');
  const care = { spoolFolder, clockOffsetMs: null };
  const asNobody = (more: Partial<RunRequest> = {}) =>
    owned({ user: 'nobody' }, { cwd: '/', ...more });

  for (const [how, more] of [
    ['plain', {}],
    ['under care', { care }],
    ['with input', { stdin: 'given' }],
  ] as const) {
    test(`${how} has its numbers, all of them, its groups and no rights of root`, async () => {
      const show = "grep -E '^(Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb))' /proc/self/status";
      const said = textOf(await pool.runCommand(show, asNobody(more)));
      const id = (flag: string) =>
        execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim();
      const [uid, gid] = [id('-u'), id('-g')];
      const lines = new Map(
        said
          .trim()
          .split('\n')
          .map((line) => line.split(':\t') as [string, string]),
      );
      assert.deepEqual(lines.get('Uid')?.split('\t'), [uid, uid, uid, uid]);
      assert.deepEqual(lines.get('Gid')?.split('\t'), [gid, gid, gid, gid]);
      assert.equal(lines.get('Groups')?.trim(), id('-G'));
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) {
        assert.match(lines.get(set) ?? '', /^0+$/, set);
      }
    });

    test(`${how} opens its own streams, and has the user's names and folder`, async () => {
      const home = execFileSync('bash', ['-c', 'echo -n ~daemon'], { encoding: 'utf8' });
      const command =
        'echo a > /dev/stdout; echo b > /dev/stderr; echo "$HOME $USER $LOGNAME"; pwd';
      const names = textOf(await pool.runCommand(command, owned({ user: 'daemon' }, more)));
      assert.equal(names, `a\nb\n${home} daemon daemon\n${home}\n`);
      const own = asNobody({ ...more, env: { HOME: '/own', USER: 'me' } });
      assert.equal(textOf(await pool.runCommand('echo "$HOME $USER"', own)), '/own me\n');
    });

    test(`${how} is in / when its user's home is not there, and says so`, async () => {
      const homeless = owned({ user: 'nobody' }, more);
      const execution = await pool.runCommand('echo "$HOME"; pwd; exit 3', homeless);
      assert.deepEqual([execution.result, execution.exitCode], ['failed', 3]);
      assert.equal(textOf(execution), '/nonexistent\n/\n');
      assert.equal(
        execution.reason,
        'Note: it ran in /, as the home folder of nobody is not there.',
      );
    });

    test(`${how} keeps the limits that it sets besides`, async () => {
      const limits = { user: 'nobody', nice: -5, umask: '007', memoryBytesMax: 2 ** 25 };
      const command = 'nice; umask; ulimit -v; echo x > /dev/stderr';
      const said = textOf(await pool.runCommand(command, owned(limits, { cwd: '/', ...more })));
      assert.equal(said, '-5\n0007\n32768\nx\n');
    });

    test(`${how} says what to do when it cannot be, and never runs as root`, async () => {
      const trace = join(folder, `ran-${how.length}`);
      const command = `touch ${trace}`;
      const missing = await pool.runCommand(command, owned({ user: 'no-such-user' }, more));
      assert.deepEqual([missing.result, missing.exitCode], ['spawn_failed', null]);
      assert.match(missing.reason ?? '', /no-such-user does not exist here/);
      const own = mkdtempSync(join(folder, 'closed-')); // mode 0700, as it is made
      const closed = await pool.runCommand(command, asNobody({ ...more, cwd: own }));
      assert.equal(closed.result, 'spawn_failed');
      assert.match(closed.reason ?? '', /closed-\w+ cannot be entered .*EACCES/);
      assert.throws(() => readFileSync(trace), { code: 'ENOENT' });
    });
  }

  test('cannot make what still runs as root load a library or a module of its own', async () => {
    const mark = join(folder, 'loaded');
    const evil = join(folder, 'Evil.pm');
    const code = `package Evil; open my $f, '>>', '${mark}'; print $f "$<\\n"; 1;`;
    execFileSync('bash', ['-c', 'cat > "$0"', evil], { input: code });
    const env = { PERL5LIB: folder, PERL5OPT: '-MEvil' };
    for (const more of [{}, { care }]) {
      await pool.runCommand('perl -e 1', asNobody({ ...more, env }));
    }
    const uids = new Set(readFileSync(mark, 'utf8').trim().split('\n'));
    assert.deepEqual(
      [...uids],
      [execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).trim()],
    );
  });

  test('is found and killed whole: by its time-out, a stop and the end of its node', async () => {
    for (const how of ['timeout', 'stop', 'everything'] as const) {
      const own = createTestPool({ allowedUsers, spawnWay: 'launcher' });
      const file = join(folder, `pids-${how}`);
      const daemon = `(env -i setsid bash -c 'echo $$ >> ${file}; exec sleep 300' &)`;
      const marked = `(setsid sleep 300 & echo $! >> ${file})`;
      const stubborn = `trap '' TERM; echo $$ >> ${file}`;
      const command = `${stubborn}; ${marked}; ${daemon}; while :; do sleep 1; done`;
      const start = (timeoutMs: number | null) => {
        rmSync(file, { force: true });
        const request = own.request(command, asNobody({ timeoutMs, graceMs: 200 }));
        return { ...request, run: own.run(request).catch(() => null) };
      };
      const isUp = () => pidsIn(file, 3);
      if (how === 'timeout') await timedOutWhenUp((timeoutMs) => start(timeoutMs).run, isUp);
      else {
        const { launchId, run } = start(null);
        await until('all live', isUp);
        if (how === 'stop') own.stop(launchId, 'stopped');
        else await own.killEverything();
        await run;
      }
      assert.deepEqual(isUp()?.map(isAlive), [false, false, false], how);
      await own.close();
    }
  });
});
