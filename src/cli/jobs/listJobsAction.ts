import { lineCommand } from '../../domain/crontab/runByShell.ts';
import { pausedByStart, togetherStart } from '../../domain/reasons/reasons.ts';
import type { JobState } from '../../domain/run/jobState.ts';
import { failureResults } from '../../domain/run/run.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf, type ListedJobView } from '../../http/views/jobView.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { requireNode } from '../connect/requireNode.ts';
import { printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { databaseFlags } from '../options/givenDatabase.ts';
import {
  formatAway,
  formatInstant,
  formatOverdue,
  localTimezone,
  withLocalInstants,
} from '../output/formatInstant.ts';
import { formatTook } from '../output/formatTook.ts';
import { printWarning } from '../output/lines/printWarning.ts';
import { printWrapped } from '../output/lines/printWrapped.ts';
import { printNote } from '../output/print.ts';
import { resultStrip, stripLegend } from '../output/resultStrip.ts';
import { type Cell, instantCell, stateCell } from '../output/table/cells.ts';
import type { Column, TableOptions } from '../output/table/printTable.ts';
import { commandText } from './jobViews.ts';

interface ListOptions extends ClusterOptions, TableOptions {
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly state?: JobState;
  readonly failed?: boolean;
  readonly node?: string;
  readonly stats?: boolean;
  readonly limit: number;
}

/** `job list`. */
export async function listJobsAction(
  text: string | undefined,
  options: ListOptions,
): Promise<void> {
  const { failed, group, node, state, stats, tag } = options;
  const conditions = withoutUndefined({
    ...{ text, group, tags: tag, state, node },
    lastResults: failed ? failureResults : undefined,
  });
  const filter: JobFilter = {
    jobsMax: options.limit,
    ...conditions,
    ...withoutUndefined({ hasStats: stats }),
  };
  const isFiltered = Object.keys(conditions).some((name) => name !== 'text');
  const none = text === undefined ? noJobs : `No job has ${JSON.stringify(text)} in its name.`;
  let pauses: readonly string[] = [];
  let stuck: string | undefined;
  const count = await printList(options, {
    read: (operator) => operator.listJobs(filter),
    requireSubject: async (operator) => {
      if (group !== undefined) await requireJobGroup(operator, group);
      if (node !== undefined) await requireNode(operator, node);
    },
    isLong: true,
    limit: options.limit,
    empty: isFiltered ? 'There are no such jobs.' : none,
    columns: async (operator, jobs) => {
      if (jobs.some(({ paused }) => paused)) pauses = await readPauses(operator);
      stuck = jobs.find(({ state }) => state === 'cannot_run')?.job;
      return listColumns(options);
    },
  });
  for (const warning of pauses) {
    printWarning(withLocalInstants(warning, localTimezone()));
  }
  if (stuck !== undefined) {
    const why = `statecron job why ${shellWord(stuck)}${databaseFlags(options)}`;
    printNote(`Why ${stuck} cannot run: ${why}`);
  }
  if (stats && count > 0) printWrapped(stripLegend());
}

/** Says why many of the jobs rest at once. */
async function readPauses(operator: ApiOperator): Promise<string[]> {
  const { warnings } = await operator.readCluster({ endedWithinMs: 0, sessionsMax: 1 });
  const starts = [togetherStart, pausedByStart];
  return warnings.filter((warning) => starts.some((start) => warning.includes(` ${start}`)));
}

const noJobs = "There are no jobs. Add one: statecron job add hello --cron '* * * * *' --command …";

function listColumns({ failed, stats, wide }: ListOptions): Column<ListedJobView>[] {
  const isWide = wide === true || !process.stdout.isTTY;
  return [
    { heading: 'JOB', of: ({ job }) => job, cutTo: 40 },
    { heading: 'SCHEDULE', of: scheduleText, rank: 5, cutTo: 9 },
    { heading: 'ZONE', of: ({ timezone }) => timezone, rank: 7 },
    { heading: 'STATE', of: (job) => stateCell(stateText(job)) },
    { heading: 'NEXT', of: nextCell, rank: 1 },
    { heading: 'LAST', of: (job) => lastCell(job, { isWide, failed }), rank: 2 },
    ...(isWide ? [{ heading: 'ENDED', of: endedCell }] : []),
    { heading: 'TOOK', of: ({ lastDurationMs = null }) => formatTook(lastDurationMs), rank: 4 },
    ...(stats ? statsColumns : []),
    {
      heading: 'COMMAND',
      of: (job) => commandText(commandOf(job), wide === true),
      rank: 6,
      cutTo: 12,
    },
  ];
}

const statsColumns: readonly Column<ListedJobView>[] = [
  { heading: 'P50', of: ({ stats }) => formatTook(stats?.durationP50Ms ?? null), rank: 3 },
  { heading: 'P95', of: ({ stats }) => formatTook(stats?.durationP95Ms ?? null), rank: 3 },
  { heading: 'RECENT', of: ({ stats }) => resultStrip(stats?.recent ?? []) },
];

/** Of an imported job as its line has it, without the shell of a SHELL line around it. */
function commandOf(job: ListedJobView): string {
  return definitionOf(job).origin === undefined ? job.command : lineCommand(job.command);
}

function scheduleText({ schedule, moreSchedules }: ListedJobView): string {
  const more = moreSchedules.length;
  return more === 0 ? schedule : `${schedule} and ${more} more`;
}

/** A run of a job that is paused goes on. */
function stateText({ observed, paused, state }: ListedJobView): string {
  if (state !== 'running') return state === 'cannot_run' ? 'cannot run' : state;
  return paused ? 'running, paused' : observed ? 'running, observed' : state;
}

/**
 * Of a paused job until when it is. What is over and has not started comes no more. The state is by
 * the database's clock.
 */
function nextCell({ next, paused, resumeAt = null, state, timezone }: ListedJobView): Cell {
  if (paused && resumeAt !== null) {
    const { piped, texts } = instantCell(resumeAt, timezone);
    return { texts: texts.map((text) => `until ${text}`), piped: `until ${piped}` };
  }
  const cell = instantCell(next, timezone);
  if (next === null || state === 'idle' || Date.parse(next) > Date.now()) return cell;
  const overdue = formatOverdue(next);
  return { ...cell, texts: [`${formatInstant(next, timezone)} (${overdue})`, overdue] };
}

/** The time has a column of its own where there is room; of what failed it is always there. */
function lastCell(
  { lastEndedAt, lastResult }: ListedJobView,
  { isWide, failed }: { readonly isWide: boolean; readonly failed: boolean | undefined },
): Cell {
  const result = lastResult ?? '-';
  if (lastEndedAt === null || isWide) return stateCell(result);
  return stateCell(`${result} (${formatAway(lastEndedAt)})`, ...(failed ? [] : [result]));
}

function endedCell({ lastEndedAt, timezone }: ListedJobView): Cell {
  return instantCell(lastEndedAt, timezone);
}
