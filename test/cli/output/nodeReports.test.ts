import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeNodeReports } from '../../../src/cli/output/nodeReports.ts';

test('a run that is shown has the time of its tick in the zone of its job', (t) => {
  assert.equal(lineOf(t, 'hello\n'), '14:00:00 +05:30  report  succeeded  hello\n');
  assert.equal(lineOf(t, ''), '14:00:00 +05:30  report  succeeded\n');
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
