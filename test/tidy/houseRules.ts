import { emptyCatches } from './catches.ts';
import { circles, folderCircles } from './circles.ts';
import { barrels, defaultExports, emptyNames, fileNames } from './exportForm.ts';
import { flatFolders } from './flatFolders.ts';
import { floors } from './floors.ts';
import { columns, fileLines, functionLines } from './lineLimits.ts';
import { ownPlaces } from './ownPlaces.ts';
import { reasonPlaces } from './reasonPlaces.ts';
import type { Rule } from './sourceFile.ts';
import { migrationComments, sqlNames, sqlRoom } from './sqlPlaces.ts';
import { bareSleeps, sharedHooks, testTitles } from './testForm.ts';
import { typedRows } from './typedRows.ts';
import { unusedExports } from './unusedExports.ts';

/** Files by their path: what a self-test shows to a rule. */
export type Snippet = Readonly<Record<string, string>>;

export interface HouseRule {
  /** The rule as a fact about the whole tree. */
  readonly fact: string;
  readonly rule: Rule;
  /** Each must be found fault with, and `clean` must not, so that the rule is known to work. */
  readonly violations: readonly Snippet[];
  readonly clean: Snippet;
}

const long = (lines: number) => 'long();\n'.repeat(lines);
const longFunction = (lines: number) => `export function f() {\n${'\n'.repeat(lines - 2)}}\n`;

const filesIn = (folder: string, count: number): Snippet =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`${folder}/a${place}.ts`, '']));

