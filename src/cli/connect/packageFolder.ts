import { existsSync, readFileSync } from 'node:fs';

/** The package's root: the same files are run from src/ and, built, from dist/src/. */
function packageFolder(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error('the package has no package.json above it');
  }
}

/** The version of the installed package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', packageFolder()), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
