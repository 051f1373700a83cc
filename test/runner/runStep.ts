import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import type { EndedTest } from './runTests.ts';
import type { Step } from './steps.ts';

/** How a step went. */
export interface StepResult {
  passed: number;
  failed: number;
  skipped: number;
  /** Why tests were skipped, each reason once. */
  reasons: string[];
  output: string;
  ms: number;
}

const OUTPUT_CHARACTERS_MAX = 1024 * 1024;
const KILL_GRACE_MS = 5_000;

/**
 * Runs one step in a process group of its own, which is ended as a whole at the time-out or when
 * `signal` aborts. A step that is not of tests counts as one test.
 */
export async function runStep(
  step: Step,
  run: { root: string; env: NodeJS.ProcessEnv; testsTo: string; signal: AbortSignal },
): Promise<StepResult> {
  const startedAt = performance.now();
  await rm(run.testsTo, { force: true });
  const [program = '', ...args] = step.command;
  const child = spawn(program, args, {
    cwd: run.root,
    env: run.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  let killer: NodeJS.Timeout | undefined;
  const end = (why: string) => {
    output += `\n${why}\n`;
    signalGroup(child.pid, 'SIGTERM');
    killer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), KILL_GRACE_MS);
  };
  const timer = setTimeout(() => end(`took longer than ${step.timeoutMs} ms`), step.timeoutMs);
  const aborted = () => end('interrupted');
  run.signal.addEventListener('abort', aborted);
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    // A grandchild may hold the pipes open for ever, so `close` is not waited for for long.
    child.once('exit', (code) => {
      const late = setTimeout(resolve, 1_000, code);
      child.once('close', () => {
        clearTimeout(late);
        resolve(code);
      });
    });
  });
  clearTimeout(timer);
  clearTimeout(killer);
  run.signal.removeEventListener('abort', aborted);
  // Whatever of the step is still there, e.g. a test file's forgotten child.
  signalGroup(child.pid, 'SIGKILL');
  const counted = await count(step, exitCode, run.testsTo);
  return { ...counted, output, ms: performance.now() - startedAt };
}

async function count(step: Step, exitCode: number | null, testsTo: string) {
  const text = step.isTests ? await readFile(testsTo, 'utf8').catch(() => '') : '';
  const lines = text.split('\n').filter((line) => line !== '');
  const tests = lines.map((line) => JSON.parse(line) as EndedTest);
  const of = (result: EndedTest['result']) => tests.filter((t) => t.result === result).length;
  const reasons = new Set(tests.flatMap((test) => test.reason ?? []));
  // A step that failed in no test, for example by the time-out, has failed all the same.
  const failed = Math.max(of('failed'), exitCode === 0 ? 0 : 1);
  const passed = step.isTests ? of('passed') : 1 - failed;
  return { passed, failed, skipped: of('skipped'), reasons: [...reasons] };
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group has ended.
  }
}
