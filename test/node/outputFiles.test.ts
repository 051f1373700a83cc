import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { journalSocket } from '../../src/exec/output/journalHelper.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { askCli, askJsonCli } from '../cli/askCli.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { isAlive, patient } from './nodeProcess.ts';
import { makeNodeWorld } from './nodeWorld.ts';

const scope = lastFirst(fileScope);
const world = await makeNodeWorld(scope);
const root = mkdtempSync(path.join(tmpdir(), 'statecron-output-files-'));
scope.after(async () => rmSync(root, { recursive: true }));
const cli = { url: world.url };

/** A job by hand alone, run once; resolves to the request's id. */
async function runOnce(name: string, command: string): Promise<string> {
  await world.add(name, '@manual', { command, outputBytesMax: 1_024 });
  await runJob(world.channel, name, `of-${name}`);
  return `of-${name}`;
}

interface Shown {
  readonly result: string | null;
  readonly launchId: string;
  readonly outputFile: string | null;
}

const show = (id: string) => askJsonCli<Shown>(['run', 'show', id], cli);

async function ended(id: string): Promise<Shown> {
  return until(`the end of ${id}`, async () => {
    const run = await show(id);
    return run.result === null ? null : run;
  });
}

test('a run says which file of its node has its whole output, also when it is lost', async () => {
  const folder = path.join(root, 'of-web1');
  const node = world.start('web1', [...patient, '--output-files', folder]);
  const { pid } = await node.session();
  const name = '../../a job, "so" named';
  const long = await ended(await runOnce(name, 'seq 1 5000'));
  const { launchId, outputFile } = long;
  assert.equal(path.dirname(path.dirname(outputFile ?? '')), folder);
  const text = readFileSync(outputFile ?? '', 'utf8');
  assert.equal(text, Array.from({ length: 5_000 }, (_, at) => `${at + 1}\n`).join(''));
  const where = `node web1, ${outputFile}`;
  const shown = await askCli(['run', 'show', launchId], cli);
  assert.ok(shown.stdout.includes(`whole output  ${where}\n`), shown.stdout);
  const log = await askCli(['run', 'log', launchId], cli);
  assert.match(log.stdout, /bytes left out/);
  assert.match(log.stderr, new RegExp(`The whole output, while it is kept there: ${where}`));

  const short = await ended(await runOnce('short', 'echo short'));
  assert.equal(readFileSync(short.outputFile ?? '', 'utf8'), 'short\n');
  assert.equal((await askCli(['run', 'log', short.launchId], cli)).stderr, '');
  const silent = await ended(await runOnce('silent', 'true'));
  assert.equal(silent.outputFile, null);

  const id = await runOnce('lost', 'echo its last words; sleep 600');
  const file = await until('its file', async () => {
    const { outputFile: place } = await show(id);
    return place !== null && existsSync(place) && readFileSync(place, 'utf8') !== '' && place;
  });
  assert.equal(readFileSync(file, 'utf8'), 'its last words\n');
  process.kill(pid, 'SIGKILL');
  const lost = await ended(id);
  assert.deepEqual([lost.result, lost.outputFile], ['lost', file]);
  const rest = await askCli(['run', 'log', lost.launchId], cli);
  assert.ok(rest.stderr.includes(`node web1, ${file}`), rest.stderr);
  assert.equal(isAlive(pid), false);
});

const noJournal = existsSync(journalSocket) && 'not run: this machine has journald';

test('a node that is to write to journald where there is none says so', {
  skip: noJournal,
}, async () => {
  const node = world.start('web3', [...patient, '--output-journald']);
  assert.deepEqual(await node.exited(), [78, null]);
  assert.match(node.log(), /--output-journald: there is no journald on this machine/);
});

test('a node whose folder others may write to does not start, and says why', async () => {
  const folder = mkdtempSync(path.join(root, 'open-'));
  chmodSync(folder, 0o777);
  const node = world.start('web2', [...patient, '--output-files', folder]);
  assert.deepEqual(await node.exited(), [78, null]);
  assert.match(node.log(), /--output-files: the folder .* cannot be trusted: others may write/);
});
