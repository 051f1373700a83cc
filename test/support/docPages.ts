import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A page of Markdown that people read, by its path from the top of the repository. */
export interface DocPage {
  readonly path: string;
  readonly text: string;
}

/** `README.md` and every page of `docs`. */
export function docPages(): DocPage[] {
  const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...names.map((name) => `docs/${name}`)].map((name) => ({
    path: name,
    text: readFileSync(path.join(root, name), 'utf8'),
  }));
}

/** The text of `docs/NAME.md`. */
export function docPage(name: string): string {
  return readFileSync(path.join(root, `docs/${name}.md`), 'utf8');
}
