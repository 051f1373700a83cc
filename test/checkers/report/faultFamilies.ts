import type { Rule } from '../violation.ts';

/** Kinds of faults that do the same thing to the system. */
export type FaultFamily =
  | 'death'
  | 'freeze'
  | 'unknown outcome'
  | 'lease'
  | 'operation'
  | 'network'
  | 'database'
  | 'lock'
  | 'clock'
  | 'disk';

/** The first that fits a kind's name; `node clock skewed` is a clock before it is a node. */
const words: readonly (readonly [RegExp, FaultFamily])[] = [
  [/clock/, 'clock'],
  [/disk/, 'disk'],
  [/at an operation|^API/, 'operation'],
  [/at a heartbeat|at a join|session lock/, 'lease'],
  [/at a batch/, 'unknown outcome'],
  [/stripe|deadlock/, 'lock'],
  [/connections|network/, 'network'],
  [/database|member/, 'database'],
  [/frozen|hung|stood still/, 'freeze'],
  [/killed|ended|drained/, 'death'],
];

/** What a kind of fault does, or null when nothing in its name tells. */
export function familyOf(kind: string): FaultFamily | null {
  return words.find(([word]) => word.test(kind))?.[1] ?? null;
}

/** What a fault of a family may lead to, as the end of “such a fault …”. */
export const effects: Readonly<Record<FaultFamily, string>> = {
  death: 'leaves what the node held to the other nodes, which must free it without doing it twice',
  freeze: 'lets a node sleep through the end of its session and go on as if it still had it',
  'unknown outcome': 'leaves the node without knowing whether its change was committed',
  lease: 'lets the lease of a node run out while it works, so that others take what it holds',
  operation: 'leaves whoever asked without knowing whether it was done',
  network: 'takes the database away from the node in the middle of what it does',
  database: 'cuts off every transaction that is under way, whether it was committed or not',
  lock: 'keeps every change of these slots waiting, or has it begun anew',
  clock: 'sets what was worked out by one clock against another one',
  disk: 'leaves a result without a place where it outlasts its node',
};

/** Which families can lead to a broken rule: as a rule, and more rarely. */
const touches: Readonly<Record<Rule, readonly [readonly FaultFamily[], readonly FaultFamily[]]>> = {
  C1: [
    ['death', 'freeze', 'database', 'lock', 'clock'],
    ['network', 'lease', 'unknown outcome', 'operation'],
  ],
  C2: [
    ['unknown outcome', 'network'],
    ['freeze', 'database', 'lease', 'operation'],
  ],
  C3: [
    ['unknown outcome', 'death', 'freeze'],
    ['network', 'database', 'lease'],
  ],
  C4: [
    ['freeze', 'death', 'lease'],
    ['unknown outcome', 'network', 'database'],
  ],
  C5: [
    ['freeze', 'death', 'lease'],
    ['network', 'database', 'unknown outcome'],
  ],
  C6: [
    ['unknown outcome', 'death', 'disk'],
    ['network', 'database', 'freeze', 'operation', 'lease'],
  ],
  C7: [
    ['unknown outcome', 'clock'],
    ['network', 'database', 'death', 'freeze', 'lock'],
  ],
  C8: [
    ['death', 'freeze', 'unknown outcome'],
    ['lease', 'network', 'database', 'lock'],
  ],
  C9: [
    ['operation', 'unknown outcome'],
    ['network', 'database', 'lock', 'clock'],
  ],
  C10: [
    ['lock', 'database', 'freeze'],
    ['network', 'death', 'clock', 'lease'],
  ],
  C11: [
    ['death', 'unknown outcome', 'clock'],
    ['freeze', 'network', 'database', 'lease'],
  ],
  C12: [
    ['unknown outcome', 'operation', 'clock'],
    ['death', 'freeze', 'network', 'database'],
  ],
};

/** How well a kind of fault explains a broken rule: 3, 1.5, or 0 when it cannot. */
export function weightOf(rule: Rule, kind: string): number {
  const family = familyOf(kind);
  if (family === null) return 0;
  const [often, rarely] = touches[rule];
  if (often.includes(family)) return 3;
  return rarely.includes(family) ? 1.5 : 0;
}
