import { showDefinition } from '../../domain/job/showDefinition.ts';
import { definitionOf, type ListedJobView, type ShownJobView } from '../../http/views/jobView.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import { printAnswer } from '../connect/printAnswer.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import {
  printFields,
  printJsonArray,
  printLine,
  printNote,
  printTable,
  shortTime,
} from '../output/print.ts';

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
    ...(text === undefined ? {} : { text }),
    ...(group === undefined ? {} : { group }),
    ...(tag === undefined ? {} : { tags: tag }),
  };
  await withOperator(options, async (operator) => {
    const jobs = operator.listJobs(filter);
    if (options.json) return printJsonArray(jobs);
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
export async function showJobAction(name: string, options: ClusterOptions): Promise<void> {
  await printAnswer(options, (operator) => operator.showJob(name), printJob);
}

function listedRow(job: ListedJobView): string[] {
  const { schedule, moreSchedules, timezone, command } = job;
  const state = job.executing > 0 ? 'executing' : job.prepared > 0 ? 'prepare' : 'idle';
  const more = moreSchedules.length;
  return [
    job.job,
    more === 0 ? schedule : `${schedule} and ${more} more`,
    timezone,
    job.paused ? `paused${job.executing > 0 ? ', executing' : ''}` : state,
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
    ['state', stateWords(job)],
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

function stateWords({ paused, resumeAt, revisions }: ShownJobView): string {
  if (!paused) return 'in force';
  return resumeAt ? `paused until ${shortTime(resumeAt)}` : (revisions[0]?.reason ?? 'paused');
}
