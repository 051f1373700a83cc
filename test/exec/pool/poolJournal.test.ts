import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../support/until.ts';
import { startJournal } from '../output/journalStandIn.ts';
import { createTestPool, textOf } from './testPool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'statecron-journal-'));
after(() => rmSync(folder, { recursive: true }));
const journalPath = path.join(folder, 'socket');
const journal = await startJournal(journalPath);
after(() => journal.close());
const pool = createTestPool({ journalPath });
after(() => pool.close());
const isJournaled = true;

function messages(): (string | undefined)[] {
  return journal.entries.splice(0).map(({ MESSAGE }) => MESSAGE);
}

test('each line of a run is an entry that names its job and its launch', async () => {
  const jobName = 'a job = "so" named';
  const request = pool.request('echo one; echo; printf "two\\nhalf"', { isJournaled, jobName });
  const execution = await pool.run(request);
  assert.deepEqual([execution.result, execution.reason], ['succeeded', null]);
  await until('its entries', () => journal.entries.length >= 3);
  const own = {
    ...{ PRIORITY: '6', SYSLOG_IDENTIFIER: 'statecron-run', STATECRON_JOB: jobName },
    ...{
      STATECRON_LAUNCH_ID: request.launchId,
      STATECRON_NODE: 'test-node',
      STATECRON_ATTEMPT: '2',
    },
  };
  assert.deepEqual(
    journal.entries.splice(0),
    ['one', 'two', 'half'].map((MESSAGE) => ({ ...own, MESSAGE })),
  );
});

test('nothing that a job prints becomes a field, and its secrets are masked', async () => {
  const command = 'printf "MESSAGE\\nSTATECRON_JOB=other\\n$TOKEN\\000bytes\\n"';
  const env = { TOKEN: 'open-sesame' };
  await pool.runCommand(command, { isJournaled, env, secretNames: ['TOKEN'] });
  await until('its entries', () => journal.entries.length >= 3);
  assert.deepEqual(
    new Set(journal.entries.map((entry) => entry.STATECRON_JOB)),
    new Set(['probe']),
  );
  assert.deepEqual(messages(), ['MESSAGE', 'STATECRON_JOB=other', '***\0bytes']);
});

test('a line that is too long is several entries, and no line is lost, however many', async () => {
  await pool.runCommand(`head -c 100000 /dev/zero | tr '\\0' x; echo; echo end`, { isJournaled });
  await until('its entries', () => journal.entries.length >= 4);
  const found = messages();
  assert.deepEqual(
    found.map((message) => message?.length),
    [49_152, 49_152, 1_696, 3],
  );
  const { reason } = await pool.runCommand('seq 1 100000', { isJournaled });
  assert.equal(reason, null);
  await until('its entries', () => journal.entries.length >= 100_000, 60_000);
  const numbers = messages();
  assert.ok(numbers.every((message, at) => message === `${at + 1}`));
});

test('a run has its file as well when both are wanted', async () => {
  const outputFile = { path: path.join(folder, '1', 's1-1.log'), bytesMax: 1e6 };
  await pool.runCommand('echo both', { isJournaled, outputFile });
  await until('its entry', () => journal.entries.length === 1);
  assert.deepEqual(messages(), ['both']);
  assert.equal(readFileSync(outputFile.path, 'utf8'), 'both\n');
});

test('a journal that takes nothing holds the job for a while, and the run says so', async () => {
  const why = 'Its output in the journal is not complete (journald did not answer).';
  journal.process.kill('SIGSTOP');
  const { outputBytes, reason, result } = await pool.runCommand('seq 1 500000', { isJournaled });
  const nextMs = async (): Promise<number> => {
    const beganMs = performance.now();
    const next = await pool.runCommand('echo next', { isJournaled });
    assert.equal(next.reason, why);
    return performance.now() - beganMs;
  };
  // It would be waited for by each for five seconds; the machine holds up one of them.
  const tookMs = Math.min(await nextMs(), await nextMs(), await nextMs());
  journal.process.kill('SIGCONT');
  assert.deepEqual([result, outputBytes, reason], ['succeeded', 3_388_895, why]);
  assert.ok(tookMs < 4_000, `after ${tookMs} ms`);
  await until('what it takes after all', () =>
    journal.entries.some(({ MESSAGE }) => MESSAGE === '1'),
  );
});

test('a journal that is slow is waited for as long as it goes on taking', async () => {
  const slow = await startJournal(path.join(folder, 'slow'), 1);
  after(() => slow.close());
  const lone = createTestPool({ journalPath: path.join(folder, 'slow') });
  after(() => lone.close());
  const beganMs = performance.now();
  const { reason } = await lone.runCommand('seq 1 12000', { isJournaled });
  assert.equal(reason, null);
  assert.ok(performance.now() - beganMs > 11_000, 'it was not slow');
  await until('its entries', () => slow.entries.length === 12_000);
});

test('a journal that is gone leaves the run as it is, and is used when it is back', async () => {
  const lone = createTestPool({ journalPath: path.join(folder, 'later') });
  after(() => lone.close());
  const gone = await lone.runCommand('echo lost', { isJournaled });
  assert.equal(textOf(gone), 'lost\n');
  assert.match(gone.reason ?? '', /^Its output in the journal is not complete \(ENOENT, /);
  const later = await startJournal(path.join(folder, 'later'));
  after(() => later.close());
  const { reason } = await lone.runCommand('echo found', { isJournaled });
  assert.equal(reason, null);
  await until('its entry', () => later.entries.length === 1);
});
