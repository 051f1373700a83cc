import { setTimeout as delay } from 'node:timers/promises';
import { endServer, isRunning, type ServerProcess } from './serverProcess.ts';

/** A server that is started again whenever it ends without a request to. */
interface KeptServer {
  current(): ServerProcess;
  /** Ends the server for good. */
  stop(): Promise<void>;
}

const lookEveryMs = 500;
const pauseMsMin = 500;
const pauseMsMax = 30_000;
/** Who ran this long is not in a loop of crashes. */
const healthyMs = 60_000;
const stopGraceMs = 30_000;

/**
 * Watches a server and starts it again when it died, e.g. by the kernel's out-of-memory killer.
 * Pauses grow between starts that do not last.
 */
export function keepRunning(
  first: ServerProcess,
  restart: (signal: AbortSignal) => Promise<ServerProcess>,
  report: (line: string) => void,
): KeptServer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = first;

  const watch = async () => {
    let pauseMs = pauseMsMin;
    let startedAt = performance.now();
    for (;;) {
      await delay(lookEveryMs, undefined, { signal, ref: false });
      if (await isRunning(server)) continue;
      if (performance.now() - startedAt > healthyMs) pauseMs = pauseMsMin;
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
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  };
  const watching = watch().catch((error: unknown) => {
    // `stop` ends the watch; anything else cannot happen and must not be swallowed.
    if (!signal.aborted) throw error;
  });

  return {
    current: () => server,
    async stop() {
      stopping.abort();
      await watching;
      await endServer(server, stopGraceMs);
    },
  };
}
