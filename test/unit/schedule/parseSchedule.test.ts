import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScheduleSet } from '../../../src/domain/schedule/read/readScheduleSet.ts';
import { read, refuse, ticks } from './read.ts';

/** Canonical fields by themselves. */
const canonical = (text: string, options = {}): string => read(text, options).canonical;

test('five fields start at second 0, six begin with seconds, seven end with the year', () => {
  assert.equal(canonical('1 2 3 4 5'), '0 1 2 3 4 5');
  assert.equal(canonical('9 1 2 3 4 5'), '9 1 2 3 4 5');
  assert.equal(canonical('9 1 2 3 4 5 2030'), '9 1 2 3 4 5 2030');
  for (const text of ['', ' ', '* * * *', '* * * * * * * *', '*']) refuse(text);
});

test('a year in the sixth of six fields is refused with the spelling in seven', () => {
  assert.match(refuse('0 0 1 1 * 2030').error, /"0 0 0 1 1 \* 2030"/);
  assert.match(refuse('0 0 1 1 * 2030-2035').error, /7/);
});

test('an interval in words is refused with the descriptor of it', () => {
  assert.match(refuse('every 5 minutes').error, /; for this write @every 5m$/);
  assert.match(refuse('every hour').error, /; for this write @every 1h$/);
  assert.doesNotMatch(refuse('every 5 days').error, /for this/);
});

test('stars of any spelling are one star, and one star makes the field', () => {
  for (const field of ['*', '?', '*/1', '?/1', '*/01', '5,*', '?,7', '*/1,3']) {
    assert.equal(canonical(`${field} ${field} ${field} ${field} ${field}`), '0 * * * * *');
  }
});

test('weekdays: 0 and 7 are Sunday, ranges may end in it, a start runs to Saturday', () => {
  const days = (field: string, dialect: 'unix' | 'quartz' = 'unix') =>
    ticks(read(`0 0 * * ${field}`, { dialect }), '2026-08-01T23:59:59Z', 7)
      .map((tick) => new Date(tick).getUTCDay())
      .join('');
  const expected: [string, string, string][] = [
    ['7', '0000000', ''],
    ['5-7', '0560560', '560560'],
    ['5-0', '0560560', ''],
    ['FRI-SUN', '0560560', ''],
    ['friday-sunday', '0560560', ''],
    ['1/2', '1351351', ''],
    ['7/2', '0246024', ''],
    ['SUN/3', '0360360', ''],
    ['1-7/2', '0135013', ''],
    ['0-7', '0123456', ''],
    ['*/7', '0000000', ''],
  ];
  for (const [field, unix] of expected) assert.equal(days(field), unix, field);
  assert.equal(days('1', 'quartz'), '0000000');
  assert.equal(days('2-6', 'quartz'), '1234512');
  assert.equal(days('6-1', 'quartz'), '0560560');
  assert.equal(days('MON/2', 'quartz'), '1351351');
  assert.equal(days('L', 'quartz'), '6666666');
  refuse('0 0 * * 0', { dialect: 'quartz' });
  refuse('0 0 * * 8', { dialect: 'quartz' });
  refuse('0 0 * * 1,L', { dialect: 'quartz' });
  for (const field of ['8', '5-1', '7-3', 'SAT-MON', 'L', '1-5L', '1-3#2', '5#0', '5#6', '5#']) {
    refuse(`0 0 * * ${field}`);
  }
});

test('descriptors keep Sunday at 0 in the dialect of Quartz', () => {
  assert.equal(canonical('@weekly', { dialect: 'quartz' }), '0 0 0 * * 0');
});

test('steps go from 1 to the maximum of the field', () => {
  for (const field of [
    '*/60',
    '0/60',
    '*/0',
    '*/00',
    '*/100',
    '1-5/60',
    '5/',
    '/5',
    '*/+5',
    '*/5/2',
  ]) {
    refuse(`${field} * * * *`);
  }
  refuse('* */24 * * *');
  refuse('* * */33 * *');
  refuse('* * * */13 *');
  refuse('* * * * */8');
  refuse('0 0 0 1 1 * */100');
  assert.equal(canonical('*/59 */23 */31 */12 */7'), '0 */59 */23 */31 */12 */7');
});

test('names are three letters or the whole word, in any case, anywhere a number may stand', () => {
  assert.equal(canonical('0 0 1 jan,FEBRUARY,Mar-May/2 *'), '0 0 0 1 1,2,3-5/2 *');
  assert.equal(canonical('0 0 * * monL,Tuesday#2,wed'), '0 0 0 * * 1L,2#2,3');
  for (const field of ['JA', 'JANU', 'JANFEB', '1JAN', 'MON']) refuse(`0 0 1 ${field} *`);
  refuse('0 0 * * JAN');
  refuse('0 0 * * ſun');
});

test('numbers have one or two ASCII digits, years four', () => {
  for (const field of ['000', '1e1', '+5', '-1', '0x5', '５', '5.', '1~5'])
    refuse(`${field} * * * *`);
  for (const year of ['30', '20300', '1969', '2100', 'H']) {
    refuse(`0 0 0 1 1 * ${year}`, { jobName: 'a' });
  }
});

