import type { Upstream } from '../job/fieldTable/upstream.ts';
import type { RunResult } from './run.ts';

/** Which ends of a launch start the jobs that follow it; of others nothing follows. */
export const endsOfResult: Readonly<Partial<Record<RunResult, readonly Upstream['on'][]>>> = {
  succeeded: ['success', 'end'],
  failed: ['failure', 'end'],
  timed_out: ['failure', 'end'],
  stopped: ['failure', 'end'],
  lost: ['failure', 'end'],
};

/** Whether a job that follows another one starts when a launch of that ended so. */
export function startsFollower(result: RunResult, wanted: Upstream['on']): boolean {
  return endsOfResult[result]?.includes(wanted) ?? false;
}
