import type { DatabaseClock } from '../../domain/time/databaseClock.ts';
import { bootMs } from '../../exec/lease/bootClock.ts';
import type { OutputFolder } from '../../exec/output/outputFolder.ts';
import type { ExecutionPool } from '../../exec/pool/pool.ts';
import { requestOfLaunch } from '../../exec/request/runRequest.ts';
import type { Executor } from './runtime.ts';

interface PoolNode {
  readonly nodeName: string;
  readonly clock: DatabaseClock;
  readonly spoolFolder: string | null;
  /** Null: runs have no files of their output. */
  readonly files: OutputFolder | null;
  readonly isJournaled: boolean;
}

/** The pool of a node as its actors see it. */
export function poolExecutor(pool: ExecutionPool, node: PoolNode): Executor {
  const { clock, files, isJournaled, nodeName, spoolFolder } = node;
  return {
    users: pool.users,
    run: async (launch) => {
      const clockOffsetMs = Math.round(clock.nowMs() - bootMs());
      const plain = requestOfLaunch(launch, nodeName, { spoolFolder, clockOffsetMs });
      const request = isJournaled ? { ...plain, isJournaled } : plain;
      if (files === null) return pool.run(request);
      const outputFile = files.begin(launch.jobId, launch.launchId);
      const execution = await pool.run({ ...request, outputFile });
      files.ended(outputFile, execution.outputBytes);
      return execution;
    },
    stop: (launchId, how) => pool.stop(launchId, how === 'at once' ? 'killed' : 'stopped'),
    peek: (launchId, bytesMax) => pool.peek(launchId, bytesMax),
    load: () => pool.stats(),
    killEverything: () => pool.killEverything(),
    close: () => pool.close(),
  };
}
