import { isDeepStrictEqual } from 'node:util';
import { editedDefinition, newDefinition } from '../../domain/job/edit/buildDefinition.ts';
import { type JobPause, readPause } from '../../domain/job/edit/jobPause.ts';
import { showUpstream } from '../../domain/job/fieldTable/upstream.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { endOfTogether, readPauseReason } from '../../domain/reasons/readPauseReason.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { type ChangedJobView, definitionOf } from '../../http/views/jobView.ts';
import { printJobAnswer, type TickedJob } from '../connect/printJobAnswer.ts';
import { inZoneOf } from '../connect/readTimezones.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { JobOptions } from '../options/jobOptions.ts';
import { readSecretEnv } from '../options/readSecret.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';
import { printRemark, printWarning } from '../output/lines/printWarning.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import {
  type BulkOptions,
  bulkAction,
  type Pausing,
  requireNameAlone,
  untilText,
} from './bulkAction.ts';
import { pauseText } from './jobViews.ts';
import { placeWarning } from './placeWarnings.ts';
import { needsOfUsers } from './startsAsUser.ts';

/** `job add`. */
export async function addJobAction(name: string, options: JobOptions): Promise<void> {
  const built = newDefinition(name, readSecretEnv(options), Date.now());
  const { definition } = built;
  const pause = readPause(options, definition.timezone) ?? null;
  const warnings = [...built.warnings, ...fenceWarning(definition, options)];
  let needs: string | null = null;
  const added = await withOperator(options, async (operator) => {
    const done = await operator.addJob(definition, pause);
    needs = await needsOfUsers(operator, [definition], warnings);
    warnings.push(...(await placeWarning(operator, name)));
    return done;
  });
  warn(warnings, needs);
  if (options.json) printJson({ ...added, warnings: withNeeds(warnings, needs) });
  else printLine(`Added ${name}; ${addedText(added.next, pause, definition)}.`);
}

function addedText(next: string | null, pause: JobPause | null, job: JobDefinition): string {
  if (pause === null && next !== null) return nextText(next, job);
  if (pause === null) {
    const after = (job.after ?? []).map(showUpstream).join('; ');
    return after === '' ? 'it runs on request' : `it starts after ${after}`;
  }
  return pause.untilMs === null
    ? 'it is paused'
    : `it is paused until ${formatInstant(pause.untilMs, job.timezone)}`;
}

/** What the next tick of a job is, when, and how far away that is; what is over has not started. */
export function nextText(next: string, { observed, timezone }: TickedJob): string {
  const when = `${formatInstant(next, timezone)} (${formatAway(next)})`;
  if (observed === true) return `observed: it starts nothing, next tick ${when}`;
  return Date.parse(next) > Date.now() ? `next run ${when}` : `due since ${when}`;
}

/** `job edit`. */
export async function editJobAction(name: string, options: JobOptions): Promise<void> {
  const { json, url, tokenFile, tlsCa, ...others } = options;
  const { databaseUrl, databaseUrlFile, databasePasswordFile, ...changes } = others;
  if (Object.keys(changes).length === 0) {
    throw usageFault('Nothing to change is given.', 'See: statecron job edit --help');
  }
  const given = readSecretEnv(options);
  let warnings: string[] = [];
  let needs: string | null = null;
  let isMoved = false;
  let rests: string | null = null;
  let edited: Pick<JobDefinition, 'target' | 'user'> & TickedJob = {};
  const changed = await withOperator(options, async (operator) => {
    const done = await operator.editJob(name, (definition, nowMs) => {
      const built = editedDefinition(definition, given, nowMs);
      warnings = [...built.warnings, ...fenceWarning(built.definition, options)];
      edited = built.definition;
      // Other nodes have to allow its user, or its nodes another user.
      const { target, user } = definition;
      isMoved = user !== edited.user || !isDeepStrictEqual(target, edited.target);
      return built.definition;
    });
    if (isMoved) needs = await needsOfUsers(operator, [edited], warnings);
    if (edited.target !== undefined) warnings.push(...(await placeWarning(operator, name)));
    if (!json && done.next === null) rests = await readRest(operator, name);
    return done;
  });
  warn(warnings, needs);
  if (json) return printJson({ ...changed, warnings: withNeeds(warnings, needs) });
  printChange(name, changed, 'Edited', 'is unchanged', edited);
  if (rests !== null) printNote(rests);
}

