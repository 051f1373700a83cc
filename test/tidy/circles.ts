import { importsOf } from './imports.ts';
import type { Fault, Rule } from './sourceFile.ts';

/** No file may come back to itself by its imports, those of types included. */
export const circles: Rule = (files) => {
  const faults: Fault[] = [];
  const targets = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]),
  );
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const place = trail.indexOf(path);
    if (place >= 0) {
      const says = `imports itself: ${[...trail.slice(place), path].join(' → ')}`;
      faults.push({ path, line: 1, says });
      return;
    }
    if (finished.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return faults;
};
