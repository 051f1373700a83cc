import { importsOf } from './imports.ts';
import type { Fault, Rule } from './sourceFile.ts';

interface Room {
  readonly name: string;
  readonly path: RegExp;
  readonly floor: number;
}

/**
 * The floors of ARCHITECTURE.md. Rooms of one floor stand side by side and do not know each other.
 */
const rooms: readonly Room[] = [
  { name: 'src/domain', path: /^src\/domain\//, floor: 0 },
  { name: 'src/shipped', path: /^src\/shipped\//, floor: 0 },
  { name: 'statecharts', path: /^statecharts\//, floor: 1 },
  { name: 'src/store', path: /^src\/store\//, floor: 1 },
  { name: 'src/exec', path: /^src\/exec\//, floor: 1 },
  { name: 'src/database', path: /^src\/database\//, floor: 1 },
  { name: 'src/actors', path: /^src\/actors\//, floor: 2 },
  { name: 'src/http', path: /^src\/http\//, floor: 3 },
  { name: 'src/startNode', path: /^src\/startNode\w*\.ts$/, floor: 4 },
  { name: 'src/page', path: /^src\/page\//, floor: 4 },
  { name: 'src/cli', path: /^src\/cli\//, floor: 5 },
  { name: 'test', path: /^test\//, floor: 6 },
];

/** The page runs in a browser: it knows what the API says, and no code of the node. */
const page = 'src/page';
const contract = /^src\/http\/contract\//;

/** Imports run downward only, `import type` too; what is in no room has no place in the house. */
export const floors: Rule = (files) => {
  const faults: Fault[] = [];
  for (const file of files) {
    const from = roomOf(file.path);
    if (from === null) {
      faults.push({ path: file.path, line: 1, says: 'is in no room of ARCHITECTURE.md' });
      continue;
    }
    for (const { isTypeOnly, target, line, specifier } of importsOf(file)) {
      const to = target === null ? null : roomOf(target);
      if (target === null || to === from || !isCode(target)) continue;
      if (from.name === page && !(isTypeOnly && contract.test(target))) {
        const says = `${specifier} is more than a type of src/http/contract`;
        faults.push({ path: file.path, line, says });
        continue;
      }
      if (to !== null && to.floor < from.floor) continue;
      const where = to === null ? 'is in no room' : `leads to ${to.name}, floor ${to.floor}`;
      const says = `${specifier} ${where}, from ${from.name}, floor ${from.floor}`;
      faults.push({ path: file.path, line, says });
    }
  }
  return faults;
};

/** A style is none. */
function isCode(target: string): boolean {
  return /\.tsx?$/.test(target);
}

function roomOf(path: string): Room | null {
  return rooms.find((room) => room.path.test(path)) ?? null;
}
