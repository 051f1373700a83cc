import { existsSync } from 'node:fs';

/**
 * Where the files stand that ship beside the code. They are named by their paths in the repository,
 * as the code itself has no place that it could start from: the built program is bundled.
 */
const packageFolder = findPackage();
const isBuilt = !import.meta.url.endsWith('.ts');
const programFolder = isBuilt ? new URL('dist/', packageFolder) : packageFolder;

/** A file that the package has at the same place as the repository, e.g. `docs/README.md`. */
export function packageFile(path: string): URL {
  return new URL(path, packageFolder);
}

/** A file that is built into `dist`, or is a source; a module's ending `.ts` is then `.js`. */
export function programFile(path: string): URL {
  return new URL(isBuilt ? path.replace(/\.ts$/, '.js') : path, programFolder);
}

function findPackage(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error('the package has no package.json above it');
  }
}
