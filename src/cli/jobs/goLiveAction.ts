import { countDiffers } from '../../domain/errors/errors.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ChangedJobView } from '../../http/views/jobView.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readUsers } from '../options/readUsers.ts';
import { printRemark, printWarning } from '../output/lines/printWarning.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { requireNameAlone } from './bulkAction.ts';
import { type Confirmation, confirmMany } from './confirmMany.ts';
import { printChange } from './jobActions.ts';
import { startsAsUser, warnOfUnknownUsers } from './startsAsUser.ts';

interface GoLiveOptions extends ClusterOptions, Confirmation {
  readonly group?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/** `job go-live`: one job, or the observed ones of a group or of all; each by itself. */
export async function goLiveAction(
  name: string | undefined,
  options: GoLiveOptions,
): Promise<void> {
  const { group, all } = options;
  if ([name, group, all].filter((each) => each !== undefined).length !== 1) {
    const hint = 'See: statecron job go-live --help';
    throw usageFault('Give one of NAME, --group and --all.', hint);
  }
  await withOperator(options, async (operator) => {
    if (name !== undefined) {
      requireNameAlone('go-live', options);
      return goLive(operator, [name], options);
    }
    const names = await observedJobs(operator, group);
    if (options.dryRun) return listJobs(names, options);
    if (names.length > 0 || options.expect) {
      const matches = { matched: names.length, names };
      const expected = await confirmMany('Go live with', matches, options);
      if (expected !== names.length) throw countDiffers(names.length, expected);
    }
    return goLive(operator, names, options);
  });
}

function listJobs(names: readonly string[], { json }: GoLiveOptions): void {
  if (json) printJson({ jobs: [], left: names });
  else {
    for (const name of names) printLine(name);
    printNote(`${counted(names.length, 'job')} would go live.`);
  }
}

async function goLive(
  operator: ApiOperator,
  names: readonly string[],
  { json, ...options }: GoLiveOptions,
): Promise<void> {
  const jobs = await operator.readDefinitions(json ? [] : names);
  const definitions = [...jobs.values()].map(({ definition }) => definition);
  const needs = await startsAsUser(operator, definitions);
  if (needs !== null) printRemark(needs);
  const unknown = warnOfUnknownUsers(definitions, readUsers());
  if (unknown !== null) printWarning(unknown);
  const changed: ChangedJobView[] = [];
  try {
    for (const each of names) {
      const done = await operator.goLive(each);
      changed.push(done);
      if (json) continue;
      const { timezone = 'UTC' } = jobs.get(each)?.definition ?? {};
      printChange(each, done, 'Live from now on:', 'is live already', { timezone });
      if (done.next === null) {
        printNote(`${each} has no next tick: it is paused, or its schedule names none.`);
      }
    }
  } catch (error) {
    const left = names.slice(changed.length);
    if (options.group !== undefined || options.all) {
      printNote(
        `${counted(left.length, 'job is', 'jobs are')} still observed. Repeat it to go on.`,
      );
      if (json) printJson({ jobs: changed, left });
    }
    throw error;
  }
  if (json) printJson({ jobs: changed, left: [] });
  else if (changed.length === 0) printNote('No job is observed there. See: statecron job list');
}

async function observedJobs(operator: ApiOperator, group?: string): Promise<string[]> {
  const where = group === undefined ? {} : { group };
  const names: string[] = [];
  for await (const { job, observed } of operator.listJobs({ ...where, jobsMax: 1_000_000 })) {
    if (observed) names.push(job);
  }
  if (names.length === 0 && group !== undefined) await requireJobGroup(operator, group);
  return names;
}
