import path from 'node:path';
import { runCommand } from './runner/runCommand.ts';
import { type FileResult, type LanesRun, runLanes } from './runner/runLanes.ts';
import { createScreen, seconds } from './runner/screen.ts';
import type { RunServers } from './runner/servers.ts';
import { describeError, startServers } from './runner/servers.ts';
import type { CommandStep, FolderStep, Plan } from './runner/steps.ts';
import { isAlone, makePlan, modes } from './runner/steps.ts';
import { partVariable } from './support/enginesNow.ts';
import { programVariable } from './support/program.ts';

/**
 * `npm test`: every check and test that is quick enough for every change, whatever happened to
 * those before. `npm test -- quick` is for the desk, `npm run test:all` runs what is long by
 * nature; with names (`npm test -- store exec`) only these run. Exit code 0 only when nothing
 * failed; what could not be run on this machine stands at the end.
 */
const lanesOf = { usual: { front: 3, back: 4 }, long: { front: 2, back: 3 } };
/** Without any sign for so long something is stuck, however slow the machine is. */
const stuckMs = 10 * 60_000;

const root = path.resolve(import.meta.dirname, '..');
const builtProgram = path.join(root, 'dist/src/cli/main.js');
const screen = createScreen(process.stdout);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => stopping.abort(name));
}
const { signal } = stopping;
const total = { passed: 0, failed: 0, skipped: 0 };
const notRun = new Set<string>();
const beganAt = performance.now();
const plan = await readPlan(process.argv.slice(2));
// Started at once, as a first MySQL takes a while to fetch; waited for when it is needed.
const steps = [...plan.folders, ...plan.programs];
const servers = steps.some((step) => step.needsServers) ? startServers(plan.part) : undefined;
servers?.catch(() => undefined);

try {
  for (const check of plan.checks) await perform(check);
  await runFolders(plan.folders);
  for (const program of plan.programs) await perform(program);
  if (signal.aborted) fail(`stopped by ${String(signal.reason)}`);
} finally {
  screen.close();
  await servers?.then((running) => running.stop()).catch(() => undefined);
}

const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`;
const took = seconds(performance.now() - beganAt);
screen.say(`\n${total.passed} passed, ${total.failed} failed${skipped} in ${took}`);
for (const reason of notRun) screen.say(`not run: ${reason}`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function readPlan(words: readonly string[]): Promise<Plan> {
  const mode = modes.find((name) => words.includes(name)) ?? 'test';
  const names = words.filter((word) => word !== mode);
  const made = await makePlan(root, mode, names);
  const known = [...made.checks, ...made.folders, ...made.programs].map(({ name }) => name);
  for (const name of names) if (!known.includes(name)) fail(`there is nothing named ${name}`);
  return made;
}

async function perform(step: CommandStep): Promise<void> {
  if (signal.aborted) return;
  screen.show(() => step.name);
  const env = await environment(step);
  if (env === undefined) return;
  const result = await runCommand(step, { root, env, silentMs: stuckMs, signal });
  if (result.succeeded) total.passed += 1;
  screen.say(`${result.succeeded ? '✔' : '✖'} ${step.name} (${seconds(result.ms)})`);
  if (!result.succeeded) fail(`${step.name}\n${result.output.trimEnd()}`);
}

/** The files are one queue, so that no folder waits for the last file of another. */
async function runFolders(folders: readonly FolderStep[]): Promise<void> {
  if (folders.length === 0 || signal.aborted) return;
  const env = await environment({ needsServers: folders.some((step) => step.needsServers) });
  if (env === undefined) return;
  const at = new Set<string>();
  const ended = new Map<string, FileResult[]>(folders.map(({ name }) => [name, []]));
  const all = folders.flatMap(({ files }) => files);
  let done = 0;
  screen.show(() => `${done}/${all.length} files; ${[...at].join(' ')}`);
  const nameOf = (file: string) => path.relative(path.join(root, 'test'), file);
  const run: LanesRun = {
    root,
    env: { ...env, [partVariable]: plan.part },
    lanes: plan.part === 'long' ? lanesOf.long : lanesOf.usual,
    stuckMs,
    signal,
    onStart: (file) => at.add(nameOf(file)),
    onEnd: (result) => {
      at.delete(nameOf(result.file));
      done += 1;
      const folder = folders.find(({ files }) => files.includes(result.file));
      const results = ended.get(folder?.name ?? '');
      results?.push(result);
      tellFile(nameOf(result.file), result);
      if (folder !== undefined && results?.length === folder.files.length)
        tellFolder(folder, results);
    },
  };
  const together = all.filter((file) => !isAlone(file));
  await runLanes(together, run);
  await runLanes(all.filter(isAlone), { ...run, lanes: { front: 1, back: 0 } });
}

function tellFile(
  name: string,
  { passed, failed, skipped, reasons, report, diagnostics }: FileResult,
) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  for (const reason of reasons) notRun.add(reason.replace(/^not run: /, ''));
  if (failed > 0) screen.say(`✖ ${name}\n${report.trimEnd()}`);
  if (failed > 0 || process.env.CI === 'true') {
    for (const text of diagnostics) screen.say(`ℹ ${name}: ${text}`);
  }
}

function tellFolder({ name, files }: FolderStep, results: readonly FileResult[]): void {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const failed = sum((result) => result.failed);
  const counts = `${sum((result) => result.passed)} passed, ${failed} failed`;
  const ms = sum((result) => result.ms);
  screen.say(
    `${failed === 0 ? '✔' : '✖'} ${name} (${files.length} files, ${seconds(ms)}, ${counts})`,
  );
}

/** What tests and programs are started with; undefined: they cannot be, which is a failure. */
async function environment(step: {
  needsServers?: boolean;
}): Promise<NodeJS.ProcessEnv | undefined> {
  let shared: RunServers | undefined;
  try {
    if (step.needsServers === true) shared = await servers;
  } catch (error) {
    fail(`no database server: ${describeError(error)}`);
    return undefined;
  }
  for (const reason of shared?.missing ?? []) notRun.add(reason);
  return { ...cleanEnvironment(), ...shared?.env, [programVariable]: builtProgram };
}

function fail(what: string): void {
  total.failed += 1;
  screen.say(`✖ ${what}`);
}

/** The developer's own databases and settings are not for tests to find. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (name.startsWith('STATECRON_') || name === 'DATABASE_URL') delete env[name];
  }
  delete env.NODE_TEST_CONTEXT;
  return env;
}
