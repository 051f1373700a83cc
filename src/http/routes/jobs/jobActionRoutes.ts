import { checkedEnv } from '../../../domain/job/edit/requestEnv.ts';
import { parseDuration } from '../../../domain/time/duration.ts';
import { parseInstant } from '../../../domain/time/parseInstant.ts';
import type { PauseEnd } from '../../../store/jobs/changes/changeJob.ts';
import type { jobActionContract } from '../../contract/jobActionContract.ts';
import { backfilledView, changedJobView, skippedView } from '../../views/jobView.ts';
import { scheduleOf } from '../../work/calculations.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { badField } from '../handling/badField.ts';
import { tagOfJob } from '../handling/entityTag.ts';
import { operateOnJob } from '../handling/jobAccess.ts';

export const jobActionRoutes: Handlers<typeof jobActionContract> = {
  'POST /jobs/{job}/pause': async ({ job: name, until }, c) => {
    const end = readPauseEnd(until);
    const changed = await operateOnJob(c.var, name, (operator) => operator.pauseJob(name, end));
    c.header('etag', tagOfJob(changed));
    return changedJobView(name, changed);
  },
  'POST /jobs/{job}/resume': async ({ job: name }, c) => {
    const changed = await operateOnJob(c.var, name, (operator) => operator.resumeJob(name));
    c.header('etag', tagOfJob(changed));
    return changedJobView(name, changed);
  },
  'POST /jobs/{job}/run': async ({ job: name, env = {}, node = null, ...given }, c) => {
    const { requestId = c.var.creationId, ignoreOverlap: ignoresOverlap = false } = given;
    const options = { env: checkedEnv(env), wantedNode: node, ignoresOverlap };
    const requested = await operateOnJob(c.var, name, (operator) =>
      operator.runJob(name, requestId, options),
    );
    c.header('location', `/api/v1/runs/${encodeURIComponent(requestId)}`);
    return { job: name, ...requested };
  },
  'POST /jobs/{job}/skip-next': async ({ job: name, count = 1 }, c) => {
    const skipped = await operateOnJob(c.var, name, (operator) => operator.skipNext(name, count));
    return skippedView(name, skipped);
  },
  'POST /jobs/{job}/backfill': async ({ job: name, from: fromMs, to: untilMs, ...given }, c) => {
    const { max = 1_000, dryRun = false } = given;
    if (untilMs < fromMs) throw badField('to', 'is before from');
    c.set('isDry', dryRun);
    const requestId = given.requestId ?? `backfill:${fromMs}-${untilMs}`;
    const [{ definition, revision }] = (
      await operateOnJob(c.var, name, (operator) => operator.showJob(name, 1))
    ).revisions;
    const found = await c.var.calculate('nextTicks', {
      ...{ schedule: scheduleOf(definition), inForceFromMs: fromMs },
      ...{ afterMs: fromMs - 1, untilMs, ticksMax: max + 1 },
    });
    const range = { fromMs, untilMs, ticksMax: max, known: { revision, ticks: found } };
    const backfill = await operateOnJob(c.var, name, (operator) =>
      operator.backfillJob(name, requestId, range, dryRun),
    );
    return backfilledView(name, backfill, dryRun);
  },
};

/** An instant with its zone, or a time from now on, by the database's clock. */
function readPauseEnd(until: string | undefined): PauseEnd {
  if (until === undefined) return null;
  const untilMs = parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  throw badField('until', 'write an instant as 2030-01-31T09:30:00Z, or a duration as 2h');
}
