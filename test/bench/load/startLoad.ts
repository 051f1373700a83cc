import type { LoadPlan, LoadReport } from './loadPlan.ts';
import { startProcess } from './startProcess.ts';

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
  const start = (part: string) =>
    startProcess('apiClients.ts', [JSON.stringify(plan), part], 'begun');
  const [siege, lists] = [await start('siege'), await start('lists')];
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
