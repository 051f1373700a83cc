import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fault } from './sourceFile.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What is read first, by users and by engineers: its paths have to be right. */
const guides = [
  ...['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...['test/README.md', 'statecharts/README.md'],
];

interface Guide {
  readonly path: string;
  readonly text: string;
}

export async function readGuides(): Promise<Guide[]> {
  return Promise.all(
    guides.map(async (name) => ({
      path: name,
      text: await readFile(path.join(root, name), 'utf8'),
    })),
  );
}

/**
 * Files and folders that a guide names and that do not exist: targets of links, from the guide's
 * own folder, paths in its text, from the top of the repository, and names of files in code font,
 * from anywhere below it.
 */
export function missingPaths({ path: guide, text }: Guide): Fault[] {
  const folder = path.posix.dirname(guide);
  return text.split('\n').flatMap((line, place) => {
    const links = [...line.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => path.posix.join(folder, target));
    const named = [...line.replace(/\[[^\]]*\]\([^)]*\)/g, '').matchAll(pathInText)].map(
      ([found]) => found.replace(/[./]+$/, ''),
    );
    const files = [...line.matchAll(fileInText)].map(([, name = '']) => name);
    return [...new Set([...links, ...named, ...files])]
      .filter((name) => !existsSync(path.join(root, name)) && !fileNames.has(name))
      .map((name) => ({ path: guide, line: place + 1, says: `names ${name}, which is not there` }));
  });
}

const fileNames = new Set(
  ['src', 'test', 'statecharts'].flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true }).map((file) => path.basename(`${file}`)),
  ),
);
const fileInText = /`([\w.-]+\.(?:ts|pl|sql))`/g;
const pathInText = /(?<![\w./-])(?:src|test|statecharts|docs)\/[\w./-]*/g;
