import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EventClients } from './eventClients.ts';
import { LargeBodies } from './largeBodies.ts';
import { ListClients } from './listClients.ts';
import type { LoadPlan, LoadReport } from './loadPlan.ts';
import { SlowSockets } from './slowSockets.ts';

/** All clients of the API's bench, in a process of their own: the node's loop is the node's. */
const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan;
const delay = monitorEventLoopDelay({ resolution: 5 });
const lists = new ListClients(plan);
const others = {
  slow: new SlowSockets(plan),
  bodies: new LargeBodies(plan),
  events: new EventClients(plan),
};

process.send?.({ begun: true });
process.on('message', ({ command }: { command: string }) => {
  if (command === 'measure') {
    lists.measure();
    delay.reset();
    delay.enable();
    process.send?.({ measuring: true });
  }
  if (command === 'report') process.send?.({ report: report() });
});
// The bench is over, however it came to its end.
process.on('disconnect', () => {
  lists.stop();
  for (const clients of Object.values(others)) clients.stop();
  process.exit(0);
});

function report(): LoadReport {
  return {
    lists: lists.report(),
    slow: others.slow.report(),
    bodies: others.bodies.report(),
    events: others.events.report(),
    loopDelayP99Ms: delay.percentile(99) / 1e6,
  };
}
