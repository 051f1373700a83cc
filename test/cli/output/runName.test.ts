import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf, runName } from '../../../src/cli/output/runName.ts';

test('a run is named so that its name can be given again', () => {
  const launchId = 's8e573fa07668fe8a3b0440d9:12';
  assert.equal(runName({ launchId, runId: null }), `run ${launchId}`);
  assert.equal(runName({ launchId, runId: 7 }), 'run 7');
  const shown = commandOf({ launchId, runId: null, outputBytes: 0 });
  assert.equal(shown, `statecron run show ${launchId}`);
});
