import type { Launch } from '../../../src/domain/run/launch.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { type ReasonWorld, yearly } from '../reasonTable/reasonWorld.ts';
import { nothing, ofRuns, type Situation, stand } from './situation.ts';

/** Nodes that may not, or that are lost. Most are sessions alone, which claim when told. */
export const placeSituations: readonly Situation[] = [
  {
    ...{ title: 'waits for poor', with: 'main alone' },
    cause: (world, name) => world.missed(name, { onNode: ['poor'] }),
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['main', 'target'] },
  },
  {
    title: 'its node is draining',
    cause: async (world, name) => {
      const node = await standing(world, 'leaver');
      await world.missed(name, { onNode: ['leaver'] });
      await node.store.markDraining();
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['leaver', 'draining'] },
    release: async (world, name) => {
      await world.rows("UPDATE session SET draining = 0 WHERE node_name = 'leaver'");
      await claims(world, 'leaver', name);
    },
  },
  {
    title: 'its node is of level 0',
    cause: async (world, name) => {
      await standing(world, 'zero', { level: 0 });
      await world.missed(name, { onNode: ['zero', 'after zero'] });
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['zero', 'level'] },
    release: (world, name) => comes(world, 'after zero', name),
  },
  {
    title: 'its node has an excluded label',
    cause: async (world, name) => {
      await standing(world, 'labelled', { labels: ['age=old'] });
      await world.missed(name, { onNode: ['labelled', 'unlabelled'], notOnLabel: ['age'] });
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['labelled', 'target'] },
    release: (world, name) => comes(world, 'unlabelled', name),
  },
  {
    title: 'its node is of an older release',
    cause: async (world, name) => {
      await standing(world, 'older');
      await world.rows("UPDATE session SET definition_format = 4 WHERE node_name = 'older'");
      const description = 'what nodes of an older release do not know';
      await world.missed(name, { onNode: ['older', 'newer'], description });
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['older', 'format'] },
    release: (world, name) => comes(world, 'newer', name),
  },
  {
    title: 'its node does not allow its user',
    cause: async (world, name) => {
      await standing(world, 'strict', { users: ['backup'] });
      await world.missed(name, { onNode: ['strict', 'obliging'], user: 'daemon' });
    },
    ...{ fails: 'user', state: 'cannot_run', keeps: ['strict', 'user'] },
    release: (world, name) => comes(world, 'obliging', name),
  },
  {
    title: 'its group of nodes has none that is live',
    cause: async (world, name) => {
      await changeGroup(world.channel, 'few', () => ['member']);
      await world.main(name, { onNode: [], onGroup: ['few'], cron: yearly, misfire: 'skip' });
      await world.due(name, -30);
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['main', 'target'] },
    release: (world, name) => comes(world, 'member', name),
  },
  {
    title: 'the node of a lower level is full',
    cause: async (world, name) => {
      const onNode = ['first', 'second'];
      const first = await standing(world, 'first');
      await standing(world, 'second', { level: 2 });
      await world.main('fills first', { onNode });
      await runJob(world.channel, 'fills first', 'fills first');
      await first.start(await takes(first));
      await world.missed(name, { onNode });
    },
    ...{ fails: 'capacity', state: 'waiting', keeps: ['second', 'outranked'] },
    release: (world, name) => claims(world, 'first', name),
  },
  {
    title: 'claimed, and not started',
    cause: async (world, name) => {
      const holder = await standing(world, 'holder');
      await world.main(name, { onNode: ['holder'] });
      await runJob(world.channel, name, name);
      await takes(holder);
      // Ten seconds after it was to start another node takes it.
      await world.rows(setLate, [holder.sessionId]);
    },
    ...{ fails: 'claim', state: 'waiting', afterwards: nothing },
  },
  {
    title: 'its node is silent',
    cause: async (world, name) => {
      const loser = await standing(world, 'loser');
      await world.main(name, { onNode: ['loser'] });
      await runJob(world.channel, name, name);
      await loser.start(await takes(loser));
      // The reapers begin to count its TTL anew: it would have ended before one asks.
      await world.rows(`UPDATE session SET renewed_at = NOW(3) - INTERVAL 2 HOUR, beats = beats + 1
        WHERE node_name = 'loser'`);
    },
    ...{ fails: 'lease', state: 'running', keeps: ['loser', 'silent'], afterwards: ofRuns },
    release: async (world) => {
      await world.rows(
        "UPDATE session SET state = 'ended', ended_at = NOW(3) WHERE node_name = 'loser'",
      );
    },
  },
  {
    title: 'of every node, of which one is away',
    cause: async (world, name) => {
      await standing(world, 'away');
      const words = { kind: 'every-node', onNode: ['away'], cron: yearly } as const;
      await world.main(name, { ...words, misfire: 'skip' });
      await world.rows(`UPDATE session SET state = 'ended', ended_at = NOW(3), reaped_at = NOW(3),
        started_at = renewed_at WHERE node_name = 'away'`);
      await world.due(name, -30);
    },
    ...{ fails: 'nodes', state: 'cannot_run', keeps: ['away', 'away'] },
    release: (world, name) => comes(world, 'away', name),
  },
];

const setLate = 'UPDATE slot SET next_run_at = NOW(3) - INTERVAL 3 SECOND WHERE session_id = ?';
const nodes = new Map<string, TestNode>();

/** A node that seems to have been there for an hour. */
async function standing(
  world: ReasonWorld,
  name: string,
  facts: Parameters<typeof stand>[2] = {},
): Promise<TestNode> {
  const node = await stand(world, name, facts);
  nodes.set(name, node);
  await world.rows(
    'UPDATE session SET started_at = NOW(3) - INTERVAL 1 HOUR WHERE session_id = ?',
    [node.sessionId],
  );
  return node;
}

/** What a node claims, when others do not hold the lock. */
function takes(node: TestNode): Promise<Launch> {
  return until('a claim', async () => (await node.claim())[0]);
}

/** A node comes and takes what it may. */
async function comes(world: ReasonWorld, nodeName: string, name: string): Promise<void> {
  nodes.set(nodeName, await stand(world, nodeName));
  await claims(world, nodeName, name);
}

/** The node claims, also again where others hold the lock, until ticks of the job are passed. */
async function claims(world: ReasonWorld, nodeName: string, name: string): Promise<void> {
  const isPassed = async () => {
    await nodes.get(nodeName)?.claim();
    return (await nothing(world, name)).length > 0;
  };
  await until(`${nodeName} has taken ${name}`, isPassed);
}
