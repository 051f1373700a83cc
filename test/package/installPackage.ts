import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '../support/createDatabase.ts';

export const run = promisify(execFile);
export const root = path.resolve(import.meta.dirname, '../..');

/** What somebody has who installed the package into an empty project; resolves to its folder. */
export async function installPackage(scope: Scope): Promise<string> {
  if (!existsSync(path.join(root, 'dist/src/cli/main.js'))) await npm(['run', 'build'], root);
  const app = await mkdtemp(path.join(tmpdir(), 'statecron-pack-'));
  scope.after(() => rm(app, { recursive: true, force: true }));
  await writeFile(path.join(app, 'package.json'), '{"name":"app","type":"module"}');
  // Packed in a copy: the build that stands is not to be taken away from tests beside this one.
  const copy = await mkdtemp(path.join(tmpdir(), 'statecron-copy-'));
  scope.after(() => rm(copy, { recursive: true, force: true }));
  for (const name of packedNames) {
    await cp(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  await npm(['exec', '--', 'tsx', 'test/package/writeShrinkwrap.ts'], copy);
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', app], copy);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  await npm(['install', '--no-audit', '--no-fund', '--omit=dev', path.join(app, filename)], app);
  return app;
}

const packedNames = [
  ...['package.json', 'package-lock.json', 'README.md', 'LICENSE'],
  ...['dist', 'docs', 'statecharts', 'test/package/writeShrinkwrap.ts'],
];

async function npm(args: string[], cwd: string): Promise<string> {
  return (await run('npm', args, { cwd, maxBuffer: 16 * 1024 * 1024 })).stdout;
}
