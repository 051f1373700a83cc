import { editedDefinition, newDefinition } from '../../domain/job/edit/buildDefinition.ts';
import { readPause } from '../../domain/job/edit/readPause.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { JobPause } from '../../domain/job/jobPause.ts';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';
import type { ChangedJobView } from '../../http/views/jobView.ts';
import type { ShownOperator } from '../../http/views/shownOperator.ts';
import type { PauseEnd } from '../../store/jobs/changes/changeJob.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { JobOptions } from '../options/jobOptions.ts';
import { readSecretEnv } from '../options/readSecretEnv.ts';
import { printJson, printLine, printNote, shortTime } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

/** `job add`. */
export async function addJobAction(name: string, options: JobOptions): Promise<void> {
  const built = newDefinition(name, readSecretEnv(options), Date.now());
  const { definition } = built;
  const pause = readPause(options) ?? null;
  const warnings = [...built.warnings, ...fenceWarning(definition, options)];
  const added = await withOperator(options, async (operator) => {
    const done = await operator.addJob(definition, pause);
    warnings.push(...(await placeWarning(operator, definition)));
    return done;
  });
  for (const warning of warnings) printNote(`warning: ${warning}`);
  if (options.json) {
    printJson({ ...added, warnings });
  } else {
    printLine(`Added ${name}; ${nextWords(added.next, pause)}.`);
  }
}

function nextWords(next: string | null, pause: JobPause | null): string {
  if (pause === null) {
    return next === null ? 'it runs when asked' : `next run ${shortTime(next)}`;
  }
  return pause.untilMs === null ? 'it is paused' : `it is paused until ${shortTime(pause.untilMs)}`;
}

/** `job edit`. */
export async function editJobAction(name: string, options: JobOptions): Promise<void> {
  const { json, url, tokenFile, tlsCa, ...others } = options;
  const { databaseUrl, databaseUrlFile, databasePasswordFile, ...changes } = others;
  if (Object.keys(changes).length === 0) {
    throw usageFault('Nothing to change is given.', 'See: statecron job edit --help');
  }
  const given = readSecretEnv(options);
  let warnings: readonly string[] = [];
  const changed = await withOperator(options, async (operator) => {
    let edited: Pick<JobDefinition, 'name' | 'target'> = { name };
    const done = await operator.editJob(name, (definition, nowMs) => {
      const built = editedDefinition(definition, given, nowMs);
      warnings = [...built.warnings, ...fenceWarning(built.definition, options)];
      edited = built.definition;
      return built.definition;
    });
    warnings = [...warnings, ...(await placeWarning(operator, edited))];
    return done;
  });
  for (const warning of warnings) printNote(`warning: ${warning}`);
  if (json) return printJson({ ...changed, warnings });
  tellChange(name, changed, { done: 'Edited', already: 'is unchanged' });
}

interface Switch {
  change(operator: ShownOperator, name: string, end: PauseEnd): Promise<ChangedJobView>;
  readonly words: { readonly done: string; readonly already: string };
}

const switches: Record<'pause' | 'resume' | 'remove', Switch> = {
  pause: {
    change: (operator, name, end) => operator.pauseJob(name, end),
    words: { done: 'Paused', already: 'is paused already' },
  },
  resume: {
    change: (operator, name) => operator.resumeJob(name),
    words: { done: 'Resumed', already: 'is not paused' },
  },
  remove: {
    change: (operator, name) => operator.removeJob(name),
    words: { done: 'Removed', already: 'is removed already' },
  },
};

/** `job pause`, `job resume`, `job remove`. */
export async function switchJobAction(
  kind: keyof typeof switches,
  name: string,
  options: ClusterOptions & { json?: boolean; until?: string },
): Promise<void> {
  const { change, words } = switches[kind];
  const end = readPauseEnd(options.until);
  const changed = await withOperator(options, (operator) => change(operator, name, end));
  if (options.json) return printJson(changed);
  const until = options.until === undefined ? '' : ` until ${options.until}`;
  const done = end !== null && 'forMs' in end ? until.replace('until', 'for') : until;
  tellChange(`${name}${done}`, changed, words);
}

/** `--until`: an instant with its zone, or a time from now on, by the database's clock. */
function readPauseEnd(until: string | undefined): PauseEnd {
  if (until === undefined) return null;
  const untilMs = parseInstant(until);
  if (untilMs !== null) return { untilMs };
  const forMs = parseDuration(until);
  if (typeof forMs === 'number' && forMs > 0) return { forMs };
  throw usageFault('--until: write an instant as 2030-01-31T09:30:00Z, or a duration as 2h.');
}

/** Said when it is asked for, since it gives a promise up. */
function fenceWarning(definition: JobDefinition, { onFence }: JobOptions): string[] {
  if (definition.onFence !== 'finish' || onFence === undefined) return [];
  return ['a run of it goes on when its node is lost, so two runs of it may live at once'];
}

/** A name that is mistyped makes a job that never runs; a node of that name may come, though. */
async function placeWarning(
  operator: ShownOperator,
  { name, target }: Pick<JobDefinition, 'name' | 'target'>,
): Promise<string[]> {
  if (target === undefined) return [];
  // What was asked for is done, whether or not this can be told.
  const shown = await operator.showJob(name).catch(() => null);
  if (shown?.mayRunOn.length !== 0) return [];
  return ['no live node may run it as of now; see: statecron cluster'];
}

function tellChange(
  name: string,
  { changed, next, executing }: ChangedJobView,
  words: { done: string; already: string },
): void {
  const nextRun = next === null ? '' : `; next run ${shortTime(next)}`;
  const runs = executing === 1 ? '; 1 run goes on' : `; ${executing} runs go on`;
  const then = `${nextRun}${executing ? runs : ''}.`;
  printLine(changed ? `${words.done} ${name}${then}` : `${name} ${words.already}${then}`);
}
