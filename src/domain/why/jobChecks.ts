import { whyNotUnderstood } from '../job/edit/definitionFormat.ts';
import { whyPaused } from '../policies/runLimit.ts';
import { endOfTogether, readPauseReason } from '../reasons/readPauseReason.ts';
import { reasons } from '../reasons/reasons.ts';
import { shellWord } from '../text/quoteForShell.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import type { JobFacts, WhyFacts } from './whyFacts.ts';

/** What operators and the job's own limits have said of it. */
export function jobChecks({ job }: WhyFacts): Check[] {
  const whyNot = whyNotUnderstood(job.definition);
  return [
    existsCheck(job),
    pausedCheck(job),
    runLimitsCheck(job),
    job.definition.observed === true
      ? failed('observed', 'It is observed: its ticks are recorded, and none is started.', {
          reason: reasons.observed,
          hint: `statecron job go-live ${shellWord(job.name)}`,
        })
      : passed('observed', 'It is not observed.'),
    whyNot === null
      ? passed('understood', 'The version that answers understands its definition.')
      : unknown('understood', `The version that answers leaves it to others: ${whyNot}.`),
  ];
}

/** The path of a job in the API. */
export function jobLink(name: string): string {
  return `/api/v1/jobs/${encodeURIComponent(name)}`;
}

function existsCheck({ inForceFromMs, name, removedMs, revision }: JobFacts): Check {
  if (removedMs !== null) {
    const link = `/api/v1/runs?job=${encodeURIComponent(name)}`;
    return failed('exists', `It was removed at ${iso(removedMs)}.`, {
      ...{ reason: reasons.removed, link },
    });
  }
  const link = `${jobLink(name)}/revisions/${revision}`;
  return passed('exists', `Its revision ${revision} is in force since ${iso(inForceFromMs)}.`, {
    link,
  });
}

function pausedCheck(job: JobFacts): Check {
  const { isPaused, name, reason, removedMs, resumeAtMs, revision } = job;
  // The removal pauses it, too; nobody can resume it.
  if (!isPaused || removedMs !== null) return passed('paused', 'It is not paused.');
  const until = `It is paused until ${resumeAtMs === null ? 'it is resumed' : iso(resumeAtMs)}`;
  const was = reason === null ? `${until}.` : `It was ${reason}.`;
  const text = reason === null || resumeAtMs === null ? was : `${until}: it was ${reason}.`;
  const together = endOfTogether(readPauseReason(reason));
  return failed('paused', text, {
    reason: reason ?? reasons.paused,
    link: `${jobLink(name)}/revisions/${revision}`,
    hint: together
      ? `${together}, which ends it for all of them`
      : `statecron job resume ${shellWord(name)}`,
  });
}

function runLimitsCheck({
  definition,
  failuresInRow,
  isPaused,
  reason,
  ticksRun,
}: JobFacts): Check {
  const { failuresMax, runsMax } = definition;
  const counts = [
    ...(runsMax === undefined ? [] : [`${ticksRun} of ${runsMax} ticks have run (max-runs)`]),
    ...(failuresMax === undefined
      ? []
      : [`${failuresInRow} of ${failuresMax} failed in a row (pause-after-failures)`]),
  ];
  if (counts.length === 0) return passed('run-limits', 'It has no limit of runs or failures.');
  const text = `Since it was made or resumed ${counts.join(', ')}.`;
  const why = whyPaused(definition, { ticksRun, failuresInRow });
  const isReached = isPaused && why !== null && reason === why;
  return isReached ? failed('run-limits', text, { reason: why }) : passed('run-limits', text);
}
