import { fromPromise } from 'xstate';
import { courierMachine } from '../../statecharts/courier.ts';
import type { Runtime } from './runtime.ts';

/** With jitter, so that the nodes of a cluster do not all look at once. */
const errandPeriodMsDefault = 1_000;
const errandJitter = 0.4;

/** The courier's chart with its effect: a round of errands in the database. */
export function provideCourier(runtime: Runtime) {
  const { reports, store, settings } = runtime;
  const periodMs = settings.errandPeriodMs ?? errandPeriodMsDefault;
  return courierMachine.provide({
    actors: {
      runErrands: fromPromise<unknown>(async ({ system }) => {
        const done = await store.runErrands();
        // What was started is due now, and a whole period is long to wait for it.
        if (done > 0) system.get('scheduler').send({ type: 'scheduler.wake' });
      }),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble('the errands between jobs', error),
    },
    delays: {
      errandPeriod: () => periodMs * (1 + (runtime.random() - 0.5) * errandJitter),
    },
  });
}
