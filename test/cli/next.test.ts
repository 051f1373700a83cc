import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from './runCli.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

test('next prints instants in UTC, or the fault, and needs no database', async () => {
  const from = ['--from', '2012-07-09T14:59:59Z', '--count', '2'];
  const found = await runCli(['next', '0/15 * * * *', ...from, '--json']);
  assert.equal(found.stdout, '{"next":["2012-07-09T15:00:00.000Z","2012-07-09T15:15:00.000Z"]}\n');
  const plain = await runCli(['next', '@daily', '--timezone', 'Asia/Tokyo', ...from]);
  assert.equal(plain.stdout, '2012-07-09T15:00:00.000Z\n2012-07-10T15:00:00.000Z\n');
  const fault = await runCli(['next', '61 * * * *', '--json']);
  assert.equal(fault.code, 2);
  assert.match(JSON.parse(fault.stdout).error, /minute/);
  assert.equal((await runCli(['next', '61 * * * *'])).code, 2);
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
