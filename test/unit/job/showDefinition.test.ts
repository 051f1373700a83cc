import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { showDefinition } from '../../../src/domain/job/showDefinition.ts';

const plain = { ...jobDefaults, name: 'x', schedule: '@daily', command: 'true' };

test('what holds for a job that says nothing is shown, and marked as the default', () => {
  assert.deepEqual(showDefinition(plain), [
    ['cron', '@daily'],
    ['command', 'true'],
    ['timezone', 'UTC (default)'],
    ['cwd', 'the home (default)'],
    ['stdin', 'closed (default)'],
    ['overlap', 'skip: the tick is skipped (default)'],
    ['parallel', 'up to 1 at once (default)'],
    ['misfire', 'once: the last missed tick runs when a node is there again (default)'],
    ['node loss', 'skip: the run is lost, and the job goes on with its next tick (default)'],
    ['on fence', 'kill: they are killed before anybody may start the next run (default)'],
    ['retries', '0 (default)'],
    ['kind', 'single: one node runs each tick (default)'],
    ['timeout', 'no limit (default)'],
    ['grace', '5s (default)'],
    ['leftovers', 'kill: they get SIGTERM, and SIGKILL after the grace (default)'],
    ['output max', 'at most 64KiB kept (default)'],
  ]);
});

test('what a job says itself is not marked', () => {
  const said = { ...plain, overlap: 'queue', timeoutMs: 60_000, format: 3 } as const;
  const shown = new Map(showDefinition(said));
  assert.equal(shown.get('overlap'), 'queue: a tick waits for the run before, one at most');
  assert.equal(shown.get('timeout'), '1m');
});
