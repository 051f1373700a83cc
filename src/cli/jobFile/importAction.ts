import { OperatorError } from '../../domain/errors/errors.ts';
import type { FieldChange } from '../../domain/job/fieldsOfDefinition.ts';
import { checkUserName } from '../../domain/job/fieldTable/checkNames.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { StepToDo } from '../../domain/jobFile/planApply.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import { startsAsUser, warnOfUnknownUsers } from '../jobs/startsAsUser.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readUsers } from '../options/readUsers.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { printRemark, printWarning } from '../output/lines/printWarning.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import type { GoneJobs, ImportedLine, ImportPlan, PlannedLine } from './importPlan.ts';
import { planImport } from './planImport.ts';
import { countResults, printImport } from './printImport.ts';
import { chooseFormat, readSource, requireText } from './readJobFile.ts';
import { writeSteps } from './writeSteps.ts';

type ImportOptions = ClusterOptions &
  Partial<Omit<ImportPlan, 'origin' | 'isFile' | 'users'>> & {
    readonly userCrontab?: boolean;
    readonly system?: boolean;
    readonly dryRun?: boolean;
    readonly skipFaults?: boolean;
  };

/**
 * `import`: every line is read and compared with what is there before anything is written. Throws
 * an OperatorError (1) with nothing changed when a line cannot be imported, unless such lines are
 * to be left out.
 */
export async function importAction(file: string, options: ImportOptions): Promise<void> {
  const { text, origin } = readSource(file, 'crontab -l | statecron import -');
  requireText(file, text);
  const { format, why } = chooseFormat(file, text, options);
  requireUserCrontab(file, options, `${kinds[format]} (${why})`, format === 'system');
  const timezone = options.timezone ?? localTimezone();
  const isFile = file !== '-';
  const plan: ImportPlan = { ...options, timezone, origin, isFile, users: readUsers() };
  // A dry run does without a cluster; with one it shows what is there already.
  const { planned, warnings, needs } = await (options.dryRun ? withAnyOperator : withOperator)(
    options,
    async (operator) => {
      const { planned, gone, twice, numbered } = await planImport(operator, text, format, plan);
      const isRefused = !options.skipFaults && planned.some(({ result }) => result === 'fault');
      if (operator !== null && !options.dryRun && !isRefused)
        await writeAll(operator, planned, plan);
      // What is there already keeps the node and the user that somebody gave it.
      const jobs = planned.flatMap(({ result, made }) =>
        made !== null && (result === 'added' || result === 'read') ? [made] : [],
      );
      const moved = planned.flatMap(({ result, made, changes = [] }) =>
        made !== null && result === 'updated' && changes.some(isOfNode) ? [made] : [],
      );
      const needs = await startsAsUser(operator, [...jobs, ...moved]);
      const warnings = [
        ...(await warningsOf(operator, jobs, plan)),
        ...warnOfNumbered(numbered),
        ...warnOfTwice(twice, plan),
        ...gone.map((each) => warnOfGone(each, plan)),
      ];
      return { planned, warnings, needs };
    },
  );
  const counts = countResults(planned);
  const isLeavingOut = options.skipFaults === true;
  const isDone = !options.dryRun && (counts.failed === 0 || isLeavingOut);
  if (options.json) {
    const lines = planned.map(
      ({ define: _, made: __, from: ___, known: ____, ...line }): ImportedLine => line,
    );
    const all = needs === null ? warnings : [...warnings, needs];
    printJson({ file, format, timezone, ...counts, warnings: all, lines });
  } else {
    const zone = `zone ${timezone} unless CRON_TZ says otherwise`;
    printLine(`${file} is read as ${kinds[format]} (${why}); ${zone}.`);
    printImport(planned, { isDone, isDryRun: options.dryRun === true, isLeavingOut });
  }
  for (const warning of options.json ? [] : warnings) printWarning(warning);
  if (needs !== null && !options.json) printRemark(needs);
  const added = counts.added + counts.read;
  if (options.observe && added > 0 && !options.json) {
    printNote(
      isDone
        ? 'Nothing is started. In a day see: statecron observe report --help; then job go-live.'
        : `${counted(added, 'job', 'jobs')} would be observed: nothing starts until job go-live.`,
    );
  }
  const jobs = planned.filter(({ job, result }) => job !== undefined || result === 'fault');
  if (jobs.length === 0) printNote(`There is no line of a job in ${file}: nothing to import.`);
  if (counts.failed > 0 && !options.skipFaults) {
    throw new OperatorError({
      code: 'import_faults',
      message: `${counts.failed} of ${counted(jobs.length, 'job')} of ${file} cannot be imported.`,
      hint: 'Nothing was changed. Correct these lines, or leave them out: --skip-faults',
    });
  }
}

/** Other nodes have to allow its user, or its nodes another user. */
function isOfNode({ field }: FieldChange): boolean {
  return field === 'user' || field === 'on-node';
}

const kinds = { system: 'a system crontab', user: "a user's crontab" } as const;

