import { type ChildProcess, execFile, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Mutation } from './scenario.ts';
import { addTotals, emptyTotals, type SimTotals } from './simTotals.ts';

export interface SeedsToRun {
  readonly first: number;
  readonly count: number;
  /** Null: as the seed says. */
  readonly nodes: number | null;
  readonly mutation: Mutation | null;
  readonly workers: number;
  /** Stops when so many worlds have failed. */
  readonly failuresMax: number;
  readonly onProgress: (soFar: SimTotals) => void;
}

/** What a worker is to run, and what it reports of it. */
export interface SeedChunk {
  readonly first: number;
  readonly count: number;
  readonly nodes: number | null;
  readonly mutation: Mutation | null;
  /** The charts of one world in so many are watched. */
  readonly watchEvery: number;
}

const chunkSeeds = 20;
/** As many take every transition; a longer run watches a quarter of its worlds. */
const watchedMin = 1_000;
/**
 * A world's garbage dies young, where there is room for it, and every core has a worker of its own:
 * a quarter of the time. A worker takes about four times its young space.
 */
const youngMb = totalmem() >= 8 * 2 ** 30 ? 256 : 64;
const execArgv = [`--max-semi-space-size=${youngMb}`, '--single-threaded-gc'];
const root = path.resolve(import.meta.dirname, '../..');

/**
 * Runs the worlds of many seeds in processes of their own, one for each core. They run compiled
 * code: what tsx adds to every function that is made costs a simulation a fifth of its speed.
 */
export async function runSeeds(run: SeedsToRun): Promise<SimTotals> {
  const totals = emptyTotals();
  const end = run.first + run.count;
  const watchEvery = run.count >= 4 * watchedMin ? 4 : 1;
  let next = run.first;
  const isOver = (): boolean => next >= end || totals.failing.length >= run.failuresMax;
  const takeChunk = (): SeedChunk => {
    const first = next;
    const count = Math.min(chunkSeeds, end - first);
    next += count;
    return { first, count, nodes: run.nodes, mutation: run.mutation, watchEvery };
  };
  const compiled = await compile();
  const stop = (): void => process.exit(130);
  const cleanUp = (): void => rmSync(compiled, { recursive: true, force: true });
  process.once('SIGINT', stop).once('SIGTERM', stop).once('exit', cleanUp);
  try {
    const workers = Array.from({ length: run.workers }, async () => {
      const child = fork(path.join(compiled, 'test/sim/seedWorker.js'), { execArgv });
      try {
        while (!isOver()) {
          addTotals(totals, await runChunk(child, takeChunk()));
          run.onProgress(totals);
        }
      } finally {
        child.kill();
      }
    });
    await Promise.all(workers);
  } finally {
    cleanUp();
    process.off('SIGINT', stop).off('SIGTERM', stop).off('exit', cleanUp);
  }
  return totals;
}

function runChunk(child: ChildProcess, chunk: SeedChunk): Promise<SimTotals> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a worker ended with ${code} in the seeds from ${chunk.first}`));
    child.once('exit', onExit);
    child.once('message', (totals) => {
      child.off('exit', onExit);
      resolve(totals as SimTotals);
    });
    child.send(chunk);
  });
}

/** Below node_modules, so that the compiled code finds its packages. */
async function compile(): Promise<string> {
  const cache = path.join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'statecron-sim-'));
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  const args = ['-p', root, '--noEmit', 'false', '--noCheck', '--outDir', folder];
  await promisify(execFile)(compiler, args);
  return folder;
}
