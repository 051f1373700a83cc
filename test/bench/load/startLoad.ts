import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { answer } from '../startBenchNode.ts';
import type { LoadPlan, LoadReport } from './loadPlan.ts';

export interface Load {
  /** Starts the figures anew. */
  measure(): Promise<void>;
  report(): Promise<LoadReport>;
  stop(): Promise<void>;
}

/** Starts the clients; resolves when all have begun. */
export async function startLoad(plan: LoadPlan): Promise<Load> {
  const program = path.join(import.meta.dirname, 'apiClients.ts');
  const child = fork(program, [JSON.stringify(plan)], { execArgv: ['--import', 'tsx'] });
  await answer(child, 'begun');
  const ask = (command: string, word: string): Promise<unknown> => {
    const answered = answer(child, word);
    child.send({ command });
    return answered;
  };
  return {
    measure: async () => void (await ask('measure', 'measuring')),
    report: async () => (await ask('report', 'report')) as LoadReport,
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
