import { checkedEnv } from '../../../domain/job/edit/requestEnv.ts';
import { parseDuration } from '../../../domain/time/duration.ts';
import { parseInstant } from '../../../domain/time/parseInstant.ts';
import type { PauseEnd } from '../../../store/jobs/changes/changeJob.ts';
import { showJob } from '../../../store/jobs/showJob.ts';
import type { jobActionContract } from '../../contract/jobActionContract.ts';
import { scheduleOf } from '../../work/calculations.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { badField } from '../handling/badField.ts';
import { changedAnswer } from '../handling/editFields.ts';
import { operateOnJob, requireJob } from '../handling/jobAccess.ts';

export const jobActionRoutes: Handlers<typeof jobActionContract> = {
  'POST /jobs/{job}/pause': async ({ job: name, note, until }, c) => {
    const end = readPauseEnd(until);
    const changed = await operateOnJob(c.var, name, (operator) =>
      operator.pauseJob(name, end, note),
    );
    return changedAnswer(c, changed);
  },
  'POST /jobs/{job}/resume': async ({ job: name }, c) => {
    const changed = await operateOnJob(c.var, name, (operator) => operator.resumeJob(name));
    return changedAnswer(c, changed);
  },
  'POST /jobs/{job}/go-live': async ({ job: name }, c) => {
    const changed = await operateOnJob(c.var, name, (operator) => operator.goLive(name));
    return changedAnswer(c, changed);
  },
  'POST /jobs/{job}/run': async ({ job: name, env = {}, node = null, ...given }, c) => {
    const { requestId = c.var.creationId, ignoreOverlap: ignoresOverlap = false } = given;
    const options = { env: checkedEnv(env), wantedNode: node, ignoresOverlap };
    const requested = await operateOnJob(c.var, name, (operator) =>
      operator.runJob(name, requestId, options),
    );
    c.header('location', `/api/v1/runs/${encodeURIComponent(requestId)}`);
    return requested;
  },
  'POST /jobs/{job}/skip-next': ({ job, count = 1 }, c) =>
    operateOnJob(c.var, job, (operator) => operator.skipNext(job, count)),
  'POST /jobs/{job}/backfill': async ({ job: name, from: fromMs, to: untilMs, ...given }, c) => {
    const { max = 1_000, dryRun = false } = given;
    if (untilMs < fromMs) throw badField('to', 'is before from');
    c.set('isDry', dryRun);
    const requestId = given.requestId ?? `backfill:${fromMs}-${untilMs}`;
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const job = await c.var.withChannel((channel) => showJob(channel, name, 1));
    const [{ definition, revision }] = job.revisions;
    const found = await c.var.calculate('nextTicks', {
      ...{ schedule: scheduleOf(definition), inForceFromMs: fromMs },
      ...{ afterMs: fromMs - 1, untilMs, ticksMax: max + 1 },
    });
    const range = { fromMs, untilMs, ticksMax: max, known: { revision, ticks: found } };
    return operateOnJob(c.var, name, (operator) =>
      operator.backfillJob(name, requestId, range, dryRun),
    );
  },
};

/** An instant with its zone, or a time from now on, by the database's clock. */
export function readPauseEnd(until: string | undefined): PauseEnd {
  if (until === undefined) return null;
  const untilMs = parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  throw badField('until', 'write an instant as 2030-01-31T09:30:00Z, or a duration as 2h');
}
