import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { answer } from '../startBenchNode.ts';

export interface BenchProcess {
  /** What it said when it was ready. */
  readonly ready: unknown;
  /** Sends a command, and resolves to what it answers under the word. */
  ask(command: string, word: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts one of the programs of this folder; resolves when it says the word. */
export async function startProcess(
  name: string,
  args: readonly string[],
  word: string,
): Promise<BenchProcess> {
  const program = path.join(import.meta.dirname, name);
  const child = fork(program, args, { execArgv: ['--import', 'tsx'] });
  const ready = await answer(child, word);
  return {
    ready,
    ask: (command, told) => {
      const answered = answer(child, told);
      child.send({ command });
      return answered;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
