import { showDefinition } from '../../domain/job/showDefinition.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { definitionOf, type ListedJobView, type ShownJobView } from '../../http/views/jobView.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printFields, printLine, printNote, printTable, shortTime } from '../output/print.ts';

interface ListOptions extends ClusterOptions {
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
    headings: ['JOB', 'SCHEDULE', 'ZONE', 'STATE', 'NEXT', 'LAST', 'COMMAND'],
    rowOf: listedRow,
  });
  if (count === options.limit) printNote(`Only ${options.limit} are shown; see --limit.`);
}

const noJobs = "There are no jobs. Add one: statecron job add hello --cron '* * * * *' --command …";

/** `job show`. */
export async function showJobAction(name: string, options: ClusterOptions): Promise<void> {
  await printAnswer(options, (operator) => operator.showJob(name), printJob);
}

function listedRow(job: ListedJobView): string[] {
  const { schedule, moreSchedules, timezone, command } = job;
  const state = job.executing > 0 ? 'executing' : job.prepared > 0 ? 'prepare' : 'idle';
  const rests = job.paused ? 'paused' : job.observed ? 'observed' : null;
  const more = moreSchedules.length;
  return [
    job.job,
    more === 0 ? schedule : `${schedule} and ${more} more`,
    timezone,
    rests === null ? state : `${rests}${job.executing > 0 ? ', executing' : ''}`,
    shortTime(job.next),
    job.lastResult ?? '-',
    command.length > commandShown ? `${command.slice(0, commandShown)}…` : command,
  ];
}

const commandShown = 60;

function printJob(job: ShownJobView): void {
  const { mayRunOn, next } = job;
  const definition = definitionOf(job);
  printFields([
    ['job', job.job],
    ['state', stateText(job)],
    ...showDefinition(definition),
    ['imported', definition.origin ?? null],
    ['may run on', mayRunOn.length === 0 ? 'no live node' : mayRunOn.join(', ')],
    ['pending', job.pending > 0 ? `${job.pending} requested launches` : null],
    ['next', next.length === 0 ? '-' : next.map(shortTime).join('  ')],
    ['revision', `${job.revision}`],
  ]);
  printLine('');
  printTable(
    ['SLOT', 'STATE', 'NEXT', 'NODE', 'LAUNCH'],
    job.slots.map((slot) => [
      `${slot.nodeName}${slot.nodeName === '' ? '' : ':'}${slot.slotNo}`,
      slot.stopping ? `${slot.state}, stopping` : slot.state,
      shortTime(slot.nextRunAt),
      slot.node ?? '-',
      slot.launchId ?? '-',
    ]),
  );
  printLine('');
  printTable(
    ['REVISION', 'IN FORCE FROM', 'UNTIL', 'SCHEDULE', 'COMMAND'],
    job.revisions.map((each) => [
      `${each.revision}${each.paused ? ' (paused)' : ''}`,
      each.inForceFrom,
      each.inForceUntil ?? '-',
      each.definition.schedule,
      each.definition.command.slice(0, commandShown),
    ]),
  );
}

function stateText({ paused, resumeAt, revisions, definition }: ShownJobView): string {
  if (!paused) return definition.observed === true ? 'observed' : 'in force';
  return resumeAt ? `paused until ${shortTime(resumeAt)}` : (revisions[0]?.reason ?? 'paused');
}
