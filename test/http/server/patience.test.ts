import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headMsMax, patienceMs } from '../../../src/http/server/patience.ts';

test('who came in one moment is waited for by chance, no longer than the most', () => {
  const all = Array.from({ length: 500 }, () => patienceMs(headMsMax));
  assert.ok(Math.max(...all) <= headMsMax);
  assert.ok(Math.min(...all) >= 0.8 * headMsMax);
  const spreadMs = Math.max(...all) - Math.min(...all);
  assert.ok(spreadMs > 0.15 * headMsMax, `all of them are ended within ${spreadMs} ms`);
});