/** That it rests, or null; the change is made, whether or not this can be read. */
export async function readRest(operator: ApiOperator, name: string): Promise<string | null> {
  const shown = await operator.showJob(name, 1).catch(() => null);
  if (shown?.paused !== true) return null;
  const is = `It is still ${pauseText(shown, definitionOf(shown).timezone)}`;
  if (shown.resumeAt) return `${is}; then it is resumed by itself.`;
  const reason = shown.revisions[0]?.reason ?? null;
  const one = `statecron job resume ${shellWord(name)}`;
  const end = endOfTogether(readPauseReason(reason)) ?? one;
  return reason === null ? `${is}: ${end}` : `${is}; end it with: ${end}`;
}

/** `job pause`. */
export async function pauseJobAction(
  name: string | undefined,
  options: BulkOptions & Pausing,
): Promise<number | undefined> {
  const { note, until } = options;
  if (name === undefined) {
    return bulkAction('pause', options, withoutUndefined({ end: until?.(), note }));
  }
  requireNameAlone('pause', options);
  let when = '';
  const send = async (operator: ApiOperator, { timezone }: TickedJob) => {
    if (until === undefined) return operator.pauseJob(name, null, note);
    const end = await inZoneOf(operator, name, until, timezone);
    const done = await operator.pauseJob(name, end, note);
    if (!options.json) when = await untilText(operator, name, timezone);
    return done;
  };
  await printJobAnswer(name, options, send, (changed, job) => {
    const already = `is paused already${when && `,${when}`}`;
    printChange(changed.changed ? `${name}${when}` : name, changed, 'Paused', already, job);
  });
  return undefined;
}

/** `job resume`. */
export async function resumeJobAction(
  name: string | undefined,
  options: BulkOptions,
): Promise<number | undefined> {
  if (name === undefined) return bulkAction('resume', options);
  requireNameAlone('resume', options);
  await printJobAnswer(
    name,
    options,
    (operator) => operator.resumeJob(name),
    (changed, job) => printChange(name, changed, 'Resumed', 'is not paused', job),
  );
  return undefined;
}

/** `job remove`. */
export async function removeJobAction(
  name: string | undefined,
  options: BulkOptions,
): Promise<number | undefined> {
  if (name === undefined) return bulkAction('remove', options);
  requireNameAlone('remove', options);
  await printJobAnswer(
    name,
    options,
    (operator) => operator.removeJob(name),
    (changed, job) => printChange(name, changed, 'Removed', 'is removed already', job),
  );
  return undefined;
}

/** Printed when it is requested, since it gives a promise up. */
function fenceWarning(definition: JobDefinition, { onFence }: JobOptions): string[] {
  if (definition.onFence !== 'finish' || onFence === undefined) return [];
  return ['a run of it goes on when its node is lost, so two runs of it may live at once'];
}

function withNeeds(warnings: readonly string[], needs: string | null): string[] {
  return needs === null ? [...warnings] : [...warnings, needs];
}

/** What a user needs of the nodes may be there already. */
function warn(warnings: readonly string[], needs: string | null): void {
  for (const warning of warnings) printWarning(warning);
  if (needs !== null) printRemark(needs);
}

/** What a change of a job came to. */
export function printChange(
  name: string,
  { changed, next, executing }: ChangedJobView,
  done: string,
  already: string,
  job: TickedJob,
): void {
  const nextRun = next === null ? '' : `; ${nextText(next, job)}`;
  const runs = executing === 1 ? '; 1 run goes on' : `; ${executing} runs go on`;
  const then = `${nextRun}${executing ? runs : ''}.`;
  printLine(changed ? `${done} ${name}${then}` : `${name} ${already}${then}`);
}
