import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** What must stand before a program of an unpacked folder, and in its environment. */
interface Launcher {
  prefix: readonly string[];
  env: NodeJS.ProcessEnv;
}

/**
 * How programs in a folder of unpacked Debian packages find their libraries. With no libc among
 * the packages LD_LIBRARY_PATH is enough. A libc of its own works only with the loader that came
 * with it, so then the program is started through that loader, which also keeps the library path
 * out of whatever the program itself starts.
 */
export async function launcherOf(folder: string | undefined): Promise<Launcher> {
  if (folder === undefined) {
    const inherited = process.env.LD_LIBRARY_PATH;
    return { prefix: [], env: inherited === undefined ? {} : { LD_LIBRARY_PATH: inherited } };
  }
  const libraries = await libraryFolders(folder);
  const libraryPath = libraries.join(':');
  const loader = await findLoader(folder, libraries);
  if (loader !== undefined) return { prefix: [loader, '--library-path', libraryPath], env: {} };
  return { prefix: [], env: libraryPath === '' ? {} : { LD_LIBRARY_PATH: libraryPath } };
}

async function libraryFolders(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const root of ['usr/lib', 'lib']) {
    const base = path.join(folder, root);
    const names = await list(base);
    // Multi-arch folders are named for the machine: x86_64-linux-gnu, aarch64-linux-gnu.
    found.push(...names.filter((name) => /-linux-gnu/.test(name)).map((name) => `${base}/${name}`));
    if (names.includes('mysql')) found.push(`${base}/mysql/private`);
    if (names.some((name) => name.includes('.so'))) found.push(base);
  }
  return found;
}

async function findLoader(
  folder: string,
  libraries: readonly string[],
): Promise<string | undefined> {
  const places = ['usr/lib64', 'lib64', 'usr/lib', 'lib'].map((name) => `${folder}/${name}`);
  for (const place of [...places, ...libraries]) {
    const name = (await list(place)).find((entry) => /^ld-linux.*\.so\.\d+$/.test(entry));
    if (name !== undefined) return path.join(place, name);
  }
  return undefined;
}

async function list(folder: string): Promise<string[]> {
  // A folder that is not there has nothing in it.
  return await readdir(folder).catch(() => []);
}
