import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inZoneOf } from '../../../src/cli/connect/readTimezones.ts';
import { readEnd, readSince } from '../../../src/cli/options/readTime.ts';

/** A cluster that is not to be asked. */
const silent = {
  readDefinitions: () => Promise.reject(new Error('the zone of the job was asked for')),
};

test('a time that is the same in every zone does not ask for the zone of its job', async () => {
  assert.deepEqual(await inZoneOf(silent, 'job', readEnd('2h')), { forMs: 7_200_000 });
  assert.deepEqual(await inZoneOf(silent, 'job', readSince('7d')), { agoMs: 604_800_000 });
  const end = await inZoneOf(silent, 'job', readEnd('2090-01-31T09:30:00+01:00'));
  assert.deepEqual(end, { untilMs: Date.parse('2090-01-31T08:30:00Z') });
});

test('a zone that is known is not asked for again', async () => {
  const end = await inZoneOf(silent, 'job', readEnd('2090-01-31T09:30'), 'Asia/Tokyo');
  assert.deepEqual(end, { untilMs: Date.parse('2090-01-31T00:30:00Z') });
  await assert.rejects(inZoneOf(silent, 'job', readEnd('2090-01-31T09:30')), /was asked for/);
});
