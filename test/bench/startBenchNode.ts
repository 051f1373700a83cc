import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { HistoryKeep } from '../../src/domain/commit/historyKeep.ts';
import type { HttpSettings } from '../../src/http/server/httpSettings.ts';
import { bundleModules } from '../package/bundleProgram.ts';

export interface NodeReport {
  readonly loopDelayMs: { p99: number; max: number };
  readonly batchSizes: number[];
  readonly troubles: string[];
  readonly prepared: number;
  readonly rssMb: number;
  readonly cpuMs: number;
  readonly statements: number;
}

export interface BenchNode {
  /** Where its API is; '' when it has none. */
  readonly apiUrl: string;
  /** Starts the figures anew. */
  measure(): Promise<void>;
  report(): Promise<NodeReport>;
  stop(): Promise<void>;
}

const dist = path.resolve(import.meta.dirname, '../../dist/bench');
let bundled: Promise<void> | null = null;

/** Starts one built node in a process of its own; resolves when it serves. */
export async function startBenchNode(options: {
  url: string;
  capacity: number;
  concurrency: number;
  nodeName?: string;
  /** The jobs, by name, that get real children; absent: all. */
  childrenOf?: readonly string[];
  hasApi?: boolean;
  /** What of the API's settings is not as usual. */
  http?: Partial<HttpSettings>;
  /** 45 s. */
  ttlMs?: number;
  /** False: its actors do not count what they do. */
  isCounting?: boolean;
  /** Of the history; absent: the defaults. */
  keep?: HistoryKeep;
}): Promise<BenchNode> {
  bundled ??= bundleModules(dist, ['test/bench/benchNode.mjs']);
  await bundled;
  const program = path.join(dist, 'test/bench/benchNode.js');
  const child = fork(program, [JSON.stringify(options)], { execArgv: [] });
  const { apiUrl } = (await answer(child, 'serving')) as { apiUrl: string };
  const ask = async (command: string, word: string) => {
    const answered = answer(child, word);
    child.send({ command });
    return answered;
  };
  return {
    apiUrl,
    measure: async () => void (await ask('measure', 'measuring')),
    report: async () => (await ask('report', 'report')) as NodeReport,
    stop: async () => {
      const exited = once(child, 'exit');
      child.send({ command: 'drain' });
      const [code] = (await exited) as [number | null];
      if (code !== 0) throw new Error(`the node ended with ${code}`);
    },
  };
}

/** The next message of a process that has the word; rejects when it ends before. */
export function answer(child: ChildProcess, word: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Record<string, unknown>): void => {
      if (!(word in message)) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', reject);
      resolve(message[word]);
    };
    const onExit = (code: number | null): void => reject(new Error(`it ended with ${code}`));
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.once('error', reject); // e.g. the machine has as many processes as it may
  });
}
