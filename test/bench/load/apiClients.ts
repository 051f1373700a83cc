import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EventClients } from './eventClients.ts';
import { LargeBodies } from './largeBodies.ts';
import { drawJobs, ListClients } from './listClients.ts';
import type { LoadPlan } from './loadPlan.ts';
import { SlowSockets } from './slowSockets.ts';

/** Clients of the API's bench, in a process of their own: its loop is not the node's. */
const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan;
// Each look wakes the process, on cores that it shares with the node.
const resolutionMs = 20;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
const lists = process.argv[3] === 'lists' ? new ListClients(plan, () => drawJobs(plan)) : null;
const clients =
  lists === null
    ? {
        slow: new SlowSockets(plan),
        bodies: new LargeBodies(plan),
        events: new EventClients(plan),
      }
    : { lists };

process.send?.({ begun: true });
process.on('message', ({ command }: { command: string }) => {
  if (command === 'measure') {
    lists?.measure();
    delay.reset();
    delay.enable();
    process.send?.({ measuring: true });
  }
  if (command === 'report') process.send?.({ report: report() });
});
// The bench is over, however it came to its end.
process.on('disconnect', () => {
  for (const each of Object.values(clients)) each.stop();
  process.exit(0);
});

function report(): Record<string, unknown> {
  const told = Object.entries(clients).map(([name, each]) => [name, each.report()]);
  return { ...Object.fromEntries(told), loopDelayP99Ms: delay.percentile(99) / 1e6 - resolutionMs };
}
