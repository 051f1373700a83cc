import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { programVariable } from './program.ts';
import { processScope } from './testEngine.ts';

const made = new Map<string, string>();

/**
 * The arguments of node that start a fixture which imports nothing of its own but `src`: bundled as
 * the built program of a whole test run is, where it starts in a third of the time, or by tsx.
 */
export function fixtureArgs(file: string): string[] {
  const built = process.env[programVariable] ?? '';
  if (built === '') return ['--import', 'tsx', file];
  const known = made.get(file) ?? bundle(file, path.resolve(built, '../../../..'));
  made.set(file, known);
  return [known];
}

/** Into a folder that has what ships, and the packages, where the built program's has them. */
function bundle(file: string, program: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-fixture-'));
  processScope.after(async () => {
    made.delete(file);
    rmSync(folder, { recursive: true });
  });
  for (const name of ['package.json', 'node_modules', 'dist']) {
    symlinkSync(path.join(program, name), path.join(folder, name));
  }
  const outfile = path.join(folder, `${path.basename(file, '.ts')}.mjs`);
  buildSync({
    ...{ entryPoints: [file], outfile, bundle: true, packages: 'external' },
    ...{ format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'warning' },
  });
  return outfile;
}
