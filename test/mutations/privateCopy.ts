import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Edit } from './mutation.ts';

/** A copy of the checkout in which code may be broken. */
export interface PrivateCopy {
  /** Everything of the copy, with what its tests leave behind, is below this. */
  readonly folder: string;
  readonly checkout: string;
  /** Makes the edits, runs the work, and takes the edits back. */
  withEdits<T>(edits: readonly Edit[], work: () => Promise<T>): Promise<T>;
}

/** The top of the working tree, which is only ever read. */
export const root = path.resolve(import.meta.dirname, '../..');

const leftOut = new Set(['node_modules', 'dist', '.git']);

/** Copies the checkout as it is now, without what was built; dependencies are linked. */
export async function makePrivateCopy(folder: string): Promise<PrivateCopy> {
  const checkout = path.join(folder, 'checkout');
  await mkdir(path.join(folder, 'tmp'), { recursive: true });
  await cp(root, checkout, {
    recursive: true,
    filter: (source) => !leftOut.has(path.relative(root, source).split(path.sep)[0] ?? ''),
  });
  await symlink(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  return {
    folder,
    checkout,
    async withEdits(edits, work) {
      const before = new Map<string, string>();
      try {
        for (const edit of edits) {
          const file = path.join(checkout, edit.file);
          const text = await readFile(file, 'utf8');
          if (!before.has(file)) before.set(file, text);
          await writeFile(file, applyEdit(text, edit));
        }
        return await work();
      } finally {
        for (const [file, text] of before) await writeFile(file, text);
      }
    },
  };
}

/** @throws Error when the text does not stand there exactly once. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has this ${times} times, not once: ${find}`);
  return text.replace(find, () => replace);
}

/** Removes a copy for good. */
export async function removePrivateCopy({ folder }: PrivateCopy): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
