import assert from 'node:assert/strict';
import { asReason } from '../../support/asReason.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays(
  'the output and the runs of a job are found by its name, and retried with other variables',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const cli = await reach(t, way, world);
    await askCli(['job', 'add', 'job', '--cron', '@manual', '--command', 'true'], cli);
    const node = await world.join('web1');
    const none = await askCli(['job', 'log', 'job'], cli);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /^statecron: No run of "job" has started.*\nhint: .*job why job; /);
    await askCli(['job', 'run', 'job', '--env', 'A=1', '--env', 'B=2'], cli);
    const early = await askCli(['job', 'stop', 'job'], cli);
    assert.match(early.stderr, /^No run of job executes\.\nA requested run has not started yet/);
    const [first] = await node.claim();
    assert.ok(first);
    await node.start(first);
    const output = Buffer.from('one\n');
    await node.store.writeOutputs([{ launchId: first.launchId, output }]);
    await node.finish(first, { result: 'failed', exitCode: 3, output, outputBytes: 4 });

    const retry = ['run', 'retry', first.launchId, '--env', 'B=3'];
    const retried = await askJsonCli<{ requestId: string; attempt: number }>(retry, cli);
    assert.equal(retried.attempt, 1);
    const [second] = await node.claim();
    assert.ok(second);
    assert.deepEqual(second.definition.env, { A: '1', B: '3' });
    assert.equal(second.scheduledForMs, first.scheduledForMs, 'it is for the same tick');
    const show = ['run', 'show', retried.requestId];
    const { variables } = await askJsonCli<{ variables: string[] }>(show, cli);
    assert.deepEqual(variables, ['A', 'B'], 'their names alone');
    assert.match((await askCli(show, cli)).stdout, /^variables +A, B$/m);
    const log = await askCli(['job', 'log', 'job', '--follow'], cli);
    assert.deepEqual([log.stdout, log.code], ['one\n', 3]);
    assert.match(log.stderr, /^The last run, failed .*: run \d+\n/);
    await node.start(second);
    const running = await askCli(['job', 'log', 'job', '--raw'], cli);
    assert.match(running.stderr, new RegExp(`^The run under way, .*: run ${second.launchId}\n`));
    const follow = `What it writes: statecron run log --follow ${second.launchId}\n`;
    assert.ok(running.stderr.endsWith(`It has not ended. ${follow}`), running.stderr);
    const failed = await askCli(['runs', '--failed'], cli);
    assert.match(failed.stderr, /^What the newest wrote: statecron run log \d+\n$/);
    const shown = await askCli(['job', 'show', 'job'], cli);
    assert.match(shown.stdout, /^last +failed \(exit 3\) on web1, ended \S+ \S+ \S+ \(.+\)$/m);
    assert.match(shown.stdout, /^see +statecron run log \d+$/m);
    assert.match(shown.stdout, /^state +running$/m);
    const why = await askCli(['job', 'why', 'job'], cli);
    assert.match(why.stdout, /^see +statecron run log \d+$/m);

    const stopped = await askJsonCli(['job', 'stop', 'job'], cli);
    assert.deepEqual(stopped, [{ answer: 'asked', launchId: second.launchId, withdrawn: 0 }]);
    const waiting = askCli(['job', 'stop', 'job', '--wait'], cli);
    const reason = asReason(
      'Stopped: SIGTERM. Note: it ran in /, as the home folder of nobody is not there.',
    );
    await node.finish(second, { result: 'stopped', signal: 'SIGTERM', reason });
    const { stdout, stderr } = await waiting;
    assert.match(stdout + stderr, /of job: stopped\.$|^No run of job executes\.$/m);
    const after = await askCli(['job', 'why', 'job'], cli);
    assert.match(after.stdout, /^last +stopped on \S+ \([^)]+\): Stopped: SIGTERM\.$/m);
    const stays = await askJsonCli<{ result: string; isFinal: boolean }>(
      ['run', 'show', first.launchId],
      cli,
    );
    assert.deepEqual([stays.result, stays.isFinal], ['failed', true]);
  },
);

