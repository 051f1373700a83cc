import type { ServiceManager } from './serviceManager.ts';

/** What the guardian knows of its node, as the service manager is told of it. */
export interface GuardedState {
  /** A node process is there. */
  readonly isAlive: boolean;
  /** It is, and its lease is good: it may run jobs. */
  readonly isServing: boolean;
}

const lookMs = 500;
/** Within the time of the watchdog it is fed so often, so that a late look costs nothing. */
const feedsPerPeriod = 3;

/**
 * Tells the service manager how the node is: ready when it first has a lease, the watchdog fed only
 * while it has one. So a node that is out of contact for longer than the watchdog allows is started
 * anew, guardian and all; one that hangs the guardian has killed long before.
 */
export function reportToService(
  service: ServiceManager,
  look: () => GuardedState,
): { stopping(): void; close(): void } {
  const feedMs = (service.watchdogMs ?? Number.POSITIVE_INFINITY) / feedsPerPeriod;
  let isReady = false;
  let isStopping = false;
  let fedMs = Number.NEGATIVE_INFINITY;
  let told = '';
  const tell = (): void => {
    const state = look();
    const nowMs = performance.now();
    if (state.isServing && !isReady) {
      isReady = true;
      service.ready();
    }
    if (state.isServing && nowMs - fedMs >= feedMs) {
      fedMs = nowMs;
      service.feed();
    }
    const text = isStopping ? 'ending' : wordsOf(state);
    if (text !== told) service.status(text);
    told = text;
  };
  tell();
  const timer = setInterval(tell, Math.min(lookMs, feedMs));
  timer.unref();
  return {
    stopping() {
      if (!isStopping) service.stopping();
      isStopping = true;
      tell();
    },
    close() {
      clearInterval(timer);
      service.close();
    },
  };
}

function wordsOf({ isAlive, isServing }: GuardedState): string {
  if (isServing) return 'serving';
  return isAlive ? 'the node has no lease: it starts, or the database is away' : 'no node runs';
}
