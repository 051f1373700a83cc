import assert from 'node:assert/strict';
import test from 'node:test';
import type { NodeActivity } from '../../../src/domain/commit/nodeActivity.ts';
import { countsByVersion } from '../../../src/http/views/countsByVersion.ts';

const arrow = { machine: 'slot', from: 'slot.a', event: 'next', guard: null } as const;

function activityWith(to: string, count: number): NodeActivity {
  const guards = [{ machine: 'slot', guard: 'may', allowed: count, refused: 0 }];
  return { actors: [], slots: { a: count }, transitions: [{ ...arrow, to, count }], guards };
}

test('counts of sessions are added up for each version, the first one first', () => {
  const counts = countsByVersion([
    { version: '0.7.0', activity: activityWith('slot.c', 1) },
    { version: '0.6.0', activity: activityWith('slot.b', 20) },
    { version: '0.7.0', activity: activityWith('slot.c', 2) },
    { version: '0.7.0', activity: null },
    { version: '0.5.0', activity: null },
  ]);
  const [newer, older, silent] = counts;
  assert.deepEqual(newer, {
    version: '0.7.0',
    slotActors: { a: 3 },
    transitions: [{ ...arrow, to: 'slot.c', count: 3 }],
    guards: [{ machine: 'slot', guard: 'may', allowed: 3, refused: 0 }],
  });
  assert.deepEqual(older?.transitions, [{ ...arrow, to: 'slot.b', count: 20 }]);
  const nothing = { slotActors: {}, transitions: [], guards: [] };
  assert.deepEqual(silent, { version: '0.5.0', ...nothing });
  assert.equal(counts.length, 3);
});

test('counts of one version alone are not divided', () => {
  const session = { version: '0.7.0', activity: activityWith('slot.b', 1) };
  assert.deepEqual(countsByVersion([session, session]), []);
  assert.deepEqual(countsByVersion([]), []);
});
