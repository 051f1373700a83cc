import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { showDefinition } from '../../domain/job/showDefinition.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { definitionOf, type ListedJobView, type ShownJobView } from '../../http/views/jobView.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';
import { printFields, printLine, printNote } from '../output/print.ts';
import { type Cell, instantCell, stateCell } from '../output/table/cells.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';

interface ListOptions extends ClusterOptions, TableOptions {
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly limit: number;
}

/** `job list`. */
export async function listJobsAction(
  text: string | undefined,
  options: ListOptions,
): Promise<void> {
  const { group, tag } = options;
  const filter: JobFilter = {
    jobsMax: options.limit,
    ...withoutUndefined({ text, group, tags: tag }),
  };
  const isFiltered = group !== undefined || tag !== undefined;
  const none = text === undefined ? noJobs : `No job has ${JSON.stringify(text)} in its name.`;
  const count = await printList(options, {
    read: (operator) => operator.listJobs(filter),
    requireSubject: async (operator) => group !== undefined && requireJobGroup(operator, group),
    isLong: true,
    empty: isFiltered ? 'There are no such jobs.' : none,
    columns: listColumns(options.wide === true),
  });
  if (count === options.limit) printNote(`Only ${options.limit} are shown; see --limit.`);
}

const noJobs = "There are no jobs. Add one: statecron job add hello --cron '* * * * *' --command …";

/** `job show`. */
export async function showJobAction(
  name: string,
  options: ClusterOptions & TableOptions,
): Promise<void> {
  await printAnswer(
    options,
    (operator) => operator.showJob(name),
    (job) => printJob(job, options),
  );
}

function listColumns(isWide: boolean): Column<ListedJobView>[] {
  return [
    { heading: 'JOB', of: ({ job }) => job, cutTo: 16 },
    { heading: 'SCHEDULE', of: scheduleText, rank: 3, cutTo: 9 },
    { heading: 'ZONE', of: ({ timezone }) => timezone, rank: 5 },
    { heading: 'STATE', of: (job) => stateCell(listedState(job)) },
    { heading: 'NEXT', of: ({ next, timezone }) => instantCell(next, timezone), rank: 1 },
    { heading: 'LAST', of: lastCell, rank: 2 },
    { heading: 'COMMAND', of: ({ command }) => commandText(command, isWide), rank: 4, cutTo: 12 },
  ];
}

function scheduleText({ schedule, moreSchedules }: ListedJobView): string {
  const more = moreSchedules.length;
  return more === 0 ? schedule : `${schedule} and ${more} more`;
}

function listedState({ executing, observed, paused, prepared }: ListedJobView): string {
  const rests = paused ? 'paused' : observed ? 'observed' : null;
  if (rests !== null) return executing > 0 ? `${rests}, executing` : rests;
  return executing > 0 ? 'executing' : prepared > 0 ? 'prepare' : 'idle';
}

function lastCell({ lastEndedAt, lastResult }: ListedJobView): Cell {
  const result = lastResult ?? '-';
  if (lastEndedAt === null) return stateCell(result);
  const cell = stateCell(`${result} (${formatAway(lastEndedAt)})`, result);
  return { ...cell, piped: result };
}

function commandText(command: string, isWide: boolean): string {
  return command.length > commandShown && !isWide ? `${command.slice(0, commandShown)}…` : command;
}

const commandShown = 60;

function printJob(job: ShownJobView, options: TableOptions): void {
  const { mayRunOn, next } = job;
  const definition = definitionOf(job);
  const { timezone } = definition;
  printFields([
    ['job', job.job],
    ['state', stateText(job, timezone)],
    ...showDefinition(definition),
    ['imported', definition.origin ?? null],
    ['may run on', mayRunOn.length === 0 ? 'no live node' : mayRunOn.join(', ')],
    ['pending', job.pending > 0 ? `${job.pending} requested launches` : null],
    ...nextLines(next, timezone, Date.parse(job.now)),
    ['revision', `${job.revision}`],
  ]);
  printLine('');
  printTable(slotColumns(timezone), job.slots, options);
  printLine('');
  printTable(revisionColumns(timezone, options.wide === true), job.revisions, options);
}

/** The next ticks, a line each, and how far away the first is. */
function nextLines(next: readonly string[], timezone: string, nowMs: number): [string, string][] {
  if (next.length === 0) return [['next', '-']];
  return next.map((tick, index) => {
    const away = index === 0 ? ` (${formatAway(tick, nowMs)})` : '';
    return ['next', `${formatInstant(tick, timezone)}${away}`];
  });
}

function slotColumns(timezone: string): Column<ShownJobView['slots'][number]>[] {
  return [
    {
      heading: 'SLOT',
      of: ({ nodeName, slotNo }) => `${nodeName}${nodeName === '' ? '' : ':'}${slotNo}`,
    },
    {
      heading: 'STATE',
      of: ({ state, stopping }) => stateCell(stopping ? `${state}, stopping` : state),
    },
    { heading: 'NEXT', of: ({ nextRunAt }) => instantCell(nextRunAt, timezone), rank: 3 },
    { heading: 'STARTED', of: ({ startedAt }) => instantCell(startedAt, timezone), rank: 2 },
    { heading: 'NODE', of: ({ node }) => node ?? '-', rank: 1 },
    { heading: 'LAUNCH', of: ({ launchId }) => launchId ?? '-' },
  ];
}

function revisionColumns(
  timezone: string,
  isWide: boolean,
): Column<ShownJobView['revisions'][number]>[] {
  return [
    {
      heading: 'REVISION',
      of: ({ revision, paused }) => `${revision}${paused ? ' (paused)' : ''}`,
    },
    { heading: 'IN FORCE FROM', of: (each) => instantCell(each.inForceFrom, timezone) },
    { heading: 'UNTIL', of: (each) => instantCell(each.inForceUntil, timezone), rank: 3 },
    { heading: 'SCHEDULE', of: (each) => schedulesOf(each.definition), rank: 2, cutTo: 9 },
    {
      heading: 'COMMAND',
      of: ({ definition }) => commandText(definition.command, isWide),
      rank: 1,
      cutTo: 12,
    },
  ];
}

/** All schedules of a revision. */
function schedulesOf(definition: ShownJobView['revisions'][number]['definition']): string {
  const { moreSchedules = [] } = definition as Pick<JobDefinition, 'moreSchedules'>;
  return [definition.schedule, ...moreSchedules].join(' and ');
}

function stateText(job: ShownJobView, timezone: string): string {
  const { definition, now, paused, resumeAt, revisions } = job;
  if (!paused) return definition.observed === true ? 'observed' : 'in force';
  if (!resumeAt) return revisions[0]?.reason ?? 'paused';
  const away = formatAway(resumeAt, Date.parse(now));
  return `paused until ${formatInstant(resumeAt, timezone)} (${away})`;
}
