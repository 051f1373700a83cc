import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacedRefusals } from '../../../src/http/admission/pacedRefusals.ts';

test('hundreds that are refused together are answered one after the other', () => {
  const refusals = new PacedRefusals(() => 1_000);
  const waits = Array.from({ length: 900 }, () => refusals.take());
  assert.equal(waits.filter((waitMs) => waitMs === 0).length, 51);
  const held = waits.filter((waitMs) => waitMs > 0);
  assert.deepEqual(
    held.map((waitMs, place) => waitMs - (held[place - 1] ?? 0)),
    held.map(() => 2),
  );
});

test('a refusal that comes alone is answered at once, also soon after many', () => {
  let nowMs = 1_000;
  const refusals = new PacedRefusals(() => nowMs);
  for (let count = 0; count < 900; count += 1) refusals.take();
  assert.ok(refusals.take() > 1_000);
  nowMs += 2_000;
  assert.equal(refusals.take(), 0);
});
