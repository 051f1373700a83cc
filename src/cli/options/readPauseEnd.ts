import { startOfDay } from '../../domain/schedule/startOfDay.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { usageFault } from '../output/reportFault.ts';

/** `--until`: an instant with its zone, or a time from now on, by the database's clock. */
export function readPauseEnd(until: string | undefined, command: string): PauseEnd {
  if (until === undefined) return null;
  const untilMs = startOfDay(until, localTimezone()) ?? parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  const forms = 'an instant as 2030-01-31T09:30:00Z or +01:00, nor a duration as 2h or 1d';
  throw usageFault(
    `--until: ${JSON.stringify(until)} is neither ${forms}.`,
    `See: statecron ${command} --help`,
  );
}
