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

/**
 * Starts the clients; resolves when all have begun. Those who ask for lists are measured, and have
 * a process to themselves: they shall wait for the node, not for those who besiege it.
 */
export async function startLoad(plan: LoadPlan): Promise<Load> {
  const [siege, lists] = [await startClients(plan, 'siege'), await startClients(plan, 'lists')];
  return {
    measure: async () => {
      await siege.ask('measure', 'measuring');
      await lists.ask('measure', 'measuring');
    },
    report: async () => {
      const report = [await siege.ask('report', 'report'), await lists.ask('report', 'report')];
      return Object.assign({}, ...report) as LoadReport;
    },
    stop: async () => {
      await lists.stop();
      await siege.stop();
    },
  };
}

async function startClients(plan: LoadPlan, part: 'siege' | 'lists') {
  const program = path.join(import.meta.dirname, 'apiClients.ts');
  const child = fork(program, [JSON.stringify(plan), part], { execArgv: ['--import', 'tsx'] });
  await answer(child, 'begun');
  return {
    ask: (command: string, word: string): Promise<unknown> => {
      const answered = answer(child, word);
      child.send({ command });
      return answered;
    },
    stop: async (): Promise<void> => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
