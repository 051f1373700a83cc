import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanNotifications } from '../../../src/store/history/cleanNotifications.ts';
import { editJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import {
  listNotifications,
  listNotificationTargets,
  targetWarnings,
} from '../../../src/store/notifications/delivery/listNotifications.ts';
import {
  editNotificationTarget,
  removeNotificationTarget,
} from '../../../src/store/notifications/targets/changeTarget.ts';
import {
  retryNotifications,
  testNotificationTarget,
} from '../../../src/store/notifications/targets/testTarget.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import {
  addTarget,
  addTelling,
  notificationsOf,
  outboxOf,
  statesOf,
  take,
  tellOnce,
} from './notificationWorld.ts';

/** Notifications of that many failures, as if they had just happened. */
async function fill(world: StoreWorld, target: string, count: number): Promise<void> {
  const values = Array.from({ length: count }, (_, number) => {
    const facts = JSON.stringify({ job: `job${number % 7}`, launchId: `s:${number}` });
    return [`${target}-${number}`, target, 'failure', facts, new Date(), new Date(), new Date()];
  });
  await world.channel.change(
    `INSERT INTO notice (stable_id, target_name, event, facts, created_at, since_at, due_at)
     VALUES ?`,
    [values],
  );
  await world.rows('UPDATE notice SET created_at = NOW(3), since_at = NOW(3), due_at = NOW(3)');
}

