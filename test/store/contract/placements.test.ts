import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { Target } from '../../../src/domain/job/jobPolicies.ts';
import { type NodeFacts, plainNode } from '../../../src/domain/targeting/nodeFacts.ts';
import { besideOf, everyOf, type GroupMembers, takersOf } from '../../support/takersModel.ts';
import { forEachStore, type MakeWorld } from './forEachStore.ts';

const nodeNames = ['a', 'b', 'c', 'd'];
const labels = ['disk=ssd', 'disk=hdd', 'eu'];
const someOf = (names: string[]) => fc.subarray(names, { minLength: 1, maxLength: 2 });
const wantedLabels = someOf(['disk', ...labels]);
const target: fc.Arbitrary<Target | undefined> = fc.option(
  fc.record(
    {
      nodes: someOf(nodeNames),
      labels: wantedLabels,
      groups: someOf(['g', 'h']),
      excludeNodes: someOf(nodeNames),
      excludeLabels: wantedLabels,
      excludeGroups: someOf(['g', 'h']),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const job = fc.record({
  target,
  isEveryNode: fc.constantFrom(false, false, true),
  user: fc.constantFrom(undefined, undefined, 'backup', 'root'),
});
const facts = fc.record({
  level: fc.constantFrom(-1, 0, 1, 1, 2),
  labels: fc.subarray(labels),
  users: fc.constantFrom([], ['backup'], ['backup', 'root']),
});
const round = fc.record({
  nodes: fc.tuple(facts, facts, facts, facts),
  live: fc.subarray(nodeNames, { minLength: 2 }),
  order: fc.shuffledSubarray(nodeNames, { minLength: 4 }),
  groups: fc.record({ g: fc.subarray(nodeNames), h: fc.subarray(nodeNames) }),
  jobs: fc.array(job, { minLength: 10, maxLength: 10 }),
});
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

/** Ten placements each, 6 in every run: more are for `STATECRON_TEST_ROUNDS=200`. */
const roundsMax = Number(process.env.STATECRON_TEST_ROUNDS ?? 6);

/** Each of the jobs, and who claims it when the nodes ask in their order. */
async function play(world: Awaited<ReturnType<MakeWorld>>, number: number, wanted: Round) {
  const live = wanted.live.map((nodeName): NodeFacts => {
    const own = wanted.nodes[nodeNames.indexOf(nodeName)] as (typeof wanted.nodes)[0];
    return { ...plainNode, ...own, nodeName, definitionFormat: 5 };
  });
  const members: GroupMembers = new Map(
    Object.entries(wanted.groups).map(([name, each]) => [name, new Set(each)]),
  );
  for (const [name, each] of Object.entries(wanted.groups)) await world.group(name, each);
  const nodes = await Promise.all(
    live.map(({ nodeName, level, labels: own, users }) =>
      world.join(nodeName, { facts: { level, labels: own, users: users ?? [] } }),
    ),
  );
  const names = wanted.jobs.map((_, place) => `job${number}-${place}`);
  for (const [place, { target: asked, isEveryNode, user }] of wanted.jobs.entries()) {
    const fields: Partial<JobDefinition> = {
      schedule: '0 0 1 1 *',
      ...(asked === undefined || Object.keys(asked).length === 0 ? {} : { target: asked }),
      ...(isEveryNode ? { kind: 'every-node' } : {}),
      ...(user === undefined ? {} : { user }),
    };
    await world.place(names[place] as string, fields);
  }
  const claims = new Map(names.map((name): [string, string[]] => [name, []]));
  for (const nodeName of wanted.order) {
    const place = live.findIndex((each) => each.nodeName === nodeName);
    for (const { definition } of (await nodes[place]?.claim()) ?? []) {
      claims.get(definition.name)?.push(nodeName);
    }
  }
  for (const [place, { target: asked, isEveryNode, user }] of wanted.jobs.entries()) {
    const format = asked === undefined || Object.keys(asked).length === 0 ? 1 : 3;
    const placed = { target: asked, definitionFormat: format, user };
    const inOrder = (names: readonly string[]) =>
      wanted.order.filter((name) => names.includes(name));
    const [chosen] = inOrder(takersOf(live, placed, members));
    const beside = besideOf(live, placed, members);
    const single = chosen === undefined ? beside : [...beside, chosen];
    const expected = inOrder(isEveryNode ? everyOf(live, placed, members) : single);
    const told = JSON.stringify({ asked, isEveryNode, user, live, groups: wanted.groups });
    assert.deepEqual(claims.get(names[place] as string), expected, told);
  }
  for (const name of names) await world.change('remove', name);
  for (const { sessionId, store } of nodes) await store.endSession(sessionId, 'test', null);
}

await forEachStore((makeWorld) => {
  test('in random placements the nodes claim what the model says', async (t) => {
    const world = await makeWorld(t);
    const rounds = fc.sample(round, { numRuns: roundsMax, seed: 20_261 });
    for (const [number, wanted] of rounds.entries()) await play(world, number, wanted);
  });
});
