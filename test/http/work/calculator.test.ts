import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Calculator } from '../../../src/http/work/calculator.ts';
import { until, within } from '../../support/until.ts';

/** 10,000 jobs with a list of what they leave out that each of them has anew: some 16 seconds. */
const days = Array.from({ length: 90 }, (_, at) => `'* * ${(at % 28) + 1} ${(at % 12) + 1} *'`);
const hostile = {
  text: [
    `jobs:\n  a: &a {cron: ['0 0 29 2 *', '* 3 30 2-11 *'], exclude: [${days}], command: a}\n`,
    ...Array.from({ length: 9_990 }, (_, at) => `  j${at}: *a\n`),
  ].join(''),
  ...{ group: undefined, nowMs: Date.UTC(2030, 0), jobs: [], removable: [] },
};
const preview = {
  ...{ schedule: '0 12 * * *', timezone: 'Europe/Berlin', jobName: undefined },
  ...{ fromMs: Date.UTC(2030, 0), count: 2, zones: [] },
};
const next = ['2030-01-01T11:00:00.000Z', '2030-01-02T11:00:00.000Z'];
const previewed = new TextEncoder().encode(
  JSON.stringify({
    next,
    sentence: 'At 12:00 (Europe/Berlin)',
    zones: [
      {
        timezone: 'Europe/Berlin',
        next: ['2030-01-01T12:00:00+01:00', '2030-01-02T12:00:00+01:00'],
      },
      { timezone: 'UTC', next: ['2030-01-01T11:00:00+00:00', '2030-01-02T11:00:00+00:00'] },
    ],
  }),
);

test('what takes too long is ended, and others have their turn before it is', async (t) => {
  const calculator = new Calculator({ cpuMs: 200 });
  t.after(() => calculator.close());
  // Threads take their time to start, which here is that of the transpiler, too.
  const start = (share: string) => calculator.run(share, 'previewTicks', preview);
  const started = () => Promise.all([start('a'), start('b')]).catch(() => null);
  await until('two threads', started);
  const order: string[] = [];
  const first = calculator.run('greedy', 'workOutPlan', hostile).catch((error) => {
    order.push('ended');
    return error;
  });
  // Of the same token: after the first.
  const second = calculator.run('greedy', 'previewTicks', preview).then((answer) => {
    order.push('second');
    return answer;
  });
  const other = await within('the other', calculator.run('other', 'previewTicks', preview));
  order.push('other');
  assert.deepEqual(other, previewed);
  const { code, exitCode } = await within('its end', first);
  assert.deepEqual([code, exitCode], ['too_complex', 2]);
  assert.deepEqual(await within('the second', second), previewed);
  assert.deepEqual(order, ['other', 'ended', 'second']);
});

test('what takes too much memory is ended, and the node goes on', async (t) => {
  const calculator = new Calculator({ cpuMs: 60_000, heapMb: 32 });
  t.after(() => calculator.close());
  const text = '- a\n'.repeat(64_000);
  const asked = calculator.run('greedy', 'readPlan', { text, group: undefined });
  await assert.rejects(within('its end', asked, 120_000), { code: 'too_complex' });
  const after = await within('the next', calculator.run('greedy', 'previewTicks', preview));
  assert.deepEqual(after, previewed);
});

test('what gets no processor is not too complex: it may come back later', async (t) => {
  // A thread that has used much before, and nothing since.
  const calculator = new Calculator({ cpuMs: 100, wallMs: 400 }, () => 1_000_000);
  t.after(() => calculator.close());
  const asked = calculator.run('honest', 'workOutPlan', hostile);
  await assert.rejects(within('its end', asked), { code: 'busy', retryAfterMs: 10_000 });
});

test('what a thread used before, and while nobody can read it, is not counted', async (t) => {
  const readings = [5_000, null, 5_050, null, 5_100, 5_101];
  const calculator = new Calculator({ cpuMs: 100 }, () => readings.shift() ?? null);
  t.after(() => calculator.close());
  const asked = calculator.run('greedy', 'workOutPlan', hostile);
  await assert.rejects(within('its end', asked), { code: 'too_complex' });
  assert.deepEqual(readings, []);
});

test('more than a few of one token are refused, and all of them at the end', async () => {
  const calculator = new Calculator();
  const asked = Array.from({ length: 20 }, () => {
    return calculator.run('greedy', 'workOutPlan', hostile).catch((error) => error.code as string);
  });
  const codes = await Promise.all(asked.slice(17));
  assert.deepEqual(codes, ['too_many_requests', 'too_many_requests', 'too_many_requests']);
  await calculator.close();
  const ended = await Promise.all(asked.slice(1, 17));
  assert.deepEqual(new Set(ended), new Set(['busy']));
});
