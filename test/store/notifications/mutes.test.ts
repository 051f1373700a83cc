import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Muted } from '../../../src/domain/notifications/mute.ts';
import { cleanNotifications } from '../../../src/store/history/cleanNotifications.ts';
import { editJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { showJob } from '../../../src/store/jobs/showJob.ts';
import { listNotifications } from '../../../src/store/notifications/delivery/listNotifications.ts';
import { listMutes } from '../../../src/store/notifications/delivery/readMutes.ts';
import {
  muteNotifications,
  unmuteNotifications,
} from '../../../src/store/notifications/mutes/changeMute.ts';
import { removeNotificationTarget } from '../../../src/store/notifications/targets/changeTarget.ts';
import { whyJob } from '../../../src/store/why/whyJob.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { addTarget, addTelling, runOne, statesOf, tellOnce } from './notificationWorld.ts';

const hourMs = 3_600_000;
const told = { on: ['failure' as const, 'recovery' as const], to: ['ops'] };

function mute(world: StoreWorld, muted: Muted, note: string | null = null) {
  return muteNotifications(world.channel, muted, { end: { forMs: hourMs }, note });
}

const ofJob = { kind: 'job', name: 'job' } as const;

await forEachEngine((engine) => {
  test('a failure of a muted job is recorded as muted, and never sent', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    for (const name of ['job', 'other']) await addTelling(world, name, told);
    const node = await world.join('a');
    await mute(world, ofJob);
    for (const name of ['job', 'other']) await runOne(world, node, name, false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:other']);
    await runOne(world, node, 'job', false);
    // No node had looked at it when the mute ended.
    await unmuteNotifications(world.channel, ofJob);
    assert.deepEqual(await tellOnce(node), []);
    const states = ['ops:failure:muted', 'ops:failure:muted', 'ops:failure:sent'];
    assert.deepEqual(await statesOf(world), states);
    await runOne(world, node, 'job', false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:job'], 'after the mute');
  });

  test('a recovery is sent to those who were sent its failure', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', told);
    const node = await world.join('a');
    await runOne(world, node, 'job', false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:job']);
    await mute(world, ofJob);
    await runOne(world, node, 'job', false);
    await runOne(world, node, 'job', true);
    assert.deepEqual(await tellOnce(node), ['ops:recovery:job'], 'of what was sent before');
    for (const isGood of [true, false, false]) await runOne(world, node, 'job', isGood);
    await unmuteNotifications(world.channel, ofJob);
    await runOne(world, node, 'job', true);
    assert.deepEqual(await tellOnce(node), [], 'nobody had heard of the failure');
    for (const isGood of [false, true]) await runOne(world, node, 'job', isGood);
    assert.deepEqual(await tellOnce(node), ['ops:failure:job', 'ops:recovery:job']);
  });

  test('a failure that waits when its job is muted is held back, as its recovery', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', told);
    const node = await world.join('a');
    await runOne(world, node, 'job', false);
    await mute(world, ofJob);
    await runOne(world, node, 'job', true);
    const query = { target: null, notificationsMax: 9 };
    const listed = await listNotifications(world.channel, query);
    const states = listed.map(({ event, state }) => `${event} ${state}`);
    assert.deepEqual(states, ['recovery muted', 'failure muted'], 'no node has looked at them');
    assert.deepEqual(await tellOnce(node), []);
    assert.deepEqual(await statesOf(world), ['ops:failure:muted', 'ops:recovery:muted']);
  });

  test('a group is muted with its jobs, a target with all that goes there but tests', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['ops', 'dev']) await addTarget(world, name, { events: ['failure'] });
    await addTelling(world, 'web', undefined, { group: 'web', format: 3 });
    await addTelling(world, 'plain');
    const node = await world.join('a');
    await mute(world, { kind: 'group', name: 'web' });
    await mute(world, { kind: 'target', name: 'dev' });
    for (const name of ['web', 'plain']) await runOne(world, node, name, false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:plain']);
    await unmuteNotifications(world.channel, { kind: 'group', name: 'web' });
    await mute(world, { kind: 'group', name: 'default' });
    for (const name of ['web', 'plain']) await runOne(world, node, name, false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:web']);
    await world.rows(`INSERT INTO notice
        (stable_id, target_name, event, facts, created_at, since_at, due_at)
      VALUES ('a', 'dev', 'test', '{}', NOW(3), NOW(3), NOW(3))`);
    assert.deepEqual(await tellOnce(node), ['dev:test:']);
  });

  test('a service that is pinged hears that a muted job runs, not that it fails', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'check', { kind: 'ping' });
    await addTelling(world, 'job', { on: [], to: [], ping: ['check'] });
    const node = await world.join('a');
    await mute(world, ofJob);
    await runOne(world, node, 'job', true);
    assert.deepEqual(await tellOnce(node), ['check:start:job', 'check:success:job']);
    await runOne(world, node, 'job', false);
    assert.deepEqual(await tellOnce(node), ['check:start:job']);
  });

  test('a repeat moves the end, and both say by whom and why', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', told);
    const first = await mute(world, ofJob, 'new disk');
    assert.ok(first.mute !== null && first.isChanged);
    const end = { untilMs: first.mute.untilMs + hourMs };
    const longer = await muteNotifications(world.channel, ofJob, { end, note: null });
    const { untilMs } = end;
    assert.deepEqual(longer.mute, { ...first.mute, untilMs });
    const same = await muteNotifications(world.channel, ofJob, { end, note: null });
    assert.equal(same.isChanged, false);
    await mute(world, { kind: 'target', name: 'ops' });
    const shown = (await showJob(world.channel, 'job')).mutes;
    assert.deepEqual(
      shown.map(({ kind, name, note }) => [kind, name, note]),
      [
        ['job', 'job', 'new disk'],
        ['target', 'ops', ''],
      ],
    );
    assert.deepEqual((await whyJob(world.channel, 'job')).mutes, shown);
    assert.deepEqual(await listMutes(world.channel), shown);
    const over = { end: { untilMs: 1_000 }, note: null };
    await assert.rejects(muteNotifications(world.channel, ofJob, over), { code: 'mute_over' });
    const nothing: [Muted['kind'], string][] = [
      ['job', 'job_missing'],
      ['group', 'job_group_missing'],
      ['target', 'target_missing'],
    ];
    for (const [kind, code] of nothing) {
      await assert.rejects(mute(world, { kind, name: 'job ' }), { code });
      await assert.rejects(unmuteNotifications(world.channel, { kind, name: 'x' }), { code });
    }
    const after = await unmuteNotifications(world.channel, ofJob);
    assert.deepEqual([after.mute, after.isChanged], [null, true]);
    assert.equal((await unmuteNotifications(world.channel, ofJob)).isChanged, false);
  });

  test('no later job or target of the name is muted, and old mutes are cleaned away', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    await addTelling(world, 'job', told);
    await mute(world, ofJob);
    await removeJob(world.channel, 'job');
    assert.equal((await listMutes(world.channel)).length, 1);
    await addTelling(world, 'job', told);
    assert.deepEqual(await listMutes(world.channel), []);
    const node = await world.join('a');
    await runOne(world, node, 'job', false);
    assert.deepEqual(await tellOnce(node), ['ops:failure:job']);
    await mute(world, { kind: 'target', name: 'ops' });
    await editJob(world.channel, 'job', ({ notify: _, ...others }) => others);
    await removeNotificationTarget(world.channel, 'ops');
    await addTarget(world, 'ops');
    assert.deepEqual(await listMutes(world.channel), []);
    await cleanNotifications(world.channel);
    const rows = () => world.rows('SELECT * FROM notice_mute');
    assert.equal((await rows()).length, 1);
    await world.rows('UPDATE notice_mute SET until_at = NOW(3) - INTERVAL 36 DAY');
    await cleanNotifications(world.channel);
    assert.deepEqual(await rows(), []);
  });
});
