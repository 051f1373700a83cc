import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Target } from '../../../src/domain/job/jobPolicies.ts';
import { noShare, type Share, wholeLine } from '../../../src/domain/run/share.ts';
import { dealStripes } from '../../../src/domain/targeting/dealStripes.ts';
import { isEligible, mayTake, type Placement } from '../../../src/domain/targeting/mayTake.ts';
import {
  type LiveNode,
  type NodeFacts,
  plainNode,
} from '../../../src/domain/targeting/nodeFacts.ts';
import { placementKey, placementOf } from '../../../src/domain/targeting/placementOf.ts';
import { judgeNodes } from '../../../src/domain/why/judgeNodes.ts';
import { allowedNames, everyOf, takersOf } from '../../support/takersModel.ts';

const nodeNames = ['a', 'b', 'c', 'd', 'e'];
const groupNames = ['g', 'h', 'gone'];
const nodeLabels = ['disk', 'disk=ssd', 'disk=hdd', 'zone=1', 'zone=10'];
const wantedLabels = [...nodeLabels, 'zone'];

const node = (nodeName: string): fc.Arbitrary<NodeFacts> =>
  fc.record({
    nodeName: fc.constant(nodeName),
    level: fc.constantFrom(-1, 0, 1, 2, 3, 10),
    labels: fc.subarray(nodeLabels),
    definitionFormat: fc.constantFrom(2, 3, 3, 3),
    isDraining: fc.constantFrom(false, false, false, true),
    users: fc.constantFrom(null, [], ['backup'], ['backup', 'www-data']),
  });
const nodes = fc.tuple(...nodeNames.map(node)).chain((all) => fc.subarray(all, { minLength: 1 }));
const someOf = (names: string[]) => fc.subarray(names, { minLength: 1, maxLength: 2 });
const target: fc.Arbitrary<Target> = fc.record(
  {
    nodes: someOf(nodeNames),
    labels: someOf(wantedLabels),
    groups: someOf(groupNames),
    excludeNodes: someOf(nodeNames),
    excludeLabels: someOf(wantedLabels),
    excludeGroups: someOf(groupNames),
  },
  { requiredKeys: [] },
);
const groups = fc
  .record({ g: fc.subarray(nodeNames), h: fc.subarray(nodeNames) })
  .map((members) => new Map(Object.entries(members).map(([name, each]) => [name, new Set(each)])));
const placement: fc.Arbitrary<Placement> = fc.record(
  {
    target: fc.option(target, { nil: undefined }),
    definitionFormat: fc.constantFrom(1, 3),
    user: fc.constantFrom('backup', 'www-data', 'root'),
  },
  { requiredKeys: ['target', 'definitionFormat'] },
);

const runs = { numRuns: 2_000 };

test('a target allows the nodes that the sets of its lists leave over', () => {
  const property = fc.property(nodes, target, groups, (all, wanted, members) => {
    const eligible = all.filter((each) => isEligible(wanted, each, members));
    assert.deepEqual(
      eligible.map(({ nodeName }) => nodeName),
      allowedNames(all, wanted, members),
    );
  });
  fc.assert(property, runs);
});

test('a launch is for the lowest level above 0 that is there for it', () => {
  const property = fc.property(nodes, placement, groups, (all, job, members) => {
    const taking = all.filter((each) => mayTake(job, each, all, members));
    assert.deepEqual(
      taking.map(({ nodeName }) => nodeName),
      takersOf(all, job, members),
    );
  });
  fc.assert(property, runs);
});

