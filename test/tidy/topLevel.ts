import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Fault } from './sourceFile.ts';

const allowed = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'biome.json',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'LICENSE',
  'docs',
  'src',
  'statecharts',
  'test',
]);

/** The top of the repository is its front door: what may stand there is listed. */
export function topLevel(tracked: readonly string[]): Fault[] {
  const names = new Set(tracked.map((name) => name.split('/')[0] ?? name));
  return [...names]
    .filter((name) => !allowed.has(name) && !name.startsWith('.'))
    .map((name) => ({ path: name, line: 1, says: 'does not belong at the top of the repository' }));
}

/** The files that git knows of, or null where there is no git or no checkout. */
export async function trackedFiles(): Promise<string[] | null> {
  const root = path.resolve(import.meta.dirname, '../..');
  try {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
      cwd: root,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.split('\0').filter((name) => name !== '');
  } catch {
    return null; // an unpacked archive has no git, and nothing to say about tracked files
  }
}
