import { fromPromise } from 'xstate';
import { type HeartbeatContext, heartbeatMachine } from '../../statecharts/heartbeat.ts';
import { type Outcome, refused } from '../domain/errors/outcome.ts';
import type { Span } from '../domain/time/outages.ts';
import type { Runtime } from './runtime/runtime.ts';
import { errorOf, sendTo } from './runtime/sendTo.ts';

/** Beats per TTL: 3 s at the default of 45 s. */
const beatsPerTtl = 15;

/** The heartbeat's chart with its effect: a renewal whose acknowledgement extends the lease. */
export function provideHeartbeat(runtime: Runtime) {
  const { lease, outages, reports, settings, store } = runtime;
  const periodMs = settings.ttlMs / beatsPerTtl;
  /** When the first renewal was sent that was not confirmed; null: the last one was. */
  let unansweredBootMs: number | null = null;
  return heartbeatMachine.provide({
    actors: {
      renewSession: fromPromise<Outcome<null>, HeartbeatContext>(async ({ input }) => {
        const sentBootMs = lease.noteRenewalSent();
        const sinceBootMs = unansweredBootMs ?? sentBootMs;
        // A claim may be answered before the renewal is.
        outages.present = () => outageSince(runtime, sinceBootMs);
        const outcome = await store.renewSession(input.ackedBeats, input.sentBeats);
        if (outcome.outcome === 'committed') {
          // An acknowledgement that comes after the lease is over must not revive it.
          if (lease.leftMs() <= 0) return refused('the lease was over before the renewal');
          const outage = outages.present();
          if (outage !== null) outages.note(outage);
          outages.present = () => null;
          unansweredBootMs = null;
          lease.extend(sentBootMs);
          reports.databaseAnswered?.();
        } else if (outcome.outcome === 'unknown') {
          unansweredBootMs ??= sentBootMs;
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

/** An answer that takes no longer is none that kept anybody waiting. */
const answerMsMax = 1_000;

/**
 * The database has not answered a renewal since then. Before that it may have been away for a
 * period; of longer nothing is known, since this process may have stood still.
 */
function outageSince(runtime: Runtime, sinceBootMs: number): Span | null {
  const { clock, lease, settings } = runtime;
  const waitedMs = lease.readBootClockMs() - sinceBootMs;
  if (waitedMs <= answerMsMax) return null;
  const awayMs = Math.min(lease.silentMs(), waitedMs + settings.ttlMs / beatsPerTtl);
  const untilMs = clock.nowMs();
  return { fromMs: untilMs - awayMs, untilMs };
}
