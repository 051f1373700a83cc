import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { makeSessionId } from '../../../src/domain/run/launchId.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { requireEngine } from '../../../src/store/schema/requireEngine.ts';
import { endSession, joinSession } from '../../../src/store/sessions/sessions.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { introduce } from '../../support/testNode.ts';
import type { EngineMember, FaultEngine } from './faultEngine.ts';
import { openChannel } from './overlapOnMembers.ts';

const job = { ...jobDefaults, name: 'nightly', schedule: '0 3 * * *', command: 'true' };
const rounds = [1, 2, 3, 4, 5];

/**
 * What is asked at once through two members that both take writes, where neither waits for the
 * other. Some rounds each, since the two do not always meet.
 */
export function testMembers(engine: FaultEngine): void {
  testOperators(engine);
  testNodes(engine);
}

async function makeWorld(scope: Scope, engine: FaultEngine) {
  const [one, two] = engine.members as [EngineMember, EngineMember];
  const world = await makeStoreWorldAt(scope, one.userUrl(await engine.createDatabase()));
  const database = new URL(world.url).pathname.slice(1);
  const channels = [openChannel(scope, one, database), openChannel(scope, two, database)];
  const both = <T>(ask: (channel: Channel, place: number) => Promise<T>) =>
    Promise.allSettled(channels.map(ask));
  return { ...world, both, urls: [one, two].map((member) => member.userUrl(database)) };
}

function testOperators(engine: FaultEngine): void {
  test('of two jobs of one name that are added through two members one is made', async (t) => {
    const { both, rows } = await makeWorld(t, engine);
    for (const round of rounds) {
      const name = `job ${round}`;
      const answers = await both((channel) => addJob(channel, { ...job, name }));
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      const refused = answers.flatMap((each) => (each.status === 'rejected' ? each.reason : []));
      assert.deepEqual(
        refused.map(({ code }) => code),
        ['job_exists'],
      );
    }
    const [slots] = await rows('SELECT COUNT(*) AS slots FROM slot');
    assert.equal(Number(slots?.slots), rounds.length);
  });

  test('two edits through two members are both in force, one after the other', async (t) => {
    const { both, rows, channel } = await makeWorld(t, engine);
    await addJob(channel, job);
    for (const round of rounds) {
      const answers = await both((each, place) =>
        editJob(each, job.name, (now) => ({ ...now, command: `echo ${round} ${place}` })),
      );
      assert.ok(answers.every(({ status }) => status === 'fulfilled'));
    }
    const revisions = await rows('SELECT * FROM job_revision ORDER BY revision');
    assert.equal(revisions.length, 1 + 2 * rounds.length);
    for (const [index, { in_force_until: until }] of revisions.entries()) {
      assert.deepEqual(until, revisions[index + 1]?.in_force_from ?? null);
    }
  });
}

function testNodes(engine: FaultEngine): void {
  test('the engine passes its probes over one member, and over two', async (t) => {
    const { both, urls, rows } = await makeWorld(t, engine);
    for (const url of urls) {
      const address = readDatabaseUrl(url);
      for (const { status, ...why } of await both((first) => requireEngine(first, address))) {
        assert.equal(status, 'fulfilled', JSON.stringify(why));
      }
    }
    assert.deepEqual(await rows('SELECT * FROM migration_lock WHERE lock_id > 2'), []);
  });

  test('of two nodes of one name that join through two members one is refused', async (t) => {
    const { both } = await makeWorld(t, engine);
    for (const round of rounds) {
      const answers = await both((channel) =>
        joinSession(channel, introduce(makeSessionId(), `node ${round}`, 45_000)),
      );
      const outcomes = answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value.outcome : answer.reason,
      );
      assert.deepEqual(outcomes.sort(), ['committed', 'refused']);
    }
  });

  test('of two reapers at two members one ends the session', async (t) => {
    const world = await makeWorld(t, engine);
    for (const round of rounds) {
      const { sessionId } = await world.join(`node ${round}`);
      const answers = await world.both((channel) => endSession(channel, sessionId, 'still', 0));
      const outcomes = answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value.outcome : answer.reason,
      );
      assert.deepEqual(outcomes.sort(), ['committed', 'refused']);
    }
  });

  test('of two nodes at two members each tick is claimed by one', async (t) => {
    const world = await makeWorld(t, engine);
    for (let number = 0; number < 12; number += 1) {
      await world.addJob(`job ${number}`, { schedule: '0 0 1 1 *', dueInMs: -1_000 });
    }
    const nodes = await Promise.all(
      world.urls.map((url, place) => world.join(`node ${place}`, { url })),
    );
    const launches = (await Promise.all(nodes.map((node) => node.claim()))).flat();
    const slots = new Set(launches.map(({ slotId }) => slotId));
    assert.deepEqual([launches.length, slots.size], [12, 12]);
    const inRows = await world.rows("SELECT launch_id FROM slot WHERE state = 'prepare'");
    assert.deepEqual(
      new Set(inRows.map((row) => row.launch_id as string)),
      new Set(launches.map(({ launchId }) => launchId)),
    );
  });
}