test('whom nothing keeps from a job, as people are told, is who may take it', () => {
  const property = fc.property(nodes, placement, groups, (all, job, members) => {
    const rest = {
      endedWhy: null,
      fromMs: 0,
      untilMs: 0,
      ttlMs: 1,
      renewedAgoMs: 0,
      capacity: 1,
      concurrency: 1,
    };
    const sessions = all.map((each) => {
      return { ...each, ...rest, sessionId: each.nodeName, state: 'live' } as const;
    });
    const place = { targetId: 1, placement: job, groups: members, sessions, isCut: false };
    const judged = judgeNodes({ ...place, isEveryNode: false }, []);
    const taking = judged.filter(({ keptBy }) => keptBy.length === 0);
    assert.deepEqual(
      taking.map(({ node }) => node),
      takersOf(all, job, members).sort(),
    );
    for (const { keptBy } of judged) for (const { text } of keptBy) assert.ok(text.length > 5);
    const every = judgeNodes({ ...place, isEveryNode: true }, []);
    assert.deepEqual(
      every.flatMap(({ node, keptBy }) => (keptBy.length === 0 ? [node] : [])),
      everyOf(all, job, members).sort(),
    );
  });
  fc.assert(property, runs);
});

test('levels are numbers: 2 goes before 10', () => {
  const at = (nodeName: string, level: number): NodeFacts => ({ ...plainNode, nodeName, level });
  const [two, ten] = [at('a', 2), at('b', 10)];
  const anywhere = { target: undefined, definitionFormat: 1 };
  assert.equal(mayTake(anywhere, ten, [two, ten], new Map()), false);
  assert.equal(mayTake(anywhere, two, [two, ten], new Map()), true);
});

test('every stripe is dealt once, and only to nodes that take what any node may', () => {
  const property = fc.property(nodes, (all) => {
    const sessions = all.map((each): LiveNode => ({ ...each, sessionId: each.nodeName }));
    const dealt = sessions.map(({ sessionId }) => dealStripes(sessionId, sessions));
    const anyone = takersOf(all, { target: undefined, definitionFormat: 1 }, new Map());
    let dealtUntil = 0;
    for (const { from, until } of dealt
      .filter(isSome)
      .sort((one, other) => one.from - other.from)) {
      assert.equal(from, dealtUntil);
      dealtUntil = until;
    }
    assert.equal(dealtUntil, anyone.length === 0 ? 0 : wholeLine.until);
    for (const [place, { sessionId }] of sessions.entries()) {
      assert.equal(isSome(dealt[place] ?? noShare), anyone.includes(sessionId));
    }
  });
  fc.assert(property, runs);
  assert.deepEqual(dealStripes('new', []), wholeLine, 'a session that is not listed yet');
});

test('targets that mean the same are one placement, whatever their order', () => {
  const one = placementOf({ format: 3, target: { nodes: ['b', 'a', 'b'], excludeNodes: [] } });
  const other = placementOf({ format: 3, target: { nodes: ['a', 'b'] } });
  assert.ok(one !== null && other !== null);
  assert.deepEqual(placementKey(one), placementKey(other));
  const labels = placementOf({ format: 3, target: { labels: ['a', 'b'] } });
  assert.ok(labels !== null);
  assert.notEqual(placementKey(labels).hash, placementKey(one).hash);
  assert.equal(placementOf({}), null);
  assert.equal(placementOf({ format: 2, target: {} }), null);
  assert.deepEqual(placementOf({ format: 3 }), { target: undefined, definitionFormat: 3 });
});

test('a user makes another placement, and none leaves the hash as it was', () => {
  const hashOf = (definition: Parameters<typeof placementOf>[0]) => {
    const placed = placementOf(definition);
    assert.ok(placed !== null, JSON.stringify(definition));
    return placementKey(placed).hash;
  };
  const hashes = [{}, { user: 'a' }, { user: 'b' }, { group: 'a' }, { group: 'a', user: 'a' }];
  const found = hashes.map((each) => hashOf({ format: 3, ...each }));
  assert.equal(new Set(found).size, found.length, found.join());
  const before = 'fcee8747c1f88c6ca6c3c4d5be3af247b6092c57b4c270daf764c8e6a9477126';
  assert.equal(hashOf({ format: 3, group: 'g', target: { nodes: ['b', 'a'] } }), before);
  assert.ok(placementOf({ user: 'a' }), 'whatever the format');
});

function isSome({ from, until }: Share): boolean {
  return from < until;
}