await forEachEngine((engine) => {
  test('a target is one node’s until it lets go, or its session is over', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const [a, b] = [await world.join('a'), await world.join('b')];
    const id = await testNotificationTarget(world.channel, 'ops');
    const taken = await Promise.all([take(a), take(b)]);
    const [mine, ...others] = taken.flat();
    assert.equal(others.length, 0);
    assert.deepEqual(
      mine?.messages.map((message) => message.id),
      [id],
    );
    const [holder, other] = taken[0].length === 1 ? [a, b] : [b, a];
    assert.deepEqual(await take(other), []);
    await other.store.endSession(holder.sessionId, 'it was killed', null);
    assert.deepEqual(
      (await take(other))[0]?.messages.map((message) => message.id),
      [id],
    );
  });

  test('what floods a target comes in one digest, told once, whoever sends it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops', { minuteMax: 4 });
    await fill(world, 'ops', 200);
    const [a, b] = [await world.join('a'), await world.join('b')];
    const [batch] = await take(a);
    const messages = batch?.messages ?? [];
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['failure', 'failure', 'failure', 'digest'],
    );
    const digest = messages.at(-1);
    assert.deepEqual(digest?.facts.counts, { failure: 197 });
    assert.equal(digest?.facts.first?.length, 50);
    // The node dies: the other one has the same to send, with the same ids.
    await b.store.endSession(a.sessionId, 'it was killed', null);
    const [again] = await take(b);
    assert.deepEqual(
      new Set(again?.messages.map(({ id }) => id)),
      new Set(messages.map(({ id }) => id)),
    );
    await outboxOf(b).settleNotifications([
      {
        ...{ target: 'ops', failures: 0 },
        tried: messages.map((message) => ({ message, outcome: { sent: true } as const })),
      },
    ]);
    await testNotificationTarget(world.channel, 'ops');
    assert.deepEqual(await take(b), [], 'the minute is full');
    await world.rows('UPDATE notice_target SET minute_from = NOW(3) - INTERVAL 61 SECOND');
    assert.deepEqual(await tellOnce(b), ['ops:test:']);
  });

  test('of pings that flood only the latest of each job is asked', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'check', { kind: 'ping', minuteMax: 10 });
    await fill(world, 'check', 70);
    const node = await world.join('a');
    const [batch] = await take(node);
    const launches = batch?.messages.map(({ facts }) => facts.launchId);
    assert.deepEqual(launches, ['s:63', 's:64', 's:65', 's:66', 's:67', 's:68', 's:69']);
  });

  test('what cannot be sent is tried later, then given up, said, and tried by hand', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const node = await world.join('a');
    await testNotificationTarget(world.channel, 'ops');
    const failed = { sent: false, error: 'the answer was 500' } as const;
    assert.deepEqual(await tellOnce(node, failed), ['ops:test:']);
    const [row] = await notificationsOf(world);
    assert.ok(row);
    assert.equal(row.tries, 1);
    assert.ok((row.due_at as Date).getTime() > (row.since_at as Date).getTime());
    assert.deepEqual(await take(node), [], 'not before its time');
    assert.equal((await listNotificationTargets(world.channel))[0]?.waiting, 1);
    const hurry = () =>
      world.rows('UPDATE notice, notice_target SET due_at = NOW(3), rest_until = NOW(3)');
    for (let tries = 1; tries < 20; tries += 1) {
      await hurry();
      assert.deepEqual(await tellOnce(node, failed), ['ops:test:'], `${tries}`);
    }
    assert.deepEqual(await statesOf(world), ['ops:test:given_up']);
    const [warning] = await targetWarnings(world.channel);
    assert.match(warning ?? '', /1 notification to ops was given up: a: the answer was 500; see/);
    const [target] = await listNotificationTargets(world.channel);
    assert.equal(target?.givenUp, 1);
    assert.equal(target?.lastError, 'a: the answer was 500');
    assert.ok(!('secret' in (target ?? {})));
    assert.equal(await retryNotifications(world.channel, 'ops'), 1);
    assert.deepEqual(await tellOnce(node), ['ops:test:']);
    const [told] = await listNotifications(world.channel, { target: 'ops', notificationsMax: 10 });
    assert.equal(told?.state, 'sent');
    for (const [state, count] of [
      ['sent', 1],
      ['given_up', 0],
    ] as const) {
      const listed = { target: null, state, notificationsMax: 10 };
      assert.equal((await listNotifications(world.channel, listed)).length, count, state);
    }
  });

  test('mails that wait for too long say what a node needs to send them', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'hook');
    await addTarget(world, 'ops', { kind: 'mail' });
    for (const name of ['hook', 'ops']) await testNotificationTarget(world.channel, name);
    await world.rows('UPDATE notice SET since_at = NOW(3) - INTERVAL 1 HOUR');
    const [hook, mail] = await targetWarnings(world.channel);
    assert.match(hook ?? '', /to hook has waited .*: no live node can send to it; see/);
    assert.match(mail ?? '', /to ops has waited .* to it, as mail needs one with --smtp-url-file;/);
  });

  test('what waits says for how long, after how many tries, and which node failed', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const node = await world.join('web1');
    for (let count = 0; count < 2; count += 1) await testNotificationTarget(world.channel, 'ops');
    await tellOnce(node, { sent: false, error: 'the answer was 500' });
    await world.rows(`UPDATE notice SET tries = 3, since_at = NOW(3) - INTERVAL 1 HOUR
      ORDER BY notice_id LIMIT 1`);
    await world.rows('UPDATE notice SET tries = 2 WHERE tries = 1');
    const [several = ''] = await targetWarnings(world.channel);
    assert.match(
      several,
      /^2 notifications to ops have waited for up to 1h\w*, after up to 3 tries: web1: the answer/,
    );
    await world.rows('DELETE FROM notice WHERE tries = 2');
    const [one = ''] = await targetWarnings(world.channel);
    const said =
      /^1 notification to ops has waited for 1h\w*, after 3 tries: web1: the answer was 500;/;
    assert.match(one, said);
  });

  test('a target whose last try failed is warned of, though what failed was muted', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const node = await world.join('a');
    await testNotificationTarget(world.channel, 'ops');
    await tellOnce(node, { sent: false, error: 'not allowed' });
    assert.deepEqual(await targetWarnings(world.channel), [], 'it is tried again soon');
    await world.rows(`UPDATE notice SET state = 'muted', ended_at = NOW(3)`);
    const said =
      'ops could not be notified at the last try: a: not allowed; see: statecron notify log ops';
    assert.deepEqual(await targetWarnings(world.channel), [said]);
    await testNotificationTarget(world.channel, 'ops');
    await world.rows('UPDATE notice_target SET rest_until = NOW(3)');
    assert.deepEqual(await tellOnce(node), ['ops:test:']);
    assert.deepEqual(await targetWarnings(world.channel), []);
  });

  test('a settling that is asked for twice counts once', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops');
    const node = await world.join('a');
    await testNotificationTarget(world.channel, 'ops');
    const [batch] = await take(node);
    const [message] = batch?.messages ?? [];
    assert.ok(message);
    const outcome = { sent: false, error: 'no answer' } as const;
    const settled = [{ target: 'ops', failures: 0, tried: [{ message, outcome }] }];
    await outboxOf(node).settleNotifications(settled);
    await outboxOf(node).settleNotifications(settled);
    assert.equal((await notificationsOf(world))[0]?.tries, 1);
    assert.equal((await world.rows('SELECT failures FROM notice_target'))[0]?.failures, 1);
  });

  test('what nobody can send is given up after a day, and what is over goes', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await addTarget(world, 'ops', { kind: 'mail' });
    const node = await world.join('a');
    await testNotificationTarget(world.channel, 'ops');
    const taken = await outboxOf(node).takeNotifications(['webhook', 'ping']);
    assert.deepEqual(taken.batches, [], 'it has no mail server');
    await cleanNotifications(world.channel);
    assert.deepEqual(await statesOf(world), ['ops:test:waiting']);
    await world.rows('UPDATE notice SET since_at = NOW(3) - INTERVAL 25 HOUR');
    assert.equal((await cleanNotifications(world.channel)).rows, 1);
    assert.deepEqual(await statesOf(world), ['ops:test:given_up']);
    await world.rows('UPDATE notice SET ended_at = NOW(3) - INTERVAL 8 DAY');
    await cleanNotifications(world.channel);
    assert.deepEqual(await statesOf(world), []);
  });

  test('a target that a job names stays, and one that is not there cannot be named', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const notify = { on: ['failure' as const], to: ['ops'] };
    await assert.rejects(addTelling(world, 'job', notify), { code: 'target_missing' });
    await addTarget(world, 'ops');
    await addTarget(world, 'check', { kind: 'ping' });
    await addTelling(world, 'job', notify);
    const change = (more: object) =>
      editJob(world.channel, 'job', (job) => ({ ...job, notify: { ...notify, ...more } }));
    await assert.rejects(change({ to: ['check'] }), { code: 'target_kind' });
    await assert.rejects(change({ ping: ['nobody'] }), { code: 'target_missing' });
    await change({ ping: ['check'] });
    for (const name of ['ops', 'check']) {
      await assert.rejects(removeNotificationTarget(world.channel, name), { code: 'target_named' });
    }
    const bad = editNotificationTarget(world.channel, 'ops', { address: 'ftp://example.com/' });
    await assert.rejects(bad, { code: 'bad_target' });
    assert.equal(await editNotificationTarget(world.channel, 'ops', { minuteMax: 3 }), true);
    assert.equal(await editNotificationTarget(world.channel, 'ops', { minuteMax: 3 }), false);
    await removeJob(world.channel, 'job');
    await removeNotificationTarget(world.channel, 'ops');
    const left = (await listNotificationTargets(world.channel)).map(({ name }) => name);
    assert.deepEqual(left, ['check']);
  });
});
