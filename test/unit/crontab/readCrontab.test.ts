import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CrontabJob,
  type CrontabLine,
  readCrontab,
} from '../../../src/domain/crontab/readCrontab.ts';

const read = (text: string, format: 'user' | 'system' = 'user'): CrontabLine['reading'][] =>
  readCrontab(text, format).map(({ reading }) => reading);

function jobs(text: string, format: 'user' | 'system' = 'user'): CrontabJob[] {
  return read(text, format).flatMap((reading) => (reading.kind === 'job' ? [reading.job] : []));
}

function onlyJob(text: string, format: 'user' | 'system' = 'user'): CrontabJob {
  const [job, ...others] = jobs(text, format);
  assert.ok(job !== undefined && others.length === 0, `one job in ${JSON.stringify(text)}`);
  return job;
}

const faultOf = (reading: CrontabLine['reading'] | undefined): string =>
  reading?.kind === 'fault' ? reading.message : `no fault but ${reading?.kind}`;

test('five fields and the rest of the line are a job, a # in it included', () => {
  const job = onlyJob('  */5\t9-17 * * mon-fri   echo hello # world\n');
  assert.equal(job.schedule, '*/5 9-17 * * mon-fri');
  assert.equal(job.command, 'echo hello # world');
  assert.equal(job.stdin, null);
  assert.equal(job.user, null);
});

test('every macro of cron is read, and an unknown one is left to the schedule reader', () => {
  for (const macro of ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight']) {
    assert.equal(onlyJob(`${macro} true`).schedule, macro);
  }
  assert.equal(onlyJob('@hourly\ttrue').schedule, '@hourly');
  assert.equal(onlyJob('@reboot true').schedule, '@reboot');
  assert.equal(onlyJob('@every_minute true').schedule, '@minutely');
  assert.equal(onlyJob('@every 5m true').schedule, '@every 5m');
});

test('variables hold for the lines below them only, quotes are taken off as cron does', () => {
  const text = [
    '* * * * * a',
    'A = x y  ',
    `B='  kept  '`,
    '"C" = "it\'s"',
    '* * * * * b',
    'A=2',
    'D=',
    '* * * * * c',
  ];
  const [first, second, third] = jobs(text.join('\n'));
  assert.deepEqual(first?.env, {});
  assert.deepEqual(second?.env, { A: 'x y', B: '  kept  ', C: "it's" });
  assert.deepEqual(third?.env, { A: '2', B: '  kept  ', C: "it's", D: '' });
});

test('nothing is expanded in a variable', () => {
  const job = onlyJob('PATH=$HOME/bin:/usr/bin\n* * * * * true');
  assert.equal(job.env.PATH, '$HOME/bin:/usr/bin');
});

test('a variable whose quote does not close is a fault, and the next line is still read', () => {
  const [bad, good] = read('A="x\n* * * * * true');
  assert.match(faultOf(bad), /this is not a job/);
  assert.equal(good?.kind, 'job');
});

test('CRON_TZ moves the jobs below it and is no variable of theirs', () => {
  const [first, second] = jobs('0 1 * * * a\nCRON_TZ=Asia/Tokyo\n0 1 * * * b');
  assert.equal(first?.timezone, null);
  assert.equal(second?.timezone, 'Asia/Tokyo');
  assert.deepEqual(second?.env, {});
  const [variable] = read('CRON_TZ=Asia/Tokyo');
  assert.ok(variable?.kind === 'variable');
  assert.match(variable.notes.join(), /the cron of Debian and Ubuntu ignores it/);
});

