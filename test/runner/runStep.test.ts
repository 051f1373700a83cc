import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { runStep } from './runStep.ts';
import type { Step } from './steps.ts';
import { listSteps } from './steps.ts';

const head = `import { before, describe, test } from 'node:test';
import assert from 'node:assert';\n`;

test('passed, failed and skipped tests are counted, and the reasons kept', async (t) => {
  const result = await runFiles(t, {
    'a.test.ts': `${head}test('fine', () => {});
      describe('a suite', () => { test('fine too', () => {}); test('bad', () => assert.fail()); });
      test('elsewhere', { skip: 'not run: no such engine' }, () => {});`,
    'b.test.ts': `${head}test('late', (t) => { t.skip('not run: no such engine'); });`,
  });
  const { passed, failed, skipped, reasons } = result;
  assert.deepEqual({ passed, failed, skipped }, { passed: 2, failed: 1, skipped: 2 });
  assert.deepEqual(reasons, ['not run: no such engine']);
  assert.match(result.output, /bad/);
});

test('a file that does not load and a hook that fails are failures', async (t) => {
  const unloadable = await runFiles(t, { 'a.test.ts': `${head}throw new Error('at load');` });
  assert.equal(unloadable.failed, 1);
  const hook = await runFiles(t, {
    'a.test.ts': `${head}describe('s', () => {
      before(() => assert.fail());
      test('x', () => {});
    });`,
  });
  assert.ok(hook.failed >= 1);
});

test('a step that takes too long is ended with all that it started', async (t) => {
  let [timeoutMs, output] = [500, ''];
  // Longer where a shell takes so long to begin.
  for (; !output.includes('begun') && timeoutMs < 60_000; timeoutMs *= 4) {
    const command = ['sh', '-c', 'sleep 300 & echo begun; wait'];
    const result = await runPlain(t, command, timeoutMs);
    output = result.output;
    assert.equal(result.failed, 1);
    assert.match(output, new RegExp(`\\ntook longer than ${timeoutMs} ms`));
    assert.ok(result.ms < 200_000, 'it did not wait for the sleep');
  }
  assert.match(output, /^begun\n\ntook longer/);
});

test('a command counts as one test, by its exit code', async (t) => {
  assert.deepEqual(pick(await runPlain(t, ['true'])), { passed: 1, failed: 0 });
  assert.deepEqual(pick(await runPlain(t, ['false'])), { passed: 0, failed: 1 });
  assert.deepEqual(pick(await runPlain(t, ['/not/there'])), { passed: 0, failed: 1 });
});

test('every folder with test files becomes a step, the known ones first', async (t) => {
  const root = await temporaryRoot(t);
  await writeFile(path.join(root, 'package.json'), '{}');
  for (const folder of ['zebra', 'unit/deep', 'store', 'support', 'actors']) {
    await mkdir(path.join(root, 'test', folder), { recursive: true });
    const name = folder === 'support' ? 'helper.ts' : 'a.test.ts';
    await writeFile(path.join(root, 'test', folder, name), '');
  }
  const names = (await listSteps(root, 'events')).map((step) => step.name);
  assert.deepEqual(names, ['build', 'types', 'lint', 'unit', 'store', 'actors', 'zebra']);
});

function pick({ passed, failed }: { passed: number; failed: number }) {
  return { passed, failed };
}

async function runFiles(t: TestContext, files: Record<string, string>) {
  const root = await temporaryRoot(t);
  const testsTo = path.join(root, 'events');
  await mkdir(path.join(root, 'test/unit'), { recursive: true });
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(root, 'test/unit', name), text);
  }
  const step = (await listSteps(root, testsTo)).find(({ name }) => name === 'unit');
  assert.ok(step);
  return await run(step, path.resolve(import.meta.dirname, '../..'), testsTo);
}

async function runPlain(t: TestContext, command: string[], timeoutMs = 30_000) {
  const root = await temporaryRoot(t);
  const step = { name: 'plain', command, isTests: false, needsServers: false, timeoutMs };
  return await run(step, root, path.join(root, 'events'));
}

async function run(step: Step, root: string, testsTo: string) {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  return await runStep(step, { root, env, testsTo, signal: new AbortController().signal });
}

async function temporaryRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'statecron-runner-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  return root;
}
