import path from 'node:path';
import type { Rule } from './sourceFile.ts';

const filesMax = 15;

/** A folder holds what one looks through at a glance; more is grouped by the phase of the work. */
export const flatFolders: Rule = (files) => {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (file.tree === null) continue; // migrations are one list, in their order
    const folder = path.posix.dirname(file.path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > filesMax && !folder.startsWith('test/'))
    .map(([folder, count]) => ({
      path: folder,
      line: 1,
      says: `has ${count} files, ${filesMax} are the limit`,
    }));
};
