import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangedBy } from '../../../src/domain/access/changedBy.ts';
import { type AuditListed, listAudit } from '../../../src/store/audit/listAudit.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { muteNotifications } from '../../../src/store/notifications/mutes/changeMute.ts';
import { backfillJob } from '../../../src/store/requests/backfillJob.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRequest, stopRun } from '../../../src/store/requests/stopRun.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { revokeToken } from '../../../src/store/tokens/revokeToken.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel } from '../verify/assertAccounted.ts';

const yearly = { schedule: '0 0 1 1 *' };
const by: ChangedBy = { actor: 'ann', via: 'api', requestId: 'r1', address: '10.0.0.9' };

const all = (world: StoreWorld) => listAudit(world.channel, { rowsMax: 1_000 });
const told = (rows: readonly AuditListed[]) => rows.map(({ action }) => action).reverse();

await forEachEngine((engine) => {
  test('every change of an operator has its row, and what changes nothing has none', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    channel.by = by;
    const definition = { ...definitionOf('job', yearly), group: 'web' };
    await addJob(channel, definition);
    await assert.rejects(addJob(channel, definition), { code: 'job_exists' });
    await editJob(channel, 'job', (now) => ({ ...now, command: 'false' }));
    await editJob(channel, 'job', (now) => now);
    await skipNext(channel, 'job', 2);
    await runJob(channel, 'job', 'request');
    await runJob(channel, 'job', 'request');
    await stopRequest(channel, 'job', 'request');
    await stopRequest(channel, 'job', 'request');
    const year = { fromMs: Date.UTC(2020, 0, 1), untilMs: Date.UTC(2020, 0, 2), ticksMax: 5 };
    await backfillJob(channel, 'job', 'past', year, true);
    await backfillJob(channel, 'job', 'past', year);
    await pauseJob(channel, 'job');
    await pauseJob(channel, 'job', { forMs: 60_000 });
    await resumeJob(channel, 'job');
    await changeGroup(channel, 'nodes', () => ['a']);
    await changeGroup(channel, 'nodes', () => ['a']);
    await changeLimit(channel, 'web', 3);
    await changeLimit(channel, 'web', 3);
    const token = { name: 'bob', role: 'viewer', groups: null, expiresMs: null } as const;
    await addToken(channel, token);
    await revokeToken(channel, 'bob');
    await removeJob(channel, 'job');
    const rows = await all(world);
    assert.deepEqual(told(rows), [
      ...['job.add', 'job.edit', 'job.skipNext', 'job.run', 'request.stop', 'job.backfill'],
      ...['job.pause', 'job.pause', 'job.resume', 'group.change', 'limit.change'],
      ...['token.add', 'token.revoke', 'job.remove'],
    ]);
    const edit = rows.find(({ action }) => action === 'job.edit');
    const { actor, via, requestId, address, target, group } = edit as AuditListed;
    assert.deepEqual([actor, via, requestId, address], ['ann', 'api', 'r1', '10.0.0.9']);
    assert.deepEqual([target, group], ['job', 'web']);
    const { before, after } = edit as { before: Told; after: Told };
    assert.deepEqual([before.definition.command, after.definition.command], ['true', 'false']);
    const texts = await world.rows('SELECT * FROM audit_log');
    assert.doesNotMatch(JSON.stringify(texts), /statecron_[0-9a-f]{12}_/, 'no token in the log');
  });

  test('stops and retries of a launch are told once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('job');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    world.channel.by = by;
    assert.equal(await stopRun(world.channel, launch.launchId), 'asked');
    assert.equal(await stopRun(world.channel, launch.launchId), 'asked');
    await node.finish(launch, { result: 'stopped' });
    assert.equal((await retryRun(world.channel, launch.launchId)).isNew, true);
    assert.equal((await retryRun(world.channel, launch.launchId)).isNew, false);
    const rows = await all(world);
    assert.deepEqual(told(rows), ['run.stop', 'run.retry']);
    assert.deepEqual(
      rows.map(({ target }) => target),
      [launch.launchId, launch.launchId],
    );
  });

  test('what a node does of its own is not in the log', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, definitionOf('job'));
    await pauseJob(world.channel, 'job');
    assert.deepEqual(await all(world), []);
  });

  for (const cut of ['request lost', 'reply lost'] as const) {
    test(`a change and its row are there both or neither (${cut})`, async (t) => {
      const scope = lastFirst(t);
      const world = await makeReusedWorld(scope, engine);
      const proxy = await startCutProxy(scope, world.url);
      const channel = openChannel(scope, proxy.url);
      channel.by = by;
      const wasCut = proxy.cutAt('/* addJob commit */', cut);
      const asked = addJob(channel, definitionOf('job')).catch((error: unknown) => error);
      await wasCut;
      await asked;
      const [jobs] = await world.rows('SELECT COUNT(*) AS many FROM job');
      assert.equal((await all(world)).length, Number(jobs?.many));
    });
  }

  test('a token for a group changes nothing of another group', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addJob(world.channel, { ...definitionOf('mine'), group: 'web' });
    await addJob(world.channel, { ...definitionOf('theirs'), group: 'data' });
    await addJob(world.channel, definitionOf('nobodys'));
    const { channel } = world;
    channel.by = { ...by, groups: ['web'] };
    const forbidden = { code: 'group_forbidden' };
    await pauseJob(channel, 'mine');
    for (const name of ['theirs', 'nobodys']) {
      await assert.rejects(pauseJob(channel, name), forbidden);
      await assert.rejects(removeJob(channel, name), forbidden);
      await assert.rejects(runJob(channel, name, 'r'), forbidden);
      await assert.rejects(skipNext(channel, name, 1), forbidden);
    }
    const move = (group: string) => editJob(channel, 'mine', (now) => ({ ...now, group }));
    await assert.rejects(move('data'), forbidden);
    await assert.rejects(addJob(channel, definitionOf('new')), forbidden);
    await assert.rejects(changeLimit(channel, 'web', 1), forbidden);
    await assert.rejects(
      changeGroup(channel, 'nodes', () => ['a']),
      forbidden,
    );
    assert.deepEqual(told(await all(world)), ['job.pause']);
    const jobs = await world.rows('SELECT name, revision FROM job WHERE removed_no = 0');
    assert.deepEqual(jobs.map(({ name, revision }) => `${name} ${revision}`).sort(), [
      'mine 2',
      'nobodys 1',
      'theirs 1',
    ]);
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
  });

  test('the log is paged without a gap, and filtered', async (t) => {
    const world = await makeReusedWorld(t, engine);
    world.channel.by = by;
    for (const name of ['a', 'b', 'c']) await addJob(world.channel, definitionOf(name));
    const [first] = await listAudit(world.channel, { rowsMax: 1 });
    const page = { rowsMax: 5, beforeId: first?.auditId ?? 0 };
    const targets = (rows: AuditListed[]) => rows.map(({ target }) => target);
    assert.deepEqual(targets(await listAudit(world.channel, page)), ['b', 'a']);
    const one = await listAudit(world.channel, { rowsMax: 5, target: 'b', action: 'job.add' });
    assert.deepEqual(targets(one), ['b']);
    assert.deepEqual(await listAudit(world.channel, { rowsMax: 5, groups: ['web'] }), []);
    assert.equal((await listAudit(world.channel, { rowsMax: 5, groups: ['default'] })).length, 3);
    const name = 'default';
    const asGroup = { kind: 'group', name } as const;
    const asJob = { kind: 'job', name } as const;
    await addJob(world.channel, definitionOf(name));
    await changeLimit(world.channel, name, 3);
    await changeGroup(world.channel, name, () => ['n1']);
    await addToken(world.channel, { name, role: 'viewer', groups: null, expiresMs: null });
    for (const muted of [asGroup, asJob]) {
      await muteNotifications(world.channel, muted, { end: { forMs: 60_000 }, note: null });
    }
    await removeJob(world.channel, name);
    const ofJob = await listAudit(world.channel, { rowsMax: 9, job: name });
    assert.deepEqual(told(ofJob), ['job.add', 'notify.mute', 'job.remove'], 'of the job alone');
  });
});

interface Told {
  readonly definition: { readonly command: string };
}