/** `--user` says whose crontab it is; the lines of a system crontab say that themselves. */
function requireUserCrontab(
  file: string,
  { user }: ImportOptions,
  readAs: string,
  isSystem: boolean,
): void {
  if (user === undefined) return;
  const fault = checkUserName(user);
  if (fault !== null) throw usageFault(`--user: ${fault}.`, 'See: statecron import --help');
  if (!isSystem) return;
  throw usageFault(
    `--user: ${file} is read as ${readAs}, of which each line names its user. Nothing was changed.`,
    'Leave --user out, or give --user-crontab if its lines have no user field.',
  );
}

/** What is true of several of the jobs: each is said once. */
async function warningsOf(
  operator: ApiOperator | null,
  jobs: readonly JobDefinition[],
  plan: ImportPlan,
): Promise<string[]> {
  if (jobs.length === 0) return [];
  return [
    ...warnOfUsers(jobs, plan),
    ...warnOfShell(jobs),
    ...(plan.onNode === undefined ? warnOfAnyNode(jobs.length, plan) : []),
    ...(plan.onNode ? await warnOfNode(operator, plan.onNode) : []),
  ];
}

/** Other jobs have their names. */
function warnOfNumbered(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const have = counted(names.length, 'line has', 'lines have');
  return [
    `${have} the name of a job with another user, group, node or program, and so the next free ` +
      `name: ${listed(names)}. Each job runs by itself; remove those that are not wanted with: ` +
      'statecron job remove NAME',
  ];
}

/** Under another prefix, or below another comment. */
function warnOfTwice(names: readonly string[], plan: ImportPlan): string[] {
  if (names.length === 0) return [];
  const have = counted(names.length, 'job has', 'jobs have');
  return [
    `${have} the command, schedule and user of a line here, under another name that an import ` +
      `from ${plan.origin} gave: ${listed(names)}. Each job runs by itself; remove those that ` +
      'are not wanted with: statecron job remove NAME',
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return `${names.slice(0, namesShown).join(', ')}${more}`;
}

/** They may be another user's, so import removes nothing. */
function warnOfGone({ names, origin }: GoneJobs, plan: ImportPlan): string {
  const shown = listed(names);
  const remove = 'remove each with: statecron job remove NAME';
  if (origin !== plan.origin) {
    const jobs = counted(names.length, 'job that came', 'jobs that came');
    const have = names.length === 1 ? 'has' : 'have';
    return (
      `${jobs} from ${origin}, as others here did, ${have} no line here: ${shown}. ` +
      `Where this takes its place, ${remove}`
    );
  }
  const were = counted(names.length, 'job was', 'jobs were');
  return (
    `${were} imported from ${origin} before, with no line now: ` +
    `${shown}. Import changes nothing of that; ${remove}`
  );
}

const namesShown = 5;

function warnOfAnyNode(jobs: number, { observe }: ImportPlan): string[] {
  const may = observe ? 'after go-live each may run' : 'each runs';
  return [
    `${counted(jobs, 'job names', 'jobs name')} no node: ${may} on any machine of the cluster. ` +
      'Give --on-node NAME to keep them on one.',
  ];
}

/** As `job edit` says it. */
async function warnOfNode(operator: ApiOperator | null, node: string): Promise<string[]> {
  const ended = { endedWithinMs: 0, sessionsMax: 1_000 };
  // The jobs are written, whether or not this can be read.
  const cluster = await operator?.readCluster(ended).catch(() => undefined);
  const isLive = (each: { node: string; state: string }) =>
    each.node === node && each.state === 'live';
  if (cluster === undefined || cluster.sessions.some(isLive)) return [];
  return [`no live node is called ${JSON.stringify(node)} as of now; see: statecron cluster`];
}

function warnOfUsers(jobs: readonly JobDefinition[], { users }: ImportPlan): string[] {
  const withoutUser = jobs.filter(({ user }) => user === undefined).length;
  return [
    withoutUser > 0 &&
      `${counted(withoutUser, 'job names', 'jobs name')} no user: each runs as the user that its ` +
        'node runs as. Give --user NAME to say whose crontab it is.',
    warnOfUnknownUsers(jobs, users),
  ].filter((warning) => typeof warning === 'string');
}

function warnOfShell(jobs: readonly JobDefinition[]): string[] {
  const count = jobs.filter(({ env }) => env.SHELL === undefined).length;
  if (count === 0) return [];
  const have = counted(count, 'job has', 'jobs have');
  return [`${have} no SHELL line above: bash runs the command, where cron takes /bin/sh.`];
}

/** Once all are known to be right. */
function writeAll(
  operator: ApiOperator,
  planned: readonly PlannedLine[],
  { paused }: ImportPlan,
): Promise<void> {
  const steps = planned.flatMap(({ job, define, result }): StepToDo[] => {
    if (job === undefined || define === null) return [];
    if (result === 'updated') return [{ action: 'edit', job: job.name, wanted: { define } }];
    const pause = paused ? { untilMs: null } : null;
    return result === 'added' ? [{ action: 'add', job: job.name, wanted: { define, pause } }] : [];
  });
  return writeSteps(operator, steps);
}
