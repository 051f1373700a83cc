import { formatDuration } from '../domain/duration.ts';
import type { JobDefinition } from '../domain/jobDefinition.ts';
import { ticksOfRevision } from '../domain/revisionTicks.ts';
import type { JobListed } from '../store/jobs/listedJob.ts';
import type { JobFilter } from '../store/jobs/listJobs.ts';
import type { JobShown, SlotShown } from '../store/jobs/showJob.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { policyWords } from './policyWords.ts';
import {
  isoOf,
  printFields,
  printJson,
  printJsonArray,
  printLine,
  printNote,
  printTable,
  shortTime,
} from './print.ts';
import { withOperator } from './withOperator.ts';

export interface ListOptions extends ClusterOptions {
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly limit: number;
  readonly json?: boolean;
}

/** `job list`. */
export async function listJobsAction(
  text: string | undefined,
  options: ListOptions,
): Promise<void> {
  const { group, tag } = options;
  const filter: JobFilter = {
    jobsMax: options.limit,
    ...(text === undefined ? {} : { text }),
    ...(group === undefined ? {} : { group }),
    ...(tag === undefined ? {} : { tags: tag }),
  };
  await withOperator(options, async (operator) => {
    const jobs = operator.listJobs(filter);
    if (options.json) return printJsonArray(mapEach(jobs, listedJson));
    const rows: string[][] = [];
    for await (const job of jobs) rows.push(listedRow(job));
    if (rows.length === 0) {
      const isFiltered = group !== undefined || tag !== undefined;
      const none = `No job has ${JSON.stringify(text)} in its name.`;
      printNote(isFiltered ? 'There are no such jobs.' : text === undefined ? noJobs : none);
      return;
    }
    printTable(['JOB', 'SCHEDULE', 'ZONE', 'STATE', 'NEXT', 'LAST', 'COMMAND'], rows);
    if (rows.length === options.limit) printNote(`Only ${options.limit} are shown; see --limit.`);
  });
}

const noJobs = "There are no jobs. Add one: statecron job add hello --cron '* * * * *' --command …";

/** `job show`. */
export async function showJobAction(
  name: string,
  options: ClusterOptions & { json?: boolean },
): Promise<void> {
  const job = await withOperator(options, (operator) => operator.showJob(name));
  const next = nextTicksOf(job);
  if (options.json) printJson(shownJson(job, next));
  else printJob(job, next);
}

async function* mapEach<T, U>(values: AsyncIterable<T>, map: (value: T) => U): AsyncGenerator<U> {
  for await (const value of values) yield map(value);
}

function listedJson(job: JobListed) {
  const { schedule, moreSchedules = [], timezone, command } = job.definition;
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
    command,
    description: job.definition.description ?? null,
    paused: job.isPaused,
    resumeAt: isoOf(job.resumeAtMs),
    revision: job.revision,
    next: isoOf(job.nextRunMs),
    prepared: job.prepared,
    executing: job.executing,
    lastResult: job.last?.result ?? null,
    lastEndedAt: isoOf(job.last?.endedMs ?? null),
  };
}

function listedRow(job: JobListed): string[] {
  const { schedule, timezone, command } = job.definition;
  const state = job.executing > 0 ? 'executing' : job.prepared > 0 ? 'prepare' : 'idle';
  const more = job.definition.moreSchedules?.length ?? 0;
  return [
    job.name,
    more === 0 ? schedule : `${schedule} and ${more} more`,
    timezone,
    job.isPaused ? `paused${job.executing > 0 ? ', executing' : ''}` : state,
    shortTime(job.nextRunMs),
    job.last?.result ?? '-',
    command.length > commandShown ? `${command.slice(0, commandShown)}…` : command,
  ];
}

const commandShown = 60;
const ticksShown = 5;

function nextTicksOf(job: JobShown): number[] {
  if (job.isPaused) return [];
  const [{ definition, inForceFromMs }] = job.revisions;
  const source = ticksOfRevision(definition, inForceFromMs);
  const ticks: number[] = [];
  for (let afterMs = job.nowMs; ticks.length < ticksShown; ) {
    const tickMs = source.next(afterMs);
    if (tickMs === null) break;
    ticks.push(tickMs);
    afterMs = tickMs;
  }
  return ticks;
}

