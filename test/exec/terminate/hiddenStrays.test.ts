import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { createTestPool, isAlive, pidsIn, type TestPool } from '../pool/testPool.ts';

const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(folder, { recursive: true }));

test('a daemon that claims to be of a launch that is not under way ends with its run', async () => {
  const pool = createTestPool({ spawnWay: 'launcher' });
  const file = join(folder, 'forged');
  const sleeper = ({ mark = '', first = ':' }) =>
    `env -i ${mark} setsid bash -c '${first}; echo $$ >> ${file}; exec sleep 300' &`;
  const marked = (mark: string) => sleeper({ mark: `STATECRON_LAUNCH_ID=${mark}` });
  const forged = [
    marked('zzz:1'),
    marked(`${pool.sessionId}:2`),
    sleeper({ first: 'ulimit -Sx 2' }),
  ];
  const all = `until [ "$(wc -l < ${file})" -eq 3 ]; do sleep 0.05; done`;
  const first = await pool.runCommand(`: > ${file}; ${forged.join(' ')} ${all}`);
  const waiting = { leftovers: 'wait', timeoutMs: 60_000 } as const;
  const second = await pool.runCommand('true', waiting);
  const alive = pidsIn(file, 3)?.filter(isAlive) ?? [];
  for (const pid of alive) process.kill(pid, 'SIGKILL');
  await pool.close();
  assert.match(first.reason ?? '', /The shell left \d process\w* running, ended with SIG/);
  assert.deepEqual(alive, []);
  assert.equal(second.result, 'succeeded', 'it does not wait for what is not its own');
});

/**
 * Each of them lives for two milliseconds and leaves a successor, before any look at all processes
 * is over; no more than a system whose first process reaps slowly has room for.
 */
const chain = `
  my ($trace, $goes) = @ARGV;
  $SIG{TERM} = 'IGNORE';
  open my $file, '>>', $trace;
  while (-e $goes) {
    exit if fork;
    setpgrp;
    syswrite $file, '.';
    select undef, undef, undef, 0.002;
  }`;

const ends = {
  'by itself': { rest: '', end: () => undefined },
  'by a stop': { rest: 'sleep 300', end: (pool: TestPool, id: string) => pool.stop(id, 'killed') },
  'with its node': { rest: 'sleep 300', end: (pool: TestPool) => pool.killEverything() },
};
for (const [how, { rest, end }] of Object.entries(ends)) {
  test(`what forks on at every moment ends with a run that ends ${how}`, async (t) => {
    const pool = createTestPool({ spawnWay: 'launcher' });
    const [program, trace, goes] = ['chain.pl', `trace ${how}`, `goes ${how}`].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    t.after(async () => {
      rmSync(goes);
      await pool.close();
    });
    writeFileSync(program, chain);
    writeFileSync(trace, '');
    writeFileSync(goes, ''); // it ends with this file, whatever becomes of the test
    const grows = `until [ -s '${trace}' ]; do sleep 0.01; done`;
    // Several: a sweep that cannot end one of them for sure has luck with one, not with all.
    const daemon = `(env -i setsid perl ${program} '${trace}' '${goes}' &)`;
    const daemons = `for each in 1 2 3 4; do ${daemon}; done`;
    const request = pool.request(`${daemons}; ${grows}; ${rest}`);
    const run = pool.run(request).catch((error: Error) => assert.equal(error.name, 'FencedError'));
    await until('it forks', () => statSync(trace).size > 0);
    await end(pool, request.launchId);
    await run;
    const { size } = statSync(trace);
    await delay(300);
    assert.equal(statSync(trace).size, size, 'it has written nothing since');
  });
}
