import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeNodeReports } from '../../../src/cli/output/nodeReports.ts';

test('a run that is shown has the time of its tick in the zone of its job', (t) => {
  const { isTTY } = process.stdout;
  t.after(() => Object.assign(process.stdout, { isTTY }));
  process.stdout.isTTY = true;
  assert.equal(lineOf(t, 'hello\n'), '14:00:00 +05:30  report  succeeded  hello\n');
  assert.equal(lineOf(t, ''), '14:00:00 +05:30  report  succeeded\n');
  process.stdout.isTTY = false;
  assert.equal(lineOf(t, ''), '2030-01-31T14:00:00+05:30  report  succeeded\n');
});

test('of its output the first line is shown, and that there is more', (t) => {
  const said = (output: string): string | undefined => lineOf(t, output).trim().split(/ {2}/)[3];
  assert.equal(said('one\ntwo\n'), 'one …');
  assert.equal(said('\n \none\n\n'), 'one', 'the first that says something');
  assert.equal(said(`${'a'.repeat(100)}\n`), `${'a'.repeat(80)} …`);
});

function lineOf(t: TestContext, output: string): string {
  const write = t.mock.method(process.stdout, 'write', () => true);
  const settings = { drainTimeoutMs: 0 } as never;
  const node = { nodeName: 'web1', settings, showRuns: true };
  const definition = { name: 'report', timezone: 'Asia/Kolkata' };
  const launch = { scheduledForMs: Date.parse('2030-01-31T08:30:00Z'), definition } as never;
  const execution = { result: 'succeeded', output: Buffer.from(output) } as never;
  makeNodeReports({} as never, node).runEnded(launch, execution, 12);
  const [line] = write.mock.calls.map((call) => String(call.arguments[0]));
  write.mock.restore();
  return line ?? '';
}

test('a database that goes and comes back is two lines, whatever failed meanwhile', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const lines: string[] = [];
  const note = (text: string) => void lines.push(text);
  const node = { nodeName: 'web1', settings: { drainTimeoutMs: 0 } as never, showRuns: false };
  const reports = makeNodeReports({ info: note, warn: note, error: note }, node);
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const answered = (atMs: number) => {
    nowMs = atMs;
    reports.databaseAnswered?.();
  };
  answered(1_000);
  for (const what of ['looking for due jobs failed', 'the session could not be renewed']) {
    reports.trouble(what, refused);
    nowMs += 5_000;
  }
  reports.resultRecorded?.(400);
  answered(21_000);
  reports.resultRecorded?.(15_000);
  answered(22_000);
  reports.resultRecorded?.(16_000);
  for (const atMs of [24_000, 27_000]) answered(atMs);
  assert.deepEqual(lines, [
    'the database does not answer (connect ECONNREFUSED): ' +
      'runs go on, and results wait here until it is back',
    'the database is back: no answer for 20 s, 2 results that waited were recorded',
  ]);
  reports.trouble('looking for due jobs failed', new Error('Table is full'));
  assert.equal(lines.at(-1), 'looking for due jobs failed: Table is full');
});

test('runs that are stopped are said once, and a node that is lost', () => {
  const lines: string[] = [];
  const note = (text: string) => void lines.push(text);
  const node = { nodeName: 'web1', settings: { drainTimeoutMs: 0 } as never, showRuns: false };
  const reports = makeNodeReports({ info: note, warn: note, error: note }, node);
  for (const runs of [2, 1]) reports.stoppingRuns?.(runs);
  reports.nodeLost?.('web2', 'nobody knows');
  assert.deepEqual(lines, [
    '2 runs are stopped, which have not ended in time (--drain-timeout)',
    'the node web2 is lost: nobody knows; others go on for it',
  ]);
});
