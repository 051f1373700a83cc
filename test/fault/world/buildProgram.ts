import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { programVariable } from '../../support/program.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Builds the program as `npm run build` does, but into a folder of its own, so that a run neither
 * takes the checkout's build away from others nor loses its own to them. Within a whole test run,
 * which has built it, it is copied.
 * @returns the path of the built `main.js`
 */
export async function buildProgram(folder: string): Promise<string> {
  const dist = path.join(folder, 'dist');
  await mkdir(folder, { recursive: true });
  const built = process.env[programVariable];
  if (built) await cp(path.resolve(built, '../../..'), dist, { recursive: true });
  else await build(dist);
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const main = path.join(dist, 'src/cli/main.js');
  await chmod(main, 0o755);
  return main;
}

async function build(dist: string): Promise<void> {
  await compile(dist);
  for (const folder of ['src/store/schema/migrations', 'src/exec/perl']) {
    await cp(path.join(root, folder), path.join(dist, folder), { recursive: true });
  }
}

async function compile(dist: string): Promise<void> {
  const args = ['-p', path.join(root, 'src'), '--outDir', dist];
  try {
    await promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), args);
  } catch (error) {
    throw new Error(`the program does not build:\n${(error as { stdout?: string }).stdout}`);
  }
}
