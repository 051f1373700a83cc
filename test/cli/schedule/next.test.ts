import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../runCli.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

test('next prints instants in its zone, in JSON in UTC, and needs no database', async () => {
  const from = ['--from', '2012-07-09T14:59:59Z', '--count', '2'];
  const found = await runCli(['next', '0/15 * * * *', ...from, '--json']);
  assert.equal(found.stdout, '{"next":["2012-07-09T15:00:00.000Z","2012-07-09T15:15:00.000Z"]}\n');
  const plain = await runCli(['next', '@daily', '--timezone', 'Asia/Tokyo', ...from]);
  assert.equal(plain.stdout, '2012-07-10T00:00:00+09:00\n2012-07-11T00:00:00+09:00\n');
  const fault = await runCli(['next', '61 * * * *', '--json']);
  assert.equal(fault.code, 2);
  assert.match(JSON.parse(fault.stdout).error, /minute/);
  assert.equal((await runCli(['next', '61 * * * *'])).code, 2);
});

test('next of one word points to the command that shows the ticks of a job', async () => {
  const { code, stderr } = await runCli(['next', 'backup']);
  assert.equal(code, 2);
  assert.match(stderr, /^hint: The next ticks of a job: statecron job show backup$/m);
  assert.match((await runCli(['next', '* * *'])).stderr, /^hint: See: statecron next --help$/m);
});

test('next --stdin answers every line in order, the bad ones too', async () => {
  const input = [
    line({ expr: '0 0 * * *', tz: 'Europe/London', from: '2030-06-30T12:00:00Z', count: 1 }),
    'no json\n',
    '[]\n',
    '\n',
    line({ expr: '0 0 * * 1', from: '2030-06-30T12:00:00Z', count: 1, dialect: 'quartz' }),
    line({ expr: 5 }),
    line({ expr: '* * * * *', from: 'now' }),
    line({ expr: '* * * * *', count: 0 }),
    line({ expr: '* * * * *', dialect: 'vixie' }),
    line({ expr: '* * * * *', tz: 'Mars/Olympus' }),
    '{"expr":"@hourly","from":"2030-06-30T12:00:00Z","count":1}',
  ].join('');
  const { code, stdout } = await runCli(['next', '--stdin', '--json'], { input });
  assert.equal(code, 0);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  assert.deepEqual(
    answers.map(({ next, error }) => next?.[0] ?? String(error).split(':')[0]),
    [
      '2030-06-30T23:00:00.000Z',
      'the line is not JSON',
      'the line is not a JSON object',
      '2030-07-07T00:00:00.000Z',
      'expr',
      'from',
      'count',
      'dialect',
      'timezone',
      '2030-06-30T13:00:00.000Z',
    ],
  );
});

test('next takes several schedules, a window and exclusions, each tick once', async () => {
  const { stdout } = await runCli([
    'next',
    ...['0 9 * * *', '--cron', '0 9 * * MON', '--cron', '0 12 * * *', '--count', '9'],
    ...['--exclude', '2030-01-02..2030-01-03', '--exclude', 'SAT,SUN', '--exclude', '0 12 4 * *'],
    ...['--from', '2029-12-01T00:00:00Z', '--not-before', '2029-12-31T10:00:00Z'],
    ...['--not-after', '2030-01-07T11:00:00+01:00', '--json'],
  ]);
  assert.deepEqual(JSON.parse(stdout), {
    next: [
      '2029-12-31T12:00:00.000Z',
      '2030-01-01T09:00:00.000Z',
      '2030-01-01T12:00:00.000Z',
      '2030-01-04T09:00:00.000Z',
      '2030-01-07T09:00:00.000Z',
    ],
  });
});

test('next marks what was shifted out of a gap and what the clock shows twice', async () => {
  const zone = ['--timezone', 'Europe/Berlin', '--count', '2'];
  const gap = ['next', '30 2 * * *', ...zone, '--from', '2030-03-30T12:00:00Z'];
  const shifted = await runCli(gap);
  assert.match(
    shifted.stdout,
    /^2030-03-31T03:00:00\+02:00 {2}shifted: .*\n2030-04-01T02:30:00\+02:00\n$/,
  );
  const skipped = await runCli([...gap, '--dst-gap', 'skip']);
  assert.equal(skipped.stdout, '2030-04-01T02:30:00+02:00\n2030-04-02T02:30:00+02:00\n');
  const fold = ['next', '30 2 * * *', ...zone, '--from', '2030-10-26T12:00:00Z', '--json'];
  const both = await runCli([...fold, '--dst-fold', 'both']);
  assert.deepEqual(JSON.parse(both.stdout), {
    next: ['2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z'],
    marks: {
      '2030-10-27T00:30:00.000Z': 'first pass',
      '2030-10-27T01:30:00.000Z': 'second pass',
    },
  });
  const second = JSON.parse((await runCli([...fold, '--dst-fold', 'second'])).stdout);
  assert.deepEqual(Object.values(second.marks), ['second pass']);
});

test('next names the flag at fault, and a line may say all that flags say', async () => {
  const refused = async (...flags: string[]): Promise<string> => {
    const { code, stdout } = await runCli(['next', '@daily', ...flags, '--json']);
    assert.equal(code, 2);
    return JSON.parse(stdout).error;
  };
  assert.match(await refused('--cron', '61 * * * *'), /^cron: "61 \* \* \* \*": minute: .*0-59/);
  assert.match(await refused('--exclude', '2030-02-30'), /^exclude: .*a range 2026-12-24\.\./);
  assert.match(await refused('--not-before', 'soon'), /^not-before: .*2030-01-31T09:30:00Z/);
  const reboot = await runCli(['next', '@reboot', '--json']);
  assert.match(JSON.parse(reboot.stdout).error, /belongs to no machine/);
  const question = { expr: '30 1 * * *', tz: 'Europe/London', from: '2030-10-26T12:00:00Z' };
  const input = [
    { ...question, count: 2, fold: 'second', cron: ['@hourly'], exclude: ['* 2-23,0 * * *'] },
    { ...question, fold: 'third' },
    { ...question, exclude: 'SAT' },
    { ...question, notBefore: 5 },
    { ...question, notAfter: '2000-01-01T00:00:00Z' },
  ].map(line);
  const { stdout } = await runCli(['next', '--stdin', '--json'], { input: input.join('') });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  assert.deepEqual(answers[0], {
    next: ['2030-10-27T01:00:00.000Z', '2030-10-27T01:30:00.000Z'],
    marks: { '2030-10-27T01:00:00.000Z': 'second pass', '2030-10-27T01:30:00.000Z': 'second pass' },
  });
  assert.match(answers[1].error, /^dst-fold: "third" is none of first, second, both/);
  assert.match(answers[2].error, /^exclude: a list/);
  assert.match(answers[3].error, /^notBefore: a text/);
  assert.deepEqual(answers[4], { next: [] });
});
