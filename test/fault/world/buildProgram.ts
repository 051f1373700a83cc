import { cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { bundleProgram } from '../../package/bundleProgram.ts';
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
  else await bundleProgram(dist);
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return path.join(dist, 'src/cli/main.js');
}
