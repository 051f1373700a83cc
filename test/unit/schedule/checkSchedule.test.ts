import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { whyNotUnderstood } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { checkSchedule } from '../../../src/domain/schedule/read/checkSchedule.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import type { ScheduleFields } from '../../../src/domain/schedule/schedule.ts';
import { isQuick } from '../../support/isQuick.ts';

const nowMs = Date.parse('2026-08-15T10:20:30Z');

function check(schedule: string, more: Partial<ScheduleFields> = {}) {
  return checkSchedule(schedule, { timezone: 'Europe/Berlin', jobName: 'job', ...more }, nowMs);
}

/** The field at fault and the message. */
function refused(schedule: string, more: Partial<ScheduleFields>): string {
  const reading = check(schedule, more);
  if (!('error' in reading)) assert.fail(`accepted: ${schedule} ${JSON.stringify(more)}`);
  return `${reading.field}: ${reading.error}`;
}

/** Values that types do not let through, as another version may have written them. */
const foreign = (more: object): Partial<ScheduleFields> => more;

test('a fault names the field, the text and what is allowed', () => {
  const faults: [Partial<ScheduleFields>, RegExp][] = [
    [{ moreSchedules: ['61 * * * *'] }, /^moreSchedules: "61 \* \* \* \*": minute: .* 0-59/],
    [{ moreSchedules: ['@manual'] }, /^moreSchedules: @manual stands alone/],
    [{ moreSchedules: Array(20).fill('@daily') }, /^moreSchedules: .*at most 20/],
    [{ moreSchedules: ['CRON_TZ=Asia/Tokyo 0 0 * * *'] }, /^moreSchedules: .*Asia.Tokyo.*Berlin/],
    [{ exclude: ['2026-13-01'] }, /^exclude: "2026-13-01" is no date; allowed: a date 2026-12-25/],
    [{ exclude: ['2026-12-31..2026-12-24'] }, /^exclude: .*reversed/],
    [{ exclude: ['CAT'] }, /^exclude: "CAT": day of week: .*SUN-SAT/],
    [{ exclude: ['@every 5m'] }, /^exclude: "@every 5m" is no calendar/],
    [{ exclude: ['0 25 * * *'] }, /^exclude: "0 25 \* \* \*": hour: "25".*0-23/],
    [{ exclude: Array(101).fill('SAT') }, /^exclude: .*at most 100/],
    [{ notBefore: '2026-13-24' }, /^notBefore: .*2030-01-31T09:30:00Z/],
    [{ notAfter: '2026-02-30T00:00:00Z' }, /^notAfter: .*is no instant/],
    [
      { notBefore: '2026-12-24T00:00:00Z', notAfter: '2026-12-23T00:00:00Z' },
      /^notAfter: .*is before/,
    ],
    [foreign({ dialect: 'vixie' }), /^dialect: "vixie" .*quartz/],
    [foreign({ gap: 'jump' }), /^gap: .*skip, shift/],
    [foreign({ fold: 3 }), /^fold: 3 .*first, second, both/],
    [foreign({ exclude: 'SAT' }), /^exclude: allowed: texts/],
    [foreign({ moreSchedules: [5] }), /^moreSchedules: allowed: texts/],
    [{ timezone: 'Mars/Olympus' }, /^timezone: "Mars/],
  ];
  for (const [more, message] of faults) {
    assert.match(refused('0 9 * * *', more), message);
    const definition = { ...jobDefaults, name: 'job', schedule: '0 9 * * *', command: 'true' };
    assert.match(whyNotUnderstood({ ...definition, format: 3, ...more }) ?? '', /cannot be read/);
  }
});

test('what together never comes is refused with what leaves nothing', () => {
  const faults: [string, Partial<ScheduleFields>, RegExp][] = [
    ['0 9 * * SAT', { exclude: ['SAT,SUN'] }, /^exclude: every time is excluded/],
    ['30 2 * * *', { exclude: ['30 2 * * *'] }, /^exclude/],
    ['*/10 * * * * *', { exclude: ['* * * * *'] }, /^exclude/],
    ['@every 14s', { exclude: ['*/2 * * * * *', '1-59/2 * * * * *'] }, /^exclude/],
    ['@daily', { exclude: ['2026-01-01..2099-12-31'] }, /^exclude/],
    ['0 0 1 1 *', { notAfter: '2026-12-31T00:00:00Z' }, /^notAfter: the window/],
    ['0 0 0 1 1 ? 2027', { notBefore: '2027-02-01T00:00:00Z' }, /^notBefore: the window/],
    ['@at 2026-08-01T00:00:00Z,2025-01-01T00:00:00Z', {}, /^schedule: .*in the past/],
    ['0 0 30 2 *', {}, /^schedule: .*names no time/],
    ['@daily', { moreSchedules: ['0 0 30 2 *'] }, /^moreSchedules: .*names no time/],
  ];
  for (const [schedule, more, message] of faults) assert.match(refused(schedule, more), message);
  assert.deepEqual(check('*/10 * * * * *', { exclude: ['0 * * * * *'] }), {
    timezone: 'Europe/Berlin',
    warnings: [],
  });
});

test('a window that is over is finished, a schedule of several is when all of them are', () => {
  const over = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-02-01T00:00:00Z' };
  const warningsOf = (schedule: string, more: Partial<ScheduleFields>) => {
    const reading = check(schedule, more);
    return 'error' in reading ? assert.fail(reading.error) : reading.warnings.join();
  };
  assert.match(warningsOf('@daily', over), /finished/);
  assert.match(
    warningsOf('0 0 0 1 1 ? 2020', { moreSchedules: ['@at 2020-01-01'.concat('T00:00:00Z')] }),
    /finished/,
  );
  assert.equal(warningsOf('@daily', { moreSchedules: ['@hourly'] }), '');
});

test('the zone is the one asked for, else that of the first text, for all of them', () => {
  const text = 'CRON_TZ=Asia/Tokyo 0 9 * * *';
  const reading = check(text, {
    ...foreign({ timezone: undefined }),
    moreSchedules: ['0 8 * * *'],
  });
  assert.ok(!('error' in reading) && reading.timezone === 'Asia/Tokyo');
});

test('whatever is written is answered or refused within 20 ms', () => {
  const parts = fc.constantFrom(
    ...['*', '?', '*/5', '0', '7', '59', 'L', 'LW', '15W', 'L-3', '5L', '5#5', 'H', 'MON', 'SUN-7'],
    ...['1-5/2', '2099', ',', '', '5-1', '@every', '7s', '90m', '2026-12-25', '..', 'SAT,SUN', '%'],
  );
  const field = fc.array(parts, { minLength: 1, maxLength: 3 }).map((each) => each.join(','));
  const text = fc.oneof(
    fc.array(field, { minLength: 1, maxLength: 7 }).map((each) => each.join(' ')),
    fc.constantFrom('* * * * *', '* * * * * *', '@every 7s', '@every 1s', '0 0 * 2 1#5', '@daily'),
    fc.constantFrom('*/2 * * * * *', '1-59/2 * * * * *', '* 0-11 * * *', '* 12-23 * * *', 'SAT'),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(','.repeat(10_000), '9'.repeat(10_000), '日'.repeat(5_000), '0 0 30 2 *'),
  );
  const fields = fc.record({
    schedule: text,
    moreSchedules: fc.array(text, { maxLength: 3 }),
    exclude: fc.array(text, { maxLength: 4 }),
    notAfter: fc.option(fc.oneof(text, fc.constant('2030-01-01T00:00:00Z')), { nil: undefined }),
  });
  fc.assert(
    fc.property(fields, ({ schedule, notAfter, ...rest }) => {
      const more = { ...rest, ...(notAfter === undefined ? {} : { notAfter }) };
      const answer = () => {
        const reading = check(schedule, more);
        if ('error' in reading) return assert.ok(reading.error.length > 5);
        const set = { name: 'job', schedule, timezone: reading.timezone, ...more };
        ticksOfRevision(set, nowMs).next(nowMs);
      };
      answer();
      assert.ok(isQuick(20, answer), 'in 20 ms');
    }),
    { numRuns: 600 },
  );
});

test('a hundred exclusions that leave nothing are seen through in no more', () => {
  const exclude = Array.from({ length: 98 }, (_, index) => {
    const days = [1, 2, 3].map((more) => 1 + ((index * 7 + more * 11) % 31)).join();
    return `* ${index % 2 === 0 ? '0-11' : '12-23'} ${days} ${1 + (index % 12)} ${index % 7}`;
  });
  const all = [...exclude, '* 0-11 * * *', '* 12-23 * * *'];
  assert.match(refused('* * * * * *', { exclude: all }), /^exclude: every time/);
  assert.ok(isQuick(20, () => check('* * * * * *', { exclude: all })));
  const kinds = Array.from({ length: 60 }, (_, second) => `${second} * * * * *`);
  assert.match(
    refused('* * * * * *', { exclude: kinds.slice(0, 59) }),
    /^exclude: .*kinds of seconds/,
  );
});
