import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Part } from '../support/enginesNow.ts';
import { isBuilt } from '../support/isBuilt.ts';

/** A step that is one command; it counts as one test. */
export interface CommandStep {
  readonly name: string;
  readonly command: readonly string[];
  /** It connects to the servers of the run. */
  readonly needsServers?: boolean;
}

/** The test files of one folder below test/. */
export interface FolderStep {
  readonly name: string;
  readonly files: readonly string[];
  readonly needsServers: boolean;
}

export interface Plan {
  /** Of what both runs have; whole where names are given. */
  readonly part: Part;
  /** One after the other, before any test. */
  readonly checks: readonly CommandStep[];
  /** Together, in this order. */
  readonly folders: readonly FolderStep[];
  /** One after the other, after the tests. */
  readonly programs: readonly CommandStep[];
}

/** `test`: for every change. `quick`: for the desk. `all`: only what is long by nature. */
export const modes = ['test', 'quick', 'all'] as const;
export type Mode = (typeof modes)[number];

/** What starts most processes is first; lanes take from both ends, so both ends take long. */
const order = [
  ...['fault', 'node', 'upgrade', 'actors', 'exec', 'http', 'cli', 'database', 'checkers'],
  ...['statecharts', 'runner', 'unit', 'tidy', 'mutations', 'store', 'package', 'browser', 'sim'],
];
const withoutServers = new Set([
  ...['docs', 'tidy', 'unit', 'database', 'runner', 'checkers', 'statecharts'],
  ...['recording', 'pictures', 'bench'],
]);
const quickFolders = new Set([
  ...[
    'docs',
    'tidy',
    'unit',
    'runner',
    'checkers',
    'statecharts',
    'recording',
    'pictures',
    'bench',
  ],
]);
/**
 * Clusters of engines, whole versions beside each other, boards of faults, a day of cron, servers
 * that die under load, the package as it is installed, nodes that are killed or share jobs for a
 * minute, walks through screens that are each looked at in `npm test`: `npm run test:all`.
 */
const longFiles = [
  'browser/matrixDark.test.ts',
  'browser/matrixLight.test.ts',
  'browser/outage.test.ts',
  'browser/pageBench.test.ts',
  'browser/pauses.test.ts',
  'browser/settings.test.ts',
  'browser/words.test.ts',
  'cli/observe/realCron.test.ts',
  'fault/attach/attach.test.ts',
  'fault/board/board.test.ts',
  'fault/board/everyFault.test.ts',
  'fault/engines/galera.test.ts',
  'fault/engines/groupPrimaries.test.ts',
  'fault/engines/groupReplication.test.ts',
  'fault/scenarios/databaseDeaths.test.ts',
  'fault/scenarios/frozenNodes.test.ts',
  'fault/scenarios/growth.test.ts',
  'fault/scenarios/serverRefusals.test.ts',
  'node/countedKills.test.ts',
  'node/placement.test.ts',
  'node/policyTable/places.test.ts',
  'node/reasonTable/reasons.test.ts',
  'package/pack.test.ts',
  'package/replaced.test.ts',
  'upgrade/otherVersions.test.ts',
  'upgrade/rollingUpgrade.test.ts',
];

/** What they check depends on how fast the machine is: nothing else runs beside them. */
const filesAlone = [
  'browser/pageBench.test.ts',
  'fault/board/board.test.ts',
  'fault/board/everyFault.test.ts',
  'fault/short.test.ts',
];

/** What a mode runs; with names only the checks, folders and programs of these names. */
export async function makePlan(root: string, mode: Mode, names: readonly string[]): Promise<Plan> {
  const isWanted = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
  const folders: FolderStep[] = [];
  for (const name of await testFolders(path.join(root, 'test'))) {
    const all = await testFiles(path.join(root, 'test', name));
    const both = await filesOfBothRuns(all);
    const files = all.filter(
      (file) => both.has(file) || isAmong(longFiles, file) === (mode === 'all'),
    );
    const isLeftOut = mode === 'quick' && !quickFolders.has(name);
    if (files.length === 0 || isLeftOut) continue;
    folders.push({ name, files, needsServers: !withoutServers.has(name) });
  }
  const wanted = folders.filter(isWanted);
  // What tests start as a process of its own is the built program. `npm ci` has built it.
  const needsBuild = wanted.some(({ needsServers }) => needsServers) && !isBuilt(root);
  const isCheck = (step: CommandStep) =>
    isBuild(step) && !names.includes(step.name) ? needsBuild : isWanted(step);
  return {
    part: partOf(mode, names),
    checks: checksOf(root, mode).filter(isCheck),
    folders: wanted,
    programs: programsOf(mode).filter(isWanted),
  };
}

