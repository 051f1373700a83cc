import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanHistory } from '../../checkers/clean/cleanHistory.ts';
import { richPlan } from '../../checkers/clean/plans.ts';
import type { Operation } from '../../checkers/history.ts';
import { draftOf } from '../../checkers/mutants/draft.ts';
import { startMutants } from '../../checkers/mutants/startMutants.ts';
import { operationsUntil } from './operationsUntil.ts';
import { addSoFar, countSoFar } from './soFar.ts';

test('violations are counted by rules, up to when it was read', () => {
  const clean = cleanHistory(richPlan);
  assert.deepEqual(countSoFar(clean), { untilMs: clean.about.readMs, broken: new Map() });
  const draft = draftOf(clean);
  startMutants.find(({ rule }) => rule === 'C3')?.breakIt(draft);
  const found = countSoFar(draft).broken.get('C3');
  assert.equal(found?.times, 1);
  assert.match(found.first, /started 2 times/);
});

test('what was broken once stays so, whatever is seen later', () => {
  const broken = new Map([['C4', { times: 2, first: 'They lived at once.' }]] as const);
  const before = addSoFar(null, { untilMs: 1, broken });
  const later = addSoFar(before, { untilMs: 2, broken: new Map() });
  assert.deepEqual(later, { untilMs: 2, broken });
  const more = new Map([['C4', { times: 3, first: 'Others, too.' }]] as const);
  const last = addSoFar(later, { untilMs: 3, broken: more });
  assert.deepEqual(last.broken.get('C4'), { times: 3, first: 'They lived at once.' });
});

test('of what was answered after the reading began nobody knows yet', () => {
  const asked = { kind: 'pause', job: 'j', detail: '', via: 'API', requestId: null } as const;
  const operation = (answeredMs: number | null): Operation => {
    return { ...asked, invokedMs: 5, answeredMs, outcome: 'ok', revision: 3, executing: 0 };
  };
  const unknown = { ...asked, invokedMs: 5, answeredMs: null, outcome: 'info', revision: null };
  assert.deepEqual(operationsUntil([operation(9), operation(11)], 10), [operation(9), unknown]);
});
