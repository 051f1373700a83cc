import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { programVariable } from './program.ts';
import { processScope } from './testEngine.ts';

const made = new Map<string, string>();

/**
 * The arguments of node that start a fixture which imports nothing of its own but `src`: on the
 * built program of a whole test run, where it starts in a third of the time, or by tsx.
 */
export function fixtureArgs(file: string): string[] {
  const built = process.env[programVariable] ?? '';
  if (built === '') return ['--import', 'tsx', file];
  const known = made.get(file) ?? compile(file, new URL('../', pathToFileURL(built)));
  made.set(file, known);
  return [known];
}

function compile(file: string, source: URL): string {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-fixture-'));
  processScope.after(async () => {
    made.delete(file);
    rmSync(folder, { recursive: true });
  });
  const compiled = path.join(folder, `${path.basename(file, '.ts')}.mjs`);
  writeFileSync(
    compiled,
    code.replaceAll(/"(?:\.\.\/)+src\/(.+)\.ts"/g, (_, name) => `"${source.href}${name}.js"`),
  );
  return compiled;
}
