import { randomUUID } from 'node:crypto';
import { exitCodes } from '../../domain/errors/errors.ts';
import { togetherScope } from '../../domain/job/togetherScope.ts';
import type { JobState } from '../../domain/run/jobState.ts';
import { failureResults } from '../../domain/run/run.ts';
import { counted } from '../../domain/text/counted.ts';
import { listed } from '../../domain/text/listed.ts';
import type { Answer } from '../../http/contract/apiContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { BulkRequest } from '../../store/jobs/bulk/bulkJobs.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readEnd } from '../options/readTime.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { type Confirmation, confirmMany } from './confirmMany.ts';

/** Which jobs, and how the number of them is confirmed. */
export interface BulkOptions extends ClusterOptions, Confirmation {
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly text?: string;
  readonly failed?: boolean;
  readonly state?: JobState;
  readonly dryRun?: boolean;
}

/** Until when a pause is, and why. */
export interface Pausing {
  readonly until?: ReturnType<typeof readEnd>;
  readonly note?: string;
}

type Extras = Pick<BulkRequest, 'end' | 'note' | 'requestId' | 'scope'>;

/**
 * `job pause`, `job resume`, `job run` and `job remove` of all jobs that match: resolves to 1 when
 * some of them were refused.
 */
export async function bulkAction(
  action: BulkRequest['action'],
  options: BulkOptions,
  extras: Extras = {},
): Promise<number> {
  const { failed, group, state, tag: tags, text } = options;
  // Other paused jobs than those that rest: what runs may be paused, too.
  const wanted = action === 'pause' && state === 'paused' ? { isPaused: true } : { state };
  const filter = withoutUndefined({
    ...{ groups: group === undefined ? group : [group], tags, text, ...wanted },
    lastResults: failed ? failureResults : undefined,
  });
  if (Object.keys(filter).length === 0 && extras.scope === undefined) {
    const flags = '--group, --tag, --text, --failed or --state';
    throw usageFault(`Give NAME, or ${flags}.`, seeHelp(`job ${action}`));
  }
  const isRun = action === 'run' && extras.requestId === undefined;
  const request = { action, filter, ...extras, ...(isRun ? { requestId: randomUUID() } : {}) };
  return withOperator(options, async (operator) => {
    const found = await operator.bulkJobs({ ...request, isDry: true });
    if (found.matched === 0 && group !== undefined) await requireJobGroup(operator, group);
    if (options.dryRun) await listMatches(operator, request, found, options);
    else if (found.matched === 0 && !options.expect) {
      if (options.json) printJson({ ...found, dryRun: false });
      else printNote(`No job matches${await whyNone(operator, request)}.`);
    } else {
      const names = found.jobs.map(({ job }) => job);
      const { matched } = found;
      const expected = await confirmMany(verbs[action].ask, { matched, names }, options);
      return changeAll(operator, { ...request, expected }, options);
    }
    return exitCodes.ok;
  });
}

/** Refuses the flags of a filter beside the name of one job; `--yes` says nothing that is wrong. */
export function requireNameAlone(action: string, options: BulkOptions): void {
  const { dryRun, expect, failed, group, state, tag, text } = options;
  const given = withoutUndefined({ dryRun, expect, failed, group, state, tag, text });
  const [first] = Object.keys(given);
  if (first === undefined) return;
  const flag = first === 'dryRun' ? '--dry-run' : `--${first}`;
  throw usageFault(`${flag}: goes with a filter, not with NAME.`, seeHelp(`job ${action}`));
}

/** `pause` and `resume`: resume ends just what a pause of the same paused. */
export function togetherAction(
  action: 'pause' | 'resume',
  options: BulkOptions & Pausing & { readonly all?: boolean },
): Promise<number> {
  const { all, group, note, tag, until } = options;
  if ([all, group, tag].filter((each) => each !== undefined).length !== 1) {
    const one = action === 'pause' ? 'statecron job pause NAME' : 'statecron job resume NAME';
    throw usageFault(
      'Give one of --all, --group and --tag.',
      `${seeHelp(action)}; for one job: ${one}`,
    );
  }
  const groups = group === undefined ? [] : [group];
  const scope = togetherScope({ groups, tags: tag ?? [] });
  return bulkAction(action, options, { scope, ...withoutUndefined({ note, end: until?.() }) });
}

