import { countDiffers } from '../../domain/errors/errors.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
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
import { requireNameAlone, seeHelp } from './bulkAction.ts';
import { type Confirmation, confirmMany } from './confirmMany.ts';
import { printChange } from './jobActions.ts';
import { startsAsUser, warnOfUnknownUsers } from './startsAsUser.ts';

interface GoLiveOptions extends ClusterOptions, Confirmation {
  readonly group?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/** `job go-live`: one job, or the observed ones of a group or of all; each by itself. */
export const goLiveAction = switching({
  ...{ command: 'go-live', isObserved: true, ask: 'Go live with', would: 'go live' },
  ...{ done: 'Live from now on:', already: 'is live already', left: 'still observed' },
  none: 'No job is observed there. See: statecron job list',
  change: (operator, name) => operator.goLive(name),
  warn: async (operator, definitions) => {
    const needs = await startsAsUser(operator, definitions);
    if (needs !== null) printRemark(needs);
    const unknown = warnOfUnknownUsers(definitions, readUsers());
    if (unknown !== null) printWarning(unknown);
  },
});

/** `job observe`, the way back: one job, or those of a group or of all that are not observed. */
export const observeAction = switching({
  ...{ command: 'observe', isObserved: false, ask: 'Observe', would: 'be observed' },
  ...{ done: 'Observed from now on:', already: 'is observed already', left: 'not observed' },
  none: 'Every job is observed there. See: statecron job list',
  change: (operator, name) =>
    operator.editJob(name, (job) => withLowestFormat({ ...job, observed: true })),
  warn: async () => undefined,
});

/** One of the two, and how it is told. */
interface Switch {
  readonly command: string;
  /** Of the jobs that it changes. */
  readonly isObserved: boolean;
  readonly ask: string;
  readonly would: string;
  readonly done: string;
  readonly already: string;
  /** What the jobs are that it has not come to. */
  readonly left: string;
  readonly none: string;
  readonly change: (operator: ApiOperator, name: string) => Promise<ChangedJobView>;
  readonly warn: (operator: ApiOperator, jobs: readonly JobDefinition[]) => Promise<void>;
}

function switching(how: Switch) {
  return async (name: string | undefined, options: GoLiveOptions): Promise<void> => {
    const { group, all } = options;
    if ([name, group, all].filter((each) => each !== undefined).length !== 1) {
      throw usageFault('Give one of NAME, --group and --all.', seeHelp(`job ${how.command}`));
    }
    await withOperator(options, async (operator) => {
      if (name !== undefined) {
        requireNameAlone(how.command, options);
        return change(operator, [name], how, options);
      }
      const names = await jobsToChange(operator, how, group);
      if (options.dryRun) return listJobs(names, how, options);
      if (names.length > 0 || options.expect) {
        const matches = { matched: names.length, names };
        const expected = await confirmMany(how.ask, matches, options);
        if (expected !== names.length) throw countDiffers(names.length, expected);
      }
      return change(operator, names, how, options);
    });
  };
}

function listJobs(names: readonly string[], { would }: Switch, { json }: GoLiveOptions): void {
  if (json) printJson({ jobs: [], left: names });
  else {
    for (const name of names) printLine(name);
    printNote(`${counted(names.length, 'job')} would ${would}.`);
  }
}

async function change(
  operator: ApiOperator,
  names: readonly string[],
  how: Switch,
  { json, ...options }: GoLiveOptions,
): Promise<void> {
  const jobs = await operator.readDefinitions(json ? [] : names);
  const definitions = [...jobs.values()].map(({ definition }) => definition);
  await how.warn(operator, definitions);
  const changed: ChangedJobView[] = [];
  try {
    for (const each of names) {
      const done = await how.change(operator, each);
      changed.push(done);
      if (json) continue;
      const { timezone = 'UTC' } = jobs.get(each)?.definition ?? {};
      printChange(each, done, how.done, how.already, { timezone, observed: !how.isObserved });
      if (done.next === null) {
        printNote(`${each} has no next tick: it is paused, or its schedule names none.`);
      }
    }
  } catch (error) {
    const left = names.slice(changed.length);
    if (options.group !== undefined || options.all) {
      printNote(`${counted(left.length, 'job is', 'jobs are')} ${how.left}. Repeat it to go on.`);
      if (json) printJson({ jobs: changed, left });
    }
    throw error;
  }
  if (json) printJson({ jobs: changed, left: [] });
  else if (changed.length === 0) printNote(how.none);
}

async function jobsToChange(
  operator: ApiOperator,
  { isObserved }: Switch,
  group?: string,
): Promise<string[]> {
  const where = group === undefined ? {} : { group };
  const names: string[] = [];
  for await (const { job, observed } of operator.listJobs({ ...where, jobsMax: 1_000_000 })) {
    if (observed === isObserved) names.push(job);
  }
  if (names.length === 0 && group !== undefined) await requireJobGroup(operator, group);
  return names;
}
