import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { ChangedBy, KeyClaim } from '../../../src/domain/access/changedBy.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import {
  forgetKey,
  keepAnswer,
  releaseKey,
  takeKey,
} from '../../../src/store/idempotency/takeKey.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob, resumeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../../src/store/jobs/changes/skipNext.ts';
import { cleanRecords } from '../../../src/store/maintenance/cleanRecords.ts';
import { retryRun } from '../../../src/store/requests/retryRun.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf, openChannel } from '../verify/assertAccounted.ts';

const yearly = { schedule: '0 0 1 1 *' };
const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const key = hash('key');
const request = hash('request');

async function take(channel: Channel): Promise<KeyClaim> {
  const taken = await takeKey(channel, key, request);
  assert.equal(taken.found, 'taken');
  return (taken as { claim: KeyClaim }).claim;
}

const byOf = (keyClaim: KeyClaim): ChangedBy => {
  return { actor: 'ann', via: 'api', requestId: 'r1', address: null, keyClaim };
};

await forEachEngine((engine) => {
  test('of ten requests with one key one is done, and the others are told to wait', async (t) => {
    const scope = lastFirst(t);
    const world = await makeReusedWorld(scope, engine);
    const channels = Array.from({ length: 10 }, () => openChannel(scope, world.url));
    const answers = await Promise.all(channels.map((each) => takeKey(each, key, request)));
    const found = answers.map((answer) => answer.found).sort();
    assert.deepEqual(found, [...Array.from({ length: 9 }, () => 'held'), 'taken']);
  });

  test('a repeat is given the answer that was kept, another request is not', async (t) => {
    const { channel } = await makeReusedWorld(t, engine);
    const claim = await take(channel);
    const answer = { status: 201, headers: { etag: '"1"' }, body: Buffer.from('{"é":1}') };
    await keepAnswer(channel, claim, answer);
    const again = await takeKey(channel, key, request);
    assert.deepEqual(again, { found: 'answered', answer });
    assert.deepEqual(await takeKey(channel, key, hash('other')), { found: 'other' });
    assert.equal((await takeKey(channel, hash('other key'), request)).found, 'taken');
  });

  test('who was silent for a minute loses the key, and commits nothing any more', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    const first = await take(channel);
    await world.rows('UPDATE idempotency_key SET taken_at = taken_at - INTERVAL 61 SECOND');
    const second = await take(channel);
    assert.deepEqual([first.takenNo, second.takenNo], [1, 2]);
    channel.by = byOf(first);
    await assert.rejects(addJob(channel, definitionOf('job')), { code: 'idempotency_taken_over' });
    assert.deepEqual(await world.rows('SELECT job_id FROM job'), []);
    channel.by = byOf(second);
    await addJob(channel, definitionOf('job'));
    await keepAnswer(channel, first, { status: 500, headers: {}, body: Buffer.from('') });
    const again = await takeKey(channel, key, request);
    assert.equal(again.found, 'held', 'the late answer of the first is not kept');
  });

  test('a repeat after a lost answer finds what was committed and makes nothing', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await world.addJob('ran');
    const node = await world.join('a');
    const [launch] = await node.claim();
    assert.ok(launch);
    await node.start(launch);
    await node.finish(launch);
    const doAll = async () => {
      const added = await addJob(channel, definitionOf('job', yearly));
      const skipped = await skipNext(channel, 'job', 1);
      const retried = await retryRun(channel, launch.launchId);
      const wishes = { name: 'bob', role: 'viewer', groups: null, expiresMs: null } as const;
      const { secret, ...token } = await addToken(channel, wishes);
      const { isChanged } = await pauseJob(channel, 'job');
      return { answers: { added, skipped, retried, token, isChanged }, secret };
    };
    const claim = await take(channel);
    channel.by = byOf(claim);
    const first = await doAll();
    assert.ok(first.secret);
    assert.equal(first.answers.isChanged, true);
    // As if its node had died here, and the retry had come to its end.
    await world.rows('DELETE FROM pending');
    await releaseKey(channel, claim);
    channel.by = byOf(await take(channel));
    const second = await doAll();
    assert.deepEqual(second.answers, first.answers);
    assert.equal(second.secret, null, 'a token is shown once');
    assert.deepEqual(await world.rows('SELECT * FROM pending'), []);
    const [rows] = await world.rows('SELECT COUNT(*) AS many FROM audit_log');
    assert.equal(Number(rows?.many), 5);
  });

  test('a key that was cleaned away and comes again makes its change again', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await addJob(channel, definitionOf('job', yearly));
    const pause = async () => {
      channel.by = byOf(await take(channel));
      return (await pauseJob(channel, 'job')).isChanged;
    };
    assert.equal(await pause(), true);
    channel.by = null;
    await resumeJob(channel, 'job');
    // Audit rows stay for 400 days.
    await world.rows('DELETE FROM idempotency_key');
    assert.equal(await pause(), true);
    assert.equal((await world.rows('SELECT paused FROM job'))[0]?.paused, 1);
  });

  test('a key that is another one’s by now lets nobody change by it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await addJob(channel, definitionOf('job'));
    channel.by = byOf({ keyHash: hash('never taken'), takenNo: 1 });
    await assert.rejects(pauseJob(channel, 'job'), { code: 'idempotency_taken_over' });
    const [job] = await world.rows('SELECT paused FROM job');
    assert.equal(job?.paused, 0);
  });

  test('what the API has kept is taken away when it is old, and not before', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel, rows } = world;
    channel.by = byOf(await take(channel));
    const wishes = { role: 'viewer', groups: null, expiresMs: null } as const;
    await addToken(channel, { ...wishes, name: 'old' });
    await addToken(channel, { ...wishes, name: 'live' });
    assert.deepEqual(await cleanRecords(channel), { rows: 0, isMore: false });
    await rows('UPDATE idempotency_key SET made_at = made_at - INTERVAL 3 DAY');
    await rows('UPDATE audit_log SET happened_at = happened_at - INTERVAL 401 DAY');
    await rows(
      "UPDATE api_token SET expires_at = NOW(3) - INTERVAL 401 DAY WHERE token_name = 'old'",
    );
    assert.deepEqual(await cleanRecords(channel), { rows: 4, isMore: false });
    assert.deepEqual(await rows('SELECT token_name FROM api_token'), [{ token_name: 'live' }]);
  });

  test('a key whose request changed nothing leaves no row, unless it was taken over', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    await forgetKey(channel, await take(channel));
    assert.deepEqual(await world.rows('SELECT taken_no FROM idempotency_key'), []);
    const first = await take(channel);
    await world.rows('UPDATE idempotency_key SET taken_at = taken_at - INTERVAL 61 SECOND');
    const second = await take(channel);
    await forgetKey(channel, first);
    await forgetKey(channel, second);
    assert.deepEqual(await world.rows('SELECT taken_no FROM idempotency_key'), [{ taken_no: 2 }]);
    channel.by = byOf(first);
    await assert.rejects(addJob(channel, definitionOf('job')), { code: 'idempotency_taken_over' });
    assert.equal((await take(channel)).takenNo, 3, 'the next one takes it at once');
  });
});