export const houseRules: readonly HouseRule[] = [
  {
    fact: 'imports run downward only, and rooms of one floor never import each other',
    rule: floors,
    violations: [
      { 'src/domain/a.ts': "import { b } from '../store/b.ts';" },
      { 'src/store/a.ts': "import type { B } from '../exec/b.ts';" },
      { 'statecharts/a.ts': "export const b = await import('../src/actors/b.ts');" },
      { 'src/cli/a.ts': "import { b } from '../../test/b.ts';" },
      { 'src/store/a.ts': "type B = import('../actors/b.ts').B;" },
      { 'src/somewhere/a.ts': '' },
      { 'src/page/a.tsx': "import { b } from '../http/contract/b.ts';" },
      { 'src/page/a.tsx': "import type { B } from '../domain/b.ts';" },
      { 'src/http/a.ts': "import { b } from '../page/b.tsx';" },
    ],
    clean: {
      'src/page/a.tsx': "import type { B } from '../http/contract/b.ts';",
      'src/actors/a.ts': "import type { B } from '../store/b.ts';\nimport { c } from './c.ts';",
      'src/startNodeOptions.ts': "import { node } from '../statecharts/node.ts';",
    },
  },
  {
    fact: 'no file imports itself, not over others and not for a type',
    rule: circles,
    violations: [
      {
        'src/domain/a.ts': "import type { B } from './b.ts';",
        'src/domain/b.ts': "import { c } from './c.ts';",
        'src/domain/c.ts': "import { a } from './a.ts';",
      },
    ],
    clean: {
      'src/domain/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
      'src/domain/b.ts': "import { c } from './c.ts';",
      'src/domain/c.ts': 'export const c = 1;',
    },
  },
  {
    fact: 'no folder is needed by one that it needs',
    rule: folderCircles,
    violations: [
      {
        'src/store/runs/a.ts': "import type { B } from '../jobs/b.ts';",
        'src/store/jobs/c.ts': "import { d } from '../runs/d.ts';",
      },
      {
        'src/store/a.ts': "import { b } from './runs/b.ts';",
        'src/store/runs/c.ts': "import { d } from '../d.ts';",
      },
    ],
    clean: {
      'src/store/runs/a.ts': "import { b } from './b.ts';\nimport { c } from '../jobs/c.ts';",
      'src/store/d.ts': "import { a } from './runs/a.ts';\nimport { c } from './jobs/c.ts';",
    },
  },
  {
    fact: 'a folder has at most 15 files',
    rule: flatFolders,
    violations: [filesIn('src/exec/spawn', 16)],
    clean: { ...filesIn('src/exec/spawn', 15), ...filesIn('src/exec/output', 15) },
  },
  {
    fact: 'files have at most 250 lines, tests 350',
    rule: fileLines,
    violations: [{ 'src/domain/a.ts': long(251) }, { 'test/unit/a.test.ts': long(351) }],
    clean: { 'src/domain/a.ts': long(250), 'test/unit/a.test.ts': long(350) },
  },
  {
    fact: 'functions have at most 70 lines',
    rule: functionLines,
    violations: [
      { 'src/domain/a.ts': longFunction(71) },
      { 'test/a.test.ts': `test('a fact', () => {\n${'\n'.repeat(70)}});` },
    ],
    clean: {
      'src/domain/a.ts': longFunction(70),
      'test/a.test.ts': `describe('facts', () => {\n${'\n'.repeat(70)}});`,
    },
  },
  {
    fact: 'lines have at most 100 columns',
    rule: columns,
    violations: [{ 'src/store/a.sql': `-- ${'a'.repeat(98)}` }],
    clean: { 'src/store/a.sql': `-- ${'ö'.repeat(97)}` },
  },
  {
    fact: 'code that is bundled finds no file from where it stands itself',
    rule: ownPlaces,
    violations: [
      { 'src/exec/a.ts': "const file = new URL('./a.pl', import.meta.url);" },
      { 'statecharts/a.ts': 'const folder = import.meta.dirname;' },
    ],
    clean: {
      'src/exec/a.ts': 'const require = createRequire(import.meta.url);',
      'src/shipped/shippedFiles.ts': "const folder = new URL('.', import.meta.url);",
      'test/a.ts': 'const folder = import.meta.dirname;',
    },
  },
  {
    fact: 'SQL stands in the store alone',
    rule: sqlRoom,
    violations: [
      { 'src/actors/a.ts': "const sql = 'SELECT 1';" },
      { 'src/exec/a.ts': 'const sql = `/* a */ UPDATE slot SET state = 1`;' },
    ],
    clean: {
      'src/store/a.ts': "const sql = 'SELECT 1';",
      'src/cli/a.ts':
        "const said = ['SHOW the runs', 'UPDATE of the row', 'SET a time with --at'];",
    },
  },
  {
    fact: 'what the history gives as reasons comes out of their table',
    rule: reasonPlaces,
    violations: [
      { 'src/store/a.ts': "const sql = `/* a */ UPDATE run SET reason = 'it was late'`;" },
      { 'src/store/a.ts': "run('/* a */ INSERT INTO run (reason) VALUES (\\'of old\\')');" },
      { 'src/exec/a.ts': "const reason = 'it was late' as Reason;" },
    ],
    clean: {
      'src/store/a.ts': "const sql = `/* a */ UPDATE run SET reason = ?, result = 'missed'`;",
      'src/store/b.ts': `const sql = \`/* a */ UPDATE run SET reason = '\${reasons.lost}'\`;`,
      'src/domain/reasons/reasons.ts': 'export const reason = words as Reason;',
    },
  },
  {
    fact: 'every SQL statement begins with its name',
    rule: sqlNames,
    violations: [
      { 'src/store/a.ts': 'const sql = `SELECT 1`;' },
      { 'src/store/a.ts': "const sql = '/* */ COMMIT';" },
    ],
    clean: { 'src/store/a.ts': `const sql = \`/* \${name} begin */ START TRANSACTION\`;` },
  },
  {
    fact: 'rows of statements have their types from decoders alone',
    rule: typedRows,
    violations: [
      { 'src/store/a.ts': 'const [row] = await channel.query<Row[]>(selectJob);' },
      { 'src/store/a.ts': 'const name = row.name as string;' },
      { 'src/store/a.ts': 'const name = (row?.name as string | undefined) ?? null;' },
      { 'src/store/a.ts': "import type { Channel, Row } from './channel.ts';" },
      { 'src/store/a.ts': "import type { RowDataPacket } from 'mysql2/promise';" },
    ],
    clean: {
      'src/store/a.ts': 'const [job] = await channel.rows(jobFound, selectJob);',
      'src/store/b.ts': 'await connection.query(begin);\nconst rows = [] as string[];',
      'src/store/rows/row.ts': "import type { RowDataPacket } from 'mysql2/promise';",
      'src/exec/a.ts': 'const name = row.name as string;',
    },
  },
  {
    fact: 'every migration begins with a comment',
    rule: migrationComments,
    violations: [{ 'src/store/migrations/1.sql': 'CREATE TABLE a (b INT)' }],
    clean: { 'src/store/migrations/1.sql': '-- Why.\nCREATE TABLE a (b INT)' },
  },
  {
    fact: 'only the workers of pools have a default export',
    rule: defaultExports,
    violations: [{ 'src/exec/a.ts': 'export default 1;' }],
    clean: { 'src/exec/pool/worker.ts': 'export default 1;' },
  },
  {
    fact: 'nothing re-exports',
    rule: barrels,
    violations: [
      { 'src/exec/a.ts': "export * from './b.ts';" },
      { 'src/exec/a.ts': "export type { B } from './b.ts';" },
    ],
    clean: { 'src/exec/a.ts': 'const a = 1;\nexport { a };' },
  },
  {
    fact: 'files are camelCase and named for what they export',
    rule: fileNames,
    violations: [
      { 'src/exec/pool/pool.ts': 'export function reader() {}' },
      { 'src/exec/run-pool.ts': 'export const runPool = 1;' },
    ],
    clean: { 'src/exec/pool/pool.ts': 'export const size = 1;\nexport function startPool() {}' },
  },
  {
    fact: 'what is exported is used by another file',
    rule: unusedExports,
    violations: [
      { 'src/exec/a.ts': 'export const a = 1;\nexport const b = a;' },
      { 'src/exec/a.ts': 'export interface A {}', 'src/exec/b.ts': 'interface A {}' },
    ],
    clean: {
      'src/exec/a.ts': 'export const a = 1;\nexport interface B {}\nexport const c = 1;',
      'src/exec/b.ts': "import { a, type B } from './a.ts';",
      'src/exec/d.ts': "const { c } = await import('./a.ts');",
    },
  },
  {
    fact: 'no file or folder has a name that says nothing',
    rule: emptyNames,
    violations: [{ 'src/exec/utils.ts': '' }, { 'src/common/pool.ts': '' }],
    clean: { 'src/exec/pool/pool.ts': '' },
  },
  {
    fact: 'no error is dropped without its reason',
    rule: emptyCatches,
    violations: [
      { 'src/exec/a.ts': 'try { a(); } catch {}' },
      { 'src/exec/a.ts': 'await a().catch(() => {});' },
      { 'src/exec/a.ts': 'await a().catch(() => undefined);' },
    ],
    clean: {
      'src/exec/a.ts': 'try { a(); } catch {\n  // it is gone already\n}',
      'src/exec/b.ts': '// It is gone already.\nawait a().catch(() => undefined);',
      'src/exec/c.ts': 'await a().catch((error) => report(error));',
      'src/exec/d.ts': 'const isThere = (await a().catch(() => undefined)) !== undefined;',
    },
  },
  {
    fact: 'every test has a title of its own that states a fact',
    rule: testTitles,
    violations: [
      { 'test/a.test.ts': 'test(() => {});' },
      { 'test/a.test.ts': "test('works', () => {});" },
      { 'test/a.test.ts': "test('a b c', a);\ntest('a b c', b);" },
      { 'test/a.test.ts': 'const a = 1;' },
    ],
    clean: { 'test/a.test.ts': "test('a paused node starts nothing', () => {});" },
  },
  {
    fact: 'what test files share registers no hook of its own',
    rule: sharedHooks,
    violations: [{ 'test/a/b.ts': "import { after } from 'node:test';\nafter(() => end());" }],
    clean: {
      'test/a/a.test.ts': 'after(() => end());',
      'test/a/c.ts': 'export const make = (scope) => scope.after(end);',
      'test/a/d.ts': 'export function begin() { after(end); }',
    },
  },
  {
    fact: 'no test sleeps instead of waiting for what happens',
    rule: bareSleeps,
    violations: [
      { 'test/a.ts': "import { setTimeout as nap } from 'node:timers/promises';\nawait nap(5);" },
      { 'test/a.ts': 'await new Promise((done) => setTimeout(done, 5));' },
    ],
    clean: {
      'test/a.ts': 'while (!done()) await sleep(5);\nawait once(child, "exit");',
      'test/b.ts': 'await sleep(2_000); // two ticks that must not come',
    },
  },
];
