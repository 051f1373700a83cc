import { fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { readPauseReason } from '../../domain/reasons/readPauseReason.ts';
import { spreadOf } from '../../domain/run/spreadOf.ts';
import { firstTicks } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { JobAdded } from '../../store/jobs/changes/addJob.ts';
import type { JobChanged } from '../../store/jobs/changes/changeJob.ts';
import type { JobListed } from '../../store/jobs/listedJob.ts';
import type { RevisionShown } from '../../store/jobs/readRevisions.ts';
import type { JobShown, SlotShown } from '../../store/jobs/showJob.ts';
import { durationOf, type RecentRun } from '../../store/runs/recentRuns.ts';
import type { Answer } from '../contract/apiContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';
import { muteView } from './muteView.ts';

export type ListedJobView = Answer<'GET /jobs'>['items'][number];
export type ShownJobView = Answer<'GET /jobs/{job}'>;
export type ChangedJobView = Answer<'PATCH /jobs/{job}'>;

/** A job of a list. Of its command the beginning is enough there. */
export function listedJobView(job: JobListed, isFull: boolean): ListedJobView {
  const { schedule, moreSchedules = [], timezone, command, description = null } = job.definition;
  const { group = 'default', tags = [], kind = 'single' } = job.definition;
  return {
    job: job.name,
    jobId: job.jobId,
    group,
    tags,
    kind,
    schedule,
    moreSchedules,
    timezone,
    command: isFull ? command : command.slice(0, commandCharactersMax),
    description,
    state: job.state,
    paused: job.isPaused,
    observed: job.definition.observed === true,
    resumeAt: isoOrNull(job.resumeAtMs),
    revision: job.revision,
    inForceFrom: isoOf(job.inForceFromMs),
    next: isoOrNull(job.nextRunMs),
    prepared: job.prepared,
    executing: job.executing,
    lastResult: job.last?.result ?? null,
    lastEndedAt: isoOrNull(job.last?.endedMs ?? null),
    lastDurationMs: job.last === null ? null : durationOf(job.last),
    ...(job.recent === undefined ? {} : { stats: statsView(job.recent) }),
    ...(isFull ? { definition: { ...job.definition } } : {}),
  };
}

function statsView(recent: readonly RecentRun[]): ListedJobView['stats'] {
  const runs = recent.map((run) => {
    const { runId, result, endedMs } = run;
    return { runId, result, endedAt: isoOf(endedMs), durationMs: durationOf(run) };
  });
  const spread = spreadOf(runs.flatMap(({ durationMs }) => durationMs ?? []));
  return { recent: runs, durationP50Ms: spread.p50Ms, durationP95Ms: spread.p95Ms };
}

const commandCharactersMax = 500;
const ticksShown = 5;

/** All that there is to know about one job. */
export function shownJobView(job: JobShown): ShownJobView {
  const [{ definition, revision, inForceFromMs }] = job.revisions;
  const ticks = job.isPaused
    ? []
    : firstTicks(ticksOfRevision(definition, inForceFromMs), job.nowMs, ticksShown);
  return {
    job: job.name,
    jobId: job.jobId,
    revision,
    group: definition.group ?? 'default',
    paused: job.isPaused,
    resumeAt: isoOrNull(job.resumeAtMs),
    pause: pauseView(job),
    createdAt: isoOf(job.createdMs),
    now: isoOf(job.nowMs),
    fields: fieldsView(definition),
    definition: { ...definition },
    next: ticks.map(isoOf),
    pending: job.pending,
    mayRunOn: job.nodes,
    mutes: job.mutes.map(muteView),
    slots: job.slots.map(slotView),
    revisions: job.revisions.map(revisionView),
  };
}

/** An edit of a paused job makes another revision of the same pause. */
function pauseView({ isPaused, resumeAtMs, revisions }: JobShown): ShownJobView['pause'] {
  if (!isPaused) return null;
  const [{ reason }] = revisions;
  const end = revisions.findIndex((each) => !each.isPaused || each.reason !== reason);
  const first = revisions.at(end - (end === -1 ? 0 : 1)) ?? revisions[0];
  const { by, note } = readPauseReason(reason);
  return { by, note, since: isoOf(first.inForceFromMs), until: isoOrNull(resumeAtMs) };
}

/** The definition of an answer is as it is stored; fields of a newer version are not read. */
export function definitionOf({ definition }: { readonly definition?: unknown }): JobDefinition {
  if (definition === undefined) throw new Error('an answer without its definition');
  return definition as JobDefinition;
}

/** A job of a list as `apply` compares it with what a file wants. */
export function presentJobOf(job: ListedJobView): PresentJob {
  const definition = definitionOf(job);
  // A node of an earlier release does not say when a pause ends.
  const untilMs = job.resumeAt ? Date.parse(job.resumeAt) : null;
  return { definition, pause: job.paused ? { untilMs } : null };
}

/** The fields of a definition by their keys, as a PUT takes them; what is a list is one always. */
export function fieldsView(definition: JobDefinition): Record<string, unknown> {
  const { cron, ...fields } = Object.fromEntries(fieldsOfDefinition(definition, 'key'));
  return { cron: [cron].flat(), ...fields };
}

export function revisionView(
  revision: RevisionShown,
): Answer<'GET /jobs/{job}/revisions/{revision}'> {
  return {
    revision: revision.revision,
    paused: revision.isPaused,
    reason: revision.reason,
    inForceFrom: isoOf(revision.inForceFromMs),
    inForceUntil: isoOrNull(revision.inForceUntilMs),
    definition: { ...revision.definition },
  };
}

function slotView(slot: SlotShown): ShownJobView['slots'][number] {
  const { isStopping, nextRunMs, cursorMs, scheduledForMs, startedMs, ...same } = slot;
  return {
    ...same,
    stopping: isStopping,
    nextRunAt: isoOrNull(nextRunMs),
    cursorAt: isoOrNull(cursorMs),
    scheduledFor: isoOrNull(scheduledForMs),
    startedAt: isoOrNull(startedMs),
  };
}

export function addedJobView(
  { name, timezone }: JobDefinition,
  added: JobAdded,
): Answer<'POST /jobs'> {
  return {
    job: name,
    jobId: added.jobId,
    revision: added.revision,
    timezone,
    inForceFrom: isoOf(added.inForceFromMs),
    next: isoOrNull(added.nextRunMs),
    warnings: [],
  };
}

export function changedJobView(job: string, changed: JobChanged): ChangedJobView {
  return {
    job,
    jobId: changed.jobId,
    changed: changed.isChanged,
    revision: changed.revision,
    inForceFrom: isoOf(changed.inForceFromMs),
    next: isoOrNull(changed.nextRunMs),
    executing: changed.executing,
    warnings: [],
  };
}
