import { chmod, cp } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** What is started, what the package exports, and what starts in a thread of its own. */
const entries = [
  ...['src/cli/main.ts', 'src/startNode.ts', 'statecharts/*.ts'],
  ...['src/domain/schedule/read/parseSchedule.ts', 'src/domain/schedule/ticks.ts'],
  ...['src/exec/pool/worker.ts', 'src/http/work/calculationWorker.ts'],
];

/** What `src/shipped/shippedFiles.ts` finds besides. */
const isShipped = (name: string) => !/\.tsx?$/.test(name);
const shippedFolders = ['src/store/schema/migrations', 'src/exec/perl', 'src/cli/print'];

/**
 * Writes the program that is started into a folder named `dist`: its modules in few files, since
 * Node takes most of a start for finding and linking them, and what ships beside them.
 */
export async function bundleProgram(dist: string): Promise<void> {
  await bundleModules(dist, entries);
  for (const folder of shippedFolders) {
    const target = path.join(dist, folder);
    await cp(path.join(root, folder), target, { recursive: true, filter: isShipped });
  }
  await chmod(path.join(dist, 'src/cli/main.js'), 0o755);
}

/** Each entry keeps its path; what several need, or what is loaded late, is in `chunks`. */
export async function bundleModules(dist: string, entryPoints: readonly string[]): Promise<void> {
  await build({
    ...{ absWorkingDir: root, outdir: dist, outbase: root, chunkNames: 'chunks/[name]-[hash]' },
    ...{ entryPoints: [...entryPoints], bundle: true, splitting: true, packages: 'external' },
    ...{ format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'warning' },
  });
}
