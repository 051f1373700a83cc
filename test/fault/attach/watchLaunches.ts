import { scanProcesses } from '../../../src/exec/process/processTree.ts';
import { bootNowMs } from '../world/bootNow.ts';

/** When something of each launch was seen alive last. */
export interface LaunchWatch {
  readonly lastSeenMs: ReadonlyMap<string, number>;
  stop(): void;
}

const periodMs = 100;

/**
 * Looks at all processes of this host ten times a second for what carries the mark of a launch in
 * its environment, whatever its parent, session or group: what a job leaves behind is seen, unless
 * it sheds its environment.
 */
export function watchLaunches(): LaunchWatch {
  const lastSeenMs = new Map<string, number>();
  const look = (): void => {
    const atMs = bootNowMs(); // what is found was alive at this instant, and later
    const { entries, markOf } = scanProcesses();
    for (const { pid } of entries) {
      const launchId = markOf(pid);
      if (launchId !== null) lastSeenMs.set(launchId, atMs);
    }
  };
  const timer = setInterval(look, periodMs);
  return { lastSeenMs, stop: () => clearInterval(timer) };
}