testBothWays('what a job was is compared, put back, and who did it is shown', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  await askCli(['job', 'add', 'job', '--cron', '@daily', '--command', 'true'], cli);
  const alone = await askCli(['job', 'diff', 'job'], cli);
  assert.deepEqual([alone.stdout, alone.stderr], ['', 'Revision 1 of job is its only one.\n']);
  await askCli(['job', 'edit', 'job', '--timeout', '90s', '--tag', 'x'], cli);
  await askCli(['job', 'pause', 'job'], cli);
  const shown = await askCli(['job', 'show', 'job'], cli);
  const [heading = '', ...rows] = shown.stdout.slice(shown.stdout.indexOf('REVISION')).split('\n');
  const changedOf = (row: string) => row.split(/ {2,}/)[heading.split(/ {2,}/).indexOf('CHANGED')];
  assert.deepEqual(rows.slice(0, 3).map(changedOf), ['paused', 'timeout, tag', 'added']);
  const last = await askCli(['job', 'diff', 'job'], cli);
  assert.equal(last.stdout, 'FIELD   REVISION 2  REVISION 3\npaused  false       true\n');
  const since = await askCli(['job', 'diff', 'job', '1'], cli);
  const lines = [
    'paused   false       true',
    'timeout  -           1m30s',
    'tag      -           x',
  ];
  assert.equal(since.stdout, `FIELD    REVISION 1  REVISION 3\n${lines.join('\n')}\n`);
  const pair = await askJsonCli<{ from: number; to: number }>(
    ['job', 'diff', 'job', '2', '1'],
    cli,
  );
  assert.deepEqual([pair.from, pair.to], [2, 1]);
  const missing = await askCli(['job', 'diff', 'job', '7'], cli);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /job has no revision 7/);

  const none = await askCli(['job', 'rollback', 'job'], cli);
  assert.equal(none.code, 2);
  assert.match(
    none.stderr,
    /no revision is given.*\nhint: Revision 1 is the last with another definition/,
  );
  const back = await askCli(['job', 'rollback', 'job', '1'], cli);
  assert.equal(back.stdout, 'Rolled back job to revision 1, as revision 4.\n');
  const rests = 'It is still paused: statecron job resume job\n';
  assert.equal(back.stderr, rests);
  const edited = await askCli(['job', 'edit', 'job', '--command', 'true'], cli);
  assert.deepEqual([edited.stdout, edited.stderr], ['job is unchanged.\n', rests]);
  const again = await askCli(['job', 'rollback', 'job', '1'], cli);
  assert.equal(again.stdout, 'job has the definition of revision 1 already.\n');
  const audit = await askCli(['audit', '--job', 'job', '--since', '1h', '--limit', '2'], cli);
  const [, rolled = '', paused = '', ...rest] = audit.stdout.split('\n');
  assert.match(rolled, / job\.rollback +job +timeout: 1m30s → -; tag: x → - /);
  assert.match(paused, / job\.pause +job +paused /);
  assert.deepEqual(rest, ['']);
  assert.equal(audit.stderr, 'Only 2 are shown; see --limit.\n');
  const [{ actor } = { actor: '' }] = await askJsonCli<{ actor: string }[]>(['audit'], cli);
  const mine = await askJsonCli<unknown[]>(['audit', '--actor', actor], cli);
  assert.equal(mine.length, 4);
  const nobody = await askCli(['audit', '--actor', 'nobody'], cli);
  assert.deepEqual([nobody.stdout, nobody.stderr], ['', 'There are no such changes.\n']);

  await askCli(['job', 'edit', 'job', '--on-node', 'web1'], cli);
  const placed = await askCli(['job', 'diff', 'job'], cli);
  assert.match(placed.stdout, /\non-node +- +web1\n$/, 'as files name it');
  const bySudo = { ...cli, env: { ...cli.env, SUDO_USER: 'ann' } };
  await askCli(['job', 'resume', 'job'], bySudo);
  const [{ actor: person } = { actor: '' }] = await askJsonCli<{ actor: string }[]>(['audit'], cli);
  // Whoever is not root may set the variable, too.
  const isRoot = process.getuid?.() === 0;
  assert.equal(person, isRoot ? actor.replace(/^.*@/, 'ann@') : actor);
  await askCli(['job', 'skip-next', 'job'], cli);
  const skipped = await askCli(['audit', '--job', 'job', '--limit', '1'], cli);
  assert.match(skipped.stdout, / job\.skipNext +job +ticks: \d{4}-\d\d-\d\d 00:00:00 \+00:00 /);
});
