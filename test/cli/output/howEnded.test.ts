import assert from 'node:assert/strict';
import { test } from 'node:test';
import { howEnded } from '../../../src/cli/output/exitCodeOf.ts';
import { runColumns } from '../../../src/cli/runs/runColumns.ts';

const ran = { job: 'x', reason: null, signal: null, exitCode: null };

test('a run that failed says its exit code beside a note about it', () => {
  const reason = 'Note: it ran in /, as the home folder of nobody is not there.';
  const failed = { ...ran, result: 'failed', reason } as const;
  assert.equal(howEnded({ ...failed, exitCode: 127 }), `x: failed (exit 127; ${reason})`);
  assert.equal(howEnded({ ...failed, signal: 'SIGSEGV' }), `x: failed (SIGSEGV; ${reason})`);
  assert.equal(howEnded({ ...failed, reason: null, exitCode: 3 }), 'x: failed (exit 3)');
});

test('a run that something else ended says that alone', () => {
  const stopped = { ...ran, result: 'stopped', signal: 'SIGTERM', reason: 'Too long.' } as const;
  assert.equal(howEnded(stopped), 'x: stopped (Too long.)');
  assert.equal(howEnded({ ...ran, result: 'succeeded', exitCode: 0 }), 'x: succeeded');
});

test('a list shows the note of where a run ran only where it failed with no other reason', () => {
  const ways = { isRunning: false, isWide: false, isAnyReason: true, isAnyOther: false };
  const column = runColumns('UTC', ways).find(({ heading }) => heading === 'REASON');
  const note = 'Note: it ran in /, as the home folder of nobody is not there.';
  const shown = (reason: string, result = 'succeeded'): unknown =>
    column?.of({ ...ran, reason, result } as never);
  assert.deepEqual(shown(note), { texts: ['-', '-'] });
  assert.deepEqual(shown(note, 'failed'), { texts: [note, note] });
  for (const both of [`${note} Too long.`, `Too long. ${note}`]) {
    assert.deepEqual(shown(both, 'failed'), { texts: ['Too long.', 'Too long.'] });
  }
});
