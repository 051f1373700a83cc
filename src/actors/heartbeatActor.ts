import { fromPromise } from 'xstate';
import { type HeartbeatContext, heartbeatMachine } from '../../statecharts/heartbeat.ts';
import { type Outcome, refused } from '../domain/errors/outcome.ts';
import type { Runtime } from './runtime/runtime.ts';
import { errorOf, sendTo } from './runtime/sendTo.ts';

/** Beats per TTL: 3 s at the default of 45 s. */
const beatsPerTtl = 15;

/** The heartbeat's chart with its effect: a renewal whose acknowledgement extends the lease. */
export function provideHeartbeat(runtime: Runtime) {
  const { lease, reports, settings, store } = runtime;
  const periodMs = settings.ttlMs / beatsPerTtl;
  return heartbeatMachine.provide({
    actors: {
      renewSession: fromPromise<Outcome<null>, HeartbeatContext>(async ({ input }) => {
        const sentBootMs = lease.noteRenewalSent();
        const outcome = await store.renewSession(input.ackedBeats, input.sentBeats);
        if (outcome.outcome === 'committed') {
          // An acknowledgement that comes after the lease is over must not revive it.
          if (lease.leftMs() <= 0) return refused('the lease was over before the renewal');
          lease.extend(sentBootMs);
        } else if (outcome.outcome === 'unknown') {
          lease.noteRenewalFailed(outcome.cause);
          reports.trouble('the session could not be renewed', outcome.cause);
        }
        return outcome;
      }),
    },
    actions: {
      reportFailure: ({ event, system }) =>
        sendTo(system, 'node', { type: 'node.failed', error: errorOf(event) }),
    },
    guards: { leaseIsOver: () => lease.leftMs() <= 0 },
    delays: { beatPeriod: periodMs, retryPeriod: periodMs / 3 },
  });
}
