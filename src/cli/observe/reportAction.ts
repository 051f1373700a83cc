import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import {
  compareStarts,
  type ObservedJob,
  type StartDifference,
} from '../../domain/observe/compareStarts.ts';
import { type CronStart, readCronLog } from '../../domain/observe/readCronLog.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { firstTicks } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import { counted } from '../../domain/text/counted.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf, type ListedJobView, type ShownJobView } from '../../http/views/jobView.ts';
import { withOperator } from '../connect/withOperator.ts';
import { readSource } from '../jobFile/readJobFile.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatInstant } from '../output/formatInstant.ts';
import { printJson, printLine, printNote } from '../output/print.ts';

interface ReportOptions extends ClusterOptions {
  readonly cronLog: string;
  readonly since?: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * `observe report`: resolves to 1 when there are differences.
 * @throws OperatorError `no_cron_starts`, `nothing_compared`: nothing is claimed of nothing.
 */
export async function reportAction(options: ReportOptions): Promise<number> {
  const { text } = readSource(
    options.cronLog,
    'journalctl -u cron -o short-iso --since -1d | statecron observe report --cron-log -',
  );
  const sinceMs = options.since ?? dayMs;
  const { jobs, nowMs } = await withOperator(options, (operator) => readJobs(operator, sinceMs));
  const starts = readCronLog(text, nowMs);
  if (starts.length === 0) throw noStarts();
  const fromMs = Math.max(nowMs - sinceMs, Math.min(...jobs.map((job) => job.fromMs)));
  // Of the last minute either may still write.
  const untilMs = Math.floor(nowMs / minuteMs) * minuteMs - minuteMs;
  if (untilMs <= fromMs && jobs.length > 0) throw nothingYet(fromMs);
  const { agreed, differences, otherUsers } = compareStarts(jobs, starts, [fromMs, untilMs]);
  const iso = (ms: number): string => new Date(ms).toISOString();
  const found = differences.map(({ times, ...rest }) => ({ ...rest, times: times.map(iso) }));
  if (options.json) {
    const range = jobs.length === 0 ? {} : { from: iso(fromMs), until: iso(untilMs) };
    printJson({
      ...range,
      jobs: jobs.length,
      cronStarts: starts.length,
      agreed,
      differences: found,
      otherUsers,
    });
  } else {
    for (const { only, job, user, command, times, note } of found) {
      const who = only === 'cron' ? 'only cron' : 'only statecron';
      const count = `${times.length} ${times.length === 1 ? 'start' : 'starts'}`;
      const what = job ?? `(${user}) ${command}`;
      printLine(`${who}: ${count} of ${what}${note === null ? '' : `; ${note}`}`);
      const more = times.length > timesShown ? ` and ${times.length - timesShown} more` : '';
      printLine(
        `  ${times
          .slice(0, timesShown)
          .map((time) => formatInstant(time))
          .join('  ')}${more}`,
      );
    }
    if (jobs.length > 0) {
      printLine(`Compared: ${formatInstant(iso(fromMs))} to ${formatInstant(iso(untilMs))}.`);
    }
    if (jobs.length === 0) printNote('No job was observed in that time. See: statecron job list');
    const differing = found.reduce((sum, { times }) => sum + times.length, 0);
    const agree = counted(agreed, 'start agrees', 'starts agree');
    const differ = counted(differing, 'start differs', 'starts differ');
    printLine(`${jobsText(jobs)}: ${agree}, ${differ}.`);
    if (otherUsers.length > 0) {
      printNote(`No job of ${otherUsers.join(', ')} is observed: their starts are not compared.`);
    }
    printAbout(jobs, starts, differences);
  }
  if (agreed > 0 || found.length > 0) return found.length > 0 ? exitCodes.failed : exitCodes.ok;
  throw nothingCompared('Neither cron nor statecron has a start in the time that was compared.');
}

/** How many were compared, and how many of them are observed no more. */
function jobsText(jobs: readonly ObservedJob[]): string {
  const observed = jobs.filter(({ untilMs }) => untilMs === Infinity).length;
  if (observed === jobs.length) return counted(observed, 'observed job');
  const live = jobs.length - observed;
  return `${counted(jobs.length, 'job')} (${observed} still observed, ${live} went live)`;
}

/** Why there may be less to compare than before, or more that differs. */
function printAbout(
  jobs: readonly ObservedJob[],
  starts: readonly CronStart[],
  differences: readonly StartDifference[],
): void {
  const ends = jobs.map(({ untilMs }) => untilMs).filter(Number.isFinite);
  if (ends.length > 0) {
    const [first, last] = [Math.min(...ends), Math.max(...ends)].map((ms) => formatInstant(ms));
    const are = counted(ends.length, 'job is', 'jobs are');
    const until = first === last ? `until ${last}` : `until each was, from ${first} to ${last}`;
    printNote(`Observed no more: ${are} compared ${until}.`);
  }
  const firstMs = starts.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
  const early = differences
    .flatMap(({ only, times }) => (only === 'statecron' ? times : []))
    .filter((ms) => ms < firstMs - minuteMs).length;
  if (early === 0) return;
  const first = formatInstant(new Date(firstMs).toISOString());
  const ticks = counted(early, 'start of statecron is', 'starts of statecron are');
  printNote(`${ticks} before the first of the log (${first}): give one that begins earlier.`);
}

function nothingYet(fromMs: number): OperatorError {
  const since = formatInstant(new Date(fromMs).toISOString());
  return nothingCompared(`There is nothing to compare yet: jobs are observed since ${since}.`);
}

function nothingCompared(message: string): OperatorError {
  return new OperatorError({
    ...{ code: 'nothing_compared', message },
    hint:
      'It compares from when the first job was observed to the start of the last minute that is ' +
      'over. Repeat it, with a new log, two minutes after an observed job had a tick.',
  });
}

/** Else each tick that was recorded would be a difference. */
function noStarts(): OperatorError {
  return new OperatorError({
    code: 'no_cron_starts',
    message: 'The log has no line of a start, as cron writes it: (user) CMD (command).',
    hint: 'Give the log of cron: journalctl -u cron -o short-iso (cronie: -u crond), or syslog.',
  });
}

const timesShown = 10;

/** The jobs that were observed in that time, with what was recorded of them. */
async function readJobs(operator: ApiOperator, sinceMs: number) {
  const rows = new Map<string, RunView[]>();
  const all = { since: { agoMs: sinceMs + minuteMs }, runsMax: Number.MAX_SAFE_INTEGER };
  for await (const run of operator.listRuns(all)) {
    if (run.reason !== reasons.observed) continue;
    const own = rows.get(run.job);
    if (own === undefined) rows.set(run.job, [run]);
    else own.push(run);
  }
  const jobs: ObservedJob[] = [];
  let nowMs: number | null = null;
  for await (const listed of operator.listJobs({ jobsMax: Number.MAX_SAFE_INTEGER })) {
    const { job: name } = listed;
    nowMs ??= Date.parse((await operator.showJob(name, 1)).now);
    const own = rows.get(name) ?? [];
    const isSince = (instant: string): boolean => Date.parse(instant) >= (nowMs ?? 0) - sinceMs;
    const isChanged = listed.revision > 1 && isSince(listed.inForceFrom);
    // One that went live was changed then, and may have had no tick before.
    if (!listed.observed && own.length === 0 && !isChanged) continue;
    const observed = await observedRevisions(operator, listed);
    const [last] = observed;
    if (last === undefined) continue;
    if (last.inForceUntil !== null && !isSince(last.inForceUntil)) continue;
    const { command, user = null } = definitionOf(last);
    const fromMs = Math.min(...observed.map((each) => Date.parse(each.inForceFrom)));
    const untilMs = last.inForceUntil === null ? Infinity : Date.parse(last.inForceUntil);
    const definitions = new Map(observed.map((each) => [each.revision, definitionOf(each)]));
    // A job of every node has a row of each, and cron's log is one machine's.
    const ticks = [...new Set(own.flatMap((run) => ticksOf(run, definitions)))];
    ticks.sort((one, other) => one - other);
    jobs.push({ job: name, command, user, fromMs, untilMs, ticks });
  }
  return { jobs, nowMs: nowMs ?? Date.now() };
}

const revisionsRead = 100;

type Revision = Pick<
  ShownJobView['revisions'][number],
  'revision' | 'inForceFrom' | 'inForceUntil' | 'definition'
>;

/** The newest first. A job that was never changed needs no request of its own. */
async function observedRevisions(
  operator: ApiOperator,
  { job, revision, inForceFrom, definition, observed }: ListedJobView,
): Promise<Revision[]> {
  // A node of an older version lists no time.
  const isKnown = observed && revision === 1 && inForceFrom !== undefined;
  if (isKnown && definition !== undefined) {
    return [{ revision, inForceFrom, inForceUntil: null, definition }];
  }
  const { revisions } = await operator.showJob(job, revisionsRead);
  return revisions.filter((each) => each.definition.observed === true);
}

/** Each tick of a row, which may stand for several. */
function ticksOf(run: RunView, definitions: ReadonlyMap<number, JobDefinition>): number[] {
  const firstMs = Date.parse(run.scheduledFor);
  const definition = definitions.get(run.revision);
  if (run.ticks === 1 || definition === undefined) return [firstMs];
  return firstTicks(ticksOfRevision(definition, firstMs), firstMs - 1, run.ticks);
}