test('an empty CRON_TZ ends the zone of a line above, as in cronie', () => {
  const text = 'CRON_TZ=Asia/Tokyo\n0 1 * * * a\nCRON_TZ=\n0 1 * * * b';
  assert.deepEqual(
    jobs(text).map(({ timezone }) => timezone),
    ['Asia/Tokyo', null],
  );
  const variable = read(text)[2];
  assert.ok(variable?.kind === 'variable');
  assert.match(variable.notes.join(), /crontab's own zone again/);
});

test('below a CRON_TZ that cannot be used no job is imported until there is a good one', () => {
  const readings = read('CRON_TZ=EST5\n0 1 * * * a\nCRON_TZ=UTC\n0 1 * * * b');
  assert.match(faultOf(readings[0]), /CRON_TZ: "EST5" is not a zone.*; an empty CRON_TZ= gives/);
  const faults = readings.flatMap((reading) =>
    reading.kind === 'job' ? [reading.job.timezoneFault] : [],
  );
  assert.match(faults[0] ?? '', /correct the CRON_TZ on line 1/);
  assert.deepEqual(faults.slice(1), [null]);
});

test('variables that bash or statecron would not take are faults that name them', () => {
  const readings = read('"A B"=1\nSTATECRON_JOB=x\n1A=2');
  assert.match(faultOf(readings[0]), /"A B"/);
  assert.match(faultOf(readings[1]), /STATECRON_JOB/);
  assert.match(faultOf(readings[2]), /"1A"/);
});

test('cron sets LOGNAME itself, so it is left out with a note', () => {
  const [reading] = read('LOGNAME=root');
  assert.ok(reading?.kind === 'variable' && /left out/.test(reading.notes[0] ?? ''));
  assert.deepEqual(onlyJob('LOGNAME=x\n* * * * * true').env, {});
});

test('MAILTO is kept as a variable and noted', () => {
  const [reading] = read('MAILTO=ops@example.com');
  assert.ok(reading?.kind === 'variable' && /no mail/.test(reading.notes[0] ?? ''));
  assert.equal(onlyJob('MAILTO=""\n* * * * * true').env.MAILTO, '');
});

test('HOME is the working folder, as cron changes into it', () => {
  assert.equal(onlyJob('HOME=/srv\n* * * * * true').cwd, '/srv');
});

test('a SHELL that is not bash is what runs the command', () => {
  const shell = onlyJob(`SHELL=/bin/dash\n* * * * * echo 'a b'`);
  assert.equal(shell.command, `exec /bin/dash -c 'echo '\\''a b'\\'''`);
  assert.equal(onlyJob('SHELL=/usr/bin/bash\n* * * * * true').command, 'true');
});

test('a system crontab has a user before the command', () => {
  const job = onlyJob('17 * * * *\troot    cd / && run-parts /etc/cron.hourly', 'system');
  assert.equal(job.user, 'root');
  assert.equal(job.command, 'cd / && run-parts /etc/cron.hourly');
  assert.equal(onlyJob('@daily www-data true', 'system').user, 'www-data');
  assert.match(faultOf(read('* * * * * root', 'system')[0]), /user and a command/);
});

test('a line of too few fields, without a command, or with a NUL is a fault', () => {
  assert.match(faultOf(read('* * * * true')[0]), /five fields/);
  assert.match(faultOf(read('@daily')[0]), /five fields/);
  assert.match(faultOf(read('* * * * * %only input')[0]), /command is empty/);
  assert.match(faultOf(read('* * * * * a\0b')[0]), /NUL/);
});

test('carriage returns, a byte order mark and a missing last newline do no harm', () => {
  const [first, second] = jobs('\ufeff* * * * * a\r\n* * * * * b');
  assert.equal(first?.command, 'a');
  assert.equal(second?.command, 'b');
});

test('blank lines and comments keep their numbers', () => {
  const lines = readCrontab('# x\n\n* * * * * true\n', 'user');
  assert.deepEqual(
    lines.map(({ number, reading }) => [number, reading.kind]),
    [
      [1, 'comment'],
      [2, 'blank'],
      [3, 'job'],
    ],
  );
});

test('lines that are too many are a fault, and none is left out silently', () => {
  const lines = readCrontab('\n'.repeat(250_000), 'user');
  assert.equal(lines.length, 250_000);
  const more = readCrontab(`${'\n'.repeat(250_000)}@daily true\n`, 'user');
  assert.match(faultOf(more.at(-1)?.reading), /more than 250000/);
});
