import { OperatorError } from '../../domain/errors/errors.ts';
import type { FieldChange } from '../../domain/job/fieldsOfDefinition.ts';
import { checkUserName } from '../../domain/job/fieldTable/checkNames.ts';
import type { StepToDo } from '../../domain/jobFile/planApply.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import { startsAsUser } from '../jobs/startsAsUser.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readUsers } from '../options/readUsers.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { printRemark, printWarning } from '../output/lines/printWarning.ts';
import { printWrapped } from '../output/lines/printWrapped.ts';
import { printJson, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import type { ImportedLine, ImportPlan, PlannedLine } from './importPlan.ts';
import { howNamed, importWarnings } from './importWarnings.ts';
import { planImport } from './planImport.ts';
import { countResults, printImport } from './printImport.ts';
import { chooseFormat, nameOfSource, readSource, requireText } from './readJobFile.ts';
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
  const kind = `${kinds[format]} (${why})`;
  requireUserCrontab(file, options, kind, format === 'system');
  const timezone = options.timezone ?? localTimezone();
  const [isFile, source] = [file !== '-', nameOfSource(file)];
  const plan: ImportPlan = { ...options, timezone, origin, isFile, users: readUsers() };
  // A dry run does without a cluster; with one it shows what is there already.
  const { planned, warnings, needs, named } = await (options.dryRun
    ? withAnyOperator
    : withOperator)(options, async (operator) => {
    const plans = await planImport(operator, text, format, plan);
    const { planned } = plans;
    const isRefused = !options.skipFaults && planned.some(({ result }) => result === 'fault');
    if (operator !== null && !options.dryRun && !isRefused) await writeAll(operator, planned, plan);
    // What is there already keeps the node and the user that somebody gave it.
    const jobs = planned.flatMap(({ result, made }) =>
      made !== null && (result === 'added' || result === 'read') ? [made] : [],
    );
    const moved = planned.flatMap(({ result, made, changes = [] }) =>
      made !== null && result === 'updated' && changes.some(isOfNode) ? [made] : [],
    );
    const needs = await startsAsUser(operator, [...jobs, ...moved]);
    const warnings = await importWarnings(operator, jobs, plans, plan);
    const guessed = jobs.filter(({ name }) => plans.guessed.has(name)).length;
    return { planned, warnings, needs, named: howNamed(guessed) };
  });
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
    printWrapped(`${isFile ? file : 'Standard input'} is read as ${kind}; ${zone}.`, 'stdout');
    printImport(planned, { isDone, isDryRun: options.dryRun === true, isLeavingOut });
  }
  for (const warning of options.json ? [] : warnings) printWarning(warning);
  for (const remark of options.json ? [] : [needs, named]) if (remark !== null) printRemark(remark);
  const added = counts.added + counts.read;
  const isRefused = counts.failed > 0 && !isLeavingOut;
  if (options.observe && added > 0 && !isRefused && !options.json) {
    printNote(
      isDone
        ? 'Nothing is started. In a day see: statecron observe report --help; then job go-live.'
        : `${counted(added, 'job', 'jobs')} would be observed: nothing starts until job go-live.`,
    );
  }
  const jobs = planned.filter(({ job, result }) => job !== undefined || result === 'fault');
  if (jobs.length === 0) printNote(`There is no line of a job in ${source}: nothing to import.`);
  if (isRefused) {
    const changed = options.dryRun ? '' : 'Nothing was changed. ';
    const all = counted(jobs.length, 'job');
    throw new OperatorError({
      code: 'import_faults',
      message: `${counts.failed} of ${all} of ${source} cannot be imported.`,
      hint: `${changed}Correct these lines, or leave them out: --skip-faults`,
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
    `--user: ${nameOfSource(file)} is read as ${readAs}, of which each line names its user. ` +
      'Nothing was changed.',
    'Leave --user out, or give --user-crontab if its lines have no user field.',
  );
}

/** Once all are known to be right. */
function writeAll(
  operator: ApiOperator,
  planned: readonly PlannedLine[],
  { paused }: ImportPlan,
): Promise<void> {
  const steps = planned.flatMap(({ job, define, from, result }): StepToDo[] => {
    if (job === undefined || define === null) return [];
    const isEdited = result === 'updated' || from !== null;
    if (isEdited) return [{ action: 'edit', job: job.name, wanted: { define } }];
    const pause = paused ? { untilMs: null } : null;
    return result === 'added' ? [{ action: 'add', job: job.name, wanted: { define, pause } }] : [];
  });
  return writeSteps(operator, steps);
}
