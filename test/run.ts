import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runStep } from './runner/runStep.ts';
import { createScreen, seconds } from './runner/screen.ts';
import type { RunServers } from './runner/servers.ts';
import { describeError, startServers } from './runner/servers.ts';
import type { Step } from './runner/steps.ts';
import { listSteps } from './runner/steps.ts';

/**
 * `npm test`: every step in order, whatever happened to the one before, on one server of each
 * family. With names (`npm test -- store exec`) only those steps. Exit code 0 only when nothing
 * failed; what could not be run on this machine stands at the end.
 */
const RUN_MS_MAX = 28 * 60_000;

const root = path.resolve(import.meta.dirname, '..');
const screen = createScreen(process.stdout);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => stopping.abort(name));
}
const deadline = setTimeout(() => stopping.abort('time limit'), RUN_MS_MAX);

const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-run-'));
const testsTo = path.join(folder, 'tests.jsonl');
const wanted = new Set(process.argv.slice(2));
const all = await listSteps(root, testsTo);
const steps = all.filter((step) => wanted.size === 0 || wanted.has(step.name));
const total = { passed: 0, failed: 0, skipped: 0 };
const notRun = new Set<string>();
// Started at once, as a first MySQL takes a while to fetch; waited for when it is needed.
const servers = steps.some((step) => step.needsServers) ? startServers() : undefined;
servers?.catch(() => undefined);

try {
  for (const name of wanted) {
    if (!all.some((step) => step.name === name)) fail(`there is no step ${name}`);
  }
  for (const step of steps) {
    if (stopping.signal.aborted) break;
    await perform(step);
  }
  if (stopping.signal.aborted) fail(`stopped by ${String(stopping.signal.reason)}`);
} finally {
  clearTimeout(deadline);
  await servers?.then((running) => running.stop()).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}

const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`;
screen.say(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
for (const reason of notRun) screen.say(`not run: ${reason}`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function perform(step: Step): Promise<void> {
  screen.begin(step.name);
  let shared: RunServers | undefined;
  try {
    if (step.needsServers) shared = await servers;
  } catch (error) {
    fail(`${step.name}: no database server: ${describeError(error)}`);
    return;
  }
  for (const reason of shared?.missing ?? []) notRun.add(reason);
  const env = { ...cleanEnvironment(), ...shared?.env };
  const result = await runStep(step, { root, env, testsTo, signal: stopping.signal });
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped += result.skipped;
  for (const reason of result.reasons) notRun.add(reason.replace(/^not run: /, ''));
  const counts = step.isTests ? `, ${result.passed} passed, ${result.failed} failed` : '';
  const mark = result.failed === 0 ? '✔' : '✖';
  screen.end(`${mark} ${step.name} (${seconds(result.ms)}${counts})`);
  if (result.failed > 0) screen.say(result.output.trimEnd());
  else if (process.env.CI === 'true') sayLines(result.output, /^ℹ /);
}

function fail(what: string): void {
  total.failed += 1;
  screen.say(`✖ ${what}`);
}

function sayLines(output: string, pattern: RegExp): void {
  const lines = output.split('\n').filter((line) => pattern.test(line));
  if (lines.length > 0) screen.say(lines.join('\n'));
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
