import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** So many of them, other ones for each commit, so that a few commits try them all. */
export function chooseByCommit<T>(
  all: readonly T[],
  idOf: (each: T) => string,
  count: number,
): T[] {
  const cwd = import.meta.dirname;
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
  const rank = (each: T) =>
    createHash('sha256')
      .update(`${commit}${idOf(each)}`)
      .digest('hex');
  const ranked = all.map((each) => ({ each, at: rank(each) }));
  ranked.sort((a, b) => a.at.localeCompare(b.at));
  return ranked.slice(0, count).map(({ each }) => each);
}
