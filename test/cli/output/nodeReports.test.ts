import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNodeReports } from '../../../src/cli/output/nodeReports.ts';

test('a run that is shown has the time of its tick in the zone of its job', (t) => {
  const write = t.mock.method(process.stdout, 'write', () => true);
  const settings = { drainTimeoutMs: 0 } as never;
  const node = { nodeName: 'web1', settings, showRuns: true };
  const definition = { name: 'report', timezone: 'Asia/Kolkata' };
  const launch = { scheduledForMs: Date.parse('2030-01-31T08:30:00Z'), definition } as never;
  const execution = { result: 'succeeded', output: Buffer.from('hello\n') } as never;
  makeNodeReports({} as never, node).runEnded(launch, execution, 12);
  const [line] = write.mock.calls.map((call) => String(call.arguments[0]));
  t.mock.restoreAll();
  assert.equal(line, '14:00:00 +05:30  report  succeeded  hello\n');
});
