import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { checkOf, type Differs, lastRow, whyOf } from './whyWorld.ts';

const ofBackup = { definition: { user: 'backup', format: 3 } } as const;
const nodes = (users: Readonly<Record<string, readonly string[] | null>>): Differs => ({
  ...ofBackup,
  sessions: Object.entries(users).map(([nodeName, each]) => ({ nodeName, users: each })),
});

test('which nodes allow the user of a job is said, and the others do not take it', () => {
  const why = whyOf(nodes({ a: ['backup'], b: [], c: ['root'] }));
  const { state, text } = checkOf(why, 'user');
  assert.deepEqual([state, text], ['passed', 'The user backup is allowed on a; not on b, c.']);
  const kept = why.nodes.map(({ node, keptBy }) => [node, ...keptBy.map((each) => each.text)]);
  const not = 'the user backup is not allowed there';
  assert.deepEqual(kept, [['a'], ['b', not], ['c', not]]);
  assert.equal(checkOf(why, 'nodes').text, 'a may run it.');
});

test('a user whom no live node allows is what keeps its job', () => {
  const why = whyOf(nodes({ a: [], b: ['root'] }));
  assert.deepEqual([why.state, why.because], ['cannot_run', 'nodes']);
  assert.match(
    why.text,
    /^No live node may run it.* Not on a, b: the user backup is not allowed there/,
  );
  const user = checkOf(why, 'user');
  assert.equal(user.state, 'failed');
  assert.equal(user.text, 'No live node allows the user backup: a, b.');
  for (const { hint, reason } of [user, checkOf(why, 'nodes')]) {
    assert.equal(reason, reasons.noEligibleNode);
    assert.match(hint ?? '', /^statecron node --allow-user backup \(as root/);
  }
});

test('of a job for some nodes it counts whom those allow', () => {
  const differs = nodes({ a: [], b: ['backup'] });
  const definition = { ...ofBackup.definition, target: { nodes: ['a'] } };
  const { state, text } = checkOf(whyOf({ ...differs, definition }), 'user');
  assert.equal(state, 'failed');
  assert.equal(text, 'No live node that it is for allows the user backup: a.');
});

test('an account that is not there is named, though the node allows the user', () => {
  const last = (reason: string) => ({ job: { last: { ...lastRow, result: 'failed', reason } } });
  const differs = nodes({ a: ['backup'] });
  const unknown = reasons.userUnknown('backup');
  const found = checkOf(whyOf({ ...differs, ...last(unknown) } as Differs), 'user');
  assert.deepEqual([found.state, found.reason], ['failed', unknown]);
  const before = last(reasons.userNotAllowed('backup'));
  const allowed = checkOf(whyOf({ ...differs, ...before } as Differs), 'user');
  assert.equal(allowed.state, 'passed', 'it has been started otherwise since');
});

test('while a node of an earlier release lives, whom it allows is not known', () => {
  const { state, text } = checkOf(whyOf(nodes({ a: null, b: [] })), 'user');
  assert.equal(state, 'unknown');
  assert.match(text, /^Nodes do not say which users they allow/);
});
