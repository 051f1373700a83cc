import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { installPackage, root, run } from './installPackage.ts';

let app = '';

before(async () => {
  app = await installPackage(fileScope);
});

test('the installed program runs and finds what it ships', async () => {
  const statecron = path.join(app, 'node_modules/.bin/statecron');
  const version = await run(statecron, ['--version'], { cwd: app });
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  const next = await run(
    statecron,
    ['next', '0 0 * * *', '--from', '2026-01-01T12:00:00Z', '--count', '1', '--json'],
    { cwd: app },
  );
  assert.deepEqual(JSON.parse(next.stdout), { next: ['2026-01-02T00:00:00.000Z'] });
  const drawing = await run(statecron, ['machines', 'show', 'slot', '--format', 'svg']);
  assert.match(drawing.stdout, /^<svg|^<\?xml/);
  const page = await run(statecron, ['docs', 'schedules']);
  assert.match(page.stdout, /^Schedules\n/);
  const shipped = path.join(app, 'node_modules/statecron');
  // Some are started as late as something goes wrong.
  const found = await filesNamed();
  assert.ok(found.length > 5);
  assert.deepEqual(
    found.filter((name) => !existsSync(path.join(shipped, name))),
    [],
  );
  // npm links what is in a list, and leaves a single name alone.
  const {
    man: [man],
  } = JSON.parse(await readFile(path.join(shipped, 'package.json'), 'utf8'));
  const printed = await run(statecron, ['print', 'man']);
  assert.match(printed.stdout, /^\.SS job add$/m);
  assert.equal(await readFile(path.join(shipped, man), 'utf8'), printed.stdout);
});

/** What the sources look for by `src/shipped/shippedFiles.ts`, as it lies in the package. */
async function filesNamed(): Promise<string[]> {
  const names = await readdir(path.join(root, 'src'), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts'));
  const texts = sources.map((name) => readFile(path.join(root, 'src', name), 'utf8'));
  return (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/\b(program|package)File\(['`]([^'`$]+)/g)].map(([, kind, name = '']) =>
      kind === 'package' ? name : `dist/${name.replace(/\.ts$/, '.js')}`,
    ),
  );
}

// npm installs by it from a registry; of a tarball that is a file it ignores it.
test('the package names the versions that the tests ran on, with their hashes', async () => {
  const read = async (...names: string[]) =>
    JSON.parse(await readFile(path.join(...names), 'utf8')) as Lock;
  const lock = await read(root, 'package-lock.json');
  const shrinkwrap = 'node_modules/statecron/npm-shrinkwrap.json';
  assert.ok(existsSync(path.join(app, shrinkwrap)), 'it ships a lock file');
  const shipped = await read(app, shrinkwrap);
  const needed = Object.entries(lock.packages).filter(([name, { dev }]) => name !== '' && !dev);
  const { '': own, ...packages } = shipped.packages;
  assert.ok(needed.length > 20);
  assert.deepEqual(packages, Object.fromEntries(needed));
  const { devDependencies: _, ...production } = lock.packages[''] as object & {
    devDependencies: object;
  };
  assert.deepEqual(own, production);
});

// npm 11 warns of every such script that it leaves out, and says how to allow it.
test('the package has no script that npm would run at an installation', async () => {
  const shipped = path.join(app, 'node_modules/statecron/package.json');
  const { scripts } = JSON.parse(await readFile(shipped, 'utf8')) as { scripts: object };
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'];
  assert.deepEqual(
    atInstall.filter((name) => name in scripts),
    [],
  );
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

test('what the package exports can be imported, with its types', async () => {
  const program = `
    import { startNode, type NodeOptions } from 'statecron';
    import { parseSchedule } from 'statecron/schedule';
    import { nextTick } from 'statecron/ticks';
    import { slotMachine } from 'statecron/statecharts/slot';
    const schedule = parseSchedule('* * * * *', {});
    if ('error' in schedule) throw new Error(schedule.error);
    const next: number | null = nextTick(schedule, 0);
    const start: (options: NodeOptions) => unknown = startNode;
    const id: string = slotMachine.id;
    console.log(JSON.stringify([next, typeof start, id]));`;
  const checked = path.join(app, 'checked.ts');
  await writeFile(checked, program);
  await writeFile(path.join(app, 'wrong.ts'), `${program}\nexport const wrong: string = next;`);
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  await run(tsc, [...flags, '--target', 'es2023', 'checked.ts'], { cwd: app });
  await assert.rejects(run(tsc, [...flags, '--target', 'es2023', 'wrong.ts'], { cwd: app }), {
    stdout: /TS2322/,
  });
  const tsx = path.join(root, 'node_modules/.bin/tsx');
  const ran = await run(tsx, [checked], { cwd: app });
  assert.deepEqual(JSON.parse(ran.stdout), [60_000, 'function', 'slot']);
});