type BulkAnswer = Answer<'POST /bulk/jobs'>;

export const seeHelp = (command: string): string => `See: statecron ${command} --help`;

/** Prints the names of all jobs that match. */
async function listMatches(
  operator: ApiOperator,
  request: BulkRequest,
  first: BulkAnswer,
  { json }: BulkOptions,
): Promise<void> {
  const jobs = [...first.jobs];
  for (let { next } = first; next !== null; ) {
    const part = await operator.bulkJobs({ ...request, isDry: true, after: next });
    jobs.push(...part.jobs);
    next = part.next;
  }
  if (json) return printJson({ ...first, left: 0, next: null, jobs });
  // The newest is found first.
  for (const name of jobs.map(({ job }) => job).sort()) printLine(name);
  printNote(`${counted(first.matched, 'job')} would be ${verbs[request.action].done}.`);
}

/** Of a pause, that they are paused already. */
async function whyNone(operator: ApiOperator, request: BulkRequest): Promise<string> {
  const { action, filter, scope } = request;
  if (action !== 'pause') return '';
  const rest = { action, filter: { ...filter, isPaused: true }, isDry: true } as const;
  const { matched } = await operator.bulkJobs(rest);
  if (matched === 0) return '';
  const how = scope === undefined ? '; see --state paused' : '';
  return `: ${counted(matched, 'job is', 'jobs are')} paused already${how}`;
}

/** Changes part after part; what is done stays done, whatever happens to the rest. */
async function changeAll(
  operator: ApiOperator,
  request: BulkRequest & { readonly expected: number },
  { json }: BulkOptions,
): Promise<number> {
  const { expected, ...others } = request;
  let part = await operator.bulkJobs(request);
  const { matched } = part;
  const jobs = [...part.jobs];
  try {
    while (part.next !== null) {
      part = await operator.bulkJobs({ ...others, after: part.next });
      jobs.push(...part.jobs);
    }
  } catch (error) {
    const again = part.requestId === null ? '' : ` with --request-id ${part.requestId}`;
    printNote(
      `${jobs.length} of ${counted(matched, 'job')} were dealt with, ${part.left} are left.`,
    );
    printNote(`Give the command again${again}: it does the rest.`);
    throw error;
  }
  const refused = jobs.filter(({ outcome }) => outcome === 'refused');
  if (json) printJson({ ...part, matched, left: 0, next: null, jobs });
  else {
    const changed = jobs.filter(({ outcome }) => outcome === 'changed').map(({ job }) => job);
    const unchanged = jobs.filter(({ outcome }) => outcome === 'unchanged').length;
    for (const { job, detail } of refused) printNote(`${job}: ${detail}`);
    const already = unchanged ? ` ${counted(unchanged, 'job')} had it done already.` : '';
    const not = refused.length > 0 ? ` ${counted(refused.length, 'job')} refused it.` : '';
    const last = changed.at(-1);
    const until = request.end && last !== undefined ? await untilText(operator, last) : '';
    const done = capital(verbs[request.action].done);
    printLine(
      `${done} ${counted(changed.length, 'job')}${until}${namesText(changed)}.${already}${not}`,
    );
    if (part.requestId !== null) printNote(`Their runs have the request id ${part.requestId}.`);
  }
  return refused.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Which jobs they are; of many some. */
function namesText(names: readonly string[]): string {
  return names.length === 0 ? '' : `: ${listed(names.toSorted(), namesShown)}`;
}

const namesShown = 20;

/** When a pause ends, by the database's clock; it is made, whether or not this can be read. */
export async function untilText(
  operator: ApiOperator,
  job: string,
  timezone?: string,
): Promise<string> {
  const { resumeAt = null } = (await operator.showJob(job, 1).catch(() => null)) ?? {};
  if (resumeAt === null) return '';
  return ` until ${formatInstant(resumeAt, timezone)} (${formatAway(resumeAt)})`;
}

const verbs = {
  pause: { ask: 'Pause', done: 'paused' },
  resume: { ask: 'Resume', done: 'resumed' },
  run: { ask: 'Run', done: 'requested to run' },
  remove: { ask: 'Remove', done: 'removed' },
} as const;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
