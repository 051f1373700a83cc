import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { JobChanged } from '../../store/jobs/changeJob.ts';
import type { JobListed } from '../../store/jobs/listedJob.ts';
import type { RevisionShown } from '../../store/jobs/readRevisions.ts';
import type { JobShown, SlotShown } from '../../store/jobs/showJob.ts';
import type { ChangedJobJson, JobPageJson, ShownJobJson } from './answerJson.ts';
import { instantMs, optionalMs } from './readInstant.ts';

/** A job of an answer in the shape that the store has it in. */
export function readShownJob(job: ShownJobJson): JobShown {
  const [first, ...others] = job.revisions.map(readRevision);
  if (first === undefined) throw new Error(`${job.job}: an answer without a revision`);
  return {
    jobId: job.jobId,
    name: job.job,
    isPaused: job.paused,
    resumeAtMs: optionalMs(job.resumeAt),
    createdMs: instantMs(job.createdAt),
    revisions: [first, ...others],
    slots: job.slots.map(readSlot),
    pending: job.pending,
    nodes: job.mayRunOn,
    nowMs: instantMs(job.now),
  };
}

function readRevision(revision: ShownJobJson['revisions'][number]): RevisionShown {
  return {
    revision: revision.revision,
    isPaused: revision.paused,
    inForceFromMs: instantMs(revision.inForceFrom),
    inForceUntilMs: optionalMs(revision.inForceUntil),
    definition: readDefinition(revision),
    reason: revision.reason,
  };
}

function readSlot(slot: ShownJobJson['slots'][number]): SlotShown {
  const { nextRunAt, cursorAt, scheduledFor, startedAt, stopping, ...same } = slot;
  return {
    ...same,
    isStopping: stopping,
    nextRunMs: optionalMs(nextRunAt),
    cursorMs: optionalMs(cursorAt),
    scheduledForMs: optionalMs(scheduledFor),
    startedMs: optionalMs(startedAt),
  };
}

/** A job of a list that was asked for with the definitions. */
export function readListedJob(job: JobPageJson['items'][number]): JobListed {
  const { lastResult, lastEndedAt } = job;
  return {
    jobId: job.jobId,
    name: job.job,
    isPaused: job.paused,
    // A node of an earlier release does not say it.
    resumeAtMs: optionalMs(job.resumeAt ?? null),
    revision: job.revision,
    definition: readDefinition(job),
    nextRunMs: optionalMs(job.next),
    prepared: job.prepared,
    executing: job.executing,
    last:
      lastResult === null || lastEndedAt === null
        ? null
        : { result: lastResult, endedMs: instantMs(lastEndedAt) },
  };
}

export function readChangedJob(job: ChangedJobJson): JobChanged {
  return {
    jobId: job.jobId,
    isChanged: job.changed,
    revision: job.revision,
    inForceFromMs: instantMs(job.inForceFrom),
    nextRunMs: optionalMs(job.next),
    // A node of an earlier version does not tell.
    executing: job.executing ?? null,
  };
}

/** A definition is told as it is stored; one of a newer version has words that nobody reads. */
export function readDefinition({ definition }: { readonly definition?: unknown }): JobDefinition {
  if (definition === undefined) throw new Error('an answer without its definition');
  return definition as JobDefinition;
}