function shownJson(job: JobShown, next: readonly number[]) {
  const [{ definition, revision }] = job.revisions;
  return {
    job: job.name,
    jobId: job.jobId,
    ...definition,
    paused: job.isPaused,
    resumeAt: isoOf(job.resumeAtMs),
    revision,
    createdAt: isoOf(job.createdMs),
    next: next.map(isoOf),
    pending: job.pending,
    mayRunOn: job.nodes,
    slots: job.slots.map(slotJson),
    revisions: job.revisions.map((each) => ({
      revision: each.revision,
      paused: each.isPaused,
      reason: each.reason,
      inForceFrom: isoOf(each.inForceFromMs),
      inForceUntil: isoOf(each.inForceUntilMs),
      definition: each.definition,
    })),
  };
}

function slotJson(slot: SlotShown) {
  const { nodeName, slotNo, stripe, state, trigger, launchId, node, isStopping } = slot;
  return {
    nodeName,
    slotNo,
    stripe,
    state,
    trigger,
    launchId,
    node,
    stopping: isStopping,
    nextRunAt: isoOf(slot.nextRunMs),
    cursorAt: isoOf(slot.cursorMs),
    scheduledFor: isoOf(slot.scheduledForMs),
    startedAt: isoOf(slot.startedMs),
  };
}

function printJob(job: JobShown, next: readonly number[]): void {
  const [{ definition, reason, revision }] = job.revisions;
  printFields([
    ['job', job.name],
    ['state', stateWords(job, reason)],
    ...definitionFields(definition),
    ['may run on', job.nodes.length === 0 ? 'no live node' : job.nodes.join(', ')],
    ['pending', job.pending > 0 ? `${job.pending} launches asked for` : null],
    ['next', next.length === 0 ? '-' : next.map(shortTime).join('  ')],
    ['revision', `${revision}`],
  ]);
  printLine('');
  printTable(
    ['SLOT', 'STATE', 'NEXT', 'NODE', 'LAUNCH'],
    job.slots.map((slot) => [
      `${slot.nodeName}${slot.nodeName === '' ? '' : ':'}${slot.slotNo}`,
      slot.isStopping ? `${slot.state}, stopping` : slot.state,
      shortTime(slot.nextRunMs),
      slot.node ?? '-',
      slot.launchId ?? '-',
    ]),
  );
  printLine('');
  printTable(
    ['REVISION', 'IN FORCE FROM', 'UNTIL', 'SCHEDULE', 'COMMAND'],
    job.revisions.map((each) => [
      `${each.revision}${each.isPaused ? ' (paused)' : ''}`,
      isoOf(each.inForceFromMs) ?? '-',
      isoOf(each.inForceUntilMs) ?? '-',
      each.definition.schedule,
      each.definition.command.slice(0, commandShown),
    ]),
  );
}

function stateWords({ isPaused, resumeAtMs }: JobShown, reason: string | null): string {
  if (!isPaused) return 'in force';
  return resumeAtMs === null ? (reason ?? 'paused') : `paused until ${shortTime(resumeAtMs)}`;
}

const finishNote = 'finish: a run goes on when its node is lost, so two may live at once';

function definitionFields(definition: JobDefinition): [string, string | null][] {
  const { timeoutMs, env, origin, secretEnv = {} } = definition;
  return [
    ['schedule', `${definition.schedule}  (${definition.timezone})`],
    ['command', definition.command],
    ['description', definition.description ?? null],
    ['timeout', timeoutMs === null ? 'none' : formatDuration(timeoutMs)],
    ['grace', formatDuration(definition.graceMs)],
    ['cwd', definition.cwd],
    ['stdin', definition.stdin === null ? null : JSON.stringify(definition.stdin)],
    ...Object.entries({ ...env, ...secretEnv }).map(([name, value]): [string, string] => [
      'env',
      `${name}=${value}`,
    ]),
    ['output', `at most ${definition.outputBytesMax} bytes kept`],
    ['leftovers', definition.leftovers],
    ...policyWords(definition),
    ['on fence', definition.onFence === 'finish' ? finishNote : null],
    ['imported', origin ?? null],
  ];
}
