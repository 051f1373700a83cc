import { FieldError } from '../../../domain/errors/errors.ts';
import { upstreamText } from '../../../domain/job/fieldTable/upstream.ts';
import { readTimezone } from '../../../domain/schedule/read/readTimezone.ts';
import type { ScheduleSetFault } from '../../../domain/schedule/schedule.ts';
import type { Channel } from '../../../store/connection/channel.ts';
import { rolledBack, understood } from '../../../store/jobs/changes/rollbackJob.ts';
import { findJob } from '../../../store/jobs/findJob.ts';
import {
  type RevisionShown,
  readRevision,
  readRevisions,
  revisionMissing,
} from '../../../store/jobs/readRevisions.ts';
import { showJob } from '../../../store/jobs/showJob.ts';
import { type Caller, requireGroup } from '../../authentication/api.ts';
import type { revisionContract, scheduleContract } from '../../contract/revisionContract.ts';
import { isoOf } from '../../views/isoOf.ts';
import { revisionView } from '../../views/jobView.ts';
import { scheduleOf } from '../../work/calculations.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { withoutUndefined } from '../handling/badField.ts';
import { changedAnswer, editDefinition } from '../handling/editFields.ts';
import { readCondition } from '../handling/entityTag.ts';
import { groupOfJob, maySeeRevision, requireJob, requireUpstreams } from '../handling/jobAccess.ts';

export const revisionRoutes: Handlers<typeof revisionContract> = {
  'GET /jobs/{job}/revisions': async ({ job: name, limit = 20, after = null }, c) => {
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const { revisions, isMore } = await c.var.withChannel(async (channel) => {
      const { jobId } = await findJob(channel, name);
      return readRevisions(channel, jobId, { beforeRevision: after, revisionsMax: limit });
    });
    const visible = revisions.filter((revision) => maySeeRevision(c.var.caller, revision));
    const next = isMore ? `${revisions.at(-1)?.revision}` : null;
    return { items: visible.map(revisionView), next };
  },
  'GET /jobs/{job}/revisions/{revision}': async ({ job: name, revision }, c) => {
    await c.var.operate((operator) => requireJob(operator, c.var.caller, name));
    const found = await c.var.withChannel((channel) =>
      readVisible(channel, c.var.caller, name, revision),
    );
    return revisionView(found);
  },
  'GET /jobs/{job}/revisions/{revision}/diff': async ({ job: name, revision, ...query }, c) => {
    const { caller } = c.var;
    return c.var.operate(async (operator) => {
      await requireJob(operator, caller, name);
      return operator.diffRevisions(name, withoutUndefined({ to: revision, ...query }), (found) =>
        requireVisible(caller, name, found),
      );
    });
  },
  'POST /jobs/{job}/rollback': async ({ job: name, revision, 'if-match': tag }, c) => {
    const { caller } = c.var;
    const condition = readCondition(tag) ?? '*';
    await c.var.operate((operator) => requireJob(operator, caller, name));
    const definition = await c.var.withChannel(async (channel) =>
      understood(name, await readVisible(channel, caller, name, revision)),
    );
    const after = definition.after?.map(upstreamText) ?? [];
    const changed = await c.var.operate(async (operator) => {
      await requireUpstreams(operator, caller, { after });
      return operator.editJob(
        name,
        (current, _, job) =>
          editDefinition(caller, condition, current, job, () => rolledBack(current, definition)),
        'job.rollback',
      );
    });
    return changedAnswer(c, changed);
  },
  'GET /jobs/{job}/next': async ({ job: name, count = 10 }, c) => {
    const job = await c.var.withChannel((channel) => showJob(channel, name, 1));
    const { isPaused, nowMs, resumeAtMs } = job;
    const [{ definition, inForceFromMs }] = job.revisions;
    requireGroup(c.var.caller, groupOfJob(definition), { name });
    if (isPaused && resumeAtMs === null) return { next: [] };
    const ticks = await c.var.calculate('nextTicks', {
      ...{ schedule: scheduleOf(definition), inForceFromMs },
      ...{ afterMs: Math.max(nowMs, resumeAtMs ?? nowMs), ticksMax: count },
    });
    return { next: ticks.map(isoOf) };
  },
};

async function readVisible(
  channel: Channel,
  caller: Caller,
  name: string,
  revision: number,
): Promise<RevisionShown> {
  const found = await readRevision(channel, name, revision);
  requireVisible(caller, name, found);
  return found;
}

/** @throws OperatorError `revision_missing`. */
function requireVisible(caller: Caller, name: string, found: RevisionShown): void {
  if (!maySeeRevision(caller, found)) throw revisionMissing(name, found.revision);
}

export const scheduleRoutes: Handlers<typeof scheduleContract> = {
  'POST /schedule/preview': async ({ cron, timezone, name, dialect, zones = [], ...rest }, c) => {
    const { from: fromMs = Date.now(), count = 10, dstGap: gap, dstFold: fold, ...bounds } = rest;
    const [schedule = '', ...moreSchedules] = typeof cron === 'string' ? [cron] : cron;
    const request = {
      ...{ schedule, moreSchedules, timezone, jobName: name, fromMs, count },
      zones: zones.map(readZone),
      ...(dialect === 'quartz' ? { dialect } : {}),
      ...withoutUndefined({ gap, fold, ...bounds }),
    };
    const answer = await c.var.calculate('previewTicks', request);
    if (!(answer instanceof Uint8Array)) throw badSchedule(answer);
    return c.body(answer, 200, { 'content-type': 'application/json' });
  },
};

function readZone(name: string): string {
  const zone = readTimezone(name);
  if (!('error' in zone)) return zone.timezone;
  throw new FieldError({
    code: 'bad_zones',
    message: `zones: ${zone.error}.`,
    hint: 'Zones are UTC and IANA names, such as Europe/London.',
    errors: [{ field: 'zones', message: zone.error }],
  });
}

/** The API's names of fields of a definition, where they differ. */
const apiNames: Record<string, string> = {
  schedule: 'cron',
  moreSchedules: 'cron',
  gap: 'dstGap',
  fold: 'dstFold',
};

/** People are shown the first one, programs get all of them. */
function badSchedule(faults: readonly ScheduleSetFault[]): FieldError {
  const errors = faults.map(({ error, field }) => {
    return { field: apiNames[field] ?? field, message: error };
  });
  const [first] = errors;
  return new FieldError({
    code: `bad_${faults[0]?.field}`,
    message: `${first?.field}: ${first?.message}.`,
    hint: 'Schedules have 5, 6 or 7 fields, or are @daily, @every 90s, @at ISO, @manual.',
    errors,
  });
}
