import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultRecord } from '../history.ts';
import type { Rule } from '../violation.ts';
import { familyOf } from './faultFamilies.ts';
import { type Concern, rankFaults } from './rankFaults.ts';

const boundMs = 10_000;

function fault(kind: string, target: string, fromMs: number, untilMs: number): FaultRecord {
  return { kind, target, fromMs, untilMs, stops: 'node', detail: '' };
}

/** Two launches of a slot on nodes a and b, from 20 to 30 s. */
function concern(rule: Rule, changes: Partial<Concern> = {}): Concern {
  const sessionEnds = [{ node: 'a', atMs: 26_000 }];
  return { rule, nodes: ['a', 'b'], sessionEnds, fromMs: 20_000, untilMs: 30_000, ...changes };
}

function likeliest(faults: readonly FaultRecord[], about: Concern): string | undefined {
  const [first] = rankFaults(faults, about, boundMs);
  return first && `${first.fault.kind} on ${first.fault.target}`;
}

test('of faults of one kind the one on a node concerned mattered', () => {
  const faults = [
    fault('node killed', 'c', 22_000, 24_000),
    fault('node killed', 'a', 22_000, 24_000),
    fault('node killed', 'd', 22_000, 24_000),
  ];
  const about = concern('C4', { sessionEnds: [] });
  assert.equal(likeliest(faults, about), 'node killed on a');
});

test('of faults on one node the one of a kind that can break the rule mattered', () => {
  const faults = [
    fault('spool disk full', 'b', 21_000, 29_000),
    fault('node frozen past its TTL', 'b', 22_000, 24_000),
  ];
  assert.equal(likeliest(faults, concern('C4')), 'node frozen past its TTL on b');
  assert.equal(likeliest(faults, concern('C6')), 'spool disk full on b');
});

test('a fault that began after the promise was broken did not matter', () => {
  const faults = [fault('node killed', 'a', 30_001, 33_000)];
  assert.equal(likeliest(faults, concern('C4')), undefined);
});

test('a fault that ended before matters as long as recovery from it takes, and less', () => {
  const ended = fault('node killed', 'a', 12_000, 15_000);
  assert.equal(likeliest([ended], concern('C1')), 'node killed on a');
  assert.equal(likeliest([fault('node killed', 'a', 1_000, 9_999)], concern('C1')), undefined);
  const lasting = fault('launcher killed', 'a', 21_000, 22_000);
  const about = concern('C1', { sessionEnds: [] });
  assert.equal(likeliest([ended, lasting], about), 'launcher killed on a');
});

test('a fault after which a session of its node ended goes before one that left it alone', () => {
  const faults = [
    fault('node frozen past its TTL', 'b', 21_000, 29_000),
    fault('node frozen past its TTL', 'a', 21_000, 29_000),
  ];
  assert.equal(likeliest(faults, concern('C5')), 'node frozen past its TTL on a');
  const [first] = rankFaults(faults, concern('C5'), boundMs);
  assert.match(first?.why ?? '', /on node a, and a session of node a was ended 5 s after it began/);
});

test('a session that ended after the promise was broken speaks for no fault', () => {
  const sessionEnds = [30_500, 28_000, 29_000].map((atMs) => ({ node: 'a', atMs }));
  const [first] = rankFaults(
    [fault('node killed', 'a', 21_000, 29_500)],
    concern('C3', { sessionEnds }),
    boundMs,
  );
  assert.match(first?.why ?? '', /was ended 7 s after it began/);
  const late = concern('C3', { sessionEnds: sessionEnds.slice(0, 1) });
  const [alone] = rankFaults([fault('node killed', 'a', 21_000, 29_500)], late, boundMs);
  assert.doesNotMatch(alone?.why ?? '', /was ended/);
});

test('a fault that cannot break the rule is listed last, and said to be of no account', () => {
  const faults = [
    fault('spool disk full', 'a', 21_000, 22_000),
    { ...fault('database frozen', 'database', 1_000, 15_000), stops: 'everything' as const },
  ];
  const ranked = rankFaults(faults, concern('C4'), boundMs);
  assert.deepEqual(
    ranked.map(({ fault: { kind }, score }) => [kind, score > 0]),
    [
      ['database frozen', true],
      ['spool disk full', false],
    ],
  );
  assert.match(ranked[0]?.why ?? '', /^It had ended 5 s before, at most, for all nodes\. Such a/);
  assert.match(ranked[1]?.why ?? '', /not known to lead to a breach of C4\.$/);
});

test('a kind is told by its most telling word', () => {
  const kinds = {
    'node clock skewed': 'clock',
    'database clock stepped': 'clock',
    'API network slow': 'operation',
    'reply lost at an operation of an API': 'operation',
    'commit delayed at a batch': 'unknown outcome',
    'half-open at a join': 'lease',
    'connections killed by the server': 'network',
    'member that takes writes killed': 'database',
    'guardian and node frozen past their TTL': 'freeze',
    'guardian, node and launcher killed': 'death',
  };
  for (const [kind, family] of Object.entries(kinds)) assert.equal(familyOf(kind), family, kind);
});