test('H is a fixed number of the job name, spread over the field', () => {
  const minute = (jobName: string) => canonical('H * * * *', { jobName }).split(' ')[1];
  assert.equal(minute('backup'), minute('backup'));
  const minutes = new Set(Array.from({ length: 600 }, (_, index) => minute(`job-${index}`)));
  assert.equal(minutes.size, 60);
  // Nodes of two versions must agree: the numbers may never change.
  assert.equal(canonical('H H H H H H', { jobName: 'backup' }), '56 20 4 10 9 2');
  for (let index = 0; index < 50; index += 1) {
    const jobName = `job-${index}`;
    assert.match(canonical('H/15 * * * *', { jobName }), /^0 (\d|1[0-4])-59\/15 \* \* \* \*$/);
    assert.match(canonical('* H(2-4) * * *', { jobName }), /^0 \* [2-4] \* \* \*$/);
    assert.match(canonical('H(0-29)/10 * * * *', { jobName }), /^0 \d-29\/10 /);
    assert.ok(Number(canonical('0 0 H * *', { jobName }).split(' ')[3]) <= 28);
  }
  assert.match(refuse('H * * * *').error, /name/);
  refuse('H(5-2) * * * *', { jobName: 'a' });
  refuse('H(0-60) * * * *', { jobName: 'a' });
});

test('a refusal quotes what was typed', () => {
  assert.match(refuse('0 0 * * foo').error, /^day of week: "foo" is not a value;/);
  assert.match(refuse('0 0 * * mon,Foo').error, /^day of week "mon,Foo": "Foo" is not a value;/);
  assert.match(refuse('0 0 * jan-foo/2 *').error, /^month: "foo" is not a value;/);
});

test('what never comes is refused', () => {
  const never = ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 30W 2 *', '0 0 0 29 2 ? 2097-2099'];
  for (const text of never) {
    assert.ok(refuse(text).error.startsWith(`fields: "${text}" names no time`), 'as it was typed');
  }
  read('0 0 * 2 1#5');
  read('0 0 31 2 1#5');
  read('0 0 30 2 MON');
  // Every second Sunday of March at 2 o'clock the clock of New York jumps over these.
  refuse('*/30 2 * 3 0#2', { timezone: 'America/New_York' });
  read('*/30 2 * 3 0#2', { timezone: 'America/New_York', gap: 'shift' });
});

test('on save 50 years count from now, and a schedule of the past is finished', () => {
  const nowMs = Date.parse('2026-08-15T10:20:30Z');
  refuse('0 0 0 1 1 ? 2090', { nowMs });
  read('0 0 0 1 1 ? 2090');
  read('0 0 0 1 1 ? 2070', { nowMs });
  assert.match(read('0 0 0 1 1 ? 2001', { nowMs }).warnings.join(), /finished/);
  assert.match(read('@at 2001-01-01T00:00:00Z', { nowMs }).warnings.join(), /finished/);
  assert.deepEqual(read('@at 2030-01-01T00:00:00Z', { nowMs }).warnings, []);
});

test('a step of a day field beside the other day field is accepted with a warning', () => {
  assert.equal(read('0 0 */2 * MON').warnings.length, 1);
  assert.equal(read('0 0 1 * */2').warnings.length, 1);
  assert.equal(read('0 0 */32 * WED').warnings.length, 1);
  assert.equal(read('0 0 1-31 * MON').warnings.length, 1);
  for (const text of ['0 0 */2 * *', '0 0 1,15 * MON', '0 0 ? * MON', '*/2 */3 * * 1-5']) {
    assert.deepEqual(read(text).warnings, []);
  }
});

test('an error names its field, its item and what is allowed', () => {
  const fault = refuse('0 0 * 13 *');
  assert.equal(fault.field, 'month');
  assert.equal(fault.item, '13');
  assert.equal(
    fault.error,
    'month: "13" is out of range 1-12; allowed: 1-12 (JAN-DEC), *, ?, ranges a-b, steps /n, H',
  );
  assert.match(refuse('0 0 1,40 * *').error, /^day of month "1,40": "40" is out of range 1-31;/);
  assert.match(refuse('5L * * * *').error, /belongs to the day fields/);
  assert.match(refuse('0 0\u00a0* * *').error, /U\+00A0 at position 4/);
});

test('of several fields that are wrong each is named', () => {
  const { error, field } = refuse('61 25 * * *');
  assert.match(error, /^minute: "61" .*; hour: "25" /);
  assert.equal(field, 'minute');
});

test('at most 512 characters are read', () => {
  const commas = `${'1,'.repeat(251)}1 * * * *`;
  assert.equal(commas.length, 511);
  read(commas);
  refuse(`${' '.repeat(2)}${commas}`);
});

test('a name, a schedule or a zone of another version that is no text is refused in words', () => {
  const good = { name: 'a', schedule: 'H 0 * * *', timezone: 'UTC' };
  assert.ok(!('error' in readScheduleSet(good)));
  for (const field of ['name', 'schedule', 'timezone'] as const) {
    for (const value of [null, 5, {}, ['0 0 * * *']]) {
      const set = readScheduleSet({ ...good, [field]: value });
      assert.ok('error' in set && set.field === field && set.error.startsWith(field));
    }
  }
});
