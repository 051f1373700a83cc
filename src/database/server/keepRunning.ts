import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from './serverProcess.ts';
import { endServer, isRunning } from './serverProcess.ts';

/** A server that is started again whenever it ends without a request to. */
interface KeptServer {
  current(): ServerProcess;
  /** Ends the server for good; may be called again. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;
/** Who ran this long is not in a loop of crashes. */
const HEALTHY_MS = 60_000;
const STOP_GRACE_MS = 30_000;

/**
 * Watches a server and starts it again when it died, for example by the kernel's out-of-memory
 * killer: nodes come back by themselves once their database answers. Pauses grow between starts
 * that do not last.
 */
export function keepRunning(
  first: ServerProcess,
  restart: (signal: AbortSignal) => Promise<ServerProcess>,
  report: (line: string) => void,
): KeptServer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = first;
  let stopped: Promise<void> | undefined;

  const watch = async () => {
    let pauseMs = PAUSE_MS_MIN;
    let startedAt = performance.now();
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false });
      if (await isRunning(server)) continue;
      if (performance.now() - startedAt > HEALTHY_MS) pauseMs = PAUSE_MS_MIN;
      report(`The private database server (pid ${server.pid}) has ended; starting it again …`);
      try {
        server = await restart(signal);
        report(`The private database server runs again (pid ${server.pid}).`);
      } catch (error) {
        signal.throwIfAborted();
        report(`It does not start: ${(error as Error).message}`);
      }
      startedAt = performance.now();
      await delay(pauseMs, undefined, { signal, ref: false });
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
    }
  };
  const watching = watch().catch((error: unknown) => {
    // `stop` ends the watch; anything else cannot happen and must not be swallowed.
    if (!signal.aborted) throw error;
  });

  const stop = async () => {
    stopping.abort();
    await watching;
    await endServer(server, STOP_GRACE_MS);
  };
  return {
    current: () => server,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
