import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zoneOf } from '../../../src/domain/schedule/zone.ts';
import { read, refuse, ticks } from './read.ts';

test('the zone is that of the text, of the job, or the default', () => {
  assert.equal(read('0 3 * * *').timezone, 'UTC');
  assert.equal(read('0 3 * * *', { defaultTimezone: 'Asia/Tokyo' }).timezone, 'Asia/Tokyo');
  assert.equal(read('TZ=Asia/Tokyo 0 3 * * *', { defaultTimezone: 'UTC' }).timezone, 'Asia/Tokyo');
  assert.equal(read('CRON_TZ=Asia/Tokyo  @daily').timezone, 'Asia/Tokyo');
  assert.equal(read('0 3 * * *', { timezone: 'europe/london' }).timezone, 'Europe/London');
});

test('a zone in the text must be that of the job, links included', () => {
  read('CRON_TZ=Europe/London 0 3 * * *', { timezone: 'Europe/London' });
  read('CRON_TZ=Asia/Calcutta 0 3 * * *', { timezone: 'Asia/Kolkata' });
  assert.match(
    refuse('CRON_TZ=Europe/London 0 3 * * *', { timezone: 'Europe/Paris' }).error,
    /the schedule says TZ=Europe\/London, the job's own zone is Europe\/Paris/,
  );
});

test('abbreviations, offsets and paths are no zones', () => {
  const names = ['CST', 'EST', 'PST8PDT', 'Local', 'UTC+8', 'GMT+8', '+08:00', 'Nowhere/City', ''];
  for (const name of [...names, '../../etc/passwd', 'Etc/Unknown/', 'a'.repeat(300), '__proto__']) {
    refuse('0 0 * * *', { timezone: name });
  }
  for (const name of ['CST', 'Local', 'UTC+8', '', 'constructor', 'A'.repeat(400)]) {
    refuse(`CRON_TZ=${name} 0 0 * * *`);
  }
  assert.match(refuse('0 0 * * *', { timezone: 'UTC+8' }).error, /Etc\/GMT-8/);
  for (const name of ['US/Eastern', 'Etc/GMT+12', 'America/Argentina/San_Luis', 'utc']) {
    read('0 0 * * *', { timezone: name });
  }
});

test("TZ=EST at the head of an old crontab's line is five hours west, with a warning", () => {
  const schedule = read('TZ=EST 0 12 * * *');
  assert.match(schedule.warnings.join(), /America\/New_York may be meant/);
  assert.deepEqual(ticks(schedule, '2026-07-01T00:00:00Z', 1), ['2026-07-01T17:00:00Z']);
});

test('a zone stands once, first, with a blank after it', () => {
  const texts = [
    ' CRON_TZ=UTC 0 0 * * *',
    'CRON_TZ=UTC\t0 0 * * *',
    'TZ=UTC TZ=UTC 0 0 * * *',
    'TZ=',
  ];
  for (const text of texts) assert.equal(refuse(text).field, 'prefix', text);
});

test('the spans of a zone join without a seam and hold the offset that Intl says', () => {
  const names = [
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Pacific/Apia',
    'America/Boa_Vista',
    'Africa/Monrovia',
    'Africa/Casablanca',
    'Antarctica/Troll',
    'Asia/Kathmandu',
  ];
  const from = Date.UTC(1970, 0, 1) / 1000;
  const until = Date.UTC(2040, 0, 1) / 1000;
  for (const name of names) {
    const zone = zoneOf(name);
    for (let span = zone.spanAt(from); span.start < until; ) {
      const next = zone.spanAt(span.end);
      assert.equal(next.start, span.end, name);
      assert.equal(next.offset, span.offsetAfter, name);
      assert.equal(next.offsetBefore, span.offset, name);
      for (const second of [span.start, span.end - 1]) {
        assert.equal(span.offset, offsetByParts(name, second), `${name} ${second}`);
      }
      span = next;
    }
  }
});

test('changes that are a week apart are both found', () => {
  const zone = zoneOf('America/Boa_Vista');
  const offsets = ['2000-10-01', '2000-10-10', '2000-10-20'].map(
    (day) => zone.spanAt(Date.parse(`${day}T12:00:00Z`) / 1000).offset / 3600,
  );
  assert.deepEqual(offsets, [-4, -3, -4]);
});

/** The offset by the parts that Intl prints, a way that the code under test does not go. */
function offsetByParts(name: string, second: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(
    format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second: seconds = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, seconds) / 1000 - second;
}
