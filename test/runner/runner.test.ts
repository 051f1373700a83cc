import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { runCommand } from './runCommand.ts';
import { type FileResult, runLanes } from './runLanes.ts';
import { filesOfBothRuns, makePlan } from './steps.ts';

const head = `import { after, before, describe, test } from 'node:test';
import assert from 'node:assert';\n`;
const checkout = path.resolve(import.meta.dirname, '../..');

test('passed, failed and skipped tests are counted, and the reasons kept', async (t) => {
  const [a, b] = await runFiles(t, {
    'a.test.ts': `${head}test('fine', () => {});
      describe('a suite', () => { test('fine too', () => {}); test('bad', () => assert.fail()); });
      test('elsewhere', { skip: 'not run: no such engine' }, () => {});`,
    'b.test.ts': `${head}test('late', (t) => { t.skip('not run: no such engine'); });`,
  });
  assert.deepEqual(pick(a), { passed: 2, failed: 1, skipped: 1 });
  assert.deepEqual(pick(b), { passed: 0, failed: 0, skipped: 1 });
  assert.deepEqual(b?.reasons, ['not run: no such engine']);
  assert.match(a?.report ?? '', /✖ bad\n.*AssertionError/s);
});

test('hooks of a file are its own, also where one process runs several files', async (t) => {
  const say = (name: string) => `${head}
    before(() => console.error('before ${name}'));
    after(() => console.error('after ${name}'));
    test('${name}', () => { console.error('test ${name}'); assert.fail(); });`;
  const ended = await runFiles(t, { 'a.test.ts': say('a'), 'b.test.ts': say('b') }, 1);
  for (const [index, name] of ['a', 'b'].entries()) {
    const told = [...(ended[index]?.report ?? '').matchAll(/^(before|test|after) \w$/gm)];
    assert.deepEqual(
      told.map(([line]) => line),
      [`before ${name}`, `test ${name}`, `after ${name}`],
    );
  }
});

test('a file that does not load and a hook that fails are failures', async (t) => {
  const [unloadable, hook] = await runFiles(t, {
    'a.test.ts': `${head}throw new Error('at load');`,
    'b.test.ts': `${head}describe('s', () => {
      before(() => assert.fail());
      test('x', () => {});
    });`,
  });
  assert.equal(unloadable?.failed, 1);
  assert.match(unloadable?.report ?? '', /at load/);
  assert.ok((hook?.failed ?? 0) >= 1);
});

test('a file whose process ends fails, and the rest is run by another', async (t) => {
  const [deadly, next] = await runFiles(
    t,
    {
      'a.test.ts': `${head}test('deadly', () => process.exit(3));`,
      'b.test.ts': `${head}test('fine', () => {});`,
    },
    1,
  );
  assert.equal(deadly?.failed, 1);
  assert.match(deadly?.report ?? '', /the process ended \(exit 3\)/);
  assert.deepEqual(pick(next), { passed: 1, failed: 0, skipped: 0 });
});

