import { quoteForShell } from '../../../src/domain/text/quoteForShell.ts';
import { commandOf, type LedgerPlace } from '../workload/workloadJobs.ts';

/**
 * A job's own command behind the recorder, which writes down when it begins and how it ends. It
 * goes on to run when nobody records any more.
 * @param token which edit of which job it came from
 */
export function wrapCommand(place: LedgerPlace, token: string, command: string): string {
  return commandOf(place, token, [quoteForShell(`run=${command}`)]);
}

/** The job's own command; null: it is not behind a recorder. */
export function unwrapCommand(command: string): string | null {
  const own = /^exec perl '[^']*recorder\.pl' '[^']*' \d+ \S+ 'run=(.*)'$/s.exec(command)?.[1];
  return own?.replaceAll("'\\''", "'") ?? null;
}