/** Whether a file runs after the others, and nothing beside it. */
export const isAlone = (file: string): boolean => isAmong(filesAlone, file);

function isAmong(names: readonly string[], file: string): boolean {
  return names.some((name) => file.endsWith(`/test/${name}`));
}

/** Those that try each engine: a run has the part of its engine (support/enginesNow.ts). */
export async function filesOfBothRuns(files: readonly string[]): Promise<ReadonlySet<string>> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Set(files.filter((_, at) => /\b(forEachEngine|enginesNow)\(/.test(texts[at] ?? '')));
}

function partOf(mode: Mode, names: readonly string[]): Part {
  if (mode === 'all') return 'long';
  return names.length > 0 ? 'whole' : 'short';
}

function checksOf(root: string, mode: Mode): CommandStep[] {
  const bin = (name: string) => path.join(root, 'node_modules/.bin', name);
  const build = { name: 'build', command: npmRun('build') };
  const types = { name: 'types', command: npmRun('types') };
  const lint = { name: 'lint', command: [bin('biome'), 'check'] };
  if (mode === 'all') return [build];
  return mode === 'quick' ? [types, lint] : [build, types, lint];
}

/** Each once, so that none rots; what they measure is for the whole sizes. */
const smallBenches = [
  ['api', '--small', '--json'],
  ['siege', '--small', '--json'],
  ['share', '--jobs', '20', '--seconds', '5', '--json'],
  ['downtime', '--small', '--json'],
  ['lists', '--small', '--json'],
  ['charts', '--small', '--json'],
  ['steady', '--jobs', '50', '--seconds', '5', '--json'],
  ['scale', '--rows', '10000', '--json'],
  ['transitions', '--jobs', '1000', '--json'],
  ['memory', '--jobs', '200', '--json'],
  ['verify', '--rows', '10000', '--json'],
  ['fleet', '--nodes', '3', '--jobs', '60', '--seconds', '5', '--small', '--json'],
  ['history', '--small', '--json'],
  ['soak', '--small', '--json'],
] as const;

function programsOf(mode: Mode): CommandStep[] {
  const bench = [...npmRun('bench'), '--'];
  const burst = [...bench, 'burst', '--jobs', '200', '--json'];
  if (mode === 'test') return [{ name: 'bench', command: burst }];
  if (mode === 'quick') return [];
  const fault = (...args: string[]) => [...npmRun('fault'), '--', '--minutes', '1', ...args];
  return [
    { name: 'sim-seeds', command: [...npmRun('sim'), '--', '--seeds', '300'] },
    { name: 'fault-mariadb', command: fault('--seed', '31', '--faults', 'all') },
    { name: 'fault-mysql', command: fault('--seed', '51', '--faults', 'all', '--engine', 'mysql') },
    { name: 'recording', command: [...npmRun('recording'), '--', '/dev/null'] },
    { name: 'pictures', command: [...npmRun('pictures'), '--', '--small'] },
    { name: 'fuzz', command: [...npmRun('fuzz'), '--', '--requests', '2000', '--seed', '1'] },
    { name: 'mutations-of-commit', command: [...npmRun('mutations'), '--', '--of-commit', '12'] },
    ...smallBenches.map((args) => ({ name: `bench-${args[0]}`, command: [...bench, ...args] })),
  ];
}

const isBuild = ({ name }: { name: string }) => name === 'build';

function npmRun(script: string): string[] {
  return ['npm', 'run', '--silent', script];
}

/** The test files below a folder, in the order of their names. */
export async function testFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.test.ts')).sort();
  return files.map((name) => path.join(folder, name));
}

/** The folders below test/, those that start most processes first. */
async function testFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const first = order.filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !order.includes(name)).sort()];
}
