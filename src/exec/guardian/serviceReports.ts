import type { ServiceManager } from './serviceManager.ts';

/** The state of the node as it is reported to the service manager. */
export interface GuardedState {
  /** A node process is there. */
  readonly isAlive: boolean;
  /** It is, and its lease is good: it may run jobs. */
  readonly isServing: boolean;
}

const lookMs = 500;
/** How often the watchdog is fed within its period. */
const feedsPerPeriod = 3;

/**
 * Reports to the service manager how the node is: ready when it first has a lease, the watchdog fed
 * only while it has one, so that a node that is out of contact for longer is started anew.
 */
export function reportToService(
  service: ServiceManager,
  look: () => GuardedState,
): { stopping(): void; close(): void } {
  const feedMs = (service.watchdogMs ?? Number.POSITIVE_INFINITY) / feedsPerPeriod;
  let isStopping = false;
  let fedMs = Number.NEGATIVE_INFINITY;
  /** What was sent last of each kind: what could not be sent is sent at the next look. */
  const sent = new Map<string, string>();
  const send = (name: string, value = '1'): void => {
    if (sent.get(name) !== value && service.notify(`${name}=${value}`)) sent.set(name, value);
  };
  const report = (): void => {
    const state = look();
    if (state.isServing) send('READY');
    const nowMs = performance.now();
    if (state.isServing && nowMs - fedMs >= feedMs && service.notify('WATCHDOG=1')) fedMs = nowMs;
    if (isStopping) send('STOPPING');
    send('STATUS', isStopping ? 'ending' : statusOf(state));
  };
  report();
  const timer = setInterval(report, Math.min(lookMs, feedMs));
  timer.unref();
  return {
    stopping() {
      isStopping = true;
      report();
    },
    close() {
      clearInterval(timer);
      service.close();
    },
  };
}

function statusOf({ isAlive, isServing }: GuardedState): string {
  if (isServing) return 'serving';
  return isAlive ? 'the node has no lease: it starts, or the database is away' : 'no node runs';
}
