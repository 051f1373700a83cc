import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { scanProcesses } from '../../src/exec/process/processTree.ts';
import { programVariable } from '../support/program.ts';
import { engineCache } from '../support/startTestServer.ts';
import type { PrivateCopy } from './privateCopy.ts';

/** One ended test of a file; see endedTests.mjs. */
export interface EndedTest {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly reason: string;
  readonly isAssertion?: boolean;
  readonly message?: string;
}

export interface NamedTestsRun {
  readonly ended: readonly EndedTest[];
  readonly timedOut: boolean;
  /** What went to standard error, its end. */
  readonly errors: string;
  readonly ms: number;
}

export interface NamedTestsOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Nothing more is waited for after such a test: broken code may be slow to end. */
  readonly isEnough?: (ended: EndedTest) => boolean;
}

const errorCharactersMax = 20_000;
const pipesMsMax = 5_000;
/** So ends the title of the test that stands for a file whose engine cannot be had. */
const standIn = ', which is not here$';
const reporter = path.join(import.meta.dirname, 'endedTests.mjs');

/**
 * Runs those tests of a file whose titles hold one of the given pieces, inside of a copy, and ends
 * whatever they leave behind: broken code may not end what it started.
 */
export async function runNamedTests(
  copy: PrivateCopy,
  file: string,
  titles: readonly string[],
  run: NamedTestsOptions,
): Promise<NamedTestsRun> {
  const startedAt = performance.now();
  const patterns = [...titles.map(escapePattern), standIn].map(
    (pattern) => `--test-name-pattern=${pattern}`,
  );
  const args = ['--import=tsx', `--test-reporter=${reporter}`, ...patterns, file];
  const child = spawn(process.execPath, args, {
    cwd: copy.checkout,
    env: envOf(copy, run.env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors, timedOut] = ['', '', false];
  const kill = () => killGroup(child.pid);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (run.isEnough !== undefined && parseEnded(output).some(run.isEnough)) kill();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-errorCharactersMax);
  });
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, run.timeoutMs);
  run.signal.addEventListener('abort', kill);
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => {
      // What was left running may hold the pipes open; what left the group is ended below.
      kill();
      const late = setTimeout(resolve, pipesMsMax);
      child.once('close', () => {
        clearTimeout(late);
        resolve();
      });
    });
  });
  clearTimeout(timer);
  run.signal.removeEventListener('abort', kill);
  killGroup(child.pid);
  await endLeftovers(copy.folder);
  return { ended: parseEnded(output), timedOut, errors, ms: performance.now() - startedAt };
}

/**
 * Home and temporary files are the copy's own, so that leftovers are known by them, and so is the
 * program: what a run of tests around this one has built is not broken.
 */
function envOf(copy: PrivateCopy, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = path.join(copy.folder, 'tmp');
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  return {
    ...inherited,
    ...env,
    [programVariable]: '',
    HOME: own,
    TMPDIR: own,
    XDG_CACHE_HOME: path.dirname(engineCache()),
  };
}

function parseEnded(output: string): EndedTest[] {
  return output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as EndedTest] : [];
    } catch {
      return []; // a line that was cut when the run was killed
    }
  });
}

function escapePattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

/** Processes that work in the copy's folder, or were told of it, are of its tests and no others. */
async function endLeftovers(folder: string): Promise<void> {
  for (let tries = 0; tries < leftoverTriesMax; tries += 1) {
    const found = leftoversOf(folder);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
    await delay(20);
  }
}

const leftoverTriesMax = 50;

function leftoversOf(folder: string): number[] {
  const isOfFolder = (pid: number): boolean => {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return true;
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder);
    } catch {
      return false; // it has just ended, or is another user's
    }
  };
  const { entries } = scanProcesses();
  return entries.map(({ pid }) => pid).filter((pid) => pid !== process.pid && isOfFolder(pid));
}
