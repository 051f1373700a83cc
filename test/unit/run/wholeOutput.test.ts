import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputCommandOfRun, outputFileOfRun } from '../../../src/domain/run/wholeOutput.ts';

const run = {
  ...{ jobId: 12, launchId: 's1a:7', startedMs: 1, result: 'succeeded', outputBytes: 5 },
  outputPlaces: { files: '/var/log/statecron', isJournaled: true },
};
const file = '/var/log/statecron/12/s1a-7.log';
const command = 'journalctl STATECRON_LAUNCH_ID=s1a:7';

const cases: [string, Partial<typeof run> | object, boolean][] = [
  ['has ended', {}, true],
  ['goes on', { result: null, outputBytes: 0 }, true],
  ['is lost', { result: 'lost', outputBytes: 0 }, true],
  ['printed nothing', { outputBytes: 0 }, false],
  ['never started', { startedMs: null, result: 'not_started' }, false],
  ['waits', { launchId: null, startedMs: null, result: null }, false],
  ['is of a node that writes none', { outputPlaces: null }, false],
];

for (const [how, more, isThere] of cases) {
  test(`a run that ${how} names ${isThere ? 'its' : 'no'} file and command`, () => {
    const shown = { ...run, ...more } as typeof run;
    assert.equal(outputFileOfRun(shown), isThere ? file : null);
    assert.equal(outputCommandOfRun(shown), isThere ? command : null);
  });
}

test('a run names only where its node writes', () => {
  const { files } = run.outputPlaces;
  assert.equal(outputCommandOfRun({ ...run, outputPlaces: { files } }), null);
  assert.equal(outputFileOfRun({ ...run, outputPlaces: { isJournaled: true } }), null);
});
