import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatAway,
  formatExactInstant,
  formatInstant,
  withLocalInstants,
} from '../../../src/cli/output/formatInstant.ts';
import { isoInZone } from '../../../src/domain/schedule/placeInZone.ts';

const instant = '2030-01-31T08:30:00.250Z';

test('an instant is shown in a zone with its offset, and in UTC where the zone is unknown', () => {
  assert.equal(formatInstant(instant, 'Europe/Berlin'), '2030-01-31 09:30:00 +01:00');
  assert.equal(
    formatInstant('2030-07-01T08:30:00Z', 'Europe/Berlin'),
    '2030-07-01 10:30:00 +02:00',
  );
  assert.equal(formatInstant(instant, 'America/St_Johns'), '2030-01-31 05:00:00 -03:30');
  assert.equal(formatInstant(instant, 'Mars/Olympus'), '2030-01-31 08:30:00 +00:00');
  assert.equal(formatInstant(null, 'UTC'), '-');
  assert.equal(formatExactInstant(instant, 'Asia/Kolkata'), '2030-01-31 14:00:00.250 +05:30');
  assert.equal(isoInZone(instant, 'Asia/Kolkata'), '2030-01-31T14:00:00+05:30');
  const text = withLocalInstants(`from ${instant} on`, 'Asia/Tokyo');
  assert.equal(text, 'from 2030-01-31 17:30:00 +09:00 on');
  const exact = withLocalInstants(`${instant} 2030-01-31T08:30:00Z`, 'Asia/Tokyo', 'exact');
  assert.equal(exact, '2030-01-31 17:30:00.250 +09:00 2030-01-31 17:30:00 +09:00');
});

test('how far away an instant is stands in one unit', () => {
  const away = (seconds: number): string => formatAway(seconds * 1000, 0);
  const texts = [-0.4, 0.4, 1, -59, 100, -3_599, 7_200, -172_800].map(away);
  assert.deepEqual(texts, [
    'just now',
    'in 1 s',
    'in 1 s',
    '59 s ago',
    'in 2 min',
    '1 h ago',
    'in 2 h',
    '2 days ago',
  ]);
});
