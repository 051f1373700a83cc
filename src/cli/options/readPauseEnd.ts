import { startOfDay } from '../../domain/schedule/startOfDay.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { usageFault } from '../output/reportFault.ts';

/**
 * `--until`: an instant with its zone, a date, which begins in the given one, or a time from now
 * on, by the database's clock.
 */
export function readPauseEnd(
  until: string | undefined,
  command: string,
  timezone = localTimezone(),
): PauseEnd {
  if (until === undefined) return null;
  const untilMs = startOfDay(until, timezone) ?? parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  const forms =
    'an instant as 2030-01-31T09:30:00Z or +01:00, a date as 2030-01-31, nor a duration as 2h';
  throw usageFault(
    `--until: ${JSON.stringify(until)} is neither ${forms}.`,
    `See: statecron ${command} --help`,
  );
}
