import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeSchedules } from '../../../src/domain/schedule/describeSchedules.ts';
import { readScheduleSet } from '../../../src/domain/schedule/read/readScheduleSet.ts';

const rows: [text: string, sentence: string | null][] = [
  ['* * * * *', 'Every minute (UTC)'],
  ['CRON_TZ=Asia/Tokyo 0 9 * * MON-FRI', 'At 09:00, Monday through Friday (Asia/Tokyo)'],
  ['*/15 9-17 * * *', 'Every 15 minutes, between 09:00 and 17:59 (UTC)'],
  ['*/40 * * * *', 'At 0 and 40 minutes past the hour (UTC)'],
  ['5-59/20 * * * *', 'At 5, 25, and 45 minutes past the hour (UTC)'],
  ['0 */5 * * *', 'At 00:00, 05:00, 10:00, 15:00 and 20:00 (UTC)'],
  ['30 */2 * * *', 'At 30 minutes past the hour, every 2 hours (UTC)'],
  ['0 0 * * */2', 'At 00:00, only on Sunday, Tuesday, Thursday, and Saturday (UTC)'],
  ['0 0 13 * FRI', 'At 00:00, on day 13 of the month, or on Friday (UTC)'],
  ['0 0 L * ?', 'At 00:00, on the last day of the month (UTC)'],
  ['0 0 ? * 2#1', 'At 00:00, on the first Tuesday of the month (UTC)'],
  ['H H * * *', 'At 14:53 (UTC)'],
  ['@weekly', 'At 00:00, only on Sunday (UTC)'],
  ['@every 90s', 'Every 1m30s'],
  ['@manual', 'Only when a run is requested'],
  ['@at 2030-01-01T00:00:00Z', 'Once, at 2030-01-01T00:00:00Z'],
  ['@at 2030-01-01T00:00Z,2031-01-01T00:00Z', 'At 2030-01-01T00:00:00Z and 1 more times'],
  // No sentence is known to be true of these.
  ['0 0 */2 * *', null],
  ['*/15 9,14 * * *', null],
  ['0 0 1,L * *', null],
  ['0 0 1-2 1-2 1-2', null],
];

const read = (fields: object) =>
  readScheduleSet({ name: 'nightly', schedule: '', timezone: undefined, ...fields });

for (const [text, sentence] of rows) {
  test(`${text} in a sentence`, () => {
    const set = read({ schedule: text });
    assert.ok(!('error' in set), JSON.stringify(set));
    assert.equal(describeSchedules(set), sentence);
  });
}

test('weekdays of the other dialect, and several schedules', () => {
  const set = read({ schedule: '0 0 ? * 2', moreSchedules: ['0 12 1 * *'], dialect: 'quartz' });
  assert.ok(!('error' in set), JSON.stringify(set));
  const expected = 'At 00:00, only on Monday; and: At 12:00, on day 1 of the month (UTC)';
  assert.equal(describeSchedules(set), expected);
});

test('every schedule that others have been seen to write has a sentence or null', () => {
  const file = new URL('oracle.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  let described = 0;
  const texts = new Set(lines.map((line) => (JSON.parse(line) as string[])[1] ?? ''));
  for (const schedule of texts) {
    const set = read({ schedule });
    if ('error' in set) continue;
    const sentence = describeSchedules(set);
    if (sentence === null) continue;
    described += 1;
    assert.doesNotMatch(sentence, /undefined|NaN|null|error/i, schedule);
  }
  assert.ok(described > texts.size / 2, `${described} of ${texts.size}`);
});
