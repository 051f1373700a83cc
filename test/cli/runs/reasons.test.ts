import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { requestLive, writeLive } from '../../../src/store/runs/liveOutput.ts';
import { asReason } from '../../support/asReason.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { noTerminal, onTerminal } from '../onTerminal.ts';

interface Listed {
  readonly runId: number;
  readonly result: string;
  readonly reason: string | null;
  readonly launchId: string | null;
}

const isDone = (verdict: Awaited<ReturnType<TestNode['start']>>) =>
  typeof verdict !== 'string' && verdict.verdict === 'done';

/** A job with a missed range, a run that its node's end lost, and one without a process. */
async function makeWorld(t: TestContext, nodeLoss?: string) {
  const world = await makeStoreWorld(t, 'mariadb');
  // Where the tick runs again, none comes that could be claimed before it.
  const schedule = nodeLoss === undefined ? '* * * * * *' : '0 0 29 2 *';
  await world.addJob('nightly', { schedule, dueInMs: -5_000 });
  if (nodeLoss !== undefined) {
    const setPolicy = "UPDATE job_revision SET definition = JSON_SET(definition, '$.nodeLoss', ?)";
    await world.rows(setPolicy, [nodeLoss]);
  }
  const node = await world.join('web1');
  const [lost] = await node.claim();
  assert.ok(lost);
  await node.start(lost);
  const heir = await world.join('web2');
  await heir.store.endSession(node.sessionId, 'its process was ended by SIGKILL', null);
  await heir.ask({ kind: 'reap', sessionId: node.sessionId, stripes: allStripes });
  return { ...world, lost, heir };
}

test('runs shows reasons, in a terminal of 80 columns below the run', async (t) => {
  const { heir, lost, url } = await makeWorld(t);
  const cli = { url };
  const runs = await askJsonCli<Listed[]>(['runs'], cli);
  const missed = runs.find(({ result }) => result === 'missed');
  assert.ok(missed?.reason);
  const table = (await askCli(['runs'], cli)).stdout;
  assert.match(table, /^ENDED .* RUN +REASON\n/);
  assert.ok(table.includes(missed.reason), table);
  const never = await askCli(['run', 'log', `${missed.runId}`], cli);
  assert.equal(never.stdout, '');
  assert.equal(
    never.stderr.split('\n').slice(1).join('\n'),
    `It never started, so there is no output. nightly: missed (${missed.reason})\n`,
  );
  const reason = runs.find(({ result }) => result === 'lost')?.reason;
  const gone = await askCli(['run', 'log', lost.launchId], cli);
  const notKept = 'is not kept: the node ended before it could record it.';
  assert.equal(gone.stderr, `Its output ${notKept} nightly: lost (${reason})\n`);
  const [next] = await heir.claim();
  assert.ok(next);
  // It may be of the second that is still to come.
  await until('it is started', async () => isDone(await heir.start(next)));
  const finished = await heir.finish(next, {
    result: 'spawn_failed',
    exitCode: null,
    reason: asReason('No process can be started: fork failed (EAGAIN).'),
  });
  assert.ok(isDone(finished));
  const unborn = await askCli(['run', 'log', next.launchId], cli);
  assert.match(unborn.stderr, /^It wrote nothing\. nightly: failed \(No process can be started/);
  const only = await askCli(['runs', '--limit', '1', '--job', 'nightly'], cli);
  assert.match(only.stdout, /fork failed/);
  if (noTerminal !== false) return;
  const lines = (await onTerminal(['runs'], url)).split('\r\n');
  assert.ok(
    lines.every((line) => line.length <= 80),
    lines.join('\n'),
  );
  assert.match(lines[0] ?? '', / NODE +RUN$/);
  const shown = lines.join(' ').replaceAll(/ +/g, ' ');
  assert.ok(shown.includes(`${missed.runId} ${missed.reason.slice(0, 60)}`), shown);
  assert.match(lines.at(-2) ?? '', /^Not shown: SCHEDULED FOR.*; see --wide\.$/);
});

test('what a lost run published while it was followed is shown, the rest is gone', async (t) => {
  const { channel, lost, url } = await makeWorld(t);
  await requestLive(channel, lost.launchId);
  const output = Buffer.from('one\ntwo\n');
  await writeLive(channel, [{ launchId: lost.launchId, output, outputBytes: output.length }]);
  const log = await askCli(['run', 'log', lost.launchId], { url });
  assert.equal(log.stdout, 'one\ntwo\n');
  assert.match(log.stderr, /^The rest of its output is not kept: the node ended/);
});

test('a run says which other attempts there are of its tick', async (t) => {
  const { heir, url } = await makeWorld(t, 'rerun');
  const [again] = await heir.claim();
  assert.ok(again);
  await heir.start(again);
  const [lost] = await askJsonCli<Listed[]>(['runs', '--result', 'lost'], { url });
  const first = await askCli(['run', 'show', `${lost?.runId}`], { url });
  assert.match(first.stdout, /^attempts +another after it: statecron runs --job nightly$/m);
  const second = await askCli(['run', 'show', `${again.launchId}`], { url });
  assert.match(second.stdout, /^attempts +1 before it: statecron runs --job nightly$/m);
});
