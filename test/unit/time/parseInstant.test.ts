import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatExactInstant, formatInstant } from '../../../src/cli/output/formatInstant.ts';
import { parseInstantIn, parseTimeOfDay } from '../../../src/domain/schedule/parseInstantIn.ts';
import { parseInstant } from '../../../src/domain/time/parseInstant.ts';

test('an instant is read in the form that it is printed in, too', () => {
  const instantMs = Date.UTC(2026, 10, 26, 22, 59, 1);
  for (const timezone of ['UTC', 'Europe/Berlin', 'America/St_Johns']) {
    for (const text of [
      formatInstant(instantMs, timezone),
      formatExactInstant(instantMs, timezone),
    ]) {
      assert.equal(parseInstant(`${text}`), instantMs, `${text}`);
    }
  }
  for (const text of ['2026-11-26 23:59:00', '2026-02-30 23:59:00 +00:00', '2026-11-26  23:59 Z']) {
    assert.equal(parseInstant(text), null, text);
  }
});

test('a date and a local time are what the clock of a zone shows', () => {
  const rows: [text: string, timezone: string, instantMs: number | null][] = [
    ['2026-11-26', 'Europe/Berlin', Date.UTC(2026, 10, 25, 23)],
    ['2026-11-26T09:30', 'Europe/Berlin', Date.UTC(2026, 10, 26, 8, 30)],
    ['2026-11-26 09:30:05', 'Europe/Berlin', Date.UTC(2026, 10, 26, 8, 30, 5)],
    ['2026-11-26 09:30:05 +05:00', 'Europe/Berlin', Date.UTC(2026, 10, 26, 4, 30, 5)],
    // Its clock goes from 0:00 to 1:00 on that day.
    ['2026-04-24', 'Africa/Cairo', Date.UTC(2026, 3, 23, 22)],
    ['2026-04-24T00:30', 'Africa/Cairo', Date.UTC(2026, 3, 23, 22)],
    // It shows this time twice.
    ['2026-10-25 02:30', 'Europe/Berlin', Date.UTC(2026, 9, 25, 0, 30)],
    ['2026-11-26 09:30', 'Mars/Olympus', Date.UTC(2026, 10, 26, 9, 30)],
    ['2026-02-30', 'UTC', null],
    ['2026-02-30T09:30', 'UTC', null],
    ['2026-02-20T25:30', 'UTC', null],
    ['2026-02-20T9:30', 'UTC', null],
    ['09:30', 'UTC', null],
  ];
  for (const [text, timezone, instantMs] of rows) {
    assert.equal(parseInstantIn(text, timezone), instantMs, `${text} ${timezone}`);
  }
});

test('a time of day is the next one or the last one that the clock of a zone shows', () => {
  const rows: [text: string, timezone: string, now: string, last: string, next: string][] = [
    ['20:00', 'UTC', '2026-11-27T08:00Z', '2026-11-26T20:00Z', '2026-11-27T20:00Z'],
    ['20:00', 'UTC', '2026-11-27T20:00Z', '2026-11-27T20:00Z', '2026-11-28T20:00Z'],
    ['06:00:30', 'UTC', '2026-11-27T08:00Z', '2026-11-27T06:00:30Z', '2026-11-28T06:00:30Z'],
    // The day is that of the zone, not of UTC.
    ['01:00', 'Asia/Tokyo', '2026-11-27T15:30Z', '2026-11-26T16:00Z', '2026-11-27T16:00Z'],
    ['23:00', 'America/New_York', '2026-11-28T02:00Z', '2026-11-27T04:00Z', '2026-11-28T04:00Z'],
    // The clock is set forward from 2:00 to 3:00, at 1:00 in UTC.
    ['02:30', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-28T01:30Z', '2026-03-29T01:00Z'],
    ['02:30', 'Europe/Berlin', '2026-03-29T06:00Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    // The clock is set back from 3:00 to 2:00, at 1:00 in UTC.
    ['02:30', 'Europe/Berlin', '2026-10-25T00:00Z', '2026-10-24T00:30Z', '2026-10-25T00:30Z'],
    ['02:30', 'Europe/Berlin', '2026-10-25T00:45Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z'],
    ['02:30', 'Europe/Berlin', '2026-10-25T06:00Z', '2026-10-25T01:30Z', '2026-10-26T01:30Z'],
    ['20:00', 'Mars/Olympus', '2026-11-27T08:00Z', '2026-11-26T20:00Z', '2026-11-27T20:00Z'],
  ];
  for (const [text, timezone, now, last, next] of rows) {
    const read = (which: 'last' | 'next') => parseTimeOfDay(text, timezone, which, Date.parse(now));
    assert.equal(read('last'), Date.parse(last), `the last ${text} in ${timezone} at ${now}`);
    assert.equal(read('next'), Date.parse(next), `the next ${text} in ${timezone} at ${now}`);
  }
  for (const text of ['9:30', '25:00', '09:60', '09', '09:30Z', '09:30 +01:00', '', 'noon']) {
    assert.equal(parseTimeOfDay(text, 'UTC', 'next', 0), null, text);
  }
});
