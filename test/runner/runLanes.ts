import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { EndedTest, LaneMessage, LaneOrder } from './laneMessages.ts';
import { signalGroup } from './runCommand.ts';

/** How the tests of one file went. */
export interface FileResult {
  readonly file: string;
  passed: number;
  failed: number;
  skipped: number;
  /** Why tests were skipped. */
  readonly reasons: string[];
  /** What a person wants to read of it: failures, and what the tests said of themselves. */
  report: string;
  readonly diagnostics: string[];
  ms: number;
}

export interface LanesRun {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /**
   * How many processes run files at the same time: so many from the front of the list, where the
   * heaviest files are, and so many from its end. The heaviest would starve each other.
   */
  readonly lanes: { readonly front: number; readonly back: number };
  /** A file in which no test ends for so long is stuck: it is ended, and its handles are named. */
  readonly stuckMs: number;
  readonly signal: AbortSignal;
  readonly onStart: (file: string) => void;
  readonly onEnd: (result: FileResult) => void;
}

const outputCharactersMax = 64 * 1024;
/** What is reported of a stuck file arrives within this time, or its event loop hangs. */
const reportMsMax = 5_000;
const pipeMsMax = 5;

/**
 * Runs test files in a few processes (lane.ts), each of which takes the next file when it is done
 * with one. A process that dies fails the file it was at; another one goes on with the rest.
 */
export async function runLanes(files: readonly string[], run: LanesRun): Promise<void> {
  const queue = [...files];
  const { front, back } = run.lanes;
  await Promise.all(
    Array.from({ length: Math.min(front + back, files.length) }, async (_, place) => {
      const takeFile = () => (place < front ? queue.shift() : queue.pop());
      while (queue.length > 0 && !run.signal.aborted) await runLane(takeFile, run);
    }),
  );
}

/** One process, until it has ended. */
async function runLane(takeFile: () => string | undefined, run: LanesRun): Promise<void> {
  const child = startLane(run);
  let current: FileResult | null = null;
  let [startedAt, output, stuck, handles] = [0, '', '', ''];
  let isDone = false;
  const ran: string[] = [];
  const begun = new Set<string>();
  const send = (order: LaneOrder) => child.connected && child.send(order, () => undefined);

  const finish = () => {
    if (current === null) return;
    current.ms = performance.now() - startedAt;
    if (current.failed > 0 && output !== '') current.report += `output:\n${output}\n`;
    run.onEnd(current);
    current = null;
  };
  const startNext = () => {
    finish();
    const file = run.signal.aborted ? null : (takeFile() ?? null);
    if (file !== null) {
      ran.push(path.relative(run.root, file));
      current = newResult(file);
      [startedAt, output] = [performance.now(), ''];
      begun.clear();
      run.onStart(file);
    }
    isDone = file === null; // of a short queue others may have taken all
    send({ kind: 'file', file });
  };
  const endStuck = () => {
    stuck = `no test ended for ${run.stuckMs / 1000} s`;
    send({ kind: 'report.handles' });
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), reportMsMax);
  };
  const watch = setTimeout(endStuck, run.stuckMs);
  child.on('message', (message: LaneMessage) => {
    if (message.kind === 'began') return void begun.add(message.name);
    watch.refresh();
    if (message.kind === 'ready') startNext();
    else if (message.kind === 'handles') {
      handles = message.text;
      signalGroup(child.pid, 'SIGKILL');
    } else if (message.kind === 'diagnostic') current?.diagnostics.push(message.text);
    else if (current !== null) {
      begun.delete(message.name);
      count(current, message);
      // What it wrote before this message may be read after it.
      if (message.nesting === 0) setTimeout(startNext, pipeMsMax);
    }
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
    });
  }
  const interrupt = () => signalGroup(child.pid, 'SIGTERM');
  run.signal.addEventListener('abort', interrupt);
  const exit = await exitOf(child);
  run.signal.removeEventListener('abort', interrupt);
  clearTimeout(watch);
  // Whatever its tests have left running.
  signalGroup(child.pid, 'SIGKILL');
  if (run.signal.aborted || (stuck === '' && current === null && isDone)) return;
  // After its last file: one of those that it ran has left something open.
  current ??= newResult(ran.at(-1) ?? 'lane.ts');
  current.failed += 1;
  current.report += `✖ ${describeDeath({ exit, stuck, ran, begun })}${handles}\n`;
  finish();
}

function describeDeath(death: {
  readonly exit: string;
  readonly stuck: string;
  readonly ran: readonly string[];
  readonly begun: ReadonlySet<string>;
}): string {
  const { begun, exit, ran, stuck } = death;
  const files = ran.length > 1 ? `, of a process that ran ${ran.join(', ')}` : '';
  const what = stuck === '' ? `the process ended (${exit})` : `${stuck}${files}`;
  return [what, ...[...begun].map((name) => `it was at: ${name}`), ''].join('\n');
}

function startLane({ root, env }: LanesRun): ChildProcess {
  const folder = import.meta.dirname;
  const reporter = path.join(folder, 'laneReporter.mjs');
  const args = ['--import=tsx', `--test-reporter=${reporter}`, path.join(folder, 'lane.ts')];
  return spawn(process.execPath, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function newResult(file: string): FileResult {
  const empty = { reasons: [], diagnostics: [], report: '', ms: 0 };
  return { file, passed: 0, failed: 0, skipped: 0, ...empty };
}

function count(result: FileResult, test: EndedTest): void {
  if (test.result === 'failed') {
    result.failed += 1;
    result.report += `✖ ${test.name}\n${indent(test.error ?? '')}\n`;
  }
  if (test.isSuite || test.nesting === 0) return;
  if (test.result === 'passed') result.passed += 1;
  if (test.result !== 'skipped') return;
  result.skipped += 1;
  if (test.reason !== undefined) result.reasons.push(test.reason);
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // A grandchild may hold the pipes open for ever, so `close` is not waited for for long.
    child.once('exit', (code, signal) => {
      const text = signal ?? `exit ${code}`;
      const late = setTimeout(resolve, 1_000, text);
      child.once('close', () => {
        clearTimeout(late);
        resolve(text);
      });
    });
  });
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
