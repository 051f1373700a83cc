import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { httpOperator } from '../../../src/http/client/httpOperator.ts';
import { NodeClient } from '../../../src/http/client/nodeClient.ts';
import type { DecideMembers } from '../../../src/store/groups/changeGroup.ts';
import { type Answer, hangUp, json, problem, serveScripted } from './scriptedServer.ts';

/** An operator of a node that answers so, one request after the other. */
async function operatorOf(t: TestContext, answers: readonly Answer[]) {
  const { seen, port } = await serveScripted(t, answers);
  const url = new URL(`http://127.0.0.1:${port}/`);
  const client = new NodeClient({ url, token: null, authority: null });
  t.after(() => client.close());
  const operator = httpOperator(client);
  return { operator, seen, lines: () => seen.map(({ line }) => line.replace('/api/v1/', '')) };
}

const at = '2030-01-01T00:00:00.000Z';
const definition = { ...jobDefaults, name: 'a', schedule: '@daily', command: 'true' };
const job = (revision: number, command: string) =>
  json(200, {
    ...{ job: 'a', jobId: 7, revision, now: at, definition: { ...definition, command } },
  });
const changed = (isChanged: boolean) =>
  json(200, { job: 'a', jobId: 7, changed: isChanged, revision: 3, inForceFrom: at, next: null });
const fault = (status: number, code: string) =>
  problem(status, { code, detail: code, hint: 'x', exitCode: status === 412 ? 75 : 1 });

test('an edit that somebody else came before is made of what is there by then', async (t) => {
  const { operator, seen, lines } = await operatorOf(t, [
    job(1, 'one'),
    fault(412, 'revision_changed'),
    job(2, 'two'),
    changed(true),
  ]);
  const done = await operator.editJob('a', ({ command, ...same }) => {
    return { ...same, command: `${command}!` };
  });
  assert.deepEqual([done.changed, done.revision, done.jobId], [true, 3, 7]);
  const read = 'GET jobs/a?revisions=1';
  assert.deepEqual(lines(), [read, 'PATCH jobs/a', read, 'PATCH jobs/a']);
  assert.deepEqual(JSON.parse(seen[3]?.body ?? ''), { command: 'two!' });
});

test('one who always comes second gives up in the end, as the node says', async (t) => {
  const pairs = Array.from({ length: 30 }, (_, index) => [
    job(index, 'one'),
    fault(412, 'revision_changed'),
  ]);
  const { operator, seen } = await operatorOf(t, pairs.flat());
  const edited = operator.editJob('a', (current) => ({ ...current, command: 'two' }));
  await assert.rejects(edited, { code: 'revision_changed', exitCode: 75 });
  assert.equal(seen.length, 20);
});

test('an edit whose answer was lost is what the node says of its repeat', async (t) => {
  const edit = (current: typeof definition) => ({ ...current, command: 'two' });
  for (const isChanged of [true, false]) {
    const { operator, seen } = await operatorOf(t, [job(1, 'one'), hangUp, changed(isChanged)]);
    assert.equal((await operator.editJob('a', edit as never)).changed, isChanged);
    const [, key, again] = seen.map(({ headers }) => headers['idempotency-key']);
    assert.ok(key !== undefined && key === again, 'the node can know that it is a repeat');
  }
});

test('a removal whose answer was lost is done when its repeat finds nothing', async (t) => {
  const { operator } = await operatorOf(t, [job(1, 'one'), hangUp, fault(404, 'job_missing')]);
  const { changed: isRemoved, jobId } = await operator.removeJob('a');
  assert.deepEqual([isRemoved, jobId], [true, 7]);
  const other = await operatorOf(t, [job(1, 'one'), fault(404, 'job_missing')]);
  await assert.rejects(other.operator.removeJob('a'), { code: 'job_missing' });
});

const group = json(200, { group: 'web', nodes: ['n'], jobs: 0, changedAt: at, jobNames: [] });
const told = (isChanged: boolean) =>
  json(200, { group: 'web', nodes: ['n'], changed: isChanged, withdrawn: 0 });

/** As `group add` decides. */
const add: DecideMembers = (members) => {
  if (members !== null) throw new Error('it is there');
  return ['n'];
};

test('a group whose answer was lost is added once, and one that is there is not', async (t) => {
  const missing = fault(404, 'group_missing');
  const exists = fault(409, 'group_exists');
  const lost = await operatorOf(t, [missing, hangUp, told(true)]);
  assert.equal((await lost.operator.changeGroup('web', add)).changed, true);
  assert.equal(lost.seen[1]?.headers['if-none-match'], '*');
  assert.deepEqual(lost.seen[1]?.headers, lost.seen[2]?.headers);
  const taken = await operatorOf(t, [missing, exists]);
  await assert.rejects(taken.operator.changeGroup('web', add), { code: 'group_exists' });
  const there = await operatorOf(t, [group]);
  await assert.rejects(there.operator.changeGroup('web', add), /it is there/);
});

test('names that a URL takes for a way are never sent', async (t) => {
  const { operator, seen } = await operatorOf(t, [fault(404, 'job_missing')]);
  for (const name of ['.', '..', '']) {
    await assert.rejects(operator.pauseJob(name), { code: 'name_unspeakable', exitCode: 2 });
    await assert.rejects(operator.showGroup(name), { code: 'name_unspeakable' });
    await assert.rejects(operator.showRun(name), { code: 'run_missing' });
  }
  assert.equal(seen.length, 0);
  await assert.rejects(operator.pauseJob('../a?b#c'), { code: 'job_missing' });
  assert.equal(seen[0]?.line, 'POST /api/v1/jobs/..%2Fa%3Fb%23c/pause');
});
