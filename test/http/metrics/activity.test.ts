import assert from 'node:assert/strict';
import test from 'node:test';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { makeActorWorld } from '../../actors/actorWorld.ts';
import { type Live, slotsThat } from '../../support/liveMachines.ts';
import { until } from '../../support/until.ts';
import { type Watched, watchNode } from './watchNode.ts';

async function liveOf(node: Watched, query = ''): Promise<Live> {
  return JSON.parse((await node.get(`/api/v1/machines/live${query}`)).text);
}

test('each node shows what another does and all have done, to the last launch', async (t) => {
  const world = await makeActorWorld(t);
  const other = world.node('b');
  const node = await watchNode(world);
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) await world.add(name, '* * * * * *');
  const executedBy = (name: string) =>
    world.ledger.entries.filter((entry) => entry.node === name).length;
  await until('both execute', () => executedBy('a') > 2 && executedBy('b') > 2);
  const written = await world.rows('SELECT session_id FROM node_activity');
  assert.deepEqual(written, [], 'nobody looks yet');

  const own = await liveOf(node);
  assert.deepEqual([own.reports.length, own.reports[0]?.node], [1, 'a']);
  assert.deepEqual(own.versions, []);
  assert.ok(!('launches' in own), 'launches are for those who may see their jobs');
  assert.equal((await liveOf(node, '?node=b')).reports[0]?.reportedAt, null);
  const shown = await until('the other one has reported', async () => {
    const live = await liveOf(node, '?node=b');
    return live.reports[0]?.reportedAt === null ? null : live;
  });
  assert.deepEqual([shown.node, shown.reports[0]?.node], ['a', 'b']);
  const states = new Map(shown.actors.map(({ actor, state }) => [actor, state]));
  assert.equal(states.get('node'), 'live.serving');
  assert.ok(slotsThat('start.committed', shown) > 2);
  const tickHasCome = shown.guards.find(({ guard }) => guard === 'tickHasCome');
  assert.ok((tickHasCome?.allowed ?? 0) > 2);
  const never = shown.transitions.filter(({ count }) => count === 0);
  assert.ok(
    never.some(({ event }) => event === 'finish.unknown'),
    'zero is shown, too',
  );

  for (const name of names) await pauseJob(world.channel, name);
  other.running.drain();
  assert.equal((await other.ended()).ending, 'left');
  await until('nothing runs', () => world.ledger.running().length === 0);
  const left = await until('it has said so', async () => {
    const live = await liveOf(node, '?node=b');
    return live.reports[0]?.isLive === false ? live : null;
  });
  assert.equal(slotsThat('start.committed', left), executedBy('b'));
  const all = await until('the other finishes are committed', async () => {
    const live = await liveOf(node, '?cluster=true');
    const isSettled = Object.keys(live.slotActors).length === 0;
    return isSettled && slotsThat('finish.committed', live) === executedBy('a') + executedBy('b')
      ? live
      : null;
  });
  assert.deepEqual(all.reports.map((each) => [each.node, each.isLive]).sort(), [
    ['a', true],
    ['b', false],
  ]);
  const finished = all.versions.map((each) => [each.version, slotsThat('finish.committed', each)]);
  assert.deepEqual(finished, [
    ['1.2.3', executedBy('a')],
    ['0.0.0', executedBy('b')],
  ]);
  const { text } = await node.get('/metrics');
  const labels = 'from="slot.prepare.starting",to="slot.executing",event="start.committed"';
  const series = `statecron_transitions_total{machine="slot",${labels}}`;
  assert.ok(text.includes(`\n${series} ${executedBy('a')}\n`));
  const missing = await node.get('/api/v1/machines/live?node=nobody');
  assert.deepEqual([missing.status, JSON.parse(missing.text).code], [404, 'node_missing']);
  await world.requireSound();
});

interface Message {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly event: string;
  readonly state: string | null;
}

test('messages of a launch are kept while somebody looks, for all nodes to show', async (t) => {
  const world = await makeActorWorld(t);
  world.node('b');
  const node = await watchNode(world);
  await world.add('job', '* * * * * *');
  const runs = () => world.rows('SELECT launch_id FROM run WHERE launch_id IS NOT NULL');
  const messagesOf = async (launchId: unknown): Promise<Message[] | null> =>
    JSON.parse((await node.get(`/api/v1/runs/${launchId}`)).text).life.messages;
  const [before] = await until('one has run', async () => {
    const found = await runs();
    return found.length > 0 && found;
  });
  assert.equal(await messagesOf(before?.launch_id), null, 'nobody looked');
  const messages = await until('one is kept whole', async () => {
    await liveOf(node, '?cluster=true');
    const [last] = (await runs()).slice(-1);
    const found = await messagesOf(last?.launch_id);
    // One that was under way when somebody began to look has its end alone.
    const events = found?.map(({ event }) => event) ?? [];
    return events[0] === 'init' && events.includes('finish.committed') && found;
  });
  const said = messages.map(({ event, from, state, to }) => `${from} ${to} ${event} ${state}`);
  assert.deepEqual(said, [
    'scheduler slot init prepare.waiting',
    ...(said[1]?.includes('untilTick') ? ['null slot after untilTick prepare.queueing'] : []),
    'slot scheduler permit.request null',
    'scheduler slot permit.granted prepare.starting',
    'slot committer commit.request null',
    'committer slot start.committed executing.running',
    'null slot done command executing.finishing',
    'slot scheduler permit.return null',
    'slot committer commit.request null',
    'committer slot finish.committed idle',
    ...(said.at(-1)?.includes('slot.freed') ? ['slot scheduler slot.freed null'] : []),
  ]);
  const times = messages.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted());
});
