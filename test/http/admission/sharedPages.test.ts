import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SingleFlight } from '../../../src/http/admission/singleFlight.ts';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { makeGate } from '../../support/makeGate.ts';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

/** Stands for a channel, which no read of these looks at. */
const channel = {} as Channel;
const atOnce = <T>(work: (channel: Channel) => Promise<T>): Promise<T> => work(channel);

test('a read is done once for all that come before there is a channel for it', async () => {
  const flights = new SingleFlight<number>();
  const free = makeGate();
  let put = 0;
  const ask = (question: string) => {
    const use: typeof atOnce = (work) => free.passed.then(() => work(channel));
    return flights.run(question, use, async () => {
      put += 1;
      return put;
    });
  };
  const early = [ask('a'), ask('a'), ask('b'), ask('a')];
  free.open();
  assert.deepEqual(await Promise.all(early), [1, 1, 2, 1]);
  assert.equal(await ask('a'), 3, 'nothing is remembered');
});

test('who comes while a read is under way has it done again', async () => {
  const flights = new SingleFlight<string>();
  const [begun, answered] = [makeGate(), makeGate()];
  const early = flights.run('a', atOnce, async () => {
    begun.open();
    await answered.passed;
    return 'old';
  });
  await begun.passed;
  const late = flights.run('a', atOnce, async () => 'new');
  answered.open();
  assert.deepEqual(await Promise.all([early, late]), ['old', 'new']);
});

test('a read that fails fails for all that share it, and for nobody after them', async () => {
  const flights = new SingleFlight<string>();
  const noChannel = () => Promise.reject(new Error('busy'));
  const fail = () => flights.run('a', noChannel, async () => 'never');
  const both = await Promise.allSettled([fail(), fail()]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await flights.run('a', atOnce, async () => 'there'), 'there');
});

test('those who may see other jobs are shown other pages of one moment', async (t) => {
  const world = await makeApiWorld(t);
  await addJobs(world);
  const asking: { names: string; token: string }[] = [];
  // More at once than there are channels: pages wait, and are shared, while they do.
  for (let count = 0; count < 15; count += 1) {
    asking.push({ names: 'a-1,b-1', token: await world.token('viewer') });
    asking.push({ names: 'a-1', token: await world.token('viewer', ['a']) });
    asking.push({ names: 'b-1', token: await world.token('viewer', ['b']) });
  }
  for (let round = 0; round < 5; round += 1) {
    const answers = asking.map(({ token }) => world.ask('GET', '/api/v1/jobs', { token }));
    const shown = (await Promise.all(answers)).map(({ json }) =>
      json.items.map(({ job }: { job: string }) => job).join(),
    );
    assert.deepEqual(
      shown,
      asking.map(({ names }) => names),
    );
  }
});

async function addJobs(world: ApiWorld): Promise<void> {
  for (const group of ['a', 'b']) {
    const body = { name: `${group}-1`, group, cron: '@daily', command: 'true' };
    assert.equal((await world.ask('POST', '/api/v1/jobs', { body })).status, 201);
  }
}