test('a process for which others have left no file is no failure', async (t) => {
  const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`);
  const texts = Object.fromEntries(names.map((name) => [name, `${head}test('x', () => {});`]));
  const ended = await runFiles(t, texts, names.length);
  assert.deepEqual(
    ended.map(({ file, failed }) => [path.basename(file), failed]),
    names.map((name) => [name, 0]),
  );
});

test('a stuck file is ended, and what keeps it open is named', async (t) => {
  const text = `import net from 'node:net';${head}
    const server = net.createServer().listen(0, '127.0.0.1');
    test('begun', () => {});
    test('waits for ever', () => new Promise(() => {}));`;
  let [stuckMs, stuck] = [1_000, undefined as FileResult | undefined];
  // Longer where a process takes so long to begin.
  for (; stuck?.passed !== 1 && stuckMs < 120_000; stuckMs *= 4) {
    [stuck] = await runFiles(t, { 'a.test.ts': text }, 1, stuckMs);
  }
  assert.equal(stuck?.failed, 1);
  assert.match(
    stuck?.report ?? '',
    /no test ended for \d+ s.*it was at: waits .*Server at .*127\.0\.0\.1/s,
  );
});

test('a command that says nothing for too long is ended with all that it started', async (t) => {
  let [silentMs, output] = [500, ''];
  // Longer where a shell takes so long to begin.
  for (; !output.includes('begun') && silentMs < 60_000; silentMs *= 4) {
    const result = await runPlain(t, ['sh', '-c', 'sleep 300 & echo begun; wait'], silentMs);
    output = result.output;
    assert.equal(result.succeeded, false);
    assert.match(output, new RegExp(`\\nnothing came for ${silentMs} ms`));
    assert.ok(result.ms < 200_000, 'it did not wait for the sleep');
  }
  assert.match(output, /^begun\n\nnothing came/);
});

test('a command succeeds by its exit code', async (t) => {
  assert.equal((await runPlain(t, ['true'])).succeeded, true);
  assert.equal((await runPlain(t, ['false'])).succeeded, false);
  assert.equal((await runPlain(t, ['/not/there'])).succeeded, false);
});

test('every folder with test files is run, each file in one of the modes or in part', async (t) => {
  const root = await temporaryRoot(t);
  for (const folder of ['zebra', 'unit/deep', 'store', 'support', 'actors']) {
    await mkdir(path.join(root, 'test', folder), { recursive: true });
    const name = folder === 'support' ? 'helper.ts' : 'a.test.ts';
    await writeFile(path.join(root, 'test', folder, name), '');
  }
  const plan = await makePlan(root, 'test', []);
  assert.deepEqual(
    plan.folders.map(({ name }) => name),
    ['actors', 'unit', 'store', 'zebra'],
  );
  const filesOf = async (mode: 'test' | 'all') =>
    (await makePlan(checkout, mode, [])).folders.flatMap(({ files }) => files);
  const [short, long] = [await filesOf('test'), await filesOf('all')];
  assert.ok(long.length > 0);
  const both = await filesOfBothRuns(short);
  assert.ok(both.size > 0);
  assert.deepEqual(
    short.filter((file) => long.includes(file)),
    [...both],
  );
});

test('what npm ci has built is not built again, unless something was changed since', async (t) => {
  const root = await temporaryRoot(t);
  for (const folder of ['test/package', 'test/store', 'src/cli', 'statecharts', 'dist']) {
    await mkdir(path.join(root, folder), { recursive: true });
  }
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'src/cli/main.ts'];
  for (const file of [...files, 'test/store/a.test.ts']) await writeFile(path.join(root, file), '');
  const checks = async (...names: string[]) =>
    (await makePlan(root, 'test', names)).checks.map(({ name }) => name);
  assert.deepEqual(await checks(), ['build', 'types', 'lint']);
  const built = path.join(root, 'dist/statecron.1');
  await writeFile(built, '');
  const later = new Date(Date.now() + 60_000);
  await utimes(built, later, later);
  assert.deepEqual(await checks(), ['types', 'lint']);
  assert.deepEqual(await checks('store'), []);
  assert.deepEqual(await checks('build'), ['build']);
  const evenLater = new Date(Date.now() + 120_000);
  // A folder is changed when something in it is removed.
  await utimes(path.join(root, 'src/cli'), evenLater, evenLater);
  assert.deepEqual(await checks('store'), ['build']);
});

function pick(result: FileResult | undefined) {
  if (result === undefined) return undefined;
  const { passed, failed, skipped } = result;
  return { passed, failed, skipped };
}

/** The results in the order of the files' names. */
async function runFiles(
  t: TestContext,
  texts: Record<string, string>,
  lanes = 2,
  stuckMs = 120_000,
): Promise<FileResult[]> {
  const folder = await temporaryRoot(t);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(folder, name), text);
  const ended: FileResult[] = [];
  await runLanes(
    Object.keys(texts).map((name) => path.join(folder, name)),
    {
      root: checkout,
      env: environment(),
      lanes: { front: lanes, back: 0 },
      stuckMs,
      signal: new AbortController().signal,
      onStart: () => undefined,
      onEnd: (result) => ended.push(result),
    },
  );
  return ended.sort((a, b) => a.file.localeCompare(b.file));
}

async function runPlain(t: TestContext, command: string[], silentMs = 120_000) {
  const root = await temporaryRoot(t);
  const { signal } = new AbortController();
  return await runCommand(
    { name: 'plain', command },
    { root, env: environment(), silentMs, signal },
  );
}

function environment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  return env;
}

async function temporaryRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'statecron-runner-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  return root;
}
