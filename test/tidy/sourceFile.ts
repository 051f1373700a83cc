import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSource, type SyntaxNode } from './syntax.ts';

/** A file as the rules see it; `path` is from the top of the repository, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Null for what is not TypeScript. */
  readonly tree: SyntaxNode | null;
}

export interface Fault {
  readonly path: string;
  readonly line: number;
  readonly says: string;
}

/** A rule looks at all files at once, so that it can compare them. */
export type Rule = (files: readonly SourceFile[]) => Fault[];

const root = path.resolve(import.meta.dirname, '../..');
const folders = ['src', 'statecharts', 'test'];
const kinds = /\.(tsx?|sql|pl)$/;

/** Everything that was written by hand, committed or not, in the order of its paths. */
export async function readSources(): Promise<SourceFile[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const names = await readdir(path.join(root, folder), { recursive: true });
    paths.push(...names.filter((name) => kinds.test(name)).map((name) => `${folder}/${name}`));
  }
  return Promise.all(
    paths
      .sort()
      .map(async (name) => sourceFile(name, await readFile(path.join(root, name), 'utf8'))),
  );
}

export function sourceFile(name: string, text: string): SourceFile {
  return { path: name, text, tree: /\.tsx?$/.test(name) ? parseSource(text, name) : null };
}

/** Turns a look at one syntax tree into a rule. */
export function ruleOfTree(
  look: (
    file: SourceFile & { tree: SyntaxNode },
    add: (line: number, says: string) => void,
  ) => void,
): Rule {
  return (files) => {
    const faults: Fault[] = [];
    for (const file of files) {
      const { tree } = file;
      if (tree === null) continue;
      look({ ...file, tree }, (line, says) => faults.push({ path: file.path, line, says }));
    }
    return faults;
  };
}

export function lineOf(node: SyntaxNode): number {
  return node.loc.start.line;
}
