import path from 'node:path';
import { importsOf } from './imports.ts';
import type { Fault, Rule } from './sourceFile.ts';

/** No file may come back to itself by its imports, those of types included. */
export const circles: Rule = circlesOf((file) => file);

const folderCirclesAnywhere = circlesOf(path.posix.dirname);

/** A folder that needs another is not needed by it: each can be read after those that it needs. */
export const folderCircles: Rule = (files) =>
  folderCirclesAnywhere(files.filter((file) => !file.path.startsWith('test/')));

function circlesOf(nodeOf: (file: string) => string): Rule {
  return (files) => {
    const faults: Fault[] = [];
    const targets = new Map<string, Set<string>>();
    for (const file of files) {
      const node = nodeOf(file.path);
      const found = targets.get(node) ?? new Set();
      targets.set(node, found);
      for (const { target } of importsOf(file)) {
        if (target !== null && (node === file.path || nodeOf(target) !== node)) {
          found.add(nodeOf(target));
        }
      }
    }
    const finished = new Set<string>();
    const visit = (node: string, trail: readonly string[]): void => {
      const place = trail.indexOf(node);
      if (place >= 0) {
        const says = `imports itself: ${[...trail.slice(place), node].join(' → ')}`;
        faults.push({ path: node, line: 1, says });
        return;
      }
      if (finished.has(node)) return;
      for (const target of targets.get(node) ?? []) visit(target, [...trail, node]);
      finished.add(node);
    };
    for (const node of targets.keys()) visit(node, []);
    return faults;
  };
}
