import { uptime } from 'node:os';
import type { Executor } from './actors/runtime/runtime.ts';
import type { DatabaseClock } from './domain/time/databaseClock.ts';
import { createPool } from './exec/pool/pool.ts';
import { requestOfLaunch } from './exec/request/requestOfLaunch.ts';

/** What the pool has to know of the node that it works for. */
interface ExecutorParts {
  readonly sessionId: string;
  readonly nodeName: string;
  /** Worker threads. */
  readonly threads: number;
  readonly guardianFd: number | null;
  readonly allowedUsers: readonly string[];
  readonly spoolFolder: string | null;
  readonly leaseFd: number;
  readonly clock: DatabaseClock;
  readonly onFatal: (error: unknown) => void;
}

/** Milliseconds since the host was booted, which no step of the wall clock changes. */
export const bootNowMs = (): number => uptime() * 1000;

/** The pool of a node as its actors see it. */
export function startNodeExecutor(parts: ExecutorParts): Executor {
  const { clock, nodeName, spoolFolder, ...rest } = parts;
  const pool = createPool(rest);
  return {
    run: (launch) => {
      const clockOffsetMs = Math.round(clock.nowMs() - bootNowMs());
      return pool.run(requestOfLaunch(launch, nodeName, { spoolFolder, clockOffsetMs }));
    },
    stop: (launchId, how) => pool.stop(launchId, how === 'at once' ? 'killed' : 'stopped'),
    peek: (launchId, bytesMax) => pool.peek(launchId, bytesMax),
    load: () => pool.stats(),
    killEverything: () => pool.killEverything(),
    close: () => pool.close(),
  };
}
