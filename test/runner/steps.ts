import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** One step of `npm test`: a command, or the test files of one folder. */
export interface Step {
  name: string;
  command: readonly string[];
  /** The command is runTests.ts, whose tests are counted one by one. */
  isTests: boolean;
  /** Its tests connect to the servers of the run. */
  needsServers: boolean;
  timeoutMs: number;
}

/** Run first and in this order; every other folder with test files follows by name. */
const FIRST_FOLDERS = ['tidy', 'unit', 'database', 'store', 'exec'] as const;
const WITHOUT_SERVERS = new Set<string>(['tidy', 'unit', 'database', 'runner']);

/** The steps of a checkout, in their order; `testsTo` is the file that the tests' events go to. */
export async function listSteps(root: string, testsTo: string): Promise<Step[]> {
  const bin = (name: string) => path.join(root, 'node_modules/.bin', name);
  const plain = { isTests: false, needsServers: false, timeoutMs: 180_000 };
  const steps: Step[] = [
    { ...plain, name: 'build', command: ['npm', 'run', '--silent', 'build'] },
    { ...plain, name: 'types', command: [bin('tsc'), '-p', '.'] },
    { ...plain, name: 'lint', command: [bin('biome'), 'check'] },
  ];
  for (const folder of await testFolders(path.join(root, 'test'))) {
    const files = await testFiles(path.join(root, 'test', folder));
    if (files.length === 0) continue;
    steps.push({
      name: folder,
      command: testCommand(testsTo, files),
      isTests: true,
      needsServers: !WITHOUT_SERVERS.has(folder),
      timeoutMs: 900_000,
    });
  }
  if (await hasScript(root, 'bench')) {
    const bench = ['npm', 'run', '--silent', 'bench', '--'];
    const burst = [...bench, 'burst', '--jobs', '200', '--json'];
    steps.push({ ...plain, name: 'bench', command: burst });
    steps.push({ ...plain, name: 'bench-api', command: [...bench, 'api', '--small', '--json'] });
  }
  return steps;
}

/** The test files below a folder, in the order of their names. */
export async function testFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.test.ts')).sort();
  return files.map((name) => path.join(folder, name));
}

function testCommand(testsTo: string, files: readonly string[]): string[] {
  const program = path.join(import.meta.dirname, 'runTests.ts');
  return [process.execPath, '--import=tsx', program, testsTo, ...files];
}

async function testFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const first = FIRST_FOLDERS.filter((name) => names.includes(name));
  const others = names.filter((name) => !(FIRST_FOLDERS as readonly string[]).includes(name));
  return [...first, ...others.sort()];
}

async function hasScript(root: string, name: string): Promise<boolean> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts?: Record<string, string> };
  return scripts?.[name] !== undefined;
}
