import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let app = '';

/** What somebody has who installed the package into an empty project. */
before(async () => {
  if (!existsSync(path.join(root, 'dist/src/cli/main.js'))) await npm(['run', 'build'], root);
  app = await mkdtemp(path.join(tmpdir(), 'statecron-pack-'));
  await writeFile(path.join(app, 'package.json'), '{"name":"app","type":"module"}');
  // The build stands; its script would take dist away from tests that run beside this one.
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', app], root);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  await npm(['install', '--no-audit', '--no-fund', '--omit=dev', path.join(app, filename)], app);
});

after(() => rm(app, { recursive: true, force: true }));

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
});

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

async function npm(args: string[], cwd: string): Promise<string> {
  return (await run('npm', args, { cwd, maxBuffer: 16 * 1024 * 1024 })).stdout;
}
