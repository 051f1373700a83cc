import { stringify } from 'yaml';
import { OperatorError } from '../../domain/errors/errors.ts';
import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import { fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { readTimezone } from '../../domain/schedule/read/readTimezone.ts';
import { counted } from '../../domain/text/counted.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { presentJobOf } from '../../http/views/jobView.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { ForeignOutput, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import type { CrontabOf } from './whyNotInCrontab.ts';
import { type CrontabWritten, type LeftOut, writeCrontab } from './writeCrontab.ts';

interface ExportOptions extends ClusterOptions, Partial<CrontabOf> {
  readonly group?: string;
  readonly format: 'yaml' | 'crontab';
}

/**
 * `export`: the jobs as a file that `apply` makes nothing else of. Throws an OperatorError (1) at
 * its end when the file lacks anything.
 */
export async function exportAction(options: ExportOptions): Promise<void> {
  const { group } = options;
  const of = readCrontabOf(options);
  const jobsMax = Number.MAX_SAFE_INTEGER;
  const filter: JobFilter = group === undefined ? { jobsMax } : { jobsMax, group };
  const jobs: PresentJob[] = [];
  const foreign: LeftOut[] = [];
  await withOperator(options, async (operator) => {
    for await (const job of operator.listJobs(filter)) {
      const present = presentJobOf(job);
      const why = whyNotUnderstood(present.definition);
      if (why === null) jobs.push(present);
      else foreign.push({ name: job.job, why });
    }
    const isNone = jobs.length + foreign.length === 0;
    if (isNone && group !== undefined) await requireJobGroup(operator, group);
  });
  const written: CrontabWritten =
    options.format === 'yaml'
      ? { text: writeYamlJobs(jobs, group ?? null), ofOthers: noJobs, leftOut: [], inPart: [] }
      : writeCrontab(jobs, of);
  await new ForeignOutput().end(Buffer.from(written.text));
  sayOthers(written.ofOthers);
  requireAll([...foreign, ...written.leftOut], written.inPart);
}

const noJobs = { jobs: 0, commands: [] };
const commandsMax = 10;

/** They are no fault of the crontab. */
function sayOthers({ jobs, commands }: CrontabWritten['ofOthers']): void {
  if (jobs === 0) return;
  const by = commands.length === 0 ? '' : ' They are written by:';
  printNote(`Not in it, being of other users or nodes: ${counted(jobs, 'job', 'jobs')}.${by}`);
  for (const command of commands.slice(0, commandsMax)) printNote(`  ${command}`);
  if (commands.length > commandsMax) printNote(`  and ${commands.length - commandsMax} more`);
}

function readCrontabOf(options: ExportOptions): CrontabOf {
  const { format, group, onNode, system, timezone, user } = options;
  const given = withoutUndefined({ onNode, system, timezone, user });
  const [flag] = Object.keys(given);
  if (format === 'yaml' && flag !== undefined) {
    const name = flag === 'onNode' ? 'on-node' : flag;
    throw usageFault(`--${name}: goes with --format crontab.`, 'See: statecron export --help');
  }
  const zone = readTimezone(timezone ?? localTimezone());
  if ('error' in zone) throw usageFault(`--timezone: ${zone.error}.`);
  return { ...given, ...withoutUndefined({ group }), timezone: zone.timezone };
}

/** Names what the file lacks. */
function requireAll(leftOut: readonly LeftOut[], inPart: readonly LeftOut[]): void {
  for (const { name, why } of leftOut) printNote(`${name} is left out: ${why}.`);
  for (const { name, why } of inPart) printNote(`${name} is there only in part: ${why}.`);
  const lacks = [
    ...(leftOut.length > 0 ? [`${counted(leftOut.length, 'job is', 'jobs are')} left out`] : []),
    ...(inPart.length > 0
      ? [`${counted(inPart.length, 'job is', 'jobs are')} there only in part`]
      : []),
  ];
  if (lacks.length === 0) return;
  throw new OperatorError({
    code: 'export_incomplete',
    message: `The file is incomplete: ${lacks.join(', ')}.`,
    hint: 'Each is named above with the reason; all of it is in: statecron export --format yaml',
  });
}

/**
 * A file of jobs that `apply` reads as the same definitions, paused where they are. With a group it
 * stands once at the top, else in each job that has one.
 */
export function writeYamlJobs(present: readonly PresentJob[], group: string | null): string {
  const jobs = present.map(({ definition, pause }) => {
    const fields = fieldsOfDefinition(definition);
    if (group !== null) fields.delete('group');
    const untilMs = pause?.untilMs ?? null;
    if (untilMs !== null) fields.set('paused-until', new Date(untilMs).toISOString());
    else if (pause !== null) fields.set('paused', true);
    return [definition.name, Object.fromEntries(fields)] as const;
  });
  // A map keeps the order of names that are numbers, which an object would not.
  const content = new Map<string, unknown>([
    ...(group === null ? [] : [['group', group] as const]),
    ['jobs', new Map(jobs)],
  ]);
  return stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}
